/* pv_runs.c - masks as run lengths: Cheng (2003) section 5.3.
 *
 * Invariant: the runs of row y are run[first[y]]...run[first[y + 1] - 1], from left to right, with a gap
 * between any two; none is empty. All of it is one block of memory.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_base.h"
#include "pv_pixels.h"

/// Solid pixels start...end - 1 of a row.
typedef struct run {
    uint16_t start, end;
} run;

struct pv_runs {
    int w, h;
    size_t bytes;
    pv_allocator allocator;
    run *run;
    uint32_t first[];
};

/// Ones where a pixel differs from the one at its left; *last: the last pixel of the word before, then of this.
static uint64_t edges(uint64_t word, uint64_t *last) {
    uint64_t shifted = word << 1 | *last;
    *last = word >> 63;
    return word ^ shifted;
}

static uint32_t count_row(const pv__bits *bits, int y) {
    uint32_t edge_count = 0;
    uint64_t last = 0;
    for (int s = 0; s < pv__stripes(bits->w); s++) {
        uint64_t word = bits->words[(size_t)s * (size_t)bits->h + (size_t)y];
        edge_count += (uint32_t)__builtin_popcountll(edges(word, &last));
    }
    return (edge_count + 1) / 2;
}

/// Writes the runs of row y and returns where the next row's go.
static run *encode_row(const pv__bits *bits, int y, run *out) {
    uint64_t last = 0;
    bool open = false;
    for (int s = 0; s < pv__stripes(bits->w); s++) {
        uint64_t edge = edges(bits->words[(size_t)s * (size_t)bits->h + (size_t)y], &last);
        for (; edge; edge &= edge - 1, open = !open) {
            uint16_t x = (uint16_t)(s * 64 + __builtin_ctzll(edge));
            if (open)
                (out++)->end = x;
            else
                out->start = x;
        }
    }
    if (open) (out++)->end = (uint16_t)bits->w;
    return out;
}

/// Room for the header and count runs; null on failure.
static pv_runs *make(const pv__bits *bits, uint32_t count, const pv_allocator *allocator) {
    size_t head = sizeof(pv_runs) + ((size_t)bits->h + 1) * sizeof(uint32_t);
    if (count > (SIZE_MAX - head) / sizeof(run)) return NULL;
    size_t bytes = head + count * sizeof(run);
    pv_runs *runs = pv__alloc(allocator, 1, bytes);
    if (!runs) return NULL;
    runs->w = bits->w;
    runs->h = bits->h;
    runs->bytes = bytes;
    runs->allocator = *allocator;
    runs->run = (run *)(void *)(runs->first + bits->h + 1);
    return runs;
}

pv_runs *pv_runs_encode(const pv_mask *mask, const pv_allocator *allocator, pv_status *status) {
    if (!mask) return pv__say(status, PV_ERROR_ARGUMENT), NULL;
    pv_allocator from = pv__allocator(allocator);
    const pv__bits *bits = &mask->bits;
    uint32_t count = 0;
    for (int y = 0; y < bits->h; y++) count += count_row(bits, y);
    pv_runs *runs = make(bits, count, &from);
    if (!runs) return pv__say(status, PV_ERROR_MEMORY), NULL;
    run *out = runs->run;
    for (int y = 0; y < bits->h; y++) {
        out = encode_row(bits, y, out);
        runs->first[y + 1] = (uint32_t)(out - runs->run);
    }
    pv__say(status, PV_OK);
    return runs;
}

pv_mask *pv_runs_decode(const pv_runs *runs, const pv_allocator *allocator, pv_status *status) {
    if (!runs) return pv__say(status, PV_ERROR_ARGUMENT), NULL;
    pv_mask *mask = pv_mask_create(runs->w, runs->h, allocator, status);
    if (!mask) return NULL;
    for (int y = 0; y < runs->h; y++)
        for (uint32_t i = runs->first[y]; i < runs->first[y + 1]; i++) {
            run r = runs->run[i];
            pv_mask_fill(mask, (pv_rect){r.start, y, r.end - r.start, 1}, true);
        }
    return mask;
}

void pv_runs_free(pv_runs *runs) {
    if (!runs) return;
    pv_allocator from = runs->allocator;
    pv__free(&from, runs, 1, runs->bytes);
}

size_t pv_runs_bytes(const pv_runs *runs) { return runs ? runs->bytes : 0; }

/// Rows low...high - 1 of the first that the second covers when it is put dy lower.
static void common_rows(int a, int b, int64_t dy, int *low, int *high) {
    *low = dy <= 0 ? 0 : dy < a ? (int)dy : a;
    *high = dy + b <= 0 ? 0 : dy + b < a ? (int)(dy + b) : a;
}

/// Shared pixels of two sorted lists, of which the second is put dx further right.
static int64_t merge(const run *a, const run *a_end, const run *b, const run *b_end, int64_t dx) {
    int64_t area = 0;
    while (a < a_end && b < b_end) {
        int64_t start = b->start + dx, end = b->end + dx;
        int64_t low = start > a->start ? start : a->start, high = end < a->end ? end : a->end;
        if (high > low) area += high - low;
        if (end < a->end)
            b++;
        else
            a++;
    }
    return area;
}

int64_t pv_runs_overlap_area(const pv_runs *a, const pv_runs *b, int dx, int dy) {
    int low, high;
    int64_t area = 0;
    if (!a || !b) return 0;
    common_rows(a->h, b->h, dy, &low, &high);
    for (int y = low; y < high; y++) {
        const uint32_t *at_a = a->first + y, *at_b = b->first + ((int64_t)y - dy);
        area += merge(a->run + at_a[0], a->run + at_a[1], b->run + at_b[0], b->run + at_b[1], dx);
    }
    return area;
}

/// Solid pixels from...to - 1 of a row, which are inside.
static int64_t count_between(const pv__bits *bits, int from, int to, int64_t y) {
    int64_t count = 0;
    for (int x = from; x < to; x = (x | 63) + 1) {
        uint64_t of = ~UINT64_C(0) << (x & 63);
        if (to - (x & ~63) < 64) of &= (UINT64_C(1) << (to & 63)) - 1;
        count += __builtin_popcountll(bits->words[(size_t)(x >> 6) * (size_t)bits->h + (size_t)y] & of);
    }
    return count;
}

int64_t pv_runs_overlap_mask(const pv_runs *a, const pv_mask *b, int dx, int dy) {
    int low, high;
    int64_t area = 0;
    if (!a || !b) return 0;
    common_rows(a->h, b->bits.h, dy, &low, &high);
    for (int y = low; y < high; y++)
        for (uint32_t i = a->first[y]; i < a->first[y + 1]; i++) {
            int64_t from = (int64_t)a->run[i].start - dx, to = (int64_t)a->run[i].end - dx;
            if (from < 0) from = 0;
            if (to > b->bits.w) to = b->bits.w;
            if (from < to) area += count_between(&b->bits, (int)from, (int)to, (int64_t)y - dy);
        }
    return area;
}
