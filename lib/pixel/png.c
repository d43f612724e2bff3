/* png.c - reads PNG files as RGBA images; the only file that uses stb_image.
 *
 * Invariant: stb_image reads only a plain PNG, rewritten from a file whose chunks, lengths, order
 * and checksums are valid. It works in zeroed memory under a budget. This excludes its known
 * failures: bad checksums, palette entries or memory never written, and gigabytes for a few bytes.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "base/base.h"
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
    /// Flag of a refusal by the allocator, not by the budget
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
#define TRNS TYPE('t', 'R', 'N', 'S')
#define IDAT TYPE('I', 'D', 'A', 'T')
#define IEND TYPE('I', 'E', 'N', 'D')
#define OPTIONAL ((uint32_t)1 << 29)

static const unsigned char signature[8] = {137, 'P', 'N', 'G', 13, 10, 26, 10};

typedef struct chunk {
    uint32_t type, size;
    const unsigned char *data;
} chunk;

/// Contents of a file.
typedef struct contents {
    const unsigned char *start, *end;
    chunk header, palette, transparency;
    /// Size of all IDAT chunks together [bytes]
    size_t data_size;
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

/// Steps over the chunk at *at. Returns false at the end and for a truncated chunk. With a table it
/// verifies the checksum.
static bool next_chunk(const unsigned char **at, const unsigned char *end, const uint32_t *table,
                       chunk *o) {
    size_t left = (size_t)(end - *at);
    if (left < 12) return false;
    *o = (chunk){big_endian(*at + 4), big_endian(*at), *at + 8};
    if (o->size > left - 12) return false;
    *at = o->data + o->size + 4;
    return !table ||
           pv__png_crc(table, o->data - 4, (size_t)o->size + 4) == big_endian(o->data + o->size);
}

static int color_type(const contents *o) { return o->header.data[9]; }

static bool take_header(contents *o, const chunk *c) {
    o->header = *c;
    return c->size == 13 && big_endian(c->data) && big_endian(c->data + 4);
}

static bool take_palette(contents *o, const chunk *c) {
    if (o->palette.data || o->transparency.data || o->data_size) return false;
    o->palette = *c;
    return c->size > 0 && c->size <= 768 && c->size % 3 == 0;
}

static bool take_transparency(contents *o, const chunk *c) {
    if (o->transparency.data || o->data_size) return false;
    o->transparency = *c;
    switch (color_type(o)) {
    case 0: return c->size == 2;
    case 2: return c->size == 6;
    case 3: return c->size <= o->palette.size / 3;
    default: return false;
    }
}

static bool png_take(contents *o, const chunk *c) {
    if ((c->type == IHDR) != !o->header.data) return false;
    switch (c->type) {
    case IHDR: return take_header(o, c);
    case PLTE: return take_palette(o, c);
    case TRNS: return take_transparency(o, c);
    case IDAT: o->data_size += c->size; return true;
    default: return c->type & OPTIONAL || c->type == IEND;
    }
}

/// Walks over the whole file. Returns false for any violation of the format.
static bool inspect(const unsigned char *data, size_t size, contents *o) {
    uint32_t table[256];
    chunk c = {0, 0, NULL};
    if (size < sizeof signature || memcmp(data, signature, sizeof signature) != 0) return false;
    *o = (contents){.start = data + sizeof signature, .end = data + size};
    pv__png_crc_table(table);
    for (const unsigned char *at = o->start; c.type != IEND;)
        if (!next_chunk(&at, o->end, table, &c) || !png_take(o, &c)) return false;
    return o->data_size > 0 && (color_type(o) != 3 || o->palette.data);
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
    for (int i = 0; i < 4; i++) {
        p[i] = (unsigned char)(size >> (24 - 8 * i));
        p[4 + i] = (unsigned char)(type >> (24 - 8 * i));
    }
    return p + 8;
}

static unsigned char *put_chunk(unsigned char *p, const chunk *c, size_t padded) {
    if (!c->data) return p;
    p = put_head(p, c->type, padded);
    memcpy(p, c->data, c->size);
    return p + padded + 4;
}

/// Joins all data into one chunk and leaves out chunks that do not change pixels. The memory is
/// zeroed.
static void put_plain(const contents *o, unsigned char *p) {
    memcpy(p, signature, sizeof signature);
    p = put_chunk(p + sizeof signature, &o->header, o->header.size);
    if (color_type(o) == 3) p = put_chunk(p, &o->palette, PALETTE_SIZE);
    p = put_chunk(p, &o->transparency, o->transparency.size);
    p = put_head(p, IDAT, o->data_size);
    chunk c;
    for (const unsigned char *at = o->start; next_chunk(&at, o->end, NULL, &c) && c.type != IEND;)
        if (c.type == IDAT) {
            memcpy(p, c.data, c.size);
            p += c.size;
        }
    put_head(p + 4, IEND, 0);
}

/* ---- decoding ---- */

/// Source of an image, for the decoder and for sentences
typedef struct png_source {
    /// Path, or "png" for a place in memory
    const char *name;
    /// Parameter that names it
    const char *field;
    const unsigned char *data;
    size_t size;
    pv_image_limits limits;
    /// True for limits as a part of options
    bool in_options;
} png_source;

/// Returns the decoder's budget: two copies of 16-bit RGBA, or four for an interlaced picture. The
/// decoder underestimates an interlaced picture's size and doubles it [bytes].
static uint64_t budget_for(const contents *o, int64_t area, size_t size) {
    bool interlaced = o->header.data[12] != 0;
    return (uint64_t)area * (interlaced ? 32 : 16) + (uint64_t)size * 2 + 65536;
}

/// Fails because of the content of a source.
static pv_image *png_refuse(pv_error *e, const png_source *from) {
    static const unsigned char jpeg[3] = {0xff, 0xd8, 0xff};
    const char *what = "is not a PNG";
    if (from->size == 0)
        what = "is empty";
    else if (from->size >= sizeof jpeg && memcmp(from->data, jpeg, sizeof jpeg) == 0)
        what = "is a JPEG, not a PNG";
    else if (from->size >= sizeof signature && memcmp(from->data, signature, sizeof signature) == 0)
        what = "is a damaged PNG";
    pv__error_say(e, PV_ERROR_FORMAT, from->field, "%s %s", from->name, what);
    return NULL;
}

/// Decodes the plain PNG and copies the picture out of the decoder's memory.
static pv_image *decode_plain(pv_error *e, const png_source *from, const unsigned char *plain,
                              size_t size, const budget *may) {
    int w = 0, h = 0, channels = 0;
    stbi_uc *pixels = stbi_load_from_memory(plain, (int)size, &w, &h, &channels, 4);
    if (!pixels && may->no_memory) return pv__error_set(e, PV_ERROR_MEMORY), NULL;
    if (!pixels) return png_refuse(e, from);
    pv_image *image = image_make(e, w, h, &may->allocator);
    if (image) memcpy(image->pixels, pixels, (size_t)w * (size_t)h * 4);
    return image;
}

static pv_image *decode(pv_error *e, const png_source *from) {
    const pv_image_limits *limits = &from->limits;
    contents o;
    if (!inspect(from->data, from->size, &o)) return png_refuse(e, from);
    int64_t width = big_endian(o.header.data), height = big_endian(o.header.data + 4);
    int64_t area = limits->max_area < DECODER_MAX_AREA ? limits->max_area : DECODER_MAX_AREA;
    bool in = from->in_options;
    if (!pv__check_most(e, PV__LIMIT(in, max_width), "width", from->name, width,
                        limits->max_width) ||
        !pv__check_most(e, PV__LIMIT(in, max_height), "height", from->name, height,
                        limits->max_height) ||
        !pv__check_most(e, PV__LIMIT(in, max_area), "area", from->name, width * height, area))
        return NULL;
    size_t plain_bytes = plain_size(&o);
    unsigned char *plain = pv__alloc(&limits->allocator, 1, plain_bytes);
    if (!plain) return pv__error_set(e, PV_ERROR_MEMORY), NULL;
    put_plain(&o, plain);
    budget may;
    budget_open(&may, &limits->allocator, budget_for(&o, width * height, from->size));
    pv_image *image = decode_plain(e, from, plain, plain_bytes, &may);
    budget_close();
    pv__free(&limits->allocator, plain, 1, plain_bytes);
    return image;
}

/// Begins a source. Checks the limits, or the default ones for null, and sets the allocator.
static bool png_open(pv_error *e, png_source *o, const pv_image_limits *limits) {
    o->limits = limits ? *limits : pv_image_limits_default();
    o->limits.allocator = pv__allocator(&o->limits.allocator);
    return pv__check_pointer(e, o->field, o->name) &&
           pv__check_limits(e, &o->limits, o->in_options);
}

/// Checks the size of a file.
static bool png_check_size(pv_error *e, const png_source *o, uint64_t size) {
    const int64_t most = INT_MAX - PLAIN_OVERHEAD - 256;
    return pv__check_most(e, PV__LIMIT(o->in_options, max_file_size), "size", o->name,
                          size < INT64_MAX ? (int64_t)size : INT64_MAX,
                          o->limits.max_file_size < most ? o->limits.max_file_size : most);
}

pv_image *pv__image_load_memory(pv_error *e, const void *png, size_t size,
                                const pv_image_limits *limits, bool in_options) {
    png_source o = {.name = png ? "png" : NULL, .field = "png", .in_options = in_options};
    if (!png_open(e, &o, limits) || !png_check_size(e, &o, size)) return NULL;
    if (size == 0) return pv__error_say(e, PV_ERROR_FORMAT, "size", "size is 0"), NULL;
    o.data = png;
    o.size = size;
    return decode(e, &o);
}

pv_image *pv__image_load(pv_error *e, const char *path, const pv_image_limits *limits,
                         bool in_options) {
    png_source o = {.name = path, .field = "path", .in_options = in_options};
    int64_t bytes = 0;
    if (!png_open(e, &o, limits) || !pv__file_size(e, path, &bytes) ||
        !png_check_size(e, &o, (uint64_t)bytes))
        return NULL;
    if (bytes == 0) return png_refuse(e, &o);
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
