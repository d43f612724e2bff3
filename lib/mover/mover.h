/* mover.h - a mover on its way, and the obstacles around it.
 *
 * Invariant: the mover's place, and every place asked about, lies in the area of which the
 * obstacles are at hand; of those that found no room there, each is asked by itself. The world is
 * only read, and is busy meanwhile.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_MOVER_MOVER_H
#define PV_MOVER_MOVER_H

#include "core/world.h"
#include "placed/placed.h"

#define PV__OBSTACLES 32       /* at hand; of more the others are asked one by one */
#define PV__OBSTACLE_ROOM 2048 /* words for the bitmaps of turned ones */
#define PV__PASSED 4           /* bodies that it goes through until apart */

/// A body that may hold the mover.
typedef struct pv__obstacle {
    const pv__body *body;
    int index;
    pv__sprite sprite;
    /// Of the sprite, where it was turned once for all
    pv__bits turned;
    /// The world's presolve has been
    bool asked;
    /// By what that said
    bool passes;
} pv__obstacle;

typedef struct pv__walk {
    const pv_world *world;
    /// As it was when the call began
    const pv_mover *mover;
    const pv__bits *bits;
    /// The mover's body, or -1
    int own;
    /// What it stood on when the call began, or -1
    int ground;
    /// [s]
    double dt;
    /// That it is to go with [px/s]
    pv_vec2 velocity;
    /// World pixel of the mask's pixel (0, 0)
    int x, y;
    /// Of the position beyond that, within half a pixel [px]
    pv_vec2 rest;
    /// Follows the ground down
    bool standing;
    /// The ground takes it along, and what it overlaps does not stop it
    bool carried;
    /// What it overlaps neither holds nor carries it
    bool crushed;
    /// Slopes are climbed and stood on up to the mover's limit alone
    bool limited;
    /// That angle
    pv_rotation limit;
    /// -1 or 1: it slides to that side
    int downhill;
    /// Stopped above
    bool ceiling;
    /// -1 or 1: stopped at that side
    int wall;
    /// Of which the obstacles are at hand
    pv_rect area;
    /// Of them
    int count;
    /// Bodies from this slot on are asked one by one; -1: none
    int next;
    /// Of room
    size_t used;
    /// That it goes through until apart
    pv_body_id passing[PV__PASSED];
    pv__obstacle near[PV__OBSTACLES], spare;
    uint64_t room[PV__OBSTACLE_ROOM];
} pv__walk;

/// A surface too steep to stand on.
typedef struct pv__slope {
    /// The side to which it leads down, or 0: none is that steep
    int downhill;
    /// Of length 1
    pv_vec2 normal;
    /// Of what pulls down, that takes the mover down along it
    double share;
} pv__slope;

/* mover_walk.c */
/// Looks for the obstacles around the mover.
void pv__mover_gather(pv__walk *w);
/// Tells whether a body whose box meets another one may hold the mover, by filters and the world's
/// word.
bool pv__mover_may_hold(const pv__walk *w, int index, const pv_box *box);
/// Makes an obstacle of a body.
bool pv__mover_take(const pv__walk *w, int index, pv__obstacle *o);
/// Tells whether the mask at a place shares a pixel with an obstacle.
bool pv__mover_hits(const pv__walk *w, const pv__obstacle *o, int x, int y);
/// The next obstacle, in order of slots, with which the mask shares a pixel at a place; null after
/// the last. It is good until the next call.
/// @param cursor 0 for the first
pv__obstacle *pv__mover_next_hit(pv__walk *w, int *cursor, int x, int y);
/// Tells whether a body has a front, and where that is.
bool pv__mover_obstacle_is_one_way(const pv__obstacle *o);
pv_vec2 pv__mover_front_of(const pv__obstacle *o);
/// Tells whether an obstacle lets a step (dx, dy) from where the mover is into it.
/// @param feet what is to be stood on holds from the side, too
bool pv__mover_lets_pass(pv__walk *w, pv__obstacle *o, int dx, int dy, bool feet);
/// Tells whether a step (dx, dy) may not lead to a place.
/// @param feet it may be climbed on: what is to be stood on holds from the side, too
bool pv__mover_is_blocked(pv__walk *w, int x, int y, int dx, int dy, bool feet);
/// Tells whether something holds the mover from below.
bool pv__mover_stands(pv__walk *w);
/// Goes down to the ground if it is no farther than this [px]; false when it stays.
bool pv__mover_follow(pv__walk *w, int limit);
/// A pixel to the left (-1) or right (1), up and down the slope; false when it stays.
bool pv__mover_go_aside(pv__walk *w, int side);
/// Goes a way [px], by pixels nearest to a straight line, as far as each axis lets it.
void pv__mover_travel(pv__walk *w, pv_vec2 way);

/* mover_walk.c */
/// The normal of the ground as it is walked on.
pv_vec2 pv__mover_walked_normal(pv__walk *w);
/// Returns what the mover stands on, if that is steeper than its limit.
pv__slope pv__mover_steepness(pv__walk *w);
/// Tells whether a slope down to a side is beside it, while it slides down from one of its pixels
/// to the next.
bool pv__mover_leans(pv__walk *w, int downhill);
/// Tells whether a step of so many pixels up to a side leads onto what is too steep.
bool pv__mover_is_too_steep(pv__walk *w, int side, int rise);
/// Measures how far to the side it gets down by a pixel, sliding; 0 when it does not.
int pv__mover_slip(pv__walk *w);

/* mover_presolve.c */
/// Tells whether it goes through what would hold it, as it did until apart or by the word of the
/// world's presolve.
/// @param normal from the mover to the obstacle
bool pv__mover_goes_through(pv__walk *w, pv__obstacle *o, pv_vec2 normal);
/// Keeps of what it goes through until apart that which it overlaps still.
void pv__mover_keep_passing(pv__walk *w);

/* mover_escape.c */
/// Out of what has moved into it: by the least way of eight, but what stands is lifted first. False
/// when there is none.
bool pv__mover_push_out(pv__walk *w);
/// To the nearest free place that it reaches through what it overlaps or what gives way. False when
/// there is none.
bool pv__mover_escape(pv__walk *w);

#endif
