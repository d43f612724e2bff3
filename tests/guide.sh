#!/bin/sh
# guide.sh - follows docs/GUIDE.md like a reader: each step is typed in, compiled by the guide's own command, and played.
# SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"
: "${CC:=cc}"

[ -x examples/guide ] && [ -f .libs/libpixverlet.so ] && [ -z "$PV_SANITIZE" ] || leave_out 'needs SDL and a plain shared library'
make_work
ln -s "$top/lib" "$work/lib" && ln -s "$top/adapters" "$work/adapters" && ln -s "$top/sprites" "$work/sprites" && ln -s "$build" "$work/build" || exit 99
cd "$work" || exit 99

# After each chapter that shows code, the program so far is step_N.c. The first block is all of it. The others go above the line
# that the sentence before them names.
awk '
  function keep(   k) {
    if (new) step++
    for (k = 1; new && k <= lines; k++) print line[k] > ("step_" step ".c")
    new = 0
  }
  /^## / { keep() }
  /^Above `/ { split($0, part, "`"); mark = part[2] }
  /^```c$/ { reading = 1; count = 0; next }
  /^```$/ && reading {
    reading = 0; new = 1; at = 0
    if (lines == 0) { for (k = 1; k <= count; k++) line[++lines] = block[k]; next }
    for (k = 1; k <= lines; k++) if (index(line[k], mark)) at = k
    if (at == 0) { print "no line for: " mark; exit 1 }
    for (k = lines; k >= at; k--) line[k + count] = line[k]
    for (k = 1; k <= count; k++) line[at + k - 1] = block[k]
    lines += count
  }
  reading { block[++count] = $0 }
  END { keep() }' "$top/docs/GUIDE.md" >log 2>&1
report $? 'every block has its place'

ls step_*.c >log
[ "$(wc -l <log)" -eq 6 ]
report $? 'six steps'

sed '1,/\*\//d' "$top/examples/guide.c" | diff - step_6.c >log 2>&1
report $? 'the last one is examples/guide.c'

# A spy prints the bodies when the world is destroyed, and the window's color.
cat >spy.h <<'END'
#include <pixverlet/sdl_game.h>
#include <stdio.h>
static inline void spy(pv_world *world) {
    pv_body_id body = pv_world_get_next_body(world, pv_null_body);
    for (; pv_body_is_valid(world, body); body = pv_world_get_next_body(world, body)) {
        pv_vec2 at = pv_body_get_position(world, body);
        printf("body %d %.0f %.0f\n", (int)pv_body_get_type(world, body), at.x, at.y);
    }
    pv_world_destroy(world);
}
#define pv_world_destroy(world) spy(world)
#define pv_sdl_game_destroy(game) (printf("color %x\n", (game)->background), pv_sdl_game_destroy(game))
END
command=$(sed -n 's/^    cc \(game\.c .*\)/$CC $CPPFLAGS $CFLAGS -include .\/spy.h \1 $LDFLAGS/p' "$top/docs/GUIDE.md")
command_cxx=$(sed -n 's/^    g++ \(-std=c++17 game\.cpp .*\)/$CXX $CPPFLAGS $CXXFLAGS -include .\/spy.h \1 $LDFLAGS/p' "$top/docs/GUIDE.md")
SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software
export SDL_VIDEODRIVER SDL_RENDER_DRIVER

# play STEP FRAMES KEYS AWK DESCRIPTION: compiles and plays a step; AWK is a condition on what it prints
play() {
  cp "step_$1.c" game.c
  cp "step_$1.c" game.cpp
  eval "$command" >log 2>&1 && ./game --frames "$2" --play "$3" >log 2>&1 &&
    awk "/^body 0/ { still++ } /^body 2/ { moving++; if (\$4 > 400 && \$4 < 448) low++; x = \$3; y = \$4 } /hit a star/ { hits++ } /^color 2a6038ff/ { green++ }
      END { exit !($4) }" log
  report $? "step $1: $5"
}

play 1 20 '' 'still + moving == 0' 'a window without bodies'
play 2 240 '' 'still == 3 && moving == 8 && low == 8' 'eight stars lie on the floor'
play 3 30 '' 'moving == 9 && x == 60 && y > 400' 'the ball lies to the left'
play 3 100 '10+Right' 'moving == 9 && x > 100' 'the right arrow rolls it to the right'
play 3 100 '60+Up 63-Up' 'moving == 9 && x == 60 && y < 400' 'up lifts it'
play 4 130 '30+Right' 'hits > 0 && moving < 9' 'it breaks stars'
play 4 130 '' 'hits == 0 && moving == 9' 'left alone it does not'
play 5 130 '30+Right' 'still == 4 && hits > 0 && !green' 'below the ring nothing is triggered'
play 5 240 '30+Right 220+Up 223-Up' 'still == 4 && green' 'in it the window is green'
play 6 130 '30+Right' 'still == 4 && hits > 0' 'drawing the insides changes nothing'

last=$(sed -n 's/^    SDL_VIDEODRIVER=dummy \(.\/game .*\)/\1/p' "$top/docs/GUIDE.md")
eval "$last" >log 2>&1 && grep -q 'hit a star' log
report $? "the guide's own words: $last"

if [ -z "$CXX" ] || ! $CXX --version >log 2>&1; then
  n=$((n + 1))
  echo "ok $n - step 6 as C++17 # SKIP no C++ compiler (Debian package: g++)"
else
  c=$command command=$command_cxx
  play 6 130 '30+Right' 'still == 4 && hits > 0' 'as C++17 it breaks stars as well'
  command=$c
fi
echo "1..$n"
