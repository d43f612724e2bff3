/* test_world.c - the world as a whole: creation, refusals, counts, hashes and queries.
 *
 * Invariant: answers are compared with loops that know nothing of the library's methods.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

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

/// Drops a disc on a plate, and returns the final hash.
static uint64_t drop_disc(int substeps, bool set) {
    pv_world_def d = pv_world_def_default();
    if (!set) d.substeps = substeps;
    scoped_world *world = pv_world_create(&d, NULL);
    if (set) ck_assert_int_eq(pv_world_set_substeps(world, substeps), PV_OK);
    put(world, box_mask(90, 8), 0, 60, of_type(PV_BODY_STATIC));
    put(world, disc_mask(9), 3, 0, of_type(PV_BODY_DYNAMIC));
    for (int i = 0; i < 40; i++) ck_assert_int_eq(pv_world_step(world, 1.0 / 60), PV_OK);
    return pv_world_compute_hash(world);
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

/// World whose hook tries to change it
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

START_TEST(contacts_say_who_where_and_how_hard) {
    scoped_world *w = WORLD(it.enable_sleep = false, it.substeps = 16);
    pv_body_id floor = put(w, box_mask(100, 10), 300, 205, of_type(PV_BODY_STATIC));
    pv_body_id box = put(w, box_mask(20, 20), 300, 190, pv_body_def_default());
    for (int i = 0; i < 120; i++) pv_world_step(w, 1.0 / 60);
    pv_contact c;
    ck_assert_int_eq(pv_world_get_contacts(w, NULL, 0), 1);
    ck_assert_int_eq(pv_world_get_contacts(w, &c, 1), 1);
    ck_assert_uint_eq(c.a.index, floor.index);
    ck_assert_uint_eq(c.b.index, box.index);
    ck_assert_double_eq_tol(c.normal.y, -1, 1e-9);
    ck_assert_vec_eq_tol(c.point, 300, 200, 1);
    ck_assert_double_eq_tol(c.impulse, 400 * 320 / 960.0,
                            400 * 320 / 960.0 * 0.05); /* its weight in a substep */
}

/// Returns piles side by side, in slots of destroyed bodies. A thrown body keeps the first awake.
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
    ck_assert_int_ge(count, 16); /* each box and the one below it, also asleep */
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

/// Compares the contacts of each body with those in the whole list that name it.
static void check_own_contacts(const pv_world *w) {
    static pv_contact all[1024], own[1024];
    int count = pv_world_get_contacts(w, all, 1024);
    ck_assert_int_le(count, 1024);
    for (int i = 0; i < count; i++)
        ck_assert(pv_body_is_valid(w, all[i].a) && pv_body_is_valid(w, all[i].b));
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

/* Bodies are added, removed, moved, disabled and restored between steps. They sleep and wake. */
START_TEST(contacts_of_a_body_are_its_own_among_all) {
    for (int seed = 1; seed <= 6; seed++) {
        scoped_world *w =
            WORLD(it.contact_mode = seed % 2 ? PV_CONTACT_MODE_CONTOURS : PV_CONTACT_MODE_PIXELS);
        scoped_keepsake saved = {0};
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
    }
}

/// Returns memory that is filled with one word.
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

/// Returns the hash of boxes that are put on shelves one by one.
static uint64_t hash_of_shelves(uint64_t word) {
    scoped_world *w = WORLD(it.allocator = (pv_allocator){littered_alloc, &word});
    for (int i = 0; i < 40; i++) {
        put(w, box_mask(30, 6), 25 * i, 3, of_type(PV_BODY_STATIC));
        put(w, i % 2 ? disc_mask(6) : box_mask(14, 12), 25 * i, -6.02, pv_body_def_default());
        pv_world_step(w, 1.0 / 60);
    }
    return pv_world_compute_hash(w);
}

START_TEST(fresh_memory_may_hold_anything) {
    uint64_t wanted = hash_of_shelves(0);
    for (uint64_t word = 1; word < 30; word++) /* small, like counts of steps and slots */
        ck_assert_msg(hash_of_shelves(word) == wanted, "%d", (int)word);
    ck_assert(hash_of_shelves(UINT64_MAX) == wanted);
    ck_assert(hash_of_shelves(UINT64_C(0x4059000000000000)) == wanted); /* 100 as a double */
}

RUN_TESTS("world")
