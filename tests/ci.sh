#!/bin/bash
# ci.sh - .ci/run and limit.sh end what hangs or is slow, name it, show its last output, and leave nothing running.
# SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"
[ -x "$top/.ci/run" ] || leave_out 'not a checkout'
command -v setsid >/dev/null && [ -r /proc/self/stat ] || leave_out 'limit.sh ends nothing here: no setsid or no /proc'
make_work
unset SUITE_TIMES
mark=86$$ # seconds that nothing else sleeps, to find the processes by
asleep() { grep -qsz "^$mark" /proc/[0-9]*/cmdline; }

# ---- limit.sh

cat >"$work/hanging.sh" <<END
echo 'ok 1 - begun'
sleep $mark &
(trap '' TERM; sleep $mark; sleep $mark) &
sleep $mark
END
SUITE_TIMES=$work/times "$TEST_SHELL" "$top/tests/limit.sh" 1 "$TEST_SHELL" "$work/hanging.sh" >"$log" 2>&1
[ $? -eq 124 ] && [ "$(head -n 1 "$log")" = 'ok 1 - begun' ] && grep -q '^Bail out! hanging ended after [1-9] s; its limit is 1 s$' "$log"
report $? 'a suite that hangs is ended, named, and keeps what it said'
! asleep
report $? 'nothing of it goes on'
grep -Eqx 'hanging [1-9] [0-9.]+ 124' "$work/times"
report $? 'its seconds are noted'

(cd "$work" && AM_TAP_AWK=${AWK:-awk} "$TEST_SHELL" "$top/build-aux/tap-driver.sh" --test-name hanging --log-file hanging.log --trs-file hanging.trs -- \
  "$TEST_SHELL" "$top/tests/limit.sh" 1 "$TEST_SHELL" hanging.sh) >"$log" 2>&1
grep -q '^ERROR: hanging - Bail out! hanging ended after' "$log"
report $? 'make check calls it an error, by name'

"$TEST_SHELL" "$top/tests/limit.sh" 60 "$TEST_SHELL" -c "sleep $mark & exit 7" >"$log" 2>&1
[ $? -eq 7 ] && [ ! -s "$log" ] && ! asleep
report $? 'a suite that ends keeps its status, and leaves nothing running'

# ---- .ci/run, with stages of the test's own

tree=$work/tree
mkdir -p "$tree/.ci" "$tree/tests" && cp "$top/.ci/run" "$tree/.ci" && cp "$top/tests/limit.sh" "$tree/tests" && chmod +x "$tree/tests/limit.sh" || exit 99
cat >"$tree/.ci/stages.sh" <<END
tier quick
tier slow
tier broken
part left left
part right right
prepare() { :; }
stage quick 60 'ends by itself'
stage_quick() { echo '# PASS: 3'; echo 'suite_of_quick 2 1.5 0' >>"\$SUITE_TIMES"; }
stage slow 1 'takes longer than it may'
stage_slow() { echo 'said by slow'; [ "\$PIXVERLET_TESTS" = hurry ] || sleep $mark; }
stage broken 60 'has failed tests'
stage_broken() { echo '# PASS: 1'; echo '# FAIL: 2'; echo 'said by broken'; return 1; }
stage left 60 'a part'
stage_left() { echo '# PASS: 10'; }
stage right 60 'the other part'
stage_right() { sleep 3; echo '# PASS: 20'; }
END
ci() { (cd "$tree" && .ci/run "$@") >"$log" 2>&1; }

ci --part left
[ $? -eq 1 ] && [ "$(tail -n 1 "$log")" = '14 passed, 3 failed' ]
report $? 'failed tests and slow stages are counted, and the run goes on'
grep -q '^Bail out! slow ended after [1-9] s; its limit is 1 s$' "$log" && grep -q '^said by slow$' "$log" && ! asleep
report $? 'a slow stage is ended by name, with its last output'
grep -q '^said by broken$' "$log"
report $? 'the last lines of a failed stage are shown'
grep -Eq '^ +[0-9]+ s +[0-9.]+ s of CPU +stage slow$' "$log" && grep -Eq '^ +2 s +1\.5 s of CPU +quick/suite_of_quick$' "$log"
report $? 'the slowest suites and stages are listed'
grep -qx 'part of this run: left' "$log" && grep -qx 'left out: right' "$log"
report $? 'the part is told, and what is left out'

ci --all
[ "$(tail -n 1 "$log")" = '34 passed, 3 failed' ] && ! grep -q 'left out' "$log"
report $? '--all leaves nothing out'

sed -i 's/sleep 86.*; }/:; }/; s/return 1/:/; s/# FAIL: 2/none/' "$tree/.ci/stages.sh"
if command -v git >/dev/null; then
  (cd "$tree" && git init -q . && git config user.name t && git config user.email t@example.com) >"$log" 2>&1
  for wanted in right left right; do
    (cd "$tree" && git commit -q --allow-empty -m "$wanted") >"$log" 2>&1
    ci
    [ $? -eq 0 ] && grep -qx "part of this run: $wanted" "$log"
    report $? "with each commit another part: $wanted"
  done
fi

echo 'latest=0' >>"$tree/.ci/stages.sh"
ci --part left
[ $? -eq 0 ] && grep -qx 'left out: left/left: no time was left' "$log" && [ "$(tail -n 1 "$log")" = '4 passed, 0 failed' ]
report $? 'when the time is over the part is left out and told, and the first tier is not'
echo 'latest=60 end=2' >>"$tree/.ci/stages.sh"
ci --part right
[ $? -eq 0 ] && grep -qx 'left out: right/right: it began late and was ended by the clock' "$log" && [ "$(tail -n 1 "$log")" = '4 passed, 0 failed' ]
report $? 'a part that the clock ends is told, and fails nothing'
echo "1..$n"
