#!/bin/bash
# demo.sh - the demo without a window: every scene runs, the same each time, and wrong options are refused.
# SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"
demo=demo/pixverlet-demo
[ -e $demo ] || leave_out 'built without the demo'
make_work
unset DISPLAY WAYLAND_DISPLAY PIXVERLET_SPRITES
line='^scene=[a-z]+ frames=[0-9]+ bodies=[0-9]+ contacts=[0-9]+ overlap_px=[0-9]+ hash=[0-9a-f]{16} ms_per_step=[0-9.]+$'
tab=$(printf '\t')

run() { keep $demo "$@"; }
hash_of() { tail -n 1 $work/out | sed -n 's/.* hash=\([0-9a-f]*\) .*/\1/p'; }
good_line() { tail -n 1 $work/out | grep -Eq "$line" && tail -n 1 $work/out | grep -q "^scene=$1 frames=$2 "; }
refused() { # refused ARGUMENT...: exit 2 and one line on stderr
  run "$@"
  [ $? -eq 2 ] && [ "$(grep -c . $work/err)" -eq 1 ]
  report $? "refused with one line and exit 2: $*"
}
png_size() { # png_size FILE: "WIDTH HEIGHT" from its header; nothing if it is not a PNG
  od -An -v -tu1 -N24 "$1" | tr '\n' ' ' |
    awk '$1 == 137 && $2 == 80 && $3 == 78 && $4 == 71 { print $19 * 256 + $20, $23 * 256 + $24 }'
}

run --list && [ -s $work/out ] && ! grep -Evq "^[a-z]+${tab}[^${tab}]+\$" $work/out
report $? '--list: name, TAB, description'
scenes=$(cut -f1 $work/out)
for scene in drop ramp bounce billiards spin; do
  echo "$scenes" | grep -qx $scene
  report $? "--list has $scene"
done

for scene in $scenes; do
  run --headless --scene "$scene" --frames 60 --screenshot "$work/$scene.png" && good_line "$scene" 60 &&
    [ -n "$(png_size "$work/$scene.png")" ]
  report $? "$scene: 60 frames, and a picture of them"
done

run --headless --scene drop --frames 60 --seed 7 && one=$(hash_of) && run --headless --scene drop --frames 60 --seed 7 &&
  two=$(hash_of) && [ -n "$one" ] && [ "$one" = "$two" ]
report $? 'drop: the same seed gives the same hash'
run --headless --scene drop --frames 60 --seed 8 && [ -n "$(hash_of)" ] && [ "$(hash_of)" != "$one" ]
report $? 'drop: another seed gives another hash'

run --headless --scene drop --frames 60 --seed 7 --contacts contours && [ "$(hash_of)" = "$one" ] &&
  run --headless --scene drop --frames 60 --seed 7 --contacts pixels && [ "$(hash_of)" != "$one" ] &&
  grep -q ' overlap_px=0 ' $work/out
report $? 'drop: contacts by pixels go another way, and share no pixel'

run --headless --scene drop --frames 60 --seed 7 --workers 3 && [ "$(hash_of)" = "$one" ] &&
  run --headless --scene drop --frames 60 --seed 7 --workers 0 && [ "$(hash_of)" = "$one" ]
report $? 'drop: any number of workers gives the same hash'

run --headless --scene drop --frames 30 --screenshot $work/shot.png && good_line drop 30 &&
  size=$(png_size $work/shot.png) && [ "${size%% *}" -ge 320 ] && [ "${size%% *}" -le 4096 ] &&
  [ "${size##* }" -ge 200 ] && [ "${size##* }" -le 4096 ] && [ "$(wc -c <$work/shot.png)" -ge 4000 ]
report $? "the screenshot is a PNG of sensible size (${size:-none})"

run --headless --scene drop --frames 60 --from 20 --gif $work/shot.gif && good_line drop 60 &&
  [ "$(head -c 6 $work/shot.gif)" = GIF89a ] && [ "$(wc -c <$work/shot.gif)" -ge 4000 ]
report $? 'an animation of the last 40 frames is a GIF'

printf 'not a PNG at all\n' >"$work/text.png"
head -c 100 "$top_srcdir/sprites/crate.png" >"$work/cut.png"
refused --no-such-option
refused --headless --scene
refused --headless --scene no-such-scene --frames 10
for words in '-1' 'many' '60 --from 20' '10 --seed x' '10 --workers 65' '10 --workers two' '10 --contacts polygons' "10 $work" \
  "10 $work/missing.png" "10 $work/text.png" "10 $work/cut.png" "1 --screenshot $work/no/such/directory.png" "1 --gif $work/no/such/directory.gif"; do
  # shellcheck disable=SC2086
  refused --headless --scene drop --frames $words
done

echo "1..$n"
