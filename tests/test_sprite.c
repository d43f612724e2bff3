/* test_sprite.c - placed sprites against sets of world pixels and against plane geometry.
 *
 * Invariant: shared pixels are those of whole collision bitmaps. Shapes are compared with every
 * solid pixel's rectangle on its own.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/math.h"
#include "placed/placed.h"
#include "placed/placed_query.h"
#include "support.h"

static double random_scale(void) { return (any_within(1) < 0 ? -1 : 1) * (0.4 + 2 * any_unit()); }

/// Returns a placed mask: upright on whole pixels, upright anywhere, or in any pose.
static pv_placed random_placed(const pv_mask *mask, double spread) {
    pv_placed p = {mask, pv_transform_identity()};
    pv_transform *t = &p.transform;
    int kind = any_int(0, 3);
    t->position = any_place(spread);
    t->pivot = any_place(20);
    if (kind == 0) t->position = pv__vec(floor(t->position.x), floor(t->position.y));
    if (kind == 0) t->pivot = pv__vec(0, 0);
    if (kind >= 2) t->rotation = pv__rotation(any_within(7));
    if (kind == 3) t->scale = pv__vec(random_scale(), random_scale());
    return p;
}

static pv_placed upright(const pv_mask *mask, double x, double y) {
    pv_placed p = {mask, pv_transform_identity()};
    p.transform.position = pv__vec(x, y);
    return p;
}

START_TEST(centered_masks_turn_about_their_middle) {
    scoped_mask *mask = any_mask(31, 14, 50);
    for (int i = 0; i < 200; i++) {
        pv_vec2 at = {any_within(90), any_within(90)};
        double angle = any_within(7);
        pv_placed p = pv_placed_centered(mask, at, angle);
        ck_assert_int_eq(pv__placed_check(&p), PV_OK);
        for (int k = 0; k < 4; k++) {
            double x = k & 1 ? 15.5 : -15.5, y = k & 2 ? 7 : -7;
            pv_vec2 corner = pv_transform_to_world(&p.transform, (pv_vec2){15.5 + x, 7 + y});
            ck_assert_vec_eq_tol(corner, at.x + cos(angle) * x - sin(angle) * y,
                                 at.y + sin(angle) * x + cos(angle) * y, 1e-9);
        }
    }
    const pv_vec2 here = {1, 2};
    ck_assert_ptr_null(pv_placed_centered(mask, here, 1e7).mask);
    ck_assert_ptr_null(pv_placed_centered(mask, pv__vec(0, 2 * PV_MAX_COORDINATE), 0).mask);
    ck_assert_ptr_eq(pv_placed_centered(mask, here, 0).mask, mask);
}

/* ---- bitmaps ---- */

/// Whole collision bitmap
typedef struct bitmap {
    pv_mask *mask;
    pv_rect at;
} bitmap;

static bitmap bitmap_of(const pv_placed *p) {
    bitmap b;
    b.mask = pv_mask_transform(p->mask, &p->transform, &b.at, NULL, NULL);
    ck_assert_ptr_nonnull(b.mask);
    return b;
}

static bool has(const bitmap *b, int x, int y) {
    return pv_mask_get_pixel(b->mask, x - b->at.x, y - b->at.y);
}

/// Returns how many pixels two bitmaps share, with b moved by (i, j).
static int64_t shared_at(const bitmap *a, const bitmap *b, int i, int j) {
    return pv_mask_compute_overlap_area(a->mask, b->mask, b->at.x - a->at.x + i,
                                        b->at.y - a->at.y + j);
}

static void check_gradient(const bitmap *a, const bitmap *b, const pv_overlap *o) {
    double gx = (double)(shared_at(a, b, 1, 0) - shared_at(a, b, -1, 0)),
           gy = (double)(shared_at(a, b, 0, 1) - shared_at(a, b, 0, -1)), length = hypot(gx, gy);
    pv_vec2 alone = {7, 7};
    ck_assert_double_eq_tol(hypot(o->normal.x, o->normal.y), 1, 1e-12);
    ck_assert(pv_mask_compute_overlap_normal(a->mask, b->mask, b->at.x - a->at.x, b->at.y - a->at.y,
                                             &alone) == (length > 0));
    if (length == 0) return;
    ck_assert_vec_eq_tol(alone, -gx / length, -gy / length, 1e-12);
    ck_assert_vec_eq_tol(o->normal, -gx / length, -gy / length, 1e-12);
    ck_assert_double_eq_tol(o->depth, 2.0 * (double)o->area / length, 1e-9);
}

static void check_pair(const pv_placed *p, const pv_placed *q) {
    bitmap a = bitmap_of(p), b = bitmap_of(q);
    scoped_mask *common = pv_mask_copy(a.mask, NULL);
    pv_mask_combine(common, b.mask, b.at.x - a.at.x, b.at.y - a.at.y, PV_COMBINE_AND);
    int64_t count = pv_mask_count_pixels(common);
    pv_overlap o, back;
    ck_assert(pv_placed_test_overlap(p, q) == (count > 0));
    ck_assert(pv_placed_test_overlap(q, p) == (count > 0));
    ck_assert_int_eq(pv_placed_compute_overlap_area(p, q), count);
    ck_assert_int_eq(pv_placed_compute_overlap_area(q, p), count);
    ck_assert(pv_placed_compute_overlap(p, q, &o) == (count > 0));
    ck_assert(pv_placed_compute_overlap(q, p, &back) == (count > 0));
    ck_assert_int_eq(o.area, count);
    if (count > 0) {
        pv_vec2 middle = pv_mask_compute_mass(common).centroid;
        pv_rect box = WITH(pv_mask_compute_bounds(common), it.x += a.at.x, it.y += a.at.y);
        ck_assert_vec_eq_tol(o.point, a.at.x + middle.x, a.at.y + middle.y, 1e-9);
        ck_assert_mem_eq(&o.bounds, &box, sizeof box);
        ck_assert_mem_eq(&back.bounds, &box, sizeof box);
        check_gradient(&a, &b, &o);
        check_gradient(&b, &a, &back);
    }
    release_masks(a.mask, b.mask);
}

START_TEST(pairs_share_what_their_bitmaps_share) {
    for (int i = 0; i < 1500; i++) {
        scoped_mask *m = any_mask(any_int(1, 70), any_int(1, 40), i % 3 ? 40 : 100);
        scoped_mask *n = any_mask(any_int(1, 40), any_int(1, 70), i % 5 ? 60 : 3);
        pv_placed p = random_placed(m, 30), q = random_placed(n, 30);
        check_pair(&p, &q);
    }
}

/// Masks so large that they take several tiles, in all combinations of turned and upright.
START_TEST_FOR(tiles_add_up, i, 12) {
    scoped_mask *m = any_mask(700, 290, 50), *n = any_mask(520, 330, 50);
    pv_placed p = upright(m, 3.3, -7.7), q = upright(n, 60, 40);
    if (i & 1) p.transform.rotation = pv__rotation(any_within(7));
    if (i & 2) q.transform.rotation = pv__rotation(any_within(7));
    if (i & 4) q.transform.scale = pv__vec(1.3, -0.8);
    check_pair(&p, &q);
}

/// Returns a large mask with a few small dots.
static pv_mask *sprinkle(int dots) {
    pv_mask *mask = pv_mask_create(700, 700, NULL, NULL);
    for (int i = 0; i < dots; i++)
        pv_mask_fill_rect(mask, (pv_rect){any_int(0, 690), any_int(0, 690), 9, 9}, true);
    return mask;
}

/// Turned, stretched and mirrored pictures that hardly share a pixel.
START_TEST(large_and_nearly_empty_ones_hit_by_single_dots) {
    int hits = 0;
    for (int i = 0; i < 40; i++) {
        pv_mask *m = sprinkle(20), *n = sprinkle(20);
        pv_placed p = {m, pv_transform_identity()}, q = {n, pv_transform_identity()};
        p.transform.pivot = q.transform.pivot = pv__vec(350, 350);
        p.transform.rotation = pv__rotation(any_within(7));
        q.transform.rotation = pv__rotation(any_within(7));
        if (i & 1) q.transform.scale = pv__vec(-1.2, 0.9);
        bitmap a = bitmap_of(&p), b = bitmap_of(&q);
        bool hit = shared_at(&a, &b, 0, 0) > 0;
        ck_assert(pv_placed_test_overlap(&p, &q) == hit);
        hits += hit;
        release_masks(a.mask, b.mask, m, n);
    }
    ck_assert(hits > 5 && hits < 35);
}

/* ---- normals where the gradient vanishes ---- */

START_TEST(fallback_normals_lead_the_shortest_way_out) {
    scoped_mask *big = box_mask(40, 30), *small = box_mask(4, 4), *huge = box_mask(600, 500);
    const struct {
        pv_mask *mask;
        double x, y;
        int normal_x, normal_y, depth;
    } cases[] = {{big, 30, 13, 1, 0, 10},
                 {big, 18, 13, 0, -1, 17}, /* 17 px up and down: up wins */
                 {small, 0, 0, 1, 0, 4},
                 {huge, 398, 248, 1, 0, 64}, /* too deep: from center to center */
                 {huge, 298, 248, 0, -1, 64}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        pv_placed p = upright(cases[i].mask, 0, 0), q = upright(small, cases[i].x, cases[i].y);
        pv_overlap o;
        ck_assert(pv_placed_compute_overlap(&p, &q, &o));
        ck_assert(o.normal.x == cases[i].normal_x && o.normal.y == cases[i].normal_y);
        ck_assert_double_eq(o.depth, cases[i].depth);
    }
}

/* ---- separation ---- */

/// Finds the shortest whole-pixel way that leaves nothing shared, by trying all shorter ones.
static void brute_separation(const bitmap *a, const bitmap *b, int way[2]) {
    int64_t best = INT64_MAX;
    for (int n = 0; (int64_t)n * n < best; n++)
        for (int side = -1; side <= 1; side += 2)
            for (int m = 0; m < 400; m++)
                for (int hand = 1; hand >= -1; hand -= 2) {
                    int64_t square = (int64_t)m * m + (int64_t)n * n;
                    if (square >= best || shared_at(a, b, hand * m, side * n)) continue;
                    best = square;
                    way[0] = hand * m;
                    way[1] = side * n;
                }
}

static void check_way(const pv_placed *p, const pv_placed *q, int x, int y) {
    pv_vec2 got;
    ck_assert_int_eq(pv_placed_compute_mtv(p, q, &got), PV_OK);
    ck_assert_msg(got.x == x && got.y == y, "%g %g, not %d %d", got.x, got.y, x, y);
}

static void check_separation(const pv_placed *p, const pv_placed *q) {
    bitmap a = bitmap_of(p), b = bitmap_of(q);
    int way[2] = {0, 0};
    brute_separation(&a, &b, way);
    check_way(p, q, way[0], way[1]);
    release_masks(a.mask, b.mask);
}

START_TEST(separations_are_the_shortest) {
    for (int i = 0; i < 250; i++) {
        scoped_mask *m = any_mask(any_int(1, 30), any_int(1, 20), i % 3 ? 30 : 100);
        scoped_mask *n = any_mask(any_int(1, 14), any_int(1, 24), i % 2 ? 60 : 5);
        pv_placed p = random_placed(m, 6), q = random_placed(n, 6);
        if (i % 7 == 0) q.transform.scale = pv__vec(2, 2);
        check_separation(&p, &q);
    }
}

START_TEST(separations_reach_far) {
    scoped_mask *huge = box_mask(900, 700), *small = disc_mask(9);
    pv_placed p = upright(huge, 0, 0), q = upright(small, 300, 500);
    check_way(&p, &q, 0, 200);
    check_way(&q, &p, 0, -200);
    q.transform.position.x = 2000;
    check_way(&p, &q, 0, 0);
}

/* ---- distance ---- */

static int64_t brute_distance(const bitmap *a, const bitmap *b) {
    int64_t best = INT64_MAX;
    for (int i = 0; i < a->at.w * a->at.h; i++) {
        int ax = i % a->at.w, ay = i / a->at.w;
        if (!pv_mask_get_pixel(a->mask, ax, ay)) continue;
        for (int j = 0; j < b->at.w * b->at.h; j++) {
            int bx = j % b->at.w, by = j / b->at.w;
            if (!pv_mask_get_pixel(b->mask, bx, by)) continue;
            int64_t x = llabs((int64_t)(b->at.x + bx) - (a->at.x + ax)) - 1;
            int64_t y = llabs((int64_t)(b->at.y + by) - (a->at.y + ay)) - 1;
            int64_t square = (x > 0 ? x * x : 0) + (y > 0 ? y * y : 0);
            best = square < best ? square : best;
        }
    }
    return best;
}

/// Tells whether a point is on the closed square of a solid pixel.
static bool on(const bitmap *b, pv_vec2 p) {
    int x = (int)floor(p.x), y = (int)floor(p.y);
    for (int j = y - (p.y == y); j <= y; j++)
        for (int i = x - (p.x == x); i <= x; i++)
            if (has(b, i, j)) return true;
    return false;
}

static void check_distance(const pv_placed *p, const pv_placed *q) {
    bitmap a = bitmap_of(p), b = bitmap_of(q);
    pv_distance_result got;
    int64_t square = brute_distance(&a, &b);
    pv_status status = pv_placed_compute_distance(p, q, &got);
    ck_assert_int_eq(status, square == INT64_MAX ? PV_ERROR_EMPTY : PV_OK);
    if (square == INT64_MAX) {
        ck_assert(got.distance == 0);
    } else {
        ck_assert_double_eq_tol(got.distance, sqrt((double)square), 1e-12);
        ck_assert_double_eq_tol(hypot(got.point_b.x - got.point_a.x, got.point_b.y - got.point_a.y),
                                got.distance, 1e-12);
        ck_assert(on(&a, got.point_a) && on(&b, got.point_b));
    }
    release_masks(a.mask, b.mask);
}

START_TEST(distances_are_the_least) {
    for (int i = 0; i < 700; i++) {
        scoped_mask *m = any_mask(any_int(1, 70), any_int(1, 30), i % 4 ? 4 : 50);
        scoped_mask *n = any_mask(any_int(1, 30), any_int(1, 30), i % 3 ? 2 : 30);
        pv_placed p = random_placed(m, 20), q = random_placed(n, i % 2 ? 30 : 300);
        check_distance(&p, &q);
    }
}

START_TEST(distances_far_apart) {
    pv_distance_result near;
    scoped_mask *ball = disc_mask(8);
    pv_placed p = upright(ball, -16e6, 0), q = upright(ball, 16e6, 12e6);
    q.transform.rotation = pv__rotation(1);
    ck_assert_int_eq(pv_placed_compute_distance(&p, &q, &near), PV_OK);
    ck_assert_double_eq_tol(near.distance, hypot(32e6, 12e6), 40);
}

/* ---- shapes ---- */

/// Returns the fraction of a way at which a coordinate enters low...low + 1. Sets where it leaves.
static double between(double from, double to, int low, double *out) {
    double way = to - from, in = (low - from) / way, beyond = (low + 1 - from) / way;
    if (fabs(way) < 1e-15) return from >= low && from <= low + 1 ? 0 : 2;
    *out = fmin(*out, fmax(in, beyond));
    return fmin(in, beyond);
}

/// Returns where a way enters a solid pixel; > 1: never. Sets *grazes if it barely does.
static double first_entry(const pv_placed *p, pv_vec2 from, pv_vec2 to, bool *grazes) {
    pv_vec2 a = pv_transform_to_local(&p->transform, from),
            b = pv_transform_to_local(&p->transform, to);
    double best = 2;
    for (int y = 0; y < pv_mask_get_height(p->mask); y++)
        for (int x = 0; x < pv_mask_get_width(p->mask); x++) {
            if (!pv_mask_get_pixel(p->mask, x, y)) continue;
            double out = 1, in = fmax(0, between(a.x, b.x, x, &out));
            in = fmax(in, between(a.y, b.y, y, &out));
            if (fabs(out - in) < 1e-9) *grazes = true;
            if (in <= out) best = fmin(best, in);
        }
    return best;
}

static void check_hit(const pv_placed *p, pv_vec2 from, pv_vec2 to, const pv_ray_hit *hit,
                      double t) {
    ck_assert_double_eq_tol(hit->fraction, t, 1e-9);
    ck_assert(pv_mask_get_pixel(p->mask, hit->x, hit->y));
    ck_assert_double_eq_tol(hit->point.x, from.x + hit->fraction * (to.x - from.x), 1e-9);
    if (hit->fraction == 0) {
        ck_assert(hit->normal.x == 0 && hit->normal.y == 0 && pv_placed_test_point(p, from));
        return;
    }
    ck_assert_double_eq_tol(hypot(hit->normal.x, hit->normal.y), 1, 1e-9);
    ck_assert(hit->normal.x * (to.x - from.x) + hit->normal.y * (to.y - from.y) < 1e-9);
    /* just beyond the edge it is the pixel, just before it is not */
    pv_vec2 in = pv__mad(hit->point, -1e-5, hit->normal),
            off = pv__mad(hit->point, 1e-5, hit->normal),
            m = pv_transform_to_local(&p->transform, in),
            out = pv_transform_to_local(&p->transform, off);
    bool inside = floor(m.x) == hit->x && floor(m.y) == hit->y;
    bool outside = floor(out.x) != hit->x || floor(out.y) != hit->y;
    ck_assert((inside && outside) ||
              (fabs(m.x - round(m.x)) < 1e-4 && fabs(m.y - round(m.y)) < 1e-4));
}

START_TEST(segments_meet_the_first_pixel) {
    int hits = 0;
    for (int i = 0; i < 6000; i++) {
        scoped_mask *m = any_mask(any_int(1, 40), any_int(1, 40), i % 3 ? 4 : 40);
        pv_placed p = random_placed(m, 10);
        pv_vec2 from = any_place(80), to = any_place(80);
        if (i % 5 == 0) to.y = from.y = floor(from.y) + 0.5;
        pv_ray_hit hit;
        bool grazes = false;
        double t = first_entry(&p, from, to, &grazes);
        bool got = pv_placed_cast_segment(&p, from, to, &hit);
        ck_assert(grazes || got == (t <= 1));
        if (got && !grazes) {
            check_hit(&p, from, to, &hit, t);
            hits++;
        }
    }
    ck_assert_int_gt(hits, 500);
}

/// Casts a segment 16 times as long as a way. The fraction is that of one way.
static bool cast_far(const pv_placed *p, pv_vec2 from, pv_vec2 way, pv_ray_hit *hit) {
    bool met = pv_placed_cast_segment(p, from, pv__mad(from, 16, way), hit);
    hit->fraction *= 16;
    return met;
}

START_TEST(segments_along_edges_and_corners) {
    scoped_mask *m = box_mask(4, 4);
    pv_placed p = upright(m, 0, 0);
    pv_ray_hit hit;
    ck_assert(
        cast_far(&p, pv__vec(-10, 0), pv__vec(1, 0), &hit)); /* the upper edge belongs to it */
    ck_assert(hit.fraction == 10 && hit.normal.x == -1 && hit.x == 0 && hit.y == 0);
    ck_assert(!cast_far(&p, pv__vec(-10, 4), pv__vec(1, 0), &hit)); /* the lower does not */
    ck_assert(hit.fraction == 0);
    ck_assert(cast_far(&p, pv__vec(-3, -3), pv__vec(1, 1), &hit));
    ck_assert(hit.fraction == 3 && hit.x == 0 && hit.y == 0);
    ck_assert(cast_far(&p, pv__vec(4, 2.5), pv__vec(-1, 0), &hit));
    ck_assert(hit.fraction == 0 && hit.normal.x == 1 && hit.x == 3);
    ck_assert(!cast_far(&p, pv__vec(4, 2.5), pv__vec(1, 0), &hit));
    ck_assert(cast_far(&p, pv__vec(1, 1), pv__vec(0, 0), &hit));
    ck_assert(hit.fraction == 0 && hit.normal.x == 0);
    ck_assert(!cast_far(&p, pv__vec(9, 1), pv__vec(0, 0), &hit));
    ck_assert(pv_placed_test_point(&p, pv__vec(0, 0)) && !pv_placed_test_point(&p, pv__vec(4, 0)));
}

START_TEST(discs_meet_what_is_near) {
    for (int i = 0; i < 4000; i++) {
        scoped_mask *m = any_mask(any_int(1, 80), any_int(1, 20), 4);
        pv_placed p = random_placed(m, 10);
        const pv_transform *t = &p.transform;
        pv_vec2 center = any_place(60);
        double radius = 0.01 + 30 * any_unit(), best = HUGE_VAL;
        pv_vec2 arm = pv__unrotate(t->rotation, pv__sub(center, t->position));
        for (int y = 0; y < pv_mask_get_height(m); y++)
            for (int x = 0; x < pv_mask_get_width(m); x++) {
                if (!pv_mask_get_pixel(m, x, y)) continue;
                double u = (x + 0.5 - t->pivot.x) * t->scale.x - arm.x,
                       v = (y + 0.5 - t->pivot.y) * t->scale.y - arm.y;
                best = fmin(best, hypot(fmax(fabs(u) - fabs(t->scale.x) / 2, 0),
                                        fmax(fabs(v) - fabs(t->scale.y) / 2, 0)));
            }
        if (fabs(best - radius) > 1e-9)
            ck_assert(pv__placed_circle(&p, center, radius) == (best < radius));
    }
}

/// Returns the least overlap of two convex quadrilaterals along their edge normals; < 0: apart.
static double overlap_of(const pv_vec2 a[4], const pv_vec2 b[4]) {
    double least = HUGE_VAL;
    for (int i = 0; i < 8; i++) {
        const pv_vec2 *of = i < 4 ? a : b;
        pv_vec2 edge = pv__sub(of[(i + 1) & 3], of[i & 3]),
                n = pv__perp(pv__mul(1 / pv__length(edge), edge));
        double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
        for (int k = 0; k < 8; k++) {
            double d = pv__dot(n, k < 4 ? a[k] : b[k & 3]);
            low[k / 4] = fmin(low[k / 4], d);
            high[k / 4] = fmax(high[k / 4], d);
        }
        least = fmin(least, fmin(high[0] - low[1], high[1] - low[0]));
    }
    return least;
}

START_TEST(rectangles_meet_what_they_cover) {
    for (int i = 0; i < 3000; i++) {
        scoped_mask *m = any_mask(any_int(1, 80), any_int(1, 20), 4);
        pv_placed p = random_placed(m, 10);
        pv_vec2 at = any_place(60);
        if (i % 3 == 0) at = pv__vec(floor(at.x), floor(at.y));
        pv_box box = {at, pv__add(at, pv__vec(1 + any_int(0, 40), 0.5 + any_int(0, 20)))};
        const pv_vec2 corners[4] = {
            box.min, {box.max.x, box.min.y}, box.max, {box.min.x, box.max.y}};
        double most = -HUGE_VAL;
        for (int y = 0; y < pv_mask_get_height(m); y++)
            for (int x = 0; x < pv_mask_get_width(m); x++) {
                if (!pv_mask_get_pixel(m, x, y)) continue;
                pv_vec2 cell[4];
                for (int k = 0; k < 4; k++)
                    cell[k] = pv_transform_to_world(&p.transform,
                                                    pv__vec(x + (k == 1 || k == 2), y + k / 2));
                most = fmax(most, overlap_of(corners, cell));
            }
        bool whole =
            p.transform.rotation.s == 0 && p.transform.scale.x == 1; /* ties are exact there */
        if (fabs(most) > 1e-9 || (whole && p.transform.pivot.x == 0))
            ck_assert(pv__placed_rectangle(&p, box) == (most > 0));
    }
}

/* ---- bad input and memory ---- */

static void check_refused(const pv_placed *bad, const pv_placed *good, pv_status why) {
    pv_overlap o;
    pv_vec2 way = {1, 1};
    pv_distance_result near;
    pv_ray_hit hit;
    ck_assert_int_eq(pv__placed_check(bad), why);
    ck_assert(!pv_placed_test_overlap(bad, good) && !pv_placed_test_overlap(good, bad));
    ck_assert(!pv_placed_compute_overlap(bad, good, &o) &&
              !pv_placed_compute_overlap(good, bad, NULL));
    ck_assert(pv_placed_compute_overlap_area(bad, good) == 0 && o.area == 0);
    ck_assert_int_eq(pv_placed_compute_mtv(good, bad, &way), why);
    ck_assert(way.x == 0 && way.y == 0);
    ck_assert_int_eq(pv_placed_compute_distance(bad, good, &near), why);
    ck_assert(!pv_placed_test_point(bad, pv__vec(1, 1)));
    ck_assert(!pv_placed_cast_segment(bad, pv__vec(-9, 1), pv__vec(9, 1), &hit) &&
              hit.fraction == 0);
}

START_TEST(bad_input_is_refused) {
    scoped_mask *m = box_mask(5, 5);
    pv_placed good = upright(m, 0, 0), bad[] = {good, good};
    bad[0].transform.scale.y = 0;
    bad[1].transform.pivot.y = -1e9;
    for (int i = 0; i < 2; i++) check_refused(&bad[i], &good, PV_ERROR_ARGUMENT);
    ck_assert(!pv_placed_test_point(&good, pv__vec(1e30, 1)));
    ck_assert(!pv__placed_circle(&good, pv__vec(1, 1), 0));
    ck_assert(!pv__placed_rectangle(&good, (pv_box){{1, 1}, {1, 4}}));
    ck_assert(!pv_placed_cast_segment(&good, pv__vec(-5, 1), pv__vec(-5 + 1e-12, 1), NULL));
    scoped_mask *sheet = box_mask(2000, 2000);
    pv_placed large = upright(sheet, 0, 0);
    pv_vec2 way;
    large.transform.scale = pv__vec(1000, 1000);
    large.transform.rotation = pv__rotation(0.5);
    ck_assert_int_eq(pv_placed_compute_mtv(&large, &large, &way), PV_ERROR_TOO_LARGE);
}

START_TEST(empty_masks_touch_nothing) {
    scoped_mask *none = pv_mask_create(0, 0, NULL, NULL), *clear = pv_mask_create(9, 9, NULL, NULL),
                *m = box_mask(9, 9);
    for (int i = 0; i < 4; i++) {
        pv_placed p = upright(i & 1 ? none : clear, 0, 0), q = upright(m, 0, 0);
        pv_distance_result near;
        pv_vec2 way;
        if (i & 2) p.transform.rotation = q.transform.rotation = pv__rotation(1);
        ck_assert(!pv_placed_test_overlap(&p, &q) && pv_placed_compute_overlap_area(&q, &p) == 0);
        ck_assert_int_eq(pv_placed_compute_distance(&p, &q, &near), PV_ERROR_EMPTY);
        ck_assert_int_eq(pv_placed_compute_mtv(&q, &p, &way), PV_OK);
        ck_assert(!pv_placed_cast_segment(&p, pv__vec(-5, 2), pv__vec(15, 2), NULL) &&
                  !pv__placed_circle(&p, pv__vec(2, 2), 3));
        ck_assert(!pv__placed_rectangle(&p, (pv_box){{-9, -9}, {9, 9}}));
    }
}

RUN_TESTS("sprite")
