--[[ events.lua - passes the events of a step to the game's callbacks, and runs callbacks of the step.

Invariant: the game's callbacks run outside of C, except `filter`, `presolve` and `inherit`. An error
in these is raised after the call that led to it.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local api, errors, handles = require 'pixverlet.api', require 'pixverlet.errors', require 'pixverlet.handles'
local structs = require 'pixverlet.structs'
local C = require('pixverlet.loader').C
local World, object = handles.classes.World, handles.object

local events = {}

-- ---- Pictures follow splits and changed pixels

local all -- the events of the last step

local function follow_splits(world)
    for i = 0, all.split_count - 1 do
        local split = all.splits[i]
        local parent, child = object(world, 'body', split.parent), object(world, 'body', split.child)
        local look, from = handles.look_of(child), handles.look_of(parent)
        look.sprite, look.carved = from.sprite, true
        look.offset_x, look.offset_y = (from.offset_x or 0) + split.x, (from.offset_y or 0) + split.y
        child.parent = parent
    end
end

-- The rectangle grows until the next drawing.
local function mark(look, rect)
    look.carved = true
    if not look.dirty_w then
        look.dirty_x, look.dirty_y, look.dirty_w, look.dirty_h = rect.x, rect.y, rect.w, rect.h
        return
    end
    local x, y = math.min(look.dirty_x, rect.x), math.min(look.dirty_y, rect.y)
    look.dirty_w = math.max(look.dirty_x + look.dirty_w, rect.x + rect.w) - x
    look.dirty_h = math.max(look.dirty_y + look.dirty_h, rect.y + rect.h) - y
    look.dirty_x, look.dirty_y = x, y
end

local function follow_dirt(world)
    for i = 0, all.dirty_rect_count - 1 do
        local dirt = all.dirty_rects[i]
        mark(handles.look_of(object(world, 'body', dirt.body)), dirt.rect)
    end
end

-- ---- Callbacks of the game

local function pair(first, second)
    return function(world, event, call) call(object(world, 'body', event[first]), object(world, 'body', event[second])) end
end
local function body(world, id, call) call(object(world, 'body', id)) end

-- For each callback: the list and the count of its events, and the function that calls it with one of them.
local kinds = {
    beginContact = { 'contact_begins', 'contact_begin_count', pair('a', 'b') },
    endContact = { 'contact_ends', 'contact_end_count', pair('a', 'b') },
    hit = { 'hits', 'hit_count', function(world, e, call)
        call(object(world, 'body', e.a), object(world, 'body', e.b), e.point.x, e.point.y, e.normal.x, e.normal.y, e.speed, e.impulse)
    end },
    beginSensor = { 'sensor_begins', 'sensor_begin_count', pair('sensor', 'visitor') },
    endSensor = { 'sensor_ends', 'sensor_end_count', pair('sensor', 'visitor') },
    sleep = { 'sleeps', 'sleep_count', body },
    wake = { 'wakes', 'wake_count', body },
    outOfBounds = { 'out_of_bounds', 'out_of_bounds_count', body },
    jointBreak = { 'joint_breaks', 'joint_break_count', function(world, e, call)
        call(object(world, 'joint', e.joint), e.force, e.point.x, e.point.y, e.carved)
    end },
    split = { 'splits', 'split_count', pair('parent', 'child') },
    dirty = { 'dirty_rects', 'dirty_rect_count', function(world, e, call)
        call(object(world, 'body', e.body), e.rect.x, e.rect.y, e.rect.w, e.rect.h)
    end },
    crush = { 'crushes', 'crush_count', function(world, e, call)
        call(object(world, 'body', e.body), object(world, 'body', e.by), e.depth, e.begins)
    end },
    release = { 'releases', 'release_count', body },
}
local order = { 'beginContact', 'hit', 'endContact', 'beginSensor', 'endSensor', 'jointBreak', 'split', 'dirty', 'crush', 'release', 'outOfBounds',
    'sleep', 'wake' }

-- Copies events first, since a callback may step another world, or change this one.
local function gather(world, kind, calls)
    local call = world.callbacks[kind]
    local list, count = all[kinds[kind][1]], all[kinds[kind][2]]
    if not call or count == 0 then return end
    for i = 0, count - 1 do
        kinds[kind][3](world, list[i], function(...) calls[#calls + 1] = { call, ... } end)
    end
end

local none = {}
--- Updates pictures after a step, and calls the callbacks of its events.
function events.dispatch(world)
    all = structs.large.pv_world_get_events(world.pointer).data
    if all.split_count > 0 then follow_splits(world) end
    if all.dirty_rect_count > 0 then follow_dirt(world) end
    local calls = none
    for i = 1, #order do
        local kind = order[i]
        if world.callbacks[kind] and all[kinds[kind][2]] > 0 then
            if calls == none then calls = {} end
            gather(world, kind, calls)
        end
    end
    for i = 1, #calls do calls[i][1](unpack(calls[i], 2, 9)) end
end

-- ---- Callbacks of the step

local by_address = setmetatable({}, { __mode = 'v' })
local function address(pointer) return tonumber(ffi.cast('uintptr_t', pointer)) end
-- An id of eight bytes is passed as a number of that size on 64-bit machines. Arithmetic takes it apart: compiled code may
-- read an id through a pointer of another type before the number is written.
local half = 2 ^ 32 + 0ULL
local function body_of(world, bits) return handles.object_at(world, 'body', tonumber(bits % half), tonumber(bits / half)) end

--- Calls a function of the game from C, and keeps its error until the call ends.
local function ask(default, call, ...)
    local good, answer = pcall(call, ...)
    if good then return answer end
    errors.failure.message = errors.failure.message or tostring(answer)
    return default
end

events.ask, events.body_of = ask, body_of

local function on_filter(_, pointer, a, b)
    local world = by_address[address(pointer)]
    if not world then return true end
    return ask(true, world.callbacks.filter, body_of(world, a), body_of(world, b)) ~= false
end

local results = api.enums.pv_presolve_result
local function on_presolve(_, pointer, contact)
    local world = by_address[address(pointer)]
    if not world then return 0 end
    return results[ask('collide', world.callbacks.presolve, object(world, 'body', contact.a), object(world, 'body', contact.b), contact)] or 0
end

-- Runs before the callbacks of the step that created the child.
local function on_split(_, pointer, parent, child)
    local world = by_address[address(pointer)]
    if world then ask(nil, world.callbacks.inherit, body_of(world, parent), body_of(world, child)) end
    return nil
end

-- For each callback: the function that sets it, its type, and the callback itself.
local hooks = {
    filter = { 'pv_world_set_filter_callback', C.pv_world_set_filter_callback, 'pv_filter_fn',
        ffi.cast('bool (*)(void *, const pv_world *, uint64_t, uint64_t)', on_filter) },
    presolve = { 'pv_world_set_presolve_callback', C.pv_world_set_presolve_callback, 'pv_presolve_fn',
        ffi.cast('int (*)(void *, const pv_world *, pv_presolve_contact *)', on_presolve) },
    inherit = { 'pv_world_set_split_callback', C.pv_world_set_split_callback, 'pv_split_fn',
        ffi.cast('void *(*)(void *, const pv_world *, uint64_t, uint64_t)', on_split) },
}

local function set_hook(world, kind, call)
    by_address[address(world.pointer)] = world
    local fn, set, type, hook = unpack(hooks[kind])
    local status = set(world.pointer, call and ffi.cast(type, hook) or nil, nil)
    if status ~= 0 then errors.refuse(status, fn) end
end

--- Sets callbacks by name; false removes one. docs/LUA.md lists them.
function World:setCallbacks(callbacks)
    local fn = 'World:setCallbacks'
    handles.pointer_of(self, World, fn)
    if type(callbacks) ~= 'table' then errors.wrong(callbacks, fn, 'callbacks', 'a table') end
    for name, call in pairs(callbacks) do
        if not kinds[name] and not hooks[name] then errors.raise(('%s: there is no callback %s'):format(fn, tostring(name))) end
        if call ~= false and type(call) ~= 'function' then errors.wrong(call, fn, name, 'a function or false') end
    end
    for name, call in pairs(callbacks) do
        if hooks[name] then set_hook(self, name, call) end
        self.callbacks[name] = call or nil
    end
end
jit.off(World.setCallbacks)

--- Stops calls from C to the callbacks of a world.
function events.forget_callbacks(world) by_address[address(world.pointer)] = nil end

-- ---- Filters of queries

local accept
local accept_filter = ffi.new 'pv_query_filter'
local function on_accept(_, bits)
    return ask(false, accept.call, body_of(accept.world, bits)) and true or false
end
local accept_hook = ffi.cast('bool (*)(void *, uint64_t)', on_accept)

--- Fills in the filter of a query: nil, or a table of mask_bits, include_sensors and accept.
function events.filter_of(filter, world, fn)
    if filter == nil then return nil end
    if type(filter) ~= 'table' then errors.wrong(filter, fn, 'filter', 'a table') end
    accept_filter.mask_bits, accept_filter.include_sensors, accept_filter.accept = 0xffffffff, false, nil
    for name, value in pairs(filter) do
        if name == 'mask_bits' then errors.natural(value, fn, 'filter.mask_bits') accept_filter.mask_bits = value
        elseif name == 'include_sensors' then errors.truth(value, fn, 'filter.include_sensors') accept_filter.include_sensors = value
        elseif name ~= 'accept' then errors.raise(('%s: filter has no member %s'):format(fn, tostring(name))) end
    end
    if filter.accept ~= nil then
        if type(filter.accept) ~= 'function' then errors.wrong(filter.accept, fn, 'filter.accept', 'a function') end
        accept = { call = filter.accept, world = world }
        accept_filter.accept = ffi.cast('bool (*)(void *, pv_body_id)', accept_hook)
    end
    return accept_filter
end

return events
