/* particle_collide.c - particles against sprites: candidate pairs of a step, and contacts.
 *
 * Invariant: an unlisted pair does not touch in the step, unless its particle speeds up by more
 * than half. The list is in order of bodies, and for each body of cells and slots, never of
 * addresses.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "matter/particle_collide.h"
#include "core/anchor.h"
#include "core/body_bitmap.h"
#include "core/filter.h"
#include "core/impulse.h"
#include "core/pose.h"
#include "core/wake.h"
#include "joint/constraint.h"
#include "matter/matter_contact.h"
#include "matter/particle_inside.h"
#include "shape/distance_field.h"

/// Side of a grid cell [px]; a particle that may go farther than two cells in a step is tested
/// against all bodies
static const double CELL = 32;
/// Particles per cell of a body's box below which it tests all of them, in a world with strides
static const double SPARSE = 32;

static unsigned hash_cell(int64_t x, int64_t y, unsigned mask) {
    uint64_t h =
        (uint64_t)x * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)y * UINT64_C(0xc2b2ae3d27d4eb4f);
    return (unsigned)(h >> 40) & mask;
}

static int64_t cell_of(double x) { return pv__floor(x / CELL); }

/// Returns the greatest displacement of a particle in a step, without applied forces [px].
static double way_of(const pv_world *world, int i, double dt) {
    const pv__particles *p = &world->matter.particles;
    double steps = dt / world->dt;
    pv_vec2 g = world->def.gravity;
    return 1.5 * (steps * pv__length(pv__particle_way(p, i)) + dt * dt * pv__length_most(g.x, g.y));
}

/// Returns the greatest displacement of an object in a step, with possible gains and a margin [px].
static double swept_way(const pv_world *world, double own, double acceleration, double dt) {
    double gained = dt * dt * (pv__length(world->def.gravity) + acceleration);
    return pv__min(1.5 * (own + gained) + PV__SWEPT_MARGIN, PV__FARTHEST_SWEEP);
}

double pv__particle_swept_way(const pv_world *world, int particle, double dt) {
    const pv__particles *p = &world->matter.particles;
    double way = pv__length(pv__particle_way(p, particle)),
           force = pv__length(p->force[particle]) * p->inverse_mass[particle];
    return swept_way(world, way * (dt / world->dt), force, dt);
}

pv_box pv__particle_swept_box(const pv_world *world, int particle, double dt) {
    pv_vec2 at = world->matter.particles.now[particle];
    return pv__box_widened((pv_box){at, at}, pv__particle_swept_way(world, particle, dt) +
                                                 world->matter.particles.data[particle].radius);
}

pv_box pv__particle_swept_body(const pv_world *world, const pv__body *b, double dt) {
    pv__chord chord = pv__pose_chord_of(b);
    double steps = dt / world->dt,
           turn = pv__min(pv__abs(chord.angle) * steps, 2) * b->pixels->reach;
    double way = swept_way(world, steps * pv__length(chord.way) + turn,
                           pv__length(b->force) * b->inverse_mass, dt);
    return pv__box_widened(pv__pose_box(b, b->pose), way);
}

/* ---- the grid ---- */

/// Particles that can touch: slow ones by hashed cell, then those that may go far
typedef struct grid {
    /// Number of cells less 1
    unsigned mask;
    int chained, far_end;
    /// Greatest sum of displacement and radius of chained particles [px]
    double reach;
} grid;

static bool make_room(pv_world *world, unsigned cells) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__matter *m = &world->matter;
    int count = m->particles.count + 1;
    return PV__RESERVE(allocator, m->cells, m->cell_capacity, (int)cells + 1) &&
           PV__RESERVE(allocator, m->strides.poses, m->strides.pose_capacity,
                       world->bodies.count) &&
           PV__RESERVE(allocator, m->sorted, m->sorted_capacity, count) &&
           PV__RESERVE(allocator, m->starts, m->start_capacity, count) &&
           PV__RESERVE(allocator, m->ways, m->way_capacity, count) &&
           PV__RESERVE(allocator, m->slots, m->slot_capacity, count);
}

/// Sorts particles by their cell, with a counting sort. The cell after the last one stands for
/// those that may go far, PV__NONE for those that touch nothing. Marks those that take strides.
static grid sort(pv_world *world, unsigned cells, double dt) {
    pv__matter *m = &world->matter;
    pv__particles *p = &m->particles;
    grid g = {.mask = cells - 1};
    for (unsigned i = 0; i <= cells; i++) m->cells[i] = 0;
    for (int i = 1; i < p->count; i++) {
        m->slots[i] = PV__NONE;
        if (!(p->data[i].generation & 1) || p->data[i].passes) continue;
        if (pv__stride_takes(world, i)) p->bound[i] |= PV__STRIDES;
        double way = m->ways[i] = way_of(world, i, dt);
        m->slots[i] = (int)cells;
        if (way > 2 * CELL) continue;
        g.reach = pv__max(g.reach, way + p->data[i].radius);
        m->slots[i] = (int)hash_cell(cell_of(p->now[i].x), cell_of(p->now[i].y), g.mask);
        m->cells[m->slots[i]]++;
    }
    for (unsigned i = 0; i < cells; i++) m->cells[i + 1] += m->cells[i];
    g.chained = g.far_end = m->cells[cells];
    for (int i = p->count - 1; i >= 1;
         i--) { /* backward, from each cell's end, so that its slots ascend */
        if (m->slots[i] == (int)cells)
            m->sorted[g.far_end++] = i;
        else if (m->slots[i] != PV__NONE)
            m->sorted[--m->cells[m->slots[i]]] = i;
    }
    return g;
}

/* ---- pairs ---- */

/// Body, and its swept box in the step
typedef struct seeker {
    int body;
    pv_box box;
    /// True if it only makes the particles near it take every substep
    bool holds;
} seeker;

static seeker seeker_of(const pv_world *world, int body, double dt, bool holds) {
    const pv__body *b = &world->bodies.items[body];
    pv_box box = b->awake ? pv__particle_swept_body(world, b, dt) : pv__pose_box(b, b->pose);
    return (seeker){body, box, holds};
}

static bool reaches(const pv_world *world, const seeker *s, int i) {
    const pv__particles *p = &world->matter.particles;
    double by = world->matter.ways[i] + p->data[i].radius + PV__SWEPT_MARGIN;
    return pv_box_contains(pv__box_widened(s->box, by), p->now[i]);
}

bool pv__particle_may_meet(const pv_world *world, int i, int body) {
    const pv__particles *p = &world->matter.particles;
    return (!world->bodies.filtered ||
            pv__filter_agrees(p->filter[i], world->bodies.items[body].filter)) &&
           !pv__filter_is_barred(world, pv__constraint_name_bar(world, i), body) &&
           (!(p->bound[i] & PV__INSIDE) || !pv__inside_has(&world->matter, i, body));
}

bool pv__particle_agrees(const pv_world *world, int a, int b) {
    const pv_filter *filters = world->matter.particles.filter;
    return !world->bodies.filtered || pv__filter_agrees(filters[a], filters[b]);
}

static bool add(pv_world *world, const seeker *s, int i) {
    pv__matter *m = &world->matter;
    if (!reaches(world, s, i) || !pv__particle_may_meet(world, i, s->body)) return true;
    if (s->holds) {
        m->particles.bound[i] &= (unsigned char)~PV__STRIDES;
        return true;
    }
    bool strides = m->particles.bound[i] & PV__STRIDES;
    pv__nears *nears = strides ? &m->strides.nears : &m->nears;
    if (!strides && !pv__inside_pin(world, i, s->body)) return false;
    if (!strides) m->particles.bound[i] |= PV__MEETS;
    return PV__APPEND(&world->def.allocator, nears->items, nears->capacity, nears->count,
                      (pv__near){i, s->body, 0, -1});
}

static bool add_range(pv_world *world, const seeker *s, int first, int end) {
    for (int i = first; i < end; i++)
        if (!add(world, s, world->matter.sorted[i])) return false;
    return true;
}

/// Adds the particles of a cell; returns false without memory. Cells may share a hash, but each
/// particle is in its own cell alone.
static bool add_cell(pv_world *world, const seeker *s, const grid *g, int64_t x, int64_t y) {
    const pv__matter *m = &world->matter;
    unsigned cell = hash_cell(x, y, g->mask);
    for (int i = m->cells[cell]; i < m->cells[cell + 1]; i++) {
        pv_vec2 at = m->particles.now[m->sorted[i]];
        if (cell_of(at.x) == x && cell_of(at.y) == y && !add(world, s, m->sorted[i])) return false;
    }
    return true;
}

/// Adds all particles, in order of their slots, so that long lists are read in memory order. The
/// order does not matter to a body that does not give way.
static bool add_all(pv_world *world, const seeker *s) {
    const pv__matter *m = &world->matter;
    for (int i = 1; i < m->particles.count; i++)
        if (m->slots[i] != PV__NONE && !add(world, s, i)) return false;
    return true;
}

/// Adds the candidate pairs of a body; returns false without memory.
static bool add_near(pv_world *world, const seeker *s, const grid *g) {
    double by = g->reach + PV__SWEPT_MARGIN;
    int64_t left = cell_of(s->box.min.x - by), right = cell_of(s->box.max.x + by);
    int64_t top = cell_of(s->box.min.y - by), bottom = cell_of(s->box.max.y + by);
    double cells = (double)(right - left + 1) * (double)(bottom - top + 1);
    if (world->matter.strides.count > 0 && !pv__body_gives(world, s->body) &&
        cells * SPARSE > g->far_end)
        return add_all(world, s);
    if (cells > g->chained) return add_range(world, s, 0, g->far_end);
    for (int64_t y = top; y <= bottom; y++)
        for (int64_t x = left; x <= right; x++)
            if (!add_cell(world, s, g, x, y)) return false;
    return add_range(world, s, g->chained, g->far_end);
}

/// Tells whether a particle in a candidate pair is so fast that it moves the sleeping body.
static bool wakes(const pv_world *world, const pv__near *n, double dt) {
    const pv__particles *p = &world->matter.particles;
    const pv__body *b = &world->bodies.items[n->body];
    double speed = pv__length(pv__particle_way(p, n->particle)) / world->dt;
    const pv__shape *shape = pv__particle_shape_of(b);
    if (speed * p->data[n->particle].mass * b->inverse_mass < PV__WAKING_SPEED || !shape)
        return false;
    pv_vec2 local = pv__pose_into_picture(b, b->pose, p->now[n->particle]);
    return pv__field_at(shape, local, NULL) - p->data[n->particle].radius < 1.5 * speed * dt + 1;
}

static void load(pv_world *world, const pv__nears *nears, int first, double dt) {
    for (int i = first; i < nears->count; i++) {
        const pv__near *n = &nears->items[i];
        pv__body *b = &world->bodies.items[n->body];
        if (b->type != PV_BODY_DYNAMIC) return;
        if (!b->awake && wakes(world, n, dt)) pv__wake_body(world, b);
        b->loaded = world->steps + 1;
    }
}

/// Makes the particles near bodies that give way take every substep.
static void hold(pv_world *world, const grid *g, double dt) {
    for (int i = 0; i < world->bodies.count; i++) {
        if (!pv__body_is_solid(&world->bodies.items[i]) || !pv__body_gives(world, i)) continue;
        seeker s = seeker_of(world, i, dt, true);
        add_near(world, &s, g);
    }
}

bool pv__particle_find_near(pv_world *world, double dt) {
    pv__matter *m = &world->matter;
    const pv__strides *k = &m->strides;
    m->nears.count = 0;
    if (m->particles.living == 0 || world->bodies.count == 0) return true;
    unsigned cells = (unsigned)pv__table_length(0, m->particles.living);
    if (!make_room(world, cells) || !pv__inside_update(world)) return false;
    grid g = sort(world, cells, dt);
    if (k->count > 0) hold(world, &g, dt);
    bool shaped = true;
    for (int i = 0; i < world->bodies.count; i++) {
        if (!pv__body_is_solid(&world->bodies.items[i])) continue;
        seeker s = seeker_of(world, i, dt, false);
        int first = m->nears.count, first_stride = k->nears.count;
        if (!add_near(world, &s, &g)) return false;
        shaped &= (m->nears.count == first && k->nears.count == first_stride) ||
                  pv__particle_shape_of(&world->bodies.items[i]);
        load(world, &m->nears, first, dt);
        load(world, &k->nears, first_stride, dt);
    }
    return pv__inside_leave_out(world) && shaped;
}

/* ---- particles against sprites, both ways ----
 *
 * Invariant: a particle whose center is nearer to a contour than its radius moves out along the
 * field's gradient. The body moves the other way, in the ratio of effective inverse masses. Pushes
 * act on the particle's center at the start of the carried motion, so they conserve linear and
 * angular momentum (anchor.h). Coulomb friction takes back the displacement along the surface, all
 * of it within static friction. A one-way body holds a particle that was outside when the substep
 * began and comes from the front. A particle inside passes until it is out. Relative to each other
 * body, the straight path of a fast particle from the start of the substep to its end crosses
 * nothing.
 */

/// Number of looks of a trace that may be closer together than PV__LEAST_LOOK. Without this limit,
/// a path along a surface could take any number of looks, and in a stride it takes many.
enum { FREE_LOOKS = 32, FREE_LOOKS_IN_STRIDE = 2 };
/// Depth of a center in a body that blocks its path: half the distance of two looks [px]
static const double BLOCKED = 0.5 * PV__LEAST_LOOK;
/// Greatest number of times in a round that the paths of particles are cut short
enum { ENDINGS = 3 };
/// Share that is added to the approach, because a particle gets deeper into a turning body
static const double TURNING = 0.1;
/// Speed at which a particle that was inside before moves out, without a change of velocity [px/s]
static const double EMERGE = 200;

/// Body in contact, in its current state
typedef struct target {
    int index;
    const pv__body *body;
    const pv__shape *shape;
    /// Pose now, and pose when the substep began
    pv__pose now, then;
    pv_vec2 velocity;
    double spin;
    bool gives, moves, one_way;
    /// Length of the motion that ends now, a substep or a stride [s], and its number of substeps
    double h, substeps;
    /// Displacement of its surface in that time [px]
    double run;
    bool in_stride;
    /// Displacement in a stride at the particle's final velocity, less its actual displacement
    /// [px]; 0 in a substep
    pv_vec2 lead;
    /// Mixed material with the particle in contact
    pv__material material;
} target;

/// Candidate pairs that are solved together, in a substep or at the end of a stride
typedef struct contact_round {
    const pv__nears *nears;
    /// Number of the substep or the stride
    int index;
    /// Length of the motion [s]
    double h;
    /// Poses of the bodies when the stride began, or null
    const pv__pose *poses;
} contact_round;

static void look(const pv_world *world, target *t) {
    t->now = pv__body_pose_now(world, t->index);
    t->velocity = pv__body_velocity_now(world, t->index);
    t->spin = pv__body_spin_now(world, t->index);
}

static target target_of(const pv_world *world, const contact_round *r, int index) {
    const pv__body *b = &world->bodies.items[index];
    target t = {
        .index = index,
        .body = b,
        .shape = pv__particle_shape_of(b),
        .gives = pv__body_gives(world, index),
        .moves = b->awake,
        .one_way = pv__body_is_one_way(b),
        .h = r->h,
        .substeps = r->h / world->dt,
        .run = r->h * b->tangent_speed,
        .in_stride = r->poses != NULL,
    };
    look(world, &t);
    t.then = r->poses ? r->poses[index] : pv__body_pose_then(world, index);
    return t;
}

/// Path in the mask's coordinates, and the distance to keep from the contour
typedef struct path {
    const pv__shape *shape;
    pv_vec2 from, way;
    double length, radius;
    /// True if the end of the path must keep that distance, too
    bool closed;
    /// Number of looks that may be near each other
    int free_looks;
} path;

/// Returns the free distance around a place on a path [px].
static double contact_room(const path *k, double gone) {
    pv_vec2 at = pv__mad(k->from, gone / k->length, k->way);
    return pv__field_at(k->shape, at, NULL) - k->radius;
}

/// Returns the last place between two looks of a path that still has room.
static double between(const path *k, double low, double high) {
    while (high - low > PV__CLOSE) {
        double middle = 0.5 * (low + high);
        if (contact_room(k, middle) < PV__CLOSE)
            high = middle;
        else
            low = middle;
    }
    return low;
}

/// Traces a path through a distance field (sphere tracing, Hart 1996). The room is that at its
/// start.
/// @return part of the path after which the contour is a radius away, or 1 if it never is
static double follow(const path *k, double room) {
    double gone = 0, last = 0;
    for (int i = 0; gone < k->length; i++) {
        if (i > 0) room = contact_room(k, gone);
        if (room < PV__CLOSE)
            return (i > k->free_looks ? between(k, last, gone) : gone) / k->length;
        if (gone + room >= k->length + 2 * PV__CLOSE) return 1;
        last = gone;
        gone += i < k->free_looks ? room : pv__max(room, PV__LEAST_LOOK);
    }
    if (!k->closed || contact_room(k, k->length) >= PV__CLOSE) return 1;
    return between(k, last, k->length) / k->length;
}

/// Returns the distance after which a center that starts in a body is out of it, or 0 if it gets
/// deeper [px].
static double way_out(const path *k, double start) {
    double gone = 0, room = start;
    while (room < PV__CLOSE && gone < k->length) {
        gone = pv__min(gone + pv__max(-room, BLOCKED), k->length);
        room = contact_room(k, gone);
        if (room < start - 0.5 * BLOCKED) return 0;
    }
    return room < start ? 0 : gone;
}

/// Returns the part of a path at which a body blocks its center, or 1. A center in the body may
/// leave it.
static double blocked_at(const target *t, pv_vec2 from, pv_vec2 way) {
    path k = {t->shape, from, way, pv__length(way), -BLOCKED, true, FREE_LOOKS};
    if (!(k.length > 0 && k.length <= PV__FARTHEST_SWEEP)) return 1;
    double room = contact_room(&k, 0);
    if (room >= PV__CLOSE) return follow(&k, room);
    double out = way_out(&k, room) / k.length;
    if (!(out > 0 && out < 1)) return out > 0;
    k.from = pv__mad(from, out, way);
    k.way = pv__mul(1 - out, way);
    k.length = pv__length(k.way);
    return out + (1 - out) * follow(&k, contact_room(&k, 0));
}

/// Returns where a particle began the motion; after a bounce, that is not its previous place.
static pv_vec2 start_of(const pv__matter *m, int i) {
    return m->particles.bound[i] & (PV__DEFLECTED | PV__STRIDES) ? m->starts[i]
                                                                 : m->particles.was[i];
}

/// Place on a path: part of it, distance from the contour, and the gradient there
typedef struct place {
    double part, off;
    pv_vec2 gradient;
} place;

PV__INLINE place place_at(const target *t, pv_vec2 from, pv_vec2 way, double part) {
    place k = {.part = part};
    k.off = pv__field_at(t->shape, pv__mad(from, part, way), &k.gradient);
    return k;
}

/// Returns the place at which a particle touched, or the end of its path. A path longer than two
/// looks, or than the radius, is traced, so that no thin body is missed.
static place touch_of(const target *t, pv_vec2 from, pv_vec2 way, double radius) {
    double followed = pv__clamp(radius, BLOCKED, 2 * PV__LEAST_LOOK), part = 1;
    double square = pv__dot(way, way);
    /* A trace would never reach the end of a path that leads beyond all coordinates. */
    if (square <= followed * followed || !(square <= PV__FARTHEST_SWEEP * PV__FARTHEST_SWEEP))
        return place_at(t, from, way, 1);
    place start = place_at(t, from, way, 0);
    double near = pv__min(radius, PV__FIELD_REACH - 1);
    int free_looks = t->in_stride ? FREE_LOOKS_IN_STRIDE : FREE_LOOKS;
    path k = {t->shape, from, way, pv__length(way), near, false, free_looks};
    if (start.off - near >= PV__CLOSE)
        part = follow(&k, start.off - near);
    else if (pv__dot(start.gradient, way) >= 0)
        part = blocked_at(t, from, way);
    else
        return start;
    return part == 0 ? start : place_at(t, from, way, part);
}

/// Tells whether a particle has depth in a body at a place of its path, and stores the contact.
PV__INLINE bool is_deep(const target *t, const place *k, pv_vec2 way, double radius,
                        pv__strike *s) {
    double off = k->off - radius, steep = pv__length(k->gradient);
    s->depth = -off;
    if (k->part == 1 && (off >= 0 || steep < PV__NEGLIGIBLE)) return false;
    pv_vec2 normal = steep < PV__NEGLIGIBLE ? pv__mul(-1 / pv__length(way), way) /* at a corner */
                                            : pv__mul(1 / steep, k->gradient);
    s->depth -= pv__min(0, pv__dot(normal, pv__mul(1 - k->part, way)));
    s->normal = pv__rotate(t->now.turn, normal);
    return s->depth > 0;
}

/// Returns the place of a particle when the substep began, in the mask's coordinates.
static pv_vec2 contact_from(const pv_world *world, const target *t, int i) {
    return pv__pose_into_picture(t->body, t->then, start_of(&world->matter, i));
}

/// Returns the contact of a particle with a body in the substep.
static pv__strike strike_of(const pv_world *world, const target *t, int particle) {
    const pv__particles *p = &world->matter.particles;
    double radius = p->data[particle].radius;
    pv_vec2 from = contact_from(world, t, particle),
            way = pv__sub(pv__pose_into_picture(t->body, t->now, p->now[particle]), from);
    place k = touch_of(t, from, way, radius);
    pv__strike s = {.particle = particle};
    s.struck = is_deep(t, &k, way, radius, &s);
    if (s.struck || k.part == 1) return s;
    /* it only slides past the place that it touched */
    k.part = blocked_at(t, from, way);
    if (k.part == 1) return s;
    k = place_at(t, from, way, k.part);
    s.struck = is_deep(t, &k, way, radius, &s);
    return s;
}

bool pv__particle_find_strikes(const pv_world *world, int body, const int *particles, int count,
                               pv__strike *strikes) {
    target t = target_of(world, &(contact_round){.h = world->dt}, body);
    for (int i = 0; i < count && t.shape; i++) strikes[i] = strike_of(world, &t, particles[i]);
    return t.shape != NULL;
}

/* ---- responses ---- */

/// Returns the lever from the body's center to the particle, carry of a substep ago [px].
static pv_vec2 lever_of(const pv_world *world, const target *t, const pv__strike *s, double carry) {
    const pv__particles *p = &world->matter.particles;
    if (!t->moves) return pv__vec(0, 0);
    pv_vec2 then = pv__lerp(p->now[s->particle], p->was[s->particle], carry);
    return pv__sub(then, pv__mad(t->now.center, -carry * t->h, t->velocity));
}

/// Returns the displacement of a particle relative to the body's material; mine is the particle's
/// own displacement [px].
static pv_vec2 way_past(const target *t, pv_vec2 mine, pv_vec2 lever) {
    return t->moves ? pv__mad(mine, -t->h, pv__mad(t->velocity, t->spin, pv__perp(lever))) : mine;
}

static pv_vec2 relative_way(const pv_world *world, const target *t, const pv__strike *s,
                            pv_vec2 lever) {
    return way_past(t, pv__particle_way(&world->matter.particles, s->particle), lever);
}

/// Returns the relative displacement in the next motion, for the current velocities [px].
static pv_vec2 next_way(const pv_world *world, const target *t, const pv__strike *s) {
    pv_vec2 step = pv__particle_way(&world->matter.particles, s->particle);
    return way_past(t, pv__mul(t->substeps, step), lever_of(world, t, s, 0));
}

static double yield_of(const pv_world *world, const target *t, const pv__strike *s, pv_vec2 lever,
                       pv_vec2 n) {
    double w = world->matter.particles.inverse_mass[s->particle];
    return t->gives ? w + pv__anchor_body_yield(world, t->index, lever, n) : w;
}

static void contact_push(pv_world *world, target *t, const pv__strike *s, pv_vec2 lever,
                         pv_vec2 push, double carry) {
    pv__particle_push(&world->matter.particles, s->particle, push, carry);
    if (!t->gives) return;
    /* the body's pushes are those of a substep */
    pv__body_push(world, t->index, lever, pv__mul(-1 / t->substeps, push), carry * t->substeps);
    look(world, t);
}

/// Applies friction after a push of a given size along the normal [mass px]. Liquids slip.
static void rub(pv_world *world, target *t, const pv__strike *s, double pushed, double carry) {
    pv_vec2 lever = lever_of(world, t, s, carry), way = relative_way(world, t, s, lever);
    pv_vec2 along = pv__mad(way, -pv__dot(way, s->normal), s->normal);
    along = pv__mad(along, -t->run, pv__perp(s->normal));
    double length = pv__length(along);
    if (length < 1e-12 || world->matter.particles.data[s->particle].liquid >= 0) return;
    pv_vec2 d = pv__mul(1 / length, along);
    double whole = length / yield_of(world, t, s, lever, d);
    double holds = t->material.static_friction * pushed,
           slides = t->material.kinetic_friction * pushed;
    contact_push(world, t, s, lever, pv__mul(-(whole <= holds ? whole : pv__min(whole, slides)), d),
                 carry);
}

/// Reverses the approach of a particle, with restitution.
/// @param left part of the motion after the touch
static void contact_bounce(pv_world *world, target *t, const pv__strike *s, double left) {
    pv__particles *p = &world->matter.particles;
    int i = s->particle;
    pv_bounce how = p->data[i].bounce;
    bool back =
        how == PV_BOUNCE_TOUCH || (how == PV_BOUNCE_REFLECT && s->depth > p->data[i].radius);
    double carry = back ? left : 0;
    if (how == PV_BOUNCE_SWAP) { /* back along its own path, which keeps momentum */
        pv_vec2 way = pv__particle_way(p, i);
        p->now[i] = t->in_stride ? world->matter.starts[i] : p->was[i];
        p->was[i] = pv__sub(p->now[i], way);
    }
    pv_vec2 lever = lever_of(world, t, s, carry);
    pv_vec2 way = relative_way(world, t, s, lever);
    double along =
        pv__dot(pv__mad(way, how == PV_BOUNCE_SWAP ? -1 : -2 * carry, t->lead), s->normal);
    double size = -(1 + t->material.restitution) * along / yield_of(world, t, s, lever, s->normal);
    contact_push(world, t, s, lever, pv__mul(size, s->normal), carry);
    rub(world, t, s, size, carry);
}

/// Gradually moves out a particle that was inside before, without a change of velocity. If both
/// pass each other, this adds angular momentum, so the body's rotation loses the same amount.
static void emerge(pv_world *world, target *t, const pv__strike *s, double by) {
    pv__particles *p = &world->matter.particles;
    int i = s->particle;
    double w = p->inverse_mass[i],
           body_w = t->gives ? pv__body_center_yield(t->body, s->normal) : 0;
    if (by <= 0 || !(w + body_w > 0)) return;
    pv_vec2 push = pv__mul(pv__min(by, EMERGE * t->h) / (w + body_w), s->normal);
    pv_vec2 passing = pv__sub(pv__mul(1 / t->h, pv__particle_way(p, i)), t->velocity);
    p->now[i] = pv__mad(p->now[i], w, push);
    p->was[i] = pv__mad(p->was[i], w, push);
    if (!t->gives) return;
    pv__body_shift(world, t->index, pv__mul(-t->body->inverse_mass, push));
    if (w > 0) pv__body_twist(world, t->index, -world->dt * pv__cross(push, passing), 0);
    look(world, t);
    if (!t->in_stride) t->then = pv__body_pose_then(world, t->index);
}

/// Resolves the depth gained in this motion, and gradually the older depth.
static void move_out(pv_world *world, target *t, const pv__strike *s, double approach) {
    double fresh = approach > 0 ? pv__min(s->depth, (1 + TURNING) * approach + PV__CLOSE) : 0;
    double carry = t->in_stride && approach > 0 ? pv__min(fresh / approach, 1 + TURNING) : 1;
    pv_vec2 lever = lever_of(world, t, s, carry);
    double size = fresh / (carry * yield_of(world, t, s, lever, s->normal));
    if (size > 0) {
        contact_push(world, t, s, lever, pv__mul(size, s->normal), carry);
        rub(world, t, s, size, carry);
    }
    emerge(world, t, s, s->depth - fresh);
}

/// Returns the part of the motion that comes after the touch, or 0 without a bounce. In that part,
/// the particle reached its depth: depth = left approach - left^2 fall.
/// @param approach displacement with the velocity at the end of the motion [px]
static double contact_left(const pv_world *world, const target *t, const pv__strike *s,
                           double approach) {
    double restitution = t->material.restitution;
    double least = world->def.restitution_threshold * t->h, fall = -pv__dot(t->lead, s->normal);
    if (!(approach + pv__max(0, -2 * fall) > least)) return 0;
    double root =
        fall == 0 ? approach : sqrt(pv__max(0, approach * approach - 4 * fall * s->depth));
    double left = pv__min(1, 2 * s->depth / (approach + root)), touch = approach - 2 * left * fall;
    return touch > least && restitution * touch >= left * fall ? left : 0;
}

/// Resolves a contact. A particle that would fall back within the motion does not bounce. Returns
/// false for one that leaves by itself.
static bool resolve(pv_world *world, target *t, const pv__strike *s) {
    const pv__particle_data *g = &world->matter.particles.data[s->particle];
    pv_vec2 lever = lever_of(world, t, s, 0);
    double approach = -pv__dot(relative_way(world, t, s, lever), s->normal);
    t->material = pv__impulse_mix_materials(world, &g->material, &t->body->material);
    if (!(yield_of(world, t, s, lever, s->normal) > 0)) return false;
    double left = 0;
    if (g->bounce != PV_BOUNCE_NONE && t->material.restitution > 0)
        left = contact_left(world, t, s, approach);
    if (left > 0)
        contact_bounce(world, t, s, left);
    else if (s->depth > -approach) /* otherwise it leaves in this motion anyway */
        move_out(world, t, s, approach);
    else
        return false;
    return true;
}

/// Tells whether a one-way body holds a particle that hit it. It is not inlined, so that other
/// bodies do not pay for it.
__attribute__((noinline)) static bool contact_holds(const pv_world *world, const target *t,
                                                    const pv__strike *s, pv__near *n, int substep) {
    const pv__matter *m = &world->matter;
    if (!pv__one_way_holds_at(t->body, t->now.turn, s->normal)) return false;
    if (n->held == substep) return true; /* a bounce has changed its previous place */
    pv_vec2 from = contact_from(world, t, n->particle);
    double off = place_at(t, from, from, 0).off;
    bool leaves = pv__dot(next_way(world, t, s), s->normal) >= 0;
    if (leaves || off - m->particles.data[n->particle].radius < -PV__DEEP) return false;
    n->held = substep;
    return true;
}

/// Resolves a contact at the end of a stride. For that, the particle's displacement is its final
/// velocity times the length of the stride.
static void resolve_stride(pv_world *world, target *t, const pv__strike *s) {
    pv__matter *m = &world->matter;
    pv__particles *p = &m->particles;
    int i = s->particle;
    pv_vec2 was = p->was[i], way = pv__mul(t->substeps, pv__sub(p->now[i], was));
    t->lead =
        p->bound[i] & PV__STRUCK ? pv__vec(0, 0) : pv__sub(way, pv__sub(p->now[i], m->starts[i]));
    p->bound[i] |= PV__STRUCK;
    p->was[i] = pv__sub(p->now[i], way);
    bool turned = resolve(world, t, s);
    way = pv__particle_way(p, i);
    p->was[i] = turned ? pv__mad(p->now[i], -1 / t->substeps, way) : was;
}

/// Returns a place in the picture of a body that moves; for other bodies, the place itself.
static pv_vec2 place_on(const target *t, const pv__pose *pose, pv_vec2 at) {
    return t->moves ? pv__pose_into_picture(t->body, *pose, at) : at;
}

/// Tells whether a particle may have passed a wall; way is its displacement relative to the body.
/// In a stride, the body may also turn. A displacement up to one look passes no wall.
static bool may_pass(const pv_world *world, const target *t, pv_vec2 way, int i) {
    const pv__particles *p = &world->matter.particles;
    double far = PV__LEAST_LOOK;
    if (t->in_stride && t->moves) return true;
    if (t->in_stride) far = pv__max(far, 0.5 * p->data[i].radius);
    pv_vec2 next = pv__particle_way(p, i);
    return pv__dot(way, way) > far * far || (!t->in_stride && pv__dot(next, next) > far * far);
}

/// Resolves a contact. Remembers where the particle began the motion, if it may have passed a wall.
static void strike_one(pv_world *world, target *t, const pv__strike *s) {
    pv__matter *m = &world->matter;
    int i = s->particle;
    pv_vec2 start = start_of(m, i), from = place_on(t, &t->then, start);
    if (t->in_stride)
        resolve_stride(world, t, s);
    else
        resolve(world, t, s);
    pv_vec2 to = place_on(t, &t->now, m->particles.now[i]);
    if (!may_pass(world, t, pv__sub(to, from), i)) return;
    m->starts[i] = start;
    m->particles.bound[i] |= PV__DEFLECTED;
    m->deflected = true;
}

/// Cuts a particle's path short in front of a body that it would pass; keeps its velocity. Tells
/// whether it did.
static bool end_way(pv_world *world, const target *t, int i) {
    pv__particles *p = &world->matter.particles;
    pv_vec2 from = contact_from(world, t, i),
            way = pv__sub(pv__pose_into_picture(t->body, t->now, p->now[i]), from);
    double part = blocked_at(t, from, way);
    if (part == 1) return false;
    pv_vec2 arm = pv__sub(pv__mad(from, part, way), t->body->pixels->pivot);
    pv_vec2 by = pv__sub(pv__add(t->now.center, pv__rotate(t->now.turn, arm)), p->now[i]);
    p->now[i] = pv__add(p->now[i], by);
    p->was[i] = pv__add(p->was[i], by);
    return true;
}

/// Cuts short the paths of fast particles that a contact has deflected toward another body. Tells
/// whether it did.
static bool end_ways(pv_world *world, const contact_round *r) {
    target t = {.index = -1};
    bool ended = false;
    for (int i = 0; i < r->nears->count; i++) {
        pv__near *n = &r->nears->items[i];
        if (!(world->matter.particles.bound[n->particle] & PV__DEFLECTED)) continue;
        n->due = r->index + 1;
        if (n->body != t.index) t = target_of(world, r, n->body);
        if (t.shape && (!t.one_way || n->held == r->index))
            ended |= end_way(world, &t, n->particle);
    }
    return ended;
}

static void strike_round(pv_world *world, const contact_round *r) {
    const pv__matter *m = &world->matter;
    target t = {.index = -1};
    for (int i = 0; i < r->nears->count; i++) {
        pv__near *n = &r->nears->items[i];
        if (n->due > r->index || m->particles.data[n->particle].polygon >= 0) continue;
        if (n->body != t.index) t = target_of(world, r, n->body);
        if (!t.shape) {
            n->due = r->index + 1;
            continue;
        }
        pv__strike s = strike_of(world, &t, n->particle);
        if (!s.struck)
            n->due = r->index +
                     pv__rest_of_pair(-s.depth, pv__length(next_way(world, &t, &s)), t.substeps);
        else if (!t.one_way || contact_holds(world, &t, &s, n, r->index))
            strike_one(world, &t, &s);
    }
    for (int i = 0; m->deflected && i < ENDINGS; i++)
        if (!end_ways(world, r)) break;
}

/// Forgets which particles were hit.
static void forget(pv__matter *m, const pv__nears *nears) {
    for (int i = 0; i < nears->count; i++)
        m->particles.bound[nears->items[i].particle] &=
            (unsigned char)~(PV__DEFLECTED | PV__STRUCK);
    m->deflected = false;
}

void pv__particle_strike_all(pv_world *world, int substep) {
    strike_round(world, &(contact_round){&world->matter.nears, substep, world->dt, NULL});
}

void pv__particle_land(pv_world *world) {
    if (world->matter.deflected) forget(&world->matter, &world->matter.nears);
}

void pv__particle_strike_in_stride(pv_world *world, const pv__stride *stride) {
    const pv__strides *k = &world->matter.strides;
    double h = world->dt * (stride->end - stride->first);
    if (k->nears.count == 0) return;
    strike_round(world, &(contact_round){&k->nears, stride->index, h, k->poses});
    forget(&world->matter, &k->nears);
}
