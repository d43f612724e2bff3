/* test_changes.c - changes since a snapshot: with their base they are as good as a whole snapshot.
 *
 * Invariant: the oracle is a whole snapshot of the same state, restored in another world.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "snapshot/snapshot.h"
#include "support.h"

#include "stage/scene.h"
#include "stage/stage.h"

static pv_status try_changes(pv_world *world, const keepsake *base, size_t size, keepsake *s) {
    return pv_world_save_changes(world, base->bytes, size, s->bytes, s->capacity, &s->size);
}

static void save_changes(pv_world *world, const keepsake *base, keepsake *s) {
    size_t need = 0;
    keepsake_reserve(s, 1);
    ck_assert_int_eq(pv_world_save_changes(world, base->bytes, base->size, s->bytes, 1, &need),
                     PV_ERROR_TOO_LARGE);
    keepsake_reserve(s, need);
    memset(s->bytes, 0xa5, need);
    ck_assert_int_eq(try_changes(world, base, base->size, s), PV_OK);
    ck_assert_uint_eq(s->size, need);
}

static pv_status restore_changes(pv_world *world, const keepsake *base, const keepsake *s) {
    return pv_world_restore_changes(world, base->bytes, base->size, s->bytes, s->size);
}

static void check_same(const keepsake *s, const keepsake *t) {
    ck_assert_uint_eq(s->size, t->size);
    ck_assert_int_eq(memcmp(s->bytes, t->bytes, s->size), 0);
}

static uint64_t steps(pv_world *world, int count) {
    for (int i = 0; i < count; i++) pv_world_step(world, SCENE_STEP);
    return pv_world_compute_hash(world);
}

/// World, its snapshot and changes of a test
static pv_world *w;
static keepsake base, changes;

static void close_world(void) {
    pv_world_destroy(w);
    free(base.bytes);
    free(changes.bytes);
    w = NULL;
    base = changes = (keepsake){0};
}

static pv_status restore(void) { return restore_changes(w, &base, &changes); }

/// Two worlds beside a third one, restored from whole snapshots and from changes
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

/// Checks that a base with pixels and its changes make what a whole snapshot makes, for steps on.
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

/* ---- scenes ---- */

static void play(const struct scene *scene) {
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
    for (int i = 0; scene_at(i); i++) play(scene_at(i));
}

/* ---- random worlds ---- */

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

/// Writes to a body by one of many functions.
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
    pv_joint_def joint = pv_joint_def_default();
    pv_vec2 at = {spread(seed, 100), -spread(seed, 60) - 40};
    const pv_vec2 corners[3] = {at, {at.x + 20, at.y}, {at.x, at.y + 20}};
    if (roll(seed, 2)) put_polygon(w, corners, 3);
    pv_particle_id p = put_particle(w, at.x, at.y);
    joint.a = pv_anchor_particle(p);
    joint.b = pv_anchor_body(any_body(seed), at);
    joint.type = PV_JOINT_ROPE;
    joint.length = 60;
    pv_joint_create(w, &joint, NULL);
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
    pv_grains_def grains = pv_grains_def_default();
    grains.capacity = 200;
    pv_grains_id sand = pv_grains_create(w, &grains, NULL);
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

/* ---- sizes ---- */

/// Ties a body to the world by a rope that hangs loose.
static void tie(pv_body_id b) {
    pv_joint_def joint = pv_joint_def_default();
    joint.type = PV_JOINT_ROPE;
    joint.a = pv_anchor_body(b, pv_body_get_position(w, b));
    joint.b = pv_anchor_world(PV_VEC2(0, -400));
    joint.length = 2000;
    ck_assert_uint_gt(pv_joint_create(w, &joint, NULL).index, 0);
}

/// Boxes in stacks, of all kinds that differ in their bytes, asleep; and a snapshot of them.
static void open_sleeping(unsigned flags) {
    w = create_world(NULL);
    put(w, box_mask(900, 20), 0, 10, of_type(PV_BODY_STATIC));
    for (int i = 0; i < 60; i++) {
        pv_body_def def = pv_body_def_default();
        if (i % 5 == 1) def.filter.category_bits = 2;
        if (i % 5 == 2) def.scale = PV_VEC2(2, 1);
        if (i % 5 == 4) def.linear_damping = 1;
        pv_fracture_def brittle = pv_fracture_def_default();
        brittle.min_part_pixels = 7;
        pv_body_id b = put(w, box_mask(16, 16), 40 * (i / 4) - 300, -8.0 - 16 * (i % 4), def);
        if (i % 5 == 3) pv_body_set_fracture(w, b, &brittle);
        if (i % 7 == 6) tie(b);
    }
    for (int i = 0; i < 900 && pv_world_get_stats(w).awake > 0; i++) pv_world_step(w, SCENE_STEP);
    ck_assert_int_eq(pv_world_get_stats(w).awake, 0);
    pv_world_step(w, SCENE_STEP);
    keep_world(w, flags, &base);
}

/// Lets a disc fall upon them, and saves what has changed.
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

/// A head takes 48 bytes, an operation four; a patch also has a mask of eight, and its words.
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

/* ---- bad ones ---- */

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
    keepsake later = {0};
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
    free(later.bytes);
}

/// A base with other bytes may make larger changes. It is refused when they are restored.
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
    unsigned char *kept = malloc(size);
    memcpy(kept, changes.bytes, size);
    for (changes.size = 0; changes.size < size; changes.size++) {
        ck_assert_int_eq(restore(), PV_ERROR_FORMAT);
        if (changes.size < 24) continue;
        pv__snapshot_seal_changes(changes.bytes, changes.size);
        ck_assert_int_eq(restore(), PV_ERROR_FORMAT);
        memcpy(changes.bytes, kept, size);
    }
    ck_assert_uint_eq(pv_world_compute_hash(w), here);
    ck_assert_int_eq(restore(), PV_OK);
    free(kept);
}

/// Any byte behind the head may be another, with a digest of its own.
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

START_TEST(lack_of_memory_changes_nothing) {
    purse p = {0};
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
    ck_assert_int_eq(p.live_bytes, 0);
}

RUN_TESTS_IN("changes", NULL, close_world, 1)
