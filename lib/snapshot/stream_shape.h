/* stream_shape.h - the interface of stream_shape.c: contours of carved masks, and material maps, as
 * bytes.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SNAPSHOT_STREAM_SHAPE_H
#define PV_SNAPSHOT_STREAM_SHAPE_H

#include "core/world.h"
/// Writes the head of a snapshot that is otherwise complete, of at least 24 bytes: magic, size and
/// digest.
void pv__snapshot_seal(unsigned char *at, size_t size);
/// Writes the same for changes.
void pv__snapshot_seal_changes(unsigned char *at, size_t size);

#endif
