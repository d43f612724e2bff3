/* body_set.c - changes bodies between two steps.
 *
 * Invariant: a function makes the whole change, or changes nothing and returns the reason. A change
 * of its motion or contacts wakes the body. Numbers that are not finite are refused.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/broad_phase.h"
#include "collide/query_index.h"
#include "collide/wake_near.h"
#include "core/events.h"
#include "core/handle.h"
#include "core/impulse.h"
#include "core/pose.h"
#include "core/report.h"
#include "core/wake.h"
#include "joint/constraint.h"
#include "pixverlet/paper.h"
#include "polygon/polygon.h"
#include "polygon/polygon_motion.h"
#include "world/body.h"

#include <float.h>

static bool velocity_in_range(pv_vec2 velocity, double spin) {
    return pv__placeable(velocity) && pv__within(spin, PV__RANGE_SPIN);
}

static bool check_not_static(pv_error *e, const pv__body *b) {
    return b->type != PV_BODY_STATIC ||
           pv__error_say(e, PV_ERROR_ARGUMENT, "body", "body is static") == PV_OK;
}

/// Checks that a sprite b or a polygon can move.
static bool check_moves(pv_error *e, const pv_world *world, const pv__body *b, int polygon) {
    if (b) return check_not_static(e, b);
    return pv__polygon_mass_of(world, &world->matter.polygons[polygon]).mass > 0 ||
           pv__error_say(e, PV_ERROR_ARGUMENT, "body", "body has only pinned corners") == PV_OK;
}

/// Begins a function that changes a sprite b, or a polygon if b is null, like PV__BEGIN().
#define BEGIN(...)                                                                                 \
    pv_error e;                                                                                    \
    bool begun = pv__handle_begin_any(&e, __func__, world, body);                                  \
    pv__body *b = begun ? pv__handle_body(world, body) : NULL;                                     \
    int polygon = begun && !b ? pv__handle_polygon(world, body) : -1;                              \
    if (!begun || !(__VA_ARGS__)) return pv__refuse(world, &e)
/// Does the same, and first checks that the body can move.
#define BEGIN_TO_MOVE(...) BEGIN(check_moves(&e, world, b, polygon) && (__VA_ARGS__))

/// Returns the vector to a point from the center about which a body turns [px].
static pv_vec2 arm_of(const pv_world *world, pv_body_id body, pv_vec2 point) {
    const pv__body *b = pv__handle_body(world, body);
    return pv__sub(point, b ? b->pose.center
                            : pv__polygon_mass_of(world, pv__polygon_find(world, body)).center);
}

/// Wakes a body and moves it into a pose, with its velocity and angular velocity kept.
static void teleport(pv_world *world, pv__body *b, pv__pose pose) {
    pv__body_disturb(world, b);
    pv_vec2 velocity = pv__pose_velocity(world, b);
    double spin = pv__pose_angular_velocity(world, b);
    pv__wake_near(world, (int)(b - world->bodies.items));
    pv__pose_set(b, pose);
    pv__pose_set_motion(world, b, velocity, spin);
    pv__wake_near(world, (int)(b - world->bodies.items));
    pv__broad_phase_displace(world, (int)(b - world->bodies.items));
    pv__index_update(world, (int)(b - world->bodies.items));
    if (b->joint_count > 0) pv__constraint_ease_all_of(world, 0, (int)(b - world->bodies.items));
    b->settled = false;
}

pv_status pv_body_set_position(pv_world *world, pv_body_id body, pv_vec2 position) {
    BEGIN(pv__check_place(&e, "position", position));
    if (b)
        teleport(world, b, (pv__pose){position, b->pose.turn});
    else
        pv__polygon_move(&e, world, polygon, "position", position, (pv_rotation){1, 0});
    return pv__refuse(world, &e);
}

pv_status pv_body_set_angle(pv_world *world, pv_body_id body, double angle) {
    BEGIN(pv__check_range(&e, "angle", angle, PV__RANGE_SPIN));
    pv_transform t = pv_body_get_transform(world, body);
    pv_rotation to = pv__rotation(angle), by = pv__turn_between(t.rotation, to);
    if (b)
        teleport(world, b, (pv__pose){b->pose.center, to});
    else
        pv__polygon_move(&e, world, polygon, "angle", t.position, by);
    return pv__refuse(world, &e);
}

/// Tells whether contacts supported a body in the last step, and still do after a change of its
/// velocity.
static bool stays_borne(const pv_world *world, const pv__body *b, pv_vec2 change) {
    pv_vec2 pull = pv__body_acceleration(world, b);
    bool borne = b->verlet_dt0 > 0 && b->acceleration.x == 0 && b->acceleration.y == 0;
    return borne && pv__dot(change, pull) >= -0.5 * world->dt * pv__dot(pull, pull);
}

/// Sets the motion of a body. A free body gains half of a substep's acceleration in the next
/// substep. A body that stays supported is held throughout.
static void motion(pv_world *world, pv__body *b, pv_vec2 velocity, double spin) {
    double dt0 =
        stays_borne(world, b, pv__sub(velocity, pv__pose_velocity(world, b))) ? b->verlet_dt0 : 0;
    pv__pose_set_motion(world, b, velocity, spin);
    b->verlet_dt0 = dt0;
}

pv_status pv_body_set_velocity(pv_world *world, pv_body_id body, pv_vec2 velocity) {
    BEGIN_TO_MOVE(pv__check_place(&e, "velocity", velocity));
    if (!b) {
        pv_vec2 gain = pv__sub(velocity, pv_body_get_velocity(world, body));
        pv__polygon_add_motion(&e, world, polygon, "velocity", gain, 0);
        return pv__refuse(world, &e);
    }
    pv__body_wake_for_change(world, b);
    motion(world, b, velocity, pv__pose_angular_velocity(world, b));
    return PV_OK;
}

/// Moves the current position of a body, and keeps its previous one.
static void shift_now(pv_world *world, pv__body *b, pv__pose to) {
    pv__wake_near(world, (int)(b - world->bodies.items));
    pv__pose_set(b, (pv__pose){pv__into_world(to.center), to.turn});
    pv__index_update(world, (int)(b - world->bodies.items));
    pv__wake_near(world, (int)(b - world->bodies.items));
    b->settled = world->solver.ordered = false;
}

pv_status pv_paper_body_set_velocity(pv_world *world, pv_body_id body, pv_vec2 velocity,
                                     pv_paper_shift shift) {
    PV__BEGIN_SPRITE(check_not_static(&e, b) && pv__check_place(&e, "velocity", velocity) &&
                     pv__check_range(&e, "shift", shift, 0, PV_PAPER_SHIFT_CURRENT));
    pv__body_wake_for_change(world, b);
    double spin = pv__pose_angular_velocity(world, b);
    if (shift == PV_PAPER_SHIFT_CURRENT) {
        pv_vec2 change = pv__sub(velocity, pv__pose_velocity(world, b));
        shift_now(world, b, pv__pose_moved(b->pose, pv__mul(world->dt, change), 0));
    }
    motion(world, b, velocity, spin);
    return PV_OK;
}

/// Returns an angular velocity of at most a quarter turn per substep [rad/s].
static double bounded_spin(const pv_world *world, double spin) {
    double most = 0.5 * PV__PI / world->dt;
    return pv__clamp(spin, -most, most);
}

pv_status pv_body_set_angular_velocity(pv_world *world, pv_body_id body, double spin) {
    BEGIN_TO_MOVE(pv__check_range(&e, "angular_velocity", spin, PV__RANGE_SPIN));
    if (!b) {
        double gain = spin - pv_body_get_angular_velocity(world, body);
        pv__polygon_add_motion(&e, world, polygon, "angular_velocity", pv__vec(0, 0), gain);
        return pv__refuse(world, &e);
    }
    pv__body_wake_for_change(world, b);
    motion(world, b, pv__pose_velocity(world, b), bounded_spin(world, spin));
    return PV_OK;
}

/// Returns the vector from a particle of a body to its center [px]; 0 from the center itself.
static pv_vec2 arm_about(const pv__body *b, pv_paper_about about) {
    return about == PV_PAPER_ABOUT_CENTER
               ? pv__vec(0, 0)
               : pv__sub(b->pose.center, b->now[about == PV_PAPER_ABOUT_SECOND]);
}

pv_status pv_paper_body_set_angular_velocity(pv_world *world, pv_body_id body, double spin,
                                             pv_paper_about about) {
    PV__BEGIN_SPRITE(check_not_static(&e, b) &&
                     pv__check_range(&e, "angular_velocity", spin, PV__RANGE_SPIN) &&
                     pv__check_range(&e, "about", about, 0, PV_PAPER_ABOUT_SECOND));
    pv__body_wake_for_change(world, b);
    spin = bounded_spin(world, spin);
    /* The fixed particle keeps its velocity; the center revolves about it. */
    pv_vec2 velocity =
        pv__mad(pv__pose_velocity(world, b), spin - pv__pose_angular_velocity(world, b),
                pv__perp(arm_about(b, about)));
    motion(world, b, velocity, spin);
    return PV_OK;
}

/// Moves the particles to a pose turned by an angle, and keeps their previous positions. Refuses
/// poses outside the world, and motions that are too fast.
static pv_status move_on(pv_error *e, pv_world *world, pv__body *b, pv__pose to, double angle,
                         const char *field) {
    pv_vec2 way = pv__sub(to.center, b->pose.center),
            velocity = pv__mad(pv__pose_velocity(world, b), 1 / world->dt, way);
    double spin = pv__pose_angular_velocity(world, b) + angle / world->dt;
    if (!pv__placeable(to.center) || !velocity_in_range(velocity, 0)) {
        pv__error_say(e, PV_ERROR_ARGUMENT, field, "%s leads out of the world", field);
        return pv__refuse(world, e);
    }
    pv__body_wake_for_change(world, b);
    shift_now(world, b, to);
    motion(world, b, velocity, bounded_spin(world, spin));
    return PV_OK;
}

pv_status pv_paper_body_displace(pv_world *world, pv_body_id body, int particle, pv_vec2 by) {
    PV__BEGIN_SPRITE(check_not_static(&e, b) && pv__check_range(&e, "particle", particle, 0, 1) &&
                     pv__check_place(&e, "by", by));
    pv_vec2 ends[2] = {b->now[0], b->now[1]};
    ends[particle] = pv__add(ends[particle], by);
    pv_vec2 stick = pv__sub(ends[1], ends[0]);
    double length = pv__length(stick);
    if (!(length > PV__NEGLIGIBLE * b->half_stick)) {
        pv__error_say(&e, PV_ERROR_ARGUMENT, "by", "by puts both particles in one place");
        return pv__refuse(world, &e);
    }
    pv_rotation turn = {stick.x / length, stick.y / length};
    pv_rotation by_turn = pv__turn_between(b->pose.turn, turn);
    double angle = pv__atan2(by_turn.s, by_turn.c);
    return move_on(&e, world, b, (pv__pose){pv__lerp(ends[0], ends[1], 0.5), turn}, angle, "by");
}

pv_status pv_paper_body_rotate(pv_world *world, pv_body_id body, double angle,
                               pv_paper_about about) {
    PV__BEGIN_SPRITE(check_not_static(&e, b) &&
                     pv__check_range(&e, "angle", angle, PV__RANGE_SPIN) &&
                     pv__check_range(&e, "about", about, 0, PV_PAPER_ABOUT_SECOND));
    pv_vec2 arm = arm_about(b, about), way = pv__sub(pv__rotate(pv__rotation(angle), arm), arm);
    return move_on(&e, world, b, pv__pose_moved(b->pose, way, angle), angle, "angle");
}

/// Wakes a body and adds to the forces of its next step. The sums stay finite.
static pv_status add_force(pv_error *e, pv_world *world, pv__body *b, int polygon, pv_vec2 force,
                           double torque) {
    if (!b) return pv__polygon_add_force(world, polygon, force, torque), e->status;
    pv__body_wake_for_change(world, b);
    b->force = pv__held2(pv__add(b->force, force));
    b->torque = pv__held(b->torque + torque);
    return PV_OK;
}

/// Changes the linear and angular momentum of a body. It refuses a resulting velocity out of range.
static pv_status add_momentum(pv_error *e, pv_world *world, pv__body *b, int polygon,
                              pv_vec2 linear, double angular) {
    if (!b) {
        pv__polygon_add_momentum(e, world, polygon, linear, angular);
        return pv__refuse(world, e);
    }
    pv_vec2 velocity =
        pv__mad(pv__pose_velocity(world, b), b->inverse_mass, pv__body_unlocked(b, linear));
    double spin = pv__pose_angular_velocity(world, b) + angular * b->inverse_inertia;
    if (!velocity_in_range(velocity, spin)) {
        pv__error_say(e, PV_ERROR_ARGUMENT, "impulse", "impulse makes body faster than %.9g px/s",
                      PV_MAX_COORDINATE);
        return pv__refuse(world, e);
    }
    pv__body_wake_for_change(world, b);
    pv__pose_set_motion(world, b, velocity, spin);
    return PV_OK;
}

/// Defines the functions that apply a force and a torque, or a linear and an angular impulse.
#define APPLY(linear, angular, twist, add)                                                         \
    pv_status pv_body_apply_##linear(pv_world *world, pv_body_id body, pv_vec2 linear) {           \
        BEGIN_TO_MOVE(pv__check_vector(&e, #linear, linear, DBL_MAX));                             \
        return add(&e, world, b, polygon, linear, 0);                                              \
    }                                                                                              \
    pv_status pv_body_apply_##linear##_at(pv_world *world, pv_body_id body, pv_vec2 linear,        \
                                          pv_vec2 point) {                                         \
        BEGIN_TO_MOVE(pv__check_vector(&e, #linear, linear, DBL_MAX) &&                            \
                      pv__check_place(&e, "point", point));                                        \
        return add(&e, world, b, polygon, linear, pv__cross(arm_of(world, body, point), linear));  \
    }                                                                                              \
    pv_status pv_body_apply_##angular(pv_world *world, pv_body_id body, double twist) {            \
        BEGIN_TO_MOVE(pv__check_range(&e, #twist, twist, -DBL_MAX, DBL_MAX));                      \
        return add(&e, world, b, polygon, pv__vec(0, 0), twist);                                   \
    }

APPLY(force, torque, torque, add_force)
APPLY(impulse, angular_impulse, impulse, add_momentum)

/// Defines a function that sets a number of a sprite and then runs the code in more.
#define SET_NUMBER(name, value, more, ...)                                                         \
    pv_status pv_body_set_##name(pv_world *world, pv_body_id body, double value) {                 \
        PV__BEGIN_SPRITE(pv__check_range(&e, #value, value, __VA_ARGS__));                         \
        pv__body_disturb(world, b);                                                                \
        b->name = value;                                                                           \
        more;                                                                                      \
        return PV_OK;                                                                              \
    }

SET_NUMBER(rolling_resistance, rolling_resistance, , PV__RANGE_FRICTION)
SET_NUMBER(gravity_scale, scale, , PV__RANGE_GRAVITY_SCALE)
SET_NUMBER(linear_damping, damping, , PV__RANGE_DAMPING)
SET_NUMBER(angular_damping, damping, , PV__RANGE_DAMPING)
SET_NUMBER(tangent_speed, speed, pv__wake_near(world, (int)(b - world->bodies.items)),
           PV__RANGE_TANGENT_SPEED)

static void put_material(pv_world *world, pv__body *b, int polygon, pv__material material) {
    if (!b) {
        pv__polygon_set_material(world, polygon, material);
        return;
    }
    pv__body_disturb(world, b);
    b->material = material;
}

pv_status pv_body_set_restitution(pv_world *world, pv_body_id body, double restitution) {
    BEGIN(pv__check_range(&e, "restitution", restitution, PV__RANGE_RESTITUTION));
    pv__material m = *pv__body_material(world, body);
    m.restitution = restitution;
    return put_material(world, b, polygon, m), PV_OK;
}

pv_status pv_body_set_friction(pv_world *world, pv_body_id body, double friction) {
    BEGIN(pv__check_range(&e, "friction", friction, 0, PV__MOST_FRICTION / 1.2));
    double held = pv__impulse_static_friction(-1, friction);
    pv__material m = {pv__body_material(world, body)->restitution, held, friction};
    return put_material(world, b, polygon, m), PV_OK;
}

pv_status pv_body_set_static_friction(pv_world *world, pv_body_id body, double static_friction) {
    const pv__material *old = pv__body_material(world, body);
    if (static_friction < 0 && old)
        static_friction = pv__impulse_static_friction(-1, old->kinetic_friction);
    BEGIN(pv__check_range(&e, "static_friction", static_friction, PV__RANGE_FRICTION));
    pv__material m = {old->restitution, static_friction, old->kinetic_friction};
    return put_material(world, b, polygon, m), PV_OK;
}

/// Removes the contacts of a body and wakes its neighbors, because it starts or stops colliding.
static void appear_anew(pv_world *world, pv__body *b) {
    int index = (int)(b - world->bodies.items);
    pv__wake_near(world, index);
    pv__broad_phase_displace(world, index);
    pv__index_update(world, index);
    if (b->joint_count > 0) pv__constraint_wake_all_of(world, 0, index);
    pv__body_drop_contacts(world, index);
    b->settled = false;
    b->island = -1;
    b->awake = b->type != PV_BODY_STATIC && !b->disabled;
    pv__events_note_change(world, b);
    b->stuck = 0;
    pv__wake_forget_rest(b);
}

pv_status pv_body_set_type(pv_world *world, pv_body_id body, pv_body_type type) {
    PV__BEGIN_SPRITE(pv__check_range(&e, "type", type, 0, PV_BODY_DYNAMIC));
    pv__body_disturb(world, b);
    if (b->type == type) return PV_OK;
    b->type = type;
    if (b->joint_count > 0) world->matter.loose = true; /* its joints start or stop moving it */
    pv__body_set_inverses(b);
    if (type == PV_BODY_STATIC) pv__pose_set_motion(world, b, pv__vec(0, 0), 0);
    if (type != PV_BODY_DYNAMIC) b->acceleration = b->force = pv__vec(0, 0), b->torque = 0;
    appear_anew(world, b);
    return PV_OK;
}

pv_status pv_body_set_enabled(pv_world *world, pv_body_id body, bool enabled) {
    PV__BEGIN_SPRITE(true);
    pv__body_disturb(world, b);
    if (b->disabled == !enabled) return PV_OK;
    b->disabled = !enabled;
    b->force = pv__vec(0, 0);
    b->torque = 0;
    appear_anew(world, b);
    if (b->joint_count > 0) {
        world->matter.loose = true; /* its joints start or stop holding it */
        if (enabled) pv__constraint_ease_all_of(world, 0, (int)(b - world->bodies.items));
    }
    return PV_OK;
}

pv_status pv_body_set_mass(pv_world *world, pv_body_id body, double mass) {
    PV__BEGIN_SPRITE(pv__check_range(&e, "mass", mass, PV__RANGE_MASS));
    pv__body_disturb(world, b);
    b->inertia *= mass / b->mass;
    b->mass = mass;
    pv__body_set_inverses(b);
    return PV_OK;
}

pv_status pv_body_set_motion_locks(pv_world *world, pv_body_id body, unsigned locks) {
    PV__BEGIN_SPRITE(pv__check_range(&e, "locks", locks, 0, PV__LOCKS));
    pv__body_disturb(world, b);
    b->locks = locks;
    pv__body_set_inverses(b);
    return PV_OK;
}

pv_status pv_body_set_one_way_normal(pv_world *world, pv_body_id body, pv_vec2 normal) {
    PV__BEGIN_SPRITE(pv__check_place(&e, "normal", normal));
    pv__body_disturb(world, b);
    b->one_way = pv__direction(normal);
    world->manifolds.presolved = true;
    pv__wake_near(world, (int)(b - world->bodies.items));
    return PV_OK;
}

/// Returns the change of smaller magnitude; 0 if the two differ in sign.
static double lesser(double a, double b) {
    if (a * b <= 0) return 0;
    return pv__abs(a) < pv__abs(b) ? a : b;
}

/// Returns the motion of a body in a step with that mean velocity. The velocity changes gradually,
/// as far as it also changed in the step before. A body on a platform thus feels the acceleration
/// of its path, not a jerk at every step. A sudden start or stop stays sudden.
static pv__drive drive_on(const pv_world *world, const pv__drive *last, pv_vec2 velocity,
                          double spin, double dt) {
    pv__drive d = {.step = world->steps + 1, .velocity = velocity, .spin = spin};
    if (last->step != world->steps || last->step == 0) return d;
    d.change = pv__sub(velocity, last->velocity);
    d.turn = spin - last->spin;
    d.acceleration =
        pv__vec(lesser(d.change.x, last->change.x) / dt, lesser(d.change.y, last->change.y) / dt);
    d.twist = lesser(d.turn, last->turn) / dt;
    return d;
}

static bool check_target(pv_error *e, const pv__body *b, pv_vec2 position, double angle,
                         double dt) {
    if (b->type != PV_BODY_KINEMATIC)
        return pv__error_say(e, PV_ERROR_ARGUMENT, "body", "body is not kinematic") == PV_OK;
    return pv__check_place(e, "position", position) &&
           pv__check_range(e, "angle", angle, PV__RANGE_SPIN) &&
           pv__check_range(e, "dt", dt, PV__RANGE_STEP);
}

pv_status pv_body_move_to(pv_world *world, pv_body_id body, pv_vec2 position, double angle,
                          double dt) {
    PV__BEGIN_SPRITE(check_target(&e, b, position, angle, dt));
    pv_vec2 velocity = pv__mul(1 / dt, pv__sub(position, b->pose.center));
    pv_rotation turn = pv__turn_between(b->pose.turn, pv__rotation(angle));
    double spin = pv__atan2(turn.s, turn.c) / dt;
    if (!velocity_in_range(velocity, spin)) {
        pv__error_say(&e, PV_ERROR_ARGUMENT, "position", "position is too far away for dt");
        return pv__refuse(world, &e);
    }
    pv__drive last = b->drive;
    pv__body_disturb(world, b);
    b->drive = drive_on(world, &last, velocity, spin, dt);
    b->loaded = world->steps + 1;
    pv__pose_set_motion(world, b, pv__mad(velocity, -0.5 * dt, b->drive.acceleration),
                        spin - 0.5 * dt * b->drive.twist);
    world->bodies.driven = true;
    return PV_OK;
}

pv_status pv_body_set_filter(pv_world *world, pv_body_id body, pv_filter filter) {
    BEGIN(true);
    if (!b) return pv__polygon_set_filter(world, polygon, filter), PV_OK;
    pv__body_disturb(world, b);
    b->filter = filter;
    world->bodies.filtered = true;
    pv__broad_phase_displace(world, (int)(b - world->bodies.items));
    pv__wake_near(world, (int)(b - world->bodies.items));
    return PV_OK;
}

pv_status pv_body_set_user_data(pv_world *world, pv_body_id body, void *user_data) {
    BEGIN(true);
    *(b ? &b->user_data : &world->matter.polygons[polygon].user_data) = user_data;
    return PV_OK;
}

pv_status pv_body_wake(pv_world *world, pv_body_id body) {
    BEGIN(true);
    if (!b) return pv__wake_polygon(world, polygon), PV_OK;
    pv__body_disturb(world, b);
    return PV_OK;
}
