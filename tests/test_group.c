/* test_group.c - groups, against loops over all members.
 *
 * Invariant: the expected answer of a query comes from each member in order of its index.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/math.h"
#include "placed/placed_query.h"
#include "support.h"

#define MOST 400

static pv_transform random_transform(void) {
    pv_transform t =
        WITH(pv_transform_identity(), it.position = pv__vec(any_within(400), any_within(400)));
    if (any_int(0, 1)) t.rotation = pv__rotation(any_within(7));
    if (any_int(0, 3) == 0) t.scale = pv__vec(-1.5, 0.7);
    if (any_int(0, 40) == 0) t.scale = pv__vec(30, 20);
    return t;
}

/// Group, and its expected members by index
typedef struct twin {
    pv_group *group;
    pv_placed at[MOST];
    pv_member_id name[MOST];
    bool lives[MOST];
    int count;
    pv_mask *masks[4];
} twin;

static twin new_twin(double cell, const pv_allocator *from) {
    twin t = {.group = pv_group_create(cell, from, NULL)};
    t.masks[0] = box_mask(20, 10);
    t.masks[1] = disc_mask(12);
    t.masks[2] = box_mask(1, 1);
    t.masks[3] = disc_mask(40);
    pv_mask_fill_rect(t.masks[3], (pv_rect){20, 20, 40, 40}, false);
    return t;
}

static void free_twin(twin *t) {
    pv_group_destroy(t->group);
    for (int i = 0; i < 4; i++) pv_mask_release(t->masks[i]);
}

static void add_one(twin *t) {
    pv_error error;
    pv_placed p = {t->masks[any_int(0, 3)], random_transform()};
    pv_member_id m = pv_group_add(t->group, &p, t, &error);
    ck_assert_int_eq(error.status, PV_OK);
    ck_assert(m.index < MOST && m.generation != 0 && !t->lives[m.index]);
    t->at[m.index] = p;
    t->name[m.index] = m;
    t->lives[m.index] = true;
    if ((int)m.index >= t->count) t->count = (int)m.index + 1;
}

static void change_one(twin *t) {
    int i = any_int(0, t->count - 1), what = any_int(0, 3);
    if (!t->lives[i]) {
        ck_assert_int_eq(pv_group_remove(t->group, t->name[i]), PV_ERROR_STALE_ID);
        add_one(t);
    } else if (what == 0) {
        ck_assert_int_eq(pv_group_remove(t->group, t->name[i]), PV_OK);
        t->lives[i] = false;
    } else {
        t->at[i].transform = random_transform();
        ck_assert_int_eq(pv_group_set_transform(t->group, t->name[i], &t->at[i].transform), PV_OK);
    }
}

/// Compares the members that a query found with the expected ones.
static void check_found(const twin *t, const bool *expected, const pv_member_id *found,
                        size_t count, size_t capacity) {
    size_t n = 0;
    for (int i = 0; i < t->count; i++) {
        if (!expected[i]) continue;
        if (n < capacity)
            ck_assert(found[n].index == (uint32_t)i &&
                      found[n].generation == t->name[i].generation);
        n++;
    }
    ck_assert_uint_eq(n, count);
}

static void check_queries(const twin *t) {
    pv_member_id found[MOST];
    bool expected[MOST];
    size_t room = (size_t)any_int(0, 3) ? MOST : (size_t)any_int(0, 5);
    pv_placed p = {t->masks[any_int(0, 3)], random_transform()};
    for (int i = 0; i < t->count; i++)
        expected[i] = t->lives[i] && pv_placed_test_overlap(&p, &t->at[i]);
    check_found(t, expected, found, pv_group_query_mask(t->group, &p, found, room), room);
    pv_vec2 point = pv__vec(any_within(400), any_within(400));
    for (int i = 0; i < t->count; i++)
        expected[i] = t->lives[i] && pv_placed_test_point(&t->at[i], point);
    check_found(t, expected, found, pv_group_query_point(t->group, point, found, room), room);
    pv_box box = {point, pv__add(point, pv__vec(any_int(1, 100), any_int(1, 500)))};
    for (int i = 0; i < t->count; i++)
        expected[i] = t->lives[i] && pv__placed_rectangle(&t->at[i], box);
    check_found(t, expected, found, pv_group_query_box(t->group, box, found, room), room);
}

static void check_pairs(const twin *t) {
    static pv_member_pair found[MOST * MOST];
    size_t room = (size_t)any_int(0, 2) ? MOST * MOST : 7, n = 0,
           count = pv_group_query_pairs(t->group, found, room);
    for (int i = 0; i < t->count; i++)
        for (int j = i + 1; j < t->count; j++) {
            if (!t->lives[i] || !t->lives[j] || !pv_placed_test_overlap(&t->at[i], &t->at[j]))
                continue;
            if (n < room)
                ck_assert(found[n].a.index == (uint32_t)i && found[n].b.index == (uint32_t)j);
            if (n < room) ck_assert(found[n].b.generation == t->name[j].generation);
            n++;
        }
    ck_assert_uint_eq(n, count);
    ck_assert_uint_eq(pv_group_query_pairs(t->group, NULL, 0), n);
}

/// Tests small cells, usual ones, and large ones.
START_TEST_FOR(cells_of_any_size_find_all, i, 3) {
    twin t = new_twin((const double[]){4, 0, 1000}[i], NULL);
    for (int k = 0; k < 150; k++) add_one(&t);
    for (int round = 0; round < 60; round++) {
        for (int k = 0; k < 20; k++) change_one(&t);
        check_queries(&t);
        if (round % 10 == 0) check_pairs(&t);
    }
    free_twin(&t);
}

START_TEST(names_go_stale) {
    scoped_mask *m = box_mask(4, 4);
    pv_group *g = pv_group_create(0, NULL, NULL);
    pv_placed p = {m, pv_transform_identity()};
    int user_data = 0;
    pv_member_id a = pv_group_add(g, &p, &user_data, NULL);
    ck_assert(pv_group_get_user_data(g, a) == &user_data && pv_group_get_placed(g, a).mask == m);
    ck_assert_int_eq(pv_mask_set_pixel(m, 0, 0, false), PV_ERROR_SHARED);
    ck_assert_int_eq(pv_group_remove(g, a), PV_OK);
    ck_assert_int_eq(pv_mask_set_pixel(m, 0, 0, false), PV_OK);
    pv_member_id b = pv_group_add(g, &p, NULL, NULL);
    ck_assert(b.index == a.index && b.generation != a.generation);
    ck_assert_int_eq(pv_group_set_transform(g, a, &p.transform), PV_ERROR_STALE_ID);
    ck_assert(pv_group_get_placed(g, a).mask == NULL && pv_group_get_user_data(g, a) == NULL);
    pv_group_destroy(g);
}

START_TEST(bad_input_is_refused) {
    scoped_mask *m = box_mask(4, 4);
    pv_error error;
    ck_assert_refused(pv_group_create(0.5, NULL, &error), error, PV_ERROR_ARGUMENT);
    pv_group *g = pv_group_create(16, NULL, &error);
    pv_placed p = {m, pv_transform_identity()}, bad = p;
    pv_member_id a = pv_group_add(g, &p, NULL, NULL), untouched = {77, 77};
    bad.transform.position.y = INFINITY;
    ck_assert_int_eq(pv_group_set_transform(g, a, &bad.transform), PV_ERROR_NOT_FINITE);
    ck_assert(pv_group_get_placed(g, a).transform.position.y == 0);
    ck_assert(pv_group_query_mask(g, &p, &untouched, -1) == 1 && untouched.index == 77);
    ck_assert(pv_group_query_box(g, (pv_box){{1, 1}, {0, 0}}, NULL, 0) == 0);
    ck_assert(pv_group_query_box(g, (pv_box){{-1e7, -1e7}, {1e7, 1e7}}, NULL, 0) == 1);
    pv_group_destroy(g);
}

RUN_TESTS("group")
