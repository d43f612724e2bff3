--[[ main.lua - dig and escape: a gnome digs out of a cave before the water reaches it.

Arrows walk and jump, the mouse digs. `love . --auto [FIRST LAST]` plays by itself, and ends with status 0
after an escape. It saves every other picture from FIRST to LAST as dig-FRAME.png in LÖVE's save directory.

SPDX-License-Identifier: Zlib ]]

local pixverlet = require 'pixverlet'
local g = love.graphics
local EARTH, THINGS, ZOOM, TOP = 1, 2, 2, 130 -- categories are bits; TOP is the top of the ground's picture
local world, ground, earth, back, dust, dust_data, dust_image, hero, star, frames, sheet
local facing, swing, coins, water, camera, status = 1, 0, 0, 400, { 262, 290 }, 'play'
local auto, frame, clock = false, 0, 0
local route = { { 330, 292 }, { 420, 290 }, { 478, 268 }, { 660, 268 }, { 740, 268 }, { 800, 318 }, { 890, 300 }, { 965, 270 }, { 1060, 205 }, { 1112, 200 } }

local function sprite(name) return pixverlet.newSprite('sprites/' .. name .. '.png') end
local function put(picture, x, y, kind)
    return world:newBody(picture, x, y, kind, { filter = { category_bits = THINGS }, sensor = kind == 'static' })
end
local function add_level()
    ground = world:newBody(earth, nil, nil, 'static', { top_left = { 0, TOP } })
    ground:setFracture { keep_static = false, min_part_pixels = 40 } -- unsupported parts fall
    local coin, rock, crate = sprite 'coin', sprite 'rock_medium', sprite 'crate'
    for _, at in ipairs { { 350, 262 }, { 420, 262 }, { 520, 248 }, { 590, 248 }, { 715, 250 }, { 800, 280 }, { 905, 280 }, { 1010, 220 }, { 1060, 190 } } do
        put(coin, at[1], at[2], 'static')
    end
    for _, at in ipairs { { 160, 150 }, { 335, 190 }, { 640, 160 }, { 1160, 160 } } do world:newBody(rock, at[1], at[2]) end
    for i = 0, 4 do put(crate, 700 + 34 * (i % 3), 185 - 33 * math.floor(i / 3)) end
    star = put(sprite 'star', 1115, 175, 'static')
    -- The back of the tunnels begins below the grass, so that a fallen hill leaves no shadow of its edge.
    local deep, data = earth:getMask():erode(16, 'circle'), love.image.newImageData 'sprites/ground.png'
    data:mapPixel(function(x, y, r, gr, b, a) return r, gr, b, deep:getPixel(x, y) and a or 0 end)
    back = g.newImage(data)
end

local function add_hero()
    local gnome = sprite 'hero'
    sheet, frames = gnome:getImage(), {}
    for i = 0, 5 do frames[i + 1] = g.newQuad(48 * i, 0, 48, 40, 288, 40) end
    hero = world:newMover(gnome:getMask():crop(0, 0, 48, 40), 262, TOP + 175, { step_height = 8, ground_snap = 6, max_slope = 1.4, push_force = 8e5 })
end

-- A tenth of the pixels that a cut removes fly away as grains of their color.
local function spray(x, y, radius)
    for dy = -radius, radius, 3 do
        for dx = -radius, radius, 3 do
            if dx * dx + dy * dy < radius * radius and ground:testPoint(x + dx, y + dy) then
                local r, g, b = earth:getPixel(math.floor(x + dx), math.floor(y + dy - TOP))
                local color = math.floor(r * 255 + 0.5) * 2 ^ 24 + math.floor(g * 255 + 0.5) * 2 ^ 16 + math.floor(b * 255 + 0.5) * 2 ^ 8 + 255
                dust:emit(x + dx, y + dy, -facing * 90 + 4 * dx, -130 + 3 * dy, color)
            end
        end
    end
end

local function dig(x, y)
    local hx, hy = hero:getPosition()
    local angle = math.atan2(y - hy + 22, x - hx)
    local cx, cy = hx + 18 * math.cos(angle), hy - 22 + 18 * math.sin(angle)
    spray(cx, cy, 22)
    world:carve({ line = { hx, hy - 23, cx, cy }, width = 46 }, { mask_bits = EARTH })
    swing = 12
end

-- Walks, jumps and digs along the route.
local function play_alone()
    local goal, hx, hy = route[1], hero:getPosition()
    if math.abs(goal[1] - hx) < 10 and #route > 1 then table.remove(route, 1) end
    if frame % 9 == 0 then dig(goal[1], goal[2]) end
    return goal[1] > hx and 1 or -1, hero.wall ~= nil and goal[2] < hy - 30
end

local function play_by_hand()
    local down = love.keyboard.isDown
    if love.mouse.isDown(1) and swing < 4 then dig(camera[1] + (love.mouse.getX() - 480) / ZOOM, camera[2] + (love.mouse.getY() - 270) / ZOOM) end
    return (down('right', 'd') and 1 or 0) - (down('left', 'a') and 1 or 0), down('up', 'w', 'space')
end

local function step()
    clock, frame, swing, water = clock - 1 / 60, frame + 1, math.max(0, swing - 1), water - 0.09
    local _, vy = hero:getVelocity()
    local walk, jump = (auto and play_alone or play_by_hand)()
    if walk ~= 0 then facing = walk end
    world:step()
    hero:move(75 * walk, jump and hero.grounded and -250 or vy + 700 / 60)
    for _, body in ipairs(hero:query { include_sensors = true, mask_bits = THINGS }) do
        if body == star then status = 'escaped' elseif body:getType() == 'static' then
            coins = coins + 1
            body:destroy()
        end
    end
    local x, y = hero:getPosition()
    if y - 16 > water then status = 'drowned' end
    camera[1] = camera[1] + 0.08 * (math.max(240, math.min(1040, x)) - camera[1])
    camera[2] = camera[2] + 0.08 * (math.min(235, y - 30) - camera[2])
end

function love.load(arguments)
    auto = arguments[1] == '--auto' and {}
    for i = arguments[2] or 1, arguments[3] or 0, 2 do auto[i] = true end
    g.setDefaultFilter('nearest', 'nearest') g.setNewFont(20)
    world, earth = pixverlet.newWorld(0, 500), sprite 'ground'
    dust, dust_data = world:newGrains { capacity = 6000, friction = 0.8, life = 9 }, love.image.newImageData(480, 270)
    dust_image = g.newImage(dust_data)
    add_level() add_hero()
end

function love.update(dt)
    clock = auto and 1 / 60 or math.min(clock + dt, 0.1)
    while status == 'play' and clock >= 1 / 60 do step() end
    if auto and auto[frame] then g.captureScreenshot(('dig-%04d.png'):format(frame)) end
    if auto and (status ~= 'play' or frame > 2400) then
        print(('%s after %d frames with %d coins'):format(status, frame, coins))
        love.event.quit(status == 'escaped' and 0 or 1)
    end
end

local function draw_dust()
    local left, top = math.floor(camera[1] - 240), math.floor(camera[2] - 135)
    dust_data:mapPixel(function() return 0, 0, 0, 0 end)
    dust:drawTo(dust_data, left, top)
    dust_image:replacePixels(dust_data)
    g.draw(dust_image, left, top)
end

function love.draw()
    for i = 0, 26 do
        g.setColor(0.15 + i * 0.02, 0.32 + i * 0.014, 0.55 + i * 0.006)
        g.rectangle('fill', 0, i * 20, 960, 20)
    end
    g.push() g.scale(ZOOM)
    g.translate(240 - math.floor(camera[1] * 2) / 2, 135 - math.floor(camera[2] * 2) / 2)
    g.setColor(0.09, 0.08, 0.11) -- two caves in the picture
    g.ellipse('fill', 262, TOP + 164, 52, 32)
    g.ellipse('fill', 1130, TOP + 152, 74, 46)
    g.setColor(0.27, 0.25, 0.3)
    g.draw(back, 0, TOP)
    g.setColor(1, 1, 1)
    world:draw()
    draw_dust()
    local x, y = hero:getPosition()
    local pose = swing > 6 and 5 or swing > 0 and 6 or math.floor(x / 9) % 3 + 1
    g.draw(sheet, frames[pose], x, y, 0, facing, 1, 24, 40)
    g.setColor(0.2, 0.5, 0.85, 0.55)
    g.rectangle('fill', 0, water + math.sin(frame / 20), 1280, 600)
    g.pop()
    g.setColor(1, 0.9, 0.4)
    g.print(('Coins %d     Water %d px below'):format(coins, math.max(0, water - y)), 20, 14)
    if status ~= 'play' then g.printf(status == 'escaped' and 'Escaped!' or 'Drowned', 0, 240, 960, 'center') end
end
