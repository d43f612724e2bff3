#!/bin/sh
# grains_gl.sh - the shader of docs/MATTER.md and pv_grains come to the same bits, without a window.
# SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"

# Mesa keeps what it compiled; what it leaves unfreed is its own.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 MESA_SHADER_CACHE_DISABLE=true
export ASAN_OPTIONS MESA_SHADER_CACHE_DISABLE
shader=$top_srcdir/examples/grains.glsl

[ -x examples/grains_gl ] || leave_out 'not run: built without EGL and GLES'
make_work
said=$(examples/grains_gl --check --count 20000 --steps 300 --shader "$shader" 2>&1)
status=$?
[ $status -ne 77 ] || leave_out "not run: $said"
report $status "ran on $said"

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
