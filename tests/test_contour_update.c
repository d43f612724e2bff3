/* test_contour_update.c - contours and fields updated after cuts, against the pixels.
 *
 * Invariant: the field fits all segments, the contour its pixels, and far places do not change.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "carve/cut.h"
#include "guarded_canvas.h"
#include "shape/contour_loop.h"
#include "shape/distance_field.h"

enum { SEEDS = 24, CUTS = 24 };

/// Greatest distance of an updated contour from pixel edges [px]
static const double OFF = 1.5;

/// Returns a blob with notches, a box, or a landscape.
static pv_mask *blob_mask(int w, int h, int kind) {
    pv_mask *m = pv_mask_create(w, h, NULL, NULL);
    ck_assert_ptr_nonnull(m);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double dx = (x + 0.5) / w * 2 - 1, dy = (y + 0.5) / h * 2 - 1;
            bool in = kind == 0 ? dx * dx + dy * dy <= 1 - 0.3 * ((int)(dx * 7 + dy * 5) & 1)
                                : kind == 1 || y > h / 3 + h / 8 * (x % 97) / 97 + x % 31 / 3;
            if (in) pv_mask_set_pixel(m, x, y, true);
        }
    return m;
}

static pv_cut any_cut(uint64_t *seed, int w, int h, int kind) {
    double x = next_between(seed, 0, w), y = next_between(seed, 0, h), r = next_between(seed, 2, 9);
    pv_cut cut = pv_cut_circle((pv_vec2){x, y}, r);
    if (kind == 1) cut = pv_cut_box((pv_vec2){x - r, y - 0.7 * r}, (pv_vec2){x + 0.6 * r, y + r});
    if (kind == 2)
        cut = pv_cut_line((pv_vec2){x, y}, (pv_vec2){x + 3 * r, y + next_between(seed, -r, r)},
                          0.5 * r);
    cut.local = true;
    return cut;
}

/// Returns the pixels that a cut changes, or null if there are none.
static pv_mask *pixels_of(const pv_cut *cut, const pv_mask *m, pv_point *at) {
    pv_transform t = pv_transform_identity();
    pv_error error;
    pv__cut_out out;
    pv_mask *pixels =
        pv__cut_pixels(cut, 0, &t, m, &(pv__material_view){.map = NULL}, &out, &error);
    *at = (pv_point){out.rect.x, out.rect.y};
    return pixels;
}

/* ---- checks ---- */

static void check_links(const pv__shape *s) {
    int alive = 0, held = 0;
    for (int i = 0; i < s->count; i++) {
        const pv__vertex *v = &s->vertices[i];
        if (v->next < 0) continue;
        alive++;
        ck_assert_int_eq(s->vertices[v->next].previous, i);
        ck_assert(!v->broken);
        ck_assert_double_le(pv__length(pv__sub(s->vertices[v->next].at, v->at)), PV__SPAN + 0.3);
        if (v->side >= 0) ck_assert_double_ge(s->sides[v->side].length, 0);
    }
    ck_assert_int_eq(alive, s->alive);
    for (int k = 0; k < s->block_count; k++)
        for (int i = s->blocks[k].first; i < s->blocks[k].end; i++, held++)
            ck_assert_int_ge(s->vertices[i].next, 0);
    ck_assert_int_eq(held, alive);
}

static void check_sides(const pv__shape *s) {
    for (int k = 0; k < s->side_count; k++) {
        const pv__side *side = &s->sides[k];
        if (side->length < 0) continue;
        int steps = 0;
        for (int i = side->from; i != side->to; i = s->vertices[i].next) {
            ck_assert_int_lt(steps++, s->count);
            ck_assert_int_eq(s->vertices[i].side, k);
            pv_vec2 arm = pv__sub(s->vertices[i].at, s->vertices[side->from].at);
            ck_assert_double_le(pv__abs(pv__dot(arm, side->normal)), 0.05);
        }
    }
}

static double to_segment(pv_vec2 p, pv_vec2 a, pv_vec2 b) {
    pv_vec2 way = pv__sub(b, a), arm = pv__sub(p, a);
    double square = pv__dot(way, way),
           t = square > 0 ? pv__clamp(pv__dot(arm, way) / square, 0, 1) : 0;
    return hypot(arm.x - t * way.x, arm.y - t * way.y);
}

static double to_contour(const pv__shape *s, pv_vec2 p) {
    double least = INFINITY;
    for (int i = 0; i < s->count; i++)
        if (s->vertices[i].next >= 0)
            least =
                fmin(least, to_segment(p, s->vertices[i].at, s->vertices[s->vertices[i].next].at));
    return least;
}

/// Checks random nodes of the field. Away from the contour, the sign must be that of the pixel.
static void check_field(const pv__shape *s, const pv_mask *m, uint64_t *seed) {
    for (int k = 0; k < 60; k++) {
        int i = (int)next_between(seed, 0, s->field.w - 1),
            j = (int)next_between(seed, 0, s->field.h - 1);
        pv_vec2 p = pv__mad(s->field.origin, 1.0 / PV__FIELD_NODES, pv__vec(i, j));
        double is = pv__field_at(s, p, NULL), distance = to_contour(s, p);
        ck_assert_double_eq_tol(fabs(is), fmin(distance, PV__FIELD_REACH), 0.02);
        if (distance > 2)
            ck_assert_int_eq(is < 0, pv_mask_get_pixel(m, (int)floor(p.x), (int)floor(p.y)));
    }
}

/// Checks that vertices lie near pixel edges, and pixel edges near the contour.
static void check_pixels(const pv__shape *s, const pv_mask *m) {
    for (int i = 0; i < s->count; i++) {
        const pv__vertex *v = &s->vertices[i];
        bool near = v->next < 0;
        for (int y = (int)floor(v->at.y) - 2; y <= v->at.y + 2; y++)
            for (int x = (int)floor(v->at.x) - 2; x <= v->at.x + 2; x++)
                for (int k = 0; k < 2; k++) {
                    bool edge = pv_mask_get_pixel(m, x, y) != pv_mask_get_pixel(m, x - !k, y - k);
                    near |= edge && to_segment(v->at, pv__vec(x, y), pv__vec(x + k, y + !k)) < OFF;
                }
        ck_assert(near);
    }
    for (int y = 0; y <= pv_mask_get_height(m); y++)
        for (int x = 0; x <= pv_mask_get_width(m); x++)
            if (pv_mask_get_pixel(m, x, y) != pv_mask_get_pixel(m, x, y - 1))
                ck_assert_double_lt(fabs(pv__field_at(s, pv__vec(x + 0.5, y), NULL)), 2 * OFF);
}

static void check_mass(const pv_mask *m) {
    pv_mass_data is = pv__shape_mask_mass(m), counted = pv_mask_compute_mass(m);
    ck_assert(is.area == counted.area && is.inertia == counted.inertia);
    ck_assert(is.centroid.x == counted.centroid.x && is.centroid.y == counted.centroid.y);
}

/* ---- tests ---- */

START_TEST_FOR(contours_follow_random_cuts, i, SEEDS) {
    uint64_t seed = (uint64_t)i + 1;
    int w = 40 + 7 * i, h = 90 - 2 * i;
    scoped_mask *m = blob_mask(w, h, i % 3);
    pv__shape_of_mask(m);
    for (int k = 0; k < CUTS; k++) {
        pv_point at;
        pv_cut cut = WITH(any_cut(&seed, w, h, k % 3), it.add = k % 5 == 4);
        scoped_mask *pixels = pixels_of(&cut, m, &at);
        if (!pixels) continue;
        ck_assert_int_eq(pv__shape_mask_alter(m, pixels, at, cut.add), PV_OK);
        const pv__shape *s = pv__shape_of_mask(m);
        check_links(s);
        check_sides(s);
        check_mass(m);
        check_field(s, m, &seed);
        check_pixels(s, m);
    }
}

/// Vertices far from a cut keep their places to the bit, also when the cut goes through a side.
START_TEST_FOR(what_is_far_from_a_cut_stays, kind, 6) {
    uint64_t seed = (uint64_t)kind + 100;
    scoped_mask *m = blob_mask(300, 160, kind % 3);
    pv__shape_of_mask(m);
    for (int k = 0; k < CUTS; k++) {
        pv_point at;
        pv_error error;
        pv_cut cut = any_cut(&seed, 300, 160, k % 3);
        scoped_mask *pixels = pixels_of(&cut, m, &at), *before = pv__shape_mask_twin(m, &error);
        if (pixels) ck_assert_int_eq(pv__shape_mask_alter(m, pixels, at, false), PV_OK);
        const pv__shape *old = pv__shape_of_mask(before), *s = pv__shape_of_mask(m);
        int far = 0, same = 0;
        for (int i = 0; pixels && i < old->count; i++) {
            const pv__vertex *v = &old->vertices[i];
            double x = pv__max(at.x - v->at.x, v->at.x - at.x - pixels->bits.w),
                   y = pv__max(at.y - v->at.y, v->at.y - at.y - pixels->bits.h);
            if (v->next < 0 || pv__max(x, y) < 12) continue;
            far++;
            for (int j = 0; j < s->count; j++) {
                const pv__vertex *u = &s->vertices[j];
                same += u->next >= 0 && u->at.x == v->at.x && u->at.y == v->at.y &&
                        u->normal.x == v->normal.x;
            }
        }
        ck_assert_int_ge(same, far);
    }
}

static uint64_t sum_of(const pv_mask *m, const pv__shape *s) {
    uint64_t sum = pv__bits_sums(&m->bits).xx * 3u + (uint64_t)s->alive;
    for (int i = 0; i < s->count; i++)
        if (s->vertices[i].next >= 0)
            sum = sum * 31 +
                  (uint64_t)(int64_t)(1e6 * (s->vertices[i].at.x + 2 * s->vertices[i].at.y));
    return sum;
}

/// Whichever allocation fails, mask and contour stay unchanged.
START_TEST(without_memory_nothing_is_changed) {
    scoped_purse p = {0};
    pv_allocator from = {purse_alloc, &p};
    scoped_mask *drawn = blob_mask(90, 70, 0), *m = pv_mask_create(90, 70, &from, NULL);
    pv_mask_combine(m, drawn, 0, 0, PV_COMBINE_OR);
    const pv__shape *s = pv__shape_of_mask(m);
    pv_cut cut = WITH(pv_cut_line((pv_vec2){10, 10}, (pv_vec2){80, 60}, 3), it.local = true);
    pv_point at;
    scoped_mask *pixels = pixels_of(&cut, drawn, &at);
    uint64_t sum = sum_of(m, s);
    int refused = 0;
    for (pv_status status = PV_ERROR_MEMORY; status != PV_OK; refused++) {
        p.fail_at = p.calls + 1 + refused;
        status = pv__shape_mask_alter(m, pixels, at, false);
        p.fail_at = 0;
        if (status == PV_OK) break;
        ck_assert_int_eq(status, PV_ERROR_MEMORY);
        ck_assert_ptr_eq(pv__shape_of_mask(m), s);
        ck_assert_uint_eq(sum_of(m, s), sum);
        check_links(s);
        check_sides(s);
        check_mass(m);
    }
    ck_assert_int_gt(refused, 10);
    ck_assert_uint_ne(sum_of(m, pv__shape_of_mask(m)), sum);
}

/// Points of a trail, one pixel apart
typedef struct trail {
    pv_point points[128];
    int count;
} trail;

/// Returns a trail along some ways in turn from (0, 0), or the same reversed.
static trail trail_of(const pv_point *ways, int count, bool backwards) {
    trail t = {.count = 1};
    for (int i = 0; i < count; i++)
        for (int k = abs(ways[i].x) + abs(ways[i].y); k > 0; k--, t.count++) {
            pv_point last = t.points[t.count - 1];
            t.points[t.count] = (pv_point){last.x + (ways[i].x > 0) - (ways[i].x < 0),
                                           last.y + (ways[i].y > 0) - (ways[i].y < 0)};
        }
    for (int i = 0; backwards && i < t.count / 2; i++) {
        pv_point p = t.points[i];
        t.points[i] = t.points[t.count - 1 - i];
        t.points[t.count - 1 - i] = p;
    }
    return t;
}

/// Fits edges 2...14 of a trail, or the same counted from its end.
static pv__fitted fit_of(const pv_allocator *from, const trail *t, bool backwards) {
    int first = backwards ? t->count - 16 : 2, end = backwards ? t->count - 3 : 15;
    pv_vec2 joints[4];
    for (int i = 0; i < 4; i++) {
        int at = (i < 2 ? first : end) - 1;
        joints[i] = (pv_vec2){0.5 * (t->points[at].x + t->points[at + 1].x),
                              0.5 * (t->points[at].y + t->points[at + 1].y)};
    }
    pv__fitted fitted;
    ck_assert(pv__contour_fit_piece(from, t->points, t->count - 1, first, end, joints, &fitted));
    return fitted;
}

/// The fit of a piece near one end of a trail does not depend on the other end.
START_TEST(the_ends_of_a_trail_are_no_neighbors) {
    const pv_point ways[][7] = {
        {{2, 0}, {0, 20}, {10, 0}, {0, 10}, {-12, 0}, {0, 0}, {0, 0}},
        {{2, 0}, {0, 20}, {10, 0}, {0, 10}, {8, 0}, {0, -40}, {-20, 0}},
    };
    scoped_purse p = {0};
    const pv_allocator from = {purse_alloc, &p};
    for (int backwards = 0; backwards < 2; backwards++) {
        pv__fitted fits[2];
        for (int i = 0; i < 2; i++) {
            trail t = trail_of(ways[i], 7, backwards);
            fits[i] = fit_of(&from, &t, backwards);
        }
        ck_assert_int_gt(fits[0].count, 0);
        ck_assert_int_eq(fits[0].count, fits[1].count);
        for (int i = 0; i < fits[0].count; i++) {
            const pv__spot *a = &fits[0].spots[i], *b = &fits[1].spots[i];
            ck_assert(a->at.x == b->at.x && a->at.y == b->at.y && a->kind == b->kind);
        }
        for (int i = 0; i < 2; i++) pv__contour_fitted_free(&from, &fits[i]);
    }
}

RUN_TESTS("contour_update")
