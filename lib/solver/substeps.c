/* substeps.c - number of substeps per island.
 *
 * Invariant: after the first substep, an island takes the usual substeps, or half as many of twice
 * the length. Islands of one kind go through the step together; two islands share no pair, so their
 * order has no effect. A body that an impact moves into an island of the other kind is immovable
 * there.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "solver/substeps.h"
#include "collide/narrow_phase.h"
#include "core/pose.h"
#include "solver/contact_batch.h"
#include "solver/solver_body.h"

/// Least number of bodies of an island with long substeps; over half of them are fast
enum { BRISK_MEMBERS = 14 };
/// Greatest ratio of masses in an island with long substeps; light bodies under heavy ones need
/// many substeps
static const double EVEN_MASSES = 16;
/// Greatest length of a long substep [s], and greatest displacement of the island's fastest body in
/// one [px]. Harder impacts need more substeps.
static const double SUBSTEPS_LONGEST = 1.0 / 400, SUBSTEPS_FARTHEST = 2;
/// Least number of substeps that may be halved
enum { FEWEST = 6 };

/// Returns the number of long substeps that take as much time as the usual ones after the first. It
/// is 0 if they would be too long.
static int long_substeps(const pv_world *world, double h) {
    int count = world->substeps - 1;
    if (count < FEWEST || pv__world_has_matter(world)) return 0;
    return h * count <= SUBSTEPS_LONGEST * (count / 2) ? count / 2 : 0;
}

/// Returns the length of long substeps, for their number [s].
static double longer_than(const pv_world *world, double h, int count) {
    return count > 0 ? h * (world->substeps - 1) / count : 0;
}

/// Tells whether the bodies of an island move so fast that none can come to rest, and none carries
/// load.
static bool is_brisk(const pv__solver_state *island, double longer) {
    return island->fastest * longer <= SUBSTEPS_FARTHEST && island->members >= BRISK_MEMBERS &&
           2 * island->swift > island->members && !island->led &&
           island->lightest <= EVEN_MASSES * island->heaviest;
}

void pv__substeps_choose_paces(pv_world *world, double h) {
    int count = long_substeps(world, h), brisk = 0;
    double longer = longer_than(world, h, count);
    for (int i = 0; i < world->solver.active_count; i++) {
        int k = world->solver.active[i] + 1;
        const pv__solver_state *island = pv__solver_body_island_of(world, k);
        world->solver.states[k].pace =
            count > 0 && island && is_brisk(island, longer) ? PV__BRISK : PV__USUAL;
        brisk += world->solver.states[k].pace == PV__BRISK;
    }
    world->solver.paced[PV__BRISK] = brisk;
    world->solver.paced[PV__USUAL] = world->solver.active_count - brisk;
}

bool pv__substeps_has_pace(const pv_world *world, pv__pace pace) {
    return world->solver.paced[pace] > 0 ||
           (pace == PV__USUAL && world->solver.paced[PV__BRISK] == 0);
}

/// Makes all bodies except the ones of a kind inactive in the following substeps.
static void single_out(pv_world *world, pv__pace pace) {
    world->solver.active_count = 0;
    for (int i = 0; i < world->solver.member_count; i++) {
        pv__solver_state *c = &world->solver.states[world->solver.members[i] + 1];
        if (c->pace == PV__NO_PACE) continue;
        c->quiet = c->pace != pace;
        if (!c->quiet && !c->flying)
            world->solver.active[world->solver.active_count++] = world->solver.members[i];
    }
}

/// Selects the bodies of the first kind; the blocks are still the ones of the first substep.
static void single_out_first(pv_world *world) {
    single_out(world, PV__BRISK);
    if (!pv__narrow_phase_schedule_all(world)) world->out_of_memory = true;
    pv__narrow_phase_keep_active(world);
    pv__batch_narrow_sweep(world);
}

/// Selects the bodies of the other kind, whose pairs and blocks were left out meanwhile.
static void single_out_others(pv_world *world) {
    single_out(world, PV__USUAL);
    if (!pv__narrow_phase_schedule_all(world)) world->out_of_memory = true;
    pv__narrow_phase_keep_active(world);
    pv__batch_unpack(world);
    pv__batch_pack(world);
}

/// Sets the gain of a body to a long substep's. The velocity of a chord belongs to its middle, so
/// the first one gains less. A body with load had its velocity for the whole substep.
static void substeps_lengthen(pv_world *world, int k, double h) {
    pv__solver_state *c = &world->solver.states[k];
    double by = h / c->h;
    if (!c->pressed) world->solver.bodies[k].motion -= c->gain * (0.5 * (by - 1));
    c->gain *= by;
    c->h = h;
}

double pv__substeps_begin_pace(pv_world *world, pv__pace pace, double h) {
    bool mixed = world->solver.paced[PV__BRISK] > 0 && world->solver.paced[PV__USUAL] > 0;
    if (mixed && pace == PV__BRISK) single_out_first(world);
    if (mixed && pace == PV__USUAL) single_out_others(world);
    if (pace == PV__USUAL) return h;
    int count = long_substeps(world, h);
    double longer = longer_than(world, h, count);
    for (int i = 0; i < world->solver.active_count; i++)
        substeps_lengthen(world, world->solver.active[i] + 1, longer);
    pv__narrow_phase_pace(world, count);
    pv__batch_pace(world, longer);
    world->substeps = 1 + count;
    return longer;
}

void pv__substeps_end_pace(pv_world *world, double h, int substeps) {
    if (world->h != h) pv__batch_pace(world, h);
    world->substeps = substeps;
}
