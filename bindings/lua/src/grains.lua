--[[ grains.lua - emission of grains, and their drawing by the library's canvas.

Invariant: the columns of grains belong to the library and are read within one call.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local errors, handles, structs = require 'pixverlet.errors', require 'pixverlet.handles', require 'pixverlet.structs'
local C = require('pixverlet.loader').C
local classes, number = handles.classes, errors.number
local Grains = classes.Grains

-- INT32_MIN: the y of a slot without a grain
local no_grain = -2147483648

local grain = ffi.new 'pv_grain[1]'
--- Emits one grain; its color is 0xRRGGBBAA.
function Grains:emit(x, y, vx, vy, color)
    local fn = 'pv_grains_emit'
    local pointer = handles.pointer_of(self, Grains, fn)
    number(x, fn, 'list.position.x')
    number(y, fn, 'list.position.y')
    number(vx or 0, fn, 'list.velocity.x')
    number(vy or 0, fn, 'list.velocity.y')
    errors.natural(color or 0xffffffff, fn, 'list.color')
    local g = grain[0]
    g.position.x, g.position.y, g.velocity.x, g.velocity.y, g.color = x, y, vx or 0, vy or 0, color or 0xffffffff
    local status = C.pv_grains_emit(pointer, self.id, grain, 1)
    if status ~= 0 then errors.refuse(status, fn) end
end

--- Adds a sink: a sensor, or the box of two corners. Grains that come into it end, and are counted.
function Grains:addSink(sink)
    local fn = 'pv_grains_add_sink'
    local pointer = handles.pointer_of(self, Grains, fn)
    local value = ffi.new 'pv_grain_sink'
    structs.fill(value, 'pv_grain_sink', sink, self.world, fn, 'sink')
    local status = C.pv_grains_add_sink(pointer, self.id, value)
    if status ~= 0 then errors.refuse(status, fn) end
end

local function living_view(self, fn)
    local pointer = handles.pointer_of(self, Grains, fn)
    if not C.pv_grains_is_valid(pointer, self.id) then errors.stale(fn, 'population') end
    return C.pv_grains_get_view(pointer, self.id)
end

--- Writes the places of all grains to a list, x and y in turn, and returns it.
function Grains:getPositions(list)
    local view, n = living_view(self, 'pv_grains_get_view'), 0
    list = errors.list(list, 'pv_grains_get_view')
    for i = 0, view.count - 1 do
        if view.y[i] ~= no_grain then
            list[n + 1], list[n + 2] = view.x[i] / 65536, view.y[i] / 65536
            n = n + 2
        end
    end
    for i = #list, n + 1, -1 do list[i] = nil end
    return list
end

local canvas, top_left = ffi.new 'pv_canvas', ffi.new 'pv_vec2'
--- Blends the grains over ImageData whose corner is at a point of the world.
function Grains:drawTo(data, x, y, zoom)
    local fn = 'pv_canvas_draw_grains'
    local view = living_view(self, fn)
    if type(data) ~= 'userdata' or not data.typeOf or not data:typeOf 'ImageData' then errors.wrong(data, fn, 'canvas', 'ImageData') end
    number(x, fn, 'top_left.x')
    number(y, fn, 'top_left.y')
    number(zoom or 1, fn, 'zoom')
    canvas.pixels = ffi.cast('unsigned char *', data:getFFIPointer())
    canvas.width, canvas.height, canvas.pitch = data:getWidth(), data:getHeight(), 4 * data:getWidth()
    top_left.x, top_left.y = x, y
    local status = C.pv_canvas_draw_grains(canvas, view, top_left, zoom or 1)
    if status ~= 0 then errors.refuse(status, fn) end
end

for _, name in ipairs { 'emit', 'addSink', 'getPositions', 'drawTo' } do jit.off(Grains[name]) end
