/* detach.h - the interface of detach.c: what falls off a mask when pixels are taken out of it.
 *
 * Invariant: as in detach.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CARVE_DETACH_H
#define PV_CARVE_DETACH_H

#include "carve/cut.h"
#include "pixel/bits.h"

/// Solid pixels start...end - 1 of row y of a part.
typedef struct pv__fall_run {
    int start, end, y;
    /// While parts are found
    int part;
    /// Of the part, or -1
    int next;
} pv__fall_run;
/// A part that holds on to the largest one no more.
typedef struct pv__fall {
    /// Pixels, and the sums of their coordinates
    int64_t area, x, y;
    pv_rect box;
    /// Its first pixel in reading order
    int top, left;
    /// Of its runs
    int first;
    /// While parts are found
    int group;
} pv__fall;
/// The largest comes first, of equal ones that with the first pixel in reading order.
typedef struct pv__falls {
    pv_allocator allocator;
    pv__fall_run *runs;
    pv__fall *parts;
    int run_count, run_capacity, count, capacity;
} pv__falls;
/// Returns what falls off a mask when the pixels of gone, of which out tells, are taken away; of
/// what hung together there the part of the most pixels stays, unless it has fewer than least. The
/// cost is that of what falls off, however large the mask is. Islands that nothing is taken from
/// stay.
/// @param falls to be freed, whatever the outcome is
pv_status pv__detach_find(const pv_mask *mask, const pv_mask *gone, const pv__cut_out *out,
                          pv_connectivity neighbors, int64_t least, const pv_allocator *allocator,
                          pv__falls *falls);
/// Puts the pixels of a part on a mask of which pixel (0, 0) lies at (x, y).
void pv__detach_put(const pv__falls *falls, int part, pv_mask *on, int x, int y);
void pv__detach_free(pv__falls *falls);

#endif
