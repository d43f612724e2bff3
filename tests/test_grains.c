/* test_grains.c - grains: flight, bounces, piles, contact with bodies, sinks, and how they end.
 *
 * Invariant: formulas and exact point queries decide; every grain is accounted for.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "shared_world.h"

enum { WIDE = 400, HIGH = 300 };
static const double H = 1.0 / 60, ONE = 65536;
static pv_world *world;

static void open_world(pv_vec2 gravity, purse *p) {
    pv_world_def def = WITH(pv_world_def_default(), it.gravity = gravity);
    if (p) def.allocator = (pv_allocator){purse_alloc, p};
    world = next_world(def);
}

static void open_down(double gravity) { open_world((pv_vec2){0, gravity}, NULL); }
static void open_usual(void) { open_down(320); }

static pv_grains_id open_grains(pv_grains_def def) { return CREATE_WELL(grains, world, def); }

static pv_grains_id plain_grains(void) { return open_grains(pv_grains_def_default()); }
static pv_grains_stats stats_of(pv_grains_id grains) { return pv_grains_get_stats(world, grains); }
static pv_grains_view view_of(pv_grains_id grains) { return pv_grains_get_view(world, grains); }

static pv_grains_def with_friction(double friction, double restitution) {
    return WITH(pv_grains_def_default(), it.friction = friction, it.restitution = restitution);
}

/// Adds a mask with its pixel (0, 0) at a whole pixel.
static pv_body_id lay(pv_mask *mask, int x, int y, pv_body_type type) {
    pv_mass_data mass = pv_mask_compute_mass(mask);
    return put(world, mask, x + mass.centroid.x, y + mass.centroid.y, of_type(type));
}

static pv_mask *room_mask(int wall) {
    pv_mask *m = box_mask(WIDE, HIGH);
    pv_mask_fill_rect(m, (pv_rect){wall, wall, WIDE - 2 * wall, HIGH - 2 * wall}, false);
    return m;
}

static void emit(pv_grains_id grains, double x, double y, double vx, double vy) {
    pv_grain g = {{x, y}, {vx, vy}, 7};
    ck_assert_int_eq(pv_grains_emit(world, grains, &g, 1), PV_OK);
}

static void emit_many(pv_grains_id grains, int count, pv_box box, double speed, uint64_t *seed) {
    for (int i = 0; i < count; i++)
        emit(grains, box.min.x + (box.max.x - box.min.x) * next_unit(seed),
             box.min.y + (box.max.y - box.min.y) * next_unit(seed),
             speed * (2 * next_unit(seed) - 1), speed * (2 * next_unit(seed) - 1));
}

static pv_vec2 place(const pv_grains_view *v, int i) {
    return (pv_vec2){v->x[i] / ONE, v->y[i] / ONE};
}

static pv_vec2 first_place(pv_grains_id grains) {
    pv_grains_view v = view_of(grains);
    return place(&v, 0);
}

static int64_t moving_of(pv_grains_id grains) { return stats_of(grains).moving; }

static void settle(pv_grains_id grains, int count, pv_box box, int steps) {
    uint64_t seed = 12;
    emit_many(grains, count, box, 0, &seed);
    step_times(steps);
    ck_assert_int_eq(moving_of(grains), 0);
}

/// Counts the grains in a body; none may be farther from its center than reach along an axis.
static int count_in(pv_grains_id grains, pv_body_id body, double reach) {
    pv_grains_view v = view_of(grains);
    pv_vec2 center = body_at(body);
    int count = 0;
    for (int i = 0; i < v.count; i++) {
        pv_vec2 at = place(&v, i);
        if (v.y[i] == PV_GRAIN_NONE || fabs(at.x - center.x) > reach) continue;
        if (fabs(at.y - center.y) <= reach) count += pv_body_test_point(world, body, at);
    }
    return count;
}

/// Checks that every emitted grain is alive, or its end was counted.
static void check_sum(pv_grains_id grains) {
    pv_grains_stats s = stats_of(grains);
    pv_grains_view v = view_of(grains);
    int living = 0;
    for (int i = 0; i < v.count; i++) living += v.y[i] != PV_GRAIN_NONE;
    ck_assert_int_eq(s.grains, living);
    ck_assert_int_eq(s.emitted, s.grains + s.expired + s.lost + s.sunk + s.merged);
}

/* ---- in the air ---- */

START_TEST_FOR(a_grain_falls_by_the_formula, k, 4) {
    const double gravities[] = {320, 980, 1.5, -40};
    open_world((pv_vec2){0.25 * gravities[k], gravities[k]}, NULL);
    pv_grains_id grains = plain_grains();
    emit(grains, 10.5, -2000.25, 30, -60);
    for (int n = 1; n <= 300; n++) {
        step_times(1);
        pv_grains_view v = view_of(grains);
        double fall = gravities[k] * H * H * n * (n + 1) / 2;
        expect_point(place(&v, 0), 10.5 + 30 * H * n + 0.25 * fall, -2000.25 - 60 * H * n + fall,
                     0.02);
    }
}

START_TEST(drag_takes_its_part) {
    open_down(0);
    pv_grains_id grains = open_grains(WITH(pv_grains_def_default(), it.linear_damping = 1.5));
    emit(grains, 0, 0, 600, 0);
    step_times(60);
    double speed = 600 * H * pow(1 - 1.5 * H, 60);
    ck_assert_double_eq_tol(view_of(grains).dx[0] / ONE, speed, 0.02 * speed);
}

START_TEST(another_length_of_the_step_keeps_the_speed) {
    open_down(0);
    pv_grains_id grains = plain_grains();
    emit(grains, 0, 0, 300, -60);
    step_times(10);
    pv_vec2 at = first_place(grains);
    for (int i = 0; i < 20; i++) step_well(world, H / 2);
    expect_point(first_place(grains), at.x + 50, at.y - 10, 0.01);
}

/* ---- on the ground ---- */

START_TEST_FOR(a_bounce_returns_the_restitution, k, 3) {
    const double parts[] = {0.3, 0.6, 0.9};
    open_down(320);
    lay(box_mask(200, 20), 0, 200, PV_BODY_STATIC);
    pv_grains_id grains = open_grains(with_friction(0, parts[k]));
    emit(grains, 100.5, 50.5, 0, 0);
    double top = 200;
    bool hit = false;
    for (int n = 0; n < 150; n++) {
        step_times(1);
        pv_grains_view v = view_of(grains);
        bool up = v.dy[0] < 0;
        if (hit && !up) break;
        hit |= up;
        top = place(&v, 0).y;
    }
    ck_assert_double_eq_tol((200 - top) / 149.5, parts[k] * parts[k], 0.06);
}

/// Returns a mask of ground that falls to the right.
static pv_mask *slope_mask(double slope) {
    pv_mask *m = pv_mask_create(WIDE, HIGH, NULL, NULL);
    for (int x = 0; x < WIDE; x++)
        for (int y = (int)(10 + x * slope); y < HIGH; y++) pv_mask_set_pixel(m, x, y, true);
    return m;
}

START_TEST_FOR(a_grain_slides_down_a_slope_or_rests, k, 6) {
    const double slopes[] = {0.5, 0.7, 0.7, 1, 0.3, 0.5}, frictions[] = {0.1, 0.2, 0, 0.3, 0.6, 1};
    open_down(320);
    lay(slope_mask(slopes[k]), 0, 0, PV_BODY_STATIC);
    pv_grains_id grains = open_grains(with_friction(frictions[k], 0));
    emit(grains, 20.5, 9 + 20 * slopes[k], 0, 0);
    step_times(100);
    double pull = 320 * H * H * (slopes[k] - frictions[k]) / (1 + slopes[k] * slopes[k]),
           way = first_place(grains).x - 20.5, free = pull * 5000;
    ck_assert_msg(pull < 0 ? way < 2 : way > 0.35 * free && way < 1.3 * free,
                  "slope %g friction %g: %g of %g px", slopes[k], frictions[k], way, free);
}

static pv_mask *obstacles(uint64_t *seed) {
    pv_mask *m = room_mask(8);
    for (int i = 0; i < 12; i++) {
        int x = (int)(next_unit(seed) * WIDE), y = (int)(next_unit(seed) * HIGH);
        int r = (int)(next_unit(seed) * 18) + 1;
        for (int k = 0; k < 60; k++)
            if (i % 3 == 0) pv_mask_set_pixel(m, x + k, y + k / 2, true);
        for (int v = -r; i % 3 && v <= r; v++)
            for (int u = -r; u <= r; u++)
                if (u * u + v * v <= r * r && (i % 3 == 1 || u * u + v * v > (r - 1) * (r - 1)))
                    pv_mask_set_pixel(m, x + u, y + v, true);
    }
    return m;
}

START_TEST_FOR(no_grain_is_ever_in_the_ground, k, 6) {
    const double turns[] = {0, 0, 0.4, 2, 0, 0};
    const pv_vec2 gravities[] = {{0, 320}, {300, -50}, {0, 980}, {-20, 300}, {0, 320}, {0, 320}},
                  scales[] = {{1, 1}, {1, 1}, {1, 1}, {-1.3, 1.3}, {1, -1}, {1.2, 1}};
    uint64_t seed = 77 + (uint64_t)k;
    open_world(gravities[k], NULL);
    pv_body_id ground = lay(obstacles(&seed), 0, 0, PV_BODY_STATIC);
    pv_body_set_angle(world, ground, turns[k]);
    pv_body_set_scale(world, ground, scales[k]);
    pv_grains_id grains = open_grains(with_friction(0.5, 0.3));
    emit_many(grains, 3000, (pv_box){{20, 20}, {WIDE - 20, HIGH - 20}}, 4000, &seed);
    for (int n = 0; n < 200; n++) {
        step_times(1);
        ck_assert_int_eq(count_in(grains, ground, INFINITY), 0);
    }
    check_sum(grains);
}

START_TEST(nothing_thin_is_passed_at_any_speed) {
    uint64_t seed = 5;
    open_down(0);
    lay(room_mask(1), 0, 0, PV_BODY_STATIC);
    pv_mask *diagonal = pv_mask_create(120, 120, NULL, NULL);
    for (int i = 0; i < 120; i++) pv_mask_set_pixel(diagonal, i, i, true);
    lay(diagonal, 100, 100, PV_BODY_STATIC);
    pv_grains_id grains = open_grains(with_friction(0, 1));
    emit_many(grains, 2000, (pv_box){{3, 3}, {WIDE - 3, HIGH - 3}}, 15000, &seed);
    step_times(300);
    pv_grains_view v = view_of(grains);
    for (int i = 0; i < v.count; i++) {
        pv_vec2 p = place(&v, i);
        ck_assert(p.x >= 1 && p.y >= 1 && p.x <= WIDE - 1 && p.y <= HIGH - 1);
    }
    ck_assert_int_eq(stats_of(grains).lost, 0);
}

/// After a restore, a wall at the edge of a page, which is at 0, stops grains of the next page.
START_TEST_FOR(restored_walls_stop_what_comes_from_afar, k, 4) {
    scoped_keepsake kept = {0};
    bool upright = k < 2;
    int side = k % 2 ? 1 : -1, edge = k % 2 ? -2 : 0;
    open_down(0);
    lay(upright ? box_mask(64, 2) : box_mask(2, 64), upright ? 100 : edge, upright ? edge : 100,
        PV_BODY_STATIC);
    pv_grains_id grains = plain_grains();
    step_times(1);
    keep_world(world, 0, &kept);
    recall_world(world, &kept);
    emit(grains, upright ? 130 : 40 * side, upright ? 40 * side : 130, upright ? 0 : -3000 * side,
         upright ? -3000 * side : 0);
    step_times(5);
    pv_vec2 at = first_place(grains);
    ck_assert((upright ? at.y : at.x) * side > 0);
}

/* ---- piles ---- */

/// Returns the mean slope of a pile on a wide floor, with gravity in one of four directions.
static double slope_of_pile(double friction, int down) {
    const pv_vec2 ways[] = {{0, 320}, {0, -320}, {320, 0}, {-320, 0}};
    pv_vec2 n = {ways[down].x / 320, ways[down].y / 320};
    open_world(ways[down], NULL);
    bool upright = n.x == 0;
    pv_mask *plank = upright ? box_mask(500, 10) : box_mask(10, 500);
    put(world, plank, n.x * 205, n.y * 205, of_type(PV_BODY_STATIC));
    pv_grains_id grains = open_grains(with_friction(friction, 0.1));
    uint64_t seed = 9;
    for (int i = 0; i < 400; i++) {
        double side = 6 * next_unit(&seed) - 3;
        for (int k = 0; k < 16; k++)
            emit(grains, upright ? side : k - 8, upright ? k - 8 : side, 0, 0);
        step_times(1);
    }
    step_times(500);
    ck_assert_int_eq(moving_of(grains), 0);
    int heights[200] = {0};
    pv_grains_view v = view_of(grains);
    for (int i = 0; i < v.count; i++) {
        pv_vec2 p = place(&v, i);
        int along = (int)floor(fabs(upright ? p.x : p.y));
        if (along < 200) heights[along]++;
    }
    return (heights[4] - heights[44]) / 2.0 / 40;
}

START_TEST_FOR(piles_come_to_rest_at_the_slope_of_their_friction, i, 3) {
    const double frictions[] = {0.4, 0.6, 1};
    for (int down = 0; down < 4; down++) {
        double slope = slope_of_pile(frictions[i], down);
        ck_assert_msg(fabs(slope - frictions[i]) < 0.15, "friction %g, down %d: %g", frictions[i],
                      down, slope);
    }
}

START_TEST(grains_at_one_place_do_not_pile_up_as_a_tower) {
    pv_grains_id grains = open_grains(with_friction(.6, 0));
    lay(room_mask(20), 0, 0, PV_BODY_STATIC);
    for (int i = 0; i < 300; i++) emit(grains, WIDE / 2 + .5, HIGH - 20.5, 0, 0);
    for (int i = 0; i < 10; i++) {
        step_times(1);
        pv_grains_view v = view_of(grains);
        double highest = HIGH;
        for (int k = 0; k < v.count; k++) highest = fmin(highest, place(&v, k).y);
        ck_assert_msg(highest > HIGH - 20 - 40, "step %d: %g px high", i, HIGH - 20 - highest);
    }
    check_sum(grains);
}

START_TEST(a_pile_without_its_ground_falls) {
    pv_body_id floor = lay(box_mask(200, 10), 0, 200, PV_BODY_STATIC);
    lay(box_mask(200, 10), 0, 280, PV_BODY_STATIC);
    pv_grains_id grains = plain_grains();
    settle(grains, 2000, (pv_box){{80, 120}, {120, 195}}, 300);
    pv_cut cut = pv_cut_box((pv_vec2){70, 190}, (pv_vec2){130, 220});
    ck_assert_int_eq(pv_body_carve(world, floor, &cut, NULL), PV_OK);
    step_times(400);
    pv_grains_view v = view_of(grains);
    int fallen = 0;
    for (int i = 0; i < v.count; i++) fallen += place(&v, i).y > 210;
    ck_assert_int_gt(fallen, 1500);
    ck_assert_int_eq(moving_of(grains), 0);
    ck_assert_int_eq(stats_of(grains).grains, 2000);
}

START_TEST(no_two_resting_grains_share_a_pixel) {
    static int seen[WIDE * HIGH];
    uint64_t seed = 8;
    open_down(320);
    lay(room_mask(8), 0, 0, PV_BODY_STATIC);
    pv_grains_id grains = plain_grains();
    emit_many(grains, 12000, (pv_box){{150, 20}, {250, 60}}, 200, &seed);
    step_times(800);
    ck_assert_int_eq(moving_of(grains), 0);
    pv_grains_view v = view_of(grains);
    ck_assert_int_eq(v.count, 12000);
    for (int i = 0; i < v.count; i++) {
        pv_vec2 p = place(&v, i);
        ck_assert_int_eq(seen[(int)p.y * WIDE + (int)p.x]++, 0);
    }
}

START_TEST(without_piles_grains_pass_each_other) {
    lay(box_mask(100, 10), 0, 100, PV_BODY_STATIC);
    pv_grains_id grains = open_grains(WITH(with_friction(1, 0), it.piles = false));
    for (int i = 0; i < 50; i++) emit(grains, 50.5, 20 + i, 0, 0);
    step_times(200);
    pv_grains_view v = view_of(grains);
    for (int i = 0; i < v.count; i++) ck_assert_double_eq_tol(place(&v, i).y, 99.5, 0.51);
}

/* ---- moving bodies ---- */

static pv_mask *wheel_mask(void) {
    pv_mask *m = disc_mask(20);
    for (int y = 0; y < 40; y++)
        for (int x = 0; x < 40; x++) {
            int a = abs(x - 20), b = abs(y - 20), r = a * a + b * b;
            if (r > 100 && r < 300 && a > 5 && b > 5) pv_mask_set_pixel(m, x, y, false);
        }
    return m;
}

START_TEST_FOR(turning_sprites_hold_grains_off, k, 3) {
    const int bodies = (int[]){16, 64, 12}[k];
    const pv_vec2 scale = k == 2 ? (pv_vec2){-1.4, 0.8} : (pv_vec2){1, 1};
    uint64_t seed = 21;
    pv_body_id wheels[64];
    open_down(320);
    pv_body_id ground = lay(room_mask(8), 0, 0, PV_BODY_STATIC);
    for (int i = 0; i < bodies; i++) {
        wheels[i] = put(world, wheel_mask(), 60 + (WIDE - 120) * next_unit(&seed),
                        60 + (HIGH - 120) * next_unit(&seed), of_type(PV_BODY_KINEMATIC));
        pv_body_set_scale(world, wheels[i], scale);
        pv_body_set_angular_velocity(world, wheels[i], 8 * next_unit(&seed) - 4);
    }
    pv_grains_id grains = open_grains(with_friction(0.5, 0.2));
    int64_t inside = 0;
    for (int n = 0; n < 300; n++) {
        if (n < 100) emit_many(grains, 60, (pv_box){{20, 12}, {WIDE - 20, 30}}, 60, &seed);
        step_times(1);
        ck_assert_int_eq(count_in(grains, ground, INFINITY), 0);
        for (int i = 0; i < bodies; i++) inside += count_in(grains, wheels[i], 40);
    }
    ck_assert_int_le(inside, 300 * 6000 / 1000); /* at most a thousandth of all */
    for (int i = 0; i < bodies; i++) pv_body_set_angular_velocity(world, wheels[i], 0);
    step_times(200);
    for (int i = 0; i < bodies; i++) ck_assert_int_eq(count_in(grains, wheels[i], 40), 0);
    check_sum(grains);
}

START_TEST(a_fast_plate_sweeps_every_grain) {
    open_down(0);
    pv_body_id plate = put(world, box_mask(2, 100), 0, 50, of_type(PV_BODY_KINEMATIC));
    pv_grains_id grains = open_grains(with_friction(0, 0));
    uint64_t seed = 4;
    emit_many(grains, 500, (pv_box){{100, 10}, {300, 90}}, 0, &seed);
    step_times(1);
    pv_body_set_velocity(world, plate, (pv_vec2){6000, 0});
    step_times(6);
    pv_grains_view v = view_of(grains);
    double front = body_at(plate).x;
    ck_assert_double_gt(front, 550);
    for (int i = 0; i < v.count; i++) ck_assert_double_ge(place(&v, i).x, front + 0.5);
}

START_TEST(bodies_do_not_feel_grains) {
    pv_vec2 ends[2];
    for (int k = 0; k < 2; k++) {
        open_down(320);
        pv_body_id ball = put(world, disc_mask(8), 100, 20, of_type(PV_BODY_DYNAMIC));
        lay(box_mask(200, 10), 0, 200, PV_BODY_STATIC);
        pv_grains_id grains = plain_grains();
        uint64_t seed = 4;
        if (k) emit_many(grains, 3000, (pv_box){{60, 100}, {140, 190}}, 100, &seed);
        step_times(90);
        ends[k] = body_at(ball);
    }
    ck_assert(ends[0].x == ends[1].x && ends[0].y == ends[1].y);
}

/* ---- emission, and ends ---- */

START_TEST(the_oldest_give_way_and_lives_end) {
    open_down(0);
    pv_grains_id grains =
        open_grains(WITH(pv_grains_def_default(), it.capacity = 100, it.life = 30 * H));
    for (int i = 0; i < 130; i++) emit(grains, i, 0, 0, 0);
    pv_grains_view v = view_of(grains);
    ck_assert_int_eq(v.count, 100);
    ck_assert_double_eq(place(&v, v.oldest).x, 30);
    ck_assert_int_eq(stats_of(grains).expired, 30);
    const int steps[] = {29, 2, 1}, living[] = {100, 0, 1};
    for (int i = 0; i < 3; i++) {
        if (i == 2) emit(grains, 5, 5, 0, 0);
        step_times(steps[i]);
        ck_assert_int_eq(stats_of(grains).grains, living[i]);
        check_sum(grains);
    }
}

START_TEST(sinks_count_what_comes_in) {
    pv_body_def sensor = WITH(of_type(PV_BODY_STATIC), it.sensor = true);
    pv_body_id gate = put(world, box_mask(40, 6), 300, 150, sensor);
    pv_grains_id grains = plain_grains();
    pv_grain_sink box = {.box = {{80, 140}, {120, 141}}}, body = {.sensor = gate};
    ck_assert_int_eq(pv_grains_add_sink(world, grains, &box), PV_OK);
    ck_assert_int_eq(pv_grains_add_sink(world, grains, &body), PV_OK);
    for (int i = 0; i < 40; i++) emit(grains, 80.5 + i, 20, 0, 600);
    for (int i = 0; i < 60; i++) emit(grains, 270.5 + i, 20, 0, 0);
    int told = 0;
    pv_grain_sink_count counts[2];
    for (int n = 0; n < 100; n++) {
        step_times(1);
        ck_assert_int_eq(pv_grains_get_sink_counts(world, grains, counts, 2), 2);
        told += counts[0].last_step + counts[1].last_step;
    }
    ck_assert(counts[0].total == 40 && counts[1].total == 40 && told == 80);
    ck_assert_int_eq(stats_of(grains).sunk, 80);
    check_sum(grains);
}

static uint32_t color_of(void *user_data, pv_body_id body, int x, int y) {
    ck_assert(body.index == ((const pv_body_id *)user_data)->index);
    return (uint32_t)(y << 16 | x);
}

START_TEST(what_a_body_loses_becomes_grains) {
    open_down(0);
    pv_body_id box = put(world, box_mask(60, 40), 200, 100, of_type(PV_BODY_DYNAMIC));
    pv_body_set_velocity(world, box, (pv_vec2){120, 0});
    pv_body_set_angular_velocity(world, box, 2);
    pv_grains_id grains =
        open_grains(WITH(pv_grains_def_default(), it.follow = true, it.color_callback = color_of,
                         it.color_user_data = &box));
    step_times(20);
    pv_transform was = pv_body_get_transform(world, box);
    pv_vec2 center = body_at(box);
    pv_cut cut = pv_cut_circle(pv_body_to_world(world, box, (pv_vec2){20, 20}), 8);
    pv_carve_result carved;
    ck_assert_int_eq(pv_body_carve(world, box, &cut, &carved), PV_OK);
    pv_grains_view v = view_of(grains);
    ck_assert_int_eq(v.count, carved.pixel_count);
    for (int i = 0; i < v.count; i++) {
        pv_vec2 pixel = {(v.color[i] & 0xffff) + 0.5, (v.color[i] >> 16) + 0.5};
        pv_vec2 at = pv_transform_to_world(&was, pixel);
        expect_point(place(&v, i), at.x, at.y, 1e-4);
        ck_assert_double_eq_tol(v.dx[i] / ONE / H, 120 - 2 * (at.y - center.y), 0.5);
        ck_assert_double_eq_tol(v.dy[i] / ONE / H, 2 * (at.x - center.x), 0.5);
    }
}

START_TEST(parts_that_split_off_are_no_grains) {
    open_down(0);
    pv_body_id bar = put(world, box_mask(60, 10), 100, 100, of_type(PV_BODY_DYNAMIC));
    pv_grains_id grains = open_grains(WITH(pv_grains_def_default(), it.follow = true));
    pv_cut cut = pv_cut_box((pv_vec2){105, 90}, (pv_vec2){109, 110});
    pv_carve_result carved;
    ck_assert_int_eq(pv_body_carve(world, bar, &cut, &carved), PV_OK);
    ck_assert_int_eq(carved.body_count, 2);
    ck_assert_int_eq(stats_of(grains).grains, 40);
}

START_TEST(a_mask_becomes_grains) {
    open_down(0);
    pv_grains_id grains = plain_grains();
    scoped_mask *disc = disc_mask(10);
    uint32_t colors[400];
    for (int i = 0; i < 400; i++) colors[i] = (uint32_t)i;
    pv_placed placed = {disc, pv_transform_identity()};
    placed.transform.position = (pv_vec2){50, 60};
    placed.transform.pivot = (pv_vec2){10, 10};
    ck_assert_int_eq(pv_grains_emit_mask(world, grains, &placed, colors, (pv_vec2){60, 0}, 0),
                     PV_OK);
    pv_grains_view v = view_of(grains);
    ck_assert_int_eq(v.count, pv_mask_count_pixels(disc));
    for (int i = 0; i < v.count; i++) {
        expect_point(place(&v, i), 40.5 + v.color[i] % 20, 50.5 + v.color[i] / 20, 1e-4);
        ck_assert_int_eq(v.dx[i], 65536);
    }
}

typedef struct merged {
    int count;
    uint32_t sum;
    pv_mask *told;
} merged;

static void take(void *user_data, int x, int y, uint32_t color) {
    merged *m = user_data;
    ck_assert_int_eq(pv_mask_set_pixel(m->told, x, y, true), PV_OK);
    m->count++;
    m->sum += color;
}

START_TEST(settled_grains_become_ground) {
    pv_mask *floor = pv_mask_create(200, 100, NULL, NULL);
    pv_mask_fill_rect(floor, (pv_rect){0, 90, 200, 10}, true);
    pv_body_id ground = lay(floor, 0, 100, PV_BODY_STATIC);
    pv_grains_id grains = plain_grains();
    settle(grains, 1500, (pv_box){{70, 60}, {130, 170}}, 400);
    int64_t before = pv_mask_count_pixels(pv_body_get_placed(world, ground).mask);
    merged m = {.told = pv_mask_copy(pv_body_get_mask(world, ground), NULL)};
    scoped_mask *wanted = pv_mask_copy(m.told, NULL);
    pv_grains_view v = view_of(grains);
    for (int i = 0; i < v.count; i++) {
        int x = v.x[i] >> 16, y = v.y[i] >> 16;
        if (x >= 80 && x < 120 && y >= 150 && y < 195) pv_mask_set_pixel(wanted, x, y - 100, true);
    }
    int count = pv_grains_merge(world, grains, ground, (pv_rect){80, 150, 40, 45}, take, &m);
    ck_assert_int_gt(count, 300);
    ck_assert_int_eq(m.count, count);
    ck_assert_int_eq((int)m.sum, 7 * count);
    ck_assert_int_eq(pv_mask_count_pixels(pv_body_get_placed(world, ground).mask), before + count);
    ck_assert_int_eq(pv_mask_compute_overlap_area(m.told, pv_body_get_mask(world, ground), 0, 0),
                     before + count);
    check_same_masks(m.told, wanted);
    pv_mask_release(m.told);
    ck_assert_int_eq(stats_of(grains).merged, count);
    step_times(100);
    ck_assert_int_eq(count_in(grains, ground, INFINITY), 0);
    ck_assert_int_eq(moving_of(grains), 0);
    check_sum(grains);
}

START_TEST(explosions_throw_grains) {
    lay(box_mask(200, 10), 0, 200, PV_BODY_STATIC);
    pv_grains_id grains = plain_grains();
    settle(grains, 2000, (pv_box){{80, 150}, {120, 195}}, 300);
    ck_assert_int_eq(pv_world_explode(world, (pv_vec2){100, 198}, 40, 500), PV_OK);
    pv_grains_view v = view_of(grains);
    int thrown = 0;
    for (int i = 0; i < v.count; i++) {
        pv_vec2 way = {place(&v, i).x - 100, place(&v, i).y - 198};
        double far = pv_vec2_length(way), speed = far < 40 ? 500 * (1 - far / 40) * H : 0;
        ck_assert_double_eq_tol(v.dx[i] / ONE, speed * way.x / far, 1e-3);
        ck_assert_double_eq_tol(v.dy[i] / ONE, speed * way.y / far, 1e-3);
        thrown += far < 40;
    }
    ck_assert_int_gt(thrown, 300);
    ck_assert_int_eq(moving_of(grains), thrown);
    step_times(300);
    ck_assert_int_eq(stats_of(grains).grains, 2000);
}

START_TEST(filters_choose_the_bodies) {
    put(world, box_mask(100, 4), 50, 100,
        WITH(of_type(PV_BODY_STATIC), it.filter.category_bits = 2));
    pv_grains_def all = pv_grains_def_default(), some = all;
    some.filter.mask_bits = 1;
    pv_grains_id stopped = open_grains(all), passing = open_grains(some);
    emit(stopped, 50.5, 50, 0, 0);
    emit(passing, 50.5, 50, 0, 0);
    step_times(120);
    ck_assert_double_lt(first_place(stopped).y, 98);
    ck_assert_double_gt(first_place(passing).y, 200);
}

/* ---- errors ---- */

START_TEST(bad_definitions_name_their_field) {
    pv_grains_def good = pv_grains_def_default(), bad[] = {good, good, good, good, good, good};
    const char *fields[] = {"def.capacity", "def.capacity",      "def.restitution",
                            "def.friction", "def.gravity_scale", "def.life"};
    bad[0].capacity = 0;
    bad[1].capacity = PV_GRAIN_MOST + 1;
    bad[2].restitution = 1.1;
    bad[3].friction = -1;
    bad[4].gravity_scale = 17;
    bad[5].life = -1;
    for (int i = 0; i < 6; i++) {
        pv_error error;
        ck_assert_int_eq(pv_grains_create(world, &bad[i], &error).index, 0);
        ck_assert_str_eq(error.field, fields[i]);
    }
    pv_grains_id grains = open_grains(good);
    pv_grain nan = {{NAN, 0}, {0, 0}, 0}, far = {{1e5, 0}, {0, 0}, 0};
    ck_assert_int_eq(pv_grains_emit(world, grains, &far, 1), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_grains_emit(world, grains, NULL, 0), PV_OK);
    ck_assert_int_eq(pv_grains_emit(world, grains, &nan, -1), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(stats_of(grains).emitted, 0);
    pv_grain_sink empty = {.box = {{0, 0}, {0, 5}}};
    ck_assert_int_eq(pv_grains_add_sink(world, grains, &empty), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_grains_destroy(world, grains), PV_OK);
}

START_TEST(without_memory_nothing_is_lost_or_leaked) {
    bool done = false;
    for (long fail = 1; !done; fail++) {
        scoped_purse p = {0};
        open_world((pv_vec2){0, 320}, &p);
        pv_body_id ground = lay(room_mask(8), 0, 0, PV_BODY_STATIC);
        pv_body_id wheel = put(world, wheel_mask(), 200, 200, of_type(PV_BODY_KINEMATIC));
        pv_body_set_angular_velocity(world, wheel, 3);
        p.fail_at = p.calls + fail;
        pv_grains_id grains = CREATE_FROM(grains, world, pv_grains_def_default());
        uint64_t seed = 2;
        for (int n = 0; n < 40 && grains.index; n++) {
            for (int i = 0; i < 40; i++) {
                pv_grain g = {
                    {100 + 200 * next_unit(&seed), 240 + 30 * next_unit(&seed)}, {0, 0}, 0};
                pv_grains_emit(world, grains, &g, 1);
            }
            pv_world_step(world, H);
            ck_assert_int_eq(count_in(grains, ground, INFINITY), 0);
        }
        if (grains.index) check_sum(grains);
        done = p.calls < p.fail_at;
        close_world();
        ck_assert_int_lt(fail, 400);
    }
}

RUN_TESTS_IN("grains", open_usual, close_world, 1)
