--[[ handles.lua - the classes, and objects of Lua that stand for ids of a world.

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
    particle = 'Particle', polygon = 'Polygon', mask = 'Mask', sprite = 'Sprite', mover = 'Mover',
} do
    local class = {}
    class.__index = class
    class.__tostring = function(self)
        return self.id and ('%s %d.%d'):format(name, self.id.index, self.id.generation) or name
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

--- Returns an empty table of objects for each kind. The world holds its bodies for their sprites.
function handles.new_tables()
    local tables = {}
    for noun, class in pairs(classes) do
        if nulls[class] then tables[noun] = noun == 'body' and {} or setmetatable({}, { __mode = 'v' }) end
    end
    return tables
end

--- Returns the object of an id, or nil for the null id. Members 1 to 3 are what reading a pose needs: they share a cache line.
function handles.object(world, noun, id)
    if id.generation == 0 then return nil end
    local objects, key = world.objects[noun], key_of(id.index, id.generation)
    local object = objects[key]
    if not object then
        object = setmetatable({ world, id.index, id.generation, world = world, id = ffi.new('pv_' .. noun .. '_id', id) }, classes[noun])
        objects[key] = object
        if noun == 'body' then world.body_count = world.body_count + 1 end
    end
    return object
end

function handles.check_self(self, class, name)
    if getmetatable(self) ~= class then wrong(self, name, 'self', 'a ' .. names[class]) end
end
local check_self = handles.check_self

--- Returns the world's pointer for a call of one of its objects.
function handles.pointer_of(self, class, name)
    check_self(self, class, name)
    local pointer = (self.world or self).pointer
    if not pointer then raise(name .. ': the world was destroyed') end
    return pointer
end

--- Returns the id of an argument; nil is the null id.
function handles.id_of(object, class, world, name, field)
    if object == nil then return nulls[class] end
    if getmetatable(object) ~= class then wrong(object, name, field, 'a ' .. names[class]) end
    if object.world ~= world then raise(('%s: %s belongs to another world'):format(name, field)) end
    return object.id
end
local id_of = handles.id_of

--- Returns the pointer of a Mask, or of a Sprite's mask.
function handles.mask_of(object, name, field)
    local class = getmetatable(object)
    if class ~= classes.Sprite and class ~= classes.Mask then wrong(object, name, field, 'a Sprite or a Mask') end
    return class == classes.Sprite and object.mask.pointer or object.pointer
end

--- Fills in an anchor: an object and a point, or the world's point without an object.
function handles.set_anchor(anchor, object, x, y, world, name, field)
    ffi.fill(anchor, ffi.sizeof 'pv_anchor')
    local class = getmetatable(object)
    if class == classes.Particle then anchor.particle = id_of(object, class, world, name, field)
    elseif class == classes.Body then anchor.body = id_of(object, class, world, name, field)
    elseif class == classes.Polygon then anchor.polygon = id_of(object, class, world, name, field)
    elseif object ~= nil then wrong(object, name, field, 'a Body, a Particle, a Polygon or nil') end
    if class == classes.Particle and x == nil then return end
    errors.number(x, name, field .. '.point.x')
    errors.number(y, name, field .. '.point.y')
    anchor.point.x, anchor.point.y = x, y
end

local mask_release = C.pv_mask_release
--- Wraps a mask whose reference the collector will release.
function handles.own_mask(pointer) return setmetatable({ pointer = ffi.gc(pointer, mask_release) }, classes.Mask) end

return handles
