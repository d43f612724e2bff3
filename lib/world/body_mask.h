/* body_mask.h - the interface of body_mask.c: makes a body's pixels with their derived data, and
 * changes them while the body moves.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_WORLD_BODY_MASK_H
#define PV_WORLD_BODY_MASK_H

#include "base/error.h"
#include "core/world.h"
#include "pixel/material_map.h"

/// Creates body pixels, which the caller has to give to a body or drop. The status is PV_OK or the
/// reason of a failure.
/// @param materials view of a map that covers the mask, or of no map
pv_status pv__body_mask_make(pv_world *world, pv_mask *mask, pv_vec2 scale, pv_collider how,
                             const pv__material_view *materials, pv__body_pixels **pixels);
/// Reserves memory for the next body pixels; returns false without memory.
bool pv__body_mask_reserve(pv_world *world);
/// Tells whether body pixels have that mask, scale, collision shape and material view.
bool pv__body_mask_is(const pv__body_pixels *pixels, const pv_mask *mask, pv_vec2 scale,
                      pv_collider how, const pv__material_view *materials);
void pv__body_mask_drop(pv_world *world, pv__body_pixels *pixels);
/// Gives pixels and a mass to a body. Does not drop the old pixels, and does not move particles.
void pv__body_mask_put_on(pv__body *b, pv__body_pixels *pixels, double mass);
/// Tells whether a scale is in the range of defs and setters.
bool pv__body_scale_in_range(pv_vec2 scale);
/// Checks the scale of a def or setter.
bool pv__body_check_scale(pv_error *e, const char *field, pv_vec2 scale);
/// Checks that a material map covers a mask.
bool pv__body_check_map(pv_error *e, const char *field, const pv__material_view *materials,
                        const pv_mask *mask);
/// Fills an error with the reason why a mask could not be made into body pixels.
void pv__body_mask_explain(pv_error *e, pv_status status, const char *field);

/// Replaces the pixels of a body without moving it. Each pixel keeps its weight, and the body takes
/// a reference to the mask.
/// @param where box of all changes in the world; null: anywhere
/// @param materials material view of the body, with the sums of the new pixels
pv_status pv__body_reshape(pv_world *world, pv__body *b, pv_mask *mask,
                           const pv__material_view *materials, const pv_box *where);

#endif
