/* carve.h - the interface of carve.c: pixels are taken out of a body, or put on.
 *
 * Invariant: as in carve.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CARVE_CARVE_H
#define PV_CARVE_CARVE_H

#include "core/world.h"

/// Carves a living body with a good cut: as pv_body_carve().
/// @param blow 0, or of a chip, as pv__cut_pixels() has it: what is taken is crumbs, too
pv_status pv__carve_body(pv_world *world, pv_body_id body, const pv_cut *cut, double blow,
                         pv_carve_result *carved);

#endif
