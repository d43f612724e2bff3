#!/bin/sh
# features.sh - every test that docs/PROMISES.md names exists, and every function of it and of docs/ADOPT.md.
# SPDX-License-Identifier: Zlib

: "${top_srcdir:=.}"
cd "$top_srcdir" || exit 99
table=docs/PROMISES.md
n=0

say() { # say DESCRIPTION MISSING
  n=$((n + 1))
  if [ -z "$2" ]; then
    echo "ok $n - $1"
  else
    echo "not ok $n - $1"
    printf '%s\n' "$2" | sed 's/^/# /'
  fi
}

quoted=$(grep '^|' "$table" | tr '|' '\n' | grep -o '`[^`]*`' | tr -d '`' | LC_ALL=C sort -u)

say 'the tests are there' "$(printf '%s\n' "$quoted" | grep ': ' | while IFS=' ' read -r suite name; do
  suite=${suite%:}
  if [ "$suite" = accuracy ]; then
    grep -q "\`$name\`" docs/ACCURACY.md && grep -rq "${name%%_*}" bench/accuracy*.c || echo "$suite: $name"
  else
    grep -q "START_\(THREADED_\)*TEST\(_FOR\)*($name[,)]" "tests/test_$suite.c" 2>/dev/null || echo "$suite: $name"
  fi
done)"

say 'the suites are there' "$(printf '%s\n' "$quoted" | grep -x 'test_[a-z_]*' | while read -r name; do
  [ -f "tests/$name.c" ] || echo "$name"
done)"

say 'the scripts are there' "$(printf '%s\n' "$quoted" | grep '\.sh$' | while read -r name; do
  [ -f "tests/$name" ] || echo "$name"
done)"

say 'the tests of bindings are there' "$(printf '%s\n' "$quoted" | grep '\.test\.mjs$' | while read -r name; do
  [ -f "bindings/web/tests/$name" ] || echo "$name"
done; printf '%s\n' "$quoted" | grep '^test_.*\.lua$' | while read -r name; do
  [ -f "bindings/lua/tests/$name" ] || echo "$name"
done; printf '%s\n' "$quoted" | grep '^test_.*\.py$' | while read -r name; do
  [ -f "bindings/python/tests/$name" ] || echo "$name"
done)"

say 'the functions are there' "$(printf '%s\n' "$quoted" | grep '^pv_' | while read -r name; do
  grep -q "\b${name%%.*}\b" lib/pixverlet/*.h adapters/pixverlet/*.h || [ -f "lib/$name" ] || echo "$name"
done)"

say 'rows of docs/RECIPES.md and tests are the same' "$({
  sed -n 's/^|.*| `\([a-z_]*\)` |$/\1/p' docs/RECIPES.md
  sed -n 's/^START_TEST(\([a-z_]*\)) {$/\1/p' tests/test_recipes.c
} | LC_ALL=C sort | uniq -c | awk '$1 != 2 { print $2 }')"

say 'every row has a test' "$(sed '/^## The time of a step/q' "$table" | grep '^|' | grep -v -e '^| ---' -e '^| | shown by |' | while IFS= read -r row; do
  last=${row%|}
  last=${last##*|}
  case $last in *'`'*) ;; *) echo "$row" ;; esac
done)"
say 'the names in docs/ADOPT.md are there' "$(grep -ow 'pv_[a-z0-9_]*' docs/ADOPT.md | LC_ALL=C sort -u | while read -r name; do
  grep -qrw "$name" lib/pixverlet adapters || echo "$name"
done)"

echo "1..$n"
