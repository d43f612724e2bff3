--[[ test_misuse.lua - wrong uses are errors that name the field, at the line of the caller.

SPDX-License-Identifier: Zlib ]]

local pixverlet = require 'pixverlet'
local support = require 'support'
local refused, room = support.refused, support.room
local nan = 0 / 0
local tests = {}

tests['values out of range, and of a wrong type'] = function()
    local world = room()
    local mask = pixverlet.newMask(8, 8, true)
    local body = world:newBody(mask, 10, 10)
    refused('pv_body_set_velocity: velocity is not a finite number', function() body:setVelocity(nan, 0) end)
    refused('pv_body_set_velocity: velocity.y is nil, must be a number', function() body:setVelocity(1) end)
    refused('pv_body_set_restitution: restitution is 2, must be 0 to 1', function() body:setRestitution(2) end)
    refused('pv_body_set_type: type is "soft", must be one of dynamic, kinematic, static', function() body:setType 'soft' end)
    refused('pv_body_set_enabled: enabled is 1, must be true or false', function() body:setEnabled(1) end)
    refused('pv_body_set_motion_locks: locks is 0.5, must be a whole number', function() body:setMotionLocks(0.5) end)
    refused('pv_body_create: def.position.x is table', function() world:newBody(mask, {}, 1) end)
    refused('pv_body_create: def.mask is "star.png", must be a Sprite or a Mask', function() world:newBody('star.png', 1, 1) end)
    refused('pv_body_create: def has no member weight', function() world:newBody(mask, 1, 1, 'dynamic', { weight = 1 }) end)
    refused('def.restitution is 7', function() world:newBody(mask, 1, 1, 'dynamic', { restitution = 7 }) end)
    refused('def.density is "much", must be a number', function() world:newBody(mask, 1, 1, 'dynamic', { density = 'much' }) end)
    refused('pv_world_create: def.gravity', function() pixverlet.newWorld(nan, 0) end)
    refused('def.substeps is 100, must be 0 to 64', function() pixverlet.newWorld(0, 0, { substeps = 100 }) end)
    refused('pv_world_create: step is 0, must be more than 0', function() pixverlet.newWorld(0, 0, { step = 0 }) end)
    refused('World:update: dt is nan, must be a finite number', function() world:update(nan) end)
    refused('World:update: dt is nil', function() world:update() end)
    refused('self is nil, must be a Body', function() body.setVelocity(nil, 1, 2) end)
    refused('self is table, must be a World', function() world.step(body) end)
end

tests['queries, cuts and definitions'] = function()
    local world, floor = room()
    refused('pv_world_query_circle: radius', function() world:queryCircle(0, 0, -1) end)
    refused('pv_world_query_point: point', function() world:queryPoint(nan, 0) end)
    refused('pv_world_query_point: filter has no member wrong', function() world:queryPoint(0, 0, { wrong = 1 }) end)
    refused('pv_world_cast_ray: cast is "first", must be one of all, any, closest', function() world:castRay(0, 0, 1, 1, 'first') end)
    refused('cut has no shape', function() floor:carve {} end)
    refused('cut.radius is "big", must be a number', function() floor:carve { x = 1, y = 1, radius = 'big' } end)
    refused('cut has no member depth', function() floor:carve { x = 1, y = 1, radius = 1, depth = 3 } end)
    refused('pv_body_carve', function() floor:carve { x = 1, y = 1, radius = -4 } end)
    refused('pv_body_carve', function() floor:carve { x = nan, y = 1, radius = 4 } end)
    refused('pv_body_carve', function() floor:carve { polygon = { 1, 2, 3, 4 } } end)
    refused('cut.line[3] is nil', function() world:carve { line = { 1, 2 }, width = 1 } end)
    refused('pv_polygon_create', function() world:newPolygon { points = { { 0, 0 } } } end)
    refused('def.points[2].y is nil', function() world:newPolygon { points = { { 0, 0 }, { 1 } } } end)
    refused('def.filter has no member bits', function() world:newParticle { filter = { bits = 1 } } end)
    refused('def.radius', function() world:newParticle { radius = -3 } end)
    refused('fracture.mode is "shatter"', function() floor:setFracture { mode = 'shatter' } end)
    refused('there is no callback touch', function() world:setCallbacks { touch = print } end)
    refused('beginContact is 1, must be a function', function() world:setCallbacks { beginContact = 1 } end)
end

tests['objects that do not live, and those of other worlds'] = function()
    local world, floor = room()
    local other, stranger = room()
    local mask = pixverlet.newMask(8, 8, true)
    local body = world:newBody(mask, 100, 100)
    refused('a belongs to another world', function() world:newPinJoint(stranger, body, 1, 1) end)
    refused('b belongs to another world', function() body:testOverlap(stranger) end)
    refused('def.a.body belongs to another world', function() world:newJoint { a = { body = stranger } } end)
    refused('a is table, must be a Body', function() world:newPinJoint(world, body, 1, 1) end)
    body:destroy()
    refused('pv_body_destroy: body names no living body', function() body:destroy() end)
    refused('pv_body_get_position: body names no living body', function() body:getPosition() end)
    refused('pv_body_get_velocity: body names no living body', function() body:getVelocity() end)
    refused('names no living', function() body:applyImpulse(1, 1) end)
    refused('names no living', function() body:carve { x = 1, y = 1, radius = 1 } end)
    refused('names no living', function() body:getMask() end)
    refused('names no living', function() world:newPinJoint(floor, body, 1, 1) end)
    local again = world:newBody(mask, 100, 100)
    assert(again ~= body and not body:isValid() and again:isValid())
    refused('names no living', function() body:getX() end)
    other:destroy()
    refused('the world was destroyed', function() stranger:getX() end)
    refused('the world was destroyed', function() other:destroy() end)
end

tests['files and bytes'] = function()
    refused('cannot open nowhere.png', function() pixverlet.newSprite 'nowhere.png' end)
    refused('pv_image_load_memory', function() pixverlet.newSprite '\137PNG and then nothing' end)
    refused('pv_image_load', function() pixverlet.newSprite(support.source .. '/README.md') end)
    refused('source is nil, must be a path', function() pixverlet.newSprite() end)
    refused('threshold is "x"', function() pixverlet.newSprite(support.source .. '/sprites/star.png', 'x') end)
    refused('pv_mask_from_image', function() pixverlet.newSprite(support.source .. '/sprites/star.png', 300) end)
    refused('pv_mask_create: width is -1', function() pixverlet.newMask(-1, 4) end)
    local world = room()
    refused('pv_world_restore', function() world:restore 'not a snapshot' end)
    refused('snapshot is nil, must be a string', function() world:restore() end)
    local cut = world:save():sub(1, 200)
    refused('pv_world_restore', function() world:restore(cut) end)
    refused('this needs love.graphics', function() world:draw() end)
end

tests['a world in a step cannot be changed'] = function()
    local world, floor = room()
    local body = world:newBody(pixverlet.newMask(8, 8, true), 100, 290)
    world:setCallbacks { filter = function()
        floor:setPosition(1, 1)
        return true
    end }
    local good, why = true, nil
    for _ = 1, 60 do
        good, why = pcall(world.step, world)
        if not good then break end
    end
    assert(not good and why:find 'pv_body_set_position', tostring(why))
    world:setCallbacks { filter = function() world:destroy() end }
    body:setPosition(100, 290)
    for _ = 1, 60 do
        good, why = pcall(world.step, world)
        if not good then break end
    end
    assert(not good and why:find 'the world is in a step', tostring(why))
    support.equal(floor:getX(), 200)
end

return tests
