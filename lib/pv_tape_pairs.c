/* pv_tape_pairs.c - what is known of pairs of bodies as bytes.
 *
 * Invariant: manifolds, which are most of a world, are read twice: checked first, and then, when nothing can fail any more, put
 * into the room of those that they replace, which is warm.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_kernel.h"
#include "pv_tape.h"

/* ---- contacts by pixels ---- */

static void tape_point(pv__tape *t, pv__point *p) {
    pv__tape_vec(t, &p->place);
    pv__tape_double(t, &p->impulse_n);
    pv__tape_double(t, &p->impulse_t);
}

static void tape_contact(pv__tape *t, const pv_world *world, pv__contact *c) {
    bool *const flags[] = {&c->overlapped, &c->stopped, &c->bounces, &c->fresh};
    double *const numbers[] = {&c->push, &c->fraction, &c->gap, &c->roll_impulse, &c->roll_mass, &c->approach};
    uint64_t overlap = (uint64_t)c->overlap;
    pv__tape_int(t, &c->a, 0, world->body_count - 1);
    pv__tape_int(t, &c->b, c->a + 1, world->body_count - 1);
    pv__tape_flags(t, flags, 4);
    pv__tape_vec(t, &c->point);
    pv__tape_vec(t, &c->normal);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) pv__tape_double(t, numbers[i]);
    pv__tape_u64(t, &overlap);
    c->overlap = (int64_t)overlap;
    pv__tape_int(t, &c->count, 0, 2);
    for (int i = 0; i < c->count; i++) tape_point(t, &c->points[i]);
}

static bool tape_touches(pv__tape *t, pv_world *world) {
    if (!pv__tape_count(t, &world->def.allocator, &world->contacts, &world->contact_capacity,
                        &world->contact_count, sizeof(pv__contact), 64))
        return false;
    for (int i = 0; i < world->contact_count; i++) {
        if (t->reads) world->contacts[i] = (pv__contact){0};
        tape_contact(t, world, &world->contacts[i]);
    }
    return !t->broken;
}

static bool tape_passing(pv__tape *t, pv_world *world) {
    if (!pv__tape_count(t, &world->def.allocator, &world->passing, &world->passing_capacity,
                        &world->passing_count, sizeof(pv__passing), 16))
        return false;
    for (int i = 0; i < world->passing_count; i++) {
        pv__passing *p = &world->passing[i];
        bool *const flags[] = {&p->until_apart};
        pv__tape_int(t, &p->pair.a, 0, world->body_count - 1);
        pv__tape_int(t, &p->pair.b, p->pair.a + 1, world->body_count - 1);
        pv__tape_u32(t, &p->generation_a);
        pv__tape_u32(t, &p->generation_b);
        pv__tape_u64(t, &p->step);
        pv__tape_flags(t, flags, 1);
    }
    return !t->broken;
}

bool pv__tape_contacts(pv__tape *t, pv_world *world) {
    return tape_touches(t, world) && tape_passing(t, world);
}

/* ---- manifolds ---- */

/// The key, and a bit for what it has that most have not.
PV__INLINE void tape_press(pv__tape *t, pv__press *p) {
    uint32_t key = 0;
    uint64_t parts = 0;
    if (!t->reads) { /* what is read goes where nothing was yet */
        bool round = pv__tape_some(p->radius_a) || pv__tape_some(p->radius_b);
        key = (uint32_t)p->key;
        parts = (uint64_t)p->slides | (uint64_t)round << 1 | (uint64_t)pv__tape_some(p->impulse_roll) << 2;
    }
    pv__tape_u32(t, &key);
    pv__tape_u8(t, &parts);
    t->broken |= parts >> 3 != 0;
    PV__TAPE_SPAN(t, pv__press, p, anchor_a, gap);
    if (t->reads) {
        p->radius_a = p->radius_b = p->impulse_roll = 0;
        p->key = (int)key;
        p->slides = parts & 1;
    }
    if (parts >> 1 & 1) PV__TAPE_SPAN(t, pv__press, p, radius_a, radius_b);
    if (parts >> 2 & 1) pv__tape_double(t, &p->impulse_roll);
}

/// A free slot has no pair, and the next free one in b.
PV__INLINE void tape_manifold(pv__tape *t, int bodies, pv__manifold *m) {
    pv__tape_int(t, &m->a, -1, bodies - 1);
    pv__tape_int(t, &m->b, -1, m->a < 0 ? 1 << 28 : bodies - 1);
    if (m->a < 0) return;
    uint64_t kind = 0;
    if (!t->reads)
        kind = (uint64_t)m->made | (uint64_t)m->touches << 1 | (uint64_t)m->passes << 2 |
               (uint64_t)m->until_apart << 3 | (uint64_t)m->count << 4;
    pv__tape_u8(t, &kind);
    t->broken |= m->b <= m->a || kind >> 4 > PV__MANIFOLD_POINTS;
    pv__tape_u32(t, &m->generation_a);
    pv__tape_u32(t, &m->generation_b);
    PV__TAPE_SPAN(t, pv__manifold, m, foreseen, turn_b);
    if (kind & 1) { /* else nobody has looked at the pair yet */
        pv__tape_check_turn(t, &m->turn_a);
        pv__tape_check_turn(t, &m->turn_b);
    }
    if (t->reads) {
        m->made = kind & 1;
        m->touches = kind >> 1 & 1;
        m->passes = kind >> 2 & 1;
        m->until_apart = kind >> 3 & 1;
        m->count = t->broken ? 0 : (int)(kind >> 4);
    }
    for (int i = 0; i < m->count; i++) tape_press(t, &m->points[i]);
}

/// How many slots there are, the first free one, and how many pairs the last step had.
typedef struct counts {
    int slots, free, active;
} counts;

static void tape_counts(pv__tape *t, counts *c) {
    pv__tape_int(t, &c->slots, 0, 1 << 27);
    pv__tape_int(t, &c->free, -1, c->slots - 1);
    pv__tape_int(t, &c->active, 0, c->slots);
}

static counts counts_of(const pv_world *world) {
    return (counts){world->manifold_count, world->manifold_free, world->active_count};
}

/// Asks for the points of a slot, of which there are two as a rule: slots lie too far apart for the CPU to foresee them.
static inline void fetch_points(const pv_world *world, int slot) {
    if (slot >= world->manifold_count) return;
    const char *points = (const char *)&world->presses[slot * PV__MANIFOLD_POINTS];
    for (size_t i = 0; i < 2 * sizeof(pv__press); i += 64) __builtin_prefetch(points + i);
}

PV__INLINE void tape_slots(pv__tape *t, pv_world *world, bool reads) {
    pv__tape own = *t;               // that the compiler may keep in registers
    own.reads = own.checked = reads; // which makes a loop for each
    for (int i = 0; i < world->manifold_count; i++) {
        fetch_points(world, i + 8);
        if (reads) pv__clear_manifold(world, i, -1, -1);
        tape_manifold(&own, world->body_count, &world->manifolds[i]);
    }
    *t = own;
}

void pv__write_manifolds(pv__tape *t, pv_world *world) {
    counts c = counts_of(world);
    tape_counts(t, &c);
    tape_slots(t, world, false);
    for (int i = 0; i < c.active; i++) pv__tape_int(t, &world->active[i], 0, c.slots);
}

bool pv__check_manifolds(pv__tape *t, const pv_world *world, int *slots, int *active) {
    pv__press points[PV__MANIFOLD_POINTS] = {0};
    pv__manifold m = {.points = points};
    counts c = {0};
    tape_counts(t, &c);
    t->broken |= (size_t)c.slots > t->left / 8;
    pv__tape own = *t;
    own.reads = true;
    for (int i = 0; i < c.slots && !own.broken; i++) {
        tape_manifold(&own, world->body_count, &m);
        own.broken |= !own.broken && m.a >= 0 && !pv__tape_check_manifold(world, &m);
    }
    for (int i = 0, slot = 0; i < c.active && !own.broken; i++) pv__tape_int(&own, &slot, 0, c.slots - 1);
    *t = own;
    *slots = c.slots;
    *active = c.active;
    return !t->broken;
}

void pv__read_manifolds(pv__tape *t, pv_world *world) {
    counts c = {0};
    tape_counts(t, &c);
    world->manifold_count = c.slots;
    world->manifold_free = c.free;
    tape_slots(t, world, true);
    pv__enter_manifolds(world);
    world->active_count = c.active;
    for (int i = 0; i < c.active; i++) {
        pv__tape_int(t, &world->active[i], 0, c.slots - 1);
        world->manifolds[world->active[i]].step = world->steps;
    }
    pv__tape_mend_slots(world);
}
