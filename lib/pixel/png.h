/* png.h - the interface of png.c: PNG files as RGBA images.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "base/error.h"

/// Loads an image within limits that are part of the parameter "limits" or of "options.limits".
pv_image *pv__image_load(pv_error *e, const char *path, const pv_image_limits *limits,
                         bool in_options);
/// Does the same from memory, the parameters "png" and "size".
pv_image *pv__image_load_memory(pv_error *e, const void *png, size_t size,
                                const pv_image_limits *limits, bool in_options);

/// Computes the table of the checksum of chunks.
void pv__png_crc_table(uint32_t table[256]);
/// Returns the checksum of n bytes.
uint32_t pv__png_crc(const uint32_t table[256], const unsigned char *p, size_t n);
