/* hand.c - a critically damped spring from the grip to a point.
 *
 * Invariant: the pull is bounded, so nothing is pressed through a wall by it.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "hand.h"

/// Of the spring [rad/s], the most it accelerates [px/s^2], and how fast the spin of what is held fades [1/s].
static const double stiffness = 24, most = 9000, fading = 6;

bool hand_seize(struct hand *hand, const pv_world *world, pv_vec2 point) {
    *hand = (struct hand){0};
    pv_body body = pv_world_body_at(world, point);
    if (pv_body_get_type(world, body) != PV_BODY_DYNAMIC) return false;
    pv_transform t = pv_body_transform(world, body);
    pv_vec2 d = {point.x - t.position.x, point.y - t.position.y};
    hand->body = body;
    hand->grip.x = t.pivot.x + (t.rotation.c * d.x + t.rotation.s * d.y) / t.scale.x;
    hand->grip.y = t.pivot.y + (t.rotation.c * d.y - t.rotation.s * d.x) / t.scale.y;
    return hand->holding = true;
}

void hand_release(struct hand *hand) { hand->holding = false; }

pv_vec2 hand_grip(const struct hand *hand, const pv_world *world) {
    pv_transform transform = pv_body_transform(world, hand->body);
    return pv_transform_point(&transform, hand->grip);
}

static double clamp(double value) { return value < -most ? -most : value > most ? most : value; }

/// What the spring wants along one axis, taken at the end of the step so that it cannot swing up.
static double wanted(double distance, double velocity, double dt) {
    double w = stiffness;
    return clamp((w * w * (distance - velocity * dt) - 2 * w * velocity) / (1 + 2 * w * dt + w * w * dt * dt));
}

/// The force at r from the centre that gives the material there an acceleration: mass alone would be too much
/// far from the centre, where a body gives way by turning.
static pv_vec2 force_for(pv_vec2 a, pv_vec2 r, double mass, double inertia) {
    double xx = 1 / mass + r.y * r.y / inertia, yy = 1 / mass + r.x * r.x / inertia, xy = -r.x * r.y / inertia;
    double det = xx * yy - xy * xy;
    return (pv_vec2){(yy * a.x - xy * a.y) / det, (xx * a.y - xy * a.x) / det};
}

void hand_pull(const struct hand *hand, pv_world *world, pv_vec2 target, double dt) {
    pv_body body = hand->body;
    if (!hand->holding || !pv_body_is_valid(world, body)) return;
    double mass = pv_body_mass(world, body), inertia = pv_body_inertia(world, body);
    pv_vec2 grip = hand_grip(hand, world), centre = pv_body_position(world, body);
    pv_vec2 v = pv_body_velocity_at(world, body, grip), g = pv_world_gravity(world);
    pv_vec2 a = {wanted(target.x - grip.x, v.x, dt) - g.x, wanted(target.y - grip.y, v.y, dt) - g.y};
    pv_vec2 r = {grip.x - centre.x, grip.y - centre.y};
    pv_body_apply_force_at(world, body, force_for(a, r, mass, inertia), grip);
    pv_body_apply_torque(world, body, -fading * inertia * pv_body_spin(world, body));
}
