/* joint.h - the interface of joint.c: joints on bodies, and joints that hold more than a length.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_JOINT_JOINT_H
#define PV_JOINT_JOINT_H

#include "core/matter.h"

/// Greatest displacement by one joint in a round, so that contradicting joints don't amplify each
/// other, and greatest initial error that is corrected without easing [px]
static const double PV__JOINT_LONGEST = 8;

/// Softness of a joint in a substep: compliance [1/mass], damping, and bounds of its push [mass px]
typedef struct pv__joint_softness {
    double compliance, damping, least, most;
} pv__joint_softness;

/// Tells whether a joint is alive and holds no disabled body.
bool pv__joint_is_present(const pv_world *world, const pv__constraint *c);
pv__joint_softness pv__joint_softness_of(const pv__constraint *c, double h);
/// Solves a joint outside the batches once.
void pv__joint_relax(pv_world *world, pv__constraint *c, double h);
/// Moves a slider of the direct solver into its range; other joints have none.
void pv__joint_relax_range(pv_world *world, pv__constraint *c, double h);
/// Sets the levers of a joint and resets its push, at the start of a substep.
void pv__joint_start(pv_world *world, pv__constraint *c, double h);
/// Makes the pushes of the substep finite, as the next one and a snapshot start from them.
void pv__joint_hold(pv__constraint *c);
/// Returns the force or torque of a joint in the substep [mass px/s^2], [mass px^2/s^2].
double pv__joint_force(const pv__constraint *c, double h);
/// Scalar parts that a joint can hold, as bits.
typedef enum pv__joint_part {
    PV__PART_LENGTH = 1,
    PV__PART_X = 2,
    PV__PART_Y = 4,
    /// Offset across a slider's line
    PV__PART_ACROSS = 8,
    PV__PART_ANGLE = 16
} pv__joint_part;
/// Push and twist at an end, or the derivatives of an error by displacement and rotation.
typedef struct pv__joint_lever {
    double x, y, turn;
} pv__joint_lever;
/// Returns the parts that a joint holds with unlimited force; 0 for none.
int pv__joint_parts(const pv__constraint *c);
/// Sets the push and twist of both ends per unit of a part, at the start of the substep.
void pv__joint_gives(const pv_world *world, const pv__constraint *c, pv__joint_part part,
                     pv__joint_lever *a, pv__joint_lever *b);
/// Sets the derivatives of a part's error by the motion of both ends, at their current pose.
void pv__joint_feels(const pv_world *world, const pv__constraint *c, pv__joint_part part,
                     pv__joint_lever *a, pv__joint_lever *b);
/// Returns the push of a part in the substep [mass px], [mass px^2].
double pv__joint_given(const pv_world *world, const pv__constraint *c, pv__joint_part part);
/// Returns the correction that a part needs, reduced for its softness and bounded [px], [rad].
double pv__joint_missing(const pv_world *world, const pv__constraint *c, pv__joint_part part,
                         double h);
/// Returns twice the energy that the softness of a part has released in this substep.
double pv__joint_released(const pv_world *world, const pv__constraint *c, pv__joint_part part);
/// Returns the compliance that softness adds to a part [1/mass].
double pv__joint_row_softness(const pv__constraint *c, double h);

#endif
