/* sweep.c - operations on all blocks of contacts, in chunks of batch levels.
 *
 * Invariant: blocks of one level share no movable body, so they may run at the same time. A chunk
 * waits for all lower levels. So the result is the one of a single thread.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "solver/sweep.h"
#include "solver/contact_batch.h"

/// Number of blocks that are worth a chunk, and least number of blocks that are worth sharing
enum { SWEEP_GRAIN = 4, SWEEP_LEAST = 48 };

static int sweep_level(const pv_world *world, int i) {
    return world->solver.batches[world->solver.sweep[i]].level;
}

/// Returns the end of the run of blocks of one level that begins at a place of the sweep.
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
static bool sweep_cut(pv_world *world) {
    int count = world->solver.sweep_count, run = 0;
    if (world->solver.chunked) return true;
    if (!pv__reserve(&world->def.allocator, &world->solver.chunks, &world->solver.chunk_capacity,
                     count + 1, sizeof(pv__chunk)))
        return false; /* one thread needs no chunks */
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

void pv__sweep_in_order(pv_world *world, bool back, pv__stage_fn *run, void *stage) {
    int count = world->solver.sweep_count;
    if (!pv__tasks_are_shared(world) || count < SWEEP_LEAST || !sweep_cut(world))
        run(world, stage, 0, count);
    else
        pv__tasks_run_levels(world, world->solver.chunks, world->solver.chunk_count, back, run,
                             stage);
}

void pv__sweep_each(pv_world *world, pv__stage_fn *run, void *stage) {
    pv__tasks_run(world, world->solver.sweep_count, SWEEP_LEAST / 2, run, stage);
}
