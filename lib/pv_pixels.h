/* pv_pixels.h - what the files of the pixel layer share with each other and with the world.
 *
 * Invariant: bits are held in stripes of 64 columns: word y of stripe s, words[s * h + y], holds pixels
 * (64 s ... 64 s + 63, y), the lowest bit leftmost; bits at x >= w are zero. A stripe is contiguous from top to
 * bottom, so what a sprite covers of a huge terrain is one or two short runs of memory. The pixel layer knows no
 * world.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PIXELS_H
#define PV_PIXELS_H

#include "pixverlet.h"

#include <stdatomic.h>

#define PV__MAX_SIDE 32768
#define PV__MAX_AREA ((int64_t)1 << 31)

/// Solid pixels in stripes; a view that owns nothing.
typedef struct pv__bits {
    int w, h;
    uint64_t *words;
} pv__bits;

/// What an upper floor has derived from a mask's pixels and left with it.
typedef struct pv__derived {
    void (*free)(struct pv__derived *derived);
} pv__derived;

struct pv_mask {
    pv__bits bits;
    pv_allocator allocator;
    atomic_int references;
    _Atomic(pv__derived *) derived; ///< null, or fits the pixels
};

/// Whether a mask may be changed: nobody else holds it. What was derived from it is freed.
bool pv__mask_begin_edit(pv_mask *mask);

static inline int pv__stripes(int w) { return (int)(((unsigned)w + 63) >> 6); }
static inline size_t pv__word_count(int w, int h) { return (size_t)pv__stripes(w) * (size_t)h; }
static inline bool pv__bits_get(const pv__bits *b, int x, int y) {
    return b->words[(size_t)(x >> 6) * (size_t)b->h + (size_t)y] >> (x & 63) & 1;
}

static inline bool pv__is_solid(const pv__bits *b, int x, int y) {
    return x >= 0 && y >= 0 && x < b->w && y < b->h && pv__bits_get(b, x, y);
}

/* Along the edges of pixels, with the solid ones at the right. */

/// Right, down, left, up: the next one is a turn to the right.
static const pv_point pv__way[4] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
/// The pixel ahead at the right of a corner for each way; the one ahead at the left is the one before.
static const pv_point pv__ahead[4] = {{0, 0}, {-1, 0}, {-1, -1}, {0, -1}};

/// Where to go on from a corner, by what is ahead. Where two solid pixels touch at the corner only, a left turn joins them and
/// a right turn parts them.
static inline int pv__turn(int way, bool left, bool right, bool diagonal) {
    if (left && (right || diagonal)) return (way + 3) & 3;
    return right ? way : (way + 1) & 3;
}

/* pv_overlap.c: b's pixel (0, 0) on a's pixel (dx, dy). */
bool pv__bits_hit(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy);
int64_t pv__bits_area(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy);
bool pv__bits_overlap(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, pv_overlap *overlap);
bool pv__bits_gradient(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, int radius,
                       pv_vec2 *normal);
/// Adds the slope of the shared area over the offset, as pv__bits_gradient() has it.
void pv__bits_slope(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, int radius, int64_t slope[2]);

/* pv_patch.c */

/// What two bitmaps share, as a strip: its mean in a's coordinates, the axis along its length (either way), the
/// variances along and across it [px^2], and its ends as distances from the mean along the axis [px].
typedef struct pv__patch {
    pv_vec2 mean, axis;
    double along, across, low, high;
} pv__patch;
bool pv__bits_patch(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, pv__patch *patch);

/* pv_mask_ops.c: b's pixel (0, 0) on a's pixel (dx, dy), |dx|, |dy| < 2^32. */

/// Solid pixels start...end - 1 of a row; {0, 0} before the first.
typedef struct pv__run {
    int start, end;
} pv__run;

/// Finds the next run of row y at or after run->end; false when there is none.
bool pv__run_next(const pv__bits *bits, int y, pv__run *run);

/// Combines b, which may be a, into a.
void pv__bits_combine(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, pv_combine op);

/// The bits of a stripe that are pixels.
static inline uint64_t pv__pixels_of(int w, int stripe) {
    return w - stripe * 64 < 64 ? (UINT64_C(1) << (w & 63)) - 1 : ~UINT64_C(0);
}

/// As pv_mask_create(), for sizes that may be beyond an int.
pv_mask *pv__mask_like(int64_t w, int64_t h, const pv_mask *like, pv_status *status);

/* pv_colour.c, pv_mask_io.c */

/// Whether w x h pixels in rows of row_bytes can be at data.
bool pv__rows_good(const void *data, int w, int h, ptrdiff_t pitch, int64_t row_bytes);

/// Every byte with its bits in reverse order.
static inline uint64_t pv__mirror_bytes(uint64_t word) {
    word = (word & UINT64_C(0x5555555555555555)) << 1 | (word >> 1 & UINT64_C(0x5555555555555555));
    word = (word & UINT64_C(0x3333333333333333)) << 2 | (word >> 2 & UINT64_C(0x3333333333333333));
    return (word & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4 | (word >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f));
}

/* pv_rotate.c */

/// The inverse of a transform in 32.32 fixed point: the centre of world pixel (x0 + i, y0 + j) lies at
/// (u + i ux + j uy, v + i vx + j vy) of the picture. All who draw or raster use this one map, anchored at the
/// pixel of the transform's position, so all of them decide every pixel alike.
typedef struct pv__map {
    int x0, y0;
    int64_t u, v, ux, vx, uy, vy;
} pv__map;

/// PV_OK, PV_ERROR_NOT_FINITE, or PV_ERROR_ARGUMENT (scale out of 1/1024...1024 in size, place too far,
/// rotation not of length 1 within 1e-6).
pv_status pv__transform_check(const pv_transform *transform);

/// The map of a transform that passed pv__transform_check().
pv__map pv__map_of(const pv_transform *transform);

/// The world pixels that a w x h picture can reach, with up to 1 px to spare on each side.
pv_rect pv__raster_rect(const pv_transform *transform, int w, int h);

/// Narrows the pixels *from...*to of row y of the world, counted from x on, to those whose centres fall into a w x h
/// picture, and tells where in it the first falls. False when none does. *to - *from <= PV__MAX_SIDE.
bool pv__map_span(const pv__map *map, int w, int h, int x, int y, int *from, int *to, int64_t *u, int64_t *v);

/// Fills out, of which w, h and the room for words are given, with the world pixels from (x, y) on.
void pv__raster(const pv__bits *source, const pv__map *map, int x, int y, pv__bits *out);

/* pv_frames.c: frames in the making. Failing halfway, what was made is given to pv_frames_free(). */

/// Whether the options come from pv_frames_options_default() and are in their ranges.
pv_status pv__frames_options_check(const pv_frames_options *options);

/// No frames yet. The options must be good; picture is copied.
pv_frames *pv__frames_make(const pv_frames_options *options, const char *picture);

/// Adds a w x h frame: its name is copied, and its mask is cut out of the image, of which stored must be a part.
pv_status pv__frames_add(pv_frames *frames, const pv_image *image, const pv_frame *frame, int w, int h);

/// After the last frame: makes names to be found. PV_ERROR_FORMAT when they are to be unique and are not.
pv_status pv__frames_finish(pv_frames *frames, bool unique);

/* pv_sprite.c: placed sprites, for the files that ask about them */

/// A placed sprite as its bitmap. An upright one of scale 1 is its mask, at rect; others are made where they are
/// wanted, rect being what they can reach at most.
typedef struct pv__sprite {
    const pv__bits *bits;
    pv__map map;
    pv_rect rect;
    bool upright;
} pv__sprite;
pv_status pv__sprite_of(const pv_placed *placed, pv__sprite *sprite);
bool pv__sprites_hit(const pv__sprite *a, const pv__sprite *b);

/// What a sprite on its way meets.
typedef struct pv__way_hit {
    pv_sweep_hit
        first; ///< touch -1: it is not known what comes after fraction, the last pose that is known to be free
    int64_t inside; ///< pixels that are shared when it begins
} pv__way_hit;
/// pv_sweep() for no more than so much work, of about a microsecond a unit: when that is spent, or the way is none, what comes is
/// not known. What shares pixels when it begins meets where it shares more.
bool pv__sweep_within(const pv_moving *a, const pv_moving *b, pv__way_hit *hit, int64_t *work);

/// The bitmap of a part of a sprite, which is told where it lies; of an upright one all of it.
/// @param room words for the part's bitmap
pv__bits pv__sprite_part(const pv__sprite *sprite, pv_rect *of, uint64_t *room);

/// No two bitmaps that can be made are farther apart [px].
#define PV__FARTHEST (1 << 28)

static inline int pv__later(int a, int b) { return a > b ? a : b; }
static inline int pv__sooner(int a, int b) { return a < b ? a : b; }

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

/* pv_apart.c */

/// The shortest way of b by which the two share no pixel; found: whether there is one of at most limit.
pv_status pv__sprites_separate(const pv__sprite *a, const pv__sprite *b, int limit, const pv_allocator *from,
                               int way[2], bool *found);

/* pv_probe.c */

/// Queries of a sprite that passed pv_placed_check(), at placeable points; else as the functions with one underscore.
bool pv__placed_point(const pv_placed *placed, pv_vec2 point);
bool pv__placed_segment(const pv_placed *placed, pv_vec2 from, pv_vec2 to, pv_ray_hit *hit);
bool pv__placed_circle(const pv_placed *placed, pv_vec2 center, double radius);
bool pv__placed_rectangle(const pv_placed *placed, pv_box box);

/// Whether one of the pixels of columns left...right and rows top...bottom is solid; rows must be inside.
bool pv__bits_any(const pv__bits *bits, int64_t left, int64_t right, int top, int bottom);

/* pv_mask.c */
/// Number of pixels, and the sums of their whole coordinates and of the squares of these. With sides up to 2^15
/// the largest, a sum of squares, stays below 2^60.
typedef struct pv__sums {
    int64_t n, x, y, xx, yy;
} pv__sums;
pv__sums pv__bits_sums(const pv__bits *bits);
pv_mass pv__mass_of(const pv__sums *sums);
/// Adds sums of pixels that lie at a place to others, or takes them away: sign is 1 or -1.
void pv__sums_add(pv__sums *all, const pv__sums *o, pv_point at, int64_t sign);

/* pv_material.c */
#define PV__MAX_MATERIAL ((int64_t)1 << 26)
struct pv_material_map {
    int w, h;
    unsigned char *hardness, *density; ///< rows without gaps, behind the map itself; null: none
    uint64_t digest;                   ///< of what they say
    pv_allocator allocator;
    atomic_int references;
};
/// A map of zeros with planes or without, of a good size and one reference, to be filled and sealed before it is anybody's. Null
/// without memory.
pv_material_map *pv__material_map_make(int w, int h, bool hardness, bool density, const pv_allocator *allocator,
                                       pv_status *status);
/// Takes the digest; whether there are just those planes that say something.
bool pv__material_map_seal(pv_material_map *map);

/// What a picture is made of: a map, or null, and where on it the picture lies.
typedef struct pv__makeup {
    pv_material_map *map;
    int x, y;      ///< of the picture's pixel (0, 0)
    int id;        ///< of the map among a world's, once it was saved; -1
    pv__sums sums; ///< of the picture's pixels by weight, where they are known; else of none
} pv__makeup;
/// Whether a mask lies within the map, if there is one.
bool pv__makeup_covers(const pv__makeup *makeup, const pv_mask *mask);
/// What a picture is made of of which the pixel (0, 0) lies at a place of another; its sums are not known. Where there is no map
/// all is 0.
pv__makeup pv__makeup_of_part(const pv__makeup *makeup, int x, int y);
/// Whether some pixels may be harder, or weigh less, than others.
bool pv__is_hardened(const pv__makeup *makeup);
bool pv__is_weighted(const pv__makeup *makeup);
/// Of a pixel of the picture; 0 without a map.
int pv__hardness_at(const pv__makeup *makeup, int x, int y);
/// Of a pixel of the picture, 1...255; 255 without a map.
int64_t pv__weight_at(const pv__makeup *makeup, int x, int y);
/// By weight, the sums of pixels of which (0, 0) lies at a place of the picture; of their own coordinates.
pv__sums pv__makeup_sums(const pv__makeup *makeup, const pv__bits *bits, int x, int y);
/// The same of the whole picture at a scale; if that mirrors it, of its upright form.
pv__sums pv__makeup_sums_scaled(const pv__makeup *makeup, const pv__bits *form, pv_vec2 scale);
/// Of sums by weight; area and inertia are those of pixels of weight 255.
pv_mass pv__makeup_mass(const pv__sums *sums);
/// How many times as tough as the softest.
double pv__toughness_of(int hardness);

/* pv_cut.c */
/// What a cut takes, or brings: where its mask lies in the picture, the box around its pixels there, how many they are, and
/// the sums of their coordinates.
typedef struct pv__cut_out {
    pv_rect rect, box;
    int64_t count, x, y;
} pv__cut_out;
/// PV_OK, or what is wrong with a cut.
pv_status pv__cut_check(const pv_cut *cut);
/// Chips reach no less far [px].
#define PV__LEAST_CHIP 2.0
/// The pixels of a mask's picture that a good cut changes; null when there are none, and without memory.
/// @param blow of a chip, which is a circle: how many times the toughness of the softest its impulse is. A pixel at a distance d
/// goes when that exceeds its own toughness times 1 + d^2 / PV__LEAST_CHIP^2, or times 1 within that reach. 0: it is none, and the
/// cut's strength counts
pv_mask *pv__cut_pixels(const pv_cut *cut, double blow, const pv_transform *picture, const pv_mask *of,
                        const pv__makeup *makeup, pv__cut_out *out, pv_status *status);

/* pv_fall.c */
/// Solid pixels start...end - 1 of row y of a part.
typedef struct pv__fall_run {
    int start, end, y;
    int part; ///< while parts are found
    int next; ///< of the part, or -1
} pv__fall_run;
/// A part that holds on to the largest one no more.
typedef struct pv__fall {
    int64_t area, x, y; ///< pixels, and the sums of their coordinates
    pv_rect box;
    int top, left; ///< its first pixel in reading order
    int first;     ///< of its runs
    int group;     ///< while parts are found
} pv__fall;
/// The largest comes first, of equal ones that with the first pixel in reading order.
typedef struct pv__falls {
    pv_allocator allocator;
    pv__fall_run *runs;
    pv__fall *parts;
    int run_count, run_capacity, count, capacity;
} pv__falls;
/// What falls off a mask when the pixels of gone, of which out tells, are taken away; of what hung together there the part of the
/// most pixels stays, unless it has fewer than least. The cost is that of what falls off, however large the mask is. Islands
/// that nothing is taken from stay.
/// @param falls to be freed, whatever the outcome is
pv_status pv__falls_find(const pv_mask *mask, const pv_mask *gone, const pv__cut_out *out,
                         pv_neighbours neighbours, int64_t least, const pv_allocator *allocator,
                         pv__falls *falls);
/// Puts the pixels of a part on a mask of which pixel (0, 0) lies at (x, y).
void pv__falls_put(const pv__falls *falls, int part, pv_mask *on, int x, int y);
void pv__falls_free(pv__falls *falls);

#endif
