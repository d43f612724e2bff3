--[[ init.lua - the table that `require 'pixverlet'` returns.

Invariant: a game reaches everything through these functions and the objects that they return.

SPDX-License-Identifier: Zlib ]]

local loader = require 'pixverlet.loader'
local module = require 'pixverlet.methods'
local worlds, sprites = require 'pixverlet.world', require 'pixverlet.sprite'
for _, name in ipairs { 'body', 'carve', 'mover', 'grains', 'draw', 'debug' } do require('pixverlet.' .. name) end

module.newWorld = worlds.new_world
module.newSprite = sprites.new_sprite
module.newMask = sprites.new_mask
module.newCircleMask = sprites.new_circle_mask
module.newTextMask = sprites.new_text_mask
module.newSwept = require('pixverlet.frames').new_swept
module.version = loader.version
module.loadedFrom = loader.place
return module
