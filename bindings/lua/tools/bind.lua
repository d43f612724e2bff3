--[[ bind.lua - writes what Lua needs from the public headers: declarations, words of enums, members
of structs, and a method for each function whose values are plain.

Invariant: no name of a function, struct or member is here, except those that Lua code in src/
handles itself.

Usage: luajit bind.lua CDEF VERSION

SPDX-License-Identifier: Zlib ]]

local file, version = arg[1], arg[2]

-- Nouns of functions, and the classes whose methods they become. A longer noun comes before a shorter one that is its prefix.
local nouns = { 'material_map', 'force_field', 'composite', 'particle', 'outline', 'polygon', 'placed', 'frames', 'grains', 'liquid',
    'swept', 'joint', 'world', 'group', 'image', 'parts', 'body', 'mask' }
local handles = { body = 1, composite = 1, force_field = 1, grains = 1, joint = 1, liquid = 1, particle = 1 }
-- Classes of objects that belong to no world.
local resources = { frames = 1, group = 1, image = 1, mask = 1, material_map = 1, outline = 1, parts = 1, placed = 1, swept = 1 }

-- Functions that src/ handles itself.
local manual = {}
for name in ([[
    pv_world_create pv_world_destroy pv_world_set_workers pv_task_pool_create pv_task_pool_destroy pv_task_pool_attach pv_world_step pv_world_compute_hash pv_world_get_events pv_world_get_poses
    pv_world_get_next_body pv_polygon_create pv_body_create pv_body_is_valid pv_body_get_position pv_body_get_velocity pv_body_get_filter
    pv_body_get_mask pv_body_set_mask pv_body_move_to pv_body_set_fracture pv_mask_create pv_mask_create_rect pv_mask_create_circle
    pv_mask_from_text pv_mask_serialize pv_mover_get_transform pv_status_to_string
    pv_version pv_body_carve pv_world_carve pv_world_debug_draw pv_world_restore pv_world_save_changes pv_world_restore_changes
    pv_grains_emit pv_mask_from_pixels pv_pose_lerp pv_cut_circle pv_cut_box pv_cut_line pv_cut_polygon pv_cut_mask pv_canvas_draw_grains pv_grains_get_view]]):gmatch '%S+' do
    manual[name] = true
end

local scalars = { double = 'number', int = 'integer', int32_t = 'integer', unsigned = 'natural', uint32_t = 'natural', pv_color = 'natural',
    bool = 'truth', size_t = 'size' }
-- Structs whose members a method takes or returns one by one.
local flat = { pv_vec2 = { 'x', 'y' }, pv_rotation = { 'c', 's' }, pv_point = { 'x', 'y' }, pv_rect = { 'x', 'y', 'w', 'h' },
    pv_filter = { 'category_bits', 'mask_bits', 'group_index' }, pv_box = { 'min.x', 'min.y', 'max.x', 'max.y' } }
-- Planes of pixels: the bytes of a row of `width` pixels.
local planes = { rgba = '4 * width', rows = 'math.floor((width + 7) / 8)', hardness = 'width', density = 'width' }

local declarations, functions, enums, structs, constants, defaults = {}, {}, {}, {}, {}, {}

local function camel(name) return (name:gsub('_(%w)', string.upper)) end
local function class_name(noun) return camel('_' .. noun) end

-- Words of an enum without their common prefix: PV_BODY_STATIC is 'static'. An enum without a name gives constants.
local function read_enum(name, text)
    local names, values, value, prefix = {}, {}, -1, nil
    for constant, given in text:gmatch '([A-Z][A-Z0-9_]*)%s*=?%s*(%-?%d*)' do
        value = tonumber(given) or value + 1
        names[#names + 1], values[#values + 1] = constant, value
        if not name then constants[constant:sub(4)] = value end
        prefix = prefix or constant
        while constant:sub(1, #prefix) ~= prefix do prefix = prefix:sub(1, -2) end
    end
    if not name then return end
    prefix = prefix:match '^.*_'
    local words = {}
    for i, constant in ipairs(names) do words[i] = { constant:sub(#prefix + 1):lower(), values[i] } end
    enums[name] = words
end

-- Splits `double x, y` into members; pointers keep their star in the type, and arrays their brackets.
local function read_members(text)
    local members = {}
    for member in text:gmatch '%s*([^;]+);' do
        local triple, pointer = member:match '^const (%w+) %(%*([%w_]+)%)%[3%]$'
        local kind, array, count = member:match '^([%w_]+) ([%w_]+)%[(%d+)%]$'
        local callback = member:match '^[%w_ ]+%*?%(%*([%w_]+)%)%('
        if triple then members[#members + 1] = { pointer, ('const %s[3] *'):format(triple) }
        elseif array then members[#members + 1] = { array, ('%s[%s]'):format(kind, count) }
        elseif not callback then
            local first, others = member:match '^([^,]*),(.*)$'
            local base, list = (first or member):match '^(.*[%w_]) (%**[%w_]+)$'
            if not base then base, list = member:match '^(.*%*const) (%**[%w_]+)$' end
            if others then list = list .. ',' .. others end
            for star, name in list:gmatch '(%**)([%w_]+)' do members[#members + 1] = { name, base .. (star == '' and '' or ' ' .. star) } end
        end
    end
    return members
end

local function read_arguments(text)
    local arguments = {}
    for argument in text:gmatch '[^,]+' do
        local type, name, count = argument:match '^%s*(.-)%s*([%w_]+)%[(%d)%]$'
        if count then type = ('%s[%s]'):format(type, count) else type, name = argument:match '^%s*(.-)%s*([%w_]+)$' end
        if type ~= '' then arguments[#arguments + 1] = { name = name == 'end' and 'end_' or name, type = type } end
    end
    return arguments
end

for line in io.lines(file) do
    declarations[#declarations + 1] = line
    local struct, members = line:match '^typedef struct ([%w_]+) {(.*)} [%w_]+;$'
    local result, name, arguments = line:match '^([%w_ ]-%**)(pv_[%w_]+)%((.*)%);$'
    local enum = line:match '^enum {(.*)};$'
    if struct then structs[struct] = read_members(members)
    elseif enum then read_enum(declarations[#declarations - 1]:match '^typedef int ([%w_]+);$', enum)
    elseif result and not line:find '^typedef' then
        result = result:match '^(.-)%s*$'
        functions[#functions + 1] = { name = name, result = result, arguments = read_arguments(arguments), text = arguments }
        if name:find '_default$' or name == 'pv_transform_identity' then defaults[result] = name end
    end
end

local function noun_of(name)
    for _, noun in ipairs(nouns) do
        if name:sub(4, 4 + #noun) == noun .. '_' then return noun, name:sub(5 + #noun) end
    end
end
local function id_noun(type)
    local noun = type:match '^pv_([%w_]+)_id$'
    return handles[noun] and noun
end
local function resource_noun(type)
    local noun = type:match '^const pv_([%w_]+) %*$' or type:match '^pv_([%w_]+) %*$'
    return resources[noun] and noun
end

-- Writes the code that takes a struct as separate parameters for its members.
local function take_flat(fn, argument, place, check)
    local name, type = argument.name, argument.type
    local names, lines, kinds = {}, {}, {}
    for _, member in ipairs(structs[type]) do kinds[member[1]] = scalars[member[2]] end
    for i, member in ipairs(flat[type]) do
        local parameter = #flat[type] == 2 and (name .. '_' .. member) or member:gsub('%.', '_')
        local kind = kinds[member] or 'number'
        names[i] = parameter
        local target = type == 'pv_box' and ('%s_doubles[%d]'):format(place, i - 1) or ('%s.%s'):format(place, member) -- a struct in a struct would be an object
        lines[i] = ('%s(%s, %q, %q) %s = %s'):format(kind == 'number' and check or kind, parameter, fn, name .. '.' .. member, target, parameter)
    end
    return names, lines, place
end

-- Writes the code for one argument of a function: names of parameters, lines before the call, and values in the call.
local function take(f, argument, scratch)
    local fn, name, type = f.name, argument.name, argument.type
    local const, check = type:match '^const (pv_[%w_]+) %*$', f.bound and 'number' or 'finite'
    local function through(helper, class) return { name }, { ('local %s_value = %s(%s%s, %q, %q)'):format(name, helper, name, class or '', fn, name) }, name .. '_value' end
    if type == 'const pv_allocator *' or type == 'void *' then return {}, {}, 'nil'
    elseif scalars[type] then
        return { name }, { ('%s(%s, %q, %q)'):format(scalars[type] == 'number' and check or scalars[type], name, fn, name) }, name
    elseif enums[type] then return through('choice', ', enums.' .. type)
    elseif id_noun(type) then return through('id_of', (', %s, owner'):format(class_name(id_noun(type))))
    elseif type == 'pv_member_id' then return through 'member_of'
    elseif type == 'const char *' then return through 'text_of'
    elseif type == 'pv_anchor' then
        local place = ('%s_%d'):format(type, scratch(type))
        return { name, name .. '_x', name .. '_y' }, { ('set_anchor(%s, %s, %s_x, %s_y, owner, %q, %q)'):format(place, name, name, name, fn, name) }, place
    elseif const == 'pv_query_filter' then
        return { name }, { ('local %s_value = filter_of(%s, owner, %q)'):format(name, name, fn) }, name .. '_value'
    elseif const == 'pv_placed' and f.noun == 'world' then
        return { name, 'x', 'y', 'angle' }, { ('local place = placed_of(%s, x, y, angle, %q, %q)'):format(name, fn, name) }, 'place'
    elseif const == 'pv_mask' or type == 'pv_mask *' then return through 'mask_of'
    elseif const == 'pv_image' then return through 'image_of'
    elseif const == 'pv_canvas' then return through 'canvas_of'
    elseif resource_noun(type) then return through('resource_of', ', ' .. class_name(resource_noun(type)))
    elseif type:find '^const pv_vec2%[%d%]$' then return through('array_of', (', "pv_vec2", %s'):format(type:match '%[(%d)%]'))
    elseif const == 'pv_vec2' then return { name }, { ('local %s_value, %s_count = array_of(%s, "pv_vec2", nil, %q, %q)'):format(name, name, name, fn, name) },
        ('%s_value, %s_count'):format(name, name)
    elseif structs[const] then
        return { name }, { ('local %s_value, %s_kept = struct_of(%s, %q, owner, %q, %q)'):format(name, name, name, const, fn, name) }, name .. '_value'
    elseif flat[type] then return take_flat(fn, argument, ('%s_%d'):format(type, scratch(type)), check)
    end
end

-- Writes the values that a method returns for a result; `place` is a struct that stays in place.
local function give_struct(struct, place)
    if flat[struct] then
        local members = {}
        for i, member in ipairs(flat[struct]) do members[i] = ('%s.data.%s'):format(place, member) end
        return table.concat(members, ', ')
    end
    return ('read(%s, 0, %q, owner, into)'):format(place, struct), true
end
local function give(result)
    if scalars[result] and result ~= 'size_t' or result == 'float' then return 'result' end
    if result == 'int64_t' or result == 'uint64_t' or result == 'size_t' then return 'tonumber(result)' end
    if enums[result] then return ('words.%s[result]'):format(result) end
    if id_noun(result) then return ('object(owner, %q, result)'):format(id_noun(result)) end
    if result == 'pv_member_id' then return 'member_key(result.index, result.generation)' end
    if result == 'pv_placed' then return 'new_placed(result)' end
    if result == 'const char *' then return 'text(result)' end
    local noun = resource_noun(result)
    if noun and result:find '^const' then return ('retained(result, %q)'):format(noun) elseif noun then return ('own(result, %q)'):format(noun) end
    local behind = result:match '^const (pv_[%w_]+) %*$'
    if structs[behind] then return ('result ~= nil and read(view_of(result, %q), 0, %q, owner, into) or nil'):format(behind, behind), true end
    if flat[result] and result ~= 'pv_box' then
        local members = {}
        for i, member in ipairs(flat[result]) do members[i] = 'result.' .. member end
        return table.concat(members, ', ')
    end
    if result == 'pv_box' then return 'result.doubles[0], result.doubles[1], result.doubles[2], result.doubles[3]' end
    if structs[result] then return give_struct(result, 'result') end
end
-- Large structs are written to a fixed place.
local function by_place(result) return structs[result] and not id_noun(result) and result ~= 'pv_placed' and result ~= 'pv_member_id' and
    (result == 'pv_box' or not flat[result]) end

-- Splits off the list and the capacity that end the arguments of a function with many results.
local function split_list(f, arguments)
    local n = #arguments
    if f.result ~= 'int' or n < 2 or arguments[n].name ~= 'capacity' then return end
    local element = arguments[n - 1].type:match '^(pv_[%w_]+) %*$'
    if not element or not structs[element] then return end
    arguments[n], arguments[n - 1] = nil, nil
    return element
end

-- Splits off the places for results that end the arguments.
local function split_outputs(arguments)
    local outputs = {}
    for i = #arguments, 1, -1 do
        local struct, count = arguments[i].type:match '^(pv_[%w_]+) %*$', arguments[i].type:match '^pv_%w+%[(%d)%]$'
        if arguments[i].type == 'double *' then table.insert(outputs, 1, { struct = 'double' })
        elseif count then table.insert(outputs, 1, { struct = arguments[i].type:match '^[%w_]+', count = tonumber(count) })
        elseif structs[struct] and not resource_noun(arguments[i].type) then table.insert(outputs, 1, { struct = struct })
        elseif arguments[i].type ~= 'const pv_allocator *' then break end
        arguments[i].output = arguments[i].type ~= 'const pv_allocator *'
    end
    return outputs
end

-- Writes World:newRope() for pv_rope_create() and the like.
local function maker(f)
    local noun = f.name:match '^pv_([%w_]+)_create$'
    if not noun or noun == 'body' or noun == 'world' or not f.result:find '_id$' or f.arguments[2].type ~= 'const pv_' .. noun .. '_def *' then return end
    local name = camel('new_' .. noun)
    return ('function World:%s(options) return create(self, %q, %q, C.%s, options) end\njit.off(World.%s)'):format(name, noun, id_noun(f.result), f.name, name)
end

-- Writes World:getJoints() for pv_world_get_next_joint() and the like.
local function lister(f)
    local noun = f.name:match '^pv_world_get_next_([%w_]+)$'
    if not noun or manual[f.name] then return end
    local name = camel('get_' .. noun .. 's')
    return ([[function World:%s(into)
    local pointer = pointer_of(self, World, %q)
    local results, count = check_list(into, %q), 0
    local id = C.%s(pointer, %s_0)
    while id.generation ~= 0 do
        count = count + 1
        results[count] = object(self, %q, id)
        id = C.%s(pointer, id)
    end
    return cut_list(results, count)
end
jit.off(World.%s)]]):format(name, f.name, f.name, f.name, f.result, id_noun(f.result), f.name, name)
end

-- Writes Joint:isValid() and the like.
local function validator(f)
    local noun = f.name:match '^pv_([%w_]+)_is_valid$'
    if not handles[noun] or manual[f.name] then return end
    local class = class_name(noun)
    return ([[function %s:isValid()
    check_self(self, %s, %q)
    local pointer = self[1].pointer
    return pointer ~= nil and C.%s(pointer, self[4])
end
jit.off(%s.isValid)]]):format(class, class, f.name, f.name, class)
end

-- Returns class, name, values that begin the call, and the other arguments.
local function place_of(f)
    local noun, rest = noun_of(f.name)
    local arguments = {}
    for i, argument in ipairs(f.arguments) do arguments[i] = { name = argument.name, type = argument.type } end
    local first = arguments[1]
    f.noun = noun
    if first and first.type:find 'pv_world %*$' then
        if not noun then return end
        table.remove(arguments, 1)
        f.bound = true
        if noun == 'joint' and rest:find '^create_' then return 'World', camel('new_' .. rest:match '^create_(.*)' .. '_joint'), { 'pointer' }, arguments end
        if noun == 'composite' and rest == 'create' then return 'World', 'newComposite', { 'pointer' }, arguments end
        if not handles[noun] then return 'World', camel(noun == 'world' and rest or noun .. '_' .. rest), { 'pointer' }, arguments end
        local id = table.remove(arguments, 1)
        if id and id.type == 'pv_' .. noun .. '_id' then return class_name(noun), camel(rest), { 'pointer', 'self[4]' }, arguments end
    elseif noun and resources[noun] and first and resource_noun(first.type) == noun then
        table.remove(arguments, 1)
        return class_name(noun), camel(rest), { 'self.pointer' }, arguments
    elseif noun == 'body' or noun == 'mover' then return
    else return 'Module', camel(f.name:sub(4)), {}, arguments end
end

local function is_served_otherwise(name)
    return manual[name] or name:find 'user_data' or name:find '_default$' or name:find '_callback$' or name:find '_destroy$' and resources[name:match '^pv_(.*)_destroy$'] or
        name:find '_is_valid$' or name:find '_retain$' or name:find '_release$' or name:find '^pv_error_' or name:find '^pv_anchor_' or name:find '^pv_clock_'
end

-- Writes the checks of a call, and collects its values. Returns nothing if a type cannot be expressed in Lua.
local function take_all(f, arguments, call, parameters, lines)
    local used, late, places = {}, {}, 0
    local function scratch(type)
        used[type] = (used[type] or 0) + 1
        return used[type] - 1
    end
    for i, argument in ipairs(arguments) do
        local before = arguments[i - 1]
        if argument.output then
            places = places + 1
            call[#call + 1] = ('place_%d.data'):format(places)
        elseif argument.type == 'const void *' and planes[argument.name] then
            parameters[#parameters + 1] = argument.name
            late[#late + 1] = ('local %s_value = plane_of(%s, %s, height, %q, %q)'):format(argument.name, argument.name, planes[argument.name], f.name, argument.name)
            call[#call + 1] = argument.name .. '_value'
            arguments.pitch = planes[argument.name]
        elseif argument.type == 'ptrdiff_t' and arguments.pitch then call[#call + 1] = arguments.pitch
        elseif argument.type == 'const void *' and arguments[i + 1] and arguments[i + 1].type == 'size_t' then
            parameters[#parameters + 1] = argument.name
            lines[#lines + 1] = ('check_bytes(%s, %q, %q)'):format(argument.name, f.name, argument.name)
            call[#call + 1] = ('%s, #%s'):format(argument.name, argument.name)
        elseif not (before and (before.type == 'const void *' and argument.type == 'size_t' or before.type == 'const pv_vec2 *')) then
            local names, checks, value = take(f, argument, scratch)
            if not names then return end
            for _, n in ipairs(names) do parameters[#parameters + 1] = n end
            for _, n in ipairs(checks) do lines[#lines + 1] = n end
            call[#call + 1] = value
        end
    end
    for _, line in ipairs(late) do lines[#lines + 1] = line end
    return true
end

-- Writes the values that a method returns: the result and the places that the call filled in.
local function returned(f, outputs)
    local values, tables = {}, false
    local function add(value, is_table)
        values[#values + 1] = value
        tables = tables or is_table
    end
    if f.result ~= 'pv_status' and f.result ~= 'void' and not (f.result == 'bool' and #outputs > 0) then
        local value, is_table = give(f.result)
        if not value then return end
        add(value, is_table)
    end
    for i, output in ipairs(outputs) do
        local place = 'place_' .. i
        if output.struct == 'double' then add(place .. '.data[0]')
        elseif output.count and output.struct == 'pv_vec2' then
            for k = 0, 2 * output.count - 1 do add(('%s.doubles[%d]'):format(place, k)) end
        elseif output.count then
            for k = 0, output.count - 1 do add(('read(%s, %d * %s.size, %q, owner)'):format(place, k, place, output.struct)) end
        else add(give_struct(output.struct, place)) end
    end
    return table.concat(values, ', '), tables
end

local function method(f)
    if is_served_otherwise(f.name) then return end
    local class, name, call, arguments = place_of(f)
    if not class then return end
    local parameters, lines, out = {}, {}, {}
    local element = split_list(f, arguments)
    local error = arguments[#arguments] and arguments[#arguments].type == 'pv_error *' and table.remove(arguments)
    local outputs = element and {} or split_outputs(arguments)
    if not take_all(f, arguments, call, parameters, lines) then return end
    local values, into = returned(f, outputs)
    if not values then return end
    if element or into then
        parameters[#parameters + 1] = 'into'
        lines[#lines + 1] = ('if into ~= nil then check_list(into, %q) end'):format(f.name)
    end
    local function say(...) out[#out + 1] = '    ' .. (...):format(select(2, ...)) end
    local self, owner = class ~= 'Module', f.bound and (class == 'World' and 'self' or 'self[1]') or 'nil'
    out[1] = ('function %s%s%s(%s)'):format(class, self and ':' or '.', name, table.concat(parameters, ', '))
    local function finish()
        local text = table.concat(out, '\n'):gsub('%f[%w_]owner%f[^%w_]', owner)
        return text .. '\nend' .. (f.bound and ('\njit.off(%s.%s)'):format(class, name) or '') -- compiled code must not call C that calls back
    end
    if f.bound then say('local pointer = pointer_of(self, %s, %q)', class, f.name)
    elseif self then say('check_self(self, %s, %q)', class, f.name) end
    for _, line in ipairs(lines) do say('%s', line) end
    for i, output in ipairs(outputs) do say('local place_%d = place(%q, %d, %d)', i, output.struct, i, output.count or 1) end
    if call[2] == 'self[4]' and f.result ~= 'pv_status' then
        say('if not C.pv_%s_is_valid(pointer, self[4]) then stale(%q, %q) end', f.noun, f.name, f.noun)
    end
    if error then call[#call + 1] = 'failure.error' end
    if element then
        local words = ('C.%s(%s, room.data, room.capacity)'):format(f.name, table.concat(call, ', '))
        say('local room = room(%q, 64)', element)
        say('local count = %s', words)
        say('if count > room.capacity then room = grow(%q, count) count = %s end', element, words)
        say('if failure.message then refuse() end')
        say('return collect(room, count, %q, owner, into)', element)
        return finish()
    end
    if f.bound and f.arguments[1].type == 'pv_world *' then say('owner.fresh = false') end
    say('local result = %s.%s(%s)', by_place(f.result) and 'large' or 'C', f.name, table.concat(call, ', '))
    if f.result == 'pv_status' then say('if result ~= 0 then refuse(result, %q) end', f.name)
    elseif error and f.result:find '%*$' then say('if result == nil then refuse_error() end')
    elseif error then say('if failure.error.status ~= 0 then refuse_error() end')
    elseif f.bound then say('if failure.message then refuse() end') end
    if f.result == 'bool' and #outputs > 0 then say('if not result then return nil end') end
    if values ~= '' then say('return %s', values) end
    return finish()
end

local function sorted(t)
    local keys = {}
    for key in pairs(t) do keys[#keys + 1] = key end
    table.sort(keys)
    return ipairs(keys)
end

print '-- Generated from the public headers by bind.lua.'
print 'local api = {}'
print(('api.version = %q'):format(version))
print('api.cdef = [[\n' .. table.concat(declarations, '\n') .. '\n]]')
print 'api.enums = {'
for _, name in sorted(enums) do
    local words = {}
    for i, word in ipairs(enums[name]) do words[i] = ('[%q] = %d'):format(word[1], word[2]) end
    print(('    %s = { %s },'):format(name, table.concat(words, ', ')))
end
print '}\napi.structs = {'
for _, name in sorted(structs) do
    local members = {}
    for i, member in ipairs(structs[name]) do members[i] = ('{ %q, %q }'):format(member[1], member[2]) end
    print(('    %s = { %s },'):format(name, table.concat(members, ', ')))
end
print '}\napi.constants = {'
for _, name in sorted(constants) do print(('    %s = %d,'):format(name, constants[name])) end
print '}\n-- Functions that return a struct, by the struct and their arguments.\napi.large = {'
for _, f in ipairs(functions) do
    if by_place(f.result) then print(('    %s = { %q, %q },'):format(f.name, f.result, f.text)) end
end
print '}\n-- Functions that return the default of a struct.\nfunction api.defaults(C)\nreturn {'
for _, struct in sorted(defaults) do print(('    %s = C.%s,'):format(struct, defaults[struct])) end
print '}\nend\nfunction api.define(env)\nsetfenv(1, env)'
for _, f in ipairs(functions) do
    local text = maker(f) or lister(f) or validator(f) or method(f)
    if text then print(text) end
end
print 'end\nreturn api'
