/* test_wake.c - hits move sleeping bodies, whatever is behind them.
 *
 * Invariant: expected values follow from conservation, or from the same world without sleep.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include "core/world.h"

enum { SIDE = 20, MOST = 24, SECOND = 60 };

static const double STEP = 1.0 / 60;

static pv_body_def bouncy(void) {
    return WITH(pv_body_def_default(), it.restitution = 0.5, it.friction = it.static_friction = 0);
}

static pv_body_id put_box(pv_world *w, double x, double y, pv_body_def def) {
    return put(w, box_mask(SIDE, SIDE), x, y, def);
}

/// Adds a box that moves along x.
static pv_body_id shoot(pv_world *w, double x, double y, double speed, pv_body_def def) {
    def.velocity.x = speed;
    return put_box(w, x, y, def);
}

/// Adds boxes in a row from the origin to the right, and steps until they sleep.
static void put_row(pv_world *w, pv_body_id *row, int count, double gap) {
    for (int i = 0; i < count; i++) row[i] = put_box(w, i * (SIDE + gap), 0, bouncy());
    steps_well(w, SECOND);
    ck_assert(!w->def.enable_sleep || !pv_body_is_awake(w, row[0]));
}

static double momentum_of(const pv_world *w, const pv_body_id *bodies, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += pv_body_get_mass(w, bodies[i]) * pv_body_get_velocity(w, bodies[i]).x;
    return sum;
}

/// Checks that bodies have the same momentum after some steps.
static void check_momentum(pv_world *w, const pv_body_id *bodies, int count, int steps,
                           double error) {
    double before = momentum_of(w, bodies, count);
    steps_well(w, steps);
    ck_assert_double_eq_tol(momentum_of(w, bodies, count) / before, 1, error);
}

/* ---- bodies ---- */

START_TEST(a_box_that_hits_a_sleeping_row_keeps_its_momentum) {
    static const double gaps[] = {0.01, 0.1, 0.4, 1, 1.6, 2.4, 3};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        scoped_world *w = plain_world(0, 0, true);
        pv_body_id all[MOST];
        put_row(w, all, 6, gaps[i]);
        all[6] = shoot(w, -2 * SIDE, 0, 290, bouncy());
        check_momentum(w, all, 7, SECOND, 1e-9);
    }
}

/// Returns how far the last of five crates on a floor goes when a crate hits the first.
static double way_of_the_last(double gap, bool sleeps) {
    scoped_world *w = plain_world(0, 900, sleeps);
    put(w, box_mask(1200, 40), 400, SIDE / 2.0 + 20, of_type(PV_BODY_STATIC));
    pv_body_id row[MOST];
    put_row(w, row, 5, gap);
    double before = pv_body_get_position(w, row[4]).x;
    shoot(w, -60, 0, 500, bouncy());
    steps_well(w, 2 * SECOND);
    return pv_body_get_position(w, row[4]).x - before;
}

START_TEST(a_crate_on_a_floor_drives_out_the_last_of_a_row) {
    for (double gap = 0.015; gap < 3; gap *= 3) {
        double awake = way_of_the_last(gap, false), asleep = way_of_the_last(gap, true);
        ck_assert_double_gt(asleep, 10);
        ck_assert_msg(fabs(asleep - awake) < 0.05 * awake, "gap %g: %g, awake %g", gap, asleep,
                      awake);
    }
}

START_TEST_FOR(a_row_at_rest_on_a_smooth_floor_takes_all_momentum, i, 8) {
    static const double gaps[] = {0.1, 1, 2.4, 3};
    scoped_world *w = plain_world(0, 900, i % 2);
    put(w, box_mask(1200, 40), 400, SIDE / 2.0 + 20, of_type(PV_BODY_STATIC));
    set_surface(w, pv_world_get_next_body(w, (pv_body_id){0}), 0, 0, 0);
    pv_body_id all[MOST];
    put_row(w, all, 5, gaps[i / 2]);
    all[5] = shoot(w, -60, 0, 500, bouncy());
    check_momentum(w, all, 6, SECOND / 2, 1e-5);
}

/// The hit comes at any time before the others sleep, or while they are quiet.
START_TEST_FOR(what_comes_to_rest_on_a_smooth_floor_takes_all_momentum, i, 96) {
    double speed = i % 2 ? 136 : 25, gap = i % 2 ? 3 : 1.4;
    scoped_world *w = plain_world(0, 900, i % 2);
    put(w, box_mask(1200, 40), 400, SIDE / 2.0 + 20, of_type(PV_BODY_STATIC));
    set_surface(w, pv_world_get_next_body(w, (pv_body_id){0}), 0, 0, 0);
    pv_body_id all[MOST];
    for (int k = 0; k < 9; k++)
        all[k] = put_box(w, k * (SIDE + gap), 0, WITH(bouncy(), it.density = i % 2 ? 150 : 1));
    all[9] = shoot(w, -SIDE - speed * (0.3 + i / 240.0), 0, speed, bouncy());
    check_momentum(w, all, 10, 3 * SECOND / 2, 1e-4);
}

START_TEST(a_heavy_body_throws_light_ones_through_a_chain) {
    scoped_world *w = plain_world(0, 0, true);
    pv_body_id all[MOST];
    for (int i = 0; i < 6; i++)
        all[i] = put_box(w, i * (SIDE + 0.3), 0,
                         WITH(bouncy(), it.restitution = 1, it.density = pow(0.3, i)));
    steps_well(w, SECOND);
    ck_assert(!pv_body_is_awake(w, all[5]));
    all[6] = shoot(w, -30, 0, 300, WITH(bouncy(), it.density = 10, it.restitution = 1));
    check_momentum(w, all, 7, 30, 1e-9);
    ck_assert_double_gt(pv_body_get_velocity(w, all[5]).x, 900);
}

START_TEST(a_slow_touch_wakes_as_well) {
    scoped_world *w = plain_world(0, 0, true);
    pv_body_id all[MOST];
    put_row(w, all, 2, 0.5);
    all[2] = shoot(w, -SIDE - 1, 0, 1, bouncy());
    check_momentum(w, all, 3, 3 * SECOND, 1e-9);
    ck_assert(pv_body_is_awake(w, all[1]));
}

START_TEST(what_passes_by_wakes_nobody) {
    scoped_world *w = plain_world(0, 0, true);
    pv_body_id all[MOST];
    put_row(w, all, 6, 3);
    shoot(w, -100, -2 * SIDE, 600, bouncy());
    for (int k = 0; k < SECOND; k++) {
        step_well(w, STEP);
        for (int i = 0; i < 6; i++) ck_assert(!pv_body_is_awake(w, all[i]));
    }
}

START_TEST(a_resting_body_lets_what_it_does_not_press_sleep) {
    scoped_world *w = plain_world(0, 900, true);
    put(w, box_mask(1200, 40), 400, SIDE / 2.0 + 20, of_type(PV_BODY_STATIC));
    pv_body_id row[MOST];
    put_row(w, row, 5, 2);
    pv_body_id last = put_box(w, 0, -SIDE - 0.5, bouncy());
    for (int k = 0; k < 2 * SECOND; k++) {
        step_well(w, STEP);
        for (int i = 1; i < 5; i++) ck_assert(!pv_body_is_awake(w, row[i]));
    }
    ck_assert(!pv_body_is_awake(w, last));
}

/* ---- other hitters ---- */

/// Function that drives a row of boxes
typedef void hitter(pv_world *w);

static void check_alike(hitter *hit, int count, double gap, double least) {
    double ends[2][MOST];
    for (int sleeps = 0; sleeps < 2; sleeps++) {
        scoped_world *w = plain_world(0, 0, sleeps);
        pv_body_id row[MOST];
        put_row(w, row, count, gap);
        hit(w);
        steps_well(w, 30);
        for (int i = 0; i < count; i++) ends[sleeps][i] = pv_body_get_position(w, row[i]).x;
    }
    for (int i = 0; i < count; i++) ck_assert_double_eq_tol(ends[0][i], ends[1][i], 1);
    ck_assert_double_gt(ends[1][count - 1] - (count - 1) * (SIDE + gap), least);
}

static void hit_by_kinematic(pv_world *w) { shoot(w, -60, 0, 200, of_type(PV_BODY_KINEMATIC)); }

static void hit_by_particle(pv_world *w) {
    CREATE(particle, w, it.position = (pv_vec2){-40, 0}, it.velocity = (pv_vec2){400, 0},
           it.mass = 400, it.radius = 3);
}

static void hit_by_polygon(pv_world *w) {
    static const pv_vec2 corners[] = {{-50, -9}, {-32, -9}, {-32, 9}, {-50, 9}};
    pv_body_id polygon = CREATE(polygon, w, it.points = corners, it.point_count = 4, it.mass = 400);
    ck_assert_int_eq(pv_body_apply_force(w, polygon, (pv_vec2){400 * 300 / STEP, 0}), PV_OK);
}

static void hit_by_explosion(pv_world *w) {
    ck_assert_int_eq(pv_world_explode(w, (pv_vec2){-14, 0}, 12, 120000), PV_OK);
}

static void hit_by_motor(pv_world *w) {
    pv_body_id hub = put_box(w, -30, 50, of_type(PV_BODY_STATIC)),
               arm = put(w, box_mask(10, 60), -30, 20, WITH(bouncy(), it.density = 3));
    pv_joint_create_pin(w, hub, arm, (pv_vec2){-30, 50});
    pv_joint_create_motor(w, hub, arm, 12, 1e9);
}

static void hit_by_mover(pv_world *w) {
    pv_mover m = WITH(pv_mover_default(), it.mask = box_mask(12, 16),
                      it.position = (pv_vec2){-60, 0}, it.push_force = 4e6);
    for (int k = 0; k < 40; k++) {
        ck_assert_int_eq(pv_mover_move(w, &m, (pv_vec2){200, 0}, STEP), PV_OK);
        step_well(w, STEP);
    }
    pv_mask_release((pv_mask *)m.mask);
}

static void hit_by_box(pv_world *w) { shoot(w, -2 * SIDE, 0, 290, bouncy()); }

START_TEST(a_sleeping_row_ends_where_an_awake_one_does) {
    for (double gap = 0.02; gap < 3; gap *= 2.1) check_alike(hit_by_box, 6, gap, 15);
}

/// Whatever drives a sleeping row moves its last box by at least some way [px], as if awake.
START_TEST_FOR(what_drives_a_row_drives_a_sleeping_one, i, 6) {
    const struct {
        hitter *hit;
        int count;
        double least;
    } cases[] = {{hit_by_kinematic, 5, 20}, {hit_by_particle, 4, 2}, {hit_by_polygon, 4, 5},
                 {hit_by_explosion, 4, 5},  {hit_by_motor, 4, 5},    {hit_by_mover, 4, 1}};
    check_alike(cases[i].hit, cases[i].count, 0.4, cases[i].least);
}

START_TEST(what_carving_frees_falls_on_sleepers) {
    double ends[2][4];
    for (int sleeps = 0; sleeps < 2; sleeps++) {
        scoped_world *w = plain_world(0, 900, sleeps);
        pv_body_id shelf = put(w, box_mask(40, 6), 0, -403, of_type(PV_BODY_STATIC)), hung[4];
        for (int i = 0; i < 4; i++) { /* the last one stands on the shelf */
            pv_body_def free = WITH(bouncy(), it.gravity_scale = i == 3 ? 1 : 0);
            hung[i] = put_box(w, 0, i == 3 ? -416.1 : i * (SIDE + 0.4), free);
        }
        steps_well(w, SECOND);
        ck_assert(!sleeps || !pv_body_is_awake(w, hung[0]));
        pv_cut cut = pv_cut_box((pv_vec2){-30, -410}, (pv_vec2){30, -390});
        ck_assert_int_eq(pv_body_carve(w, shelf, &cut, NULL), PV_OK);
        steps_well(w, 80);
        for (int i = 0; i < 4; i++) ends[sleeps][i] = pv_body_get_position(w, hung[i]).y;
    }
    for (int i = 0; i < 4; i++) ck_assert_double_eq_tol(ends[0][i], ends[1][i], 1);
    ck_assert_double_gt(ends[1][2], 2 * (SIDE + 0.4) + 20);
}

/* ---- large worlds ---- */

enum { LANES_OF_ROWS = 40, WALKERS = 1600 };

/// Shoots boxes at a row from both sides; returns their momentum.
static double hit_lane(pv_world *w, pv_body_id *pair, int lane) {
    pair[0] = shoot(w, -2 * SIDE, 60.0 * lane, 200 + 5 * lane, bouncy());
    pair[1] = shoot(w, 5.5 * SIDE, 60.0 * lane, -100 - lane, bouncy());
    return momentum_of(w, pair, 2);
}

/// Steps many rows that are hit at once, beside a drifting crowd; returns the hash.
static uint64_t play_lanes(int workers, double *error) {
    pv_world_def def =
        WITH(pv_world_def_default(), it.gravity = (pv_vec2){0, 0}, it.worker_count = workers);
    if (workers > 1) {
        def.enqueue_task = enqueue_backwards;
        def.finish_task = finish_nothing;
    }
    scoped_world *w = pv_world_create(&def, NULL);
    ck_assert_ptr_nonnull(w);
    static pv_body_id all[LANES_OF_ROWS * 6];
    for (int i = 0; i < LANES_OF_ROWS; i++)
        for (int k = 0; k < 4; k++)
            all[6 * i + k] = put_box(w, k * (SIDE + 0.4), 60.0 * i, bouncy());
    steps_well(w, SECOND);
    for (int i = 0; i < WALKERS; i++)
        put(w, box_mask(8, 8), 1000 + 12.0 * (i % 40), 12.0 * (i / 40),
            WITH(bouncy(), it.velocity = (pv_vec2){0, 30}));
    double before = 0;
    for (int i = 0; i < LANES_OF_ROWS; i++) before += hit_lane(w, &all[6 * i + 4], i);
    for (int i = 0; i < 30; i++) {
        step_well(w, STEP);
        ck_assert_int_gt(w->groups.count, 1);
    }
    *error = fabs(momentum_of(w, all, LANES_OF_ROWS * 6) / before - 1);
    return pv_world_compute_hash(w);
}

START_TEST(groups_wake_the_same_with_any_number_of_workers) {
    double error[2];
    uint64_t one = play_lanes(1, &error[0]), three = play_lanes(3, &error[1]);
    ck_assert(one == three);
    ck_assert_msg(error[0] < 1e-9, "lost %g", error[0]);
}

START_TEST(a_restored_world_wakes_the_same) {
    scoped_world *a = plain_world(0, 0, true);
    pv_body_id row[MOST];
    put_row(a, row, 12, 0.3);
    shoot(a, -2 * SIDE, 3, 700, bouncy());
    for (int i = 0; i < 12; i++) {
        scoped_world *b = plain_world(0, 0, true);
        ck_assert_int_eq(carry_world(a, PV_SNAPSHOT_PIXELS, b), PV_OK);
        steps_well(b, 3);
        steps_well(a, 3);
        ck_assert(pv_world_compute_hash(a) == pv_world_compute_hash(b));
    }
}

RUN_TESTS("wake")
