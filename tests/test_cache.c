/* test_cache.c - the rotation cache: its results, its kept masks, and shared use in threads.
 *
 * Invariant: a bitmap must be near its angle, or equal pv_mask_transform() where it is exact. Kept
 * masks are checked with the counts.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/math.h"
#include "support.h"

#include <pthread.h>

static const pv_vec2 plain = {1, 1};

static bool same_bits(const pv_mask *a, const pv_mask *b, int dx, int dy) {
    for (int y = 0; y < pv_mask_get_height(a); y++)
        for (int x = 0; x < pv_mask_get_width(a); x++)
            if (pv_mask_get_pixel(a, x, y) != pv_mask_get_pixel(b, x + dx, y + dy)) return false;
    return true;
}

/// Checks that every solid pixel of the bitmap, turned back exactly, is near a solid pixel of the
/// mask. The limit, reach, includes half a pixel for the angle.
static void check_near(const pv_mask *mask, double angle, const pv_cached_mask *t) {
    pv_rotation r = pv__rotation(angle);
    double w = 0.5 * pv_mask_get_width(mask), h = 0.5 * pv_mask_get_height(mask);
    for (int y = 0; y < pv_mask_get_height(t->mask); y++)
        for (int x = 0; x < pv_mask_get_width(t->mask); x++) {
            if (!pv_mask_get_pixel(t->mask, x, y)) continue;
            pv_vec2 m = pv__unrotate(r, pv__vec(t->x + x + 0.5, t->y + y + 0.5));
            double dx = fmax(fabs(m.x) - w, 0), dy = fmax(fabs(m.y) - h, 0);
            ck_assert_double_lt(hypot(dx, dy), 0.5);
        }
}

START_TEST(angles_are_within_half_a_pixel) {
    pv_mask_cache *c = pv_mask_cache_create(1 << 22, NULL, NULL);
    scoped_mask *m = box_mask(61, 18), *dot = box_mask(1, 1);
    for (int i = 0; i < 2000; i++) {
        double angle = any_within(7);
        pv_cached_mask t;
        ck_assert_int_eq(pv_mask_cache_acquire(c, i % 9 ? m : dot, pv__rotation(angle), plain, &t),
                         PV_OK);
        check_near(i % 9 ? m : dot, angle, &t);
        pv_mask_release(t.mask);
    }
    pv_mask_cache_stats s = pv_mask_cache_get_stats(c);
    ck_assert(s.hits + s.misses == 2000 && s.hits > 1300 && s.evictions == 0 &&
              s.mask_count == (int)s.misses);
    pv_mask_cache_destroy(c);
}

START_TEST(quarter_turns_are_exact) {
    pv_mask_cache *c = pv_mask_cache_create(1 << 20, NULL, NULL);
    scoped_mask *m = disc_mask(9);
    pv_mask_fill_rect(m, (pv_rect){0, 0, 9, 9}, false);
    for (int q = -4; q <= 4; q++) {
        pv_transform t = {{0, 0}, pv__rotation(q * (PV__PI / 2)), {9, 9}, {1, 1}};
        pv_cached_mask turned;
        pv_rect at;
        pv_mask *exact = pv_mask_transform(m, &t, &at, NULL, NULL);
        ck_assert_int_eq(pv_mask_cache_acquire(c, m, t.rotation, plain, &turned), PV_OK);
        ck_assert(same_bits(exact, turned.mask, at.x - turned.x, at.y - turned.y));
        release_masks(exact, turned.mask);
    }
    ck_assert_int_eq(pv_mask_cache_get_stats(c).mask_count, 4);
    pv_mask_cache_destroy(c);
}

START_TEST(upright_pairs_are_exact) {
    pv_mask_cache *c = pv_mask_cache_create(1 << 20, NULL, NULL);
    scoped_mask *m = disc_mask(9), *n = box_mask(7, 13);
    for (int i = 0; i < 500; i++) {
        pv_placed p = {m, pv_transform_identity()}, q = {n, pv_transform_identity()};
        p.transform.position = pv__vec(floor(any_within(20)), floor(any_within(20)));
        q.transform.position = pv__vec(floor(any_within(20)), floor(any_within(20)));
        ck_assert(pv_mask_cache_test_overlap(c, &p, &q) == pv_placed_test_overlap(&p, &q));
    }
    pv_mask_cache_destroy(c);
}

/// Checks that overlaps and gaps of 2 px agree with the exact bitmaps.
START_TEST(turned_pairs_are_nearly_exact) {
    pv_mask_cache *c = pv_mask_cache_create(1 << 24, NULL, NULL);
    scoped_mask *m = box_mask(40, 12), *n = disc_mask(11);
    int sure = 0;
    for (int i = 0; i < 3000; i++) {
        pv_placed p = {m, pv_transform_identity()}, q = {n, pv_transform_identity()};
        p.transform.rotation = pv__rotation(any_within(7));
        q.transform.rotation = pv__rotation(any_within(7));
        q.transform.position = pv__vec(any_within(50), any_within(50));
        pv_distance_result near;
        pv_vec2 way;
        ck_assert_int_eq(pv_placed_compute_distance(&p, &q, &near), PV_OK);
        ck_assert_int_eq(pv_placed_compute_mtv(&p, &q, &way), PV_OK);
        bool hit = pv_mask_cache_test_overlap(c, &p, &q);
        if (near.distance > 4) ck_assert(!hit);
        if (pv__length(way) > 4) ck_assert(hit);
        sure += near.distance > 4 || pv__length(way) > 4;
    }
    ck_assert_int_gt(sure, 2000);
    pv_mask_cache_destroy(c);
}

/// Asks for a mask at an angle and gives it back.
static void touch(pv_mask_cache *cache, const pv_mask *mask, double angle) {
    pv_cached_mask t;
    ck_assert_int_eq(pv_mask_cache_acquire(cache, mask, pv__rotation(angle), plain, &t), PV_OK);
    pv_mask_release(t.mask);
}

START_TEST(the_least_recently_used_goes_first) {
    scoped_mask *m = box_mask(30, 30);
    pv_mask_cache *c = pv_mask_cache_create(1 << 20, NULL, NULL);
    for (int i = 0; i < 4; i++) touch(c, m, 0.4 * i);
    size_t four = pv_mask_cache_get_stats(c).bytes;
    pv_mask_cache_destroy(c);
    c = pv_mask_cache_create(four, NULL, NULL);
    const int order[] = {0, 1, 2, 3, 0, 1}; /* 2 is the oldest now */
    for (int i = 0; i < 6; i++) touch(c, m, 0.4 * order[i]);
    ck_assert(pv_mask_cache_get_stats(c).hits == 2 && pv_mask_cache_get_stats(c).bytes == four);
    touch(c, m, 0.7);
    pv_mask_cache_stats s = pv_mask_cache_get_stats(c);
    ck_assert(s.evictions >= 1 && s.bytes <= s.budget);
    touch(c, m, 0);
    ck_assert(pv_mask_cache_get_stats(c).hits == 3);
    touch(c, m, 0.8);
    ck_assert(pv_mask_cache_get_stats(c).hits == 3);
    pv_mask_cache_destroy(c);
}

START_TEST(cached_masks_refuse_edits_until_forgotten) {
    pv_mask *m = box_mask(30, 30), *n = box_mask(5, 5);
    pv_mask_cache *c = pv_mask_cache_create(1 << 20, NULL, NULL);
    pv_cached_mask t, u;
    pv_mask_cache_acquire(c, m, pv__rotation(1), plain, &t);
    pv_mask_cache_acquire(c, n, pv__rotation(1), plain, &u);
    pv_mask_release(u.mask);
    ck_assert_int_eq(pv_mask_set_pixel(m, 0, 0, false), PV_ERROR_SHARED);
    pv_mask_cache_evict(c, m);
    ck_assert_int_eq(pv_mask_set_pixel(m, 15, 15, false), PV_OK);
    ck_assert(pv_mask_cache_get_stats(c).mask_count == 1);
    int before = 0, after = 0;
    for (int i = 0; i < 60 * 60; i++)
        before += pv_mask_get_pixel(t.mask, i % 60, i / 60); /* held, so it lives on */
    pv_mask_release(t.mask);
    pv_mask_cache_acquire(c, m, pv__rotation(1), plain, &t);
    for (int i = 0; i < 60 * 60; i++) after += pv_mask_get_pixel(t.mask, i % 60, i / 60);
    ck_assert_int_lt(after, before);
    pv_mask_release(t.mask);
    pv_mask_release(m); /* the cache keeps it alive */
    pv_mask_cache_evict(c, NULL);
    ck_assert(pv_mask_cache_get_stats(c).mask_count == 0 && pv_mask_cache_get_stats(c).bytes == 0);
    ck_assert_int_eq(pv_mask_set_pixel(n, 0, 0, false), PV_OK);
    pv_mask_cache_destroy(c);
    pv_mask_release(n);
}

START_TEST(a_budget_of_nothing_keeps_nothing) {
    scoped_mask *m = box_mask(30, 30);
    pv_mask_cache *c = pv_mask_cache_create(0, NULL, NULL);
    pv_cached_mask t;
    ck_assert_int_eq(pv_mask_cache_acquire(c, m, pv__rotation(1), plain, &t), PV_OK);
    ck_assert_int_eq(pv_mask_set_pixel(t.mask, 0, 0, true), PV_OK); /* the caller's alone */
    pv_mask_release(t.mask);
    ck_assert(pv_mask_cache_get_stats(c).mask_count == 0 && pv_mask_cache_get_stats(c).misses == 1);
    pv_mask_cache_destroy(c);
}

START_TEST(bad_input_is_refused) {
    scoped_mask *m = box_mask(3, 3);
    pv_mask_cache *c = pv_mask_cache_create(1000, NULL, NULL);
    pv_cached_mask t;
    ck_assert_int_eq(pv_mask_cache_acquire(c, m, (pv_rotation){2, 0}, plain, &t),
                     PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_mask_cache_acquire(c, m, pv__rotation(1), pv__vec(0, 1), &t),
                     PV_ERROR_ARGUMENT);
    ck_assert_ptr_null(t.mask);
    pv_placed p = {m, pv_transform_identity()};
    ck_assert(pv_mask_cache_test_overlap(NULL, &p, &p));
    scoped_mask *large = box_mask(2000, 2000);
    ck_assert_int_eq(pv_mask_cache_acquire(c, large, pv__rotation(1), pv__vec(1000, 1000), &t),
                     PV_ERROR_TOO_LARGE);
    pv_mask_cache_destroy(c);
}

START_TEST(no_memory_is_no_harm) {
    scoped_mask *m = box_mask(20, 9);
    bool done = false;
    for (long n = 1; !done; n++) {
        purse p = {0, 0, n};
        pv_allocator from = {purse_alloc, &p};
        pv_error error;
        pv_mask_cache *c = pv_mask_cache_create(1 << 20, &from, &error);
        if (!c) ck_assert_int_eq(error.status, PV_ERROR_MEMORY);
        for (int i = 0; c && i < 80; i++) { /* more than the table's first chains */
            pv_cached_mask t;
            error.status = pv_mask_cache_acquire(c, m, pv__rotation(0.07 * i), plain, &t);
            ck_assert(error.status == PV_OK || (error.status == PV_ERROR_MEMORY && !t.mask));
            pv_mask_release(t.mask);
            pv_placed q = {m, pv_transform_identity()};
            ck_assert(pv_mask_cache_test_overlap(c, &q, &q));
        }
        done = p.calls < n;
        pv_mask_cache_destroy(c);
        ck_assert_int_eq(p.live_bytes, 0);
    }
}

/* ---- threads ---- */

typedef struct crowd {
    pv_mask_cache *cache;
    pv_mask *mask;
    uint64_t seed;
    int64_t area;
} crowd;

static void *use(void *arg) {
    crowd *me = arg;
    for (int i = 0; i < 3000; i++) {
        pv_cached_mask t;
        double angle = (double)(next_random(&me->seed) % 200) * 0.03;
        if (pv_mask_cache_acquire(me->cache, me->mask, pv__rotation(angle), plain, &t) != PV_OK)
            return NULL;
        me->area += pv_mask_compute_overlap_area(t.mask, t.mask, 0, 0);
        pv_mask_release(t.mask);
        if (i % 500 == 0) pv_mask_cache_evict(me->cache, me->mask);
    }
    return NULL;
}

START_TEST(threads_share_a_cache) {
    scoped_mask *m = box_mask(30, 10);
    pv_mask_cache *c = pv_mask_cache_create(20000, NULL, NULL);
    crowd crowds[4];
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        crowds[i] = (crowd){c, m, (uint64_t)i % 2 + 1, 0};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, use, &crowds[i]), 0);
    }
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    ck_assert(crowds[0].area == crowds[2].area && crowds[1].area == crowds[3].area &&
              crowds[0].area > 0);
    pv_mask_cache_stats s = pv_mask_cache_get_stats(c);
    ck_assert(s.hits + s.misses == 12000 && s.bytes <= s.budget && s.evictions > 0);
    pv_mask_cache_destroy(c);
    ck_assert_int_eq(pv_mask_set_pixel(m, 0, 0, false), PV_OK);
}

RUN_TESTS("cache")
