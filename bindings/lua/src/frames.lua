--[[ frames.lua - frames of an atlas as sprites, and moving masks.

Invariant: a frame's sprite and mask have the size of the whole untrimmed frame.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local errors, handles = require 'pixverlet.errors', require 'pixverlet.handles'
local structs, sprites = require 'pixverlet.structs', require 'pixverlet.sprite'
local C = require('pixverlet.loader').C
local classes = handles.classes
local Frames, Placed, Swept = classes.Frames, classes.Placed, classes.Swept

-- Copies the part of a frame that the atlas keeps. A rotated part is stored a quarter turn clockwise.
local function copy_part(frame, source, target)
    local trim, atlas = frame.trim_rect, frame.atlas_rect
    local from, to = ffi.cast('const uint32_t *', source.pixels), ffi.cast('uint32_t *', target.pixels)
    for y = math.max(0, -trim.y), math.min(trim.h, target.height - trim.y) - 1 do
        for x = math.max(0, -trim.x), math.min(trim.w, target.width - trim.x) - 1 do
            local sx, sy = atlas.x + x, atlas.y + y
            if frame.rotated then sx, sy = atlas.x + trim.h - 1 - y, atlas.y + x end
            if sx >= 0 and sy >= 0 and sx < source.width and sy < source.height then
                to[(trim.y + y) * target.width + trim.x + x] = from[sy * source.width + sx]
            end
        end
    end
end

--- Returns the sprite of a frame, whose picture is in an Image or Sprite.
function Frames:getSprite(image, index)
    local fn = 'Frames:getSprite'
    handles.check_self(self, Frames, fn)
    local source = handles.image_of(image, fn, 'image')
    if not source then errors.wrong(image, fn, 'image', 'an Image or a Sprite') end
    errors.integer(index, fn, 'index')
    local frame = C.pv_frames_get_frame(self.pointer, index)
    if frame == nil then errors.raise(('%s: index is %d, must be 0 to %d'):format(fn, index, C.pv_frames_get_count(self.pointer) - 1)) end
    local target = sprites.own_image(C.pv_image_create(C.pv_mask_get_width(frame.mask), C.pv_mask_get_height(frame.mask), nil, errors.failure.error))
    copy_part(frame, source, target)
    return sprites.join(target, handles.retained(frame.mask, 'mask'))
end

--- Returns a table with the members of its pv_transform.
function Placed:getTransform(into)
    handles.check_self(self, Placed, 'Placed:getTransform')
    if into ~= nil then errors.check_list(into, 'Placed:getTransform') end
    return structs.read(structs.view_of(self.pointer.transform, 'pv_transform'), 0, 'pv_transform', nil, into)
end
--- Changes members of its pv_transform.
function Placed:setTransform(values)
    handles.check_self(self, Placed, 'Placed:setTransform')
    structs.fill(self.pointer.transform, 'pv_transform', values, nil, 'Placed:setTransform', 'transform')
end

--- Returns a moving sprite or mask, its center of mass going from one point to another.
local function new_swept(sprite, x, y, angle, to_x, to_y, to_angle)
    local fn = 'pixverlet.newSwept'
    local from = structs.placed_of(sprite, x, y, angle, fn, 'from')
    local to = structs.placed_of(sprite, to_x, to_y, to_angle, fn, 'to')
    return setmetatable({ pointer = ffi.new('pv_swept', from.mask, from.transform, to.transform), mask = handles.retained(from.mask, 'mask') }, Swept)
end

return { new_swept = new_swept }
