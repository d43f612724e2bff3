/* stick.h - sticks, ropes and struts between particles four abreast, and what is done to them in a
 * substep.
 *
 * Invariant: the four of a row share no particle that can be moved, and no stick stands before
 * another of the table that shares a particle with it, so a sweep over the rows is a sweep over the
 * table, one by one. A lane does the same operations in the same order whatever the CPU's vectors
 * are, so its bits are the same everywhere.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_JOINT_STICK_H
#define PV_JOINT_STICK_H

#include "core/world.h"

enum { PV__ABREAST = 4, PV__FLOCK = 64 };

/// Four sticks.
typedef struct pv__sticks {
    /// Particles; 0 where there is no stick
    int a[PV__ABREAST], b[PV__ABREAST];
    /// [px]
    pv__four length;
    /// From a to b when the substep began, of length 1
    pv__four along_x, along_y;
    /// Of what a unit of push changes; 0 where there is no stick
    pv__four inverse;
    /// In the substep, positive where it pushes [mass px]
    pv__four given;
    /// What follows is not as of a rigid stick
    bool soft;
    /// Of given [mass px]
    pv__four least, most;
    /// 1 / (stiffness h^2) [1/mass]
    pv__four compliance;
    /// Damping / (stiffness h)
    pv__four damping;
    /// Length when the substep began [px]
    pv__four began;
    /// Slot, or -1
    int constraint[PV__ABREAST];
    /// One of them can
    bool breaks;
} pv__sticks;

/// What is the same for all particles in a substep.
typedef struct pv__flight {
    double h;
    /// Gravity times h^2 [px]
    pv_vec2 gain;
    bool forced;
    /// To be gone at once
    int substeps;
} pv__flight;

/// The same on every CPU, as fast as it can be on this one.
typedef struct pv__stick_kernel {
    /// Directions and lengths at the start of a substep.
    void (*start)(pv__sticks *rows, int count, const pv__particles *p);
    /// Moves the ends of each row once.
    void (*relax)(pv__sticks *rows, int count, pv__particles *p);
    /// Moves PV__FLOCK particles, of which all may be known to have mass; whether all numbers are
    /// fine.
    bool (*drift)(pv__particles *p, int first, const pv__flight *flight, bool all_move);
} pv__stick_kernel;

extern const pv__stick_kernel pv__stick_generic, pv__stick_avx2;

/// Lays sticks into lanes and lists the other constraints, if any came or went; false without
/// memory.
bool pv__stick_lay_out(pv_world *world, double h);
/// Takes out what breaks and, when the substep is the last one, tells the table what the lanes
/// gave.
void pv__stick_read(pv_world *world, double h, bool last);

/// Takes the kernel for sticks that goes with the one in use.
void pv__stick_choose_kernel(pv_world *world);

#endif
