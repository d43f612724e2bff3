/* events.h - the interface of events.c: the events of a step, published at its end.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_EVENTS_H
#define PV_CORE_EVENTS_H

#include "core/world.h"

/// Appends an item to a list. Without memory it sets world->out_of_memory and returns false.
bool pv__events_append(pv_world *world, pv__list *list, const void *item, size_t size);
/// Reserves memory for that number of awake bodies and for their changes of sleep; returns false
/// without memory.
bool pv__events_reserve_changes(pv_world *world, int bodies);
/// Notes that a body fell asleep or woke.
void pv__events_note_change(pv_world *world, pv__body *b);
/// Reserves memory for the begin and end events of that number of pairs; returns false without
/// memory.
bool pv__events_reserve_meetings(pv_world *world, int pairs);
/// Publishes the contact end of a manifold that is about to be removed, if its pair touched. Takes
/// it out of the contact lists.
void pv__events_tell_dropped(pv_world *world, pv__manifold *m);
/// Notes the contacts of a substep in pixel mode.
void pv__events_tell_touches(pv_world *world);
/// Clears the events of the last step; called at the start of the next one.
void pv__events_clear(pv_world *world);
/// Publishes the events of the step; called at its end.
void pv__events_tell(pv_world *world);
/// Frees the memory of all event lists.
void pv__events_free(pv_world *world);
/// Reserves memory for that number of further split or carved bodies; returns false without memory.
bool pv__events_reserve_news(pv_world *world, int more);
/// Notes that a rectangle of a body's picture changed. The list must have room.
void pv__events_note_dirty_rect(pv_world *world, pv_body_id body, pv_rect rect);
/// Publishes the splits, dirty rects and joint breaks since the last step, after all other events.
void pv__events_tell_news(pv_world *world);

#endif
