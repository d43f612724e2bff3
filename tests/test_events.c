/* test_events.c - events of a step, against books that the test keeps, and formulas.
 *
 * Invariant: after every step, contacts begun minus ended are the touching pairs. Bodies that fell
 * asleep minus those that woke are the sleeping bodies. Hit events follow Newton's laws.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "heap.h"
#include "shared_world.h"

static const double DT = 1.0 / 60, G = 320;
static const pv_contact_mode KINDS[2] = {PV_CONTACT_MODE_CONTOURS, PV_CONTACT_MODE_PIXELS};

static pv_world *w;

static pv_events step(void) {
    ck_assert_int_eq(pv_world_step(w, DT), PV_OK);
    return pv_world_get_events(w);
}

/* ---- books ---- */

typedef struct book {
    pv_contact_event touching[2048];
    pv_body_id asleep[512], outside[512];
    int touch_count, asleep_count, outside_count;
    int begins, ends, bounces, hits, sleeps, wakes, strays;
} book;

/// Returns the index of a pair in a list, or -1.
static int find_pair(const pv_contact_event *list, int count, pv_contact_event m) {
    for (int i = 0; i < count; i++)
        if (PV_ID_EQUALS(list[i].a, m.a) && PV_ID_EQUALS(list[i].b, m.b)) return i;
    return -1;
}

static int line_of(const book *k, pv_contact_event m) {
    return find_pair(k->touching, k->touch_count, m);
}

static int place_of(const pv_body_id *bodies, int count, pv_body_id b) {
    for (int i = 0; i < count; i++)
        if (PV_ID_EQUALS(bodies[i], b)) return i;
    return -1;
}

static void check_order(const pv_contact_event *m, int count) {
    for (int i = 0; i < count; i++) {
        ck_assert_uint_lt(m[i].a.index, m[i].b.index);
        if (i == 0) continue;
        const pv_contact_event *p = &m[i - 1], *q = &m[i];
        ck_assert(q->a.index > p->a.index ||
                  (q->a.index == p->a.index && q->b.index >= p->b.index));
        ck_assert(!PV_ID_EQUALS(p->a, q->a) || !PV_ID_EQUALS(p->b, q->b));
    }
}

static void follow_contacts(book *k, const pv_events *e) {
    check_order(e->contact_begins, e->contact_begin_count);
    check_order(e->contact_ends, e->contact_end_count);
    for (int i = 0; i < e->contact_begin_count; i++) {
        pv_contact_event m = e->contact_begins[i];
        bool ended = find_pair(e->contact_ends, e->contact_end_count, m) >= 0;
        if (line_of(k, m) >= 0) {
            ck_assert(ended); /* it ended, and began again */
            continue;
        }
        k->bounces += ended;
        if (!ended) k->touching[k->touch_count++] = m;
    }
    for (int i = 0; i < e->contact_end_count; i++) {
        if (find_pair(e->contact_begins, e->contact_begin_count, e->contact_ends[i]) >= 0) continue;
        int at = line_of(k, e->contact_ends[i]);
        ck_assert_int_ge(at, 0);
        k->touching[at] = k->touching[--k->touch_count];
    }
    k->begins += e->contact_begin_count;
    k->ends += e->contact_end_count;
}

static void follow_sleep(book *k, const pv_events *e) {
    for (int i = 0; i < e->sleep_count; i++) {
        ck_assert(i == 0 || e->sleeps[i - 1].index < e->sleeps[i].index);
        ck_assert_int_eq(place_of(k->asleep, k->asleep_count, e->sleeps[i]), -1);
        k->asleep[k->asleep_count++] = e->sleeps[i];
    }
    for (int i = 0; i < e->wake_count; i++) {
        int at = place_of(k->asleep, k->asleep_count, e->wakes[i]);
        ck_assert(i == 0 || e->wakes[i - 1].index < e->wakes[i].index);
        ck_assert_int_ge(at, 0);
        k->asleep[at] = k->asleep[--k->asleep_count];
    }
    k->sleeps += e->sleep_count;
    k->wakes += e->wake_count;
}

static void follow_hits(book *k, const pv_events *e, double hit_speed) {
    for (int i = 0; i < e->hit_count; i++) {
        const pv_hit_event *h = &e->hits[i];
        ck_assert(pv_body_is_valid(w, h->a) && pv_body_is_valid(w, h->b));
        ck_assert(h->a.index < h->b.index && h->speed > hit_speed && h->impulse >= 0);
        ck_assert_double_eq_tol(hypot(h->normal.x, h->normal.y), 1, 1e-9);
        if (i == 0) continue;
        const pv_hit_event *p = h - 1;
        ck_assert(p->a.index < h->a.index || (p->a.index == h->a.index && p->b.index < h->b.index));
    }
    k->hits += e->hit_count;
}

/// Checks that the contacts in the book are those of the world.
static void check_contacts(const book *k, int at) {
    static pv_contact all[2048];
    int count = pv_world_get_contacts(w, all, 2048);
    for (int i = 0; i < count; i++)
        ck_assert_msg(line_of(k, (pv_contact_event){all[i].a, all[i].b}) >= 0,
                      "step %d: %u and %u touch untold", at, all[i].a.index, all[i].b.index);
    ck_assert_msg(count == k->touch_count, "step %d: %d touch, %d are told of", at, count,
                  k->touch_count);
}

static void check_sleep(const book *k, int at) {
    for (pv_body_id b = {0, 0}; (b = pv_world_get_next_body(w, b)).index;) {
        pv_body_def def = pv_body_get_def(w, b);
        if (!def.enabled || def.type == PV_BODY_STATIC) continue;
        bool asleep = place_of(k->asleep, k->asleep_count, b) >= 0;
        ck_assert_msg(asleep == !pv_body_is_awake(w, b), "step %d: body %u", at, b.index);
    }
}

/// Checks the events of bodies that left the bounds, against their boxes.
static void follow_strays(book *k, const pv_events *e, pv_box bounds) {
    int wanted = 0;
    for (pv_body_id b = {0, 0}; (b = pv_world_get_next_body(w, b)).index;) {
        pv_body_def def = pv_body_get_def(w, b);
        if (!def.enabled || def.type == PV_BODY_STATIC) continue;
        pv_box box = pv_body_get_bounds(w, b);
        bool out = box.max.x <= bounds.min.x || box.min.x >= bounds.max.x ||
                   box.max.y <= bounds.min.y || box.min.y >= bounds.max.y;
        int at = place_of(k->outside, k->outside_count, b);
        if (out && at < 0) {
            ck_assert_int_lt(wanted, e->out_of_bounds_count);
            ck_assert(PV_ID_EQUALS(e->out_of_bounds[wanted], b));
            wanted++;
            k->outside[k->outside_count++] = b;
        } else if (!out && at >= 0) {
            k->outside[at] = k->outside[--k->outside_count];
        }
    }
    ck_assert_int_eq(e->out_of_bounds_count, wanted);
    k->strays += wanted;
}

static pv_events follow(book *k, int at) {
    pv_events e = step();
    follow_contacts(k, &e);
    follow_sleep(k, &e);
    follow_hits(k, &e, 50);
    check_contacts(k, at);
    check_sleep(k, at);
    return e;
}

START_TEST(books_of_heaps_agree) {
    for (uint64_t seed = 1; seed <= last_seed(5); seed++) {
        pv_world_def def = WITH(pv_world_def_default(), it.contact_mode = KINDS[seed % 2],
                                it.bounds = (pv_box){{0, -200}, {300, 400}});
        scoped_heap h = heap_make(seed, def);
        scoped_memory book *k = calloc(1, sizeof *k);
        for (int i = 0; i < 40; i++) heap_add(&h, false);
        for (int step = 0; step < 900; step++) {
            heap_play(&h, step, false);
            w = h.world;
            pv_events e = follow(k, step);
            follow_strays(k, &e, def.bounds);
        }
        ck_assert_int_gt(k->begins, 200);
        ck_assert_int_gt(k->ends, 100);
        ck_assert_int_gt(k->sleeps, 20);
        ck_assert_int_gt(k->wakes, 10);
        ck_assert_int_gt(k->hits, 20);
    }
}

/* ---- rest ---- */

static pv_body_def turned(pv_body_type type, double angle) {
    return WITH(of_type(type), it.angle = angle);
}

/// Rests bodies on a floor, on a slope and in stacks. Then no contact may end, begin or hit.
START_TEST_FOR(what_rests_touches_in_every_step, kind, 2) {
    for (int sleeps = 0; sleeps < 2; sleeps++) {
        pv_world_def d =
            WITH(pv_world_def_default(), it.contact_mode = KINDS[kind], it.enable_sleep = sleeps);
        w = next_world(d);
        put_box(PV_BODY_STATIC, 600, 20, 300, 210);
        put(w, box_mask(200, 20), 800, 200, turned(PV_BODY_STATIC, 0.3));
        put_box(PV_BODY_DYNAMIC, 16, 16, 50, 191);
        put(w, disc_mask(9), 100, 190, pv_body_def_default());
        put(w, ring_mask(30, 4, true), 150, 180, turned(PV_BODY_DYNAMIC, 3.14159265358979));
        put(w, ring_mask(30, 4, true), 200, 183, pv_body_def_default());
        for (int i = 0; i < 6; i++) put_box(PV_BODY_DYNAMIC, 20, 14, 300, 192 - 14.1 * i);
        for (int i = 0; i < 3; i++)
            put(w, ring_mask(30, 4, true), 400, 183 - 26.1 * i, pv_body_def_default());
        put(w, box_mask(20, 12), 800, 180, turned(PV_BODY_DYNAMIC, 0.3));
        book k = {0};
        for (int i = 0; i < 300; i++) follow(&k, i);
        int ends = k.ends, hits = k.hits, touching = k.touch_count;
        ck_assert_int_ge(touching, 14);
        for (int i = 0; i < 600; i++) {
            pv_events e = follow(&k, i);
            ck_assert_msg(k.ends == ends, "kind %d, sleeping %d, step %d: %u and %u part", kind,
                          sleeps, i, e.contact_end_count ? e.contact_ends[0].a.index : 0,
                          e.contact_end_count ? e.contact_ends[0].b.index : 0);
            ck_assert_int_eq(k.touch_count, touching);
        }
        ck_assert_int_eq(k.hits, hits);
    }
}

/* ---- hits ---- */

static void expect_hit(const pv_hit_event *h, double speed, double impulse, pv_vec2 normal,
                       pv_vec2 point, double share, double borne) {
    ck_assert_double_eq_tol(h->speed, speed,
                            share * speed + 0.5 * G / speed); /* rims are half a pixel off */
    ck_assert_double_eq_tol(h->impulse, impulse, 2 * share * impulse + borne);
    expect_point(h->normal, normal.x, normal.y, 1e-6);
    expect_point(h->point, point.x, point.y, 1);
}

/// Drops a ball on a floor, which must report each bounce once.
static void drop_ball(pv_contact_mode kind, double height, double restitution) {
    w = next_world_by(kind, G);
    pv_body_id floor = put_box(PV_BODY_STATIC, 200, 20, 100, 210);
    pv_body_set_restitution(w, floor, restitution);
    pv_body_id ball = put(w, disc_mask(10), 100, 190 - height,
                          WITH(pv_body_def_default(), it.restitution = restitution));
    double v = sqrt(2 * G * height), m = pv_body_get_mass(w, ball);
    /* Contacts that last bear the ball for the rest of the step. */
    double borne = restitution == 0 ? m * G * DT : 0;
    int hits = 0;
    for (int i = 0; i < 900; i++) {
        double before = body_v(ball).y;
        step();
        double given = m * (before + G * DT - body_v(ball).y);
        pv_events e = pv_world_get_events(w);
        ck_assert_int_le(e.hit_count, 1);
        if (e.hit_count == 0) continue;
        const pv_hit_event *h = e.hits;
        ck_assert_msg(v > 49, "hit %d of restitution %g from %g px at %g, not %g px/s", hits,
                      restitution, height, h->speed, v);
        ck_assert(PV_ID_EQUALS(h->a, floor) && PV_ID_EQUALS(h->b, ball));
        ck_assert_double_eq_tol(h->impulse, given, 1e-3 * given + m * G * DT / 8);
        if (hits == 0)
            expect_hit(h, v, m * (1 + restitution) * v, (pv_vec2){0, -1}, (pv_vec2){100, 200}, 0.01,
                       borne);
        hits++;
        v *= restitution;
    }
    ck_assert_int_ge(hits, 1);
    if (restitution < 1) ck_assert_double_lt(v, 55);
}

START_TEST_FOR(a_ball_tells_of_each_bounce_once, kind, 2) {
    const double restitution[] = {0, 0.2, 0.5, 0.8};
    for (int i = 0; i < 4; i++)
        for (double height = 20; height < 300; height *= 1.3)
            drop_ball(KINDS[kind], height, restitution[i]);
}

START_TEST_FOR(a_box_hits_with_the_middle_of_its_face, kind, 2) {
    w = next_world_by(KINDS[kind], G);
    pv_body_set_restitution(w, put_box(PV_BODY_STATIC, 200, 20, 100, 210), 0.3);
    pv_body_id box =
        put(w, box_mask(30, 20), 95, 90, WITH(pv_body_def_default(), it.restitution = 0.3));
    double v = sqrt(2 * G * 100);
    int hits = 0;
    for (int i = 0; i < 60; i++) {
        pv_events e = step();
        if (e.hit_count && hits++ == 0)
            expect_hit(e.hits, v, 1.3 * v * pv_body_get_mass(w, box), (pv_vec2){0, -1},
                       (pv_vec2){95, 200}, 0.01, 0);
    }
    ck_assert_int_ge(hits, 1);
}

/// The impulses of two feet that hit one after the other add up to the body's loss of momentum.
START_TEST(impulses_of_feet_add_up) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, G);
    put_box(PV_BODY_STATIC, 400, 20, 200, 210);
    pv_mask *table = box_mask(60, 20);
    pv_mask_fill_rect(table, (pv_rect){10, 10, 40, 10}, false);
    pv_body_id b = put(w, table, 200, 100, turned(PV_BODY_DYNAMIC, 0.15));
    double m = pv_body_get_mass(w, b);
    int hits = 0;
    for (int i = 0; i < 200; i++) {
        double before = body_v(b).y;
        step();
        double given = m * (before + G * DT - body_v(b).y);
        pv_events e = pv_world_get_events(w);
        ck_assert_int_le(e.hit_count, 1);
        if (e.hit_count) ck_assert_double_eq_tol(e.hits[0].impulse, given, 0.02 * given);
        hits += e.hit_count;
    }
    ck_assert_int_ge(hits, 2);
}

START_TEST_FOR(two_balls_and_a_bullet, kind, 2) {
    w = next_world_by(KINDS[kind], 0);
    pv_body_def def = WITH(pv_body_def_default(), it.restitution = 0.5, it.velocity.x = 150);
    pv_body_id a = put(w, disc_mask(8), 100, 100, def);
    def.velocity.x = -150;
    pv_body_id b = put(w, disc_mask(8), 150, 100, def);
    pv_body_id wall = put_box(PV_BODY_STATIC, 20, 100, 600, 300);
    def.velocity.x = 9000;
    pv_body_id bullet = put(w, box_mask(6, 4), 300, 300, def);
    double m = pv_body_get_mass(w, a), n = pv_body_get_mass(w, bullet);
    int hits = 0, shots = 0;
    for (int i = 0; i < 60; i++) {
        pv_events e = step();
        for (int j = 0; j < e.hit_count; j++) {
            const pv_hit_event *h = &e.hits[j];
            if (PV_ID_EQUALS(h->a, a)) {
                ck_assert(PV_ID_EQUALS(h->b, b) && hits++ == 0);
                expect_hit(h, 300, m / 2 * 1.5 * 300, (pv_vec2){1, 0}, (pv_vec2){125, 100}, 0.01,
                           0);
                ck_assert_double_eq_tol(h->impulse, m * (150 - body_v(a).x), 1e-6 * h->impulse);
            } else {
                ck_assert(PV_ID_EQUALS(h->a, wall) && PV_ID_EQUALS(h->b, bullet) && shots++ == 0);
                double left = n * (9000 - body_v(bullet).x);
                expect_hit(h, 9000, left, (pv_vec2){-1, 0}, (pv_vec2){590, 300}, 0.01, 0);
            }
        }
    }
    ck_assert_int_eq(hits, 1);
    ck_assert_int_eq(shots, 1);
}

/// Rolling and sliding bodies report no hits; on pixels, the ball rolls too slowly to hop.
START_TEST_FOR(rolling_and_sliding_hit_nothing, kind, 2) {
    w = next_world_by(KINDS[kind], G);
    put_box(PV_BODY_STATIC, 2000, 20, 1000, 210);
    pv_body_def def = pv_body_def_default();
    pv_body_id ball = put(w, disc_mask(12), 900, 188, def),
               box = put(w, box_mask(30, 16), 150, 192, def);
    double roll = KINDS[kind] == PV_CONTACT_MODE_PIXELS ? 20 : 240;
    step_times(60);
    ck_assert_int_eq(pv_body_get_contacts(w, ball, NULL, 0), 1);
    ck_assert_int_eq(pv_body_set_velocity(w, ball, (pv_vec2){roll, 0}), PV_OK);
    ck_assert_int_eq(pv_body_set_angular_velocity(w, ball, roll / 12), PV_OK);
    ck_assert_int_eq(pv_body_set_velocity(w, box, (pv_vec2){400, 0}), PV_OK);
    for (int i = 0; i < 180; i++) {
        pv_events e = step();
        ck_assert_msg(e.hit_count == 0, "kind %d, step %d: body %u at %g px/s", kind, i,
                      e.hits ? e.hits[0].b.index : 0, e.hits ? e.hits[0].speed : 0);
    }
}

/* ---- sleep ---- */

START_TEST_FOR(a_stack_sleeps_and_wakes_as_one, kind, 2) {
    w = next_world_by(KINDS[kind], G);
    put_box(PV_BODY_STATIC, 200, 20, 100, 210);
    pv_body_id b[4];
    for (int i = 0; i < 4; i++) b[i] = put_box(PV_BODY_DYNAMIC, 20, 14, 100, 192.9 - 14.1 * i);
    book k = {0};
    for (int i = 0; i < 200; i++) {
        pv_events e = follow(&k, i);
        ck_assert(e.sleep_count == 0 || e.sleep_count == 4);
    }
    ck_assert_int_eq(k.sleeps, 4);
    ck_assert_int_eq(k.wakes, 0);
    ck_assert_int_eq(pv_body_wake(w, b[2]), PV_OK);
    ck_assert_int_eq(follow(&k, 0).wake_count, 4);
    for (int i = 0; i < 200; i++) follow(&k, i);
    ck_assert_int_eq(k.sleeps, 8);
    ck_assert_int_eq(pv_body_apply_force(w, b[2], (pv_vec2){1, 0}), PV_OK);
    ck_assert_int_eq(follow(&k, 0).wake_count, 4);
    for (int i = 0; i < 200; i++) follow(&k, i);
    ck_assert_int_eq(k.sleeps, 12);
    pv_body_set_enabled(w, b[3], false); /* asleep; enabling it again wakes it */
    pv_body_set_enabled(w, b[3], true);
    pv_body_set_type(w, b[0], PV_BODY_KINEMATIC);
    ck_assert_int_eq(follow(&k, 0).wake_count, 4);
}

/* ---- bounds ---- */

START_TEST_FOR(who_strays_is_told_once, kind, 2) {
    for (int bounded = 0; bounded < 2; bounded++) {
        pv_world_def d = WITH(pv_world_def_default(), it.contact_mode = KINDS[kind],
                              it.gravity = (pv_vec2){0, 0});
        if (bounded) d.bounds = (pv_box){{0, 0}, {200, 200}};
        w = next_world(d);
        pv_body_id b =
            put(w, box_mask(10, 10), 150, 100, WITH(pv_body_def_default(), it.velocity.x = 120));
        int strays = 0;
        for (int i = 0; i < 200; i++) {
            pv_events e = step();
            strays += e.out_of_bounds_count;
            ck_assert_int_eq(strays, bounded && pv_body_get_bounds(w, b).min.x >= 200);
            if (e.out_of_bounds_count) ck_assert(PV_ID_EQUALS(e.out_of_bounds[0], b));
        }
        pv_body_set_position(w, b, (pv_vec2){100, 100});
        pv_body_set_velocity(w, b, (pv_vec2){0, 0});
        step_times(100);
        ck_assert(!pv_body_is_awake(w, b));
        pv_body_set_position(w, b, (pv_vec2){100, -100});
        for (int i = 0; i < 100; i++) {
            step();
            strays += pv_world_get_events(w).out_of_bounds_count;
        }
        ck_assert_int_eq(strays, bounded ? 2 : 0);
    }
}

/* ---- the caller's filter ---- */

enum { TRIBES = 6 };

typedef struct tribes {
    bool meet[TRIBES][TRIBES];
    int asked;
} tribes;

static bool ask(void *user_data, const pv_world *world, pv_body_id a, pv_body_id b) {
    tribes *t = user_data;
    ck_assert(pv_body_is_valid(world, a) && pv_body_is_valid(world, b));
    ck_assert_uint_lt(a.index, b.index);
    pv_filter p = pv_body_get_filter(world, a), q = pv_body_get_filter(world, b);
    ck_assert((p.category_bits & q.mask_bits) && (q.category_bits & p.mask_bits));
    t->asked++;
    return t->meet[(intptr_t)pv_body_get_user_data(world, a)]
                  [(intptr_t)pv_body_get_user_data(world, b)];
}

START_TEST(whom_the_caller_denies_does_not_touch) {
    for (uint64_t seed = 1; seed <= last_seed(4); seed++) {
        tribes t = {0};
        uint64_t dice = seed;
        for (int i = 0; i < TRIBES; i++)
            for (int j = 0; j <= i; j++)
                t.meet[i][j] = t.meet[j][i] = i == 0 || next_unit(&dice) < 0.6;
        for (int i = 0; i < TRIBES; i++) t.meet[0][i] = t.meet[i][0] = true; /* walls meet all */
        pv_world_def def = WITH(pv_world_def_default(), it.contact_mode = KINDS[seed % 2],
                                it.filter_callback = ask, it.filter_user_data = &t);
        scoped_heap h = heap_make(seed, def);
        int through = 0;
        for (int i = 0; i < 40; i++) {
            pv_body_id b = heap_add(&h, i % 6 == 0);
            pv_body_set_user_data(h.world, b, (void *)(intptr_t)(1 + random_below(&h, TRIBES - 1)));
            if (i % 7 == 0) pv_body_set_filter(h.world, b, (pv_filter){2, 0xfffffffd, 0});
        }
        for (int step = 0; step < 200; step++) {
            pv_world_step(h.world, DT);
            pv_events e = pv_world_get_events(h.world);
            for (int i = 0; i < e.contact_begin_count; i++)
                ck_assert(ask(&t, h.world, e.contact_begins[i].a, e.contact_begins[i].b));
            for (int i = 0; i < e.sensor_begin_count; i++) {
                pv_body_id a = e.sensor_begins[i].sensor, b = e.sensor_begins[i].visitor;
                ck_assert(a.index < b.index ? ask(&t, h.world, a, b) : ask(&t, h.world, b, a));
            }
            through += e.contact_begin_count;
        }
        ck_assert_int_gt(through, 30);
        ck_assert_int_gt(t.asked, 1000);
    }
}

/// The filter's answer about a sensor's only visitor counts.
START_TEST_FOR(whom_the_caller_denies_is_in_no_sensor, allowed, 2) {
    tribes t = {.meet = {{allowed}}};
    w = next_world(
        WITH(pv_world_def_default(), it.filter_callback = ask, it.filter_user_data = &t));
    pv_body_id s = put(w, box_mask(9, 9), 0, 0, WITH(of_type(PV_BODY_STATIC), it.sensor = true));
    put_box(PV_BODY_DYNAMIC, 4, 4, 0, 0);
    step_times(1);
    ck_assert_int_eq(pv_body_get_sensor_overlaps(w, s, NULL, 0), allowed);
}

/* ---- lifetime ---- */

START_TEST(events_stay_until_the_next_step) {
    for (int kind = 0; kind < 2; kind++) {
        w = next_world_by(KINDS[kind], G);
        put_box(PV_BODY_STATIC, 200, 20, 100, 210);
        pv_body_id b[8];
        for (int i = 0; i < 8; i++) b[i] = put_box(PV_BODY_DYNAMIC, 12, 12, 30 + 20 * i, 150);
        int i = 0;
        for (; i < 100 && pv_world_get_events(w).hit_count == 0; i++) step();
        ck_assert_int_lt(i, 100);
        pv_events e = pv_world_get_events(w);
        ck_assert_int_eq(e.hit_count, 8);
        pv_hit_event hits[8];
        pv_contact_event begins[8];
        ck_assert_int_eq(e.contact_begin_count, 8);
        memcpy(hits, e.hits, sizeof hits);
        memcpy(begins, e.contact_begins, sizeof begins);
        for (int j = 0; j < 8; j += 2) pv_body_destroy(w, b[j]);
        put_box(PV_BODY_DYNAMIC, 12, 12, 30, 100);
        ck_assert_int_eq(pv_world_step(w, -1), PV_ERROR_ARGUMENT);
        pv_events after = pv_world_get_events(w);
        ck_assert_ptr_eq(after.hits, e.hits);
        ck_assert_int_eq(memcmp(hits, after.hits, sizeof hits), 0);
        ck_assert_int_eq(memcmp(begins, after.contact_begins, sizeof begins), 0);
    }
    pv_events none = pv_world_get_events(NULL), zero;
    memset(&zero, 0, sizeof zero);
    ck_assert_int_eq(memcmp(&none.contact_begin_count, &zero.contact_begin_count, 9 * sizeof(int)),
                     0);
    ck_assert_ptr_null(none.hits);
}

/// Each allocation fails once. The books never disagree, and steps that succeed set them right.
START_TEST_FOR(without_memory_books_are_right_again, kind, 2) {
    for (long fail = 1; fail < 400; fail += 2) {
        scoped_purse p = {0};
        scoped_heap h = heap_make(
            5, WITH(pv_world_def_default(), it.allocator = (pv_allocator){purse_alloc, &p},
                    it.contact_mode = KINDS[kind], it.bounds = (pv_box){{100, 100}, {200, 200}}));
        static book k;
        w = h.world;
        memset(&k, 0, sizeof k);
        for (int i = 0; i < 20; i++) heap_add(&h, false);
        p.fail_at = p.calls + fail;
        bool failed = false;
        int well = 0;
        for (int step = 0; step < 60; step++) {
            if (step == 25) pv_body_destroy(h.world, heap_pick(&h));
            bool starved = p.calls < p.fail_at;
            pv_status said = pv_world_step(h.world, DT);
            starved &= p.calls >= p.fail_at;
            ck_assert(said == PV_OK || (starved && said == PV_ERROR_MEMORY));
            failed |= starved;
            pv_events e = pv_world_get_events(h.world);
            follow_contacts(&k, &e);
            follow_sleep(&k, &e);
            check_sleep(&k, step);
            well = said != PV_OK ? 0 : well + 1;
            if (well > 0) check_contacts(&k, step);
        }
        if (!failed) break;
    }
}

START_TEST(a_corner_is_touched_on_both_sides) {
    w = next_world(WITH(pv_world_def_default(), it.gravity = (pv_vec2){-200, 300}));
    pv_mask *level = box_mask(200, 200);
    ck_assert_int_eq(pv_mask_fill_rect(level, (pv_rect){20, 0, 180, 180}, false), PV_OK);
    pv_body_id wall = put(w, level, 0, 0, of_type(PV_BODY_STATIC));
    pv_transform t = pv_body_get_transform(w, wall);
    pv_vec2 corner = pv_transform_to_world(&t, (pv_vec2){20, 180});
    pv_body_id box = put_box(PV_BODY_DYNAMIC, 20, 20, corner.x + 10.5, corner.y - 10.5);
    step_times(60);
    pv_contact_point points[8];
    int count = pv_body_get_contact_points(w, box, wall, points, 8), down = 0, left = 0;
    ck_assert_int_eq(pv_body_get_contact_points(w, wall, box, NULL, 0), count);
    for (int i = 0; i < count; i++) {
        down += points[i].normal.y > 0.999 && fabs(points[i].point.y - corner.y) < 0.5;
        left += points[i].normal.x < -0.999 && fabs(points[i].point.x - corner.x) < 0.5;
    }
    ck_assert(down > 0 && left > 0 && down + left == count);
    ck_assert_int_eq(pv_body_set_enabled(w, box, false), PV_OK);
    ck_assert(!pv_body_is_enabled(w, box) && pv_body_is_enabled(w, wall));
    ck_assert_int_eq(pv_body_get_contact_points(w, box, wall, points, 8), 0);
}

RUN_TESTS_IN("events", NULL, close_world, 1)
