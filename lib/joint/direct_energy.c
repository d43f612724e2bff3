/* direct_energy.c - limits the energy of a component and keeps the momentum of a free one.
 *
 * Invariant: kinetic energy rises in a substep by no more than the work from outside. The common
 * motion is kept.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "joint/direct.h"

static pv__motion motion_of(const pv_world *world, int node) {
    const pv__particles *p = &world->matter.particles;
    int i = node / 2;
    if (pv__direct_is_body_node(node)) {
        const pv__body *b = &world->bodies.items[i];
        if (!pv__body_gives(world, i)) return (pv__motion){0};
        return (pv__motion){b->mass, b->inverse_inertia > 0 ? b->inertia : 0,
                            pv__body_pose_now(world, i).center, pv__body_velocity_now(world, i),
                            pv__body_spin_now(world, i)};
    }
    return (pv__motion){1 / p->inverse_mass[i], 0, p->now[i],
                        pv__mul(1 / world->dt, pv__sub(p->now[i], p->was[i])), 0};
}

/// Returns the node at an end of contact row i, if it is outside the component and in no earlier
/// contact row; otherwise -1.
static int partner_of(const struct pv__direct *d, int i, int which) {
    int node = d->rows[i].ends[which].node;
    if (node < 0 || d->states[node].owner == d->now.index) return -1;
    for (int k = d->now.end; k < i; k++)
        if (d->rows[k].ends[0].node == node || d->rows[k].ends[1].node == node) return -1;
    return node;
}

void pv__direct_list_nodes(struct pv__direct *d) {
    d->node_count = 0;
    for (int i = d->now.first_member; i < d->now.end_member; i++)
        d->nodes[d->node_count++] = d->members[i];
    for (int i = d->now.end; i < d->now.last; i++)
        for (int which = 0; which < 2; which++) {
            int partner = partner_of(d, i, which);
            if (partner >= 0) d->nodes[d->node_count++] = partner;
        }
}

/// Tells whether a body moves and rotates without locks.
static bool is_unlocked(const pv_world *world, int body) {
    const pv__body *b = &world->bodies.items[body];
    pv_vec2 one = pv__body_unlocked(b, pv__vec(1, 1));
    return pv__body_gives(world, body) && one.x == 1 && one.y == 1 && b->inverse_inertia > 0;
}

/// Tells whether a component has no fixed end and no lock.
static bool is_free(const pv_world *world, const struct pv__direct *d) {
    bool held = false;
    for (int i = 0; i < d->now.last; i++)
        held |= d->rows[i].ends[0].node < 0 || d->rows[i].ends[1].node < 0;
    for (int i = 0; i < d->node_count; i++)
        held |= pv__direct_is_body_node(d->nodes[i]) && !is_unlocked(world, d->nodes[i] / 2);
    return !held;
}

pv__motion pv__direct_common_motion(const pv_world *world, const struct pv__direct *d) {
    pv__motion sum = {0};
    double momentum = 0;
    if (!is_free(world, d)) return sum;
    for (int i = 0; i < d->node_count; i++) {
        pv__motion t = motion_of(world, d->nodes[i]);
        sum.mass += t.mass;
        sum.at = pv__mad(sum.at, t.mass, t.at);
        sum.velocity = pv__mad(sum.velocity, t.mass, t.velocity);
    }
    sum.at = pv__mul(1 / sum.mass, sum.at);
    sum.velocity = pv__mul(1 / sum.mass, sum.velocity);
    for (int i = 0; i < d->node_count; i++) {
        pv__motion t = motion_of(world, d->nodes[i]);
        pv_vec2 arm = pv__sub(t.at, sum.at);
        sum.inertia += t.inertia + t.mass * pv__dot(arm, arm);
        momentum += t.inertia * t.spin + t.mass * pv__cross(arm, t.velocity);
    }
    sum.spin = sum.inertia > 0 ? momentum / sum.inertia : 0;
    return sum;
}

/// Returns a motion relative to a common motion.
static pv__motion beside(const pv__motion *t, const pv__motion *common) {
    pv_vec2 arm = pv__sub(t->at, common->at);
    pv_vec2 carried = pv__mad(common->velocity, common->spin, pv__perp(arm));
    return (pv__motion){t->mass, t->inertia, t->at, pv__sub(t->velocity, carried),
                        t->spin - common->spin};
}

double pv__direct_energy_of(const pv_world *world, const struct pv__direct *d,
                            const pv__motion *common) {
    double sum = 0;
    for (int i = 0; i < d->node_count; i++) {
        pv__motion t = motion_of(world, d->nodes[i]), own = beside(&t, common);
        sum += own.mass * pv__dot(own.velocity, own.velocity) + own.inertia * own.spin * own.spin;
    }
    return sum;
}

double pv__direct_power_of(const pv_world *world, const struct pv__direct *d) {
    double sum = 0;
    for (int i = 0; i < d->node_count; i++) {
        pv__motion t = motion_of(world, d->nodes[i]);
        bool body = pv__direct_is_body_node(d->nodes[i]);
        pv_vec2 pull = body ? pv__body_acceleration(world, &world->bodies.items[d->nodes[i] / 2])
                            : world->def.gravity;
        sum += t.mass * pv__dot(pull, t.velocity);
    }
    return sum;
}

/// Changes the velocity of a node, not its position.
static void hasten(pv_world *world, int node, pv_vec2 gain, double spin) {
    pv_vec2 way = pv__mul(-world->dt, gain);
    pv__particles *p = &world->matter.particles;
    if (pv__direct_is_body_node(node))
        pv__body_slow(world, node / 2, way, -world->dt * spin);
    else
        p->was[node / 2] = pv__add(p->was[node / 2], way);
}

/// Returns the work of a push and a twist at a driven end in a substep.
static double work_at(const pv_world *world, const pv__row_end *e, const pv__anchor *g,
                      pv_vec2 push, double twist) {
    if (e->node >= 0) return 0;
    double turn = g->body >= 0 ? world->dt * pv__body_spin_now(world, g->body) : 0;
    return pv__dot(push, pv__sub(pv__anchor_now(world, g), pv__anchor_then(world, g))) +
           twist * turn;
}

/// Returns the work of a contact row at a driven end in a substep.
static double work_at_touch(const pv_world *world, const pv__row *r, int which) {
    const pv__row_end *e = &r->ends[which];
    if (e->node >= 0) return 0;
    pv_vec2 way = pv__body_velocity_now(world, r->bodies[which]);
    double turn = pv__body_spin_now(world, r->bodies[which]);
    return -r->given * world->dt * (e->gives.x * way.x + e->gives.y * way.y + e->gives.turn * turn);
}

double pv__direct_work_of(const pv_world *world, const struct pv__direct *d) {
    double sum = 0;
    for (int i = 0; i < d->now.end; i++) {
        const pv__row *r = &d->rows[i];
        const pv__constraint *k = &world->matter.constraints[r->slot];
        if (!pv__direct_is_first(d, i) || !pv__slot_lives(&k->slot)) continue;
        sum += work_at(world, &r->ends[0], &k->a, k->push, k->twist);
        sum -= work_at(world, &r->ends[1], &k->b, k->push, k->twist);
    }
    for (int i = d->now.end; i < d->now.last; i++)
        sum += work_at_touch(world, &d->rows[i], 0) + work_at_touch(world, &d->rows[i], 1);
    return 2 * sum / (world->dt * world->dt);
}

double pv__direct_released_of(const pv_world *world, const struct pv__direct *d) {
    double sum = 0;
    for (int i = 0; i < d->now.end; i++) {
        const pv__row *r = &d->rows[i];
        if (r->lives && r->softness > 0)
            sum += pv__joint_released(world, &world->matter.constraints[r->slot], r->part);
    }
    return pv__max(0, sum);
}

void pv__direct_limit_energy(pv_world *world, const struct pv__direct *d, double most) {
    pv__motion common = pv__direct_common_motion(world, d);
    double energy = pv__direct_energy_of(world, d, &common);
    double kept = common.mass * pv__dot(common.velocity, common.velocity) +
                  common.inertia * common.spin * common.spin;
    double left = pv__max(0, most - kept);
    if (!(energy > left)) return;
    double gain = sqrt(left / energy) - 1;
    for (int i = 0; i < d->node_count; i++) {
        pv__motion t = motion_of(world, d->nodes[i]), own = beside(&t, &common);
        hasten(world, d->nodes[i], pv__mul(gain, own.velocity), gain * own.spin);
    }
}

/// Moves a node without a change of its velocity.
static void shift(pv_world *world, int node, pv_vec2 by) {
    pv__particles *p = &world->matter.particles;
    if (pv__direct_is_body_node(node)) {
        pv__body_shift(world, node / 2, by);
    } else {
        p->now[node / 2] = pv__add(p->now[node / 2], by);
        p->was[node / 2] = pv__add(p->was[node / 2], by);
    }
}

void pv__direct_keep_momentum(pv_world *world, const struct pv__direct *d, const pv__motion *had) {
    pv__motion has = pv__direct_common_motion(world, d);
    if (!(has.mass > 0)) return;
    pv_vec2 velocity = pv__sub(had->velocity, has.velocity);
    double spin = has.inertia > 0 ? had->inertia * had->spin / has.inertia - has.spin : 0;
    for (int i = 0; i < d->node_count; i++) {
        pv_vec2 arm = pv__sub(motion_of(world, d->nodes[i]).at, has.at);
        shift(world, d->nodes[i], pv__sub(had->at, has.at));
        hasten(world, d->nodes[i], pv__mad(velocity, spin, pv__perp(arm)), spin);
    }
}
