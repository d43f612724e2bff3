/* contact_batch.h - contact batches: contacts packed four wide, and the operations on them in a
 * substep.
 *
 * Invariant: the four lanes of a batch share no movable body, and batches are solved in order. So a
 * sweep over the batches gives the same result as one over single contacts. A lane does the same
 * operations in the same order on every CPU, so its bits are the same everywhere.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_SOLVER_CONTACT_BATCH_H
#define PV_SOLVER_CONTACT_BATCH_H

#include "core/world.h"

/// One contact point of each of four manifolds
typedef struct pv__batch_point {
    /* constant after packing */
    /// Anchors as in pv__contact_point [px]
    pv__four anchor_ax, anchor_ay, anchor_bx, anchor_by;
    /// Normal from a to b
    pv__four nx, ny;
    /* measured twice per substep */
    /// Levers of the normal: cross(arm, n) [px]
    pv__four across_a, across_b;
    /// Levers of the tangent [px]
    pv__four along_a, along_b;
    /// Target speed along n [px/s]
    pv__four speed;
    /* solved */
    pv__four impulse_n, impulse_t;
} pv__batch_point;

/// Data that few batches need. Plain batches share the first item: sharp surfaces that do not
/// resist rolling and stand still.
typedef struct pv__batch_extra {
    /// Radii as in pv__contact_point, by point [px]
    pv__four radius_a[2], radius_b[2];
    /// Position of the point between both surfaces, 0 on a's and 1 on b's
    pv__four share[2];
    pv__four rolling;
    /// Speed of the surfaces relative to each other along the tangent [px/s]
    pv__four belt;
    /// Impulse of rolling resistance
    pv__four roll;
} pv__batch_extra;

/// Batch of four manifolds, or of four parts of manifolds, with one or two points each
typedef struct pv__batch {
    /// Index of its pv__batch_extra
    int extra;
    /// Batch level; a batch of a higher level comes later
    int level;
    /// Number of points, 1 or 2
    uint8_t points;
    bool rolls : 1;
    /// True if one body of a lane is much heavier
    bool uneven : 1;
    /// True if a body of a lane is locked along x or y
    bool locked : 1;
    /// True if a point was faster than the hit threshold, or bounced, in this step
    bool struck : 1;
    /* a bit for each lane */
    /// Lanes with a locked axis
    uint8_t lock_ax, lock_ay, lock_bx, lock_by;
    /// Lanes whose point can carry load; whose point has a soft spring; whose point slides
    uint8_t on[2], sprung[2], slides[2];
    /// Lanes with a movable body; an inactive one is immovable
    uint8_t moves_a, moves_b;
    /// Lanes with an immovable body, which have the stiffer spring
    uint8_t fixed;
    /// Lanes of two discs, whose normal is measured in every substep
    uint8_t discs;
    /// Lanes of two inactive bodies in a batch with active ones; nothing changes in them
    uint8_t idle;
    /// Sum of impulses by point since the start of the step or since packing [mass px/s]
    pv__four given[2];
    /* filled or emptied by lane */
    /// Source and destination of the impulses: manifold slot, -1 in an empty lane, and first point
    int manifold[PV__LANES];
    uint8_t first[PV__LANES];
    /// Indices of the solver bodies
    int a[PV__LANES], b[PV__LANES];
    /// Inverse masses and inertias of both bodies, movable or not
    pv__four mass_a, inertia_a, mass_b, inertia_b;
    pv__four static_friction, kinetic_friction, restitution;
    pv__batch_point point[2];
    /// Greatest approach speed of fast points, by point, if the batch is struck [px/s]
    pv__four_halves approach[2];
} pv__batch;

/// Mark of a batch, stored apart from it. One thread reads the marks of all batches, while the
/// batches stay in the caches of their workers.
typedef struct pv__batch_mark {
    /// Greatest speed that the batch gives the lighter body of a lane in this substep [px/s]
    double given;
    /// Number of the last impact when restitution asked the batch
    uint64_t asked;
    /// Next batch of the sweep with load, -1 after the last one
    int next;
    /// True if a pair has restitution; true if a point has a fast approach in this substep
    bool bounces : 1, impact : 1;
    /// True if the batch is listed, and if an impact loads it in this substep
    bool loaded : 1, loads : 1;
    /// True if lanes have impacts to report
    bool reports : 1;
    /// Lanes that carry load
    uint8_t pressed;
} pv__batch_mark;

/// Tells whether a lane is in a set of lanes.
static inline bool pv__batch_has(uint8_t lanes, int l) { return lanes >> l & 1; }

/// Puts a lane into a set of lanes, or takes it out.
static inline void pv__batch_set(uint8_t *lanes, int l, bool in) {
    *lanes = (uint8_t)((*lanes & ~(1u << l)) | (unsigned)in << l);
}

/// Ratio of masses above which the heavier body is much heavier
#define PV__HEAVY 3

/// Tells whether both bodies of a lane are movable and one is much heavier.
static inline bool pv__batch_is_uneven(const pv__batch *k, int l) {
    double most = pv__max(k->mass_a[l], k->mass_b[l]), least = pv__min(k->mass_a[l], k->mass_b[l]);
    return pv__batch_has(k->moves_a & k->moves_b, l) && most > PV__HEAVY * least;
}

/// One or two points of a manifold during packing, with their solver bodies, and their shelf or -1
typedef struct pv__batch_part {
    int manifold, a, b, shelf;
    uint8_t first, points;
    /// True if it needs extra data
    bool extra;
} pv__batch_part;

/// Normal and tangential parts of a quantity for both points of a batch
typedef struct pv__parts {
    pv__four n[2], t[2];
} pv__parts;

/// Batch that is solved to convergence. A is the matrix from all impulses to the speeds at all
/// points.
typedef struct pv__load {
    int batch;
    /// Normal impulses when the substep began [mass px/s]
    pv__four before[2];
    /// Gains of speed per unit of impulse along the normals
    pv__four yield[2];
    /// Impulses before a sweep [mass px/s], and residuals of the speeds then [px/s]
    pv__parts from, residual;
    /// Change of impulses in the sweep, and A times it
    pv__parts gave, changed;
    /// Search direction, and A times it
    pv__parts way, change;
} pv__load;

/// Result of a sweep over all loaded batches
typedef struct pv__swept {
    /// Dot product of gave and change of the last search [mass px^2/s^2]
    double along;
    /// Twice the rise of the energy [mass px^2/s^2]
    double rise;
    /// Greatest residual of a point [px/s]
    double speed;
} pv__swept;

/// Energy along a search direction [mass px^2/s^2]
typedef struct pv__aim {
    /// Dot products: - residual . way, and way . change
    double slope, curve;
    /// Value of curve without coupling of contacts
    double size;
} pv__aim;

/// Constants of a sweep
typedef struct pv__sweep {
    /// Substep [s]
    double h;
    /// Greatest speed that springs add beyond their last load, so that loads settle [px/s]
    double lift;
    double bounce_speed, hit_speed;
    /// True in substeps over twice as long as usual: springs stay soft in relaxation, or crowds
    /// would get deep.
    bool soft_relax;
    /// Springs of contacts, and of contacts with an immovable body
    pv__spring spring, fixed_spring;
    /// States of the solver bodies
    const pv__solver_state *states;
    /// All batches, with their extra data and marks
    pv__batch *batches;
    pv__batch_extra *extras;
    pv__batch_mark *marks;
} pv__sweep;

/// Four solver bodies without contact, and their gains in a substep
typedef struct pv__squad {
    pv__solver_body *bodies[PV__LANES];
    const pv__four *gains[PV__LANES];
} pv__squad;

/// Operations on contact batches. Each CPU has its fastest version; all give the same results.
typedef struct pv__batch_kernel {
    /// Measures gaps, levers and masses of batches in the current poses, before a push. Marks those
    /// with an impact, and returns whether there is one.
    bool (*measure)(const int *batches, int count, const pv__solver_body *bodies,
                    const pv__sweep *sweep);
    /// Applies restitution after measure(); returns whether there was an impact.
    bool (*hit)(pv__batch *lanes, pv__solver_body *bodies, const pv__sweep *sweep);
    /// Applies the impulses of the last substep again.
    void (*warm)(const int *batches, int count, pv__solver_body *bodies, const pv__sweep *sweep);
    /// Solves friction and normal impulses, both points of a pair at once. If back is true, it runs
    /// from the last batch to the first.
    void (*solve)(const int *batches, int count, bool back, pv__solver_body *bodies,
                  const pv__sweep *sweep);
    /// Finds the gaps of the points in the current poses [px].
    void (*gaps)(const pv__batch *lanes, const pv__solver_body *bodies,
                 const pv__batch_extra *extra, pv__four *gaps);
    /// Prepares a batch for convergence, and subtracts the impulses of this substep from the sums.
    void (*load)(pv__batch *lanes, const pv__sweep *sweep, pv__load *load);
    /// Stores a loaded batch's impulses and residuals before a sweep.
    void (*begin_sweep)(const pv__batch *lanes, const pv__solver_body *bodies,
                        const pv__batch_extra *extra, pv__load *load);
    /// Stores the changes of impulses and residuals after a sweep.
    void (*end_sweep)(const pv__batch *lanes, const pv__solver_body *bodies,
                      const pv__batch_extra *extra, pv__load *load, pv__swept *swept);
    /// Sets the search direction to gave + share * way, and adds up its slope, curve and size.
    void (*aim)(const pv__batch *lanes, pv__load *load, double share, pv__aim *aim);
    /// Sets the impulses to those at the start of the sweep plus a part of the search direction.
    /// Returns false if a limit cut them.
    bool (*advance)(pv__batch *lanes, pv__solver_body *bodies, const pv__load *load, double part);
    /// Returns twice the rise of the energy since the start of the sweep.
    double (*rise)(const pv__batch *lanes, const pv__solver_body *bodies,
                   const pv__batch_extra *extra, const pv__load *load);
    /// Restores the impulses at the end of the sweep.
    void (*withdraw)(pv__batch *lanes, pv__solver_body *bodies, const pv__load *load);
    /// Reduces the impulses to those at the start of the substep, if these were less.
    void (*forget)(pv__batch *lanes, const pv__load *load);
    /// Measures and solves without a push, and adds up the impulses. Then it resolves depth that
    /// the load does not explain, in the poses; velocities change only to keep angular momentum.
    void (*relax)(const int *batches, int count, pv__solver_body *bodies, const pv__sweep *sweep);
    /// Adds the gains of a substep to the motions of listed bodies.
    void (*accelerate)(const int *listed, int count, pv__solver_body *bodies,
                       pv__solver_state *states);
    /// Moves and turns listed bodies by a substep. Flags the bodies that contacts gave much speed
    /// as disturbed; returns whether there are any.
    bool (*move)(const int *listed, int count, pv__solver_body *bodies, pv__solver_state *states,
                 bool *disturbed, double h);
    /// Moves and turns one body by a substep.
    void (*move_one)(pv__solver_body *body, double h);
    /// Moves and turns four bodies by that number of substeps; each adds a gain to the motion
    /// first.
    void (*fly)(const pv__squad *squad, double h, int substeps);
} pv__batch_kernel;

extern const pv__batch_kernel pv__lanes_generic, pv__lanes_avx2;

/// Packs the contact points with load into batches of lanes.
void pv__batch_pack(pv_world *world);
/// Tells whether packing would place all parts in order, so that ordered batches may be kept.
bool pv__batch_keeps_order(const pv_world *world);
/// Stores the impulses of all batches back into the manifolds.
void pv__batch_unpack(pv_world *world);
/// Removes batches of inactive bodies from the sweep.
void pv__batch_narrow_sweep(pv_world *world);
/// Sets the length of the running substep, and fits the springs to it; world->dt must be known.
void pv__batch_fit_springs(pv_world *world, double h);
/// Stores the impulses back at the end of the step, and puts all batches into the sweep again.
void pv__batch_close_all(pv_world *world);
/// Stores the impulses of marked manifolds back before their update, or of all before a packing.
void pv__batch_store_marked(pv_world *world);
/// Packs marked manifolds after their update, or all.
void pv__batch_load_marked(pv_world *world);

#endif
