/* hand.c - pulls the grip to a point with a critically damped mouse joint.
 *
 * Invariant: the pull is bounded, so it pushes nothing through a wall.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "viewer/hand.h"

#include <stdlib.h>

/// Angular frequency of the spring [rad/s], greatest acceleration [px/s^2], and decay of the held
/// object's rotation [1/s]
static const double stiffness = 24, most = 9000, fading = 6;

/// Greatest mass that the pull allows for, in masses of the held particle; more would tear cloth
static const double crowd = 32;

/* Composite of a particle */

static bool same(pv_particle_id a, pv_particle_id b) {
    return a.index == b.index && a.generation == b.generation;
}

/// Returns the mass of all particles if the wanted one is among them; otherwise 0.
static double mass_with(const pv_world *world, const pv_particle_id *particles, int count,
                        pv_particle_id wanted) {
    double mass = 0;
    bool found = false;
    for (int i = 0; i < count; i++) {
        mass += pv_particle_get_mass(world, particles[i]);
        found |= same(particles[i], wanted);
    }
    return found ? mass : 0;
}

static double mass_in_matter(const pv_world *world, pv_composite_id matter, pv_particle_id wanted) {
    int count = pv_composite_get_particles(world, matter, NULL, 0);
    pv_particle_id *particles = count > 0 ? malloc((size_t)count * sizeof *particles) : NULL;
    if (!particles) return 0;
    pv_composite_get_particles(world, matter, particles, count);
    double mass = mass_with(world, particles, count, wanted);
    free(particles);
    return mass;
}

/// Finds the composite of the held particle, and returns its whole mass.
static double find_whole(struct hand *hand, const pv_world *world) {
    double mass = 0;
    pv_composite_id matter = pv_world_get_next_composite(world, (pv_composite_id){0});
    for (; matter.generation != 0; matter = pv_world_get_next_composite(world, matter))
        if ((mass = mass_in_matter(world, hand->matter = matter, hand->particle)) > 0) return mass;
    hand->matter = (pv_composite_id){0};
    return pv_particle_get_mass(world, hand->particle);
}

/* Grabbing */

static bool hold(struct hand *hand, pv_world *world, pv_anchor anchor, pv_vec2 point, double mass) {
    pv_joint_def def = pv_joint_def_default();
    def.type = PV_JOINT_MOUSE;
    def.a = anchor;
    def.b = pv_anchor_world(point);
    def.stiffness = mass * stiffness * stiffness;
    def.damping = 2 * mass * stiffness;
    def.max_force = mass * most;
    hand->drag = pv_joint_create(world, &def, NULL);
    return hand_holds(hand, world);
}

bool hand_seize(struct hand *hand, pv_world *world, pv_vec2 point, double reach) {
    hand_release(hand, world);
    *hand = (struct hand){0};
    pv_body_id body = pv_world_pick_body(world, point);
    if (pv_body_get_type(world, body) == PV_BODY_DYNAMIC) {
        hand->body = body;
        return hold(hand, world, pv_anchor_body(body, point), point, pv_body_get_mass(world, body));
    }
    hand->particle = pv_world_pick_particle(world, point, reach);
    double own = pv_particle_get_mass(world, hand->particle);
    if (!(own > 0)) {
        *hand = (struct hand){0};
        return false;
    }
    double mass = find_whole(hand, world);
    return hold(hand, world, pv_anchor_particle(hand->particle), point,
                mass < crowd * own ? mass : crowd * own);
}

void hand_release(struct hand *hand, pv_world *world) {
    if (hand_holds(hand, world)) pv_joint_destroy(world, hand->drag);
    hand->drag = (pv_joint_id){0};
}

void hand_forget(struct hand *hand, pv_world *world) {
    pv_joint_id joint = pv_world_get_next_joint(world, (pv_joint_id){0});
    while (joint.generation != 0) {
        pv_joint_id next = pv_world_get_next_joint(world, joint);
        if (pv_joint_get_type(world, joint) == PV_JOINT_MOUSE) pv_joint_destroy(world, joint);
        joint = next;
    }
    *hand = (struct hand){0};
}

bool hand_holds(const struct hand *hand, const pv_world *world) {
    return pv_joint_is_valid(world, hand->drag);
}

/* Pulling */

pv_vec2 hand_grip(const struct hand *hand, const pv_world *world) {
    pv_anchor ends[2] = {{.point = {0, 0}}, {.point = {0, 0}}};
    pv_joint_get_anchors(world, hand->drag, ends);
    return ends[0].point;
}

void hand_pull(const struct hand *hand, pv_world *world, pv_vec2 target) {
    if (!hand_holds(hand, world)) return;
    pv_joint_set_target(world, hand->drag, target);
    if (!pv_body_is_valid(world, hand->body)) return;
    double inertia = pv_body_get_inertia(world, hand->body);
    pv_body_apply_torque(world, hand->body,
                         -fading * inertia * pv_body_get_angular_velocity(world, hand->body));
}

static pv_vec2 times(double mass, pv_vec2 a) { return (pv_vec2){mass * a.x, mass * a.y}; }

bool hand_push(const struct hand *hand, pv_world *world, pv_vec2 a) {
    if (pv_body_is_valid(world, hand->body))
        pv_body_apply_force(world, hand->body, times(pv_body_get_mass(world, hand->body), a));
    else if (pv_composite_is_valid(world, hand->matter))
        pv_composite_apply_acceleration(world, hand->matter, a);
    else if (pv_particle_is_valid(world, hand->particle))
        pv_particle_apply_force(world, hand->particle,
                                times(pv_particle_get_mass(world, hand->particle), a));
    else
        return false;
    return true;
}
