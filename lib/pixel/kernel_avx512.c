/* kernel_avx512.c - the kernel for x86-64 with AVX-512 (F, BW, DQ, VL, VBMI, VPOPCNTDQ: Ice Lake,
 * Zen 4 and later).
 *
 * Invariant: every load masks out words beyond a bitmap, and the CPU skips them. Rows are therefore
 * taken 8 at a time to the end, without a loop for the rest.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixel/kernel.h"

#ifdef PV__X86_KERNELS

#include <immintrin.h>

#define TARGET                                                                                     \
    __attribute__((target(                                                                         \
        "avx2,bmi,bmi2,popcnt,avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vpopcntdq")))
#define WIDE static inline __attribute__((always_inline)) TARGET

/* ---- a vector: 8 rows ---- */

enum { ROWS = 8 };
typedef __m512i vec;
typedef __mmask8 rows_mask;

/// Returns the bits low...high - 1 of 64; both limits may lie outside 0...64.
WIDE uint64_t bits_between(int low, int high) {
    low = low > 0 ? low < 64 ? low : 64 : 0;
    high = high > 0 ? high < 64 ? high : 64 : 0;
    return _bzhi_u64(~UINT64_C(0), (unsigned)high) & ~_bzhi_u64(~UINT64_C(0), (unsigned)low);
}

WIDE rows_mask group(uint64_t rows, int g) { return (rows_mask)(rows >> 8 * g); }
WIDE rows_mask between(int low, int high) { return (rows_mask)bits_between(low, high); }
WIDE vec load(const uint64_t *words, rows_mask rows) {
    return _mm512_maskz_loadu_epi64(rows, words);
}
WIDE vec load_all(const uint64_t *words) { return _mm512_loadu_si512(words); }
WIDE vec nothing(void) { return _mm512_setzero_si512(); }
WIDE vec each(int64_t word) { return _mm512_set1_epi64(word); }
WIDE vec steps_of_1(void) { return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0); }
WIDE vec times(vec x, vec y) { return _mm512_mul_epu32(x, y); }
WIDE vec shift_right(vec x, vec by) { return _mm512_srlv_epi64(x, by); }
WIDE vec shift_left(vec x, vec by) { return _mm512_sllv_epi64(x, by); }
WIDE vec ones(vec x) { return _mm512_popcnt_epi64(x); }
WIDE unsigned in_use_of(vec x) { return _mm512_test_epi64_mask(x, x); }
WIDE int64_t total(vec x) { return _mm512_reduce_add_epi64(x); }
WIDE uint64_t total_of_columns(vec x) { return (uint64_t)_mm512_reduce_or_epi64(x); }

WIDE vec ones_in(vec w, uint64_t of) { return ones(w & each((int64_t)of)); }

/// Returns the sum of the places of the ones in each word. It counts each bit of the places
/// separately.
WIDE vec places(vec w) {
    vec p = ones_in(w, UINT64_C(0xffffffff00000000));
    p = p + p + ones_in(w, UINT64_C(0xffff0000ffff0000));
    p = p + p + ones_in(w, UINT64_C(0xff00ff00ff00ff00));
    p = p + p + ones_in(w, UINT64_C(0xf0f0f0f0f0f0f0f0));
    p = p + p + ones_in(w, UINT64_C(0xcccccccccccccccc));
    return p + p + ones_in(w, UINT64_C(0xaaaaaaaaaaaaaaaa));
}

/* ---- 64 pixels ---- */

/// Test for a solid pixel. If alpha is a byte of its own, only alpha bytes are compared.
typedef struct alpha {
    vec mask, least;
    /// Positions of the alphas of 32 pixels in 128 bytes, and their least value
    vec bytes, least_byte;
    bool is_byte;
} alpha;

WIDE alpha alpha_of(const pv__pixel_rows *from) {
    int shift = from->mask ? __builtin_ctz(from->mask) : 0;
    const vec fours =
        _mm512_set_epi32(0x7c787470, 0x6c686460, 0x5c585450, 0x4c484440, 0x3c383430, 0x2c282420,
                         0x1c181410, 0x0c080400, 0x7c787470, 0x6c686460, 0x5c585450, 0x4c484440,
                         0x3c383430, 0x2c282420, 0x1c181410, 0x0c080400);
    return (alpha){
        .mask = _mm512_set1_epi32((int)from->mask),
        .least = _mm512_set1_epi32((int)from->least),
        .bytes = _mm512_add_epi8(fours, _mm512_set1_epi8((char)(shift / 8))),
        .least_byte = _mm512_set1_epi8((char)(from->least >> shift)),
        .is_byte = from->mask >> shift == 255 && shift % 8 == 0 && from->least >> shift <= 255,
    };
}

/// Returns the bits of the 64 pixels in four vectors.
WIDE uint64_t pack_64(vec p0, vec p1, vec p2, vec p3, const alpha *solid) {
    if (solid->is_byte) {
        vec low = _mm512_permutex2var_epi8(p0, solid->bytes, p1),
            high = _mm512_permutex2var_epi8(p2, solid->bytes, p3);
        return _mm512_cmpge_epu8_mask(_mm512_mask_blend_epi64(0xf0, low, high), solid->least_byte);
    }
    __mmask16 k0 = _mm512_cmpge_epu32_mask(p0 & solid->mask, solid->least);
    __mmask16 k1 = _mm512_cmpge_epu32_mask(p1 & solid->mask, solid->least);
    __mmask16 k2 = _mm512_cmpge_epu32_mask(p2 & solid->mask, solid->least);
    __mmask16 k3 = _mm512_cmpge_epu32_mask(p3 & solid->mask, solid->least);
    return _mm512_kunpackd(_mm512_kunpackw(k3, k2), _mm512_kunpackw(k1, k0));
}

/// Returns the bits of the n <= 64 pixels from p on.
WIDE uint64_t pack_word(const unsigned char *p, int n, const alpha *solid) {
    uint64_t there = bits_between(0, n);
    vec p0 = _mm512_maskz_loadu_epi32((__mmask16)there, p);
    vec p1 = _mm512_maskz_loadu_epi32((__mmask16)(there >> 16), p + 64);
    vec p2 = _mm512_maskz_loadu_epi32((__mmask16)(there >> 32), p + 128);
    vec p3 = _mm512_maskz_loadu_epi32((__mmask16)(there >> 48), p + 192);
    return pack_64(p0, p1, p2, p3, solid) & there;
}

/// Returns how many more ones v has than w, word by word.
WIDE vec more_ones(vec v, vec w) { return ones(v) - ones(w); }

#include "pixel/kernel_rows.h"

/* ---- overlap and area ---- */

/// Returns the union of the existing rows among i...i + 31.
WIDE vec shared_32(const uint64_t *a, const column *b, int i, uint64_t rows) {
    vec x = shared(a, b, i, group(rows, 0)) | shared(a, b, i + 8, group(rows, 1));
    vec y = shared(a, b, i + 16, group(rows, 2)) | shared(a, b, i + 24, group(rows, 3));
    return x | y;
}

/// Tells whether a lane has shared pixels. It tests the first rows alone, as they often have some.
/// The rest has one branch per 32 rows, since a mispredicted branch costs as much as 64 rows.
WIDE bool lane_hit(const uint64_t *a, const column *b, int n) {
    vec w = shared(a, b, 0, between(0, n));
    if (in_use_of(w)) return true;
    int i = 8;
    for (; i + 32 <= n; i += 32)
        if (in_use_of(shared_32(a, b, i, ~UINT64_C(0)))) return true;
    return i < n && in_use_of(shared_32(a, b, i, bits_between(0, n - i)));
}

/// Returns the counts of 32 rows.
WIDE vec ones_32(const uint64_t *a, const column *b, int i, uint64_t rows) {
    vec x = ones(shared(a, b, i, group(rows, 0))) + ones(shared(a, b, i + 8, group(rows, 1)));
    vec y = ones(shared(a, b, i + 16, group(rows, 2))) + ones(shared(a, b, i + 24, group(rows, 3)));
    return x + y;
}

WIDE vec lane_ones(const uint64_t *a, const column *b, int n) {
    vec sum = nothing();
    int i = 0;
    for (; i + 32 <= n; i += 32) sum += ones_32(a, b, i, ~UINT64_C(0));
    if (i < n) sum += ones_32(a, b, i, bits_between(0, n - i));
    return sum;
}

/* ---- rasters ---- */

/// Products of a map's step with k = 0...63: the fractions, and the lowest byte of the integer
/// parts.
typedef struct steps {
    __m512i fraction[4], whole;
} steps;

WIDE steps steps_of(int64_t step) {
    uint32_t fraction[64];
    uint8_t whole[64];
    steps o;
    for (int k = 0; k < 64; k++) {
        fraction[k] = (uint32_t)(k * step);
        whole[k] = (uint8_t)((k * step) >> 32);
    }
    for (int i = 0; i < 4; i++) o.fraction[i] = _mm512_loadu_si512(fraction + 16 * i);
    o.whole = _mm512_loadu_si512(whole);
    return o;
}

/// Returns the integer parts, modulo 256, of p + k step for k = 0...63. Fractions carry where their
/// sum exceeds 32 bits.
WIDE __m512i coordinates(const steps *s, uint32_t fraction, int whole) {
    __m512i limit = _mm512_set1_epi32((int)~fraction);
    __mmask32 low = _mm512_kunpackw(_mm512_cmpgt_epu32_mask(s->fraction[1], limit),
                                    _mm512_cmpgt_epu32_mask(s->fraction[0], limit));
    __mmask32 high = _mm512_kunpackw(_mm512_cmpgt_epu32_mask(s->fraction[3], limit),
                                     _mm512_cmpgt_epu32_mask(s->fraction[2], limit));
    __m512i sum = _mm512_add_epi8(s->whole, _mm512_set1_epi8((char)whole));
    return _mm512_mask_sub_epi8(sum, _mm512_kunpackd(high, low), sum, _mm512_set1_epi8(-1));
}

/// Block of 64 x 64 bits; byte 8 v + u / 8 of 512 has the pixels from (u, v) on.
typedef struct table {
    __m512i part[8];
} table;

/// Returns the solid pixels among 64 at (u, v), each coordinate 0...63.
WIDE __mmask64 look_up(const table *t, __m512i u, __m512i v, __mmask64 of) {
    const __m512i powers = _mm512_set1_epi64((int64_t)UINT64_C(0x8040201008040201));
    /* Lowest 7 bits: v modulo 16, u / 8. The 16-bit shifts carry foreign bits into ignored bits
     * only. */
    __m512i at = _mm512_ternarylogic_epi64(_mm512_set1_epi8(7), _mm512_srli_epi16(u, 3),
                                           _mm512_slli_epi16(v, 3), 0xca);
    __m512i r0 = _mm512_permutex2var_epi8(t->part[0], at, t->part[1]);
    __m512i r1 = _mm512_permutex2var_epi8(t->part[2], at, t->part[3]);
    __m512i r2 = _mm512_permutex2var_epi8(t->part[4], at, t->part[5]);
    __m512i r3 = _mm512_permutex2var_epi8(t->part[6], at, t->part[7]);
    __mmask64 odd = _mm512_test_epi8_mask(v, _mm512_set1_epi8(16));
    r0 = _mm512_mask_mov_epi8(r0, odd, r1);
    r2 = _mm512_mask_mov_epi8(r2, odd, r3);
    r0 = _mm512_mask_mov_epi8(r0, _mm512_test_epi8_mask(v, _mm512_set1_epi8(32)), r2);
    return _mm512_mask_test_epi8_mask(of, r0, _mm512_shuffle_epi8(powers, u));
}

/// Fills a raster from a picture of up to 64 x 64 pixels, held in registers. Steps have at most
/// 95/64 pixels. A first integer part in -96...159 keeps all 64 in -192...255, so modulo 256 no
/// outside pixel enters the picture. From any other first part no pixel is inside.
TARGET static void raster_small(const pv__bits *source, const pv__map *map, int64_t u, int64_t v,
                                const pv__bits *out) {
    steps across = steps_of(map->ux), down = steps_of(map->vx);
    __m512i w = _mm512_set1_epi8((char)source->w), h = _mm512_set1_epi8((char)source->h);
    table t;
    for (int i = 0; i < 8; i++)
        t.part[i] = _mm512_maskz_loadu_epi64((__mmask8)bits_between(0, source->h - 8 * i),
                                             source->words + 8 * i);
    for (int s = 0; s < pv__bits_stripes(out->w); s++, u += 64 * map->ux, v += 64 * map->vx) {
        uint64_t *word = out->words + (ptrdiff_t)s * out->h,
                 keep = bits_between(0, out->w - 64 * s);
        int64_t p = u, q = v;
        for (int j = 0; j < out->h; j++, p += map->uy, q += map->vy) {
            uint64_t bits = 0;
            if ((uint64_t)(p + 96 * PV__ONE) < (uint64_t)(256 * PV__ONE) &&
                (uint64_t)(q + 96 * PV__ONE) < (uint64_t)(256 * PV__ONE)) {
                __m512i us = coordinates(&across, (uint32_t)p, (int)(p >> 32));
                __m512i vs = coordinates(&down, (uint32_t)q, (int)(q >> 32));
                __mmask64 in = _mm512_mask_cmplt_epu8_mask(_mm512_cmplt_epu8_mask(us, w), vs, h);
                bits = look_up(&t, us, vs, in) & keep;
            }
            word[j] = bits;
        }
    }
}

/// Returns 64 x 64 bits of the source from (x, y) on, zero outside it. Only the first rows are
/// needed.
WIDE table window_at(const pv__bits *source, int x, int y, int rows) {
    table t;
    int stripe = x >> 6, stripes = pv__bits_stripes(source->w);
    uint64_t in = bits_between(-y, source->h - y) & bits_between(0, rows);
    uint64_t in_low = stripe >= 0 && stripe < stripes ? in : 0;
    uint64_t in_high = stripe >= -1 && stripe + 1 < stripes ? in : 0;
    /* Masked loads may have any address. */
    uintptr_t low = (uintptr_t)source->words +
                    (uintptr_t)((ptrdiff_t)stripe * source->h + y) * sizeof(uint64_t);
    uintptr_t high = low + (uintptr_t)source->h * sizeof(uint64_t);
    __m512i right = _mm512_set1_epi64(x & 63), left = _mm512_set1_epi64(64 - (x & 63));
    for (int i = 0; i < 8; i++) {
        __m512i l =
            _mm512_maskz_loadu_epi64(group(in_low, i), (const void *)(low + 64 * (unsigned)i));
        __m512i r =
            _mm512_maskz_loadu_epi64(group(in_high, i), (const void *)(high + 64 * (unsigned)i));
        t.part[i] = _mm512_or_si512(_mm512_srlv_epi64(l, right), _mm512_sllv_epi64(r, left));
    }
    return t;
}

/// Fills a raster from any picture with steps of up to one pixel. 64 pixels in a row then lie in a
/// square of 64 x 64 of the source.
TARGET static void raster_large(const pv__bits *source, const pv__map *map, int64_t u, int64_t v,
                                const pv__bits *out) {
    steps across = steps_of(map->ux), down = steps_of(map->vx);
    int64_t u_least = map->ux < 0 ? 63 * map->ux : 0, v_least = map->vx < 0 ? 63 * map->vx : 0;
    int rows = (int)((map->vx < 0 ? -63 : 63) * map->vx >> 32) + 2;
    for (int s = 0; s < pv__bits_stripes(out->w); s++, u += 64 * map->ux, v += 64 * map->vx) {
        uint64_t *word = out->words + (ptrdiff_t)s * out->h,
                 keep = bits_between(0, out->w - 64 * s);
        int64_t p = u, q = v;
        for (int j = 0; j < out->h; j++, p += map->uy, q += map->vy) {
            int64_t left = (p + u_least) >> 32, top = (q + v_least) >> 32;
            uint64_t bits = 0;
            if (left < source->w && top < source->h && left + 64 > 0 && top + 64 > 0) {
                table t = window_at(source, (int)left, (int)top, rows);
                __m512i us = coordinates(&across, (uint32_t)p, (int)((p >> 32) - left));
                __m512i vs = coordinates(&down, (uint32_t)q, (int)((q >> 32) - top));
                bits = look_up(&t, us, vs, ~UINT64_C(0)) & keep;
            }
            word[j] = bits;
        }
    }
}

static bool within(int64_t step, int64_t limit) { return step <= limit && step >= -limit; }

TARGET static void raster(const pv__bits *source, const pv__map *map, int64_t u, int64_t v,
                          const pv__bits *out) {
    const int64_t small = 95 * PV__ONE / 64;
    if (source->w <= 64 && source->h <= 64 && within(map->ux, small) && within(map->vx, small))
        raster_small(source, map, u, v, out);
    else if (within(map->ux, PV__ONE) && within(map->vx, PV__ONE))
        raster_large(source, map, u, v, out);
    else
        pv__raster_rows(source, map, u, v, out);
}

const pv__kernel pv__kernel_avx512 = {"avx512",   hit,      area,   overlap, gradient,
                                      wide_slope, products, raster, pack};

#endif
