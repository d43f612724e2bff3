/* detach.h - the interface of detach.c: finds the parts that a removal of pixels detaches from a
 * mask.
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
    /// Part during the search
    int part;
    /// Next run of the part, or -1
    int next;
} pv__fall_run;
/// Part that is no longer connected to the largest one.
typedef struct pv__fall {
    /// Number of pixels
    int64_t area;
    pv_rect box;
    /// Column of its first pixel in reading order
    int left;
    /// First of its runs
    int first;
    /// Group during the search
    int group;
} pv__fall;
/// Detached parts, the largest first. Equal ones are in the reading order of their first pixels.
typedef struct pv__falls {
    pv_allocator allocator;
    pv__fall_run *runs;
    pv__fall *parts;
    int run_count, run_capacity, count, capacity;
} pv__falls;
/// Finds the parts of a mask that come off when the pixels of gone, with extent out, are removed.
/// The largest part of each formerly connected component stays, unless it has fewer than least
/// pixels. Components that lose no pixel stay. The cost depends on the detached parts, not on the
/// size of the mask.
/// @param falls to be freed by the caller, even after a failure
pv_status pv__detach_find(const pv_mask *mask, const pv_mask *gone, const pv__cut_out *out,
                          pv_connectivity neighbors, int64_t least, const pv_allocator *allocator,
                          pv__falls *falls);
/// Sets the pixels of a part in a mask whose pixel (0, 0) is at (x, y).
void pv__detach_put(const pv__falls *falls, int part, pv_mask *on, int x, int y);
void pv__detach_free(pv__falls *falls);

#endif
