/* direct.h - the shared data of the direct solver's files: rows, components and the matrix.
 *
 * Invariant: rows of joints precede rows of contacts in a component. Each row's envelope begins
 * within its component.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_JOINT_DIRECT_H
#define PV_JOINT_DIRECT_H

#include "core/anchor.h"
#include "joint/joint.h"

/// Greatest number of contact rows in a component
enum { PV__MOST_TOUCH_ROWS = 32 };
/// Greatest number of solutions in a Newton step, as each one may release rows, and number of
/// sweeps over a component without a solution
enum { PV__DIRECT_ROUNDS = 4 };
/// Greatest displacement, and contact error, that a Newton step corrects [px]
static const double PV__DIRECT_FARTHEST = 16;

/// One of the two ends of a row.
typedef struct pv__row_end {
    /// Node, or -1 for an end that never moves
    int node;
    /// Push and twist per unit of the row, at the start of the substep
    pv__joint_lever gives;
    /// Derivatives of the row's error by displacement and rotation, at the current pose
    pv__joint_lever feels;
    /// Inverse masses along x and y, and inverse inertia
    double wx, wy, wturn;
} pv__row_end;

/// Stiffness of a node against sideways displacement and against rotation under load [mass], [mass
/// px^2].
typedef struct pv__node_load {
    double shift, turn;
} pv__node_load;

/// Body or particle, by node.
typedef struct pv__node_state {
    /// Component, or -1
    int owner;
    /// First end at the node, or -1; end ids are 2 * slot + which
    int end;
    pv__node_load load;
    /// Scratch: displacement and rotation of a step
    pv__joint_lever net;
} pv__node_state;

/// Joint in the layout, by slot.
typedef struct pv__laid_joint {
    /// Position in the order, or -1
    int place;
    /// First row, of a joint that has a position
    int row;
    /// Next end at the node of each end, or -1
    int next[2];
} pv__laid_joint;

/// Scalar equation of a joint or a contact.
typedef struct pv__row {
    /// Slot of the joint, or -1
    int slot;
    pv__joint_part part;
    /// First column of its envelope, as the index of a row in its component
    int first;
    /// Index of column 0 in the arrays numbers and upper
    int at;
    /// True if the joint is neither broken nor eased, and true if the row is part of the solution
    bool lives, holds;
    pv__row_end ends[2];
    /// Addition to the diagonal, and inverse of the pivot
    double softness, inverse;
    /// Right side of the equation
    double missing;
    /// Right side, and afterward the solution
    double x;
    /// Part of the solution that the last step applied
    double step;
    /* Data of a contact row */
    /// Contact point, or null
    const pv__contact_point *press;
    /// True for a friction row, which comes right after its normal row
    bool rubs;
    /// Bound of the friction, as a share of the normal push
    double friction;
    /// Direction of sliding, 1 or -1, if the push is at its bound; 0 if the row may hold
    double slid;
    int bodies[2];
    /// Arms from the centers, at the start of the substep [px]
    pv_vec2 levers[2];
    /// Gap at the start of the substep if negative, otherwise 0 [px]
    double least;
    /// Push in the substep, and its value before the last step [mass px]
    double given, before;
} pv__row;

/// Connected joints with the contacts on them.
typedef struct pv__component {
    int index;
    int first_plan, end, last;
    /// Range of nodes that the joints move
    int first_member, end_member;
    /// First of its manifolds in bearings, or -1
    int bearing;
    /// Number of matrix entries for its joints, and work of their factorization [multiplications]
    int numbers;
    int64_t work;
    /// True if it is solved as a matrix; false if it is only swept
    bool exact;
    /// Least inverse mass of a member that can move
    double least;
} pv__component;

/// Manifold through which a body loads a component.
typedef struct pv__bearing {
    /// Slot, and the next manifold of the same component or -1
    int slot, next;
} pv__bearing;

struct pv__direct {
    /// Rows of all components in layout order
    pv__row *plan;
    /// Scratch: rows of the current component
    pv__row *rows;
    /// Scratch: L, row by row, left of the diagonal
    double *numbers;
    /// Scratch: U, column by column, above the diagonal
    double *upper;
    pv__component *components;
    /// Component being solved: joint rows up to end - 1, then contact rows up to last - 1
    pv__component now;
    /// Joints in layout order
    int *order;
    pv__laid_joint *laid;
    pv__node_state *states;
    /// Manifolds of the step that load a component
    pv__bearing *bearings;
    /// Scratch: members of the current component, and the bodies that load it
    int *nodes;
    /// Nodes of all components
    int *members;
    /// Damping of the next step, as a share of the diagonal
    double damping;
    /// Work on the component in this substep, and the limit of that work [multiplications]
    int64_t work, most_work;
    /// Work left for the rest of the step [multiplications]
    int64_t left;
    /// Step of the bearing list
    uint64_t bearing_step;
    /// Number of active manifolds when the bearings were listed
    int bearing_manifolds;
    int plan_count, plan_capacity, row_capacity, number_capacity, upper_capacity;
    int component_count, component_capacity, member_count, member_capacity, bearing_count,
        bearing_capacity;
    int order_capacity, laid_capacity, state_count, state_capacity, node_count, node_capacity;
};

/// Motion of a body, a particle or a whole component.
typedef struct pv__motion {
    double mass, inertia;
    pv_vec2 at, velocity;
    double spin;
} pv__motion;

/* Nodes: even ids are bodies, odd ids are particles. */
static inline int pv__direct_body_node(int body) { return 2 * body; }
static inline int pv__direct_particle_node(int particle) { return 2 * particle + 1; }
static inline bool pv__direct_is_body_node(int node) { return node >= 0 && node % 2 == 0; }

/* direct_layout.c */
/// Selects the joints of the direct solver and their order. Returns false without memory.
bool pv__direct_lay_out(pv_world *world);
void pv__direct_free(pv_world *world);
/// Reserves memory for the states of new bodies. Returns false without memory.
bool pv__direct_reserve_states(pv_world *world, struct pv__direct *d);

/* direct_row.c */
/// Tells whether a row is the first row of its joint.
bool pv__direct_is_first(const struct pv__direct *d, int i);
/// Sets the loads from the current pushes of the joints.
void pv__direct_set_loads(const pv_world *world, const struct pv__direct *d);
/// Tells whether a component has a stabilized node.
bool pv__direct_is_steadied(const pv_world *world, const struct pv__direct *d);
/// Sets the inverse masses of an end on a body. Limits them under load, as an explicit step would
/// overshoot. Tournier et al. 2015 treat the same stiffness implicitly.
void pv__direct_row_yield(const pv__body *b, pv__node_load load, pv__row_end *e);
/// Sets the levers and inverse masses of a joint row at the start of a substep.
void pv__direct_row_start(const pv_world *world, const struct pv__direct *d, pv__row *r, double h);
/// Returns the change of one row's error per unit of another row.
double pv__direct_row_coupling(const pv__row *error, const pv__row *gift);
/// Sets a joint row's right side. Returns the magnitude of its error [px], [rad].
double pv__direct_row_error(const pv_world *world, pv__row *r, double h);
/// Returns the sign of a joint's pushes: 0 for any, 1 for a push, -1 for a pull.
int pv__direct_row_sign(const pv__constraint *c);
/// Applies the solution of a joint's rows, from row i on. Returns the index after them.
int pv__direct_rows_give(pv_world *world, const struct pv__direct *d, int i);
/// Applies the pushes of the last substep again. From there, Newton steps converge to the loaded
/// configuration, not to another solution.
void pv__direct_rows_warm(pv_world *world, const struct pv__direct *d);
/// Sets the loads from the pushes of the last substep.
void pv__direct_rows_foresee(pv_world *world, const struct pv__direct *d);
/// Applies a push along a contact row [mass px].
void pv__direct_touch_row_give(pv_world *world, pv__row *r, double by);
/// Takes back all pushes of the substep.
void pv__direct_rows_take_back(pv_world *world, const struct pv__direct *d);
/// Tells whether any node's load is far above the load that it is stabilized for.
bool pv__direct_rows_are_overloaded(const struct pv__direct *d);
/// Damps the relative angular velocity of two bodies, if one is stabilized. Light links would
/// otherwise swing across their load.
void pv__direct_row_calm(pv_world *world, const pv__row *r);

/* direct_touch.c */
/// Lists per component the manifolds through which heavy bodies load light members, once per step.
void pv__direct_list_touches(pv_world *world, struct pv__direct *d);
/// Adds the contact rows of a component and starts them for the substep.
void pv__direct_add_touches(const pv_world *world, struct pv__direct *d);
/// Sets the levers and inverse masses of a contact row at the start of a substep.
void pv__direct_touch_row_start(const pv_world *world, const struct pv__direct *d, pv__row *r);
/// Sets a contact row's right side from the change of depth or sliding distance. Returns its
/// magnitude [px].
double pv__direct_touch_row_error(const pv_world *world, pv__row *r);
/// Applies the full friction where the contact slides.
void pv__direct_touch_row_rub(pv_world *world, pv__row *r);

/* direct_newton.c */
/// Tells whether the limit of work allows another Newton step.
bool pv__direct_has_work(const struct pv__direct *d);
/// Takes Newton steps until the error is gone or the work is used up. Returns the greatest
/// remaining error [px], [rad].
double pv__direct_converge(pv_world *world, struct pv__direct *d, double h);

/* direct_energy.c */
/// Lists the nodes of a component and of the bodies that load it.
void pv__direct_list_nodes(struct pv__direct *d);
/// Returns the rigid motion of a free component; zero for a component with a fixed end.
pv__motion pv__direct_common_motion(const pv_world *world, const struct pv__direct *d);
/// Returns twice the kinetic energy of the listed nodes relative to a common motion.
double pv__direct_energy_of(const pv_world *world, const struct pv__direct *d,
                            const pv__motion *common);
/// Returns twice the work of the component's driven ends in the substep.
double pv__direct_work_of(const pv_world *world, const struct pv__direct *d);
/// Returns twice the energy that the springs of a component have released in this substep; 0 or
/// more.
double pv__direct_released_of(const pv_world *world, const struct pv__direct *d);
/// Returns the power of gravity on the listed nodes, and of the forces on bodies among them.
double pv__direct_power_of(const pv_world *world, const struct pv__direct *d);
/// Slows a component until twice its kinetic energy is within a bound, or only its common motion is
/// left.
void pv__direct_limit_energy(pv_world *world, const struct pv__direct *d, double most);
/// Restores the position and momentum of a free component, as stabilized nodes move less than their
/// pushes require.
void pv__direct_keep_momentum(pv_world *world, const struct pv__direct *d, const pv__motion *had);

/// Solves the started joints of bodies together in a substep.
void pv__direct_solve(pv_world *world, double h, int substep);

#endif
