-- conf.lua - a small window for the tests of pictures. SPDX-License-Identifier: Zlib
function love.conf(t)
    t.identity = 'pixverlet-test'
    t.window.width, t.window.height = 320, 240
    t.modules.audio, t.modules.sound, t.modules.joystick = false, false, false
end
