/* contact_batch.h - contacts packed four wide, and what is done to them in a substep.
 *
 * Invariant: the four lanes of a block share no body that can be moved, and blocks are solved in
 * order, so a sweep over them is a sweep over the contacts one by one. A lane does the same
 * operations in the same order whatever the CPU's vectors are, so its bits are the same everywhere.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_CONTACT_BATCH_H
#define PV_SOLVER_CONTACT_BATCH_H

#include "core/world.h"

enum { PV__LANES = 4 };

/// One point of each of four manifolds.
typedef struct pv__batch_point {
    /* made when packed */
    /// As in pv__contact_point [px]
    pv__four anchor_ax, anchor_ay, anchor_bx, anchor_by, radius_a, radius_b;
    /// Where between both surfaces the point lies, 0 on a's and 1 on b's
    pv__four share;
    /// From a to b
    pv__four nx, ny;
    /* measured twice a substep */
    /// Levers of the normal: cross(arm, n) [px]
    pv__four across_a, across_b;
    /// Levers of the tangent [px]
    pv__four along_a, along_b;
    pv__four gap;
    /// Speed that a unit of impulse gives along n; the inverse along t
    pv__four stiffness, inverse_t;
    /// Asked for along n [px/s]; and how softly
    pv__four speed, soft;
    /// Whether it can press at all
    pv__which on;
    /* solved */
    pv__four impulse_n, impulse_t, roll;
    /// impulse_n when the substep began
    pv__four before;
    pv__which slides;
} pv__batch_point;

/// Four manifolds, or four halves of some: one or two points of each.
typedef struct pv__batch {
    /// Movers
    int a[PV__LANES], b[PV__LANES];
    int manifold[PV__LANES],
        /// Where impulses come from and go: slot, and point; -1 where a lane is empty
        first[PV__LANES];
    /// 1 or 2
    int points;
    bool bounces, rolls;
    /// Of some lane, one body is much heavier
    bool uneven;
    /// Some lane is of two discs
    bool has_discs;
    /// Some point comes in fast in this substep
    bool blow;
    /// Some point is deep enough to be parted
    bool deep;
    /// Some body of a lane is kinematic
    bool driven;
    /// Scratch of contact_solver.c
    bool loaded;
    /// Solved to convergence in this substep, without springs
    bool rigid;
    /// Some body of a lane is locked along x or y
    bool locked;
    /// Some point came in faster than the hit speed, or bounced, in this step
    bool struck;
    /// Lanes of two discs, whose normal is measured in every substep
    pv__which discs;
    /// Lanes of which both bodies rest while others of the block do not: nothing changes in them
    pv__which idle;
    /// Inverse; 0 for what rests while its neighbor does not
    pv__four mass_a, inertia_a, mass_b, inertia_b;
    /// Inverse, of both and of each: how stiff a contact is
    pv__four whole_mass, whole_inertia_a, whole_inertia_b;
    pv__four static_friction, kinetic_friction, restitution, rolling;
    /// At which the surfaces run past each other along the tangent [px/s]
    pv__four belt;
    /// Of the spring
    pv__four rate, softness;
    /// Share of what is too deep that is parted in a substep
    pv__four parting;
    /// What the first point's impulse does at the second
    pv__four cross;
    /// Inverses of what each point yields, and of the pair's determinant
    pv__four alone_p, alone_q, both;
    /// By point, all impulses since it came into the lane or the step began [mass px/s]
    pv__four given[2];
    /// Of struck ones, by point: the fastest approach [px/s]
    pv__four approach[2];
    /* of locked ones */
    /// 1, or 0 where locked
    pv__four free_ax, free_ay, free_bx, free_by;
    /// Inverse masses of what is locked, of both
    pv__four locked_x, locked_y;
    pv__batch_point point[2];
} pv__batch;

/// Ratio of masses above which the heavier body is much heavier.
#define PV__HEAVY 3

/// Tells whether both bodies of a lane can be moved, and one is much heavier.
static inline bool pv__batch_is_uneven(const pv__batch *k, int l) {
    double most = pv__max(k->mass_a[l], k->mass_b[l]), least = pv__min(k->mass_a[l], k->mass_b[l]);
    return least > 0 && most > PV__HEAVY * least;
}

/// One or two points of a manifold on their way into a lane.
typedef struct pv__batch_part {
    int manifold, first, points, turn;
} pv__batch_part;

/// Normal and tangential parts of something for both points of a block.
typedef struct pv__parts {
    pv__four n[2], t[2];
} pv__parts;

/// A block that is solved to convergence: A is the matrix that makes speeds at all points of all
/// impulses.
typedef struct pv__load {
    int block;
    /// Impulses before a sweep [mass px/s], and what speeds are off by then [px/s]
    pv__parts from, residual;
    /// What the sweep gave; and A times that
    pv__parts gave, changed;
    /// The direction of search; and A times that
    pv__parts way, change;
} pv__load;

/// What a sweep did to all loaded blocks.
typedef struct pv__swept {
    /// Gave . change of the last search [mass px^2/s^2]
    double along;
    /// Twice what the energy rose by [mass px^2/s^2]
    double rise;
    /// The most that a point was off by [px/s]
    double speed;
} pv__swept;

/// The energy along the way of a search [mass px^2/s^2].
typedef struct pv__aim {
    /// - residual . way, and way . change
    double slope, curve;
    /// The curve if no contact knew of another
    double size;
} pv__aim;

/// A sweep's constants.
typedef struct pv__sweep {
    /// Substep [s]
    double h;
    bool push;
    /// The most speed that springs give beyond what they bore, so that loads find their places
    /// [px/s]
    double lift;
    double bounce_speed, hit_speed;
    /// Of the movers
    const pv__solver_state *courses;
} pv__sweep;

/// Four movers that touch nothing, and what they gain in a substep.
typedef struct pv__squad {
    pv__solver_body *movers[PV__LANES];
    const pv__four *gains[PV__LANES];
} pv__squad;

/// The same on every CPU, as fast as it can be on this one.
typedef struct pv__batch_kernel {
    /// Gaps, levers and masses in the movers' poses; before a push, whether there is a blow.
    bool (*measure)(pv__batch *lanes, const pv__solver_body *movers, const pv__sweep *sweep);
    /// Restitution, after measure(); whether anything was hit.
    bool (*hit)(pv__batch *lanes, pv__solver_body *movers, const pv__sweep *sweep);
    /// Gives the impulses of the last substep again.
    void (*warm)(pv__batch *lanes, pv__solver_body *movers);
    /// Friction and normal impulses, both points of a pair at once.
    void (*solve)(pv__batch *lanes, pv__solver_body *movers);
    /// Makes contacts rigid for the rest of the substep.
    void (*harden)(pv__batch *lanes);
    /// Notes a loaded block's impulses and residuals before a sweep.
    void (*begin_sweep)(const pv__batch *lanes, const pv__solver_body *movers, pv__load *load);
    /// Notes what the sweep gave and changed.
    void (*end_sweep)(const pv__batch *lanes, const pv__solver_body *movers, pv__load *load,
                      pv__swept *swept);
    /// Makes the way gave + share * way, and adds up what is known along it.
    void (*aim)(const pv__batch *lanes, pv__load *load, double share, pv__aim *aim);
    /// Goes a part of the way from where the sweep began; whether all of it could be gone.
    bool (*advance)(pv__batch *lanes, pv__solver_body *movers, const pv__load *load, double part);
    /// Twice what the energy rose by since the sweep began.
    double (*rise)(const pv__batch *lanes, const pv__solver_body *movers, const pv__load *load);
    /// Goes back to where the sweep ended.
    void (*withdraw)(pv__batch *lanes, pv__solver_body *movers, const pv__load *load);
    /// Takes impulses back to what they were when the substep began, if they were less.
    void (*forget)(pv__batch *lanes);
    /// Measures and solves without a push, and adds up what was given.
    void (*relax)(pv__batch *lanes, pv__solver_body *movers, const pv__sweep *sweep);
    /// Parts what is deeper than its load explains, by poses alone: no speed comes of it.
    void (*part)(pv__batch *lanes, pv__solver_body *movers, const pv__sweep *sweep);
    /// Moves and turns by a substep.
    void (*move)(pv__solver_body *mover, double h);
    /// Moves and turns four by so many substeps, each of which adds a gain to the motion first.
    void (*fly)(const pv__squad *squad, double h, int substeps);
} pv__batch_kernel;

extern const pv__batch_kernel pv__lanes_generic, pv__lanes_avx2;

/// Puts what presses into blocks of lanes, and the impulses back.
void pv__batch_pack(pv_world *world);
void pv__batch_unpack(pv_world *world);
/// Leaves out of the sweep what rests.
void pv__batch_narrow_sweep(pv_world *world);
/// Sets the length of the running substep, and fits springs to it; world->dt must be known.
void pv__batch_fit_springs(pv_world *world, double h);
/// Goes on with substeps of another length: scales the impulses of what is swept, and fits its
/// springs.
void pv__batch_pace(pv_world *world, double h);
/// Puts the impulses back when the step is over, and all blocks into the sweep again.
void pv__batch_close_all(pv_world *world);
/// Puts the impulses of marked manifolds back before they are updated.
void pv__batch_store_marked(pv_world *world);
/// Puts marked manifolds into lanes after they were updated.
void pv__batch_load_marked(pv_world *world);

#endif
