/* mover.c - moves platform characters: masks that walk, climb, fall and are carried.
 *
 * Invariant: after a call, a mover shares no pixel with a body that can hold it, at the poses of
 * that time. Exceptions are a mover that was put there, and a crushed one. The world changes only
 * at the end of a call, after all queries.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "mover/mover.h"
#include "core/handle.h"
#include "core/pose.h"
#include "core/report.h"
#include "core/world_lock.h"
#include "pixel/overlap.h"

#include <float.h>
#include <string.h>

/// Greatest displacement of a mover in a call [px]
static const double MOVER_FARTHEST = 4096;
/// Difference of speed above which the faster rising of two grounds carries the mover [px/s]
static const double RISES_FASTER = 1;
/// Distances of a mover's body beside and above dynamic bodies [px]. The one above is smaller, so
/// that rounding does not make the mover overlap a body on top of it.
static const double OFF_WALL = 0.49, OFF_GROUND = 0.25;

static bool is_dynamic(const pv_world *world, pv_body_id body) {
    return pv_body_get_type(world, body) == PV_BODY_DYNAMIC;
}

/// Returns the vertical offset of the mover from its pixel on that ground, negative upwards [px].
static double height_over(const pv__walk *w, pv_body_id ground) {
    return w->own >= 0 && is_dynamic(w->world, ground) ? -OFF_GROUND : 0;
}

/* ---- bodies in contact ---- */

typedef struct touched {
    /// Index of the body, or -1
    int index;
    double area;
    pv_vec2 point, velocity;
} touched;

static touched touch_of(const pv__walk *w, const pv__obstacle *o, int x, int y) {
    touched t = {o->index, 1, pv__vec(x + 0.5 * w->bits->w, y + w->bits->h), {0, 0}};
    const pv__sprite *s = &o->sprite;
    pv_overlap shared;
    if (s->upright && pv__bits_overlap(s->bits, w->bits, (int64_t)x - s->rect.x,
                                       (int64_t)y - s->rect.y, &shared)) {
        t.area = (double)shared.area;
        t.point = pv__add(shared.point, pv__vec(s->rect.x, s->rect.y));
    }
    t.velocity = pv__mover_velocity_of(w, t.index, t.point);
    return t;
}

/// Returns the body that blocks a step: the one that shares the most pixels. A ground that rises
/// faster than the others takes precedence.
static touched find_touched(pv__walk *w, int dx, int dy) {
    touched best = {-1, 0, {0, 0}, {0, 0}};
    pv__obstacle *o;
    for (int k = 0; (o = pv__mover_next_hit(w, &k, w->x + dx, w->y + dy));) {
        if (pv__mover_lets_pass(w, o, dx, dy, false)) continue;
        touched t = touch_of(w, o, w->x + dx, w->y + dy);
        double lift = dy > 0 ? best.velocity.y - t.velocity.y : 0;
        bool rises = lift > RISES_FASTER, sinks = lift < -RISES_FASTER;
        if (best.index < 0 || rises || (!sinks && t.area > best.area)) best = t;
    }
    return best;
}

static pv_vec2 surface_velocity(const pv__walk *w, int index, pv_vec2 normal) {
    return pv__mul(pv__mover_tangent_speed(w->world, index), pv__perp(normal));
}

/// Returns the speed down along a slope, with a share of the speed that the game adds [px/s].
static double slide_speed(const pv_mover *was, double speed, double share) {
    double kept = was->sliding ? was->velocity.y : 0;
    return pv__max(kept + share * (speed - kept), 0);
}

static void note_ground(pv__walk *w, pv_mover *m, pv_vec2 velocity) {
    bool leans = w->downhill != 0 && !pv__mover_stands(w) && pv__mover_leans(w, w->downhill);
    touched t = find_touched(w, leans ? -w->downhill : 0, 1);
    /* the velocity is relative to the ground that carries the mover, also to a new one */
    bool rides = t.index == w->ground || (w->mover->grounded && velocity.y >= 0);
    if (t.index < 0 || velocity.y - (rides ? 0 : t.velocity.y) < 0) return;
    pv__slope slope = pv__mover_steepness(w);
    if (leans && slope.downhill == 0) return;
    m->sliding = slope.downhill != 0;
    m->grounded = w->standing = !m->sliding;
    m->ground_normal = m->sliding ? slope.normal : pv__mover_walked_normal(w);
    m->velocity.y = m->sliding ? slide_speed(w->mover, velocity.y, slope.share) : 0;
    if (m->grounded) w->rest.y = 0;
    m->ground = pv__index_handle(w->world, t.index);
    m->ground_velocity = pv__add(t.velocity, surface_velocity(w, t.index, m->ground_normal));
    m->ground_point = t.point;
    m->ground_local_point = pv__mover_local_point(w->world, t.index, t.point);
}

/// Notes ceiling and walls, and returns the body that the mover walks into.
static touched note_sides(pv__walk *w, pv_mover *m) {
    m->hit_wall_left = w->wall < 0;
    m->hit_wall_right = w->wall > 0;
    m->hit_ceiling = w->ceiling;
    if (w->ceiling) m->velocity.y = pv__max(m->velocity.y, 0);
    if (w->wall * m->velocity.x > 0) m->velocity.x = 0;
    touched t = w->wall != 0 ? find_touched(w, w->wall, 0) : (touched){.index = -1};
    if (t.index >= 0) m->wall = pv__index_handle(w->world, t.index);
    return t;
}

/* ---- the call ---- */

/// Entries of the table below
#define MOVER_FIELD(kind, member, min, max)                                                        \
    { offsetof(pv_mover, member), 0, PV__FIELD_##kind, 1, {"mover." #member}, min, max }
#define MOVER_VECTOR(member, most)                                                                 \
    MOVER_FIELD(DOUBLE, member.x, -(most), most), MOVER_FIELD(DOUBLE, member.y, -(most), most)

static const pv__field_row fields[] = {
    MOVER_VECTOR(pivot, PV_MAX_COORDINATE),
    MOVER_VECTOR(position, PV_MAX_COORDINATE),
    MOVER_FIELD(INT, step_height, 0, PV__MOVER_PIXELS),
    MOVER_FIELD(INT, ground_snap, 0, PV__MOVER_PIXELS),
    MOVER_FIELD(INT, max_push_out, 0, PV__MOVER_PIXELS),
    MOVER_FIELD(DOUBLE, max_slope, 0, PV__ALL_SLOPES),
    MOVER_FIELD(DOUBLE, escape_delay, 0, 1e12),
    MOVER_FIELD(DOUBLE, push_force, 0, 1e12),
    MOVER_FIELD(DOUBLE, mass, 0, PV__MOST_MASS),
    MOVER_VECTOR(ground_normal, DBL_MAX),
    MOVER_VECTOR(ground_point, DBL_MAX),
    MOVER_VECTOR(ground_local_point, DBL_MAX),
};

bool pv__mover_check_mask(pv_error *e, const char *field, const pv_mask *mask) {
    return (mask->bits.w > 0 && mask->bits.h > 0) ||
           pv__error_say(e, PV_ERROR_EMPTY, field, "%s is %d x %d pixels large", field,
                         mask->bits.w, mask->bits.h) == PV_OK;
}

/// Checks the mask and the body of a mover.
static bool check_form(pv_error *e, const pv_world *world, const pv_mover *m) {
    const pv__body *own = pv__handle_body(world, m->body);
    if (m->body.index != 0 && !pv__check_alive(e, "mover.body", own, "body")) return false;
    if (own && own->type != PV_BODY_KINEMATIC)
        return pv__error_say(e, PV_ERROR_ARGUMENT, "mover.body",
                             "mover.body is not a kinematic body") == PV_OK;
    if (!own && !m->mask)
        return pv__error_say(e, PV_ERROR_ARGUMENT, "mover.mask",
                             "mover.mask is null, as is mover.body") == PV_OK;
    return pv__mover_check_mask(e, "mover.mask", m->mask ? m->mask : own->pixels->mask);
}

bool pv__mover_check(pv_error *e, const pv_world *world, const pv_mover *m) {
    return pv__check_made(e, "mover", m, m ? m->cookie : 0, "pv_mover_default") &&
           check_form(e, world, m) && PV__CHECK_FIELDS(e, m, fields);
}

static bool check(pv_error *e, const pv_world *world, const pv_mover *m, pv_vec2 velocity,
                  double dt) {
    if (!pv__check_world(e, world) || !pv__mover_check(e, world, m) ||
        !pv__check_vector(e, "velocity", velocity, DBL_MAX) ||
        !pv__check_range(e, "dt", dt, PV__RANGE_STEP))
        return false;
    return (pv__abs(velocity.x * dt) <= MOVER_FARTHEST &&
            pv__abs(velocity.y * dt) <= MOVER_FARTHEST) ||
           pv__error_say(e, PV_ERROR_ARGUMENT, "velocity",
                         "velocity leads more than %.9g px along an axis in dt",
                         MOVER_FARTHEST) == PV_OK;
}

pv_mover pv_mover_default(void) {
    return (pv_mover){.filter = {1, 0xffffffff, 0},
                      .step_height = 4,
                      .ground_snap = 4,
                      .max_push_out = 16,
                      .max_slope = PV__ALL_SLOPES,
                      .escape_delay = 0.25,
                      .ground_normal = {0, -1},
                      .cookie = PV__COOKIE};
}

/// Moves the mover by the displacement of its ground since the last call.
static void carry(pv__walk *w) {
    if (w->ground < 0) return;
    pv_body_id ground = pv__index_handle(w->world, w->ground);
    pv_vec2 now = pv__add(
        pv_body_get_position(w->world, ground),
        pv__rotate(pv_body_get_transform(w->world, ground).rotation, w->mover->ground_local_point));
    pv_vec2 way = pv__sub(now, w->mover->ground_point);
    if (!(pv__abs(way.x) <= PV__CARRIED && pv__abs(way.y) <= PV__CARRIED)) return;
    w->carried = true;
    pv__mover_travel(w, way);
    w->carried = w->standing = w->ceiling = false;
    w->wall = 0;
}

/// Tells whether a body under a rising mover rises faster. The mover then moves with the body,
/// without a speed of its own.
static bool is_caught_up(pv__walk *w, pv_vec2 velocity) {
    if (w->ground >= 0 || velocity.y >= 0) return false;
    touched t = find_touched(w, 0, 1);
    return t.index >= 0 && t.velocity.y <= velocity.y;
}

/// Moves the mover out of overlapping bodies. A mover that was crushed for escape_delay moves to
/// the nearest free place.
/// @return true if it escaped to a place farther away
static bool get_out(pv__walk *w, pv_mover *m) {
    double time = m->crushed ? m->crush_time : 0;
    bool was_crushed = m->crushed, out = pv__mover_push_out(w);
    bool escaped = !out && time + 0.5 * w->dt >= m->escape_delay && pv__mover_escape(w);
    m->crushed = w->crushed = !out && !escaped;
    m->crush_began = m->crushed && !was_crushed;
    m->crush_ended = !m->crushed && was_crushed;
    m->crush_time = m->crushed ? time + w->dt : 0;
    return escaped;
}

/// Starts a slide down a slope that is too steep, at the speed of the slide.
static void start_slide(pv__walk *w, pv_vec2 *velocity) {
    const pv_mover *was = w->mover;
    int downhill = was->sliding ? (was->ground_normal.x > 0) - (was->ground_normal.x < 0) : 0;
    if (!w->limited || velocity->y < 0 || !(pv__mover_stands(w) || pv__mover_leans(w, downhill)))
        return;
    pv__slope slope = pv__mover_steepness(w);
    w->downhill = slope.downhill;
    if (slope.downhill != 0) velocity->y = slide_speed(was, velocity->y, slope.share);
}

static void mover_go(pv__walk *w, pv_vec2 velocity) {
    const pv_mover *m = w->mover;
    double belt = 0;
    if (w->ground >= 0) belt = surface_velocity(w, w->ground, m->ground_normal).x;
    if (w->standing && pv__mover_follow(w, pv__later(m->ground_snap, 1)))
        w->rest.y = height_over(w, m->ground);
    if (is_caught_up(w, velocity)) velocity.y = 0;
    start_slide(w, &velocity);
    belt = pv__clamp(belt * w->dt, -PV__CARRIED, PV__CARRIED);
    pv__mover_travel(w, pv__vec(velocity.x * w->dt + belt, velocity.y * w->dt));
}

/// Sets the position of the mover. Corrects one that rounding puts on the edge to the next pixel.
static void settle_position(const pv__walk *w, pv_mover *m) {
    const double half = 0.5 - 0x1p-26;
    int x, y;
    pv_vec2 exact = pv__add(pv__vec(w->x, w->y), m->pivot);
    m->position = pv__add(exact, w->rest);
    pv__mover_pixel_of(m, &x, &y);
    if (x != w->x) m->position.x = exact.x + pv__clamp(w->rest.x, -half, half);
    if (y != w->y) m->position.y = exact.y + pv__clamp(w->rest.y, -half, half);
}

/// Pushes the wall with a force that makes it no faster than the mover in a step.
static pv_status push_wall(pv_world *world, const pv_mover *m, const touched *t, double speed,
                           double dt) {
    if (!is_dynamic(world, m->wall) || m->push_force == 0) return PV_OK;
    double wanted = pv_body_get_mass(world, m->wall) * (speed - t->velocity.x) / dt;
    double force = m->hit_wall_right ? pv__clamp(wanted, 0, m->push_force)
                                     : pv__clamp(wanted, -m->push_force, 0);
    return force != 0 ? pv_body_apply_force_at(world, m->wall, pv__vec(force, 0), t->point) : PV_OK;
}

static pv_status load_ground(pv_world *world, const pv_mover *m) {
    if (!is_dynamic(world, m->ground) || m->mass == 0) return PV_OK;
    return pv_body_apply_force_at(world, m->ground, pv__mul(m->mass, world->def.gravity),
                                  m->ground_point);
}

/// Keeps a mover off dynamic bodies that hold it, within its pixel. Otherwise rounding could make
/// its body press them, with the strength of a kinematic body.
static void keep_off(pv__walk *w, const pv_mover *m) {
    if (w->own < 0) return;
    if (is_dynamic(w->world, m->wall)) w->rest.x = -w->wall * OFF_WALL;
    if (m->grounded) w->rest.y = height_over(w, m->ground);
}

static bool near(pv_vec2 a, pv_vec2 b, double by) {
    return pv__abs(a.x - b.x) <= by && pv__abs(a.y - b.y) <= by;
}

/// Tells whether a body is at rest at a place and stays there.
static bool rests_at(const pv_world *world, const pv__body *b, pv_vec2 place) {
    pv_vec2 velocity = pv__pose_velocity(world, b);
    bool still = b->drive.step == world->steps || (velocity.x == 0 && velocity.y == 0);
    return still && near(b->pose.center, place, 1e-9) && b->pose.turn.s == 0;
}

/// Moves the mover's body to the mover, from the mover's old place or the place of its escape. A
/// body that is already there stays at rest. It leaves a dynamic ground one step later, because on
/// its way down it would push the edge.
static pv_status mover_drive(pv_world *world, const pv_mover *was, const pv_mover *m, double dt) {
    const pv__body *b = pv__handle_body(world, m->body);
    if (!b) return PV_OK;
    pv_vec2 arm = pv__sub(b->pixels->pivot, m->pivot), from = pv__add(was->position, arm),
            to = pv__add(m->position, arm);
    if (!pv__placeable(from) || !pv__placeable(to)) return PV_ERROR_ARGUMENT;
    bool leaves = was->grounded && !m->grounded && is_dynamic(world, was->ground);
    if (leaves && to.y > b->pose.center.y) to.y = pv__max(b->pose.center.y, to.y - PV__PIXEL_ROOM);
    pv_status s = PV_OK;
    if (!near(b->pose.center, from, PV__PIXEL_ROOM)) s = pv_body_set_position(world, m->body, from);
    return s == PV_OK && !rests_at(world, b, to) ? pv_body_move_to(world, m->body, to, 0, dt) : s;
}

/// Clears the results of the last call.
static void clear(pv_mover *m) {
    m->grounded = m->sliding = m->hit_ceiling = m->hit_wall_left = m->hit_wall_right = false;
    m->ground = m->wall = (pv_body_id){0, 0};
    m->ground_normal = pv__vec(0, -1);
    m->ground_velocity = pv__vec(0, 0);
}

/// Moves the mover through the whole call, in which the world is only read. *wall gets the body
/// that it walks into.
/// @return true if it escaped
static bool take_way(pv__walk *w, pv_mover *m, touched *wall) {
    pv_vec2 velocity = w->velocity;
    carry(w);
    w->standing = w->mover->grounded && velocity.y >= 0;
    bool escaped = get_out(w, m);
    m->velocity = m->crushed ? pv__vec(0, 0) : velocity;
    if (!m->crushed) mover_go(w, velocity);
    note_ground(w, m, velocity);
    *wall = note_sides(w, m);
    memcpy(m->passing, w->passing, sizeof w->passing);
    return escaped;
}

pv_status pv_mover_move(pv_world *world, pv_mover *mover, pv_vec2 velocity, double dt) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    if (!check(e, world, mover, velocity, dt)) return pv__refuse(world, e);
    pv__walk w;
    pv__world_lock busy;
    pv_mover m = *mover, was = m;
    touched wall;
    clear(&m);
    pv__world_lock_begin(&busy, world);
    pv__mover_start(&w, world, &was, velocity, dt);
    if (!was.grounded) pv__mover_board(&w, &was);
    bool escaped = take_way(&w, &m, &wall);
    pv__world_lock_end(&busy);
    keep_off(&w, &m);
    settle_position(&w, &m);
    if (!pv__check_place(e, "mover.position", m.position)) return pv__refuse(world, e);
    pv_status s = mover_drive(world, escaped ? &m : mover, &m, dt);
    if (s == PV_OK) s = push_wall(world, &m, &wall, velocity.x + m.ground_velocity.x, dt);
    if (s == PV_OK) s = load_ground(world, &m);
    if (s != PV_OK) {
        pv__error_say(e, s, "mover.body", "mover.body cannot follow or push: %s",
                      pv_status_to_string(s));
        return pv__refuse(world, e);
    }
    *mover = m;
    return PV_OK;
}
