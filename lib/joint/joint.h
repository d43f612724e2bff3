/* joint.h - the interface of joint.c: constraints that hold bodies, or that are more than a
 * length.
 *
 * Invariant: as in joint.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_JOINT_JOINT_H
#define PV_JOINT_JOINT_H

#include "core/matter.h"

/// One round over a constraint that is not in lanes.
void pv__joint_relax(pv_world *world, pv__constraint *c, double h);
/// Levers and what was given, at the start of a substep.
void pv__joint_start(pv_world *world, pv__constraint *c, double h);
/// Returns what it gave, as a force or torque.
double pv__joint_force(const pv__constraint *c, double h);
/// Parts of what a constraint holds, one number each.
typedef enum pv__joint_part {
    PV__PART_LENGTH = 1,
    PV__PART_X = 2,
    PV__PART_Y = 4,
    /// A slider's line
    PV__PART_ACROSS = 8,
    PV__PART_ANGLE = 16
} pv__joint_part;
/// Push and twist of an end, or how an error feels them.
typedef struct pv__joint_lever {
    double x, y, turn;
} pv__joint_lever;
/// Parts that a constraint holds whatever force that takes; 0 for none.
int pv__joint_parts(const pv__constraint *c);
/// Sets what a unit of a part gives both ends, where the substep began.
void pv__joint_gives(const pv_world *world, const pv__constraint *c, pv__joint_part part,
                     pv__joint_lever *a, pv__joint_lever *b);
/// Sets how fast a part's error goes as its ends move and turn, where they are now.
void pv__joint_feels(const pv_world *world, const pv__constraint *c, pv__joint_part part,
                     pv__joint_lever *a, pv__joint_lever *b);
/// Returns what a part has given in the substep [mass px], [mass px^2].
double pv__joint_given(const pv_world *world, const pv__constraint *c, pv__joint_part part);
/// Measures how far a part is off, less what its softness leaves; bounded [px], [rad].
double pv__joint_missing(const pv_world *world, const pv__constraint *c, pv__joint_part part,
                         double h);
/// Returns what softness adds to a part's way by a unit of push [1/mass].
double pv__joint_softness(const pv__constraint *c, double h);

#endif
