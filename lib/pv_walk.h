/* pv_walk.h - a mover on its way, and the obstacles around it.
 *
 * Invariant: the mover's place, and every place asked about, lies in the area of which the obstacles are at hand; of those
 * that found no room there, each is asked by itself. The world is only read.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_WALK_H
#define PV_WALK_H

#include "pv_world.h"

#define PV__OBSTACLES 32       /* at hand; of more the others are asked one by one */
#define PV__OBSTACLE_ROOM 2048 /* words for the bitmaps of turned ones */

/// A body that may hold the mover.
typedef struct pv__obstacle {
    const pv__body *body;
    int index;
    pv__sprite sprite;
    pv__bits turned; ///< of the sprite, where it was turned once for all
} pv__obstacle;

typedef struct pv__walk {
    const pv_world *world;
    const pv_mover *mover; ///< as it was when the call began
    const pv__bits *bits;
    int own;       ///< the mover's body, or -1
    int ground;    ///< what it stood on when the call began, or -1
    double dt;     ///< [s]
    int x, y;      ///< world pixel of the mask's pixel (0, 0)
    pv_vec2 rest;  ///< of the position beyond that, within half a pixel [px]
    bool standing; ///< follows the ground down
    bool carried;  ///< the ground takes it along, and what it overlaps does not stop it
    bool ceiling;  ///< stopped above
    int wall;      ///< -1 or 1: stopped at that side
    pv_rect area;  ///< of which the obstacles are at hand
    int count;     ///< of them
    int next;      ///< bodies from this slot on are asked one by one; -1: none
    size_t used;   ///< of room
    pv__obstacle near[PV__OBSTACLES], spare;
    uint64_t room[PV__OBSTACLE_ROOM];
} pv__walk;

/* pv_walk.c */
/// Looks for the obstacles around the mover.
void pv__gather(pv__walk *w);
/// The next obstacle, in order of slots, with which the mask shares a pixel at a place; null after the last. It is good until
/// the next call.
/// @param cursor 0 for the first
const pv__obstacle *pv__next_hit(pv__walk *w, int *cursor, int x, int y);
/// Whether an obstacle lets a step (dx, dy) from where the mover is into it.
/// @param feet what is to be stood on holds from the side, too
bool pv__lets_pass(const pv__walk *w, const pv__obstacle *o, int dx, int dy, bool feet);
/// Whether something holds the mover from below.
bool pv__stands(pv__walk *w);
/// Goes down to the ground if it is no farther than this [px]; false when it stays.
bool pv__follow(pv__walk *w, int limit);
/// A pixel to the left (-1) or right (1), up and down the slope; false when it stays.
bool pv__go_aside(pv__walk *w, int side);
/// Goes a way [px], by pixels nearest to a straight line, as far as each axis lets it.
void pv__travel(pv__walk *w, pv_vec2 way);
/// Out of what has moved into it: by the least way of eight, but what stands is lifted first. False when there is none.
bool pv__push_out(pv__walk *w);

#endif
