/* mover.h - the state of a mover during a call, and the obstacles around it.
 *
 * Invariant: the mover's place and every queried place lie in the area of the gathered obstacles.
 * Bodies for which there is no room are queried one by one. The world is locked and only read.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_MOVER_MOVER_H
#define PV_MOVER_MOVER_H

#include "base/error.h"
#include "collide/query_index.h"
#include "core/world.h"
#include "placed/placed.h"

/// Greatest displacement in a step by which a body carries a mover or pushes it out [px]
#define PV__CARRIED 256.0
/// Greatest number of gathered obstacles; further bodies are queried one by one
#define PV__OBSTACLES 32
/// Greatest value of a limit in pixels, and least distance of the search for a free place [px]
#define PV__MOVER_PIXELS 64
/// Steepest limit, at which a mover stands on all slopes [rad]
#define PV__ALL_SLOPES (0.5 * PV__PI)
/// Number of words for the bitmaps of turned obstacles
#define PV__OBSTACLE_ROOM 2048
/// Greatest number of bodies that a mover passes until it is apart from them
#define PV__PASSED (int)(sizeof((pv_mover *)0)->passing / sizeof(pv_body_id))

/// Body that may hold the mover. Its index is its number in query_index.h.
typedef struct pv__obstacle {
    /// Sprite, or null for a polygon
    const pv__body *body;
    int index;
    pv__sprite sprite;
    /// Pixels of the sprite, if it was turned once for all queries
    pv__bits turned;
    /// True if the world's presolve was called
    bool asked;
    /// True if presolve lets the mover pass
    bool passes;
} pv__obstacle;

typedef struct pv__walk {
    const pv_world *world;
    /// Mover when the call began
    const pv_mover *mover;
    const pv__bits *bits;
    /// Index of the mover's body, or -1
    int own;
    /// Index of the ground when the call began, or -1
    int ground;
    /// Length of the step [s]
    double dt;
    /// Requested velocity [px/s]
    pv_vec2 velocity;
    /// World pixel of the mask's pixel (0, 0)
    int x, y;
    /// Offset of the position from that pixel, at most half a pixel [px]
    pv_vec2 rest;
    /// True if it follows the ground down
    bool standing;
    /// True while the ground carries it, so that overlapping bodies do not stop it
    bool carried;
    /// True if overlapping bodies neither hold nor carry it
    bool crushed;
    /// True if it climbs slopes and stands on them only up to the mover's limit
    bool limited;
    /// Limit of the slope angle
    pv_rotation limit;
    /// Side to which it slides, -1 or 1; 0: no slide
    int downhill;
    /// True if it was stopped above
    bool ceiling;
    /// Side at which it was stopped, -1 or 1; 0: none
    int wall;
    /// Area of the gathered obstacles
    pv_rect area;
    /// Number of gathered obstacles
    int count;
    /// First index of the bodies that are queried one by one; -1: none
    int next;
    /// Number of used words of room
    size_t used;
    /// Bodies that it passes until apart
    pv_body_id passing[PV__PASSED];
    pv__obstacle near[PV__OBSTACLES], spare;
    uint64_t room[PV__OBSTACLE_ROOM];
} pv__walk;

/// Search for the bodies whose boxes overlap another box
typedef struct pv__nearby {
    pv_box box;
    pv__candidates candidates;
} pv__nearby;

/// Surface too steep to stand on
typedef struct pv__slope {
    /// Side to which it leads down; 0: no surface is that steep
    int downhill;
    /// Normal, of length 1
    pv_vec2 normal;
    /// Part of a downward pull that moves the mover down along it
    double share;
} pv__slope;

/* mover.c */
/// Checks that a mask has a size.
bool pv__mover_check_mask(pv_error *e, const char *field, const pv_mask *mask);
/// Checks a mover and its body, except the results of its last move that no call reads.
bool pv__mover_check(pv_error *e, const pv_world *world, const pv_mover *m);

/* mover_obstacle.c */
/// Returns the index of a living body that is neither a sensor nor disabled, or -1.
int pv__mover_index_of(const pv_world *world, pv_body_id body);
/// Begins a search for the bodies around a rectangle, starting at an index.
void pv__mover_seek(const pv__walk *w, pv_rect around, int first, pv__nearby *near);
/// Returns the next body that may hold the mover, or -1. Filters and the filter callback decide.
int pv__mover_next_near(const pv__walk *w, pv__nearby *near);
/// Returns the rectangle of the mask at a place.
static inline pv_rect pv__mover_rect_at(const pv__walk *w, int x, int y) {
    return (pv_rect){x, y, w->bits->w, w->bits->h};
}
/// Gathers the obstacles in an area around the mover and a queried rectangle.
void pv__mover_gather(pv__walk *w, pv_rect asked);
/// Makes an obstacle of a body; returns false if that fails.
bool pv__mover_take(const pv__walk *w, int index, pv__obstacle *o);
/// Tells whether the mask at a place shares a pixel with an obstacle.
bool pv__mover_hits(const pv__walk *w, const pv__obstacle *o, int x, int y);
/// Returns the next obstacle, in order of slots, with which the mask shares a pixel at a place. The
/// result is null after the last one, and valid until the next call.
/// @param cursor 0 for the first
pv__obstacle *pv__mover_next_hit(pv__walk *w, int *cursor, int x, int y);
/// Tells whether an obstacle is one-way.
bool pv__mover_obstacle_is_one_way(const pv__obstacle *o);

/* mover_start.c */
/// Finds the world pixel of the mask's pixel (0, 0), with the map that drawing and rasterization
/// use.
void pv__mover_pixel_of(const pv_mover *m, int *x, int *y);
/// Returns the velocity of a point on the body at an index [px/s].
static inline pv_vec2 pv__mover_velocity_of(const pv__walk *w, int index, pv_vec2 point) {
    return pv_body_get_velocity_at(w->world, pv__index_handle(w->world, index), point);
}
/// Returns a point of the world relative to a body's center, in the body's own rotation.
pv_vec2 pv__mover_local_point(const pv_world *world, int index, pv_vec2 point);
/// Begins a call.
void pv__mover_start(pv__walk *w, const pv_world *world, const pv_mover *m, pv_vec2 velocity,
                     double dt);
/// Lets a mover at rest in the air stand on a body that sinks from under it faster than it falls,
/// as when the game has just put it there.
/// @param m the mover of the call
void pv__mover_board(pv__walk *w, pv_mover *m);

/* mover_walk.c */
/// Tells whether an obstacle lets the mover take a step (dx, dy) from its place into it.
/// @param feet true if a one-way surface to stand on also holds from the side
bool pv__mover_lets_pass(pv__walk *w, pv__obstacle *o, int dx, int dy, bool feet);
/// Tells whether something holds the mover from below.
bool pv__mover_stands(pv__walk *w);
/// Moves the mover down to the ground within limit [px]; returns false if it stays.
bool pv__mover_follow(pv__walk *w, int limit);
/// Moves the mover by a displacement [px], through the pixels nearest to a straight line. Along
/// each axis it moves as far as the way is free.
void pv__mover_travel(pv__walk *w, pv_vec2 way);

/// Returns the normal of the ground as the mover walks on it.
pv_vec2 pv__mover_walked_normal(pv__walk *w);
/// Returns the slope under the mover, if it is steeper than the limit.
pv__slope pv__mover_steepness(pv__walk *w);
/// Tells whether the slope of a slide is still beside the mover, between two of its pixels.
bool pv__mover_leans(pv__walk *w, int downhill);
/// Tells whether a step to a side leads up onto a slope that is too steep.
/// @param rise height of the step [px]
bool pv__mover_is_too_steep(pv__walk *w, int side, int rise);
/// Returns the displacement to the side that lets a sliding mover move down by a pixel [px], or 0
/// if none does.
int pv__mover_slip(pv__walk *w);

/* mover_presolve.c */
/// Returns the tangent speed of the body at an index [px/s].
double pv__mover_tangent_speed(const pv_world *world, int index);
/// Tells whether the mover passes an obstacle that would hold it, until apart or according to
/// presolve.
/// @param normal from the mover to the obstacle
bool pv__mover_goes_through(pv__walk *w, pv__obstacle *o, pv_vec2 normal);
/// Removes bodies that no longer overlap the mover from the bodies that it passes until apart.
void pv__mover_keep_passing(pv__walk *w);

/* mover_escape.c */
/// Tells whether the mover shares no pixel with a body that it has to get out of.
bool pv__mover_is_free(pv__walk *w);
/// Moves the mover out of overlapping bodies, by the shortest way in eight directions. For a
/// standing mover it first tries the way up. Returns false if there is no way.
bool pv__mover_push_out(pv__walk *w);
/// Moves the mover to the nearest free place, which it may reach through overlapping or movable
/// bodies. Returns false if there is none.
bool pv__mover_escape(pv__walk *w);

#endif
