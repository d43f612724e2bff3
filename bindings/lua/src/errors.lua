--[[ errors.lua - refusals as Lua errors, with the library's message.

Invariant: an error points to the first line outside of this module that led to it. No error passes
through C.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local C = require('pixverlet.loader').C

local errors = {}

local here = debug.getinfo(1, 'S').source

--- Raises an error at the caller's line outside of this module.
function errors.raise(message)
    local level = 2
    while true do
        local info = debug.getinfo(level, 'S')
        if not info or (info.source ~= here and info.what ~= 'C') then break end
        level = level + 1
    end
    error(message, level)
end
local raise = errors.raise

-- The last refusal that a world reported, and the result of functions that fill in an error.
local failure = { error = ffi.new 'pv_error' }
errors.failure = failure

--- Keeps the message of a refused call; the report hook of every world.
errors.report = ffi.cast('pv_report_fn', function(_, refusal) failure.message = ffi.string(refusal.message) end)

--- Raises the reported refusal, or the message of a status without a report.
function errors.refuse(status, name)
    local message = failure.message
    failure.message = nil
    raise(message or ('%s: %s'):format(name, ffi.string(C.pv_status_to_string(status))))
end

--- Raises the error that a function put into failure.error.
function errors.refuse_error()
    failure.message = nil
    raise(ffi.string(failure.error.message))
end

function errors.stale(name, noun) raise(('%s: %s names no living %s'):format(name, noun, noun)) end

local function wrong(value, name, field, wanted)
    local kind = type(value)
    if kind == 'string' then kind = ('%q'):format(value) elseif kind == 'number' then kind = ('%.9g'):format(value) end
    raise(('%s: %s is %s, must be %s'):format(name, field, kind, wanted))
end
errors.wrong = wrong

function errors.number(value, name, field)
    if type(value) ~= 'number' then wrong(value, name, field, 'a number') end
end
--- Checks a number that only this module uses, not the library.
function errors.finite(value, name, field)
    if type(value) ~= 'number' or value - value ~= 0 then wrong(value, name, field, 'a finite number') end
end
local function whole(value, name, field, least, most)
    if type(value) ~= 'number' or value % 1 ~= 0 or value < least or value > most then
        wrong(value, name, field, ('a whole number, %.0f to %.0f'):format(least, most))
    end
end
function errors.integer(value, name, field) whole(value, name, field, -2147483648, 2147483647) end
function errors.natural(value, name, field) whole(value, name, field, 0, 4294967295) end
--- Checks a size in bytes.
function errors.size(value, name, field) whole(value, name, field, 0, 2 ^ 53) end
function errors.check_bytes(value, name, field)
    if type(value) ~= 'string' then wrong(value, name, field, 'a string') end
end
--- Returns a string, or nil for nil.
function errors.text_of(value, name, field)
    if value ~= nil and type(value) ~= 'string' then wrong(value, name, field, 'a string') end
    return value
end
function errors.truth(value, name, field)
    if type(value) ~= 'boolean' then wrong(value, name, field, 'true or false') end
end
--- Returns a plain table to fill: the given one or a new one.
function errors.check_list(value, name)
    if value == nil then return {} end
    if type(value) ~= 'table' or getmetatable(value) then wrong(value, name, 'list', 'a plain table') end
    return value
end
--- Returns the number for a word of an enum; 4 is as good as '4'.
function errors.choice(value, words, name, field)
    local number = words[type(value) == 'number' and tostring(value) or value]
    if number then return number end
    local known = {}
    for word in pairs(words) do known[#known + 1] = word end
    table.sort(known)
    wrong(value, name, field, 'one of ' .. table.concat(known, ', '))
end

return errors
