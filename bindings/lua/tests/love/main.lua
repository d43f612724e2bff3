--[[ main.lua - tests that need LÖVE: pictures follow the pixels of bodies, and frames allocate
nothing. Prints a line for each test, and ends with status 0 if all passed.

SPDX-License-Identifier: Zlib ]]

local pixverlet = require 'pixverlet'
local tests = {}

local function equal(a, b, what)
    if a ~= b then error(('%s: %s is not %s'):format(what or 'value', tostring(a), tostring(b)), 2) end
end

-- Draws a world on a canvas of the window's size, and returns its pixels.
local function drawn(world)
    local canvas = love.graphics.newCanvas(320, 240)
    love.graphics.setCanvas(canvas)
    love.graphics.clear(0, 0, 0, 0)
    world:draw()
    love.graphics.setCanvas()
    return canvas:newImageData()
end

-- Checks that each pixel is the sprite's where its body is solid, and empty elsewhere.
local function check_pixels(world, body, sprite, left, top)
    local picture, solid = drawn(world), 0
    for y = 0, 239 do
        for x = 0, 319 do
            local expected, r, g, b = body:testPoint(x + 0.5, y + 0.5), picture:getPixel(x, y)
            local alpha = select(4, picture:getPixel(x, y))
            equal(alpha > 0.5, expected, ('pixel %d, %d'):format(x, y))
            if expected then
                local sr, sg, sb = sprite:getPixel(x - left, y - top)
                assert(math.abs(r - sr) + math.abs(g - sg) + math.abs(b - sb) < 0.02, ('color of %d, %d'):format(x, y))
                solid = solid + 1
            end
        end
    end
    return solid
end

-- Places a body so that its picture begins at whole pixels.
local function placed(world, sprite, left, top)
    local body = world:newBody(sprite, 0, 0, 'static')
    local x, y = body:toWorld(0, 0)
    body:setPosition(left - x, top - y)
    world:step()
    return body
end

tests[#tests + 1] = { 'a whole sprite', function()
    local world, rock = pixverlet.newWorld(0, 0), pixverlet.newSprite 'rock_large.png'
    equal(check_pixels(world, placed(world, rock, 40, 50), rock, 40, 50), rock:getMask():countPixels())
end }

tests[#tests + 1] = { 'carved pixels vanish, added ones come back, a snapshot brings them back', function()
    local world, rock = pixverlet.newWorld(0, 0), pixverlet.newSprite 'rock_large.png'
    local body = placed(world, rock, 40, 50)
    local whole, snapshot = check_pixels(world, body, rock, 40, 50), world:save()
    local carved = body:carve { x = 75, y = 85, radius = 12 }
    world:step()
    equal(check_pixels(world, body, rock, 40, 50), whole - carved)
    local more = body:carve { x = 95, y = 100, radius = 9 }
    world:step()
    equal(check_pixels(world, body, rock, 40, 50), whole - carved - more)
    body:carve { x = 75, y = 85, radius = 5, add = true }
    world:step()
    check_pixels(world, body, rock, 40, 50)
    world:restore(snapshot)
    equal(check_pixels(world, body, rock, 40, 50), whole)
end }

tests[#tests + 1] = { 'parts keep their pictures', function()
    local world, rock = pixverlet.newWorld(0, 0), pixverlet.newSprite 'rock_large.png'
    local body = placed(world, rock, 40, 50)
    body:cut(80, 0, 80, 200, 4)
    world:step()
    equal(#world:getBodies(), 2)
    local parts, picture = world:getBodies(), drawn(world)
    for y = 0, 239 do
        for x = 0, 319 do
            local solid = parts[1]:testPoint(x + 0.5, y + 0.5) or parts[2]:testPoint(x + 0.5, y + 0.5)
            local r, _, _, alpha = picture:getPixel(x, y)
            equal(alpha > 0.5, solid, ('pixel %d, %d'):format(x, y))
            if solid then assert(math.abs(r - rock:getPixel(x - 40, y - 50)) < 0.01) end
        end
    end
end }

tests[#tests + 1] = { 'sprites of ImageData and of masks, mirrored ones, and destroyed bodies', function()
    local data = love.image.newImageData(8, 8)
    data:mapPixel(function(x) return 1, 0.5, 0, x < 4 and 1 or 0 end)
    local sprite = pixverlet.newSprite(data)
    equal(sprite:getMask():countPixels(), 32)
    local world = pixverlet.newWorld(0, 0)
    local body = placed(world, sprite, 100, 100)
    equal(check_pixels(world, body, sprite, 100, 100), 32)
    body:setScale(-1, 1)
    world:step()
    local picture = drawn(world)
    equal(select(4, picture:getPixel(101, 103)), 0)
    equal(select(4, picture:getPixel(106, 103)), 1)
    body:destroy()
    equal(select(4, drawn(world):getPixel(106, 103)), 0)
    placed(world, pixverlet.newMask(4, 4, true), 10, 10)
    equal(select(4, drawn(world):getPixel(12, 12)), 1)
end }

tests[#tests + 1] = { 'wrong uses', function()
    local good, why = pcall(pixverlet.newSprite, 'nowhere.png')
    assert(not good and why:find('nowhere.png', 1, true), why)
    good, why = pcall(pixverlet.newSprite, love.image.newImageData(4, 4, 'rgba16'))
    assert(not good and why:find('source format is "rgba16", must be rgba8', 1, true), why)
    good, why = pcall(function() pixverlet.newWorld(0, 0):newGrains():drawTo(3, 0, 0) end)
    assert(not good and why:find('canvas is 3, must be an Image or ImageData', 1, true), why)
end }

tests[#tests + 1] = { '300 frames of update and draw allocate nothing', function()
    local world, rock = pixverlet.newWorld(0, 320), pixverlet.newSprite 'rock_large.png'
    world:newBody(pixverlet.newMask(320, 20, true), 160, 220, 'static')
    local carved = world:newBody(rock, 100, 100)
    world:newBody(rock, 200, 100)
    carved:carve { x = 100, y = 100, radius = 12 }
    local function frame()
        world:update(1 / 60)
        world:draw()
    end
    for _ = 1, 900 do frame() end
    collectgarbage()
    collectgarbage 'stop'
    local before = collectgarbage 'count'
    for _ = 1, 300 do frame() end
    local grown = (collectgarbage 'count' - before) * 1024
    collectgarbage 'restart'
    equal(grown, 0, 'bytes')
end }

function love.load()
    local failed = 0
    for _, test in ipairs(tests) do
        local good, why = xpcall(test[2], debug.traceback)
        print((good and 'passed ' or 'failed ') .. test[1] .. (good and '' or '\n' .. why))
        if not good then failed = failed + 1 end
    end
    print('library ' .. pixverlet.loadedFrom)
    love.event.quit(failed == 0 and 0 or 1)
end
