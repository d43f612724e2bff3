--[[ carve.lua - cuts of bodies and worlds: circles, boxes, lines, polygons and sprites.

Invariant: a cut has one shape.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local errors, handles, events = require 'pixverlet.errors', require 'pixverlet.handles', require 'pixverlet.events'

local C = require('pixverlet.loader').C
local classes, pointer_of, number = handles.classes, handles.pointer_of, errors.number
local World, Body = classes.World, classes.Body

local cut, carved = ffi.new 'pv_cut', ffi.new 'pv_carve_result'
local from, to, transform = ffi.new 'pv_vec2', ffi.new 'pv_vec2', nil

local function numbers(list, count, fn, field)
    if type(list) ~= 'table' then errors.wrong(list, fn, field, 'a list of numbers') end
    for i = 1, count do number(list[i], fn, ('%s[%d]'):format(field, i)) end
end

local shapes = {}
function shapes.radius(shape, fn)
    number(shape.x, fn, 'cut.x')
    number(shape.y, fn, 'cut.y')
    number(shape.radius, fn, 'cut.radius')
    from.x, from.y = shape.x, shape.y
    return C.pv_cut_circle(from, shape.radius)
end
function shapes.box(shape, fn)
    local box = shape.box
    numbers(box, 4, fn, 'cut.box')
    from.x, from.y, to.x, to.y = box[1], box[2], box[3], box[4]
    return C.pv_cut_box(from, to)
end
function shapes.line(shape, fn)
    local line = shape.line
    numbers(line, 4, fn, 'cut.line')
    number(shape.width, fn, 'cut.width')
    from.x, from.y, to.x, to.y = line[1], line[2], line[3], line[4]
    return C.pv_cut_line(from, to, shape.width)
end
function shapes.polygon(shape, fn)
    local list = shape.polygon
    if type(list) ~= 'table' then errors.wrong(list, fn, 'cut.polygon', 'a list of numbers') end
    local count = math.floor(#list / 2)
    numbers(list, 2 * count, fn, 'cut.polygon')
    local points = ffi.new('pv_vec2[?]', math.max(count, 1))
    for i = 0, count - 1 do points[i].x, points[i].y = list[2 * i + 1], list[2 * i + 2] end
    return C.pv_cut_polygon(points, count), points
end
function shapes.sprite(shape, fn)
    local mask = handles.mask_of(shape.sprite, fn, 'cut.sprite')
    number(shape.x, fn, 'cut.x')
    number(shape.y, fn, 'cut.y')
    from.x, from.y = shape.x, shape.y
    local angle = shape.angle or 0
    number(angle, fn, 'cut.angle')
    transform = C.pv_placed_centered(mask, from, angle).transform
    return C.pv_cut_mask(mask, transform)
end

local members = { add = 'bool', ['local'] = 'bool', max_hardness = 'int' }
local belongs = { radius = { x = true, y = true }, line = { width = true }, sprite = { x = true, y = true, angle = true } }

local function shape_of(shape, fn)
    local found
    if type(shape) ~= 'table' then errors.wrong(shape, fn, 'cut', 'a table') end
    for name in pairs(shapes) do
        if shape[name] ~= nil then
            if found then errors.raise(('%s: cut has both %s and %s'):format(fn, found, name)) end
            found = name
        end
    end
    return found or errors.raise(fn .. ': cut has no shape: radius, box, line, polygon or sprite')
end

-- Fills in the cut from a table, and returns memory that must live until the call.
local function cut_of(shape, fn)
    local name = shape_of(shape, fn)
    local made, kept = shapes[name](shape, fn)
    cut = made
    for member, value in pairs(shape) do
        if members[member] == 'bool' then errors.truth(value, fn, 'cut.' .. member) cut[member] = value
        elseif members[member] then errors.integer(value, fn, 'cut.' .. member) cut[member] = value
        elseif member ~= name and not (belongs[name] and belongs[name][member]) then
            errors.raise(('%s: cut has no member %s'):format(fn, tostring(member)))
        end
    end
    return kept
end

--- Removes the pixels of a shape from a body, or adds some. Returns the number of changed pixels, and of remaining bodies.
function Body:carve(shape)
    local fn = 'pv_body_carve'
    local pointer = pointer_of(self, Body, fn)
    local _ = cut_of(shape, fn) -- corners of a polygon, until the call
    self[1].fresh = false
    local status = C.pv_body_carve(pointer, self[4], cut, carved)
    if status ~= 0 or errors.failure.message then errors.refuse(status, fn) end
    return tonumber(carved.pixel_count), carved.body_count
end

--- Carves all bodies that a shape meets. Returns the number of changed pixels, and of changed bodies.
function World:carve(shape, filter)
    local fn = 'pv_world_carve'
    local pointer = pointer_of(self, World, fn)
    local _ = cut_of(shape, fn)
    self.fresh = false
    local count = C.pv_world_carve(pointer, cut, events.filter_of(filter, self, fn), carved)
    if errors.failure.message then errors.refuse() end
    return tonumber(carved.pixel_count), count
end

--- Cuts along a line with a width, 1 px by default, like carve().
function Body:cut(x1, y1, x2, y2, width) return Body.carve(self, { line = { x1, y1, x2, y2 }, width = width or 1 }) end
function World:cut(x1, y1, x2, y2, width, filter) return World.carve(self, { line = { x1, y1, x2, y2 }, width = width or 1 }, filter) end
for _, class in ipairs { World, Body } do
    jit.off(class.carve)
    jit.off(class.cut)
end
