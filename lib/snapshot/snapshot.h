/* snapshot.h - the interface of snapshot.c: the whole state of a world in a buffer of the
 * caller's, and back.
 *
 * Invariant: as in snapshot.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SNAPSHOT_SNAPSHOT_H
#define PV_SNAPSHOT_SNAPSHOT_H

#include "core/world.h"
#endif
