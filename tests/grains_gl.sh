#!/bin/sh
# grains_gl.sh - the shader of docs/MATTER.md and pv_grains come to the same bits, without a window.
# SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"

draws grains_gl --check --count 20000 --steps 300

# A shader with other friction is found out.
sed 's/int brake = clamp(speed, -grip, grip);/int brake = clamp(speed, -grip - 1, grip);/' "$shader" >grains_gl_other.glsl
said=$(examples/grains_gl --check --count 20000 --steps 60 --shader grains_gl_other.glsl 2>&1)
[ $? -eq 1 ]
report $? "a shader that differs by a bit ran on $said"
rm -f grains_gl_other.glsl

said=$(examples/grains_gl --count none 2>&1)
[ $? -eq 1 ] && [ "$said" = 'none: not a number in range' ]
report $? "a bad option is told: $said"
echo "1..$n"
