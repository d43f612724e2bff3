/* body_bitmap.h - the interface of body_bitmap.c: collision bitmaps of bodies (Cheng 2003, section
 * 3.1), and the shapes that particles meet.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_BODY_BITMAP_H
#define PV_CORE_BODY_BITMAP_H

#include "core/world.h"
#include "shape/shape.h"

/// Returns the bitmap of a body in a pose, or null without memory. The result is valid as long as
/// store.
const pv__bitmap *pv__bitmap_in(const pv_world *world, const pv__body *b, pv__pose pose,
                                pv__bitmap *store);
/// Returns the bitmap of a body in a pose where a rectangle covers it, or null without memory. For
/// an upright body it is the whole bitmap.
const pv__bitmap *pv__bitmap_part(const pv_world *world, const pv__body *b, pv__pose pose,
                                  pv_rect part, pv__bitmap *store);
/// Tells whether a body has the same bitmap in two poses.
bool pv__bitmap_is_same(const pv__body *b, pv__pose p, pv__pose q);
/// Frees the words of a bitmap and empties it.
void pv__bitmap_free(const pv_world *world, pv__bitmap *bitmap);
/// Frees the bitmaps of a body's pixel motion.
void pv__bitmaps_free(const pv_world *world, const pv__body *b);
/// Returns the shape of a body that particles meet, also in a world of pixel contacts: contour and
/// field. The result is null without memory.
const pv__shape *pv__particle_shape_of(const pv__body *b);

#endif
