/* direct_row.c - the rows of joints: their pushes, their errors, and the stabilization of their
 * ends.
 *
 * Invariant: the push and twist of a joint are the sums of all that its rows have applied. Applying
 * their negatives undoes it.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "joint/direct.h"

/// Overload above which a component is solved again, as a multiple of the stabilized load
static const double MOST_LOAD = 2;
/// Greatest displacement [px] and rotation [rad] that the last substep's pushes may give an end.
/// Greater pushes are not applied again.
static const double MOST_AGAIN = 1e4;
/// Share of the relative angular velocity that light links under load lose in a substep
static const double CALMED = 0.5;

bool pv__direct_is_first(const struct pv__direct *d, int i) {
    return i == 0 || d->rows[i - 1].slot != d->rows[i].slot;
}

/// Returns an inverse mass whose product with a load is at most 1.
static double steadied_inverse(double inverse, double load) {
    return inverse * load > 1 ? 1 / load : inverse;
}

void pv__direct_row_yield(const pv__body *b, pv__node_load load, pv__row_end *e) {
    double inverse = steadied_inverse(b->inverse_mass, load.shift);
    pv_vec2 w = pv__body_unlocked(b, pv__vec(inverse, inverse));
    e->wx = w.x;
    e->wy = w.y;
    e->wturn = steadied_inverse(b->inverse_inertia, load.turn);
}

/// Sets the inverse masses of an end.
static void set_yield(const pv_world *world, const pv__node_state *states, pv__row_end *e,
                      const pv__anchor *g) {
    e->wx = e->wy = e->wturn = 0;
    if (e->node < 0) return;
    if (g->particle) {
        e->wx = e->wy = steadied_inverse(world->matter.particles.inverse_mass[g->particle],
                                         states[e->node].load.shift);
    } else if (pv__body_gives(world, g->body)) {
        pv__direct_row_yield(&world->bodies.items[g->body], states[e->node].load, e);
    }
}

/// Adds the stiffness that a joint's push gives its ends against sideways motion and rotation.
static void add_load(const pv__constraint *c, const pv__row_end *ends, pv__node_state *states) {
    double push = pv__length(c->push), pull = 0;
    if (c->type <= PV_JOINT_STRUT) pull = pv__max(0, -pv__dot(c->push, c->along)) / c->length;
    for (int which = 0; which < 2; which++) {
        const pv__anchor *g = which ? &c->b : &c->a;
        if (ends[which].node < 0) continue;
        pv__node_load *load = &states[ends[which].node].load;
        load->shift += pull;
        if (g->body >= 0) load->turn += push * pv__length(g->lever);
    }
}

void pv__direct_set_loads(const pv_world *world, const struct pv__direct *d) {
    for (int i = d->now.first_member; i < d->now.end_member; i++)
        d->states[d->members[i]].load = (pv__node_load){0, 0};
    for (int i = 0; i < d->now.end; i++)
        if (pv__direct_is_first(d, i))
            add_load(&world->matter.constraints[d->rows[i].slot], d->rows[i].ends, d->states);
}

/// Returns the change of one row's error per unit of another row, at one end.
static double row_shared(const pv__row_end *error, const pv__row_end *gift) {
    if (error->node < 0 || error->node != gift->node) return 0;
    return error->feels.x * gift->wx * gift->gives.x + error->feels.y * gift->wy * gift->gives.y +
           error->feels.turn * gift->wturn * gift->gives.turn;
}

double pv__direct_row_coupling(const pv__row *error, const pv__row *gift) {
    return row_shared(&error->ends[0], &gift->ends[0]) +
           row_shared(&error->ends[0], &gift->ends[1]) +
           row_shared(&error->ends[1], &gift->ends[0]) +
           row_shared(&error->ends[1], &gift->ends[1]);
}

void pv__direct_row_start(const pv_world *world, const struct pv__direct *d, pv__row *r, double h) {
    const pv__constraint *c = &world->matter.constraints[r->slot];
    r->softness = 0;
    r->lives = false;
    /* The joint broke. */
    if (!pv__slot_lives(&c->slot)) return;
    r->lives = c->grace == 0;
    pv__joint_gives(world, c, r->part, &r->ends[0].gives, &r->ends[1].gives);
    set_yield(world, d->states, &r->ends[0], &c->a);
    set_yield(world, d->states, &r->ends[1], &c->b);
    r->softness = pv__joint_row_softness(c, h);
}

int pv__direct_row_sign(const pv__constraint *c) {
    return c->type == PV_JOINT_STRUT ? 1 : c->type == PV_JOINT_ROPE ? -1 : 0;
}

double pv__direct_row_error(const pv_world *world, pv__row *r, double h) {
    const pv__constraint *c = &world->matter.constraints[r->slot];
    r->holds = false;
    r->x = 0;
    if (!r->lives) return 0;
    pv__joint_feels(world, c, r->part, &r->ends[0].feels, &r->ends[1].feels);
    double missing = pv__joint_missing(world, c, r->part, h);
    int sign = pv__direct_row_sign(c);
    r->holds = sign == 0 || sign * missing > 0 || sign * pv__joint_given(world, c, r->part) > 0;
    if (!(pv__direct_row_coupling(r, r) > 0)) r->holds = false;
    r->x = r->holds ? missing : 0;
    r->missing = r->x;
    return pv__abs(r->x);
}

static void push_end(pv_world *world, const pv__row_end *e, const pv__anchor *g, pv_vec2 push,
                     double twist) {
    pv__particles *p = &world->matter.particles;
    if (e->node < 0) return;
    if (g->particle)
        p->now[g->particle] = pv__mad(p->now[g->particle], e->wx, push);
    else
        pv__body_nudge(world, g->body, pv__vec(e->wx * push.x, e->wy * push.y),
                       e->wturn * (twist + pv__cross(g->lever, push)));
}

static void push_both(pv_world *world, const pv__row *r, pv_vec2 push, double twist) {
    pv__constraint *c = &world->matter.constraints[r->slot];
    c->push = pv__add(c->push, push);
    c->twist += twist;
    push_end(world, &r->ends[0], &c->a, pv__mul(-1, push), -twist);
    push_end(world, &r->ends[1], &c->b, push, twist);
}

int pv__direct_rows_give(pv_world *world, const struct pv__direct *d, int i) {
    const pv__row *first = &d->rows[i];
    pv_vec2 push = {0, 0};
    double twist = 0;
    for (; i < d->now.end && d->rows[i].slot == first->slot; i++) {
        const pv__row *r = &d->rows[i];
        if (!r->holds) continue;
        push = pv__mad(push, r->x, pv__vec(r->ends[1].gives.x, r->ends[1].gives.y));
        if (r->part == PV__PART_ANGLE) twist += r->x;
    }
    if (first->lives) push_both(world, first, push, twist);
    return i;
}

/// Returns a joint's push of the last substep, reduced to the parts of the direct solver.
static pv_vec2 given_again(const pv_world *world, const pv__constraint *c, pv__joint_part part) {
    pv__joint_lever a, b;
    if (part == PV__PART_LENGTH) return pv__mul(c->gave_along, c->along);
    if (part != PV__PART_ACROSS) return c->gave;
    pv__joint_gives(world, c, part, &a, &b);
    pv_vec2 way = pv__vec(b.x, b.y);
    return pv__mul(pv__dot(c->gave, way), way);
}

/// Tells whether a push and a twist move an end within bounds. Rejects NaN.
static bool is_sane(const pv__row_end *e, const pv__anchor *g, pv_vec2 push, double twist) {
    if (!(pv__length(push) <= PV__BOUNDLESS) || !(pv__abs(twist) <= PV__BOUNDLESS)) return false;
    double turn = e->wturn * pv__abs(twist + pv__cross(g->lever, push));
    return e->node < 0 ||
           (pv__max(e->wx, e->wy) * pv__length(push) <= MOST_AGAIN && turn <= MOST_AGAIN);
}

void pv__direct_rows_warm(pv_world *world, const struct pv__direct *d) {
    for (int i = 0; i < d->now.end; i++) {
        const pv__row *r = &d->rows[i];
        pv__constraint *k = &world->matter.constraints[r->slot];
        if (!pv__direct_is_first(d, i) || !r->lives) continue;
        pv_vec2 push = given_again(world, k, r->part);
        double twist = pv__joint_parts(k) & PV__PART_ANGLE ? k->gave_twist : 0;
        k->push = pv__vec(0, 0);
        k->twist = 0;
        if (is_sane(&r->ends[0], &k->a, push, twist) && is_sane(&r->ends[1], &k->b, push, twist))
            push_both(world, r, push, twist);
    }
}

void pv__direct_rows_foresee(pv_world *world, const struct pv__direct *d) {
    for (int i = 0; i < d->now.end; i++) {
        pv__constraint *k = &world->matter.constraints[d->rows[i].slot];
        if (d->rows[i].lives) k->push = given_again(world, k, d->rows[i].part);
    }
    pv__direct_set_loads(world, d);
}

void pv__direct_touch_row_give(pv_world *world, pv__row *r, double by) {
    r->given += by;
    for (int which = 0; which < 2; which++) {
        const pv__row_end *e = &r->ends[which];
        if (e->node >= 0)
            pv__body_nudge(world, r->bodies[which],
                           pv__vec(e->wx * e->gives.x * by, e->wy * e->gives.y * by),
                           e->wturn * e->gives.turn * by);
    }
}

void pv__direct_rows_take_back(pv_world *world, const struct pv__direct *d) {
    for (int i = 0; i < d->now.end; i++) {
        const pv__constraint *k = &world->matter.constraints[d->rows[i].slot];
        if (pv__direct_is_first(d, i) && d->rows[i].lives)
            push_both(world, &d->rows[i], pv__mul(-1, k->push), -k->twist);
    }
    for (int i = d->now.end; i < d->now.last; i++)
        pv__direct_touch_row_give(world, &d->rows[i], -d->rows[i].given);
}

/// Returns the load of an end as a multiple of its stabilized load.
static double overload(const struct pv__direct *d, const pv__row_end *e) {
    if (e->node < 0) return 0;
    pv__node_load load = d->states[e->node].load;
    return pv__max(load.shift * pv__max(e->wx, e->wy), load.turn * e->wturn);
}

bool pv__direct_rows_are_overloaded(const struct pv__direct *d) {
    for (int i = 0; i < d->now.end; i++)
        for (int k = 0; k < 2; k++)
            if (overload(d, &d->rows[i].ends[k]) > MOST_LOAD) return true;
    return false;
}

/// Tells whether the rotation of the body at an end is stabilized.
static bool turns_steadied(const pv_world *world, const pv__anchor *g, const pv__row_end *e) {
    return g->body >= 0 && e->wturn > 0 && e->wturn < world->bodies.items[g->body].inverse_inertia;
}

/// Tells whether the node at an end is stabilized.
static bool is_steadied(const pv_world *world, const pv__anchor *g, const pv__row_end *e) {
    double w = pv__max(e->wx, e->wy);
    if (e->node < 0) return false;
    if (g->particle) return w < world->matter.particles.inverse_mass[g->particle];
    return turns_steadied(world, g, e) || (w > 0 && w < world->bodies.items[g->body].inverse_mass);
}

bool pv__direct_is_steadied(const pv_world *world, const struct pv__direct *d) {
    bool any = false;
    for (int i = 0; i < d->now.end; i++) {
        const pv__constraint *k = &world->matter.constraints[d->rows[i].slot];
        any |= is_steadied(world, &k->a, &d->rows[i].ends[0]) ||
               is_steadied(world, &k->b, &d->rows[i].ends[1]);
    }
    return any;
}

void pv__direct_row_calm(pv_world *world, const pv__row *r) {
    const pv__constraint *c = &world->matter.constraints[r->slot];
    if (!r->lives || c->a.body < 0 || c->b.body < 0) return;
    if (!turns_steadied(world, &c->a, &r->ends[0]) && !turns_steadied(world, &c->b, &r->ends[1]))
        return;
    double wa = pv__anchor_turn_yield(world, &c->a), wb = pv__anchor_turn_yield(world, &c->b);
    if (wa == 0 || wb == 0) return;
    double j = CALMED * world->dt *
               (pv__body_spin_now(world, c->b.body) - pv__body_spin_now(world, c->a.body)) /
               (wa + wb);
    pv__body_twist(world, c->a.body, j, 0);
    pv__body_twist(world, c->b.body, -j, 0);
}
