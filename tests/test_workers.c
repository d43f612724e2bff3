/* test_workers.c - any number of threads, and any order of tasks, gives the results of one.
 *
 * Invariant: the worlds of a test start alike and get the same calls. Their hashes are compared.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include "shape/distance_field.h"
#include "stage/scene.h"
#include "stage/stage.h"

/* ---- a scheduler of one thread that runs items in a random order ---- */

typedef struct shuffler {
    uint64_t dice;
    /// Number of tasks, to check that there were any
    long tasks;
    /// Task to run when it is finished; null: none
    pv_task_fn task;
    void *context;
    int count;
} shuffler;

static int shuffler_roll(shuffler *s, int most) {
    s->dice = s->dice * 6364136223846793005u + 1442695040888963407u;
    return (int)((s->dice >> 33) % (uint64_t)most);
}

static void shuffler_run(shuffler *s, pv_task_fn task, void *context, int count) {
    int order[PV_MAX_WORKERS];
    for (int i = 0; i < count; i++) order[i] = i;
    for (int i = count; i > 0; i--) {
        int k = shuffler_roll(s, i), item = order[k];
        order[k] = order[i - 1];
        task(context, item, item + 1);
    }
}

/// Runs a task at once, or keeps it until it is finished.
static void *shuffler_enqueue(void *user_data, pv_task_fn task, void *context, int count) {
    shuffler *s = user_data;
    s->tasks++;
    ck_assert_int_gt(count, 0);
    ck_assert_ptr_null(s->task);
    if (shuffler_roll(s, 2) == 0) {
        shuffler_run(s, task, context, count);
        return NULL;
    }
    s->task = task;
    s->context = context;
    s->count = count;
    return s;
}

static void shuffler_finish(void *user_data, void *handle) {
    shuffler *s = user_data;
    ck_assert_ptr_eq(handle, s);
    pv_task_fn task = s->task;
    s->task = NULL;
    shuffler_run(s, task, s->context, s->count);
}

static pv_world_def shuffled_def(shuffler *s, int workers) {
    return WITH(pv_world_def_default(), it.worker_count = workers,
                it.enqueue_task = shuffler_enqueue, it.finish_task = shuffler_finish,
                it.task_user_data = s);
}

/// Returns a def that uses a pool's threads.
static pv_world_def pooled_def(pv_task_pool *pool) {
    pv_world_def def = pv_world_def_default();
    ck_assert_ptr_nonnull(pool);
    ck_assert_int_eq(pv_task_pool_attach(pool, &def), PV_OK);
    ck_assert_int_ge(def.worker_count, 1);
    return def;
}

/// Plays something with one worker, with threads, and with tasks in any order, which need no
/// threads. All must give the same digest.
/// @param counts numbers of workers, ending with 0
static void compare_workers(const int *counts, uint64_t (*play)(pv_world_def def, int kind),
                            int kind, long least_tasks) {
    uint64_t wanted = play(pv_world_def_default(), kind);
    for (; *counts; counts++) {
        scoped_pool *pool = pv_task_pool_create(*counts, NULL);
        shuffler s = {.dice = (uint64_t)*counts};
        ck_assert_msg(play(pooled_def(pool), kind) == wanted, "kind %d, %d threads", kind, *counts);
        if (THREADED_ALONE) continue;
        ck_assert_msg(play(shuffled_def(&s, *counts), kind) == wanted, "kind %d, %d in any order",
                      kind, *counts);
        ck_assert_int_gt(s.tasks, least_tasks);
    }
}

/* ---- scenes ---- */

enum { SCENE_FRAMES = ROUNDS(21, 11), COMPARED_EVERY = 10 };

/// Plays a scene, and stores or compares its hashes.
static void play_scene(const struct scene *scene, const pv_world_def *def, uint64_t *hashes,
                       bool compared) {
    struct stage *stage = scene_start(scene, 3);
    ck_assert_msg(stage && !stage_error(stage), "%s", scene->name);
    if (def) ck_assert_int_eq(pv_world_set_workers(stage->world, def), PV_OK);
    for (int i = 0; i < SCENE_FRAMES; i++) {
        scene_update(scene, stage);
        ck_assert_int_eq(pv_world_step(stage->world, SCENE_STEP), PV_OK);
        if (i % COMPARED_EVERY) continue;
        uint64_t hash = pv_world_compute_hash(stage->world);
        if (compared)
            ck_assert_msg(hash == hashes[i], "%s differs in step %d with %d workers", scene->name,
                          i, def->worker_count);
        hashes[i] = hash;
    }
    stage_destroy(stage);
}

/// Plays all scenes with one worker first, then with the workers of each def.
static void play_scenes(const pv_world_def *defs, int count) {
    uint64_t hashes[SCENE_FRAMES];
    for (int i = 0; scene_at(i); i++)
        for (int k = -1; k < count; k++)
            play_scene(scene_at(i), k < 0 ? NULL : &defs[k], hashes, k >= 0);
}

START_THREADED_TEST(scenes_are_the_same_with_any_number_of_threads) {
    static const int counts[] = {3, 2, 4, 8, 16};
    enum { KINDS = ROUNDS(sizeof counts / sizeof *counts, 1) };
    pv_task_pool *pools[KINDS];
    pv_world_def defs[KINDS];
    for (int i = 0; i < KINDS; i++) {
        pools[i] = pv_task_pool_create(counts[i], NULL);
        defs[i] = pooled_def(pools[i]);
        ck_assert_int_eq(defs[i].worker_count, counts[i]);
    }
    play_scenes(defs, KINDS);
    for (int i = 0; i < KINDS; i++) pv_task_pool_destroy(pools[i]);
}

START_TEST(scenes_are_the_same_with_tasks_in_any_order) {
    enum { ORDERS = ROUNDS(3, 1) };
    shuffler s[3] = {{.dice = 1}, {.dice = 2}, {.dice = 3}};
    pv_world_def defs[3];
    for (int i = 0; i < ORDERS; i++) defs[i] = shuffled_def(&s[i], 2 + 7 * i);
    play_scenes(defs, ORDERS);
    for (int i = 0; i < ORDERS; i++) ck_assert_int_gt(s[i].tasks, 1000);
}

/* ---- heaps ---- */

/// Fills a world with sprites in a box.
static void pour_heap(pv_world *w, int count) {
    static const char *const hook[] = {"####################", "####################",
                                       "####................", "####................",
                                       "####................", "####............####",
                                       "####............####", "####################",
                                       "####################", NULL};
    pv_mask *masks[] = {disc_mask(8), box_mask(22, 18), text_mask(hook)};
    pv_mask *floor = box_mask(900, 32), *wall = box_mask(32, 700);
    put(w, pv_mask_retain(floor), 450, 616, of_type(PV_BODY_STATIC));
    put(w, floor, 450, -84, of_type(PV_BODY_STATIC));
    put(w, pv_mask_retain(wall), 16, 250, of_type(PV_BODY_STATIC));
    put(w, wall, 884, 250, of_type(PV_BODY_STATIC));
    for (int i = 0; i < count; i++)
        put(w, pv_mask_retain(masks[i % 3]), 60 + 28 * (i % 28), 570 - 28.0 * (i / 28),
            WITH(pv_body_def_default(), it.angle = i, it.restitution = i % 5 == 0 ? 0.7 : 0,
                 it.motion_locks = i % 11 == 0 ? PV_LOCK_X : 0));
    for (int i = 0; i < 3; i++) pv_mask_release(masks[i]);
}

/// Steps a heap while gravity turns, and returns its hash.
static uint64_t stir_heap(pv_world_def def, int steps) {
    scoped_world *w = create_world(&def);
    pour_heap(w, 560);
    for (int i = 0; i < steps; i++) {
        double angle = 0.05 * i;
        pv_world_set_gravity(w, (pv_vec2){400 * sin(angle), 400 * cos(angle)});
        pv_cut cut = pv_cut_circle((pv_vec2){450, 450}, 30);
        if (i % 20 == 10) pv_world_carve(w, &cut, NULL, NULL);
        step_well(w, 1.0 / 60);
    }
    return pv_world_compute_hash(w);
}

START_THREADED_TEST(a_stirred_heap_is_the_same_with_any_workers) {
    compare_workers((const int[]){3, ROUNDS(2, 0), 4, 5, 0}, stir_heap, ROUNDS(60, 20),
                    ROUNDS(1000, 300));
}

/// Workers come and go between steps.
START_THREADED_TEST(workers_may_change_between_steps) {
    scoped_pool *pool = pv_task_pool_create(3, NULL);
    pv_world_def one = pv_world_def_default(), three = pooled_def(pool);
    const pv_world_def *const defs[] = {&three, NULL, &one};
    scoped_world *a = create_world(&one), *b = create_world(&one);
    pour_heap(a, 300);
    pour_heap(b, 300);
    for (int i = 0; i < ROUNDS(60, 15); i++) {
        ck_assert_int_eq(pv_world_set_workers(b, defs[i % 3]), PV_OK);
        steps_well(a, 1);
        steps_well(b, 1);
    }
    ck_assert(pv_world_compute_hash(a) == pv_world_compute_hash(b));
}

/// A restored world packs its contacts anew, while one that goes on keeps them as it rests.
START_THREADED_TEST(a_restored_heap_goes_on_with_other_workers) {
    scoped_pool *pool = pv_task_pool_create(3, NULL);
    pv_world_def def = pv_world_def_default(), threads = pooled_def(pool);
    def.enable_sleep = threads.enable_sleep = false;
    scoped_world *w = create_world(&def), *other = create_world(&threads);
    pour_heap(w, 560);
    for (int i = 0; i < ROUNDS(12, 3); i++) {
        pv_world_set_gravity(w, (pv_vec2){i < 4 ? 300 : 0, 320});
        ck_assert_int_eq(carry_world(w, PV_SNAPSHOT_PIXELS, other), PV_OK);
        for (int k = 0; k < 8; k++) {
            steps_well(w, 1);
            steps_well(other, 1);
            ck_assert(pv_world_compute_hash(w) == pv_world_compute_hash(other));
        }
        steps_well(w, 33); /* pairs are found in one step out of eight */
    }
}

/* ---- sensors ---- */

/// Adds small sensors that come, move and go, and a large one.
static void put_sensors(pv_world *w, pv_body_id *sensors, int count) {
    scoped_mask *small = box_mask(40, 40);
    pv_body_def def =
        WITH(of_type(PV_BODY_KINEMATIC), it.sensor = true, it.velocity = (pv_vec2){300, -100});
    put(w, disc_mask(200), 450, 300, def);
    for (int i = 0; i < count; i++)
        sensors[i] = put(w, pv_mask_retain(small), 50 + 40 * (i % 20), 550 - 50.0 * (i / 20), def);
}

enum { SENSORS = 200 };

/// Denies some pairs, and counts the calls.
static bool grant_some(void *user_data, const pv_world *world, pv_body_id a, pv_body_id b) {
    (void)world;
    ++*(int *)user_data;
    return (a.index + b.index) % 7 != 0;
}

/// Kinds of worlds with sensors
enum { BY_CONTOURS, ASKED, BY_PIXELS };

/// Returns a digest of the sensor events of a heap's steps.
static uint64_t visit_sensors(pv_world_def def, int kind) {
    pv_body_id sensors[SENSORS];
    int calls = 0, told = 0;
    def.contact_mode = kind == BY_PIXELS ? PV_CONTACT_MODE_PIXELS : PV_CONTACT_MODE_CONTOURS;
    def.filter_callback = kind == ASKED ? grant_some : NULL;
    def.filter_user_data = &calls;
    scoped_world *w = create_world(&def);
    pour_heap(w, 300);
    put_sensors(w, sensors, SENSORS);
    uint64_t digest = 0;
    for (int i = 0; i < 30; i++) {
        steps_well(w, 1);
        pv_events e = pv_world_get_events(w);
        told += e.sensor_begin_count + e.sensor_end_count;
        for (int k = 0; k < e.sensor_begin_count; k++)
            digest = 31 * digest + 64 * e.sensor_begins[k].sensor.index +
                     e.sensor_begins[k].visitor.index;
        for (int k = 0; k < e.sensor_end_count; k++)
            digest =
                37 * digest + 64 * e.sensor_ends[k].sensor.index + e.sensor_ends[k].visitor.index;
        ck_assert_int_eq(pv_body_destroy(w, sensors[(17 * i) % SENSORS]), PV_OK);
    }
    ck_assert((kind == ASKED) == (calls > 0));
    ck_assert_int_gt(told, 100);
    digest ^= pv_world_compute_hash(w) + (uint64_t)calls;
    return digest;
}

START_THREADED_TEST(sensors_are_the_same_with_any_workers) {
    for (int kind = BY_CONTOURS; kind <= BY_PIXELS; kind++)
        compare_workers((const int[]){3, ROUNDS(2, 0), 4, 8, 16, 0}, visit_sensors, kind, 0);
}

/* ---- grains ---- */

enum { GRAINS = 40000, GRAIN_STEPS = 150 };

/// Adds grains over a hall with turning wheels, a floor and a sink.
static pv_grains_id pour_grains(pv_world *w, bool piles) {
    static pv_grain list[GRAINS];
    pv_mask *floor = box_mask(900, 32),
            *wheel = text_mask((const char *const[]){"....########....", "....########....",
                                                     "....########....", "################",
                                                     "################", "................", NULL});
    uint64_t seed = 7;
    put(w, floor, 450, 616, of_type(PV_BODY_STATIC));
    for (int i = 0; i < 60; i++) {
        pv_body_def def = WITH(of_type(PV_BODY_KINEMATIC), it.angular_velocity = i & 1 ? 4 : -3,
                               it.velocity.x = i % 5 ? 0 : 40);
        put(w, pv_mask_retain(wheel), 60 + 13 * i, 300 + 29.0 * (i % 8), def);
    }
    pv_mask_release(wheel);
    pv_grains_id grains =
        CREATE(grains, w, it.capacity = GRAINS, it.piles = piles, it.follow = true);
    pv_grain_sink sink = {{0, 0}, {{300, 540}, {340, 600}}};
    ck_assert_int_eq(pv_grains_add_sink(w, grains, &sink), PV_OK);
    for (int i = 0; i < GRAINS; i++)
        list[i] = (pv_grain){{10 + 880 * next_unit(&seed), 560 * next_unit(&seed)},
                             {100 * next_unit(&seed) - 50, 200 * next_unit(&seed)},
                             0xffffffff};
    ck_assert_int_eq(pv_grains_emit(w, grains, list, GRAINS), PV_OK);
    return grains;
}

/// Steps grains with a def's workers. Returns a digest of the hashes after each ten steps.
static uint64_t step_grains(pv_world_def def, int piles) {
    scoped_world *w = create_world(&def);
    pv_grains_id grains = pour_grains(w, piles);
    uint64_t digest = 0;
    for (int i = 0; i < GRAIN_STEPS; i++) {
        pv_cut cut = pv_cut_circle((pv_vec2){450, 610}, 40);
        if (i == 60) pv_world_carve(w, &cut, NULL, NULL);
        if (i == 100) pv_world_explode(w, (pv_vec2){200, 600}, 80, 300);
        if (i == 120) pv_world_set_gravity(w, (pv_vec2){30, 320});
        step_well(w, 1.0 / 60);
        if (i % 10 == 9) digest = 31 * digest + pv_world_compute_hash(w);
    }
    pv_grains_stats stats = pv_grains_get_stats(w, grains);
    ck_assert_int_gt((int)stats.sunk, 100);
    ck_assert_int_gt((int)(stats.grains - stats.moving), piles ? 5000 : -1);
    return digest;
}

START_THREADED_TEST_FOR(grains_are_the_same_with_any_workers, piles, 2) {
    compare_workers((const int[]){8, ROUNDS(2, 0), 0}, step_grains, piles, 2 * GRAIN_STEPS);
}

/* ---- distance fields of new masks ---- */

/// Returns a mask of hills, holes and single pixels.
static pv_mask *rugged_mask(void) {
    uint64_t seed = 3;
    pv_mask *m = pv_mask_create(700, 500, NULL, NULL);
    ck_assert_ptr_nonnull(m);
    pv_mask_fill_rect(m, (pv_rect){3, 200, 690, 290}, true);
    for (int i = 0; i < 60; i++) {
        pv_vec2 at = {700 * next_unit(&seed), 500 * next_unit(&seed)};
        pv_mask_fill_circle(m, at, 30 * next_unit(&seed), i % 2);
    }
    for (int i = 0; i < 300; i++)
        pv_mask_set_pixel(m, (int)(700 * next_unit(&seed)), (int)(500 * next_unit(&seed)), true);
    return m;
}

/// Returns the shape of a new mask, made by a world from a def.
static const pv__shape *made_by(pv_world_def def, pv_mask **mask) {
    scoped_world *w = create_world(&def);
    *mask = rugged_mask();
    put(w, pv_mask_retain(*mask), 0, 0, of_type(PV_BODY_STATIC));
    return pv__shape_of_mask(*mask);
}

static void compare_fields(const pv__shape *one, const pv__shape *other) {
    const pv__field *f = &one->field, *g = &other->field;
    ck_assert_int_eq(f->w, g->w);
    ck_assert_int_eq(f->h, g->h);
    for (int j = 0; j < 2 * f->h; j++)
        for (int i = 0; i < 2 * f->w; i++) {
            pv_vec2 at = {f->origin.x + i / (2.0 * PV__FIELD_NODES),
                          f->origin.y + j / (2.0 * PV__FIELD_NODES)};
            if (pv__field_at(one, at, NULL) != pv__field_at(other, at, NULL))
                ck_abort_msg("another distance at %g, %g", at.x, at.y);
        }
}

START_THREADED_TEST(fields_of_new_masks_are_the_same_with_any_workers) {
    pv_mask *masks[3];
    const pv__shape *one = made_by(pv_world_def_default(), &masks[0]);
    for (int workers = 2; workers <= 5; workers++) {
        scoped_pool *pool = pv_task_pool_create(workers, NULL);
        shuffler s = {.dice = (uint64_t)workers};
        compare_fields(one, made_by(pooled_def(pool), &masks[1]));
        compare_fields(one, made_by(shuffled_def(&s, workers), &masks[2]));
        ck_assert_int_gt(s.tasks, 0);
        for (int i = 1; i < 3; i++) pv_mask_release(masks[i]);
    }
    pv_mask_release(masks[0]);
}

/* ---- wrong uses ---- */

static void refuse_def(const pv_world_def *def, const char *field) {
    pv_error error;
    ck_assert_ptr_null(pv_world_create(def, &error));
    ck_assert_str_eq(error.field, field);
    scoped_world *w = create_world(NULL);
    ck_assert_int_eq(pv_world_set_workers(w, def), PV_ERROR_ARGUMENT);
}

START_TEST(workers_need_both_functions) {
    pv_world_def def = WITH(pv_world_def_default(), it.worker_count = 2);
    refuse_def(&def, "def.enqueue_task");
    def.enqueue_task = shuffler_enqueue;
    refuse_def(&def, "def.finish_task");
    def.finish_task = shuffler_finish;
    def.worker_count = PV_MAX_WORKERS + 1;
    refuse_def(&def, "def.worker_count");
    ck_assert_int_eq(pv_world_set_workers(NULL, NULL), PV_ERROR_ARGUMENT);
}

START_TEST(a_pool_checks_its_size) {
    pv_error error;
    ck_assert_ptr_null(pv_task_pool_create(-1, &error));
    ck_assert_str_eq(error.field, "workers");
    ck_assert_ptr_null(pv_task_pool_create(PV_MAX_WORKERS + 1, &error));
    scoped_pool *pool = pv_task_pool_create(0, &error);
    ck_assert_int_eq(error.status, PV_OK);
    ck_assert_int_eq(pv_task_pool_attach(pool, NULL), PV_ERROR_ARGUMENT);
    pv_world_def def = WITH(pv_world_def_default(), it.worker_count = 5);
    ck_assert_int_eq(pv_task_pool_attach(NULL, &def), PV_OK);
    ck_assert_int_eq(def.worker_count, 1);
    pv_task_pool_destroy(NULL);
}

RUN_TESTS("workers")
