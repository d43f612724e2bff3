/* speed_runs.c - run lengths beside words: the time to count shared pixels, and the memory.
 *
 * Invariant: both forms have the same pictures at the same places.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed.h"

#include <pixverlet.h>
#include <pixverlet/paper.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct pair {
    pv_mask *a, *b;
    pv_paper_runs *runs_a, *runs_b;
    int dx, dy;
} pair;

static void by_words(void *state, long repeats) {
    const pair *p = state;
    int64_t sum = 0;
    for (long i = 0; i < repeats; i++)
        sum += pv_mask_compute_overlap_area(p->a, p->b, p->dx, p->dy);
    sink += sum;
}

static void by_runs(void *state, long repeats) {
    const pair *p = state;
    int64_t sum = 0;
    for (long i = 0; i < repeats; i++)
        sum += pv_paper_runs_compute_overlap_area(p->runs_a, p->runs_b, p->dx, p->dy);
    sink += sum;
}

static pv_mask *disc(int size) {
    pv_mask *m = pv_mask_create(size, size, NULL, NULL);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            int dx = 2 * x + 1 - size, dy = 2 * y + 1 - size;
            if (dx * dx + dy * dy <= size * size) pv_mask_set_pixel(m, x, y, true);
        }
    return m;
}

/// Draws ground with a stepped surface and a cave.
static pv_mask *terrain(int w, int h) {
    pv_mask *m = pv_mask_create(w, h, NULL, NULL);
    for (int x = 0; x < w; x++) {
        int top = h / 3 + x % 97 / 4 - x % 61 / 3;
        pv_mask_fill_rect(m, (pv_rect){x, top, 1, h - top}, true);
    }
    pv_mask_fill_rect(m, (pv_rect){w / 3, h / 2, w / 10, h / 8}, false);
    return m;
}

/// Allocates memory and counts the bytes.
static void *count_bytes(void *user_data, void *ptr, size_t old_size, size_t new_size) {
    *(size_t *)user_data += new_size - old_size;
    if (new_size > 0) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

static void measure_pair(const char *name, pv_mask *a, pv_mask *b, int dx, int dy) {
    size_t bytes = 0;
    pv_allocator counted = {count_bytes, &bytes};
    pair p = {a,  b, pv_paper_runs_encode(a, &counted, NULL), pv_paper_runs_encode(b, NULL, NULL),
              dx, dy};
    double times[2], words = (pv_mask_get_width(a) + 63) / 64 * 8.0 * pv_mask_get_height(a);
    subject subjects[2] = {{by_words, &p, chosen_kernel}, {by_runs, &p, NULL}};
    char text[100];
    measure(subjects, 2, times);
    snprintf(text, sizeof text, "shared area, %s, runs", name);
    report(&(row){
        .name = text, .unit = "ns", .value = times[1], .peer = times[0], .peer_name = "words"});
    snprintf(text, sizeof text, "memory, %s, runs", name);
    report(&(row){
        .name = text, .unit = "byte", .value = (double)bytes, .peer = words, .peer_name = "words"});
    pv_paper_runs_destroy(p.runs_a);
    pv_paper_runs_destroy(p.runs_b);
    pv_mask_release(a);
    pv_mask_release(b);
}

void speed_runs(void) {
    measure_pair("discs of 64 px", disc(64), disc(64), 20, 11);
    measure_pair("discs of 512 px", disc(512), disc(512), 120, 110);
    measure_pair("terrain of 8192 x 2048 px and a disc of 64 px", terrain(8192, 2048), disc(64),
                 4000, 680);
}
