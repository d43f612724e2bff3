/* contact_data.h - the structures of pairs and their contacts, of contours and of pixels.
 *
 * Invariant: contacts and active manifolds are sorted by pair; a < b in each.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_CONTACT_DATA_H
#define PV_CORE_CONTACT_DATA_H

#include "core/body.h"

/// Arms from the centers of both bodies of a pair to a point [px]
typedef struct pv__levers {
    pv_vec2 a, b;
} pv__levers;

/// Contact point in a world of pixel contacts
typedef struct pv__point {
    /// Place in the world [px]
    pv_vec2 place;
    /// Impulses accumulated in the substep, kept to start the next one [mass px/s]
    double impulse_n, impulse_t;
    /* scratch of the solve stage */
    pv__levers arm;
    double mass_n, mass_t, target, static_friction, kinetic_friction;
} pv__point;

typedef struct pv__pair {
    /// Indices, a < b
    int a, b;
} pv__pair;

/// Pair that presolve lets pass, in a world of pixel contacts
typedef struct pv__passing {
    pv__pair pair;
    uint32_t generation_a, generation_b;
    /// Step of its presolve
    uint64_t step;
    bool until_apart;
} pv__passing;

/// Mixed material of a pair
typedef struct pv__pair_material {
    pv__material mixed;
    /// Rolling resistance [px]
    double rolling;
    /// Speed of a's surface relative to b's along the tangent, the normal turned clockwise [px/s]
    double tangent_speed;
} pv__pair_material;

/// Links of a contact in the lists of its bodies a and b; see contact_list.c
typedef struct pv__contact_links {
    int next[2], previous[2];
} pv__contact_links;

/// Touching pair; a < b
typedef struct pv__contact {
    int a, b;
    pv__contact_links links;
    /// Mean of the shared pixels, and normal from a to b
    pv_vec2 point, normal;
    /// True if the bodies overlapped before the substep
    bool overlapped;
    /// True if the pair did not touch in the substep before
    bool fresh;
    /// Greatest approach speed of its points [px/s]
    double approach;
    /// One more than the last step in which it was a hit
    uint64_t hit;
    /// Sum of the step's impulses that no hit event has reported yet [mass px/s]
    double given;
    /// True if the substep would have made its pixels overlap
    bool stopped;
    /// Distance to push overlapping bodies apart, without a change of velocity [px]
    double push;
    /// Fraction of the substep's motion up to the touch
    double fraction;
    /// True if the approach was faster than the restitution threshold
    bool bounces;
    /// Distance along the normal when it was measured, and greatest motion of the bodies since [px]
    double gap, drift;
    int64_t overlap;
    /// Depth of the overlap along the normal, roughly [px]
    double depth;
    pv__pair_material material;
    /// Rolling friction: angular impulse accumulated in the substep, and angular mass
    double roll_impulse, roll_mass;
    /// Ends of a flat contact patch, or its middle alone
    pv__point points[2];
    int count;
} pv__contact;

/// Immovable body whose box overlaps the box of another body
typedef struct pv__ground {
    int body;
    /// Next ground of the same body, or -1
    int next;
} pv__ground;

/// Greatest number of points of a manifold, and number of points kept for every slot
#define PV__MANIFOLD_POINTS 8
#define PV__MANIFOLD_NEAR 2

/// Contact point of two contours
typedef struct pv__contact_point {
    /// Centers of curvature, relative to each body's center, in its own rotation [px]
    pv_vec2 anchor_a, anchor_b;
    /// Normal from a to b
    pv_vec2 normal;
    /// Impulses of the last substep [mass px/s]
    double impulse_n, impulse_t;
    /// Gap at the last update [px]
    double gap;
    /// Radii of the surfaces at the point; 0: the anchor is on the surface [px]
    double radius_a, radius_b;
    /// Angular impulse of the last substep [mass px^2/s]
    double impulse_roll;
    /// Identifier of the vertex
    int key;
    bool slides;
} pv__contact_point;

/// Impulses of points of a pair in a step, with or without a hit
typedef struct pv__impact {
    /// Greatest approach speed [px/s], and sum of all impulses [mass px/s]
    double speed, impulse;
    /// Part of the impulse from points faster than the hit threshold
    double share;
    /// Sum of places weighted with that part, relative to the heavier body's center, in its own
    /// rotation [px]
    pv_vec2 at;
    /// Sum of normals weighted with that part, from a to b
    pv_vec2 normal;
} pv__impact;

/// Manifold of a candidate pair of contours; a < b
typedef struct pv__manifold {
    int a, b, count;
    uint32_t generation_a, generation_b;
    /// Number of its points in contact batches
    int8_t packed;
    bool made;
    /// True if its points are in a block
    bool wide;
    /// True if one body is immovable
    bool fixed;
    /// True if one body is immovable, and one is so thin that only pixels keep the pair apart
    bool slight;
    /// True if it exchanged an impulse in this step
    pv__flag pressed;
    /// True if its approach was faster than the world's hit threshold
    pv__flag hit;
    /// True if the bodies touched when the last step ended
    bool touches;
    /// True if presolve lets the pair pass until it is apart
    bool until_apart;
    /// True if its batches have reported an impulse in this step
    bool struck;
    /// True if presolve lets the pair pass in this step
    bool passes;
    /// True if presolve has seen the pair in this step
    bool judged;
    /// True if in this step pixels have stopped one body at the other, which sleeps
    bool stops;
    /// Last step in which its boxes overlapped
    uint64_t step;
    /// Points, with room for PV__MANIFOLD_POINTS in a block, or for PV__MANIFOLD_NEAR
    pv__contact_point *points;
    /// Motion of the pair that the last update provided for [px]
    double foreseen;
    /// Distance of the contours at the last update, up to a limit of the search [px]
    double clearance;
    /// Poses at the last update
    pv_vec2 apart;
    pv_rotation turn_a, turn_b;
    pv__pair_material material;
    /// Links while it touches
    pv__contact_links links;
    /// Index of batch and vector lane for each part
    int lanes[PV__MANIFOLD_POINTS / 2];
    /// Impacts that its batches have reported in this step, if it is struck
    pv__impact impact;
} pv__manifold;

/// Rim speed up to which pairs are searched only in one step of eight [px/s]. Meanwhile bodies
/// move less than the boxes' margin. A greater gain of speed disturbs a solver body.
#define PV__HELD_SPEED 2

/// Depth beyond which two discs are pushed apart along the normal of the last update [px]
#define PV__DISC_DEPTH 0.25

/// Tells whether a manifold is of two discs that hardly overlapped at the last update. Their normal
/// is measured in every substep. Only saved data may decide this, because a restored world packs
/// its batches anew.
static inline bool pv__manifold_is_of_discs(const pv__manifold *m) {
    static const pv__contact_point none; /* reading points that do not exist would fault pages in */
    const pv__contact_point *p = m->count == 1 ? m->points : &none;
    return (pv__min(p->radius_a, p->radius_b) > 0) & (p->gap > -PV__DISC_DEPTH);
}

/// Tells whether a manifold carries load.
static inline bool pv__manifold_bears(const pv__manifold *m) {
    bool bears = false;
    for (int i = 0; i < m->count; i++) bears |= m->points[i].impulse_n > 0;
    return bears;
}

/// Entry of the update schedule: a pair of the step
typedef struct pv__schedule {
    /// Slot of its manifold
    int slot;
    /// Substep of the next visit
    int due;
    /// Indices of the bodies
    int a, b;
    /// Solver bodies whose disturbance makes a visit due: a and b. For two touching discs, which
    /// every substep measures, both are the immovable body 0
    int heeds_a, heeds_b;
    /// Motion in a substep up to which it needs no visit before it is due [px]
    double most;
    /// True if pixels test its motion; true if it carried load when it was scheduled
    bool fast, bears;
    /// State of its manifold when last seen: it has no points, is slight, passes
    bool empty, slight, passes;
    /// Bit 0: a gap between the bodies' circles shows that it needs no visit; bit 1: it is of two
    /// discs, and their nearness shows that
    uint8_t told;
    /// Scratch of pixel_stop.c: work of a sweep in advance, and next pair of its chunk with one
    int work, next;
} pv__schedule;

/// Manifold with an update or a presolve in a substep. Detection marks it, and the solver takes it
/// over afterwards.
typedef struct pv__update {
    /// Index in the update schedule; -1 after the last one of a chunk
    int watch;
    /// Slot of the manifold
    int slot;
    /// True for an update, false for presolve alone
    bool find;
    /// True if it had points, which are in batches
    bool had;
    /// Scratch of contact_batch.c: true if its points keep their lanes; true if one of their
    /// batches has no extra data yet
    bool alike, lacks;
    /// Motion of the pair in the substep, and since the last update of the manifold [px]
    double each, moved;
} pv__update;

/// Contacts of a world of pixel contacts.
typedef struct pv__bitmap_contacts {
    pv__contact *contacts, *old_contacts;
    int contact_count, contact_capacity, old_contact_count, old_contact_capacity;
    pv__ground *grounds;
    int ground_count, ground_capacity;
    /// Number of the substep, which wraps around to 0; scratch of backtrack.c
    int turn;
    /// Energy balances of islands by root; scratch of bitmap_solver.c
    struct pv__ledger *ledgers;
    int ledger_capacity;
} pv__bitmap_contacts;

/// Manifolds, and the schedule of their updates.
typedef struct pv__manifolds {
    /// Manifolds by slot; a free one has a < 0 and the next free one in b
    pv__manifold *items;
    int count, capacity, free;
    /// Contact points, PV__MANIFOLD_NEAR for each slot. They are apart from the manifolds to make
    /// loops over manifolds fast
    pv__contact_point *points;
    int point_capacity;
    /// Room for more points, see contact_points.h
    struct pv__point_blocks *blocks;
    /// Hash table of slots by pair, or -1; the length is a power of two
    int *table;
    int table_size;
    /// Slots of the step's pairs, sorted by pair, and of the last step's pairs
    int *active, *was_active;
    int active_count, active_capacity, was_active_count, was_active_capacity;
    /// Update schedule of the active slots that are still stepped
    pv__schedule *schedule;
    int schedule_count, schedule_capacity;
    /// True if the update schedule has the step's pairs
    bool scheduled;
    /// Manifolds that are marked in this substep
    pv__update *updates;
    int update_count, update_capacity;
    /* saved in a snapshot besides the slots */
    /// Pairs that presolve lets pass, sorted by pair
    pv__passing *passing;
    int passing_count, passing_capacity;
    /// True if some body has been one-way, or there is a presolve callback
    bool presolved;
    /// True if bodies woke or were destroyed since the last step, so that sleeping manifolds may be
    /// obsolete
    bool stale;
    /// True if no body has been changed since active manifolds got their materials
    bool mixed;
} pv__manifolds;

#endif
