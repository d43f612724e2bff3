/* test_contour.c - contours, distance fields, and bodies that rest, slide, roll and bounce on them.
 *
 * Invariant: expected values come from the drawn shapes, and from formulas of mechanics.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include "shape/distance_field.h"

#include <time.h>

/* ---- geometry ---- */

START_TEST(a_disc_is_round_and_says_so) {
    for (int r = 3; r <= 60; r++) {
        scoped_mask *m = disc_mask(r);
        const pv__shape *s = pv__shape_of_mask(m);
        double first = hypot(s->vertices[0].at.x - r, s->vertices[0].at.y - r);
        for (int i = 0; r >= 8 && i < s->count; i++) {
            const pv__vertex *v = &s->vertices[i];
            ck_assert_double_eq_tol(hypot(v->at.x - r, v->at.y - r), first, 1e-6);
            ck_assert_double_eq_tol(v->curvature, 1 / first, 1e-9);
            ck_assert_double_eq_tol(v->normal.x * first + r, v->at.x, 1e-6);
        }
        if (r >= 8) ck_assert_double_eq_tol(first, r, 0.15);
        double round = fmax(r, sqrt((double)pv_mask_count_pixels(m) / M_PI));
        ck_assert_double_eq_tol(s->circle_radius, round, 1e-9); /* no pixel row sticks out */
        ck_assert_vec_eq_tol(s->circle_center, r, r, 1e-6);
        ck_assert(s->corner_count == 0);
        pv_mask_set_pixel(m, r, r, false); /* a hole: no longer a disc */
        ck_assert_double_eq(pv__shape_of_mask(m)->circle_radius, 0);
    }
}

/// Returns a mask of a regular polygon, by pixel centers, and its corners.
static pv_mask *polygon_mask(int size, int n, double turn, pv_vec2 corners[]) {
    pv_mask *m = pv_mask_create(size, size, NULL, NULL);
    for (int i = 0; i < n; i++) {
        double a = turn + 2 * M_PI * i / n;
        corners[i] =
            (pv_vec2){size / 2.0 + 0.46 * size * cos(a), size / 2.0 + 0.46 * size * sin(a)};
    }
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            bool in = true;
            for (int i = 0; i < n; i++) {
                pv_vec2 p = corners[i], q = corners[(i + 1) % n];
                in &= (q.x - p.x) * (y + 0.5 - p.y) - (q.y - p.y) * (x + 0.5 - p.x) > 0;
            }
            if (in) pv_mask_set_pixel(m, x, y, true);
        }
    return m;
}

START_TEST(drawn_polygons_come_back_as_they_were_drawn) {
    for (int n = 3; n <= 6; n++)
        for (int k = 0; k < 8; k++) {
            pv_vec2 corners[6];
            scoped_mask *m = polygon_mask(72, n, 0.11 + k * 0.17, corners);
            const pv__shape *s = pv__shape_of_mask(m);
            for (int i = 0; i < s->count; i++) { /* no vertex is far from the drawn outline */
                double nearest = INFINITY;
                for (int j = 0; j < n; j++) {
                    pv_vec2 p = corners[j], q = corners[(j + 1) % n], at = s->vertices[i].at;
                    double l = hypot(q.x - p.x, q.y - p.y),
                           t = ((at.x - p.x) * (q.x - p.x) + (at.y - p.y) * (q.y - p.y)) / l;
                    double d = ((q.x - p.x) * (at.y - p.y) - (q.y - p.y) * (at.x - p.x)) / l;
                    if (t > -1.5 && t < l + 1.5) nearest = fmin(nearest, fabs(d));
                }
                ck_assert_msg(nearest < 0.6, "%d corners, turn %d: vertex %g px off", n, k,
                              nearest);
            }
        }
}

/// Returns a box with a lid in the middle of its upper or left side.
static pv_mask *lidded_mask(int size, int lid, int high, bool level) {
    pv_mask *m = pv_mask_create(size, size, NULL, NULL);
    pv_rect body = {0, high, size, size - high}, top = {(size - lid) / 2, 0, lid, high};
    pv_mask_fill_rect(m, level ? (pv_rect){body.y, body.x, body.h, body.w} : body, true);
    pv_mask_fill_rect(m, level ? (pv_rect){top.y, top.x, top.h, top.w} : top, true);
    return m;
}

START_TEST(symmetric_pictures_have_symmetric_contours) {
    for (int lid = 2; lid < 30; lid += 2)
        for (int high = 1; high <= 3; high++)
            for (int level = 0; level < 2; level++) {
                scoped_mask *m = lidded_mask(32, lid, high, level);
                const pv__shape *s = pv__shape_of_mask(m);
                for (int i = 0; i < s->count; i++) {
                    pv_vec2 at = s->vertices[i].at, nearest,
                            mirror = level ? pv__vec(at.x, 32 - at.y) : pv__vec(32 - at.x, at.y);
                    ck_assert(pv__shape_find_nearest(s, mirror, &nearest));
                    ck_assert_double_le(pv__length(pv__sub(nearest, mirror)), 0.03);
                    if (fabs((level ? at.y : at.x) - 16) < 0.5 * lid - 1) /* the lid is flat */
                        ck_assert(level ? at.x < 1e-9 || at.x > 31.9 : at.y < 1e-9 || at.y > 31.9);
                }
            }
}

START_TEST(the_field_is_the_distance) {
    scoped_mask *box = box_mask(40, 24), *disc = disc_mask(16);
    const pv__shape *b = pv__shape_of_mask(box), *d = pv__shape_of_mask(disc);
    uint64_t seed = 3;
    double radius = hypot(d->vertices[0].at.x - 16, d->vertices[0].at.y - 16);
    for (int i = 0; i < 4000; i++) {
        pv_vec2 p = {-3 + 46 * next_unit(&seed), -3 + 30 * next_unit(&seed)}, g;
        double ox = fmax(-p.x, p.x - 40), oy = fmax(-p.y, p.y - 24);
        double expected = ox > 0 || oy > 0 ? hypot(fmax(ox, 0), fmax(oy, 0)) : fmax(ox, oy);
        if (fabs(expected) < 7.5) ck_assert_double_eq_tol(pv__field_at(b, p, NULL), expected, 0.12);
        p = (pv_vec2){-3 + 38 * next_unit(&seed), -3 + 38 * next_unit(&seed)};
        double from = hypot(p.x - 16, p.y - 16) - radius;
        if (fabs(from) > 7) continue;
        ck_assert_double_eq_tol(pv__field_at(d, p, &g), from, 0.06);
        ck_assert_double_gt(
            (g.x * (p.x - 16) + g.y * (p.y - 16)) / (hypot(g.x, g.y) * (from + radius)), 0.98);
    }
}

/* ---- boxes, discs and polygons ---- */

/// Returns a w x h box at (x, y), with 2 px to spare to the right and below.
static pv_mask *box_at(int x, int y, int w, int h) {
    pv_mask *m = pv_mask_create(x + w + 2, y + h + 2, NULL, NULL);
    ck_assert_ptr_nonnull(m);
    ck_assert_int_eq(pv_mask_fill_rect(m, (pv_rect){x, y, w, h}, true), PV_OK);
    return m;
}

static bool same(pv_vec2 a, pv_vec2 b) { return a.x == b.x && a.y == b.y; }

/// Checks that a contour is a box: four corners, four sides, and all vertices on them.
static void check_box(const pv__shape *s, double x, double y, double w, double h) {
    const pv_vec2 corners[] = {{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}};
    const pv_vec2 normals[] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    int found = 0;
    ck_assert(s->corner_count > 0);
    ck_assert_int_eq(s->side_count, 4);
    ck_assert_int_eq(s->corner_count, 4);
    for (int i = 0; i < s->count; i++) {
        const pv__vertex *v = &s->vertices[i];
        double off = fmin(fmin(v->at.x - x, x + w - v->at.x), fmin(v->at.y - y, y + h - v->at.y));
        ck_assert_double_eq_tol(off, 0, 1e-12);
        ck_assert_int_ge(v->side, 0);
        ck_assert(same(v->last, s->sides[v->side].normal));
        ck_assert_int_eq(v->corner, v->sharp);
        found += v->corner;
    }
    ck_assert_int_eq(found, 4);
    for (int i = 0; i < 4; i++) {
        const pv__side *side = &s->sides[i];
        const pv__vertex *v = &s->vertices[side->from];
        int k = 0;
        while (k < 4 && !same(corners[k], pv__columns_at(&s->corners, i))) k++;
        ck_assert_int_lt(k, 4);
        ck_assert(same(v->at, corners[k]) && v->corner);
        ck_assert(same(s->vertices[side->to].at, corners[(k + 1) % 4]));
        ck_assert(same(side->normal, normals[k]) && same(v->last, normals[k]));
        ck_assert(same(v->first, normals[(k + 3) % 4]));
        ck_assert_double_eq(side->length, k % 2 ? h : w);
    }
}

START_TEST(boxes_of_any_size_have_four_corners) {
    const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 30, 64, 301};
    const int count = (int)(COUNT_OF(sizes));
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) {
            scoped_mask *m = box_at(i, 3, sizes[i], sizes[k]);
            const pv__shape *s = pv__shape_of_mask(m);
            check_box(s, i, 3, sizes[i], sizes[k]);
            ck_assert_double_eq_tol(s->reach, hypot(sizes[i], sizes[k]) / 2, 1e-9);
            ck_assert_double_eq(s->circle_radius, 0);
        }
}

START_TEST(holes_of_any_size_have_four_corners) {
    for (int size = 1; size <= 12; size++) {
        scoped_mask *m = box_mask(40, 40);
        pv_mask_fill_rect(m, (pv_rect){14, 15, size, size}, false);
        const pv__shape *s = pv__shape_of_mask(m);
        int corners = 0;
        for (int i = 0; i < s->count; i++) {
            const pv__vertex *v = &s->vertices[i];
            if (!v->corner || v->at.x == 0 || v->at.y == 0 || v->at.x == 40 || v->at.y == 40)
                continue;
            ck_assert((v->at.x == 14 || v->at.x == 14 + size) &&
                      (v->at.y == 15 || v->at.y == 15 + size));
            ck_assert_double_lt(v->curvature, 0);
            corners++;
        }
        ck_assert_int_eq(corners, 4);
        ck_assert_int_eq(s->side_count, 8);
        ck_assert(s->corner_count == 0);
    }
}

START_TEST(two_discs_are_not_one) {
    scoped_mask *disc = disc_mask(8), *m = pv_mask_create(40, 20, NULL, NULL);
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x++)
            if (pv_mask_get_pixel(disc, x, y))
                pv_mask_set_pixel(m, x, y, true), pv_mask_set_pixel(m, x + 20, y, true);
    ck_assert_double_eq(pv__shape_of_mask(m)->circle_radius, 0);
}

START_TEST(polygons_say_that_they_are_convex) {
    int convex = 0;
    for (int n = 3; n <= 6; n++)
        for (int k = 0; k < 8; k++) {
            pv_vec2 corners[6];
            scoped_mask *m = polygon_mask(150, n, 0.11 + k * 0.17, corners);
            const pv__shape *s = pv__shape_of_mask(m);
            bool right = s->corner_count == n;
            convex += right;
            for (int i = 0; right && i < n; i++) { /* any corner may come first */
                pv_vec2 p = pv__columns_at(&s->corners, i),
                        q = pv__columns_at(&s->corners, (i + 1) % n);
                double nearest = INFINITY;
                int at = 0;
                for (int j = 0; j < n; j++) {
                    double off = hypot(p.x - corners[j].x, p.y - corners[j].y);
                    if (off < nearest) nearest = off, at = j;
                }
                ck_assert_double_lt(nearest, 1.5);
                ck_assert_double_lt(
                    hypot(q.x - corners[(at + 1) % n].x, q.y - corners[(at + 1) % n].y), 1.5);
            }
        }
    ck_assert_int_ge(convex, 20); /* out of 32, as some drawn corners are too blunt */
}

/// Returns a mask of random pixels, or of random blots.
static pv_mask *random_mask(uint64_t *seed, bool blots) {
    int w = 3 + (int)(60 * next_unit(seed)), h = 3 + (int)(60 * next_unit(seed));
    pv_mask *m = pv_mask_create(w, h, NULL, NULL);
    double share = 0.1 + 0.8 * next_unit(seed);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) pv_mask_set_pixel(m, x, y, !blots && next_unit(seed) < share);
    for (int k = 0; blots && k < 12; k++) {
        double cx = w * next_unit(seed), cy = h * next_unit(seed), r = 2 + 10 * next_unit(seed);
        bool value = next_unit(seed) < 0.7;
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++)
                if ((x - cx) * (x - cx) + (y - cy) * (y - cy) * (k % 3 + 1) < r * r)
                    pv_mask_set_pixel(m, x, y, value);
    }
    return m;
}

START_TEST(vertices_know_their_edges) {
    uint64_t seed = 7;
    for (int k = 0; k < 30; k++) {
        scoped_mask *m = random_mask(&seed, k % 2 == 0);
        pv_mass_data mass = pv_mask_compute_mass(m);
        const pv__shape *s = pv__shape_of_mask(m);
        double farthest = 0;
        for (int i = 0; i < s->count; i++) {
            const pv__vertex *v = &s->vertices[i], *next = &s->vertices[v->next];
            double dx = next->at.x - v->at.x, dy = next->at.y - v->at.y, l = hypot(dx, dy);
            ck_assert_double_gt(l, 0);
            ck_assert_double_eq_tol(v->last.x, dy / l, 1e-12); /* the solid is on the right */
            ck_assert_double_eq_tol(v->last.y, -dx / l, 1e-12);
            ck_assert(same(v->last, next->first));
            ck_assert_int_eq(next->previous, i);
            if (v->side >= 0)
                ck_assert_double_gt(v->last.x * s->sides[v->side].normal.x +
                                        v->last.y * s->sides[v->side].normal.y,
                                    0.99);
            ck_assert(v->at.x >= s->box.min.x && v->at.x <= s->box.max.x);
            ck_assert(v->at.y >= s->box.min.y && v->at.y <= s->box.max.y);
            farthest = fmax(farthest, hypot(v->at.x - mass.centroid.x, v->at.y - mass.centroid.y));
        }
        ck_assert_double_eq_tol(s->reach, farthest, 1e-9);
    }
}

/// Returns the distance from all segments, negative if a ray crosses an odd number of them.
static double plain_distance(const pv__shape *s, double x, double y) {
    double best = PV__FIELD_REACH;
    bool inside = false;
    for (int k = 0; k < s->count; k++) {
        pv_vec2 a = s->vertices[k].at, b = s->vertices[s->vertices[k].next].at;
        double wx = b.x - a.x, wy = b.y - a.y,
               t = ((x - a.x) * wx + (y - a.y) * wy) / (wx * wx + wy * wy);
        t = fmin(fmax(t, 0), 1);
        best = fmin(best, hypot(a.x + t * wx - x, a.y + t * wy - y));
        double level = y + 1e-4; /* so that the ray hits no vertex */
        if ((a.y > level) != (b.y > level)) inside ^= a.x + (level - a.y) / wy * wx < x;
    }
    return inside ? -best : best;
}

START_TEST(nodes_hold_the_distance_to_the_nearest_segment) {
    uint64_t seed = 5;
    for (int k = 0; k < 12; k++) {
        scoped_mask *m = random_mask(&seed, k % 2 == 0);
        const pv__shape *s = pv__shape_of_mask(m);
        for (int j = 0; j < s->field.h; j++)
            for (int i = 0; i < s->field.w; i++) {
                double x = s->field.origin.x + (double)i / PV__FIELD_NODES,
                       y = s->field.origin.y + (double)j / PV__FIELD_NODES;
                double plain = plain_distance(s, x, y),
                       held = pv__field_at(s, (pv_vec2){x, y}, NULL);
                if (fabs(plain) < 2e-4) plain = fabs(plain), held = fabs(held);
                ck_assert_double_eq_tol(held, plain, 1e-3);
            }
    }
}

START_TEST(far_from_the_contour_the_field_is_flat) {
    scoped_mask *m = pv_mask_create(600, 400, NULL, NULL);
    uint64_t seed = 9;
    pv_mask_fill_rect(m, (pv_rect){0, 0, 250, 400}, true);
    pv_mask_fill_rect(m, (pv_rect){590, 390, 10, 10}, true);
    const pv__shape *s = pv__shape_of_mask(m);
    for (int i = 0; i < 4000; i++) {
        pv_vec2 p = {600 * next_unit(&seed), 400 * next_unit(&seed)}, g;
        double held = pv__field_at(s, p, &g),
               edge = fmin(fmin(p.y, 400 - p.y), fmin(p.x, fabs(p.x - 250)));
        if (p.x > 570 && p.y > 370) continue;
        if (p.x > 250) edge = p.x - 250;
        edge = fmin(edge, PV__FIELD_REACH);
        ck_assert_double_eq_tol(held, p.x < 250 ? -edge : edge, 0.3);
        if (edge == PV__FIELD_REACH) ck_assert_double_le(hypot(g.x, g.y), 1.01);
    }
}

/* ---- cost ---- */

/// Returns a mask of everything below a line with a slope of 0.37.
static pv_mask *slope_mask(int w, const pv_allocator *allocator) {
    int h = w * 37 / 100 + 20;
    pv_mask *m = pv_mask_create(w, h, allocator, NULL);
    ck_assert_ptr_nonnull(m);
    for (int x = 0; x < w; x++) {
        int top = (int)((x + 0.5) * 0.37 + 0.5);
        pv_mask_fill_rect(m, (pv_rect){x, top, 1, h - top}, true);
    }
    return m;
}

START_TEST(a_shape_takes_memory_by_its_edges) {
    double bytes[2];
    for (int i = 0; i < 2; i++) {
        scoped_purse p = {0};
        pv_allocator from = {purse_alloc, &p};
        scoped_mask *m = slope_mask(i ? 4000 : 500, &from);
        long before = p.live_bytes;
        ck_assert_ptr_nonnull(pv__shape_of_mask(m));
        bytes[i] = (double)(p.live_bytes - before);
    }
    ck_assert_double_lt(bytes[1], 10 * bytes[0]); /* 8 times the edges, 64 times the pixels */
}

/// Returns the shortest processor time to make a shape [s].
static double cost(pv_mask *m) {
    double best = INFINITY;
    for (int i = 0; i < 5; i++) {
        pv_mask_set_pixel(m, 0, 0,
                          pv_mask_get_pixel(m, 0, 0)); /* an edit, so that the shape is made anew */
        clock_t start = clock();
        ck_assert_ptr_nonnull(pv__shape_of_mask(m));
        best = fmin(best, (double)(clock() - start) / CLOCKS_PER_SEC);
    }
    pv_mask_release(m);
    return best;
}

START_TEST(a_shape_takes_time_by_its_edges) {
    double slope = cost(slope_mask(1000, NULL)), wall = cost(box_mask(40, 2000));
    ck_assert_double_lt(cost(slope_mask(8000, NULL)),
                        30 * slope + 1e-3); /* 64 times if time grew with the square */
    ck_assert_double_lt(cost(box_mask(40, 16000)), 30 * wall + 1e-3);
}

/* ---- colliders in place of pixels ---- */

START_TEST(a_circle_stands_in) {
    uint64_t seed = 21;
    scoped_mask *m = box_at(3, 5, 90, 3);
    pv_mask_fill_rect(m, (pv_rect){20, 5, 1, 2}, false);
    double area = 0, mx = 0, my = 0;
    for (int y = 0; y < 10; y++)
        for (int x = 0; x < 95; x++)
            if (pv_mask_get_pixel(m, x, y)) area++, mx += x + 0.5, my += y + 0.5;
    double r = sqrt(area / M_PI);
    const pv__shape *s = pv__shape_of_mask_as(m, PV_COLLIDER_CIRCLE, NULL);
    ck_assert_double_eq_tol(s->circle_radius, r, 1e-9);
    ck_assert_double_eq_tol(s->reach, r, 1e-9);
    ck_assert_vec_eq_tol(s->circle_center, mx / area, my / area, 1e-9);
    for (int i = 0; i < s->count; i++) {
        const pv__vertex *v = &s->vertices[i];
        double nx = (v->at.x - mx / area) / r, ny = (v->at.y - my / area) / r;
        ck_assert_double_eq_tol(hypot(nx, ny), 1, 1e-9);
        ck_assert_double_eq_tol(nx * v->normal.x + ny * v->normal.y, 1, 1e-9);
        ck_assert_double_eq_tol(v->curvature, 1 / r, 1e-9);
    }
    for (int i = 0; i < 2000; i++) {
        double x = mx / area + 2 * (r + 3) * (next_unit(&seed) - 0.5),
               y = my / area + 2 * (r + 3) * (next_unit(&seed) - 0.5),
               d = hypot(x - mx / area, y - my / area) - r;
        if (fabs(d) < 7) ck_assert_double_eq_tol(pv__field_at(s, (pv_vec2){x, y}, NULL), d, 0.06);
    }
}

START_TEST(a_box_stands_in) {
    scoped_mask *m = disc_mask(9), *wide = pv_mask_create(50, 40, NULL, NULL);
    int left = 50, right = 0, top = 40, bottom = 0;
    for (int y = 0; y < 18; y++)
        for (int x = 0; x < 18; x++)
            if (pv_mask_get_pixel(m, x, y) && x > y) {
                pv_mask_set_pixel(wide, x + 11, y + 7, true);
                left = x + 11 < left ? x + 11 : left;
                right = x + 12 > right ? x + 12 : right;
                top = y + 7 < top ? y + 7 : top;
                bottom = y + 8 > bottom ? y + 8 : bottom;
            }
    check_box(pv__shape_of_mask_as(wide, PV_COLLIDER_BOX, NULL), left, top, right - left,
              bottom - top);
}

START_TEST(stand_ins_are_kept_beside_the_shape) {
    scoped_purse p = {0};
    pv_allocator from = {purse_alloc, &p};
    scoped_mask *m = slope_mask(40, &from);
    long bare = p.live_bytes;
    const pv__shape *made[3];
    for (int how = 2; how >= 0; how--) made[how] = pv__shape_of_mask_as(m, (pv_collider)how, NULL);
    ck_assert(made[0] != made[1] && made[1] != made[2] && made[2] != made[0]);
    for (int how = 0; how < 3; how++)
        ck_assert_ptr_eq(pv__shape_of_mask_as(m, (pv_collider)how, NULL), made[how]);
    ck_assert_ptr_eq(pv__shape_of_mask(m), made[0]);
    ck_assert_int_eq(pv_mask_set_pixel(m, 0, 0, false), PV_OK); /* an edit drops all of them */
    ck_assert_int_eq(p.live_bytes, bare);
    ck_assert_ptr_nonnull(pv__shape_of_mask_as(m, PV_COLLIDER_BOX, NULL));
}

START_TEST_FOR(without_memory_there_is_no_shape, how, 3) {
    for (long at = 1, done = 0; !done; at++) {
        scoped_purse p = {0};
        pv_allocator from = {purse_alloc, &p};
        scoped_mask *m = slope_mask(60, &from);
        p.fail_at = p.calls + at;
        done = pv__shape_of_mask_as(m, (pv_collider)how, NULL) != NULL;
        ck_assert_int_eq(done, p.calls < p.fail_at); /* every failure is reported */
        p.fail_at = 0;
        ck_assert_ptr_nonnull(pv__shape_of_mask_as(m, (pv_collider)how, NULL));
    }
}

START_TEST(nothing_has_an_empty_shape) {
    scoped_mask *m = pv_mask_create(5, 4, NULL, NULL);
    for (int how = 0; how < 3; how++) {
        const pv__shape *s = pv__shape_of_mask_as(m, (pv_collider)how, NULL);
        ck_assert_int_eq(s->count, 0);
        ck_assert(s->corner_count == 0 && s->circle_radius == 0);
        ck_assert_double_eq(pv__field_at(s, (pv_vec2){1, 1}, NULL), PV__FIELD_REACH);
    }
}

/* ---- bodies ---- */

static void run(pv_world *w, double seconds) { steps_well(w, (int)lround(seconds * 60)); }

static pv_body_def stuff(double restitution, double static_friction, double kinetic_friction) {
    return WITH(pv_body_def_default(), it.restitution = restitution,
                it.static_friction = static_friction, it.friction = kinetic_friction);
}

/// Returns a world with a floor whose top is at y = 0.
static pv_world *floor_of(double gx, double gy, int width, pv_body_def def) {
    pv_world *w = plain_world(gx, gy, false);
    def.type = PV_BODY_STATIC;
    put(w, box_mask(width, 20), 0, 10, def);
    return w;
}

static pv_world *rough_floor(void) { return floor_of(0, 320, 800, stuff(0, 0.6, 0.6)); }

/// Stacks boxes, and checks that none moved aside, or sank below a loss. The top may weigh more.
static void check_stack(int count, int width, int height, double gap, double top_mass,
                        double seconds, double loss) {
    scoped_world *w = rough_floor();
    pv_body_def def = stuff(0, 0.6, 0.6);
    pv_body_id b[30];
    for (int i = 0; i < count; i++) {
        if (top_mass > 0) def.mass = i < count - 1 ? 1 : top_mass;
        b[i] = put(w, box_mask(width, height), 0, -0.5 * height - (height + gap) * i - gap, def);
    }
    run(w, seconds);
    for (int i = 0; i < count; i++) {
        pv_vec2 p = pv_body_get_position(w, b[i]);
        ck_assert_double_eq_tol(p.y, -0.5 * height - gap - (height + gap) * i, loss);
        if (top_mass == 0) ck_assert_double_eq_tol(p.x, 0, 0.01);
    }
    if (top_mass == 0) ck_assert_int_eq(pv_world_compute_overlap_area(w), 0);
}

START_TEST(stacks_stand) {
    const int sizes[][2] = {{3, 3}, {4, 2}, {8, 1}, {30, 1}, {30, 2}, {5, 5}};
    check_stack(10, 32, 32, PV_REST_GAP, 0, 10, 0.05);
    check_stack(20, 32, 32, PV_REST_GAP, 0, 10, 0.1);
    check_stack(30, 32, 32, PV_REST_GAP, 0, 10, 0.2);
    check_stack(5, 32, 32, PV_REST_GAP, 100, 10, 0.6);
    check_stack(5, 32, 32, PV_REST_GAP, 400, 10, 1.5);
    check_stack(5, 32, 32, PV_REST_GAP, 1000, 10, 1.5);
    for (size_t k = 0; k < COUNT_OF(sizes); k++)
        check_stack(5, sizes[k][0], sizes[k][1], PV_REST_GAP, 0, 5, 0.03);
}

START_TEST(stacks_with_lids_stand) {
    for (int lid = 4; lid < 30; lid += 2) {
        scoped_world *w = rough_floor();
        pv_body_id b[6];
        for (int i = 0; i < 6; i++) {
            pv_mask *m = lidded_mask(32, lid, 1, false);
            double center = pv_mask_compute_mass(m).centroid.y;
            b[i] = put(w, m, 0, center - 32 * (i + 1), stuff(0, 0.6, 0.6));
        }
        run(w, 10);
        for (int i = 0; i < 6; i++) ck_assert_double_eq_tol(pv_body_get_angle(w, b[i]), 0, 1e-3);
    }
}

START_TEST(discs_roll_without_loss) {
    pv_body_def def = stuff(0, 0.6, 0.6);
    scoped_world *w = floor_of(0, 320, 4000, def);
    def.velocity = (pv_vec2){150, 0};
    def.angular_velocity = 150.0 / 16;
    pv_body_id b = put(w, disc_mask(16), -1000, -16.1, def);
    run(w, 1);
    double v = pv_body_get_velocity(w, b).x;
    ck_assert_double_eq_tol(v, 150, 1.5);
    run(w, 8);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, v, 0.5 * 8 * 0.1);
    pv_world_destroy(w);
    /* down a slope: 2/3 of what slides without friction */
    w = floor_of(320 * sin(0.2), 320 * cos(0.2), 4000, stuff(0, 0.8, 0.8));
    b = put(w, disc_mask(16), -1500, -16.1, stuff(0, 0.8, 0.8));
    run(w, 0.5);
    double before = pv_body_get_velocity(w, b).x;
    run(w, 4);
    ck_assert_double_eq_tol((pv_body_get_velocity(w, b).x - before) / 4, 320 * sin(0.2) * 2 / 3,
                            0.006 * 320 * sin(0.2));
}

START_TEST_FOR(bullets_do_not_pass_walls, moving, 2) {
    for (int thick = 1; thick <= 4; thick *= 2)
        for (int speed = 500; speed <= 32000; speed *= 4)
            for (int phase = 0; phase < 5; phase++) {
                scoped_world *w = plain_world(0, 0, false);
                pv_body_def def =
                    WITH(stuff(0, 0, 0), it.type = moving ? PV_BODY_DYNAMIC : PV_BODY_STATIC);
                if (moving) def.mass = 1e6;
                pv_body_id wall = put(w, box_mask(thick, 200), 300, 0, def);
                def = WITH(stuff(0, 0, 0), it.velocity = (pv_vec2){speed, 0});
                pv_body_id b = put(w, disc_mask(4), phase / 5.0, 0.3, def);
                run(w, 400.0 / speed + 0.2);
                ck_assert_msg(pv_body_get_position(w, b).x < pv_body_get_position(w, wall).x,
                              "%d px/s through %d px", speed, thick);
            }
}

/// A wheel, a plank that turns on it, and a crate that falls on both. If a stop held the plank at
/// the wheel's pixels, the crate would get into the plank.
START_TEST_FOR(a_plank_that_shares_pixels_is_not_held, i, 2) {
    static const double moves[][3][5] = {
        {{0, 0, 320, -270, 1}, {3, -40, -30, -690, 75}, {62, -95, -190, 2210, 3}},
        {{0, 0, 450, -330, 12}, {-13, -38, -370, -140, -63}, {-71, -91, 130, 1880, 7}}};
    pv_mask *masks[] = {disc_mask(29), box_mask(100, 26), box_mask(70, 72)};
    scoped_world *w = plain_world(0, 0, false);
    for (int b = 0; b < 3; b++) {
        const double *m = moves[i][b];
        put(w, masks[b], m[0], m[1],
            WITH(stuff(0, 0.6, 0.6), it.velocity = (pv_vec2){m[2], m[3]},
                 it.angular_velocity = m[4]));
    }
    for (int step = 0; step < 12; step++) {
        pv_world_step(w, 1 / 120.0);
        ck_assert_int_le(pv_world_compute_overlap_area(w), 20);
    }
}

static bool solid(const pv_mask *m, int x, int y) {
    return x >= 0 && y >= 0 && x < pv_mask_get_width(m) && y < pv_mask_get_height(m) &&
           pv_mask_get_pixel(m, x, y);
}

/// Returns the length of the edges around solid pixels if they are a single loop, else -1.
static int rim_of(const pv_mask *m) {
    int edges = 0, turns = 0;
    for (int y = 0; y <= pv_mask_get_height(m); y++)
        for (int x = 0; x <= pv_mask_get_width(m); x++) {
            bool here = solid(m, x, y), left = solid(m, x - 1, y), up = solid(m, x, y - 1);
            bool across = solid(m, x - 1, y - 1);
            int n = here + left + up + across;
            if (n == 2 && here == across) return -1;
            edges += (here != left) + (here != up);
            turns += n == 1 ? 1 : n == 3 ? -1 : 0;
        }
    return turns == 4 ? edges : -1;
}

static bool has_vertex_at(const pv__shape *s, double x, double y) {
    for (int i = 0; i < s->count; i++)
        if (hypot(s->vertices[i].at.x - x, s->vertices[i].at.y - y) < 1e-9) return true;
    return false;
}

START_TEST(what_is_tiny_keeps_every_corner) {
    int seen = 0;
    purse p = {0};
    const pv_allocator from = {purse_alloc, &p};
    for (uint64_t seed = 1; seed < 4000; seed++) {
        uint64_t state = seed;
        int side = 3 + (int)(seed % 4);
        pv_mask *m = pv_mask_create(side, side, &from, NULL);
        for (int i = 0; i < side * side; i++)
            pv_mask_set_pixel(m, i % side, i / side, next_unit(&state) < 0.6);
        int rim = rim_of(m);
        const pv__shape *s = rim > 0 && rim <= 32 ? pv__shape_of_mask(m) : NULL;
        if (s && s->circle_radius == 0) {
            for (int y = 0; y <= side; y++)
                for (int x = 0; x <= side; x++) {
                    int n = solid(m, x, y) + solid(m, x - 1, y) + solid(m, x, y - 1) +
                            solid(m, x - 1, y - 1);
                    if (n == 1 || n == 3) ck_assert(has_vertex_at(s, x, y));
                }
            seen++;
        }
        pv_mask_release(m);
        ck_assert_int_eq(p.live_bytes, 0);
    }
    ck_assert_int_gt(seen, 500);
}

RUN_TESTS("contour")
