#!/bin/sh
# house.sh - the rules of the code: layers, openings, lengths, exports, and lists that must agree.
# SPDX-License-Identifier: Zlib

: "${top_srcdir:=.}" "${NM:=nm}"
[ -z "$PV_SANITIZE" ] || { echo '1..0 # SKIP the same in a plain build'; exit 0; }
so=$PWD/.libs/libpixverlet.so
log=$PWD/house-test.$$
trap 'rm -f "$log" "$log".*' EXIT
cd "$top_srcdir" || exit 99
n=0

rule() { # rule DESCRIPTION: passes if $log is empty, else shows it
  n=$((n + 1))
  if [ -s "$log" ]; then
    echo "not ok $n - $1"
    sed 's/^/# /' "$log"
  else
    echo "ok $n - $1"
  fi
}
skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; }

# Floors, the lowest first. A file may include, and call, only what is in its own folder and in those before it.
floors='base pixel placed asset shape core collide solver paper joint matter polygon grains world query mover carve snapshot build tasks'
files=$(find lib -name '*.[ch]' ! -path 'lib/pixverlet*' | LC_ALL=C sort)
floor='function floor(path, part, n) { n = split(path, part, "/"); return n < 2 ? top : part[1] in at ? at[part[1]] : -1 }
  BEGIN { top = split(floors, name, " ") + 1; for (i in name) at[name[i]] = i + 0 }'
includes() { awk -F'"' '/^ *# *include +"/ { print FILENAME, $2 }' "$@"; } # includes FILE...: prints each file with what it includes, one pair a line
includes $files |
  awk -v floors="$floors" "$floor"'
    $2 == "config.h" || $2 ~ /^pixverlet/ { next }
    { own = floor(substr($1, 5)); below = floor($2) }
    own < 0 || below < 0 { print $1 " includes \"" $2 "\": no floor of tests/house.sh has both"; next }
    below > own { print $1 " includes \"" $2 "\", which stands above it" }' >"$log"
rule 'lib/: files include only downward'

{
  grep -n 'include.*stb_image\.h' $files | grep -v '^lib/pixel/png\.c:'
  grep -n 'include.*cJSON\.h' $files | grep -Ev '^lib/asset/(atlas|gdx|ldtk|map|objects|template|tiled|xml)\.c:'
} >"$log"
rule 'lib/: only pixel/png.c sees stb_image.h, only readers of asset/ cJSON.h'

grep -Hnw 'float' $files lib/pixverlet/*.h |
  grep -Ev ':[0-9]+: *(/?\*|//)|<float\.h>|/matter\.h:[0-9]+: +float (x, y|u, v);|: *static float single\(' |
  grep -Ev '/world\.h:[0-9]+:.*float \*xy|/query/poses\.c:.*(float \*xy|\(float\))' >"$log"
rule 'lib/: no float, which some machines reckon with in double, except in vertices that are given out'

grep -HnE "^ *# *include *[<\"](../|lib/)*($(echo "$floors" | tr ' ' '|'))/" demo/*/*.[ch] bench/*.[ch] examples/*.[ch] >"$log"
rule 'demo/, bench/ and examples/ include no private header'

for name in sdl sdl_game raylib; do
  header=adapters/pixverlet/$name.h
  grep -Hn '^ *# *include' "$header" | grep -Ev '"pixverlet\.h"|"pixverlet/sdl\.h"|<SDL\.h>|<raylib\.h>|<stdarg\.h>'
  grep -Hn '^[a-z].*pv_[a-z_]*(' "$header" | grep -Ev ':[0-9]+:static inline |:typedef '
  sed -n 's/^ *# *include "\([^"]*\)".*/\1/p' lib/pixverlet.h | grep -x "pixverlet/$name.h"
done >"$log"
rule 'adapters/: headers know pixverlet.h and theirs alone, and their functions are static inline'

# Floors of the demo, by the same rule.
demo_floors='platform stage draw game scenes viewer app'
includes demo/*/*.[ch] |
  awk -v floors="$demo_floors" "$floor"'
    $2 == "config.h" || $2 == "pixverlet.h" || $2 ~ /^pixverlet\// { next }
    floor($2) < 0 || floor($2) > floor(substr($1, 6)) { print $1 " includes \"" $2 "\", which stands above it" }' >"$log"
rule 'demo/: files include only downward'

grep -Hn '^ *# *include.*SDL' demo/game/*.[ch] demo/scenes/*.c demo/stage/scene.h >"$log"
rule 'demo/game/ and demo/scenes/: no SDL'

awk '
  function close_file() {
    if (file == "") return
    if (opening !~ /^\/\*/) print file " does not open with a comment"
    if (opening !~ /Invariant:/ && !(file ~ /h$/ && (substr(file, 1, length(file) - 1) "c") in all)) print file " states no invariant"
    if (opening !~ /SPDX-License-Identifier: Zlib/) print file " names no license"
  }
  BEGIN { for (i = 1; i < ARGC; i++) all[ARGV[i]] }
  FNR == 1 { close_file(); file = FILENAME; opening = ""; over = 0 }
  !over { opening = opening $0 "\n" }
  /\*\// { over = 1 }
  END { close_file() }' $files lib/pixverlet.h lib/pixverlet/*.h adapters/pixverlet/*.h >"$log"
rule 'lib/: every file opens with its invariant and license'

# Sentences. A comment begins with a verb or a noun, and has the field's terms: docs/GLOSSARY.md.
comments=$(find lib adapters demo bench tools tests examples -name '*.[ch]' | LC_ALL=C sort)
awk '
  { line = $0; sub(/^[ \t]*/, "", line); inside = line ~ /^\/\/\// }
  inside && !before && line ~ /^\/\/\/ (What|Whether|By|How|Where|Which|Who|Whom|Of|That|Those|Such|When|If) / {
    print FILENAME ":" FNR ": " line
  }
  { before = inside }
  FILENAME ~ /^(lib|adapters)\// && line ~ /^(\/\/\/|\* |\/\*)/ && tolower(line) ~ /(^|[^a-z_>.])(guise|stand-in|belt|crumb|verdict|dent|tape|graft|stale name|colour|centre|neighbour)s?([^a-z_]|$)/ {
    print FILENAME ":" FNR ": " line
  }' $comments >"$log"
rule 'comments begin with a verb or a noun, and in lib/ have no word of this project alone'

tags() { $CTAGS -x --_xformat="$1" --languages=C --langmap=C:.c.h --kinds-C="$2" --fields=+e $files; }
if [ -n "$CTAGS" ] && $CTAGS --version 2>/dev/null | grep -q 'Universal Ctags'; then
  tags '%{line} %{end} %{input} %{name}' f | awk '$2 - $1 + 1 > 80 { print $3 ":" $1 ": " $4 " has " $2 - $1 + 1 " lines" }' >"$log"
  rule 'lib/: no function over 80 lines'

  # calls FILE...: prints calls from another file than the function's: the calling file, the function's file, the function
  calls() {
    {
      $CTAGS -x --_xformat='defined %{input} %{name} %{file}' --languages=C --langmap=C:.c.h --kinds-C=f --fields=+f "$@" | grep ' -$'
      awk '
        { gsub(/\/\*[^*]*\*+([^\/*][^*]*\*+)*\//, ""); sub(/\/\/.*/, "") }
        { while (match($0, /[a-z_][a-z0-9_]+ *\(/)) { n = substr($0, RSTART, RLENGTH); gsub(/[ (]/, "", n); $0 = substr($0, RSTART + RLENGTH)
            if (!((FILENAME, n) in seen)) print "called", FILENAME, n; seen[FILENAME, n] } }' "$@"
    } | awk '$1 == "defined" { home[$3] = $2; next } $3 in home && home[$3] != $2 { print $2, home[$3], $3 }'
  }
  calls $files | grep ' pv_[^ ]*$' >"$log.calls" # other names are static, some of them by macros
  awk -v floors="$floors" "$floor"'
    floor(substr($2, 5)) > floor(substr($1, 5)) { print $1 " calls " $3 " of " $2 ", which stands above it" }' "$log.calls" >"$log"
  rule 'lib/: calls go only downward'

  {
    grep '\.c [^ ]*\.c ' "$log.calls" | cut -d ' ' -f 1,2 | tsort
    calls demo/*/*.c | cut -d ' ' -f 1,2 | tsort
    calls bindings/python/src/*.c | cut -d ' ' -f 1,2 | tsort
  } 2>&1 >/dev/null | sed 's/^tsort: //' >"$log"
  rule 'lib/, demo/, bindings/python/: no files call each other in a circle'

  # Kernels are one source compiled for several instruction sets, so their headers may define a name once in each.
  tags '%{name} %{input} %{kind}' fstev | grep -Ev '^(pv_|PV_|__anon)|_kernel[a-z_]*\.[ch]|kernel_rows\.h|kernel_avx' |
    awk '{ if ($1 in home && home[$1] != $2 && ($1 ~ /^pv__/ || home[$1] $2 ~ /\.h/)) print $1 " is in " home[$1] " and in " $2; home[$1] = $2 }' >"$log"
  rule 'lib/: no shared name stands twice'
else
  skip 'lib/: no function over 80 lines' 'no Universal Ctags (Debian package: universal-ctags)'
  skip 'lib/: calls go only downward' 'no Universal Ctags'
  skip 'lib/, demo/, bindings/python/: no files call each other in a circle' 'no Universal Ctags'
  skip 'lib/: no shared name stands twice' 'no Universal Ctags'
fi

# Terms: one row each, in order, and each names an existing file or folder.
awk -F' *\\| *' 'NF == 5 && $2 != "Term" && $2 !~ /^-/ {
  if (tolower($2) <= last) print FILENAME ":" FNR ": " $2 " is out of order"
  last = tolower($2)
  n = split($4, place, ", ")
  for (i = 1; i <= n; i++) print place[i] >"'"$log"'.places" }' docs/GLOSSARY.md >"$log"
LC_ALL=C sort -u "$log.places" | while read -r place; do
  set -- lib/$place*
  [ -e "$1" ] || echo "docs/GLOSSARY.md: there is no lib/$place"
done >>"$log"
rule 'docs/GLOSSARY.md is in order, and names files that are there'

# Names: the headers, the list and the library agree.
sed -n 's/^PV_API .*[ *]\(pv_[a-z0-9_]*\)(.*/\1/p' lib/pixverlet/*.h | LC_ALL=C sort >"$log.header"
diff "$log.header" tests/exports.txt >"$log"
rule 'tests/exports.txt lists the functions of lib/pixverlet/'

headers=
for name in base image mask placed sheet world body carve grains mover joint matter build tasks; do headers="$headers lib/pixverlet/$name.h"; done
headers="$headers adapters/pixverlet/sdl.h adapters/pixverlet/sdl_game.h"
LC_ALL=C ${AWK:-awk} -f docs/cheatsheet.awk $headers | diff - docs/CHEATSHEET.md >"$log"
rule 'docs/CHEATSHEET.md is what the headers say: make cheatsheet'

# Names of 0.1 that docs/rename-0.2.sed replaces: none is left, and each new one exists.
sed -n 's|^s/\\b\(.*\)\\b/.*/g$|\1|p' docs/rename-0.2.sed | grep -vx pv_body_apply_impulse >"$log.old"
sed -n 's|^s/.*\b/\(.*\)/g$|\1|p' docs/rename-0.2.sed >"$log.new"
{
  grep -rnwF -f "$log.old" lib adapters demo bench examples tools tests docs README.md CONTRIBUTING.md --include='*.[ch]' --include='*.md' \
    --include='*.sh' --include='*.awk' --include='*.cpp' | grep -v '^docs/VERSIONS\.md:' | head -n 20
  grep -rhowF -f "$log.new" lib/pixverlet adapters | sort -u >"$log.there"
  grep -vxF -f "$log.there" "$log.new" | sed 's/$/ of docs\/rename-0.2.sed is not in the headers/'
} >"$log"
rule 'names of 0.1 are gone, and docs/rename-0.2.sed has the new ones'
if [ -f "$so" ]; then
  $NM -D --defined-only "$so" | awk '{ print $NF }' | sed 's/@.*//' | grep -v '^_' | LC_ALL=C sort >"$log.so"
  diff tests/exports.txt "$log.so" >"$log"
  rule 'the shared library exports them and nothing else'
else
  skip 'the shared library exports them and nothing else' 'no shared library in this build'
fi
rm -f "$log".*

# Lists: all files of the tree are distributed. This finds what Makefile.am forgets.
for file in $files lib/*.h demo/*/*.[ch] examples/*.c bench/*.[ch] bench/*.py tests/test_*.c tests/*.sh tests/data/* tests/fuzz/*.[ch] tests/fuzz/*.dict tests/fuzz/corpus_* sprites/*.png sounds/*.wav tools/* docs/* CMakeLists.txt cmake/*.in debian/* debian/source/*; do
  [ -f "$file" ] || continue
  case $file in
    examples/*.c | tests/test_*.c) echo "${file%.c}" ;;
    *) echo "$file" ;;
  esac
done | awk 'FILENAME != "-" { for (i = 1; i <= NF; i++) known[$i]; next } !($1 in known)' Makefile.am lib/files.mk lib/*/files.mk demo/*/files.mk - >"$log"
rule 'Makefile.am knows every file'

# The version: configure.ac has it, and all places where people write it agree.
version=$(sed -n 's/^AC_INIT(\[libpixverlet\], \[\(.*\)\])$/\1/p' configure.ac)
{
  [ -n "$version" ] || echo 'configure.ac names no version'
  sed -n '3p' NEWS | grep -q "^$version " || echo "NEWS does not begin with $version"
  sed -n '1p' debian/changelog | grep -qF "($version)" || echo "debian/changelog does not begin with $version"
} >"$log"
rule 'NEWS and debian/changelog begin with the version of configure.ac'

# Words: the README shows the example as it is.
awk '/^```$/ && shown { exit } shown; /^```c$/ { shown = 1 }' README.md | diff examples/hello.c - >"$log"
rule 'README.md shows examples/hello.c'
grep -c '[^[:space:]]' examples/hello.c | awk '$1 > 35 { print $1 " lines" }' >"$log"
rule 'examples/hello.c has at most 35 lines'

echo "1..$n"
