/* unpack.h - the interface of unpack.c: tiles of Tiled from base64 and its compressions.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_ASSET_UNPACK_H
#define PV_ASSET_UNPACK_H

#include "base/base.h"

/// Unpacks count tiles from base64 (RFC 4648). A tile is four bytes, the lowest first.
/// @param compression "zlib", "gzip", "zstd", or "" or null for none
/// @param what gets the end of a message: about the text for PV_ERROR_FORMAT, about the compression
/// for PV_ERROR_UNSUPPORTED
/// @return PV_OK, these two, or PV_ERROR_MEMORY
pv_status pv__unpack_tiles(const pv_allocator *allocator, const char *text, const char *compression,
                           uint32_t *tiles, size_t count, const char **what);

#endif
