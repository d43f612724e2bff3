--[[ bind.lua - writes what Lua needs of the public headers: declarations, words of enums, members
of structs, and a method for each function whose values are plain.

Invariant: no name of a function, struct or member stands here, except those that Lua code of src/
serves otherwise.

Usage: luajit bind.lua CDEF VERSION

SPDX-License-Identifier: Zlib ]]

local file, version = arg[1], arg[2]

-- Nouns of functions, and the classes whose methods they become. The longest noun comes first.
local nouns = { 'force_field', 'composite', 'particle', 'polygon', 'grains', 'liquid', 'joint', 'world', 'body', 'mask' }
local handles = { body = 1, composite = 1, force_field = 1, grains = 1, joint = 1, liquid = 1, particle = 1, polygon = 1 }

-- Functions that src/ serves otherwise.
local manual = {}
for name in ([[
    pv_world_create pv_world_destroy pv_world_step pv_world_compute_hash pv_world_get_next_body pv_world_get_next_particle
    pv_world_get_next_joint pv_world_get_next_polygon pv_world_get_next_composite pv_world_discard_snapshots pv_world_get_allocator
    pv_world_get_events pv_world_get_snapshot_size pv_world_get_poses pv_body_create pv_body_get_position pv_body_get_mask pv_body_set_mask
    pv_body_get_placed pv_body_get_def pv_body_move_to pv_mask_release pv_grains_get_view pv_liquid_get_particle_count]]):gmatch '%S+' do manual[name] = true end

local scalars = { double = 'number', int = 'integer', int32_t = 'integer', unsigned = 'natural', uint32_t = 'natural', pv_color = 'natural',
    bool = 'truth' }
-- Structs whose members a method takes or returns one by one.
local flat = { pv_vec2 = { 'x', 'y' }, pv_rotation = { 'c', 's' }, pv_point = { 'x', 'y' }, pv_rect = { 'x', 'y', 'w', 'h' },
    pv_filter = { 'category_bits', 'mask_bits', 'group_index' }, pv_box = { 'min.x', 'min.y', 'max.x', 'max.y' } }

local declarations, functions, enums, structs = {}, {}, {}, {}

local function camel(name) return (name:gsub('_(%w)', string.upper)) end
local function class_name(noun) return camel('_' .. noun) end

-- Words of an enum without what all of them begin with: PV_BODY_STATIC is 'static'.
local function read_enum(name, text)
    local names, values, value, prefix = {}, {}, -1, nil
    for constant, given in text:gmatch '([A-Z][A-Z0-9_]*)%s*=?%s*(%-?%d*)' do
        value = tonumber(given) or value + 1
        names[#names + 1], values[#values + 1] = constant, value
        prefix = prefix or constant
        while constant:sub(1, #prefix) ~= prefix do prefix = prefix:sub(1, -2) end
    end
    prefix = prefix:match '^.*_'
    local words = {}
    for i, constant in ipairs(names) do words[i] = { constant:sub(#prefix + 1):lower(), values[i] } end
    enums[name] = words
end

-- Splits `double x, y` into members; pointers keep their star in the type.
local function read_members(text)
    local members = {}
    for member in text:gmatch '%s*([^;]+);' do
        if not member:find '[%(%[]' then
            local first, others = member:match '^([^,]*),(.*)$'
            local base, list = (first or member):match '^(.*[%w_]) (%**[%w_]+)$'
            if others then list = list .. ',' .. others end
            for star, name in list:gmatch '(%**)([%w_]+)' do members[#members + 1] = { name, base .. (star == '' and '' or ' ' .. star) } end
        end
    end
    return members
end

local function read_arguments(text)
    local arguments = {}
    for argument in text:gmatch '[^,]+' do
        local type, name = argument:match '^%s*(.-)%s*([%w_]+)$'
        if not type then type, name = argument, 'list' end
        arguments[#arguments + 1] = { name = name, type = type }
    end
    return arguments
end

for line in io.lines(file) do
    declarations[#declarations + 1] = line
    local struct, members = line:match '^typedef struct ([%w_]+) {(.*)} [%w_]+;$'
    local result, name, arguments = line:match '^([%w_ ]-%**)(pv_[%w_]+)%((.*)%);$'
    local enum = line:match '^enum {(.*)};$'
    if struct then structs[struct] = read_members(members)
    elseif enum then
        local typedef = declarations[#declarations - 1]:match '^typedef int ([%w_]+);$'
        if typedef then read_enum(typedef, enum) end
    elseif result and not line:find '^typedef' then
        functions[#functions + 1] = { name = name, result = result:match '^(.-)%s*$', arguments = read_arguments(arguments) }
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

-- Writes how a method takes one argument of a function: names of parameters, lines before the call, and the value in the call.
local function take(fn, argument, scratch)
    local name, type = argument.name, argument.type
    if name == 'end' then name = 'end_' end
    if scalars[type] then
        return { name }, { ('%s(%s, %q, %q)'):format(scalars[type], name, fn, name) }, name
    elseif enums[type] then
        return { name }, { ('local %s_value = choice(%s, enums.%s, %q, %q)'):format(name, name, type, fn, name) }, name .. '_value'
    elseif id_noun(type) then
        return { name }, { ('local %s_id = id_of(%s, %s, owner, %q, %q)'):format(name, name, class_name(id_noun(type)), fn, name) }, name .. '_id'
    elseif type == 'pv_anchor' then
        local place = ('%s_%d'):format(type, scratch(type))
        return { name, name .. '_x', name .. '_y' }, { ('set_anchor(%s, %s, %s_x, %s_y, owner, %q, %q)'):format(place, name, name, name, fn, name) }, place
    elseif type == 'const pv_mask *' or type == 'pv_mask *' then
        return { name }, { ('local %s_pointer = mask_of(%s, %q, %q)'):format(name, name, fn, name) }, name .. '_pointer'
    elseif type == 'const pv_query_filter *' then
        return { name }, { ('local %s_pointer = filter_of(%s, owner, %q)'):format(name, name, fn) }, name .. '_pointer'
    elseif type == 'const pv_placed *' then
        return { name, 'x', 'y', 'angle' }, { ('local place = placed_of(%s, x, y, angle, %q, %q)'):format(name, fn, name) }, 'place'
    elseif flat[type] then
        local place, names, lines = ('%s_%d'):format(type, scratch(type)), {}, {}
        local kinds = {}
        for _, member in ipairs(structs[type]) do kinds[member[1]] = scalars[member[2]] end
        for i, member in ipairs(flat[type]) do
            local parameter = #flat[type] == 2 and (name .. '_' .. member) or member:gsub('%.', '_')
            names[i] = parameter
            lines[i] = ('%s(%s, %q, %q) %s.%s = %s'):format(kinds[member] or 'number', parameter, fn, name .. '.' .. member, place, member, parameter)
        end
        return names, lines, place
    end
end

-- Writes what a method returns for the result of a function.
local function give(result)
    if scalars[result] or result == 'float' then return 'result' end
    if result == 'int64_t' or result == 'uint64_t' or result == 'size_t' then return 'tonumber(result)' end
    if enums[result] then return ('words.%s[result]'):format(result) end
    if id_noun(result) then return ('object(self, %q, result)'):format(id_noun(result)) end
    if flat[result] then
        local members = {}
        for i, member in ipairs(flat[result]) do members[i] = 'result.' .. member end
        return table.concat(members, ', ')
    end
    if structs[result] then return ('read(result, %q, self)'):format(result) end
end

-- Splits off the list and the capacity that end the arguments of a function with many results.
local function split_list(f, arguments)
    local n = #arguments
    if f.result ~= 'int' or n < 2 or arguments[n].name ~= 'capacity' then return end
    local element = arguments[n - 1].type:match '^(pv_[%w_]+) %*$'
    if not element or not structs[element] then return end
    arguments[n], arguments[n - 1] = nil, nil
    return element
end

-- Writes World:newRope() for pv_rope_create() and the like.
local function maker(f)
    local noun = f.name:match '^pv_([%w_]+)_create$'
    if not noun or noun == 'body' or noun == 'world' or not f.result:find '_id$' or f.arguments[2].type ~= 'const pv_' .. noun .. '_def *' then return end
    return ('function World:%s(options) return create(self, %q, %q, options) end\njit.off(World.%s)'):format(camel('new_' .. noun), noun,
        id_noun(f.result), camel('new_' .. noun))
end

local function method(f)
    local noun, rest = noun_of(f.name)
    if not noun or manual[f.name] or rest:find 'user_data' or rest:find '_default$' or rest:find '^def_' then return end
    if handles[noun] and rest:find '^is_valid' then return end
    local arguments = { unpack(f.arguments) }
    local first = table.remove(arguments, 1)
    local class, name, call = class_name(noun), camel(rest), {}
    if not first then return end
    local makes = noun == 'joint' and rest:match '^create_(%w+)'
    local changes = first.type == 'pv_world *'
    if first.type:find 'pv_world %*$' then
        call[1] = 'pointer'
        if handles[noun] and not makes then
            local id = table.remove(arguments, 1)
            if not id or id.type ~= 'pv_' .. noun .. '_id' then return end
            call[2] = 'self.id'
        elseif makes then class, name = 'World', camel('new_' .. rest:match '^create_(.*)' .. '_joint')
        end
    elseif noun == 'mask' and first.type:find 'pv_mask %*$' then call[1] = 'self.pointer'
    else return end
    local parameters, lines, used = {}, {}, {}
    local function scratch(type)
        used[type] = (used[type] or 0) + 1
        return used[type] - 1
    end
    local element = split_list(f, arguments)
    local error = arguments[#arguments] and arguments[#arguments].type == 'pv_error *' and table.remove(arguments)
    for _, argument in ipairs(arguments) do
        local names, checks, value = take(f.name, argument, scratch)
        if not names then return end
        for _, n in ipairs(names) do parameters[#parameters + 1] = n end
        for _, n in ipairs(checks) do lines[#lines + 1] = n end
        call[#call + 1] = value
    end
    local out = {}
    local function say(...) out[#out + 1] = '    ' .. (...):format(select(2, ...)) end
    out[1] = ('function %s:%s(%s)'):format(class, name, table.concat(parameters, ', '))
    local bound = noun ~= 'mask'
    if bound then say('local pointer = pointer_of(self, %s, %q)', class, f.name) else say('check_self(self, Mask, %q)', f.name) end
    for _, line in ipairs(lines) do say('%s', (line:gsub('%f[%w]owner%f[%W]', class == 'World' and 'self' or 'self.world'))) end
    if bound and call[2] == 'self.id' and f.result ~= 'pv_status' then
        say('if not C.pv_%s_is_valid(pointer, self.id) then stale(%q, %q) end', noun, f.name, noun)
    end
    if error then call[#call + 1] = 'failure.error' end
    local owner = class == 'World' and 'self' or 'self.world'
    if element then
        say('local list, capacity = room(%q, 64)', element)
        local words = ('C.%s(%s, list, capacity)'):format(f.name, table.concat(call, ', '))
        say('local count = %s', words)
        say('if count > capacity then list, capacity = room(%q, count); count = %s end', element, words)
        say('if failure.message then refuse() end')
        say('return collect(list, count, %q, %s)', element, owner)
        return table.concat(out, '\n') .. ('\nend\njit.off(%s.%s)'):format(class, name)
    end
    if bound and changes then say('%s.fresh = false', owner) end
    say('local result = C.%s(%s)', f.name, table.concat(call, ', '))
    if f.result == 'pv_status' then say('if result ~= 0 then refuse(result, %q) end', f.name)
    elseif f.result == 'pv_mask *' and error then
        say('if result == nil then refuse_error() end')
        say('return own_mask(result)')
    else
        if bound then say('if failure.message then refuse() end') end
        local value = give(f.result)
        if not value then return end
        if class ~= 'World' then value = value:gsub('object%(self,', 'object(self.world,'):gsub(', self%)$', bound and ', self.world)' or ')') end
        say('return %s', value)
    end
    out[#out + 1] = 'end'
    if bound then out[#out + 1] = ('jit.off(%s.%s)'):format(class, name) end
    return table.concat(out, '\n')
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
print '}\nfunction api.define(env)\nsetfenv(1, env)'
for _, f in ipairs(functions) do
    local text = maker(f) or method(f)
    if text then print(text) end
end
print 'end\nreturn api'
