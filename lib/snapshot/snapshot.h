/* snapshot.h - the interface of snapshot.c: saves a world's whole state to the caller's buffer, and
 * restores it.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SNAPSHOT_SNAPSHOT_H
#define PV_SNAPSHOT_SNAPSHOT_H

#include "core/world.h"

/// Writes the head of a snapshot that is otherwise complete, of at least 24 bytes: magic, size and
/// digest.
void pv__snapshot_seal(unsigned char *at, size_t size);
/// Writes the same for changes.
void pv__snapshot_seal_changes(unsigned char *at, size_t size);

#endif
