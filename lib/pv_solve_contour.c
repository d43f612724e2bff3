/* pv_solve_contour.c - manifolds solved on the velocities that the particles imply.
 *
 * Invariant: a substep solves with a soft push against gaps that closed, moves, and solves once more without the push,
 * so that no push is left in the velocities (Macklin et al. 2019, Catto 2024: small steps, soft constraints, relaxing).
 * What one body of a pair gets, the other loses.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_impulse.h"

/// Contacts are springs of this frequency at most [1/s], by the substep's length; against what cannot move, twice that.
static const double STIFF_MOST = 1000, STIFF_SHARE = 0.25, STIFF_STATIC = 2;
/// Their damping ratio, and the most speed that a push gives [px/s].
static const double DAMPING = 10, PUSH_MOST = 200;
/// What is called touching: contours at rest are this far apart [px].
static const double REST_GAP = 0.002;
/// A pair that moved by less keeps its manifold [px].
static const double STILL = 0.1;
/// What is stopped by its pixels goes on by this, until the contours meet, too, or by less the faster it is, so as not to
/// come out of a thin wall at its far side [px].
static const double MEET_DEPTH = 0.75;
/// Rounds of restitution at most.
static const int BOUNCE_ROUNDS = 8;
/// Diagonal added to the pair of two points, so that it can be solved when they are one.
static const double BLOCK_SLACK = 1e-5;

typedef struct spring {
    double rate, mass, impulse;
} spring;

static spring spring_of(double h, bool with_static) {
    double hertz = pv__min(STIFF_MOST, STIFF_SHARE / h) * (with_static ? STIFF_STATIC : 1);
    double omega = 2 * PV__PI * hertz, a1 = 2 * DAMPING + h * omega, a2 = h * omega * a1, a3 = 1.0 / (1.0 + a2);
    return (spring){omega / a1, a2 * a3, a3};
}

/// Gap and levers in the current poses; both levers end in one point, so that angular momentum is kept.
static void measure(pv__press *p, const pv__body *a, const pv__body *b) {
    pv_vec2 on_a = pv__add(a->pose.centre, pv__rotate(a->pose.turn, p->anchor_a));
    pv_vec2 on_b = pv__add(b->pose.centre, pv__rotate(b->pose.turn, p->anchor_b));
    on_a = pv__mad(on_a, p->radius_a, p->normal);
    on_b = pv__mad(on_b, -p->radius_b, p->normal);
    double share = p->radius_a == 0 && p->radius_b > 0 ? 1 : p->radius_b == 0 && p->radius_a > 0 ? 0 : 0.5;
    pv_vec2 middle = pv__lerp(on_a, on_b, share); /* what rolls carries the point along */
    p->gap = pv__dot(pv__sub(on_b, on_a), p->normal) - REST_GAP;
    p->arm.a = pv__sub(middle, a->pose.centre);
    p->arm.b = pv__sub(middle, b->pose.centre);
    p->mass_n = 1.0 / pv__yield(&p->arm, a, b, p->normal);
    p->mass_t = 1.0 / pv__yield(&p->arm, a, b, pv__perp(p->normal));
}

/// What holds takes what it needs up to the static limit; once it slides, the kinetic one, until it need not.
static void solve_friction(pv__press *p, const pv__manifold *m, pv__body *a, pv__body *b) {
    pv_vec2 t = pv__perp(p->normal);
    double sum = p->impulse_t - p->mass_t * pv__dot(pv__relative_velocity(&p->arm, a, b), t);
    double limit = (p->slides ? m->kinetic_friction : m->static_friction) * p->impulse_n;
    bool slides = pv__abs(sum) > limit;
    if (slides) {
        double most = m->kinetic_friction * p->impulse_n;
        sum = pv__clamp(sum, -most, most);
    }
    if (p->impulse_n > 0) p->slides = slides;
    double change = sum - p->impulse_t;
    p->impulse_t = sum;
    pv__exchange(&p->arm, a, b, pv__mul(change, t));
}

/// The speed that a point asks for, and how soft it is, with the push or without.
static bool ask(const pv__press *p, const spring *k, double h, bool push, double *speed, double *soft) {
    *soft = 0;
    *speed = 0;
    if (p->gap > 0) {
        *speed = p->gap / h;
        return push || p->impulse_n > 0;
    }
    if (push) {
        *speed = pv__max(k->rate * p->gap, -PUSH_MOST);
        *soft = k->impulse / k->mass / p->mass_n;
    }
    return true;
}

static void solve_one(pv__press *p, pv__body *a, pv__body *b, const spring *k, double h, bool push) {
    double speed, soft;
    if (!ask(p, k, h, push, &speed, &soft)) return;
    double residue = -(pv__dot(pv__relative_velocity(&p->arm, a, b), p->normal) + speed) - soft * p->impulse_n;
    double sum = pv__max(0, p->impulse_n + residue / (1.0 / p->mass_n + soft));
    double change = sum - p->impulse_n;
    p->impulse_n = sum;
    p->most_n = pv__max(p->most_n, sum);
    pv__exchange(&p->arm, a, b, pv__mul(change, p->normal));
}

/// Both points of a pair at once, as a linear complementarity problem by trying its cases.
static void solve_two(pv__manifold *m, pv__body *a, pv__body *b, const spring *k, double h, bool push) {
    pv__press *p = &m->points[0], *q = &m->points[1];
    double sp, fp, sq, fq;
    bool on_p = ask(p, k, h, push, &sp, &fp), on_q = ask(q, k, h, push, &sq, &fq);
    double kp = 1.0 / p->mass_n, kq = 1.0 / q->mass_n;
    double cross = (a->inverse_mass + b->inverse_mass) * pv__dot(p->normal, q->normal) +
                   a->inverse_inertia * pv__cross(p->arm.a, p->normal) * pv__cross(q->arm.a, q->normal) +
                   b->inverse_inertia * pv__cross(p->arm.b, p->normal) * pv__cross(q->arm.b, q->normal);
    double rp = -(pv__dot(pv__relative_velocity(&p->arm, a, b), p->normal) + sp) + kp * p->impulse_n +
                cross * q->impulse_n;
    double rq = -(pv__dot(pv__relative_velocity(&q->arm, a, b), q->normal) + sq) + cross * p->impulse_n +
                kq * q->impulse_n;
    double ap = kp * (1 + BLOCK_SLACK) + fp, aq = kq * (1 + BLOCK_SLACK) + fq, det = ap * aq - cross * cross;
    double x = 0, y = 0, both_x = (aq * rp - cross * rq) / det, both_y = (ap * rq - cross * rp) / det;
    if (!on_p || !on_q) {
        if (on_p) x = pv__max(0, rp / ap);
        if (on_q) y = pv__max(0, rq / aq);
    } else if (both_x >= 0 && both_y >= 0) {
        x = both_x;
        y = both_y;
    } else if (rp > 0 && cross * (rp / ap) - rq >= 0) {
        x = rp / ap;
    } else if (rq > 0 && cross * (rq / aq) - rp >= 0) {
        y = rq / aq;
    }
    double dx = x - p->impulse_n, dy = y - q->impulse_n;
    p->impulse_n = x;
    q->impulse_n = y;
    p->most_n = pv__max(p->most_n, x);
    q->most_n = pv__max(q->most_n, y);
    pv__exchange(&p->arm, a, b, pv__mul(dx, p->normal));
    pv__exchange(&q->arm, a, b, pv__mul(dy, q->normal));
}

static void solve(pv_world *world, pv__manifold *m, double h, bool push) {
    pv__body *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    spring k = spring_of(h, a->inverse_mass == 0 || b->inverse_mass == 0);
    for (int i = 0; i < m->count; i++) solve_friction(&m->points[i], m, a, b);
    if (m->count == 2) {
        solve_two(m, a, b, &k, h, push);
        return;
    }
    for (int round = 0; round < (m->count > 1 ? 4 : 1); round++)
        for (int i = 0; i < m->count; i++) solve_one(&m->points[i], a, b, &k, h, push);
}

static bool awake(const pv_world *world, const pv__manifold *m) {
    return m->count > 0 && (world->bodies[m->a].moved || world->bodies[m->b].moved);
}

static pv_vec2 gravity_gap(const pv__body *a, const pv__body *b) {
    return pv__sub(b->acceleration, a->acceleration);
}

/// Exit speeds of what was hit faster than the bounce speed, to convergence. The approach was that of a chord that began
/// before the touch: half a substep of acceleration, and what it gained on the way over the gap, make it that of the touch.
static double bounce(pv_world *world, pv__manifold *m, double h) {
    pv__body *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    double sum = 0;
    for (int i = 0; i < m->count; i++) {
        pv__press *p = &m->points[i];
        if (p->most_n <= 0 || p->approach > -world->def.bounce_speed) continue;
        double gained = pv__dot(gravity_gap(a, b), p->normal);
        double target = -m->restitution * p->approach - 0.5 * h * gained;
        double total = pv__max(
            0, p->impulse_n - p->mass_n * (pv__dot(pv__relative_velocity(&p->arm, a, b), p->normal) - target));
        double change = total - p->impulse_n;
        p->impulse_n = total;
        sum += pv__abs(change);
        pv__exchange(&p->arm, a, b, pv__mul(change, p->normal));
    }
    return sum;
}

static void start(pv_world *world, pv__manifold *m, double h) {
    pv__body *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    pv_vec2 gained = pv__mul(h, gravity_gap(a, b));
    for (int i = 0; i < m->count; i++) {
        pv__press *p = &m->points[i];
        measure(p, a, b);
        p->most_n = 0;
        double n = pv__dot(gained, p->normal), v = pv__dot(pv__relative_velocity(&p->arm, a, b), p->normal) - n,
               mid = v + 0.5 * n;
        double squared = mid * mid - 2 * n / h * pv__max(0, p->gap) * -1;
        p->approach = v < 0 && squared > 0 ? -sqrt(squared) : v;
    }
}

static void warm(pv_world *world, pv__manifold *m) {
    for (int i = 0; i < m->count; i++) {
        const pv__press *p = &m->points[i];
        pv_vec2 j = pv__mad(pv__mul(p->impulse_n, p->normal), p->impulse_t, pv__perp(p->normal));
        pv__exchange(&p->arm, &world->bodies[m->a], &world->bodies[m->b], j);
    }
}

static void move(pv_world *world, pv__body *b, double h) {
    pv__pose next = pv__pose_moved(b->pose, pv__mul(h, b->velocity), h * b->spin);
    b->fraction = 1;
    if (pv__placeable(next.centre) && pv__finite(b->spin)) {
        pv__advance_to(b, next);
        return;
    }
    b->velocity = b->acceleration = pv__vec(0, 0);
    b->spin = 0;
    b->touched = true;
    world->flags |= PV_STEP_FROZEN;
}

/// What would fly past or into another's pixels stops where they meet; the bitmaps judge, at any speed.
static void stop_at_pixels(pv_world *world, const pv__manifold *m) {
    pv__body *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    double free;
    if (!(a->moved || b->moved) || !pv__meet_on_the_way(world, a, b, MEET_DEPTH, &free)) return;
    a->fraction = pv__min(a->fraction, free);
    b->fraction = pv__min(b->fraction, free);
}

static void shorten(pv__body *b) {
    if (b->type == PV_BODY_DYNAMIC && b->fraction < 1) pv__set_pose(b, pv__pose_at(b, b->fraction));
}

/// What a contact changed goes into the previous particles; free flight is in them already. What touches had its velocity
/// all the time; only what flies gains on the way.
static void store(const pv_world *world, pv__body *b, double h) {
    b->verlet_dt0 = h;
    if (b->touched || b->fraction < 1) {
        pv__set_motion(world, b, b->velocity, b->spin);
        b->verlet_dt0 = h;
        b->acceleration = pv__vec(0, 0);
    }
    b->touched = false;
}

static void rouse(pv_world *world, const pv__manifold *m) {
    pv__body *a = &world->bodies[m->a], *b = &world->bodies[m->b];
    for (int i = 0; i < m->count; i++) {
        if (m->points[i].most_n <= 0) continue;
        a->touched = b->touched = true;
        if (!a->awake) pv__wake(world, a);
        if (!b->awake) pv__wake(world, b);
    }
}

void pv__predict_velocities(pv_world *world, double h) {
    for (int i = 0; i < world->body_count; i++) {
        pv__body *b = &world->bodies[i];
        b->moved = pv__alive(b) && b->awake;
        b->velocity = pv__vec(0, 0);
        b->spin = 0;
        if (b->moved) pv__predict(world, b, h);
    }
}

void pv__find_manifolds(pv_world *world, double h) {
    for (int i = 0; i < world->manifold_count; i++) {
        pv__manifold *m = &world->manifolds[i];
        if (world->bodies[m->a].moved || world->bodies[m->b].moved) pv__manifold_find(world, m, STILL, h);
        if (awake(world, m)) start(world, m, h);
    }
}

void pv__push_manifolds(pv_world *world, double h) {
    pv__manifold *all = world->manifolds;
    for (int i = 0; i < world->manifold_count; i++)
        if (awake(world, &all[i])) warm(world, &all[i]);
    for (int i = world->manifold_count - 1; i >= 0; i--)
        if (awake(world, &all[i])) solve(world, &all[i], h, true);
    for (int i = 0; i < world->manifold_count; i++)
        if (awake(world, &all[i])) solve(world, &all[i], h, true);
}

void pv__move_bodies(pv_world *world, double h) {
    for (int i = 0; i < world->body_count; i++)
        if (world->bodies[i].moved) move(world, &world->bodies[i], h);
    for (int i = 0; i < world->manifold_count; i++) stop_at_pixels(world, &world->manifolds[i]);
    for (int i = 0; i < world->body_count; i++)
        if (world->bodies[i].moved) shorten(&world->bodies[i]);
}

void pv__relax_manifolds(pv_world *world, double h) {
    pv__manifold *all = world->manifolds;
    for (int i = 0; i < world->manifold_count; i++)
        for (int k = 0; awake(world, &all[i]) && k < all[i].count; k++)
            measure(&all[i].points[k], &world->bodies[all[i].a], &world->bodies[all[i].b]);
    for (int i = 0; i < world->manifold_count; i++)
        if (awake(world, &all[i])) solve(world, &all[i], h, false);
}

void pv__bounce_manifolds(pv_world *world, double h) {
    double change = 1;
    for (int round = 0; round < BOUNCE_ROUNDS && change > 1e-9; round++) {
        change = 0;
        for (int i = 0; i < world->manifold_count; i++) {
            pv__manifold *m = &world->manifolds[i];
            if (awake(world, m) && m->restitution > 0) change += bounce(world, m, h);
        }
    }
}

void pv__store_velocities(pv_world *world, double h) {
    for (int i = 0; i < world->manifold_count; i++)
        if (awake(world, &world->manifolds[i])) rouse(world, &world->manifolds[i]);
    for (int i = 0; i < world->body_count; i++)
        if (world->bodies[i].moved) store(world, &world->bodies[i], h);
}
