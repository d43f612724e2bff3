--[[ draw.lua - draws a world on LÖVE's screen: carved sprites at poses between two steps.

Invariant: a body that lost no pixel shares the texture of its sprite. A carved one has its own,
of which only the changed rectangle is copied again.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local errors, handles = require 'pixverlet.errors', require 'pixverlet.handles'
local poses, sprites = require 'pixverlet.poses', require 'pixverlet.sprite'
local C = require('pixverlet.loader').C
local classes, key_of = handles.classes, handles.key_of
local World = classes.World

local function need_love(name)
    if not (love and love.graphics) then errors.raise(name .. ': this needs love.graphics') end
end

-- Copies a rectangle of an image to ImageData.
local function image_data(image, x, y, w, h)
    local data = love.image.newImageData(w, h)
    local target = ffi.cast('unsigned char *', data:getFFIPointer())
    for row = 0, h - 1 do ffi.copy(target + 4 * w * row, image.pixels + 4 * ((y + row) * image.width + x), 4 * w) end
    return data
end

local function texture_of(image)
    local texture = love.graphics.newImage(image_data(image, 0, 0, image.width, image.height))
    texture:setFilter('nearest', 'nearest')
    return texture
end

--- Returns the pixels of an image as ImageData.
function classes.Image:getImageData()
    handles.check_self(self, classes.Image, 'Image:getImageData')
    need_love 'Image:getImageData'
    return image_data(self.pointer, 0, 0, self.pointer.width, self.pointer.height)
end

--- Returns a sprite's texture.
function classes.Sprite:getImage()
    handles.check_self(self, classes.Sprite, 'Sprite:getImage')
    need_love 'Sprite:getImage'
    if not self.texture then self.texture = texture_of(self.pointer) end
    return self.texture
end

local function begin_picture(body, look)
    local mask = C.pv_body_get_mask(body[1].pointer, body[4])
    look.picture = sprites.masked(look.sprite, mask, look.offset_x or 0, look.offset_y or 0)
    look.texture = texture_of(look.picture)
end
jit.off(begin_picture)

local function renew_picture(body, look)
    local mask = C.pv_body_get_mask(body[1].pointer, body[4])
    local x, y, w, h = look.dirty_x, look.dirty_y, look.dirty_w, look.dirty_h
    sprites.update_masked(look.picture, look.sprite, mask, look.offset_x or 0, look.offset_y or 0, x, y, w, h)
    look.texture:replacePixels(image_data(look.picture, x, y, w, h), 1, 1, x, y)
end
jit.off(renew_picture)

--- Returns the texture with the body's current pixels.
function classes.Body:getImage()
    handles.pointer_of(self, classes.Body, 'Body:getImage')
    need_love 'Body:getImage'
    if not self[1].fresh and not self:isValid() then errors.stale('Body:getImage', 'body') end
    local look = handles.look_of(self)
    if look.sprite and not look.carved then return look.sprite:getImage() end
    if not look.picture then begin_picture(self, look) elseif look.dirty_w then renew_picture(self, look) end
    look.dirty_w = nil
    return look.texture
end

local function read_scale(body)
    local scale = C.pv_body_get_transform(body[1].pointer, body[4]).scale
    body[5].scale_x, body[5].scale_y = scale.x, scale.y
end
jit.off(read_scale)

local function draw_body(world, at)
    local body = world.objects.body[key_of(poses.id(world.current, at))] or handles.object(world, 'body', world.current.list[at].body)
    if not world.fresh and not body:isValid() then return end
    local look = handles.look_of(body)
    if not look.scale_x then read_scale(body) end
    local x, y, angle = poses.between(world.previous, world.current, at, world.alpha)
    love.graphics.draw(body:getImage(), x, y, angle, look.scale_x, look.scale_y)
end

--- Draws all bodies in slot order, at their poses between the last two steps. New bodies appear with the next step.
function World:draw()
    handles.pointer_of(self, World, 'World:draw')
    need_love 'World:draw'
    for at = 0, self.current.count - 1 do draw_body(self, at) end
end
