--[[ loader.lua - finds the shared library, loads it, and checks that its version fits.

Invariant: the declarations are those of the headers with which this module was built.

SPDX-License-Identifier: Zlib ]]

local ffi = require 'ffi'
local api = require 'pixverlet.api'

if not ffi.abi '64bit' then error('pixverlet: this module needs a machine of 64 bits', 0) end
ffi.cdef(api.cdef)

-- Folder of this file, with its slash.
local folder = debug.getinfo(1, 'S').source:match '^@(.*[/\\])' or ''
local name = ({ Windows = 'pixverlet.dll', OSX = 'libpixverlet.dylib' })[ffi.os] or 'libpixverlet.so'
local loaded_name = ffi.os == 'Linux' and 'libpixverlet.so.2' or 'pixverlet'

-- A library in a .love file must first become a file in the save directory.
local function unpacked(path)
    local fs = love.filesystem
    local data = fs.getInfo(path, 'file') and fs.read(path)
    if not data or not fs.getIdentity or fs.getIdentity() == '' then return end
    local saved = fs.getSaveDirectory() .. '/' .. name
    if fs.getRealDirectory(path) ~= fs.getSaveDirectory() then fs.write(name, data) end
    return saved
end

-- Lists the places where the library may be, nearest first.
local function places()
    local list = {}
    local fs = love and love.filesystem
    local function add(place) list[#list + 1] = place or nil end
    if fs then
        for _, path in ipairs { folder .. name, name } do
            local directory = fs.getRealDirectory(path)
            add(directory and directory .. '/' .. path)
        end
        add(fs.getSource() .. '/' .. folder .. name)
        add(fs.getSourceBaseDirectory() .. '/' .. name)
        add(unpacked(folder .. name))
    else
        add((folder == '' and './' or folder) .. name)
    end
    for pattern in package.cpath:gmatch '[^;]+' do
        local directory = pattern:match '^(.*[/\\])%?'
        add(directory and directory .. name)
    end
    add(loaded_name)
    return list
end

-- A later patch has all functions of an earlier one; see VERSIONS.md.
local function fits(version)
    local series, patch = version:match '^(%d+%.%d+)%.(%d+)$'
    local wanted, least = api.version:match '^(%d+%.%d+)%.(%d+)$'
    return series == wanted and tonumber(patch) >= tonumber(least)
end

local tried = {}
for _, place in ipairs(places()) do
    local good, C = pcall(ffi.load, place)
    if good then
        local known, version = pcall(function() return ffi.string(C.pv_version()) end)
        if known and fits(version) then return { C = C, place = place, version = version } end
        tried[#tried + 1] = ('%s: version %s does not fit pixverlet.lua %s'):format(place, known and version or 'unknown', api.version)
    else
        tried[#tried + 1] = ('%s: %s'):format(place, tostring(C):match '[^\n]*')
    end
end
error('pixverlet: found no library of version ' .. api.version .. ' that fits:\n  ' .. table.concat(tried, '\n  '), 0)
