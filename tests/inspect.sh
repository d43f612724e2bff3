#!/bin/bash
# inspect.sh - pixverlet-inspect: its figures agree with sums over the shapes of sprites/README.md, its drawings are complete,
# and errors are reported. SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"
sprites=$top_srcdir/sprites
make_work
trap 'rm -rf "$work" ./--card.$$.png' EXIT

without_libtool pixverlet-inspect
run() { keep "$tool" "$@"; }
refused() { # refused ARGUMENT...: exit 2, one line on stderr, nothing on stdout
  run "$@"
  [ $? -eq 2 ] && [ "$(wc -l <$work/err)" -eq 1 ] && grep -q '^pixverlet-inspect: ' $work/err && [ ! -s $work/out ]
  report $? "refused with one line and exit 2: $(printf '%s' "$*" | tr '\n' '?')"
}
has() { # has NAME VALUE...: the line with this name has these values
  [ "$(awk -v name="$1" -v many=$(($# - 1)) '$1 == name { for (i = 2; i <= many + 1; i++) printf "%s ", $i }' $work/out)" = "${*:2} " ]
}
field() { sed -n "s/.*\"$1\":\\[*\\(\"[^\"]*\"\\|[-0-9.e+]*\\).*/\\1/p" $work/out; } # field KEY: value of a key of JSON, or its first number

# ---- Figures. A shape is a condition of awk on the point (x, y), summed over pixels. A pixel's own inertia is 1/6.

sums() { # sums WIDTH HEIGHT SHAPE: prints solid pixels, center, inertia
  awk -v w="$1" -v h="$2" 'BEGIN {
    for (j = 0; j < h; j++) for (i = 0; i < w; i++) {
      x = i + 0.5; y = j + 0.5
      if ('"$3"') { n++; sx += x; sy += y; ss += x * x + y * y + 1 / 6 }
    }
    printf "%d %.12g %.12g %.12g\n", n, sx / n, sy / n, ss - (sx * sx + sy * sy) / n
  }'
}
shaped() { # shaped SPRITE WIDTH HEIGHT SHAPE HOLES: the sprite's figures are those of the shape
  run "$sprites/$1.png"
  status=$?
  sums "$2" "$3" "$4" >$work/sums
  read -r solid x y inertia <$work/sums
  [ $status -eq 0 ] && has file "$sprites/$1.png" && has size "$2" "$3" && has threshold 128 && has solid "$solid" &&
    has parts 1 1 && has holes "$5" "$5" && awk -v x="$x" -v y="$y" -v inertia="$inertia" '
      function off(a, b) { return (a > b ? a - b : b - a) > 1e-9 * (b > 1 ? b : 1) }
      $1 == "center" && (off($2, sprintf("%.6g", x)) || off($3, sprintf("%.6g", y))) { bad = 1 }
      $1 == "inertia" && off($2, inertia) { bad = 1 }
      $1 == "contour" && ($2 < 4 || $3 != '"$5"' + 1) { bad = 1 }
      END { exit bad }' $work/out
  report $? "$1: $solid px about ($x, $y), inertia $inertia"
}
for box in crate:32:32 plank:96:12 brick:32:16 box_plain:64:32 card:2:32 sheet_1:1:56 wall:16:480 beam:480:16 abutment:96:128; do
  IFS=: read -r name w h <<<"$box"
  shaped "$name" "$w" "$h" 1 0
  # the closed formula holds, too
  awk -v w="$w" -v h="$h" '$1 == "inertia" { d = $2 - w * h * (w * w + h * h) / 12; exit !(d * d < 1e-18 * $2 * $2) }' $work/out
  report $? "$name: w h (w^2 + h^2) / 12"
done
for disc in ball:16 ball_small:8 ball_1:12 planet:112 wrecker:32 coin:8; do
  r=${disc#*:}
  shaped "${disc%:*}" $((2 * r)) $((2 * r)) "(x - $r)^2 + (y - $r)^2 <= $r^2" 0
done
shaped ring 56 56 '(x - 28)^2 + (y - 28)^2 <= 28^2 && (x - 28)^2 + (y - 28)^2 > 17^2' 1
shaped ring_small 32 32 '(x - 16)^2 + (y - 16)^2 <= 16^2 && (x - 16)^2 + (y - 16)^2 > 9^2' 1
shaped ramp 320 160 '2 * y > x' 0
shaped link 24 10 '(x < 5 ? (x - 5)^2 : x > 19 ? (x - 19)^2 : 0) + (y - 5)^2 <= 25' 0
shaped box_notched 64 32 '!(x > 18 && x < 46 && (y < 12 || y > 20))' 0

run "$sprites/gear.png" && has parts 1 1 && has holes 1 1
report $? 'gear: one hole'
run "$sprites/letter_c.png" && has holes 0 0
report $? 'letter_c: no hole, for it is open'
run "$sprites/ground.png" && has parts 1 1 && has holes 2 2 && awk '$1 == "contour" { exit $3 != 3 }' $work/out
report $? 'ground: two closed cavities, three loops'

# Four pixels around an empty one, and a picture with no alpha above 127.
base64 -d >$work/diamond.png <<END
iVBORw0KGgoAAAANSUhEUgAAAAMAAAADCAYAAABWKLW/AAAAF0lEQVR4nGM4UaHBAMT/QTScAaIZkGUASq4QpfTqCGkAAAAASUVORK5CYII=
END
base64 -d >$work/faint.png <<END
iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAD0lEQVR4nGM4UaFRD8QMABHUA1C3Q2caAAAAAElFTkSuQmCC
END
run $work/diamond.png && has solid 4 && has parts 1 4 && has holes 1 0 && has center 1.5 1.5
report $? 'four pixels round an empty one: one part with a hole by corners, four by edges'
run $work/faint.png && has size 2 1 && has solid 0 && has parts 0 0 && has contour 0 0 && has inertia 0
report $? 'a picture without solid pixels is told of'
run --threshold 127 $work/faint.png && has threshold 127 && has solid 1 && has center 0.5 0.5
report $? '--threshold 127: one pixel'
run --threshold 0 $work/faint.png && has solid 2 && has center 1 0.5
report $? '--threshold 0: both pixels'

run "$sprites"/*.png
[ $? -eq 0 ] && [ "$(grep -c '^file ' $work/out)" -eq "$(ls "$sprites"/*.png | wc -l)" ] && [ ! -s $work/err ]
report $? "all $(grep -c '^file ' $work/out) sprites in one run"
awk '$1 == "file" { many = $2 ~ /\/(diver|hero)\.png$/ } $1 == "parts" && !many && ($2 != 1 || $3 != 1) { exit 1 }' $work/out
report $? 'each but the sheets is of one part'
awk '$1 == "size" { w = $2; h = $3 } $1 == "bytes" && ($2 < w * h / 8 || $3 < 1) { exit 1 }' $work/out
report $? 'a mask takes a bit a pixel at least, and a contour some bytes'
awk 'BEGIN { RS = "" } NF && ($1 != "file" || $0 !~ /\nbytes /) { exit 1 }' $work/out
report $? 'for awk: a paragraph each'
run "$sprites/gear.png" "$sprites/ground.png" "$sprites/gear.png" && [ "$(grep '^bytes' $work/out | sort -u | wc -l)" -eq 2 ]
report $? 'bytes are counted for each picture anew'

run "$sprites/ship.png"
grep -v '^\(file\|bytes\) ' $work/out >$work/ship
sed -n '/pixverlet-inspect sprites\/ship/,/^Red/s/^    //p' "$top_srcdir/docs/ADOPT.md" | sed '/^\$/d; /^\(file\|bytes\) /d' | diff $work/ship - >$log
report $? 'docs/ADOPT.md shows what it says of the ship'

# ---- JSON

run --json "$sprites/ring.png" "$sprites/star.png" "$sprites/rock_large.png" && cp $work/out $work/json && [ "$(wc -l <$work/out)" -eq 3 ]
report $? '--json: a line each'
for key in width height threshold solid parts_8 parts_4 holes_8 holes_4 center inertia contour_points contour_loops mask_bytes contour_bytes; do
  field $key | tr '\n' ' '
done >$work/values
run "$sprites/ring.png" "$sprites/star.png" "$sprites/rock_large.png"
plain() { awk -v name="$1" -v column="$2" '$1 == name { printf "%s ", $column }' $work/out; }
{ plain size 2; plain size 3; plain threshold 2; plain solid 2; plain parts 2; plain parts 3; plain holes 2; plain holes 3
  plain center 2; plain inertia 2; plain contour 2; plain contour 3; plain bytes 2; plain bytes 3; } | tr ' ' '\n' >$work/plain
tr ' ' '\n' <$work/values | paste - $work/plain |
  awk 'NF == 2 { d = $1 - $2; n++; if (d * d > 1e-10 * $2 * $2) exit 1 } NF == 1 { exit 1 } END { if (n != 42) exit 1 }'
report $? 'the same figures'
strange=$work/$(printf 'a "b" \\ <c> & \303\244 \377\nd.png')
cp "$sprites/card.png" "$strange"
run --json "$strange" && [ "$(wc -l <$work/out)" -eq 1 ] &&
  grep -qF "$(printf '/a \\"b\\" \\\\ <c> & \303\244 \357\277\275\\u000ad.png"')" $work/out
report $? 'a strange name stays on its line and in its quotes'
if command -v jq >/dev/null; then
  cat $work/json >>$work/out && jq -e '.file and .width > 0 and (.center | length) == 2' $work/out >/dev/null 2>$work/err
  report $? 'jq reads them'
else
  skip 'jq reads them' 'no jq (Debian package: jq)'
fi

# ---- Drawings

png_size() { # png_size FILE: "WIDTH HEIGHT" from its header; nothing if it is not a PNG
  od -An -v -tu1 -N24 "$1" | tr '\n' ' ' |
    awk '$1 == 137 && $2 == 80 && $3 == 78 && $4 == 71 { print $19 * 256 + $20, $23 * 256 + $24 }'
}
points() { # points FILE ID: prints the points of a path, one a line
  sed -n "s/.*<path id=\"$2\"[^>]* d=\"\\([^\"]*\\)\".*/\\1/p" "$1" | tr 'MLZh' '\n\n\n\n' | awk 'NF == 2'
}
# drawn SPRITE SCALE: both drawings exist, with the right size, and the SVG has as many points as the contour
drawn() {
  run --svg "$work/$1.svg" --png "$work/$1.png" "$sprites/$1.png"
  status=$?
  size=$(awk -v scale="$2" '$1 == "size" { print $2 * scale + 64, $3 * scale + 64 }' $work/out)
  [ $status -eq 0 ] && [ "$(png_size "$work/$1.png")" = "$size" ] &&
    grep -q "^<svg .* width=\"${size% *}\" height=\"${size#* }\" " "$work/$1.svg"
  report $? "$1: drawings of $size px"
  counts=$(awk '$1 == "contour" { print $2, $3 }' $work/out)
  [ "$(points "$work/$1.svg" contour | wc -l)" -eq "${counts% *}" ] &&
    [ "$(sed -n 's/.*<path id="contour"[^>]* d="\([^"]*\)".*/\1/p' "$work/$1.svg" | tr -cd M | wc -c)" -eq "${counts#* }" ] &&
    [ "$(points "$work/$1.svg" normals | wc -l)" -eq $((2 * ${counts% *})) ]
  report $? "$1: ${counts% *} points, ${counts#* } loops, and as many normals"
}
drawn star 21
drawn ring 18
drawn bullet 64
drawn ground 4
run --png $work/faint_drawn.png --svg $work/faint.svg $work/faint.png && [ "$(png_size $work/faint_drawn.png)" = '192 128' ] &&
  grep -q '</svg>' $work/faint.svg
report $? 'a picture without solid pixels is drawn'
run $work/ring.png && has size 1072 1072 && has solid $((1072 * 1072))
report $? 'the PNG can be read, and hides what is behind it'

run --threshold 128 --svg $work/strange.svg "$strange"
report $? 'a strange name is drawn'
if command -v xmllint >/dev/null; then
  xmllint --noout $work/*.svg >$work/out 2>$work/err
  report $? 'xmllint reads the drawings'
else
  skip 'xmllint reads the drawings' 'no xmllint (Debian package: libxml2-utils)'
fi
grep -q '<title>.*&lt;c&gt; &amp; ' $work/strange.svg && ! grep -q 'href="[^#]' $work/*.svg
report $? 'names are escaped, and no other file is named'
# Each square stands for solid pixels; transparent ones have none.
sed -n '/<g id="sprite"/,/<\/g>/p' $work/ring.svg | tr 'M' '\n' | sed -n 's/^[0-9]* [0-9]*h\([0-9]*\)v1h-[0-9]*z.*/\1/p' |
  awk '{ sum += $1 } END { exit sum != 1560 }'
report $? 'the squares of the ring are its 1560 pixels'
# The contour of a ring is two circles. Its normals lead away from the solid: out of the rim, and into the hole.
points $work/ring.svg normals | awk '
  function radius(x, y) { return sqrt((x - 28)^2 + (y - 28)^2) }
  function near(a, b, e) { return a - b < e && b - a < e }
  NR % 2 { foot = radius($1, $2); fx = $1; fy = $2; next }
  { tip = radius($1, $2); rim += foot > 22; hole += foot < 22
    if (!near(foot, foot > 22 ? 28 : 17, 0.6) || !near(sqrt(($1 - fx)^2 + ($2 - fy)^2), 24 / 18, 1e-3)) bad = 1
    if (!near(tip - foot, foot > 22 ? 24 / 18 : -24 / 18, 0.02)) bad = 1 }
  END { exit bad || rim < 20 || hole < 20 }'
report $? 'the normals of the ring lead out of its rim and into its hole'
# A box keeps its corners. There the normal is half-way between those of the sides; along a side it is perpendicular.
run --svg $work/box.svg "$sprites/box_plain.png" && points $work/box.svg normals | awk '
  NR % 2 { x = $1; y = $2; next }
  { sx = (x == 0 ? -1 : x == 64); sy = (y == 0 ? -1 : y == 32); long = sqrt(sx * sx + sy * sy); corners += long > 1.1
    if (long == 0) exit bad = 1
    dx = $1 - x - 1.5 * sx / long; dy = $2 - y - 1.5 * sy / long
    if (dx * dx + dy * dy > 1e-6) exit bad = 1 }
  END { exit bad || corners != 4 }'
report $? 'the normals of a box: four diagonal ones, the others upright'
points $work/star.svg contour | awk '{ if ($1 < -1 || $1 > 49 || $2 < -1 || $2 > 49) exit 1 }'
report $? 'the contour of the star is where the star is'

cp "$sprites/star.png" $work/own.png
refusing() { # refusing OPTION FILE: prints the picture's figures, but refuses to draw it
  run "$1" "$2" $work/own.png
  [ $? -eq 2 ] && has solid 902 && [ "$(wc -l <$work/err)" -eq 1 ] && cmp -s "$sprites/star.png" $work/own.png
  report $? "no drawing: $1 $2"
}
refusing --png $work/own.png
refusing --svg "$work/./own.png"
refusing --png $work/nowhere/star.png
refusing --svg $work/nowhere/star.svg
if [ -w /dev/full ]; then
  refusing --svg /dev/full
  "$tool" $work/own.png >/dev/full 2>$work/err
  [ $? -eq 2 ] && [ "$(wc -l <$work/err)" -eq 1 ]
  report $? 'a full disk is told of'
else
  skip 'a full disk is told of' 'no /dev/full'
fi

# ---- What cannot be read

echo 'no picture' >$work/text.png
: >$work/empty.png
head -c 300 "$sprites/star.png" >$work/cut.png
mkdir $work/directory.png
for file in missing text empty cut directory; do
  refused $work/$file.png
  refused --json $work/$file.png
done
refused --svg $work/never.svg $work/cut.png
[ ! -e $work/never.svg ]
report $? 'of what cannot be read there is no drawing'
run "$sprites/star.png" $work/cut.png $work/missing.png "$sprites/ring.png"
[ $? -eq 2 ] && [ "$(grep -c '^file ' $work/out)" -eq 2 ] && [ "$(wc -l <$work/err)" -eq 2 ] && grep -q '^solid *1560 ' $work/out &&
  grep -q 'cut\.png: IDAT at ' $work/err && grep -q 'cannot open .*missing\.png$' $work/err
report $? 'the others are read all the same'
refused "$(printf '%s/no\nfile.png' $work)"

# ---- Sheets and maps, as they collide

if run "$top_srcdir/tests/data/walker_array.json"; then
  [ "$(grep -c '^file .*walker_array\.json: walker [0-3]\.aseprite$' $work/out)" -eq 4 ] && [ "$(grep -c '^size *12 *9 ' $work/out)" -eq 4 ]
  report $? 'the frames of a sheet'
  run "$top_srcdir/tests/data/hills_infinite.tmj" && has size 128 96 && [ "$(grep -c '^file ' $work/out)" -eq 1 ]
  report $? 'a map'
  run "$top_srcdir/tests/data/hills.json" && has size 96 64
  report $? 'a map whose name does not tell its kind'
  run "$top_srcdir/tests/data/cave.ldtk" && has size 48 32
  report $? 'a project of LDtk'
  run --svg $work/map.svg "$top_srcdir/tests/data/hills_infinite.tmj" && [ -s $work/map.svg ]
  report $? 'the drawing of a map'
  sed 's/"to": 2,/"to": 9,/' "$top_srcdir/tests/data/walker_array.json" >$work/tags.json
  cp "$top_srcdir/tests/data/walker.png" $work/
  run $work/tags.json
  [ "$(grep -c '^file ' $work/out)" -eq 4 ] && grep -q '"to" of tag "walk" is 9, must be a whole number from -1 to 3' $work/err
  report $? 'a faulty tag is told'
else
  skip 'sheets and maps' 'built without libcjson'
fi
echo '{' >$work/bad.json
refused $work/bad.json
refused $work/missing.tmj

# ---- The command line

refused
refused --nonsense "$sprites/star.png"
refused -x
refused "$sprites/star.png" --svg
refused --threshold
for bad in 256 -1 1x '' ' 1' 99999999999999999999; do refused --threshold "$bad" "$sprites/star.png"; done
refused --svg $work/two.svg "$sprites/star.png" "$sprites/ring.png"
run --help && grep -q '^Usage: pixverlet-inspect ' $work/out && [ ! -s $work/err ]
report $? '--help'
sed -n 's/^  \(--[a-z]*\).*/\1/p' $work/out >$work/options
echo --version >>$work/options
while read -r option; do
  tr -d '\\' <"$top_srcdir/tools/pixverlet-inspect.1" | grep -q -e "$option" || echo "not in the manual page: $option"
done <$work/options >$work/err
[ ! -s $work/err ] && [ "$(wc -l <$work/options)" -eq 6 ]
report $? 'its options are in the manual page'
run --version && grep -Eqx 'pixverlet-inspect [0-9]+\.[0-9]+\.[0-9]+' $work/out
report $? '--version'
cp "$sprites/card.png" ./--card.$$.png && run -- --card.$$.png && has solid 64
report $? 'after -- all are files'
echo "1..$n"
