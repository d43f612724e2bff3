/* presolve.h - the interface of presolve.c: presolve of a pair: material, one-way sides and the
 * caller's callback.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_PRESOLVE_H
#define PV_COLLIDE_PRESOLVE_H

#include "core/world.h"

/// Asks the caller's callback about a contact, whose material may change.
pv_presolve_result pv__presolve_ask(const pv_world *world, pv_presolve_contact contact,
                                    pv__pair_material *material);
/// Presolves a manifold of this step whose bodies show their solver state. A pair that passes loses
/// its points.
void pv__presolve_manifold(pv_world *world, pv__manifold *m);
/// Tells whether a contact of pixels is to be solved.
bool pv__presolve_contact(pv_world *world, pv__contact *c, bool touches);
/// Tells whether the bodies of a pair, a < b, passed through each other in the last step; m may be
/// null.
bool pv__presolve_passes(const pv_world *world, const pv__manifold *m, int a, int b);
/// Removes the passing pairs from world->pairs.
void pv__presolve_leave_out_passing(pv_world *world);

#endif
