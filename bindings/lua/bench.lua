#!/usr/bin/env luajit
--[[ lua - the cost of worlds from Lua, compared with C in the same run.

Invariant: both sides continue from one snapshot, in turns. They end with the same hash and the same sum
of positions.

Usage: build/bench/lua [--json] [--quick]

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local here = arg[0]:match '^(.*[/\\])' or './'
package.path = here .. '../lua/?.lua;' .. package.path
local pixverlet = require 'pixverlet'

local json, quick = false, false
for _, option in ipairs(arg) do
    if option == '--json' then json = true
    elseif option == '--quick' then quick = true
    else
        io.stderr:write('lua: unknown option ' .. option .. '\nusage: lua [--json] [--quick]\n')
        os.exit(2)
    end
end

ffi.cdef 'double bench_steps(pv_world *world, int steps, pv_pose *poses, int capacity, double *seconds);'
local peer = ffi.load(here .. '../lua/bench_peer.so')
ffi.cdef [[
typedef struct bench_timespec { long seconds, nanoseconds; } bench_timespec;
int clock_gettime(int clock, bench_timespec *now);
]]
local time = ffi.new 'bench_timespec'
local function now()
    ffi.C.clock_gettime(3, time) -- CLOCK_THREAD_CPUTIME_ID, so that other programs hardly count
    return tonumber(time.seconds) + 1e-9 * tonumber(time.nanoseconds)
end

local first = true
local function row(name, value, unit, against)
    if json then
        io.write(first and '[' or ',', ('\n  { "name": "%s", "value": %.6g, "unit": "%s", "peer": "%s" }'):format(name, value, unit, against))
    else
        print(('%-34s %12.4g %-14s %s'):format(name, value, unit, against))
    end
    first = false
end

-- Stars, crates and balls that stay in motion over a floor.
local function crowd(count)
    local world = pixverlet.newWorld(0, 320)
    world:newBody(pixverlet.newMask(2000, 40, true), 1000, 820, 'static')
    world:newBody(pixverlet.newMask(40, 800, true), 20, 400, 'static')
    world:newBody(pixverlet.newMask(40, 800, true), 1980, 400, 'static')
    local masks = { pixverlet.newCircleMask(14), pixverlet.newMask(26, 26, true), pixverlet.newTextMask(('#'):rep(30) .. '\n' .. ('##..\n'):rep(20)) }
    for i = 0, count - 1 do
        world:newBody(masks[i % 3 + 1], 70 + 62 * (i % 30), 760 - 44 * math.floor(i / 30), 'dynamic', { angle = i, restitution = 0.4, velocity = { i % 7 * 20 - 60, 0 } })
    end
    return world
end

local poses, seconds = ffi.new 'pv_pose[1024]', ffi.new 'double[1]'

-- Steps a world and reads all positions in one call.
local function read_list(world, list, steps)
    local sum, start = 0, now()
    for _ = 1, steps do
        world:step()
        world:getPositions(list)
        for i = 1, #list, 3 do sum = sum + (list[i + 1] + list[i + 2]) end
    end
    return sum, now() - start
end

-- Steps a world and asks each body for its position.
local function read_bodies(world, bodies, steps)
    local sum, start = 0, now()
    for _ = 1, steps do
        world:step()
        for i = 1, #bodies do
            local x, y = bodies[i]:getPosition()
            sum = sum + (x + y)
        end
    end
    return sum, now() - start
end

local function median(list)
    table.sort(list)
    return list[math.floor(#list / 2) + 1]
end

-- Times steps with all poses read. In each round both sides restore one snapshot, in changing order.
local function compare_steps(name, read, count, rounds, steps)
    local source = crowd(count)
    for _ = 1, 30 do source:step() end
    local snapshot, sides = source:save(), { crowd(count), crowd(count) }
    local list = read == read_bodies and sides[1]:getBodies() or {}
    local times, ratios, sums = { {}, {} }, {}, {}
    for round = 0, rounds do
        for _, side in ipairs(round % 2 == 0 and { 1, 2 } or { 2, 1 }) do
            sides[side]:restore(snapshot)
            local spent
            if side == 1 then sums[1], spent = read(sides[1], list, steps)
            else
                sums[2] = peer.bench_steps(sides[2].pointer, steps, poses, 1024, seconds)
                spent = seconds[0]
            end
            if round > 0 then times[side][round] = spent / steps * 1e6 end
        end
        assert(sides[1]:hash() == sides[2]:hash() and sums[1] == sums[2], 'both sides step and read alike')
        if round > 0 then ratios[round] = times[1][round] / times[2][round] end
    end
    name = ('%s_%d'):format(name, count)
    local lua, c = median(times[1]), median(times[2])
    row(name, lua, 'us', 'lua')
    row(name, c, 'us', 'c')
    row(name .. '_ratio', median(ratios), 'x', 'lua/c')
end

local function per_call(name, count, call)
    call(count)
    local list = {}
    for i = 1, quick and 5 or 15 do
        local start = now()
        call(count)
        list[i] = (now() - start) / count * 1e9
    end
    row(name, median(list), 'ns', 'lua')
end

local function calls()
    local world = crowd(300)
    world:step()
    local bodies = world:getBodies()
    local body, sum = bodies[10], 0
    per_call('get_position', 100000, function(n) for i = 1, n do sum = sum + bodies[i % #bodies + 1]:getPosition() end end)
    per_call('get_velocity', 20000, function(n) for _ = 1, n do sum = sum + body:getVelocity() end end)
    per_call('set_velocity', 20000, function(n) for _ = 1, n do body:setVelocity(1, 2) end end)
    per_call('apply_impulse', 20000, function(n) for _ = 1, n do body:applyImpulse(1, 2) end end)
    per_call('pick_body', 20000, function(n) for _ = 1, n do world:pickBody(5, 5) end end)
end

-- Frames of an update and all poses, with the collector stopped.
local function memory()
    local world = crowd(300)
    local bodies = world:getBodies()
    local function frame()
        world:update(1 / 60)
        for i = 1, #bodies do
            bodies[i]:getPose()
            bodies[i]:getPosition()
        end
    end
    for _ = 1, 900 do frame() end
    collectgarbage()
    collectgarbage 'stop'
    local before = collectgarbage 'count'
    for _ = 1, 600 do frame() end
    local grown = (collectgarbage 'count' - before) * 1024
    collectgarbage 'restart'
    row('allocated_in_600_frames', grown, 'bytes', 'lua')
end

local rounds = quick and 15 or 75
compare_steps('step_and_poses', read_list, 300, rounds, 15)
compare_steps('step_and_each_body', read_bodies, 300, rounds, 15)
if not quick then
    compare_steps('step_and_poses', read_list, 900, 45, 15)
    compare_steps('step_and_each_body', read_bodies, 900, 45, 15)
end
calls()
memory()
if json then print '\n]' end
