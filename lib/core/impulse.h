/* impulse.h - effect of an impulse at a point on two bodies; shared by both solvers.
 *
 * Invariant: one body gains the linear and angular momentum that the other one loses. The
 * velocities are the scratch velocities of the bodies.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_IMPULSE_H
#define PV_CORE_IMPULSE_H

#include "base/error.h"
#include "core/world.h"

#include <float.h>

/// Returns the static friction of a def: 1.2 times the kinetic one if it is negative.
static inline double pv__impulse_static_friction(double static_friction, double friction) {
    return static_friction < 0 ? 1.2 * friction : static_friction;
}

/// Entries of a table of fields, for the material of a def
#define PV__MATERIAL(def)                                                                          \
    PV__DOUBLE(def, restitution, PV__RANGE_RESTITUTION),                                           \
        PV__DOUBLE(def, friction, PV__RANGE_FRICTION),                                             \
        PV__DOUBLE(def, static_friction, -DBL_MAX, PV__MOST_FRICTION)

/// Checks static friction, which follows from friction if it is negative.
static inline bool pv__impulse_check_friction(pv_error *e, const char *field,
                                              double static_friction, double friction) {
    return pv__impulse_static_friction(static_friction, friction) <= PV__MOST_FRICTION ||
           pv__error_range(e, field, friction, 0, PV__MOST_FRICTION / 1.2) == PV_OK;
}

/// Returns the mixed value of a material property of two touching bodies.
static inline double pv__impulse_mix(pv_mix how, double a, double b) {
    return how == PV_MIX_GEOMETRIC ? sqrt(a * b) : 0.5 * (a + b);
}

/// Returns the mixed material of two surfaces.
static inline pv__material pv__impulse_mix_materials(const pv_world *world, const pv__material *a,
                                                     const pv__material *b) {
    pv_mix friction = world->def.friction_mix;
    return (pv__material){
        pv__impulse_mix(world->def.restitution_mix, a->restitution, b->restitution),
        pv__impulse_mix(friction, a->static_friction, b->static_friction),
        pv__impulse_mix(friction, a->kinetic_friction, b->kinetic_friction),
    };
}

/// Returns the mixed material of two bodies.
static inline pv__pair_material pv__impulse_material_of(const pv_world *world, int first,
                                                        int second) {
    const pv__body *a = &world->bodies.items[first], *b = &world->bodies.items[second];
    return (pv__pair_material){
        .mixed = pv__impulse_mix_materials(world, &a->material, &b->material),
        .rolling =
            pv__impulse_mix(world->def.friction_mix, a->rolling_resistance, b->rolling_resistance),
        .tangent_speed = a->tangent_speed + b->tangent_speed,
    };
}

/// Returns the velocity of b's point relative to a's [px/s].
static inline pv_vec2 pv__impulse_relative_velocity(const pv__levers *arm, const pv__body *a,
                                                    const pv__body *b) {
    pv_vec2 va = pv__mad(a->velocity, a->spin, pv__perp(arm->a));
    pv_vec2 vb = pv__mad(b->velocity, b->spin, pv__perp(arm->b));
    return pv__sub(vb, va);
}

/// Returns the sum of 1/m + (r x d)^2/I over both bodies. It is the gain of relative speed along d
/// per unit of impulse along d.
static inline double pv__impulse_yield(const pv__levers *arm, const pv__body *a, const pv__body *b,
                                       pv_vec2 d) {
    double ra = pv__cross(arm->a, d), rb = pv__cross(arm->b, d);
    return pv__body_center_yield(a, d) + pv__body_center_yield(b, d) +
           ra * ra * a->inverse_inertia + rb * rb * b->inverse_inertia;
}

/// Tells whether a yield exceeds rounding errors; locks may leave no yield at all. The limit is the
/// same as for contours (contact_kernel.h).
static inline bool pv__impulse_gives_way(const pv__body *a, const pv__body *b, double yield) {
    return yield > 1e-9 * (a->inverse_mass + b->inverse_mass);
}

/// Transfers momentum j from a to b at the point, and turns each about its center. (Cheng 2003,
/// section 4.3, has it for two particles.)
static inline void pv__impulse_exchange(const pv__levers *arm, pv__body *a, pv__body *b,
                                        pv_vec2 j) {
    a->velocity = pv__mad(a->velocity, -a->inverse_mass, pv__body_unlocked(a, j));
    a->spin -= a->inverse_inertia * pv__cross(arm->a, j);
    b->velocity = pv__mad(b->velocity, b->inverse_mass, pv__body_unlocked(b, j));
    b->spin += b->inverse_inertia * pv__cross(arm->b, j);
}

/// Returns the kinetic energy of a body, linear and angular [mass px^2/s^2].
static inline double pv__impulse_energy(const pv__body *b) {
    return 0.5 * (b->mass * pv__dot(b->velocity, b->velocity) + b->inertia * b->spin * b->spin);
}

/// Returns the work of gravity and forces on a body along its displacement [mass px^2/s^2].
static inline double pv__impulse_work_between(const pv__body *b, pv_vec2 from, pv_vec2 to) {
    return b->mass * pv__dot(b->acceleration, pv__sub(to, from));
}

/// Starts the energy balance of a body (bitmap_solver.c): stores pose and motion as at the end of
/// the substep without contacts.
static inline void pv__impulse_open_books(pv__body *b) {
    b->pixel_motion->outlook = (pv__outlook){b->pose.center, b->velocity, b->spin};
}

/// Sums over bodies; arms are from a reference point near the bodies
typedef struct pv__totals {
    double mass;
    /// Sum of mass times arm, and sum of mass times velocity
    pv_vec2 moment, momentum;
    /// Sums about the reference point
    double angular, inertia;
} pv__totals;

static inline void pv__impulse_add_motion(pv__totals *s, const pv__body *b, pv_vec2 arm,
                                          pv_vec2 velocity, double spin) {
    s->mass += b->mass;
    s->moment = pv__mad(s->moment, b->mass, arm);
    s->momentum = pv__mad(s->momentum, b->mass, velocity);
    s->angular += b->mass * pv__cross(arm, velocity) + b->inertia * spin;
    s->inertia += b->mass * pv__dot(arm, arm) + b->inertia;
}

/// Motion of a rigid body with the momentum and angular momentum of some bodies about their common
/// center
typedef struct pv__rigid {
    pv_vec2 center, velocity;
    double spin, mass, inertia;
} pv__rigid;

static inline pv__rigid pv__impulse_rigid_of(const pv__totals *s, pv_vec2 place) {
    pv_vec2 arm = pv__mul(1.0 / s->mass, s->moment);
    double inertia = s->inertia - pv__dot(arm, s->moment);
    return (pv__rigid){pv__add(place, arm), pv__mul(1.0 / s->mass, s->momentum),
                       (s->angular - pv__cross(arm, s->momentum)) / inertia, s->mass, inertia};
}

static inline double pv__impulse_rigid_energy(const pv__rigid *r) {
    return 0.5 * (r->mass * pv__dot(r->velocity, r->velocity) + r->inertia * r->spin * r->spin);
}

static inline pv_vec2 pv__impulse_rigid_at(const pv__rigid *r, pv_vec2 place) {
    return pv__mad(r->velocity, r->spin, pv__perp(pv__sub(place, r->center)));
}

/// Sets a body's motion to the rigid motion "due", plus the fraction "keep" of its deviation from
/// the rigid motion "is". Locked axes keep their velocity.
static inline void pv__impulse_keep_about(pv__body *b, const pv__rigid *is, const pv__rigid *due,
                                          double keep) {
    pv_vec2 own = pv__sub(b->velocity, pv__impulse_rigid_at(is, b->pose.center));
    pv_vec2 there = pv__mad(pv__impulse_rigid_at(due, b->pose.center), keep, own);
    b->velocity = pv__add(b->velocity, pv__body_unlocked(b, pv__sub(there, b->velocity)));
    if (b->inverse_inertia > 0) b->spin = due->spin + keep * (b->spin - is->spin);
}

#endif
