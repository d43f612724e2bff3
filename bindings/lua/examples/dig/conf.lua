-- conf.lua - the window of the game. SPDX-License-Identifier: Zlib
function love.conf(t)
    t.identity = 'pixverlet-dig'
    t.window.title = 'Dig and escape'
    t.window.width, t.window.height = 960, 540
    t.modules.physics, t.modules.joystick, t.modules.audio, t.modules.sound = false, false, false, false
end
