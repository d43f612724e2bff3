/* test_filter.c - filters: which bodies meet.
 *
 * Invariant: a box stays above a floor that it meets, and otherwise falls freely.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "shared_world.h"

static pv_world *w;

static pv_body_id put_filtered(pv_body_type type, int width, double y, pv_filter filter) {
    return put(w, box_mask(width, 16), 0, y, WITH(of_type(type), it.filter = filter));
}

START_TEST_FOR(bodies_meet_by_category_mask_and_group, contacts, 2) {
    const pv_filter filters[] = {{1, 0xffffffff, 0}, {2, 0xffffffff, 0},
                                 {2, 1, 0},          {4, 2, 0},
                                 {4, 2, 3},          {4, 1, 3},
                                 {1, 4, -3},         {1, 0xffffffff, -3},
                                 {0, 0xffffffff, 0}, {0x80000000, 0x80000000, 0}};
    const int count = sizeof filters / sizeof *filters;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            w = next_world_by(contacts, 320);
            put_filtered(PV_BODY_STATIC, 100, 40, filters[i]);
            pv_body_id box = put_filtered(PV_BODY_DYNAMIC, 16, 0, filters[j]);
            step_times(60);
            double y = body_at(box).y;
            if (filters_agree(filters[i], filters[j]))
                ck_assert_double_lt(y, 24.5);
            else
                ck_assert_double_eq_tol(y, 160, 0.01);
            ck_assert_int_eq(pv_world_get_stats(w).contacts, filters_agree(filters[i], filters[j]));
        }
}

START_TEST(a_new_filter_lets_what_rests_fall_and_catches_it_again) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 320);
    put_filtered(PV_BODY_STATIC, 100, 40, (pv_filter){1, 0xffffffff, 0});
    put_filtered(PV_BODY_STATIC, 100, 200, (pv_filter){2, 0xffffffff, 0});
    pv_body_id box = put_filtered(PV_BODY_DYNAMIC, 16, 20, (pv_filter){1, 0xffffffff, 0});
    step_times(180);
    ck_assert(!pv_body_is_awake(w, box));
    uint64_t hash = pv_world_compute_hash(w);
    ck_assert_int_eq(pv_body_set_filter(w, box, (pv_filter){1, 2, 0}), PV_OK);
    ck_assert(pv_world_compute_hash(w) != hash);
    ck_assert_uint_eq(pv_body_get_filter(w, box).mask_bits, 2);
    step_times(180);
    ck_assert_double_eq_tol(body_at(box).y, 184, 0.1);
    pv_body_destroy(w, box);
    ck_assert_int_eq(pv_body_set_filter(w, box, (pv_filter){1, 2, 0}), PV_ERROR_STALE_ID);
    ck_assert_uint_eq(pv_body_get_filter(w, box).category_bits, 0);
}

START_TEST(what_may_not_meet_is_no_overlap) {
    for (int group = -1; group <= 1; group++) {
        w = next_world_by(PV_CONTACT_MODE_CONTOURS, 320);
        put_filtered(PV_BODY_STATIC, 40, 0, (pv_filter){1, 0xffffffff, group});
        put_filtered(PV_BODY_DYNAMIC, 16, 0, (pv_filter){1, 0xffffffff, group});
        ck_assert_int_eq(pv_world_compute_overlap_area(w), group < 0 ? 0 : 256);
    }
}

RUN_TESTS_IN("filter", NULL, close_world, 1)
