/* test_polygon.c - polygons: outlines and pieces, corners and beams, hits, rest, and sliding.
 *
 * Invariant: pieces are compared with the outline point by point, motion with formulas.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "shared_world.h"

#include "shape/convex.h"

#define PI 3.14159265358979323846

/* ---- outlines ---- */

/// Returns the winding number of an outline around a point, from the angles of its edges.
static int winding(const pv_vec2 *points, int count, double x, double y) {
    long double sum = 0;
    for (int i = 0; i < count; i++) {
        pv_vec2 a = points[i], b = points[(i + 1) % count];
        long double ax = a.x - x, ay = a.y - y, bx = b.x - x, by = b.y - y;
        sum += atan2l(ax * by - ay * bx, ax * bx + ay * by);
    }
    return (int)lroundl(sum / (2 * acosl(-1)));
}

static double edge_distance(const pv_vec2 *points, int count, double x, double y) {
    double least = INFINITY;
    for (int i = 0; i < count; i++)
        least = fmin(least, segment_distance(PV_VEC2(x, y), points[i], points[(i + 1) % count]));
    return least;
}

/// Returns twice the area of the triangle of a corner and the next two; > 0: clockwise.
static double corner_turn(const pv_vec2 *points, int count, int i) {
    pv_vec2 a = points[i], b = points[(i + 1) % count], c = points[(i + 2) % count];
    return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
}

/// Makes corners at random distances in order of their angles, so that no edges cross.
static int random_outline(uint64_t *seed, pv_vec2 *points, int most) {
    int count = 3 + (int)(next_random(seed) % (uint64_t)(most - 2));
    for (int i = 0; i < count; i++) {
        double angle = 2 * PI * (i + 0.4 * next_unit(seed)) / count, r = 20 + 80 * next_unit(seed);
        points[i] = (pv_vec2){r * cos(angle), r * sin(angle)};
    }
    return count;
}

/// Makes a comb: some corners lie on straight lines, and two at each gap turn inward.
static int comb(pv_vec2 *points, int teeth) {
    int n = 0;
    for (int i = 0; i < teeth; i++) {
        points[n++] = (pv_vec2){20 * i, 0};
        points[n++] = (pv_vec2){20 * i + 10, 0};
        if (i + 1 == teeth) break;
        points[n++] = (pv_vec2){20 * i + 10, 50};
        points[n++] = (pv_vec2){20 * i + 20, 50};
    }
    points[n++] = (pv_vec2){20 * teeth - 10, 80};
    points[n++] = (pv_vec2){0, 80};
    return n;
}

/// Checks that each point of a grid is in one piece if it is in the outline, and else in none.
static void check_pieces(const pv_vec2 *points, int count) {
    int pieces[PV__POLY_ROOM], room, most = 0;
    int piece_count = pv__convex_cut(points, count, pieces, &room);
    ck_assert_int_le(room, PV__POLY_ROOM);
    for (double y = -101.5; y < 110; y += 3)
        for (double x = -101.5; x < 320; x += 3) {
            if (edge_distance(points, count, x, y) < 1e-6) continue;
            int inside = 0, near = 0;
            for (int i = 0, at = 0; i < piece_count; at += pieces[at] + 1, i++) {
                pv_vec2 piece[PV__POLY_CORNERS];
                for (int k = 0; k < pieces[at]; k++) piece[k] = points[pieces[at + 1 + k]];
                for (int k = 0; k < pieces[at]; k++)
                    ck_assert_double_ge(corner_turn(piece, pieces[at], k), -1e-6);
                near |= edge_distance(piece, pieces[at], x, y) < 1e-6;
                inside += winding(piece, pieces[at], x, y);
            }
            if (near) continue;
            most = inside > most ? inside : most;
            ck_assert_int_eq(inside, winding(points, count, x, y));
        }
    ck_assert_int_eq(most, 1);
}

START_TEST(pieces_are_the_outline) {
    uint64_t seed = 5;
    pv_vec2 points[PV__POLY_CORNERS];
    for (int round = ROUNDS(0, 20); round < 30; round++)
        check_pieces(points, random_outline(&seed, points, round < 25 ? 16 : PV__POLY_CORNERS));
    for (int teeth = 2; teeth <= 15; teeth += ROUNDS(3, 13))
        check_pieces(points, comb(points, teeth));
}

/// There are at most 2 * inward corners + 1 pieces: by Hertel and Mehlhorn, within four times the
/// fewest possible. Shares of the corners have the center of the area.
START_TEST(pieces_are_few_and_shares_have_the_areas_center) {
    uint64_t seed = 9;
    pv_vec2 points[PV__POLY_CORNERS];
    int pieces[PV__POLY_ROOM], room;
    for (int round = 0; round < 300; round++) {
        double shares[PV__POLY_CORNERS], sum = 0, x = 0, y = 0, area = 0, cx = 0, cy = 0;
        int n = random_outline(&seed, points, round % 2 ? 20 : PV__POLY_CORNERS), inward = 0,
            count = pv__convex_cut(points, n, pieces, &room);
        for (int i = 0; i < n; i++) inward += corner_turn(points, n, i) < 0;
        ck_assert_int_le(count, 2 * inward + 1);
        pv__convex_shares(points, n, pieces, count, shares);
        for (int i = 0; i < n; i++) {
            pv_vec2 a = points[i], b = points[(i + 1) % n];
            double cross = a.x * b.y - a.y * b.x; /* shoelace formula */
            area += cross / 2;
            cx += (a.x + b.x) * cross / 6;
            cy += (a.y + b.y) * cross / 6;
            ck_assert_double_gt(shares[i], 0);
            sum += shares[i];
            x += shares[i] * a.x;
            y += shares[i] * a.y;
        }
        ck_assert_double_eq_tol(sum, 1, 1e-12);
        expect_point((pv_vec2){x, y}, cx / area, cy / area, 1e-9);
        ck_assert_double_eq_tol(pv__convex_area(points, n), area, 1e-9 * area);
    }
}

START_TEST(bad_outlines_are_refused) {
    const struct {
        int count;
        pv_vec2 points[6];
    } outlines[] = {{4, {{0, 0}, {30, 0}, {30, 20}, {0, 20}}}, /* the only good one */
                    {65, {{0, 0}, {30, 0}, {30, 20}, {0, 20}}},
                    {2, {{0, 0}, {30, 0}}},
                    {4, {{0, 0}, {30, 20}, {30, 0}, {0, 20}}}, /* a bow */
                    {4, {{0, 0}, {30, 0}, {30, 0}, {0, 20}}},  /* a corner twice */
                    {3, {{0, 0}, {30, 0}, {60, 0}}},
                    {5, {{0, 0}, {30, 0}, {30, 20}, {30, 5}, {0, 20}}},
                    {3, {{0, 0}, {1e9, 0}, {3, 4}}},
                    {6, {{0, 0}, {30, 0}, {15, 10}, {30, 20}, {0, 20}, {15, 10}}},
                    {5, {{0, 0}, {40, 0}, {40, 30}, {20, 0}, {0, 30}}}};
    for (size_t i = 0; i < COUNT_OF(outlines); i++)
        ck_assert_msg(pv__convex_check(outlines[i].points, outlines[i].count) ==
                          (i ? PV_ERROR_ARGUMENT : PV_OK),
                      "outline %zu", i);
    const pv_vec2 none[] = {{0, 0}, {NAN, 0}, {3, 4}};
    ck_assert_int_eq(pv__convex_check(none, 3), PV_ERROR_NOT_FINITE);
    ck_assert_int_eq(pv__convex_check(NULL, 4), PV_ERROR_ARGUMENT);
}

/* ---- worlds ---- */

/// World of the test, with gravity unless the test opens another, and a snapshot
static pv_world *w;
static keepsake saved;

static void open_world(void) { w = next_world_by(PV_CONTACT_MODE_CONTOURS, 320); }

static pv_body_id make(const pv_vec2 *points, int count, pv_polygon_def def) {
    return CREATE_WELL(polygon, w, WITH(def, it.points = points, it.point_count = count));
}

static pv_polygon_def of_mass(double mass) {
    return WITH(pv_polygon_def_default(), it.mass = mass);
}

/// Adds a box about a center, turned by an angle.
static pv_body_id box(double x, double y, double width, double height, double angle,
                      pv_polygon_def def) {
    const double side[] = {-0.5, 0.5, 0.5, -0.5}, down[] = {-0.5, -0.5, 0.5, 0.5};
    pv_vec2 p[4];
    for (int i = 0; i < 4; i++) {
        double u = side[i] * width, v = down[i] * height;
        p[i] = (pv_vec2){x + cos(angle) * u - sin(angle) * v, y + sin(angle) * u + cos(angle) * v};
    }
    return make(p, 4, def);
}

static pv_body_id regular(double x, double y, int n, double radius, double angle,
                          pv_polygon_def def) {
    pv_vec2 p[64];
    for (int i = 0; i < n; i++) {
        double a = angle + 2 * PI * i / n;
        p[i] = (pv_vec2){x + radius * cos(a), y + radius * sin(a)};
    }
    return make(p, n, def);
}

/// Steps a world without gravity until some polygon was hit, and checks the momenta.
static void check_momentum(void) {
    pv_body_id watched = pv_world_get_next_polygon(w, pv_null_body);
    momenta before = momenta_of(w);
    pv_vec2 v = pv_body_get_velocity(w, watched);
    step_times(90);
    ck_assert_double_gt(vec_distance(pv_body_get_velocity(w, watched), v), 5); /* pushed away */
    expect_kept_momenta(&before, w, 1e-9 * before.size, 1e-9 * before.turn_size);
}

/* ---- the article's response ---- */

/// Checks Bitterli's correction with masses of 1. A vertex at t along an edge goes back by lambda /
/// (1 + lambda) of the overlap, and the edge's ends by 1 - t and t times as much. lambda = 1 / (t^2
/// + (1 - t)^2).
START_TEST(lambda_by_hand) {
    w = next_world(WITH(with_gravity(0), it.substeps = it.joint_iterations = 1));
    const pv_vec2 floor[] = {{0, 0}, {40, 0}, {40, 30}, {0, 30}},
                  wedge[] = {{10, 0}, {-10, -20}, {30, -20}};
    pv_polygon_def def = of_mass(4);
    def.stiffness = 1e-9; /* so that only the hit moves corners */
    pv_body_id a = make(floor, 4, def);
    def.mass = 3;
    def.velocity = (pv_vec2){0, 12}; /* 0.2 px in the step, too slow to bounce */
    pv_body_id b = make(wedge, 3, def);
    step_times(1);
    pv_particle_id p[4], q[3];
    ck_assert_int_eq(pv_body_get_corners(w, a, p, 4), 4);
    ck_assert_int_eq(pv_body_get_corners(w, b, q, 3), 3);
    double t = 0.25, lambda = 1 / (t * t + (1 - t) * (1 - t)), share = lambda / (1 + lambda);
    ck_assert_double_eq_tol(lambda, 1.6, 1e-15);
    ck_assert_double_eq_tol(particle_at(q[0]).y, 0.2 * (1 - share), 1e-12);
    ck_assert_double_eq_tol(particle_at(p[0]).y, 0.2 * share * (1 - t), 1e-12);
    ck_assert_double_eq_tol(particle_at(p[1]).y, 0.2 * share * t, 1e-12);
    ck_assert_double_eq_tol(particle_at(p[2]).y, 30, 1e-9);
    /* the vertex lies on the moved edge */
    double on_edge = (1 - t) * particle_at(p[0]).y + t * particle_at(p[1]).y;
    ck_assert_double_eq_tol(particle_at(q[0]).y, on_edge, 1e-12);
}

/* ---- momentum ---- */

START_TEST_FOR(polygons_conserve_momentum, k, 7) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    pv_polygon_def def =
        WITH(of_mass(k & 1 ? -1 : 700), it.restitution = 0.2 * (k % 6),
             it.collider = k == 4 ? PV_POLYGON_COLLIDER_CIRCLES : PV_POLYGON_COLLIDER_EDGES,
             it.stiffness = k == 5 ? 1e6 : 0, it.angular_velocity = 3 - k,
             it.velocity = (pv_vec2){k == 3 ? 8 : 200, 30});
    if (k == 2)
        regular(0, 0, 9, 25, 0.2, def);
    else /* the last one begins inside the other box */
        box(k == 3 ? 34 : k == 6 ? 60 : 0, 0, 40, 30, 0.3, def);
    def.collider = PV_POLYGON_COLLIDER_EDGES;
    def.velocity.x = -60;
    def.angular_velocity = -2;
    box(80, 15, 30, 50, 0.1, def);
    check_momentum();
}

START_TEST_FOR(particles_and_polygons_conserve_momentum, k, 4) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    pv_polygon_def def = of_mass(300);
    def.collider = k == 3 ? PV_POLYGON_COLLIDER_CIRCLES : PV_POLYGON_COLLIDER_EDGES;
    def.angular_velocity = 4;
    box(0, 0, 40, 30, 0.3, def);
    CREATE(particle, w, it.position = (pv_vec2){80, 3 * k}, it.velocity = (pv_vec2){-900, 20},
           it.mass = 40, it.radius = 2 * k, it.restitution = 0.3 * k);
    check_momentum();
}

START_TEST_FOR(sprites_and_polygons_conserve_momentum, k, 8) {
    w = next_world(
        WITH(with_gravity(0), it.joint_iterations = k == 6 ? 3 : 0,
             it.contact_mode = k == 5 ? PV_CONTACT_MODE_PIXELS : PV_CONTACT_MODE_CONTOURS));
    box(0, 0, 60, 30, k == 2 ? 0 : 0.3,
        WITH(of_mass(-1), it.angular_velocity = 2,
             it.collider = k == 4 ? PV_POLYGON_COLLIDER_CIRCLES : PV_POLYGON_COLLIDER_EDGES,
             it.restitution = k == 3 ? 0.9 : 0.2));
    pv_body_def b = WITH(pv_body_def_default(), it.velocity = (pv_vec2){-200, 0},
                         it.angular_velocity = 3 - k, it.angle = k == 2 ? 0 : 0.6);
    double x = k == 7 ? 36 : 90; /* the last sprite begins inside */
    put(w, k == 1 ? disc_mask(12) : box_mask(30, 20), x, 6, b);
    check_momentum();
}

START_TEST_FOR(a_free_polygon_keeps_its_spin, k, 8) {
    const int counts[] = {3, 4, 5, 6, 7, 12, 33, 64};
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    pv_body_id q = regular(0, 0, counts[k], 50, 0, WITH(of_mass(-1), it.angular_velocity = 10));
    step_times(600);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, q), 10, 0.1);
    pv_vec2 at = polygon_at(q);
    ck_assert_double_le(hypot(at.x, at.y), 1e-6);
}

/// Returns the share of its speed that a ball has after it hits the top of a box, 10 px right of
/// the middle. The ball and each corner have mass 1, and restitution is 1. The given number of
/// corners on the left side is pinned.
static double rebound_from_pinned(int pinned) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    pv_polygon_def def = WITH(of_mass(4), it.restitution = 1);
    pv_particle_id corners[4];
    pv_body_get_corners(w, box(50, 30, 40, 20, 0, def), corners, 4);
    for (int i = 0; i < 4 && pinned > 0; i++) {
        if (particle_at(corners[i]).x > 50) continue;
        ck_assert_int_eq(pv_particle_set_mass(w, corners[i], 0), PV_OK);
        pinned--;
    }
    pv_particle_id ball = CREATE(particle, w, it.position = (pv_vec2){60, 0},
                                 it.velocity = (pv_vec2){0, 300}, it.mass = it.restitution = 1);
    step_times(8);
    return -particle_v(ball).y / 300;
}

/// Checks v' = ((e - y) / (1 + y)) v, with e = 1 and the inverse effective mass y of the box.
START_TEST(one_pinned_corner_is_a_pivot_and_two_hold) {
    double inertia = 4 * (20 * 20 + 10 * 10), about_pin = 40 * 40 + (40 * 40 + 20 * 20) + 20 * 20;
    const double yields[] = {1.0 / 4 + 10 * 10 / inertia, 30 * 30 / about_pin, 0};
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(rebound_from_pinned(i), (1 - yields[i]) / (1 + yields[i]), 1e-6);
}

/// Makes the ten corners of a star.
static void star_of(pv_vec2 points[10], double x, double y, double radius) {
    for (int i = 0; i < 10; i++) {
        double a = PI / 2 + PI * i / 5, r = i & 1 ? radius / 2 : radius;
        points[i] = (pv_vec2){x + r * cos(a), y + r * sin(a)};
    }
}

/* ---- rest ---- */

/// Adds a floor with its top at y = 0: a pinned polygon, or a static sprite.
static void lay_floor(bool sprite, double angle) {
    double x = 25 * -sin(angle), y = 25 * cos(angle);
    pv_body_def def = WITH(of_type(PV_BODY_STATIC), it.angle = angle);
    if (sprite)
        put(w, box_mask(2000, 50), x, y, def);
    else
        box(x, y, 2000, 50, angle, of_mass(0));
}

START_TEST_FOR(a_box_does_not_creep, sprite, 2) {
    lay_floor(sprite, 0);
    pv_body_id q = box(3, -20.2, 40, 40, 0, of_mass(-1));
    step_times(60);
    pv_vec2 before = polygon_at(q);
    step_times(3600);
    pv_vec2 after = polygon_at(q), v = pv_body_get_velocity(w, q);
    ck_assert_double_lt(vec_distance(after, before), 0.05);
    ck_assert_double_lt(fabs(pv_body_get_angle(w, q)), 1e-3);
    ck_assert_double_lt(hypot(v.x, v.y), 0.5);
    ck_assert_double_eq_tol(after.y, -20, 0.15);
}

/// Static friction of 0.6 holds at a slope of 0.4. At 0.8, the way is (sin - 0.5 cos) g t^2 / 2.
START_TEST_FOR(slopes_hold_or_let_go, k, 4) {
    double slope = k < 2 ? 0.4 : 0.8, angle = atan(slope), time = k < 2 ? 20 : 2;
    lay_floor(k & 1, angle);
    pv_body_id q = box(20.1 * sin(angle), -20.1 * cos(angle), 60, 40, angle, of_mass(-1));
    pv_vec2 from = polygon_at(q);
    step_times((int)(60 * time));
    double way = vec_distance(polygon_at(q), from);
    double expected = 0.5 * 320 * (sin(angle) - 0.5 * cos(angle)) * time * time;
    if (k < 2)
        ck_assert_double_lt(way, 0.5);
    else
        ck_assert_double_eq_tol(way, expected, 0.02 * expected);
}

/// A polygon rises to e^2 of the height from which it fell.
START_TEST_FOR(restitution_is_that_of_the_height, k, 8) {
    double e = 0.3 * (k / 2), highest = -1000;
    pv_body_id floor =
        k & 1 ? put_box(PV_BODY_STATIC, 400, 50, 0, 25) : box(0, 25, 400, 50, 0, of_mass(0));
    pv_body_set_restitution(w, floor, e);
    pv_body_id q = box(0, -120, 40, 40, 0, of_mass(-1));
    pv_body_set_restitution(w, q, e);
    bool bounced = false;
    for (int i = 0; i < 120; i++) {
        step_times(1);
        bounced |= pv_body_get_velocity(w, q).y < 0 || polygon_at(q).y > -20.5;
        if (bounced) highest = fmax(highest, -20 - polygon_at(q).y);
    }
    ck_assert_double_eq_tol(highest, 100 * e * e, 1);
}

START_TEST(sixteen_boxes_stand) {
    lay_floor(false, 0);
    pv_body_id q[16];
    for (int i = 0; i < 16; i++) q[i] = box(0, -20 - 40 * i, 40, 40, 0, of_mass(-1));
    step_times(1200);
    for (int i = 0; i < 16; i++) {
        pv_vec2 at = polygon_at(q[i]);
        ck_assert_double_lt(fabs(at.x), 0.5);
        ck_assert_double_lt(fabs(at.y - (-20 - 40 * i)), 1);
        ck_assert_double_lt(fabs(pv_body_get_angle(w, q[i])), 0.01);
    }
}

/// A heap stays in its box, and in the end hardly moves.
START_TEST(a_heap_comes_to_rest) {
    uint64_t seed = 11;
    pv_body_id q[40];
    lay_floor(false, 0);
    for (int side = -1; side <= 1; side += 2) box(150 * side, -500, 50, 1100, 0, of_mass(0));
    for (int i = 0; i < 40; i++) {
        double angle = 6 * next_unit(&seed), x = -80 + 160 * next_unit(&seed);
        q[i] = regular(x, -40 - 22 * i, 3 + i % 5, 8 + 10 * next_unit(&seed), angle, of_mass(-1));
    }
    step_times(900);
    double crept = 0;
    pv_vec2 before[40];
    for (int i = 0; i < 40; i++) before[i] = polygon_at(q[i]);
    step_times(60);
    for (int i = 0; i < 40; i++) {
        pv_vec2 at = polygon_at(q[i]);
        ck_assert(fabs(at.x) < 125 && at.y < 0);
        crept += hypot(at.x - before[i].x, at.y - before[i].y) / 40;
    }
    ck_assert_double_lt(crept, 0.5);
}

/// A star in a notch of 90 degrees rests on both sides of the notch.
START_TEST(a_star_rests_in_a_notch) {
    const pv_vec2 notch[] = {{-100, -60}, {-60, -60}, {0, 0},    {60, -60},
                             {100, -60},  {100, 40},  {-100, 40}};
    make(notch, 7, of_mass(0));
    pv_vec2 star[10];
    star_of(star, 0, -60, 32);
    pv_body_id q = make(star, 10, WITH(of_mass(-1), it.restitution = 0));
    step_times(300);
    pv_vec2 before = polygon_at(q);
    step_times(120);
    ck_assert_double_lt(vec_distance(polygon_at(q), before), 0.1);
    pv_particle_id corners[10];
    pv_body_get_corners(w, q, corners, 10);
    double deepest = 0, nearest = INFINITY;
    for (int i = 0; i < 10; i++) {
        pv_vec2 at = particle_at(corners[i]);
        double off = edge_distance(notch, 7, at.x, at.y);
        nearest = fmin(nearest, off);
        if (winding(notch, 7, at.x, at.y) != 0) deepest = fmax(deepest, off);
    }
    ck_assert_double_lt(deepest, 0.2);
    ck_assert_double_lt(nearest, 0.2);
}

/// Makes a bar with corners along its straight top. Notches from below reach up to 8 px below it.
static int notched_bar(pv_vec2 *points) {
    int n = 0;
    for (int i = 0; i <= 10; i++) points[n++] = (pv_vec2){20 * i, 0};
    for (int i = 10; i > 0; i--) {
        points[n++] = (pv_vec2){20 * i, 60};
        points[n++] = (pv_vec2){20 * i - 10, 8};
    }
    points[n++] = (pv_vec2){0, 60};
    return n;
}

/// Without friction, a box keeps its speed over the edges between pieces.
START_TEST(inner_edges_are_not_felt) {
    for (int speed = 20; speed <= 500; speed *= 5) {
        w = next_world_by(PV_CONTACT_MODE_CONTOURS, 320);
        pv_vec2 bar[PV__POLY_CORNERS];
        int n = notched_bar(bar), pieces[PV__POLY_ROOM], room;
        ck_assert_int_ge(pv__convex_cut(bar, n, pieces, &room), 10);
        pv_polygon_def def = WITH(of_mass(0), it.static_friction = it.friction = 0);
        make(bar, n, def);
        def.mass = -1;
        def.velocity.x = speed;
        pv_body_id q = box(20, -10.01, 20, 20, 0, def);
        int count = 60 * 150 / speed;
        step_times(count);
        ck_assert_double_eq_tol(polygon_at(q).x, 20 + speed * count / 60.0, 0.3);
        ck_assert_double_eq_tol(pv_body_get_velocity(w, q).x, speed, 0.05);
        ck_assert_double_lt(fabs(pv_body_get_angle(w, q)), 3e-3);
    }
}

/// A polygon of any number of corners falls on its side and keeps its shape.
START_TEST(beams_hold_the_shape) {
    for (int n = 3; n <= 64; n += n < 16 ? 1 : 12) {
        w = next_world_by(PV_CONTACT_MODE_CONTOURS, 320);
        lay_floor(false, 0);
        pv_body_id q = regular(0, -80, n, 30, 0.3, of_mass(-1));
        pv_particle_id p[64];
        pv_body_get_corners(w, q, p, 64);
        double worst = 0;
        for (int i = 0; i < 180; i++) {
            step_times(1);
            for (int a = 0; a < n; a++)
                for (int b = a + 1; b < n; b++) {
                    pv_vec2 s = particle_at(p[a]), t = particle_at(p[b]);
                    worst = fmax(worst, fabs(vec_distance(s, t) - (60 * sin(PI * (b - a) / n))));
                }
        }
        ck_assert_double_lt(worst, 1.2); /* 2 % of its diameter */
    }
}

/// Up to six corners, all pairs have a beam. With more, each corner has a few, and no pair has two.
START_TEST_FOR(beams_are_not_too_many, k, 62) {
    int n = 3 + k;
    pv_body_id q = regular(0, 0, n, 50, 0, of_mass(-1));
    pv_joint_id beams[400];
    bool joined[80][80] = {{false}};
    int count = pv_body_get_joints(w, q, beams, 400);
    if (n <= 6) ck_assert_int_eq(count, n * (n - 1) / 2);
    ck_assert_int_le(count, 4 * n);
    ck_assert_int_ge(count, 2 * n - 3); /* Maxwell: fewer cannot be rigid */
    for (int i = 0; i < count; i++) {
        pv_anchor ends[2];
        ck_assert_int_eq(pv_joint_get_anchors(w, beams[i], ends), PV_OK);
        uint32_t a = ends[0].particle.index, b = ends[1].particle.index;
        ck_assert(a != b && !joined[a][b] && !joined[b][a]);
        joined[a][b] = true;
    }
    for (int i = 0; i < n; i++) { /* edges come first */
        pv_anchor ends[2];
        pv_joint_get_anchors(w, beams[i], ends);
        ck_assert_uint_eq((ends[0].particle.index % (uint32_t)n + 1) % (uint32_t)n,
                          ends[1].particle.index % (uint32_t)n);
    }
}

/* ---- what polygons collide with ---- */

/// Tests speeds at which an object passes the wall's thickness within a substep.
START_TEST(nothing_fast_goes_through) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    box(100, 0, 4, 200, 0.1, of_mass(0));
    pv_particle_def def = WITH(pv_particle_def_default(), it.velocity = (pv_vec2){9000, 100});
    pv_particle_id p = pv_particle_create(w, &def, NULL);
    def.velocity.x = -9000;
    def.position = (pv_vec2){200, 3};
    pv_particle_id q = pv_particle_create(w, &def, NULL);
    pv_body_id r = box(0, 60, 10, 10, 0, WITH(of_mass(-1), it.velocity.x = 2400));
    step_times(60);
    ck_assert_double_lt(particle_at(p).x, 110);
    ck_assert_double_gt(particle_at(q).x, 90);
    ck_assert_double_lt(polygon_at(r).x, 100);
}

START_TEST(sprites_and_particles_lie_on_polygons) {
    lay_floor(false, 0);
    pv_particle_def def =
        WITH(pv_particle_def_default(), it.radius = 5, it.position = (pv_vec2){54, -30});
    pv_particle_id p = pv_particle_create(w, &def, NULL);
    def.collides = false;
    pv_particle_id ghost = pv_particle_create(w, &def, NULL);
    pv_body_id crate = put_box(PV_BODY_DYNAMIC, 40, 30, 0, -15.5);
    pv_body_id ball = put(w, disc_mask(15), 100, -20, pv_body_def_default());
    pv_body_id q = box(-100, -20.5, 40, 40, 0, of_mass(-1));
    pv_body_id rider = put_box(PV_BODY_DYNAMIC, 30, 30, -100, -56.5);
    step_times(300);
    ck_assert_double_eq_tol(body_at(crate).y, -15, 0.2);
    ck_assert_double_eq_tol(body_at(crate).x, 0, 0.1);
    ck_assert_double_eq_tol(body_at(ball).y, -15, 0.3);
    ck_assert_double_eq_tol(body_at(rider).y, -55, 0.3);
    ck_assert_double_eq_tol(body_at(rider).x, -100, 0.2);
    ck_assert_double_eq_tol(particle_at(p).y, -5, 0.1);
    ck_assert_double_eq_tol(particle_at(p).x, 54, 1e-6);
    ck_assert_double_gt(particle_at(ghost).y, 100);
    /* The rider falls. */
    ck_assert_int_eq(pv_body_destroy(w, q), PV_OK);
    step_times(120);
    ck_assert_double_eq_tol(body_at(rider).y, -15, 0.3);
}

/// Returns a crate that sleeps on a floor, or on a pinned polygon.
static pv_body_id sleeping_crate(bool on_polygon) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 320);
    if (on_polygon)
        box(0, 25, 200, 50, 0, of_mass(0));
    else
        lay_floor(true, 0);
    pv_body_id crate = put_box(PV_BODY_DYNAMIC, 20, 20, 0, -10);
    step_times(120);
    ck_assert(!pv_body_is_awake(w, crate));
    return crate;
}

START_TEST(sleepers_wake) {
    pv_body_id crate = sleeping_crate(false);
    box(-60, -15, 30, 20, 0, WITH(of_mass(-1), it.velocity.x = 300));
    step_times(30);
    ck_assert_double_gt(body_at(crate).x, 3);

    crate = sleeping_crate(false); /* hit by an edge, far from its corners */
    box(0, -60, 300, 20, 0, of_mass(-1));
    step_times(30);
    ck_assert(pv_body_is_awake(w, crate));

    crate = sleeping_crate(true); /* its ground is removed */
    pv_body_destroy(w, pv_world_get_next_polygon(w, pv_null_body));
    step_times(60);
    ck_assert_double_gt(body_at(crate).y, 50);
}

START_TEST(discs_stand_for_edges) {
    lay_floor(false, 0);
    pv_polygon_def def = WITH(of_mass(-1), it.collider = PV_POLYGON_COLLIDER_CIRCLES);
    pv_body_id a = box(0, -30, 40, 40, 0, def), b = box(100, -30, 40, 40, 0, def);
    pv_body_id c = box(100, -80, 40, 40, 0, def);
    step_times(600);
    ck_assert_double_eq_tol(polygon_at(a).y, -25, 0.3); /* discs of an eighth of the edge */
    ck_assert_double_eq_tol(polygon_at(b).y, -25, 0.3);
    ck_assert((polygon_at(b).y - polygon_at(c).y) > 39.7 || fabs(polygon_at(c).x - 100) > 30);
}

/* ---- names, numbers, refusals ---- */

START_TEST(polygons_are_read) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    int user_data = 0;
    pv_body_id q = box(10, 20, 40, 30, 0,
                       WITH(of_mass(-1), it.velocity = (pv_vec2){60, -30},
                            it.angular_velocity = 0.5, it.user_data = &user_data));
    ck_assert(pv_body_get_user_data(w, q) == &user_data);
    pv_box bounds = pv_body_get_bounds(w, q);
    ck_assert(bounds.min.x == -10 && bounds.max.x == 30 && bounds.min.y == 5 && bounds.max.y == 35);
    step_times(60);
    expect_point(polygon_at(q), 70, -10, 1e-3);
    ck_assert_double_eq_tol(pv_body_get_angle(w, q), 0.5, 1e-3);
    ck_assert_double_eq_tol(pv_body_get_mass(w, q), 1200, 1e-6);
    ck_assert_int_eq(pv_body_apply_force(w, q, (pv_vec2){1200 * 60, 0}), PV_OK);
    for (int i = 0; i < 2; i++) { /* 60 px/s^2 for one sixtieth of a second */
        step_times(1);
        ck_assert_double_eq_tol(pv_body_get_velocity(w, q).x, 61, 1e-3);
    }
}

/// Corners are clockwise on the screen, whichever way round they were given.
START_TEST_FOR(either_way_round, k, 2) {
    const pv_vec2 left[] = {{0, 0}, {0, 20}, {30, 20}, {30, 0}},
                  right[] = {{0, 0}, {30, 0}, {30, 20}, {0, 20}};
    pv_body_id q = make(k ? left : right, 4, of_mass(-1));
    pv_particle_id p[4];
    double area = 0;
    pv_body_get_corners(w, q, p, 4);
    for (int i = 0; i < 4; i++) {
        pv_vec2 a = particle_at(p[i]), b = particle_at(p[(i + 1) % 4]);
        area += (a.x * b.y - a.y * b.x) / 2;
    }
    ck_assert_double_eq_tol(area, 600, 1e-9);
}

START_TEST(a_polygon_goes_with_its_corner) {
    pv_body_id q = box(0, 0, 40, 40, 0, of_mass(-1));
    pv_particle_id p[4];
    pv_joint_id beams[6];
    pv_body_get_corners(w, q, p, 4);
    ck_assert_int_eq(pv_body_get_joints(w, q, beams, 6), 6);
    ck_assert_int_eq(pv_particle_destroy(w, p[2]), PV_OK);
    ck_assert(!pv_body_is_valid(w, q));
    for (int i = 0; i < 6; i++) ck_assert(!pv_joint_is_valid(w, beams[i]));
    ck_assert(pv_particle_is_valid(w, p[0]) && pv_particle_is_valid(w, p[3]));
    ck_assert_int_eq(pv_world_get_stats(w).polygons, 0);
    ck_assert_int_eq(pv_body_destroy(w, q), PV_ERROR_STALE_ID);
    step_times(5);
    pv_body_id again = box(0, 100, 40, 40, 0, of_mass(-1));
    ck_assert(again.index == q.index && again.generation != q.generation);
}

/// A beam may be destroyed. When the polygon is, what has taken the beam's slot stays.
START_TEST(beams_may_go) {
    pv_body_id q = box(0, 0, 40, 40, 0, of_mass(-1));
    pv_joint_id beams[6];
    pv_body_get_joints(w, q, beams, 6);
    ck_assert_int_eq(pv_joint_destroy(w, beams[5]), PV_OK);
    ck_assert_int_eq(pv_body_get_joints(w, q, NULL, 0), 5);
    pv_particle_id first = put_particle(w, 200, 0), second = put_particle(w, 200, 50);
    pv_joint_id stick =
        join(PV_JOINT_DISTANCE, pv_anchor_particle(first), pv_anchor_particle(second));
    ck_assert_uint_eq(stick.index, beams[5].index);
    step_times(10);
    ck_assert_int_eq(pv_body_destroy(w, q), PV_OK);
    ck_assert(pv_joint_is_valid(w, stick));
    ck_assert_int_eq(pv_world_get_stats(w).particles, 2);
    ck_assert_int_eq(pv_world_get_stats(w).joints, 1);
}

/// Checks that a def is refused for a field, and that the world stays as it is.
static void check_refused(pv_polygon_def def, const char *field) {
    pv_error error;
    uint64_t before = pv_world_compute_hash(w);
    ck_assert_uint_eq(pv_polygon_create(w, &def, &error).generation, 0);
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    ck_assert_str_eq(error.field, field);
    ck_assert_uint_eq(pv_world_compute_hash(w), before);
}

START_TEST(bad_defs_are_refused) {
    const pv_vec2 points[] = {{0, 0}, {30, 0}, {30, 20}, {0, 20}},
                  bow[] = {{0, 0}, {30, 20}, {30, 0}, {0, 20}},
                  large[] = {{-1.5e7, 0}, {1.5e7, 0}, {0, 1e6}},
                  wide[] = {{0, 0}, {1e7, 0}, {0, 9}};
    pv_body_id gone[2] = {box(0, 0, 9, 9, 0, of_mass(-1)), box(20, 0, 9, 9, 0, of_mass(-1))};
    for (int i = 0; i < 2; i++) ck_assert_int_eq(pv_body_destroy(w, gone[i]), PV_OK);
    pv_polygon_def good = pv_polygon_def_default(), d;
    good.points = points;
    good.point_count = 4;
    d = good, d.points = bow, check_refused(d, "def.points");
    d = good, d.points = large, d.point_count = 3, d.mass = 1;
    check_refused(d, "size of def.points");
    d = good, d.point_count = 2, check_refused(d, "def.point_count");
    d = good, d.point_count = 65, check_refused(d, "def.point_count");
    d = good, d.mass = 1e13, check_refused(d, "def.mass");
    d = good, d.mass = 1e-12, check_refused(d, "mass of a corner");
    d = good, d.restitution = 1.5, check_refused(d, "def.restitution");
    d = good, d.static_friction = 2e6, check_refused(d, "def.static_friction");
    d = good, d.friction = -1, check_refused(d, "def.friction");
    d = good, d.linear_damping = -1, check_refused(d, "def.linear_damping");
    d = good, d.stiffness = -1, check_refused(d, "def.stiffness");
    d = good, d.stiffness = 1e-250, check_refused(d, "def.stiffness");
    d = good, d.velocity.x = 1e30, check_refused(d, "def.velocity.x");
    d = good, d.points = wide, d.point_count = 3, d.angular_velocity = 100;
    check_refused(d, "velocity of a corner");
}

/// Setters change velocity or spin alone. An impulse changes both, depending on its lever.
START_TEST(motion_is_set_as_of_a_rigid_body) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    pv_body_id q = box(0, 0, 40, 20, 0.3, of_mass(6));
    ck_assert_int_eq(pv_body_set_velocity(w, q, (pv_vec2){30, -40}), PV_OK);
    ck_assert_int_eq(pv_body_set_angular_velocity(w, q, 0.5), PV_OK);
    expect_point(pv_body_get_velocity(w, q), 30, -40, 1e-9);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, q), 0.5, 1e-9);
    step_times(60);
    expect_point(polygon_at(q), 30, -40, 1e-3);
    ck_assert_double_eq_tol(pv_body_get_angle(w, q), 0.5, 1e-3);
    pv_vec2 at = polygon_at(q), v = pv_body_get_velocity(w, q);
    double spin = pv_body_get_angular_velocity(w, q), inertia = 0;
    pv_particle_id p[4];
    pv_body_get_corners(w, q, p, 4);
    for (int i = 0; i < 4; i++) {
        pv_vec2 r = {particle_at(p[i]).x - at.x, particle_at(p[i]).y - at.y};
        inertia += pv_particle_get_mass(w, p[i]) * (r.x * r.x + r.y * r.y);
    }
    ck_assert_int_eq(pv_body_apply_impulse_at(w, q, (pv_vec2){0, 60}, (pv_vec2){at.x + 7, at.y}),
                     PV_OK);
    expect_point(pv_body_get_velocity(w, q), v.x, v.y + 10, 1e-9);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, q), spin + 7 * 60 / inertia, 1e-9);
    ck_assert_int_eq(pv_body_set_position(w, q, (pv_vec2){500, 20}), PV_OK);
    expect_point(polygon_at(q), 500, 20, 1e-9);
    expect_point(pv_body_get_velocity(w, q), v.x, v.y + 10, 1e-6);
}

/// A sleeping crate falls once its pinned polygon is moved away. A freed corner takes an impulse.
START_TEST(a_moved_polygon_wakes_what_lay_on_it) {
    pv_body_id crate = sleeping_crate(true), slab = pv_world_get_next_polygon(w, pv_null_body);
    ck_assert_int_eq(pv_body_set_position(w, slab, (pv_vec2){500, 100}), PV_OK);
    step_times(60);
    ck_assert_double_gt(body_at(crate).y, 50);
    pv_particle_id p[4];
    ck_assert_int_eq(pv_body_get_corners(w, slab, p, 4), 4);
    ck_assert_int_eq(pv_particle_set_mass(w, p[0], 2), PV_OK);
    pv_vec2 v = particle_v(p[0]);
    ck_assert_int_eq(pv_body_apply_impulse_at(w, slab, (pv_vec2){6, 0}, particle_at(p[0])), PV_OK);
    expect_point(particle_v(p[0]), v.x + 3, v.y, 1e-9);
    ck_assert(particle_v(p[1]).x == 0);
}

START_TEST(motion_that_cannot_be_is_refused) {
    pv_body_id q = box(0, 0, 40, 40, 0, of_mass(1)), pinned = box(0, 90, 40, 40, 0, of_mass(0));
    uint64_t before = pv_world_compute_hash(w);
    ck_assert_int_eq(pv_body_set_velocity(w, q, (pv_vec2){NAN, 0}), PV_ERROR_NOT_FINITE);
    ck_assert_int_eq(pv_body_set_velocity(w, q, (pv_vec2){1e30, 0}), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_velocity(w, pinned, (pv_vec2){1, 0}), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_angular_velocity(w, q, INFINITY), PV_ERROR_NOT_FINITE);
    ck_assert_int_eq(pv_body_set_angular_velocity(w, q, 1e30), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_apply_impulse_at(w, q, (pv_vec2){1e30, 0}, (pv_vec2){0, 0}),
                     PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_apply_impulse_at(w, q, (pv_vec2){1, 0}, (pv_vec2){NAN, 0}),
                     PV_ERROR_NOT_FINITE);
    ck_assert_int_eq(pv_body_set_position(w, q, (pv_vec2){PV_MAX_COORDINATE, 0}),
                     PV_ERROR_ARGUMENT);
    ck_assert_uint_eq(pv_world_compute_hash(w), before);
    ck_assert_int_eq(pv_body_set_position(w, pinned, (pv_vec2){7, 9}), PV_OK);
    expect_point(polygon_at(pinned), 7, 9, 1e-9);
    ck_assert_int_eq(pv_body_destroy(w, q), PV_OK);
    ck_assert_int_eq(pv_body_set_position(w, q, (pv_vec2){0, 0}), PV_ERROR_STALE_ID);
    ck_assert_int_eq(pv_body_set_velocity(w, q, (pv_vec2){0, 0}), PV_ERROR_STALE_ID);
}

/// Moving one polygon along the normal by the depth, and no less, separates the two.
START_TEST(the_overlap_is_the_shortest_way_out) {
    uint64_t seed = 3;
    int met = 0;
    for (int i = 0; i < 300; i++) {
        w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
        pv_body_id a = box(0, 0, 20 + 40 * next_unit(&seed), 20, 6 * next_unit(&seed), of_mass(1)),
                   b = box(40 * next_unit(&seed), 30 * next_unit(&seed), 30, 16,
                           6 * next_unit(&seed), of_mass(1));
        pv_polygon_overlap x, y;
        bool meets = pv_polygon_compute_overlap(w, a, b, &x);
        ck_assert(meets == pv_polygon_compute_overlap(w, b, a, &y));
        ck_assert(meets == (x.depth > 0));
        if (!meets) continue;
        met++;
        ck_assert_double_eq_tol(x.depth, y.depth, 1e-9);
        expect_point(y.normal, -x.normal.x, -x.normal.y, 1e-9);
        pv_vec2 at = polygon_at(b), ends[2] = {particle_at(x.edge[0]), particle_at(x.edge[1])},
                corner = particle_at(x.corner);
        double along = (ends[1].x - ends[0].x) * x.normal.x + (ends[1].y - ends[0].y) * x.normal.y,
               behind = (ends[0].x - corner.x) * x.normal.x + (ends[0].y - corner.y) * x.normal.y;
        ck_assert_double_eq_tol(along, 0, 1e-9);
        ck_assert_double_eq_tol(fabs(behind), x.depth, 1e-9);
        for (int k = 0; k < 64; k++) { /* no direction needs a shorter way */
            double turn = k * 0.0981747704246810387, way = 0.999 * x.depth;
            pv_body_set_position(w, b, (pv_vec2){at.x + way * cos(turn), at.y + way * sin(turn)});
            ck_assert(pv_polygon_compute_overlap(w, a, b, NULL));
        }
        double way = x.depth + 1e-6;
        pv_body_set_position(w, b, (pv_vec2){at.x + way * x.normal.x, at.y + way * x.normal.y});
        ck_assert(!pv_polygon_compute_overlap(w, a, b, NULL));
    }
    ck_assert_int_gt(met, 100);
    pv_polygon_overlap none;
    pv_body_id q = box(0, 0, 9, 9, 0, of_mass(1));
    ck_assert(!pv_polygon_compute_overlap(w, q, q, &none) && none.depth == 0);
    ck_assert(!pv_polygon_compute_overlap(w, q, pv_null_body, NULL));
}

static pv_body_id accepted;
static bool accept_one(void *user_data, pv_body_id body) {
    ++*(int *)user_data;
    return PV_ID_EQUALS(body, accepted);
}

/// Hits on polygons and sprites are ordered by fraction, and a filter is called for both.
START_TEST(rays_hit_polygons_and_sprites_alike) {
    pv_body_id far = box(90, 0, 20, 20, 0, of_mass(1)), near = box(10, 0, 20, 20, 0, of_mass(1));
    pv_body_id middle = put_box(PV_BODY_STATIC, 20, 20, 50, 0);
    pv_vec2 from = {-20, 3}, to = {180, 3};
    pv_cast_hit hits[4];
    ck_assert_int_eq(pv_world_cast_ray(w, from, to, PV_CAST_ALL, NULL, hits, 4), 3);
    ck_assert(PV_ID_EQUALS(hits[0].body, near) && PV_ID_EQUALS(hits[1].body, middle) &&
              PV_ID_EQUALS(hits[2].body, far));
    ck_assert_double_eq_tol(hits[0].fraction, 0.1, 1e-12);
    ck_assert_double_eq_tol(hits[2].fraction, 0.5, 1e-12);
    int asked = 0;
    pv_query_filter filter = {.mask_bits = ~0u, .accept = accept_one, .user_data = &asked};
    accepted = far;
    ck_assert_int_eq(pv_world_cast_ray(w, from, to, PV_CAST_CLOSEST, &filter, hits, 4), 1);
    ck_assert(PV_ID_EQUALS(hits[0].body, far) && asked == 3);
}

/// A polygon's pixels are those with centers in its outline, and queries find it by them.
START_TEST(queries_find_polygons_by_their_pixels) {
    const pv_vec2 hook[] = {{0, 0}, {40, 0}, {40, 12}, {14, 12}, {14, 30}, {0, 30}};
    pv_vec2 outline[6];
    pv_particle_id corners[6];
    pv_body_id q = make(hook, 6, of_mass(1));
    ck_assert_int_eq(pv_body_set_angle(w, q, 0.4), PV_OK);
    ck_assert_int_eq(pv_body_set_position(w, q, (pv_vec2){100.3, 50.2}), PV_OK);
    pv_body_get_corners(w, q, corners, 6);
    for (int i = 0; i < 6; i++) outline[i] = particle_at(corners[i]);
    pv_placed own = pv_body_get_placed(w, q);
    ck_assert_ptr_eq(own.mask, pv_body_get_mask(w, q));
    ck_assert_int_eq(pv_mask_count_pixels(own.mask), 40 * 12 + 14 * 18);
    uint64_t seed = 5;
    int inside = 0;
    for (int i = 0; i < 400; i++) {
        pv_vec2 p = {next_between(&seed, 70, 130), next_between(&seed, 20, 80)};
        double off = edge_distance(outline, 6, p.x, p.y);
        int in = winding(outline, 6, p.x, p.y);
        inside += in;
        if (off > 0.71)
            ck_assert(pv_placed_test_point(&own, p) == in); /* within half of a pixel's diagonal */
        if (off < 1e-6) continue;
        ck_assert(pv_body_test_point(w, q, p) == in);
        ck_assert_int_eq(pv_world_query_point(w, p, NULL, NULL, 0), in);
    }
    ck_assert(inside > 50 && inside < 350);
}

START_TEST(queries_find_a_corner_that_was_put_elsewhere) {
    pv_particle_id corners[4];
    pv_body_id q = box(0, 0, 40, 40, 0, of_mass(1));
    ck_assert_int_eq(pv_world_query_point(w, (pv_vec2){0, 0}, NULL, NULL, 0), 1);
    pv_body_get_corners(w, q, corners, 4);
    pv_vec2 c = particle_at(corners[0]), far = {20 * c.x, 20 * c.y}, near = {14 * c.x, 14 * c.y};
    ck_assert_int_eq(pv_world_query_point(w, near, NULL, NULL, 0), 0);
    ck_assert_int_eq(pv_particle_set_position(w, corners[0], far), PV_OK);
    ck_assert_int_eq(pv_world_query_point(w, near, NULL, NULL, 0), 1);
}

/// The functions of bodies work on polygons.
START_TEST(a_polygon_is_a_body) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    pv_body_id q = box(30, 20, 40, 20, 0, of_mass(8)), pinned = box(0, 90, 40, 40, 0, of_mass(0));
    int mark;
    ck_assert(PV_ID_IS_POLYGON(q) && pv_body_is_valid(w, q) && pv_body_is_enabled(w, q));
    ck_assert_int_eq(pv_body_get_type(w, q), PV_BODY_DYNAMIC);
    ck_assert_int_eq(pv_body_get_type(w, pinned), PV_BODY_STATIC);
    ck_assert_double_eq_tol(pv_body_get_mass(w, q), 8, 1e-9);
    double inertia = pv_body_get_inertia(w, q);
    ck_assert_double_eq_tol(inertia, 8 * 500, 1e-6);
    ck_assert_int_eq(pv_body_apply_impulse(w, q, (pv_vec2){16, -8}), PV_OK);
    ck_assert_int_eq(pv_body_apply_angular_impulse(w, q, 2 * inertia), PV_OK);
    expect_point(pv_body_get_velocity(w, q), 2, -1, 1e-9);
    expect_point(pv_body_get_velocity_at(w, q, (pv_vec2){30, 30}), 2 - 20, -1, 1e-9);
    ck_assert_int_eq(pv_body_set_angle(w, q, 1), PV_OK);
    ck_assert_double_eq_tol(pv_body_get_angle(w, q), 1, 1e-9);
    expect_point(pv_body_get_position(w, q), 30, 20, 1e-9);
    expect_point(pv_body_get_velocity(w, q), 2, -1, 1e-9);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, q), 2, 1e-9);
    ck_assert_int_eq(pv_body_set_angular_velocity(w, q, 0), PV_OK);
    ck_assert_int_eq(pv_body_apply_torque(w, q, 60 * inertia), PV_OK);
    ck_assert_int_eq(pv_body_apply_force_at(w, q, (pv_vec2){0, 480}, polygon_at(q)), PV_OK);
    step_times(1);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, q), 1, 0.04);
    expect_point(pv_body_get_velocity(w, q), 2, 0, 0.04);
    pv_filter filter = {2, 4, -3};
    ck_assert_int_eq(pv_body_set_filter(w, q, filter), PV_OK);
    ck_assert_int_eq(pv_body_get_filter(w, q).group_index, -3);
    ck_assert_int_eq(pv_body_set_user_data(w, q, &mark), PV_OK);
    ck_assert_ptr_eq(pv_body_get_user_data(w, q), &mark);
    pv_body_id twin = CREATE_FROM(body, w, pv_body_get_def(w, q));
    expect_point(pv_body_get_velocity(w, twin), pv_body_get_velocity(w, q).x,
                 pv_body_get_velocity(w, q).y, 1e-9);
    ck_assert_double_eq_tol(pv_body_get_mass(w, twin), 8, 1e-9);
    ck_assert_int_eq(pv_body_set_mass(w, q, 3), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_set_type(w, q, PV_BODY_STATIC), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_destroy(w, q), PV_OK);
    ck_assert(!pv_body_is_valid(w, q) && PV_ID_IS_POLYGON(q));
    ck_assert_int_eq(pv_body_set_user_data(w, q, NULL), PV_ERROR_STALE_ID);
    ck_assert_int_eq(pv_body_get_type(w, q), PV_BODY_STATIC);
    ck_assert_ptr_null(pv_body_get_mask(w, q));
}

/// The friction that is set decides how far a box slides: v^2 / (2 f g).
START_TEST_FOR(materials_are_set_as_of_a_sprite, i, 2) {
    double friction = i ? 0.8 : 0.2;
    pv_body_id floor = box(0, 60, 4000, 40, 0, of_mass(0)), q = box(0, 30, 20, 20, 0, of_mass(1));
    set_surface(w, floor, 0, -1, friction);
    set_surface(w, q, 0, -1, friction);
    pv_body_set_velocity(w, q, (pv_vec2){200, 0});
    step_times(240);
    ck_assert_double_eq_tol(polygon_at(q).x, 200 * 200 / (2 * friction * 320), 4);
    ck_assert_int_eq(pv_body_set_restitution(w, q, 2), PV_ERROR_ARGUMENT);
}

/// Returns the def of an immovable polygon without friction.
static pv_polygon_def slick_tile(void) {
    return WITH(of_mass(0), it.friction = it.static_friction = it.restitution = 0);
}

/// Counts of a pair's contact begins, ends and hits, and its last hit
typedef struct told {
    int begins, ends, hits;
    pv_hit_event hit;
} told;

static bool is_pair(pv_body_id a, pv_body_id b, pv_body_id x, pv_body_id y) {
    return (PV_ID_EQUALS(a, x) && PV_ID_EQUALS(b, y)) || (PV_ID_EQUALS(a, y) && PV_ID_EQUALS(b, x));
}

/// Returns the contact of a pair, a before b; impulse -1: there is none.
static pv_contact contact_of(pv_body_id a, pv_body_id b) {
    pv_contact all[8];
    int count = pv_world_get_contacts(w, all, 8);
    for (int i = 0; i < count; i++)
        if (PV_ID_EQUALS(all[i].a, a) && PV_ID_EQUALS(all[i].b, b)) return all[i];
    return (pv_contact){.impulse = -1};
}

/// Steps, and counts the events of a pair.
static void listen(told *t, pv_body_id x, pv_body_id y, int steps) {
    for (int i = 0; i < steps; i++) {
        step_times(1);
        pv_events e = pv_world_get_events(w);
        for (int k = 0; k < e.contact_begin_count; k++)
            t->begins += is_pair(e.contact_begins[k].a, e.contact_begins[k].b, x, y);
        for (int k = 0; k < e.contact_end_count; k++)
            t->ends += is_pair(e.contact_ends[k].a, e.contact_ends[k].b, x, y);
        for (int k = 0; k < e.hit_count; k++) {
            if (!is_pair(e.hits[k].a, e.hits[k].b, x, y)) continue;
            t->hits++;
            t->hit = e.hits[k];
        }
    }
}

/// A fall gives one hit, with its speed and momentum. Rest, sleep and waking give no events.
START_TEST_FOR(falls_are_told_once, kind, 6) {
    bool sprite_floor = kind % 3 == 0, sprite_box = kind % 3 == 1;
    w = next_world_by(kind < 3 ? PV_CONTACT_MODE_CONTOURS : PV_CONTACT_MODE_PIXELS, 320);
    pv_body_id floor = sprite_floor ? put_box(PV_BODY_STATIC, 400, 20, 0, 110)
                                    : box(0, 110, 400, 20, 0, of_mass(0)),
               b = sprite_box ? put_box(PV_BODY_DYNAMIC, 20, 20, 0, 10)
                              : box(0, 10, 20, 20, 0, of_mass(400));
    pv_body_set_restitution(w, floor, 0);
    pv_body_set_restitution(w, b, 0);
    told t = {0};
    listen(&t, floor, b, 30);
    ck_assert_msg(t.begins == 0 && t.hits == 0, "kind %d", kind);
    listen(&t, floor, b, 60);
    ck_assert_msg(t.hits == 1 && t.begins == t.ends + 1 && t.begins <= 2,
                  "kind %d: %d begins, %d ends, %d hits", kind, t.begins, t.ends, t.hits);
    ck_assert_double_eq_tol(t.hit.speed, sqrt(2 * 320 * 80), 6);
    ck_assert_double_eq_tol(t.hit.impulse, 400 * t.hit.speed, 0.1 * 400 * t.hit.speed);
    ck_assert_double_eq_tol(t.hit.point.y, 100, 1);
    ck_assert(t.hit.a.index < t.hit.b.index);
    ck_assert(pv_hit_event_orient(&t.hit, b));
    expect_point(t.hit.normal, 0, 1, 1e-6);
    t = (told){0};
    listen(&t, floor, b, 600);
    if (kind < 3) ck_assert(!pv_body_is_awake(w, b));
    pv_body_wake(w, b);
    listen(&t, floor, b, 60);
    ck_assert_msg(t.begins == 0 && t.ends == 0 && t.hits == 0, "kind %d: %d begins", kind,
                  t.begins);
    ck_assert_int_eq(pv_body_set_velocity(w, b, (pv_vec2){0, -200}), PV_OK);
    listen(&t, floor, b, 20);
    ck_assert_int_eq(t.ends, 1);
}

/// A crate on a plank has its contact before a crate on a polygon, which is listed first.
START_TEST_FOR(contacts_beside_polygons_are_told_once, kind, 2) {
    w = next_world_by(kind, 320);
    pv_body_def dead = of_type(PV_BODY_DYNAMIC), plank = of_type(PV_BODY_STATIC);
    dead.restitution = plank.restitution = 0;
    pv_body_id floor = put(w, box_mask(100, 20), 100, 110, plank),
               b = put(w, box_mask(20, 20), 100, 80, dead),
               other = put(w, box_mask(20, 20), -100, 80, dead),
               polygon = box(-100, 110, 100, 20, 0, of_mass(0));
    told t = {0};
    listen(&t, floor, b, 60);
    ck_assert_msg(t.begins == 1 && t.ends == 0, "kind %d: %d begins, %d ends", kind, t.begins,
                  t.ends);
    pv_contact contacts[2];
    ck_assert_int_eq(pv_body_get_contacts(w, b, contacts, 2), 1);
    t = (told){0};
    listen(&t, other, polygon, 10);
    ck_assert(t.begins == 0 && t.ends == 0);
}

/// Each resting pair has one contact, also asleep or restored. Its impulse bears the weight.
START_TEST_FOR(contacts_of_polygons_are_listed, kind, 2) {
    w = next_world_by(kind ? PV_CONTACT_MODE_PIXELS : PV_CONTACT_MODE_CONTOURS, 320);
    pv_body_id crate = put_box(PV_BODY_DYNAMIC, 20, 20, -60, 89.9),
               floor = box(0, 110, 400, 20, 0, of_mass(0)),
               q = box(60, 89.95, 20, 20, 0, of_mass(400)),
               top = box(60, 69.95, 16, 20, 0, of_mass(300));
    ck_assert_int_eq(pv_world_get_contacts(w, NULL, 0), 0);
    double h = pv_world_get_gravity(w).y / 60 / (kind ? 4 : 16), share = 0;
    for (int i = 0; i < 40; i++) {
        step_times(1);
        share += contact_of(crate, floor).impulse / 40;
    }
    pv_contact on_floor = contact_of(crate, floor), middle = contact_of(floor, q),
               above = contact_of(q, top);
    ck_assert_int_eq(pv_world_get_contacts(w, NULL, 0), 3);
    ck_assert_int_eq(pv_world_get_stats(w).contacts, 3);
    expect_point(on_floor.normal, 0, 1, 1e-9);
    expect_point(on_floor.point, -60, 100, 1);
    ck_assert_double_eq_tol(share, pv_body_get_mass(w, crate) * h, 0.5 * 400 * h);
    expect_point(middle.normal, 0, -1, 1e-3);
    expect_point(middle.point, 60, 100, 1);
    expect_point(above.normal, 0, -1, 1e-3);
    ck_assert_int_eq(pv_body_get_contacts(w, floor, NULL, 0), 2);
    ck_assert_int_eq(pv_body_get_contacts(w, q, NULL, 0), 2);
    ck_assert_int_eq(pv_body_get_contacts(w, crate, NULL, 0), 1);
    step_times(400);
    ck_assert(!pv_body_is_awake(w, crate) && !pv_body_is_awake(w, q));
    ck_assert_int_eq(pv_world_get_contacts(w, NULL, 0), 3);
    keep_world(w, 0, &saved);
    pv_body_destroy(w, top);
    ck_assert_int_eq(pv_world_get_contacts(w, NULL, 0), 2);
    step_times(1);
    ck_assert_int_eq(pv_world_get_contacts(w, NULL, 0), 2);
    recall_world(w, &saved);
    ck_assert_int_eq(pv_world_get_contacts(w, NULL, 0), 3);
    expect_point(contact_of(crate, floor).point, -60, 100, 1);
}

/// A sprite and a polygon fall asleep, wake when pushed, and leave the bounds, with equal events.
START_TEST(polygons_tell_of_sleep_and_bounds) {
    w = next_world(WITH(pv_world_def_default(), it.bounds = (pv_box){{-300, -300}, {300, 300}}));
    pv_body_id pair[2] = {put_box(PV_BODY_DYNAMIC, 20, 20, -60, 89.9),
                          box(60, 89.95, 20, 20, 0, of_mass(400))};
    box(0, 110, 400, 20, 0, of_mass(0));
    int sleeps[2] = {0}, wakes[2] = {0}, strays[2] = {0}, others = 0;
    for (int i = 0; i < 400; i++) {
        step_times(1);
        for (int k = 0; k < 2 && i == 200; k++) {
            ck_assert(sleeps[k] == 1 && wakes[k] == 0 && strays[k] == 0);
            pv_body_set_velocity(w, pair[k], (pv_vec2){0, -900});
        }
        pv_events e = pv_world_get_events(w);
        for (int k = 0; k < 2; k++) {
            for (int n = 0; n < e.sleep_count; n++) sleeps[k] += PV_ID_EQUALS(e.sleeps[n], pair[k]);
            for (int n = 0; n < e.wake_count; n++) wakes[k] += PV_ID_EQUALS(e.wakes[n], pair[k]);
            for (int n = 0; n < e.out_of_bounds_count; n++)
                strays[k] += PV_ID_EQUALS(e.out_of_bounds[n], pair[k]);
        }
        others += e.sleep_count + e.wake_count + e.out_of_bounds_count;
        if (i == 260) ck_assert(!pv_body_is_awake(w, pair[0]) || strays[0] == 1);
    }
    for (int k = 0; k < 2; k++) {
        ck_assert_int_eq(wakes[k], 1);
        ck_assert_int_ge(strays[k], 1);
        others -= sleeps[k] + wakes[k] + strays[k];
    }
    ck_assert_int_eq(strays[0], strays[1]);
    ck_assert_int_eq(sleeps[0], sleeps[1]);
    ck_assert_int_eq(others, 0);
}

/// Pair that the filter callback denies
typedef struct denied {
    pv_body_id a, b;
    int asked;
} denied;

static bool deny(void *user_data, const pv_world *world, pv_body_id a, pv_body_id b) {
    denied *d = user_data;
    ck_assert(pv_body_is_valid(world, b) && a.index < b.index);
    d->asked += PV_ID_EQUALS(b, d->b);
    return !PV_ID_EQUALS(a, d->a) || !PV_ID_EQUALS(b, d->b);
}

/// Denied pairs pass: at a tile between others, and at a polygon. Sensors and movers ask as well.
START_TEST(filter_callbacks_are_asked_about_polygons) {
    denied d = {.asked = 0};
    scoped_mask *mask = box_mask(20, 20);
    pv_body_def def = WITH(of_type(PV_BODY_DYNAMIC), it.velocity = (pv_vec2){40, 0});
    def.friction = def.static_friction = 0;
    pv_body_id crate = put(w, box_mask(20, 20), 0, 70, def), tiles[3];
    for (int i = 0; i < 3; i++) tiles[i] = box(60 * i - 60, 130, 60, 100, 0, slick_tile());
    d.a = crate, d.b = tiles[1];
    ck_assert_int_eq(pv_world_set_filter_callback(w, deny, &d), PV_OK);
    for (int i = 0; i < 30; i++) {
        step_times(1);
        ck_assert_double_lt(pv_body_get_position(w, crate).x, 21);
    }
    ck_assert_int_gt(d.asked, 20);
    ck_assert_double_gt(pv_body_get_position(w, crate).y, 100);

    d.a = box(-60, 60, 20, 20, 0, of_mass(400));
    d.b = box(-60, 30, 20, 20, 0, of_mass(400));
    step_times(60);
    ck_assert_double_gt(polygon_at(d.b).y, 65);
    ck_assert_double_eq_tol(polygon_at(d.a).y, 70, 0.5);

    d.a = put(w, box_mask(20, 20), 60, 70, WITH(of_type(PV_BODY_STATIC), it.sensor = true));
    d.b = box(60, 70, 10, 10, 0, slick_tile());
    step_times(1);
    ck_assert_int_eq(pv_body_get_sensor_overlaps(w, d.a, NULL, 0), 0);
    pv_world_set_filter_callback(w, NULL, NULL);
    step_times(1);
    ck_assert_int_eq(pv_body_get_sensor_overlaps(w, d.a, NULL, 0), 1);

    d.a = (pv_body_id){0, 0};
    pv_world_set_filter_callback(w, deny, &d);
    pv_mover hero = WITH(pv_mover_default(), it.mask = mask, it.position = (pv_vec2){50, 40});
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pv_mover_move(w, &hero, (pv_vec2){0, 300}, 0.05), PV_OK);
        ck_assert_int_eq(hero.grounded, i);
        hero.position.y = 40;
        pv_world_set_filter_callback(w, NULL, NULL);
    }
}

/// Answer of a presolve callback, and the last contact it was asked about
typedef struct verdict {
    pv_presolve_result result;
    double friction, restitution, tangent_speed;
    int asked;
    pv_presolve_contact last;
} verdict;

static pv_presolve_result say(void *user_data, const pv_world *world, pv_presolve_contact *c) {
    verdict *v = user_data;
    ck_assert(pv_body_is_valid(world, c->a) && c->a.index < c->b.index);
    ck_assert_double_le(c->separation, 0);
    v->asked++;
    v->last = *c;
    if (v->friction >= 0) c->friction = c->static_friction = v->friction;
    if (v->restitution >= 0) c->restitution = v->restitution;
    c->tangent_speed += v->tangent_speed;
    return v->result;
}

/// Opens a world with a polygon as floor. Returns a sprite or a polygon at a height above it.
static pv_body_id put_over_floor(bool sprite, double height, verdict *v) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 320);
    box(0, 110, 2000, 20, 0, of_mass(0));
    pv_body_id b = sprite ? put_box(PV_BODY_DYNAMIC, 20, 20, 0, 90 - height)
                          : box(0, 90 - height, 20, 20, 0, of_mass(400));
    pv_world_set_presolve_callback(w, say, v);
    return b;
}

/// The callback is asked once a step, and its friction, restitution and surface speed count.
START_TEST_FOR(presolve_callbacks_are_asked_about_polygons, sprite, 2) {
    verdict v = {.friction = 0, .restitution = -1};
    pv_body_id b = put_over_floor(sprite, 0.02, &v);
    pv_body_set_velocity(w, b, (pv_vec2){60, 0});
    step_times(30);
    ck_assert_int_ge(v.asked, 20);
    ck_assert_int_le(v.asked, 30);
    ck_assert(PV_ID_EQUALS(sprite ? v.last.a : v.last.b, b) && v.last.touching);
    expect_point(v.last.normal, 0, sprite ? 1 : -1, 1e-3);
    ck_assert_double_eq_tol(v.last.point.y, 100, 0.2);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, 60, 0.1);

    v = (verdict){.friction = 1, .restitution = -1, .tangent_speed = 25};
    step_times(240);
    ck_assert_double_eq_tol(fabs(pv_body_get_velocity(w, b).x), 25, 1);

    v = (verdict){.friction = -1, .restitution = 1};
    b = put_over_floor(sprite, 40, &v);
    while (v.asked == 0) step_times(1);
    ck_assert_double_eq_tol(v.last.speed, sqrt(2 * 320 * 40), 6);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, b).y, -sqrt(2 * 320 * 40), 8);
}

/// An ignored pair is asked about again in each step. One ignored until separated is asked later.
START_TEST_FOR(presolve_lets_polygons_pass, sprite, 2) {
    verdict v = {.result = PV_PRESOLVE_IGNORE, .friction = -1, .restitution = -1};
    pv_body_id b = put_over_floor(sprite, 2, &v);
    step_times(20);
    ck_assert_int_ge(v.asked, 10);
    ck_assert_double_gt(pv_body_get_position(w, b).y - 90, 3);
    ck_assert_int_eq(pv_world_get_contacts(w, NULL, 0), 0);

    v = (verdict){PV_PRESOLVE_IGNORE_UNTIL_SEPARATED, -1, -1, 0, 0, {.speed = 0}};
    b = put_over_floor(sprite, 2, &v);
    step_times(10);
    ck_assert_int_eq(v.asked, 1);
    v.result = PV_PRESOLVE_COLLIDE;
    keep_world(w, 0, &saved);
    for (int i = 0; i < 2; i++) {
        recall_world(w, &saved);
        v.asked = 0;
        step_times(30);
        ck_assert_int_eq(v.asked, 0);
        ck_assert_double_gt(pv_body_get_position(w, b).y, 130);
    }
    pv_body_set_position(w, b, (pv_vec2){0, 80});
    pv_body_set_velocity(w, b, (pv_vec2){0, 0});
    step_times(60);
    ck_assert_int_gt(v.asked, 0);
    ck_assert_double_eq_tol(pv_body_get_position(w, b).y, 90, 0.5);
}

/// The end of a contact with a destroyed polygon is reported, also after a restore.
START_TEST(ends_follow_a_destroyed_polygon) {
    pv_body_id floor = box(0, 110, 400, 20, 0, of_mass(0)),
               b = box(0, 90.01, 20, 20, 0, of_mass(4));
    told t = {0};
    listen(&t, floor, b, 20);
    ck_assert_int_eq(t.begins, 1);
    keep_world(w, 0, &saved);
    for (int i = 0; i < 2; i++) {
        recall_world(w, &saved);
        ck_assert_ptr_nonnull(pv_body_get_mask(w, b));
        pv_body_destroy(w, b);
        t = (told){0};
        listen(&t, floor, b, 3);
        ck_assert(t.begins == 0 && t.ends == 1);
    }
}

/// A polygon that falls through a sensor begins and ends like the sprite that falls beside it.
START_TEST(sensors_see_polygons) {
    pv_body_id sensor = put(w, box_mask(200, 40), 0, 100,
                            WITH(of_type(PV_BODY_STATIC), it.sensor = true)),
               twin = put_box(PV_BODY_DYNAMIC, 20, 20, 60, 0), q = box(0, 0, 20, 20, 0, of_mass(1)),
               rest = box(-60, 100, 20, 20, 0, of_mass(0));
    int begins[2] = {0}, ends[2] = {0}, began[2] = {0}, both = 0;
    for (int i = 0; i < 120; i++) {
        step_times(1);
        pv_events e = pv_world_get_events(w);
        for (int k = 0; k < e.sensor_begin_count; k++) {
            ck_assert(PV_ID_EQUALS(e.sensor_begins[k].sensor, sensor));
            if (PV_ID_EQUALS(e.sensor_begins[k].visitor, q)) begins[0]++, began[0] = i;
            if (PV_ID_EQUALS(e.sensor_begins[k].visitor, twin)) begins[1]++, began[1] = i;
        }
        for (int k = 0; k < e.sensor_end_count; k++) {
            ends[0] += PV_ID_EQUALS(e.sensor_ends[k].visitor, q);
            ends[1] += PV_ID_EQUALS(e.sensor_ends[k].visitor, twin);
        }
        pv_body_id visitors[4];
        int count = pv_body_get_sensor_overlaps(w, sensor, visitors, 4);
        ck_assert(count >= 1 && PV_ID_EQUALS(visitors[count - 1], rest));
        both += count == 3;
    }
    ck_assert(begins[0] == 1 && ends[0] == 1 && begins[1] == 1 && ends[1] == 1);
    ck_assert_int_eq(began[0], began[1]);
    ck_assert_int_gt(both, 5);
    pv_body_destroy(w, rest);
    step_times(1);
    ck_assert_int_eq(pv_world_get_events(w).sensor_end_count, 1);
}

/// A polygon flies or turns through a sensor, is passed by one, or misses it, beside a sprite.
START_TEST_FOR(sensors_see_polygons_that_fly_through, kind, 4) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    double speed = kind == 2 ? 0 : 3000;
    pv_body_def zone = of_type(kind == 2 ? PV_BODY_KINEMATIC : PV_BODY_STATIC),
                crate = of_type(PV_BODY_DYNAMIC);
    zone.sensor = true;
    if (kind == 2) zone.velocity.y = -3000;
    crate.velocity.y = speed;
    pv_body_id sensor = put(w, box_mask(120, 4), 0, 100, zone),
               twin = put(w, box_mask(10, 10), 40, 75, crate);
    pv_body_id q = box(kind == 3 ? 80 : -40, 75, 10, 10, 0,
                       WITH(of_mass(1), it.velocity = (pv_vec2){0, speed},
                            it.angular_velocity = kind == 1 ? 30 : 0));
    step_times(1);
    pv_events e = pv_world_get_events(w);
    int count = kind == 3 ? 1 : 2;
    ck_assert_int_eq(e.sensor_begin_count, count);
    ck_assert_int_eq(e.sensor_end_count, count);
    for (int i = 0; i < count; i++)
        ck_assert(PV_ID_EQUALS(e.sensor_begins[i].sensor, sensor) &&
                  PV_ID_EQUALS(e.sensor_begins[i].visitor, i ? q : twin));
    step_times(1);
    ck_assert_int_eq(pv_world_get_events(w).sensor_begin_count, 0);
}

/// Steps, and walks with gravity.
static void stroll(pv_mover *hero, double speed, int steps) {
    for (int i = 0; i < steps; i++) {
        step_times(1);
        pv_vec2 velocity = {speed, hero->velocity.y + 900 / 60.0};
        ck_assert_int_eq(pv_mover_move(w, hero, velocity, 1 / 60.0), PV_OK);
    }
}

/// A mover walks on pinned polygons, is stopped by one, and rides a moving one.
START_TEST(movers_stand_on_polygons) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    pv_body_id floor = box(0, 110, 400, 20, 0, of_mass(0)),
               wall = box(100, 80, 20, 40, 0, of_mass(0));
    scoped_mask *mask = box_mask(10, 20);
    pv_mover hero = WITH(pv_mover_default(), it.mask = mask, it.pivot = (pv_vec2){5, 20},
                         it.position = (pv_vec2){0, 70});
    stroll(&hero, 100, 120);
    ck_assert(hero.grounded && hero.hit_wall_right);
    ck_assert(PV_ID_EQUALS(hero.ground, floor) && PV_ID_EQUALS(hero.wall, wall));
    expect_point(hero.position, 85, 100, 0.5);
    pv_body_id raft = box(0, 10, 60, 20, 0, of_mass(50));
    pv_body_set_velocity(w, raft, (pv_vec2){-30, 0});
    hero.position = (pv_vec2){0, -4};
    hero.grounded = false;
    stroll(&hero, 0, 60);
    ck_assert(hero.grounded && PV_ID_EQUALS(hero.ground, raft));
    expect_point(hero.ground_velocity, -30, 0, 1e-6);
    double apart = hero.position.x - polygon_at(raft).x;
    stroll(&hero, 0, 1);
    ck_assert_double_eq_tol(hero.position.x - polygon_at(raft).x, apart, 1);
    ck_assert_double_lt(hero.position.x, -15);
    pv_body_destroy(w, raft);
    stroll(&hero, 0, 1);
    ck_assert(!hero.grounded);
}

/// A polygon keeps speed, height and angle over flush polygon tiles, on a floor or a wall.
START_TEST_FOR(nothing_catches_at_seams, i, 8) {
    static const double speeds[] = {30, 60, 150, 400};
    bool wall = i >= 4;
    double speed = speeds[i % 4];
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    pv_world_set_gravity(w, wall ? (pv_vec2){-320, 0} : (pv_vec2){0, 320});
    pv_polygon_def slick = slick_tile(), def = of_mass(400);
    def.friction = def.static_friction = 0;
    for (int k = 0; k < 60; k++) box(wall ? -10 : 20 * k, wall ? 20 * k : 10, 20, 20, 0, slick);
    pv_body_id q = box(wall ? 10 : 45, wall ? 45 : -10, 20, 20, 0, def);
    step_times(60);
    pv_vec2 from = polygon_at(q);
    pv_body_set_velocity(w, q, wall ? (pv_vec2){0, speed} : (pv_vec2){speed, 0});
    step_times(120);
    pv_vec2 to = polygon_at(q);
    ck_assert_double_eq_tol(wall ? to.y - from.y : to.x - from.x, 2 * speed, 0.02 * speed);
    ck_assert_double_eq_tol(wall ? to.x - from.x : to.y - from.y, 0, 0.02);
    ck_assert_double_eq_tol(pv_body_get_angle(w, q), 0, 0.002);
}

/// Turns a vector.
static pv_vec2 turned(pv_vec2 v, double angle) {
    double c = cos(angle), s = sin(angle);
    return (pv_vec2){c * v.x - s * v.y, s * v.x + c * v.y};
}

static pv_body_id put_slider(pv_mask *mask, pv_vec2 at, double angle, pv_vec2 velocity) {
    return put(w, mask, at.x, at.y,
               WITH(of_type(PV_BODY_DYNAMIC), it.angle = angle, it.velocity = velocity,
                    it.friction = it.static_friction = it.restitution = 0));
}

/// Slides a sprite without friction along flush polygon tiles, all tilted by an angle.
static void check_sprite_slides(pv_mask *mask, double half, double tile, double angle,
                                double speed) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    pv_world_set_gravity(w, turned((pv_vec2){0, 320}, angle));
    for (int k = -2; k < 2 * speed / tile + 4; k++) {
        pv_vec2 at = turned((pv_vec2){tile * k, tile / 2}, angle);
        box(at.x, at.y, tile, tile, angle, slick_tile());
    }
    pv_vec2 at = turned((pv_vec2){0, -half}, angle), velocity = turned((pv_vec2){speed, 0}, angle);
    pv_body_id b = put_slider(mask, at, angle, velocity);
    step_times(10);
    double height = turned(pv_body_get_position(w, b), -angle).y;
    ck_assert_double_eq_tol(height, -half, 0.2);
    for (int i = 0; i < 110; i++) {
        step_times(1);
        double hop = height - turned(pv_body_get_position(w, b), -angle).y;
        ck_assert_msg(fabs(hop) < 0.1, "%g px tiles, %g px/s: hops by %g px", tile, speed, hop);
    }
    velocity = turned(pv_body_get_velocity(w, b), -angle);
    ck_assert_double_eq_tol(velocity.x, speed, 1e-3 * speed);
}

START_TEST_FOR(sprites_slide_over_seams, i, 81) {
    static const double speeds[] = {20, 150, 800}, tiles[] = {16, 20, 40}, angles[] = {0, 0.3, -1};
    static const double halves[] = {4, 16, 10.4};
    pv_mask *mask = i % 3 == 2 ? pv_mask_create_circle(10.3, NULL, NULL)
                               : box_mask(i % 3 ? 32 : 8, i % 3 ? 32 : 8);
    check_sprite_slides(mask, halves[i % 3], tiles[i / 3 % 3], angles[i / 9 % 3], speeds[i / 27]);
}

/// A wall of stacked tiles, or a polygon that reaches below the floor, stops sliding sprites.
START_TEST_FOR(walls_on_seams_stop_sprites, i, 12) {
    double speed = 40 * (1 + i / 4);
    pv_polygon_def pinned = slick_tile();
    for (int k = 0; k < 20; k++) box(20 * k + 10, 110, 20, 20, 0, pinned);
    for (int k = 0; i % 2 && k < 3; k++) box(310, 90 - 20 * k, 20, 20, 0, pinned);
    if (i % 2 == 0) box(330, 90, 60, 100, 0, pinned);
    pv_body_id b = put_slider(i / 2 % 2 ? disc_mask(10) : box_mask(20, 20),
                              (pv_vec2){100, 90 - 0.1}, 0, (pv_vec2){speed, 0});
    for (int k = 0; k < 400; k++) {
        step_times(1);
        ck_assert_double_lt(pv_body_get_position(w, b).x, 290.1);
    }
    ck_assert_double_le(fabs(pv_body_get_velocity(w, b).x), 0.15 * speed);
    ck_assert_double_eq_tol(pv_body_get_position(w, b).y, 90, 0.1);
    ck_assert_double_eq_tol(pv_body_get_angle(w, b), 0, 0.01);
}

static pv_presolve_result verdict_of_open;

/// Gives verdict_of_open for one polygon, and lets all others collide.
static pv_presolve_result passes_one(void *user_data, const pv_world *world,
                                     pv_presolve_contact *contact) {
    const pv_body_id *open = user_data;
    (void)world;
    return PV_ID_EQUALS(contact->b, *open) ? verdict_of_open : PV_PRESOLVE_COLLIDE;
}

/// Behind a tile that lets a sprite pass, the side of the next tile stops it, in either order.
START_TEST_FOR(a_tile_that_is_passed_covers_no_seam, i, 8) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    verdict_of_open = i & 2 ? PV_PRESOLVE_IGNORE : PV_PRESOLVE_IGNORE_UNTIL_SEPARATED;
    pv_body_id first = box(i & 1 ? 20 : 60, 20, 40, 40, 0, slick_tile()),
               second = box(i & 1 ? 60 : 20, 20, 40, 40, 0, slick_tile()),
               open = i & 1 ? first : second;
    pv_world_set_presolve_callback(w, passes_one, &open);
    pv_body_id b = put_slider(i / 4 ? disc_mask(8) : box_mask(16, 16), (pv_vec2){-20, 20}, 0,
                              (pv_vec2){60, 0});
    double farthest = 0;
    for (int k = 0; k < 120; k++) {
        step_times(1);
        farthest = fmax(farthest, pv_body_get_position(w, b).x);
    }
    ck_assert_double_eq_tol(farthest, 32, 0.6);
    ck_assert_double_le(pv_body_get_velocity(w, b).x, 1);
}

/// A ridge between two quads holds a plank that lies across it. A disc on a seam stays.
START_TEST(ridges_at_seams_hold) {
    for (int side = -1; side < 2; side += 2) {
        pv_vec2 quad[4] = {{0, 100}, {side * 60, 120}, {side * 60, 160}, {0, 160}};
        make(quad, 4, of_mass(0));
        box(500 + 10 * side, 110, 20, 20, 0, of_mass(0));
    }
    pv_body_id b = put_slider(box_mask(80, 8), (pv_vec2){0, 96}, 0, (pv_vec2){0, 0}),
               on_seam = put_slider(disc_mask(10), (pv_vec2){500, 89}, 0, (pv_vec2){0, 0});
    step_times(60);
    ck_assert_double_eq_tol(pv_body_get_position(w, b).y, 96, 0.2);
    ck_assert_double_eq_tol(pv_body_get_position(w, on_seam).y, 90, 0.2);
}

START_TEST(stale_names_say_so) {
    pv_body_id q = box(0, 0, 40, 40, 0, of_mass(-1)), pinned = box(0, 90, 40, 40, 0, of_mass(0));
    ck_assert_int_eq(pv_body_apply_force(w, pinned, (pv_vec2){1, 0}), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_body_destroy(w, q), PV_OK);
    ck_assert_int_eq(pv_body_destroy(w, q), PV_ERROR_STALE_ID);
    ck_assert_int_eq(pv_body_apply_force(w, q, (pv_vec2){1, 0}), PV_ERROR_STALE_ID);
    ck_assert(!pv_body_is_valid(w, q));
    ck_assert(pv_body_get_corners(w, q, NULL, 0) == 0 && pv_body_get_joints(w, q, NULL, 0) == 0);
    ck_assert(polygon_at(q).x == 0 && pv_body_get_angle(w, q) == 0 &&
              pv_body_get_angular_velocity(w, q) == 0);
    ck_assert(pv_body_get_velocity(w, q).x == 0 && pv_body_get_bounds(w, q).max.x == 0);
    ck_assert_ptr_null(pv_body_get_user_data(w, q));
    ck_assert_uint_eq(pv_world_get_next_polygon(w, (pv_body_id){0, 0}).index, pinned.index);
    ck_assert_uint_eq(pv_world_get_next_polygon(w, pinned).index, 0);
}

/// Tower of three sleeping boxes, and its floor
static pv_body_id tower_floor;
static pv_body_id tower[3];

static void build_tower(void) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 320);
    tower_floor = put_box(PV_BODY_STATIC, 400, 40, 0, 20);
    for (int i = 0; i < 3; i++) tower[i] = box(0, -10 - 20 * i, 20, 20, 0, of_mass(-1));
    ck_assert(pv_body_is_awake(w, tower[0]));
    step_times(180);
    for (int i = 0; i < 3; i++) ck_assert(!pv_body_is_awake(w, tower[i]));
}

/// Each of these wakes all three boxes at once.
START_TEST_FOR(polygons_sleep_and_wake_together, how, 5) {
    build_tower();
    pv_particle_id corner;
    switch (how) {
    case 0: ck_assert_int_eq(pv_body_wake(w, tower[1]), PV_OK); break;
    case 1: ck_assert_int_eq(pv_body_apply_force(w, tower[2], (pv_vec2){1, 0}), PV_OK); break;
    case 2:
        pv_body_get_corners(w, tower[0], &corner, 1);
        ck_assert_int_eq(pv_particle_apply_impulse(w, corner, (pv_vec2){100, 0}), PV_OK);
        ck_assert_double_eq_tol(particle_v(corner).x, 1, 1e-9);
        break;
    case 3: ck_assert_int_eq(pv_world_set_gravity(w, (pv_vec2){0, 300}), PV_OK); break;
    default:
        ck_assert_int_eq(pv_body_destroy(w, tower_floor), PV_OK);
        step_times(30);
        ck_assert_double_gt(polygon_at(tower[0]).y, 20);
    }
    for (int i = 0; i < 3; i++)
        ck_assert_msg(pv_body_is_awake(w, tower[i]), "way %d, box %d", how, i);
}

/// A polygon wakes the two crates stacked below it, whichever slots they have.
START_TEST_FOR(a_polygon_wakes_the_sprites_below, slot, 3) {
    for (int i = 0; i < slot; i++) put_box(PV_BODY_STATIC, 20, 20, 600 + 50 * i, 300);
    pv_body_id low = put_box(PV_BODY_DYNAMIC, 30, 20, 0, -10),
               high = put_box(PV_BODY_DYNAMIC, 30, 20, 0, -30);
    put_box(PV_BODY_STATIC, 400, 40, 0, 20);
    pv_body_id q = box(0, -50, 20, 20, 0, of_mass(-1));
    step_times(240);
    ck_assert(!pv_body_is_awake(w, q) && !pv_body_is_awake(w, high));
    ck_assert_int_eq(pv_body_wake(w, q), PV_OK);
    ck_assert(pv_body_is_awake(w, q));
    ck_assert(pv_body_is_awake(w, low) && pv_body_is_awake(w, high));
}

START_TEST(what_sleeps_is_not_moved_and_is_hit_as_whole) {
    build_tower();
    pv_vec2 at = polygon_at(tower[2]);
    step_times(600);
    ck_assert_double_eq(vec_distance(polygon_at(tower[2]), at), 0);
    box(-60, -55, 20, 10, 0, WITH(of_mass(-1), it.velocity.x = 300));
    step_times(20);
    ck_assert_double_gt(polygon_at(tower[2]).x, at.x + 2);
    for (int i = 0; i < 3; i++) ck_assert(pv_body_is_awake(w, tower[i]));
}

START_TEST(what_drifts_does_not_sleep) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    pv_body_id q = box(0, 0, 20, 20, 0, WITH(of_mass(-1), it.velocity.x = 0.1));
    step_times(600);
    ck_assert(pv_body_is_awake(w, q));
    ck_assert_double_eq_tol(polygon_at(q).x, 1, 1e-6);
}

static void close_all(void) {
    close_world();
    free(saved.bytes);
    saved = (keepsake){0};
}

RUN_TESTS_IN("polygon", open_world, close_all, 1)
