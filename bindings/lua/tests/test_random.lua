--[[ test_random.lua - random calls with random arguments either work or are refused.

PIXVERLET_CALLS and PIXVERLET_SEED set the number of calls, and which ones.

SPDX-License-Identifier: Zlib ]]

local pixverlet = require 'pixverlet'
local support = require 'support'
local tests = {}

local calls, seed = tonumber(os.getenv 'PIXVERLET_CALLS' or 20000), tonumber(os.getenv 'PIXVERLET_SEED' or 7)
local function random(n)
    seed = (seed * 1103515245 + 12345) % 2147483648
    return math.floor(seed / 65536) % n + 1
end

local function inhabited()
    local world, floor = support.room()
    local mask, star = pixverlet.newMask(12, 12, true), support.sprite 'star'
    local a, b = world:newBody(star, 60, 100), world:newBody(mask, 120, 100)
    local particle = world:newParticle { position = { 30, 30 } }
    local grains = world:newGrains { capacity = 50, follow = true }
    local gone = world:newBody(mask, 200, 100)
    gone:destroy()
    local placed, group, image = pixverlet.placedCentered(star:getMask(), 60, 100, 1), pixverlet.groupCreate(32), pixverlet.imageCreate(20, 20)
    group:add(placed)
    return { world, floor, a, b, gone, mask, star, particle, grains, pixverlet, placed, group, image,
        pixverlet.newSwept(mask, 0, 0, 0, 99, 0, 1), pixverlet.partsCreate(star:getMask(), 4), pixverlet.outlineCreate(star:getMask(), 8),
        pixverlet.framesFromGrid(star, { width = 8, height = 8 }), pixverlet.materialMapFromImage(image, 'red', 'none'),
        world:newComposite(), world:newPinJoint(a, b, 90, 100), world:newRope {
        from = { body = a, point = { 60, 100 } }, to = { point = { 60, 0 } } }, world:newPolygon { points = { { 5, 5 }, { 25, 5 }, { 15, 25 } } },
        world:newLiquid(), world:newForceField { area = { min = { 0, 0 }, max = { 9, 9 } } }, world:newMover(mask, 20, 20) }
end

local values = { 0, 1, -1, 0.5, 7, 100, -2147483648, 0 / 0, 1 / 0, 1e300, true, false, 'dynamic', 'all', '', {}, { 1, 2 }, { x = 1, y = 2, radius = 5 },
    { position = { 1, 2 } }, { mask_bits = 1 }, { line = { 1, 2, 3, 4 }, width = 3 }, print, '4', 4294967296, { { 1, 2 }, { 9, 2 }, { 4, 9 } }, { { 1, 2 }, { 3, 4 }, { 5, 6 } }, ('x'):rep(400),
    { width = 4, height = 4 }, { tile_width = 2, tile_height = 2, columns = 1, rows = 1, tiles = { 0 }, masks = {} }, { scale = { 2, -1 }, rotation = 1 },
    { name = 'tag', first = 0, last = 1 }, { corners = {} }, { line = print }, { color_callback = function() return 7 end, follow = true, capacity = 99 },
    { box = { 0, 0, 50, 50 } }, { inherit = function() end, split = function() end } }

local function argument(objects)
    local i = random(#values + #objects + 1)
    if i <= #values then return values[i] end
    return objects[i - #values]
end

-- Names of the methods of an object's class, in order.
local function methods(object)
    local names = {}
    for name, value in pairs(getmetatable(object) or object) do
        if type(value) == 'function' and name:sub(1, 2) ~= '__' and name ~= 'save' then names[#names + 1] = name end
    end
    table.sort(names)
    return names
end

tests['many calls'] = function()
    local objects, strangers = inhabited(), inhabited()
    local served, refused = 0, 0
    for i = 1, calls do
        if i % 500 == 0 then
            objects, strangers = inhabited(), i % 1000 == 0 and objects or inhabited()
            collectgarbage()
        end
        local object = objects[random(#objects)]
        local names = methods(object)
        local name = names[random(#names)]
        if i % 40 == 0 then object, name = objects[1], 'step' end
        local given = {}
        for k = 1, 7 do given[k] = argument(random(8) == 1 and strangers or objects) end
        if object ~= pixverlet then table.insert(given, 1, object) end
        local good, why = pcall(object[name], unpack(given, 1, random(8)))
        if good then served = served + 1
        else
            refused = refused + 1
            local message = tostring(why)
            assert(not message:find 'pixverlet%.lua:%d+:' , name .. ': ' .. message)
        end
    end
    assert(served > calls / 10 and refused > calls / 10, ('%d served, %d refused'):format(served, refused))
end

return tests
