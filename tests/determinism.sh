#!/bin/bash
# determinism.sh - every scene has the same hash with every compiler, optimization level, kernel and machine. See --help.
# SPDX-License-Identifier: Zlib

set -u
top=$(cd "$(dirname "$0")/.." && pwd)
every=20 # frames between hashes; a divisor of every frame number in tests/golden.txt
frames=600 foreign_frames='' jobs=$(nproc) work='' going_on=no install=yes

configurations=(gcc-O2 gcc-O0 gcc-O3 gcc-O3-native clang-O0 clang-O2 clang-O3 clang-O3-native
  i686-O2 i686-O3 aarch64-O2 aarch64-O3 aarch64-clang-O3 s390x-O0 s390x-O3 s390x-O3-z15 windows-O2 windows-O3)
quick=(gcc-O2 gcc-O0 gcc-O3-native clang-O0 clang-O3-native i686-O3 aarch64-O3 s390x-O3 windows-O3)

usage() {
  cat <<END
Usage: tests/determinism.sh [OPTION]... [CONFIGURATION]...
Builds the library and the scenes (neither SDL nor Check) once per configuration, plays every scene with seed 1, by every
kernel that this CPU has, and compares hashes on the way. The first configuration is what the others are compared with,
and is itself compared with tests/golden.txt. Stops at the first difference and names scene and step.

  --quick         120 frames of ${quick[*]}
  --built DIR     first the build in DIR, which has tests/scene_hashes; may be given again, for one more
  --frames N      so many frames (default $frames)
  --foreign-frames N  fewer of them, a multiple of $every, for other machines (default: all)
  --jobs N        so many processes at a time (default: one per core)
  --dir DIR       build there and leave it; what is there is built on (default: a directory that is removed)
  --keep-going    show all differences
  --no-install    do not call apt-get for what is missing (it is called as root, or by a sudo that asks nothing)
  --help          this text

Configurations: ${configurations[*]}
What cannot be done here is listed at the end. Exit status: 0 all the same, 1 a difference, 2 something else is wrong.
END
}

die() { echo "determinism.sh: $*" >&2; exit 2; }
number() { case $1 in '' | *[!0-9]* | 0) die "not a number above 0: $1" ;; esac; }

chosen=() of_quick=no built=()
declare -A home # build directory of each configuration
while [ $# -gt 0 ]; do
  case $1 in
    --quick) of_quick=yes frames=120 ;;
    --frames | --jobs) number "${2-}"; if [ "$1" = --frames ]; then frames=$2; else jobs=$2; fi; shift ;;
    --dir) work=${2-}; [ -n "$work" ] || die '--dir needs a directory'; shift ;;
    --foreign-frames)
      number "${2-}"
      [ $(($2 % every)) -eq 0 ] || die "not a multiple of $every: $2"
      foreign_frames=$2
      shift ;;
    --built)
      [ -x "${2-}/tests/scene_hashes" ] || die "--built needs a directory with tests/scene_hashes in it: ${2-}"
      home[${2##*/}]=$(cd "$2" && pwd) built+=("${2##*/}")
      shift ;;
    --keep-going) going_on=yes ;;
    --no-install) install=no ;;
    --help) usage; exit ;;
    -*) die "unknown option $1; --help names them" ;;
    *) [[ " ${configurations[*]} " == *" $1 "* ]] || die "unknown configuration $1; --help names them"; chosen+=("$1") ;;
  esac
  shift
done
if [ ${#chosen[@]} -eq 0 ]; then
  chosen=("${configurations[@]}")
  [ $of_quick = no ] || chosen=("${quick[@]}")
fi
chosen=("${built[@]}" "${chosen[@]}")

[ "${foreign_frames:=$frames}" -le "$frames" ] || foreign_frames=$frames

unset CC CXX CFLAGS CPPFLAGS LDFLAGS MAKEFLAGS PIXVERLET_KERNEL PIXVERLET_SPRITES
[ -x "$top/configure" ] || (cd "$top" && autoreconf -fi) || die 'autoreconf failed'
[ ! -f "$top/config.status" ] || die "$top is configured itself: make distclean there"
# Wine's server outlives the programs that it serves, and writes where they ran.
leave() {
  local server
  for server in wineserver64 /usr/lib/wine/wineserver64; do
    [ ! -d "$work/wine" ] || ! command -v $server >/dev/null || WINEPREFIX=$work/wine $server -k
  done
  rm -rf "$work"
}

if [ -n "$work" ]; then mkdir -p "$work" && work=$(cd "$work" && pwd) || exit 2
else work=$(mktemp -d) && trap leave EXIT || exit 2; fi
started=$SECONDS
skipped=() failed=no ran=0

skip() { skipped+=("$*"); }

# ---- What is needed

# Package names are Debian's. The package lists are updated once.
updated=no
got() { # got COMMAND PACKAGE...: succeeds if a command exists or can be installed
  local command=$1
  shift
  command -v "$command" >/dev/null && return
  [ $install = yes ] && command -v apt-get >/dev/null || return
  local as_root=()
  [ "$(id -u)" -eq 0 ] || { sudo -n true 2>/dev/null && as_root=(sudo -n); } || return
  if [ $updated = no ]; then "${as_root[@]}" apt-get update -qq >"$work/apt.log" 2>&1; updated=yes; fi
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >>"$work/apt.log" 2>&1 &&
    command -v "$command" >/dev/null
}

# Unpacks libcjson of another architecture without installing it; sets root. Its package lists are in the scratch directory.
foreign_cjson() { # foreign_cjson ARCHITECTURE
  root=$work/root-$1
  [ ! -d "$root/usr" ] || return 0
  command -v apt-get >/dev/null && [ $install = yes ] || return
  mkdir -p "$root/lists/partial" "$root/cache/archives/partial"
  local apt=(apt-get -qq -o "APT::Architecture=$1" -o "APT::Architectures=$1" -o "Dir::State::Lists=$root/lists"
    -o "Dir::Cache=$root/cache" -o Dir::State::status=/dev/null -o Acquire::Languages=none -o APT::Sandbox::User=root)
  # one of several lists may fail without harm
  (cd "$root" && { "${apt[@]}" update; "${apt[@]}" download libcjson1 libcjson-dev; } && for deb in *.deb; do dpkg-deb -x "$deb" .; done) \
    >"$work/cjson-$1.log" 2>&1 && [ -d "$root/usr" ]
}

# Sets how a configuration is built and run: arguments of configure, runner of its programs, kernels, and frames.
# A configuration that cannot be built is skipped.
describe() { # describe CONFIGURATION
  local compiler=$1 flags machine triple debian package sysroot libraries
  flags=-${1#*-} words=() runner=() kernels=(generic avx2 avx512) length=$frames program=tests/scene_hashes
  [[ " ${built[*]} " != *" $1 "* ]] || return 0
  home[$1]=$work/$1
  flags=${flags/#-clang-/-}
  flags=${flags/-native/ -march=native}
  flags=${flags/-z15/ -march=z15}
  words+=("CFLAGS=$flags")
  case $compiler in
    gcc-*) got gcc gcc || { skip "$1: gcc is missing"; return 1; }; words+=(CC=gcc); return ;;
    clang-*) got clang clang || { skip "$1: clang is missing"; return 1; }; words+=(CC=clang); return ;;
    windows-*) describe_windows "$1"; return ;;
  esac
  machine=${1%%-*} triple=$machine-linux-gnu debian=$machine kernels=(generic) length=$foreign_frames
  case $machine in i686) debian=i386 ;; aarch64) debian=arm64 ;; esac
  package="gcc-$triple libc6-dev-$debian-cross"
  # shellcheck disable=SC2086
  got "$triple-gcc" $package || { skip "$1: $triple-gcc is missing (Debian packages: $package)"; return 1; }
  words+=("--host=$triple" "CC=$triple-gcc")
  case $1 in *-clang-*) got clang clang || { skip "$1: clang is missing"; return 1; }; words+=("CC=clang --target=$triple") ;; esac
  sysroot=/usr/$triple
  runner=("qemu-${machine/i686/i386}-static" -L "$sysroot")
  # a PC runs i686 programs directly if its kernel allows it
  if [ "$machine" = i686 ] && "$sysroot/lib/ld-linux.so.2" --help >/dev/null 2>&1; then
    runner=("$sysroot/lib/ld-linux.so.2" --library-path "$sysroot/lib")
  else
    got "${runner[0]}" qemu-user-static || { skip "$1: ${runner[0]} is missing (Debian package: qemu-user-static)"; return 1; }
  fi
  # pkg-config would find this machine's libraries; only the header of stb is needed
  words+=("STB_CFLAGS=$(pkg-config --cflags stb)" STB_LIBS=' ' "PKG_CONFIG_LIBDIR=$work")
  if foreign_cjson "$debian"; then
    libraries=$(dirname "$root"/usr/lib/*/libcjson.so.1)
    words+=(--without-zlib --without-zstd --without-expat "CJSON_CFLAGS=-I$root/usr/include/cjson" "CJSON_LIBS=-L$libraries -lcjson")
    if [ "${runner[1]}" = -L ]; then runner+=(-E "LD_LIBRARY_PATH=$libraries"); else runner[2]+=:$libraries; fi
  else
    words+=(--without-cjson)
  fi
}

# Describes a Windows build, without libcjson and with system DLLs only. Wine runs it with a C: drive of its own.
describe_windows() { # describe_windows CONFIGURATION
  local triple=x86_64-w64-mingw32 wine
  got $triple-gcc-posix gcc-mingw-w64-x86-64-posix || { skip "$1: $triple-gcc-posix is missing (Debian package: gcc-mingw-w64-x86-64-posix)"; return 1; }
  for wine in wine64 /usr/lib/wine/wine64 ''; do
    if [ -n "$wine" ] && command -v "$wine" >/dev/null; then break; fi
  done
  [ -n "$wine" ] || { got /usr/lib/wine/wine64 wine64 && wine=/usr/lib/wine/wine64; } || { skip "$1: wine64 is missing (Debian package: wine64)"; return 1; }
  program=tests/scene_hashes.exe length=$foreign_frames
  runner=(env WINEDEBUG=-all "WINEPREFIX=$work/wine" "$wine")
  # -Bstatic is for libwinpthread, which libtool would otherwise link as a DLL
  words+=("--host=$triple" "CC=$triple-gcc-posix -static" LDFLAGS=-Wl,-Bstatic --without-cjson
    "STB_CFLAGS=$(pkg-config --cflags stb)" STB_LIBS=' ' "PKG_CONFIG_LIBDIR=$work")
  [ -d "$work/wine" ] || "${runner[@]}" cmd /c exit </dev/null >"$work/wine.log" 2>&1
}

# ---- Playing

build() { # build CONFIGURATION
  local dir=${home[$1]}
  [ "$dir" = "$work/$1" ] || return 0
  mkdir -p "$dir"
  (
    cd "$dir" || exit
    [ -f Makefile ] || "$top/configure" -q --disable-demo --disable-dependency-tracking --disable-shared --enable-static "${words[@]}" || exit
    make -s -j"$jobs" "$program"
  ) >"$dir.log" 2>&1 && return
  tail -n 5 "$dir.log"
  return 1
}

hashes() { # hashes CONFIGURATION KERNEL FRAMES EVERY SCENE: as tests/scene_hashes prints them
  PIXVERLET_KERNEL=$2 "${runner[@]}" "${home[$1]}/$program" "$3" "$4" "$5" </dev/null | tr -d '\r'
  return "${PIPESTATUS[0]}"
}

# Lists the scenes that a configuration can play. The tilemap scene needs libcjson.
scenes_of() {
  "${runner[@]}" "${home[$1]}/$program" </dev/null | tr -d '\r' | if grep -q '^#define HAVE_CJSON 1' "${home[$1]}/config.h"; then cat; else grep -vx tilemap; fi
}

# Plays each scene into a file, several at a time.
play() { # play CONFIGURATION KERNEL
  local out=$work/$1/hashes/$2 scene n=0 bad=0
  rm -rf "$out" && mkdir -p "$out" || return
  for scene in $(scenes_of "$1"); do
    if [ $n -ge "$jobs" ]; then wait -n || bad=1; fi
    n=$((n + 1))
    hashes "$1" "$2" "$length" $every "$scene" >"$out/$scene" 2>"$out/$scene.err" &
  done
  while [ "$(jobs -r | wc -l)" -gt 0 ]; do wait -n || bad=1; done
  find "$out" -name '*.err' -empty -delete
  [ $n -gt 0 ] && [ $bad -eq 0 ] && [ -z "$(find "$out" -name '*.err')" ]
}

# ---- Judging

# Prints the first difference of two lists, as `frame hash hash`; nothing when one is the beginning of the other.
first_difference() { # first_difference FILE FILE
  paste -d' ' <(grep -v ^kernel "$1") <(grep -v ^kernel "$2") | awk 'NF == 6 && ($1 != $4 || $2 != $5 || $3 != $6) { print $2, $3, $6; exit }'
}

# Says where two configurations part: first the interval, then the step, for which both play again.
report() { # report SCENE CONFIGURATION KERNEL FRAME
  local scene=$1 frame=$4 before=$(($4 > every ? $4 - every : 0)) words runner=() kernels length step ours theirs
  [ $(($4 % every)) -eq 0 ] || before=$(($4 - $4 % every))
  describe "$2"
  hashes "$2" "$3" "$frame" 1 "$scene" >"$work/here"
  describe "$reference"
  hashes "$reference" "$reference_kernel" "$frame" 1 "$scene" >"$work/there"
  read -r step ours theirs <<<"$(first_difference "$work/there" "$work/here")"
  echo "  $scene: $2 by $3 differs from $reference by $reference_kernel, frames $before to $frame"
  if [ -n "$step" ]; then echo "  first after step $step: $reference $ours, $2 $theirs"
  else echo '  and does not when both are played again: some run depends on more than its input'; fi
}

# Compares all scenes of a configuration with the reference. Sets found to their number, and lists those that differ.
compare() { # compare CONFIGURATION KERNEL
  local file scene difference bad=0
  found=0
  for file in "$work/$reference/hashes/$reference_kernel"/*; do
    scene=${file##*/}
    if ! [ -f "$work/$1/hashes/$2/$scene" ]; then
      skip "$1, scene $scene: no libcjson for that machine"
      continue
    fi
    found=$((found + 1))
    difference=$(first_difference "$file" "$work/$1/hashes/$2/$scene")
    [ -n "$difference" ] || continue
    bad=1
    differences+=("$scene ${difference%% *}")
    [ $going_on = yes ] || break
  done
  return $bad
}

# Compares the reference with tests/golden.txt, as far as it was played. Sets known to the number of scenes.
golden() {
  local scene at wanted got bad=0
  known=0
  while read -r scene at wanted; do
    if [ "$at" -gt "$length" ] || [ ! -f "$work/$reference/hashes/$reference_kernel/$scene" ]; then continue; fi
    known=$((known + 1))
    got=$(awk -v at="$at" '$2 == at { print $3 }' "$work/$reference/hashes/$reference_kernel/$scene")
    [ "$got" = "$wanted" ] || { echo "  $scene: frame $at is $got, and $wanted in tests/golden.txt"; bad=1; }
  done < <(grep -v '^#' "$top/tests/golden.txt")
  return $bad
}

row() { printf '%-18s %-8s %6s %7s %5s  %s\n' "$@"; }

one() { # one CONFIGURATION KERNEL: plays and compares it, and prints a row of the table
  local begun=$SECONDS files used differences=() found known verdict
  if ! play "$1" "$2"; then
    row "$1" "$2" - "$length" $((SECONDS - begun)) FAILED
    head -n 3 "$work/$1/hashes/$2"/*.err
    return 1
  fi
  files=("$work/$1/hashes/$2"/*)
  used=$(sed -n '1s/kernel //p' "${files[0]}")
  if [ "$used" != "$2" ]; then skip "$1 by $2: this CPU does not have that kernel"; return; fi
  ran=$((ran + 1))
  if [ -z "$reference" ]; then
    reference=$1 reference_kernel=$2
    golden >"$work/golden.log" && verdict="reference; $known as in tests/golden.txt" || verdict='NOT AS IN tests/golden.txt'
    row "$1" "$2" ${#files[@]} "$length" $((SECONDS - begun)) "$verdict"
    cat "$work/golden.log"
    [ "${verdict%%;*}" = reference ]
    return
  fi
  if compare "$1" "$2"; then row "$1" "$2" "$found" "$length" $((SECONDS - begun)) same; return; fi
  row "$1" "$2" "$found" "$length" $((SECONDS - begun)) DIFFERENT
  local each
  for each in "${differences[@]}"; do report "${each% *}" "$1" "$2" "${each#* }"; done
  return 1
}

reference='' reference_kernel=''
row configuration kernel scenes frames s outcome
for configuration in "${chosen[@]}"; do
  describe "$configuration" || continue
  if ! build "$configuration"; then
    row "$configuration" - - - - 'NOT BUILT'
    failed=yes
    [ $going_on = yes ] || break
    continue
  fi
  for kernel in "${kernels[@]}"; do
    describe "$configuration"
    one "$configuration" "$kernel" && continue
    failed=yes
    [ $going_on = yes ] || break 2
  done
done

if [ ${#skipped[@]} -gt 0 ]; then
  echo 'skipped:'
  printf '  %s\n' "${skipped[@]}" | sort -u
fi
printf '%d runs compared in %d:%02d\n' $ran $(((SECONDS - started) / 60)) $(((SECONDS - started) % 60))
[ $ran -gt 1 ] || die 'nothing could be compared'
[ $failed = no ]
