/* joint_create.c - creates the usual joints with one call each.
 *
 * Invariant: each joint is the one that pv_joint_create() makes from a definition with the same
 * values. Every refusal names the maker and its parameter.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/math.h"
#include "core/handle.h"
#include "core/report.h"
#include "joint/constraint.h"

#include <float.h>

static pv_joint_def def_of(pv_joint_type type, pv_anchor a, pv_anchor b) {
    pv_joint_def def = pv_joint_def_default();
    def.type = type;
    def.a = a;
    def.b = b;
    return def;
}

/// Checks an end: a living body, or the null id for the world.
static bool check_end(pv_error *e, const pv_world *world, const char *field, pv_body_id body) {
    return (body.index == 0 && body.generation == 0) || pv__check_body(e, world, field, body);
}

/// Checks the world and both ends of a joint between two bodies, or a body and the world.
static bool begin(pv_error *e, const char *function, const pv_world *world, pv_body_id a,
                  pv_body_id b) {
    return pv__world_begin(e, function, world) && check_end(e, world, "a", a) &&
           check_end(e, world, "b", b);
}

/// Checks the world and both anchors of a joint.
static bool begin_anchors(pv_error *e, const char *function, const pv_world *world,
                          const pv_anchor *a, const pv_anchor *b) {
    return pv__world_begin(e, function, world) &&
           pv__constraint_check_anchor(e, world, "a", "a.point", a) &&
           pv__constraint_check_anchor(e, world, "b", "b.point", b);
}

/// Returns the place of a body; for the world, that of the other body, or (0, 0).
static pv_vec2 place_of(const pv_world *world, pv_body_id body, pv_body_id other) {
    const pv__body *b = pv__handle_body(world, body), *o = pv__handle_body(world, other);
    return b ? b->pose.center : o ? o->pose.center : pv__vec(0, 0);
}

/// Creates a joint of two bodies at one point.
static pv_joint_id create_at(const char *function, pv_joint_type type, pv_world *world,
                             pv_body_id a, pv_body_id b, pv_vec2 point) {
    pv_error e;
    pv_joint_def def = def_of(type, pv_anchor_body(a, point), pv_anchor_body(b, point));
    if (pv__world_begin(&e, function, world) &&
        pv__constraint_check_anchor(&e, world, "a", "point", &def.a))
        pv__constraint_check_anchor(&e, world, "b", "point", &def.b);
    return pv__constraint_create(world, &def, &e);
}

/// Returns a definition with anchors at the places of both bodies.
static pv_joint_def between(const pv_world *world, pv_joint_type type, pv_body_id a, pv_body_id b) {
    return def_of(type, pv_anchor_body(a, place_of(world, a, b)),
                  pv_anchor_body(b, place_of(world, b, a)));
}

pv_joint_id pv_joint_create_pin(pv_world *world, pv_body_id a, pv_body_id b, pv_vec2 point) {
    return create_at(__func__, PV_JOINT_PIN, world, a, b, point);
}

pv_joint_id pv_joint_create_weld(pv_world *world, pv_body_id a, pv_body_id b, pv_vec2 point) {
    return create_at(__func__, PV_JOINT_WELD, world, a, b, point);
}

pv_joint_id pv_joint_create_slider(pv_world *world, pv_body_id a, pv_body_id b, pv_vec2 axis,
                                   double lower, double upper) {
    pv_error e;
    bool b_is_world = b.index == 0 && b.generation == 0;
    pv_vec2 place = place_of(world, b, a);
    /* The end that slides is def.b. */
    pv_joint_def def = def_of(PV_JOINT_SLIDER, pv_anchor_body(b_is_world ? b : a, place),
                              pv_anchor_body(b_is_world ? a : b, place));
    def.axis = axis;
    def.lower = lower;
    def.upper = upper;
    if (begin(&e, __func__, world, a, b) && pv__check_vector(&e, "axis", axis, PV_MAX_COORDINATE))
        pv__constraint_check_limits(&e, "lower", lower, "upper", upper);
    return pv__constraint_create(world, &def, &e);
}

pv_joint_id pv_joint_create_angle_limit(pv_world *world, pv_body_id a, pv_body_id b, double lower,
                                        double upper) {
    pv_error e;
    pv_joint_def def = between(world, PV_JOINT_ANGLE_LIMIT, a, b);
    def.lower = lower;
    def.upper = upper;
    if (begin(&e, __func__, world, a, b))
        pv__constraint_check_limits(&e, "lower", lower, "upper", upper);
    return pv__constraint_create(world, &def, &e);
}

pv_joint_id pv_joint_create_motor(pv_world *world, pv_body_id a, pv_body_id b, double speed,
                                  double max_torque) {
    pv_error e;
    pv_joint_def def = between(world, PV_JOINT_MOTOR, a, b);
    def.motor_speed = speed;
    def.max_force = max_torque;
    if (begin(&e, __func__, world, a, b) && pv__check_range(&e, "speed", speed, PV__RANGE_SPIN))
        pv__check_range(&e, "max_torque", max_torque, PV__RANGE_FORCE);
    return pv__constraint_create(world, &def, &e);
}

pv_joint_id pv_joint_create_distance(pv_world *world, pv_anchor a, pv_anchor b) {
    pv_error e;
    pv_joint_def def = def_of(PV_JOINT_DISTANCE, a, b);
    begin_anchors(&e, __func__, world, &a, &b);
    return pv__constraint_create(world, &def, &e);
}

pv_joint_id pv_joint_create_rope(pv_world *world, pv_anchor a, pv_anchor b, double length) {
    pv_error e;
    pv_joint_def def = def_of(PV_JOINT_ROPE, a, b);
    def.length = length;
    if (begin_anchors(&e, __func__, world, &a, &b))
        pv__check_range(&e, "length", length, -DBL_MAX, PV_MAX_COORDINATE);
    return pv__constraint_create(world, &def, &e);
}

/// Sets stiffness and damping of a spring. Anchors that cannot move count as mass 1.
static bool tune(pv_error *e, const pv_world *world, double hertz, double damping_ratio,
                 pv_joint_def *def) {
    double yield = pv__constraint_yield(world, &def->a, &def->b), rate = 2 * PV__PI * hertz;
    double mass = yield > 0 ? 1 / yield : 1;
    def->stiffness = mass * rate * rate;
    def->damping = 2 * damping_ratio * mass * rate;
    if (def->stiffness > PV__MOST_STIFFNESS)
        return pv__error_say(e, PV_ERROR_ARGUMENT, "hertz",
                             "hertz needs a stiffness of %.9g, must be at most %.9g",
                             def->stiffness, PV__MOST_STIFFNESS) == PV_OK;
    return def->damping <= PV__MOST_STIFFNESS ||
           pv__error_say(e, PV_ERROR_ARGUMENT, "damping_ratio",
                         "damping_ratio needs a damping of %.9g, must be at most %.9g",
                         def->damping, PV__MOST_STIFFNESS) == PV_OK;
}

pv_joint_id pv_joint_create_spring(pv_world *world, pv_anchor a, pv_anchor b, double hertz,
                                   double damping_ratio) {
    pv_error e;
    pv_joint_def def = def_of(PV_JOINT_DISTANCE, a, b);
    if (begin_anchors(&e, __func__, world, &a, &b) &&
        pv__check_range(&e, "hertz", hertz, 1e-6, 1e6) &&
        pv__check_range(&e, "damping_ratio", damping_ratio, 0, 1e6))
        tune(&e, world, hertz, damping_ratio, &def);
    return pv__constraint_create(world, &def, &e);
}

pv_joint_id pv_joint_create_mouse(pv_world *world, pv_body_id body, pv_vec2 point) {
    pv_error e;
    pv_joint_def def = def_of(PV_JOINT_MOUSE, pv_anchor_body(body, point), pv_anchor_world(point));
    const pv__body *held =
        pv__world_begin(&e, __func__, world) ? pv__check_body(&e, world, "body", body) : NULL;
    if (held && pv__constraint_check_anchor(&e, world, "body", "point", &def.a))
        def.max_force = 6000 * held->mass; /* 6000 px/s^2 */
    return pv__constraint_create(world, &def, &e);
}
