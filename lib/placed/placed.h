/* placed.h - the interface of placed.c: placed sprites: what two of them share, singly and in
 * batches.
 *
 * Invariant: as in placed.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PLACED_PLACED_H
#define PV_PLACED_PLACED_H

#include "base/math.h"
#include "pixel/bits.h"
#include "pixel/raster.h"

/* placed sprites, for the files that ask about them */
/// A placed sprite as its bitmap. An upright one of scale 1 is its mask, at rect; others are made
/// where they are wanted, rect being what they can reach at most.
typedef struct pv__sprite {
    const pv__bits *bits;
    pv__map map;
    pv_rect rect;
    bool upright;
} pv__sprite;
pv_status pv__placed_sprite_of(const pv_placed *placed, pv__sprite *sprite);
bool pv__placed_sprites_hit(const pv__sprite *a, const pv__sprite *b);

/// What a sprite on its way meets.
typedef struct pv__way_hit {
    /// Touch -1: it is not known what comes after fraction, the last pose that is known to be free
    pv_swept_hit first;
    /// Pixels that are shared when it begins
    int64_t inside;
} pv__way_hit;
/// pv_swept_cast() for no more than so much work, of about a microsecond a unit: when that is
/// spent, or the way is none, what comes is not known. What shares pixels when it begins meets
/// where it shares more.
bool pv__sweep_within(const pv_swept *a, const pv_swept *b, pv__way_hit *hit, int64_t *work);

/// The bitmap of a part of a sprite, which is told where it lies; of an upright one all of it.
/// @param room words for the part's bitmap
pv__bits pv__placed_sprite_part(const pv__sprite *sprite, pv_rect *of, uint64_t *room);

/// No two bitmaps that can be made are farther apart [px].
#define PV__FARTHEST (1 << 28)

static inline pv_rect pv__rect_meet(pv_rect a, pv_rect b) {
    int x = pv__later(a.x, b.x), y = pv__later(a.y, b.y);
    int w = pv__sooner(a.x + a.w, b.x + b.w) - x, h = pv__sooner(a.y + a.h, b.y + b.h) - y;
    return w > 0 && h > 0 ? (pv_rect){x, y, w, h} : (pv_rect){x, y, 0, 0};
}

/// Grown by at most PV__FARTHEST, so that no sum leaves an int.
static inline pv_rect pv__rect_grown(pv_rect r, int by) {
    if (r.w == 0 || r.h == 0) return r;
    by = pv__sooner(by, PV__FARTHEST);
    return (pv_rect){r.x - by, r.y - by, r.w + 2 * by, r.h + 2 * by};
}

#endif
