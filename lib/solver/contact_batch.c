/* contact_batch.c - packing of contact points into blocks of four lanes, and storing of their
 * impulses.
 *
 * Invariant: the lanes of a block share no movable body, and blocks are in order of batch levels. A
 * part has a later level than every part of an earlier pair with a common movable body. So a sweep
 * over blocks equals one over pairs, except for contacts added later, which are at the end.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "solver/contact_batch.h"
#include "core/events.h"
#include "core/pose.h"
#include "core/tasks.h"

#include <stddef.h>
#include <string.h>

/// Greatest frequency of contact springs [1/s], its share of the substep rate, and its factor for
/// immovable bodies
static const double STIFF_MOST = 1000, STIFF_SHARE = 0.25, STIFF_STATIC = 2;
/// Rate of resolution of excess depth in an implicit step, and its value for immovable bodies [1/s]
static const double PART_RATE = 240, PART_RATE_STATIC = 640;
/// Damping ratio of the springs
static const double BATCH_DAMPING = 10;
/// Number of blocks at the end that may take new parts
static const int LATE_BLOCKS = 8;
/// Greatest impulse of bodies at speeds within the range of numbers [mass px/s]
static const double MOST_IMPULSE = 1e100;
/// Distance of the surfaces in an empty lane [px]
static const double BATCH_FAR = 1e3;

/* ---- batch levels ---- */

static bool batch_is_movable(const pv_world *world, int body) {
    return world->bodies.items[body].inverse_mass > 0 && !world->solver.states[body + 1].quiet;
}

/// Rim speed above which a body's contacts come in any order: none carries a load [px/s]
static const double BATCH_SWIFT = 20;

/// Tells whether a body was swift when the step began. Only saved data may decide this, because a
/// restored world packs its batches anew.
static bool is_swift(const pv_world *world, int body) {
    const pv__solver_state *c = &world->solver.states[body + 1];
    return world->bodies.items[body].awake &&
           pv__abs(c->was[0]) + pv__abs(c->was[1]) + pv__abs(c->was[2]) * c->reach > BATCH_SWIFT;
}

/// Tells whether the parts of a manifold may come in any order.
static bool is_free_of_order(const pv_world *world, const pv__manifold *m) {
    return is_swift(world, m->a) && is_swift(world, m->b);
}

/// Takes a batch level for both bodies of a part.
static void take_turn(pv__solver_state *c, int turn) {
    if (turn >= c->turns) c->turns = turn + 1;
    if (turn < 64) c->taken |= UINT64_C(1) << turn;
}

/// Returns the batch level of the next part of a manifold. It is the one after all parts of both
/// bodies in order, or the lowest one that both have free.
static int batch_turn_of(pv_world *world, const pv__manifold *m, bool ordered, int *turns) {
    pv__solver_state *a = &world->solver.states[m->a + 1], *b = &world->solver.states[m->b + 1];
    bool move_a = batch_is_movable(world, m->a), move_b = batch_is_movable(world, m->b);
    int last_a = move_a ? a->turns : 0, last_b = move_b ? b->turns : 0;
    int turn = last_a > last_b ? last_a : last_b;
    uint64_t taken = (move_a ? a->taken : 0) | (move_b ? b->taken : 0);
    if (!ordered && ~taken != 0) turn = __builtin_ctzll(~taken);
    if (move_a) take_turn(a, turn);
    if (move_b) take_turn(b, turn);
    if (turn >= *turns) *turns = turn + 1;
    return turn;
}

static bool add_packed(pv_world *world, pv__batch_part part) {
    if (!pv__reserve(&world->def.allocator, &world->solver.packed, &world->solver.packed_capacity,
                     world->solver.packed_count + 1, sizeof part))
        return false;
    world->solver.packed[world->solver.packed_count++] = part;
    return true;
}

/// Returns the number of points in the part that starts at a point. An odd first point is alone,
/// the others are in twos.
static int part_points(int count, int first) { return first == 0 && count % 2 == 1 ? 1 : 2; }

static pv__batch_part batch_part_of(const pv_world *world, int slot, int first) {
    return (pv__batch_part){slot, first, part_points(world->manifolds.items[slot].count, first), 0};
}

static bool batch_split(pv_world *world, int slot, bool ordered, int *turns) {
    pv__manifold *m = &world->manifolds.items[slot];
    m->packed = m->count;
    for (int i = 0; i < m->count;) {
        pv__batch_part part = batch_part_of(world, slot, i);
        part.turn = batch_turn_of(world, m, ordered, turns);
        if (!add_packed(world, part)) return false;
        i += part.points;
    }
    return true;
}

/* ---- blocks ---- */

/// Returns the spring for the running substep. Longer substeps have the same springs, so that loads
/// do not sink.
static pv__spring spring_of(const pv_world *world, double stiffer, double part_rate) {
    double h = world->h, hertz = pv__min(STIFF_MOST, STIFF_SHARE / world->dt) * stiffer;
    double omega = 2 * PV__PI * hertz, a1 = 2 * BATCH_DAMPING + h * omega, a2 = h * omega * a1,
           parted = h * part_rate;
    return (pv__spring){omega / a1, 1.0 / a2, parted / (1 + parted)};
}

void pv__batch_fit_springs(pv_world *world, double h) {
    world->h = h;
    world->solver.spring = spring_of(world, 1, PART_RATE);
    world->solver.fixed_spring = spring_of(world, STIFF_STATIC, PART_RATE_STATIC);
}

/// Depth of a thin body's center from which it is parted, too [px]
static const double SLIGHT_BURIED = 2;

/// Sets the spring of a lane. A pair with a thin body has no depth resolution, as pixels stop its
/// motion, except for a body that others have pressed in.
static void set_spring(const pv_world *world, pv__batch *k, int lane) {
    const pv__manifold *m = &world->manifolds.items[k->manifold[lane]];
    bool fixed =
        world->bodies.items[m->a].inverse_mass == 0 || world->bodies.items[m->b].inverse_mass == 0;
    const pv__spring *s = fixed ? &world->solver.fixed_spring : &world->solver.spring;
    k->rate[lane] = s->rate;
    k->softness[lane] = s->softness;
    k->parting[lane] = m->slight && m->clearance > -SLIGHT_BURIED ? 0 : s->parting;
}

/// Empties a lane: both surfaces belong to the immovable solver body, far apart.
static void empty_lane(pv__batch *k, int l) {
    k->a[l] = k->b[l] = 0;
    k->manifold[l] = -1;
    k->discs[l] = 0;
    k->mass_a[l] = k->mass_b[l] = k->inertia_a[l] = k->inertia_b[l] = 0;
    k->whole_inertia_a[l] = k->whole_inertia_b[l] = 0;
    k->whole_mass[l] = k->rate[l] = 1;
    for (int i = 0; i < k->points; i++) {
        pv__batch_point *p = &k->point[i];
        p->nx[l] = 1;
        p->ny[l] = 0;
        p->anchor_ax[l] = p->anchor_ay[l] = p->radius_a[l] = p->radius_b[l] = p->share[l] = 0;
        p->anchor_bx[l] = BATCH_FAR;
        p->anchor_by[l] = i * BATCH_FAR;
        p->impulse_n[l] = p->impulse_t[l] = p->roll[l] = 0;
        p->slides[l] = 0;
    }
}

/// Initializes a block without lanes; the caller fills or empties them.
static void begin_block(pv__batch *k, int points, int level) {
    memset(k, 0, offsetof(pv__batch, point));
    k->points = points;
    k->level = level;
    for (int l = 0; l < PV__LANES; l++) k->manifold[l] = -1;
}

static void empty_rest(pv__batch *k) {
    for (int l = 0; l < PV__LANES; l++)
        if (k->manifold[l] < 0) empty_lane(k, l);
}

static void fill_point(pv__batch_point *to, int l, const pv__contact_point *from) {
    to->anchor_ax[l] = from->anchor_a.x;
    to->anchor_ay[l] = from->anchor_a.y;
    to->anchor_bx[l] = from->anchor_b.x;
    to->anchor_by[l] = from->anchor_b.y;
    to->radius_a[l] = from->radius_a;
    to->radius_b[l] = from->radius_b;
    bool round_a = from->radius_a > 0, round_b = from->radius_b > 0;
    to->share[l] = round_a == round_b ? 0.5
                   : round_b          ? 1
                                      : 0; /* a rolling surface carries the point along */
    to->nx[l] = from->normal.x;
    to->ny[l] = from->normal.y;
    to->impulse_n[l] = from->impulse_n;
    to->impulse_t[l] = from->impulse_t;
    to->roll[l] = from->impulse_roll;
    to->slides[l] = from->slides ? -1 : 0;
}

/// Sets the masses of a lane; inactive bodies have an infinite mass. A lane of two inactive bodies
/// is idle.
static void set_masses(const pv_world *world, pv__batch *k, int l) {
    const pv__manifold *m = &world->manifolds.items[k->manifold[l]];
    const pv__body *a = &world->bodies.items[m->a], *b = &world->bodies.items[m->b];
    bool move_a = batch_is_movable(world, m->a), move_b = batch_is_movable(world, m->b);
    k->mass_a[l] = move_a ? a->inverse_mass : 0;
    k->mass_b[l] = move_b ? b->inverse_mass : 0;
    k->inertia_a[l] = move_a ? a->inverse_inertia : 0;
    k->inertia_b[l] = move_b ? b->inverse_inertia : 0;
    k->idle[l] = move_a || move_b ? 0 : -1;
    k->uneven |= pv__batch_is_uneven(k, l);
    k->driven |= a->type == PV_BODY_KINEMATIC || b->type == PV_BODY_KINEMATIC;
}

static void set_locks(pv__batch *k, int l, const pv__body *a, const pv__body *b) {
    const pv__four zero = {0}, one = {1, 1, 1, 1};
    bool locked = (a->locks | b->locks) & (PV_LOCK_X | PV_LOCK_Y);
    if (!locked && !k->locked) return;
    if (!k->locked) {
        k->locked = true;
        k->free_ax = k->free_ay = k->free_bx = k->free_by = one;
        k->locked_x = k->locked_y = zero;
    }
    pv_vec2 free_a = pv__body_unlocked(a, pv__vec(1, 1)),
            free_b = pv__body_unlocked(b, pv__vec(1, 1));
    k->free_ax[l] = free_a.x;
    k->free_ay[l] = free_a.y;
    k->free_bx[l] = free_b.x;
    k->free_by[l] = free_b.y;
    k->locked_x[l] = (1 - free_a.x) * a->inverse_mass + (1 - free_b.x) * b->inverse_mass;
    k->locked_y[l] = (1 - free_a.y) * a->inverse_mass + (1 - free_b.y) * b->inverse_mass;
}

/// Reserves a lane for a part; fill_lane() fills it.
static void place_lane(pv_world *world, int at, const pv__batch_part *part) {
    pv__batch *k = &world->solver.batches[at / PV__LANES];
    int l = at % PV__LANES;
    pv__manifold *m = &world->manifolds.items[part->manifold];
    m->lanes[(part->first + 1) / 2] = at;
    k->a[l] = m->a + 1;
    k->b[l] = m->b + 1;
    k->manifold[l] = part->manifold;
    k->first[l] = part->first;
}

/// Fills a lane with the points of its part. It writes its block alone.
static void fill_lane(const pv_world *world, pv__batch *k, int l) {
    const pv__manifold *m = &world->manifolds.items[k->manifold[l]];
    const pv__body *a = &world->bodies.items[m->a], *b = &world->bodies.items[m->b];
    set_masses(world, k, l);
    k->whole_mass[l] = a->inverse_mass + b->inverse_mass;
    k->whole_inertia_a[l] = a->inverse_inertia;
    k->whole_inertia_b[l] = b->inverse_inertia;
    k->static_friction[l] = m->material.mixed.static_friction;
    k->kinetic_friction[l] = m->material.mixed.kinetic_friction;
    k->restitution[l] = m->material.mixed.restitution;
    k->rolling[l] = m->material.rolling;
    k->belt[l] = m->material.tangent_speed;
    k->discs[l] = pv__manifold_is_of_discs(m) ? -1 : 0;
    k->has_discs |= k->discs[l] != 0;
    k->bounces |= m->material.mixed.restitution > 0;
    k->rolls |= m->material.rolling > 0;
    set_locks(k, l, a, b);
    set_spring(world, k, l);
    for (int i = 0; i < k->points; i++) fill_point(&k->point[i], l, &m->points[k->first[l] + i]);
    for (int i = 1; i < k->points; i++)
        k->point[i].roll[l] = 0; /* a former first point may have one */
}

/// Fills the lanes of blocks, and empties the others.
static void fill_some(pv_world *world, void *stage, int first, int end) {
    (void)stage;
    for (int i = first; i < end; i++) {
        pv__batch *k = &world->solver.batches[i];
        for (int l = 0; l < PV__LANES; l++)
            if (k->manifold[l] >= 0) fill_lane(world, k, l);
        empty_rest(k);
    }
}

/// Number of blocks in a chunk, and of manifolds
enum { BATCH_GRAIN = 16, UNPACK_GRAIN = 64 };

/// Number of parts of one level and number of points, and their first block
typedef struct batch_shelf {
    int count, block;
} batch_shelf;

static bool lay_blocks(pv_world *world, batch_shelf *shelves, int count) {
    int blocks = 0;
    for (int i = 0; i < count; i++) {
        shelves[i].block = blocks;
        blocks += (shelves[i].count + PV__LANES - 1) / PV__LANES;
        shelves[i].count = 0;
    }
    if (!pv__reserve(&world->def.allocator, &world->solver.batches, &world->solver.batch_capacity,
                     blocks, sizeof(pv__batch)))
        return false;
    world->solver.batch_count = blocks;
    for (int i = 0; i < count; i++)
        for (int k = shelves[i].block; k < (i + 1 < count ? shelves[i + 1].block : blocks); k++)
            begin_block(&world->solver.batches[k], i % 2 + 1, i / 2);
    return true;
}

static bool fill_blocks(pv_world *world, int turns) {
    size_t count = 2 * (size_t)turns;
    if (count == 0) return true;
    batch_shelf *shelves = pv__alloc(&world->def.allocator, count, sizeof *shelves);
    if (!shelves) return false;
    for (int i = 0; i < world->solver.packed_count; i++)
        shelves[2 * world->solver.packed[i].turn + world->solver.packed[i].points - 1].count++;
    bool laid = lay_blocks(world, shelves, (int)count);
    for (int i = 0; laid && i < world->solver.packed_count; i++) {
        const pv__batch_part *part = &world->solver.packed[i];
        batch_shelf *s = &shelves[2 * part->turn + part->points - 1];
        int at = s->count++;
        place_lane(world, s->block * PV__LANES + at, part);
    }
    if (laid) pv__tasks_run(world, world->solver.batch_count, BATCH_GRAIN, fill_some, NULL);
    pv__free(&world->def.allocator, shelves, count, sizeof *shelves);
    return laid;
}

static bool batch_is_restless(const pv_world *world, const pv__manifold *m) {
    return batch_is_movable(world, m->a) || batch_is_movable(world, m->b);
}

static bool add_to_sweep(pv_world *world, int block) {
    if (!pv__reserve(&world->def.allocator, &world->solver.sweep, &world->solver.sweep_capacity,
                     world->solver.sweep_count + 1, sizeof(int)))
        return false;
    world->solver.sweep[world->solver.sweep_count++] = block;
    world->solver.chunked = false;
    return true;
}

static bool sweep_all(pv_world *world) {
    world->solver.sweep_count = 0;
    world->solver.chunked = false;
    for (int i = 0; i < world->solver.batch_count; i++)
        if (!add_to_sweep(world, i)) return false;
    return true;
}

/// Scales a block's impulses to substeps of another length, and fits its springs.
static void pace_block(const pv_world *world, pv__batch *k, double by) {
    for (int l = 0; l < PV__LANES; l++) {
        if (k->manifold[l] < 0 || k->idle[l]) continue;
        set_spring(world, k, l);
        for (int i = 0; i < k->points; i++) {
            k->point[i].impulse_n[l] *= by;
            k->point[i].impulse_t[l] *= by;
            k->point[i].roll[l] *= by;
        }
    }
}

static void pace_some(pv_world *world, void *stage, int first, int end) {
    const double *by = stage;
    for (int i = first; i < end; i++)
        pace_block(world, &world->solver.batches[world->solver.sweep[i]], *by);
}

void pv__batch_pace(pv_world *world, double h) {
    double by = h / world->h;
    pv__batch_fit_springs(world, h);
    pv__tasks_run(world, world->solver.sweep_count, BATCH_GRAIN, pace_some, &by);
}

/// Tells whether any body of a block is active; sets the block's masses then.
static bool narrow_block(const pv_world *world, pv__batch *k) {
    bool busy = false;
    for (int l = 0; l < PV__LANES; l++)
        if (k->manifold[l] >= 0 &&
            batch_is_restless(world, &world->manifolds.items[k->manifold[l]]))
            busy = true;
    for (int l = 0; busy && l < PV__LANES; l++)
        if (k->manifold[l] >= 0) set_masses(world, k, l);
    return busy;
}

/// Sets a block's masses to the ones of all awake bodies.
static void widen_block(const pv_world *world, pv__batch *k) {
    for (int l = 0; l < PV__LANES; l++) {
        if (k->manifold[l] < 0) continue;
        const pv__manifold *m = &world->manifolds.items[k->manifold[l]];
        const pv__body *a = &world->bodies.items[m->a], *b = &world->bodies.items[m->b];
        k->mass_a[l] = a->awake ? a->inverse_mass : 0; /* as for sleeping bodies before */
        k->mass_b[l] = b->awake ? b->inverse_mass : 0;
        k->inertia_a[l] = a->awake ? a->inverse_inertia : 0;
        k->inertia_b[l] = b->awake ? b->inverse_inertia : 0;
        k->idle[l] = 0;
    }
}

void pv__batch_narrow_sweep(pv_world *world) {
    int kept = 0;
    for (int i = 0; i < world->solver.sweep_count; i++) {
        pv__batch *k = &world->solver.batches[world->solver.sweep[i]];
        if (narrow_block(world, k))
            world->solver.sweep[kept++] = world->solver.sweep[i];
        else if (world->solver.narrowed)
            widen_block(world, k);
    }
    world->solver.sweep_count = kept;
    world->solver.chunked = false;
    world->solver.narrowed = true;
}

/// Undoes pv__batch_narrow_sweep() at the end of the step. An update may have refilled a block
/// outside the sweep.
static void widen_all(pv_world *world) {
    for (int i = 0; i < world->solver.batch_count; i++)
        widen_block(world, &world->solver.batches[i]);
}

/// Empties the batches, for lack of memory.
static void forget_lanes(pv_world *world) {
    for (int i = 0; i < world->manifolds.active_count; i++)
        world->manifolds.items[world->manifolds.active[i]].packed = 0;
    world->solver.packed_count = world->solver.batch_count = world->solver.sweep_count = 0;
    world->solver.chunked = false;
    world->out_of_memory = true;
}

/// Lists the parts of the manifolds in order, or of the others; returns false without memory.
static bool split_all(pv_world *world, pv__lineup lineup, int *turns) {
    for (int i = 0; i < world->manifolds.active_count; i++)
        if (pv__active_manifold(world, i)->lineup == lineup &&
            !batch_split(world, world->manifolds.active[i], lineup == PV__IN_ORDER, turns))
            return false;
    return true;
}

/// Tells for each manifold of a chunk whether it is packed, and in which order.
static void line_up(pv_world *world, void *stage, int first, int end) {
    (void)stage;
    for (int i = first; i < end; i++) {
        pv__manifold *m = pv__active_manifold(world, i);
        m->packed = 0;
        m->lineup = m->count == 0 || !batch_is_restless(world, m) ? PV__LEFT_OUT
                    : is_free_of_order(world, m)                  ? PV__IN_ANY_ORDER
                                                                  : PV__IN_ORDER;
    }
}

static void forget_turns(pv_world *world, void *stage, int first, int end) {
    (void)stage;
    for (int i = first; i < end; i++) {
        pv__solver_state *c = &world->solver.states[world->solver.members[i] + 1];
        c->turns = 0;
        c->taken = 0;
    }
}

void pv__batch_pack(pv_world *world) {
    int turns = 0;
    bool packed;
    world->solver.packed_count = world->solver.batch_count = 0;
    world->solver.repack = false;
    pv__tasks_run(world, world->solver.member_count, UNPACK_GRAIN, forget_turns, NULL);
    pv__tasks_run(world, world->manifolds.active_count, UNPACK_GRAIN, line_up, NULL);
    packed = split_all(world, PV__IN_ORDER, &turns);
    int in_order = world->solver.packed_count;
    packed = packed && split_all(world, PV__IN_ANY_ORDER, &turns);
    packed = packed && fill_blocks(world, turns);
    packed = packed && sweep_all(world);
    if (!packed) forget_lanes(world);
    world->solver.ordered_count = world->solver.batch_count;
    world->solver.ordered =
        packed && world->solver.packed_count == in_order &&
        world->solver.active_count + world->solver.flown_count == world->bodies.awake_count;
}

static bool some_swift(const pv_world *world) {
    for (int i = 0; i < world->solver.active_count; i++)
        if (is_swift(world, world->solver.active[i])) return true;
    return false;
}

bool pv__batch_keeps_order(const pv_world *world) {
    if (!some_swift(world)) return true;
    for (int i = 0; i < world->manifolds.active_count; i++) {
        const pv__manifold *m = pv__active_manifold(world, i);
        if (m->count > 0 && is_free_of_order(world, m)) return false;
    }
    return true;
}

/* ---- storing, and changes in between ---- */

/// Returns the approach speed of a lane's point [px/s].
static double batch_approach_of(const pv__batch *k, int point, int l) {
    return k->struck && k->given[point][l] > 0 ? k->approach[point][l] : 0;
}

/// Returns the impact of a lane: impulses, and place and normal of the hit points, weighted with
/// their impulses. The place is on the heavier body, in its own rotation.
static pv__impact blow_of(const pv_world *world, const pv__batch *k, int l) {
    const pv__manifold *m = &world->manifolds.items[k->manifold[l]];
    bool on_a = pv__body_is_heavier(&world->bodies.items[m->a], &world->bodies.items[m->b]);
    pv_rotation turn = pv__pose_of_solver_body(world, on_a ? m->a : m->b).turn;
    pv__impact blow = {.manifold = k->manifold[l], .order = world->events.impacts.count};
    for (int i = 0; i < k->points; i++) {
        const pv__contact_point *p = &m->points[k->first[l] + i];
        double given = k->given[i][l], speed = batch_approach_of(k, i, l);
        blow.impulse += given;
        blow.speed = pv__max(blow.speed, speed);
        if (speed <= world->def.hit_event_threshold) continue;
        pv_vec2 rim = pv__unrotate(turn, pv__mul(on_a ? p->radius_a : -p->radius_b, p->normal));
        blow.share += given;
        blow.at = pv__mad(blow.at, given, pv__add(on_a ? p->anchor_a : p->anchor_b, rim));
        blow.normal = pv__mad(blow.normal, given, p->normal);
    }
    return blow;
}

/// Marks the manifold of a lane as hit; called for all lanes before any report.
static void note_hit(const pv_world *world, const pv__batch *k, int l) {
    pv__manifold *m = &world->manifolds.items[k->manifold[l]];
    for (int i = 0; i < k->points; i++)
        m->hit |= batch_approach_of(k, i, l) > world->def.hit_event_threshold;
}

/// Reports the impact of a lane if its manifold was hit, or may still be hit in the step.
static void tell_lane(pv_world *world, pv__batch *k, int l, bool over) {
    const pv__manifold *m = &world->manifolds.items[k->manifold[l]];
    bool gave = k->given[0][l] > 0 || (k->points == 2 && k->given[1][l] > 0);
    if (gave && (m->hit || !over)) {
        pv__impact blow = blow_of(world, k, l);
        pv__events_append(world, &world->events.impacts, &blow, sizeof blow);
    }
    for (int i = 0; i < k->points; i++) k->given[i][l] = 0;
    for (int i = 0; k->struck && i < k->points; i++) k->approach[i][l] = 0;
}

/// Returns an impulse, or 0 for one beyond all finite motion. Its bodies were stopped, and their
/// contact starts anew.
static double bearable(double impulse) { return pv__abs(impulse) < MOST_IMPULSE ? impulse : 0; }

/// Stores the impulses of a lane back into the points of its manifold.
static void unpack_lane(const pv_world *world, const pv__batch *k, int l) {
    pv__manifold *m = &world->manifolds.items[k->manifold[l]];
    pv__contact_point *points = m->points + k->first[l];
    note_hit(world, k, l);
    if (k->discs[l]) points->normal = pv__vec(k->point[0].nx[l], k->point[0].ny[l]);
    for (int i = 0; i < k->points; i++) {
        const pv__batch_point *from = &k->point[i];
        points[i].impulse_n = bearable(from->impulse_n[l]);
        points[i].impulse_t = bearable(from->impulse_t[l]);
        points[i].impulse_roll = bearable(from->roll[l]);
        points[i].slides = from->slides[l] != 0;
        m->pressed |= k->given[i][l] > 0 || points[i].impulse_n > 0;
    }
}

/// Unpacks all lanes of a manifold; it writes the manifold alone.
static void unpack_manifold(const pv_world *world, const pv__manifold *m) {
    for (int i = 0; i < m->packed; i += part_points(m->packed, i)) {
        int at = m->lanes[(i + 1) / 2];
        if (at / PV__LANES >= world->solver.batch_count) return; /* blocks are out of date */
        unpack_lane(world, &world->solver.batches[at / PV__LANES], at % PV__LANES);
    }
}

static void unpack_active(pv_world *world, void *stage, int first, int end) {
    (void)stage;
    for (int i = first; i < end; i++) unpack_manifold(world, pv__active_manifold(world, i));
}

static void unpack_all(pv_world *world, bool over) {
    pv__tasks_run(world, world->manifolds.active_count, UNPACK_GRAIN, unpack_active, NULL);
    for (int i = 0; i < world->solver.batch_count; i++) {
        pv__batch *k = &world->solver.batches[i];
        for (int l = 0; l < PV__LANES; l++)
            if (k->manifold[l] >= 0) tell_lane(world, k, l, over);
        k->struck = false;
    }
}

void pv__batch_close_all(pv_world *world) {
    unpack_all(world, true);
    if (!world->solver.narrowed) return;
    world->solver.narrowed = false;
    widen_all(world);
    world->solver.ordered &= sweep_all(world);
}

void pv__batch_unpack(pv_world *world) { unpack_all(world, false); }

static void unpack_marked(pv_world *world, void *stage, int first, int end) {
    (void)stage;
    for (int i = first; i < end; i++)
        if (world->manifolds.updates[i].had)
            unpack_manifold(world, &world->manifolds.items[world->manifolds.updates[i].slot]);
}

static void batch_tell(pv_world *world, const pv__manifold *m) {
    for (int i = 0; i < m->packed; i += part_points(m->packed, i)) {
        int at = m->lanes[(i + 1) / 2];
        tell_lane(world, &world->solver.batches[at / PV__LANES], at % PV__LANES, false);
    }
}

static bool batch_fits(const pv__batch *k, int a, int b) {
    for (int l = 0; l < PV__LANES; l++)
        if (k->manifold[l] >= 0 && (k->a[l] == a || k->a[l] == b || k->b[l] == a || k->b[l] == b))
            return false;
    return true;
}

/// Returns a free lane for a part, in one of the last blocks or a new one; -1 without memory.
static int lane_for(pv_world *world, const pv__batch_part *part) {
    world->solver.chunked = false;
    const pv__manifold *m = &world->manifolds.items[part->manifold];
    int a = batch_is_movable(world, m->a) ? m->a + 1 : -1,
        b = batch_is_movable(world, m->b) ? m->b + 1 : -1;
    for (int i = world->solver.batch_count - 1;
         i >= world->solver.ordered_count && i >= world->solver.batch_count - LATE_BLOCKS; i--) {
        const pv__batch *k = &world->solver.batches[i];
        for (int l = 0; l < PV__LANES && k->points == part->points && batch_fits(k, a, b); l++)
            if (k->manifold[l] < 0) return i * PV__LANES + l;
    }
    if (!pv__reserve(&world->def.allocator, &world->solver.batches, &world->solver.batch_capacity,
                     world->solver.batch_count + 1, sizeof(pv__batch)))
        return -1;
    if (!add_to_sweep(world, world->solver.batch_count)) return -1;
    begin_block(&world->solver.batches[world->solver.batch_count], part->points,
                world->solver.batch_count);
    empty_rest(&world->solver.batches[world->solver.batch_count]);
    return PV__LANES * world->solver.batch_count++;
}

/// Notes that a lane has to be filled; returns false without memory.
static bool note_stale(pv_world *world, int at) {
    pv__batch *k = &world->solver.batches[at / PV__LANES];
    if (k->stale == 0 &&
        !pv__reserve(&world->def.allocator, &world->solver.stale, &world->solver.stale_capacity,
                     world->solver.stale_count + 1, sizeof(int)))
        return false;
    if (k->stale == 0) world->solver.stale[world->solver.stale_count++] = at / PV__LANES;
    k->stale |= 1u << at % PV__LANES;
    return true;
}

/// Fills the stale lanes of listed blocks.
static void fill_stale(pv_world *world, void *stage, int first, int end) {
    (void)stage;
    for (int i = first; i < end; i++) {
        pv__batch *k = &world->solver.batches[world->solver.stale[i]];
        for (int l = 0; l < PV__LANES; l++)
            if (k->stale >> l & 1) fill_lane(world, k, l);
        k->stale = 0;
    }
}

/// Reserves the lane of a part's predecessor for it, or a free one; returns false without memory.
static bool batch_place(pv_world *world, pv__batch_part part, int at) {
    if (at < 0) at = lane_for(world, &part);
    if (at < 0 || !note_stale(world, at)) {
        world->out_of_memory = true;
        return false;
    }
    place_lane(world, at, &part);
    return true;
}

static void repack_manifold(pv_world *world, int slot) {
    pv__manifold *m = &world->manifolds.items[slot];
    bool alike = m->packed == m->count;
    for (int i = 0; !alike && i < m->packed; i += part_points(m->packed, i)) {
        int at = m->lanes[(i + 1) / 2];
        empty_lane(&world->solver.batches[at / PV__LANES], at % PV__LANES);
    }
    int packed = 0;
    while (packed < m->count) {
        pv__batch_part part = batch_part_of(world, slot, packed);
        if (!batch_place(world, part, alike ? m->lanes[(packed + 1) / 2] : -1)) break;
        packed += part.points;
    }
    m->packed = packed;
    world->solver.ordered &= alike;
    world->solver.repack |= world->solver.batch_count > world->solver.ordered_count +
                                                            world->solver.ordered_count / 4 +
                                                            LATE_BLOCKS;
}

void pv__batch_store_marked(pv_world *world) {
    if (world->solver.repack) {
        pv__batch_unpack(world);
        pv__batch_pack(world);
    }
    pv__tasks_run(world, world->manifolds.update_count, UNPACK_GRAIN, unpack_marked, NULL);
    for (int i = 0; i < world->manifolds.update_count; i++)
        if (world->manifolds.updates[i].had)
            batch_tell(world, &world->manifolds.items[world->manifolds.updates[i].slot]);
}

void pv__batch_load_marked(pv_world *world) {
    world->solver.stale_count = 0;
    for (int i = 0; i < world->manifolds.update_count; i++) {
        const pv__update *u = &world->manifolds.updates[i];
        if (i + 8 < world->manifolds.update_count)
            __builtin_prefetch(&world->manifolds.items[u[8].slot]);
        if (u->had || world->manifolds.items[u->slot].count > 0) repack_manifold(world, u->slot);
    }
    pv__tasks_run(world, world->solver.stale_count, BATCH_GRAIN, fill_stale, NULL);
}
