--[[ methods.lua - gives the generated methods what they call.

Invariant: a scratch struct is used by one call at a time.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local api, errors, handles = require 'pixverlet.api', require 'pixverlet.errors', require 'pixverlet.handles'
local structs, events = require 'pixverlet.structs', require 'pixverlet.events'
local C = require('pixverlet.loader').C

local placed_center = ffi.new 'pv_vec2'
local function placed_of(sprite, x, y, angle, name, field)
    local mask = handles.mask_of(sprite, name, field)
    errors.number(x, name, field .. '.x')
    errors.number(y, name, field .. '.y')
    errors.number(angle or 0, name, field .. '.angle')
    placed_center.x, placed_center.y = x, y
    return C.pv_placed_centered(mask, placed_center, angle or 0)
end

local scope = { C = C, jit = jit, tonumber = tonumber, enums = api.enums, placed_of = placed_of, filter_of = events.filter_of }
for _, source in ipairs { errors, handles, structs, handles.classes } do
    for name, value in pairs(source) do scope[name] = value end
end
for _, struct in ipairs { 'pv_vec2', 'pv_rotation', 'pv_point', 'pv_rect', 'pv_filter', 'pv_box', 'pv_anchor' } do
    for i = 0, 3 do scope[('%s_%d'):format(struct, i)] = ffi.new(struct) end
end
api.define(scope)
