/* contact_solver.h - the interface of contact_solver.c: manifolds solved on the velocities that
 * the particles imply, and to convergence around a blow.
 *
 * Invariant: as in contact_solver.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_CONTACT_SOLVER_H
#define PV_SOLVER_CONTACT_SOLVER_H

#include "core/world.h"

/// Solves what is around loaded contacts to convergence.
void pv__contact_solver_solve_loaded(pv_world *world, double h);
/// Takes blows out of the impulses that start the next substep.
void pv__contact_solver_forget_blows(pv_world *world);

void pv__contact_solver_choose_kernel(pv_world *world);
/* The stages of a substep by contours, in order; docs/ARCHITECTURE.md has a line for each. */
void pv__contact_solver_accelerate(pv_world *world, double h);
void pv__contact_solver_push(pv_world *world, double h);
void pv__contact_solver_move_bodies(pv_world *world, double h);
void pv__contact_solver_relax(pv_world *world, double h);

#endif
