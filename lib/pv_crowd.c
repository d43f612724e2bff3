/* pv_crowd.c - bodies of which more are at a place than there is room for.
 *
 * Invariant: a body is crowded only when those whose boxes meet its own have more pixels than the region holds in which
 * they all lie: so they cannot but overlap, however they lie. Of pairs of two that are crowded only a few are kept,
 * so the time of a step grows with the number of bodies and not with its square. All other pairs are left as they are.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_world.h"

#include <string.h>

/// A crowded body meets so many others; with no more than these around it none is.
#define KEPT PV__CROWD_KEPT
/// Others that are so many times larger do not count: they lie far around [times].
static const double MUCH_LARGER = 2;

static bool counts(const pv__body *b, const pv__body *other) {
    return other->inverse_mass > 0 && other->reach <= MUCH_LARGER * b->reach;
}

static void add(pv_world *world, int index, int other) {
    pv__crowd *c = &world->crowds[index];
    if (!counts(&world->bodies[index], &world->bodies[other])) return;
    const pv_box *box = &world->grid.places[other].box;
    c->area += world->bodies[other].area;
    c->widest.x = pv__max(c->widest.x, box->max.x - box->min.x);
    c->widest.y = pv__max(c->widest.y, box->max.y - box->min.y);
}

/// Whether there is no room for all that has been added.
static bool is_full(const pv_world *world, int index) {
    const pv__crowd *c = &world->crowds[index];
    const pv__body *b = &world->bodies[index];
    const pv_box *box = &world->grid.places[index].box;
    double w = box->max.x - box->min.x + 2 * c->widest.x, h = box->max.y - box->min.y + 2 * c->widest.y;
    return world->around[index] > KEPT && b->inverse_mass > 0 && c->area + b->area > w * h;
}

/* ---- the nearest ---- */

/// Equally near are those in turn, not the first of all: a heap at one point is a chain, not a star.
static bool is_nearer(int index, double square, int other, const pv__crowd_mate *than) {
    if (square != than->square) return square < than->square;
    int apart = index < other ? other - index : index - other;
    int before = index < than->other ? than->other - index : index - than->other;
    return apart != before ? apart < before : other < than->other;
}

static void offer(pv__crowd *c, int index, double square, int other) {
    if (c->count == KEPT && !is_nearer(index, square, other, &c->mates[KEPT - 1])) return;
    int i = c->count < KEPT ? c->count++ : KEPT - 1;
    for (; i > 0 && is_nearer(index, square, other, &c->mates[i - 1]); i--) c->mates[i] = c->mates[i - 1];
    c->mates[i] = (pv__crowd_mate){square, other};
}

/// By pixels nothing is pushed by more than a little, and the nearest of all sides would hold each other in place: so it is
/// others in each step, by lot.
static double lot(const pv_world *world, pv__pair pair) {
    uint64_t x =
        ((uint64_t)(uint32_t)pair.a << 32 | (uint32_t)pair.b) + world->steps * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (double)(x >> 11);
}

static double square_between(const pv_world *world, pv__pair pair) {
    if (world->def.contacts == PV_CONTACTS_PIXEL) return lot(world, pair);
    pv_vec2 apart = pv__sub(world->bodies[pair.b].pose.centre, world->bodies[pair.a].pose.centre);
    return pv__dot(apart, apart);
}

static bool is_near(const pv_world *world, int index, double square, int other) {
    const pv__crowd *c = &world->crowds[index];
    return c->count < KEPT || !is_nearer(index, c->mates[KEPT - 1].square, c->mates[KEPT - 1].other,
                                         &(pv__crowd_mate){square, other});
}

static void keep_nearest(pv_world *world) {
    int kept = 0;
    for (int i = 0; i < world->pair_count; i++) {
        pv__pair p = world->pairs[i];
        if (!pv__is_crowded(world, p.a, p.b)) continue;
        double square = square_between(world, p);
        offer(&world->crowds[p.a], p.a, square, p.b);
        offer(&world->crowds[p.b], p.b, square, p.a);
    }
    for (int i = 0; i < world->pair_count; i++) {
        pv__pair p = world->pairs[i];
        double square = square_between(world, p);
        if (!pv__is_crowded(world, p.a, p.b) || is_near(world, p.a, square, p.b) ||
            is_near(world, p.b, square, p.a))
            world->pairs[kept++] = p;
    }
    world->pair_count = kept;
}

/* ---- all ---- */

/// Counts pairs by body; whether any that can be crowded has more than are kept anyhow: no floor is.
static bool count_pairs(pv_world *world) {
    bool many = false;
    for (int i = 0; i < world->pair_count; i++)
        world->around[world->pairs[i].a] = world->around[world->pairs[i].b] = 0;
    for (int i = 0; i < world->pair_count; i++) {
        pv__pair p = world->pairs[i];
        int a = ++world->around[p.a], b = ++world->around[p.b];
        if (a > KEPT && world->bodies[p.a].inverse_mass > 0) many = true;
        if (b > KEPT && world->bodies[p.b].inverse_mass > 0) many = true;
    }
    return many;
}

static bool mark_crowded(pv_world *world) {
    bool any = false;
    memset(world->crowds, 0, (size_t)world->body_count * sizeof *world->crowds);
    for (int i = 0; i < world->pair_count; i++) {
        add(world, world->pairs[i].a, world->pairs[i].b);
        add(world, world->pairs[i].b, world->pairs[i].a);
    }
    for (int i = 0; i < world->body_count; i++)
        if (world->crowds[i].area > 0 && is_full(world, i)) {
            any = world->crowds[i].full = true;
            world->bodies[i].crowded = world->steps + 1;
        }
    return any;
}

static bool reserve(pv_world *world, void *items, int *capacity, size_t size) {
    if (pv__reserve(&world->def.allocator, items, capacity, world->body_count, size)) return true;
    world->flags |= PV_STEP_NO_MEMORY;
    return false;
}

void pv__thin_crowds(pv_world *world) {
    world->crowded = false;
    if (world->pair_count <= KEPT || !reserve(world, &world->around, &world->around_capacity, sizeof(int)))
        return;
    if (!count_pairs(world) || !reserve(world, &world->crowds, &world->crowd_capacity, sizeof(pv__crowd)))
        return;
    world->crowded = mark_crowded(world);
    if (world->crowded) keep_nearest(world);
}
