--[[ debug.lua - draws a world's shapes by callbacks, or on LÖVE's screen.

Invariant: callbacks run during the call. An error in one is raised after it, and ends the drawing.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local errors, handles = require 'pixverlet.errors', require 'pixverlet.handles'
local structs, events = require 'pixverlet.structs', require 'pixverlet.events'
local C = require('pixverlet.loader').C
local World = handles.classes.World

local draw -- callbacks of the running call
local function tell(call, ...)
    if call and not errors.failure.message then events.ask(nil, call, ...) end
end

-- LuaJIT callbacks take no structs: here a vector is two numbers, or a pointer on Windows.
local line_type, circle_type, on_line, on_circle
if ffi.os == 'Windows' then
    line_type, circle_type = 'void (*)(void *, pv_vec2 *, pv_vec2 *, pv_color)', 'void (*)(void *, pv_vec2 *, double, pv_color)'
    function on_line(_, from, to, color) tell(draw.line, from.x, from.y, to.x, to.y, color) end
    function on_circle(_, center, radius, color) tell(draw.circle, center.x, center.y, radius, color) end
else
    line_type, circle_type = 'void (*)(void *, double, double, double, double, pv_color)', 'void (*)(void *, double, double, double, pv_color)'
    function on_line(_, x1, y1, x2, y2, color) tell(draw.line, x1, y1, x2, y2, color) end
    function on_circle(_, x, y, radius, color) tell(draw.circle, x, y, radius, color) end
end
local origin = ffi.new 'pv_vec2'
local function on_mask(_, mask, transform, color)
    if not draw.mask then return end
    local corner = C.pv_transform_to_world(transform, origin)
    tell(draw.mask, handles.retained(mask, 'mask'), corner.x, corner.y, C.pv_rotation_get_angle(transform.rotation), transform.scale.x, transform.scale.y, color)
end
local hooks = { line = ffi.cast(line_type, on_line), circle = ffi.cast(circle_type, on_circle),
    mask = ffi.cast('void (*)(void *, const pv_mask *, const pv_transform *, pv_color)', on_mask) }

local function set_color(color)
    love.graphics.setColor(math.floor(color / 2 ^ 24) / 255, math.floor(color / 2 ^ 16) % 256 / 255, math.floor(color / 2 ^ 8) % 256 / 255, color % 256 / 255)
end
-- Draws on LÖVE's screen.
local screen = {
    line = function(x1, y1, x2, y2, color)
        set_color(color)
        love.graphics.line(x1, y1, x2, y2)
    end,
    circle = function(x, y, radius, color)
        set_color(color)
        love.graphics.circle('line', x, y, radius)
    end,
}

local function prepare(callbacks, fn)
    local def, sizes = C.pv_debug_draw_default(), {}
    for name, value in pairs(callbacks) do
        if not hooks[name] then sizes[name] = value
        elseif type(value) ~= 'function' then errors.wrong(value, fn, 'draw.' .. name, 'a function') end
    end
    structs.fill(def, 'pv_debug_draw', sizes, nil, fn, 'draw')
    for name, hook in pairs(hooks) do def[name] = ffi.cast('void *', hook) end
    return def
end

--- Draws shapes by callbacks `line`, `circle` and `mask`, or on LÖVE's screen without masks. `flags` is a sum of pixverlet.DEBUG_ constants.
function World:debugDraw(callbacks, flags)
    local fn = 'pv_world_debug_draw'
    local pointer = handles.pointer_of(self, World, fn)
    if callbacks == nil and love and love.graphics then callbacks = screen end
    if type(callbacks) ~= 'table' or getmetatable(callbacks) then errors.wrong(callbacks, fn, 'draw', 'a table') end
    if flags == nil then flags = callbacks.mask and C.PV_DEBUG_ALL or C.PV_DEBUG_ALL - C.PV_DEBUG_MASKS end
    errors.natural(flags, fn, 'flags')
    local def, before = prepare(callbacks, fn), draw
    draw = callbacks
    local status = C.pv_world_debug_draw(pointer, def, flags)
    draw = before
    if callbacks == screen then love.graphics.setColor(1, 1, 1) end
    if status ~= 0 or errors.failure.message then errors.refuse(status, fn) end
end
jit.off(World.debugDraw)
