/* query_index.h - the interface of query_index.c: the bodies around a place or a way: hashed grids
 * with cells of several sizes (Ericson 2005, section 7.2).
 *
 * Invariant: as in query_index.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_QUERY_INDEX_H
#define PV_COLLIDE_QUERY_INDEX_H

#include "core/world.h"

/// Makes room for so many more bodies, so that nothing takes memory later; false without memory.
bool pv__index_reserve(pv_world *world, int more);
void pv__index_free(pv_world *world);
/// Says that a body came, went or lies elsewhere than it did.
void pv__index_update(pv_world *world, int index);
/// Says that all that is awake may do so.
void pv__index_follow(pv_world *world);
/// Says it of every body that lies elsewhere than in the world of which the index was.
void pv__index_fill(pv_world *world, const pv_world *from);

/// A straight way of what is around a point.
typedef struct pv__swath {
    pv_vec2 from, to;
    /// From the point [px]
    pv_box reach;
} pv__swath;

/// Takes a body whose box a swath meets, and says beyond which fraction of the way no more are
/// wanted.
typedef double (*pv__visit)(void *user_data, int index);
/// Shows all bodies whose boxes a swath meets and that are wanted. They come in no order, maybe
/// more than once, but those at the beginning of a long way before the others.
void pv__index_search(const pv_world *world, const pv__swath *swath, pv__visit visit,
                      void *user_data);
/// The box of a body that is present, as pv__pose_box() has it.
pv_box pv__index_current_box(const pv_world *world, int index);

/// Slots that are looked for at once.
#define PV__WINDOW (1 << 15)

/// Bodies whose boxes a swath meets, in order of slots, each once.
typedef struct pv__candidates {
    const pv_world *world;
    pv__swath swath;
    /// Slot of the first bit, and which word comes next
    int first, words, word;
    uint64_t bits[PV__WINDOW / 64];
} pv__candidates;
/// Begins at a slot.
void pv__index_candidates_begin(pv__candidates *candidates, const pv_world *world,
                                const pv__swath *swath, int first);
/// The next slot, or -1.
int pv__index_candidates_next(pv__candidates *candidates);

#endif
