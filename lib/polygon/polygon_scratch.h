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
    int polygon;
    /// Index of a later polygon, a particle or a body
    int other;
    pv__meet_kind kind;
    /// First round in which one of the corners may touch a body
    int due;
    /// State of the polygon at a one-way body
    pv__passage passage;
    /// Contacts of this step
    pv__blow blow;
    /// True if the pair was presolved, and the result
    bool judged;
    pv_presolve_result verdict;
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
    /// True if the part reaches that end of the edge
    bool at_from, at_to;
    /// Normals of the other polygon where its outline goes on from these ends
    pv_vec2 from_normal, to_normal;
} pv__seam;

/// Swept box of a polygon or a body for the step.
typedef struct pv__reach {
    /// Index of one of the two; the other is -1
    int polygon, body;
    pv_box box;
} pv__reach;

/// Number of vertical stripes into which polygons are sorted to meet particles
enum { PV__STRIPES = 512 };

/// Polygon in a stripe: its reach, and the next link of the stripe, or -1
typedef struct pv__stripe_link {
    int reach, next;
} pv__stripe_link;

typedef struct pv__polygon_room {
    pv__meet *meets;
    int meet_count, meet_capacity;
    /// Polygons and awake bodies, sorted by left side
    pv__reach *reaches;
    int reach_count, reach_capacity;
    /// Seams of immovable polygons, by polygon
    pv__seam *seams;
    int seam_count, seam_capacity;
    /// Immovable polygons, each with a body or minus a particle that filters or presolve let pass
    pv__pair *apart;
    int apart_count, apart_capacity;
    bool apart_sorted;
    /// First link of each stripe, or -1, and the links of all stripes
    int stripes[PV__STRIPES];
    pv__stripe_link *links;
    int link_count, link_capacity;
    /// Left side of all stripes, and the width of one [px]
    double left, width;
    /// Step of the list; without memory there may be none
    uint64_t step;
    /// Round of the step; odd rounds run backward
    int round;
    /// Number of the substep in the step
    int substep;
    /// Contacts of the last tested pair, and the pair
    pv__blow blow;
    pv__meet *meet;
    /// Contacts found for that pair
    pv__touch touches[PV__TOUCHES];
} pv__polygon_room;

/// Returns the list of this step, or null if there is none.
static inline pv__polygon_room *pv__polygon_list(const pv_world *world) {
    pv__polygon_room *r = world->matter.polygon_room;
    return r && r->step == world->steps + 1 ? r : NULL;
}

/// Tells whether a polygon has discs instead of edges.
static inline bool pv__polygon_has_discs(const pv_world *world, int polygon) {
    return world->matter.polygons[polygon].hull == PV_POLYGON_COLLIDER_CIRCLES;
}

/* polygon_one_way.c */
/// Transfers the stored states at one-way bodies to the step's list, which has the same order. A
/// polygon that was placed inside a body since then passes.
void pv__polygon_recall_crossings(pv_world *world);
/// Returns the state of a polygon at a one-way body, from its contacts.
pv__passage pv__polygon_judge_crossing(const pv_world *world, const pv__meet *m,
                                       const pv__touch *touches, int count);

#endif
