/* event_data.h - the structures of events.
 *
 * Invariant: events are published in order of body or pair.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_EVENT_DATA_H
#define PV_CORE_EVENT_DATA_H

#include "base/thread.h"
#include "core/body.h"

/// Sensor and body whose boxes overlapped in a step
typedef struct pv__stay {
    pv_body_id sensor, visitor;
    /// True if they share a pixel
    bool inside;
    /// True if one passed through the other in the step; they shared no pixel before or after
    bool through;
} pv__stay;

/// Contact that holds a body
typedef struct pv__hold {
    /// Next contact of the same body, or -1
    int next;
    /// Index of the other body
    int other;
    /// Normal into the body
    pv_vec2 normal;
    /// Depth [px]
    double depth;
} pv__hold;

/// Events of the last step, and data of the step before that they need: lists, then flags
typedef struct pv__events {
    /* lists that are empty when a step begins */
    /// Begin and end events of contacts: pv_contact_event
    pv__list contact_begins, contact_ends;
    /// Hit events: pv_hit_event
    pv__list hits;
    /// Begin and end events of sensors: pv_sensor_event
    pv__list sensor_begins, sensor_ends;
    /// Bodies that fell asleep, woke, or left the bounds: pv_body_id
    pv__list sleeps, wakes, out_of_bounds;
    /// Splits and dirty rects: pv_split_event, pv_dirty_rect
    pv__list splits, dirty_rects;
    /// Crush events: pv_crush
    pv__list crushes;
    /// Bodies that are no longer crushed: pv_body_id
    pv__list releases;
    /// Scratch of contacts of pixels and of polygons: pv_contact_event
    pv__list met, spare;

    /* other lists */
    /// Bodies that fell asleep or woke since the last report: int
    pv__list changed;
    /// Sensors among the bodies: int
    pv__list sensors;
    /// Overlaps of sensors: pv__stay, sorted by sensor and visitor
    pv__list inside;
    /// Scratch of the sensor test: pv__stay
    pv__list tested, staying;
    /// Contacts of pixels and of polygons when the last step ended: pv_contact_event
    pv__list touching;
    /// Contacts of polygons in the last step, in order of the pairs, and scratch: pv_contact
    pv__list polygon_contacts, spare_contacts;
    /// Pairs with polygons that presolve ignores until they are apart: pv_contact_event
    pv__list passing;
    /// Scratch of squeeze.c: pv__hold
    pv__list holds;
    /// Broken joints: pv_joint_break_event
    pv__list joint_breaks;
    /// Splits, dirty rects and broken joints that the next step will publish
    pv__list new_splits, new_dirt, new_breaks;

    /// Number of bodies and particles that the step froze, because their motion left its range
    pv__counter frozen_count;
    /// True if any body is unseen
    bool unseen;
    /// True if the last sensor test lacked memory, so that every body counts as unseen
    bool blind;
} pv__events;

#endif
