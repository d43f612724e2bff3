/* pv_movers.c - the hot copies of bodies that a step by contours works on, and which of them it may leave alone.
 *
 * Invariant: outside a step the particles are all that a body's motion is known by; a mover is made of them when the step
 * begins and becomes them when it ends.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_lanes.h"
#include "pv_world.h"

#include <string.h>

/// Rim speed and gain of a quiet body in the first substep, at most [px/s]; and the gain as a share of its island's fastest rim.
static const double QUIET_SPEED = 0.05, QUIET_GAIN = 1e-4, QUIET_SHARE = 0.02;
/// Size from which on an island's quiet bodies may gain more, in proportion to its members, and the most times that they may.
static const double QUIET_MEMBERS = 16, QUIET_MOST = 10;
/// Speeds of bodies that leave others of their island quiet, the last at most [px/s]. A mover rouses bodies up to two contacts away,
/// and two more for each of these speeds that it exceeds.
static const double GENTLE_SPEEDS[] = {2, 8, 32};
enum { GENTLE_SPEED_COUNT = 3, GENTLE_HOPS = 2 };
/// Share of an island's bodies that may be restless while its quiet ones are left out: one in so many.
static const int FEW = 8;
/// Distance of contours below which a mover rouses its neighbor [px].
static const double NEARLY = 1;
/// Rim speed above which a body is swift [px/s].
static const double SWIFT = 20;
/// No body is faster than this, or it stops [px/s].
static const double FASTEST = 1e9;

/// Number by number: a vector made on the stack is not there yet when it is read.
static void set_row(pv__four *row, double x, double y, double z, double w) {
    (*row)[0] = x;
    (*row)[1] = y;
    (*row)[2] = z;
    (*row)[3] = w;
}

static void put_row(pv__four *row, pv__pose p) { set_row(row, p.centre.x, p.centre.y, p.turn.c, p.turn.s); }

pv__pose pv__mover_pose(const pv_world *world, int body) {
    const pv__mover *m = &world->movers[body + 1];
    return (pv__pose){{m->pose[0], m->pose[1]}, {m->pose[2], m->pose[3]}};
}

void pv__show_mover(pv_world *world, int index) {
    pv__body *b = &world->bodies[index];
    pv__four motion = world->movers[index + 1].motion;
    b->velocity = pv__vec(motion[0], motion[1]);
    b->spin = motion[2];
    if (!b->awake) return;
    b->pose = pv__mover_pose(world, index);
    b->bitmap_now.valid = false;
}

static bool reserve(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    int need = world->body_count + 1;
    return pv__reserve(allocator, &world->movers, &world->mover_capacity, need, sizeof(pv__mover)) &&
           pv__reserve(allocator, &world->courses, &world->course_capacity, need, sizeof(pv__course)) &&
           pv__reserve(allocator, &world->jolts, &world->jolt_capacity, need, sizeof(bool)) &&
           pv__reserve(allocator, &world->squeezes, &world->squeeze_capacity, need, sizeof(pv__squeeze)) &&
           pv__reserve(allocator, &world->restless, &world->restless_capacity, need, sizeof(int));
}

/// What turns with a body: all of it, or of a disc its centre.
static double arm_of(const pv__body *b) {
    const pv__shape *s = b->shape;
    return s->circle_radius > 0 ? pv__length(pv__sub(s->circle_centre, b->pivot)) : b->reach;
}

/// Where the step began: its pose may have been shown meanwhile, its particles were not touched.
static pv__pose pose_of_now(const pv__body *b) {
    pv_vec2 stick = pv__mul(0.5 / b->half_stick, pv__sub(b->now[1], b->now[0]));
    return (pv__pose){pv__mul(0.5, pv__add(b->now[0], b->now[1])), {stick.x, stick.y}};
}

static void freeze(pv_world *world, pv__body *b) {
    pv__set_pose(b, pose_of_now(b));
    pv__set_motion(world, b, pv__vec(0, 0), 0);
    b->acceleration = pv__vec(0, 0);
    world->flags |= PV_STEP_FROZEN;
}

static bool within(const pv__four *v) {
    return pv__abs((*v)[0]) <= FASTEST && pv__abs((*v)[1]) <= FASTEST && pv__abs((*v)[2]) <= FASTEST;
}

/// A course that has not begun; pv__rest_quiet() sees to what is left out.
static void start_course(const pv__body *b, pv__course *c, double h) {
    put_row(&c->from, b->pose);
    c->reach = b->reach;
    c->h = h;
    c->pace = PV__NO_PACE;
    c->damped = pv__is_damped(b);
    c->free = b->sensor && !c->damped;
    c->bound = 0;
    c->island = c->turns = c->hop = c->crusher = 0;
    c->quiet = c->roused = c->pressed = false;
}

/// What damping makes this of: the lead is no part of the way that it slows.
static double undamped(double lead, double damping, double h) {
    double kept = pv__kept(damping, h);
    return kept > 0.01 ? lead / kept : lead;
}

/// The chord of the last substep, and what the next ones gain: lead is what the first of them is off by (time-corrected
/// Verlet, as in pv__integrate).
static void gather_awake(pv_world *world, int index, double h) {
    pv__body *b = &world->bodies[index];
    pv__mover *m = &world->movers[index + 1];
    pv__course *c = &world->courses[index + 1];
    world->kinematics |= b->type == PV_BODY_KINEMATIC;
    pv_vec2 pull = pv__acceleration_of(world, b);
    pv__chord chord = pv__chord_of(b);
    double twist = pv__twist_of(world, b);
    double lead = 0.5 * (b->verlet_dt0 - h), arm = arm_of(b);
    double way = undamped(lead, b->linear_damping, h), turn = undamped(lead, b->angular_damping, h);
    start_course(b, c, h);
    set_row(&c->gain, h * pull.x, h * pull.y, h * twist, 0);
    set_row(&c->was, chord.way.x / h, chord.way.y / h, chord.angle / h, arm);
    set_row(&m->motion, c->was[0] + way * pull.x, c->was[1] + way * pull.y, c->was[2] + turn * twist, arm);
    put_row(&m->pose, b->pose);
    if (within(&m->motion) && within(&c->gain)) return;
    freeze(world, b);
    set_row(&c->gain, 0, 0, 0, 0);
    set_row(&c->was, 0, 0, 0, arm);
    m->motion = c->was;
}

static void gather_resting(pv_world *world, int index) {
    pv__body *b = &world->bodies[index];
    if (b->awake || b->gathered == world->steps + 1) return;
    b->gathered = world->steps + 1;
    world->kinematics |= b->type == PV_BODY_KINEMATIC;
    set_row(&world->movers[index + 1].motion, 0, 0, 0, arm_of(b));
    put_row(&world->movers[index + 1].pose, b->pose);
    world->courses[index + 1] = (pv__course){.reach = b->reach, .quiet = true};
    put_row(&world->courses[index + 1].from, b->pose);
}

void pv__gather_met(pv_world *world, pv__pair pair) {
    gather_resting(world, pair.a);
    gather_resting(world, pair.b);
}

static bool bears(const pv__manifold *m) {
    for (int i = 0; i < m->count; i++)
        if (m->points[i].impulse_n > 0) return true;
    return false;
}

bool pv__gather_movers(pv_world *world, double h) {
    world->restless_count = world->flown_count = 0;
    world->kinematics = world->squeezed = false;
    world->repack = !world->laid || world->restored;
    world->restored = false;
    if (world->repack) world->block_count = world->sweep_count = 0;
    if (!reserve(world)) {
        world->flags |= PV_STEP_NO_MEMORY;
        return false;
    }
    memset(world->jolts, 0, (size_t)(world->body_count + 1) * sizeof *world->jolts);
    world->movers[0] = (pv__mover){{0}, {0, 0, 1, 0}};
    world->courses[0] = (pv__course){.quiet = true};
    for (int i = 0; i < world->awake_count; i++) {
        gather_awake(world, world->awake[i], h);
        world->restless[world->restless_count++] = world->awake[i];
    }
    for (int i = 0; i < world->active_count; i++) {
        const pv__manifold *m = &world->manifolds[world->active[i]];
        gather_resting(world, m->a);
        gather_resting(world, m->b);
        if (bears(m)) world->courses[m->a + 1].pressed = world->courses[m->b + 1].pressed = true;
    }
    bool watched = pv__watch_all(world);
    if (!watched) world->flags |= PV_STEP_NO_MEMORY;
    return watched;
}

/* ---- those that rest ---- */

static double rim(pv__four motion, double reach) {
    return sqrt(motion[0] * motion[0] + motion[1] * motion[1]) + pv__abs(motion[2]) * reach;
}

static int root_of(pv__course *courses, int i) {
    while (courses[i].island != i) i = courses[i].island = courses[courses[i].island].island;
    return i;
}

/// By what it moved as well: what is pushed out of another has no speed of it.
static void classify(const pv__mover *m, pv__course *c, int island, bool loaded, double h) {
    pv__four way = m->pose - c->from;
    double moved = pv__abs(way[0]) + pv__abs(way[1]) + (pv__abs(way[2]) + pv__abs(way[3])) * c->reach;
    double speed = rim(m->motion, c->reach);
    c->island = island;
    c->fastest = pv__max(pv__max(speed, rim(c->was, c->reach)), moved / h);
    c->gained = rim(m->motion - c->was, c->reach);
    c->slow = !loaded && speed <= QUIET_SPEED && c->fastest <= GENTLE_SPEEDS[0];
    c->quiet = c->slow && c->gained <= QUIET_GAIN;
    c->anchored = c->led = false;
    c->members = 1;
    c->swift = c->fastest > SWIFT;
    c->restless = 0;
}

static bool is_movable(const pv_world *world, int body) { return world->courses[body + 1].island > 0; }

/// Makes one island of two bodies that may touch; the lowest of an island knows what it is like.
static void join(pv_world *world, const pv__manifold *m) {
    pv__course *c = world->courses;
    bool move_a = is_movable(world, m->a), move_b = is_movable(world, m->b);
    if (move_a && move_b) {
        int a = root_of(c, m->a + 1), b = root_of(c, m->b + 1), low = a < b ? a : b, high = a < b ? b : a;
        c[high].island = low;
        if (low == high) return;
        c[low].members += c[high].members;
        c[low].fastest = pv__max(c[low].fastest, c[high].fastest);
        c[low].swift += c[high].swift;
        c[low].lightest = pv__max(c[low].lightest, c[high].lightest);
        c[low].heaviest = pv__min(c[low].heaviest, c[high].heaviest);
        c[low].anchored |= c[high].anchored;
        c[low].led |= c[high].led;
    } else if (move_a || move_b) {
        pv__course *island = &c[root_of(c, move_a ? m->a + 1 : m->b + 1)];
        island->anchored |= m->count > 0;
        island->led |= world->bodies[move_a ? m->b : m->a].type == PV_BODY_KINEMATIC;
    }
}

const pv__course *pv__island_of(const pv_world *world, int mover) {
    const pv__course *c = world->courses;
    if (c[mover].island == 0) return NULL;
    while (c[mover].island != mover) mover = c[mover].island;
    return &c[mover];
}

/// Returns how many steps from body to body what moves concerns others.
static int hops_of(const pv__course *c) {
    int hops = GENTLE_HOPS;
    for (int i = 0; i < GENTLE_SPEED_COUNT && c->fastest > GENTLE_SPEEDS[i]; i++) hops += GENTLE_HOPS;
    return hops;
}

/// Passes hops on from one of a pair to the other, less one. Tells whether that raised any.
static bool pass_on(pv__course *a, pv__course *b) {
    int hops = (a->hops > b->hops ? a->hops : b->hops) - 1;
    if (hops <= 0 || (a->hops >= hops && b->hops >= hops)) return false;
    a->hops = a->hops > hops ? a->hops : hops;
    b->hops = b->hops > hops ? b->hops : hops;
    return true;
}

static bool rouse_neighbours(pv_world *world) {
    bool news = false;
    for (int i = 0; i < world->active_count; i++) {
        const pv__manifold *m = &world->manifolds[world->active[i]];
        pv__course *a = &world->courses[m->a + 1], *b = &world->courses[m->b + 1];
        if (a->hops <= 1 && b->hops <= 1) continue;
        if (m->count == 0 && m->clearance > NEARLY) continue;
        if (is_movable(world, m->a) && is_movable(world, m->b)) news |= pass_on(a, b);
    }
    return news;
}

/// Rouses quiet bodies near restless ones.
static void rouse(pv_world *world) {
    for (int i = 0; i < world->restless_count; i++) {
        pv__course *c = &world->courses[world->restless[i] + 1];
        c->hops = c->quiet && !c->roused ? 0 : 1 + hops_of(c);
        c->roused = false;
    }
    while (rouse_neighbours(world)) {
    }
    for (int i = 0; i < world->restless_count; i++) {
        pv__course *c = &world->courses[world->restless[i] + 1];
        c->quiet &= c->hops == 0;
    }
}

/// How many are not quiet.
static int classify_all(pv_world *world, double h) {
    int restless = 0;
    for (int i = 0; i < world->restless_count; i++) {
        int k = world->restless[i] + 1;
        bool dynamic = world->bodies[k - 1].type == PV_BODY_DYNAMIC;
        classify(&world->movers[k], &world->courses[k], dynamic ? k : 0,
                 world->bodies[k - 1].loaded == world->steps + 1, h);
        world->courses[k].lightest = world->courses[k].heaviest = world->bodies[k - 1].inverse_mass;
        restless += !world->courses[k].quiet;
    }
    return restless;
}

/// Returns the most that a quiet body of an island may gain [px/s]. In a large island, impulses never settle quite and follow
/// movers. In a small one, a body that gains anything slides.
static double quiet_gain(const pv__course *island) {
    if (island->members < QUIET_MEMBERS) return QUIET_GAIN;
    double rest = QUIET_GAIN * pv__clamp(island->members / QUIET_MEMBERS, 1, QUIET_MOST);
    double share = QUIET_SHARE * pv__min(island->fastest, GENTLE_SPEEDS[0]);
    return island->fastest > QUIET_SPEED ? pv__max(rest, share) : rest;
}

/// Tells whether some of an island may be left out.
static bool may_rest(const pv__course *island) {
    return island->anchored && island->fastest <= GENTLE_SPEEDS[GENTLE_SPEED_COUNT - 1] &&
           island->restless * FEW <= island->members;
}

/// Chooses the quiet bodies of islands. Where nothing moves, bodies that gain a little rest with the others: stepped alone, they
/// would unsettle them.
static void ask_islands(pv_world *world) {
    pv__course *c = world->courses;
    for (int i = 0; i < world->active_count; i++) join(world, &world->manifolds[world->active[i]]);
    for (int i = 0; i < world->restless_count; i++) {
        int k = world->restless[i] + 1;
        pv__course *island = &c[root_of(c, k)];
        c[k].quiet = c[k].slow && c[k].gained <= quiet_gain(island);
        island->restless += !c[k].quiet;
    }
    for (int i = 0; i < world->restless_count; i++) {
        int k = world->restless[i] + 1;
        const pv__course *island = &c[root_of(c, k)];
        bool rests = c[k].quiet || (c[k].slow && island->fastest <= QUIET_SPEED);
        c[k].quiet = rests && may_rest(island);
    }
    rouse(world);
}

/// Whether some are left out and some are not.
static bool leave_quiet(pv_world *world) {
    int kept = 0;
    for (int i = 0; i < world->restless_count; i++) {
        int body = world->restless[i];
        if (!world->courses[body + 1].quiet) world->restless[kept++] = body;
    }
    bool any = kept < world->restless_count;
    world->restless_count = kept;
    return any && kept > 0;
}

void pv__rest_quiet(pv_world *world, double h) {
    bool rests_on =
        classify_all(world, h) == 0 && world->rested && world->laid; /* the islands are those of then */
    if (!rests_on) ask_islands(world);
    bool some = leave_quiet(world);
    world->rested = world->restless_count == 0;
    if (!some) return;
    pv__watch_restless(world);
    pv__narrow_sweep(world);
}

void pv__fly_sensors(pv_world *world, double h) {
    int kept = 0;
    if (!world->senses || pv__has_matter(world)) return;
    for (int i = 0; i < world->restless_count; i++) {
        int body = world->restless[i];
        const pv__course *c = &world->courses[body + 1];
        if (c->free)
            world->lanes->fly(&world->movers[body + 1], &c->gain, h, world->substeps - 1);
        else
            world->restless[kept++] = body;
    }
    world->flown_count = world->restless_count - kept;
    world->restless_count = kept;
}

/* ---- back to particles ---- */

static void touch(pv_world *world, const pv__manifold *m) {
    if (bears(m)) world->bodies[m->a].touched = world->bodies[m->b].touched = true;
}

/// What touches had its velocity all the time; only what flies gains on the way.
static void store(pv_world *world, pv__body *b, int index, double h) {
    const pv__mover *m = &world->movers[index + 1];
    pv__pose pose = pv__mover_pose(world, index);
    if (!pv__placeable(pose.centre) || !within(&m->motion) || !pv__finite(pose.turn.c + pose.turn.s)) {
        freeze(world, b);
        return;
    }
    const pv__four *gain = &world->courses[index + 1].gain;
    double last = world->courses[index + 1].h;
    pv__set_pose(b, pose);
    pv__set_motion(world, b, pv__vec(m->motion[0], m->motion[1]), m->motion[2]);
    b->velocity = pv__vec(m->motion[0], m->motion[1]);
    b->spin = m->motion[2];
    b->verlet_dt0 = b->touched ? h : last;
    b->acceleration = b->touched ? pv__vec(0, 0) : pv__vec((*gain)[0] / last, (*gain)[1] / last);
}

void pv__store_movers(pv_world *world, double h) {
    for (int i = 0; i < world->awake_count; i++) world->bodies[world->awake[i]].touched = false;
    for (int i = 0; i < world->active_count; i++) touch(world, &world->manifolds[world->active[i]]);
    for (int i = 0; i < world->awake_count; i++)
        store(world, &world->bodies[world->awake[i]], world->awake[i], h);
    pv__lap(world, &world->profile.move);
}
