/* narrow_phase.c - the update schedule of manifolds.
 *
 * Invariant: in every substep, a pair that may touch has a manifold whose points have hardly moved
 * since its update. The limit is NARROW_STILL, or a little more while the bodies are apart. The
 * update schedule visits a pair as rarely as its speed and its clearance allow.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/narrow_phase.h"
#include "base/duo.h"
#include "collide/collide_contour.h"
#include "collide/manifold.h"
#include "collide/presolve.h"
#include "core/pose.h"
#include "core/stage_timer.h"
#include "core/tasks.h"

/// Motion below which a pair keeps its manifold: least value [px], number of substeps of motion,
/// greatest value [px]
static const double NARROW_STILL = 0.1, STILL_SUBSTEPS = 6, STILL_MOST = 0.8;
/// Greatest gap at which a resting pair needs a manifold [px], as pixels stand out of contours. The
/// same for exact contours, whose manifolds are cheap; number of substeps of motion added to it.
static const double NARROW_NEAR[] = {0.5, 0.1}, NEAR_SUBSTEPS = 2;
/// Greatest motion of a pair [px] and number of substeps between two visits of the update schedule
static const double LOOK_MOTION = 1;
static const int LOOK_SUBSTEPS = 8;
/// Factor of these motions in long substeps, in which no body comes to rest
static const double BRISK = 4;
/// Steps between two updates of all pairs in a world at rest
enum { REST_LOOKS = 8 };
/// Increase in a pair's speed that its schedule allows for: a factor and a speed [px/s]
static const double NARROW_FASTER = 1.25, NARROW_FASTER_BY = 4;
/// Greatest number of substeps that a manifold anticipates
static const double FORESEEN = 64;
/// Motion in a substep above which soft contacts may fail, so that pixels have to test a pair [px]:
/// a pair apart, and one that touches, which contacts hold back. A pair that pixels test already
/// has no limit.
static const double NARROW_FAST[] = {0.25, 1.25, HUGE_VAL};

/// Returns a bound of the relative speed of the points of a pair [px/s].
PV__INLINE double relative_speed(const pv__solver_body *bodies, int a, int b) {
    pv__four p = bodies[a + 1].motion, q = bodies[b + 1].motion;
    double x = q[0] - p[0], y = q[1] - p[1];
    return pv__length_most(x, y) + pv__abs(p[2]) * p[3] + pv__abs(q[2]) * q[3];
}

/// Returns the factor of the motion that a manifold tolerates.
static double briskness(const pv_world *world) { return pv__world_is_brisk(world) ? BRISK : 1; }

/// Returns the number of substeps in which a pair moves less than way [px], 1...LOOK_SUBSTEPS; 1
/// for NaN.
PV__INLINE int substeps_for(double way, double each) {
    /* Vectors have no branches, which would be unpredictable. */
    pv__duo count = {way / pv__max(each, 1e-9)}, least = {1}, most = {LOOK_SUBSTEPS};
    return (int)pv__duo_min(pv__duo_max(count, least), most)[0];
}

/// Pace of a pair
typedef struct pace {
    /// Bound of its motion in a substep, and motion at which it still keeps its manifold [px]
    double each, still;
    /// Greatest number of substeps until its next visit
    int looks;
} pace;

PV__INLINE pace pace_of(const pv_world *world, double each) {
    double by = briskness(world);
    pv__duo ways = {by * STILL_SUBSTEPS * each}, least = {NARROW_STILL}, most = {by * STILL_MOST};
    return (pace){each, pv__duo_max(least, pv__duo_min(ways, most))[0],
                  substeps_for(by * LOOK_MOTION, each)};
}

/// Returns the greatest gap at which exact contours need a manifold, for their motion in a substep
/// [px].
static double near_for_exact(double each) { return NARROW_NEAR[1] + NEAR_SUBSTEPS * each; }

/// Returns the greatest gap at which a pair needs a manifold [px].
PV__INLINE double near_for(const pv_world *world, int a, int b, const pace *p) {
    if (pv__pair_is_exact(world, a, b)) return near_for_exact(p->each);
    return NARROW_NEAR[0] + p->looks * p->each;
}

/// Returns that gap for a pair at rest [px].
PV__INLINE double near_at_rest(const pv_world *world, int a, int b) {
    return NARROW_NEAR[pv__pair_is_exact(world, a, b)];
}

/// Returns the motion from which a manifold with points is out of date [px].
PV__INLINE double bearable(const pv__manifold *m, const pace *p) {
    pv__duo gap = {0.5 * m->clearance}, least = {0};
    return p->still + pv__duo_max(least, gap)[0];
}

/// Returns the motion that a pair has left until its next visit [px].
PV__INLINE double room_of(const pv_world *world, const pv__schedule *w, const pv__manifold *m,
                          const pace *p, double moved) {
    double room = m->count == 0 ? m->clearance - near_at_rest(world, w->a, w->b) : bearable(m, p);
    return room - moved;
}

/// Returns the gap between the circles that hold two contours at any angle [px].
PV__INLINE double circles_gap(const pv_world *world, int a, int b) {
    pv__four way = world->solver.bodies[b + 1].pose - world->solver.bodies[a + 1].pose;
    return sqrt(way[0] * way[0] + way[1] * way[1]) - world->solver.outlines[a + 1].extent -
           world->solver.outlines[b + 1].extent;
}

/// Returns the place of a solver body's anchor [px].
static pv_vec2 anchor_at(const pv_world *world, int body, pv_vec2 anchor) {
    pv__four pose = world->solver.bodies[body + 1].pose;
    return pv__add(pv__vec(pose[0], pose[1]), pv__rotate((pv_rotation){pose[2], pose[3]}, anchor));
}

/// Returns the gap between two discs with a contact point [px].
static double disc_gap(const pv_world *world, const pv__manifold *m) {
    const pv__contact_point *p = m->points;
    pv_vec2 on_a = anchor_at(world, m->a, p->anchor_a), on_b = anchor_at(world, m->b, p->anchor_b);
    return pv__length(pv__sub(on_b, on_a)) - p->radius_a - p->radius_b;
}

/// Tells whether a manifold needs an update after the motion moved [px], before the motion until
/// the next visit. Bodies apart need none until they may be near; nearer bodies need it sooner.
PV__INLINE bool is_stale(const pv_world *world, const pv__manifold *m, double moved,
                         const pace *p) {
    if (!m->made) return true;
    if (m->count == 0) return moved + near_for(world, m->a, m->b, p) >= m->clearance;
    if (m->clearance > NARROW_STILL && moved + p->each * p->looks >= m->clearance)
        return true; /* it is about to touch */
    return moved + p->each > m->foreseen || moved >= bearable(m, p);
}

/// Updates a manifold for the motion until its next visit.
static void update_manifold(pv_world *world, pv__manifold *m, const pace *p, double h) {
    double still = NARROW_STILL / pv__max(p->each, 1e-9);
    double ahead = pv__max(p->looks, pv__min(FORESEEN, still + p->looks));
    pv__collide_manifold(world, m, p->each * ahead, h * ahead, near_for(world, m->a, m->b, p));
    m->foreseen = p->each * ahead;
}

/// Substep in which pairs are marked and updated
typedef struct substep_stage {
    double h;
    int substep;
    /// Number of substeps left in the step
    double left;
    /// True if bodies alone cannot tell that a pair needs no visit
    bool asks;
} substep_stage;

/// Returns the motion in a substep up to which a pair of the motion each keeps its schedule [px].
PV__INLINE double most_until(double each, double h) {
    return each * NARROW_FASTER + NARROW_FASTER_BY * h;
}

/// Copies what the update schedule needs to know about a pair's manifold.
PV__INLINE void look_at(pv__schedule *w, const pv__manifold *m) {
    w->empty = m->count == 0;
    w->slight = m->slight;
    w->passes = m->passes;
    w->told = (uint8_t)((w->empty & !w->slight) | pv__manifold_is_of_discs(m) << 1);
}

/// Sets the substep in which a pair is visited next, before it has moved by room [px], and whether
/// pixels test its motion until then.
PV__INLINE void schedule_pair(pv_world *world, const substep_stage *s, pv__schedule *w,
                              const pace *p, double room) {
    bool passes =
        w->passes || pv__pair_is_crowded(world, w->a, w->b); /* pixels would not stop it */
    bool fast = p->each > NARROW_FAST[0], free = w->empty | (p->each > NARROW_FAST[1]);
    w->fast = fast & free & (passes == false);
    w->due = world->substeps;
    if (!world->solver.fast && fast && !passes) pv__flag_raise(&world->solver.fast);
    if (w->slight && !passes) pv__flag_raise(&world->solver.slight);
    double most = most_until(p->each, s->h);
    w->most = w->passes ? HUGE_VAL : pv__min(most, NARROW_FAST[fast + w->fast]);
    if (passes || w->told & 2) return; /* every substep measures discs */
    int looks = w->empty ? LOOK_SUBSTEPS : p->looks;
    w->due = s->substep + pv__sooner(substeps_for(room, most), looks);
}

/// Number of updates whose bodies are fetched in advance
enum { SHOWN_AHEAD = 8 };

/// Schedules a pair whose bodies alone show that it needs no visit in this step: it stays apart, or
/// consists of discs that are near. Most pairs are like that. Returns false for any other.
PV__INLINE bool pass_by(const pv_world *world, pv__schedule *w, const substep_stage *s,
                        double each) {
    if (s->asks || w->told == 0) return false;
    double gap = circles_gap(world, w->a, w->b), most = most_until(each, s->h);
    pv__duo room = {gap - near_at_rest(world, w->a, w->b), near_for_exact(each) - gap},
            least = {s->left * most, 0};
    int told = pv__duo_bits(room >= least) & w->told;
    if (told == 0) return false;
    bool fast = each > NARROW_FAST[0], touches = told >> 1;
    if (touches) w->heeds_a = w->heeds_b = 0;
    w->fast = each > NARROW_FAST[touches];
    w->due = world->substeps;
    w->most = pv__min(most, NARROW_FAST[2 * fast]);
    return true;
}

/// Marks a pair whose manifold is stale or lacks its presolve; schedules any other pair at once.
/// Returns whether it filled the update.
static bool look(pv_world *world, pv__schedule *w, const substep_stage *s, double each,
                 pv__update *u) {
    pace p = pace_of(world, each);
    pv__manifold *m = &world->manifolds.items[w->slot];
    bool discs = w->told & 2 && !pv__pair_is_crowded(world, w->a, w->b);
    double moved = discs || !m->made ? 0 : pv__narrow_phase_moved(world, w->a, w->b, m);
    bool find = discs ? disc_gap(world, m) > near_for_exact(each) : is_stale(world, m, moved, &p);
    if (find && m->count == 0 && pv__collide_apart(world, m, near_for(world, w->a, w->b, &p))) {
        find = false;
        moved = 0;
    }
    find |= m->until_apart && !m->judged;
    if (find || (world->manifolds.presolved && m->count > 0 && !m->judged)) {
        *u = (pv__update){.watch = (int)(w - world->manifolds.schedule),
                          .slot = w->slot,
                          .find = find,
                          .had = m->count > 0,
                          .each = each,
                          .moved = find ? 0 : moved};
        return true;
    }
    w->passes = m->passes;
    schedule_pair(world, s, w, &p, room_of(world, w, m, &p, moved));
    return false;
}

/// Clears the marks of disturbed bodies over the pair limit. Their pairs wait for the next step.
static void calm_crowded(pv_world *world) {
    for (int i = 0; i < world->solver.active_count; i++) {
        int body = world->solver.active[i];
        world->solver.disturbed[body + 1] &= !pv__pair_is_crowded(world, body, body);
    }
}

static void clear_disturbed(pv_world *world) {
    for (int i = 0; i < world->solver.active_count; i++)
        world->solver.disturbed[world->solver.active[i] + 1] = false;
    world->solver.any_disturbed = false;
}

/// Lists the pairs of a chunk that need a visit, with their motion in the substep, and returns
/// their number. They are due, or have a disturbed body and got too fast. It has no branches,
/// because they would be unpredictable.
static int list_due(const pv_world *world, const substep_stage *s, int first, int end, int *due,
                    double *each) {
    const pv__schedule *all = world->manifolds.schedule;
    const pv__solver_body *bodies = world->solver.bodies;
    const bool *disturbed = world->solver.disturbed;
    int count = 0, kept = 0, substep = s->substep;
    double h = s->h;
    for (int i = first; i < end; i++) {
        const pv__schedule *w = &all[i];
        due[count] = i;
        count += (w->due <= substep) | disturbed[w->heeds_a] | disturbed[w->heeds_b];
    }
    for (int k = 0; k < count; k++) {
        const pv__schedule *w = &all[due[k]];
        double motion = relative_speed(bodies, w->a, w->b) * h;
        due[kept] = due[k];
        each[kept] = motion;
        kept += (w->due <= substep) | (motion > w->most);
    }
    return kept;
}

/// Marks the due pairs of chunks. The updates of a chunk are stored from its first pair's index on.
static void mark_due(pv_world *world, void *stage, int first, int end) {
    const substep_stage *s = stage;
    int due[PV__CHUNK_LIGHT];
    double each[PV__CHUNK_LIGHT];
    for (int i = first; i < end; i += PV__CHUNK_LIGHT) {
        int to = i, stop = pv__sooner(end, i + PV__CHUNK_LIGHT),
            count = list_due(world, s, i, stop, due, each);
        bool fast = false;
        for (int k = 0; k < count; k++) {
            pv__schedule *w = &world->manifolds.schedule[due[k]];
            if (pass_by(world, w, s, each[k]))
                fast |= each[k] > NARROW_FAST[0];
            else
                to += look(world, w, s, each[k], &world->manifolds.updates[to]);
        }
        if (fast) pv__flag_raise(&world->solver.fast);
        if (to < stop) world->manifolds.updates[to].watch = -1;
    }
}

/// Closes the gaps between the updates of chunks.
static void join_updates(pv_world *world) {
    pv__update *all = world->manifolds.updates;
    int count = 0, pairs = world->manifolds.schedule_count;
    for (int first = 0; first < pairs; first += PV__CHUNK_LIGHT)
        for (int i = first; i < first + PV__CHUNK_LIGHT && i < pairs && all[i].watch >= 0; i++)
            all[count++] = all[i];
    world->manifolds.update_count = count;
}

void pv__narrow_phase_mark(pv_world *world, double h, int substep) {
    int left = world->substeps - substep;
    substep_stage stage = {h, substep, left,
                           left > LOOK_SUBSTEPS || world->manifolds.presolved ||
                               world->broad_phase.crowded};
    world->manifolds.update_count = 0;
    if (!PV__RESERVE(&world->def.allocator, world->manifolds.updates,
                     world->manifolds.update_capacity, world->manifolds.schedule_count + 1)) {
        world->out_of_memory = true;
        return;
    }
    if (world->broad_phase.crowded && world->solver.any_disturbed) calm_crowded(world);
    pv__tasks_run(world, world->manifolds.schedule_count, PV__CHUNK_LIGHT, mark_due, &stage);
    join_updates(world);
    if (world->solver.any_disturbed) clear_disturbed(world);
}

/// Schedules the pair of an update.
static void schedule_update(pv_world *world, const substep_stage *s, const pv__update *u,
                            const pace *p) {
    pv__schedule *w = &world->manifolds.schedule[u->watch];
    const pv__manifold *m = &world->manifolds.items[u->slot];
    look_at(w, m);
    schedule_pair(world, s, w, p, room_of(world, w, m, p, u->moved));
}

/// Updates marked manifolds, whose bodies show their poses, and schedules their pairs unless
/// presolve has to see them first.
static void update_marked(pv_world *world, void *stage, int first, int end) {
    const substep_stage *s = stage;
    for (int i = first; i < end; i++) {
        const pv__update *u = &world->manifolds.updates[i];
        pace p = pace_of(world, u->each);
        if (u->find) update_manifold(world, &world->manifolds.items[u->slot], &p, s->h);
        if (!world->manifolds.presolved) schedule_update(world, s, u, &p);
    }
}

/// Prefetches the bodies of an update that a loop over all updates will need soon.
static void fetch_update(const pv_world *world, int i) {
    if (i >= world->manifolds.update_count) return;
    const pv__schedule *w = &world->manifolds.schedule[world->manifolds.updates[i].watch];
    __builtin_prefetch(&world->bodies.items[w->a].pose, 1);
    __builtin_prefetch(&world->bodies.items[w->b].pose, 1);
}

/// Shows the pose of an awake body. Other threads may read a resting body's pose.
static void show_awake(pv_world *world, int body) {
    if (world->solver.states[body + 1].group > 0) pv__pose_show_solver_body(world, body);
}

/// Shows the poses of all awake bodies with a marked manifold.
static void show_marked(pv_world *world) {
    for (int i = 0; i < world->manifolds.update_count; i++) {
        const pv__schedule *m = &world->manifolds.schedule[world->manifolds.updates[i].watch];
        fetch_update(world, i + SHOWN_AHEAD);
        show_awake(world, m->a);
        show_awake(world, m->b);
    }
}

/// Lets presolve see the updated manifolds, and schedules their pairs.
static void presolve_marked(pv_world *world, const substep_stage *s) {
    for (int i = 0; i < world->manifolds.update_count; i++) {
        const pv__update *u = &world->manifolds.updates[i];
        pace p = pace_of(world, u->each);
        pv__presolve_manifold(world, &world->manifolds.items[u->slot]);
        schedule_update(world, s, u, &p);
    }
}

void pv__narrow_phase_update(pv_world *world, double h, int substep) {
    substep_stage stage = {.h = h, .substep = substep};
    show_marked(world);
    pv__tasks_run(world, world->manifolds.update_count, PV__CHUNK_HEAVY, update_marked, &stage);
    if (world->manifolds.presolved) presolve_marked(world, &stage);
    pv__timer_lap(world, &world->profile.collide);
}

pv__schedule pv__narrow_phase_entry(const pv_world *world, int slot, int due) {
    const pv__manifold *m = &world->manifolds.items[slot];
    pv__schedule w = {
        .slot = slot, .due = due, .a = m->a, .b = m->b, .heeds_a = m->a + 1, .heeds_b = m->b + 1};
    w.bears = pv__manifold_bears(m);
    look_at(&w, m);
    return w;
}

/// Tells whether pairs depend on more than the poses of bodies.
static bool asks_others(const pv_world *world) {
    return world->manifolds.presolved || world->bodies.driven || world->def.filter_callback ||
           pv__world_has_matter(world);
}

bool pv__narrow_phase_holds_pairs(const pv_world *world) {
    if (!world->solver.ordered || asks_others(world) || world->steps % REST_LOOKS == 0)
        return false;
    for (int i = 0; i < world->solver.active_count; i++) {
        int body = world->solver.active[i];
        bool crowded = world->bodies.items[body].crowded == world->steps && world->steps > 0;
        if (crowded || !(pv__narrow_phase_speed(world, body) <= PV__HELD_SPEED)) return false;
    }
    return true;
}

static void schedule_some(pv_world *world, void *stage, int first, int end) {
    bool rests = world->solver.rested && world->solver.ordered && !world->manifolds.presolved &&
                 world->steps % REST_LOOKS != 0;
    (void)stage;
    for (int i = first; i < end; i++)
        world->manifolds.schedule[i] =
            pv__narrow_phase_entry(world, world->manifolds.active[i], rests);
}

bool pv__narrow_phase_schedule_all(pv_world *world) {
    world->solver.fast = world->solver.slight = false;
    if (!PV__RESERVE(&world->def.allocator, world->manifolds.schedule,
                     world->manifolds.schedule_capacity, world->manifolds.active_count + 1))
        return false;
    pv__tasks_run(world, world->manifolds.active_count, PV__CHUNK_LIGHT, schedule_some, NULL);
    world->manifolds.schedule_count = world->manifolds.active_count;
    return true;
}

void pv__narrow_phase_schedule(pv_world *world, int slot, int due) {
    if (!PV__APPEND(&world->def.allocator, world->manifolds.schedule,
                    world->manifolds.schedule_capacity, world->manifolds.schedule_count,
                    pv__narrow_phase_entry(world, slot, due)))
        world->out_of_memory = true;
}

void pv__narrow_phase_note_fringe(pv_world *world, const pv__schedule *w) {
    pv__solver *s = &world->solver;
    bool awake_a = s->states[w->a + 1].group > 0, awake_b = s->states[w->b + 1].group > 0;
    if (awake_a == awake_b || world->bodies.items[awake_a ? w->b : w->a].type != PV_BODY_DYNAMIC)
        return;
    if (!PV__APPEND(&world->def.allocator, s->fringe, s->fringe_capacity, s->fringe_count, *w))
        world->out_of_memory = true;
}

void pv__narrow_phase_keep_active(pv_world *world) {
    int kept = 0;
    for (int i = 0; i < world->manifolds.schedule_count; i++) {
        const pv__schedule *w = &world->manifolds.schedule[i];
        if (world->solver.states[w->a + 1].quiet && world->solver.states[w->b + 1].quiet) continue;
        world->manifolds.schedule[kept++] = *w;
    }
    world->manifolds.schedule_count = kept;
}

/// Updates the manifold of a pair that is new in the step, or that presolve has not seen.
static void know(pv_world *world, pv__manifold *m, double h) {
    show_awake(world, m->a);
    show_awake(world, m->b);
    pace p = pace_of(world, relative_speed(world->solver.bodies, m->a, m->b) * h);
    pv__collide_manifold(world, m, p.each, h, near_for(world, m->a, m->b, &p));
    if (world->manifolds.presolved) pv__presolve_manifold(world, m);
    if (m->packed == 0) return;
    world->solver.repack = true; /* the batches are out of date */
    world->solver.batch_count = world->solver.sweep_count = 0;
}

/// Tells whether the next update may find shared pixels before contours touch.
static bool may_graze(const pv_world *world, const pv__manifold *m, double moved, double each) {
    pace p = pace_of(world, each);
    return !pv__pair_is_exact(world, m->a, m->b) && is_stale(world, m, moved, &p);
}

/// Returns the gap of a contact point in the current poses [px], as the solver measures it.
static double point_gap(const pv_world *world, const pv__manifold *m, const pv__contact_point *p) {
    pv_vec2 on_a = anchor_at(world, m->a, p->anchor_a), on_b = anchor_at(world, m->b, p->anchor_b);
    return pv__dot(p->normal, pv__sub(on_b, on_a)) - p->radius_a - p->radius_b;
}

/// Returns the least gap of the points of a pair; without points, its clearance less a motion [px].
static double points_gap(const pv_world *world, const pv__manifold *m, double moved) {
    if (pv__manifold_is_of_discs(m)) return disc_gap(world, m);
    double gap = m->count == 0 ? m->clearance - moved : HUGE_VAL;
    for (int i = 0; i < m->count; i++) gap = pv__min(gap, point_gap(world, m, &m->points[i]));
    return gap;
}

double pv__narrow_phase_gap(pv_world *world, int slot, bool rests, double h) {
    pv__manifold *m = &world->manifolds.items[slot];
    if (!m->made || (world->manifolds.presolved && !m->judged)) know(world, m, h);
    if (m->passes) return HUGE_VAL;
    double moved = pv__narrow_phase_moved(world, m->a, m->b, m), gap = points_gap(world, m, moved);
    if (rests) return gap;
    if (!pv__manifold_is_of_discs(m)) gap = pv__min(gap, m->clearance - moved);
    if (may_graze(world, m, moved, relative_speed(world->solver.bodies, m->a, m->b) * h)) {
        know(world, m, h);
        gap = pv__min(points_gap(world, m, 0), m->clearance);
    }
    return gap - PV_REST_GAP;
}
