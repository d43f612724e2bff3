#!/bin/sh
# coverage.sh - runs the suites and reports the covered lines and branches of lib/; `make check-code-coverage`.
# SPDX-License-Identifier: Zlib

: "${top_srcdir:=.}" "${MAKE:=make}" "${GCOVR:=gcovr}" "${suites:?make check-code-coverage names them}"
lines=95 branches=85 # percent; less is a failure
report=coverage/index.html

# Of the tests that are scripts, only these two run the library itself. The others check packages, flags and the tree.
find . -name '*.gcda' -exec rm -f {} +
$MAKE check TESTS="$suites tests/fuzz_replay.sh tests/golden.sh" || exit

# One run uses a single kernel, so the pixel tests run once with each kernel that this CPU has.
for kernel in generic avx2 avx512; do
  if PIXVERLET_KERNEL=$kernel CK_RUN_CASE=a_kernel_is_forced_by_name tests/test_kernels >/dev/null 2>&1; then
    PIXVERLET_KERNEL=$kernel $MAKE check-pixels || exit
  else
    echo "coverage.sh: $kernel: not on this CPU; its lines will be missed"
  fi
done

# C throws no exceptions, and branches that the compiler adds belong to no source. Neither kind is counted.
mkdir -p coverage || exit
$GCOVR --root "$top_srcdir" --object-directory . --filter "$top_srcdir/lib/" --exclude-unreachable-branches \
  --exclude-throw-branches --print-summary --txt coverage/lines.txt --html-details "$report" \
  --fail-under-line $lines --fail-under-branch $branches . >coverage/summary.txt
status=$?
cat coverage/summary.txt
echo "all files: $PWD/$report"
[ $status -eq 0 ] || echo "coverage.sh: lines of lib/ shall be $lines %, branches $branches %" >&2
exit $status
