/* bitmap_solver.h - the interface of bitmap_solver.c: the exit velocities of what touches:
 * restitution and friction (Cheng 2003, sections 4.2 to 4.5).
 *
 * Invariant: as in bitmap_solver.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_BITMAP_SOLVER_H
#define PV_SOLVER_BITMAP_SOLVER_H

#include "core/world.h"

/// Gives what touched its exit velocities.
void pv__bitmap_solver_solve(pv_world *world, double h);

/// Takes the approach out of a pair that met once more after its exit; bodies must be touched.
void pv__bitmap_solver_absorb(pv_world *world, pv__contact *c);

/// Takes from the velocities of what touched as much as is more than it may have.
void pv__bitmap_solver_keep_books(pv_world *world);
void pv__bitmap_solver_free(pv_world *world);

#endif
