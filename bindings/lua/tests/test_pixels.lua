--[[ test_pixels.lua - masks, queries and cuts against loops over pixels.

SPDX-License-Identifier: Zlib ]]

local pixverlet = require 'pixverlet'
local support = require 'support'
local equal, near = support.equal, support.near
local tests = {}

local seed = 12345
local function random(n)
    seed = (seed * 1103515245 + 12345) % 2147483648
    return math.floor(seed / 65536) % n
end
local function noise(width, height)
    local rows = {}
    for y = 1, height do
        local row = {}
        for x = 1, width do row[x] = random(3) == 0 and '#' or '.' end
        rows[y] = table.concat(row)
    end
    return pixverlet.newTextMask(table.concat(rows, '\n'))
end

tests['overlap areas equal a loop over pixels'] = function()
    for _ = 1, 40 do
        local a, b = noise(20 + random(60), 20 + random(30)), noise(10 + random(70), 10 + random(30))
        local dx, dy, area = random(60) - 20, random(40) - 10, 0
        for y = 0, b:getHeight() - 1 do
            for x = 0, b:getWidth() - 1 do
                if b:getPixel(x, y) and a:getPixel(x + dx, y + dy) then area = area + 1 end
            end
        end
        equal(a:computeOverlapArea(b, dx, dy), area)
        equal(a:testOverlap(b, dx, dy), area > 0)
    end
end

tests['a sprite is solid where its alpha is 128 or more'] = function()
    local star = support.sprite 'star'
    local mask, area = star:getMask(), 0
    for y = 0, star:getHeight() - 1 do
        for x = 0, star:getWidth() - 1 do
            local alpha = select(4, star:getPixel(x, y))
            equal(mask:getPixel(x, y), alpha >= 128 / 255)
            if alpha >= 128 / 255 then area = area + 1 end
        end
    end
    equal(mask:countPixels(), area)
    local file = assert(io.open(support.source .. '/sprites/star.png', 'rb'))
    equal(pixverlet.newSprite(file:read '*a'):getMask():countPixels(), area, 'of the bytes')
    file:close()
    assert(pixverlet.newSprite(support.source .. '/sprites/star.png', 1):getMask():countPixels() >= area)
end

tests['queries of points equal a loop over upright bodies'] = function()
    local world, bodies, masks = pixverlet.newWorld(0, 0), {}, {}
    for i = 1, 12 do
        masks[i] = noise(30, 24)
        bodies[i] = world:newBody(masks[i], 0, 0, 'static')
        local x, y = bodies[i]:toWorld(0, 0)
        bodies[i]:setPosition(random(100) - math.floor(x) - x % 1, random(100) - math.floor(y) - y % 1)
        bodies[i].corner = { bodies[i]:toWorld(0, 0) }
    end
    local found = 0
    for _ = 1, 600 do
        local x, y = random(140) + 0.5, random(140) + 0.5
        local expected = {}
        for i, body in ipairs(bodies) do
            if masks[i]:getPixel(math.floor(x - body.corner[1]), math.floor(y - body.corner[2])) then expected[#expected + 1] = body end
        end
        local hits = world:queryPoint(x, y)
        equal(#hits, #expected)
        for i = 1, #hits do equal(hits[i], expected[i]) end
        equal(world:pickBody(x, y), expected[#expected])
        found = found + #hits
    end
    assert(found > 50)
end

tests['filters of queries'] = function()
    local world, mask = pixverlet.newWorld(0, 0), pixverlet.newMask(20, 20, true)
    local plain = world:newBody(mask, 10, 10)
    local special = world:newBody(mask, 12, 10, 'dynamic', { filter = { category_bits = 4, mask_bits = 1 } })
    local sensor = world:newBody(mask, 14, 10, 'static', { sensor = true })
    equal(#world:queryBox(5, 5, 15, 15), 2)
    equal(world:queryBox(5, 5, 15, 15, { mask_bits = 4 })[1], special)
    equal(#world:queryBox(5, 5, 15, 15, { include_sensors = true }), 3)
    equal(world:queryCircle(12, 10, 3, { include_sensors = true, accept = function(body) return body == sensor end })[1], sensor)
    equal(#world:queryMask(mask, 10, 10, 0.3), 2)
    support.refused('no thanks', function() world:queryPoint(12, 10, { accept = function() error 'no thanks' end }) end)
    local hit = world:castRay(-50, 10, 60, 10, 'closest')[1]
    equal(hit.body, plain)
    near(hit.point.x, 0, 1e-9)
    near(hit.normal.x, -1, 1e-9)
    equal(#world:castRay(-50, 10, 60, 10, 'all'), 2)
end

tests['more results than the first room holds'] = function()
    local world, mask = pixverlet.newWorld(0, 0), pixverlet.newMask(9, 9, true)
    for i = 1, 150 do world:newBody(mask, i / 50, 0, 'static') end
    equal(#world:queryPoint(1, 0), 150)
    equal(#world:getBodies(), 150)
end

tests['cuts take the pixels whose centers are inside'] = function()
    local shapes = {
        { cut = { x = 20, y = 15, radius = 7 }, inside = function(x, y) return (x - 20) ^ 2 + (y - 15) ^ 2 <= 49 end },
        { cut = { box = { 10.2, 8.1, 21.7, 25.6 } }, inside = function(x, y) return x > 10.2 and x < 21.7 and y > 8.1 and y < 25.6 end },
        { cut = { polygon = { 5.1, 3.2, 30.3, 3.2, 5.1, 33.4 } }, inside = function(x, y)
            return x > 5.1 and y > 3.2 and (x - 5.1) / 25.2 + (y - 3.2) / 30.2 < 1
        end },
        { cut = { line = { 12.3, 10, 12.3, 30 }, width = 6 }, inside = function(x, y)
            local from = math.max(10, math.min(30, y))
            return (x - 12.3) ^ 2 + (y - from) ^ 2 <= 9
        end },
    }
    for i, shape in ipairs(shapes) do
        local world = pixverlet.newWorld(0, 0)
        local body = world:newBody(pixverlet.newMask(40, 40, true), 20, 20, 'static')
        local expected = 0
        for y = 0, 39 do
            for x = 0, 39 do
                if shape.inside(x + 0.5, y + 0.5) then expected = expected + 1 end
            end
        end
        local changed, left = body:carve(shape.cut)
        equal(changed, expected, 'shape ' .. i)
        equal(left, 1)
        local mask = body:getMask()
        for y = 0, 39 do
            for x = 0, 39 do equal(mask:getPixel(x, y), not shape.inside(x + 0.5, y + 0.5), ('pixel %d, %d of shape %d'):format(x, y, i)) end
        end
        shape.cut.add = true
        equal(body:carve(shape.cut), expected, 'added again')
    end
end

tests['a cut in two makes a body, told by split'] = function()
    local world = pixverlet.newWorld(0, 320)
    local plank, told = world:newBody(support.sprite 'plank', 100, 100), {}
    local area = plank:getMask():countPixels()
    world:setCallbacks { split = function(parent, child) told[#told + 1] = { parent, child } end }
    local removed, left = plank:cut(100, 50, 100, 150, 2)
    equal(left, 2)
    equal(removed, 24)
    world:step()
    equal(#told, 1)
    equal(told[1][1], plank)
    equal(told[1][2].parent, plank)
    equal(plank:getMask():countPixels() + told[1][2]:getMask():countPixels(), area - removed)
    local pixels, bodies = world:carve { x = 100, y = plank:getY(), radius = 6 }
    equal(bodies, 2)
    assert(pixels > 0)
    local _, none = plank:carve { box = { 0, 0, 400, 400 } }
    equal(none, 0)
    equal(plank:isValid(), false)
end

return tests
