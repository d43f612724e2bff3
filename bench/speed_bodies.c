/* speed_bodies.c - steps of resting bodies, beside a rival's.
 *
 * Invariant: the overlap on the library's side is reported with every time.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed_scenes.h"

#include <pixverlet.h>
#include <stdio.h>
#include <stdlib.h>

/// Longest time for a heap to settle, for the rival to warm up, and for the measurement [s]
static const double SETTLE_TIME = 16, WARM_TIME = 4, MEASURE_TIME = 8;

/* ---- Overlap ---- */

static bool meet(const pv_box *a, const pv_box *b) {
    return a->min.x < b->max.x && b->min.x < a->max.x && a->min.y < b->max.y && b->min.y < a->max.y;
}

/// Returns the greatest number of pixels that two sprites share.
static int64_t worst_overlap(const pv_placed *sprites, int count) {
    int64_t worst = 0;
    pv_box *boxes = malloc((size_t)count * sizeof *boxes);
    if (!boxes) exit(1);
    for (int i = 0; i < count; i++)
        boxes[i] =
            pv_transform_compute_bounds(&sprites[i].transform, pv_mask_get_width(sprites[i].mask),
                                        pv_mask_get_height(sprites[i].mask));
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++) {
            if (!meet(&boxes[i], &boxes[j])) continue;
            int64_t area = pv_placed_compute_overlap_area(&sprites[i], &sprites[j]);
            if (area > worst) worst = area;
        }
    free(boxes);
    return worst;
}

static void report_overlap(const char *name, const char *whose, const pv_placed *sprites,
                           int count) {
    char text[80];
    snprintf(text, sizeof text, "%s_overlap%s", name, whose);
    report(&(row){.name = text, .unit = "px", .value = (double)worst_overlap(sprites, count)});
}

static void report_overlaps(const char *name, const pv_world *w, const rival *peer) {
    int n = 0;
    pv_placed *all = malloc((size_t)pv_world_get_stats(w).bodies * sizeof *all);
    if (!all) exit(1);
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0}); pv_body_is_valid(w, b);
         b = pv_world_get_next_body(w, b))
        all[n++] = (pv_placed){pv_body_get_mask(w, b), pv_body_get_transform(w, b)};
    report_overlap(name, "", all, n);
    if (peer) {
        rival_place(peer, all, n);
        report_overlap(name, "_chipmunk", all, n);
    }
    free(all);
}

/* ---- Scenes ---- */

/// Heap, and its goal as a share of Chipmunk's time; 0 for none
typedef struct pile {
    heap heap;
    double goal;
} pile;

static void compare_pile(const char *name, const char *how, double goal, scene *s) {
    char text[80];
    snprintf(text, sizeof text, "%s%s", name, how);
    compare(text, goal, s);
    report_overlaps(text, s->ours.world, s->peer.world);
}

static void measure_pile(const pile *p) {
    scene s;
    open_heap(&s, &p->heap);
    settle(&s.ours, 600, SETTLE_TIME);
    open_peer(&s);
    settle(&s.peer, 120, WARM_TIME);
    compare_pile(p->heap.name, "_rest", p->goal, &s);
    check_box(&s);
    close_scene(&s);
}

/// World, and a buffer for its snapshot
typedef struct album {
    pv_world *world;
    void *buffer;
    size_t capacity;
} album;

static void save_and_restore(void *state, long repeats) {
    album *a = state;
    for (size_t size; repeats > 0; repeats--)
        if (pv_world_save(a->world, 0, a->buffer, a->capacity, &size) != PV_OK ||
            pv_world_restore(a->world, a->buffer, size) != PV_OK)
            exit(1);
}

/// Measures a step, and a save with a restore [ms]; returns the size of a snapshot.
static size_t time_snapshot(side *ours, double milliseconds[2]) {
    album a = {.world = ours->world};
    pv_world_save(ours->world, 0, NULL, 0, &a.capacity);
    a.buffer = malloc(a.capacity);
    if (!a.buffer) exit(1);
    measure_steps((subject[]){{run_side, ours, NULL}, {save_and_restore, &a, NULL}},
                  (long[]){STEPS, STEPS}, 2, MEASURE_TIME, milliseconds);
    free(a.buffer);
    return a.capacity;
}

/// Album, and the snapshot of an earlier step from which changes count
typedef struct pages {
    album album;
    unsigned char *base;
    size_t base_size, changes_size;
} pages;

static void save_whole(void *state, long repeats) {
    album *a = state;
    for (size_t size; repeats > 0; repeats--)
        if (pv_world_save(a->world, 0, a->buffer, a->capacity, &size) != PV_OK) exit(1);
}

static void save_changes(void *state, long repeats) {
    pages *p = state;
    for (; repeats > 0; repeats--)
        if (pv_world_save_changes(p->album.world, p->base, p->base_size, p->album.buffer,
                                  p->album.capacity, &p->changes_size) != PV_OK)
            exit(1);
}

void report_changes(const char *name, side *ours) {
    pages p = {.album = {.world = ours->world}};
    double times[3];
    char text[80];
    size_t need = 0;
    pv_world_save(ours->world, 0, NULL, 0, &need);
    p.album.capacity = 2 * need;
    p.album.buffer = malloc(p.album.capacity);
    p.base = malloc(need);
    if (!p.base || !p.album.buffer ||
        pv_world_save(ours->world, 0, p.base, need, &p.base_size) != PV_OK)
        exit(1);
    run_side(ours, STEPS);
    save_changes(&p, 1);
    size_t bytes = p.changes_size;
    measure_steps(
        (subject[]){{run_side, ours, NULL}, {save_whole, &p.album, NULL}, {save_changes, &p, NULL}},
        (long[]){1, 1, 1}, 3, MEASURE_TIME, times);
    snprintf(text, sizeof text, "%s_save", name);
    report(&(row){.name = text, .unit = "ms", .value = times[1], .goal = 0.25 * times[0]});
    snprintf(text, sizeof text, "%s_save_bytes", name);
    report(&(row){.name = text, .unit = "bytes", .value = (double)need});
    snprintf(text, sizeof text, "%s_changes", name);
    report(&(row){.name = text, .unit = "ms", .value = times[2], .goal = 0.25 * times[0]});
    snprintf(text, sizeof text, "%s_changes_bytes", name);
    report(&(row){.name = text, .unit = "bytes", .value = (double)bytes});
    free(p.base);
    free(p.album.buffer);
}

static void measure_pyramid(int base, double goal) {
    double times[2];
    scene s;
    open_pyramid(&s, base, 0);
    open_peer(&s);
    settle(&s.ours, 300, SETTLE_TIME);
    settle(&s.peer, 300, WARM_TIME);
    compare_pile("pyramid_40", "", goal, &s);
    size_t bytes = time_snapshot(&s.ours, times);
    report(
        &(row){.name = "snapshot_820", .unit = "ms", .value = times[1], .goal = 0.25 * times[0]});
    report(&(row){.name = "snapshot_820_bytes", .unit = "bytes", .value = (double)bytes});
    report_changes("pyramid_40", &s.ours);
    close_scene(&s);
}

void speed_bodies(void) {
    outline disc = outline_disc(16), star = outline_star(32), c = outline_letter_c(32);
    const pile piles[] = {{{"circles_1000", {&disc}, 1000, 40, 17, 0, 0}, 0.45},
                          {{"concave_500", {&star, &c}, 500, 25, 33, 0, 0}, 0.15},
                          {{"concave_2000", {&star, &c}, 2000, 50, 33, 0, 0}, 0.06},
                          {{"circles_5000", {&disc}, 5000, 80, 17, 0, 0}, 0}};
    measure_pyramid(40, 0.28);
    for (size_t i = 0; i < sizeof piles / sizeof *piles; i++) measure_pile(&piles[i]);
    speed_growth();
    outline_free(&disc);
    outline_free(&star);
    outline_free(&c);
}
