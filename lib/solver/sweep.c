/* sweep.c - operations on all batches of contacts, in chunks of batch levels.
 *
 * Invariant: chunks of one level share no movable body, so they may run at the same time. A chunk
 * waits for all lower levels, and runs in the order of the sweep. Two batches that share a body are
 * in one chunk, or in levels of that order. So the result equals that of a single thread.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "solver/sweep.h"
#include "core/stage_timer.h"
#include "solver/strips.h"

/// Number of batches that are worth a chunk, least number of batches that are worth sharing, and
/// greatest number of chunks of a worker in a level
enum { SWEEP_GRAIN = 4, SWEEP_LEAST = 48, SWEEP_EACH = 8 };

/* ---- order: levels, and the strips in a level ---- */

/// Tells whether a place of the sweep has a batch of a level.
static bool sweep_has(const pv_world *world, int i, int level) {
    return i < world->solver.sweep_count &&
           world->solver.batches[world->solver.sweep[i]].level == level;
}

/// Returns the end of the batches of one level that begin at a place of the sweep.
static int sweep_level_end(const pv_world *world, int first) {
    int end = first, level = world->solver.batches[world->solver.sweep[first]].level;
    while (sweep_has(world, end, level)) end++;
    return end;
}

/// Returns the strip of a batch's first movable body.
static int strip_of(const pv_world *world, int batch) {
    const pv__batch *k = &world->solver.batches[batch];
    for (int l = 0; l < PV__LANES; l++) {
        if (pv__batch_has(k->moves_a, l)) return world->solver.states[k->a[l]].strip;
        if (pv__batch_has(k->moves_b, l)) return world->solver.states[k->b[l]].strip;
    }
    return 0;
}

/// Orders the batches of a level by strip: merges those of one point with those of two.
static void merge_level(pv_world *world, int first, int end) {
    const int *sweep = world->solver.sweep;
    int one = first, two = first;
    while (two < end && world->solver.batches[sweep[two]].points == 1) two++;
    for (int at = first, ones = two; at < end; at++) {
        bool takes_one = one < ones &&
                         (two == end || strip_of(world, sweep[one]) <= strip_of(world, sweep[two]));
        world->solver.order[at] = takes_one ? sweep[one++] : sweep[two++];
    }
}

/* ---- chunks ---- */

/// Strips of the workers
typedef struct sweep_parts {
    /// False if strips would give a worker more than one and a half times its share
    bool even;
    /// End of the strips of each worker
    int end[PV_MAX_WORKERS];
} sweep_parts;

/// Divides the strips of packed batches among the workers. A worker has the same strips in all
/// levels, so bodies and batches stay in its cache.
static sweep_parts divide_strips(const pv_world *world, int count) {
    sweep_parts parts = {.even = true};
    int batches[PV__STRIPS] = {0}, strip = 0, sum = 0, workers = world->worker_count;
    for (int i = 0; i < count; i++) batches[strip_of(world, world->solver.sweep[i])]++;
    for (int w = 0; w < workers; w++) {
        int before = sum, share = (int)((int64_t)count * (w + 1) / workers);
        while (strip < PV__STRIPS && (w + 1 == workers || sum + batches[strip] / 2 < share))
            sum += batches[strip++];
        parts.end[w] = strip;
        parts.even &= 2 * (sum - before) <= 3 * (count / workers + 1);
    }
    return parts;
}

/// Returns the end of a worker's batches in a level.
static int part_end(const pv_world *world, const sweep_parts *parts, int worker, int first,
                    int end) {
    int low = first, high = end;
    if (!parts->even)
        return first + (int)((int64_t)(end - first) * (worker + 1) / world->worker_count);
    while (low < high) {
        int at = low + (high - low) / 2;
        if (strip_of(world, world->solver.order[at]) < parts->end[worker])
            low = at + 1;
        else
            high = at;
    }
    return low;
}

/// Cuts batches into chunks of equal size, which are a part of a level.
static void cut_equally(pv_world *world, int first, int size, int count, pv__chunk level) {
    for (int i = 0; i < count; i++)
        world->solver.chunks[world->solver.chunk_count++] =
            (pv__chunk){first + size * i / count, first + size * (i + 1) / count, level.level_first,
                        level.level_end};
}

/// Cuts a level into chunks: equally many for each worker, or a few if it is small.
static void cut_level(pv_world *world, const sweep_parts *parts, int first, int end) {
    int workers = world->worker_count, own = world->solver.chunk_count,
        grains = (end - first) / SWEEP_GRAIN;
    int each = grains / workers < SWEEP_EACH ? grains / workers : SWEEP_EACH;
    pv__chunk level = {.level_first = own, .level_end = own + (each > 0 ? workers * each : grains)};
    if (each == 0) cut_equally(world, first, end - first, grains, level);
    for (int w = 0, begin = first; each > 0 && w < workers; w++) {
        int size = part_end(world, parts, w, first, end) - begin;
        cut_equally(world, begin, size, each, level);
        begin += size;
    }
}

/// Cuts packed batches into chunks: parts of large levels, and runs of small levels.
static void cut_packed(pv_world *world, int count) {
    sweep_parts parts = divide_strips(world, count);
    int run = 0;
    for (int i = 0, end; i < count; i = end) {
        end = sweep_level_end(world, i);
        merge_level(world, i, end);
        bool large = end - i >= 2 * SWEEP_GRAIN;
        int small_end = large ? i : end, own = world->solver.chunk_count;
        if ((large || end == count) && run < small_end)
            world->solver.chunks[world->solver.chunk_count++] =
                (pv__chunk){run, small_end, own, own + 1};
        if (large) cut_level(world, &parts, i, end);
        if (large) run = end;
    }
}

/// Cuts late batches into one chunk for each kind, even if it is empty. The kinds of a phase make
/// up a level of chunks.
static void cut_late(pv_world *world, int first) {
    int begin = world->solver.chunk_count, end = first;
    for (int phase = 0; phase < PV__ZONE_PHASES; phase++)
        for (int kind = pv__strips_phases[phase]; kind < pv__strips_phases[phase + 1]; kind++) {
            for (; sweep_has(world, end, world->solver.ordered_count + kind); end++)
                world->solver.order[end] = world->solver.sweep[end];
            world->solver.chunks[world->solver.chunk_count++] = (pv__chunk){
                first, end, begin + pv__strips_phases[phase], begin + pv__strips_phases[phase + 1]};
            first = end;
        }
}

/// Orders the sweep and cuts it into chunks; returns false without memory.
static bool cut_levels(pv_world *world) {
    int count = world->solver.sweep_count, packed = 0;
    if (world->solver.chunked) return true;
    if (!PV__RESERVE(&world->def.allocator, world->solver.chunks, world->solver.chunk_capacity,
                     count + PV__ZONE_KINDS) ||
        !PV__RESERVE(&world->def.allocator, world->solver.order, world->solver.order_capacity,
                     count))
        return false; /* one thread needs no chunks */
    while (packed < count && world->solver.sweep[packed] < world->solver.ordered_count) packed++;
    world->solver.chunk_count = 0;
    cut_packed(world, packed);
    if (packed < count) cut_late(world, packed);
    world->solver.chunked = true;
    return true;
}

/// Shares an operation among workers. If one thread has to do it, does nothing and returns false.
static bool sweep_share(pv_world *world, pv__order order, pv__stage_fn *run, void *stage) {
    if (!pv__tasks_are_shared(world) || !cut_levels(world)) return false;
    world->solver.listed = world->solver.order;
    return pv__tasks_run_levels(world, world->solver.chunks, world->solver.chunk_count, order, run,
                                stage);
}

void pv__sweep_run(pv_world *world, pv__order order, pv__stage_fn *run, void *stage) {
    int count = world->solver.sweep_count;
    bool large = count >= SWEEP_LEAST;
    if (count == 0) return;
    double begin = large ? pv__timer_now() : 0;
    if (!large || !sweep_share(world, order, run, stage)) {
        world->solver.listed = world->solver.sweep;
        run(world, stage, 0, count);
    }
    if (large) world->profile.shared += pv__timer_now() - begin;
}
