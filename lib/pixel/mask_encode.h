/* mask_encode.h - the interface of mask_encode.c: masks as bytes, as run lengths, and from colors.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "base/error.h"
#include "pixel/bits.h"

/// Names of the parameters or fields of a picture in memory
typedef struct pv__rows_names {
    const char *data, *width, *height, *pitch;
} pv__rows_names;
static const pv__rows_names pv__rgba_rows = {"rgba", "width", "height", "pitch"},
                            pv__image_rows = {"image.pixels", "image.width", "image.height",
                                              "image.width"};

/// Checks that w x h pixels in rows of row_bytes can be at data.
bool pv__check_rows(pv_error *e, const pv__rows_names *names, const void *data, int w, int h,
                    ptrdiff_t pitch, int64_t row_bytes);

/// Returns a word with the bits of every byte in reverse order.
static inline uint64_t pv__mask_mirror_bytes(uint64_t word) {
    word = (word & UINT64_C(0x5555555555555555)) << 1 | (word >> 1 & UINT64_C(0x5555555555555555));
    word = (word & UINT64_C(0x3333333333333333)) << 2 | (word >> 2 & UINT64_C(0x3333333333333333));
    return (word & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4 | (word >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f));
}
