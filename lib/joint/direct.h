/* direct.h - what the files of the direct solver share: rows, components, and the matrix.
 *
 * Invariant: of a component, rows of joints come first, then those of touches; each row's envelope
 * begins within its component.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_JOINT_DIRECT_H
#define PV_JOINT_DIRECT_H

#include "core/anchor.h"
#include "joint/joint.h"

/// Rows of touches in a component at most.
enum { PV__MOST_TOUCH_ROWS = 32 };

/// One of the two things that a row moves.
typedef struct pv__row_end {
    /// Its name, or -1 for what never moves
    int node;
    /// Push and twist by a unit of the row, where the substep began
    pv__joint_lever gives;
    /// Change of the row's error by its way and turn, where it is now
    pv__joint_lever feels;
    /// Inverse masses
    double wx, wy, wturn;
} pv__row_end;

/// One number that a constraint or a touch holds.
typedef struct pv__row {
    /// Of the constraint
    int slot;
    pv__joint_part part;
    /// Column where its envelope begins, a row of its component
    int first;
    /// Place of that column among the numbers
    int at;
    /// Its constraint is not broken; it takes part in the solution
    bool lives, holds;
    pv__row_end ends[2];
    /// Added to the diagonal; of the pivot
    double softness, inverse;
    /// Right side
    double missing;
    /// The same, then the solution
    double x;
    /// Part of the solution that was given by the last step
    double step;
    /* of a touch */
    /// Or null
    const pv__contact_point *press;
    /// Along the touch: after the row across it
    bool rubs;
    /// Its bound, as a share of what the row across gives
    double friction;
    /// 1 or -1: it gives all that it may, and does not hold
    double slid;
    int bodies[2];
    /// From their centers where the substep began [px]
    pv_vec2 levers[2];
    /// Gap that there was, if they overlapped, or 0 [px]
    double least;
    /// In the substep, and without the last step [mass px]
    double given, before;
} pv__row;

/// Constraints that reach each other. While it is solved its rows are d->rows: those of joints to
/// end - 1, of touches to last - 1.
typedef struct pv__component {
    int index;
    int first_plan, end, last;
    /// Nodes that the joints move
    int first_member, end_member;
    /// The first one, or -1
    int bearing;
} pv__component;

/// A manifold by which something bears on a component.
typedef struct pv__bearing {
    /// Next: of the same component, or -1
    int slot, next;
} pv__bearing;

struct pv__direct {
    /// Rows of all components as they are laid
    pv__row *plan;
    /// Scratch: of the component that is solved
    pv__row *rows;
    /// Scratch: L, by rows, left of the diagonal
    double *numbers;
    /// Scratch: U, by columns, above it
    double *upper;
    pv__component *components;
    /// Constraints
    int *order;
    /// Of each slot in the order, or -1
    int *place;
    /// First row of each slot that has a place
    int *start;
    /// Of the step
    pv__bearing *bearings;
    /// By body: its component, or -1
    int *owners;
    /// Scratch: a component's members, and the bodies that bear on it
    int *nodes;
    /// Nodes of components
    int *members;
    /// Scratch by node: its way and turn by a step
    pv__joint_lever *nets;
    /// By node: how strongly it is drawn back when it goes aside [mass], [mass px^2]
    double *loads;
    /// The first one at each node; ends are named 2 * slot + which
    int *ends;
    /// Of each end: the next one at its node, or -1
    int *next;
    /// Of the next step, as a share of the diagonal
    double damping;
    /// On the component in this substep [multiplications]
    int64_t spent;
    /// In which the bearings were listed
    uint64_t bearing_step;
    /// From how many manifolds
    int bearing_manifolds;
    int plan_count, plan_capacity, row_capacity, number_capacity, upper_capacity;
    int component_count, component_capacity, member_count, member_capacity, bearing_count,
        bearing_capacity;
    int order_capacity, place_capacity, start_capacity, end_capacity, next_capacity;
    int load_capacity, net_capacity, owner_count, owner_capacity, node_capacity;
};

/// Motion of a body, a particle, or all of a component.
typedef struct pv__motion {
    double mass, inertia;
    pv_vec2 at, velocity;
    double spin;
} pv__motion;

/* Nodes: even names are of bodies, odd ones of particles. */
static inline int pv__direct_body_node(int body) { return 2 * body; }
static inline int pv__direct_particle_node(int particle) { return 2 * particle + 1; }
static inline bool pv__direct_is_body_node(int node) { return node >= 0 && node % 2 == 0; }

/* direct_layout.c */
/// Makes room by body and node for those that came; false without memory.
bool pv__direct_reserve_bodies(pv_world *world, struct pv__direct *d);

/* direct_row.c */
/// Tells whether a row is the first one of its constraint.
bool pv__direct_is_first(const struct pv__direct *d, int i);
/// Makes the loads what the constraints give now.
void pv__direct_set_loads(const pv_world *world, const struct pv__direct *d,
                          const pv__component *c);
/// Tells whether some node of a component is steadied.
bool pv__direct_is_steadied(const pv_world *world, const struct pv__direct *d,
                            const pv__component *c);
/// Tells whether some joints of a component are springs, which give back what they took.
bool pv__direct_is_elastic(const struct pv__direct *d, const pv__component *c);
/// Caps an inverse mass by a load: under it, an explicit step would overshoot. Tournier et al. 2015
/// reckon that implicitly.
double pv__direct_steadied_inverse(double inverse, double load);
/// Sets levers and inverse masses of a joint's row at the start of a substep.
void pv__direct_row_start(const pv_world *world, const struct pv__direct *d, pv__row *r, double h);
/// Returns how far a unit of one row moves the error of another.
double pv__direct_row_coupling(const pv__row *error, const pv__row *gift);
/// Sets a joint row's right side; returns the size of its error [px], [rad].
double pv__direct_row_error(const pv_world *world, pv__row *r, double h);
/// Returns the sign of all that a constraint may give: 0 for any, 1 for a push, -1 for a pull.
int pv__direct_row_sign(const pv__constraint *c);
/// Gives the solution of a constraint's rows, from row i on; returns the row after them.
int pv__direct_rows_give(pv_world *world, const struct pv__direct *d, int i, int last);
/// Gives what was given in the last substep; from there Newton's steps find what bears, not another
/// way that fits.
void pv__direct_rows_warm(pv_world *world, const struct pv__direct *d, const pv__component *c);
/// Sets the loads by what was given in the last substep.
void pv__direct_rows_foresee(pv_world *world, const struct pv__direct *d, const pv__component *c);
/// Takes back all that was given in the substep.
void pv__direct_rows_take_back(pv_world *world, const struct pv__direct *d, const pv__component *c);
/// Tells whether a node bears much more than it was steadied for.
bool pv__direct_rows_are_overloaded(const pv_world *world, const struct pv__direct *d,
                                    const pv__component *c);
/// Takes relative spin from two bodies, one of them steadied: light links would swing across their
/// load.
void pv__direct_row_calm(pv_world *world, const pv__row *r);

/* direct_touch.c */
/// Lists by component the manifolds by which something heavy bears on light members, once a step.
void pv__direct_list_touches(pv_world *world, struct pv__direct *d);
/// Adds rows of a component's touches, started for the substep.
void pv__direct_add_touches(const pv_world *world, const struct pv__direct *d, pv__component *c);
/// Sets levers and inverse masses of a touch's row at the start of a substep.
void pv__direct_touch_row_start(const pv_world *world, const struct pv__direct *d, pv__row *r);
/// Sets a touch row's right side, how much deeper or farther along it got; returns its size [px].
double pv__direct_touch_row_error(const pv_world *world, pv__row *r);
/// Gives along a touch [mass px].
void pv__direct_touch_row_give(pv_world *world, pv__row *r, double by);
/// Gives all that friction may where it slides.
void pv__direct_touch_row_rub(pv_world *world, pv__row *r);

/* direct_newton.c */
/// Takes Newton's steps until no error is left; returns the largest that is [px], [rad].
double pv__direct_converge(pv_world *world, struct pv__direct *d, const pv__component *c, double h);

/* direct_energy.c */
/// Lists a component's nodes and those that bear on it; returns how many.
int pv__direct_list_nodes(const struct pv__direct *d, const pv__component *c);
/// Returns the motion of a free component as one rigid thing; none for one that is held.
pv__motion pv__direct_common_motion(const pv_world *world, const struct pv__direct *d,
                                    const pv__component *c, int count);
/// Returns twice the kinetic energy of the listed nodes beside a common motion.
double pv__direct_energy_of(const pv_world *world, const struct pv__direct *d, int count,
                            const pv__motion *common);
/// Returns twice the work that was done in the substep by ends that move by themselves.
double pv__direct_work_of(const pv_world *world, const struct pv__direct *d,
                          const pv__component *c);
/// Returns the power of what pulls the listed nodes.
double pv__direct_power_of(const pv_world *world, const struct pv__direct *d, int count);
/// Slows a component until twice its kinetic energy is no more than a bound, or only its common
/// motion is left.
void pv__direct_limit_energy(pv_world *world, const struct pv__direct *d, const pv__component *c,
                             double most);
/// Gives a free component back the place and momentum that it had: what is steadied yields less
/// than it is pushed.
void pv__direct_keep_momentum(pv_world *world, const struct pv__direct *d, const pv__component *c,
                              const pv__motion *had);

/// Solves joints of bodies together in a substep, once they have started.
void pv__direct_solve(pv_world *world, double h);

#endif
