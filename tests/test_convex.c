/* test_convex.c - manifolds of discs and convex polygons against closest points and parting lines.
 *
 * Invariant: oracles work in long double on corners and circles of the shapes, and try everything.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "bodies.h"

#include "collide/collide.h"

enum { ROUNDS = 1200 };

/// Greatest distance of surfaces in a manifold [px]
static const double REACH = 2;
/// Gap between a sliding body and the tiles [px]
static const double CLEAR = 0.002;

typedef struct vec {
    long double x, y;
} vec;

static vec sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y}; }
static vec mad(vec a, long double k, vec b) { return (vec){a.x + k * b.x, a.y + k * b.y}; }
static long double dot(vec a, vec b) { return a.x * b.x + a.y * b.y; }
static long double cross(vec a, vec b) { return a.x * b.y - a.y * b.x; }
static long double size(vec a) { return sqrtl(dot(a, a)); }
static vec vec_of(pv_vec2 v) { return (vec){v.x, v.y}; }

/* ---- the two bodies ---- */

static pv_vec2 random_velocity(uint64_t *seed, double most) {
    double x = next_between(seed, -most, most);
    return (pv_vec2){x, next_between(seed, -most, most)};
}

/// Returns a mask of a regular polygon, by pixel centers.
static pv_mask *polygon_mask(int side, int n, double turn) {
    pv_mask *m = pv_mask_create(side, side, NULL, NULL);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            bool in = true;
            for (int i = 0; i < n; i++) {
                double a = turn + 2 * M_PI * (i + 0.5) / n, k = 0.46 * side * cos(M_PI / n);
                in &= (x + 0.5 - 0.5 * side) * cos(a) + (y + 0.5 - 0.5 * side) * sin(a) < k;
            }
            if (in) pv_mask_set_pixel(m, x, y, true);
        }
    return m;
}

static pv_mask *polygon(int which) {
    switch (which % 4) {
    case 0: return box_mask(31, 18);
    case 1: return box_mask(7, 60);
    case 2: return polygon_mask(90, 3, 0.3);
    default: return polygon_mask(80, 5, 0.2);
    }
}

/// Shape of a body in the world
typedef struct figure {
    vec corner[PV__CORNERS], disc;
    int count;
    long double radius;
} figure;

static vec place(const pv__body *b, pv_vec2 at) {
    vec d = sub(vec_of(at), vec_of(b->pixels->pivot)), c = vec_of(b->pose.center);
    long double cosine = b->pose.turn.c, sine = b->pose.turn.s;
    return (vec){c.x + cosine * d.x - sine * d.y, c.y + sine * d.x + cosine * d.y};
}

static figure figure_of(const pv_world *w, int index) {
    const pv__body *b = &w->bodies.items[index];
    const pv__shape *shape = b->pixels->shape;
    figure f = {.count = shape->corner_count, .radius = shape->circle_radius};
    for (int i = 0; i < f.count; i++) f.corner[i] = place(b, pv__columns_at(&shape->corners, i));
    if (f.radius > 0) f.disc = place(b, shape->circle_center);
    return f;
}

static pv_world *pair_of(pv_mask *a, pv_mask *b, pv_vec2 at, double angle_a, double angle_b) {
    pv_world *w = plain_world(0, 0, false);
    pv_body_def def = WITH(pv_body_def_default(), it.angle = angle_a);
    put(w, a, 500, 300, def);
    def.angle = angle_b;
    put(w, b, 500 + at.x, 300 + at.y, def);
    return w;
}

/// Returns a world of two bodies at random angles, low...high apart in a random direction.
static pv_world *random_pair(uint64_t *seed, pv_mask *a, pv_mask *b, double low, double high) {
    double way = next_between(seed, low, high), angle = next_between(seed, -3, 3),
           angle_a = next_between(seed, -3, 3), angle_b = next_between(seed, -3, 3);
    return pair_of(a, b, (pv_vec2){way * cos(angle), way * sin(angle)}, angle_a, angle_b);
}

/// Storage for the points of a manifold.
typedef pv__contact_point presses[PV__MANIFOLD_POINTS];

/// Returns the manifold of two bodies, for their motion during a time ahead.
static pv__manifold meet(const pv_world *w, int a, int b, double ahead, presses room) {
    pv__manifold m = {.a = a, .b = b, .clearance = 4, .points = room};
    ck_assert(pv__collide_convex()->meet(w, &m, ahead, REACH, REACH));
    return m;
}

/// Places of a contact point on both surfaces, and the normal
typedef struct ends {
    vec on_a, on_b, n;
} ends;

static ends ends_of(const pv_world *w, const pv__manifold *m, int i) {
    const pv__contact_point *p = &m->points[i];
    const pv__body *a = &w->bodies.items[m->a], *b = &w->bodies.items[m->b];
    vec n = vec_of(p->normal);
    pv_vec2 in_a = pv__add(a->pixels->pivot, p->anchor_a),
            in_b = pv__add(b->pixels->pivot, p->anchor_b);
    return (ends){mad(place(a, in_a), p->radius_a, n), mad(place(b, in_b), -p->radius_b, n), n};
}

static long double from_segment(vec at, vec p, vec q, vec *nearest) {
    vec along = sub(q, p);
    long double t = dot(sub(at, p), along) / dot(along, along);
    *nearest = mad(p, fminl(1, fmaxl(0, t)), along);
    return size(sub(at, *nearest));
}

/// Returns the distance of a point from an outline. Sets the nearest point of it.
static long double from_outline(const figure *f, vec at, vec *nearest) {
    long double best = INFINITY;
    for (int i = 0; i < f->count; i++) {
        vec candidate;
        long double d = from_segment(at, f->corner[i], f->corner[(i + 1) % f->count], &candidate);
        if (d < best) best = d, *nearest = candidate;
    }
    return best;
}

static bool inside(const figure *f, vec at) {
    for (int i = 0; i < f->count; i++)
        if (cross(sub(f->corner[(i + 1) % f->count], f->corner[i]), sub(at, f->corner[i])) < 0)
            return false;
    return true;
}

static vec outward(const figure *f, int i) {
    vec along = sub(f->corner[(i + 1) % f->count], f->corner[i]);
    return (vec){along.y / size(along), -along.x / size(along)};
}

/// Returns the distance of q from a side of p; negative if q crosses it.
static long double before_side(const figure *p, int i, const figure *q) {
    long double least = INFINITY;
    for (int k = 0; k < q->count; k++)
        least = fminl(least, dot(outward(p, i), sub(q->corner[k], p->corner[i])));
    return least;
}

/// Returns the greatest distance of q from a side of p.
static long double parted_by(const figure *p, const figure *q) {
    long double most = -INFINITY;
    for (int i = 0; i < p->count; i++) most = fmaxl(most, before_side(p, i, q));
    return most;
}

static long double apart(const figure *p, const figure *q) {
    long double least = INFINITY;
    vec nearest;
    for (int i = 0; i < q->count; i++)
        least = fminl(least, from_outline(p, q->corner[i], &nearest));
    for (int i = 0; i < p->count; i++)
        least = fminl(least, from_outline(q, p->corner[i], &nearest));
    return least;
}

static bool is_near(long double a, long double b) { return fabsl(a - b) < 1e-9L; }

/// Checks that gap, anchors and normal of a contact point agree.
static void check_point(const pv_world *w, const pv__manifold *m, int i) {
    ends e = ends_of(w, m, i);
    vec over = sub(e.on_b, e.on_a);
    ck_assert(is_near(size(e.n), 1));
    ck_assert(is_near(dot(over, e.n), m->points[i].gap));
    ck_assert(fabsl(cross(over, e.n)) < 1e-9L); /* one lies straight over the other */
    ck_assert_double_le(m->points[i].gap, REACH);
    ck_assert_int_ne(m->points[i].key, 0);
}

/* ---- pairs of shapes ---- */

START_TEST(two_discs) {
    uint64_t seed = 1;
    for (int k = 0; k < ROUNDS; k++) {
        int r = 3 + k % 20, s = 3 + k % 7;
        scoped_world *w = random_pair(&seed, disc_mask(r), disc_mask(s), 0.05, r + s + 4);
        figure a = figure_of(w, 0), b = figure_of(w, 1);
        vec over = sub(b.disc, a.disc);
        long double clearance = size(over) - a.radius - b.radius;
        presses room;
        pv__manifold m = meet(w, 0, 1, 0.01, room);
        ck_assert(is_near(m.clearance, clearance));
        ck_assert_int_eq(m.count, clearance <= REACH);
        for (int i = 0; i < m.count; i++) {
            ends e = ends_of(w, &m, i);
            check_point(w, &m, i);
            ck_assert(is_near(dot(e.n, over), size(over)));
            ck_assert(is_near(size(sub(e.on_a, a.disc)), a.radius) &&
                      is_near(size(sub(e.on_b, b.disc)), b.radius));
            ck_assert(is_near(m.points[i].gap, clearance));
        }
    }
}

START_TEST(a_disc_and_a_polygon) {
    uint64_t seed = 2;
    int met = 0, crossed = 0;
    for (int k = 0; k < ROUNDS; k++) {
        scoped_world *w = random_pair(&seed, polygon(k), disc_mask(3 + k % 17), 0, 55);
        figure p = figure_of(w, 0), q = figure_of(w, 1);
        vec nearest;
        long double distance = from_outline(&p, q.disc, &nearest);
        bool in = inside(&p, q.disc);
        presses room;
        pv__manifold m = meet(w, 0, 1, 0.01, room);
        long double clearance = (in ? -distance : distance) - q.radius;
        ck_assert(is_near(m.clearance, clearance));
        ck_assert_int_eq(m.count, clearance <= REACH);
        for (int i = 0; i < m.count; i++) {
            ends e = ends_of(w, &m, i);
            check_point(w, &m, i);
            ck_assert(is_near(m.points[i].gap, clearance));
            ck_assert(is_near(dot(sub(q.disc, nearest), e.n), in ? -distance : distance));
            ck_assert(size(sub(e.on_a, nearest)) < 1e-8L);
            ck_assert(is_near(size(sub(e.on_b, q.disc)), q.radius));
            met++;
            crossed += in;
        }
    }
    ck_assert_int_gt(met, ROUNDS / 4);
    ck_assert_int_gt(crossed, ROUNDS / 20);
}

/// Checks that a point lies on one polygon and near the other, and that the normal is a side's.
static void check_ends(const figure *p, const figure *q, const ends *e) {
    const long double slack = 1 + 1e-9L;
    vec nearest;
    long double off_p = from_outline(p, e->on_a, &nearest),
                off_q = from_outline(q, e->on_b, &nearest);
    ck_assert(fminl(off_p, off_q) < 1e-9L);
    ck_assert(fmaxl(off_p, off_q) < slack);
    bool faces = false; /* the normal is that of a side of either */
    for (int i = 0; i < p->count; i++) faces |= dot(outward(p, i), e->n) > 1 - 1e-12L;
    for (int i = 0; i < q->count; i++) faces |= dot(outward(q, i), e->n) < -1 + 1e-12L;
    ck_assert(faces);
}

START_TEST(two_polygons) {
    uint64_t seed = 3;
    int met = 0, at_sides = 0;
    for (int k = 0; k < ROUNDS; k++) {
        scoped_world *w = random_pair(&seed, polygon(k), polygon(k / 4), 5, 75);
        figure a = figure_of(w, 0), b = figure_of(w, 1);
        long double parted = fmaxl(parted_by(&a, &b), parted_by(&b, &a)), clear = apart(&a, &b),
                    least = INFINITY;
        presses room;
        pv__manifold m = meet(w, 0, 1, 0.01, room);
        ck_assert(is_near(m.clearance, parted));
        ck_assert(parted < 0 || parted <= clear + 1e-9L);
        ck_assert_int_le(m.count, 2);
        if (parted > REACH) ck_assert_int_eq(m.count, 0);
        if (parted < REACH - 1.5L) ck_assert_int_ge(m.count, parted < 0);
        for (int i = 0; i < m.count; i++) {
            ends e = ends_of(w, &m, i);
            check_point(w, &m, i);
            check_ends(&a, &b, &e);
            least = fminl(least, m.points[i].gap);
            met++;
        }
        if (m.count > 0) { /* of equal distances, the first body's side counts */
            ck_assert(least > parted - 2e-3L);
            if (parted > 0 && is_near(parted, clear)) ck_assert(least < parted + 2e-3L);
            at_sides += parted > 0 && is_near(parted, clear);
        }
    }
    ck_assert_int_gt(met, ROUNDS / 4);
    ck_assert_int_gt(at_sides, ROUNDS / 50);
}

static int nearest_point(const pv__manifold *m, const pv__contact_point *p) {
    int best = 0;
    double least = INFINITY;
    for (int i = 0; i < m->count; i++) {
        pv_vec2 off = pv__sub(m->points[i].anchor_a, p->anchor_b);
        if (pv__dot(off, off) < least) least = pv__dot(off, off), best = i;
    }
    return best;
}

START_TEST(the_order_of_a_pair_mirrors_it) {
    uint64_t seed = 5;
    int mirrored = 0;
    for (int k = 0; k < ROUNDS; k++) {
        pv_mask *first = k % 3 ? polygon(k) : disc_mask(4 + k % 11);
        pv_mask *second = k % 5 ? polygon(k / 4) : disc_mask(4 + k % 13);
        scoped_world *w = random_pair(&seed, first, second, 3, 60);
        for (int i = 0; i < 2; i++) {
            w->bodies.items[i].velocity = random_velocity(&seed, 100);
            w->bodies.items[i].spin = next_between(&seed, -3, 3);
        }
        presses room, other;
        pv__manifold m = meet(w, 0, 1, 0.004, room), n = meet(w, 1, 0, 0.004, other);
        ck_assert_double_eq_tol(m.clearance, n.clearance, 1e-9);
        bool same_side = m.count == n.count && m.count > 0 &&
                         pv__dot(m.points[0].normal, n.points[0].normal) < -0.9999999;
        for (int i = 0; same_side && i < m.count; i++) {
            const pv__contact_point *p = &m.points[i], *q = &n.points[nearest_point(&n, p)];
            ck_assert_near(p->anchor_a, q->anchor_b, 1e-8);
            ck_assert_near(p->anchor_b, q->anchor_a, 1e-8);
            ck_assert_double_eq_tol(p->gap, q->gap, 1e-9);
            ck_assert(p->radius_a == q->radius_b && p->radius_b == q->radius_a);
        }
        mirrored += same_side;
        /* the order of bodies may matter only if sides are about equally far */
        if (m.count > 0 && n.count > 0 && !same_side)
            ck_assert_double_lt(fabs(m.points[0].gap - n.points[0].gap), 3);
    }
    ck_assert_int_gt(mirrored, ROUNDS / 4);
}

/* ---- approaching bodies ---- */

/// Returns when a moving point first is at radius from the origin; < 0: not within ahead.
static long double first_touch(vec from, vec speed, long double radius, long double ahead) {
    long double a = dot(speed, speed), b = dot(from, speed), c = dot(from, from) - radius * radius,
                root = b * b - a * c;
    if (c <= 0 || b >= 0 || root <= 0) return -1;
    long double t = (-b - sqrtl(root)) / a;
    return t < ahead ? t : -1;
}

START_TEST(discs_meet_where_they_will_touch_or_pass_by) {
    uint64_t seed = 6;
    int touched = 0, passed = 0;
    for (int k = 0; k < ROUNDS; k++) {
        double angle = next_between(&seed, -3, 3), ahead = 0.01;
        scoped_world *w =
            pair_of(disc_mask(9), disc_mask(6), (pv_vec2){16 * cos(angle), 16 * sin(angle)}, 0, 0);
        for (int i = 0; i < 2; i++) w->bodies.items[i].velocity = random_velocity(&seed, 400);
        figure a = figure_of(w, 0), b = figure_of(w, 1);
        vec from = sub(b.disc, a.disc);
        vec speed = sub(vec_of(w->bodies.items[1].velocity), vec_of(w->bodies.items[0].velocity));
        presses room;
        ck_assert_int_eq(meet(w, 0, 1, ahead, room).count, 1);
        vec n = vec_of(room[0].normal);
        long double t = first_touch(from, speed, a.radius + b.radius, ahead);
        if (t >= 0) {
            vec then = mad(from, t, speed);
            ck_assert(dot(then, n) > size(then) * (1 - 1e-9L));
            touched++;
        } else if (size(from) > a.radius + b.radius) { /* a disc that passes by is not slowed */
            ck_assert_double_gt(room[0].gap + (double)dot(speed, n) * ahead, -1e-9);
            passed += dot(speed, from) < 0;
        }
    }
    ck_assert_int_gt(touched, ROUNDS / 10);
    ck_assert_int_gt(passed, ROUNDS / 20);
}

/// Returns a mask of a disc or a box, and how far below its center it ends.
static pv_mask *slider(bool disc, double *depth) {
    pv_mask *m = disc ? disc_mask(9) : box_mask(18, 18);
    *depth = disc ? pv__shape_of_mask(m)->circle_radius : 9;
    return m;
}

/// Slides a body over tiles, created before or after them.
START_TEST_FOR(what_slides_over_tiles_is_not_slowed, k, 4) {
    bool disc = k & 1, first = k & 2;
    for (int speed = 20; speed <= 640; speed *= 2) {
        pv_world *w = awake_world(0, 320);
        double depth;
        pv_mask *mask = slider(disc, &depth);
        pv_body_def def = of_type(PV_BODY_DYNAMIC), tile = of_type(PV_BODY_STATIC);
        def.static_friction = def.friction = def.restitution = 0;
        tile.static_friction = tile.friction = tile.restitution = 0;
        def.velocity = (pv_vec2){speed, 0};
        pv_vec2 start = {0, -depth - CLEAR};
        pv_body_id b = first ? put(w, mask, start.x, start.y, def) : pv_null_body;
        for (int i = -1; i < 42; i++) put(w, box_mask(32, 32), 32 * i, 16, tile);
        if (!first) b = put(w, mask, start.x, start.y, def);
        for (int i = 0; i < 60; i++) {
            pv_world_step(w, 1.0 / 60);
            ck_assert_msg(fabs(pv_body_get_velocity(w, b).x - speed) < 1e-3 * speed,
                          "%s: %g of %d px/s", disc ? "disc" : "box", pv_body_get_velocity(w, b).x,
                          speed);
            ck_assert_double_eq_tol(pv_body_get_position(w, b).y, start.y, 0.1);
        }
        ck_assert_double_eq_tol(pv_body_get_position(w, b).x, speed, 1e-3 * speed);
    }
}

/// Boxes that meet at their corners stop each other, and neither turn nor swerve.
START_TEST(corners_that_meet_prefer_no_side) {
    for (int size = 8; size <= 64; size *= 2)
        for (int lean = 35; lean <= 55; lean += 10) {
            pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 0, NULL);
            pv_body_id boxes[2];
            double turn = lean * M_PI / 180, half = 0.5 * size * (cos(turn) + sin(turn)),
                   off = half + 0.1;
            for (int i = 0; i < 2; i++) {
                double side = i ? 1 : -1;
                boxes[i] = put(w, box_mask(size, size), side * off, 0,
                               WITH(pv_body_def_default(), it.angle = side * turn,
                                    it.restitution = 0, it.velocity = (pv_vec2){-side * 12, 0}));
            }
            for (int i = 0; i < 8; i++) pv_world_step(w, 1 / 60.0);
            for (int i = 0; i < 2; i++) {
                pv_vec2 v = pv_body_get_velocity(w, boxes[i]),
                        twin = pv_body_get_velocity(w, boxes[1 - i]);
                ck_assert_near(v, ((pv_vec2){-twin.x, twin.y}), 0.05);
                if (lean == 45)
                    ck_assert_double_lt(hypot(v.x, v.y) +
                                            size * fabs(pv_body_get_angular_velocity(w, boxes[i])),
                                        0.1);
            }
        }
}

RUN_TESTS_IN("convex", NULL, give_back, 1)
