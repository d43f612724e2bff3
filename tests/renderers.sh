#!/bin/sh
# renderers.sh - compares turned masks with SDL's OpenGL renderer: starts a display and runs test_renderers on it.
# SPDX-License-Identifier: Zlib
#
# Needs Xvfb (Debian package: xvfb) and software OpenGL (libgl1-mesa-dri); without them it is skipped. PROGRAM names the test
# program if it is elsewhere.

program=${PROGRAM:-${top_builddir:-.}/tests/test_renderers}
log=${TMPDIR:-/tmp}/pv_renderers.$$
server=

finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null
  rm -f "$log"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

if ! [ -x "$program" ]; then
  echo '1..0 # SKIP test_renderers is not built: Check is missing (Debian package: check)'
  exit 0
fi
if ! command -v Xvfb >/dev/null 2>&1; then
  echo '1..0 # SKIP no Xvfb'
  exit 0
fi

# The server writes the number of the free display that it took, as soon as it accepts connections.
: >"$log"
Xvfb -noreset -displayfd 3 -screen 0 640x480x24 3>"$log" >/dev/null 2>&1 &
server=$!
tries=0
while [ ! -s "$log" ] && [ "$tries" -lt 100 ] && kill -0 "$server" 2>/dev/null; do
  sleep 0.1
  tries=$((tries + 1))
done
if [ ! -s "$log" ]; then
  echo '1..0 # SKIP Xvfb did not start'
  exit 0
fi

DISPLAY=:$(cat "$log")
# Leaks in OpenGL drivers and their helpers are not ours. Only runs of test_renderers without OpenGL look for leaks.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
export DISPLAY ASAN_OPTIONS
SDL_VIDEODRIVER=x11 LIBGL_ALWAYS_SOFTWARE=1 SDL_AUDIODRIVER=dummy "$program" gl
