#!/bin/sh
# fuzz_replay.sh - runs the fuzz targets on their corpora, as this build compiles them: bugs once found stay fixed.
# SPDX-License-Identifier: Zlib

: "${top_srcdir:=.}"
log=$PWD/fuzz-replay.$$
trap 'rm -f "$log"' EXIT
n=0
for corpus in "$top_srcdir"/tests/fuzz/corpus_*; do
  target=${corpus##*/corpus_}
  n=$((n + 1))
  if tests/fuzz/replay_"$target" "$corpus" >"$log" 2>&1; then
    echo "ok $n - $target: $(grep -c '^# ' "$log") files"
  else
    echo "not ok $n - $target"
    sed 's/^/# /' "$log" | tail -n 40
  fi
done
echo "1..$n"
