/* separation.h - the interface of separation.c: distance and minimum translation of two placed
 * sprites.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "placed/placed.h"

/// Finds the shortest translation of b after which the sprites share no pixel. Sets *found to
/// whether there is one of at most limit [px].
pv_status pv__separation_of_sprites(const pv__sprite *a, const pv__sprite *b, int limit,
                                    const pv_allocator *from, int way[2], bool *found);
