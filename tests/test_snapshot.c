/* test_snapshot.c - worlds saved and restored, also from changes: they go on bit for bit, and bad
 * snapshots change nothing.
 *
 * Invariant: the expected world is the same world left alone, or for changes a whole snapshot.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "furnished.h"
#include "snapshot/snapshot.h"

#include "stage/scene.h"
#include "stage/stage.h"

/// World of a test, its snapshot, and a base with its changes
static pv_world *w;
static keepsake kept, base, changes;

static void close_world(void) {
    keepsake *const all[] = {&kept, &base, &changes};
    pv_world_destroy(w);
    w = NULL;
    for (int i = 0; i < 3; i++) {
        free(all[i]->bytes);
        *all[i] = (keepsake){0};
    }
}

static uint64_t steps(pv_world *world, int count) {
    for (int i = 0; i < count; i++) pv_world_step(world, SCENE_STEP);
    return pv_world_compute_hash(world);
}

/* ---- scenes ---- */

/// Plays a scene. At some steps it goes on without the scene for 3 steps and is restored, twice.
static uint64_t play(const struct scene *scene, int frames, int every, unsigned flags) {
    struct stage *stage = scene_start(scene, 5);
    ck_assert_ptr_null(stage_error(stage));
    for (int i = 1; i <= frames; i++) {
        scene_update(scene, stage);
        pv_world_step(stage->world, SCENE_STEP);
        if (every == 0 || i % every) continue;
        uint64_t here = pv_world_compute_hash(stage->world);
        keep_world(stage->world, flags, &kept);
        ck_assert_uint_eq(pv_world_compute_hash(stage->world), here);
        uint64_t there = steps(stage->world, 3);
        recall_world(stage->world, &kept);
        ck_assert_msg(pv_world_compute_hash(stage->world) == here, "%s: not what it was at step %d",
                      scene->name, i);
        ck_assert_msg(steps(stage->world, 3) == there, "%s: other from step %d on", scene->name, i);
        recall_world(stage->world, &kept);
    }
    uint64_t hash = pv_world_compute_hash(stage->world);
    stage_destroy(stage);
    return hash;
}

/// Returns a world of boxes that fall on each other and fall asleep, with contacts by pixels.
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
    static const int seeds[] = {1, 2, 5, 19, 21, 29}; /* 19: a body wakes beside a pushed one */
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

/// Furnishes a world, and returns a body that hangs.
static pv_body_id furnish(pv_world *to) {
    put_bodies(to);
    put_matter(to);
    return pv__handle_of_body(to, HANGING);
}

static void open_world(pv_contact_mode contacts) {
    close_world();
    w = world_by(contacts);
}

static void open_saved(unsigned flags) {
    open_world(PV_CONTACT_MODE_CONTOURS);
    furnish(w);
    steps(w, 30);
    keep_world(w, flags, &kept);
}

/// Restores the snapshot, and checks its hash and the one after 30 steps.
static void check_return(uint64_t here, uint64_t there) {
    recall_world(w, &kept);
    ck_assert_uint_eq(pv_world_compute_hash(w), here);
    ck_assert_uint_eq(steps(w, 30), there);
}

START_TEST_FOR(it_works_after_bodies_came_and_went, kind, 2) {
    open_world((pv_contact_mode)kind);
    pv_body_id last = furnish(w), gone = put(w, disc_mask(7), 0, 0, pv_body_def_default());
    steps(w, 20);
    /* what is not reported yet is saved, too */
    ck_assert_int_eq(pv_body_set_position(w, gone, (pv_vec2){60, 170}), PV_OK);
    uint64_t here = pv_world_compute_hash(w);
    keep_world(w, 0, &kept);
    uint64_t there = steps(w, 30);
    ck_assert_int_eq(pv_body_destroy(w, gone), PV_OK);
    for (int i = 0; i < 40; i++)
        put(w, disc_mask(5 + i % 4), 13 * i - 200, -50, of_type(PV_BODY_DYNAMIC));
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
    /* The slot freed last is used first, then an earlier one. */
    ck_assert_int_eq(pv_body_destroy(w, late), PV_OK);
    while (pv_body_get_type(w, last) != PV_BODY_DYNAMIC ||
           pv_body_get_contacts(w, last, NULL, 0) == 0) {
        last = pv_world_get_next_body(w, last);
        ck_assert_uint_ne(last.index, 0);
    }
    ck_assert_int_eq(pv_body_destroy(w, last), PV_OK);
    uint64_t here = pv_world_compute_hash(w);
    keep_world(w, PV_SNAPSHOT_PIXELS, &kept);
    uint64_t there = steps(w, 30);
    check_return(here, there);
}

START_TEST(masks_are_kept_until_they_are_forgotten) {
    open_world(PV_CONTACT_MODE_CONTOURS);
    scoped_mask *mask = disc_mask(8);
    pv_body_id body = put(w, pv_mask_retain(mask), 0, 0, pv_body_def_default());
    keep_world(w, 0, &kept);
    ck_assert_int_eq(pv_body_destroy(w, body), PV_OK);
    ck_assert_int_eq(pv_mask_set_pixel(mask, 0, 0, true), PV_ERROR_SHARED);
    recall_world(w, &kept);
    ck_assert(pv_body_is_valid(w, body));
    ck_assert_int_eq(pv_body_destroy(w, body), PV_OK);
    ck_assert_int_eq(pv_world_discard_snapshots(w), PV_OK);
    ck_assert_int_eq(pv_mask_set_pixel(mask, 0, 0, true), PV_OK);
    ck_assert_int_eq(pv_world_restore(w, kept.bytes, kept.size), PV_ERROR_FORMAT);
}

START_TEST(a_body_takes_256_bytes_at_most) {
    open_world(PV_CONTACT_MODE_CONTOURS);
    scoped_mask *mask = disc_mask(8);
    size_t empty = 0, full = 0;
    ck_assert_int_eq(pv_world_save(w, 0, NULL, 0, &empty), PV_OK);
    for (int i = 0; i < 500; i++)
        put(w, pv_mask_retain(mask), 40.0 * (i % 25), 40.0 * (i / 25),
            WITH(pv_body_def_default(), it.velocity = (pv_vec2){i % 7, i % 5},
                 it.angular_velocity = 1));
    steps(w, 30);
    ck_assert_int_eq(pv_world_get_stats(w).contacts, 0);
    ck_assert_int_eq(pv_world_save(w, 0, NULL, 0, &full), PV_OK);
    ck_assert_uint_le((full - empty) / 500, 256);
}

static pv_body_id throw_polygon(pv_world *to, double x, pv_polygon_collider hull) {
    pv_vec2 corners[4] = {{x, 30}, {x + 16, 30}, {x + 16, 46}, {x, 46}};
    pv_body_id polygon = CREATE(polygon, to, it.points = corners, it.point_count = 4,
                                it.velocity = (pv_vec2){0, -240}, it.collider = hull);
    ck_assert(polygon.generation);
    return polygon;
}

/// Throws a sprite and polygons up through a platform; returns the sprite.
static pv_body_id throw_up(pv_world *to, pv_body_id polygons[2]) {
    pv_body_def platform = of_type(PV_BODY_STATIC), thrown = pv_body_def_default();
    platform.one_way_normal = (pv_vec2){0, -1};
    thrown.velocity = (pv_vec2){0, -240};
    put(to, box_mask(200, 12), 0, 0, platform);
    polygons[0] = throw_polygon(to, 20, PV_POLYGON_COLLIDER_EDGES);
    polygons[1] = throw_polygon(to, 60, PV_POLYGON_COLLIDER_CIRCLES);
    return put(to, box_mask(16, 16), -50, 40, thrown);
}

/// A restored world goes on passing a platform. What comes down lies (12 + 16) / 2 px up.
START_TEST_FOR(who_is_half_through_a_platform_goes_on, kind, 2) {
    open_world((pv_contact_mode)kind);
    scoped_world *v = world_by((pv_contact_mode)kind);
    pv_body_id polygons[2];
    pv_body_id thrown = throw_up(w, polygons);
    for (int i = 0; i < 60 && pv_body_get_position(w, thrown).y > 0; i++) steps(w, 1);
    ck_assert_double_gt(pv_body_get_position(w, thrown).y, -8);
    keep_world(w, PV_SNAPSHOT_PIXELS, &kept);
    uint64_t there = steps(w, 300);
    ck_assert_double_eq_tol(pv_body_get_position(w, thrown).y, -14, 1);
    for (int i = 0; i < 2; i++)
        ck_assert_double_eq_tol(pv_body_get_position(w, polygons[i]).y, -14, 3);
    recall_world(w, &kept);
    recall_world(v, &kept);
    ck_assert_uint_eq(steps(w, 300), there);
    ck_assert_uint_eq(steps(v, 300), there);
}

/* ---- bad ones ---- */

START_TEST(every_changed_or_cut_byte_is_refused) {
    open_saved(PV_SNAPSHOT_PIXELS);
    uint64_t here = steps(w, 1);
    for (size_t i = 0; i < kept.size; i++) {
        kept.bytes[i] ^= (unsigned char)(1u << i % 8);
        ck_assert_int_eq(pv_world_restore(w, kept.bytes, kept.size), PV_ERROR_FORMAT);
        kept.bytes[i] ^= (unsigned char)(1u << i % 8);
    }
    for (size_t i = 0; i < kept.size; i += 1 + i / 64)
        ck_assert_int_eq(pv_world_restore(w, kept.bytes, i), PV_ERROR_FORMAT);
    ck_assert_uint_eq(pv_world_compute_hash(w), here);
    ck_assert_int_eq(pv_world_save(w, 0, kept.bytes, 10, NULL), PV_ERROR_TOO_LARGE);
    ck_assert_int_eq(pv_world_save(w, 8, kept.bytes, kept.size, NULL), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_world_save(w, 0, NULL, 0, NULL), PV_ERROR_ARGUMENT);
}

START_TEST(every_beginning_is_refused_as_damaged) {
    open_saved(0);
    uint64_t here = steps(w, 1);
    scoped_memory unsigned char *cut = malloc(kept.size);
    for (size_t i = 24; i < kept.size; i++) {
        memcpy(cut, kept.bytes, i);
        pv__snapshot_seal(cut, i);
        pv_status s = pv_world_restore(w, cut, i);
        ck_assert_msg(s == PV_ERROR_FORMAT, "%zu bytes: %s", i, pv_status_to_string(s));
    }
    ck_assert_uint_eq(pv_world_compute_hash(w), here);
}

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
    for (size_t at = 24; at + 8 <= kept.size; at++) {
        unsigned char was[8];
        double none = at % 2 ? NAN : INFINITY;
        memcpy(was, kept.bytes + at, 8);
        memcpy(kept.bytes + at, &none, 8);
        pv__snapshot_seal(kept.bytes, kept.size);
        pv_status s = pv_world_restore(w, kept.bytes, kept.size);
        ck_assert(s == PV_OK || s == PV_ERROR_FORMAT || s == PV_ERROR_MEMORY);
        for (int i = 0; i < w->manifolds.count; i++)
            ck_assert_msg(w->manifolds.items[i].a < 0 || is_finite_manifold(&w->manifolds.items[i]),
                          "at byte %zu", at);
        memcpy(kept.bytes + at, was, 8);
    }
}

static pv_status recall(void) { return pv_world_restore(w, kept.bytes, kept.size); }

START_TEST(lack_of_memory_changes_nothing) {
    scoped_purse p = {0};
    w = world_from(&p);
    furnish(w);
    steps(w, 30);
    keep_world(w, PV_SNAPSHOT_PIXELS, &kept);
    steps(w, 1);
    starve_until_done(w, &p, recall);
    close_world();
}

/// Returns a comb with its teeth downward, which touches a floor in more than two points.
static pv_mask *comb_mask(int teeth) {
    pv_mask *m = box_mask(12 * teeth - 8, 24);
    for (int i = 0; i + 1 < teeth; i++)
        pv_mask_fill_rect(m, (pv_rect){12 * i + 4, 8, 8, 16}, false);
    return m;
}

static pv_world *lay_combs(int count, purse *p) {
    pv_world *to = world_from(p);
    put(to, box_mask(2000, 20), 0, 40, of_type(PV_BODY_STATIC));
    for (int i = 0; i < count; i++)
        put(to, comb_mask(4), 45.0 * i - 900, 15,
            WITH(pv_body_def_default(), it.angle = 0.1 * (i % 3)));
    steps(to, 60);
    return to;
}

static int count_wide(const pv_world *to) {
    int count = 0;
    for (int i = 0; i < to->manifolds.count; i++) count += to->manifolds.items[i].wide;
    return count;
}

/// Worlds with many, few and no manifolds of more than two points are restored into each other.
START_TEST(points_have_room_in_each_world_that_is_restored) {
    purse p = {0};
    pv_world *all[3] = {lay_combs(40, &p), lay_combs(3, &p), lay_combs(0, &p)};
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
    for (long k = 1; s != PV_OK; k++) { /* a new world has no block of points yet */
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

/* ---- changes since a snapshot ---- */

static pv_status try_changes(pv_world *world, const keepsake *of, size_t size, keepsake *s) {
    return pv_world_save_changes(world, of->bytes, size, s->bytes, s->capacity, &s->size);
}

static void save_changes(pv_world *world, const keepsake *of, keepsake *s) {
    size_t need = 0;
    keepsake_reserve(s, 1);
    ck_assert_int_eq(pv_world_save_changes(world, of->bytes, of->size, s->bytes, 1, &need),
                     PV_ERROR_TOO_LARGE);
    keepsake_reserve(s, need);
    memset(s->bytes, 0xa5, need);
    ck_assert_int_eq(try_changes(world, of, of->size, s), PV_OK);
    ck_assert_uint_eq(s->size, need);
}

static pv_status restore_changes(pv_world *world, const keepsake *of, const keepsake *s) {
    return pv_world_restore_changes(world, of->bytes, of->size, s->bytes, s->size);
}

static void check_same(const keepsake *s, const keepsake *t) {
    ck_assert_uint_eq(s->size, t->size);
    ck_assert_int_eq(memcmp(s->bytes, t->bytes, s->size), 0);
}

static pv_status restore(void) { return restore_changes(w, &base, &changes); }

/// Two worlds beside a third one: restored from whole snapshots, and from changes
typedef struct twins {
    pv_world *whole, *parts;
    keepsake base, changes, again[2];
} twins;

static twins open_twins(void) {
    return (twins){.whole = pv_world_create(NULL, NULL), .parts = pv_world_create(NULL, NULL)};
}

static void close_twins(twins *t) {
    pv_world_destroy(t->whole);
    pv_world_destroy(t->parts);
    free(t->base.bytes);
    free(t->changes.bytes);
    for (int i = 0; i < 2; i++) free(t->again[i].bytes);
}

/// Checks that a base with pixels and its changes restore the same world as a whole snapshot.
static void compare_twins(twins *t, pv_world *world) {
    uint64_t here = pv_world_compute_hash(world);
    save_changes(world, &t->base, &t->changes);
    ck_assert_uint_eq(pv_world_compute_hash(world), here);
    ck_assert_int_eq(carry_world(world, PV_SNAPSHOT_PIXELS, t->whole), PV_OK);
    ck_assert_int_eq(restore_changes(t->parts, &t->base, &t->changes), PV_OK);
    ck_assert_uint_eq(pv_world_compute_hash(t->parts), here);
    for (int k = 0; k < 2; k++) {
        keep_world(t->whole, PV_SNAPSHOT_PIXELS, &t->again[0]);
        keep_world(t->parts, PV_SNAPSHOT_PIXELS, &t->again[1]);
        check_same(&t->again[0], &t->again[1]);
        if (k == 0) ck_assert_uint_eq(steps(t->parts, 2), steps(t->whole, 2));
    }
}

/// Checks the same within the world, with a base without pixels. The world stays as it is.
static void compare_here(twins *t, pv_world *world) {
    save_changes(world, &base, &changes);
    keep_world(world, 0, &t->again[0]);
    recall_world(world, &t->again[0]);
    uint64_t there = steps(world, 2);
    ck_assert_int_eq(restore_changes(world, &base, &changes), PV_OK);
    keep_world(world, 0, &t->again[1]);
    check_same(&t->again[0], &t->again[1]);
    ck_assert_uint_eq(steps(world, 2), there);
    ck_assert_int_eq(restore_changes(world, &base, &changes), PV_OK);
}

/* ---- changes: scenes ---- */

static void play_with_changes(const struct scene *scene) {
    struct stage *stage = scene_start(scene, 5);
    ck_assert_ptr_null(stage_error(stage));
    twins t = open_twins();
    for (int i = 0; i < 40 * (int)last_seed(3); i++) {
        if (i % 40 == 10) keep_world(stage->world, 0, &base);
        if (i % 40 == 10) keep_world(stage->world, PV_SNAPSHOT_PIXELS, &t.base);
        if (i >= 10 && (i % 40 == 11 || i % 40 == 17 || i % 40 == 9)) {
            compare_here(&t, stage->world);
            compare_twins(&t, stage->world);
        }
        scene_update(scene, stage);
        pv_world_step(stage->world, SCENE_STEP);
    }
    close_twins(&t);
    stage_destroy(stage);
}

START_TEST(scenes_come_back_from_changes) {
    for (int i = 0; scene_at(i); i++) play_with_changes(scene_at(i));
}

/* ---- changes: random worlds ---- */

static unsigned roll(uint64_t *seed, unsigned below) { return (unsigned)(next_unit(seed) * below); }
static double spread(uint64_t *seed, int range) { return floor(next_between(seed, -range, range)); }

static pv_body_id any_body(uint64_t *seed) {
    pv_body_id b = pv_world_get_next_body(w, pv_null_body);
    for (unsigned i = roll(seed, (unsigned)pv_world_get_stats(w).bodies); i > 0; i--)
        b = pv_world_get_next_body(w, b);
    return b;
}

static void add_body(uint64_t *seed) {
    pv_body_def def = pv_body_def_default();
    unsigned kind = roll(seed, 12);
    if (kind == 0) def.type = PV_BODY_KINEMATIC;
    if (kind == 1) def.sensor = true;
    if (kind == 2) def.scale = PV_VEC2(-1.5, 1);
    if (kind == 3) def.collider = PV_COLLIDER_CIRCLE;
    if (kind == 4) def.filter.group_index = -3;
    if (kind == 5) def.one_way_normal = PV_VEC2(0, -1);
    def.velocity = PV_VEC2(spread(seed, 50), 0);
    put(w, kind % 2 ? disc_mask(4 + (int)roll(seed, 6)) : box_mask(6 + (int)roll(seed, 20), 9),
        spread(seed, 150), -spread(seed, 80) - 60, def);
}

static void change_body(pv_body_id b, uint64_t *seed) {
    pv_vec2 v = {spread(seed, 90), spread(seed, 90)};
    switch (roll(seed, 18)) {
    case 0: pv_body_set_velocity(w, b, v); break;
    case 1: pv_body_apply_force(w, b, PV_VEC2(1e4 * v.x, 1e4 * v.y)); break;
    case 2: pv_body_apply_impulse(w, b, v); break;
    case 3: pv_body_set_angle(w, b, 0.01 * v.x); break;
    case 4: pv_body_set_friction(w, b, 0.01 * fabs(v.x)); break;
    case 5: pv_body_set_gravity_scale(w, b, roll(seed, 2)); break;
    case 6: pv_body_set_linear_damping(w, b, roll(seed, 2)); break;
    case 7: pv_body_set_motion_locks(w, b, roll(seed, 8)); break;
    case 8: pv_body_set_enabled(w, b, roll(seed, 2)); break;
    case 9: pv_body_set_tangent_speed(w, b, roll(seed, 40)); break;
    case 10: pv_body_set_filter(w, b, (pv_filter){roll(seed, 3) + 1, ~0u, 0}); break;
    case 11: pv_body_set_mass(w, b, 1 + roll(seed, 500)); break;
    case 12: pv_body_set_user_data(w, b, (void *)(uintptr_t)roll(seed, 9)); break;
    case 13: pv_body_set_scale(w, b, PV_VEC2(1 + 0.5 * roll(seed, 2), 1)); break;
    case 14: pv_body_set_type(w, b, (pv_body_type)roll(seed, 3)); break;
    case 15: pv_body_wake(w, b); break;
    case 16: pv_body_set_rolling_resistance(w, b, roll(seed, 3)); break;
    default: pv_body_set_position(w, b, v); break;
    }
}

static void add_matter(uint64_t *seed) {
    pv_vec2 at = {spread(seed, 100), -spread(seed, 60) - 40};
    const pv_vec2 corners[3] = {at, {at.x + 20, at.y}, {at.x, at.y + 20}};
    if (roll(seed, 2)) put_polygon(w, corners, 3);
    pv_particle_id p = put_particle(w, at.x, at.y);
    CREATE(joint, w, it.type = PV_JOINT_ROPE, it.a = pv_anchor_particle(p),
           it.b = pv_anchor_body(any_body(seed), at), it.length = 60);
    if (roll(seed, 3) == 0) pv_particle_destroy(w, p);
}

static void act(pv_grains_id sand, uint64_t *seed) {
    pv_body_id b = any_body(seed);
    pv_cut cut = pv_cut_circle(PV_VEC2(spread(seed, 150), 20 - roll(seed, 90)), 6);
    switch (roll(seed, 10)) {
    case 0: add_body(seed); break;
    case 1:
        if (pv_world_get_stats(w).bodies > 20) pv_body_destroy(w, b);
        break;
    case 2: pv_world_carve(w, &cut, NULL, NULL); break;
    case 3: add_matter(seed); break;
    case 4:
        for (int i = 0; i < 12; i++) {
            pv_grain grain = {{spread(seed, 100), -30 - i}, {0, 0}, roll(seed, 99)};
            pv_grains_emit(w, sand, &grain, 1);
        }
        break;
    case 5: pv_world_set_gravity(w, PV_VEC2(0, 600 + 100 * roll(seed, 4))); break;
    default: change_body(b, seed); break;
    }
}

static void live(uint64_t seed, pv_contact_mode contacts) {
    close_world();
    w = world_by(contacts);
    pv_grains_id sand = CREATE(grains, w, it.capacity = 200);
    twins t = open_twins();
    put(w, box_mask(400, 30), 0, 30, of_type(PV_BODY_STATIC));
    for (int i = 0; i < 25; i++) add_body(&seed);
    for (int i = 0; i < 140; i++) {
        if (i % 35 == 0) keep_world(w, 0, &base);
        if (i % 35 == 0) keep_world(w, PV_SNAPSHOT_PIXELS, &t.base);
        for (unsigned k = i % 70 < 40 ? roll(&seed, 4) : 0; k > 0; k--) act(sand, &seed);
        if (roll(&seed, 4) == 0) compare_here(&t, w);
        if (roll(&seed, 4) == 0) compare_twins(&t, w);
        steps(w, (int)roll(&seed, 3));
    }
    close_twins(&t);
}

START_TEST(random_worlds_come_back_from_changes) {
    for (uint64_t seed = 1; seed <= last_seed(10); seed++)
        live(seed, seed % 3 ? PV_CONTACT_MODE_CONTOURS : PV_CONTACT_MODE_PIXELS);
}

/* ---- changes: sizes ---- */

static void tie(pv_body_id b) {
    pv_joint_id joint = CREATE(joint, w, it.type = PV_JOINT_ROPE,
                               it.a = pv_anchor_body(b, pv_body_get_position(w, b)),
                               it.b = pv_anchor_world(PV_VEC2(0, -400)), it.length = 2000);
    ck_assert_uint_gt(joint.index, 0);
}

/// Opens a world of sleeping stacks, with boxes of all kinds whose bytes differ, and saves it.
static void open_sleeping(unsigned flags) {
    w = create_world(NULL);
    put(w, box_mask(900, 20), 0, 10, of_type(PV_BODY_STATIC));
    for (int i = 0; i < 60; i++) {
        pv_body_def def = pv_body_def_default();
        if (i % 5 == 1) def.filter.category_bits = 2;
        if (i % 5 == 2) def.scale = PV_VEC2(2, 1);
        if (i % 5 == 4) def.linear_damping = 1;
        pv_fracture_def brittle = WITH(pv_fracture_def_default(), it.min_part_pixels = 7);
        pv_body_id b = put(w, box_mask(16, 16), 40 * (i / 4) - 300, -8.0 - 16 * (i % 4), def);
        if (i % 5 == 3) pv_body_set_fracture(w, b, &brittle);
        if (i % 7 == 6) tie(b);
    }
    for (int i = 0; i < 900 && pv_world_get_stats(w).awake > 0; i++) pv_world_step(w, SCENE_STEP);
    ck_assert_int_eq(pv_world_get_stats(w).awake, 0);
    pv_world_step(w, SCENE_STEP);
    keep_world(w, flags, &base);
}

static void drop_disc(int count) {
    put(w, disc_mask(5), 0, -300, pv_body_def_default());
    steps(w, count);
    save_changes(w, &base, &changes);
}

START_TEST(what_sleeps_takes_no_bytes) {
    open_sleeping(0);
    ck_assert_uint_gt(base.size, 20000);
    steps(w, 5);
    save_changes(w, &base, &changes);
    ck_assert_uint_lt(changes.size, 128);
    pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0});
    for (int i = 0; i < 4; i++) b = pv_world_get_next_body(w, b);
    pv_body_set_gravity_scale(w, b, 0.5);
    save_changes(w, &base, &changes);
    ck_assert_uint_lt(changes.size, 1200);
    drop_disc(1);
    ck_assert_uint_lt(changes.size, 4000);
}

/// The head takes 48 bytes, an operation 4. A patch adds a mask of 8 bytes, and its words.
START_TEST(a_changed_pointer_takes_one_word) {
    open_sleeping(0);
    save_changes(w, &base, &changes);
    size_t none = changes.size;
    ck_assert_uint_eq(none, 48 + 4);
    pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0});
    for (int i = 0; i < 2; i++) {
        pv_body_set_user_data(w, b, (void *)(uintptr_t)UINT64_C(0x0102030405060708));
        save_changes(w, &base, &changes);
        ck_assert_uint_eq(changes.size, none + (i == 0 ? 24 : 32));
        b = pv_world_get_next_body(w, b);
    }
}

/* ---- changes: bad ones ---- */

static char field[32];

static void keep_field(void *user_data, const pv_error *error) {
    (void)user_data;
    snprintf(field, sizeof field, "%s", error->field ? error->field : "");
}

static void refused_for(const char *what, pv_status status) {
    ck_assert_int_eq(status, PV_ERROR_FORMAT);
    ck_assert_str_eq(field, what);
}

START_TEST(another_base_is_refused_by_name) {
    scoped_keepsake later = {0};
    open_sleeping(0);
    steps(w, 1);
    save_changes(w, &base, &changes);
    keep_world(w, 0, &later);
    uint64_t here = pv_world_compute_hash(w);
    pv_world_set_report_callback(w, keep_field, NULL);
    refused_for("base", restore_changes(w, &later, &changes));
    base.bytes[base.size / 2] ^= 1;
    refused_for("base", restore());
    base.bytes[base.size / 2] ^= 1;
    refused_for("changes", restore_changes(w, &base, &base));
    refused_for("base", try_changes(w, &changes, changes.size, &later));
    for (size_t i = 1; i < base.size; i += 1 + i / 8)
        refused_for("base", try_changes(w, &base, i, &later));
    ck_assert_uint_eq(pv_world_compute_hash(w), here);
    ck_assert_int_eq(restore(), PV_OK);
}

/// Changes from a damaged base may get larger. They are refused when restored.
START_TEST(a_damaged_base_does_no_harm) {
    open_sleeping(0);
    keepsake_reserve(&changes, 4 * base.size);
    for (size_t i = 25; i < base.size; i += 3) {
        unsigned char was = base.bytes[i];
        base.bytes[i] ^= (unsigned char)(1u << i % 8);
        pv_status s = try_changes(w, &base, base.size, &changes);
        ck_assert(s == PV_OK || s == PV_ERROR_FORMAT);
        if (s == PV_OK) ck_assert_int_eq(restore(), PV_ERROR_FORMAT);
        base.bytes[i] = was;
    }
}

START_TEST(changed_or_cut_changes_are_refused) {
    open_sleeping(PV_SNAPSHOT_PIXELS);
    drop_disc(3);
    uint64_t here = pv_world_compute_hash(w);
    for (size_t i = 0; i < changes.size; i++) {
        changes.bytes[i] ^= (unsigned char)(1u << i % 8);
        ck_assert_int_eq(restore(), PV_ERROR_FORMAT);
        changes.bytes[i] ^= (unsigned char)(1u << i % 8);
    }
    size_t size = changes.size;
    scoped_memory unsigned char *whole = malloc(size);
    memcpy(whole, changes.bytes, size);
    for (changes.size = 0; changes.size < size; changes.size++) {
        ck_assert_int_eq(restore(), PV_ERROR_FORMAT);
        if (changes.size < 24) continue;
        pv__snapshot_seal_changes(changes.bytes, changes.size);
        ck_assert_int_eq(restore(), PV_ERROR_FORMAT);
        memcpy(changes.bytes, whole, size);
    }
    ck_assert_uint_eq(pv_world_compute_hash(w), here);
    ck_assert_int_eq(restore(), PV_OK);
}

/// Damaged changes with a correct digest are refused, or restore some world.
START_TEST(sealed_damage_is_refused_or_a_world) {
    open_sleeping(PV_SNAPSHOT_PIXELS);
    drop_disc(3);
    for (size_t i = 24; i < changes.size; i++) {
        unsigned char was = changes.bytes[i];
        for (unsigned k = 0; k < 2; k++) {
            changes.bytes[i] = (unsigned char)(was ^ (k ? 0xff : 1u << i % 8));
            pv__snapshot_seal_changes(changes.bytes, changes.size);
            pv_status s = restore();
            ck_assert(s == PV_OK || s == PV_ERROR_FORMAT || s == PV_ERROR_MEMORY);
            if (s == PV_OK && i % 16 == 0) steps(w, 1);
        }
        changes.bytes[i] = was;
    }
}

static pv_status save_again(void) { return try_changes(w, &base, base.size, &changes); }

START_TEST(lack_of_memory_for_changes_changes_nothing) {
    scoped_purse p = {0};
    w = world_from(&p);
    put(w, box_mask(100, 20), 0, 10, of_type(PV_BODY_STATIC));
    uint64_t seed = 3;
    for (int i = 0; i < 10; i++) add_body(&seed);
    for (int i = 0; i < 10; i++) add_matter(&seed);
    steps(w, 30);
    keep_world(w, PV_SNAPSHOT_PIXELS, &base);
    steps(w, 3);
    keepsake_reserve(&changes, 2 * base.size);
    starve_until_done(w, &p, save_again);
    starve_until_done(w, &p, restore);
    close_world();
}

RUN_TESTS_IN("snapshot", NULL, close_world, 1)
