#!/bin/sh
# release.sh - `make release`: the files of a release, in release/, each with its SHA-256 in a file beside it.
# Usage: release.sh SOURCE-DIRECTORY VERSION [PART...], in the build directory; without parts, all of them.
# A part whose tools are missing is skipped, and a line says why. A part that fails ends the release.
# SPDX-License-Identifier: Zlib

set -eu
top=$1 version=$2
shift 2
all='source amalgamation windows npm python lua love site debian'
for part; do
  case " $all " in *" $part "*) ;; *) echo "make release: $part is none of: $all" >&2; exit 2 ;; esac
done
: "${MAKE:=make}" "${PYTHON:=/usr/bin/python3}"
release=$PWD/release
work=$PWD/release-work
machine=$(uname -s | tr 'A-Z' 'a-z')-$(uname -m)
rm -rf "$release" "$work"
mkdir "$release" "$work"
trap 'rm -rf "$work"' EXIT

make_target() { "$MAKE" -s "$@"; }
summed() { # summed FILE: writes its sum beside it, as sha256sum -c reads it
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi >"$1.sha256"
}
packed() { # packed ARCHIVE FOLDER: the folder of the work directory as a zip file
  (cd "$work" && zip -qrX "$release/$1" "$2")
}
lacking='' # what a part lacks, with its Debian packages
need() { # need TEST WORDS
  eval "$1" >/dev/null 2>&1 || lacking="$lacking${lacking:+, }$2"
}
need_tool() { need "command -v $1" "$1 (${2-$1})"; }

# ---- Parts: what each needs, and how it is made

needs_source() { :; }
source_part() {
  make_target dist
  mv "libpixverlet-$version.tar.gz" "$release"
}

needs_amalgamation() { need_tool zip; }
amalgamation_part() {
  make_target amalgamation
  mkdir "$work/pixverlet-$version"
  cp -R amalgamation/* "$work/pixverlet-$version"
  packed "pixverlet-$version-amalgamation.zip" "pixverlet-$version"
  rm -r "$work/pixverlet-$version"
}

needs_windows() {
  need_tool zip
  # shellcheck disable=SC2016
  need 'command -v "${WINDOWS_CC-}" || command -v x86_64-w64-mingw32-gcc-posix || command -v x86_64-w64-mingw32-gcc' \
    'MinGW-w64 (gcc-mingw-w64-x86-64-posix)'
}
windows_part() {
  make_target windows
  mv "pixverlet-$version-windows-x86_64.zip" "$release"
  echo 'make release: windows has the library without the demo, as Debian has no SDL 2 for MinGW-w64'
}

needs_web() {
  need_tool clang
  need_tool wasm-ld lld
  need_tool wasm-opt binaryen
  need 'test -e /usr/include/wasm32-wasi/stdlib.h' 'the C library for WebAssembly (wasi-libc)'
  need_tool node nodejs
}
needs_npm() {
  needs_web
  need_tool npm
}
npm_part() {
  make_target web
  npm pack --silent --pack-destination "$release" ./web/pixverlet >"$work/npm"
}

needs_python() {
  need "$PYTHON -c 'import os, sysconfig; os.stat(sysconfig.get_path(\"include\") + \"/Python.h\")'" "Python's headers (python3-dev)"
  need "$PYTHON -c 'import setuptools, wheel'" 'setuptools and wheel (python3-setuptools python3-wheel)'
}
# The source archive includes stb_image.h. The wheel contains the library of this build, and needs the system's libcjson
# and whatever else this build was configured with.
python_part() {
  make_target python amalgamation
  tree=$work/python
  mkdir -p "$tree/bindings/web/tools"
  cp -R "$top"/bindings/python/pixverlet "$top"/bindings/python/src "$top"/bindings/python/tools "$top"/bindings/python/setup.py \
    "$top"/bindings/python/pyproject.toml "$top"/bindings/python/README.md "$top"/LICENSE "$top"/configure.ac "$top"/Makefile.am "$top"/lib "$tree"
  cp "$top"/tools/header.awk "$tree/tools"
  cp "$top"/bindings/web/tools/statements.awk "$tree/bindings/web/tools"
  cp amalgamation/stb_image.h "$tree/lib"
  chmod -R u+w "$tree"
  printf 'graft .\nprune build\nprune pixverlet.egg-info\nglobal-exclude __pycache__ *.py[co]\n' >"$tree/MANIFEST.in"
  setup() {
    (cd "$tree" && LDFLAGS=-s PIXVERLET_LIBRARY=$1 "$PYTHON" setup.py -q "$2" -d "$release") >"$work/log" 2>&1 ||
      { cat "$work/log" >&2; exit 1; }
  }
  setup '' sdist
  setup "$PWD/.libs/libpixverlet-core.a" bdist_wheel
}

needs_lua() {
  need_tool luajit
  need_tool luarocks
}
lua_part() {
  make_target lua
  mkdir "$work/rock"
  cp lua/pixverlet.lua lua/libpixverlet.so "$work/rock"
  cp lua/pixverlet.rockspec "$work/rock/pixverlet-$version-1.rockspec"
  (cd "$work/rock" && luarocks --lua-version=5.1 make --pack-binary-rock --tree="$work/rocks" "pixverlet-$version-1.rockspec") >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; exit 1; }
  mv "$work"/rock/*.rock "$release"
}

needs_love() {
  need_tool luajit
  need_tool zip
}
# The LÖVE game, with the library of this machine, and the one of Windows if it was built.
love_part() {
  make_target lua
  cp -R lua/dig "$work/dig"
  for dll in windows/bin/*.dll; do [ ! -f "$dll" ] || cp "$dll" "$work/dig/pixverlet.dll"; done
  (cd "$work/dig" && zip -qrX "$release/pixverlet-dig-$version-$machine.love" .)
}

needs_site() { needs_web; }
site_part() {
  make_target site
  mkdir "$work/site"
  cp -R site "$work/site/pixverlet-$version-site"
  (cd "$work/site" && tar -czf "$release/pixverlet-$version-site.tar.gz" "pixverlet-$version-site")
}

needs_debian() {
  need_tool dpkg-buildpackage dpkg-dev
  need_tool dh debhelper
  need_tool dh_python3 dh-python
  need_tool doxygen
}
debian_part() {
  mkdir "$work/debian"
  make_target distdir distdir="$work/debian/libpixverlet-$version"
  (cd "$work/debian/libpixverlet-$version" && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL DEB_BUILD_OPTIONS='nocheck noautodbgsym' dpkg-buildpackage -us -uc -b) \
    >"$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; exit 1; }
  cp "$work"/debian/*.deb "$release"
}

# ---- All of them

# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $all
for part; do
  lacking=''
  "needs_$part"
  if [ -n "$lacking" ]; then
    echo "make release: $part is left out; missing, with Debian packages: $lacking"
    continue
  fi
  echo "  RELEASE  $part"
  "${part}_part"
done
cd "$release"
for file in *; do
  [ -f "$file" ] || { echo 'make release: nothing could be made' >&2; exit 1; }
  summed "$file"
done
ls -l | awk 'NR > 1 && !/\.sha256$/ { printf "  %9d  release/%s\n", $5, $NF }'
