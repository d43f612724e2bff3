/* walk.c - moves one grain through pixels, with its bounces.
 *
 * Invariant: a grain moves at most one pixel at a time. It does not enter solid pixels, or pass
 * between two that touch at a corner. All numbers fit in 32 bits, so a shader can do the same.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "grains/walk.h"
#include "grains/numbers.h"

/// Greatest number of bounces in a step, and distance of the pixels that make a hit's normal [px]
enum { WALK_BOUNCES = 4, WALK_REACH = 3 };

/// Line of a grain: count steps of at most 1 px
typedef struct walk_line {
    int count, done;
    /// Whole part of a step, and remainder of all steps
    int32_t step_x, step_y, part_x, part_y;
    int32_t rest_x, rest_y;
} walk_line;

/* ---- normals and bounces ---- */

/// Returns the normal out of pixels whose sums of offsets from a free pixel are (x, y); zeros for
/// (0, 0).
static pv__grain_normal normal_of(int x, int y) {
    int32_t length = (int32_t)sqrt((x * x + y * y) << 16); /* in 1/256 */
    if (length == 0) return (pv__grain_normal){0, 0};
    return (pv__grain_normal){-x * (256 * PV__GRAIN_ONE) / length,
                              -y * (256 * PV__GRAIN_ONE) / length};
}

/// Returns the pixels around one as the low seven bits of seven bytes, row by row.
static uint64_t pixels_around(const pv__grains *g, unsigned u, unsigned v) {
    uint64_t all = 0;
    unsigned left = u - WALK_REACH, top = v - WALK_REACH;
    if ((left & 63) + 2 * WALK_REACH < 64 && (top & 63) + 2 * WALK_REACH < 64) {
        const pv__grain_tile *t = pv__area_tile(g, left, top);
        for (unsigned j = 0; t && j <= 2 * WALK_REACH; j++) {
            unsigned row = (top & 63) + j;
            all |= ((t->rows[row].ground | t->rests[row]) >> (left & 63) & 127) << 8 * j;
        }
        return all;
    }
    for (unsigned j = 0; j <= 2 * WALK_REACH; j++)
        all |= (pv__area_word(g, left, top + j, PV__AREA_STILL) & 127) << 8 * j;
    return all;
}

/// Returns the normal out of the solid pixels around a free one.
static pv__grain_normal normal_at(const pv__grains *g, unsigned u, unsigned v) {
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t all = pixels_around(g, u, v), counts = 0;
    int sum = 0, x = 0;
    for (int i = 0; i <= 2 * WALK_REACH; i++) {
        uint64_t column = all >> i & ones;
        int count = (int)(column * ones >> 56);
        counts += column;
        sum += count;
        x += (i - WALK_REACH) * count;
    }
    /* The product's byte 7 is the sum of the counts, each times its row. */
    int y = (int)(counts * UINT64_C(0x0001020304050600) >> 56) - WALK_REACH * sum;
    return normal_of(x, y);
}

static int32_t along(pv__grain_normal n, int32_t dx, int32_t dy) {
    return pv__grain_times(dx, n.x) + pv__grain_times(dy, n.y);
}

void pv__walk_bounce(const pv__grain_numbers *now, pv__grain_normal n, int32_t *dx, int32_t *dy) {
    int32_t approach = -along(n, *dx, *dy);
    if (approach <= 0) return;
    int32_t push =
        approach + (approach > now->calm ? pv__grain_times(approach, now->restitution) : 0);
    pv__grain_normal tangent = {-n.y, n.x};
    int32_t speed = along(tangent, *dx, *dy), grip = pv__grain_times(push, now->friction);
    int32_t brake = speed > grip ? grip : speed < -grip ? -grip : speed;
    *dx = pv__grain_bounded((int64_t)*dx + pv__grain_times(push, n.x) -
                            pv__grain_times(brake, tangent.x));
    *dy = pv__grain_bounded((int64_t)*dy + pv__grain_times(push, n.y) -
                            pv__grain_times(brake, tangent.y));
}

/* ---- lines ---- */

static walk_line line_of(int32_t x, int32_t y) {
    int32_t far = pv__later(pv__grain_abs(x), pv__grain_abs(y));
    walk_line l = {.count = (far + 65535) >> 16};
    if (l.count == 0) return l;
    l.step_x = x / l.count;
    l.step_y = y / l.count;
    l.part_x = x % l.count;
    l.part_y = y % l.count;
    return l;
}

/// Returns the next coordinate of a line. The last one is the line's end.
static inline int32_t advance(int32_t x, int32_t step, int32_t part, int32_t count, int32_t *rest) {
    *rest += part;
    int carry = (*rest >= count) - (*rest <= -count);
    *rest -= carry * count;
    return x + step + carry;
}

/// Pixels that stop a grain: those of the ground, or also those of grains. The last tile that was
/// looked at is kept
typedef struct walk_pixels {
    const pv__grains *g;
    bool grains;
    unsigned tile_u, tile_v;
    const pv__grain_tile *tile;
} walk_pixels;

static inline bool solid(walk_pixels *p, unsigned u, unsigned v) {
    if (u >> 6 != p->tile_u || v >> 6 != p->tile_v) {
        p->tile_u = u >> 6;
        p->tile_v = v >> 6;
        p->tile = pv__area_tile(p->g, u, v);
    }
    if (!p->tile) return false;
    const pv__grain_row *row = &p->tile->rows[v & 63];
    return (row->ground | (p->grains ? row->taken : 0)) >> (u & 63) & 1;
}

/// Tells along which axes, bit 0 for x and bit 1 for y, pixels stop a step to a neighbor.
static inline int stops(walk_pixels *p, unsigned u, unsigned v, unsigned to_u, unsigned to_v) {
    int axes = (to_u != u) | (to_v != v) << 1;
    if (solid(p, to_u, to_v)) {
        if (axes < 3) return axes;
        int beside = solid(p, to_u, v) | solid(p, u, to_v) << 1;
        return beside ? beside : 3;
    }
    return axes == 3 && solid(p, to_u, v) && solid(p, u, to_v) ? 3 : 0;
}

/// Goes along a line up to the first solid pixel. Returns the axes that stop it, or 0.
static inline int follow_line(const pv__grains *g, pv__walker *w, walk_line *l, bool grains) {
    unsigned u = pv__grain_pixel(w->x), v = pv__grain_pixel(w->y);
    walk_pixels pixels = {g, grains, ~0u, ~0u, NULL};
    for (; l->done < l->count; l->done++) {
        int32_t x = advance(w->x, l->step_x, l->part_x, l->count, &l->rest_x);
        int32_t y = advance(w->y, l->step_y, l->part_y, l->count, &l->rest_y);
        unsigned to_u = pv__grain_pixel(x), to_v = pv__grain_pixel(y);
        if (to_u != u || to_v != v) {
            int axes = stops(&pixels, u, v, to_u, to_v);
            if (axes) return axes;
        }
        w->x = x;
        w->y = y;
        u = to_u;
        v = to_v;
    }
    return 0;
}

bool pv__walk_push(const pv__grains *g, pv__walker *w, int32_t x, int32_t y) {
    walk_line line = line_of(x, y);
    return follow_line(g, w, &line, false) == 0;
}

/// Returns the normal of the axes that stop a motion.
static pv__grain_normal axis_normal(int axes, int32_t dx, int32_t dy) {
    int32_t one = axes == 3 ? 11585 : PV__GRAIN_ONE; /* of both axes, a diagonal of length 1 */
    return (pv__grain_normal){axes & 1 ? (dx > 0 ? -one : one) : 0,
                              axes & 2 ? (dy > 0 ? -one : one) : 0};
}

/// Returns a part of a motion.
static int32_t part_of(int32_t d, int part, int whole) {
    return d / whole * part + d % whole * part / whole;
}

/// Changes the motion of a grain that pixels stop. If it slides along a slope, the edges of pixels
/// end its way but not its motion along some axes, which are returned.
static int meet(const pv__grains *g, pv__walker *w, int axes) {
    pv__grain_normal n = normal_at(g, pv__grain_pixel(w->x), pv__grain_pixel(w->y));
    int32_t away = along(n, w->dx, w->dy),
            most = pv__later(pv__grain_abs(w->dx), pv__grain_abs(w->dy)) >> 3;
    if (away < -most - 64) {
        pv__walk_bounce(&g->now, n, &w->dx, &w->dy);
        return 0;
    }
    int32_t free = pv__grain_abs(axes == 1 ? w->dy : w->dx);
    if (axes != 3 && (n.x || n.y) && away <= most && free >= most) return axes;
    pv__walk_bounce(&g->now, axis_normal(axes, w->dx, w->dy), &w->dx, &w->dy);
    return 0;
}

int pv__walk_meets(const pv__grains *g, const pv__walker *w) {
    const int side = 1 << PV__CELL_SHIFT;
    pv__grain_box b = pv__grain_box_around(w->x, w->y, w->x + w->dx, w->y + w->dy);
    if (b.x1 - b.x0 > 4 * side || b.y1 - b.y0 > 4 * side) return PV__WALK_PIXELS | PV__WALK_MOVERS;
    int met = 0;
    for (int v = b.y0 & ~(side - 1); v <= b.y1; v += side)
        for (int u = b.x0 & ~(side - 1); u <= b.x1; u += side) {
            int clear = pv__area_clear(g, (unsigned)u, (unsigned)v);
            met |= (clear & 15 ? 0 : PV__WALK_PIXELS) | (clear >> 4 ? 0 : PV__WALK_MOVERS);
        }
    return met;
}

/// Adds the pixels around a line to those that a way with bounces has tested.
static void note_line(pv__walker *w, int32_t from_x, int32_t from_y) {
    pv__grain_box *b = &w->tested, line = pv__grain_box_around(from_x, from_y, w->x, w->y);
    b->x0 = pv__sooner(b->x0, line.x0 - WALK_REACH);
    b->y0 = pv__sooner(b->y0, line.y0 - WALK_REACH);
    b->x1 = pv__later(b->x1, line.x1 + WALK_REACH);
    b->y1 = pv__later(b->y1, line.y1 + WALK_REACH);
}

/// Tells whether a grain's way may end elsewhere than at the end of its line.
static bool may_bend(const pv__walker *w) { return w->touched || w->meets & PV__WALK_MOVERS; }

/// Moves a grain whose way meets no pixels.
static void freely(pv__walker *w) {
    int32_t x = w->x, y = w->y;
    w->x += w->dx;
    w->y += w->dy;
    if (may_bend(w)) note_line(w, x, y);
}

void pv__walk_grain(const pv__grains *g, pv__walker *w) {
    int32_t x = w->dx, y = w->dy;
    if (!(w->meets & PV__WALK_PIXELS)) return freely(w);
    for (int i = 0; i < WALK_BOUNCES; i++) {
        walk_line line = line_of(x, y);
        int32_t from_x = w->x, from_y = w->y;
        int axes = follow_line(g, w, &line, true), left = line.count - line.done;
        w->touched |= axes != 0;
        if (may_bend(w)) note_line(w, from_x, from_y);
        if (axes == 0) return;
        int ends = meet(g, w, axes);
        x = ends & 1 ? 0 : part_of(ends ? x : w->dx, left, line.count);
        y = ends & 2 ? 0 : part_of(ends ? y : w->dy, left, line.count);
    }
}
