/* mover_walk.c - moves a mover pixel by pixel, finds the bodies that stop it, and measures slopes.
 *
 * Invariant: a step leads from one pixel to the next, and only to places where no holding body
 * shares a pixel with the mask. A body that overlaps the mask from the start holds only where a
 * comment says so.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/anchor.h"
#include "mover/mover.h"

#include <stdlib.h>

/// Tells whether a one-way body does not hold a step (dx, dy) into it.
static bool is_behind(const pv__walk *w, const pv__obstacle *o, int dx, int dy, bool feet) {
    pv_rotation turn = o->body->pose.turn;
    bool held = pv__one_way_holds_at(o->body, turn, pv__vec(-dx, -dy)) ||
                (feet && pv__one_way_holds_at(o->body, turn, pv__vec(0, -1)));
    return !held || w->mover->drop_through || pv__mover_hits(w, o, w->x, w->y);
}

bool pv__mover_lets_pass(pv__walk *w, pv__obstacle *o, int dx, int dy, bool feet) {
    if (w->carried && o->index == w->ground) return true;
    if ((w->carried || w->crushed) && pv__mover_hits(w, o, w->x, w->y)) return true;
    if (pv__mover_obstacle_is_one_way(o) && is_behind(w, o, dx, dy, feet)) return true;
    return pv__mover_goes_through(w, o, pv__direction(pv__vec(dx, dy)));
}

/// Tells whether an obstacle blocks a step (dx, dy) to a place.
/// @param feet true if the mover may climb, so that a surface to stand on also holds from the side
static bool is_blocked(pv__walk *w, int x, int y, int dx, int dy, bool feet) {
    pv__obstacle *o;
    for (int k = 0; (o = pv__mover_next_hit(w, &k, x, y));)
        if (!pv__mover_lets_pass(w, o, dx, dy, feet)) return true;
    return false;
}

bool pv__mover_stands(pv__walk *w) { return is_blocked(w, w->x, w->y + 1, 0, 1, false); }

/* ---- motion ---- */

bool pv__mover_follow(pv__walk *w, int limit) {
    int from = w->y;
    for (int k = 0; k <= limit; k++, w->y++)
        if (pv__mover_stands(w)) return true;
    w->y = from;
    return false;
}

/// Finds the height that the mover has to climb for a step to the side. Returns false if it cannot
/// take the step.
static bool find_rise(pv__walk *w, int side, bool feet, int *rise) {
    for (int k = 0;
         k <= w->mover->step_height && !(k > 0 && is_blocked(w, w->x, w->y - k, 0, -1, false));
         k++) {
        *rise = k;
        if (!is_blocked(w, w->x + side, w->y - k, side, 0, feet))
            return k == 0 || !pv__mover_is_too_steep(w, side, k);
    }
    return false;
}

/// Finds how far a mover in the air has to sink for a step to the side, under a sloping ceiling.
/// Returns false if it cannot take the step. *rise is negative.
static bool find_dip(pv__walk *w, int side, int *rise) {
    if (w->standing || w->carried) return false;
    for (int k = 1; k <= w->mover->step_height && !is_blocked(w, w->x, w->y + k, 0, 1, false);
         k++) {
        *rise = -k;
        if (!is_blocked(w, w->x + side, w->y + k, side, 0, false)) return true;
    }
    return false;
}

static bool has_way(pv__walk *w, int side, int *rise) {
    return find_rise(w, side, true, rise) || find_rise(w, side, false, rise) ||
           find_dip(w, side, rise);
}

/// Moves the mover a pixel to the left (-1) or right (1), up and down the slope. Returns false if
/// it stays.
static bool go_aside(pv__walk *w, int side) {
    int rise, from = w->y;
    if (!has_way(w, side, &rise)) return false;
    w->x += side;
    w->y -= rise;
    if (w->standing) pv__mover_follow(w, w->mover->ground_snap);
    if (w->y != from) w->rest.y = 0;
    return true;
}

/// Finds the displacement to the side with which the mover can move a pixel up or down [px].
/// Returns false if there is no way.
static bool find_slip(pv__walk *w, int dy, int *slip) {
    bool held = is_blocked(w, w->x, w->y + dy, 0, dy, false);
    *slip = held && dy > 0 ? pv__mover_slip(w) : 0;
    return !held || *slip != 0;
}

static bool go_along(pv__walk *w, int dy) {
    int slip;
    if (!find_slip(w, dy, &slip)) return false;
    w->x += slip;
    w->y += dy;
    return true;
}

/// Returns the number of pixels in a displacement, and keeps the rest. Halves are rounded down, as
/// in pv__raster_map_of().
static int pixels_of(double *rest, double way) {
    int64_t count = -pv__floor(0.5 - (*rest + way));
    *rest += way - (double)count;
    return (int)count;
}

static int walk_sign(double x) { return (x > 0) - (x < 0); }

/// Stops the mover at a body beside it, even if it has not moved a pixel.
static void stop_aside(pv__walk *w, int side) {
    w->wall = side;
    if (w->rest.x * side > 0) w->rest.x = 0;
}

static void stop_along(pv__walk *w, int dy, bool grounds) {
    if (w->rest.y * dy > 0) w->rest.y = 0;
    if (dy < 0)
        w->ceiling = true;
    else
        w->standing |= grounds;
}

void pv__mover_travel(pv__walk *w, pv_vec2 way) {
    int right = walk_sign(way.x), down = walk_sign(way.y), unused;
    int across = abs(pixels_of(&w->rest.x, way.x)), along = abs(pixels_of(&w->rest.y, way.y));
    bool free_x = true, free_y = true;
    for (int i = 0, j = 0; (free_x && i < across) || (free_y && j < along);) {
        bool first = w->standing && down > 0; /* off a ledge it falls for the whole step */
        bool aside = free_x && i < across &&
                     (first || !free_y || j >= along ||
                      (2 * i + 1) * (int64_t)along < (2 * j + 1) * (int64_t)across);
        if (aside) {
            free_x = go_aside(w, right);
            i++;
        } else {
            free_y = go_along(w, down);
            j++;
            if (!free_y) stop_along(w, down, true);
        }
    }
    if (!free_x) w->rest.x = 0;
    if (!free_y) w->rest.y = 0;
    if (right != 0 && !(free_x && has_way(w, right, &unused))) stop_aside(w, right);
    if (down != 0 && free_y && !find_slip(w, down, &unused)) stop_along(w, down, false);
}

/* ---- slopes to walk on, and slopes to slide down ----
 *
 * Invariant: a slope is measured from the places beside the mover at which it would stand. The
 * mover is put back in its place afterward.
 */

/// Distances to both sides at which the normal, and a slope that may be too steep, are measured
/// [px]
enum { SLOPE_STRIDE = 3, LONG_STRIDE = 8 };
/// Greatest height of a stride, and greatest displacement to the side of a slide per pixel down
/// [px]
enum { STEEPEST = 96, FLATTEST = 4 };

/// Returns the number of pixels that the mover would walk to a side on the ground. *height gets the
/// height that it would lose [px].
static int slope_stroll(pv__walk *w, int side, int *height) {
    int x = w->x, y = w->y, count = 0;
    pv_vec2 rest = w->rest;
    for (*height = 0; count < SLOPE_STRIDE && go_aside(w, side) && pv__mover_stands(w); count++)
        *height = w->y - y;
    w->x = x;
    w->y = y;
    w->rest = rest;
    return count;
}

pv_vec2 pv__mover_walked_normal(pv__walk *w) {
    int left, right, across = slope_stroll(w, -1, &left) + slope_stroll(w, 1, &right);
    return across > 0 ? pv__direction(pv__vec(right - left, -across)) : pv__vec(0, -1);
}

/// Returns how far down (> 0) or up (< 0) the mover would stand, right pixels to the right [px].
static int drop_at(pv__walk *w, int right) {
    int x = w->x + right, k = 0;
    if (is_blocked(w, x, w->y, 0, 1, false)) {
        while (k < STEEPEST && is_blocked(w, x, w->y - k, 0, 1, false)) k++;
        return -k;
    }
    while (k < STEEPEST && !is_blocked(w, x, w->y + k + 1, 0, 1, false)) k++;
    return k;
}

/// Tells whether a drop over a stride is steeper than a part of the limit.
static bool slope_exceeds(const pv__walk *w, double part, int drop, int across) {
    return drop * w->limit.c > part * across * w->limit.s;
}

pv__slope pv__mover_steepness(pv__walk *w) {
    pv__slope flat = {0, {0, -1}, 0};
    for (int side = -1; side <= 1 && w->limited; side += 2) {
        int down = drop_at(w, side * LONG_STRIDE), up = -drop_at(w, -side * LONG_STRIDE);
        bool both =
            slope_exceeds(w, 0.5, down, LONG_STRIDE) && slope_exceeds(w, 0.5, up, LONG_STRIDE);
        if (!both || !slope_exceeds(w, 1, down + up, 2 * LONG_STRIDE)) continue;
        if (!slope_exceeds(w, 0.5, drop_at(w, side * LONG_STRIDE / 2), LONG_STRIDE / 2)) continue;
        double tangent = (down + up) / (2.0 * LONG_STRIDE), square = tangent * tangent;
        return (pv__slope){side, pv__direction(pv__vec(side * tangent, -1)), square / (1 + square)};
    }
    return flat;
}

bool pv__mover_leans(pv__walk *w, int downhill) {
    int x = w->x - downhill;
    return downhill != 0 && is_blocked(w, x, w->y + 1, -downhill, 1, false) &&
           !is_blocked(w, x, w->y - STEEPEST / LONG_STRIDE, -downhill, 1, false);
}

bool pv__mover_is_too_steep(pv__walk *w, int side, int rise) {
    int x = w->x, y = w->y;
    if (!w->limited) return false;
    w->x += side;
    w->y -= rise;
    bool steep = pv__mover_steepness(w).downhill == -side;
    w->x = x;
    w->y = y;
    return steep;
}

int pv__mover_slip(pv__walk *w) {
    for (int k = 1; k <= FLATTEST && w->downhill != 0; k++) {
        int x = w->x + k * w->downhill;
        if (is_blocked(w, x, w->y, w->downhill, 0, false)) return 0;
        if (!is_blocked(w, x, w->y + 1, 0, 1, false)) return k * w->downhill;
    }
    return 0;
}
