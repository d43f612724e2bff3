/* polygon_events.h - the interface of polygon_events.c: contacts and hits of polygons.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_POLYGON_POLYGON_EVENTS_H
#define PV_POLYGON_POLYGON_EVENTS_H

#include "polygon/polygon_scratch.h"

/// Returns the event of a pair, a sprite before a polygon.
pv_contact_event pv__polygon_event_of(const pv_world *world, const pv__meet *meet);
/// Tells whether both bodies of a pair sleep, stand still or are pinned.
bool pv__polygon_pair_rests(const pv_world *world, pv_body_id a, pv_body_id b);
/// Returns a sum of normals plus one more, or unchanged if both cancel, so it has a direction.
pv_vec2 pv__polygon_join_normals(pv_vec2 sum, pv_vec2 normal);
/// Adds solved contacts to the pair that is tested.
void pv__polygon_note_touches(pv_world *world, const pv__touch *touches, int count);
/// Adds the contacts of a pair in a round to those of its step.
void pv__polygon_note_blow(pv__meet *meet, const pv__blow *blow);
/// Lists the pairs that touch, and the hits of the step.
void pv__polygon_tell(pv_world *world);
/// Publishes the polygons that fell asleep, woke or left the bounds, after the sprites.
void pv__polygon_tell_states(pv_world *world);

#endif
