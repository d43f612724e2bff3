--[[ test_surface.lua - the module reaches each public function, or a reason is given here.

SPDX-License-Identifier: Zlib ]]

local pixverlet = require 'pixverlet'
local support = require 'support'
local tests = {}

-- Names of functions, as patterns, and what replaces them.
local reasons = {
    ['^pv_paper_'] = 'paper.h is for papers and their measurements; the module does not declare it',
    ['_user_data$'] = 'objects of Lua are tables, which hold any data of a game',
    ['^pv_body_get_position$'] = 'Body:getPosition() reads the poses of the step, or pv_body_get_def(), without a new object',
    ['^pv_body_get_velocity$'] = 'Body:getVelocity() reads pv_body_get_def(), without a new object',
    ['^pv_body_get_filter$'] = 'Body:getFilter() reads pv_body_get_def(), without a new object',
    ['^pv_body_def_at$'] = 'World:newBody() takes the kind',
    ['^pv_error_print$'] = 'errors are raised',
    ['^pv_world_set_report_callback$'] = 'the report hook raises the errors of Lua',
    ['^pv_world_get_next_body$'] = 'World:getBodies()',
    ['^pv_pose_lerp$'] = 'Body:getPose() and Body:getDrawPosition() do so in compiled code',
    ['^pv_map_objects_'] = 'lists in memory of C; a reader of JSON in Lua has the same members',
    ['^pv_mask_get_words$'] = 'memory of C; Mask:toBits() and Mask:serialize() copy it',
    ['^pv_mask_from_pixels$'] = 'memory of C; maskFromRgba() takes bytes and ImageData',
    ['_changes$'] = 'a base in memory of C; World:save() and World:restore() take all',
}

local function lines(path)
    local list = {}
    for line in io.lines(path) do list[#list + 1] = line end
    return list
end

-- Names of the functions that the module calls; its declarations call nothing.
local function called()
    local file = assert(io.open(support.build .. '/lua/pixverlet.lua'))
    local text, names = file:read('*a'):gsub('api%.cdef = %[%[.-%]%]', ''), {}
    file:close()
    for name in text:gmatch '%f[%w_]C%.(pv_[%w_]+)' do names[name] = true end
    for name in text:gmatch '%f[%w_]large%.(pv_[%w_]+)' do names[name] = true end
    return names
end

tests['each public function is called, or has a reason'] = function()
    local names, used, count, exports = called(), {}, 0, lines(support.source .. '/tests/exports.txt')
    for _, name in ipairs(exports) do
        local reason
        for pattern in pairs(reasons) do
            if name:find(pattern) then reason, used[pattern] = pattern, true end
        end
        if names[name] then count = count + 1 end
        assert(names[name] or reason, name .. ' is neither bound nor listed here')
        assert(not (names[name] and reason), name .. ' is bound: its reason has to go')
    end
    for pattern in pairs(reasons) do assert(used[pattern], pattern .. ' is the name of no function') end
    assert(count > 0.88 * #exports, ('%d functions are called'):format(count))
end

tests['methods that take the place of a function exist'] = function()
    local world = support.room()
    local body = world:newBody(pixverlet.newMask(8, 8, true), 10, 10)
    local objects = { World = world, Body = body, Mask = body:getMask() }
    for _, reason in pairs(reasons) do
        for class, method in reason:gmatch '(%u%l+):(%a+)%(%)' do assert(objects[class][method], class .. ':' .. method) end
    end
end

return tests
