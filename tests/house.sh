#!/bin/sh
# house.sh - the rules of the house: floors, openings, lengths, exports, and lists that must agree.
# SPDX-License-Identifier: Zlib

: "${top_srcdir:=.}" "${NM:=nm}"
so=$PWD/.libs/libpixverlet.so
log=$PWD/house-test.$$
trap 'rm -f "$log" "$log".*' EXIT
cd "$top_srcdir" || exit 99
n=0

rule() { # rule DESCRIPTION: passes when $log is empty, else shows it
  n=$((n + 1))
  if [ -s "$log" ]; then
    echo "not ok $n - $1"
    sed 's/^/# /' "$log"
  else
    echo "ok $n - $1"
  fi
}
skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; }

# Floors. A file may include what stands on its own floor or below it.
floor() { # floor FILE: its floor, or nothing for a file that has none
  case ${1##*/} in
    pixverlet.h) echo 0 ;;
    pv_math.[ch]) echo 1 ;;
    pv_base.[ch]) echo 2 ;;
    pv_world.[ch] | pv_body*.c | pv_integrate.c | pv_broad.c | pv_crowd.c | pv_squeeze.c | pv_crush.c | pv_contact*.[ch] | pv_backtrack.c | pv_solve*.c | pv_pixel_stop.c | pv_manifolds.c | pv_impulse.h | pv_lanes*.[ch] | pv_movers.c | pv_pack.c | pv_watch.c | pv_enlarge.c | pv_pace.c | \
      pv_matter.[ch] | pv_grip.[ch] | pv_direct*.[ch] | pv_particle.c | pv_drift.c | pv_constraint.c | pv_stick*.[ch] | pv_joint.c | pv_near.c | pv_strike.c | pv_relax.c | pv_hash.c | pv_wide.h | pv_lap.c | pv_filter.c | pv_busy.c | pv_events.c | pv_judge.c | pv_snapshot.c | pv_tape*.[ch] | pv_sensor.c | pv_polygon*.[ch] | pv_touch.[ch] | pv_skin.[ch] | pv_graze.c | pv_liquid.c | pv_force.c | pv_silhouette.c | \
      pv_sleep.c | pv_step.c | pv_query.c | pv_seek.h | pv_index.c | pv_find.c | pv_cast.c | pv_walk.[ch] | pv_slope.c | pv_consent.c | pv_escape.c | pv_mover.c | pv_debug.c | pv_bitmap.c | pv_carve.c | pv_split.c | pv_fracture.c | pv_crack.c) echo 4 ;;
    pv_sdl.h) echo 5 ;; # for programs; nothing of the library may include it
    pv_*.[ch]) echo 3 ;;
  esac
}
for file in lib/*.[ch]; do
  own=$(floor "$file")
  [ -n "$own" ] || { echo "$file stands on no floor: give it one in tests/house.sh"; continue; }
  for header in $(sed -n 's/^ *# *include  *"\([^"]*\)".*/\1/p' "$file"); do
    [ "$header" = config.h ] && continue
    below=$(floor "$header")
    if [ -z "$below" ]; then echo "$file includes \"$header\", which is not the library's"
    elif [ "$below" -gt "$own" ]; then echo "$file includes \"$header\", which stands above it"; fi
  done
done >"$log"
rule 'lib/: files include only downward'

{
  grep -n 'include.*stb_image\.h' lib/*.[ch] | grep -v '^lib/pv_png\.c:'
  grep -n 'include.*cJSON\.h' lib/*.[ch] | grep -Ev '^lib/pv_(atlas|tiled)\.c:'
} >"$log"
rule 'lib/: only pv_png.c sees stb_image.h, only pv_atlas.c and pv_tiled.c cJSON.h'

grep -Hnw 'float' lib/*.[ch] | grep -Ev '^lib/pv_sdl\.h:|:[0-9]+: *(/?\*|//)|<float\.h>' >"$log"
rule 'lib/: no float, which some machines reckon with in double'

for dir in demo demo/game demo/scenes bench examples; do
  for file in "$dir"/*.[ch]; do
    [ -f "$file" ] && grep -Hn '^ *# *include.*[<"/]pv_[a-z_]*\.h' "$file" | grep -v '<pv_sdl\.h>'
  done
done >"$log"
rule 'demo/, bench/ and examples/ include no private header'

{
  grep -Hn '^ *# *include' lib/pv_sdl.h | grep -Ev '"pixverlet\.h"|<SDL\.h>'
  grep -n '^[a-z].*pv_sdl[a-z_]*(' lib/pv_sdl.h | grep -v '[0-9]:static inline '
} >"$log"
rule 'lib/pv_sdl.h knows pixverlet.h and SDL alone, and its functions are static inline'

for file in demo/game/*.[ch] demo/scenes/*.c demo/scene.h; do
  [ -f "$file" ] && grep -Hn '^ *# *include.*SDL' "$file"
done >"$log"
rule 'demo/game/ and demo/scenes/: no SDL'

for file in lib/*.[ch]; do
  opening=$(sed '\:\*/:q' "$file")
  case $opening in '/*'*) ;; *) echo "$file does not open with a comment" ;; esac
  case $opening in *'Invariant:'*) ;; *) echo "$file states no invariant" ;; esac
  case $opening in *'SPDX-License-Identifier: Zlib'*) ;; *) echo "$file names no licence" ;; esac
done >"$log"
rule 'lib/: every file opens with its invariant and licence'

if [ -n "$CTAGS" ] && $CTAGS --version 2>/dev/null | grep -q 'Universal Ctags'; then
  $CTAGS -x --_xformat='%{line} %{end} %{input} %{name}' --languages=C --langmap=C:.c.h --kinds-C=f --fields=+e lib/*.[ch] |
    awk '$2 - $1 + 1 > 80 { print $3 ":" $1 ": " $4 " has " $2 - $1 + 1 " lines" }' >"$log"
  rule 'lib/: no function over 80 lines'
else
  skip 'lib/: no function over 80 lines' 'no Universal Ctags (Debian package: universal-ctags)'
fi

# Names. The header, the list and the library say the same.
sed -n 's/^PV_API .*[ *]\(pv_[a-z0-9_]*\)(.*/\1/p' lib/pixverlet.h | LC_ALL=C sort >"$log.header"
diff "$log.header" tests/exports.txt >"$log"
rule 'tests/exports.txt lists the functions of pixverlet.h'
if [ -f "$so" ]; then
  $NM -D --defined-only "$so" | awk '{ print $NF }' | sed 's/@.*//' | grep -v '^_' | LC_ALL=C sort >"$log.so"
  diff tests/exports.txt "$log.so" >"$log"
  rule 'the shared library exports them and nothing else'
else
  skip 'the shared library exports them and nothing else' 'no shared library in this build'
fi
rm -f "$log".*

# Lists. What the tree holds is built and distributed; what is forgotten in Makefile.am is found here.
for file in lib/*.[ch] demo/*.[ch] demo/game/*.[ch] demo/scenes/*.[ch] examples/*.c bench/*.[ch] bench/*.py tests/test_*.c tests/*.sh tests/data/* tests/fuzz/*.[ch] tests/fuzz/*.dict tests/fuzz/corpus_* sprites/*.png sounds/*.wav tools/* docs/* cmake/*.in debian/* debian/source/*; do
  [ -f "$file" ] || continue
  case $file in
    examples/*.c | tests/test_*.c) word=${file%.c} ;;
    *) word=$file ;;
  esac
  grep -Eq "(^|[[:space:]])$word([[:space:]]|\$)" Makefile.am || echo "$file"
done >"$log"
rule 'Makefile.am knows every file'

# Words. The README shows the example as it is.
sed -n '/^```c$/,/^```$/p' README.md | sed '1d;$d' | diff examples/hello.c - >"$log"
rule 'README.md shows examples/hello.c'
grep -c '[^[:space:]]' examples/hello.c | awk '$1 > 25 { print $1 " lines" }' >"$log"
rule 'examples/hello.c has at most 25 lines'

echo "1..$n"
