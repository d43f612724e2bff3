--[[ test_extras.lua - frames, tile maps, images, placed masks, groups, materials, debug drawing, and callbacks of the step.

SPDX-License-Identifier: Zlib ]]

local pixverlet = require 'pixverlet'
local support = require 'support'
local equal, near = support.equal, support.near
local data = support.source .. '/tests/data/'
local tests = {}

local function image(name) return pixverlet.imageLoad(data .. name) end

tests['frames of an atlas, their tags, and their sprites'] = function()
    local frames, sheet = pixverlet.framesLoad(data .. 'walker_array.json'), image 'walker.png'
    equal(frames:getImagePath():match '[^/]*$', 'walker.png')
    local first = frames:getFrame(0)
    equal(frames:find(first.name), 0)
    equal(frames:find 'nobody', -1)
    equal(frames:getFrame(frames:getCount()), nil)
    for i = 0, frames:getCount() - 1 do
        local frame, sprite = frames:getFrame(i), frames:getSprite(sheet, i)
        for y = 0, frame.mask:getHeight() - 1 do
            for x = 0, frame.mask:getWidth() - 1 do
                equal(select(4, sprite:getPixel(x, y)) >= 128 / 255, frame.mask:getPixel(x, y), ('pixel %d, %d of frame %d'):format(x, y, i))
            end
        end
    end
    equal(frames:getIndexAt(-1, first.duration / 2), 0)
    frames:addTag { name = 'retreat', first = 0, last = 1, direction = 'reverse' }
    local tag = frames:findTag 'retreat'
    equal(frames:getTag(tag).direction, 'reverse')
    equal(frames:getIndexAt(tag, 0), 1)
end

tests['packed frames that are trimmed and rotated have the pixels of their masks'] = function()
    local file = assert(io.open(data .. 'packed_hash.json'))
    local sheet, turned = pixverlet.newSprite(data .. 'packed.png'), 0
    local frames = pixverlet.framesLoadMemory(file:read '*a', sheet, { duration = 0.25 })
    file:close()
    for i = 0, frames:getCount() - 1 do
        local frame, sprite = frames:getFrame(i), frames:getSprite(sheet, i)
        if frame.rotated then turned = turned + 1 end
        local area = 0
        for y = 0, sprite:getHeight() - 1 do
            for x = 0, sprite:getWidth() - 1 do
                local solid = select(4, sprite:getPixel(x, y)) >= 128 / 255
                equal(solid, frame.mask:getPixel(x, y))
                if solid then area = area + 1 end
            end
        end
        equal(area, frame.mask:countPixels())
    end
    assert(turned > 0)
end

tests['frames of a grid move a body through its animation'] = function()
    local sheet = pixverlet.newSprite(support.source .. '/sprites/hero.png')
    local frames = pixverlet.framesFromGrid(sheet, { width = 48, height = 40 }, { duration = 0.1 })
    equal(frames:getCount(), 6)
    local world = pixverlet.newWorld(0, 0)
    local body = world:newBody(frames:getSprite(sheet, 0), 50, 50)
    for i = 0, 5 do
        local index = frames:getIndexAt(-1, 0.1 * i + 0.05)
        equal(index, i)
        body:setSprite(frames:getSprite(sheet, index))
        equal(body:getMask():countPixels(), frames:getFrame(index).mask:countPixels())
    end
end

tests['tile maps, of lists and of Tiled'] = function()
    local block, slope = pixverlet.newMask(4, 4, true), pixverlet.newTextMask '#...\n##..\n###.\n####'
    local mask = pixverlet.tilemapCreateMask { tile_width = 4, tile_height = 4, columns = 3, rows = 2, tiles = { 0, 1, 0, 2, 1, 2 + 2 ^ 31 },
        masks = { block, slope } }
    equal(mask:getWidth(), 12)
    equal(mask:countPixels(), 2 * 16 + 2 * 10)
    equal(mask:getPixel(0, 4), true)
    equal(mask:getPixel(8, 4), false, 'flipped left to right')
    equal(mask:getPixel(11, 4), true)
    local hills = pixverlet.tilemapLoadMask(data .. 'hills.json', 'ground', nil)
    assert(hills:countPixels() > 1000)
end

tests['images and drawing'] = function()
    local target = pixverlet.imageCreate(40, 30)
    pixverlet.canvasClear(target, 0x204060ff)
    pixverlet.canvasDrawMask(target, pixverlet.newMask(10, 10, true), { position = { 20, 15 } }, 0xff0000ff)
    pixverlet.canvasDrawImage(target, pixverlet.newSprite(support.source .. '/sprites/star.png'), { position = { 0, 0 }, rotation = 0.5 }, 0xffffffff)
    pixverlet.canvasDrawLine(target, 0, 29, 39, 29, 0x00ff00ff)
    pixverlet.canvasDrawThickLine(target, 0, 25, 39, 25, 2, 0x00ff00ff)
    pixverlet.canvasDrawCircle(target, 35, 5, 3, 0x0000ffff)
    pixverlet.canvasDrawTriangle(target, nil, { { 30, 10 }, { 38, 10 }, { 34, 18 } }, { { 0, 0 }, { 1, 0 }, { 0, 1 } }, 0xffffffff)
    local r, g, b, a = target:getPixel(25, 20)
    equal(r + 2 * g + 4 * b + 8 * a, 9, 'red')
    equal(select(2, target:getPixel(5, 29)), 1, 'a green line')
    equal(select(3, target:getPixel(34, 12)), 1, 'a white triangle')
    equal((target:getPixel(38, 21)), 0x20 / 255)
    local path = support.build .. '/lua/saved.png'
    target:save(path)
    equal(pixverlet.newSprite(path):getWidth(), 40)
    os.remove(path)
    equal(pixverlet.newSprite(target):getPixel(25, 20), 1)
    local mask = pixverlet.maskFromColor(pixverlet.newMask(3, 2, true):toRgba(0x102030ff, 0), 3, 2, { color = 0x102030ff })
    equal(mask:countPixels(), 6)
end

tests['masks to bytes and back'] = function()
    local star = support.sprite('star'):getMask()
    local w, h = star:getDimensions()
    for name, copy in pairs { rgba = pixverlet.maskFromRgba(star:toRgba(0xffffffff, 0), w, h), bits = pixverlet.maskFromBits(star:toBits 'lsb_first', w, h, 'lsb_first'),
        stored = pixverlet.maskDeserialize(star:serialize()) } do
        equal(copy:countPixels(), star:countPixels(), name)
        equal(copy:computeOverlapArea(star, 0, 0), star:countPixels(), name)
    end
    local triangle, x, y = pixverlet.maskCreatePolygon { { 10.5, 20 }, { 30, 20 }, { 10.5, 40 } }
    equal(x, 10)
    equal(y, 20)
    near(triangle:countPixels(), 195, 20)
    local turned, left, top, width = star:transform { position = { 0, 0 }, rotation = 0.3, pivot = { w / 2, h / 2 } }
    equal(turned:getWidth(), width)
    assert(left < 0 and top < 0)
    near(turned:countPixels(), star:countPixels(), star:countPixels() / 20)
end

tests['parts and outlines'] = function()
    local mask = pixverlet.newTextMask '##...\n##..#\n.....\n...##'
    local parts = pixverlet.partsCreate(mask, 4)
    equal(parts:getCount(), 3)
    local largest = parts:findAt(0, 0)
    equal(parts:getPart(largest).area, 4)
    equal(parts:getPart(largest).rect.w, 2)
    equal(parts:createMask(largest):countPixels(), 4)
    equal(parts:findAt(2, 2), -1)
    local outline = pixverlet.outlineCreate(mask, '8')
    equal(outline:getContourCount(), 3)
    local area = 0
    for i = 0, 2 do area = area + outline:getContour(i).area end
    equal(area, mask:countPixels())
    equal(#pixverlet.outlineCreateHull(pixverlet.newMask(5, 3, true)):getContour(0).points, 4)
end

tests['placed and swept masks'] = function()
    local mask = pixverlet.newMask(10, 10, true)
    local a, b = pixverlet.placedCentered(mask, 0, 0, 0), pixverlet.placedCentered(mask, 8, 0, 0)
    equal(a:computeOverlapArea(b), 20)
    equal(a:computeOverlap(b).area, 20)
    local x, y = a:computeMtv(b)
    equal(math.abs(x), 2)
    equal(y, 0)
    equal(a:computeDistance(pixverlet.placedCentered(mask, 15, 0, 0)).distance, 5)
    near(a:castSegment(-20, 0, 20, 0).point.x, -5, 1e-9)
    equal(a:castSegment(-20, 30, 20, 30), nil)
    b:setTransform { scale = { 2, 1 }, rotation = math.pi / 2 }
    near(b:getTransform().rotation.s, 1, 1e-12)
    equal(b:testPoint(7, 9), true)
    local sweep, still = pixverlet.newSwept(mask, 0, 0, 0, 100, 0, 0), pixverlet.newSwept(mask, 60, 0, 0, 60, 0, 0)
    near(sweep:cast(still).fraction, 0.5, 0.02)
    equal(sweep:cast(pixverlet.newSwept(mask, 60, 40, 0, 60, 40, 0)), nil)
    near(sweep:getTransform(0.5).position.x, 50, 6)
    local world, wall = support.room()
    near(world:castMask(pixverlet.newSwept(mask, 200, 200, 0, 200, 400, 0), 'closest')[1].fraction, 95 / 200, 0.01)
    equal(world:castMask(pixverlet.newSwept(mask, 200, 200, 0, 200, 400, 0), 'all')[1].body, wall)
    equal(wall:getPlaced():testPoint(200, 310), true)
end

tests['groups of masks'] = function()
    local mask, group = pixverlet.newMask(10, 10, true), pixverlet.groupCreate(32)
    local owners = {}
    for i = 1, 20 do owners[group:add(pixverlet.placedCentered(mask, 8 * i, 0, 0))] = i end
    equal(#group:queryPairs(), 19)
    local found = group:queryPoint(41, 0)
    equal(#found, 1)
    equal(owners[found[1]], 5)
    equal(#group:queryMask(group:getPlaced(found[1])), 3)
    group:setTransform(found[1], { position = { 0, 500 } })
    equal(group:queryBox(0, 490, 10, 510)[1], found[1])
    group:remove(found[1])
    equal(#group:queryPairs(), 17)
end

tests['materials resist cuts'] = function()
    local hard = pixverlet.materialMapFromBytes((('\0'):rep(10) .. ('\200'):rep(10)):rep(10), nil, 20, 10)
    equal(hard:getHardness(15, 0), 200)
    equal(hard:getHardness(5, 0), 0)
    local world = pixverlet.newWorld(0, 0)
    local body = world:newBody(pixverlet.newMask(20, 10, true), 10, 5, 'static', { material_map = hard })
    equal(body:getDef().material_map:getWidth(), 20)
    equal((body:carve { box = { 0, 0, 20, 10 }, max_hardness = 100 }), 100)
    equal(body:getMask():countPixels(), 100)
    local map = pixverlet.materialMapFromImage(image 'walker.png', 'alpha', 'none')
    equal(map:getHeight(), image('walker.png'):getHeight())
end

tests['lost pixels become grains of the colors that a callback gives'] = function()
    local world, floor = support.room()
    local asked, wrong = 0, false
    local grains = world:newGrains { capacity = 4000, follow = true, color_callback = function(body, x, y)
        asked = asked + 1
        if wrong then error 'no color' end
        return body == floor and 1000 * x + y or 0
    end }
    local removed = floor:carve { x = 200, y = 305, radius = 4 }
    equal(asked, removed)
    equal(grains:getStats().grains, removed)
    local picture = pixverlet.imageCreate(400, 30)
    grains:drawTo(picture, 0, 300)
    local seen = 0
    for y = 0, 29 do
        for x = 0, 399 do if picture:getPixel(x, y) > 0 or select(2, picture:getPixel(x, y)) > 0 then seen = seen + 1 end end
    end
    assert(seen > 0)
    wrong = true
    support.refused('no color', function() floor:carve { x = 100, y = 305, radius = 4 } end)
    world:step()
end

tests['sprites become grains, and grains pixels of the ground'] = function()
    local world = support.room()
    local ground = world:newBody(pixverlet.newTextMask(('.'):rep(64) .. '\n' .. (('.'):rep(64) .. '\n'):rep(30) .. ('#'):rep(64)), 0, 0, 'static', { top_left = { 100, 200 } })
    local grains, star = world:newGrains { capacity = 4000 }, support.sprite 'star'
    grains:emitMask(star, 132, 212)
    equal(grains:getStats().grains, star:getMask():countPixels())
    for _ = 1, 600 do world:step() end
    local before, painted = ground:getMask():countPixels(), 0
    local count = grains:merge(ground, 100, 200, 64, 32, function(x, y, color)
        painted = painted + 1
        equal(ground:getMask():getPixel(x, y), true)
        assert(color > 0)
    end)
    assert(count > 100, count)
    equal(painted, count)
    equal(ground:getMask():countPixels(), before + count)
    equal(grains:getStats().merged, count)
end

tests['sinks count grains'] = function()
    local world = support.room()
    local grains = world:newGrains { capacity = 10 }
    grains:addSink { box = { min = { 90, 90 }, max = { 110, 110 } } }
    grains:emit(100, 80)
    for _ = 1, 60 do world:step() end
    equal(grains:getSinkCounts()[1].total, 1)
end

tests['debug drawing calls back'] = function()
    local world, floor = support.room()
    local body = world:newBody(support.sprite 'ball', 100, 200)
    world:newPinJoint(floor, body, 100, 250)
    world:newParticle { position = { 50, 60 }, radius = 3 }
    local lines, circles, masks = 0, {}, {}
    world:debugDraw({ line = function(x1, y1, x2, y2, color)
        assert(x1 + y1 + x2 + y2 > 0 and color > 0)
        lines = lines + 1
    end, circle = function(x, y, radius) circles[#circles + 1] = { x, y, radius } end,
        mask = function(mask, x, y, angle) masks[#masks + 1] = { mask, x, y, angle } end, point_radius = 1 })
    assert(lines > 4)
    equal(#masks, 2)
    equal(masks[1][1]:countPixels(), 400 * 20)
    equal(masks[1][2], 0)
    equal(masks[1][3], 300)
    local found = false
    for _, circle in ipairs(circles) do found = found or circle[1] == 50 and circle[2] == 60 and circle[3] == 3 end
    assert(found, 'the particle')
    support.refused('out of paint', function() world:debugDraw { line = function() error 'out of paint' end } end)
    world:debugDraw({ line = function() lines = -1 end }, pixverlet.DEBUG_PARTICLES)
    assert(lines > 0)
end

tests['inherit runs as a part splits off'] = function()
    local world = pixverlet.newWorld(0, 0)
    local plank, told = world:newBody(support.sprite 'plank', 100, 100), nil
    plank.owner = 'me'
    world:setCallbacks { inherit = function(parent, child)
        child.owner = parent.owner
        told = child
    end }
    plank:cut(100, 50, 100, 150, 2)
    equal(told.owner, 'me')
    assert(told ~= plank and told:isValid())
    world:setCallbacks { inherit = function() error 'not mine' end }
    support.refused('not mine', function() plank:cut(60, 50, 60, 150, 2) end)
end

tests['lists of all objects, and composites by hand'] = function()
    local world = support.room()
    local composite = world:newComposite()
    local corners = {}
    for i, at in ipairs { { 10, 10 }, { 40, 10 }, { 25, 40 } } do
        corners[i] = world:newParticle { position = at }
        composite:addParticle(corners[i])
    end
    local joint = world:newDistanceJoint(corners[1], nil, nil, corners[2])
    composite:addJoint(joint)
    composite:addTriangle { corners = corners, uv = { { 0, 0 }, { 1, 0 }, { 0.5, 1 } } }
    local triangle = composite:getTriangles()[1]
    equal(triangle.corners[3], corners[3])
    equal(triangle.uv[3].x, 0.5)
    equal(world:getParticles()[2], corners[2])
    equal(world:getJoints()[1], joint)
    equal(world:getComposites()[1], composite)
    equal(#world:getPolygons(), 0)
    local a, b = joint:getAnchors()
    equal(a.point.x + 2 * a.point.y + 4 * b.point.x + 8 * b.point.y, 10 + 20 + 160 + 80)
    equal(a.particle, corners[1])
    equal(b.particle, corners[2])
    joint:destroy()
    equal(joint:isValid(), false)
    local soft = world:newSoftBody { points = { { 100, 10 }, { 130, 10 }, { 115, 40 } }, triangles = { { 0, 1, 2 } }, uvs = { { 0, 0 }, { 1, 0 }, { 0, 1 } } }
    equal(#soft:getTriangles(), 1)
end

tests['definitions, corners and the hero\'s place'] = function()
    local world = support.room()
    local body = world:newBody(support.sprite 'rock_large', nil, nil, 'static', { top_left = { 30, 40 }, friction = 0.25 })
    local x, y = body:toWorld(0, 0)
    near(x, 30, 1e-9)
    near(y, 40, 1e-9)
    local def = body:getDef()
    equal(def.type, 'static')
    equal(def.friction, 0.25)
    equal(def.mask:countPixels(), body:getMask():countPixels())
    body:setType 'dynamic'
    body:setVelocity(3, 4)
    body:setFilter(2, 6, -1)
    local vx, vy = body:getVelocity()
    near(vx, 3, 1e-9)
    near(vy, 4, 1e-9)
    local bits, mask, group = body:getFilter()
    equal(100 * bits + 10 * mask + group, 259)
    body:setAngle(0.5)
    local c, s = body:getRotation()
    near(math.atan2(s, c), 0.5, 1e-12)
    local hero = world:newMover(pixverlet.newMask(10, 20, true), 50, 280)
    equal(hero:getPlaced():testPoint(50, 270), true)
    equal(hero:getTransform().position.x, 50)
    equal(pixverlet.vec2Length(3, 4), 5)
    near(pixverlet.rotationGetAngle(pixverlet.rotationFromAngle(1)), 1, 1e-12)
    local px, py = pixverlet.transformToWorld({ position = { 5, 6 }, scale = { 2, 2 } }, 1, 1)
    equal(px + 10 * py, 7 + 80)
    equal(type(pixverlet.kernelGetName()), 'string')
end

return tests
