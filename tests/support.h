/* support.h - shared by the suites: masks from text or formulas, an allocator that counts and
 * fails, and the Check boilerplate.
 *
 * Invariant: functions here call no function that they are used to judge, except to build the
 * input.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef SUPPORT_H
#define SUPPORT_H

#include "pixverlet.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Replaces Check's mark after each assertion that holds. Check writes it to a file, which took half
/// of the time of many suites. A suite that ends by a signal names its test, and no line.
#define _mark_point(file, line) ((void)0)

/// Returns the last seed of a loop from 1 on: count where PIXVERLET_TESTS is "all", a third of it
/// otherwise, and 1 with sanitizers. These seek other errors than wrong results, and take five times
/// as long.
static inline uint64_t last_seed(uint64_t count) {
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    (void)count;
    return 1;
#else
    const char *tests = getenv("PIXVERLET_TESTS");
    return tests && strcmp(tests, "all") == 0 ? count : (count + 2) / 3;
#endif
}

/// Sets restitution, static and kinetic friction of a body.
static inline void set_surface(pv_world *world, pv_body_id body, double restitution,
                               double static_friction, double friction) {
    pv_body_set_restitution(world, body, restitution);
    pv_body_set_friction(world, body, friction);
    pv_body_set_static_friction(world, body, static_friction);
}

/// Steps a world, which has memory for all and stops nothing short of the finite numbers.
static inline void step_well(pv_world *world, double dt) {
    ck_assert_int_eq(pv_world_step(world, dt), PV_OK);
    ck_assert_int_eq(pv_world_get_events(world).frozen_count, 0);
}

/// A full rectangle.
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

/// Rows of text, '#' solid, each of the same length; the last row is null.
static inline pv_mask *text_mask(const char *const *rows) {
    int h = 0;
    while (rows[h]) h++;
    pv_mask *m = pv_mask_create((int)strlen(rows[0]), h, NULL, NULL);
    ck_assert_ptr_nonnull(m);
    for (int y = 0; y < h; y++)
        for (int x = 0; rows[y][x]; x++) pv_mask_set_pixel(m, x, y, rows[y][x] == '#');
    return m;
}

/// A body of a mask at a place; the mask's reference is given to the body.
static inline pv_body_id put(pv_world *world, pv_mask *mask, double x, double y, pv_body_def def) {
    pv_error error = {0};
    def.mask = mask;
    def.position = (pv_vec2){x, y};
    pv_body_id b = pv_body_create(world, &def, &error);
    pv_mask_release(mask);
    ck_assert_msg(error.status == PV_OK, "%s", error.message);
    return b;
}

/// Returns where the world of the running test is.
static inline pv_world **world_of_test(void) {
    static pv_world *world;
    return &world;
}

/// Destroys the world of the running test. The end of a test does, too.
static inline void close_world(void) {
    pv_world_destroy(*world_of_test());
    *world_of_test() = NULL;
}

/// Opens a world in place of the last one, which is destroyed.
static inline pv_world *next_world(pv_world_def def) {
    close_world();
    *world_of_test() = pv_world_create(&def, NULL);
    ck_assert_ptr_nonnull(*world_of_test());
    return *world_of_test();
}

/// A plain world with gravity straight down.
static inline pv_world_def with_gravity(double gravity) {
    pv_world_def def = pv_world_def_default();
    def.gravity = (pv_vec2){0, gravity};
    return def;
}

/// Steps the world of the running test so many sixtieths of a second.
static inline void step_times(int count) {
    for (int i = 0; i < count; i++) step_well(*world_of_test(), 1.0 / 60);
}

/* Places and velocities in the world of the running test. */

static inline pv_vec2 body_at(pv_body_id b) { return pv_body_get_position(*world_of_test(), b); }
static inline pv_vec2 body_v(pv_body_id b) { return pv_body_get_velocity(*world_of_test(), b); }
static inline pv_vec2 particle_at(pv_particle_id p) {
    return pv_particle_get_position(*world_of_test(), p);
}
static inline pv_vec2 particle_v(pv_particle_id p) {
    return pv_particle_get_velocity(*world_of_test(), p);
}
static inline pv_vec2 polygon_at(pv_polygon_id q) {
    return pv_polygon_get_position(*world_of_test(), q);
}

static inline double gap_between(pv_vec2 a, pv_vec2 b) { return hypot(a.x - b.x, a.y - b.y); }

static inline void expect_point(pv_vec2 is, double x, double y, double tolerance) {
    ck_assert_double_eq_tol(is.x, x, tolerance);
    ck_assert_double_eq_tol(is.y, y, tolerance);
}

static inline pv_body_def of_type(pv_body_type type) {
    pv_body_def def = pv_body_def_default();
    def.type = type;
    return def;
}

/// A full rectangle in the world of the running test.
static inline pv_body_id put_box(pv_body_type type, int width, int height, double x, double y) {
    return put(*world_of_test(), box_mask(width, height), x, y, of_type(type));
}

static inline pv_joint_def joint_of(pv_joint_type type, pv_anchor a, pv_anchor b) {
    pv_joint_def def = pv_joint_def_default();
    def.type = type;
    def.a = a;
    def.b = b;
    return def;
}

/// Joins in the world of the running test.
static inline pv_joint_id join_by(pv_joint_def def) {
    pv_error error = {.status = PV_ERROR_MEMORY};
    pv_joint_id c = pv_joint_create(*world_of_test(), &def, &error);
    ck_assert_msg(error.status == PV_OK, "%s", error.message);
    return c;
}

/// Returns how far the anchors of a joint are from each other.
static inline double gap_of(pv_joint_id c) {
    pv_vec2 points[2];
    ck_assert_int_eq(pv_joint_get_points(*world_of_test(), c, points), PV_OK);
    return gap_between(points[0], points[1]);
}

/// Tells whether two filters let their owners touch, after the documented rule.
static inline bool filters_agree(pv_filter a, pv_filter b) {
    if (a.group_index == b.group_index && a.group_index > 0) return true;
    if (a.group_index == b.group_index && a.group_index < 0) return false;
    return (a.category_bits & b.mask_bits) != 0 && (b.category_bits & a.mask_bits) != 0;
}

/// Mass, momentum and angular momentum about the origin of all that can be moved, and the sums of
/// the sizes of their parts.
typedef struct momenta {
    double mass, x, y, turn, size, turn_size;
} momenta;

static inline void add_momenta(momenta *s, double mass, pv_vec2 at, pv_vec2 v, double spin) {
    s->mass += mass;
    s->x += mass * v.x;
    s->y += mass * v.y;
    s->turn += mass * (at.x * v.y - at.y * v.x) + spin;
    s->size += mass * hypot(v.x, v.y);
    s->turn_size += mass * hypot(at.x, at.y) * hypot(v.x, v.y) + fabs(spin);
}

static inline momenta momenta_of(const pv_world *w) {
    momenta s = {0};
    for (pv_particle_id p = pv_null_particle; (p = pv_world_get_next_particle(w, p)).index;)
        add_momenta(&s, pv_particle_get_mass(w, p), pv_particle_get_position(w, p),
                    pv_particle_get_velocity(w, p), 0);
    for (pv_body_id b = pv_null_body; (b = pv_world_get_next_body(w, b)).index;)
        if (pv_body_get_type(w, b) == PV_BODY_DYNAMIC)
            add_momenta(&s, pv_body_get_mass(w, b), pv_body_get_position(w, b),
                        pv_body_get_velocity(w, b),
                        pv_body_get_inertia(w, b) * pv_body_get_angular_velocity(w, b));
    return s;
}

/// Checks that the momenta are those of before, but for parts of a size.
static inline void expect_kept_momenta(const momenta *was, const pv_world *w, double size,
                                       double turn) {
    momenta is = momenta_of(w);
    ck_assert_double_eq_tol(is.x, was->x, size);
    ck_assert_double_eq_tol(is.y, was->y, size);
    ck_assert_double_eq_tol(is.turn, was->turn, turn);
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

/// Counts what it gave out, and fails at one allocation.
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

/// Runs a life that tells whether it got all its memory: first it does, and then each of its
/// allocations is refused once. All bytes come back.
static inline void refuse_each(bool (*live)(purse *mine)) {
    purse all = {0};
    ck_assert(live(&all));
    ck_assert_int_eq(all.live_bytes, 0);
    for (long i = 1; i <= all.calls; i++) {
        purse some = {.fail_at = i};
        ck_assert_msg(!live(&some), "call %ld of %ld", i, all.calls);
        ck_assert_int_eq(some.live_bytes, 0);
    }
}

/// Runs one suite, with its results as TAP on standard output.
static inline int run_suite(const char *name, const TTest *const *tests, size_t count) {
    Suite *suite = suite_create(name);
    for (size_t i = 0; i < count; i++) {
        TCase *tcase = tcase_create(tests[i]->name);
        tcase_set_timeout(tcase, 120);
        tcase_add_checked_fixture(tcase, NULL, close_world);
        tcase_add_test(tcase, tests[i]);
        suite_add_tcase(suite, tcase);
    }
    SRunner *runner = srunner_create(suite);
    srunner_set_tap(runner, "-");
    srunner_run_all(runner, CK_SILENT);
    srunner_free(runner);
    return 0;
}

#define RUN_SUITE(name, ...)                                                                       \
    int main(void) {                                                                               \
        const TTest *const tests[] = {__VA_ARGS__};                                                \
        return run_suite(name, tests, sizeof tests / sizeof *tests);                               \
    }

#endif
