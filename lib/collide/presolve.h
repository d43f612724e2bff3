/* presolve.h - the interface of presolve.c: what two touching bodies are to each other: their
 * material, one-way sides, and what the caller says.
 *
 * Invariant: as in presolve.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_PRESOLVE_H
#define PV_COLLIDE_PRESOLVE_H

#include "core/world.h"

/// Returns what becomes of a pair with a contact, of which the point, normal, gap and whether it
/// touches are known; material may be changed.
pv_presolve_result pv__presolve_pair(const pv_world *world, int a, int b,
                                     pv_presolve_contact *contact, pv__material *material);
/// The same of a manifold that was found or kept in this step, its bodies being shown: what passes
/// has no points.
void pv__presolve_manifold(pv_world *world, pv__manifold *m);
/// Tells whether a contact of pixels presses.
bool pv__presolve_contact(pv_world *world, pv__contact *c, bool touches);
/// Tells whether a pair passed each other in the last step, a < b.
bool pv__presolve_passes(const pv_world *world, int a, int b);
/// Takes what passes out of world->pairs.
void pv__presolve_leave_out_passing(pv_world *world);

#endif
