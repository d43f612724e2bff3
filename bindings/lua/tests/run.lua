--[[ run.lua - runs the tests of the module: each test_*.lua returns a table of functions by name.

Usage: luajit run.lua [NAME], which runs the tests whose names contain NAME. The environment
variables PIXVERLET_SOURCE and PIXVERLET_BUILD name the two trees.

SPDX-License-Identifier: Zlib ]]

local source = os.getenv 'PIXVERLET_SOURCE' or '.'
local build = os.getenv 'PIXVERLET_BUILD' or 'build'
local here = source .. '/bindings/lua/tests/'
package.path = build .. '/lua/?.lua;' .. here .. '?.lua'

local only = arg[1] or ''
local files = { 'test_surface', 'test_world', 'test_extras', 'test_pixels', 'test_misuse', 'test_random', 'test_snapshot', 'test_memory', 'test_loader', 'test_docs', 'test_love' }
local passed, failed = 0, 0
for _, file in ipairs(files) do
    local names, tests = {}, dofile(here .. file .. '.lua')
    for name in pairs(tests) do names[#names + 1] = name end
    table.sort(names)
    for _, name in ipairs(names) do
        if (file .. ': ' .. name):find(only, 1, true) then
            local good, why = xpcall(tests[name], debug.traceback)
            if good then passed = passed + 1 else failed = failed + 1 end
            print(('%s %d - %s: %s'):format(good and 'ok' or 'not ok', passed + failed, file, name))
            if not good then print((why:gsub('[^\n]+', '# %0'))) end
        end
    end
end
print(('1..%d\n# PASS: %d\n# FAIL: %d'):format(passed + failed, passed, failed))
os.exit(failed == 0 and passed > 0 and 0 or 1)
