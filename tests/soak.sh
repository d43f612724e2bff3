#!/bin/bash
# soak.sh - every scene for two minutes of its time: nothing leaves the finite numbers and no sanitizer speaks. `make soak`
# SPDX-License-Identifier: Zlib

demo=demo/pixverlet-demo
failed=0
for scene in $($demo --list | cut -f1); do
  if said=$($demo --headless --scene "$scene" --frames "${FRAMES:-7200}" --seed 1 2>&1 </dev/null); then
    echo "ok - ${said##*$'\n'}"
  else
    echo "not ok - $scene: $said"
    failed=1
  fi
done
exit $failed
