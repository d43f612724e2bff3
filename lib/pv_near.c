/* pv_near.c - which particles may meet which bodies in a step.
 *
 * Invariant: a pair that is not listed does not touch in the step, unless something makes its particle faster by half than it was
 * when the step began. The list is in order of the bodies, and of cells and slots in each: never of addresses.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_world.h"

/// Side of a cell [px].
static const double CELL = 32;
/// A particle that goes farther in a step is asked about all bodies by itself [px].
static const double FAR = 64;
/// What a particle may be off its way in a step: this, and half of the way [px].
static const double STRAY = 4;
/// Nothing is farther from anything than this [px].
static const double FARTHEST = 4 * PV_MAX_COORDINATE;
/// A sleeping body wakes from a hit that would make it so fast [px/s].
static const double WAKING = 0.5;

static unsigned hash_cell(int64_t x, int64_t y, unsigned mask) {
    uint64_t h = (uint64_t)x * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)y * UINT64_C(0xc2b2ae3d27d4eb4f);
    return (unsigned)(h >> 40) & mask;
}

static int64_t cell_of(double x) { return pv__floor(x / CELL); }

static bool can_touch(const pv__particles *p, int i) {
    return (p->grains[i].generation & 1) && !p->grains[i].passes;
}

/// How far a particle goes in a step at most, as far as is known.
static double way_of(const pv_world *world, int i, double dt) {
    const pv__particles *p = &world->matter.particles;
    double steps = dt / world->dt;
    pv_vec2 d = pv__sub(p->now[i], p->was[i]), g = world->def.gravity;
    return 1.5 * (steps * pv__length(d) + dt * dt * pv__length_most(g.x, g.y));
}

/* ---- the grid ---- */

/// One entry for each that can touch, near ones in chains by cell; far ones at the end.
typedef struct grid {
    unsigned mask;
    int chained, far_end;
    double reach; ///< of chained ones: way and radius [px]
} grid;

static bool make_room(pv_world *world, unsigned slots) {
    pv__matter *m = &world->matter;
    return pv__reserve(&world->def.allocator, &m->cells, &m->cell_capacity, (int)slots + 1, sizeof(int)) &&
           pv__reserve(&world->def.allocator, &m->sorted, &m->sorted_capacity, m->particles.count + 1,
                       sizeof(int));
}

static unsigned slot_of(const pv__particles *p, int i, unsigned mask) {
    return hash_cell(cell_of(p->now[i].x), cell_of(p->now[i].y), mask);
}

/// Sorts particles by the slot of their cell, by counting.
static grid sort(pv_world *world, unsigned slots, double dt) {
    pv__matter *m = &world->matter;
    const pv__particles *p = &m->particles;
    grid g = {.mask = slots - 1};
    for (unsigned i = 0; i <= slots; i++) m->cells[i] = 0;
    for (int i = 1; i < p->count; i++) {
        if (!can_touch(p, i)) continue;
        double way = way_of(world, i, dt);
        if (way > FAR) continue;
        g.reach = pv__max(g.reach, way + p->grains[i].radius);
        m->cells[slot_of(p, i, g.mask) + 1]++;
    }
    for (unsigned i = 0; i < slots; i++) m->cells[i + 1] += m->cells[i];
    g.chained = m->cells[slots];
    g.far_end = g.chained;
    for (int i = p->count - 1; i >= 1; i--) { /* backwards, and each chain from its end: slots rise in it */
        if (!can_touch(p, i)) continue;
        if (way_of(world, i, dt) > FAR)
            m->sorted[g.far_end++] = i;
        else
            m->sorted[--m->cells[slot_of(p, i, g.mask) + 1]] = i;
    }
    return g;
}

/* ---- pairs ---- */

/// A body, and where it may be in the step.
typedef struct seeker {
    int body;
    pv_box box;
    double dt;
} seeker;

static seeker seeker_of(const pv_world *world, int body, double dt) {
    const pv__body *b = &world->bodies[body];
    pv_box box = pv__box_in(b, b->pose);
    if (b->awake) {
        pv__chord chord = pv__chord_of(b);
        double steps = dt / world->dt, turn = pv__min(pv__abs(chord.angle) * steps, 2) * b->guise->reach;
        double way =
            1.5 * (steps * pv__length(chord.way) + turn + dt * dt * pv__length(world->def.gravity)) + STRAY;
        way = pv__min(way, FARTHEST);
        box.min = pv__sub(box.min, pv__vec(way, way));
        box.max = pv__add(box.max, pv__vec(way, way));
    }
    return (seeker){body, box, dt};
}

static bool reaches(const pv_world *world, const seeker *s, int i) {
    const pv__particles *p = &world->matter.particles;
    double by = way_of(world, i, s->dt) + p->grains[i].radius + STRAY;
    pv_vec2 at = p->now[i];
    return at.x >= s->box.min.x - by && at.x <= s->box.max.x + by && at.y >= s->box.min.y - by &&
           at.y <= s->box.max.y + by;
}

/// Whether filters and constraints let a particle and a body meet.
static bool may_meet(const pv_world *world, int i, int body) {
    if (world->filtered && !pv__filters_agree(world->matter.particles.filter[i], world->bodies[body].filter))
        return false;
    return world->matter.bar_count == 0 || !pv__is_barred(world, pv__bar_name(world, i), body);
}

static bool add(pv_world *world, const seeker *s, int i) {
    pv__matter *m = &world->matter;
    if (!reaches(world, s, i)) return true;
    if (!may_meet(world, i, s->body)) return true;
    if (!pv__reserve(&world->def.allocator, &m->nears, &m->near_capacity, m->near_count + 1, sizeof(pv__near)))
        return false;
    m->nears[m->near_count++] = (pv__near){i, s->body, 0, -1};
    m->particles.bound[i] |= PV__MEETS;
    return true;
}

static bool add_range(pv_world *world, const seeker *s, int first, int end) {
    for (int i = first; i < end; i++)
        if (!add(world, s, world->matter.sorted[i])) return false;
    return true;
}

/// The cells of one slot may be many; each particle is in its own cell alone.
static bool add_cell(pv_world *world, const seeker *s, const grid *g, int64_t x, int64_t y) {
    const pv__matter *m = &world->matter;
    unsigned slot = hash_cell(x, y, g->mask);
    for (int i = m->cells[slot + 1]; i < (slot == g->mask ? g->chained : m->cells[slot + 2]); i++) {
        pv_vec2 at = m->particles.now[m->sorted[i]];
        if (cell_of(at.x) == x && cell_of(at.y) == y && !add(world, s, m->sorted[i])) return false;
    }
    return true;
}

static bool add_near(pv_world *world, const seeker *s, const grid *g) {
    double by = g->reach + STRAY;
    int64_t left = cell_of(s->box.min.x - by), right = cell_of(s->box.max.x + by);
    int64_t top = cell_of(s->box.min.y - by), bottom = cell_of(s->box.max.y + by);
    if ((double)(right - left + 1) * (double)(bottom - top + 1) > g->chained)
        return add_range(world, s, 0, g->chained);
    for (int64_t y = top; y <= bottom; y++)
        for (int64_t x = left; x <= right; x++)
            if (!add_cell(world, s, g, x, y)) return false;
    return true;
}

/// Whether a particle that may meet a sleeping body comes so hard that the body moves.
static bool wakes(const pv_world *world, const pv__near *n, double dt) {
    const pv__particles *p = &world->matter.particles;
    const pv__body *b = &world->bodies[n->body];
    pv_vec2 d = pv__sub(p->now[n->particle], p->was[n->particle]);
    double speed = pv__length(d) / world->dt;
    const pv__shape *shape = pv__shape_of(b);
    if (speed * p->grains[n->particle].mass * b->inverse_mass < WAKING || !shape) return false;
    pv_vec2 local =
        pv__add(b->guise->pivot, pv__unrotate(b->pose.turn, pv__sub(p->now[n->particle], b->pose.centre)));
    return pv__field_at(shape, local, NULL) - p->grains[n->particle].radius < 1.5 * speed * dt + 1;
}

static void load(pv_world *world, int first, double dt) {
    for (int i = first; i < world->matter.near_count; i++) {
        const pv__near *n = &world->matter.nears[i];
        pv__body *b = &world->bodies[n->body];
        if (b->type != PV_BODY_DYNAMIC) return;
        if (!b->awake && wakes(world, n, dt)) pv__wake(world, b);
        b->loaded = world->steps + 1;
    }
}

bool pv__find_near(pv_world *world, double dt) {
    pv__matter *m = &world->matter;
    m->near_count = 0;
    if (m->particles.living == 0 || world->body_count == 0) return true;
    unsigned slots = 64;
    while ((int)slots < m->particles.living) slots *= 2;
    if (!make_room(world, slots + 1)) return false;
    grid g = sort(world, slots, dt);
    bool shaped = true;
    for (int i = 0; i < world->body_count; i++) {
        if (!pv__solid(&world->bodies[i])) continue;
        seeker s = seeker_of(world, i, dt);
        int first = m->near_count;
        if (!add_near(world, &s, &g) || !add_range(world, &s, g.chained, g.far_end)) return false;
        shaped &= m->near_count == first || pv__shape_of(&world->bodies[i]);
        load(world, first, dt);
    }
    return shaped;
}
