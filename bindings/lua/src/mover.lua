--[[ mover.lua - platform characters.

Invariant: a mover keeps its mask alive. Members of pv_mover can be read by name.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local api, errors, handles = require 'pixverlet.api', require 'pixverlet.errors', require 'pixverlet.handles'
local structs, events = require 'pixverlet.structs', require 'pixverlet.events'
local C = require('pixverlet.loader').C
local classes, number = handles.classes, errors.number
local World, Mover = classes.World, classes.Mover

local velocity = ffi.new 'pv_vec2'
local plain = { bool = true, double = true, int = true }
local kinds = {}
for _, member in ipairs(api.structs.pv_mover) do kinds[member[1]] = member[2] end

-- Methods first, then members: mover.grounded, mover.wall.
function Mover.__index(self, name)
    local method = Mover[name]
    if method ~= nil then return method end
    local kind = kinds[name]
    if not kind or name == 'mask' or name == 'cookie' then return nil end
    local state, view = rawget(self, 'state'), rawget(self, 'view')
    if plain[kind] then return state[name] end
    if kind == 'pv_vec2' then return { state[name].x, state[name].y } end
    return structs.read_kind(view, ffi.offsetof('pv_mover', name), kind, self[1])
end

--- Creates a mover of a sprite, its pivot between the feet. The options are members of pv_mover.
function World:newMover(sprite, x, y, options)
    local fn = 'pv_mover_move'
    handles.pointer_of(self, World, fn)
    local state = C.pv_mover_default()
    local mask = handles.mask_of(sprite, fn, 'mover.mask')
    number(x, fn, 'mover.position.x')
    number(y, fn, 'mover.position.y')
    state.mask = mask
    state.pivot.x, state.pivot.y = C.pv_mask_get_width(mask) / 2, C.pv_mask_get_height(mask)
    state.position.x, state.position.y = x, y
    if options ~= nil then structs.fill(state, 'pv_mover', options, self, fn, 'mover') end
    return setmetatable({ self, state = state, view = structs.view_of(state, 'pv_mover'), sprite = sprite }, Mover)
end

--- Moves for one step at a velocity relative to the ground.
function Mover:move(vx, vy)
    local fn = 'pv_mover_move'
    local pointer = handles.pointer_of(self, Mover, fn)
    number(vx, fn, 'velocity.x')
    number(vy, fn, 'velocity.y')
    velocity.x, velocity.y = vx, vy
    self[1].fresh = false
    local status = C.pv_mover_move(pointer, self.state, velocity, self[1].clock.step)
    if status ~= 0 or errors.failure.message then errors.refuse(status, fn) end
end

--- Changes members of pv_mover.
function Mover:set(options)
    handles.check_self(self, Mover, 'Mover:set')
    structs.fill(self.state, 'pv_mover', options, self[1], 'Mover:set', 'mover')
end

local position, left_over, ground, normal = ffi.offsetof('pv_mover', 'position') / 8, ffi.offsetof('pv_mover', 'velocity') / 8,
    ffi.offsetof('pv_mover', 'ground_velocity') / 8, ffi.offsetof('pv_mover', 'ground_normal') / 8
local function two(self, name, at)
    handles.check_self(self, Mover, name)
    local numbers = self.view.doubles
    return numbers[at], numbers[at + 1]
end
--- Returns the position of the pivot.
function Mover:getPosition() return two(self, 'Mover:getPosition', position) end
--- Returns the velocity left over by the last move.
function Mover:getVelocity() return two(self, 'Mover:getVelocity', left_over) end
--- Returns the velocity of the ground under it.
function Mover:getGroundVelocity() return two(self, 'Mover:getGroundVelocity', ground) end

--- Returns the normal of the ground under it, or zeros in the air.
function Mover:getGroundNormal() return two(self, 'Mover:getGroundNormal', normal) end

--- Finds the bodies that share a pixel with the mover: coins, spikes, doors.
function Mover:query(filter, into)
    local fn = 'pv_mover_query'
    if into ~= nil then errors.check_list(into, fn) end
    local pointer = handles.pointer_of(self, Mover, fn)
    local filter_pointer = events.filter_of(filter, self[1], fn)
    local room = structs.room('pv_body_id', 64)
    local count = C.pv_mover_query(pointer, self.state, filter_pointer, room.data, room.capacity)
    if count > room.capacity then
        room = structs.grow('pv_body_id', count)
        count = C.pv_mover_query(pointer, self.state, filter_pointer, room.data, room.capacity)
    end
    if errors.failure.message then errors.refuse() end
    return structs.collect(room, count, 'pv_body_id', self[1], into)
end

local pivot = ffi.new 'pv_vec2'
--- Tells whether a sprite fits at the mover's position, with its pivot between the feet by default. Without a sprite it
--- tests the mover's mask.
function Mover:fits(sprite, x, y)
    local fn = 'pv_mover_fits'
    local pointer, mask, own = handles.pointer_of(self, Mover, fn), nil, self.state.pivot
    pivot.x, pivot.y = own.x, own.y
    if sprite ~= nil then
        mask = handles.mask_of(sprite, fn, 'mask')
        pivot.x, pivot.y = C.pv_mask_get_width(mask) / 2, C.pv_mask_get_height(mask)
    end
    if x ~= nil or y ~= nil then
        number(x, fn, 'pivot.x')
        number(y, fn, 'pivot.y')
        pivot.x, pivot.y = x, y
    end
    local fits = C.pv_mover_fits(pointer, self.state, mask, pivot)
    if errors.failure.message then errors.refuse() end
    return fits
end

--- Returns the mover's mask at its position.
function Mover:getPlaced()
    handles.check_self(self, Mover, 'Mover:getPlaced')
    return handles.new_placed(ffi.new('pv_placed', self.state.mask, C.pv_mover_get_transform(self.state)))
end
--- Returns a table with the members of its pv_transform.
function Mover:getTransform(into)
    handles.check_self(self, Mover, 'pv_mover_get_transform')
    if into ~= nil then errors.check_list(into, 'pv_mover_get_transform') end
    return structs.read(structs.large.pv_mover_get_transform(self.state), 0, 'pv_transform', nil, into)
end
for _, name in ipairs { 'move', 'query', 'fits' } do jit.off(Mover[name]) end
jit.off(World.newMover)
