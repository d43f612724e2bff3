/* polygon_scratch.h - what polygons may meet in a step: found once, gone over in every round.
 *
 * Invariant: what is not listed does not touch in the step, unless something gets faster by half
 * than it was when the step began. The list is in order of kind, polygon and what it meets: never
 * of address.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_POLYGON_POLYGON_SCRATCH_H
#define PV_POLYGON_POLYGON_SCRATCH_H

#include "core/world.h"
#include "matter/matter_contact.h"
#include "polygon/polygon.h"

typedef enum pv__meet_kind { PV__MEET_POLYGON = 0, PV__MEET_BODY, PV__MEET_PARTICLE } pv__meet_kind;

/// A polygon and what it may meet.
typedef struct pv__meet {
    pv__meet_kind kind;
    int polygon;
    /// A later polygon, a particle or a body
    int other;
    /// Of the body's vertices; -1: the polygon's corners in the body
    int block;
    /// Of corners: round before which none of them can touch
    int due;
    /// Of corners, through a one-way body
    pv__passage passage;
    /// Of the first of the two, in this step
    bool touched;
} pv__meet;

/// Something in a box for the whole step.
typedef struct pv__reach {
    pv_box box;
    /// One of them is -1
    int polygon, body;
} pv__reach;

typedef struct pv__polygon_room {
    pv__meet *meets;
    int meet_count, meet_capacity;
    /// Polygons and bodies that are awake, by their left ends
    pv__reach *reaches;
    int reach_count, reach_capacity;
    /// Polygons by stripe: first entries, and which
    int *starts, *stripes;
    int stripe_count, start_capacity, stripe_capacity;
    /// Of all stripes, and of one [px]
    double left, width;
    /// That the list is of: without memory there may be none
    uint64_t step;
    /// Of the step; odd ones go backwards
    int round;
    /// Some body of the list is
    bool one_way;
    /// The two that were looked at last touched
    bool touches;
} pv__polygon_room;

/* polygon_one_way.c */
/// What is known from the last step of polygons in one-way bodies becomes that of the step's list.
void pv__polygon_recall_crossings(pv_world *world);
/// What a one-way body and a polygon are to each other, by their touches.
struct pv__touch;
pv__passage pv__polygon_judge_crossing(const pv_world *world, const pv__meet *m,
                                       const struct pv__touch *touches, int count);

/// A box in the form of a body that holds a box of the world.
static inline pv_box pv__polygon_box_on(const pv__body *b, pv__pose pose, const pv_box *box) {
    pv_vec2 middle = pv__lerp(box->min, box->max, 0.5), half = pv__sub(box->max, middle);
    pv_vec2 at = pv__add(b->guise->pivot, pv__unrotate(pose.turn, pv__sub(middle, pose.center)));
    double c = pv__abs(pose.turn.c), s = pv__abs(pose.turn.s);
    pv_vec2 extent = {c * half.x + s * half.y, s * half.x + c * half.y};
    return (pv_box){pv__sub(at, extent), pv__add(at, extent)};
}

#endif
