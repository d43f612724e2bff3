#!/bin/sh
# windows.sh - `make windows` packs a DLL; a user's program is cross-compiled with it and runs under Wine.
# SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"
: "${MAKE:=make}"
[ "$PIXVERLET_TESTS" = all ] || leave_out 'for PIXVERLET_TESTS=all, and the stage release of .ci/run'

for cc in "${WINDOWS_CC-}" x86_64-w64-mingw32-gcc-posix x86_64-w64-mingw32-gcc ''; do
  if [ -n "$cc" ] && command -v "$cc" >/dev/null 2>&1; then break; fi
done
if [ -n "$PV_SANITIZE" ] || [ -z "$cc" ] || ! command -v unzip >/dev/null 2>&1; then
  leave_out 'needs MinGW-w64 (Debian package: gcc-mingw-w64-x86-64-posix), unzip and a build without sanitizers'
fi
make_work
# Wine's server outlives the programs that it serves, and writes where they ran.
leave() {
  for server in wineserver64 /usr/lib/wine/wineserver64; do
    [ ! -d "$work/wine" ] || ! command -v $server >/dev/null || WINEPREFIX=$work/wine $server -k
  done
  rm -rf "$work"
}
trap leave EXIT

env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL "$MAKE" -s windows >"$log" 2>&1
report $? 'make windows'

zip=$(ls "$build"/pixverlet-*-windows-x86_64.zip)
(cd "$work" && unzip -q "$zip" && mv pixverlet-* tree) >"$log" 2>&1
report $? 'the zip file unpacks into one folder'
cd "$work/tree" || exit 1

find . -type f | LC_ALL=C sort >"$work/found"
{
  printf './%s\n' LICENSE README.txt include/pixverlet.h lib/libpixverlet.dll.a lib/pixverlet.def
  printf './bin/%s\n' bin/*.dll | sed 's|bin/bin|bin|'
  (cd "$top" && ls lib/pixverlet/*.h adapters/pixverlet/*.h) | sed 's|^[a-z]*|./include|'
} | LC_ALL=C sort | diff - "$work/found" >"$log"
report $? 'it has the DLL, its import library, all headers, a README and the license'

${cc%-gcc*}-objdump -p bin/*.dll >"$work/dump"
sed -n 's/^[[:space:]]*\[ *[0-9]*\] .*\(pv_[a-z0-9_]*\)$/\1/p' "$work/dump" | LC_ALL=C sort | diff "$top/tests/exports.txt" - >"$log"
report $? 'the DLL exports the functions of tests/exports.txt and nothing else'

sed -n 's/.*DLL Name: //p' "$work/dump" | grep -viE '^(kernel32|msvcrt|ucrtbase|api-ms-win-.*)\.dll$' >"$log"
silent 'the DLL needs no other than those of Windows'

$cc -std=c11 -Wall -Wextra -Werror -Iinclude -o hello.exe "$top/examples/hello.c" lib/libpixverlet.dll.a >"$log" 2>&1
report $? 'hello.c compiles with it, without a warning'

for wine in wine64 /usr/lib/wine/wine64 ''; do
  if [ -n "$wine" ] && command -v "$wine" >/dev/null; then break; fi
done
if [ -n "$wine" ]; then
  cp bin/*.dll .
  WINEDEBUG=-all WINEPREFIX=$work/wine "$wine" ./hello.exe "$top/sprites/star.png" 2>"$log" | tr -d '\r' >"$work/said"
  wanted=$("$build/examples/hello" "$top/sprites/star.png")
  [ -n "$wanted" ] && [ "$(cat "$work/said")" = "$wanted" ]
  report $? 'Wine runs hello.exe, and it says what it says elsewhere'
else
  skip 'Wine runs hello.exe, and it says what it says elsewhere' 'needs Wine (Debian package: wine64)'
fi
echo "1..$n"
