--[[ test_memory.lua - frames allocate nothing, and the collector frees worlds, sprites and masks.

SPDX-License-Identifier: Zlib ]]

local pixverlet = require 'pixverlet'
local support = require 'support'
local tests = {}

-- Resident memory of this process, in KiB.
local function resident()
    for line in io.lines '/proc/self/status' do
        local kib = line:match '^VmRSS:%s*(%d+) kB'
        if kib then return tonumber(kib) end
    end
end

-- Returns the bytes that 600 frames allocate. LuaJIT's machine code counts, too, and a rare branch compiles late; allocation in
-- each frame would fail all four windows.
local function allocated(frame)
    local grown
    for _ = 1, 4 do
        for _ = 1, 600 do frame() end
        collectgarbage()
        collectgarbage 'stop'
        local before = collectgarbage 'count'
        for _ = 1, 600 do frame() end
        grown = (collectgarbage 'count' - before) * 1024
        collectgarbage 'restart'
        if grown == 0 then break end
    end
    return grown
end

tests['600 frames allocate nothing'] = function()
    local world = support.room()
    local mask, bodies, told, list = support.sprite 'ball', {}, 0, {}
    for i = 1, 30 do bodies[i] = world:newBody(mask, 12 * i, 250 - 40 * (i % 4)) end
    world:setCallbacks { hit = function() told = told + 1 end }
    local hero = world:newMover(pixverlet.newMask(10, 20, true), 380, 290)
    local function frame()
        world:update(1 / 60)
        world:getPositions(list)
        for i = 1, #bodies do
            bodies[i]:getPosition()
            bodies[i]:getPose()
            bodies[i]:getAngle()
        end
        bodies[1]:setVelocity(0, 0)
        bodies[2]:applyForce(3, 0)
        hero:move(0, 100)
        hero:getPosition()
    end
    local grown = allocated(frame)
    assert(told > 0)
    support.equal(grown, 0, 'bytes')
end

tests['getters and queries of 600 frames allocate nothing'] = function()
    local world, floor = support.room()
    local mask = pixverlet.newMask(16, 16, true)
    local body, other = world:newBody(mask, 100, 292), world:newBody(mask, 110, 276)
    local joint, hero = world:newDistanceJoint(body, 100, 292, nil, 50, 200), world:newMover(mask, 300, 300)
    local placed, next_to, swept = pixverlet.placedCentered(mask, 0, 0, 0), pixverlet.placedCentered(mask, 5, 0, 0), pixverlet.newSwept(mask, 200, 200, 0, 200, 400, 0)
    local dust = world:newGrains { capacity = 10, life = 1e6 }
    dust:emit(200, 200)
    local filter, into = { mask_bits = 1, include_sensors = true }, setmetatable({}, { __index = function(all, name)
        all[name] = {}
        return all[name]
    end })
    local found = 0
    local function frame()
        world:update(1 / 60)
        body:getVelocity()
        body:getFilter()
        body:getRotation()
        body:getBounds()
        body:getTransform(into.transform)
        body:testOverlap(other)
        found = found + #body:getContacts(into.contacts) + #world:queryBox(50, 200, 150, 320, filter, into.bodies) +
            #world:queryCircle(100, 290, 30, nil, into.circle) + #world:castRay(0, 295, 400, 295, 'all', nil, into.hits) +
            #world:castMask(swept, 'closest', nil, into.touch) + #world:getBodies(into.all) + #floor:getContacts(into.floor)
        world:getStats(into.stats)
        world:getProfile(into.profile)
        joint:getForce()
        hero:move(10, 100)
        hero:getGroundNormal()
        hero:getTransform(into.hero)
        hero:query(filter, into.near)
        placed:computeOverlap(next_to, into.placed)
        placed:castSegment(-20, 0, 20, 0, into.ray)
        mask:computeMass(into.mass)
        dust:getStats(into.dust)
    end
    support.equal(allocated(frame), 0, 'bytes')
    assert(found > 5000)
end

tests['worlds, sprites and masks are freed'] = function()
    local function work()
        local world = support.room()
        local ground = world:newBody(support.sprite 'ground', 300, 400, 'static')
        for i = 1, 20 do world:newBody(support.sprite 'rock_large', 60 * i, 100) end
        for i = 1, 10 do ground:carve { x = 50 * i, y = 340, radius = 20 } end
        for _ = 1, 3 do world:step() end
        world:setCallbacks { filter = function() return true end }
        world:step()
        world:save()
        ground:getMask():copy()
    end
    for _ = 1, 10 do work() end
    collectgarbage()
    collectgarbage()
    local before = resident()
    for _ = 1, 60 do
        work()
        collectgarbage()
    end
    collectgarbage()
    local grown = resident() - before
    assert(grown < 3000, ('%d KiB more after 60 worlds of over 1 MiB each'):format(grown))
end

tests['a destroyed world is not destroyed again by the collector'] = function()
    for _ = 1, 50 do
        local world = support.room()
        world:destroy()
    end
    collectgarbage()
    collectgarbage()
end

tests['bodies that are gone are forgotten'] = function()
    local world = support.room()
    local weak = setmetatable({}, { __mode = 'k' })
    local mask = pixverlet.newMask(8, 8, true)
    for _ = 1, 200 do
        local body = world:newBody(mask, 100, 100)
        weak[body] = true
        body:destroy()
    end
    world:step()
    collectgarbage()
    collectgarbage()
    support.equal(next(weak), nil)
    support.equal(world.body_count, 1)
end

return tests
