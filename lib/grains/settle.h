/* settle.h - the interface of settle.c: grains that come to rest, or take the pixel where a mover
 * carries them.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "grains/walk.h"

/// Lays a grain that touched something to rest if it is slow. One that a mover carries takes its
/// pixel, so that others can lie on it. Returns true if the grain took a pixel.
bool pv__settle(pv_world *world, pv__grains *g, uint32_t slot, pv__walker *w);
