/* png.c - reads PNG files as RGBA images; the only file that uses stb_image.
 *
 * Invariant: stb_image reads only a plain PNG, rebuilt from the chunks that make up the picture,
 * with valid lengths, order and checksums. Other chunks are skipped as in libpng. It works in
 * zeroed memory under a budget. This rules out its known failures: bad checksums, palette entries
 * or memory never written, and gigabytes for a few bytes.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "base/base.h"
#include "config.h"
#endif

#include "base/thread.h"
#include "pixel/bits.h"
#include "pixel/file.h"
#include "pixel/png.h"

#include <limits.h>
#include <string.h>

/* ---- the decoder's memory ---- */

/// Header of each block: its size, which a free returns to the budget, and its neighbors in a ring.
typedef union png_block {
    struct {
        union png_block *before, *after;
        size_t size;
    } at;
    max_align_t align;
} png_block;

/// Memory that the decoder may still allocate in this call, and its blocks. The decoder leaks
/// blocks when memory runs out.
typedef struct budget {
    pv_allocator allocator;
    uint64_t left;
    /// True if the allocator, not the budget, refused memory
    bool no_memory;
    /// Head of the ring, without memory of its own
    png_block ring;
} budget;

/// Budget of the current call. stb_image passes no context to its allocator.
static PV__THREAD_LOCAL budget *current;

static void scratch_free(void *ptr) {
    if (!ptr) return;
    png_block *old = (png_block *)ptr - 1;
    old->at.before->at.after = old->at.after;
    old->at.after->at.before = old->at.before;
    current->left += old->at.size;
    pv__free(&current->allocator, old, 1, old->at.size + sizeof(png_block));
}

/// Allocates zeroed memory from the budget.
static void *scratch_alloc(size_t size) {
    if (size > current->left || size > SIZE_MAX - sizeof(png_block)) return NULL;
    png_block *new = pv__alloc(&current->allocator, 1, size + sizeof(png_block)),
              *ring = &current->ring;
    if (!new) {
        current->no_memory = true;
        return NULL;
    }
    current->left -= size;
    new->at.size = size;
    new->at.before = ring;
    new->at.after = ring->at.after;
    ring->at.after->at.before = new;
    ring->at.after = new;
    return new + 1;
}

static void *scratch_resize(void *ptr, size_t size) {
    void *new = scratch_alloc(size);
    if (!new || !ptr) return new;
    size_t had = ((png_block *)ptr - 1)->at.size;
    memcpy(new, ptr, had < size ? had : size);
    scratch_free(ptr);
    return new;
}

static void budget_open(budget *o, const pv_allocator *allocator, uint64_t bytes) {
    *o = (budget){.allocator = *allocator, .left = bytes};
    o->ring.at.before = o->ring.at.after = &o->ring;
    current = o;
}

static void budget_close(void) {
    while (current->ring.at.after != &current->ring) scratch_free(current->ring.at.after + 1);
    current = NULL;
}

#define STBI_MALLOC(size) scratch_alloc(size)
#define STBI_REALLOC(ptr, size) scratch_resize(ptr, size)
#define STBI_FREE(ptr) scratch_free(ptr)
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#define STBI_NO_FAILURE_STRINGS
#define STBI_MAX_DIMENSIONS PV__MAX_SIDE
#ifdef PIXVERLET_NO_THREADS
#define STBI_NO_THREAD_LOCALS
#endif
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
/* stb_image declares two static functions without definitions, which the compiler reports at the
 * end of this file. */
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb_image.h>

/* ---- limits and images ---- */

/// Greatest number of pixels of 16-bit RGBA that the decoder's own ints can hold.
#define DECODER_MAX_AREA ((int64_t)1 << 27)

pv_image_limits pv_image_limits_default(void) {
    return (pv_image_limits){
        .max_width = PV__MAX_SIDE,
        .max_height = PV__MAX_SIDE,
        .max_area = (int64_t)1 << 26,
        .max_file_size = (int64_t)1 << 28,
        .cookie = PV__COOKIE,
    };
}

static pv_image *image_make(pv_error *e, int width, int height, const pv_allocator *allocator) {
    pv_image *image = pv__alloc(allocator, 1, sizeof *image);
    unsigned char *pixels = image ? pv__alloc(allocator, (size_t)width * (size_t)height, 4) : NULL;
    if (!pixels) {
        pv__free(allocator, image, 1, sizeof *image);
        pv__error_set(e, PV_ERROR_MEMORY);
        return NULL;
    }
    *image = (pv_image){width, height, pixels, *allocator};
    return image;
}

pv_image *pv_image_create(int width, int height, const pv_image_limits *limits, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    pv_image_limits o = limits ? *limits : pv_image_limits_default();
    pv_allocator from = pv__allocator(&o.allocator);
    if (!pv__check_limits(e, &o, false) || !pv__check_size(e, "width", width, 1, o.max_width) ||
        !pv__check_size(e, "height", height, 1, o.max_height) ||
        !pv__check_most(e, "limits.max_area", "area", "the image", (int64_t)width * height,
                        o.max_area))
        return NULL;
    return image_make(e, width, height, &from);
}

void pv_image_destroy(pv_image *image) {
    if (!image) return;
    pv_allocator from = image->allocator;
    pv__free(&from, image->pixels, (size_t)image->width * (size_t)image->height, 4);
    pv__free(&from, image, 1, sizeof *image);
}

/* ---- the chunks of a PNG ---- */

#define TYPE(a, b, c, d)                                                                           \
    ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))
#define IHDR TYPE('I', 'H', 'D', 'R')
#define PLTE TYPE('P', 'L', 'T', 'E')
#define IDAT TYPE('I', 'D', 'A', 'T')
#define IEND TYPE('I', 'E', 'N', 'D')
#define OPTIONAL ((uint32_t)1 << 29)

static const unsigned char signature[8] = {137, 'P', 'N', 'G', 13, 10, 26, 10};

/// A chunk. It begins 8 bytes before its data.
typedef struct chunk {
    uint32_t type, size;
    const unsigned char *data;
} chunk;

/// First fault that matters: the chunk's type and place, and the end of the error text; null: none
typedef struct png_fault {
    uint32_t type;
    const unsigned char *at;
    const char *what;
} png_fault;

/// Contents of a file.
typedef struct contents {
    const unsigned char *start, *end;
    /// Header, palette and transparency found so far; size 0 stands for a chunk without effect
    chunk header, palette, transparency;
    /// Start of the first IDAT chunk
    const unsigned char *data;
    /// Size of the sound IDAT chunks from there on, together [bytes]
    size_t data_size;
    png_fault fault;
} contents;

static uint32_t big_endian(const unsigned char *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* The table is computed for each file: 2 us, and no state. */
void pv__png_crc_table(uint32_t table[256]) {
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
        table[i] = c;
    }
}

uint32_t pv__png_crc(const uint32_t table[256], const unsigned char *p, size_t n) {
    uint32_t c = 0xffffffffu;
    while (n--) c = table[(c ^ *p++) & 255] ^ c >> 8;
    return ~c;
}

/// Steps over the chunk at *at. Returns false at the end and for a truncated chunk.
static bool next_chunk(const unsigned char **at, const unsigned char *end, chunk *o) {
    size_t left = (size_t)(end - *at);
    *o = (chunk){0, 0, *at};
    if (left < 8) return false;
    *o = (chunk){big_endian(*at + 4), big_endian(*at), *at + 8};
    if (left < 12 || o->size > left - 12) return false;
    *at = o->data + o->size + 4;
    return true;
}

static bool has_sound_sum(const uint32_t table[256], const chunk *c) {
    return pv__png_crc(table, c->data - 4, (size_t)c->size + 4) == big_endian(c->data + c->size);
}

static bool is_named(const chunk *c) {
    for (int i = 1; i <= 4; i++) {
        int letter = c->data[-i] | 32;
        if (letter < 'a' || letter > 'z') return false;
    }
    return true;
}

static int bit_depth(const contents *o) { return o->header.data[8]; }
static int color_type(const contents *o) { return o->header.data[9]; }

/* The functions below return what is wrong with a chunk, or null. */

static const char *take_header(contents *o, const chunk *c) {
    /// Depths of each color type, or-ed
    static const unsigned char depths[7] = {31, 0, 24, 15, 24, 0, 24};
    if (o->header.data) return "there twice";
    o->header = *c;
    if (c->size != 13) return "of a wrong length";
    int depth = bit_depth(o), color = color_type(o);
    if (!big_endian(c->data) || !big_endian(c->data + 4)) return "no width or no height";
    if (color > 6 || depth & (depth - 1) || !(depth & depths[color]))
        return "no such depth and color type";
    return c->data[10] || c->data[11] || c->data[12] > 1 ? "an unknown method" : NULL;
}

/// Returns the size of the palette [bytes]. Colors that no index reaches are not counted.
static size_t palette_size(const contents *o) {
    size_t most = (size_t)3 << bit_depth(o);
    return o->palette.size < most ? o->palette.size : most;
}

/// Takes the palette. Gray pictures have no use for it, and true-color pictures ignore a bad one. A
/// good palette voids an earlier tRNS.
static const char *take_palette(contents *o, const chunk *c) {
    int color = color_type(o);
    bool fits = c->size <= 768 && c->size % 3 == 0;
    if (o->palette.data) return "there twice";
    o->palette = *c;
    if (color & 2 && (c->size == 0 || (color == 3 && !fits))) return "not 1 to 256 colors";
    if (color & 2 && fits) o->transparency.size = 0;
    return NULL;
}

/// Keeps the first tRNS that fits the color type.
static void take_transparency(contents *o, const chunk *c) {
    if (o->transparency.data) return;
    int color = color_type(o);
    if (color == 0   ? c->size == 2
        : color == 2 ? c->size == 6
                     : color == 3 && o->palette.data && c->size <= palette_size(o) / 3 && c->size)
        o->transparency = *c;
}

/// Takes a whole chunk before the data. Faults of chunks that a decoder may skip do not matter.
static const char *take(contents *o, const chunk *c, bool sound) {
    if (!is_named(c)) return "not a chunk";
    if (c->type & OPTIONAL) {
        if (c->type == TYPE('t', 'R', 'N', 'S') && sound && o->header.data) take_transparency(o, c);
        return NULL;
    }
    if (c->type == TYPE('C', 'g', 'B', 'I'))
        return "a picture for iOS, which only Apple's tools read";
    if (!sound) return "a wrong checksum";
    if (c->type == IHDR) return take_header(o, c);
    if (!o->header.data) return "before IHDR";
    return c->type == PLTE ? take_palette(o, c) : "a critical chunk of an unknown kind";
}

static bool fail(contents *o, uint32_t type, const unsigned char *at, const char *what) {
    o->fault = (png_fault){type, at, what};
    return false;
}

/// Adds up the data: all sound IDAT chunks in a row. Returns false if there are none.
static bool take_data(contents *o, const uint32_t table[256], const unsigned char *at) {
    chunk c;
    const unsigned char *start = o->data = at;
    for (; next_chunk(&at, o->end, &c) && c.type == IDAT && has_sound_sum(table, &c); start = at)
        o->data_size += c.size;
    if (c.type == IDAT) fail(o, IDAT, start, at == start ? "cut off" : "a wrong checksum");
    if (start == o->data || o->data_size == 0)
        return o->fault.what ? false : fail(o, IDAT, o->data, "no data");
    return true;
}

/// Walks over a file up to the end of its data. What follows does not matter.
static bool inspect(const unsigned char *data, size_t size, contents *o) {
    uint32_t table[256];
    chunk c;
    *o = (contents){.start = data + sizeof signature, .end = data + size};
    pv__png_crc_table(table);
    for (const unsigned char *at = o->start, *start = at;; start = at) {
        bool whole = next_chunk(&at, o->end, &c);
        bool header = o->header.data != NULL, palette = header && color_type(o) == 3;
        if (c.type == IDAT && header && (!palette || o->palette.data))
            return take_data(o, table, start);
        if (c.type == IDAT) return fail(o, header ? PLTE : IHDR, start, "missing");
        if (c.type == IEND || c.type == 0) return fail(o, header ? IDAT : IHDR, start, "missing");
        const char *what = whole ? take(o, &c, has_sound_sum(table, &c)) : "cut off";
        if (what) return fail(o, c.type, start, what);
    }
}

/* ---- the plain PNG for the decoder ---- */

/// Size of a palette [bytes]. A shorter palette is filled up with black, as the decoder does not
/// check indices.
#define PALETTE_SIZE 768
/// Signature, and size, type and checksum of up to five chunks, two of them with fixed sizes
/// [bytes].
#define PLAIN_OVERHEAD (8 + 5 * 12 + 13 + PALETTE_SIZE)

static size_t plain_size(const contents *o) {
    return PLAIN_OVERHEAD + o->transparency.size + o->data_size;
}

/// Writes the head of a chunk. The checksum stays 0, as the decoder does not read it.
static unsigned char *put_head(unsigned char *p, uint32_t type, size_t size) {
    return pv__png_put(pv__png_put(p, (uint32_t)size), type);
}

static unsigned char *put_chunk(unsigned char *p, const chunk *c, size_t padded) {
    if (!c->size) return p;
    p = put_head(p, c->type, padded);
    memcpy(p, c->data, c->size);
    return p + padded + 4;
}

/// Writes the plain PNG into zeroed memory. Joins all data into one chunk and leaves out chunks
/// that do not change pixels. Returns the place of the data.
static const unsigned char *put_plain(const contents *o, unsigned char *p) {
    int color = color_type(o), depth = bit_depth(o);
    memcpy(p, signature, sizeof signature);
    p = put_chunk(p + sizeof signature, &o->header, o->header.size);
    if (color == 3)
        p = put_chunk(p, &(chunk){PLTE, (uint32_t)palette_size(o), o->palette.data}, PALETTE_SIZE);
    p = put_chunk(p, &o->transparency, o->transparency.size);
    if (o->transparency.size && color == 0 && depth < 8) p[-5] &= (unsigned char)((1 << depth) - 1);
    p = put_head(p, IDAT, o->data_size);
    const unsigned char *at = o->data, *data = p, *end = p + o->data_size;
    for (chunk c; p < end && next_chunk(&at, o->end, &c); p += c.size) memcpy(p, c.data, c.size);
    put_head(p + 4, IEND, 0);
    return data;
}

/* ---- data that goes wrong after the picture ---- */

/// Most bytes that the decoder writes at once: a stored block
#define MOST_AT_ONCE 65535

/// Returns the size of the rows of a w x h picture, each with the byte of its filter [bytes].
static size_t scanlines_size(const contents *o, size_t w, size_t h) {
    static const unsigned char channels[7] = {1, 0, 3, 1, 2, 0, 4};
    size_t bits = (size_t)bit_depth(o) * channels[color_type(o)];
    return w && h ? h * (1 + (w * bits + 7) / 8) : 0;
}

/// Returns the size of the whole picture before compression [bytes]. If interlaced, it has seven
/// passes.
static size_t unpacked_size(const contents *o) {
    static const unsigned char x[7] = {0, 4, 0, 2, 0, 1, 0}, y[7] = {0, 0, 4, 0, 2, 0, 1},
                               dx[7] = {8, 8, 4, 4, 2, 2, 1}, dy[7] = {8, 8, 8, 4, 4, 2, 2};
    size_t w = big_endian(o->header.data), h = big_endian(o->header.data + 4), sum = 0;
    if (!o->header.data[12]) return scanlines_size(o, w, h);
    for (int i = 0; i < 7; i++)
        sum += scanlines_size(o, (w + dx[i] - 1 - x[i]) / dx[i], (h + dy[i] - 1 - y[i]) / dy[i]);
    return sum;
}

/// Unpacks the first size > 0 bytes. Returns false if there are fewer. The decoder does not tell
/// how far it got: the last byte was written if its former value makes no difference.
/// @param to room for MOST_AT_ONCE more
static bool unpack_rows(const unsigned char *data, size_t data_size, unsigned char *to,
                        size_t size) {
    for (int last = 0; last < 256; last += 255) {
        to[size - 1] = (unsigned char)last;
        stbi_zlib_decode_buffer((char *)to, (int)(size + MOST_AT_ONCE), (const char *)data,
                                (int)data_size);
        if (to[size - 1] != last) return true;
    }
    return false;
}

/// Returns the size of an IDAT chunk of uncompressed bytes, in blocks with heads of 5 bytes.
static size_t stored_size(size_t size) { return 12 + 2 + size + (size / MOST_AT_ONCE + 1) * 5; }

/// Writes that chunk, for next_chunk(). The decoder reads no checksum.
static void put_stored(unsigned char *p, const unsigned char *from, size_t size) {
    p = put_head(p, IDAT, stored_size(size) - 12);
    *p++ = 0x78, *p++ = 0x01;
    for (size_t n; size; p += n, from += n, size -= n) {
        n = size < MOST_AT_ONCE ? size : MOST_AT_ONCE;
        *p++ = n == size;
        for (int i = 0; i < 4; i++) *p++ = (unsigned char)((i < 2 ? n : ~n) >> i % 2 * 8);
        memcpy(p, from, n);
    }
}

/* ---- decoding ---- */

/// Source of an image, for the decoder and for error texts
typedef struct source {
    /// Path, or "png" for a place in memory
    const char *name;
    /// Parameter that names it
    const char *field;
    const unsigned char *data;
    size_t size;
    pv_image_limits limits;
    /// True for limits as a part of options
    bool in_options;
} source;

/// Returns the decoder's budget [bytes]: two copies of 16-bit RGBA, or four for an interlaced
/// picture. The decoder underestimates the size of an interlaced picture and doubles it.
static uint64_t budget_for(const contents *o, int64_t area, size_t size) {
    bool interlaced = o->header.data[12] != 0;
    return (uint64_t)area * (interlaced ? 32 : 16) + (uint64_t)size * 2 + 65536;
}

/// Fails because a source is not a PNG.
static pv_image *refuse(pv_error *e, const source *from) {
    static const unsigned char jpeg[3] = {0xff, 0xd8, 0xff};
    const char *what = "is not a PNG";
    if (from->size == 0)
        what = "is empty";
    else if (from->size >= sizeof jpeg && memcmp(from->data, jpeg, sizeof jpeg) == 0)
        what = "is a JPEG, not a PNG";
    pv__error_say(e, PV_ERROR_FORMAT, from->field, "%s %s", from->name, what);
    return NULL;
}

/// Fails because of a chunk.
static void tell_fault(pv_error *e, const source *from, const png_fault *fault) {
    char type[] = "????";
    for (int i = 0; i < 4; i++) {
        unsigned char c = (unsigned char)(fault->type >> (24 - 8 * i));
        if (c >= ' ' && c <= '~') type[i] = (char)c;
    }
    pv__error_say(e, PV_ERROR_FORMAT, from->field, "%s: %s at %zu: %s", from->name, type,
                  (size_t)(fault->at - from->data), fault->what);
}

/// Decodes the contents in the form of a plain PNG, and copies the picture out of the decoder's
/// memory. Returns null without an error if the data is damaged.
static pv_image *decode_plain(pv_error *e, const contents *o, const budget *may) {
    const pv_allocator *from = &may->allocator;
    size_t size = plain_size(o);
    unsigned char *plain = pv__alloc(from, 1, size);
    if (!plain) return pv__error_set(e, PV_ERROR_MEMORY), NULL;
    put_plain(o, plain);
    int w = 0, h = 0, channels = 0;
    stbi_uc *pixels = stbi_load_from_memory(plain, (int)size, &w, &h, &channels, 4);
    pv__free(from, plain, 1, size);
    if (!pixels && may->no_memory) return pv__error_set(e, PV_ERROR_MEMORY), NULL;
    pv_image *image = pixels ? image_make(e, w, h, from) : NULL;
    if (image) memcpy(image->pixels, pixels, (size_t)w * (size_t)h * 4);
    scratch_free(pixels);
    return image;
}

/// Does the same for data that goes wrong, or never ends, after the picture's last row.
static pv_image *decode_start(pv_error *e, const contents *o, budget *may) {
    const pv_allocator *from = &may->allocator;
    size_t size = unpacked_size(o), stored = stored_size(size), plain = plain_size(o);
    unsigned char *rows = pv__alloc(from, 1, size + MOST_AT_ONCE),
                  *packed = pv__alloc(from, 1, plain), *block = pv__alloc(from, 1, stored);
    pv_image *image = NULL;
    if (!rows || !packed || !block) {
        pv__error_set(e, PV_ERROR_MEMORY);
    } else if (unpack_rows(put_plain(o, packed), o->data_size, rows, size)) {
        put_stored(block, rows, size);
        contents mended = *o;
        mended.data = block, mended.end = block + stored, mended.data_size = stored - 12;
        may->left += 2 * stored;
        image = decode_plain(e, &mended, may);
    }
    pv__free(from, block, 1, stored);
    pv__free(from, packed, 1, plain);
    pv__free(from, rows, 1, size + MOST_AT_ONCE);
    return image;
}

static pv_image *decode(pv_error *e, const source *from) {
    const pv_image_limits *limits = &from->limits;
    contents o;
    if (from->size < sizeof signature || memcmp(from->data, signature, sizeof signature) != 0)
        return refuse(e, from);
    if (!inspect(from->data, from->size, &o)) return tell_fault(e, from, &o.fault), NULL;
    int64_t width = big_endian(o.header.data), height = big_endian(o.header.data + 4);
    int64_t area = limits->max_area < DECODER_MAX_AREA ? limits->max_area : DECODER_MAX_AREA;
    bool in = from->in_options;
    if (!pv__check_most(e, PV__LIMIT(in, max_width), "width", from->name, width,
                        limits->max_width) ||
        !pv__check_most(e, PV__LIMIT(in, max_height), "height", from->name, height,
                        limits->max_height) ||
        !pv__check_most(e, PV__LIMIT(in, max_area), "area", from->name, width * height, area))
        return NULL;
    budget may;
    budget_open(&may, &limits->allocator, budget_for(&o, width * height, from->size));
    pv_image *image = decode_plain(e, &o, &may);
    if (!image && !o.fault.what && e->status == PV_OK) image = decode_start(e, &o, &may);
    budget_close();
    if (image || e->status != PV_OK) return image;
    if (!o.fault.what) fail(&o, IDAT, o.data, "damaged data, or too few");
    return tell_fault(e, from, &o.fault), NULL;
}

/// Begins a source. Checks the limits, or the default ones for null, and sets the allocator.
static bool png_open(pv_error *e, source *o, const pv_image_limits *limits) {
    o->limits = limits ? *limits : pv_image_limits_default();
    o->limits.allocator = pv__allocator(&o->limits.allocator);
    return pv__check_pointer(e, o->field, o->name) &&
           pv__check_limits(e, &o->limits, o->in_options);
}

/// Checks the size of a file.
static bool check_size(pv_error *e, const source *o, uint64_t size) {
    const int64_t most = INT_MAX - PLAIN_OVERHEAD - 256;
    return pv__check_most(e, PV__LIMIT(o->in_options, max_file_size), "size", o->name,
                          size < INT64_MAX ? (int64_t)size : INT64_MAX,
                          o->limits.max_file_size < most ? o->limits.max_file_size : most);
}

pv_image *pv__image_load_memory(pv_error *e, const void *png, size_t size,
                                const pv_image_limits *limits, bool in_options) {
    source o = {.name = png ? "png" : NULL, .field = "png", .in_options = in_options};
    if (!png_open(e, &o, limits) || !check_size(e, &o, size)) return NULL;
    if (size == 0) return pv__error_say(e, PV_ERROR_FORMAT, "size", "size is 0"), NULL;
    o.data = png;
    o.size = size;
    return decode(e, &o);
}

pv_image *pv__image_load(pv_error *e, const char *path, const pv_image_limits *limits,
                         bool in_options) {
    source o = {.name = path, .field = "path", .in_options = in_options};
    int64_t bytes = 0;
    if (!png_open(e, &o, limits) || !pv__file_size(e, path, &bytes) ||
        !check_size(e, &o, (uint64_t)bytes))
        return NULL;
    if (bytes == 0) return refuse(e, &o);
    unsigned char *data = pv__alloc(&o.limits.allocator, 1, (size_t)bytes);
    if (!data) return pv__error_set(e, PV_ERROR_MEMORY), NULL;
    o.data = data;
    o.size = (size_t)bytes;
    pv_image *image = pv__file_read(e, path, data, o.size) ? decode(e, &o) : NULL;
    pv__free(&o.limits.allocator, data, 1, o.size);
    return image;
}

pv_image *pv_image_load_memory(const void *png, size_t size, const pv_image_limits *limits,
                               pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    return pv__image_load_memory(e, png, size, limits, false);
}

pv_image *pv_image_load(const char *path, const pv_image_limits *limits, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    return pv__image_load(e, path, limits, false);
}
