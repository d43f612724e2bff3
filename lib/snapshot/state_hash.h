/* state_hash.h - the interface of state_hash.c: a hash of all state that the next step depends on.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SNAPSHOT_STATE_HASH_H
#define PV_SNAPSHOT_STATE_HASH_H

#include "core/world.h"
#endif
