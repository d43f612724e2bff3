--[[ test_loader.lua - the search for the shared library, and its version.

SPDX-License-Identifier: Zlib ]]

local support = require 'support'
local tests = {}
local lua, scratch = support.build .. '/lua', support.build .. '/lua/library-test'

local function prepared(commands) support.equal(select(2, support.run(('rm -rf %s && mkdir %s && '):format(scratch, scratch) .. commands)), 0) end
local function luajit(program, prefix)
    return support.run(('cd %s && %s luajit -e "%s"'):format(scratch, prefix or '', program))
end
local say = 'print(require([[pixverlet]]).loadedFrom)'

tests['beside the module'] = function()
    prepared(('cp %s/pixverlet.lua %s/libpixverlet.so %s/'):format(lua, lua, scratch))
    support.equal(luajit(say), './libpixverlet.so\n')
end

tests['by package.cpath, and by the system'] = function()
    prepared(('mkdir %s/lib && cp %s/pixverlet.lua %s/ && cp %s/libpixverlet.so %s/lib/libpixverlet.so.2'):format(scratch, lua, scratch, lua, scratch))
    support.equal(luajit(say, 'LD_LIBRARY_PATH=lib'), 'libpixverlet.so.2\n')
    support.run(('mv %s/lib/libpixverlet.so.2 %s/lib/libpixverlet.so'):format(scratch, scratch))
    support.equal(luajit(say, 'LUA_CPATH="lib/?.so"'), 'lib/libpixverlet.so\n')
end

tests['versions that do not fit are told, with all places'] = function()
    prepared(('sed "s/^api.version = .*/api.version = [[0.9.4]]/" %s/pixverlet.lua >%s/pixverlet.lua && cp %s/libpixverlet.so %s/'):format(lua, scratch, lua,
        scratch))
    local output, status = luajit(say)
    assert(status ~= 0 and output:find(('./libpixverlet.so: version %s does not fit pixverlet.lua 0.9.4'):format(require('pixverlet').version), 1, true), output)
    prepared(('cp %s/pixverlet.lua %s/ && echo text >%s/libpixverlet.so'):format(lua, scratch, scratch))
    output, status = luajit(say, 'LD_LIBRARY_PATH=')
    assert(status ~= 0 and output:find('found no library', 1, true) and output:find('./libpixverlet.so: ', 1, true), output)
end

tests['the module is one that luarocks takes'] = function()
    local rock = setmetatable({}, { __index = _G })
    local chunk = assert(loadfile(lua .. '/pixverlet.rockspec'))
    setfenv(chunk, rock)()
    support.equal(rock.package, 'pixverlet')
    support.equal(rock.version, require('pixverlet').version .. '-1')
    for _, file in pairs(rock.build.modules) do assert(io.open(lua .. '/' .. file)):close() end
    for _, file in pairs(rock.build.install.lib) do assert(io.open(lua .. '/' .. file)):close() end
end

return tests
