/* bitmap_contact.h - the interface of bitmap_contact.c: contacts from collision bitmaps (Cheng
 * 2003, sections 3 and 4.1).
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PAPER_BITMAP_CONTACT_H
#define PV_PAPER_BITMAP_CONTACT_H

#include "core/world.h"

/// Distance that contacts keep, and up to which a pair touches [px]. Without it, a body that turns
/// or slides a little would hit pixels, as bitmaps either share one or not.
#define PV__BITMAP_MARGIN 0.1

/// Turns world->pairs into world->contacts with collision bitmaps.
void pv__bitmap_contact_find_all(pv_world *world);

/// Returns the greatest displacement of any pixel of one body relative to the other in the substep
/// [px].
double pv__bitmap_contact_motion(const pv__body *a, const pv__body *b);
/// Returns the contact of a pair among sorted contacts, or null. The cursor begins at 0 and moves
/// forward: pairs are asked in order.
pv__contact *pv__bitmap_contact_of(pv__contact *sorted, int count, pv__pair pair, int *cursor);
/// Appends a contact; without memory it sets world->out_of_memory.
void pv__bitmap_contact_add(pv_world *world, const pv__contact *c);

#endif
