/* fuzz_world.h - shared by targets of snapshots: a world with some of everything, and mutations.
 *
 * Invariant: snapshots of the world depend only on their parameters.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef FUZZ_WORLD_H
#define FUZZ_WORLD_H

#include "fuzz.h"
#include "snapshot/snapshot.h"

/* ---- memory ---- */

enum { MOST_BYTES = 1 << 25 };

/// Fails for large totals, as a snapshot may ask for any scale.
static inline void *alloc(void *user_data, void *ptr, size_t old_size, size_t new_size) {
    const fuzz_purse *p = user_data;
    if (new_size > old_size && p->live + new_size > MOST_BYTES) return NULL;
    return fuzz_alloc(user_data, ptr, old_size, new_size);
}

/* ---- a world with some of everything ---- */

typedef struct bytes {
    uint8_t *at;
    size_t size;
} bytes;

static inline pv_world *open_world(pv_contact_mode contacts, fuzz_purse *purse) {
    pv_world_def def = pv_world_def_default();
    def.contact_mode = contacts;
    def.substeps = 4;
    def.bounds = (pv_box){{-200, -200}, {200, 200}};
    if (purse) def.allocator = (pv_allocator){alloc, purse};
    pv_world *world = pv_world_create(&def, NULL);
    CHECK(world);
    return world;
}

static inline pv_body_id put(pv_world *world, int w, int h, pv_body_def def) {
    def.mask = pv_mask_create(w, h, NULL, NULL);
    CHECK(def.mask && pv_mask_fill_rect(def.mask, (pv_rect){0, 0, w, h}, true) == PV_OK);
    pv_mask_set_pixel(def.mask, 0, 0, w < 9); /* not all of them are boxes */
    pv_body_id body = pv_body_create(world, &def, NULL);
    CHECK(body.index);
    pv_mask_release(def.mask);
    return body;
}

static inline pv_material_map *make_map(void) {
    unsigned char stuff[20 * 20];
    for (int i = 0; i < 20 * 20; i++) stuff[i] = (unsigned char)(i * 5);
    pv_material_map *map = pv_material_map_from_bytes(stuff, stuff, 20, 20, 20, NULL, NULL);
    CHECK(map);
    return map;
}

static inline pv_body_id put_bodies(pv_world *world, bool mapped) {
    pv_body_def ground = pv_body_def_default(), sensor = ground, belt = ground, box = ground;
    ground.type = sensor.type = PV_BODY_STATIC;
    belt.type = PV_BODY_KINEMATIC;
    ground.position = (pv_vec2){0, 60};
    sensor.position = (pv_vec2){40, 45};
    sensor.sensor = true;
    belt.position = (pv_vec2){-60, 40};
    belt.one_way_normal = (pv_vec2){0, -1};
    belt.tangent_speed = 30;
    box.position = (pv_vec2){0, 46};
    put(world, 160, 12, ground);
    put(world, 10, 10, sensor);
    put(world, 40, 4, belt);
    pv_material_map *map = mapped ? make_map() : NULL;
    box.material_map = map;
    box.material_map_offset = (pv_point){3, 4};
    pv_body_id first = put(world, 12, 9, box);
    box.position = (pv_vec2){38, 40};
    box.linear_damping = 0.5;
    box.filter.category_bits = 3;
    put(world, 9, 9, box);
    box.position = (pv_vec2){-60, 30};
    box.scale = (pv_vec2){-2, 1};
    put(world, 5, 7, box);
    box.position = (pv_vec2){10, 0};
    pv_body_destroy(world, put(world, 5, 5, box));
    pv_material_map_release(map);
    return first;
}

static inline void put_matter(pv_world *world, pv_body_id body) {
    pv_rope_def rope = pv_rope_def_default();
    rope.segments = 3;
    rope.from.point = (pv_vec2){0, 0};
    rope.to = pv_anchor_body(body, pv_body_get_position(world, body));
    pv_rope_create(world, &rope, NULL);
    pv_vec2 corners[4] = {{50, 10}, {64, 10}, {64, 24}, {50, 24}};
    pv_polygon_def polygon = pv_polygon_def_default();
    polygon.points = corners;
    polygon.point_count = 4;
    pv_polygon_create(world, &polygon, NULL);
    pv_liquid_def liquid = pv_liquid_def_default();
    pv_liquid_id water = pv_liquid_create(world, &liquid, NULL);
    pv_particle_id last = {0, 0};
    for (int i = 0; i < 4; i++) {
        pv_particle_def drop = pv_particle_def_default();
        drop.position = (pv_vec2){-30 + 6.0 * i, 30};
        last = pv_particle_create(world, &drop, NULL);
        pv_liquid_add_particle(world, water, last);
    }
    pv_particle_destroy(world, last);
    pv_force_field_def wind = pv_force_field_def_default();
    wind.velocity = (pv_vec2){30, 0};
    pv_force_field_create(world, &wind, NULL);
}

static inline void put_grains(pv_world *world) {
    pv_grains_def def = pv_grains_def_default();
    pv_grain_sink sink = {.box = {{90, 0}, {100, 80}}};
    def.capacity = 100;
    def.follow = true;
    pv_grains_id sand = pv_grains_create(world, &def, NULL);
    pv_grains_destroy(world, pv_grains_create(world, &def, NULL));
    CHECK(pv_grains_add_sink(world, sand, &sink) == PV_OK);
    for (int i = 0; i < 40; i++) {
        pv_grain grain = {{i % 8 - 30, 40 - i / 8}, {3 * i, 0}, (uint32_t)i};
        CHECK(pv_grains_emit(world, sand, &grain, 1) == PV_OK);
    }
}

static inline bytes saved(pv_world *world, unsigned flags) {
    bytes b = {NULL, 0};
    size_t size = 0;
    CHECK(pv_world_save(world, flags, NULL, 0, &b.size) == PV_OK);
    uint64_t here = pv_world_compute_hash(world);
    CHECK(b.size > 0 && (b.at = malloc(b.size)) != NULL);
    CHECK(pv_world_save(world, flags, b.at, b.size / 2, &size) == PV_ERROR_TOO_LARGE &&
          size == b.size);
    CHECK(pv_world_save(world, flags, b.at, b.size, &size) == PV_OK && size == b.size);
    CHECK(pv_world_compute_hash(world) == here);
    return b;
}

static inline pv_world *host_of(pv_contact_mode contacts, int steps, bool mapped) {
    pv_world *world = open_world(contacts, NULL);
    put_matter(world, put_bodies(world, mapped));
    put_grains(world);
    for (int i = 0; i < steps; i++) pv_world_step(world, 1 / 60.0);
    return world;
}

enum { AGES = 4 };
static const int steps_of[AGES] = {0, 2, 12, 90};

static inline bytes snapshot_of(pv_contact_mode contacts, int age, bool mapped, unsigned flags) {
    static bytes known[2][AGES][2][2];
    bytes *b = &known[contacts][age][mapped][flags];
    if (!b->at) {
        pv_world *world = host_of(contacts, steps_of[age], mapped);
        *b = saved(world, flags);
        pv_world_destroy(world);
    }
    return *b;
}

/* ---- checks ---- */

static inline uint64_t steps(pv_world *world, int count) {
    for (int i = 0; i < count; i++) pv_world_step(world, 1 / 60.0);
    return pv_world_compute_hash(world);
}

/// Takes free slots of a restored world and frees others, to check its lists of free slots.
static inline void come_and_go(pv_world *world) {
    pv_body_def box = pv_body_def_default();
    pv_body_id body = pv_world_get_next_body(world, (pv_body_id){0, 0});
    if (body.index) CHECK(pv_body_destroy(world, body) == PV_OK && !pv_body_is_valid(world, body));
    for (int i = 0; i < 3; i++) {
        box.position = (pv_vec2){20.0 * i, -40};
        CHECK(box.mask = pv_mask_create_rect(6, 6, NULL, NULL));
        body = pv_body_create(world, &box, NULL);
        CHECK(!body.index || pv_body_is_valid(world, body));
        pv_mask_release(box.mask);
    }
    pv_particle_def drop = pv_particle_def_default();
    for (int i = 0; i < 3; i++) {
        pv_particle_id p = pv_particle_create(world, &drop, NULL);
        CHECK(!p.index || pv_particle_is_valid(world, p));
        if (i == 1 && p.index) CHECK(pv_particle_destroy(world, p) == PV_OK);
    }
}

/// Tells whether a world is sure to repeat: memory was not short.
static inline bool repeats(const fuzz_purse *purse) { return purse->live < MOST_BYTES / 8; }

/// Checks that a restored world steps, and that its snapshots go on alike in any world.
static inline void check_restored(pv_world *world, fuzz_purse *purse) {
    steps(world, 2);
    come_and_go(world);
    uint64_t here = steps(world, 1);
    bytes b = saved(world, PV_SNAPSHOT_PIXELS), plain = saved(world, 0);
    pv_world *other = open_world(PV_CONTACT_MODE_PIXELS, purse);
    bool sure = repeats(purse);
    pv_status s = pv_world_restore(other, b.at, b.size);
    CHECK(s == PV_OK || (!sure && s == PV_ERROR_MEMORY));
    CHECK(s != PV_OK || pv_world_compute_hash(other) == here);
    uint64_t there = steps(world, 2);
    CHECK(!sure || steps(other, 2) == there);
    s = pv_world_restore(world, plain.at, plain.size);
    CHECK(s == PV_OK || (!sure && s == PV_ERROR_MEMORY));
    CHECK(s != PV_OK || pv_world_compute_hash(world) == here);
    CHECK(!sure || steps(world, 2) == there);
    pv_world_destroy(other);
    free(b.at);
    free(plain.at);
}

/// Opens a world in the host's state. Allocation number fail_at after that fails; 0: none.
static inline pv_world *open_host(pv_contact_mode contacts, int age, bool mapped, fuzz_purse *purse,
                                  long fail_at, uint64_t *before) {
    pv_world *world = open_world(contacts, purse);
    bytes host = snapshot_of(contacts, age, mapped, PV_SNAPSHOT_PIXELS);
    CHECK(pv_world_restore(world, host.at, host.size) == PV_OK);
    *before = pv_world_compute_hash(world);
    purse->calls = 0;
    purse->fail_at = fail_at;
    return world;
}

/// Checks that a refusal changed nothing, and that nothing leaks.
static inline void close_host(pv_world *world, fuzz_purse *purse, pv_status s, uint64_t before) {
    CHECK(s == PV_OK || s == PV_ERROR_FORMAT || s == PV_ERROR_MEMORY);
    CHECK(s == PV_OK || pv_world_compute_hash(world) == before);
    if (s == PV_OK) check_restored(world, purse);
    pv_world_destroy(world);
    CHECK(purse->live == 0);
}

/* ---- mutation ---- */

static inline uint64_t odd_number(fuzz_input *in) {
    static const double doubles[] = {-1, 0, 1e-300, 1e9, 1e300, -0.0, 0.5, 16777216};
    int choice = fuzz_below(in, 32);
    uint64_t word = (uint64_t)choice;
    if (choice >= 16 && choice < 24) memcpy(&word, &doubles[choice - 16], sizeof word);
    if (choice >= 24) word = (UINT64_C(1) << (8 * (choice - 24) + 7)) - 1;
    return choice == 31 ? UINT64_MAX : word;
}

/// Overwrites, flips, cuts out or repeats some bytes after a head.
static inline void change(fuzz_input *in, bytes *b, size_t head) {
    unsigned how = fuzz_byte(in);
    if (b->size <= head) return;
    size_t behind = b->size - head, at = head + (size_t)fuzz_below(in, 65536) % behind,
           left = b->size - at;
    size_t width = (size_t[]){1, 1, 4, 8}[how & 3];
    if (width > left) width = left;
    uint64_t word = how & 4 ? odd_number(in) : fuzz_byte(in);
    if (how & 8) {
        for (size_t i = 0; i < width; i++) b->at[at + i] ^= (uint8_t)(word >> 8 * i);
    } else if ((how >> 4) % 8 < 6) {
        for (size_t i = 0; i < width; i++) b->at[at + i] = (uint8_t)(word >> 8 * i);
    } else if ((how >> 4) % 8 == 6 && behind > width) {
        memmove(b->at + at, b->at + at + width, left - width);
        b->size -= width;
    } else {
        memmove(b->at + at, b->at + head + word % behind,
                word % behind + width > behind ? 0 : width);
    }
}

#endif
