/* filter.h - the interface of filter.c: collision filters.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_FILTER_H
#define PV_CORE_FILTER_H

#include "core/world.h"

/// Tells whether a filter is not the default one.
static inline bool pv__filter_is_set(pv_filter f) {
    return f.category_bits != 1 || f.mask_bits != 0xffffffff || f.group_index != 0;
}
/// Tells whether two filters let their owners collide.
bool pv__filter_agrees(pv_filter a, pv_filter b);
/// Tells whether two bodies may collide according to their filters and their joints.
bool pv__filter_may_meet(const pv_world *world, int a, int b);
/// Tells whether the filter callback lets two bodies collide, a before b.
bool pv__filter_are_granted(const pv_world *world, pv_body_id a, pv_body_id b);
/// Does the same for two sprites. An index of -1 stands for a collider
/// that is no body.
bool pv__filter_is_granted(const pv_world *world, int a, int b);
/// Tells whether two bodies may collide according to filters, joints and the filter callback.
bool pv__filter_bodies_meet(const pv_world *world, int a, int b);
/// Tells whether a sensor has to test a body, unless the filter callback denies it.
bool pv__filter_may_sense(const pv_world *world, int sensor, int visitor);
/// Removes candidate pairs that may not collide or have a sensor, from index first on.
void pv__filter_pairs(pv_world *world, int first);
/// Tells whether joints disable the collision of two bodies.
bool pv__filter_is_barred(const pv_world *world, int a, int b);

#endif
