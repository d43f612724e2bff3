/* polygon_scratch.h - candidate pairs of polygons in a step, found once and solved in every round.
 *
 * Invariant: a pair that is not listed does not touch in the step, unless its speed rises by half.
 * The list is ordered by kind, polygon and other index, never by address.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_POLYGON_POLYGON_SCRATCH_H
#define PV_POLYGON_POLYGON_SCRATCH_H

#include "core/pose.h"
#include "matter/matter_contact.h"
#include "polygon/polygon.h"

typedef enum pv__meet_kind { PV__MEET_POLYGON = 0, PV__MEET_BODY, PV__MEET_PARTICLE } pv__meet_kind;

/// Contacts of a pair in a round or in a step.
typedef struct pv__blow {
    /// Fastest contact: its point, its normal, out of the polygon of the pair, and its approach
    /// speed [px/s]
    pv_vec2 point, normal;
    double speed;
    /// Sum of the impulses along the normals [mass px/s]
    double impulse;
    /// Sums of the points and the normals, and the impulses, in the last substep with a contact
    pv_vec2 points, normals;
    double press;
    /// Number of those contacts; 0: none in the step
    int count;
    /// Number of that substep
    int substep;
} pv__blow;

/// Candidate pair of a polygon.
typedef struct pv__meet {
    pv__meet_kind kind;
    int polygon;
    /// Index of a later polygon, a particle or a body
    int other;
    /// Block of the body's vertices; -1 for the polygon's corners in the body
    int block;
    /// First round in which one of the corners may touch
    int due;
    /// State of the polygon at a one-way body, valid with block -1
    pv__passage passage;
    /* kept in the first entry of the pair */
    /// Contacts of this step
    pv__blow blow;
    /// Flags of a pair that was presolved, that is ignored in this step, and until it is apart
    bool judged, passes, until_apart;
    /// One more than the last substep in which it overlapped and was ignored
    int overlapped;
    /// Material after presolve
    pv__pair_material material;
} pv__meet;

/// Part of an edge on which an edge of another polygon lies.
typedef struct pv__seam {
    int polygon, other;
    /// Ends of the edge
    int from_particle, to_particle;
    /// Ends of the part [px from the start of the edge]
    double from, to;
    /// Flags of a part that reaches an end of the edge
    bool at_from, at_to;
    /// Normals of the other polygon where its outline goes on from these ends
    pv_vec2 from_normal, to_normal;
} pv__seam;

/// Swept box of a polygon or a body for the step.
typedef struct pv__reach {
    pv_box box;
    /// Index of one of the two; the other is -1
    int polygon, body;
} pv__reach;

typedef struct pv__polygon_room {
    pv__meet *meets;
    int meet_count, meet_capacity;
    /// Polygons and awake bodies, sorted by left side
    pv__reach *reaches;
    int reach_count, reach_capacity;
    /// Seams of immovable polygons, by polygon
    pv__seam *seams;
    int seam_count, seam_capacity;
    /// Immovable polygons and what passes them, by filters or presolve: a body, or minus a particle
    pv__pair *apart;
    int apart_count, apart_capacity;
    bool apart_sorted;
    /// First entry of each stripe, and the polygons of all stripes
    int *starts, *stripes;
    int stripe_count, start_capacity, stripe_capacity;
    /// Left side of all stripes, and the width of one [px]
    double left, width;
    /// Step of the list; without memory there may be none
    uint64_t step;
    /// Round of the step; odd rounds run backward
    int round;
    /// Number of the substep in the step
    int substep;
    /// Flag of a list with a one-way body
    bool one_way;
    /// Contacts of the last tested pair, and the pair
    pv__blow blow;
    pv__meet *meet;
} pv__polygon_room;

/* polygon_one_way.c */
/// Transfers the stored states at one-way bodies to the step's list, which has the same order. A
/// polygon that was placed inside a body since then passes.
void pv__polygon_recall_crossings(pv_world *world);
/// Returns the state of a polygon at a one-way body, from its contacts.
struct pv__touch;
pv__passage pv__polygon_judge_crossing(const pv_world *world, const pv__meet *m,
                                       const struct pv__touch *touches, int count);

/// Returns a box in a body's picture that contains a box of the world.
static inline pv_box pv__polygon_box_on(const pv__body *b, pv__pose pose, const pv_box *box) {
    pv_vec2 middle = pv__lerp(box->min, box->max, 0.5), half = pv__sub(box->max, middle);
    pv_vec2 at = pv__pose_into_picture(b, pose, middle);
    double c = pv__abs(pose.turn.c), s = pv__abs(pose.turn.s);
    pv_vec2 extent = {c * half.x + s * half.y, s * half.x + c * half.y};
    return (pv_box){pv__sub(at, extent), pv__add(at, extent)};
}

#endif
