/* test_world.c - the world as a whole: made and refused, counted, hashed, asked, and starved of
 * memory.
 *
 * Invariant: answers are compared with loops over pixels or pairs that know nothing of the
 * library's ways.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include "core/world.h"

START_TEST(bad_worlds_are_refused) {
    pv_error error;
    pv_world_def good = pv_world_def_default(), d;
    const int bad_counts[] = {-1, 65, 0};
    for (int i = 0; i < 3; i++) {
        d = good, d.substeps = i < 2 ? bad_counts[i] : 1000;
        ck_assert_ptr_null(pv_world_create(&d, &error));
        ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
        d = good, d.contact_iterations = bad_counts[i];
        ck_assert_ptr_null(pv_world_create(&d, &error));
        ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    }
}

/// Drops a disc on a plate, and returns the hash of what comes of it. The substeps are those of the definition, or set after creation.
static uint64_t drop_disc(int substeps, bool set) {
    pv_world_def d = pv_world_def_default();
    if (!set) d.substeps = substeps;
    pv_world *world = pv_world_create(&d, NULL);
    if (set) ck_assert_int_eq(pv_world_set_substeps(world, substeps), PV_OK);
    put(world, box_mask(90, 8), 0, 60, of_type(PV_BODY_STATIC));
    put(world, disc_mask(9), 3, 0, of_type(PV_BODY_DYNAMIC));
    for (int i = 0; i < 40; i++) ck_assert_int_eq(pv_world_step(world, 1.0 / 60), PV_OK);
    uint64_t hash = pv_world_compute_hash(world);
    pv_world_destroy(world);
    return hash;
}

START_TEST(substeps_can_be_set_later) {
    uint64_t usual = drop_disc(16, false);
    for (int substeps = 1; substeps <= 64; substeps *= 4) {
        uint64_t made = drop_disc(substeps, false);
        ck_assert_uint_eq(made, drop_disc(substeps, true));
        ck_assert_int_eq(made == usual, substeps == 16);
    }
    scoped_world *world = pv_world_create(NULL, NULL);
    uint64_t before = pv_world_compute_hash(world);
    ck_assert_int_eq(pv_world_set_substeps(world, 8), PV_OK);
    ck_assert(pv_world_compute_hash(world) != before);
    ck_assert_int_eq(pv_world_set_substeps(world, 16), PV_OK);
    ck_assert(pv_world_compute_hash(world) == before);
    ck_assert_int_eq(pv_world_set_substeps(world, 0), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_world_set_substeps(world, 65), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_world_set_substeps(NULL, 4), PV_ERROR_ARGUMENT);
}

/// World of a hook that tries to change it.
typedef struct meddler {
    pv_world *world;
    int told;
} meddler;

static void meddle(void *user_data, const pv_error *error) {
    meddler *m = user_data;
    (void)error;
    m->told++;
    pv_status change = pv_world_set_gravity(m->world, (pv_vec2){0, 5});
    ck_assert_int_eq(change, m->told == 1 ? PV_ERROR_BUSY : PV_OK);
    pv_world_destroy(m->world);
}

START_TEST(the_report_hook_cannot_change_its_world) {
    pv_world *w = pv_world_create(NULL, NULL), *other = pv_world_create(NULL, NULL);
    meddler m = {w, 0};
    pv_world_set_report_callback(w, meddle, &m);
    uint64_t hash = pv_world_compute_hash(w);
    ck_assert_int_eq(pv_body_set_angle(w, pv_null_body, 1), PV_ERROR_STALE_ID);
    ck_assert_int_eq(m.told, 1); /* The hook's own refusals are not reported. */
    ck_assert_uint_eq(pv_world_compute_hash(w), hash);
    ck_assert_int_eq(pv_world_set_gravity(w, (pv_vec2){0, 5}), PV_OK);
    pv_world_set_report_callback(other, meddle, &m);
    pv_body_set_angle(other, pv_null_body, 1); /* A hook may change other worlds. */
    ck_assert_int_eq(m.told, 2);
    pv_world_destroy(other);
}

START_TEST(bodies_are_listed_in_order) {
    scoped_world *w = pv_world_create(NULL, NULL);
    pv_body_id b[10], at = {0, 0};
    for (int i = 0; i < 10; i++) b[i] = put(w, box_mask(4, 4), 10 * i, 0, pv_body_def_default());
    for (int i = 0; i < 10; i += 3) pv_body_destroy(w, b[i]);
    for (int i = 0; i < 10; i++) {
        if (i % 3 == 0) continue;
        at = pv_world_get_next_body(w, at);
        ck_assert_uint_eq(at.index, b[i].index);
    }
    ck_assert_uint_eq(pv_world_get_next_body(w, at).index, 0);
    ck_assert_int_eq(pv_world_get_stats(w).bodies, 6);
}

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
        pv_mask_set_pixel(m, 0, 0, false);
        put(w, m, 200 * next_unit(&seed), 200 * next_unit(&seed), def);
    }
    return w;
}

static bool is_listed(const pv_world *w, int a, int b) {
    for (int i = 0; i < w->broad_phase.pair_count; i++)
        if (w->broad_phase.pairs[i].a == a && w->broad_phase.pairs[i].b == b) return true;
    return false;
}

/// Tells whether a body has a new box since the step began. Pairs of the old one stay listed.
static bool is_enlarged(const pv_world *w, int body) {
    for (int i = 0; i < w->broad_phase.enlarged_count; i++)
        if (w->broad_phase.enlarged[i] == body) return true;
    return false;
}

START_TEST(paper_5_2_all_pairs_are_found) {
    int sorted = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        scoped_world *w = crowd(seed, 60, 320);
        for (int step = 0; step < 5; step++) pv_world_step(w, 1.0 / 60);
        int found = 0;
        for (int i = 0; i < w->bodies.count; i++)
            for (int j = i + 1; j < w->bodies.count; j++) {
                const pv__body *a = &w->bodies.items[i], *b = &w->bodies.items[j];
                pv_box p = w->broad_phase.grid.places[i].box, q = w->broad_phase.grid.places[j].box;
                bool meet = !(p.max.x <= q.min.x || q.max.x <= p.min.x || p.max.y <= q.min.y ||
                              q.max.y <= p.min.y);
                bool wanted = meet && (a->type == PV_BODY_DYNAMIC || b->type == PV_BODY_DYNAMIC);
                bool listed = is_listed(w, i, j);
                ck_assert(listed == wanted || (listed && (is_enlarged(w, i) || is_enlarged(w, j))));
                if (listed && w->broad_phase.enlarged_count == 0) { /* else new ones are last */
                    ck_assert_int_eq(w->broad_phase.pairs[found].a, i);
                    ck_assert_int_eq(w->broad_phase.pairs[found].b, j);
                    sorted++;
                }
                found += listed;
            }
        ck_assert_int_eq(found, w->broad_phase.pair_count);
        ck_assert_int_gt(found, 20);
    }
    ck_assert_int_gt(sorted, 100);
}

/// Tells whether world pixel (x, y)'s center lies on a solid pixel of a body, in long double. -1
/// means too near an edge.
static int covered(const pv_world *w, pv_body_id b, int x, int y) {
    pv_transform t = pv_body_get_transform(w, b);
    long double dx = x + 0.5L - t.position.x, dy = y + 0.5L - t.position.y;
    long double u = t.pivot.x + t.rotation.c * dx + t.rotation.s * dy;
    long double v = t.pivot.y + t.rotation.c * dy - t.rotation.s * dx;
    if (fabsl(u - roundl(u)) < 1e-6L || fabsl(v - roundl(v)) < 1e-6L) return -1;
    return pv_mask_get_pixel(pv_body_get_mask(w, b), (int)floorl(u), (int)floorl(v));
}

START_TEST(overlap_area_is_that_of_the_pixels) {
    for (uint64_t seed = 1; seed <= last_seed(5); seed++) {
        scoped_world *w = crowd(seed, 16, 0);
        int64_t sum = 0, doubtful = 0;
        for (pv_body_id a = {0, 0}; (a = pv_world_get_next_body(w, a)).index;)
            for (pv_body_id b = a; (b = pv_world_get_next_body(w, b)).index;) {
                if (pv_body_get_type(w, a) == PV_BODY_STATIC &&
                    pv_body_get_type(w, b) == PV_BODY_STATIC)
                    continue;
                for (int y = -40; y < 240; y++)
                    for (int x = -40; x < 240; x++) {
                        int p = covered(w, a, x, y), q = p ? covered(w, b, x, y) : 0;
                        sum += p == 1 && q == 1;
                        doubtful += p && q && (p < 0 || q < 0);
                    }
            }
        int64_t area = pv_world_compute_overlap_area(w);
        ck_assert_msg(area >= sum && area <= sum + doubtful, "%d, not %d...%d", (int)area, (int)sum,
                      (int)(sum + doubtful));
        ck_assert_int_gt(sum, 0);
    }
}

START_TEST(body_at_finds_the_last_under_a_point) {
    scoped_world *w = crowd(3, 30, 0);
    uint64_t seed = 9;
    int hits = 0;
    for (int i = 0; i < 2000; i++) {
        int x = (int)(200 * next_unit(&seed)), y = (int)(200 * next_unit(&seed));
        pv_body_id expected = {0, 0};
        bool doubt = false;
        for (pv_body_id b = {0, 0}; (b = pv_world_get_next_body(w, b)).index;) {
            int p = covered(w, b, x, y);
            doubt |= p < 0;
            if (p == 1) expected = b;
        }
        if (doubt) continue;
        pv_body_id got = pv_world_pick_body(w, (pv_vec2){x + 0.5, y + 0.5});
        ck_assert_uint_eq(got.index, expected.index);
        hits += got.index > 0;
    }
    ck_assert_int_gt(hits, 300);
    ck_assert_uint_eq(pv_world_pick_body(w, (pv_vec2){NAN, 0}).index, 0);
}

START_TEST(contacts_say_who_where_and_how_hard) {
    pv_world_def d = pv_world_def_default();
    d.enable_sleep = false;
    d.substeps = 16;
    scoped_world *w = pv_world_create(&d, NULL);
    pv_body_id floor = put(w, box_mask(100, 10), 300, 205, of_type(PV_BODY_STATIC));
    pv_body_id box = put(w, box_mask(20, 20), 300, 190, pv_body_def_default());
    for (int i = 0; i < 120; i++) pv_world_step(w, 1.0 / 60);
    pv_contact c;
    ck_assert_int_eq(pv_world_get_contacts(w, NULL, 0), 1);
    ck_assert_int_eq(pv_world_get_contacts(w, &c, 1), 1);
    ck_assert_uint_eq(c.a.index, floor.index);
    ck_assert_uint_eq(c.b.index, box.index);
    ck_assert_double_eq_tol(c.normal.y, -1, 1e-9);
    ck_assert_double_eq_tol(c.point.x, 300, 1);
    ck_assert_double_eq_tol(c.point.y, 200, 1);
    ck_assert_double_eq_tol(c.impulse, 400 * 320 / 960.0,
                            400 * 320 / 960.0 * 0.05); /* its weight for a substep */
}

/// Creates piles side by side, the later ones in slots of destroyed bodies. A thrown body keeps the
/// first pile awake.
static pv_world *piles(bool asleep) {
    pv_world *w = pv_world_create(NULL, NULL);
    pv_body_id gone[12];
    for (int i = 0; i < 12; i++)
        gone[i] = put(w, box_mask(16, 16), 16.5 * i, -300, of_type(PV_BODY_DYNAMIC));
    for (int i = 0; i < 4; i++) put(w, box_mask(80, 10), 100 * i, 5, of_type(PV_BODY_STATIC));
    pv_world_step(w, 1.0 / 60);
    for (int i = 0; i < 12; i += 2) pv_body_destroy(w, gone[i]);
    for (int i = 0; i < 16; i++)
        put(w, box_mask(20, 20), 100 * (3 - i % 4), -10 - 20.02 * (i / 4),
            of_type(PV_BODY_DYNAMIC));
    for (int i = 1; i < 12; i += 2) pv_body_destroy(w, gone[i]);
    for (int i = 0; i < 120; i++) pv_world_step(w, 1.0 / 60);
    if (!asleep) {
        put(w, disc_mask(6), 3, -96, of_type(PV_BODY_DYNAMIC));
        for (int i = 0; i < 20; i++) pv_world_step(w, 1.0 / 60);
    }
    return w;
}

static bool in_order(const pv_contact *x, const pv_contact *y) {
    return x->a.index < y->a.index || (x->a.index == y->a.index && x->b.index < y->b.index);
}

static bool same_contact(const pv_contact *x, const pv_contact *y) {
    return x->a.index == y->a.index && x->b.index == y->b.index && x->point.x == y->point.x &&
           x->point.y == y->point.y && x->impulse == y->impulse;
}

START_TEST_FOR(the_first_contacts_fill_the_room, asleep, 2) {
    scoped_world *w = piles(asleep);
    pv_contact all[64], some[64];
    int count = pv_world_get_contacts(w, all, 64);
    ck_assert_int_eq(pv_world_get_stats(w).awake == 0, asleep);
    ck_assert_int_ge(count, 16); /* each box and what is below it, those that sleep as well */
    ck_assert_int_le(count, 17);
    ck_assert_int_eq(pv_world_get_stats(w).contacts, count);
    for (int i = 0; i < count; i++) {
        ck_assert_uint_lt(all[i].a.index, all[i].b.index);
        ck_assert(i == 0 || in_order(&all[i - 1], &all[i]));
    }
    for (int room = 0; room <= count + 3; room++) {
        memset(some, 0x55, sizeof some);
        const pv_contact untouched = some[0];
        ck_assert_int_eq(pv_world_get_contacts(w, some, room), count);
        for (int i = 0; i < 64; i++) {
            if (i < room && i < count)
                ck_assert(same_contact(&some[i], &all[i]));
            else
                ck_assert_int_eq(memcmp(&some[i], &untouched, sizeof untouched), 0);
        }
    }
    ck_assert_int_eq(pv_world_get_contacts(w, some, -1), count);
}

START_TEST(contacts_of_the_dead_are_gone) {
    scoped_world *w = piles(true);
    pv_contact c[64];
    for (pv_body_id b = {0, 0}, next = pv_world_get_next_body(w, b); next.index;) {
        b = next;
        next = pv_world_get_next_body(w, b);
        if (pv_body_get_type(w, b) != PV_BODY_DYNAMIC) continue;
        pv_body_destroy(w, b);
        int count = pv_world_get_contacts(w, c, 64);
        for (int i = 0; i < count; i++)
            ck_assert(pv_body_is_valid(w, c[i].a) && pv_body_is_valid(w, c[i].b));
    }
    ck_assert_int_eq(pv_world_get_contacts(w, c, 64), 0);
}

/// Compares the contacts of each body with those among all that name it.
static void check_own_contacts(const pv_world *w) {
    static pv_contact all[1024], own[1024];
    int count = pv_world_get_contacts(w, all, 1024);
    ck_assert_int_le(count, 1024);
    for (pv_body_id b = {0, 0}; (b = pv_world_get_next_body(w, b)).index;) {
        int found = 0, told = pv_body_get_contacts(w, b, own, 1024);
        for (int i = 0; i < count; i++)
            if (PV_ID_EQUALS(all[i].a, b) || PV_ID_EQUALS(all[i].b, b)) {
                ck_assert_int_lt(found, told);
                ck_assert(same_contact(&own[found], &all[i]));
                found++;
            }
        ck_assert_int_eq(found, told);
    }
}

/* Bodies come, go, are moved and disabled between steps, fall asleep, wake and are restored. */
START_TEST(contacts_of_a_body_are_its_own_among_all) {
    for (int seed = 1; seed <= 6; seed++) {
        pv_world_def def = pv_world_def_default();
        def.contact_mode = seed % 2 ? PV_CONTACT_MODE_CONTOURS : PV_CONTACT_MODE_PIXELS;
        scoped_world *w = pv_world_create(&def, NULL);
        keepsake saved = {0};
        put(w, box_mask(400, 20), 0, 10, of_type(PV_BODY_STATIC));
        for (int step = 0; step < 240; step++) {
            if (step < 60) put(w, box_mask(6, 6), any_int(-60, 60), -40, of_type(PV_BODY_DYNAMIC));
            pv_world_step(w, 1.0 / 60);
            check_own_contacts(w);
            if (step == 150) keep_world(w, 0, &saved);
            if (step == 200) recall_world(w, &saved);
            check_own_contacts(w);
            for (pv_body_id b = {0, 0}, next = pv_world_get_next_body(w, b); next.index;) {
                b = next;
                next = pv_world_get_next_body(w, b);
                int what = any_int(0, 400);
                if (pv_body_get_type(w, b) == PV_BODY_STATIC) continue;
                if (what == 0) pv_body_destroy(w, b);
                if (what == 1) pv_body_set_position(w, b, (pv_vec2){any_int(-60, 60), -60});
                if (what == 2) pv_body_set_enabled(w, b, !pv_body_get_def(w, b).enabled);
                if (what == 3)
                    put(w, box_mask(6, 6), any_int(-60, 60), -3, of_type(PV_BODY_DYNAMIC));
            }
            check_own_contacts(w);
        }
        for (int step = 0; step < 300; step++) pv_world_step(w, 1.0 / 60);
        ck_assert_int_gt(pv_world_get_contacts(w, NULL, 0), 20);
        check_own_contacts(w);
        free(saved.bytes);
    }
}

START_TEST(no_number_is_ever_lost) {
    for (uint64_t seed = 1; seed <= 6; seed++) {
        scoped_world *w = crowd(seed, 80, 320);
        steps_well(w, 120);
        for (pv_body_id b = {0, 0}; (b = pv_world_get_next_body(w, b)).index;) {
            pv_vec2 p = pv_body_get_position(w, b), v = pv_body_get_velocity(w, b);
            ck_assert(isfinite(p.x) && isfinite(p.y) && isfinite(v.x) && isfinite(v.y));
            ck_assert(isfinite(pv_body_get_angular_velocity(w, b)));
            pv_rotation r = pv_body_get_transform(w, b).rotation;
            ck_assert_double_eq_tol(r.c * r.c + r.s * r.s, 1, 1e-12);
        }
    }
}

/// Fresh memory is full of one word.
static void *littered_alloc(void *user_data, void *ptr, size_t old_size, size_t new_size) {
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    char *grown = realloc(ptr, new_size);
    ck_assert_ptr_nonnull(grown);
    for (size_t i = old_size; i + 8 <= new_size; i += 8) memcpy(grown + i, user_data, 8);
    return grown;
}

/// Returns what boxes on shelves come to, which are put there one by one.
static uint64_t hash_of_shelves(uint64_t word) {
    pv_world_def d = pv_world_def_default();
    d.allocator = (pv_allocator){littered_alloc, &word};
    pv_world *w = pv_world_create(&d, NULL);
    for (int i = 0; i < 40; i++) {
        put(w, box_mask(30, 6), 25 * i, 3, of_type(PV_BODY_STATIC));
        put(w, i % 2 ? disc_mask(6) : box_mask(14, 12), 25 * i, -6.02, pv_body_def_default());
        pv_world_step(w, 1.0 / 60);
    }
    uint64_t hash = pv_world_compute_hash(w);
    pv_world_destroy(w);
    return hash;
}

START_TEST(fresh_memory_may_hold_anything) {
    uint64_t wanted = hash_of_shelves(0);
    for (uint64_t word = 1; word < 30; word++) /* small, like steps and slots */
        ck_assert_msg(hash_of_shelves(word) == wanted, "%d", (int)word);
    ck_assert(hash_of_shelves(UINT64_MAX) == wanted);
    ck_assert(hash_of_shelves(UINT64_C(0x4059000000000000)) == wanted); /* 100 as a double */
}

/// A star: neither disc nor convex.
static void draw_star(pv_mask *m) {
    pv_mask_fill_rect(m, (pv_rect){7, 0, 4, 18}, true);
    pv_mask_fill_rect(m, (pv_rect){0, 7, 18, 4}, true);
}

static void draw_disc(pv_mask *m) {
    for (int y = 0; y < 18; y++)
        for (int x = 0; x < 18; x++)
            if ((x - 8.5) * (x - 8.5) + (y - 8.5) * (y - 8.5) < 81)
                pv_mask_set_pixel(m, x, y, true);
}

static pv_mask *draw(int kind, const pv_allocator *allocator) {
    pv_mask *m = pv_mask_create(18, 18, allocator, NULL);
    if (!m) return NULL;
    if (kind == 0) pv_mask_fill_rect(m, (pv_rect){0, 0, 18, 18}, true);
    if (kind == 1) draw_disc(m);
    if (kind == 2) draw_star(m);
    return m;
}

/// Throws objects into the world on the way: a heap, and a bullet that comes late.
/// @return whether there was memory for it
static bool throw_in(pv_world *w, const pv_allocator *allocator, int i) {
    pv_mask *m = draw(i % 3, allocator);
    pv_body_def def = of_type(i ? PV_BODY_DYNAMIC : PV_BODY_STATIC);
    pv_error error = {0};
    if (!m) return false;
    def.mask = m;
    def.angle = 0.3 * i;
    def.position = (pv_vec2){13 * (i % 4), -13 * (i / 4)};
    if (i == 13) def.position.x = -400, def.velocity.x = 3000;
    pv_body_id b = pv_body_create(w, &def, &error);
    ck_assert_int_eq(b.index > 0, error.status == PV_OK);
    ck_assert(error.status == PV_OK || error.status == PV_ERROR_MEMORY);
    pv_mask_release(m);
    return error.status == PV_OK;
}

/// Returns how many calls said that they lacked memory.
static int live_wildly(thief *t, pv_contact_mode contacts) {
    pv_world_def wd = pv_world_def_default();
    wd.contact_mode = contacts;
    wd.allocator = (pv_allocator){thief_alloc, t};
    pv_error error = {0};
    pv_world *w = pv_world_create(&wd, &error);
    int told = w == NULL;
    ck_assert_int_eq(w == NULL, error.status == PV_ERROR_MEMORY);
    for (int i = 0; w && i < 20; i++) {
        if (i == 0)
            for (int k = 0; k < 13; k++) told += !throw_in(w, &wd.allocator, k);
        if (i == 8) told += !throw_in(w, &wd.allocator, 13);
        if (i == 14) pv_body_destroy(w, pv_world_get_next_body(w, (pv_body_id){0, 0}));
        long before = t->failures;
        pv_status said = pv_world_step(w, 1.0 / 60);
        ck_assert(said == PV_OK || said == PV_ERROR_MEMORY);
        ck_assert_msg(said == PV_OK || t->failures > before, "told of nothing in step %d", i);
        told += said != PV_OK;
    }
    for (pv_body_id b = {0, 0}; w && (b = pv_world_get_next_body(w, b)).index;) {
        pv_vec2 p = pv_body_get_position(w, b), v = pv_body_get_velocity(w, b);
        ck_assert(isfinite(p.x + p.y) && isfinite(v.x + v.y) &&
                  isfinite(pv_body_get_angular_velocity(w, b)));
    }
    pv_world_destroy(w);
    return told;
}

START_TEST_FOR(nothing_breaks_when_memory_fails_for_a_while, kind, 2) {
    const long every[] = {0, 1, 3, 7};
    thief whole = {.from = 0};
    ck_assert_int_eq(live_wildly(&whole, (pv_contact_mode)kind), 0);
    ck_assert_int_eq(whole.purse.live_bytes, 0);
    /* Worlds of pixels lack memory for single calls only. */
    for (int k = 0; k < (kind == PV_CONTACT_MODE_PIXELS ? 1 : 4); k++)
        for (long from = 1; from <= whole.purse.calls; from++) {
            thief t = {.from = from, .every = every[k]};
            int told = live_wildly(&t, (pv_contact_mode)kind);
            ck_assert_msg(t.failures > 0 && told > 0, "nobody noticed that call %ld failed", from);
            ck_assert_int_eq(t.purse.live_bytes, 0);
        }
}

RUN_TESTS("world")
