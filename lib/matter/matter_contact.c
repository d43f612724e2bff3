/* matter_contact.c - pushes on the sides of a contact, and their yields.
 *
 * Invariant: as in matter_contact.h. An edge takes a push as two pushes on its ends with the same
 * sum and moment. They are (1 - t) and t of the push, and a couple for the point's distance beside
 * the edge.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "matter/matter_contact.h"

/// Overlap that is left, so that resting objects stay in contact [px]
static const double MATTER_CONTACT_SLOP = 0.03;
/// Greatest speed at which overlap from before the substep is resolved [px/s], and carry of these
/// pushes. A carry of 2 keeps half of the displacement out of the velocity.
static const double PART_SPEED = 40, PART_CARRY = 2;
/// Greatest sliding speed that static friction still stops [px/s]
static const double CREEP = 0.25;
/// Rounds over contacts that are solved together
static const int MATTER_CONTACT_ROUNDS = 6;

/// Returns the place of a particle, carry substeps ago.
static pv_vec2 place_of(const pv__particles *p, int i, double carry) {
    return pv__mad(p->now[i], -carry, pv__particle_way(p, i));
}

/* ---- edges ---- */

static void stand_edge(const pv__particles *p, pv__flank *s, pv_vec2 point) {
    pv_vec2 from = place_of(p, s->particle, s->carry), to = place_of(p, s->other, s->carry);
    pv_vec2 along = pv__sub(to, from), d = pv__sub(point, from);
    double squared = pv__dot(along, along);
    if (!(squared > 0)) squared = 1;
    s->part = pv__dot(d, along) / squared;
    s->lift = pv__cross(along, d) / squared;
    s->across = pv__mul(1 / sqrt(squared), pv__perp(along));
}

/// Returns the part of a push beside an edge that its ends take as a couple.
static pv_vec2 couple_of(const pv__flank *s, pv_vec2 push) {
    return pv__mul(s->lift * pv__cross(s->across, push), s->across);
}

static pv_vec2 from_gets(const pv__flank *s, pv_vec2 push) {
    return pv__sub(pv__mul(1 - s->part, push), couple_of(s, push));
}

static pv_vec2 to_gets(const pv__flank *s, pv_vec2 push) {
    return pv__add(pv__mul(s->part, push), couple_of(s, push));
}

static pv_vec2 way_of_edge(const pv__particles *p, const pv__flank *s) {
    pv_vec2 from = pv__particle_way(p, s->particle), to = pv__particle_way(p, s->other);
    double turn = pv__dot(s->across, pv__sub(to, from));
    return pv__mad(pv__lerp(from, to, s->part), s->lift * turn, pv__perp(s->across));
}

/* ---- whole polygons ---- */

/// Prepares a whole polygon. One pinned corner is its pivot; several hold it in place.
static void stand_whole(const pv_world *world, pv__flank *s, pv_vec2 point) {
    const pv__polygon *q = &world->matter.polygons[s->polygon];
    const pv__particles *p = &world->matter.particles;
    int pin = 0, pinned = 0;
    double mass = 0, inertia = 0;
    pv_vec2 center = {0, 0}, first = place_of(p, q->corners[0], s->carry);
    for (int i = 0; i < q->corner_count; i++) {
        int k = q->corners[i];
        mass += p->data[k].mass;
        center = pv__mad(center, p->data[k].mass, pv__sub(place_of(p, k, s->carry), first));
        if (p->inverse_mass[k] > 0) continue;
        pin = k;
        pinned++;
    }
    center = pv__mad(first, mass > 0 ? 1 / mass : 0, center);
    if (pinned > 0) center = p->now[pin];
    for (int i = 0; i < q->corner_count; i++) {
        pv_vec2 r = pv__sub(place_of(p, q->corners[i], s->carry), center);
        inertia += p->data[q->corners[i]].mass * pv__dot(r, r);
    }
    s->lever = pv__sub(point, center);
    s->center = center;
    s->inverse_mass = pinned == 0 && mass > 0 ? 1 / mass : 0;
    s->inverse_inertia = pinned <= 1 && inertia > 0 ? 1 / inertia : 0;
}

/// Returns the arm from the center of a flank to a corner, carry substeps ago [px].
static pv_vec2 arm_of(const pv_world *world, const pv__flank *s, int corner) {
    return pv__sub(place_of(&world->matter.particles, corner, s->carry), s->center);
}

static pv_vec2 way_of_whole(const pv_world *world, const pv__flank *s) {
    const pv__polygon *q = &world->matter.polygons[s->polygon];
    const pv__particles *p = &world->matter.particles;
    pv_vec2 momentum = {0, 0};
    double angular = 0;
    for (int i = 0; i < q->corner_count; i++) {
        int k = q->corners[i];
        pv_vec2 m = pv__mul(p->data[k].mass, pv__particle_way(p, k));
        momentum = pv__add(momentum, m);
        angular += pv__cross(arm_of(world, s, k), m);
    }
    pv_vec2 way = pv__mul(s->inverse_mass, momentum);
    return pv__mad(way, angular * s->inverse_inertia, pv__perp(s->lever));
}

static void push_whole(pv_world *world, const pv__flank *s, pv_vec2 push) {
    const pv__polygon *q = &world->matter.polygons[s->polygon];
    pv__particles *p = &world->matter.particles;
    pv_vec2 way = pv__mul(s->inverse_mass, push);
    double turn = pv__cross(s->lever, push) * s->inverse_inertia;
    for (int i = 0; i < q->corner_count; i++) {
        int k = q->corners[i];
        pv_vec2 by = pv__mad(way, turn, pv__perp(arm_of(world, s, k)));
        pv__particle_push(p, k, pv__mul(p->data[k].mass, by), s->carry);
    }
}

/* ---- bodies ---- */

static void stand_body(const pv_world *world, pv__flank *s, pv_vec2 point) {
    pv_vec2 center = pv__body_pose_now(world, s->body).center,
            velocity = pv__body_velocity_now(world, s->body);
    s->lever = pv__sub(point, pv__mad(center, -s->carry * world->dt, velocity));
}

static pv_vec2 way_of_body(const pv_world *world, const pv__flank *s) {
    pv_vec2 velocity = pv__body_velocity_now(world, s->body);
    double spin = pv__body_spin_now(world, s->body);
    return pv__mul(world->dt, pv__mad(velocity, spin, pv__perp(s->lever)));
}

/* ---- all kinds ---- */

/// Prepares a flank for pushes at a point of carry substeps ago.
static void stand_flank(const pv_world *world, pv__flank *flank, pv_vec2 point, double carry) {
    flank->carry = carry;
    switch (flank->kind) {
    case PV__FLANK_EDGE: stand_edge(&world->matter.particles, flank, point); break;
    case PV__FLANK_WHOLE: stand_whole(world, flank, point); break;
    case PV__FLANK_BODY: stand_body(world, flank, point); break;
    default: break;
    }
}

/// Returns the displacement of the flank's material at its point in the substep [px].
static pv_vec2 way_of_flank(const pv_world *world, const pv__flank *flank) {
    switch (flank->kind) {
    case PV__FLANK_EDGE: return way_of_edge(&world->matter.particles, flank);
    case PV__FLANK_WHOLE: return way_of_whole(world, flank);
    case PV__FLANK_BODY: return way_of_body(world, flank);
    default: return pv__particle_way(&world->matter.particles, flank->particle);
    }
}

pv_vec2 pv__matter_contact_way_at(const pv_world *world, pv__flank flank, pv_vec2 point) {
    stand_flank(world, &flank, point, 0);
    return way_of_flank(world, &flank);
}

/// Returns the displacement of a flank along n, of length 1, for a unit of push along n.
static double contact_yield(const pv_world *world, const pv__flank *flank, pv_vec2 n) {
    const double *w = world->matter.particles.inverse_mass;
    double across = pv__cross(flank->lever, n);
    pv_vec2 from = from_gets(flank, n), to = to_gets(flank, n);
    switch (flank->kind) {
    case PV__FLANK_EDGE:
        return w[flank->particle] * pv__dot(from, from) + w[flank->other] * pv__dot(to, to);
    case PV__FLANK_WHOLE: return flank->inverse_mass + across * across * flank->inverse_inertia;
    case PV__FLANK_BODY: return pv__anchor_body_yield(world, flank->body, flank->lever, n);
    default: return w[flank->particle];
    }
}

/// Pushes a flank at its point [mass px].
static void push_flank(pv_world *world, const pv__flank *flank, pv_vec2 push) {
    pv__particles *p = &world->matter.particles;
    switch (flank->kind) {
    case PV__FLANK_EDGE:
        pv__particle_push(p, flank->particle, from_gets(flank, push), flank->carry);
        pv__particle_push(p, flank->other, to_gets(flank, push), flank->carry);
        break;
    case PV__FLANK_WHOLE: push_whole(world, flank, push); break;
    case PV__FLANK_BODY: pv__body_push(world, flank->body, flank->lever, push, flank->carry); break;
    default: pv__particle_push(p, flank->particle, push, flank->carry); break;
    }
}

/* ---- contacts ---- */

/// Returns the contact point, carry substeps ago. Its particle may have been pushed since
/// detection.
static pv_vec2 point_of(const pv_world *world, const pv__touch *t, double carry) {
    const pv__particles *p = &world->matter.particles;
    if (t->a.kind == PV__FLANK_PARTICLE) return place_of(p, t->a.particle, carry);
    if (t->b.kind == PV__FLANK_PARTICLE) return place_of(p, t->b.particle, carry);
    return pv__mad(t->point, -carry, t->way);
}

static void stand(const pv_world *world, pv__touch *t, double carry) {
    pv_vec2 point = point_of(world, t, carry);
    stand_flank(world, &t->a, point, carry);
    stand_flank(world, &t->b, point, carry);
}

static pv_vec2 relative_way(const pv_world *world, const pv__touch *t) {
    return pv__sub(way_of_flank(world, &t->b), way_of_flank(world, &t->a));
}

static double yield_of(const pv_world *world, const pv__touch *t, pv_vec2 n) {
    return contact_yield(world, &t->a, n) + contact_yield(world, &t->b, n);
}

static double closing_of(const pv_world *world, const pv__touch *t) {
    return -pv__dot(relative_way(world, t), t->normal);
}

static void contact_push(pv_world *world, const pv__touch *t, pv_vec2 push) {
    push_flank(world, &t->a, pv__mul(-1, push));
    push_flank(world, &t->b, push);
}

static void go_back(const pv_world *world, pv__touch *t, double carry) {
    stand(world, t, carry);
    t->closing = closing_of(world, t);
}

/// Returns the time since the first touch, or since the start of the substep if the overlap is
/// older [substep].
static double since(const pv_world *world, pv__touch *t) {
    go_back(world, t, 0);
    return t->closing > -t->gap ? -t->gap / t->closing : 1;
}

static bool is_hit(const pv_world *world, const pv__touch *t) {
    return t->closing > world->def.restitution_threshold * world->dt;
}

/// Returns a contact with whole polygons in place of their edges and corners.
static pv__touch of_wholes(const pv_world *world, const pv__touch *touch) {
    pv__touch t = *touch;
    if (t.a.polygon >= 0) t.a.kind = PV__FLANK_WHOLE;
    if (t.b.polygon >= 0) t.b.kind = PV__FLANK_WHOLE;
    go_back(world, &t, touch->a.carry);
    return t;
}

static bool is_soft(const pv_world *world, const pv__flank *s) {
    return s->polygon >= 0 && world->matter.polygons[s->polygon].soft;
}

/// Moves all contacts back to the first touch, so that no push moves another contact point.
/// Previous places stay until the last round, as sticks use the directions at the start of the
/// substep. Returns true if any contact is an impact, also of whole polygons: a corner under a heap
/// may be fast while its polygon is not. At an impact, rigid polygons are solved as wholes.
static bool go_all_back(pv_world *world, pv__touch *touches, int count) {
    double carry = world->matter.last_round ? 0 : 1;
    bool hit = false;
    for (int i = 0; i < count && carry < 1; i++) carry = pv__max(carry, since(world, &touches[i]));
    for (int i = 0; i < count; i++) {
        go_back(world, &touches[i], carry);
        if (hit || !is_hit(world, &touches[i])) continue;
        pv__touch whole = of_wholes(world, &touches[i]);
        hit = is_hit(world, &whole);
    }
    for (int i = 0; i < count && hit; i++)
        if (!is_soft(world, &touches[i].a) && !is_soft(world, &touches[i].b))
            touches[i] = of_wholes(world, &touches[i]);
    return hit;
}

/// Returns the wanted closing displacement after an impact [px]. Displacements belong to the middle
/// of the substep. Gravity from the impact to there is included, so that restitution neither adds
/// nor removes energy.
static double rebound(const pv_world *world, const pv__touch *t) {
    double h = world->dt, g = h * h * pv__dot(world->def.gravity, t->normal);
    double a = contact_yield(world, &t->a, t->normal), b = contact_yield(world, &t->b, t->normal);
    double late = (0.5 - t->a.carry) * ((a > 0) - (b > 0)) * g;
    return -t->material.restitution * (t->closing + late) - late;
}

/// Prepares the contacts: wanted displacements and yields.
static void begin(pv_world *world, pv__touch *touches, int count) {
    bool hit = go_all_back(world, touches, count);
    for (int i = 0; i < count; i++) {
        pv__touch *t = &touches[i];
        t->wanted = hit && is_hit(world, t) ? pv__min(0, rebound(world, t)) : 0;
        t->pushed = t->rubbed = 0;
        t->yield = yield_of(world, t, t->normal);
        t->yield_along = yield_of(world, t, pv__perp(t->normal));
    }
}

/// Removes the approach at a contact. It may take back earlier pushes.
static void press(pv_world *world, pv__touch *t) {
    if (!(t->yield > 0)) return;
    double before = t->pushed;
    t->pushed = pv__max(0, before + (closing_of(world, t) - t->wanted) / t->yield);
    contact_push(world, t, pv__mul(t->pushed - before, t->normal));
}

/// Applies a push along the faces of a contact.
static void rub(pv_world *world, pv__touch *t, double by) {
    t->rubbed += by;
    contact_push(world, t, pv__mul(by, pv__perp(t->normal)));
}

/// Applies Coulomb friction to all contacts together, with the sum of their loads. They hold or
/// slide as one, because a face distributes load and friction freely.
static void rub_all(pv_world *world, pv__touch *touches, int count) {
    double holds = 0, slides = 0, given = 0, most = 0;
    for (int i = 0; i < count; i++) {
        holds += touches[i].material.static_friction * touches[i].pushed;
        slides += touches[i].material.kinetic_friction * touches[i].pushed;
    }
    if (!(holds > 0)) return;
    for (int i = 0; i < count; i++) {
        pv__touch *t = &touches[i];
        if (!(t->yield_along > 0) || !(t->pushed > 0)) continue;
        double along =
            pv__dot(relative_way(world, t), pv__perp(t->normal)) - world->dt * t->tangent_speed;
        rub(world, t, -along / t->yield_along);
        given += pv__abs(t->rubbed);
        most = pv__max(most, t->yield_along);
    }
    if (given <= holds) return;
    bool creeps = (given - holds) * most < CREEP * world->dt;
    double kept = creeps ? holds / given : pv__min(1, slides / given);
    for (int i = 0; i < count; i++)
        if (touches[i].rubbed != 0) rub(world, &touches[i], (kept - 1) * touches[i].rubbed);
}

/// Resolves overlap from before the substep gradually, with little speed.
static void ease(pv_world *world, pv__touch *t) {
    double old = pv__min(-t->gap - t->a.carry * pv__max(t->closing, 0) - MATTER_CONTACT_SLOP,
                         PART_SPEED * world->dt);
    if (old <= 0) return;
    old += pv__min(closing_of(world, t), 0);
    if (old <= 0) return;
    double carry = world->matter.last_round ? PART_CARRY : 1;
    stand(world, t, carry);
    double yield = yield_of(world, t, t->normal);
    if (yield > 0) contact_push(world, t, pv__mul(old / (carry * yield), t->normal));
}

void pv__matter_contact_part(pv_world *world, pv__touch *touches, int count) {
    int rounds = count > 1 ? MATTER_CONTACT_ROUNDS : 1;
    begin(world, touches, count);
    for (int i = 0; i < rounds; i++)
        for (int k = 0; k < count; k++) press(world, &touches[k]);
    rub_all(world, touches, count);
    for (int i = 0; i < count; i++) ease(world, &touches[i]);
}
