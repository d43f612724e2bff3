/* kernel.c - selects a kernel, and implements the generic kernel for every CPU in 64-bit words.
 *
 * Invariant: pv__kernel_chosen is null or a kernel that this CPU can run. Any thread that reads
 * null selects one. Concurrent threads select the same kernel, and the first store stays.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixel/kernel.h"

#include <stdlib.h>
#include <string.h>

_Atomic(const pv__kernel *) pv__kernel_chosen;

#ifdef PV__X86_KERNELS

/* The CPU's flags include the system's support for its registers. */

static bool has_avx2(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

static bool has_avx512(void) {
    return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vpopcntdq");
}

/// Returns the kernel of a name, or the best for null; null for an unavailable kernel.
static const pv__kernel *find(const char *name) {
    if ((!name || strcmp(name, "avx512") == 0) && has_avx512()) return &pv__kernel_avx512;
    if ((!name || strcmp(name, "avx2") == 0) && has_avx2()) return &pv__kernel_avx2;
    return !name || strcmp(name, "generic") == 0 ? &pv__kernel_generic : NULL;
}

#else

static const pv__kernel *find(const char *name) {
    return !name || strcmp(name, "generic") == 0 ? &pv__kernel_generic : NULL;
}

#endif

/// Returns the kernel's name from the environment, or null for an empty one.
static const char *wanted(void) {
    const char *name = getenv("PIXVERLET_KERNEL");
    return name && *name ? name : NULL;
}

const pv__kernel *pv__kernel_choose(void) {
    const pv__kernel *found = find(wanted()), *before = NULL;
    if (!found) found = &pv__kernel_generic;
    bool first = atomic_compare_exchange_strong(&pv__kernel_chosen, &before, found);
    return first ? found : before;
}

const char *pv_kernel_get_name(void) { return pv__kernel_in_use()->name; }

pv_status pv_kernel_select(const char *name) {
    const pv__kernel *found = find(name ? name : wanted());
    if (!found) return PV_ERROR_ARGUMENT;
    atomic_store_explicit(&pv__kernel_chosen, found, memory_order_relaxed);
    return PV_OK;
}

/* ---- the generic kernel: 64-bit words, counted in fields of a word ----
 *
 * Invariant: the code is C alone, and the other kernels are compared with it.
 */

/* ---- overlap and area ---- */

static bool generic_lane_hit(const pv__lane *l) {
    int i = 0;
    for (; i + 4 <= l->n; i += 4)
        if (pv__shared(l, i) | pv__shared(l, i + 1) | pv__shared(l, i + 2) | pv__shared(l, i + 3))
            return true;
    for (; i < l->n; i++)
        if (pv__shared(l, i)) return true;
    return false;
}

/// Tells whether two bitmaps of one stripe each overlap, as most sprites have one stripe. An offset
/// of -63...63 is one shift, and the other shift is by 0.
static bool narrow_hit(const uint64_t *a, const uint64_t *b, int left, int right, int n) {
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        uint64_t w = (a[i] & b[i] << left >> right) | (a[i + 1] & b[i + 1] << left >> right);
        if (w | (a[i + 2] & b[i + 2] << left >> right) | (a[i + 3] & b[i + 3] << left >> right))
            return true;
    }
    for (; i < n; i++)
        if (a[i] & b[i] << left >> right) return true;
    return false;
}

static bool generic_hit(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy) {
    pv__window o;
    if (!pv__window_of(&o, a, b, dx, dy)) return false;
    if (a->w <= 64 && b->w <= 64)
        return narrow_hit(a->words + o.top, b->words + (o.top - dy), dx > 0 ? (int)dx : 0,
                          dx < 0 ? (int)-dx : 0, o.rows);
    for (int s = o.first; s <= o.last; s++) {
        pv__lane l = pv__lane_of(&o, s);
        if (generic_lane_hit(&l)) return true;
    }
    return false;
}

/// Returns the number of ones in each byte of a word.
static inline uint64_t generic_ones_per_byte(uint64_t w) {
    w -= w >> 1 & UINT64_C(0x5555555555555555);
    w = (w & UINT64_C(0x3333333333333333)) + (w >> 2 & UINT64_C(0x3333333333333333));
    return (w + (w >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
}

/// Returns the number of shared pixels of a lane. Bytes hold the counts of up to 31 words before
/// they are added.
static int64_t lane_area(const pv__lane *l) {
    int64_t area = 0;
    for (int i = 0; i < l->n;) {
        int stop = l->n - i > 31 ? i + 31 : l->n;
        uint64_t bytes = 0;
        for (; i < stop; i++) bytes += generic_ones_per_byte(pv__shared(l, i));
        bytes =
            (bytes & UINT64_C(0x00ff00ff00ff00ff)) + (bytes >> 8 & UINT64_C(0x00ff00ff00ff00ff));
        area += (int64_t)(bytes * UINT64_C(0x0001000100010001) >> 48);
    }
    return area;
}

static int64_t generic_area(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy) {
    pv__window o;
    int64_t sum = 0;
    if (!pv__window_of(&o, a, b, dx, dy)) return 0;
    for (int s = o.first; s <= o.last; s++) {
        pv__lane l = pv__lane_of(&o, s);
        sum += lane_area(&l);
    }
    return sum;
}

/* ---- moments and gradients ---- */

/// Adds the count and the coordinate sums of shared pixels, and widens the rows of the box. c and s
/// are the number of ones and the sum of their places in each 2, 4, 8 bits. No byte of the products
/// exceeds 224.
/// @return mask of the used columns
static uint64_t lane_moments(const pv__lane *l, pv__tally *t) {
    const uint64_t pairs = UINT64_C(0x3333333333333333), halves = UINT64_C(0x0f0f0f0f0f0f0f0f);
    const uint64_t all = UINT64_C(0x0101010101010101), by_place = UINT64_C(0x0001020304050607);
    uint64_t used = 0;
    int bottom = t->box.y + t->box.h;
    for (int i = 0; i < l->n; i++) {
        uint64_t w = pv__shared(l, i);
        if (!w) continue;
        uint64_t s = w >> 1 & UINT64_C(0x5555555555555555), c = w - s;
        s = (s & pairs) + (s >> 2 & pairs) + 2 * (c >> 2 & pairs);
        c = (c & pairs) + (c >> 2 & pairs);
        s = (s & halves) + (s >> 4 & halves) + 4 * (c >> 4 & halves);
        c = (c & halves) + (c >> 4 & halves);
        int64_t n = (int64_t)(c * all >> 56),
                places = (int64_t)(s * all >> 56) + 8 * (int64_t)(c * by_place >> 56);
        t->area += n;
        t->x += n * l->x + places;
        t->y += n * (l->y + i);
        used |= w;
        if (l->y + i < t->box.y) t->box.y = l->y + i;
        if (l->y + i >= bottom) bottom = l->y + i + 1;
    }
    t->box.h = bottom - t->box.y;
    return used;
}

static void generic_gradient(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy,
                             int64_t slope[2]) {
    slope[0] = generic_area(a, b, dx + 1, dy) - generic_area(a, b, dx - 1, dy);
    slope[1] = generic_area(a, b, dx, dy + 1) - generic_area(a, b, dx, dy - 1);
}

static void generic_overlap(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy,
                            pv__tally *t) {
    pv__window o;
    int64_t slope[2];
    *t = (pv__tally){0};
    if (!pv__window_of(&o, a, b, dx, dy)) return;
    t->box = pv__box_before(&o);
    for (int s = o.first; s <= o.last; s++) {
        pv__lane l = pv__lane_of(&o, s);
        pv__box_columns(&t->box, s, lane_moments(&l, t));
    }
    if (t->area == 0) return;
    generic_gradient(a, b, dx, dy, slope);
    t->gx = slope[0];
    t->gy = slope[1];
}

static void generic_wide_slope(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy,
                               int radius, int64_t slope[2]) {
    slope[0] = slope[1] = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            if (i == 0 && j == 0) continue;
            int64_t f =
                (i == 0 || j == 0 ? 4 : 1) * generic_area(a, b, dx + i * radius, dy + j * radius);
            slope[0] += i * f;
            slope[1] += j * f;
        }
}

static void generic_products(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy,
                             pv__products *sums) {
    pv__window o;
    *sums = (pv__products){0};
    if (!pv__window_of(&o, a, b, dx, dy)) return;
    sums->x0 = o.first * 64;
    sums->y0 = o.top;
    for (int s = o.first; s <= o.last; s++) {
        pv__lane l = pv__lane_of(&o, s);
        for (int i = 0; i < l.n; i++) {
            uint64_t w = pv__shared(&l, i);
            if (w) pv__products_add(sums, w, l.x - sums->x0, i);
        }
    }
}

/* ---- bitmaps ---- */

static void generic_raster(const pv__bits *source, const pv__map *map, int64_t u, int64_t v,
                           const pv__bits *out) {
    pv__raster_rows(source, map, u, v, out);
}

PV__INLINE uint32_t read_pixel(const unsigned char *p, int size) {
    uint16_t half;
    uint32_t whole;
    switch (size) {
    case 1: return *p;
    case 2: memcpy(&half, p, 2); return half;
    case 4: memcpy(&whole, p, 4); return whole;
    default: break;
    }
    uint32_t low_first = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
    const uint16_t one = 1;
    return *(const unsigned char *)&one ? low_first
                                        : p[2] | (uint32_t)p[1] << 8 | (uint32_t)p[0] << 16;
}

/// Packs pixels of a constant size.
PV__INLINE void pack_rows(const pv__pixel_rows *pixels, const pv__bits *out, int size) {
    const uint32_t mask = pixels->mask, least = pixels->least;
    const unsigned char *row = pixels->data;
    for (int y = 0; y < out->h; y++, row += pixels->pitch)
        for (int x = 0; x < out->w; x += 64) {
            int n = out->w - x < 64 ? out->w - x : 64;
            uint64_t word = 0;
            for (int i = 0; i < n; i++)
                word |= (uint64_t)((read_pixel(row + size * (x + i), size) & mask) >= least) << i;
            *pv__bits_at(out, x, y) = word;
        }
}

static void generic_pack(const pv__pixel_rows *pixels, const pv__bits *out) {
    switch (pixels->size) {
    case 1: pack_rows(pixels, out, 1); break;
    case 2: pack_rows(pixels, out, 2); break;
    case 3: pack_rows(pixels, out, 3); break;
    default: pack_rows(pixels, out, 4); break;
    }
}

const pv__kernel pv__kernel_generic = {"generic",        generic_hit,      generic_area,
                                       generic_overlap,  generic_gradient, generic_wide_slope,
                                       generic_products, generic_raster,   generic_pack};
