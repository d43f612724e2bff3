#!/bin/sh
# grains_gl.sh - the shader of docs/MATTER.md and pv_grains give the same bits, without a window.
# SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"

draws grains_gl --check --count 20000 --steps 300

# A shader with other friction is caught.
differs 's/int brake = clamp(speed, -grip, grip);/int brake = clamp(speed, -grip - 1, grip);/' grains_gl --check --count 20000 --steps 60
echo "1..$n"
