/* speed_scenes.h - worlds for comparisons with a rival, and actions on both sides.
 *
 * Invariant: a scene stays at its address, since its bodies and sides point into it.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SPEED_SCENES_H
#define SPEED_SCENES_H

#include "speed_layout.h"

typedef struct scene scene;
typedef pv_vec2 (*by_place)(const scene *s, pv_vec2 at);

/// Line from one point to another
typedef struct segment {
    pv_vec2 from, to;
} segment;

/* The rival: another engine behind these functions. speed_chipmunk.c has Chipmunk's. */

typedef struct rival rival;

extern const char *const rival_name;

/// Opens the rival's world; null if there is no rival.
rival *rival_open(void);
/// Creates a body of the outline that is the def's user data.
void rival_put(rival *r, const pv_body_def *def);
void rival_step(void *r, pv_vec2 gravity);
/// Sets each dynamic body's velocity as a function of its position.
void rival_drive(rival *r, by_place velocity, const scene *s);
/// Moves each sensor to a position that depends on its own.
void rival_shift(rival *r, by_place position, const scene *s);
/// Counts the segments that hit a body.
int rival_cast(const rival *r, const segment *segments, int count);
/// Moves all sprites to the places of the bodies, in order of creation.
void rival_place(const void *r, pv_placed *sprites, int count);
void rival_close(rival *r);

/* Scenes */

/// Steps in which gravity turns once, and steps of a round
enum { TURN = 240, STEPS = 8 };

/// One of the two worlds compared, and its functions
typedef struct side {
    void *world;
    void (*step)(void *world, pv_vec2 gravity);
    /// Moves all sprites to the places of the bodies, in order of creation
    void (*place)(const void *world, pv_placed *sprites, int count);
    /// Action of the game before each step, or null
    void (*act)(struct side *side);
    /// Scene of the side
    const scene *scene;
    double gravity;
    /// True if gravity turns
    bool stirred;
    /// Number of steps since it was opened or stirred
    long steps;
} side;

void run_side(void *side, long steps);
/// Starts to turn gravity.
void begin_to_stir(side *s);
/// Sets the velocity of each dynamic body of the library's side from its place.
void drive_ours(side *s, by_place velocity);
/// Takes a number of steps, or fewer if the time runs out [s].
void settle(side *s, int steps, double time);

/// Two worlds of the same bodies, and the scene's own outlines
struct scene {
    /// Sides; the peer's world is null without a rival
    side ours, peer;
    int width, height;
    outline parts[2];
};

/* Films */

/// Scene that is filmed from its start, in runs with different seeds. Goals are shares of the
/// rival's times.
typedef struct film {
    heap heap;
    void (*open)(scene *s, const struct film *f);
    /// Actions of the library's side and of the rival's before each step, or null
    void (*act[2])(side *side);
    /// Steps before the film, and frames of a run
    int settle, frames;
    /// Runs with the rival, in scenes where it is slow; 0: all
    int rival_runs;
    /// True if gravity turns, once in TURN frames
    bool stirred;
    /// Lids of alternate runs
    double lids[2];
    /// Goal of the mean and of the 95th percentile, and of the worst frame of a run, 0: no such row
    double goal, worst_goal;
    /// Goal of the depth [px], 0: no such row
    double depth_goal;
    /// Bullets besides the heap
    const outline *bullet;
    int bullets;
} film;

/// Reports the times of a step and the depths of both sides.
void film_measure(const film *f);
/// Opens the library's side with the heap of a film.
void film_open_heap(scene *s, const film *f);

/// Kind of a sprite in a scene, for measuring its depth
typedef struct solid_kind {
    const outline *outline;
    bool moves;
} solid_kind;

/// Returns the greatest depth of a moving sprite in another, from geometry alone [px].
double worst_depth(const pv_placed *sprites, const solid_kind *kinds, int count);

/* Parts of the moving section */

/// Films bullets and rays among bodies of given kinds.
void speed_shooter(const outline *kinds[MOST_KINDS]);
/// Films bullets that fly through drifting bodies.
void measure_bullets(const char *name, double goal, const outline *kinds[MOST_KINDS], int bodies,
                     int bullets);

/// Opens the library's side with a world that the scene then owns.
void open_scene(scene *s, pv_world *world);
/// Opens the library's side: a heap in its box.
void open_heap(scene *s, const heap *h);
/// Opens the library's side: boxes of 32 px on the ground, shifted by a seed.
void open_pyramid(scene *s, int base, int seed);
/// Opens the rival's side as a copy of the library's state.
void open_peer(scene *s);
void close_scene(scene *s);
/// Prints how many bodies have left the box, since those cost nothing.
void check_box(const scene *s);
/// Reports a step of both sides; the goal is a share of the rival's time.
void compare(const char *name, double goal, scene *s);
/// Reports a step, a save and a save of the changes since an earlier step, and their bytes.
void report_changes(const char *name, side *ours);

#endif
