/* pv_strike.c - particles against sprites, both ways.
 *
 * Invariant: a particle whose centre is nearer to a contour than its radius is moved out along the field's gradient, and the body
 * the other way, by their effective inverse masses. Pushes act on the particle's centre, from where it was when the carried way
 * began, so linear and angular momentum are conserved (pv_grip.h). Friction is Coulomb's: it takes back the way along the
 * surface, whole where that needs no more than static friction gives. A one-way body holds what was outside when the substep began
 * and comes from where it holds; so what is inside passes until it is out.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_grip.h"
#include "pv_impulse.h"

/// What goes farther in a substep is followed on its way, so that nothing thin is passed over [px].
static const double FOLLOWED = 0.5;
/// A way is followed until this near [px], in so many strides at most.
static const double CLOSE = 1e-3;
enum { STRIDES = 32 };
/// What a particle may have got faster by, until it is looked at again: this factor and this way [px].
static const double FASTER = 2, FASTER_BY = 0.2;
/// What turns while it approaches comes in deeper than it approached, by this part.
static const double TURNING = 0.1;
/// How fast a particle that was inside already is moved out, giving no speed [px/s].
static const double EMERGE = 200;

/// A body that is struck, as it is at the moment.
typedef struct target {
    int index;
    const pv__body *body;
    const pv__shape *shape;
    pv__pose now, then; ///< then: when the substep began
    pv_vec2 velocity;
    double spin;
    bool gives, moves, one_way;
    double run; ///< of its surface in a substep [px]
} target;

/// A particle that is in it.
typedef struct strike {
    int particle;
    pv_vec2 normal; ///< out of the body
    double depth;   ///< to be moved out by; of one that is not in it < 0 [px]
} strike;

const pv__shape *pv__shape_of(const pv__body *b) {
    return b->guise->shape ? b->guise->shape : pv__mask_shape(b->guise->form);
}

static void look(const pv_world *world, target *t) {
    t->now = pv__pose_now(world, t->index);
    t->velocity = pv__velocity_now(world, t->index);
    t->spin = pv__spin_now(world, t->index);
}

static target target_of(const pv_world *world, int index) {
    const pv__body *b = &world->bodies[index];
    target t = {.index = index, .body = b, .shape = pv__shape_of(b)};
    t.gives = pv__gives(world, index);
    t.moves = b->awake;
    t.one_way = pv__is_one_way(b);
    t.run = world->dt * b->surface_speed;
    look(world, &t);
    t.then = t.moves ? pv__pose_then(world, index) : t.now;
    return t;
}

static pv_vec2 to_mask(const target *t, const pv__pose *pose, pv_vec2 point) {
    return pv__add(t->body->guise->pivot, pv__unrotate(pose->turn, pv__sub(point, pose->centre)));
}

/// Follows a way through a field by strides of the distance to go (sphere tracing, Hart 1996).
/// @return the part of it after which the contour is a radius off, or 1 where it never is
static double follow(const pv__shape *shape, pv_vec2 from, pv_vec2 way, double radius) {
    double length = pv__length(way), gone = 0;
    for (int i = 0; i < STRIDES && gone < length; i++) {
        double room = pv__field_at(shape, pv__mad(from, gone / length, way), NULL) - radius;
        if (room < CLOSE) return gone / length;
        gone += room;
    }
    return 1;
}

static bool is_leaving(const pv__shape *shape, pv_vec2 from, pv_vec2 way) {
    pv_vec2 gradient;
    pv__field_at(shape, from, &gradient);
    return pv__dot(gradient, way) >= 0;
}

/// The part of its way at which a particle touched, or 1; in the mask's coordinates.
static double touch_of(const target *t, pv_vec2 from, pv_vec2 way, double radius) {
    if (pv__dot(way, way) <= FOLLOWED * FOLLOWED) return 1;
    double part = follow(t->shape, from, way, radius);
    return part == 0 && is_leaving(t->shape, from, way) ? 1 : part;
}

/// Whether a particle struck a body in the substep.
static bool is_struck(const pv_world *world, const target *t, int particle, strike *s) {
    const pv__particles *p = &world->matter.particles;
    double radius = p->grains[particle].radius;
    pv_vec2 at = to_mask(t, &t->now, p->now[particle]), from = to_mask(t, &t->then, p->was[particle]), gradient;
    pv_vec2 way = pv__sub(at, from);
    double part = touch_of(t, from, way, radius);
    double off = pv__field_at(t->shape, pv__mad(from, part, way), &gradient) - radius;
    *s = (strike){particle, pv__vec(0, 0), -off};
    double steep = pv__length(gradient);
    if ((part == 1 && off >= 0) || steep < 1e-6) return false;
    pv_vec2 normal = pv__mul(1 / steep, gradient);
    s->depth -= pv__min(0, pv__dot(normal, pv__mul(1 - part, way)));
    s->normal = pv__rotate(t->now.turn, normal);
    return s->depth > 0;
}

bool pv__find_dents(const pv_world *world, int body, const int *particles, int count, pv__dent *dents) {
    target t = target_of(world, body);
    for (int i = 0; i < count && t.shape; i++) {
        strike s;
        bool struck = is_struck(world, &t, particles[i], &s);
        dents[i] = (pv__dent){struck, s.normal, s.depth};
    }
    return t.shape != NULL;
}

/* ---- what follows ---- */

/// Lever from the body's centre to the particle, carry of a substep ago.
static pv_vec2 lever_of(const pv_world *world, const target *t, const strike *s, double carry) {
    const pv__particles *p = &world->matter.particles;
    if (!t->moves) return pv__vec(0, 0);
    pv_vec2 then = pv__lerp(p->now[s->particle], p->was[s->particle], carry);
    return pv__sub(then, pv__mad(t->now.centre, -carry * world->dt, t->velocity));
}

/// How far the particle moved relative to the body's material in the substep [px].
static pv_vec2 relative_way(const pv_world *world, const target *t, const strike *s, pv_vec2 lever) {
    const pv__particles *p = &world->matter.particles;
    pv_vec2 mine = pv__sub(p->now[s->particle], p->was[s->particle]);
    return t->moves ? pv__mad(mine, -world->dt, pv__mad(t->velocity, t->spin, pv__perp(lever))) : mine;
}

static double yield_of(const pv_world *world, const target *t, const strike *s, pv_vec2 lever, pv_vec2 n) {
    double w = world->matter.particles.inverse_mass[s->particle];
    return t->gives ? w + pv__body_yield(world, t->index, lever, n) : w;
}

static void push(pv_world *world, target *t, const strike *s, pv_vec2 lever, pv_vec2 push, double carry) {
    pv__particle_push(&world->matter.particles, s->particle, push, carry);
    if (!t->gives) return;
    pv__push_body(world, t->index, lever, pv__mul(-1, push), carry);
    look(world, t);
}

/// Friction after a push of some size along the normal.
static void rub(pv_world *world, target *t, const strike *s, double pushed, double carry) {
    const pv__grain *g = &world->matter.particles.grains[s->particle];
    pv_vec2 lever = lever_of(world, t, s, carry), way = relative_way(world, t, s, lever);
    pv_vec2 along = pv__mad(way, -pv__dot(way, s->normal), s->normal);
    along = pv__mad(along, -t->run, pv__perp(s->normal));
    double length = pv__length(along);
    if (length < 1e-12 || g->liquid >= 0) return; /* liquids slip */
    pv_vec2 d = pv__mul(1 / length, along);
    double whole = length / yield_of(world, t, s, lever, d);
    double holds = pv__mix(world->def.friction_mix, g->static_friction, t->body->static_friction) * pushed;
    double slides = pv__mix(world->def.friction_mix, g->kinetic_friction, t->body->kinetic_friction) * pushed;
    push(world, t, s, lever, pv__mul(-(whole <= holds ? whole : pv__min(whole, slides)), d), carry);
}

/// Turns the approach round.
static void bounce(pv_world *world, target *t, const strike *s, double approach, double restitution) {
    pv__particles *p = &world->matter.particles;
    int i = s->particle;
    pv_bounce how = p->grains[i].bounce;
    bool back = how == PV_BOUNCE_TOUCH || (how == PV_BOUNCE_REFLECT && s->depth > p->grains[i].radius);
    double carry = back ? pv__min(1, s->depth / approach) : 0;
    if (how == PV_BOUNCE_SWAP) { /* back along its own way, which costs no momentum */
        pv_vec2 way = pv__sub(p->now[i], p->was[i]);
        p->now[i] = p->was[i];
        p->was[i] = pv__sub(p->was[i], way);
    }
    pv_vec2 lever = lever_of(world, t, s, carry);
    double along = pv__dot(relative_way(world, t, s, lever), s->normal);
    double size = -(1 + restitution) * along / yield_of(world, t, s, lever, s->normal);
    push(world, t, s, lever, pv__mul(size, s->normal), carry);
    rub(world, t, s, size, carry);
}

/// Moves out by and by what was inside before, without speed. What the way adds to the angular momentum of two that pass each
/// other is taken out of the body's spin.
static void emerge(pv_world *world, target *t, const strike *s, double by) {
    pv__particles *p = &world->matter.particles;
    int i = s->particle;
    double w = p->inverse_mass[i], body_w = t->gives ? pv__centre_yield(t->body, s->normal) : 0;
    if (by <= 0 || !(w + body_w > 0)) return;
    pv_vec2 push = pv__mul(pv__min(by, EMERGE * world->dt) / (w + body_w), s->normal);
    pv_vec2 passing = pv__sub(pv__mul(1 / world->dt, pv__sub(p->now[i], p->was[i])), t->velocity);
    p->now[i] = pv__mad(p->now[i], w, push);
    p->was[i] = pv__mad(p->was[i], w, push);
    if (!t->gives) return;
    pv__shift_body(world, t->index, pv__mul(-t->body->inverse_mass, push));
    if (w > 0) pv__twist_body(world, t->index, -world->dt * pv__cross(push, passing), 0);
    look(world, t);
    t->then = pv__pose_then(world, t->index);
}

/// Moves out what came in in this substep, and what was inside before.
static void move_out(pv_world *world, target *t, const strike *s, double approach) {
    pv_vec2 lever = lever_of(world, t, s, 1);
    double fresh = approach > 0 ? pv__min(s->depth, (1 + TURNING) * approach + CLOSE) : 0;
    double size = fresh / yield_of(world, t, s, lever, s->normal);
    if (size > 0) {
        push(world, t, s, lever, pv__mul(size, s->normal), 1);
        rub(world, t, s, size, 1);
    }
    emerge(world, t, s, s->depth - fresh);
}

static void resolve(pv_world *world, target *t, const strike *s) {
    const pv__grain *g = &world->matter.particles.grains[s->particle];
    pv_vec2 lever = lever_of(world, t, s, 0);
    double approach = -pv__dot(relative_way(world, t, s, lever), s->normal);
    double restitution = pv__mix(world->def.restitution_mix, g->restitution, t->body->restitution);
    if (!(yield_of(world, t, s, lever, s->normal) > 0)) return;
    if (g->bounce != PV_BOUNCE_NONE && restitution > 0 && approach > world->def.bounce_speed * world->dt)
        bounce(world, t, s, approach, restitution);
    else if (s->depth > -approach) /* else it is out by itself after this substep */
        move_out(world, t, s, approach);
}

/// Whether a one-way body holds a particle that struck it. Not inlined, so that others do not pay for it.
__attribute__((noinline)) static bool holds(const pv_world *world, const target *t, const strike *s,
                                            pv__near *n, int substep) {
    const pv__particles *p = &world->matter.particles;
    if (!pv__holds_at(t->body, t->now.turn, s->normal)) return false;
    if (n->held == substep) return true; /* a bounce has put back where it was */
    double off = pv__field_at(t->shape, to_mask(t, &t->then, p->was[n->particle]), NULL);
    bool leaves = pv__dot(relative_way(world, t, s, lever_of(world, t, s, 0)), s->normal) >= 0;
    if (leaves || off - p->grains[n->particle].radius < -PV__DEEP) return false;
    n->held = substep;
    return true;
}

/// Substeps in which a particle that is off by some way cannot touch.
static int rest_of(const pv_world *world, const target *t, const strike *s) {
    double way = pv__length(relative_way(world, t, s, lever_of(world, t, s, 0)));
    double substeps = -s->depth / (FASTER * way + FASTER_BY);
    return !(substeps > 1) ? 1 : substeps > 64 ? 64 : (int)substeps; /* 1 for NaN */
}

void pv__strike(pv_world *world, int substep) {
    pv__matter *m = &world->matter;
    target t = {.index = -1};
    for (int i = 0; i < m->near_count; i++) {
        pv__near *n = &m->nears[i];
        if (n->due > substep || m->particles.grains[n->particle].polygon >= 0) continue;
        if (n->body != t.index) t = target_of(world, n->body);
        strike s;
        if (!t.shape || !is_struck(world, &t, n->particle, &s))
            n->due = substep + (t.shape ? rest_of(world, &t, &s) : 1);
        else if (!t.one_way || holds(world, &t, &s, n, substep))
            resolve(world, &t, &s);
    }
}
