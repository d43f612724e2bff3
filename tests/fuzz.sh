#!/bin/bash
# fuzz.sh - runs each fuzz target for FUZZ_SECONDS on a copy of its corpus; findings go to fuzz-findings/. `make fuzz`
# FUZZ_SEED makes every run begin alike, to find out if a change broke something, not what else is broken.
# SPDX-License-Identifier: Zlib

: "${top_srcdir:=.}" "${FUZZ_SECONDS:=30}" "${FUZZ_SEED:=0}"
corpora=$top_srcdir/tests/fuzz
work=$PWD/fuzz-work.$$
trap 'rm -rf "$work"' EXIT
mkdir -p "$work" fuzz-findings || exit 99
[ $# -gt 0 ] || set -- tests/fuzz/fuzz_*[!.]? # programs have no suffix
time=-max_total_time=$FUZZ_SECONDS
[ "$FUZZ_SECONDS" -gt 0 ] || time=-runs=0 # only the corpus

fuzz() { # fuzz PROGRAM: runs it, and prints a line with the outcome and what it found
  local target=${1##*/fuzz_}
  mkdir "$work/$target" && cp "$corpora/corpus_$target/"* "$work/$target" || exit 99
  local options=(-seed="$FUZZ_SEED" -timeout=20 -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="fuzz-findings/$target-")
  case $target in
    png | mask) options+=(-max_len=2048) ;;
    api) options+=(-max_len=512 -entropic=0) ;; # weighing its many branches costs more than running them
    snapshot | changes) options+=(-max_len=8192) ;;
    forge) options+=(-max_len=64 -len_control=0) ;; # the world exists from the start
    reach) options+=(-max_len=600 -len_control=0) ;; # short inputs make no world
    carve) options+=(-max_len=1024) ;;
    *) options+=(-max_len=4096 -dict="$corpora/json.dict") ;;
  esac
  if "$1" "${options[@]}" "$time" "$work/$target" >"fuzz-$target.log" 2>&1; then
    echo "ok - $target: $(sed -n 's/^stat::number_of_executed_units: *//p' "fuzz-$target.log") runs in $FUZZ_SECONDS s"
  else
    echo "not ok - $target"
    grep -Ev '^#[0-9]+' "fuzz-$target.log" | cut -c 1-600 | tail -n 40 # without libFuzzer's lines about new coverage
  fi
}

for program; do
  [ "$(jobs -rp | wc -l)" -lt "$(nproc)" ] || wait -n
  fuzz "$program" >"$work/${program##*/}.said" &
done
wait
cat "$work"/*.said | tee "$work/all"
rmdir fuzz-findings 2>/dev/null # stays if it has findings
[ "$(grep -c '^ok' "$work/all")" -eq $# ]
