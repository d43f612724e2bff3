/* pixverlet/world.h - worlds: steps, callbacks, contacts, events, snapshots, queries and debug
 * drawing.
 *
 * Invariant: a refused call changes nothing. Arrays come in an order that is the same on every
 * machine.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_WORLD_H
#define PIXVERLET_WORLD_H

#include "pixverlet/placed.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A world, the owner of every object created in it.
/// @ingroup world
typedef struct pv_world pv_world;

/** @defgroup clock Clock
 *  Turns the uneven frames of a game into equal steps. @{ */

/// An accumulator of time. The caller fills in step and max_steps and leaves the rest 0.
typedef struct pv_clock {
    /// Length of a step [s], > 0
    double step;
    /// Largest number of steps due at once. The clock drops the time beyond it, so one slow frame
    /// does not delay the next.
    int max_steps;
    /// Time not yet stepped, in [0, step) [s]; accumulator / step is the fraction for drawing
    /// between two steps
    double accumulator;
} pv_clock;

/// Adds the time since the last call and returns the number of steps due.
/// @param clock null gives 0
/// @param elapsed [s]; negative or not finite counts as 0
PV_API int pv_clock_advance(pv_clock *clock, double elapsed);

/** @} */

/** @defgroup contacts Contacts
 *  Filters and touching pairs. @{ */

/// A collision filter, which decides together with the other filter of a pair. Two filters of the
/// same group_index other than 0 collide if it is positive and do not if it is negative. In every
/// other case each filter's category_bits must share a bit with the other's mask_bits.
typedef struct pv_filter {
    /// Categories it belongs to, as bits, default 1; categories it collides with, default
    /// 0xffffffff
    uint32_t category_bits, mask_bits;
    /// Group that overrides the bits; 0: none; default 0
    int32_t group_index;
} pv_filter;

/// A pair of bodies that touches at the end of the last step. A body that bounced off within the
/// step is not in contact at its end. Resting bodies stay in contact in every step until they are
/// more than 0.1 px apart. A ground test therefore does not flicker.
typedef struct pv_contact {
    /// The two bodies; a comes before b in slot order
    pv_body_id a, b;
    /// Contact point in the world [px]
    pv_vec2 point;
    /// Contact normal from a to b, of length 1
    pv_vec2 normal;
    /// Normal impulse in the last substep [mass px/s], >= 0
    double impulse;
    /// Number of pixels that overlapped at the time of detection
    int64_t overlap_area;
} pv_contact;

/// Gap between resting contours that counts as touching [px]. Loads press it narrower.
#define PV_REST_GAP 0.005
/// Gap between contours above which a contact ends [px].
#define PV_CONTACT_END_GAP 0.1

/** @} */

/** @defgroup world World
 *  Bodies that move and touch.
 *
 * A world is busy during pv_world_step(), pv_query_filter's accept, pv_split_fn and
 * pv_world_debug_draw(). Callbacks of these calls may read the world and must not change it.
 * Meanwhile, each function that takes a non-const pv_world is refused with PV_ERROR_BUSY, before
 * any other check, and pv_world_destroy() does nothing. Callbacks may change other worlds.
 *
 * The check for a busy world covers only the thread of the callback. No other thread may change the
 * world meanwhile; the library does not detect that. A report hook may read the world and must not
 * change it. An allocator may do neither. The library detects neither mistake. Callbacks must
 * return: no longjmp(), no exception. @{ */

/// Rules that mix a property of two touching bodies.
typedef enum pv_mix {
    /// Average, (a + b) / 2: Cheng (2003) section 4.2
    PV_MIX_AVERAGE = 0,
    /// Geometric mean, sqrt(a * b): 0 if either is 0
    PV_MIX_GEOMETRIC
} pv_mix;

/// Sources of contacts between pixels.
typedef enum pv_contact_mode {
    /// Collision bitmaps, Cheng (2003): bodies touch once they would share a pixel, and never share
    /// one
    PV_CONTACT_MODE_PIXELS = 0,
    /// Sub-pixel contours and distance fields, built from the pixels once per mask
    PV_CONTACT_MODE_CONTOURS
} pv_contact_mode;

/// A callback that decides whether two bodies collide. A step asks about pairs whose bounds overlap
/// and whose filters agree. At least one of the two is awake, a sensor or a polygon. A step may ask
/// about a pair more than once, in the thread of the step. pv_mover_move() asks as well. The
/// callback may read the world; a change returns PV_ERROR_BUSY. For repeatable runs its answer must
/// depend on nothing outside the world and user_data.
typedef bool (*pv_filter_fn)(void *user_data, const pv_world *world, pv_body_id a, pv_body_id b);

/// Results of a presolve callback.
typedef enum pv_presolve_result {
    /// Normal collision, with the values in the contact
    PV_PRESOLVE_COLLIDE = 0,
    /// No collision in this step
    PV_PRESOLVE_IGNORE,
    /// No collision until the two separate, so a body that came through from below is not caught
    /// halfway
    PV_PRESOLVE_IGNORE_UNTIL_SEPARATED
} pv_presolve_result;

/// Two bodies that are about to touch or already touch. The callback may change restitution and the
/// members after it; the changes hold for this step.
typedef struct pv_presolve_contact {
    /// The two bodies; a comes before b in slot order
    pv_body_id a, b;
    /// Point of the approach in the world [px]
    pv_vec2 point;
    /// Contact normal from a to b, of length 1
    pv_vec2 normal;
    /// Approach speed at the point, < 0 for bodies that separate [px/s]
    double speed;
    /// Gap between the two, < 0 for an overlap [px]
    double separation;
    /// Contact at the end of the last step
    bool touching;
    /// Restitution of the pair, 0...1
    double restitution;
    /// Static and kinetic friction of the pair, 0...1e6
    double static_friction, friction;
    /// Speed of the two surfaces along each other, as a tangent_speed of body a, |x| <= 1e6 [px/s]
    double tangent_speed;
} pv_presolve_contact;

/// A callback that judges a contact before it is solved. A step asks once for each pair that may
/// touch, right after it finds the contact. In a world of pixel contacts it asks once per substep.
/// Calls run in the thread of the step, in a repeatable order. Bodies are at their poses at the
/// start of the step or partway through it.
///
/// pv_mover_move() asks as well. The callback may read the world; a change returns
/// PV_ERROR_BUSY. A pair with a polygon is asked about once it overlaps. Values out of range and
/// unknown results count as unchanged. The result for two sleeping bodies holds until they wake.
typedef pv_presolve_result (*pv_presolve_fn)(void *user_data, const pv_world *world,
                                             pv_presolve_contact *approach);

/// A callback that returns the user_data of a new body that split off another. It runs after all
/// parts of a cut exist, the largest first. pv_body_carve() calls it, and pv_world_step() calls it
/// for fractures at the end of the step. The parent is an id that is no longer valid if nothing is
/// left of it. The callback may read the world; a change returns PV_ERROR_BUSY.
typedef void *(*pv_split_fn)(void *user_data, const pv_world *world, pv_body_id parent,
                             pv_body_id child);

/// Greatest number of workers of a world
#define PV_MAX_WORKERS 64

/// Task of a step: handles the items first ... end - 1. The context comes from the library. An item
/// may occupy its thread until the step ends.
typedef void (*pv_task_fn)(void *context, int first, int end);

/// Starts a task in other threads. The task must be called for all items 0 ... count - 1, each item
/// once, in any order and in ranges of any size. It may also be called at once, in this thread.
/// @return a handle for pv_finish_task_fn; null if all items are done
typedef void *(*pv_enqueue_task_fn)(void *user_data, pv_task_fn task, void *context, int count);

/// Waits until all items of a task are done. It may handle waiting items in this thread.
typedef void (*pv_finish_task_fn)(void *user_data, void *handle);

/// The definition of a world. pv_world_def_default() returns one.
typedef struct pv_world_def {
    /// Gravity [px/s^2]; default (0, 320)
    pv_vec2 gravity;
    /// Contact mode; default PV_CONTACT_MODE_CONTOURS
    pv_contact_mode contact_mode;
    /// Substeps, 1...64, per 1/60 s with contours and per step with pixels; default 0: 16 with
    /// contours, 4 with pixels
    int substeps;
    /// Substeps of particles that nothing holds, such as debris, 1...64, counted like substeps and
    /// at most as many; default 0: all substeps. With 1 such particles cost a tenth as much as with
    /// 16. They fly as with all substeps and tunnel through nothing. Hits take effect at the end of
    /// one of their own substeps. Particles with a joint, of a liquid or composite, pinned, or near
    /// a polygon or an awake dynamic body take all substeps.
    int particle_substeps;
    /// Solver iterations per substep in a world of pixel contacts, 1...64; default 16
    int contact_iterations;
    /// Iterations over all joints per substep, 1...64; default 0: 1 with contours, 4 with pixels
    int joint_iterations;
    /// Mix of restitution; default PV_MIX_AVERAGE
    pv_mix restitution_mix;
    /// Mix of friction and rolling resistance; default PV_MIX_AVERAGE
    pv_mix friction_mix;
    /// Approach speed below which bodies do not bounce, >= 0; default 16 [px/s]
    double restitution_threshold;
    /// Approach speed above which a hit event is reported, >= 0; default 50 [px/s]
    double hit_event_threshold;
    /// Bounds of the world [px]; default empty: no bounds. A body that leaves them is reported once
    /// as out of bounds.
    pv_box bounds;
    /// Sleep of resting islands; default true
    bool enable_sleep;
    /// Filter callback, or null
    pv_filter_fn filter_callback;
    /// Argument of filter_callback
    void *filter_user_data;
    /// Presolve callback, or null
    pv_presolve_fn presolve_callback;
    /// Argument of presolve_callback
    void *presolve_user_data;
    /// Split callback; null: a part takes the user_data of its parent
    pv_split_fn split_callback;
    /// Argument of split_callback
    void *split_user_data;
    /// Number of threads that take part in a step, including the one that calls pv_world_step(),
    /// 0...64; default 0, which is 1. They also help to create the first body of a mask. The
    /// results do not depend on it.
    int worker_count;
    /// Function that starts a task, needed with several workers; default null. See
    /// pv_task_pool_attach() for a ready one.
    pv_enqueue_task_fn enqueue_task;
    /// Function that waits for the end of a task; default null
    pv_finish_task_fn finish_task;
    /// Argument of enqueue_task and finish_task
    void *task_user_data;
    /// Allocator of the world and everything in it. With several workers, its functions are called
    /// from several threads at a time.
    pv_allocator allocator;
    /// Hook called at every refused call, or null
    pv_report_fn report_callback;
    /// Argument of report_callback
    void *report_user_data;
    /// Mark set by pv_world_def_default()
    unsigned cookie;
} pv_world_def;

/// Returns the default definition of a world.
PV_API pv_world_def pv_world_def_default(void);

/// Creates an empty world.
/// @param def null for the defaults
/// @param error null, or gets PV_OK, PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE or PV_ERROR_MEMORY
/// @return a world for pv_world_destroy(), or null with an error
PV_API pv_world *pv_world_create(const pv_world_def *def, pv_error *error);

/// Destroys the world and everything in it; null is allowed.
PV_API void pv_world_destroy(pv_world *world);

/// Steps the world: moves bodies, matter and grains by dt, solves contacts and joints, lets resting
/// islands sleep, and replaces the events of the last step by those of this one. Callbacks run
/// within the call and in its thread; there, calls that change the world return PV_ERROR_BUSY.
/// @param dt length of the step, 1e-9...1 [s]; velocities stay the same when it changes
/// @return PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE or PV_ERROR_BUSY: nothing happened;
/// PV_ERROR_MEMORY: the step is done, without some contacts or events
PV_API pv_status pv_world_step(pv_world *world, double dt);

/// Changes the threads that take part in steps: takes worker_count, enqueue_task, finish_task and
/// task_user_data of a definition. Results stay the same.
/// @param def definition; nothing else in it is read; null for one worker
/// @return PV_ERROR_ARGUMENT, PV_ERROR_MEMORY or PV_ERROR_BUSY, with nothing changed
PV_API pv_status pv_world_set_workers(pv_world *world, const pv_world_def *def);

/// Sets the substeps of the next steps, 1...64, as in pv_world_def. More hold taller stacks and
/// heavier loads, and cost time in proportion.
/// @return PV_ERROR_ARGUMENT or PV_ERROR_BUSY, with nothing changed
PV_API pv_status pv_world_set_substeps(pv_world *world, int substeps);

/// Returns the gravity [px/s^2]; (0, 0) for null.
PV_API pv_vec2 pv_world_get_gravity(const pv_world *world);

/// Sets the gravity [px/s^2] and wakes all bodies. Each coordinate is at most PV_MAX_COORDINATE in
/// size.
/// @return PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE or PV_ERROR_BUSY, with nothing changed
PV_API pv_status pv_world_set_gravity(pv_world *world, pv_vec2 gravity);

/// Sets the filter callback and wakes all bodies. Null removes it. The next step asks about
/// touching pairs, too.
/// @return PV_ERROR_ARGUMENT for a null world, or PV_ERROR_BUSY
PV_API pv_status pv_world_set_filter_callback(pv_world *world, pv_filter_fn filter,
                                              void *user_data);

/// Sets the presolve callback and wakes all bodies; null removes it.
/// @return PV_ERROR_ARGUMENT for a null world, or PV_ERROR_BUSY
PV_API pv_status pv_world_set_presolve_callback(pv_world *world, pv_presolve_fn presolve,
                                                void *user_data);

/// Sets the split callback; null removes it.
/// @return PV_ERROR_ARGUMENT for a null world, or PV_ERROR_BUSY
PV_API pv_status pv_world_set_split_callback(pv_world *world, pv_split_fn split, void *user_data);
/// Sets the report hook; null removes it.
/// @param user_data argument of the hook; it has to live as long as the hook is set
PV_API pv_status pv_world_set_report_callback(pv_world *world, pv_report_fn report,
                                              void *user_data);

/// Computes a hash of all state that the next step depends on. It is the same on every machine; 0
/// for null.
PV_API uint64_t pv_world_compute_hash(const pv_world *world);

/// Counts of the objects in a world.
typedef struct pv_world_stats {
    /// Number of bodies of all types
    int bodies;
    /// Number of awake dynamic bodies
    int awake;
    /// Number of touching pairs of bodies after the last step
    int contacts;
    /// Numbers of particles, joints and polygons
    int particles, joints, polygons;
} pv_world_stats;

/// Returns the counts of a world's objects; all 0 for null.
PV_API pv_world_stats pv_world_get_stats(const pv_world *world);

/// Times of the last step's stages [s]. The system's clock measures them, so they differ between
/// runs. The simulation does not depend on them.
typedef struct pv_world_profile {
    /// Time for bounds, candidate pairs and their filters
    double pairs;
    /// Time for contact detection: contours and fields, or collision bitmaps
    double collide;
    /// Time for contact impulses
    double solve;
    /// Time for moving bodies and stopping them at pixels
    double move;
    /// Time for particles, joints, polygons and composites
    double matter;
    /// Time for islands and sleep
    double sleep;
    /// Time of the whole step, including everything outside these stages
    double total;
    /// Part of total spent in work that several workers share, or would share [s]
    double shared;
} pv_world_profile;

/// Returns the stage times of the last step; zeros before the first step and for null.
PV_API pv_world_profile pv_world_get_profile(const pv_world *world);

/// Returns the number of pixels shared by all pairs of bodies that collide, using exact bitmaps. At
/// least one body of each pair is dynamic. Pairs that a joint keeps from colliding do not count.
/// Pairs that passed through each other in the last step do not count.
/// @return the number of pixels; 0 for null; -1 if memory runs out
PV_API int64_t pv_world_compute_overlap_area(const pv_world *world);

/** @} */

/** @defgroup listing Listing
 *  Iteration over the objects of a world, and the topmost object at a point. @{ */

/// Returns the next body in slot order. The null id gives the first body, and the last body gives
/// the null id.
PV_API pv_body_id pv_world_get_next_body(const pv_world *world, pv_body_id body);

/// Place of a body, for drawing.
typedef struct pv_pose {
    /// Body, or the null id
    pv_body_id body;
    /// Caller's pointer of the body
    void *user_data;
    /// Center of mass in the world [px]
    pv_vec2 position;
    /// Rotation about the center of mass
    pv_rotation rotation;
    /// Place of the picture's upper left corner (0, 0) in the world [px]
    pv_vec2 top_left;
} pv_pose;

/// Selections of pv_world_get_poses(), which may be combined.
enum {
    /// Only bodies that are awake
    PV_POSES_AWAKE = 1,
    /// Disabled bodies too
    PV_POSES_DISABLED = 2
};

/// Copies the poses of bodies to an array, in slot order.
/// @param flags 0 for all enabled bodies, or PV_POSES_ flags
/// @param poses null, or destination
/// @param capacity size of the array
/// @return the number of all selected bodies, which may exceed capacity
PV_API int pv_world_get_poses(const pv_world *world, unsigned flags, pv_pose *poses, int capacity);

/// Returns the pose at fraction t of the way from one pose to another of the same body. The
/// rotation takes the shorter way.
/// @param t 0...1, for example accumulator / step of a pv_clock; other values are clamped
PV_API pv_pose pv_pose_lerp(const pv_pose *from, const pv_pose *to, double t);

/// Copies the positions of all particles to an array, two floats each, in slot order. The array can
/// go straight into a vertex buffer.
/// @param xy null, or destination of 2 * capacity floats
/// @param capacity size of the array, in particles
/// @return the number of all particles, which may exceed capacity
PV_API int pv_world_get_particle_positions(const pv_world *world, float *xy, int capacity);

/// Returns the topmost body at a point, or the null id: the last in slot order that is a polygon
/// around the point, or that has a solid pixel there. Polygons come after sprites.
PV_API pv_body_id pv_world_pick_body(const pv_world *world, pv_vec2 point);

/// Copies the contacts of the last step to an array, in order of the pairs. A polygon's contact has
/// the mean point and normal of its last substep with a touch; a pair at rest keeps them.
/// @param contacts destination; may be null if capacity is 0
/// @param capacity size of the array, in contacts
/// @return the number of all contacts, which may exceed capacity
PV_API int pv_world_get_contacts(const pv_world *world, pv_contact *contacts, int capacity);

/// Returns the next particle in slot order. The null id gives the first particle, and the last
/// particle gives the null id.
PV_API pv_particle_id pv_world_get_next_particle(const pv_world *world, pv_particle_id particle);

/// Returns the particle whose center is nearest to a point, or the null id.
/// @param reach largest distance [px], >= 0; infinity: no limit
PV_API pv_particle_id pv_world_pick_particle(const pv_world *world, pv_vec2 point, double reach);

/// Returns the next joint in slot order. The null id gives the first joint, and the last joint
/// gives the null id.
PV_API pv_joint_id pv_world_get_next_joint(const pv_world *world, pv_joint_id joint);

/// Returns the next polygon in slot order. The null id gives the first polygon, and the last
/// polygon gives the null id.
PV_API pv_body_id pv_world_get_next_polygon(const pv_world *world, pv_body_id polygon);
/// Returns the next composite in slot order. The null id gives the first composite, and the last
/// composite gives the null id.
PV_API pv_composite_id pv_world_get_next_composite(const pv_world *world,
                                                   pv_composite_id composite);

/** @} */

/** @defgroup events Events
 *  Events of the last step. @{ */

/// A contact begin or contact end of two bodies. A polygon's contact ends in the first step without
/// a touch.
typedef struct pv_contact_event {
    /// The two bodies; a comes before b in slot order
    pv_body_id a, b;
} pv_contact_event;

/// A hit of two bodies with an approach speed above the world's hit_event_threshold. For a rigid
/// polygon it was also above restitution_threshold.
typedef struct pv_hit_event {
    /// The two bodies; a comes before b in slot order
    pv_body_id a, b;
    /// Point on the surface of the heavier body, at its pose after the step [px]; the place of the
    /// impact for a polygon
    pv_vec2 point;
    /// Contact normal from a to b, of length 1
    pv_vec2 normal;
    /// Approach speed along the normal [px/s]
    double speed;
    /// Normal impulse of the whole step [mass px/s]
    double impulse;
} pv_hit_event;

/// Swaps both bodies of a hit if self is b, and flips the normal. The normal then points away from
/// self.
/// @return false for null, or if self is not in the hit
static inline bool pv_hit_event_orient(pv_hit_event *hit, pv_body_id self) {
    if (!hit || (!PV_ID_EQUALS(hit->a, self) && !PV_ID_EQUALS(hit->b, self))) return false;
    if (PV_ID_EQUALS(hit->a, self)) return true;
    hit->b = hit->a;
    hit->a = self;
    hit->normal = pv_vec2_scale(-1, hit->normal);
    return true;
}

/// A sensor begin or sensor end: a body began or ceased to share a pixel with a sensor.
typedef struct pv_sensor_event {
    /// The sensor and its visitor. The id of a destroyed body is no longer valid.
    pv_body_id sensor, visitor;
} pv_sensor_event;

/// A split: a part of a body became a body of its own.
typedef struct pv_split_event {
    /// The body and its new part. Either id may no longer be valid.
    pv_body_id parent, child;
    /// Position of the child's pixel (0, 0) in the parent's picture [px]
    int x, y;
} pv_split_event;

/// A dirty rect: changed pixels of a body since the step before. A renderer has to draw that part
/// again. The dirty rect of a new part is its whole picture.
typedef struct pv_dirty_rect {
    /// The changed body, which is valid
    pv_body_id body;
    /// Bounds of all changed pixels, in the body's picture [px]
    pv_rect rect;
} pv_dirty_rect;

struct pv_joint_break_event; /* declared in joint.h */

/// A crushed body. Either a kinematic body presses it against an obstacle, so that both overlap it,
/// or another body holds it inside an immovable one, at first with more than a quarter of its
/// pixels. The event repeats in each step while this lasts and the body is awake. A game can break
/// the body, destroy it or stop the press. The crushed body moves barely faster than the press.
typedef struct pv_crush {
    /// The crushed body, which is dynamic
    pv_body_id body;
    /// The kinematic body that presses, directly or through other bodies; null id if none pressed
    /// in this step
    pv_body_id by;
    /// The touching body with the deepest overlap
    pv_body_id a;
    /// The touching body on the opposite side; null id if there is none
    pv_body_id b;
    /// Sum of the two overlap depths: how much room the body lacks [px]
    double depth;
    /// First step in which the body is crushed
    bool begins;
} pv_crush;

/// The events of a step, each kind in slot order. Ends of contacts and sensor overlaps include
/// bodies destroyed since the step before. The ids of these bodies are no longer valid.
typedef struct pv_events {
    /// Contact begins and contact ends; a bounce within the step is in both
    const pv_contact_event *contact_begins, *contact_ends;
    /// Hits with an approach speed above hit_event_threshold
    const pv_hit_event *hits;
    /// Sensor begins and sensor ends, from exact pixels after the step; a visit within the step is
    /// in both
    const pv_sensor_event *sensor_begins, *sensor_ends;
    /// Dynamic and kinematic bodies that fell asleep or woke since the step before. New bodies are
    /// awake. A body disabled while asleep wakes once it is enabled again.
    const pv_body_id *sleeps, *wakes;
    /// Dynamic and kinematic bodies that went out of bounds in this step: their bounds stopped
    /// overlapping the world's
    const pv_body_id *out_of_bounds;
    /// Broken joints, in slot order within each substep; after them the joints released by carving
    /// since the step before
    const struct pv_joint_break_event *joint_breaks;
    /// Splits since the step before, in the order in which they happened
    const pv_split_event *splits;
    /// Dirty rects since the step before, one for each changed body
    const pv_dirty_rect *dirty_rects;
    /// Crushed bodies; a squeeze begins at a depth of 1 px; only in a world of contours
    const pv_crush *crushes;
    /// Bodies crushed in the step before that are free again
    const pv_body_id *releases;
    /// Lengths of the arrays above
    int contact_begin_count, contact_end_count, hit_count, sensor_begin_count, sensor_end_count,
        sleep_count, wake_count, out_of_bounds_count, joint_break_count, split_count,
        dirty_rect_count, crush_count, release_count;
    /// Number of bodies and particles stopped because they would have gone beyond
    /// PV_MAX_COORDINATE, or their numbers would have become infinite or NaN
    int frozen_count;
} pv_events;

/// Returns the events of the last step. The arrays belong to the world and stay valid until its
/// next step. If memory runs out, the step leaves out events and returns PV_ERROR_MEMORY. All
/// arrays are empty for null.
PV_API pv_events pv_world_get_events(const pv_world *world);

/** @} */

/** @defgroup snapshots Snapshots
 *  The whole state of a world as bytes: for rollback, storage and network. @{ */

/* A restored world steps on bit for bit like the saved one, on any machine. A snapshot holds the
 * state that a step depends on, the numbers of the definition and the events of the last step.
 * Callbacks and the allocator are not part of it. Ids stay valid after a restore, including ids
 * of objects destroyed since the snapshot. The bytes are little-endian, with a version and a
 * hash. */

/// Options of a snapshot, or-ed together.
enum {
    /// Pixels of all masks, for a restore in another world; without them the snapshot only
    /// identifies its masks
    PV_SNAPSHOT_PIXELS = 1
};

/// Writes a snapshot of a world. Without PV_SNAPSHOT_PIXELS the world keeps a reference to every
/// mask in the snapshot. pv_world_discard_snapshots() releases these references. Pointers in
/// user_data are written unchanged.
/// @param world unchanged except for the references
/// @param flags some of PV_SNAPSHOT_
/// @param buffer destination, owned by the caller, of capacity bytes; null only gets the size
/// @param size gets the number of bytes used or needed; may be null with a buffer
/// @return PV_ERROR_TOO_LARGE if capacity is too small, with the buffer overwritten;
/// PV_ERROR_ARGUMENT, PV_ERROR_MEMORY or PV_ERROR_BUSY
PV_API pv_status pv_world_save(pv_world *world, unsigned flags, void *buffer, size_t capacity,
                               size_t *size);

/// Restores the state of a snapshot. A snapshot with pixels fits any world. Without pixels it must
/// come from this world, or from one that saved the same masks in the same order. Memory for the
/// new state is allocated before the old state is freed.
/// @param world changed as a whole or not at all
/// @param buffer bytes written by pv_world_save()
/// @return PV_ERROR_FORMAT for other bytes and for masks that were discarded or differ;
/// PV_ERROR_MEMORY, PV_ERROR_BUSY or PV_ERROR_ARGUMENT
PV_API pv_status pv_world_restore(pv_world *world, const void *buffer, size_t size);

/// Writes the differences from an earlier snapshot, which pv_world_restore_changes() needs as well.
/// The base need not be the last snapshot. The pixels of masks are included if the base has them.
/// It takes about as long as pv_world_save(), but a world at rest needs far fewer bytes. It keeps
/// references as pv_world_save() does.
/// @param world unchanged except for the references
/// @param base bytes written by pv_world_save(), of base_size bytes, kept by the caller; a base of
/// another world is valid but saves little
/// @param buffer destination, owned by the caller, of capacity bytes; it must not overlap the base
/// @param size null, or gets the number of bytes used or needed
/// @return PV_ERROR_TOO_LARGE if capacity is too small, with the buffer overwritten;
/// PV_ERROR_FORMAT for a base that is no snapshot; PV_ERROR_ARGUMENT, PV_ERROR_MEMORY or
/// PV_ERROR_BUSY
PV_API pv_status pv_world_save_changes(pv_world *world, const void *base, size_t base_size,
                                       void *buffer, size_t capacity, size_t *size);

/// Restores the state of a base and its changes, with the same result as a whole snapshot of that
/// state. The rules of pv_world_restore() hold.
/// @param world changed as a whole or not at all
/// @param base exactly the bytes that pv_world_save_changes() got
/// @param changes bytes written by pv_world_save_changes(), of changes_size bytes
/// @return PV_ERROR_FORMAT for another base, for other bytes, and for masks that were discarded or
/// differ; PV_ERROR_MEMORY, PV_ERROR_BUSY or PV_ERROR_ARGUMENT
PV_API pv_status pv_world_restore_changes(pv_world *world, const void *base, size_t base_size,
                                          const void *changes, size_t changes_size);

/// Releases all masks that only snapshots hold. Earlier snapshots without pixels that contain them
/// can no longer be restored.
/// @return PV_ERROR_ARGUMENT for a null world, or PV_ERROR_BUSY
PV_API pv_status pv_world_discard_snapshots(pv_world *world);

/** @} */

/** @defgroup world_queries World queries
 *  Exact-pixel queries at a point, in a shape or along a path. @{ */

/* Queries use the present transforms of bodies, as pv_body_get_transform() returns them, awake
 * or asleep. They use pixels and ignore a body's collider. Queries only read the world and
 * allocate no memory. Any number of threads may query between two steps while no thread changes
 * the world. A query looks only at bodies near the place or path, and at pixels where bounds
 * overlap. In a callback of a step it looks at all bodies. Results come in a fixed order, the
 * same on every machine.
 *
 * Each query copies the first capacity results and returns the number of all results. A null
 * array and a negative capacity count as capacity 0. The result for a null world is 0. Invalid
 * arguments give 0 with nothing written, and call the world's report hook. The hook gets
 * PV_ERROR_NOT_FINITE for numbers that are not finite. It gets PV_ERROR_ARGUMENT for places
 * beyond PV_MAX_COORDINATE and other values out of range.
 *
 * Polygons come after all sprites. Rays and points test their outlines as they are. All other
 * queries test the pixels of the outline at creation, moved and turned; a polygon in a box of more
 * than 2^24 px has none. */

/// A filter of the bodies in a query. Null stands for all bodies except sensors. Disabled bodies
/// are never found.
typedef struct pv_query_filter {
    /// Categories of bodies to find, as bits; 0 finds nothing
    uint32_t mask_bits;
    /// Callback that tells whether a body counts, or null. A query asks at most once for each body,
    /// in slot order. It asks about bodies whose category and bounds match, before it looks at
    /// their pixels. The callback runs in the thread of the query. It may read the world; a change
    /// returns PV_ERROR_BUSY.
    bool (*accept)(void *user_data, pv_body_id body);
    /// Argument of accept
    void *user_data;
    /// Inclusion of sensors
    bool include_sensors;
} pv_query_filter;

/// Finds the bodies with a solid pixel under a point, in slot order. The test is
/// pv_placed_test_point().
/// @param point [px]
/// @param filter null for all bodies except sensors
/// @param bodies destination; may be null if capacity is 0
/// @param capacity size of the array, in ids
/// @return the number of all bodies found, which may exceed capacity
PV_API int pv_world_query_point(const pv_world *world, pv_vec2 point, const pv_query_filter *filter,
                                pv_body_id *bodies, int capacity);

/// Finds the bodies with a solid pixel in an upright box. A pixel that only shares an edge with it
/// does not count. The rest is as in pv_world_query_point().
/// @param box [px]; max < min is out of range, and a box without area overlaps nothing
PV_API int pv_world_query_box(const pv_world *world, pv_box box, const pv_query_filter *filter,
                              pv_body_id *bodies, int capacity);

/// Finds the bodies with a solid pixel in a circle. A pixel that only touches it does not count.
/// The rest is as in pv_world_query_point().
/// @param radius 0...PV_MAX_COORDINATE [px]; 0 overlaps nothing
PV_API int pv_world_query_circle(const pv_world *world, pv_vec2 center, double radius,
                                 const pv_query_filter *filter, pv_body_id *bodies, int capacity);

/// Finds the bodies that share a pixel of the world with a placed mask. The test is
/// pv_placed_test_overlap(); the rest is as in pv_world_query_point().
/// @param placed borrowed for the call; pv_placed tells which values are valid
PV_API int pv_world_query_mask(const pv_world *world, const pv_placed *placed,
                               const pv_query_filter *filter, pv_body_id *bodies, int capacity);

/// Selections among the bodies on the path of a cast.
typedef enum pv_cast_mode {
    /// Body hit first; the one of the lowest slot if several are hit at once
    PV_CAST_CLOSEST = 0,
    /// Body of the lowest slot anywhere on the path; the fastest test for an obstacle
    PV_CAST_ANY,
    /// All bodies in order of their fractions; in slot order for equal fractions
    PV_CAST_ALL
} pv_cast_mode;

/// A body hit on the path of a cast.
typedef struct pv_cast_hit {
    /// The body hit
    pv_body_id body;
    /// Fraction of the path, 0...1
    double fraction;
    /// Hit point in the world [px]
    pv_vec2 point;
    /// Surface normal out of the body, of length 1; (0, 0) for a ray that starts inside
    pv_vec2 normal;
} pv_cast_hit;

/// Casts a ray along a segment and finds the bodies hit. The test is pv_placed_cast_segment(), and
/// normals belong to the pixels' edges. A body that contains the start has fraction 0, the point
/// from and the normal (0, 0). A body counts once even if the ray enters it again.
/// @param from,to [px]; equal points test as pv_world_query_point() does
/// @param cast selection; PV_CAST_CLOSEST and PV_CAST_ANY give one hit at most
/// @param filter null for all bodies except sensors
/// @param hits destination; may be null if capacity is 0
/// @param capacity size of the array, in hits
/// @return the number of all hits, which may exceed capacity
PV_API int pv_world_cast_ray(const pv_world *world, pv_vec2 from, pv_vec2 to, pv_cast_mode cast,
                             const pv_query_filter *filter, pv_cast_hit *hits, int capacity);

/// Casts a moving mask and finds the bodies hit, using exact bitmaps. The test is pv_swept_cast(),
/// with its limits. The fraction is that of the last free pose, which pv_swept_get_transform()
/// gives. Point and normal belong to the pixels shared at the touch. No point of the rim moves more
/// than 1/64 px between the two poses. A body that overlaps from the start has fraction 0. For an
/// ambiguous normal the allocator of the body's mask may be used, as in
/// pv_placed_compute_overlap().
/// @param moving borrowed for the call; pv_swept_cast() tells which values are refused
/// @return as pv_world_cast_ray()
PV_API int pv_world_cast_mask(const pv_world *world, const pv_swept *moving, pv_cast_mode cast,
                              const pv_query_filter *filter, pv_cast_hit *hits, int capacity);

/** @} */

/** @defgroup debug Debug
 *  Debug drawing for any renderer that can draw lines. pv_world_get_stats() and
 *  pv_world_get_profile() give counts and times. @{ */

/// Parts that pv_world_debug_draw() shows, or-ed together.
enum {
    /// Solid pixels of bodies, in colors for type, sleep and sensors
    PV_DEBUG_MASKS = 1,
    /// Contours that bodies collide with, including colliders; in a world of pixel contacts the
    /// pixels' edges
    PV_DEBUG_CONTOURS = 2,
    /// Contacts: a circle at the point and a line along the normal
    PV_DEBUG_NORMALS = 4,
    /// Bounds of bodies
    PV_DEBUG_BOUNDS = 8,
    /// Joints from anchor to anchor, in a color for each type. Circles mark the anchors, except
    /// those of distance joints, ropes and struts.
    PV_DEBUG_JOINTS = 16,
    /// Masks, those of sleeping bodies in a color for each island
    PV_DEBUG_ISLANDS = 32,
    /// Particles as circles; pinned ones are red
    PV_DEBUG_PARTICLES = 64,
    /// Edges of polygons
    PV_DEBUG_POLYGONS = 128,
    PV_DEBUG_ALL = 255
};

/// A set of drawing callbacks. pv_debug_draw_default() returns one. A null callback leaves out its
/// part. Coordinates are the world's [px]. Colors are 0xRRGGBBAA, not premultiplied.
typedef struct pv_debug_draw {
    /// Argument of the callbacks
    void *user_data;
    /// Line from one point to another
    void (*line)(void *user_data, pv_vec2 from, pv_vec2 to, pv_color color);
    /// Circle; its radius may be 0 [px]
    void (*circle)(void *user_data, pv_vec2 center, double radius, pv_color color);
    /// Mask at a transform, both borrowed for the call
    void (*mask)(void *user_data, const pv_mask *mask, const pv_transform *transform,
                 pv_color color);
    /// Length of the lines along normals, >= 0; default 18 [px]
    double normal_length;
    /// Radius of the circles that mark points, >= 0; default 2 [px]
    double point_radius;
    /// Mark set by pv_debug_draw_default()
    unsigned cookie;
} pv_debug_draw;

/// Returns the default sizes for debug drawing, without callbacks.
PV_API pv_debug_draw pv_debug_draw_default(void);

/// Draws a world with the caller's callbacks. Bodies come first in slot order, each with its mask,
/// contour and bounds. Polygons, joints and particles follow in slot order, then contacts in order
/// of the pairs. The callbacks may read the world; a change returns PV_ERROR_BUSY.
/// @param flags some of PV_DEBUG_
/// @return PV_ERROR_ARGUMENT for a null pointer, unknown flags and lengths out of range, or
/// PV_ERROR_NOT_FINITE, with nothing drawn; PV_ERROR_MEMORY if contacts or edges of pixels are
/// missing, with all else drawn
PV_API pv_status pv_world_debug_draw(const pv_world *world, const pv_debug_draw *draw,
                                     unsigned flags);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
