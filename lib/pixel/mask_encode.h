/* mask_encode.h - the interface of mask_encode.c: masks as bytes, as run lengths, and from colors.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PIXEL_MASK_ENCODE_H
#define PV_PIXEL_MASK_ENCODE_H

#include "base/error.h"
#include "pixel/bits.h"

/// Returns a word with the bits of every byte in reverse order.
static inline uint64_t pv__mask_mirror_bytes(uint64_t word) {
    word = (word & UINT64_C(0x5555555555555555)) << 1 | (word >> 1 & UINT64_C(0x5555555555555555));
    word = (word & UINT64_C(0x3333333333333333)) << 2 | (word >> 2 & UINT64_C(0x3333333333333333));
    return (word & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4 | (word >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f));
}

#endif
