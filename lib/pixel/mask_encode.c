/* mask_encode.c - masks as bytes, as run lengths, and from colors.
 *
 * Invariant: shifts alone convert words to bytes, so these are the same on every machine. A stored
 * mask has one form only, and any changed or missing byte is detected.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixel/mask_encode.h"
#include "base/base.h"
#include "pixel/canvas.h"
#include "pixel/file.h"
#include "pixel/mask.h"
#include "pixel/mask_ops.h"

#include <inttypes.h>
#include <string.h>

/* ---- rows of bits ---- */

static int row_bytes(int w) { return (int)(((unsigned)w + 7) / 8); }

/// Returns the number of bytes of a row in the stripe that begins at x.
static int bytes_at(int w, int x) { return row_bytes(w - x < 64 ? w - x : 64); }

static void write_rows(const pv__bits *bits, unsigned char *rows, ptrdiff_t pitch,
                       pv_bit_order order) {
    const uint64_t *next = bits->words;
    for (int x = 0; x < bits->w; x += 64)
        for (int y = 0; y < bits->h; y++) {
            unsigned char *p = rows + y * pitch + x / 8;
            uint64_t word = order == PV_BITS_MSB_FIRST ? pv__mask_mirror_bytes(*next++) : *next++;
            for (int i = 0; i < bytes_at(bits->w, x); i++) p[i] = (unsigned char)(word >> (8 * i));
        }
}

/// Reads rows in the format of write_rows(). Tells whether the bits beyond the picture were 0, and
/// ignores them.
static bool read_rows(const pv__bits *bits, const unsigned char *rows, ptrdiff_t pitch,
                      pv_bit_order order) {
    uint64_t *next = bits->words, beside = 0;
    for (int x = 0; x < bits->w; x += 64) {
        uint64_t used = pv__bits_between(0, bits->w - x - 1);
        for (int y = 0; y < bits->h; y++) {
            const unsigned char *p = rows + y * pitch + x / 8;
            uint64_t word = 0;
            for (int i = 0; i < bytes_at(bits->w, x); i++) word |= (uint64_t)p[i] << (8 * i);
            if (order == PV_BITS_MSB_FIRST) word = pv__mask_mirror_bytes(word);
            beside |= word & ~used;
            *next++ = word & used;
        }
    }
    return !beside;
}

/// Checks rows of bits of a w x h mask, and their order.
static bool check_bits(pv_error *e, const void *rows, int w, int h, ptrdiff_t pitch,
                       pv_bit_order order) {
    static const pv__rows_names names = {"rows", "width", "height", "pitch"};
    return pv__check_range(e, "order", order, PV_BITS_MSB_FIRST, PV_BITS_LSB_FIRST) &&
           pv__check_rows(e, &names, rows, w, h, pitch, row_bytes(w));
}

pv_status pv_mask_to_bits(const pv_mask *mask, void *rows, ptrdiff_t pitch, pv_bit_order order) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    if (!pv__check_pointer(e, "mask", mask) ||
        !check_bits(e, rows, mask->bits.w, mask->bits.h, pitch, order))
        return e->status;
    write_rows(&mask->bits, rows, pitch, order);
    return PV_OK;
}

pv_mask *pv_mask_from_bits(const void *rows, int width, int height, ptrdiff_t pitch,
                           pv_bit_order order, const pv_allocator *allocator, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!check_bits(e, rows, width, height, pitch, order)) return NULL;
    pv_mask *mask = pv__mask_make_sized(e, width, height, allocator);
    if (mask) read_rows(&mask->bits, rows, pitch, order);
    return mask;
}

/* ---- stored masks ----
 *
 * Numbers have their lowest byte first. Offset, size [bytes] and content:
 * 0, 4: "PVMK" or "PVMR"
 * 4, 4: version, 1
 * 8, 4: width
 * 12, 4: height
 * 16: the rows from the top
 * end, 8: checksum of all bytes before it
 *
 * A row of PVMK has (width + 7) / 8 bytes, the lowest bit leftmost, and 0 beyond the picture. PVMR
 * stores masks that are shorter this way. A row has 2 bytes for the number of runs of solid pixels.
 * Each run has 2 bytes for its start and 2 for its end, from left to right (Cheng 2003, section
 * 5.3).
 */

#define ENCODE_HEAD 16
#define TAIL 8
#define MASK_VERSION 1
static const unsigned char magic[4] = {'P', 'V', 'M', 'K'}, magic_runs[4] = {'P', 'V', 'M', 'R'};

static void write_number(unsigned char *p, uint64_t number, int bytes) {
    for (int i = 0; i < bytes; i++) p[i] = (unsigned char)(number >> (8 * i));
}

static uint64_t read_number(const unsigned char *p, int bytes) {
    uint64_t number = 0;
    for (int i = 0; i < bytes; i++) number |= (uint64_t)p[i] << (8 * i);
    return number;
}

/// Computes FNV-1a of 64 bits (Fowler, Noll and Vo). Every byte permutes the sum, so one changed
/// byte always changes it.
static uint64_t checksum(const unsigned char *p, size_t size) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++) sum = (sum ^ p[i]) * UINT64_C(0x100000001b3);
    return sum;
}

static size_t rows_size(const pv__bits *bits) {
    return (size_t)row_bytes(bits->w) * (size_t)bits->h;
}

static size_t runs_size(const pv__bits *bits) {
    size_t size = 2 * (size_t)bits->h;
    for (int y = 0; y < bits->h; y++)
        for (pv__run r = {0, 0}; pv__mask_run_next(bits, y, &r);) size += 4;
    return size;
}

static void write_runs(const pv__bits *bits, unsigned char *p) {
    for (int y = 0; y < bits->h; y++) {
        unsigned char *count = p;
        unsigned runs = 0;
        p += 2;
        for (pv__run r = {0, 0}; pv__mask_run_next(bits, y, &r); runs++, p += 4) {
            write_number(p, (uint64_t)r.start, 2);
            write_number(p + 2, (uint64_t)r.end, 2);
        }
        write_number(count, runs, 2);
    }
}

/// Fills row y from the runs at *p, and advances *p. Returns false for runs that do not fit,
/// overlap or touch.
static bool read_row_of_runs(pv_mask *mask, int y, const unsigned char **p,
                             const unsigned char *end) {
    if (end - *p < 2) return false;
    int64_t runs = (int64_t)read_number(*p, 2), past = -1;
    *p += 2;
    if (end - *p < 4 * runs) return false;
    for (; runs > 0; runs--, *p += 4) {
        int64_t from = (int64_t)read_number(*p, 2), to = (int64_t)read_number(*p + 2, 2);
        if (from <= past || to <= from || to > mask->bits.w) return false;
        pv_mask_fill_rect(mask, (pv_rect){(int)from, y, (int)(to - from), 1}, true);
        past = to;
    }
    return true;
}

static bool read_runs(pv_mask *mask, const unsigned char *p, const unsigned char *end) {
    for (int y = 0; y < mask->bits.h; y++)
        if (!read_row_of_runs(mask, y, &p, end)) return false;
    return p == end;
}

size_t pv_mask_serialize(const pv_mask *mask, void *buffer, size_t capacity) {
    if (!mask) return 0;
    const pv__bits *bits = &mask->bits;
    size_t rows = rows_size(bits), runs = runs_size(bits);
    size_t body = ENCODE_HEAD + (runs < rows ? runs : rows);
    if (!buffer || capacity < body + TAIL) return body + TAIL;
    unsigned char *p = buffer;
    memcpy(p, runs < rows ? magic_runs : magic, sizeof magic);
    write_number(p + 4, MASK_VERSION, 4);
    write_number(p + 8, (uint64_t)bits->w, 4);
    write_number(p + 12, (uint64_t)bits->h, 4);
    if (runs < rows)
        write_runs(bits, p + ENCODE_HEAD);
    else
        write_rows(bits, p + ENCODE_HEAD, row_bytes(bits->w), PV_BITS_LSB_FIRST);
    write_number(p + body, checksum(p, body), TAIL);
    return body + TAIL;
}

static bool is_runs(const unsigned char *p) {
    return memcmp(p, magic_runs, sizeof magic_runs) == 0;
}

static bool refuse(pv_error *e, const char *what) {
    return pv__error_say(e, PV_ERROR_FORMAT, "bytes", "bytes %s", what) == PV_OK;
}

/// Checks that the bytes are complete. The sizes are compared before any row is read. The reader
/// checks that the form is the shorter one.
static bool check(pv_error *e, const unsigned char *p, size_t size) {
    if (size < ENCODE_HEAD + TAIL)
        return pv__error_say(e, PV_ERROR_FORMAT, "size",
                             "size is %zu, a stored mask has %d or more", size,
                             ENCODE_HEAD + TAIL) == PV_OK;
    if (memcmp(p, magic, sizeof magic) != 0 && !is_runs(p)) return refuse(e, "are no stored mask");
    if (read_number(p + 4, 4) != MASK_VERSION) return refuse(e, "are a mask of another version");
    uint64_t w = read_number(p + 8, 4), h = read_number(p + 12, 4), row = (w + 7) / 8,
             body = size - ENCODE_HEAD - TAIL;
    bool whole = is_runs(p) ? 2 * h <= body : row * h == body; /* below 2^62 */
    return (whole && checksum(p, size - TAIL) == read_number(p + size - TAIL, TAIL)) ||
           refuse(e, "are a damaged mask");
}

pv_mask *pv_mask_deserialize(const void *bytes, size_t size, const pv_allocator *allocator,
                             pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    const unsigned char *p = bytes;
    if (!pv__check_pointer(e, "bytes", bytes) || !check(e, p, size)) return NULL;
    int64_t w = (int64_t)read_number(p + 8, 4), h = (int64_t)read_number(p + 12, 4);
    pv_mask *mask = pv__mask_make_for(e, "bytes", w, h, allocator);
    if (!mask) return NULL;
    bool good = is_runs(p)
                    ? read_runs(mask, p + ENCODE_HEAD, p + size - TAIL)
                    : read_rows(&mask->bits, p + ENCODE_HEAD, row_bytes((int)w), PV_BITS_LSB_FIRST);
    if (good && is_runs(p) == (runs_size(&mask->bits) < rows_size(&mask->bits))) return mask;
    pv_mask_release(mask);
    refuse(e, "are a damaged mask");
    return NULL;
}

/* ---- masks from colors, and colors from masks ----
 *
 * Invariant: all four channels of a pixel are compared at once, in fields of 16 bits without borrow
 * or carry. Bits at x >= w are zero.
 */

/// Spreads the four channels of a pixel into 16 bits each. Their order is the same in all calls, so
/// it does not matter.
static inline uint64_t color_spread(const unsigned char *p) {
    uint32_t pixel;
    memcpy(&pixel, p, sizeof pixel);
    return (pixel & 0x00ff00ffu) | (uint64_t)(pixel >> 8 & 0x00ff00ffu) << 32;
}

/// Returns the bits of n <= 64 pixels within a tolerance of the pixels at like, which are step
/// bytes apart. A field's top bit stays set where the subtraction did not borrow.
static uint64_t color_match(const unsigned char *p, const unsigned char *like, int step,
                            uint64_t off, int n) {
    const uint64_t top = UINT64_C(0x8000800080008000);
    uint64_t word = 0;
    for (int i = 0; i < n; i++, p += 4, like += step) {
        uint64_t a = color_spread(p), b = color_spread(like);
        uint64_t good = (((a + off) | top) - b) & (((b + off) | top) - a) & top;
        word |= (uint64_t)(good == top) << i;
    }
    return word;
}

static void match_rows(const pv__bits *bits, const unsigned char *p, ptrdiff_t pitch,
                       const pv_color_match *m) {
    pv__texel color = pv__canvas_texel_of(m->color);
    uint64_t off = color_spread(pv__canvas_texel_of(m->tolerance).c);
    for (int y = 0; y < bits->h; y++)
        for (int x = 0; x < bits->w; x += 64) {
            int n = bits->w - x < 64 ? bits->w - x : 64;
            const unsigned char *like =
                m->reference ? (const unsigned char *)m->reference + y * m->reference_pitch + 4 * x
                             : color.c;
            uint64_t word = color_match(p + y * pitch + 4 * x, like, m->reference ? 4 : 0, off, n);
            if (m->invert) word ^= pv__bits_between(0, bits->w - x - 1);
            *pv__bits_at(bits, x, y) = word;
        }
}

pv_mask *pv_mask_from_color(const void *rgba, int width, int height, ptrdiff_t pitch,
                            const pv_color_match *m, const pv_allocator *allocator,
                            pv_error *error) {
    static const pv__rows_names reference = {"match.reference", "width", "height",
                                             "match.reference_pitch"};
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    int64_t row = 4 * (int64_t)width;
    if (!pv__check_pointer(e, "match", m) ||
        !pv__check_rows(e, &pv__rgba_rows, rgba, width, height, pitch, row) ||
        (m->reference &&
         !pv__check_rows(e, &reference, m->reference, width, height, m->reference_pitch, row)))
        return NULL;
    pv_mask *mask = pv__mask_make_sized(e, width, height, allocator);
    if (mask) match_rows(&mask->bits, rgba, pitch, m);
    return mask;
}

pv_status pv_mask_to_rgba(const pv_mask *mask, void *rgba, ptrdiff_t pitch, uint32_t solid,
                          uint32_t empty) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    const pv__texel colors[2] = {pv__canvas_texel_of(empty), pv__canvas_texel_of(solid)};
    if (!pv__check_pointer(e, "mask", mask) ||
        !pv__check_rows(e, &pv__rgba_rows, rgba, mask->bits.w, mask->bits.h, pitch,
                        4 * (int64_t)mask->bits.w))
        return e->status;
    for (int y = 0; mask->bits.w && y < mask->bits.h; y++) {
        unsigned char *p = (unsigned char *)rgba + y * pitch;
        for (int x = 0; x < mask->bits.w; x++, p += 4)
            memcpy(p, colors[pv__bits_get(&mask->bits, x, y)].c, 4);
    }
    return PV_OK;
}
