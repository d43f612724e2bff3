--[[ methods.lua - gives the generated methods the functions that they call.

Invariant: a scratch struct is used by one call at a time.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local api, errors, handles = require 'pixverlet.api', require 'pixverlet.errors', require 'pixverlet.handles'
local structs, events = require 'pixverlet.structs', require 'pixverlet.events'
local C = require('pixverlet.loader').C
local sprites = require 'pixverlet.sprite'

-- Returns rows of pixels: bytes of a string, ImageData, or nil.
local function plane_of(source, row, height, name, field)
    if source == nil then return nil end
    local size = type(source) == 'string' and #source or sprites.is_image_data(source) and source:getSize()
    if not size then errors.wrong(source, name, field, 'a string or ImageData') end
    if size < row * height then errors.raise(('%s: %s has %d bytes, must have %d'):format(name, field, size, row * height)) end
    return type(source) == 'string' and source or source:getFFIPointer()
end

local function text(pointer) return pointer ~= nil and ffi.string(pointer) or nil end

--- Functions without an object: pv_mask_load() becomes maskLoad().
local Module = {}
for name, value in pairs(api.constants) do Module[name] = value end

local scope = { C = C, Module = Module, jit = jit, math = math, tonumber = tonumber, enums = api.enums, canvas_of = sprites.canvas_of,
    plane_of = plane_of, text = text, filter_of = events.filter_of }
for _, source in ipairs { errors, handles, structs, handles.classes } do
    for name, value in pairs(source) do scope[name] = value end
end
for _, struct in ipairs { 'pv_vec2', 'pv_rotation', 'pv_point', 'pv_rect', 'pv_filter', 'pv_box', 'pv_anchor', 'pv_particle_id', 'pv_joint_id', 'pv_body_id',
    'pv_composite_id' } do
    for i = 0, 3 do scope[('%s_%d'):format(struct, i)] = ffi.new(struct) end
end
for i = 0, 3 do scope[('pv_box_%d_doubles'):format(i)] = ffi.cast('double *', scope[('pv_box_%d'):format(i)]) end
api.define(scope)

return Module
