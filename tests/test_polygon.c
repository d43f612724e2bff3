/* test_polygon.c - polygons: outlines and their pieces, corners and beams, hits, rest and slides.
 *
 * Invariant: pieces are compared with the outline point by point, motion with formulas of
 * mechanics. Sums of momentum use the public interface of particles and bodies.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include "shape/convex.h"

#define PI 3.14159265358979323846

/* ---- outlines ---- */

/// Returns how many times an outline winds round a point, by the angles under which its edges are
/// seen.
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
    for (int i = 0; i < count; i++) {
        pv_vec2 a = points[i], b = points[(i + 1) % count];
        double ux = b.x - a.x, uy = b.y - a.y,
               t = ((x - a.x) * ux + (y - a.y) * uy) / (ux * ux + uy * uy);
        t = fmin(fmax(t, 0), 1);
        least = fmin(least, hypot(a.x + t * ux - x, a.y + t * uy - y));
    }
    return least;
}

/// Corners at random distances in order of their angle: never crosses itself, and is hardly ever
/// convex.
static int random_outline(uint64_t *seed, pv_vec2 *points, int most) {
    int count = 3 + (int)(next_random(seed) % (uint64_t)(most - 2));
    for (int i = 0; i < count; i++) {
        double angle = 2 * PI * (i + 0.4 * next_unit(seed)) / count, r = 20 + 80 * next_unit(seed);
        points[i] = (pv_vec2){r * cos(angle), r * sin(angle)};
    }
    return count;
}

/// A comb with so many teeth: corners in straight lines, and two at each gap that turn inward.
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

static void check_convex(const pv_vec2 *points, int count) {
    for (int i = 0; i < count; i++) {
        pv_vec2 a = points[i], b = points[(i + 1) % count], c = points[(i + 2) % count];
        double turn = (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
        ck_assert_double_ge(turn, -1e-6);
    }
}

/// Checks that every point of a grid is in one piece if it is in the outline, otherwise in none.
/// Points near edges are left out.
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
                check_convex(piece, pieces[at]);
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
    for (int round = 0; round < 30; round++) {
        int n = random_outline(&seed, points, round < 25 ? 16 : PV__POLY_CORNERS);
        check_pieces(points, n);
    }
    for (int teeth = 2; teeth <= 15; teeth += 3) check_pieces(points, comb(points, teeth));
}
END_TEST

/// Checks the bound of Hertel and Mehlhorn: at most four times the least number. That is at least
/// half the inward corners, plus one.
START_TEST(pieces_are_few) {
    uint64_t seed = 9;
    pv_vec2 points[PV__POLY_CORNERS];
    int pieces[PV__POLY_ROOM], room;
    for (int round = 0; round < 300; round++) {
        int n = random_outline(&seed, points, PV__POLY_CORNERS), inward = 0;
        for (int i = 0; i < n; i++) {
            pv_vec2 a = points[i], b = points[(i + 1) % n], c = points[(i + 2) % n];
            inward += (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x) < 0;
        }
        int count = pv__convex_cut(points, n, pieces, &room);
        ck_assert_int_le(count, 2 * inward + 1);
        if (inward == 0) ck_assert_int_eq(count, 1);
    }
}
END_TEST

START_TEST(shares_have_the_areas_center) {
    uint64_t seed = 3;
    pv_vec2 points[PV__POLY_CORNERS];
    int pieces[PV__POLY_ROOM], room;
    for (int round = 0; round < 200; round++) {
        double shares[PV__POLY_CORNERS], sum = 0, x = 0, y = 0, area = 0, cx = 0, cy = 0;
        int n = random_outline(&seed, points, 20), count = pv__convex_cut(points, n, pieces, &room);
        pv__convex_shares(points, n, pieces, count, shares);
        for (int i = 0; i < n; i++) {
            pv_vec2 a = points[i], b = points[(i + 1) % n];
            double cross = a.x * b.y - a.y * b.x; /* the surveyor's formula */
            area += cross / 2;
            cx += (a.x + b.x) * cross / 6;
            cy += (a.y + b.y) * cross / 6;
            ck_assert_double_gt(shares[i], 0);
            sum += shares[i];
            x += shares[i] * a.x;
            y += shares[i] * a.y;
        }
        ck_assert_double_eq_tol(sum, 1, 1e-12);
        ck_assert_double_eq_tol(x, cx / area, 1e-9);
        ck_assert_double_eq_tol(y, cy / area, 1e-9);
        ck_assert_double_eq_tol(pv__convex_area(points, n), area, 1e-9 * area);
    }
}
END_TEST

START_TEST(bad_outlines_are_refused) {
    const pv_vec2 good[] = {{0, 0}, {30, 0}, {30, 20}, {0, 20}},
                  bow[] = {{0, 0}, {30, 20}, {30, 0}, {0, 20}},
                  twice[] = {{0, 0}, {30, 0}, {30, 0}, {0, 20}},
                  flat[] = {{0, 0}, {30, 0}, {60, 0}},
                  spike[] = {{0, 0}, {30, 0}, {30, 20}, {30, 5}, {0, 20}},
                  nan[] = {{0, 0}, {NAN, 0}, {3, 4}}, far[] = {{0, 0}, {1e9, 0}, {3, 4}},
                  pinch[] = {{0, 0}, {30, 0}, {15, 10}, {30, 20}, {0, 20}, {15, 10}},
                  touch[] = {{0, 0}, {40, 0}, {40, 30}, {20, 0}, {0, 30}};
    ck_assert_int_eq(pv__convex_check(good, 4), PV_OK);
    ck_assert_int_eq(pv__convex_check(good, 2), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv__convex_check(NULL, 4), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv__convex_check(good, 65), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv__convex_check(bow, 4), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv__convex_check(twice, 4), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv__convex_check(flat, 3), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv__convex_check(spike, 5), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv__convex_check(nan, 3), PV_ERROR_NOT_FINITE);
    ck_assert_int_eq(pv__convex_check(far, 3), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv__convex_check(pinch, 6), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv__convex_check(touch, 5), PV_ERROR_ARGUMENT);
}
END_TEST

/* ---- worlds ---- */

static pv_world *world_with(double gravity) {
    pv_world_def d = pv_world_def_default();
    d.gravity = (pv_vec2){0, gravity};
    return pv_world_create(&d, NULL);
}

static pv_polygon_id make(pv_world *w, const pv_vec2 *points, int count, pv_polygon_def def) {
    pv_error error;
    def.points = points;
    def.point_count = count;
    pv_polygon_id q = pv_polygon_create(w, &def, &error);
    ck_assert_msg(error.status == PV_OK, "%s", error.message);
    return q;
}

static pv_polygon_def of_mass(double mass) {
    pv_polygon_def def = pv_polygon_def_default();
    def.mass = mass;
    return def;
}

/// A box about a center, turned.
static pv_polygon_id box(pv_world *w, double x, double y, double width, double height, double angle,
                         pv_polygon_def def) {
    const double side[] = {-0.5, 0.5, 0.5, -0.5}, down[] = {-0.5, -0.5, 0.5, 0.5};
    pv_vec2 p[4];
    for (int i = 0; i < 4; i++) {
        double u = side[i] * width, v = down[i] * height;
        p[i] = (pv_vec2){x + cos(angle) * u - sin(angle) * v, y + sin(angle) * u + cos(angle) * v};
    }
    return make(w, p, 4, def);
}

static pv_polygon_id regular(pv_world *w, double x, double y, int n, double radius, double angle,
                             pv_polygon_def def) {
    pv_vec2 p[64];
    for (int i = 0; i < n; i++) {
        double a = angle + 2 * PI * i / n;
        p[i] = (pv_vec2){x + radius * cos(a), y + radius * sin(a)};
    }
    return make(w, p, n, def);
}

static void steps(pv_world *w, int count) {
    for (int i = 0; i < count; i++) step_well(w, 1.0 / 60);
}

typedef struct momentum {
    double x, y, angular, scale, angular_scale;
} momentum;

static void add_momentum(momentum *m, double mass, pv_vec2 at, pv_vec2 v, double own) {
    double turn = mass * (at.x * v.y - at.y * v.x) + own;
    m->x += mass * v.x;
    m->y += mass * v.y;
    m->angular += turn;
    m->scale += mass * hypot(v.x, v.y);
    m->angular_scale += mass * hypot(at.x, at.y) * hypot(v.x, v.y) + fabs(own);
}

static momentum momentum_of(const pv_world *w) {
    momentum m = {0};
    pv_particle_id p = {0, 0};
    while ((p = pv_world_get_next_particle(w, p)).generation)
        add_momentum(&m, pv_particle_get_mass(w, p), pv_particle_get_position(w, p),
                     pv_particle_get_velocity(w, p), 0);
    pv_body_id b = {0, 0};
    while ((b = pv_world_get_next_body(w, b)).generation)
        add_momentum(&m, pv_body_get_mass(w, b), pv_body_get_position(w, b),
                     pv_body_get_velocity(w, b),
                     pv_body_get_inertia(w, b) * pv_body_get_angular_velocity(w, b));
    return m;
}

/// Steps a world without gravity until something was hit and has gone on.
static void check_momentum(pv_world *w, pv_vec2 (*watched)(pv_world *w)) {
    momentum before = momentum_of(w);
    pv_vec2 v = watched(w);
    steps(w, 90);
    momentum after = momentum_of(w);
    pv_vec2 u = watched(w);
    ck_assert_double_gt(hypot(u.x - v.x, u.y - v.y), 5); /* pushed away */
    ck_assert_double_le(fabs(after.x - before.x) + fabs(after.y - before.y), 1e-9 * before.scale);
    ck_assert_double_le(fabs(after.angular - before.angular), 1e-9 * before.angular_scale);
    pv_world_destroy(w);
}

static pv_vec2 first_polygons(pv_world *w) {
    return pv_polygon_get_velocity(w, pv_world_get_next_polygon(w, (pv_polygon_id){0, 0}));
}

/* ---- the article's response ---- */

/// Checks the correction of Bitterli, with all masses 1. At t along the edge the vertex goes back
/// by lambda / (1 + lambda) of the overlap. The edge's ends go by (1 - t) and t of that, with
/// lambda = 1 / (t^2 + (1 - t)^2).
START_TEST(lambda_by_hand) {
    pv_world_def d = pv_world_def_default();
    d.gravity = (pv_vec2){0, 0};
    d.substeps = d.joint_iterations = 1;
    pv_world *w = pv_world_create(&d, NULL);
    const pv_vec2 floor[] = {{0, 0}, {40, 0}, {40, 30}, {0, 30}},
                  wedge[] = {{10, 0}, {-10, -20}, {30, -20}};
    pv_polygon_def def = of_mass(4);
    def.stiffness = 1e-9; /* nothing but the hit moves a corner */
    pv_polygon_id a = make(w, floor, 4, def);
    def.mass = 3;
    def.velocity = (pv_vec2){0, 12}; /* 0.2 px in the step, slower than what bounces */
    pv_polygon_id b = make(w, wedge, 3, def);
    steps(w, 1);
    pv_particle_id p[4], q[3];
    ck_assert_int_eq(pv_polygon_get_corners(w, a, p, 4), 4);
    ck_assert_int_eq(pv_polygon_get_corners(w, b, q, 3), 3);
    double t = 0.25, lambda = 1 / (t * t + (1 - t) * (1 - t)), share = lambda / (1 + lambda);
    ck_assert_double_eq_tol(lambda, 1.6, 1e-15);
    ck_assert_double_eq_tol(pv_particle_get_position(w, q[0]).y, 0.2 * (1 - share), 1e-12);
    ck_assert_double_eq_tol(pv_particle_get_position(w, p[0]).y, 0.2 * share * (1 - t), 1e-12);
    ck_assert_double_eq_tol(pv_particle_get_position(w, p[1]).y, 0.2 * share * t, 1e-12);
    ck_assert_double_eq_tol(pv_particle_get_position(w, p[2]).y, 30, 1e-9);
    /* the vertex lies on the moved edge */
    double on_edge =
        (1 - t) * pv_particle_get_position(w, p[0]).y + t * pv_particle_get_position(w, p[1]).y;
    ck_assert_double_eq_tol(pv_particle_get_position(w, q[0]).y, on_edge, 1e-12);
    pv_world_destroy(w);
}
END_TEST

/* ---- momentum ---- */

START_TEST(polygons_conserve_momentum) {
    for (int k = 0; k < 7; k++) {
        pv_world *w = world_with(0);
        pv_polygon_def def = of_mass(k & 1 ? -1 : 700);
        def.restitution = 0.2 * (k % 6);
        def.collider = k == 4 ? PV_POLYGON_COLLIDER_CIRCLES : PV_POLYGON_COLLIDER_EDGES;
        def.stiffness = k == 5 ? 1e6 : 0;
        def.angular_velocity = 3 - k;
        def.velocity = (pv_vec2){k == 3 ? 8 : 200, 30};
        if (k == 2)
            regular(w, 0, 0, 9, 25, 0.2, def);
        else /* the last one begins in the other */
            box(w, k == 3 ? 34 : k == 6 ? 60 : 0, 0, 40, 30, 0.3, def);
        def.collider = PV_POLYGON_COLLIDER_EDGES;
        def.velocity.x = -60;
        def.angular_velocity = -2;
        box(w, 80, 15, 30, 50, 0.1, def);
        check_momentum(w, first_polygons);
    }
}
END_TEST

START_TEST(particles_and_polygons_conserve_momentum) {
    for (int k = 0; k < 4; k++) {
        pv_world *w = world_with(0);
        pv_polygon_def def = of_mass(300);
        def.collider = k == 3 ? PV_POLYGON_COLLIDER_CIRCLES : PV_POLYGON_COLLIDER_EDGES;
        def.angular_velocity = 4;
        box(w, 0, 0, 40, 30, 0.3, def);
        pv_particle_def p = pv_particle_def_default();
        p.position = (pv_vec2){80, 3 * k};
        p.velocity = (pv_vec2){-900, 20};
        p.mass = 40;
        p.radius = 2 * k;
        p.restitution = 0.3 * k;
        pv_particle_create(w, &p, NULL);
        check_momentum(w, first_polygons);
    }
}
END_TEST

START_TEST(sprites_and_polygons_conserve_momentum) {
    for (int k = 0; k < 8; k++) {
        pv_world_def d = pv_world_def_default();
        d.gravity = (pv_vec2){0, 0};
        d.joint_iterations = k == 6 ? 3 : 0;
        d.contact_mode = k == 5 ? PV_CONTACT_MODE_PIXELS : PV_CONTACT_MODE_CONTOURS;
        pv_world *w = pv_world_create(&d, NULL);
        pv_polygon_def def = of_mass(-1);
        def.angular_velocity = 2;
        def.collider = k == 4 ? PV_POLYGON_COLLIDER_CIRCLES : PV_POLYGON_COLLIDER_EDGES;
        def.restitution = k == 3 ? 0.9 : 0.2;
        box(w, 0, 0, 60, 30, k == 2 ? 0 : 0.3, def);
        pv_body_def b = pv_body_def_default();
        b.velocity = (pv_vec2){-200, 0};
        b.angular_velocity = 3 - k;
        b.angle = k == 2 ? 0 : 0.6;
        double x = k == 7 ? 36 : 90; /* the last one begins inside */
        put(w, k == 1 ? disc_mask(12) : box_mask(30, 20), x, 6, b);
        check_momentum(w, first_polygons);
    }
}
END_TEST

START_TEST(a_free_polygon_keeps_its_spin) {
    const int counts[] = {3, 4, 5, 6, 7, 12, 33, 64};
    for (int k = 0; k < 8; k++) {
        pv_world *w = world_with(0);
        pv_polygon_def def = of_mass(-1);
        def.angular_velocity = 10;
        pv_polygon_id q = regular(w, 0, 0, counts[k], 50, 0, def);
        steps(w, 600);
        ck_assert_double_eq_tol(pv_polygon_get_angular_velocity(w, q), 10, 0.1);
        pv_vec2 at = pv_polygon_get_position(w, q);
        ck_assert_double_le(hypot(at.x, at.y), 1e-6);
        pv_world_destroy(w);
    }
}
END_TEST

/// Hits the top of a box 10 px right of its middle with a ball of mass 1 and restitution 1. Returns
/// the ball's speed of rebound, as a share of its speed. Each corner of the box has the mass 1, and
/// the first ones at its left are pinned.
static double rebound_from_pinned(int pinned) {
    pv_world *w = world_with(0);
    pv_polygon_def def = of_mass(4);
    def.restitution = 1;
    pv_particle_id corners[4];
    pv_polygon_get_corners(w, box(w, 50, 30, 40, 20, 0, def), corners, 4);
    for (int i = 0; i < 4 && pinned > 0; i++) {
        if (pv_particle_get_position(w, corners[i]).x > 50) continue;
        ck_assert_int_eq(pv_particle_set_mass(w, corners[i], 0), PV_OK);
        pinned--;
    }
    pv_particle_def p = pv_particle_def_default();
    p.position = (pv_vec2){60, 0};
    p.velocity = (pv_vec2){0, 300};
    p.mass = p.restitution = 1;
    pv_particle_id ball = pv_particle_create(w, &p, NULL);
    steps(w, 8);
    double v = pv_particle_get_velocity(w, ball).y;
    pv_world_destroy(w);
    return -v / 300;
}

/// Checks v' = ((e - y) / (1 + y)) v, with e = 1 and the yield y of the box. A free one moves and
/// turns, one pin is a pivot, and two hold all of it.
START_TEST(one_pinned_corner_is_a_pivot_and_two_hold) {
    double inertia = 4 * (20 * 20 + 10 * 10), about_pin = 40 * 40 + (40 * 40 + 20 * 20) + 20 * 20;
    const double yields[] = {1.0 / 4 + 10 * 10 / inertia, 30 * 30 / about_pin, 0};
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(rebound_from_pinned(i), (1 - yields[i]) / (1 + yields[i]), 1e-6);
}
END_TEST

/* ---- rest ---- */

/// A floor whose top is y = 0: a pinned polygon, or a static sprite.
static void lay_floor(pv_world *w, bool sprite, double angle) {
    double x = 25 * -sin(angle), y = 25 * cos(angle);
    if (!sprite) {
        box(w, x, y, 2000, 50, angle, of_mass(0));
    } else {
        pv_body_def b = of_type(PV_BODY_STATIC);
        b.angle = angle;
        put(w, box_mask(2000, 50), x, y, b);
    }
}

START_TEST(a_box_does_not_creep) {
    for (int sprite = 0; sprite < 2; sprite++) {
        pv_world *w = world_with(320);
        lay_floor(w, sprite, 0);
        pv_polygon_id q = box(w, 3, -20.2, 40, 40, 0, of_mass(-1));
        steps(w, 60);
        pv_vec2 before = pv_polygon_get_position(w, q);
        steps(w, 3600);
        pv_vec2 after = pv_polygon_get_position(w, q), v = pv_polygon_get_velocity(w, q);
        ck_assert_double_lt(hypot(after.x - before.x, after.y - before.y), 0.05);
        ck_assert_double_lt(fabs(pv_polygon_get_angle(w, q)), 1e-3);
        ck_assert_double_lt(hypot(v.x, v.y), 0.5);
        ck_assert_double_eq_tol(after.y, -20, 0.15);
        pv_world_destroy(w);
    }
}
END_TEST

/// Checks static friction 0.6: it holds at a slope of 0.4. At 0.8 the way is s = (sin - 0.5 cos) g
/// t^2 / 2.
START_TEST(slopes_hold_or_let_go) {
    for (int k = 0; k < 4; k++) {
        double slope = k < 2 ? 0.4 : 0.8, angle = atan(slope), time = k < 2 ? 20 : 2;
        pv_world *w = world_with(320);
        lay_floor(w, k & 1, angle);
        pv_polygon_id q = box(w, 20.1 * sin(angle), -20.1 * cos(angle), 60, 40, angle, of_mass(-1));
        pv_vec2 from = pv_polygon_get_position(w, q);
        steps(w, (int)(60 * time));
        pv_vec2 to = pv_polygon_get_position(w, q);
        double way = hypot(to.x - from.x, to.y - from.y);
        double expected = 0.5 * 320 * (sin(angle) - 0.5 * cos(angle)) * time * time;
        if (k < 2)
            ck_assert_double_lt(way, 0.5);
        else
            ck_assert_double_eq_tol(way, expected, 0.02 * expected);
        pv_world_destroy(w);
    }
}
END_TEST

/// Checks that it rises to e^2 of the height of its fall.
START_TEST(restitution_is_that_of_the_height) {
    for (int k = 0; k < 8; k++) {
        double e = 0.3 * (k / 2), highest = -1000;
        pv_world *w = world_with(320);
        pv_polygon_def def = of_mass(0);
        def.restitution = e;
        if (k & 1) {
            pv_body_def b = of_type(PV_BODY_STATIC);
            b.restitution = e;
            put(w, box_mask(400, 50), 0, 25, b);
        } else {
            box(w, 0, 25, 400, 50, 0, def);
        }
        def.mass = -1;
        pv_polygon_id q = box(w, 0, -120, 40, 40, 0, def);
        bool bounced = false;
        for (int i = 0; i < 120; i++) {
            steps(w, 1);
            bounced |=
                pv_polygon_get_velocity(w, q).y < 0 || pv_polygon_get_position(w, q).y > -20.5;
            if (bounced) highest = fmax(highest, -20 - pv_polygon_get_position(w, q).y);
        }
        ck_assert_double_eq_tol(highest, 100 * e * e, 1);
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(sixteen_boxes_stand) {
    pv_world *w = world_with(320);
    lay_floor(w, false, 0);
    pv_polygon_id q[16];
    for (int i = 0; i < 16; i++) q[i] = box(w, 0, -20 - 40 * i, 40, 40, 0, of_mass(-1));
    steps(w, 1200);
    for (int i = 0; i < 16; i++) {
        pv_vec2 at = pv_polygon_get_position(w, q[i]);
        ck_assert_double_lt(fabs(at.x), 0.5);
        ck_assert_double_lt(fabs(at.y - (-20 - 40 * i)), 1);
        ck_assert_double_lt(fabs(pv_polygon_get_angle(w, q[i])), 0.01);
    }
    pv_world_destroy(w);
}
END_TEST

/// Checks that a heap stays in its box and hardly moves at last.
START_TEST(a_heap_comes_to_rest) {
    pv_world *w = world_with(320);
    uint64_t seed = 11;
    pv_polygon_id q[40];
    lay_floor(w, false, 0);
    for (int side = -1; side <= 1; side += 2) box(w, 150 * side, -500, 50, 1100, 0, of_mass(0));
    for (int i = 0; i < 40; i++) {
        double angle = 6 * next_unit(&seed), x = -80 + 160 * next_unit(&seed);
        q[i] =
            regular(w, x, -40 - 22 * i, 3 + i % 5, 8 + 10 * next_unit(&seed), angle, of_mass(-1));
    }
    steps(w, 900);
    double crept = 0;
    pv_vec2 before[40];
    for (int i = 0; i < 40; i++) before[i] = pv_polygon_get_position(w, q[i]);
    steps(w, 60);
    for (int i = 0; i < 40; i++) {
        pv_vec2 at = pv_polygon_get_position(w, q[i]);
        ck_assert(fabs(at.x) < 125 && at.y < 0);
        crept += hypot(at.x - before[i].x, at.y - before[i].y) / 40;
    }
    ck_assert_double_lt(crept, 0.5);
    pv_world_destroy(w);
}
END_TEST

/// Tip in a notch of 90 degrees: it lies on both flanks and nowhere else.
START_TEST(a_star_rests_in_a_notch) {
    pv_world *w = world_with(320);
    const pv_vec2 notch[] = {{-100, -60}, {-60, -60}, {0, 0},    {60, -60},
                             {100, -60},  {100, 40},  {-100, 40}};
    make(w, notch, 7, of_mass(0));
    pv_vec2 star[10];
    for (int i = 0; i < 10; i++) {
        double a = PI / 2 + PI * i / 5, r = i & 1 ? 16 : 32;
        star[i] = (pv_vec2){r * cos(a), r * sin(a) - 60};
    }
    pv_polygon_def def = of_mass(-1);
    def.restitution = 0;
    pv_polygon_id q = make(w, star, 10, def);
    steps(w, 300);
    pv_vec2 before = pv_polygon_get_position(w, q);
    steps(w, 120);
    pv_vec2 after = pv_polygon_get_position(w, q);
    ck_assert_double_lt(hypot(after.x - before.x, after.y - before.y), 0.1);
    pv_particle_id corners[10];
    pv_polygon_get_corners(w, q, corners, 10);
    double deepest = 0, nearest = INFINITY;
    for (int i = 0; i < 10; i++) {
        pv_vec2 at = pv_particle_get_position(w, corners[i]);
        double off = edge_distance(notch, 7, at.x, at.y);
        nearest = fmin(nearest, off);
        if (winding(notch, 7, at.x, at.y) != 0) deepest = fmax(deepest, off);
    }
    ck_assert_double_lt(deepest, 0.2);
    ck_assert_double_lt(nearest, 0.2);
    pv_world_destroy(w);
}
END_TEST

/// Returns the points of a bar with corners along its straight top, 20 px apart. Notches reach up
/// to 8 px below the top.
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

/// Returns how many pieces have an edge on the line y = 0.
static int pieces_at_top(const pv_vec2 *points, int count) {
    int pieces[PV__POLY_ROOM], room, found = 0;
    int piece_count = pv__convex_cut(points, count, pieces, &room);
    for (int i = 0, at = 0; i < piece_count; at += pieces[at] + 1, i++) {
        int on_line = 0;
        for (int k = 0; k < pieces[at]; k++) on_line += points[pieces[at + 1 + k]].y == 0;
        found += on_line >= 2;
    }
    return found;
}

/// Without friction what slides over the edges between pieces keeps its speed: inner edges push
/// nobody.
START_TEST(inner_edges_are_not_felt) {
    for (int speed = 20; speed <= 500; speed *= 5) {
        pv_world *w = world_with(320);
        pv_vec2 bar[PV__POLY_CORNERS];
        int n = notched_bar(bar);
        ck_assert_int_ge(pieces_at_top(bar, n), 5);
        pv_polygon_def def = of_mass(0);
        def.static_friction = def.friction = 0;
        make(w, bar, n, def);
        def.mass = -1;
        def.velocity.x = speed;
        pv_polygon_id q = box(w, 20, -10.01, 20, 20, 0, def);
        int count = 60 * 150 / speed;
        steps(w, count);
        ck_assert_double_eq_tol(pv_polygon_get_position(w, q).x, 20 + speed * count / 60.0, 0.3);
        ck_assert_double_eq_tol(pv_polygon_get_velocity(w, q).x, speed, 0.05);
        ck_assert_double_lt(fabs(pv_polygon_get_angle(w, q)), 3e-3);
        pv_world_destroy(w);
    }
}
END_TEST

/// Any number of corners falls on its side and keeps its shape.
START_TEST(beams_hold_the_shape) {
    for (int n = 3; n <= 64; n += n < 16 ? 1 : 12) {
        pv_world *w = world_with(320);
        lay_floor(w, false, 0);
        pv_polygon_id q = regular(w, 0, -80, n, 30, 0.3, of_mass(-1));
        pv_particle_id p[64];
        pv_polygon_get_corners(w, q, p, 64);
        double worst = 0;
        for (int i = 0; i < 180; i++) {
            steps(w, 1);
            for (int a = 0; a < n; a++)
                for (int b = a + 1; b < n; b++) {
                    pv_vec2 s = pv_particle_get_position(w, p[a]),
                            t = pv_particle_get_position(w, p[b]);
                    double chord = 60 * sin(PI * (b - a) / n);
                    worst = fmax(worst, fabs(hypot(s.x - t.x, s.y - t.y) - chord));
                }
        }
        ck_assert_double_lt(worst, 1.2); /* 2 % */
        pv_world_destroy(w);
    }
}
END_TEST

/// Checks that up to six corners all pairs have a beam. Beyond that each corner has a few, and no
/// pair has two.
START_TEST(beams_are_not_too_many) {
    for (int n = 3; n <= 64; n++) {
        pv_world *w = world_with(0);
        pv_polygon_id q = regular(w, 0, 0, n, 50, 0, of_mass(-1));
        pv_joint_id beams[400];
        bool joined[80][80] = {{false}};
        int count = pv_polygon_get_joints(w, q, beams, 400);
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
        pv_world_destroy(w);
    }
}
END_TEST

/* ---- what they meet ---- */

START_TEST(a_particle_lies_on_a_polygon) {
    pv_world *w = world_with(320);
    lay_floor(w, false, 0);
    pv_particle_def def = pv_particle_def_default();
    def.radius = 5;
    def.position = (pv_vec2){4, -30};
    pv_particle_id p = pv_particle_create(w, &def, NULL);
    def.collides = false;
    pv_particle_id ghost = pv_particle_create(w, &def, NULL);
    steps(w, 120);
    ck_assert_double_eq_tol(pv_particle_get_position(w, p).y, -5, 0.1);
    ck_assert_double_eq_tol(pv_particle_get_position(w, p).x, 4, 1e-6);
    ck_assert_double_gt(pv_particle_get_position(w, ghost).y, 100);
    pv_world_destroy(w);
}
END_TEST

/// Faster than a wall is thick in a substep.
START_TEST(nothing_fast_goes_through) {
    pv_world *w = world_with(0);
    box(w, 100, 0, 4, 200, 0.1, of_mass(0));
    pv_particle_def def = pv_particle_def_default();
    def.velocity = (pv_vec2){9000, 100};
    pv_particle_id p = pv_particle_create(w, &def, NULL);
    def.velocity.x = -9000;
    def.position = (pv_vec2){200, 3};
    pv_particle_id q = pv_particle_create(w, &def, NULL);
    pv_polygon_def shot = of_mass(-1);
    shot.velocity.x = 2400;
    pv_polygon_id r = box(w, 0, 60, 10, 10, 0, shot);
    steps(w, 60);
    ck_assert_double_lt(pv_particle_get_position(w, p).x, 110);
    ck_assert_double_gt(pv_particle_get_position(w, q).x, 90);
    ck_assert_double_lt(pv_polygon_get_position(w, r).x, 100);
    pv_world_destroy(w);
}
END_TEST

START_TEST(sprites_lie_on_polygons) {
    pv_world *w = world_with(320);
    lay_floor(w, false, 0);
    pv_body_id crate = put(w, box_mask(40, 30), 0, -15.5, pv_body_def_default());
    pv_body_id ball = put(w, disc_mask(15), 100, -20, pv_body_def_default());
    pv_polygon_id q = box(w, -100, -20.5, 40, 40, 0, of_mass(-1));
    pv_body_id rider = put(w, box_mask(30, 30), -100, -56.5, pv_body_def_default());
    steps(w, 300);
    ck_assert_double_eq_tol(pv_body_get_position(w, crate).y, -15, 0.2);
    ck_assert_double_eq_tol(pv_body_get_position(w, crate).x, 0, 0.1);
    ck_assert_double_eq_tol(pv_body_get_position(w, ball).y, -15, 0.3);
    ck_assert_double_eq_tol(pv_body_get_position(w, rider).y, -55, 0.3);
    ck_assert_double_eq_tol(pv_body_get_position(w, rider).x, -100, 0.2);
    /* The rider falls. */
    ck_assert_int_eq(pv_polygon_destroy(w, q), PV_OK);
    steps(w, 120);
    ck_assert_double_eq_tol(pv_body_get_position(w, rider).y, -15, 0.3);
    pv_world_destroy(w);
}
END_TEST

START_TEST(sleepers_wake) {
    pv_world *w = world_with(320);
    lay_floor(w, true, 0);
    pv_body_id crate = put(w, box_mask(20, 20), 0, -10, pv_body_def_default());
    steps(w, 120);
    ck_assert(!pv_body_is_awake(w, crate));
    pv_polygon_def def = of_mass(-1);
    def.velocity.x = 300;
    box(w, -60, -15, 30, 20, 0, def);
    steps(w, 30);
    ck_assert_double_gt(pv_body_get_position(w, crate).x, 3);
    pv_world_destroy(w);

    w = world_with(320); /* hit by an edge whose corners are far away */
    lay_floor(w, true, 0);
    crate = put(w, box_mask(20, 20), 0, -10, pv_body_def_default());
    steps(w, 120);
    ck_assert(!pv_body_is_awake(w, crate));
    box(w, 0, -60, 300, 20, 0, of_mass(-1));
    steps(w, 30);
    ck_assert(pv_body_is_awake(w, crate));
    pv_world_destroy(w);

    w = world_with(320); /* one that sleeps on a polygon which is taken away */
    pv_polygon_id q = box(w, 0, 25, 200, 50, 0, of_mass(0));
    crate = put(w, box_mask(20, 20), 0, -10, pv_body_def_default());
    steps(w, 120);
    ck_assert(!pv_body_is_awake(w, crate));
    pv_polygon_destroy(w, q);
    steps(w, 60);
    ck_assert_double_gt(pv_body_get_position(w, crate).y, 50);
    pv_world_destroy(w);
}
END_TEST

START_TEST(discs_stand_for_edges) {
    pv_world *w = world_with(320);
    lay_floor(w, false, 0);
    pv_polygon_def def = of_mass(-1);
    def.collider = PV_POLYGON_COLLIDER_CIRCLES;
    pv_polygon_id a = box(w, 0, -30, 40, 40, 0, def), b = box(w, 100, -30, 40, 40, 0, def);
    pv_polygon_id c = box(w, 100, -80, 40, 40, 0, def);
    steps(w, 600);
    ck_assert_double_eq_tol(pv_polygon_get_position(w, a).y, -25,
                            0.3); /* discs of an eighth of the edge */
    ck_assert_double_eq_tol(pv_polygon_get_position(w, b).y, -25, 0.3);
    double apart = pv_polygon_get_position(w, b).y - pv_polygon_get_position(w, c).y;
    ck_assert(apart > 39.7 || fabs(pv_polygon_get_position(w, c).x - 100) > 30);
    pv_world_destroy(w);
}
END_TEST

/* ---- names, numbers, refusals ---- */

START_TEST(polygons_are_read) {
    pv_world *w = world_with(0);
    pv_polygon_def def = of_mass(-1);
    int user_data = 0;
    def.velocity = (pv_vec2){60, -30};
    def.angular_velocity = 0.5;
    def.user_data = &user_data;
    pv_polygon_id q = box(w, 10, 20, 40, 30, 0, def);
    ck_assert(pv_polygon_get_user_data(w, q) == &user_data);
    ck_assert_double_eq_tol(pv_polygon_get_velocity(w, q).x, 60, 1e-6);
    ck_assert_double_eq_tol(pv_polygon_get_angular_velocity(w, q), 0.5, 1e-6);
    pv_box box_then = pv_polygon_get_bounds(w, q);
    ck_assert(box_then.min.x == -10 && box_then.max.x == 30 && box_then.min.y == 5 &&
              box_then.max.y == 35);
    steps(w, 60);
    ck_assert_double_eq_tol(pv_polygon_get_position(w, q).x, 70, 1e-3);
    ck_assert_double_eq_tol(pv_polygon_get_position(w, q).y, -10, 1e-3);
    ck_assert_double_eq_tol(pv_polygon_get_angle(w, q), 0.5, 1e-3);
    ck_assert_uint_eq(pv_world_pick_polygon(w, (pv_vec2){75, -5}).index, q.index);
    ck_assert_uint_eq(pv_world_pick_polygon(w, (pv_vec2){110, -5}).index, 0);
    double mass = 0;
    pv_particle_id p[4];
    ck_assert_int_eq(pv_polygon_get_corners(w, q, p, 4), 4);
    for (int i = 0; i < 4; i++) mass += pv_particle_get_mass(w, p[i]);
    ck_assert_double_eq_tol(mass, 1200, 1e-6);
    ck_assert_int_eq(pv_polygon_apply_force(w, q, (pv_vec2){1200 * 60, 0}), PV_OK);
    steps(w, 1); /* 60 px/s^2 for a sixtieth of a second */
    ck_assert_double_eq_tol(pv_polygon_get_velocity(w, q).x, 61, 1e-3);
    steps(w, 1);
    ck_assert_double_eq_tol(pv_polygon_get_velocity(w, q).x, 61, 1e-3);
    pv_world_destroy(w);
}
END_TEST

/// Corners come clockwise on the screen, whichever way round they were given.
START_TEST(either_way_round) {
    const pv_vec2 left[] = {{0, 0}, {0, 20}, {30, 20}, {30, 0}},
                  right[] = {{0, 0}, {30, 0}, {30, 20}, {0, 20}};
    for (int k = 0; k < 2; k++) {
        pv_world *w = world_with(0);
        pv_polygon_id q = make(w, k ? left : right, 4, of_mass(-1));
        pv_particle_id p[4];
        double area = 0;
        pv_polygon_get_corners(w, q, p, 4);
        for (int i = 0; i < 4; i++) {
            pv_vec2 a = pv_particle_get_position(w, p[i]),
                    b = pv_particle_get_position(w, p[(i + 1) % 4]);
            area += (a.x * b.y - a.y * b.x) / 2;
        }
        ck_assert_double_eq_tol(area, 600, 1e-9);
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(a_polygon_goes_with_its_corner) {
    pv_world *w = world_with(0);
    pv_polygon_id q = box(w, 0, 0, 40, 40, 0, of_mass(-1));
    pv_particle_id p[4];
    pv_joint_id beams[6];
    pv_polygon_get_corners(w, q, p, 4);
    ck_assert_int_eq(pv_polygon_get_joints(w, q, beams, 6), 6);
    ck_assert_int_eq(pv_particle_destroy(w, p[2]), PV_OK);
    ck_assert(!pv_polygon_is_valid(w, q));
    for (int i = 0; i < 6; i++) ck_assert(!pv_joint_is_valid(w, beams[i]));
    ck_assert(pv_particle_is_valid(w, p[0]) && pv_particle_is_valid(w, p[3]));
    ck_assert_int_eq(pv_world_get_stats(w).polygons, 0);
    ck_assert_int_eq(pv_polygon_destroy(w, q), PV_ERROR_STALE_ID);
    steps(w, 5);
    pv_polygon_id again = box(w, 0, 100, 40, 40, 0, of_mass(-1));
    ck_assert(again.index == q.index && again.generation != q.generation);
    pv_world_destroy(w);
}
END_TEST

/// A beam may go by itself; the polygon does not take with it what has come into its place.
START_TEST(beams_may_go) {
    pv_world *w = world_with(0);
    pv_polygon_id q = box(w, 0, 0, 40, 40, 0, of_mass(-1));
    pv_joint_id beams[6];
    pv_polygon_get_joints(w, q, beams, 6);
    ck_assert_int_eq(pv_joint_destroy(w, beams[5]), PV_OK);
    ck_assert_int_eq(pv_polygon_get_joints(w, q, NULL, 0), 5);
    pv_particle_def def = pv_particle_def_default();
    pv_joint_def own = pv_joint_def_default();
    def.position = (pv_vec2){200, 0};
    own.a = pv_anchor_particle(pv_particle_create(w, &def, NULL));
    def.position = (pv_vec2){200, 50};
    own.b = pv_anchor_particle(pv_particle_create(w, &def, NULL));
    pv_joint_id stick = pv_joint_create(w, &own, NULL);
    ck_assert_uint_eq(stick.index, beams[5].index);
    steps(w, 10);
    ck_assert_int_eq(pv_polygon_destroy(w, q), PV_OK);
    ck_assert(pv_joint_is_valid(w, stick));
    ck_assert_int_eq(pv_world_get_stats(w).particles, 2);
    ck_assert_int_eq(pv_world_get_stats(w).joints, 1);
    pv_world_destroy(w);
}
END_TEST

static void check_refused(pv_world *w, pv_polygon_def def, pv_status expected) {
    pv_error error = {0};
    ck_assert_uint_eq(pv_polygon_create(w, &def, &error).generation, 0);
    ck_assert_int_eq(error.status, expected);
    pv_world_stats stats = pv_world_get_stats(w);
    ck_assert(stats.particles == 0 && stats.joints == 0 && stats.polygons == 0);
}

START_TEST(bad_defs_are_refused) {
    pv_world *w = world_with(0);
    const pv_vec2 points[] = {{0, 0}, {30, 0}, {30, 20}, {0, 20}},
                  bow[] = {{0, 0}, {30, 20}, {30, 0}, {0, 20}};
    pv_polygon_def good = pv_polygon_def_default(), d;
    good.points = points;
    good.point_count = 4;
    pv_error error;
    ck_assert_uint_eq(pv_polygon_create(NULL, &good, &error).generation, 0);
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    ck_assert_uint_eq(pv_polygon_create(w, NULL, &error).generation, 0);
    d = good, d.cookie = 0, check_refused(w, d, PV_ERROR_ARGUMENT);
    d = good, d.points = NULL, check_refused(w, d, PV_ERROR_ARGUMENT);
    d = good, d.points = bow, check_refused(w, d, PV_ERROR_ARGUMENT);
    d = good, d.point_count = 2, check_refused(w, d, PV_ERROR_ARGUMENT);
    d = good, d.point_count = 65, check_refused(w, d, PV_ERROR_ARGUMENT);
    d = good, d.mass = NAN, check_refused(w, d, PV_ERROR_NOT_FINITE);
    d = good, d.angular_velocity = INFINITY, check_refused(w, d, PV_ERROR_NOT_FINITE);
    d = good, d.velocity.y = NAN, check_refused(w, d, PV_ERROR_NOT_FINITE);
    d = good, d.mass = 1e13, check_refused(w, d, PV_ERROR_ARGUMENT);
    d = good, d.mass = 1e-12, check_refused(w, d, PV_ERROR_ARGUMENT);
    d = good, d.restitution = 1.5, check_refused(w, d, PV_ERROR_ARGUMENT);
    d = good, d.static_friction = 2e6, check_refused(w, d, PV_ERROR_ARGUMENT);
    d = good, d.friction = -1, check_refused(w, d, PV_ERROR_ARGUMENT);
    d = good, d.friction = -1, check_refused(w, d, PV_ERROR_ARGUMENT);
    d = good, d.linear_damping = -1, check_refused(w, d, PV_ERROR_ARGUMENT);
    d = good, d.stiffness = -1, check_refused(w, d, PV_ERROR_ARGUMENT);
    d = good, d.collider = (pv_polygon_collider)2, check_refused(w, d, PV_ERROR_ARGUMENT);
    d = good, d.velocity.x = 1e30, check_refused(w, d, PV_ERROR_ARGUMENT);
    pv_world_destroy(w);
}
END_TEST

START_TEST(stale_names_say_so) {
    pv_world *w = world_with(0);
    pv_polygon_id q = box(w, 0, 0, 40, 40, 0, of_mass(-1)),
                  pinned = box(w, 0, 90, 40, 40, 0, of_mass(0));
    ck_assert_int_eq(pv_polygon_apply_force(w, q, (pv_vec2){NAN, 0}), PV_ERROR_NOT_FINITE);
    ck_assert_int_eq(pv_polygon_apply_force(w, pinned, (pv_vec2){1, 0}), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_polygon_destroy(w, q), PV_OK);
    ck_assert_int_eq(pv_polygon_destroy(w, q), PV_ERROR_STALE_ID);
    ck_assert_int_eq(pv_polygon_apply_force(w, q, (pv_vec2){1, 0}), PV_ERROR_STALE_ID);
    ck_assert(!pv_polygon_is_valid(w, q) && !pv_polygon_is_valid(NULL, pinned));
    ck_assert(pv_polygon_get_corners(w, q, NULL, 0) == 0 &&
              pv_polygon_get_joints(w, q, NULL, 0) == 0);
    ck_assert(pv_polygon_get_position(w, q).x == 0 && pv_polygon_get_angle(w, q) == 0 &&
              pv_polygon_get_angular_velocity(w, q) == 0);
    ck_assert(pv_polygon_get_velocity(w, q).x == 0 && pv_polygon_get_bounds(w, q).max.x == 0);
    ck_assert_ptr_null(pv_polygon_get_user_data(w, q));
    ck_assert_uint_eq(pv_world_get_next_polygon(w, (pv_polygon_id){0, 0}).index, pinned.index);
    ck_assert_uint_eq(pv_world_get_next_polygon(w, pinned).index, 0);
    ck_assert_uint_eq(pv_world_get_next_polygon(NULL, pinned).index, 0);
    ck_assert_uint_eq(pv_world_pick_polygon(NULL, (pv_vec2){0, 0}).index, 0);
    ck_assert_uint_eq(pv_world_pick_polygon(w, (pv_vec2){NAN, 0}).index, 0);
    pv_world_destroy(w);
}
END_TEST

/// Whatever allocation fails, a polygon is made whole or not at all, and steps go on.
START_TEST(no_memory_leaves_all_whole) {
    bool done = false;
    for (long n = 1; !done; n++) {
        purse p = {0, 0, n};
        pv_world_def d = pv_world_def_default();
        d.allocator = (pv_allocator){purse_alloc, &p};
        pv_error error;
        pv_world *w = pv_world_create(&d, &error);
        pv_vec2 points[10];
        for (int i = 0; i < 10; i++)
            points[i] = (pv_vec2){(i & 1 ? 15 : 30) * cos(0.2 * PI * i),
                                  (i & 1 ? 15 : 30) * sin(0.2 * PI * i)};
        int made = 0;
        for (int i = 0; w && i < 12; i++) {
            pv_polygon_def def = pv_polygon_def_default();
            def.points = points;
            def.point_count = 10;
            bool good = pv_polygon_create(w, &def, &error).generation != 0;
            ck_assert(good == (error.status == PV_OK) && (good || error.status == PV_ERROR_MEMORY));
            made += good;
            for (int k = 0; k < 10; k++) points[k].y -= 50;
            ck_assert_int_eq(pv_world_get_stats(w).polygons, made);
            ck_assert_int_eq(pv_world_get_stats(w).particles, 10 * made);
        }
        for (int i = 0; w && i < 3; i++) {
            pv_status said = pv_world_step(w, 1.0 / 60);
            ck_assert(said == PV_OK || said == PV_ERROR_MEMORY);
        }
        done = p.calls < n;
        if (done) ck_assert_int_eq(made, 12);
        pv_world_destroy(w);
        ck_assert_int_eq(p.live_bytes, 0);
    }
}
END_TEST

/// Polygons that lie on a floor, and one half through a platform from below.
static pv_world *crossed(const pv_allocator *allocator) {
    pv_world_def d = pv_world_def_default();
    d.allocator = *allocator;
    pv_world *w = pv_world_create(&d, NULL);
    pv_body_def one_way = of_type(PV_BODY_STATIC);
    one_way.one_way_normal = (pv_vec2){0, -1};
    put(w, box_mask(200, 12), 0, 0, one_way);
    put(w, box_mask(200, 12), 0, 100, of_type(PV_BODY_STATIC));
    for (int i = 0; i < 4; i++) {
        pv_vec2 p[4] = {{30 * i - 60, 30}, {30 * i - 40, 30}, {30 * i - 40, 50}, {30 * i - 60, 50}};
        pv_polygon_def def = pv_polygon_def_default();
        def.points = p;
        def.point_count = 4;
        if (i == 0) def.velocity = (pv_vec2){0, -300};
        pv_polygon_create(w, &def, NULL);
    }
    return w;
}

START_TEST(a_step_without_memory_says_so) {
    for (int late = 0; late < 12; late += 3) {
        bool done = false;
        int said = 0;
        for (long n = 1; !done; n++) {
            purse p = {0};
            const pv_allocator allocator = {purse_alloc, &p};
            pv_world *w = crossed(&allocator);
            for (int i = 0; i < late; i++) step_well(w, 1.0 / 60);
            p.fail_at = p.calls + n;
            pv_status status = pv_world_step(w, 1.0 / 60);
            done = p.calls < p.fail_at;
            ck_assert_int_eq(status, done ? PV_OK : PV_ERROR_MEMORY);
            said += !done;
            pv_world_destroy(w);
            ck_assert_int_eq(p.live_bytes, 0);
        }
        if (late == 0) ck_assert_int_gt(said, 5);
    }
}
END_TEST

static uint64_t play(int steps_to_go) {
    pv_world *w = world_with(320);
    uint64_t seed = 4;
    lay_floor(w, true, 0.05);
    for (int i = 0; i < 30; i++) {
        pv_vec2 p[12];
        int n = random_outline(&seed, p, 12);
        for (int k = 0; k < n; k++)
            p[k] = (pv_vec2){0.3 * p[k].x + 60 * (i % 6), 0.3 * p[k].y - 60 - 70 * (i / 6)};
        make(w, p, n, of_mass(-1));
        if (i % 3 == 0)
            put(w, disc_mask(8), 60 * (i % 6) + 30, -70 * (i / 6) - 40, pv_body_def_default());
    }
    steps(w, steps_to_go);
    uint64_t hash = pv_world_compute_hash(w);
    pv_world_destroy(w);
    return hash;
}

START_TEST(runs_repeat) {
    ck_assert_uint_eq(play(200), play(200));
    ck_assert_uint_ne(play(200), play(199));
}
END_TEST

/// A tower of three that sleeps.
static pv_world *sleeping_tower(pv_body_id *floor, pv_polygon_id boxes[3]) {
    pv_world *w = world_with(320);
    pv_body_def still = pv_body_def_default();
    still.type = PV_BODY_STATIC;
    *floor = put(w, box_mask(400, 40), 0, 20, still);
    for (int i = 0; i < 3; i++) boxes[i] = box(w, 0, -10 - 20 * i, 20, 20, 0, of_mass(-1));
    ck_assert(pv_polygon_is_awake(w, boxes[0]));
    steps(w, 180);
    for (int i = 0; i < 3; i++) ck_assert(!pv_polygon_is_awake(w, boxes[i]));
    return w;
}

static void check_awake(pv_world *w, const pv_polygon_id boxes[3]) {
    for (int i = 0; i < 3; i++) ck_assert(pv_polygon_is_awake(w, boxes[i]));
    pv_world_destroy(w);
}

START_TEST(polygons_sleep_and_wake_together) {
    pv_body_id floor;
    pv_polygon_id boxes[3];
    pv_particle_id corner;
    pv_world *w = sleeping_tower(&floor, boxes); /* each of these wakes all three at once */
    ck_assert_int_eq(pv_polygon_wake(w, boxes[1]), PV_OK);
    check_awake(w, boxes);
    w = sleeping_tower(&floor, boxes);
    ck_assert_int_eq(pv_polygon_apply_force(w, boxes[2], (pv_vec2){1, 0}), PV_OK);
    check_awake(w, boxes);
    w = sleeping_tower(&floor, boxes);
    pv_polygon_get_corners(w, boxes[0], &corner, 1);
    ck_assert_int_eq(pv_particle_apply_impulse(w, corner, (pv_vec2){100, 0}), PV_OK);
    ck_assert_double_eq_tol(pv_particle_get_velocity(w, corner).x, 1, 1e-9);
    check_awake(w, boxes);
    w = sleeping_tower(&floor, boxes);
    ck_assert_int_eq(pv_world_set_gravity(w, (pv_vec2){0, 300}), PV_OK);
    check_awake(w, boxes);
    w = sleeping_tower(&floor, boxes);
    ck_assert_int_eq(pv_body_destroy(w, floor), PV_OK);
    steps(w, 30);
    ck_assert_double_gt(pv_polygon_get_position(w, boxes[0]).y, 20);
    check_awake(w, boxes);
}
END_TEST

/// Two stacked crates and the polygon on them wake together, in whichever slots the crates are.
START_TEST(a_polygon_wakes_the_sprites_below) {
    for (int slot = 0; slot < 3; slot++) {
        pv_world *w = world_with(320);
        for (int i = 0; i < slot; i++)
            put(w, box_mask(20, 20), 600 + 50 * i, 300, of_type(PV_BODY_STATIC));
        pv_body_id low = put(w, box_mask(30, 20), 0, -10, pv_body_def_default()),
                   high = put(w, box_mask(30, 20), 0, -30, pv_body_def_default());
        put(w, box_mask(400, 40), 0, 20, of_type(PV_BODY_STATIC));
        pv_polygon_id q = box(w, 0, -50, 20, 20, 0, of_mass(-1));
        steps(w, 240);
        ck_assert(!pv_polygon_is_awake(w, q) && !pv_body_is_awake(w, high));
        ck_assert_int_eq(pv_polygon_wake(w, q), PV_OK);
        ck_assert(pv_polygon_is_awake(w, q));
        ck_assert(pv_body_is_awake(w, low) && pv_body_is_awake(w, high));
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(what_sleeps_is_not_moved_and_is_hit_as_whole) {
    pv_body_id floor;
    pv_polygon_id boxes[3];
    pv_world *w = sleeping_tower(&floor, boxes);
    pv_vec2 at = pv_polygon_get_position(w, boxes[2]);
    steps(w, 600);
    ck_assert_double_eq(pv_polygon_get_position(w, boxes[2]).x, at.x);
    ck_assert_double_eq(pv_polygon_get_position(w, boxes[2]).y, at.y);
    pv_polygon_def def = of_mass(-1);
    def.velocity.x = 300;
    box(w, -60, -55, 20, 10, 0, def);
    steps(w, 20);
    ck_assert_double_gt(pv_polygon_get_position(w, boxes[2]).x, at.x + 2);
    check_awake(w, boxes);
}
END_TEST

START_TEST(sleepers_go_on_from_a_snapshot) {
    pv_body_id floor;
    pv_polygon_id boxes[3];
    pv_world *w = sleeping_tower(&floor, boxes);
    size_t size = pv_world_get_snapshot_size(w, 0);
    void *bytes = malloc(size);
    ck_assert_int_eq(pv_world_save(w, 0, bytes, size, &size), PV_OK);
    pv_polygon_wake(w, boxes[0]);
    steps(w, 10);
    uint64_t hash = pv_world_compute_hash(w);
    ck_assert_int_eq(pv_world_restore(w, bytes, size), PV_OK);
    ck_assert(!pv_polygon_is_awake(w, boxes[1]));
    pv_polygon_wake(w, boxes[0]);
    steps(w, 10);
    ck_assert_uint_eq(pv_world_compute_hash(w), hash);
    free(bytes);
    pv_world_destroy(w);
}
END_TEST

START_TEST(what_drifts_does_not_sleep) {
    pv_world *w = world_with(0);
    pv_polygon_def def = of_mass(-1);
    def.velocity.x = 0.1;
    pv_polygon_id q = box(w, 0, 0, 20, 20, 0, def);
    steps(w, 600);
    ck_assert(pv_polygon_is_awake(w, q));
    ck_assert_double_eq_tol(pv_polygon_get_position(w, q).x, 1, 1e-6);
    pv_world_destroy(w);
}
END_TEST

START_TEST(a_refused_polygon_leaves_no_trace) {
    pv_world *world = pv_world_create(NULL, NULL);
    const pv_vec2 wide[3] = {{-1.5e7, 0}, {1.5e7, 0}, {0, 1e6}},
                  fast[3] = {{0, 0}, {1e7, 0}, {0, 9}};
    pv_polygon_def def = pv_polygon_def_default();
    pv_error error;
    uint64_t before = pv_world_compute_hash(world);
    def.point_count = 3;
    def.points = wide;
    pv_polygon_create(world, &def, &error);
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    ck_assert_str_eq(error.field, "size of def.points");
    ck_assert_uint_eq(pv_world_compute_hash(world), before);
    def.points = fast;
    def.angular_velocity = 100;
    pv_polygon_create(world, &def, &error);
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    ck_assert_str_eq(error.field, "velocity of a corner");
    ck_assert_uint_eq(pv_world_compute_hash(world), before);
    pv_world_destroy(world);
}
END_TEST

RUN_SUITE("polygon", a_refused_polygon_leaves_no_trace, polygons_sleep_and_wake_together,
          a_polygon_wakes_the_sprites_below, what_sleeps_is_not_moved_and_is_hit_as_whole,
          sleepers_go_on_from_a_snapshot, what_drifts_does_not_sleep, pieces_are_the_outline,
          pieces_are_few, shares_have_the_areas_center, bad_outlines_are_refused, lambda_by_hand,
          polygons_conserve_momentum, particles_and_polygons_conserve_momentum,
          sprites_and_polygons_conserve_momentum, a_free_polygon_keeps_its_spin,
          one_pinned_corner_is_a_pivot_and_two_hold, a_box_does_not_creep, slopes_hold_or_let_go,
          restitution_is_that_of_the_height, sixteen_boxes_stand, a_heap_comes_to_rest,
          a_star_rests_in_a_notch, inner_edges_are_not_felt, beams_hold_the_shape,
          beams_are_not_too_many, a_particle_lies_on_a_polygon, nothing_fast_goes_through,
          sprites_lie_on_polygons, sleepers_wake, discs_stand_for_edges, polygons_are_read,
          either_way_round, a_polygon_goes_with_its_corner, beams_may_go, bad_defs_are_refused,
          stale_names_say_so, no_memory_leaves_all_whole, a_step_without_memory_says_so,
          runs_repeat)
