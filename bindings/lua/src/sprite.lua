--[[ sprite.lua - pictures with their masks: from files, bytes of a PNG, and ImageData of LÖVE.

Invariant: a sprite never changes. Bodies that lose pixels get pictures of their own.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local errors, handles = require 'pixverlet.errors', require 'pixverlet.handles'
local C = require('pixverlet.loader').C
local classes = handles.classes
local Sprite, Mask = classes.Sprite, classes.Mask

local sprites = {}

local image_destroy = C.pv_image_destroy
local function own_image(pointer)
    if pointer == nil then errors.refuse_error() end
    return ffi.gc(pointer, image_destroy)
end
sprites.own_image = own_image

-- Copies ImageData; its rows have no gaps.
local function from_image_data(data, fn)
    if data:getFormat() ~= 'rgba8' then errors.wrong(data:getFormat(), fn, 'source format', 'rgba8') end
    local image = own_image(C.pv_image_create(data:getWidth(), data:getHeight(), nil, errors.failure.error))
    ffi.copy(image.pixels, data:getFFIPointer(), data:getSize())
    return image
end

local function from_bytes(bytes) return own_image(C.pv_image_load_memory(bytes, #bytes, nil, errors.failure.error)) end

-- LÖVE's files may be in an archive, where only LÖVE can read them.
local function from_path(path, fn)
    if not (love and love.filesystem) then return own_image(C.pv_image_load(path, nil, errors.failure.error)) end
    local bytes, why = love.filesystem.read(path)
    if not bytes then errors.raise(('%s: path: %s'):format(fn, why)) end
    return from_bytes(bytes)
end

local function load_image(source, fn)
    if type(source) == 'string' then
        return source:sub(1, 4) == '\137PNG' and from_bytes(source) or from_path(source, fn)
    end
    if type(source) == 'userdata' and source.typeOf and source:typeOf 'ImageData' then return from_image_data(source, fn) end
    errors.wrong(source, fn, 'source', 'a path, bytes of a PNG, or ImageData')
end

--- Creates a sprite. `threshold` is the least alpha of a solid pixel, 0 to 255; default 128.
function sprites.new_sprite(source, threshold)
    local fn = 'pixverlet.newSprite'
    local options = C.pv_mask_options_default()
    if threshold ~= nil then
        errors.integer(threshold, fn, 'threshold')
        options.alpha_threshold = threshold
    end
    local image = load_image(source, fn)
    local mask = C.pv_mask_from_image(image, options, errors.failure.error)
    if mask == nil then errors.refuse_error() end
    return setmetatable({ image = image, mask = handles.own_mask(mask), width = image.width, height = image.height }, Sprite)
end

function Sprite:getWidth() handles.check_self(self, Sprite, 'Sprite:getWidth') return self.width end
function Sprite:getHeight() handles.check_self(self, Sprite, 'Sprite:getHeight') return self.height end
function Sprite:getDimensions() handles.check_self(self, Sprite, 'Sprite:getDimensions') return self.width, self.height end
--- Returns the mask; a copy of it can be changed.
function Sprite:getMask() handles.check_self(self, Sprite, 'Sprite:getMask') return self.mask end
--- Returns the color of a pixel from (0, 0) on, 0 to 1 each, as ImageData does.
function Sprite:getPixel(x, y)
    local fn = 'Sprite:getPixel'
    handles.check_self(self, Sprite, fn)
    errors.integer(x, fn, 'x')
    errors.integer(y, fn, 'y')
    if x < 0 or y < 0 or x >= self.width or y >= self.height then errors.raise(('%s: (%d, %d) is outside of the sprite'):format(fn, x, y)) end
    local at = self.image.pixels + 4 * (y * self.width + x)
    return at[0] / 255, at[1] / 255, at[2] / 255, at[3] / 255
end

local function made(mask)
    if mask == nil then errors.refuse_error() end
    return handles.own_mask(mask)
end
--- Creates a mask: of a size, filled or not; of a circle; or of rows of text.
function sprites.new_mask(width, height, solid)
    local fn = solid and 'pv_mask_create_rect' or 'pv_mask_create'
    errors.integer(width, fn, 'width')
    errors.integer(height, fn, 'height')
    return made(C[fn](width, height, nil, errors.failure.error))
end
function sprites.new_circle_mask(radius)
    errors.number(radius, 'pv_mask_create_circle', 'radius')
    return made(C.pv_mask_create_circle(radius, nil, errors.failure.error))
end
function sprites.new_text_mask(rows)
    if type(rows) ~= 'string' then errors.wrong(rows, 'pv_mask_from_text', 'rows', 'a string') end
    return made(C.pv_mask_from_text(rows, nil, errors.failure.error))
end

--- Returns the image of a part of a sprite where a mask is solid. Pixels that the sprite lacks are opaque.
function sprites.masked(sprite, mask, offset_x, offset_y)
    local width, height = C.pv_mask_get_width(mask), C.pv_mask_get_height(mask)
    local image = own_image(C.pv_image_create(width, height, nil, errors.failure.error))
    sprites.update_masked(image, sprite, mask, offset_x, offset_y, 0, 0, width, height)
    return image
end

--- Copies the pixels of a rectangle anew, where a mask is solid.
function sprites.update_masked(image, sprite, mask, offset_x, offset_y, x, y, w, h)
    local source, target = sprite and ffi.cast('const uint32_t *', sprite.image.pixels), ffi.cast('uint32_t *', image.pixels)
    local width, height = sprite and sprite.width or 0, sprite and sprite.height or 0
    for row = y, y + h - 1 do
        for column = x, x + w - 1 do
            local sx, sy, color = column + offset_x, row + offset_y, 0
            if C.pv_mask_get_pixel(mask, column, row) then
                color = sx >= 0 and sy >= 0 and sx < width and sy < height and source[sy * width + sx] or 0xffffffff
            end
            target[row * image.width + column] = color
        end
    end
end

return sprites
