/* stick.h - sticks, ropes and struts between particles four abreast, and what is done to them in a substep.
 *
 * Invariant: the four of a row share no particle that can be moved, and no stick stands before another of the table that
 * shares a particle with it, so a sweep over the rows is a sweep over the table, one by one. A lane does the same
 * operations in the same order whatever the CPU's vectors are, so its bits are the same everywhere.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_JOINT_STICK_H
#define PV_JOINT_STICK_H

#include "core/world.h"

enum { PV__ABREAST = 4, PV__FLOCK = 64 };

/// Four sticks.
typedef struct pv__sticks {
    int a[PV__ABREAST], b[PV__ABREAST]; ///< particles; 0 where there is no stick
    pv__four length;                    ///< [px]
    pv__four along_x, along_y;          ///< from a to b when the substep began, of length 1
    pv__four inverse;                   ///< of what a unit of push changes; 0 where there is no stick
    pv__four given;                     ///< in the substep, positive where it pushes [mass px]
    bool soft;                          ///< what follows is not as of a rigid stick
    pv__four least, most;               ///< of given [mass px]
    pv__four compliance;                ///< 1 / (stiffness h^2) [1/mass]
    pv__four damping;                   ///< damping / (stiffness h)
    pv__four began;                     ///< length when the substep began [px]
    int constraint[PV__ABREAST];        ///< slot, or -1
    bool breaks;                        ///< one of them can
} pv__sticks;

/// What is the same for all particles in a substep.
typedef struct pv__flight {
    double h;
    pv_vec2 gain; ///< gravity times h^2 [px]
    bool forced;
    int substeps; ///< to be gone at once
} pv__flight;

/// The same on every CPU, as fast as it can be on this one.
typedef struct pv__stick_kernel {
    /// Directions and lengths at the start of a substep.
    void (*start)(pv__sticks *rows, int count, const pv__particles *p);
    /// Moves the ends of each row once.
    void (*relax)(pv__sticks *rows, int count, pv__particles *p);
    /// Moves PV__FLOCK particles, of which all may be known to have mass; whether all numbers are fine.
    bool (*drift)(pv__particles *p, int first, const pv__flight *flight, bool all_move);
} pv__stick_kernel;

extern const pv__stick_kernel pv__stick_generic, pv__stick_avx2;

/// Lays sticks into lanes and lists the other constraints, if any came or went; false without memory.
bool pv__stick_lay_out(pv_world *world, double h);
/// Takes out what breaks and, when the substep is the last one, tells the table what the lanes gave.
void pv__stick_read(pv_world *world, double h, bool last);

/// Takes the kernel for sticks that goes with the one in use.
void pv__stick_choose_kernel(pv_world *world);

#endif
