/* png.h - the interface of png.c: PNG files as RGBA images.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PIXEL_PNG_H
#define PV_PIXEL_PNG_H

#include "base/error.h"

/// Loads an image within limits, which errors name "limits" or "options.limits".
pv_image *pv__image_load(pv_error *e, const char *path, const pv_image_limits *limits,
                         bool in_options);
/// Does the same from memory, given by the parameters "png" and "size".
pv_image *pv__image_load_memory(pv_error *e, const void *png, size_t size,
                                const pv_image_limits *limits, bool in_options);

/// Writes a number, highest byte first. Returns the place after it.
static inline unsigned char *pv__png_put(unsigned char *p, uint32_t number) {
    for (int i = 0; i < 4; i++) p[i] = (unsigned char)(number >> (24 - 8 * i));
    return p + 4;
}
/// Computes the table of the checksum of chunks.
void pv__png_crc_table(uint32_t table[256]);
/// Returns the checksum of n bytes.
uint32_t pv__png_crc(const uint32_t table[256], const unsigned char *p, size_t n);

#endif
