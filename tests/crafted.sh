#!/bin/sh
# crafted.sh - the player refuses or plays a trace whose calls and values were changed, and never leaves its memory.
# SPDX-License-Identifier: Zlib

skip_all() { echo "1..0 # SKIP $1"; exit 0; }
[ -x tests/recorded ] && [ -x tools/pixverlet-retrace ] || skip_all 'built without a shared library'
build=$PWD
player=$build/tools/pixverlet-retrace
[ ! -x tools/.libs/pixverlet-retrace ] || player=$build/tools/.libs/pixverlet-retrace
LD_LIBRARY_PATH=$build/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
ASAN_OPTIONS=exitcode=99:detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=exitcode=99 MALLOC_PERTURB_=165
export LD_LIBRARY_PATH ASAN_OPTIONS UBSAN_OPTIONS MALLOC_PERTURB_
work=$build/crafted-test.$$
mkdir "$work" && cd "$work" || exit 99
trap 'rm -rf "$work"' EXIT
n=0
report() { # report STATUS DESCRIPTION FILE
  n=$((n + 1))
  if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else
    echo "not ok $n - $2"
    tail -n 30 "$3" | cut -c 1-300 | sed 's/^/# /'
  fi
}

PIXVERLET_TRACE=$work/trace "$build/tests/recorded" >out 2>&1 && "$player" trace >out 2>&1
report $? "a program with the writer in it: $(tail -n 1 out)" out
for seed in ${CRAFTED_SEEDS:-1 2 3 4}; do
  "$build/tests/crafted" trace "${CRAFTED_COUNT:-50}" "$seed" "$player" >said 2>&1
  report $? "copies of seed $seed: $(tail -n 1 said)" crafted.out
done
echo "1..$n"
