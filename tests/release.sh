#!/bin/sh
# release.sh - what `make release` made works for users: each file is installed from release/, away from this tree.
# In a build directory: make release release-check. PIXVERLET_TESTS=seeds also compiles the sources for Python.
# SPDX-License-Identifier: Zlib
# shellcheck disable=SC2046

. "${top_srcdir:=$(dirname "$0")/..}/tests/tap.sh"
: "${CC:=cc}" "${PYTHON:=/usr/bin/python3}"
release=$build/release
[ -d "$release" ] || leave_out 'there is no release: make release'
unset MAKEFLAGS MFLAGS MAKELEVEL CFLAGS CPPFLAGS LDFLAGS PKG_CONFIG_PATH PYTHONPATH LUA_PATH LUA_CPATH
make_work
version=$(sed -n 's/^AC_INIT(\[libpixverlet\], \[\(.*\)\])$/\1/p' "$top/configure.ac")
star=$top/sprites/star.png

found='' # the file to test
file_of() { # file_of PATTERN DESCRIPTION: finds the file of this version; skips if there is none
  found=$(find "$release" -name "$1" ! -name '*.sha256')
  [ -n "$found" ] && return
  skip "$2" "no $1: make release tells why"
  return 1
}
fresh() { # fresh NAME: makes an empty directory, and goes there
  mkdir "$work/$1" && cd "$work/$1" || exit 99
}
says_hello() { "$@" "$star" | tee "$log" | grep -q 'they touch at'; }

# ---- Checksums and names

cd "$release" || exit 99
sum=sha256sum
command -v sha256sum >"$log" || sum='shasum -a 256'
for file in *; do
  case $file in
    *.sha256) [ -f "${file%.sha256}" ] || echo "$file is of no file"; continue ;;
    *"$version"*) ;;
    *) echo "$file is not of version $version" ;;
  esac
  $sum -c "$file.sha256" 2>&1 | grep -qx "$file: OK" || echo "$file has not the sum of $file.sha256"
done >"$log"
[ ! -s "$log" ] && ls ./*.sha256 >>"$log"
report $? "every file is of version $version, and has its sum beside it"
set -- *.sha256
file=${1%.sha256}
fresh sums
{ cat "$release/$file"; echo; } >"$file"
! $sum -c "$release/$1" >"$log" 2>&1
report $? 'a changed file has another sum'

# ---- C sources

if file_of "libpixverlet-$version.tar.gz" 'the sources configure, build, install and serve a program'; then
  fresh source
  { tar -xzf "$found" && cd "libpixverlet-$version" && ./configure -q --disable-demo --prefix="$work/source/root" CFLAGS='-O0 -g0' &&
    make -s -j"$(nproc)" libpixverlet.la && make -s install-libLTLIBRARIES install-includeHEADERS install-pixverletincludeHEADERS \
      install-pkgconfigDATA && $CC -o hello examples/hello.c \
      $(PKG_CONFIG_PATH=$work/source/root/lib/pkgconfig pkg-config --cflags --libs pixverlet); } >"$log" 2>&1 &&
    says_hello env LD_LIBRARY_PATH="$work/source/root/lib" ./hello
  report $? 'the sources configure, build, install and serve a program'
fi

if file_of "pixverlet-$version-amalgamation.zip" 'one file: hello is compiled with it'; then
  fresh amalgamation
  { unzip -q "$found" && cd "pixverlet-$version" && cp "$top/examples/hello.c" . && $CC -O0 -I. -o hello hello.c pixverlet.c -lm -lpthread; } \
    >"$log" 2>&1 && says_hello ./hello
  report $? 'one file: hello is compiled with it'
fi

if file_of "pixverlet-$version-windows-x86_64.zip" 'Windows: hello is linked with the DLL'; then
  fresh windows
  for cc in x86_64-w64-mingw32-gcc-posix x86_64-w64-mingw32-gcc; do if command -v $cc >"$log"; then break; fi; done
  { unzip -q "$found" && cd pixverlet-* && $cc -Iinclude -o hello.exe "$top/examples/hello.c" lib/libpixverlet.dll.a &&
    "${cc%-gcc*}"-objdump -p hello.exe | grep -q "DLL Name: $(basename bin/*.dll)"; } >"$log" 2>&1
  report $? 'Windows: hello is linked with the DLL' # tests/windows.sh runs it under Wine
fi

# ---- Packages of languages

if file_of "pixverlet-$version.tgz" 'npm installs the package, and node plays a world'; then
  fresh npm
  echo '{ "private": true }' >package.json
  cat >first.mjs <<'JS'
import { Body, init, Mask, World } from 'pixverlet';
await init();
const world = new World({ gravity: { x: 0, y: 100 } }), body = new Body(world, { mask: Mask.fromText('##\n##') });
for (let i = 0; i < 60; i++) world.step(1 / 60);
console.log(import.meta.resolve('pixverlet'), body.getPosition().y > 40);
JS
  { npm install --offline --silent --no-audit --no-fund "$found" && node first.mjs | tee said && grep -q "file://$work/npm/node_modules/.* true" said; } >"$log" 2>&1
  report $? 'npm installs the package, and node plays a world'
fi

cat >"$work/first.py" <<'PY'
import pixverlet, sys
with pixverlet.World(gravity=(0, 300)) as world:
    body = world.create_body(pixverlet.Mask((5, 5), True), (0, 0), "dynamic")
    world.step(1 / 60)
    assert body.velocity[1] > 4 and pixverlet.__version__ == sys.argv[1], pixverlet.__version__
    assert pixverlet.__file__.startswith(sys.prefix), pixverlet.__file__
PY
venv() { # venv NAME OPTION...: makes an environment, without the system's packages unless an option says so
  fresh "$1" && shift && "$PYTHON" -m venv "$@" home
}
if ! "$PYTHON" -c 'import ensurepip' 2>"$log"; then
  skip 'pip installs the wheel' 'Debian package: python3-venv'
  skip 'pip installs the sources' 'Debian package: python3-venv'
else
  if file_of "pixverlet-$version-cp*.whl" 'pip installs the wheel into an empty environment'; then
    { venv wheel && home/bin/pip install -q --no-index "$found" && home/bin/python "$work/first.py" "$version"; } >"$log" 2>&1
    report $? 'pip installs the wheel into an empty environment'
  fi
  # Compiling all of it takes two minutes, so this build's library is linked instead.
  library=$build/.libs/libpixverlet-core.a how='linked with the library of the build'
  [ -z "$PIXVERLET_TESTS" ] || library='' how='all of them compiled'
  if ! file_of "pixverlet-$version.tar.gz" 'pip installs the sources'; then :
  elif ! "$PYTHON" -c 'import setuptools, wheel' 2>"$log"; then
    skip 'pip installs the sources' 'Debian packages: python3-setuptools python3-wheel'
  else
    { venv sources --system-site-packages && PIXVERLET_LIBRARY=$library CFLAGS=-O0 home/bin/pip install -q --no-index --no-build-isolation \
      "$found" && home/bin/python "$work/first.py" "$version"; } >"$log" 2>&1
    report $? "pip installs the sources, $how"
    cd "$work" && tar -xzf "$found" && grep -q 'stb_image' "pixverlet-$version/lib/stb_image.h" &&
      find "pixverlet-$version/lib" -name '*.c' | sed 's|.*/lib/||' | LC_ALL=C sort >there &&
      (cd "$top/lib" && find . -name '*.c' | sed 's|^\./||' | LC_ALL=C sort) | diff - there >"$log"
    report $? 'they have every file of the library'
  fi
fi

cat >"$work/first.lua" <<'LUA'
local pixverlet = require 'pixverlet'
local world = pixverlet.newWorld(0, 100)
for _ = 1, 60 do world:step(1 / 60) end
print(package.searchpath('pixverlet', package.path))
LUA
if ! file_of "pixverlet-$version-1.*.rock" 'luarocks installs the rock, and LuaJIT steps a world'; then :
elif ! command -v luarocks >"$log"; then
  skip 'luarocks installs the rock, and LuaJIT steps a world' 'Debian package: luarocks'
else
  fresh rock
  { luarocks --lua-version=5.1 --tree="$work/rock/tree" install "$found" &&
    LUA_PATH="$work/rock/tree/share/lua/5.1/?.lua" LUA_CPATH="$work/rock/tree/lib/lua/5.1/?.so" luajit "$work/first.lua" |
      grep "^$work/rock/tree"; } >"$log" 2>&1
  report $? 'luarocks installs the rock, and LuaJIT steps a world'
fi

if ! file_of "pixverlet-dig-$version-*.love" 'LÖVE plays the game from its one file'; then :
elif ! command -v love >"$log" || ! command -v xvfb-run >"$log"; then
  skip 'LÖVE plays the game from its one file' 'Debian packages: love xvfb xauth'
else
  fresh love
  XDG_DATA_HOME=$work/love SDL_AUDIODRIVER=dummy LIBGL_ALWAYS_SOFTWARE=1 timeout 120 xvfb-run -a -s '-screen 0 1280x800x24' \
    love "$found" --auto >"$log" 2>&1 && grep -q 'escaped after' "$log"
  report $? 'LÖVE plays the game from its one file'
fi

# ---- Site and Debian packages

if file_of "pixverlet-$version-site.tar.gz" 'the site has its pages, with the compressed copies'; then
  fresh site
  { tar -xzf "$found" && cd "pixverlet-$version-site" && grep -q 'href="play/"' index.html && gzip -dc play/index.html.gz | diff - play/index.html &&
    ls play/gallery.html play/index.html.br loops/intro.gif LICENSE.txt; } >"$log" 2>&1
  report $? 'the site has its pages, with the compressed copies' # web-check follows its links
fi

if file_of "libpixverlet-dev_${version}_*.deb" 'Debian: a program, out of libpixverlet-dev and libpixverlet2'; then
  fresh debian
  for package in "$release"/libpixverlet2_*.deb "$found"; do dpkg-deb -x "$package" root; done >"$log" 2>&1
  pc=$(find root -name pixverlet.pc)
  $CC -o hello "$top/examples/hello.c" $(PKG_CONFIG_PATH=${pc%/pixverlet.pc} PKG_CONFIG_SYSROOT_DIR=$PWD/root pkg-config --cflags --libs pixverlet) \
    >"$log" 2>&1 && says_hello env LD_LIBRARY_PATH="${pc%/pkgconfig/pixverlet.pc}" ./hello
  report $? 'Debian: a program, out of libpixverlet-dev and libpixverlet2'
fi
echo "1..$n"
