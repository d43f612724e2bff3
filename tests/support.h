/* support.h - shared by the suites: masks from text or formulas, an allocator that counts and
 * fails, and the Check boilerplate.
 *
 * Invariant: functions here call no function that they serve to check, except to build the input.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SUPPORT_H
#define SUPPORT_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pixverlet.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Disables Check's mark after each assertion that holds. Check writes it to a file, which took
/// half the time of many suites. A suite that ends by a signal names its test, but no line.
#define _mark_point(file, line) ((void)0)

/// Returns the last seed of a loop from 1 on: count where PIXVERLET_TESTS asks for it, otherwise a
/// third of it. With sanitizers it is 1: they look for errors of another kind, and are five times
/// as slow.
static inline uint64_t last_seed(uint64_t count) {
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    (void)count;
    return 1;
#else
    const char *tests = getenv("PIXVERLET_TESTS");
    return tests && *tests ? count : (count + 2) / 3;
#endif
}

/// Rounds of a loop; few with sanitizers, where one round finds as much as many
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define ROUNDS(usual, few) (few)
#else
#define ROUNDS(usual, few) (usual)
#endif

/// Value with some members changed: WITH(of_type(PV_BODY_STATIC), it.angle = 1, it.friction = 0)
#define WITH(value, ...)                                                                           \
    ({                                                                                             \
        __typeof__(value) it = (value);                                                            \
        __VA_ARGS__;                                                                               \
        it;                                                                                        \
    })

/// Creates an object in a world from a def: CREATE_FROM(liquid, w, pv_liquid_def_default())
#define CREATE_FROM(kind, world, def) pv_##kind##_create(world, &(pv_##kind##_def[]){def}[0], NULL)

/// Creates an object in a world from a def, and fails the test if it cannot.
#define CREATE_WELL(kind, world, def)                                                              \
    ({                                                                                             \
        pv_error error_ = {.status = PV_ERROR_MEMORY};                                             \
        __auto_type made_ = pv_##kind##_create(world, &(pv_##kind##_def[]){def}[0], &error_);      \
        ck_assert_msg(error_.status == PV_OK, "%s", error_.message);                               \
        made_;                                                                                     \
    })

/// Creates an object from the default def with members changed: CREATE(particle, w, it.mass = 2)
#define CREATE(kind, world, ...)                                                                   \
    CREATE_FROM(kind, world, WITH(pv_##kind##_def_default(), __VA_ARGS__))

/// Creates a world from the default def with some members changed: WORLD(it.substeps = 4)
#define WORLD(...) create_world(&(pv_world_def[]){WITH(pv_world_def_default(), __VA_ARGS__)}[0])

/// Returns the distance between two places, or two velocities.
static inline double vec_distance(pv_vec2 p, pv_vec2 q) { return hypot(p.x - q.x, p.y - q.y); }

/// Returns the distance from a place to a segment.
static inline double segment_distance(pv_vec2 p, pv_vec2 from, pv_vec2 to) {
    double x = to.x - from.x, y = to.y - from.y, square = x * x + y * y,
           t = square > 0 ? ((p.x - from.x) * x + (p.y - from.y) * y) / square : 0;
    t = fmin(1, fmax(0, t));
    return hypot(p.x - from.x - t * x, p.y - from.y - t * y);
}

/// Sets restitution, static and kinetic friction of a body.
static inline void set_surface(pv_world *world, pv_body_id body, double restitution,
                               double static_friction, double friction) {
    pv_body_set_restitution(world, body, restitution);
    pv_body_set_friction(world, body, friction);
    pv_body_set_static_friction(world, body, static_friction);
}

/// Steps a world, and checks that memory sufficed and no object left the finite numbers.
static inline void step_well(pv_world *world, double dt) {
    ck_assert_int_eq(pv_world_step(world, dt), PV_OK);
    ck_assert_int_eq(pv_world_get_events(world).frozen_count, 0);
}

/// Returns a mask of a full rectangle.
static inline pv_mask *box_mask(int w, int h) {
    pv_mask *m = pv_mask_create(w, h, NULL, NULL);
    ck_assert_ptr_nonnull(m);
    ck_assert_int_eq(pv_mask_fill_rect(m, (pv_rect){0, 0, w, h}, true), PV_OK);
    return m;
}

/// Returns a mask of the pixels whose centers lie within radius of the middle of a 2r x 2r square.
static inline pv_mask *disc_mask(int radius) {
    pv_mask *m = pv_mask_create(2 * radius, 2 * radius, NULL, NULL);
    ck_assert_ptr_nonnull(m);
    for (int y = 0; y < 2 * radius; y++)
        for (int x = 0; x < 2 * radius; x++) {
            double dx = x + 0.5 - radius, dy = y + 0.5 - radius;
            if (dx * dx + dy * dy <= radius * radius) pv_mask_set_pixel(m, x, y, true);
        }
    return m;
}

/// Returns a mask from rows of text of equal length, '#' for solid; the last row is null.
static inline pv_mask *text_mask(const char *const *rows) {
    int h = 0;
    while (rows[h]) h++;
    pv_mask *m = pv_mask_create((int)strlen(rows[0]), h, NULL, NULL);
    ck_assert_ptr_nonnull(m);
    for (int y = 0; y < h; y++)
        for (int x = 0; rows[y][x]; x++) pv_mask_set_pixel(m, x, y, rows[y][x] == '#');
    return m;
}

/// Adds a body of a mask at a place, and releases the mask.
static inline pv_body_id put(pv_world *world, pv_mask *mask, double x, double y, pv_body_def def) {
    def.mask = mask;
    def.position = (pv_vec2){x, y};
    pv_body_id b = CREATE_WELL(body, world, def);
    pv_mask_release(mask);
    return b;
}

static inline pv_body_def of_type(pv_body_type type) {
    return WITH(pv_body_def_default(), it.type = type);
}

/// Returns the next random number of a seed, the same everywhere (xorshift64*).
static inline uint64_t next_random(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

/// Returns a random number in [0, 1).
static inline double next_unit(uint64_t *state) {
    return (double)(next_random(state) >> 11) * 0x1p-53;
}

/// Returns a random number in [low, high).
static inline double next_between(uint64_t *state, double low, double high) {
    return low + (high - low) * next_unit(state);
}

/// Allocator that counts its live bytes and can fail at one call
typedef struct purse {
    long live_bytes, calls;
    /// Number of the call that fails, counted from 1; 0: none
    long fail_at;
} purse;

static inline void *purse_alloc(void *user_data, void *ptr, size_t old_size, size_t new_size) {
    purse *p = user_data;
    if (new_size == 0) {
        p->live_bytes -= (long)old_size;
        free(ptr);
        return NULL;
    }
    if (++p->calls == p->fail_at) return NULL;
    void *grown = realloc(ptr, new_size);
    if (grown) p->live_bytes += (long)new_size - (long)old_size;
    return grown;
}

/// Purse that can fail at several calls
typedef struct thief {
    purse purse;
    /// Number of the first call that fails, counted from 1; 0: none
    long from;
    /// Later calls that fail: all up to a number, and each so many after the first; 0: none
    long before, every;
    long failures;
} thief;

static inline void *thief_alloc(void *user_data, void *ptr, size_t old_size, size_t new_size) {
    thief *t = user_data;
    long call = t->purse.calls + 1, late = call - t->from;
    bool fails = late == 0 || call < t->before || (t->every > 0 && late % t->every == 0);
    if (new_size > 0 && t->from > 0 && late >= 0 && fails) {
        t->purse.calls++;
        t->failures++;
        return NULL;
    }
    return purse_alloc(&t->purse, ptr, old_size, new_size);
}

/// Creates a world from a def; null: from the defaults.
static inline pv_world *create_world(const pv_world_def *def) {
    pv_world *world = pv_world_create(def, NULL);
    ck_assert_ptr_nonnull(world);
    return world;
}

/// Creates a world with a contact mode.
static inline pv_world *world_by(pv_contact_mode contacts) {
    return WORLD(it.contact_mode = contacts);
}

/// Creates a world with a gravity [px/s^2].
static inline pv_world *world_under(double x, double y) {
    return WORLD(it.gravity = PV_VEC2(x, y));
}

/// Creates a world with a gravity [px/s^2], with or without sleep.
static inline pv_world *plain_world(double x, double y, bool sleeping) {
    return WORLD(it.gravity = PV_VEC2(x, y), it.enable_sleep = sleeping);
}

/// Steps a world so many sixtieths of a second.
static inline void steps_well(pv_world *world, int count) {
    for (int i = 0; i < count; i++) step_well(world, 1.0 / 60);
}

/// Creates a world whose memory comes from a purse.
static inline pv_world *world_from(purse *p) {
    return WORLD(it.allocator = (pv_allocator){purse_alloc, p});
}

/// Last error that a world reported
static pv_error last_report __attribute__((unused));

static inline void keep_report(void *user_data, const pv_error *error) {
    (void)user_data;
    last_report = *error;
}

/// Returns the period of a pendulum with an amplitude, by the arithmetic-geometric mean.
static inline double pendulum_period(double length, double amplitude, double gravity) {
    double a = 1, b = cos(amplitude / 2);
    for (int i = 0; i < 30; i++) {
        double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return 2 * acos(-1) * sqrt(length / gravity) / a;
}

/// Runs the items of a task at once, the last first.
static inline void *enqueue_backwards(void *user_data, pv_task_fn task, void *context, int count) {
    (void)user_data;
    for (int i = count - 1; i >= 0; i--) task(context, i, i + 1);
    return NULL;
}

static inline void finish_nothing(void *user_data, void *task) { (void)user_data, (void)task; }

/// Snapshot of a world, in a buffer that grows
typedef struct keepsake {
    unsigned char *bytes;
    size_t size, capacity;
} keepsake;

static inline void keepsake_reserve(keepsake *s, size_t need) {
    if (need > s->capacity) s->bytes = realloc(s->bytes, s->capacity = need);
    ck_assert_ptr_nonnull(s->bytes);
}

static inline void keep_world(pv_world *world, unsigned flags, keepsake *s) {
    size_t need = 0;
    pv_world_save(world, flags, NULL, 0, &need);
    keepsake_reserve(s, need);
    ck_assert_int_eq(pv_world_save(world, flags, s->bytes, s->capacity, &s->size), PV_OK);
    ck_assert_uint_eq(s->size, need);
}

static inline void recall_world(pv_world *world, const keepsake *s) {
    ck_assert_int_eq(pv_world_restore(world, s->bytes, s->size), PV_OK);
}

/// Restores a snapshot of one world in another, and returns the status.
static inline pv_status carry_world(pv_world *from, unsigned flags, pv_world *to) {
    keepsake s = {0};
    keep_world(from, flags, &s);
    pv_status status = pv_world_restore(to, s.bytes, s.size);
    free(s.bytes);
    return status;
}

/* ---- random pictures ---- */

/// State of the random numbers below; each run of a test begins with its own
static uint64_t chance = 1;

/// Returns a random number in [0, 1).
static inline double any_unit(void) { return next_unit(&chance); }

/// Returns a random number in [-size, size).
static inline double any_within(double size) { return (2 * any_unit() - 1) * size; }

/// Returns a random place in a square with sides of twice the size around the origin.
static inline pv_vec2 any_place(double size) {
    double x = any_within(size);
    return (pv_vec2){x, any_within(size)};
}

/// Returns a random number in low...high.
static inline int any_int(int low, int high) {
    return low + (int)(next_random(&chance) % (uint64_t)((int64_t)high - low + 1));
}

/// Returns a random width: mostly up to two words and a bit, sometimes about eight words.
static inline int any_width(void) { return any_int(0, 9) ? any_int(0, 130) : any_int(511, 513); }

/// Returns a random mask with so many percent of solid pixels.
static inline pv_mask *any_mask(int w, int h, int percent) {
    pv_mask *m = pv_mask_create(w, h, NULL, NULL);
    ck_assert_ptr_nonnull(m);
    for (int i = 0; i < w * h; i++)
        if (any_int(0, 99) < percent) pv_mask_set_pixel(m, i % w, i / w, true);
    return m;
}

/// Returns a mask of noise, on which rectangles may be drawn as in sprites.
static inline pv_mask *any_picture(int w, int h) {
    static const int percents[] = {0, 3, 30, 50, 97, 100};
    pv_mask *m = any_mask(w, h, percents[any_int(0, 5)]);
    for (int i = any_int(0, 1) ? 5 : 0; i > 0; i--) {
        pv_rect r = {any_int(0, w), any_int(0, h), any_int(0, w), any_int(0, h)};
        pv_mask_fill_rect(m, r, i & 1);
    }
    return m;
}

/* ---- checks that many suites share ---- */

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/// Checks that a call returned null, and that its error has a status.
#define ck_assert_refused(made, error, expected)                                                   \
    do {                                                                                           \
        ck_assert_ptr_null(made);                                                                  \
        ck_assert_int_eq((error).status, expected);                                                \
    } while (0)

#define ck_assert_vec_eq_tol(vec, x0, y0, tolerance)                                               \
    do {                                                                                           \
        const pv_vec2 vec_ = (vec);                                                                \
        ck_assert_double_eq_tol(vec_.x, x0, tolerance);                                            \
        ck_assert_double_eq_tol(vec_.y, y0, tolerance);                                            \
    } while (0)

#define ck_assert_mask_size(mask, w0, h0)                                                          \
    do {                                                                                           \
        ck_assert_int_eq(pv_mask_get_width(mask), w0);                                             \
        ck_assert_int_eq(pv_mask_get_height(mask), h0);                                            \
    } while (0)

/// Checks that two masks have the same size, pixels and padding bits.
static inline void check_same_masks(const pv_mask *a, const pv_mask *b) {
    int w = pv_mask_get_width(a), h = pv_mask_get_height(a), wrong = 0;
    ck_assert_mask_size(b, w, h);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            wrong += pv_mask_get_pixel(a, x, y) != pv_mask_get_pixel(b, x, y);
    ck_assert_int_eq(wrong, 0);
    size_t bytes = (size_t)((w + 63) / 64 * h) * sizeof(uint64_t);
    ck_assert(bytes == 0 || memcmp(pv_mask_get_words(a), pv_mask_get_words(b), bytes) == 0);
}

/// Releases all masks given; some may be null.
#define release_masks(...)                                                                         \
    do {                                                                                           \
        pv_mask *masks_[] = {__VA_ARGS__};                                                         \
        for (size_t i_ = 0; i_ < COUNT_OF(masks_); i_++) pv_mask_release(masks_[i_]);              \
    } while (0)

/* ---- variables that clean up at the end of their block ---- */

static inline void drop_mask(pv_mask **mask) { pv_mask_release(*mask); }
static inline void drop_image(pv_image **image) { pv_image_destroy(*image); }
static inline void drop_world(pv_world **world) { pv_world_destroy(*world); }
static inline void drop_parts(pv_parts **parts) { pv_parts_destroy(*parts); }
static inline void drop_outline(pv_outline **outline) { pv_outline_destroy(*outline); }
static inline void drop_objects(pv_map_objects **list) { pv_map_objects_destroy(*list); }
static inline void drop_frames(pv_frames **frames) { pv_frames_destroy(*frames); }
static inline void drop_map(pv_material_map **map) { pv_material_map_release(*map); }
static inline void drop_pool(pv_task_pool **pool) { pv_task_pool_destroy(*pool); }
static inline void drop_pixels(pv_canvas *canvas) { free(canvas->pixels); }
static inline void drop_keepsake(keepsake *s) { free(s->bytes); }
static inline void check_purse(const purse *p) { ck_assert_int_eq(p->live_bytes, 0); }
static inline void drop_memory(void *pointer) {
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    free(memory);
}

/// Types of variables that are released at the end of their block, unless null. A scoped purse
/// checks that it got all memory back, so declare it before what uses it.
#define scoped_mask __attribute__((cleanup(drop_mask))) pv_mask
#define scoped_image __attribute__((cleanup(drop_image))) pv_image
#define scoped_world __attribute__((cleanup(drop_world))) pv_world
#define scoped_parts __attribute__((cleanup(drop_parts))) pv_parts
#define scoped_outline __attribute__((cleanup(drop_outline))) pv_outline
#define scoped_objects __attribute__((cleanup(drop_objects))) pv_map_objects
#define scoped_frames __attribute__((cleanup(drop_frames))) pv_frames
#define scoped_map __attribute__((cleanup(drop_map))) pv_material_map
#define scoped_pool __attribute__((cleanup(drop_pool))) pv_task_pool
/// Canvas whose pixels came from malloc()
#define scoped_pixels __attribute__((cleanup(drop_pixels))) pv_canvas
#define scoped_keepsake __attribute__((cleanup(drop_keepsake))) keepsake
#define scoped_purse __attribute__((cleanup(check_purse))) purse
/// Attribute before a pointer to memory from malloc()
#define scoped_memory __attribute__((cleanup(drop_memory)))

/// Returns the path of a file in the source tree, in static memory.
static inline const char *source_path(const char *name) {
    static char path[1024];
    const char *top = getenv("top_srcdir");
    snprintf(path, sizeof path, "%s/%s", top ? top : ".", name);
    return path;
}

static inline void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/// Tests of a suite in file order, how often each runs, and whether it uses threads
static const TTest *suite_tests[256];
static int suite_times[256];
static bool suite_threaded[256];
static size_t suite_size;

/// True in a build with the thread sanitizer, which leaves out tests of one thread
#ifdef __SANITIZE_THREAD__
enum { THREADED_ALONE = 1 };
#else
enum { THREADED_ALONE = 0 };
#endif

/// Begins a test like Check's macro. It runs for each value 0...times - 1 of a variable, with
/// random numbers of its own. It adds itself to the suite, so it needs no END_TEST and no list.
#define START_TEST_IN(name, variable, times, threaded)                                             \
    static void name##_fn(int variable);                                                           \
    static void name##_run(int run) {                                                              \
        chance = (uint64_t)run + 1;                                                                \
        name##_fn(run);                                                                            \
    }                                                                                              \
    static const TTest name##_ttest = {#name, name##_run, __FILE__, __LINE__};                     \
    static const TTest *const name __attribute__((unused)) = &name##_ttest;                        \
    __attribute__((constructor)) static void name##_enlist(void) {                                 \
        suite_times[suite_size] = times;                                                           \
        suite_threaded[suite_size] = threaded;                                                     \
        suite_tests[suite_size++] = name;                                                          \
    }                                                                                              \
    static void name##_fn(int variable __attribute__((unused)))

#undef START_TEST
#define START_TEST_FOR(name, variable, times) START_TEST_IN(name, variable, times, false)
#define START_TEST(name) START_TEST_FOR(name, _i, 1)

/// Begins a test that uses several threads.
#define START_THREADED_TEST_FOR(name, variable, times) START_TEST_IN(name, variable, times, true)
#define START_THREADED_TEST(name) START_THREADED_TEST_FOR(name, _i, 1)

/// Runs the tests of a suite, each so many times, between two functions that may be null. Results
/// come as TAP on standard output.
static inline int run_tests(const char *name, void (*set_up)(void), void (*tear_down)(void),
                            int times) {
    Suite *suite = suite_create(name);
    for (size_t i = 0; i < suite_size; i++) {
        if (THREADED_ALONE && !suite_threaded[i]) continue;
        TCase *tcase = tcase_create(suite_tests[i]->name);
        tcase_set_timeout(tcase, 120);
        tcase_add_checked_fixture(tcase, set_up, tear_down);
        tcase_add_loop_test(tcase, suite_tests[i], 0, times * suite_times[i]);
        suite_add_tcase(suite, tcase);
    }
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* a suite that hangs has printed its earlier results */
    SRunner *runner = srunner_create(suite);
    srunner_set_tap(runner, "-");
    srunner_run_all(runner, CK_SILENT);
    srunner_free(runner);
    return 0;
}

/// Runs all tests of the file, each so many times, between two functions that may be null.
#define RUN_TESTS_IN(name, set_up, tear_down, times)                                               \
    int main(void) { return run_tests(name, set_up, tear_down, times); }
#define RUN_TESTS(name) RUN_TESTS_IN(name, NULL, NULL, 1)

/* ---- default objects, and lack of memory ---- */

static inline pv_particle_id put_particle(pv_world *world, double x, double y) {
    pv_particle_id particle = CREATE(particle, world, it.position = (pv_vec2){x, y});
    ck_assert(pv_particle_is_valid(world, particle));
    return particle;
}

static inline pv_body_id put_polygon(pv_world *world, const pv_vec2 *points, int count) {
    pv_body_id polygon = CREATE(polygon, world, it.points = points, it.point_count = count);
    ck_assert(pv_body_is_valid(world, polygon));
    return polygon;
}

static inline pv_joint_id put_joint(pv_world *world, pv_joint_type type, pv_anchor a, pv_anchor b) {
    pv_joint_id joint = CREATE(joint, world, it.type = type, it.a = a, it.b = b);
    ck_assert(pv_joint_is_valid(world, joint));
    return joint;
}

/// Tries an operation again and again, with a later allocation failing each time, until it
/// succeeds. Each failure must be reported and change nothing.
static inline void starve_until_done(pv_world *world, purse *p, pv_status (*attempt)(void)) {
    uint64_t here = pv_world_compute_hash(world);
    pv_status s = PV_ERROR_MEMORY;
    for (long k = 1; s != PV_OK; k++) {
        p->fail_at = p->calls + k;
        s = attempt();
        ck_assert(s == PV_OK || s == PV_ERROR_MEMORY);
        if (s != PV_OK) ck_assert_uint_eq(pv_world_compute_hash(world), here);
        ck_assert_int_lt(k, 5000);
    }
    p->fail_at = 0;
}

#endif
