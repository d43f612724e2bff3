--[[ test_love.lua - LÖVE under xvfb: pictures, the library in an archive, and the game.

SPDX-License-Identifier: Zlib ]]

local support = require 'support'
local equal = support.equal
local tests = {}
local lua = support.build .. '/lua'
local folder, saves = lua .. '/love-test', lua .. '/love-saves'

local function love(game, ...)
    return support.run(table.concat({ ('XDG_DATA_HOME=%s SDL_AUDIODRIVER=dummy LIBGL_ALWAYS_SOFTWARE=1 timeout 120 xvfb-run -a -s "-screen 0 1280x800x24" love'):format(saves),
        game, ... }, ' '))
end
local function prepared(command) equal(select(2, support.run(command)), 0, command) end
local function prepare_tests()
    prepared(('rm -rf %s %s && mkdir -p %s %s && cp %s/bindings/lua/tests/love/*.lua %s/sprites/rock_large.png %s/pixverlet.lua %s/libpixverlet.so %s/'):format(folder, saves, folder,
        saves, support.source, support.source, lua, lua, folder))
end

tests['pictures follow pixels'] = function()
    prepare_tests()
    local output, status = love(folder)
    equal(status, 0, output)
    equal(select(2, output:gsub('passed ', '')), 6, output)
    assert(output:find('library ' .. folder .. '/libpixverlet.so', 1, true), output)
end

tests['an archive brings the library along'] = function()
    prepare_tests()
    local archive = saves .. '/test.love' -- away from any library
    prepared(('cd %s && python3 -m zipfile -c %s *'):format(folder, archive))
    local output, status = love(archive)
    equal(status, 0, output)
    assert(output:find('library ' .. saves .. '/love/pixverlet-test/libpixverlet.so', 1, true), output)
end

tests['the game escapes by itself'] = function()
    prepared(('rm -rf %s && mkdir %s'):format(saves, saves))
    local output, status = love(lua .. '/dig', '--auto', '470', '470')
    equal(status, 0, output)
    assert(output:find 'escaped after %d+ frames with %d coins', output)
    local file = assert(io.open(saves .. '/love/pixverlet-dig/dig-0470.png', 'rb'))
    local picture = require('pixverlet').newSprite(file:read '*a')
    file:close()
    equal(picture:getWidth(), 960)
    local colors, count = {}, 0
    for y = 0, 539, 3 do
        for x = 0, 959, 3 do
            local r, g, b = picture:getPixel(x, y)
            local color = math.floor(r * 255) * 65536 + math.floor(g * 255) * 256 + math.floor(b * 255)
            if not colors[color] then colors[color], count = true, count + 1 end
        end
    end
    assert(count > 100, ('a picture of %d colors'):format(count))
    local main = assert(io.open(lua .. '/dig/main.lua')):read '*a'
    assert(select(2, main:gsub('\n', '')) <= 150, 'the game has at most 150 lines')
end

return tests
