/* pv_direct.c - joints of bodies solved together: a sparse direct solve (LU in an envelope; George and Liu 1981).
 *
 * Invariant: a component is all constraints that reach each other by things that move. Its rows stand in an order in which those
 * that share such a thing are near each other (Cuthill and McKee 1969), so the envelope is narrow, and what fills in stays in it. A
 * component whose envelope would be wide is left to the sweeps, as is what has a bound of its force.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_grip.h"

/// The widest that the mean row of a component is [numbers].
enum { WIDE = 48 };
/// A pivot that is so small a part of its row's diagonal says what others say: the row is left out.
static const double REDUNDANT = 1e-9;
/// Newton's steps of a round at most, and the error that is none [px].
enum { NEWTON_STEPS = 16 };
static const double NO_ERROR = 1e-7;
/// Share of a row's diagonal that is added to it at least; what it grows by after a step that made it worse, and shrinks by else.
static const double DAMPING = 1e-7, DAMPED = 100, EASED = 5;
/// What draws an end back as it goes aside may be so many times its inertia.
static const double STEADY = 1;
/// Times that a substep is solved anew because something bears so many times what it was steadied for.
enum { ATTEMPTS = 6 };
static const double MOST_LOAD = 2;
/// Factor by which everything is steadied more for every time that no way was found.
static const double STEADIER = 4;
/// The farthest that a step of Newton's moves anything [px], and turns it [rad].
static const double MOST_WAY = 16, MOST_TURN = 1;
/// Error from which on a substep is swept instead [px], and how many times.
static const double CLOSE = 0.1;
enum { SWEEPS = 4 };
/// Rows of touches in a component at most; and how many times as heavy something else is as what they bear on.
enum { MOST_TOUCHES = 48 };
static const double HEAVY = 8;
/// How soft touches are, as a share of what they yield: more of them than can be told apart share a load.
static const double SOFT_TOUCH = 1e-5, SOFT_RUB = 1e-4;
/// Share of their relative spin that is taken from light links under load in a substep.
static const double CALMED = 0.5;
/// Times that ropes and struts are asked which of them hold.
enum { ASKED = 4 };

/// Something that a row moves.
typedef struct end {
    int node;              ///< as node_of() has it; -1 for what never moves
    pv__joint_lever gives; ///< what a unit of the row pushes and twists it by, where the substep began
    pv__joint_lever feels; ///< what its moving and turning do to the row's error, where it is now
    double wx, wy, wturn;  ///< inverse masses
} end;

/// One number that a constraint holds.
typedef struct row {
    int slot; ///< of the constraint
    pv__joint_part part;
    int first; ///< column where its envelope begins, a row
    int at;    ///< where that stands among the numbers
    bool lives, holds;
    end ends[2];
    double softness, inverse; ///< added to the diagonal; of the pivot
    double missing;           ///< right side
    double x;                 ///< the same, then the solution
    /* of a touch */
    const pv__press *press; ///< or null
    bool rubs;              ///< along the touch: after the row across it
    double friction;        ///< of what that gives it may give so much
    double slid;            ///< 1 or -1: it gives all that it may, and does not hold
    int bodies[2];
    pv_vec2 levers[2]; ///< from their centers where the substep began [px]
    double least;      ///< gap that there was, if they overlapped, or 0 [px]
    double given;      ///< in the substep [mass px]
    double before, step;
} row;

/// Rows from first to end - 1, and what they hold; then those of touches, up to last - 1.
typedef struct component {
    int first, end, last;
    int first_member, end_member;
    int touch; ///< the first one, or -1
} component;

/// A manifold that one of a component is part of.
typedef struct touch {
    int slot, next; ///< next: of the same component, or -1
} touch;

struct pv__direct {
    row *rows;
    double *numbers; ///< L, by rows, left of the diagonal
    double *upper;   ///< U, by columns, above it
    component *components;
    int *order;            ///< constraints
    int *place;            ///< of each slot in the order, or -1
    int *start;            ///< first row of each slot that has a place
    touch *touches;        ///< of the step
    int *owners;           ///< by body: its component, or -1
    int *nodes;            ///< scratch: what a component holds, and what bears on it
    int *members;          ///< nodes of components
    pv__joint_lever *nets; ///< scratch by node: how far a step moves and turns it
    double *loads;         ///< by node: what draws it back when it goes aside [mass], [mass px^2]
    int *ends;             ///< the first one at each node; ends are named 2 * slot + which
    int *next;             ///< of each end: the next one at its node, or -1
    int row_count, row_capacity, number_count, number_capacity, upper_capacity, component_count,
        component_capacity;
    int order_capacity, place_capacity, start_capacity, end_capacity, next_capacity, load_capacity,
        net_capacity, member_count, member_capacity, touch_count, touch_capacity, owner_count, owner_capacity,
        node_capacity;
    double damping;
    uint64_t touch_step; ///< in which the touches were listed, and of how many pairs
    int touch_active;
};

/* ---- which, and in which order ---- */

static int body_node(int body) { return 2 * body; }
static int particle_node(int particle) { return 2 * particle + 1; }
static bool is_body(int node) { return node >= 0 && node % 2 == 0; }

/// How many names of nodes there may be.
static int nodes_of(const pv_world *world) {
    return 2 * pv__later(world->body_count, world->matter.particles.count) + 2;
}

/// What moves at an end has a name: even ones are of bodies, odd ones of particles.
static int node_of(const pv_world *world, const pv__grip *g) {
    const pv__particles *p = &world->matter.particles;
    if (g->particle) return p->inverse_mass[g->particle] > 0 ? particle_node(g->particle) : -1;
    return g->body >= 0 && world->bodies[g->body].type == PV_BODY_DYNAMIC ? body_node(g->body) : -1;
}

static bool is_gone(const pv_world *world, const pv__grip *g) {
    return g->body >= 0 && world->bodies[g->body].disabled;
}

static bool is_candidate(const pv_world *world, const pv__constraint *c) {
    if (!(c->generation & 1) || c->grace > 0 || !pv__joint_parts(c)) return false;
    if (is_gone(world, &c->a) || is_gone(world, &c->b)) return false;
    return node_of(world, &c->a) >= 0 || node_of(world, &c->b) >= 0;
}

static int end_node(const pv_world *world, int name) {
    const pv__constraint *c = &world->matter.constraints[name / 2];
    return node_of(world, name % 2 ? &c->b : &c->a);
}

static bool reserve(pv_world *world, struct pv__direct *d) {
    const pv_allocator *allocator = &world->def.allocator;
    int constraints = world->matter.constraint_count + 1, nodes = nodes_of(world);
    return pv__reserve(allocator, &d->order, &d->order_capacity, constraints, sizeof(int)) &&
           pv__reserve(allocator, &d->place, &d->place_capacity, constraints, sizeof(int)) &&
           pv__reserve(allocator, &d->start, &d->start_capacity, constraints, sizeof(int)) &&
           pv__reserve(allocator, &d->next, &d->next_capacity, 2 * constraints, sizeof(int)) &&
           pv__reserve(allocator, &d->nodes, &d->node_capacity, 2 * (constraints + MOST_TOUCHES),
                       sizeof(int)) &&
           pv__reserve(allocator, &d->members, &d->member_capacity, 2 * constraints, sizeof(int)) &&
           pv__reserve(allocator, &d->loads, &d->load_capacity, nodes, sizeof(double)) &&
           pv__reserve(allocator, &d->ends, &d->end_capacity, nodes, sizeof(int)) &&
           pv__reserve(allocator, &d->components, &d->component_capacity, constraints, sizeof(component)) &&
           pv__reserve(allocator, &d->rows, &d->row_capacity, (3 + MOST_TOUCHES) * constraints, sizeof(row));
}

/// Makes room for what is known by body, of which some may have come; false without memory.
static bool reserve_bodies(pv_world *world, struct pv__direct *d) {
    const pv_allocator *allocator = &world->def.allocator;
    if (!pv__reserve(allocator, &d->nets, &d->net_capacity, nodes_of(world), sizeof(pv__joint_lever)) ||
        !pv__reserve(allocator, &d->owners, &d->owner_capacity, world->body_count + 1, sizeof(int)))
        return false;
    for (; d->owner_count < world->body_count; d->owner_count++) d->owners[d->owner_count] = -1;
    return true;
}

/// Lists the ends at each node, in order of slots.
static void list_ends(const pv_world *world, struct pv__direct *d) {
    const pv__matter *m = &world->matter;
    for (int i = 0; i < nodes_of(world); i++) d->ends[i] = -1;
    for (int i = 2 * m->constraint_count - 1; i >= 0; i--) {
        int node = is_candidate(world, &m->constraints[i / 2]) ? end_node(world, i) : -1;
        if (node < 0) continue;
        d->next[i] = d->ends[node];
        d->ends[node] = i;
    }
}

/// Puts all constraints that one reaches into the order from a place on, nearest first; returns the place after them.
static int spread(const pv_world *world, struct pv__direct *d, int slot, int from) {
    int to = from;
    d->place[slot] = to;
    d->order[to++] = slot;
    for (int i = from; i < to; i++)
        for (int which = 0; which < 2; which++) {
            int node = end_node(world, 2 * d->order[i] + which);
            for (int e = node >= 0 ? d->ends[node] : -1; e >= 0; e = d->next[e]) {
                if (d->place[e / 2] >= 0) continue;
                d->place[e / 2] = to;
                d->order[to++] = e / 2;
            }
        }
    return to;
}

/// The same from the farthest one that a constraint reaches: so the order begins at an end.
static int spread_from_end(const pv_world *world, struct pv__direct *d, int slot, int from) {
    int to = spread(world, d, slot, from), farthest = d->order[to - 1];
    for (int i = from; i < to; i++) d->place[d->order[i]] = -1;
    return spread(world, d, farthest, from);
}

static bool holds_body(const pv_world *world, int slot) {
    int a = end_node(world, 2 * slot), b = end_node(world, 2 * slot + 1);
    return is_body(a) || is_body(b);
}

/// The first row of those that share a node with a constraint and stand before it, or its own first one.
static int first_row(const pv_world *world, const struct pv__direct *d, int slot) {
    int first = d->start[slot];
    for (int which = 0; which < 2; which++) {
        int node = end_node(world, 2 * slot + which);
        for (int e = node >= 0 ? d->ends[node] : -1; e >= 0; e = d->next[e])
            if (d->place[e / 2] < d->place[slot]) first = pv__sooner(first, d->start[e / 2]);
    }
    return first;
}

/// Adds the rows of a constraint; returns how many numbers they need.
static int64_t add_rows(const pv_world *world, struct pv__direct *d, int slot) {
    const pv__constraint *c = &world->matter.constraints[slot];
    int64_t numbers = 0;
    d->start[slot] = d->row_count;
    int first = first_row(world, d, slot);
    for (int part = PV__PART_LENGTH; part <= PV__PART_ANGLE; part *= 2) {
        if (!(pv__joint_parts(c) & part)) continue;
        row *r = &d->rows[d->row_count];
        *r = (row){.slot = slot, .part = (pv__joint_part)part, .first = first};
        r->ends[0].node = node_of(world, &c->a);
        r->ends[1].node = node_of(world, &c->b);
        numbers += d->row_count++ - first;
    }
    return numbers;
}

/// Lists a node once. While members are listed its load tells so.
static void add_member(struct pv__direct *d, component *c, int node) {
    if (node < 0 || d->loads[node] > 0) return;
    d->loads[node] = 1;
    d->members[c->end_member++] = node;
    d->member_count = c->end_member;
}

/// Gives the rows of a component their room, and those of touches after them; false without memory.
static bool place_numbers(pv_world *world, struct pv__direct *d, int first, int64_t numbers) {
    int after = d->row_count, last = after + MOST_TOUCHES,
        need = d->number_count + (int)numbers + MOST_TOUCHES * (last - first) + 1;
    if (!pv__reserve(&world->def.allocator, &d->numbers, &d->number_capacity, need, sizeof(double)) ||
        !pv__reserve(&world->def.allocator, &d->upper, &d->upper_capacity, need, sizeof(double)))
        return false;
    for (int i = after; i < last; i++) d->rows[i] = (row){.slot = -1 - i, .part = PV__PART_X, .first = first};
    for (int i = first; i < last; i++) {
        d->rows[i].at = d->number_count;
        d->number_count += i - d->rows[i].first;
        if (i < after) world->matter.constraints[d->rows[i].slot].direct = true;
    }
    d->row_count = last;
    component *c = &d->components[d->component_count++];
    *c = (component){first, after, after, d->member_count, d->member_count, -1};
    for (int i = first; i < after; i++)
        for (int which = 0; which < 2; which++) add_member(d, c, d->rows[i].ends[which].node);
    for (int i = c->first_member; i < c->end_member; i++)
        if (is_body(d->members[i])) d->owners[d->members[i] / 2] = d->component_count - 1;
    return true;
}

/// Makes a component of the constraints from a place in the order to another, if it holds a body and is narrow enough.
static bool add_component(pv_world *world, struct pv__direct *d, int from, int to) {
    int first = d->row_count;
    int64_t numbers = 0;
    bool wanted = false;
    for (int i = from; i < to; i++) {
        wanted |= holds_body(world, d->order[i]);
        numbers += add_rows(world, d, d->order[i]);
    }
    wanted &= numbers <= (int64_t)WIDE * (d->row_count - first);
    if (wanted) return place_numbers(world, d, first, numbers);
    d->row_count = first;
    return true;
}

bool pv__lay_direct(pv_world *world) {
    pv__matter *m = &world->matter;
    for (int i = 0; i < m->constraint_count; i++) m->constraints[i].direct = false;
    if (!m->direct) {
        m->direct = pv__alloc(&world->def.allocator, 1, sizeof *m->direct);
        if (!m->direct) return false;
        *m->direct = (struct pv__direct){0};
    }
    struct pv__direct *d = m->direct;
    d->row_count = d->number_count = d->component_count = d->member_count = 0;
    d->owner_count = 0;
    if (!reserve(world, d) || !reserve_bodies(world, d)) return false;
    list_ends(world, d);
    for (int i = 0; i < nodes_of(world); i++) d->loads[i] = 0;
    d->touch_step = 0;
    d->touch_count = 0;
    for (int i = 0; i < m->constraint_count; i++) d->place[i] = -1;
    for (int i = 0, from = 0; i < m->constraint_count; i++) {
        if (d->place[i] >= 0 || !is_candidate(world, &m->constraints[i])) continue;
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
    pv__free(allocator, d->rows, (size_t)d->row_capacity, sizeof(row));
    pv__free(allocator, d->numbers, (size_t)d->number_capacity, sizeof(double));
    pv__free(allocator, d->upper, (size_t)d->upper_capacity, sizeof(double));
    pv__free(allocator, d->components, (size_t)d->component_capacity, sizeof(component));
    pv__free(allocator, d->order, (size_t)d->order_capacity, sizeof(int));
    pv__free(allocator, d->place, (size_t)d->place_capacity, sizeof(int));
    pv__free(allocator, d->start, (size_t)d->start_capacity, sizeof(int));
    pv__free(allocator, d->next, (size_t)d->next_capacity, sizeof(int));
    pv__free(allocator, d->touches, (size_t)d->touch_capacity, sizeof(touch));
    pv__free(allocator, d->owners, (size_t)d->owner_capacity, sizeof(int));
    pv__free(allocator, d->nodes, (size_t)d->node_capacity, sizeof(int));
    pv__free(allocator, d->members, (size_t)d->member_capacity, sizeof(int));
    pv__free(allocator, d->nets, (size_t)d->net_capacity, sizeof(pv__joint_lever));
    pv__free(allocator, d->loads, (size_t)d->load_capacity, sizeof(double));
    pv__free(allocator, d->ends, (size_t)d->end_capacity, sizeof(int));
    pv__free(allocator, d, 1, sizeof *d);
    world->matter.direct = NULL;
}

/* ---- the matrix ---- */

/// What bears a load resists turning: as its end goes aside, the load draws it back. Explicit steps would make that more and more
/// where the load is heavy, so there it turns as if it had the inertia at which they do not (Tournier et al. 2015 have it implicit).
static double steadied(double inverse, double load) {
    return inverse * load > STEADY ? STEADY / load : inverse;
}

/// How an end yields.
static void set_yield(const pv_world *world, const double *loads, end *e, const pv__grip *g) {
    e->wx = e->wy = e->wturn = 0;
    if (e->node < 0) return;
    if (g->particle) {
        e->wx = e->wy = steadied(world->matter.particles.inverse_mass[g->particle], loads[e->node]);
    } else if (pv__gives(world, g->body)) {
        const pv__body *b = &world->bodies[g->body];
        pv_vec2 w = pv__unlocked(b, pv__vec(b->inverse_mass, b->inverse_mass));
        e->wx = w.x;
        e->wy = w.y;
        e->wturn = steadied(b->inverse_inertia, loads[e->node]);
    }
}

/// Adds what a constraint's push draws its ends back by when they go aside [mass], [mass px^2].
static void add_load(const pv__constraint *c, const end *ends, double *loads) {
    if (c->type <= PV_CONSTRAINT_STRUT) {
        double pull = pv__max(0, -pv__dot(c->push, c->along)) / c->length;
        if (c->a.particle && ends[0].node >= 0) loads[ends[0].node] += pull;
        if (c->b.particle && ends[1].node >= 0) loads[ends[1].node] += pull;
    }
    double push = pv__length(c->push);
    if (c->a.body >= 0 && ends[0].node >= 0) loads[ends[0].node] += push * pv__length(c->a.lever);
    if (c->b.body >= 0 && ends[1].node >= 0) loads[ends[1].node] += push * pv__length(c->b.lever);
}

static bool is_first(const struct pv__direct *d, const component *c, int i) {
    return i == c->first || d->rows[i - 1].slot != d->rows[i].slot;
}

/// Makes the loads what the constraints give now.
static void set_loads(const pv_world *world, const struct pv__direct *d, const component *c) {
    for (int i = c->first_member; i < c->end_member; i++) d->loads[d->members[i]] = 0;
    for (int i = c->first; i < c->end; i++)
        if (is_first(d, c, i)) add_load(&world->matter.constraints[d->rows[i].slot], d->rows[i].ends, d->loads);
}

/// What a unit of one row gives at an end moves another's error by.
static double shared(const end *error, const end *gift) {
    if (error->node < 0 || error->node != gift->node) return 0;
    return error->feels.x * gift->wx * gift->gives.x + error->feels.y * gift->wy * gift->gives.y +
           error->feels.turn * gift->wturn * gift->gives.turn;
}

static double coupling(const row *error, const row *gift) {
    return shared(&error->ends[0], &gift->ends[0]) + shared(&error->ends[0], &gift->ends[1]) +
           shared(&error->ends[1], &gift->ends[0]) + shared(&error->ends[1], &gift->ends[1]);
}

static void start_row(const pv_world *world, const struct pv__direct *d, row *r, double h) {
    const pv__constraint *c = &world->matter.constraints[r->slot];
    r->softness = 0;
    r->lives = c->generation & 1;
    if (!r->lives) return; /* it broke */
    pv__joint_gives(world, c, r->part, &r->ends[0].gives, &r->ends[1].gives);
    set_yield(world, d->loads, &r->ends[0], &c->a);
    set_yield(world, d->loads, &r->ends[1], &c->b);
    r->softness = pv__joint_softness(c, h);
}

/// Fills and factors a row of L, left of the diagonal, and a column of U, above it. What does not hold moves nothing.
static void factor_row(const struct pv__direct *d, int i) {
    row *r = &d->rows[i];
    double *left = d->numbers + (r->at - r->first), *above = d->upper + (r->at - r->first);
    double diagonal = r->holds ? coupling(r, r) * (1 + (r->press ? 0 : d->damping)) + r->softness : 0, pivot = diagonal;
    for (int j = r->first; j < i; j++) {
        const row *q = &d->rows[j];
        const double *q_left = d->numbers + (q->at - q->first), *q_above = d->upper + (q->at - q->first);
        bool both = r->holds && q->holds;
        double l = both ? coupling(r, q) : 0, u = both ? coupling(q, r) : 0;
        for (int k = pv__later(r->first, q->first); k < j; k++) {
            l -= left[k] * q_above[k];
            u -= q_left[k] * above[k];
        }
        left[j] = l * q->inverse;
        above[j] = u;
    }
    for (int j = r->first; j < i; j++) pivot -= left[j] * above[j];
    r->inverse = pv__abs(pivot) > REDUNDANT * diagonal ? 1 / pivot : 0;
}

/// Turns the right side into the solution.
static void solve(const struct pv__direct *d, const component *c) {
    for (int i = c->first; i < c->last; i++) factor_row(d, i);
    for (int i = c->first; i < c->last; i++) {
        row *r = &d->rows[i];
        const double *left = d->numbers + (r->at - r->first);
        for (int j = r->first; j < i; j++) r->x -= left[j] * d->rows[j].x;
    }
    for (int i = c->last - 1; i >= c->first; i--) {
        row *r = &d->rows[i];
        const double *above = d->upper + (r->at - r->first);
        r->x *= r->inverse;
        for (int j = r->first; j < i; j++) d->rows[j].x -= above[j] * r->x;
    }
}

/* ---- a round ---- */

/// The sign of what a row may give in all: 0 for any, 1 for what only pushes, -1 for what only pulls.
static int sign_of(const pv__constraint *c) {
    return c->type == PV_CONSTRAINT_STRUT ? 1 : c->type == PV_CONSTRAINT_ROPE ? -1 : 0;
}

/// Sets a row's right side, and how its error feels its ends; returns the size of the error [px], [rad].
static double look(const pv_world *world, row *r, double h) {
    const pv__constraint *c = &world->matter.constraints[r->slot];
    r->holds = false;
    r->x = 0;
    if (!r->lives) return 0;
    pv__joint_feels(world, c, r->part, &r->ends[0].feels, &r->ends[1].feels);
    double missing = pv__joint_missing(world, c, r->part, h);
    int sign = sign_of(c);
    r->holds = sign == 0 || sign * missing > 0 || sign * pv__joint_given(world, c, r->part) > 0;
    if (!(coupling(r, r) > 0)) r->holds = false;
    r->x = r->holds ? missing : 0;
    r->missing = r->x;
    return pv__abs(r->x);
}

/// The sign of what a row may give in all, and what it has given.
static int sign_of_row(const pv_world *world, const row *r, double *given) {
    if (r->press) return *given = r->given, 1;
    const pv__constraint *c = &world->matter.constraints[r->slot];
    *given = pv__joint_given(world, c, r->part);
    return sign_of(c);
}

/// Lets go of what would have to pull where it only pushes, or the other way round; whether there was any.
static bool let_go(const pv_world *world, const struct pv__direct *d, const component *c) {
    bool any = false;
    for (int i = c->first; i < c->last; i++) {
        row *r = &d->rows[i];
        double given;
        if (!r->holds) continue;
        int sign = sign_of_row(world, r, &given);
        if (r->press && r->rubs) {
            double may = r->friction * (r[-1].given + (r[-1].holds ? r[-1].x : 0));
            if (pv__abs(given + r->x) <= may) continue;
            r->slid = given + r->x > 0 ? 1 : -1;
            r->holds = false;
            any = true;
            continue;
        }
        if (sign == 0 || sign * (given + r->x) >= 0) continue;
        r->holds = false;
        any = true;
    }
    for (int i = c->first; any && i < c->last; i++) d->rows[i].x = d->rows[i].holds ? d->rows[i].missing : 0;
    return any;
}

static void push_end(pv_world *world, const end *e, const pv__grip *g, pv_vec2 push, double twist) {
    pv__particles *p = &world->matter.particles;
    if (e->node < 0) return;
    if (g->particle)
        p->now[g->particle] = pv__mad(p->now[g->particle], e->wx, push);
    else
        pv__nudge_body(world, g->body, pv__vec(e->wx * push.x, e->wy * push.y),
                       e->wturn * (twist + pv__cross(g->lever, push)));
}

static void push_both(pv_world *world, const row *r, pv_vec2 push, double twist) {
    pv__constraint *c = &world->matter.constraints[r->slot];
    c->push = pv__add(c->push, push);
    c->twist += twist;
    push_end(world, &r->ends[0], &c->a, pv__mul(-1, push), -twist);
    push_end(world, &r->ends[1], &c->b, push, twist);
}

/// What a constraint's rows give, from one on; returns the row after them.
static int give(pv_world *world, const struct pv__direct *d, int i, int last) {
    const row *first = &d->rows[i];
    pv_vec2 push = {0, 0};
    double twist = 0;
    for (; i < last && d->rows[i].slot == first->slot; i++) {
        const row *r = &d->rows[i];
        if (!r->holds) continue;
        push = pv__mad(push, r->x, pv__vec(r->ends[1].gives.x, r->ends[1].gives.y));
        if (r->part == PV__PART_ANGLE) twist += r->x;
    }
    if (first->lives) push_both(world, first, push, twist);
    return i;
}

/* ---- touches ---- */

static pv_vec2 spot_on(const pv__pose *pose, pv_vec2 anchor, double radius, pv_vec2 normal) {
    return pv__mad(pv__add(pose->centre, pv__rotate(pose->turn, anchor)), radius, normal);
}

/// How far b is from a at a touch in two poses, along the way that the row holds; where it is on both, and that way.
static double apart_in(const row *r, const pv__pose *a, const pv__pose *b, pv_vec2 spots[2], pv_vec2 *way) {
    const pv__press *p = r->press;
    *way = r->rubs ? pv__perp(p->normal) : p->normal;
    spots[0] = spot_on(a, p->anchor_a, p->radius_a, p->normal);
    spots[1] = spot_on(b, p->anchor_b, -p->radius_b, p->normal);
    return pv__dot(pv__sub(spots[1], spots[0]), *way);
}

static void set_touch_end(const pv_world *world, const struct pv__direct *d, row *r, int which,
                          pv_vec2 normal) {
    end *e = &r->ends[which];
    int body = r->bodies[which];
    const pv__body *b = &world->bodies[body];
    double sign = which ? 1 : -1;
    e->node = b->type == PV_BODY_DYNAMIC ? body_node(body) : -1;
    e->gives = (pv__joint_lever){sign * normal.x, sign * normal.y, sign * pv__cross(r->levers[which], normal)};
    e->wx = e->wy = e->wturn = 0;
    if (e->node < 0 || !pv__gives(world, body)) return;
    pv_vec2 w = pv__unlocked(b, pv__vec(b->inverse_mass, b->inverse_mass));
    e->wx = w.x;
    e->wy = w.y;
    e->wturn =
        d->owners[body] >= 0 ? steadied(b->inverse_inertia, d->loads[body_node(body)]) : b->inverse_inertia;
}

static void start_touch(const pv_world *world, const struct pv__direct *d, row *r) {
    pv__pose a = pv__pose_then(world, r->bodies[0]), b = pv__pose_then(world, r->bodies[1]);
    pv_vec2 spots[2], way;
    double apart = apart_in(r, &a, &b, spots, &way);
    r->least = r->rubs ? apart : pv__min(0, apart);
    pv_vec2 middle = pv__lerp(spots[0], spots[1], 0.5);
    r->levers[0] = pv__sub(middle, a.centre);
    r->levers[1] = pv__sub(middle, b.centre);
    r->given = r->softness = r->slid = 0;
    r->lives = true;
    set_touch_end(world, d, r, 0, way);
    set_touch_end(world, d, r, 1, way);
}

/// Sets the right side of a touch: how much deeper it has got in the substep; of what rubs, how far it has slid.
static double look_at_touch(const pv_world *world, row *r) {
    pv__pose a = pv__pose_now(world, r->bodies[0]), b = pv__pose_now(world, r->bodies[1]);
    pv_vec2 spots[2], n;
    double off = r->least - apart_in(r, &a, &b, spots, &n);
    double turn_a = pv__cross(pv__sub(spots[0], a.centre), n),
           turn_b = pv__cross(pv__sub(spots[1], b.centre), n);
    r->ends[0].feels = (pv__joint_lever){-n.x, -n.y, -turn_a};
    r->ends[1].feels = (pv__joint_lever){n.x, n.y, turn_b};
    bool holds = r->rubs ? r[-1].holds && r->slid == 0 && r->friction > 0 : off > 0 || r->given > 0;
    r->softness = (r->rubs ? SOFT_RUB : SOFT_TOUCH) * coupling(r, r);
    r->holds = holds && r->softness > 0;
    r->missing = r->x = r->holds ? pv__clamp(off, -MOST_WAY, MOST_WAY) : 0;
    return pv__abs(r->x);
}

static void push_touch(pv_world *world, row *r, double by) {
    r->given += by;
    for (int which = 0; which < 2; which++) {
        const end *e = &r->ends[which];
        if (e->node >= 0)
            pv__nudge_body(world, r->bodies[which], pv__vec(e->wx * e->gives.x * by, e->wy * e->gives.y * by),
                           e->wturn * e->gives.turn * by);
    }
}

/// Gives along a touch what friction gives where it slides.
static void rub(pv_world *world, row *r) {
    double may = r->friction * r[-1].given;
    if (!r->rubs || r->slid == 0 || r->given == r->slid * may) return;
    push_touch(world, r, r->slid * may - r->given);
}

/// Whether something is so much heavier than a member that sweeps would not bear it there.
static bool is_light(const pv_world *world, const struct pv__direct *d, const component *c, int body,
                     int other) {
    double w = world->bodies[body].inverse_mass, least = w;
    const pv__body *o = &world->bodies[other];
    if (o->inverse_mass > 0) least = pv__min(least, o->inverse_mass);
    for (int i = c->first_member; i < c->end_member; i++)
        if (is_body(d->members[i]) && world->bodies[d->members[i] / 2].inverse_mass > 0)
            least = pv__min(least, world->bodies[d->members[i] / 2].inverse_mass);
    return w > HEAVY * least;
}

static bool add_touch(pv_world *world, struct pv__direct *d, int slot, int body, int other) {
    int owner = d->owners[body];
    if (owner < 0 || !is_light(world, d, &d->components[owner], body, other)) return true;
    if (d->owners[other] == owner && other > body) return true; /* once */
    if (!pv__reserve(&world->def.allocator, &d->touches, &d->touch_capacity, d->touch_count + 1, sizeof(touch)))
        return false;
    d->touches[d->touch_count] = (touch){slot, d->components[owner].touch};
    d->components[owner].touch = d->touch_count++;
    return true;
}

/// Lists which manifolds of the step's components bear on.
static void list_touches(pv_world *world, struct pv__direct *d) {
    if (d->touch_step == world->steps + 1 && d->touch_active == world->active_count) return;
    d->touch_step = world->steps + 1;
    d->touch_active = world->active_count;
    d->touch_count = 0;
    for (int i = 0; i < d->component_count; i++) d->components[i].touch = -1;
    if (!reserve_bodies(world, d)) {
        world->flags |= PV_STEP_NO_MEMORY;
        return;
    }
    if (world->def.contacts != PV_CONTACTS_CONTOUR) return;
    for (int i = world->active_count - 1; i >= 0; i--) {
        const pv__manifold *m = &world->manifolds[world->active[i]];
        if (!add_touch(world, d, world->active[i], m->a, m->b) ||
            !add_touch(world, d, world->active[i], m->b, m->a))
            world->flags |= PV_STEP_NO_MEMORY;
    }
}

/// A body that a component touches, at one end of a row of touches, if it is none of its members and of no row before; or -1.
static int partner_of(const struct pv__direct *d, const component *c, int i, int which) {
    int node = d->rows[i].ends[which].node;
    if (node < 0 || (d->owners[node / 2] >= 0 && &d->components[d->owners[node / 2]] == c)) return -1;
    for (int k = c->end; k < i; k++)
        if (d->rows[k].ends[0].node == node || d->rows[k].ends[1].node == node) return -1;
    return node;
}

static void add_touch_row(component *c, const struct pv__direct *d, const pv__manifold *m, int point,
                          bool rubs) {
    row *r = &d->rows[c->last++];
    r->press = &m->points[point];
    r->bodies[0] = m->a;
    r->bodies[1] = m->b;
    r->rubs = rubs;
    r->friction = m->material.static_friction;
}

/// Makes rows of a component's touches.
static void set_touches(const pv_world *world, const struct pv__direct *d, component *c) {
    c->last = c->end;
    for (int t = c->touch; t >= 0; t = d->touches[t].next) {
        const pv__manifold *m = &world->manifolds[d->touches[t].slot];
        for (int i = 0; i < m->count && c->last + 1 < c->end + MOST_TOUCHES && !m->passes; i++) {
            add_touch_row(c, d, m, i, false);
            if (m->material.belt == 0) add_touch_row(c, d, m, i, true);
        }
    }
}

/* ---- a step of Newton's ---- */

/// The part of a step that moves nothing farther than MOST_WAY and turns nothing by more than MOST_TURN.
static double part_of(const struct pv__direct *d, const component *c) {
    double part = 1;
    for (int i = c->first_member; i < c->end_member; i++) d->nets[d->members[i]] = (pv__joint_lever){0, 0, 0};
    for (int i = c->end; i < c->last; i++)
        for (int which = 0; which < 2; which++)
            if (d->rows[i].ends[which].node >= 0)
                d->nets[d->rows[i].ends[which].node] = (pv__joint_lever){0, 0, 0};
    for (int i = c->first; i < c->last; i++)
        for (int which = 0; which < 2; which++) {
            const end *e = &d->rows[i].ends[which];
            if (e->node < 0) continue;
            pv__joint_lever *net = &d->nets[e->node];
            net->x += d->rows[i].x * e->gives.x * e->wx;
            net->y += d->rows[i].x * e->gives.y * e->wy;
            net->turn += d->rows[i].x * e->gives.turn * e->wturn;
        }
    for (int i = c->first_member; i < c->end_member; i++) {
        const pv__joint_lever *net = &d->nets[d->members[i]];
        double way = pv__max(pv__abs(net->x), pv__abs(net->y)) / MOST_WAY,
               turn = pv__abs(net->turn) / MOST_TURN;
        part = pv__min(part, 1 / pv__max(1, pv__max(way, turn)));
    }
    return part;
}

/// Sets all right sides; returns the sum of the squares of all errors [px], [rad], and the largest.
static double look_at_all(const pv_world *world, const struct pv__direct *d, const component *c, double h,
                          double *most) {
    double sum = *most = 0;
    for (int i = c->first; i < c->last; i++) {
        row *r = &d->rows[i];
        double error = i < c->end ? look(world, r, h) : look_at_touch(world, r);
        *most = pv__max(*most, error);
        sum += error * error;
    }
    return sum;
}

/// Gives what the rows' x say.
static void give_all(pv_world *world, const struct pv__direct *d, const component *c) {
    for (int i = c->first; i < c->end;) i = give(world, d, i, c->end);
    for (int i = c->end; i < c->last; i++)
        if (d->rows[i].holds) push_touch(world, &d->rows[i], d->rows[i].x);
}

/// One of Newton's steps.
static void step(pv_world *world, const struct pv__direct *d, const component *c) {
    for (int i = 0; i < ASKED; i++) {
        solve(d, c);
        if (!let_go(world, d, c)) break;
    }
    double part = part_of(d, c);
    for (int i = c->first; i < c->last; i++) {
        row *r = &d->rows[i];
        r->x *= part;
        r->step = r->holds ? r->x : 0;
        r->before = r->given;
    }
    give_all(world, d, c);
    for (int i = c->end; i < c->last; i++) rub(world, &d->rows[i]);
}

static void step_back(pv_world *world, const struct pv__direct *d, const component *c) {
    for (int i = c->end; i < c->last; i++) push_touch(world, &d->rows[i], d->rows[i].before - d->rows[i].given);
    for (int i = c->first; i < c->end; i++) {
        d->rows[i].holds = d->rows[i].step != 0;
        d->rows[i].x = -d->rows[i].step;
    }
    for (int i = c->first; i < c->end;) i = give(world, d, i, c->end);
}

/// Newton's steps until nothing is off, damped more after each that made it worse (Marquardt 1963); whether they came to an end.
static bool converge(pv_world *world, struct pv__direct *d, const component *c, double h) {
    double most, off = look_at_all(world, d, c, h, &most);
    d->damping = DAMPING;
    for (int i = 0; i < NEWTON_STEPS && most > NO_ERROR; i++) {
        step(world, d, c);
        double now = look_at_all(world, d, c, h, &most);
        if (now < off) {
            off = now;
            d->damping = pv__max(d->damping / EASED, DAMPING);
        } else {
            step_back(world, d, c);
            look_at_all(world, d, c, h, &most);
            d->damping *= DAMPED;
        }
    }
    return most <= CLOSE;
}

/// What a constraint gave in the last substep along what it holds directly.
static pv_vec2 given_again(const pv_world *world, const pv__constraint *c, pv__joint_part part) {
    pv__joint_lever a, b;
    if (part == PV__PART_LENGTH) return pv__mul(c->gave_along, c->along);
    if (part != PV__PART_ACROSS) return c->gave;
    pv__joint_gives(world, c, part, &a, &b);
    pv_vec2 way = pv__vec(b.x, b.y);
    return pv__mul(pv__dot(c->gave, way), way);
}

/// Gives again what was given in the last substep: from there the solver finds what bears, and not some other way in which places fit.
static void warm(pv_world *world, const struct pv__direct *d, const component *c) {
    for (int i = c->first; i < c->end; i++) {
        const row *r = &d->rows[i];
        pv__constraint *k = &world->matter.constraints[r->slot];
        if (!is_first(d, c, i) || !r->lives) continue;
        pv_vec2 push = given_again(world, k, r->part);
        k->push = pv__vec(0, 0);
        k->twist = 0;
        push_both(world, r, push, k->gave_twist);
    }
}

static void take_back(pv_world *world, const struct pv__direct *d, const component *c) {
    for (int i = c->first; i < c->end; i++) {
        const pv__constraint *k = &world->matter.constraints[d->rows[i].slot];
        if (is_first(d, c, i) && d->rows[i].lives)
            push_both(world, &d->rows[i], pv__mul(-1, k->push), -k->twist);
    }
    for (int i = c->end; i < c->last; i++) push_touch(world, &d->rows[i], -d->rows[i].given);
}

/// How many times what an end is steadied for it bears.
static double overload(const struct pv__direct *d, const pv__grip *g, const end *e) {
    return e->node < 0 ? 0 : d->loads[e->node] * (g->particle ? e->wx : e->wturn);
}

/// Whether something bears much more than it was steadied for.
static bool is_overloaded(const pv_world *world, const struct pv__direct *d, const component *c) {
    bool over = false;
    for (int i = c->first; i < c->end; i++) {
        const row *r = &d->rows[i];
        const pv__constraint *k = &world->matter.constraints[r->slot];
        over |= overload(d, &k->a, &r->ends[0]) > MOST_LOAD || overload(d, &k->b, &r->ends[1]) > MOST_LOAD;
    }
    return over;
}

/// Whether what an end holds was steadied.
static bool is_steadied(const pv_world *world, const pv__grip *g, const end *e) {
    if (g->particle) return e->node >= 0 && e->wx < world->matter.particles.inverse_mass[g->particle];
    return g->body >= 0 && e->wturn > 0 && e->wturn < world->bodies[g->body].inverse_inertia;
}

/// Takes from two bodies of which one bears much what they turn relative to each other: light links would swing across their load.
static void calm(pv_world *world, const row *r) {
    const pv__constraint *c = &world->matter.constraints[r->slot];
    if (!r->lives || c->a.body < 0 || c->b.body < 0) return;
    if (!is_steadied(world, &c->a, &r->ends[0]) && !is_steadied(world, &c->b, &r->ends[1])) return;
    double wa = pv__gives(world, c->a.body) ? world->bodies[c->a.body].inverse_inertia : 0;
    double wb = pv__gives(world, c->b.body) ? world->bodies[c->b.body].inverse_inertia : 0;
    if (!(wa + wb > 0) || wa == 0 || wb == 0) return;
    double j =
        CALMED * world->dt * (pv__spin_now(world, c->b.body) - pv__spin_now(world, c->a.body)) / (wa + wb);
    pv__twist_body(world, c->a.body, j, 0);
    pv__twist_body(world, c->b.body, -j, 0);
}

/// Takes what was given in the last substep for what will be given.
static void foresee(pv_world *world, const struct pv__direct *d, const component *c) {
    for (int i = c->first; i < c->end; i++) {
        pv__constraint *k = &world->matter.constraints[d->rows[i].slot];
        k->push = given_again(world, k, d->rows[i].part);
    }
    set_loads(world, d, c);
}

/// A body or a particle in motion.
typedef struct thing {
    double mass, inertia;
    pv_vec2 at, velocity;
    double spin;
} thing;

static thing thing_of(const pv_world *world, int node) {
    const pv__particles *p = &world->matter.particles;
    int i = node / 2;
    if (is_body(node)) {
        const pv__body *b = &world->bodies[i];
        if (!pv__gives(world, i)) return (thing){0};
        return (thing){b->mass, b->inverse_inertia > 0 ? b->inertia : 0, pv__pose_now(world, i).centre,
                       pv__velocity_now(world, i), pv__spin_now(world, i)};
    }
    return (thing){1 / p->inverse_mass[i], 0, p->now[i], pv__mul(1 / world->dt, pv__sub(p->now[i], p->was[i])),
                   0};
}

/// Lists what a component holds and what bears on it; returns how many.
static int list_nodes(const struct pv__direct *d, const component *c) {
    int count = 0;
    for (int i = c->first_member; i < c->end_member; i++) d->nodes[count++] = d->members[i];
    for (int i = c->end; i < c->last; i++)
        for (int which = 0; which < 2; which++) {
            int partner = partner_of(d, c, i, which);
            if (partner >= 0) d->nodes[count++] = partner;
        }
    return count;
}

/// Whether nothing holds a component but itself.
static bool is_free(const struct pv__direct *d, const component *c) {
    bool held = false;
    for (int i = c->first; i < c->last; i++) held |= d->rows[i].ends[0].node < 0 || d->rows[i].ends[1].node < 0;
    return !held;
}

/// The motion that is left of a free component if all of it is one rigid thing; of another none.
static thing common_motion(const pv_world *world, const struct pv__direct *d, const component *c, int count) {
    thing sum = {0};
    double momentum = 0;
    if (!is_free(d, c)) return sum;
    for (int i = 0; i < count; i++) {
        thing t = thing_of(world, d->nodes[i]);
        sum.mass += t.mass;
        sum.at = pv__mad(sum.at, t.mass, t.at);
        sum.velocity = pv__mad(sum.velocity, t.mass, t.velocity);
    }
    sum.at = pv__mul(1 / sum.mass, sum.at);
    sum.velocity = pv__mul(1 / sum.mass, sum.velocity);
    for (int i = 0; i < count; i++) {
        thing t = thing_of(world, d->nodes[i]);
        pv_vec2 arm = pv__sub(t.at, sum.at);
        sum.inertia += t.inertia + t.mass * pv__dot(arm, arm);
        momentum += t.inertia * t.spin + t.mass * pv__cross(arm, t.velocity);
    }
    sum.spin = sum.inertia > 0 ? momentum / sum.inertia : 0;
    return sum;
}

/// What a thing does beside a common motion.
static thing beside(const thing *t, const thing *common) {
    pv_vec2 arm = pv__sub(t->at, common->at);
    pv_vec2 carried = pv__mad(common->velocity, common->spin, pv__perp(arm));
    return (thing){t->mass, t->inertia, t->at, pv__sub(t->velocity, carried), t->spin - common->spin};
}

/// Twice the kinetic energy beside a common motion.
static double energy_of(const pv_world *world, const struct pv__direct *d, int count, const thing *common) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        thing t = thing_of(world, d->nodes[i]), own = beside(&t, common);
        sum += own.mass * pv__dot(own.velocity, own.velocity) + own.inertia * own.spin * own.spin;
    }
    return sum;
}

static void hasten(pv_world *world, int node, pv_vec2 gain, double spin) {
    pv_vec2 way = pv__mul(-world->dt, gain);
    pv__particles *p = &world->matter.particles;
    if (is_body(node))
        pv__slow_body(world, node / 2, way, -world->dt * spin);
    else
        p->was[node / 2] = pv__add(p->was[node / 2], way);
}

/// What pushes and twists an end from outside, by how far it moved and turned in the substep.
static double work_at(const pv_world *world, const end *e, const pv__grip *g, pv_vec2 push, double twist) {
    if (e->node >= 0) return 0;
    double turn = g->body >= 0 ? world->dt * pv__spin_now(world, g->body) : 0;
    return pv__dot(push, pv__sub(pv__grip_now(world, g), pv__grip_then(world, g))) + twist * turn;
}

static double work_at_touch(const pv_world *world, const row *r, int which) {
    const end *e = &r->ends[which];
    if (e->node >= 0) return 0;
    pv_vec2 way = pv__velocity_now(world, r->bodies[which]);
    double turn = pv__spin_now(world, r->bodies[which]);
    return -r->given * world->dt * (e->gives.x * way.x + e->gives.y * way.y + e->gives.turn * turn);
}

/// Twice the work that was done in the substep by what moves by itself.
static double work_of(const pv_world *world, const struct pv__direct *d, const component *c) {
    double sum = 0;
    for (int i = c->first; i < c->end; i++) {
        const row *r = &d->rows[i];
        const pv__constraint *k = &world->matter.constraints[r->slot];
        if (!is_first(d, c, i) || !r->lives) continue;
        sum += work_at(world, &r->ends[0], &k->a, k->push, k->twist);
        sum -= work_at(world, &r->ends[1], &k->b, k->push, k->twist);
    }
    for (int i = c->end; i < c->last; i++)
        sum += work_at_touch(world, &d->rows[i], 0) + work_at_touch(world, &d->rows[i], 1);
    return 2 * sum / (world->dt * world->dt);
}

/// Holds do no work: what they gave to motion beyond what there was is taken from it, but for what momentum keeps.
static void limit_energy(pv_world *world, const struct pv__direct *d, const component *c, double most) {
    int count = list_nodes(d, c);
    thing common = common_motion(world, d, c, count);
    double energy = energy_of(world, d, count, &common);
    double kept =
        common.mass * pv__dot(common.velocity, common.velocity) + common.inertia * common.spin * common.spin;
    double left = pv__max(0, most - kept);
    if (!(energy > left)) return;
    double gain = sqrt(left / energy) - 1;
    for (int i = 0; i < count; i++) {
        thing t = thing_of(world, d->nodes[i]), own = beside(&t, &common);
        hasten(world, d->nodes[i], pv__mul(gain, own.velocity), gain * own.spin);
    }
}

static void shift(pv_world *world, int node, pv_vec2 by) {
    pv__particles *p = &world->matter.particles;
    if (is_body(node)) {
        pv__shift_body(world, node / 2, by);
    } else {
        p->now[node / 2] = pv__add(p->now[node / 2], by);
        p->was[node / 2] = pv__add(p->was[node / 2], by);
    }
}

/// Gives a free component back the place and the momentum that it had: what is steadied yields less than what pushes it.
static void keep_momentum(pv_world *world, const struct pv__direct *d, const component *c, const thing *had) {
    int count = list_nodes(d, c);
    thing has = common_motion(world, d, c, count);
    if (!(has.mass > 0)) return;
    pv_vec2 velocity = pv__sub(had->velocity, has.velocity);
    double spin = has.inertia > 0 ? had->inertia * had->spin / has.inertia - has.spin : 0;
    for (int i = 0; i < count; i++) {
        pv_vec2 arm = pv__sub(thing_of(world, d->nodes[i]).at, has.at);
        shift(world, d->nodes[i], pv__sub(had->at, has.at));
        hasten(world, d->nodes[i], pv__mad(velocity, spin, pv__perp(arm)), spin);
    }
}

static bool is_any_steadied(const pv_world *world, const struct pv__direct *d, const component *c) {
    bool any = false;
    for (int i = c->first; i < c->end; i++) {
        const pv__constraint *k = &world->matter.constraints[d->rows[i].slot];
        any |= is_steadied(world, &k->a, &d->rows[i].ends[0]) || is_steadied(world, &k->b, &d->rows[i].ends[1]);
    }
    return any;
}

/// Whether some of a component are springs, which give what they were given.
static bool is_elastic(const struct pv__direct *d, const component *c) {
    bool any = false;
    for (int i = c->first; i < c->end; i++) any |= d->rows[i].softness > 0;
    return any;
}

/// Sweeps where no way was found in which all places fit.
static void relax(pv_world *world, const struct pv__direct *d, const component *c, double h) {
    take_back(world, d, c);
    for (int round = 0; round < SWEEPS; round++)
        for (int i = c->first; i < c->end; i++)
            if (is_first(d, c, i) && d->rows[i].lives)
                pv__relax_joint(world, &world->matter.constraints[d->rows[i].slot], h);
}

static void scale_loads(const struct pv__direct *d, const component *c, double by) {
    for (int i = c->first_member; i < c->end_member; i++) d->loads[d->members[i]] *= by;
}

/// Solves a component, steadied for what it bore in the last substep; again where it bears more, or no way was found.
static bool solve_steadied(pv_world *world, struct pv__direct *d, const component *c, double h) {
    double steadier = 1;
    foresee(world, d, c);
    for (int attempt = 0;; attempt++) {
        for (int i = c->first; i < c->end; i++) start_row(world, d, &d->rows[i], h);
        for (int i = c->end; i < c->last; i++) start_touch(world, d, &d->rows[i]);
        warm(world, d, c);
        bool solved = converge(world, d, c, h);
        set_loads(world, d, c);
        if ((solved && !is_overloaded(world, d, c)) || attempt == ATTEMPTS) return solved;
        if (!solved) steadier *= STEADIER;
        scale_loads(d, c, steadier);
        take_back(world, d, c);
    }
}

static void solve_component(pv_world *world, struct pv__direct *d, component *c, double h) {
    set_touches(world, d, c);
    for (int i = c->end; i < c->last; i++) start_touch(world, d, &d->rows[i]);
    const thing none = {0};
    int count = list_nodes(d, c);
    thing had = common_motion(world, d, c, count);
    double energy = energy_of(world, d, count, &none);
    bool solved = solve_steadied(world, d, c, h);
    if (!solved) relax(world, d, c, h);
    for (int i = c->first; i < c->end; i++)
        if (is_first(d, c, i)) calm(world, &d->rows[i]);
    bool steadied = is_any_steadied(world, d, c);
    if (steadied) keep_momentum(world, d, c, &had);
    if (is_elastic(d, c)) return;
    limit_energy(world, d, c, energy + pv__max(0, work_of(world, d, c)));
}

void pv__solve_direct(pv_world *world, double h) {
    struct pv__direct *d = world->matter.direct;
    if (!d || d->component_count == 0) return;
    list_touches(world, d);
    for (int i = 0; i < d->component_count; i++) solve_component(world, d, &d->components[i], h);
}
