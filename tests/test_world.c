/* test_world.c - the world as a whole: made and refused, counted, hashed, asked, and starved of memory.
 *
 * Invariant: answers are compared with loops over pixels or pairs that know nothing of the library's ways.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include "pv_world.h"

START_TEST(bad_worlds_are_refused) {
    pv_status s;
    pv_world_def good = pv_world_def_default(), d;
    d = good, d.gravity.x = NAN;
    ck_assert_ptr_null(pv_world_create(&d, &s));
    ck_assert_int_eq(s, PV_ERROR_NOT_FINITE);
    d = good, d.bounce_speed = INFINITY;
    ck_assert_ptr_null(pv_world_create(&d, &s));
    ck_assert_int_eq(s, PV_ERROR_NOT_FINITE);
    const int bad_counts[] = {-1, 65, 0};
    for (int i = 0; i < 3; i++) {
        d = good, d.substeps = i < 2 ? bad_counts[i] : 1000;
        ck_assert_ptr_null(pv_world_create(&d, &s));
        ck_assert_int_eq(s, PV_ERROR_ARGUMENT);
        d = good, d.iterations = bad_counts[i];
        ck_assert_ptr_null(pv_world_create(&d, &s));
        ck_assert_int_eq(s, PV_ERROR_ARGUMENT);
    }
    d = good, d.friction_mix = (pv_mix)5;
    ck_assert_ptr_null(pv_world_create(&d, &s));
    d = good, d.cookie = 0;
    ck_assert_ptr_null(pv_world_create(&d, &s));
    ck_assert_int_eq(s, PV_ERROR_ARGUMENT);
    pv_world_destroy(NULL);
    ck_assert_uint_eq(pv_world_hash(NULL), 0);
    ck_assert_int_eq(pv_world_get_stats(NULL).bodies, 0);
    ck_assert_int_eq(pv_world_contacts(NULL, NULL, 0), 0);
    ck_assert_uint_eq(pv_world_next_body(NULL, (pv_body){0, 0}).index, 0);
    ck_assert_int_eq(pv_world_set_gravity(NULL, (pv_vec2){0, 0}), PV_ERROR_ARGUMENT);
}
END_TEST

static void note_refusal(void *user, const char *function, pv_status status) {
    ck_assert_str_eq(function, "pv_body_set_angle");
    ck_assert_int_eq(status, PV_ERROR_STALE);
    ++*(int *)user;
}

START_TEST(refusals_are_reported) {
    int refusals = 0;
    pv_world_def d = pv_world_def_default();
    d.report = note_refusal;
    d.report_user = &refusals;
    pv_world *w = pv_world_create(&d, NULL);
    pv_body_set_angle(w, (pv_body){3, 1}, 1);
    ck_assert_int_eq(refusals, 1);
    pv_world_destroy(w);
}
END_TEST

START_TEST(bodies_are_listed_in_order) {
    pv_world *w = pv_world_create(NULL, NULL);
    pv_body b[10], at = {0, 0};
    for (int i = 0; i < 10; i++) b[i] = put(w, box_mask(4, 4), 10 * i, 0, pv_body_def_default());
    for (int i = 0; i < 10; i += 3) pv_body_destroy(w, b[i]);
    for (int i = 0; i < 10; i++) {
        if (i % 3 == 0) continue;
        at = pv_world_next_body(w, at);
        ck_assert_uint_eq(at.index, b[i].index);
    }
    ck_assert_uint_eq(pv_world_next_body(w, at).index, 0);
    ck_assert_int_eq(pv_world_get_stats(w).bodies, 6);
    pv_world_destroy(w);
}
END_TEST

/// Random boxes, discs and boots, some of them static, all in a small place.
static pv_world *crowd(uint64_t seed, int count, double gravity) {
    pv_world_def d = pv_world_def_default();
    d.gravity = (pv_vec2){0, gravity};
    pv_world *w = pv_world_create(&d, NULL);
    for (int i = 0; i < count; i++) {
        pv_body_def def = of_type(i % 5 ? PV_BODY_DYNAMIC : PV_BODY_STATIC);
        def.angle = i % 3 ? 6 * next_unit(&seed) : 0;
        int size = 3 + (int)(next_unit(&seed) * 30);
        pv_mask *m = i % 2 ? disc_mask(size / 2 + 1) : box_mask(size, 5 + size / 2);
        pv_mask_set(m, 0, 0, false);
        put(w, m, 200 * next_unit(&seed), 200 * next_unit(&seed), def);
    }
    return w;
}

START_TEST(paper_5_2_all_pairs_are_found) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        pv_world *w = crowd(seed, 60, 320);
        for (int step = 0; step < 5; step++) pv_world_step(w, 1.0 / 60);
        int found = 0;
        for (int i = 0; i < w->body_count; i++)
            for (int j = i + 1; j < w->body_count; j++) {
                const pv__body *a = &w->bodies[i], *b = &w->bodies[j];
                pv_box p = w->grid.places[i].box, q = w->grid.places[j].box;
                bool meet =
                    !(p.max.x <= q.min.x || q.max.x <= p.min.x || p.max.y <= q.min.y || q.max.y <= p.min.y);
                bool wanted = meet && (a->type == PV_BODY_DYNAMIC || b->type == PV_BODY_DYNAMIC);
                bool listed = found < w->pair_count && w->pairs[found].a == i && w->pairs[found].b == j;
                ck_assert_int_eq(listed, wanted);
                found += listed;
            }
        ck_assert_int_eq(found, w->pair_count);
        ck_assert_int_gt(found, 20);
        pv_world_destroy(w);
    }
}
END_TEST

/// Whether world pixel (x, y)'s centre lies on a solid pixel of a body, by long double arithmetic; -1 when it is too
/// near an edge to say.
static int covered(const pv_world *w, pv_body b, int x, int y) {
    pv_transform t = pv_body_transform(w, b);
    long double dx = x + 0.5L - t.position.x, dy = y + 0.5L - t.position.y;
    long double u = t.pivot.x + t.rotation.c * dx + t.rotation.s * dy;
    long double v = t.pivot.y + t.rotation.c * dy - t.rotation.s * dx;
    if (fabsl(u - roundl(u)) < 1e-6L || fabsl(v - roundl(v)) < 1e-6L) return -1;
    return pv_mask_get(pv_body_mask(w, b), (int)floorl(u), (int)floorl(v));
}

START_TEST(overlap_area_is_that_of_the_pixels) {
    for (uint64_t seed = 1; seed <= 5; seed++) {
        pv_world *w = crowd(seed, 16, 0);
        int64_t sum = 0, doubtful = 0;
        for (pv_body a = {0, 0}; (a = pv_world_next_body(w, a)).index;)
            for (pv_body b = a; (b = pv_world_next_body(w, b)).index;) {
                if (pv_body_get_type(w, a) == PV_BODY_STATIC && pv_body_get_type(w, b) == PV_BODY_STATIC)
                    continue;
                for (int y = -40; y < 240; y++)
                    for (int x = -40; x < 240; x++) {
                        int p = covered(w, a, x, y), q = p ? covered(w, b, x, y) : 0;
                        sum += p == 1 && q == 1;
                        doubtful += p && q && (p < 0 || q < 0);
                    }
            }
        int64_t area = pv_world_overlap_area(w);
        ck_assert_msg(area >= sum && area <= sum + doubtful, "%d, not %d...%d", (int)area, (int)sum,
                      (int)(sum + doubtful));
        ck_assert_int_gt(sum, 0);
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(body_at_finds_the_last_under_a_point) {
    pv_world *w = crowd(3, 30, 0);
    uint64_t seed = 9;
    int hits = 0;
    for (int i = 0; i < 2000; i++) {
        int x = (int)(200 * next_unit(&seed)), y = (int)(200 * next_unit(&seed));
        pv_body expected = {0, 0};
        bool doubt = false;
        for (pv_body b = {0, 0}; (b = pv_world_next_body(w, b)).index;) {
            int p = covered(w, b, x, y);
            doubt |= p < 0;
            if (p == 1) expected = b;
        }
        if (doubt) continue;
        pv_body got = pv_world_body_at(w, (pv_vec2){x + 0.5, y + 0.5});
        ck_assert_uint_eq(got.index, expected.index);
        hits += got.index > 0;
    }
    ck_assert_int_gt(hits, 300);
    ck_assert_uint_eq(pv_world_body_at(w, (pv_vec2){NAN, 0}).index, 0);
    pv_world_destroy(w);
}
END_TEST

START_TEST(contacts_say_who_where_and_how_hard) {
    pv_world_def d = pv_world_def_default();
    d.sleeping = false;
    d.substeps = 16;
    pv_world *w = pv_world_create(&d, NULL);
    pv_body floor = put(w, box_mask(100, 10), 0, 5, of_type(PV_BODY_STATIC));
    pv_body box = put(w, box_mask(20, 20), 0, -10, pv_body_def_default());
    for (int i = 0; i < 120; i++) pv_world_step(w, 1.0 / 60);
    pv_contact c;
    ck_assert_int_eq(pv_world_contacts(w, NULL, 0), 1);
    ck_assert_int_eq(pv_world_contacts(w, &c, 1), 1);
    ck_assert_uint_eq(c.a.index, floor.index);
    ck_assert_uint_eq(c.b.index, box.index);
    ck_assert_double_eq_tol(c.normal.y, -1, 1e-9);
    ck_assert_double_eq_tol(c.point.x, 0, 1);
    ck_assert_double_eq_tol(c.point.y, 0, 1);
    ck_assert_double_eq_tol(c.impulse, 400 * 320 / 960.0,
                            400 * 320 / 960.0 * 0.05); /* its weight for a substep */
    pv_world_destroy(w);
}
END_TEST

START_TEST(the_same_calls_give_the_same_bits) {
    pv_world *a = crowd(4, 40, 320), *b = crowd(4, 40, 320);
    for (int i = 0; i < 200; i++) {
        pv_world_step(a, 1.0 / 60);
        pv_world_step(b, 1.0 / 60);
        ck_assert(pv_world_hash(a) == pv_world_hash(b));
    }
    uint64_t before = pv_world_hash(a);
    pv_body_set_angle(a, pv_world_next_body(a, (pv_body){0, 0}), 1e-12);
    ck_assert(pv_world_hash(a) != before);
    pv_world_destroy(a);
    pv_world_destroy(b);
}
END_TEST

START_TEST(no_number_is_ever_lost) {
    for (uint64_t seed = 1; seed <= 6; seed++) {
        pv_world *w = crowd(seed, 80, 320);
        for (int i = 0; i < 120; i++) pv_world_step(w, 1.0 / 60);
        for (pv_body b = {0, 0}; (b = pv_world_next_body(w, b)).index;) {
            pv_vec2 p = pv_body_position(w, b), v = pv_body_velocity(w, b);
            ck_assert(isfinite(p.x) && isfinite(p.y) && isfinite(v.x) && isfinite(v.y));
            ck_assert(isfinite(pv_body_spin(w, b)));
            pv_rotation r = pv_body_rotation(w, b);
            ck_assert_double_eq_tol(r.c * r.c + r.s * r.s, 1, 1e-12);
        }
        pv_world_destroy(w);
    }
}
END_TEST

/// A short life with everything in it; whether all of it worked.
static bool live(purse *p, pv_contacts contacts) {
    pv_world_def wd = pv_world_def_default();
    wd.contacts = contacts;
    wd.allocator = (pv_allocator){purse_alloc, p};
    pv_world *w = pv_world_create(&wd, NULL);
    pv_mask *disc = pv_mask_create(12, 12, &wd.allocator, NULL);
    bool fine = w && disc;
    if (disc) pv_mask_fill(disc, (pv_rect){1, 1, 10, 10}, true);
    for (int i = 0; w && disc && i < 20; i++) {
        pv_body_def def = of_type(i ? PV_BODY_DYNAMIC : PV_BODY_STATIC);
        def.mask = disc;
        def.angle = i;
        def.position = (pv_vec2){7 * (i % 5), -7 * (i / 5)};
        pv_status s;
        pv_body b = pv_body_create(w, &def, &s);
        fine &= b.index > 0;
        ck_assert(b.index > 0 || s == PV_ERROR_MEMORY);
    }
    for (int i = 0; w && i < 30; i++) {
        unsigned flags = pv_world_step(w, 1.0 / 60);
        ck_assert_uint_eq(flags & ~(unsigned)PV_STEP_NO_MEMORY, 0);
        fine &= flags == 0;
    }
    if (w) fine &= pv_world_overlap_area(w) >= 0;
    pv_mask_release(disc);
    pv_world_destroy(w);
    return fine;
}

START_TEST(lack_of_memory_is_survived) {
    for (int kind = PV_CONTACTS_PIXEL; kind <= PV_CONTACTS_CONTOUR; kind++) {
        purse p = {0};
        ck_assert(live(&p, (pv_contacts)kind));
        ck_assert_int_eq(p.live_bytes, 0);
        long calls = p.calls;
        ck_assert_int_gt(calls, 20);
        for (long n = 1; n <= calls; n++) {
            p = (purse){.fail_at = n};
            ck_assert_msg(!live(&p, (pv_contacts)kind), "allocation %ld failed and nobody noticed", n);
            ck_assert_int_eq(p.live_bytes, 0);
        }
    }
}
END_TEST

START_TEST(gravity_turns_and_wakes) {
    pv_world *w = pv_world_create(NULL, NULL);
    put(w, box_mask(200, 10), 0, 5, of_type(PV_BODY_STATIC));
    pv_body box = put(w, box_mask(20, 20), 0, -10, pv_body_def_default());
    for (int i = 0; i < 120; i++) pv_world_step(w, 1.0 / 60);
    ck_assert(!pv_body_is_awake(w, box));
    ck_assert_int_eq(pv_world_set_gravity(w, (pv_vec2){0, -100}), PV_OK);
    ck_assert_double_eq(pv_world_gravity(w).y, -100);
    for (int i = 0; i < 60; i++) pv_world_step(w, 1.0 / 60);
    ck_assert_double_eq_tol(pv_body_velocity(w, box).y, -100, 1);
    pv_world_destroy(w);
}
END_TEST

RUN_SUITE("world", bad_worlds_are_refused, refusals_are_reported, bodies_are_listed_in_order,
          paper_5_2_all_pairs_are_found, overlap_area_is_that_of_the_pixels,
          body_at_finds_the_last_under_a_point, contacts_say_who_where_and_how_hard,
          the_same_calls_give_the_same_bits, no_number_is_ever_lost, lack_of_memory_is_survived,
          gravity_turns_and_wakes)
