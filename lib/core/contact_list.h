/* contact_list.h - the interface of contact_list.c: the contacts of each body.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_CONTACT_LIST_H
#define PV_CORE_CONTACT_LIST_H

#include "core/world.h"

/// Adds a manifold that begins to touch to the lists of its bodies.
void pv__contact_list_add(pv_world *world, pv__manifold *m);
/// Removes a manifold that no longer touches from the lists of its bodies.
void pv__contact_list_remove(pv_world *world, pv__manifold *m);
/// Builds all lists anew, from the manifolds that touch or the contacts of pixels.
void pv__contact_list_fill(pv_world *world);
/// Returns the index of a link among the world's manifolds, or its contacts of pixels.
static inline int pv__contact_list_index(int link) { return (link - 1) >> 1; }
/// Returns the next link in a list, or 0.
int pv__contact_list_next(const pv_world *world, int link);

#endif
