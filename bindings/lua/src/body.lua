--[[ body.lua - bodies: creation, positions, sprites and fracture. The other methods are generated.

Invariant: a body's picture shows the pixels of its sprite, starting at its offset.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local api, errors, handles = require 'pixverlet.api', require 'pixverlet.errors', require 'pixverlet.handles'
local structs, poses = require 'pixverlet.structs', require 'pixverlet.poses'
local C = require('pixverlet.loader').C
local classes, pointer_of = handles.classes, handles.pointer_of
local World, Body, Sprite = classes.World, classes.Body, classes.Sprite
local failure, number = errors.failure, errors.number
local find, center, large = poses.find, poses.center, structs.large

local function set_sprite(body, sprite, offset_x, offset_y)
    local plain = getmetatable(sprite) ~= Sprite
    if plain and not body[5] then return end
    local look = handles.look_of(body)
    look.sprite = not plain and sprite or nil
    look.offset_x, look.offset_y = offset_x, offset_y
    look.picture = nil
end

-- Splits off `top_left`, which is not a member.
local function fill_def(world, def, options, fn)
    if type(options) ~= 'table' or options.top_left == nil then return structs.fill(def, 'pv_body_def', options, world, fn, 'def') end
    local members, corner = {}, ffi.new 'pv_vec2'
    for name, value in pairs(options) do
        if name ~= 'top_left' then members[name] = value end
    end
    structs.fill(def, 'pv_body_def', members, world, fn, 'def')
    structs.fill(corner, 'pv_vec2', options.top_left, world, fn, 'def.top_left')
    C.pv_body_def_set_top_left(def, corner)
end

--- Creates a body of a sprite or mask. The options are members of pv_body_def, or `top_left` for the picture's corner.
function World:newBody(sprite, x, y, kind, options)
    local fn = 'pv_body_create'
    local pointer = pointer_of(self, World, fn)
    local def = C.pv_body_def_default()
    def.mask = handles.mask_of(sprite, fn, 'def.mask')
    if x ~= nil or not (type(options) == 'table' and options.top_left) then
        number(x, fn, 'def.position.x')
        number(y, fn, 'def.position.y')
        def.position.x, def.position.y = x, y
    end
    if kind ~= nil then def.type = errors.choice(kind, api.enums.pv_body_type, fn, 'def.type') end
    if options ~= nil then fill_def(self, def, options, fn) end
    self.fresh = false
    local id = C.pv_body_create(pointer, def, failure.error)
    if failure.error.status ~= 0 then errors.refuse_error() end
    local body = handles.object(self, 'body', id)
    set_sprite(body, sprite, 0, 0)
    return body
end
jit.off(World.newBody)

local function living(body, name)
    local pointer = pointer_of(body, Body, name)
    if not C.pv_body_is_valid(pointer, body[4]) then errors.stale(name, 'body') end
    return pointer
end
jit.off(living)

-- A definition is large enough to be returned without a new object; a vector is too small.
local members = {}
for _, name in ipairs { 'position', 'velocity', 'filter' } do members[name] = ffi.offsetof('pv_body_def', name) end
local function read_def(body, name)
    local pointer = pointer_of(body, Body, name)
    if not C.pv_body_is_valid(pointer, body[4]) then errors.stale(name, 'body') end
    return large.pv_body_get_def(pointer, body[4])
end
local function read_position(body)
    local def, at = read_def(body, 'pv_body_get_position'), members.position / 8
    return def.doubles[at], def.doubles[at + 1]
end
jit.off(read_def)
jit.off(read_position)

--- Returns the velocity of the center of mass.
function Body:getVelocity()
    local def, at = read_def(self, 'pv_body_get_velocity'), members.velocity / 8
    return def.doubles[at], def.doubles[at + 1]
end
--- Returns category bits, mask bits and group index.
function Body:getFilter()
    local def, at = read_def(self, 'pv_body_get_filter'), members.filter / 4
    return def.words[at], def.words[at + 1], def.ints[at + 2]
end
local turn = ffi.offsetof('pv_transform', 'rotation') / 8
--- Returns cosine and sine of the angle.
function Body:getRotation()
    local pointer = living(self, 'Body:getRotation')
    local transform = large.pv_body_get_transform(pointer, self[4])
    return transform.doubles[turn], transform.doubles[turn + 1]
end

-- Returns the world of a body, and the index of its pose or -1.
local function find_pose(body, name)
    if getmetatable(body) ~= Body or not body[1].pointer then pointer_of(body, Body, name) end
    local world = body[1]
    return world, find(world.current, body[2], body[3])
end

--- Returns the center of mass after the last step or change.
function Body:getPosition()
    local world, at = find_pose(self, 'pv_body_get_position')
    if at < 0 or not world.fresh then return read_position(self) end
    return center(world.current, at)
end
function Body:getX() return (self:getPosition()) end
function Body:getY() return select(2, self:getPosition()) end

local origin = ffi.new 'pv_vec2'
--- Returns where to draw, between the last two steps: the picture's corner (0, 0) and the angle.
function Body:getPose()
    local world, at = find_pose(self, 'Body:getPose')
    if at >= 0 then return poses.between(world.previous, world.current, at, world.alpha) end
    local pointer = living(self, 'Body:getPose')
    local corner = C.pv_body_to_world(pointer, self[4], origin)
    return corner.x, corner.y, C.pv_body_get_angle(pointer, self[4])
end

--- Returns the center of mass between the last two steps: for a camera.
function Body:getDrawPosition()
    local world, at = find_pose(self, 'Body:getDrawPosition')
    if at < 0 then return self:getPosition() end
    return select(4, poses.between(world.previous, world.current, at, world.alpha))
end

function Body:isValid()
    handles.check_self(self, Body, 'pv_body_is_valid')
    local pointer = self[1].pointer
    return pointer ~= nil and C.pv_body_is_valid(pointer, self[4])
end
jit.off(Body.isValid)

function Body:getWorld()
    handles.check_self(self, Body, 'Body:getWorld')
    return self[1]
end
function Body:getSprite()
    handles.check_self(self, Body, 'Body:getSprite')
    return self[5] and self[5].sprite or nil
end

--- Returns the current mask; a copy of it can be changed.
function Body:getMask()
    return handles.retained(C.pv_body_get_mask(living(self, 'pv_body_get_mask'), self[4]), 'mask')
end

--- Sets sprite and mask; (x, y) is the position of its pixel (0, 0) in the old picture.
function Body:setSprite(sprite, x, y)
    local fn = 'pv_body_set_mask'
    local pointer = pointer_of(self, Body, fn)
    local mask = handles.mask_of(sprite, fn, 'mask')
    local offset = ffi.new 'pv_vec2'
    number(x or 0, fn, 'offset.x')
    number(y or 0, fn, 'offset.y')
    offset.x, offset.y = x or 0, y or 0
    self[1].fresh = false
    local status = C.pv_body_set_mask(pointer, self[4], mask, offset)
    if status ~= 0 then errors.refuse(status, fn) end
    set_sprite(self, sprite, 0, 0)
end

--- Shows a sprite on the body's pixels, which do not change. The body's pixel (0, 0) is at (x, y) of the sprite.
function Body:setPicture(sprite, x, y)
    living(self, 'Body:setPicture')
    if getmetatable(sprite) ~= Sprite then errors.wrong(sprite, 'Body:setPicture', 'sprite', 'a Sprite') end
    errors.integer(x or 0, 'Body:setPicture', 'x')
    errors.integer(y or 0, 'Body:setPicture', 'y')
    set_sprite(self, sprite, x or 0, y or 0)
    handles.look_of(self).carved = true
end

--- Moves a kinematic body to a position by the end of the next step.
function Body:moveTo(x, y, angle)
    local fn = 'pv_body_move_to'
    local pointer = pointer_of(self, Body, fn)
    number(x, fn, 'position.x')
    number(y, fn, 'position.y')
    if angle ~= nil then number(angle, fn, 'angle') end
    local place = ffi.new('pv_vec2', x, y)
    local status = C.pv_body_move_to(pointer, self[4], place, angle or C.pv_body_get_angle(pointer, self[4]), self[1].clock.step)
    if status ~= 0 then errors.refuse(status, fn) end
end

--- Sets the rules of fracture; the options are members of pv_fracture_def.
function Body:setFracture(options)
    local fn = 'pv_body_set_fracture'
    local pointer = pointer_of(self, Body, fn)
    local def = C.pv_fracture_def_default()
    structs.fill(def, 'pv_fracture_def', options, self[1], fn, 'fracture')
    local status = C.pv_body_set_fracture(pointer, self[4], def)
    if status ~= 0 then errors.refuse(status, fn) end
end
-- A body that jumps is not drawn between the two poses.
for _, name in ipairs { 'setPosition', 'setAngle', 'setScale', 'setSprite' } do
    local change = Body[name]
    Body[name] = function(self, ...)
        change(self, ...)
        poses.forget(self[1].current, self[2])
        if self[5] then self[5].scale_x = nil end
    end
end

for _, name in ipairs { 'getVelocity', 'getFilter', 'getRotation', 'getMask', 'setSprite', 'moveTo', 'setFracture' } do jit.off(Body[name]) end
