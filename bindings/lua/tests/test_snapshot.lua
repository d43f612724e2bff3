--[[ test_snapshot.lua - snapshots between Lua, a native program and Python, in both directions, with the same bits.

SPDX-License-Identifier: Zlib ]]

local pixverlet = require 'pixverlet'
local support = require 'support'
local equal = support.equal
local tests, steps = {}, 90
local peer = support.build .. '/tests/web_peer'

local function read(path)
    local file = assert(io.open(path, 'rb'))
    local bytes = file:read '*a'
    file:close()
    return bytes
end
local function write(path, bytes)
    local file = assert(io.open(path, 'wb'))
    file:write(bytes)
    file:close()
end
local function native(...)
    local output, status = support.run(table.concat({ 'PIXVERLET_SPRITES=' .. support.source .. '/sprites', peer, ... }, ' '))
    equal(status, 0, output)
    return (output:match '^%x+')
end
local function hash_after(world)
    for _ = 1, steps do world:step() end
    return world:hash()
end

for _, scene in ipairs { 'castle', 'shatter', 'ragdolls', 'waterfall', 'sand' } do
    tests[scene .. ': native to Lua, and back'] = function()
        local file, back = support.build .. '/lua/' .. scene .. '.snapshot', support.build .. '/lua/' .. scene .. '.back'
        local hash = native('save', scene, 60, file, steps)
        local world = pixverlet.newWorld()
        world:restore(read(file))
        write(back, world:save())
        equal(hash_after(world), hash)
        equal(native('resume', back, steps), hash)
        os.remove(file)
        os.remove(back)
    end
end

local function busy_world()
    local world = support.room()
    local star, bodies = support.sprite 'star', {}
    for i = 0, 19 do bodies[i + 1] = world:newBody(star, 60 + 60 * (i % 5), 250 - 60 * math.floor(i / 5), 'dynamic', { angle = i }) end
    world:newPinJoint(bodies[1], bodies[2], 90, 250)
    world:newRope { from = { body = bodies[3], point = { bodies[3]:getPosition() } }, to = { point = { 200, -50 } } }
    world:newGrains { capacity = 100 }:emit(100, 0, 5, 0)
    for _ = 1, 40 do world:step() end
    bodies[4]:carve { x = bodies[4]:getX(), y = bodies[4]:getY(), radius = 8 }
    return world, bodies
end

tests['a world of Lua goes on natively'] = function()
    local world = busy_world()
    local file = support.build .. '/lua/lua.snapshot'
    write(file, world:save())
    local hash = native('resume', file, steps)
    equal(hash_after(world), hash)
    os.remove(file)
end

-- Restores a file in Python, saves it to another one, continues, and prints the hash.
local script = [[
import sys
from pixverlet import World
with World() as world:
    world.restore(open(sys.argv[1], "rb").read())
    if len(sys.argv) > 3:
        for _ in range(30):
            world.step(1 / 60)
    open(sys.argv[2], "wb").write(world.save(pixels=True))
    for _ in range(]] .. steps .. [[):
        world.step(1 / 60)
    print(f"{world.hash:016x}")
]]
local function python(...)
    local output, status = support.run(table.concat({ ("PYTHONPATH=%s/python python3 -c '%s'"):format(support.build, script), ... }, ' '))
    equal(status, 0, output)
    return (output:match '^%x+')
end

tests['Lua to Python, and Python to Lua'] = function()
    local world = busy_world()
    local file, back = support.build .. '/lua/python.snapshot', support.build .. '/lua/python.back'
    write(file, world:save())
    local hash = python(file, back)
    equal(hash_after(world), hash)
    local restored = pixverlet.newWorld()
    restored:restore(read(back))
    equal(hash_after(restored), hash)
    hash = python(file, back, 'onward') -- saves the state of 30 steps later
    restored:restore(read(back))
    equal(hash_after(restored), hash)
    os.remove(file)
    os.remove(back)
end

tests['a restored world goes on as before, and objects stay valid'] = function()
    local world, bodies = busy_world()
    local snapshot, x = world:save(), bodies[7]:getX()
    local carved = bodies[4]:getMask():countPixels()
    local hash = hash_after(world)
    bodies[7]:destroy()
    bodies[4]:carve { x = bodies[4]:getX(), y = bodies[4]:getY(), radius = 12 }
    world:step()
    world:restore(snapshot)
    equal(bodies[7]:isValid(), true)
    equal(bodies[7]:getX(), x)
    equal(bodies[4]:getMask():countPixels(), carved)
    equal(hash_after(world), hash)
end

return tests
