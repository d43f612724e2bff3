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
    -- Machine code of LuaJIT counts, too, and a rare branch compiles late. Allocation in each frame would fail every window.
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
    assert(told > 0)
    support.equal(grown, 0, 'bytes')
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
