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
#include "pv_matter.h"
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

/// How pv_body_move_to() moves a body.
typedef struct pv__drive {
    uint64_t step;        ///< that it is for; 0: none
    pv_vec2 velocity;     ///< the mean of that step [px/s]
    double spin;          ///< [rad/s]
    pv_vec2 change;       ///< of the velocity since the step before [px/s]
    double turn;          ///< the same of the spin [rad/s]
    pv_vec2 acceleration; ///< within the step [px/s^2]
    double twist;         ///< [rad/s^2]
} pv__drive;

/// A motion of a body's centre and about it.
typedef struct pv__outlook {
    pv_vec2 centre, velocity;
    double spin;
} pv__outlook;

/// What a body's pixels are, and what follows from them. Bodies that are made alike share one, in each world its own.
typedef struct pv__guise {
    pv_mask *mask;
    pv_mask *form;          ///< its picture at that scale, see pv__form; a reference of its own
    const pv__shape *shape; ///< of the form; null in a world of pixel contacts
    pv_vec2 scale;          ///< of its picture, (1, 1): as it is
    pv_vec2 pivot;          ///< centre of mass in the form, and so in the shape [px]
    pv_vec2 picture_pivot;  ///< the same in the mask [px]
    double reach;           ///< of the farthest corner of its picture from its centre [px]
    double area;            ///< of its form's pixels
    double weight;     ///< the same, with a map of densities by their share of 255: its mass over its density
    double inertia;    ///< for that mass
    pv__makeup makeup; ///< what the mask's pixels are made of, with a reference
    pv_stand_in stand_in;
    int mask_id; ///< of the mask among the world's, once it was saved; -1
    int wearers; ///< bodies that have it, and others that hold it
} pv__guise;

/// What a substep by pixels knows of a body, in worlds of such contacts.
typedef struct pv__pixel_motion {
    double fraction;        ///< of the substep's motion that was free
    pv__outlook outlook;    ///< how the substep would have ended without contacts
    pv__pose origin, touch; ///< where the substep began, and where the body touched
    int grounds;            ///< the first of those that it may touch among the world's, or -1
    int retreat;            ///< 0: moved on with the exit velocity, 1: at the touch, 2: back where it was
    bool jammed;            ///< it has not got on for some time
    bool overlaps;          ///< and is pushed out, so that what stops it must give way, too
    bool lingers;           ///< it would have moved by next to nothing and stays where it was
    pv__bitmap bitmap_now, bitmap_before; ///< of its pose, and of where the substep began
} pv__pixel_motion;

typedef struct pv__body {
    /* motion: two particles of half the mass, now and one substep before (Jakobsen 2001) */
    pv_vec2 now[2], before[2];
    double half_stick; ///< sqrt(inertia / mass), the radius of gyration of the pixels [px]

    /* numbers that snapshots have of every body, in their order */
    pv__pose pose;         ///< of now
    pv__pose still_pose;   ///< where it was when it was last asked whether it rests
    pv__pose earlier_pose; ///< where it was the time before
    double still;          ///< for how long it has rested, as far as that is known [s]
    double verlet_dt0;     ///< substep that made now - before [s]; 0 when the velocity was set since
    double mass, inertia;
    double restitution, static_friction, kinetic_friction;
    double still_span;  ///< the time between these poses, 0 for the first one [s]
    double still_since; ///< the time since the last one [s]
    double pace;        ///< how fast it was then, and by how much that differed from before [px/s]

    pv_vec2 acceleration; ///< of the last substep, gravity and forces [px/s^2]
    pv_vec2 force;
    double torque;

    /* numbers that most bodies leave as they are */
    double gravity_scale, linear_damping, angular_damping;
    double surface_speed, rolling_resistance;
    double stuck;    ///< for how long it was stopped where it was [s]
    pv_vec2 one_way; ///< in its own rotation

    /* what is asked in every step */
    double inverse_mass, inverse_inertia; ///< 0 for what contacts cannot move
    uint32_t generation;                  ///< odd while alive
    pv_body_type type;
    unsigned locks;
    int island; ///< shared by all that fell asleep together; -1 awake
    bool awake, sensor, disabled;
    bool settled;      ///< a substep has ended with it where it is: nothing but contacts has moved it since
    bool touched;      ///< in the last substep
    bool moved;        ///< integrated in this substep
    bool told_awake;   ///< as it was told: what was not told to fall asleep is awake
    bool changed;      ///< it fell asleep or woke since, and is listed
    bool outside;      ///< of the world's bounds
    bool unseen;       ///< sensors have to look at it, though it may rest
    uint64_t crushed;  ///< one more than the step in which it was told to be crushed; 0: it is not
    uint64_t crowded;  ///< one more than the step in which it was crowded last; 0: never
    uint64_t gathered; ///< step in which its mover was made, when it rests
    uint64_t loaded;   ///< step in which matter may move it, so that it is stepped to the end

    union { /* scratch, of one stage at a time */
        struct {
            double still, pace; ///< the least and the most of an island, kept by its root
            bool borne;         ///< it lies on something that stays
        } lair;                 ///< of falling asleep
        struct {
            pv_vec2 velocity;
            double spin;
        }; ///< of finding contacts, solving and backtracking
    };
    pv__pixel_motion *pixel; ///< its own of the world's; null in a world of contours

    /* what it is */
    pv__guise *guise; ///< its pixels
    uint64_t looks;   ///< a digest of the mask's pixels, once it was changed; 0: never
    int holds;        ///< how many constraints hold it
    pv_filter filter;
    pv_fracture fracture;
    void *user_data;
    pv__drive drive;

    /* for the events */
    pv__pose began; ///< where the step began, when there are sensors
} pv__body;

/// Four numbers side by side; what pv_lanes.h works on.
typedef double pv__four __attribute__((vector_size(32), aligned(8)));

/// Four answers, of all bits or none.
typedef int64_t pv__which __attribute__((vector_size(32), aligned(8)));

/// A body while it is stepped: hot and small.
typedef struct pv__mover {
    pv__four
        motion; ///< velocity x, y, spin: of the chord of the last substep; and how far from the centre turning shows
    pv__four pose; ///< centre x, y, cosine and sine of the rotation
} pv__mover;

/// Substeps that a body takes after the first one of a step, see pv_pace.c.
typedef enum pv__pace { PV__NO_PACE, PV__BRISK, PV__USUAL } pv__pace;

/// What a mover needs once a substep or once a step.
typedef struct pv__course {
    pv__four gain;     ///< of motion in a substep, by gravity and forces
    pv__four was;      ///< motion when the step began
    pv__four from;     ///< pose when the substep began
    pv__four mark;     ///< pose before matter moved it in the substep
    pv__four pulled;   ///< scratch of pv_pixel_stop.c: pose after that
    pv__four unsolved; ///< motion before contacts were solved in the substep
    double reach;      ///< of its farthest point [px]
    double h;          ///< length of its last substep [s]
    pv__pace pace;     ///< no pace: it is not stepped after the first substep
    int island;        ///< a lower mover of its island, or itself; 0: cannot be moved
    bool damped;
    bool free;   ///< no damping, and no pair: nothing but its gain changes its motion, where there is no matter
    bool flying; ///< out of the substeps: it goes through them in one stride
    bool quiet;  ///< not stepped any more
    bool pressed;              ///< something bore on it when the step began
    double rim_speed;          ///< of its rim in the substep, at most [px/s]
    double gained;             ///< by its rim in the substep [px/s]
    double fastest;            ///< rim of the island, where it is the lowest [px/s]
    int members, restless;     ///< of the island, where it is the lowest
    int swift;                 ///< of the island, where it is the lowest
    double lightest, heaviest; ///< of the island, where it is the lowest: inverse masses of its extremes
    bool led;                  ///< something kinematic moves the island
    bool slow, anchored;       ///< slow enough to be quiet; the island stands on something
    bool rests;                ///< of the island, where it is the lowest: some may be left out
    bool roused;               ///< held by pixels, not at rest
    int hops;                  ///< scratch of pv_movers.c: how far what it does concerns others
    int hop;                   ///< scratch of pv_solve_loaded.c
    int turns;                 ///< scratch of packing
    double bound; ///< how fast it may get in the rest of the step, squeezed as it is; 0: as it will [px/s]
    int crusher;  ///< one more than the kinematic body that squeezed it in this step; 0: none
    int held;     ///< scratch of pv_crush.c: the first that holds it, or -1
} pv__course;

/// State of a body that may be squeezed, by mover; of those that press each other the lowest has the sums.
typedef struct pv__squeeze {
    int root;       ///< the lowest of them
    int first;      ///< of its contacts among the world's, or -1
    int near;       ///< 0: it is not, nor is what is near it
    unsigned sides; ///< a bit for each of eight directions in which something immovable presses
    unsigned led;   ///< the same of something kinematic
    bool jammed;    ///< something kinematic presses them towards something immovable
    double mass;
    double speed;    ///< of what presses so [px/s]
    int by;          ///< the deepest that presses so, or -1
    double by_depth; ///< how deep [px]
    double deep;     ///< of its own contacts, the deepest [px]
} pv__squeeze;

/// A contact of a body that is jammed.
typedef struct pv__pinch {
    int next;            ///< of the same body, or -1
    pv_vec2 normal, arm; ///< into the body; from its center to the contact [px]
} pv__pinch;

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

typedef struct pv__pair {
    int a, b; ///< a < b
} pv__pair;

/// A pair that does not press, in a world of pixels.
typedef struct pv__passing {
    pv__pair pair;
    uint32_t generation_a, generation_b;
    uint64_t step; ///< in which it was judged
    bool until_apart;
} pv__passing;

/// A contact's spring.
typedef struct pv__spring {
    double rate, softness; ///< as in pv__lanes
    double parting;        ///< share of what is too deep that is parted in a substep
} pv__spring;

/// What two bodies are to each other where they touch.
typedef struct pv__material {
    double restitution, static_friction, kinetic_friction, rolling;
    double belt; ///< at which a's surface runs past b's along the tangent, the normal turned clockwise [px/s]
} pv__material;

/// One touching pair; a < b.
typedef struct pv__contact {
    int a, b;
    pv_vec2 point, normal; ///< the mean of the shared pixels, and from a to b
    bool overlapped;       ///< already before the substep
    bool fresh;            ///< it did not touch in the substep before
    double approach;       ///< the fastest of its points [px/s]
    uint64_t hit;          ///< step in which it was told to be hit
    double given;          ///< all impulses of the step that no hit has been told with yet [mass px/s]
    bool stopped;          ///< the substep would have made its pixels meet
    double push;           ///< how far to push apart what overlapped, giving no speed [px]
    double fraction;       ///< of the substep's motion until they touched
    bool bounces;          ///< it was hit faster than the bounce speed
    double parting;        ///< the least exit speed along the normal [px/s]
    double gap;            ///< along the normal since the pixels last met, by what the bodies moved [px]
    int64_t overlap;
    double depth; ///< how far along the normal it reaches, roughly [px]
    pv__material material;
    double roll_impulse,
        roll_mass;       ///< angular; accumulated in the substep, and what a unit of relative spin takes
    pv__point points[2]; ///< the ends of a flat patch, or the mean alone
    int count;
} pv__contact;

/// Something that does not move and whose box a body's meets.
typedef struct pv__ground {
    int body;
    int next; ///< of the same body's, or -1
} pv__ground;

#define PV__MANIFOLD_POINTS 8

/// Where two contours press.
typedef struct pv__press {
    pv_vec2 anchor_a, anchor_b;  ///< centres of curvature, from the body's centre, in its own rotation [px]
    pv_vec2 normal;              ///< from a to b
    double impulse_n, impulse_t; ///< of the last substep [mass px/s]
    double gap;                  ///< when it was found [px]
    double radius_a, radius_b;   ///< of the surfaces there; 0: the anchor is on the surface [px]
    double impulse_roll;         ///< of the last substep [mass px^2/s]
    int key;                     ///< names the vertex
    bool slides;
} pv__press;

/// What some points of a pair gave in a part of a step, hit or not.
typedef struct pv__blow {
    int manifold;          ///< slot
    int order;             ///< in which it was told
    double speed, impulse; ///< fastest approach [px/s], all impulses together [mass px/s]
    double share;          ///< of the impulse, what points gave that came in faster than the hit speed
    pv_vec2 at;            ///< by that share, on the heavier one, from its centre and in its own rotation [px]
    pv_vec2 normal;        ///< by that share, from a to b
} pv__blow;

/// What is known of a pair whose contours are near; a < b.
typedef struct pv__manifold {
    int a, b, count;
    uint32_t generation_a, generation_b;
    uint64_t step; ///< in which its boxes met last
    bool made;
    double foreseen;  ///< how far its points may move until it is too old [px]
    double clearance; ///< how far apart the contours were, as far as that was looked for [px]
    pv_vec2 apart;    ///< poses that it was made for
    pv_rotation turn_a, turn_b;
    pv__material material;
    bool slight;      ///< one cannot be moved, and one is so thin that pixels alone keep the pair apart
    bool pressed;     ///< something was given in this step
    bool hit;         ///< and faster than the world's hit speed
    bool touches;     ///< when the last step ended
    bool passes;      ///< judged so: it does not press in this step
    bool until_apart; ///< nor in the next ones
    bool judged;      ///< in this step
    int packed;       ///< how many of its points are in lanes
    int lanes[PV__MANIFOLD_POINTS / 2]; ///< in which, part by part
    pv__press *points;                  ///< PV__MANIFOLD_POINTS of the world's presses
} pv__manifold;

/// Speed of rims up to which pairs are found in one step out of eight [px/s]: the way until then is less than the room in boxes.
#define PV__HELD_SPEED 2

/// Depth from which on two discs are parted along the way that was found [px].
#define PV__DISC_DEPTH 0.25

/// Tells whether a manifold is of two discs that hardly overlapped when it was found: its normal is measured in every substep. Only
/// what a snapshot holds may decide this, for a restored world packs its blocks anew.
static inline bool pv__are_discs(const pv__manifold *m) {
    const pv__press *p = m->points;
    return m->count == 1 && p->radius_a > 0 && p->radius_b > 0 && p->gap > -PV__DISC_DEPTH;
}

/// When a pair of the step has to be looked at.
typedef struct pv__watch {
    int slot; ///< of its manifold
    int due;  ///< substep
    int a, b; ///< bodies
    bool fast;
} pv__watch;

/// A box in whole pixels, counted as pv_broad.c does.
typedef struct pv__frame {
    uint32_t left, top, right, bottom;
} pv__frame;

/// A body as the grids that find pairs see it.
typedef struct pv__proxy {
    pv__frame frame;
    uint32_t x, y;  ///< its cell
    int next;       ///< in the cell's chain, or -1
    uint8_t level;  ///< cells are 2^level px wide
    bool linked;    ///< rests, and stands in its cell's chain
    bool seeks;     ///< it was dynamic and no sensor when it was fitted: others need not be to touch it
    bool senses;    ///< it was a sensor then: it is in no pair
    bool displaced; ///< in the list of such
} pv__proxy;

/// What else is known of it.
typedef struct pv__place {
    pv_box box;         ///< holds the body until pairs are found anew [px]
    int previous;       ///< in the cell's chain, or -1
    int next_displaced; ///< or -1
} pv__place;

/// An awake body in its row of cells.
typedef struct pv__entry {
    pv__frame frame;
    uint32_t y; ///< of its cell
    int body;
} pv__entry;

/// A mask that snapshots name.
typedef struct pv__kept_mask {
    pv_mask *mask;   ///< with a reference; null where it was forgotten
    uint64_t digest; ///< of its pixels
    bool used;       ///< scratch: some body has it
    int body;        ///< scratch: one that has it, and more; -1 for none yet
    pv__makeup
        weighed; ///< what a body of it was made of when it was saved, with its sums; the map is only known by its id
} pv__kept_mask;

/// A material map that snapshots name.
typedef struct pv__kept_map {
    pv_material_map *map; ///< with a reference; null where it was forgotten
    bool used;            ///< scratch: some body has it
} pv__kept_map;

/// One of those that a crowded body is kept from, and how far apart both are, as pv_crowd.c has it.
typedef struct pv__crowd_mate {
    double apart;
    int other;
} pv__crowd_mate;

#define PV__CROWD_KEPT 8

/// What is around a body.
typedef struct pv__crowd {
    pv_box box;     ///< that it is in now [px]
    double fill;    ///< part of the box that its pixels are
    int64_t layers; ///< how many times over all that is there would cover the box
    bool full;      ///< there is no room for them
    bool grounded;  ///< it meets what cannot be moved
    double fastest; ///< how fast it may get in the step, if it is full [px/s]
    int mates;      ///< the first of its mates among the world's, if it is full
    int count;      ///< of these, PV__CROWD_KEPT at most
} pv__crowd;

/// An array that grows.
typedef struct pv__list {
    void *items;
    int count, capacity;
} pv__list;

/// A sensor and a body whose boxes met in a step.
typedef struct pv__stay {
    pv_body sensor, visitor;
    bool inside; ///< they share a pixel
} pv__stay;

/// What happened in the last step, and what has to be known for that of the one before.
typedef struct pv__events {
    pv__list begins, ends;          ///< of pv_meeting
    pv__list hits;                  ///< of pv_hit
    pv__list blows;                 ///< of pv__blow: what hits are made of
    pv__list enters, leaves;        ///< of pv_visit
    pv__list sleeps, wakes, strays; ///< of pv_body
    pv__list changed;               ///< int: bodies that fell asleep or woke since this was told
    pv__list sensors;               ///< int: bodies that are
    pv__list inside;                ///< of pv__stay, sorted by sensor and visitor
    pv__list tested, staying;       ///< of pv__stay: scratch
    pv__list touching;              ///< pv_meeting: contacts of pixels when the last step ended
    pv__list met, spare;            ///< of pv_meeting: scratch of the same
    pv__list crushes;               ///< of pv_crush
    pv__list releases;              ///< of pv_body
    pv__list holds;                 ///< of pv__hold: scratch of pv_crush.c
    pv__list splits, dirt;          ///< of pv_split, of pv_dirt
    pv__list new_splits, new_dirt;  ///< of the same: what the next step will tell
    bool unseen;                    ///< some body is
    bool blind;                     ///< sensors could not look for lack of memory: everything is unseen
} pv__events;

typedef struct pv__level {
    int count;
    uint32_t widest;  ///< side of the largest frame that has been there since it was empty [px]
    pv__frame extent; ///< around all these
} pv__level;

typedef struct pv__levels {
    pv__level at[31];
    uint32_t used; ///< a bit for each that is not empty
} pv__levels;

typedef struct pv__grid {
    pv__proxy *proxies; ///< by body
    pv__place *places;
    int *near;   ///< what was found; room for one more than all bodies
    int *chains; ///< first resting body of each slot, or -1; a power of two of them
    int *starts; ///< first entry of each slot
    pv__entry *entries;
    int proxy_capacity, place_capacity, near_capacity, chain_count, start_capacity, entry_capacity;
    int slots, entry_count;
    int fitted;    ///< awake bodies, with those that are no entry
    uint32_t laid; ///< a bit for each level that has entries
    int displaced; ///< head of the list of bodies that came, went, fell asleep or were put elsewhere, or -1
    pv__levels awake, resting;
} pv__grid;

/// Where a body stands in the index: in up to four cells of a level in which none is smaller than its box.
typedef struct pv__spot {
    pv_box box;         ///< of its picture [px]
    int next[4];        ///< in the chain of each cell, from the upper left one, or -1; see pv_index.c
    uint32_t x, y;      ///< the upper left cell
    uint8_t level;      ///< cells are 2^level px wide
    uint8_t least;      ///< level that it is on or above, by how many there were around when it came
    uint8_t wide, tall; ///< 1: it reaches into the next cell to the right, down
    bool listed;
} pv__spot;

/// The index in which queries look bodies up.
typedef struct pv__index {
    pv__spot *spots; ///< by body
    int *chains;     ///< the first of each slot, or -1; a power of two of them
    int spot_capacity, chain_count;
    int counts[32]; ///< bodies of each level
    uint32_t used;  ///< a bit for each level that is not empty
    bool stale;     ///< bodies move: a step is under way
} pv__index;

struct pv_world {
    pv_world_def def;
    double dt;                       ///< of the last substep, which scales now - before; [s]
    int substeps;                    ///< of the running step
    double h;                        ///< length of the running substep [s]
    pv__spring spring, fixed_spring; ///< of contacts in it, and of those with a body that cannot be moved
    int paced[3];                    ///< bodies of each pace in this step
    uint64_t steps;

    pv__body *bodies;                         ///< slots; a free one has an even generation
    int body_count, body_capacity, body_free; ///< body_free: head of the free slots' list through island, or -1
    int made;                                 ///< the body that was made last: the next one may be alike
    pv__guise *spare_guise;                   ///< room for the next one, or null
    pv__pixel_motion *pixel_motions;          ///< by body, in a world of pixel contacts
    int pixel_motion_capacity;

    pv__grid grid;
    pv__index index;
    int *around;       ///< scratch: how many pairs of the step a body is in
    pv__crowd *crowds; ///< by body, of those that the step's pairs name, when some are crowded
    pv__crowd_mate *mates;
    int around_capacity, crowd_capacity, mate_capacity;
    bool crowded;                  ///< some body is, in this step
    pv__pair *pairs, *spare_pairs; ///< spare: scratch of sorting
    int pair_count, pair_capacity, spare_pair_capacity;
    pv__contact *contacts, *old_contacts;
    pv__ground *grounds;
    int ground_count, ground_capacity;
    struct pv__ledger *ledgers; ///< of islands, by their roots; scratch of pv_solve_energy.c
    int ledger_capacity;
    int contact_count, contact_capacity, old_contact_count, old_contact_capacity;

    pv__manifold *manifolds; ///< slots; a free one has a < 0 and the next free one in b
    int manifold_count, manifold_capacity, manifold_free;
    pv__press
        *presses; ///< PV__MANIFOLD_POINTS of each slot: those who look at all manifolds need not come by them
    int press_capacity;
    int *table; ///< slots by their pair, or -1; a power of two of them
    int table_size;
    int *active, *was_active; ///< slots of the step's pairs, sorted by pair, and of the last step's
    int active_count, active_capacity, was_active_count, was_active_capacity;
    pv__watch *watches; ///< of those of active that are still stepped
    int watch_count, watch_capacity;
    pv__passing *passing; ///< sorted by pair
    int passing_count, passing_capacity;
    bool judges;   ///< some body has been one-way, or the caller judges contacts
    bool filtered; ///< some body, particle or polygon has had a filter of its own
    bool drives;   ///< some body was driven to a place in this step or the last one
    bool stale;    ///< bodies woke or were destroyed since the last step: manifolds that slept may have to go

    int *awake; ///< bodies that are awake, in order
    int awake_count, awake_capacity;
    bool roster_stale; ///< a body woke, fell asleep, came or went since awake was made
    int *restless;     ///< those of awake that are still being stepped
    int restless_count, restless_capacity;
    int flown_count,
        flying_count;  ///< of awake: sensors that go through the step in one stride, and others that do
    pv__mover *movers; ///< by body, the first being an immovable one that empty lanes use
    pv__course *courses;
    int mover_capacity, course_capacity;
    struct pv__lanes *blocks;
    int block_count, block_capacity;
    int *sweep; ///< blocks that are solved, in order
    int sweep_count, sweep_capacity;
    struct pv__load *loaded; ///< blocks that are solved to convergence in this substep
    int loaded_count, loaded_capacity;
    bool narrowed;  ///< what rests is left out of it
    int laid_count; ///< blocks that stand in order; the others came later
    struct pv__packed *packed;
    int packed_count, packed_capacity;
    int64_t sweep_work; ///< what sweeps may still cost in this step
    int *enlarged;      ///< bodies that have left their boxes in this step
    int enlarged_count, enlarged_capacity;
    int64_t enlarge_budget; ///< bodies that enlarged boxes may still find in this step
    bool fast;              ///< a pair moves so far in a substep that soft contacts may not stop it
    bool held;              ///< this step's pairs are those of the last one
    bool watched;           ///< watches are those of the step's pairs
    bool joined;            ///< islands of courses are those of the last step's pairs
    bool rested;            ///< after the first substep of the last step, all was quiet
    bool laid;   ///< blocks hold all that the last step's pairs press, in order, and nothing has changed since
    bool repack; ///< what is in blocks is not what has to be solved
    const struct pv__lane_kernel *lanes;
    const struct pv__stick_kernel *stick_kernel;

    bool *
        jolts; ///< by mover: matter or a blow has changed its velocity by much, so its pairs have to be looked at
    int jolt_capacity;
    bool jolted; ///< some is

    pv__squeeze *squeezes; ///< by mover; scratch of a substep
    pv__pinch *pinches;    ///< contacts of these
    int squeeze_capacity, pinch_capacity, pinch_count;
    int crushes;     ///< bodies that were crushed in the last step
    bool kinematics; ///< something kinematic is in a pair of the step
    bool jammed;     ///< something is pressed from two sides that do not give way, in this substep
    bool squeezed;   ///< something was squeezed in this step

    pv__matter matter;

    pv__events events;
    bool senses; ///< there has been a sensor

    pv__kept_mask *masks; ///< of all snapshots
    int mask_count, mask_capacity;
    pv__kept_map *maps; ///< the same
    int map_count, map_capacity;
    bool mapped;   ///< there has been a body with a map
    bool restored; ///< what is laid is not in blocks: they were not saved

    pv__bitmap scratch[2]; ///< bitmaps of poses in between
    pv_world_profile profile;
    double lap;     ///< when the stage began that is being timed [s]
    unsigned flags; ///< PV_STEP_ of the running step
};

/// Whether two bodies of one of the step's pairs are both crowded.
static inline bool pv__is_crowded(const pv_world *world, int a, int b) {
    return world->crowded && world->crowds[a].full && world->crowds[b].full;
}

/// Whether, besides, one of them may be pushed into what cannot be moved.
static inline bool pv__is_pressed(const pv_world *world, int a, int b) {
    return pv__is_crowded(world, a, b) && (world->crowds[a].grounded || world->crowds[b].grounded);
}

static inline bool pv__alive(const pv__body *b) { return b->generation & 1; }

/// Whether it lives and is enabled: what is not can neither move nor be met.
static inline bool pv__present(const pv__body *b) { return (b->generation & 1) && !b->disabled; }

/// Whether others can touch it.
static inline bool pv__solid(const pv__body *b) { return pv__present(b) && !b->sensor; }

/// Whether a moves less by what both give each other; of two alike the first one.
static inline bool pv__is_heavier(const pv__body *a, const pv__body *b) {
    return a->inverse_mass <= b->inverse_mass;
}

/// Thickness of what contours hold apart by themselves: half of it, at the thickest place [px].
#define PV__THICK 1.75

/// Whether a body is so thin that its contour may not tell its sides.
static inline bool pv__is_thin(const pv__body *b) { return b->guise->shape->core_depth < PV__THICK; }

/// What of a direction its locks leave.
static inline pv_vec2 pv__unlocked(const pv__body *b, pv_vec2 v) {
    return (pv_vec2){b->locks & PV_LOCK_X ? 0 : v.x, b->locks & PV_LOCK_Y ? 0 : v.y};
}

/// How much speed along n, of length 1, a unit of impulse along n gives its centre.
static inline double pv__centre_yield(const pv__body *b, pv_vec2 n) {
    if (!(b->locks & (PV_LOCK_X | PV_LOCK_Y))) return b->inverse_mass;
    pv_vec2 free = pv__unlocked(b, n);
    return b->inverse_mass * pv__dot(free, free);
}

/// Whether it is driven to a place in this step.
static inline bool pv__is_driven(const pv_world *world, const pv__body *b) {
    return b->drive.step == world->steps + 1;
}

/// What torques give its spin [rad/s^2].
static inline double pv__twist_of(const pv_world *world, const pv__body *b) {
    if (b->type != PV_BODY_DYNAMIC) return pv__is_driven(world, b) ? b->drive.twist : 0;
    return b->torque * b->inverse_inertia;
}

/// What gravity and forces give it, or what drives it [px/s^2].
static inline pv_vec2 pv__acceleration_of(const pv_world *world, const pv__body *b) {
    if (b->type != PV_BODY_DYNAMIC) return pv__is_driven(world, b) ? b->drive.acceleration : (pv_vec2){0, 0};
    pv_vec2 gravity = pv__mul(b->gravity_scale, world->def.gravity);
    return pv__unlocked(b, pv__mad(gravity, b->inverse_mass, b->force));
}

static inline bool pv__is_damped(const pv__body *b) { return b->linear_damping > 0 || b->angular_damping > 0; }

/// The part of a way that damping leaves for the next substep.
static inline double pv__kept(double damping, double h) { return 1 - pv__min(1, damping * h); }

static inline pv_body pv__name_of(const pv_world *world, int index) {
    return (pv_body){(uint32_t)index + 1, world->bodies[index].generation};
}

/// From its mask to the world; by this its pixels are drawn and judged.
static inline pv_transform pv__transform_of(const pv__body *b, pv__pose pose) {
    return (pv_transform){pose.centre, pose.turn, b->guise->picture_pivot, b->guise->scale};
}

/// From its form, and its shape, to the world.
static inline pv_transform pv__form_transform_of(const pv__body *b, pv__pose pose) {
    return (pv_transform){pose.centre, pose.turn, b->guise->pivot, {1, 1}};
}

/* pv_filter.c */
/// Whether a filter is not the default one.
bool pv__is_filtered(pv_filter filter);
/// Whether two meet, by their filters.
bool pv__filters_agree(pv_filter a, pv_filter b);
/// Whether two bodies may meet, by their filters and by what joins them.
bool pv__may_meet(const pv_world *world, int a, int b);
/// Tells whether the caller lets two meet, of whom one may be no body: -1.
bool pv__is_granted(const pv_world *world, int a, int b);
/// Tells whether two bodies meet, by all of these.
bool pv__bodies_meet(const pv_world *world, int a, int b);
/// Whether a sensor has to look at a body.
bool pv__may_sense(const pv_world *world, int sensor, int visitor);
/// Takes pairs that may not, and those with sensors, out of world->pairs from the first on.
void pv__filter_pairs(pv_world *world, int first);

/* pv_crowd.c */
/// Finds who is crowded, and takes pairs of such out of world->pairs but for the deepest.
void pv__thin_crowds(pv_world *world);
/// Finds how fast what is crowded may get in the step, when movers have been gathered.
void pv__limit_crowds(pv_world *world);
/// Slows what is crowded and got faster: many that press from all sides leave errors in what is light between them.
void pv__calm_crowds(pv_world *world);

/* pv_squeeze.c */
/// Finds what something kinematic presses towards something that does not give way, when a push is swept.
void pv__find_jams(pv_world *world);
/// Finds what of it is squeezed, when all is solved, and slows it.
void pv__hold_squeezed(pv_world *world, double h);
/// Bounds them when the substep is over; what was borne in vain does not start the next one.
void pv__release_squeezed(pv_world *world, double h);

/* pv_crush.c */
/// One that holds a body.
typedef struct pv__hold {
    int next;       ///< of the same body, or -1
    int other;      ///< which one
    pv_vec2 normal; ///< into the body
    double depth;   ///< [px]
} pv__hold;
/// Tells who is crushed, when the step is over.
void pv__tell_crushes(pv_world *world);
/// Counts who was crushed in the last step, in a world that is read.
void pv__count_crushes(pv_world *world);

/* pv_lap.c */
/// Time by the system's clock [s].
double pv__clock(void);
/// Adds the time since the last lap to a stage of the profile: what each stage does last.
void pv__lap(pv_world *world, double *stage);

/* pv_world.c */
/// Tells the world's report hook about a refusal, and returns status.
pv_status pv__refuse(const pv_world *world, const char *function, pv_status status);

/* pv_busy.c */
/// A world that this thread is stepping or asking; lies on the stack of who does so.
typedef struct pv__busy {
    const pv_world *world;
    const struct pv__busy *outer;
} pv__busy;
/// Between these two the caller's callbacks are called, and this thread may not change the world.
void pv__busy_begin(pv__busy *frame, const pv_world *world);
void pv__busy_end(const pv__busy *frame);
/// PV_OK when this thread may change a world, PV_ERROR_BUSY, or PV_ERROR_ARGUMENT for null. Asked before anything else.
pv_status pv__changeable(const pv_world *world);

/* pv_body.c */
/// The body of a name, or null.
pv__body *pv__body_of(const pv_world *world, pv_body name);
/// A body ceases to be what it was to others.
void pv__drop_contacts_of(pv_world *world, int index);
/// Makes room for so many more bodies, and as many sensors; false without memory.
bool pv__reserve_bodies(pv_world *world, int more);
/// Makes room in an array for so many bodies at least, all that bodies has room for, and one more; false without memory.
bool pv__reserve_by_body(const pv_world *world, void *items, int *capacity, int bodies, size_t size);
/// Makes room in bodies, and in what they point to, for so many in all; false without memory.
bool pv__reserve_slots(pv_world *world, int count);
/// Makes a slot another body, or none; that goes on with nothing of what it was.
void pv__fill_slot(pv_world *world, int index, const pv__body *body);
/// A free slot, or a new one; -1 without memory.
int pv__take_body_slot(pv_world *world);
/// A body that was put into a slot enters the world.
void pv__enter_body(pv_world *world, int index);

/* pv_body_set.c */
/// All of PV_LOCK_.
#define PV__LOCKS 7u
/// What a def or a setter may ask for.
bool pv__material_in_range(double restitution, double static_friction, double kinetic_friction);
bool pv__velocity_in_range(pv_vec2 velocity, double spin);
bool pv__damping_in_range(double linear, double angular);
/// What contacts can do to it, by its mass, inertia, type and locks.
void pv__set_inverses(pv__body *b);
/// PV_OK with a body, which may be null, woken so that it can be changed, or why not.
pv_status pv__body_ready(pv_world *world, pv__body *b);

/* pv_body_mask.c */
/// PV_OK with one that somebody has to put on or drop, or why not.
/// @param makeup of a map that covers the mask, or of none
pv_status pv__guise_make(pv_world *world, pv_mask *mask, pv_vec2 scale, pv_stand_in how,
                         const pv__makeup *makeup, pv__guise **guise);
/// Makes room for the next one; false without memory.
bool pv__guise_reserve(pv_world *world);
/// Whether it is one of a mask, and all else alike.
bool pv__guise_is(const pv__guise *guise, const pv_mask *mask, pv_vec2 scale, pv_stand_in how,
                  const pv__makeup *makeup);
void pv__guise_drop(pv_world *world, pv__guise *guise);
/// Makes it the body's. What the body had is not dropped, and its particles stay.
void pv__guise_put_on(pv__body *b, pv__guise *guise, double mass);
/// Whether a def or a setter may ask for it.
bool pv__scale_in_range(pv_vec2 scale);

/// Other pixels at the same place, of which each weighs as much as before; the body takes a reference. Where: in the world, all
/// that was changed; null: anywhere.
/// @param makeup the body's, with the sums of the new pixels
pv_status pv__body_reshape(pv_world *world, pv__body *b, pv_mask *mask, const pv__makeup *makeup,
                           const pv_box *where);

/* pv_carve.c */
/// Carves a living body with a good cut: as pv_body_carve().
/// @param blow 0, or of a chip, as pv__cut_pixels() has it: what is taken is crumbs, too
pv_status pv__body_carve(pv_world *world, pv_body body, const pv_cut *cut, double blow, pv_carved *carved);

/* pv_crack.c */
/// Breaks what was hit too hard in the step that is over.
void pv__crack_struck(pv_world *world);

/* pv_fracture.c */
bool pv__is_fracture_default(const pv_fracture *fracture);
/// PV_OK, or what is wrong with it.
pv_status pv__fracture_check(const pv_fracture *fracture);

/* pv_split.c */
/// A part of a cut that becomes a body.
typedef struct pv__shard {
    pv__guise *guise;
    int x, y;     ///< of its pixel (0, 0) in the parent's picture [px]
    int64_t area; ///< pixels
    int body;     ///< once it is one
} pv__shard;
/// One that is too small, and flies.
typedef struct pv__crumb {
    pv_vec2 centre; ///< of mass, in the parent's picture [px]
    double area;    ///< pixels
    double weight;  ///< as a body's
} pv__crumb;
/// What a cut is for.
typedef enum pv__cut_use { PV__CUT_TAKES, PV__CUT_ADDS, PV__CUT_CHIPS } pv__cut_use;
/// What falls off by a cut, before and after it is made.
typedef struct pv__split {
    pv__falls falls;
    pv__shard *shards;
    pv__crumb *crumbs;
    int shard_count, shard_capacity, crumb_count, crumb_capacity;
    int64_t crumb_pixels; ///< of all crumbs, if they fly or not
    pv_rect changed;      ///< of the parent's picture
    const pv_mask *gone;  ///< what the parent loses, with all that falls off; null where it gains
    pv_point gone_at;     ///< of its pixel (0, 0) in the parent's picture [px]
} pv__split;
/// Finds what falls off a body by a cut that takes pixels, which then takes that as well, and makes all that is needed for it to become bodies, so
/// that nothing fails later. Bodies may lie elsewhere in memory afterwards.
pv_status pv__split_make(pv_world *world, int index, pv__cut_use use, pv_mask **gone, pv__cut_out *out,
                         pv__split *split);
/// What the cut leaves of a body that has no pixel at its scale any more is a crumb. Fails with nothing changed.
pv_status pv__split_rest(pv_world *world, int index, const pv_mask *gone, const pv__cut_out *out,
                         pv__split *split);
/// The parts become bodies and particles; was: the body before the cut, of which something is left or not.
void pv__split_commit(pv_world *world, int index, const pv__body *was, bool is_left, pv__split *split,
                      pv_carved *carved);
/// Tells the caller's callback.
void pv__split_tell(pv_world *world, pv_body parent, const pv__split *split);
void pv__split_free(pv_world *world, pv__split *split);

/* pv_hash.c */
/// A digest of a mask's pixels, never 0.
uint64_t pv__bits_digest(const pv__bits *bits);

/* pv_integrate.c */
/// Moves every awake body by one substep: time-corrected Verlet and the stick.
void pv__integrate(pv_world *world, double h);
/// Stops what was driven to a place in the last step and is not in this one.
void pv__stop_driven(pv_world *world);
/// Stops bodies that pushes of matter would have out of the numbers.
void pv__settle_bodies(pv_world *world);
/// Makes now - before mean the same velocities for a substep of another length.
void pv__retime(pv_world *world, double h);
/// Pose before the last substep.
pv__pose pv__pose_before(const pv__body *b);
/// Velocity and spin at the end of the last substep.
pv_vec2 pv__velocity(const pv_world *world, const pv__body *b);
double pv__spin(const pv_world *world, const pv__body *b);
/// What the particles did in the last substep: how far the centre went, and the angle.
typedef struct pv__chord {
    pv_vec2 way;
    double angle;
} pv__chord;
pv__chord pv__chord_of(const pv__body *b);
/// Puts the current particles into a pose; the previous ones stay.
void pv__set_pose(pv__body *b, pv__pose pose);
/// Says that it is elsewhere than its bitmap shows.
static inline void pv__forget_now(pv__body *b) {
    if (b->pixel) b->pixel->bitmap_now.valid = false;
}
/// Says that the previous particles are others than their bitmap shows.
static inline void pv__forget_before(pv__body *b) {
    if (b->pixel) b->pixel->bitmap_before.valid = false;
}
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
/// Sets a mover's box to what it covers while it goes by so much.
void pv__widen_room(pv_world *world, int index, double by);
/// Makes room for so many more bodies than there are, so that nothing but pairs takes memory later; false without memory.
bool pv__grid_reserve(pv_world *world, int more);
void pv__grid_free(pv_world *world);
/// Says that a body came, went, fell asleep, was put elsewhere or may meet others than before.
void pv__displace(pv_world *world, int index);
/// Says that all bodies may lie elsewhere, of which there were so many before.
void pv__displace_all(pv_world *world, int before);
/// Fills world->grid.near with bodies whose boxes meet a box, all that rest among them; the result is how many.
int pv__find_resting(pv_world *world, const pv_box *box);
/// Lays out what is awake and no sensor by where it was in the step, which is over.
void pv__lay_out_ways(pv_world *world);
/// Fills world->grid.near with bodies laid out whose boxes meet one's then, maybe itself among them; the result is how many.
int pv__find_met(pv_world *world, int index, bool resting);
/// What of a body can touch in a pose: its contour's box, or without one its picture's.
pv_box pv__touching_box(const pv__body *b, pv__pose pose);
/// The box of a body's turned picture in a pose.
pv_box pv__box_in(const pv__body *b, pv__pose pose);

/* pv_silhouette.c */
/// Silhouette of a body's pixels as seen from a point.
typedef struct pv__seen {
    double distance; ///< of what is nearest [px]
    pv_vec2 mean;    ///< of all directions to them, of length 1 each
    bool inside;     ///< the point is among them, and nothing else is known
} pv__seen;
/// Makes the outline of a body's pixels, where it has none yet; false without memory.
bool pv__outline_ready(const pv__body *b);
/// Measures how wide the pixels are across a direction of length 1, without gaps between them [px]; 0 where the outline is not ready.
double pv__width_across(const pv__body *b, pv_vec2 n);
/// Silhouette of them; at an infinite distance where the outline is not ready.
pv__seen pv__seen_from(const pv__body *b, pv_vec2 point);

/* pv_index.c */
/// Makes room for so many more bodies, so that nothing takes memory later; false without memory.
bool pv__index_reserve(pv_world *world, int more);
void pv__index_free(pv_world *world);
/// Says that a body came, went or lies elsewhere than it did.
void pv__index_update(pv_world *world, int index);
/// Says that all that is awake may do so.
void pv__index_follow(pv_world *world);
/// Says it of every body that lies elsewhere than in the world of which the index was.
void pv__index_fill(pv_world *world, const pv_world *from);

/* pv_judge.c */
/// What becomes of a pair with a contact, of which the point, normal, gap and whether it touches are known; material may be
/// changed.
pv_verdict pv__judge(const pv_world *world, int a, int b, pv_approach *contact, pv__material *material);
/// The same of a manifold that was found or kept in this step, its bodies being shown: what passes has no points.
void pv__judge_manifold(pv_world *world, pv__manifold *m);
/// Whether a contact of pixels presses.
bool pv__judge_contact(pv_world *world, pv__contact *c, bool touches);
/// Whether a pair passed each other in the last step, a < b.
bool pv__passes(const pv_world *world, int a, int b);
/// Takes what passes out of world->pairs.
void pv__leave_out_passing(pv_world *world);

/* pv_events.c */
/// Adds an item to a list; without memory the step is flagged.
bool pv__append(pv_world *world, pv__list *list, const void *item, size_t size);
/// Makes room for so many bodies that are awake, and for what they can change; false without memory.
bool pv__reserve_changes(pv_world *world, int bodies);
/// A body fell asleep or woke.
void pv__note_change(pv_world *world, pv__body *b);
/// Makes room for what so many pairs can begin and end; false without memory.
bool pv__reserve_meetings(pv_world *world, int pairs);
/// A manifold goes: if its pair touched, that is over.
void pv__tell_dropped(pv_world *world, const pv__manifold *m);
/// What contacts of pixels have to say after a substep.
void pv__tell_touches(pv_world *world);
/// What is told of the last step goes when the next one begins; what is told of that one comes when it ends.
void pv__clear_events(pv_world *world);
void pv__tell_events(pv_world *world);
void pv__events_free(pv_world *world);
/// Makes room for so many more bodies that are split off or carved; false without memory.
bool pv__reserve_news(pv_world *world, int more);
/// A part of a body's picture is another; there must be room.
void pv__note_dirt(pv_world *world, pv_body body, pv_rect rect);
/// What was split off and carved since the last step is told; after all else of a step.
void pv__tell_news(pv_world *world);

/* pv_snapshot.c */
void pv__masks_free(pv_world *world);
/* pv_tape_material.c */
void pv__maps_free(pv_world *world);
/// Writes the head of a snapshot that is whole but for it, of 24 bytes at least: what it is, its size and digest.
void pv__snapshot_seal(unsigned char *at, size_t size);

/* pv_sensor.c */
/// Marks where the step began.
void pv__mark_beginnings(pv_world *world);
void pv__tell_visits(pv_world *world);

/* pv_bitmap.c */
/// The bitmap of a body in a pose; null without memory. The result lives as long as store does.
const pv__bitmap *pv__bitmap_in(const pv_world *world, const pv__body *b, pv__pose pose, pv__bitmap *store);
void pv__bitmap_free(const pv_world *world, pv__bitmap *bitmap);
/// Frees those that a body's pixel motion keeps.
void pv__bitmaps_free(const pv_world *world, const pv__body *b);

/* pv_contact_pixel.c */
/// Turns world->pairs into world->contacts by collision bitmaps.
void pv__find_contacts(pv_world *world);

/// Whether two bodies share a pixel in their current poses.
bool pv__bodies_overlap(pv_world *world, pv__pair pair);
/// The contact of two bodies in their current poses; false when they share no pixel.
bool pv__touch_now(pv_world *world, pv__pair pair, pv__contact *c);
/// Appends a contact; without memory the step is flagged.
void pv__add_contact(pv_world *world, const pv__contact *c);

/* pv_solve_pixel.c */
/// Gives what touched its exit velocities.
void pv__solve_contacts(pv_world *world, double h);

/// Takes the approach out of a pair that met once more after its exit; bodies must be touched.
void pv__absorb(pv_world *world, pv__contact *c);

/* pv_solve_energy.c */
/// Takes from the velocities of what touched as much as is more than it may have.
void pv__keep_books(pv_world *world);
void pv__ledgers_free(pv_world *world);

/* pv_backtrack.c */
/// Moves what touched back to the touch and on with its exit velocities, as far as no pixels meet.
void pv__backtrack(pv_world *world, double h);

/* pv_contact_contour.c */
/// Makes a manifold anew. Until that is done again its points move by motion at most [px], and so much time goes by [s].
void pv__manifold_find(pv_world *world, pv__manifold *m, double motion, double ahead);

/* pv_manifolds.c */
/// Turns world->pairs into world->active, keeping what was known of a pair.
void pv__keep_manifolds(pv_world *world);
/// Begins a step with those of the last one.
void pv__hold_manifolds(pv_world *world);
/// Takes up pairs from the first on that the step does not know yet, and drops the others; they are looked at in a substep.
void pv__add_manifolds(pv_world *world, int first, int due);
/// Makes room for so many slots, and so many that are active; false without memory.
bool pv__reserve_manifolds(pv_world *world, int slots, int active);
/// Makes impulses those of a substep that is so many times as long.
void pv__scale_impulses(pv_world *world, double by);
/// Exchanges the room for manifolds of two worlds.
void pv__swap_manifolds(pv_world *a, pv_world *b);
/// Makes a slot one of which nothing is known but its pair.
void pv__clear_manifold(pv_world *world, int slot, int a, int b);
/// Fills the table with the slots that have a pair.
void pv__enter_manifolds(pv_world *world);
/// The manifold of a pair, a < b, or null.
const pv__manifold *pv__manifold_between(const pv_world *world, int a, int b);
/// What touches goes on doing so until it is farther apart than this [px].
#define PV__TOUCHING 0.1
/// Where a point of a manifold is on a's surface, and how far b's is from it along the normal, as the bodies are now [px].
pv_vec2 pv__press_place(const pv_world *world, const pv__manifold *m, const pv__press *p);
double pv__press_gap(const pv_world *world, const pv__manifold *m, const pv__press *p);
/// What a manifold is to those who ask: false when nothing presses.
bool pv__manifold_contact(const pv_world *world, const pv__manifold *m, pv_contact *contact);

/* pv_pack.c */
/// Puts what presses into blocks of lanes, and the impulses back.
void pv__pack_manifolds(pv_world *world);
void pv__unpack_manifolds(pv_world *world);
/// Leaves out of the sweep what rests.
void pv__narrow_sweep(pv_world *world);
/// Sets the length of the running substep, and fits springs to it; world->dt must be known.
void pv__fit_springs(pv_world *world, double h);
/// Goes on with substeps of another length: scales the impulses of what is swept, and fits its springs.
void pv__pace_blocks(pv_world *world, double h);
/// Puts the impulses back when the step is over, and all blocks into the sweep again.
void pv__close_blocks(pv_world *world);
/// The same of one that is found anew: first its impulses back, then what was found into lanes.
void pv__unpack_manifold(pv_world *world, int slot);
void pv__repack_manifold(pv_world *world, int slot);

/* pv_watch.c */
/// All pairs of the step are looked at in the first substep; false without memory.
bool pv__watch_all(pv_world *world);
/// Looks at a manifold that came within the step, from a substep on.
void pv__watch_added(pv_world *world, int slot, int due);
/// Tells whether a step may go on with the pairs of the last one, in which all rested.
bool pv__holds_pairs(const pv_world *world);
/// No pair of two that are quiet is looked at any more.
void pv__watch_restless(pv_world *world);
/// Converts the substeps in which pairs are due to so many after the first, in place of world->substeps - 1.
void pv__pace_watches(pv_world *world, int count);
/// Finds the manifolds that have to be found again in a substep.
void pv__find_manifolds(pv_world *world, double h, int substep);
/// Wakes what will be touched in a step; whether there was any.
bool pv__wake_reached(pv_world *world, double dt);

/* pv_enlarge.c */
/// Sets the budget of a step.
void pv__allow_enlarging(pv_world *world);
/// Tells whether a body, of which nothing but its gain changes the motion, will never have left its box in the step.
bool pv__keeps_to_box(const pv_world *world, int index, double h);
/// Enlarges the boxes of bodies that left them in a substep, and adds their pairs.
void pv__enlarge_boxes(pv_world *world, double h, int substep);

/* pv_pace.c */
/// Chooses the paces of islands, after the first substep.
void pv__choose_paces(pv_world *world, double h);
/// Tells whether the running substep is a long one.
static inline bool pv__is_brisk(const pv_world *world) { return world->h > world->dt; }
/// Tells whether something goes on at a pace; at the usual one matter may, without bodies.
bool pv__has_pace(const pv_world *world, pv__pace pace);
/// Begins the other substeps of a pace, world->substeps in all with the first; returns their length.
double pv__begin_pace(pv_world *world, pv__pace pace, double h);
/// Ends them: impulses and the count of substeps are those of usual ones again.
void pv__end_pace(pv_world *world, double h, int substeps);

/* pv_movers.c */
/// Makes movers of what is awake; false without memory.
bool pv__gather_movers(pv_world *world, double h);
/// Makes movers of what that may touch, and watches the step's pairs; false without memory.
bool pv__gather_pairs(pv_world *world);
/// Makes movers of those of a pair that rest, and has those that fly stepped from a substep on.
void pv__gather_met(pv_world *world, pv__pair pair, int substep);
/// Leaves islands in which nothing changed in the substep, of this time, out of the others.
void pv__rest_quiet(pv_world *world, double h);
/// Leaves out what has come to rest in a later substep.
void pv__rest_settled(pv_world *world, double h);
/// Takes out of the substeps what flies alone.
void pv__set_flying(pv_world *world, double h);
/// Has what flies go through the step's other substeps.
void pv__fly(pv_world *world);
/// Returns the course of a mover's island, or null for what cannot be moved.
const pv__course *pv__island_of(const pv_world *world, int mover);
/// Makes particles of movers.
void pv__store_movers(pv_world *world, double h);
pv__pose pv__mover_pose(const pv_world *world, int body);
/// Its pose and velocity become the body's, for those who look there.
void pv__show_mover(pv_world *world, int body);

/* pv_pixel_stop.c */
/// Sets how much bodies may be swept in a step.
void pv__allow_sweeps(pv_world *world);
/// Stops, after a move, what went too far in it for its contours to hold.
void pv__stop_at_pixels(pv_world *world, double h);
/// Marks where bodies are before matter moves them, and stops them, after that, where they would go through others.
void pv__mark_poses(pv_world *world);
void pv__stop_pulled(pv_world *world, double h);

/* pv_solve_loaded.c */
/// Solves what is around loaded contacts to convergence.
void pv__solve_loaded(pv_world *world, double h);
/// Takes blows out of the impulses that start the next substep.
void pv__forget_blows(pv_world *world);

/* pv_solve_contour.c */
void pv__choose_lanes(pv_world *world);
/* The stages of a substep by contours, in order; docs/ARCHITECTURE.md has a line for each. */
void pv__accelerate(pv_world *world, double h);
void pv__push_manifolds(pv_world *world, double h);
void pv__move_bodies(pv_world *world, double h);
void pv__relax_manifolds(pv_world *world, double h);

/* pv_sleep.c */
/// Makes world->awake anew if it is stale.
void pv__call_roster(pv_world *world);
/// Puts islands that have stayed where they are to sleep.
void pv__fall_asleep(pv_world *world, double dt);
/// What is known of whether it rests begins anew, with where it is.
void pv__forget_rest(pv__body *b);
/// Whether what is known of its rest is what steps leave; a shorter interval would divide to more than a number.
bool pv__rest_in_range(const pv__body *b);
/// Wakes a body with its whole island.
void pv__wake(pv_world *world, pv__body *b);
/// Wakes whose boxes meet one.
void pv__wake_within(pv_world *world, const pv_box *near);
/// Wakes what may touch a body, by boxes.
void pv__wake_near(pv_world *world, int index);

#endif
