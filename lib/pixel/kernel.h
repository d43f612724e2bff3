/* kernel.h - the loops over words with one version per kind of CPU, and their selection.
 *
 * Invariant: every kernel returns the same integers and bits as the generic one, and reads no word
 * outside its bitmaps. A kernel takes missing functions from the generic one. The inline functions
 * here are compiled into each kernel for its own CPU.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PIXEL_KERNEL_H
#define PV_PIXEL_KERNEL_H

#include "pixel/bits.h"
#include "pixel/raster.h"

#include <string.h>

#if defined __x86_64__ && defined __GNUC__
#define PV__X86_KERNELS 1
#endif

/// Attribute of functions that would take the registers of the loop around them.
#define PV__APART static __attribute__((noinline, unused))
#define PV__ONE ((int64_t)1 << 32)

/// Overlap of two bitmaps at an offset, as sums before any division.
typedef struct pv__tally {
    /// Number of shared pixels
    int64_t area;
    /// Sums of their coordinates in the first bitmap
    int64_t x, y;
    /// Area at dx + 1 less the area at dx - 1, and the same along y; unset for area 0
    int64_t gx, gy;
    /// Bounding box of the shared pixels; unset for area 0
    pv_rect box;
} pv__tally;

/// Sums over the shared pixels, with coordinates relative to (x0, y0) of the first bitmap.
typedef struct pv__products {
    int64_t n, x, y, xx, xy, yy;
    int x0, y0;
} pv__products;

/// Rows of pixels of 1 to 4 bytes each; a pixel is solid for (pixel & mask) >= least. This test saves
/// spreading each alpha over 0...255.
typedef struct pv__pixel_rows {
    const unsigned char *data;
    ptrdiff_t pitch;
    int size;
    uint32_t mask, least;
} pv__pixel_rows;

/// Functions of a kernel. Pixel (0, 0) of b lies on pixel (dx, dy) of a; layout as in bits.h.
typedef struct pv__kernel {
    const char *name;
    bool (*hit)(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy);
    int64_t (*area)(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy);
    void (*overlap)(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, pv__tally *tally);
    /// Sets the area at dx + 1 less the area at dx - 1, and the same along y.
    void (*gradient)(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy,
                     int64_t slope[2]);
    /// Sets the slope of the area over the offset from the 8 areas at radius 1...64, as in
    /// pv__bits_gradient().
    void (*slope)(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, int radius,
                  int64_t slope[2]);
    void (*products)(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy,
                     pv__products *sums);
    /// Fills all words of out; the center of its pixel (0, 0) lies at (u, v) of the source.
    void (*raster)(const pv__bits *source, const pv__map *map, int64_t u, int64_t v,
                   const pv__bits *out);
    /// Fills out with the solid pixels. The generic kernel alone takes other pixels than of 4 bytes.
    void (*pack)(const pv__pixel_rows *pixels, const pv__bits *out);
} pv__kernel;

extern const pv__kernel pv__kernel_generic;
#ifdef PV__X86_KERNELS
extern const pv__kernel pv__kernel_avx2, pv__kernel_avx512;
#endif

/// Kernel in use, null before the first request.
extern _Atomic(const pv__kernel *) pv__kernel_chosen;
const pv__kernel *pv__kernel_choose(void);

/// Returns the kernel in use. The tables are constant, so threads need no memory order.
static inline const pv__kernel *pv__kernel_in_use(void) {
    const pv__kernel *kernel = atomic_load_explicit(&pv__kernel_chosen, memory_order_relaxed);
    return kernel ? kernel : pv__kernel_choose();
}

/// Kernel of other loops that suits the kernel in use: name_generic or name_avx2
#ifdef PV__X86_KERNELS
#define PV__KERNEL_OF(name)                                                                        \
    (pv__kernel_in_use() == &pv__kernel_generic ? &name##_generic : &name##_avx2)
#else
#define PV__KERNEL_OF(name) (&name##_generic)
#endif

/* ---- pairs of bitmaps: windows, columns, lanes ---- */

/// Part of a that b's rectangle covers: stripes first...last, rows top...top + rows - 1.
typedef struct pv__window {
    const pv__bits *a, *b;
    int64_t dx, dy;
    int first, last, top, rows;
} pv__window;

/// Bitmap b shifted over a stripe of a: two stripes of b, a shift and masks. A missing stripe of b
/// is masked out. Its pointer is that of an existing stripe, so that loops need no special case.
typedef struct pv__column {
    const uint64_t *low, *high;
    uint64_t keep_low, keep_high;
    int shift;
} pv__column;

/// Stripe of a over n rows, with b shifted over it.
typedef struct pv__lane {
    const uint64_t *a;
    pv__column b;
    int n;
    /// Pixel of a at the lane's first bit
    int x, y;
} pv__lane;

PV__INLINE bool pv__window_of(pv__window *o, const pv__bits *a, const pv__bits *b, int64_t dx,
                              int64_t dy) {
    if (dx >= a->w || dy >= a->h || dx + b->w <= 0 || dy + b->h <= 0) return false;
    int64_t right = dx + b->w < a->w ? dx + b->w : a->w;
    int64_t bottom = dy + b->h < a->h ? dy + b->h : a->h;
    int left = dx > 0 ? (int)dx : 0, top = dy > 0 ? (int)dy : 0;
    *o = (pv__window){a, b, dx, dy, left >> 6, (int)(right - 1) >> 6, top, (int)bottom - top};
    return right > left && o->rows > 0;
}

/// Returns b's column over a stripe, from b's row on.
/// dx
/// must not exceed 2^30.
PV__INLINE pv__column pv__column_of(const pv__bits *b, int64_t dx, int stripe, int64_t row) {
    int column = stripe * 64 - (int)dx, low = column >> 6, last = pv__bits_stripes(b->w) - 1;
    bool has_low = low >= 0 && low <= last, has_high = low >= -1 && low < last;
    int at_low = has_low ? low : has_high ? low + 1 : 0, at_high = has_high ? low + 1 : at_low;
    const uint64_t *words = b->words + row;
    return (pv__column){
        .low = words + (ptrdiff_t)at_low * b->h,
        .high = words + (ptrdiff_t)at_high * b->h,
        .keep_low = -(uint64_t)has_low,
        .keep_high = -(uint64_t)has_high,
        .shift = column & 63,
    };
}

PV__INLINE pv__lane pv__lane_of(const pv__window *o, int stripe) {
    return (pv__lane){
        .a = o->a->words + (ptrdiff_t)stripe * o->a->h + o->top,
        .b = pv__column_of(o->b, o->dx, stripe, o->top - o->dy),
        .n = o->rows,
        .x = stripe * 64,
        .y = o->top,
    };
}

/// Returns word i of b, shifted to a's stripe.
PV__INLINE uint64_t pv__moved(const pv__column *b, int i) {
    uint64_t low = b->low[i] >> b->shift & b->keep_low;
    uint64_t high = b->high[i] << 1 << (63 - b->shift) & b->keep_high;
    return low | high;
}

PV__INLINE uint64_t pv__shared(const pv__lane *l, int i) { return l->a[i] & pv__moved(&l->b, i); }

/// Finds the rows and stripes within reach of b's rectangle at a further offset of up to radius
/// each way. Rows are b's rows at dy, so they may lie up to radius beyond a: top >= -radius.
PV__INLINE bool pv__wide_window_of(pv__window *o, const pv__bits *a, const pv__bits *b, int64_t dx,
                                   int64_t dy, int radius) {
    if (a->w == 0 || a->h == 0 || b->w == 0 || b->h == 0) return false;
    if (dx - radius >= a->w || dy - radius >= a->h || dx + radius + b->w <= 0 ||
        dy + radius + b->h <= 0)
        return false;
    int64_t left = dx - radius > 0 ? dx - radius : 0, top = dy > -radius ? dy : -radius;
    int64_t right = dx + radius + b->w < a->w ? dx + radius + b->w : a->w;
    int64_t bottom = dy + b->h < a->h + radius ? dy + b->h : a->h + radius;
    *o = (pv__window){
        a, b, dx, dy, (int)left >> 6, (int)(right - 1) >> 6, (int)top, (int)(bottom - top)};
    return true;
}

/// Returns an inverted box that any row or column widens. It starts at the window's end and ends at
/// its start.
PV__INLINE pv_rect pv__box_before(const pv__window *o) {
    return (pv_rect){0, o->top + o->rows, 0, -o->rows};
}

/// Widens a box by the used columns of a stripe; stripes come from left to right.
PV__INLINE void pv__box_columns(pv_rect *box, int stripe, uint64_t used) {
    if (!used) return;
    if (box->w == 0) box->x = stripe * 64 + __builtin_ctzll(used);
    box->w = stripe * 64 + 64 - __builtin_clzll(used) - box->x;
}

/// Computes the count, the sum of places and the sum of squared places of the ones in a word. It
/// combines fields of 2, 4, 8 and 16 bits. The upper field's places are greater by d, so squares
/// grow by 2 d s + d^2 c.
PV__INLINE void pv__places(uint64_t w, int64_t *count, int64_t *sum, int64_t *squares) {
    const uint64_t two = UINT64_C(0x3333333333333333), four = UINT64_C(0x0f0f0f0f0f0f0f0f);
    const uint64_t eight = UINT64_C(0x00ff00ff00ff00ff), all = UINT64_C(0x0001000100010001);
    uint64_t s = w >> 1 & UINT64_C(0x5555555555555555), c = w - s;
    uint64_t c_up = c >> 2 & two, s_up = s >> 2 & two;
    uint64_t q = (s & two) + s_up + 4 * s_up + 4 * c_up;
    s = (s & two) + s_up + 2 * c_up;
    c = (c & two) + c_up;
    c_up = c >> 4 & four, s_up = s >> 4 & four;
    q = (q & four) + (q >> 4 & four) + 8 * s_up + 16 * c_up;
    s = (s & four) + s_up + 4 * c_up;
    c = (c & four) + c_up;
    c_up = c >> 8 & eight, s_up = s >> 8 & eight;
    q = (q & eight) + (q >> 8 & eight) + 16 * s_up + 64 * c_up;
    s = (s & eight) + s_up + 8 * c_up;
    c = (c & eight) + c_up;
    int64_t fields_c = (int64_t)(c * UINT64_C(0x0000000100020003) >> 48);
    *count = (int64_t)(c * all >> 48);
    *sum = (int64_t)(s * all >> 48) + 16 * fields_c;
    *squares = (int64_t)(q * all >> 48) + 32 * (int64_t)(s * UINT64_C(0x0000000100020003) >> 48) +
               256 * (int64_t)(c * UINT64_C(0x0000000100040009) >> 48);
}

/// Adds a word of shared pixels with the first at (x, y) from the sums' origin.
PV__INLINE void pv__products_add(pv__products *o, uint64_t w, int64_t x, int64_t y) {
    int64_t n, sum, squares;
    pv__places(w, &n, &sum, &squares);
    o->n += n;
    o->x += n * x + sum;
    o->y += n * y;
    o->xx += n * x * x + 2 * x * sum + squares;
    o->xy += (n * x + sum) * y;
    o->yy += n * y * y;
}

/* ---- rasters ---- */

/// Coordinate p + i step of the picture, with the data to find the i inside it.
typedef struct pv__axis {
    /// Step, and the end of the inside range 0...end - 1
    int64_t step, end;
    /// Inverse of the step's magnitude
    double inverse;
} pv__axis;

PV__INLINE pv__axis pv__axis_of(int64_t step, int size) {
    double length = (double)(step < 0 ? -step : step);
    return (pv__axis){step, size * PV__ONE, length > 0 ? 1.0 / length : 0};
}

/// Returns the least i in 0...width with p + i step >= bound for step > 0, or width. The product is
/// off by less than one, as i has 16 bits. The result is exact.
PV__INLINE int pv__first_at(int64_t p, int64_t step, double inverse, int64_t bound, int width) {
    double guess = (double)(bound - p) * inverse;
    guess = guess < width ? guess : width;
    int i = (int)(guess > 0 ? guess : 0);
    while (i > 0 && p + (i - 1) * step >= bound) i--;
    while (i < width && p + i * step < bound) i++;
    return i;
}

/// Finds the i of 0...width - 1 with p + i step inside: from...to - 1.
PV__INLINE void pv__inside(const pv__axis *axis, int64_t p, int width, int *from, int *to) {
    int64_t step = axis->step;
    if (step < 0) {
        p = axis->end - 1 - p;
        step = -step;
    }
    if (step == 0) {
        *from = 0;
        *to = p >= 0 && p < axis->end ? width : 0;
        return;
    }
    *from = pv__first_at(p, step, axis->inverse, 0, width);
    *to = pv__first_at(p, step, axis->inverse, axis->end, width);
}

/// Finds the i of 0...width - 1 with both coordinates inside: from...to - 1. Returns false for
/// none. The four ends are independent of each other.
PV__INLINE bool pv__span(const pv__axis *across, const pv__axis *down, int64_t u, int64_t v,
                         int width, int *from, int *to) {
    int from_u, to_u, from_v, to_v;
    pv__inside(across, u, width, &from_u, &to_u);
    pv__inside(down, v, width, &from_v, &to_v);
    *from = from_u > from_v ? from_u : from_v;
    *to = to_u < to_v ? to_u : to_v;
    return *from < *to;
}

/// Returns n <= 64 bits of the source from (u, v) on, all inside; one means a single stripe. The
/// last bit comes first, so that the chain from bit to bit is one addition.
PV__INLINE uint64_t pv__sample(const pv__bits *source, const pv__map *map, int64_t u, int64_t v,
                               int n, bool one) {
    uint64_t word = 0;
    const uint64_t *words = source->words;
    int64_t h = source->h, ux = map->ux, vx = map->vx;
    u += (n - 1) * ux;
    v += (n - 1) * vx;
    for (int k = 0; k < n; k++) {
        uint64_t column = words[(one ? 0 : (u >> 38) * h) + (v >> 32)];
        word = 2 * word + (column >> (u >> 32 & 63) & 1);
        u -= ux;
        v -= vx;
    }
    return word;
}

/// Samples the pixels from...to - 1 of a row, all inside; pixel 0 lies at (u, v).
PV__APART void pv__sample_row(const pv__bits *source, const pv__map *map, int64_t u, int64_t v,
                              int from, int to, uint64_t *word, ptrdiff_t stride) {
    u += from * map->ux;
    v += from * map->vx;
    while (from < to) {
        int stop = (from | 63) + 1 < to ? (from | 63) + 1 : to, n = stop - from;
        uint64_t bits = source->w <= 64 ? pv__sample(source, map, u, v, n, true)
                                        : pv__sample(source, map, u, v, n, false);
        word[(from >> 6) * stride] = bits << (from & 63);
        u += n * map->ux;
        v += n * map->vx;
        from = stop;
    }
}

/// Fills a whole raster, row by row.
PV__INLINE void pv__raster_rows(const pv__bits *source, const pv__map *map, int64_t u, int64_t v,
                                const pv__bits *out) {
    pv__axis across = pv__axis_of(map->ux, source->w), down = pv__axis_of(map->vx, source->h);
    memset(out->words, 0, pv__bits_word_count(out->w, out->h) * sizeof *out->words);
    for (int j = 0; j < out->h; j++, u += map->uy, v += map->vy) {
        int from, to;
        if (pv__span(&across, &down, u, v, out->w, &from, &to))
            pv__sample_row(source, map, u, v, from, to, out->words + j, out->h);
    }
}

#endif
