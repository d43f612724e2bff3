/* sweep.c - operations on all blocks of contacts, in chunks of batch levels.
 *
 * Invariant: blocks of one level share no movable body, so they may run at the same time. A chunk
 * waits for all lower levels. Two blocks that share a body have levels in the order of the sweep.
 * So the result is the one of a single thread.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "solver/sweep.h"
#include "core/stage_timer.h"

/// Number of blocks that are worth a chunk, and least number of blocks that are worth sharing
enum { SWEEP_GRAIN = 4, SWEEP_LEAST = 48 };

static int sweep_level(const pv_world *world, int i) {
    return world->solver.batches[world->solver.order[i]].level;
}

/* ---- late blocks: contacts that were added since the batches were packed ---- */

/// Returns the level of a late block after the earlier ones of its movable bodies.
static int late_level(pv_world *world, const pv__batch *k) {
    int level = 0;
    for (int l = 0; l < PV__LANES; l++) {
        int a = k->mass_a[l] > 0 ? world->solver.states[k->a[l]].turns : 0,
            b = k->mass_b[l] > 0 ? world->solver.states[k->b[l]].turns : 0;
        if (a > level) level = a;
        if (b > level) level = b;
    }
    for (int l = 0; l < PV__LANES; l++) {
        if (k->mass_a[l] > 0) world->solver.states[k->a[l]].turns = level + 1;
        if (k->mass_b[l] > 0) world->solver.states[k->b[l]].turns = level + 1;
    }
    return level;
}

/// Sets the levels of the late blocks, and returns their number of levels.
static int level_late(pv_world *world, int first) {
    int levels = 0, count = world->solver.sweep_count;
    const int *sweep = world->solver.sweep;
    for (int i = first; i < count; i++) {
        const pv__batch *k = &world->solver.batches[sweep[i]];
        for (int l = 0; l < PV__LANES; l++) {
            if (k->mass_a[l] > 0) world->solver.states[k->a[l]].turns = 0;
            if (k->mass_b[l] > 0) world->solver.states[k->b[l]].turns = 0;
        }
    }
    for (int i = first; i < count; i++) {
        pv__batch *k = &world->solver.batches[sweep[i]];
        int level = late_level(world, k);
        k->level = world->solver.ordered_count + level;
        if (level >= levels) levels = level + 1;
    }
    return levels;
}

/// Orders the blocks by level.
static void sweep_sort(pv_world *world) {
    int count = world->solver.sweep_count, first = 0;
    const int *sweep = world->solver.sweep;
    for (; first < count && sweep[first] < world->solver.ordered_count; first++)
        world->solver.order[first] = sweep[first];
    int levels = level_late(world, first), end = first;
    for (int level = 0; level < levels; level++)
        for (int i = first; i < count; i++)
            if (world->solver.batches[sweep[i]].level == world->solver.ordered_count + level)
                world->solver.order[end++] = sweep[i];
}

/* ---- chunks ---- */

/// Returns the end of the run of blocks of one level that begins at a place of the order.
static int sweep_level_end(const pv_world *world, int first) {
    int end = first + 1, level = sweep_level(world, first);
    while (end < world->solver.sweep_count && sweep_level(world, end) == level) end++;
    return end;
}

/// Cuts a level into chunks.
static void cut_level(pv_world *world, int first, int end) {
    int size = pv__tasks_chunk_of(world, end - first, SWEEP_GRAIN),
        count = (end - first - 1) / size + 1, own = world->solver.chunk_count;
    for (int i = first; i < end; i += size)
        world->solver.chunks[world->solver.chunk_count++] =
            (pv__chunk){i, i + size < end ? i + size : end, own, own + count};
}

/// Cuts the sweep into chunks: parts of large levels, and runs of small levels.
static bool sweep_cut_levels(pv_world *world) {
    int count = world->solver.sweep_count, run = 0;
    if (world->solver.chunked) return true;
    if (!pv__reserve(&world->def.allocator, &world->solver.chunks, &world->solver.chunk_capacity,
                     count + 1, sizeof(pv__chunk)) ||
        !pv__reserve(&world->def.allocator, &world->solver.order, &world->solver.order_capacity,
                     count, sizeof(int)))
        return false; /* one thread needs no chunks */
    sweep_sort(world);
    world->solver.chunk_count = 0;
    for (int i = 0, end; i < count; i = end) {
        end = sweep_level_end(world, i);
        bool large = end - i >= 2 * SWEEP_GRAIN;
        int small_end = large ? i : end, own = world->solver.chunk_count;
        if ((large || end == count) && run < small_end)
            world->solver.chunks[world->solver.chunk_count++] =
                (pv__chunk){run, small_end, own, own + 1};
        if (large) cut_level(world, i, end);
        if (large) run = end;
    }
    world->solver.chunked = true;
    return true;
}

/// Runs an operation by several workers; returns false, with nothing done, if one has to do it.
static bool sweep_share(pv_world *world, bool back, pv__stage_fn *run, void *stage) {
    if (!pv__tasks_are_shared(world) || !sweep_cut_levels(world)) return false;
    world->solver.blocks = world->solver.order;
    return pv__tasks_run_levels(world, world->solver.chunks, world->solver.chunk_count, back, run,
                                stage);
}

void pv__sweep_in_order(pv_world *world, bool back, pv__stage_fn *run, void *stage) {
    int count = world->solver.sweep_count;
    bool large = count >= SWEEP_LEAST;
    double begin = large ? pv__timer_now() : 0;
    if (!large || !sweep_share(world, back, run, stage)) {
        world->solver.blocks = world->solver.sweep;
        run(world, stage, 0, count);
    }
    if (large) world->profile.shared += pv__timer_now() - begin;
}

void pv__sweep_each(pv_world *world, pv__stage_fn *run, void *stage) {
    world->solver.blocks = world->solver.sweep;
    pv__tasks_run(world, world->solver.sweep_count, SWEEP_LEAST / 2, run, stage);
}
