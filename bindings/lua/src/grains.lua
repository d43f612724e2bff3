--[[ grains.lua - grains: emission, colors, merging with bodies, and drawing on the library's canvas.

Invariant: the columns of grains belong to the library and are read within one call.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local bit, errors, handles, structs = require 'bit', require 'pixverlet.errors', require 'pixverlet.handles', require 'pixverlet.structs'
local events, sprites = require 'pixverlet.events', require 'pixverlet.sprite'
local C = require('pixverlet.loader').C
local classes, number = handles.classes, errors.number
local World, Grains = classes.World, classes.Grains

-- INT32_MIN, the y of a slot without a grain
local no_grain = -2147483648

local grain, velocity = ffi.new 'pv_grain[1]', ffi.new 'pv_vec2'
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
    local status = C.pv_grains_emit(pointer, self[4], grain, 1)
    if status ~= 0 then errors.refuse(status, fn) end
end

--- Emits a grain for each pixel of a sprite, in its color; (x, y) is the center of mass. Grains of a mask have the population's color.
function Grains:emitMask(sprite, x, y, angle, vx, vy, angular_velocity)
    local fn = 'pv_grains_emit_mask'
    local pointer = handles.pointer_of(self, Grains, fn)
    local placed = structs.placed_of(sprite, x, y, angle, fn, 'placed')
    number(vx or 0, fn, 'velocity.x')
    number(vy or 0, fn, 'velocity.y')
    number(angular_velocity or 0, fn, 'angular_velocity')
    velocity.x, velocity.y = vx or 0, vy or 0
    local colors
    if getmetatable(sprite) == classes.Sprite then
        local image = sprite.pointer
        local pixels, count = ffi.cast('const uint32_t *', image.pixels), image.width * image.height
        colors = ffi.new('uint32_t[?]', count)
        for i = 0, count - 1 do colors[i] = bit.bswap(pixels[i]) end -- from bytes R, G, B, A
    end
    local status = C.pv_grains_emit_mask(pointer, self[4], placed, colors, velocity, angular_velocity or 0)
    if status ~= 0 then errors.refuse(status, fn) end
end

local merged, area = nil, ffi.new 'pv_rect'
local on_merge = ffi.cast('pv_grain_merge_fn', function(_, x, y, color) merged[#merged + 1] = { x, y, color } end)
--- Turns resting grains in a rectangle into pixels of a body. Returns their number, and calls paint(x, y, color) for each.
function Grains:merge(body, x, y, w, h, paint)
    local fn = 'pv_grains_merge'
    local pointer = handles.pointer_of(self, Grains, fn)
    local id = handles.id_of(body, classes.Body, self[1], fn, 'body')
    errors.integer(x, fn, 'rect.x')
    errors.integer(y, fn, 'rect.y')
    errors.integer(w, fn, 'rect.w')
    errors.integer(h, fn, 'rect.h')
    area.x, area.y, area.w, area.h = x, y, w, h
    if paint ~= nil and type(paint) ~= 'function' then errors.wrong(paint, fn, 'merge', 'a function or nil') end
    merged, self[1].fresh = {}, false
    local count = C.pv_grains_merge(pointer, self[4], id, area, paint and on_merge or nil, nil)
    if errors.failure.message then errors.refuse() end
    for _, pixel in ipairs(merged) do paint(unpack(pixel)) end
    return count
end

-- ---- Colors of pixels that a body loses

-- Populations with a callback, by the number that C knows. The world keeps them alive.
local by_number, last = setmetatable({}, { __mode = 'v' }), 0
local function on_color(user_data, body, x, y)
    local population = by_number[tonumber(ffi.cast('uintptr_t', user_data))]
    return population and tonumber(events.ask(population.color, population.call, events.body_of(population.world, body), x, y)) or 0
end
local color_hook = ffi.cast('uint32_t (*)(void *, uint64_t, int, int)', on_color)

--- Creates a population of grains. Options are members of pv_grains_def, and color_callback(body, x, y) for the colors of lost pixels.
function World:newGrains(options)
    local call = type(options) == 'table' and options.color_callback
    if not call then return structs.create(self, 'grains', 'grains', C.pv_grains_create, options) end
    if type(call) ~= 'function' then errors.wrong(call, 'pv_grains_create', 'def.color_callback', 'a function') end
    local members, population = {}, { call = call, world = self }
    for name, value in pairs(options) do
        if name ~= 'color_callback' then members[name] = value end
    end
    last = last + 1
    by_number[last] = population
    local grains = structs.create(self, 'grains', 'grains', C.pv_grains_create, members, function(def)
        population.color = def.color
        def.color_callback, def.color_user_data = ffi.cast('pv_grain_color_fn', color_hook), ffi.cast('void *', last)
    end)
    self.populations[#self.populations + 1] = population
    return grains
end
jit.off(World.newGrains)

-- ---- Places and pictures

local function living_view(self, fn)
    local pointer = handles.pointer_of(self, Grains, fn)
    if not C.pv_grains_is_valid(pointer, self[4]) then errors.stale(fn, 'population') end
    return structs.large.pv_grains_get_view(pointer, self[4]).data
end

--- Writes the positions of all grains to a list, alternating x and y, and returns it.
function Grains:getPositions(list)
    local view, n = living_view(self, 'pv_grains_get_view'), 0
    list = errors.check_list(list, 'pv_grains_get_view')
    local xs, ys = view.x, view.y
    for i = 0, view.count - 1 do
        if ys[i] ~= no_grain then
            list[n + 1], list[n + 2] = xs[i] / 65536, ys[i] / 65536
            n = n + 2
        end
    end
    return structs.cut_list(list, n)
end

local top_left = ffi.new 'pv_vec2'
--- Blends the grains over an Image or ImageData whose corner is at a point of the world.
function Grains:drawTo(data, x, y, zoom)
    local fn = 'pv_canvas_draw_grains'
    local view = living_view(self, fn)
    local canvas = sprites.canvas_of(data, fn, 'canvas')
    number(x, fn, 'top_left.x')
    number(y, fn, 'top_left.y')
    number(zoom or 1, fn, 'zoom')
    top_left.x, top_left.y = x, y
    local status = C.pv_canvas_draw_grains(canvas, view, top_left, zoom or 1)
    if status ~= 0 then errors.refuse(status, fn) end
end

for _, name in ipairs { 'emit', 'emitMask', 'merge', 'getPositions', 'drawTo' } do jit.off(Grains[name]) end
