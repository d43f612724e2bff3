/* stream_grains.c - populations of grains as bytes.
 *
 * Invariant: columns are copied as they are. The pixels of grains and of the ground follow from
 * them and from the bodies, so they are drawn anew. A row that was not dirty has no unstable grain;
 * all rows are therefore marked.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/error.h"
#include "grains/area.h"
#include "grains/bodies.h"
#include "grains/grains.h"
#include "grains/pile.h"
#include "grains/ring.h"
#include "snapshot/stream.h"

/// Bytes of a grain in all columns
enum { STREAM_GRAIN_BYTES = 24 };

/* ---- numbers ---- */

static void tape_grains_def(pv__stream *t, pv_grains_def *d) {
    bool *const flags[] = {&d->piles, &d->follow};
    pv_error e;
    if (t->reads) *d = pv_grains_def_default();
    pv__stream_int(t, &d->capacity, 1, PV_GRAIN_MOST);
    pv__stream_double(t, &d->restitution);
    pv__stream_double(t, &d->friction);
    pv__stream_double(t, &d->linear_damping);
    pv__stream_double(t, &d->gravity_scale);
    pv__stream_double(t, &d->life);
    pv__stream_filter(t, &d->filter);
    pv__stream_u32(t, &d->color);
    pv__stream_flags(t, flags, 2);
    t->broken |= !pv__grains_check_def(pv__error_begin(__func__, &e, NULL), d);
}

/// Transfers a count of at least 0.
static void tape_total(pv__stream *t, int64_t *total) {
    uint64_t word = (uint64_t)*total;
    pv__stream_u64(t, &word);
    if (!t->reads) return;
    t->broken |= word > (uint64_t)INT64_MAX / 2;
    *total = t->broken ? 0 : (int64_t)word;
}

/// Transfers what a step compares its gravity and its slopes with.
static void tape_slopes(pv__stream *t, pv__grain_numbers *n) {
    pv__stream_int(t, &n->down, -1, 3);
    if (t->reads) n->deep = 1;
    for (int i = 0; i < 2 * (PV__GRAIN_LOOK + 1); i++) {
        int8_t *drop = &n->drops[i / (PV__GRAIN_LOOK + 1)][i % (PV__GRAIN_LOOK + 1)];
        uint64_t word = (uint64_t)(*drop + 1);
        pv__stream_u8(t, &word);
        t->broken |= word >= PV__GRAIN_DEEP;
        if (t->reads) *drop = (int8_t)(t->broken ? 0 : (int)word - 1);
        if (t->reads) n->deep = pv__later(n->deep, *drop + 1);
    }
}

static void tape_grains_numbers(pv__stream *t, pv__grains *g) {
    pv_grains_stats *s = &g->stats;
    int64_t *const totals[] = {&g->rest_x, &g->rest_y, &s->emitted, &s->expired,
                               &s->lost,   &s->sunk,   &s->merged};
    pv__stream_double(t, &g->dt);
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++) tape_total(t, totals[i]);
    pv__stream_int(t, &s->grains, 0, PV_GRAIN_MOST);
    pv__stream_int(t, &s->moving, 0, PV_GRAIN_MOST);
    tape_slopes(t, &g->now);
}

/* ---- columns ---- */

static bool tape_ring(pv__stream *t, const pv_world *world, pv__grains *g) {
    int used = g->used, oldest = g->oldest, span = g->span;
    pv__stream_int(t, &used, 0, g->def.capacity);
    pv__stream_int(t, &oldest, 0, g->def.capacity - 1);
    pv__stream_int(t, &span, 0, g->def.capacity);
    if (t->reads &&
        (!pv__stream_holds(t, used, STREAM_GRAIN_BYTES) || !pv__ring_reserve(world, g, used)))
        return false;
    g->used = used;
    g->oldest = oldest;
    g->span = span;
    if (used == 0) return true;
    void *const columns[] = {g->x, g->y, g->dx, g->dy, g->color, g->born};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        pv__stream_halves(t, columns[i], used);
    pv__stream_words(t, g->moving, (used + 63) / 64);
    pv__stream_words(t, g->claims, (used + 63) / 64);
    return !t->broken;
}

/* ---- sinks ---- */

static bool tape_sinks(pv__stream *t, const pv_world *world, pv__grains *g) {
    if (!pv__stream_count(t, &world->def.allocator, &g->sinks, &g->sink_capacity, &g->sink_count,
                          sizeof *g->sinks, 20))
        return false;
    for (int i = 0; i < g->sink_count; i++) {
        pv__grain_sink_state *s = &g->sinks[i];
        if (t->reads) *s = (pv__grain_sink_state){0};
        PV__TAPE_NAME(t, &s->sink.sensor);
        if (s->sink.sensor.index == 0) {
            pv__stream_vec(t, &s->sink.box.min);
            pv__stream_vec(t, &s->sink.box.max);
        }
        pv__stream_int(t, &s->count.last_step, 0, PV_GRAIN_MOST);
        tape_total(t, &s->count.total);
    }
    return !t->broken;
}

/* ---- bodies ---- */

/// Transfers what a population last saw of a body: a byte, and a pose if it is another one.
static void tape_sight(pv__stream *t, const pv_world *world, pv__grains *g, int index) {
    const pv__body *b = &world->bodies.items[index];
    uint64_t sight = t->reads ? 0 : pv__grain_bodies_sight(world, g, index);
    pv__stream_u8(t, &sight);
    t->broken |= sight > 7 || (sight && (!(sight & PV__SIGHT_SEEN) || !pv__body_is_alive(b)));
    if (t->broken || !sight) return;
    pv__grain_body none = {.center = b->pose.center, .turn = b->pose.turn};
    pv__grain_body *seen = &g->bodies[index];
    if (t->reads) *seen = none;
    if (sight & PV__SIGHT_MOVED) {
        pv__stream_vec(t, &seen->center);
        pv__stream_turn(t, &seen->turn);
    }
    if (!t->reads) return;
    seen->generation = b->generation;
    seen->grounded = sight & PV__SIGHT_GROUND;
}

static bool tape_sights(pv__stream *t, const pv_world *world, pv__grains *g) {
    int count = world->bodies.count;
    if (t->reads) {
        if (!pv__stream_holds(t, count, 1) ||
            !pv__reserve(&world->def.allocator, &g->bodies, &g->body_capacity, count,
                         sizeof *g->bodies))
            return false;
        for (int i = 0; i < g->body_capacity; i++) g->bodies[i] = (pv__grain_body){0};
    }
    for (int i = 0; i < count && !t->broken; i++) tape_sight(t, world, g, i);
    return !t->broken;
}

/* ---- populations ---- */

static bool tape_population(pv__stream *t, pv_world *world, pv__grains *g) {
    if (!pv__stream_slot(t, &world->grains.pool, &g->slot)) return !t->broken;
    if (t->reads && !pv__area_create(world, g)) return false;
    tape_grains_def(t, &g->def);
    tape_grains_numbers(t, g);
    return !t->broken && tape_ring(t, world, g) && tape_sinks(t, world, g) &&
           tape_sights(t, world, g);
}

bool pv__stream_grains(pv__stream *t, pv_world *world) {
    pv__grain_sets *all = &world->grains;
    if (!pv__stream_pool(t, world, &all->pool, &all->items, sizeof *all->items)) return false;
    for (int i = 0; i < all->pool.count; i++)
        if (!tape_population(t, world, &all->items[i])) return false;
    if (!t->reads) return true;
    all->pool.living = 0;
    for (int i = 0; i < all->pool.count; i++)
        all->pool.living += pv__slot_lives(&all->items[i].slot);
    return true;
}

/* ---- what follows from the bytes ---- */

/// Puts the grains of a word of slots into their pixels.
static pv_status take_pixels(pv_world *world, pv__grains *g, int first, uint64_t slots,
                             uint64_t moving) {
    for (; slots; slots &= slots - 1) {
        int bit = __builtin_ctzll(slots);
        uint32_t slot = (uint32_t)(first + bit);
        unsigned u = pv__grain_pixel(g->x[slot]), v = pv__grain_pixel(g->y[slot]);
        pv__grain_tile *tile = pv__area_tile(g, u, v);
        if (tile && tile->rows[v & 63].taken >> (u & 63) & 1) return PV_ERROR_FORMAT;
        if (!pv__area_take(world, g, u, v, slot)) return PV_ERROR_MEMORY;
        if (!(moving >> bit & 1)) pv__area_tile(g, u, v)->rests[v & 63] |= UINT64_C(1) << (u & 63);
    }
    return PV_OK;
}

/// Returns the bits of the living grains of a word of slots.
static uint64_t living_slots(const pv__grains *g, int first) {
    uint64_t living = 0;
    for (int i = 0; i < 64 && first + i < g->used; i++)
        living |= (uint64_t)pv__ring_lives(g, (uint32_t)(first + i)) << i;
    return living;
}

static pv_status open_population(pv_world *world, pv__grains *g) {
    g->coarse = true;
    for (int i = 0; i < world->bodies.count; i++)
        if (!pv__grain_bodies_recall(world, g, i)) return PV_ERROR_MEMORY;
    for (int i = 0; i < g->used; i += 64) {
        uint64_t moving = g->moving[i >> 6],
                 held = (living_slots(g, i) & ~moving) | g->claims[i >> 6];
        pv_status s = take_pixels(world, g, i, held, moving);
        if (s != PV_OK) return s;
    }
    if (!pv__area_refresh_all(world, g)) return PV_ERROR_MEMORY;
    pv__pile_unsettle_all(g);
    return PV_OK;
}

pv_status pv__stream_grains_open(pv_world *world) {
    pv_status s = PV_OK;
    for (int i = 0; i < world->grains.pool.count && s == PV_OK; i++)
        if (pv__slot_lives(&world->grains.items[i].slot))
            s = open_population(world, &world->grains.items[i]);
    return s;
}

void pv__stream_grains_keep(pv_world *world, pv_world *replaced) {
    for (int i = 0; i < world->grains.pool.count && i < replaced->grains.pool.count; i++) {
        pv__grains *g = &world->grains.items[i], *was = &replaced->grains.items[i];
        if (!pv__slot_lives(&g->slot) || g->slot.generation != was->slot.generation) continue;
        struct pv__grain_movers *movers = g->movers;
        g->movers = was->movers;
        was->movers = movers;
        pv__swap(&g->walkers, &g->walker_capacity, &was->walkers, &was->walker_capacity);
        pv__swap(&g->near, &g->near_capacity, &was->near, &was->near_capacity);
        pv__swap(&g->ways, &g->way_capacity, &was->ways, &was->way_capacity);
        pv__swap(&g->changed.items, &g->changed.capacity, &was->changed.items,
                 &was->changed.capacity);
        pv__swap(&g->slides.items, &g->slides.capacity, &was->slides.items, &was->slides.capacity);
        g->def.color_callback = was->def.color_callback;
        g->def.color_user_data = was->def.color_user_data;
    }
}
