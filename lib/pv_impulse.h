/* pv_impulse.h - what an impulse at a point does to two bodies; shared by both solvers.
 *
 * Invariant: what one body gets, the other loses, linear and angular. Velocities are the bodies' scratch ones.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_IMPULSE_H
#define PV_IMPULSE_H

#include "pv_world.h"

/// A property of two touching bodies as one of the pair.
static inline double pv__mix(pv_mix how, double a, double b) {
    return how == PV_MIX_GEOMETRIC ? sqrt(a * b) : 0.5 * (a + b);
}

/// What two bodies are to each other by what each is.
static inline pv__material pv__material_of(const pv_world *world, int first, int second) {
    const pv__body *a = &world->bodies[first], *b = &world->bodies[second];
    pv_mix friction = world->def.friction_mix;
    return (pv__material){
        .restitution = pv__mix(world->def.restitution_mix, a->restitution, b->restitution),
        .static_friction = pv__mix(friction, a->static_friction, b->static_friction),
        .kinetic_friction = pv__mix(friction, a->kinetic_friction, b->kinetic_friction),
        .rolling = pv__mix(friction, a->rolling_resistance, b->rolling_resistance),
        .belt = a->surface_speed + b->surface_speed,
    };
}

/// Velocity of b's point relative to a's.
static inline pv_vec2 pv__relative_velocity(const pv__levers *arm, const pv__body *a, const pv__body *b) {
    pv_vec2 va = pv__mad(a->velocity, a->spin, pv__perp(arm->a));
    pv_vec2 vb = pv__mad(b->velocity, b->spin, pv__perp(arm->b));
    return pv__sub(vb, va);
}

/// How much speed along d a unit of impulse along d gives: 1/m + (r x d)^2/I, for both.
static inline double pv__yield(const pv__levers *arm, const pv__body *a, const pv__body *b, pv_vec2 d) {
    double ra = pv__cross(arm->a, d), rb = pv__cross(arm->b, d);
    return pv__centre_yield(a, d) + pv__centre_yield(b, d) + ra * ra * a->inverse_inertia +
           rb * rb * b->inverse_inertia;
}

/// Whether such a yield is one: locks may leave none, or rounding in its place. As by contours (pv_lanes_code.h).
static inline bool pv__gives_way(const pv__body *a, const pv__body *b, double yield) {
    return yield > 1e-9 * (a->inverse_mass + b->inverse_mass);
}

/// Momentum j goes from a to b at the point, and turns each about its centre (Cheng 2003, section 4.3, for two particles).
static inline void pv__exchange(const pv__levers *arm, pv__body *a, pv__body *b, pv_vec2 j) {
    a->velocity = pv__mad(a->velocity, -a->inverse_mass, pv__unlocked(a, j));
    a->spin -= a->inverse_inertia * pv__cross(arm->a, j);
    b->velocity = pv__mad(b->velocity, b->inverse_mass, pv__unlocked(b, j));
    b->spin += b->inverse_inertia * pv__cross(arm->b, j);
}

#endif
