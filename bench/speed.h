/* speed.h - how the benchmarks measure and what a row of their table is.
 *
 * Invariant: figures that are compared come from one run, taken in turns, each the median of
 * REPEATS.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SPEED_H
#define SPEED_H

#include <pixverlet.h>
#include <stdbool.h>
#include <stdint.h>

/// Sets restitution, static and kinetic friction of a body.
static inline void set_surface(pv_world *world, pv_body_id body, double restitution,
                               double static_friction, double friction) {
    pv_body_set_restitution(world, body, restitution);
    pv_body_set_friction(world, body, friction);
    pv_body_set_static_friction(world, body, static_friction);
}

enum { REPEATS = 31, MOST_SUBJECTS = 8 };

/// One figure. What is 0 or null is absent.
typedef struct row {
    const char *name, *unit;
    double value;
    double goal;
    /// The same of somebody else's library, in the same unit
    double peer;
    const char *peer_name;
} row;

/// Prints a row as a line of the table or as an object of JSON.
void report(const row *r);

/// Tells whether a row is asked for whose name begins so.
bool wanted(const char *name);

/// Set where a step takes longer than it may: the program fails then.
extern bool too_slow;

/// Calls what is measured repeats times.
typedef void (*run_fn)(void *state, long repeats);

/// What is measured.
typedef struct subject {
    run_fn run;
    void *state;
    /// Forced for its rounds; null: any
    const char *kernel;
} subject;

/// Median of values, which it sorts.
double median(double *values, int count);

/// Nanoseconds per call of each subject: medians of rounds taken in turns, each of about a
/// millisecond.
void measure(const subject *subjects, int count, double nanoseconds[]);

/// Of this thread: what else runs on the machine does not count [s].
double processor_time(void);

/// Seconds on a clock that never goes back.
double now(void);

/// The kernel that was in use at the start.
extern const char *chosen_kernel;

/// Whatever results have to be used is added here.
extern volatile int64_t sink;

/* One section each. */
void speed_masks(void);
void speed_bodies(void);
void speed_moving(void);
void speed_matter(void);
void speed_carve(void);
void speed_worst(void);

/// The part of the masks' section that is about run lengths.
void speed_runs(void);

/// The part of the bodies' section that is about many of them.
void speed_growth(void);

/// Parts of the moving section: what is at rest, and memory.
void speed_still(void);
void speed_memory(void);

/* Bodies. */

enum { MOST_PIECES = 7, MOST_CORNERS = 8 };

/// What all scenes share: 32 px are a metre.
#define STEP (1 / 60.0)
#define GRAVITY 320.0
#define FRICTION 0.6

/// What a sprite is drawn from: a disc, or convex pieces; in pixels of the picture.
typedef struct outline {
    /// Solid where a pixel's center is inside
    pv_mask *mask;
    /// Of a disc that fills the picture; 0: pieces
    double radius;
    int pieces;
    struct {
        int corners;
        pv_vec2 corner[MOST_CORNERS];
    } piece[MOST_PIECES];
} outline;

outline outline_disc(int diameter);
outline outline_box(int width, int height);
outline outline_octagon(int size);
/// Five points: a pentagon and five triangles.
outline outline_star(int size);
/// A ring of seven pieces with a gap at its right.
outline outline_letter_c(int size);
void outline_free(outline *o);

/// A world as all scenes have it; ends the program without memory.
pv_world *open_world(bool sleeping);
/// Puts a body whose user data is its outline, which must outlive it; ends the program without
/// memory.
pv_body_id put(pv_world *world, pv_body_type type, const outline *o, double x, double y,
               double angle);

/// Milliseconds of processor time per step of each subject: medians of rounds of so many steps
/// each, taken in turns while the time lasts [s].
void measure_steps(const subject *subjects, const long steps[], int count, double time,
                   double milliseconds[]);

/* Peers: nanoseconds, or 0 where they are not there. */

/// SDL2_gfx turns a picture of size x size by 30 degrees.
double gfx_rotate(int size);

/// Returns what pygame's masks take for an operation of the table.
double pygame_time(const char *operation, int size);

#endif
