--[[ test_docs.lua - the programs in docs/LUA.md run; the first one in LÖVE, under xvfb.

SPDX-License-Identifier: Zlib ]]

local support = require 'support'
local tests = {}

local file = assert(io.open(support.source .. '/docs/LUA.md'))
local blocks = {}
for block in file:read('*a'):gmatch '\n```lua\n(.-)\n```' do blocks[#blocks + 1] = block end
file:close()

tests['programs without LÖVE'] = function()
    local count = 0
    for i, block in ipairs(blocks) do
        if not block:find 'love%.' then
            local chunk = assert(loadstring(block, 'block ' .. i))
            setfenv(chunk, setmetatable({ print = function() end }, { __index = _G }))()
            count = count + 1
        end
    end
    assert(count >= 4)
end

-- Digs and drops crates for two seconds.
local play = [[

local frames, update = 0, love.update
function love.update(dt)
    update(dt)
    frames = frames + 1
    if frames % 10 == 0 then
        love.keypressed 'space'
        love.mousepressed(40 * frames / 10, 390)
    end
    if frames == 120 then
        print(#world:getBodies() .. ' bodies')
        love.event.quit(0)
    end
end
]]

tests['the first program in LÖVE'] = function()
    assert(blocks[1]:find 'function love.load')
    local folder = support.build .. '/lua/docs-test'
    local output, status = support.run(('rm -rf %s && mkdir %s && cd %s && cp ../pixverlet.lua ../libpixverlet.so %s/sprites/ground.png %s/sprites/crate.png .'):format(folder, folder,
        folder, support.source, support.source))
    support.equal(status, 0, output)
    local main = assert(io.open(folder .. '/main.lua', 'w'))
    main:write(blocks[1], play)
    main:close()
    output, status = support.run(('XDG_DATA_HOME=%s/data SDL_AUDIODRIVER=dummy timeout 120 xvfb-run -a -s "-screen 0 1280x800x24" love %s'):format(folder, folder))
    support.equal(status, 0, output)
    assert(tonumber(output:match '(%d+) bodies') >= 13, output)
end

return tests
