/* test_png.c - the PNG decoder and writer, against libpng and all kinds of bad files.
 *
 * Invariant: libpng writes and reads the good files. Bad files are assembled here, with checksums
 * from this file, so that each has exactly one error. Decoding runs on memory of exactly the file's
 * size, with an allocator that counts.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/base.h"
#include "libpng.h"
#include "support.h"

#include <limits.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- bytes ---- */

/// File in memory
typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

static void drop_bytes(bytes *b) { free(b->data); }
#define scoped_bytes __attribute__((cleanup(drop_bytes))) bytes

static void append(bytes *to, const void *data, size_t size) {
    to->data = realloc(to->data, to->size + size + 1);
    if (size) memcpy(to->data + to->size, data, size);
    to->size += size;
}

static void put32(bytes *to, uint32_t value) {
    unsigned char b[4] = {(unsigned char)(value >> 24), (unsigned char)(value >> 16),
                          (unsigned char)(value >> 8), (unsigned char)value};
    append(to, b, 4);
}

/// Computes a checksum bit by bit, as the PNG standard defines it.
static uint32_t checksum(const unsigned char *p, size_t n) {
    uint32_t c = 0xffffffffu;
    for (size_t i = 0; i < n; i++) {
        c ^= p[i];
        for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
    }
    return ~c;
}

static void put_chunk(bytes *to, const char *type, const void *data, size_t size) {
    put32(to, (uint32_t)size);
    size_t start = to->size;
    append(to, type, 4);
    append(to, data, size);
    put32(to, checksum(to->data + start, size + 4));
}

static bytes signature(void) {
    bytes o = {NULL, 0};
    append(&o, "\211PNG\r\n\032\n", 8);
    return o;
}

/// @param methods compression, filters and interlacing, a byte each
static void put_header(bytes *to, uint32_t w, uint32_t h, int depth, int color, uint32_t methods) {
    scoped_bytes o = {NULL, 0};
    put32(&o, w);
    put32(&o, h);
    append(&o, (unsigned char[]){(unsigned char)depth, (unsigned char)color}, 2);
    append(&o, (unsigned char[]){methods >> 16 & 255, methods >> 8 & 255, methods & 255}, 3);
    put_chunk(to, "IHDR", o.data, 13);
}

/// Returns data as zlib stores it uncompressed.
static bytes stored(const unsigned char *data, size_t size) {
    bytes o = {NULL, 0};
    uint32_t a = 1, b = 0;
    append(&o, "\x78\x01", 2);
    for (size_t i = 0; i <= size; i += 65535) {
        size_t n = size - i < 65535 ? size - i : 65535;
        unsigned char head[5] = {i + n == size, n & 255, (unsigned char)(n >> 8), ~n & 255,
                                 (unsigned char)(~n >> 8)};
        append(&o, head, 5);
        append(&o, data + i, n);
    }
    for (size_t i = 0; i < size; i++) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    put32(&o, b << 16 | a);
    return o;
}

static void put_data(bytes *to, const unsigned char *data, size_t size) {
    scoped_bytes o = stored(data, size);
    put_chunk(to, "IDAT", o.data, o.size);
}

/// Returns a file with a header and one chunk of data.
static bytes png_of(uint32_t w, uint32_t h, int depth, int color, int interlace,
                    const unsigned char *rows, size_t size) {
    bytes o = signature();
    put_header(&o, w, h, depth, color, interlace);
    put_data(&o, rows, size);
    put_chunk(&o, "IEND", NULL, 0);
    return o;
}

/// Returns a file of 4 x 3 RGBA pixels.
static bytes small_png(void) {
    unsigned char rows[3 * 17];
    for (size_t i = 0; i < sizeof rows; i++) rows[i] = i % 17 ? (unsigned char)(i * 5) : 0;
    return png_of(4, 3, 8, 6, 0, rows, sizeof rows);
}

/* ---- an allocator that counts ---- */

typedef struct ledger {
    size_t live, peak;
    long calls, fail_at;
} ledger;

static void *ledger_alloc(void *user_data, void *ptr, size_t old_size, size_t new_size) {
    ledger *l = user_data;
    size_t *block = ptr ? (size_t *)ptr - 2 : NULL;
    ck_assert(old_size == (block ? block[0] : 0));
    if (new_size && ++l->calls == l->fail_at) return NULL;
    l->live += new_size - old_size;
    if (l->live > l->peak) l->peak = l->live;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    block = realloc(block, new_size + 2 * sizeof(size_t));
    block[0] = new_size;
    memset((char *)(block + 2) + old_size, 0xaa, new_size > old_size ? new_size - old_size : 0);
    return block + 2;
}

static ledger book;

static pv_image_limits counted(void) {
    pv_image_limits limits =
        WITH(pv_image_limits_default(), it.allocator = (pv_allocator){ledger_alloc, &book});
    book = (ledger){0, 0, 0, 0};
    return limits;
}

/// Decodes a copy of exactly the file's size.
static pv_image *load(const void *data, size_t size, const pv_image_limits *limits,
                      pv_error *error) {
    scoped_memory void *exact = malloc(size ? size : 1);
    if (size) memcpy(exact, data, size);
    pv_image *image = pv_image_load_memory(exact, size, limits, error);
    ck_assert(!image == (error->status != PV_OK));
    return image;
}

static void expect_of(const bytes *file, const pv_image_limits *limits, pv_status expected,
                      const char *what) {
    pv_error error;
    pv_image *image = load(file->data, file->size, limits, &error);
    if (error.status != expected) ck_abort_msg("%s: %s", what, error.message);
    pv_image_destroy(image);
    ck_assert_uint_eq(book.live, 0);
}

/// Checks the status of decoding, and frees the file.
static void expect(bytes file, pv_status expected, const char *what) {
    pv_image_limits limits = counted();
    expect_of(&file, &limits, expected, what);
    free(file.data);
}

/* ---- libpng ---- */

static void write_bytes(png_structp png, png_bytep data, png_size_t size) {
    append(png_get_io_ptr(png), data, size);
}

static void flush_bytes(png_structp png) { (void)png; }

static void read_bytes(png_structp png, png_bytep to, png_size_t size) {
    bytes *from = png_get_io_ptr(png);
    if (from->size < size) png_error(png, "cut short");
    memcpy(to, from->data, size);
    from->data += size;
    from->size -= size;
}

/// Parameters of a PNG to write
typedef struct recipe {
    int w, h, depth, color, interlace;
    /// True for a tRNS chunk
    bool transparent;
    /// Compression level
    int level;
} recipe;

static void set_colors(png_structp png, png_infop info, const recipe *r,
                       const unsigned char *pixels) {
    png_color palette[256];
    png_byte alphas[256];
    unsigned max = (1u << r->depth) - 1;
    for (int i = 0; i < 256; i++) {
        palette[i] = (png_color){(png_byte)any_int(0, 255), (png_byte)any_int(0, 255),
                                 (png_byte)any_int(0, 255)};
        alphas[i] = (png_byte)any_int(0, 255);
    }
    if (r->color == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, palette, 1 << r->depth);
    if (!r->transparent) return;
    unsigned wide = (unsigned)pixels[0] << 8 | pixels[1],
             first = r->depth == 16 ? wide : (unsigned)pixels[0] >> (8 - r->depth);
    png_color_16 key = {0, (png_uint_16)first, (png_uint_16)any_int(0, (int)max),
                        (png_uint_16)any_int(0, (int)max), (png_uint_16)first};
    if (r->depth == 8 && r->color == PNG_COLOR_TYPE_RGB)
        key.green = pixels[1], key.blue = pixels[2];
    png_set_tRNS(png, info, alphas, any_int(1, 1 << (r->depth < 8 ? r->depth : 8)), &key);
}

/// Returns random bytes in runs, which compress, and which hit the key color at times.
static unsigned char *random_rows(size_t size) {
    unsigned char *rows = malloc(size + 2), value = 0; /* set_colors() reads the first three */
    for (size_t i = 0; i < size + 2; i++)
        rows[i] = value = any_int(0, 2) ? value : (unsigned char)any_int(0, 255);
    return rows;
}

static bytes write_png(recipe r) {
    bytes file = {NULL, 0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, &file, write_bytes, flush_bytes);
    png_set_IHDR(png, info, (png_uint_32)r.w, (png_uint_32)r.h, r.depth, r.color, r.interlace, 0,
                 0);
    size_t row = png_get_rowbytes(png, info);
    scoped_memory unsigned char *pixels = random_rows(row * (size_t)r.h);
    scoped_memory png_bytep *rows = malloc(sizeof *rows * (size_t)r.h);
    for (int y = 0; y < r.h; y++) rows[y] = pixels + (size_t)y * row;
    set_colors(png, info, &r, pixels);
    png_set_compression_level(png, r.level);
    png_set_compression_buffer_size(png, (size_t)any_int(50, 9000)); /* the size of IDAT chunks */
    png_write_info(png, info);
    png_write_image(png, rows);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return file;
}

/// Returns the pixels of a file, which libpng must read.
static unsigned char *read_png(bytes file, int w, int h) {
    pv_image image;
    ck_assert(libpng_reads(read_bytes, &file, &image) && image.width == w && image.height == h);
    return image.pixels;
}

/// Readers of a file
enum { BY_LIBPNG = 1, BY_US = 2 };

/// Reads a file in both ways, and frees it. What libpng reads must be read here, with the same
/// pixels, and with memory in proportion to file and picture. Returns who read it.
static int compare_reading(bytes file, const char *what) {
    pv_image_limits limits = counted();
    pv_error error;
    pv_image expected, *image = load(file.data, file.size, &limits, &error);
    bool read = libpng_reads(read_bytes, &(bytes){file.data, file.size}, &expected);
    if (read && (!image || image->width != expected.width || image->height != expected.height ||
                 memcmp(image->pixels, expected.pixels,
                        (size_t)image->width * (size_t)image->height * 4) != 0))
        ck_abort_msg("%s: %s", what, error.message);
    if (!image) ck_assert_int_eq(error.status, PV_ERROR_FORMAT);
    size_t area = image ? (size_t)image->width * (size_t)image->height : 400;
    ck_assert_uint_le(book.peak, 4 * file.size + 72000 + 20 * area);
    pv_image_destroy(image);
    ck_assert_uint_eq(book.live, 0);
    free(expected.pixels);
    free(file.data);
    return (read ? BY_LIBPNG : 0) | (image ? BY_US : 0);
}

/* ---- good files ---- */

/// Checks that a file written by libpng is read as libpng reads it.
static void check_recipe(recipe r) {
    char what[80];
    snprintf(what, sizeof what, "%dx%d, depth %d, color type %d, interlace %d, tRNS %d", r.w, r.h,
             r.depth, r.color, r.interlace, r.transparent);
    ck_assert_int_eq(compare_reading(write_png(r), what), BY_LIBPNG | BY_US);
}

/// Valid combinations of color type and depth
static const int kinds[][2] = {{0, 1}, {0, 2}, {0, 4}, {0, 8}, {0, 16}, {2, 8}, {2, 16}, {3, 1},
                               {3, 2}, {3, 4}, {3, 8}, {4, 8}, {4, 16}, {6, 8}, {6, 16}};
#define KINDS ((int)(COUNT_OF(kinds)))

static void check_size(int w, int h) {
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < 8; i++) {
            recipe r = {w, h, kinds[k][1], kinds[k][0], i & 1, i & 2, i & 4 ? 9 : 0};
            if (!r.transparent || r.color < 4) check_recipe(r);
        }
}

START_TEST(every_kind_of_png_is_what_libpng_reads) {
    static const int sizes[][2] = {{1, 1}, {1, 9}, {9, 1},   {2, 3},  {5, 5},
                                   {7, 8}, {8, 7}, {33, 17}, {64, 64}};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) check_size(sizes[i][0], sizes[i][1]);
}

/* Larger than the slack of the decoder's budget; interlaced 16-bit RGBA needs the most. */
START_TEST(larger_pngs_are_what_libpng_reads) {
    for (int k = 0; k < KINDS; k++)
        for (int interlace = 0; interlace < 2; interlace++)
            check_recipe(
                (recipe){501, 399, kinds[k][1], kinds[k][0], interlace, kinds[k][0] < 4, 1});
    check_recipe((recipe){3, 20000, 8, 6, 1, false, 1});
    check_recipe((recipe){32768, 2, 1, 0, 0, false, 1});
}

static void *decode_often(void *file) {
    const bytes *b = file;
    bool good = true;
    for (int i = 0; i < 100; i++) {
        scoped_image *image = pv_image_load_memory(b->data, b->size, NULL, NULL);
        good &= image != NULL;
    }
    return good ? file : NULL;
}

START_THREADED_TEST(threads_decode_at_once) {
    pthread_t threads[4];
    scoped_bytes file = write_png((recipe){70, 30, 16, 6, 1, false, 6});
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, decode_often, &file), 0);
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        ck_assert_ptr_eq(result, &file);
    }
}

/* ---- damaged files ---- */

/// Files cut before the end of the data are refused. Bytes after the data do not matter.
START_TEST(prefixes_without_all_data_are_refused) {
    bytes files[3] = {small_png(), write_png((recipe){9, 7, 4, 3, 1, true, 9}),
                      write_png((recipe){5, 5, 16, 0, 0, true, 9})};
    for (int i = 0; i < 3; i++) {
        pv_image_limits limits = counted();
        for (size_t size = 0; size < files[i].size; size++)
            expect_of(&(bytes){files[i].data, size}, &limits,
                      size < files[i].size - 12 ? PV_ERROR_FORMAT : PV_OK, "cut short");
        append(&files[i], "more", 4);
        expect(files[i], PV_OK, "trailing bytes");
    }
}

START_TEST(every_flipped_bit_of_the_picture_is_noticed) {
    bytes file = small_png();
    pv_image_limits limits = counted();
    for (size_t i = 0; i < file.size * 8; i++) {
        file.data[i / 8] ^= (unsigned char)(1 << i % 8);
        expect_of(&file, &limits, i < (file.size - 12) * 8 ? PV_ERROR_FORMAT : PV_OK,
                  "bit flipped");
        file.data[i / 8] ^= (unsigned char)(1 << i % 8);
    }
    expect(file, PV_OK, "whole");
}

START_TEST(lying_lengths_are_refused) {
    const uint32_t lengths[] = {0, 1, 61, 63, 0x7fffffff, 0x80000000, 0xffffffff, 0x3b9aca00};
    for (size_t i = 0; i < COUNT_OF(lengths); i++) {
        scoped_bytes lie = {NULL, 0};
        bytes file = small_png();
        put32(&lie, lengths[i]);
        memcpy(file.data + 33, lie.data, 4);
        expect(file, PV_ERROR_FORMAT, "length of the data");
        ck_assert_uint_le(book.peak, 4096);
    }
}

/// Returns a file of which only the header may be wrong.
static bytes with_header(uint32_t w, uint32_t h, int depth, int color, int interlace) {
    static const unsigned char rows[3 * 17];
    return png_of(w, h, depth, color, interlace, rows, sizeof rows);
}

START_TEST(wrong_headers_are_refused) {
    expect(with_header(4, 3, 8, 6, 0), PV_OK, "right");
    expect(with_header(0, 3, 8, 6, 0), PV_ERROR_FORMAT, "no width");
    expect(with_header(4, 0, 8, 6, 0), PV_ERROR_FORMAT, "no height");
    expect(with_header(4, 3, 3, 6, 0), PV_ERROR_FORMAT, "depth 3");
    expect(with_header(4, 3, 0, 6, 0), PV_ERROR_FORMAT, "depth 0");
    expect(with_header(4, 3, 8, 7, 0), PV_ERROR_FORMAT, "color type 7");
    expect(with_header(4, 3, 8, 1, 0), PV_ERROR_FORMAT, "color type 1");
    expect(with_header(4, 3, 8, 3, 0), PV_ERROR_FORMAT, "no palette");
    expect(with_header(4, 3, 16, 3, 0), PV_ERROR_FORMAT, "palette of 16 bits");
    expect(with_header(4, 3, 8, 6, 2), PV_ERROR_FORMAT, "interlace 2");
    expect(with_header(4, 3, 8, 6, 0x100), PV_ERROR_FORMAT, "filters 1");
    expect(with_header(4, 3, 8, 6, 0x10000), PV_ERROR_FORMAT, "compression 1");
    expect(with_header(4, 4, 8, 6, 0), PV_ERROR_FORMAT, "too few data");
    expect(with_header(32769, 1, 8, 6, 0), PV_ERROR_TOO_LARGE, "too wide");
    expect(with_header(1, 32769, 8, 6, 0), PV_ERROR_TOO_LARGE, "too high");
    expect(with_header(0xffffffffu, 0xffffffffu, 8, 6, 0), PV_ERROR_TOO_LARGE, "2^32");
    expect(with_header(16384, 16384, 1, 0, 0), PV_ERROR_TOO_LARGE, "too many pixels");
}

/// Spoils the checksum of the last chunk.
static void spoil(bytes *o) { o->data[o->size - 1] ^= 1; }

static const char letters[] = "HhPpqQRTtUVDdwEAaCXx";

/// Appends a chunk of a 1 x 1 picture, selected by a letter.
static void put_letter(bytes *o, char letter, int color) {
    static const unsigned char row[5] = {0, 1, 2, 3, 4};
    switch (letter) {
    case 'H': put_header(o, 1, 1, 8, color, 0); break;
    case 'h': put_chunk(o, "IHDR", "\0\0\0\1\0\0\0\1\x8\6\0\0", 12); break;
    case 'P': put_chunk(o, "PLTE", "abcdef", 6); break;
    case 'p': put_chunk(o, "PLTE", "abcde", 5); break;
    case 'q': put_chunk(o, "PLTE", NULL, 0); break;
    case 'Q': put_chunk(o, "PLTE", "abcdef", 6), spoil(o); break;
    case 'R': put_chunk(o, "tRNS", "\0\1\0\2\0\3", 6); break;
    case 'T': put_chunk(o, "tRNS", "\1\2", 2); break;
    case 't': put_chunk(o, "tRNS", "\1\2\3", 3); break;
    case 'U': put_chunk(o, "tRNS", "\4\5", 2), spoil(o); break;
    case 'V': put_chunk(o, "tRNS", NULL, 0); break;
    case 'D': put_data(o, row, 5); break;
    case 'd': put_chunk(o, "IDAT", NULL, 0); break;
    case 'w': put_data(o, row, 5), spoil(o); break;
    case 'E': put_chunk(o, "IEND", NULL, 0); break;
    case 'A': put_chunk(o, "tEXt", "Title\0x", 7); break;
    case 'a': put_chunk(o, "gAMA", "\0\0", 2), spoil(o); break;
    case 'C': put_chunk(o, "CgBI", "\0\0\0\0", 4); break;
    case 'X': put_chunk(o, "XxXx", NULL, 0); break;
    case 'x': put_chunk(o, "xxXx", NULL, 0); break;
    }
}

static bytes in_order(const char *order, int color) {
    bytes o = signature();
    for (; *order; order++) put_letter(&o, *order, color);
    return o;
}

/// Reads chunks in some order. Returns true if both readers read them, false if both refuse.
static bool judge_order(const char *order, int color) {
    int readers = compare_reading(in_order(order, color), order);
    if (readers == BY_US || readers == BY_LIBPNG) ck_abort_msg("%d%s: %d", color, order, readers);
    return readers != 0;
}

/* Tests all orders of up to four chunks after a header, for each color type, against libpng. */
START_TEST(chunks_in_any_order_are_what_libpng_reads) {
    const int colors[] = {0, 2, 3, 4, 6}, kinds_of = (int)sizeof letters - 1;
    int count = 1, read = 0, refused = 0;
    for (int length = 0; length <= 4; length++, count *= kinds_of)
        for (int i = 0; i < count; i++)
            for (int k = length < 4 ? 0 : i % 5; k < 5; k += length < 4 ? 1 : 5) {
                char order[8] = "H";
                for (int j = 0, rest = i; j < length; j++, rest /= kinds_of)
                    order[1 + j] = letters[rest % kinds_of];
                *(judge_order(order, colors[k]) ? &read : &refused) += 1;
            }
    ck_assert_int_gt(read, 10000);
    ck_assert_int_gt(refused, 10000);
    for (const char *early = "HPQDEXCx"; *early; early++)
        judge_order((char[]){*early, 'H', 'D', 0}, 6);
    ck_assert(!judge_order("", 6));
}

/// Appends a chunk of a file, with or without a random fault.
static void put_mutated(bytes *to, const bytes *from, size_t at, size_t size) {
    const char *type = (const char *)from->data + at + 4;
    unsigned char *data = from->data + at + 8;
    size_t part = (size_t)any_int(0, (int)size);
    switch (any_int(0, 24)) {
    case 0: break;
    case 1: put_chunk(to, type, data, size), put_chunk(to, type, data, size); break;
    case 2: put_chunk(to, type, data, size), spoil(to); break;
    case 3: put_chunk(to, type, data, part); break;
    case 4: put_chunk(to, type, data, part), put_chunk(to, type, data + part, size - part); break;
    case 5: put_chunk(to, "tRNS", data, part), put_chunk(to, type, data, size); break;
    case 6: put_chunk(to, "bKGD", data, part), put_chunk(to, type, data, size); break;
    case 7: put_chunk(to, "iCCP", data, part), spoil(to), put_chunk(to, type, data, size); break;
    case 8: put_chunk(to, "PLTE", data, part / 3 * 3), put_chunk(to, type, data, size); break;
    case 9: put_chunk(to, type, data, part), put_data(to, data + part, size - part); break;
    case 10:
        put_chunk(to, type, data, size);
        to->data[to->size - 5 - (size ? (size_t)any_int(0, (int)size - 1) : 0)] ^= 1;
        break;
    case 11: /* damage with a right checksum gets past the check of chunks */
    case 12:
        for (int n = at > 8 && size ? any_int(1, 3) : 0; n > 0; n--)
            data[any_int(0, (int)size - 1)] ^= (unsigned char)(1 << any_int(0, 7));
        put_chunk(to, type, data, size);
        break;
    default: put_chunk(to, type, data, size);
    }
}

START_TEST(faulty_files_are_what_libpng_reads) {
    int read = 0, trials = 30000;
    for (int i = 0; i < trials; i++) {
        int k = i % KINDS;
        recipe r = {
            any_int(1, 20), any_int(1, 20), kinds[k][1], kinds[k][0], i & 1, kinds[k][0] < 4, 9};
        bytes good = write_png(r), bad = signature();
        for (size_t at = 8, size; at < good.size; at += size + 12) {
            size = (size_t)good.data[at + 2] << 8 | good.data[at + 3];
            put_mutated(&bad, &good, at, size);
        }
        bad.size -= any_int(0, 9) ? 0 : (size_t)any_int(0, 20);
        free(good.data);
        read += compare_reading(bad, "faulty") & BY_LIBPNG;
    }
    ck_assert_int_gt(read, trials / 10);
    ck_assert_int_lt(read, trials * 9 / 10);
}

/* Data after the last row does not matter, whether rows or damage. All rows take 20 bytes. */
START_TEST(data_behind_the_picture_do_not_matter) {
    static const unsigned char rows[200000];
    const size_t sizes[] = {19, 20, 21, 65534, 65535, 65536, 200000};
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        for (int damage = 0; damage < 3; damage++) {
            bytes data = stored(rows, sizes[i]), o = signature();
            if (damage == 1) data.data[data.size - 1] ^= 64;
            if (damage == 2 && sizes[i] > 65536) data.data[7 + 65535] = 7;
            put_header(&o, 3, 2, 8, 2, 0);
            put_chunk(&o, "IDAT", data.data, data.size);
            int readers = compare_reading(o, "more data");
            ck_assert_int_eq(readers & BY_US, sizes[i] < 20 ? 0 : BY_US);
            if (damage == 0) ck_assert_int_eq(readers & BY_LIBPNG, sizes[i] < 20 ? 0 : BY_LIBPNG);
            free(data.data);
        }
}

/* An index beyond the palette is opaque black, not what was in memory. */
START_TEST(indices_beyond_the_palette_are_black) {
    static const unsigned char row[4] = {0, 1, 200, 0};
    pv_error error;
    for (int i = 0; i < 2; i++) {
        scoped_bytes o = signature();
        put_header(&o, 3, 1, 8, 3, 0);
        put_chunk(&o, "PLTE", "abcdef", 6);
        if (i) put_chunk(&o, "tRNS", "\7", 1);
        put_data(&o, row, 4);
        put_chunk(&o, "IEND", NULL, 0);
        scoped_image *image = load(o.data, o.size, NULL, &error);
        ck_assert_int_eq(error.status, PV_OK);
        ck_assert(memcmp(image->pixels, "def\377\0\0\0\377abc", 11) == 0);
        ck_assert_int_eq(image->pixels[11], i ? 7 : 255);
    }
}

/* 4 MB of zeros compressed to 4 kB, as the data of one pixel, which is read. */
START_TEST(bombs_go_off_in_a_little_room) {
    bytes whole = {NULL, 0}, o = signature();
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    unsigned char *row = calloc(1, 4000000);
    png_set_write_fn(png, &whole, write_bytes, flush_bytes);
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
    png_set_IHDR(png, info, 4000000, 1, 8, 0, 0, 0, 0);
    png_set_compression_buffer_size(png, 1000000);
    png_write_info(png, info);
    png_write_row(png, row);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    free(row);
    put_header(&o, 1, 1, 8, 0, 0);
    append(&o, whole.data + 33, whole.size - 33); /* everything after the header */
    pv_image_limits limits = counted();
    expect_of(&o, &limits, PV_OK, "bomb");
    ck_assert_uint_le(book.peak, 200000);
    ck_assert(compare_reading(o, "bomb") & BY_LIBPNG);
    free(whole.data);
}

/* ---- limits and memory ---- */

START_TEST(each_limit_is_inclusive) {
    scoped_bytes file = small_png(); /* 4 x 3 */
    ck_assert_int_eq(pv_image_limits_default().max_file_size, 256 << 20);
    for (int i = 0; i < 8; i++) {
        pv_image_limits limits = counted();
        int less = i & 1;
        if (i / 2 == 0) limits.max_width = 4 - less;
        if (i / 2 == 1) limits.max_height = 3 - less;
        if (i / 2 == 2) limits.max_area = 12 - less;
        if (i / 2 == 3) limits.max_file_size = (int64_t)file.size - less;
        expect_of(&file, &limits, less ? PV_ERROR_TOO_LARGE : PV_OK, "at a limit");
    }
}

START_TEST(limits_out_of_range_are_refused) {
    scoped_bytes file = small_png();
    for (int i = 0; i < 9; i++) {
        pv_image_limits limits = counted();
        if (i == 0) limits.cookie = 0;
        if (i == 1) limits.cookie++;
        if (i == 2) limits.max_width = 0;
        if (i == 3) limits.max_width = 32769;
        if (i == 4) limits.max_height = -1;
        if (i == 5) limits.max_height = INT_MAX;
        if (i == 6) limits.max_area = 0;
        if (i == 7) limits.max_file_size = 0;
        if (i == 8) limits.max_file_size = INT64_MIN;
        expect_of(&file, &limits, PV_ERROR_ARGUMENT, "wrong limits");
        pv_error error = {0};
        ck_assert_refused(pv_image_create(1, 1, &limits, &error), error, PV_ERROR_ARGUMENT);
        ck_assert_refused(pv_image_load("x.png", &limits, &error), error, PV_ERROR_ARGUMENT);
    }
}

START_TEST(created_images_are_transparent) {
    pv_image_limits limits = counted();
    pv_error error;
    pv_image *image = pv_image_create(30, 20, &limits, &error);
    ck_assert_int_eq(error.status, PV_OK);
    for (int i = 0; i < 30 * 20 * 4; i++) ck_assert_int_eq(image->pixels[i], 0);
    pv_image_destroy(image);
    ck_assert_uint_eq(book.live, 0);
    ck_assert_refused(pv_image_create(0, 20, &limits, &error), error, PV_ERROR_ARGUMENT);
    ck_assert_refused(pv_image_create(3, INT_MIN, &limits, &error), error, PV_ERROR_ARGUMENT);
    ck_assert_refused(pv_image_create(32768, 32768, &limits, &error), error, PV_ERROR_TOO_LARGE);
}

/// Lets each allocation fail in turn, until a run needs fewer.
static void starve(const bytes *file, bool mask) {
    for (long n = 1;; n++) {
        pv_mask_options options = WITH(pv_mask_options_default(), it.limits = counted());
        book.fail_at = n;
        pv_error error;
        pv_image *image = mask ? NULL : load(file->data, file->size, &options.limits, &error);
        pv_mask *made = mask ? pv_mask_load_memory(file->data, file->size, &options, &error) : NULL;
        pv_image_destroy(image);
        pv_mask_release(made);
        ck_assert_uint_eq(book.live, 0);
        if (book.calls < n) {
            ck_assert_int_eq(error.status, PV_OK);
            ck_assert_int_gt(n, 5);
            return;
        }
        ck_assert_int_eq(error.status, PV_ERROR_MEMORY);
    }
}

START_TEST_FOR(failing_allocations_leak_nothing, k, KINDS) {
    for (int interlace = 0; interlace < 2; interlace++) {
        scoped_bytes file =
            write_png((recipe){40, 30, kinds[k][1], kinds[k][0], interlace, kinds[k][0] < 4, 9});
        starve(&file, false);
        starve(&file, true);
    }
}

/* ---- files ---- */

/// Directory of a test, which leaves no file in it
static char directory[] = "test_png.XXXXXX";
static char path[64];

static void begin_files(void) {
    memcpy(strrchr(directory, '.') + 1, "XXXXXX", 6);
    ck_assert_ptr_nonnull(mkdtemp(directory));
}

static void end_files(void) { ck_assert_int_eq(rmdir(directory), 0); }

static const char *in_directory(const char *name) {
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static void expect_file(const char *name, pv_status expected) {
    pv_image_limits limits = counted();
    pv_error error;
    pv_image *image = pv_image_load(name, &limits, &error);
    if (error.status != expected) ck_abort_msg("%s: %s", name, error.message);
    ck_assert(!image == (expected != PV_OK));
    pv_image_destroy(image);
    pv_mask_options options = WITH(pv_mask_options_default(), it.limits = limits);
    pv_mask *mask = pv_mask_load(name, &options, &error);
    ck_assert_int_eq(error.status, expected);
    pv_mask_release(mask);
    ck_assert_uint_eq(book.live, 0);
}

static void expect_written(const char *name, const bytes *file, pv_status expected) {
    write_file(in_directory(name), file->data, file->size);
    expect_file(path, expected);
    remove(path);
}

START_TEST(files_of_every_kind) {
    scoped_bytes good = small_png();
    expect_file(in_directory("missing.png"), PV_ERROR_FILE_OPEN);
    expect_file(directory, PV_ERROR_FILE_OPEN);
    expect_file("", PV_ERROR_FILE_OPEN);
    expect_file("/dev/null", PV_ERROR_FILE_OPEN);
    ck_assert_int_eq(mkfifo(in_directory("pipe"), 0600), 0);
    expect_file(path, PV_ERROR_FILE_OPEN);
    remove(path);
    write_file(in_directory("good.png"), good.data, good.size);
    expect_file(path, PV_OK);
    expect_file(in_directory("good.png/good.png"), PV_ERROR_FILE_OPEN);
    chmod(in_directory("good.png"), 0);
    /* the superuser may read it */
    if (access(path, R_OK) != 0) expect_file(path, PV_ERROR_FILE_OPEN);
    remove(path);
    expect_written("cut.png", &(bytes){good.data, good.size - 20}, PV_ERROR_FORMAT);
    expect_written("empty.png", &(bytes){good.data, 0}, PV_ERROR_FORMAT);
}

/// Checks the whole message of pv_mask_load() about a file.
static void expect_sentence(const char *name, pv_status status, const char *before,
                            const char *after) {
    char expected[192];
    pv_mask_options options = pv_mask_options_default();
    pv_error error;
    options.limits = counted();
    options.limits.max_height = 2;
    snprintf(expected, sizeof expected, "pv_mask_load: %s%s%s", before, name, after);
    ck_assert_refused(pv_mask_load(name, &options, &error), error, status);
    ck_assert_str_eq(error.message, expected);
    ck_assert_str_eq(error.function, "pv_mask_load");
    ck_assert_uint_eq(book.live, 0);
}

static void expect_content(const void *data, size_t size, pv_status status, const char *before,
                           const char *after) {
    write_file(in_directory("file.png"), data, size);
    expect_sentence(path, status, before, after);
    remove(path);
}

START_TEST(sentences_tell_what_a_file_is) {
    scoped_bytes good = small_png();
    const unsigned char jpeg[] = {0xff, 0xd8, 0xff, 0xe0, 0, 16, 'J', 'F', 'I', 'F', 0};
    pv_error error;
    expect_sentence(in_directory("missing.png"), PV_ERROR_FILE_OPEN, "cannot open ", "");
    expect_sentence(directory, PV_ERROR_FILE_OPEN, "", " is a directory");
    expect_content(jpeg, sizeof jpeg, PV_ERROR_FORMAT, "", " is a JPEG, not a PNG");
    expect_content("a line of text\n", 15, PV_ERROR_FORMAT, "", " is not a PNG");
    expect_content("", 0, PV_ERROR_FORMAT, "", " is empty");
    expect_content(good.data, good.size - 20, PV_ERROR_FORMAT, "", ": IDAT at 33: cut off");
    expect_content(good.data, good.size, PV_ERROR_TOO_LARGE,
                   "options.limits.max_height is 2, but the height of ", " is 3");
    ck_assert_ptr_null(pv_image_load(in_directory("missing.png"), NULL, &error));
    ck_assert_str_eq(error.field, "path");
    pv_image_limits limits = WITH(counted(), it.max_area = 11);
    ck_assert_ptr_null(load(good.data, good.size, &limits, &error));
    ck_assert_str_eq(error.message,
                     "pv_image_load_memory: limits.max_area is 11, but the area of png is 12");
    ck_assert_str_eq(error.field, "limits.max_area");
    ck_assert(error.value == 12 && error.max == 11);
}

/* The message about a fault in a critical chunk names the chunk and its place. */
START_TEST(sentences_name_the_chunk) {
    static const struct {
        const char *order;
        int color;
        const char *sentence;
    } faults[] = {
        {"D", 6, "IHDR at 8: missing"},
        {"", 6, "IHDR at 8: missing"},
        {"P", 6, "PLTE at 8: before IHDR"},
        {"CHDE", 6, "CgBI at 8: a picture for iOS, which only Apple's tools read"},
        {"h", 6, "IHDR at 8: of a wrong length"},
        {"HH", 6, "IHDR at 33: there twice"},
        {"H", 1, "IHDR at 8: no such depth and color type"},
        {"HAE", 6, "IDAT at 52: missing"},
        {"H", 6, "IDAT at 33: missing"},
        {"HD", 3, "PLTE at 33: missing"},
        {"HPPD", 2, "PLTE at 51: there twice"},
        {"HpD", 3, "PLTE at 33: not 1 to 256 colors"},
        {"HQD", 2, "PLTE at 33: a wrong checksum"},
        {"HX", 6, "XxXx at 33: a critical chunk of an unknown kind"},
        {"Hw", 6, "IDAT at 33: a wrong checksum"},
        {"HddE", 6, "IDAT at 33: no data"},
        {"HD", 16, "IHDR at 8: no such depth and color type"},
    };
    for (size_t i = 0; i < COUNT_OF(faults); i++) {
        char expected[192];
        pv_error error;
        scoped_bytes file = in_order(faults[i].order, faults[i].color);
        snprintf(expected, sizeof expected, "pv_image_load_memory: png: %s", faults[i].sentence);
        ck_assert_ptr_null(load(file.data, file.size, NULL, &error));
        ck_assert_str_eq(error.message, expected);
    }
}

/* ---- saving ---- */

/// Returns a picture of one color, of bands with steps, of noise, or of all three side by side.
static pv_image *picture(int w, int h, int style) {
    pv_image *image = pv_image_create(w, h, NULL, NULL);
    for (int i = 0; i < w * h * 4; i++) {
        int kind = style == 3 ? i % (w * 4) * 3 / (w * 4) : style;
        image->pixels[i] = kind == 0   ? (unsigned char)(i % 4 * 70)
                           : kind == 1 ? (unsigned char)(i / w / 9 * (i % 4) + i % (w * 4) / 4)
                                       : (unsigned char)(next_random(&chance) >> 32);
    }
    return image;
}

static bytes read_file(const char *name) {
    bytes file = {NULL, 0};
    unsigned char part[4096];
    FILE *f = fopen(name, "rb");
    ck_assert_ptr_nonnull(f);
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;) append(&file, part, n);
    fclose(f);
    return file;
}

/// Saves a picture, and reads it back in two ways.
static bytes check_save(const pv_image *image) {
    ck_assert_int_eq(pv_image_save(image, in_directory("saved.png")), PV_OK);
    bytes file = read_file(path);
    size_t size = (size_t)image->width * (size_t)image->height * 4;
    scoped_memory unsigned char *pixels = read_png(file, image->width, image->height);
    ck_assert_int_eq(memcmp(pixels, image->pixels, size), 0);
    scoped_image *loaded = pv_image_load(path, NULL, NULL);
    ck_assert(loaded && loaded->width == image->width && loaded->height == image->height);
    ck_assert_int_eq(memcmp(loaded->pixels, image->pixels, size), 0);
    remove(path);
    return file;
}

START_TEST(saved_images_are_what_libpng_reads) {
    const int sizes[][2] = {{32768, 5}, {3, 32768}, {700, 500}};
    for (int i = 0; i < 163; i++) {
        int w = i < 160 ? any_int(1, 90) : sizes[i - 160][0],
            h = i < 160 ? any_int(1, 90) : sizes[i - 160][1];
        size_t area = (size_t)w * (size_t)h;
        scoped_image *image = picture(w, h, i & 3);
        scoped_bytes file = check_save(image);
        if ((i & 3) == 0) ck_assert_uint_lt(file.size, 120 + 6 * (size_t)h + area / 20);
        ck_assert_uint_lt(file.size, 200 + (size_t)h + area * 19 / 4);
    }
}

/// Adds the bytes of a saved picture to a checksum, and destroys the picture.
static void add_saved(pv_image *image, uint64_t *sum) {
    scoped_bytes file = check_save(image);
    for (size_t i = 0; i < file.size; i++) *sum = (*sum ^ file.data[i]) * UINT64_C(0x100000001b3);
    pv_image_destroy(image);
}

START_TEST(saved_bytes_are_the_same_everywhere) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    pv_image *image = pv_image_create(2, 2, NULL, NULL);
    memcpy(image->pixels, "\x01\x02\x03\xff\x01\x02\x03\xff\x80\x00\xff\x00zzzz", 16);
    add_saved(image, &sum);
    chance = 7;
    add_saved(picture(600, 400, 3), &sum);
    ck_assert_uint_eq(sum, UINT64_C(4772705761285218682));
}

START_TEST(what_cannot_be_saved_is_said) {
    scoped_purse p = {0, 0, 0};
    pv_image_limits limits =
        WITH(pv_image_limits_default(), it.allocator = (pv_allocator){purse_alloc, &p});
    scoped_image *image = pv_image_create(9, 9, &limits, NULL);
    pv_image broken = *image;
    ck_assert_int_eq(pv_image_save(NULL, in_directory("a.png")), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_image_save(image, NULL), PV_ERROR_ARGUMENT);
    broken.width = 0;
    ck_assert_int_eq(pv_image_save(&broken, path), PV_ERROR_ARGUMENT);
    broken = *image;
    broken.pixels = NULL;
    ck_assert_int_eq(pv_image_save(&broken, path), PV_ERROR_ARGUMENT);
    p.fail_at = p.calls + 1;
    ck_assert_int_eq(pv_image_save(image, path), PV_ERROR_MEMORY);
    ck_assert_int_ne(access(path, F_OK), 0);
    ck_assert_int_eq(pv_image_save(image, directory), PV_ERROR_FILE_WRITE);
    ck_assert_int_eq(pv_image_save(image, in_directory("no/such.png")), PV_ERROR_FILE_WRITE);
    if (access("/dev/full", W_OK) == 0)
        ck_assert_int_eq(pv_image_save(image, "/dev/full"), PV_ERROR_FILE_WRITE);
}

/* A single pixel with megabytes of data takes little more memory than the file. */
START_TEST(memory_follows_the_file_and_the_picture) {
    scoped_memory unsigned char *zeros = calloc(1, 1500000);
    scoped_bytes o = png_of(1, 1, 8, 6, 0, zeros, 1500000);
    pv_image_limits limits = counted();
    pv_error error;
    pv_image_destroy(load(o.data, o.size, &limits, &error));
    ck_assert_uint_le(book.peak, 4 * o.size + 70000);
    ck_assert_uint_eq(book.live, 0);
}

/* The size is checked before anything is read, so a sparse file of 300 MB takes no time. */
START_TEST(large_files_are_refused_unread) {
    FILE *f = fopen(in_directory("hole.png"), "wb");
    ck_assert(f && fclose(f) == 0 && truncate(path, 300000000) == 0);
    expect_file(path, PV_ERROR_TOO_LARGE);
    ck_assert_uint_eq(book.peak, 0);
    remove(path);
}

RUN_TESTS_IN("png", begin_files, end_files, 1)
