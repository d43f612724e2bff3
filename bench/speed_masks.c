/* speed_masks.c - masks: hits, areas, gradients, rasters, and pixels to bits. Each runs with the
 * chosen kernel, the generic one, and loops over single pixels.
 *
 * Invariant: all three get the same pictures and places.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed.h"

#include <pixverlet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OFFSETS = 4096, COLD = 20000, HUGE_SIDE = 8192 };

/// Two square masks, their copies with one byte per pixel, and their places
typedef struct scene {
    int size, dx, dy;
    pv_mask *a, *b;
    unsigned char *plain_a, *plain_b, *rgba;
    pv_transform pose;
    int offsets[OFFSETS][2];
} scene;

static uint32_t random_state;

/// Returns a random number in 0...below - 1.
static int random_below(int below) {
    random_state = random_state * 1664525u + 1013904223u;
    return (int)((uint64_t)random_state * (uint64_t)below >> 32);
}

/* ---- pictures ---- */

typedef bool (*picture_fn)(int x, int y, int size);

static bool full(int x, int y, int size) { return x >= 0 && y >= 0 && size > 0; }
static bool stripes(int x, int y, int size) { return full(x, y, size) && x % 2 == 0; }
static bool disc(int x, int y, int size) {
    int dx = 2 * x + 1 - size, dy = 2 * y + 1 - size;
    return dx * dx + dy * dy <= size * size;
}

static void paint(pv_mask **mask, unsigned char **plain, int size, picture_fn picture) {
    *mask = pv_mask_create(size, size, NULL, NULL);
    *plain = malloc((size_t)size * (size_t)size);
    if (!*mask || !*plain) exit(1);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            (*plain)[y * size + x] = picture(x, y, size);
            pv_mask_set_pixel(*mask, x, y, picture(x, y, size));
        }
}

static void make(scene *s, int size, picture_fn picture, int dx, int dy) {
    *s = (scene){.size = size, .dx = dx, .dy = dy, .pose = pv_transform_identity()};
    paint(&s->a, &s->plain_a, size, picture);
    paint(&s->b, &s->plain_b, size, picture);
    /* Memory is aligned like SDL's surfaces. */
    s->rgba = aligned_alloc(64, (size_t)size * (size_t)size * 4);
    if (!s->rgba) exit(1);
    random_state = 1;
    for (int i = 0; i < size * size * 4; i++) s->rgba[i] = (unsigned char)random_below(256);
    s->pose.position = (pv_vec2){100.3, 100.7};
    s->pose.pivot = (pv_vec2){0.5 * size, 0.5 * size};
    s->pose.rotation = pv_rotation_from_angle(0.52359877559829887);
    for (int i = 0; i < OFFSETS; i++) {
        /* Offsets are odd, so that stripes never overlap. */
        s->offsets[i][0] = random_below(size) * 2 + 1 - size;
        s->offsets[i][1] = random_below(2 * size - 1) + 1 - size;
    }
}

static void unmake(scene *s) {
    pv_mask_release(s->a);
    pv_mask_release(s->b);
    free(s->plain_a);
    free(s->plain_b);
    free(s->rgba);
}

/* ---- the library ---- */

static void run_hit(void *state, long repeats) {
    const scene *s = state;
    int64_t sum = 0;
    for (long i = 0; i < repeats; i++) sum += pv_mask_test_overlap(s->a, s->b, s->dx, s->dy);
    sink += sum;
}

static void run_hit_offsets(void *state, long repeats) {
    const scene *s = state;
    int64_t sum = 0;
    for (long i = 0; i < repeats; i++)
        sum += pv_mask_test_overlap(s->a, s->b, s->offsets[i % OFFSETS][0],
                                    s->offsets[i % OFFSETS][1]);
    sink += sum;
}

static void run_area(void *state, long repeats) {
    const scene *s = state;
    int64_t sum = 0;
    for (long i = 0; i < repeats; i++)
        sum += pv_mask_compute_overlap_area(s->a, s->b, s->dx, s->dy);
    sink += sum;
}

static void run_gradient(void *state, long repeats) {
    const scene *s = state;
    pv_vec2 normal;
    int64_t sum = 0;
    for (long i = 0; i < repeats; i++)
        sum += pv_mask_compute_overlap_normal(s->a, s->b, s->dx, s->dy, &normal);
    sink += sum;
}

static void run_overlap(void *state, long repeats) {
    const scene *s = state;
    pv_overlap o;
    int64_t sum = 0;
    for (long i = 0; i < repeats; i++) {
        pv_mask_compute_overlap(s->a, s->b, s->dx, s->dy, &o);
        sum += o.area;
    }
    sink += sum;
}

static void run_raster(void *state, long repeats) {
    const scene *s = state;
    for (long i = 0; i < repeats; i++) {
        pv_rect origin;
        pv_mask_release(pv_mask_transform(s->a, &s->pose, &origin, NULL, NULL));
        sink += origin.w;
    }
}

static void run_rgba(void *state, long repeats) {
    const scene *s = state;
    for (long i = 0; i < repeats; i++)
        pv_mask_release(
            pv_mask_from_rgba(s->rgba, s->size, s->size, (ptrdiff_t)s->size * 4, NULL, NULL));
}

/* ---- single pixels ---- */

static int64_t plain_area(const scene *s, int dx, int dy, bool only_first) {
    int64_t area = 0;
    int left = dx > 0 ? dx : 0, right = dx < 0 ? s->size + dx : s->size;
    for (int y = dy > 0 ? dy : 0, end = dy < 0 ? s->size + dy : s->size; y < end; y++)
        for (int x = left; x < right; x++) {
            area += s->plain_a[y * s->size + x] & s->plain_b[(y - dy) * s->size + x - dx];
            if (only_first && area) return 1;
        }
    return area;
}

static void plain_hit(void *state, long repeats) {
    const scene *s = state;
    for (long i = 0; i < repeats; i++) sink += plain_area(s, s->dx, s->dy, true);
}

static void plain_hit_offsets(void *state, long repeats) {
    const scene *s = state;
    for (long i = 0; i < repeats; i++)
        sink += plain_area(s, s->offsets[i % OFFSETS][0], s->offsets[i % OFFSETS][1], true);
}

static void plain_areas(void *state, long repeats) {
    const scene *s = state;
    for (long i = 0; i < repeats; i++) sink += plain_area(s, s->dx, s->dy, false);
}

static void plain_gradient(void *state, long repeats) {
    const scene *s = state;
    for (long i = 0; i < repeats; i++) {
        sink += plain_area(s, s->dx + 1, s->dy, false) - plain_area(s, s->dx - 1, s->dy, false);
        sink += plain_area(s, s->dx, s->dy + 1, false) - plain_area(s, s->dx, s->dy - 1, false);
    }
}

static void plain_raster(void *state, long repeats) {
    const scene *s = state;
    double c = s->pose.rotation.c, n = s->pose.rotation.s, half = 0.5 * s->size;
    int side = (int)(s->size * (c + n)) + 2;
    unsigned char *out = malloc((size_t)side * (size_t)side);
    for (long i = 0; out && i < repeats; i++) {
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++) {
                double p = x + 0.5 - 0.5 * side, q = y + 0.5 - 0.5 * side;
                double u = c * p + n * q + half, v = c * q - n * p + half;
                bool in = u >= 0 && v >= 0 && u < s->size && v < s->size;
                out[y * side + x] = in ? s->plain_a[(int)v * s->size + (int)u] : 0;
            }
        sink += out[side];
    }
    free(out);
}

static void plain_rgba(void *state, long repeats) {
    const scene *s = state;
    size_t count = (size_t)s->size * (size_t)s->size;
    unsigned char *out = malloc(count);
    for (long i = 0; out && i < repeats; i++) {
        for (size_t k = 0; k < count; k++) out[k] = s->rgba[4 * k + 3] >= 128;
        sink += out[count / 2];
    }
    free(out);
}

/* ---- the table ---- */

/// Operation, its subjects, and goals [ns] for pictures of 64 and 512 px: AVX-512, AVX2, generic
typedef struct operation {
    const char *name, *peer;
    run_fn run, plain;
    picture_fn picture;
    int dx, dy;
    double goal_64[3], goal_512[3];
} operation;

static const operation operations[] = {
    {"hit, miss", "miss", run_hit, plain_hit, stripes, 3, 0, {10, 14, 0}, {450, 450, 0}},
    {"hit, early", "early", run_hit, plain_hit, full, 3, 0, {5, 5, 5}, {0, 0, 0}},
    {"hit, random offsets, miss",
     "random",
     run_hit_offsets,
     plain_hit_offsets,
     stripes,
     0,
     0,
     {14, 14, 0},
     {0, 0, 0}},
    {"hit, random offsets, discs",
     "discs",
     run_hit_offsets,
     plain_hit_offsets,
     disc,
     0,
     0,
     {0, 0, 0},
     {0, 0, 0}},
    {"area", "area", run_area, plain_areas, full, 3, 2, {9.5, 0, 0}, {480, 0, 0}},
    {"gradient", "gradient", run_gradient, plain_gradient, full, 3, 2, {30, 0, 0}, {1400, 0, 0}},
    {"all in one", NULL, run_overlap, NULL, full, 3, 2, {60, 0, 0}, {0, 0, 0}},
    {"raster, 30 degrees",
     "rotate",
     run_raster,
     plain_raster,
     disc,
     0,
     0,
     {1300, 4000, 6000},
     {0, 0, 0}},
    {"rgba to mask", "rgba", run_rgba, plain_rgba, full, 0, 0, {100, 0, 0}, {0, 0, 0}},
};

static int kernel_index(const char *kernel) {
    return strcmp(kernel, "avx512") == 0 ? 0 : strcmp(kernel, "avx2") == 0 ? 1 : 2;
}

static double goal_of(const operation *o, int size, const char *kernel) {
    int i = kernel_index(kernel);
    return size == 64 ? o->goal_64[i] : size == 512 ? o->goal_512[i] : 0;
}

static void report_time(const char *name, int size, const char *by, double value, double goal,
                        double peer, const char *peer_name) {
    char text[100];
    snprintf(text, sizeof text, "%s, %d, %s", name, size, by);
    report(&(row){.name = text,
                  .unit = "ns",
                  .value = value,
                  .goal = goal,
                  .peer = peer,
                  .peer_name = peer_name});
}

static void measure_operation(const operation *o, int size) {
    static scene s;
    double times[3];
    make(&s, size, o->picture, o->dx, o->dy);
    subject subjects[3] = {
        {o->run, &s, chosen_kernel}, {o->run, &s, "generic"}, {o->plain, &s, NULL}};
    measure(subjects, o->plain ? 3 : 2, times);
    double peer = o->peer ? pygame_time(o->peer, size) : 0;
    report_time(o->name, size, chosen_kernel, times[0], goal_of(o, size, chosen_kernel), peer,
                "pygame");
    if (strcmp(chosen_kernel, "generic") != 0)
        report_time(o->name, size, "generic", times[1], goal_of(o, size, "generic"), peer,
                    "pygame");
    if (o->plain) report_time(o->name, size, "single pixels", times[2], 0, 0, NULL);
    double gfx = o->run == run_raster ? gfx_rotate(size) : 0;
    if (gfx > 0) report_time(o->name, size, chosen_kernel, times[0], 0, gfx, "SDL2_gfx");
    unmake(&s);
}

/* ---- larger than the cache ---- */

/// Two masks, and the position of the second relative to the first
typedef struct question {
    const pv_mask *a, *b;
    int dx, dy;
} question;

/// Distinct masks and random pairs of them
typedef struct crowd {
    pv_mask *masks[COLD];
    question pairs[COLD];
} crowd;

static void run_cold(void *state, long repeats) {
    const crowd *c = state;
    for (long i = 0; i < repeats; i++)
        for (int k = 0; k < COLD; k++) {
            const question *q = &c->pairs[k];
            sink += pv_mask_test_overlap(q->a, q->b, q->dx, q->dy);
        }
}

static bool crowd_make(crowd *c) {
    random_state = 7;
    for (int i = 0; i < COLD; i++) {
        c->masks[i] = pv_mask_create(64, 64, NULL, NULL);
        if (!c->masks[i]) return false;
        for (int y = 0; y < 64; y++)
            for (int x = 0; x < 64; x += 2) pv_mask_set_pixel(c->masks[i], x, y, true);
    }
    for (int i = 0; i < COLD; i++)
        c->pairs[i] = (question){c->masks[random_below(COLD)], c->masks[random_below(COLD)],
                                 random_below(64) * 2 - 63, random_below(127) - 63};
    return true;
}

static void measure_cold(void) {
    double times[2];
    crowd *c = calloc(1, sizeof *c);
    if (!c) return;
    subject subjects[2] = {{run_cold, c, chosen_kernel}, {run_cold, c, "generic"}};
    if (crowd_make(c)) {
        measure(subjects, 2, times);
        report_time("20000 distinct masks", 64, chosen_kernel, times[0] / COLD, 25, 0, NULL);
        report_time("20000 distinct masks", 64, "generic", times[1] / COLD, 0, 0, NULL);
    }
    for (int i = 0; i < COLD; i++) pv_mask_release(c->masks[i]);
    free(c);
}

/// Reads the pixels and does nothing else, as fast as memory delivers them.
static void run_read(void *state, long repeats) {
    const scene *s = state;
    for (long i = 0; i < repeats; i++) {
        uint64_t sum = 0, word;
        for (size_t k = 0; k < (size_t)s->size * (size_t)s->size * 4; k += 32) {
            memcpy(&word, s->rgba + k, 8);
            sum += word;
        }
        sink += (int64_t)sum;
    }
}

static void measure_huge(void) {
    static scene s;
    double times[3];
    s.size = HUGE_SIDE;
    s.rgba = malloc((size_t)HUGE_SIDE * HUGE_SIDE * 4);
    if (!s.rgba) return;
    memset(s.rgba, 200, (size_t)HUGE_SIDE * HUGE_SIDE * 4);
    subject subjects[3] = {
        {run_rgba, &s, chosen_kernel}, {run_rgba, &s, "generic"}, {run_read, &s, NULL}};
    measure(subjects, 3, times);
    report_time("rgba to mask", HUGE_SIDE, chosen_kernel, times[0],
                strcmp(chosen_kernel, "avx512") == 0 ? 13e6 : 0, 0, NULL);
    report_time("rgba to mask", HUGE_SIDE, "generic", times[1], 0, 0, NULL);
    report_time("rgba read, nothing more", HUGE_SIDE, "plain", times[2], 0, 0, NULL);
    free(s.rgba);
}

void speed_masks(void) {
    const int sizes[] = {16, 32, 64, 128, 256, 512};
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            measure_operation(&operations[i], sizes[k]);
    measure_cold();
    measure_huge();
    speed_runs();
}
