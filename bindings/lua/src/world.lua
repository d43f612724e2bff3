--[[ world.lua - worlds: creation, time, callbacks and snapshots.

Invariant: a step has a fixed length. Poses of the last two steps are kept for drawing between them.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local errors, handles = require 'pixverlet.errors', require 'pixverlet.handles'
local structs, poses, events = require 'pixverlet.structs', require 'pixverlet.poses', require 'pixverlet.events'
local C = require('pixverlet.loader').C
local classes, pointer_of = handles.classes, handles.pointer_of
local World = classes.World
local failure = errors.failure

local worlds = {}

local world_destroy = C.pv_world_destroy

-- Splits this module's own options from members of pv_world_def.
local function set_clock(clock, options, fn)
    clock.step, clock.max_steps = 1 / 60, 5
    for _, name in ipairs { 'step', 'max_steps' } do
        local value = options[name]
        if value ~= nil then
            errors.finite(value, fn, name)
            if value <= 0 then errors.wrong(value, fn, name, 'more than 0') end
            clock[name] = value
        end
    end
end

-- Creates a pool for a number of workers, 0 for one per processor; nil for one worker.
local function new_pool(workers)
    errors.integer(workers, 'pv_task_pool_create', 'workers')
    if workers == 1 then return nil end
    local pool = C.pv_task_pool_create(workers, failure.error)
    if pool == nil then errors.refuse_error() end
    return pool
end

-- Returns the finalizer of a world, which destroys its pool after it.
local function finalizer(pool)
    if pool == nil then return world_destroy end
    return function(pointer)
        world_destroy(pointer)
        C.pv_task_pool_destroy(pool)
    end
end

local own_options = { step = true, max_steps = true, workers = true }

--- Creates a world. The options are `step`, `max_steps`, `workers` and members of pv_world_def.
function worlds.new_world(gravity_x, gravity_y, options)
    local fn = 'pv_world_create'
    local def = C.pv_world_def_default()
    local clock, members = ffi.new 'pv_clock', {}
    if gravity_x ~= nil then
        errors.number(gravity_x, fn, 'def.gravity.x')
        errors.number(gravity_y, fn, 'def.gravity.y')
        def.gravity.x, def.gravity.y = gravity_x, gravity_y
    end
    if options ~= nil and type(options) ~= 'table' then errors.wrong(options, fn, 'options', 'a table') end
    set_clock(clock, options or {}, fn)
    for name, value in pairs(options or {}) do
        if not own_options[name] then members[name] = value end
    end
    structs.fill(def, 'pv_world_def', members, nil, fn, 'def')
    def.report_callback = errors.report
    local workers = options and options.workers
    local pool = new_pool(workers == nil and 1 or workers)
    C.pv_task_pool_attach(pool, def)
    local pointer = C.pv_world_create(def, failure.error)
    if pointer == nil then
        C.pv_task_pool_destroy(pool)
        errors.refuse_error()
    end
    local world = setmetatable({ clock = clock, callbacks = {}, populations = {}, previous = poses.new(), current = poses.new(), alpha = 1, fresh = false,
        objects = handles.new_tables(), body_count = 0 }, World)
    world.pointer, world.pool = ffi.gc(pointer, finalizer(pool)), pool
    return world
end
jit.off(worlds.new_world)

--- Destroys the world and all in it; calls on its objects are refused from now on.
function World:destroy()
    local pointer = pointer_of(self, World, 'pv_world_destroy')
    if self.stepping then errors.raise('pv_world_destroy: the world is in a step') end
    events.forget_callbacks(self)
    local pool = self.pool
    self.pointer, self.pool = nil, nil
    finalizer(pool)(ffi.gc(pointer, nil))
end

--- Returns the number of threads that take part in a step.
function World:getWorkers()
    pointer_of(self, World, 'World:getWorkers')
    local def = C.pv_world_def_default()
    C.pv_task_pool_attach(self.pool, def)
    return def.worker_count
end

--- Sets the number of threads that take part in a step; 0 for one per processor.
function World:setWorkers(workers)
    local pointer = pointer_of(self, World, 'pv_world_set_workers')
    local pool, before, def = new_pool(workers), self.pool, C.pv_world_def_default()
    C.pv_task_pool_attach(pool, def)
    local status = C.pv_world_set_workers(pointer, def)
    if status ~= 0 then
        C.pv_task_pool_destroy(pool)
        errors.refuse(status, 'pv_world_set_workers')
    end
    self.pool = pool
    ffi.gc(pointer, finalizer(pool))
    C.pv_task_pool_destroy(before)
end
jit.off(World.setWorkers)

-- Forgets bodies that the world no longer has; split bodies may not be known here.
local function sweep(world)
    local pointer, bodies, count = world.pointer, world.objects.body, 0
    if world.body_count == C.pv_world_get_poses(pointer, C.PV_POSES_DISABLED, nil, 0) then return end
    for key, body in pairs(bodies) do
        if C.pv_body_is_valid(pointer, body[4]) then count = count + 1 else bodies[key] = nil end
    end
    world.body_count = count
end

local function step(self, pointer)
    self.previous, self.current = self.current, self.previous
    self.stepping = true
    local status = C.pv_world_step(pointer, self.clock.step)
    self.stepping = false
    poses.read(self.current, pointer)
    self.fresh = status == 0
    if status ~= 0 or failure.message then errors.refuse(status, 'pv_world_step') end
    events.dispatch(self)
    if self.pointer then sweep(self) end
end

--- Advances the world by one step, and calls the callbacks. Drawing then shows the end of this step.
function World:step()
    self.alpha = 1
    step(self, pointer_of(self, World, 'pv_world_step'))
end

--- Advances the world by the steps that are due after a time, and returns their number.
function World:update(dt)
    pointer_of(self, World, 'World:update')
    errors.finite(dt, 'World:update', 'dt')
    local due = C.pv_clock_advance(self.clock, dt)
    for _ = 1, due do
        if not self.pointer then break end
        step(self, self.pointer)
    end
    self.alpha = self.clock.accumulator / self.clock.step
    return due
end
jit.off(step)
jit.off(World.step)
jit.off(World.update)

--- Returns the fraction between the last two steps at which to draw, 0 to 1.
function World:getAlpha() return self.alpha end

function World:isDestroyed() return self.pointer == nil end

local changed = poses.new()
--- Returns a list of all enabled bodies and their centers of mass, as body, x, y for each.
function World:getPositions(list)
    local pointer = pointer_of(self, World, 'pv_world_get_poses')
    list = errors.check_list(list, 'pv_world_get_poses')
    local set, bodies = self.current, self.objects.body
    if not self.fresh then
        set = changed
        poses.read(set, pointer)
    end
    for at = 0, set.count - 1 do
        local n = 3 * at
        list[n + 1] = bodies[handles.key_of(poses.id(set, at))] or handles.object(self, 'body', set.list[at].body)
        list[n + 2], list[n + 3] = poses.center(set, at)
    end
    for i = #list, 3 * set.count + 1, -1 do list[i] = nil end
    return list
end

--- Returns a list of all bodies, including disabled ones.
function World:getBodies(list)
    local pointer = pointer_of(self, World, 'World:getBodies')
    list = errors.check_list(list, 'World:getBodies')
    local bodies = self.objects.body
    poses.read(changed, pointer, C.PV_POSES_DISABLED)
    for at = 0, changed.count - 1 do
        list[at + 1] = bodies[handles.key_of(poses.id(changed, at))] or handles.object(self, 'body', changed.list[at].body)
    end
    for i = #list, changed.count + 1, -1 do list[i] = nil end
    return list
end

local floats, float_capacity = nil, 0
--- Writes the positions of all particles to a list for love.graphics.points(), alternating x and y, and returns it.
function World:getParticlePositions(list)
    local pointer = pointer_of(self, World, 'pv_world_get_particle_positions')
    list = errors.check_list(list, 'pv_world_get_particle_positions')
    local count = C.pv_world_get_particle_positions(pointer, floats, float_capacity)
    if count > float_capacity then
        floats, float_capacity = ffi.new('float[?]', 4 * count), 2 * count
        C.pv_world_get_particle_positions(pointer, floats, float_capacity)
    end
    for i = 1, 2 * count do list[i] = floats[i - 1] end
    for i = #list, 2 * count + 1, -1 do list[i] = nil end
    return list
end

--- Returns the whole state as a string, with the pixels of all bodies.
function World:save()
    local pointer = pointer_of(self, World, 'pv_world_save')
    local size, buffer = ffi.new('size_t[1]'), nil
    local status = C.pv_world_save(pointer, C.PV_SNAPSHOT_PIXELS, nil, 0, size)
    if status == 0 then
        buffer = ffi.new('char[?]', size[0])
        status = C.pv_world_save(pointer, C.PV_SNAPSHOT_PIXELS, buffer, size[0], nil)
    end
    if status ~= 0 then errors.refuse(status, 'pv_world_save') end
    return ffi.string(buffer, size[0])
end

-- Pictures follow the restored pixels; sprites stay with the bodies that Lua knows.
local function renew(world)
    poses.read(world.previous, world.pointer)
    poses.read(world.current, world.pointer)
    world.fresh, world.alpha, world.clock.accumulator = true, 1, 0
    for _, body in pairs(world.objects.body) do
        local look = handles.look_of(body)
        look.picture, look.carved, look.scale_x = nil, true, nil
    end
end

--- Restores the state from a string of save(), made by this or any other build.
function World:restore(snapshot)
    local pointer = pointer_of(self, World, 'pv_world_restore')
    if type(snapshot) ~= 'string' then errors.wrong(snapshot, 'pv_world_restore', 'snapshot', 'a string') end
    local status = C.pv_world_restore(pointer, snapshot, #snapshot)
    if status ~= 0 then errors.refuse(status, 'pv_world_restore') end
    renew(self)
end

--- Returns the hash of all state, as 16 hexadecimal digits.
function World:hash()
    local hash = C.pv_world_compute_hash(pointer_of(self, World, 'pv_world_compute_hash'))
    return ('%08x%08x'):format(tonumber(hash / 2 ^ 32), tonumber(hash % 2 ^ 32))
end
for _, name in ipairs { 'getBodies', 'getParticlePositions', 'save', 'restore', 'hash' } do jit.off(World[name]) end

return worlds
