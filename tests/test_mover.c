/* test_mover.c - platform characters, against pixels of the terrain and formulas of motion.
 *
 * Invariant: the oracle has the terrain as a function or a mask of its own. It knows the mover by
 * its place, and shared pixels by functions that other suites test.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/math.h"
#include "shared_world.h"

#include <limits.h>

#define DT (1.0 / 60)

static const int rates[] = {30, 60, 144, 240};
enum { RATES = sizeof rates / sizeof *rates };

static pv_world *world;

/* ---- scenes ---- */

/// Opens a new world, at the beginning of a test or in place of its last one.
static void open_world(void) { world = next_world(pv_world_def_default()); }

static pv_body_id put_at(pv_mask *mask, int x, int y, pv_body_def def) {
    pv_vec2 c = pv_mask_compute_mass(mask).centroid;
    return put(world, mask, x + c.x, y + c.y, def);
}

static pv_body_id box_at(int x, int y, int w, int h, pv_body_def def) {
    return put_at(box_mask(w, h), x, y, def);
}

static pv_body_id fixed_box(int x, int y, int w, int h) {
    return box_at(x, y, w, h, of_type(PV_BODY_STATIC));
}

static pv_body_id driven_box(int x, int y, int w, int h) {
    return box_at(x, y, w, h, of_type(PV_BODY_KINEMATIC));
}

static pv_body_id crate_at(int x, int y, int w, int h) {
    return box_at(x, y, w, h, of_type(PV_BODY_DYNAMIC));
}

static pv_body_id moving_box(int x, int y, int w, int h, double vx, double vy) {
    pv_body_id body = driven_box(x, y, w, h);
    pv_body_set_velocity(world, body, pv__vec(vx, vy));
    return body;
}

/// Opens a world of one static mask at the origin. The world keeps it.
static const pv_mask *open_terrain(pv_mask *mask) {
    open_world();
    put_at(mask, 0, 0, of_type(PV_BODY_STATIC));
    return mask;
}

/// Keeps a mask for a mover, and releases the last one.
static pv_mask *lend(pv_mask *mask) {
    static pv_mask *lent;
    pv_mask_release(lent);
    return lent = mask;
}

/// Returns a mover of w x h solid pixels.
static pv_mover hero_of(int w, int h, double x, double y) {
    return WITH(pv_mover_default(), it.mask = lend(box_mask(w, h)), it.position = pv__vec(x, y));
}

/// Returns the world pixel whose center falls into column 0 of a picture at a place.
static int drawn_at(double place) { return (int)ceil(place - 0.5); }
static int x_of(const pv_mover *m) { return drawn_at(m->position.x - m->pivot.x); }
static int y_of(const pv_mover *m) { return drawn_at(m->position.y - m->pivot.y); }

static void move(pv_mover *m, double vx, double vy) {
    ck_assert_int_eq(pv_mover_move(world, m, pv__vec(vx, vy), DT), PV_OK);
    ck_assert(isfinite(m->position.x) && isfinite(m->position.y));
}

/// Moves with gravity, like a game does.
static void walk(pv_mover *m, double vx) { move(m, vx, m->velocity.y + 900 * DT); }

/// Steps the world and walks, several times.
static void stroll(pv_mover *m, double vx, int steps) {
    for (int i = 0; i < steps; i++) {
        step_times(1);
        walk(m, vx);
    }
}

static void land(pv_mover *m) {
    for (int i = 0; i < 300 && !m->grounded; i++) walk(m, 0);
    ck_assert(m->grounded);
}

/// Returns a mover that has fallen onto the ground.
static pv_mover landed(int w, int h, double x, double y) {
    pv_mover m = hero_of(w, h, x, y);
    land(&m);
    return m;
}

/// Walks at a speed, and checks that no gap, wall or step gets in the way.
static void walk_freely(pv_mover *m, double speed, double on_ground, int steps) {
    double from = m->position.x;
    int row = y_of(m);
    for (int i = 1; i <= steps; i++) {
        walk(m, speed);
        ck_assert(m->grounded && !m->hit_wall_left && !m->hit_wall_right && y_of(m) == row);
        ck_assert_double_eq_tol(m->ground_velocity.x, on_ground, 1e-9);
        ck_assert_double_eq_tol(m->position.x, from + i * (speed + on_ground) * DT, 1e-6);
    }
}

/// Returns the number of pixels that the mover shares with terrain at the origin.
static int shared_with(const pv_mover *m, const pv_mask *terrain) {
    return (int)pv_mask_compute_overlap_area(terrain, m->mask, x_of(m), y_of(m));
}

static bool is_free(const pv_mover *m, const pv_mask *terrain, int dx, int dy) {
    pv_mover moved = *m;
    moved.position = pv__add(m->position, pv__vec(dx, dy));
    return shared_with(&moved, terrain) == 0;
}

/* ---- ground ---- */

START_TEST(falls_and_stands) {
    pv_body_id floor = fixed_box(0, 100, 300, 20);
    for (int i = 0; i < 40; i++) {
        pv_mover m = hero_of(10, 20, 50 + any_within(20), 20 + any_within(20));
        if (i % 2) m.pivot = pv__vec(any_within(9), any_within(9));
        double x = m.position.x;
        land(&m);
        ck_assert_int_eq(y_of(&m), 80);
        ck_assert_double_eq(m.position.y - m.pivot.y, 80);
        ck_assert_double_eq_tol(m.position.x, x, 1e-9);
        ck_assert_double_eq(m.velocity.y, 0);
        ck_assert_uint_eq(m.ground.index, floor.index);
        ck_assert(m.ground_normal.x == 0 && m.ground_normal.y == -1);
        ck_assert(!m.hit_wall_left && !m.hit_wall_right && !m.hit_ceiling && !m.crushed);
    }
    pv_mover m = landed(10, 20, 50, 80);
    ck_assert_int_eq(pv_body_destroy(world, floor), PV_OK);
    stroll(&m, 0, 20);
    ck_assert(!m.grounded && m.ground.index == 0 && m.position.y > 100);
}

typedef double (*height_fn)(double x);
static double slope_10(double x) { return 200 - 0.17632698 * x; }
static double slope_30(double x) { return 400 - 0.57735027 * x; }
static double slope_45(double x) { return 600 - x; }
static double slope_60(double x) { return 1000 - 1.7320508 * x; }
static double hills(double x) { return 300 + 30 * sin(x / 23) + 11 * sin(x / 7); }
static double jags(double x) { return 300 + fmod(x * x * 0.37, 4); }

#define TERRAIN_W 500
#define TERRAIN_H 1010

static pv_mask *terrain_of(height_fn height) {
    pv_mask *mask = pv_mask_create(TERRAIN_W, TERRAIN_H, NULL, NULL);
    for (int x = 0; x < TERRAIN_W; x++) {
        int top = (int)height(x);
        if (top < 0) top = 0;
        pv_mask_fill_rect(mask, (pv_rect){x, top, 1, TERRAIN_H - top}, true);
    }
    return mask;
}

/// Returns the lowest row at which the mover shares no pixel with the ground.
static int lowest_free(const pv_mover *m, const pv_mask *terrain) {
    int lowest = TERRAIN_H;
    for (int x = x_of(m); x < x_of(m) + pv_mask_get_width(m->mask); x++) {
        int top = 0;
        while (top < TERRAIN_H && !pv_mask_get_pixel(terrain, x, top)) top++;
        if (top - pv_mask_get_height(m->mask) < lowest) lowest = top - pv_mask_get_height(m->mask);
    }
    return lowest;
}

START_TEST(slopes_are_walked) {
    static const height_fn heights[] = {slope_10, slope_30, slope_45, slope_60, hills, jags};
    static const double speeds[] = {7.3, 61.7, 153.9, 333.3},
                        rises[] = {0.17632698, 0.57735027, 1}; /* slopes of the first three */
    for (size_t k = 0; k < sizeof heights / sizeof *heights; k++) {
        const pv_mask *terrain = open_terrain(terrain_of(heights[k]));
        for (int s = 0; s < 8; s++) {
            double speed = s % 2 ? -speeds[s / 2] : speeds[s / 2];
            pv_mover m = landed(9, 20, 245.5, heights[k](240) - 40);
            double from = m.position.x;
            pv_vec2 sum = {0, 0};
            for (int i = 1; i < 700 && fabs(m.position.x - 245) < 200; i++) {
                walk(&m, speed);
                sum = pv__add(sum, m.ground_normal);
                ck_assert_double_eq_tol(pv__length(m.ground_normal), 1, 1e-12);
                ck_assert_msg(m.grounded, "terrain %zu, speed %g, step %d", k, speed, i);
                ck_assert_int_eq(y_of(&m), lowest_free(&m, terrain));
                ck_assert_double_eq_tol(m.position.x, from + i * speed * DT, 1e-6);
            }
            if (k < 3 && s == 2) ck_assert_double_eq_tol(sum.x / sum.y, rises[k], 0.03);
        }
    }
}

/// Running jumps on slopes lose no distance, in either direction.
START_TEST_FOR(jumps_on_slopes_keep_their_way, k, 8) {
    static const height_fn heights[] = {slope_10, slope_30, slope_45, hills};
    const pv_mask *terrain = open_terrain(terrain_of(heights[k / 2]));
    pv_mover m = hero_of(9, 20, k % 2 ? 450.3 : 50.3, heights[k / 2](k % 2 ? 450 : 50) - 40);
    double speed = k % 2 ? -143.3 : 143.3, from = m.position.x;
    for (int i = 1; i < 160; i++) {
        if (m.grounded && i % 7 == 0) m.velocity.y = -250;
        walk(&m, speed);
        if (!m.grounded) ck_assert(m.ground_normal.x == 0 && m.ground_normal.y == -1);
        ck_assert(!m.hit_wall_left && !m.hit_wall_right);
        ck_assert_double_eq_tol(m.position.x, from + i * speed * DT, 1e-6);
        ck_assert_int_eq(shared_with(&m, terrain), 0);
    }
}

START_TEST_FOR(steps_are_climbed_up_to_their_limit, k, 90) {
    int limit = k / 10, high = 1 + k % 10;
    fixed_box(0, 100, 200, 20);
    pv_body_id ledge = fixed_box(100, 100 - high, 100, high);
    pv_mover m = WITH(hero_of(10, 20, 60, 80), it.step_height = limit);
    land(&m);
    for (int i = 0; i < 60; i++) walk(&m, 60);
    ck_assert(m.grounded);
    ck_assert_int_eq(x_of(&m), high <= limit ? 120 : 90);
    ck_assert_int_eq(y_of(&m), high <= limit ? 80 - high : 80);
    ck_assert(m.hit_wall_right == (high > limit));
    ck_assert_uint_eq(m.wall.index, high > limit ? ledge.index : 0);
    if (high > limit) ck_assert_double_eq(m.velocity.x, 0);
}

START_TEST(steps_need_headroom) {
    fixed_box(0, 100, 200, 20);
    fixed_box(100, 97, 100, 3);
    fixed_box(40, 60, 100, 18); /* 22 px above the floor, 19 px above the ledge */
    pv_mover m = landed(10, 20, 60, 80);
    for (int i = 0; i < 60; i++) walk(&m, 60);
    ck_assert_int_eq(x_of(&m), 90);
    ck_assert(m.hit_wall_right && m.grounded);
}

/// Ledges lead down up to the snap distance; beyond that, the mover falls.
START_TEST_FOR(ground_is_followed_down_up_to_its_limit, k, 56) {
    int limit = k / 8, deep = 1 + k % 8;
    fixed_box(0, 100, 100, 20);
    fixed_box(100, 100 + deep, 200, 20);
    pv_mover m = WITH(hero_of(10, 20, 80, 80), it.ground_snap = limit);
    land(&m);
    bool fell = false;
    for (int i = 0; i < 50; i++) {
        walk(&m, 60);
        fell |= !m.grounded;
    }
    ck_assert_int_eq(y_of(&m), 80 + deep);
    if (deep <= limit) ck_assert(!fell);
    if (deep > limit + 2) ck_assert(fell);
}

START_TEST_FOR(seams_do_not_matter, k, 10) {
    for (int i = 0; i < 60; i++) fixed_box(16 * i, 100, 16, 16);
    pv_mover m = hero_of(10, 20, 20 + any_unit(), 80);
    m.step_height = m.ground_snap = k % 2 ? 4 : 0;
    land(&m);
    double speed = 40 + 50 * k;
    walk_freely(&m, speed, 0, (int)(880 / (speed * DT)));
    ck_assert_int_eq(y_of(&m), 80);
}

/* ---- walls and ceilings ---- */

START_TEST(walls_and_ceilings_stop) {
    fixed_box(0, 100, 200, 20);
    pv_body_id right = fixed_box(150, 0, 20, 100), left = fixed_box(20, 0, 20, 100);
    fixed_box(40, 30, 110, 10);
    pv_mover m = landed(10, 20, 90.3, 80);
    for (int i = 0; i < 100; i++) walk(&m, 97);
    ck_assert(m.hit_wall_right && !m.hit_wall_left);
    ck_assert_uint_eq(m.wall.index, right.index);
    ck_assert_double_eq(m.position.x, 140);
    for (int i = 0; i < 40; i++) { /* contact is reported however slowly it presses */
        walk(&m, 0.01);
        ck_assert(m.hit_wall_right && m.grounded);
    }
    for (int i = 0; i < 100; i++) walk(&m, -97);
    ck_assert(m.hit_wall_left && !m.hit_wall_right);
    ck_assert_uint_eq(m.wall.index, left.index);
    ck_assert_double_eq(m.position.x, 40);
    walk(&m, 0);
    ck_assert(!m.hit_wall_left && !m.hit_wall_right && m.wall.index == 0);
    m.velocity.y = -600;
    for (int i = 0; i < 60 && !m.hit_ceiling; i++) {
        walk(&m, 30);
        ck_assert(!m.grounded);
    }
    ck_assert_int_eq(y_of(&m), 40);
    ck_assert_double_eq(m.velocity.y, 0);
    ck_assert_double_eq(m.velocity.x, 30);
}

/// The longest allowed moves go through no wall.
START_TEST_FOR(no_speed_goes_through_walls, k, ROUNDS(50, 5)) {
    int wall = 300 + (int)(any_within(1) * 200), floor = 200 + (int)(any_within(1) * 100);
    fixed_box(wall, -5000, 1, 10000);
    fixed_box(-5000, floor, 10000, 1);
    pv_mover m = WITH(hero_of(7, 9, any_within(50), any_within(50)), it.step_height = 0);
    move(&m, 240000, 200000);
    ck_assert_int_eq(x_of(&m), wall - 7);
    ck_assert_int_eq(y_of(&m), floor - 9);
    ck_assert(m.grounded && m.hit_wall_right);
}

/// A move along a free straight line succeeds, even if both sides of its rectangle are blocked.
START_TEST_FOR(goes_straight, k, 4) {
    int right = k % 2 ? 1 : -1, down = k / 2 ? 1 : -1;
    fixed_box(30 * right, -3, 5, 8);
    fixed_box(-3, 30 * down, 8, 5);
    pv_mover m = WITH(hero_of(2, 2, 0, 0), it.step_height = 0);
    move(&m, right * 50 / DT, down * 50 / DT);
    expect_point(m.position, 50 * right, 50 * down, 1e-9);
}

static double sloping_ceiling(double x) { return 100 + 0.5 * x; }

/// A jump against a sloping ceiling goes on along it.
START_TEST(sloping_ceilings_do_not_stop) {
    pv_mask *below = terrain_of(sloping_ceiling);
    ck_assert_int_eq(pv_mask_invert(below), PV_OK);
    const pv_mask *ceiling = open_terrain(below);
    pv_mover m = WITH(hero_of(10, 20, 50, 160), it.velocity.y = -300);
    bool touched = false;
    for (int i = 1; i < 80; i++) {
        walk(&m, 200);
        touched |= m.hit_ceiling;
        ck_assert(!m.hit_wall_right);
        ck_assert_double_eq_tol(m.position.x, 50 + i * 200 * DT, 1e-6);
        ck_assert_int_eq(shared_with(&m, ceiling), 0);
    }
    ck_assert(touched);
}

START_TEST(filters_sensors_and_disabled_are_heeded) {
    fixed_box(0, 200, 200, 20);
    pv_body_def def = WITH(of_type(PV_BODY_STATIC), it.sensor = true);
    box_at(0, 180, 200, 20, def);
    def.sensor = false;
    def.enabled = false;
    box_at(0, 160, 200, 20, def);
    def.enabled = true;
    def.filter.category_bits = 4;
    pv_body_id ghost = box_at(0, 140, 200, 20, def);
    pv_mover m = WITH(hero_of(10, 20, 50, 20), it.filter.mask_bits = ~UINT32_C(4));
    land(&m);
    ck_assert_int_eq(y_of(&m), 180);
    m.position.y = 20;
    m.grounded = false;
    m.filter.mask_bits = ~UINT32_C(0);
    land(&m);
    ck_assert_uint_eq(m.ground.index, ghost.index);
}

/* ---- one-way platforms ---- */

static pv_body_id platform(int x, int y, int w, int h, pv_body_type type) {
    return box_at(x, y, w, h, WITH(of_type(type), it.one_way_normal = pv__vec(0, -1)));
}

START_TEST(one_way_platforms_hold_from_above) {
    pv_body_id floor = fixed_box(0, 200, 300, 20);
    pv_body_id plank = platform(50, 150, 100, 12, PV_BODY_STATIC);
    pv_mover m = WITH(landed(10, 20, 90, 180), it.velocity.y = -450);
    bool shared = false;
    for (int i = 0; i == 0 || (i < 200 && !m.grounded); i++) {
        walk(&m, 0);
        shared |= y_of(&m) > 130 && y_of(&m) < 162;
        ck_assert(!m.hit_ceiling);
    }
    ck_assert(shared && m.grounded);
    ck_assert_uint_eq(m.ground.index, plank.index);
    ck_assert_int_eq(y_of(&m), 130);
    for (int i = 0; i < 50; i++) {
        walk(&m, i % 2 ? 20 : -20);
        ck_assert(m.grounded && y_of(&m) == 130);
    }
    m.drop_through = true;
    for (int i = 0; i < 4; i++) walk(&m, 0);
    ck_assert(!m.grounded && y_of(&m) > 130);
    m.drop_through = false; /* still inside */
    land(&m);
    ck_assert_uint_eq(m.ground.index, floor.index);
}

START_TEST(one_way_platforms_do_not_catch_at_the_side) {
    pv_body_id floor = fixed_box(0, 200, 300, 20);
    platform(100, 170, 50, 12, PV_BODY_STATIC);
    pv_mover m = landed(10, 20, 60, 180);
    double from = m.position.x;
    for (int i = 1; i <= 120; i++) { /* its head passes through */
        walk(&m, 60);
        ck_assert(m.grounded && !m.hit_wall_right);
        ck_assert_uint_eq(m.ground.index, floor.index);
        ck_assert_double_eq_tol(m.position.x, from + i, 1e-6);
    }
    m.position = pv__vec(80, 160);
    m.grounded = false;
    m.velocity = pv__vec(0, 0);
    for (int i = 0; i < 60 && !m.grounded; i++) walk(&m, 300);
    ck_assert_uint_eq(m.ground.index, floor.index);
}

static const pv_vec2 normals[] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
enum { NORMALS = 4 };

/// Adds a one-way box at x or, for a walk to the left, at the mirrored place.
static void one_way_at(int side, int x, int y, int w, int h, pv_vec2 normal) {
    box_at(side > 0 ? x : -x - w, y, w, h,
           WITH(of_type(PV_BODY_STATIC), it.one_way_normal = normal));
}

static void box_mirrored(int side, int x, int y, int w, int h) {
    fixed_box(side > 0 ? x : -x - w, y, w, h);
}

/// A one-way body over a step stops the mover if its normal points down, or against the walk.
START_TEST_FOR(steps_lead_into_one_way_bodies_overhead, k, 2 * NORMALS) {
    int side = k % 2 ? 1 : -1;
    pv_vec2 normal = normals[k / 2];
    box_mirrored(side, -100, 100, 300, 20);
    box_mirrored(side, 50, 97, 150, 3);
    one_way_at(side, -100, 60, 300, 19, normal); /* after the step, the head is 2 px inside it */
    pv_mover m = landed(10, 20, -5, 80);
    for (int i = 0; i < 90; i++) walk(&m, 60 * side);
    bool stops = normal.y > 0 || normal.x * side < 0;
    ck_assert(m.grounded && y_of(&m) == (stops ? 80 : 77));
    ck_assert_int_eq(x_of(&m) + 5, side * (stops ? 45 : 90));
}

/// A one-way body at a low ceiling stops movers if it holds from above or faces the walk.
START_TEST_FOR(ceilings_lead_into_one_way_bodies, k, 4 * NORMALS) {
    int side = k % 2 ? 1 : -1;
    bool below = k / 2 % 2;
    pv_vec2 normal = normals[k / 4];
    box_mirrored(side, 50, 0, 100, 53);
    if (below)
        one_way_at(side, -100, 70, 300, 20, normal);
    else
        one_way_at(side, 50, 60, 100, 12, normal);
    pv_mover m = hero_of(10, 20, -5, 50);
    for (int i = 0; i < 90; i++) move(&m, 60 * side, 0);
    bool stops = (below && normal.y < 0) || normal.x * side < 0;
    ck_assert_msg(y_of(&m) == (stops ? 50 : 53), "%d: %d %d", k, x_of(&m), y_of(&m));
    ck_assert_int_eq(x_of(&m) + 5, side * (stops ? 45 : 90));
}

/// Slopes that hold only from above are walked like others.
START_TEST(one_way_slopes_are_walked) {
    pv_mask *terrain = terrain_of(slope_30);
    put_at(terrain, 0, 0, WITH(of_type(PV_BODY_STATIC), it.one_way_normal = pv__vec(0, -1)));
    for (int k = 0; k < 2; k++) {
        pv_mover m = hero_of(9, 20, 245.5, 180);
        for (int i = 0; i < 60 && !m.grounded; i++) walk(&m, k ? 150 : -150);
        ck_assert(m.grounded);
        for (int i = 0; i < 60; i++) {
            walk(&m, k ? 150 : -150);
            ck_assert(m.grounded);
            ck_assert_int_eq(y_of(&m), lowest_free(&m, terrain));
        }
    }
}

/* ---- moving ground ---- */

static void drive(pv_body_id body, double x, double y, double angle) {
    ck_assert_int_eq(pv_body_move_to(world, body, pv__vec(x, y), angle, DT), PV_OK);
    step_times(1);
}

/// Drives a body, then walks.
static void carry(pv_mover *m, pv_body_id body, double x, double y, double vx) {
    drive(body, x, y, 0);
    walk(m, vx);
}

/// On a platform that swings at up to some hundred px/s, the mover keeps its place on it.
static void ride(bool one_way, double across, double along, double pace) {
    open_world();
    pv_body_id plank =
        one_way ? platform(300, 300, 80, 12, PV_BODY_KINEMATIC) : driven_box(300, 300, 80, 12);
    pv_mover m = landed(10, 20, 333.3, 279.6);
    pv_vec2 from = body_at(plank), offset = pv__sub(m.position, from);
    for (int i = 1; i <= 4000; i++) {
        double t = pace * i * DT;
        carry(&m, plank, from.x + across * sin(t), from.y + along * sin(1.37 * t), 0);
        ck_assert_msg(m.grounded, "step %d", i);
        ck_assert_uint_eq(m.ground.index, plank.index);
        pv_vec2 now = pv__sub(m.position, body_at(plank));
        ck_assert_double_eq_tol(now.x, offset.x, 1e-6);
        ck_assert_double_eq_tol(now.y, offset.y, 1);
        ck_assert_int_eq(y_of(&m), drawn_at(body_at(plank).y - 6) - 20);
    }
}

START_TEST(rides_are_steady) {
    static const double ways[][3] = {
        {90.7, 0, 1.9}, {0, 61.3, 2.3}, {0, 120, 7}, {77.7, 50.1, 3.1}, {3.3, 1.7, 0.31}};
    for (int k = 0; k < 10; k++) ride(k % 2, ways[k / 2][0], ways[k / 2][1], ways[k / 2][2]);
}

/// On a platform that moves or rotates, the mover's speed adds to the platform's.
START_TEST(walks_on_what_moves) {
    pv_body_id plank = driven_box(0, 300, 800, 12);
    pv_mover m = landed(10, 20, 400.2, 270);
    pv_vec2 from = body_at(plank);
    double offset = m.position.x - from.x;
    for (int i = 1; i <= 500; i++) {
        carry(&m, plank, from.x + 100 * sin(i * 0.05), from.y + 40 * sin(i * 0.07), 33.3);
        ck_assert(m.grounded);
        ck_assert_double_eq_tol(m.position.x - body_at(plank).x, offset + i * 33.3 * DT, 1e-6);
    }
    for (int i = 1; i <= 1500; i++) { /* a seesaw */
        drive(plank, from.x, from.y, 0.3 * sin(i * 0.021));
        walk(&m, i / 200 % 2 ? 71.3 : -71.3);
        ck_assert_msg(m.grounded, "step %d", i);
    }
}

START_TEST(who_jumps_off_keeps_what_the_game_adds) {
    pv_body_id plank = moving_box(0, 300, 100, 12, 90, -60);
    pv_mover m = landed(10, 20, 40, 279);
    stroll(&m, 0, 30);
    expect_point(m.ground_velocity, 90, -60, 1e-6);
    pv_vec2 jump = pv__add(m.ground_velocity, pv__vec(10, -300));
    step_times(1); /* the plank still carries it in this call, on top of the jump */
    pv_vec2 from = pv__add(m.position, pv__mul(DT, body_v(plank)));
    move(&m, jump.x, jump.y);
    ck_assert(!m.grounded && m.ground.index == 0);
    ck_assert_double_eq_tol(m.position.x, from.x + jump.x * DT, 1e-6);
    ck_assert_double_eq_tol(m.position.y, from.y + jump.y * DT, 1.01);
    from = m.position;
    for (int i = 1; i <= 20; i++) {
        step_times(1);
        move(&m, jump.x, jump.y);
        ck_assert(!m.grounded);
        expect_point(m.position, from.x + i * jump.x * DT, from.y + i * jump.y * DT, 1e-6);
    }
}

/// A wall holds the mover back, while the platform goes on under its feet.
START_TEST(carried_as_far_as_walls_let_it) {
    fixed_box(200, 200, 30, 88);
    pv_body_id plank = driven_box(0, 300, 400, 12);
    pv_mover m = landed(10, 20, 150.3, 279);
    pv_vec2 from = body_at(plank);
    for (int i = 1; i <= 100; i++) {
        carry(&m, plank, from.x + 1.3 * i, from.y, 0);
        ck_assert(m.grounded && !m.crushed && !m.hit_wall_right);
        ck_assert_int_eq(y_of(&m), 280);
        double free = 150.3 + 1.3 * i;
        ck_assert_double_eq_tol(m.position.x, free < 190 ? free : 190, 1e-6);
    }
}

/// A platform rises flush with the floor, faster than the mover falls.
START_TEST_FOR(rising_platforms_lift, k, 2) {
    fixed_box(0, 300, 200, 20);
    pv_body_id plank = platform(60, 300, 80, 12, PV_BODY_KINEMATIC);
    pv_mover m = landed(10, 20, 90, k ? 100 : 280);
    if (k) m.position.y = 100, m.grounded = false;
    pv_vec2 from = body_at(plank);
    for (int i = 1; i <= 60; i++) carry(&m, plank, from.x, from.y - 3.7 * i, 0);
    ck_assert_uint_eq(m.ground.index, plank.index);
    ck_assert_int_eq(y_of(&m), drawn_at(from.y - 3.7 * 60 - 6) - 20);
}

/// The rising one of two grounds carries the mover, however little of it is under the feet.
START_TEST(what_rises_carries) {
    fixed_box(0, 300, 98, 20);
    pv_body_id plank = moving_box(98, 300, 80, 12, 0, -600);
    pv_mover m = landed(10, 20, 90, 280);
    for (int i = 1; i <= 10; i++) {
        step_times(1);
        walk(&m, 0);
        ck_assert(m.grounded && !m.crushed);
        ck_assert_uint_eq(m.ground.index, plank.index);
        ck_assert_int_eq(y_of(&m), 280 - 10 * i);
        ck_assert_double_eq(m.position.x, 90);
    }
}

/// A plank catches up with a mover that rises more slowly.
START_TEST(lands_on_what_rises_faster) {
    pv_body_id plank = moving_box(60, 300, 80, 12, 0, -300);
    pv_mover m = hero_of(10, 20, 90, 250);
    for (int i = 0; i < 10; i++) {
        step_times(1);
        move(&m, 0, -50);
        int gap = drawn_at(body_at(plank).y - 6) - (y_of(&m) + 20);
        ck_assert(gap >= 0 && m.grounded == (gap == 0));
        if (m.grounded) break;
    }
    ck_assert_uint_eq(m.ground.index, plank.index);
    ck_assert_double_eq(m.velocity.y, 0);
    ck_assert_double_eq_tol(m.ground_velocity.y, -300, 1e-6);
}

START_TEST_FOR(conveyors_carry_at_their_speed, k, 4) {
    double belt = 77.7 * (k % 2 ? -1 : 1), own = k / 2 * 31.1;
    pv_body_def def = of_type(PV_BODY_STATIC);
    def.tangent_speed = belt; /* clockwise on the screen: to the right on top */
    for (int i = 0; i < 60; i++) box_at(16 * i, 100, 16, 16, def);
    pv_mover m = landed(10, 20, 480, 80);
    walk_freely(&m, own, belt, 200);
}

START_TEST_FOR(what_moves_into_it_pushes_or_crushes_it, k, 2) {
    fixed_box(0, 100, 300, 20);
    if (k) fixed_box(200, 0, 20, 100);
    pv_body_id piston = driven_box(40, 60, 30, 40);
    pv_mover m = landed(20, 30, 100, 70);
    pv_vec2 from = body_at(piston);
    bool crushed = false;
    for (int i = 1; i <= 60; i++) {
        carry(&m, piston, from.x + 2.3 * i, from.y, 0);
        int face = drawn_at(from.x + 2.3 * i - 15) + 30, place = face > 100 ? face : 100;
        ck_assert(m.crushed == (k && place > 180));
        if (!m.crushed) ck_assert_int_eq(x_of(&m), place);
        if (!m.crushed) ck_assert(m.grounded);
        crushed |= m.crushed;
    }
    ck_assert(crushed == (k == 1));
}

/// A mover stands on a lift from the first step on, even if it sinks faster than the mover falls.
START_TEST_FOR(lifts_may_sink_at_first, k, 96) {
    double dt = 1.0 / rates[k % RATES], speed = 1 + k / 4 % 6, walks = k / 24 % 2 ? 80 : 0;
    int width = 400, dive = 20 + 7 * (k % 5);
    bool steps_first = k / 48;
    pv_body_id lift = driven_box(100, 100, width, 12);
    pv_mover m = hero_of(10 + k % 7, 20, 250, 80);
    pv_vec2 at = body_at(lift);
    for (int i = 0; i < 200; i++) {
        at.y += i / dive % 2 ? -speed : speed;
        ck_assert_int_eq(pv_body_move_to(world, lift, at, 0, dt), PV_OK);
        if (steps_first) step_well(world, dt);
        pv_vec2 v = pv__vec(i / 20 % 2 ? -walks : walks, m.velocity.y + 900 * dt);
        ck_assert_int_eq(pv_mover_move(world, &m, v, dt), PV_OK);
        ck_assert_msg(m.grounded && PV_ID_EQUALS(m.ground, lift), "%d: step %d", k, i);
        if (!steps_first) step_well(world, dt);
        if (steps_first) ck_assert_int_eq(y_of(&m) + 20, drawn_at(at.y - 6));
    }
}

/// A lift that sinks below a mover in the air does not take it along.
START_TEST_FOR(lifts_below_take_nobody_along, k, 4) {
    int gap = 1 + k;
    moving_box(0, 100, 200, 10, 0, 300);
    pv_mover m = hero_of(10, 20, 50, 80 - gap);
    step_well(world, DT);
    walk(&m, 0);
    ck_assert(!m.grounded && y_of(&m) == 80 - gap);
}

START_TEST(lifts_under_ceilings_crush) {
    fixed_box(0, 0, 300, 20);
    pv_body_id plank = driven_box(50, 100, 200, 12);
    pv_mover m = WITH(hero_of(10, 20, 140, 80), it.escape_delay = 10);
    land(&m);
    pv_vec2 from = body_at(plank);
    for (int i = 1; i <= 70; i++) {
        carry(&m, plank, from.x, from.y - i, 0);
        int top = 100 - i;
        ck_assert(m.crushed == (top < 40));
        if (!m.crushed) ck_assert_int_eq(y_of(&m), top - 20);
    }
    for (int i = 69; i >= 0; i--) carry(&m, plank, from.x, from.y - i, 0); /* the crush ends */
    land(&m);
    ck_assert(!m.crushed && y_of(&m) == 80);
}

/* ---- escapes from crushes ---- */

static void step_at(pv_mover *m, double vx, double gravity, int rate) {
    double dt = 1.0 / rate;
    step_well(world, dt);
    ck_assert_int_eq(pv_mover_move(world, m, pv__vec(vx, m->velocity.y + gravity * dt), dt), PV_OK);
}

/// Counts of a crush's beginnings and ends, and its longest time
typedef struct crush_log {
    int began, ended;
    double longest;
    bool was;
} crush_log;

static void log_crush(crush_log *log, const pv_mover *m, double dt) {
    ck_assert(m->crush_began == (m->crushed && !log->was));
    ck_assert(m->crush_ended == (!m->crushed && log->was));
    if (!m->crushed) ck_assert_double_eq(m->crush_time, 0);
    if (m->crush_began) ck_assert_double_eq(m->crush_time, dt);
    if (m->crushed) ck_assert_double_gt(m->crush_time, 0);
    log->began += m->crush_began;
    log->ended += m->crush_ended;
    log->longest = fmax(log->longest, m->crush_time);
    log->was = m->crushed;
}

/// A mover gets out sideways from under a lift that comes down and goes up. Then it walks away.
START_TEST_FOR(lifts_that_come_down_let_go, k, RATES * 8) {
    int rate = rates[k % RATES], high = 28 + 7 * (k / RATES), width = 40 + 6 * (k / RATES);
    double dt = 1.0 / rate, y = 300, speed = 50 + 10 * (k / RATES);
    fixed_box(0, 500, 800, 20);
    pv_body_id lift = driven_box(400 - width / 2, 270, width, 60);
    pv_mover m = hero_of(24, high, 400 - 12 + (k % 3) * 5, 500 - high);
    crush_log log = {0};
    double from = 0;
    for (int i = 0; i < 8 * rate; i++) {
        if (i == 7 * rate) from = m.position.x;
        y += (y < 460 && i < 4 * rate ? speed : y > 200 ? -speed : 0) * dt;
        ck_assert_int_eq(pv_body_move_to(world, lift, pv__vec(400, y), 0, dt), PV_OK);
        step_at(&m, i > 7 * rate ? 150 : 0, 900, rate);
        log_crush(&log, &m, dt);
        if (m.crushed) ck_assert_uint_ne(m.ground.index, lift.index);
        ck_assert_int_ge(y_of(&m), 500 - high);
    }
    ck_assert(log.began == 1 && log.ended == 1);
    ck_assert_double_eq_tol(log.longest, m.escape_delay, 0.51 * dt + 1e-9);
    ck_assert(m.grounded);
    ck_assert_double_gt(m.position.x, from + 140);
}

/// A lift that passes through a mover that cannot escape takes it neither up nor down.
START_TEST_FOR(lifts_take_along_nobody_whom_they_crush, k, RATES * 2) {
    int rate = rates[k % RATES];
    bool ceiling = k / RATES;
    fixed_box(0, ceiling ? 440 : 500, 800, 20);
    pv_body_id lift = driven_box(340, ceiling ? 534 : 294, 120, 12);
    pv_mover m = WITH(hero_of(20, 40, 390, ceiling ? 490 : 460), it.escape_delay = 1e12);
    crush_log log = {0};
    for (int i = 0; i < 6 * rate; i++) {
        double t = (double)i / rate, way = 56 * (t < 3 ? t : 6 - t);
        pv_vec2 to = pv__vec(400, ceiling ? 540 - way : 300 + way);
        ck_assert_int_eq(pv_body_move_to(world, lift, to, 0, 1.0 / rate), PV_OK);
        step_at(&m, 0, ceiling ? 0 : 900, rate);
        log_crush(&log, &m, 1.0 / rate);
        if (m.crushed) ck_assert_uint_ne(m.ground.index, lift.index);
        if (!ceiling) ck_assert_int_eq(y_of(&m), 460);
        if (ceiling) ck_assert_int_ge(y_of(&m), 460);
    }
    ck_assert(log.began > 0 && log.began == log.ended);
    ck_assert_double_gt(log.longest, 0.4);
}

/// A mover without a body, under a fallen crate, moves aside by the shortest way.
START_TEST_FOR(crates_that_fall_on_it_let_go, k, RATES * 7) {
    int rate = rates[k % RATES], size = 24 + 6 * (k / RATES), right = k % 2 ? 4 : -4;
    fixed_box(0, 500, 800, 20);
    pv_body_id crate = crate_at(400 - size / 2 + right, 300, size, size);
    pv_mover m = WITH(hero_of(20, 32, 390, 468), it.max_push_out = 12);
    crush_log log = {0};
    for (int i = 0; i < 3 * rate; i++) {
        step_at(&m, 0, 900, rate);
        log_crush(&log, &m, 1.0 / rate);
    }
    ck_assert(log.began == 1 && log.ended == 1 && m.grounded);
    double aside = body_at(crate).x - (m.position.x + 10);
    ck_assert(right * aside > 0);
    ck_assert_double_eq_tol(fabs(aside), size / 2 + 10, 1.01);
}

/// Escapes do not lead through walls, however near the place behind them is.
START_TEST_FOR(escapes_lead_through_no_wall, k, 4) {
    fixed_box(0, 200, 400, 20);
    fixed_box(188, 100, 2, 100);            /* thin, on its left */
    if (k % 2) fixed_box(210, 100, 2, 100); /* one on its right */
    if (k / 2) fixed_box(188, 20, 24, 105); /* one far above */
    fixed_box(100, 100, 88, 40), fixed_box(212, 100, 88, 40);
    pv_mover m = WITH(hero_of(20, 30, 190, 170), it.max_push_out = 0);
    pv_body_id press = driven_box(180, 120, 60, 40);
    for (int i = 1; i <= 60; i++) carry(&m, press, 210, i < 30 ? 140 + i : 170, 0);
    bool shut = k == 3;
    ck_assert_msg(m.crushed == shut, "%d", k);
    if (shut) ck_assert_double_gt(m.crush_time, 0.5);
    if (shut) ck_assert_int_eq(y_of(&m), 170);
    if (!shut) ck_assert_int_ge(x_of(&m), 190);
    if (!shut) ck_assert(!(m.position.x < 188));
}

/// A mover that stands up under a roof stays on the ground, crushed, until there is room.
START_TEST(no_roof_is_stood_up_through) {
    for (int k = 0; k < ROUNDS(200, 20); k++) {
        int gap = 6 + any_int(0, 29), thick = 1 + any_int(0, 29), w = 3 + any_int(0, 19),
            high = 2 + any_int(0, 79), low = high < gap ? high : gap;
        open_world();
        if (k % 2) {
            pv_mask *level = box_mask(400, 20 + gap + thick);
            pv_mask_fill_rect(level, (pv_rect){0, thick, 400, gap}, false);
            put_at(level, 0, 200 - gap - thick, of_type(PV_BODY_STATIC));
        } else {
            fixed_box(0, 200, 400, 20), fixed_box(0, 200 - gap - thick, 400, thick);
        }
        pv_mover m = landed(w, low, 190, 200 - low);
        scoped_mask *small = box_mask(w, low), *tall = box_mask(w, high);
        m.mask = tall, m.pivot.y = high - low;
        ck_assert(pv_mover_fits(world, &m, small, pv__vec(0, 0)));
        ck_assert(pv_mover_fits(world, &m, NULL, m.pivot) == (high <= gap));
        for (int i = 0; i < 60; i++) {
            walk(&m, k % 3 == 0 ? 60 : 0);
            ck_assert_msg(m.crushed == (high > gap) && y_of(&m) + high == 200,
                          "gap %d, roof of %d, %d x %d", gap, thick, w, high);
        }
        if (m.crushed) ck_assert_double_gt(m.crush_time, 0.9);
        m.mask = small, m.pivot.y = 0;
        walk(&m, 0);
        ck_assert(!m.crushed && m.grounded && y_of(&m) + low == 200);
    }
}

/// A thin wall pushes the mover out on the side of its middle.
START_TEST_FOR(thin_walls_push_to_the_nearer_side, k, 24) {
    int deep = 1 + k % 6, thick = 1 + k / 6 % 2;
    bool right = k / 12;
    fixed_box(0, 200, 400, 20);
    fixed_box(right ? 220 - deep : 200 + deep - thick, 100, thick, 100);
    pv_mover m = hero_of(20, 30, 200, 170);
    walk(&m, 0);
    ck_assert(!m.crushed && m.grounded);
    ck_assert_int_eq(x_of(&m), right ? 200 - deep : 200 + deep);
}

/// A thin wall through the head leaves the foot on its side, also above empty rows of the mask.
START_TEST_FOR(thin_walls_leave_the_feet_on_their_side, k, 4) {
    bool right = k % 2;
    fixed_box(0, 200, 400, 20);
    pv_mask *mask = lend(box_mask(20, k / 2 ? 38 : 30));
    pv_mask_fill_rect(mask, (pv_rect){right ? 0 : 4, 10, 16, 28}, false);
    pv_mask_fill_rect(mask, (pv_rect){0, 30, 20, 8}, false);
    pv_mover m = WITH(pv_mover_default(), it.mask = mask, it.position = pv__vec(200, 170));
    walk(&m, 0);
    fixed_box(right ? 214 : 205, 100, 1, 100);
    walk(&m, 0);
    ck_assert(!m.crushed && m.grounded);
    ck_assert_int_eq(x_of(&m), right ? 215 : 185);
}

/// Escapes find the nearest free place, compared with a search of all places.
START_TEST_FOR(escapes_find_the_nearest_place, k, 40) {
    int w = 4 + any_int(0, 29), h = 4 + any_int(0, 59);
    pv_mask *block = pv_mask_create_rect(240, 240, NULL, NULL);
    for (int i = 0; i < 4; i++) {
        pv_rect hole = {any_int(0, 199), any_int(0, 199), w + any_int(0, 19), h + any_int(0, 19)};
        pv_mask_fill_rect(block, hole, false);
    }
    open_world();
    put_at(block, 0, 0, of_type(PV_BODY_KINEMATIC));
    pv_mover m = WITH(hero_of(w, h, 90, 80), it.escape_delay = 0, it.max_push_out = 0);
    bool caught = shared_with(&m, block) > 0;
    int reach = w > 64 || h > 64 ? (w > h ? w : h) : 64, best = INT_MAX;
    for (int dy = -reach; dy <= reach; dy++)
        for (int dx = -reach; dx <= reach; dx++)
            if (dx * dx + dy * dy < best && is_free(&m, block, dx, dy)) best = dx * dx + dy * dy;
    move(&m, 0, 0);
    double right = m.position.x - 90, down = m.position.y - 80;
    if (caught) ck_assert(m.crushed == (best == INT_MAX));
    if (!m.crushed) ck_assert_double_eq(right * right + down * down, best);
    if (m.crushed) ck_assert(right == 0 && down == 0);
}

/// An escape moves the mover's body at once, without a sweep through what lies between.
START_TEST(escapes_take_the_body_at_once) {
    fixed_box(0, 200, 400, 20);
    fixed_box(176, 20, 10, 180);
    pv_mover m = WITH(pv_mover_default(), it.body = driven_box(190, 170, 20, 30),
                      it.position = pv__vec(190, 170), it.max_push_out = 0);
    pv_body_id press = driven_box(180, 60, 60, 100), crate = crate_at(241, 160, 10, 40);
    for (int i = 1; i <= 60; i++) {
        carry(&m, press, 210, i < 30 ? 110 + i : 140, 0);
        ck_assert_double_lt(pv__length(body_v(crate)), 50);
        if (m.crush_ended) ck_assert_double_eq(body_at(m.body).x, m.position.x + 10);
    }
    ck_assert(!m.crushed);
    ck_assert_double_eq_tol(m.position.x, 251, 1);
    ck_assert_double_eq_tol(body_at(m.body).x, m.position.x + 10, 1e-6);
}

START_TEST_FOR(pushes_go_no_farther_than_said, k, 6) {
    int deep = 14 + k;
    fixed_box(0, 0, 100, 100);
    pv_mover m = hero_of(10, 10, 100 - deep, 40);
    ck_assert(m.step_height == 4 && m.ground_snap == 4 && m.max_push_out == 16 &&
              m.escape_delay == 0.25);
    move(&m, 0, 0);
    ck_assert(m.crushed == (deep > 16));
    ck_assert_double_eq(m.position.x, deep > 16 ? 100 - deep : 100);
}

/* ---- in the air ---- */

/// Off a ledge, the mover falls freely from the first frame on, without any ground.
START_TEST_FOR(ledges_are_left_in_free_fall, k, RATES * 6) {
    int rate = rates[k % RATES];
    double dt = 1.0 / rate, speed = 30 + 40 * (k / RATES);
    box_at(0, 100, 100, 20, WITH(of_type(PV_BODY_KINEMATIC), it.tangent_speed = 20));
    pv_mover m = WITH(hero_of(10, 20, 60, 80), it.ground_snap = 3 + k % 5);
    step_at(&m, 0, 900, rate);
    ck_assert(m.grounded && m.ground_velocity.x == 20);
    int count = 0;
    for (int i = 0; i < 3 * rate && count < rate / 4; i++) {
        step_at(&m, speed, 900, rate);
        ck_assert(m.grounded == (count == 0 && x_of(&m) < 100));
        if (m.grounded) continue;
        count++;
        ck_assert_double_eq_tol(m.position.y, 80 + 900 * dt * dt * count * (count + 1) / 2, 1e-6);
        ck_assert(m.ground_velocity.x == 0 && m.ground_velocity.y == 0);
        ck_assert(m.ground_normal.x == 0 && m.ground_normal.y == -1 && m.ground.index == 0);
    }
    ck_assert_int_gt(count, 0);
}

/* ---- slopes that are too steep ---- */

static double rise;
static double sloping(double x) { return fmax(0, fmin(TERRAIN_H - 20, 500 + (x - 250) * rise)); }

/// Returns a slope with an angle, at least 20 px high.
static pv_mask *slope_of(double angle) {
    rise = tan(angle);
    return terrain_of(sloping);
}

static pv_mover hero_on(const pv_mask *slope, double limit) {
    pv_mover m = WITH(hero_of(9, 20, 245, 0), it.max_slope = limit);
    m.position.y = lowest_free(&m, slope);
    return m;
}

/// Too steep slopes are slid down with g * sin^2, at all rates and to both sides, and not climbed.
START_TEST_FOR(steep_slopes_are_slid_down, k, RATES * 6) {
    static const double angles[] = {0.65, 0.85, 1.05, 1.25, -0.75, -1.15};
    int rate = rates[k % RATES];
    double angle = angles[k / RATES], square = sin(angle) * sin(angle);
    const pv_mask *slope = open_terrain(slope_of(angle));
    pv_mover m = hero_on(slope, fabs(angle) - 0.1);
    pv_mover climber = m;
    double top = m.position.y;
    for (int i = 1; i <= rate / 2; i++) {
        step_at(&m, 0, 900, rate);
        step_at(&climber, angle > 0 ? -200 : 200, 900, rate);
        ck_assert_double_eq_tol(climber.position.y, m.position.y, 1);
        ck_assert_msg(m.sliding && !m.grounded && !m.crushed, "%d %d: %g", k, i,
                      m.position.y - top);
        ck_assert_uint_ne(m.ground.index, 0);
        double down = 0.5 * 900 * square * i * (i + 1) / rate / rate;
        ck_assert_double_eq_tol(m.position.y - top, down, 2 + 0.06 * down);
        ck_assert_int_eq(shared_with(&m, slope), 0);
        ck_assert_int_le(lowest_free(&m, slope) - y_of(&m), 1 + (int)(2 * fabs(tan(angle))));
        ck_assert_double_eq_tol(m.ground_normal.x / -m.ground_normal.y, tan(angle),
                                0.25 * fabs(tan(angle)));
    }
}

/// Slopes below the limit are walked like flat ground, and so are stairs, whatever the limit.
START_TEST(slopes_below_the_limit_hold) {
    for (int k = 0; k < 10; k++) {
        double angle = (k % 2 ? -1 : 1) * (0.3 + 0.2 * (k / 2));
        const pv_mask *slope = open_terrain(slope_of(angle));
        pv_mover m = hero_on(slope, fabs(angle) + 0.06);
        double from = m.position.x;
        for (int i = 1; i <= 120; i++) {
            walk(&m, i <= 60 ? 0 : i % 40 < 20 ? 60 : -60);
            ck_assert(m.grounded && !m.sliding);
            if (i == 60) ck_assert_double_eq(m.position.x, from);
            ck_assert_int_eq(y_of(&m), lowest_free(&m, slope));
        }
    }
    for (int i = 0; i < 10; i++) fixed_box(100 + 16 * i, 200 - 4 * i, 16, 100);
    fixed_box(0, 200, 100, 20);
    pv_mover m = WITH(hero_of(10, 20, 20, 180), it.max_slope = 0.6);
    for (int i = 0; i < 200; i++) {
        walk(&m, 60);
        ck_assert(m.grounded && !m.hit_wall_right);
    }
    ck_assert_double_gt(m.position.x, 210);
    for (int i = 0; i < 10; i++) fixed_box(300 + 8 * i, 200 - 4 * i, 8, 100);
    m = WITH(hero_of(10, 20, 336, 100), it.max_slope = 0.4);
    land(&m);
    walk(&m, 0); /* half a stride on this tread is flat */
    ck_assert(m.grounded && !m.sliding);
}

/* ---- answers of callbacks ---- */

/// Questions to a callback, and its answer
typedef struct asked {
    pv_body_id own, other;
    int count;
    bool meet;
    pv_presolve_result verdict;
    pv_presolve_contact last;
} asked;

/// Tells whether a pair is the mover's body and the other one. Pairs come in slot order.
static bool is_asked(const asked *said, pv_body_id a, pv_body_id b) {
    ck_assert_uint_le(a.index, b.index);
    return (a.index == said->own.index && b.index == said->other.index) ||
           (a.index == said->other.index && b.index == said->own.index);
}

static bool says_meet(void *user_data, const pv_world *w, pv_body_id a, pv_body_id b) {
    asked *said = user_data;
    (void)w;
    bool pair = is_asked(said, a, b);
    said->count += pair;
    return !pair || said->meet;
}

static pv_presolve_result says_verdict(void *user_data, const pv_world *w,
                                       pv_presolve_contact *approach) {
    asked *said = user_data;
    pv_body_set_velocity((pv_world *)w, said->other, pv__vec(1, 1));
    if (!is_asked(said, approach->a, approach->b)) return PV_PRESOLVE_COLLIDE;
    said->count++;
    said->last = *approach;
    return said->verdict;
}

/// Adds a pinned polygon of 300 x 10 px, whose top is at y = 100.
static pv_body_id fixed_polygon(void) {
    const pv_vec2 points[] = {{0, 100}, {300, 100}, {300, 110}, {0, 110}};
    return CREATE(polygon, world, it.points = points, it.point_count = 4, it.mass = 0);
}

/// Returns a mover over a sprite or polygon: without a body, or with one from before or after that.
static pv_mover asked_hero(int kind, bool polygon, asked *said) {
    pv_mover m = hero_of(10, 20, 50, 20);
    if (kind == 1) m.body = driven_box(50, 20, 10, 20);
    said->other = polygon ? fixed_polygon() : fixed_box(0, 100, 300, 10);
    if (kind == 2) m.body = driven_box(50, 20, 10, 20);
    said->own = m.body;
    fixed_box(0, 200, 300, 20);
    return m;
}

START_TEST_FOR(the_filter_is_asked, k, 12) {
    asked said = {.meet = k / 3 % 2};
    ck_assert_int_eq(pv_world_set_filter_callback(world, says_meet, &said), PV_OK);
    pv_mover m = asked_hero(k % 3, k / 6, &said);
    land(&m);
    ck_assert_int_gt(said.count, 0);
    ck_assert_int_eq(y_of(&m), said.meet ? 80 : 180);
}

START_TEST_FOR(presolve_is_asked, k, 24) {
    static const pv_presolve_result verdicts[] = {PV_PRESOLVE_COLLIDE, PV_PRESOLVE_IGNORE,
                                                  PV_PRESOLVE_IGNORE_UNTIL_SEPARATED,
                                                  (pv_presolve_result)77};
    asked said = {.verdict = verdicts[k / 3 % 4]};
    pv_mover m = asked_hero(k % 3, k / 12, &said);
    ck_assert_int_eq(pv_world_set_presolve_callback(world, says_verdict, &said), PV_OK);
    set_surface(world, said.other, 0.25, 0.75, 0.625);
    if (k % 3) set_surface(world, said.own, 0.25, 0.75, 0.625);
    for (int i = 0; i < 100 && !m.grounded; i++) {
        walk(&m, 0);
        if (said.count == 0) continue;
        ck_assert_double_eq(said.last.normal.y, said.own.index < said.other.index ? 1 : -1);
        ck_assert_double_gt(said.last.speed, 100);
        ck_assert_double_eq(said.last.restitution, 0.25);
        ck_assert_double_eq_tol(said.last.static_friction, 0.75, 1e-12);
        ck_assert_double_eq_tol(said.last.friction, 0.625, 1e-12);
        ck_assert_double_eq_tol(said.last.point.x, 55, 0.01);
        ck_assert_double_ge(said.last.point.y, 100);
        ck_assert_double_lt(said.last.point.y, 135); /* while it passes the body */
        ck_assert(!said.last.touching);
    }
    ck_assert_int_gt(said.count, 0);
    bool once = said.verdict == PV_PRESOLVE_IGNORE_UNTIL_SEPARATED,
         each = said.verdict == PV_PRESOLVE_IGNORE;
    if (once) ck_assert_int_eq(said.count, 1);
    if (each) ck_assert_int_gt(said.count, 1);
    ck_assert_int_eq(y_of(&m), once || each ? 180 : 80);
    ck_assert(body_v(said.other).x == 0);
}

/* ---- dynamic bodies ---- */

static double pushed_way(double strength, double mass, bool embodied) {
    open_world();
    fixed_box(-200, 100, 2000, 40);
    pv_body_def def =
        WITH(of_type(PV_BODY_DYNAMIC), it.mass = mass, it.static_friction = it.friction = 0.3);
    pv_body_id crate = box_at(100, 68, 32, 32, def);
    step_times(30);
    pv_mover m = WITH(hero_of(10, 20, 40, 80), it.push_force = strength);
    if (embodied) m.body = driven_box(40, 80, 10, 20);
    land(&m);
    double from = body_at(crate).x;
    for (int i = 0; i < 240; i++) {
        step_times(1);
        walk(&m, 60);
        ck_assert(m.grounded && !m.crushed);
        ck_assert_double_lt(body_v(crate).x, 61);
        ck_assert_double_le(m.position.x + 10, body_at(crate).x - 16 + 1.01);
    }
    return body_at(crate).x - from;
}

/// Pushes crates. Friction of 0.3 under 320 px/s^2 holds them with mass * 96. The walker moves at
/// most 240 px, less the way to the crate.
START_TEST_FOR(crates_are_pushed, k, 2) {
    double strong = pushed_way(100 * 400, 100, k);
    ck_assert_double_eq_tol(pushed_way(100 * 50, 100, k), 0, 1);
    ck_assert_double_gt(strong, 150);
    ck_assert_double_lt(strong, 192);
    ck_assert_double_eq_tol(pushed_way(0, 100, k), 0, 1);
}

/// A conveyor carries the mover against a crate.
START_TEST_FOR(a_belt_lets_it_push, k, 2) {
    box_at(0, 100, 200, 20, WITH(of_type(PV_BODY_KINEMATIC), it.tangent_speed = 40));
    fixed_box(200, 100, 400, 20);
    pv_body_id crate = crate_at(202, 80, 20, 20);
    pv_mover m = WITH(landed(10, 20, 150, 80), it.push_force = k ? 1e6 : 0);
    stroll(&m, 0, 90);
    ck_assert(k ? body_at(crate).x > 216 : body_at(crate).x < 213);
}

/// Stands on a stack of fallen crates, with a body that others collide with.
START_TEST(stands_on_dynamic_bodies) {
    fixed_box(-100, 200, 600, 20);
    for (int i = 0; i < 3; i++) crate_at(100, 170 - 40 * i, 40, 30);
    step_times(120);
    pv_mover m = WITH(pv_mover_default(), it.body = driven_box(110, 60, 12, 24),
                      it.position = pv__vec(110, 60), it.mass = 300);
    land(&m);
    for (int i = 0; i < 600; i++) {
        step_times(1);
        walk(&m, i / 20 % 2 ? 20.3 : -20.3);
        ck_assert_msg(m.grounded && !m.crushed, "step %d", i);
        ck_assert_int_le(abs(y_of(&m) - 86), 1);
    }
}

/// A mover with mass tips a board on a pivot; one without mass does not.
START_TEST_FOR(its_mass_loads_what_it_stands_on, k, 2) {
    pv_body_id board = crate_at(100, 100, 200, 10);
    fixed_box(195, 110, 10, 60);
    pv_mover m = WITH(hero_of(10, 20, 250, 78), it.mass = k * 500);
    land(&m);
    stroll(&m, 0, 40);
    double angle = pv_body_get_angle(world, board);
    ck_assert(k ? angle > 0.1 : fabs(angle) < 0.02);
}

START_TEST(its_body_goes_with_it) {
    fixed_box(0, 100, 400, 20);
    pv_body_id body = box_at(50, 80, 10, 20, of_type(PV_BODY_KINEMATIC));
    pv_body_id crate = crate_at(52, 60, 8, 8);
    pv_mover m = WITH(pv_mover_default(), it.body = body, it.pivot = pv__vec(5, 20),
                      it.position = pv__vec(55, 100));
    for (int i = 0; i < 120; i++) {
        walk(&m, i < 60 ? 0 : 30.7);
        step_times(1);
        expect_point(body_at(body), m.position.x, m.position.y - 10, 1e-6);
        ck_assert(m.grounded && !m.crushed);
    }
    ck_assert_double_lt(body_at(crate).y, 80); /* on the hero's head */
    ck_assert_double_gt(body_at(crate).x, 70);
    m.position = pv__vec(300, 90); /* put elsewhere, it does not sweep what lies between */
    m.grounded = false;
    walk(&m, 0);
    ck_assert_double_eq_tol(body_at(body).x, 300, 1e-6);
    step_times(1);
    ck_assert_double_eq_tol(body_at(body).y, m.position.y - 10, 1e-6);
}

/* ---- any terrain ---- */

static pv_mask *random_terrain(int w, int h) {
    pv_mask *mask = pv_mask_create(w, h, NULL, NULL);
    for (int i = 0; i < 60; i++) {
        pv_rect r = {any_int(0, w - 1), any_int(0, h - 1), 1 + any_int(0, 39), 1 + any_int(0, 11)};
        pv_mask_fill_rect(mask, r, true);
    }
    for (int i = 0; i < 400; i++)
        pv_mask_set_pixel(mask, any_int(0, w - 1), any_int(0, h - 1), true);
    return mask;
}

static pv_mover random_hero(const pv_mask *terrain) {
    pv_mover m = pv_mover_default();
    int w = 1 + any_int(0, 13), h = 1 + any_int(0, 23);
    pv_mask *mask = box_mask(w, h);
    for (int i = 0; i < w * h / 3; i++)
        pv_mask_set_pixel(mask, any_int(0, w - 1), any_int(0, h - 1), false);
    m.mask = lend(mask);
    m.pivot = pv__vec(any_within(20), any_within(20));
    m.step_height = any_int(0, 7);
    m.ground_snap = any_int(0, 7);
    do m.position = pv__vec(150 + any_within(140), 100 + any_within(90));
    while (shared_with(&m, terrain) > 0);
    return m;
}

START_TEST_FOR(never_shares_a_pixel_with_terrain, k, 60) {
    const pv_mask *terrain = open_terrain(random_terrain(300, 200));
    pv_mover m = random_hero(terrain), twin = m;
    double size = k % 3 == 0 ? 30 : k % 3 == 1 ? 300 : 3000;
    for (int i = 0; i < 200; i++) {
        pv_vec2 v = pv__vec(any_within(size), any_within(size));
        if (i % 4) v.y = fabs(v.y);
        double from = m.position.x;
        move(&m, v.x, v.y);
        move(&twin, v.x, v.y);
        ck_assert_int_eq(memcmp(&m.position, &twin.position, sizeof m.position), 0);
        ck_assert_int_eq(shared_with(&m, terrain), 0);
        ck_assert(!m.crushed);
        ck_assert(m.grounded == (v.y >= 0 && !is_free(&m, terrain, 0, 1)));
        double went = m.position.x - from, wanted = v.x * DT;
        bool wall = m.hit_wall_left || m.hit_wall_right;
        if (!wall) ck_assert_double_eq_tol(went, wanted, 1e-6);
        if (wall)
            ck_assert(v.x > 0 ? m.hit_wall_right && went < wanted + 0.51
                              : m.hit_wall_left && went > wanted - 0.51);
    }
}

/// Walks over turned bodies, also over more than a mover keeps at hand.
START_TEST_FOR(rough_heaps_of_turned_bodies_are_walked, k, 6) {
    int tiles = k < 3 ? 40 : 300;
    for (int i = 0; i < tiles; i++) {
        pv_body_def def = WITH(of_type(PV_BODY_STATIC), it.angle = any_within(3));
        put(world, k % 2 ? box_mask(20, 20) : disc_mask(12), 400.0 * i / tiles, 200 + any_within(2),
            def);
    }
    pv_mover m = WITH(hero_of(10, 20, 30.3, 150), it.step_height = it.ground_snap = 24);
    land(&m);
    for (int i = 0; m.position.x < 360 && i < 600; i++) {
        walk(&m, 71.7);
        pv_placed own = {m.mask, pv_mover_get_transform(&m)};
        ck_assert_int_eq(pv_world_query_mask(world, &own, NULL, NULL, 0), 0);
        ck_assert_msg(m.grounded, "heap %d step %d", k, i);
    }
    ck_assert_double_gt(m.position.x, 359);
}

/* ---- what is refused ---- */

static void refused(const pv_mover *mover, double vx, double vy, double dt, pv_status expected) {
    pv_mover m = *mover;
    uint64_t hash = pv_world_compute_hash(world);
    ck_assert_int_eq(pv_mover_move(world, &m, pv__vec(vx, vy), dt), expected);
    ck_assert_int_eq(memcmp(&m, mover, sizeof m), 0);
    ck_assert(pv_world_compute_hash(world) == hash);
}

/// Numbers out of range change nothing. For NaN and stale ids see test_api.c.
START_TEST(bad_input_changes_nothing) {
    fixed_box(0, 100, 300, 20);
    pv_body_id crate = crate_at(200, 0, 10, 20);
    pv_mover m = pv_mover_default();
    refused(&m, 0, 0, DT, PV_ERROR_ARGUMENT); /* neither mask nor body */
    scoped_mask *empty = pv_mask_create(0, 5, NULL, NULL);
    m.mask = empty;
    refused(&m, 0, 0, DT, PV_ERROR_EMPTY);
    pv_mover good = hero_of(10, 20, 50, 20);
    static const struct {
        double vx, vy, dt;
    } moves[] = {{0, 0, 0}, {0, 0, 1.5}, {1e9, 0, DT}, {0, -1e300, DT}};
    for (size_t i = 0; i < COUNT_OF(moves); i++)
        refused(&good, moves[i].vx, moves[i].vy, moves[i].dt, PV_ERROR_ARGUMENT);
    const pv_mover wrong[] = {WITH(good, it.position.x = PV_MAX_COORDINATE),
                              WITH(good, it.step_height = -1),
                              WITH(good, it.ground_snap = 65),
                              WITH(good, it.max_push_out = -5),
                              WITH(good, it.body = crate),
                              WITH(good, it.push_force = -1),
                              WITH(good, it.max_slope = -0.1),
                              WITH(good, it.max_slope = 1.6),
                              WITH(good, it.escape_delay = -1)};
    for (size_t i = 0; i < COUNT_OF(wrong); i++) refused(&wrong[i], 100, 0, DT, PV_ERROR_ARGUMENT);
}

/// Moves need no memory. The purse outlives the test, as its world does.
START_TEST(no_memory_is_taken) {
    static purse p;
    world = next_world(WITH(with_gravity(320), it.allocator = (pv_allocator){purse_alloc, &p}));
    for (int i = 0; i < 100; i++)
        put(world, box_mask(20, 20), 4 * i, 100, WITH(of_type(PV_BODY_STATIC), it.angle = i));
    pv_mover m = WITH(hero_of(10, 20, 50, 60), it.step_height = it.ground_snap = 20);
    land(&m);
    long calls = p.calls;
    for (int i = 0; i < 100; i++) walk(&m, 60);
    ck_assert_int_eq(p.calls, calls);
}

/* ---- what it overlaps ---- */

static bool is_odd(void *user_data, pv_body_id body) {
    *(int *)user_data += 1;
    return body.index % 2;
}

/// Compares a query with one by the mover's mask, which also finds its own body.
static int check_found(const pv_mover *m, const pv_query_filter *f) {
    pv_body_id found[64], all[64];
    pv_placed own = {m->mask ? m->mask : pv_body_get_mask(world, m->body),
                     pv_mover_get_transform(m)};
    int count = pv_mover_query(world, m, f, found, 64), n = 0,
        due = pv_world_query_mask(world, &own, f, all, 64);
    for (int i = 0; i < due; i++) {
        if (PV_ID_EQUALS(all[i], m->body)) continue;
        ck_assert(n < count && PV_ID_EQUALS(found[n], all[i]));
        n++;
    }
    ck_assert_int_eq(n, count);
    ck_assert_int_eq(pv_mover_query(world, m, f, NULL, 0), count);
    return count;
}

START_TEST(what_it_overlaps_is_found_by_pixels) {
    pv_body_id own = driven_box(40, 40, 10, 20);
    for (int i = 0; i < 50; i++) {
        pv_body_def def = WITH(of_type((pv_body_type)(i % 3)), it.angle = i % 4 ? any_within(3) : 0,
                               it.sensor = i % 3 == 1, it.filter.category_bits = i % 5 ? 1 : 2);
        put(world, i % 2 ? disc_mask(4) : box_mask(9, 3), 50 + any_within(50), 50 + any_within(50),
            def);
    }
    pv_mover m = WITH(hero_of(12, 17, 50, 50), it.pivot = pv__vec(6, 16.5));
    pv_mask *mask = (pv_mask *)m.mask;
    pv_mask_fill_rect(mask, (pv_rect){2, 2, 7, 9}, false);
    int requests = 0, some = 0;
    const pv_query_filter filters[] = {
        {.mask_bits = 0xffffffff, .include_sensors = true},
        {.mask_bits = 2},
        {.mask_bits = 0xffffffff, .accept = is_odd, .user_data = &requests}};
    for (int i = 0; i < 300; i++) {
        m.position = pv__vec(50 + any_within(50), 50 + any_within(50));
        m.body = i % 3 ? own : pv_null_body;
        m.mask = i % 3 == 2 ? NULL : mask;
        some += check_found(&m, NULL);
        for (int k = 0; k < 3; k++) check_found(&m, &filters[k]);
    }
    ck_assert(some > 100 && requests > 100);
}

static void query_refused(const pv_mover *m, const char *field) {
    pv_body_id none = {7, 7};
    ck_assert_int_eq(pv_mover_query(world, m, NULL, &none, 1), 0);
    ck_assert(none.index == 7);
    ck_assert_int_eq(last_report.status, PV_ERROR_ARGUMENT);
    ck_assert_str_eq(last_report.field, field);
}

START_TEST(bad_movers_overlap_nothing) {
    pv_body_id floor = fixed_box(0, 0, 100, 100);
    pv_world_set_report_callback(world, keep_report, NULL);
    const pv_mover good = hero_of(10, 20, 50, 50);
    pv_mover m = good;
    ck_assert_int_eq(pv_mover_query(world, &m, NULL, NULL, 0), 1);
    m.mask = NULL;
    query_refused(&m, "mover.mask");
    m.body = floor; /* static */
    query_refused(&m, "mover.body");
    m = good, m.pivot.x = 1e9;
    query_refused(&m, "mover.pivot.x");
}

static void fits_refused(const pv_mover *m, const pv_mask *mask, double pivot, const char *field,
                         pv_status status) {
    ck_assert(!pv_mover_fits(world, m, mask, pv__vec(0, pivot)));
    ck_assert_int_eq(last_report.status, status);
    ck_assert_str_eq(last_report.field, field);
}

/// A mover fits where its rules allow it: filter, presolve, one-way bodies, its own body.
START_TEST(room_is_told) {
    fixed_box(0, 100, 300, 20);
    pv_body_def def = WITH(of_type(PV_BODY_DYNAMIC), it.filter.category_bits = 2);
    pv_body_id crate = box_at(40, 70, 20, 20, def);
    def = WITH(of_type(PV_BODY_STATIC), it.one_way_normal.y = -1);
    box_at(100, 70, 20, 4, def);
    pv_mover m = WITH(hero_of(10, 20, 45, 80), it.body = driven_box(0, 0, 10, 20));
    ck_assert(!pv_mover_fits(world, &m, NULL, pv__vec(0, 0)));
    ck_assert(pv_mover_fits(world, &m, NULL, pv__vec(0, 30)));
    ck_assert(!pv_mover_fits(world, &m, NULL, pv__vec(0, 29)));
    m.body = pv_null_body, m.filter.mask_bits = 1;
    ck_assert(pv_mover_fits(world, &m, NULL, pv__vec(0, 0)));
    m.position.x = 105, m.filter.mask_bits = ~0u;
    ck_assert(pv_mover_fits(world, &m, NULL, pv__vec(0, 0)));
    pv_world_set_report_callback(world, keep_report, NULL);
    scoped_mask *empty = pv_mask_create(0, 4, NULL, NULL);
    fits_refused(&m, empty, 0, "mask", PV_ERROR_EMPTY);
    fits_refused(&m, NULL, 1e9, "pivot", PV_ERROR_ARGUMENT);
    m.mask = NULL;
    fits_refused(&m, NULL, 0, "mover.mask", PV_ERROR_ARGUMENT);
    m.body = crate; /* dynamic */
    fits_refused(&m, NULL, 0, "mover.body", PV_ERROR_ARGUMENT);
}

RUN_TESTS_IN("mover", open_world, close_world, 1)
