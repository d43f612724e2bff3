/* grains.h - the interface of grains.c and emit.c: populations, and what bodies lose to them.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_GRAINS_GRAINS_H
#define PV_GRAINS_GRAINS_H

#include "base/error.h"
#include "core/world.h"

/// Begins a call that changes a population. Returns null with *e filled for a bad id.
pv__grains *pv__grains_begin(pv_error *e, const char *function, const pv_world *world,
                             pv_grains_id grains);
extern const pv__field_row pv__grains_fields[6];
/// Frees all that a population has.
void pv__grains_free(pv_world *world, pv__grains *g);
void pv__grains_free_all(pv_world *world);
/// Adds a body's former pixels to the populations that follow it.
/// @param was body before its change
/// @param gone mask of the pixels, with its pixel (0, 0) at a place of the body's picture
void pv__grains_follow_loss(pv_world *world, pv_body_id body, const pv__body *was,
                            const pv_mask *gone, pv_point at);
/// Adds the velocity of an explosion to the grains within its radius.
void pv__grains_explode(pv_world *world, pv_vec2 center, double radius, double impulse);

#endif
