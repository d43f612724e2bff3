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

#include <float.h>
#include <stdbool.h>

/* ---- ranges: products of a few of them stay far below the largest double ----
 *
 * A range is two numbers, least and greatest: arguments of pv__check_range() in a setter, of an
 * entry of a table of fields in a definition, and of pv__within() where a snapshot is validated.
 */

/// Mass
#define PV__LEAST_MASS 1e-9
#define PV__MOST_MASS 1e12
#define PV__RANGE_MASS PV__LEAST_MASS, PV__MOST_MASS
/// Length of a step [s]
#define PV__LEAST_STEP 1e-9
#define PV__MOST_STEP 1.0
#define PV__RANGE_STEP PV__LEAST_STEP, PV__MOST_STEP
/// Coordinate of a place [px], or of a velocity [px/s]
#define PV__RANGE_PLACE -PV_MAX_COORDINATE, PV_MAX_COORDINATE
/// Angle [rad], beyond which sine and cosine lose more than 1e-10, and angular velocity, also of a
/// motor [rad/s]
#define PV__RANGE_SPIN -1e6, 1e6
/// Tangent speed of a surface [px/s]
#define PV__RANGE_TANGENT_SPEED -1e6, 1e6
/// Speed that a contact impulse gives a body; a far lower one freezes it [px/s]
#define PV__RANGE_KICK -1e60, 1e60
/// Coefficients of friction, and rolling resistance [px]
#define PV__MOST_FRICTION 1e6
#define PV__RANGE_FRICTION 0, PV__MOST_FRICTION
#define PV__RANGE_RESTITUTION 0, 1
#define PV__RANGE_GRAVITY_SCALE -1e3, 1e3
/// Damping of a body [1/s]
#define PV__RANGE_DAMPING 0, 1e6
/// Damping of a particle, which a step bounds at once [1/s]
#define PV__RANGE_DRAG 0, 1e9
/// Radius of a particle [px]
#define PV__MOST_PARTICLE_RADIUS 256
#define PV__RANGE_PARTICLE_RADIUS 0, PV__MOST_PARTICLE_RADIUS
/// Stiffness [mass/s^2] and damping [mass/s] of a joint, a polygon or a liquid, and magnitude of a
/// number of a force field; a joint of no stiffness is rigid, and a smaller one than the least has no
/// inverse
#define PV__MOST_STIFFNESS 1e12
#define PV__RANGE_JOINT_STIFFNESS 1e-200, PV__MOST_STIFFNESS
#define PV__RANGE_STIFFNESS 0, PV__MOST_STIFFNESS
/// Length of a joint, given or between two places, or along a slider [px]; drops nearer each other
/// coincide
#define PV__LEAST_LENGTH 1e-6
#define PV__RANGE_GIVEN_LENGTH PV__LEAST_LENGTH, PV_MAX_COORDINATE
#define PV__RANGE_LENGTH PV__LEAST_LENGTH, 4 * PV_MAX_COORDINATE
/// Whole angle of a joint over all turns [rad]
#define PV__RANGE_TURNED -1e12, 1e12
/// Limit or force that stands for none. It is far above all that a step reaches, and products with
/// times and masses stay finite.
#define PV__BOUNDLESS 1e300
/// Factor of a scale, which may mirror: beyond it a picture has no pixels left, or too many
#define PV__RANGE_SCALE 1.0 / 16, 16
/// Force or torque limit of a joint, 0 for none; and any number that has to be finite
#define PV__RANGE_FORCE 0, DBL_MAX
#define PV__RANGE_FINITE -DBL_MAX, DBL_MAX
/// Density of a liquid or a buoyancy field; a smaller one has no inverse that can be multiplied
#define PV__LEAST_DENSITY 1e-300

/// Greatest number of corners of a polygon in a mask, a cut or a map, as each pixel tests all of them
#define PV__MOST_CORNERS 65536
/// Greatest number of frames of a sheet, and of tiles in all tilesets of a map
#define PV__MOST_TILES (1 << 20)

/* ---- margins ---- */

/// Margin of the swept box of a particle or polygon, beside half of its displacement [px]. A push
/// in the step seldom moves it farther.
static const double PV__SWEPT_MARGIN = 4;
/// Margin of boxes around pixels [px]. Pixels of a bitmap extend beyond their picture's box by less
/// than half of it.
static const double PV__SEEK_ROOM = 2;
/// Margin for the rounding of places to pixels, and gap at which what was inside, held or carried is
/// out [px]
static const double PV__PIXEL_ROOM = 1;
/// Displacement up to which nothing passes a pixel unseen [px]
static const double PV__UNSEEN = 1;
/// Length that rounding may make of none [px], or as a share of 1
static const double PV__NEGLIGIBLE = 1e-6;
/// Distance up to which what is measured along contours and ways counts as touching [px]
static const double PV__CLOSE = 1e-3;
/// Shortest way between two looks along a line at a field of distances, less than half a pixel [px].
/// A longer way would miss walls.
static const double PV__LEAST_LOOK = 0.25;
/// A distant pair is tested again once its speed has doubled, or has grown by this displacement [px]
static const double PV__FASTER = 2, PV__FASTER_BY = 0.2;
/// Greatest displacement in a step for which boxes are swept [px]. A great force may give an
/// infinite one.
static const double PV__FARTHEST_SWEEP = 2 * PV_MAX_COORDINATE;
/// Least speed that an impact has to give a sleeping body or polygon to wake it [px/s]
static const double PV__WAKING_SPEED = 0.5;

/// Tells whether a number is in a range; NaN is in none.
static inline bool pv__within(double x, double least, double most) {
    return x >= least && x <= most;
}

#endif
