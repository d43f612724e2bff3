/* events.h - the interface of events.c: what happened in a step, told when it is over.
 *
 * Invariant: as in events.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_EVENTS_H
#define PV_CORE_EVENTS_H

#include "core/world.h"

/// Adds an item to a list; without memory the step is flagged.
bool pv__events_append(pv_world *world, pv__list *list, const void *item, size_t size);
/// Makes room for so many bodies that are awake, and for what they can change; false without
/// memory.
bool pv__events_reserve_changes(pv_world *world, int bodies);
/// A body fell asleep or woke.
void pv__events_note_change(pv_world *world, pv__body *b);
/// Makes room for what so many pairs can begin and end; false without memory.
bool pv__events_reserve_meetings(pv_world *world, int pairs);
/// A manifold goes: if its pair touched, that is over.
void pv__events_tell_dropped(pv_world *world, const pv__manifold *m);
/// Notes what contacts of pixels did in a substep.
void pv__events_tell_touches(pv_world *world);
/// What is told of the last step goes when the next one begins; what is told of that one comes when
/// it ends.
void pv__events_clear(pv_world *world);
void pv__events_tell(pv_world *world);
void pv__events_free(pv_world *world);
/// Makes room for so many more bodies that are split off or carved; false without memory.
bool pv__events_reserve_news(pv_world *world, int more);
/// A part of a body's picture is another; there must be room.
void pv__events_note_dirty_rect(pv_world *world, pv_body_id body, pv_rect rect);
/// What was split off and carved since the last step is told; after all else of a step.
void pv__events_tell_news(pv_world *world);

#endif
