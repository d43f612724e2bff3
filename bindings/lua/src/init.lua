--[[ init.lua - what `require 'pixverlet'` returns.

Invariant: a game reaches everything through these functions and the objects that they return.

SPDX-License-Identifier: Zlib ]]

local loader = require 'pixverlet.loader'
require 'pixverlet.methods'
local worlds, sprites = require 'pixverlet.world', require 'pixverlet.sprite'
for _, name in ipairs { 'body', 'carve', 'mover', 'grains', 'draw' } do require('pixverlet.' .. name) end

return {
    newWorld = worlds.new_world,
    newSprite = sprites.new_sprite,
    newMask = sprites.new_mask,
    newCircleMask = sprites.new_circle_mask,
    newTextMask = sprites.new_text_mask,
    version = loader.version,
    loadedFrom = loader.place,
}
