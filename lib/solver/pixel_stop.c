/* pixel_stop.c - stops at pixels for bodies that are too fast for contours.
 *
 * Invariant: a swept pair ends the substep at poses without shared pixels, if it shared none when
 * the substep began. If two movable bodies shared some, contacts push them apart.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "solver/pixel_stop.h"
#include "collide/narrow_phase.h"
#include "core/anchor.h"
#include "core/impulse.h"
#include "core/pose.h"
#include "core/tasks.h"
#include "placed/placed.h"
#include "solver/contact_batch.h"

/// Motion in a substep up to which a pair with contact points cannot pass pixels unseen, because
/// its contacts hold it back [px]
static const double SLOW_TOUCHING = 5;
/// Motion in a substep up to which contacts hold a pair that matter has pushed, or that has a
/// stopped body [px]
static const double STOP_PULLED = 0.25;
/// Greatest motion in a substep, and depth, at which contacts suffice for thin bodies or walls [px]
static const double STOP_SLIGHT = 0.1;
/// Least depth, and greatest motion in a substep, at which contacts lead such a body out [px]
static const double STOP_BURIED = 1;
/// Greatest distance of two bodies' pixels from their contours, if these miss some pixels [px]
static const double PROTRUDE = 1.5;
/// Share of its speed below which a body does not approach along a normal
static const double GRAZE = 1e-6;
/// Motion before the stop below which a body was stuck [px]
static const double STUCK = 0.1;
/// Budget of sweeps in a step, and its increase for each awake body. Without budget, pairs stop
/// where their overlap is unknown.
static const int64_t STEP_WORK = 20000, BODY_WORK = 20;
/// Greatest number of rounds
static const int STOP_ROUNDS = 4;

void pv__pixel_stop_allow_sweeps(pv_world *world) {
    world->solver.pixel_budget = STEP_WORK + BODY_WORK * world->solver.member_count;
}

/// Two bodies in a substep, relative to the end of their common center of mass
typedef struct meeting {
    int a, b;
    /// Displacement of the common center of mass in the substep [px]
    pv_vec2 together;
    /// Motions from the previous poses, moved by that displacement, to the current poses
    pv_swept way_a, way_b;
} meeting;

/// Tells whether stops and impulses move a body in this substep.
static bool gives_way(const pv_world *world, int index) {
    const pv__solver_state *c = &world->solver.states[index + 1];
    return pv__body_gives(world, index) && !c->quiet;
}

/// Returns the mean of two numbers, weighted with mass; an immovable body decides alone. It is 0
/// for two immovable bodies.
static double mean_by_mass(double inverse_a, double a, double inverse_b, double b) {
    double sum = inverse_a + inverse_b;
    return sum > 0 ? (a * inverse_b + b * inverse_a) / sum : 0;
}

static pv_vec2 common_velocity(const pv_world *world, int a, int b) {
    const pv__body *p = &world->bodies.items[a], *q = &world->bodies.items[b];
    double mp = gives_way(world, a) ? p->inverse_mass : 0,
           mq = gives_way(world, b) ? q->inverse_mass : 0;
    pv_vec2 wp = pv__body_unlocked(p, pv__vec(mp, mp)), wq = pv__body_unlocked(q, pv__vec(mq, mq));
    pv_vec2 vp = pv__body_velocity_now(world, a), vq = pv__body_velocity_now(world, b);
    return pv__vec(mean_by_mass(wp.x, vp.x, wq.x, vq.x), mean_by_mass(wp.y, vp.y, wq.y, vq.y));
}

/// Returns the transform of a pose, with its rotation scaled to length 1.
static pv_transform transform_of(const pv__body *b, pv__four pose) {
    double k = 1 / sqrt(pose[2] * pose[2] + pose[3] * pose[3]);
    return pv__body_transform(b, (pv__pose){{pose[0], pose[1]}, {k * pose[2], k * pose[3]}});
}

static pv_swept way_of(const pv_world *world, int index, pv_vec2 together) {
    const pv__body *b = &world->bodies.items[index];
    pv__four now = world->solver.bodies[index + 1].pose,
             from =
                 world->solver.states[index + 1].quiet ? now : world->solver.states[index + 1].from;
    return (pv_swept){b->pixels->mask,
                      transform_of(b, from + (pv__four){together.x, together.y, 0, 0}),
                      transform_of(b, now)};
}

static meeting meeting_of(const pv_world *world, int a, int b, double h) {
    pv_vec2 together = pv__mul(h, common_velocity(world, a, b));
    if (!pv__placeable(together)) together = pv__vec(0, 0); /* neither for NaN */
    return (meeting){a, b, together, way_of(world, a, together), way_of(world, b, together)};
}

/// Moves a body of a pair to a fraction of its motion.
static void put_at(pv_world *world, int index, const meeting *k, const pv_swept *way,
                   double fraction) {
    pv__four *pose = &world->solver.bodies[index + 1].pose;
    if (!gives_way(world, index)) return;
    pv_transform t = pv_swept_get_transform(way, fraction);
    *pose = world->solver.states[index + 1].from + (pv__four){k->together.x, k->together.y, 0, 0};
    if (fraction > 0) *pose = (pv__four){t.position.x, t.position.y, t.rotation.c, t.rotation.s};
}

/// Moves both bodies of a pair to a fraction of their motion.
static void put_both(pv_world *world, const meeting *k, double fraction) {
    put_at(world, k->a, k, &k->way_a, fraction);
    put_at(world, k->b, k, &k->way_b, fraction);
}

/// Repeats the substep's motion of a body with its current velocity.
static void go_again(pv_world *world, int index, double h) {
    if (!gives_way(world, index)) return;
    world->solver.bodies[index + 1].pose = world->solver.states[index + 1].from;
    world->solver.kernel->move_one(&world->solver.bodies[index + 1], h);
}

/// Returns a bound of the relative motion of two bodies' points in the substep [px].
PV__INLINE double motion_of(const pv_world *world, int a, int b) {
    const pv__solver_body *at_a = &world->solver.bodies[a + 1],
                          *at_b = &world->solver.bodies[b + 1];
    pv__four p = at_a->pose - world->solver.states[a + 1].from,
             q = at_b->pose - world->solver.states[b + 1].from;
    double x = q[0] - p[0], y = q[1] - p[1];
    return sqrt(x * x + y * y) + (pv__abs(p[2]) + pv__abs(p[3])) * at_a->motion[3] +
           (pv__abs(q[2]) + pv__abs(q[3])) * at_b->motion[3];
}

/// Returns the distance of two centers beyond which no pixels of a pair can meet [px].
PV__INLINE double farthest_of(const pv_world *world, int a, int b) {
    if (pv__pair_is_exact(world, a, b))
        return world->solver.outlines[a + 1].extent + world->solver.outlines[b + 1].extent;
    return world->solver.states[a + 1].reach + world->solver.states[b + 1].reach + PV__PIXEL_ROOM;
}

/// Tells whether the bounding circles of two bodies meet in the substep. Most fast bodies pass most
/// others at a distance.
PV__INLINE bool may_meet(const pv_world *world, int body_a, int body_b) {
    const pv__solver_state *a = &world->solver.states[body_a + 1],
                           *b = &world->solver.states[body_b + 1];
    pv__four from = b->from - a->from,
             to = world->solver.bodies[body_b + 1].pose - world->solver.bodies[body_a + 1].pose,
             way = to - from;
    double length = way[0] * way[0] + way[1] * way[1],
           along = -(from[0] * way[0] + from[1] * way[1]);
    double part = length > 0 ? pv__clamp(along / length, 0, 1) : 0;
    double x = from[0] + part * way[0], y = from[1] + part * way[1],
           near = farthest_of(world, body_a, body_b);
    return x * x + y * y <= near * near;
}

/// Returns the direction from a to b along which a pair is stopped. It is against the motion if the
/// pixels' normal is unreliable: with few pixels, or pixels that a body slides along.
static pv_vec2 normal_of(const pv__way_hit *hit, pv_vec2 speed) {
    bool known = pv__dot(speed, hit->first.normal) < -GRAZE * pv__length(speed);
    return known || (hit->inside > 0 && pv__dot(hit->first.normal, hit->first.normal) > 0)
               ? hit->first.normal
               : pv__mul(-1.0 / pv__length(speed), speed);
}

/// Absorbs the approach along the pixels' normal of a pair that cannot move, because contours do
/// not see its obstacle. Levers belong to the poses from which it goes on, so angular momentum is
/// kept. Returns false without an approach.
static bool absorb(pv_world *world, const meeting *k, const pv__way_hit *hit) {
    pv_vec2 at_a = pv__sub(hit->first.point, k->way_a.from.position),
            at_b = pv__sub(hit->first.point, k->way_b.from.position);
    pv_vec2 va =
        pv__mad(pv__body_velocity_now(world, k->a), pv__body_spin_now(world, k->a), pv__perp(at_a));
    pv_vec2 vb =
        pv__mad(pv__body_velocity_now(world, k->b), pv__body_spin_now(world, k->b), pv__perp(at_b));
    pv_vec2 speed = pv__sub(vb, va), n = normal_of(hit, speed);
    const pv__body *a = &world->bodies.items[k->a], *b = &world->bodies.items[k->b];
    double yield =
        pv__anchor_body_yield(world, k->a, at_a, n) + pv__anchor_body_yield(world, k->b, at_b, n);
    if (!(pv__dot(speed, n) < 0) || !pv__impulse_gives_way(a, b, yield)) return false;
    double j = -world->dt * pv__dot(speed, n) / yield; /* as a displacement [mass px] */
    if (!pv__finite(j)) return false;
    pv__body_push(world, k->a, at_a, pv__mul(-j, n), 0);
    pv__body_push(world, k->b, at_b, pv__mul(j, n), 0);
    return true;
}

/// Returns the motion in a substep up to which contacts hold a pair [px].
static double slow_for(const pv__manifold *m) { return m->count > 0 ? SLOW_TOUCHING : PV__UNSEEN; }

/// Tells whether a pair moved less than the gap between its contours since that was measured.
static bool is_clear(const pv_world *world, const pv__manifold *m) {
    double protrude = pv__pair_is_exact(world, m->a, m->b) ? 0 : PROTRUDE;
    return m->made && m->count == 0 &&
           pv__narrow_phase_moved(world, m->a, m->b, m) + protrude < m->clearance;
}

/// Tells whether a fast pair moves so far and so near each other that pixels have to test it. The
/// bodies' motion alone rules out most pairs.
PV__INLINE bool is_due(const pv_world *world, const pv__schedule *w) {
    if (!w->fast) return false;
    double motion = motion_of(world, w->a, w->b);
    if (motion <= PV__UNSEEN) return false;
    if (!may_meet(world, w->a, w->b)) return false;
    const pv__manifold *m = &world->manifolds.items[w->slot];
    return !m->passes && motion > slow_for(m) && !is_clear(world, m);
}

/// Notes that pixels hold the awake bodies of a pair, so that they are not at rest.
static void note_stops(pv_world *world, const pv__schedule *w) {
    pv__solver_state *a = &world->solver.states[w->a + 1], *b = &world->solver.states[w->b + 1];
    if (a->group > 0) a->roused = a->stopped = world->solver.any_stopped = true;
    if (b->group > 0) b->roused = b->stopped = world->solver.any_stopped = true;
}

/// Notes that the common motion of a pair may have carried its bodies into others.
static void note_carried(pv_world *world, const pv__manifold *m) {
    world->solver.states[m->a + 1].carried = world->solver.states[m->b + 1].carried =
        world->solver.any_carried = true;
}

/// Tells whether a body sleeps, and would give way awake.
static bool sleeps(const pv_world *world, int index) {
    return world->solver.states[index + 1].group == 0 &&
           world->bodies.items[index].type == PV_BODY_DYNAMIC;
}

/// Tells whether one body of a pair is movable, and the other one is a wall to it.
static bool has_wall(const pv_world *world, const pv__schedule *w) {
    return gives_way(world, w->a) != gives_way(world, w->b);
}

/// Stops a pair where its pixels would overlap, relative to each other, so that their common motion
/// remains. A pair that cannot move forward loses its approach and moves again. Returns whether the
/// pair was stopped.
static bool stop_at_pixels(pv_world *world, const pv__schedule *w, double h, bool last) {
    pv__manifold *m = &world->manifolds.items[w->slot];
    double motion = motion_of(world, w->a, w->b);
    meeting k = meeting_of(world, m->a, m->b, h);
    pv__way_hit hit;
    if (!pv__sweep_within(&k.way_a, &k.way_b, &hit, &world->solver.pixel_budget)) return false;
    if (hit.inside > 0 && !has_wall(world, w)) return false;
    m->stops = sleeps(world, m->a) || sleeps(world, m->b); /* it wakes first */
    bool stuck = !m->stops && hit.first.touch_fraction >= 0 && hit.first.fraction * motion < STUCK;
    if (stuck && !absorb(world, &k, &hit) && hit.inside > 0) return false;
    if (stuck && !last) {
        go_again(world, m->a, h);
        go_again(world, m->b, h);
    } else {
        put_both(world, &k, stuck ? 0 : hit.first.fraction);
    }
    if (gives_way(world, m->a) && gives_way(world, m->b)) note_carried(world, m);
    note_stops(world, w);
    world->solver.rested = false;
    return true;
}

/* ---- sweeps in advance ----
 *
 * Invariant: a pair that was found free in advance, and whose bodies were not stopped since, is
 * free. Its work is charged in the order of pairs, so that the budget runs out where it would for
 * one thread.
 */

/// Greatest work of a sweep in advance; more is left to the sweeps in order
static const int64_t STOP_AHEAD = 64;
/// Work of a pair that was not found free
enum { STOP_UNKNOWN = -1 };

/// Returns the work of a sweep in advance, or STOP_UNKNOWN if it did not find the pair free.
static int foresee(const pv_world *world, const pv__manifold *m, double h) {
    meeting k = meeting_of(world, m->a, m->b, h);
    pv__way_hit hit;
    int64_t left = STOP_AHEAD;
    bool met = pv__sweep_within(&k.way_a, &k.way_b, &hit, &left);
    return met || left < 0 ? STOP_UNKNOWN : (int)(STOP_AHEAD - left);
}

/// Sweeps the due pairs of chunks in advance, and links them in a list from a chunk's first pair.
static void foresee_some(pv_world *world, void *stage, int first, int end) {
    const double *h = stage;
    pv__schedule *all = world->manifolds.schedule;
    for (int i = first; i < end;) {
        int last = i, stop = end - i < PV__CHUNK_LIGHT ? end : i + PV__CHUNK_LIGHT;
        for (; i < stop; i++) {
            all[i].work = 0;
            if (!is_due(world, &all[i])) continue;
            all[i].work = foresee(world, &world->manifolds.items[all[i].slot], *h);
            all[last].next = i;
            last = i;
        }
        all[last].next = -1;
    }
}

/// Tells whether a pair was found free in advance, and charges its work.
static bool was_free(pv_world *world, const pv__schedule *w) {
    if (w->work == STOP_UNKNOWN || w->work > world->solver.pixel_budget ||
        world->solver.states[w->a + 1].stopped || world->solver.states[w->b + 1].stopped)
        return false;
    world->solver.pixel_budget -= w->work;
    return true;
}

static void forget_stops(pv_world *world) {
    if (!world->solver.any_stopped) return;
    world->solver.any_stopped = false;
    for (int i = 0; i < world->solver.member_count; i++)
        world->solver.states[world->solver.members[i] + 1].stopped = false;
}

/// Returns the first pair that was not found free in advance, or the end of the schedule.
static int skip_free(pv_world *world) {
    int count = world->manifolds.schedule_count;
    for (int chunk = 0; chunk < count; chunk += PV__CHUNK_LIGHT)
        for (int i = chunk; i >= 0; i = world->manifolds.schedule[i].next)
            if (!was_free(world, &world->manifolds.schedule[i])) return i;
    return count;
}

/// Lists the fast pairs of a chunk, and returns their number.
static int list_fast(const pv_world *world, int first, int end, int *fast) {
    int count = 0;
    for (int i = first; i < end; i++) {
        fast[count] = i;
        count += world->manifolds.schedule[i].fast;
    }
    return count;
}

/// Stops the pairs of the schedule in order, and returns whether there was one.
static bool stop_all(pv_world *world, double h, bool last) {
    int count = world->manifolds.schedule_count, first = 0;
    bool stopped = false, shared = pv__tasks_are_shared(world);
    if (shared) {
        forget_stops(world);
        pv__tasks_run(world, count, PV__CHUNK_LIGHT, foresee_some, &h);
        first = skip_free(world);
    }
    while (first < count) {
        int fast[PV__CHUNK_LIGHT], stop = pv__sooner(count, first + PV__CHUNK_LIGHT),
                                   found = list_fast(world, first, stop, fast);
        for (int i = 0; i < found; i++) {
            const pv__schedule *w = &world->manifolds.schedule[fast[i]];
            if ((shared && was_free(world, w)) || !is_due(world, w)) continue;
            stopped |= stop_at_pixels(world, w, h, last);
        }
        first = stop;
    }
    return stopped;
}

/// Stops a pair at the end of its free way; returns the share of the way that is left.
static double stop_short(pv_world *world, const pv__schedule *w) {
    meeting k = meeting_of(world, w->a, w->b, 0);
    pv__way_hit hit;
    if (!pv__sweep_within(&k.way_a, &k.way_b, &hit, &world->solver.pixel_budget)) return 0;
    put_both(world, &k, hit.first.fraction);
    note_stops(world, w);
    world->solver.rested = false;
    return 1 - hit.first.fraction;
}

/// Tells whether a pair has moved farther than contacts hold it, so that a body may have left its
/// side of the other one.
static bool has_strayed(const pv_world *world, const pv__schedule *w) {
    const pv__manifold *m = &world->manifolds.items[w->slot];
    return !m->passes && !pv__pair_is_crowded(world, w->a, w->b) &&
           motion_of(world, w->a, w->b) > STOP_PULLED && may_meet(world, w->a, w->b);
}

/// Tells whether a stop or matter has moved a body of a pair so far that it may have left its side
/// of a wall.
static bool is_carried(const pv_world *world, const pv__schedule *w) {
    bool carried = world->solver.states[w->a + 1].carried || world->solver.states[w->b + 1].carried;
    return carried && has_strayed(world, w);
}

/// Repeats the stops in rounds, because others may hit the stopped bodies from behind.
void pv__pixel_stop_moved(pv_world *world, double h) {
    bool stopped = true;
    for (int round = 1; stopped && round <= STOP_ROUNDS; round++)
        stopped = stop_all(world, h, round == STOP_ROUNDS);
    world->solver.any_carried |= stopped;
}

/// Tells whether contacts alone hold a thin body or one at a thin wall, or lead a buried one out.
static bool is_led(const pv_world *world, const pv__manifold *m) {
    double motion = motion_of(world, m->a, m->b);
    return (motion <= STOP_SLIGHT && m->clearance > -STOP_SLIGHT) ||
           (motion <= STOP_BURIED && m->clearance <= -STOP_BURIED);
}

/// Tells whether such a body may have left its side of a wall in the substep.
static bool is_slight(const pv_world *world, const pv__schedule *w) {
    const pv__manifold *m = &world->manifolds.items[w->slot];
    return w->slight && !m->passes && !is_led(world, m) &&
           !pv__pair_is_crowded(world, w->a, w->b) && may_meet(world, w->a, w->b) &&
           !is_clear(world, m);
}

/// Tells whether a wall has to stop a pair at the end of a substep. Two movable bodies are left
/// alone: joints and pixels would pull at them in turn, and speed them up.
static bool is_astray(const pv_world *world, const pv__schedule *w) {
    return has_wall(world, w) && (is_due(world, w) || is_slight(world, w) || is_carried(world, w));
}

/// Reduces a body's velocity by the share that did not move it.
static void slow_down(pv_world *world, int index, double share) {
    pv__four *motion = &world->solver.bodies[index + 1].motion;
    if (gives_way(world, index)) *motion *= (pv__four){1 - share, 1 - share, 1 - share, 1};
}

static void forget_carried(pv_world *world) {
    world->solver.any_carried = false;
    for (int i = 0; i < world->solver.active_count; i++)
        world->solver.states[world->solver.active[i] + 1].carried = false;
}

void pv__pixel_stop_astray(pv_world *world, double h) {
    bool carried = world->solver.any_carried || pv__world_has_matter(world),
         any = carried || world->solver.slight;
    for (int i = 0; any && i < world->manifolds.schedule_count; i++) {
        const pv__schedule *w = &world->manifolds.schedule[i];
        if (!is_astray(world, w)) continue;
        bool stopped = true;
        for (int round = 1; stopped && round <= STOP_ROUNDS; round++)
            stopped = stop_at_pixels(world, w, h, round == STOP_ROUNDS);
        double vain = is_astray(world, w) ? stop_short(world, w) : 0;
        slow_down(world, w->a, vain);
        slow_down(world, w->b, vain);
    }
    if (carried) forget_carried(world);
}
