/* speed_scenes.h - worlds for comparisons with Chipmunk, and actions on both sides.
 *
 * Invariant: a scene stays at its address, since its bodies and sides point into it.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SPEED_SCENES_H
#define SPEED_SCENES_H

#include "speed.h"

typedef struct scene scene;
typedef pv_vec2 (*by_place)(const scene *s, pv_vec2 at);

/// Way from one point to another.
typedef struct segment {
    pv_vec2 from, to;
} segment;

/// Space of Chipmunk
typedef struct chipmunk chipmunk;

/// Opens a space; null without Chipmunk.
chipmunk *chipmunk_open(void);
/// Creates a body of the outline that is the def's user data.
void chipmunk_put(chipmunk *c, const pv_body_def *def);
void chipmunk_step(void *c, pv_vec2 gravity);
/// Sets the velocity of each dynamic body from its place.
void chipmunk_drive(chipmunk *c, by_place velocity, const scene *s);
/// Moves each sensor to a place that follows from its own.
void chipmunk_shift(chipmunk *c, by_place position, const scene *s);
/// Counts the segments that end at a body.
int chipmunk_cast(const chipmunk *c, const segment *segments, int count);
/// Moves all sprites to the places of bodies, in the order of their creation.
void chipmunk_place(const chipmunk *c, pv_placed *sprites, int count);
void chipmunk_close(chipmunk *c);

/* Scenes */

/// Steps in which gravity turns once, steps of a round, and kinds of a heap.
enum { TURN = 240, STEPS = 8, MOST_KINDS = 5 };

/// World of the two that are compared, and its treatment
typedef struct side {
    void *world;
    void (*step)(void *world, pv_vec2 gravity);
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
/// Begins to turn gravity.
void begin_to_stir(side *s);
/// Sets the velocity of each dynamic body of the library's side from its place.
void drive_ours(side *s, by_place velocity);
/// Steps on, as far as the time allows [s].
void settle(side *s, int steps, double time);

/// Two worlds of the same bodies, and outlines of their own
struct scene {
    /// Sides; the peer's world is null without Chipmunk
    side ours, peer;
    int width, height;
    outline parts[2];
};

/// Bodies of kinds in turns, in lines of square cells
typedef struct heap {
    const char *name;
    /// Outlines; null after the last
    const outline *kinds[MOST_KINDS];
    int count, columns, cell;
} heap;

/// Measures a part of the moving section: bullets and rays among bodies of given kinds.
void speed_shooter(const outline *kinds[MOST_KINDS]);
/// Reports a step of bullets that fly through bodies; the goal is a part of Chipmunk's time.
void measure_bullets(const char *name, double goal, const outline *kinds[MOST_KINDS], int bodies,
                     int bullets);

/// Opens the library's side with a world that the scene then owns.
void open_scene(scene *s, pv_world *world);
/// Opens the library's side: a heap in a closed box, its floor at y = 0. The box has room for half
/// as much again.
void open_heap(scene *s, const heap *h);
/// Opens the library's side: boxes of 32 px on the ground.
void open_pyramid(scene *s, int base);
/// Opens Chipmunk's side in the state of the library's.
void open_peer(scene *s);
void close_scene(scene *s);
/// Prints the number of bodies that the box has lost, as these cost nothing.
void check_box(const scene *s);
/// Reports a step of both sides; the goal is a part of Chipmunk's time.
void compare(const char *name, double goal, scene *s);
/// Measures the milliseconds of a step and of save and restore; returns bytes.
size_t time_snapshot(side *ours, double milliseconds[2]);
/// Reports a step, a save and a save of the changes since an earlier step, and their bytes.
void report_changes(const char *name, side *ours);
/// Measures the milliseconds of 200 discs awake, alone and beside 20,000 sleeping boxes.
void time_sleeping(double milliseconds[2]);

/// Returns the depth of the dynamic body that is deepest in another, from geometry alone [px].
double worst_depth(const pv_world *w);

#endif
