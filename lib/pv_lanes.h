/* pv_lanes.h - contacts packed four wide, and what is done to them in a substep.
 *
 * Invariant: the four lanes of a block share no body that can be moved, and blocks are solved in order, so a sweep over them is
 * a sweep over the contacts one by one. A lane does the same operations in the same order whatever the CPU's vectors
 * are, so its bits are the same everywhere.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_LANES_H
#define PV_LANES_H

#include "pv_world.h"

enum { PV__LANES = 4 };

/// One point of each of four manifolds.
typedef struct pv__lane_point {
    /* made when packed */
    pv__four anchor_ax, anchor_ay, anchor_bx, anchor_by, radius_a, radius_b; ///< as in pv__press [px]
    pv__four share;  ///< where between both surfaces the point lies, 0 on a's and 1 on b's
    pv__four nx, ny; ///< from a to b
    /* measured twice a substep */
    pv__four across_a, across_b; ///< levers of the normal: cross(arm, n) [px]
    pv__four along_a, along_b;   ///< levers of the tangent [px]
    pv__four gap;
    pv__four stiffness, inverse_t; ///< speed that a unit of impulse gives along n; the inverse along t
    pv__four speed, soft;          ///< asked for along n [px/s]; and how softly
    pv__which on;                  ///< whether it can press at all
    /* solved */
    pv__four impulse_n, impulse_t, roll;
    pv__which slides;
} pv__lane_point;

/// Four manifolds, or four halves of some: one or two points of each.
typedef struct pv__lanes {
    int a[PV__LANES], b[PV__LANES]; ///< movers
    int manifold[PV__LANES],
        first[PV__LANES]; ///< where impulses come from and go: slot, and point; -1 where a lane is empty
    int points;           ///< 1 or 2
    bool bounces, rolls;
    bool locked; ///< some body of a lane is locked along x or y
    bool struck; ///< some point came in faster than the hit speed, or bounced, in this step
    pv__which
        idle; ///< lanes of which both bodies rest while others of the block do not: nothing changes in them
    pv__four mass_a, inertia_a, mass_b, inertia_b; ///< inverse; 0 for what rests while its neighbour does not
    pv__four whole_mass, whole_inertia_a,
        whole_inertia_b; ///< inverse, of both and of each: how stiff a contact is
    pv__four static_friction, kinetic_friction, restitution, rolling;
    pv__four belt;                   ///< at which the surfaces run past each other along the tangent [px/s]
    pv__four rate, softness;         ///< of the spring
    pv__four cross;                  ///< what the first point's impulse does at the second
    pv__four alone_p, alone_q, both; ///< inverses of what each point yields, and of the pair's determinant
    pv__lane_point point[2];
    /* of struck ones, by point */
    pv__four approach[2], given[2]; ///< fastest approach [px/s], and all impulses since [mass px/s]
    /* of locked ones */
    pv__four free_ax, free_ay, free_bx, free_by; ///< 1, or 0 where locked
    pv__four locked_x, locked_y;                 ///< inverse masses of what is locked, of both
} pv__lanes;

/// One or two points of a manifold on their way into a lane.
typedef struct pv__packed {
    int manifold, first, points, turn;
} pv__packed;

/// A sweep's constants.
typedef struct pv__sweep {
    double h; ///< substep [s]
    bool push;
    double bounce_speed, hit_speed;
    const pv__course *courses; ///< of the movers
} pv__sweep;

/// The same on every CPU, as fast as it can be on this one.
typedef struct pv__lane_kernel {
    /// Gaps, levers and masses in the movers' poses.
    void (*measure)(pv__lanes *lanes, const pv__mover *movers, const pv__sweep *sweep);
    /// Restitution, after measure(); whether anything was hit.
    bool (*hit)(pv__lanes *lanes, pv__mover *movers, const pv__sweep *sweep);
    /// Gives the impulses of the last substep again.
    void (*warm)(pv__lanes *lanes, pv__mover *movers, const pv__sweep *sweep);
    /// Friction and normal impulses, both points of a pair at once.
    void (*solve)(pv__lanes *lanes, pv__mover *movers);
    /// Adds up what was given to what was struck.
    void (*tally)(pv__lanes *lanes);
    /// Moves and turns by a substep.
    void (*move)(pv__mover *mover, double h);
} pv__lane_kernel;

extern const pv__lane_kernel pv__lanes_generic, pv__lanes_avx2;

#endif
