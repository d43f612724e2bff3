/* chain.c - builds ropes and bridges along arcs.
 *
 * Invariant: the links of an arc have their lengths up to rounding errors, so nothing along an arc
 * starts under stress.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "build/build.h"
#include "core/handle.h"
#include "joint/constraint.h"

/* ---- arcs ---- */

/// Chain of links, each turned by the same angle from the previous one
typedef struct chain_arc {
    /// Start of the next link
    pv_vec2 at;
    /// Direction of the next link, of length 1
    pv_vec2 way;
    /// Turn from each link to the next
    pv_rotation turn;
} chain_arc;

/// Returns the end of the next link [px], and moves the arc on to it.
static pv_vec2 arc_next(chain_arc *arc, double length) {
    arc->at = pv__mad(arc->at, length, arc->way);
    arc->way = pv__rotate(arc->turn, arc->way);
    return arc->at;
}

/// Returns the end of a chain from the origin along x, each link turned from the previous one [px].
static pv_vec2 arc_end(int count, double length, pv_rotation turn) {
    chain_arc arc = {{0, 0}, {1, 0}, turn};
    for (int i = 0; i < count; i++) arc_next(&arc, length);
    return arc.at;
}

/// Returns the turn from link to link that puts both ends that far apart [rad]. If no turn brings
/// the ends so close, the links make a full circle.
static double arc_turn(int count, double length, double apart) {
    double low = 0, high = 2 * PV__PI / count;
    if (pv__length(arc_end(count, length, pv__rotation(0))) <= apart) return 0;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (pv__length(arc_end(count, length, pv__rotation(middle))) > apart)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/// Returns the chain of links from one point to another, bent to the side of a direction. A chain
/// that is too short is straight.
static chain_arc arc_make(pv_vec2 from, pv_vec2 to, int count, double length, pv_vec2 side) {
    pv_vec2 way = pv__sub(to, from);
    double turn = arc_turn(count, length, pv__length(way));
    if (pv__dot(pv__perp(way), side) > 0) turn = -turn;
    chain_arc arc = {from, {1, 0}, pv__rotation(turn)};
    pv_vec2 end = arc_end(count, length, arc.turn);
    double size = pv__length(way) * pv__length(end);
    if (size > 0) arc.way = pv__vec(pv__dot(end, way) / size, pv__cross(end, way) / size);
    return arc;
}

/* ---- ropes ---- */

pv_rope_def pv_rope_def_default(void) {
    return (pv_rope_def){.segments = 16,
                         .mass = 16,
                         .radius = 1,
                         .linear_damping = 0.3,
                         .filter = pv__filter_everybody(),
                         .cookie = PV__COOKIE};
}

static const pv__field_row rope_fields[] = {
    PV__VECTOR(pv_rope_def, from.point, DBL_MAX),
    PV__VECTOR(pv_rope_def, to.point, DBL_MAX),
    PV__INT(pv_rope_def, segments, 1, 4096),
    PV__DOUBLE(pv_rope_def, slack, 0, 1e6),
    PV__BUILD_RADIUS(pv_rope_def),
    PV__BUILD_DAMPING(pv_rope_def),
    PV__DOUBLE(pv_rope_def, bend_stiffness, PV__RANGE_STIFFNESS),
    PV__DOUBLE(pv_rope_def, break_force, PV__RANGE_FORCE),
};

static bool is_particle(pv_anchor a) { return a.particle.generation != 0; }

/// Checks an anchor, and finds its current place [px].
static bool rope_locate(pv_error *e, const pv_world *world, const char *field,
                        const char *point_field, pv_anchor a, pv_vec2 *at) {
    *at = is_particle(a) ? pv_particle_get_position(world, a.particle) : a.point;
    return pv__constraint_check_anchor(e, world, field, point_field, &a);
}

/// Checks a def, and finds the places of both ends [px].
static bool rope_check_def(pv_error *e, const pv_world *world, const pv_rope_def *def,
                           pv_vec2 *from, pv_vec2 *to) {
    return pv__check_cookie(e, def, def ? def->cookie : 0, "pv_rope_def_default") &&
           rope_locate(e, world, "def.from", "def.from.point", def->from, from) &&
           rope_locate(e, world, "def.to", "def.to.point", def->to, to) &&
           PV__CHECK_FIELDS(e, def, rope_fields) &&
           pv__check_range(e, "def.mass", def->mass, PV__LEAST_MASS * (def->segments + 1),
                           PV__MOST_MASS) &&
           pv__build_check_apart(e, *from, *to);
}

static void pin(pv__build *b, pv_anchor to, pv_anchor from, double break_force) {
    pv_joint_def def = pv_joint_def_default();
    def.type = PV_JOINT_PIN;
    def.a = to;
    def.b = from;
    def.break_force = break_force;
    pv__build_constraint(b, &def);
}

/// Rope under construction
typedef struct strand {
    /// Length of a segment [px]
    double length;
    /// Previous particle, and the one before it
    pv_particle_id last[2];
} strand;

/// Joins the next particle to the previous one, and by a spring to the one before that.
static void rope_tie(pv__build *b, const pv_rope_def *def, const strand *s, pv_particle_id next,
                     int which) {
    pv_joint_def stick = pv__build_stick_def(s->last[0], next),
                 spring = pv__build_stick_def(s->last[1], next);
    stick.length = s->length;
    stick.break_force = def->break_force;
    spring.length = 2 * s->length;
    spring.stiffness = def->bend_stiffness;
    if (which > 0) pv__build_constraint(b, &stick);
    if (which > 1 && def->bend_stiffness > 0) pv__build_constraint(b, &spring);
}

static void make_rope(pv__build *b, const pv_rope_def *def, pv_vec2 from, pv_vec2 to) {
    int n = def->segments;
    strand s = {.length = (1 + def->slack) * pv__length(pv__sub(to, from)) / n};
    chain_arc arc = arc_make(from, to, n, s.length, pv_world_get_gravity(b->world));
    pv_particle_def grain = pv__build_grain(def->radius, def->linear_damping, def->filter);
    for (int i = 0; i <= n; i++) {
        pv_anchor end = i == 0 ? def->from : def->to;
        bool free = i == 0 ? def->from_free : i < n || def->to_free,
             held = is_particle(end) || end.body.generation;
        grain.position = i == 0 ? from : arc_next(&arc, s.length);
        grain.mass = free || held ? def->mass / (n + 1) : 0; /* the world holds it without mass */
        pv_particle_id next = pv__build_particle(b, &grain);
        rope_tie(b, def, &s, next, i);
        if (!free && held) pin(b, end, pv_anchor_particle(next), 0);
        s.last[1] = s.last[0];
        s.last[0] = next;
    }
}

pv_composite_id pv_rope_create(pv_world *world, const pv_rope_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    pv_vec2 from = {0, 0}, to = {0, 0};
    if (pv__check_world(e, world)) rope_check_def(e, world, def, &from, &to);
    pv__build b = pv__build_begin(world, e);
    if (pv__build_good(&b)) make_rope(&b, def, from, to);
    return pv__build_end(&b);
}

/* ---- bridges of sprite planks ----
 *
 * Invariant: at creation, a hinge is at the common end of two planks, where their solid pixels end,
 * at half their height.
 */

pv_bridge_def pv_bridge_def_default(void) {
    return (pv_bridge_def){
        .plank_count = 12, .density = 1, .filter = pv__filter_everybody(), .cookie = PV__COOKIE};
}

static const pv__field_row bridge_fields[] = {
    PV__VECTOR(pv_bridge_def, from, PV_MAX_COORDINATE),
    PV__VECTOR(pv_bridge_def, to, PV_MAX_COORDINATE),
    PV__INT(pv_bridge_def, plank_count, 1, 256),
    PV__DOUBLE(pv_bridge_def, density, 1e-6, 1e6),
    PV__DOUBLE(pv_bridge_def, break_force, PV__RANGE_FORCE),
};

static bool bridge_check_def(pv_error *e, const pv_bridge_def *def) {
    return pv__check_cookie(e, def, def ? def->cookie : 0, "pv_bridge_def_default") &&
           pv__build_check_mask(e, def->mask) && PV__CHECK_FIELDS(e, def, bridge_fields) &&
           pv__build_check_apart(e, def->from, def->to);
}

/// Creates a plank with its middle at a place.
static pv_body_id make_plank(pv__build *b, const pv_bridge_def *def, pv_vec2 middle,
                             pv_rotation way) {
    pv_rect box = pv_mask_compute_bounds(def->mask);
    pv_vec2 own = pv__vec(box.x + box.w / 2.0, box.y + box.h / 2.0);
    pv_vec2 lever = pv__sub(pv_mask_compute_mass(def->mask).centroid, own);
    pv_body_def plank = pv_body_def_default();
    plank.mask = def->mask;
    plank.density = def->density;
    plank.user_data = def->user_data;
    plank.filter = def->filter;
    plank.position = pv__add(middle, pv__rotate(way, lever));
    plank.angle = pv_rotation_get_angle(way);
    return pv__build_body(b, &plank);
}

static void make_bridge(pv__build *b, const pv_bridge_def *def) {
    double width = pv_mask_compute_bounds(def->mask).w,
           reach = pv__length(pv__sub(def->to, def->from));
    double pitch = pv__max(width, reach / def->plank_count);
    chain_arc arc =
        arc_make(def->from, def->to, def->plank_count, pitch, pv_world_get_gravity(b->world));
    pv_anchor last = pv_anchor_world(arc.at);
    for (int i = 0; i < def->plank_count; i++) {
        pv_vec2 start = arc.at;
        pv_rotation way = {arc.way.x, arc.way.y};
        pv_vec2 end = arc_next(&arc, pitch);
        pv_body_id next = make_plank(b, def, pv__lerp(start, end, 0.5), way);
        pin(b, last, pv_anchor_body(next, start), def->break_force);
        last = pv_anchor_body(next, end);
    }
    pin(b, last, pv_anchor_world(arc.at), def->break_force);
}

pv_composite_id pv_bridge_create(pv_world *world, const pv_bridge_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (pv__check_world(e, world)) bridge_check_def(e, def);
    pv__build b = pv__build_begin(world, e);
    if (pv__build_good(&b)) make_bridge(&b, def);
    return pv__build_end(&b);
}
