/* ground.h - the interface of ground.c: the pixels of bodies that stand still.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_GRAINS_GROUND_H
#define PV_GRAINS_GROUND_H

#include "core/world.h"

/// Returns the biased pixels that a placed picture can cover, within the area.
pv_rect pv__ground_rect_of(const pv_transform *transform, int w, int h);
/// Does the same for a body's picture.
pv_rect pv__ground_rect(const pv__body *b, pv__pose pose);
/// Tells whether a body has the picture that a population last saw of it.
bool pv__ground_shows(const pv__grain_body *seen, const pv__body *b);
/// Adds the solid pixels of a body at a pose to the ground, those in a part of the rectangle of its
/// picture. Wakes the grains there. Returns false without memory, with some pixels added.
bool pv__ground_add(pv_world *world, pv__grains *g, const pv__body *b, pv__pose pose, pv_rect rect);
/// Clears a rectangle of biased pixels, and marks the grains that lie on it.
void pv__ground_clear(pv__grains *g, pv_rect rect);
/// Draws all grounded bodies within a rectangle anew, as they were last seen. Leaves out those with
/// another picture, which the next step lifts. Returns false without memory.
bool pv__ground_redraw(pv_world *world, pv__grains *g, pv_rect rect);

#endif
