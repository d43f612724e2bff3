#!/bin/sh
# header.sh - compiles pixverlet.h, and each header of pixverlet/ by itself, in the usual dialects of C and C++.
# tests/data/raylib.h declares what raylib.h needs of raylib.
# SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"
: "${CC:=cc}"
lib=$top_srcdir/lib adapters=$top_srcdir/adapters
make_work

{
  echo '#include <pixverlet.h>'
  echo '#include <pixverlet/paper.h>'
} >"$work/header.c"
cp "$work/header.c" "$work/header.cpp"

for std in c99 c11 c17 c2x; do
  $CC -std=$std -pedantic-errors -Wall -Wextra -Werror -I"$lib" -fsyntax-only "$work/header.c" >"$log" 2>&1
  report $? "pixverlet.h compiles by itself as $std"
done

# alone NAME DIALECT FLAGS: compiles a header by itself. Warnings in SDL's own headers are not ours.
alone() {
  case $2 in
    c++*) compiler=$CXX file=$work/one.cpp ;;
    *) compiler=$CC file=$work/one.c ;;
  esac
  echo "#include <pixverlet/$1>" >"$file"
  # shellcheck disable=SC2086
  if [ "$1" != "${1#sdl}" ] && [ -z "$SDL2_CFLAGS" ]; then
    skip "pixverlet/$1 compiles alone as $2" 'built without SDL'
  elif [ -z "$compiler" ] || ! $compiler --version >"$log" 2>&1; then
    skip "pixverlet/$1 compiles alone as $2" 'no C++ compiler (Debian package: g++)'
  else
    $compiler -std=$2 -pedantic-errors -Wall -Wextra -Werror -I"$lib" -I"$adapters" $3 -fsyntax-only "$file" >"$log" 2>&1
    report $? "pixverlet/$1 compiles alone as $2"
  fi
}

for header in "$lib"/pixverlet/*.h "$adapters"/pixverlet/*.h; do
  name=${header##*/}
  case $name in
    sdl*) flags="-Wshadow $(echo " $SDL2_CFLAGS" | sed 's/ -I */ -isystem /g')" dialects='c11 c17 c++17 c++20' ;;
    raylib.h) flags="-Wshadow -isystem $top_srcdir/tests/data" dialects='c11 c17 c++17 c++20' ;;
    *) flags='' dialects='c11 c++17' ;;
  esac
  for std in $dialects; do alone "$name" $std "$flags"; done
done

if [ -z "$CXX" ] || ! $CXX --version >"$log" 2>&1; then
  skip 'pixverlet.h compiles as C++' 'no C++ compiler (Debian package: g++)'
else
  for std in c++11 c++17 c++20; do
    $CXX -std=$std -pedantic-errors -Wall -Wextra -Werror -I"$lib" -fsyntax-only "$work/header.cpp" >"$log" 2>&1
    report $? "pixverlet.h compiles by itself as $std"
  done
  if [ -n "$PV_SANITIZE" ] || ! [ -f .libs/libpixverlet.so ]; then
    skip 'a C++ program links and runs' 'no plain shared library in this build'
  else
    { $CXX -std=c++11 -Wall -Wextra -Werror -I"$lib" "$top_srcdir/tests/header.cpp" -o "$work/header" \
        .libs/libpixverlet.so -Wl,-rpath,"$PWD/.libs" && "$work/header"; } >"$log" 2>&1
    report $? 'a C++ program links and runs'
  fi
fi
echo "1..$n"
