/* kernel.h - the loops over words with one version per kind of CPU, and their selection.
 *
 * Invariant: every kernel returns the same integers and bits as the generic one, and reads no word
 * outside its bitmaps. The inline functions here are compiled into each kernel for its own CPU.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PIXEL_KERNEL_H
#define PV_PIXEL_KERNEL_H

#include "pixel/bits.h"
#include "pixel/raster.h"

#if defined __x86_64__ && defined __GNUC__
#define PV__X86_KERNELS 1
#endif

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

/// Rows of pixels of 1 to 4 bytes each; a pixel is solid if (pixel & mask) >= least. This test
/// saves scaling each alpha to 0...255.
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
    /// Fills out with the solid pixels. Only the generic kernel takes pixels of other than 4 bytes.
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

/// Kernel of other loops that matches the kernel in use: name_generic or name_avx2
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
/// is masked out. Its pointer points to an existing stripe, so that loops need no special case.
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

/// Finds the rows and stripes that b's rectangle can cover when moved up to radius farther each
/// way. Rows are b's rows at dy, so they may lie up to radius beyond a: top >= -radius.
PV__INLINE bool pv__wide_window_of(pv__window *o, const pv__bits *a, const pv__bits *b, int64_t dx,
                                   int64_t dy, int radius) {
    if (a->w == 0 || a->h == 0 || b->w == 0 || b->h == 0) return false;
    int64_t left = dx - radius > 0 ? dx - radius : 0, top = dy > -radius ? dy : -radius;
    int64_t right = dx + radius + b->w < a->w ? dx + radius + b->w : a->w;
    int64_t bottom = dy + b->h < a->h + radius ? dy + b->h : a->h + radius;
    *o = (pv__window){
        a, b, dx, dy, (int)left >> 6, (int)(right - 1) >> 6, (int)top, (int)(bottom - top)};
    return left < right && top < bottom;
}

/// Finds the rows and stripes that b's rectangle covers.
PV__INLINE bool pv__window_of(pv__window *o, const pv__bits *a, const pv__bits *b, int64_t dx,
                              int64_t dy) {
    return pv__wide_window_of(o, a, b, dx, dy, 0);
}

/// Returns b's column over a stripe, from b's row on. dx must not exceed 2^30.
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
    int64_t n = 64, sum = 2016, squares = 85344; /* values of a full word */
    if (w != ~UINT64_C(0)) pv__places(w, &n, &sum, &squares);
    o->n += n;
    o->x += n * x + sum;
    o->y += n * y;
    o->xx += n * x * x + 2 * x * sum + squares;
    o->xy += (n * x + sum) * y;
    o->yy += n * y * y;
}

/* raster.c */
/// Coordinate p + i step of the picture, with the data to find the i for which it is inside.
typedef struct pv__axis {
    /// Step, and the end of the inside range 0...end - 1
    int64_t step, end;
    /// Inverse of the step's magnitude
    double inverse;
} pv__axis;

pv__axis pv__axis_of(int64_t step, int size);

/// Finds the range from...to - 1 of i within 0...width - 1 with both coordinates inside. Returns
/// false if it is empty. The four ends are independent of each other.
bool pv__span(const pv__axis *across, const pv__axis *down, int64_t u, int64_t v, int width,
              int *from, int *to);

/// Fills a whole raster, row by row.
void pv__raster_rows(const pv__bits *source, const pv__map *map, int64_t u, int64_t v,
                     const pv__bits *out);

#endif
