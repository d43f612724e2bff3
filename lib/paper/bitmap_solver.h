/* bitmap_solver.h - the interface of bitmap_solver.c: exit velocities of bodies in contact:
 * restitution and friction (Cheng 2003, sections 4.2 to 4.5).
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PAPER_BITMAP_SOLVER_H
#define PV_PAPER_BITMAP_SOLVER_H

#include "core/world.h"

/// Computes the exit velocities of bodies in contact.
void pv__bitmap_solver_solve(pv_world *world, double h);

/// Lets a pair that overlaps again after its exit bounce, or absorbs its approach. Both bodies must
/// be marked as touched.
void pv__bitmap_solver_absorb(pv_world *world, pv__contact *c);

/// Limits the velocities of bodies in contact to what their energy balance allows.
void pv__bitmap_solver_keep_books(pv_world *world);
/// Frees the memory of the energy balances.
void pv__bitmap_solver_free(pv_world *world);

#endif
