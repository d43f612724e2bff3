# tap.sh - what test scripts share: directories, and lines of TAP. A script begins with `. "${top_srcdir:=.}/tests/tap.sh"`.
# top is the source tree, build the build directory, work an empty directory of the script, log what a failure prints.
# SPDX-License-Identifier: Zlib
# shellcheck shell=sh

top=$(cd "${top_srcdir:=.}" && pwd)
build=$PWD
work=${0##*/}
work=$build/${work%.sh}-test.$$
log=$work/log
n=0

leave_out() { # leave_out REASON: ends the script without a test
  echo "1..0 # SKIP $1"
  exit 0
}
report() { # report STATUS DESCRIPTION: prints one line, and on failure the end of the log
  n=$((n + 1))
  if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else
    echo "not ok $n - $2"
    tail -n 40 "$log" | cut -c 1-300 | sed 's/^/# /'
  fi
}
silent() { # silent DESCRIPTION: passes if the log is empty
  [ ! -s "$log" ]
  report $? "$1"
}
# draws EXAMPLE OPTION...: runs an example's shader without a window, and checks that a bad option is refused.
# Mesa's shader cache and leaks are not ours.
draws() {
  ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 MESA_SHADER_CACHE_DISABLE=true
  export ASAN_OPTIONS MESA_SHADER_CACHE_DISABLE
  shader=$top_srcdir/examples/${1%_gl}.glsl
  [ -x "examples/$1" ] || leave_out 'not run: built without EGL and GLES'
  make_work
  said=$("examples/$@" --shader "$shader" 2>&1)
  status=$?
  [ $status -ne 77 ] || leave_out "not run: $said"
  report $status "ran on $said"
  said=$("examples/$1" --steps none 2>&1)
  [ $? -eq 1 ] && [ "$said" = 'none: not a number in range' ]
  report $? "a bad option is told: $said"
}
differs() { # differs CHANGE EXAMPLE OPTION...: the example notices that sed changed the shader
  sed "$1" "$shader" >"$work/other.glsl"
  shift
  said=$("examples/$@" --shader "$work/other.glsl" 2>&1)
  [ $? -eq 1 ]
  report $? "another shader ran on $said"
}
without_libtool() { # without_libtool TOOL: sets tool to the program itself, as libtool's script takes longer than the program
  tool=$build/tools/$1
  [ ! -x "tools/.libs/$1" ] || tool=$build/tools/.libs/$1
  export LD_LIBRARY_PATH="$build/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
}
keep() { # keep COMMAND...: its output goes to out and err of the directory work, and to the log
  "$@" >"$work/out" 2>"$work/err" </dev/null
  set -- $?
  cat "$work/out" "$work/err" >"$log"
  return "$1"
}
skip() { # skip DESCRIPTION REASON
  n=$((n + 1))
  echo "ok $n - $1 # SKIP $2"
}
make_work() { # makes the directory work, which is removed when the script ends
  mkdir "$work" || exit 99
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  : >"$log"
}
