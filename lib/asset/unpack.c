/* unpack.c - unpacks tiles of Tiled from base64, plain or compressed by zlib, gzip or zstd.
 *
 * Invariant: unpacked data have exactly the size of the tiles, or they are refused. An error names
 * the library that the build lacks.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "asset/unpack.h"

#include <limits.h>
#include <string.h>

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

/* ---- base64 ---- */

/// Returns the six bits of a base64 digit, or -1 for any other character.
static int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// Decodes a text with white space around it. Returns the number of bytes, or SIZE_MAX if the text
/// is not base64.
/// @param to room for 3/4 of the text
static size_t decode_base64(const char *text, unsigned char *to) {
    size_t digits = 0, size = 0;
    uint32_t bits = 0;
    text += strspn(text, " \t\r\n");
    for (int digit; (digit = base64_digit(*text)) >= 0; text++) {
        bits = bits << 6 | (uint32_t)digit;
        if (++digits % 4 != 1) to[size++] = (unsigned char)(bits >> (6 - 2 * ((digits - 1) % 4)));
    }
    size_t ends = strspn(text, "=");
    text += ends;
    bool whole = (digits + ends) % 4 == 0 && ends < 3 && !text[strspn(text, " \t\r\n")];
    return whole ? size : SIZE_MAX;
}

/* ---- compressions; each unpacks exactly size bytes, or tells that it cannot ---- */

typedef bool unpack_fn(const unsigned char *from, size_t from_size, unsigned char *to, size_t size);

static bool unpack_nothing(const unsigned char *from, size_t from_size, unsigned char *to,
                           size_t size) {
    if (from_size != size) return false;
    memcpy(to, from, size);
    return true;
}

#ifdef HAVE_ZLIB
/// Unpacks zlib or gzip, whichever it is.
static bool deflated(const unsigned char *from, size_t from_size, unsigned char *to, size_t size) {
    z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)from, .next_out = to};
    if (from_size > UINT_MAX || size > UINT_MAX || inflateInit2(&stream, 15 + 32) != Z_OK)
        return false;
    stream.avail_in = (uInt)from_size;
    stream.avail_out = (uInt)size;
    int status = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    return status == Z_STREAM_END && stream.avail_out == 0;
}
#else
#define deflated NULL
#endif

#ifdef HAVE_ZSTD
static bool unpack_zstd(const unsigned char *from, size_t from_size, unsigned char *to,
                        size_t size) {
    return ZSTD_decompress(to, size, from, from_size) == size;
}
#else
#define unpack_zstd NULL
#endif

/// Compression by its name in a map
typedef struct unpacker {
    const char *name;
    /// Null if the build lacks its library
    unpack_fn *unpack;
    /// End of the message if the library is missing
    const char *lack;
} unpacker;

/// Returns the way to unpack, or null for an unknown name.
static const unpacker *unpacker_of(const char *name) {
    static const unpacker all[] = {
        {"", unpack_nothing, NULL},
        {"zlib", deflated, "is \"zlib\", but this libpixverlet was built without zlib"},
        {"gzip", deflated, "is \"gzip\", but this libpixverlet was built without zlib"},
        {"zstd", unpack_zstd, "is \"zstd\", but this libpixverlet was built without zstd"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(all[i].name, name) == 0) return &all[i];
    return NULL;
}

/* ---- tiles ---- */

/// Puts together the bytes of each tile, in their own place.
static void order_bytes(uint32_t *tiles, size_t count) {
    for (size_t i = 0; i < count; i++) {
        unsigned char b[4];
        memcpy(b, &tiles[i], 4);
        tiles[i] =
            (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
    }
}

pv_status pv__unpack_tiles(const pv_allocator *allocator, const char *text, const char *compression,
                           uint32_t *tiles, size_t count, const char **what) {
    const unpacker *way = unpacker_of(compression ? compression : "");
    *what = way ? way->lack : "is unknown";
    if (!way || !way->unpack) return PV_ERROR_UNSUPPORTED;
    size_t room = strlen(text) / 4 * 3 + 3;
    unsigned char *packed = pv__alloc(allocator, room, 1);
    if (!packed) return PV_ERROR_MEMORY;
    size_t size = decode_base64(text, packed);
    bool base64 = size != SIZE_MAX;
    bool good = base64 && way->unpack(packed, size, (unsigned char *)tiles, count * sizeof *tiles);
    *what = base64 ? "does not unpack to as many tiles as it has place for" : "is no base64";
    pv__free(allocator, packed, room, 1);
    order_bytes(tiles, count);
    return good ? PV_OK : PV_ERROR_FORMAT;
}
