/* manifold.c - the manifolds of a world.
 *
 * Invariant: a pair has a slot while its boxes overlap or both its bodies sleep. The table leads
 * from the pair to its slot. The list active has the slots whose boxes overlap in this step, sorted
 * by pair.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/manifold.h"
#include "collide/contact_points.h"
#include "collide/narrow_phase.h"
#include "core/events.h"
#include "core/impulse.h"
#include "core/pose.h"

#include <limits.h>
#include <string.h>

/* ---- the table: open addressing, linear probing ---- */

static uint32_t home_of(const pv_world *world, int a, int b) {
    uint64_t x = ((uint64_t)(uint32_t)a << 32 | (uint32_t)b) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(x >> 32) & (uint32_t)(world->manifolds.table_size - 1);
}

/// Returns the place of a pair in the table, or the empty place for it.
static uint32_t place_of(const pv_world *world, int a, int b) {
    uint32_t i = home_of(world, a, b), last = (uint32_t)(world->manifolds.table_size - 1);
    for (; world->manifolds.table[i] >= 0; i = (i + 1) & last) {
        const pv__manifold *m = &world->manifolds.items[world->manifolds.table[i]];
        if (m->a == a && m->b == b) break;
    }
    return i;
}

/// Returns the slot of a pair, or -1.
static int find_slot(const pv_world *world, int a, int b) {
    return world->manifolds.table_size > 0 ? world->manifolds.table[place_of(world, a, b)] : -1;
}

/// Removes a place from the table and closes the gap.
static void clear_place(pv_world *world, uint32_t hole) {
    uint32_t last = (uint32_t)(world->manifolds.table_size - 1);
    for (uint32_t i = (hole + 1) & last; world->manifolds.table[i] >= 0; i = (i + 1) & last) {
        const pv__manifold *m = &world->manifolds.items[world->manifolds.table[i]];
        uint32_t home = home_of(world, m->a, m->b);
        if (((i - home) & last) < ((i - hole) & last)) continue;
        world->manifolds.table[hole] = world->manifolds.table[i];
        hole = i;
    }
    world->manifolds.table[hole] = -1;
}

void pv__manifold_enter_all(pv_world *world) {
    memset(world->manifolds.table, 0xff,
           (size_t)world->manifolds.table_size * sizeof *world->manifolds.table);
    for (int i = 0; i < world->manifolds.count; i++) {
        const pv__manifold *m = &world->manifolds.items[i];
        if (m->a >= 0) world->manifolds.table[place_of(world, m->a, m->b)] = i;
    }
}

/// Makes a table of a size and enters all slots; returns false without memory, and for 0.
static bool make_table(pv_world *world, int size) {
    int *table = size > 0 ? pv__alloc(&world->def.allocator, (size_t)size, sizeof *table) : NULL;
    if (!table) return false;
    PV__FREE(&world->def.allocator, world->manifolds.table, world->manifolds.table_size);
    world->manifolds.table = table;
    world->manifolds.table_size = size;
    pv__manifold_enter_all(world);
    return true;
}

/* ---- slots ---- */

/// Returns a slot for a new pair, or -1 without memory.
static int take_slot(pv_world *world) {
    pv__manifolds *all = &world->manifolds;
    int slot = all->free, need = all->count + 1;
    if (slot >= 0) {
        all->free = all->items[slot].b;
        return slot;
    }
    if ((2 * need > all->table_size &&
         !make_table(world, pv__table_length(all->table_size, 2 * need))) ||
        !PV__RESERVE(&world->def.allocator, all->items, all->capacity, need) ||
        !pv__contact_points_reserve(world, need, 0) || !pv__events_reserve_meetings(world, need))
        return -1;
    all->items[all->count].wide = false;
    return all->count++;
}

void pv__manifold_clear(pv_world *world, int slot, int a, int b) {
    pv__contact_points_end(world, &world->manifolds.items[slot]);
    world->manifolds.items[slot] = (pv__manifold){.a = a, .b = b};
    pv__contact_points_begin(world, slot);
}

static bool is_unit(pv_rotation r) { return pv__within(r.c * r.c + r.s * r.s, 0.99, 1.01); }

/// Tells whether a manifold was made from lost poses, which are not finite or out of range.
static bool is_lost(const pv_world *world, const pv__manifold *m) {
    double w =
        pv__max(world->bodies.items[m->a].inverse_mass, world->bodies.items[m->b].inverse_mass);
    double sum = m->foreseen + m->clearance + m->apart.x + m->apart.y;
    bool good = is_unit(m->turn_a) && is_unit(m->turn_b);
    for (int i = 0; i < m->count; i++) {
        const pv__contact_point *p = &m->points[i];
        sum += p->anchor_a.x + p->anchor_a.y + p->anchor_b.x + p->anchor_b.y + p->normal.x +
               p->normal.y + p->gap + p->radius_a + p->radius_b + 1e-300 * p->impulse_roll;
        good = good && pv__within(p->impulse_n * w, PV__RANGE_KICK) &&
               pv__within(p->impulse_t * w, PV__RANGE_KICK);
    }
    return !good || !pv__finite(sum);
}

void pv__manifold_forget_lost(pv_world *world) {
    for (int i = 0; i < world->manifolds.count && world->events.frozen_count > 0; i++) {
        pv__manifold *m = &world->manifolds.items[i];
        if (m->a < 0 || !m->made || !is_lost(world, m)) continue;
        m->count = 0;
        m->made = world->solver.ordered = false;
        m->foreseen = m->clearance = 0;
        m->apart = pv__vec(0, 0);
        m->turn_a = m->turn_b = (pv_rotation){0, 0};
    }
}

bool pv__manifold_reserve(pv_world *world, int slots, int wide, int active) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__manifolds *all = &world->manifolds;
    int size = pv__table_length(all->table_size, 2 * ((int64_t)slots + 1));
    return PV__RESERVE(allocator, all->items, all->capacity, slots) &&
           pv__contact_points_reserve(world, slots, wide) &&
           (size == all->table_size || make_table(world, size)) &&
           PV__RESERVE(allocator, all->active, all->active_capacity, active);
}

static void drop(pv_world *world, int slot) {
    pv__manifold *m = &world->manifolds.items[slot];
    pv__events_tell_dropped(world, m);
    clear_place(world, place_of(world, m->a, m->b));
    pv__manifold_clear(world, slot, -1, world->manifolds.free);
    world->manifolds.free = slot;
}

/// Gives a slot to a new pair.
static void begin_pair(pv_world *world, pv__pair pair, int slot) {
    pv__manifold *m = &world->manifolds.items[slot];
    pv__manifold_clear(world, slot, pair.a, pair.b);
    m->generation_a = world->bodies.items[pair.a].generation;
    m->generation_b = world->bodies.items[pair.b].generation;
    world->solver.ordered = false;
}

/// Returns the slot of a pair, a new one if necessary; -1 without memory.
static int slot_of(pv_world *world, pv__pair pair) {
    int slot = find_slot(world, pair.a, pair.b);
    if (slot >= 0) return slot;
    slot = take_slot(world);
    if (slot < 0) {
        world->out_of_memory = true;
        return -1;
    }
    begin_pair(world, pair, slot);
    world->manifolds.table[place_of(world, pair.a, pair.b)] = slot;
    return slot;
}

/* ---- manifolds of the step ---- */

static bool has_these_bodies(const pv_world *world, const pv__manifold *m) {
    return world->bodies.items[m->a].generation == m->generation_a &&
           world->bodies.items[m->b].generation == m->generation_b;
}

/// Tells whether both bodies sleep and could touch.
static bool manifold_sleeps(const pv_world *world, const pv__manifold *m) {
    const pv__body *a = &world->bodies.items[m->a], *b = &world->bodies.items[m->b];
    return !a->awake && !b->awake && pv__body_is_present(a) && pv__body_is_present(b) &&
           (a->type == PV_BODY_DYNAMIC || b->type == PV_BODY_DYNAMIC);
}

/// Resets the flags of a manifold for a step.
static void manifold_begin(const pv_world *world, pv__manifold *m) {
    m->step = world->steps + 1;
    pv__flag_lower(&m->pressed);
    pv__flag_lower(&m->hit);
    m->struck = m->passes = m->judged = m->stops = false;
}

/// Computes the material and the thinness of a manifold's pair.
static void find_material(const pv_world *world, pv__manifold *m) {
    const pv__body *a = &world->bodies.items[m->a], *b = &world->bodies.items[m->b];
    m->fixed = a->inverse_mass == 0 || b->inverse_mass == 0;
    m->slight = m->fixed && (pv__body_is_thin(a) || pv__body_is_thin(b));
    m->material = pv__impulse_material_of(world, m->a, m->b);
}

/// Restarts a slot for its pair if the bodies are new ones. Computes the pair's material, unless it
/// is mixed and no presolve may have changed it.
static void renew(pv_world *world, pv__pair pair, int slot, bool mixed) {
    pv__manifold *m = &world->manifolds.items[slot];
    if (world->manifolds.stale && !has_these_bodies(world, m)) {
        pv__events_tell_dropped(world, m);
        begin_pair(world, pair, slot);
    } else if (mixed && !m->judged) {
        return;
    }
    find_material(world, m);
}

/// Prepares the manifold of a pair for a step. A mixed one already has the material of its bodies.
PV__INLINE void activate(pv_world *world, pv__pair pair, int slot, bool mixed) {
    pv__manifold *m = &world->manifolds.items[slot];
    if (world->manifolds.stale | !mixed | m->judged) renew(world, pair, slot, mixed);
    manifold_begin(world, m);
}

/// Tells whether a slot's manifold is no longer needed.
static bool is_past(const pv_world *world, int slot) {
    const pv__manifold *m = &world->manifolds.items[slot];
    return m->a >= 0 && m->step != world->steps + 1 &&
           !(has_these_bodies(world, m) && manifold_sleeps(world, m));
}

static void drop_past(pv_world *world) {
    bool all = world->manifolds.stale;
    int count = all ? world->manifolds.count : world->manifolds.was_active_count;
    for (int i = 0; i < count; i++) {
        int slot = all ? i : world->manifolds.was_active[i];
        if (is_past(world, slot)) drop(world, slot);
    }
    world->manifolds.stale = false;
}

/// Returns the number by which pairs are sorted.
PV__INLINE int64_t rank_of(int a, int b) { return a * (INT64_C(1) << 32) + b; }

/// Merge of the step's pairs with the last step's slots, which are in order of pairs
typedef struct keeping {
    /// Slots of the last step, and the next one to compare; slots without a pair move to the front
    int *slots;
    int next, end, gone;
} keeping;

/// Returns the slot of a pair in the last step's list, or -1. The search starts behind the last
/// match.
PV__INLINE int kept_slot(pv__manifold *all, keeping *k, pv__pair pair) {
    int64_t rank = rank_of(pair.a, pair.b);
    for (; k->next < k->end; k->next++) {
        const pv__manifold *m = pv__listed_manifold(all, k->slots, k->next, k->end);
        int slot = k->slots[k->next];
        int64_t here = rank_of(m->a, m->b);
        if (here > rank) break;
        if (here == rank) return k->next++, slot;
        k->slots[k->gone++] = slot;
    }
    return -1;
}

/// Reserves memory for the step's list; returns false without memory.
static bool reserve_active(pv_world *world, int need) {
    if (PV__RESERVE(&world->def.allocator, world->manifolds.active,
                    world->manifolds.active_capacity, need))
        return true;
    world->out_of_memory = true;
    return false;
}

static void swap_active(pv_world *world) {
    pv__swap(&world->manifolds.active, &world->manifolds.active_capacity,
             &world->manifolds.was_active, &world->manifolds.was_active_capacity);
    world->manifolds.was_active_count = world->manifolds.active_count;
    world->manifolds.active_count = 0;
}

void pv__manifold_keep_pairs(pv_world *world) {
    swap_active(world);
    int pair_count = world->broad_phase.pair_count;
    if (!reserve_active(world, pair_count + 1)) {
        world->solver.ordered = false;
        world->manifolds.stale = true;
        return;
    }
    /* at once: in a first step all pairs are new. If this fails, each pair tries for itself. */
    if (pair_count > world->manifolds.capacity && !pv__manifold_reserve(world, pair_count, 0, 0))
        world->out_of_memory = true;
    keeping k = {world->manifolds.was_active, 0, world->manifolds.was_active_count, 0};
    bool mixed = world->manifolds.mixed && !world->solver.restored;
    int *active = world->manifolds.active, count = 0;
    const pv__pair *pairs = world->broad_phase.pairs;
    for (int i = 0; i < pair_count; i++) {
        pv__pair pair = pairs[i];
        int kept = kept_slot(world->manifolds.items, &k, pair);
        int slot = kept >= 0 ? kept : slot_of(world, pair);
        if (slot < 0) continue;
        activate(world, pair, slot, mixed && kept >= 0);
        active[count++] = slot;
    }
    kept_slot(world->manifolds.items, &k, (pv__pair){INT_MAX, 0});
    world->manifolds.active_count = count;
    world->manifolds.was_active_count = k.gone;
    drop_past(world);
    world->manifolds.mixed = true;
    world->solver.ordered &= count == k.end && k.gone == 0;
}

void pv__manifold_hold_all(pv_world *world) {
    world->broad_phase.pair_count = 0;
    world->broad_phase.crowded = false;
    for (int i = 0; i < world->manifolds.active_count; i++) {
        pv__manifold *m = pv__active_manifold(world, i);
        manifold_begin(world, m);
        if (world->solver.restored) find_material(world, m); /* not part of a snapshot */
    }
}

bool pv__manifold_insert(pv_world *world, int slot) {
    if (!reserve_active(world, world->manifolds.active_count + 1)) return false;
    int *active = world->manifolds.active, i = world->manifolds.active_count++;
    const pv__manifold *m = &world->manifolds.items[slot];
    for (; i > 0; i--) {
        const pv__manifold *n = &world->manifolds.items[active[i - 1]];
        if (rank_of(n->a, n->b) < rank_of(m->a, m->b)) break;
        active[i] = active[i - 1];
    }
    active[i] = slot;
    return true;
}

static bool is_active(const pv_world *world, pv__pair pair) {
    const pv__manifold *m = pv__manifold_between(world, pair.a, pair.b);
    return m && m->step == world->steps + 1 && has_these_bodies(world, m);
}

/// Sorts the pairs from the first on. The grids list them in an order that no snapshot keeps.
static void sort_pairs_from(pv_world *world, int first) {
    pv__sort(world->broad_phase.pairs + first, world->broad_phase.pair_count - first,
             sizeof *world->broad_phase.pairs, pv__compare_pairs);
}

void pv__manifold_merge(pv_world *world, int first) {
    pv__manifolds *m = &world->manifolds;
    const pv__pair *met = world->broad_phase.pairs + first;
    int count = world->broad_phase.pair_count - first, i = m->active_count - 1;
    if (count == 0 || !reserve_active(world, m->active_count + count)) return;
    sort_pairs_from(world, first);
    m->active_count += count;
    for (int j = count - 1, k = i + count; j >= 0; k--) {
        const pv__manifold *n = i >= 0 ? &m->items[m->active[i]] : NULL;
        bool later = n && rank_of(n->a, n->b) > rank_of(met[j].a, met[j].b);
        m->active[k] = later ? m->active[i--] : slot_of(world, met[j--]);
    }
}

void pv__manifold_add_pairs(pv_world *world, int first, int due) {
    int end = world->broad_phase.pair_count;
    sort_pairs_from(world, first);
    world->broad_phase.pair_count = first;
    for (int i = first; i < end; i++) {
        pv__pair pair = world->broad_phase.pairs[i];
        int slot = is_active(world, pair) ? -1 : slot_of(world, pair);
        if (slot < 0) continue;
        activate(world, pair, slot, false);
        world->broad_phase.pairs[world->broad_phase.pair_count++] = pair;
        world->manifolds.items[slot].packed = 0;
        pv__narrow_phase_schedule(world, slot, due);
    }
    pv__manifold_merge(world, first);
}

/* ---- public contacts ---- */

const pv__manifold *pv__manifold_between(const pv_world *world, int a, int b) {
    int slot = find_slot(world, a, b);
    return slot >= 0 ? &world->manifolds.items[slot] : NULL;
}

bool pv__manifold_contact(const pv_world *world, const pv__manifold *m, pv_contact *contact) {
    pv_vec2 point = {0, 0}, normal = {0, 0};
    double weight = 0, impulse = 0;
    if (!m->touches || m->count == 0) return false;
    for (int i = 0; i < m->count; i++) impulse += m->points[i].impulse_n;
    for (int i = 0; i < m->count; i++) {
        const pv__contact_point *p = &m->points[i];
        pv_vec2 at = pv__contact_point_place(world, m, p);
        double share = impulse > 0 ? p->impulse_n / impulse : 1; /* also for subnormal impulses */
        weight += share;
        point = pv__mad(point, share, at);
        normal = pv__mad(normal, share, p->normal);
    }
    if (!pv__finite2(point) || !pv__finite2(normal)) return false; /* not finite: stopped bodies */
    double length = pv__length(normal);
    normal = length > 0 ? pv__mul(1.0 / length, normal) : m->points[0].normal;
    *contact = (pv_contact){pv__handle_of_body(world, m->a),
                            pv__handle_of_body(world, m->b),
                            pv__mul(1.0 / weight, point),
                            normal,
                            impulse,
                            0};
    return true;
}

void pv__manifold_scale_impulses(pv_world *world, double by) {
    for (int i = 0; i < world->manifolds.count; i++) {
        pv__manifold *m = &world->manifolds.items[i];
        for (int k = 0; m->a >= 0 && k < m->count; k++) {
            m->points[k].impulse_n *= by;
            m->points[k].impulse_t *= by;
            m->points[k].impulse_roll *= by;
        }
    }
}
