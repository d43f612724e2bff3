/* wake.h - the interface of wake.c: bodies and polygons that wake, each with its island.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_WAKE_H
#define PV_CORE_WAKE_H

#include "core/world.h"

/// Interval between two tests of a body for rest [s]
#define PV__LOOK 0.24

/// Greatest mean rim speed of a supported body at rest [px/s]
#define PV__CREEP_PACE 0.4
/// Greatest rim speed, and greatest change of velocity, of an unsupported body at rest [px/s]
#define PV__FREE_PACE 0.005

/// Restarts the observation of rest for a body, at its current pose.
void pv__wake_forget_rest(pv__body *b);
/// Wakes a body with its whole island.
void pv__wake_body(pv_world *world, pv__body *b);
/// Adds a body to the ring of a sleeping island, which already has its root.
void pv__wake_join_ring(pv_world *world, int root, int index);
/// Rebuilds the rings of all sleeping islands from the bodies' island numbers.
void pv__wake_link_islands(pv_world *world);
/// Rebuilds the list of awake bodies if it is out of date.
void pv__wake_list_awake(pv_world *world);
static inline bool pv__polygon_is_alive(const pv__polygon *q) { return pv__slot_lives(&q->slot); }
/// Returns one of three corners that represent the place of a polygon.
pv_vec2 pv__polygon_mark(const pv_world *world, const pv__polygon *q, int i);
/// Stores the places of these corners, and restarts the polygon's time at rest.
void pv__polygon_mark_all(const pv_world *world, pv__polygon *q);
/// Wakes all polygons that are marked as called.
void pv__wake_called_polygons(pv_world *world);
/// Wakes a polygon with its island; during a step, at the end of the step.
void pv__wake_polygon(pv_world *world, int index);
/// Wakes all polygons that sleep with an island of bodies.
void pv__wake_polygons_with(pv_world *world, int bodies);
/// Wakes all polygons.
void pv__wake_polygons_all(pv_world *world);
/// Wakes the polygon with that particle as a corner, if there is one.
void pv__wake_corner(pv_world *world, int particle);

#endif
