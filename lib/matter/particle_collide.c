/* particle_collide.c - particles against sprites: candidate pairs of a step, and contacts.
 *
 * Invariant: an unlisted pair does not touch in the step, unless its particle gets faster by half
 * than at the start. The list is in order of bodies, and of cells and slots for each body, never of
 * addresses.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "matter/particle_collide.h"
#include "core/anchor.h"
#include "core/filter.h"
#include "core/impulse.h"
#include "core/pose.h"
#include "core/wake.h"
#include "joint/constraint.h"
#include "shape/distance_field.h"

/// Side of a grid cell [px]
static const double CELL = 32;
/// Displacement in a step above which a particle is tested against all bodies [px]
static const double PARTICLE_PAIRS_FAR = 64;
/// Bound of the distance between any two places [px]
static const double PARTICLE_PAIRS_FARTHEST = 4 * PV_MAX_COORDINATE;

static unsigned hash_cell(int64_t x, int64_t y, unsigned mask) {
    uint64_t h =
        (uint64_t)x * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)y * UINT64_C(0xc2b2ae3d27d4eb4f);
    return (unsigned)(h >> 40) & mask;
}

static int64_t particle_pairs_cell_of(double x) { return pv__floor(x / CELL); }

static bool can_touch(const pv__particles *p, int i) {
    return (p->data[i].generation & 1) && !p->data[i].passes;
}

/// Returns the greatest displacement of a particle in a step, as far as it is known [px].
static double particle_pairs_way_of(const pv_world *world, int i, double dt) {
    const pv__particles *p = &world->matter.particles;
    double steps = dt / world->dt;
    pv_vec2 d = pv__sub(p->now[i], p->was[i]), g = world->def.gravity;
    return 1.5 * (steps * pv__length(d) + dt * dt * pv__length_most(g.x, g.y));
}

/* ---- the grid ---- */

/// Particles that can touch: near ones in chains by cell, then far ones
typedef struct grid {
    unsigned mask;
    int chained, far_end;
    /// Greatest sum of displacement and radius of chained particles [px]
    double reach;
} grid;

static bool particle_pairs_make_room(pv_world *world, unsigned slots) {
    pv__matter *m = &world->matter;
    return pv__reserve(&world->def.allocator, &m->cells, &m->cell_capacity, (int)slots + 1,
                       sizeof(int)) &&
           pv__reserve(&world->def.allocator, &m->sorted, &m->sorted_capacity,
                       m->particles.count + 1, sizeof(int)) &&
           pv__reserve(&world->def.allocator, &m->starts, &m->start_capacity,
                       m->particles.count + 1, sizeof(pv_vec2));
}

static unsigned particle_pairs_slot_of(const pv__particles *p, int i, unsigned mask) {
    return hash_cell(particle_pairs_cell_of(p->now[i].x), particle_pairs_cell_of(p->now[i].y),
                     mask);
}

/// Sorts particles by the slot of their cell, with a counting sort.
static grid particle_pairs_sort(pv_world *world, unsigned slots, double dt) {
    pv__matter *m = &world->matter;
    const pv__particles *p = &m->particles;
    grid g = {.mask = slots - 1};
    for (unsigned i = 0; i <= slots; i++) m->cells[i] = 0;
    for (int i = 1; i < p->count; i++) {
        if (!can_touch(p, i)) continue;
        double way = particle_pairs_way_of(world, i, dt);
        if (way > PARTICLE_PAIRS_FAR) continue;
        g.reach = pv__max(g.reach, way + p->data[i].radius);
        m->cells[particle_pairs_slot_of(p, i, g.mask) + 1]++;
    }
    for (unsigned i = 0; i < slots; i++) m->cells[i + 1] += m->cells[i];
    g.chained = m->cells[slots];
    g.far_end = g.chained;
    for (int i = p->count - 1; i >= 1;
         i--) { /* backwards, from each chain's end, so that slots rise in it */
        if (!can_touch(p, i)) continue;
        if (particle_pairs_way_of(world, i, dt) > PARTICLE_PAIRS_FAR)
            m->sorted[g.far_end++] = i;
        else
            m->sorted[--m->cells[particle_pairs_slot_of(p, i, g.mask) + 1]] = i;
    }
    return g;
}

/* ---- pairs ---- */

/// Body, and its swept box in the step
typedef struct seeker {
    int body;
    pv_box box;
    double dt;
} seeker;

static seeker seeker_of(const pv_world *world, int body, double dt) {
    const pv__body *b = &world->bodies.items[body];
    pv_box box = pv__pose_box(b, b->pose);
    if (b->awake) {
        pv__chord chord = pv__pose_chord_of(b);
        double steps = dt / world->dt,
               turn = pv__min(pv__abs(chord.angle) * steps, 2) * b->pixels->reach;
        double way = 1.5 * (steps * pv__length(chord.way) + turn +
                            dt * dt * pv__length(world->def.gravity)) +
                     PV__SWEPT_MARGIN;
        way = pv__min(way, PARTICLE_PAIRS_FARTHEST);
        box.min = pv__sub(box.min, pv__vec(way, way));
        box.max = pv__add(box.max, pv__vec(way, way));
    }
    return (seeker){body, box, dt};
}

static bool reaches(const pv_world *world, const seeker *s, int i) {
    const pv__particles *p = &world->matter.particles;
    double by = particle_pairs_way_of(world, i, s->dt) + p->data[i].radius + PV__SWEPT_MARGIN;
    pv_vec2 at = p->now[i];
    return at.x >= s->box.min.x - by && at.x <= s->box.max.x + by && at.y >= s->box.min.y - by &&
           at.y <= s->box.max.y + by;
}

/// Tells whether filters and joints let a particle and a body collide.
static bool particle_pairs_may_meet(const pv_world *world, int i, int body) {
    if (world->bodies.filtered &&
        !pv__filter_agrees(world->matter.particles.filter[i], world->bodies.items[body].filter))
        return false;
    return world->matter.bar_count == 0 ||
           !pv__filter_is_barred(world, pv__constraint_name_bar(world, i), body);
}

static bool particle_pairs_add(pv_world *world, const seeker *s, int i) {
    pv__matter *m = &world->matter;
    if (!reaches(world, s, i)) return true;
    if (!particle_pairs_may_meet(world, i, s->body)) return true;
    if (!pv__reserve(&world->def.allocator, &m->nears, &m->near_capacity, m->near_count + 1,
                     sizeof(pv__near)))
        return false;
    m->nears[m->near_count++] = (pv__near){i, s->body, 0, -1};
    m->particles.bound[i] |= PV__MEETS;
    return true;
}

static bool add_range(pv_world *world, const seeker *s, int first, int end) {
    for (int i = first; i < end; i++)
        if (!particle_pairs_add(world, s, world->matter.sorted[i])) return false;
    return true;
}

/// Adds the particles of a cell; returns false without memory. A slot may have many cells, but each
/// particle is in its own cell alone.
static bool add_cell(pv_world *world, const seeker *s, const grid *g, int64_t x, int64_t y) {
    const pv__matter *m = &world->matter;
    unsigned slot = hash_cell(x, y, g->mask);
    for (int i = m->cells[slot + 1]; i < (slot == g->mask ? g->chained : m->cells[slot + 2]); i++) {
        pv_vec2 at = m->particles.now[m->sorted[i]];
        if (particle_pairs_cell_of(at.x) == x && particle_pairs_cell_of(at.y) == y &&
            !particle_pairs_add(world, s, m->sorted[i]))
            return false;
    }
    return true;
}

static bool add_near(pv_world *world, const seeker *s, const grid *g) {
    double by = g->reach + PV__SWEPT_MARGIN;
    int64_t left = particle_pairs_cell_of(s->box.min.x - by),
            right = particle_pairs_cell_of(s->box.max.x + by);
    int64_t top = particle_pairs_cell_of(s->box.min.y - by),
            bottom = particle_pairs_cell_of(s->box.max.y + by);
    if ((double)(right - left + 1) * (double)(bottom - top + 1) > g->chained)
        return add_range(world, s, 0, g->chained);
    for (int64_t y = top; y <= bottom; y++)
        for (int64_t x = left; x <= right; x++)
            if (!add_cell(world, s, g, x, y)) return false;
    return true;
}

/// Tells whether a particle in a candidate pair is so fast that it moves the sleeping body.
static bool particle_pairs_wakes(const pv_world *world, const pv__near *n, double dt) {
    const pv__particles *p = &world->matter.particles;
    const pv__body *b = &world->bodies.items[n->body];
    pv_vec2 d = pv__sub(p->now[n->particle], p->was[n->particle]);
    double speed = pv__length(d) / world->dt;
    const pv__shape *shape = pv__particle_shape_of(b);
    if (speed * p->data[n->particle].mass * b->inverse_mass < PV__WAKING_SPEED || !shape)
        return false;
    pv_vec2 local = pv__add(
        b->pixels->pivot, pv__unrotate(b->pose.turn, pv__sub(p->now[n->particle], b->pose.center)));
    return pv__field_at(shape, local, NULL) - p->data[n->particle].radius < 1.5 * speed * dt + 1;
}

static void particle_pairs_load(pv_world *world, int first, double dt) {
    for (int i = first; i < world->matter.near_count; i++) {
        const pv__near *n = &world->matter.nears[i];
        pv__body *b = &world->bodies.items[n->body];
        if (b->type != PV_BODY_DYNAMIC) return;
        if (!b->awake && particle_pairs_wakes(world, n, dt)) pv__wake_body(world, b);
        b->loaded = world->steps + 1;
    }
}

bool pv__particle_find_near(pv_world *world, double dt) {
    pv__matter *m = &world->matter;
    m->near_count = 0;
    if (m->particles.living == 0 || world->bodies.count == 0) return true;
    unsigned slots = 64;
    while ((int)slots < m->particles.living) slots *= 2;
    if (!particle_pairs_make_room(world, slots + 1)) return false;
    grid g = particle_pairs_sort(world, slots, dt);
    bool shaped = true;
    for (int i = 0; i < world->bodies.count; i++) {
        if (!pv__body_is_solid(&world->bodies.items[i])) continue;
        seeker s = seeker_of(world, i, dt);
        int first = m->near_count;
        if (!add_near(world, &s, &g) || !add_range(world, &s, g.chained, g.far_end)) return false;
        shaped &= m->near_count == first || pv__particle_shape_of(&world->bodies.items[i]);
        particle_pairs_load(world, first, dt);
    }
    return shaped;
}

/* ---- particles against sprites, both ways ----
 *
 * Invariant: a particle whose center is nearer to a contour than its radius moves out along the
 * field's gradient. The body moves the other way, in the ratio of effective inverse masses. Pushes
 * act on the particle's center at the start of the carried motion, so they conserve linear and
 * angular momentum (anchor.h). Coulomb friction takes back the displacement along the surface, all
 * of it within static friction. A one-way body holds a particle that was outside when the substep
 * began and comes from the front. A particle inside passes until it is out. Seen from each other
 * body, the straight way of a fast particle from the start of the substep to its end crosses
 * nothing.
 */

/// Displacement in a substep above which a path is traced, so that no thin body is missed [px]
static const double FOLLOWED = 0.5;
/// Distance at which a trace ends [px]
static const double PARTICLE_CONTACT_CLOSE = 1e-3;
/// Number of looks of a trace after which none is less than LEAST_LOOK ahead of the last one. A
/// path along a surface would otherwise take any number of looks.
enum { FREE_LOOKS = 32 };
/// Shortest way between two of these looks, less than half a pixel [px]
static const double LEAST_LOOK = 0.25;
/// Greatest radius that a trace can tell from the bound of the field's distances [px]
static const double TRACED_RADIUS = 7;
/// Depth of a center in a body from which on no way leads through it [px]
static const double BLOCKED = 0.125;
/// Displacement of a particle in a substep above which a contact may turn it through another wall
/// [px]
static const double DEFLECTING = 0.25;
/// Greatest number of times that the way of a particle is ended in a round
enum { ENDINGS = 3 };
/// Part of the approach that is added to it, because a turning body is entered deeper
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
    /// Displacement of its surface in a substep [px]
    double run;
} target;

/// Contact of a particle with the target
typedef struct particle_contact_strike {
    int particle;
    /// Normal out of the body
    pv_vec2 normal;
    /// Depth to resolve; < 0 for a particle outside [px]
    double depth;
} particle_contact_strike;

const pv__shape *pv__particle_shape_of(const pv__body *b) {
    return b->pixels->shape ? b->pixels->shape : pv__shape_of_mask(b->pixels->form);
}

static void particle_contact_look(const pv_world *world, target *t) {
    t->now = pv__body_pose_now(world, t->index);
    t->velocity = pv__body_velocity_now(world, t->index);
    t->spin = pv__body_spin_now(world, t->index);
}

static target target_of(const pv_world *world, int index) {
    const pv__body *b = &world->bodies.items[index];
    target t = {.index = index, .body = b, .shape = pv__particle_shape_of(b)};
    t.gives = pv__body_gives(world, index);
    t.moves = b->awake;
    t.one_way = pv__body_is_one_way(b);
    t.run = world->dt * b->tangent_speed;
    particle_contact_look(world, &t);
    t.then = t.moves ? pv__body_pose_then(world, index) : t.now;
    return t;
}

static pv_vec2 to_mask(const target *t, const pv__pose *pose, pv_vec2 point) {
    return pv__add(t->body->pixels->pivot, pv__unrotate(pose->turn, pv__sub(point, pose->center)));
}

/// Path in the mask's coordinates, and the distance to keep from the contour
typedef struct particle_contact_path {
    const pv__shape *shape;
    pv_vec2 from, way;
    double length, radius;
} particle_contact_path;

/// Returns the free way at a place of a path [px].
static double particle_contact_room(const particle_contact_path *k, double gone) {
    pv_vec2 at = pv__mad(k->from, gone / k->length, k->way);
    return pv__field_at(k->shape, at, NULL) - k->radius;
}

/// Returns the last place between two looks of a path that still has room.
static double particle_contact_between(const particle_contact_path *k, double low, double high) {
    while (high - low > PARTICLE_CONTACT_CLOSE) {
        double middle = 0.5 * (low + high);
        if (particle_contact_room(k, middle) < PARTICLE_CONTACT_CLOSE)
            high = middle;
        else
            low = middle;
    }
    return low;
}

/// Traces a path through a field with strides of the remaining distance (sphere tracing, Hart
/// 1996).
/// @param to_end look at the end of the path, too
/// @return part of the path after which the contour is a radius away, or 1 if it never is
static double particle_contact_follow(const pv__shape *shape, pv_vec2 from, pv_vec2 way,
                                      double radius, bool to_end) {
    particle_contact_path k = {shape, from, way, pv__length(way), radius};
    double gone = 0, last = 0;
    for (int i = 0; gone < k.length; i++) {
        double room = particle_contact_room(&k, gone);
        if (room < PARTICLE_CONTACT_CLOSE)
            return (i > FREE_LOOKS ? particle_contact_between(&k, last, gone) : gone) / k.length;
        last = gone;
        gone += i < FREE_LOOKS ? room : pv__max(room, LEAST_LOOK);
    }
    if (!to_end || particle_contact_room(&k, k.length) >= PARTICLE_CONTACT_CLOSE) return 1;
    return particle_contact_between(&k, last, k.length) / k.length;
}

/// Returns the way after which a center that begins in a body is out of it, or 0 if it ends deeper
/// in it [px].
static double particle_contact_way_out(const particle_contact_path *k) {
    double start = particle_contact_room(k, 0), gone = 0, room = start;
    while (room < PARTICLE_CONTACT_CLOSE && gone < k->length) {
        gone = pv__min(gone + pv__max(-room, 0.5 * LEAST_LOOK), k->length);
        room = particle_contact_room(k, gone);
        if (room < start - 0.5 * BLOCKED) return 0;
    }
    return room < start ? 0 : gone;
}

/// Returns the part of a path at which a body blocks its center, or 1. A center in the body may
/// leave it.
static double particle_contact_blocked_at(const pv__shape *shape, pv_vec2 from, pv_vec2 way) {
    particle_contact_path k = {shape, from, way, pv__length(way), -BLOCKED};
    if (!(k.length > 0)) return 1;
    if (particle_contact_room(&k, 0) >= PARTICLE_CONTACT_CLOSE)
        return particle_contact_follow(shape, from, way, -BLOCKED, true);
    double out = particle_contact_way_out(&k) / k.length;
    if (!(out > 0 && out < 1)) return out > 0;
    pv_vec2 at = pv__mad(from, out, way), rest = pv__mul(1 - out, way);
    return out + (1 - out) * particle_contact_follow(shape, at, rest, -BLOCKED, true);
}

static bool is_leaving(const pv__shape *shape, pv_vec2 from, pv_vec2 way) {
    pv_vec2 gradient;
    pv__field_at(shape, from, &gradient);
    return pv__dot(gradient, way) >= 0;
}

/// Returns the part of its path at which a particle touched, or 1; in the mask's coordinates.
static double particle_contact_touch_of(const target *t, pv_vec2 from, pv_vec2 way, double radius) {
    double followed = pv__clamp(radius, BLOCKED, FOLLOWED);
    if (pv__dot(way, way) <= followed * followed) return 1;
    double part =
        particle_contact_follow(t->shape, from, way, pv__min(radius, TRACED_RADIUS), false);
    if (part > 0 || !is_leaving(t->shape, from, way)) return part;
    return particle_contact_blocked_at(t->shape, from, way);
}

/// Returns the place of a particle at the start of the substep; a bounce changes the previous one.
static pv_vec2 particle_contact_start_of(const pv__matter *m, int i) {
    return m->particles.bound[i] & PV__DEFLECTED ? m->starts[i] : m->particles.was[i];
}

/// Tells whether a particle has depth in a body at a part of its path, and stores the contact.
static bool particle_contact_is_deep(const target *t, pv_vec2 from, pv_vec2 way, double part,
                                     double radius, particle_contact_strike *s) {
    pv_vec2 gradient;
    double off = pv__field_at(t->shape, pv__mad(from, part, way), &gradient) - radius;
    s->depth = -off;
    double steep = pv__length(gradient);
    if (part == 1 && (off >= 0 || steep < 1e-6)) return false;
    pv_vec2 normal = steep < 1e-6 ? pv__mul(-1 / pv__length(way), way) /* at a corner */
                                  : pv__mul(1 / steep, gradient);
    s->depth -= pv__min(0, pv__dot(normal, pv__mul(1 - part, way)));
    s->normal = pv__rotate(t->now.turn, normal);
    return s->depth > 0;
}

/// Returns the place of a particle when the substep began, in the mask's coordinates.
static pv_vec2 particle_contact_from(const pv_world *world, const target *t, int i) {
    return to_mask(t, &t->then, particle_contact_start_of(&world->matter, i));
}

/// Tells whether a particle hit a body in the substep, and stores the contact.
static bool is_struck(const pv_world *world, const target *t, int particle,
                      particle_contact_strike *s) {
    const pv__particles *p = &world->matter.particles;
    double radius = p->data[particle].radius;
    pv_vec2 from = particle_contact_from(world, t, particle),
            way = pv__sub(to_mask(t, &t->now, p->now[particle]), from);
    double part = particle_contact_touch_of(t, from, way, radius);
    *s = (particle_contact_strike){particle, pv__vec(0, 0), 0};
    if (particle_contact_is_deep(t, from, way, part, radius, s)) return true;
    if (part == 1) return false; /* otherwise it only slides past the place that it touched */
    part = particle_contact_blocked_at(t->shape, from, way);
    return part < 1 && particle_contact_is_deep(t, from, way, part, radius, s);
}

bool pv__particle_find_dents(const pv_world *world, int body, const int *particles, int count,
                             pv__dent *dents) {
    target t = target_of(world, body);
    for (int i = 0; i < count && t.shape; i++) {
        particle_contact_strike s;
        bool struck = is_struck(world, &t, particles[i], &s);
        dents[i] = (pv__dent){struck, s.normal, s.depth};
    }
    return t.shape != NULL;
}

/* ---- responses ---- */

/// Returns the lever from the body's center to the particle, carry of a substep ago [px].
static pv_vec2 particle_contact_lever_of(const pv_world *world, const target *t,
                                         const particle_contact_strike *s, double carry) {
    const pv__particles *p = &world->matter.particles;
    if (!t->moves) return pv__vec(0, 0);
    pv_vec2 then = pv__lerp(p->now[s->particle], p->was[s->particle], carry);
    return pv__sub(then, pv__mad(t->now.center, -carry * world->dt, t->velocity));
}

/// Returns the displacement of a particle relative to the body's material in the substep [px].
static pv_vec2 particle_contact_relative_way(const pv_world *world, const target *t,
                                             const particle_contact_strike *s, pv_vec2 lever) {
    const pv__particles *p = &world->matter.particles;
    pv_vec2 mine = pv__sub(p->now[s->particle], p->was[s->particle]);
    return t->moves ? pv__mad(mine, -world->dt, pv__mad(t->velocity, t->spin, pv__perp(lever)))
                    : mine;
}

static double particle_contact_yield_of(const pv_world *world, const target *t,
                                        const particle_contact_strike *s, pv_vec2 lever,
                                        pv_vec2 n) {
    double w = world->matter.particles.inverse_mass[s->particle];
    return t->gives ? w + pv__anchor_body_yield(world, t->index, lever, n) : w;
}

static void particle_contact_push(pv_world *world, target *t, const particle_contact_strike *s,
                                  pv_vec2 lever, pv_vec2 push, double carry) {
    pv__particle_push(&world->matter.particles, s->particle, push, carry);
    if (!t->gives) return;
    pv__body_push(world, t->index, lever, pv__mul(-1, push), carry);
    particle_contact_look(world, t);
}

/// Applies friction after a push along the normal of that size [mass px].
static void particle_contact_rub(pv_world *world, target *t, const particle_contact_strike *s,
                                 double pushed, double carry) {
    const pv__particle_data *g = &world->matter.particles.data[s->particle];
    pv_vec2 lever = particle_contact_lever_of(world, t, s, carry),
            way = particle_contact_relative_way(world, t, s, lever);
    pv_vec2 along = pv__mad(way, -pv__dot(way, s->normal), s->normal);
    along = pv__mad(along, -t->run, pv__perp(s->normal));
    double length = pv__length(along);
    if (length < 1e-12 || g->liquid >= 0) return; /* liquids slip */
    pv_vec2 d = pv__mul(1 / length, along);
    double whole = length / particle_contact_yield_of(world, t, s, lever, d);
    double holds = pv__impulse_mix(world->def.friction_mix, g->material.static_friction,
                                   t->body->material.static_friction) *
                   pushed;
    double slides = pv__impulse_mix(world->def.friction_mix, g->material.kinetic_friction,
                                    t->body->material.kinetic_friction) *
                    pushed;
    particle_contact_push(world, t, s, lever,
                          pv__mul(-(whole <= holds ? whole : pv__min(whole, slides)), d), carry);
}

/// Reverses the approach of a particle, with restitution.
static void particle_contact_bounce(pv_world *world, target *t, const particle_contact_strike *s,
                                    double approach, double restitution) {
    pv__particles *p = &world->matter.particles;
    int i = s->particle;
    pv_bounce how = p->data[i].bounce;
    bool back =
        how == PV_BOUNCE_TOUCH || (how == PV_BOUNCE_REFLECT && s->depth > p->data[i].radius);
    double carry = back ? pv__min(1, s->depth / approach) : 0;
    if (how == PV_BOUNCE_SWAP) { /* back along its own path, which keeps momentum */
        pv_vec2 way = pv__sub(p->now[i], p->was[i]);
        p->now[i] = p->was[i];
        p->was[i] = pv__sub(p->was[i], way);
    }
    pv_vec2 lever = particle_contact_lever_of(world, t, s, carry);
    double along = pv__dot(particle_contact_relative_way(world, t, s, lever), s->normal);
    double size =
        -(1 + restitution) * along / particle_contact_yield_of(world, t, s, lever, s->normal);
    particle_contact_push(world, t, s, lever, pv__mul(size, s->normal), carry);
    particle_contact_rub(world, t, s, size, carry);
}

/// Moves a particle that was inside before out gradually, without a change of velocity. The
/// displacement adds angular momentum if both pass each other. The body's rotation loses the same
/// amount.
static void emerge(pv_world *world, target *t, const particle_contact_strike *s, double by) {
    pv__particles *p = &world->matter.particles;
    int i = s->particle;
    double w = p->inverse_mass[i],
           body_w = t->gives ? pv__body_center_yield(t->body, s->normal) : 0;
    if (by <= 0 || !(w + body_w > 0)) return;
    pv_vec2 push = pv__mul(pv__min(by, EMERGE * world->dt) / (w + body_w), s->normal);
    pv_vec2 passing = pv__sub(pv__mul(1 / world->dt, pv__sub(p->now[i], p->was[i])), t->velocity);
    p->now[i] = pv__mad(p->now[i], w, push);
    p->was[i] = pv__mad(p->was[i], w, push);
    if (!t->gives) return;
    pv__body_shift(world, t->index, pv__mul(-t->body->inverse_mass, push));
    if (w > 0) pv__body_twist(world, t->index, -world->dt * pv__cross(push, passing), 0);
    particle_contact_look(world, t);
    t->then = pv__body_pose_then(world, t->index);
}

/// Resolves the depth of this substep, and gradually the depth from before.
static void move_out(pv_world *world, target *t, const particle_contact_strike *s,
                     double approach) {
    pv_vec2 lever = particle_contact_lever_of(world, t, s, 1);
    double fresh =
        approach > 0 ? pv__min(s->depth, (1 + TURNING) * approach + PARTICLE_CONTACT_CLOSE) : 0;
    double size = fresh / particle_contact_yield_of(world, t, s, lever, s->normal);
    if (size > 0) {
        particle_contact_push(world, t, s, lever, pv__mul(size, s->normal), 1);
        particle_contact_rub(world, t, s, size, 1);
    }
    emerge(world, t, s, s->depth - fresh);
}

static void resolve(pv_world *world, target *t, const particle_contact_strike *s) {
    const pv__particle_data *g = &world->matter.particles.data[s->particle];
    pv_vec2 lever = particle_contact_lever_of(world, t, s, 0);
    double approach = -pv__dot(particle_contact_relative_way(world, t, s, lever), s->normal);
    double restitution = pv__impulse_mix(world->def.restitution_mix, g->material.restitution,
                                         t->body->material.restitution);
    if (!(particle_contact_yield_of(world, t, s, lever, s->normal) > 0)) return;
    if (g->bounce != PV_BOUNCE_NONE && restitution > 0 &&
        approach > world->def.restitution_threshold * world->dt)
        particle_contact_bounce(world, t, s, approach, restitution);
    else if (s->depth > -approach) /* otherwise it leaves in this substep anyway */
        move_out(world, t, s, approach);
}

/// Tells whether a one-way body holds a particle that hit it. It is not inlined, so that other
/// bodies do not pay for it.
__attribute__((noinline)) static bool particle_contact_holds(const pv_world *world, const target *t,
                                                             const particle_contact_strike *s,
                                                             pv__near *n, int substep) {
    const pv__matter *m = &world->matter;
    if (!pv__one_way_holds_at(t->body, t->now.turn, s->normal)) return false;
    if (n->held == substep) return true; /* a bounce has changed its previous place */
    pv_vec2 start = particle_contact_start_of(m, n->particle);
    double off = pv__field_at(t->shape, to_mask(t, &t->then, start), NULL);
    bool leaves = pv__dot(particle_contact_relative_way(world, t, s,
                                                        particle_contact_lever_of(world, t, s, 0)),
                          s->normal) >= 0;
    if (leaves || off - m->particles.data[n->particle].radius < -PV__DEEP) return false;
    n->held = substep;
    return true;
}

/// Returns the number of substeps in which a particle at that distance cannot touch.
static int particle_contact_rest_of(const pv_world *world, const target *t,
                                    const particle_contact_strike *s) {
    double way = pv__length(
        particle_contact_relative_way(world, t, s, particle_contact_lever_of(world, t, s, 0)));
    double substeps = -s->depth / (PV__FASTER * way + PV__FASTER_BY);
    return !(substeps > 1) ? 1 : substeps > 64 ? 64 : (int)substeps; /* 1 for NaN */
}

/// Resolves a contact. Remembers where the particle began the substep, if it goes on so far that it
/// may meet others.
static void particle_contact_strike_one(pv_world *world, target *t,
                                        const particle_contact_strike *s) {
    pv__matter *m = &world->matter;
    pv__particles *p = &m->particles;
    int i = s->particle;
    pv_vec2 start = particle_contact_start_of(m, i), from = to_mask(t, &t->then, start);
    resolve(world, t, s);
    pv_vec2 way = pv__sub(to_mask(t, &t->now, p->now[i]), from),
            next = pv__sub(p->now[i], p->was[i]);
    if (pv__dot(way, way) <= DEFLECTING * DEFLECTING &&
        pv__dot(next, next) <= DEFLECTING * DEFLECTING)
        return;
    m->starts[i] = start;
    p->bound[i] |= PV__DEFLECTED;
    m->deflected = true;
}

/// Ends the way of a particle in front of a body that it would pass, and keeps its velocity. Tells
/// whether it did.
static bool particle_contact_end_way(pv_world *world, const target *t, int i) {
    pv__particles *p = &world->matter.particles;
    pv_vec2 from = particle_contact_from(world, t, i),
            way = pv__sub(to_mask(t, &t->now, p->now[i]), from);
    double part = particle_contact_blocked_at(t->shape, from, way);
    if (part == 1) return false;
    pv_vec2 arm = pv__sub(pv__mad(from, part, way), t->body->pixels->pivot);
    pv_vec2 by = pv__sub(pv__add(t->now.center, pv__rotate(t->now.turn, arm)), p->now[i]);
    p->now[i] = pv__add(p->now[i], by);
    p->was[i] = pv__add(p->was[i], by);
    return true;
}

/// Ends the ways of fast particles that a contact has turned towards another body. Tells whether it
/// did.
static bool particle_contact_end_ways(pv_world *world, int substep) {
    pv__matter *m = &world->matter;
    target t = {.index = -1};
    bool ended = false;
    for (int i = 0; i < m->near_count; i++) {
        pv__near *n = &m->nears[i];
        if (!(m->particles.bound[n->particle] & PV__DEFLECTED)) continue;
        n->due = substep + 1;
        if (n->body != t.index) t = target_of(world, n->body);
        if (t.shape && (!t.one_way || n->held == substep))
            ended |= particle_contact_end_way(world, &t, n->particle);
    }
    return ended;
}

void pv__particle_strike_all(pv_world *world, int substep) {
    pv__matter *m = &world->matter;
    target t = {.index = -1};
    for (int i = 0; i < m->near_count; i++) {
        pv__near *n = &m->nears[i];
        if (n->due > substep || m->particles.data[n->particle].polygon >= 0) continue;
        if (n->body != t.index) t = target_of(world, n->body);
        particle_contact_strike s;
        if (!t.shape || !is_struck(world, &t, n->particle, &s))
            n->due = substep + (t.shape ? particle_contact_rest_of(world, &t, &s) : 1);
        else if (!t.one_way || particle_contact_holds(world, &t, &s, n, substep))
            particle_contact_strike_one(world, &t, &s);
    }
    for (int i = 0; m->deflected && i < ENDINGS; i++)
        if (!particle_contact_end_ways(world, substep)) break;
}

void pv__particle_land(pv_world *world) {
    pv__matter *m = &world->matter;
    for (int i = 0; m->deflected && i < m->near_count; i++)
        m->particles.bound[m->nears[i].particle] &= (unsigned char)~PV__DEFLECTED;
    m->deflected = false;
}
