/* test_liquid.c - liquids: conservation, rest, floating bodies, and refusals.
 *
 * Invariant: expected values are sums over particles and closed formulas.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "shared_world.h"

static const double DT = 1.0 / 60;

enum { MOST = 1200 };

static pv_world *w;

/// Drops of the test, in the order of their creation
static struct {
    pv_particle_id at[MOST];
    int count;
} d;

static void open_world(double gravity, int substeps) {
    w = next_world(WITH(with_gravity(gravity), it.substeps = substeps));
    d.count = 0;
}

static void open_space(void) { open_world(0, 0); }

static pv_liquid_id water(void) { return CREATE_WELL(liquid, w, pv_liquid_def_default()); }

static pv_particle_id throw_drop(pv_liquid_id l, double x, double y, pv_vec2 v, double mass) {
    pv_particle_id p = CREATE(particle, w, it.position = (pv_vec2){x, y}, it.velocity = v,
                              it.mass = mass, it.radius = 3);
    ck_assert_int_eq(pv_liquid_add_particle(w, l, p), PV_OK);
    ck_assert_int_lt(d.count, MOST);
    d.at[d.count++] = p;
    return p;
}

static pv_particle_id drop(pv_liquid_id l, double x, double y) {
    return throw_drop(l, x, y, (pv_vec2){0, 0}, 1);
}

static void pour(pv_liquid_id l, pv_vec2 corner, int columns, int rows, double apart) {
    uint64_t seed = 3;
    for (int i = 0; i < columns * rows; i++) {
        double x = corner.x + apart * (i % columns) + 0.3 * next_unit(&seed);
        drop(l, x, corner.y - apart * (i / columns) + 0.3 * next_unit(&seed));
    }
}

static void run(double seconds) { step_times((int)lround(seconds * 60)); }

static double energy_of_drops(void) {
    double sum = 0;
    for (int i = 0; i < d.count; i++) {
        pv_vec2 v = particle_v(d.at[i]);
        sum += 0.5 * pv_particle_get_mass(w, d.at[i]) * (v.x * v.x + v.y * v.y);
    }
    return sum;
}

/* ---- conservation ---- */

START_TEST(a_free_blob_keeps_its_momentum_and_turns_on) {
    pv_liquid_id l = water(),
                 oil = CREATE(liquid, w, it.interaction_radius = 17, it.viscosity = 200);
    uint64_t seed = 11;
    for (int i = 0; i < 400; i++) { /* two liquids and many masses, thrown into each other */
        double x = 9 * (i % 20) - 85, y = 9 * (i / 20) - 85;
        pv_vec2 v = {30 - 0.8 * y - (x > 0 ? 120 : 0), 10 + 0.8 * x};
        throw_drop(i % 3 ? l : oil, x, y, v, 0.5 + 2 * next_unit(&seed));
    }
    const momenta before = momenta_of(w);
    const double energy = energy_of_drops();
    for (int s = 0; s < 240; s++) {
        pv_world_step(w, DT);
        expect_kept_momenta(&before, w, 1e-9 * before.size, 1e-9 * before.size * 120);
        ck_assert_double_le(energy_of_drops(), 1.25 * energy);
    }
}

START_TEST(liquid_and_what_it_washes_against_keep_their_momentum) {
    pv_liquid_id l = water();
    for (int i = 0; i < 300; i++)
        throw_drop(l, 5.4 * (i % 20), 5.4 * (i / 20), (pv_vec2){80, 0}, 1);
    pv_body_id b = put(w, box_mask(40, 16), 160, 45,
                       WITH(pv_body_def_default(), it.density = 0.05, it.angle = 0.4));
    const momenta before = momenta_of(w);
    for (int s = 0; s < 180; s++) {
        pv_world_step(w, DT);
        expect_kept_momenta(&before, w, 1e-9 * before.size, 1e-6 * before.size * 100);
    }
    ck_assert_double_gt(body_v(b).x, 10); /* it was pushed */
}

START_TEST(two_drops_part_with_the_energy_that_was_pressed_into_them) {
    open_world(0, 64);
    pv_liquid_id l = CREATE(liquid, w, it.rest_density = 0.2, it.stiffness = 4e5,
                            it.near_stiffness = 3e4, it.viscosity = 0);
    pv_particle_id a = drop(l, 0, 0), b = drop(l, 6, 0);
    for (int i = 0; i < 2000 * 64; i++) pv_world_step(w, 1e-3 / 64);
    /* stiffness (q^2 - density)^2 / 2, less 1/500 for attraction, and near stiffness (q^3)^2 / 2 */
    double energy = 4e5 * (pow(0.25 - 0.2, 2) - 0.002 * pow(0.2, 2)) + 3e4 * pow(0.125, 2),
           speed = sqrt(energy);
    ck_assert_double_eq_tol(particle_v(a).x, -speed, 0.01 * speed);
    ck_assert_double_eq_tol(particle_v(b).x, speed, 0.01 * speed);
    ck_assert_double_eq(particle_v(b).y, 0);
}

START_TEST(viscosity_is_the_rate_at_which_neighbors_come_to_one_speed) {
    open_world(0, 64);
    pv_liquid_id l = CREATE(liquid, w, it.stiffness = it.near_stiffness = 0, it.viscosity = 8);
    pv_particle_id a = throw_drop(l, 0, 0, (pv_vec2){0.2, 1}, 1),
                   b = throw_drop(l, 0, 3, (pv_vec2){0, -1}, 1);
    double q = 0.75, t = 0.1; /* they come only slightly nearer meanwhile */
    run(t);
    ck_assert_double_eq_tol(particle_v(b).y - particle_v(a).y, -2 * exp(-8 * q * t), 0.02);
    ck_assert_double_eq_tol(particle_v(a).x, 0.2, 0.01); /* across the line nothing changes */
}

/* ---- rest ---- */

/// Returns how much a wall slows a viscous drop beside it in one substep [px/s].
static double brake_of_wall(double distance, double speed) {
    open_world(0, 0);
    pv_liquid_id l = CREATE(liquid, w, it.interaction_radius = 64, it.viscosity = 1e6,
                            it.stiffness = it.near_stiffness = 0);
    put_box(PV_BODY_STATIC, 200, 40, 0, 20);
    pv_particle_id p = throw_drop(l, 0, -distance, (pv_vec2){0, -speed}, 1);
    pv_world_step(w, 1.0 / 960);
    return fabs(speed) - fabs(particle_v(p).y);
}

START_TEST(a_wall_brakes_what_leaves_as_much_as_what_comes) {
    double comes = brake_of_wall(7.9, -4500), leaves = brake_of_wall(3.2, 4500);
    ck_assert_double_gt(comes, 1);
    ck_assert_double_eq_tol(leaves, comes, 1e-6 * comes);
}

/// Adds a basin from x = 0 to a width, with its bottom at y = 0.
static void dig(int width) {
    put_box(PV_BODY_STATIC, width + 100, 40, width / 2.0, 20);
    put_box(PV_BODY_STATIC, 40, 500, -20, -250);
    put_box(PV_BODY_STATIC, 40, 500, width + 20, -250);
}

static void basin(int width, int columns, int rows) {
    open_world(320, 0);
    dig(width);
    pour(water(), (pv_vec2){4, -4}, columns, rows, 5.3);
}

/// Returns the height of the surface between two x, by the topmost drop.
static double level(double left, double right) {
    double top = 0;
    for (int i = 0; i < d.count; i++) {
        pv_vec2 at = particle_at(d.at[i]);
        if (at.x >= left && at.x < right) top = fmax(top, -at.y);
    }
    return top;
}

static int count_between(double low, double high) {
    int n = 0;
    for (int i = 0; i < d.count; i++)
        n += -particle_at(d.at[i]).y >= low && -particle_at(d.at[i]).y < high;
    return n;
}

START_TEST(a_column_comes_to_rest_and_is_hardly_pressed_together) {
    basin(100, 18, 22);
    run(5);
    double rough = energy_of_drops() / d.count, height = level(0, 100);
    run(6);
    double calm = 0;
    for (int i = 0; i < 60; i++) {
        run(DT);
        calm = fmax(calm, energy_of_drops() / d.count);
    }
    ck_assert_double_le(calm, rough);
    ck_assert_double_le(calm, 0.05); /* in (px/s)^2: 0.3 px/s */
    ck_assert_double_eq_tol(level(0, 100), height, 2);
    ck_assert(height >= 90 && height <= 115);
    for (int x = 0; x < 100; x += 20) ck_assert_double_eq_tol(level(x, x + 20), height, 4);
    /* Halves hold the same number, but for compression: gravity * height / c^2 */
    int low = count_between(10, 50), high = count_between(50, 90);
    ck_assert_double_eq_tol((double)low / high, 1, 0.06);
    for (int i = 0; i < d.count; i++) {
        pv_vec2 at = particle_at(d.at[i]);
        ck_assert(at.x > 2.5 && at.x < 97.5 && at.y < -2.5); /* none seeped away */
    }
}

START_TEST(what_is_poured_in_at_one_side_levels_out) {
    basin(160, 10, 36);
    double fallen_with = 0;
    for (int s = 0; s <= 11 * 60; s += 20) {
        double now = energy_of_drops();
        for (int i = 0; i < d.count; i++) now -= 320 * particle_at(d.at[i]).y;
        if (s == 0) fallen_with = now;
        ck_assert_double_le(now, 1.01 * fallen_with);
        step_times(20);
    }
    for (int x = 0; x < 160; x += 40) ck_assert_double_eq_tol(level(x, x + 40), level(0, 160), 6);
    ck_assert_double_le(energy_of_drops() / d.count, 5);
}

START_TEST(it_slips_along_sprites) {
    open_world(320, 0);
    pv_liquid_id l = water();
    put_box(PV_BODY_STATIC, 600, 20, 300, 10);
    pv_particle_id wet = throw_drop(l, 50, -3, (pv_vec2){100, 0}, 1);
    pv_particle_id dry = put_particle(w, 20, -3);
    pv_particle_set_velocity(w, dry, (pv_vec2){100, 0});
    run(2);
    ck_assert_double_eq_tol(particle_v(wet).x, 100, 1e-6);
    ck_assert_double_le(particle_v(dry).x, 1);
}

START_TEST(light_sprites_float_and_heavy_ones_sink) {
    basin(200, 36, 16);
    run(2);
    double mass_of_px = d.count / (200 * level(0, 200)); /* each has a mass of 1 */
    pv_body_def def = WITH(pv_body_def_default(), it.density = 0.4 * mass_of_px);
    pv_body_id raft = put(w, box_mask(60, 24), 50, -130, def);
    def.density = 4 * mass_of_px;
    pv_body_id stone = put(w, disc_mask(12), 160, -130, def);
    run(6);
    double surface = level(85, 145), displaced = 60 * 24 * 0.4 + M_PI * 144;
    ck_assert_double_eq_tol(surface, (d.count / mass_of_px + displaced) / 200, 5);
    ck_assert_double_eq_tol(-body_at(raft).y - 12, surface - 0.4 * 24, 5);
    ck_assert_double_le(fabs(pv_body_get_angle(w, raft)), 0.25);
    ck_assert_double_le(-body_at(stone).y, 12 + 7); /* on the ground, or on a film of liquid */
}

START_TEST(what_floats_follows_the_surface_down) {
    basin(160, 29, 20);
    run(2);
    pv_body_id b =
        put(w, box_mask(40, 20), 80, -130, WITH(pv_body_def_default(), it.density = 0.01));
    run(3);
    double high = -body_at(b).y;
    for (int i = 0; i < d.count; i += 2) pv_particle_destroy(w, d.at[i]);
    run(5);
    ck_assert_double_le(-body_at(b).y, high - 25);
    for (int i = 1; i < d.count; i += 2) pv_particle_destroy(w, d.at[i]);
    run(3);
    ck_assert_double_eq_tol(body_at(b).y, -10, 0.5); /* aground */
}

START_TEST(it_floats_in_a_world_of_pixel_contacts_too) {
    w = next_world_by(PV_CONTACT_MODE_PIXELS, 320);
    dig(160);
    pour(water(), (pv_vec2){4, -4}, 29, 18, 5.3);
    run(3);
    double before = level(0, 160);
    pv_body_id b = put(w, disc_mask(14), 80, -130, WITH(pv_body_def_default(), it.density = 0.015));
    run(6);
    ck_assert(-body_at(b).y >= before - 6 && -body_at(b).y <= before + 14);
}

START_TEST(water_lifts_what_lies_flat_on_the_ground) {
    open_world(320, 0);
    pv_liquid_id l = water();
    dig(260);
    pv_body_def def = WITH(pv_body_def_default(), it.density = 0.01);
    def.mass = 1e6; /* held down */
    pv_body_id b = put(w, box_mask(60, 20), 130, -16.5, def);
    pv_particle_id film[9];
    for (int i = 0; i < 9; i++) film[i] = drop(l, 106 + 6 * i, -3.25);
    pour(l, (pv_vec2){4, -4}, 17, 14, 5.3);
    pour(l, (pv_vec2){168, -4}, 17, 14, 5.3);
    run(2);
    ck_assert_double_ge(body_at(b).y, -20);
    ck_assert(pv_particle_is_valid(w, film[0]));
    pv_vec2 at = body_at(b);
    pv_body_destroy(w, b);
    def.mass = 0;
    b = put(w, box_mask(60, 20), at.x, at.y, def);
    run(6);
    ck_assert_double_le(body_at(b).y, -40);
}

START_TEST(a_drop_holds_together_and_heavy_liquid_goes_to_the_bottom) {
    pour(water(), (pv_vec2){0, 0}, 12, 12, 5.5);
    run(4);
    double spread = 0;
    for (int i = 0; i < d.count; i++)
        for (int k = 0; k < i; k++)
            spread = fmax(spread, vec_distance(particle_at(d.at[i]), particle_at(d.at[k])));
    ck_assert_double_le(spread, 130); /* the square at the start has 86 */
    ck_assert_double_ge(spread, 55);
    open_world(320, 0);
    pv_liquid_id light = water(), heavy = water();
    dig(62);
    for (int i = 0; i < 200; i++) { /* every second drop is heavy */
        double x = 4 + 5.3 * (i / 2 % 5 * 2 + (i + i / 10) % 2), y = -4 - 5.3 * (i / 10);
        throw_drop(i % 2 ? heavy : light, x, y, (pv_vec2){0, 0}, i % 2 ? 4 : 1);
    }
    run(24);
    double low = 0, high = 0;
    for (int i = 0; i < 200; i++) *(i % 2 ? &low : &high) -= particle_at(d.at[i]).y / 100;
    ck_assert_double_ge(high - low, 5); /* 0 at first */
}

START_TEST(what_coincides_parts_and_does_not_burst) {
    pv_liquid_id l = water();
    for (int i = 0; i < 60; i++) drop(l, 7, -3);
    for (int s = 0; s < 120; s++) {
        step_well(w, DT);
        for (int i = 0; i < d.count; i++) {
            pv_vec2 v = particle_v(d.at[i]);
            ck_assert(isfinite(v.x) && isfinite(v.y));
            ck_assert_double_le(hypot(v.x, v.y), 6000);
        }
    }
    pv_vec2 a = particle_at(d.at[0]), b = particle_at(d.at[59]);
    ck_assert_double_gt(vec_distance(a, b), 5);
    momenta m = momenta_of(w);
    ck_assert_double_le(fmax(fabs(m.x), fabs(m.y)), 1e-9 * (1 + m.size));
}

START_TEST_FOR(long_substeps_make_it_softer_not_wild, k, 4) {
    const int substeps[] = {1, 2, 4, 8};
    open_world(320, substeps[k]);
    pv_liquid_id l = water();
    dig(160);
    pour(l, (pv_vec2){4, -4}, 29, 10, 5.3);
    run(5);
    ck_assert_double_le(energy_of_drops() / d.count, 800);
    ck_assert_double_le(level(0, 160), 90);
}

/// Returns where a splash ends. A fast drop far away may force new neighbor lists at any time.
static void splash(bool disturbed, pv_vec2 end[240]) {
    basin(120, 12, 20);
    pv_liquid_id l = {1, 1};
    pv_particle_id far = disturbed ? drop(l, 5000, 0) : pv_null_particle;
    for (int s = 0; s < 120; s++) {
        if (disturbed) pv_particle_set_velocity(w, far, (pv_vec2){s % 2 ? 4000 : -4000, 0});
        pv_world_step(w, DT);
        if (disturbed && s == 70) {
            pv_particle_destroy(w, far);
            far = drop(l, 5000, 0);
        }
    }
    for (int i = 0; i < 240; i++) end[i] = particle_at(d.at[i]);
}

START_TEST(lists_of_neighbors_decide_nothing) {
    static pv_vec2 one[240], other[240];
    splash(false, one);
    splash(true, other);
    ck_assert_mem_eq(one, other, sizeof one);
}

/// Returns where two drops end, one thrown back by a wall. A drop far away may force new lists.
static void rebound(pv_vec2 way, bool disturbed, pv_vec2 end[2]) {
    open_world(0, 0);
    pv_liquid_id l = water();
    pv_body_set_restitution(w, put_box(PV_BODY_STATIC, 40, 40, 24 * way.x, 24 * way.y), 1);
    pv_particle_id pair[2] = {CREATE(particle, w, it.velocity = (pv_vec2){360 * way.x, 360 * way.y},
                                     it.radius = 3, it.restitution = 1),
                              drop(l, -13.2 * way.x, -13.2 * way.y)};
    ck_assert_int_eq(pv_liquid_add_particle(w, l, pair[0]), PV_OK);
    if (disturbed) throw_drop(l, 5000, 5000, (pv_vec2){4000, 0}, 1);
    pv_world_step(w, DT);
    for (int i = 0; i < 2; i++) end[i] = particle_at(pair[i]);
}

START_TEST_FOR(a_drop_thrown_back_is_felt_at_once, i, 4) {
    const pv_vec2 ways[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    pv_vec2 one[2], other[2];
    rebound(ways[i], false, one);
    rebound(ways[i], true, other);
    ck_assert_mem_eq(one, other, sizeof one);
    double away = -(one[1].x * ways[i].x + one[1].y * ways[i].y) - 13.2;
    ck_assert_double_gt(away, 1e-6); /* it was pushed */
}

/* ---- names, bad input, crowds ---- */

START_TEST(particles_come_and_go) {
    open_world(320, 0);
    pv_liquid_id a = water(), b = water();
    pv_particle_id p[5], found[8];
    for (int i = 0; i < 5; i++) p[i] = drop(a, 6 * i, 0);
    ck_assert_int_eq(pv_liquid_get_particles(w, a, NULL, 0), 5);
    ck_assert_int_eq(pv_liquid_add_particle(w, a, p[0]), PV_OK); /* once more */
    ck_assert_int_eq(pv_liquid_get_particles(w, a, NULL, 0), 5);
    ck_assert_int_eq(pv_liquid_add_particle(w, b, p[0]), PV_OK);
    ck_assert_int_eq(pv_liquid_get_particles(w, a, NULL, 0), 4);
    ck_assert_int_eq(pv_liquid_get_particles(w, b, NULL, 0), 1);
    ck_assert_int_eq(pv_liquid_get_particles(w, a, found, 2), 4);
    ck_assert_uint_eq(found[0].index, p[1].index);
    ck_assert_uint_eq(found[1].index, p[2].index);
    ck_assert_int_eq(pv_liquid_get_particles(w, a, NULL, 9), 4);
    ck_assert_int_eq(pv_particle_destroy(w, p[3]), PV_OK);
    ck_assert_int_eq(pv_liquid_get_particles(w, a, NULL, 0), 3);
    run(0.1);
    ck_assert_int_eq(pv_liquid_destroy(w, a), PV_OK);
    ck_assert(!pv_liquid_is_valid(w, a) && pv_liquid_is_valid(w, b));
    ck_assert_int_eq(pv_liquid_get_particles(w, a, NULL, 0), 0);
    ck_assert(pv_particle_is_valid(w, p[1])); /* no longer in a liquid */
    pv_liquid_id again = water();             /* takes the same slot */
    ck_assert_uint_eq(again.index, a.index);
    ck_assert_int_eq(pv_liquid_get_particles(w, again, NULL, 0), 0);
    pv_particle_id fresh =
        throw_drop(again, 0, 0, (pv_vec2){0, 0}, 0); /* pinned, in p[3]'s place */
    ck_assert_uint_eq(fresh.index, p[3].index);
    run(0.5);
    ck_assert_double_eq(particle_at(fresh).x, 0);
}

START_TEST(what_is_out_of_range_is_refused) {
    pv_liquid_def good = pv_liquid_def_default();
    const pv_liquid_def bad[] = {
        WITH(good, it.interaction_radius = 1.9), WITH(good, it.interaction_radius = 65),
        WITH(good, it.rest_density = 0),         WITH(good, it.rest_density = -1),
        WITH(good, it.stiffness = -1),           WITH(good, it.stiffness = 1e300),
        WITH(good, it.near_stiffness = -1),      WITH(good, it.viscosity = -1)};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        pv_error error = {0};
        ck_assert_uint_eq(pv_liquid_create(w, &bad[i], &error).index, 0);
        ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    }
}

START_TEST(a_crowd_at_one_place_parts_and_keeps_its_center) {
    pv_liquid_id l = water();
    for (int i = 0; i < 1000; i++) drop(l, 0.01 * (i % 32), 0.01 * (i / 32));
    pv_vec2 before = {0, 0}, after = {0, 0};
    double far = 0;
    for (int i = 0; i < d.count; i++)
        before = pv_vec2_add(before, pv_vec2_scale(1.0 / d.count, particle_at(d.at[i])));
    run(2);
    for (int i = 0; i < d.count; i++) {
        pv_vec2 p = particle_at(d.at[i]);
        after = pv_vec2_add(after, pv_vec2_scale(1.0 / d.count, p));
        far = fmax(far, pv_vec2_length(p));
    }
    expect_point(after, before.x, before.y, 1e-9);
    ck_assert_double_gt(far, 60); /* at rest they form a disc about 90 px wide */
}

RUN_TESTS_IN("liquid", open_space, close_world, 1)
