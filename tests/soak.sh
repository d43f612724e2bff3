#!/bin/bash
# soak.sh - runs every scene for two minutes of its time: all numbers stay finite, and sanitizers stay silent. The game for an
# hour of its time takes no more memory than in ten minutes. Then every scene runs two minutes with steps of 1/30 s and three
# times the gravity. `make soak`
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

SOAK_STEPS=3600 CK_TIMEOUT_MULTIPLIER=10 CK_RUN_CASE=nothing_comes_apart_under_strain tests/test_scenes || failed=1

peak() { # peak FRAMES: prints the most memory that the game used in so many frames [KiB]
  python3 - $demo --headless --scene game --frames "$1" --seed 1 <<'PYTHON'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PYTHON
}
short=$(peak 36000) && long=$(peak 216000) || failed=1
if [ "$((long - short))" -le 512 ]; then
  echo "ok - the game for an hour: $long KiB at most, $short in ten minutes"
else
  echo "not ok - the game takes $long KiB in an hour, $short in ten minutes"
  failed=1
fi
exit $failed
