/* solver_body.c - copies of bodies for a step of contours, and the choice of active ones.
 *
 * Invariant: outside a step the particles alone represent a body's motion. A solver body is created
 * from them when the step begins, and stored into them when it ends.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "solver/solver_body.h"
#include "collide/broad_phase.h"
#include "collide/manifold.h"
#include "collide/narrow_phase.h"
#include "collide/pair_limit.h"
#include "core/pose.h"
#include "core/stage_timer.h"
#include "core/tasks.h"
#include "core/wake.h"
#include "solver/contact_batch.h"
#include "solver/integrate.h"
#include "solver/strips.h"

#include <string.h>

/// Greatest rim speed and gain of an inactive body in a substep [px/s]. QUIET_SHARE: the gain as a
/// share of its island's fastest rim, up to QUIET_FASTEST [px/s]; without it, a poked pyramid takes
/// seven times as long.
static const double QUIET_SPEED = 0.05, QUIET_GAIN = 1e-4, QUIET_SHARE = 0.04, QUIET_FASTEST = 1;
/// Number of members above which an island's inactive bodies may gain more, in proportion to it,
/// and the greatest factor
static const double QUIET_MEMBERS = 16, QUIET_MOST = 10;
/// Speeds above which a body keeps more of its island active; above the last one, all of it [px/s].
/// A body keeps its neighbors active, and bodies two contacts farther for each speed it exceeds.
static const double GENTLE_SPEEDS[] = {2, 8, 32, 128};
enum { GENTLE_SPEED_COUNT = 4, GENTLE_HOPS = 1, MORE_HOPS = 2 };
/// Greatest share of active bodies in an island with inactive ones: one in so many
static const int FEW = 4;
/// Rim speed up to which a body adds to its island's pace; a few fast ones hurry no heap [px/s]
static const double PACE_MOST = 40;
/// Greatest speed of a body; a faster one is stopped [px/s]
static const double SOLVER_BODY_FASTEST = 1e9;

/// Sets a row number by number. A vector built on the stack would stall the next read.
static void set_row(pv__four *row, double x, double y, double z, double w) {
    (*row)[0] = x;
    (*row)[1] = y;
    (*row)[2] = z;
    (*row)[3] = w;
}

static void put_row(pv__four *row, pv__pose p) {
    set_row(row, p.center.x, p.center.y, p.turn.c, p.turn.s);
}

/// Reserves an array by body, given the variables of its pointer and its capacity.
#define RESERVE_BY_BODY(world, items, capacity)                                                    \
    pv__world_reserve_by_body(world, &(items), &(capacity), (world)->bodies.count, sizeof *(items))

/// Makes room for the batch levels of bodies; none are in use.
static bool reserve_levels(pv_world *world) {
    pv__solver *s = &world->solver;
    int before = s->level_capacity;
    if (!RESERVE_BY_BODY(world, s->levels, s->level_capacity)) return false;
    if (s->level_capacity > before)
        memset(s->levels, 0, (size_t)s->level_capacity * sizeof *s->levels);
    return true;
}

static bool reserve(pv_world *world) {
    pv__solver *s = &world->solver;
    return reserve_levels(world) && RESERVE_BY_BODY(world, s->bodies, s->body_capacity) &&
           RESERVE_BY_BODY(world, s->states, s->state_capacity) &&
           RESERVE_BY_BODY(world, s->outlines, s->outline_capacity) &&
           RESERVE_BY_BODY(world, s->disturbed, s->disturbed_capacity) &&
           RESERVE_BY_BODY(world, s->gathered, s->gathered_capacity) &&
           RESERVE_BY_BODY(world, s->hits, s->hit_capacity) &&
           RESERVE_BY_BODY(world, s->members, s->member_capacity) &&
           RESERVE_BY_BODY(world, s->active, s->active_capacity);
}

/// Returns the radius at which turning moves a body's surface [px]: its whole reach, or the
/// distance of a disc's center.
static double arm_of(const pv__body *b) {
    const pv__shape *s = b->pixels->shape;
    return s->circle_radius > 0 ? pv__length(pv__sub(s->circle_center, b->pixels->pivot))
                                : b->pixels->reach;
}

/// Returns the pose at the start of the step from the particles, which the step leaves untouched.
static pv__pose pose_of_now(const pv__body *b) {
    pv_vec2 stick = pv__mul(0.5 / b->half_stick, pv__sub(b->now[1], b->now[0]));
    return (pv__pose){pv__mul(0.5, pv__add(b->now[0], b->now[1])), {stick.x, stick.y}};
}

static bool is_within(const pv__four *v) {
    return pv__abs((*v)[0]) <= SOLVER_BODY_FASTEST && pv__abs((*v)[1]) <= SOLVER_BODY_FASTEST &&
           pv__abs((*v)[2]) <= SOLVER_BODY_FASTEST;
}

/// Sets the numbers of a body that no step changes.
static void set_constants(const pv__body *b, pv__solver_state *c) {
    c->reach = b->pixels->reach;
    c->inverse_mass = b->inverse_mass;
    c->inverse_inertia = b->inverse_inertia;
    c->locks = b->locks;
    c->driven = b->type == PV_BODY_KINEMATIC;
}

/// Notes the pose and the contour of a body, which has no touch or hit yet.
static void begin_body(pv_world *world, const pv__body *b, int index) {
    world->solver.gathered[index + 1] = true;
    world->solver.hits[index + 1] = 0;
    world->solver.outlines[index + 1] = (pv__solver_outline){
        .extent = b->pixels->extent, .exact = pv__shape_is_exact(b->pixels->shape)};
    put_row(&world->solver.bodies[index + 1].pose, b->pose);
}

/// Initializes the state of a solver body; pv__solver_body_rest_quiet() sets the other members.
static void start_state(const pv__body *b, pv__solver_state *c, double h) {
    set_constants(b, c);
    put_row(&c->from, b->pose);
    c->h = h;
    c->group = 1;
    c->damped = pv__body_is_damped(b);
    c->free = !c->damped;
    c->bound = c->energy = c->way = 0;
    c->hop = c->crusher = c->flight = 0;
    c->quiet = c->roused = c->stopped = c->pressed = false;
    c->carried = false;
}

/// Scales the lead up so that damping leaves it unchanged. The lead is no part of the damped
/// displacement.
static double undamped(double lead, double damping, double h) {
    double kept = pv__kept(damping, h);
    return kept > 0.01 ? lead / kept : lead;
}

/// Creates a solver body from the chord of the last substep. The first substep is off by lead
/// (time-corrected Verlet, as in pv__integrate_bodies).
static void gather_awake(pv_world *world, int index, double h) {
    pv__body *b = &world->bodies.items[index];
    pv__solver_body *m = &world->solver.bodies[index + 1];
    pv__solver_state *c = &world->solver.states[index + 1];
    pv_vec2 pull = pv__body_acceleration(world, b);
    pv__chord chord = pv__pose_chord_of(b);
    double twist = pv__body_angular_acceleration(world, b);
    double lead = 0.5 * (b->verlet_dt0 - h), arm = arm_of(b), way = lead, turn = lead;
    start_state(b, c, h);
    begin_body(world, b, index);
    if (c->damped) {
        way = undamped(lead, b->linear_damping, h);
        turn = undamped(lead, b->angular_damping, h);
        pv__flag_raise(&world->solver.some_damped);
    }
    pv_vec2 was = {chord.way.x / h, chord.way.y / h};
    double spun = chord.angle / h;
    set_row(&c->gain, h * pull.x, h * pull.y, h * twist, 0);
    set_row(&c->was, was.x, was.y, spun, arm);
    set_row(&m->motion, was.x + way * pull.x, was.y + way * pull.y, spun + turn * twist, arm);
    if (is_within(&m->motion) && is_within(&c->gain)) return;
    pv__integrate_freeze(world, b, pose_of_now(b));
    set_row(&c->gain, 0, 0, 0, 0);
    set_row(&c->was, 0, 0, 0, arm);
    m->motion = c->was;
}

static void gather_some(pv_world *world, void *stage, int first, int end) {
    const double *h = stage;
    for (int i = first; i < end; i++) {
        gather_awake(world, world->bodies.awake[i], *h);
        world->solver.members[i] = world->solver.active[i] = world->bodies.awake[i];
    }
}

static void gather_still(pv_world *world, pv__body *b, int index) {
    begin_body(world, b, index);
    set_row(&world->solver.bodies[index + 1].motion, 0, 0, 0, arm_of(b));
    world->solver.states[index + 1] = (pv__solver_state){.quiet = true};
    set_constants(b, &world->solver.states[index + 1]);
    put_row(&world->solver.states[index + 1].from, b->pose);
    pv__pose_show_solver_body(world, index);
}

/// Creates the solver bodies of resting bodies in a pair, and notes what the pair means for both.
PV__INLINE void gather_of(pv_world *world, pv__solver_state *states, const bool *gathered,
                          const pv__schedule *w) {
    pv__solver_state *a = &states[w->a + 1], *b = &states[w->b + 1];
    if (!gathered[w->a + 1]) gather_still(world, &world->bodies.items[w->a], w->a);
    if (!gathered[w->b + 1]) gather_still(world, &world->bodies.items[w->b], w->b);
    a->free = b->free = false;
    a->pressed |= w->bears;
    b->pressed |= w->bears;
    if (a->driven | b->driven) world->squeeze.kinematics = true;
    if (a->group == 0 || b->group == 0) pv__narrow_phase_note_fringe(world, w);
}

bool pv__solver_body_gather(pv_world *world, double h) {
    world->solver.active_count = world->solver.flown_count = world->solver.flying_count = 0;
    world->squeeze.squeezed = false;
    world->solver.some_damped = false;
    if (!reserve(world)) {
        world->out_of_memory = true;
        return false;
    }
    memset(world->solver.disturbed, 0,
           (size_t)(world->bodies.count + 1) * sizeof *world->solver.disturbed);
    memset(world->solver.gathered, 0,
           (size_t)(world->bodies.count + 1) * sizeof *world->solver.gathered);
    world->solver.hits[0] = 0;
    pv__wake_list_awake(world);
    world->solver.group = 1;
    world->solver.progress = (pv__progress){0};
    world->solver.bodies[0] = (pv__solver_body){{0}, {0, 0, 1, 0}};
    world->solver.states[0] = (pv__solver_state){.quiet = true};
    pv__tasks_run(world, world->bodies.awake_count, PV__CHUNK_BODIES, gather_some, &h);
    world->solver.member_count = world->solver.active_count = world->bodies.awake_count;
    return true;
}

/// Reserves squeezes if a kinematic body is in a pair; returns false without memory.
static bool reserve_squeezes(pv_world *world) {
    pv__squeezes *s = &world->squeeze;
    if (!s->kinematics || RESERVE_BY_BODY(world, s->items, s->capacity)) return true;
    s->kinematics = false;
    world->out_of_memory = true;
    return false;
}

/// Creates solver bodies of resting bodies in pairs, notes the bodies with load, and schedules the
/// pairs. Returns false without memory.
static bool gather_pairs(pv_world *world) {
    world->squeeze.kinematics = false;
    world->manifolds.scheduled = pv__narrow_phase_schedule_all(world);
    const pv__schedule *all = world->manifolds.schedule;
    for (int i = 0, end = world->manifolds.schedule_count; i < end; i++)
        gather_of(world, world->solver.states, world->solver.gathered, &all[i]);
    if (!world->manifolds.scheduled) world->out_of_memory = true;
    return world->manifolds.scheduled && reserve_squeezes(world);
}

bool pv__solver_body_gather_pairs(pv_world *world) {
    bool rests_on = world->broad_phase.held && world->solver.rested && !world->solver.restored;
    if (world->solver.ordered && !pv__batch_keeps_order(world)) world->solver.ordered = false;
    world->solver.repack =
        !world->solver.ordered || world->solver.restored || pv__strips_update(world);
    world->solver.joined &=
        world->solver.ordered && world->solver.rested && !world->solver.restored;
    world->solver.restored = false;
    world->solver.fast = world->solver.slight = false;
    world->manifolds.scheduled = false;
    world->manifolds.schedule_count = world->solver.fringe_count = 0;
    if (world->solver.repack) world->solver.batch_count = world->solver.sweep_count = 0;
    return rests_on || gather_pairs(world);
}

/* ---- inactive bodies ---- */

static double rim_of(pv__four motion, double reach) {
    return sqrt(motion[0] * motion[0] + motion[1] * motion[1]) + pv__abs(motion[2]) * reach;
}

/// Measures a body's speed and gain in the substep. Its displacement counts, too, because pushing
/// bodies apart gives them no speed.
static void measure(const pv_world *world, int k, double h) {
    const pv__solver_body *m = &world->solver.bodies[k];
    pv__solver_state *c = &world->solver.states[k];
    pv__four way = m->pose - c->from;
    double moved =
        pv__abs(way[0]) + pv__abs(way[1]) + (pv__abs(way[2]) + pv__abs(way[3])) * c->reach;
    double speed = rim_of(m->motion, c->reach);
    c->rim_speed = pv__max(pv__max(speed, rim_of(c->was, c->reach)), moved / h);
    c->gained = rim_of(m->motion - c->was, c->reach);
    c->slow = speed <= QUIET_SPEED && c->rim_speed <= GENTLE_SPEEDS[0] &&
              world->bodies.items[k - 1].loaded != world->steps + 1;
    c->was = m->motion;
}

/// Makes a body an island of its own; a kinematic one is in none.
static void isolate(pv__solver_state *c, int k) {
    c->island = c->inverse_mass > 0 ? k : 0;
    c->anchored = c->led = false;
    c->members = 1;
    c->lightest = c->heaviest = c->inverse_mass;
}

static bool is_movable(const pv_world *world, int body) {
    return world->solver.states[body + 1].island > 0;
}

/// Joins the islands of two bodies that may touch; the lowest body of an island has its data.
PV__INLINE void join_islands(pv_world *world, pv__solver_state *c, const pv__schedule *w) {
    int a = c[w->a + 1].island, b = c[w->b + 1].island;
    if (a == b) return;
    a = PV__ROOT(c, island, a);
    b = PV__ROOT(c, island, b);
    if (a == b) return;
    if (a > 0 && b > 0) {
        int low = a < b ? a : b, high = a < b ? b : a;
        c[high].island = low;
        c[low].members += c[high].members;
        c[low].lightest = pv__max(c[low].lightest, c[high].lightest);
        c[low].heaviest = pv__min(c[low].heaviest, c[high].heaviest);
        c[low].anchored |= c[high].anchored;
        c[low].led |= c[high].led;
    } else {
        pv__solver_state *island = &c[a > 0 ? a : b];
        pv_body_type other = world->bodies.items[a > 0 ? w->b : w->a].type;
        bool stands = other != PV_BODY_DYNAMIC && world->manifolds.items[w->slot].count > 0;
        island->anchored |= stands; /* no sleeping one: it may be hit */
        island->led |= other != PV_BODY_STATIC;
    }
}

static pv__solver_state *island_of(pv_world *world, int body) {
    return &world->solver.states[PV__ROOT(world->solver.states, island, body + 1)];
}

/// Returns the number of contacts over which a body's motion keeps others active.
static int hops_of(const pv__solver_state *c) {
    int hops = GENTLE_HOPS;
    for (int i = 0; i < GENTLE_SPEED_COUNT && c->rim_speed > GENTLE_SPEEDS[i]; i++)
        hops += MORE_HOPS;
    return hops;
}

/// Passes the hops of one body of a pair, less one, to the other; returns whether any increased.
static bool pass_hops(pv__solver_state *a, pv__solver_state *b) {
    int hops = pv__later(a->hops, b->hops) - 1;
    if (hops <= 0 || (a->hops >= hops && b->hops >= hops)) return false;
    a->hops = pv__later(a->hops, hops);
    b->hops = pv__later(b->hops, hops);
    return true;
}

/// Passes hops on between bodies that touch, or may touch in a step of that length.
static bool rouse_neighbors(pv_world *world, double step) {
    bool news = false;
    for (int i = 0; i < world->manifolds.schedule_count; i++) {
        const pv__schedule *w = &world->manifolds.schedule[i];
        if (!is_movable(world, w->a) || !is_movable(world, w->b)) continue;
        pv__solver_state *a = &world->solver.states[w->a + 1], *b = &world->solver.states[w->b + 1];
        if ((a->hops <= 1 && b->hops <= 1) || a->quiet || b->quiet) continue;
        const pv__manifold *m = &world->manifolds.items[w->slot];
        double near = step * island_of(world, w->a)->fastest;
        if (m->count > 0 || m->clearance - pv__narrow_phase_moved(world, w->a, w->b, m) <= near)
            news |= pass_hops(a, b);
    }
    return news;
}

/// Returns the greatest gain of an inactive body of an island [px/s]. In a large island, impulses
/// never quite settle, and follow moving bodies. In a small one, a body with any gain slides.
static double quiet_gain(const pv__solver_state *island) {
    if (island->members < QUIET_MEMBERS) return QUIET_GAIN;
    double rest = QUIET_GAIN * pv__clamp(island->members / QUIET_MEMBERS, 1, QUIET_MOST);
    double share = QUIET_SHARE * pv__min(island->fastest, QUIET_FASTEST);
    return island->fastest > QUIET_SPEED ? pv__max(rest, share) : rest;
}

/// Tells whether some bodies of an island may be inactive.
static bool may_rest(const pv__solver_state *island) {
    return island->anchored && island->fastest <= GENTLE_SPEEDS[GENTLE_SPEED_COUNT - 1] &&
           island->restless * FEW <= island->members;
}

/// Joins the bodies of scheduled pairs, which may touch, into islands.
static void join_all(pv_world *world) {
    pv__solver_state *states = world->solver.states;
    const pv__schedule *all = world->manifolds.schedule;
    for (int i = 0; i < world->solver.active_count; i++) {
        int k = world->solver.active[i] + 1;
        isolate(&states[k], k);
    }
    for (int i = 0, end = world->manifolds.schedule_count; i < end; i++)
        join_islands(world, states, &all[i]);
}

/// Adds a body to the measures of its island, whose lowest body comes first.
static void add_to_island(pv_world *world, int body, pv_vec2 down) {
    const pv__solver_state *c = &world->solver.states[body + 1];
    pv__solver_state *island = island_of(world, body);
    const pv__solver_outline *outline = &world->solver.outlines[body + 1];
    pv__four pose = world->solver.bodies[body + 1].pose;
    double depth = pose[0] * down.x + pose[1] * down.y;
    if (island == c) {
        island->pace = island->extents = 0;
        island->top = island->bottom = depth;
    }
    island->pace += pv__min(c->rim_speed, PACE_MOST);
    island->extents += outline->extent;
    island->top = pv__min(island->top, depth - outline->extent);
    island->bottom = pv__max(island->bottom, depth + outline->extent);
}

bool pv__solver_body_measure_paces(pv_world *world, int least, double pace) {
    int count = 0;
    double sum = 0, pull = pv__length(world->def.gravity);
    for (int i = 0; i < world->solver.active_count; i++) {
        int k = world->solver.active[i] + 1;
        pv__solver_state *c = &world->solver.states[k];
        c->rim_speed = rim_of(world->solver.bodies[k].motion, c->reach);
        if (c->free) continue;
        count++;
        sum += pv__min(c->rim_speed, PACE_MOST);
    }
    if (count < least || sum <= pace * count) return false;
    join_all(world);
    for (int i = 0; i < world->solver.active_count; i++)
        if (world->solver.states[world->solver.active[i] + 1].island > 0)
            add_to_island(world, world->solver.active[i],
                          pv__mul(pull > 0 ? 1 / pull : 0, world->def.gravity));
    return true;
}

/// Measures the speeds of islands, whose lowest bodies come first, and decides which may have
/// inactive bodies.
static void measure_islands(pv_world *world) {
    for (int i = 0; i < world->solver.active_count; i++) {
        pv__solver_state *c = &world->solver.states[world->solver.active[i] + 1],
                         *island = island_of(world, world->solver.active[i]);
        if (island == c) c->fastest = c->restless = 0;
        island->fastest = pv__max(island->fastest, c->rim_speed);
    }
    for (int i = 0; i < world->solver.active_count; i++) {
        const pv__solver_state *c = &world->solver.states[world->solver.active[i] + 1];
        pv__solver_state *island = island_of(world, world->solver.active[i]);
        island->restless += !c->slow || c->gained > quiet_gain(island);
    }
    for (int i = 0; i < world->solver.active_count; i++) {
        pv__solver_state *c = &world->solver.states[world->solver.active[i] + 1];
        if (island_of(world, world->solver.active[i]) == c) c->rests = may_rest(c);
    }
}

/// Tells whether a body may be inactive.
static bool is_calm(const pv__solver_state *c, const pv__solver_state *island) {
    return island->rests && c->slow && !c->roused && c->gained <= quiet_gain(island);
}

/// Finds the bodies that keep others active; returns whether there are any.
static bool find_rousers(pv_world *world) {
    bool any = false;
    for (int i = 0; i < world->solver.active_count; i++) {
        pv__solver_state *c = &world->solver.states[world->solver.active[i] + 1];
        c->hops = is_calm(c, island_of(world, world->solver.active[i])) ? 0 : 1 + hops_of(c);
        c->roused = false;
        any |= c->hops > 0;
    }
    return any;
}

static bool some_calm(const pv_world *world) {
    for (int i = 0; i < world->solver.active_count; i++)
        if (world->solver.states[world->solver.active[i] + 1].hops == 0) return true;
    return false;
}

/// Makes calm bodies inactive unless a moving one is near.
static void rouse(pv_world *world, double step) {
    if (!some_calm(world)) return;
    while (rouse_neighbors(world, step)) {
    }
    for (int i = 0; i < world->solver.active_count; i++) {
        pv__solver_state *c = &world->solver.states[world->solver.active[i] + 1];
        c->quiet = c->hops == 0;
    }
}

/// Removes the inactive bodies from the active list; returns whether there were any.
static bool drop_quiet(pv_world *world) {
    int kept = 0;
    for (int i = 0; i < world->solver.active_count; i++) {
        int body = world->solver.active[i];
        if (!world->solver.states[body + 1].quiet) world->solver.active[kept++] = body;
    }
    bool any = kept < world->solver.active_count;
    world->solver.active_count = kept;
    return any;
}

static void narrow(pv_world *world) {
    pv__narrow_phase_keep_active(world);
    pv__batch_narrow_sweep(world);
}

/// Finds the pairs of a step that started with the pairs of the last one.
static void find_held(pv_world *world, double h) {
    pv__broad_phase_find_pairs(world, h * world->substeps);
    pv__manifold_add_pairs(world, 0, 1);
    pv__solver_body_gather_met(world, 0, 1);
    pv__pair_limit_apply(world);
    world->broad_phase.held = false;
}

/// Measurement of all active bodies
typedef struct measuring {
    double h;
    /// True if one is too fast for the pairs of the last step
    pv__flag fast;
} measuring;

static void measure_bodies(pv_world *world, void *stage, int first, int end) {
    measuring *s = stage;
    for (int i = first; i < end; i++) {
        int k = world->solver.active[i] + 1;
        measure(world, k, s->h);
        if (world->solver.states[k].rim_speed > PV__HELD_SPEED) pv__flag_raise(&s->fast);
    }
}

/// Measures all active bodies; returns whether one is too fast for the pairs of the last step.
static bool measure_all(pv_world *world, double h) {
    measuring stage = {.h = h};
    pv__tasks_run(world, world->solver.active_count, PV__CHUNK_BODIES, measure_bodies, &stage);
    return stage.fast;
}

void pv__solver_body_rest_quiet(pv_world *world, double h) {
    bool fast = measure_all(world, h);
    if (!world->solver.ordered || !world->solver.joined) {
        if (!world->manifolds.scheduled) gather_pairs(world);
        join_all(world);
    }
    world->solver.joined = true;
    measure_islands(world);
    if (find_rousers(world) && !world->manifolds.scheduled) gather_pairs(world);
    if (fast && world->broad_phase.held) find_held(world, h);
    rouse(world, h * world->substeps);
    bool some = drop_quiet(world);
    world->solver.rested = world->solver.active_count == 0 && !world->broad_phase.crowded;
    if (some && world->solver.active_count > 0) narrow(world);
}

/// Measures the bodies of islands that may have inactive ones; returns whether there are any.
static bool measure_gentle(pv_world *world, double h) {
    bool any = false;
    for (int i = 0; i < world->solver.active_count; i++) {
        pv__solver_state *c = &world->solver.states[world->solver.active[i] + 1];
        if (!island_of(world, world->solver.active[i])->rests) continue;
        measure(world, world->solver.active[i] + 1, h);
        c->slow &= c->rim_speed <= QUIET_SPEED; /* depth resolution is still moving it */
        any = true;
    }
    return any;
}

void pv__solver_body_rest_settled(pv_world *world, double h) {
    if (!world->solver.narrowed || !measure_gentle(world, h)) return;
    find_rousers(world);
    rouse(world, h * world->substeps);
    if (drop_quiet(world)) narrow(world);
}

/* ---- bodies in free flight ---- */

/// Moves up to four flying bodies through substeps; copies of the first one fill the other lanes.
static void fly(const pv_world *world, pv__squad *f, int count, double h, int substeps) {
    if (count == 0) return;
    for (int i = count; i < PV__LANES; i++) {
        f->bodies[i] = f->bodies[0];
        f->gains[i] = f->gains[0];
    }
    world->solver.kernel->fly(f, h, substeps);
}

static void add_to_squad(pv_world *world, pv__squad *f, int *count, int body) {
    f->bodies[*count] = &world->solver.bodies[body + 1];
    f->gains[(*count)++] = &world->solver.states[body + 1].gain;
}

/// Tells whether a body may fly. Nothing stops a sensor; the pairs of other bodies are known as
/// long as they stay in their boxes.
static bool may_fly(const pv_world *world, int body, double h, int substeps) {
    return world->solver.states[body + 1].free &&
           (world->bodies.items[body].sensor ||
            pv__broad_phase_keeps_to_box(world, body, h, substeps));
}

static void take_off(pv_world *world, int body, int substeps) {
    pv__solver *s = &world->solver;
    s->states[body + 1].flight = substeps;
    ++*(world->bodies.items[body].sensor ? &s->flown_count : &s->flying_count);
}

void pv__solver_body_set_flying(pv_world *world, double h, int substeps) {
    int kept = 0;
    if (pv__world_has_matter(world)) return;
    for (int i = 0; i < world->solver.active_count; i++) {
        int body = world->solver.active[i];
        if (may_fly(world, body, h, substeps))
            take_off(world, body, substeps);
        else
            world->solver.active[kept++] = body;
    }
    world->solver.active_count = kept;
}

/// Inserts a body into a list, which is in order.
static void insert_body(pv_world *world, int **list, int *count, int *capacity, int body) {
    if (!pv__reserve(&world->def.allocator, list, capacity, *count + 1, sizeof **list)) {
        world->out_of_memory = true;
        return;
    }
    int i = (*count)++;
    for (; i > 0 && (*list)[i - 1] > body; i--) (*list)[i] = (*list)[i - 1];
    (*list)[i] = body;
}

void pv__solver_body_lengthen(pv_world *world, int k, double h) {
    pv__solver_state *c = &world->solver.states[k];
    double by = h / c->h;
    if (!c->pressed) world->solver.bodies[k].motion -= c->gain * (0.5 * (by - 1));
    c->gain *= by;
    c->h = h;
}

/// Ends the flight of a body after a substep, or before the first if it is -1. The flight began
/// with the step if substeps are long, else after the first substep.
static void land(pv_world *world, int body, int substep) {
    pv__solver_state *c = &world->solver.states[body + 1];
    pv__squad f;
    int count = 0, flown = pv__world_is_brisk(world) ? substep + 1 : substep;
    if (c->flight == 0) return;
    c->flight = 0;
    world->solver.flying_count--;
    if (c->group != world->solver.group)
        insert_body(world, &world->solver.members, &world->solver.member_count,
                    &world->solver.member_capacity, body);
    if (pv__world_is_brisk(world)) pv__solver_body_lengthen(world, body + 1, world->h);
    add_to_squad(world, &f, &count, body);
    fly(world, &f, count, world->h, flown);
    insert_body(world, &world->solver.active, &world->solver.active_count,
                &world->solver.active_capacity, body);
}

/// Makes the island of a quiet body of the group active again, because a moving one has come near.
/// Returns whether it did.
static bool disturb(pv_world *world, int body) {
    pv__solver_state *all = world->solver.states, *c = &all[body + 1];
    if (!c->quiet || c->group != world->solver.group || c->island == 0) return false;
    int root = PV__ROOT(all, island, body + 1);
    for (int i = 0; i < world->solver.member_count; i++) {
        int k = world->solver.members[i] + 1;
        if (!all[k].quiet || all[k].island == 0 || PV__ROOT(all, island, k) != root) continue;
        all[k].quiet = false;
        if (pv__world_is_brisk(world)) pv__solver_body_lengthen(world, k, world->h);
    }
    all[root].rests = false;
    return true;
}

/// Lists the active bodies and their pairs anew.
static void list_active(pv_world *world) {
    pv__solver *s = &world->solver;
    s->active_count = 0;
    for (int i = 0; i < s->member_count; i++) {
        const pv__solver_state *c = &s->states[s->members[i] + 1];
        if (!c->quiet && c->flight == 0) s->active[s->active_count++] = s->members[i];
    }
    if (!pv__narrow_phase_schedule_all(world)) world->out_of_memory = true;
    pv__narrow_phase_keep_active(world);
    s->repack = true;
}

void pv__solver_body_gather_met(pv_world *world, int first, int substep) {
    bool disturbed = false;
    for (int i = first; i < world->broad_phase.pair_count; i++) {
        pv__pair pair = world->broad_phase.pairs[i];
        const pv__manifold *m = pv__manifold_between(world, pair.a, pair.b);
        pv__schedule met =
            pv__narrow_phase_entry(world, (int)(m - world->manifolds.items), substep);
        gather_of(world, world->solver.states, world->solver.gathered, &met);
        land(world, pair.a, substep);
        land(world, pair.b, substep);
        disturbed |= disturb(world, pair.a);
        disturbed |= disturb(world, pair.b);
    }
    if (disturbed) list_active(world);
    reserve_squeezes(world);
}

void pv__solver_body_fly_all(pv_world *world, double h) {
    pv__squad f;
    int count = 0, flight = 0;
    if (world->solver.flown_count + world->solver.flying_count == 0) return;
    for (int i = 0; i < world->bodies.awake_count; i++) {
        int own = world->solver.states[world->bodies.awake[i] + 1].flight;
        if (own == 0) continue;
        if (count == PV__LANES || own != flight) {
            fly(world, &f, count, h, flight);
            count = 0;
        }
        flight = own;
        add_to_squad(world, &f, &count, world->bodies.awake[i]);
    }
    fly(world, &f, count, h, flight);
}

/* ---- bodies that wake, or become active again ---- */

/// Adds a sleeping body to the active ones. Its contacts have borne its forces so far.
static void add_woken(pv_world *world, int index, double h) {
    pv__solver *s = &world->solver;
    pv__solver_state *c = &s->states[index + 1];
    gather_awake(world, index, h);
    isolate(c, index + 1);
    c->fastest = c->pace = c->restless = 0;
    c->free = c->rests = false;
    c->group = s->group;
    insert_body(world, &s->members, &s->member_count, &s->member_capacity, index);
    insert_body(world, &s->active, &s->active_count, &s->active_capacity, index);
}

void pv__solver_body_wake(pv_world *world, int index, double h) {
    int i = index;
    do {
        if (!world->bodies.items[i].awake) add_woken(world, i, h);
        pv__broad_phase_pair_resting(world, i);
        i = world->bodies.items[i].island_next;
    } while (i != index);
    pv__wake_body(world, &world->bodies.items[index]);
    pv__wake_list_awake(world);
    world->solver.repack = true;
    world->solver.joined = false;
}

/* ---- storage into particles ---- */

/// Stores a solver body into its body. A body in contact had its velocity for the whole substep;
/// only a free one gains in between.
static void store_body(pv_world *world, pv__body *b, int index, double h) {
    const pv__solver_body *m = &world->solver.bodies[index + 1];
    pv__pose pose = pv__pose_of_solver_body(world, index);
    if (!pv__placeable(pose.center) || !is_within(&m->motion) ||
        !pv__finite(pose.turn.c + pose.turn.s)) {
        pv__integrate_freeze(world, b, pose_of_now(b));
        return;
    }
    const pv__four *gain = &world->solver.states[index + 1].gain;
    double last = world->solver.states[index + 1].h;
    pv__pose_set(b, pose);
    pv__pose_set_motion(world, b, pv__vec(m->motion[0], m->motion[1]), m->motion[2]);
    b->velocity = pv__vec(m->motion[0], m->motion[1]);
    b->spin = m->motion[2];
    bool touched = world->solver.outlines[index + 1].touched;
    b->verlet_dt0 = touched ? h : last;
    b->acceleration = touched ? pv__vec(0, 0) : pv__vec((*gain)[0] / last, (*gain)[1] / last);
}

static void store_some(pv_world *world, void *stage, int first, int end) {
    const double *h = stage;
    for (int i = first; i < end; i++) {
        int index = world->bodies.awake[i];
        store_body(world, &world->bodies.items[index], index, *h);
    }
}

void pv__solver_body_store(pv_world *world, double h) {
    pv__tasks_run(world, world->bodies.awake_count, PV__CHUNK_BODIES, store_some, &h);
    pv__timer_lap(world, &world->profile.move);
}
