/* mask_ops.c - masks from masks: combined, moved, cropped, rotated, scaled, dilated and eroded.
 *
 * Invariant: bits at x >= w are zero before and after, and a mask with other holders never changes.
 * Pixels outside a mask count as empty. Operations work on whole words, except where a scale needs
 * each pixel.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixel/mask_ops.h"
#include "base/base.h"
#include "pixel/file.h"
#include "pixel/kernel.h"
#include "pixel/mask.h"
#include "pixel/mask_encode.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>

bool pv__mask_check_made(pv_error *e, const char *field, int64_t w, int64_t h) {
    if (w <= PV__MAX_SIDE && h <= PV__MAX_SIDE) return true;
    e->value = (double)(w > h ? w : h), e->max = PV__MAX_SIDE;
    return pv__error_say(e, PV_ERROR_TOO_LARGE, field,
                         "%s makes a mask of %" PRId64 " x %" PRId64 " px, at most %d a side",
                         field, w, h, PV__MAX_SIDE) == PV_OK;
}

pv_mask *pv__mask_make_for(pv_error *e, const char *field, int64_t w, int64_t h,
                           const pv_allocator *allocator) {
    bool good = pv__mask_check_made(e, field, w, h);
    return good ? pv__mask_make(e, (int)w, (int)h, allocator) : NULL;
}

pv_mask *pv__mask_like(int64_t w, int64_t h, const pv_mask *like, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    return pv__mask_make_for(e, "mask", w, h, &like->allocator);
}

/* ---- combination of two masks ---- */

/// Result of an operation on a word a and a word v over it: (a & ((v ^ flip) | always)) ^ (v &
/// put).
typedef struct rule {
    uint64_t flip, always, put;
} rule;

static const rule rules[] = {
    [PV_COMBINE_AND] = {0, 0, 0},
    [PV_COMBINE_OR] = {UINT64_MAX, 0, UINT64_MAX},
    [PV_COMBINE_XOR] = {0, UINT64_MAX, UINT64_MAX},
    [PV_COMBINE_ANDNOT] = {UINT64_MAX, 0, 0},
};

/// Stripe of a over n rows, with b shifted over it. Rows run from the last to the first if b lies
/// lower, so that b may be a itself.
typedef struct lane {
    uint64_t *a;
    pv__column b;
    int n;
    bool upwards;
} lane;

/// Number of rows that are read before any of them is written.
#define LANE_ROWS 4
/// Words of a few rows, at any place of a stripe.
typedef uint64_t lane_rows __attribute__((vector_size(LANE_ROWS * 8), aligned(8), may_alias));

static inline uint64_t lane_word(const lane *l, rule r, int i) {
    uint64_t v = pv__moved(&l->b, i);
    return (l->a[i] & ((v ^ r.flip) | r.always)) ^ (v & r.put);
}

static inline void lane_combine_rows(const lane *l, rule r, ptrdiff_t from) {
    const pv__column *b = &l->b;
    lane_rows *to = (lane_rows *)(l->a + from);
    lane_rows low = *(const lane_rows *)(b->low + from) >> b->shift & b->keep_low;
    lane_rows high = *(const lane_rows *)(b->high + from) << 1 << (63 - b->shift) & b->keep_high;
    lane_rows v = low | high;
    *to = (*to & ((v ^ r.flip) | r.always)) ^ (v & r.put);
}

static void lane_combine(const lane *given, rule r) {
    const lane own = *given, *l = &own;
    int blocks = l->n / LANE_ROWS;
    if (l->upwards) {
        for (int i = l->n - 1; i >= blocks * LANE_ROWS; i--) l->a[i] = lane_word(l, r, i);
        for (int k = blocks - 1; k >= 0; k--) lane_combine_rows(l, r, (ptrdiff_t)k * LANE_ROWS);
    } else {
        for (int k = 0; k < blocks; k++) lane_combine_rows(l, r, (ptrdiff_t)k * LANE_ROWS);
        for (int i = blocks * LANE_ROWS; i < l->n; i++) l->a[i] = lane_word(l, r, i);
    }
}

static void combine_stripe(const pv__window *o, pv_combine op, int stripe) {
    uint64_t keep = pv__bits_between(0, o->a->w - 64 * stripe - 1);
    lane l = {.a = o->a->words + (ptrdiff_t)stripe * o->a->h + o->top,
              .b = pv__column_of(o->b, o->dx, stripe, o->top - o->dy),
              .n = o->rows,
              .upwards = o->dy > 0};
    l.b.keep_low &= keep;
    l.b.keep_high &= keep;
    lane_combine(&l, rules[op]);
}

/// Clears all words of a stripe except some rows.
static void clear_beside(const pv__bits *a, int stripe, int top, int rows) {
    uint64_t *words = a->words + (ptrdiff_t)stripe * a->h;
    memset(words, 0, (size_t)top * sizeof *words);
    memset(words + top + rows, 0, (size_t)(a->h - top - rows) * sizeof *words);
}

/* Stripes run from the side that b moves to, so that no word of b is read after it changed. */
void pv__bits_combine(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, pv_combine op) {
    pv__window o = {.last = -1};
    int count = pv__window_of(&o, a, b, dx, dy) ? o.last - o.first + 1 : 0;
    for (int i = 0; i < count; i++) combine_stripe(&o, op, dx > 0 ? o.last - i : o.first + i);
    for (int s = 0; op == PV_COMBINE_AND && s < pv__bits_stripes(a->w); s++) {
        bool has = count > 0 && s >= o.first && s <= o.last;
        clear_beside(a, s, has ? o.top : 0, has ? o.rows : 0);
    }
}

pv_status pv_mask_combine(pv_mask *a, const pv_mask *b, int dx, int dy, pv_combine op) {
    if (!a || !b || (unsigned)op > PV_COMBINE_ANDNOT) return PV_ERROR_ARGUMENT;
    if (!pv__mask_begin_edit(a)) return PV_ERROR_SHARED;
    pv__bits_combine(&a->bits, &b->bits, dx, dy, op);
    return PV_OK;
}

/* ---- all pixels ---- */

pv_status pv_mask_invert(pv_mask *mask) {
    if (!mask) return PV_ERROR_ARGUMENT;
    if (!pv__mask_begin_edit(mask)) return PV_ERROR_SHARED;
    uint64_t *word = mask->bits.words;
    for (int s = 0; s < pv__bits_stripes(mask->bits.w); s++) {
        uint64_t pixels = pv__bits_between(0, mask->bits.w - 64 * s - 1);
        for (int y = 0; y < mask->bits.h; y++) *word++ ^= pixels;
    }
    return PV_OK;
}

int64_t pv_mask_count_pixels(const pv_mask *mask) {
    return pv_mask_compute_overlap_area(mask, mask, 0, 0);
}

/// Extends the range of solid rows by a stripe. Returns the union of its words.
static uint64_t stripe_box(const uint64_t *word, int h, int *top, int *bottom) {
    uint64_t any = 0;
    for (int y = 0; y < h; y++) {
        any |= word[y];
        if (word[y] && y < *top) *top = y;
        if (word[y] && y >= *bottom) *bottom = y + 1;
    }
    return any;
}

pv_rect pv_mask_compute_bounds(const pv_mask *mask) {
    if (!mask) return (pv_rect){0, 0, 0, 0};
    const pv__bits *bits = &mask->bits;
    pv_rect box = {0, 0, 0, 0};
    int top = bits->h, bottom = 0;
    for (int s = 0; s < pv__bits_stripes(bits->w); s++)
        pv__box_columns(&box, s, stripe_box(pv__bits_at(bits, s * 64, 0), bits->h, &top, &bottom));
    return box.w ? (pv_rect){box.x, top, box.w, bottom - top} : box;
}

/* ---- cropped, mirrored, rotated, scaled ---- */

/// Creates a mask of a valid size from a part of another.
static pv_mask *crop(pv_error *e, const pv_mask *mask, pv_rect rect) {
    pv_mask *made = pv__mask_make(e, rect.w, rect.h, &mask->allocator);
    if (made)
        pv__bits_combine(&made->bits, &mask->bits, -(int64_t)rect.x, -(int64_t)rect.y,
                         PV_COMBINE_OR);
    return made;
}

pv_mask *pv_mask_crop(const pv_mask *mask, pv_rect rect, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    bool good = pv__check_pointer(e, "mask", mask) &&
                pv__check_size(e, "rect.w", rect.w, 0, PV__MAX_SIDE) &&
                pv__check_size(e, "rect.h", rect.h, 0, PV__MAX_SIDE);
    return good ? crop(e, mask, rect) : NULL;
}

/// Returns a word of a row of a mirrored bitmap; rows outside it are empty.
static uint64_t mirrored(const pv__bits *bits, int stripe, int y, bool left_right,
                         bool top_bottom) {
    if (y >= bits->h) return 0;
    if (top_bottom) y = bits->h - 1 - y;
    if (!left_right) return *pv__bits_at(bits, stripe * 64, y);
    return __builtin_bswap64(
        pv__mask_mirror_bytes(pv__bits_word(bits, bits->w - 64 * (stripe + 1), y)));
}

static pv_mask *ops_flip(pv_error *e, const pv_mask *mask, bool left_right, bool top_bottom) {
    pv_mask *made = pv__mask_make(e, mask->bits.w, mask->bits.h, &mask->allocator);
    if (!made) return NULL;
    uint64_t *word = made->bits.words;
    for (int s = 0; s < pv__bits_stripes(made->bits.w); s++)
        for (int y = 0; y < made->bits.h; y++)
            *word++ = mirrored(&mask->bits, s, y, left_right, top_bottom);
    return made;
}

pv_mask *pv_mask_flip(const pv_mask *mask, bool left_right, bool top_bottom, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    return pv__check_pointer(e, "mask", mask) ? ops_flip(e, mask, left_right, top_bottom) : NULL;
}

void pv__bits_transpose(uint64_t block[64]) {
    uint64_t mask = UINT64_C(0x00000000ffffffff);
    for (int j = 32; j; j >>= 1, mask ^= mask << j)
        for (int k = 0; k < 64; k = ((k | j) + 1) & ~j) {
            uint64_t t = (block[k] >> j ^ block[k | j]) & mask;
            block[k] ^= t << j;
            block[k | j] ^= t;
        }
}

/// Fills rows 64 t ... 64 t + 63 of stripe s with the transposed picture, mirrored for the
/// direction of rotation.
static void turn_block(const pv__bits *from, const pv__bits *to, int s, int t, bool clockwise) {
    uint64_t block[64];
    for (int j = 0; j < 64; j++) block[j] = mirrored(from, t, 64 * s + j, !clockwise, clockwise);
    pv__bits_transpose(block);
    uint64_t *words = pv__bits_at(to, 64 * s, 0);
    for (int i = 0; i < 64 && 64 * t + i < to->h; i++) words[64 * t + i] = block[i];
}

pv_mask *pv_mask_rotate90(const pv_mask *mask, int quarters, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    bool half = (quarters & 3) == 2;
    if (!pv__check_pointer(e, "mask", mask)) return NULL;
    if (!(quarters & 1)) return ops_flip(e, mask, half, half);
    pv_mask *made = pv__mask_make(e, mask->bits.h, mask->bits.w, &mask->allocator);
    if (!made) return NULL;
    for (int s = 0; s < pv__bits_stripes(made->bits.w); s++)
        for (int t = 0; t < pv__bits_stripes(mask->bits.w); t++)
            turn_block(&mask->bits, &made->bits, s, t, (quarters & 3) == 1);
    return made;
}

/// Returns the source pixel at the center of pixel i, when a side of from pixels is scaled to to
/// pixels.
static int nearest(int i, int from, int to) {
    return (int)((2 * (int64_t)i + 1) * from / (2 * (int64_t)to));
}

/// Returns the given columns of a row of the source, up to 64.
static uint64_t gather(const pv__bits *bits, const int *columns, int n, int y) {
    uint64_t word = 0;
    for (int i = 0; i < n; i++) word |= (uint64_t)pv__bits_get(bits, columns[i], y) << i;
    return word;
}

static void scale_stripe(const pv__bits *from, const pv__bits *to, int stripe) {
    int columns[64], n = to->w - 64 * stripe < 64 ? to->w - 64 * stripe : 64, last = -1;
    uint64_t *words = pv__bits_at(to, 64 * stripe, 0);
    for (int i = 0; i < n; i++) columns[i] = nearest(64 * stripe + i, from->w, to->w);
    for (int y = 0; y < to->h; y++) {
        int row = nearest(y, from->h, to->h);
        words[y] = row == last ? words[y - 1] : gather(from, columns, n, row);
        last = row;
    }
}

pv_mask *pv_mask_scale(const pv_mask *mask, int width, int height, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!pv__check_pointer(e, "mask", mask)) return NULL;
    pv_mask *made = pv__mask_make_sized(e, width, height, &mask->allocator);
    if (!made || mask->bits.w == 0 || mask->bits.h == 0) return made;
    for (int s = 0; s < pv__bits_stripes(width); s++) scale_stripe(&mask->bits, &made->bits, s);
    return made;
}

/* ---- dilation and erosion with a brush, and Minkowski sums of masks ----
 *
 * Invariant: the source mask never changes, and pixels outside it count as empty. Whole runs of a
 * brush are spread through doubling, and circles use integers.
 */

/// Combines each pixel with all pixels up to span - 1 to its left and above it, through doubling.
static void spread_square(const pv__bits *bits, int span, pv_combine op) {
    for (int down = 0; down < 2; down++)
        for (int done = 1; done < span;) {
            int step = span - done < done ? span - done : done;
            pv__bits_combine(bits, bits, down ? 0 : step, down ? step : 0, op);
            done += step;
        }
}

/* Combines work, moved by (x, y) - p for each solid pixel p of shape, into out. With PV_COMBINE_OR,
 * work needs space on the right for moves by less than the width of shape. The content of work is
 * destroyed. Two runs of the largest power of two up to n cover a run of length n. Each such run is
 * a pixel of work after doubling, so work is put once for each. */
static void morph_spread(const pv__bits *out, const pv__bits *work, const pv__bits *shape, int x,
                         int y, pv_combine op) {
    bool longer = true;
    for (int size = 1; longer; size *= 2) {
        if (size > 1) pv__bits_combine(work, work, size / 2, 0, op);
        longer = false;
        for (int row = 0; row < shape->h; row++)
            for (pv__run run = {0, 0}; pv__mask_run_next(shape, row, &run);) {
                int n = run.end - run.start;
                longer = longer || n >= 2 * size;
                if (n < size || n >= 2 * size) continue;
                pv__bits_combine(out, work, x + 1 - run.end, y - row, op);
                if (n > size) pv__bits_combine(out, work, x + 1 - run.start - size, y - row, op);
            }
    }
}

/// Creates a mask of the pixels within radius of a square's middle pixel, center to center. The
/// radius is below 2^14.
static pv_mask *morph_disc(pv_error *e, int radius, const pv_mask *like) {
    int side = 2 * radius + 1, reach = 0;
    pv_mask *made = pv__mask_make(e, side, side, &like->allocator);
    if (!made) return NULL;
    for (int y = 0; y < side; y++) {
        int down = y - radius, room = radius * radius - down * down;
        while (reach * reach <= room) reach++;
        while (reach * reach > room) reach--;
        pv_mask_fill_rect(made, (pv_rect){radius - reach, y, 2 * reach + 1, 1}, true);
    }
    return made;
}

/// Creates the Minkowski sum of a mask and a mirrored shape; both have pixels.
/// @param field name of the parameter that gives the shape
static pv_mask *morph_sum_of(pv_error *e, const pv_mask *mask, const pv_mask *shape,
                             const char *field) {
    int w = shape->bits.w - 1, h = shape->bits.h - 1;
    pv_mask *made = pv__mask_make_for(e, field, (int64_t)mask->bits.w + w,
                                      (int64_t)mask->bits.h + h, &mask->allocator);
    pv_mask *work = made ? crop(e, mask, (pv_rect){0, 0, made->bits.w, mask->bits.h}) : NULL;
    if (work) morph_spread(&made->bits, &work->bits, &shape->bits, w, h, PV_COMBINE_OR);
    if (!work) pv_mask_release(made);
    pv_mask_release(work);
    return work ? made : NULL;
}

static bool check_brush(pv_error *e, const pv_mask *mask, int radius, pv_brush brush) {
    return pv__check_pointer(e, "mask", mask) && pv__check_range(e, "radius", radius, 0, INT_MAX) &&
           pv__check_range(e, "brush", brush, PV_BRUSH_SQUARE, PV_BRUSH_CIRCLE);
}

pv_mask *pv_mask_dilate(const pv_mask *mask, int radius, pv_brush brush, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!check_brush(e, mask, radius, brush)) return NULL;
    int64_t w = mask->bits.w + 2 * (int64_t)radius, h = mask->bits.h + 2 * (int64_t)radius;
    if (!pv__mask_check_made(e, "radius", w, h)) return NULL;
    bool none = mask->bits.w == 0 || mask->bits.h == 0;
    if (brush == PV_BRUSH_SQUARE || none) {
        pv_mask *made = crop(e, mask, (pv_rect){0, 0, (int)w, (int)h});
        if (made) spread_square(&made->bits, 2 * radius + 1, PV_COMBINE_OR);
        return made;
    }
    pv_mask *shape = morph_disc(e, radius, mask);
    pv_mask *made = shape ? morph_sum_of(e, mask, shape, "radius") : NULL;
    pv_mask_release(shape);
    return made;
}

static pv_mask *erode_square(pv_error *e, const pv_mask *mask, int radius) {
    pv_mask *work = pv__mask_double(e, mask);
    if (!work) return NULL;
    spread_square(&work->bits, 2 * radius + 1, PV_COMBINE_AND);
    pv_mask *made = crop(e, work, (pv_rect){radius, radius, mask->bits.w, mask->bits.h});
    pv_mask_release(work);
    return made;
}

static pv_mask *erode_disc(pv_error *e, const pv_mask *mask, int radius) {
    pv_mask *shape = morph_disc(e, radius, mask), *work = shape ? pv__mask_double(e, mask) : NULL;
    pv_mask *made = work ? pv__mask_make(e, mask->bits.w, mask->bits.h, &mask->allocator) : NULL;
    if (made) {
        pv_mask_invert(made);
        morph_spread(&made->bits, &work->bits, &shape->bits, radius, radius, PV_COMBINE_AND);
    }
    pv_mask_release(work);
    pv_mask_release(shape);
    return made;
}

pv_mask *pv_mask_erode(const pv_mask *mask, int radius, pv_brush brush, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!check_brush(e, mask, radius, brush)) return NULL;
    /* A brush wider than the picture leaves no pixel. */
    if (radius > (mask->bits.w - 1) / 2 || radius > (mask->bits.h - 1) / 2)
        return pv__mask_make(e, mask->bits.w, mask->bits.h, &mask->allocator);
    return brush == PV_BRUSH_SQUARE ? erode_square(e, mask, radius) : erode_disc(e, mask, radius);
}

pv_mask *pv_mask_obstacle(const pv_mask *a, const pv_mask *b, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!pv__check_pointer(e, "a", a) || !pv__check_pointer(e, "b", b)) return NULL;
    bool none = a->bits.w == 0 || a->bits.h == 0 || b->bits.w == 0 || b->bits.h == 0;
    return none ? pv__mask_make(e, 0, 0, &a->allocator) : morph_sum_of(e, a, b, "b");
}
