/* test_long_substeps.c - restless islands take long substeps, with the same results.
 *
 * Invariant: expected motions follow from free fall, momentum and geometry.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "bodies.h"

#include "collide/manifold.h"

enum { FLOCK = 20, SIZE = 12 };

static const double STEP = 1.0 / 60, GRAVITY = 320, SPEED = 150;

static pv_world *world_of(double gravity, int substeps) {
    return WORLD(it.gravity = (pv_vec2){0, gravity}, it.substeps = substeps);
}

/// Adds a flock of boxes a pixel apart, which fly side by side.
static void put_flock(pv_world *w, pv_body_id *bodies, int count, double x) {
    pv_body_def def = WITH(pv_body_def_default(), it.velocity = (pv_vec2){SPEED, -SPEED});
    for (int i = 0; i < count; i++)
        bodies[i] =
            put(w, box_mask(SIZE, SIZE), x + (SIZE + 1) * (i % 5), (SIZE + 1) * (i / 5), def);
}

static void check_flight(const pv_world *w, pv_body_id b, int i, double x, double time) {
    pv_vec2 p = pv_body_get_position(w, b);
    ck_assert_vec_eq_tol(p, x + (SIZE + 1) * (i % 5) + SPEED * time,
                         (SIZE + 1) * (i / 5) - SPEED * time + 0.5 * GRAVITY * time * time, 1e-6);
}

/// Returns the number of bodies whose last substep was a long one.
static int count_brisk(const pv_world *w) {
    int count = 0;
    for (int i = 0; i < w->bodies.count; i++) count += w->solver.states[i + 1].h > w->dt;
    return count;
}

START_TEST(a_flock_flies_on_its_parabola) {
    scoped_world *w = world_of(GRAVITY, 16);
    pv_body_id flock[FLOCK];
    int brisk = 0, usual = 0;
    put_flock(w, flock, FLOCK, 0);
    for (int step = 1; step <= 60; step++) {
        step_well(w, STEP);
        brisk += count_brisk(w) == FLOCK;
        usual += count_brisk(w) == 0;
        for (int i = 0; i < FLOCK; i++) check_flight(w, flock[i], i, 0, step * STEP);
    }
    ck_assert_int_gt(brisk, 50);
    ck_assert_int_eq(brisk + usual, 60);
}

START_TEST(what_flies_alone_beside_a_flock_takes_its_own_substeps) {
    scoped_world *w = world_of(GRAVITY, 16);
    pv_body_id flock[FLOCK], alone;
    put_flock(w, flock, FLOCK, 0);
    put_flock(w, &alone, 1, 1000);
    for (int step = 1; step <= 60; step++) {
        step_well(w, STEP);
        ck_assert_int_eq(count_brisk(w), FLOCK);
        ck_assert_int_eq(w->solver.flying_count, 1); /* it flies in a single stride */
        ck_assert_int_eq(w->substeps, 16);
        for (int i = 0; i < FLOCK; i++) check_flight(w, flock[i], i, 0, step * STEP);
        check_flight(w, alone, 0, 1000, step * STEP);
    }
}

/// Checks how many bodies take long substeps in the third step, and how long substeps are.
static void check_brisk(pv_world *w, int count, int brisk, int substeps) {
    pv_body_id flock[FLOCK];
    put_flock(w, flock, count, 0);
    for (int i = 0; i < 3; i++) pv_world_step(w, STEP);
    ck_assert_int_eq(count_brisk(w), brisk);
    ck_assert_double_eq_tol(STEP / w->solver.states[w->bodies.count].h, substeps, 1e-9);
    pv_world_destroy(w);
}

/// Checks a flock beside another box or, with angle, an L of that size.
static void check_beside(pv_body_def def, bool angle, double x, double y, int brisk, int substeps) {
    pv_world *w = world_of(GRAVITY, 16);
    pv_mask *mask = box_mask(SIZE, SIZE);
    if (angle)
        ck_assert_int_eq(pv_mask_fill_rect(mask, (pv_rect){4, 0, SIZE - 4, SIZE - 4}, false),
                         PV_OK);
    put(w, mask, x, y, def);
    check_brisk(w, FLOCK, brisk, substeps);
}

START_TEST(what_needs_them_takes_more_substeps) {
    check_brisk(world_of(GRAVITY, 16), FLOCK, FLOCK, 4);
    check_brisk(world_of(GRAVITY, 16), 13, 0, 16); /* too few */
    check_brisk(world_of(GRAVITY, 8), FLOCK, FLOCK, 4);
    check_brisk(world_of(GRAVITY, 4), FLOCK, 0, 4); /* substeps are long already */
    pv_body_def heavy = pv_body_def_default(), lift = of_type(PV_BODY_KINEMATIC), fast = heavy;
    heavy.velocity = lift.velocity = (pv_vec2){SPEED, -SPEED};
    heavy.density = 20;
    fast.velocity = (pv_vec2){1000, -SPEED};
    check_beside(heavy, false, -SIZE - 1, 0, 0, 16);
    check_beside(lift, false, -SIZE - 2, -10, 0, 16);
    check_beside(fast, false, 20, -SIZE - 3, FLOCK + 1, 4);
    check_beside(fast, true, 20, -SIZE - 3, FLOCK + 1, 9); /* its contour has notches */
    fast.velocity.x = 2500;
    check_beside(fast, true, -40, -SIZE - 3, 0, 16);
    pv_body_def whirl = WITH(pv_body_def_default(), it.velocity = heavy.velocity);
    whirl.angular_velocity = 500; /* its corners move at 4240 px/s */
    check_beside(whirl, false, -SIZE - 4, 0, 0, 16);
    pv_world *w = world_of(GRAVITY, 16);
    CREATE(particle, w, it.position = (pv_vec2){-500, 0}); /* matter */
    check_brisk(w, FLOCK, 0, 16);
}

/// A turning box, whose corners pass a flock by 1.5 px, keeps its motion.
START_TEST(what_turns_beside_a_flock_hits_nothing) {
    for (double spin = 50; spin <= 500; spin += 50) {
        scoped_world *w = world_of(GRAVITY, 16);
        pv_body_id flock[FLOCK];
        pv_body_id whirl = put(w, box_mask(SIZE, SIZE), -SIZE - 4, 0,
                               WITH(pv_body_def_default(), it.velocity = (pv_vec2){SPEED, -SPEED},
                                    it.angular_velocity = spin));
        put_flock(w, flock, FLOCK, 0);
        for (int i = 0; i < 30; i++) step_well(w, STEP);
        ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, whirl), spin, 1e-6);
        check_flight(w, flock[0], 0, 0, 30 * STEP);
        check_flight(w, whirl, 0, -SIZE - 4, 30 * STEP);
    }
}

/// Adds a swarm of discs and boxes that fly in all directions.
static void put_swarm(pv_world *w, uint64_t seed, pv_body_id *bodies) {
    for (int i = 0; i < FLOCK; i++) {
        pv_body_def def = WITH(
            pv_body_def_default(),
            it.velocity = (pv_vec2){600 * next_unit(&seed) - 300, 600 * next_unit(&seed) - 300},
            it.angular_velocity = 10 * next_unit(&seed) - 5);
        bodies[i] =
            put(w, i % 2 ? disc_mask(6) : box_mask(SIZE, SIZE), 14 * (i % 5), 14 * (i / 5), def);
    }
}

START_TEST(a_swarm_keeps_its_momentum) {
    for (uint64_t seed = 1; seed <= 10; seed++) {
        scoped_world *w = world_of(0, 16);
        pv_body_id bodies[FLOCK];
        int brisk = 0;
        put_swarm(w, seed, bodies);
        motion_sums was = {0}, is = {0};
        for (int i = 0; i < FLOCK; i++) add_body_sums(&was, w, bodies[i]);
        for (int step = 0; step < 20; step++) {
            double energy = kinetic_energy(w, bodies, FLOCK);
            step_well(w, STEP);
            brisk += count_brisk(w);
            ck_assert_double_le(kinetic_energy(w, bodies, FLOCK), energy * (1 + 1e-4));
        }
        for (int i = 0; i < FLOCK; i++) add_body_sums(&is, w, bodies[i]);
        ck_assert_int_gt(brisk, 2 * FLOCK);
        check_sums(&was, &is, 1e-12, 1e-9);
    }
}

START_TEST(a_tall_pyramid_does_not_swing) {
    enum { ROWS = 30 };
    scoped_world *w = world_of(3000, 16);
    pv_body_id top = {0};
    put(w, box_mask(ROWS * (SIZE + 2), SIZE), 0, 0.5 * SIZE,
        WITH(pv_body_def_default(), it.type = PV_BODY_STATIC));
    for (int row = 0; row < ROWS; row++)
        for (int i = row; i < ROWS; i++)
            top = put(w, box_mask(SIZE, SIZE), (SIZE + 1) * (i - 0.5 * (row + ROWS)),
                      -(SIZE + 0.25) * (row + 0.5), pv_body_def_default());
    for (int step = 0; step < 150; step++) step_well(w, STEP);
    ck_assert(!pv_body_is_awake(w, top));
}

START_TEST(discs_press_along_the_line_of_their_centers) {
    scoped_world *w = world_of(GRAVITY, 16);
    pv_body_def def = WITH(pv_body_def_default(), it.velocity.x = 60);
    put(w, disc_mask(60), 0, 0, of_type(PV_BODY_STATIC));
    pv_body_id disc = put(w, disc_mask(8), -20, -64.98, def);
    int touched = 0;
    for (int step = 0; step < 40; step++) {
        step_well(w, STEP);
        pv_vec2 p = pv_body_get_position(w, disc);
        double distance = hypot(p.x, p.y);
        ck_assert_double_gt(distance, 68 - 0.05);
        pv_contact c;
        if (w->manifolds.active_count == 0 ||
            !pv__manifold_contact(w, &w->manifolds.items[w->manifolds.active[0]], &c))
            continue;
        touched++;
        ck_assert_double_gt(c.normal.x * p.x + c.normal.y * p.y, distance * (1 - 1e-6));
    }
    ck_assert_int_gt(touched, 5);
}

RUN_TESTS_IN("long_substeps", NULL, give_back, 1)
