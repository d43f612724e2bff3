--[[ support.lua - shared by the tests: paths, comparisons, and worlds to start with.

SPDX-License-Identifier: Zlib ]]

local pixverlet = require 'pixverlet'

local support = { source = os.getenv 'PIXVERLET_SOURCE' or '.', build = os.getenv 'PIXVERLET_BUILD' or 'build' }

function support.sprite(name) return pixverlet.newSprite(('%s/sprites/%s.png'):format(support.source, name)) end

function support.equal(a, b, what)
    if a ~= b then error(('%s: %s is not %s'):format(what or 'value', tostring(a), tostring(b)), 2) end
end
function support.near(a, b, most, what)
    if not (math.abs(a - b) <= most) then error(('%s: %.12g is not within %g of %.12g'):format(what or 'value', a, most, b), 2) end
end

--- Checks that a call raises an error with these words, at the line of the call.
function support.refused(words, call)
    local good, message = pcall(call)
    if good then error('not refused: ' .. words, 2) end
    if not tostring(message):find(words, 1, true) then error(('"%s" does not say "%s"'):format(tostring(message), words), 2) end
    local info = debug.getinfo(call, 'S')
    local line = tonumber(tostring(message):match '%.lua:(%d+):')
    if not line or line < info.linedefined or line > info.lastlinedefined or not tostring(message):find(info.short_src, 1, true) then
        error('the error is not at the line of the call: ' .. tostring(message), 2)
    end
end

--- Returns a world with a floor whose top is at y = 300, and the floor.
function support.room(options)
    local world = pixverlet.newWorld(0, 320, options)
    return world, world:newBody(pixverlet.newMask(400, 20, true), 200, 310, 'static')
end

--- Runs a command and returns what it prints.
function support.run(command)
    local pipe = assert(io.popen(command .. ' 2>&1; echo "status $?"'))
    local text = pipe:read '*a'
    pipe:close()
    local output, status = text:match '^(.*)status (%d+)\n$'
    return output, tonumber(status)
end

return support
