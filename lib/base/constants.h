/* constants.h - ranges of a world's values, and margins that several stages share.
 *
 * Invariant: a definition, its setter and a snapshot accept the same range. A constant that only
 * one file uses is in that file.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_BASE_CONSTANTS_H
#define PV_BASE_CONSTANTS_H

#include "pixverlet/base.h"

#include <float.h>
#include <stdbool.h>

/* ---- ranges: products of a few values stay far below the largest double ----
 *
 * A range is two numbers, least and greatest. They are arguments of pv__check_range() in a setter,
 * of a definition's table of fields, and of pv__within() where a snapshot is validated.
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
/// Angle [rad], and angular velocity, also of a motor [rad/s]; for greater angles, sine and cosine
/// lose more than 1e-10
#define PV__RANGE_SPIN -1e6, 1e6
/// Tangent speed of a surface [px/s]
#define PV__RANGE_TANGENT_SPEED -1e6, 1e6
/// Speed that a contact impulse gives a body; far lower speeds already freeze it [px/s]
#define PV__RANGE_KICK -1e60, 1e60
/// Coefficients of friction, and rolling resistance [px]
#define PV__MOST_FRICTION 1e6
#define PV__RANGE_FRICTION 0, PV__MOST_FRICTION
#define PV__RANGE_RESTITUTION 0, 1
#define PV__RANGE_GRAVITY_SCALE -1e3, 1e3
/// Damping of a body [1/s]
#define PV__RANGE_DAMPING 0, 1e6
/// Damping of a particle; pv__kept() bounds its effect in a step [1/s]
#define PV__RANGE_DRAG 0, 1e9
/// Radius of a particle [px]
#define PV__MOST_PARTICLE_RADIUS 256
#define PV__RANGE_PARTICLE_RADIUS 0, PV__MOST_PARTICLE_RADIUS
/// Stiffness [mass/s^2] and damping [mass/s] of a joint, a polygon or a liquid, and magnitude of a
/// force field's numbers. A joint of stiffness 0 is rigid; below the least stiffness there is no
/// finite inverse
#define PV__MOST_STIFFNESS 1e12
#define PV__RANGE_JOINT_STIFFNESS 1e-200, PV__MOST_STIFFNESS
#define PV__RANGE_STIFFNESS 0, PV__MOST_STIFFNESS
/// Length of a joint, given or between two places, or along a slider [px]; closer drops count as
/// coincident
#define PV__LEAST_LENGTH 1e-6
#define PV__RANGE_GIVEN_LENGTH PV__LEAST_LENGTH, PV_MAX_COORDINATE
#define PV__RANGE_LENGTH PV__LEAST_LENGTH, 4 * PV_MAX_COORDINATE
/// Total angle of a joint, over all turns [rad]
#define PV__RANGE_TURNED -1e12, 1e12
/// Limit or force that means none. It is far above anything a step reaches, but its products with
/// times and masses stay finite.
#define PV__BOUNDLESS 1e300
/// Magnitude of a scale factor, negative to mirror; outside, a picture has no or too many pixels
#define PV__RANGE_SCALE 1.0 / 16, 16
/// Force or torque limit of a joint, 0 for none; and any number that has to be finite
#define PV__RANGE_FORCE 0, DBL_MAX
#define PV__RANGE_FINITE -DBL_MAX, DBL_MAX
/// Density of a liquid or a buoyancy field; the inverse of a smaller one overflows in products
#define PV__LEAST_DENSITY 1e-300

/// Greatest number of corners of a polygon in a mask, a cut or a map: each pixel tests all of them
#define PV__MOST_CORNERS 65536
/// Greatest number of frames of a sheet, and of tiles in all tilesets of a map
#define PV__MOST_TILES (1 << 20)

/* ---- margins ---- */

/// Margin of the swept box of a particle or polygon, on top of half its displacement [px]. A push
/// in the step seldom moves it farther.
static const double PV__SWEPT_MARGIN = 4;
/// Margin of boxes around pixels [px]. A bitmap's pixels extend beyond the picture's box by less
/// than half of this margin.
static const double PV__SEEK_ROOM = 2;
/// Margin for the rounding of places to pixels, and gap beyond which an object that was inside,
/// held or carried is free [px]
static const double PV__PIXEL_ROOM = 1;
/// Displacement up to which nothing can pass through a pixel unnoticed [px]
static const double PV__UNSEEN = 1;
/// Length that may be a mere rounding error [px], also as a fraction of 1
static const double PV__NEGLIGIBLE = 1e-6;
/// Distance up to which measurements along contours and paths count as touching [px]
static const double PV__CLOSE = 1e-3;
/// Least step of a trace through a distance field, less than half a pixel [px]. A longer step would
/// miss walls.
static const double PV__LEAST_LOOK = 0.25;
/// Retest a distant pair once its speed has doubled, or has grown by this displacement [px]
static const double PV__FASTER = 2, PV__FASTER_BY = 0.2;
/// Greatest displacement in a step for which boxes are swept [px]. A huge force may cause an
/// infinite one.
static const double PV__FARTHEST_SWEEP = 2 * PV_MAX_COORDINATE;
/// Least speed that an impact must give a sleeping body or polygon to wake it [px/s]
static const double PV__WAKING_SPEED = 0.5;

/// Tells whether a number is in a range; NaN is in none.
static inline bool pv__within(double x, double least, double most) {
    return x >= least && x <= most;
}

#endif
