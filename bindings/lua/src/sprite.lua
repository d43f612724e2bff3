--[[ sprite.lua - pictures with their masks, from files, PNG bytes, and LÖVE's ImageData.

Invariant: a sprite never changes. Bodies that lose pixels get their own pictures.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local api, errors, handles = require 'pixverlet.api', require 'pixverlet.errors', require 'pixverlet.handles'
local C = require('pixverlet.loader').C
local classes = handles.classes
local Sprite, Image, Mask = classes.Sprite, classes.Image, classes.Mask

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

-- LÖVE's files may be in an archive that only LÖVE can read.
local function from_path(path, fn)
    if not (love and love.filesystem) then return own_image(C.pv_image_load(path, nil, errors.failure.error)) end
    local bytes, why = love.filesystem.read(path)
    if not bytes then errors.raise(('%s: path: %s'):format(fn, why)) end
    return from_bytes(bytes)
end

-- Copies an image that may change.
local function from_image(source)
    local image = own_image(C.pv_image_create(source.width, source.height, nil, errors.failure.error))
    ffi.copy(image.pixels, source.pixels, 4 * source.width * source.height)
    return image
end

--- Tells whether a value is LÖVE's ImageData.
function sprites.is_image_data(value) return type(value) == 'userdata' and value.typeOf and value:typeOf 'ImageData' end

local canvas = ffi.new 'pv_canvas'
--- Returns the canvas of an Image or of ImageData, valid until the next call.
function sprites.canvas_of(object, name, field)
    if getmetatable(object) == Image then
        canvas.pixels, canvas.width, canvas.height = object.pointer.pixels, object.pointer.width, object.pointer.height
    elseif sprites.is_image_data(object) then
        canvas.pixels, canvas.width, canvas.height = ffi.cast('unsigned char *', object:getFFIPointer()), object:getWidth(), object:getHeight()
    else errors.wrong(object, name, field, 'an Image or ImageData') end
    canvas.pitch = 4 * canvas.width
    return canvas
end

local function load_image(source, fn)
    if type(source) == 'string' then
        return source:sub(1, 4) == '\137PNG' and from_bytes(source) or from_path(source, fn)
    end
    if sprites.is_image_data(source) then return from_image_data(source, fn) end
    if getmetatable(source) == Image then return from_image(source.pointer) end
    errors.wrong(source, fn, 'source', 'a path, bytes of a PNG, an Image or ImageData')
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
    return sprites.join(image, handles.own(mask, 'mask'))
end

--- Returns the sprite of an image and a mask of the same size.
function sprites.join(image, mask) return setmetatable({ pointer = image, mask = mask }, Sprite) end

-- Sprites and images share these methods on pixels.
for name, class in pairs { Sprite = Sprite, Image = Image } do
    function class:getWidth() handles.check_self(self, class, name .. ':getWidth') return self.pointer.width end
    function class:getHeight() handles.check_self(self, class, name .. ':getHeight') return self.pointer.height end
    function class:getDimensions() handles.check_self(self, class, name .. ':getDimensions') return self.pointer.width, self.pointer.height end
    --- Returns the color of a pixel, counted from (0, 0), as four numbers 0 to 1 like ImageData.
    function class:getPixel(x, y)
        local fn = name .. ':getPixel'
        handles.check_self(self, class, fn)
        errors.integer(x, fn, 'x')
        errors.integer(y, fn, 'y')
        local image = self.pointer
        if x < 0 or y < 0 or x >= image.width or y >= image.height then errors.raise(('%s: (%d, %d) is outside of the %s'):format(fn, x, y, name:lower())) end
        local at = image.pixels + 4 * (y * image.width + x)
        return at[0] / 255, at[1] / 255, at[2] / 255, at[3] / 255
    end
end

--- Returns the mask; a copy of it can be changed.
function Sprite:getMask() handles.check_self(self, Sprite, 'Sprite:getMask') return self.mask end
local function made(mask)
    if mask == nil then errors.refuse_error() end
    return handles.own(mask, 'mask')
end
--- Creates a mask: of a size, filled or empty; of a circle; or of rows of text.
function sprites.new_mask(width, height, solid)
    local fn = solid and 'pv_mask_create_rect' or 'pv_mask_create'
    errors.integer(width, fn, 'width')
    errors.integer(height, fn, 'height')
    local create = solid and C.pv_mask_create_rect or C.pv_mask_create
    return made(create(width, height, nil, errors.failure.error))
end
function sprites.new_circle_mask(radius)
    errors.number(radius, 'pv_mask_create_circle', 'radius')
    return made(C.pv_mask_create_circle(radius, nil, errors.failure.error))
end
function sprites.new_text_mask(rows)
    if type(rows) ~= 'string' then errors.wrong(rows, 'pv_mask_from_text', 'rows', 'a string') end
    return made(C.pv_mask_from_text(rows, nil, errors.failure.error))
end

function Mask:getDimensions()
    handles.check_self(self, Mask, 'Mask:getDimensions')
    return C.pv_mask_get_width(self.pointer), C.pv_mask_get_height(self.pointer)
end
--- Returns the pixels as a string of R, G, B, A bytes; colors are 0xRRGGBBAA.
function Mask:toRgba(solid, empty)
    local fn = 'pv_mask_to_rgba'
    handles.check_self(self, Mask, fn)
    errors.natural(solid, fn, 'solid')
    errors.natural(empty, fn, 'empty')
    local pitch = 4 * C.pv_mask_get_width(self.pointer)
    local size = pitch * C.pv_mask_get_height(self.pointer)
    local bytes = ffi.new('char[?]', size)
    local status = C.pv_mask_to_rgba(self.pointer, bytes, pitch, solid, empty)
    if status ~= 0 then errors.refuse(status, fn) end
    return ffi.string(bytes, size)
end
--- Returns the pixels as a string of rows of bits.
function Mask:toBits(order)
    local fn = 'pv_mask_to_bits'
    handles.check_self(self, Mask, fn)
    local value = errors.choice(order, api.enums.pv_bit_order, fn, 'order')
    local pitch = math.floor((C.pv_mask_get_width(self.pointer) + 7) / 8)
    local size = pitch * C.pv_mask_get_height(self.pointer)
    local bytes = ffi.new('char[?]', size)
    local status = C.pv_mask_to_bits(self.pointer, bytes, pitch, value)
    if status ~= 0 then errors.refuse(status, fn) end
    return ffi.string(bytes, size)
end
--- Returns the mask in a storage format, which pixverlet.maskDeserialize(bytes) reads.
function Mask:serialize()
    handles.check_self(self, Mask, 'pv_mask_serialize')
    local size = C.pv_mask_serialize(self.pointer, nil, 0)
    local bytes = ffi.new('char[?]', size)
    C.pv_mask_serialize(self.pointer, bytes, size)
    return ffi.string(bytes, size)
end

--- Returns the image of a part of a sprite where a mask is solid. Pixels outside the sprite are opaque.
function sprites.masked(sprite, mask, offset_x, offset_y)
    local width, height = C.pv_mask_get_width(mask), C.pv_mask_get_height(mask)
    local image = own_image(C.pv_image_create(width, height, nil, errors.failure.error))
    sprites.update_masked(image, sprite, mask, offset_x, offset_y, 0, 0, width, height)
    return image
end

--- Copies the pixels of a rectangle again where a mask is solid.
function sprites.update_masked(image, sprite, mask, offset_x, offset_y, x, y, w, h)
    local source, target = sprite and ffi.cast('const uint32_t *', sprite.pointer.pixels), ffi.cast('uint32_t *', image.pixels)
    local width, height = sprite and sprite.pointer.width or 0, sprite and sprite.pointer.height or 0
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
