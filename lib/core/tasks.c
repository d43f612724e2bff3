/* tasks.c - stages of a step in chunks, which the workers of a world claim one after the other.
 *
 * Invariant: a result does not depend on the number of workers, or on who claims which chunk. A
 * chunk is claimed by a running thread, so nothing waits for a task that has not begun. A scheduler
 * may run tasks at once, late, or in any order.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/tasks.h"
#include "base/thread.h"
#include "core/body_bitmap.h"
#include "core/stage_timer.h"

/// Stage in work; workers are numbered from 0, the thread that steps the world
typedef struct tasks_job {
    pv_world *world;
    pv__stage_fn *run;
    void *stage;
    /// Chunks by level, or null: chunks of one level with that number of items
    const pv__chunk *chunks;
    int grain;
    /// True to run the levels from the last to the first one
    bool back;
    /// Numbers of items and of chunks
    int count, chunk_count;
    /// Number of finished chunks
    pv__counter finished;
} tasks_job;

/// Number of the worker in this thread
static PV__THREAD_LOCAL int tasks_number;

pv__worker *pv__tasks_worker(const pv_world *world) { return &world->workers[tasks_number]; }

/// Returns a chunk of a job.
static pv__chunk tasks_chunk(const tasks_job *job, int i) {
    if (job->chunks) return job->chunks[i];
    int first = i * job->grain, rest = job->count - first;
    return (pv__chunk){first, first + (rest < job->grain ? rest : job->grain), 0, job->chunk_count};
}

/// Waits until all chunks are done before a chunk's level.
static void tasks_await(tasks_job *job, const pv__chunk *c) {
    int before = job->back ? job->chunk_count - c->level_end : c->level_first;
    for (int round = 0; pv__counter_read(&job->finished) < before; round++) pv__pause(round);
}

/// Claims the unclaimed chunks of a level, and runs them. Each worker begins at its own place, so
/// that it gets the same items in most stages, which its processor still holds.
static void tasks_run_level(tasks_job *job, int number, const pv__chunk *level) {
    int size = level->level_end - level->level_first,
        begin = (int)((int64_t)size * number / job->world->worker_count);
    for (int i = 0; i < size; i++) {
        int k = level->level_first + (begin + i) % size;
        if (!pv__stamp_set(&job->world->claims[k], job->world->stage_number)) continue;
        pv__chunk c = tasks_chunk(job, k);
        tasks_await(job, &c);
        job->run(job->world, job->stage, c.first, c.end);
        pv__counter_add(&job->finished);
    }
}

static void tasks_work(tasks_job *job, int number) {
    int outer = tasks_number;
    tasks_number = number;
    for (int done = 0; done < job->chunk_count;) {
        pv__chunk c = tasks_chunk(job, job->back ? job->chunk_count - 1 - done : done);
        tasks_run_level(job, number, &c);
        done += c.level_end - c.level_first;
    }
    tasks_number = outer;
}

/// Task of the other workers.
static void tasks_help(void *context, int first, int end) {
    for (int i = first; i < end; i++) tasks_work(context, i + 1);
}

static void tasks_share(tasks_job *job) {
    const pv_world_def *def = &job->world->def;
    int helpers = (job->chunk_count < def->worker_count ? job->chunk_count : def->worker_count) - 1;
    void *handle = NULL;
    job->world->stage_number++;
    if (helpers > 0) handle = def->enqueue_task(def->task_user_data, tasks_help, job, helpers);
    tasks_work(job, 0);
    if (handle) def->finish_task(def->task_user_data, handle);
}

static void tasks_free_claims(pv_world *world) {
    pv__free(&world->def.allocator, world->claims, (size_t)world->claim_capacity,
             sizeof(pv__stamp));
    world->claims = NULL;
    world->claim_capacity = 0;
}

/// Makes room for the claims of chunks; none is claimed in new room.
static bool tasks_reserve_claims(pv_world *world, int chunk_count) {
    if (chunk_count <= world->claim_capacity) return true;
    tasks_free_claims(world);
    world->claims = pv__alloc(&world->def.allocator, 2 * (size_t)chunk_count, sizeof(pv__stamp));
    if (world->claims) world->claim_capacity = 2 * chunk_count;
    return world->claims;
}

/// Tells whether the workers of a world may share that number of chunks; false without memory.
static bool tasks_are_ready(pv_world *world, int chunk_count) {
    return pv__tasks_are_shared(world) && tasks_reserve_claims(world, chunk_count);
}

/// Number of chunks for each worker, so that all finish at about the same time
static const int TASKS_SHARE = 8;

int pv__tasks_chunk_of(const pv_world *world, int count, int grain) {
    int chunks = TASKS_SHARE * world->worker_count, grains = (count - 1) / grain + 1;
    return grain * ((grains - 1) / chunks + 1);
}

void pv__tasks_run(pv_world *world, int count, int grain, pv__stage_fn *run, void *stage) {
    if (count <= grain) {
        if (count > 0) run(world, stage, 0, count);
        return;
    }
    double begin = pv__timer_now();
    grain = pv__tasks_chunk_of(world, count, grain);
    tasks_job job = {.world = world,
                     .run = run,
                     .stage = stage,
                     .count = count,
                     .chunk_count = (count - 1) / grain + 1,
                     .grain = grain};
    if (tasks_are_ready(world, job.chunk_count))
        tasks_share(&job);
    else
        run(world, stage, 0, count);
    world->profile.shared += pv__timer_now() - begin;
}

bool pv__tasks_run_levels(pv_world *world, const pv__chunk *chunks, int count, bool back,
                          pv__stage_fn *run, void *stage) {
    tasks_job job = {.world = world,
                     .run = run,
                     .stage = stage,
                     .chunks = chunks,
                     .back = back,
                     .chunk_count = count};
    if (!tasks_are_ready(world, count)) return false;
    tasks_share(&job);
    return true;
}

bool pv__tasks_resize(pv_world *world, int worker_count) {
    int count = worker_count > 1 ? worker_count : 1;
    pv__worker *workers = pv__alloc(&world->def.allocator, (size_t)count, sizeof *workers);
    if (!workers) return false;
    pv__tasks_free(world);
    world->workers = workers;
    world->worker_count = count;
    return true;
}

void pv__tasks_free(pv_world *world) {
    for (int i = 0; i < world->worker_count; i++) {
        pv__worker *w = &world->workers[i];
        for (int k = 0; k < 2; k++) pv__bitmap_free(world, &w->bitmaps[k]);
        pv__free(&world->def.allocator, w->near, (size_t)w->near_capacity, sizeof *w->near);
        pv__free(&world->def.allocator, w->pairs, (size_t)w->pair_capacity, sizeof *w->pairs);
    }
    pv__free(&world->def.allocator, world->workers, (size_t)world->worker_count,
             sizeof *world->workers);
    tasks_free_claims(world);
}
