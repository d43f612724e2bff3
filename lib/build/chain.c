/* chain.c - ropes, bridges and robotic arms, and the arcs of their chains.
 *
 * Invariant: the links of an arc have their lengths within rounding errors, so nothing along an arc
 * starts under stress.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "build/build.h"

/* ---- arcs ---- */

/// Returns the end of a chain from the origin along x, each link turned from the previous one [px].
static pv_vec2 arc_end(int count, const double *lengths, double length, pv_rotation turn) {
    pv_vec2 end = {0, 0}, way = {1, 0};
    for (int i = 0; i < count; i++) {
        end = pv__mad(end, lengths ? lengths[i] : length, way);
        way = pv__rotate(turn, way);
    }
    return end;
}

/// Returns the turn from link to link that puts both ends that far apart [rad]. The links make a
/// full circle if their ends are always farther apart.
static double arc_turn(int count, const double *lengths, double length, double apart) {
    double low = 0, high = 2 * PV__PI / count;
    if (pv__length(arc_end(count, lengths, length, pv__rotation(0))) <= apart) return 0;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (pv__length(arc_end(count, lengths, length, pv__rotation(middle))) > apart)
            low = middle;
        else
            high = middle;
    }
    return high;
}

pv__arc pv__build_arc_make(pv_vec2 from, pv_vec2 to, int count, const double *lengths,
                           double length, pv_vec2 side) {
    pv_vec2 way = pv__sub(to, from);
    double turn = arc_turn(count, lengths, length, pv__length(way));
    if (pv__dot(pv__perp(way), side) > 0) turn = -turn;
    pv__arc arc = {from, {1, 0}, pv__rotation(turn)};
    pv_vec2 end = arc_end(count, lengths, length, arc.turn);
    double size = pv__length(way) * pv__length(end);
    if (size > 0) arc.way = (pv_rotation){pv__dot(end, way) / size, pv__cross(end, way) / size};
    return arc;
}

pv_vec2 pv__build_arc_next(pv__arc *arc, double length) {
    arc->at = pv__mad(arc->at, length, pv__vec(arc->way.c, arc->way.s));
    pv_vec2 way = pv__rotate(arc->turn, pv__vec(arc->way.c, arc->way.s));
    arc->way = (pv_rotation){way.x, way.y};
    return arc->at;
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

static pv__stuff rope_stuff_of(const pv_rope_def *def) {
    pv_particle_def usual = pv_particle_def_default();
    return (pv__stuff){def->radius,           def->linear_damping, usual.restitution,
                       usual.static_friction, usual.friction,      def->filter};
}

static pv_status rope_check_def(const pv_rope_def *def) {
    if (!def || def->cookie != PV__COOKIE) return PV_ERROR_ARGUMENT;
    const double numbers[] = {def->from.point.x, def->from.point.y,   def->to.point.x,
                              def->to.point.y,   def->slack,          def->mass,
                              def->radius,       def->linear_damping, def->bend_stiffness,
                              def->break_force};
    if (!PV__ALL_FINITE(numbers)) return PV_ERROR_NOT_FINITE;
    int segments = def->segments;
    bool in_range = segments >= 1 && segments <= 4096 && pv__build_in_range(def->slack, 0, 1e6) &&
                    pv__build_in_range(def->mass, PV__LEAST_MASS * (segments + 1), PV__MOST_MASS) &&
                    pv__build_stuff_in_range(rope_stuff_of(def)) &&
                    pv__build_in_range(def->bend_stiffness, 0, PV__MOST_FORCE) &&
                    pv__build_in_range(def->break_force, 0, PV__MOST_FORCE);
    return in_range ? PV_OK : PV_ERROR_ARGUMENT;
}

static bool is_particle(pv_anchor a) { return a.particle.generation != 0; }
static bool rope_is_body(pv_anchor a) { return !is_particle(a) && a.body.generation != 0; }
static bool rope_is_polygon(pv_anchor a) {
    return !is_particle(a) && !rope_is_body(a) && a.polygon.generation != 0;
}

/// Finds the current place of an anchor [px].
static pv_status locate(const pv_world *world, pv_anchor a, pv_vec2 *at) {
    bool stale = is_particle(a)    ? !pv_particle_is_valid(world, a.particle)
                 : rope_is_body(a) ? !pv_body_is_valid(world, a.body)
                                   : rope_is_polygon(a) && !pv_polygon_is_valid(world, a.polygon);
    *at = is_particle(a) ? pv_particle_get_position(world, a.particle) : a.point;
    return stale ? PV_ERROR_STALE_ID : pv__placeable(*at) ? PV_OK : PV_ERROR_ARGUMENT;
}

/// Tells whether the world holds an end, which then has no mass.
static bool is_fast(pv_anchor a, bool free) {
    return !free && !is_particle(a) && !rope_is_body(a) && !rope_is_polygon(a);
}

/// Pins an end to its body, polygon or particle, if it has one.
static void pin_end(pv__build *b, pv_particle_id end, pv_anchor to, bool free) {
    if (free || is_fast(to, free)) return;
    pv_joint_def def = pv_joint_def_default();
    def.type = PV_JOINT_PIN;
    def.a = to;
    def.b = pv_anchor_particle(end);
    pv__build_constraint(b, &def);
}

/// Rope under construction
typedef struct strand {
    /// Length of a segment [px]
    double length;
    /// Previous particle, and the one before it
    pv_particle_id last[2];
} strand;

/// Joins the next particle to the previous one, and with a spring to the one before that.
static void rope_tie(pv__build *b, const pv_rope_def *def, const strand *s, pv_particle_id next,
                     int which) {
    pv_joint_def stick = pv_joint_def_default(), spring = stick;
    stick.a = pv_anchor_particle(s->last[0]);
    stick.length = s->length;
    stick.break_force = def->break_force;
    spring.a = pv_anchor_particle(s->last[1]);
    spring.length = 2 * s->length;
    spring.stiffness = def->bend_stiffness;
    stick.b = spring.b = pv_anchor_particle(next);
    if (which > 0) pv__build_constraint(b, &stick);
    if (which > 1 && def->bend_stiffness > 0) pv__build_constraint(b, &spring);
}

static void make_rope(pv__build *b, const pv_rope_def *def, pv_vec2 from, pv_vec2 to) {
    int n = def->segments;
    strand s = {.length = (1 + def->slack) * pv__length(pv__sub(to, from)) / n};
    pv__arc arc = pv__build_arc_make(from, to, n, NULL, s.length, pv_world_get_gravity(b->world));
    pv_particle_def grain = pv__build_stuff_def(rope_stuff_of(def));
    for (int i = 0; i <= n; i++) {
        bool fast = (i == 0 && is_fast(def->from, def->from_free)) ||
                    (i == n && is_fast(def->to, def->to_free));
        grain.position = i == 0 ? from : pv__build_arc_next(&arc, s.length);
        grain.mass = fast ? 0 : def->mass / (n + 1);
        pv_particle_id next = pv__build_particle(b, &grain);
        rope_tie(b, def, &s, next, i);
        if (i == 0) pin_end(b, next, def->from, def->from_free);
        if (i == n) pin_end(b, next, def->to, def->to_free);
        s.last[1] = s.last[0];
        s.last[0] = next;
    }
}

pv_composite_id pv_rope_create(pv_world *world, const pv_rope_def *def, pv_error *error) {
    pv_status outcome = world ? rope_check_def(def) : PV_ERROR_ARGUMENT;
    pv_vec2 from = {0, 0}, to = {0, 0};
    if (outcome == PV_OK) outcome = locate(world, def->from, &from);
    if (outcome == PV_OK) outcome = locate(world, def->to, &to);
    if (outcome == PV_OK && from.x == to.x && from.y == to.y) outcome = PV_ERROR_ARGUMENT;
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (pv__check_world(e, world)) pv__error_set(e, outcome);
    pv__build b = pv__build_begin(world, e);
    if (pv__build_good(&b)) make_rope(&b, def, from, to);
    return pv__build_end(&b);
}

/* ---- bridges of sprite planks ----
 *
 * Invariant: a hinge is at the common end of two planks at their creation, where their solid pixels
 * end, at half of their height.
 */

enum { MOST_PLANKS = 256 };

pv_bridge_def pv_bridge_def_default(void) {
    return (pv_bridge_def){
        .plank_count = 12, .density = 1, .filter = pv__filter_everybody(), .cookie = PV__COOKIE};
}

static pv_status bridge_check_def(const pv_bridge_def *def) {
    if (!def || def->cookie != PV__COOKIE || !def->mask) return PV_ERROR_ARGUMENT;
    const double numbers[] = {def->from.x, def->from.y,  def->to.x,
                              def->to.y,   def->density, def->break_force};
    if (!PV__ALL_FINITE(numbers)) return PV_ERROR_NOT_FINITE;
    bool in_range = pv__placeable(def->from) && pv__placeable(def->to) && def->plank_count >= 1 &&
                    def->plank_count <= MOST_PLANKS &&
                    pv__build_in_range(def->density, 1e-6, 1e6) &&
                    pv__build_in_range(def->break_force, 0, PV__MOST_FORCE);
    bool same = def->from.x == def->to.x && def->from.y == def->to.y;
    if (!in_range || same) return PV_ERROR_ARGUMENT;
    return pv_mask_count_pixels(def->mask) == 0 ? PV_ERROR_EMPTY : PV_OK;
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

/// Creates a hinge.
/// @param left,right planks that it joins; the null handle is the world
static void make_hinge(pv__build *b, const pv_bridge_def *def, pv_body_id left, pv_body_id right,
                       pv_vec2 at) {
    pv_joint_def hinge = pv_joint_def_default();
    hinge.type = PV_JOINT_PIN;
    hinge.a = pv_anchor_body(left, at);
    hinge.b = pv_anchor_body(right, at);
    hinge.break_force = def->break_force;
    pv__build_constraint(b, &hinge);
}

static void make_bridge(pv__build *b, const pv_bridge_def *def) {
    double width = pv_mask_compute_bounds(def->mask).w,
           reach = pv__length(pv__sub(def->to, def->from));
    double pitch = pv__max(width, reach / def->plank_count);
    pv__arc arc = pv__build_arc_make(def->from, def->to, def->plank_count, NULL, pitch,
                                     pv_world_get_gravity(b->world));
    pv_body_id last = {0, 0};
    for (int i = 0; i < def->plank_count; i++) {
        pv_vec2 start = arc.at;
        pv_rotation way = arc.way;
        pv_vec2 end = pv__build_arc_next(&arc, pitch);
        pv_body_id next = make_plank(b, def, pv__lerp(start, end, 0.5), way);
        make_hinge(b, def, last, next, start);
        last = next;
    }
    make_hinge(b, def, last, (pv_body_id){0, 0}, arc.at);
}

pv_composite_id pv_bridge_create(pv_world *world, const pv_bridge_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (pv__check_world(e, world))
        pv__error_set(e, world ? bridge_check_def(def) : PV_ERROR_ARGUMENT);
    pv__build b = pv__build_begin(world, e);
    if (pv__build_good(&b)) make_bridge(&b, def);
    return pv__build_end(&b);
}

/* ---- robotic arms ----
 *
 * Invariant: an arm is created with its hand at the target, or as near as its limbs allow. It is
 * never under stress at its creation.
 */

enum { MOST_LIMBS = 32 };

/// Drag of an arm's particles, so that it moves like a machine and not like a rope [1/s]
static const double DRAG = 8;
/// Rate of the damped spring that drags the hand, for the mass of the whole arm [1/s]. Gravity
/// takes the hand off by a twentieth of a pixel at this rate.
static const double RATE = 60;

pv_arm_def pv_arm_def_default(void) {
    return (pv_arm_def){.mass = 1, .max_force = 20000, .cookie = PV__COOKIE};
}

static pv_status check_lengths(const double *lengths, int count) {
    for (int i = 0; i < count; i++) {
        if (!pv__finite(lengths[i])) return PV_ERROR_NOT_FINITE;
        if (!pv__build_in_range(lengths[i], 1e-3, 1e5)) return PV_ERROR_ARGUMENT;
    }
    return PV_OK;
}

static pv_status arm_check_def(const pv_arm_def *def) {
    if (!def || def->cookie != PV__COOKIE) return PV_ERROR_ARGUMENT;
    const double numbers[] = {def->base.x,   def->base.y, def->target.x,
                              def->target.y, def->mass,   def->max_force};
    if (!PV__ALL_FINITE(numbers)) return PV_ERROR_NOT_FINITE;
    bool in_range = pv__placeable(def->base) && pv__placeable(def->target) && def->lengths &&
                    def->length_count >= 1 && def->length_count <= MOST_LIMBS &&
                    pv__build_in_range(def->mass, PV__LEAST_MASS, PV__MOST_MASS) &&
                    pv__build_in_range(def->max_force, 1e-9, PV__MOST_FORCE);
    return in_range ? check_lengths(def->lengths, def->length_count) : PV_ERROR_ARGUMENT;
}

static void make_arm(pv__build *b, const pv_arm_def *def) {
    pv__arc arc = pv__build_arc_make(def->base, def->target, def->length_count, def->lengths, 0,
                                     pv__vec(0, -1));
    pv_particle_def joint = pv_particle_def_default();
    joint.linear_damping = DRAG;
    joint.mass = 0;
    joint.collides = false;
    joint.position = def->base;
    pv_particle_id last = pv__build_particle(b, &joint);
    joint.mass = def->mass;
    for (int i = 0; i < def->length_count; i++) {
        joint.position = pv__build_arc_next(&arc, def->lengths[i]);
        pv_particle_id next = pv__build_particle(b, &joint);
        pv__build_stick(b, last, next, 0, 0);
        last = next;
    }
    pv_joint_def drag = pv_joint_def_default();
    drag.type = PV_JOINT_MOUSE;
    drag.a = pv_anchor_particle(last);
    drag.b = pv_anchor_world(def->target);
    drag.stiffness = def->length_count * def->mass * RATE * RATE;
    drag.damping = 2 * def->length_count * def->mass * RATE;
    drag.max_force = def->max_force;
    pv__build_constraint(b, &drag);
}

pv_composite_id pv_arm_create(pv_world *world, const pv_arm_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (pv__check_world(e, world)) pv__error_set(e, world ? arm_check_def(def) : PV_ERROR_ARGUMENT);
    pv__build b = pv__build_begin(world, e);
    if (pv__build_good(&b)) make_arm(&b, def);
    return pv__build_end(&b);
}
