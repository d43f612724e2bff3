/* pv_world.h - what a world is made of; included by the world's files only.
 *
 * Invariant: between calls every body's numbers are finite and within PV_MAX_COORDINATE; the particles lie half a
 * stick from the centre each, along the body's rotation; contacts are sorted by pair. Bodies are named by index,
 * and everything is visited in order of index or pair, never of address, so a run repeats bit for bit.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_WORLD_H
#define PV_WORLD_H

#include "pv_base.h"
#include "pv_geom.h"
#include "pv_math.h"
#include "pv_pixels.h"

/// Where a body is: centre of mass and rotation.
typedef struct pv__pose {
    pv_vec2 centre;
    pv_rotation turn;
} pv__pose;

/// A collision bitmap of a body in some pose. Upright ones borrow the mask's own words.
typedef struct pv__bitmap {
    int x, y; ///< world pixel of the bits' pixel (0, 0)
    pv__bits bits;
    uint64_t *room; ///< owned words for turned ones
    int capacity;   ///< of room, in words
    bool valid;
} pv__bitmap;

typedef struct pv__body {
    /* motion: two particles of half the mass, now and one substep before (Jakobsen 2001) */
    pv_vec2 now[2], before[2];
    double half_stick;    ///< sqrt(inertia / mass), the radius of gyration of the pixels [px]
    double verlet_dt0;    ///< substep that made now - before [s]; 0 when the velocity was set since
    pv__pose pose;        ///< of now
    pv_vec2 acceleration; ///< of the last substep, gravity and forces [px/s^2]
    pv_vec2 force;
    double torque;

    /* what it is */
    pv_mask *mask;
    const pv__shape *shape; ///< of the mask; null in a world of pixel contacts
    double reach;           ///< of the farthest corner of its picture from its centre [px]
    pv_vec2 pivot;          ///< centre of mass in the mask [px]
    double mass, inertia;
    double inverse_mass, inverse_inertia; ///< 0 for what contacts cannot move
    double restitution, static_friction, kinetic_friction;
    void *user_data;
    pv_body_type type;
    uint32_t generation; ///< odd while alive
    bool fixed_rotation;

    /* where it is */
    pv_box box; ///< swept over the last substep [px]
    pv__bitmap bitmap_now, bitmap_before;

    bool settled; ///< a substep has ended with it where it is: nothing but contacts has moved it since
    double stuck; ///< for how long it was stopped where it was [s]

    /* sleep */
    bool awake;
    int island;          ///< shared by all that fell asleep together; -1 awake
    bool moved;          ///< integrated in this substep
    double still;        ///< for how long it has stayed near still_pose [s]
    double island_still; ///< scratch: the least of an island, kept by its root
    pv__pose still_pose;

    /* scratch of the solve and backtrack stages */
    pv_vec2 velocity;
    double spin;
    double fraction; ///< of the substep's motion that was free
    bool touched;
    bool overlaps;          ///< and is pushed out, so that what stops it must give way, too
    bool lingers;           ///< it would have moved by next to nothing and stays where it was
    int retreat;            ///< 0: moved on with the exit velocity, 1: at the touch, 2: back where it was
    pv__pose origin, touch; ///< where the substep began, and where the body touched
} pv__body;

/// From the centres of both bodies of a pair to a point [px].
typedef struct pv__levers {
    pv_vec2 a, b;
} pv__levers;

/// Where a pair presses.
typedef struct pv__point {
    pv_vec2 place;               ///< [px]
    double impulse_n, impulse_t; ///< accumulated in the substep, kept to start the next one [mass px/s]
    /* scratch of the solve stage */
    pv__levers arm;
    double mass_n, mass_t, target, static_friction, kinetic_friction;
} pv__point;

/// One touching pair; a < b.
typedef struct pv__contact {
    int a, b;
    pv_vec2 point, normal; ///< the mean of the shared pixels, and from a to b
    bool overlapped;       ///< already before the substep
    bool stopped;          ///< the substep would have made its pixels meet
    double push;           ///< how far to push apart, giving no speed [px]
    double fraction;       ///< of the substep's motion until they touched
    bool bounces;          ///< it was hit faster than the bounce speed
    double parting;        ///< the least exit speed along the normal [px/s]
    double gap;            ///< along the normal since the pixels last met, by what the bodies moved [px]
    int64_t overlap;
    double roll_impulse,
        roll_mass;       ///< angular; accumulated in the substep, and what a unit of relative spin takes
    pv__point points[2]; ///< the ends of a flat patch, or the mean alone
    int count;
} pv__contact;

#define PV__MANIFOLD_POINTS 8

/// Where two contours press.
typedef struct pv__press {
    pv_vec2 anchor_a, anchor_b;  ///< centres of curvature, from the body's centre, in its own rotation [px]
    double radius_a, radius_b;   ///< of the surfaces there; 0: the anchor is on the surface [px]
    pv_vec2 normal;              ///< from a to b
    double impulse_n, impulse_t; ///< of the last substep [mass px/s]
    int key;                     ///< names the vertex
    bool slides;
    /* scratch of the solve stage */
    pv__levers arm;
    double gap, mass_n, mass_t, approach, most_n;
} pv__press;

/// What is known of a pair whose contours are near; a < b.
typedef struct pv__manifold {
    int a, b, count;
    bool made;
    pv__press points[PV__MANIFOLD_POINTS];
    pv_vec2 apart; ///< poses that it was made for
    pv_rotation turn_a, turn_b;
    double restitution, static_friction, kinetic_friction;
} pv__manifold;

typedef struct pv__pair {
    int a, b; ///< a < b
} pv__pair;

struct pv_world {
    pv_world_def def;
    double dt; ///< of the last substep, which scales now - before; [s]
    uint64_t steps;

    pv__body *bodies;                         ///< slots; a free one has an even generation
    int body_count, body_capacity, body_free; ///< body_free: head of the free slots' list through island, or -1

    int *order; ///< all slots in use sorted by box.min.x
    int order_count, order_capacity;
    pv__pair *pairs;
    int pair_count, pair_capacity;
    pv__contact *contacts, *old_contacts;
    int contact_count, contact_capacity, old_contact_count, old_contact_capacity;

    pv__manifold *manifolds, *old_manifolds;
    int manifold_count, manifold_capacity, old_manifold_count, old_manifold_capacity;

    pv__bitmap scratch[2]; ///< bitmaps of poses in between
    unsigned flags;        ///< PV_STEP_ of the running step
};

static inline bool pv__alive(const pv__body *b) { return b->generation & 1; }

static inline pv_body pv__name_of(const pv_world *world, int index) {
    return (pv_body){(uint32_t)index + 1, world->bodies[index].generation};
}

static inline pv_transform pv__transform_of(const pv__body *b, pv__pose pose) {
    return (pv_transform){pose.centre, pose.turn, b->pivot, {1, 1}};
}

/* pv_world.c */
/// Tells the world's report hook about a refusal, and returns status.
pv_status pv__refuse(const pv_world *world, const char *function, pv_status status);

/* pv_body.c */
/// The body of a name, or null.
pv__body *pv__body_of(const pv_world *world, pv_body name);

/* pv_integrate.c */
/// Moves every awake body by one substep: time-corrected Verlet and the stick.
void pv__integrate(pv_world *world, double h);
/// Makes now - before mean the same velocities for a substep of another length.
void pv__retime(pv_world *world, double h);
/// Pose before the last substep.
pv__pose pv__pose_before(const pv__body *b);
/// Velocity and spin at the end of the last substep.
pv_vec2 pv__velocity(const pv_world *world, const pv__body *b);
double pv__spin(const pv_world *world, const pv__body *b);
/// Velocity and spin of the chord to come, forces included.
void pv__predict(pv_world *world, pv__body *b, double h);
/// Puts the current particles into a pose; the previous ones stay.
void pv__set_pose(pv__body *b, pv__pose pose);
/// The current particles become the previous ones, with their bitmap.
void pv__advance_to(pv__body *b, pv__pose pose);
/// Puts the previous particles where velocity and spin say, for the world's substep.
void pv__set_motion(const pv_world *world, pv__body *b, pv_vec2 velocity, double spin);
/// Pose at a fraction of the last substep's motion.
pv__pose pv__pose_at(const pv__body *b, double fraction);
/// The pose turned by an angle and moved.
pv__pose pv__pose_moved(pv__pose pose, pv_vec2 by, double angle);

/* pv_broad.c */
/// Fills world->pairs with all pairs whose swept boxes meet and of which one is awake; sorted.
/// ahead: how long the boxes are to hold [s].
void pv__find_pairs(pv_world *world, double ahead);
/// The box of a body's turned picture in a pose.
pv_box pv__box_in(const pv__body *b, pv__pose pose);
bool pv__boxes_meet(const pv_box *a, const pv_box *b);

/* pv_bitmap.c */
/// The bitmap of a body in a pose; null without memory. The result lives as long as store does.
const pv__bitmap *pv__bitmap_in(const pv_world *world, const pv__body *b, pv__pose pose, pv__bitmap *store);
void pv__bitmap_free(const pv_world *world, pv__bitmap *bitmap);

/* pv_contact_pixel.c */
/// Turns world->pairs into world->contacts by collision bitmaps.
void pv__find_contacts(pv_world *world);

/// Whether two bodies share a pixel in their current poses.
bool pv__bodies_overlap(pv_world *world, pv__pair pair);
/// The contact of two bodies in their current poses; false when they share no pixel.
bool pv__touch_now(pv_world *world, pv__pair pair, pv__contact *c);
/// Whether the pixels of two bodies that were apart meet on their way through the substep, and the fraction of it until they
/// have gone on by depth [px]. Asked only of pairs that move by more than a pixel.
bool pv__meet_on_the_way(pv_world *world, pv__body *a, pv__body *b, double depth, double *free);
/// Appends a contact; without memory the step is flagged.
void pv__add_contact(pv_world *world, const pv__contact *c);

/* pv_solve_pixel.c */
/// Gives what touched its exit velocities.
void pv__solve_contacts(pv_world *world, double h);

/// Takes the approach out of a pair that met once more after its exit; bodies must be touched.
void pv__absorb(pv_world *world, pv__contact *c);

/* pv_backtrack.c */
/// Moves what touched back to the touch and on with its exit velocities, as far as no pixels meet.
void pv__backtrack(pv_world *world, double h);

/* pv_contact_contour.c */
/// Makes a manifold anew, unless the pair moved by less than still since it was made [px]. h: the substep [s].
void pv__manifold_find(pv_world *world, pv__manifold *m, double still, double h);

/* pv_manifolds.c */
/// Turns world->pairs into world->manifolds, keeping what was known of a pair.
void pv__keep_manifolds(pv_world *world);
/// What presses becomes world->contacts, for those who ask and for sleep.
void pv__publish_manifolds(pv_world *world);

/* pv_solve_contour.c */
/* The stages of a substep by contours, in order; docs/ARCHITECTURE.md has a line for each. */
void pv__predict_velocities(pv_world *world, double h);
void pv__find_manifolds(pv_world *world, double h);
void pv__push_manifolds(pv_world *world, double h);
void pv__move_bodies(pv_world *world, double h);
void pv__relax_manifolds(pv_world *world, double h);
void pv__bounce_manifolds(pv_world *world, double h);
void pv__store_velocities(pv_world *world, double h);

/* pv_sleep.c */
/// Puts islands that have stayed where they are to sleep.
void pv__fall_asleep(pv_world *world, double dt);
/// Wakes a body with its whole island.
void pv__wake(pv_world *world, pv__body *b);
/// Wakes what may touch a body, by boxes.
void pv__wake_near(pv_world *world, int index);

#endif
