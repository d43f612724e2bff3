/* pv_pack.c - puts the points of manifolds into blocks of four lanes, and their impulses back.
 *
 * Invariant: blocks stand in order of their colour; two manifolds that share a body that can be moved have different
 * colours (greedy colouring, in order of the pairs).
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_lanes.h"

/// Contacts are springs of this frequency at most [1/s], by the substep's length; against what cannot move, twice that.
static const double STIFF_MOST = 1000, STIFF_SHARE = 0.25, STIFF_STATIC = 2;
/// Their damping ratio.
static const double DAMPING = 10;
/// Where a lane is empty its surfaces are this far apart [px].
static const double FAR = 1e3;

/* ---- turns ---- */

static bool is_movable(const pv_world *world, int body) {
    return world->bodies[body].inverse_mass > 0 && !world->courses[body + 1].quiet;
}

/// The turn after those of both bodies' parts before.
static int turn_of(pv_world *world, const pv__manifold *m, int *turns) {
    pv__course *a = &world->courses[m->a + 1], *b = &world->courses[m->b + 1];
    int last_a = is_movable(world, m->a) ? a->turns : 0, last_b = is_movable(world, m->b) ? b->turns : 0;
    int turn = last_a > last_b ? last_a : last_b;
    a->turns = b->turns = turn + 1;
    if (turn >= *turns) *turns = turn + 1;
    return turn;
}

static bool add_packed(pv_world *world, pv__packed part) {
    if (!pv__reserve(&world->def.allocator, &world->packed, &world->packed_capacity, world->packed_count + 1,
                     sizeof part))
        return false;
    world->packed[world->packed_count++] = part;
    return true;
}

/// An odd point alone, the others two by two.
static bool split(pv_world *world, int slot, int *turns) {
    const pv__manifold *m = &world->manifolds[slot];
    for (int i = 0; i < m->count;) {
        int points = i == 0 && m->count % 2 == 1 ? 1 : 2;
        if (!add_packed(world, (pv__packed){slot, i, points, turn_of(world, m, turns)})) return false;
        i += points;
    }
    return true;
}

/* ---- blocks ---- */

/// How softly a contact presses in a substep (Catto 2024, soft contacts).
static void set_spring(pv__lanes *k, int lane, double h, bool with_static) {
    double hertz = pv__min(STIFF_MOST, STIFF_SHARE / h) * (with_static ? STIFF_STATIC : 1);
    double omega = 2 * PV__PI * hertz, a1 = 2 * DAMPING + h * omega, a2 = h * omega * a1;
    k->rate[lane] = omega / a1;
    k->softness[lane] = 1.0 / a2;
}

static void empty_block(pv__lanes *k, int points) {
    *k = (pv__lanes){.points = points};
    for (int l = 0; l < PV__LANES; l++) {
        k->manifold[l] = -1;
        k->whole_mass[l] = 1;
        for (int i = 0; i < points; i++) {
            k->point[i].nx[l] = 1;
            k->point[i].anchor_bx[l] = FAR;
            k->point[i].anchor_by[l] = i * FAR;
            k->point[i].ny[l] = 0;
        }
    }
}

static void fill_point(pv__lane_point *to, int l, const pv__press *from) {
    to->anchor_ax[l] = from->anchor_a.x;
    to->anchor_ay[l] = from->anchor_a.y;
    to->anchor_bx[l] = from->anchor_b.x;
    to->anchor_by[l] = from->anchor_b.y;
    to->radius_a[l] = from->radius_a;
    to->radius_b[l] = from->radius_b;
    bool round_a = from->radius_a > 0, round_b = from->radius_b > 0;
    to->share[l] = round_a == round_b ? 0.5 : round_b ? 1 : 0; /* what rolls carries the point along */
    to->nx[l] = from->normal.x;
    to->ny[l] = from->normal.y;
    to->impulse_n[l] = from->impulse_n;
    to->impulse_t[l] = from->impulse_t;
    to->roll[l] = from->impulse_roll;
    to->slides[l] = from->slides ? -1 : 0;
}

static void fill_lane(const pv_world *world, pv__lanes *k, int l, const pv__packed *part, double h) {
    const pv__manifold *m = &world->manifolds[part->manifold];
    const pv__body *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    pv__four gain = world->courses[m->b + 1].gain - world->courses[m->a + 1].gain;
    k->a[l] = m->a + 1;
    k->b[l] = m->b + 1;
    k->manifold[l] = part->manifold;
    k->first[l] = part->first;
    bool move_a = is_movable(world, m->a), move_b = is_movable(world, m->b);
    k->mass_a[l] = move_a ? a->inverse_mass : 0;
    k->mass_b[l] = move_b ? b->inverse_mass : 0;
    k->inertia_a[l] = move_a ? a->inverse_inertia : 0;
    k->inertia_b[l] = move_b ? b->inverse_inertia : 0;
    k->whole_mass[l] = a->inverse_mass + b->inverse_mass;
    k->whole_inertia_a[l] = a->inverse_inertia;
    k->whole_inertia_b[l] = b->inverse_inertia;
    k->static_friction[l] = m->static_friction;
    k->kinetic_friction[l] = m->kinetic_friction;
    k->restitution[l] = m->restitution;
    k->rolling[l] = m->rolling;
    k->gain_x[l] = gain[0];
    k->gain_y[l] = gain[1];
    k->bounces |= m->restitution > 0;
    k->rolls |= m->rolling > 0;
    set_spring(k, l, h, a->inverse_mass == 0 || b->inverse_mass == 0);
    for (int i = 0; i < part->points; i++) fill_point(&k->point[i], l, &m->points[part->first + i]);
}

/// Parts of one colour and number of points; which of all blocks they come to.
typedef struct shelf {
    int count, block;
} shelf;

static bool lay_blocks(pv_world *world, shelf *shelves, int count) {
    int blocks = 0;
    for (int i = 0; i < count; i++) {
        shelves[i].block = blocks;
        blocks += (shelves[i].count + PV__LANES - 1) / PV__LANES;
        shelves[i].count = 0;
    }
    if (!pv__reserve(&world->def.allocator, &world->blocks, &world->block_capacity, blocks, sizeof(pv__lanes)))
        return false;
    world->block_count = blocks;
    for (int i = 0; i < count; i++)
        for (int k = shelves[i].block; k < (i + 1 < count ? shelves[i + 1].block : blocks); k++)
            empty_block(&world->blocks[k], i % 2 + 1);
    return true;
}

static bool fill_blocks(pv_world *world, int turns, double h) {
    size_t count = 2 * (size_t)turns;
    if (count == 0) return true;
    shelf *shelves = pv__alloc(&world->def.allocator, count, sizeof *shelves);
    if (!shelves) return false;
    for (int i = 0; i < world->packed_count; i++)
        shelves[2 * world->packed[i].turn + world->packed[i].points - 1].count++;
    bool laid = lay_blocks(world, shelves, (int)count);
    for (int i = 0; laid && i < world->packed_count; i++) {
        const pv__packed *part = &world->packed[i];
        shelf *s = &shelves[2 * part->turn + part->points - 1];
        int at = s->count++;
        fill_lane(world, &world->blocks[s->block + at / PV__LANES], at % PV__LANES, part, h);
    }
    pv__free(&world->def.allocator, shelves, count, sizeof *shelves);
    return laid;
}

static bool is_restless(const pv_world *world, const pv__manifold *m) {
    return is_movable(world, m->a) || is_movable(world, m->b);
}

void pv__pack_manifolds(pv_world *world, double h) {
    int turns = 0;
    bool packed = true;
    world->packed_count = world->block_count = 0;
    for (int i = 0; i < world->active_count; i++) {
        const pv__manifold *m = &world->manifolds[world->active[i]];
        world->courses[m->a + 1].turns = world->courses[m->b + 1].turns = 0;
    }
    for (int i = 0; packed && i < world->active_count; i++) {
        const pv__manifold *m = &world->manifolds[world->active[i]];
        if (m->count > 0 && is_restless(world, m)) packed = split(world, world->active[i], &turns);
    }
    if (!packed || !fill_blocks(world, turns, h)) world->flags |= PV_STEP_NO_MEMORY;
}

static void unpack_point(pv__press *to, const pv__lane_point *from, int l) {
    to->impulse_n = from->impulse_n[l];
    to->impulse_t = from->impulse_t[l];
    to->impulse_roll = from->roll[l];
    to->slides = from->slides[l] != 0;
}

void pv__unpack_manifolds(pv_world *world) {
    for (int i = 0; i < world->block_count; i++) {
        const pv__lanes *k = &world->blocks[i];
        for (int l = 0; l < PV__LANES; l++) {
            if (k->manifold[l] < 0) continue;
            pv__manifold *m = &world->manifolds[k->manifold[l]];
            for (int p = 0; p < k->points; p++) unpack_point(&m->points[k->first[l] + p], &k->point[p], l);
        }
    }
}
