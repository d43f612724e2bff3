/* polygon_contact.h - the interface of polygon_contact.c: where polygons overlap each other,
 * particles and sprites, and how that is undone.
 *
 * Invariant: as in polygon_contact.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_POLYGON_POLYGON_CONTACT_H
#define PV_POLYGON_POLYGON_CONTACT_H

#include "core/matter.h"

void pv__polygon_scratch_free(pv_world *world);
/// Which polygons may meet which others, particles and bodies in a step; false without memory.
bool pv__polygon_find_pairs(pv_world *world, double dt);
/// Remembers until the next step what comes through one-way bodies and what they hold; false
/// without memory.
bool pv__polygon_keep_crossings(pv_world *world);
/// One round over all that overlaps.
void pv__polygon_relax_all(pv_world *world);

#endif
