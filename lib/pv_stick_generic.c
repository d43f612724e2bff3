/* pv_stick_generic.c - sticks and particles by whatever vectors the compiler has for this machine.
 *
 * Invariant: the bits of every other kernel are these.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_stick.h"

#define LANES

static inline pv__four pick(pv__which w, pv__four yes, pv__four no) {
    return (pv__four)(((pv__which)yes & w) | ((pv__which)no & ~w));
}
static inline pv__four larger(pv__four x, pv__four y) { return pick(x > y, x, y); }
static inline pv__four smaller(pv__four x, pv__four y) { return pick(x < y, x, y); }
static inline pv__four root(pv__four x) { return (pv__four){sqrt(x[0]), sqrt(x[1]), sqrt(x[2]), sqrt(x[3])}; }
static inline bool any(pv__which w) { return (w[0] | w[1] | w[2] | w[3]) != 0; }

#include "pv_stick_code.h"

const pv__stick_kernel pv__stick_generic = {start, relax, drift};
