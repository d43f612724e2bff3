/* state_hash.h - the interface of state_hash.c: a digest of all that the next step depends on.
 *
 * Invariant: as in state_hash.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SNAPSHOT_STATE_HASH_H
#define PV_SNAPSHOT_STATE_HASH_H

#include "core/world.h"
#endif
