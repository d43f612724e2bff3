/* walkers.c - moves the grains whose way may meet something.
 *
 * Invariant: grains end their ways in the order of their slots. Several workers find ways in
 * advance, a block at a time. A way is found again if a pixel that it tested has changed since, so
 * the result is the same as with one worker.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/tasks.h"
#include "grains/grains.h"
#include "grains/movers.h"
#include "grains/numbers.h"
#include "grains/walk.h"

/// Grains whose ways are found in advance, few enough that little changes meanwhile
enum { WALKERS_BLOCK = 16384 };

/// Way of a grain through the step
typedef struct pv__grain_way {
    pv__walker end;
    /// Sink that it comes to, or -1
    int sink;
    /// True if the grain is lost in solid pixels
    bool lost;
} pv__grain_way;

/* ---- ways ---- */

/// Moves a grain along its way. Returns false if it is lost in solid pixels.
static bool go(const pv__grains *g, pv__walker *w, bool movers) {
    int32_t x = w->x, y = w->y;
    if (pv__area_is_ground(g, pv__grain_pixel(x), pv__grain_pixel(y))) {
        if (!pv__movers_part(g, w, x, y)) return false;
        w->meets = pv__walk_meets(g, w);
    }
    bool inside = false;
    if (!movers || !pv__movers_push(g, w, &inside)) pv__walk_grain(g, w);
    if (inside || (movers && w->touched)) pv__movers_part(g, w, x, y);
    return true;
}

/// Tells whether movers are near a grain.
static bool near_movers(const pv__grains *g, const pv__walker *w) {
    unsigned u = pv__grain_pixel(w->x), v = pv__grain_pixel(w->y);
    int far = pv__later(pv__grain_abs(w->dx), pv__grain_abs(w->dy)) + (8 << 16) - 1;
    return pv__area_clear(g, u, v) >> 4 <= far >> 19;
}

/// Finds the way of a grain, and changes nothing else.
static void find_way(const pv__grains *g, uint32_t slot, pv__grain_way *way) {
    pv__walker *w = &way->end;
    way->sink = -1;
    way->lost = false;
    *w = (pv__walker){.x = g->x[slot], .y = g->y[slot], .dx = g->dx[slot], .dy = g->dy[slot]};
    w->meets = pv__walk_meets(g, w);
    if (!w->meets) {
        w->x += w->dx;
        w->y += w->dy;
        return;
    }
    w->tested = (pv__grain_box){INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    bool movers = near_movers(g, w);
    way->lost = !go(g, w, movers);
    if (!way->lost && movers && g->sink_count > 0) way->sink = pv__movers_sink_on(g, slot, w);
}

/// Finds the ways of a block's grains.
static void find_ways(pv_world *world, void *stage, int first, int end) {
    const pv__grains *g = stage;
    (void)world;
    for (int i = first; i < end; i++) find_way(g, g->walkers[g->block + i], &g->ways[i]);
}

/* ---- changed pixels ---- */

static void note_change(pv__grains *g, unsigned u, unsigned v) {
    pv__grain_tile *t = pv__area_tile(g, u, v);
    if (!t->changed_rows) g->changed.items[g->changed.count++] = t;
    t->changed_rows |= UINT64_C(1) << (v & 63);
    t->changed[v & 63] |= UINT64_C(1) << (u & 63);
}

static void forget_changes(pv__grains *g) {
    for (int i = 0; i < g->changed.count; i++) {
        pv__grain_tile *t = g->changed.items[i];
        for (; t->changed_rows; t->changed_rows &= t->changed_rows - 1)
            t->changed[__builtin_ctzll(t->changed_rows)] = 0;
    }
    g->changed.count = 0;
}

/// Tells whether a pixel of a box has changed in the tile at (x, y).
static bool tile_changed(const pv__grains *g, int x, int y, const pv__grain_box *b) {
    const pv__grain_tile *t = pv__area_tile(g, (unsigned)x, (unsigned)y);
    uint64_t rows = t ? t->changed_rows & pv__bits_between(b->y0 - y, b->y1 - y) : 0;
    uint64_t columns = pv__bits_between(b->x0 - x, b->x1 - x);
    for (; rows; rows &= rows - 1)
        if (t->changed[__builtin_ctzll(rows)] & columns) return true;
    return false;
}

/// Tells whether a pixel that a way has tested has changed.
static bool way_is_stale(const pv__grains *g, uint32_t slot, const pv__walker *w) {
    pv__grain_box b =
        w->touched ? w->tested : pv__grain_box_around(g->x[slot], g->y[slot], w->x, w->y);
    for (int y = b.y0 & ~63; y <= b.y1; y += 64)
        for (int x = b.x0 & ~63; x <= b.x1; x += 64)
            if (tile_changed(g, x, y, &b)) return true;
    return false;
}

/* ---- one grain ---- */

/// Tells whether a grain is in the area and in no sink. Otherwise ends the grain.
static bool stays(pv__grains *g, uint32_t slot, const pv__grain_way *way) {
    if (way->sink >= 0) {
        g->sinks[way->sink].count.last_step++;
        g->sinks[way->sink].count.total++;
        g->stats.sunk++;
    } else if (!way->lost &&
               pv__area_has(pv__grain_pixel(way->end.x), pv__grain_pixel(way->end.y))) {
        return true;
    } else {
        g->stats.lost++;
    }
    pv__ring_end(g, slot);
    return false;
}

/// Ends the way of a grain. Returns true if the grain took a pixel.
static bool arrive(pv_world *world, pv__grains *g, uint32_t slot, pv__grain_way *way) {
    pv__walker *w = &way->end;
    if (w->meets && !stays(g, slot, way)) return false;
    bool took = w->touched && g->now.down >= 0 && pv__settle(world, g, slot, w);
    g->x[slot] = w->x;
    g->y[slot] = w->y;
    g->dx[slot] = w->dx;
    g->dy[slot] = w->dy;
    return took;
}

/// Moves a grain that holds a pixel. It does not meet itself, so its way is found here.
static bool step_holder(pv_world *world, pv__grains *g, uint32_t slot, pv__grain_way *way) {
    unsigned u = pv__grain_pixel(g->x[slot]), v = pv__grain_pixel(g->y[slot]);
    pv__grain_row *row = &pv__area_tile(g, u, v)->rows[v & 63];
    row->taken &= ~(UINT64_C(1) << (u & 63));
    g->claims[slot >> 6] &= ~(UINT64_C(1) << (slot & 63));
    find_way(g, slot, way);
    bool took = arrive(world, g, slot, way);
    if (row->taken >> (u & 63) & 1) return took;
    pv__area_free(g, u, v);
    if (pv__tasks_are_shared(world)) note_change(g, u, v);
    return took;
}

/// Moves a grain.
/// @param found true if its way was found in advance
static void step_walker(pv_world *world, pv__grains *g, uint32_t slot, pv__grain_way *way,
                        bool found) {
    bool took;
    if (g->claims[slot >> 6] >> (slot & 63) & 1) {
        took = step_holder(world, g, slot, way);
    } else {
        if (!found || way_is_stale(g, slot, &way->end)) find_way(g, slot, way);
        took = arrive(world, g, slot, way);
    }
    if (took && pv__tasks_are_shared(world))
        note_change(g, pv__grain_pixel(way->end.x), pv__grain_pixel(way->end.y));
}

/* ---- all grains ---- */

/// Reserves memory for a block of ways, and for the tiles of its changes.
static bool reserve_block(pv_world *world, pv__grains *g) {
    const pv_allocator *a = &world->def.allocator;
    return PV__RESERVE(a, g->ways, g->way_capacity, pv__sooner(g->walker_count, WALKERS_BLOCK)) &&
           PV__RESERVE(a, g->changed.items, g->changed.capacity, 2 * g->way_capacity);
}

/// Moves the grains of a block, whose ways are found in advance.
static void step_block(pv_world *world, pv__grains *g, int count) {
    pv__tasks_run(world, count, 256, find_ways, g);
    for (int i = 0; i < count; i++)
        step_walker(world, g, g->walkers[g->block + i], &g->ways[i], true);
    forget_changes(g);
}

static void step_alone(pv_world *world, pv__grains *g) {
    pv__grain_way way;
    for (int i = 0; i < g->walker_count; i++) step_walker(world, g, g->walkers[i], &way, false);
}

void pv__walkers_step(pv_world *world, pv__grains *g) {
    if (g->walker_count == 0) return;
    if (!pv__tasks_are_shared(world)) return step_alone(world, g);
    if (!reserve_block(world, g)) {
        world->out_of_memory = true;
        return;
    }
    for (g->block = 0; g->block < g->walker_count; g->block += WALKERS_BLOCK)
        step_block(world, g, pv__sooner(g->walker_count - g->block, WALKERS_BLOCK));
}

void pv__walkers_free(const pv_world *world, pv__grains *g) {
    const pv_allocator *a = &world->def.allocator;
    PV__FREE(a, g->ways, g->way_capacity);
    PV__FREE(a, g->changed.items, g->changed.capacity);
}
