/* body_set.c - changes bodies between two steps.
 *
 * Invariant: a function changes a body as told, or it changes nothing and returns the reason. A
 * change of its motion or contacts wakes the body. No number that is not finite gets past a
 * function.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "world/body_set.h"
#include "collide/broad_phase.h"
#include "collide/query_index.h"
#include "collide/wake_near.h"
#include "core/events.h"
#include "core/handle.h"
#include "core/impulse.h"
#include "core/pose.h"
#include "core/report.h"
#include "core/wake.h"
#include "core/world_lock.h"
#include "joint/constraint.h"
#include "pixverlet/paper.h"
#include "world/body.h"

#define BODY_SET_REFUSE(world, status) pv__report_refusal(world, __func__, status)

bool pv__body_material_in_range(double restitution, double static_friction,
                                double kinetic_friction) {
    return restitution >= 0 && restitution <= 1 && static_friction >= 0 && static_friction <= 1e6 &&
           kinetic_friction >= 0 && kinetic_friction <= 1e6;
}

bool pv__body_velocity_in_range(pv_vec2 velocity, double spin) {
    return pv__placeable(velocity) && pv__abs(spin) <= 1e6;
}

bool pv__body_damping_in_range(double linear, double angular) {
    return linear >= 0 && linear <= 1e6 && angular >= 0 && angular <= 1e6;
}

void pv__body_set_inverses(pv__body *b) {
    bool dynamic = b->type == PV_BODY_DYNAMIC;
    b->inverse_mass = dynamic ? 1.0 / b->mass : 0;
    b->inverse_inertia = dynamic && !(b->locks & PV_LOCK_ROTATION) ? 1.0 / b->inertia : 0;
}

/// Validates a call. Success leaves the body awake, and ends its requested motion.
static pv_status ready_as_it_is(pv_world *world, pv__body *b, bool in_range, bool finite) {
    pv_status s = pv__world_lock_check(world);
    if (s != PV_OK || !b) return s != PV_OK ? s : PV_ERROR_STALE_ID;
    if (!finite) return PV_ERROR_NOT_FINITE;
    if (!in_range) return PV_ERROR_ARGUMENT;
    b->drive.step = 0;
    pv__wake_body(world, b);
    if (b->joint_count > 0 && b->type != PV_BODY_DYNAMIC)
        pv__constraint_wake_all_of(world, 0, (int)(b - world->bodies.items));
    return PV_OK;
}

/// Does the same as ready_as_it_is(), for data that contacts depend on.
static pv_status body_set_ready(pv_world *world, pv__body *b, bool in_range, bool finite) {
    pv_status s = ready_as_it_is(world, b, in_range, finite);
    if (s == PV_OK) world->solver.ordered = false;
    return s;
}

pv_status pv__body_ready(pv_world *world, pv__body *b) {
    return body_set_ready(world, b, true, true);
}

/// Does the same as ready_as_it_is(), for data of bodies that are not static.
static pv_status body_set_ready_to_move(pv_world *world, pv__body *b, bool in_range, bool finite) {
    return ready_as_it_is(world, b, in_range && b && b->type != PV_BODY_STATIC, finite);
}

/// Moves a body into a pose, with its velocity and angular velocity kept.
static void teleport(pv_world *world, pv__body *b, pv__pose pose) {
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
    pv__body *b = pv__handle_body(world, body);
    pv_status s = body_set_ready(world, b, pv__placeable(position), pv__finite2(position));
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    teleport(world, b, (pv__pose){position, b->pose.turn});
    return PV_OK;
}

pv_status pv_body_set_angle(pv_world *world, pv_body_id body, double angle) {
    pv__body *b = pv__handle_body(world, body);
    pv_status s = body_set_ready(world, b, pv__abs(angle) <= 1e6, pv__finite(angle));
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    teleport(world, b, (pv__pose){b->pose.center, pv__rotation(angle)});
    return PV_OK;
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
static void set_motion(pv_world *world, pv__body *b, pv_vec2 velocity, double spin) {
    double dt0 =
        stays_borne(world, b, pv__sub(velocity, pv__pose_velocity(world, b))) ? b->verlet_dt0 : 0;
    pv__pose_set_motion(world, b, velocity, spin);
    b->verlet_dt0 = dt0;
}

pv_status pv_body_set_velocity(pv_world *world, pv_body_id body, pv_vec2 velocity) {
    pv__body *b = pv__handle_body(world, body);
    bool in_range = pv__body_velocity_in_range(velocity, 0);
    pv_status s = body_set_ready_to_move(world, b, in_range, pv__finite2(velocity));
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    set_motion(world, b, velocity, pv__pose_angular_velocity(world, b));
    return PV_OK;
}

pv_status pv_paper_body_set_velocity(pv_world *world, pv_body_id body, pv_vec2 velocity,
                                     pv_paper_shift shift) {
    pv__body *b = pv__handle_body(world, body);
    bool in_range =
        pv__body_velocity_in_range(velocity, 0) && (unsigned)shift <= PV_PAPER_SHIFT_CURRENT;
    pv_status s = body_set_ready_to_move(world, b, in_range, pv__finite2(velocity));
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    double spin = pv__pose_angular_velocity(world, b);
    if (shift == PV_PAPER_SHIFT_CURRENT) {
        pv_vec2 change = pv__sub(velocity, pv__pose_velocity(world, b));
        pv__pose_set(b, pv__pose_moved(b->pose, pv__mul(world->dt, change), 0));
        pv__index_update(world, (int)(b - world->bodies.items));
        b->settled = world->solver.ordered = false;
    }
    set_motion(world, b, velocity, spin);
    return PV_OK;
}

/// Returns an angular velocity of at most a quarter turn per substep [rad/s].
static double bounded_spin(const pv_world *world, double spin) {
    double most = 0.5 * PV__PI / world->dt;
    return pv__clamp(spin, -most, most);
}

pv_status pv_body_set_angular_velocity(pv_world *world, pv_body_id body, double spin) {
    pv__body *b = pv__handle_body(world, body);
    bool in_range = pv__body_velocity_in_range(pv__vec(0, 0), spin);
    pv_status s = body_set_ready_to_move(world, b, in_range, pv__finite(spin));
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    set_motion(world, b, pv__pose_velocity(world, b), bounded_spin(world, spin));
    return PV_OK;
}

pv_status pv_paper_body_set_angular_velocity(pv_world *world, pv_body_id body, double spin,
                                             pv_paper_about about) {
    pv__body *b = pv__handle_body(world, body);
    bool in_range =
        pv__body_velocity_in_range(pv__vec(0, 0), spin) && (unsigned)about <= PV_PAPER_ABOUT_SECOND;
    pv_status s = body_set_ready_to_move(world, b, in_range, pv__finite(spin));
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    spin = bounded_spin(world, spin);
    pv_vec2 velocity = pv__pose_velocity(world, b);
    if (about !=
        /* the fixed particle keeps its velocity; the center revolves about it */
        PV_PAPER_ABOUT_CENTER) {
        pv_vec2 arm = pv__sub(b->pose.center, b->now[about == PV_PAPER_ABOUT_FIRST ? 0 : 1]);
        velocity = pv__mad(velocity, spin - pv__pose_angular_velocity(world, b), pv__perp(arm));
    }
    set_motion(world, b, velocity, spin);
    return PV_OK;
}

pv_status pv_body_apply_force(pv_world *world, pv_body_id body, pv_vec2 force) {
    pv__body *b = pv__handle_body(world, body);
    pv_status s = body_set_ready_to_move(world, b, true, pv__finite2(force));
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    b->force = pv__add(b->force, force);
    return PV_OK;
}

pv_status pv_body_apply_force_at(pv_world *world, pv_body_id body, pv_vec2 force, pv_vec2 point) {
    pv__body *b = pv__handle_body(world, body);
    pv_status s = body_set_ready_to_move(world, b, pv__placeable(point),
                                         pv__finite2(force) && pv__finite2(point));
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    b->force = pv__add(b->force, force);
    b->torque += pv__cross(pv__sub(point, b->pose.center), force);
    return PV_OK;
}

pv_status pv_body_apply_torque(pv_world *world, pv_body_id body, double torque) {
    pv__body *b = pv__handle_body(world, body);
    pv_status s = body_set_ready_to_move(world, b, true, pv__finite(torque));
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    b->torque += torque;
    return PV_OK;
}

/// Changes the linear and angular momentum of a body. It refuses a velocity out of range.
static pv_status add_momentum(pv_world *world, pv__body *b, pv_vec2 linear, double angular,
                              bool in_range, const char *function) {
    bool finite = pv__finite2(linear) && pv__finite(angular);
    pv_vec2 velocity = {0, 0};
    double spin = 0;
    in_range = in_range && b;
    if (finite && in_range) {
        velocity =
            pv__mad(pv__pose_velocity(world, b), b->inverse_mass, pv__body_unlocked(b, linear));
        spin = pv__pose_angular_velocity(world, b) + angular * b->inverse_inertia;
        in_range = pv__body_velocity_in_range(velocity, spin);
    }
    pv_status s = body_set_ready_to_move(world, b, in_range, finite);
    if (s != PV_OK) return pv__report_refusal(world, function, s);
    pv__pose_set_motion(world, b, velocity, spin);
    return PV_OK;
}

pv_status pv_body_apply_impulse(pv_world *world, pv_body_id body, pv_vec2 impulse) {
    return add_momentum(world, pv__handle_body(world, body), impulse, 0, true, __func__);
}

pv_status pv_body_apply_impulse_at(pv_world *world, pv_body_id body, pv_vec2 impulse,
                                   pv_vec2 point) {
    pv__body *b = pv__handle_body(world, body);
    double angular = b && pv__finite2(point) ? pv__cross(pv__sub(point, b->pose.center), impulse)
                                             : point.x + point.y; /* stays not finite */
    return add_momentum(world, b, impulse, angular, pv__placeable(point), __func__);
}

pv_status pv_body_apply_angular_impulse(pv_world *world, pv_body_id body, double impulse) {
    return add_momentum(world, pv__handle_body(world, body), pv__vec(0, 0), impulse, true,
                        __func__);
}

/// Sets restitution and friction of a body, if all of them are in range.
static pv_status set_surface(pv_world *world, pv__body *b, double restitution,
                             double static_friction, double friction, const char *function) {
    bool finite = pv__finite(restitution) && pv__finite(static_friction) && pv__finite(friction);
    pv_status s = body_set_ready(
        world, b, pv__body_material_in_range(restitution, static_friction, friction), finite);
    if (s != PV_OK) return pv__report_refusal(world, function, s);
    b->restitution = restitution;
    b->static_friction = static_friction;
    b->kinetic_friction = friction;
    return PV_OK;
}

pv_status pv_body_set_restitution(pv_world *world, pv_body_id body, double restitution) {
    pv__body *b = pv__handle_body(world, body);
    return set_surface(world, b, restitution, b ? b->static_friction : 0,
                       b ? b->kinetic_friction : 0, __func__);
}

pv_status pv_body_set_friction(pv_world *world, pv_body_id body, double friction) {
    pv__body *b = pv__handle_body(world, body);
    return set_surface(world, b, b ? b->restitution : 0, pv__impulse_static_friction(-1, friction),
                       friction, __func__);
}

pv_status pv_body_set_static_friction(pv_world *world, pv_body_id body, double static_friction) {
    pv__body *b = pv__handle_body(world, body);
    double friction = b ? b->kinetic_friction : 0;
    return set_surface(world, b, b ? b->restitution : 0,
                       pv__impulse_static_friction(static_friction, friction), friction, __func__);
}

pv_status pv_body_set_rolling_resistance(pv_world *world, pv_body_id body, double lever) {
    pv__body *b = pv__handle_body(world, body);
    pv_status s = body_set_ready(world, b, lever >= 0 && lever <= 1e6, pv__finite(lever));
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    b->rolling_resistance = lever;
    return PV_OK;
}

/// Removes the contacts of a body and wakes its neighbors, because it starts or ceases to collide.
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
    pv__body *b = pv__handle_body(world, body);
    pv_status s = body_set_ready(world, b, (unsigned)type <= PV_BODY_DYNAMIC, true);
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    if (b->type == type) return PV_OK;
    b->type = type;
    if (b->joint_count > 0) world->matter.loose = true; /* its joints start or cease to move it */
    pv__body_set_inverses(b);
    if (type == PV_BODY_STATIC) pv__pose_set_motion(world, b, pv__vec(0, 0), 0);
    if (type != PV_BODY_DYNAMIC) b->acceleration = b->force = pv__vec(0, 0), b->torque = 0;
    appear_anew(world, b);
    return PV_OK;
}

pv_status pv_body_set_enabled(pv_world *world, pv_body_id body, bool enabled) {
    pv__body *b = pv__handle_body(world, body);
    pv_status s = body_set_ready(world, b, true, true);
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    if (b->disabled == !enabled) return PV_OK;
    b->disabled = !enabled;
    b->force = pv__vec(0, 0);
    b->torque = 0;
    appear_anew(world, b);
    if (b->joint_count > 0) {
        world->matter.loose = true; /* its joints start or cease to hold it */
        if (enabled) pv__constraint_ease_all_of(world, 0, (int)(b - world->bodies.items));
    }
    return PV_OK;
}

pv_status pv_body_set_mass(pv_world *world, pv_body_id body, double mass) {
    pv__body *b = pv__handle_body(world, body);
    pv_status s = body_set_ready(world, b, pv__is_mass(mass), pv__finite(mass));
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    b->inertia *= mass / b->mass;
    b->mass = mass;
    pv__body_set_inverses(b);
    return PV_OK;
}

pv_status pv_body_set_gravity_scale(pv_world *world, pv_body_id body, double scale) {
    pv__body *b = pv__handle_body(world, body);
    pv_status s = body_set_ready(world, b, pv__abs(scale) <= 1e3, pv__finite(scale));
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    b->gravity_scale = scale;
    return PV_OK;
}

pv_status pv_body_set_linear_damping(pv_world *world, pv_body_id body, double damping) {
    pv__body *b = pv__handle_body(world, body);
    pv_status s =
        body_set_ready(world, b, pv__body_damping_in_range(damping, 0), pv__finite(damping));
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    b->linear_damping = damping;
    return PV_OK;
}

pv_status pv_body_set_angular_damping(pv_world *world, pv_body_id body, double damping) {
    pv__body *b = pv__handle_body(world, body);
    pv_status s =
        body_set_ready(world, b, pv__body_damping_in_range(0, damping), pv__finite(damping));
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    b->angular_damping = damping;
    return PV_OK;
}

pv_status pv_body_set_motion_locks(pv_world *world, pv_body_id body, unsigned locks) {
    pv__body *b = pv__handle_body(world, body);
    pv_status s = body_set_ready(world, b, locks <= PV__LOCKS, true);
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    b->locks = locks;
    pv__body_set_inverses(b);
    return PV_OK;
}

pv_status pv_body_set_tangent_speed(pv_world *world, pv_body_id body, double speed) {
    pv__body *b = pv__handle_body(world, body);
    pv_status s = body_set_ready(world, b, pv__abs(speed) <= 1e6, pv__finite(speed));
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    b->tangent_speed = speed;
    pv__wake_near(world, (int)(b - world->bodies.items));
    return PV_OK;
}

pv_status pv_body_set_one_way_normal(pv_world *world, pv_body_id body, pv_vec2 direction) {
    pv__body *b = pv__handle_body(world, body);
    pv_status s = body_set_ready(world, b, pv__placeable(direction), pv__finite2(direction));
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    b->one_way = pv__direction(direction);
    world->manifolds.presolved = true;
    pv__wake_near(world, (int)(b - world->bodies.items));
    return PV_OK;
}

/// Returns the angle from one rotation to another, in (-pi, pi] [rad].
static double shorter_way(pv_rotation from, pv_rotation to) {
    return pv__atan2(from.c * to.s - from.s * to.c, from.c * to.c + from.s * to.s);
}

/// Returns the change of smaller magnitude; 0 if the two differ in sign.
static double lesser(double a, double b) {
    if (a * b <= 0) return 0;
    return pv__abs(a) < pv__abs(b) ? a : b;
}

/// Returns the motion of a body in a step with that mean velocity. The velocity changes gradually,
/// as far as it did in the step before, too. A body on a platform thus feels the acceleration of
/// its path, not a jerk at every step. A sudden start or stop stays sudden.
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

pv_status pv_body_move_to(pv_world *world, pv_body_id body, pv_vec2 position, double angle,
                          double dt) {
    pv__body *b = pv__handle_body(world, body);
    bool finite = pv__finite2(position) && pv__finite(angle) && pv__finite(dt);
    bool in_range = b && b->type == PV_BODY_KINEMATIC && pv__placeable(position) &&
                    pv__abs(angle) <= 1e6 && pv__is_step(dt);
    pv_vec2 velocity = {0, 0};
    double spin = 0;
    if (finite && in_range) {
        velocity = pv__mul(1 / dt, pv__sub(position, b->pose.center));
        spin = shorter_way(b->pose.turn, pv__rotation(angle)) / dt;
        in_range = pv__body_velocity_in_range(velocity, spin);
    }
    pv__drive last = b ? b->drive : (pv__drive){0};
    pv_status s = body_set_ready(world, b, in_range, finite);
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    b->drive = drive_on(world, &last, velocity, spin, dt);
    b->loaded = world->steps + 1;
    pv__pose_set_motion(world, b, pv__mad(velocity, -0.5 * dt, b->drive.acceleration),
                        spin - 0.5 * dt * b->drive.twist);
    world->bodies.driven = true;
    return PV_OK;
}

pv_status pv_body_set_filter(pv_world *world, pv_body_id body, pv_filter filter) {
    pv__body *b = pv__handle_body(world, body);
    pv_status s = body_set_ready(world, b, true, true);
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    b->filter = filter;
    world->bodies.filtered = true;
    pv__broad_phase_displace(world, (int)(b - world->bodies.items));
    pv__wake_near(world, (int)(b - world->bodies.items));
    return PV_OK;
}

pv_status pv_body_set_user_data(pv_world *world, pv_body_id body, void *user_data) {
    pv__body *b = pv__handle_body(world, body);
    pv_status s = pv__world_lock_check(world);
    if (s == PV_OK && !b) s = PV_ERROR_STALE_ID;
    if (s != PV_OK) return BODY_SET_REFUSE(world, s);
    b->user_data = user_data;
    return PV_OK;
}

pv_status pv_body_wake(pv_world *world, pv_body_id body) {
    pv__body *b = pv__handle_body(world, body);
    pv_status s = body_set_ready(world, b, true, true);
    return s == PV_OK ? s : BODY_SET_REFUSE(world, s);
}
