/* constants.h - ranges of a world's values, and margins that several stages share.
 *
 * Invariant: a definition, its setter and a snapshot take the same range. A constant of one file
 * alone is in that file.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_BASE_CONSTANTS_H
#define PV_BASE_CONSTANTS_H

#include "pixverlet/base.h"

/* ---- ranges: products of a few of them stay far below the largest double ---- */

/// Mass
#define PV__LEAST_MASS 1e-9
#define PV__MOST_MASS 1e12
/// Length of a step [s]
#define PV__LEAST_STEP 1e-9
#define PV__MOST_STEP 1.0
/// Angle [rad]; beyond it, sine and cosine lose more than 1e-10
#define PV__MOST_ANGLE 1e6
/// Angular velocity, also of a motor [rad/s]
#define PV__MOST_ANGULAR_VELOCITY 1e6
/// Tangent speed of a surface [px/s]
#define PV__MOST_TANGENT_SPEED 1e6
/// Coefficients of friction, and rolling resistance [px]
#define PV__MOST_FRICTION 1e6
/// Damping of a body [1/s]
#define PV__MOST_DAMPING 1e6
/// Damping of a particle, which a step bounds at once [1/s]
#define PV__MOST_DRAG 1e9
/// Stiffness [mass/s^2] and damping [mass/s] of a joint, a polygon or a liquid
#define PV__MOST_STIFFNESS 1e12
/// Magnitude of a number of a force field
#define PV__MOST_FIELD 1e12

/* ---- margins ---- */

/// Margin of the swept box of a particle or polygon, beside half of its displacement [px]. A push
/// in the step seldom moves it farther.
static const double PV__SWEPT_MARGIN = 4;
/// Growth of a speed until a distant pair is tested again: a factor, and a displacement [px]
static const double PV__FASTER = 2, PV__FASTER_BY = 0.2;
/// Greatest displacement in a step for which boxes are swept [px]. A great force may give an
/// infinite one.
static const double PV__FARTHEST_SWEEP = 2 * PV_MAX_COORDINATE;
/// Least speed that an impact has to give a sleeping body or polygon to wake it [px/s]
static const double PV__WAKING_SPEED = 0.5;

#endif
