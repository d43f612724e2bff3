/* direct.c - solves connected joints of bodies together in each substep.
 *
 * Invariant: a component consists of all joints that movable bodies and particles connect. Its
 * errors vanish all at once, so a light chain can carry a heavy load. A component beyond its share
 * of the step's work is swept. Joints with a limited force are left to other sweeps.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "joint/direct.h"

#include <string.h>

/// Greatest number of repeated solutions of a substep, each with more stabilization
enum { ATTEMPTS = 6 };
/// Work on all components that a step allows per substep, about 2 ms [multiplications]. Components
/// share it by their rows, as contradicting joints would use up any amount.
static const int64_t WORK_PER_SUBSTEP = 2000000;
/// Number of substeps whose share of the work one substep may use, after a blow
enum { SHARES_AT_ONCE = 4 };
/// Factor on all loads after an attempt that found no solution
static const double STEADIER = 4;
/// Greatest error of a solution, and the greatest error that is still better than sweeps [px],
/// [rad]
static const double DIRECT_CLOSE = 0.1;
static const double FAIR = 0.5;
/// Greatest growth factor of kinetic energy in a substep. Chords of a rotation vary by this much,
/// which evens out later.
static const double MOST_GAIN = 1.00003;

/// Sweeps once over the joints of a component, or only over the eased ones.
static void sweep(pv_world *world, const struct pv__direct *d, double h, bool eased) {
    for (int i = 0; i < d->now.end; i++) {
        pv__constraint *k = &world->matter.constraints[d->rows[i].slot];
        if (pv__direct_is_first(d, i) && pv__slot_lives(&k->slot) && (!eased || k->grace > 0))
            pv__joint_relax(world, k, h);
    }
}

static void scale_loads(const struct pv__direct *d, double by) {
    for (int i = d->now.first_member; i < d->now.end_member; i++) {
        pv__node_load *load = &d->states[d->members[i]].load;
        load->shift *= by;
        load->turn *= by;
    }
}

/// Solves a component, stabilized for its last loads. Repeats it if a load turns out greater, or if
/// the steps do not converge.
static bool solve_steadied(pv_world *world, struct pv__direct *d, double h) {
    double steadier = 1;
    if (!d->now.exact || !pv__direct_has_work(d)) return false;
    pv__direct_rows_foresee(world, d);
    for (int attempt = 0;; attempt++) {
        for (int i = 0; i < d->now.end; i++) pv__direct_row_start(world, d, &d->rows[i], h);
        for (int i = d->now.end; i < d->now.last; i++)
            pv__direct_touch_row_start(world, d, &d->rows[i]);
        pv__direct_rows_warm(world, d);
        double error = pv__direct_converge(world, d, h);
        bool solved = error <= DIRECT_CLOSE;
        pv__direct_set_loads(world, d);
        if (solved && !pv__direct_rows_are_overloaded(d)) return true;
        if (attempt == ATTEMPTS || !pv__direct_has_work(d)) return error <= FAIR;
        if (!solved) steadier *= STEADIER;
        scale_loads(d, steadier);
        pv__direct_rows_take_back(world, d);
    }
}

/// Tells whether a component has a member that can move.
static bool is_awake(const pv_world *world, const struct pv__direct *d) {
    for (int i = d->now.first_member; i < d->now.end_member; i++)
        if (!pv__direct_is_body_node(d->members[i]) || pv__body_gives(world, d->members[i] / 2))
            return true;
    return false;
}

/// Copies the planned rows of a component to the solver's rows.
static void take_rows(const pv_world *world, const struct pv__direct *d, double h) {
    memcpy(d->rows, d->plan + d->now.first_plan, (size_t)d->now.end * sizeof *d->rows);
    for (int i = 0; i < d->now.end; i++) pv__direct_row_start(world, d, &d->rows[i], h);
}

/// Limits the energy of a component, as rigid joints do no work. Driven ends and gravity may do
/// work, and springs may release what they store.
static void keep_energy(pv_world *world, struct pv__direct *d, double energy, double power) {
    double fall = world->dt * (pv__direct_power_of(world, d) - power);
    double work = pv__max(0, pv__direct_work_of(world, d));
    double released = pv__direct_released_of(world, d);
    pv__direct_limit_energy(world, d, MOST_GAIN * energy + fall + work + released);
}

static void solve_component(pv_world *world, struct pv__direct *d, double h) {
    const pv__motion none = {0};
    if (d->now.exact) pv__direct_add_touches(world, d);
    pv__direct_list_nodes(d);
    pv__motion had = pv__direct_common_motion(world, d);
    double energy = pv__direct_energy_of(world, d, &none), power = pv__direct_power_of(world, d);
    sweep(world, d, h, true);
    bool solved = solve_steadied(world, d, h);
    if (!solved) pv__direct_rows_take_back(world, d);
    for (int i = 0; !solved && i < PV__DIRECT_ROUNDS; i++) sweep(world, d, h, false);
    for (int i = 0; i < d->now.end; i++)
        if (pv__direct_is_first(d, i)) pv__direct_row_calm(world, &d->rows[i]);
    if (!solved || pv__direct_is_steadied(world, d)) pv__direct_keep_momentum(world, d, &had);
    keep_energy(world, d, energy, power);
}

/// Returns the work that a substep may use.
static int64_t work_of_substep(const pv_world *world, struct pv__direct *d, int substep) {
    int rest = world->substeps - substep;
    if (substep == 0) d->left = WORK_PER_SUBSTEP * rest;
    return rest > SHARES_AT_ONCE ? SHARES_AT_ONCE * d->left / rest : d->left;
}

void pv__direct_solve(pv_world *world, double h, int substep) {
    struct pv__direct *d = world->matter.direct;
    if (!d || d->component_count == 0) return;
    int64_t work = work_of_substep(world, d, substep);
    int rows = d->plan_count;
    pv__direct_list_touches(world, d);
    for (int i = 0; i < d->component_count; i++) {
        d->now = d->components[i];
        d->work = 0;
        d->most_work = work * d->now.end / rows; /* What others left over is shared. */
        take_rows(world, d, h);
        if (is_awake(world, d))
            solve_component(world, d, h);
        else
            /* A sleeping component keeps its pushes. */
            pv__direct_rows_warm(world, d);
        work -= d->work;
        rows -= d->now.end;
        d->left -= d->work;
    }
}
