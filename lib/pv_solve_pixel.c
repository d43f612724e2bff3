/* pv_solve_pixel.c - the exit velocities of what touches: restitution and friction (Cheng 2003, sections 4.2 to 4.5).
 *
 * Invariant: contacts exchange momentum only: what one body of a pair gets, the other loses, linear and angular.
 * Impulses accumulate over the rounds and are clamped as sums (Catto 2005), so a round can take back what an
 * earlier one gave too much.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_impulse.h"

/// A pair whose surfaces slid faster than this before the substep has kinetic friction [px/s].
static const double SLIP_SPEED = 1;
/// Half a pixel [px].
static const double ROLLING_LEVER = 0.5;

static void twist(pv__body *a, pv__body *b, double angular) {
    a->spin -= a->inverse_inertia * angular;
    b->spin += b->inverse_inertia * angular;
}

/// Loads a body that touches, once.
static void load_body(const pv_world *world, pv__body *b, double fraction) {
    if (!b->touched) {
        b->touched = true;
        b->pixel->fraction = 1;
        b->velocity = pv__velocity(world, b);
        b->spin = pv__spin(world, b);
        pv__open_books(b);
    }
    b->pixel->fraction = pv__min(b->pixel->fraction, fraction);
}

/// Section 4.2. The approach is that of the moment of touch: the rest of the substep's acceleration is taken off, and
/// added again to the exit, else a bounce would gain or lose height.
static void aim(const pv_world *world, pv__contact *c, pv__point *p, double h) {
    const pv__body *a = &world->bodies[c->a], *b = &world->bodies[c->b];
    pv_vec2 relative = pv__relative_velocity(&p->arm, a, b), t = pv__perp(c->normal);
    pv_vec2 gained = pv__mul(h, pv__sub(b->acceleration, a->acceleration));
    double late = (1.0 - c->fraction) * pv__dot(gained, c->normal);
    double approach = late - pv__dot(relative, c->normal);
    c->approach = pv__max(c->approach, approach);
    bool bounces = approach > world->def.bounce_speed;
    p->target = bounces ? c->material.restitution * approach + late : -c->gap / h;
    c->bounces |= bounces;
    p->kinetic_friction = c->material.kinetic_friction;
    p->static_friction = c->material.static_friction;
    if (pv__abs(pv__dot(pv__sub(relative, gained), t) - c->material.belt) > SLIP_SPEED)
        p->static_friction = p->kinetic_friction;
}

/// The impulse along d that changes the speed there by 1; 0 where nothing gives way.
static double mass_along(const pv__levers *arm, const pv__body *a, const pv__body *b, pv_vec2 d) {
    double yield = pv__yield(arm, a, b, d);
    return pv__gives_way(a, b, yield) ? 1.0 / yield : 0;
}

static void prepare(const pv_world *world, pv__contact *c, double h) {
    pv__body *a = &world->bodies[c->a], *b = &world->bodies[c->b];
    for (pv__point *p = c->points; p < c->points + c->count; p++) {
        p->arm.a = pv__sub(p->place, a->pose.centre);
        p->arm.b = pv__sub(p->place, b->pose.centre);
        p->mass_n = mass_along(&p->arm, a, b, c->normal);
        p->mass_t = mass_along(&p->arm, a, b, pv__perp(c->normal));
        aim(world, c, p, h);
    }
    double give = a->inverse_inertia + b->inverse_inertia;
    c->roll_mass = give > 0 && c->count == 1 && !c->bounces ? 1.0 / give : 0;
}

static void start_warm(pv_world *world, const pv__contact *c) {
    for (const pv__point *p = c->points; p < c->points + c->count; p++) {
        pv_vec2 j = pv__mad(pv__mul(p->impulse_n, c->normal), p->impulse_t, pv__perp(c->normal));
        pv__exchange(&p->arm, &world->bodies[c->a], &world->bodies[c->b], j);
    }
    twist(&world->bodies[c->a], &world->bodies[c->b], c->roll_impulse);
}

/// Pushes apart as much as the target asks, never together.
static void solve_normal(pv__point *p, pv_vec2 normal, pv__body *a, pv__body *b) {
    double speed = pv__dot(pv__relative_velocity(&p->arm, a, b), normal);
    double sum = pv__max(0, p->impulse_n + p->mass_n * (p->target - speed));
    double change = sum - p->impulse_n;
    p->impulse_n = sum;
    pv__exchange(&p->arm, a, b, pv__mul(change, normal));
}

/// Sections 4.4 and 4.5: what would stop the slide is granted up to the static limit of the normal impulse; beyond
/// it the pair slides at the kinetic one.
static void solve_friction(pv__point *p, pv_vec2 tangent, double belt, pv__body *a, pv__body *b) {
    double slip = pv__dot(pv__relative_velocity(&p->arm, a, b), tangent) - belt;
    double sum = p->impulse_t - p->mass_t * slip;
    if (pv__abs(sum) > p->static_friction * p->impulse_n) {
        double most = p->kinetic_friction * p->impulse_n;
        sum = pv__clamp(sum, -most, most);
    }
    double change = sum - p->impulse_t;
    p->impulse_t = sum;
    pv__exchange(&p->arm, a, b, pv__mul(change, tangent));
}

/// What stands on a pixel stands on half a pixel to each side: that much of a lever resists rolling.
static void solve_rolling(pv__contact *c, pv__body *a, pv__body *b) {
    double most = 0;
    for (int i = 0; i < c->count; i++) most += ROLLING_LEVER * c->points[i].impulse_n;
    double sum = pv__clamp(c->roll_impulse - c->roll_mass * (b->spin - a->spin), -most, most);
    double change = sum - c->roll_impulse;
    c->roll_impulse = sum;
    twist(a, b, change);
}

static void solve(pv_world *world, pv__contact *c) {
    pv__body *a = &world->bodies[c->a], *b = &world->bodies[c->b];
    for (int i = 0; i < c->count; i++) solve_normal(&c->points[i], c->normal, a, b);
    if (c->roll_mass > 0) solve_rolling(c, a, b);
    for (int i = 0; i < c->count; i++)
        solve_friction(&c->points[i], pv__perp(c->normal), c->material.belt, a, b);
}

void pv__absorb(pv_world *world, pv__contact *c) {
    prepare(world, c, 0);
    for (int i = 0; i < c->count; i++) c->points[i].target = 0;
    solve(world, c);
}

/// The least exit speed along the normal at the contact's points.
static void measure_parting(const pv_world *world, pv__contact *c) {
    c->parting = INFINITY;
    for (const pv__point *p = c->points; p < c->points + c->count; p++) {
        pv_vec2 v = pv__relative_velocity(&p->arm, &world->bodies[c->a], &world->bodies[c->b]);
        c->parting = pv__min(c->parting, pv__dot(v, c->normal));
    }
}

static bool active(const pv_world *world, const pv__contact *c) {
    return world->bodies[c->a].moved || world->bodies[c->b].moved;
}

void pv__solve_contacts(pv_world *world, double h) {
    if (world->contact_count == 0) return;
    pv__contact *first = world->contacts, *end = first + world->contact_count;
    for (pv__contact *c = first; c < end; c++) {
        if (!active(world, c)) continue;
        load_body(world, &world->bodies[c->a], c->fraction);
        load_body(world, &world->bodies[c->b], c->fraction);
    }
    for (pv__contact *c = first; c < end; c++)
        if (active(world, c)) prepare(world, c, h);
    for (pv__contact *c = first; c < end; c++)
        if (active(world, c)) start_warm(world, c);
    for (int i = 0; i < world->def.iterations; i++)
        for (pv__contact *c = first; c < end; c++)
            if (active(world, c)) solve(world, c);
    for (pv__contact *c = first; c < end; c++)
        if (active(world, c)) measure_parting(world, c);
    pv__lap(world, &world->profile.solve);
}
