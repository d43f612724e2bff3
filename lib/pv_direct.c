/* pv_direct.c - joints of bodies solved together in each substep.
 *
 * Invariant: a component is all constraints that reach each other by things that move. All of its errors vanish at once, so a
 * light chain bears a heavy load; what has a bound of its force is left to the sweeps.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_direct.h"

/// Times that a substep is solved anew, steadied more each time.
enum { ATTEMPTS = 6 };
/// Growth of all loads when no solution was found.
static const double STEADIER = 4;
/// Sweeps over a component that has no solution.
enum { SWEEPS = 4 };

/// Sweeps where no way was found that fits all places.
static void relax(pv_world *world, const struct pv__direct *d, const pv__component *c, double h) {
    pv__rows_take_back(world, d, c);
    for (int round = 0; round < SWEEPS; round++)
        for (int i = c->first; i < c->end; i++)
            if (pv__direct_is_first(d, c, i) && d->rows[i].lives)
                pv__relax_joint(world, &world->matter.constraints[d->rows[i].slot], h);
}

static void scale_loads(const struct pv__direct *d, const pv__component *c, double by) {
    for (int i = c->first_member; i < c->end_member; i++) d->loads[d->members[i]] *= by;
}

/// Solves a component, steadied for its last loads; again where it bears more or did not converge.
static bool solve_steadied(pv_world *world, struct pv__direct *d, const pv__component *c, double h) {
    double steadier = 1;
    pv__rows_foresee(world, d, c);
    for (int attempt = 0;; attempt++) {
        for (int i = c->first; i < c->end; i++) pv__row_start(world, d, &d->rows[i], h);
        for (int i = c->end; i < c->last; i++) pv__touch_row_start(world, d, &d->rows[i]);
        pv__rows_warm(world, d, c);
        bool solved = pv__direct_converge(world, d, c, h);
        pv__direct_set_loads(world, d, c);
        if ((solved && !pv__rows_are_overloaded(world, d, c)) || attempt == ATTEMPTS) return solved;
        if (!solved) steadier *= STEADIER;
        scale_loads(d, c, steadier);
        pv__rows_take_back(world, d, c);
    }
}

static void solve_component(pv_world *world, struct pv__direct *d, pv__component *c, double h) {
    pv__direct_set_touches(world, d, c);
    for (int i = c->end; i < c->last; i++) pv__touch_row_start(world, d, &d->rows[i]);
    const pv__motion none = {0};
    int count = pv__list_nodes(d, c);
    pv__motion had = pv__common_motion(world, d, c, count);
    double energy = pv__energy_of(world, d, count, &none);
    bool solved = solve_steadied(world, d, c, h);
    if (!solved) relax(world, d, c, h);
    for (int i = c->first; i < c->end; i++)
        if (pv__direct_is_first(d, c, i)) pv__row_calm(world, &d->rows[i]);
    bool steadied = pv__direct_is_steadied(world, d, c);
    if (steadied) pv__keep_momentum(world, d, c, &had);
    if (pv__direct_is_elastic(d, c)) return;
    pv__limit_energy(world, d, c, energy + pv__max(0, pv__work_of(world, d, c)));
}

void pv__solve_direct(pv_world *world, double h) {
    struct pv__direct *d = world->matter.direct;
    if (!d || d->component_count == 0) return;
    pv__direct_list_touches(world, d);
    for (int i = 0; i < d->component_count; i++) solve_component(world, d, &d->components[i], h);
}
