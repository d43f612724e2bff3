/* contact_batch.c - packing of contact points into batches of four lanes, and storing of their
 * impulses.
 *
 * Invariant: the lanes of a batch share no movable body, and the sweep is in order of batch levels.
 * A part has a later level than every part of an earlier pair with a common movable body. So a
 * sweep over batches equals one over pairs, except for contacts added later. These come last, by
 * zone, and within a zone in the order in which they were added.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "solver/contact_batch.h"
#include "core/events.h"
#include "core/pose.h"
#include "core/simd.h"
#include "core/tasks.h"
#include "solver/strips.h"
#include "solver/sweep.h"

#include <stddef.h>
#include <string.h>

/// Greatest frequency of contact springs [1/s], its share of the substep rate, and its factor for
/// immovable bodies
static const double STIFF_MOST = 1000, STIFF_SHARE = 0.25, STIFF_STATIC = 2;
/// Rate of resolution of excess depth in an implicit step, and its value for immovable bodies [1/s]
static const double PART_RATE = 240, PART_RATE_STATIC = 640;
/// Damping ratio of the springs in usual substeps, in ones up to twice as long, and in longer ones.
/// With 20 in the second, pyramids of 20 rows swing forever, with 160 those of 40. With 10 in the
/// third, pairs in heaps share up to four pixels more.
static const double BATCH_DAMPING = 10, BATCH_DAMPING_LONG = 160, BATCH_DAMPING_SWIFT = 4;
/// Number of the last late batches of a kind that may take new parts
static const int LATE_BATCHES = 8;
/// Greatest impulse of bodies at speeds within the range of numbers [mass px/s]
static const double MOST_IMPULSE = 1e100;
/// Distance of the surfaces in an empty lane [px]
static const double BATCH_FAR = 1e3;

/* ---- batch levels ---- */

static bool is_movable(const pv__solver_state *c) { return (c->inverse_mass > 0) & !c->quiet; }

/// Returns the states of the bodies of a manifold.
static pv__solver_state *state_a(const pv_world *world, const pv__manifold *m) {
    return &world->solver.states[m->a + 1];
}
static pv__solver_state *state_b(const pv_world *world, const pv__manifold *m) {
    return &world->solver.states[m->b + 1];
}

/// Rim speed above which a body's contacts may be in any order, as none carries a load [px/s]
static const double BATCH_SWIFT = 20;

/// Tells whether an awake body was swift when the step began. Only saved data may decide this,
/// because a restored world packs its batches anew.
static bool is_swift(const pv__solver_state *c) {
    return pv__abs(c->was[0]) + pv__abs(c->was[1]) + pv__abs(c->was[2]) * c->reach > BATCH_SWIFT;
}

/// Tells whether both bodies of a manifold are awake and swift.
static bool are_swift(const pv_world *world, const pv__manifold *m) {
    return world->bodies.items[m->a].awake && world->bodies.items[m->b].awake &&
           is_swift(state_a(world, m)) && is_swift(state_b(world, m));
}

/// Returns the number of batch levels up to the last one in use.
PV__INLINE int level_count(uint64_t taken, int beyond) {
    if (beyond > 0) return beyond;
    return taken == 0 ? 0 : 64 - __builtin_clzll(taken);
}

/// Marks a batch level of a body as taken: by its bit, or as one beyond the bits.
PV__INLINE void take_level(pv__body_levels *c, uint64_t bit, int level) {
    if (!c->movable) return;
    c->taken |= bit;
    if (bit == 0) c->beyond = level + 1;
}

/// Returns the shelf of a part, for its batch level, its points and the strip of its first movable
/// body. Ordered parts take the level after all parts of both bodies. Others take the lowest level
/// that is free for both.
PV__INLINE int shelf_for(pv__body_levels *all, int strips, const pv__batch_part *part,
                         bool ordered) {
    pv__body_levels *a = &all[part->a], *b = &all[part->b];
    uint64_t taken = a->taken | b->taken, bit = ~taken & (taken + 1);
    int level;
    if (ordered || bit == 0) {
        level = level_count(taken, pv__later(a->beyond, b->beyond));
        bit = level < 64 ? UINT64_C(1) << level : 0;
    } else {
        level = __builtin_ctzll(bit);
    }
    take_level(a, bit, level);
    take_level(b, bit, level);
    return (2 * level + part->points - 1) * strips + (a->movable ? a : b)->strip;
}

/// Returns the number of parts of a packed manifold.
static int part_count(const pv__manifold *m) { return (m->packed + 1) / 2; }

/// Returns the number of points in the part that starts at a point. If the count is odd, the first
/// point is alone; all others go in twos.
PV__INLINE int part_points(int count, int first) { return first == 0 ? 2 - (count & 1) : 2; }

/// Tells whether a manifold with points needs more than its batch stores.
PV__INLINE bool needs_extra(const pv__manifold *m) {
    const pv__contact_point *p = m->points;
    double sum =
        m->material.rolling + pv__abs(m->material.tangent_speed) + p->radius_a + p->radius_b;
    for (int i = 1; i < m->count; i++) sum += p[i].radius_a + p[i].radius_b;
    return sum > 0;
}

/* ---- batches ---- */

/// Returns the spring for the running substep. It is as stiff in any substep, so that loads sink no
/// farther in longer ones; only its damping differs.
static pv__spring spring_of(const pv_world *world, double stiffer, double part_rate) {
    double h = world->h, hertz = pv__min(STIFF_MOST, STIFF_SHARE / world->dt) * stiffer;
    double damping = pv__world_is_swift(world)   ? BATCH_DAMPING_SWIFT
                     : pv__world_is_brisk(world) ? BATCH_DAMPING_LONG
                                                 : BATCH_DAMPING;
    double omega = 2 * PV__PI * hertz, a1 = 2 * damping + h * omega, a2 = h * omega * a1,
           parted = h * part_rate;
    return (pv__spring){omega / a1, 1.0 / a2, parted / (1 + parted)};
}

void pv__batch_fit_springs(pv_world *world, double h) {
    world->h = h;
    world->solver.spring = spring_of(world, 1, PART_RATE);
    world->solver.fixed_spring = spring_of(world, STIFF_STATIC, PART_RATE_STATIC);
}

/// Sets the locked axes of both bodies of a lane.
PV__INLINE void set_locks(pv__batch *k, int l, unsigned a, unsigned b) {
    if (!k->locked && !((a | b) & (PV_LOCK_X | PV_LOCK_Y))) return;
    pv__batch_set(&k->lock_ax, l, a & PV_LOCK_X);
    pv__batch_set(&k->lock_ay, l, a & PV_LOCK_Y);
    pv__batch_set(&k->lock_bx, l, b & PV_LOCK_X);
    pv__batch_set(&k->lock_by, l, b & PV_LOCK_Y);
    k->locked = k->lock_ax | k->lock_ay | k->lock_bx | k->lock_by;
}

/// Clears a lane of extra data.
static void clear_extra(pv__batch_extra *extra, int l) {
    extra->rolling[l] = extra->belt[l] = extra->roll[l] = 0;
    for (int i = 0; i < 2; i++) {
        extra->radius_a[i][l] = extra->radius_b[i][l] = 0;
        extra->share[i][l] = 0.5;
    }
}

/// Bit offsets of the sets in a word
enum {
    SET_SLIDES,
    SET_MOVES_A = 16,
    SET_MOVES_B = 24,
    SET_FIXED = 32,
    SET_DISCS = 40,
    SET_IDLE = 48
};

/// Returns lanes shifted to the place of their set in a word.
PV__INLINE uint64_t in_set(int set, unsigned lanes) { return (uint64_t)lanes << set; }

/// Puts lanes of a batch into sets or takes them out. The sets are the bytes of a word.
PV__INLINE void put_sets(pv__batch *k, unsigned lanes, uint64_t sets) {
    uint64_t all = lanes * UINT64_C(0x01010101010101);
    uint64_t before = k->slides[0] | (uint64_t)k->slides[1] << (SET_SLIDES + 8) |
                      (uint64_t)k->moves_a << SET_MOVES_A | (uint64_t)k->moves_b << SET_MOVES_B |
                      (uint64_t)k->fixed << SET_FIXED | (uint64_t)k->discs << SET_DISCS |
                      (uint64_t)k->idle << SET_IDLE;
    sets = (sets & all) | (before & ~all);
    k->slides[0] = (uint8_t)(sets >> SET_SLIDES);
    k->slides[1] = (uint8_t)(sets >> (SET_SLIDES + 8));
    k->moves_a = (uint8_t)(sets >> SET_MOVES_A);
    k->moves_b = (uint8_t)(sets >> SET_MOVES_B);
    k->fixed = (uint8_t)(sets >> SET_FIXED);
    k->discs = (uint8_t)(sets >> SET_DISCS);
    k->idle = (uint8_t)(sets >> SET_IDLE);
}

/// Empties a lane: both surfaces belong to the immovable solver body, far apart.
static void empty_lane(const pv_world *world, pv__batch *k, int l) {
    if (k->extra > 0) clear_extra(&world->solver.extras[k->extra], l);
    k->a[l] = k->b[l] = 0;
    k->manifold[l] = -1;
    k->first[l] = 0;
    put_sets(k, 1u << l, 0);
    set_locks(k, l, 0, 0);
    k->mass_b[l] = k->inertia_a[l] = k->inertia_b[l] = 0;
    k->mass_a[l] = 1;
    k->static_friction[l] = k->kinetic_friction[l] = k->restitution[l] = 0;
    for (int i = 0; i < k->points; i++) {
        pv__batch_point *p = &k->point[i];
        p->nx[l] = 1;
        p->ny[l] = 0;
        p->anchor_ax[l] = p->anchor_ay[l] = 0;
        p->anchor_bx[l] = BATCH_FAR;
        p->anchor_by[l] = i * BATCH_FAR;
        p->impulse_n[l] = p->impulse_t[l] = 0;
    }
}

/// Initializes a batch without lanes; the caller fills or empties them.
static void begin_batch(pv_world *world, int batch, int points, int level) {
    pv__batch *k = &world->solver.batches[batch];
    memset(k, 0, offsetof(pv__batch, given));
    k->given[0] = k->given[1] = simd_each(0);
    world->solver.marks[batch] = (pv__batch_mark){0};
    k->points = (uint8_t)points;
    k->level = level;
    for (int l = 0; l < PV__LANES; l++) k->manifold[l] = -1;
}

static void empty_rest(const pv_world *world, pv__batch *k) {
    for (int l = 0; l < PV__LANES; l++)
        if (k->manifold[l] < 0) empty_lane(world, k, l);
}

/// Returns the factor from a manifold's impulses, stored for usual substeps, to the running one's.
static double impulse_scale(const pv_world *world) { return world->h / world->dt; }

static void fill_point(pv__batch_point *to, int l, const pv__contact_point *from, double scale) {
    to->anchor_ax[l] = from->anchor_a.x;
    to->anchor_ay[l] = from->anchor_a.y;
    to->anchor_bx[l] = from->anchor_b.x;
    to->anchor_by[l] = from->anchor_b.y;
    to->nx[l] = from->normal.x;
    to->ny[l] = from->normal.y;
    to->impulse_n[l] = scale * from->impulse_n;
    to->impulse_t[l] = scale * from->impulse_t;
}

/// Returns the positions of points between both surfaces: a rolling surface carries its own along.
PV__INLINE pv__four shares_of(pv__four radius_a, pv__four radius_b) {
    pv__four zero = simd_each(0), half = simd_each(0.5);
    return half + simd_pick(simd_gt(radius_b, zero), half, zero) -
           simd_pick(simd_gt(radius_a, zero), half, zero);
}

/// Fills a lane of the extra data of a batch.
PV__INLINE void fill_extra(const pv_world *world, const pv__batch *k, int l, const pv__manifold *m,
                           const pv__contact_point *points, double scale) {
    pv__batch_extra *extra = &world->solver.extras[k->extra];
    extra->rolling[l] = m->material.rolling;
    extra->belt[l] = m->material.tangent_speed;
    extra->roll[l] = scale * points->impulse_roll;
    for (int i = 0; i < k->points; i++) {
        extra->radius_a[i][l] = points[i].radius_a;
        extra->radius_b[i][l] = points[i].radius_b;
    }
}

/// Makes room for the extra data of one more batch. All plain batches share the first item.
static bool reserve_extra(pv_world *world) {
    bool fresh = world->solver.extra_capacity == 0;
    if (world->solver.extra_count < world->solver.extra_capacity) return true;
    if (!PV__RESERVE(&world->def.allocator, world->solver.extras, world->solver.extra_capacity,
                     world->solver.extra_count + 1))
        return false;
    if (fresh)
        world->solver.extras[0] =
            (pv__batch_extra){.share = {{0.5, 0.5, 0.5, 0.5}, {0.5, 0.5, 0.5, 0.5}}};
    return true;
}

/// Gives a batch extra data of its own, unless it has some; the caller fills it. Returns false
/// without memory.
PV__INLINE bool give_extra(pv_world *world, pv__batch *k) {
    if (k->extra > 0) return true;
    if (!reserve_extra(world)) return false;
    k->extra = world->solver.extra_count++;
    return true;
}

/// Gives plain extra data of its own to a batch that may have lanes already.
static bool give_plain(pv_world *world, pv__batch *k) {
    bool has = k->extra > 0;
    if (!give_extra(world, k)) return false;
    if (!has) world->solver.extras[k->extra] = world->solver.extras[0];
    return true;
}

/// Reserves a lane for a part; fill_lanes() fills it.
PV__INLINE void place_lane(pv__batch *k, int l, const pv__batch_part *part) {
    k->a[l] = part->a;
    k->b[l] = part->b;
    k->manifold[l] = part->manifold;
    k->first[l] = part->first;
}

/// Fills a lane with the points of its part. Returns its bits in a word of sets, except those that
/// depend on masses.
PV__INLINE uint64_t fill_lane(const pv_world *world, int batch, int l, double scale) {
    pv__batch *k = &world->solver.batches[batch];
    pv__manifold *m = &world->manifolds.items[k->manifold[l]];
    const pv__contact_point *points = &m->points[k->first[l]];
    const pv__solver_state *a = &world->solver.states[k->a[l]], *b = &world->solver.states[k->b[l]];
    uint64_t sets = in_set(SET_MOVES_A, !a->quiet) | in_set(SET_MOVES_B, !b->quiet) |
                    in_set(SET_SLIDES, points->slides);
    m->lanes[(k->first[l] + 1u) / 2] = PV__LANES * batch + l;
    k->mass_a[l] = a->inverse_mass;
    k->mass_b[l] = b->inverse_mass;
    k->inertia_a[l] = a->inverse_inertia;
    k->inertia_b[l] = b->inverse_inertia;
    k->static_friction[l] = m->material.mixed.static_friction;
    k->kinetic_friction[l] = m->material.mixed.kinetic_friction;
    k->restitution[l] = m->material.mixed.restitution;
    fill_point(&k->point[0], l, points, scale);
    if (k->points == 2) {
        fill_point(&k->point[1], l, points + 1, scale);
        sets |= in_set(SET_SLIDES + 8, points[1].slides);
    }
    if (k->extra > 0) {
        fill_extra(world, k, l, m, points, scale);
        sets |= in_set(SET_DISCS, pv__manifold_is_of_discs(m));
    }
    set_locks(k, l, a->locks, b->locks);
    return sets << l;
}

/// Fills lanes of a batch. Writes only to the batch, its mark and the lanes in its manifolds.
static void fill_lanes(const pv_world *world, int batch, unsigned lanes) {
    pv__batch *k = &world->solver.batches[batch];
    double scale = impulse_scale(world);
    uint64_t sets = 0;
    for (unsigned left = lanes; left; left &= left - 1)
        sets |= fill_lane(world, batch, __builtin_ctz(left), scale);
    pv__four zero = simd_each(0), heavy = simd_each(PV__HEAVY);
    unsigned fixed_a = simd_bits(simd_eq(k->mass_a, zero)),
             fixed_b = simd_bits(simd_eq(k->mass_b, zero));
    sets &= ~(in_set(SET_MOVES_A, fixed_a) | in_set(SET_MOVES_B, fixed_b));
    unsigned moves_a = (unsigned)(sets >> SET_MOVES_A), moves_b = (unsigned)(sets >> SET_MOVES_B);
    put_sets(k, lanes,
             sets | in_set(SET_FIXED, fixed_a | fixed_b) |
                 in_set(SET_IDLE, lanes & ~(moves_a | moves_b)));
    k->uneven |=
        (simd_bits(simd_gt(k->mass_a, heavy * k->mass_b) | simd_gt(k->mass_b, heavy * k->mass_a)) &
         moves_a & moves_b & lanes) != 0;
    pv__batch_extra *extra = &world->solver.extras[k->extra];
    for (int i = 0; k->extra > 0 && i < k->points; i++)
        extra->share[i] = shares_of(extra->radius_a[i], extra->radius_b[i]);
    k->rolls |= k->extra > 0 && simd_any(simd_gt(extra->rolling, zero));
    world->solver.marks[batch].bounces |= simd_any(simd_gt(k->restitution, zero));
}

/// Returns the lanes of a batch that have a part.
PV__INLINE unsigned filled_lanes(const pv__batch *k) {
    unsigned lanes = 0;
    for (int l = 0; l < PV__LANES; l++) lanes |= (unsigned)(k->manifold[l] >= 0) << l;
    return lanes;
}

/// Fills the lanes of batches, and empties the others.
static void fill_some(pv_world *world, void *stage, int first, int end) {
    (void)stage;
    for (int i = first; i < end; i++) {
        pv__batch *k = pv__sweep_batch(world, i);
        unsigned lanes = filled_lanes(k);
        if (lanes != (1u << PV__LANES) - 1) empty_rest(world, k);
        fill_lanes(world, world->solver.listed[i], lanes);
    }
}

/// Makes room for the sets of stale lanes of batches; new ones are empty.
static bool reserve_stale(pv_world *world, int batches) {
    pv__solver *s = &world->solver;
    int before = s->stale_capacity;
    if (!PV__RESERVE(&world->def.allocator, s->stale, s->stale_capacity, batches)) return false;
    for (int i = before; i < s->stale_capacity; i++) s->stale[i] = 0;
    return true;
}

static bool reserve_batches(pv_world *world, int batches) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__solver *s = &world->solver;
    return reserve_stale(world, batches) && reserve_extra(world) &&
           PV__RESERVE(allocator, s->marks, s->mark_capacity, batches) &&
           PV__RESERVE(allocator, s->batches, s->batch_capacity, batches);
}

/// Lays out the batches of all rows, each with its strips in order. Replaces the number of parts on
/// each shelf with its first lane.
static bool lay_batches(pv_world *world, int *shelves, int rows) {
    int lanes = 0, strips = world->solver.strip_count;
    for (int row = 0; row < rows; row++) {
        lanes = (lanes + PV__LANES - 1) / PV__LANES * PV__LANES;
        for (int i = row * strips; i < (row + 1) * strips; i++) {
            int count = shelves[i];
            shelves[i] = lanes;
            lanes += count;
        }
    }
    int batches = (lanes + PV__LANES - 1) / PV__LANES;
    if (!reserve_batches(world, batches)) return false;
    world->solver.batch_count = batches;
    for (int i = 0; i < rows; i++) {
        int end = i + 1 < rows ? shelves[(i + 1) * strips] / PV__LANES : batches;
        for (int k = shelves[i * strips] / PV__LANES; k < end; k++)
            begin_batch(world, k, i % 2 + 1, i / 2);
    }
    return true;
}

static bool place_parts(pv_world *world, int *shelves, int rows) {
    const pv__batch_part *parts = world->solver.packed, *end = parts + world->solver.packed_count;
    for (const pv__batch_part *part = parts; part < end; part++) shelves[part->shelf]++;
    if (!lay_batches(world, shelves, rows)) return false;
    pv__batch *batches = world->solver.batches;
    for (const pv__batch_part *part = parts; part < end; part++) {
        unsigned at = (unsigned)shelves[part->shelf]++;
        pv__batch *k = &batches[at / PV__LANES];
        place_lane(k, at % PV__LANES, part);
        if (part->extra && !give_extra(world, k)) return false;
    }
    return true;
}

/// Places all parts in batches: a row of shelves for each level and number of points.
static bool place_all(pv_world *world, int levels) {
    int rows = 2 * levels;
    size_t count = (size_t)rows * (size_t)world->solver.strip_count;
    if (count == 0) return true;
    int *shelves = pv__alloc(&world->def.allocator, count, sizeof *shelves);
    if (!shelves) return false;
    bool placed = place_parts(world, shelves, rows);
    pv__free(&world->def.allocator, shelves, count, sizeof *shelves);
    return placed;
}

static bool add_to_sweep(pv_world *world, int batch) {
    world->solver.chunked = false;
    return PV__APPEND(&world->def.allocator, world->solver.sweep, world->solver.sweep_capacity,
                      world->solver.sweep_count, batch);
}

static bool sweep_all(pv_world *world) {
    world->solver.sweep_count = 0;
    world->solver.chunked = false;
    if (!PV__RESERVE(&world->def.allocator, world->solver.sweep, world->solver.sweep_capacity,
                     world->solver.batch_count))
        return false;
    for (int i = 0; i < world->solver.batch_count; i++) world->solver.sweep[i] = i;
    world->solver.sweep_count = world->solver.batch_count;
    return true;
}

/// Makes only the active bodies of a batch movable. If there are none, does nothing and returns
/// false.
static bool narrow_batch(const pv_world *world, pv__batch *k) {
    unsigned moves_a = 0, moves_b = 0;
    for (int l = 0; l < PV__LANES; l++) {
        moves_a |= (unsigned)is_movable(&world->solver.states[k->a[l]]) << l;
        moves_b |= (unsigned)is_movable(&world->solver.states[k->b[l]]) << l;
    }
    if (!(moves_a | moves_b)) return false;
    k->moves_a = (uint8_t)moves_a;
    k->moves_b = (uint8_t)moves_b;
    k->idle = (uint8_t)(filled_lanes(k) & ~(moves_a | moves_b));
    return true;
}

/// Makes the awake bodies of a batch movable.
static void widen_batch(const pv_world *world, pv__batch *k) {
    for (int l = 0; l < PV__LANES; l++) {
        if (k->manifold[l] < 0) continue;
        const pv__body *a = &world->bodies.items[k->a[l] - 1],
                       *b = &world->bodies.items[k->b[l] - 1];
        pv__batch_set(&k->moves_a, l, a->awake && a->inverse_mass > 0);
        pv__batch_set(&k->moves_b, l, b->awake && b->inverse_mass > 0);
        pv__batch_set(&k->idle, l, false);
    }
}

void pv__batch_narrow_sweep(pv_world *world) {
    int kept = 0;
    for (int i = 0; i < world->solver.sweep_count; i++) {
        pv__batch *k = &world->solver.batches[world->solver.sweep[i]];
        if (narrow_batch(world, k))
            world->solver.sweep[kept++] = world->solver.sweep[i];
        else if (world->solver.narrowed)
            widen_batch(world, k);
    }
    world->solver.sweep_count = kept;
    world->solver.chunked = false;
    world->solver.narrowed = true;
}

/// Empties the batches, for lack of memory.
static void clear_batches(pv_world *world) {
    for (int i = 0; i < world->manifolds.active_count; i++)
        world->manifolds.items[world->manifolds.active[i]].packed = 0;
    world->solver.packed_count = world->solver.batch_count = world->solver.sweep_count = 0;
    world->solver.chunked = false;
    world->out_of_memory = true;
}

/// Lists the slots of a chunk that have or had points, and returns their number. It has no
/// branches, because CPUs would predict them wrongly.
static int list_full(const pv_world *world, int first, int end, int *slots) {
    int *next = slots;
    for (int i = first; i < end; i++) {
        int slot = world->manifolds.active[i];
        const pv__manifold *m = &world->manifolds.items[slot];
        *next = slot;
        next += (m->count | m->packed) != 0;
    }
    return (int)(next - slots);
}

/// Gives shelves to listed parts that come in order.
static void shelve_ordered(const pv_world *world, pv__batch_part *part, const pv__batch_part *end) {
    for (; part < end; part++)
        part->shelf = shelf_for(world->solver.levels, world->solver.strip_count, part, true);
}

/// Lists the parts of a manifold if one of its bodies can move; the list has room. Parts that come
/// in order get shelves. Returns the end of the list.
PV__INLINE pv__batch_part *split(const pv_world *world, int slot, pv__batch_part *part) {
    pv__manifold *m = &world->manifolds.items[slot];
    const pv__body_levels *a = &world->solver.levels[m->a + 1],
                          *b = &world->solver.levels[m->b + 1];
    pv__batch_part *first = part;
    int count = (a->movable | b->movable) ? m->count : 0, packed = 0,
        points = part_points(count, 0);
    bool extra = count > 0 && needs_extra(m);
    m->packed = (int8_t)count;
    for (; packed < count; part++) {
        /* member by member, as gcc would merge the small ones before it stores them */
        part->manifold = slot;
        part->a = m->a + 1;
        part->b = m->b + 1;
        part->shelf = -1;
        part->first = (uint8_t)packed;
        part->points = (uint8_t)points;
        part->extra = extra;
        packed += points;
        points = 2;
    }
    if (!(a->unordered & b->unordered)) shelve_ordered(world, first, part);
    return part;
}

/// Lists the parts of all manifolds with points that can move. Returns false without memory.
static bool split_all(pv_world *world) {
    int slots[PV__CHUNK_LIGHT], end = world->manifolds.active_count;
    for (int i = 0; i < end; i += PV__CHUNK_LIGHT) {
        int count = list_full(world, i, pv__sooner(end, i + PV__CHUNK_LIGHT), slots);
        if (count == 0) continue; /* the list may have no memory yet */
        if (!PV__RESERVE(&world->def.allocator, world->solver.packed, world->solver.packed_capacity,
                         world->solver.packed_count + count * PV__MANIFOLD_POINTS / 2))
            return false;
        pv__batch_part *next = world->solver.packed + world->solver.packed_count;
        for (int k = 0; k < count; k++) next = split(world, slots[k], next);
        world->solver.packed_count = (int)(next - world->solver.packed);
    }
    return true;
}

/// Gives shelves to the parts that come in any order; returns whether there are any.
static bool shelve_others(const pv_world *world) {
    pv__body_levels *all = world->solver.levels;
    int strips = world->solver.strip_count;
    bool any = false;
    for (int i = 0; i < world->solver.packed_count; i++) {
        pv__batch_part *part = &world->solver.packed[i];
        if (part->shelf >= 0) continue;
        part->shelf = shelf_for(all, strips, part, false);
        any = true;
    }
    return any;
}

/// Notes which members are movable, and whose contacts come in any order.
static void begin_levels(pv_world *world, void *stage, int first, int end) {
    (void)stage;
    for (int i = first; i < end; i++) {
        int k = world->solver.members[i] + 1;
        const pv__solver_state *c = &world->solver.states[k];
        world->solver.levels[k] = (pv__body_levels){
            .movable = is_movable(c), .unordered = is_swift(c), .strip = c->strip};
    }
}

/// Clears the batch levels of all members, and returns the number of levels.
static int end_levels(const pv_world *world) {
    uint64_t taken = 0;
    int beyond = 0;
    for (int i = 0; i < world->solver.member_count; i++) {
        pv__body_levels *c = &world->solver.levels[world->solver.members[i] + 1];
        taken |= c->taken;
        beyond = pv__later(beyond, c->beyond);
        *c = (pv__body_levels){0};
    }
    return level_count(taken, beyond);
}

void pv__batch_pack(pv_world *world) {
    world->solver.packed_count = world->solver.batch_count = 0;
    world->solver.extra_count = 1;
    world->solver.repack = false;
    pv__strips_update(world);
    pv__tasks_run(world, world->solver.member_count, PV__CHUNK_BODIES, begin_levels, NULL);
    bool packed = split_all(world), others = packed && shelve_others(world);
    int levels = end_levels(world);
    packed = packed && place_all(world, levels) && sweep_all(world);
    if (!packed) clear_batches(world);
    world->solver.ordered_count = world->solver.batch_count;
    pv__sweep_run(world, PV__ANY_ORDER, fill_some, NULL);
    world->solver.ordered =
        packed && !others &&
        world->solver.active_count + world->solver.flown_count == world->bodies.awake_count;
}

static bool some_swift(const pv_world *world) {
    for (int i = 0; i < world->solver.active_count; i++)
        if (is_swift(&world->solver.states[world->solver.active[i] + 1])) return true;
    return false;
}

bool pv__batch_keeps_order(const pv_world *world) {
    if (!some_swift(world)) return true;
    for (int i = 0; i < world->manifolds.active_count; i++) {
        const pv__manifold *m = pv__active_manifold(world, i);
        if (m->count > 0 && are_swift(world, m)) return false;
    }
    return true;
}

/* ---- storing, and changes in between ---- */

/// Returns the greatest approach speed of a lane's point while it was fast [px/s].
static double approach_of(const pv__batch *k, int point, int l) {
    if (!k->struck || !(k->given[point][l] > 0)) return 0;
    uint64_t bits = (uint64_t)(uint32_t)k->approach[point][l] << 32;
    double speed;
    memcpy(&speed, &bits, sizeof speed);
    return speed;
}

/// Returns the impact of a lane: impulses, and place and normal of the hit points, weighted with
/// their impulses. The place is on the heavier body, in its own rotation.
static pv__impact impact_of(const pv_world *world, const pv__batch *k, int l) {
    const pv__manifold *m = &world->manifolds.items[k->manifold[l]];
    bool on_a = pv__body_is_heavier(&world->bodies.items[m->a], &world->bodies.items[m->b]);
    pv_rotation turn = pv__pose_of_solver_body(world, on_a ? m->a : m->b).turn;
    pv__impact impact = {0};
    for (int i = 0; i < k->points; i++) {
        const pv__contact_point *p = &m->points[k->first[l] + i];
        double given = k->given[i][l], speed = approach_of(k, i, l);
        impact.impulse += given;
        impact.speed = pv__max(impact.speed, speed);
        if (speed <= world->def.hit_event_threshold) continue;
        pv_vec2 rim = pv__unrotate(turn, pv__mul(on_a ? p->radius_a : -p->radius_b, p->normal));
        impact.share += given;
        impact.at = pv__mad(impact.at, given, pv__add(on_a ? p->anchor_a : p->anchor_b, rim));
        impact.normal = pv__mad(impact.normal, given, p->normal);
    }
    return impact;
}

/// Marks the manifold of a lane as hit; called for all lanes before any report.
static void note_hit(const pv_world *world, pv__manifold *m, const pv__batch *k, int l) {
    for (int i = 0; i < k->points; i++)
        if (approach_of(k, i, l) > world->def.hit_event_threshold) pv__flag_raise(&m->hit);
}

/// Returns the lanes that gave an impulse which no impact has reported.
PV__INLINE unsigned lanes_gave(const pv__batch *k) {
    unsigned gave = simd_bits(simd_gt(k->given[0], simd_each(0)));
    if (k->points == 2) gave |= simd_bits(simd_gt(k->given[1], simd_each(0)));
    return gave;
}

/// Tells whether a lane gave such an impulse. It reads no other lane; another worker may write it.
PV__INLINE bool lane_gave(const pv__batch *k, int l) {
    return k->given[0][l] > 0 || (k->points == 2 && k->given[1][l] > 0);
}

/// Forgets what a lane gave.
static void close_lane(pv__batch *k, int l) {
    for (int i = 0; i < k->points; i++) k->given[i][l] = 0;
    for (int i = 0; k->struck && i < k->points; i++) k->approach[i][l] = 0;
}

/// Returns an impulse, or 0 for one beyond all finite motion. Its bodies were stopped, and their
/// contact starts anew.
static double bounded(double impulse) { return pv__abs(impulse) < MOST_IMPULSE ? impulse : 0; }

/// Stores the impulses of a lane back into its manifold. Returns whether a point bears load.
PV__INLINE bool unpack_lane(const pv_world *world, pv__manifold *m, const pv__batch *k, int l,
                            bool gave, double scale) {
    pv__contact_point *points = m->points + k->first[l];
    bool bears = false;
    if (k->struck) note_hit(world, m, k, l);
    if (pv__batch_has(k->discs, l)) points->normal = pv__vec(k->point[0].nx[l], k->point[0].ny[l]);
    for (int i = 0; i < k->points; i++) {
        const pv__batch_point *from = &k->point[i];
        points[i].impulse_n = bounded(from->impulse_n[l] / scale);
        points[i].impulse_t = bounded(from->impulse_t[l] / scale);
        points[i].impulse_roll =
            i == 0 && k->rolls ? bounded(world->solver.extras[k->extra].roll[l] / scale) : 0;
        points[i].slides = pv__batch_has(k->slides[i], l);
        bears |= points[i].impulse_n > 0;
    }
    if (bears | gave) pv__flag_raise(&m->pressed);
    return bears;
}

/// Forgets what a batch gave.
static void close_batch(pv__batch *k) {
    memset(k->given, 0, sizeof k->given);
    k->struck = false;
}

/// Unpacks a batch. Marks it if it may have impacts to report, because its manifolds may still be
/// found to be hit; else closes it. When the step is over, it notes the bodies that touch.
PV__INLINE void unpack_batch(const pv_world *world, int batch, bool over, double scale) {
    pv__batch *k = &world->solver.batches[batch];
    unsigned gave = lanes_gave(k);
    bool reports = false;
    for (int l = 0; l < PV__LANES; l++) {
        if (k->manifold[l] < 0) continue;
        pv__manifold *m = &world->manifolds.items[k->manifold[l]];
        bool gives = gave >> l & 1, bears = unpack_lane(world, m, k, l, gives, scale);
        reports |= gives & (m->hit | (m->packed > 2) | !over);
        if (!bears || !over) continue;
        pv__flag_raise(&world->solver.outlines[k->a[l]].touched);
        pv__flag_raise(&world->solver.outlines[k->b[l]].touched);
    }
    world->solver.marks[batch].reports = reports;
    if (!reports) close_batch(k);
}

static void unpack_some(pv_world *world, void *stage, int first, int end) {
    const bool *over = stage;
    double scale = impulse_scale(world);
    for (int i = first; i < end; i++) unpack_batch(world, i, *over, scale);
}

/// Adds the impact of a lane to those of its manifold.
static void report_lane(const pv_world *world, const pv__batch *k, int l) {
    pv__manifold *m = &world->manifolds.items[k->manifold[l]];
    pv__impact impact = impact_of(world, k, l), *sum = &m->impact;
    if (!m->struck) *sum = (pv__impact){0};
    m->struck = true;
    sum->speed = pv__max(sum->speed, impact.speed);
    sum->impulse += impact.impulse;
    sum->share += impact.share;
    sum->at = pv__add(sum->at, impact.at);
    sum->normal = pv__add(sum->normal, impact.normal);
}

/// Reports the impacts of a batch, of manifolds that were hit or may still be hit in the step.
static void report_batch(const pv_world *world, pv__batch *k, bool over) {
    for (unsigned left = lanes_gave(k) & filled_lanes(k); left; left &= left - 1) {
        int l = __builtin_ctz(left);
        if (world->manifolds.items[k->manifold[l]].hit || !over) report_lane(world, k, l);
    }
    close_batch(k);
}

static void unpack_all(pv_world *world, bool over) {
    pv__tasks_run(world, world->solver.batch_count, PV__CHUNK_BODIES, unpack_some, &over);
    for (int i = 0; i < world->solver.batch_count; i++)
        if (world->solver.marks[i].reports) report_batch(world, &world->solver.batches[i], over);
}

void pv__batch_close_all(pv_world *world) {
    unpack_all(world, true);
    if (!world->solver.narrowed) return;
    world->solver.narrowed = false;
    /* an update may have refilled a batch outside the sweep */
    for (int i = 0; i < world->solver.batch_count; i++)
        widen_batch(world, &world->solver.batches[i]);
    world->solver.ordered &= sweep_all(world);
}

void pv__batch_unpack(pv_world *world) { unpack_all(world, false); }

/// Unpacks a manifold, and reports the impacts of its lanes.
static void unpack_manifold(const pv_world *world, pv__manifold *m) {
    double scale = impulse_scale(world);
    for (int i = 0; i < part_count(m); i++) {
        int at = m->lanes[i], l = at % PV__LANES;
        const pv__batch *k = &world->solver.batches[at / PV__LANES];
        unpack_lane(world, m, k, l, lane_gave(k, l), scale);
    }
    for (int i = 0; i < part_count(m); i++) {
        int at = m->lanes[i], l = at % PV__LANES;
        pv__batch *k = &world->solver.batches[at / PV__LANES];
        if (lane_gave(k, l)) report_lane(world, k, l);
        close_lane(k, l);
    }
}

static void unpack_marked(pv_world *world, void *stage, int first, int end) {
    (void)stage;
    for (int i = first; i < end; i++) {
        const pv__update *u = &world->manifolds.updates[i];
        if (u->had) unpack_manifold(world, &world->manifolds.items[u->slot]);
    }
}

static bool fits(const pv__batch *k, int a, int b) {
    for (int l = 0; l < PV__LANES; l++)
        if (k->manifold[l] >= 0 && (k->a[l] == a || k->a[l] == b || k->b[l] == a || k->b[l] == b))
            return false;
    return true;
}

/// Returns the batch level of a late part: behind all packed ones, by the zones of its bodies. A
/// body that is inactive now may move later in the step.
static int late_level(const pv_world *world, const pv__manifold *m) {
    bool gives_a = world->bodies.items[m->a].inverse_mass > 0,
         gives_b = world->bodies.items[m->b].inverse_mass > 0;
    return world->solver.ordered_count +
           pv__strips_kind(world, gives_a ? m->a : m->b, gives_b ? m->b : m->a);
}

/// Returns the place in the sweep behind all batches up to a level.
static int place_behind(const pv_world *world, int level) {
    int low = 0, high = world->solver.sweep_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (world->solver.batches[world->solver.sweep[middle]].level <= level)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// Starts a batch for late parts of a level; returns its first lane, or -1 without memory.
static int begin_late(pv_world *world, int points, int level) {
    int batch = world->solver.batch_count, at = place_behind(world, level);
    if (!reserve_batches(world, batch + 1) || !add_to_sweep(world, batch)) return -1;
    memmove(world->solver.sweep + at + 1, world->solver.sweep + at,
            (size_t)(world->solver.sweep_count - 1 - at) * sizeof *world->solver.sweep);
    world->solver.sweep[at] = batch;
    begin_batch(world, batch, points, level);
    empty_rest(world, &world->solver.batches[batch]);
    world->solver.batch_count++;
    return PV__LANES * batch;
}

/// Returns a free lane for a part, in one of the last batches of its level or a new one; -1 without
/// memory. A part that may bear a load lies behind all late parts of its bodies.
static int lane_for(pv_world *world, const pv__batch_part *part) {
    const pv__manifold *m = &world->manifolds.items[part->manifold];
    int a = is_movable(state_a(world, m)) ? m->a + 1 : -1,
        b = is_movable(state_b(world, m)) ? m->b + 1 : -1, level = late_level(world, m);
    int first = pv__later(world->solver.ordered_count,
                          world->solver.batch_count - LATE_BATCHES * PV__ZONE_KINDS),
        seen = 0;
    for (int i = world->solver.batch_count - 1; i >= first && seen < LATE_BATCHES; i--) {
        const pv__batch *k = &world->solver.batches[i];
        if (k->level != level) continue;
        bool fit = fits(k, a, b);
        if (!fit && !are_swift(world, m)) break;
        for (int l = 0; l < PV__LANES && k->points == part->points && fit; l++)
            if (k->manifold[l] < 0) return i * PV__LANES + l;
        seen++;
    }
    return begin_late(world, part->points, level);
}

/// Notes that a lane has to be filled.
static void note_stale(pv_world *world, int at) {
    pv__flags_raise(&world->solver.stale[at / PV__LANES], UINT32_C(1) << at % PV__LANES);
}

/// Fills the stale lanes of batches.
static void fill_stale(pv_world *world, void *stage, int first, int end) {
    (void)stage;
    for (int i = first; i < end; i++) {
        if (!world->solver.stale[i]) continue;
        fill_lanes(world, i, world->solver.stale[i]);
        world->solver.stale[i] = 0;
    }
}

/// Reserves a free lane for a part; returns false without memory.
static bool batch_place(pv_world *world, pv__batch_part part) {
    int at = lane_for(world, &part);
    pv__batch *k = &world->solver.batches[at / PV__LANES];
    if (at < 0 || (part.extra && !give_plain(world, k))) {
        world->out_of_memory = true;
        return false;
    }
    place_lane(k, at % PV__LANES, &part);
    note_stale(world, at);
    return true;
}

/// Notes the lanes of marked manifolds that have as many points as before.
static void refill_marked(pv_world *world, void *stage, int first, int end) {
    (void)stage;
    for (int i = first; i < end; i++) {
        pv__update *u = &world->manifolds.updates[i];
        pv__manifold *m = &world->manifolds.items[u->slot];
        u->alike = m->packed == m->count;
        u->lacks = false;
        bool extra = m->count > 0 && needs_extra(m);
        for (int k = 0; u->alike && k < part_count(m); k++) {
            u->lacks |= extra && world->solver.batches[m->lanes[k] / PV__LANES].extra == 0;
            note_stale(world, m->lanes[k]);
        }
    }
}

/// Gives extra data to the batches of a manifold.
static void enrich_manifold(pv_world *world, const pv__manifold *m) {
    for (int i = 0; i < part_count(m); i++)
        if (!give_plain(world, &world->solver.batches[m->lanes[i] / PV__LANES]))
            world->out_of_memory = true;
}

/// Places the points of a manifold in other lanes, because their number has changed.
static void repack_manifold(pv_world *world, int slot) {
    pv__manifold *m = &world->manifolds.items[slot];
    for (int i = 0; i < part_count(m); i++)
        empty_lane(world, &world->solver.batches[m->lanes[i] / PV__LANES], m->lanes[i] % PV__LANES);
    int packed = 0;
    while (packed < m->count) {
        pv__batch_part part = {.manifold = slot,
                               .a = m->a + 1,
                               .b = m->b + 1,
                               .first = (uint8_t)packed,
                               .points = (uint8_t)part_points(m->count, packed),
                               .extra = needs_extra(m)};
        if (!batch_place(world, part)) break;
        packed += part.points;
    }
    m->packed = (int8_t)packed;
    world->solver.ordered = false;
    world->solver.repack |= world->solver.batch_count > world->solver.ordered_count +
                                                            world->solver.ordered_count / 4 +
                                                            LATE_BATCHES;
}

/// Tells whether batches are packed after marked manifolds are updated. In usual substeps they are
/// packed before: a restored world packs all batches anew, and must place parts as this one does.
static bool packs_late(const pv_world *world) {
    return world->solver.repack && pv__world_is_brisk(world);
}

void pv__batch_store_marked(pv_world *world) {
    int count = world->manifolds.update_count;
    if (world->solver.repack && world->solver.batch_count > 0) pv__batch_unpack(world);
    if (packs_late(world)) return;
    if (world->solver.repack) pv__batch_pack(world);
    pv__tasks_run(world, count, PV__CHUNK_BODIES, unpack_marked, NULL);
}

/// Packs marked manifolds into the batches, which hold all other manifolds already.
static void load_marked(pv_world *world) {
    int count = world->manifolds.update_count;
    if (count == 0) return;
    pv__tasks_run(world, count, PV__CHUNK_BODIES, refill_marked, NULL);
    for (int i = 0; i < count; i++) {
        const pv__update *u = &world->manifolds.updates[i];
        if (!u->alike)
            repack_manifold(world, u->slot);
        else if (u->lacks)
            enrich_manifold(world, &world->manifolds.items[u->slot]);
    }
    pv__tasks_run(world, world->solver.batch_count, PV__CHUNK_BODIES, fill_stale, NULL);
}

void pv__batch_load_marked(pv_world *world) {
    if (packs_late(world))
        pv__batch_pack(world);
    else
        load_marked(world);
}
