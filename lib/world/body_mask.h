/* body_mask.h - the interface of body_mask.c: a body's pixels: what follows from them, and how
 * they are changed while it moves.
 *
 * Invariant: as in body_mask.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_WORLD_BODY_MASK_H
#define PV_WORLD_BODY_MASK_H

#include "core/world.h"
#include "pixel/material_map.h"

/// PV_OK with one that somebody has to put on or drop, or why not.
/// @param makeup of a map that covers the mask, or of none
pv_status pv__body_mask_make(pv_world *world, pv_mask *mask, pv_vec2 scale, pv_collider how,
                             const pv__material_view *makeup, pv__body_pixels **guise);
/// Makes room for the next one; false without memory.
bool pv__body_mask_reserve(pv_world *world);
/// Tells whether it is one of a mask, and all else alike.
bool pv__body_mask_is(const pv__body_pixels *guise, const pv_mask *mask, pv_vec2 scale,
                      pv_collider how, const pv__material_view *makeup);
void pv__body_mask_drop(pv_world *world, pv__body_pixels *guise);
/// Makes it the body's. What the body had is not dropped, and its particles stay.
void pv__body_mask_put_on(pv__body *b, pv__body_pixels *guise, double mass);
/// Tells whether a def or a setter may ask for it.
bool pv__body_scale_in_range(pv_vec2 scale);

/// Other pixels at the same place, of which each weighs as much as before; the body takes a
/// reference. Where: in the world, all that was changed; null: anywhere.
/// @param makeup the body's, with the sums of the new pixels
pv_status pv__body_reshape(pv_world *world, pv__body *b, pv_mask *mask,
                           const pv__material_view *makeup, const pv_box *where);

#endif
