/* pixverlet/paper.h - parts of Cheng (2003) for comparison: two particles, integrators, run
 * lengths.
 *
 * Invariant: nothing outside this header depends on it.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_PAPER_H
#define PIXVERLET_PAPER_H

#include "pixverlet/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup runs Run lengths
 *  Masks as runs of solid pixels: Cheng (2003) section 5.3. @{ */

/// A mask as sorted, disjoint runs of solid pixels per row. It cannot be changed.
typedef struct pv_paper_runs pv_paper_runs;

/// Encodes a mask as runs.
/// @param allocator null for the C library's
/// @return runs for pv_paper_runs_destroy(), or null with an error
PV_API pv_paper_runs *pv_paper_runs_encode(const pv_mask *mask, const pv_allocator *allocator,
                                           pv_error *error);

/// Decodes runs to a new mask.
/// @return a mask with one reference, or null with an error
PV_API pv_mask *pv_paper_runs_decode(const pv_paper_runs *runs, const pv_allocator *allocator,
                                     pv_error *error);

/// Frees runs; null is allowed.
PV_API void pv_paper_runs_destroy(pv_paper_runs *runs);

/// Returns the number of pixels that two masks share, both as runs. Offsets are as in
/// pv_mask_compute_overlap_area().
PV_API int64_t pv_paper_runs_compute_overlap_area(const pv_paper_runs *a, const pv_paper_runs *b,
                                                  int dx, int dy);

/** @} */

/** @defgroup paper_bodies Particles of a body
 *  The two particles of a body, and setters of velocity from Cheng (2003). The functions return
 *  PV_ERROR_STALE_ID, PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE or PV_ERROR_BUSY, with nothing
 *  changed. @{ */

/// One of a body's two particles: Cheng (2003) section 2.1.
typedef struct pv_paper_particle {
    /// Positions now and a substep before [px]
    pv_vec2 position, previous;
    /// Acceleration by gravity, forces and torques in the next step [px/s^2]
    pv_vec2 acceleration;
} pv_paper_particle;

/// Gets the state of a body's two particles. They are at position -/+ k (cos, sin), where k is
/// sqrt(inertia / mass). With half the mass each, they have exactly the mass, center and inertia of
/// the pixels.
PV_API pv_status pv_paper_body_get_motion(const pv_world *world, pv_body_id body,
                                          pv_paper_particle particles[2]);

/// Moves one of the two particles, 0 or 1, by a displacement [px]; then both particles restore the
/// stick's length in equal shares (Jakobsen 2001, section 3). Previous positions stay, so the body
/// continues with the resulting velocities. A displacement across the stick turns the body.
/// PV_ERROR_ARGUMENT also if both particles would meet.
PV_API pv_status pv_paper_body_displace(pv_world *world, pv_body_id body, int particle, pv_vec2 by);

/// Positions that are moved to change a velocity: Cheng (2003) section 2.2.
typedef enum pv_paper_shift {
    /// Previous positions: the body stays in place, and the velocity holds from now on
    PV_PAPER_SHIFT_PREVIOUS = 0,
    /// Current positions as well: as if the velocity had held during the last substep
    PV_PAPER_SHIFT_CURRENT
} pv_paper_shift;

/// Points that stay in place in a turn, or at its beginning: Cheng (2003) section 2.4.
typedef enum pv_paper_about {
    /// Center: both particles move, and the center keeps its velocity
    PV_PAPER_ABOUT_CENTER = 0,
    /// First particle: the second goes around it, and it keeps its velocity
    PV_PAPER_ABOUT_FIRST,
    /// Second particle: the first goes around it, and it keeps its velocity
    PV_PAPER_ABOUT_SECOND
} pv_paper_about;

/// Sets the velocity of the center [px/s]; it moves one of the body's two positions. Cheng (2003)
/// section 2.4.
PV_API pv_status pv_paper_body_set_velocity(pv_world *world, pv_body_id body, pv_vec2 velocity,
                                            pv_paper_shift shift);

/// Sets the angular velocity about the center or about a particle, which keeps its velocity
/// [rad/s].
PV_API pv_status pv_paper_body_set_angular_velocity(pv_world *world, pv_body_id body,
                                                    double angular_velocity, pv_paper_about about);

/// Adds an angle to the rotation of a body, about the center or about a particle, which stays in
/// place; Cheng (2003) section 2.4. Previous positions stay, so the body continues with the
/// resulting velocities: once turned, it spins. It spins by at most a quarter turn per substep.
/// @param angle in [-1e6, 1e6] [rad]
PV_API pv_status pv_paper_body_rotate(pv_world *world, pv_body_id body, double angle,
                                      pv_paper_about about);

/** @} */

/** @defgroup integrators Integrators
 *  Integrators of one point under an acceleration, side by side for comparison. Worlds use
 *  position Verlet. @{ */

/// Integrators of a step.
typedef enum pv_paper_integrator {
    /// Explicit Euler: x += v h, then v += a h
    PV_PAPER_INTEGRATOR_EULER = 0,
    /// Semi-implicit Euler: v += a h, then x += v h
    PV_PAPER_INTEGRATOR_SYMPLECTIC,
    /// Position Verlet for a constant step: x' = 2 x - x* + a h^2
    PV_PAPER_INTEGRATOR_VERLET,
    /// Corrected Verlet for a variable step: x' = x + (x - x*) h / h0 + a h (h + h0) / 2
    PV_PAPER_INTEGRATOR_CORRECTED_VERLET
} pv_paper_integrator;

/// A point in motion. It begins with a position, a velocity and zeros.
typedef struct pv_paper_motion {
    /// Current and previous position [px]
    pv_vec2 position, previous;
    /// Velocity; with Verlet the mean of the last step [px/s]
    pv_vec2 velocity;
    /// Length of the last step; 0 before the first [s]
    double last;
} pv_paper_motion;

/// Returns the point one step later. The first step of either Verlet is x + v h + a h^2 / 2.
/// @param acceleration acceleration at its position [px/s^2]
/// @param h length of the step, in (0, 1] [s]; other values leave the point unchanged, as do values
/// that are not finite
PV_API pv_paper_motion pv_paper_motion_step(pv_paper_integrator integrator, pv_paper_motion motion,
                                            pv_vec2 acceleration, double h);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
