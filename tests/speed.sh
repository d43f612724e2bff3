#!/bin/bash
# speed.sh - bench/speed: it checks options before it measures anything, and prints one JSON object per row.
# SPDX-License-Identifier: Zlib

n=0
work=speed-test.$$
mkdir $work || exit 99
trap 'rm -rf $work' EXIT

report() { # report STATUS DESCRIPTION: prints a TAP line, and on failure the program's output
  n=$((n + 1))
  if [ "$1" -eq 0 ]; then echo "ok $n - $2"; else
    echo "not ok $n - $2"
    sed 's/^/# out: /' $work/out
    sed 's/^/# err: /' $work/err
  fi
}
run() { bench/speed "$@" >$work/out 2>$work/err </dev/null; }
refused() { # refused ARGUMENT...: exit 2 with the usage, nothing measured
  run "$@"
  [ $? -eq 2 ] && grep -q '^usage: speed \[--json\] \[--only NAME\] .*\[--moving\]' $work/err && [ ! -s $work/out ]
  report $? "refused with the usage: $*"
}

refused --no-such-section
refused --moving --no-such-section
refused --only

run --json --moving --only bytes_
[ $? -eq 0 ] && [ "$(grep -c '' $work/out)" -eq 2 ] &&
  [ "$(grep -Ec '^\{"name": "bytes_(block|body)", "value": [1-9][0-9.]*, "unit": "bytes", "goal": (1280|640)\}$' $work/out)" -eq 2 ]
report $? '--json: an object to a line, of the rows that --only names'

run --moving --only bytes_body
[ $? -eq 0 ] && [ "$(grep -c '' $work/out)" -eq 1 ] && grep -Eq '^bytes_body +[1-9][0-9.]* bytes  goal +640 (met|missed)' $work/out
report $? 'a line of text to a row, with its goal'

run --json --moving --only no_such_row
[ $? -eq 0 ] && [ ! -s $work/out ]
report $? 'no row of a name that none has'

echo "1..$n"
