/* test_grains_snapshot.c - grains in snapshots and hashes: restored ones go on alike, and damaged
 * ones change nothing.
 *
 * Invariant: the expected world is the same world left alone. One number is damaged at a time.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "shared_world.h"
#include "snapshot/snapshot.h"

#include "grains/area.h"
#include "grains/grains.h"

static const double H = 1.0 / 60;
static keepsake b;

static void save(pv_world *world, unsigned flags) { keep_world(world, flags, &b); }
static pv_status restore(pv_world *world) { return pv_world_restore(world, b.bytes, b.size); }

/* ---- a yard of sand ---- */

enum { SAND, DUST, SPARKS, KINDS, BOXES = 4 };

/// World with grains and moving bodies. The same calls give the same ids in each.
typedef struct yard {
    pv_world *world;
    pv_body_id ground, block, paddle, sensor, boxes[BOXES];
    pv_grains_id kinds[KINDS];
    pv_world_def def;
    uint64_t seed;
} yard;

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
    pv_grains_def def =
        WITH(pv_grains_def_default(), it.follow = kind != SPARKS, it.piles = kind != SPARKS);
    if (kind == DUST)
        def =
            WITH(def, it.capacity = 300, it.friction = 1.5, it.life = 0.8, it.linear_damping = 0.5);
    if (kind == SPARKS) def.gravity_scale = -0.5;
    y->kinds[kind] = pv_grains_create(y->world, &def, NULL);
    pv_grain_sink box = {.box = {{100, 80}, {130, 100}}}, drain = {.sensor = y->sensor};
    ck_assert_int_eq(pv_grains_add_sink(y->world, y->kinds[kind], &box), PV_OK);
    ck_assert_int_eq(pv_grains_add_sink(y->world, y->kinds[kind], &drain), PV_OK);
}

static yard yard_make(pv_contact_mode contacts, purse *p, uint64_t seed) {
    yard y = {.def = WITH(with_gravity(400), it.contact_mode = contacts), .seed = seed};
    if (p) y.def.allocator = (pv_allocator){purse_alloc, p};
    y.world = pv_world_create(&y.def, NULL);
    ck_assert_ptr_nonnull(y.world);
    add_bodies(&y);
    for (int i = 0; i < KINDS; i++) add_kind(&y, i);
    return y;
}

static void yard_close(yard *y) { pv_world_destroy(y->world); }

#define scoped_yard __attribute__((cleanup(yard_close))) yard

static int below(yard *y, int n) { return (int)(next_unit(&y->seed) * n); }

static void pour(yard *y, pv_grains_id grains, int count) {
    pv_grain list[200];
    double x = next_between(&y->seed, -100, 100);
    for (int i = 0; i < count; i++)
        list[i] = (pv_grain){{x + next_between(&y->seed, -20, 20), next_between(&y->seed, -60, 60)},
                             {next_between(&y->seed, -90, 90), next_between(&y->seed, -50, 200)},
                             (uint32_t)i * 77};
    pv_grains_emit(y->world, grains, list, count);
}

static void carve(yard *y, pv_body_id body) {
    pv_vec2 at = pv_body_get_position(y->world, body);
    pv_cut cut = pv_cut_circle((pv_vec2){at.x + next_between(&y->seed, -60, 60), at.y - 10}, 9);
    cut.add = below(y, 4) == 0;
    pv_body_carve(y->world, body, &cut, NULL);
}

static void turn_gravity(yard *y) {
    static const pv_vec2 ways[] = {{0, 400}, {0, 400}, {120, 400}, {400, 30},
                                   {0, 0},   {0, 400}, {-400, 0},  {-50, -400}};
    pv_world_set_gravity(y->world, ways[below(y, 8)]);
}

/// Moves a body along x.
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
    case 5: pv_body_set_angle(w, y->block, next_between(&y->seed, 0, 3)); break;
    default: pv_body_set_velocity(w, box, (pv_vec2){next_between(&y->seed, -300, 300), -100});
    }
}

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
    case 8:
    case 9: change_body(y, below(y, 7)); break;
    case 10: pv_world_explode(w, (pv_vec2){next_between(&y->seed, -90, 90), 80}, 40, 250); break;
    case 11:
        if (below(y, 3) == 0) turn_gravity(y);
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

/* ---- going on ---- */

enum { FRAMES = 150, ACTS = 3, MARKS = FRAMES * (ACTS + 1) };

/// Plays the yard, with or without restores, and stores the hash after each act and step.
static void play(pv_contact_mode contacts, uint64_t seed, bool restores, uint64_t *marks) {
    scoped_yard y = yard_make(contacts, NULL, seed);
    for (int i = 0; i < FRAMES; i++)
        for (int k = 0; k <= ACTS; k++) {
            if (k < ACTS)
                act(&y);
            else
                step(&y, i);
            *marks++ = pv_world_compute_hash(y.world);
            if (!restores || (i + k) % 3 == 2) continue;
            bool elsewhere = (i + k) % 5 == 4;
            save(y.world, elsewhere ? PV_SNAPSHOT_PIXELS : 0);
            if (elsewhere) {
                pv_world_destroy(y.world);
                y.world = pv_world_create(&y.def, NULL);
            }
            ck_assert_int_eq(restore(y.world), PV_OK);
            ck_assert_msg(pv_world_compute_hash(y.world) == marks[-1],
                          "seed %d: another hash at step %d, act %d", (int)seed, i, k);
        }
}

START_TEST(restored_grains_go_on_as_if_nothing_had_been) {
    static uint64_t alone[MARKS], restored[MARKS];
    for (int seed = 1; seed <= (int)last_seed(8); seed++) {
        pv_contact_mode kind = seed % 3 ? PV_CONTACT_MODE_CONTOURS : PV_CONTACT_MODE_PIXELS;
        play(kind, (uint64_t)seed * 7919, false, alone);
        play(kind, (uint64_t)seed * 7919, true, restored);
        for (int i = 0; i < MARKS; i++)
            ck_assert_msg(alone[i] == restored[i], "seed %d: another way at step %d, act %d", seed,
                          i / (ACTS + 1), i % (ACTS + 1));
    }
}

/* ---- one number at a time ---- */

/// Returns a yard after some time, with grains at rest, in the air, and on the paddle.
static yard busy_yard(purse *p) {
    yard y = yard_make(PV_CONTACT_MODE_CONTOURS, p, 3);
    for (int i = 0; i < 40; i++) {
        if (i % 6 == 0) pour(&y, y.kinds[i / 6 % KINDS], 150);
        if (i % 13 == 12) carve(&y, y.ground);
        step(&y, i);
    }
    pv_grain above = {{-65, 20}, {0, 60}, 5};
    pv_grains_emit(y.world, y.kinds[SAND], &above, 1);
    return y;
}

static pv__grains *kind_of(const yard *y, int kind) { return &y->world->grains.items[kind]; }

typedef enum state { RESTS, FLIES, IS_EMPTY } state;

static int slot_of(const pv__grains *g, state wanted, int nth) {
    for (int i = 0; i < g->used; i++) {
        state is = !pv__ring_lives(g, (uint32_t)i)  ? IS_EMPTY
                   : pv__ring_moves(g, (uint32_t)i) ? FLIES
                                                    : RESTS;
        if (is == FLIES && g->claims[i >> 6] >> (i & 63) & 1) continue;
        if (is == wanted && nth-- == 0) return i;
    }
    ck_abort_msg("no such slot");
    return 0;
}

static void check_hashed(const pv_world *w, void *const *at, size_t count, const char *names) {
    uint64_t hash = pv_world_compute_hash(w);
    for (size_t i = 0; i < count; i++) {
        *(unsigned char *)at[i] ^= 1;
        ck_assert_msg(pv_world_compute_hash(w) != hash, "not in the hash: %zu of %s", i, names);
        *(unsigned char *)at[i] ^= 1;
    }
    ck_assert_uint_eq(pv_world_compute_hash(w), hash);
}

#define HASHED(...)                                                                                \
    check_hashed(y.world, (void *const[]){__VA_ARGS__},                                            \
                 sizeof(void *[]){__VA_ARGS__} / sizeof(void *), #__VA_ARGS__)

START_TEST(each_number_is_in_the_hash) {
    scoped_yard y = busy_yard(NULL);
    pv__grains *g = kind_of(&y, SAND);
    pv__grain_body *seen = &g->bodies[y.ground.index - 1];
    pv_grains_def *def = &g->def;
    HASHED(&def->capacity, &def->restitution, &def->friction, &def->linear_damping,
           &def->gravity_scale, &def->life, &def->piles, &def->follow, &def->filter.category_bits,
           &def->filter.mask_bits, &def->filter.group_index);
    HASHED(&g->slot.generation, &g->dt, &g->rest_x, &g->rest_y, &g->used, &g->oldest, &g->span,
           &g->now.down, &g->now.drops[1][1], &g->now.drops[0][PV__GRAIN_LOOK]);
    HASHED(&g->sinks[0].sink.box.max.y, &g->sinks[1].sink.sensor.index,
           &g->sinks[1].sink.sensor.generation);
    for (int i = 0; i < g->used; i++) HASHED(&g->x[i], &g->y[i], &g->dx[i], &g->dy[i], &g->born[i]);
    HASHED(&g->moving[g->used >> 6], &g->claims[g->used >> 6]);
    ck_assert(seen->grounded);
    HASHED(&seen->grounded, &seen->generation, &seen->looks, &seen->center.x);
    shift(&y, y.ground, 1);
    HASHED(&seen->center.y, &seen->turn.s);
}

START_TEST(counts_and_definitions_come_back) {
    scoped_yard y = busy_yard(NULL);
    scoped_world *other = pv_world_create(&y.def, NULL);
    save(y.world, PV_SNAPSHOT_PIXELS);
    ck_assert_int_eq(restore(other), PV_OK);
    for (int i = 0; i < KINDS; i++) {
        pv_grains_stats s = pv_grains_get_stats(y.world, y.kinds[i]),
                        t = pv_grains_get_stats(other, y.kinds[i]);
        pv_grain_sink_count a[2], c[2];
        ck_assert_int_gt(s.emitted, 0);
        ck_assert_int_eq(memcmp(&s, &t, sizeof s), 0);
        ck_assert_int_eq(pv_grains_get_sink_counts(y.world, y.kinds[i], a, 2), 2);
        ck_assert_int_eq(pv_grains_get_sink_counts(other, y.kinds[i], c, 2), 2);
        for (int k = 0; k < 2; k++)
            ck_assert(a[k].last_step == c[k].last_step && a[k].total == c[k].total);
    }
}

static uint32_t blue(void *user_data, pv_body_id body, int x, int y) {
    (void)body, (void)x, (void)y;
    return *(const uint32_t *)user_data;
}

/// Returns the color of the newest grain that came from the ground.
static uint32_t lost_color(yard *y, pv_grains_id grains) {
    pv_grains_stats before = pv_grains_get_stats(y->world, grains);
    pv_cut cut = pv_cut_circle((pv_vec2){0, 130}, 5);
    ck_assert_int_eq(pv_body_carve(y->world, y->ground, &cut, NULL), PV_OK);
    pv_grains_view view = pv_grains_get_view(y->world, grains);
    ck_assert_int_gt(pv_grains_get_stats(y->world, grains).emitted, before.emitted);
    return view.color[view.count - 1];
}

START_TEST(a_living_population_keeps_its_callback) {
    scoped_yard y = yard_make(PV_CONTACT_MODE_CONTOURS, NULL, 1);
    uint32_t color = 0x123456;
    pv_grains_def def = WITH(pv_grains_def_default(), it.follow = true, it.color_callback = blue,
                             it.color_user_data = &color);
    pv_grains_id grains = pv_grains_create(y.world, &def, NULL);
    save(y.world, PV_SNAPSHOT_PIXELS);
    ck_assert_uint_eq(lost_color(&y, grains), color);
    ck_assert_int_eq(restore(y.world), PV_OK);
    ck_assert_uint_eq(lost_color(&y, grains), color);
    ck_assert_int_eq(pv_grains_destroy(y.world, grains), PV_OK);
    ck_assert_int_eq(restore(y.world), PV_OK);
    ck_assert_uint_eq(lost_color(&y, grains), def.color);
}

/* ---- bad ones ---- */

static pv_world *starving;

static pv_status restore_starving(void) { return restore(starving); }

START_TEST(lack_of_memory_changes_nothing) {
    scoped_purse p = {0};
    scoped_yard y = busy_yard(&p);
    save(y.world, PV_SNAPSHOT_PIXELS);
    step(&y, 40);
    starving = y.world;
    starve_until_done(y.world, &p, restore_starving);
}

static void set_bit(uint64_t *bits, int slot, bool value) {
    bits[slot >> 6] &= ~(UINT64_C(1) << (slot & 63));
    bits[slot >> 6] |= (uint64_t)value << (slot & 63);
}

enum { FAULTS = 34, NO_FAULT = FAULTS };

static void damage(pv__grains *g, int fault) {
    int rests = slot_of(g, RESTS, 3), flies = slot_of(g, FLIES, 0), last = g->used - 1;
    int other = slot_of(g, RESTS, 4), empty = slot_of(g, IS_EMPTY, 0);
    switch (fault) {
    case 0: g->x[rests] = g->x[other], g->y[rests] = g->y[other]; break;
    case 1: g->x[flies] = INT32_MAX; break;
    case 2: g->y[flies] = -INT32_MAX; break;
    case 3: g->x[rests] = PV_GRAIN_FARTHEST * 65536; break;
    case 4: g->dx[flies] = PV__GRAIN_FASTEST + 1; break;
    case 5: g->dy[flies] = INT32_MIN; break;
    case 6: g->dx[rests] = 1; break;
    case 7: set_bit(g->claims, rests, true); break;
    case 8: set_bit(g->moving, rests, true); break;
    case 9: set_bit(g->moving, flies, false); break;
    case 10: g->y[flies] = PV_GRAIN_NONE; break;
    case 11: g->stats.grains++; break;
    case 12: g->stats.moving--; break;
    case 13: g->oldest = last; break;
    case 14: g->span = g->used / 2; break;
    case 15: g->span = 0; break;
    case 16: g->def.capacity = g->used - 1; break;
    case 17: g->def.capacity = PV_GRAIN_MOST + 1; break;
    case 18: g->def.friction = -1; break;
    case 19: g->def.life = INFINITY; break;
    case 20: g->dt = 0; break;
    case 21: g->dt = NAN; break;
    case 22: g->rest_x = 256; break;
    case 23: g->rest_y = -1; break;
    case 24: g->now.down = 4; break;
    case 25: g->now.down = -1; break;
    case 26: g->now.drops[0][2] = PV__GRAIN_DEEP; break;
    case 27: g->sinks[0].sink.box.min.x = NAN; break;
    case 28: g->sinks[0].sink.box.max = g->sinks[0].sink.box.min; break;
    case 29: g->sinks[0].count.total = -1; break;
    case 30: g->x[empty] = 1; break;
    case 31: g->color[empty] = 1; break;
    case 32: g->born[empty] = 1; break;
    case NO_FAULT: g->dx[flies] = PV__GRAIN_FASTEST, g->dy[flies] = -g->dx[flies]; break;
    default: g->stats.lost = -1; break;
    }
}

START_TEST_FOR(damaged_populations_are_refused, i, FAULTS + 1) {
    scoped_yard y = busy_yard(NULL), other = yard_make(PV_CONTACT_MODE_CONTOURS, NULL, 5);
    uint64_t here = pv_world_compute_hash(other.world);
    save(y.world, PV_SNAPSHOT_PIXELS);
    pv__grains whole = *kind_of(&y, SAND);
    damage(kind_of(&y, SAND), i);
    save(y.world, PV_SNAPSHOT_PIXELS);
    pv_status s = restore(other.world);
    ck_assert_msg(s == (i < FAULTS ? PV_ERROR_FORMAT : PV_OK), "fault %d: %s", i,
                  pv_status_to_string(s));
    uint64_t wanted = i < FAULTS ? here : pv_world_compute_hash(y.world);
    ck_assert_uint_eq(pv_world_compute_hash(other.world), wanted);
    *kind_of(&y, SAND) = whole; /* the columns stay damaged; they are only freed */
}

START_TEST(changed_words_lead_nowhere) {
    scoped_yard y = busy_yard(NULL), other = yard_make(PV_CONTACT_MODE_CONTOURS, NULL, 5);
    const int changes = last_seed(2) > 1 ? 1500 : 300; /* all, where PIXVERLET_TESTS is set */
    uint64_t seed = 11;
    int accepted = 0;
    scoped_keepsake own = {0};
    save(y.world, PV_SNAPSHOT_PIXELS);
    for (int i = 0; i < changes; i++) {
        static const uint32_t odd[] = {0, 1, 255, 0x7fffffff, 0x80000000u, 0xffffffffu};
        size_t at = 24 + (size_t)(next_unit(&seed) * (double)(b.size - 28));
        uint32_t kept, word = odd[(int)(next_unit(&seed) * 6)];
        memcpy(&kept, b.bytes + at, 4);
        if (i % 2) word = kept ^ 1u << (int)(next_unit(&seed) * 32);
        memcpy(b.bytes + at, &word, 4);
        pv__snapshot_seal(b.bytes, b.size);
        pv_status s = restore(other.world);
        ck_assert(s == PV_OK || s == PV_ERROR_FORMAT);
        if (s == PV_OK) {
            for (int k = 0; k < 2; k++) pv_world_step(other.world, H);
            keep_world(other.world, PV_SNAPSHOT_PIXELS, &own);
            recall_world(other.world, &own);
            accepted++;
        }
        memcpy(b.bytes + at, &kept, 4);
    }
    ck_assert_int_gt(accepted, 0);
}

RUN_TESTS_IN("grains in snapshots", NULL, close_world, 1)
