/* tasks.c - stages of a step in chunks, which the workers of a world claim.
 *
 * Invariant: a result does not depend on the number of workers, or on who claims which chunk. A
 * chunk is claimed by a running thread, so nothing waits for a task that has not begun. A scheduler
 * may run tasks at once, late, or in any order.
 *
 * A cache line that two processors write alternately costs as much as a small chunk. So each worker
 * has a range of each level and claims from its own line. A helper stays for the stages that follow
 * soon, because a task of the scheduler costs more than such a stage.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/tasks.h"
#include "base/thread.h"
#include "core/body_bitmap.h"
#include "core/stage_timer.h"

/// A worker at shared stages; workers are numbered from 0, the thread that steps the world
typedef struct seat {
    /// Claim on the worker's range: number of the level, next chunk and end, see tasks_claim()
    pv__word claim;
    char apart[PV__OWN_LINES - sizeof(pv__word)];
    /// Number of chunks that the worker has finished since the world began
    pv__word finished;
    /// Job that the worker reads, or 0; and 1 while its task runs, or 0
    pv__word job, present;
    char behind[PV__OWN_LINES - 3 * sizeof(pv__word)];
} seat;

/// Stage that the workers are running
typedef struct tasks_job {
    pv_world *world;
    pv__stage_fn *run;
    void *stage;
    /// Chunks by level; null: all chunks are of one level and have grain items each
    const pv__chunk *chunks;
    int grain;
    pv__order order;
    /// Numbers of items and of chunks
    int count, chunk_count;
    /// Number of its first level, and number of chunks finished before it
    uint64_t level, finished;
} tasks_job;

/// Workers of a world
struct pv__crew {
    seat seats[PV_MAX_WORKERS];
    int count;
    /// True during a step, in which helpers stay
    bool stays;
    /// Handle of the task of the helpers, and true while they have one
    void *task;
    bool called;
    /// Numbers of the last job and the last level
    uint64_t last_job, last_level;
    char apart[PV__OWN_LINES];
    /// Number of the job in work; 0: none
    pv__word posted;
    tasks_job job;
    char behind[PV__OWN_LINES];
};

/// Number of a job that sends helpers away
#define TASKS_DISMISS UINT64_MAX
/// Rounds in which a helper waits for the next job, and in which a worker without work waits before
/// it takes over chunks
enum { TASKS_LINGER = 800, TASKS_POLITE = 32 };

/// Number of the worker in this thread, and true while the thread shares a stage of any world
static PV__THREAD_LOCAL int tasks_number;
static PV__THREAD_LOCAL bool tasks_shares;

pv__worker *pv__tasks_worker(const pv_world *world) { return &world->workers[tasks_number]; }

/* ---- chunks ---- */

/// Returns a chunk of a job.
static pv__chunk chunk(const tasks_job *job, int i) {
    if (job->chunks) return job->chunks[i];
    int first = i * job->grain, rest = job->count - first;
    return (pv__chunk){first, first + (rest < job->grain ? rest : job->grain), 0, job->chunk_count};
}

/// Returns the first chunk of a worker's range, counted within the level.
static int range(struct pv__crew *crew, int size, int number) {
    return (int)(((int64_t)size * number + crew->count - 1) / crew->count);
}

/// Level of a job
typedef struct tasks_level {
    uint64_t number;
    /// First chunk and number of chunks
    int first, size;
    /// Number of finished chunks before the level may begin, and at its end
    uint64_t begin, end;
} tasks_level;

enum { CLAIM_BITS = 8, CLAIM_MOST = (1 << CLAIM_BITS) - 1 };

/// Claims a chunk of a worker's range: the next one for its owner, the last one for another worker.
/// Returns the chunk's index in the level, or -1 if none is left.
static int tasks_claim(struct pv__crew *crew, const tasks_level *level, int number, bool own) {
    int first = range(crew, level->size, number),
        size = range(crew, level->size, number + 1) - first;
    pv__word *claim = &crew->seats[number].claim;
    uint64_t old = pv__word_read(claim);
    while (size > 0 && old >> (2 * CLAIM_BITS) <= level->number) {
        bool begun = old >> (2 * CLAIM_BITS) == level->number;
        int next = begun ? (int)(old >> CLAIM_BITS & CLAIM_MOST) : 0,
            end = begun ? (int)(old & CLAIM_MOST) : size;
        if (next == end) return -1;
        uint64_t rest = own ? (uint64_t)(next + 1) << CLAIM_BITS | (unsigned)end
                            : (uint64_t)next << CLAIM_BITS | (unsigned)(end - 1);
        if (pv__word_exchange(claim, &old, level->number << (2 * CLAIM_BITS) | rest))
            return first + (own ? next : end - 1);
    }
    return -1;
}

/* ---- a worker's part of a job ---- */

/// Tells whether all workers together have finished that number of chunks.
static bool have_finished(struct pv__crew *crew, uint64_t count) {
    uint64_t sum = 0;
    for (int i = 0; i < crew->count && sum < count; i++)
        sum += pv__word_read(&crew->seats[i].finished);
    return sum >= count;
}

static void await(struct pv__crew *crew, uint64_t count) {
    for (int round = 0; !have_finished(crew, count); round++) pv__pause(round);
}

static void run_chunk(const tasks_job *job, int i) {
    pv__chunk c = chunk(job, i);
    job->run(job->world, job->stage, c.first, c.end);
}

/// Runs chunks of a worker's range in a level, until none is left.
static void run_range(struct pv__crew *crew, const tasks_job *job, const tasks_level *level,
                      int number) {
    bool own = number == tasks_number;
    int done = 0;
    for (int i; (i = tasks_claim(crew, level, number, own)) >= 0; done++) {
        if (done == 0) await(crew, level->begin);
        run_chunk(job, level->first + i);
    }
    pv__word *finished = &crew->seats[tasks_number].finished;
    if (done > 0) pv__word_write(finished, pv__word_read(finished) + (uint64_t)done);
}

/// Runs chunks that other workers have not begun.
static void take_over(struct pv__crew *crew, const tasks_job *job, const tasks_level *level) {
    for (int i = 1; i < crew->count; i++)
        run_range(crew, job, level, (tasks_number + i) % crew->count);
}

/// Waits a moment for a number of chunks; returns whether they are finished.
static bool see_end(struct pv__crew *crew, uint64_t count) {
    for (int i = 0; i < TASKS_POLITE; i++) {
        if (have_finished(crew, count)) return true;
        pv__pause(0);
    }
    return false;
}

/// Work of a worker in a level
typedef void tasks_part(struct pv__crew *crew, const tasks_job *job, const tasks_level *level);

/// Runs a worker's own range of a level.
static void run_own(struct pv__crew *crew, const tasks_job *job, const tasks_level *level) {
    run_range(crew, job, level, tasks_number);
}

/// Runs a worker's own range, and takes over what others do not finish soon.
static void run_level(struct pv__crew *crew, const tasks_job *job, const tasks_level *level) {
    run_own(crew, job, level);
    if (!see_end(crew, level->end)) take_over(crew, job, level);
}

/// Calls a function for each level of a job.
static void each_level(struct pv__crew *crew, const tasks_job *job, tasks_part *part) {
    tasks_level level = {.number = job->level};
    for (int done = 0; done < job->chunk_count; done += level.size, level.number++) {
        pv__chunk c = chunk(job, job->order == PV__BACKWARD ? job->chunk_count - 1 - done : done);
        level.first = c.level_first;
        level.size = c.level_end - c.level_first;
        level.begin = job->order == PV__ANY_ORDER ? 0 : job->finished + (uint64_t)done;
        level.end = job->finished + (uint64_t)(done + level.size);
        part(crew, job, &level);
    }
}

static void tasks_work(struct pv__crew *crew, const tasks_job *job) {
    if (job->order != PV__ANY_ORDER) {
        each_level(crew, job, run_level);
        return;
    }
    each_level(crew, job, run_own);
    if (!see_end(crew, job->finished + (uint64_t)job->chunk_count))
        each_level(crew, job, take_over);
}

/* ---- helpers ---- */

/// Takes part in a job, unless it is over. It is not over while a worker reads it.
static void join(struct pv__crew *crew, uint64_t number) {
    pv__word *own = &crew->seats[tasks_number].job;
    pv__word_write_in_order(own, number);
    if (pv__word_read_in_order(&crew->posted) == number) tasks_work(crew, &crew->job);
    pv__word_write(own, 0);
}

/// Returns a job other than the last one, or TASKS_DISMISS once it has waited for long.
static uint64_t next_job(struct pv__crew *crew, uint64_t last) {
    for (int round = 0; round < TASKS_LINGER; round++) {
        uint64_t number = pv__word_read(&crew->posted);
        if (number != 0 && number != last) return number;
        pv__pause(round);
    }
    return TASKS_DISMISS;
}

/// Helps with the current job, and with jobs that follow soon. A thread with a step of its own goes
/// back to it after one job.
static void help_as(struct pv__crew *crew, int number) {
    int outer = tasks_number;
    uint64_t job = pv__word_read(&crew->posted);
    tasks_number = number;
    pv__word_write(&crew->seats[number].present, 1);
    if (job == 0 && !tasks_shares) job = next_job(crew, 0);
    while (job != 0 && job != TASKS_DISMISS) {
        join(crew, job);
        job = tasks_shares ? TASKS_DISMISS : next_job(crew, job);
    }
    pv__word_write(&crew->seats[number].present, 0);
    tasks_number = outer;
}

/// Task of the other workers.
static void help(void *context, int first, int end) {
    for (int i = first; i < end; i++) help_as(context, i + 1);
}

/* ---- jobs ---- */

static bool any_present(struct pv__crew *crew) {
    for (int i = 1; i < crew->count; i++)
        if (pv__word_read(&crew->seats[i].present)) return true;
    return false;
}

/// Sends the helpers away, and waits until their task is over.
static void dismiss(const pv_world_def *def, struct pv__crew *crew) {
    pv__word_write_in_order(&crew->posted, TASKS_DISMISS);
    if (crew->called && crew->task) def->finish_task(def->task_user_data, crew->task);
    crew->called = false;
    crew->task = NULL;
}

/// Posts a job; calls helpers if none is present.
static void post(struct pv__crew *crew, const tasks_job *job) {
    const pv_world_def *def = &job->world->def;
    if (crew->called && !any_present(crew)) dismiss(def, crew);
    crew->job = *job;
    crew->job.level = crew->last_level + 1;
    crew->last_level += (uint64_t)job->chunk_count;
    crew->job.finished = 0;
    for (int i = 0; i < crew->count; i++)
        crew->job.finished += pv__word_read(&crew->seats[i].finished);
    pv__word_write_in_order(&crew->posted, ++crew->last_job);
    if (!crew->called)
        crew->task = def->enqueue_task(def->task_user_data, help, crew, crew->count - 1);
    crew->called = true;
}

/// Ends a job, once all chunks are done and nobody reads it.
static void tasks_close(struct pv__crew *crew) {
    await(crew, crew->job.finished + (uint64_t)crew->job.chunk_count);
    pv__word_write_in_order(&crew->posted, 0);
    for (int i = 1; i < crew->count; i++)
        for (int round = 0; pv__word_read_in_order(&crew->seats[i].job); round++) pv__pause(round);
}

static void share(const tasks_job *job) {
    struct pv__crew *crew = job->world->crew;
    bool shares = tasks_shares;
    int outer = tasks_number;
    tasks_shares = true;
    tasks_number = 0;
    post(crew, job);
    tasks_work(crew, &crew->job);
    tasks_close(crew);
    if (!crew->stays) dismiss(&job->world->def, crew);
    tasks_number = outer;
    tasks_shares = shares;
}

void pv__tasks_begin(pv_world *world) {
    if (pv__tasks_are_shared(world)) world->crew->stays = true;
}

void pv__tasks_end(pv_world *world) {
    if (!pv__tasks_are_shared(world)) return;
    bool shares = tasks_shares;
    tasks_shares = true;
    dismiss(&world->def, world->crew);
    tasks_shares = shares;
    world->crew->stays = false;
}

/* ---- stages ---- */

/// Number of chunks for each worker, so that all finish at about the same time
static const int TASKS_SHARE = 8;

/// Returns the size of chunks: a multiple of grain, such that each worker gets a few.
static int chunk_size(const pv_world *world, int count, int grain) {
    int chunks = TASKS_SHARE * world->worker_count, grains = (count - 1) / grain + 1;
    return grain * ((grains - 1) / chunks + 1);
}

void pv__tasks_run(pv_world *world, int count, int grain, pv__stage_fn *run, void *stage) {
    if (count <= grain) {
        if (count > 0) run(world, stage, 0, count);
        return;
    }
    double begin = pv__timer_now();
    grain = chunk_size(world, count, grain);
    tasks_job job = {.world = world,
                     .run = run,
                     .stage = stage,
                     .count = count,
                     .chunk_count = (count - 1) / grain + 1,
                     .grain = grain};
    if (pv__tasks_are_shared(world))
        share(&job);
    else
        run(world, stage, 0, count);
    world->profile.shared += pv__timer_now() - begin;
}

/// Work of a runner as a stage
typedef struct tasks_errand {
    pv__part_fn *part;
    void *work;
} tasks_errand;

static void run_part(pv_world *world, void *stage, int first, int end) {
    const tasks_errand *errand = stage;
    (void)world;
    errand->part(errand->work, first, end);
}

static void run_parts(void *context, int count, int grain, pv__part_fn *part, void *work) {
    pv_world *world = context;
    tasks_errand errand = {part, work};
    double shared = world->profile.shared;
    pv__tasks_run(world, count, grain, run_part, &errand);
    world->profile.shared = shared; /* the profile is that of the last step */
}

pv__runner pv__tasks_runner(pv_world *world) { return (pv__runner){run_parts, world}; }

bool pv__tasks_run_levels(pv_world *world, const pv__chunk *chunks, int count, pv__order order,
                          pv__stage_fn *run, void *stage) {
    tasks_job job = {.world = world,
                     .run = run,
                     .stage = stage,
                     .chunks = chunks,
                     .order = order,
                     .chunk_count = count};
    if (!pv__tasks_are_shared(world)) return false;
    share(&job);
    return true;
}

/* ---- workers ---- */

bool pv__tasks_resize(pv_world *world, int worker_count) {
    const pv_allocator *allocator = &world->def.allocator;
    int count = PV__HAS_THREADS && worker_count > 1 ? worker_count : 1;
    struct pv__crew *crew = count > 1 ? pv__alloc(allocator, 1, sizeof *crew) : NULL;
    pv__worker *workers = pv__alloc(allocator, (size_t)count, sizeof *workers);
    if (!workers || (count > 1 && !crew)) {
        pv__free(allocator, crew, 1, sizeof *crew);
        pv__free(allocator, workers, (size_t)count, sizeof *workers);
        return false;
    }
    if (crew) crew->count = count;
    pv__tasks_free(world);
    world->crew = crew;
    world->workers = workers;
    world->worker_count = count;
    return true;
}

void pv__tasks_free(pv_world *world) {
    for (int i = 0; i < world->worker_count; i++) {
        pv__worker *w = &world->workers[i];
        for (int k = 0; k < 2; k++) pv__bitmap_free(world, &w->bitmaps[k]);
        PV__FREE(&world->def.allocator, w->near, w->near_capacity);
        PV__FREE(&world->def.allocator, w->pairs, w->pair_capacity);
    }
    pv__free(&world->def.allocator, world->workers, (size_t)world->worker_count,
             sizeof *world->workers);
    pv__free(&world->def.allocator, world->crew, 1, sizeof *world->crew);
    world->crew = NULL;
}
