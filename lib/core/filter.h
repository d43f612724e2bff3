/* filter.h - the interface of filter.c: who meets whom.
 *
 * Invariant: as in filter.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_FILTER_H
#define PV_CORE_FILTER_H

#include "core/world.h"

/// Tells whether a filter is not the default one.
bool pv__filter_is_set(pv_filter filter);
/// Tells whether two meet, by their filters.
bool pv__filter_agrees(pv_filter a, pv_filter b);
/// Tells whether two bodies may meet, by their filters and by what joins them.
bool pv__filter_may_meet(const pv_world *world, int a, int b);
/// Tells whether the caller lets two meet, of whom one may be no body: -1.
bool pv__filter_is_granted(const pv_world *world, int a, int b);
/// Tells whether two bodies meet, by all of these.
bool pv__filter_bodies_meet(const pv_world *world, int a, int b);
/// Tells whether a sensor has to look at a body.
bool pv__filter_may_sense(const pv_world *world, int sensor, int visitor);
/// Takes pairs that may not, and those with sensors, out of world->pairs from the first on.
void pv__filter_pairs(pv_world *world, int first);
/// Returns where a pair of bodies stands, or would stand, among those that constraints keep from
/// meeting.
int pv__filter_bar_place(const pv__matter *m, int a, int b);
/// Tells whether constraints keep two from meeting.
bool pv__filter_is_barred(const pv_world *world, int a, int b);

#endif
