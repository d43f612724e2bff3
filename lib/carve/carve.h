/* carve.h - the interface of carve.c: removes pixels from a body, or adds pixels.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "core/world.h"

/// Carves an existing body with a valid cut, like pv_body_carve().
/// @param blow 0, or for a chip the value of pv__cut_pixels(); a chip's pixels become debris too
pv_status pv__carve_body(pv_world *world, pv_body_id body, const pv_cut *cut, double blow,
                         pv_carve_result *carved);
