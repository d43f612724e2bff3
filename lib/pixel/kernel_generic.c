/* kernel_generic.c - the kernel for every CPU, in C alone: a vector is one word.
 *
 * Invariant: a shift has fewer than 64 places, and a word that is shifted out is masked out.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixel/kernel.h"

#include <string.h>

#define TARGET
#define WIDE PV__INLINE

/* ---- a vector: 1 row ---- */

enum { ROWS = 1 };
typedef uint64_t vec;
typedef bool rows_mask;

WIDE vec nothing(void) { return 0; }
WIDE vec each(int64_t word) { return (vec)word; }
WIDE vec steps_of_1(void) { return 0; }
WIDE vec times(vec x, vec y) { return x * y; }
WIDE vec shift_right(vec x, vec by) { return x >> (by & 63) & -(vec)(by < 64); }
WIDE vec shift_left(vec x, vec by) { return x << (by & 63) & -(vec)(by < 64); }
WIDE rows_mask between(int low, int high) { return low <= 0 && high > 0; }
WIDE vec load(const uint64_t *words, rows_mask rows) { return rows ? *words : 0; }
WIDE vec load_all(const uint64_t *words) { return *words; }
WIDE unsigned in_use_of(vec x) { return x != 0; }
WIDE int64_t total(vec x) { return (int64_t)x; }
WIDE uint64_t total_of_columns(vec x) { return x; }

/// Returns the number of ones in each byte of a word.
WIDE vec ones_per_byte(vec w) {
    w -= w >> 1 & UINT64_C(0x5555555555555555);
    w = (w & UINT64_C(0x3333333333333333)) + (w >> 2 & UINT64_C(0x3333333333333333));
    return (w + (w >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
}

/// Returns how many more ones v has than w. Each nibble holds up to four of either, and each byte
/// of the sum is 0...16.
WIDE vec more_ones(vec v, vec w) {
    const vec fives = UINT64_C(0x5555555555555555), threes = UINT64_C(0x3333333333333333);
    const vec halves = UINT64_C(0x0f0f0f0f0f0f0f0f);
    v -= v >> 1 & fives;
    w -= w >> 1 & fives;
    v = (v & threes) + (v >> 2 & threes) + UINT64_C(0x4444444444444444) - (w & threes) -
        (w >> 2 & threes);
    return (((v & halves) + (v >> 4 & halves)) * UINT64_C(0x0101010101010101) >> 56) - 64;
}

WIDE vec ones(vec w) { return ones_per_byte(w) * UINT64_C(0x0101010101010101) >> 56; }

/// Returns the sum of the places of the ones.
WIDE vec places(vec w) {
    int64_t count, sum, squares;
    pv__places(w, &count, &sum, &squares);
    return (vec)sum;
}

/* ---- 64 pixels ---- */

/// Pixels of a size, and the test for a solid one.
typedef pv__pixel_rows alpha;

WIDE alpha alpha_of(const pv__pixel_rows *from) { return *from; }

/// Reads a pixel in the machine's byte order.
WIDE uint32_t read_pixel(const unsigned char *p, int size) {
    uint32_t pixel = 0;
    int from = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 - size : 0;
    memcpy((unsigned char *)&pixel + from, p, (size_t)size);
    return pixel;
}

WIDE uint64_t pack_sized(const unsigned char *p, int n, const alpha *solid, int size) {
    uint64_t word = 0;
    for (int i = 0; i < n; i++)
        word |= (uint64_t)((read_pixel(p + size * i, size) & solid->mask) >= solid->least) << i;
    return word;
}

/// Returns the bits of the n <= 64 pixels from p on.
static __attribute__((noinline)) uint64_t pack_word(const unsigned char *p, int n,
                                                    const alpha *solid) {
    switch (solid->size) {
    case 1: return pack_sized(p, n, solid, 1);
    case 2: return pack_sized(p, n, solid, 2);
    case 3: return pack_sized(p, n, solid, 3);
    default: return pack_sized(p, n, solid, 4);
    }
}

#include "pixel/kernel_rows.h"

/* ---- overlap and area ---- */

WIDE vec shared_1(const uint64_t *a, const column *b, int i) { return shared(a, b, i, true); }

WIDE bool lane_hit_at(const uint64_t *a, const column *b, int n) {
    int i = 0;
    for (; i + 4 <= n; i += 4)
        if (shared_1(a, b, i) | shared_1(a, b, i + 1) | shared_1(a, b, i + 2) |
            shared_1(a, b, i + 3))
            return true;
    for (; i < n; i++)
        if (shared_1(a, b, i)) return true;
    return false;
}

/// Tells whether a lane has shared pixels. A single stripe of b needs only one shift.
WIDE bool lane_hit(const uint64_t *a, const column *b, int n) {
    if (b->left >= 64) return lane_hit_at(a, &(column){b->low, b->low, b->right, 64}, n);
    if (b->right >= 64) return lane_hit_at(a, &(column){b->high, b->high, 64, b->left}, n);
    return lane_hit_at(a, b, n);
}

/// Counts shared pixels. Bytes hold the counts of up to 31 words before they are added up.
WIDE vec lane_ones(const uint64_t *a, const column *b, int n) {
    vec sum = nothing();
    for (int i = 0; i < n;) {
        int stop = n - i > 31 ? i + 31 : n;
        vec bytes = nothing();
        for (; i < stop; i++) bytes += ones_per_byte(shared_1(a, b, i));
        bytes =
            (bytes & UINT64_C(0x00ff00ff00ff00ff)) + (bytes >> 8 & UINT64_C(0x00ff00ff00ff00ff));
        sum += bytes * UINT64_C(0x0001000100010001) >> 48;
    }
    return sum;
}

const pv__kernel pv__kernel_generic = {
    "generic", hit, area, overlap, gradient, wide_slope, products, pv__raster_rows, pack};
