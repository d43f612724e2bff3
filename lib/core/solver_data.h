/* solver_data.h - the structures of the solver: solver bodies, squeezes and island groups.
 *
 * Invariant: solver bodies exist only in a step; between steps, bodies' particles hold the motion.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_SOLVER_DATA_H
#define PV_CORE_SOLVER_DATA_H

#include "base/thread.h"
#include "core/contact_data.h"

/// Number of lanes, and one number for each lane, as in contact_batch.h
enum { PV__LANES = 4 };
typedef double pv__four __attribute__((vector_size(32), aligned(8)));
/// Upper halves of four numbers for which 20 bits after the leading one suffice
typedef int32_t pv__four_halves __attribute__((vector_size(16), aligned(8)));

/// Four truth values, each with all bits set or none
typedef int64_t pv__which __attribute__((vector_size(32), aligned(8)));

/// Body in the solver: hot and small
typedef struct pv__solver_body {
    /// Velocity x, y, and angular velocity: the chord of the last substep; radius in which turning
    /// moves the surface [px]
    pv__four motion;
    /// Center x, y, cosine and sine of the rotation
    pv__four pose;
} pv__solver_body;

/// Data of a solver body that loops over pairs need besides its motion
typedef struct pv__solver_outline {
    /// Radius of the circle about the center that holds the contour [px]
    double extent;
    /// True if the contour has all pixels
    bool exact;
    /// True if it bore load when the step ended
    pv__flag touched;
} pv__solver_outline;

/// Scratch of contact_batch.c: batch levels of a member. All are zero between packings, and for
/// other bodies.
typedef struct pv__body_levels {
    /// A bit for each level in use, if it is one of the first
    uint64_t taken;
    /// Number of levels up to the last one in use, if that has no bit
    int beyond;
    bool movable;
    /// True if its contacts come in any order
    bool unordered;
    uint8_t strip;
} pv__body_levels;

/// State of a solver body that is used once a substep or once a step
typedef struct pv__solver_state {
    /// Gain of motion in a substep from gravity and forces
    pv__four gain;
    /// Motion when the step began
    pv__four was;
    /// Pose when the substep began
    pv__four from;
    /// Motion in the substep before contacts were solved
    pv__four unsolved;
    /// Inverse mass and inertia of the body
    double inverse_mass, inverse_inertia;
    /// Distance of the farthest point from the center [px]
    double reach;
    /// Length of the last substep [s]
    double h;
    /// Upper bound of the rim's speed in the substep [px/s]
    double rim_speed;
    /// Change of the rim's velocity in the substep [px/s]
    double gained;
    /// Scratch of wake_reached.c: upper bounds for the next substep, of twice its energy
    /// [mass px^2/s^2] and of its displacement [px]
    double energy, way;
    /// Greatest speed for the rest of the step while squeezed; 0: no bound [px/s]
    double bound;
    /// Greatest rim speed of the island, kept at its lowest solver body [px/s]
    double fastest;
    /// Sum of the island's rim speeds, each up to a limit, kept at its lowest solver body [px/s]
    double pace;
    /// Range of the island along gravity, and sum of its bodies' extents [px], kept at its lowest
    /// solver body
    double top, bottom, extents;
    /// Inverse masses of the lightest and the heaviest body of the island, kept at its lowest
    /// solver body
    double lightest, heaviest;
    /// Locks of the body, PV_LOCK_ bits; true if it is kinematic
    uint8_t locks;
    bool driven;
    /// A lower solver body of its island, or itself; 0: immovable
    int island;
    /// Number of its island group from 1 on; 0: it is not awake
    int group;
    /// Numbers of bodies and of active ones in the island, kept at its lowest solver body
    int members, restless;
    /// Scratch of solver_body.c: number of contacts across which its motion keeps others active
    int hops;
    /// Scratch of contact_solver.c: contacts from a loaded body to it, plus 1; 0: not reached
    int hop;
    /// One more than the index of the kinematic body that squeezed it in this step; -1: it lies in
    /// an immovable one; 0: none
    int crusher;
    /// Number of substeps that it flies in one stride; 0: it does not fly
    int flight;
    /// Scratch of squeeze.c: first of the contacts that hold it, or -1
    int held;
    /// Scratch of island_group.c: true if it is active in a group that waits
    bool waits;
    /// Strip of its position, see strips.c
    uint8_t strip;
    bool damped;
    /// True if nothing except the gain changes its motion: no damping, no pair, no matter
    bool free;
    /// True if it is inactive: no longer stepped
    bool quiet;
    /// True if it carried load when the step began
    bool pressed;
    /// True if a kinematic body touches the island
    bool led;
    /// True if it is slow enough to be inactive; true if the island is supported by an immovable
    /// body
    bool slow, anchored;
    /// True if some bodies of the island may be inactive, kept at its lowest solver body
    bool rests;
    /// True if pixels held it, so that it is not at rest
    bool roused;
    /// Scratch of broad_phase.c: true if it has left its box
    bool left;
    /// Scratch of pixel_stop.c: true if pixels stopped it since the sweeps in advance
    bool stopped;
    /// Scratch of pixel_stop.c: true if a stop moved it with another body, or matter did
    bool carried;
} pv__solver_state;

/// State of a body that may be squeezed, by solver body. The lowest body of a group in contact has
/// the sums of the group.
typedef struct pv__squeeze {
    /// Lowest body of the group in contact
    int root;
    /// A bit for each of 32 directions in which an immovable body pushes
    unsigned sides;
    /// Same bits for moving kinematic bodies and deep contacts
    unsigned led;
    /// Solver body of an immovable body that touches it, or 0; true if there are two of them
    int wall;
    bool walls;
    /// True if a kinematic body pushes the group towards an immovable one
    bool jammed;
    /// True if impulses may not suffice: it is jammed, or two immovable bodies touch its group, one
    /// of which moves
    bool wedged;
    double mass;
    /// Greatest speed of the kinematic bodies that push [px/s]
    double speed;
    /// Index of the deepest kinematic body that pushes, or -1
    int by;
    /// Depth in that body [px]
    double by_depth;
} pv__squeeze;

/// Spring of a contact
typedef struct pv__spring {
    /// Coefficients as in pv__batch
    double rate, softness;
    /// Share of the excess depth that is resolved in a substep
    double parting;
} pv__spring;

/// Items of a stage that one worker handles at a time
typedef struct pv__chunk {
    /// Items first ... end - 1
    int first, end;
    /// Chunks of the same level, level_first ... level_end - 1; lower levels come before
    int level_first, level_end;
} pv__chunk;

/// Progress of an island group in a step
typedef struct pv__progress {
    /// The next substep, and the usual number of substeps; 0 before the first one
    int next, usual;
    /// True if the group may wait until all others have ended their step, and if it does
    bool may_wait, waits;
} pv__progress;

/// Solver bodies, and the batches of their contacts.
typedef struct pv__solver {
    /* lists of an island group, and their capacities; each group has its own */
    /// Awake bodies that go through the step together: all, or those of an island group
    int *members;
    /// Active bodies: members that are still stepped
    int *active;
    /// Scheduled pairs of an awake and a sleeping body
    pv__schedule *fringe;
    struct pv__batch *batches;
    /// Extra data of batches; all plain batches share the first one
    struct pv__batch_extra *extras;
    /// Marks of the batches
    struct pv__batch_mark *marks;
    /// Bits of lanes that must be filled, by batch
    pv__flags *stale;
    /// Batches of the sweep, in order, and by level for several workers
    int *sweep, *order;
    /// Chunks of order
    pv__chunk *chunks;
    /// Batches that are solved to convergence in this substep
    struct pv__load *loaded;
    /// Normal impulses when a substep with an impact began, two for each batch
    pv__four *before;
    struct pv__batch_part *packed;
    int member_capacity, active_capacity, fringe_capacity, batch_capacity, extra_capacity,
        mark_capacity, stale_capacity, sweep_capacity, order_capacity, chunk_capacity,
        loaded_capacity, before_capacity, packed_capacity;
    /* numbers of items; the lists end where member_count begins */
    int member_count, active_count, fringe_count, batch_count, extra_count, sweep_count,
        chunk_count, loaded_count, packed_count;
    /// Springs of contacts in the running substep, and of contacts with an immovable body
    pv__spring spring, fixed_spring;
    /// True if the next substep reaches a sleeping body of the fringe
    bool reaches;
    /// Number of the island group that is stepped, and its progress
    int group;
    pv__progress progress;
    /// Number of awake sensors, and of other awake bodies, that go through the step in one stride
    int flown_count, flying_count;
    /// Solver bodies and their states, by body + 1; the first is an immovable one for empty lanes
    pv__solver_body *bodies;
    pv__solver_state *states;
    int body_capacity, state_capacity;
    /// Batches of the running pass: sweep or order
    const int *listed;
    /// True if the chunks are those of the sweep
    bool chunked;
    /// True after an impact in this substep that may load bodies
    bool impact;
    /// True if an awake body is damped
    pv__flag some_damped;
    /// True if the sweep leaves out inactive bodies
    bool narrowed;
    /// Number of strips of the batches, see strips.c
    int strip_count;
    /// Number of batches that are in order; later ones follow them
    int ordered_count;
    /// True if batches hold all loaded points of the last step's pairs, in order, without a change
    /// since
    bool ordered;
    /// True if the batches are out of date
    bool repack;
    /// True after a restore: batches were not saved, though ordered may be true
    bool restored;
    /// True if a pair moves so far in a substep that soft contacts may not stop it
    pv__flag fast;
    /// True if a pair of the schedule has a thin body and an immovable one
    pv__flag slight;
    /// True if the islands in states are from the last step's pairs
    bool joined;
    /// True if all bodies were inactive after the first substep of the last step
    bool rested;
    /// Remaining budget of pixel sweeps in this step
    int64_t pixel_budget;
    /// True if pixels have stopped a body since the flags in states were cleared
    bool any_stopped;
    /// True if a stop may have carried a body into a wall
    bool any_carried;
    /// Flags by solver body: matter or an impact has changed its velocity so much that its pairs
    /// need a visit
    bool *disturbed;
    int disturbed_capacity;
    pv__solver_outline *outlines;
    int outline_capacity;
    /// Batch levels by solver body
    pv__body_levels *levels;
    int level_capacity;
    /// Flags by solver body: it was made in this step
    bool *gathered;
    int gathered_capacity;
    /// True if matter or an impact has disturbed any body
    pv__flag any_disturbed;
    /// Number of each solver body's last impact, 0 before its first one in the step; number of the
    /// last impact of all
    uint64_t *hits;
    int hit_capacity;
    uint64_t last_hit;
    const struct pv__batch_kernel *kernel;
    const struct pv__stick_kernel *stick_kernel;
    const struct pv__liquid_kernel *liquid_kernel;
} pv__solver;

/// Bodies that are squeezed between others that do not give way.
typedef struct pv__squeezes {
    /// Squeezes by solver body, if a kinematic body is in a pair; scratch of a substep
    pv__squeeze *items;
    int capacity;
    /// Number of bodies that were crushed in the last step
    int crushes;
    /// True if a kinematic body is in a pair of the step
    bool kinematics;
    /// True if a body is jammed, or wedged, in this substep
    bool jammed, wedged;
    /// True if a body was squeezed in this step
    bool squeezed;
} pv__squeezes;

/// Lists and scratch memory of an island group. They are in the world while it steps the group.
typedef struct pv__island_context {
    struct pv__island_context *next;
    pv__solver solver;
    int *slots;
    pv__schedule *schedule;
    pv__update *updates;
    int slot_count, slot_capacity, schedule_count, schedule_capacity, update_count, update_capacity;
    bool squeezed;
    int substeps;
    double h;
    pv_world_profile profile;
    double stage_begin;
} pv__island_context;

/// Islands that go through a step together
typedef struct pv__island_group {
    /// Numbers of its bodies and pairs, and where both end in the sorted lists
    int bodies, pairs, body_end, pair_end;
    /// Its context while it waits, or null
    pv__island_context *context;
} pv__island_group;

/// Island groups of a step, see island_group.c
typedef struct pv__island_groups {
    pv__island_group *items;
    int count, capacity;
    /// Bodies and manifold slots by group
    int *bodies, *slots;
    int body_capacity, slot_capacity;
    /// Number of candidate pairs before any group ran; later ones were found within the step
    int known;
    /// Contexts that no group is using, and the lock for them; null without a lock
    pv__island_context *spare;
    pv__lock *lock;
    /// Sum of the stage times of all groups
    pv_world_profile spent;
    /// Sums of all groups, see pv__solver and pv__squeezes
    int flown_count, flying_count;
    bool rested, squeezed;
} pv__island_groups;

#endif
