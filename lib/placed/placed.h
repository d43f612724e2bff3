/* placed.h - the interface of placed.c: overlaps of placed sprites, singly and in batches.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PLACED_PLACED_H
#define PV_PLACED_PLACED_H

#include "base/math.h"
#include "pixel/bits.h"
#include "pixel/raster.h"

/* Placed sprites, for the files that query them */
/// Bitmap of a placed sprite. An upright sprite at scale 1 is its own mask, at rect. Any other is
/// rasterized on demand, and rect bounds it.
typedef struct pv__sprite {
    const pv__bits *bits;
    pv__map map;
    pv_rect rect;
    bool upright;
} pv__sprite;
/// Tells whether a transform neither rotates nor scales.
static inline bool pv__is_plain(const pv_transform *t) {
    return t->rotation.c == 1 && t->rotation.s == 0 && t->scale.x == 1 && t->scale.y == 1;
}

/// Names of a parameter that is a placed mask, and of its fields
typedef struct pv__placed_names {
    const char *placed, *mask;
    pv__transform_names transform;
} pv__placed_names;
#define PV__PLACED_NAMES(of)                                                                       \
    { of, of ".mask", PV__TRANSFORM_NAMES(of ".transform") }
/// Checks if a placed mask is valid for queries.
/// @return PV_OK, PV_ERROR_ARGUMENT or PV_ERROR_NOT_FINITE
pv_status pv__placed_check(const pv_placed *placed);
/// Checks a placed mask as pv__placed_check() does, and says what is wrong.
bool pv__check_placed(pv_error *e, const pv__placed_names *names, const pv_placed *placed);
/// Returns the bounds of a placed mask's picture, or an empty box for an invalid one.
pv_box pv__placed_bounds(const pv_placed *placed);
pv_status pv__placed_sprite_of(const pv_placed *placed, pv__sprite *sprite);
bool pv__placed_sprites_hit(const pv__sprite *a, const pv__sprite *b);
/// Measures an overlap. Its normal is zero if the gradient vanishes.
void pv__placed_measure(const pv__sprite *a, const pv__sprite *b, pv_overlap *overlap);
/// Tells whether any pixel in columns left...right and rows top...bottom is solid.
bool pv__bits_any(const pv__bits *bits, int64_t left, int64_t right, int64_t top, int64_t bottom);
/// Tells whether any pixel that a box meets is solid.
bool pv__bits_any_in(const pv__bits *bits, const pv_box *box);

/// First contact of a moving sprite.
typedef struct pv__way_hit {
    /// Contact; touch_fraction is -1 if nothing is known after fraction, the last pose known to be
    /// free
    pv_swept_hit first;
    /// Number of shared pixels at the start
    int64_t inside;
} pv__way_hit;
/// Runs pv_swept_cast() within a work budget of about a microsecond per unit. An exhausted budget
/// or an invalid motion leaves the rest unknown. Sprites that overlap at the start make contact
/// once they share more pixels.
bool pv__sweep_within(const pv_swept *a, const pv_swept *b, pv__way_hit *hit, int64_t *work);

/// Returns the bitmap of a part of a sprite. For an upright sprite, returns all of its mask and
/// sets *of to its rectangle.
/// @param room words for the part's bitmap
pv__bits pv__placed_sprite_part(const pv__sprite *sprite, pv_rect *of, uint64_t *room);

/// Halves a rectangle across its longer side.
static inline void pv__rect_halve(pv_rect r, pv_rect halves[2]) {
    halves[0] = halves[1] = r;
    *(r.w > r.h ? &halves[0].w : &halves[0].h) /= 2;
    if (r.w > r.h)
        halves[1].x += halves[0].w, halves[1].w -= halves[0].w;
    else
        halves[1].y += halves[0].h, halves[1].h -= halves[0].h;
}

/// Greatest possible distance between two bitmaps [px].
#define PV__FARTHEST (1 << 28)

/// Returns a rectangle grown by at most PV__FARTHEST, so that no sum overflows an int.
static inline pv_rect pv__rect_grown(pv_rect r, int by) {
    if (r.w == 0 || r.h == 0) return r;
    by = pv__sooner(by, PV__FARTHEST);
    return (pv_rect){r.x - by, r.y - by, r.w + 2 * by, r.h + 2 * by};
}

#endif
