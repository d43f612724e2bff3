/* stick.h - length constraints between particles in rows of four, and their operations in a
 * substep.
 *
 * Invariant: the four constraints of a row share no movable particle. Constraints that share one
 * keep the table's order, so a sweep over the rows equals one over the table. Each vector element
 * has the same operations in the same order on every CPU, and so the same bits.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_JOINT_STICK_H
#define PV_JOINT_STICK_H

#include "core/world.h"

/// Number of particles that are integrated at once
enum { PV__FLOCK = 64 };

/// Four length constraints.
typedef struct pv__sticks {
    /// Particles; 0 for an empty element
    int a[PV__LANES], b[PV__LANES];
    /// Rest length [px]
    pv__four length;
    /// Direction from a to b at the start of the substep, of length 1
    pv__four along_x, along_y;
    /// Push per unit of missing length; 0 for an empty element [mass]
    pv__four inverse;
    /// Push in the substep, positive where it pushes the ends apart [mass px]
    pv__four given;
    /// True if any constraint is not rigid; only then are the members up to began used
    bool soft;
    /// Bounds of given [mass px]
    pv__four least, most;
    /// 1 / (stiffness h^2) [1/mass]
    pv__four compliance;
    /// Damping / (stiffness h)
    pv__four damping;
    /// Length at the start of the substep [px]
    pv__four began;
    /// Slot of the joint, or -1
    int constraint[PV__LANES];
    /// True if any constraint can break
    bool breaks;
} pv__sticks;

/// Integration data that all particles share in a substep.
typedef struct pv__flight {
    double h;
    /// Gravity times h^2 [px]
    pv_vec2 gain;
    bool forced;
    /// Number of substeps to integrate at once
    int substeps;
} pv__flight;

/// Kernel of an instruction set, with the same results on every CPU.
typedef struct pv__stick_kernel {
    /// Sets the directions and lengths at the start of a substep.
    void (*start)(pv__sticks *rows, int count, const pv__particles *p);
    /// Solves each row once.
    void (*relax)(pv__sticks *rows, int count, pv__particles *p);
    /// Integrates PV__FLOCK particles; all_move states that all have mass. Tells whether all
    /// coordinates are valid.
    bool (*drift)(pv__particles *p, int first, const pv__flight *flight, bool all_move);
} pv__stick_kernel;

extern const pv__stick_kernel pv__stick_generic, pv__stick_avx2;

/// Lays out the rows and lists the other joints, if any joint was created, removed or changed.
/// Returns false without memory.
bool pv__stick_lay_out(pv_world *world, double h);
/// Removes constraints that break. In the last substep it writes the forces of the rows to the
/// joint table.
void pv__stick_read(pv_world *world, double h, bool last);

#endif
