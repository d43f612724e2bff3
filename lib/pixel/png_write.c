/* png_write.c - writes images as PNG files: filtered rows in a zlib stream with fixed codes.
 *
 * Invariant: all decisions use integers, so an image gives the same file on every machine. Memory
 * does not grow with the image: rows are packed in blocks, and each block is one chunk of the file.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/base.h"
#include "pixel/bits.h"
#include "pixel/canvas.h"
#include "pixel/mask_encode.h"
#include "pixel/png.h"

#include <stdio.h>
#include <string.h>

/// Number of bytes of filtered rows in a block; more than the widest row.
#define PACK_BLOCK (1 << 18)
/// Greatest number of bytes of a chunk: 9 bits per byte, and some for its frame and both ends.
#define PACK_CHUNK (PACK_BLOCK / 8 * 9 + 64)
#define PACK_HASH_BITS 14
/// Least length of a repetition that is stored as one.
#define PACK_LEAST 4
/// Greatest length with codes of the common form; 258 has its own.
#define PACK_MOST 257
#define PACK_WINDOW 32768

/// A file that is being written.
typedef struct packer {
    FILE *file;
    uint32_t crc_table[256];
    /// Halves of the checksum of Adler-32
    uint32_t sum, sums;
    /// Bits that do not fill a byte yet, the first one lowest
    uint32_t bits;
    int bit_count;
    /// Number of bytes in rows[] and in chunk[]; the first 8 of the chunk are its head
    size_t row_bytes, chunk_bytes;
    /// Last place of each hash in rows[]; -1 for none
    int last[1 << PACK_HASH_BITS];
    unsigned char rows[PACK_BLOCK], chunk[PACK_CHUNK];
} packer;

/* ---- chunks ---- */

/// Writes the chunk in memory, with its head in the room before it, and begins the next one.
static void write_chunk(packer *p, const char *type) {
    pv__png_put(p->chunk, (uint32_t)p->chunk_bytes - 8);
    memcpy(p->chunk + 4, type, 4);
    pv__png_put(p->chunk + p->chunk_bytes,
                pv__png_crc(p->crc_table, p->chunk + 4, p->chunk_bytes - 4));
    fwrite(p->chunk, 1, p->chunk_bytes + 4, p->file);
    p->chunk_bytes = 8;
}

static void write_header(packer *p, int width, int height) {
    static const unsigned char format[5] = {8, 6, 0, 0, 0};
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, p->file);
    unsigned char *to = pv__png_put(pv__png_put(p->chunk + 8, (uint32_t)width), (uint32_t)height);
    memcpy(to, format, sizeof format);
    p->chunk_bytes = 8 + 13;
    write_chunk(p, "IHDR");
}

/* ---- codes (RFC 1951) ---- */

static void pack_bits(packer *p, uint32_t bits, int count) {
    p->bits |= bits << p->bit_count;
    for (p->bit_count += count; p->bit_count >= 8; p->bit_count -= 8, p->bits >>= 8)
        p->chunk[p->chunk_bytes++] = (unsigned char)p->bits;
}

/// Adds a code of up to 8 bits, its highest bit first.
static void pack_code(packer *p, unsigned code, int count) {
    pack_bits(p, (uint32_t)pv__mask_mirror_bytes(code << (8 - count)), count);
}

/// Adds a literal byte, the end 256, or the symbol of a length.
static void pack_symbol(packer *p, unsigned symbol) {
    if (symbol < 144)
        pack_code(p, 0x30 + symbol, 8);
    else if (symbol < 256)
        pack_bits(p, 1, 1), pack_code(p, 0x90 + symbol - 144, 8);
    else if (symbol < 280)
        pack_code(p, symbol - 256, 7);
    else
        pack_code(p, 0xc0 + symbol - 280, 8);
}

/// Splits a number into a symbol and the lower bits that go with it. Symbols have 2^keep numbers
/// each, doubled with every 2^keep symbols.
static unsigned split(unsigned number, int keep, int *lower) {
    int highest = 31 - __builtin_clz(number | 1);
    *lower = highest > keep ? highest - keep : 0;
    return ((unsigned)*lower << keep) + (number >> *lower);
}

static void repetition(packer *p, unsigned length, unsigned distance) {
    int lower;
    pack_symbol(p, 257 + split(length - 3, 2, &lower));
    pack_bits(p, (length - 3) & ((1u << lower) - 1), lower);
    pack_code(p, split(distance - 1, 1, &lower), 5);
    pack_bits(p, (distance - 1) & ((1u << lower) - 1), lower);
}

/* ---- blocks ---- */

/// Returns the entry for the last place with the hash of the four bytes at i.
static int *place(packer *p, size_t i) {
    const unsigned char *at = p->rows + i;
    uint32_t next = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    return &p->last[(next * 2654435761u) >> (32 - PACK_HASH_BITS)];
}

/// Returns the number of bytes at i that repeat those at an earlier place.
static size_t pack_length(const packer *p, int from, size_t i) {
    if (from < 0 || i - (size_t)from > PACK_WINDOW) return 0;
    size_t most = p->row_bytes - i < PACK_MOST ? p->row_bytes - i : PACK_MOST, length = 0;
    while (length < most && p->rows[(size_t)from + length] == p->rows[i + length]) length++;
    return length;
}

/// Packs the rows of a block, and begins the next block.
static void block(packer *p) {
    memset(p->last, 0xff, sizeof p->last);
    for (size_t i = 0, end; i < p->row_bytes; i = end) {
        int from = i + PACK_LEAST <= p->row_bytes ? *place(p, i) : -1;
        size_t length = pack_length(p, from, i);
        if (length >= PACK_LEAST)
            repetition(p, (unsigned)length, (unsigned)(i - (size_t)from));
        else
            pack_symbol(p, p->rows[i]), length = 1;
        end = i + length;
        for (size_t k = i; k < end && k + PACK_LEAST <= p->row_bytes; k++) *place(p, k) = (int)k;
    }
    for (size_t i = 0; i < p->row_bytes; i++) {
        p->sum = (p->sum + p->rows[i]) % 65521;
        p->sums = (p->sums + p->sum) % 65521;
    }
    p->row_bytes = 0;
}

/* ---- rows ---- */

static int paeth(int a, int b, int c) {
    int to_a = b > c ? b - c : c - b, to_b = a > c ? a - c : c - a, d = a + b - 2 * c;
    int to_c = d < 0 ? -d : d;
    return to_a <= to_b && to_a <= to_c ? a : to_b <= to_c ? b : c;
}

/// Filters a row by one of the five filters, and returns the sum of the sizes of its bytes.
/// @param above null: black
static int64_t pack_filter(unsigned char *to, const unsigned char *row, const unsigned char *above,
                           int size, int filter) {
    int64_t sum = 0;
    *to++ = (unsigned char)filter;
    for (int i = 0; i < size; i++) {
        int a = i < 4 ? 0 : row[i - 4], b = above ? above[i] : 0,
            c = i < 4 || !above ? 0 : above[i - 4], by = 0;
        switch (filter) {
        case 1: by = a; break;
        case 2: by = b; break;
        case 3: by = (a + b) / 2; break;
        case 4: by = paeth(a, b, c); break;
        default: break;
        }
        unsigned char byte = (unsigned char)(row[i] - by);
        to[i] = byte;
        sum += byte < 128 ? byte : 256 - byte;
    }
    return sum;
}

/// Adds a row with the filter that leaves the smallest bytes.
static void row_of(packer *p, const pv_image *image, int y) {
    int size = image->width * 4, best = 0;
    if (p->row_bytes + (size_t)size + 1 > PACK_BLOCK) {
        block(p);
        write_chunk(p, "IDAT");
    }
    const unsigned char *row = image->pixels + (size_t)y * (size_t)size,
                        *above = y > 0 ? row - size : NULL;
    unsigned char *to = p->rows + p->row_bytes;
    int64_t least = INT64_MAX;
    for (int filter = 0; filter < 5; filter++) {
        int64_t sum = pack_filter(to, row, above, size, filter);
        if (sum < least) least = sum, best = filter;
    }
    pack_filter(to, row, above, size, best);
    p->row_bytes += (size_t)size + 1;
}

static void pack_image(packer *p, const pv_image *image) {
    pv__png_crc_table(p->crc_table);
    p->sum = 1;
    write_header(p, image->width, image->height);
    pack_bits(p, 0x0178, 16); /* zlib's header */
    pack_bits(p, 3, 3);       /* a single block of fixed codes */
    for (int y = 0; y < image->height; y++) row_of(p, image, y);
    block(p);
    pack_symbol(p, 256);
    if (p->bit_count > 0) pack_bits(p, 0, 8 - p->bit_count);
    pv__png_put(p->chunk + p->chunk_bytes, p->sums << 16 | p->sum);
    p->chunk_bytes += 4;
    write_chunk(p, "IDAT");
    write_chunk(p, "IEND");
}

pv_status pv_image_save(const pv_image *image, const char *path) {
    if (!path || !pv__canvas_is_drawable(image)) return PV_ERROR_ARGUMENT;
    pv_allocator from = pv__allocator(&image->allocator);
    packer *p = pv__alloc(&from, 1, sizeof *p);
    if (!p) return PV_ERROR_MEMORY;
    p->file = fopen(path, "wb");
    bool good = p->file;
    if (good) {
        pack_image(p, image);
        good = !ferror(p->file);
        good = fclose(p->file) == 0 && good;
    }
    pv__free(&from, p, 1, sizeof *p);
    return good ? PV_OK : PV_ERROR_FILE_WRITE;
}
