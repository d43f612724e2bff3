/* polygon_motion.h - the interface of polygon_motion.c: place, velocity and momentum of polygons.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_POLYGON_POLYGON_MOTION_H
#define PV_POLYGON_POLYGON_MOTION_H

#include "core/world.h"

/// Mass and inertia of the corners that are not pinned, and the center about which they turn
typedef struct pv__polygon_mass {
    double mass, inertia;
    pv_vec2 center;
} pv__polygon_mass;

pv__polygon_mass pv__polygon_mass_of(const pv_world *world, const pv__polygon *polygon);
/// Returns the velocity of a polygon's center of mass [px/s].
pv_vec2 pv__polygon_velocity(const pv_world *world, const pv__polygon *polygon);
/// Returns the angular momentum of a polygon over its inertia [rad/s].
double pv__polygon_angular_velocity(const pv_world *world, const pv__polygon *polygon);

/// Moves a polygon's center to a place and turns it about the center; its motion stays. Refuses if
/// a corner would be out of range; the error names the field.
pv_status pv__polygon_move(pv_error *e, pv_world *world, int index, const char *field, pv_vec2 to,
                           pv_rotation turn);
/// Adds a motion to the corners that are not pinned. Refuses one that makes a corner too fast.
pv_status pv__polygon_add_motion(pv_error *e, pv_world *world, int index, const char *field,
                                 pv_vec2 velocity, double angular);
/// Adds momentum [mass px/s], and angular momentum about the center [mass px^2/s].
pv_status pv__polygon_add_momentum(pv_error *e, pv_world *world, int index, pv_vec2 linear,
                                   double angular);
/// Adds a force and a torque for the whole next step, shared according to mass.
void pv__polygon_add_force(pv_world *world, int index, pv_vec2 force, double torque);
void pv__polygon_set_filter(pv_world *world, int index, pv_filter filter);
void pv__polygon_set_material(pv_world *world, int index, pv__material material);

#endif
