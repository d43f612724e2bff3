#!/bin/sh
# sounds.sh - the sound files are what their script makes, byte for byte. SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"
command -v python3 >/dev/null 2>&1 || leave_out 'no Python (Debian package: python3)'
make_work

mkdir "$work/made"
python3 "$top_srcdir/sounds/make_sounds.py" "$work/made" >"$log" 2>&1
report $? 'sounds/make_sounds.py finds nothing wrong with what it makes'

for file in "$top_srcdir"/sounds/*.wav; do basename "$file"; done >"$work/there"
(cd "$work/made" && for file in *; do echo "$file"; done) | diff "$work/there" - >"$log"
report $? 'it makes all files that are there, and no others'

while read -r name; do
  cmp "$top_srcdir/sounds/$name" "$work/made/$name" >"$log" 2>&1
  report $? "$name is made again byte for byte"
done <"$work/there"
echo "1..$n"
