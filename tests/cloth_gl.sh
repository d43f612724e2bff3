#!/bin/sh
# cloth_gl.sh - the shader of examples/cloth_gl.c moves a cloth and particles as the library does, without a window.
# SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"

draws cloth_gl

# A shader with a softer thread, or without damping, is found out.
for change in 's/shear : stiffness/shear : 0.8 * stiffness/' 's/keep \* particle/particle/'; do
  sed "$change" "$shader" >cloth_gl_other.glsl
  said=$(examples/cloth_gl --shader cloth_gl_other.glsl 2>&1)
  [ $? -eq 1 ]
  report $? "another shader ran on $said"
done
rm -f cloth_gl_other.glsl

said=$(examples/cloth_gl --steps none 2>&1)
[ $? -eq 1 ] && [ "$said" = 'none: not a number in range' ]
report $? "a bad option is told: $said"
echo "1..$n"
