/* pv_filter.c - who meets whom.
 *
 * Invariant: what may not meet is no pair: nothing later in the step knows of it. Sensors are in no pair.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_world.h"

bool pv__is_filtered(pv_filter f) { return f.category != 1 || f.mask != 0xffffffff || f.group != 0; }

bool pv__filters_agree(pv_filter a, pv_filter b) {
    if (a.group != 0 && a.group == b.group) return a.group > 0;
    return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}

bool pv__may_meet(const pv_world *world, int a, int b) {
    return pv__filters_agree(world->bodies[a].filter, world->bodies[b].filter) && !pv__is_barred(world, a, b);
}

bool pv__is_granted(const pv_world *world, int a, int b) {
    pv_filter_fn asked = world->def.filter;
    int low = a < b ? a : b, high = a < b ? b : a;
    if (!asked) return true;
    pv_body first = low >= 0 ? pv__name_of(world, low) : (pv_body){0, 0};
    return asked(world->def.filter_user, world, first, pv__name_of(world, high));
}

bool pv__bodies_meet(const pv_world *world, int a, int b) {
    return pv__may_meet(world, a < b ? a : b, a < b ? b : a) && pv__is_granted(world, a, b);
}

bool pv__may_sense(const pv_world *world, int sensor, int visitor) {
    return !world->bodies[visitor].sensor && pv__bodies_meet(world, sensor, visitor);
}

static bool is_kept(const pv_world *world, pv__pair pair) {
    return !world->bodies[pair.a].sensor && !world->bodies[pair.b].sensor &&
           pv__bodies_meet(world, pair.a, pair.b);
}

void pv__filter_pairs(pv_world *world, int first) {
    if (!world->filtered && !world->senses && !world->def.filter && world->matter.bar_count == 0) return;
    int kept = first;
    for (int i = first; i < world->pair_count; i++)
        if (is_kept(world, world->pairs[i])) world->pairs[kept++] = world->pairs[i];
    world->pair_count = kept;
}
