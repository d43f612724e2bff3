/* test_constraint.c - joints of particles and sprites: springs, chains, hinges.
 *
 * Invariant: expected values are formulas of mechanics and sums of momenta, with and without sleep.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "shared_world.h"

#include <stdio.h>

#define STEP (1.0 / 60)

static const double PI = 3.14159265358979323846, G = 320;

static pv_world *w;

static void open_world(double gravity, bool sleeping) {
    w = next_world(WITH(with_gravity(gravity), it.enable_sleep = sleeping));
}

static void open_usual(void) { open_world(G, true); }

static pv_particle_id add_particle(double x, double y, double mass, bool collides) {
    return CREATE_WELL(particle, w,
                       WITH(pv_particle_def_default(), it.position = (pv_vec2){x, y},
                            it.mass = mass, it.collides = collides));
}

static pv_particle_id add(double x, double y, double mass) {
    return add_particle(x, y, mass, true);
}

/// Adds a particle that touches nothing.
static pv_particle_id add_ghost(double x, double y, double mass) {
    return add_particle(x, y, mass, false);
}

static pv_joint_id stick(pv_anchor a, pv_anchor b) {
    return join_by(joint_of(PV_JOINT_DISTANCE, a, b));
}

static pv_anchor on(pv_particle_id p) { return pv_anchor_particle(p); }
static pv_anchor of(pv_body_id b, double x, double y) { return pv_anchor_body(b, (pv_vec2){x, y}); }
static pv_anchor at(double x, double y) { return pv_anchor_world((pv_vec2){x, y}); }

/// Joins two anchors by a damped spring.
static pv_joint_id spring(pv_anchor a, pv_anchor b, double stiffness, double damping) {
    return join_by(
        WITH(joint_of(PV_JOINT_DISTANCE, a, b), it.stiffness = stiffness, it.damping = damping));
}

static pv_body_id box(int width, int height, double x, double y) {
    return put_box(PV_BODY_DYNAMIC, width, height, x, y);
}

static double spin_of(pv_body_id b) { return pv_body_get_angular_velocity(w, b); }

/* ---- sticks ---- */

/// Returns the mean period of a quantity: the time between its upward zero crossings.
static double period(double (*read)(const void *), const void *thing, int swings) {
    double first = -1, last = 0, t = 0, is = read(thing);
    for (int count = 0; count <= swings && t < 200;) {
        double was = is;
        step_times(1);
        is = read(thing);
        t += STEP;
        if (!(was < 0 && is >= 0)) continue;
        last = t - STEP * is / (is - was);
        if (first < 0) first = last;
        count++;
    }
    return (last - first) / swings;
}

static double x_of_particle(const void *p) { return particle_at(*(const pv_particle_id *)p).x; }
static double x_of_body(const void *b) { return body_at(*(const pv_body_id *)b).x; }
static double stretch_of(const void *joint) {
    pv_joint_id c = *(const pv_joint_id *)joint;
    return gap_of(c) - pv_joint_get_length(w, c);
}

static double swing(pv_particle_id bob) { return period(x_of_particle, &bob, 10); }

START_TEST(a_pendulum_swings_by_the_formula) {
    static const double angles[] = {0.05, 0.5, 1.5, 2.6};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++)
        for (int sleeping = 0; sleeping < 2; sleeping++) {
            open_world(G, sleeping);
            pv_particle_id bob = add(-100 * sin(angles[i]), 100 * cos(angles[i]), 3);
            pv_joint_id rod = stick(at(0, 0), on(bob));
            double is = swing(bob), wanted = pendulum_period(100, angles[i], G);
            ck_assert_msg(fabs(is / wanted - 1) < 2e-3, "%g rad: %g s, not %g", angles[i], is,
                          wanted);
            ck_assert_double_eq_tol(gap_of(rod), 100, 0.01);
        }
}

/// A body that hangs by a corner swings as a physical pendulum.
START_TEST_FOR(a_sprite_on_a_hinge_swings_by_its_inertia, sleeping, 2) {
    open_world(G, sleeping);
    pv_body_id b = put(w, box_mask(10, 120), -50 * sin(0.1), 50 * cos(0.1),
                       WITH(pv_body_def_default(), it.angle = 0.1));
    pv_joint_id pin = join(PV_JOINT_PIN, at(0, 0), of(b, 0, 0));
    double is = period(x_of_body, &b, 10);
    ck_assert_double_le(gap_of(pin), 0.05);
    double m = 1200, inertia = m * (100 + 14400) / 12.0 + m * 2500;
    double wanted = 2 * PI * sqrt(inertia / (m * G * 50)) * (1 + 0.01 / 16);
    ck_assert_double_eq_tol(is / wanted, 1, 3e-3);
}

/// Returns the energy of two sprites. Velocities are the chord's, half a substep of gravity behind.
static double energy_of(const pv_body_id b[2]) {
    double sum = 0, late = G * STEP / 16 / 2;
    for (int i = 0; i < 2; i++) {
        pv_vec2 p = body_at(b[i]), v = body_v(b[i]);
        double m = pv_body_get_mass(w, b[i]), spin = spin_of(b[i]);
        sum += m * (pow(v.x, 2) + pow(v.y - late, 2)) / 2 +
               pv_body_get_inertia(w, b[i]) * spin * spin / 2 - m * G * p.y;
    }
    return sum;
}

START_TEST_FOR(a_double_pendulum_of_sprites_keeps_its_energy, sleeping, 2) {
    open_world(G, sleeping);
    pv_body_id b[2] = {box(60, 8, 30, 0), box(60, 8, 90, 0)};
    pv_vec2 middle = {60, 0};
    pv_joint_id first = join(PV_JOINT_PIN, at(0, 0), of(b[0], 0, 0));
    pv_joint_id second =
        join(PV_JOINT_PIN, pv_anchor_body(b[0], middle), pv_anchor_body(b[1], middle));
    double start = energy_of(b), depth = 480 * G * (30 + 90); /* energy of the whole fall */
    for (int i = 0; i < 60 * 30; i++) {
        step_times(1);
        ck_assert_double_le(gap_of(first), 0.02);
        ck_assert_double_le(gap_of(second), 0.02);
        ck_assert_double_eq_tol((energy_of(b) - start) / depth, 0, 0.005);
    }
}

START_TEST_FOR(a_spring_stretches_by_its_load_over_its_stiffness, k, 4) {
    for (double stiffness = 50; stiffness < 1e5; stiffness *= 10) {
        w = next_world(
            WITH(with_gravity(G), it.enable_sleep = k & 1, it.joint_iterations = k & 2 ? 10 : 1));
        pv_particle_id p = add(0, 50, 2);
        pv_joint_id c = spring(at(0, 0), on(p), stiffness, 2 * sqrt(2 * stiffness) * 0.5);
        step_times(900);
        double wanted = 2 * G / stiffness;
        ck_assert_double_eq_tol(gap_of(c) - 50, wanted, 0.01 * wanted + 1e-4);
        ck_assert_double_eq_tol(pv_joint_get_force(w, c), 2 * G, 0.01 * 2 * G);
    }
}

/// Returns how far a rope of sixteen links sags: fifteen light ones and a heavy load.
static double sag(int relaxations) {
    w = next_world(WITH(pv_world_def_default(), it.joint_iterations = relaxations));
    pv_anchor last = at(0, 0);
    pv_particle_id load = {0, 0};
    for (int i = 1; i <= 16; i++) {
        load = add(0, 10 * i, i == 16 ? 400 : 1);
        stick(last, on(load));
        last = on(load);
    }
    double lowest = 0;
    for (int i = 0; i < 60; i++) {
        step_times(1);
        lowest = fmax(lowest, particle_at(load).y - 160);
    }
    return lowest;
}

START_TEST(more_relaxations_make_it_stiffer) {
    double once = sag(1), four = sag(4), sixteen = sag(16);
    ck_assert_double_gt(once, 0.5);
    ck_assert_double_lt(four, 0.6 * once);
    ck_assert_double_lt(sixteen, 0.6 * four);
}

START_TEST(a_rigid_stick_gives_the_weight_that_hangs_on_it) {
    pv_particle_id top = add(0, 0, 0), a = add(0, 30, 2), b = add(0, 60, 5);
    pv_joint_id upper = stick(on(top), on(a)), lower = stick(on(a), on(b));
    step_times(600);
    ck_assert_double_eq_tol(pv_joint_get_force(w, upper), 7 * G, 0.02 * 7 * G);
    ck_assert_double_eq_tol(pv_joint_get_force(w, lower), 5 * G, 0.02 * 5 * G);
    ck_assert_double_eq_tol(gap_of(upper), 30, 0.02);
}

/// Two sprites hang at one place, then the step gets shorter: both joints show the same force.
START_TEST(all_joints_take_over_a_new_step) {
    pv_joint_id c[2];
    open_world(G, false);
    for (int i = 0; i < 2; i++) {
        pv_body_id b = box(20, 20, 0, 30);
        pv_body_set_filter(w, b, (pv_filter){0, 0, 0});
        c[i] = join(PV_JOINT_PIN, at(0, 0), of(b, 0, 0));
    }
    step_times(60);
    step_well(w, STEP / 64);
    ck_assert_double_eq(pv_joint_get_force(w, c[0]), pv_joint_get_force(w, c[1]));
}

START_TEST(rope_joints_in_a_row_hold_any_mass) {
    static const double loads[] = {1e3, 1e4, 1e5, 1e6};
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        open_world(G, true);
        pv_body_id first = box(8, 8, 0, 24), second = box(8, 8, 0, 56), load = box(30, 30, 30, 89);
        pv_body_set_mass(w, first, 1);
        pv_body_set_mass(w, second, 1);
        pv_body_set_mass(w, load, loads[i]);
        pv_joint_id ropes[3] = {join(PV_JOINT_ROPE, at(0, 0), of(first, 0, 20)),
                                join(PV_JOINT_ROPE, of(first, 0, 28), of(second, 0, 52)),
                                join(PV_JOINT_ROPE, of(second, 0, 60), of(load, 16, 75))};
        for (int step = 0; step < 180; step++) {
            step_times(1);
            for (int k = 0; k < 3; k++) ck_assert_double_lt(stretch_of(&ropes[k]), 0.1);
        }
    }
}

START_TEST_FOR(a_rope_gives_way_inwards_and_a_strut_outwards, sleeping, 2) {
    open_world(0, sleeping);
    pv_particle_id in = add(50, 0, 1), out = add(50, 100, 1);
    pv_joint_id rope = join(PV_JOINT_ROPE, at(0, 0), on(in));
    pv_joint_id strut = join(PV_JOINT_STRUT, at(0, 100), on(out));
    pv_particle_set_velocity(w, in, (pv_vec2){-30, 0});
    pv_particle_set_velocity(w, out, (pv_vec2){30, 0});
    step_times(60);
    ck_assert_double_eq_tol(gap_of(rope), 20, 1e-6);
    ck_assert_double_eq_tol(gap_of(strut), 80, 1e-6);
    pv_particle_set_velocity(w, in, (pv_vec2){60, 0});
    pv_particle_set_velocity(w, out, (pv_vec2){-60, 0});
    step_times(60);
    ck_assert_double_le(gap_of(rope), 50.01);
    ck_assert_double_ge(gap_of(strut), 49.99);
}

/* ---- sprites ---- */

static double difference(pv_body_id a, pv_body_id b) {
    return remainder(pv_body_get_angle(w, b) - pv_body_get_angle(w, a), 2 * PI);
}

START_TEST_FOR(a_weld_holds_place_and_angle, sleeping, 2) {
    open_world(G, sleeping);
    pv_body_id a = put_box(PV_BODY_STATIC, 30, 10, 0, 0);
    pv_body_id b = put(w, box_mask(30, 10), 35, 0, WITH(pv_body_def_default(), it.angle = 0.5));
    pv_joint_id c = join(PV_JOINT_WELD, of(a, 20, 0), of(b, 20, 0));
    step_times(300);
    ck_assert_double_le(gap_of(c), 0.2);
    ck_assert_double_eq_tol(difference(a, b), 0.5, 0.02);
}

START_TEST(an_angle_stays_within_its_bounds) {
    open_world(0, true);
    pv_body_id a = put_box(PV_BODY_STATIC, 30, 10, 0, 0), b = box(30, 10, 40, 0);
    pv_vec2 hinge = {20, 0};
    join(PV_JOINT_PIN, pv_anchor_body(a, hinge), pv_anchor_body(b, hinge));
    pv_joint_def def =
        WITH(joint_of(PV_JOINT_ANGLE_LIMIT, pv_anchor_body(a, hinge), pv_anchor_body(b, hinge)),
             it.lower = -0.5, it.upper = 0.25);
    pv_joint_id limits = join_by(def);
    double low = 0, high = 0;
    for (int i = 0; i < 240; i++) {
        pv_body_apply_torque(w, b, (i < 120 ? 1 : -1) * pv_body_get_inertia(w, b) * 4);
        step_times(1);
        low = fmin(low, difference(a, b));
        high = fmax(high, difference(a, b));
    }
    ck_assert_double_eq_tol(high, 0.25, 0.01);
    ck_assert_double_eq_tol(low, -0.5, 0.01);
    ck_assert_int_eq(pv_joint_set_limits(w, limits, 0, 0), PV_OK);
    step_times(60);
    ck_assert_double_eq_tol(difference(a, b), 0, 0.01);
}

START_TEST_FOR(a_motor_turns_at_its_speed_with_its_torque, sleeping, 2) {
    open_world(0, sleeping);
    pv_body_id wheel = put(w, disc_mask(20), 0, 0, pv_body_def_default());
    join(PV_JOINT_PIN, at(0, 0), of(wheel, 0, 0));
    pv_joint_id motor =
        join_by(WITH(joint_of(PV_JOINT_MOTOR, at(0, 0), of(wheel, 0, 0)), it.motor_speed = 6,
                     it.max_force = pv_body_get_inertia(w, wheel) * 4));
    step_times(30);
    ck_assert_double_eq_tol(spin_of(wheel), 2, 0.02); /* half a second at 4 rad/s^2 */
    step_times(120);
    ck_assert_double_eq_tol(spin_of(wheel), 6, 0.01);
    ck_assert_int_eq(pv_joint_set_motor_speed(w, motor, -3), PV_OK);
    step_times(180);
    ck_assert_double_eq_tol(spin_of(wheel), -3, 0.01);
    ck_assert_double_le(vec_distance(body_at(wheel), (pv_vec2){0, 0}), 0.01);
}

START_TEST(a_slider_stays_on_its_line) {
    pv_body_id b = box(20, 20, 0, 0);
    join_by(WITH(joint_of(PV_JOINT_SLIDER, at(0, 0), of(b, 0, 0)), it.axis = (pv_vec2){4, 3},
                 it.lower = -10, it.upper = 100));
    step_times(30); /* a = g * 3/5 along the line */
    double along = G * 0.6 / 2 * 0.25;
    pv_vec2 p = body_at(b);
    ck_assert_double_eq_tol(0.8 * p.x + 0.6 * p.y, along, 0.02 * along);
    ck_assert_double_eq_tol(0.8 * p.y - 0.6 * p.x, 0, 0.05);
    step_times(300);
    p = body_at(b);
    ck_assert_double_eq_tol(0.8 * p.x + 0.6 * p.y, 100, 0.2);
    ck_assert_double_eq_tol(0.8 * p.y - 0.6 * p.x, 0, 0.1);
}

START_TEST_FOR(a_drag_leads_to_its_point_with_bounded_force, sleeping, 2) {
    open_world(0, sleeping);
    pv_joint_id c = join(PV_JOINT_MOUSE, of(box(20, 20, 0, 0), 0, 0), at(0, 0));
    ck_assert_int_eq(pv_joint_set_target(w, c, (pv_vec2){80, -40}), PV_OK);
    step_times(300);
    ck_assert_double_le(gap_of(c), 0.5);
    ck_assert_int_eq(pv_joint_destroy(w, c), PV_OK);
    pv_particle_id p = add(200, 0, 2);
    join_by(WITH(joint_of(PV_JOINT_MOUSE, on(p), at(900, 0)), it.max_force = 100));
    step_times(60); /* 50 px/s^2 for a second */
    ck_assert_double_eq_tol(particle_at(p).x, 225, 1);
}

/// A mouse joint without a stiffness adapts to the mass that it pulls, here of three corners.
START_TEST(a_drag_weighs_every_corner) {
    static const pv_vec2 points[] = {{0, 0}, {60, 0}, {0, 60}};
    pv_vec2 ends[2];
    for (int i = 0; i < 2; i++) {
        open_world(0, true);
        pv_body_id q = CREATE_WELL(
            polygon, w, WITH(pv_polygon_def_default(), it.points = points, it.point_count = 3));
        pv_particle_id corners[3];
        pv_body_get_corners(w, q, corners, 3);
        for (int k = 0; k < 3; k++) pv_particle_set_mass(w, corners[k], 2 << k);
        join_by(WITH(joint_of(PV_JOINT_MOUSE, of(q, 20, 20), at(90, 50)),
                     it.stiffness = i * 400.0 * 14, it.damping = i * 40.0 * 14));
        step_times(9);
        ends[i] = body_at(q);
    }
    ck_assert(ends[0].x > 22 && ends[0].x == ends[1].x && ends[0].y == ends[1].y);
}

/// Joined sprites pass each other, unless the joint says otherwise or is destroyed.
START_TEST_FOR(joined_sprites_do_not_meet_unless_they_are_to, k, 3) {
    open_world(0, true);
    pv_body_id a = put_box(PV_BODY_STATIC, 40, 40, 0, 0), b = box(40, 40, 60, 0);
    pv_joint_id c = join_by(
        WITH(joint_of(PV_JOINT_ROPE, of(a, 0, 0), of(b, 60, 0)), it.collide_connected = k == 1));
    step_times(2);
    if (k == 2) ck_assert_int_eq(pv_joint_destroy(w, c), PV_OK);
    pv_body_set_velocity(w, b, (pv_vec2){-40, 0});
    step_times(60);
    if (k > 0)
        ck_assert_double_gt(body_at(b).x, 39);
    else
        ck_assert_double_eq_tol(body_at(b).x, 20, 0.1);
}

/// Returns the widest gap of any joint during some steps.
static double widest_gap(int steps) {
    double worst = 0;
    for (int i = 0; i < steps; i++) {
        step_times(1);
        for (pv_joint_id c = pv_null_joint; (c = pv_world_get_next_joint(w, c)).index;)
            worst = fmax(worst, gap_of(c));
    }
    return worst;
}

/// Returns the widest gap of a loaded chain of sprites in ten seconds.
static double chain_gap(int links, double load, bool sleeping) {
    open_world(G, sleeping);
    pv_body_id last = {0, 0};
    for (int i = 0; i < links; i++) {
        pv_body_def def = pv_body_def_default();
        if (i == links - 1) def.mass = load * 20 * 6;
        pv_body_id link = put(w, box_mask(20, 6), 20 * i + 10, 0, def);
        pv_vec2 hinge = {20 * i, 0};
        pv_anchor before = i == 0 ? pv_anchor_world(hinge) : pv_anchor_body(last, hinge);
        join(PV_JOINT_PIN, before, pv_anchor_body(link, hinge));
        last = link;
    }
    return widest_gap(600);
}

START_TEST_FOR(a_chain_holds_a_load_of_250_links, sleeping, 2) {
    double worst = chain_gap(40, 250, sleeping);
    printf("# widest gap of 40 hinges with 250 links' load: %.3f px\n", worst);
    ck_assert_msg(worst <= 1.9, "%g px", worst);
}

/// Returns the widest gap of chains that hang from one pinned particle, each with a load.
static double hung_gap(int chains) {
    enum { LINKS = 20 };
    open_world(G, false);
    pv_particle_id hook = add(0, 0, 0);
    for (int c = 0; c < chains; c++) {
        pv_anchor before = on(hook);
        for (int i = 0; i < LINKS; i++) {
            pv_body_def def = WITH(pv_body_def_default(), it.sensor = true);
            if (i == LINKS - 1) def.mass = 250 * 20 * 6;
            pv_body_id link = put(w, box_mask(6, 20), 0, 20 * i + 10, def);
            pv_body_set_velocity(w, link, (pv_vec2){i, 0});
            join(PV_JOINT_PIN, before, of(link, 0, 20 * i));
            before = of(link, 0, 20 * (i + 1));
        }
    }
    return widest_gap(60);
}

/// A pinned particle does not yield, so no chain feels the others.
START_TEST(chains_on_one_hook_hold_as_well_as_one) {
    double one = hung_gap(1);
    ck_assert_double_le(one, 0.5);
    ck_assert_double_eq_tol(hung_gap(12), one, 1e-6);
}

/* ---- momentum ---- */

static void spin_up(pv_body_id a, pv_body_id b, pv_particle_id p) {
    pv_body_set_angular_velocity(w, a, 5);
    pv_body_set_velocity(w, b, (pv_vec2){40, -120});
    pv_particle_set_velocity(w, p, (pv_vec2){-200, 90});
}

/// Joins two sprites and a particle in a chain with one type of joint, and checks the momenta.
static void whirl(pv_joint_type type, double stiffness, bool sleeping, pv_contact_mode contacts) {
    w = next_world(WITH(pv_world_def_default(), it.gravity = (pv_vec2){0, 0},
                        it.enable_sleep = sleeping, it.contact_mode = contacts));
    pv_body_id a = box(24, 10, 0, 0), b = box(10, 30, 40, 10);
    pv_particle_id p = add_ghost(60, -20, 50);
    pv_vec2 on_b =
        type == PV_JOINT_PIN || type == PV_JOINT_WELD ? (pv_vec2){12, 3} : (pv_vec2){40, 20};
    pv_joint_def def =
        WITH(joint_of(type, of(a, 12, 3), pv_anchor_body(b, on_b)), it.stiffness = stiffness,
             it.damping = stiffness / 50, it.axis = (pv_vec2){1, 0.3}, it.lower = -0.4,
             it.upper = 0.6, it.motor_speed = 7);
    join_by(def);
    def = joint_of(PV_JOINT_DISTANCE, of(b, 40, 0), on(p));
    def.stiffness = stiffness;
    join_by(def);
    if (sleeping) /* and light ones */
        pv_body_set_mass(w, a, 0.24), pv_body_set_mass(w, b, 0.3), pv_particle_set_mass(w, p, 0.05);
    spin_up(a, b, p);
    momenta before = momenta_of(w);
    for (int i = 0; i < 240; i++) {
        step_times(1);
        expect_kept_momenta(&before, w, 1e-9 * before.mass * 100, 1e-7 * before.mass * 100);
    }
}

START_TEST(constraints_keep_momentum_and_angular_momentum) {
    static const pv_joint_type types[] = {PV_JOINT_DISTANCE, PV_JOINT_ROPE,  PV_JOINT_STRUT,
                                          PV_JOINT_PIN,      PV_JOINT_WELD,  PV_JOINT_ANGLE_LIMIT,
                                          PV_JOINT_MOTOR,    PV_JOINT_SLIDER};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (int sleeping = 0; sleeping < 2; sleeping++) {
            whirl(types[i], 0, sleeping, PV_CONTACT_MODE_CONTOURS);
            whirl(types[i], 20000, sleeping, PV_CONTACT_MODE_CONTOURS);
            whirl(types[i], 0, sleeping, PV_CONTACT_MODE_PIXELS);
            whirl(types[i], 20000, sleeping, PV_CONTACT_MODE_PIXELS);
        }
}

START_TEST_FOR(a_dumbbell_keeps_its_spin, i, 4) {
    const struct {
        double half, mass, speed, drift; /* the ends have masses 1 and mass */
        int steps;
    } cases[] = {{20, 3, 300, 0, 1200}, /* the others turn by up to 24 degrees in a substep: */
                 {5, 1, 1000, 30, 60},
                 {5, 1, 1500, 30, 60},
                 {5, 1, 2000, 30, 60}};
    open_world(0, true);
    double half = cases[i].half, speed = cases[i].speed, drift = cases[i].drift;
    pv_particle_id a = add(-half, 0, 1), b = add(half, 0, cases[i].mass);
    pv_joint_id c = stick(on(a), on(b));
    pv_particle_set_velocity(w, a, (pv_vec2){drift, -speed});
    pv_particle_set_velocity(w, b, (pv_vec2){drift, speed / cases[i].mass});
    momenta before = momenta_of(w);
    step_times(cases[i].steps);
    double size = before.mass * speed;
    expect_kept_momenta(&before, w, 1e-9 * size, 1e-7 * size);
    if (i > 0) return;
    ck_assert_double_eq_tol(gap_of(c), 40, 0.02);
    ck_assert_double_eq_tol(hypot(particle_v(a).x, particle_v(a).y), 300, 1);
}

/* ---- breaking ---- */

START_TEST_FOR(a_stick_breaks_at_its_force_and_says_so, sleeping, 2) {
    for (int heavy = 0; heavy < 2; heavy++) {
        int mark = 0;
        open_world(G, sleeping);
        pv_particle_id p = add(0, 50, heavy ? 1.2 : 0.8);
        pv_joint_id c = join_by(WITH(joint_of(PV_JOINT_DISTANCE, at(0, 0), on(p)),
                                     it.break_force = G, it.user_data = &mark));
        int breaks = 0;
        pv_joint_break_event event = {{0, 0}, 0, {0, 0}, NULL, false};
        for (int i = 0; i < 120 && breaks == 0; i++) {
            step_times(1);
            breaks = pv_world_get_events(w).joint_break_count;
            if (breaks) event = pv_world_get_events(w).joint_breaks[0];
        }
        ck_assert_int_eq(breaks, heavy);
        ck_assert_int_eq(pv_joint_is_valid(w, c), !heavy);
        if (heavy) {
            ck_assert_uint_eq(event.joint.index, c.index);
            ck_assert_uint_eq(event.joint.generation, c.generation);
            ck_assert_double_gt(event.force, G);
            ck_assert_ptr_eq(event.user_data, &mark);
            ck_assert_double_eq_tol(event.point.y, 25, 1);
            step_times(1);
            ck_assert_int_eq(pv_world_get_events(w).joint_break_count, 0);
            ck_assert_int_eq(pv_world_get_stats(w).joints, 0);
        }
    }
}

START_TEST_FOR(a_hinge_breaks_and_what_hung_falls, k, 4) {
    w = next_world(WITH(with_gravity(G), it.enable_sleep = k & 1,
                        it.contact_mode = (pv_contact_mode)(k >> 1)));
    pv_body_id b = box(20, 20, 0, 20);
    pv_joint_id c = join_by(
        WITH(joint_of(PV_JOINT_PIN, at(0, 0), of(b, 0, 0)), it.break_force = 400 * G * 1.5));
    step_times(120);
    ck_assert(pv_joint_is_valid(w, c));
    pv_body_apply_force(w, b, (pv_vec2){0, 400 * G});
    step_times(1);
    ck_assert(!pv_joint_is_valid(w, c));
    ck_assert_int_eq(pv_world_get_events(w).joint_break_count, 1);
    step_times(60);
    ck_assert_double_gt(body_at(b).y, 100);
}

/* ---- unusual joints ---- */

static bool is_finite_world(const pv_world *world) {
    momenta t = momenta_of(world);
    return isfinite(t.x) && isfinite(t.y) && isfinite(t.turn);
}

START_TEST(coincident_ends_give_no_nan) {
    static const pv_joint_type types[] = {PV_JOINT_DISTANCE, PV_JOINT_ROPE, PV_JOINT_STRUT,
                                          PV_JOINT_PIN};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        for (int soft = 0; soft < 2; soft++) {
            open_world(G, true);
            pv_particle_id p[6];
            for (int k = 0; k < 6; k++) p[k] = add(7, 7, k == 0 ? 0 : 1);
            for (int k = 0; k < 5; k++) {
                pv_joint_def def = WITH(joint_of(types[i], on(p[k]), on(p[k + 1])), it.length = 10,
                                        it.stiffness = soft ? 1000 : 0);
                join_by(def);
            }
            join_by(WITH(joint_of(types[i], of(box(9, 9, 7, 7), 7, 7), on(p[5])), it.length = 10));
            for (int k = 0; k < 120; k++) {
                pv_world_step(w, STEP);
                ck_assert(is_finite_world(w));
            }
        }
}

static void expect_refused(pv_joint_def def, pv_status wanted) {
    pv_error error = {0};
    int before = pv_world_get_stats(w).joints;
    pv_joint_id c = pv_joint_create(w, &def, &error);
    ck_assert_msg(error.status == wanted, "%s, not %s", error.message, pv_status_to_string(wanted));
    ck_assert_uint_eq(c.index, 0);
    ck_assert_int_eq(pv_world_get_stats(w).joints, before);
}

START_TEST(bad_definitions_are_refused) {
    pv_particle_id p = add(0, 0, 1), q = add(10, 0, 1), same = add(10, 0, 1);
    pv_body_id b = box(9, 9, 40, 0);
    pv_anchor ap = on(p), aq = on(q), ab = of(b, 40, 0);
    expect_refused(joint_of(PV_JOINT_DISTANCE, ap, at(1e9, 0)), PV_ERROR_ARGUMENT);
    expect_refused(joint_of(PV_JOINT_DISTANCE, ap, ap), PV_ERROR_ARGUMENT);
    expect_refused(joint_of(PV_JOINT_PIN, ab, of(b, 42, 0)), PV_ERROR_ARGUMENT);
    expect_refused(joint_of(PV_JOINT_PIN, at(0, 0), at(1, 0)), PV_ERROR_ARGUMENT);
    expect_refused(joint_of(PV_JOINT_DISTANCE, aq, on(same)), PV_ERROR_ARGUMENT); /* length 0 */
    expect_refused(joint_of(PV_JOINT_ANGLE_LIMIT, ab, ap), PV_ERROR_ARGUMENT);
    expect_refused(joint_of(PV_JOINT_MOTOR, ap, ab), PV_ERROR_ARGUMENT);
    expect_refused(joint_of(PV_JOINT_MOUSE, ap, aq), PV_ERROR_ARGUMENT);
    expect_refused(joint_of(PV_JOINT_SLIDER, at(0, 0), ab), PV_ERROR_ARGUMENT); /* no axis */
    pv_joint_def def = WITH(joint_of(PV_JOINT_DISTANCE, ap, aq), it.length = 0);
    expect_refused(def, PV_ERROR_ARGUMENT);
    def = joint_of(PV_JOINT_DISTANCE, ap, aq), def.stiffness = -1;
    expect_refused(def, PV_ERROR_ARGUMENT);
    def = joint_of(PV_JOINT_DISTANCE, ap, aq), def.lower = 1, def.upper = 0;
    expect_refused(def, PV_ERROR_ARGUMENT);
}

START_TEST_FOR(a_constraint_goes_with_its_ends, sleeping, 2) {
    open_world(G, sleeping);
    pv_particle_id p = add(0, 50, 1), q = add(0, 80, 1);
    pv_body_id b = box(9, 9, 30, 80);
    pv_joint_id top = stick(at(0, 0), on(p)), middle = stick(on(p), on(q));
    pv_joint_id last = stick(on(q), of(b, 30, 80));
    step_times(10);
    ck_assert_int_eq(pv_body_destroy(w, b), PV_OK);
    ck_assert(!pv_joint_is_valid(w, last) && pv_joint_is_valid(w, middle));
    step_times(10);
    ck_assert_int_eq(pv_particle_destroy(w, p), PV_OK);
    ck_assert(!pv_joint_is_valid(w, top) && !pv_joint_is_valid(w, middle));
    ck_assert_int_eq(pv_world_get_stats(w).joints, 0);
    double y = particle_at(q).y;
    step_times(30);
    ck_assert_double_gt(particle_at(q).y, y + 30);
}

START_TEST(what_sleeps_wakes_with_its_constraint) {
    put_box(PV_BODY_STATIC, 400, 40, 0, 120);
    pv_body_id b = box(20, 20, 0, 90);
    pv_joint_id c = join(PV_JOINT_ROPE, at(0, 0), of(b, 0, 80));
    step_times(180);
    ck_assert(!pv_body_is_awake(w, b));
    ck_assert_int_eq(pv_joint_set_length(w, c, 40), PV_OK);
    ck_assert(pv_body_is_awake(w, b));
    step_times(120);
    ck_assert_double_le(gap_of(c), 40.5);
}

/// Three bars on hinges: the first is static, then all fall, and at last they hang from the third.
START_TEST(joints_follow_the_type_of_their_bodies) {
    open_world(G, false);
    pv_body_id bars[3];
    pv_joint_id pins[2];
    for (int i = 0; i < 3; i++)
        bars[i] =
            put(w, box_mask(20, 6), 20 * i + 10, 0, of_type(i ? PV_BODY_DYNAMIC : PV_BODY_STATIC));
    for (int i = 0; i < 2; i++)
        pins[i] = join(PV_JOINT_PIN, of(bars[i], 20 * i + 20, 0), of(bars[i + 1], 20 * i + 20, 0));
    step_times(300);
    ck_assert_double_eq(body_at(bars[0]).y, 0);
    ck_assert_int_eq(pv_body_set_type(w, bars[0], PV_BODY_DYNAMIC), PV_OK);
    double fallen = 0;
    for (int i = 0; i < 3; i++)
        fallen -= (body_at(bars[i]).y + body_v(bars[i]).y) / 3; /* where they are a second later */
    step_times(60);
    for (int i = 0; i < 3; i++) fallen += body_at(bars[i]).y / 3;
    ck_assert_double_eq_tol(fallen, 0.5 * G, 0.01 * G);
    for (int i = 0; i < 2; i++) ck_assert_double_lt(gap_of(pins[i]), 1e-6);
    ck_assert_int_eq(pv_body_set_type(w, bars[2], PV_BODY_STATIC), PV_OK);
    pv_vec2 held = body_at(bars[2]);
    step_times(600);
    ck_assert_double_eq(body_at(bars[2]).y, held.y);
    ck_assert_double_lt(body_at(bars[0]).y, held.y + 60);
    for (int i = 0; i < 2; i++) ck_assert_double_lt(gap_of(pins[i]), 1e-6);
}

/// A body that hangs on a movable particle stays awake, as the particle may pull it at any time.
START_TEST_FOR(what_hangs_on_a_movable_particle_stays_awake, first, 2) {
    pv_particle_id hook = add(0, 0, 0), link = add(0, 40, 1);
    pv_body_id load = box(12, 12, 0, 80);
    stick(on(hook), on(link));
    stick(first ? of(load, 0, 80) : on(link), first ? on(link) : of(load, 0, 80));
    step_times(600);
    ck_assert(pv_body_is_awake(w, load));
}

START_TEST_FOR(what_hangs_from_a_moving_sprite_follows, sleeping, 2) {
    open_world(G, sleeping);
    pv_body_id cart = put_box(PV_BODY_KINEMATIC, 20, 10, 0, 0), load = box(12, 12, 0, 60),
               other = box(12, 12, 300, 60);
    pv_particle_id hook = add(300, 0, 0); /* pinned, and moved from place to place */
    pv_joint_id c = stick(of(cart, 0, 0), of(load, 0, 60)), d = stick(on(hook), of(other, 300, 60));
    step_times(180);
    pv_body_set_velocity(w, cart, (pv_vec2){60, 0});
    for (int i = 1; i <= 120; i++) {
        if (i <= 60) pv_particle_set_position(w, hook, (pv_vec2){300 + i, 0});
        step_times(1);
        if (i != 60) continue;
        ck_assert_double_eq_tol(gap_of(d), 60, 0.1);
        ck_assert_double_gt(body_at(other).x, 310);
    }
    ck_assert_double_eq_tol(body_at(cart).x, 120, 0.01);
    ck_assert_double_eq_tol(gap_of(c), 60, 0.1);
    ck_assert_double_gt(body_at(load).x, 50);
}

/// A rigid rod adds no energy; only the body that moves its other end does.
START_TEST_FOR(a_rod_from_a_moving_sprite_pulls_at_once, k, 8) {
    double side = k & 1 ? 1 : -1, gravity = k & 2 ? G : 0;
    open_world(gravity, false);
    pv_vec2 way = gravity > 0 ? (pv_vec2){0, -50} : (pv_vec2){50 * side, 0},
            place = gravity > 0 ? (pv_vec2){0, 40} : (pv_vec2){40, 0};
    pv_body_id cart = put_box(PV_BODY_KINEMATIC, 10, 10, 0, 0);
    pv_body_id load = box(10, 10, place.x, place.y);
    pv_anchor a = of(cart, 0, 0), b = pv_anchor_body(load, place);
    pv_joint_id rod =
        join_by(k & 4 ? joint_of(PV_JOINT_DISTANCE, b, a) : joint_of(PV_JOINT_DISTANCE, a, b));
    pv_body_set_velocity(w, cart, way);
    for (int i = 0; i < 20; i++) {
        step_times(1);
        pv_vec2 v = body_v(load);
        ck_assert_double_eq_tol(v.x, way.x, 0.01);
        ck_assert_double_eq_tol(v.y, way.y, 0.01 + gravity * STEP / 8);
        ck_assert_double_eq_tol(gap_of(rod), 40, 1e-6);
    }
}

START_TEST_FOR(a_weld_to_a_turning_sprite_turns_at_once, k, 4) {
    double spin = k & 1 ? 3 : -3;
    open_world(0, false);
    pv_body_id wheel = put_box(PV_BODY_KINEMATIC, 10, 10, 0, 0), load = box(10, 10, 40, 0);
    pv_anchor a = of(wheel, 0, 0), b = of(load, 0, 0);
    pv_joint_id weld =
        join_by(k & 2 ? joint_of(PV_JOINT_WELD, b, a) : joint_of(PV_JOINT_WELD, a, b));
    pv_body_set_angular_velocity(w, wheel, spin);
    for (int i = 0; i < 20; i++) {
        step_times(1);
        pv_vec2 v = body_v(load), p = body_at(load);
        ck_assert_double_eq_tol(spin_of(load), spin, 0.01);
        expect_point(v, -spin * p.y, spin * p.x, 0.3);
        ck_assert_double_eq_tol(gap_of(weld), 0, 1e-6);
    }
}

/// The moving sprite has the first or the last slot. The load is too heavy for sweeps alone.
START_TEST_FOR(a_moving_sprite_pushes_what_a_rod_joins, k, 4) {
    double side = k & 1 ? 1 : -1;
    open_world(0, false);
    pv_body_def driven = of_type(PV_BODY_KINEMATIC);
    pv_body_id cart = k < 2 ? put(w, box_mask(10, 30), 0, 0, driven) : pv_null_body;
    pv_body_id link = box(10, 10, 30 * side, 0), load = box(10, 10, 70 * side, 0);
    if (k >= 2) cart = put(w, box_mask(10, 30), 0, 0, driven);
    ck_assert_int_eq(pv_body_set_mass(w, load, 5000), PV_OK);
    pv_joint_id rod = stick(of(link, 30 * side, 0), of(load, 70 * side, 0));
    pv_body_set_velocity(w, cart, (pv_vec2){50 * side, 0});
    step_times(26); /* They touch after 24 steps. */
    for (int i = 0; i < 20; i++) {
        step_times(1);
        ck_assert_double_eq_tol(body_v(link).x, 50 * side, 0.5);
        ck_assert_double_eq_tol(body_v(load).x, 50 * side, 0.5);
        ck_assert_double_eq_tol(gap_of(rod), 40, 1e-3);
    }
}

/* ---- makers ---- */

/// Sets the anchor's body or particle moving to the right.
static void kick(const pv_anchor *a, double speed) {
    if (a->particle.index)
        ck_assert_int_eq(pv_particle_set_velocity(w, a->particle, (pv_vec2){speed, 0}), PV_OK);
    if (a->body.index)
        ck_assert_int_eq(
            pv_body_apply_impulse_at(w, a->body, (pv_vec2){speed * pv_body_get_mass(w, a->body), 0},
                                     a->point),
            PV_OK);
}

START_TEST_FOR(springs_swing_at_their_hertz_whatever_hangs_on_them, i, 12) {
    open_world(0, true);
    double heavy = i % 2 ? 1e4 : 0.01;
    pv_body_id b = box(20, 30, 100, 0);
    ck_assert_int_eq(pv_body_set_mass(w, b, heavy), PV_OK);
    pv_anchor ends[] = {on(add_ghost(100, 60, heavy)), of(b, 100, 0), /* at its center */
                        of(b, 95, 12)},                               /* off center, so it turns */
        end = ends[i / 2 % 3];
    pv_anchor other = at(0, end.particle.index ? 60 : end.point.y);
    if (i / 6) other = on(add_ghost(0, other.point.y, 0.3 * heavy));
    step_times(90); /* a body at rest falls asleep */
    ck_assert(!pv_body_is_awake(w, b));
    pv_joint_id c = pv_joint_create_spring(w, other, end, 2, 0);
    kick(&end, 0.2); /* small swings, which hardly turn the spring */
    ck_assert_double_eq_tol(period(stretch_of, &c, 8) * 2, 1, 0.005);
}

START_TEST_FOR(damping_ratios_are_those_of_oscillators, i, 3) {
    static const double ratios[] = {0.05, 0.2, 1};
    open_world(0, true);
    pv_particle_id p = add_ghost(100, 0, 7);
    pv_joint_id c = pv_joint_create_spring(w, at(0, 0), on(p), 1, ratios[i]);
    pv_particle_set_velocity(w, p, (pv_vec2){60, 0});
    double most = 0, least = 0, z = ratios[i];
    for (int k = 0; k < 60; k++) {
        step_times(1);
        most = fmax(most, gap_of(c) - 100);
        least = fmin(least, gap_of(c) - 100);
    }
    if (z < 1)
        ck_assert_double_eq_tol(-least / most, exp(-PI * z / sqrt(1 - z * z)), 0.03);
    else
        ck_assert_double_ge(least, -1e-3);
}

/// A heavy load on light links with damped springs swings first as on a single spring.
START_TEST(a_chain_of_damped_springs_swings_as_one) {
    enum { LINKS = 10 };
    static const double ratios[] = {0.1, 0.3, 0.6};
    for (int i = 0; i < 3; i++) {
        open_world(G, false);
        double z = ratios[i], mass = 2000, omega = sqrt(8), static_stretch = G / (omega * omega);
        pv_anchor upper = at(0, 0);
        pv_body_id b = pv_null_body;
        for (int k = 1; k <= LINKS; k++) {
            b = box(6, 6, 0, 20 * k);
            ck_assert_int_eq(pv_body_set_mass(w, b, k == LINKS ? mass : 1), PV_OK);
            pv_anchor lower = of(b, 0, 20 * k);
            spring(upper, lower, LINKS * mass * omega * omega, LINKS * mass * 2 * z * omega);
            upper = lower;
        }
        double most = 0, when = 0, wanted = PI / (omega * sqrt(1 - z * z));
        for (int k = 1; k <= 120; k++) {
            step_times(1);
            double stretch = body_at(b).y - 20 * LINKS;
            if (stretch > most) most = stretch, when = k * STEP;
        }
        ck_assert_double_eq_tol(most / static_stretch, 1 + exp(-z * omega * wanted), 0.005);
        ck_assert_double_eq_tol(when, wanted, STEP);
    }
}

/// Creates a joint of a type, by its own function or from a def.
static pv_joint_id hang(int type, bool by_call, const pv_body_id *b) {
    pv_vec2 p = body_at(b[0]), q = body_at(b[1]), o = {20, 7};
    pv_anchor ap = pv_anchor_body(b[0], p), aq = pv_anchor_body(b[1], q);
    pv_joint_def def = joint_of(PV_JOINT_PIN, pv_anchor_body(b[0], o), pv_anchor_body(b[1], o));
    switch (type) {
    case 0: return by_call ? pv_joint_create_pin(w, b[0], b[1], o) : join_by(def);
    case 1:
        def.type = PV_JOINT_WELD;
        return by_call ? pv_joint_create_weld(w, b[0], b[1], o) : join_by(def);
    case 2:
        def = joint_of(PV_JOINT_SLIDER, pv_anchor_body(b[0], q), aq);
        def.axis = (pv_vec2){3, 4}, def.lower = -5, def.upper = 25;
        return by_call ? pv_joint_create_slider(w, b[0], b[1], def.axis, -5, 25) : join_by(def);
    case 3:
        def = joint_of(PV_JOINT_ANGLE_LIMIT, ap, aq), def.lower = -0.2, def.upper = 0.1;
        return by_call ? pv_joint_create_angle_limit(w, b[0], b[1], -0.2, 0.1) : join_by(def);
    case 4:
        def = joint_of(PV_JOINT_MOTOR, ap, aq), def.motor_speed = -3, def.max_force = 1e6;
        return by_call ? pv_joint_create_motor(w, b[0], b[1], -3, 1e6) : join_by(def);
    case 5:
        def = joint_of(PV_JOINT_DISTANCE, ap, aq);
        return by_call ? pv_joint_create_distance(w, ap, aq) : join_by(def);
    case 6:
        def = joint_of(PV_JOINT_ROPE, ap, at(0, -90)), def.length = 140;
        return by_call ? pv_joint_create_rope(w, ap, at(0, -90), 140) : join_by(def);
    case 7:
        def = joint_of(PV_JOINT_ROPE, aq, at(0, -90));
        return by_call ? pv_joint_create_rope(w, aq, at(0, -90), -1) : join_by(def);
    default:
        def = joint_of(PV_JOINT_MOUSE, ap, pv_anchor_world(p));
        def.stiffness = 400 * pv_body_get_mass(w, b[0]);
        def.damping = 40 * pv_body_get_mass(w, b[0]);
        def.max_force = 6000 * pv_body_get_mass(w, b[0]);
        return by_call ? pv_joint_create_mouse(w, b[0], p) : join_by(def);
    }
}

START_TEST_FOR(calls_make_what_definitions_do, type, 9) {
    uint64_t hash[2];
    for (int by_call = 0; by_call < 2; by_call++) {
        open_world(G, true);
        const pv_body_id b[2] = {box(30, 10, 0, 0), put(w, box_mask(24, 12), 40, 10,
                                                        WITH(pv_body_def_default(), it.angle = 0.4,
                                                             it.angular_velocity = 2))};
        ck_assert(pv_joint_is_valid(w, hang(type, by_call, b)));
        step_times(40);
        hash[by_call] = pv_world_compute_hash(w);
    }
    ck_assert_msg(hash[0] == hash[1], "type %d", type);
}

START_TEST_FOR(the_world_is_an_end_of_what_calls_make, swapped, 2) {
    pv_body_id none = pv_null_body, b[4];
    for (int i = 0; i < 4; i++) b[i] = box(20, 20, 100 * i, 0);
#define ENDS(i) swapped ? b[i] : none, swapped ? none : b[i]
    pv_joint_create_slider(w, ENDS(0), (pv_vec2){0, 2}, -9, 30); /* along it, the body falls */
    pv_joint_create_slider(w, ENDS(1), (pv_vec2){7, 0}, -9, 30); /* across gravity, it stays */
    pv_joint_create_weld(w, ENDS(2), (pv_vec2){190, 5});
    pv_joint_create_pin(w, ENDS(3), (pv_vec2){300, 0});
    pv_joint_create_motor(w, ENDS(3), 2, 0);
#undef ENDS
    ck_assert_int_eq(pv_world_get_stats(w).joints, 5);
    step_times(120);
    pv_vec2 falls = body_at(b[0]), stays = body_at(b[1]), held = body_at(b[2]);
    ck_assert_double_eq_tol(falls.x, 0, 0.01);
    ck_assert_double_eq_tol(falls.y, 30, 0.05);
    ck_assert(vec_distance(stays, (pv_vec2){100, 0}) < 0.05);
    ck_assert(vec_distance(held, (pv_vec2){200, 0}) < 0.05);
    /* the motor turns b relative to a */
    ck_assert_double_eq_tol(spin_of(b[3]), swapped ? -2 : 2, 0.02);
}

START_TEST_FOR(a_mouse_joint_pulls_with_6000_px_per_s2, i, 2) {
    open_world(0, true);
    pv_body_id b = box(20, 20, 0, 0);
    ck_assert_int_eq(pv_body_set_mass(w, b, i ? 3e11 : 1e-3), PV_OK);
    pv_joint_id c = pv_joint_create_mouse(w, b, (pv_vec2){0, 0});
    step_times(90);
    ck_assert_int_eq(pv_joint_set_target(w, c, (pv_vec2){1e4, 0}), PV_OK); /* it wakes up */
    step_times(1);
    if (!i) ck_assert_double_eq_tol(body_v(b).x, 6000 * STEP, 1);
    if (i) ck_assert_double_gt(body_v(b).x, 0);
    ck_assert_int_eq(pv_joint_set_target(w, c, (pv_vec2){60, -20}), PV_OK);
    step_times(i ? 0 : 300);
    if (!i) ck_assert(vec_distance(body_at(b), (pv_vec2){60, -20}) < 0.5);
}

/// Hangs a weight of mass 2 below the ceiling, on a joint of its own.
static pv_joint_id weight(bool of_sprite, pv_body_id *b, pv_particle_id *p) {
    pv_particle_id top = add(0, 0, 0);
    if (!of_sprite) return pv_joint_create_distance(w, on(top), on(*p = add(0, 50, 2)));
    *b = box(10, 10, 0, 50);
    ck_assert_int_eq(pv_body_set_mass(w, *b, 2), PV_OK);
    return pv_joint_create_distance(w, at(0, 0), pv_anchor_body(*b, (pv_vec2){0, 50}));
}

START_TEST_FOR(forces_and_springs_change_while_they_hold, of_sprite, 2) {
    pv_body_id b = pv_null_body;
    pv_particle_id p = pv_null_particle;
    pv_joint_id c = weight(of_sprite, &b, &p);
    step_times(90);
    ck_assert_double_eq_tol(gap_of(c), 50, 0.02);
    ck_assert_int_eq(pv_joint_set_spring(w, c, 100, 20), PV_OK);
    step_times(300);
    ck_assert_double_eq_tol(gap_of(c), 50 + 2 * G / 100, 0.05); /* stretched by its load */
    ck_assert_int_eq(pv_joint_set_spring(w, c, 0, 0), PV_OK);
    step_times(120);
    ck_assert_double_eq_tol(gap_of(c), 50, 0.02);
    ck_assert_int_eq(pv_joint_set_max_force(w, c, G), PV_OK); /* half of the weight */
    step_times(60);
    ck_assert_double_eq_tol(gap_of(c) - 50, G / 4, 0.03 * G / 4); /* (G - G / 2) / 2 s^2 */
    ck_assert_int_eq(pv_joint_set_max_force(w, c, 0), PV_OK);
    step_times(240);
    ck_assert_double_eq_tol(gap_of(c), 50, 0.02);
    ck_assert_int_eq(pv_joint_set_break_force(w, c, 2.5 * G), PV_OK);
    step_times(60);
    ck_assert(pv_joint_is_valid(w, c));
    ck_assert_int_eq(pv_joint_set_break_force(w, c, 1.5 * G), PV_OK);
    step_times(1);
    ck_assert(!pv_joint_is_valid(w, c));
}

/// Tells whether the last report has a status, function and field, and its message names them.
static bool was_told(const char *function, const char *field, pv_status status) {
    size_t n = strlen(function);
    bool good =
        last_report.status == status && strcmp(last_report.function, function) == 0 &&
        (field ? last_report.field && strcmp(last_report.field, field) == 0 : !last_report.field) &&
        strncmp(last_report.message, function, n) == 0 && !strstr(last_report.message, "def.") &&
        (!field || strstr(last_report.message + n, field));
    if (!good)
        printf("# %s: %s (%s)\n", function, last_report.message,
               last_report.field ? last_report.field : "");
    last_report = (pv_error){0};
    return good;
}

static uint64_t hash_before;

/// Checks the last report of a refused call. The call is given as text, without pv_joint_.
static void check_told(const char *call, const char *field, pv_status status) {
    char name[80] = "pv_joint_";
    strncat(name, call, strcspn(call, "("));
    ck_assert(was_told(name, field, status));
    ck_assert(pv_world_compute_hash(w) == hash_before);
}

static void check_unmade(pv_joint_id c, const char *call, const char *field, pv_status status) {
    ck_assert(!pv_joint_is_valid(w, c));
    check_told(call, field, status);
}

#define REFUSED(call, field, status)                                                               \
    check_unmade(pv_joint_create_##call, "create_" #call, field, status)

START_TEST(makers_tell_the_parameter_that_is_wrong) {
    const pv_status range = PV_ERROR_ARGUMENT;
    pv_body_id b = box(9, 9, 40, 0), none = pv_null_body, c = box(9, 9, 80, 0);
    pv_world_set_report_callback(w, keep_report, NULL);
    const pv_vec2 o = {0, 0}, far = {1e9, 0};
    pv_anchor ab = of(b, 40, 0), ac = of(c, 80, 0), beyond = pv_anchor_body(b, far);
    hash_before = pv_world_compute_hash(w);
    REFUSED(pin(w, b, b, o), "b", range);
    REFUSED(pin(w, none, none, o), "b", range);
    REFUSED(weld(w, b, c, far), "point", range);
    REFUSED(weld(w, none, none, o), "b", range);
    REFUSED(slider(w, b, c, o, 0, 1), "axis", range);
    REFUSED(slider(w, b, b, far, 0, 1), "axis", range);
    REFUSED(slider(w, none, none, ab.point, 0, 1), "b", range);
    REFUSED(slider(w, b, c, ab.point, 3, 1), "lower", range);
    REFUSED(angle_limit(w, b, c, 1, -2), "upper", range);
    REFUSED(angle_limit(w, none, none, 0, 1), "b", range);
    REFUSED(motor(w, b, c, 1.1e6, 0), "speed", range);
    REFUSED(motor(w, b, c, 1, -1), "max_torque", range);
    REFUSED(motor(w, b, b, 1, 1), "b", range);
    REFUSED(distance(w, ab, beyond), "b.point", range);
    REFUSED(distance(w, ab, ab), "b", range);
    REFUSED(distance(w, ab, pv_anchor_world(ab.point)), "a", range);
    REFUSED(distance(w, at(0, 0), at(0, 1)), "b", range);
    REFUSED(rope(w, ab, ac, 0), "length", range);
    REFUSED(spring(w, ab, ac, 0, 0), "hertz", range);
    REFUSED(spring(w, ab, ac, 1e6, 0), "hertz", range); /* too stiff for this mass */
    REFUSED(spring(w, ab, ac, 1, -1), "damping_ratio", range);
    REFUSED(spring(w, ab, ac, 2e4, 1e6), "damping_ratio", range);
    REFUSED(spring(w, ab, pv_anchor_world(ab.point), 1, 0), "a", range);
}

START_TEST(joints_of_a_body) {
    pv_body_id a = box(9, 9, 0, 0), b = box(9, 9, 40, 0), c = box(9, 9, 80, 0);
    pv_joint_id found[4] = {{0, 0}}, ab = pv_joint_create_rope(w, of(a, 0, 0), of(b, 40, 0), -1),
                bc = pv_joint_create_rope(w, of(b, 40, 0), of(c, 80, 0), -1),
                gone = pv_joint_create_pin(w, a, b, (pv_vec2){20, 0}),
                held = pv_joint_create_pin(w, b, pv_null_body, (pv_vec2){40, 0});
    pv_joint_destroy(w, gone);
    ck_assert_int_eq(pv_body_get_joints(w, b, found, 4), 3);
    ck_assert(PV_ID_EQUALS(found[0], ab) && PV_ID_EQUALS(found[1], bc));
    ck_assert(PV_ID_EQUALS(found[2], held) && PV_ID_IS_NULL(found[3]));
    ck_assert_int_eq(pv_body_get_joints(w, c, found, 4), 1);
    ck_assert(PV_ID_EQUALS(found[0], bc) && PV_ID_EQUALS(found[1], bc));
    found[1] = ab;
    ck_assert_int_eq(pv_body_get_joints(w, b, found, 1), 3);
    ck_assert(PV_ID_EQUALS(found[0], ab) && PV_ID_EQUALS(found[1], ab));
    ck_assert_int_eq(pv_body_get_joints(w, b, NULL, 0), 3);
    ck_assert_int_eq(pv_body_get_joints(w, b, NULL, -1), 3);
    pv_body_destroy(w, c);
    ck_assert_int_eq(pv_body_get_joints(w, b, found, 4), 2);
    ck_assert_int_eq(pv_body_get_joints(w, c, found, 4), 0);
    ck_assert_int_eq(pv_body_get_joints(NULL, b, found, 4), 0);
}

/// Tells whether a pin between a body and a place of the world can be created.
static bool pin_at(pv_body_id b, double x, double y, pv_error *error) {
    pv_joint_def def = joint_of(PV_JOINT_PIN, of(b, x, y), at(x, y));
    pv_joint_destroy(w, pv_joint_create(w, &def, error));
    return error->status == PV_OK;
}

/* A place given in the picture instead of the world is usually far from the body, and refused. */
START_TEST(anchors_are_near_their_body) {
    pv_error error;
    pv_body_id small = box(9, 9, 600, 400), large = box(20, 101, 600, 600);
    ck_assert(pin_at(small, 604.5 + 256, 400, &error) && pin_at(small, 600, 395.5 - 256, &error));
    ck_assert(!pin_at(small, 604.6 + 256, 400, &error) && !pin_at(small, 600, 395.4 - 256, &error));
    ck_assert(pin_at(large, 600, 549.5 - 808, &error) && !pin_at(large, 600, 549.4 - 808, &error));
    ck_assert(!pin_at(small, 604.5 + 200, 404.5 + 200, &error)); /* off by 283 px */
    ck_assert(!pin_at(small, 4, 4, &error));
    ck_assert_str_eq(error.field, "def.a.point");
    ck_assert_str_eq(error.message,
                     "pv_joint_create: def.a.point is (4, 4) in the world, 709.32138 px "
                     "from the body, must be at most 256 px");
    pv_rope_def rope = WITH(pv_rope_def_default(), it.from = at(0, 0), it.to = of(small, 4, 4));
    pv_rope_create(w, &rope, &error);
    ck_assert_str_eq(error.field, "def.to.point");
    pv_world_set_report_callback(w, keep_report, NULL);
    pv_body_id none = pv_null_body;
    const pv_vec2 local = {4, 4};
    hash_before = pv_world_compute_hash(w);
    REFUSED(pin(w, small, none, local), "point", PV_ERROR_ARGUMENT);
    REFUSED(weld(w, none, small, local), "point", PV_ERROR_ARGUMENT);
    REFUSED(mouse(w, small, local), "point", PV_ERROR_ARGUMENT);
    REFUSED(rope(w, at(0, 0), of(small, 4, 4), 9), "b.point", PV_ERROR_ARGUMENT);
}

static void check_unset(pv_status said, const char *call, const char *field, pv_status status) {
    ck_assert_int_eq(said, status);
    check_told(call, field, status);
}

#define BAD(call, field, status) check_unset(pv_joint_set_##call, "set_" #call, field, status)

START_TEST(setters_tell_the_parameter_that_is_wrong) {
    pv_body_id b = box(9, 9, 40, 0);
    pv_joint_id pin = pv_joint_create_pin(w, b, pv_null_body, (pv_vec2){40, 0}),
                motor = pv_joint_create_motor(w, b, pv_null_body, 1, 0),
                angle = pv_joint_create_angle_limit(w, b, pv_null_body, 0, 1),
                rod = stick(at(0, 0), of(b, 40, 0));
    pv_world_set_report_callback(w, keep_report, NULL);
    hash_before = pv_world_compute_hash(w);
    BAD(target(w, pin, (pv_vec2){0, 0}), "joint", PV_ERROR_ARGUMENT);
    BAD(max_force(w, pin, -1), "max_force", PV_ERROR_ARGUMENT);
    BAD(break_force(w, pin, -1e-300), "break_force", PV_ERROR_ARGUMENT);
    BAD(spring(w, motor, 1, 1), "joint", PV_ERROR_ARGUMENT);
    BAD(spring(w, pin, 1e-201, 1), "stiffness", PV_ERROR_ARGUMENT);
    BAD(spring(w, pin, 1, 2e12), "damping", PV_ERROR_ARGUMENT);
    BAD(length(w, rod, 0), "length", PV_ERROR_ARGUMENT);
    BAD(length(w, motor, 10), "joint", PV_ERROR_ARGUMENT);
    BAD(motor_speed(w, rod, 1), "joint", PV_ERROR_ARGUMENT);
    BAD(limits(w, angle, 2, 1), "low", PV_ERROR_ARGUMENT);
    BAD(limits(w, rod, 0, 1), "joint", PV_ERROR_ARGUMENT);
}

START_TEST_FOR(makers_without_memory_say_so, type, 9) {
    scoped_purse p = {0};
    w = next_world(WITH(pv_world_def_default(), it.allocator = (pv_allocator){purse_alloc, &p},
                        it.report_callback = keep_report));
    const pv_body_id b[2] = {box(30, 10, 0, 0), box(24, 12, 40, 10)};
    uint64_t hash = pv_world_compute_hash(w);
    p.fail_at = p.calls + 1;
    ck_assert(!pv_joint_is_valid(w, hang(type, true, b)));
    ck_assert(last_report.status == PV_ERROR_MEMORY &&
              strstr(last_report.function, "pv_joint_create_"));
    ck_assert(pv_world_compute_hash(w) == hash && pv_world_get_stats(w).joints == 0);
    ck_assert(pv_joint_is_valid(w, hang(type, true, b)));
    close_world();
}

RUN_TESTS_IN("constraint", open_usual, close_world, 1)
