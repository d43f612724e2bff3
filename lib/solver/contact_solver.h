/* contact_solver.h - the interface of contact_solver.c: solver of manifolds on the velocities of
 * solver bodies, with convergence around impacts.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_CONTACT_SOLVER_H
#define PV_SOLVER_CONTACT_SOLVER_H

#include "core/world.h"

/* The stages of a substep of contours, in order; docs/ARCHITECTURE.md has a line for each. */
/// Adds the gains of gravity and forces to the velocities.
void pv__contact_solver_accelerate(pv_world *world, double h);
/// Solves constraints with the push of soft springs.
void pv__contact_solver_push(pv_world *world, double h);
/// Moves the active bodies by a substep.
void pv__contact_solver_move_bodies(pv_world *world, double h);
/// Solves constraints without the push, and those around impacts to convergence; resolves excess
/// depth.
void pv__contact_solver_relax(pv_world *world, double h);

#endif
