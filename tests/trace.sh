#!/bin/bash
# trace.sh - pixverlet-trace records runs; pixverlet-retrace repeats them exactly, and notices changed traces.
# SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"
[ -z "$PV_SANITIZE" ] || leave_out 'sanitizers want to be loaded first'
module=$PWD/tools/.libs/libpixverlet-trace.so
[ -f "$module" ] || leave_out 'built without a shared library, or the C library has no RTLD_NEXT'
unset DISPLAY WAYLAND_DISPLAY PIXVERLET_SPRITES LD_PRELOAD
PIXVERLET_TRACE_MODULE=$module SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software
export PIXVERLET_TRACE_MODULE SDL_VIDEODRIVER SDL_RENDER_DRIVER
trace=$work/trace
make_work

without_libtool pixverlet-retrace
record() { tools/pixverlet-trace -o "$trace" "$@" >"$log" 2>&1; }
retrace() { "$tool" "$@" >"$log" 2>&1; }
same() { # same STEPS: the trace has so many steps, and gives the same results
  retrace "$trace" && grep -Eqx "[0-9]+ calls, $1 steps: the same" "$log"
}

record tests/traced
if grep -q 'cannot be preloaded\|no call was recorded' "$log"; then leave_out "LD_PRELOAD does nothing here: $(head -n 1 "$log")"; fi

# A program that is hard to trace, and what it prints without tracing.
tests/traced >"$work/plain" && diff "$work/plain" "$log" >"$work/diff"
report $? "recording changes nothing: $(cat "$work/plain")"
for callback in pv_filter_fn pv_presolve_fn pv_report_fn; do
  "$tool" "$trace" --dump >"$log" 2>&1 && grep -q "^ *asks $callback(" "$log"
  report $? "its $callback is in the trace"
done
"$tool" "$trace" --dump >"$log" 2>&1 && ! grep -E 'pv_query_filter|pv_debug_draw|pv_world_(query|draw)' "$log" >"$work/diff"
report $? 'calls that only look are not in it, though they call back'
same '[0-9]*'
report $? "callbacks, snapshots, frames, threads: $(tail -n 1 "$log")"
retrace "$trace" --until 20 && grep -q ', 20 steps: the same$' "$log"
report $? '--until 20 ends after 20 steps'
record tests/traced crash
[ $? -gt 128 ] && retrace "$trace" && grep -q 'there the program ended, within a callback$' "$log"
report $? 'a program that dies leaves a trace up to there'

# When a world is destroyed, the last hash in the trace is the one that the demo itself prints.
if [ -e demo/pixverlet-demo ]; then
  for scene in drop pile waterfall cloth ragdolls polygons platformer oneway conveyor tilemap sensors; do
    record demo/pixverlet-demo --headless --scene $scene --frames 60
    hash=$(sed -n 's/.* hash=\([0-9a-f]*\) .*/\1/p' "$log")
    { [ -n "$hash" ] && "$tool" "$trace" --dump | grep 'pv_world_destroy(' | grep -q "hash=$hash" && same 60; } 2>>"$log"
    report $? "$scene: $(tail -n 1 "$log"), $(wc -c <"$trace" | tr -d ' ') bytes"
  done
  # no other file is needed
  record demo/pixverlet-demo --headless --scene drop --frames 60
  (mkdir "$work/empty" && cd "$work/empty" && PIXVERLET_SPRITES=nowhere "$tool" "$trace") >"$log" 2>&1
  report $? 'a trace is played where there are no sprites'
fi
record examples/hello "$top/sprites/star.png" && grep -q 'they touch at' "$log" && same '[0-9]*'
report $? "examples/hello: $(tail -n 1 "$log")"
if [ -e examples/one_way ]; then
  (cd "$top" && "$build/tools/pixverlet-trace" -o "$trace" "$build/examples/one_way" --frames 120 --play '10+Right 60-Right') >"$log" 2>&1 && same 120
  report $? "examples/one_way: $(tail -n 1 "$log")"
fi

# ---- Changes are noticed. All of this uses a short trace.

record examples/hello "$top/sprites/star.png"
size=$(wc -c <"$trace")
is_refused() { # is_refused FILE: exit 2, and one line
  retrace "$1"
  [ $? -eq 2 ] && [ "$(grep -c . "$log")" -eq 1 ] && grep -q '^pixverlet-retrace: ' "$log"
}
refused() { is_refused "$1"; report $? "$2"; } # refused FILE DESCRIPTION
changed() { # changed OFFSET OCTAL...: makes a copy with other bytes there
  cp "$trace" "$work/changed"
  printf '%b' "$(printf '\\0%s' "${@:2}")" | dd of="$work/changed" bs=1 seek="$1" conv=notrunc 2>/dev/null
}
bad=0
for at in 0 7 8 11 12 16 20 22 23 $((size / 3)) $((size / 2)) $((size - 3)) $((size - 1)); do
  byte=$(od -An -tu1 -j "$at" -N 1 "$trace")
  changed "$at" "$(printf '%03o' $((byte ^ 16)))"
  is_refused "$work/changed" || { bad=1; break; }
done
[ $bad -eq 0 ]
report $? 'a changed byte is refused'
for length in 0 1 11 13 21 $((size / 2)) $((size - 1)); do
  head -c "$length" "$trace" >"$work/changed"
  # between two records, a trace ends as if the program had died there
  is_refused "$work/changed" || { "$tool" "$work/changed" | grep -q 'the program ended' && continue; bad=1; break; }
done
[ $bad -eq 0 ]
report $? 'a cut trace is refused'
refused "$top/sprites/star.png" 'a picture is refused'
refused "$work/no-such-file" 'a missing file is refused'
retrace "$trace" --nonsense
[ $? -eq 2 ]
report $? 'a wrong word is refused'
retrace --version && grep -Eqx 'pixverlet-retrace [0-9.]+' "$log" && tools/pixverlet-trace --version >"$log" && grep -Eqx 'pixverlet-trace [0-9.]+' "$log"
report $? "--version: $(cat "$log")"

# The first recorded step takes 1/60 s. With 1/64 s, everything later differs.
at=$(od -An -v -tx1 "$trace" | tr -d ' \n' | awk '{ i = index($0, "111111111111913f"); print i % 2 ? (i - 1) / 2 : -1 }')
changed "$at" 000 000 000 000 000 000 220 077
refused "$work/changed" 'an argument that was changed is refused'
retrace "$work/changed" --ignore-digests
[ $? -eq 1 ] && grep -q '^call [0-9]*, pv_world_[a-z]*(), after [0-9]* steps: the world.s hash is [0-9a-f]*, and was' "$log"
report $? "and shows when digests are not looked at: $(tail -n 1 "$log")"

# Whatever the bytes are, the reader stays within the file and terminates.
for ((at = 12; at < size; at += size / 60 + 1)); do
  changed "$at" 377
  "$tool" "$work/changed" --dump --ignore-digests >"$log" 2>&1
  [ $? -le 2 ] || { bad=1; break; }
done
[ $bad -eq 0 ]
report $? 'no byte makes the reader stumble'

# ---- A public function without a rule is named.

sed 's|^PV_API void pv_world_destroy.*|&\nPV_API void pv_world_name(pv_world *world, const pv_mystery *mystery);|' \
  $(sed -n "s|^#include \"\(pixverlet/.*\)\"|$top/lib/\1|p" "$top/lib/pixverlet.h") >"$work/other.h"
${AWK:-awk} -v side=trace -f "$top/tools/header.awk" -f "$top/tools/trace.awk" "$work/other.h" >"$work/made" 2>"$log"
status=$?
[ $status -ne 0 ] && grep -q 'pv_world_name.*pv_mystery' "$log"
report $? 'a type of which nothing is known is named'
echo "1..$n"
