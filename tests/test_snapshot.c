/* test_snapshot.c - worlds saved and restored: they step on bit for bit, and bad snapshots change
 * nothing.
 *
 * Invariant: the oracle is the same world left alone.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "snapshot/snapshot.h"
#include "support.h"

#include "stage/scene.h"
#include "stage/stage.h"

/// World and snapshot of a test
static pv_world *w;
static keepsake b;

static void close_world(void) {
    pv_world_destroy(w);
    free(b.bytes);
    w = NULL;
    b = (keepsake){0};
}

static uint64_t steps(pv_world *world, int count) {
    for (int i = 0; i < count; i++) pv_world_step(world, SCENE_STEP);
    return pv_world_compute_hash(world);
}

/* ---- scenes ---- */

/// Plays a scene. At every 37th step it continues without the scene, goes back, continues once
/// more, and goes back again.
static uint64_t play(const struct scene *scene, int frames, int every, unsigned flags) {
    struct stage *stage = scene_start(scene, 5);
    ck_assert_ptr_null(stage_error(stage));
    for (int i = 1; i <= frames; i++) {
        scene_update(scene, stage);
        pv_world_step(stage->world, SCENE_STEP);
        if (every == 0 || i % every) continue;
        uint64_t here = pv_world_compute_hash(stage->world);
        keep_world(stage->world, flags, &b);
        ck_assert_uint_eq(pv_world_compute_hash(stage->world), here);
        uint64_t there = steps(stage->world, 3);
        recall_world(stage->world, &b);
        ck_assert_msg(pv_world_compute_hash(stage->world) == here, "%s: not what it was at step %d",
                      scene->name, i);
        ck_assert_msg(steps(stage->world, 3) == there, "%s: another way from step %d on",
                      scene->name, i);
        recall_world(stage->world, &b);
    }
    uint64_t hash = pv_world_compute_hash(stage->world);
    stage_destroy(stage);
    return hash;
}

/// Boxes that fall on each other and fall asleep, with contacts of pixels.
static pv_world *make_sleepers(uint64_t seed) {
    pv_world *to = world_by(PV_CONTACT_MODE_PIXELS);
    put(to, box_mask(600, 20), 150, 310, of_type(PV_BODY_STATIC));
    for (int i = 0; i < 30; i++) {
        pv_body_def def = pv_body_def_default();
        double x = 300 * next_unit(&seed), y = 280 * next_unit(&seed);
        def.angle = 6 * next_unit(&seed);
        put(to, box_mask(8 + 6 * (i % 4), 10 + i % 14), x, y, def);
    }
    return to;
}

START_TEST(sleepers_of_pixels_go_on_as_if_nothing_had_been) {
    int slept = 0;
    static const int seeds[] = {1, 2, 5, 19, 21, 29}; /* 19 wakes one beside a push */
    for (size_t k = 0; k < COUNT_OF(seeds); k++) {
        int seed = seeds[k];
        scoped_world *a = make_sleepers((uint64_t)seed), *alone = make_sleepers((uint64_t)seed);
        for (int i = 0; i < 200; i++) {
            steps_well(a, 1);
            steps_well(alone, 1);
            ck_assert_msg(pv_world_compute_hash(a) == pv_world_compute_hash(alone),
                          "seed %d, step %d", seed, i);
            if (i % 7 == 3) ck_assert_int_eq(carry_world(a, 0, a), PV_OK);
        }
        slept += pv_world_get_stats(a).awake < 30;
    }
    ck_assert_int_gt(slept, 3);
}

START_TEST(scenes_go_on_as_if_nothing_had_been) {
    int frames = 37 * (int)last_seed(4) + 2;
    for (int i = 0; scene_at(i); i++) {
        uint64_t alone = play(scene_at(i), frames, 0, 0);
        ck_assert_msg(play(scene_at(i), frames, 37, i % 3 ? 0 : PV_SNAPSHOT_PIXELS) == alone,
                      "%s ends elsewhere", scene_at(i)->name);
    }
}

/* ---- small worlds ---- */

/// A floor, a few sprites on it, one of each thing that hangs or flows.
static pv_body_id furnish(pv_world *to) {
    put(to, box_mask(600, 20), 0, 200, of_type(PV_BODY_STATIC));
    pv_body_def sensor = of_type(PV_BODY_STATIC), one_way = of_type(PV_BODY_KINEMATIC);
    sensor.sensor = true;
    one_way.one_way_normal = (pv_vec2){0, -1};
    one_way.tangent_speed = 30;
    put(to, disc_mask(30), 60, 170, sensor);
    put(to, box_mask(80, 6), -100, 150, one_way);
    pv_body_id last = {0, 0};
    for (int i = 0; i < 6; i++) {
        pv_body_def def = pv_body_def_default();
        def.scale = i == 2 ? (pv_vec2){-2, 1} : (pv_vec2){1, 1};
        def.velocity = (pv_vec2){40.0 * i - 100, 0};
        last = put(to, i % 2 ? disc_mask(9) : box_mask(20, 12), -120 + 40 * i, 120 - 9 * i, def);
    }
    pv_rope_def rope = pv_rope_def_default();
    rope.from.point = (pv_vec2){-50, 0};
    rope.to = pv_anchor_body(last, pv_body_get_position(to, last));
    pv_rope_create(to, &rope, NULL);
    const pv_vec2 corners[4] = {{100, 40}, {130, 40}, {130, 70}, {100, 70}};
    put_polygon(to, corners, 4);
    pv_liquid_def liquid = pv_liquid_def_default();
    pv_liquid_id water = pv_liquid_create(to, &liquid, NULL);
    for (int i = 0; i < 30; i++)
        pv_liquid_add_particle(to, water,
                               put_particle(to, 200 + 7.0 * (i % 6), 60 + 7.0 * (i / 6)));
    pv_force_field_def wind = pv_force_field_def_default();
    wind.velocity = (pv_vec2){30, 0};
    pv_force_field_create(to, &wind, NULL);
    return last;
}

/// Opens the world of a test after the last one.
static void open_world(pv_contact_mode contacts) {
    close_world();
    w = world_by(contacts);
}

/// Opens a furnished world of contours, steps it, and saves it.
static void open_saved(unsigned flags) {
    open_world(PV_CONTACT_MODE_CONTOURS);
    furnish(w);
    steps(w, 30);
    keep_world(w, flags, &b);
}

/// Goes back to a hash, and on to the one after 30 steps.
static void check_return(uint64_t here, uint64_t there) {
    recall_world(w, &b);
    ck_assert_uint_eq(pv_world_compute_hash(w), here);
    ck_assert_uint_eq(steps(w, 30), there);
}

START_TEST_FOR(too_small_a_buffer_changes_nothing, kind, 2) {
    open_world((pv_contact_mode)kind);
    scoped_world *alone = world_by((pv_contact_mode)kind);
    furnish(w);
    furnish(alone);
    steps(w, 20);
    size_t need = 0, size = 0;
    ck_assert_int_eq(pv_world_save(w, 0, NULL, 0, &need), PV_OK);
    unsigned char *bytes = malloc(need);
    for (size_t capacity = 0; capacity < need; capacity += 13) {
        ck_assert_int_eq(pv_world_save(w, 0, bytes, capacity, &size), PV_ERROR_TOO_LARGE);
        ck_assert_uint_eq(size, need);
    }
    steps(alone, 20);
    ck_assert_uint_eq(pv_world_compute_hash(w), pv_world_compute_hash(alone));
    ck_assert_uint_eq(steps(w, 30), steps(alone, 30));
    free(bytes);
}

START_TEST_FOR(it_works_after_bodies_came_and_went, kind, 2) {
    open_world((pv_contact_mode)kind);
    pv_body_id last = furnish(w), gone = put(w, disc_mask(7), 0, 0, pv_body_def_default());
    steps(w, 20);
    /* what is not yet told of is saved, too */
    ck_assert_int_eq(pv_body_set_position(w, gone, (pv_vec2){60, 170}), PV_OK);
    uint64_t here = pv_world_compute_hash(w);
    keep_world(w, 0, &b);
    uint64_t there = steps(w, 30);
    ck_assert_int_eq(pv_body_destroy(w, gone), PV_OK);
    for (int i = 0; i < 40; i++)
        put(w, disc_mask(5 + i % 4), 13.0 * i - 200, -50, pv_body_def_default());
    pv_body_id late = put(w, box_mask(9, 9), 0, -200, pv_body_def_default());
    steps(w, 10);
    check_return(here, there);
    ck_assert(pv_body_is_valid(w, last) && pv_body_is_valid(w, gone) && !pv_body_is_valid(w, late));
}

START_TEST_FOR(what_was_just_destroyed_is_no_hindrance, kind, 2) {
    open_world((pv_contact_mode)kind);
    furnish(w);
    steps(w, 90);
    pv_body_id last = pv_world_get_next_body(w, (pv_body_id){0});
    pv_body_id late = put(w, box_mask(9, 9), 0, -200, pv_body_def_default());
    /* Free slots are used from the last one, then an earlier one. */
    ck_assert_int_eq(pv_body_destroy(w, late), PV_OK);
    while (pv_body_get_type(w, last) != PV_BODY_DYNAMIC ||
           pv_body_get_contacts(w, last, NULL, 0) == 0) {
        last = pv_world_get_next_body(w, last);
        ck_assert_uint_ne(last.index, 0);
    }
    ck_assert_int_eq(pv_body_destroy(w, last), PV_OK);
    uint64_t here = pv_world_compute_hash(w);
    keep_world(w, PV_SNAPSHOT_PIXELS, &b);
    uint64_t there = steps(w, 30);
    check_return(here, there);
}

START_TEST(masks_are_kept_until_they_are_forgotten) {
    open_world(PV_CONTACT_MODE_CONTOURS);
    scoped_mask *mask = disc_mask(8);
    pv_body_id body = put(w, pv_mask_retain(mask), 0, 0, pv_body_def_default());
    keep_world(w, 0, &b);
    ck_assert_int_eq(pv_body_destroy(w, body), PV_OK);
    ck_assert_int_eq(pv_mask_set_pixel(mask, 0, 0, true), PV_ERROR_SHARED);
    recall_world(w, &b);
    ck_assert(pv_body_is_valid(w, body));
    ck_assert_int_eq(pv_body_destroy(w, body), PV_OK);
    ck_assert_int_eq(pv_world_discard_snapshots(w), PV_OK);
    ck_assert_int_eq(pv_mask_set_pixel(mask, 0, 0, true), PV_OK);
    ck_assert_int_eq(pv_world_restore(w, b.bytes, b.size), PV_ERROR_FORMAT);
}

START_TEST(a_body_takes_256_bytes_at_most) {
    open_world(PV_CONTACT_MODE_CONTOURS);
    pv_mask *mask = disc_mask(8);
    size_t empty = 0, full = 0;
    ck_assert_int_eq(pv_world_save(w, 0, NULL, 0, &empty), PV_OK);
    for (int i = 0; i < 500; i++) {
        pv_body_def def = pv_body_def_default();
        def.velocity = (pv_vec2){i % 7, i % 5};
        def.angular_velocity = 1;
        put(w, pv_mask_retain(mask), 40.0 * (i % 25), 40.0 * (i / 25), def);
    }
    pv_mask_release(mask);
    steps(w, 30);
    ck_assert_int_eq(pv_world_get_stats(w).contacts, 0);
    ck_assert_int_eq(pv_world_save(w, 0, NULL, 0, &full), PV_OK);
    ck_assert_uint_le((full - empty) / 500, 256);
}

static pv_body_id throw_polygon(pv_world *to, double x, pv_polygon_collider hull) {
    pv_vec2 corners[4] = {{x, 30}, {x + 16, 30}, {x + 16, 46}, {x, 46}};
    pv_polygon_def def = pv_polygon_def_default();
    def.points = corners;
    def.point_count = 4;
    def.velocity = (pv_vec2){0, -240};
    def.collider = hull;
    pv_body_id polygon = pv_polygon_create(to, &def, NULL);
    ck_assert(polygon.generation);
    return polygon;
}

/// A sprite and polygons on their way up through a platform.
static pv_body_id throw_up(pv_world *to, pv_body_id polygons[2]) {
    pv_body_def platform = of_type(PV_BODY_STATIC), thrown = pv_body_def_default();
    platform.one_way_normal = (pv_vec2){0, -1};
    thrown.velocity = (pv_vec2){0, -240};
    put(to, box_mask(200, 12), 0, 0, platform);
    polygons[0] = throw_polygon(to, 20, PV_POLYGON_COLLIDER_EDGES);
    polygons[1] = throw_polygon(to, 60, PV_POLYGON_COLLIDER_CIRCLES);
    return put(to, box_mask(16, 16), -50, 40, thrown);
}

/// Checks that a restored world continues a pass through a platform, and bears the body when it
/// comes down. The height is (12 + 16) / 2 above.
START_TEST_FOR(who_is_half_through_a_platform_goes_on, kind, 2) {
    open_world((pv_contact_mode)kind);
    scoped_world *v = world_by((pv_contact_mode)kind);
    pv_body_id polygons[2];
    pv_body_id thrown = throw_up(w, polygons);
    for (int i = 0; i < 60 && pv_body_get_position(w, thrown).y > 0; i++) steps(w, 1);
    ck_assert_double_gt(pv_body_get_position(w, thrown).y, -8);
    keep_world(w, PV_SNAPSHOT_PIXELS, &b);
    uint64_t there = steps(w, 300);
    ck_assert_double_eq_tol(pv_body_get_position(w, thrown).y, -14, 1);
    for (int i = 0; i < 2; i++)
        ck_assert_double_eq_tol(pv_body_get_position(w, polygons[i]).y, -14, 3);
    recall_world(w, &b);
    recall_world(v, &b);
    ck_assert_uint_eq(steps(w, 300), there);
    ck_assert_uint_eq(steps(v, 300), there);
}

/* ---- bad ones ---- */

START_TEST(every_changed_or_cut_byte_is_refused) {
    open_saved(PV_SNAPSHOT_PIXELS);
    uint64_t here = steps(w, 1);
    for (size_t i = 0; i < b.size; i++) {
        b.bytes[i] ^= (unsigned char)(1u << i % 8);
        ck_assert_int_eq(pv_world_restore(w, b.bytes, b.size), PV_ERROR_FORMAT);
        b.bytes[i] ^= (unsigned char)(1u << i % 8);
    }
    for (size_t i = 0; i < b.size; i += 1 + i / 64)
        ck_assert_int_eq(pv_world_restore(w, b.bytes, i), PV_ERROR_FORMAT);
    ck_assert_uint_eq(pv_world_compute_hash(w), here);
    ck_assert_int_eq(pv_world_save(w, 0, b.bytes, 10, NULL), PV_ERROR_TOO_LARGE);
    ck_assert_int_eq(pv_world_save(w, 8, b.bytes, b.size, NULL), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_world_save(w, 0, NULL, 0, NULL), PV_ERROR_ARGUMENT);
}

/// The beginning of a snapshot is damaged, even with a digest of its own, wherever it ends. No lack
/// of memory is told.
START_TEST(every_beginning_is_refused_as_damaged) {
    open_saved(0);
    uint64_t here = steps(w, 1);
    unsigned char *cut = malloc(b.size);
    for (size_t i = 24; i < b.size; i++) {
        memcpy(cut, b.bytes, i);
        pv__snapshot_seal(cut, i);
        pv_status s = pv_world_restore(w, cut, i);
        ck_assert_msg(s == PV_ERROR_FORMAT, "%zu bytes: %s", i, pv_status_to_string(s));
    }
    ck_assert_uint_eq(pv_world_compute_hash(w), here);
    free(cut);
}

/// Tells whether no number of a pair that is known is infinite or none.
static bool is_finite_manifold(const pv__manifold *m) {
    bool good = true;
    for (int k = 0; k < 8; k++) good &= isfinite((&m->foreseen)[k]) != 0;
    for (int i = 0; i < 12 * m->count; i++)
        good &= isfinite((&m->points[i / 12].anchor_a.x)[i % 12]) != 0;
    return good;
}

START_TEST(no_number_that_is_none_comes_in) {
    open_saved(0);
    ck_assert_int_gt(w->manifolds.count, 0);
    for (size_t at = 24; at + 8 <= b.size; at++) {
        unsigned char kept[8];
        double none = at % 2 ? NAN : INFINITY;
        memcpy(kept, b.bytes + at, 8);
        memcpy(b.bytes + at, &none, 8);
        pv__snapshot_seal(b.bytes, b.size);
        pv_status s = pv_world_restore(w, b.bytes, b.size);
        ck_assert(s == PV_OK || s == PV_ERROR_FORMAT || s == PV_ERROR_MEMORY);
        for (int i = 0; i < w->manifolds.count; i++)
            ck_assert_msg(w->manifolds.items[i].a < 0 || is_finite_manifold(&w->manifolds.items[i]),
                          "at byte %zu", at);
        memcpy(b.bytes + at, kept, 8);
    }
}

static pv_status recall(void) { return pv_world_restore(w, b.bytes, b.size); }

START_TEST(lack_of_memory_changes_nothing) {
    purse p = {0};
    w = world_from(&p);
    furnish(w);
    steps(w, 30);
    keep_world(w, PV_SNAPSHOT_PIXELS, &b);
    steps(w, 1);
    starve_until_done(w, &p, recall);
    close_world();
    ck_assert_int_eq(p.live_bytes, 0);
}

/// A comb with its teeth downward. On a floor, it touches in more points than two.
static pv_mask *comb_mask(int teeth) {
    pv_mask *m = box_mask(12 * teeth - 8, 24);
    for (int i = 0; i + 1 < teeth; i++)
        pv_mask_fill_rect(m, (pv_rect){12 * i + 4, 8, 8, 16}, false);
    return m;
}

/// Puts a number of combs in a row, which rest on a floor after some steps.
static pv_world *lay_combs(int count, purse *p) {
    pv_world *to = world_from(p);
    put(to, box_mask(2000, 20), 0, 40, of_type(PV_BODY_STATIC));
    for (int i = 0; i < count; i++) {
        pv_body_def def = pv_body_def_default();
        def.angle = 0.1 * (i % 3);
        put(to, comb_mask(4), 60.0 * i - 600, 15, def);
    }
    steps(to, 60);
    return to;
}

static int count_wide(const pv_world *to) {
    int count = 0;
    for (int i = 0; i < to->manifolds.count; i++) count += to->manifolds.items[i].wide;
    return count;
}

/// Worlds with many, few and no manifolds of more than two points take each other's place.
START_TEST(points_have_room_in_each_world_that_is_restored) {
    purse p = {0};
    pv_world *all[3] = {lay_combs(20, &p), lay_combs(3, &p), lay_combs(0, &p)};
    keepsake as[3] = {{0}};
    uint64_t here[3], later[3];
    ck_assert_int_gt(count_wide(all[0]), 10);
    for (int i = 0; i < 3; i++) {
        keep_world(all[i], PV_SNAPSHOT_PIXELS, &as[i]);
        here[i] = pv_world_compute_hash(all[i]);
        later[i] = steps(all[i], 30);
    }
    for (int i = 0; i < 9; i++) {
        recall_world(all[0], &as[i % 3]);
        ck_assert_uint_eq(pv_world_compute_hash(all[0]), here[i % 3]);
        ck_assert_uint_eq(steps(all[0], 30), later[i % 3]);
    }
    pv_status s = PV_ERROR_MEMORY;
    for (long k = 1; s != PV_OK; k++) { /* a new world has no block */
        scoped_world *fresh = world_from(&p);
        p.fail_at = p.calls + k;
        s = pv_world_restore(fresh, as[0].bytes, as[0].size);
        ck_assert(s == PV_OK || s == PV_ERROR_MEMORY);
        p.fail_at = 0;
    }
    for (int i = 0; i < 3; i++) {
        pv_world_destroy(all[i]);
        free(as[i].bytes);
    }
    ck_assert_int_eq(p.live_bytes, 0);
}

RUN_TESTS_IN("snapshot", NULL, close_world, 1)
