#!/bin/sh
# windows.sh - cross-builds the library of `make amalgamation` as a DLL, and packs it with its headers as a zip file.
# Usage: windows.sh SOURCE-DIRECTORY VERSION SONAME-NUMBER, in the build directory. WINDOWS_CC names another compiler.
# SPDX-License-Identifier: Zlib

set -eu
top=$1 version=$2 number=$3
dll=libpixverlet-$number.dll
name=pixverlet-$version-windows-x86_64

for cc in "${WINDOWS_CC-}" x86_64-w64-mingw32-gcc-posix x86_64-w64-mingw32-gcc ''; do
  if [ -n "$cc" ] && command -v "$cc" >/dev/null 2>&1; then break; fi
done
[ -n "$cc" ] || { echo 'make windows: MinGW-w64 is missing (Debian package: gcc-mingw-w64-x86-64-posix)' >&2; exit 1; }

mkdir -p windows/bin windows/lib windows/include/pixverlet
cp "$top/LICENSE" windows/LICENSE
sed "s/@VERSION@/$version/; s/@NUMBER@/$number/" "$top/tools/windows_readme.txt" >windows/README.txt
cp "$top/lib/pixverlet.h" windows/include
cp "$top"/lib/pixverlet/*.h "$top"/adapters/pixverlet/*.h windows/include/pixverlet
{ printf 'LIBRARY %s\nEXPORTS\n' "$dll"; sed 's/^/    /' "$top/tests/exports.txt"; } >windows/lib/pixverlet.def

# The compiler takes a minute, so its output is kept until the sources change.
if [ ! -f windows/pixverlet.o ] || [ -n "$(find amalgamation/pixverlet.c -newer windows/pixverlet.o)" ]; then
  $cc -O2 -Wno-psabi -c -o windows/pixverlet.o amalgamation/pixverlet.c
fi
$cc -shared -static -s -o "windows/bin/$dll" windows/pixverlet.o windows/lib/pixverlet.def -Wl,--out-implib,windows/lib/libpixverlet.dll.a

rm -rf "$name.zip" "windows/$name"
mkdir "windows/$name"
cp -R windows/bin windows/lib windows/include windows/README.txt windows/LICENSE "windows/$name"
if command -v zip >/dev/null 2>&1; then
  (cd windows && zip -qrX "../$name.zip" "$name")
elif command -v cmake >/dev/null 2>&1; then
  (cd windows && cmake -E tar cf "../$name.zip" --format=zip "$name")
else
  echo 'make windows: zip or cmake is missing, to pack it; it is in windows/' >&2
  exit 1
fi
rm -rf "windows/$name"
