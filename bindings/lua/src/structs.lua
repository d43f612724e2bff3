--[[ structs.lua - structs of C from tables, and tables from structs.

Invariant: members have their names of the headers. A member that a table may not set is an error
that names it.

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
-- Arrays, and the member that tells their length.
local lengths = { points = 'point_count', lengths = 'length_count' }

local function is_hidden(name) return name == 'cookie' or name:find 'user_data$' or name:find '_callback$' or name == 'allocator' end
local function id_class(kind) return classes[kind:match '^pv_([%w_]+)_id$' or ''] end

-- Looks up the type of a member that a table may set.
local kinds = {}
for struct, members in pairs(api.structs) do
    kinds[struct] = {}
    for _, member in ipairs(members) do
        if not is_hidden(member[1]) then kinds[struct][member[1]] = member[2] end
    end
end

local fill

local function fill_array(target, name, kind, list, fn, field)
    local element = kind:match '^const ([%w_]+) %*$'
    if type(list) ~= 'table' then wrong(list, fn, field, 'a list') end
    local array = ffi.new(element .. '[?]', math.max(#list, 1))
    for i, value in ipairs(list) do
        local where = ('%s[%d]'):format(field, i)
        if checks[element] then
            checks[element](value, fn, where)
            array[i - 1] = value
        else
            fill(array[i - 1], element, value, nil, fn, where)
        end
    end
    target[name], target[lengths[name]] = array, #list
    return array
end

-- Sets one member, and returns memory that has to live until the call.
local function set(target, name, kind, value, world, fn, field)
    local class = id_class(kind)
    if checks[kind] then
        checks[kind](value, fn, field)
        target[name] = value
    elseif api.enums[kind] then target[name] = errors.choice(value, api.enums[kind], fn, field)
    elseif class then target[name] = handles.id_of(value, class, world, fn, field)
    elseif kind:find 'pv_mask %*$' then target[name] = handles.mask_of(value, fn, field)
    elseif lengths[name] then return fill_array(target, name, kind, value, fn, field)
    elseif api.structs[kind] then return fill(target[name], kind, value, world, fn, field)
    else wrong(value, fn, field, 'left out: Lua cannot set it') end
end

--- Sets the members of a struct that a table names, and returns memory that has to live until the call.
function fill(target, struct, values, world, fn, prefix)
    if type(values) ~= 'table' then wrong(values, fn, prefix, 'a table') end
    local kept = {}
    if struct == 'pv_vec2' and values[1] ~= nil then
        errors.number(values[2], fn, prefix .. '.y')
        values = { x = values[1], y = values[2] }
    end
    for name, value in pairs(values) do
        local kind = type(name) == 'string' and kinds[struct][name]
        if not kind then errors.raise(('%s: %s has no member %s'):format(fn, prefix, tostring(name))) end
        kept[#kept + 1] = set(target, name, kind, value, world, fn, prefix .. '.' .. name)
    end
    return kept
end
structs.fill = fill

local function read_member(value, kind, world)
    if kind == 'int64_t' or kind == 'uint64_t' or kind == 'size_t' then return tonumber(value) end
    if checks[kind] then return value end
    if structs.words[kind] then return structs.words[kind][value] end
    if id_class(kind) then return world and handles.object(world, kind:match '^pv_([%w_]+)_id$', value) end
    if api.structs[kind] then return structs.read(value, kind, world) end
end

--- Returns a table of the members of a struct; an id becomes its object.
function structs.read(source, struct, world)
    if id_class(struct) then return handles.object(world, struct:match '^pv_([%w_]+)_id$', source) end
    local values = {}
    for _, member in ipairs(api.structs[struct]) do
        local name, kind = member[1], member[2]
        if not is_hidden(name) then values[name] = read_member(source[name], kind, world) end
    end
    return values
end

local rooms = {}
--- Returns an array for results of a query, and its capacity.
function structs.room(element, least)
    local room = rooms[element]
    if not room or room.capacity < least then
        room = { capacity = least, list = ffi.new(element .. '[?]', least) }
        rooms[element] = room
    end
    return room.list, room.capacity
end

--- Returns a list of tables, or of objects for ids.
function structs.collect(list, count, element, world)
    local results = {}
    for i = 0, count - 1 do results[i + 1] = structs.read(list[i], element, world) end
    return results
end

--- Creates an object from a definition's defaults and the members that a table names.
function structs.create(world, noun, result, options)
    local fn = 'pv_' .. noun .. '_create'
    local pointer = handles.pointer_of(world, classes.World, fn)
    local def = C['pv_' .. noun .. '_def_default']()
    local _ = fill(def, 'pv_' .. noun .. '_def', options or {}, world, fn, 'def') -- arrays of the definition, until the call
    world.fresh = false
    local id = C[fn](pointer, def, errors.failure.error)
    if errors.failure.error.status ~= 0 then errors.refuse_error() end
    return handles.object(world, result, id)
end

return structs
