/* direct_newton.c - solves a component's rows with Newton's method. Each step is a sparse LU in an
 * envelope (George and Liu 1981).
 *
 * Invariant: the sum of squared errors never grows, as a step that raises it is undone (Marquardt
 * 1963).
 *
 * SPDX-License-Identifier: Zlib
 */
#include "joint/direct.h"

/// Pivot up to which a row counts as redundant and is left out, as a share of its diagonal
static const double REDUNDANT = 1e-9;
/// Greatest number of Newton steps, and the greatest error that counts as none [px], [rad]
enum { NEWTON_STEPS = 16 };
static const double NO_ERROR = 1e-7;
/// Least damping as a share of the diagonal, its factor after a rejected step, and its divisor
/// after an accepted one
static const double NEWTON_DAMPING = 1e-7, DAMPED = 100, EASED = 5;
/// Work of a row in a step apart from its factors: errors, couplings, pushes [multiplications]
enum { ROW_WORK = 512 };

/// Computes row i of L and column i of U, and applies that row to the right side. Released rows
/// have no coupling.
static void factor_row(const struct pv__direct *d, int i) {
    pv__row *r = &d->rows[i];
    double *left = d->numbers + r->at, *above = d->upper + r->at;
    double diagonal = r->holds ? pv__direct_row_coupling(r, r) * (1 + (r->press ? 0 : d->damping)) +
                                     r->softness
                               : 0,
           pivot = diagonal;
    for (int j = r->first; j < i; j++) {
        const pv__row *q = &d->rows[j];
        const double *q_left = d->numbers + q->at, *q_above = d->upper + q->at;
        bool both = r->holds && q->holds;
        double l = both ? pv__direct_row_coupling(r, q) : 0,
               u = both ? pv__direct_row_coupling(q, r) : 0;
        for (int k = pv__later(r->first, q->first); k < j; k++) {
            l -= left[k] * q_above[k];
            u -= q_left[k] * above[k];
        }
        left[j] = l * q->inverse;
        above[j] = u;
        pivot -= left[j] * above[j];
        r->x -= left[j] * q->x;
    }
    r->inverse = pv__abs(pivot) > REDUNDANT * diagonal ? 1 / pivot : 0;
}

/// Returns the work of a step [multiplications].
static int64_t step_work(const struct pv__direct *d) {
    int64_t touches = d->now.last - d->now.end;
    return d->now.work + 2 * touches * d->now.numbers + (int64_t)ROW_WORK * d->now.last;
}

/// Replaces the right sides with the solution.
static void solve(struct pv__direct *d) {
    d->work += step_work(d);
    for (int i = 0; i < d->now.last; i++) factor_row(d, i);
    for (int i = d->now.last - 1; i >= 0; i--) {
        pv__row *r = &d->rows[i];
        const double *above = d->upper + r->at;
        r->x *= r->inverse;
        for (int j = r->first; j < i; j++) d->rows[j].x -= above[j] * r->x;
    }
}

/// Tells whether a row's solution would pull where it may only push, or push where it may only
/// pull.
static bool is_wrong_way(const pv_world *world, const pv__row *r) {
    const pv__constraint *c = r->press ? NULL : &world->matter.constraints[r->slot];
    int sign = c ? pv__direct_row_sign(c) : 1;
    double given = c ? pv__joint_given(world, c, r->part) : r->given;
    return sign * (given + r->x) < 0;
}

/// Tells whether a friction row needs more than its bound, and sets the direction of sliding.
static bool slides(pv__row *r) {
    double may = r->friction * (r[-1].given + (r[-1].holds ? r[-1].x : 0)), sum = r->given + r->x;
    if (pv__abs(sum) <= may) return false;
    r->slid = sum > 0 ? 1 : -1;
    return true;
}

/// Releases rows that must not apply their solution. Tells whether there are any.
static bool let_go(const pv_world *world, const struct pv__direct *d) {
    bool any = false;
    for (int i = 0; i < d->now.last; i++) {
        pv__row *r = &d->rows[i];
        if (!r->holds || !(r->rubs ? slides(r) : is_wrong_way(world, r))) continue;
        r->holds = false;
        any = true;
    }
    for (int i = 0; any && i < d->now.last; i++)
        d->rows[i].x = d->rows[i].holds ? d->rows[i].missing : 0;
    return any;
}

/// Computes the displacement and rotation that the solution would give each node.
static void newton_net(const struct pv__direct *d) {
    for (int i = 0; i < d->node_count; i++) d->states[d->nodes[i]].net = (pv__joint_lever){0, 0, 0};
    for (int i = 0; i < d->now.last; i++)
        for (int which = 0; which < 2; which++) {
            const pv__row_end *e = &d->rows[i].ends[which];
            if (e->node < 0) continue;
            pv__joint_lever *net = &d->states[e->node].net;
            net->x += d->rows[i].x * e->gives.x * e->wx;
            net->y += d->rows[i].x * e->gives.y * e->wy;
            net->turn += d->rows[i].x * e->gives.turn * e->wturn;
        }
}

/// Returns the share of the solution that moves every member by at most PV__DIRECT_FARTHEST, and
/// turns none by more than 1 rad.
static double part_of(const struct pv__direct *d) {
    double most = 1;
    newton_net(d);
    for (int i = d->now.first_member; i < d->now.end_member; i++) {
        const pv__joint_lever *net = &d->states[d->members[i]].net;
        double way = pv__max(pv__abs(net->x), pv__abs(net->y));
        most = pv__max(most, pv__max(way / PV__DIRECT_FARTHEST, pv__abs(net->turn)));
    }
    return 1 / most;
}

/// Sets all right sides. Returns the sum of the squared errors, and stores the greatest error [px],
/// [rad].
static double look_at_all(const pv_world *world, const struct pv__direct *d, double h,
                          double *most) {
    double sum = *most = 0;
    for (int i = 0; i < d->now.last; i++) {
        pv__row *r = &d->rows[i];
        double error = i < d->now.end ? pv__direct_row_error(world, r, h)
                                      : pv__direct_touch_row_error(world, r);
        *most = pv__max(*most, error);
        sum += error * error;
    }
    return sum;
}

bool pv__direct_has_work(const struct pv__direct *d) {
    return d->work + step_work(d) <= d->most_work;
}

/// Takes one Newton step.
static void newton_step(pv_world *world, struct pv__direct *d) {
    for (int i = 0; i < PV__DIRECT_ROUNDS; i++) {
        solve(d);
        if (!let_go(world, d)) break;
    }
    double part = part_of(d);
    for (int i = 0; i < d->now.last; i++) {
        pv__row *r = &d->rows[i];
        r->x *= part;
        r->step = r->holds ? r->x : 0;
        r->before = r->given;
    }
    for (int i = 0; i < d->now.end;) i = pv__direct_rows_give(world, d, i);
    for (int i = d->now.end; i < d->now.last; i++)
        if (d->rows[i].holds) pv__direct_touch_row_give(world, &d->rows[i], d->rows[i].x);
    for (int i = d->now.end; i < d->now.last; i++) pv__direct_touch_row_rub(world, &d->rows[i]);
}

static void step_back(pv_world *world, const struct pv__direct *d) {
    for (int i = d->now.end; i < d->now.last; i++)
        pv__direct_touch_row_give(world, &d->rows[i], d->rows[i].before - d->rows[i].given);
    for (int i = 0; i < d->now.end; i++) {
        d->rows[i].holds = d->rows[i].step != 0;
        d->rows[i].x = -d->rows[i].step;
    }
    for (int i = 0; i < d->now.end;) i = pv__direct_rows_give(world, d, i);
}

double pv__direct_converge(pv_world *world, struct pv__direct *d, double h) {
    double most, off = look_at_all(world, d, h, &most);
    d->damping = NEWTON_DAMPING;
    for (int i = 0; i < NEWTON_STEPS && most > NO_ERROR && pv__direct_has_work(d); i++) {
        newton_step(world, d);
        double now = look_at_all(world, d, h, &most);
        if (now < off) {
            off = now;
            d->damping = pv__max(d->damping / EASED, NEWTON_DAMPING);
        } else {
            step_back(world, d);
            look_at_all(world, d, h, &most);
            d->damping *= DAMPED;
        }
    }
    return most;
}
