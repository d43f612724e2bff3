# stages.sh - the stages of .ci/run, in order, and what each needs from the machine.
#
# Invariant: a stage leaves nothing running, and needs only what stages before it in the same list have built.
# SPDX-License-Identifier: Zlib
# shellcheck shell=bash disable=SC2034,SC2154

# ---- The first tier: what every change needs

tier check
tier kernels
tier sanitizers
tier threads
tier web
tier python
tier lua
tier format

# ---- The rest, a part with each commit

part distribution distcheck install
part releases packages release
part compilers gcc clang
part browser browser
part fuzz fuzz
part bits bits

export GAME_PNGS_CACHE=$logs/game_pngs.cache # fetched once for all builds
export CCACHE_NOHASHDIR=1                    # objects do not depend on the build's path
export CMAKE_BUILD_PARALLEL_LEVEL=$jobs

prepare() {
  rm -rf build build-gcc build-clang build-san build-install build-fuzz build-tsan
  [ ! -f config.status ] || make -s distclean
  need ccache
}
[ ! -d /usr/lib/ccache ] || PATH=/usr/lib/ccache:$PATH

need() { # need PACKAGE...: installs those that are missing, all at once
  local package missing=() root=()
  for package; do dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || { echo "missing: ${missing[*]}"; return 1; }
  [ "$(id -u)" -eq 0 ] || root=(sudo)
  echo "installing ${missing[*]}"
  "${root[@]}" apt-get update -qq >"$logs/apt.log" 2>&1
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" >>"$logs/apt.log" 2>&1 ||
    { tail "$logs/apt.log"; return 1; }
}

configured() { # configured DIRECTORY CONFIGURE-WORD...: a new build directory
  rm -rf "$1"
  mkdir "$1" && (cd "$1" && ../configure -q "${@:2}")
}
# Runs one job more than there are cores, because some tests wait for clocks and windows.
checked() { # checked DIRECTORY MAKE-WORD...: its tests; the logs of those that fail are shown
  make -s -C "$1" -j$((jobs + 1)) "${@:2}" && return
  [ ! -f "$1/test-suite.log" ] || grep -Ev '^(ok |PASS: |1\.\.|\.\. |# [A-Z]+: |=+$| +libpixverlet|$)' "$1/test-suite.log"
  local hung
  for hung in $(grep -l '^Bail out!' "$1"/tests/*.log); do echo "--- the last lines of $hung:"; tail -n 20 "$hung"; done
  return 1
}

# ---- Stages

# Under sanitizers, forking a process for each test takes longer than most tests, so CK_FORK=no. A suite that a test
# ends or hangs still fails by name, with its last output.

stage check 2400 'a fresh machine: ./bootstrap check'
stage_check() { ./bootstrap check; }

stage kernels 600 'the pixel half by other kernels'
stage_kernels() {
  local kernel bad=0 kernels=(generic)
  [ -z "$PIXVERLET_TESTS" ] || kernels+=(avx2 avx512)
  for kernel in "${kernels[@]}"; do
    # The suite of the kernels ends with status 2 if it is told to use one that this CPU lacks.
    make -s -C build tests/test_kernels || return
    if ! PIXVERLET_KERNEL=$kernel CK_RUN_CASE=a_kernel_is_forced_by_name build/tests/test_kernels >"$logs/has-kernel.log" 2>&1; then
      echo "$kernel: not on this CPU"
      [ "$kernel" != generic ] || bad=1
      continue
    fi
    echo "$kernel:"
    PIXVERLET_KERNEL=$kernel checked build check-pixels || bad=1
  done
  return $bad
}

stage sanitizers 2400 'gcc -O1 with the address and undefined-behavior sanitizers, and the corpora of the fuzz targets'
stage_sanitizers() {
  local target=check-library
  [ -z "$PIXVERLET_TESTS" ] || target=check
  configured build-san CC=gcc CFLAGS='-g1 -O1' --enable-sanitize && CK_FORK=no checked build-san $target
}

stage threads 2400 'gcc -O1 with the thread sanitizer'
stage_threads() {
  local suites='tests/test_threads tests/test_workers tests/test_island_group tests/test_cast tests/test_mask tests/test_png'
  configured build-tsan CC=gcc CFLAGS='-g1 -O1 -fsanitize=thread' LDFLAGS=-fsanitize=thread &&
    CK_FORK=no checked build-tsan check-TESTS SUITE_LIMIT=1500 TESTS="$suites" # ten to twenty times as slow
}

stage web 900 'the package for JavaScript: scenes, snapshots, classes, types'
stage_web() { ./bootstrap web && node_tests web-check; }
node_tests() { # node_tests TARGET: node's totals in Automake's words
  make -s -C build -j"$jobs" "$1" | sed 's/^# pass /# PASS: /; s/^# fail /# FAIL: /'
  return "${PIPESTATUS[0]}"
}

stage python 900 'the package for Python: masks beside pygame, worlds, threads, types, random calls'
stage_python() {
  need mypy && ./bootstrap python || return
  make -s -C build -j"$jobs" python-check 2>&1 | sed -E 's/^Ran ([0-9]+) tests?.*/# PASS: \1/'
  [ "${PIPESTATUS[0]}" -eq 0 ] || return
  [ -z "$PIXVERLET_TESTS" ] || make -s -C build python-fuzz FUZZ_SECONDS=15
}

stage lua 600 'the module for LuaJIT and LÖVE: worlds, wrong uses, snapshots, pictures, the game'
stage_lua() { ./bootstrap lua && make -s -C build -j"$jobs" lua-check; }

stage format 300 'clang-format'
stage_format() {
  need clang-format-14 && find lib adapters demo tests examples bench tools bindings -name '*.[ch]' -print0 |
    xargs -0 -n 20 -P "$jobs" clang-format-14 --dry-run -Werror
}

stage distcheck 1800 'what is distributed: make distcheck'
stage_distcheck() {
  # the tests that read files of the tree
  local tests='tests/test_png tests/test_frames tests/test_tilemap tests/examples.sh tests/guide.sh tests/snippets.sh
    tests/reference.sh tests/golden.sh tests/house.sh tests/header.sh tests/demo.sh tests/features.sh tests/fuzz_replay.sh
    tests/amalgamation.sh tests/cmake.sh'
  make -s -C build -j"$jobs" LIBTOOLFLAGS=--silent distcheck TESTS="$(echo $tests)"
}

stage install 900 'what is installed: pkg-config, CMake, man pages'
stage_install() {
  need doxygen cmake || return
  # Without libcjson, which has no static library, everything is linked statically.
  configured build-install --enable-static --without-cjson && make -s -C build-install -j"$jobs" all doc amalgamation &&
    PIXVERLET_TESTS=all checked build-install check TESTS='tests/install.sh tests/cmake.sh tests/amalgamation.sh'
}

stage release 1200 'the files of a release, each installed in an empty place'
stage_release() {
  need luarocks zip unzip gcc-mingw-w64-x86-64-posix python3-wheel python3-venv || return
  ./bootstrap web && ./bootstrap python && ./bootstrap lua &&
    make -s -C build release RELEASE='source amalgamation windows npm python lua love site' && make -s -C build release-check &&
    PIXVERLET_TESTS=all checked build check-TESTS TESTS=tests/windows.sh
  local status=$?
  [ ! -f build/release.tap ] || awk '/^ok/ { p++ } /^not ok/ { f++ } END { print "# PASS: " p + 0; print "# FAIL: " f + 0 }' build/release.tap
  return $status
}

stage packages 1800 'Debian packages and lintian'
stage_packages() {
  need build-essential python3-dev python3-setuptools debhelper dh-python lintian doxygen || return
  (cd build && ../tests/debian.sh) | tee "$logs/debian.tap"
  grep -q '^ok' "$logs/debian.tap" && ! grep '^not ok' "$logs/debian.tap"
}

# Suites whose numbers another compiler could change: arithmetic, pixels, contacts, joints, all scenes.
numeric='tests/test_math tests/test_overlap tests/test_rotate tests/test_outline tests/test_kernels tests/test_contact_batch
  tests/test_contour tests/test_contact tests/test_polygon tests/test_constraint tests/test_snapshot tests/test_api tests/test_levels
  tests/golden.sh'
numeric=$(echo $numeric)

stage gcc 1200 'gcc -O3 -march=native, warnings are errors'
stage_gcc() { configured build-gcc CC=gcc CFLAGS='-g1 -O3 -march=native' --enable-werror && checked build-gcc check TESTS="$numeric"; }

stage clang 1500 'clang -O0, warnings are errors'
stage_clang() {
  need clang && configured build-clang CC=clang CXX=clang++ CFLAGS='-g1 -O0' --enable-werror && checked build-clang check TESTS="$numeric"
}

stage browser 1200 'the playground, the gallery, and games of Phaser and PixiJS, in Chromium'
stage_browser() { need chromium && node_tests web-browser-check; }

stage fuzz 1200 'fuzz targets, 15 s each, with clang'
stage_fuzz() {
  need clang && configured build-fuzz CC=clang CXX=clang++ CFLAGS='-g -O1' --disable-demo &&
    FUZZ_SEED=1 make -s -C build-fuzz -j"$jobs" FUZZ_SECONDS=15 fuzz
}

# A world has the same bits from every compiler at every level of optimization and from every kernel. Other machines are
# tested if compilers, qemu and Wine are here or can be installed; the rest is listed as skipped.
stage bits 2400 'the same bits from all builds, and from i686, aarch64, s390x and Windows'
stage_bits() {
  local dir built=()
  for dir in build build-gcc build-clang build-san; do
    [ ! -d $dir ] || { make -s -C $dir -j"$jobs" tests/scene_hashes && built+=(--built $dir); } || return
  done
  tests/determinism.sh --frames 120 --foreign-frames 60 --keep-going "${built[@]}" i686-O3 aarch64-O3 s390x-O3 windows-O3
}
