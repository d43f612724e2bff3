/* body.h - the structures of bodies.
 *
 * Invariant: between calls all numbers of a body are finite, its place within PV_MAX_COORDINATE.
 * Its two particles are half_stick on either side of the center, along its rotation.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_BODY_H
#define PV_CORE_BODY_H

#include "base/base.h"
#include "base/math.h"
#include "base/thread.h"
#include "core/material.h"
#include "pixel/bits.h"
#include "pixel/material_map.h"
#include "shape/shape.h"

/// Pose of a body: center of mass and rotation
typedef struct pv__pose {
    pv_vec2 center;
    pv_rotation turn;
} pv__pose;

/// Collision bitmap of a body in some pose; upright ones borrow the mask's words
typedef struct pv__bitmap {
    /// World pixel at which the bits' pixel (0, 0) lies
    int x, y;
    pv__bits bits;
    /// Owned words, used if the body is turned
    uint64_t *room;
    /// Capacity of room, in words
    int capacity;
    bool valid;
} pv__bitmap;

/// Motion requested with pv_body_move_to()
typedef struct pv__drive {
    /// Number of the step that makes the motion, from 1 on; 0: none
    uint64_t step;
    /// Mean velocity of that step [px/s]
    pv_vec2 velocity;
    /// Mean angular velocity of that step [rad/s]
    double spin;
    /// Change of the velocity since the step before [px/s]
    pv_vec2 change;
    /// Change of the angular velocity since the step before [rad/s]
    double turn;
    /// Acceleration within the step [px/s^2]
    pv_vec2 acceleration;
    /// Angular acceleration within the step [rad/s^2]
    double twist;
} pv__drive;

/// Position and velocity of a body's center, and its angular velocity
typedef struct pv__outlook {
    pv_vec2 center, velocity;
    double spin;
} pv__outlook;

/// Pixels of a body and derived data. Bodies of a world that are created alike share one struct.
typedef struct pv__body_pixels {
    pv_mask *mask;
    /// Mask scaled to the body's scale, see pv__scaled_mask; with a reference of its own
    pv_mask *form;
    /// Shape of the scaled mask; null in a world of pixel contacts
    const pv__shape *shape;
    /// Pixels of contacts: the mask, or in a world of pixel contacts those of its collider, with a
    /// reference of its own
    pv_mask *hull;
    /// Center of mass in these pixels [px], and their scale
    pv_vec2 hull_pivot, hull_scale;
    /// Scale of the picture; (1, 1): unscaled
    pv_vec2 scale;
    /// Center of mass in the scaled mask, and so in the shape [px]
    pv_vec2 pivot;
    /// Center of mass in the mask [px]
    pv_vec2 picture_pivot;
    /// Distance of the picture's farthest corner from the center of mass [px]
    double reach;
    /// Radius of the circle about the center of mass that holds the contour [px]
    double extent;
    /// Radius if the pixels are a solid disc, in a world of pixel contacts; 0: they are not [px]
    double round_radius;
    /// Center of the disc relative to the center of mass, in the body's own rotation [px]
    pv_vec2 round_center;
    /// Number of solid pixels of the scaled mask
    double area;
    /// Ratio of mass to density: the area, with each pixel weighted with its density / 255
    double weight;
    /// Moment of inertia for a mass equal to weight
    double inertia;
    /// Materials of the mask's pixels, with a reference
    pv__material_view materials;
    pv_collider stand_in;
    /// Index of the mask among the world's saved masks; -1: not saved
    int mask_id;
    /// Number of bodies and other holders of this struct
    int wearers;
} pv__body_pixels;

/// Poses of a body at the end of a substep, from the farthest to the nearest: moved on with the
/// exit velocity, at the touch, moved by whole pixels from the origin, toppled, at the origin
typedef enum pv__retreat {
    PV__RETREAT_NONE,
    PV__RETREAT_TOUCH,
    PV__RETREAT_WHOLE,
    PV__RETREAT_TOPPLED,
    PV__RETREAT_ORIGIN,
} pv__retreat;

/// State of a body in a world of pixel contacts
typedef struct pv__pixel_motion {
    /// Fraction of the substep's motion up to the first touch
    double fraction;
    /// Motion at the end of the substep without contacts
    pv__outlook outlook;
    /// Pose at the start of the substep, and pose at the touch
    pv__pose origin, touch;
    /// Index of the body's first ground in the world's list, or -1
    int grounds;
    pv__retreat retreat;
    /// True if the body has been stopped for some time
    bool jammed;
    /// True if the body overlaps and is pushed out, so that obstacles must give way, too
    bool overlaps;
    /// True if the motion was negligible and the body stays at the origin
    bool lingers;
    /// True if the body touches another one that gives way
    bool joined;
    /// Bitmap of the current pose, and of the pose at the start of the substep
    pv__bitmap bitmap_now, bitmap_before;
} pv__pixel_motion;

typedef struct pv__body {
    /* motion: two particles of half the mass, now and one substep before (Jakobsen 2001) */
    pv_vec2 now[2], before[2];
    /// Radius of gyration of the pixels, sqrt(inertia / mass) [px]
    double half_stick;

    /* numbers of every body in a snapshot, in its order */
    /// Pose of now
    pv__pose pose;
    /// Pose at the last test for rest
    pv__pose still_pose;
    /// Pose at the test before
    pv__pose earlier_pose;
    /// Time that the body is known to be at rest [s]
    double still;
    /// Length of the substep that made now - before; 0 if the velocity was set since [s]
    double verlet_dt0;
    double mass, inertia;
    pv__material material;
    /// Time between the last two tests; 0 until the first one [s]
    double still_span;
    /// Time since the last test [s]
    double still_since;
    /// Rim speed at the last test, or its change since the test before if that is greater [px/s]
    double pace;

    /// Acceleration of the last substep from gravity and forces [px/s^2]
    pv_vec2 acceleration;
    pv_vec2 force;
    double torque;

    /* numbers that most bodies leave at their defaults */
    double gravity_scale, linear_damping, angular_damping;
    double tangent_speed, rolling_resistance;
    /// Time for which contacts stopped the body in place [s]
    double stuck;
    /// One-way direction in the body's own rotation
    pv_vec2 one_way;

    /* data that every step reads */
    /// Inverse mass and inertia; 0 for a body that contacts cannot move
    double inverse_mass, inverse_inertia;
    /// Generation, odd while alive
    uint32_t generation;
    pv_body_type type;
    /// Index in the list of sensors, if it is one
    int sensor_place;
    /// Island of bodies that fell asleep together; -1: awake
    int island;
    /// Next body of its sleeping island, in a ring; itself while it is awake
    int island_next;
    /// PV_LOCK_ bits
    uint8_t locks;
    bool awake, sensor, disabled;
    /// True if a substep has ended since a call placed the body: only steps have moved it since
    bool settled;
    /// True if it touched another body in the last substep
    pv__flag touched;
    /// True if it was integrated in this substep
    bool moved;
    /// Last published state of sleep; awake until the first sleep event
    bool told_awake;
    /// True if it fell asleep or woke since the last report, and is listed
    bool changed;
    /// True if it is outside the world's bounds
    bool outside;
    /// True if sensors must test it, even if it is at rest
    bool unseen;
    /// One more than the last step in which it was reported as crushed; 0: not crushed
    uint64_t crushed;
    /// One more than the last step in which it was over the pair limit; 0: never
    uint64_t crowded;
    /// One more than the last step in which matter could move it, so that it stays active
    uint64_t loaded;

    union { /* scratch, of one stage at a time */
        /// Scratch of sleep
        struct {
            /// Least time at rest and greatest pace of an island, kept at its root
            double still, pace;
            /// True if the body rests on an immovable one
            bool borne;
        } lair;
        /// Scratch of collision detection, solver and backtracking
        struct {
            pv_vec2 velocity;
            double spin;
        };
    };
    /// Its entry in the world's pixel motions; null in a world of contours
    pv__pixel_motion *pixel_motion;

    /* identity */
    /// Pixels, shared
    pv__body_pixels *pixels;
    /// Digest of the mask's pixels after a change; 0: never changed
    uint64_t looks;
    /// Number of constraints that hold it
    int joint_count;
    /// First link of its contact list, or 0; it belongs to the slot, whichever body is in it
    int first_contact;
    pv_filter filter;
    pv_fracture_def fracture;
    void *user_data;
    pv__drive drive;

    /* for the events */
    /// Pose at the start of the step, if there are sensors
    pv__pose began;
} pv__body;

/// Default fracture rules
#define PV__FRACTURE_DEFAULT                                                                       \
    ((pv_fracture_def){.connectivity = PV_CONNECTIVITY_4,                                          \
                       .min_part_pixels = 12,                                                      \
                       .keep_static = true,                                                        \
                       .cookie = PV__COOKIE})

static inline bool pv__body_is_alive(const pv__body *b) { return b->generation & 1; }

/// Tells whether a body is alive and enabled, so that it can move and collide.
static inline bool pv__body_is_present(const pv__body *b) {
    return (b->generation & 1) && !b->disabled;
}

/// Tells whether others can touch a body.
static inline bool pv__body_is_solid(const pv__body *b) {
    return pv__body_is_present(b) && !b->sensor;
}

/// Tells whether a moves no more than b under equal impulses.
static inline bool pv__body_is_heavier(const pv__body *a, const pv__body *b) {
    return a->inverse_mass <= b->inverse_mass;
}

/// Half thickness, at the thickest place, below which contours may not keep bodies apart [px]
#define PV__THICK 1.75

/// Tells whether a body is so thin that its contour may not distinguish its sides.
static inline bool pv__body_is_thin(const pv__body *b) {
    return b->pixels->shape->core_depth < PV__THICK;
}

/// Returns the part of a direction that a body's locks leave free.
static inline pv_vec2 pv__body_unlocked(const pv__body *b, pv_vec2 v) {
    return (pv_vec2){b->locks & PV_LOCK_X ? 0 : v.x, b->locks & PV_LOCK_Y ? 0 : v.y};
}

/// Returns the center's gain of speed along the unit vector n, per unit of impulse along n.
static inline double pv__body_center_yield(const pv__body *b, pv_vec2 n) {
    if (!(b->locks & (PV_LOCK_X | PV_LOCK_Y))) return b->inverse_mass;
    pv_vec2 free = pv__body_unlocked(b, n);
    return b->inverse_mass * pv__dot(free, free);
}

static inline bool pv__body_is_damped(const pv__body *b) {
    return b->linear_damping > 0 || b->angular_damping > 0;
}

/// Returns the fraction of a displacement that damping leaves for the next substep.
static inline double pv__kept(double damping, double h) { return 1 - pv__min(1, damping * h); }

/// Returns the transform from a body's mask to the world; pixels are drawn and tested with it.
static inline pv_transform pv__body_transform(const pv__body *b, pv__pose pose) {
    return (pv_transform){pose.center, pose.turn, b->pixels->picture_pivot, b->pixels->scale};
}

/// Returns the transform from the pixels of a body's contacts to the world.
static inline pv_transform pv__body_hull_transform(const pv__body *b, pv__pose pose) {
    return (pv_transform){pose.center, pose.turn, b->pixels->hull_pivot, b->pixels->hull_scale};
}

/// Returns the transform from a body's scaled mask and shape to the world.
static inline pv_transform pv__body_form_transform(const pv__body *b, pv__pose pose) {
    return (pv_transform){pose.center, pose.turn, b->pixels->pivot, {1, 1}};
}

#endif
