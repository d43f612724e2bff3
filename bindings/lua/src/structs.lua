--[[ structs.lua - fills C structs from tables, and tables from structs.

Invariant: members have their names from the headers. A member that a table may not set is an error
that names it. Reading into a table that has all members creates no object.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local api, errors, handles = require 'pixverlet.api', require 'pixverlet.errors', require 'pixverlet.handles'
local C = require('pixverlet.loader').C
local classes, wrong = handles.classes, errors.wrong

local structs = {}

-- Words by number, for each enum.
structs.words = {}
for name, words in pairs(api.enums) do
    structs.words[name] = {}
    for word, number in pairs(words) do structs.words[name][number] = word end
end

local checks = {
    double = errors.number, float = errors.number, int = errors.integer, int32_t = errors.integer, unsigned = errors.natural,
    uint32_t = errors.natural, pv_color = errors.natural, int64_t = errors.number, uint64_t = errors.number, size_t = errors.number,
    bool = errors.truth,
}
-- Arrays, and the member that holds their length.
local lengths = { points = 'point_count', lengths = 'length_count', masks = 'mask_count', triangles = 'triangle_count' }
-- Arrays whose length other members imply.
local implied = { tiles = function(def) return def.columns * def.rows end, uvs = function(def) return def.point_count end }

local hidden = { cookie = true, allocator = true, worker_count = true, enqueue_task = true, finish_task = true }
local function is_hidden(name) return hidden[name] or name:find 'user_data$' or name:find '_callback$' end
local function id_noun(kind)
    local noun = kind:match '^pv_([%w_]+)_id$'
    return classes[noun or ''] and noun
end

-- Looks up the type of a member that a table may set.
local kinds = {}
for struct, members in pairs(api.structs) do
    kinds[struct] = {}
    for _, member in ipairs(members) do
        if not is_hidden(member[1]) then kinds[struct][member[1]] = member[2] end
    end
end

-- ---- From tables

-- Names of members with those of their structs, made once: `def.filter.mask_bits`.
local paths = setmetatable({}, { __index = function(all, prefix)
    all[prefix] = setmetatable({}, { __index = function(some, name)
        some[name] = prefix .. '.' .. name
        return some[name]
    end })
    return all[prefix]
end })

local fill

local function fill_element(array, i, element, value, world, fn, field)
    if checks[element] then
        checks[element](value, fn, field)
        array[i] = value
    elseif id_noun(element) then array[i] = handles.id_of(value, classes[id_noun(element)], world, fn, field)
    elseif type(value) == 'table' then fill(array[i], element, value, world, fn, field)
    else wrong(value, fn, field, 'a table') end
end

--- Returns an array of a list, and its length; `length` requires one.
function structs.array_of(list, element, length, fn, field)
    if type(list) ~= 'table' then wrong(list, fn, field, 'a list') end
    local count = #list
    if length and count ~= length then errors.raise(('%s: %s has %d elements, must have %d'):format(fn, field, count, length)) end
    local array = ffi.new(element .. '[?]', math.max(count, 1))
    for i = 1, count do fill_element(array, i - 1, element, list[i], nil, fn, ('%s[%d]'):format(field, i)) end
    return array, count
end
local array_of = structs.array_of

-- Returns an array of masks by tile id; id 0 has none.
local function masks_of(list, fn, field)
    if type(list) ~= 'table' then wrong(list, fn, field, 'a list') end
    local count = table.maxn(list) + 1
    if count % 1 ~= 0 or count > 2 ^ 24 then wrong(count - 1, fn, field .. '[id]', 'a whole number, 1 to 16777215') end
    local array = ffi.new('pv_mask *[?]', count)
    for id = 1, count - 1 do
        if list[id] ~= nil then array[id] = handles.mask_of(list[id], fn, ('%s[%d]'):format(field, id)) end
    end
    return array, count
end

local function triangles_of(list, fn, field)
    if type(list) ~= 'table' then wrong(list, fn, field, 'a list') end
    local array = ffi.new(('int[%d][3]'):format(math.max(#list, 1)))
    for i, triangle in ipairs(list) do
        local corners = array_of(triangle, 'int', 3, fn, ('%s[%d]'):format(field, i))
        for k = 0, 2 do array[i - 1][k] = corners[k] end
    end
    return array, #list
end

local function fill_array(target, name, kind, list, fn, field)
    local array, count
    if kind == 'pv_mask *const *' then array, count = masks_of(list, fn, field)
    elseif kind == 'const int[3] *' then array, count = triangles_of(list, fn, field)
    else array, count = array_of(list, kind:match '^const ([%w_]+) %*$', nil, fn, field) end
    target[name] = ffi.cast('void *', array)
    if lengths[name] then target[lengths[name]] = count end
    return array
end

local function fill_places(target, kind, list, world, fn, field)
    local element, count = kind:match '^([%w_]+)%[(%d)%]$'
    if type(list) ~= 'table' or #list ~= tonumber(count) then wrong(list, fn, field, ('a list of %s'):format(count)) end
    for i = 1, count do fill_element(target, i - 1, element, list[i], world, fn, ('%s[%d]'):format(field, i)) end
end

-- Sets one member, and returns memory that must live until the call.
local function set(target, name, kind, value, world, fn, field)
    local noun = id_noun(kind)
    if checks[kind] then
        checks[kind](value, fn, field)
        target[name] = value
    elseif api.enums[kind] then target[name] = errors.choice(value, api.enums[kind], fn, field)
    elseif noun then target[name] = handles.id_of(value, classes[noun], world, fn, field)
    elseif kind:find 'pv_mask %*$' then target[name] = handles.mask_of(value, fn, field)
    elseif kind == 'pv_material_map *' then target[name] = handles.resource_of(value, classes.MaterialMap, fn, field)
    elseif kind == 'const char *' then target[name] = errors.text_of(value, fn, field)
    elseif lengths[name] or implied[name] then return fill_array(target, name, kind, value, fn, field)
    elseif kind:find '%]$' then fill_places(target[name], kind, value, world, fn, field)
    elseif kind == 'pv_rotation' and type(value) == 'number' then target[name] = C.pv_rotation_from_angle(value)
    elseif api.structs[kind] then return fill(target[name], kind, value, world, fn, field)
    else wrong(value, fn, field, 'left out: Lua cannot set it') end
end

--- Sets the members of a struct that a table names, and returns memory that must live until the call.
-- A vector may be a list of two numbers, and a rotation an angle.
function fill(target, struct, values, world, fn, prefix)
    if type(values) ~= 'table' or getmetatable(values) then wrong(values, fn, prefix, 'a table') end
    local kept
    if struct == 'pv_vec2' and values[1] ~= nil then
        errors.number(values[1], fn, paths[prefix].x)
        errors.number(values[2], fn, paths[prefix].y)
        target.x, target.y = values[1], values[2]
        return
    end
    for name, value in pairs(values) do
        local kind = type(name) == 'string' and kinds[struct][name]
        if not kind then errors.raise(('%s: %s has no member %s'):format(fn, prefix, tostring(name))) end
        local memory = set(target, name, kind, value, world, fn, paths[prefix][name])
        if memory then
            kept = kept or {}
            kept[#kept + 1] = memory
        end
    end
    for name, length in pairs(implied) do
        if kinds[struct][name] and values[name] ~= nil and #values[name] ~= length(target) then
            errors.raise(('%s: %s has %d elements, must have %d'):format(fn, paths[prefix][name], #values[name], length(target)))
        end
    end
    return kept
end
structs.fill = fill

local defaults = api.defaults(C)
--- Returns a struct from a table, and memory that must live until the call. Nil becomes null if there are defaults.
function structs.struct_of(values, struct, world, fn, field)
    if values == nil and defaults[struct] then return nil end
    local target = defaults[struct] and defaults[struct]() or ffi.new(struct)
    return target, fill(target, struct, values, world, fn, field)
end

local center = ffi.new 'pv_vec2'
--- Returns a sprite or mask placed with its center of mass at (x, y).
function structs.placed_of(sprite, x, y, angle, fn, field)
    local mask = handles.mask_of(sprite, fn, field)
    errors.finite(x, fn, field .. '.x')
    errors.finite(y, fn, field .. '.y')
    errors.finite(angle or 0, fn, field .. '.angle')
    center.x, center.y = x, y
    return C.pv_placed_centered(mask, center, angle or 0)
end

--- Creates an object from a definition's defaults and the members that a table names.
function structs.create(world, noun, result, call, options, prepare)
    local fn = 'pv_' .. noun .. '_create'
    local pointer = handles.pointer_of(world, classes.World, fn)
    local def = defaults['pv_' .. noun .. '_def']()
    local _ = fill(def, 'pv_' .. noun .. '_def', options or {}, world, fn, 'def') -- arrays of the definition, until the call
    if prepare then prepare(def) end
    world.fresh = false
    local id = call(pointer, def, errors.failure.error)
    if errors.failure.error.status ~= 0 then errors.refuse_error() end
    return handles.object(world, result, id)
end

-- ---- To tables

--- Returns views of a struct by the size of its members. Reading through them creates no object.
function structs.view_of(data, struct)
    return { data = data, size = ffi.sizeof(struct), doubles = ffi.cast('double *', data), floats = ffi.cast('float *', data),
        ints = ffi.cast('int32_t *', data), words = ffi.cast('uint32_t *', data), bytes = ffi.cast('uint8_t *', data) }
end
local view_of = structs.view_of

local places = {}
--- Returns the memory where calls write the i-th struct, or array of structs.
function structs.place(struct, i, count)
    local key = struct .. i .. count
    local place = places[key]
    if not place then
        place = view_of(ffi.new((struct == 'double' or count > 1) and ('%s[%d]'):format(struct, count) or struct), struct)
        places[key] = place
    end
    return place
end

local rooms = {}
--- Returns an array for the results of a query; `capacity` is its length.
function structs.grow(element, capacity)
    rooms[element] = view_of(ffi.new(element .. '[?]', capacity), element)
    rooms[element].capacity = capacity
    return rooms[element]
end
function structs.room(element, least) return rooms[element] or structs.grow(element, least) end

--- Truncates a list to a number of elements, and returns it.
function structs.cut_list(list, count)
    for i = #list, count + 1, -1 do list[i] = nil end
    return list
end

local read
local function reusable(old) return type(old) == 'table' and not getmetatable(old) and old or nil end
local function signed(view, at) return view.words[at / 4] + 2 ^ 32 * view.ints[at / 4 + 1] end
local function unsigned(view, at) return view.words[at / 4] + 2 ^ 32 * view.words[at / 4 + 1] end
local function word(view, at) return view.words[at / 4] end
local function int(view, at) return view.ints[at / 4] end

local readers = {
    double = function(view, at) return view.doubles[at / 8] end,
    float = function(view, at) return view.floats[at / 4] end,
    bool = function(view, at) return view.bytes[at] ~= 0 end,
    int = int, int32_t = int, unsigned = word, uint32_t = word, pv_color = word, int64_t = signed, uint64_t = unsigned, size_t = unsigned,
    pv_member_id = function(view, at) return handles.member_key(view.words[at / 4], view.words[at / 4 + 1]) end,
    ['const char *'] = function(view, at)
        local text = ffi.cast('const char **', view.bytes + at)[0]
        return text ~= nil and ffi.string(text) or nil
    end,
    ['pv_mask *'] = function(view, at) return handles.retained(ffi.cast('pv_mask **', view.bytes + at)[0], 'mask') end,
    ['pv_material_map *'] = function(view, at) return handles.retained(ffi.cast('pv_material_map **', view.bytes + at)[0], 'material_map') end,
}

local function list_reader(element, length, inline)
    local size = ffi.sizeof(element)
    return function(view, at, world, old, from)
        local list, source, count = reusable(old) or {}, view, length
        if not inline then
            source = view_of(ffi.cast(element .. ' **', view.bytes + at)[0], element)
            count, at = view.ints[(from + length) / 4], 0
        end
        for i = 1, count do list[i] = readers[element](source, at + (i - 1) * size, world, list[i]) end
        return structs.cut_list(list, count)
    end
end

-- Returns the reader for a member of a struct, or nil if it is not read.
local function reader_of(struct, name, kind)
    local element, count = kind:match '^([%w_]+)%[(%d)%]$'
    local pointed = kind:match '^const (pv_[%w_]+) %*$'
    if count then
        element = readers[element] and element
        return element and list_reader(element, tonumber(count), true)
    elseif pointed and lengths[name] then return list_reader(pointed, ffi.offsetof(struct, lengths[name]))
    else return readers[kind] end
end

for name, words in pairs(structs.words) do
    readers[name] = function(view, at) return words[view.ints[at / 4]] end
end
for struct in pairs(api.structs) do
    local noun = id_noun(struct)
    if noun then
        readers[struct] = function(view, at, world) return world and handles.object_at(world, noun, view.words[at / 4], view.words[at / 4 + 1]) end
    elseif not readers[struct] then readers[struct] = function(view, at, world, old) return read(view, at, struct, world, reusable(old)) end end
end

-- Readable members of each struct, looked up when it is first read.
local layouts = setmetatable({}, { __index = function(all, struct)
    local layout = {}
    for _, member in ipairs(api.structs[struct]) do
        local name, kind = member[1], member[2]
        local reader = not is_hidden(name) and reader_of(struct, name, kind)
        if reader then layout[#layout + 1] = { name, ffi.offsetof(struct, name), reader } end
    end
    all[struct] = layout
    return layout
end })

--- Returns a table of a struct's members at a byte of a view: the given table or a new one. An id becomes its object.
function read(view, at, struct, world, into)
    local values, layout = into or {}, layouts[struct]
    for i = 1, #layout do
        local member = layout[i]
        values[member[1]] = member[3](view, at + member[2], world, values[member[1]], at)
    end
    return values
end
structs.read = read

--- Returns the value at a byte of a view.
function structs.read_kind(view, at, kind, world) return readers[kind](view, at, world) end

--- Returns a list of tables, or of objects for ids: the given list or a new one.
function structs.collect(room, count, element, world, into)
    local results, reader = into or {}, readers[element]
    for i = 1, count do results[i] = reader(room, (i - 1) * room.size, world, results[i]) end
    return structs.cut_list(results, count)
end

-- ---- Structs as results of calls

-- On x64 a large struct is returned through a hidden first argument. Declared like that, the call creates no object.
local limit = ffi.os == 'Windows' and 8 or 16
--- Functions that return a struct, by name: each returns a view that its next call overwrites.
structs.large = setmetatable({}, { __index = function(all, name)
    local struct, arguments = unpack(api.large[name])
    local view = view_of(ffi.new(struct), struct)
    local call
    if ffi.arch == 'x64' and view.size > limit then
        ffi.cdef(('void pixverlet_lua_%s(%s *result%s) __asm__(%q);'):format(name, struct, arguments == 'void' and '' or ', ' .. arguments, name))
        local through = C['pixverlet_lua_' .. name]
        function call(...)
            through(view.data, ...)
            return view
        end
    else
        function call(...)
            ffi.copy(view.data, C[name](...), view.size)
            return view
        end
    end
    jit.off(call)
    all[name] = call
    return call
end })

return structs
