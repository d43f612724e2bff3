/* test_contact.c - contacts by pixels, and what also holds by contours: touch, bounce, slide, rest.
 *
 * Invariant: expected values are formulas of mechanics or loops over pixels.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "bodies.h"

#include "core/world.h"

static pv_world *world_with(int contacts, double gx, double gy, bool sleeping) {
    return world_till_end(WORLD(it.contact_mode = (pv_contact_mode)contacts,
                                it.gravity = (pv_vec2){gx, gy}, it.enable_sleep = sleeping));
}

/// Returns a world with contacts by pixels and a gravity [px/s^2].
static pv_world *world_of(double gx, double gy, bool sleeping) {
    return world_with(PV_CONTACT_MODE_PIXELS, gx, gy, sleeping);
}

static void run(pv_world *w, double seconds) { steps_well(w, (int)(seconds * 60 + 0.5)); }

/// Returns a dynamic body's def with a restitution and the same friction of both kinds.
static pv_body_def stuff(double restitution, double friction) {
    return WITH(pv_body_def_default(), it.restitution = restitution,
                it.static_friction = it.friction = friction);
}

static pv_body_def fixed(pv_body_def def) {
    def.type = PV_BODY_STATIC;
    return def;
}

START_TEST(paper_4_1_backtracks_to_the_touch) {
    /* fast discs end on the near side of a thin wall, with no pixel inside it */
    for (int speed = 100; speed <= 12800; speed *= 2)
        for (int phase = 0; phase < 8; phase++) {
            pv_world *w = world_of(0, 0, false);
            put(w, box_mask(2, 200), 301, 0, fixed(stuff(0, 0)));
            pv_body_id b = put(w, disc_mask(4), phase / 8.0, 0.3,
                               WITH(stuff(0, 0), it.velocity = (pv_vec2){speed, 0}));
            run(w, 400.0 / speed + 0.1);
            ck_assert_msg(pv_body_get_position(w, b).x < 297, "%d px/s: at %g", speed,
                          pv_body_get_position(w, b).x);
            ck_assert_msg(pv_body_get_position(w, b).x > 294, "%d px/s: at %g", speed,
                          pv_body_get_position(w, b).x);
            ck_assert_int_eq(pv_world_compute_overlap_area(w), 0);
        }
}

START_TEST(paper_4_2_exit_velocities_of_a_head_on_hit) {
    /* Formula: v1' = ((m1 - e m2) v1 + (1 + e) m2 v2) / (m1 + m2), and with 1 and 2 swapped */
    for (int i = 0; i <= 10; i++) {
        double e = i / 10.0, m1 = 3, m2 = 1, v1 = 120, v2 = -60;
        pv_world *w = world_of(0, 0, false);
        pv_body_def def = WITH(stuff(e, 0), it.mass = m1, it.velocity = (pv_vec2){v1, 0});
        pv_body_id a = put(w, box_mask(16, 16), 0, 0, def);
        def.mass = m2, def.velocity = (pv_vec2){v2, 0};
        pv_body_id b = put(w, box_mask(16, 16), 60, 0, def);
        run(w, 1);
        double u1 = ((m1 - e * m2) * v1 + (1 + e) * m2 * v2) / (m1 + m2);
        double u2 = ((m2 - e * m1) * v2 + (1 + e) * m1 * v1) / (m1 + m2);
        ck_assert_double_eq_tol(pv_body_get_velocity(w, a).x, u1, 1e-6);
        ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, u2, 1e-6);
        ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, a), 0, 1e-9);
    }
}

/// Tests a disc by pixels, and a disc and a box by contours.
START_TEST_FOR(paper_4_2_a_drop_rebounds_to_e_squared, k, 18) {
    bool pixels = k % 3 == 0, rising = false;
    double e = k / 3 / 5.0, top = -INFINITY, due = e * e * 200;
    pv_world *w =
        world_with(pixels ? PV_CONTACT_MODE_PIXELS : PV_CONTACT_MODE_CONTOURS, 0, 320, false);
    put(w, box_mask(300, 20), 0, 10, fixed(stuff(e, 0.6)));
    pv_body_id b = put(w, k % 3 < 2 ? disc_mask(16) : box_mask(32, 32), 0, -216, stuff(e, 0.6));
    for (int s = 0; s < 200; s++) {
        steps_well(w, 1);
        double v = pv_body_get_velocity(w, b).y;
        rising |= v < -1;
        if (rising && v > 30) break;
        if (rising || s > 150) top = fmax(top, -16 - pv_body_get_position(w, b).y);
    }
    ck_assert_msg(fabs(top - due) <= (pixels ? 2.6 : fmax(0.1, 0.005 * due)), "e %g: %g of %g", e,
                  top, due);
}

START_TEST(paper_4_3_rotation_of_an_off_center_hit) {
    /* Impulse of two free rigid bodies: a small box hits a tall one 20 px above its center */
    pv_world *w = world_of(0, 0, false);
    pv_body_id a =
        put(w, box_mask(8, 8), 0, -20, WITH(stuff(0.5, 0), it.velocity = (pv_vec2){100, 0}));
    pv_body_id b = put(w, box_mask(10, 60), 40, 0, stuff(0.5, 0));
    double m1 = 64, m2 = 600, i2 = 600 * (100 + 3600) / 12.0;
    run(w, 0.6);
    double j = 1.5 * 100 / (1 / m1 + 1 / m2 + 400 / i2);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, a).x, 100 - j / m1, 1);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, j / m2, 0.5);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), 20 * j / i2, 0.02);
    /* linear and angular momentum about the origin, up to rounding */
    pv_vec2 va = pv_body_get_velocity(w, a), vb = pv_body_get_velocity(w, b),
            pa = pv_body_get_position(w, a), pb = pv_body_get_position(w, b);
    ck_assert_double_eq_tol(m1 * va.x + m2 * vb.x, 6400, 1e-6);
    double turning = m1 * (pa.x * va.y - pa.y * va.x) + m2 * (pb.x * vb.y - pb.y * vb.x) +
                     pv_body_get_inertia(w, a) * pv_body_get_angular_velocity(w, a) +
                     pv_body_get_inertia(w, b) * pv_body_get_angular_velocity(w, b);
    ck_assert_double_eq_tol(turning, 20 * 6400, 20 * 6400 * 0.002);
}

/// Returns the sums of some bodies about their common center. Their size is that of the momenta.
static motion_sums sums_of(const pv_world *w, const pv_body_id *bodies, int count) {
    motion_sums sums = {0};
    pv_vec2 center = {0, 0};
    double size = 0;
    for (int i = 0; i < count; i++) {
        pv_body_def b = pv_body_get_def(w, bodies[i]);
        add_body_sums(&sums, w, bodies[i]);
        center.x += b.mass * b.position.x;
        center.y += b.mass * b.position.y;
        size += b.mass * hypot(b.velocity.x, b.velocity.y);
    }
    sums.angular -= (center.x * sums.momentum.y - center.y * sums.momentum.x) / sums.mass;
    sums.size = size;
    return sums;
}

/// Returns the kinetic and the potential energy under a gravity.
static double energy_of(const pv_world *w, const pv_body_id *bodies, int count, double gravity) {
    double sum = kinetic_energy(w, bodies, count);
    for (int i = 0; i < count; i++)
        sum -= pv_body_get_mass(w, bodies[i]) * gravity * pv_body_get_position(w, bodies[i]).y;
    return sum;
}

/// Throws a sprite from one of three sides at a place near the middle.
static pv_body_id throw_in(pv_world *w, int side, uint64_t *seed) {
    double c = cos(2.0944 * side), s = sin(2.0944 * side), random[7];
    for (int i = 0; i < 7; i++) random[i] = next_unit(seed);
    double speed = 40 + 200 * random[0];
    pv_body_def def = WITH(stuff(random[1], random[2]),
                           it.velocity = (pv_vec2){300 - speed * c, -100 - speed * s},
                           it.angular_velocity = 12 * random[3] - 6);
    int size = 10 + (int)(30 * random[4]);
    pv_mask *mask = side == 0 ? disc_mask(size / 2) : box_mask(size, 6 + size / 2 * side);
    return put(w, mask, 60 * c + 10 * random[5], 60 * s + 10 * random[6], def);
}

START_TEST_FOR(what_meets_in_empty_space_keeps_momentum_and_angular_momentum, contacts, 2) {
    int hits = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t random = seed * 977;
        pv_world *w = world_with(contacts, 0, 0, false);
        pv_body_id bodies[3];
        int count = 2 + (int)(seed % 2);
        for (int i = 0; i < count; i++) bodies[i] = throw_in(w, i, &random);
        motion_sums was = sums_of(w, bodies, count);
        double energy = energy_of(w, bodies, count, 0);
        for (int i = 0; i < 90; i++) {
            pv_vec2 v = pv_body_get_velocity(w, bodies[0]);
            steps_well(w, 1);
            hits += vec_distance(v, pv_body_get_velocity(w, bodies[0])) > 1e-3;
            motion_sums is = sums_of(w, bodies, count);
            /* with three, two that are set back are no longer where they would meet the third */
            check_sums(&was, &is, 1e-9, 60 * (count == 2 ? 1e-9 : 1e-3));
            ck_assert_double_lt(energy_of(w, bodies, count, 0), energy * 1.001);
        }
    }
    ck_assert_int_gt(hits, 40);
}

/// A disc flies into a sleeping cloud, whose bodies also hit others, late in a substep.
START_TEST(a_sleeping_cloud_takes_the_momentum_of_what_hits_it) {
    enum { COUNT = 37 };
    uint64_t seed = 7;
    for (int k = 0; k < 40; k++) {
        pv_world *w = world_of(0, 0, true);
        pv_body_def def = stuff(0.4 * (k % 3), 0.5 * (k / 3 % 2));
        pv_body_id bodies[COUNT];
        for (int i = 0; i < COUNT - 1; i++) {
            def.angle = 3 * next_unit(&seed);
            bool round = next_unit(&seed) < 0.5;
            pv_mask *mask = round ? disc_mask(8) : box_mask(20, 8 + (int)(8 * next_unit(&seed)));
            bodies[i] = put(w, mask, 22 * (i % 6), 22 * (i / 6), def);
        }
        run(w, 1);
        ck_assert(!pv_body_is_awake(w, bodies[0]));
        def.velocity.x = 600 + 2400 * next_unit(&seed);
        bodies[COUNT - 1] = put(w, disc_mask(12), -60, 110 * next_unit(&seed), def);
        motion_sums was = sums_of(w, bodies, COUNT);
        for (int i = 0; i < 40; i++) {
            steps_well(w, 1);
            motion_sums is = sums_of(w, bodies, COUNT);
            check_sums(&was, &is, 1e-9, INFINITY);
        }
    }
}

/// Fills a closed box with moving bodies.
static pv_world *boxful_of(double gravity, pv_body_def def, pv_body_id *bodies, uint64_t seed) {
    pv_world *w = world_of(0, gravity, false);
    put(w, box_mask(200, 20), 100, -10, fixed(def));
    put(w, box_mask(200, 20), 100, 210, fixed(def));
    put(w, box_mask(20, 240), -10, 100, fixed(def));
    put(w, box_mask(20, 240), 210, 100, fixed(def));
    for (int i = 0; i < 12; i++) {
        def.angle = 3 * next_unit(&seed);
        def.velocity = (pv_vec2){400 * next_unit(&seed) - 200, 400 * next_unit(&seed) - 200};
        def.angular_velocity = 20 * next_unit(&seed) - 10;
        bodies[i] = put(w, i % 2 ? box_mask(24, 10) : disc_mask(9), 35 + 40 * (i % 4),
                        40 + 50 * (i / 4), def);
    }
    return w;
}

/// Bodies collide for 5 s and gain no energy, but for a substep's error when they come to rest.
START_TEST_FOR(contacts_add_no_energy, k, 12) {
    double gravity = k % 2 ? 320 : 0, restitution = 0.5 * (k / 2 % 3);
    pv_body_id bodies[12];
    pv_world *w = boxful_of(gravity, stuff(restitution, k / 6 ? 0.5 : 0), bodies, 3 + k);
    double scale = energy_of(w, bodies, 12, 0), was = energy_of(w, bodies, 12, gravity);
    for (int i = 0; i < 300; i++) {
        steps_well(w, 1);
        double now = energy_of(w, bodies, 12, gravity);
        ck_assert_msg(now - was <= scale * (gravity > 0 && restitution < 1 ? 5e-4 : 1e-8),
                      "case %d, step %d: %g of %g more", k, i, now - was, scale);
        was = now;
    }
}

START_TEST(paper_4_4_kinetic_friction_decelerates_by_mu_g) {
    for (int i = 1; i <= 4; i++) {
        double mu = 0.2 * i;
        pv_world *w = world_of(0, 320, false);
        put(w, box_mask(2000, 20), 0, 10, fixed(stuff(0, mu)));
        pv_body_id b = put(w, box_mask(32, 16), -300, -7.502,
                           WITH(stuff(0, mu), it.motion_locks = PV_LOCK_ROTATION,
                                it.velocity = (pv_vec2){150, 0}));
        run(w, 0.25);
        ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, 150 - mu * 320 * 0.25, 0.02 * 150);
        double at = pv_body_get_position(w, b).x + 300;
        ck_assert_double_eq_tol(at, 150 * 0.25 - mu * 320 * 0.25 * 0.25 / 2, 0.5);
        run(w, 4);
        ck_assert_double_eq_tol(pv_body_get_position(w, b).x + 300, 150 * 150 / (2 * mu * 320),
                                1.5);
        ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, 0, 1e-6);
    }
}

/// Returns how far a crate slides on a floor in 2 s, with gravity tilted by a slope.
static double slide(int contacts, double tan, double static_friction, double kinetic_friction,
                    double nudge) {
    double k = 320 / sqrt(1 + tan * tan);
    pv_world *w = world_with(contacts, k * tan, k, false);
    pv_body_def def = WITH(stuff(0, kinetic_friction), it.static_friction = static_friction);
    put(w, box_mask(4000, 20), 0, 10, fixed(def));
    def.velocity.x = nudge;
    double gap = contacts == PV_CONTACT_MODE_PIXELS ? -0.498 : PV_REST_GAP; /* the bitmaps touch */
    pv_body_id b = put(w, box_mask(32, 16), -500, -8 - gap, def);
    run(w, 2);
    return pv_body_get_position(w, b).x + 500;
}

START_TEST_FOR(paper_4_5_static_friction_holds_until_it_does_not, contacts, 2) {
    bool pixels = contacts == PV_CONTACT_MODE_PIXELS;
    double way = 0.5 * 320 / sqrt(1.25) * (0.5 - 0.3) * 4;
    ck_assert_double_eq_tol(slide(contacts, 0.5, 0.525, 0.525, 0), 0, 0.05);
    if (pixels) ck_assert_double_eq_tol(slide(contacts, 0.5, 0.55, 0.3, 0), 0, 0.01);
    ck_assert_double_eq_tol(slide(contacts, 0.5, 0.45, 0.3, 0), way, pixels ? 4 : 0.005 * way);
    /* once it moves, kinetic friction acts, even though static friction would hold */
    way += 30 * 2;
    ck_assert_double_eq_tol(slide(contacts, 0.5, 0.6, 0.3, 30), way, pixels ? 5 : 0.01 * way);
}

START_TEST(mixing_rules) {
    /* a head-on hit of equals with e = .9 and .1: the relative exit speed is the mixed e */
    for (int geometric = 0; geometric < 2; geometric++) {
        pv_world *w = world_till_end(
            WORLD(it.contact_mode = PV_CONTACT_MODE_PIXELS, it.gravity = (pv_vec2){0, 0},
                  it.restitution_mix = geometric ? PV_MIX_GEOMETRIC : PV_MIX_AVERAGE));
        pv_body_id a =
            put(w, box_mask(8, 8), 0, 0, WITH(stuff(0.9, 0), it.velocity = (pv_vec2){100, 0}));
        pv_body_id b = put(w, box_mask(8, 8), 30, 0, stuff(0.1, 0));
        run(w, 0.5);
        double e = geometric ? sqrt(0.09) : 0.5;
        ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x - pv_body_get_velocity(w, a).x,
                                100 * e, 1e-6);
    }
}

START_TEST(nothing_but_pixels_decides_where_things_rest) {
    /* a ball dropped on a block, and on the same block with a notch in its top */
    for (int notched = 0; notched < 2; notched++) {
        pv_world *w = world_of(0, 320, true);
        pv_mask *block = box_mask(64, 32);
        if (notched) pv_mask_fill_rect(block, (pv_rect){18, 0, 28, 12}, false);
        /* the block's position is its center of mass, so its top is at y = 0 */
        put(w, block, 0, pv_mask_compute_mass(block).centroid.y, fixed(stuff(0, 0.6)));
        pv_body_id ball = put(w, disc_mask(8), 0, -40, stuff(0, 0.6));
        run(w, 3);
        ck_assert_double_eq_tol(pv_body_get_position(w, ball).y, notched ? 4 : -8, 1);
        ck_assert(!pv_body_is_awake(w, ball));
        ck_assert_int_eq(pv_world_compute_overlap_area(w), 0);
    }
}

START_TEST(balls_roll_down_stairs_of_pixels) {
    /* formulas: a = g sin / (1 + I / (m r^2)); a lever beyond r tan stops the ball */
    static const double radius = 12, gravity = 980, slopes[] = {0.125, 0.25, 0.5, 1};
    for (int i = 0; i < 8; i++) {
        double slope = slopes[i / 2], angle = atan(slope), lever = i % 2 * 1.5 * radius * slope;
        const pv_vec2 hill[] = {{0, 0}, {800, 800 * slope}, {0, 800 * slope}};
        pv_mask *stairs = pv_mask_create_polygon(hill, 3, NULL, NULL, NULL);
        pv_vec2 center = pv_mask_compute_mass(stairs).centroid;
        pv_body_def def = WITH(stuff(0, 1.5), it.rolling_resistance = lever);
        pv_world *w = world_of(0, gravity, false);
        put(w, stairs, center.x, center.y, fixed(def));
        double h = radius + 0.8, x = 100 + h * sin(angle), y = 100 * slope - h * cos(angle);
        pv_body_id ball = put(w, disc_mask((int)radius), x, y, def);
        run(w, 1);
        double way = (pv_body_get_position(w, ball).x - x) / cos(angle),
               formula = gravity * sin(angle) / 1.5 / 2;
        if (lever > 0)
            ck_assert_double_lt(fabs(pv_body_get_velocity(w, ball).x), 0.1);
        else
            ck_assert_double_eq_tol(way / formula, 1, 0.15);
        ck_assert_int_eq(pv_world_compute_overlap_area(w), 0);
    }
}

START_TEST(things_fly_through_holes) {
    pv_world *w = world_of(0, 0, false);
    pv_mask *wall = box_mask(10, 100);
    pv_mask_fill_rect(wall, (pv_rect){0, 40, 10, 20}, false);
    put(w, wall, 100, 0, fixed(stuff(1, 0)));
    pv_body_def def = WITH(stuff(1, 0), it.velocity = (pv_vec2){300, 0});
    pv_body_id through = put(w, box_mask(16, 16), 0, 0, def);
    pv_body_id back = put(w, box_mask(16, 16), 0, 30, def);
    run(w, 1);
    ck_assert_double_eq_tol(pv_body_get_position(w, through).x, 300, 1e-6);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, back).x, -300, 1e-6);
}

START_TEST_FOR(overlapping_at_the_start_comes_apart_gently, contacts, 2) {
    pv_world *w = world_with(contacts, 0, 0, true);
    pv_body_id b[5];
    for (int i = 0; i < 5; i++) b[i] = put(w, disc_mask(10), 0.1 * i, 0.03 * i, stuff(0, 0.3));
    for (int s = 0; s < 300; s++) {
        steps_well(w, 1);
        for (int i = 0; i < 5; i++) {
            pv_vec2 v = pv_body_get_velocity(w, b[i]);
            ck_assert_double_lt(hypot(v.x, v.y), 200);
        }
    }
    ck_assert_int_le(pv_world_compute_overlap_area(w), contacts == PV_CONTACT_MODE_PIXELS ? 0 : 4);
}

START_TEST(a_kinematic_body_pushes_and_is_not_pushed) {
    pv_world *w = world_of(0, 320, true);
    put(w, box_mask(1000, 20), 0, 10, fixed(stuff(0, 0.2)));
    pv_body_id pusher = put(w, box_mask(10, 40), -100, -21,
                            WITH(of_type(PV_BODY_KINEMATIC), it.velocity = (pv_vec2){50, 0}));
    pv_body_id box = put(w, box_mask(32, 32), 0, -16, stuff(0, 0.2));
    run(w, 4);
    ck_assert_double_eq_tol(pv_body_get_position(w, pusher).x, 100, 1e-6);
    ck_assert_double_eq_tol(pv_body_get_position(w, box).x, 100 + 5 + 16, 3);
    ck_assert(pv_body_is_awake(w, box));
    pv_body_set_velocity(w, pusher, (pv_vec2){0, 0});
    run(w, 3);
    ck_assert(!pv_body_is_awake(w, box));
}

/// A slab on a floor, and a box on it. The slab has over 2^20 pixels, so no bitmap is made.
START_TEST(large_pictures_rest_where_small_ones_would) {
    pv_world *w = world_of(0, 320, false);
    put(w, box_mask(2400, 40), 0, 20, fixed(stuff(0, 0.5)));
    pv_body_id slab = put(w, box_mask(1400, 800), 0, -400 - 4, stuff(0, 0.5));
    pv_body_id box = put(w, box_mask(20, 20), 300, -800 - 10 - 8, stuff(0, 0.5));
    run(w, 1.5);
    ck_assert_double_eq_tol(pv_body_get_position(w, slab).y, -400, 1);
    ck_assert_double_eq_tol(pv_body_get_position(w, box).y,
                            pv_body_get_position(w, slab).y - 400 - 10, 1);
    pv_placed p = {pv_body_get_def(w, slab).mask, pv_body_get_transform(w, slab)};
    pv_placed q = {pv_body_get_def(w, box).mask, pv_body_get_transform(w, box)};
    ck_assert(!pv_placed_test_overlap(&p, &q));
}

/// Flies a slightly tilted box at a wall, and checks that its leading end touches first.
static void meet_by_an_end(pv_vec2 way, double tilt, bool wall_first) {
    pv_world *w = world_of(0, 0, false);
    pv_body_id box = {0, 0}, wall = {0, 0};
    bool upright = way.x != 0;
    pv_body_def def =
        WITH(stuff(0, 0), it.velocity = (pv_vec2){100 * way.x, 100 * way.y}, it.angle = tilt);
    for (int i = 0; i < 2; i++)
        if ((i == 0) == wall_first)
            wall = put(w, upright ? box_mask(20, 200) : box_mask(200, 20), 40 * way.x, 40 * way.y,
                       fixed(stuff(0, 0)));
        else
            box = put(w, upright ? box_mask(20, 60) : box_mask(60, 20), 0, 0, def);
    pv_contact_point points[8];
    int count = 0;
    for (int i = 0; i < 60 && count == 0; i++) {
        steps_well(w, 1);
        count = pv_body_get_contact_points(w, box, wall, points, 8);
    }
    ck_assert_int_ge(count, 1);
    pv_vec2 at = pv_body_get_position(w, box), side = {way.y, -way.x};
    for (int i = 0; i < count; i++) {
        double off = (points[i].point.x - at.x) * side.x + (points[i].point.y - at.y) * side.y;
        ck_assert_msg(off * tilt > 0 && fabs(off) > 20, "way (%g, %g), tilt %g: %g px off", way.x,
                      way.y, tilt, off);
    }
    ck_assert_double_lt(pv_body_get_angular_velocity(w, box) * tilt, 0); /* onto its face */
}

START_TEST_FOR(a_tilted_face_touches_by_its_leading_end, i, 4) {
    const pv_vec2 ways[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    for (int k = 0; k < 4; k++) meet_by_an_end(ways[i], k & 1 ? 0.05 : -0.05, k & 2);
}

/// Boxes set down on an edge end flat, within what rows of pixels allow.
START_TEST_FOR(what_is_off_its_contacts_topples, k, 4) {
    const double degree = 3.141592653589793 / 180;
    const pv_point sizes[] = {{24, 16}, {60, 40}};
    for (int degrees = 4; degrees < 28; degrees += 2) {
        pv_point size = sizes[k & 1];
        pv_world *w = world_of(0, k & 2 ? 980 : 320, false);
        put(w, box_mask(600, 40), 0, 20, of_type(PV_BODY_STATIC));
        pv_body_def def = WITH(stuff(0, 0.5), it.angle = degrees * degree);
        double height = size.x * sin(def.angle) + size.y * cos(def.angle);
        pv_body_id box = put(w, box_mask(size.x, size.y), 0.37 * degrees, -0.5 * height - 1, def);
        steps_well(w, 240);
        double off = remainder(pv_body_get_angle(w, box), 90 * degree) / degree;
        ck_assert_msg(fabs(off) < 6, "%d px from %d ends at %g degrees", size.x, degrees, off);
    }
}

/// Each domino tips the next one; their feet hardly move.
START_TEST(dominoes_fall_in_a_row) {
    enum { DOMINOES = 10 };
    pv_world *w = world_of(0, 980, false);
    pv_body_id row[DOMINOES];
    put(w, box_mask(600, 40), 200, 20, of_type(PV_BODY_STATIC));
    for (int i = 0; i < DOMINOES; i++)
        row[i] = put(w, box_mask(8, 40), 22 * i, -20,
                     WITH(stuff(0, 0.5), it.angular_velocity = i == 0 ? 8 : 0));
    steps_well(w, 360);
    for (int i = 0; i < DOMINOES; i++) ck_assert_double_gt(pv_body_get_angle(w, row[i]), 0.7);
}

/// Puts a peg, which turns and flies, into a slot of a frame that it fills.
static pv_world *peg_in_slot(bool frame_first, double spin, pv_body_id *frame, pv_body_id *peg) {
    pv_world *w = world_of(0, 0, false);
    pv_body_def def = stuff(0, 0);
    for (int i = 0; i < 2; i++) {
        bool is_peg = (i == 0) != frame_first;
        pv_mask *m = is_peg ? box_mask(10, 30) : box_mask(40, 40);
        if (!is_peg) pv_mask_fill_rect(m, (pv_rect){15, 5, 10, 30}, false);
        def.velocity.x = is_peg ? 30 : 0;
        def.angular_velocity = is_peg ? spin : 0;
        *(is_peg ? peg : frame) = put(w, m, 0, 0, def);
    }
    return w;
}

/// Bodies whose pixels leave no room to turn move together, like one rigid body.
START_TEST_FOR(what_is_stuck_in_another_moves_as_one, k, 6) {
    pv_body_id frame = {0, 0}, peg = {0, 0};
    pv_world *w = peg_in_slot(k & 1, 2 * (k / 2 + 1), &frame, &peg);
    int stuck = 0;
    for (int i = 0; i < 40; i++) {
        steps_well(w, 1);
        double time = w->bodies.items[0].stuck;
        if (time < 0.05 || time > 0.25) continue;
        pv_vec2 v = pv_body_get_velocity(w, peg),
                u = pv_body_get_velocity_at(w, frame, pv_body_get_position(w, peg));
        ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, frame),
                                pv_body_get_angular_velocity(w, peg), 1e-9);
        ck_assert_near(u, v, 1e-3);
        stuck++;
    }
    ck_assert_int_gt(stuck, 10);
}

/// Returns a letter L with strokes of two pixels: a thin, concave body.
static pv_mask *letter_l(int size) {
    pv_mask *m = pv_mask_create(size, size, NULL, NULL);
    pv_mask_fill_rect(m, (pv_rect){0, 0, 2, size}, true);
    pv_mask_fill_rect(m, (pv_rect){0, size - 2, size, 2}, true);
    return m;
}

/// A letter inside a slab leaves by the nearest side, also from depths beyond the field's reach.
START_TEST_FOR(what_is_buried_leaves_by_the_nearest_side, k, 16) {
    double angle = 0.4 * (k / 4), depth = 7 + 7 * (k & 3), along = 90 - 25 * (k & 3);
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 0, NULL);
    put(w, box_mask(300, 80), 0, 0, WITH(fixed(stuff(0, 0)), it.angle = angle));
    pv_vec2 up = {sin(angle), -cos(angle)}, right = {cos(angle), sin(angle)};
    double x = (40 - depth) * up.x + along * right.x, y = (40 - depth) * up.y + along * right.y;
    pv_body_id body = put(w, letter_l(10), x, y, stuff(0, 0));
    run(w, 4);
    ck_assert_int_eq(pv_world_compute_overlap_area(w), 0);
    pv_vec2 at = pv_body_get_position(w, body);
    ck_assert_double_gt(at.x * up.x + at.y * up.y, 40);
    ck_assert_double_eq_tol(at.x * right.x + at.y * right.y, along, 4);
}

/// A letter that turns and grazes a wall goes on falling, and gains no energy.
START_TEST(what_grazes_a_wall_falls_on) {
    const pv_vec2 from = {217.205, -213.157}, v = {430.888, 276.377};
    for (int k = 0; k < 100; k++) {
        pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 980, NULL);
        put(w, box_mask(30, 900), 250.262, -399.775, fixed(stuff(0, 0.6)));
        pv_mask *letter = pv_mask_create(13, 13, NULL, NULL);
        pv_mask_fill_rect(letter, (pv_rect){2, 0, 3, 13}, true);
        pv_mask_fill_rect(letter, (pv_rect){5, 10, 6, 3}, true);
        pv_body_id body = put(w, letter, from.x + 0.013 * (k / 20), from.y,
                              WITH(stuff(0, 0.6), it.angle = 0.003 * (k % 20) - 0.2595,
                                   it.velocity = v, it.angular_velocity = 27.166));
        double arm = pv_body_get_inertia(w, body) / pv_body_get_mass(w, body);
        run(w, 1);
        pv_vec2 at = pv_body_get_position(w, body), now = pv_body_get_velocity(w, body);
        double fall = at.y - from.y, most = v.x * v.x + v.y * v.y + arm * 27.166 * 27.166;
        ck_assert_double_gt(fall, 100);
        ck_assert_double_lt(now.x * now.x + now.y * now.y, most + 2 * 980 * fall);
    }
}

/// A box hits a small sprite in the corner of a room whose walls are 1 px thick.
START_TEST(what_is_pressed_stays_behind_a_wall_of_one_pixel) {
    for (int k = 0; k < 400; k++) {
        int side = 1 + k % 4;
        pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 0, NULL);
        pv_mask *room = box_mask(202, 202);
        pv_mask_fill_rect(room, (pv_rect){1, 1, 200, 200}, false);
        put(w, room, 0, 0, fixed(stuff(0, 0)));
        double at = 100 - 0.5 * side - 0.05, speed = 400 + 14 * k;
        pv_body_id body = put(w, box_mask(side, side), -at, at, stuff(0, 0.5));
        put(w, box_mask(16, 16), -at + 48, at - 36 - 0.3 * (k % 7),
            WITH(stuff(0, 0.5), it.angle = 0.7 * k,
                 it.velocity = (pv_vec2){-0.8 * speed, 0.6 * speed}));
        run(w, 0.4);
        pv_vec2 now = pv_body_get_position(w, body);
        ck_assert_double_gt(now.x, -101);
        ck_assert_double_lt(now.y, 101);
    }
}

/// A crowd's weight presses thin letters into the floor, but through it goes none.
START_TEST(no_crowd_presses_its_lowest_through_the_floor) {
    enum { PRESSED = 400 };
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 320, NULL);
    put(w, box_mask(2000, 32), 0, 40, fixed(stuff(0, 0)));
    pv_body_id bodies[PRESSED];
    for (int i = 0; i < PRESSED; i++)
        bodies[i] = put(w, i % 2 ? letter_l(8) : box_mask(8, 8), 0.001 * i, 0,
                        WITH(stuff(0, 0), it.angle = 0.7 * i));
    run(w, 3);
    for (int i = 0; i < PRESSED; i++) ck_assert_double_lt(pv_body_get_position(w, bodies[i]).y, 40);
}

RUN_TESTS_IN("contact", NULL, give_back, 1)
