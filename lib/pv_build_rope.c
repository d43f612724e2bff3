/* pv_build_rope.c - ropes, and the arcs in which chains are laid.
 *
 * Invariant: an arc's links have their lengths to rounding, so nothing that is laid along one starts under stress.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_build.h"

/* ---- arcs ---- */

/// Where a chain ends that starts at the origin along x, each link turned by turn from the one before.
static pv_vec2 arc_end(int count, const double *lengths, double length, pv_rotation turn) {
    pv_vec2 end = {0, 0}, way = {1, 0};
    for (int i = 0; i < count; i++) {
        end = pv__mad(end, lengths ? lengths[i] : length, way);
        way = pv__rotate(turn, way);
    }
    return end;
}

/// By how much the links turn until both ends are so far apart, or a whole turn when they always are farther [rad].
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

pv__arc pv__arc_make(pv_vec2 from, pv_vec2 to, int count, const double *lengths, double length, pv_vec2 side) {
    pv_vec2 way = pv__sub(to, from);
    double turn = arc_turn(count, lengths, length, pv__length(way));
    if (pv__dot(pv__perp(way), side) > 0) turn = -turn;
    pv__arc arc = {from, {1, 0}, pv__rotation(turn)};
    pv_vec2 end = arc_end(count, lengths, length, arc.turn);
    double size = pv__length(way) * pv__length(end);
    if (size > 0) arc.way = (pv_rotation){pv__dot(end, way) / size, pv__cross(end, way) / size};
    return arc;
}

pv_vec2 pv__arc_next(pv__arc *arc, double length) {
    arc->at = pv__mad(arc->at, length, pv__vec(arc->way.c, arc->way.s));
    pv_vec2 way = pv__rotate(arc->turn, pv__vec(arc->way.c, arc->way.s));
    arc->way = (pv_rotation){way.x, way.y};
    return arc->at;
}

/* ---- ropes ---- */

pv_rope_def pv_rope_def_default(void) {
    return (pv_rope_def){
        .segments = 16, .mass = 16, .radius = 1, .drag = 0.3, .filter = pv__unfiltered(), .cookie = PV__COOKIE};
}

static pv__stuff stuff_of(const pv_rope_def *def) {
    pv_particle_def usual = pv_particle_def_default();
    return (pv__stuff){def->radius, def->drag, usual.restitution, usual.static_friction, usual.kinetic_friction,
                       def->filter};
}

static pv_status check_def(const pv_rope_def *def) {
    if (!def || def->cookie != PV__COOKIE) return PV_ERROR_ARGUMENT;
    const double numbers[] = {def->from.point.x, def->from.point.y, def->to.point.x, def->to.point.y,
                              def->slack,        def->mass,         def->radius,     def->drag,
                              def->bend,         def->break_force};
    if (!PV__ALL_FINITE(numbers)) return PV_ERROR_NOT_FINITE;
    int segments = def->segments;
    bool in_range = segments >= 1 && segments <= 4096 && pv__in_range(def->slack, 0, 1e6) &&
                    pv__in_range(def->mass, PV__LEAST_MASS * (segments + 1), PV__MOST_MASS) &&
                    pv__stuff_in_range(stuff_of(def)) && pv__in_range(def->bend, 0, PV__MOST_FORCE) &&
                    pv__in_range(def->break_force, 0, PV__MOST_FORCE);
    return in_range ? PV_OK : PV_ERROR_ARGUMENT;
}

static bool is_particle(pv_anchor a) { return a.particle.generation != 0; }
static bool is_body(pv_anchor a) { return !is_particle(a) && a.body.generation != 0; }
static bool is_polygon(pv_anchor a) { return !is_particle(a) && !is_body(a) && a.polygon.generation != 0; }

/// Where an anchor is now.
static pv_status locate(const pv_world *world, pv_anchor a, pv_vec2 *at) {
    bool stale = is_particle(a) ? !pv_particle_is_valid(world, a.particle)
                 : is_body(a)   ? !pv_body_is_valid(world, a.body)
                                : is_polygon(a) && !pv_polygon_is_valid(world, a.polygon);
    *at = is_particle(a) ? pv_particle_position(world, a.particle) : a.point;
    return stale ? PV_ERROR_STALE : pv__placeable(*at) ? PV_OK : PV_ERROR_ARGUMENT;
}

/// Whether an end is held by the world: then it has no mass.
static bool is_fast(pv_anchor a, bool free) {
    return !free && !is_particle(a) && !is_body(a) && !is_polygon(a);
}

/// Pins an end to what holds it, if something does.
static void pin_end(pv__build *b, pv_particle end, pv_anchor to, bool free) {
    if (free || is_fast(to, free)) return;
    pv_constraint_def def = pv_constraint_def_default();
    def.type = PV_CONSTRAINT_PIN;
    def.a = to;
    def.b = pv_anchor_particle(end);
    pv__build_constraint(b, &def);
}

/// A rope in the making.
typedef struct strand {
    double length;       ///< of a segment [px]
    pv_particle last[2]; ///< the one before the next, and the one before that
} strand;

/// Joins the next particle to the one before it and, by a spring, to the one before that.
static void tie(pv__build *b, const pv_rope_def *def, const strand *s, pv_particle next, int which) {
    pv_constraint_def stick = pv_constraint_def_default(), spring = stick;
    stick.a = pv_anchor_particle(s->last[0]);
    stick.length = s->length;
    stick.break_force = def->break_force;
    spring.a = pv_anchor_particle(s->last[1]);
    spring.length = 2 * s->length;
    spring.stiffness = def->bend;
    stick.b = spring.b = pv_anchor_particle(next);
    if (which > 0) pv__build_constraint(b, &stick);
    if (which > 1 && def->bend > 0) pv__build_constraint(b, &spring);
}

static void make_rope(pv__build *b, const pv_rope_def *def, pv_vec2 from, pv_vec2 to) {
    int n = def->segments;
    strand s = {.length = (1 + def->slack) * pv__length(pv__sub(to, from)) / n};
    pv__arc arc = pv__arc_make(from, to, n, NULL, s.length, pv_world_gravity(b->world));
    pv_particle_def grain = pv__stuff_def(stuff_of(def));
    for (int i = 0; i <= n; i++) {
        bool fast =
            (i == 0 && is_fast(def->from, def->from_free)) || (i == n && is_fast(def->to, def->to_free));
        grain.position = i == 0 ? from : pv__arc_next(&arc, s.length);
        grain.mass = fast ? 0 : def->mass / (n + 1);
        pv_particle next = pv__build_particle(b, &grain);
        tie(b, def, &s, next, i);
        if (i == 0) pin_end(b, next, def->from, def->from_free);
        if (i == n) pin_end(b, next, def->to, def->to_free);
        s.last[1] = s.last[0];
        s.last[0] = next;
    }
}

pv_matter pv_rope_build(pv_world *world, const pv_rope_def *def, pv_status *status) {
    pv_status outcome = world ? check_def(def) : PV_ERROR_ARGUMENT;
    pv_vec2 from = {0, 0}, to = {0, 0};
    if (outcome == PV_OK) outcome = locate(world, def->from, &from);
    if (outcome == PV_OK) outcome = locate(world, def->to, &to);
    if (outcome == PV_OK && from.x == to.x && from.y == to.y) outcome = PV_ERROR_ARGUMENT;
    pv__build b = pv__build_begin(world, outcome);
    if (b.status == PV_OK) make_rope(&b, def, from, to);
    return pv__build_end(&b, __func__, status);
}
