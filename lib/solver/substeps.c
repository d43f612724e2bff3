/* substeps.c - number of substeps of a group of islands.
 *
 * Invariant: a group takes the usual substeps, or a third as many of three times the length. All its islands
 * take the same ones, because an impact may join them.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "solver/substeps.h"
#include "core/pose.h"
#include "solver/contact_batch.h"
#include "solver/solver_body.h"

/// Least number of active bodies for long substeps
enum { BRISK_MEMBERS = 14 };
/// Greatest ratio of masses in an island with long substeps; light bodies under heavy ones need
/// many substeps
static const double EVEN_MASSES = 16;
/// Greatest length of a long substep [s]
static const double SUBSTEPS_LONGEST = 1.0 / 200;
/// Greatest displacement of a body in a long substep [px]: of one whose contour has all its pixels,
/// and of another one, which pixels would have to stop more often
static const double FARTHEST_EXACT = 8, FARTHEST = 2;
/// Least number of substeps of which a third may do
enum { FEWEST = 6 };

/// Returns the number of long substeps that take as much time as the usual ones. It is 0 if they
/// would be too long.
static int long_substeps(const pv_world *world, double h) {
    int count = world->substeps;
    if (count < FEWEST || pv__world_has_matter(world)) return 0;
    return h * count <= SUBSTEPS_LONGEST * (count / 3) ? count / 3 : 0;
}

/// Tells whether over half of the bodies of an island move so fast that none can come to rest, and
/// none carries load.
static bool is_brisk(const pv__solver_state *island) {
    return 2 * island->swift > island->members && !island->led &&
           island->lightest <= EVEN_MASSES * island->heaviest;
}

/// Tells whether a displacement in a long substep is short enough for a body.
static bool is_short_for(const pv__body *b, double way) {
    return way <= FARTHEST || (way <= FARTHEST_EXACT && pv__shape_is_exact(b->pixels->shape));
}

/// Tells whether all active bodies with a pair are in islands that take long substeps.
static bool all_are_brisk(const pv_world *world, double longer) {
    for (int i = 0; i < world->solver.active_count; i++) {
        int body = world->solver.active[i];
        const pv__solver_state *c = &world->solver.states[body + 1],
                               *island = pv__solver_body_island_of(world, body + 1);
        if (c->free) continue;
        if (!island || !is_brisk(island) ||
            !is_short_for(&world->bodies.items[body], c->rim_speed * longer))
            return false;
    }
    return true;
}

bool pv__substeps_lengthen(pv_world *world, double h) {
    int count = long_substeps(world, h), usual = world->substeps;
    if (count == 0 || world->broad_phase.held || !pv__solver_body_are_swift(world, BRISK_MEMBERS))
        return false;
    double longer = h * usual / count;
    if (!all_are_brisk(world, longer)) return false;
    pv__solver_body_set_flying(world, h, usual);
    for (int i = 0; i < world->solver.active_count; i++)
        pv__solver_body_lengthen(world, world->solver.active[i] + 1, longer);
    pv__batch_fit_springs(world, longer);
    world->solver.repack = true; /* with impulses of long substeps */
    world->solver.rested = false;
    world->substeps = count;
    return true;
}

void pv__substeps_end(pv_world *world, double h, int substeps) {
    if (world->h == h) return;
    pv__batch_fit_springs(world, h);
    world->solver.ordered = false; /* batches have the impulses of long substeps */
    world->substeps = substeps;
}
