/* pv_lanes_generic.c - contacts four wide by whatever vectors the compiler has for every CPU of the kind.
 *
 * Invariant: bit for bit the results of pv_lanes_avx2.c.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_lanes.h"

#define LANES

static inline pv__four pick(pv__which w, pv__four yes, pv__four no) {
    return (pv__four)(((pv__which)yes & w) | ((pv__which)no & ~w));
}
static inline pv__four larger(pv__four x, pv__four y) { return pick(x > y, x, y); }
static inline pv__four smaller(pv__four x, pv__four y) { return pick(x < y, x, y); }
static inline pv__four root(pv__four x) { return (pv__four){sqrt(x[0]), sqrt(x[1]), sqrt(x[2]), sqrt(x[3])}; }

#include "pv_lanes_code.h"

const pv__lane_kernel pv__lanes_generic = {measure, hit, warm, solve, move};
