/* pv_filter.c - who meets whom.
 *
 * Invariant: what may not meet is no pair: nothing later in the step knows of it.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_world.h"

bool pv__is_filtered(pv_filter f) { return f.category != 1 || f.mask != 0xffffffff || f.group != 0; }

static bool agree(pv_filter a, pv_filter b) {
    if (a.group != 0 && a.group == b.group) return a.group > 0;
    return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

bool pv__may_meet(const pv_world *world, int a, int b) {
    return agree(world->bodies[a].filter, world->bodies[b].filter) && !pv__is_barred(world, a, b);
}

void pv__filter_pairs(pv_world *world) {
    if (!world->filtered && world->matter.bar_count == 0) return;
    int kept = 0;
    for (int i = 0; i < world->pair_count; i++)
        if (pv__may_meet(world, world->pairs[i].a, world->pairs[i].b)) world->pairs[kept++] = world->pairs[i];
    world->pair_count = kept;
}
