/* pv_colour.c - masks out of colours, and colours out of masks.
 *
 * Invariant: all four channels of a pixel are compared at once, in lanes of 16 bits, which nothing is borrowed or
 * carried out of; bits at x >= w are zero.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_base.h"
#include "pv_pixels.h"

#include <string.h>

bool pv__rows_good(const void *data, int w, int h, ptrdiff_t pitch, int64_t row_bytes) {
    if (w < 0 || h < 0) return false;
    if (w == 0 || h == 0) return true;
    uint64_t size = pitch < 0 ? 0 - (uint64_t)pitch : (uint64_t)pitch;
    return data && (h == 1 || size >= (uint64_t)row_bytes);
}

static void channels(uint32_t colour, unsigned char c[4]) {
    for (int i = 0; i < 4; i++) c[i] = (unsigned char)(colour >> (24 - 8 * i));
}

/// The four channels of a pixel in 16 bits each; in which order does not matter, being the same for all.
static inline uint64_t spread(const unsigned char *p) {
    uint32_t pixel;
    memcpy(&pixel, p, sizeof pixel);
    return (pixel & 0x00ff00ffu) | (uint64_t)(pixel >> 8 & 0x00ff00ffu) << 32;
}

/// The bits of n <= 64 pixels that are off by off or less from those at like, which are step bytes apart. The top
/// bit of 16 stays where nothing had to be borrowed.
static uint64_t match(const unsigned char *p, const unsigned char *like, int step, uint64_t off, int n) {
    const uint64_t top = UINT64_C(0x8000800080008000);
    uint64_t word = 0;
    for (int i = 0; i < n; i++, p += 4, like += step) {
        uint64_t a = spread(p), b = spread(like);
        uint64_t good = (((a + off) | top) - b) & (((b + off) | top) - a) & top;
        word |= (uint64_t)(good == top) << i;
    }
    return word;
}

static void match_rows(const pv__bits *bits, const unsigned char *p, ptrdiff_t pitch,
                       const pv_colour_match *m) {
    unsigned char colour[4], tolerance[4];
    channels(m->colour, colour);
    channels(m->tolerance, tolerance);
    uint64_t off = spread(tolerance);
    for (int y = 0; y < bits->h; y++)
        for (int x = 0; x < bits->w; x += 64) {
            int n = bits->w - x < 64 ? bits->w - x : 64;
            const unsigned char *like =
                m->other ? (const unsigned char *)m->other + y * m->other_pitch + 4 * x : colour;
            uint64_t word = match(p + y * pitch + 4 * x, like, m->other ? 4 : 0, off, n);
            if (m->others_solid) word ^= pv__pixels_of(bits->w, x >> 6);
            bits->words[(size_t)(x >> 6) * (size_t)bits->h + (size_t)y] = word;
        }
}

pv_mask *pv_mask_from_colour(const void *rgba, int width, int height, ptrdiff_t pitch, const pv_colour_match *m,
                             const pv_allocator *allocator, pv_status *status) {
    int64_t row = 4 * (int64_t)width;
    if (!m || !pv__rows_good(rgba, width, height, pitch, row) ||
        (m->other && !pv__rows_good(m->other, width, height, m->other_pitch, row)))
        return pv__say(status, PV_ERROR_ARGUMENT), NULL;
    pv_mask *mask = pv_mask_create(width, height, allocator, status);
    if (mask) match_rows(&mask->bits, rgba, pitch, m);
    return mask;
}

pv_status pv_mask_to_rgba(const pv_mask *mask, void *rgba, ptrdiff_t pitch, uint32_t solid, uint32_t empty) {
    unsigned char colours[2][4];
    if (!mask || !pv__rows_good(rgba, mask->bits.w, mask->bits.h, pitch, 4 * (int64_t)mask->bits.w))
        return PV_ERROR_ARGUMENT;
    channels(empty, colours[0]);
    channels(solid, colours[1]);
    for (int y = 0; mask->bits.w && y < mask->bits.h; y++) {
        unsigned char *p = (unsigned char *)rgba + y * pitch;
        for (int x = 0; x < mask->bits.w; x++, p += 4) memcpy(p, colours[pv__bits_get(&mask->bits, x, y)], 4);
    }
    return PV_OK;
}
