/* pair_limit.c - limit of pairs where more bodies overlap than there is room for.
 *
 * Invariant: a body over the pair limit has a box that it and its neighbors would cover more than
 * twice, each spread over its own box. Current poses and bodies of any size count. Only pairs of
 * two such bodies are dropped. No such body gets faster in a step than its fastest neighbor was.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/pair_limit.h"
#include "collide/touching_box.h"

#include <string.h>

/// Number of pairs that a body over the pair limit keeps; no body with fewer neighbors is over it
#define PAIR_LIMIT_KEPT PV__CROWD_KEPT
/// Number of layers on a body's box above which it is over the pair limit. Unit of that number, so
/// that integers add up to the same sum in any order.
static const double LAYERS = 2, PAIR_LIMIT_UNIT = 0x1p20;

/* ---- bodies over the pair limit ---- */

static double area_of(pv_vec2 size) { return size.x * size.y; }

static pv_vec2 size_of(const pv_box *box) { return pv__sub(box->max, box->min); }

/// Returns a body's data, with its current box and the share of it that its pixels fill.
static pv__crowd *measured(pv_world *world, int index) {
    const pv__body *b = &world->bodies.items[index];
    pv__crowd *c = &world->broad_phase.crowds[index];
    if (c->measured) return c;
    pv_box box = pv__touching_box(b, b->pose);
    double fill = pv__min(1, b->pixels->area / pv__max(1, area_of(size_of(&box))));
    int64_t layers = (int64_t)(PAIR_LIMIT_UNIT * fill);
    *c = (pv__crowd){.box = box, .fill = fill, .layers = layers, .measured = true};
    return c;
}

/// Returns the part of a box that another body's pixels would cover if spread over their whole box.
static int64_t cover_of(const pv__crowd *c, const pv__crowd *by) {
    double w = pv__min(c->box.max.x, by->box.max.x) - pv__max(c->box.min.x, by->box.min.x);
    double h = pv__min(c->box.max.y, by->box.max.y) - pv__max(c->box.min.y, by->box.min.y);
    if (!(w > 0 && h > 0)) return 0;
    return (int64_t)(PAIR_LIMIT_UNIT * by->fill * w * h / pv__max(1, area_of(size_of(&c->box))));
}

static bool can_be_crowded(const pv_world *world, int index) {
    return world->broad_phase.around[index] > PAIR_LIMIT_KEPT &&
           world->bodies.items[index].inverse_mass > 0;
}

/// Counts pairs by body; returns whether any movable body has more pairs than are kept anyway.
static bool count_pairs(pv_world *world) {
    int *around = world->broad_phase.around, bodies = world->bodies.count;
    const pv__pair *pairs = world->broad_phase.pairs;
    memset(around, 0, (size_t)bodies * sizeof *around);
    for (int i = 0, end = world->broad_phase.pair_count; i < end; i++) {
        around[pairs[i].a]++;
        around[pairs[i].b]++;
    }
    for (int i = 0; i < bodies; i++)
        if (can_be_crowded(world, i)) return true;
    return false;
}

/// Adds the layer of another body to a body's box. Immovable bodies are around a body, not between
/// others.
static void cover(pv_world *world, int index, int by) {
    if (!can_be_crowded(world, index)) return;
    pv__crowd *c = measured(world, index);
    if (world->bodies.items[by].inverse_mass > 0)
        c->layers += cover_of(c, measured(world, by));
    else
        c->grounded = true;
}

/// Marks the bodies over the pair limit, gives each a place for its mates, and returns their
/// number.
static int mark_crowded(pv_world *world) {
    const pv__broad_phase *all = &world->broad_phase;
    int count = 0;
    memset(all->crowds, 0, (size_t)world->bodies.count * sizeof *all->crowds);
    for (int i = 0; i < all->pair_count; i++) {
        cover(world, all->pairs[i].a, all->pairs[i].b);
        cover(world, all->pairs[i].b, all->pairs[i].a);
    }
    for (int i = 0; i < world->bodies.count; i++) {
        pv__crowd *c = &all->crowds[i];
        if (!can_be_crowded(world, i) || !(c->layers > LAYERS * PAIR_LIMIT_UNIT)) continue;
        c->full = true;
        c->mates = PAIR_LIMIT_KEPT * count++;
        world->bodies.items[i].crowded = world->steps + 1;
    }
    return count;
}

/* ---- kept pairs ---- */

/// Tells whether a pair is deeper than another one. Pairs of equal depth are ordered by index
/// distance, so a heap at one point keeps neighbors in index order.
static bool is_deeper(int index, double apart, int other, const pv__crowd_mate *than) {
    if (apart != than->apart) return apart < than->apart;
    int off = index < other ? other - index : index - other;
    int before = index < than->other ? than->other - index : index - than->other;
    return off != before ? off < before : other < than->other;
}

static void offer(pv_world *world, int index, double apart, int other) {
    pv__crowd *c = &world->broad_phase.crowds[index];
    pv__crowd_mate *mates = &world->broad_phase.mates[c->mates];
    if (c->count == PAIR_LIMIT_KEPT && !is_deeper(index, apart, other, &mates[PAIR_LIMIT_KEPT - 1]))
        return;
    int i = c->count < PAIR_LIMIT_KEPT ? c->count++ : PAIR_LIMIT_KEPT - 1;
    for (; i > 0 && is_deeper(index, apart, other, &mates[i - 1]); i--) mates[i] = mates[i - 1];
    mates[i] = (pv__crowd_mate){apart, other};
}

/// Returns a pseudo-random depth for contacts of pixels, a new one in each step. Pixels push a body
/// only a little, and its deepest neighbors on all sides would hold it in place.
static double pair_limit_lot(const pv_world *world, pv__pair pair) {
    uint64_t x = ((uint64_t)(uint32_t)pair.a << 32 | (uint32_t)pair.b) +
                 world->steps * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return (double)(x >> 11);
}

/// Returns the squared distance of the centers relative to the greatest at which they touch, so
/// that large and small bodies count alike.
static double apart_by(const pv_world *world, pv__pair pair) {
    if (world->def.contact_mode == PV_CONTACT_MODE_PIXELS) return pair_limit_lot(world, pair);
    const pv__body *a = &world->bodies.items[pair.a], *b = &world->bodies.items[pair.b];
    pv_vec2 apart = pv__sub(b->pose.center, a->pose.center);
    double touching = a->pixels->reach + b->pixels->reach;
    return pv__dot(apart, apart) / (touching * touching);
}

static bool is_mate(const pv_world *world, int index, double apart, int other) {
    const pv__crowd *c = &world->broad_phase.crowds[index];
    const pv__crowd_mate *last = &world->broad_phase.mates[c->mates + PAIR_LIMIT_KEPT - 1];
    return c->count < PAIR_LIMIT_KEPT ||
           !is_deeper(index, last->apart, last->other, &(pv__crowd_mate){apart, other});
}

static void keep_mates(pv_world *world) {
    int kept = 0;
    for (int i = 0; i < world->broad_phase.pair_count; i++) {
        pv__pair p = world->broad_phase.pairs[i];
        if (!pv__pair_is_crowded(world, p.a, p.b)) continue;
        double apart = apart_by(world, p);
        offer(world, p.a, apart, p.b);
        offer(world, p.b, apart, p.a);
    }
    for (int i = 0; i < world->broad_phase.pair_count; i++) {
        pv__pair p = world->broad_phase.pairs[i];
        double apart = apart_by(world, p);
        if (!pv__pair_is_crowded(world, p.a, p.b) || is_mate(world, p.a, apart, p.b) ||
            is_mate(world, p.b, apart, p.a))
            world->broad_phase.pairs[kept++] = p;
    }
    world->broad_phase.pair_count = kept;
}

/* ---- speed limit ---- */

/// Returns the rim speed of a body with a motion [px/s].
static double rim_of(const pv_world *world, int index, pv__four motion) {
    return pv__length_most(motion[0], motion[1]) +
           pv__abs(motion[2]) * world->solver.states[index + 1].reach;
}

/// Returns that speed at the start of the step, plus its gain until the end [px/s].
static double speed_in_step(const pv_world *world, int index) {
    const pv__solver_state *c = &world->solver.states[index + 1];
    return rim_of(world, index, c->was) + world->substeps * pv__length_most(c->gain[0], c->gain[1]);
}

static bool is_full(const pv_world *world, int index) {
    return world->broad_phase.around[index] > 0 && world->broad_phase.crowds[index].full;
}

static void hasten(pv_world *world, int index, double pace) {
    double *fastest = &world->broad_phase.crowds[index].fastest;
    if (is_full(world, index)) *fastest = pv__max(*fastest, pace);
}

void pv__pair_limit_apply(pv_world *world) {
    for (int i = 0; world->broad_phase.crowded && i < world->broad_phase.pair_count; i++) {
        pv__pair p = world->broad_phase.pairs[i];
        double pace = pv__max(speed_in_step(world, p.a), speed_in_step(world, p.b));
        hasten(world, p.a, pace);
        hasten(world, p.b, pace);
    }
}

void pv__pair_limit_calm(pv_world *world) {
    for (int i = 0; world->broad_phase.crowded && i < world->solver.active_count; i++) {
        int index = world->solver.active[i];
        pv__four *motion = &world->solver.bodies[index + 1].motion;
        if (!is_full(world, index)) continue;
        double most = world->broad_phase.crowds[index].fastest, rim = rim_of(world, index, *motion);
        for (int k = 0; rim > most && k < 3; k++) (*motion)[k] *= most / rim;
    }
}

/* ---- all ---- */

static bool reserve(pv_world *world, void *items, int *capacity, int count, size_t size) {
    if (pv__reserve(&world->def.allocator, items, capacity, count, size)) return true;
    world->out_of_memory = true;
    return false;
}

void pv__pair_limit_thin(pv_world *world) {
    pv__broad_phase *all = &world->broad_phase;
    int bodies = world->bodies.count;
    all->crowded = false;
    if (all->pair_count <= PAIR_LIMIT_KEPT ||
        !reserve(world, &all->around, &all->around_capacity, bodies, sizeof *all->around) ||
        !count_pairs(world) ||
        !reserve(world, &all->crowds, &all->crowd_capacity, bodies, sizeof *all->crowds))
        return;
    int crowded = mark_crowded(world);
    if (crowded == 0 || !reserve(world, &all->mates, &all->mate_capacity, PAIR_LIMIT_KEPT * crowded,
                                 sizeof *all->mates))
        return;
    all->crowded = true;
    keep_mates(world);
}
