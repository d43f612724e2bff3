/* pixverlet/paper.h - parts of Cheng (2003) for those who compare: two particles, integrators, run
 * lengths.
 *
 * Invariant: nothing outside of this header needs anything of it.
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

/// A mask as sorted, disjoint runs of solid pixels per row; cannot be changed.
typedef struct pv_paper_runs pv_paper_runs;

/// Encodes a mask.
/// @param allocator null for the C library's
/// @return runs to give to pv_paper_runs_destroy(), or null with a status
PV_API pv_paper_runs *pv_paper_runs_encode(const pv_mask *mask, const pv_allocator *allocator,
                                           pv_status *status);

/// Decodes to a new mask.
PV_API pv_mask *pv_paper_runs_decode(const pv_paper_runs *runs, const pv_allocator *allocator,
                                     pv_status *status);

/// Frees runs; null is allowed.
PV_API void pv_paper_runs_destroy(pv_paper_runs *runs);

/// Bytes that the runs take in memory; 0 for null.
PV_API size_t pv_paper_runs_get_bytes(const pv_paper_runs *runs);

/// As pv_mask_compute_overlap_area(), both as runs.
PV_API int64_t pv_paper_runs_compute_overlap_area(const pv_paper_runs *a, const pv_paper_runs *b,
                                                  int dx, int dy);

/// As pv_mask_compute_overlap_area(), the first as runs and the second as a mask.
PV_API int64_t pv_paper_runs_compute_overlap_area_mask(const pv_paper_runs *a, const pv_mask *b,
                                                       int dx, int dy);

/** @} */

/** @defgroup paper_bodies Particles of a body
 *  The two particles of a body, and impulses of Cheng (2003). @{ */

/// Positions of the two particles, the second being at position + k * (cos, sin), k = sqrt(inertia
/// / mass): with half the mass each they have the mass, center and inertia of the pixels exactly.
PV_API pv_status pv_paper_body_get_particles(const pv_world *world, pv_body_id body,
                                             pv_vec2 particles[2]);

/// Which positions are moved to change a velocity: Cheng (2003) section 2.2.
typedef enum pv_paper_shift {
    /// The body stays where it is, its previous positions move: from now on
    PV_PAPER_SHIFT_PREVIOUS = 0,
    /// Its current positions move too: as if it had been so during the last substep
    PV_PAPER_SHIFT_CURRENT
} pv_paper_shift;

/// What stays in place when a turn begins: Cheng (2003) section 2.4.
typedef enum pv_paper_about {
    /// Both particles move, the center keeps its velocity
    PV_PAPER_ABOUT_CENTER = 0,
    /// The second particle goes round the first, which keeps its velocity
    PV_PAPER_ABOUT_FIRST,
    /// The first goes round the second
    PV_PAPER_ABOUT_SECOND
} pv_paper_about;

/// Sets the velocity of the center [px/s] by moving one of its two positions, Cheng (2003) section
/// 2.4.
PV_API pv_status pv_paper_body_set_velocity(pv_world *world, pv_body_id body, pv_vec2 velocity,
                                            pv_paper_shift shift);

/// Sets the angular velocity [rad/s] about the center or about a particle, which then keeps its
/// velocity.
PV_API pv_status pv_paper_body_set_angular_velocity(pv_world *world, pv_body_id body,
                                                    double angular_velocity, pv_paper_about about);

/** @} */

/** @defgroup integrators Integrators Ways to step one point under an acceleration, side by side,
 * for those who compare. Worlds use position Verlet. @{ */

/// How a step is taken.
typedef enum pv_paper_integrator {
    /// Explicit: x += v h, then v += a h
    PV_PAPER_INTEGRATOR_EULER = 0,
    /// Semi-implicit Euler: v += a h, then x += v h
    PV_PAPER_INTEGRATOR_SYMPLECTIC,
    /// X' = 2 x - x* + a h^2, whatever the last step was
    PV_PAPER_INTEGRATOR_VERLET,
    /// X' = x + (x - x*) h / h0 + a h (h + h0) / 2
    PV_PAPER_INTEGRATOR_CORRECTED_VERLET
} pv_paper_integrator;

/// A point in motion. Start it by pv_paper_motion_start().
typedef struct pv_paper_motion {
    /// [px]
    pv_vec2 position, previous;
    /// By Verlet the mean of the last step [px/s]
    pv_vec2 velocity;
    /// Length of the last step; 0 before the first [s]
    double last;
} pv_paper_motion;

/// A point with a velocity.
PV_API pv_paper_motion pv_paper_motion_start(pv_vec2 position, pv_vec2 velocity);
/// The point one step later. The first step of either Verlet is x + v h + a h^2 / 2.
/// @param acceleration at its position [px/s^2]
/// @param h length of the step, in (0, 1] [s]; anything else, and what is not finite, leaves it as
/// it is
PV_API pv_paper_motion pv_paper_motion_step(pv_paper_integrator integrator, pv_paper_motion motion,
                                            pv_vec2 acceleration, double h);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
