/* ring.c - manages the slots of grains, from their birth to their end.
 *
 * Invariant: living grains are in span slots, starting with the oldest one, in order of birth.
 * A slot without a grain has y = PV_GRAIN_NONE and no bits.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "grains/area.h"
#include "grains/grains.h"
#include "grains/numbers.h"

#include <string.h>

/// Lists the columns with an item for each slot, then those with a word for 64 slots.
static void list_columns(pv__grains *g, pv__array columns[PV__GRAIN_COLUMNS]) {
    const pv__array all[PV__GRAIN_COLUMNS] = {
        {&g->x, sizeof *g->x},           {&g->y, sizeof *g->y},
        {&g->dx, sizeof *g->dx},         {&g->dy, sizeof *g->dy},
        {&g->color, sizeof *g->color},   {&g->born, sizeof *g->born},
        {&g->moving, sizeof *g->moving}, {&g->claims, sizeof *g->claims},
    };
    memcpy(columns, all, sizeof all);
}

bool pv__ring_reserve(const pv_world *world, pv__grains *g, int more) {
    const int bits = PV__GRAIN_COLUMNS - 2;
    const pv_allocator *a = &world->def.allocator;
    int64_t need = (int64_t)g->oldest + g->span + more;
    if (need > g->def.capacity) need = g->def.capacity;
    if (need <= g->capacity) return true;
    int to = pv__sooner(pv__table_length(g->capacity, need), (g->def.capacity + 63) & ~63);
    pv__array columns[PV__GRAIN_COLUMNS];
    list_columns(g, columns);
    if (!pv__arrays_reserve(a, columns, g->lengths, bits, to) ||
        !pv__arrays_reserve(a, &columns[bits], &g->lengths[bits], 2, to / 64))
        return false;
    for (int i = g->capacity; i < to; i++) g->y[i] = PV_GRAIN_NONE;
    g->capacity = to;
    return true;
}

void pv__ring_free(const pv_world *world, pv__grains *g) {
    pv__array columns[PV__GRAIN_COLUMNS];
    list_columns(g, columns);
    pv__arrays_free(&world->def.allocator, columns, g->lengths, PV__GRAIN_COLUMNS);
}

/// Drops slots without a grain from the old end.
static void trim(pv__grains *g) {
    while (g->span > 0 && !pv__ring_lives(g, (uint32_t)g->oldest)) {
        g->oldest = (g->oldest + 1) % g->def.capacity;
        g->span--;
    }
    if (g->span == 0) g->oldest = g->used = 0;
}

void pv__ring_add(const pv_world *world, pv__grains *g, pv_vec2 position, pv_vec2 velocity,
                  uint32_t color) {
    if (g->span == g->def.capacity) {
        if (pv__ring_lives(g, (uint32_t)g->oldest)) {
            g->stats.expired++;
            pv__ring_end(g, (uint32_t)g->oldest);
        }
        g->oldest = (g->oldest + 1) % g->def.capacity;
        g->span--;
    }
    double dt = g->dt > 0 ? g->dt : 1.0 / 60;
    g->dt = dt;
    int i = (g->oldest + g->span++) % g->def.capacity;
    g->used = pv__later(g->used, i + 1);
    g->x[i] = (int32_t)pv__floor(position.x * 65536);
    g->y[i] = (int32_t)pv__floor(position.y * 65536);
    g->dx[i] = pv__grain_motion(velocity.x, dt);
    g->dy[i] = pv__grain_motion(velocity.y, dt);
    g->color[i] = color;
    g->born[i] = (uint32_t)world->steps;
    g->moving[i >> 6] |= UINT64_C(1) << (i & 63);
    g->stats.emitted++;
    g->stats.grains++;
    g->stats.moving++;
}

void pv__ring_end(pv__grains *g, uint32_t slot) {
    uint64_t bit = UINT64_C(1) << (slot & 63);
    unsigned u = pv__grain_pixel(g->x[slot]), v = pv__grain_pixel(g->y[slot]);
    if (!pv__ring_moves(g, slot)) pv__pile_wake(g, u, v);
    if (g->claims[slot >> 6] & bit) pv__area_free(g, u, v);
    g->moving[slot >> 6] &= ~bit;
    g->claims[slot >> 6] &= ~bit;
    g->stats.moving--;
    g->stats.grains--;
    g->x[slot] = g->dx[slot] = g->dy[slot] = 0;
    g->y[slot] = PV_GRAIN_NONE;
    g->color[slot] = g->born[slot] = 0;
}

void pv__ring_expire(const pv_world *world, pv__grains *g) {
    trim(g);
    if (g->def.life == 0 || !(g->dt > 0)) return;
    double steps = pv__floor(pv__min(g->def.life / g->dt, 2e9) + 0.5);
    while (g->span > 0 && (double)((uint32_t)world->steps - g->born[g->oldest]) >= steps) {
        g->stats.expired++;
        pv__ring_end(g, (uint32_t)g->oldest);
        trim(g);
    }
}

void pv__ring_unsettle(pv__grains *g, bool wakes) {
    for (int i = 0; wakes && i < g->used; i++)
        if (pv__ring_lives(g, (uint32_t)i) && !pv__ring_moves(g, (uint32_t)i))
            pv__pile_wake(g, pv__grain_pixel(g->x[i]), pv__grain_pixel(g->y[i]));
    if (!wakes) pv__pile_unsettle_all(g);
}
