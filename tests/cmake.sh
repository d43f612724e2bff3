#!/bin/sh
# cmake.sh - CMakeLists.txt builds the library in a stranger's project, by add_subdirectory and FetchContent, and installs it.
# SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"
: "${CC:=cc}"

[ -z "$PV_SANITIZE" ] && command -v cmake >/dev/null 2>&1 || leave_out 'needs CMake (Debian package: cmake) and a build without sanitizers'
make_work
unset CFLAGS CPPFLAGS LDFLAGS

# Projects have the README's program, and the scenes that this build has compiled.
programs="add_executable(hello \"$top/examples/hello.c\")
target_link_libraries(hello pixverlet::pixverlet)
file(WRITE \${CMAKE_BINARY_DIR}/empty.c \"typedef int empty;\")
add_executable(scenes \${CMAKE_BINARY_DIR}/empty.c)
target_link_libraries(scenes \"$build/tests/scene_hashes.o\" \"$build/libdemo-scenes.a\" pixverlet::pixverlet m)"
cat >"$work/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.14)
project(stranger C)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(FETCH)
  include(FetchContent)
  FetchContent_Declare(pixverlet SOURCE_DIR "$top")
  FetchContent_MakeAvailable(pixverlet)
else()
  add_subdirectory("$top" pixverlet)
endif()
$programs
END
echo '#include <base/base.h>' >"$work/private.c"

project() { # project DIRECTORY OPTION...: configures the project in DIRECTORY, without optimization, to be quick
  dir=$work/$1
  shift
  cmake -DCMAKE_C_COMPILER="${CC%% *}" -DCMAKE_C_FLAGS=-O0 -DPIXVERLET_ENABLE_WERROR=ON "$@" -S "$work" -B "$dir"
}
hashes() { PIXVERLET_SPRITES=$top/sprites "$@" 30 10 drop stack pile arch polygons tiles cloth; }

version=$(sed -n "s/^AC_INIT.*\[\([0-9.]*\)\])\$/\1/p" "$top/configure.ac")
hello=$(examples/hello "$top/sprites/star.png")
hashes tests/scene_hashes >"$work/wanted" 2>&1
# Both ways into a project; only the first one is built.
for kind in 'add_subdirectory OFF' 'FetchContent ON'; do
  name=${kind% *} shared=${kind#* } dir=$work/${kind% *}
  project "$name" -DFETCH="$shared" -DBUILD_SHARED_LIBS="$shared" -DPIXVERLET_WITH_CJSON="$shared" >"$log" 2>&1
  report $? "$name: configures"

  # One object per source, each with the flag that keeps products and sums apart.
  sed -n 's|^[[:space:]]*\(lib/[^ ]*\.c\).*|\1|p' "$top"/lib/files.mk "$top"/lib/*/files.mk | LC_ALL=C sort >"$work/listed"
  grep '"command".*-ffp-contract=off.*-fno-math-errno' "$dir/compile_commands.json" |
    sed -n 's|.*/\(lib/[^ "]*\.c\)".*|\1|p' | LC_ALL=C sort | diff "$work/listed" - >"$log" 2>&1 && [ -s "$work/listed" ]
  report $? "$name: compiles the sources of files.mk, with the flags of configure"
done

says_hello() { # says_hello PROGRAM: it says the same as this build's hello
  "$1" "$top/sprites/star.png" >"$log" 2>&1 && [ -n "$hello" ] && [ "$(cat "$log")" = "$hello" ]
}
same_scenes() { # same_scenes PROGRAM: its scenes have the hashes of this build
  hashes "$1" >"$work/found" 2>&1
  grep -q '^cloth 30 ' "$work/found" && diff "$work/wanted" "$work/found" >"$log" 2>&1
}
if [ "$PIXVERLET_TESTS" = all ]; then
  cmake --build "$work/add_subdirectory" >"$log" 2>&1
  report $? 'add_subdirectory: builds without a warning'
  says_hello "$work/add_subdirectory/hello"
  report $? 'add_subdirectory: hello says what it says elsewhere'
  same_scenes "$work/add_subdirectory/scenes"
  report $? 'add_subdirectory: scenes have the same hashes'
else
  skip 'add_subdirectory: builds, and scenes have the same hashes' 'for PIXVERLET_TESTS=all'
fi

number=$(sed -n 's/.*-version-info \([0-9:]*\).*/\1/p' "$top/Makefile.am" | awk -F: '{ print $1 - $3 }')
include=$(sed -n 's|.*"command".* -I\([^ ]*/include\) .*|\1|p' "$work/add_subdirectory/compile_commands.json" | head -n 1)
! $CC -I"$include" -fsyntax-only "$work/private.c" >"$log" 2>&1 && [ -f "$include/pixverlet/paper.h" ]
report $? 'a program finds the public headers and no other'

# Installed, then moved as a whole: projects find it there, with no path into the tree. Each way builds the library again.
kinds='static shared'
[ "$PIXVERLET_TESTS" = all ] || { skip 'cmake --install and find_package' 'for PIXVERLET_TESTS=all'; kinds=; }
mkdir "$work/finds"
cat >"$work/finds/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.14)
project(finds C)
find_package(pixverlet 0.0 QUIET)
if(pixverlet_FOUND)
  message(FATAL_ERROR "another version passes for 0.0")
endif()
find_package(pixverlet $version REQUIRED)
$programs
END
for name in $kinds; do
  shared=OFF to=$work/installed-$name there=$work/moved-$name
  [ "$name" = static ] || shared=ON
  { cmake -DCMAKE_C_COMPILER="${CC%% *}" -DCMAKE_C_FLAGS=-O0 -DBUILD_SHARED_LIBS="$shared" -DCMAKE_INSTALL_PREFIX="$to" \
      -S "$top" -B "$work/alone-$name" && cmake --build "$work/alone-$name" && cmake --install "$work/alone-$name" &&
    mv "$to" "$there"; } >"$log" 2>&1
  report $? "cmake --install, $name"

  { cmake -DCMAKE_C_COMPILER="${CC%% *}" -DCMAKE_PREFIX_PATH="$there" -S "$work/finds" -B "$work/finds/$name" &&
    cmake --build "$work/finds/$name"; } >"$log" 2>&1 && ! grep -rlF -e "$top/lib" -e "$to" "$there/lib/cmake" >>"$log" &&
    says_hello "$work/finds/$name/hello"
  report $? "find_package finds it where it was moved to, and hello says what it says elsewhere, $name"

  same_scenes "$work/finds/$name/scenes"
  report $? "scenes have the same hashes, $name"

  [ "$shared" = OFF ] || ls "$there"/lib*/libpixverlet.so."$number" >"$log" 2>&1
  report $? "the library has the soname of Makefile.am, $name"

  (cd "$there" && find include -name '*.h' | LC_ALL=C sort) >"$work/found"
  (cd "$top" && ls lib/pixverlet.h lib/pixverlet/*.h adapters/pixverlet/*.h) | sed 's|^[a-z]*|include|' | LC_ALL=C sort | diff - "$work/found" >"$log" 2>&1
  report $? "the public headers are installed and no other, $name"
done
! ls "$work"/add_subdirectory/lib*/cmake >"$log" 2>&1 && ! cmake --install "$work/add_subdirectory" --prefix "$work/none" 2>&1 | grep pixverlet >"$log"
report $? 'as a part of another project it installs nothing'

! project refused -DPIXVERLET_STB_DIR=PIXVERLET_STB_DIR-NOTFOUND -DCMAKE_FIND_ROOT_PATH="$work" \
  -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON >"$log" 2>&1 &&
  grep -q 'stb_image.h is not found' "$log"
report $? 'a missing stb_image.h is said'
echo "1..$n"
