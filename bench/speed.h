/* speed.h - measurements of the benchmarks, and rows of their table.
 *
 * Invariant: compared figures are measured in turns in one run; each is a median of REPEATS.
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

/// Figure of the table; members with 0 or null are absent
typedef struct row {
    const char *name, *unit;
    double value;
    double goal;
    /// Value of another library, in the same unit
    double peer;
    const char *peer_name;
} row;

/// Prints a row as a line of the table or as an object of JSON.
void report(const row *r);

/// Tells whether rows with a prefix are selected.
bool wanted(const char *name);

/// True if films have few runs
extern bool quick;

/// True once a step took longer than its limit, which fails the program
extern bool too_slow;

/// Function that repeats a measured operation
typedef void (*run_fn)(void *state, long repeats);

/// Subject of a measurement
typedef struct subject {
    run_fn run;
    void *state;
    /// Kernel forced for its rounds; null: any
    const char *kernel;
} subject;

/// Sorts the values; returns the one below which a given part of them lies.
double quantile(double *values, int count, double part);

/// Sorts the values and returns their median.
double median(double *values, int count);

/// Measures the nanoseconds per call of each subject: medians of rounds of about a millisecond,
/// taken in turns.
void measure(const subject *subjects, int count, double nanoseconds[]);

/// Returns the processor time of this thread, which excludes other programs [s].
double processor_time(void);

/// Returns the seconds of a clock that never goes back.
double now(void);

/// Kernel that was in use at the start
extern const char *chosen_kernel;

/// Sum of results, so that no call is optimized away
extern volatile int64_t sink;

/* Sections of the table */
void speed_masks(void);
void speed_bodies(void);
void speed_moving(void);
void speed_matter(void);
void speed_carve(void);
void speed_grains(void);
void speed_worst(void);
void speed_threads(void);
void speed_scale(void);

/// Opens a world in which grains rain on hills, among turning wheels.
pv_world *open_rain(int count, int wheels, bool piles);

/// Part of the masks' section about run lengths
void speed_runs(void);

/// Part of the bodies' section about many bodies
void speed_growth(void);

/// Parts of the scale section: creation and destruction of bodies, and tiles of terrain
void speed_churn(void);
void speed_tiles(void);

/// Parts of the moving section: bodies at rest, and memory
void speed_still(void);
void speed_memory(void);

/* Bodies. */

enum { MOST_PIECES = 7, MOST_CORNERS = 8 };

/// Constants of all scenes; 32 px are a meter
#define STEP (1 / 60.0)
#define GRAVITY 320.0
#define FRICTION 0.6

/// Outline of a sprite: a disc, or convex pieces, in pixels of the picture
typedef struct outline {
    /// Mask, solid where a pixel's center is inside
    pv_mask *mask;
    /// Radius of a disc that fills the picture; 0: pieces
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
/// Returns a star of five points: a pentagon and five triangles.
outline outline_star(int size);
/// Returns a ring of seven pieces with a gap at its right.
outline outline_letter_c(int size);
void outline_free(outline *o);

/// Opens a world for a scene; exits if memory runs out.
pv_world *open_world(bool sleeping);
/// Creates a body whose user data is its outline, which must outlive it; exits if memory runs out.
pv_body_id put(pv_world *world, pv_body_type type, const outline *o, double x, double y,
               double angle);

/// Measures each subject's processor time per step [ms]: medians of rounds of steps, taken in turns
/// while the time lasts [s].
void measure_steps(const subject *subjects, const long steps[], int count, double time,
                   double milliseconds[]);

/* Peers, in nanoseconds; 0 if they are missing */

/// Measures SDL2_gfx, which rotates a picture of size x size by 30 degrees.
double gfx_rotate(int size);

/// Returns the time of pygame's masks for an operation of the table.
double pygame_time(const char *operation, int size);

#endif
