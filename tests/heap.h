/* heap.h - heaps of sprites that change at random, for suites that keep books of a world's events.
 *
 * Invariant: the same seed makes the same heap. All changes go through the public interface.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef HEAP_H
#define HEAP_H

#include "support.h"

enum { HEAP_MASKS = 6 };

typedef struct heap {
    pv_world *world;
    uint64_t seed;
    pv_mask *masks[HEAP_MASKS];
} heap;

/// Returns a square frame around a hole, open at the top when notched.
static inline pv_mask *ring_mask(int size, int rim, bool notched) {
    pv_mask *m = box_mask(size, size);
    for (int y = notched ? 0 : rim; y < size - rim; y++)
        for (int x = rim; x < size - rim; x++) pv_mask_set_pixel(m, x, y, false);
    return m;
}

static inline int random_below(heap *h, int n) { return (int)(next_unit(&h->seed) * n); }

static inline pv_vec2 random_place(heap *h) {
    return (pv_vec2){20 + 260 * next_unit(&h->seed), 20 + 160 * next_unit(&h->seed)};
}

/// Adds a body with any of the masks, anywhere, mostly dynamic.
static inline pv_body_id heap_add(heap *h, bool sensor) {
    pv_body_def def = pv_body_def_default();
    int kind = random_below(h, 10);
    def.type = kind == 0 ? PV_BODY_STATIC : kind == 1 ? PV_BODY_KINEMATIC : PV_BODY_DYNAMIC;
    def.mask = h->masks[random_below(h, HEAP_MASKS)];
    def.position = random_place(h);
    def.angle = random_below(h, 2) ? 6 * next_unit(&h->seed) : 0;
    def.sensor = sensor;
    def.restitution = 0.5 * next_unit(&h->seed);
    if (sensor) def.gravity_scale = 0;
    if (kind == 1) def.velocity.x = 40 * (next_unit(&h->seed) - 0.5);
    return CREATE_WELL(body, h->world, def);
}

static inline heap heap_make(uint64_t seed, pv_world_def def) {
    heap h = {pv_world_create(&def, NULL),
              seed * 77 + 1,
              {box_mask(16, 12), disc_mask(8), ring_mask(30, 4, true), ring_mask(34, 3, false),
               box_mask(7, 5), disc_mask(4)}};
    put(h.world, box_mask(340, 20), 150, 210, of_type(PV_BODY_STATIC));
    put(h.world, box_mask(10, 240), -5, 100, of_type(PV_BODY_STATIC));
    put(h.world, box_mask(10, 240), 305, 100, of_type(PV_BODY_STATIC));
    return h;
}

static inline void heap_free(heap *h) {
    pv_world_destroy(h->world);
    for (int i = 0; i < HEAP_MASKS; i++) pv_mask_release(h->masks[i]);
}
#define scoped_heap __attribute__((cleanup(heap_free))) heap

/// Returns a body that is not one of the walls; null id: there is none.
static inline pv_body_id heap_pick(heap *h) {
    pv_body_id all[512], b = {0, 0};
    int count = 0;
    for (int i = 0; (b = pv_world_get_next_body(h->world, b)).index; i++)
        if (i >= 3) all[count++] = b;
    return count ? all[random_below(h, count)] : (pv_body_id){0, 0};
}

/// Changes some body at random, or adds one.
static inline void heap_meddle(heap *h, bool sensors) {
    pv_world *w = h->world;
    pv_body_id b = heap_pick(h);
    pv_body_def def = pv_body_get_def(w, b);
    bool fixed = def.type == PV_BODY_STATIC;
    switch (random_below(h, 10)) {
    case 0: ck_assert_int_eq(pv_body_destroy(w, b), PV_OK); break;
    case 1:
    case 2: heap_add(h, sensors && random_below(h, 3) == 0); break;
    case 3: ck_assert_int_eq(pv_body_set_position(w, b, random_place(h)), PV_OK); break;
    case 4: ck_assert_int_eq(pv_body_set_enabled(w, b, !def.enabled), PV_OK); break;
    case 5:
        ck_assert_int_eq(pv_body_set_type(w, b, (pv_body_type)random_below(h, 3)), PV_OK);
        break;
    case 6:
        ck_assert_int_eq(
            pv_body_set_filter(w, b, (pv_filter){1, random_below(h, 3) ? 0xffffffff : 2, 0}),
            PV_OK);
        break;
    case 7: ck_assert_int_eq(pv_body_set_angle(w, b, 6 * next_unit(&h->seed)), PV_OK); break;
    default: {
        pv_vec2 v = {900 * (next_unit(&h->seed) - 0.5), -600 * next_unit(&h->seed)};
        if (!fixed && def.enabled) ck_assert_int_eq(pv_body_set_velocity(w, b, v), PV_OK);
    }
    }
}

/// Destroys a body and creates another between two steps, so that the new one takes its slot.
static inline void heap_reuse(heap *h) {
    pv_body_id b = heap_pick(h);
    pv_vec2 place = pv_body_get_position(h->world, b);
    pv_body_destroy(h->world, b);
    pv_body_id c = heap_add(h, false);
    pv_body_set_position(h->world, c, place);
}

/// Changes bodies during some steps, then leaves them alone until all sleep, and so on.
static inline void heap_play(heap *h, int step, bool sensors) {
    if (step % 260 >= 90) return;
    if (random_below(h, 3) == 0) heap_meddle(h, sensors);
    if (random_below(h, 25) == 0) heap_reuse(h);
}

#endif
