/* test_stride.c - particle_substeps: strides of particles that nothing holds.
 *
 * Invariant: expected values are closed formulas of mechanics, sums of momenta, or the same world
 * with all substeps where strides must change nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#define STEP (1.0 / 60)

static const double GRAVITY = 320;
static const pv_bounce BOUNCES[] = {PV_BOUNCE_TOUCH, PV_BOUNCE_SWAP, PV_BOUNCE_REFLECT,
                                    PV_BOUNCE_NONE};

static pv_world *open_world(pv_vec2 gravity, int substeps, int particle_substeps) {
    pv_world_def def = pv_world_def_default();
    def.gravity = gravity;
    def.substeps = substeps;
    def.particle_substeps = particle_substeps;
    pv_world *w = pv_world_create(&def, NULL);
    ck_assert_ptr_nonnull(w);
    return w;
}

static pv_world *open_strides(int particle_substeps) {
    return open_world((pv_vec2){0, GRAVITY}, 0, particle_substeps);
}

static pv_body_id add_floor(pv_world *w, double top, double restitution, double friction) {
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

static pv_particle_id add(pv_world *w, pv_particle_def def) {
    pv_particle_id p = pv_particle_create(w, &def, NULL);
    ck_assert(!PV_ID_IS_NULL(p));
    return p;
}

static void run(pv_world *w, int steps) {
    for (int i = 0; i < steps; i++) step_well(w, STEP);
}

static void expect_same(pv_world *a, pv_world *b, const char *what) {
    ck_assert_msg(pv_world_compute_hash(a) == pv_world_compute_hash(b), "%s", what);
}

/* ---- free flight ---- */

START_TEST(a_flight_has_the_bits_of_all_substeps) {
    for (int strides = 1; strides <= 5; strides += 2) {
        pv_world *all = open_strides(0), *few = open_strides(strides);
        pv_world *const worlds[] = {all, few};
        for (int i = 0; i < 2; i++) {
            add_floor(worlds[i], 1000, 0, 0.5); /* within reach of the fast one, and not touched */
            pv_particle_def def = speck(0, 0, 50, -100);
            def.linear_damping = 0.7;
            pv_particle_id p = add(worlds[i], def);
            add(worlds[i], speck(-100, 900, 4000, -20));
            pv_particle_apply_force(worlds[i], p, (pv_vec2){700, 30});
        }
        for (int step = 0; step < 60; step++) {
            run(all, 1);
            run(few, 1);
            expect_same(all, few, "flight");
        }
        pv_world_destroy(all);
        pv_world_destroy(few);
    }
}
END_TEST

START_TEST(a_fall_is_the_sum_of_its_gains) {
    pv_world *w = open_strides(1);
    add_floor(w, 1200, 0, 0);
    pv_particle_id p = add(w, speck(0, 0, 50, -100));
    run(w, 120);
    double h = STEP / 16, n = 120 * 16, t = n * h;
    ck_assert_double_eq_tol(pv_particle_get_position(w, p).x, 50 * t, 1e-8);
    ck_assert_double_eq_tol(pv_particle_get_position(w, p).y,
                            -100 * t + GRAVITY * h * h * n * (n + 1) / 2, 1e-7);
    ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).y, -100 + GRAVITY * t, 1e-7);
    pv_world_destroy(w);
}
END_TEST

/* ---- contacts ---- */

START_TEST(what_rests_lies_still) {
    for (int strides = 1; strides <= 3; strides++)
        for (int i = 0; i < 4; i++)
            for (double gravity = 320; gravity < (BOUNCES[i] == PV_BOUNCE_SWAP ? 400 : 4000);
                 gravity *= 10) {
                pv_world *w = open_world((pv_vec2){0, gravity}, 0, strides);
                add_floor(w, 100, 0.5, 0.5);
                pv_particle_def def = speck(7, 40, 0, 0);
                def.restitution = 0.5;
                def.bounce = BOUNCES[i];
                pv_particle_id p = add(w, def);
                run(w, 600);
                ck_assert_double_eq_tol(pv_particle_get_position(w, p).y, 97, 0.3);
                pv_vec2 at = pv_particle_get_position(w, p), v = pv_particle_get_velocity(w, p);
                ck_assert_double_eq_tol(hypot(v.x, v.y), 0, 0.01);
                run(w, 60);
                ck_assert_double_eq_tol(pv_particle_get_position(w, p).y, at.y, 0.01);
                pv_world_destroy(w);
            }
}
END_TEST

/// Returns way and speed down a slope of an angle in two seconds from rest, with tilted gravity.
static pv_vec2 slide(double angle, double friction, int strides) {
    pv_vec2 gravity = {GRAVITY * sin(angle), GRAVITY * cos(angle)};
    pv_world *w = open_world(gravity, 0, strides);
    add_floor(w, 100, 0, friction);
    pv_particle_def def = speck(-300, 97, 0, 0);
    def.static_friction = def.friction = friction;
    pv_particle_id p = add(w, def);
    run(w, 120);
    pv_vec2 result = {pv_particle_get_position(w, p).x + 300, pv_particle_get_velocity(w, p).x};
    pv_world_destroy(w);
    return result;
}

START_TEST(what_slides_has_the_friction_of_the_formula) {
    for (int strides = 1; strides <= 3; strides++) {
        ck_assert_double_eq_tol(slide(atan(0.5) - 0.03, 0.5, strides).x, 0, 1e-9);
        double angle = 0.7, a = GRAVITY * (sin(angle) - 0.5 * cos(angle));
        ck_assert_double_eq_tol(slide(angle, 0.5, strides).x, a / 2 * 4, 0.2);
        ck_assert_double_eq_tol(slide(angle, 0.5, strides).y, a * 2, 1e-6);
    }
}
END_TEST

/// Returns the greatest height above a floor that gives back all, in the last ten seconds of a
/// minute.
static double height_after_a_minute(pv_bounce bounce, int strides) {
    pv_world *w = open_strides(strides);
    add_floor(w, 100, 1, 0);
    pv_particle_def def = speck(0, -3, 0, 0);
    def.restitution = 1;
    def.bounce = bounce;
    pv_particle_id p = add(w, def);
    double highest = 1e9;
    for (int i = 0; i < 3600; i++) {
        run(w, 1);
        if (i >= 3000) highest = fmin(highest, pv_particle_get_position(w, p).y);
    }
    pv_world_destroy(w);
    return 97 - highest;
}

START_TEST(what_bounces_keeps_its_energy) {
    for (int strides = 1; strides <= 5; strides += 2) {
        ck_assert_double_eq_tol(height_after_a_minute(PV_BOUNCE_TOUCH, strides), 100, 1.5);
        ck_assert_double_eq_tol(height_after_a_minute(PV_BOUNCE_SWAP, strides), 100, 1.5);
    }
}
END_TEST

START_TEST(platforms_and_conveyors_carry) {
    for (int strides = 0; strides <= 2; strides++) {
        pv_world *w = open_strides(strides);
        pv_body_def def = of_type(PV_BODY_KINEMATIC);
        def.velocity = (pv_vec2){60, -30};
        put(w, box_mask(400, 20), 0, 110, def);
        def = of_type(PV_BODY_STATIC);
        def.tangent_speed = 40; /* clockwise: to the right on top */
        put(w, box_mask(2000, 20), 0, 510, def);
        pv_particle_id rider = add(w, speck(0, 90, 0, 0)), goods = add(w, speck(-300, 490, 0, 0));
        run(w, 120);
        ck_assert_double_eq_tol(pv_particle_get_velocity(w, rider).x, 60, 0.01);
        ck_assert_double_eq_tol(pv_particle_get_velocity(w, rider).y, -30, 0.01);
        ck_assert_double_eq_tol(pv_particle_get_position(w, rider).y, 100 - 3 - 60, 0.1);
        ck_assert_double_eq_tol(pv_particle_get_velocity(w, goods).x, 40, 0.01);
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(one_way_platforms_hold_from_above_alone) {
    pv_world *w = open_strides(1);
    pv_body_def def = of_type(PV_BODY_STATIC);
    def.one_way_normal = (pv_vec2){0, -1};
    put(w, box_mask(400, 10), 0, 105, def);
    pv_particle_id above = add(w, speck(-50, 20, 0, 0)), below = add(w, speck(50, 140, 0, -260));
    for (int i = 0; i < 40; i++) run(w, 1);
    ck_assert_double_lt(pv_particle_get_position(w, below).y, 110); /* it goes up through it */
    run(w, 200);
    ck_assert_double_eq_tol(pv_particle_get_position(w, above).y, 97, 0.1);
    ck_assert_double_eq_tol(pv_particle_get_position(w, below).y, 97, 0.1);
    pv_world_destroy(w);
}
END_TEST

/* ---- speed ---- */

START_TEST(no_speed_passes_a_sheet_of_one_pixel) {
    for (int i = 0; i < 4; i++)
        for (double radius = 0; radius < 30; radius = 3 * radius + 0.3)
            for (double speed = 20; speed < 1.6e7; speed *= 1.7) {
                pv_world *w = open_world((pv_vec2){0, 0}, 0, 1);
                put(w, box_mask(1, 200), 100, 0, of_type(PV_BODY_STATIC));
                pv_particle_def def = speck(40, 11, speed, 0);
                def.radius = radius;
                def.restitution = 0.5;
                def.bounce = BOUNCES[i];
                pv_particle_id p = add(w, def);
                double most = -INFINITY;
                for (int step = 0; step < 300; step++) {
                    ck_assert_int_eq(pv_world_step(w, STEP), PV_OK);
                    most = fmax(most, pv_particle_get_position(w, p).x);
                }
                ck_assert_msg(most < 100.2, "way %d, radius %g, %g px/s: %g", i, radius, speed,
                              most);
                pv_world_destroy(w);
            }
}
END_TEST

/* ---- momentum ---- */

/// Momentum and angular momentum about the origin of all that can be moved.
typedef struct total {
    double x, y, turn;
} total;

static void count(total *t, double mass, pv_vec2 at, pv_vec2 v) {
    t->x += mass * v.x;
    t->y += mass * v.y;
    t->turn += mass * (at.x * v.y - at.y * v.x);
}

static total total_of(const pv_world *w, pv_body_id body) {
    total t = {0, 0, 0};
    for (pv_particle_id p = pv_world_get_next_particle(w, pv_null_particle); p.index;
         p = pv_world_get_next_particle(w, p))
        count(&t, pv_particle_get_mass(w, p), pv_particle_get_position(w, p),
              pv_particle_get_velocity(w, p));
    count(&t, pv_body_get_mass(w, body), pv_body_get_position(w, body),
          pv_body_get_velocity(w, body));
    t.turn += pv_body_get_inertia(w, body) * pv_body_get_angular_velocity(w, body);
    return t;
}

/// Throws discs at a crate from all sides. It sleeps until the first one, which hits it in the step
/// that wakes it, and so in a stride.
static void bombard(pv_world *w, pv_bounce bounce) {
    for (int i = 0; i < 9; i++) {
        double a = 0.1 + 0.7 * i, far = 40 + 25 * i, aim = 5 * sin(5.0 * i + 1);
        double speed = i == 0 ? 3000 : 300 + 50 * i;
        pv_particle_def def = speck(far * cos(a) - aim * sin(a), far * sin(a) + aim * cos(a),
                                    -speed * cos(a), -speed * sin(a));
        def.mass = 5 + 7 * i % 30;
        def.restitution = 0.5;
        def.bounce = bounce;
        add(w, def);
    }
}

START_TEST(hits_keep_momentum_and_angular_momentum) {
    for (int i = 0; i < 4; i++)
        for (int strides = 1; strides <= 3; strides += 2) {
            pv_world *w = open_world((pv_vec2){0, 0}, 0, strides);
            pv_body_id crate = put(w, box_mask(20, 12), 0, 0, of_type(PV_BODY_DYNAMIC));
            run(w, 120);
            ck_assert(!pv_body_is_awake(w, crate));
            bombard(w, BOUNCES[i]);
            total before = total_of(w, crate);
            for (int step = 0; step < 60; step++) {
                run(w, 1);
                total after = total_of(w, crate);
                ck_assert_double_eq_tol(after.x, before.x, 1e-5);
                ck_assert_double_eq_tol(after.y, before.y, 1e-5);
                ck_assert_double_eq_tol(after.turn, before.turn, 1e-3);
            }
            ck_assert(pv_body_is_awake(w, crate));
            pv_vec2 v = pv_body_get_velocity(w, crate);
            ck_assert_double_gt(hypot(v.x, v.y), 1);
            pv_world_destroy(w);
        }
}
END_TEST

START_TEST(a_central_hit_is_that_of_two_masses) {
    for (int i = 0; i < 3; i++) { /* 144 px at rest, hit by 36 with restitution 1/2 */
        pv_world *w = open_world((pv_vec2){0, 0}, 0, 1);
        pv_body_def def = of_type(PV_BODY_DYNAMIC);
        def.restitution = 0.5;
        pv_body_id b = put(w, box_mask(12, 12), 0, 0, def);
        pv_particle_def hit = speck(-60, 0, 240, 0);
        hit.mass = 36;
        hit.restitution = 0.5;
        hit.bounce = BOUNCES[i];
        pv_particle_id p = add(w, hit);
        run(w, 60);
        double center = 36 * 240 / 180.0;
        ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, center + 36 * 0.5 * 240 / 180, 0.01);
        ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).x, center - 144 * 0.5 * 240 / 180,
                                0.01);
        pv_world_destroy(w);
    }
}
END_TEST

/* ---- what takes all substeps ---- */

/// Fills a world with matter that is held: a rope, a liquid, a composite, a polygon on a disc, and
/// discs under a crate that never sleeps.
static void add_held(pv_world *w) {
    add_floor(w, 200, 0.3, 0.5);
    pv_rope_def rope = pv_rope_def_default();
    rope.from = pv_anchor_world((pv_vec2){-300, 100});
    rope.to = pv_anchor_world((pv_vec2){-200, 100});
    rope.slack = 0.9;
    pv_rope_create(w, &rope, NULL);
    pv_liquid_def liquid = pv_liquid_def_default();
    pv_liquid_id water = pv_liquid_create(w, &liquid, NULL);
    pv_composite_id list = pv_composite_create(w, NULL);
    for (int i = 0; i < 20; i++) {
        pv_liquid_add_particle(w, water,
                               add(w, speck(-150 + 6 * (i % 5), 150 + 6 * (i / 5), 0, 0)));
        pv_composite_add_particle(w, list, add(w, speck(5 * i, 120 + 7 * i % 40, 90, 0)));
    }
    const pv_vec2 corners[] = {{200, 100}, {240, 100}, {240, 140}, {200, 140}};
    pv_polygon_def polygon = pv_polygon_def_default();
    polygon.points = corners;
    polygon.point_count = 4;
    pv_polygon_create(w, &polygon, NULL);
    pv_particle_def pin = speck(222, 170, 0, 0);
    pin.mass = 0;
    add(w, pin);
    for (int i = -1; i <= 1; i++) {
        pv_particle_def disc = speck(330 + 14 * i, 196, 0, 0);
        disc.mass = 60;
        add(w, disc);
    }
    put(w, box_mask(50, 20), 330, 183, of_type(PV_BODY_DYNAMIC));
}

START_TEST(what_is_held_takes_all_substeps) {
    pv_world_def def = pv_world_def_default();
    def.enable_sleep = false;
    pv_world *all = pv_world_create(&def, NULL);
    def.particle_substeps = 1;
    pv_world *few = pv_world_create(&def, NULL);
    add_held(all);
    add_held(few);
    for (int i = 0; i < 240; i++) {
        run(all, 1);
        run(few, 1);
        expect_same(all, few, "held");
    }
    pv_world_destroy(all);
    pv_world_destroy(few);
}
END_TEST

START_TEST(as_many_strides_as_substeps_change_nothing) {
    for (int mode = 0; mode <= PV_CONTACT_MODE_CONTOURS; mode++)
        for (int strides = 8; strides <= 64; strides *= 8) {
            pv_world *worlds[2];
            for (int i = 0; i < 2; i++) {
                pv_world_def def = pv_world_def_default();
                def.contact_mode = (pv_contact_mode)mode;
                def.substeps = 8;
                def.particle_substeps = i ? strides : 0;
                worlds[i] = pv_world_create(&def, NULL);
                add_floor(worlds[i], 100, 0.5, 0.3);
                for (int k = 0; k < 30; k++) add(worlds[i], speck(7 * k, 50 - k, 30 * k, 200));
                run(worlds[i], 120);
            }
            expect_same(worlds[0], worlds[1], "as many");
            pv_world_destroy(worlds[0]);
            pv_world_destroy(worlds[1]);
        }
}
END_TEST

/* ---- from free to held and back ---- */

/// Ties a particle to the world by a rope that never comes taut.
static pv_joint_id tie(pv_world *w, pv_particle_id p) {
    pv_joint_def def = pv_joint_def_default();
    def.type = PV_JOINT_ROPE;
    def.a = pv_anchor_particle(p);
    def.b = pv_anchor_world((pv_vec2){0, 0});
    def.length = 1e5;
    pv_joint_id j = pv_joint_create(w, &def, NULL);
    ck_assert(!PV_ID_IS_NULL(j));
    return j;
}

START_TEST(what_comes_to_be_held_keeps_its_velocity) {
    pv_world *w = open_strides(1);
    add_floor(w, 3000, 0, 0);
    pv_particle_id p = add(w, speck(0, 0, 80, -40));
    pv_joint_id rope = pv_null_joint;
    for (int i = 0; i < 120; i++) {
        pv_vec2 was = pv_particle_get_velocity(w, p);
        if (i % 20 == 7) rope = tie(w, p);
        if (i % 20 == 17) pv_joint_destroy(w, rope);
        pv_vec2 v = pv_particle_get_velocity(w, p);
        ck_assert_double_eq(v.x, was.x);
        ck_assert_double_eq(v.y, was.y);
        step_well(w, i % 3 ? STEP : STEP / 2); /* and steps of other lengths */
        ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).x, 80, 1e-8);
        ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).y,
                                was.y + GRAVITY * (i % 3 ? STEP : STEP / 2), 1e-8);
    }
    pv_world_destroy(w);
}
END_TEST

START_TEST(what_rests_is_not_thrown_when_held) {
    pv_world *w = open_strides(1);
    add_floor(w, 100, 0, 0.5);
    pv_particle_id p = add(w, speck(0, 90, 0, 0));
    run(w, 100);
    double y = pv_particle_get_position(w, p).y;
    for (int i = 0; i < 10; i++) {
        pv_joint_id rope = tie(w, p);
        run(w, 10);
        pv_joint_destroy(w, rope);
        run(w, 10);
        ck_assert_double_eq_tol(pv_particle_get_position(w, p).y, y, 1e-3);
        ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).y, 0, 1e-3);
    }
    pv_world_destroy(w);
}
END_TEST

/* ---- the same again ---- */

/// Lets debris of all kinds rain on a turning bar, a sleeping crate and a floor.
static void add_rain(pv_world *w) {
    uint64_t dice = 5;
    add_floor(w, 200, 0.5, 0.5);
    pv_body_id bar = put(w, box_mask(160, 6), -100, 120, of_type(PV_BODY_KINEMATIC));
    pv_body_set_angular_velocity(w, bar, 3);
    put(w, box_mask(40, 30), 150, 185, of_type(PV_BODY_DYNAMIC));
    pv_composite_id list = pv_composite_create(w, NULL);
    for (int i = 0; i < 200; i++) {
        pv_particle_def def = speck(400 * next_unit(&dice) - 200, 100 * next_unit(&dice),
                                    300 * next_unit(&dice) - 150, 900 * next_unit(&dice));
        def.radius = 4 * next_unit(&dice);
        def.mass = 0.1 + next_unit(&dice);
        def.restitution = next_unit(&dice);
        def.bounce = BOUNCES[i % 4];
        pv_particle_id p = add(w, def);
        if (i % 10 == 0) pv_composite_add_particle(w, list, p);
        if (i % 10 == 1) tie(w, p);
    }
}

START_TEST(a_restored_world_goes_the_same_way) {
    pv_world *w = open_strides(2), *other = open_strides(0);
    add_rain(w);
    run(w, 40);
    size_t size = pv_world_get_snapshot_size(w, PV_SNAPSHOT_PIXELS);
    void *bytes = malloc(size);
    ck_assert_int_eq(pv_world_save(w, PV_SNAPSHOT_PIXELS, bytes, size, NULL), PV_OK);
    uint64_t hash = pv_world_compute_hash(w);
    run(w, 60);
    uint64_t end = pv_world_compute_hash(w);
    pv_world *const worlds[] = {w, other}; /* the number of strides is in the snapshot */
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pv_world_restore(worlds[i], bytes, size), PV_OK);
        ck_assert(pv_world_compute_hash(worlds[i]) == hash);
        run(worlds[i], 60);
        ck_assert(pv_world_compute_hash(worlds[i]) == end);
    }
    free(bytes);
    pv_world_destroy(w);
    pv_world_destroy(other);
}
END_TEST

START_TEST(runs_repeat) {
    for (int strides = 0; strides <= 3; strides++) {
        uint64_t hashes[2];
        for (int i = 0; i < 2; i++) {
            pv_world *w = open_strides(strides);
            add_rain(w);
            for (int step = 0; step < 90; step++) step_well(w, step % 4 ? STEP : 2 * STEP);
            hashes[i] = pv_world_compute_hash(w);
            pv_world_destroy(w);
        }
        ck_assert(hashes[0] == hashes[1]);
    }
}
END_TEST

START_TEST(counts_out_of_range_are_refused) {
    static const int bad[] = {-1, 65, 1000};
    for (int i = 0; i < 3; i++) {
        pv_world_def def = pv_world_def_default();
        pv_error error;
        ck_assert_int_eq(def.particle_substeps, 0);
        def.particle_substeps = bad[i];
        ck_assert_ptr_null(pv_world_create(&def, &error));
        ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
        ck_assert_str_eq(error.field, "def.particle_substeps");
    }
}
END_TEST

/// Lets specks lie on a floor for three steps. Returns false when an allocation of a step was
/// refused.
/// @param before gets the number of allocations before the first step
static bool live_a_little(purse *mine, long *before) {
    pv_world_def def = pv_world_def_default();
    def.allocator = (pv_allocator){purse_alloc, mine};
    def.particle_substeps = 1;
    pv_world *w = pv_world_create(&def, NULL);
    ck_assert_ptr_nonnull(w);
    add_floor(w, 13, 0, 0.5);
    for (int i = 0; i < 20; i++) add(w, speck(5 * i, 10, 0, 0));
    *before = mine->calls;
    bool whole = true;
    for (int i = 0; i < 3; i++) whole &= pv_world_step(w, STEP) == PV_OK;
    pv_world_destroy(w);
    ck_assert_int_eq(mine->live_bytes, 0);
    return whole;
}

START_TEST(every_byte_comes_back_whatever_fails) {
    purse counted = {0, 0, 0};
    long before;
    ck_assert(live_a_little(&counted, &before));
    ck_assert_int_gt(counted.calls, before + 5);
    for (long i = before + 1; i <= counted.calls; i++) {
        purse p = {0, 0, i};
        ck_assert_msg(!live_a_little(&p, &before), "call %ld of %ld", i, counted.calls);
    }
}
END_TEST

RUN_SUITE("stride", a_flight_has_the_bits_of_all_substeps, a_fall_is_the_sum_of_its_gains,
          what_rests_lies_still, what_slides_has_the_friction_of_the_formula,
          what_bounces_keeps_its_energy, platforms_and_conveyors_carry,
          one_way_platforms_hold_from_above_alone, no_speed_passes_a_sheet_of_one_pixel,
          hits_keep_momentum_and_angular_momentum, a_central_hit_is_that_of_two_masses,
          what_is_held_takes_all_substeps, as_many_strides_as_substeps_change_nothing,
          what_comes_to_be_held_keeps_its_velocity, what_rests_is_not_thrown_when_held,
          a_restored_world_goes_the_same_way, runs_repeat, counts_out_of_range_are_refused,
          every_byte_comes_back_whatever_fails)
