/* pv_slope.c - the slopes that a mover walks on, and those that it slides down.
 *
 * Invariant: a slope is measured by where the mover would stand beside where it is; it is put back there.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_walk.h"

/// Widths to both sides of which the normal is measured, and a slope that may be too steep [px].
enum { STRIDE = 3, LONG_STRIDE = 8 };
/// Heights to which a stride is followed, and how far to the side a slide goes for a pixel down [px].
enum { STEEPEST = 96, FLATTEST = 4 };

/// Counts the pixels that the mover would go to a side on the ground; *height gets how far down that leads.
static int stroll(pv__walk *w, int side, int *height) {
    int x = w->x, y = w->y, count = 0;
    pv_vec2 rest = w->rest;
    for (*height = 0; count < STRIDE && pv__go_aside(w, side) && pv__stands(w); count++) *height = w->y - y;
    w->x = x;
    w->y = y;
    w->rest = rest;
    return count;
}

pv_vec2 pv__walked_normal(pv__walk *w) {
    int left, right, across = stroll(w, -1, &left) + stroll(w, 1, &right);
    return across > 0 ? pv__direction(pv__vec(right - left, -across)) : pv__vec(0, -1);
}

/// Measures how far down (> 0) or up (< 0) the mover would stand so many pixels to the right.
static int drop_at(pv__walk *w, int right) {
    int x = w->x + right, k = 0;
    if (pv__blocked(w, x, w->y, 0, 1, false)) {
        while (k < STEEPEST && pv__blocked(w, x, w->y - k, 0, 1, false)) k++;
        return -k;
    }
    while (k < STEEPEST && !pv__blocked(w, x, w->y + k + 1, 0, 1, false)) k++;
    return k;
}

/// Tells whether a drop over a stride is steeper than a part of the limit.
static bool exceeds(const pv__walk *w, double part, int drop, int across) {
    return drop * w->limit.c > part * across * w->limit.s;
}

pv__slope pv__steepness(pv__walk *w) {
    pv__slope flat = {0, {0, -1}, 0};
    for (int side = -1; side <= 1 && w->limited; side += 2) {
        int down = drop_at(w, side * LONG_STRIDE), up = -drop_at(w, -side * LONG_STRIDE);
        bool both = exceeds(w, 0.5, down, LONG_STRIDE) && exceeds(w, 0.5, up, LONG_STRIDE);
        if (!both || !exceeds(w, 1, down + up, 2 * LONG_STRIDE)) continue;
        if (!exceeds(w, 0.5, drop_at(w, side * LONG_STRIDE / 2), LONG_STRIDE / 2)) continue;
        double tangent = (down + up) / (2.0 * LONG_STRIDE), square = tangent * tangent;
        return (pv__slope){side, pv__direction(pv__vec(side * tangent, -1)), square / (1 + square)};
    }
    return flat;
}

bool pv__leans(pv__walk *w, int downhill) {
    int x = w->x - downhill;
    return downhill != 0 && pv__blocked(w, x, w->y + 1, -downhill, 1, false) &&
           !pv__blocked(w, x, w->y - STEEPEST / LONG_STRIDE, -downhill, 1, false);
}

bool pv__is_too_steep(pv__walk *w, int side, int rise) {
    int x = w->x, y = w->y;
    if (!w->limited) return false;
    w->x += side;
    w->y -= rise;
    bool steep = pv__steepness(w).downhill == -side;
    w->x = x;
    w->y = y;
    return steep;
}

int pv__slip(pv__walk *w) {
    for (int k = 1; k <= FLATTEST && w->downhill != 0; k++) {
        int x = w->x + k * w->downhill;
        if (pv__blocked(w, x, w->y, w->downhill, 0, false)) return 0;
        if (!pv__blocked(w, x, w->y + 1, 0, 1, false)) return k * w->downhill;
    }
    return 0;
}
