#!/bin/sh
# coverage.sh - runs the suites and tells which lines and branches of lib/ they went through; `make check-code-coverage`.
# SPDX-License-Identifier: Zlib

: "${top_srcdir:=.}" "${MAKE:=make}" "${GCOVR:=gcovr}" "${suites:?make check-code-coverage names them}"
lines=95 branches=85 # per cent; less is a failure
report=coverage/index.html

# Of the tests that are scripts these two play the library itself; the others look at packages, flags and the tree.
find . -name '*.gcda' -exec rm -f {} +
$MAKE check TESTS="$suites tests/fuzz_replay.sh tests/golden.sh" || exit

# Only one kernel is chosen in a run: the pixel half by each that this CPU has.
for kernel in generic avx2 avx512; do
  if PIXVERLET_KERNEL=$kernel CK_RUN_CASE=a_kernel_is_forced_by_name tests/test_kernels >/dev/null 2>&1; then
    PIXVERLET_KERNEL=$kernel $MAKE check-pixels || exit
  else
    echo "coverage.sh: $kernel: not on this CPU; its lines will be missed"
  fi
done

# C throws nothing, and branches that the compiler added belong to no source: neither kind is counted, all else is.
mkdir -p coverage || exit
$GCOVR --root "$top_srcdir" --object-directory . --filter "$top_srcdir/lib/" --exclude-unreachable-branches \
  --exclude-throw-branches --print-summary --txt coverage/lines.txt --html-details "$report" \
  --fail-under-line $lines --fail-under-branch $branches . >coverage/summary.txt
status=$?
cat coverage/summary.txt
echo "all files: $PWD/$report"
[ $status -eq 0 ] || echo "coverage.sh: lines of lib/ shall be $lines %, branches $branches %" >&2
exit $status
