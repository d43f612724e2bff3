#!/bin/sh
# install.sh - what `make install` installs, as users use it: by pkg-config alone, shared and static, and by CMake.
# SPDX-License-Identifier: Zlib
# shellcheck disable=SC2046,SC2086

. "${top_srcdir:=.}/tests/tap.sh"
: "${CC:=cc}" "${NM:=nm}" "${PKG_CONFIG:=pkg-config}"
[ -z "$PV_SANITIZE" ] || leave_out 'needs a plain build'
unset MAKEFLAGS MFLAGS MAKELEVEL LDFLAGS CFLAGS CXXFLAGS CPPFLAGS
root=$work/root
make_work

make -s install DESTDIR="$root" >"$log" 2>&1
report $? 'make install'
pc=$(find "$root" -name pixverlet.pc)
libdir=${pc%/pkgconfig/pixverlet.pc}
PKG_CONFIG_PATH=${pc%/pixverlet.pc} PKG_CONFIG_SYSROOT_DIR=$root LD_LIBRARY_PATH=$libdir
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR LD_LIBRARY_PATH
pc() { $PKG_CONFIG "$@" pixverlet; }
needs() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(libpixverlet[^]]*\)\].*/\1/p'; }

prefix=${libdir%/lib*}
programs=pixverlet-inspect
[ ! -x demo/pixverlet-demo ] || programs="$programs pixverlet-demo"
[ ! -x tools/pixverlet-retrace ] || programs="$programs pixverlet-trace pixverlet-retrace"
for program in $programs; do
  [ -x "$prefix/bin/$program" ] || echo "no $program"
  [ -s "$prefix/share/man/man1/$program.1" ] || echo "no page for $program"
done >"$log"
silent "programs and their man pages: $programs"
if [ -x demo/pixverlet-demo ]; then
  entry=$prefix/share/applications/pixverlet-demo.desktop
  { grep -qx 'Exec=pixverlet-demo %F' "$entry" && [ -s "$prefix/share/icons/hicolor/128x128/apps/$(sed -n 's/^Icon=//p' "$entry").png" ] &&
    { ! command -v desktop-file-validate || desktop-file-validate "$entry"; }; } >"$log" 2>&1
  report $? 'a menu entry and its icon'
else
  skip 'a menu entry and its icon' 'built without the demo'
fi

# The library has the soname that docs/VERSIONS.md promises for this version.
version=$(pc --modversion)
promised=$(sed -n "s/^| ${version%.*}\.x .*\`\(libpixverlet\.so\.[0-9]*\)\`.*/\1/p" "$top/docs/VERSIONS.md")
so=$libdir/libpixverlet.so
if ! [ -f "$so" ]; then
  for what in 'the soname' 'the exports' 'a C program' 'a game' 'a C++17 program'; do skip "$what" 'no shared library'; done
else
  soname=$(readelf -d "$so" | sed -n 's/.*(SONAME).*\[\(.*\)\].*/\1/p')
  echo "version $version: promised '$promised', installed '$soname'" >"$log"
  [ -n "$soname" ] && [ "$soname" = "$promised" ] && [ -f "$libdir/$soname" ]
  report $? "version $version has the soname that docs/VERSIONS.md says"

  $NM -D --defined-only "$so" | awk '{ print $NF }' | sed 's/@.*//' | grep -v '^_' | LC_ALL=C sort | diff "$top/tests/exports.txt" - >"$log"
  report $? 'it exports what tests/exports.txt lists'

  { $CC -std=c11 "$top/examples/hello.c" -o "$work/hello" $(pc --cflags --libs) && [ "$(needs "$work/hello")" = "$soname" ] &&
    "$work/hello" "$top/sprites/star.png" | grep 'they touch at'; } >"$log" 2>&1
  report $? 'a C program, by pkg-config alone'

  if $PKG_CONFIG --exists sdl2; then
    { PKG_CONFIG_SYSROOT_DIR='' $PKG_CONFIG --cflags --libs sdl2 >"$work/sdl2" &&
      $CC -std=c11 "$top/examples/guide.c" -o "$work/guide" $(pc --cflags --libs) $(cat "$work/sdl2") &&
      (cd "$top" && SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software "$work/guide" --frames 3); } >"$log" 2>&1
    report $? 'a game of pixverlet/sdl_game.h, by pkg-config alone'
  else
    skip 'a game of pixverlet/sdl_game.h, by pkg-config alone' 'no SDL2 (Debian package: libsdl2-dev)'
  fi

  if [ -n "$CXX" ] && $CXX --version >"$log" 2>&1; then
    { $CXX -std=c++17 "$top/tests/header.cpp" -o "$work/header" $(pc --cflags --libs) &&
      [ "$(needs "$work/header")" = "$soname" ] && "$work/header"; } >"$log" 2>&1
    report $? 'a C++17 program, by pkg-config alone'
  else
    skip 'a C++17 program, by pkg-config alone' 'no C++ compiler (Debian package: g++)'
  fi
fi

# The linker cannot see the shared library next to this static one, so Libs.private must name all that it needs.
if ! [ -f "$libdir/libpixverlet.a" ]; then
  skip 'static programs' 'built without --enable-static'
else
  mkdir "$work/static" && cp "$libdir/libpixverlet.a" "$work/static"
  libs=$(pc --static --libs | sed "s|-L$libdir|-L$work/static|")
  { case $libs in *"-L$work/static"*) ;; *) echo "no -L in: $libs"; false ;; esac &&
    $CC -std=c11 "$top/examples/hello.c" -o "$work/hello-static" $(pc --static --cflags) $libs && [ -z "$(needs "$work/hello-static")" ] &&
    "$work/hello-static" "$top/sprites/star.png" | grep 'they touch at'; } >"$log" 2>&1
  report $? 'a static C program, by pkg-config --static alone'
  # links the whole library, not only what this program calls
  $CC "$top/examples/hello.c" -o "$work/hello-whole" $(pc --static --cflags) -Wl,--whole-archive "$work/static/libpixverlet.a" \
    -Wl,--no-whole-archive ${libs#*-lpixverlet} >"$log" 2>&1
  report $? "pkg-config --static names all that the library needs:${libs#*-lpixverlet}"
  { ! [ -x "$work/header" ] || { $CXX -std=c++17 "$top/tests/header.cpp" -o "$work/header-static" $(pc --static --cflags) $libs &&
    [ -z "$(needs "$work/header-static")" ] && "$work/header-static"; }; } >"$log" 2>&1
  report $? 'a static C++17 program'
  # some libraries in Libs.private may have no static version
  echo 'int main(void) { return 0; }' >"$work/none.c"
  if $CC -static "$work/none.c" -o "$work/none" ${libs#*-lpixverlet} >"$log" 2>&1; then
    { $CC -static "$top/examples/hello.c" -o "$work/hello-all" $(pc --static --cflags --libs) &&
      "$work/hello-all" "$top/sprites/star.png" | grep 'they touch at'; } >"$log" 2>&1
    report $? 'a program without any shared library'
  else
    skip 'a program without any shared library' "no archives of:${libs#*-lpixverlet}"
  fi
fi

if [ -z "$CXX" ] || ! command -v cmake >"$log" 2>&1; then
  skip 'programs by CMake' 'no CMake or no C++ compiler (Debian packages: cmake g++)'
else
  mkdir "$work/cmake"
  next=${version%.*}
  next=${next%.*}.$((${next#*.} + 1))
  cat >"$work/cmake/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.13)
project(stranger C CXX)
foreach(refused 0.0 $next 99)
  find_package(pixverlet \${refused} QUIET)
  if(pixverlet_FOUND)
    message(FATAL_ERROR "$version passes for \${refused}")
  endif()
endforeach()
find_package(pixverlet $version EXACT REQUIRED)
find_package(pixverlet ${version%.*} REQUIRED)
foreach(kind pixverlet static)
  if(TARGET pixverlet::\${kind})
    add_executable(hello-\${kind} $top/examples/hello.c)
    add_executable(header-\${kind} $top/tests/header.cpp)
    set_target_properties(header-\${kind} PROPERTIES CXX_STANDARD 17)
    target_link_libraries(hello-\${kind} pixverlet::\${kind})
    target_link_libraries(header-\${kind} pixverlet::\${kind})
  endif()
endforeach()
END
  { cmake -DCMAKE_C_COMPILER="${CC%% *}" -DCMAKE_CXX_COMPILER="${CXX%% *}" -DCMAKE_PREFIX_PATH="${libdir%/lib*}" \
      -S "$work/cmake" -B "$work/cmake/build" && cmake --build "$work/cmake/build"; } >"$log" 2>&1
  report $? 'CMake finds it, refuses other versions, builds C and C++17'
  kinds=pixverlet
  [ ! -f "$libdir/libpixverlet.a" ] || kinds="$kinds static"
  for kind in $kinds; do
    { "$work/cmake/build/hello-$kind" "$top/sprites/star.png" | grep 'they touch at' && "$work/cmake/build/header-$kind"; } >"$log" 2>&1
    report $? "pixverlet::$kind runs"
  done
fi

if [ -f reference.stamp ]; then
  man=$(dirname "$(find "$root" -path '*/man/man3/pixverlet_world.3')")
  { while read -r name; do [ -s "$man/$name.3" ] || echo "no page for $name"; done <"$top/tests/exports.txt"
    for page in "$man"/*.3; do
      leads=$(sed -n 's/^\.so man3\///p' "$page")
      [ -z "$leads" ] || { [ -f "$man/$leads" ] && tr -d '\\' <"$man/$leads" | grep -q "$(basename "$page" .3)"; } || echo "$page leads nowhere"
    done; [ -n "$(find "$root" -path '*/html/index.html')" ] || echo 'no HTML'; } >"$log" 2>&1
  silent 'every function has its man page'
else
  skip 'every function has its man page' 'make doc was not made'
fi

make -s uninstall DESTDIR="$root" >"$log" 2>&1
find "$root" ! -type d >"$log"
find "${libdir%/lib*}" -type d | sed "s|^${libdir%/lib*}||" | grep pixverlet >>"$log"
silent 'make uninstall leaves nothing'
echo "1..$n"
