--[[ test_world.lua - time, motion, callbacks, joints, particles, movers and grains.

SPDX-License-Identifier: Zlib ]]

local pixverlet = require 'pixverlet'
local support = require 'support'
local equal, near, room = support.equal, support.near, support.room
local tests = {}

tests['a falling body follows the formula'] = function()
    local world = pixverlet.newWorld(0, 300)
    local body = world:newBody(pixverlet.newMask(8, 8, true), 10, 20, 'dynamic', { velocity = { 30, 0 } })
    for _ = 1, 60 do world:step() end
    local x, y = body:getPosition()
    near(x, 40, 1e-6, 'x')
    near(y, 20 + 150, 300 / 60 / 2 + 0.01, 'y: off by at most half a step of speed')
    local vx, vy = body:getVelocity()
    near(vx, 30, 1e-9)
    near(vy, 300, 1e-6)
end

local function crowd(options)
    local world, mask = pixverlet.newWorld(0, 300, options), pixverlet.newMask(16, 16, true)
    world:newBody(pixverlet.newMask(800, 20, true), 400, 500, 'static')
    for i = 0, 299 do world:newBody(mask, 100 + 20 * (i % 30), 20 + 20 * math.floor(i / 30), 'dynamic', { angle = 0.1 * i }) end
    return world
end

tests['any number of workers gives the same hashes'] = function()
    local one, three, changing = crowd(), crowd { workers = 3 }, crowd { workers = 1 }
    equal(one:getWorkers(), 1)
    equal(three:getWorkers(), 3)
    for i = 1, 60 do
        changing:setWorkers(1 + i % 4)
        equal(changing:getWorkers(), 1 + i % 4)
        for _, world in ipairs { one, three, changing } do world:step() end
        equal(one:hash(), three:hash(), 'step ' .. i)
        equal(one:hash(), changing:hash(), 'step ' .. i)
    end
    changing:setWorkers(0)
    assert(changing:getWorkers() >= 1)
end

tests['wrong numbers of workers are refused'] = function()
    local world = crowd()
    for value, words in pairs { [-1] = 'workers is -1', [65] = 'workers is 65', [1.5] = 'workers is 1.5', ['2'] = 'workers is "2"' } do
        support.refused(words, function() world:setWorkers(value) end)
        support.refused(words, function() pixverlet.newWorld(0, 0, { workers = value }) end)
    end
    support.refused('workers is nil', function() world:setWorkers() end)
    support.refused('worker_count', function() pixverlet.newWorld(0, 0, { worker_count = 2 }) end)
    equal(world:getWorkers(), 1)
    local refusals = 0
    world:setCallbacks({ filter = function()
        local good = pcall(world.setWorkers, world, 2)
        if not good then refusals = refusals + 1 end
        return true
    end })
    for _ = 1, 30 do world:step() end
    assert(refusals > 0)
    equal(world:getWorkers(), 1)
    world:destroy()
    support.refused('pv_world_set_workers', function() world:setWorkers(2) end)
end

-- Returns the number of threads of this process, from Linux.
local function thread_count()
    for line in io.lines '/proc/self/status' do
        local count = line:match '^Threads:%s*(%d+)'
        if count then return tonumber(count) end
    end
end

tests['threads end with their world'] = function()
    local status = io.open '/proc/self/status'
    if not status then return end
    status:close()
    collectgarbage()
    collectgarbage()
    local before = thread_count()
    local world = crowd { workers = 4 }
    equal(thread_count(), before + 3)
    world:setWorkers(2)
    equal(thread_count(), before + 1)
    world:step()
    world:destroy()
    equal(thread_count(), before)
    world = crowd { workers = 3 }
    equal(thread_count(), before + 2)
    world = nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    equal(thread_count(), before)
    support.refused('substeps', function() pixverlet.newWorld(0, 0, { workers = 3, substeps = -1 }) end)
    equal(thread_count(), before)
end

tests['update makes steps of one length'] = function()
    local world = pixverlet.newWorld(0, 100, { step = 1 / 50, max_steps = 3 })
    equal(world:update(0.019), 0)
    near(world:getAlpha(), 0.95, 1e-9)
    equal(world:update(0.003), 1)
    near(world:getAlpha(), 0.1, 1e-9)
    equal(world:update(10), 3, 'no more than max_steps')
end

tests['poses for drawing lie between the last two steps'] = function()
    local world = pixverlet.newWorld(0, 0)
    local body = world:newBody(pixverlet.newMask(10, 6, true), 50, 50, 'dynamic', { velocity = { 60, 0 }, angular_velocity = 3 })
    world:update(1 / 60)
    world:update(1 / 60 + 1 / 240)
    local alpha = world:getAlpha()
    near(alpha, 0.25, 1e-6)
    local x, y = body:getDrawPosition()
    near(x, 51 + alpha, 1e-6)
    near(y, 50, 1e-6)
    local left, top, angle = body:getPose()
    near(angle, 3 * (1 + alpha) / 60, 1e-4)
    near(left, x - 5 * math.cos(angle) + 3 * math.sin(angle), 1e-6)
    near(top, y - 5 * math.sin(angle) - 3 * math.cos(angle), 1e-6)
end

tests['carving and jumps do not smear the picture'] = function()
    local world = pixverlet.newWorld(0, 0)
    local body = world:newBody(pixverlet.newMask(40, 20, true), 50, 50)
    for _ = 1, 3 do world:update(1 / 60) end
    body:carve { box = { 30, 40, 50, 60 } }
    world:update(1 / 60 + 1 / 120)
    near(world:getAlpha(), 0.5, 1e-6)
    local left, top = body:getPose()
    near(left, 30, 1e-6)
    near(top, 40, 1e-6)
    near(body:getDrawPosition(), 60, 1e-6)
    body:setPosition(160, 50)
    world:update(1 / 60)
    near(body:getPose(), 130, 1e-6, 'after a jump')
end

tests['a position is that of the last change, not of the last step'] = function()
    local world = room()
    local body = world:newBody(pixverlet.newMask(8, 8, true), 10, 20)
    equal(body:getX(), 10, 'before the first step')
    world:step()
    body:setPosition(70, 80)
    equal(body:getX(), 70)
    equal(body:getY(), 80)
    body:setEnabled(false)
    world:step()
    equal(body:getX(), 70, 'of a disabled body')
end

tests['all positions in one list'] = function()
    local world, floor = room()
    local body = world:newBody(pixverlet.newMask(8, 8, true), 10, 20)
    local list = world:getPositions()
    equal(#list, 6)
    equal(list[1], floor)
    equal(list[4], body)
    equal(list[5], 10)
    for _ = 1, 20 do world:step() end
    equal(world:getPositions(list), list)
    equal(list[6], body:getY())
    floor:destroy()
    equal(#world:getPositions(list), 3)
    equal(list[1], body)
end

tests['contacts, hits and sensors call back'] = function()
    local world, floor = room()
    local sensor = world:newBody(pixverlet.newMask(100, 20, true), 100, 250, 'static', { sensor = true })
    local body = world:newBody(support.sprite 'ball', 100, 200)
    local told = {}
    local function note(kind) return function(...) told[kind] = told[kind] or { ... } end end
    world:setCallbacks { beginContact = note 'begin', endContact = note 'end', hit = note 'hit', beginSensor = note 'enter', endSensor = note 'leave',
        sleep = note 'sleep' }
    for _ = 1, 240 do world:step() end
    equal(told.begin[1], floor)
    equal(told.begin[2], body)
    equal(told.hit[2], body)
    near(told.hit[4], 300, 1, 'y of the hit')
    near(told.hit[6], -1, 1e-6, 'normal, up from the floor')
    near(told.hit[7], math.sqrt(2 * 320 * (300 - 200 - 16)), 8, 'speed of the hit')
    equal(told.enter[1], sensor)
    equal(told.leave[2], body)
    equal(told.sleep[1], body)
    body:destroy()
    world:step()
    equal(told['end'][2], body)
    world:setCallbacks { beginContact = false }
    equal(world.callbacks.beginContact, nil)
end

tests['polygons move and touch as bodies do'] = function()
    local world, floor = room()
    local crate = world:newPolygon { points = { { 90, 260 }, { 110, 260 }, { 110, 280 }, { 90, 280 } }, mass = 4, restitution = 0 }
    local told = {}
    world:setCallbacks { beginContact = function(a, b) told.begin = { a, b } end, hit = function(a, b) told.hit = { a, b } end,
        sleep = function(body) told.sleep = body end }
    crate:setVelocity(0, 60)
    near(select(2, crate:getVelocity()), 60, 1e-9)
    crate:applyImpulse(0, 80)
    near(select(2, crate:getVelocity()), 80, 1e-9)
    equal(crate:getMass(), 4)
    for _ = 1, 120 do world:step() end
    equal(told.begin[1], floor)
    equal(told.begin[2], crate)
    equal(told.hit[2], crate)
    equal(told.sleep, crate)
    local contacts = world:getContacts()
    equal(#contacts, 1)
    equal(contacts[1].a, floor)
    equal(contacts[1].b, crate)
    near(contacts[1].normal.y, -1, 1e-3)
    equal(crate:getContacts()[1].a, floor)
    equal(world:queryCircle(100, 290, 4)[1], crate)
    equal(world:queryBox(95, 285, 105, 295)[1], crate)
    equal(world:pickBody(100, 290), crate)
    crate:destroy()
    equal(#world:getContacts(), 0)
end

tests['an error in a callback comes out of update, and the world goes on'] = function()
    local world = room()
    world:newBody(pixverlet.newMask(8, 8, true), 100, 290)
    world:setCallbacks { beginContact = function() error 'mine' end }
    local good, why
    for _ = 1, 60 do
        good, why = pcall(world.step, world)
        if not good then break end
    end
    equal(good, false)
    assert(why:find 'mine')
    world:step()
end

tests['a filter decides who collides, and its error is raised after the step'] = function()
    local world, floor = room()
    local ghost = world:newBody(pixverlet.newMask(8, 8, true), 100, 280)
    local solid = world:newBody(pixverlet.newMask(8, 8, true), 200, 280)
    world:setCallbacks { filter = function(a, b) return a ~= ghost and b ~= ghost end }
    for _ = 1, 120 do world:step() end
    assert(ghost:getY() > 400, 'the ghost fell through')
    near(solid:getY(), 296, 0.1)
    equal(floor:getY(), 310)
    world:setCallbacks { filter = function() error 'in the filter' end }
    local good, why
    for _ = 1, 10 do
        good, why = pcall(world.step, world)
        if not good then break end
    end
    equal(good, false)
    assert(why:find 'in the filter')
    world:setCallbacks { filter = false }
    world:step()
end

tests['presolve judges contacts'] = function()
    local world = room()
    local body = world:newBody(pixverlet.newMask(8, 8, true), 100, 280)
    local asked
    world:setCallbacks { presolve = function(a, b, contact)
        asked = { a, b, contact.normal.y }
        return 'ignore'
    end }
    for _ = 1, 60 do world:step() end
    equal(asked[2], body)
    near(math.abs(asked[3]), 1, 1e-6)
    assert(body:getY() > 320)
end

tests['joints hold'] = function()
    local world = pixverlet.newWorld(0, 320)
    local mask = pixverlet.newMask(10, 10, true)
    local bob, other = world:newBody(mask, 100, 100), world:newBody(mask, 150, 100)
    local rope = world:newRopeJoint(bob, 100, 100, nil, 40, 100, 60)
    local pin = world:newPinJoint(bob, other, 125, 100)
    local motor = world:newJoint { type = 'motor', b = { body = other }, motor_speed = 2, max_force = 1000 }
    for _ = 1, 120 do world:step() end
    local x, y = bob:getPosition()
    assert(math.sqrt((x - 40) ^ 2 + (y - 100) ^ 2) < 61, 'the rope is not longer than itself')
    equal(rope:getType(), 'rope')
    equal(pin:getType(), 'pin')
    equal(motor:getType(), 'motor')
    assert(rope:getForce() > 0)
    rope:destroy()
    support.refused('pv_joint_get_force: joint names no living joint', function() rope:getForce() end)
end

tests['particles, polygons, liquids, fields and composites'] = function()
    local world = room()
    local dot = world:newParticle { position = { 30, 30 }, radius = 2 }
    local held = world:newParticle { position = { 60, 30 }, mass = 0 }
    world:newDistanceJoint(dot, nil, nil, held)
    local polygon = world:newPolygon { points = { { 100, 100 }, { 130, 100 }, { 115, 130 } } }
    local liquid = world:newLiquid()
    liquid:addParticle(world:newParticle { position = { 200, 100 }, radius = 3 })
    world:newForceField { type = 'attractor', area = { min = { 0, 0 }, max = { 400, 300 } }, point = { 200, 0 }, strength = 10 }
    local rope = world:newRope { from = { point = { 300, 50 } }, to = { point = { 380, 50 } }, segments = 8 }
    for _ = 1, 30 do world:step() end
    local x, y = dot:getPosition()
    near(math.sqrt((x - 60) ^ 2 + (y - 30) ^ 2), 30, 0.1, 'length of the joint')
    equal(#polygon:getCorners(), 3)
    equal(world:getPolygons()[1], polygon)
    local px, py = polygon:getPosition()
    assert(py > 112)
    equal(world:castRay(px, py - 40, px, py + 40, 'closest')[1].body, polygon)
    equal(#liquid:getParticles(), 1)
    equal(#rope:getParticles(), 9)
    equal(#world:getParticlePositions(), 2 * world:getStats().particles)
end

tests['a mover walks, falls and stands'] = function()
    local world = room()
    local hero = world:newMover(pixverlet.newMask(10, 20, true), 100, 250)
    local vy = 0
    for _ = 1, 60 do
        vy = select(2, hero:getVelocity()) + 900 / 60
        world:step()
        hero:move(60, vy)
    end
    local x, y = hero:getPosition()
    near(y, 300, 1e-6)
    near(x, 160, 0.5)
    equal(hero.grounded, true)
    equal(hero.ground:getType(), 'static')
    equal(hero.wall, nil)
    local tall = pixverlet.newMask(10, 40, true)
    equal(hero:fits(), true)
    equal(hero:fits(tall), true)
    world:newBody(pixverlet.newMask(200, 10, true), x, 265, 'static')
    equal(hero:fits(), true)
    equal(hero:fits(tall), false)
    equal(hero:fits(tall, 5, 10), false)
    support.refused('pivot', function() hero:fits(tall, 0 / 0, 0) end)
    support.refused('mask', function() hero:fits(7) end)
    hero:set { position = { 50, 100 }, grounded = false }
    equal(hero:getPosition(), 50)
end

tests['grains fall, pile and follow carving'] = function()
    local world, floor = room()
    local grains = world:newGrains { capacity = 500, follow = true }
    for i = 1, 50 do grains:emit(100 + i % 7, 200 + i, 0, 0) end
    for _ = 1, 240 do world:step() end
    local places = grains:getPositions()
    equal(#places, 100)
    for i = 2, #places, 2 do assert(places[i] > 280 and places[i] < 301, 'it lies on the floor') end
    floor:carve { x = 300, y = 300, radius = 5 }
    assert(#grains:getPositions() > 100)
    equal(grains:getStats().grains, #grains:getPositions() / 2)
end

tests['destroying a world ends its objects'] = function()
    local world = room()
    local body = world:newBody(pixverlet.newMask(8, 8, true), 10, 20)
    world:destroy()
    equal(world:isDestroyed(), true)
    equal(body:isValid(), false)
    support.refused('the world was destroyed', function() body:getPosition() end)
    support.refused('pv_world_step: the world was destroyed', function() world:step() end)
end

tests['a callback may destroy the world and its bodies'] = function()
    local world = room()
    for i = 1, 5 do world:newBody(pixverlet.newMask(8, 8, true), 40 * i, 294) end
    world:setCallbacks { beginContact = function(_, body)
        if body:isValid() then body:destroy() end
    end }
    for _ = 1, 30 do world:step() end
    equal(#world:getBodies(), 1)
    world:newBody(pixverlet.newMask(8, 8, true), 100, 294)
    world:setCallbacks { beginContact = function() world:destroy() end }
    while not world:isDestroyed() do world:update(1 / 60) end
end

return tests
