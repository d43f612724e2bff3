/* pv_contact.h - the ways to find a manifold of contours.
 *
 * Invariant: each fills count, points and clearance from the poses and velocities of the bodies and nothing else.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CONTACT_H
#define PV_CONTACT_H

#include "pv_world.h"

/* pv_contact_exact.c */
/// The manifold of two bodies that are discs or convex polygons; false when they are not. ahead: for how long it is to
/// hold [s]; reach: how far apart surfaces are that belong to it [px].
bool pv__meet_exactly(const pv_world *world, pv__manifold *m, double ahead, double reach);

#endif
