/* direct_touch.c - contacts on light members of a component, as rows of its matrix.
 *
 * Invariant: a friction row comes right after its normal row. A contact row leaves an overlap as it
 * is, and the contact solver removes it.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "joint/direct.h"

/// Least mass ratio for which a contact becomes a row
static const double HEAVY = 8;
/// Softness of contact rows as a share of their own coupling. It spreads the load over redundant
/// contacts.
static const double SOFT_TOUCH = 1e-5, SOFT_RUB = 1e-4;

static pv_vec2 spot_on(const pv__pose *pose, pv_vec2 anchor, double radius, pv_vec2 normal) {
    return pv__mad(pv__add(pose->center, pv__rotate(pose->turn, anchor)), radius, normal);
}

/// Finds the surface points of both bodies at two poses. The centers of curvature stay fixed, so
/// that a rolling body keeps its gap.
static void find_surfaces(const pv__row *r, const pv__pose poses[2], pv_vec2 spots[2]) {
    const pv__contact_point *p = r->press;
    spots[0] = spot_on(&poses[0], p->anchor_a, p->radius_a, p->normal);
    spots[1] = spot_on(&poses[1], p->anchor_b, -p->radius_b, p->normal);
}

/// Finds where the contact points of the substep's start are at two poses.
static void find_points(const pv_world *world, const pv__row *r, const pv__pose poses[2],
                        pv_vec2 spots[2]) {
    for (int which = 0; which < 2; which++) {
        pv_vec2 local =
            pv__unrotate(pv__body_pose_then(world, r->bodies[which]).turn, r->levers[which]);
        spots[which] = pv__add(poses[which].center, pv__rotate(poses[which].turn, local));
    }
}

static pv_vec2 way_of(const pv__row *r) {
    return r->rubs ? pv__perp(r->press->normal) : r->press->normal;
}

static void set_touch_end(const pv_world *world, const struct pv__direct *d, pv__row *r, int which,
                          pv_vec2 normal) {
    pv__row_end *e = &r->ends[which];
    int body = r->bodies[which];
    const pv__body *b = &world->bodies.items[body];
    double sign = which ? 1 : -1;
    e->node = b->type == PV_BODY_DYNAMIC ? pv__direct_body_node(body) : -1;
    e->gives = (pv__joint_lever){sign * normal.x, sign * normal.y,
                                 sign * pv__cross(r->levers[which], normal)};
    e->wx = e->wy = e->wturn = 0;
    if (e->node < 0 || !pv__body_gives(world, body)) return;
    pv__direct_row_yield(b, d->states[e->node].load, e);
}

void pv__direct_touch_row_start(const pv_world *world, const struct pv__direct *d, pv__row *r) {
    const pv__pose poses[2] = {pv__body_pose_then(world, r->bodies[0]),
                               pv__body_pose_then(world, r->bodies[1])};
    pv_vec2 spots[2], way = way_of(r);
    find_surfaces(r, poses, spots);
    r->least = r->rubs ? 0 : pv__min(0, pv__dot(pv__sub(spots[1], spots[0]), way));
    pv_vec2 middle = pv__lerp(spots[0], spots[1], 0.5);
    r->levers[0] = pv__sub(middle, poses[0].center);
    r->levers[1] = pv__sub(middle, poses[1].center);
    r->given = r->softness = r->slid = 0;
    set_touch_end(world, d, r, 0, way);
    set_touch_end(world, d, r, 1, way);
}

double pv__direct_touch_row_error(const pv_world *world, pv__row *r) {
    const pv__pose poses[2] = {pv__body_pose_now(world, r->bodies[0]),
                               pv__body_pose_now(world, r->bodies[1])};
    pv_vec2 spots[2], n = way_of(r);
    if (r->rubs)
        find_points(world, r, poses, spots);
    else
        find_surfaces(r, poses, spots);
    double off = r->least - pv__dot(pv__sub(spots[1], spots[0]), n);
    double turn_a = pv__cross(pv__sub(spots[0], poses[0].center), n),
           turn_b = pv__cross(pv__sub(spots[1], poses[1].center), n);
    r->ends[0].feels = (pv__joint_lever){-n.x, -n.y, -turn_a};
    r->ends[1].feels = (pv__joint_lever){n.x, n.y, turn_b};
    bool holds = r->rubs ? r[-1].holds && r->slid == 0 && r->friction > 0 : off > 0 || r->given > 0;
    r->softness = (r->rubs ? SOFT_RUB : SOFT_TOUCH) * pv__direct_row_coupling(r, r);
    r->holds = holds && r->softness > 0;
    r->missing = r->x = r->holds ? pv__clamp(off, -PV__DIRECT_FARTHEST, PV__DIRECT_FARTHEST) : 0;
    return pv__abs(r->x);
}

void pv__direct_touch_row_rub(pv_world *world, pv__row *r) {
    double may = r->friction * r[-1].given;
    if (!r->rubs || r->slid == 0 || r->given == r->slid * may) return;
    pv__direct_touch_row_give(world, r, r->slid * may - r->given);
}

/// Returns the least inverse mass of a component's bodies that can move.
static double least_inverse(const pv_world *world, const struct pv__direct *d,
                            const pv__component *c) {
    double least = PV__BOUNDLESS;
    for (int i = c->first_member; i < c->end_member; i++)
        if (pv__direct_is_body_node(d->members[i]) &&
            world->bodies.items[d->members[i] / 2].inverse_mass > 0)
            least = pv__min(least, world->bodies.items[d->members[i] / 2].inverse_mass);
    return least;
}

/// Tells whether a member is so light that sweeps would fail, compared with the other body and with
/// the component's heaviest one.
static bool is_light(const pv_world *world, const pv__component *c, int body, int other) {
    double w = world->bodies.items[body].inverse_mass, least = c->least;
    const pv__body *o = &world->bodies.items[other];
    if (o->inverse_mass > 0) least = pv__min(least, o->inverse_mass);
    return w > HEAVY * least;
}

/// Adds a manifold to the list of a body's component. Returns false without memory.
static bool add_touch(pv_world *world, struct pv__direct *d, int slot, int body, int other) {
    int owner = d->states[pv__direct_body_node(body)].owner;
    if (owner < 0 || !is_light(world, &d->components[owner], body, other)) return true;
    /* A pair of members counts once. */
    if (d->states[pv__direct_body_node(other)].owner == owner && other > body) return true;
    if (!PV__RESERVE(&world->def.allocator, d->bearings, d->bearing_capacity, d->bearing_count + 1))
        return false;
    d->bearings[d->bearing_count] = (pv__bearing){slot, d->components[owner].bearing};
    d->components[owner].bearing = d->bearing_count++;
    return true;
}

void pv__direct_list_touches(pv_world *world, struct pv__direct *d) {
    if (d->bearing_step == world->steps + 1 &&
        d->bearing_manifolds == world->manifolds.active_count)
        return;
    d->bearing_step = world->steps + 1;
    d->bearing_manifolds = world->manifolds.active_count;
    d->bearing_count = 0;
    for (int i = 0; i < d->component_count; i++) {
        d->components[i].bearing = -1;
        d->components[i].least = least_inverse(world, d, &d->components[i]);
    }
    if (!pv__direct_reserve_states(world, d)) {
        world->out_of_memory = true;
        return;
    }
    if (world->def.contact_mode != PV_CONTACT_MODE_CONTOURS) return;
    for (int i = world->manifolds.active_count - 1; i >= 0; i--) {
        const pv__manifold *m = &world->manifolds.items[world->manifolds.active[i]];
        if (!add_touch(world, d, world->manifolds.active[i], m->a, m->b) ||
            !add_touch(world, d, world->manifolds.active[i], m->b, m->a))
            world->out_of_memory = true;
    }
}

static void add_touch_row(struct pv__direct *d, const pv__manifold *m, int point, bool rubs) {
    int i = d->now.last++;
    d->rows[i] = (pv__row){.slot = -1,
                           .part = PV__PART_X,
                           .at = d->rows[i - 1].at + i - 1,
                           .press = &m->points[point],
                           .rubs = rubs,
                           .friction = m->material.mixed.static_friction,
                           .bodies = {m->a, m->b}};
}

void pv__direct_add_touches(const pv_world *world, struct pv__direct *d) {
    for (int t = d->now.bearing; t >= 0; t = d->bearings[t].next) {
        const pv__manifold *m = &world->manifolds.items[d->bearings[t].slot];
        if (m->passes) continue;
        for (int i = 0; i < m->count && d->now.last + 1 < d->now.end + PV__MOST_TOUCH_ROWS; i++) {
            add_touch_row(d, m, i, false);
            if (m->material.tangent_speed == 0) add_touch_row(d, m, i, true);
        }
    }
    for (int i = d->now.end; i < d->now.last; i++)
        pv__direct_touch_row_start(world, d, &d->rows[i]);
}
