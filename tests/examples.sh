#!/bin/sh
# examples.sh - pv_sdl.h by itself in C and C++, and the example of it without a window.
# SPDX-License-Identifier: Zlib

: "${top_srcdir:=.}" "${CC:=cc}"
n=0
work=examples-test.$$
mkdir "$work" || exit 99
trap 'rm -rf "$work"' EXIT

report() { # report STATUS DESCRIPTION: one TAP line
  n=$((n + 1))
  if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else
    echo "not ok $n - $2"
    sed 's/^/# /' "$work/log"
  fi
}

if ! [ -x examples/sdl_world ]; then
  echo '1..0 # SKIP built without SDL'
  exit 0
fi

# SDL's own headers may warn.
flags=$(echo " $SDL2_CFLAGS" | sed 's/ -I */ -isystem /g')
echo '#include <pv_sdl.h>' >"$work/header.c"
cp "$work/header.c" "$work/header.cpp"
for std in c11 c17; do
  # shellcheck disable=SC2086
  $CC -std=$std -pedantic-errors -Wall -Wextra -Wshadow -Werror -I"$top_srcdir/lib" $flags -fsyntax-only "$work/header.c" >"$work/log" 2>&1
  report $? "pv_sdl.h compiles by itself as $std"
done
if [ -n "$CXX" ] && $CXX --version >"$work/log" 2>&1; then
  for std in c++17 c++20; do
    # shellcheck disable=SC2086
    $CXX -std=$std -pedantic-errors -Wall -Wextra -Wshadow -Werror -I"$top_srcdir/lib" $flags -fsyntax-only "$work/header.cpp" >"$work/log" 2>&1
    report $? "pv_sdl.h compiles by itself as $std"
  done
fi

# What SDL leaves unfreed is its own.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software
export ASAN_OPTIONS SDL_VIDEODRIVER SDL_RENDER_DRIVER
s=$top_srcdir/sprites

# All 24 lie on the floor or on each other; what fell past it would touch nothing.
examples/sdl_world --frames 240 "$s/floor.png" "$s/star.png" "$s/gear.png" >"$work/log" 2>&1 &&
  awk '/^[0-9]+ contacts after 240 frames$/ && $1 >= 24 { good = 1 } END { exit !good }' "$work/log"
report $? "sdl_world: $(cat "$work/log")"

errors=$(examples/sdl_world "$s/floor.png" no-such-file.png 2>&1 >/dev/null)
status=$?
echo "$errors" >"$work/log"
[ $status -eq 2 ] && [ "$errors" = 'sdl_world: no-such-file.png: the file cannot be opened' ]
report $? 'sdl_world: a missing file is said and gives exit 2'
echo "1..$n"
