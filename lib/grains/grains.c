/* grains.c - creates, destroys and reads populations, and adds their sinks.
 *
 * Invariant: a population owns all its memory, and is alone in its slot. Grains never change
 * bodies.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "grains/grains.h"
#include "core/handle.h"
#include "core/report.h"
#include "grains/area.h"
#include "grains/movers.h"
#include "grains/walk.h"

#include <string.h>

pv_grains_def pv_grains_def_default(void) {
    return (pv_grains_def){
        .capacity = 100000,
        .restitution = 0.2,
        .friction = 0.6,
        .gravity_scale = 1,
        .piles = true,
        .filter = {1, UINT32_MAX, 0},
        .color = 0xffffffff,
        .cookie = PV__COOKIE,
    };
}

const pv__field_row pv__grains_fields[6] = {
    PV__INT(pv_grains_def, capacity, 1, PV_GRAIN_MOST),
    PV__DOUBLE(pv_grains_def, restitution, 0, 1),
    PV__DOUBLE(pv_grains_def, friction, 0, 4),
    PV__DOUBLE(pv_grains_def, linear_damping, 0, 30),
    PV__DOUBLE(pv_grains_def, gravity_scale, -16, 16),
    PV__DOUBLE(pv_grains_def, life, 0, 1e6),
};

/// Returns a living population, or null.
static pv__grains *find(const pv_world *world, pv_grains_id grains) {
    if (!world) return NULL;
    int i = pv__pool_find(&world->grains.pool, world->grains.items, sizeof *world->grains.items,
                          grains.index, grains.generation);
    return i < 0 ? NULL : &world->grains.items[i];
}

pv__grains *pv__grains_begin(pv_error *e, const char *function, const pv_world *world,
                             pv_grains_id grains) {
    if (!pv__world_begin(e, function, world)) return NULL;
    pv__grains *g = find(world, grains);
    return pv__check_alive(e, "grains", g != NULL, "population") ? g : NULL;
}

pv_grains_id pv_grains_create(pv_world *world, const pv_grains_def *def, pv_error *error) {
    const pv_grains_id none = {0, 0};
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!pv__check_world(e, world) ||
        !PV__CHECK_DEF(e, def, pv_grains_def_default, pv__grains_fields)) {
        pv__refuse(world, e);
        return none;
    }
    pv__grain_sets *all = &world->grains;
    pv__grains g = {.def = *def, .now.down = -1};
    int i = -1;
    if (pv__area_create(world, &g))
        i = pv__pool_take(&world->def.allocator, &all->pool, &all->items, sizeof *all->items);
    if (i < 0) {
        pv__grains_free(world, &g);
        pv__error_set(e, PV_ERROR_MEMORY);
        pv__refuse(world, e);
        return none;
    }
    g.slot = all->items[i].slot;
    pv__pool_open(&all->pool, &g.slot);
    all->items[i] = g;
    return (pv_grains_id){(uint32_t)i + 1, g.slot.generation};
}

void pv__grains_free(pv_world *world, pv__grains *g) {
    const pv_allocator *a = &world->def.allocator;
    pv__area_destroy(world, g);
    pv__ring_free(world, g);
    pv__movers_free(world, g);
    pv__lists_free(a, &g->slides, 1);
    PV__FREE(a, g->bodies, g->body_capacity);
    PV__FREE(a, g->sinks, g->sink_capacity);
    PV__FREE(a, g->walkers, g->walker_capacity);
    PV__FREE(a, g->near, g->near_capacity);
    pv__walkers_free(world, g);
}

void pv__grains_free_all(pv_world *world) {
    pv__grain_sets *all = &world->grains;
    for (int i = 0; i < all->pool.count; i++)
        if (pv__slot_lives(&all->items[i].slot)) pv__grains_free(world, &all->items[i]);
    PV__FREE(&world->def.allocator, all->items, all->pool.capacity);
}

pv_status pv_grains_destroy(pv_world *world, pv_grains_id grains) {
    pv_error e;
    pv__grains *g = pv__grains_begin(&e, __func__, world, grains);
    if (!g) return pv__refuse(world, &e);
    pv__grains_free(world, g);
    pv__pool_leave(&world->grains.pool, world->grains.items, (int)(g - world->grains.items),
                   sizeof *g);
    return PV_OK;
}

bool pv_grains_is_valid(const pv_world *world, pv_grains_id grains) {
    return find(world, grains) != NULL;
}

pv_grains_view pv_grains_get_view(const pv_world *world, pv_grains_id grains) {
    const pv__grains *g = find(world, grains);
    if (!g) return (pv_grains_view){0};
    return (pv_grains_view){.count = g->used,
                            .oldest = g->oldest,
                            .x = g->x,
                            .y = g->y,
                            .dx = g->dx,
                            .dy = g->dy,
                            .color = g->color,
                            .born = g->born};
}

pv_grains_stats pv_grains_get_stats(const pv_world *world, pv_grains_id grains) {
    const pv__grains *g = find(world, grains);
    return g ? g->stats : (pv_grains_stats){0};
}

/* ---- sinks ---- */

static bool check_sink(pv_error *e, const pv_world *world, const pv_grain_sink *sink) {
    if (!pv__check_pointer(e, "sink", sink)) return false;
    if (sink->sensor.index != 0) {
        const pv__body *b = pv__check_body(e, world, "sink.sensor", sink->sensor);
        return b && (b->sensor || pv__error_say(e, PV_ERROR_ARGUMENT, "sink.sensor",
                                                "sink.sensor is no sensor") == PV_OK);
    }
    return pv__check_place(e, "sink.box", sink->box.min) &&
           pv__check_place(e, "sink.box", sink->box.max) &&
           ((sink->box.min.x < sink->box.max.x && sink->box.min.y < sink->box.max.y) ||
            pv__error_say(e, PV_ERROR_ARGUMENT, "sink.box", "sink.box is empty") == PV_OK);
}

pv_status pv_grains_add_sink(pv_world *world, pv_grains_id grains, const pv_grain_sink *sink) {
    pv_error e;
    pv__grains *g = pv__grains_begin(&e, __func__, world, grains);
    if (!g || !check_sink(&e, world, sink)) return pv__refuse(world, &e);
    if (g->sink_count == PV__GRAIN_SINKS)
        pv__error_set(&e, PV_ERROR_TOO_LARGE);
    else if (!PV__RESERVE(&world->def.allocator, g->sinks, g->sink_capacity, g->sink_count + 1))
        pv__error_set(&e, PV_ERROR_MEMORY);
    if (e.status != PV_OK) return pv__refuse(world, &e);
    g->sinks[g->sink_count] = (pv__grain_sink_state){.sink.sensor = sink->sensor};
    if (!sink->sensor.index) g->sinks[g->sink_count].sink.box = sink->box;
    g->sink_count++;
    return PV_OK;
}

int pv_grains_get_sink_counts(const pv_world *world, pv_grains_id grains,
                              pv_grain_sink_count *counts, int capacity) {
    const pv__grains *g = find(world, grains);
    if (!g) return 0;
    for (int i = 0; counts && i < capacity && i < g->sink_count; i++) counts[i] = g->sinks[i].count;
    return g->sink_count;
}
