/* substeps.c - number of substeps of a group of islands.
 *
 * Invariant: a group takes the usual substeps, or fewer and longer ones: at least a quarter as
 * many. All its islands take the same ones, because an impact may join them.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "solver/substeps.h"
#include "core/pose.h"
#include "solver/contact_batch.h"
#include "solver/solver_body.h"

/// Least number of active bodies for long substeps
enum { BRISK_MEMBERS = 14 };
/// Mean rim speed of an island above which it may take fewer than half the usual substeps, and
/// above which a heap takes half of them [px/s]. Slower heaps of small bodies boil.
static const double PACE = 18, PACE_HEAP = 0.5;
/// The same speeds as multiples of gravity's gain in a step. In long substeps, loads pass slowly
/// through many layers, and a tall pile swings. SWING: for each layer, as it swings by 0.08 gains a
/// layer. SWING_HEAP: for each layer above SWINGING in half the usual substeps, where it swings by
/// 0.03. GAIN_HEAP: for any heap; with 0, some boil at 4000 px/s^2.
static const double SWING = 0.07, SWING_HEAP = 0.06, SWINGING = 15, GAIN_HEAP = 0.1;
/// Least number of bodies in a layer of a heap
enum { WIDE = 8 };
/// Greatest ratio of masses in an island with long substeps; light bodies under heavy ones need
/// many substeps
static const double EVEN_MASSES = 16;
/// Greatest length of a long substep [s]
static const double SUBSTEPS_LONGEST = 1.0 / 200;
/// Greatest displacement in a long substep [px]: of a body whose contour has all its pixels, and of
/// any other, which pixels would have to stop more often
static const double FARTHEST_EXACT = 8, FARTHEST = 2;
/// Greatest sagitta of the path of a rim in a long substep [px]. Contacts foresee a turn as a
/// straight motion, which may hit a body that the turn misses.
static const double SAGITTA = 0.5;
/// Least number of usual substeps that may be lengthened, and greatest factor
enum { FEWEST = 6, LONGEST_FACTOR = 4 };

/// Returns the speed that gravity gains in a step [px/s].
static double gain_of(const pv_world *world, double h) {
    return pv__length(world->def.gravity) * h * world->substeps;
}

/// Returns the number of layers of an island: its height over the mean diameter of its bodies.
static double layers_of(const pv__solver_state *island) {
    return (island->bottom - island->top) * island->members / (2 * island->extents);
}

/// Returns the mean rim speed above which a heap takes half the usual substeps [px/s].
static double heap_pace(double gain, double layers) {
    return pv__max(PACE_HEAP, gain * pv__max(GAIN_HEAP, SWING_HEAP * (layers - SWINGING)));
}

/// Returns the share of the usual substeps that an island needs at its pace, where gravity gains a
/// speed in a step [px/s]. It needs all if it may come to rest, a kinematic body leads it, or light
/// bodies may carry heavy ones.
static double share_for(const pv__solver_state *island, double gain) {
    double layers = layers_of(island), pace = island->pace / island->members,
           calm = pv__max(PACE, SWING * layers * gain) / pace, share = pv__min(1, calm * calm);
    if (island->led || island->lightest > EVEN_MASSES * island->heaviest) return 1;
    bool heap = WIDE * layers <= island->members, moves = pace > heap_pace(gain, layers);
    return heap && moves ? pv__min(share, 0.5) : share;
}

/// Returns how many substeps a step of this length needs, so that a body moves no farther than long
/// substeps allow.
static double substeps_for(const pv_world *world, int body, double step) {
    pv__four v = world->solver.bodies[body + 1].motion;
    double farthest = world->solver.outlines[body + 1].exact ? FARTHEST_EXACT : FARTHEST;
    return step * (pv__length(pv__vec(v[0], v[1])) / farthest +
                   pv__abs(v[2]) * sqrt(v[3] / (2 * SAGITTA)));
}

/// Returns the number of long substeps that replace the usual ones. It is the usual number if the
/// island of a body with a pair needs that, or the body is too fast. An island's data are in its
/// lowest body.
static int long_substeps(const pv_world *world, double h) {
    int usual = world->substeps;
    double least = pv__max(usual / LONGEST_FACTOR, h * usual / SUBSTEPS_LONGEST),
           gain = gain_of(world, h);
    for (int i = 0; i < world->solver.active_count && least < usual; i++) {
        int body = world->solver.active[i];
        const pv__solver_state *c = &world->solver.states[body + 1];
        if (c->free) continue;
        if (c->island == 0) return usual;
        if (c->island == body + 1) least = pv__max(least, usual * share_for(c, gain));
        least = pv__max(least, substeps_for(world, body, h * usual));
    }
    return least < usual ? -(int)pv__floor(-least) : usual;
}

bool pv__substeps_lengthen(pv_world *world, double h) {
    int usual = world->substeps;
    if (usual < FEWEST || world->broad_phase.held || pv__world_has_matter(world) ||
        !pv__solver_body_measure_paces(world, BRISK_MEMBERS, heap_pace(gain_of(world, h), 0)))
        return false;
    int count = long_substeps(world, h);
    if (count == usual) return false;
    double longer = h * usual / count;
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
