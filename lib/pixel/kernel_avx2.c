/* kernel_avx2.c - the kernel for x86-64 with AVX2, BMI and POPCNT (Haswell, Zen and later).
 *
 * Invariant: a masked load skips words beyond a bitmap. Other vectors stay inside: the last vector
 * of a lane ends with the lane. It may read rows twice if this is harmless.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixel/kernel.h"

#ifdef PV__X86_KERNELS

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define WIDE static inline __attribute__((always_inline)) TARGET

/* ---- a vector: 4 rows ---- */

enum { ROWS = 4 };
typedef __m256i vec;
typedef __m256i rows_mask;

WIDE vec nothing(void) { return _mm256_setzero_si256(); }
WIDE vec each(int64_t word) { return _mm256_set1_epi64x(word); }
WIDE vec steps_of_1(void) { return _mm256_set_epi64x(3, 2, 1, 0); }
WIDE vec times(vec x, vec y) { return _mm256_mul_epu32(x, y); }
WIDE vec shift_right(vec x, vec by) { return _mm256_srlv_epi64(x, by); }
WIDE vec shift_left(vec x, vec by) { return _mm256_sllv_epi64(x, by); }

WIDE rows_mask between(int low, int high) {
    return _mm256_andnot_si256(_mm256_cmpgt_epi64(each(low), steps_of_1()),
                               _mm256_cmpgt_epi64(each(high), steps_of_1()));
}

WIDE vec load(const uint64_t *words, rows_mask rows) {
    return _mm256_maskload_epi64((const long long *)(const void *)words, rows);
}

WIDE vec load_all(const uint64_t *words) {
    return _mm256_loadu_si256((const __m256i *)(const void *)words);
}

WIDE unsigned in_use_of(vec x) {
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(x, nothing()))) ^ 15;
}

WIDE int64_t total(vec x) {
    __m128i sum = _mm_add_epi64(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    return _mm_cvtsi128_si64(sum) + _mm_extract_epi64(sum, 1);
}

WIDE uint64_t total_of_columns(vec x) {
    __m128i sum = _mm_or_si128(_mm256_castsi256_si128(x), _mm256_extracti128_si256(x, 1));
    return (uint64_t)(_mm_cvtsi128_si64(sum) | _mm_extract_epi64(sum, 1));
}

/// Returns the sum of two table lookups for each byte, one per half byte.
WIDE vec by_halves(vec w, __m128i of_low, __m128i of_high) {
    vec mask = _mm256_set1_epi8(15), high = _mm256_srli_epi16(w, 4) & mask;
    return _mm256_add_epi8(_mm256_shuffle_epi8(_mm256_broadcastsi128_si256(of_low), w & mask),
                           _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(of_high), high));
}

WIDE vec ones_per_byte(vec w) {
    const __m128i ones_of = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    return by_halves(w, ones_of, ones_of);
}

WIDE vec sum_of_bytes(vec bytes) { return _mm256_sad_epu8(bytes, nothing()); }
WIDE vec ones(vec w) { return sum_of_bytes(ones_per_byte(w)); }

/// Returns the sum of the places of the ones in each word. It adds the places within bytes, and 8
/// times the byte's place for each one.
WIDE vec places(vec w) {
    const __m128i low = _mm_setr_epi8(0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 5, 5, 6, 6);
    const __m128i high = _mm_setr_epi8(0, 4, 5, 9, 6, 10, 11, 15, 7, 11, 12, 16, 13, 17, 18, 22);
    const vec bytes = each(INT64_C(0x0706050403020100));
    vec sums = _mm256_maddubs_epi16(ones_per_byte(w), bytes),
        inner = sum_of_bytes(by_halves(w, low, high));
    sums = _mm256_madd_epi16(sums, _mm256_set1_epi16(8));
    return inner + _mm256_srli_epi64(sums + _mm256_slli_epi64(sums, 32), 32);
}

/* ---- 64 pixels ---- */

/// Test for a solid pixel.
typedef struct alpha {
    vec mask, least;
} alpha;

WIDE alpha alpha_of(const pv__pixel_rows *from) {
    return (alpha){_mm256_set1_epi32((int)from->mask), _mm256_set1_epi32((int)from->least)};
}

/// Returns the bits of 8 pixels.
WIDE unsigned pack_8(vec pixels, const alpha *solid) {
    vec value = pixels & solid->mask;
    vec is_solid = _mm256_cmpeq_epi32(_mm256_max_epu32(value, solid->least), value);
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(is_solid));
}

/// Returns the bits of the n <= 64 pixels from p on.
WIDE uint64_t pack_word(const unsigned char *p, int n, const alpha *solid) {
    uint64_t word = 0;
    for (int i = 0; i < n; i += 8) {
        vec there =
            _mm256_cmpgt_epi32(_mm256_set1_epi32(n - i), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        vec pixels = _mm256_maskload_epi32((const int *)(const void *)(p + 4 * i), there);
        word |= (uint64_t)pack_8(pixels, solid) << i;
    }
    return word & pv__bits_between(0, n - 1);
}

/// Returns how many more ones v has than w, word by word.
WIDE vec more_ones(vec v, vec w) { return ones(v) - ones(w); }

#include "pixel/kernel_rows.h"

/* ---- overlap and area ---- */

WIDE vec shared_4(const uint64_t *a, const column *b, int i) {
    return load_all(a + i) & joined(load_all(b->low + i), load_all(b->high + i), b);
}

/// Returns the union of 4 times 4 rows. A start beyond last is moved back to it.
WIDE vec shared_16(const uint64_t *a, const column *b, int i, int last) {
    int i1 = i + 4 < last ? i + 4 : last, i2 = i + 8 < last ? i + 8 : last,
        i3 = i + 12 < last ? i + 12 : last;
    return (shared_4(a, b, i) | shared_4(a, b, i1)) | (shared_4(a, b, i2) | shared_4(a, b, i3));
}

WIDE bool lane_hit(const uint64_t *a, const column *b, int n) {
    vec w;
    if (n < 4) {
        w = shared(a, b, 0, between(0, n));
        return !_mm256_testz_si256(w, w);
    }
    for (int i = 0; i < n; i += 16) {
        w = shared_16(a, b, i < n - 4 ? i : n - 4, n - 4);
        if (!_mm256_testz_si256(w, w)) return true;
    }
    return false;
}

WIDE vec lane_ones(const uint64_t *a, const column *b, int n) {
    vec sum = nothing();
    int i = 0;
    for (; i + 16 <= n; i += 16) {
        vec x =
            _mm256_add_epi8(ones_per_byte(shared_4(a, b, i)), ones_per_byte(shared_4(a, b, i + 4)));
        vec y = _mm256_add_epi8(ones_per_byte(shared_4(a, b, i + 8)),
                                ones_per_byte(shared_4(a, b, i + 12)));
        sum += sum_of_bytes(_mm256_add_epi8(x, y));
    }
    for (; i < n; i += 4) sum += ones(shared(a, b, i, between(0, n - i)));
    return sum;
}

/* ---- rasters ---- */

/// Products of a map's step with k = 0...63: integer parts, and fractions with the sign flipped for
/// signed comparison.
typedef struct steps {
    uint32_t fraction[64];
    int32_t whole[64];
} steps;

WIDE void steps_of(steps *s, int64_t step, int count) {
    for (int k = 0; k < count; k++) {
        s->fraction[k] = (uint32_t)(k * step) ^ 0x80000000u;
        s->whole[k] = (int32_t)((k * step) >> 32);
    }
}

WIDE vec load_8(const void *p) { return _mm256_loadu_si256(p); }

/// Returns the integer parts of 8 coordinates, k = i...i + 7. Fractions carry where their sum
/// exceeds 32 bits.
WIDE vec coordinates(const steps *s, int i, int64_t p) {
    vec limit = _mm256_set1_epi32((int)(~(uint32_t)p ^ 0x80000000u));
    vec carry = _mm256_cmpgt_epi32(load_8(s->fraction + i), limit);
    return _mm256_sub_epi32(
        _mm256_add_epi32(load_8(s->whole + i), _mm256_set1_epi32((int)(p >> 32))), carry);
}

/// Returns the bits of n <= 64 pixels, all inside. It gathers half words and shifts their bit to
/// the top.
WIDE uint64_t gathered(const pv__bits *source, const steps *across, const steps *down, int64_t u,
                       int64_t v, int n, bool one) {
    uint64_t word = 0;
    const vec lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), h = _mm256_set1_epi32(source->h);
    for (int i = 0; i < n; i += 8) {
        vec x = coordinates(across, i, u), row = coordinates(down, i, v),
            half = _mm256_srli_epi32(x, 5);
        if (!one) {
            row = _mm256_add_epi32(row, _mm256_mullo_epi32(_mm256_srli_epi32(x, 6), h));
            half &= _mm256_set1_epi32(1);
        }
        vec there = _mm256_cmpgt_epi32(_mm256_set1_epi32(n - i), lanes);
        vec at = _mm256_add_epi32(_mm256_slli_epi32(row, 1), half);
        vec bits = _mm256_mask_i32gather_epi32(nothing(), (const int *)(const void *)source->words,
                                               at, there, 4);
        bits = _mm256_sllv_epi32(bits, _mm256_andnot_si256(x, _mm256_set1_epi32(31)));
        word |= (uint64_t)(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(bits)) << i;
    }
    return word;
}

TARGET static void raster(const pv__bits *source, const pv__map *map, int64_t u, int64_t v,
                          const pv__bits *out) {
    steps over, below;
    pv__axis across = pv__axis_of(map->ux, source->w), down = pv__axis_of(map->vx, source->h);
    int count = out->w < 64 ? (out->w + 7) & ~7 : 64;
    steps_of(&over, map->ux, count);
    steps_of(&below, map->vx, count);
    memset(out->words, 0, pv__bits_word_count(out->w, out->h) * sizeof *out->words);
    for (int j = 0; j < out->h; j++, u += map->uy, v += map->vy) {
        int from, to;
        if (!pv__span(&across, &down, u, v, out->w, &from, &to)) continue;
        while (from < to) {
            int stop = (from | 63) + 1 < to ? (from | 63) + 1 : to, n = stop - from;
            int64_t p = u + from * map->ux, q = v + from * map->vx;
            uint64_t bits = source->w <= 64 ? gathered(source, &over, &below, p, q, n, true)
                                            : gathered(source, &over, &below, p, q, n, false);
            out->words[(from >> 6) * (ptrdiff_t)out->h + j] = bits << (from & 63);
            from = stop;
        }
    }
}

const pv__kernel pv__kernel_avx2 = {"avx2",     hit,      area,   overlap, gradient,
                                    wide_slope, products, raster, pack};

#endif
