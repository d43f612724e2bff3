#!/bin/sh
# flags.sh - configure and base/math.h refuse the flags that change floating-point results, and no others.
# SPDX-License-Identifier: Zlib

. "${top_srcdir:=.}/tests/tap.sh"
: "${CC:=cc}"
[ -x "$top/configure" ] || leave_out 'no configure'
[ -z "$PV_SANITIZE" ] || leave_out 'the same in a plain build'
make_work
unset CPPFLAGS CFLAGS LDFLAGS

configured() { (cd "$work" && "$top/configure" -q --disable-demo --without-cjson "$@") >"$log" 2>&1; }

# ---- By name, before anything is compiled; so a compiler that does nothing will do

refused='-ffast-math -Ofast -funsafe-math-optimizations -fassociative-math -freciprocal-math -ffinite-math-only -fno-signed-zeros
  -fapprox-func -fsingle-precision-constant -fdenormal-fp-math=preserve-sign -mdaz-ftz -mfpmath=387 -mfpmath=sse,387
  -mfpmath=387+sse -mfpmath=both -mno-sse -mno-sse2 -ffp-contract=fast -ffp-contract=on -ffp-contract=fast-honor-pragmas
  -ffp-model=fast -ffp-model=precise -ffp-eval-method=extended'
says_refused() { # says_refused FLAG...: configure refused exactly these
  grep -q "^configure: error: with $(echo "$*" | sed 's/[+]/[+]/g') floating-point results change" "$log"
}

configured CC=false CFLAGS="-g $(echo $refused) -O2"
[ $? -ne 0 ] && says_refused $refused
report $? "configure refuses and names $(echo $refused)"
configured CC='false -Ofast' CPPFLAGS='-DA -mdaz-ftz' LDFLAGS=-ffast-math
[ $? -ne 0 ] && says_refused -Ofast -mdaz-ftz -ffast-math
report $? 'configure refuses them in CC, CPPFLAGS and LDFLAGS'

# These get as far as the compiler.
harmless='-O3 -Os -march=native -mfma -ffp-contract=off -ffp-model=strict -mfpmath=sse -mno-sse3 -flto -fno-fast-math'
configured CC=false CFLAGS="$harmless"
[ $? -ne 0 ] && ! grep -q 'floating-point results' "$log" && grep -q 'compiler' "$log"
report $? "configure does not refuse $harmless"

# ---- By what is compiled: a compiler that has such a mode built in

wrapped() { # wrapped FLAG...: makes a wrapper of the compiler that appends these flags
  printf '#!/bin/sh\nexec %s "$@" %s\n' "$CC" "$*" >"$work/cc"
  chmod +x "$work/cc"
}
says() { # says PATTERN DESCRIPTION: configure fails with this error
  configured CC="$work/cc" CFLAGS=-O2
  [ $? -ne 0 ] && grep -q "^configure: error: .*$1" "$log"
  report $? "$2"
}
compiles() { echo 'int x;' | $CC -Werror "$@" -x c -c -o "$work/x.o" - >"$log" 2>&1; }

wrapped -ffast-math
says 'changes floating-point results' 'configure sees fast math that no flag tells of'
fused=
if compiles -mfma; then fused=-mfma; fi
# gnu11: there gcc gives no warning, so only the instructions show it
wrapped -std=gnu11 -ffp-contract=fast $fused
if echo 'double f(double a, double b, double c) { return a * b + c; }' | "$work/cc" -O2 -x c -S -o - - 2>"$log" | grep -Eiq 'fn?m(a|l)|m[as]db'; then
  says 'joins products and sums' 'configure sees products and sums joined'
else
  skip 'configure sees products and sums joined' 'nothing can join them here'
fi

# ---- base/math.h, for those who build without configure

header() { # header STATUS DESCRIPTION FLAG...: STATUS 0 if it must compile, 1 if it must be refused
  wanted=$1 description=$2
  shift 2
  echo '#include "base/math.h"' | $CC -std=c11 -I"$top/lib" "$@" -x c -fsyntax-only - >"$log" 2>&1
  if [ $? -eq 0 ]; then found=0; else found=1; fi
  [ $wanted -eq $found ] && { [ $wanted -eq 0 ] || grep -q 'error.*libpixverlet' "$log"; }
  report $? "$description"
}
header 0 'base/math.h is compiled' -ffp-contract=off -O2
header 1 'base/math.h refuses -ffast-math' -ffast-math
header 1 'base/math.h refuses -ffinite-math-only' -ffinite-math-only
if echo '__GCC_IEC_559' | $CC -std=c11 -E -P - 2>/dev/null | grep -q '^[1-9]'; then
  for flag in -ffp-contract=fast -fno-signed-zeros -freciprocal-math; do
    header 1 "base/math.h refuses $flag" $flag
  done
fi
if compiles -mfpmath=387; then
  header 1 'base/math.h refuses x87' -mfpmath=387
fi
echo "1..$n"
