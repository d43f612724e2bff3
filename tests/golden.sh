#!/bin/bash
# golden.sh - every scene reaches exactly the state that tests/golden.txt has for it, bit for bit.
# With --write the list is made anew (`make golden`), to be reviewed and committed.
# SPDX-License-Identifier: Zlib

: "${top_srcdir:=.}"
demo=demo/pixverlet-demo
golden=$top_srcdir/tests/golden.txt
[ -e $demo ] || { echo '1..0 # SKIP built without the demo'; exit 0; }
unset DISPLAY WAYLAND_DISPLAY PIXVERLET_SPRITES

scenes=$($demo --list | cut -f1) || exit 99
entry() { # entry SCENE: sets frames and wanted from the list
  frames=$(sed -n "s/^$1 \([0-9][0-9]*\).*/\1/p" "$golden")
  wanted=$(sed -n "s/^$1 [0-9]* \([0-9a-f]*\)\$/\1/p" "$golden")
}
hash_of() { # hash_of SCENE FRAMES
  $demo --headless --scene "$1" --frames "$2" --seed 1 </dev/null | sed -n 's/.* hash=\([0-9a-f]*\) .*/\1/p'
}

if [ "$1" = --write ]; then
  {
    grep '^#' "$golden"
    for scene in $scenes; do
      entry "$scene"
      echo "$scene ${frames:-300} $(hash_of "$scene" "${frames:-300}")"
    done
  } >golden.$$ && cp golden.$$ "$golden"
  status=$?
  rm -f golden.$$
  exit $status
fi

n=0
for scene in $scenes; do
  n=$((n + 1))
  if [ "$scene" = tilemap ] && ! grep -q '^#define HAVE_CJSON 1' config.h; then
    echo "ok $n - $scene # SKIP built without libcjson"
    continue
  fi
  entry "$scene"
  found=
  [ -z "$frames" ] || found=$(hash_of "$scene" "$frames")
  if [ -n "$found" ] && [ "$found" = "$wanted" ]; then
    echo "ok $n - $scene: frame $frames is as it was"
  else
    echo "not ok $n - $scene: frame ${frames:-?} is as it was"
    echo "# wanted ${wanted:-an entry in tests/golden.txt}, found ${found:-nothing}"
    echo "# If that is meant: make golden"
  fi
done
echo "1..$n"
