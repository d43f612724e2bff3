/* test_force.c - wind, attractors, buoyancy and explosions.
 *
 * Invariant: expected values are closed formulas of mechanics, or sums over samples.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "bodies.h"

static const double DT = 1.0 / 60, FAR = 1e5;

/// World of the test, without gravity unless it opens another
static pv_world *w;

static void open_world(void) { w = awake_world(0, 0); }

static pv_force_field_id add(pv_force_field_def def) {
    pv_force_field_id f = CREATE_WELL(force_field, w, def);
    ck_assert(pv_force_field_is_valid(w, f));
    return f;
}

static pv_force_field_def of_kind(pv_force_field_type type) {
    return WITH(pv_force_field_def_default(), it.type = type);
}

static pv_force_field_def wind_of(double x, double y, double drag) {
    return WITH(of_kind(PV_FORCE_FIELD_WIND), it.velocity = (pv_vec2){x, y},
                it.drag_coefficient = drag);
}

static pv_force_field_def pull_of(double strength, double radius) {
    return WITH(of_kind(PV_FORCE_FIELD_ATTRACTOR), it.strength = strength, it.radius = radius);
}

static pv_particle_id grain(double x, double y, double mass, double radius) {
    return CREATE_WELL(particle, w,
                       WITH(pv_particle_def_default(), it.position = (pv_vec2){x, y},
                            it.mass = mass, it.radius = radius));
}

static void run(double seconds) { steps_well(w, (int)lround(seconds * 60)); }

/* ---- wind ---- */

START_TEST(what_falls_in_still_air_ends_at_the_speed_at_which_drag_bears_its_weight) {
    w = awake_world(0, 320);
    add(wind_of(0, 0, 0.5));
    pv_particle_id small = grain(0, 0, 2, 1.5), large = grain(100, 0, 2, 6);
    run(60);
    ck_assert_double_eq_tol(pv_particle_get_velocity(w, small).y, 2 * 320 / (0.5 * 3), 1e-5);
    ck_assert_double_eq_tol(pv_particle_get_velocity(w, large).y, 2 * 320 / (0.5 * 12), 1e-5);
}

/// Wind moves all particles, also when their arrays are just full.
START_TEST(wind_blows_on_any_number_of_particles) {
    add(wind_of(100, 0, 1));
    for (int n = 1; n <= 70; n++) {
        pv_particle_id p = grain(0, 9 * n, 1, 1);
        steps_well(w, 1);
        ck_assert_double_gt(pv_particle_get_velocity(w, p).x, 0);
    }
}

START_TEST(wind_draws_along_exponentially) {
    add(wind_of(100, -40, 0.25));
    pv_particle_id p = grain(0, 0, 3, 2);
    pv_body_def def = WITH(pv_body_def_default(), it.density = 0.01);
    pv_body_id level = put(w, box_mask(60, 10), FAR, 0, def);
    def.angle = M_PI / 2;
    pv_body_id upright = put(w, box_mask(60, 10), -FAR, 0, def);
    run(1);
    double kept = exp(-0.25 * 4 / 3.0);
    ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).x, 100 * (1 - kept), 0.5);
    ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).y, -40 * (1 - kept), 0.2);
    /* the box's width across this wind: its direction is (c, s), and a box shows w |s| + h |c| */
    double c = 100 / hypot(100, 40), s = 40 / hypot(100, 40);
    kept = exp(-0.25 * (60 * s + 10 * c) / 6);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, level).x, 100 * (1 - kept), 0.5);
    kept = exp(-0.25 * (60 * c + 10 * s) / 6);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, upright).x, 100 * (1 - kept), 0.8);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, upright), 0, 1e-6);
}

START_TEST(no_wind_blows_a_thing_faster_than_itself) {
    for (double grip = 0.1; grip <= 1e9; grip *= 10) {
        open_world();
        add(wind_of(200, 0, grip));
        pv_particle_id p = grain(0, 0, 0.1, 4);
        pv_body_id b = put(w, disc_mask(8), FAR, 0, pv_body_def_default());
        double last = 0, last_body = 0;
        for (int i = 0; i < 30; i++) {
            pv_world_step(w, DT);
            double now = pv_particle_get_velocity(w, p).x, now_body = pv_body_get_velocity(w, b).x;
            ck_assert_double_ge(now, last - 1e-6);
            ck_assert_double_le(now, 200 + 1e-6);
            /* Includes the gain of half a substep. */
            ck_assert_double_ge(now_body, last_body - 200 / 32.0);
            ck_assert_double_le(now_body, 200 + 200 / 32.0);
            last = now, last_body = now_body;
        }
        if (grip > 100) ck_assert(fabs(last - 200) < 1e-6 && fabs(last_body - 200) < 1e-6);
    }
}

enum { PROBES = 200 };

/// Measures wind at places 10 px apart, by what a step gives light particles at rest.
static void probe(double from, double grip, double out[PROBES]) {
    pv_particle_id p[PROBES];
    for (int i = 0; i < PROBES; i++) p[i] = grain(from + 10 * i, 50, 1, 0.5);
    pv_world_step(w, DT);
    for (int i = 0; i < PROBES; i++) {
        out[i] = pv_particle_get_velocity(w, p[i]).x / (grip * DT);
        pv_particle_destroy(w, p[i]);
    }
}

START_TEST(gusts_travel_with_the_wind) {
    pv_force_field_def wind = WITH(wind_of(120, 0, 0.01), it.gust = 0.75, it.gust_length = 500);
    pv_force_field_id f = add(wind);
    double now[PROBES], later[PROBES], least = 1e9, most = 0;
    probe(0, 0.01, now);
    for (int i = 0; i < PROBES; i++) least = fmin(least, now[i]), most = fmax(most, now[i]);
    ck_assert_double_ge(least, 0.25 * 120 - 0.01);
    ck_assert_double_le(most, 120 + 0.01);
    ck_assert_double_ge(most - least, 0.5 * 0.75 * 120);
    for (int i = 1; i < PROBES; i++)
        ck_assert_double_le(fabs(now[i] - now[i - 1]), 15); /* smooth */
    run(149.0 / 60);
    ck_assert_int_eq(pv_force_field_set_def(w, f, &wind), PV_OK); /* the gusts go on */
    probe(120 * 150.0 / 60, 0.01, later);
    for (int i = 0; i < PROBES; i++) ck_assert_double_eq_tol(later[i], now[i], 1e-4);
    wind.gust = 0;
    pv_force_field_set_def(w, f, &wind);
    probe(0, 0.01, now);
    for (int i = 0; i < PROBES; i++) ck_assert_double_eq_tol(now[i], 120, 1e-4);
}

START_TEST(a_force_acts_in_its_area_alone) {
    pv_force_field_def wind = of_kind(PV_FORCE_FIELD_WIND),
                       pull = of_kind(PV_FORCE_FIELD_ATTRACTOR);
    wind.velocity = (pv_vec2){50, 0};
    pull.strength = 30;
    wind.area = pull.area = (pv_box){{0, 0}, {100, 100}};
    pv_force_field_id first = add(wind);
    add(pull);
    pv_particle_id in = grain(50, 50, 1, 2), out = grain(150, 50, 1, 2),
                   pinned = grain(60, 60, 0, 2);
    pv_body_id body_in = put_dynamic(w, 8, 8, 20, 90), body_out = put_dynamic(w, 8, 8, 50, 120);
    pv_body_id fixed = put_static(w, 8, 8, 90, 10);
    run(0.1);
    ck_assert_double_gt(fabs(pv_particle_get_velocity(w, in).x), 0.1);
    ck_assert_double_lt(pv_particle_get_velocity(w, in).y, -0.1);
    ck_assert_double_ne(pv_body_get_velocity(w, body_in).y, 0);
    ck_assert(pv_particle_get_velocity(w, out).x == 0 && pv_particle_get_velocity(w, out).y == 0);
    ck_assert(pv_body_get_velocity(w, body_out).x == 0 && pv_body_get_velocity(w, body_out).y == 0);
    ck_assert(pv_particle_get_position(w, pinned).x == 60 &&
              pv_body_get_position(w, fixed).x == 90);
    ck_assert_int_eq(pv_force_field_destroy(w, first), PV_OK);
    ck_assert(!pv_force_field_is_valid(w, first));
}

/* ---- attractors ---- */

/// Returns the energy of a unit mass about an inverse-square attractor at the origin.
static double orbit_energy(pv_vec2 at, pv_vec2 v, double gm) {
    return 0.5 * (v.x * v.x + v.y * v.y) - gm / hypot(at.x, at.y);
}

START_TEST(orbits_are_those_of_kepler) {
    add(pull_of(400, 20));
    double gm = 400 * 20 * 20, a = 200, e = 0.5, period = 2 * M_PI * sqrt(a * a * a / gm);
    pv_particle_id p = grain(a * (1 - e), 0, 5, 1); /* at perihelion */
    double fastest = sqrt(gm / a * (1 + e) / (1 - e));
    ck_assert_int_eq(pv_particle_set_velocity(w, p, (pv_vec2){0, fastest}), PV_OK);
    pv_body_id b =
        put(w, disc_mask(6), 450, 0,
            WITH(pv_body_def_default(),
                 it.velocity = (pv_vec2){0, -sqrt(gm / 450)})); /* on a circle, the other way */
    double energy = -gm / (2 * a), farthest = 0;
    for (double t = 0; t < 10 * period; t += DT) {
        pv_world_step(w, DT);
        pv_vec2 at = pv_particle_get_position(w, p), q = pv_body_get_position(w, b);
        double off = fabs(orbit_energy(at, pv_particle_get_velocity(w, p), gm) / energy - 1);
        ck_assert_double_le(
            off, 0.03); /* the velocity lags by half a substep; this error does not grow */
        farthest = fmax(farthest, hypot(at.x, at.y));
        double angle = -sqrt(gm / pow(450, 3)) * (t + DT); /* a way of 8100 px in the end */
        ck_assert_near(q, ((pv_vec2){450 * cos(angle), 450 * sin(angle)}), 4);
        ck_assert_double_eq_tol(hypot(q.x, q.y), 450, 0.5);
    }
    ck_assert_double_eq_tol(farthest, a * (1 + e), 1);
}

START_TEST_FOR(within_reach_a_pull_is_a_spring_and_an_even_one_is_a_slope, small, 2) {
    double reach = small ? 0.5 : 100, rate = sqrt(90 / reach);
    pv_force_field_def pull = pull_of(90, reach);
    pv_force_field_id f = add(pull);
    pv_particle_id p = grain(0.6 * reach, 0, 1, 1);
    for (int i = 0; i < 100; i++) pv_world_step(w, 0.5 * M_PI / rate / 100);
    ck_assert_double_eq_tol(pv_particle_get_position(w, p).x, 0, 0.1);
    ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).x, -0.6 * reach * rate, 0.1);
    pull.radius = 0;
    ck_assert_int_eq(pv_force_field_set_def(w, f, &pull), PV_OK);
    pv_particle_id q = grain(-3000, 4000, 7, 1);
    run(2);
    double gone = 0.5 * 90 * 4;
    ck_assert_near(pv_particle_get_position(w, q),
                   ((pv_vec2){-3000 + 0.6 * gone, 4000 - 0.8 * gone}), 0.2);
    pull.strength = -90; /* repels */
    pv_force_field_set_def(w, f, &pull);
    run(4);
    /* 180 px/s inward are undone in 2 s, and the way back takes 2 s more */
    ck_assert_double_eq_tol(
        hypot(pv_particle_get_position(w, q).x, pv_particle_get_position(w, q).y), 5000 - gone, 1);
    pv_particle_id middle = grain(0, 0, 1, 1); /* at the center */
    run(0.1);
    ck_assert(isfinite(pv_particle_get_position(w, middle).x));
}

/* ---- buoyancy ---- */

static pv_force_field_def water(double density, double drag) {
    return WITH(of_kind(PV_FORCE_FIELD_BUOYANCY), it.area = (pv_box){{-2000, 0}, {2000, 500}},
                it.density = density, it.linear_damping = drag);
}

START_TEST_FOR(what_floats_is_as_deep_as_its_density, i, 4) {
    const double densities[] = {0.1, 0.25, 0.5, 0.73};
    w = awake_world(0, 320);
    add(water(2, 1.5));
    pv_body_def def = WITH(pv_body_def_default(), it.density = 2 * densities[i]);
    pv_body_id wide = put(w, box_mask(64, 20), 0, -30, def);
    pv_body_id disc = put(w, disc_mask(20), 300.3, 40, def);
    run(25);
    ck_assert_double_eq_tol(pv_body_get_position(w, wide).y, 20 * densities[i] - 10, 0.02);
    ck_assert_double_eq_tol(pv_body_get_angle(w, wide), 0, 1e-3);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, wide).y, 0, 0.01);
    /* the part of the disc below the surface, by samples */
    double y = pv_body_get_position(w, disc).y;
    int below = 0, all = 0;
    for (double dy = -20; dy < 20; dy += 0.05)
        for (double dx = -20; dx < 20; dx += 0.05)
            if (dx * dx + dy * dy < 400) all++, below += y + dy > 0;
    ck_assert_double_eq_tol((double)below / all, densities[i], 0.01);
}

START_TEST(what_floats_bobs_at_its_period_and_neither_gains_nor_loses) {
    w = awake_world(0, 320);
    add(water(1, 0));
    pv_body_id b = put(w, box_mask(80, 30), 0, 0.6 * 30 - 15 + 4,
                       WITH(pv_body_def_default(), it.density = 0.6)); /* 4 px too deep */
    double period = 2 * M_PI * sqrt(0.6 * 30 / 320), mean = 0.6 * 30 - 15, late = 0;
    for (int i = 0; i < 600 * 20; i++) {
        pv_world_step(w, period / 600 * 4);
        if (i % 150 == 0) late = fmax(late, fabs(pv_body_get_position(w, b).y - mean));
        ck_assert_double_le(fabs(pv_body_get_position(w, b).y - mean), 4.05);
    }
    ck_assert_double_ge(late, 3.95);
    ck_assert_double_eq_tol(pv_body_get_position(w, b).y, mean + 4, 0.1); /* after 80 periods */
}

/// Returns the submerged area of a turned box below y = 0, by samples. Sets its center.
static double sampled(pv_vec2 center, double angle, double wide, double high, pv_vec2 *lever) {
    double area = 0, step = 1.0 / 20;
    *lever = (pv_vec2){0, 0};
    for (double v = -high / 2 + step / 2; v < high / 2; v += step)
        for (double u = -wide / 2 + step / 2; u < wide / 2; u += step) {
            double x = u * cos(angle) - v * sin(angle), y = u * sin(angle) + v * cos(angle);
            if (center.y + y <= 0) continue;
            area += step * step;
            lever->x += x * step * step, lever->y += y * step * step;
        }
    lever->x /= area, lever->y /= area;
    return area;
}

START_TEST_FOR(lift_and_torque_of_what_is_turned, i, 12) {
    w = awake_world(0, 320);
    add(water(1, 0));
    pv_body_def def = WITH(pv_body_def_default(), it.angle = 0.25 + 0.5 * i);
    pv_vec2 at = {7.3, -9 + 1.7 * i}, lever;
    pv_body_id b = put(w, box_mask(40, 24), at.x, at.y, def);
    double area = sampled(at, def.angle, 40, 24, &lever), mass = 40 * 24,
           inertia = mass * (1600 + 576) / 12.0;
    for (int k = 0; k < 16; k++) pv_world_step(w, 1e-4 / 16); /* steps of one substep each */
    double gained = (320 - 320 * area / mass) * 1e-4, spin = lever.x * -320 * area / inertia * 1e-4;
    spin *= 31 / 32.0; /* the first step turns it by half as much as the others */
    ck_assert_double_eq_tol(pv_body_get_velocity(w, b).y, gained, 320 * 1e-4 * 0.003);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), spin,
                            0.01 * 320 * 12 * area / inertia * 1e-4);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, 0, 1e-9);
}

START_TEST(a_particle_floats_by_its_disc) {
    w = awake_world(0, 320);
    add(water(1, 2));
    pv_particle_id p = grain(0, -20, 0.3 * M_PI * 64, 8);
    run(30);
    double y = pv_particle_get_position(w, p).y, below = 0;
    for (double dy = -8 + 5e-4; dy < 8; dy += 1e-3)
        if (y + dy > 0) below += 2 * sqrt(64 - dy * dy) * 1e-3;
    ck_assert_double_eq_tol(below, 0.3 * M_PI * 64, 0.1);
}

START_TEST(a_flow_carries_and_stills) {
    pv_force_field_def stream = WITH(water(1, 0.8), it.velocity = (pv_vec2){60, 0});
    pv_force_field_id f = add(stream);
    pv_body_id b = put(w, box_mask(30, 10), 0, 100,
                       WITH(pv_body_def_default(), it.density = 0.5, it.angular_velocity = 3));
    pv_particle_id p = grain(0, 200, 2 * M_PI * 25, 5); /* twice as dense */
    run(1);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, 60 * (1 - exp(-1.6)), 0.7);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), 3 * exp(-1.6), 0.03);
    ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).x, 60 * (1 - exp(-0.4)), 0.2);
    stream.linear_damping = 1e9; /* even so much drag throws nothing */
    ck_assert_int_eq(pv_force_field_set_def(w, f, &stream), PV_OK);
    for (int i = 0; i < 60; i++) {
        pv_world_step(w, DT);
        ck_assert_double_le(fabs(pv_body_get_angular_velocity(w, b)), 3 * exp(-1.6) + 0.03);
        ck_assert_double_le(fabs(pv_body_get_velocity(w, b).x), 60 + 60 / 32.0);
    }
    ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, 60, 1e-3);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), 0, 1e-3);
    ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).x, 60, 1e-3);
}

/* ---- explosions ---- */

START_TEST(an_explosion_falls_off_evenly) {
    pv_particle_id p[12];
    for (int i = 0; i < 12; i++)
        p[i] = grain(100 + 10 * i * cos(i), 50 + 10 * i * sin(i), 1 + i, 0.5 + 0.25 * i);
    pv_particle_id pinned = grain(110, 50, 0, 1);
    ck_assert_int_eq(pv_world_explode(w, (pv_vec2){100, 50}, 80, 30), PV_OK);
    for (int i = 1; i < 12; i++) {
        double size = i < 8 ? 30 * (1 + 0.5 * i) * (1 - i / 8.0) / (1 + i) : 0;
        ck_assert_near(pv_particle_get_velocity(w, p[i]), ((pv_vec2){size * cos(i), size * sin(i)}),
                       1e-8);
    }
    pv_vec2 v = pv_particle_get_velocity(w, p[0]); /* at the center: any way, full speed */
    ck_assert_double_eq_tol(hypot(v.x, v.y), 30, 1e-8);
    ck_assert_double_eq(pv_particle_get_velocity(w, pinned).x, 0);
}

/// Returns the mean of all unit vectors between two directions; it is shorter than 1.
static pv_vec2 mean_of(pv_vec2 p, pv_vec2 q) {
    double from = atan2(p.y, p.x), to = atan2(q.y, q.x), half = 0.5 * (to - from);
    double size = sin(half) / half;
    return (pv_vec2){size * cos(from + half), size * sin(from + half)};
}

START_TEST(an_explosion_throws_a_body_along_the_middle_of_what_it_sees_of_it) {
    pv_body_id plank = put_dynamic(w, 100, 10, 100, 100), other = put_dynamic(w, 10, 10, 100, 300);
    pv_body_id wall = put_static(w, 10, 10, 60, 150);
    /* below its left part, 15 px away: visible from (50, 105) to (150, 105) */
    ck_assert_int_eq(pv_world_explode(w, (pv_vec2){60, 120}, 60, 4), PV_OK);
    pv_vec2 mean = mean_of((pv_vec2){-10, -15}, (pv_vec2){90, -15});
    double length = hypot(mean.x, mean.y), width = (100 * -mean.y + 10 * mean.x) / length;
    double push = 4 * width * (1 - 15 / 60.0), inertia = 1000 * (100 * 100 + 100) / 12.0;
    ck_assert_near(pv_body_get_velocity(w, plank),
                   ((pv_vec2){push * mean.x / 1000, push * mean.y / 1000}), 1e-9);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, plank),
                            push * (-40 * mean.y - 20 * mean.x) / inertia, 1e-9);
    ck_assert_double_eq(pv_body_get_velocity(w, other).y, 0);
    ck_assert_double_eq(pv_body_get_position(w, wall).x, 60);
    /* from a point inside, it is thrown along its offset; an implosion pulls it */
    ck_assert_int_eq(pv_world_explode(w, (pv_vec2){103, 300}, 60, 2), PV_OK);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, other).x, -2 * 10 / 100.0, 1e-9);
    ck_assert_int_eq(pv_world_explode(w, (pv_vec2){103, 300}, 60, -2), PV_OK);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, other).x, 0, 1e-9);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, other), 0, 1e-9);
}

/// Returns the momentum that an explosion at the origin gives a body, which must not spin.
static double thrown(int contacts, pv_mask *mask, pv_vec2 at, pv_body_def def) {
    w = mode_world(contacts, 320, NULL);
    pv_body_id b = put(w, mask, at.x, at.y, def);
    ck_assert_int_eq(pv_world_explode(w, (pv_vec2){0, 0}, 200, 30), PV_OK);
    pv_vec2 v = pv_body_get_velocity(w, b);
    double momentum = pv_body_get_mass(w, b) * hypot(v.x, v.y);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), 0, 1e-9);
    ck_assert_double_eq_tol((v.x * at.y - v.y * at.x) / hypot(at.x, at.y), 0, 1e-9 * momentum);
    close_world(w);
    return momentum;
}

START_TEST(a_disc_is_as_wide_from_all_sides) {
    const double scales[] = {1, 2, -3};
    for (int radius = 3; radius <= 21; radius += 6)
        for (int how = 0; how < 12; how++) {
            pv_body_def def = WITH(pv_body_def_default(),
                                   it.collider = how & 2 ? PV_COLLIDER_BOX : PV_COLLIDER_PIXELS,
                                   it.scale = (pv_vec2){scales[how >> 2], fabs(scales[how >> 2])});
            pv_mask *disc = mask_till_end(disc_mask(radius));
            double size = sqrt(pv_mask_compute_mass(disc).area / M_PI) * def.scale.y,
                   seen = asin(size / 100);
            double formula = 30 * 2 * size * (sin(seen) / seen) * (1 - (100 - size) / 200);
            for (double bearing = 0; bearing < 6; bearing += 0.37) {
                def.angle = 2.3 * bearing;
                pv_vec2 at = {100 * cos(bearing), 100 * sin(bearing)};
                double momentum = thrown(how & 1, pv_mask_retain(disc), at, def);
                ck_assert_double_eq_tol(momentum / formula, 1, 0.02);
            }
        }
}

START_TEST_FOR(from_a_hole_nothing_is_thrown_but_through_a_slit_it_is, slit, 2) {
    pv_mask *ring = box_mask(60, 60);
    pv_mask_fill_rect(ring, (pv_rect){10, 10, 40, 40}, false);
    if (slit) pv_mask_fill_rect(ring, (pv_rect){50, 20, 10, 20}, false);
    pv_body_id b = put(w, ring, 0, 0, pv_body_def_default());
    ck_assert_int_eq(pv_world_explode(w, (pv_vec2){7, 0}, 100, 100), PV_OK);
    pv_vec2 v = pv_body_get_velocity(w, b);
    if (slit)
        ck_assert(v.x < -0.1 && fabs(v.y) < 1e-9);
    else
        ck_assert(v.x == 0 && v.y == 0);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), 0, 1e-9);
}

/* ---- silhouettes ---- */

enum { PICTURE = 40 };

/// Returns a mask of a few blots, which may be apart.
static pv_mask *blots(uint64_t *seed) {
    pv_mask *m = pv_mask_create(PICTURE, PICTURE, NULL, NULL);
    for (int i = 0; i < 4; i++) {
        int x = (int)(next_unit(seed) * 30), y = (int)(next_unit(seed) * 30);
        pv_mask_fill_rect(
            m, (pv_rect){x, y, 3 + (int)(next_unit(seed) * 7), 3 + (int)(next_unit(seed) * 7)},
            true);
    }
    return m;
}

/// Returns the width of pixels across an axis, each a square enlarged on each side.
static double shadow(const pv_mask *m, pv_vec2 scale, pv_vec2 axis, double farther) {
    enum { ROOM = 40000, MIDDLE = ROOM / 2 };
    static bool dark[ROOM];
    memset(dark, 0, sizeof dark);
    double half = 0.5 * (fabs(axis.x * scale.x) + fabs(axis.y * scale.y)) + farther, sum = 0;
    for (int y = 0; y < PICTURE; y++)
        for (int x = 0; x < PICTURE; x++) {
            double p = axis.x * scale.x * (x + 0.5 - PICTURE / 2.0) +
                       axis.y * scale.y * (y + 0.5 - PICTURE / 2.0);
            int from = (int)(100 * (p - half)), to = (int)(100 * (p + half));
            for (int i = from; i < to && pv_mask_get_pixel(m, x, y); i++) dark[MIDDLE + i] = true;
        }
    for (int i = 0; i < ROOM; i++) sum += dark[i];
    return sum / 100;
}

/// Returns a body's width across the wind, from the momentum that a weak wind gives it.
static double blown(pv_mask *m, pv_vec2 scale, double angle, int contacts) {
    w = world_till_end(
        WORLD(it.contact_mode = (pv_contact_mode)contacts, it.gravity.y = 0, it.substeps = 1));
    pv_body_id b =
        put(w, pv_mask_retain(m), 0, 0,
            WITH(pv_body_def_default(), it.scale = scale, it.angle = angle, it.mass = 1e6));
    add(wind_of(100, 0, 10));
    steps_well(w, 2);
    double gained = -pv_body_get_velocity(w, b).x;
    steps_well(w, 1);
    gained += pv_body_get_velocity(w, b).x;
    close_world(w);
    return gained * 1e6 * 60 / 1000;
}

START_TEST(wind_takes_a_body_by_the_shadow_of_its_pixels) {
    const pv_vec2 scales[] = {{1, 1}, {-1, 1}, {2, 2}, {3, 0.5}};
    uint64_t seed = 11;
    for (int i = 0; i < 120; i++) {
        pv_mask *m = mask_till_end(blots(&seed));
        pv_vec2 scale = scales[i % 4];
        double angle = 6.3 * next_unit(&seed);
        if (i % 5 == 0) angle = 0;
        pv_vec2 axis = {sin(angle), cos(angle)};
        double width = blown(m, scale, angle, (i / 4 + 1) % 2),
               slack = 0.5 * fmax(1, fmax(fabs(scale.x), scale.y)) + 0.1;
        ck_assert_double_le(width, shadow(m, scale, axis, slack));
        ck_assert_double_ge(width, shadow(m, scale, axis, -slack));
    }
}

START_TEST(a_bar_seen_end_on_is_as_wide_as_it_is_thick) {
    pv_mask *m = mask_till_end(box_mask(40, 2));
    for (int i = 0; i < 12; i++) {
        double angle = 0.13 * i, due = 40 * fabs(sin(angle)) + 2 * fabs(cos(angle));
        double width = blown(m, (pv_vec2){1, 1}, angle, PV_CONTACT_MODE_CONTOURS);
        ck_assert_double_eq_tol(width / due, 1, 0.001);
    }
}

START_TEST(more_islands_than_are_counted_are_no_wider_than_all) {
    for (int count = 40; count <= 120; count += 40) {
        pv_mask *m = mask_till_end(pv_mask_create(4 * count, 3, NULL, NULL));
        for (int i = 0; i < count; i++) pv_mask_fill_rect(m, (pv_rect){4 * i, 0, 2, 3}, true);
        double width = blown(m, (pv_vec2){1, 1}, acos(-1) / 2, PV_CONTACT_MODE_CONTOURS);
        ck_assert_double_ge(width, 2 * count - 0.01);
        ck_assert_double_le(width, count <= 64 ? 2 * count + 0.01 : 4 * count);
    }
}

/// A bracket is thrown toward its closed side by an explosion in its mouth.
START_TEST_FOR(from_within_a_notch_it_is_thrown_to_its_closed_side, turned, 4) {
    pv_mask *bracket = box_mask(60, 60);
    pv_mask_fill_rect(bracket, (pv_rect){10, 10, 50, 40}, false);
    pv_body_def def = WITH(pv_body_def_default(), it.angle = turned * acos(-1) / 2);
    pv_vec2 center = pv_mask_compute_mass(bracket).centroid, way = {cos(def.angle), sin(def.angle)};
    pv_body_id b = put(w, bracket, 0, 0, def);
    double depth = 30 - center.x; /* of the middle of its mouth */
    pv_vec2 point = {depth * way.x, depth * way.y};
    ck_assert_int_eq(pv_world_explode(w, point, 100, 100), PV_OK);
    /* all directions meet it, but those between the ends of its legs */
    double half = acos(-1) - atan2(20, 30), share = sin(half) / half, width = 60 * (1 - 20 / 100.0);
    pv_vec2 v = pv_body_get_velocity(w, b);
    double expected = 100 * share * width / pv_body_get_mass(w, b);
    ck_assert_near(v, ((pv_vec2){-expected * way.x, -expected * way.y}), 1e-6 * expected);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), 0, 1e-9);
}

START_TEST(an_explosion_without_memory_for_outlines_throws_nothing) {
    scoped_purse p = {0};
    pv_world_def def = WITH(pv_world_def_default(), it.allocator = (pv_allocator){purse_alloc, &p},
                            it.contact_mode = PV_CONTACT_MODE_PIXELS);
    w = pv_world_create(&def, NULL);
    pv_mask *m = pv_mask_create_rect(9, 5, &def.allocator, NULL);
    pv_body_id b = put(w, m, 30, 0, pv_body_def_default());
    uint64_t hash = pv_world_compute_hash(w);
    int failures = 0;
    for (p.fail_at = p.calls + 1; pv_world_explode(w, (pv_vec2){0, 0}, 100, 10) != PV_OK;
         p.fail_at = p.calls + 1 + failures) {
        ck_assert_uint_eq(pv_world_compute_hash(w), hash);
        ck_assert_int_lt(++failures, 50);
    }
    ck_assert_int_gt(failures, 0);
    ck_assert_double_gt(pv_body_get_velocity(w, b).x, 0);
    pv_world_destroy(w);
}

START_TEST(only_explosions_wake) {
    w = world_till_end(pv_world_create(NULL, NULL));
    put_static(w, 400, 20, 0, 100);
    pv_body_id b = put_dynamic(w, 20, 20, 0, 79.9);
    run(3);
    ck_assert(!pv_body_is_awake(w, b));
    add(wind_of(1000, 0, 100));
    run(1);
    ck_assert(!pv_body_is_awake(w, b));
    ck_assert_int_eq(pv_world_explode(w, (pv_vec2){0, 500}, 100, 10), PV_OK); /* out of reach */
    ck_assert(!pv_body_is_awake(w, b));
    ck_assert_int_eq(pv_world_explode(w, (pv_vec2){0, 95}, 100, 10), PV_OK);
    ck_assert(pv_body_is_awake(w, b));
}

/* ---- names, bad input, memory ---- */

static void refused(pv_force_field_def def, pv_status expected) {
    pv_error error = {0};
    pv_force_field_id good = add(pv_force_field_def_default()),
                      f = pv_force_field_create(w, &def, &error);
    ck_assert_int_eq(error.status, expected);
    ck_assert_uint_eq(f.index, 0);
    ck_assert_int_eq(pv_force_field_set_def(w, good, &def), expected);
    ck_assert_int_eq(pv_force_field_destroy(w, good), PV_OK);
}

START_TEST(bad_defs_are_refused) {
    struct {
        size_t at;
        double value;
    } const ranges[] = {
        {offsetof(pv_force_field_def, velocity.x), 2 * PV_MAX_COORDINATE},
        {offsetof(pv_force_field_def, point.y), -2 * PV_MAX_COORDINATE},
        {offsetof(pv_force_field_def, gust), -0.1},
        {offsetof(pv_force_field_def, gust), 1.1},
        {offsetof(pv_force_field_def, gust_length), 0},
        {offsetof(pv_force_field_def, drag_coefficient), -1},
        {offsetof(pv_force_field_def, radius), -1},
        {offsetof(pv_force_field_def, density), 0},
        {offsetof(pv_force_field_def, linear_damping), -1},
        {offsetof(pv_force_field_def, strength), 1e300},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        pv_force_field_def d = pv_force_field_def_default();
        memcpy((char *)&d + ranges[i].at, &ranges[i].value, sizeof(double));
        refused(d, PV_ERROR_ARGUMENT);
    }
    refused(of_kind(PV_FORCE_FIELD_BUOYANCY), PV_ERROR_ARGUMENT); /* id of no liquid */
}

START_TEST(bad_explosions_are_refused) {
    pv_particle_id p = grain(10, 0, 1, 1);
    const pv_vec2 o = {0, 0}, away = {0, 1e300}, beyond = {0, 2 * PV_MAX_COORDINATE};
    ALL_TOLD(PV_ERROR_ARGUMENT, pv_world_explode(w, away, 10, 1),
             pv_world_explode(w, beyond, 10, 1), pv_world_explode(w, o, 0, 1),
             pv_world_explode(w, o, -5, 1), pv_world_explode(w, o, 10, 1e300));
    ck_assert_double_eq(pv_particle_get_velocity(w, p).x, 0);
    pv_body_id b = put_dynamic(w, 4, 4, 10, 0);
    ck_assert_int_eq(pv_world_explode(w, o, 100, 1e12), PV_OK); /* greatest allowed impulse */
    ck_assert(isfinite(pv_body_get_velocity(w, b).x) && isfinite(pv_particle_get_velocity(w, p).x));
    ck_assert_double_gt(pv_particle_get_velocity(w, p).x, 1e5);
}

RUN_TESTS_IN("force", open_world, give_back, 1)
