/* speed_scenes.h - the worlds that the library is measured in beside Chipmunk, and what is done to
 * both.
 *
 * Invariant: a scene stays where it was opened, for its bodies and sides point into it.
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

/// A space of Chipmunk.
typedef struct chipmunk chipmunk;

/// Opens a space; null where Chipmunk is not there.
chipmunk *chipmunk_open(void);
/// Puts the outline that is the def's user data.
void chipmunk_put(chipmunk *c, const pv_body_def *def);
void chipmunk_step(void *c, pv_vec2 gravity);
/// Sets the velocity of each dynamic body by where it is.
void chipmunk_drive(chipmunk *c, by_place velocity, const scene *s);
/// Puts each sensor elsewhere by where it is.
void chipmunk_shift(chipmunk *c, by_place position, const scene *s);
/// Counts the segments that end at a body.
int chipmunk_cast(const chipmunk *c, const segment *segments, int count);
/// Moves sprites to where the bodies are that were put first, second and so on: all of them.
void chipmunk_place(const chipmunk *c, pv_placed *sprites, int count);
void chipmunk_close(chipmunk *c);

/* Scenes. */

/// Steps in which gravity turns once, steps of a round, and kinds of a heap.
enum { TURN = 240, STEPS = 8, MOST_KINDS = 5 };

/// World of the two that are compared, and what is done to it.
typedef struct side {
    void *world;
    void (*step)(void *world, pv_vec2 gravity);
    /// Null, or what the game does before each step
    void (*act)(struct side *side);
    /// That it is a side of
    const scene *scene;
    double gravity;
    /// Whether gravity turns
    bool stirred;
    /// Done since it was opened or stirred
    long steps;
} side;

void run_side(void *side, long steps);
/// Begins to turn gravity.
void begin_to_stir(side *s);
/// Steps on, as far as the time allows [s].
void settle(side *s, int steps, double time);

/// Two worlds of the same bodies, and what only they are made of.
struct scene {
    /// The peer's world is null where Chipmunk is not there
    side ours, peer;
    int width, height;
    outline parts[2];
};

/// Bodies of kinds in turns, in lines of square cells.
typedef struct heap {
    const char *name;
    /// Null after the last
    const outline *kinds[MOST_KINDS];
    int count, columns, cell;
} heap;

/// Part of the moving section: bullets and rays among bodies of such kinds.
void speed_shooter(const outline *kinds[MOST_KINDS]);

/// Opens the library's side: a heap in a closed box with room for half as much again, its floor at
/// y = 0.
void open_heap(scene *s, const heap *h);
/// Opens the library's side: boxes of 32 px on the ground.
void open_pyramid(scene *s, int base);
/// Opens Chipmunk's side as the library's stands and moves.
void open_peer(scene *s);
void close_scene(scene *s);
/// Says how many bodies the box has lost, for these cost nothing.
void check_box(const scene *s);
/// Reports a step of both sides; the goal is a part of Chipmunk's time.
void compare(const char *name, double goal, scene *s);
/// Milliseconds of a step and of save and restore; returns bytes.
size_t time_snapshot(side *ours, double milliseconds[2]);
/// Milliseconds of 200 discs awake, alone and beside 20,000 boxes asleep.
void time_sleeping(double milliseconds[2]);

/// Depth of the dynamic body that is deepest in another, by geometry alone [px].
double worst_depth(const pv_world *w);

#endif
