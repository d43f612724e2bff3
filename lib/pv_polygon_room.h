/* pv_polygon_room.h - what polygons may meet in a step: found once, gone over in every round.
 *
 * Invariant: what is not listed does not touch in the step, unless something gets faster by half than it was when the step began.
 * The list is in order of kind, polygon and what it meets: never of address.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_POLYGON_ROOM_H
#define PV_POLYGON_ROOM_H

#include "pv_world.h"

typedef enum pv__meet_kind { PV__MEET_POLYGON = 0, PV__MEET_BODY, PV__MEET_PARTICLE } pv__meet_kind;

/// A polygon and what it may meet.
typedef struct pv__meet {
    pv__meet_kind kind;
    int polygon;
    int other; ///< a later polygon, a particle or a body
    int block; ///< of the body's vertices
} pv__meet;

/// Something in a box for the whole step.
typedef struct pv__reach {
    pv_box box;
    int polygon, body; ///< one of them is -1
} pv__reach;

typedef struct pv__polygon_room {
    pv__meet *meets;
    int meet_count, meet_capacity;
    pv__reach *reaches; ///< polygons and bodies that are awake, by their left ends
    int reach_count, reach_capacity;
    int *starts, *stripes; ///< polygons by stripe: first entries, and which
    int stripe_count, start_capacity, stripe_capacity;
    double left, width; ///< of all stripes, and of one [px]
    bool back;          ///< the next round goes backwards
} pv__polygon_room;

#endif
