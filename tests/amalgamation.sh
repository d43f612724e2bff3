#!/bin/bash
# amalgamation.sh - the library in one file, as `make amalgamation` joins it, gives the same results bit for bit.
# SPDX-License-Identifier: Zlib
# shellcheck disable=SC2046,SC2086

. "${top_srcdir:=.}/tests/tap.sh"
: "${CC:=cc}" "${AWK:=awk}"
from=$build/amalgamation

[ -z "$PV_SANITIZE" ] && [ -f "$from/pixverlet.c" ] || leave_out 'needs make amalgamation, and a build without sanitizers'
make_work
unset CFLAGS CPPFLAGS LDFLAGS
cp -r "$from"/* "$work" && cp "$top/examples/hello.c" "$top/examples/guide.c" "$top/tests/header.cpp" "$work" || exit 99
cd "$work" || exit 99

strict='-Wall -Wextra -Werror'
# An optimization level that fuses products and sums if allowed, for a CPU that can: it tests what forbids fusing.
march=
case $(uname -m) in x86_64) march=-march=x86-64-v3 ;; esac
fused='^[[:space:]]*(v?fn?m(ad|sb|sd|sub|la|ls|[as]\.f)|x[sv]n?m(add|sub)|m[as]dbr?[[:space:]])'
can_run() { [ -z "$march" ] || grep -qw fma /proc/cpuinfo 2>/dev/null; }

compiled() { # compiled COMPILER OBJECT FLAG...: compiles pixverlet.c to OBJECT.s, and that to OBJECT.o
  local compiler=$1 object=$2
  shift 2
  $compiler $strict "$@" -S -o "$object.s" pixverlet.c && $compiler -c -o "$object.o" "$object.s"
} >log 2>&1
unfused() { # unfused OBJECT DESCRIPTION: OBJECT.s has no fused multiply-add
  ! grep -Ei "$fused" "$1.s" >log 2>&1
  report $? "$2: products and sums stay apart"
}
would_fuse() { # would_fuse COMPILER FLAG...: succeeds if the compiler fuses them in a function without pragmas
  echo 'double f(double a, double b, double c) { return a * b + c; }' | "$@" -x c -S -o - - 2>log | grep -Eiq "$fused"
}
played() { PIXVERLET_SPRITES=$top/sprites PIXVERLET_KERNEL=$kernel "$@"; }
scenes_linked() { # scenes_linked PROGRAM OBJECT LIBRARY...
  local program=$1
  shift
  $CC -o "$program" "$build/tests/scene_hashes.o" "$build/libdemo-scenes.a" "$@" -lm >log 2>&1
}

# ---- With the compiler of this build, as a user's cc would compile it, without libcjson

compiled "$CC" one -O1 -fexpensive-optimizations $march
report $? "pixverlet.c compiles with $strict"
if [ -n "$march" ] && would_fuse $CC -O1 -fexpensive-optimizations $march; then
  unfused one "${CC%% *}"
else
  skip "${CC%% *}: products and sums stay apart" 'nothing can join them here'
fi

if [ -n "$march" ]; then
  for kernel in kernel_generic kernel_avx2 kernel_avx512 lanes_generic lanes_avx2 stick_generic stick_avx2; do
    grep -q "^pv__$kernel:" one.s || echo "no pv__$kernel"
  done >log
  silent 'every kernel is in the file'
fi
if can_run; then
  $CC $strict -I. -o hello hello.c one.o -lm >log 2>&1 && ./hello "$top/sprites/star.png" >log &&
    "$build/examples/hello" "$top/sprites/star.png" | diff - log
  report $? 'hello says what it says with the library'

  kernel=''
  scenes_linked scenes one.o
  report $? 'the scenes are linked with it'
  if [ "$PIXVERLET_TESTS" = all ]; then
    bad=0
    while read -r scene frame wanted; do
      case $scene in '#'* | tilemap) continue ;; esac
      found=$(played ./scenes "$frame" "$frame" "$scene" 2>&1 | tail -n 1)
      [ "$found" = "$scene $frame $wanted" ] || { echo "$found, not $wanted"; bad=1; }
    done <"$top/tests/golden.txt" >log
    report $bad 'every scene comes to the state of tests/golden.txt'
  else
    skip 'every scene comes to the state of tests/golden.txt' 'for PIXVERLET_TESTS=all'
  fi
  all=$(echo $(./scenes | grep -vx tilemap))
  played "$build/tests/scene_hashes" 10 5 $all 2>&1 | sed 1d >wanted
  for kernel in generic avx2 avx512; do
    played ./scenes 10 5 $all >found 2>&1
    grep -q "^kernel $kernel" found || { skip "kernel $kernel" 'not on this CPU'; continue; }
    sed 1d found | diff wanted - >log && [ -s wanted ]
    report $? "kernel $kernel is chosen, and moves all scenes as the library's does"
  done
  kernel=''

  if [ -n "$CXX" ] && $CXX --version >log 2>&1; then
    $CXX -std=c++17 -pedantic-errors $strict -I. -o header header.cpp one.o -lm >log 2>&1 && ./header
    report $? 'a C++17 program links and runs'
  else
    skip 'a C++17 program links and runs' 'no C++ compiler (Debian package: g++)'
  fi

  if [ -x "$build/examples/guide" ]; then
    ln -s "$top/sprites" sprites
    $CC -I. -o game guide.c one.o $(pkg-config --cflags --libs sdl2) -lm >log 2>&1 &&
      SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software ./game --frames 130 --play '30+Right' >log 2>&1 && grep -q 'hit a star' log
    report $? "the guide's game runs with it"
  else
    skip "the guide's game runs with it" 'built without SDL'
  fi
else
  skip 'programs with it run' "no $march on this CPU"
fi

# ---- With clang, which fuses at any level, with libcjson

clang=clang
if [ "$PIXVERLET_TESTS" != all ] || ! command -v clang >log; then
  skip 'clang: pixverlet.c compiles' 'for PIXVERLET_TESTS=all, where clang is (Debian package: clang)'
else
  cjson=
  ! grep -q '^#define HAVE_CJSON 1' "$build/config.h" || cjson=-DPIXVERLET_CJSON
  compiled $clang two -O0 $march $cjson
  report $? "clang: pixverlet.c compiles with $strict $cjson"
  if [ -n "$march" ] && would_fuse $clang -O0 $march; then
    unfused two clang
  else
    skip 'clang: products and sums stay apart' 'nothing can join them here'
  fi
  if can_run; then
    kernel=generic
    scenes_linked scenes_clang two.o ${cjson:+$(pkg-config --libs libcjson)}
    all=$(./scenes_clang | { if [ -n "$cjson" ]; then cat; else grep -vx tilemap; fi; })
    played "$build/tests/scene_hashes" 10 5 $all >wanted 2>&1
    played ./scenes_clang 10 5 $all >found 2>&1
    diff wanted found >log && grep -q '^drop 10 ' found
    report $? 'clang: all scenes move as they do with the library'
  fi
fi

# ---- What is refused, and what is left out

for flag in -ffast-math -Ofast; do
  ! $CC $flag -E -o none pixverlet.c >log 2>&1 && grep -q 'error.*ffast-math' log
  report $? "$flag is refused"
done
! $CC -x c++ -E -o none pixverlet.c >log 2>&1 && grep -q 'error.*pixverlet\.c is C' log
report $? 'C++ is refused'
$CC -std=c11 $strict -DPIXVERLET_NO_THREADS -c -O0 -fsyntax-only pixverlet.c >log 2>&1 &&
  ! $CC -std=c11 -DPIXVERLET_NO_THREADS -E pixverlet.c | grep 'pthread_mutex_lock\|_Thread_local' >log
report $? 'PIXVERLET_NO_THREADS leaves out locks, in c11'
echo 'pv_world *world;' | cat pixverlet.h - >alone.c
$CC -std=c99 -pedantic-errors $strict -fsyntax-only alone.c >log 2>&1 && ! grep '# *include *"' pixverlet.h >log &&
  ! grep '# *include *"' pixverlet.c | grep -v '"\(pixverlet\|stb_image\)\.h"' >log
report $? 'no other file is included'

# ---- Joining: private names of two files are kept apart, shared ones clash

mkdir -p clash/lib && cd clash || exit 99
joined() { # joined LINE LINE: compiles two files with a line each
  printf '%s\n' "$1" >lib/one.c && printf '%s\n' "$2" >lib/two.c
  printf 'lib/one.c\nlib/two.c\n' | $AWK -v part=source -f "$top/tools/amalgamate.awk" >all.c && $CC -Werror -fsyntax-only all.c
}
joined '#define ROOM 4
int four = ROOM;' '#define ROOM 5
_Static_assert(ROOM == 5, "the second file has its own");' >../log 2>&1
report $? 'a macro may have a body in each of two files'
joined 'static int room(void) { return 4; }
int four(void) { return room(); }' 'static double room(int of) { return of; }
double five(void) { return room(5); }' >../log 2>&1 && grep -q 'room__one()' all.c && grep -q 'room__two(5)' all.c
report $? 'a static function may have a body in each of two files'
joined 'static const char *room(void) { return "room of a.room"; }
const char *four(void) { return room(); }' 'static int room(void) { return 5; }
int five(void) { return room(); }' >../log 2>&1 && grep -q '"room of a.room"' all.c
report $? 'strings keep their words'
! joined 'int room(void) { return 4; }' 'int room(void) { return 5; }' >../log 2>&1 && grep -q room ../log
report $? 'a shared function with two bodies is an error'
cd .. || exit 99
echo "1..$n"
