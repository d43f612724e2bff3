/* force.c - applies wind, attractors, buoyancy and explosions.
 *
 * Invariant: a force is computed once, at the start of a step, and holds for the whole step. Drag,
 * however great, at most stops an object relative to the wind or liquid within the step.
 * Sleeping bodies are skipped, and sizes are the visible sizes of the pixels (silhouette.c).
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/error.h"
#include "core/handle.h"
#include "core/pose.h"
#include "core/report.h"
#include "core/wake.h"
#include "grains/grains.h"
#include "world/silhouette.h"
#include "world/world.h"

#include <float.h>

/// Greatest change of velocity from an explosion [px/s]
static const double THROWN_MOST = 1e6;

/* ---- ids ---- */

static pv__force *force_of(const pv_world *world, pv_force_field_id name) {
    if (!world) return NULL;
    const pv__matter *m = &world->matter;
    int slot =
        pv__pool_find(&m->force_pool, m->forces, sizeof *m->forces, name.index, name.generation);
    return slot >= 0 ? &m->forces[slot] : NULL;
}

bool pv_force_field_is_valid(const pv_world *world, pv_force_field_id force) {
    return force_of(world, force) != NULL;
}

/* ---- creation and destruction ---- */

pv_force_field_def pv_force_field_def_default(void) {
    return (pv_force_field_def){
        .area = {{0, 0}, {-1, -1}},
        .gust_length = 400,
        .drag_coefficient = 0.2,
        .density = 1,
        .linear_damping = 1,
        .cookie = PV__COOKIE,
    };
}

static bool is_empty(const pv_box *box) {
    return box->max.x < box->min.x || box->max.y < box->min.y;
}

const pv__field_row pv__force_fields[16] = {
    PV__INT(pv_force_field_def, type, 0, PV_FORCE_FIELD_BUOYANCY),
    PV__VECTOR(pv_force_field_def, area.min, DBL_MAX),
    PV__VECTOR(pv_force_field_def, area.max, DBL_MAX),
    PV__VECTOR(pv_force_field_def, velocity, PV_MAX_COORDINATE),
    PV__VECTOR(pv_force_field_def, point, PV_MAX_COORDINATE),
    PV__DOUBLE(pv_force_field_def, gust, 0, 1),
    PV__DOUBLE(pv_force_field_def, gust_length, 1, PV__MOST_STIFFNESS),
    PV__DOUBLE(pv_force_field_def, drag_coefficient, PV__RANGE_STIFFNESS),
    PV__DOUBLE(pv_force_field_def, strength, -PV__MOST_STIFFNESS, PV__MOST_STIFFNESS),
    PV__DOUBLE(pv_force_field_def, radius, 0, PV_MAX_COORDINATE),
    PV__DOUBLE(pv_force_field_def, density, PV__LEAST_DENSITY, PV__MOST_STIFFNESS),
    PV__DOUBLE(pv_force_field_def, linear_damping, PV__RANGE_STIFFNESS),
};

bool pv__force_check_def(pv_error *e, const pv_force_field_def *def) {
    if (!PV__CHECK_DEF(e, def, pv_force_field_def_default, pv__force_fields)) return false;
    return def->type != PV_FORCE_FIELD_BUOYANCY || !is_empty(&def->area) ||
           pv__error_say(e, PV_ERROR_ARGUMENT, "def.area",
                         "def.area is empty, must hold the liquid of a buoyancy field") == PV_OK;
}

pv_force_field_id pv_force_field_create(pv_world *world, const pv_force_field_def *def,
                                        pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!pv__check_world(e, world) || !pv__force_check_def(e, def))
        return pv__refuse(world, e), pv_null_force_field;
    pv__matter *m = &world->matter;
    int index = pv__pool_take(&world->def.allocator, &m->force_pool, &m->forces, sizeof *m->forces);
    if (index < 0) return pv__refuse_memory(world, e), pv_null_force_field;
    pv__force *f = &m->forces[index];
    *f = (pv__force){.slot = f->slot, .def = *def};
    pv__pool_open(&m->force_pool, &f->slot);
    return (pv_force_field_id){(uint32_t)index + 1, f->slot.generation};
}

/// Returns the force field that is to change, or null with a filled error.
static pv__force *check_force(pv_error *e, const pv_world *world, pv_force_field_id force) {
    pv__force *f = force_of(world, force);
    return pv__check_alive(e, "force", f, "force field") ? f : NULL;
}

pv_status pv_force_field_destroy(pv_world *world, pv_force_field_id force) {
    PV__BEGIN_WITH(pv__force *, f, check_force(&e, world, force), true);
    pv__matter *m = &world->matter;
    pv__pool_leave(&m->force_pool, m->forces, (int)(f - m->forces), sizeof *f);
    return PV_OK;
}

pv_status pv_force_field_set_def(pv_world *world, pv_force_field_id force,
                                 const pv_force_field_def *def) {
    PV__BEGIN_WITH(pv__force *, f, check_force(&e, world, force), pv__force_check_def(&e, def));
    f->def = *def;
    return PV_OK;
}

/* ---- motion of bodies and particles ---- */

static bool is_within(const pv_box *area, pv_vec2 at) {
    return is_empty(area) || (at.x >= area->min.x && at.x <= area->max.x && at.y >= area->min.y &&
                              at.y <= area->max.y);
}

static pv_vec2 unit(pv_vec2 v, pv_vec2 otherwise) {
    double length = pv__length(v);
    return length > 0 ? pv__mul(1 / length, v) : otherwise;
}

/// Returns the time to the middle of the step, as a multiple of the last substep. Forces that
/// depend on positions use those at that time. The step is then a leapfrog, which neither adds
/// energy to orbits nor takes it. A chord is the motion at half a substep ago.
static double ways_to_middle(const pv_world *world, double dt) {
    return 0.5 * (dt - world->dt) / world->dt;
}

static pv_vec2 particle_in_middle(const pv_world *world, int i, double dt) {
    const pv__particles *p = &world->matter.particles;
    return pv__mad(p->now[i], ways_to_middle(world, dt), pv__sub(p->now[i], p->was[i]));
}

/// Returns the velocity of a particle along its last displacement [px/s]. The velocity that a force
/// adds in a step is exact relative to this one.
static pv_vec2 particle_speed(const pv_world *world, int i) {
    const pv__particles *p = &world->matter.particles;
    return pv__mul(1 / world->dt, pv__sub(p->now[i], p->was[i]));
}

static pv__pose body_in_middle(const pv_world *world, const pv__body *b, double dt) {
    double ways = ways_to_middle(world, dt);
    pv__chord chord = pv__pose_chord_of(b);
    return pv__pose_moved(b->pose, pv__mul(ways, chord.way), ways * chord.angle);
}

static void push_particle(pv__particles *p, int i, pv_vec2 force) {
    p->force[i] = pv__add(p->force[i], force);
    p->forced = true;
}

static void push_body(pv__body *b, pv_vec2 force, double torque) {
    b->force = pv__add(b->force, force);
    b->torque += torque;
}

/* ---- wind ---- */

static double sine_of_turns(double turns) {
    return pv__rotation(2 * PV__PI * (turns - (double)pv__floor(turns))).s;
}

/// Returns the velocity of the air at a place [px/s]. Two waves travel with the air and bend across
/// it, so that no two gusts are alike.
static pv_vec2 air_at(const pv__force *f, pv_vec2 at) {
    const pv_force_field_def *def = &f->def;
    pv_vec2 n = unit(def->velocity, pv__vec(1, 0));
    double along = (pv__dot(at, n) - f->gone) / def->gust_length,
           across = pv__cross(n, at) / def->gust_length;
    if (def->gust == 0) return def->velocity;
    double wave = 0.3 * sine_of_turns(along + 0.15 * sine_of_turns(0.6 * across)) +
                  0.2 * sine_of_turns(1.618 * along + 0.4 * across);
    return pv__mul(1 - def->gust * (0.5 - wave), def->velocity);
}

static void blow_on_particle(const pv_world *world, const pv__force *f, pv__particles *p, int i,
                             double dt) {
    double grip = pv__min(2 * f->def.drag_coefficient * p->data[i].radius, p->data[i].mass / dt);
    push_particle(p, i, pv__mul(grip, pv__sub(air_at(f, p->now[i]), particle_speed(world, i))));
}

static void blow_on_body(pv_world *world, const pv__force *f, pv__body *b, double dt) {
    pv_vec2 wind = pv__mad(air_at(f, b->pose.center), -1 / world->dt, pv__pose_chord_of(b).way);
    if (!pv__silhouette_outline_ready(b)) world->out_of_memory = true;
    double width = pv__silhouette_width_across(b, unit(wind, pv__vec(1, 0)));
    push_body(b, pv__mul(pv__min(f->def.drag_coefficient * width, b->mass / dt), wind), 0);
}

/* ---- attractors ---- */

/// Returns the acceleration of an attractor at a place [px/s^2]. It is inverse square beyond the
/// radius and linear within, as for a planet of that radius.
static pv_vec2 pull_at(const pv_force_field_def *def, pv_vec2 at) {
    pv_vec2 d = pv__sub(def->point, at);
    double distance = pv__length(d), reach = def->radius;
    if (reach > 0 && distance > reach)
        return pv__mul(def->strength * reach * reach / (distance * distance * distance), d);
    return pv__mul(def->strength / (reach > 0 ? reach : pv__max(distance, 1)), d);
}

static void pull_particle(const pv_world *world, const pv__force *f, pv__particles *p, int i,
                          double dt) {
    pv_vec2 at = particle_in_middle(world, i, dt);
    push_particle(p, i, pv__mul(p->data[i].mass, pull_at(&f->def, at)));
}

static void pull_body(pv_world *world, const pv__force *f, pv__body *b, double dt) {
    push_body(b, pv__mul(b->mass, pull_at(&f->def, body_in_middle(world, b, dt).center)), 0);
}

/* ---- buoyancy ---- */

/// Sums over a body's pixels in a liquid, taken as squares, about its center in its own rotation
typedef struct wet {
    /// Area [px^2]
    double area;
    /// Sum of places [px^3]
    pv_vec2 first;
    /// Sum of squared distances [px^4]
    double second;
} wet;

static double part_within(double depth) { return pv__clamp(depth + 0.5, 0, 1); }

/// Returns the share of a pixel that is in a box, from the depth of its middle inside each side. It
/// is 1 for a pixel fully inside and 0 for one fully outside.
static double part_in(const pv_box *area, pv_vec2 at) {
    return part_within(at.y - area->min.y) * part_within(area->max.y - at.y) *
           part_within(at.x - area->min.x) * part_within(area->max.x - at.x);
}

/// Tells whether two points are beyond the same side of a box, by at least half a pixel.
static bool are_beyond(const pv_box *area, pv_vec2 p, pv_vec2 q) {
    return pv__max(p.y, q.y) <= area->min.y - 0.5 || pv__min(p.y, q.y) >= area->max.y + 0.5 ||
           pv__max(p.x, q.x) <= area->min.x - 0.5 || pv__min(p.x, q.x) >= area->max.x + 0.5;
}

/// Adds n pixels of a row, starting at x, of which the same share is in the liquid.
static void add_row(wet *sum, double x, double y, double n, double part) {
    double middle = x + 0.5 * (n - 1);
    sum->area += part * n;
    sum->first = pv__mad(sum->first, part * n, pv__vec(middle, y));
    sum->second += part * n * (middle * middle + y * y + (n * n - 1) / 12 + 1.0 / 6);
}

/// Adds the pixels start...end - 1 of a row. Halves the run until each half is all in the liquid,
/// all out of it, or one pixel. Depth is linear along a row, so a test of its ends is enough.
static void soak_run(const pv_transform *t, const pv_box *area, int start, int end, int row,
                     wet *sum) {
    double x = start + 0.5 - t->pivot.x, y = row + 0.5 - t->pivot.y;
    pv_vec2 p = pv__add(t->position, pv__rotate(t->rotation, pv__vec(x, y)));
    pv_vec2 q = pv__mad(p, end - 1 - start, pv__vec(t->rotation.c, t->rotation.s));
    if (are_beyond(area, p, q)) return;
    double part = part_in(area, p);
    if (end - start == 1 || (part == 1 && part_in(area, q) == 1)) {
        add_row(sum, x, y, end - start, part);
        return;
    }
    int middle = start + (end - start) / 2;
    soak_run(t, area, start, middle, row, sum);
    soak_run(t, area, middle, end, row, sum);
}

static wet soak(const pv__bits *bits, const pv_transform *t, const pv_box *area) {
    wet sum = {0};
    for (int y = 0; y < bits->h; y++)
        for (pv__run run = {0}; pv__mask_run_next(bits, y, &run);)
            soak_run(t, area, run.start, run.end, y, &sum);
    return sum;
}

/// Returns the drag of one px^2 of an object per unit of relative velocity [mass/s]. Heaviness is
/// the object's mass per px^2.
static double drag_of(const pv_force_field_def *def, double heaviness, double dt) {
    return pv__min(def->density * def->linear_damping, heaviness / dt);
}

static void lift_body(pv_world *world, const pv__force *f, pv__body *b, double dt) {
    pv__pose pose = body_in_middle(world, b, dt);
    pv_box box = pv__pose_box(b, pose);
    if (!pv__boxes_meet(&box, &f->def.area)) return;
    pv_transform t = pv__body_form_transform(b, pose);
    wet in = soak(&b->pixels->form->bits, &t, &f->def.area);
    if (in.area == 0) return;
    pv_vec2 arm = pv__rotate(pose.turn, pv__mul(1 / in.area, in.first));
    double drag = drag_of(&f->def, b->mass / (double)pv_mask_count_pixels(b->pixels->form), dt);
    pv__chord chord = pv__pose_chord_of(b);
    double spin = chord.angle / world->dt;
    pv_vec2 speed = pv__mad(pv__mul(1 / world->dt, chord.way), spin, pv__perp(arm));
    pv_vec2 force = pv__mul(-f->def.density * in.area, world->def.gravity);
    force = pv__mad(force, drag * in.area, pv__sub(f->def.velocity, speed));
    double about_middle = in.second - in.area * pv__dot(arm, arm);
    push_body(b, force, pv__cross(arm, force) - drag * about_middle * spin);
}

/// Returns the area of the part of a disc below a line [px^2]; depth is the depth of the center
/// [px].
static double disc_below(double radius, double depth) {
    double z = pv__clamp(depth / radius, -1, 1), root = sqrt(1 - z * z);
    return radius * radius * (pv__atan2(root, -z) + z * root);
}

static void lift_particle(const pv_world *world, const pv__force *f, pv__particles *p, int i,
                          double dt) {
    const pv_box *area = &f->def.area;
    pv_vec2 at = particle_in_middle(world, i, dt);
    double radius = p->data[i].radius;
    if (radius == 0 || at.x < area->min.x || at.x > area->max.x || at.y > area->max.y ||
        at.y <= area->min.y - radius)
        return;
    double below = disc_below(radius, at.y - area->min.y), whole = PV__PI * radius * radius;
    double drag = below * drag_of(&f->def, p->data[i].mass / whole, dt);
    pv_vec2 lift = pv__mul(-f->def.density * below, world->def.gravity);
    push_particle(p, i, pv__mad(lift, drag, pv__sub(f->def.velocity, particle_speed(world, i))));
}

/* ---- the step ---- */

typedef struct means {
    void (*particle)(const pv_world *world, const pv__force *f, pv__particles *p, int i, double dt);
    void (*body)(pv_world *world, const pv__force *f, pv__body *b, double dt);
} means;

static void apply(pv_world *world, pv__force *f, double dt) {
    static const means all[] = {
        [PV_FORCE_FIELD_WIND] = {blow_on_particle, blow_on_body},
        [PV_FORCE_FIELD_ATTRACTOR] = {pull_particle, pull_body},
        [PV_FORCE_FIELD_BUOYANCY] = {lift_particle, lift_body},
    };
    const means *how = &all[f->def.type];
    pv__particles *p = &world->matter.particles;
    bool anywhere = f->def.type == PV_FORCE_FIELD_BUOYANCY; /* buoyancy tests its area itself */
    for (int i = 1; i < p->count; i++)
        if ((p->data[i].generation & 1) && p->inverse_mass[i] > 0 &&
            (anywhere || is_within(&f->def.area, p->now[i])))
            how->particle(world, f, p, i, dt);
    for (int i = 0; i < world->bodies.awake_count; i++) {
        pv__body *b = &world->bodies.items[world->bodies.awake[i]];
        if (b->inverse_mass > 0 && (anywhere || is_within(&f->def.area, b->pose.center)))
            how->body(world, f, b, dt);
    }
    f->gone += dt * pv__length(f->def.velocity);
}

void pv__force_apply_all(pv_world *world, double dt) {
    pv__matter *m = &world->matter;
    if (m->force_pool.living > 0) pv__wake_list_awake(world);
    for (int i = 0; i < m->force_pool.count; i++)
        if (pv__slot_lives(&m->forces[i].slot)) apply(world, &m->forces[i], dt);
}

/* ---- explosions ---- */

/// Returns the impulse of an explosion at a distance, for each px of diameter [mass/s].
static double left_of(double impulse, double distance, double reach) {
    return impulse * pv__max(0, 1 - distance / reach);
}

static void throw_particle(pv_world *world, int i, pv_vec2 point, double reach, double impulse) {
    const pv__particles *p = &world->matter.particles;
    pv_vec2 d = pv__sub(p->now[i], point);
    double size = 2 * p->data[i].radius * left_of(impulse, pv__length(d), reach),
           most = THROWN_MOST * p->data[i].mass;
    if (size == 0) return;
    pv_vec2 n = unit(d, pv__vec(0, -1));
    pv_particle_apply_impulse(world, pv__handle_of_particle(world, i),
                              pv__mul(pv__clamp(size, -most, most), n));
}

static bool is_within_reach(const pv__body *b, pv_vec2 point, double reach) {
    if (!pv__body_is_present(b) || b->inverse_mass == 0) return false;
    pv_box box = pv__pose_box(b, b->pose), around = pv__box_widened((pv_box){point, point}, reach);
    return pv__boxes_meet(&box, &around);
}

/// Applies the impulse of an explosion to a body, along the mean of all directions to its
/// silhouette. An explosion among its pixels pushes the body at its center.
static void throw_body(pv_world *world, int index, pv_vec2 point, double reach, double impulse) {
    const pv__body *b = &world->bodies.items[index];
    pv_vec2 center = b->pose.center, d = pv__sub(center, point);
    pv__seen seen = pv__silhouette_seen_from(b, point);
    double share = seen.inside ? 1 : pv__length(seen.mean);
    double left = share * left_of(impulse, seen.distance, reach), most = THROWN_MOST * b->mass;
    if (left == 0) return;
    pv_vec2 n = unit(seen.inside ? d : seen.mean, pv__vec(0, -1));
    pv_vec2 at = seen.inside ? center : pv__mad(point, pv__dot(d, n), n);
    double size = pv__clamp(left * pv__silhouette_width_across(b, n), -most, most);
    pv_body_apply_impulse_at(world, pv__handle_of_body(world, index), pv__mul(size, n), at);
}

/// Creates the outlines of all bodies within reach; returns false without memory.
static bool are_outlines_ready(const pv_world *world, pv_vec2 point, double reach) {
    for (int i = 0; i < world->bodies.count; i++)
        if (is_within_reach(&world->bodies.items[i], point, reach) &&
            !pv__silhouette_outline_ready(&world->bodies.items[i]))
            return false;
    return true;
}

pv_status pv_world_explode(pv_world *world, pv_vec2 point, double reach, double impulse) {
    PV__BEGIN(pv__check_place(&e, "point", point) &&
              pv__check_range(&e, "reach", reach, DBL_TRUE_MIN, PV_MAX_COORDINATE) &&
              pv__check_range(&e, "impulse", impulse, -PV__MOST_STIFFNESS, PV__MOST_STIFFNESS));
    if (!are_outlines_ready(world, point, reach)) return pv__refuse_memory(world, &e);
    for (int i = 1; i < world->matter.particles.count; i++)
        if (world->matter.particles.data[i].mass > 0)
            throw_particle(world, i, point, reach, impulse);
    for (int i = 0; i < world->bodies.count; i++)
        if (is_within_reach(&world->bodies.items[i], point, reach))
            throw_body(world, i, point, reach, impulse);
    pv__grains_explode(world, point, reach, impulse);
    return PV_OK;
}
