/* traced.c - a program for tests/trace.sh to record: it calls all that is hard to trace.
 *
 * Invariant: each run prints the same. With the argument "crash" it aborts within a callback.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixverlet.h"
#include "pixverlet/paper.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double step = 1.0 / 60;
static uint64_t sum;
static int reports;

static void add(uint64_t number) { sum = (sum ^ number) * 1099511628211u; }

static void check(const void *made) {
    if (made) return;
    fputs("traced: something could not be made\n", stderr);
    exit(3);
}

static pv_mask *square(int side) {
    pv_mask *mask = pv_mask_create_rect(side, side, NULL, NULL);
    check(mask);
    pv_mask_set_pixel(mask, 0, 0, false);
    return mask;
}

static pv_body_id put(pv_world *world, pv_mask *mask, pv_body_type type, double x, double y) {
    pv_body_def def = pv_body_def_default();
    def.type = type, def.mask = mask, def.position = (pv_vec2){x, y}, def.user_data = world;
    return pv_body_create(world, &def, NULL);
}

// ---- callbacks ----

struct mind {
    /// World that the filter may change; null: none
    pv_world *other;
    /// Number of the filter's calls
    int asked;
    /// True if the program ends in the presolve callback
    bool crash;
};

static bool filter(void *user_data, const pv_world *world, pv_body_id a, pv_body_id b) {
    struct mind *mind = user_data;
    mind->asked++;
    if (mind->other && mind->asked % 7 == 0) {
        pv_mask *mask = square(3 + mind->asked % 5);
        put(mind->other, mask, PV_BODY_DYNAMIC, mind->asked, 5);
        pv_mask_release(mask);
        pv_world_step(mind->other, step);
        add((uint64_t)pv_body_set_angle((pv_world *)(uintptr_t)world, a, 1)); // busy
    }
    return (a.index + b.index) % 5 != 0;
}

static pv_presolve_result presolve(void *user_data, const pv_world *world, pv_presolve_contact *p) {
    struct mind *mind = user_data;
    (void)world;
    if (mind->crash) abort();
    p->restitution = 0.5;
    p->tangent_speed = 20;
    return p->normal.x > 0.5 ? PV_PRESOLVE_IGNORE : PV_PRESOLVE_COLLIDE;
}

static void report(void *user_data, const pv_error *error) {
    (void)user_data, (void)error;
    reports++;
}

static pv_world *make_world(struct mind *mind) {
    pv_world_def def = pv_world_def_default();
    def.filter_callback = filter, def.filter_user_data = mind;
    def.presolve_callback = presolve, def.presolve_user_data = mind;
    def.report_callback = report;
    pv_world *world = pv_world_create(&def, NULL);
    check(world);
    return world;
}

static void heap(pv_world *world, pv_mask *mask, int count) {
    pv_mask *ground = pv_mask_create(400, 20, NULL, NULL);
    pv_mask_fill_rect(ground, (pv_rect){0, 0, 400, 20}, true);
    put(world, ground, PV_BODY_STATIC, 200, 200);
    pv_mask_release(ground);
    for (int i = 0; i < count; i++)
        put(world, mask, PV_BODY_DYNAMIC, 100 + i % 5 * 30, 150 - i / 5 * 30);
}

static void steps(pv_world *world, int count) {
    for (int i = 0; i < count; i++) add(pv_world_step(world, step));
}

static void finish(pv_world *world) {
    add(pv_world_compute_hash(world));
    pv_world_destroy(world);
}

// ---- what is hard to trace ----

static bool accept(void *user_data, pv_body_id body) {
    pv_world *world = user_data;
    add((uint64_t)pv_body_wake(world, body)); // busy
    return body.index % 2 == 0;
}

static void show_mask(void *user_data, const pv_mask *mask, const pv_transform *transform,
                      uint32_t color) {
    (void)transform, (void)color;
    pv_world *other = user_data;
    pv_mask *copy = pv_mask_copy(mask, NULL);
    put(other, copy, PV_BODY_STATIC, 0, 0);
    pv_mask_release(copy);
}

static void show_line(void *user_data, pv_vec2 from, pv_vec2 to, uint32_t color) {
    (void)user_data, (void)from, (void)to, (void)color;
    add(1);
}

static void callbacks(bool crash) {
    pv_mask *mask = square(16);
    struct mind mind = {pv_world_create(NULL, NULL), 0, crash};
    pv_world *world = make_world(&mind);
    heap(world, mask, 20);
    steps(world, 40);
    pv_body_id found[8];
    pv_query_filter query = {0xffffffff, accept, world, false};
    add((uint64_t)pv_world_query_box(world, (pv_box){{0, 0}, {400, 400}}, &query, found, 8));
    add(found[0].index);
    pv_debug_draw draw = pv_debug_draw_default();
    draw.user_data = mind.other, draw.mask = show_mask, draw.line = show_line;
    add((uint64_t)pv_world_debug_draw(world, &draw, PV_DEBUG_MASKS | PV_DEBUG_BOUNDS));
    pv_world_set_filter_callback(world, NULL, NULL);
    add((uint64_t)pv_body_set_angular_velocity(world, found[0], 1e300)); // reported
    add((uint64_t)pv_body_destroy(world, (pv_body_id){77, 1}));
    steps(world, 10);
    finish(mind.other);
    finish(world);
    pv_mask_release(mask);
}

/// Restores worlds from bytes, whose masks no call has created.
static void snapshots(void) {
    pv_mask *mask = square(12);
    struct mind mind = {0};
    pv_world *world = make_world(&mind), *elsewhere = pv_world_create(NULL, NULL);
    heap(world, mask, 10);
    steps(world, 10);
    for (unsigned flags = 0; flags <= PV_SNAPSHOT_PIXELS; flags++) {
        size_t room = 0, used = 0;
        add((uint64_t)pv_world_save(world, flags, NULL, 0, &room));
        void *bytes = malloc(room);
        check(bytes);
        add((uint64_t)pv_world_save(world, flags, bytes, room, &used));
        steps(world, 5);
        pv_world *to = flags ? elsewhere : world;
        add((uint64_t)pv_world_restore(to, bytes, used));
        steps(to, 5);
        free(bytes);
        pv_mask *own =
            (pv_mask *)(uintptr_t)pv_body_get_mask(to, pv_world_get_next_body(to, (pv_body_id){0}));
        put(to, own, PV_BODY_DYNAMIC, 200, 20);
        pv_body_def like = pv_body_get_def(to, pv_world_get_next_body(to, (pv_body_id){0}));
        like.position.y = 10;
        pv_body_create(to, &like, NULL);
        steps(to, 5);
    }
    pv_mask_release(mask);
    finish(world);
    finish(elsewhere);
}

/// Cuts bodies. A cut body gets a mask of its own, and each fragment another one.
static void cuts(pv_world *world) {
    pv_mask *mask = square(24);
    pv_body_id body = put(world, mask, PV_BODY_DYNAMIC, 300, 60);
    put(world, mask, PV_BODY_DYNAMIC, 340, 60);
    pv_mask_release(mask);
    pv_vec2 corners[3] = {{296, 40}, {304, 40}, {300, 90}};
    pv_cut halves[2] = {pv_cut_polygon(corners, 3),
                        pv_cut_line((pv_vec2){290, 60}, (pv_vec2){310, 60}, 3)};
    for (int i = 0; i < 2; i++) {
        pv_carve_result carved;
        add((uint64_t)pv_body_carve(world, body, &halves[i], &carved));
        add((uint64_t)carved.pixel_count);
        pv_mask *own = (pv_mask *)(uintptr_t)pv_body_get_mask(world, body);
        if (own) put(world, own, PV_BODY_DYNAMIC, 300, 20);
        steps(world, 5);
    }
}

/// Uses maps from bytes and from a picture. Fragments have the same map, and return it.
static void materials(pv_world *world) {
    unsigned char bytes[24 * 24];
    for (int i = 0; i < 24 * 24; i++) bytes[i] = (unsigned char)(i * 37);
    pv_image *image = pv_image_create(24, 24, NULL, NULL);
    pv_mask *mask = square(24);
    check(image);
    for (int i = 0; i < 24 * 24 * 4; i++) image->pixels[i] = (unsigned char)(i * 11);
    pv_material_map *maps[3] = {
        pv_material_map_from_bytes(bytes, NULL, 24, 24, 24, NULL, NULL),
        pv_material_map_from_image(image, PV_CHANNEL_RED, PV_CHANNEL_ALPHA, NULL, NULL),
        pv_material_map_from_bytes(bytes, bytes, -24, 24, 24, NULL, NULL), // refused
    };
    for (int i = 0; i < 3; i++) {
        pv_body_def def = pv_body_def_default();
        def.mask = mask, def.position = (pv_vec2){120 + 40 * i, -60};
        def.material_map = maps[i];
        pv_body_id body = pv_body_create(world, &def, NULL);
        pv_cut cut = pv_cut_line((pv_vec2){100 + 40 * i, -60}, (pv_vec2){140 + 40 * i, -62}, 4);
        cut.max_hardness = 200;
        pv_carve_result carved;
        add((uint64_t)pv_body_carve(world, body, &cut, &carved));
        steps(world, 5);
        add((uint64_t)carved.body_count);
        add((uint64_t)pv_material_map_get_hardness(pv_body_get_def(world, body).material_map, 3,
                                                   4));
        pv_body_def like = pv_body_get_def(world, body);
        like.position.y -= 40;
        pv_body_create(world, &like, NULL);
        pv_material_map_release(maps[i]);
    }
    pv_mask_release(mask);
    pv_image_destroy(image);
    steps(world, 10);
}

/// Creates and frees frames, so that new masks get addresses of freed ones.
static void pictures(pv_world *world) {
    pv_image *image = pv_image_create(32, 16, NULL, NULL);
    check(image);
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 32 * 16; i++) image->pixels[i * 4 + 3] = i % (3 + round) ? 255 : 0;
        pv_frames *frames = pv_frames_from_grid(image, &(pv_grid){16, 16, 0, 0, 0, 0}, NULL, NULL);
        check(frames);
        put(world, pv_frames_get_frame(frames, 1)->mask, PV_BODY_DYNAMIC, 100 + round * 20, 40);
        add((uint64_t)pv_mask_set_pixel(pv_frames_get_frame(frames, 0)->mask, 1, 1, true));
        add((uint64_t)pv_mask_set_pixel(pv_frames_get_frame(frames, 1)->mask, 1, 1,
                                        true)); // shared
        put(world, pv_frames_get_frame(frames, 0)->mask, PV_BODY_DYNAMIC, 100 + round * 20, 70);
        if (round % 2) pv_frames_add_tag(frames, &(pv_tag){"all", 0, 1, PV_TAG_FORWARD});
        pv_frames_destroy(frames);
    }
    pv_image_destroy(image);
    uint32_t cells[4] = {1, 0, 1, 1 | PV_TILE_FLIP_X};
    pv_mask *tile = square(8), *tiles[2] = {NULL, tile};
    pv_mask *map =
        pv_tilemap_create_mask(&(pv_tilemap_def){8, 8, 2, 2, cells, tiles, 2, {0}}, NULL);
    put(world, map, PV_BODY_STATIC, 30, 100);
    pv_mask_release(map);
    pv_mask_release(tile);
}

static void sprites(void) {
    pv_mask *mask = square(20);
    pv_group *group = pv_group_create(0, NULL, NULL);
    pv_placed placed = {mask, pv_transform_identity()};
    for (int i = 0; i < 30; i++) {
        placed.transform.rotation = pv_rotation_from_angle(0.21 * (i % 9));
        placed.transform.position.x = i * 7;
        pv_member_id member = pv_group_add(group, &placed, mask, NULL);
        if (i % 3 == 0) pv_group_remove(group, member);
        pv_placed there = pv_group_get_placed(group, member);
        add((uint64_t)pv_placed_test_overlap(&placed, &there));
    }
    add((uint64_t)pv_mask_set_pixel(mask, 1, 1, false)); // shared
    pv_group_destroy(group);
    pv_parts *parts = pv_parts_create(mask, PV_CONNECTIVITY_8, NULL);
    pv_mask *part = pv_parts_create_mask(parts, 0, NULL);
    pv_paper_runs *runs = pv_paper_runs_encode(part, NULL, NULL);
    pv_mask *back = pv_paper_runs_decode(runs, NULL, NULL);
    add((uint64_t)pv_mask_compute_overlap_area(back, mask, 1, 1));
    pv_mask_release(back);
    pv_paper_runs_destroy(runs);
    pv_mask_release(part);
    pv_parts_destroy(parts);
    pv_mask_release(mask);
}

static void matter(pv_world *world) {
    pv_vec2 corners[5] = {{60, 20}, {80, 20}, {90, 35}, {70, 50}, {50, 35}};
    pv_polygon_def polygon = pv_polygon_def_default();
    polygon.points = corners, polygon.point_count = 5;
    pv_polygon_create(world, &polygon, NULL);
    const int triangles[3][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}};
    pv_soft_body_def soft = pv_soft_body_def_default();
    soft.points = corners, soft.point_count = 5, soft.triangles = triangles,
    soft.triangle_count = 3;
    pv_soft_body_create(world, &soft, NULL);
    pv_body_def wild; // no cookie: refused before its mask is read
    memset(&wild, 0x5a, sizeof wild);
    add(pv_body_create(world, &wild, NULL).index);
    pv_rope_def rope = pv_rope_def_default();
    rope.from = pv_anchor_world((pv_vec2){10, 10}), rope.to = pv_anchor_world((pv_vec2){90, 10});
    pv_rope_create(world, &rope, NULL);
    pv_mask *own = square(10);
    pv_mover mover = pv_mover_default();
    mover.mask = own, mover.position = (pv_vec2){200, 100};
    for (int i = 0; i < 30; i++) {
        steps(world, 1);
        add((uint64_t)pv_mover_move(world, &mover, (pv_vec2){30, mover.velocity.y + 10}, step));
    }
    add(mover.grounded);
    pv_mask_release(own);
}

// ---- threads: worlds of their own, shared masks ----

struct work {
    pv_mask *mask;
    uint64_t hash;
};

static void *work(void *user_data) {
    struct work *own = user_data;
    struct mind mind = {0};
    pv_world *world = make_world(&mind);
    heap(world, own->mask, 10);
    for (int i = 0; i < 30; i++) {
        pv_mask *mask = pv_mask_retain(own->mask);
        put(world, mask, PV_BODY_DYNAMIC, 100 + i, 10);
        pv_mask_release(mask);
        pv_world_step(world, step);
    }
    own->hash = pv_world_compute_hash(world);
    pv_world_destroy(world);
    return NULL;
}

static void threads(void) {
    struct work works[3];
    pthread_t own[3];
    pv_mask *mask = square(14);
    for (int i = 0; i < 3; i++) {
        works[i] = (struct work){mask, 0};
        if (pthread_create(&own[i], NULL, work, &works[i]) != 0) exit(3);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(own[i], NULL);
        add(works[i].hash);
    }
    pv_mask_release(mask);
}

int main(int count, char **words) {
    bool crash = count > 1 && strcmp(words[1], "crash") == 0;
    callbacks(crash);
    snapshots();
    struct mind mind = {0};
    pv_world *world = make_world(&mind);
    pictures(world);
    matter(world);
    cuts(world);
    materials(world);
    finish(world);
    sprites();
    threads();
    printf("sum=%016" PRIx64 " reports=%d\n", sum, reports);
    return 0;
}
