#!/bin/sh
# examples.sh - rollback over ENet, and the examples of pixverlet/sdl.h and sdl_game.h, played without a window.
# SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"
: "${CC:=cc}"
make_work

# ---- Rollback: however bad the line is, both ends reach the same state as without loss and delay

rollback() { (cd "$top_srcdir" && "$build/examples/rollback" "$@") >"$log" 2>&1; }
hashes() { sed -n 's/.*hashes \([0-9a-f]*\) \([0-9a-f]*\): same$/\1 \2/p' "$log"; }
# guessed LEAST: there were at least so many rollbacks, none deeper than 8
guessed() { sed 's/[^0-9][^0-9]*/ /g' "$log" | awk "{ exit !(\$2 >= $1 && \$3 >= 1 && \$3 <= 8) }"; }

if [ -x examples/rollback ]; then
  for seed in 1 2 3; do
    rollback --seed $seed --loss 0 --delay 0
    status=$?
    alone=$(hashes)
    [ $status -eq 0 ] && [ -n "$alone" ]
    report $? "rollback: $(tail -n 1 "$log")"
    for line in '20 75' '50 150' '0 40'; do
      rollback --seed $seed --loss "${line% *}" --delay "${line#* }" && [ "$(hashes)" = "$alone" ] && guessed 20
      report $? "rollback, loss and delay $line: $(tail -n 1 "$log")"
    done
  done
  rollback --desync 100
  [ $? -eq 1 ] && grep -q ': DIFFERENT$' "$log"
  report $? 'rollback: worlds that part are found'
  rollback --loss 91
  [ $? -eq 2 ] && grep -qx 'rollback: --loss' "$log"
  report $? 'rollback: a bad option is said and gives exit 2'
fi

if ! [ -x examples/sdl_world ]; then
  [ $n -gt 0 ] || leave_out 'built without SDL and ENet'
  echo "1..$n"
  exit 0
fi

# Leaks inside SDL are not ours.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 SDL_VIDEODRIVER=dummy SDL_RENDER_DRIVER=software
export ASAN_OPTIONS SDL_VIDEODRIVER SDL_RENDER_DRIVER
s=$top_srcdir/sprites

# All 24 lie on the floor or on each other. A sprite that fell past it would touch nothing.
examples/sdl_world --frames 240 "$s/floor.png" "$s/star.png" "$s/gear.png" >"$log" 2>&1 &&
  awk '/^[0-9]+ contacts after 240 frames$/ && $1 >= 24 { good = 1 } END { exit !good }' "$log"
report $? "sdl_world: $(cat "$log")"

errors=$(examples/sdl_world "$s/floor.png" no-such-file.png 2>&1 >/dev/null)
status=$?
echo "$errors" >"$log"
[ $status -eq 2 ] && [ "$errors" = 'sdl_world: no picture: pv_image_load: cannot open no-such-file.png' ]
report $? 'sdl_world: a missing file is said and gives exit 2'
# Without a display, SDL may draw offscreen. Then nobody can see the game or end it.
unseen() { (cd "$top_srcdir" && SDL_VIDEODRIVER=offscreen timeout 3 "$build/examples/guide" "$@") >"$log" 2>&1; }
unseen
grep -q -e 'no display, the window is not visible' -e 'offscreen not available' "$log" &&
  { unseen --frames 3; ! grep -q 'no display' "$log"; }
report $? 'guide: a game without a display says so'

# ---- The recipes of docs/RECIPES.md: each is played, and also left alone for comparison

every() { # every PERIOD LENGTH FIRST LAST KEY...: words that press and release keys periodically
  awk -v period="$1" -v long="$2" -v first="$3" -v last="$4" -v keys="$(shift 4; echo "$*")" 'BEGIN {
    n = split(keys, key, " ")
    for (f = first; f <= last; f += period) {
      for (i = 1; i <= n; i++) printf "%d+%s ", f, key[i]
      for (i = 1; i <= n; i++) printf "%d-%s ", f + long, key[i]
    } }'
}

# play NAME FRAMES SCRIPT PATTERN AWK: its last line matches PATTERN, with X for numbers, and AWK accepts the numbers
play() {
  (cd "$top_srcdir" && "$build/examples/$1" --frames "$2" --play "$3") >"$log" 2>&1 &&
    sed '$!d; s/-*[0-9][0-9]*/X/g' "$log" | grep -qx "$4" &&
    sed '$!d; s/[^0-9-][^0-9-]*/ /g' "$log" | awk "{ exit !($5) }"
  report $? "$1: $(tail -n 1 "$log")"
}

# Each bullet breaks at most one rock, and nothing else breaks any.
said='X bullets shot X rocks, the ship crashed X times'
play shooter 400 "$(every 12 2 5 400 Space) 30+Left 150-Left 220+Right 300-Right" "$said" '$1 == 33 && $2 >= 3 && $2 <= $1'
play shooter 400 '30+Left 150-Left' "$said" '$1 == 0 && $2 == 0'
play shooter 900 '10+Up 60-Up 200+Right 230-Right 240+Up 300-Up' "$said" '$2 == 0 && $3 >= 1'

# A ball gets out by the drain alone; the flippers keep it from there.
said='X bumps, drained X times, escaped X times'
play pinball 900 '' "$said" '$1 >= 2 && $2 >= 3 && $3 == 0'
play pinball 900 "$(every 18 9 100 900 Left Right)" "$said" '$1 >= 2 && $2 <= 1 && $3 == 0'

# Five jumps lead up five planks of 62 px each, from y = 430. Only a jump lands on a plank, and only the key leads down.
said='X jumps, X landings on planks, dropped through X, rode X steps, highest at y = X'
up=$(every 60 3 30 270 Up)
play one_way 340 "$up" "$said" '$1 == 5 && $2 == 5 && $3 == 0 && $5 < 432 - 5 * 62'
play one_way 440 "$up 350+Down 356-Down" "$said" '$1 == 5 && $2 == 6 && $3 == 1'
play one_way 800 "$up 350+Down 356-Down 420+Right 460+Up 462-Up 490-Right" "$said" '$1 == 6 && $4 > 200'
play one_way 340 '' "$said" '$1 == 0 && $2 == 0 && $3 == 0 && $4 == 0'

# What is held stays near the mouse, at 270 px/s. A press far from everything, or on the bucket, picks nothing.
said='picked X times, missed X times, at most X px from the mouse'
drag=$(awk 'BEGIN { for (i = 0; i < 90; i++) printf "%d@%d,%d ", 62 + i, 160 + 2 * i, 410 - 4 * i }')
play picking 200 "60@160,410 61+Mouse $drag" "$said" '$1 == 1 && $2 == 0 && $3 > 0 && $3 <= 60'
play picking 200 "60@320,60 61+Mouse 63-Mouse 70@320,442 71+Mouse $drag" "$said" '$1 == 0 && $2 == 2 && $3 == 0'

# All three links are collected where boxes meet for long and no pixels do. Flying through a sprite raises one alarm.
said='fetched X links, X alarms; boxes met in X steps, pixels in X'
way='2@240,64 25@240,128 45@200,128 75@300,128 110@300,300 180@175,290 190@175,330 230@175,280 260@260,280 300@300,60 340@528,60 380@528,130 430@528,40'
play trigger 480 "$way" "$said" '$1 == 3 && $2 == 0 && $3 > 100 && $4 == 0'
play trigger 560 "$way 480@440,300" "$said" '$1 == 3 && $2 == 1 && $3 > $4 && $4 > 10'

# Left alone, the hero stands where it landed. Walking on ends in the bay, behind the crate, past three stars. Jumps lead to the
# end of the level, and the crate stays in place.
said='X stars, X jumps, hero at x = X, crate at x = X'
play platformer 300 '' "$said" '$1 == 0 && $2 == 0 && $3 == 60 && $4 == 520'
play platformer 500 '20+Right' "$said" '$1 == 3 && $2 == 0 && $3 > 600 && $3 < 690 && $4 > $3'
play platformer 700 "20+Right $(every 30 3 100 700 Up)" "$said" '$1 >= 4 && $2 >= 4 && $3 == 1260 && $4 == 520'

# The hammer reaches the ball where the gnome alone does not. It misses on the other side, and nothing else hits the ball.
said='X swings, X hits, the gnome X to X px wide'
play sheet 200 '90+Space' "$said" '$1 == 1 && $2 == 1 && $3 == 20 && $4 == 36'
play sheet 200 '80+Left 82-Left 90+Space' "$said" '$1 == 1 && $2 == 0 && $4 == 36'
play sheet 200 '30+Space' "$said" '$1 == 1 && $2 == 0'
play sheet 200 '' "$said" '$1 == 0 && $2 == 0 && $3 == 20 && $4 == 20'

# A stone tears the gate off its ropes and leaves craters, and another one kills a pig. Nothing happens by itself. Loading brings
# back the saved state, with the pig and without the craters.
said='X shots, X pigs left, X ropes broke, X craters, loaded X times'
play slingshot 300 '' "$said" '$1 == 0 && $2 == 3 && $3 == 0 && $4 == 0'
shot='11+Mouse 12@105,340 30-Mouse'
play slingshot 400 "$shot" "$said" '$1 == 1 && $2 == 2 && $3 >= 2 && $4 >= 1'
play slingshot 400 "5+S $shot 350+L" "$said" '$1 == 1 && $2 == 3 && $3 >= 2 && $5 == 1'
play slingshot 400 "$shot 350+L" "$said" '$2 == 2 && $5 == 0'

# A tunnel leads the ball to the ring. Two strokes that meet below free a piece, not the ball. The mouse alone digs nothing.
line() { # line FRAME COUNT X Y TO_X TO_Y: words that move the mouse along a line
  awk -v f="$1" -v n="$2" -v x="$3" -v y="$4" -v u="$5" -v v="$6" 'BEGIN {
    for (i = 0; i <= n; i++) printf "%d@%d,%d ", f + i, x + (u - x) * i / n, y + (v - y) * i / n }'
}
said='dug X px in X strokes, X pieces fell, the ball came to the ring in step X'
tunnel="$(line 60 60 100 310 262 405)"
play digger 400 "$tunnel 61+Mouse 122-Mouse" "$said" '$1 > 3000 && $2 > 30 && $3 == 0 && $4 > 60'
play digger 300 "$(line 30 30 330 300 420 440) $(line 61 30 420 440 520 350) 31+Mouse 92-Mouse" "$said" '$1 > 5000 && $3 == 1 && $4 == 0'
play digger 300 "$tunnel" "$said" '$1 == 0 && $2 == 0 && $3 == 0 && $4 == 0'

# Jumps lead past coins to the safe. Without jumps the diver stops at the first tiles, and left alone where it landed.
said='X coins, at the safe in step X, at x = X'
play level 900 "20+Right $(every 4 2 30 890 Up)" "$said" '$1 >= 3 && $2 > 300 && $3 > 1250'
play level 400 '20+Right' "$said" '$1 == 0 && $2 == 0 && $3 == 172'
play level 300 '' "$said" '$1 == 0 && $2 == 0 && $3 == 56'

# The tractor pulls the wagon and its load over the hill. Unhooked, it goes alone; left alone, nothing moves.
said='tractor at x = X, wagon at x = X, its load at y = X'
play machine 900 '60+Right' "$said" '$1 > 1180 && $2 > 1050 && $3 < 400'
play machine 900 '60+Right 100+Space' "$said" '$1 > 1180 && $2 < 400 && $3 < 400'
play machine 300 '' "$said" '$1 == 210 && $2 == 72 && $3 == 388'

# The cloth hangs by its corners over the ball. Once they are released, they come down, and no stick stays stretched.
said='longest stick X percent, a corner at y = X'
play cloth3d 300 '' "$said" '$1 < 125 && $2 == -90'
play cloth3d 500 '100+Space' "$said" '$1 < 110 && $2 > 0 && $2 <= 150'

for word in '--frame 3' 'level.json' '--play 3+Spcae'; do
  # shellcheck disable=SC2086
  (cd "$top_srcdir" && "$build/examples/guide" $word) >"$log" 2>&1
  [ $? -eq 2 ] && [ "$(grep -c "not ${word% *}\|know the word ${word#* }" "$log")" -eq 1 ]
  report $? "guide: does not know $word, says so once and ends"
done

recipes='digger guide level machine one_way picking pinball platformer sheet shooter slingshot trigger'
for name in $recipes; do
  (cd "$work" && "$build/examples/$name" --frames 3) >"$log" 2>&1
  [ $? -eq 2 ] && grep -q 'pv_sdl_game_load_sprite: cannot open sprites/.*png' "$log" && [ -z "$(sort "$log" | uniq -d)" ]
  report $? "$name: without its pictures it says so and ends"
done

# A line that has only a comment does not count; in the slingshot all lines count.
awk '
  function tell() { if (name != "" && count > most) print name ": " count " lines, not " most }
  FNR == 1 { tell(); name = FILENAME; count = comment = 0; most = name ~ /slingshot/ ? 140 : name ~ /level/ ? 96 : 80 }
  length > 100 { print FILENAME ":" FNR ": " length " columns" }
  name ~ /slingshot/ { count++; next }
  {
    if (comment && !sub(/^.*\*\//, "")) next
    gsub(/\/\*[^*]*\*\//, "")
    comment = sub(/\/\*.*/, "")
    sub(/\/\/.*/, "")
    count += /[^ ]/
  }
  END { tell() }' $(for name in $recipes; do echo "$top_srcdir/examples/$name.c"; done) >"$log"
silent 'the recipes have at most 80 lines of code of 100 columns, level.c 96, slingshot.c 140 lines in all'

# Statements joined by commas, and code in macros, do not read like a program.
awk '
  /^#define/ { print FILENAME ":" FNR ": " $0 }
  /^#|^ \*|^\/\*/ { next }
  {
    gsub(/"([^"\\]|\\.)*"/, "s")
    gsub(/\/\*[^*]*\*\//, "")
    sub(/\/\/.*/, "")
    sub(/ +$/, "")
    statement = statement " " $0
    if (!/[;{}]$/ || /= *\{$/) next
    while (gsub(/\([^()]*\)|\{[^{}]*\}|\[[^][]*\]/, "", statement)) continue
    sub(/^.*\{/, "", statement)
    gsub(/^[ }]+/, "", statement)
    declaration = statement ~ /^(static |const |unsigned |enum )*[A-Za-z_][A-Za-z_0-9]* *\**[a-z_]+/ && statement !~ /^return /
    if (statement ~ /,.*;$/ && !declaration) print FILENAME ":" FNR ": " $0
    statement = ""
  }' "$top_srcdir"/examples/*.c >"$log"
silent 'no example joins statements by commas or hides code in macros'
echo "1..$n"
