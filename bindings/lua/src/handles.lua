--[[ handles.lua - the classes, and Lua objects that stand for ids of a world.

Invariant: one id of one world is one object as long as the game or the world holds it.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local loader, errors = require 'pixverlet.loader', require 'pixverlet.errors'
local C, raise, wrong = loader.C, errors.raise, errors.wrong

local handles = {}

local classes, names = {}, {}
handles.classes = classes
for noun, name in pairs {
    world = 'World', body = 'Body', composite = 'Composite', force_field = 'ForceField', grains = 'Grains', joint = 'Joint', liquid = 'Liquid',
    particle = 'Particle', mask = 'Mask', sprite = 'Sprite', mover = 'Mover', image = 'Image', frames = 'Frames', group = 'Group',
    material_map = 'MaterialMap', outline = 'Outline', parts = 'Parts', placed = 'Placed', swept = 'Swept',
} do
    local class = {}
    class.__index = class
    class.__tostring = function(self)
        return self[3] and ('%s %d.%d'):format(name, self[2], self[3]) or name
    end
    classes[name], classes[noun], names[class] = class, class, name
end

-- Generations take the upper digits, so that a key is a whole number below 2^53.
local generation_unit = 2 ^ 24
local function key_of(index, generation) return generation * generation_unit + index end
handles.key_of = key_of

local nulls = {}
for noun in pairs(classes) do
    if pcall(ffi.typeof, 'pv_' .. noun .. '_id') then nulls[classes[noun]] = ffi.new('pv_' .. noun .. '_id') end
end

--- Returns an empty table of objects for each kind. The world keeps its bodies alive for their sprites.
function handles.new_tables()
    local tables = {}
    for noun, class in pairs(classes) do
        if nulls[class] then tables[noun] = noun == 'body' and {} or setmetatable({}, { __mode = 'v' }) end
    end
    return tables
end

-- Objects are made in batches, so that they lie side by side in memory. A loop over bodies reads them after each step.
local blanks, blank_count = {}, 0
local function next_blank()
    if blank_count == 0 then
        blank_count = 64
        for i = blank_count, 1, -1 do blanks[i] = { false, false, false, false, false } end
    end
    local object = blanks[blank_count]
    blanks[blank_count] = false
    blank_count = blank_count - 1
    return object
end

-- An object is a list: its world, index, generation and id; and the look of a body, made on demand.
-- Without named fields, finding a method reads one cache line less.
local function new_object(world, noun, index, generation)
    if noun == 'body' then world.body_count = world.body_count + 1 end
    local object = next_blank()
    object[1], object[2], object[3], object[4] = world, index, generation, ffi.new('pv_' .. noun .. '_id', index, generation)
    return setmetatable(object, classes[noun])
end

--- Returns the object of an index and a generation, or nil for the null id.
function handles.object_at(world, noun, index, generation)
    if generation == 0 then return nil end
    local objects, key = world.objects[noun], key_of(index, generation)
    local object = objects[key]
    if not object then
        object = new_object(world, noun, index, generation)
        objects[key] = object
    end
    return object
end
local object_at = handles.object_at

--- Returns what is known about drawing a body.
function handles.look_of(body)
    if not body[5] then body[5] = {} end
    return body[5]
end

--- Returns the object of an id, or nil for the null id.
function handles.object(world, noun, id) return object_at(world, noun, id.index, id.generation) end

function handles.check_self(self, class, name)
    if getmetatable(self) ~= class then wrong(self, name, 'self', 'a ' .. names[class]) end
end
local check_self = handles.check_self

--- Returns the world's pointer for a call of one of its objects.
function handles.pointer_of(self, class, name)
    check_self(self, class, name)
    local pointer = (class == classes.World and self or self[1]).pointer
    if not pointer then raise(name .. ': the world was destroyed') end
    return pointer
end

--- Returns the id of an argument; nil is the null id.
function handles.id_of(object, class, world, name, field)
    if object == nil then return nulls[class] end
    if getmetatable(object) ~= class then wrong(object, name, field, 'a ' .. names[class]) end
    if object[1] ~= world then raise(('%s: %s belongs to another world'):format(name, field)) end
    return object[4]
end
local id_of = handles.id_of

--- Returns the pointer of a Mask, or of a Sprite's mask.
function handles.mask_of(object, name, field)
    local class = getmetatable(object)
    if class ~= classes.Sprite and class ~= classes.Mask then wrong(object, name, field, 'a Sprite or a Mask') end
    return class == classes.Sprite and object.mask.pointer or object.pointer
end

--- Fills in an anchor: an object and a point, or without an object a point of the world.
function handles.set_anchor(anchor, object, x, y, world, name, field)
    ffi.fill(anchor, ffi.sizeof 'pv_anchor')
    local class = getmetatable(object)
    if class == classes.Particle then anchor.particle = id_of(object, class, world, name, field)
    elseif class == classes.Body then anchor.body = id_of(object, class, world, name, field)
    elseif object ~= nil then wrong(object, name, field, 'a Body, a Particle or nil') end
    if class == classes.Particle and x == nil then return end
    errors.number(x, name, field .. '.point.x')
    errors.number(y, name, field .. '.point.y')
    anchor.point.x, anchor.point.y = x, y
end

-- ---- Objects that belong to no world

local free = { frames = C.pv_frames_destroy, group = C.pv_group_destroy, image = C.pv_image_destroy, mask = C.pv_mask_release,
    material_map = C.pv_material_map_release, outline = C.pv_outline_destroy, parts = C.pv_parts_destroy }
--- Wraps a pointer that C created; the collector will free it. Null becomes nil.
function handles.own(pointer, noun)
    if pointer == nil then return nil end
    return setmetatable({ pointer = ffi.gc(pointer, free[noun]) }, classes[noun])
end
local own = handles.own

local retain = { mask = function(pointer) return C.pv_mask_retain(ffi.cast('pv_mask *', pointer)) end,
    material_map = function(pointer) return C.pv_material_map_retain(ffi.cast('pv_material_map *', pointer)) end }
--- Wraps a pointer that C keeps as well.
function handles.retained(pointer, noun)
    if pointer == nil then return nil end
    return own(retain[noun](pointer), noun)
end

--- Returns the pointer of an object.
function handles.resource_of(object, class, name, field)
    if getmetatable(object) ~= class then wrong(object, name, field, 'a ' .. names[class]) end
    return object.pointer
end
--- Returns the pointer of an Image, or of a Sprite's image; nil is null.
function handles.image_of(object, name, field)
    local class = getmetatable(object)
    if object ~= nil and class ~= classes.Image and class ~= classes.Sprite then wrong(object, name, field, 'an Image, a Sprite or nil') end
    return object and object.pointer
end

--- Wraps a placed mask, and keeps its mask alive.
function handles.new_placed(value)
    return setmetatable({ pointer = ffi.new('pv_placed', value), mask = handles.retained(value.mask, 'mask') }, classes.Placed)
end

--- Returns the number that stands for a member of a group; nil for the null id.
function handles.member_key(index, generation) return generation ~= 0 and key_of(index, generation) or nil end
local member = ffi.new 'pv_member_id'
function handles.member_of(value, name, field)
    errors.size(value, name, field)
    member.index, member.generation = value % generation_unit, math.floor(value / generation_unit) % 2 ^ 32
    return member
end

return handles
