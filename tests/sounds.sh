#!/bin/sh
# sounds.sh - the sounds are what their script makes, byte for byte. SPDX-License-Identifier: Zlib

: "${top_srcdir:=.}"
if ! command -v python3 >/dev/null 2>&1; then
  echo '1..0 # SKIP no Python (Debian package: python3)'
  exit 0
fi
work=$PWD/sounds-test.$$
mkdir "$work" || exit 99
trap 'rm -rf "$work"' EXIT
n=0

report() { # report STATUS DESCRIPTION: one TAP line
  n=$((n + 1))
  if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else
    echo "not ok $n - $2"
    sed 's/^/# /' "$work/log"
  fi
}

mkdir "$work/made"
python3 "$top_srcdir/sounds/make_sounds.py" "$work/made" >"$work/log" 2>&1
report $? 'sounds/make_sounds.py finds nothing wrong with what it makes'

for file in "$top_srcdir"/sounds/*.wav; do basename "$file"; done >"$work/there"
(cd "$work/made" && for file in *; do echo "$file"; done) | diff "$work/there" - >"$work/log"
report $? 'it makes all files that are there, and no others'

while read -r name; do
  cmp "$top_srcdir/sounds/$name" "$work/made/$name" >"$work/log" 2>&1
  report $? "$name is made again byte for byte"
done <"$work/there"
echo "1..$n"
