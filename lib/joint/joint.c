/* joint.c - joints on bodies, and joints that hold more than a length.
 *
 * Invariant: the opposite pushes of a joint act along one line at the substep's start. This
 * conserves linear and angular momentum (SHAKE, Ryckaert, Ciccotti and Berendsen 1977). Stiffness
 * and damping follow XPBD (Macklin, Mueller and Chentanez 2016):
 *
 * (1 + g) w push + a (given + push) = -C - g (C - C*), with a = 1 / (k h^2) and g = damping / (k h)
 *
 * SPDX-License-Identifier: Zlib
 */
#include "joint/joint.h"
#include "core/anchor.h"

/// Greatest rotation by one joint in a round [rad]; the counterpart of PV__JOINT_LONGEST
static const double JOINT_WIDEST = 0.5;
/// Least cosine between a length joint and its direction at the substep's start. Below it, the
/// derivative uses the old direction. One like STICK_ASTRAY would stop a rope under load.
static const double LEAST_ALONG = 0.3;

static bool is_disabled(const pv_world *world, const pv__anchor *g) {
    return g->body >= 0 && world->bodies.items[g->body].disabled;
}

bool pv__joint_is_present(const pv_world *world, const pv__constraint *c) {
    return pv__slot_lives(&c->slot) && !is_disabled(world, &c->a) && !is_disabled(world, &c->b);
}

pv__joint_softness pv__joint_softness_of(const pv__constraint *c, double h) {
    double most = c->max_force > 0 ? c->max_force * h * h : PV__BOUNDLESS;
    pv__joint_softness s = {.least = c->type == PV_JOINT_STRUT ? 0 : -most,
                            .most = c->type == PV_JOINT_ROPE ? 0 : most};
    if (c->stiffness > 0) {
        s.compliance = 1 / (c->stiffness * h * h);
        s.damping = c->damping / (c->stiffness * h);
    }
    return s;
}

/// Returns the push to add along one direction. The error is C (see above), and moved is its change
/// in this substep.
static double joint_wanted(const pv__joint_softness *s, double error, double moved, double given,
                           double yield) {
    double resists = (1 + s->damping) * yield + s->compliance;
    return resists > 0 ? (-error - s->damping * moved - s->compliance * given) / resists : 0;
}

/* ---- angles ---- */

static pv_rotation turn_now(const pv_world *world, const pv__anchor *g) {
    return g->body >= 0 ? pv__body_pose_now(world, g->body).turn : (pv_rotation){1, 0};
}

static pv_rotation turn_then(const pv_world *world, const pv__anchor *g) {
    return g->body >= 0 ? pv__body_pose_then(world, g->body).turn : (pv_rotation){1, 0};
}

/// Returns the axis of a slider, now and at the start of the substep.
static pv_vec2 axis_now(const pv_world *world, const pv__constraint *c) {
    return pv__rotate(turn_now(world, &c->a), c->axis);
}
static pv_vec2 axis_then(const pv_world *world, const pv__constraint *c) {
    return pv__rotate(turn_then(world, &c->a), c->axis);
}

/// Returns the angle from a's rotation to b's, relative to c->angle [rad]. Full turns are added to
/// bring it nearest to its last value, if that is in range.
static double joint_turned(const pv__constraint *c, pv_rotation a, pv_rotation b) {
    pv_rotation turn = pv__turn_between(pv__turned(a, c->angle), b);
    double angle = turn.c > 0.9 ? pv__asin(pv__clamp(turn.s, -1, 1)) : pv__atan2(turn.s, turn.c);
    if (!pv__finite(angle)) return c->turned;
    double last = pv__within(c->turned, PV__RANGE_TURNED) ? c->turned : angle;
    double turns = (double)pv__floor((last - angle) / (2 * PV__PI) + 0.5);
    return angle + turns * (2 * PV__PI);
}

static double turned_now(const pv_world *world, const pv__constraint *c) {
    return joint_turned(c, turn_now(world, &c->a), turn_now(world, &c->b));
}

static void joint_twist(pv_world *world, pv__constraint *c, double twist) {
    c->twist += twist;
    if (c->a.body >= 0) pv__body_twist(world, c->a.body, -twist, 1);
    if (c->b.body >= 0) pv__body_twist(world, c->b.body, twist, 1);
}

/// Rotates the bodies to correct an error of their angle. Keeps the substep's total twist within
/// bounds.
static void relax_angle(pv_world *world, pv__constraint *c, const pv__joint_softness *s,
                        double error, double moved) {
    double yield = pv__anchor_turn_yield(world, &c->a) + pv__anchor_turn_yield(world, &c->b);
    double wish = joint_wanted(s, error, moved, c->twist, yield),
           widest = yield > 0 ? JOINT_WIDEST / yield : 0;
    double given = pv__clamp(c->twist + wish, s->least, s->most) - c->twist;
    joint_twist(world, c, pv__clamp(given, -widest, widest));
}

/// Returns the signed distance of a value beyond low...high.
static double beyond(double value, double low, double high) {
    return value - pv__clamp(value, low, high);
}

/// Corrects an angle beyond its limits. An angle that was beyond them at the substep's start
/// returns no faster than PV__EASE_ANGLE.
static void relax_angle_limit(pv_world *world, pv__constraint *c, double h) {
    pv__joint_softness s = pv__joint_softness_of(c, h);
    double most = c->stiffness > 0 ? PV__BOUNDLESS : PV__EASE_ANGLE * h, now = turned_now(world, c);
    double error =
        beyond(now, pv__min(c->low, c->turned + most), pv__max(c->high, c->turned - most));
    if (error != 0) relax_angle(world, c, &s, error, now - c->turned);
}

/// Tells whether an anchor is on a particle or a polygon, which have no rotation here.
static bool is_grain(const pv__anchor *g) { return g->particle || g->corners[0]; }

static void lock_angle(pv_world *world, pv__constraint *c, double h) {
    pv__joint_softness s = pv__joint_softness_of(c, h);
    /* max_force limits the push, not the twist. */
    s.least = -PV__BOUNDLESS;
    s.most = PV__BOUNDLESS;
    if (is_grain(&c->a) || is_grain(&c->b)) return;
    double now = turned_now(world, c);
    relax_angle(world, c, &s, now, now - c->turned);
}

static void relax_motor(pv_world *world, pv__constraint *c, double h) {
    pv__joint_softness s = pv__joint_softness_of(c, h);
    double done = turned_now(world, c) - c->turned;
    s.compliance = s.damping = 0;
    relax_angle(world, c, &s, done - c->speed * h, 0);
}

/* ---- positions ---- */

/// Limits a push that moves the anchors by more than PV__JOINT_LONGEST relative to each other.
static pv_vec2 shortened(const pv_world *world, const pv__constraint *c, pv_vec2 push) {
    double size = pv__length(push);
    if (size == 0) return push;
    pv_vec2 n = pv__mul(1 / size, push);
    double moved = size * (pv__anchor_yield(world, &c->a, n) + pv__anchor_yield(world, &c->b, n));
    return moved > PV__JOINT_LONGEST ? pv__mul(PV__JOINT_LONGEST / moved, push) : push;
}

static void joint_push(pv_world *world, pv__constraint *c, pv_vec2 wanted) {
    pv_vec2 push = shortened(world, c, wanted);
    c->push = pv__add(c->push, push);
    pv__anchor_push(world, &c->a, pv__mul(-1, push));
    pv__anchor_push(world, &c->b, push);
}

/// Corrects an error of b's position along one direction. Keeps the substep's total push within
/// bounds.
static void relax_along(pv_world *world, pv__constraint *c, const pv__joint_softness *s, pv_vec2 n,
                        double error, double moved) {
    double yield = pv__anchor_yield(world, &c->a, n) + pv__anchor_yield(world, &c->b, n),
           given = pv__dot(c->push, n);
    double wish = given + joint_wanted(s, error, moved, given, yield);
    joint_push(world, c, pv__mul(pv__clamp(wish, s->least, s->most) - given, n));
}

/// Returns the signed distance to move d along the unit vector n to give it a length. Without a
/// solution, it minimizes the error.
static double way_to(pv_vec2 d, pv_vec2 n, double length) {
    double along = pv__dot(d, n),
           reach = sqrt(pv__max(along * along - pv__dot(d, d) + length * length, 0));
    return along < 0 ? -along - reach : reach - along;
}

/// Returns the current vector from anchor to anchor.
static pv_vec2 gap_now(const pv_world *world, const pv__constraint *c) {
    return pv__sub(pv__anchor_now(world, &c->b), pv__anchor_now(world, &c->a));
}

/// Corrects a length beyond low...high, along the anchors' old line.
static void relax_length(pv_world *world, pv__constraint *c, double h) {
    pv__joint_softness s = pv__joint_softness_of(c, h);
    double low = c->type == PV_JOINT_ROPE ? 0 : c->length - c->grace;
    double high = c->type == PV_JOINT_STRUT ? PV__BOUNDLESS : c->length + c->grace;
    pv_vec2 d = gap_now(world, c), n = c->along;
    double length = pv__length(d), wanted_length = pv__clamp(length, low, high);
    if (wanted_length == length && pv__dot(c->push, n) == 0) return;
    double error = wanted_length == length ? 0 : -way_to(d, n, wanted_length);
    relax_along(world, c, &s, n, error, pv__dot(d, n) - c->began);
}

/// Change of the gap between two anchors per unit of push, as a symmetric matrix.
typedef struct yields {
    double xx, xy, yy;
} yields;

static void add_yields(const pv_world *world, const pv__anchor *g, yields *k) {
    if (g->body >= 0) {
        if (!pv__body_gives(world, g->body)) return;
        const pv__body *b = &world->bodies.items[g->body];
        pv_vec2 r = g->lever;
        k->xx += pv__body_center_yield(b, pv__vec(1, 0)) + r.y * r.y * b->inverse_inertia;
        k->xy -= r.x * r.y * b->inverse_inertia;
        k->yy += pv__body_center_yield(b, pv__vec(0, 1)) + r.x * r.x * b->inverse_inertia;
    } else {
        double w = pv__anchor_particle_yield(world, g);
        k->xx += w;
        k->yy += w;
    }
}

/// Least ratio of the determinant to the squared trace of an invertible matrix
static const double SINGULAR = 1e-12;

/// Solves a system of two equations, with least squares if one direction does not yield.
static pv_vec2 solve(yields k, pv_vec2 v) {
    double det = k.xx * k.yy - k.xy * k.xy, both = k.xx + k.yy;
    if (!(both > 0)) return pv__vec(0, 0);
    /* The gap yields along one direction only. */
    if (!(det > SINGULAR * both * both))
        return pv__mul(1 / (both * both),
                       pv__vec(k.xx * v.x + k.xy * v.y, k.xy * v.x + k.yy * v.y));
    return pv__vec((k.yy * v.x - k.xy * v.y) / det, (k.xx * v.y - k.xy * v.x) / det);
}

static pv_vec2 bounded(pv_vec2 v, double most) {
    double length = pv__length(v);
    return length > most ? pv__mul(most / length, v) : v;
}

/// Returns the part of a gap that exceeds the grace.
static pv_vec2 beyond_grace(pv_vec2 gap, double grace) {
    double length = pv__length(gap);
    return length > grace ? pv__mul(1 - grace / length, gap) : pv__vec(0, 0);
}

/// Moves both anchors to one place.
static void relax_pin(pv_world *world, pv__constraint *c, double h) {
    pv__joint_softness s = pv__joint_softness_of(c, h);
    pv_vec2 now = gap_now(world, c), gap = beyond_grace(now, c->grace);
    pv_vec2 moved = pv__sub(now, c->gap_began);
    pv_vec2 wish = pv__mad(pv__mad(pv__mul(-1, gap), -s.damping, moved), -s.compliance, c->push);
    yields k = {0};
    add_yields(world, &c->a, &k);
    add_yields(world, &c->b, &k);
    k.xx = (1 + s.damping) * k.xx + s.compliance;
    k.xy = (1 + s.damping) * k.xy;
    k.yy = (1 + s.damping) * k.yy + s.compliance;
    joint_push(world, c, pv__sub(bounded(pv__add(c->push, solve(k, wish)), s.most), c->push));
}

/// Corrects an error of a slider along n, a direction of the substep's start; d is the current gap.
static void relax_slider(pv_world *world, pv__constraint *c, double h, pv_vec2 n, pv_vec2 d,
                         double error) {
    pv__joint_softness s = pv__joint_softness_of(c, h);
    relax_along(world, c, &s, n, error, pv__dot(pv__sub(d, c->gap_began), n));
}

/// Moves a slider onto its line.
static void relax_line(pv_world *world, pv__constraint *c, double h) {
    lock_angle(world, c, h);
    pv_vec2 d = gap_now(world, c);
    double off = beyond(pv__dot(d, pv__perp(axis_now(world, c))), -c->grace, c->grace);
    relax_slider(world, c, h, pv__perp(axis_then(world, c)), d, off);
}

/// Moves a slider into its range.
static void relax_range(pv_world *world, pv__constraint *c, double h) {
    pv_vec2 d = gap_now(world, c);
    double along = pv__dot(d, axis_now(world, c)) - c->length;
    double over = beyond(along, c->low - c->grace, c->high + c->grace);
    if (over != 0) relax_slider(world, c, h, axis_then(world, c), d, over);
}

/* ---- all joints ---- */

/// Returns the common end of both levers, for a joint whose anchors should coincide.
static pv_vec2 meeting_of(const pv__constraint *c, pv_vec2 a, pv_vec2 b) {
    if (c->type == PV_JOINT_SLIDER) return b;
    return is_grain(&c->a) ? a : is_grain(&c->b) ? b : pv__lerp(a, b, 0.5);
}

static void set_lever(const pv_world *world, pv__anchor *g, pv_vec2 at) {
    if (g->body >= 0) g->lever = pv__sub(at, pv__body_pose_then(world, g->body).center);
}

/// Reduces the grace of a joint. A length joint without grace returns to the batches.
static void ease(pv_world *world, pv__constraint *c, double h) {
    if (c->grace == 0) return;
    c->grace = pv__max(0, c->grace - PV__EASE * h);
    if (c->grace == 0) world->matter.loose = true;
}

void pv__joint_start(pv_world *world, pv__constraint *c, double h) {
    pv_vec2 a = pv__anchor_then(world, &c->a), b = pv__anchor_then(world, &c->b);
    bool length = c->type <= PV_JOINT_STRUT;
    set_lever(world, &c->a, length ? a : meeting_of(c, a, b));
    set_lever(world, &c->b, length ? b : meeting_of(c, a, b));
    c->gave = c->push;
    c->gave_twist = c->twist;
    c->gave_along = pv__dot(c->push, c->along);
    c->push = pv__vec(0, 0);
    c->twist = 0;
    c->gap_began = pv__sub(b, a);
    c->began = pv__length(c->gap_began);
    c->along = c->began > 0 ? pv__mul(1 / c->began, c->gap_began) : pv__vec(1, 0);
    c->turned = joint_turned(c, turn_then(world, &c->a), turn_then(world, &c->b));
    ease(world, c, h);
}

void pv__joint_relax(pv_world *world, pv__constraint *c, double h) {
    switch (c->type) {
    case PV_JOINT_DISTANCE:
    case PV_JOINT_ROPE:
    case PV_JOINT_STRUT: relax_length(world, c, h); break;
    case PV_JOINT_WELD: lock_angle(world, c, h); /* fall through */
    case PV_JOINT_PIN:
    case PV_JOINT_MOUSE: relax_pin(world, c, h); break;
    case PV_JOINT_ANGLE_LIMIT: relax_angle_limit(world, c, h); break;
    case PV_JOINT_MOTOR: relax_motor(world, c, h); break;
    case PV_JOINT_SLIDER:
        relax_line(world, c, h);
        relax_range(world, c, h);
        break;
    }
}

void pv__joint_relax_range(pv_world *world, pv__constraint *c, double h) {
    if (c->type == PV_JOINT_SLIDER) relax_range(world, c, h);
}

void pv__joint_hold(pv__constraint *c) {
    c->push = pv__held2(c->push);
    c->twist = pv__held(c->twist);
}

double pv__joint_force(const pv__constraint *c, double h) {
    bool turns = c->type == PV_JOINT_ANGLE_LIMIT || c->type == PV_JOINT_MOTOR;
    return (turns ? pv__abs(c->twist) : pv__length(c->push)) / (h * h);
}

/* ---- rows of the direct solver ---- */

int pv__joint_parts(const pv__constraint *c) {
    if (c->max_force > 0 || c->a.corners[0] || c->b.corners[0]) return 0;
    switch (c->type) {
    case PV_JOINT_DISTANCE:
    case PV_JOINT_ROPE:
    case PV_JOINT_STRUT: return PV__PART_LENGTH;
    case PV_JOINT_PIN:
    case PV_JOINT_MOUSE: return PV__PART_X | PV__PART_Y;
    case PV_JOINT_WELD: return PV__PART_X | PV__PART_Y | PV__PART_ANGLE;
    case PV_JOINT_SLIDER: return PV__PART_ACROSS | PV__PART_ANGLE;
    default: return 0;
    }
}

/// Returns the direction of a part at the start of the substep; (0, 0) for an angle.
static pv_vec2 way_of(const pv_world *world, const pv__constraint *c, pv__joint_part part) {
    switch (part) {
    case PV__PART_LENGTH: return c->along;
    case PV__PART_X: return pv__vec(1, 0);
    case PV__PART_Y: return pv__vec(0, 1);
    case PV__PART_ACROSS: return pv__perp(axis_then(world, c));
    default: return pv__vec(0, 0);
    }
}

static pv__joint_lever lever_of(pv_vec2 way, pv_vec2 arm, pv__joint_part part, double sign) {
    double turn = part == PV__PART_ANGLE ? 1 : pv__cross(arm, way);
    return (pv__joint_lever){sign * way.x, sign * way.y, sign * turn};
}

void pv__joint_gives(const pv_world *world, const pv__constraint *c, pv__joint_part part,
                     pv__joint_lever *a, pv__joint_lever *b) {
    pv_vec2 way = way_of(world, c, part);
    *a = lever_of(way, c->a.lever, part, -1);
    *b = lever_of(way, c->b.lever, part, 1);
}

static pv_vec2 arm_now(const pv_world *world, const pv__anchor *g) {
    return g->body >= 0 ? pv__rotate(pv__body_pose_now(world, g->body).turn, g->local)
                        : pv__vec(0, 0);
}

/// Returns the direction of a part's derivative at the current pose. For a length, it is the
/// derivative of the remaining distance along the old direction.
static pv_vec2 felt_way(const pv_world *world, const pv__constraint *c, pv__joint_part part,
                        pv_vec2 d) {
    if (part == PV__PART_ACROSS) return pv__perp(axis_now(world, c));
    if (part != PV__PART_LENGTH) return way_of(world, c, part);
    pv_vec2 there = pv__mad(d, way_to(d, c->along, c->length), c->along);
    double along = pv__dot(there, c->along);
    return along > LEAST_ALONG * c->length ? pv__mul(1 / along, there) : c->along;
}

void pv__joint_feels(const pv_world *world, const pv__constraint *c, pv__joint_part part,
                     pv__joint_lever *a, pv__joint_lever *b) {
    pv_vec2 d = gap_now(world, c), way = felt_way(world, c, part, d);
    *a = lever_of(way, arm_now(world, &c->a), part, -1);
    *b = lever_of(way, arm_now(world, &c->b), part, 1);
    /* The line turns with a. */
    if (part == PV__PART_ACROSS) a->turn += pv__dot(d, pv__perp(way));
}

/// Returns how far a part is from its target, and sets its change in this substep [px], [rad].
static double missing(const pv_world *world, const pv__constraint *c, pv__joint_part part,
                      double *moved) {
    pv_vec2 d = gap_now(world, c);
    double turned = part == PV__PART_ANGLE ? turned_now(world, c) : 0;
    switch (part) {
    case PV__PART_LENGTH:
        *moved = pv__dot(d, c->along) - c->began;
        return way_to(d, c->along, c->length);
    case PV__PART_X: return *moved = d.x - c->gap_began.x, -d.x;
    case PV__PART_Y: return *moved = d.y - c->gap_began.y, -d.y;
    case PV__PART_ACROSS:
        *moved = pv__dot(pv__sub(d, c->gap_began), way_of(world, c, part));
        return -pv__dot(d, pv__perp(axis_now(world, c)));
    default: return *moved = turned - c->turned, -turned;
    }
}

double pv__joint_released(const pv_world *world, const pv__constraint *c, pv__joint_part part) {
    double moved, now = missing(world, c, part, &moved), then = now + moved;
    if (c->type == PV_JOINT_ROPE) {
        now = pv__min(now, 0);
        then = pv__min(then, 0);
    }
    if (c->type == PV_JOINT_STRUT) {
        now = pv__max(now, 0);
        then = pv__max(then, 0);
    }
    return c->stiffness * (then * then - now * now);
}

double pv__joint_given(const pv_world *world, const pv__constraint *c, pv__joint_part part) {
    return part == PV__PART_ANGLE ? c->twist : pv__dot(c->push, way_of(world, c, part));
}

double pv__joint_missing(const pv_world *world, const pv__constraint *c, pv__joint_part part,
                         double h) {
    pv__joint_softness s = pv__joint_softness_of(c, h);
    double moved, error = missing(world, c, part, &moved),
                  most = part == PV__PART_ANGLE ? JOINT_WIDEST : PV__JOINT_LONGEST;
    double soft = error - s.damping * moved - s.compliance * pv__joint_given(world, c, part);
    return pv__clamp(soft / (1 + s.damping), -most, most);
}

double pv__joint_row_softness(const pv__constraint *c, double h) {
    pv__joint_softness s = pv__joint_softness_of(c, h);
    return s.compliance / (1 + s.damping);
}
