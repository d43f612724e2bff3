/* pv_filter.c - who meets whom.
 *
 * Invariant: what may not meet is no pair: nothing later in the step knows of it. What meets a sensor is listed apart, and
 * nothing but the events knows of that.
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

/// Sensors do not sense each other.
static bool list_sensed(pv_world *world, pv__pair pair) {
    if (world->bodies[pair.a].sensor && world->bodies[pair.b].sensor) return true;
    if (!pv__reserve(&world->def.allocator, &world->sensed, &world->sensed_capacity, world->sensed_count + 1,
                     sizeof pair))
        return false;
    world->sensed[world->sensed_count++] = pair;
    return true;
}

/// Whether a pair is to be touched; what is to be sensed is listed.
static bool is_kept(pv_world *world, pv__pair pair) {
    pv_filter_fn asked = world->def.filter;
    if (!pv__may_meet(world, pair.a, pair.b)) return false;
    if (asked && !asked(world->def.filter_user, world, pv__name_of(world, pair.a), pv__name_of(world, pair.b)))
        return false;
    if (!world->bodies[pair.a].sensor && !world->bodies[pair.b].sensor) return true;
    if (!list_sensed(world, pair)) world->flags |= PV_STEP_NO_MEMORY;
    return false;
}

void pv__filter_pairs(pv_world *world) {
    world->sensed_count = 0;
    if (!world->filtered && !world->senses && !world->def.filter && world->matter.bar_count == 0) return;
    int kept = 0;
    for (int i = 0; i < world->pair_count; i++)
        if (is_kept(world, world->pairs[i])) world->pairs[kept++] = world->pairs[i];
    world->pair_count = kept;
}
