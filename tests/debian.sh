#!/bin/sh
# debian.sh - the distributed files make Debian packages. dpkg-buildpackage builds them, lintian finds no error, and a user can
# work with their contents. Run it in a build directory, like `make check`; it takes minutes.
# Usage: tests/debian.sh [DIRECTORY]; the packages are copied to DIRECTORY
# SPDX-License-Identifier: Zlib
# shellcheck disable=SC2046

. "${top_srcdir:=$(dirname "$0")/..}/tests/tap.sh"
: "${CC:=cc}"
for tool in dpkg-buildpackage dh dh_python3 lintian doxygen; do
  command -v $tool >/dev/null || leave_out "$tool is missing (Debian packages: dpkg-dev debhelper dh-python lintian doxygen)"
done
unset MAKEFLAGS MFLAGS MAKELEVEL LDFLAGS CFLAGS CXXFLAGS CPPFLAGS
root=$work/root
make_work
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT

sed -n 's/^ \(pv_[a-z0-9_]*\)@Base [0-9.]*$/\1/p' "$top_srcdir/debian/libpixverlet2.symbols" | diff "$top_srcdir/tests/exports.txt" - >"$log"
report $? 'debian/libpixverlet2.symbols has the names of tests/exports.txt (docs/VERSIONS.md tells how to add them)'

version=$(sed -n '1s/.*(\(.*\)).*/\1/p' "$top_srcdir/debian/changelog")
make -s distdir distdir="$work/libpixverlet-$version" >"$log" 2>&1 && grep -q "libpixverlet\], \[$version\]" "$top_srcdir/configure.ac"
report $? "what is distributed, as version $version"
(cd "$work/libpixverlet-$version" && dpkg-buildpackage -us -uc -b -jauto) >"$log" 2>&1
report $? 'dpkg-buildpackage'
(cd "$work" && lintian --fail-on error --info --allow-root ./*.changes) >"$log" 2>&1
report $? "lintian: no errors, $(grep -c '^W: ' "$log") warnings"
sed -n 's/^[WE]: /# &/p' "$log"

for package in libpixverlet2 libpixverlet-dev pixverlet-demo python3-pixverlet; do
  dpkg-deb -x "$work/${package}_$version"_*.deb "$root"
done >"$log" 2>&1
report $? 'four packages'

pc=$(find "$root" -name pixverlet.pc)
PKG_CONFIG_PATH=${pc%/pixverlet.pc} PKG_CONFIG_SYSROOT_DIR=$root LD_LIBRARY_PATH=${pc%/pkgconfig/pixverlet.pc}
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH
{ $CC "$top_srcdir/examples/hello.c" -o "$work/hello" $(pkg-config --cflags --libs pixverlet) &&
  "$work/hello" "$root/usr/share/libpixverlet/sprites/star.png" | grep 'they touch at'; } >"$log" 2>&1
report $? 'a program, out of libpixverlet-dev and libpixverlet2'

{ $CC "$top_srcdir/examples/hello.c" -o "$work/hello-static" $(pkg-config --cflags pixverlet) -Wl,--whole-archive \
    "${pc%/pkgconfig/pixverlet.pc}/libpixverlet.a" -Wl,--no-whole-archive $(pkg-config --static --libs-only-l pixverlet | sed 's/-lpixverlet//') &&
  "$work/hello-static" "$root/usr/share/libpixverlet/sprites/star.png" | grep 'they touch at'; } >"$log" 2>&1
report $? 'a program with the static library, all of it'

PYTHONPATH=$root/usr/lib/python3/dist-packages /usr/bin/python3 -c 'import pixverlet
with pixverlet.World() as world:
    box = world.create_body(pixverlet.Mask((9, 9), True), (0, 0), "dynamic")
    world.step(1 / 60)
    assert box.position[1] > 0 and box.mask.count() == 81' >"$log" 2>&1
report $? 'a program in Python, out of python3-pixverlet'

for file in share/man/man1/pixverlet-demo.1.gz share/man/man3/pv_mask_load.3.gz share/man/man3/pixverlet_masks.3.gz \
  share/doc/libpixverlet-dev/html/index.html share/applications/pixverlet-demo.desktop \
  share/icons/hicolor/128x128/apps/pixverlet-demo.png bin/pixverlet-demo bin/pixverlet-trace bin/pixverlet-retrace \
  bin/pixverlet-inspect share/man/man1/pixverlet-trace.1.gz share/man/man1/pixverlet-inspect.1.gz \
  share/libpixverlet/sounds/fire.wav; do
  [ -s "$root/usr/$file" ] || echo "$file is missing"
done >"$log"
silent 'pages, reference, icon and menu entry are there'
if [ $# -gt 0 ]; then
  mkdir -p "$1" && cp "$work"/*.deb "$1"
fi
echo "1..$n"
