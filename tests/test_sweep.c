/* test_sweep.c - the first touch of moving sprites, against tests at very many poses.
 *
 * Invariant: the oracle takes steps far shorter than a pixel; no touch is later, each hit is one.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "placed/placed.h"
#include "support.h"

#include <time.h>

/// Returns a sweep that stays at a place and angle, with its pivot in the middle.
static pv_swept still(const pv_mask *mask, double x, double y, double angle) {
    pv_swept m = {mask, pv_transform_identity(), pv_transform_identity()};
    m.from.pivot = pv__vec(0.5 * pv_mask_get_width(mask), 0.5 * pv_mask_get_height(mask));
    m.from.position = pv__vec(x, y);
    m.from.rotation = pv__rotation(angle);
    m.to = m.from;
    return m;
}

static pv_swept moving(const pv_mask *mask, pv_vec2 from, pv_vec2 to, double angle, double turn) {
    return WITH(still(mask, from.x, from.y, angle), it.to.position = to,
                it.to.rotation = pv__rotation(angle + turn));
}

static bool touch_at(const pv_swept *a, const pv_swept *b, double t) {
    pv_placed p = {a->mask, pv_swept_get_transform(a, t)},
              q = {b->mask, pv_swept_get_transform(b, t)};
    return pv_placed_test_overlap(&p, &q);
}

/// Returns the greatest displacement of a pixel of a sprite with its pivot in the middle [px].
static double motion_of(const pv_swept *m) {
    double turn = fabs(
        remainder(pv_rotation_get_angle(m->to.rotation) - pv_rotation_get_angle(m->from.rotation),
                  2 * PV__PI));
    double size = 0.5 * hypot(pv_mask_get_width(m->mask) * m->from.scale.x,
                              pv_mask_get_height(m->mask) * m->from.scale.y);
    return hypot(m->to.position.x - m->from.position.x, m->to.position.y - m->from.position.y) +
           turn * size;
}

/// Checks a hit: free at fraction, touching at touch_fraction, and only the tolerance in between.
static void check_hit(const pv_swept *a, const pv_swept *b, const pv_swept_hit *hit) {
    ck_assert(touch_at(a, b, hit->touch_fraction));
    ck_assert(hit->touch_fraction == 0 || !touch_at(a, b, hit->fraction));
    ck_assert(hit->fraction <= hit->touch_fraction && hit->fraction >= 0 &&
              hit->touch_fraction <= 1);
    ck_assert((hit->touch_fraction - hit->fraction) * (motion_of(a) + motion_of(b)) <=
              1.0 / 64 + 1e-9);
    ck_assert_double_eq_tol(hypot(hit->normal.x, hit->normal.y), 1, 1e-9);
    pv_placed p = {a->mask, pv_swept_get_transform(a, hit->touch_fraction)},
              q = {b->mask, pv_swept_get_transform(b, hit->touch_fraction)};
    pv_overlap o;
    ck_assert(pv_placed_compute_overlap(&p, &q, &o));
    ck_assert(o.point.x == hit->point.x && o.normal.y == hit->normal.y);
}

/// Returns the first of equal steps that touches, as a fraction; 2: none.
static double oracle(const pv_swept *a, const pv_swept *b, int steps) {
    for (int i = 0; i <= steps; i++)
        if (touch_at(a, b, (double)i / steps)) return (double)i / steps;
    return 2;
}

static void compare(const pv_swept *a, const pv_swept *b, int steps, int *later, int *touched) {
    pv_swept_hit hit;
    double expected = oracle(a, b, steps);
    bool got = pv_swept_cast(a, b, &hit);
    if (got) check_hit(a, b, &hit);
    *touched += expected <= 1;
    *later +=
        (got ? hit.touch_fraction : 2) > expected + 1.0 / 64 / (1e-9 + motion_of(a) + motion_of(b));
}

static pv_mask *random_mask(int most) {
    int kind = any_int(0, 2), w = any_int(1, most), h = any_int(1, most);
    if (kind == 0) return box_mask(w, h);
    if (kind == 1) return disc_mask((most + 1) / 2);
    pv_mask *m = pv_mask_create(w, h, NULL, NULL);
    for (int i = 0; i < w * h; i++) pv_mask_set_pixel(m, i % w, i / w, any_int(0, 2) > 0);
    return m;
}

START_TEST(upright_sprites_touch_when_their_bitmaps_do) {
    int later = 0, touched = 0;
    for (int i = 0; i < 300; i++) {
        scoped_mask *m = random_mask(12), *n = random_mask(i % 2 ? 1 : 30);
        pv_swept a = moving(m, any_place(50), any_place(50), 0, 0),
                 b = moving(n, any_place(50), any_place(50), 0, 0);
        if (i % 3 == 0) a.to = a.from;
        compare(&a, &b, 4000, &later, &touched);
    }
    ck_assert_int_eq(later, 0);
    ck_assert_int_gt(touched, 60);
}

START_TEST(turning_sprites_touch_no_later_than_seen) {
    int later = 0, touched = 0;
    for (int i = 0; i < 150; i++) {
        scoped_mask *m = random_mask(24), *n = random_mask(16);
        pv_swept a = moving(m, any_place(30), any_place(30), any_within(3), any_within(3)),
                 b = moving(n, any_place(60), any_place(60), any_within(3), any_within(3));
        if (i % 5 == 0) a.from.scale = a.to.scale = pv__vec(1.5, -0.8);
        compare(&a, &b, 8000, &later, &touched);
    }
    ck_assert_int_gt(touched, 40);
    ck_assert_int_le(later, touched / 50); /* grazes shorter than 1/16 px */
}

/// Sprites at scales below and above 1 are hit from a side, at all heights.
START_TEST(scaled_sprites_touch_no_later_than_seen) {
    static const double scales[] = {0.3, -0.7, 1.5, -4};
    int later = 0, touched = 0;
    scoped_mask *m = disc_mask(8), *n = box_mask(3, 3);
    for (int i = 0; i < 80; i++) {
        double scale = scales[i % 4], y = 8 * fabs(scale) * any_within(1);
        pv_swept a = still(m, 0, 0, 0), b = moving(n, pv__vec(-40, y), pv__vec(40, y), 0, 0);
        a.from.scale.y = a.to.scale.y = scale;
        compare(&a, &b, 6000, &later, &touched);
    }
    ck_assert_int_eq(later, 0);
    ck_assert_int_gt(touched, 70);
}

/// Walls of 1 px that stand, come or turn stop sprites of 1...64 px at up to 480,000 px/s.
START_TEST(no_speed_steps_over_a_wall) {
    int missed = 0;
    scoped_mask *wall = box_mask(1, 400);
    for (int i = 0; i < 4000; i++) {
        int size = 1 + (i % 64);
        double way = 8000 * any_unit() * any_unit() + 80, at = any_within(0.5);
        scoped_mask *m = i % 2 ? box_mask(size, size) : disc_mask((size + 1) / 2);
        double angle = any_within(1.2);
        pv_swept a = still(wall, 0.3, 0.2, i % 4 > 1 ? angle : 0);
        if (i % 8 > 3) a.to.position.x -= 40 * any_unit();
        if (i % 16 > 7)
            a.to.rotation = pv__rotation(pv_rotation_get_angle(a.from.rotation) + any_within(0.5));
        double side = i % 3 ? 1 : -1, height = any_within(20);
        pv_swept b =
            moving(m, pv__vec(-side * (way * (0.5 + at) + 240), height),
                   pv__vec(side * (way * (0.5 - at) + 240), height + any_within(20)), 0, 0);
        if (i % 5 == 0) b.to.rotation = pv__rotation(any_within(3));
        pv_swept_hit hit;
        if (!pv_swept_cast(&a, &b, &hit))
            missed++;
        else
            check_hit(&a, &b, &hit);
    }
    ck_assert_int_eq(missed, 0);
}

/// Turned and turning sprites of 1 and 2 px meet walls of 1 px, which each of them must cross.
START_TEST(turned_pixels_pass_no_wall) {
    pv_mask *wall = box_mask(1, 400), *sprites[2] = {box_mask(1, 1), box_mask(2, 2)};
    for (int i = 0; i < 4000; i++) {
        pv_swept a = still(wall, any_unit(), any_unit(), i & 1 ? any_within(1) : 0);
        pv_vec2 from = pv__vec(-300 - any_unit(), any_within(40));
        pv_vec2 to = pv__vec(300 + 7000 * any_unit(), any_within(40));
        pv_swept b =
            moving(sprites[i >> 1 & 1], from, to, any_within(3), i & 4 ? any_within(3) : 0);
        ck_assert(pv_swept_cast(&a, &b, NULL));
    }
    release_masks(wall, sprites[0], sprites[1]);
}

START_TEST(a_stick_turns_into_a_post) {
    int later = 0, touched = 0;
    scoped_mask *stick = box_mask(64, 2), *post = box_mask(1, 1);
    for (int i = 0; i < 60; i++) {
        double angle = 0.1 + 1.3 * i / 60, r = 5 + 25 * any_unit();
        pv_rotation d = pv__rotation(angle);
        pv_swept a = moving(stick, pv__vec(0.1, 0.2), pv__vec(0.1, 0.2), 0, PV__PI / 2);
        pv_swept b = still(post, r * d.c, r * d.s, 0);
        compare(&a, &b, 6000, &later, &touched);
    }
    ck_assert_int_eq(later, 0);
    ck_assert_int_eq(touched, 60);
}

START_TEST(turns_go_the_shorter_way) {
    scoped_mask *m = box_mask(4, 4);
    pv_swept a = moving(m, pv__vec(0, 0), pv__vec(10, 20), 3, 0.5);
    for (int i = 0; i <= 10; i++) {
        pv_transform t = pv_swept_get_transform(&a, i / 10.0);
        pv_rotation r = pv__rotation(3 + 0.05 * i);
        ck_assert_double_eq_tol(t.rotation.c, r.c, 1e-14);
        ck_assert_double_eq_tol(t.rotation.s, r.s, 1e-14);
        ck_assert_double_eq_tol(t.position.y, 2 * i, 1e-12);
    }
    ck_assert(pv_swept_get_transform(&a, 1).rotation.c == a.to.rotation.c &&
              pv_swept_get_transform(&a, -3).position.x == 0);
    a.from.rotation = (pv_rotation){1, 0};
    a.to.rotation = (pv_rotation){-1, 0};
    ck_assert(pv_swept_get_transform(&a, 0.5).rotation.s > 0.99); /* clockwise */
}

START_TEST(starting_inside_is_a_touch_at_once) {
    scoped_mask *m = box_mask(10, 10);
    pv_swept a = still(m, 0, 0, 0), b = moving(m, pv__vec(6, 0), pv__vec(100, 0), 0, 0);
    pv_swept_hit hit;
    ck_assert(pv_swept_cast(&a, &b, &hit));
    ck_assert(hit.fraction == 0 && hit.touch_fraction == 0 && hit.normal.x == 1);
    ck_assert(pv_swept_cast(&a, &a, &hit) && hit.touch_fraction == 0); /* neither moves */
    b = moving(m, pv__vec(10, 0), pv__vec(10, 900), 0, 0); /* slides along without touching */
    ck_assert(!pv_swept_cast(&a, &b, &hit) && hit.normal.x == 0);
}

START_TEST(far_ways_cost_little) {
    scoped_mask *m = disc_mask(16), *wall = box_mask(1, 4000);
    pv_swept a = still(wall, 500000.3, 0, 0), b = moving(m, pv__vec(0, 0), pv__vec(1e6, 30), 0, 1);
    pv_swept_hit hit;
    clock_t start = clock();
    for (int i = 0; i < 100; i++) ck_assert(pv_swept_cast(&a, &b, &hit));
    ck_assert_double_lt((double)(clock() - start) / CLOCKS_PER_SEC / 100, 0.01);
    check_hit(&a, &b, &hit);
    ck_assert_double_eq_tol(hit.touch_fraction * 1e6, 500000 - 16, 1.5);
}

START_TEST(bad_input_touches_nothing) {
    scoped_mask *m = box_mask(10, 10);
    pv_swept a = still(m, 0, 0, 0), bad[4] = {a, a, a, a};
    pv_swept_hit hit;
    bad[0].mask = NULL;
    bad[1].to.position.x = NAN;
    bad[2].to.scale.x = 2;
    bad[3].from.pivot.y = 1;
    ck_assert(!pv_swept_cast(NULL, &a, &hit) && !pv_swept_cast(&a, NULL, NULL));
    for (int i = 0; i < 4; i++) {
        ck_assert(!pv_swept_cast(&a, &bad[i], &hit) && hit.fraction == 0);
        ck_assert(!pv_swept_cast(&bad[i], &a, &hit) && hit.fraction == 0);
    }
    ck_assert(pv_swept_get_transform(NULL, 0.5).scale.x == 1 &&
              pv_swept_get_transform(&bad[3], 0.5).position.x == 0);
    ck_assert(pv_swept_get_transform(&a, NAN).scale.x == 1);
}

/// A sweep that is invalid, or needs too much work, counts as blocked.
START_TEST(what_is_not_known_is_not_free) {
    scoped_mask *m = box_mask(10, 10);
    pv_swept a = still(m, 0, 0, 0), b = moving(m, pv__vec(-50, 0), pv__vec(50, 0), 0, 0), bad = b;
    pv__way_hit hit;
    int64_t work = 1000000, none = 0;
    bad.to.rotation = (pv_rotation){1.1, 0};
    ck_assert(!pv_swept_cast(&a, &bad, NULL));
    ck_assert(pv__sweep_within(&a, &bad, &hit, &work) && hit.first.touch_fraction == -1 &&
              hit.first.fraction == 0);
    ck_assert(pv__sweep_within(&a, &b, &hit, &none) && hit.first.touch_fraction == -1 &&
              hit.first.fraction == 0);
    ck_assert(pv__sweep_within(&a, &b, &hit, &work) && hit.first.touch_fraction > 0 &&
              hit.inside == 0);
    ck_assert_double_eq_tol(hit.first.touch_fraction, 0.4, 0.011);
}

/// A body inside another may leave it, but not go deeper.
START_TEST(what_is_inside_goes_no_deeper) {
    scoped_mask *m = box_mask(10, 10);
    pv_swept a = still(m, 0, 0, 0), in = moving(m, pv__vec(8, 0), pv__vec(-8, 0), 0, 0),
             out = moving(m, pv__vec(8, 0), pv__vec(28, 0), 0, 0);
    pv__way_hit hit;
    int64_t work = 1000000;
    ck_assert(pv__sweep_within(&a, &in, &hit, &work));
    ck_assert(hit.inside == 20 && hit.first.touch_fraction > 0 &&
              hit.first.touch_fraction * 16 < 1.1);
    ck_assert(!pv__sweep_within(&a, &out, &hit, &work) && hit.inside == 20);
}

/// Returns a wall of single pixels on a diagonal, which touch only at corners.
static pv_mask *diagonal_wall(void) {
    pv_mask *wall = pv_mask_create(64, 64, NULL, NULL);
    for (int i = 0; i < 64; i++) pv_mask_set_pixel(wall, i, 63 - i, true);
    return wall;
}

/// Upright and turned pixels do not pass a line of pixels that touch only at corners.
START_TEST(no_pixel_passes_a_diagonal_wall) {
    scoped_mask *wall = diagonal_wall(), *pixel = box_mask(1, 1), *stick = box_mask(1, 4);
    for (int i = 0; i < 6000; i++) {
        bool upright = (i & 5) == 0;
        double along = any_within(15), far = 20 + (upright ? 8000 : 400) * any_unit(),
               angle = i & 1 ? any_within(3) : 0, turn = i & 4 ? any_within(3) : angle;
        pv_rotation r = pv__rotation(angle);
        pv_vec2 middle = pv__rotate(r, pv__vec(along, -along)),
                out = pv__rotate(r, pv__vec(far + any_within(9), far + any_within(9)));
        pv_swept a = still(wall, 0, 0, angle),
                 b = moving(i & 2 ? pixel : stick, pv__sub(middle, out), pv__add(middle, out), turn,
                            0);
        pv_swept_hit first;
        pv__way_hit hit;
        int64_t work = 1000000;
        ck_assert(pv__sweep_within(&a, &b, &hit, &work) && hit.first.touch_fraction > 0);
        if (!upright) continue;
        ck_assert(pv_swept_cast(&a, &b, &first));
        check_hit(&a, &b, &first);
    }
}

RUN_TESTS("sweep")
