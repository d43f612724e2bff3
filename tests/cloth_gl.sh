#!/bin/sh
# cloth_gl.sh - the shader of examples/cloth_gl.c moves a cloth and particles as the library does, without a window.
# SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"

draws cloth_gl

# A shader with softer threads, or without damping, is caught.
differs 's/shear : stiffness/shear : 0.8 * stiffness/' cloth_gl
differs 's/keep \* particle/particle/' cloth_gl
echo "1..$n"
