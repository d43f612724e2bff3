/* direct_layout.c - selects joints for the direct solver, and orders their rows.
 *
 * Invariant: rows that share a node stand near each other (Cuthill and McKee 1969), so each
 * component's envelope is narrow. Nodes, components and order follow from the joints alone. A
 * restored world therefore has the same layout.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "joint/direct.h"

/// Greatest work of a factorization [multiplications]. Components with more work are swept.
enum { MOST_WORK = 65536 };

/// Returns the node at an end; -1 for an end that never moves.
static int node_of(const pv_world *world, const pv__anchor *g) {
    const pv__particles *p = &world->matter.particles;
    if (g->particle)
        return p->inverse_mass[g->particle] > 0 ? pv__direct_particle_node(g->particle) : -1;
    return g->body >= 0 && world->bodies.items[g->body].type == PV_BODY_DYNAMIC
               ? pv__direct_body_node(g->body)
               : -1;
}

/// Tells whether the direct solver can take a joint.
static bool is_candidate(const pv_world *world, const pv__constraint *c) {
    if (!pv__joint_is_present(world, c) || !pv__joint_parts(c)) return false;
    return node_of(world, &c->a) >= 0 || node_of(world, &c->b) >= 0;
}

static int end_node(const pv_world *world, int name) {
    const pv__constraint *c = &world->matter.constraints[name / 2];
    return node_of(world, name % 2 ? &c->b : &c->a);
}

static bool reserve(pv_world *world, struct pv__direct *d) {
    const pv_allocator *allocator = &world->def.allocator;
    int constraints = world->matter.constraint_pool.count + 1;
    return PV__RESERVE(allocator, d->order, d->order_capacity, constraints) &&
           PV__RESERVE(allocator, d->laid, d->laid_capacity, constraints) &&
           PV__RESERVE(allocator, d->nodes, d->node_capacity,
                       2 * (constraints + PV__MOST_TOUCH_ROWS)) &&
           PV__RESERVE(allocator, d->members, d->member_capacity, 2 * constraints) &&
           PV__RESERVE(allocator, d->components, d->component_capacity, constraints) &&
           PV__RESERVE(allocator, d->plan, d->plan_capacity, 3 * constraints);
}

bool pv__direct_reserve_states(pv_world *world, struct pv__direct *d) {
    int nodes = 2 * pv__later(world->bodies.count, world->matter.particles.count) + 2;
    if (!PV__RESERVE(&world->def.allocator, d->states, d->state_capacity, nodes)) return false;
    while (d->state_count < nodes)
        d->states[d->state_count++] = (pv__node_state){.owner = -1, .end = -1};
    return true;
}

/// Lists the ends at each node, in the order of slots.
static void list_ends(const pv_world *world, struct pv__direct *d) {
    const pv__matter *m = &world->matter;
    for (int i = 2 * m->constraint_pool.count - 1; i >= 0; i--) {
        int node = is_candidate(world, &m->constraints[i / 2]) ? end_node(world, i) : -1;
        if (node < 0) continue;
        d->laid[i / 2].next[i % 2] = d->states[node].end;
        d->states[node].end = i;
    }
}

/// Returns the first end at the node of an end, or -1.
static int first_end(const pv_world *world, const struct pv__direct *d, int name) {
    int node = end_node(world, name);
    return node >= 0 ? d->states[node].end : -1;
}

/// Appends all joints connected to a joint to the order, nearest first. Returns the index after
/// them.
static int spread(const pv_world *world, struct pv__direct *d, int slot, int from) {
    int to = from;
    d->laid[slot].place = to;
    d->order[to++] = slot;
    for (int i = from; i < to; i++)
        for (int which = 0; which < 2; which++)
            for (int e = first_end(world, d, 2 * d->order[i] + which); e >= 0;
                 e = d->laid[e / 2].next[e % 2]) {
                if (d->laid[e / 2].place >= 0) continue;
                d->laid[e / 2].place = to;
                d->order[to++] = e / 2;
            }
    return to;
}

/// Spreads from the farthest connected joint, so that the order begins at an end of a chain.
static int spread_from_end(const pv_world *world, struct pv__direct *d, int slot, int from) {
    int to = spread(world, d, slot, from), farthest = d->order[to - 1];
    for (int i = from; i < to; i++) d->laid[d->order[i]].place = -1;
    return spread(world, d, farthest, from);
}

static bool holds_body(const pv_world *world, int slot) {
    int a = end_node(world, 2 * slot), b = end_node(world, 2 * slot + 1);
    return pv__direct_is_body_node(a) || pv__direct_is_body_node(b);
}

static bool holds_particle(const pv_world *world, int slot) {
    const pv__constraint *c = &world->matter.constraints[slot];
    return c->a.particle || c->b.particle;
}

/// Returns the first row of the earlier joints that share a node with a joint, or its own.
static int first_row(const pv_world *world, const struct pv__direct *d, int slot) {
    int first = d->laid[slot].row;
    for (int which = 0; which < 2; which++)
        for (int e = first_end(world, d, 2 * slot + which); e >= 0; e = d->laid[e / 2].next[e % 2])
            if (d->laid[e / 2].place < d->laid[slot].place)
                first = pv__sooner(first, d->laid[e / 2].row);
    return first;
}

/// Plans the rows of a joint for a component, and adds their work and their number of matrix
/// entries. Beyond MOST_WORK, rows get no envelope.
static void plan_rows(const pv_world *world, struct pv__direct *d, int slot, pv__component *into) {
    const pv__constraint *c = &world->matter.constraints[slot];
    int row = d->plan_count - into->first_plan;
    d->laid[slot].row = row;
    int first = into->work <= MOST_WORK ? first_row(world, d, slot) : row;
    for (int part = PV__PART_LENGTH; part <= PV__PART_ANGLE; part *= 2) {
        if (!(pv__joint_parts(c) & part)) continue;
        pv__row *r = &d->plan[d->plan_count];
        *r = (pv__row){.slot = slot, .part = (pv__joint_part)part, .first = first};
        r->ends[0].node = node_of(world, &c->a);
        r->ends[1].node = node_of(world, &c->b);
        int64_t width = d->plan_count++ - into->first_plan - first;
        into->work += width * width;
        r->at = into->numbers - first;
        into->numbers += (int)width;
    }
}

/// Adds a node to the members of a component, unless it is one.
static void add_member(struct pv__direct *d, pv__component *c, int node) {
    if (node < 0 || d->states[node].owner == c->index) return;
    d->states[node].owner = c->index;
    d->members[c->end_member++] = node;
    d->member_count = c->end_member;
}

/// Reserves memory for joint rows with their matrix entries, and for all possible contact rows.
/// Returns false without memory.
static bool reserve_rows(pv_world *world, struct pv__direct *d, int rows, int numbers) {
    const pv_allocator *allocator = &world->def.allocator;
    int most = rows + PV__MOST_TOUCH_ROWS, need = numbers + PV__MOST_TOUCH_ROWS * most + 1;
    return PV__RESERVE(allocator, d->rows, d->row_capacity, most) &&
           PV__RESERVE(allocator, d->numbers, d->number_capacity, need) &&
           PV__RESERVE(allocator, d->upper, d->upper_capacity, need);
}

/// Makes a component of all of its planned rows.
static void make_component(pv_world *world, struct pv__direct *d, const pv__component *planned) {
    pv__component *c = &d->components[d->component_count];
    *c = *planned;
    c->index = d->component_count++;
    c->end = c->last = d->plan_count - c->first_plan;
    c->first_member = c->end_member = d->member_count;
    for (int i = c->first_plan; i < d->plan_count; i++) {
        const pv__row *r = &d->plan[i];
        world->matter.constraints[r->slot].direct = true;
        add_member(d, c, r->ends[0].node);
        add_member(d, c, r->ends[1].node);
    }
}

/// Makes a component of a range of the order, if it holds a body. One with particles and a wide
/// envelope is left to the batches. Returns false without memory.
static bool add_component(pv_world *world, struct pv__direct *d, int from, int to) {
    pv__component c = {.first_plan = d->plan_count, .bearing = -1};
    bool body = false, particle = false;
    for (int i = from; i < to; i++) {
        body |= holds_body(world, d->order[i]);
        particle |= holds_particle(world, d->order[i]);
        plan_rows(world, d, d->order[i], &c);
    }
    c.exact = c.work <= MOST_WORK;
    bool wanted = body && (c.exact || !particle);
    if (wanted && !reserve_rows(world, d, d->plan_count - c.first_plan, c.numbers)) return false;
    if (wanted)
        make_component(world, d, &c);
    else
        d->plan_count = c.first_plan;
    return true;
}

bool pv__direct_lay_out(pv_world *world) {
    pv__matter *m = &world->matter;
    for (int i = 0; i < m->constraint_pool.count; i++) m->constraints[i].direct = false;
    if (!m->direct) {
        m->direct = pv__alloc(&world->def.allocator, 1, sizeof *m->direct);
        if (!m->direct) return false;
    }
    struct pv__direct *d = m->direct;
    d->plan_count = d->component_count = d->member_count = d->state_count = 0;
    if (!reserve(world, d) || !pv__direct_reserve_states(world, d)) return false;
    list_ends(world, d);
    d->bearing_step = 0;
    for (int i = 0; i < m->constraint_pool.count; i++) d->laid[i].place = -1;
    for (int i = 0, from = 0; i < m->constraint_pool.count; i++) {
        if (d->laid[i].place >= 0 || !is_candidate(world, &m->constraints[i])) continue;
        int to = spread_from_end(world, d, i, from);
        if (!add_component(world, d, from, to)) return false;
        from = to;
    }
    return true;
}

void pv__direct_free(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    struct pv__direct *d = world->matter.direct;
    if (!d) return;
    PV__FREE(allocator, d->plan, d->plan_capacity);
    PV__FREE(allocator, d->rows, d->row_capacity);
    PV__FREE(allocator, d->numbers, d->number_capacity);
    PV__FREE(allocator, d->upper, d->upper_capacity);
    PV__FREE(allocator, d->components, d->component_capacity);
    PV__FREE(allocator, d->order, d->order_capacity);
    PV__FREE(allocator, d->laid, d->laid_capacity);
    PV__FREE(allocator, d->states, d->state_capacity);
    PV__FREE(allocator, d->bearings, d->bearing_capacity);
    PV__FREE(allocator, d->nodes, d->node_capacity);
    PV__FREE(allocator, d->members, d->member_capacity);
    pv__free(allocator, d, 1, sizeof *d);
    world->matter.direct = NULL;
}
