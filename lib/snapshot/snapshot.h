/* snapshot.h - the interface of snapshot.c: saves a world's whole state to the caller's buffer, and
 * restores it.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SNAPSHOT_SNAPSHOT_H
#define PV_SNAPSHOT_SNAPSHOT_H

#include "core/world.h"
#endif
