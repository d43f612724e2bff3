/* test_threads.c - worlds in several threads that share masks, and queries in several threads.
 *
 * Invariant: a thread gets the same results as one alone, bit for bit. .ci/run looks for races.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 3, STEPS = 40, ASKED = 64 };

/// Data that all threads share
typedef struct shared {
    pv_mask *masks[3];
    /// World that all query; null: none
    pv_world *world;
} shared;

typedef struct job {
    const shared *all;
    int number;
    uint64_t result;
} job;

static void mix(uint64_t *h, uint64_t word) { *h = (*h ^ word) * UINT64_C(1099511628211); }

static shared open_shared(void) {
    shared s = {{disc_mask(9), box_mask(24, 10), box_mask(400, 12)}, NULL};
    ck_assert_int_eq(pv_mask_fill_rect(s.masks[1], (pv_rect){4, 0, 9, 5}, false), PV_OK);
    return s;
}

static void close_shared(shared *s) {
    pv_world_destroy(s->world);
    for (int i = 0; i < 3; i++) pv_mask_release(s->masks[i]);
}

static pv_body_id drop(pv_world *w, pv_mask *mask, double x, double y, pv_vec2 scale) {
    return put(w, pv_mask_retain(mask), x, y, WITH(pv_body_def_default(), it.scale = scale));
}

static pv_world *fill_world(const shared *s, int number) {
    pv_world *w =
        WORLD(it.contact_mode = number % 2 ? PV_CONTACT_MODE_PIXELS : PV_CONTACT_MODE_CONTOURS,
              it.substeps = 4);
    put(w, pv_mask_retain(s->masks[2]), 0, 60, of_type(PV_BODY_STATIC));
    for (int i = 0; i < 10; i++)
        drop(w, s->masks[i % 2], 30 * (i % 5) - 60, 30 - 25 * (i / 5) - number,
             (pv_vec2){i % 3 ? 1 : -1, i % 4 ? 1 : 1.5});
    return w;
}

/// Scales bodies and changes their masks, so that shared masks make forms for all worlds.
static void change(pv_world *w, const shared *s, int step) {
    pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0});
    for (int i = 0; i <= step % 10; i++) b = pv_world_get_next_body(w, b);
    if (step % 3 == 0)
        ck_assert_int_eq(
            pv_body_set_scale(w, b, (pv_vec2){step % 2 ? 1 : -1, 1 + step % 4 * 0.125}), PV_OK);
    else
        ck_assert_int_eq(pv_body_set_mask(w, b, s->masks[step % 2], (pv_vec2){0, 0}), PV_OK);
}

/// Creates, steps and destroys worlds.
static void *play(void *arg) {
    job *j = arg;
    j->result = 1;
    for (int round = 0; round < ROUNDS; round++) {
        scoped_world *w = fill_world(j->all, j->number + round);
        for (int i = 0; i < STEPS; i++) {
            change(w, j->all, i);
            step_well(w, 1 / 60.0);
        }
        mix(&j->result, pv_world_compute_hash(w));
    }
    return NULL;
}

/// Queries one world between its steps.
static void *ask(void *arg) {
    job *j = arg;
    const pv_world *w = j->all->world;
    j->result = 1;
    for (int i = 0; i < ASKED; i++) {
        pv_body_id found[16];
        pv_cast_hit hits[16];
        double x = 3 * (i + j->number) - 120;
        pv_placed placed = {j->all->masks[0], pv_transform_identity()};
        placed.transform.position = (pv_vec2){x, 20};
        placed.transform.rotation = pv_rotation_from_angle(0.1 * i);
        mix(&j->result, (uint64_t)pv_world_query_circle(w, (pv_vec2){x, 30}, 40, NULL, found, 16));
        mix(&j->result, (uint64_t)pv_world_query_mask(w, &placed, NULL, found, 16));
        int count = pv_world_cast_ray(w, (pv_vec2){x, -100}, (pv_vec2){-x, 100}, PV_CAST_ALL, NULL,
                                      hits, 16);
        for (int k = 0; k < count && k < 16; k++)
            mix(&j->result, (uint64_t)(hits[k].fraction * 1e12) + hits[k].body.index);
        mix(&j->result, pv_world_compute_hash(w));
        mix(&j->result, (uint64_t)pv_world_compute_overlap_area(w));
    }
    return NULL;
}

/// Runs all jobs at once, on masks that nothing used before.
static void run_jobs(const shared *s, void *(*work)(void *), job jobs[THREADS]) {
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){s, i, 0};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}

/// Runs a job alone, on masks of its own.
static uint64_t run_alone(void *(*work)(void *), int number) {
    shared s = open_shared();
    if (work == ask) s.world = fill_world(&s, 0);
    job j = {&s, number, 0};
    work(&j);
    close_shared(&s);
    return j.result;
}

static void compare(void *(*work)(void *)) {
    job jobs[THREADS];
    shared s = open_shared();
    if (work == ask) s.world = fill_world(&s, 0);
    run_jobs(&s, work, jobs);
    for (int i = 0; i < THREADS; i++) ck_assert_uint_eq(jobs[i].result, run_alone(work, i));
    close_shared(&s);
}

START_THREADED_TEST(worlds_that_share_masks_go_as_alone) { compare(play); }

START_THREADED_TEST(threads_ask_one_world_between_steps) {
    compare(ask);
    shared s = open_shared();
    s.world = fill_world(&s, 0);
    for (int i = 0; i < STEPS; i++) {
        job jobs[THREADS];
        uint64_t hash = pv_world_compute_hash(s.world);
        if (i % 10 == 0) run_jobs(&s, ask, jobs);
        ck_assert_uint_eq(pv_world_compute_hash(s.world), hash);
        step_well(s.world, 1 / 60.0);
    }
    close_shared(&s);
}

RUN_TESTS("threads")
