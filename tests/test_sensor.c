/* test_sensor.c - sensors and their visitors, by pixels that the test rasters itself.
 *
 * Invariant: pixel centers are mapped back through transforms, and books hold begins and ends.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "heap.h"
#include "shared_world.h"

static const double DT = 1.0 / 60;
static const pv_contact_mode KINDS[2] = {PV_CONTACT_MODE_CONTOURS, PV_CONTACT_MODE_PIXELS};

static pv_world *w;

static pv_body_def sensor_of(pv_body_type type) {
    return WITH(of_type(type), it.sensor = true, it.gravity_scale = 0);
}

static pv_body_id put_sensor(int width, int height, double x, double y) {
    return put(w, box_mask(width, height), x, y, sensor_of(PV_BODY_STATIC));
}

/* ---- the oracle ---- */

/// Returns 1 if a pixel's center is in a solid pixel of a body, 0 if not, -1 if too near an edge.
static int covers(const pv_mask *mask, const pv_transform *t, int x, int y) {
    double dx = x + 0.5 - t->position.x, dy = y + 0.5 - t->position.y;
    double u = t->pivot.x + t->rotation.c * dx + t->rotation.s * dy,
           v = t->pivot.y - t->rotation.s * dx + t->rotation.c * dy;
    if (fabs(u - round(u)) < 1e-6 || fabs(v - round(v)) < 1e-6) return -1;
    return pv_mask_get_pixel(mask, (int)floor(u), (int)floor(v));
}

/// Returns 1 if two bodies share a pixel, 0 if not, -1 if unsure.
static int share(pv_body_id a, pv_body_id b) {
    pv_box p = pv_body_get_bounds(w, a), q = pv_body_get_bounds(w, b);
    pv_transform t = pv_body_get_transform(w, a), s = pv_body_get_transform(w, b);
    const pv_mask *m = pv_body_get_mask(w, a), *n = pv_body_get_mask(w, b);
    int doubt = 0, left = (int)floor(fmax(p.min.x, q.min.x)) - 1,
        right = (int)ceil(fmin(p.max.x, q.max.x)) + 1, top = (int)floor(fmax(p.min.y, q.min.y)) - 1,
        bottom = (int)ceil(fmin(p.max.y, q.max.y)) + 1;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            int c = covers(m, &t, x, y), d = c ? covers(n, &s, x, y) : 0;
            if (c == 1 && d == 1) return 1;
            doubt |= c != 0 && d != 0;
        }
    return doubt ? -1 : 0;
}

/// Returns 1 if a body is in a sensor, 0 if not, -1 if unsure.
static int is_in(pv_body_id sensor, pv_body_id visitor) {
    pv_body_def s = pv_body_get_def(w, sensor), v = pv_body_get_def(w, visitor);
    if (v.sensor || !s.enabled || !v.enabled || !filters_agree(s.filter, v.filter)) return 0;
    return share(sensor, visitor);
}

/* ---- the books ---- */

typedef struct book {
    pv_sensor_event inside[4096];
    int count, enters, leaves, flights;
} book;

/// Returns the index of a pair in a list, or -1.
static int find_pair(const pv_sensor_event *list, int count, pv_sensor_event v) {
    for (int i = 0; i < count; i++)
        if (PV_ID_EQUALS(list[i].sensor, v.sensor) && PV_ID_EQUALS(list[i].visitor, v.visitor))
            return i;
    return -1;
}

static int line_of(const book *k, pv_sensor_event v) { return find_pair(k->inside, k->count, v); }

static void check_order(const pv_sensor_event *v, int count) {
    for (int i = 1; i < count; i++) {
        const pv_sensor_event *p = &v[i - 1], *q = &v[i];
        ck_assert((q->sensor.index > p->sensor.index ||
                   (q->sensor.index == p->sensor.index && q->visitor.index >= p->visitor.index)) &&
                  (!PV_ID_EQUALS(p->sensor, q->sensor) || !PV_ID_EQUALS(p->visitor, q->visitor)));
    }
}

static void follow(book *k) {
    pv_events e = pv_world_get_events(w);
    check_order(e.sensor_begins, e.sensor_begin_count);
    check_order(e.sensor_ends, e.sensor_end_count);
    k->enters += e.sensor_begin_count;
    k->leaves += e.sensor_end_count;
    for (int i = 0; i < e.sensor_begin_count; i++) {
        ck_assert_int_eq(line_of(k, e.sensor_begins[i]), -1);
        k->inside[k->count++] = e.sensor_begins[i];
        k->flights += find_pair(e.sensor_ends, e.sensor_end_count, e.sensor_begins[i]) >= 0;
    }
    for (int i = 0; i < e.sensor_end_count; i++) {
        int at = line_of(k, e.sensor_ends[i]);
        ck_assert_int_ge(at, 0);
        k->inside[at] = k->inside[--k->count];
    }
}

/// Checks that the world's lists of visitors equal the books.
static void check_visitors(const book *k) {
    int sum = 0;
    for (pv_body_id s = {0, 0}; (s = pv_world_get_next_body(w, s)).index;) {
        pv_body_id in[512];
        int count = pv_body_get_sensor_overlaps(w, s, in, 512);
        for (int i = 0; i < count; i++) {
            ck_assert_int_ge(line_of(k, (pv_sensor_event){s, in[i]}), 0);
            ck_assert(i == 0 || in[i - 1].index < in[i].index);
        }
        sum += count;
    }
    ck_assert_int_eq(sum, k->count);
}

/// Checks the books by pixels. Returns how many visits were certain.
static int check_pixels(const book *k, int step) {
    int sure = 0;
    for (pv_body_id s = {0, 0}; (s = pv_world_get_next_body(w, s)).index;) {
        if (!pv_body_get_def(w, s).sensor) continue;
        for (pv_body_id v = {0, 0}; (v = pv_world_get_next_body(w, v)).index;) {
            int wanted = PV_ID_EQUALS(s, v) ? 0 : is_in(s, v);
            if (wanted < 0) continue;
            sure += wanted;
            bool inside = line_of(k, (pv_sensor_event){s, v}) >= 0;
            ck_assert_msg(inside == wanted, "step %d: sensor %u visitor %u: told %d, pixels say %d",
                          step, s.index, v.index, inside, wanted);
        }
    }
    return sure;
}

static void step_and_check(book *k, int step) {
    ck_assert_int_eq(pv_world_step(w, DT), PV_OK);
    follow(k);
    check_visitors(k);
    check_pixels(k, step);
}

START_TEST(books_of_heaps_are_what_pixels_say) {
    const int heaps = (int)last_seed(6);
    int sure = 0, enters = 0, leaves = 0;
    for (uint64_t seed = 1; seed <= (uint64_t)heaps; seed++) {
        scoped_heap h =
            heap_make(seed, WITH(pv_world_def_default(), it.contact_mode = KINDS[seed % 2]));
        w = h.world;
        scoped_memory book *k = calloc(1, sizeof *k);
        for (int i = 0; i < 35; i++) heap_add(&h, i % 4 == 0);
        for (int step = 0; step < 520; step++) {
            heap_play(&h, step, true);
            step_and_check(k, step);
            sure += k->count;
        }
        enters += k->enters;
        leaves += k->leaves;
    }
    ck_assert_int_gt(enters, 30 * heaps); /* depends on random heaps */
    ck_assert_int_gt(leaves, 30 * heaps);
    ck_assert_int_gt(sure, 1000 * heaps);
}

/* ---- one by one ---- */

/// Checks that the last step reported one body entering and leaving one sensor.
static void expect_flight(pv_body_id s, pv_body_id b) {
    pv_events e = pv_world_get_events(w);
    ck_assert(e.sensor_begin_count == 1 && e.sensor_end_count == 1);
    ck_assert_int_eq(find_pair(e.sensor_begins, 1, (pv_sensor_event){s, b}), 0);
    ck_assert_int_eq(find_pair(e.sensor_ends, 1, (pv_sensor_event){s, b}), 0);
}

START_TEST_FOR(what_flies_through_enters_and_leaves_at_once, kind, 2) {
    w = next_world_by(KINDS[kind], 0);
    pv_body_id s = put_sensor(2, 200, 100, 100);
    pv_body_def def = WITH(pv_body_def_default(), it.velocity.x = 6000);
    pv_body_id b = put(w, disc_mask(3), 48, 100, def); /* 100 px a step: through it within one */
    put(w, disc_mask(3), 48, 300, def);                /* misses its end */
    book k = {0};
    step_and_check(&k, 0);
    expect_flight(s, b);
    ck_assert_double_eq_tol(body_v(b).x, 6000, 1e-6); /* nothing stopped it */
    step_and_check(&k, 1);
    ck_assert_int_eq(k.enters, 1);
}

START_TEST_FOR(what_turns_through_a_thin_sensor_is_told, how, 8) {
    w = next_world_by(KINDS[how & 1], 0);
    /* The bar turns in place, or moves as well. */
    double speed = how & 2 ? 900 : 0, sign = how & 4 ? -1 : 1;
    pv_body_def def = WITH(pv_body_def_default(), it.velocity.x = speed);
    def.angular_velocity = sign * 80; /* 76 degrees a step */
    pv_body_id bar = put(w, box_mask(120, 4), 100, 100, def);
    pv_vec2 swept = {100 + 0.5 * speed * DT + 50 * cos(0.65), 100 + sign * 50 * sin(0.65)};
    pv_vec2 beside = {100 + 0.5 * speed * DT + 50 * cos(0.65), 100 - sign * 50 * sin(0.65)};
    pv_body_id s = put_sensor(3, 3, swept.x, swept.y);
    put_sensor(3, 3, beside.x, beside.y);
    book k = {0};
    step_and_check(&k, 0);
    expect_flight(s, bar);
}

START_TEST_FOR(sensors_touch_nobody, kind, 2) {
    pv_vec2 bare[200];
    int contacts[200];
    w = next_world_by(KINDS[kind], 320);
    put_box(PV_BODY_STATIC, 200, 20, 100, 200);
    pv_body_id b = put(w, disc_mask(8), 100, 50, pv_body_def_default());
    for (int i = 0; i < 200; i++) {
        pv_world_step(w, DT);
        bare[i] = body_at(b);
        contacts[i] = pv_world_get_contacts(w, NULL, 0);
    }
    int64_t overlap = pv_world_compute_overlap_area(w);
    w = next_world_by(KINDS[kind], 320);
    put_box(PV_BODY_STATIC, 200, 20, 100, 200);
    b = put(w, disc_mask(8), 100, 50, pv_body_def_default());
    pv_body_id s = put_sensor(90, 90, 100, 150);
    pv_body_id moving = put(w, box_mask(50, 20), 100, 150, sensor_of(PV_BODY_DYNAMIC));
    book k = {0};
    for (int i = 0; i < 200; i++) {
        step_and_check(&k, i);
        ck_assert_double_eq(vec_distance(body_at(b), bare[i]), 0);
        ck_assert_int_eq(pv_body_get_contacts(w, s, NULL, 0), 0);
        ck_assert_int_eq(pv_body_get_contacts(w, moving, NULL, 0), 0);
        ck_assert_int_eq(pv_world_get_contacts(w, NULL, 0), contacts[i]);
    }
    ck_assert_double_eq(body_at(moving).y, 150); /* nothing held it, nothing pushed it */
    ck_assert_int_eq(pv_world_compute_overlap_area(w), overlap);
}

START_TEST_FOR(a_moving_sensor_senses_what_sleeps_and_what_stands, kind, 2) {
    w = next_world_by(KINDS[kind], 320);
    put_box(PV_BODY_STATIC, 400, 20, 200, 210);
    pv_body_id post = put_box(PV_BODY_STATIC, 6, 30, 300, 120);
    pv_body_id box = put_box(PV_BODY_DYNAMIC, 16, 16, 150, 192);
    for (int i = 0; i < 300 && pv_body_is_awake(w, box); i++) pv_world_step(w, DT);
    ck_assert(!pv_body_is_awake(w, box));
    pv_body_id s =
        put(w, box_mask(20, 120), 20, 140, WITH(sensor_of(PV_BODY_KINEMATIC), it.velocity.x = 100));
    book k = {0};
    bool saw_box = false, saw_post = false;
    for (int i = 0; i < 240; i++) {
        step_and_check(&k, i);
        saw_box |= line_of(&k, (pv_sensor_event){s, box}) >= 0;
        saw_post |= line_of(&k, (pv_sensor_event){s, post}) >= 0;
        ck_assert(!pv_body_is_awake(w, box));
    }
    ck_assert(saw_box && saw_post);
    pv_body_set_velocity(w, s, (pv_vec2){0, 0});
    pv_body_set_position(w, s, (pv_vec2){150, 140}); /* and it falls asleep there */
    for (int i = 0; i < 120; i++) step_and_check(&k, i);
    ck_assert(!pv_body_is_awake(w, s));
    ck_assert_int_ge(line_of(&k, (pv_sensor_event){s, box}), 0);
}

START_TEST_FOR(what_goes_leaves_once, kind, 2) {
    for (int asleep = 0; asleep < 2; asleep++) {
        w = next_world_by(KINDS[kind], 0);
        pv_body_id s[2], v[3];
        for (int i = 0; i < 2; i++) s[i] = put_sensor(60, 60, 100, 100);
        for (int i = 0; i < 3; i++) v[i] = put_box(PV_BODY_DYNAMIC, 4, 4, 80 + 20 * i, 100);
        book k = {0};
        for (int i = 0; i < (asleep ? 100 : 3); i++) step_and_check(&k, i);
        ck_assert(pv_body_is_awake(w, v[0]) == !asleep);
        ck_assert_int_eq(k.count, 6);
        ck_assert_int_eq(pv_world_get_events(w).sensor_end_count, 0);
        pv_body_destroy(w, s[0]);
        pv_body_destroy(w, v[0]);
        pv_body_set_enabled(w, v[1], false);
        ck_assert_int_eq(pv_body_get_sensor_overlaps(w, s[0], NULL, 0), 0);
        step_and_check(&k, 1);
        ck_assert_int_eq(k.leaves, 5); /* only the last sensor and the last body still overlap */
        for (int i = 0; i < 5; i++) step_and_check(&k, i);
        ck_assert_int_eq(k.leaves, 5);
        pv_body_set_enabled(w, v[1], true);
        pv_body_set_enabled(w, s[1], false);
        step_and_check(&k, 2);
        ck_assert_int_eq(k.count, 0);
    }
}

/// A resting body that is struck within a step is sensed beyond its swept box.
START_TEST_FOR(what_was_struck_within_the_step_is_sensed, kind, 2) {
    w = next_world_by(KINDS[kind], 0);
    pv_body_def def = WITH(pv_body_def_default(), it.restitution = 1);
    pv_body_id ball = put(w, disc_mask(6), 100, 100, def);
    def.velocity.x = 4000;
    put(w, disc_mask(6), 70, 100, def);
    pv_body_id s = put_sensor(3, 80, 120, 100);
    put_sensor(100, 80, 190, 100);
    book k = {0};
    for (int i = 0; i < 6; i++) step_and_check(&k, i);
    ck_assert_int_ge(k.enters, 2);
    ck_assert_int_lt(line_of(&k, (pv_sensor_event){s, ball}), 0);
    ck_assert_int_ge(k.flights, 1);
}

/// A collider presses, but sensors see the pixels.
START_TEST(stand_ins_are_sensed_by_their_pixels) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    pv_body_def def = WITH(of_type(PV_BODY_STATIC), it.collider = PV_COLLIDER_CIRCLE);
    put(w, box_mask(200, 4), 100, 100, def); /* its circle is 32 px wide */
    put(w, box_mask(10, 10), 180, 60, WITH(sensor_of(PV_BODY_KINEMATIC), it.velocity.y = 60));
    book k = {0};
    for (int i = 0; i < 80; i++) step_and_check(&k, i);
    ck_assert_int_eq(k.enters, 1);
    ck_assert_int_eq(k.leaves, 1);
}

/// Adds a large sensor. Returns false without memory.
static bool heap_try(heap *h) {
    pv_body_def def =
        WITH(sensor_of(PV_BODY_STATIC), it.mask = h->masks[2], it.position = (pv_vec2){150, 190});
    return pv_body_create(h->world, &def, NULL).index != 0;
}

/// Each allocation fails once. The books are right again after a step that succeeds.
START_TEST_FOR(without_memory_visits_are_told_later, kind, 2) {
    for (long fail = 1; fail < 400; fail += 3) {
        scoped_purse p = {0};
        scoped_heap h = heap_make(3, WITH(pv_world_def_default(),
                                          it.allocator = (pv_allocator){purse_alloc, &p},
                                          it.contact_mode = KINDS[kind]));
        w = h.world;
        book k = {0};
        for (int i = 0; i < 12; i++) heap_add(&h, i % 3 == 0);
        p.fail_at = p.calls + fail;
        unsigned flags = 0;
        bool failed = false;
        for (int step = 0; step < 40 || (flags && step == 40);
             step++) { /* the last may be the one that fails */
            if (step == 20 && !heap_try(&h)) ck_assert(heap_try(&h));
            flags = pv_world_step(h.world, DT);
            follow(&k);
            check_visitors(&k);
            failed |= p.calls >= p.fail_at;
            if (flags == 0) check_pixels(&k, step);
        }
        ck_assert_uint_eq(flags, 0);
        if (!failed) break;
    }
}

/// After a restore, sensors may be destroyed in any order.
START_TEST(sensors_go_in_any_order_after_a_restore) {
    enum { COUNT = 9, ROOM = 1 << 16 };
    static char bytes[ROOM];
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    pv_body_id sensors[COUNT], visitor = put_box(PV_BODY_DYNAMIC, 8, 8, 0, 0);
    for (int i = 0; i < COUNT; i++) sensors[i] = put_sensor(20, 20, 0, 0);
    step_well(w, DT);
    ck_assert_int_eq(pv_body_destroy(w, sensors[0]), PV_OK);
    size_t size;
    ck_assert_int_eq(pv_world_save(w, 0, bytes, ROOM, &size), PV_OK);
    ck_assert_int_eq(pv_body_destroy(w, sensors[1]), PV_OK);
    ck_assert_int_eq(pv_world_restore(w, bytes, size), PV_OK);
    for (int i = 1; i < COUNT; i++) {
        ck_assert_int_eq(pv_body_destroy(w, sensors[(5 * i) % COUNT]), PV_OK);
        pv_body_set_velocity(w, visitor, (pv_vec2){1, 0});
        step_well(w, DT);
        for (int k = 1; k < COUNT; k++)
            ck_assert_int_eq(pv_body_get_sensor_overlaps(w, sensors[k], NULL, 0),
                             pv_body_is_valid(w, sensors[k]));
    }
}

RUN_TESTS_IN("sensor", NULL, close_world, 1)
