/* validate_grains.c - validates populations of grains that were read from a snapshot.
 *
 * Invariant: every grain of a valid population is where its slot and its bits say, and no number of
 * it leads out of the area or out of the columns.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "grains/area.h"
#include "grains/ring.h"
#include "snapshot/stream.h"

/* ---- the ring ---- */

/// Tells whether the slots from the oldest grain to the newest one are in use.
static bool has_good_slots(const pv__grains *g) {
    int64_t end = (int64_t)g->oldest + g->span;
    if (g->span == 0) return g->oldest == 0 && g->used == 0;
    return g->oldest < g->used && (end <= g->used || g->used == g->def.capacity);
}

/// Tells whether a slot is among those of living grains.
static bool is_in_span(const pv__grains *g, int slot) {
    int age = slot - g->oldest;
    return (age < 0 ? age + g->def.capacity : age) < g->span;
}

static bool is_motion(int32_t d) { return d >= -PV__GRAIN_FASTEST && d <= PV__GRAIN_FASTEST; }

static bool is_coordinate(int32_t x) {
    const int32_t most = PV_GRAIN_FARTHEST * 65536;
    return x >= -most && x <= most;
}

static bool is_empty_slot(const pv__grains *g, int i) {
    return g->x[i] == 0 && g->dx[i] == 0 && g->dy[i] == 0 && g->color[i] == 0 && g->born[i] == 0;
}

/// Tells whether a grain is in range. One in a pixel is in the area, and one at rest does not move.
static bool is_good_grain(const pv__grains *g, int i, bool moves, bool claims) {
    if (!is_in_span(g, i) || !is_coordinate(g->x[i]) || !is_coordinate(g->y[i])) return false;
    if (!is_motion(g->dx[i]) || !is_motion(g->dy[i])) return false;
    if (!moves && (g->dx[i] != 0 || g->dy[i] != 0 || g->now.down < 0)) return false;
    return (moves && !claims) || pv__area_has(pv__grain_pixel(g->x[i]), pv__grain_pixel(g->y[i]));
}

/// Checks a word of slots, and adds to the number of its grains and of those that move.
static bool check_slots(const pv__grains *g, int first, int *grains, int *moving) {
    uint64_t moves = g->moving[first >> 6], claims = g->claims[first >> 6], living = 0;
    for (int i = 0; i < 64 && first + i < g->used; i++) {
        bool lives = pv__ring_lives(g, (uint32_t)(first + i));
        living |= (uint64_t)lives << i;
        if (lives ? !is_good_grain(g, first + i, moves >> i & 1, claims >> i & 1)
                  : !is_empty_slot(g, first + i))
            return false;
    }
    *grains += __builtin_popcountll(living);
    *moving += __builtin_popcountll(moves);
    return !(moves & ~living) && !(claims & ~moves);
}

static bool check_ring(const pv__grains *g) {
    int grains = 0, moving = 0;
    bool good = has_good_slots(g) && (g->used == 0 || g->dt > 0);
    for (int i = 0; good && i < g->used; i += 64) good = check_slots(g, i, &grains, &moving);
    return good && grains == g->stats.grains && moving == g->stats.moving;
}

/* ---- the rest ---- */

static bool check_sinks(const pv__grains *g) {
    bool good = g->sink_count <= PV__GRAIN_SINKS;
    for (int i = 0; good && i < g->sink_count; i++) {
        const pv_grain_sink *s = &g->sinks[i].sink;
        good = s->sensor.index != 0 || (pv__placeable(s->box.min) && pv__placeable(s->box.max) &&
                                        s->box.min.x < s->box.max.x && s->box.min.y < s->box.max.y);
    }
    return good;
}

static bool is_population(const pv_world *world, const pv__grains *g) {
    bool good = g->dt == 0 || (g->dt >= PV__LEAST_STEP && g->dt <= PV__MOST_STEP);
    good &= g->rest_x < 256 && g->rest_y < 256 && (g->def.piles || g->now.down < 0);
    for (int i = 0; good && i < world->bodies.count; i++) good = pv__placeable(g->bodies[i].center);
    return good && check_ring(g) && check_sinks(g);
}

bool pv__validate_grains(const pv_world *world) {
    const pv__grain_sets *all = &world->grains;
    bool good = pv__pool_is_good(&all->pool, all->items, sizeof *all->items);
    for (int i = 0; good && i < all->pool.count; i++)
        good = !pv__slot_lives(&all->items[i].slot) || is_population(world, &all->items[i]);
    return good;
}
