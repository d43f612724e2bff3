/* narrow_phase.h - the interface of narrow_phase.c: the update schedule of manifolds.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_NARROW_PHASE_H
#define PV_COLLIDE_NARROW_PHASE_H

#include "core/world.h"

/// Schedules all pairs of the step for the first substep; returns false without memory.
bool pv__narrow_phase_schedule_all(pv_world *world);
/// Returns a schedule entry for a manifold whose first visit is in the substep due.
pv__schedule pv__narrow_phase_entry(const pv_world *world, int slot, int due);
/// Schedules a manifold that was added within the step, with its first visit in the substep due.
void pv__narrow_phase_schedule(pv_world *world, int slot, int due);
/// Notes a scheduled pair if one of its bodies sleeps.
void pv__narrow_phase_note_fringe(pv_world *world, const pv__schedule *w);
/// Tells whether a step may use the pairs of the last one, because all bodies rested in it.
bool pv__narrow_phase_holds_pairs(const pv_world *world);
/// Removes the pairs of two inactive bodies from the schedule.
void pv__narrow_phase_keep_active(pv_world *world);
/// Marks the manifolds that need an update or a presolve in a substep. The solver stores their
/// impulses back before the update.
void pv__narrow_phase_mark(pv_world *world, double h, int substep);
/// Updates and presolves the marked manifolds. The solver takes them over afterwards.
void pv__narrow_phase_update(pv_world *world, double h, int substep);
/// Returns a lower bound of the distance that a pair moves until it touches [px]; for a pair at rest
/// it leaves the rest gap in. It updates a manifold that is new in the step.
double pv__narrow_phase_gap(pv_world *world, int slot, bool rests, double h);
/// Returns a bound of the speed of a solver body's points [px/s].
PV__INLINE double pv__narrow_phase_speed(const pv_world *world, int body) {
    pv__four v = world->solver.bodies[body + 1].motion;
    return pv__abs(v[0]) + pv__abs(v[1]) + pv__abs(v[2]) * world->solver.states[body + 1].reach;
}
/// Returns a bound of the relative displacement of a pair's points since its manifold was updated
/// [px].
PV__INLINE double pv__narrow_phase_moved(const pv_world *world, int a, int b,
                                         const pv__manifold *m) {
    pv__four p = world->solver.bodies[a + 1].pose, q = world->solver.bodies[b + 1].pose;
    double x = q[0] - p[0] - m->apart.x, y = q[1] - p[1] - m->apart.y;
    double ac = p[2] - m->turn_a.c, as = p[3] - m->turn_a.s, bc = q[2] - m->turn_b.c,
           bs = q[3] - m->turn_b.s;
    return pv__length_most(x, y) +
           (pv__abs(ac) + pv__abs(as)) * world->solver.bodies[a + 1].motion[3] +
           (pv__abs(bc) + pv__abs(bs)) * world->solver.bodies[b + 1].motion[3];
}

#endif
