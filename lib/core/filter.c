/* filter.c - collision filters.
 *
 * Invariant: colliders that may not collide form no pair, so no later stage of the step sees them.
 * Sensors are in no pair.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/filter.h"

bool pv__filter_agrees(pv_filter a, pv_filter b) {
    if (a.group_index != 0 && a.group_index == b.group_index) return a.group_index > 0;
    return (a.category_bits & b.mask_bits) != 0 && (b.category_bits & a.mask_bits) != 0;
}

bool pv__filter_may_meet(const pv_world *world, int a, int b) {
    return pv__filter_agrees(world->bodies.items[a].filter, world->bodies.items[b].filter) &&
           !pv__filter_is_barred(world, a, b);
}

bool pv__filter_are_granted(const pv_world *world, pv_body_id a, pv_body_id b) {
    pv_filter_fn asked = world->def.filter_callback;
    return !asked || asked(world->def.filter_user_data, world, a, b);
}

bool pv__filter_is_granted(const pv_world *world, int a, int b) {
    int low = a < b ? a : b, high = a < b ? b : a;
    if (!world->def.filter_callback) return true;
    pv_body_id first = low >= 0 ? pv__handle_of_body(world, low) : (pv_body_id){0, 0};
    return pv__filter_are_granted(world, first, pv__handle_of_body(world, high));
}

bool pv__filter_bodies_meet(const pv_world *world, int a, int b) {
    return pv__filter_may_meet(world, a < b ? a : b, a < b ? b : a) &&
           pv__filter_is_granted(world, a, b);
}

bool pv__filter_may_sense(const pv_world *world, int sensor, int visitor) {
    return !world->bodies.items[visitor].sensor && pv__filter_may_meet(world, sensor, visitor);
}

static bool is_kept(const pv_world *world, pv__pair pair) {
    return !world->bodies.items[pair.a].sensor && !world->bodies.items[pair.b].sensor &&
           pv__filter_bodies_meet(world, pair.a, pair.b);
}

void pv__filter_pairs(pv_world *world, int first) {
    if (!world->bodies.filtered && !world->bodies.sensing && !world->def.filter_callback &&
        world->matter.bar_count == 0)
        return;
    int kept = first;
    for (int i = first; i < world->broad_phase.pair_count; i++)
        if (is_kept(world, world->broad_phase.pairs[i]))
            world->broad_phase.pairs[kept++] = world->broad_phase.pairs[i];
    world->broad_phase.pair_count = kept;
}

bool pv__filter_is_barred(const pv_world *world, int a, int b) {
    const pv__matter *m = &world->matter;
    if (m->bar_count == 0) return false;
    pv__bar wanted = {a < b ? a : b, a < b ? b : a};
    return pv__sorted_has(m->bars, m->bar_count, sizeof wanted, &wanted, pv__compare_pairs);
}
