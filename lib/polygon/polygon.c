/* polygon.c - creates and destroys polygons of corners and beams; polygon_motion.c moves them.
 *
 * Invariant: a polygon's corners exist and belong to it alone; it is removed along with any of
 * them. Beams are ordinary joints, which may break or be removed.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "polygon/polygon.h"
#include "base/error.h"
#include "collide/query_index.h"
#include "collide/wake_near.h"
#include "core/handle.h"
#include "core/impulse.h"
#include "core/pose.h"
#include "core/report.h"
#include "core/wake.h"
#include "joint/constraint.h"
#include "matter/particle.h"
#include "polygon/polygon_contact.h"
#include "polygon/polygon_motion.h"
#include "shape/convex.h"

/// Greatest number of corners with beams between all pairs. Larger polygons have fewer beams per
/// corner.
static const int ALL_PAIRS = 6;
/// Greatest area of the box around a polygon with a mask [px^2]
static const double MOST_PIXELS = 1 << 24;
/// Radius of the disc at a corner, as a share of the shortest edge
static const double DISC = 0.125;

/* ---- ids ---- */

const pv__polygon *pv__polygon_find(const pv_world *world, pv_body_id id) {
    int index = pv__handle_polygon(world, id);
    return index >= 0 ? &world->matter.polygons[index] : NULL;
}

pv_body_id pv_world_get_next_polygon(const pv_world *world, pv_body_id polygon) {
    int index = pv__handle_polygon(world, polygon);
    if (!world || (index < 0 && polygon.index != 0)) return pv_null_body;
    const pv__matter *m = &world->matter;
    int next = pv__pool_next(&m->polygon_pool, m->polygons, sizeof *m->polygons, index + 1);
    return next >= 0 ? pv__handle_of_polygon(world, next) : pv_null_body;
}

/* ---- definitions ---- */

pv_polygon_def pv_polygon_def_default(void) {
    return (pv_polygon_def){
        .mass = -1,
        .restitution = 0.2,
        .static_friction = -1,
        .friction = 0.5,
        .filter = {1, 0xffffffff, 0},
        .cookie = PV__COOKIE,
    };
}

static const pv__field_row fields[] = {
    PV__VECTOR(pv_polygon_def, velocity, PV_MAX_COORDINATE),
    PV__DOUBLE(pv_polygon_def, angular_velocity, -1e4, 1e4),
    PV__DOUBLE(pv_polygon_def, mass, -DBL_MAX, PV__MOST_MASS),
    PV__MATERIAL(pv_polygon_def),
    PV__DOUBLE(pv_polygon_def, linear_damping, PV__RANGE_DRAG),
    PV__DOUBLE(pv_polygon_def, stiffness, PV__RANGE_STIFFNESS),
    PV__INT(pv_polygon_def, collider, 0, PV_POLYGON_COLLIDER_CIRCLES),
    PV__INT(pv_polygon_def, point_count, 3, PV__POLY_CORNERS),
};

static bool check_def(pv_error *e, const pv_polygon_def *def) {
    if (!pv__check_cookie(e, def, def ? def->cookie : 0, "pv_polygon_def_default") ||
        !pv__check_pointer(e, "def.points", def->points) || !PV__CHECK_FIELDS(e, def, fields) ||
        !pv__impulse_check_friction(e, "def.friction", def->static_friction, def->friction) ||
        !pv__check_places(e, "def.points", def->points, def->point_count))
        return false;
    pv_status outline = pv__convex_check(def->points, def->point_count);
    return outline == PV_OK ||
           pv__error_say(e, outline, "def.points",
                         "def.points coincide, touch each other's edges or hold no area") == PV_OK;
}

/// Definition of a polygon with its corners in clockwise order.
typedef struct plan {
    const pv_polygon_def *def;
    int count, piece_count, piece_room, pieces[PV__POLY_ROOM];
    /// Pairs of corners with beams
    int beam_count, beams[4 * PV__POLY_CORNERS][2];
    /// Corners, clockwise [px]
    pv_vec2 points[PV__POLY_CORNERS];
    double shares[PV__POLY_CORNERS];
    pv_vec2 center;
    double mass, radius, middle;
} plan;

/// Sets the radius of the corner discs, and of the middle disc, which reaches the nearest edge.
static void plan_discs(plan *p) {
    double shortest = PV_MAX_COORDINATE;
    p->middle = PV_MAX_COORDINATE;
    for (int i = 0; i < p->count; i++) {
        pv_vec2 from = p->points[i], to = p->points[(i + 1) % p->count];
        double off = pv__dot(pv__convex_normal(from, to), pv__sub(p->center, from));
        shortest = pv__min(shortest, pv__length(pv__sub(to, from)));
        p->middle = pv__min(p->middle, pv__abs(off));
    }
    p->radius = pv__min(DISC * shortest, PV__MOST_PARTICLE_RADIUS);
}

/// Lists the beams: to the next corner, to the one after it, and two across. With up to ALL_PAIRS
/// corners, they join all pairs.
static void plan_beams(plan *p) {
    int n = p->count;
    for (int way = 0; way < 4; way++) {
        int steps = n <= ALL_PAIRS || way < 2 ? way + 1 : way == 2 ? n / 2 : n / 3;
        if (2 * steps > n || (way == 3 && n > ALL_PAIRS && steps <= 2)) continue;
        for (int i = 0; i < (2 * steps == n ? steps : n); i++) {
            p->beams[p->beam_count][0] = i;
            p->beams[p->beam_count++][1] = (i + steps) % n;
        }
    }
}

static void make_plan(plan *p, const pv_polygon_def *def) {
    int n = def->point_count;
    double area = pv__convex_area(def->points, n);
    *p = (plan){.def = def, .count = n, .mass = def->mass < 0 ? pv__abs(area) : def->mass};
    for (int i = 0; i < n; i++) p->points[i] = def->points[area > 0 ? i : n - 1 - i];
    p->piece_count = pv__convex_cut(p->points, n, p->pieces, &p->piece_room);
    pv__convex_shares(p->points, n, p->pieces, p->piece_count, p->shares);
    for (int i = 0; i < n; i++) p->center = pv__mad(p->center, p->shares[i], p->points[i]);
    if (def->collider == PV_POLYGON_COLLIDER_CIRCLES) plan_discs(p);
    plan_beams(p);
}

/* ---- creation ---- */

static void free_parts(pv_world *world, pv__polygon *q) {
    const pv_allocator *allocator = &world->def.allocator;
    size_t n = (size_t)q->corner_count;
    pv__free(allocator, q->corners, n, sizeof *q->corners);
    pv__free(allocator, q->rest, n, sizeof *q->rest);
    pv__free(allocator, q->shares, n, sizeof *q->shares);
    PV__FREE(allocator, q->pieces, q->piece_room);
    pv__free(allocator, q->beams, (size_t)q->beam_count, sizeof *q->beams);
    pv_mask_release(q->mask);
}

bool pv__polygon_draw_mask(pv_world *world, pv__polygon *q) {
    pv_error error;
    pv_point origin = {0, 0};
    pv_box box = {q->rest[0], q->rest[0]};
    for (int i = 1; i < q->corner_count; i++) pv__enclose(&box, q->rest[i]);
    if (!((box.max.x - box.min.x) * (box.max.y - box.min.y) <= MOST_PIXELS)) return true;
    q->mask =
        pv_mask_create_polygon(q->rest, q->corner_count, &origin, &world->def.allocator, &error);
    q->pivot = pv__vec(-origin.x, -origin.y);
    return q->mask || error.status != PV_ERROR_MEMORY;
}

static int take_slot(pv_world *world) {
    pv__matter *m = &world->matter;
    if (m->polygon_pool.living == PV__MOST_BODIES || !pv__index_reserve(world, 0, 1)) return -1;
    return pv__pool_take(&world->def.allocator, &m->polygon_pool, &m->polygons,
                         sizeof *m->polygons);
}

/// Frees the arrays of a polygon, and its slot.
static void leave_slot(pv_world *world, int index) {
    pv__matter *m = &world->matter;
    free_parts(world, &m->polygons[index]);
    pv__pool_leave(&m->polygon_pool, m->polygons, index, sizeof *m->polygons);
}

/// Allocates and fills all arrays of a polygon except the corners. Returns false without memory;
/// some may be allocated then.
static bool take_parts(pv_world *world, pv__polygon *q, const plan *p) {
    const pv_allocator *allocator = &world->def.allocator;
    size_t n = (size_t)p->count;
    q->corner_count = p->count;
    q->beam_count = p->beam_count;
    q->piece_count = p->piece_count;
    q->piece_room = p->piece_room;
    q->corners = pv__alloc(allocator, n, sizeof *q->corners);
    q->rest = pv__alloc(allocator, n, sizeof *q->rest);
    q->shares = pv__alloc(allocator, n, sizeof *q->shares);
    q->pieces = pv__alloc(allocator, (size_t)p->piece_room, sizeof *q->pieces);
    q->beams = pv__alloc(allocator, (size_t)p->beam_count, sizeof *q->beams);
    if (!q->corners || !q->rest || !q->shares || !q->pieces || !q->beams) return false;
    for (int i = 0; i < p->piece_room; i++) q->pieces[i] = p->pieces[i];
    for (int i = 0; i < p->count; i++) {
        q->rest[i] = pv__sub(p->points[i], p->center);
        q->shares[i] = p->shares[i];
    }
    return pv__polygon_draw_mask(world, q);
}

static pv_vec2 corner_velocity(const plan *p, int i) {
    return pv__mad(p->def->velocity, p->def->angular_velocity,
                   pv__perp(pv__sub(p->points[i], p->center)));
}

/// Creates a corner; returns its slot.
static int add_corner(pv_world *world, const plan *p, int i) {
    pv_particle_def def = pv_particle_def_default();
    def.position = p->points[i];
    def.velocity = corner_velocity(p, i);
    def.mass = p->mass * p->shares[i];
    def.radius = p->radius;
    def.linear_damping = p->def->linear_damping;
    def.restitution = p->def->restitution;
    def.static_friction = p->def->static_friction;
    def.friction = p->def->friction;
    def.filter = p->def->filter;
    return (int)pv_particle_create(world, &def, NULL).index;
}

/// Checks all reasons to refuse corners and beams before the polygon takes a slot, because slots
/// are part of the world's hash.
static bool check_plan(pv_error *e, const plan *p) {
    pv_box box = {p->points[0], p->points[0]};
    for (int i = 0; i < p->count; i++) {
        double mass = p->mass * p->shares[i];
        pv__enclose(&box, p->points[i]);
        if (!pv__check_place(e, "velocity of a corner", corner_velocity(p, i)) ||
            !pv__check_zero_or(e, "mass of a corner", mass, PV__RANGE_MASS))
            return false;
    }
    return pv__check_range(e, "size of def.points", pv__length(pv__sub(box.max, box.min)), 0,
                           PV_MAX_COORDINATE) &&
           pv__check_zero_or(e, "def.stiffness", p->def->stiffness, PV__RANGE_JOINT_STIFFNESS);
}

static pv_joint_id add_beam(pv_world *world, const pv__polygon *q, const plan *p,
                            const int ends[2]) {
    pv_joint_def def = pv_joint_def_default();
    def.a = pv_anchor_particle(pv__handle_of_particle(world, q->corners[ends[0]]));
    def.b = pv_anchor_particle(pv__handle_of_particle(world, q->corners[ends[1]]));
    def.length = pv__length(pv__sub(p->points[ends[1]], p->points[ends[0]]));
    def.stiffness = p->def->stiffness;
    return pv_joint_create(world, &def, NULL);
}

/// Creates the corners and beams of a polygon. None is refused: the plan was checked and memory is
/// reserved.
static void add_all(pv_world *world, pv__polygon *q, const plan *p) {
    for (int i = 0; i < p->count; i++) q->corners[i] = add_corner(world, p, i);
    for (int i = 0; i < p->beam_count; i++) q->beams[i] = add_beam(world, q, p, p->beams[i]);
}

static void fill(pv__polygon *q, const plan *p) {
    q->hull = p->def->collider;
    q->user_data = p->def->user_data;
    q->material = (pv__material){
        p->def->restitution, pv__impulse_static_friction(p->def->static_friction, p->def->friction),
        p->def->friction};
    q->middle = p->middle;
    q->filter = p->def->filter;
    q->soft = p->def->stiffness > 0;
    q->asleep = false;
    q->still = 0;
    q->island = q->bodies = -1;
}

/// Creates a whole polygon in a free slot. Without memory it returns false and leaves the slot.
static bool build(pv_world *world, int index, const plan *p) {
    pv__matter *m = &world->matter;
    pv__polygon *q = &m->polygons[index];
    if (!pv__particle_reserve(world, p->count) ||
        !PV__RESERVE(&world->def.allocator, m->constraints, m->constraint_pool.capacity,
                     m->constraint_pool.count + p->beam_count) ||
        !take_parts(world, q, p)) {
        leave_slot(world, index);
        return false;
    }
    add_all(world, q, p);
    for (int i = 0; i < p->count; i++) m->particles.data[q->corners[i]].polygon = index;
    fill(q, p);
    pv__pool_open(&m->polygon_pool, &q->slot);
    pv__index_update(world, pv__index_of_polygon(index));
    return true;
}

pv_body_id pv_polygon_create(pv_world *world, const pv_polygon_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    plan p;
    if (pv__check_world(e, world) && check_def(e, def) && (make_plan(&p, def), check_plan(e, &p))) {
        int index = take_slot(world);
        if (index >= 0 && build(world, index, &p)) return pv__handle_of_polygon(world, index);
        pv__error_set(e, PV_ERROR_MEMORY);
    }
    return pv__refuse(world, e), pv_null_body;
}

/* ---- destruction ---- */

void pv__polygon_drop(pv_world *world, int index) {
    pv__wake_polygon(world, index);
    pv__polygon *q = &world->matter.polygons[index];
    pv__wake_around(world, pv__polygon_box(world, q));
    for (int i = 0; i < q->corner_count; i++)
        world->matter.particles.data[q->corners[i]].polygon = -1;
    for (int i = 0; i < q->beam_count; i++) {
        pv__constraint *c = pv__handle_constraint(world, q->beams[i]);
        if (c) pv__constraint_drop(world, c);
    }
    leave_slot(world, index);
    pv__index_update(world, pv__index_of_polygon(index));
}

void pv__polygon_destroy(pv_world *world, int index) {
    int corners[PV__POLY_CORNERS], count = world->matter.polygons[index].corner_count;
    for (int i = 0; i < count; i++) corners[i] = world->matter.polygons[index].corners[i];
    pv__polygon_drop(world, index);
    for (int i = 0; i < count; i++) pv__particle_drop(world, corners[i]);
}

void pv__polygon_free_all(pv_world *world) {
    pv__matter *m = &world->matter;
    for (int i = 0; i < m->polygon_pool.count; i++)
        if (pv__slot_lives(&m->polygons[i].slot)) free_parts(world, &m->polygons[i]);
    PV__FREE(&world->def.allocator, m->polygons, m->polygon_pool.capacity);
    PV__FREE(&world->def.allocator, m->crossings, m->crossing_capacity);
    pv__polygon_scratch_free(world);
}

/* ---- reads ---- */

int pv_body_get_corners(const pv_world *world, pv_body_id polygon, pv_particle_id *corners,
                        int capacity) {
    const pv__polygon *q = pv__polygon_find(world, polygon);
    if (!q) return 0;
    for (int i = 0; corners && i < q->corner_count && i < capacity; i++)
        corners[i] = pv__handle_of_particle(world, q->corners[i]);
    return q->corner_count;
}

bool pv__polygon_holds(const pv_world *world, const pv__polygon *q, pv_vec2 point) {
    pv_vec2 points[PV__POLY_CORNERS];
    for (int i = 0; i < q->corner_count; i++)
        points[i] = world->matter.particles.now[q->corners[i]];
    return pv__convex_holds(points, q->corner_count, point);
}
