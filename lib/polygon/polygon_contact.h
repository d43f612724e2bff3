/* polygon_contact.h - the interface of polygon_contact.c: finds and solves overlaps of polygons
 * with each other, particles and sprites.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "core/matter.h"

void pv__polygon_scratch_free(pv_world *world);
/// Finds the candidate pairs of polygons with polygons, particles and bodies in a step. Returns
/// false without memory.
bool pv__polygon_find_pairs(pv_world *world, double dt);
/// Keeps the states of polygons at one-way bodies until the next step. Returns false without
/// memory.
bool pv__polygon_keep_crossings(pv_world *world);
/// Solves all overlaps in one round.
void pv__polygon_relax_all(pv_world *world);
