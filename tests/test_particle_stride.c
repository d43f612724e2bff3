/* test_particle_stride.c - particle_substeps: strides of particles that nothing holds.
 *
 * Invariant: expected values are closed formulas of mechanics, sums of momenta, or the same world
 * with all substeps where strides must change nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "shared_world.h"

#define STEP (1.0 / 60)

static const double GRAVITY = 320;
static const pv_bounce BOUNCES[] = {PV_BOUNCE_TOUCH, PV_BOUNCE_SWAP, PV_BOUNCE_REFLECT,
                                    PV_BOUNCE_NONE};

static pv_world *w;

static pv_world_def strides_of(pv_vec2 gravity, int particle_substeps) {
    pv_world_def def = pv_world_def_default();
    def.gravity = gravity;
    def.particle_substeps = particle_substeps;
    return def;
}

static void open_strides(int particle_substeps) {
    w = next_world(strides_of((pv_vec2){0, GRAVITY}, particle_substeps));
}

static pv_body_id add_floor(double top, double restitution, double friction) {
    pv_body_def def = of_type(PV_BODY_STATIC);
    def.restitution = restitution;
    def.static_friction = def.friction = friction;
    return put(w, box_mask(800, 40), 0, top + 20, def);
}

static pv_particle_def speck(double x, double y, double vx, double vy) {
    pv_particle_def def = pv_particle_def_default();
    def.position = (pv_vec2){x, y};
    def.velocity = (pv_vec2){vx, vy};
    def.radius = 3;
    return def;
}

static pv_particle_id add(pv_particle_def def) {
    pv_particle_id p = pv_particle_create(w, &def, NULL);
    ck_assert(!PV_ID_IS_NULL(p));
    return p;
}

/// Fills worlds of two definitions alike, and compares them after every step.
static void expect_one_way(pv_world_def one, pv_world_def other, void (*fill)(void), int steps) {
    uint64_t hashes[240];
    w = next_world(one);
    fill();
    for (int i = 0; i < steps; i++) {
        step_times(1);
        hashes[i] = pv_world_compute_hash(w);
    }
    w = next_world(other);
    fill();
    for (int i = 0; i < steps; i++) {
        step_times(1);
        ck_assert_msg(pv_world_compute_hash(w) == hashes[i], "step %d", i);
    }
}

/* ---- free flight ---- */

static void add_flight(void) {
    add_floor(1000, 0, 0.5); /* within reach of the fast one, and not touched */
    pv_particle_def def = speck(0, 0, 50, -100);
    def.linear_damping = 0.7;
    pv_particle_id p = add(def);
    add(speck(-100, 900, 4000, -20));
    pv_particle_apply_force(w, p, (pv_vec2){700, 30});
}

START_TEST(a_flight_has_the_bits_of_all_substeps) {
    const pv_vec2 down = {0, GRAVITY};
    for (int strides = 1; strides <= 5; strides += 2)
        expect_one_way(strides_of(down, 0), strides_of(down, strides), add_flight, 60);
}

/* ---- contacts ---- */

/// Returns the greatest height above a floor that gives back all, in the last ten seconds of a
/// minute.
static double height_after_a_minute(pv_bounce bounce, int strides) {
    open_strides(strides);
    add_floor(100, 1, 0);
    pv_particle_def def = speck(0, -3, 0, 0);
    def.restitution = 1;
    def.bounce = bounce;
    pv_particle_id p = add(def);
    double highest = 1e9;
    for (int i = 0; i < 3600; i++) {
        step_times(1);
        if (i >= 3000) highest = fmin(highest, particle_at(p).y);
    }
    return 97 - highest;
}

START_TEST(what_bounces_keeps_its_energy) {
    for (int strides = 1; strides <= 5; strides += 2) {
        ck_assert_double_eq_tol(height_after_a_minute(PV_BOUNCE_TOUCH, strides), 100, 1.5);
        ck_assert_double_eq_tol(height_after_a_minute(PV_BOUNCE_SWAP, strides), 100, 1.5);
    }
}

START_TEST_FOR(platforms_and_conveyors_carry, strides, 3) {
    open_strides(strides);
    pv_body_def def = of_type(PV_BODY_KINEMATIC);
    def.velocity = (pv_vec2){60, -30};
    put(w, box_mask(400, 20), 0, 110, def);
    def = of_type(PV_BODY_STATIC);
    def.tangent_speed = 40; /* clockwise: to the right on top */
    put(w, box_mask(2000, 20), 0, 510, def);
    pv_particle_id rider = add(speck(0, 90, 0, 0)), goods = add(speck(-300, 490, 0, 0));
    step_times(120);
    expect_point(particle_v(rider), 60, -30, 0.01);
    ck_assert_double_eq_tol(particle_at(rider).y, 100 - 3 - 60, 0.1);
    ck_assert_double_eq_tol(particle_v(goods).x, 40, 0.01);
}

START_TEST(one_way_platforms_hold_from_above_alone) {
    open_strides(1);
    pv_body_def def = of_type(PV_BODY_STATIC);
    def.one_way_normal = (pv_vec2){0, -1};
    put(w, box_mask(400, 10), 0, 105, def);
    pv_particle_id above = add(speck(-50, 20, 0, 0)), below = add(speck(50, 140, 0, -260));
    for (int i = 0; i < 40; i++) step_times(1);
    ck_assert_double_lt(particle_at(below).y, 110); /* it goes up through it */
    step_times(200);
    ck_assert_double_eq_tol(particle_at(above).y, 97, 0.1);
    ck_assert_double_eq_tol(particle_at(below).y, 97, 0.1);
}


/* ---- momentum ---- */

/// Throws discs at a crate from all sides. It sleeps until the first one, which hits it in the step
/// that wakes it, and so in a stride.
static void bombard(pv_bounce bounce) {
    for (int i = 0; i < 9; i++) {
        double a = 0.1 + 0.7 * i, far = 40 + 25 * i, aim = 5 * sin(5.0 * i + 1);
        double speed = i == 0 ? 3000 : 300 + 50 * i;
        pv_particle_def def = speck(far * cos(a) - aim * sin(a), far * sin(a) + aim * cos(a),
                                    -speed * cos(a), -speed * sin(a));
        def.mass = 5 + 7 * i % 30;
        def.restitution = 0.5;
        def.bounce = bounce;
        add(def);
    }
}

START_TEST_FOR(hits_keep_momentum_and_angular_momentum, i, 4) {
    for (int strides = 1; strides <= 3; strides += 2) {
        w = next_world(strides_of((pv_vec2){0, 0}, strides));
        pv_body_id crate = put_box(PV_BODY_DYNAMIC, 20, 12, 0, 0);
        step_times(120);
        ck_assert(!pv_body_is_awake(w, crate));
        bombard(BOUNCES[i]);
        momenta before = momenta_of(w);
        for (int step = 0; step < 60; step++) {
            step_times(1);
            expect_kept_momenta(&before, w, 1e-5, 1e-3);
        }
        ck_assert(pv_body_is_awake(w, crate));
        pv_vec2 v = body_v(crate);
        ck_assert_double_gt(hypot(v.x, v.y), 1);
    }
}

/* ---- what takes all substeps ---- */

/// Fills a world with matter that is held: a rope, a liquid, a composite, a polygon on a disc, and
/// discs under a crate that never sleeps.
static void add_held(void) {
    add_floor(200, 0.3, 0.5);
    pv_rope_def rope = pv_rope_def_default();
    rope.from = pv_anchor_world((pv_vec2){-300, 100});
    rope.to = pv_anchor_world((pv_vec2){-200, 100});
    rope.slack = 0.9;
    pv_rope_create(w, &rope, NULL);
    pv_liquid_def liquid = pv_liquid_def_default();
    pv_liquid_id water = pv_liquid_create(w, &liquid, NULL);
    pv_composite_id list = pv_composite_create(w, NULL);
    for (int i = 0; i < 20; i++) {
        pv_liquid_add_particle(w, water, add(speck(-150 + 6 * (i % 5), 150 + 6 * (i / 5), 0, 0)));
        pv_composite_add_particle(w, list, add(speck(5 * i, 120 + 7 * i % 40, 90, 0)));
    }
    const pv_vec2 corners[] = {{200, 100}, {240, 100}, {240, 140}, {200, 140}};
    put_polygon(w, corners, 4);
    pv_particle_def pin = speck(222, 170, 0, 0);
    pin.mass = 0;
    add(pin);
    for (int i = -1; i <= 1; i++) {
        pv_particle_def disc = speck(330 + 14 * i, 196, 0, 0);
        disc.mass = 60;
        add(disc);
    }
    put_box(PV_BODY_DYNAMIC, 50, 20, 330, 183);
}

START_TEST(what_is_held_takes_all_substeps) {
    pv_world_def all = pv_world_def_default(), few = all;
    all.enable_sleep = few.enable_sleep = false;
    few.particle_substeps = 1;
    expect_one_way(all, few, add_held, 240);
}

static void add_shower(void) {
    add_floor(100, 0.5, 0.3);
    for (int k = 0; k < 30; k++) add(speck(7 * k, 50 - k, 30 * k, 200));
}

START_TEST_FOR(as_many_strides_as_substeps_change_nothing, k, 4) {
    pv_world_def all = pv_world_def_default();
    all.contact_mode = (pv_contact_mode)(k / 2);
    all.substeps = 8;
    pv_world_def few = all;
    few.particle_substeps = k % 2 ? 64 : 8;
    expect_one_way(all, few, add_shower, 120);
}

/* ---- from free to held and back ---- */

/// Ties a particle to the world by a rope that never comes taut.
static pv_joint_id tie(pv_particle_id p) {
    pv_joint_def def =
        joint_of(PV_JOINT_ROPE, pv_anchor_particle(p), pv_anchor_world((pv_vec2){0, 0}));
    def.length = 1e5;
    return join_by(def);
}

START_TEST(what_comes_to_be_held_keeps_its_velocity) {
    open_strides(1);
    add_floor(3000, 0, 0);
    pv_particle_id p = add(speck(0, 0, 80, -40));
    pv_joint_id rope = pv_null_joint;
    for (int i = 0; i < 120; i++) {
        pv_vec2 was = particle_v(p);
        if (i % 20 == 7) rope = tie(p);
        if (i % 20 == 17) pv_joint_destroy(w, rope);
        pv_vec2 v = particle_v(p);
        ck_assert_double_eq(v.x, was.x);
        ck_assert_double_eq(v.y, was.y);
        step_well(w, i % 3 ? STEP : STEP / 2); /* and steps of other lengths */
        expect_point(particle_v(p), 80, was.y + GRAVITY * (i % 3 ? STEP : STEP / 2), 1e-8);
    }
}

START_TEST(what_rests_is_not_thrown_when_held) {
    open_strides(1);
    add_floor(100, 0, 0.5);
    pv_particle_id p = add(speck(0, 90, 0, 0));
    step_times(100);
    double y = particle_at(p).y;
    for (int i = 0; i < 10; i++) {
        pv_joint_id rope = tie(p);
        step_times(10);
        pv_joint_destroy(w, rope);
        step_times(10);
        ck_assert_double_eq_tol(particle_at(p).y, y, 1e-3);
        ck_assert_double_eq_tol(particle_v(p).y, 0, 1e-3);
    }
}

/* ---- the same again ---- */

/// Lets debris of all kinds rain on a turning bar, a sleeping crate and a floor.
static void add_rain(void) {
    uint64_t dice = 5;
    add_floor(200, 0.5, 0.5);
    pv_body_id bar = put_box(PV_BODY_KINEMATIC, 160, 6, -100, 120);
    pv_body_set_angular_velocity(w, bar, 3);
    put_box(PV_BODY_DYNAMIC, 40, 30, 150, 185);
    pv_composite_id list = pv_composite_create(w, NULL);
    for (int i = 0; i < 200; i++) {
        pv_particle_def def = speck(400 * next_unit(&dice) - 200, 100 * next_unit(&dice),
                                    300 * next_unit(&dice) - 150, 900 * next_unit(&dice));
        def.radius = 4 * next_unit(&dice);
        def.mass = 0.1 + next_unit(&dice);
        def.restitution = next_unit(&dice);
        def.bounce = BOUNCES[i % 4];
        pv_particle_id p = add(def);
        if (i % 10 == 0) pv_composite_add_particle(w, list, p);
        if (i % 10 == 1) tie(p);
    }
}

START_TEST(a_restored_world_goes_the_same_way) {
    keepsake s = {0};
    open_strides(2);
    add_rain();
    step_times(40);
    keep_world(w, PV_SNAPSHOT_PIXELS, &s);
    uint64_t hash = pv_world_compute_hash(w);
    step_times(60);
    uint64_t end = pv_world_compute_hash(w);
    for (int i = 0; i < 2; i++) {
        if (i) open_strides(0); /* the number of strides is in the snapshot */
        recall_world(w, &s);
        ck_assert(pv_world_compute_hash(w) == hash);
        step_times(60);
        ck_assert(pv_world_compute_hash(w) == end);
    }
    free(s.bytes);
}

START_TEST_FOR(counts_out_of_range_are_refused, i, 3) {
    static const int bad[] = {-1, 65, 1000};
    pv_world_def def = pv_world_def_default();
    pv_error error;
    ck_assert_int_eq(def.particle_substeps, 0);
    def.particle_substeps = bad[i];
    ck_assert_ptr_null(pv_world_create(&def, &error));
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    ck_assert_str_eq(error.field, "def.particle_substeps");
}

RUN_TESTS_IN("particle_stride", NULL, close_world, 1)
