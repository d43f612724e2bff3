/* pixverlet/world.h - worlds: steps, callbacks, contacts, events, snapshots, queries and debug
 * drawing.
 *
 * Invariant: a refused call changes nothing; arrays come in an order that is the same on every
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

/// A world; owns all that is created in it.
typedef struct pv_world pv_world;

/** @defgroup clock Clock
 *  Turns the uneven frames of a game into equal steps. @{ */

/// An accumulator of time. Fill in step and max_steps; leave the rest 0.
typedef struct pv_clock {
    /// Length of a step [s], > 0
    double step;
    /// Steps due at once at most; what is beyond is dropped, so a hiccup stays one
    int max_steps;
    /// Time not yet stepped, in [0, step) [s]; rest / step is the fraction to draw ahead
    double accumulator;
} pv_clock;

/// Adds the time since the last call and says how many steps are due.
/// @param clock null gives 0
/// @param elapsed [s]; negative or not finite counts as 0
PV_API int pv_clock_advance(pv_clock *clock, double elapsed);

/** @} */

/** @defgroup contacts Contacts
 *  Filters, and touching pairs. @{ */

/// Who meets whom: two bodies of the same group other than 0 do if it is positive and do not if it
/// is negative; all others do when each is of a category that the other's mask has.
typedef struct pv_filter {
    /// Bits: what it is, default 1; whom it meets, default 0xffffffff
    uint32_t category_bits, mask_bits;
    /// Default 0
    int32_t group_index;
} pv_filter;

/// A touching pair after the last step. What bounces off within a step does not touch after it, and
/// what rests does in every step, until it is more than 0.1 px away: so a ground test does not
/// flicker.
typedef struct pv_contact {
    /// A comes before b in order
    pv_body_id a, b;
    /// In the world [px]
    pv_vec2 point;
    /// From a to b, of length 1
    pv_vec2 normal;
    /// Along the normal in the last substep [mass px/s], >= 0
    double impulse;
    /// Pixels that overlapped when it was found
    int64_t overlap_area;
} pv_contact;

/** @} */

/** @defgroup world World
 *  Bodies that move and touch.
 *
 * A world is busy while pv_world_step() moves it, while a query asks about its bodies by
 * pv_query_filter's accept, while pv_split_fn is told of a part and while pv_world_debug_draw()
 * shows it. In the callbacks of these it can be asked, but not be changed: whatever takes a
 * pv_world that is not const is refused with PV_ERROR_BUSY before anything else is looked at,
 * and pv_world_destroy() does nothing. Other worlds can be
 * changed. This holds in the thread of the callback; no other thread may change the world either,
 * but nothing stops it. A report hook may ask the world, not change it; an allocator may do
 * neither, and nothing stops it. Callbacks must return: no longjmp(), no exception. @{ */

/// How a property of two touching bodies becomes one of the pair.
typedef enum pv_mix {
    /// (a + b) / 2, Cheng (2003) section 4.2
    PV_MIX_AVERAGE = 0,
    /// sqrt(a * b): 0 wins
    PV_MIX_GEOMETRIC
} pv_mix;

/// What makes contacts out of pixels.
typedef enum pv_contact_mode {
    /// Collision bitmaps, Cheng (2003): what shares a pixel touches, nothing ever shares one
    PV_CONTACT_MODE_PIXELS = 0,
    /// Sub-pixel contours and distance fields made of the pixels once per mask
    PV_CONTACT_MODE_CONTOURS
} pv_contact_mode;

/// A refused call on a world: which function and why. Called in the thread of the call, for
/// debugging.
typedef void (*pv_report_fn)(void *user_data, const char *function, pv_status status);

/// Whether two bodies meet whose boxes do and whose filters agree. Asked in each step for each such
/// pair of which one is awake, or one a sensor, maybe more than once, in the thread of the step;
/// and by pv_mover_move(). It may ask the world, not change it: PV_ERROR_BUSY. What two runs are to
/// repeat must not depend on anything else than the world and user.
typedef bool (*pv_filter_fn)(void *user_data, const pv_world *world, pv_body_id a, pv_body_id b);

/// What becomes of a contact.
typedef enum pv_presolve_result {
    /// It presses, by what the contact says
    PV_PRESOLVE_COLLIDE = 0,
    /// The two go through each other in this step
    PV_PRESOLVE_IGNORE,
    /// And until they touch no more: whoever came in from below is not caught half-way
    PV_PRESOLVE_IGNORE_UNTIL_SEPARATED
} pv_presolve_result;

/// Two bodies that are about to touch, or do. Restitution and what follows may be changed and hold
/// for this step.
typedef struct pv_presolve_contact {
    /// A comes before b in order
    pv_body_id a, b;
    /// Where they come together [px]
    pv_vec2 point;
    /// From a to b, of length 1
    pv_vec2 normal;
    /// At which they come together there, < 0 when they part [px/s]
    double speed;
    /// Between them, < 0 when they overlap [px]
    double separation;
    /// They touched already when the last step ended
    bool touching;
    /// Of the pair, 0...1
    double restitution;
    /// Of the pair, 0...1e6
    double static_friction, friction;
    /// At which their surfaces run past each other, as that of a body a, |x| <= 1e6 [px/s]
    double tangent_speed;
} pv_presolve_contact;

/// Judges a contact before it presses. Asked once a step for each pair that may touch in it, when
/// its contact is found (once a substep by pixels); in the thread of the step and in an order that
/// repeats. Bodies are where the step began, or a part of the step further. Asked by
/// pv_mover_move(), too. It may ask the world, not change it: PV_ERROR_BUSY. Values out of range,
/// and what is no verdict, count as if left alone. What it says of two that sleep holds until they
/// wake.
typedef pv_presolve_result (*pv_presolve_fn)(void *user_data, const pv_world *world,
                                             pv_presolve_contact *approach);

/// A part of a body has fallen off and is a body now: the result is its user_data. Called when all
/// parts of a cut are there, the largest first, by pv_body_carve(), and by pv_world_step() for what
/// broke, when all else of the step is over. The parent's name is stale when nothing is left of it.
/// It may ask the world, not change it: PV_ERROR_BUSY.
typedef void *(*pv_split_fn)(void *user_data, const pv_world *world, pv_body_id parent,
                             pv_body_id child);

/// What a world is made of. Get one from pv_world_def_default().
typedef struct pv_world_def {
    /// [px/s^2]; default (0, 320)
    pv_vec2 gravity;
    /// Default contour
    pv_contact_mode contact_mode;
    /// Per 1/60 s by contours, per step by pixels, 1...64; default 0: 16 by contours, 4 by pixels
    int substeps;
    /// Impulse rounds per substep by pixels, 1...64; default 16
    int contact_iterations;
    /// Rounds over all constraints per substep, 1...64; default 0: 1 by contours, 4 by pixels
    int joint_iterations;
    /// Time of a step that may go into more rounds; runs do not repeat then; default 0 [s]
    double joint_time_budget;
    /// Default average
    pv_mix restitution_mix;
    /// Default average
    pv_mix friction_mix;
    /// Slower approaches do not bounce [px/s]; default 16
    double restitution_threshold;
    /// Faster approaches are told of as hits, >= 0; default 50 [px/s]
    double hit_event_threshold;
    /// Who leaves it is told of; default: empty, none [px]
    pv_box bounds;
    /// Whether resting islands fall asleep; default true
    bool enable_sleep;
    /// Null, or asked who meets whom
    pv_filter_fn filter_callback;
    /// Handed to filter
    void *filter_user_data;
    /// Null, or asked about contacts
    pv_presolve_fn presolve_callback;
    /// Handed to presolve
    void *presolve_user_data;
    /// Null: parts get the user_data of what they fell off; or asked what they get
    pv_split_fn split_callback;
    /// Handed to split
    void *split_user_data;
    /// Makes the world and all in it
    pv_allocator allocator;
    /// Null, or called at every refused call
    pv_report_fn report_callback;
    /// Handed to report
    void *report_user_data;
    /// Set by pv_world_def_default()
    unsigned cookie;
} pv_world_def;

/// The defaults named above.
PV_API pv_world_def pv_world_def_default(void);

/// Makes an empty world.
/// @param def null for the defaults
/// @return a world to give to pv_world_destroy(), or null with a status
PV_API pv_world *pv_world_create(const pv_world_def *def, pv_status *status);

/// Frees the world and all in it; null is allowed.
PV_API void pv_world_destroy(pv_world *world);

/// Returns what makes all that is in a world, for those who make more beside it; the C library's
/// for null.
PV_API pv_allocator pv_world_get_allocator(const pv_world *world);

/// Moves the world on by one step.
/// @param dt length of the step, 1e-9...1 [s]; velocities are kept when it changes
/// @return PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE or PV_ERROR_BUSY: nothing happened;
/// PV_ERROR_MEMORY: the step is done, with some contacts or events left out
PV_API pv_status pv_world_step(pv_world *world, double dt);

/// Gravity [px/s^2]; (0, 0) for null.
PV_API pv_vec2 pv_world_get_gravity(const pv_world *world);

/// Changes gravity and wakes everything.
PV_API pv_status pv_world_set_gravity(pv_world *world, pv_vec2 gravity);

/// Asks another callback who meets whom, or none: null. What touches already is asked about as
/// well.
PV_API pv_status pv_world_set_filter_callback(pv_world *world, pv_filter_fn filter,
                                              void *user_data);

/// Asks another callback about contacts, or none: null.
PV_API pv_status pv_world_set_presolve_callback(pv_world *world, pv_presolve_fn presolve,
                                                void *user_data);

/// Asks another callback what parts that fall off get, or none: null.
PV_API pv_status pv_world_set_split_callback(pv_world *world, pv_split_fn split, void *user_data);

/// A digest of every bit of state that the next step depends on; the same on every machine. 0 for
/// null.
PV_API uint64_t pv_world_compute_hash(const pv_world *world);

/// What is in a world.
typedef struct pv_world_stats {
    /// Living bodies of all types
    int bodies;
    /// Dynamic bodies that are awake
    int awake;
    /// Touching pairs of bodies after the last step
    int contacts;
    /// That are there
    int particles, joints, polygons;
} pv_world_stats;

/// Counts; all 0 for null.
PV_API pv_world_stats pv_world_get_stats(const pv_world *world);

/// Where the time of the last step went [s]. By the clock of the system, so not the same twice; the
/// world does not heed it.
typedef struct pv_world_profile {
    /// Boxes, which of them meet, and what is known of those pairs
    double pairs;
    /// Contacts found: contours and fields, or collision bitmaps
    double collide;
    /// Impulses
    double solve;
    /// Bodies moved, and stopped where pixels meet
    double move;
    /// Particles, and all that holds them and is made of them
    double matter;
    /// Islands that rest
    double sleep;
    /// All of the step, with what is none of these
    double total;
} pv_world_profile;

/// The profile of the last step; zeros before the first and for null.
PV_API pv_world_profile pv_world_get_profile(const pv_world *world);

/// Pixels shared by pairs of bodies of which at least one is dynamic and that meet, which those
/// that constraints join may not, and those not that passed each other in the last step, on exact
/// bitmaps; -1 without memory.
PV_API int64_t pv_world_compute_overlap_area(const pv_world *world);

/** @} */

/** @defgroup listing Listing
 *  Objects of a world one by one, and the topmost at a place. @{ */

/// The body after this one in order of creation slots; the first for the null name; the null name
/// at the end.
PV_API pv_body_id pv_world_get_next_body(const pv_world *world, pv_body_id body);

/// The topmost (last in order) body with a solid pixel under a point, or the null name.
PV_API pv_body_id pv_world_pick_body(const pv_world *world, pv_vec2 point);

/// Copies the contacts of the last step out, in order of the pairs.
/// @param contacts where they go; may be null when capacity is 0
/// @param capacity how many there is room for
/// @return how many there are in all
PV_API int pv_world_get_contacts(const pv_world *world, pv_contact *contacts, int capacity);

/// The particle after this one in order of slots; the first for the null name; the null name at the
/// end.
PV_API pv_particle_id pv_world_get_next_particle(const pv_world *world, pv_particle_id particle);

/// The nearest particle within reach of a point, by its center, or the null name.
/// @param reach [px] >= 0; infinity: of all
PV_API pv_particle_id pv_world_pick_particle(const pv_world *world, pv_vec2 point, double reach);

/// The constraint after this one in order of slots; the first for the null name; the null name at
/// the end.
PV_API pv_joint_id pv_world_get_next_joint(const pv_world *world, pv_joint_id constraint);

/// The polygon after this one in order of slots; the first for the null name; the null name at the
/// end.
PV_API pv_polygon_id pv_world_get_next_polygon(const pv_world *world, pv_polygon_id polygon);
/// The last in order that holds a point, or the null name.
PV_API pv_polygon_id pv_world_pick_polygon(const pv_world *world, pv_vec2 point);
/// The thing after this one in order of slots; the first for the null name; the null name at the
/// end.
PV_API pv_composite_id pv_world_get_next_composite(const pv_world *world, pv_composite_id matter);

/** @} */

/** @defgroup events Events
 *  What happened in the last step. @{ */

/// Two bodies that touch since, or no more; a comes before b in order.
typedef struct pv_contact_event {
    /// In order
    pv_body_id a, b;
} pv_contact_event;

/// Two bodies that hit each other: they came together faster than the world's hit_speed.
typedef struct pv_hit_event {
    /// A comes before b in order
    pv_body_id a, b;
    /// On the surface of the heavier one, where it is after the step [px]
    pv_vec2 point;
    /// From a to b, of length 1
    pv_vec2 normal;
    /// At which they came together along the normal [px/s]
    double speed;
    /// Along the normal, of all the step [mass px/s]
    double impulse;
} pv_hit_event;

/// A body that shares a pixel with a sensor since, or no more.
typedef struct pv_sensor_event {
    /// Who has gone may have a stale name
    pv_body_id sensor, visitor;
} pv_sensor_event;

/// A part that fell off a body and is a body of its own.
typedef struct pv_split_event {
    /// Either may be stale by now
    pv_body_id parent, child;
    /// Where the child's pixel (0, 0) was in the parent's picture [px]
    int x, y;
} pv_split_event;

/// A body of which pixels were carved, stamped or lost since the step before: a renderer has to
/// draw that part anew. Of a part that fell off it is the whole picture.
typedef struct pv_dirty_rect {
    /// Alive
    pv_body_id body;
    /// Around all that changed, in its picture [px]
    pv_rect rect;
} pv_dirty_rect;

struct pv_joint_break_event; /* with the constraints */

/// A body that something kinematic presses against what does not give way, so that both are in it.
/// It is told in each step while that lasts and it is awake: a game can break it, kill it or stop
/// the press. It gets hardly faster than what presses.
typedef struct pv_crush {
    /// What is crushed: dynamic
    pv_body_id body;
    /// The kinematic body that presses, itself or by others in between; (0, 0) when it did not in
    /// this step
    pv_body_id by;
    /// Who touches it and is deepest in it
    pv_body_id a;
    /// Who is on the other side; (0, 0) when nobody touches it there
    pv_body_id b;
    /// How deep both are in it, one and the other: what it lacks of room [px]
    double depth;
    /// It was not crushed in the step before
    bool begins;
} pv_crush;

/// What happened, each kind in order of slots. What was destroyed since the step before is told of,
/// too, where something ended by it; its name is stale then.
typedef struct pv_events {
    /// Contacts; what bounced off within the step is in both
    const pv_contact_event *contact_begins, *contact_ends;
    /// Bodies that came together faster than hit_speed
    const pv_hit_event *hits;
    /// Visits, by the exact pixels after the step; what flew through within it is in both
    const pv_sensor_event *sensor_begins, *sensor_ends;
    /// Dynamic and kinematic bodies that fell asleep, or woke, since the step before; all are
    /// awake when they are made, and what slept when it was disabled wakes when it is enabled
    const pv_body_id *sleeps, *wakes;
    /// Dynamic and kinematic bodies of which the box has left the world's bounds
    const pv_body_id *out_of_bounds;
    /// Constraints that broke, in order of slots within each substep; then those let go by carving
    /// since the step before
    const struct pv_joint_break_event *joint_breaks;
    /// Parts that fell off since the step before, the first first
    const pv_split_event *splits;
    /// Pictures that changed since the step before, one a body
    const pv_dirty_rect *dirty_rects;
    /// Bodies that are crushed, by 1 px at least when it begins; by contours only
    const pv_crush *crushes;
    /// Bodies that were crushed in the step before, and are not any more
    const pv_body_id *releases;
    /// How many there are of each
    int contact_begin_count, contact_end_count, hit_count, sensor_begin_count, sensor_end_count,
        sleep_count, wake_count, out_of_bounds_count, joint_break_count, split_count,
        dirty_rect_count, crush_count, release_count;
    /// Number of bodies and particles that were stopped because they would have left the finite
    /// numbers
    int frozen_count;
} pv_events;

/// The events of the last step: the arrays belong to the world and are good until its next step.
/// Without memory some are left out, and the step returns PV_ERROR_MEMORY. All empty for null.
PV_API pv_events pv_world_get_events(const pv_world *world);

/** @} */

/** @defgroup snapshots Snapshots The whole state of a world as bytes: to go back a few steps and
 * step on with other inputs, to store and to send. @{ */

/* A restored world steps on bit for bit as the saved one did, on any machine. Saved is all that a
 * step depends on, with the def's numbers, and the events of the last step; not the callbacks and
 * the allocator. Names stay good, also those of what was destroyed since. Bytes are little-endian,
 * with a version and a digest. */

/// What a snapshot is to hold, or-ed together.
enum {
    /// The masks' pixels, so that it can be restored elsewhere; else only which masks they are
    PV_SNAPSHOT_PIXELS = 1
};

/// Bytes that pv_world_save() will write if nothing changes; 0 when it would refuse.
PV_API size_t pv_world_get_snapshot_size(pv_world *world, unsigned flags);

/// Writes a snapshot. Without pixels the world keeps a reference to every mask that it names, until
/// pv_world_discard_snapshots(). The caller's pointers are written as they are.
/// @param world unchanged but for that
/// @param flags some of PV_SNAPSHOT_
/// @param buffer the caller's, capacity bytes
/// @param size null, or gets how many are used, or would have been
/// @return PV_ERROR_TOO_LARGE when capacity is not enough, with the buffer spoilt;
/// PV_ERROR_ARGUMENT, _MEMORY, _BUSY
PV_API pv_status pv_world_save(pv_world *world, unsigned flags, void *buffer, size_t capacity,
                               size_t *size);

/// Puts a world into the state of a snapshot: one of its own, or of a world that has named the same
/// masks in the same order, or one with pixels of any world. Memory is taken for the new state
/// before that of the old one is given back.
/// @param world changed wholly, or not at all
/// @param buffer what pv_world_save() wrote
/// @return PV_ERROR_FORMAT for anything else, also for masks that were forgotten or are others;
/// PV_ERROR_MEMORY, _BUSY, _ARGUMENT
PV_API pv_status pv_world_restore(pv_world *world, const void *buffer, size_t size);

/// Gives masks back that no body has any more: earlier snapshots without pixels that name them
/// cannot be restored then.
PV_API pv_status pv_world_discard_snapshots(pv_world *world);

/** @} */

/** @defgroup world_queries World queries
 *  Which bodies a place, a shape or a way meets, by their exact pixels. @{ */

/* Bodies are asked where they are now, as pv_body_get_transform() says, whatever moved them there,
 * asleep or awake; what stands in for a body's pixels in contacts does not count. The world is only
 * read and gives no memory, so any number of threads may ask at once between two steps, while none
 * changes the world. A call looks at bodies around the place or the way, however many are
 * elsewhere, but in a callback of a step at all; pixels are looked at where boxes meet. The answers
 * come in a fixed order, the same on every machine.
 *
 * Each copies the first capacity answers out and returns how many there are in all; for want of an
 * array capacity counts as 0, and so does a negative one. For a null world the answer is 0; so it
 * is, with the world's report hook called, for numbers that are not finite (PV_ERROR_NOT_FINITE),
 * places beyond PV_MAX_COORDINATE and what else is out of its range (PV_ERROR_ARGUMENT). Nothing is
 * written then. */

/// Which bodies a query is about; null instead of one: all but sensors. What is disabled is never
/// found.
typedef struct pv_query_filter {
    /// Bodies of which the category shares a bit with it; 0 finds nothing
    uint32_t mask_bits;
    /// Null, or whether a body of such a category counts. Asked once at most in a query, in order
    /// of slots, of bodies whose boxes meet and before their pixels are looked at. Called in the
    /// thread of the query, it may ask the world, not change it: PV_ERROR_BUSY.
    bool (*accept)(void *user_data, pv_body_id body);
    /// Handed to accept
    void *user_data;
    /// Sensors count, too
    bool include_sensors;
} pv_query_filter;

/// The bodies with a solid pixel under a point, in order of slots: pv_placed_test_point().
/// @param point [px]
/// @param filter null for all bodies
/// @param bodies where they go; may be null when capacity is 0
/// @param capacity how many there is room for
/// @return how many there are in all
PV_API int pv_world_query_point(const pv_world *world, pv_vec2 point, const pv_query_filter *filter,
                                pv_body_id *bodies, int capacity);

/// The bodies with a solid pixel in an upright box: pv_placed_test_box(); else as
/// pv_world_query_point().
/// @param box [px]; max < min is out of range, and one without an area meets nothing
PV_API int pv_world_query_box(const pv_world *world, pv_box box, const pv_query_filter *filter,
                              pv_body_id *bodies, int capacity);

/// The bodies with a solid pixel in a disc: pv_placed_test_circle(); else as
/// pv_world_query_point().
/// @param radius [px] 0...PV_MAX_COORDINATE; 0 meets nothing
PV_API int pv_world_query_circle(const pv_world *world, pv_vec2 center, double radius,
                                 const pv_query_filter *filter, pv_body_id *bodies, int capacity);

/// The bodies that share a pixel of the world with a placed mask: pv_placed_test_overlap(); else as
/// pv_world_query_point().
/// @param placed borrowed for the call; refused as by pv_placed_check()
PV_API int pv_world_query_mask(const pv_world *world, const pv_placed *placed,
                               const pv_query_filter *filter, pv_body_id *bodies, int capacity);

/// Which of the bodies on a way are wanted.
typedef enum pv_cast_mode {
    /// The first on the way; of several at once that of the lowest slot
    PV_CAST_CLOSEST = 0,
    /// The one of the lowest slot, wherever on the way: whether there is one, sooner known
    PV_CAST_ANY,
    /// All, the first on the way first, and in order of slots those at the same fraction
    PV_CAST_ALL
} pv_cast_mode;

/// A body on a way.
typedef struct pv_cast_hit {
    /// Who is met
    pv_body_id body;
    /// Of the way, 0...1
    double fraction;
    /// In the world [px]
    pv_vec2 point;
    /// Out of the body, of length 1; (0, 0) for a ray that starts inside
    pv_vec2 normal;
} pv_cast_hit;

/// The bodies that a straight way meets: pv_placed_cast_segment(). Normals are those of the pixels'
/// edges; for a body in which the way starts the fraction is 0, the point from and the normal (0,
/// 0). Bodies that it leaves and enters again count once.
/// @param from,to [px]; may be equal: then as pv_world_query_point()
/// @param cast which of them; by closest and any there is one at most
/// @param filter null for all bodies
/// @param hits where they go; may be null when capacity is 0
/// @param capacity how many there is room for
/// @return how many there are in all
PV_API int pv_world_cast_ray(const pv_world *world, pv_vec2 from, pv_vec2 to, pv_cast_mode cast,
                             const pv_query_filter *filter, pv_cast_hit *hits, int capacity);

/// The bodies that a mask meets on its way, on exact bitmaps: pv_swept_cast(), with its limits. The
/// fraction is the last pose that is free, and there pv_swept_get_transform() puts the mask; point
/// and normal are those of the pixels shared at the touch, no rim having moved more than 1/64 px
/// since. A body that it overlaps from the start has fraction 0. Where the shared pixels leave the
/// normal open, the allocator of the body's mask may be asked for memory, as
/// pv_placed_compute_overlap() does.
/// @param moving borrowed for the call; refused as by pv_swept_cast()
/// @return as pv_world_cast_ray()
PV_API int pv_world_cast_mask(const pv_world *world, const pv_swept *moving, pv_cast_mode cast,
                              const pv_query_filter *filter, pv_cast_hit *hits, int capacity);

/** @} */

/** @defgroup debug Debug What is in a world, shown by any renderer that can draw lines. Counts and
 * times: pv_world_get_stats(), pv_world_get_profile(). @{ */

/// What pv_world_debug_draw() shows, or-ed together.
enum {
    /// Solid pixels of bodies, colored by what moves them and whether they sleep, and sensors
    PV_DEBUG_MASKS = 1,
    /// What they press with, also of stand-ins; in a world of pixels the pixels' edges
    PV_DEBUG_CONTOURS = 2,
    /// Contacts: a disc at the point, a line along the normal
    PV_DEBUG_NORMALS = 4,
    /// Of bodies
    PV_DEBUG_BOUNDS = 8,
    /// From anchor to anchor, colored by kind; discs at the anchors of joints
    PV_DEBUG_JOINTS = 16,
    /// Masks as well, those of sleepers colored by the island that they sleep in
    PV_DEBUG_ISLANDS = 32,
    /// Discs; pinned ones red
    PV_DEBUG_PARTICLES = 64,
    /// Their edges
    PV_DEBUG_POLYGONS = 128,
    PV_DEBUG_ALL = 255
};

/// Who draws. Get one from pv_debug_draw_default(). Callbacks may be null: what needs them is left
/// out. Places are the world's [px], colors 0xRRGGBBAA, not premultiplied.
typedef struct pv_debug_draw {
    /// Handed to the callbacks
    void *user_data;
    /// From one point to another
    void (*line)(void *user_data, pv_vec2 from, pv_vec2 to, uint32_t color);
    /// Radius [px], may be 0
    void (*circle)(void *user_data, pv_vec2 center, double radius, uint32_t color);
    /// Mask and transform are borrowed for the call
    void (*mask)(void *user_data, const pv_mask *mask, const pv_transform *transform,
                 uint32_t color);
    /// Of the lines along normals, >= 0; default 18 [px]
    double normal_length;
    /// Of discs that mark a point, >= 0; default 2 [px]
    double point_radius;
    /// Set by pv_debug_draw_default()
    unsigned cookie;
} pv_debug_draw;

/// The defaults named above, without callbacks.
PV_API pv_debug_draw pv_debug_draw_default(void);

/// Shows a world: bodies in order of their slots, each its mask, contour and box; then polygons,
/// constraints and particles in order of theirs; then contacts in order of the pairs. The callbacks
/// may ask the world, not change it: PV_ERROR_BUSY.
/// @param flags some of PV_DEBUG_
/// @return PV_ERROR_ARGUMENT for a null pointer, unknown flags and lengths out of range,
/// PV_ERROR_NOT_FINITE, with nothing drawn; PV_ERROR_MEMORY when contacts or edges of pixels were
/// left out for lack of it, with all else drawn
PV_API pv_status pv_world_debug_draw(const pv_world *world, const pv_debug_draw *draw,
                                     unsigned flags);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
