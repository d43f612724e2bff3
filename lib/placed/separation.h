/* separation.h - the interface of separation.c: how far apart two placed sprites are, and by which
 * way they come apart.
 *
 * Invariant: as in separation.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PLACED_SEPARATION_H
#define PV_PLACED_SEPARATION_H

#include "pixel/bits.h"
#include "placed/placed.h"

/// The shortest way of b by which the two share no pixel; found: whether there is one of at most
/// limit.
pv_status pv__separation_of_sprites(const pv__sprite *a, const pv__sprite *b, int limit,
                                    const pv_allocator *from, int way[2], bool *found);

#endif
