/* test_grains_snapshot.c - populations of grains in snapshots and hashes: they step on bit for bit,
 * and damaged ones change nothing.
 *
 * Invariant: the oracle is the same world left alone. Damage is done to one number at a time.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "snapshot/stream_shape.h"
#include "support.h"

#include "grains/area.h"
#include "grains/bodies.h"
#include "grains/ring.h"

static const double H = 1.0 / 60;

/// A buffer that grows with what is put in.
typedef struct buffer {
    unsigned char *bytes;
    size_t size, capacity;
} buffer;

static void save(pv_world *world, unsigned flags, buffer *b) {
    size_t need = pv_world_get_snapshot_size(world, flags);
    if (need > b->capacity) b->bytes = realloc(b->bytes, b->capacity = need);
    ck_assert_int_eq(pv_world_save(world, flags, b->bytes, b->capacity, &b->size), PV_OK);
    ck_assert_uint_eq(b->size, need);
}

/* ---- a yard of sand ---- */

enum { SAND, DUST, SPARKS, KINDS, BOXES = 4 };

/// World with populations, and what moves in it. The same calls give the same ids in each.
typedef struct yard {
    pv_world *world;
    pv_body_id ground, block, paddle, sensor, boxes[BOXES];
    pv_grains_id kinds[KINDS];
    pv_world_def def;
    uint64_t seed;
} yard;

/// Hills, as ground of 300 x 60 pixels.
static pv_mask *hills(void) {
    pv_mask *m = pv_mask_create(300, 60, NULL, NULL);
    ck_assert_ptr_nonnull(m);
    for (int x = 0; x < 300; x++)
        for (int y = 15 + (x * 7 % 40 + x) % 23; y < 60; y++) pv_mask_set_pixel(m, x, y, true);
    return m;
}

static void add_bodies(yard *y) {
    pv_body_def sensor = of_type(PV_BODY_STATIC), turned = of_type(PV_BODY_STATIC);
    sensor.sensor = true;
    turned.angle = 0.3;
    y->ground = put(y->world, hills(), 0, 120, of_type(PV_BODY_STATIC));
    y->block = put(y->world, box_mask(40, 30), 60, 70, turned);
    y->paddle = put(y->world, box_mask(50, 6), -70, 60, of_type(PV_BODY_KINEMATIC));
    y->sensor = put(y->world, disc_mask(9), -120, 95, sensor);
    for (int i = 0; i < BOXES; i++)
        y->boxes[i] = put(y->world, i % 2 ? disc_mask(7) : box_mask(14, 10), -40 + 25 * i, 10 - i,
                          pv_body_def_default());
}

static void add_kind(yard *y, int kind) {
    pv_grains_def def = pv_grains_def_default();
    def.follow = kind != SPARKS;
    def.piles = kind != SPARKS;
    if (kind == DUST) {
        def.capacity = 300;
        def.friction = 1.5;
        def.life = 0.8;
        def.linear_damping = 0.5;
    }
    if (kind == SPARKS) def.gravity_scale = -0.5;
    y->kinds[kind] = pv_grains_create(y->world, &def, NULL);
    pv_grain_sink box = {.box = {{100, 80}, {130, 100}}}, drain = {.sensor = y->sensor};
    ck_assert_int_eq(pv_grains_add_sink(y->world, y->kinds[kind], &box), PV_OK);
    ck_assert_int_eq(pv_grains_add_sink(y->world, y->kinds[kind], &drain), PV_OK);
}

static yard yard_make(pv_contact_mode contacts, purse *p, uint64_t seed) {
    yard y = {.def = pv_world_def_default(), .seed = seed};
    y.def.contact_mode = contacts;
    y.def.gravity = (pv_vec2){0, 400};
    if (p) y.def.allocator = (pv_allocator){purse_alloc, p};
    y.world = pv_world_create(&y.def, NULL);
    ck_assert_ptr_nonnull(y.world);
    add_bodies(&y);
    for (int i = 0; i < KINDS; i++) add_kind(&y, i);
    return y;
}

static int below(yard *y, int n) { return (int)(next_unit(&y->seed) * n); }

static double between(yard *y, double low, double high) {
    return low + (high - low) * next_unit(&y->seed);
}

static void pour(yard *y, pv_grains_id grains, int count) {
    pv_grain list[200];
    double x = between(y, -100, 100);
    for (int i = 0; i < count; i++)
        list[i] = (pv_grain){{x + between(y, -20, 20), between(y, -60, 60)},
                             {between(y, -90, 90), between(y, -50, 200)},
                             (uint32_t)i * 77};
    pv_grains_emit(y->world, grains, list, count);
}

static void carve(yard *y, pv_body_id body) {
    pv_vec2 at = pv_body_get_position(y->world, body);
    pv_cut cut = pv_cut_circle((pv_vec2){at.x + between(y, -60, 60), at.y - 10}, 9);
    cut.add = below(y, 4) == 0;
    pv_body_carve(y->world, body, &cut, NULL);
}

static void turn_gravity(yard *y) {
    static const pv_vec2 ways[] = {{0, 400}, {0, 400}, {120, 400}, {400, 30},
                                   {0, 0},   {0, 400}, {-400, 0},  {-50, -400}};
    pv_world_set_gravity(y->world, ways[below(y, 8)]);
}

/// Moves a body, and at times back again after the rest of the acts before a step.
static void shift(yard *y, pv_body_id body, double way) {
    pv_vec2 at = pv_body_get_position(y->world, body);
    pv_body_set_position(y->world, body, (pv_vec2){at.x + way, at.y});
}

static void change_body(yard *y, int how) {
    pv_world *w = y->world;
    pv_body_id box = y->boxes[below(y, BOXES)];
    pv_vec2 scale = {1 + below(y, 2), 1};
    switch (how) {
    case 0: pv_body_set_scale(w, y->block, scale); break;
    case 1: pv_body_set_filter(w, y->block, (pv_filter){1, below(y, 2) ? 1 : 2, 0}); break;
    case 2: pv_body_set_enabled(w, box, below(y, 2)); break;
    case 3: pv_body_destroy(w, box); break;
    case 4: pv_body_set_type(w, y->paddle, (pv_body_type)below(y, 2)); break;
    case 5: pv_body_set_angle(w, y->block, between(y, 0, 3)); break;
    default: pv_body_set_velocity(w, box, (pv_vec2){between(y, -300, 300), -100});
    }
}

/// Does something to the world, by the numbers of the seed.
static void act(yard *y) {
    pv_world *w = y->world;
    pv_grains_id grains = y->kinds[below(y, KINDS)];
    switch (below(y, 16)) {
    case 0:
    case 1:
    case 2: pour(y, grains, 200); break;
    case 3:
    case 4: carve(y, y->ground); break;
    case 5: carve(y, y->block); break;
    case 6: shift(y, y->block, 7.25); break;
    case 7: shift(y, y->block, -7.25); break;
    case 8: change_body(y, below(y, 7)); break;
    case 9: change_body(y, below(y, 7)); break;
    case 10: pv_world_explode(w, (pv_vec2){between(y, -90, 90), 80}, 40, 250); break;
    case 11:
        if (below(y, 3) == 0) turn_gravity(y);
        break;
    case 12:
        if (below(y, 4) == 0) pv_grains_clear(w, grains);
        break;
    case 13: carve(y, y->boxes[below(y, BOXES)]); break;
    case 14:
        if (below(y, 8) > 0) break;
        pv_grains_destroy(w, y->kinds[DUST]);
        if (below(y, 2)) add_kind(y, DUST);
        break;
    default: break;
    }
}

static void step(yard *y, int i) {
    double turn = 0.05 * i, length = i % 50 == 49 ? H / 2 : H;
    pv_body_move_to(y->world, y->paddle, (pv_vec2){-70 + 0.4 * (i % 90), 60 - 0.2 * (i % 40)}, turn,
                    length);
    ck_assert_int_eq(pv_world_step(y->world, length), PV_OK);
}

/* ---- how it goes on ---- */

enum { FRAMES = 240, ACTS = 3, MARKS = FRAMES * (ACTS + 1) };

/// Plays the yard, and notes the hash after every act and every step. With restores it is saved and
/// restored each time: into itself, or at times into a new world.
static void play(pv_contact_mode contacts, uint64_t seed, bool restores, uint64_t *marks) {
    yard y = yard_make(contacts, NULL, seed);
    buffer b = {0};
    for (int i = 0; i < FRAMES; i++)
        for (int k = 0; k <= ACTS; k++) {
            if (k < ACTS)
                act(&y);
            else
                step(&y, i);
            *marks++ = pv_world_compute_hash(y.world);
            if (!restores || (i + k) % 3 == 2) continue;
            bool elsewhere = (i + k) % 5 == 4;
            save(y.world, elsewhere ? PV_SNAPSHOT_PIXELS : 0, &b);
            if (elsewhere) {
                pv_world_destroy(y.world);
                y.world = pv_world_create(&y.def, NULL);
            }
            ck_assert_int_eq(pv_world_restore(y.world, b.bytes, b.size), PV_OK);
            ck_assert_msg(pv_world_compute_hash(y.world) == marks[-1],
                          "seed %d: another hash at step %d, act %d", (int)seed, i, k);
        }
    free(b.bytes);
    pv_world_destroy(y.world);
}

START_TEST(restored_grains_go_on_as_if_nothing_had_been) {
    static uint64_t alone[MARKS], restored[MARKS];
    for (int seed = 1; seed <= 12; seed++) {
        pv_contact_mode kind = seed % 3 ? PV_CONTACT_MODE_CONTOURS : PV_CONTACT_MODE_PIXELS;
        play(kind, (uint64_t)seed * 7919, false, alone);
        play(kind, (uint64_t)seed * 7919, true, restored);
        for (int i = 0; i < MARKS; i++)
            ck_assert_msg(alone[i] == restored[i], "seed %d: another way at step %d, act %d", seed,
                          i / (ACTS + 1), i % (ACTS + 1));
    }
}
END_TEST

RUN_SUITE("grains in snapshots", restored_grains_go_on_as_if_nothing_had_been)
