#!/bin/bash
# play.sh - plays the demo by keys and clicks: title, play, pause, end, best plays, scene viewer.
# SPDX-License-Identifier: Zlib
#
# Needs Xvfb, xdotool and ImageMagick (Debian packages: xvfb, xdotool, imagemagick); without them it is skipped. It compares words
# on screen with the pictures in docs/, which `PLAY_PICTURES=DIRECTORY tests/play.sh` takes anew.

: "${top_srcdir:=.}"
demo=$PWD/demo/pixverlet-demo
for need in Xvfb xdotool import compare convert; do
  command -v $need >/dev/null 2>&1 || { echo "1..0 # SKIP no $need"; exit 0; }
done
[ -e "$demo" ] || { echo '1..0 # SKIP built without the demo'; exit 0; }

work=$PWD/play-test.$$
mkdir "$work" || exit 99
server='' player='' n=0
finish() {
  [ -z "$player" ] || kill "$player" 2>/dev/null
  [ -z "$server" ] || kill "$server" 2>/dev/null
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

: >"$work/display"
Xvfb -noreset -displayfd 3 -screen 0 1280x720x24 3>"$work/display" >/dev/null 2>&1 &
server=$!
for ((i = 0; i < 100; i++)); do [ -s "$work/display" ] && break; sleep .1; done
[ -s "$work/display" ] || { echo '1..0 # SKIP Xvfb did not start'; exit 0; }
DISPLAY=:$(cat "$work/display")
export DISPLAY SDL_VIDEODRIVER=x11 SDL_AUDIODRIVER=dummy XDG_DATA_HOME=$work/data LIBGL_ALWAYS_SOFTWARE=1
# leaks in drivers are not ours
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0
unset WAYLAND_DISPLAY PIXVERLET_SPRITES PIXVERLET_SOUNDS PIXVERLET_FONT

report() { # report STATUS DESCRIPTION
  n=$((n + 1))
  if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else
    echo "not ok $n - $2"
    echo "# window: $(title)"
    sed 's/^/# err: /' "$work/err"
  fi
}

title() { xdotool search --onlyvisible --name '.' getwindowname 2>/dev/null | head -n 1; }
key() { xdotool key --delay 30 "$@"; }
shot() { import -window root "$work/$1.png"; }

picture() { # picture NAME: takes one for docs/ if asked for
  [ -z "$PLAY_PICTURES" ] || import -window root "$PLAY_PICTURES/$1.png"
}

titled() { # titled TITLE: succeeds if the window gets that title within 10 s
  for ((tries = 0; tries < 100; tries++)); do
    [[ $(title) == "$1" ]] && return 0
    sleep .1
  done
  return 1
}

difference() { # difference FILE FILE WxH+X+Y: difference of two pictures in that rectangle, 0...1
  local number
  number=$(compare -metric RMSE -extract "$3" "$1" "$2" null: 2>&1)
  number=${number#*\(}
  echo "${number%\)*}"
}

comes() { titled "$1"; report $? "$2"; } # comes TITLE DESCRIPTION

# Only words are so bright in red, so that what moves behind them does not count.
words() { convert "$1" -crop "$2" +repage -channel R -separate -threshold 97% "$3"; }

shows() { # shows PICTURE WxH+X+Y: succeeds if the words there come to look as in a picture of docs/
  local off
  words "$top_srcdir/docs/$1.png" "$2" "$work/wanted.png"
  for ((tries = 0; tries < 12; tries++)); do
    shot now
    words "$work/now.png" "$2" "$work/found.png"
    off=$(difference "$work/found.png" "$work/wanted.png" "${2%%+*}+0+0")
    awk "BEGIN { exit !($off < .2) }" && break
    sleep .25
  done
  awk "BEGIN { exit !($off < .2) }"
}

start() { # start ARGUMENT...
  "$demo" "$@" >"$work/out" 2>"$work/err" </dev/null &
  player=$!
}

ended() { # ended: succeeds if the demo ends within 10 s, with status 0
  local status
  for ((tries = 0; tries < 100; tries++)); do
    kill -0 "$player" 2>/dev/null || break
    sleep .1
  done
  kill "$player" 2>/dev/null && return 1
  wait "$player"
  status=$?
  player=
  return $status
}

words_title=460x44+410+584 words_pause=240x60+520+260 words_over=350x60+465+155 words_best=170x40+555+168

start --seed 7
titled Rubble && sleep 1.5 && picture game_title
shows game_title $words_title
report $? 'the title says what it is'
shot before
sleep 1
shot after
awk "BEGIN { exit !($(difference "$work/before.png" "$work/after.png" 1280x720+0+0) > 0) }"
report $? 'behind it the game plays itself'

key Return
comes 'Rubble: wave 1' 'Enter begins a play'
! shows game_title $words_title
report $? 'the title is gone'
xdotool keydown Left keydown space
sleep 4
picture game_play
xdotool keyup Left keyup space keydown Up
sleep 1
xdotool keyup Up

key p
titled 'Rubble: paused' && picture game_pause
shows game_pause $words_pause
report $? 'P pauses, and says so'
sleep 2.5 # by then the last message of the play has gone
shot before
sleep 1
shot after
awk "BEGIN { exit !($(difference "$work/before.png" "$work/after.png" 1280x720+0+0) == 0) }"
report $? 'nothing moves then'
key p
comes 'Rubble: wave 1' 'P goes on'

window=$(xdotool search --onlyvisible --name '^Rubble' | head -n 1)
fills() { # fills W H X Y: succeeds if the game fills a window of W x H, but for borders of X and Y pixels
  xdotool windowsize --sync "$window" "$1" "$2"
  for try in $(seq 40); do
    shot sized
    convert "$work/sized.png" -crop "$1x$2+0+0" +repage -bordercolor black -border 1 -fuzz 1% -trim -format '%w %h' info: |
      awk -v w=$(($1 - 2 * $3)) -v h=$(($2 - 2 * $4)) '{ exit !($1 >= w - 2 && $1 <= w && $2 >= h - 2 && $2 <= h) }' && return
  done
}
fills 800 500 0 25
report $? 'a window of 800 x 500 is filled, with a rim above and below'
fills 1279 719 0 0
report $? 'one of 1279 x 719 is filled'
fills 1266 700 11 0
report $? 'and one of 1266 x 700, up to its height'
fills 1280 720 0 0
report $? 'and so is one of 1280 x 720'

key p
titled 'Rubble: paused'
key q
titled 'Rubble: your name' && picture game_over
shows game_over $words_over
report $? 'who gives up has come to the end'
sleep 1
xdotool type --delay 60 'zed'
sleep .3
key Return
titled 'Rubble: game over' && picture game_scores
shows game_scores $words_best
report $? 'then come the best plays'
grep -Eq '^[0-9]+ 1 ZED$' "$work/data/pixverlet/rubble/scores"
report $? 'and the play is kept'
sleep 1
key Escape
comes Rubble 'Escape leads back to the title'

key d
comes 'Rubble: wave 1' "D plays today's rocks"
key p
titled 'Rubble: paused' && key r && titled 'Rubble: wave 1'
report $? 'R starts again, also out of a pause'
key p
titled 'Rubble: paused' && key q && titled 'Rubble: game over'
sleep 1
key Escape
titled Rubble && grep -q ZED "$work/data/pixverlet/rubble/scores"
report $? "today's rocks leave the other list alone"

key v
comes 'pixverlet: shatter (H: help)' 'V opens the scene viewer'
key Tab
comes 'pixverlet: castle (H: help)' 'Tab goes to the next scene'
xdotool mousemove 640 360 mousedown 1 mousemove 700 300 mouseup 1 click 4 click 5
key h d space r
[ -z "$(grep -v '^ALSA' "$work/err")" ] && titled 'pixverlet: castle (H: help)'
report $? 'mouse, wheel and keys do no harm'
key h slash && sleep 1 # the search ignores letters of the frame in which it opens
xdotool type --delay 60 'cards'
key Return
comes 'pixverlet: cards (H: help)' 'the search finds a scene, also when the game came first'
key slash
xdotool type --delay 60 'castle'
key Return h
comes 'pixverlet: castle (H: help)' 'and another one'
key Escape
comes 'pixverlet: castle (H: help)' 'Escape closes the help'
key Escape
comes Rubble 'Escape leads back to the game'
key Escape
ended
report $? 'and out'

start --scene pile
titled 'pixverlet: pile (H: help)' && key q && sleep .3 && kill -0 "$player"
report $? '--scene begins in the viewer; Q asks'
key q
ended
report $? 'and quits at the second press'

SDL_AUDIODRIVER=none_such start
titled Rubble && key Escape && ended && [ "$(grep -c . "$work/err")" -eq 1 ]
report $? 'without a sound device: one plain line, and it plays on'

PIXVERLET_FONT=$work/none.ttf start
titled Rubble && key Escape && ended && grep -q 'no font' "$work/err" && grep -q 'Enter play' "$work/out"
report $? 'without a font: one plain line, and the keys are printed'

printf 'not\0a score\377\n12 1 ANN\n' >"$work/data/pixverlet/rubble/scores"
start
titled Rubble && key Return && titled 'Rubble: wave 1' && key Escape q && titled 'Rubble: game over'
report $? 'a damaged list of scores; and no place for no points'
key q
kill "$player" 2>/dev/null
wait "$player" 2>/dev/null
player=

XDG_DATA_HOME=/proc/none start
titled Rubble && key Escape && ended
report $? 'nowhere to keep scores: it plays'

(unset DISPLAY && "$demo" >"$work/out" 2>"$work/err" </dev/null)
[ $? -eq 2 ] && [ "$(grep -c . "$work/err")" -eq 1 ] && grep -q 'no display' "$work/err"
report $? 'without a display: one plain line and status 2'

echo "1..$n"
