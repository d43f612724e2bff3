/* task_pool.c - threads that wait for tasks and handle their items.
 *
 * Invariant: an item is handled once, by a thread of the pool or by the one that finishes its task.
 * A thread without work watches for tasks for a short time, because the stages of a step follow
 * each other quickly. Then it sleeps.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/error.h"
#include "base/math.h"
#include "base/thread.h"
#include "pixverlet/tasks.h"

#ifdef PIXVERLET_NO_THREADS

struct pv_task_pool {
    int thread_count;
};

static bool start(pv_task_pool *pool, int workers) { return (void)pool, (void)workers, true; }
static void stop(pv_task_pool *pool) { (void)pool; }
static int count_processors(void) { return 1; }

static void *enqueue(void *user_data, pv_task_fn task, void *context, int count) {
    (void)user_data;
    task(context, 0, count);
    return NULL;
}

static void finish(void *user_data, void *handle) { (void)user_data, (void)handle; }

#else

#ifndef _WIN32
#include <unistd.h>
#endif

/// Rounds in which a thread watches for work before it sleeps
static const int POOL_WATCH = 4000;

typedef struct pool_task {
    /// Null while the place is free
    pv_task_fn run;
    void *context;
    /// Numbers of items, and of items that were taken
    int count, taken;
    /// Number of items that are done
    atomic_int done;
} pool_task;

struct pv_task_pool {
    pthread_mutex_t lock;
    /// Signals of new tasks, and of finished ones
    pthread_cond_t begun, ended;
    /// Tasks that may wait at a time; a task that finds no free place is done at once
    pool_task tasks[PV_MAX_WORKERS];
    /// Number of items that no thread has taken, for threads that watch without the lock
    atomic_int waiting;
    atomic_bool closing;
    int thread_count;
    pthread_t threads[PV_MAX_WORKERS];
};

static int count_processors(void) {
#ifdef _WIN32
    return pthread_num_processors_np();
#else
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
#endif
}

/// Handles one item of a task. Called with the lock, which it releases while the item runs.
static void run_item(pv_task_pool *pool, pool_task *t) {
    int item = t->taken++;
    pool->waiting--;
    pthread_mutex_unlock(&pool->lock);
    t->run(t->context, item, item + 1);
    pthread_mutex_lock(&pool->lock);
    if (++t->done == t->count) pthread_cond_broadcast(&pool->ended);
}

static pool_task *find_task(pv_task_pool *pool) {
    for (int i = 0; pool->waiting > 0 && i < PV_MAX_WORKERS; i++)
        if (pool->tasks[i].taken < pool->tasks[i].count) return &pool->tasks[i];
    return NULL;
}

/// Waits for a task: for a while awake and without the lock, then asleep.
static void pool_wait(pv_task_pool *pool) {
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < POOL_WATCH && pool->waiting == 0 && !pool->closing; i++) pv__pause(i);
    pthread_mutex_lock(&pool->lock);
    while (pool->waiting == 0 && !pool->closing) pthread_cond_wait(&pool->begun, &pool->lock);
}

static void *pool_main(void *argument) {
    pv_task_pool *pool = argument;
    pthread_mutex_lock(&pool->lock);
    while (!pool->closing) {
        pool_task *t = find_task(pool);
        if (t)
            run_item(pool, t);
        else
            pool_wait(pool);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void *enqueue(void *user_data, pv_task_fn task, void *context, int count) {
    pv_task_pool *pool = user_data;
    pool_task *t = NULL;
    pthread_mutex_lock(&pool->lock);
    for (int i = 0; !t && i < PV_MAX_WORKERS; i++)
        if (!pool->tasks[i].run) t = &pool->tasks[i];
    if (t) {
        t->run = task;
        t->context = context;
        t->count = count;
        t->taken = 0;
        t->done = 0;
        pool->waiting += count;
    }
    pthread_mutex_unlock(&pool->lock);
    if (t)
        pthread_cond_broadcast(&pool->begun);
    else
        task(context, 0, count);
    return t;
}

static void finish(void *user_data, void *handle) {
    pv_task_pool *pool = user_data;
    pool_task *t = handle;
    pthread_mutex_lock(&pool->lock);
    while (t->taken < t->count) run_item(pool, t);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < POOL_WATCH && t->done < t->count; i++) pv__pause(i);
    pthread_mutex_lock(&pool->lock);
    while (t->done < t->count) pthread_cond_wait(&pool->ended, &pool->lock);
    t->run = NULL;
    pthread_mutex_unlock(&pool->lock);
}

static void stop(pv_task_pool *pool) {
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->begun);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->thread_count; i++) pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->begun);
    pthread_cond_destroy(&pool->ended);
    pthread_mutex_destroy(&pool->lock);
}

static bool start(pv_task_pool *pool, int workers) {
    pool->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pool->begun = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    pool->ended = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    for (; pool->thread_count < workers - 1; pool->thread_count++)
        if (pthread_create(&pool->threads[pool->thread_count], NULL, pool_main, pool) != 0)
            return stop(pool), false;
    return true;
}

#endif

pv_task_pool *pv_task_pool_create(int workers, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    pv_allocator allocator = pv__allocator(NULL);
    if (!pv__check_range(e, "workers", workers, 0, PV_MAX_WORKERS)) return NULL;
    if (workers == 0) workers = (int)pv__clamp(count_processors(), 1, PV_MAX_WORKERS);
    pv_task_pool *pool = pv__alloc(&allocator, 1, sizeof *pool);
    if (pool && start(pool, workers)) return pool;
    pv__free(&allocator, pool, 1, sizeof *pool);
    pv__error_set(e, PV_ERROR_MEMORY);
    return NULL;
}

void pv_task_pool_destroy(pv_task_pool *pool) {
    pv_allocator allocator = pv__allocator(NULL);
    if (!pool) return;
    stop(pool);
    pv__free(&allocator, pool, 1, sizeof *pool);
}

pv_status pv_task_pool_attach(pv_task_pool *pool, pv_world_def *def) {
    if (!def) return PV_ERROR_ARGUMENT;
    def->worker_count = pool ? pool->thread_count + 1 : 1;
    def->enqueue_task = pool ? enqueue : NULL;
    def->finish_task = pool ? finish : NULL;
    def->task_user_data = pool;
    return PV_OK;
}
