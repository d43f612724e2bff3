/* speed_worst.c - the slowest step of worlds that nobody should build, and calls on masks that
 * nobody should draw, next to their limits.
 *
 * Invariant: a world repeats bit for bit. Each step is timed in several runs, and its least time
 * counts, as the one with the least other load. A row is the slowest step of all. Limits are three
 * times its time when they were set.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed.h"

#include <pixverlet.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS = 2, MOST_STEPS = 120, MOST_OUTLINES = 3 };

/// World to build, with the outlines of its bodies
typedef struct yard {
    pv_contact_mode contacts;
    pv_world *world;
    outline outlines[MOST_OUTLINES];
    uint64_t seed;
} yard;

/// Adversary: a world that is hard for the library
typedef struct worst {
    const char *name;
    void (*build)(yard *y);
    /// Function before each step, or null
    void (*stir)(yard *y, int step);
    int steps;
    /// Limit of the slowest step [ms]
    double limit;
    pv_contact_mode contacts;
    /// Length of a step [s]
    double length;
} worst;

static double unit(yard *y) {
    y->seed ^= y->seed << 13;
    y->seed ^= y->seed >> 7;
    y->seed ^= y->seed << 17;
    return (double)(y->seed >> 11) * 0x1p-53;
}

static double between(yard *y, double low, double high) { return low + (high - low) * unit(y); }

static outline sheet(int width, int height) {
    outline o = {.mask = pv_mask_create(width, height, NULL, NULL)};
    if (!o.mask) exit(1);
    return o;
}

/// Draws a comb: a back of a height on top, and teeth below, as wide as the gaps.
static outline comb(int width, int height, int back, int tooth) {
    outline o = sheet(width, height);
    pv_mask_fill_rect(o.mask, (pv_rect){0, 0, width, back}, true);
    for (int x = 0; x < width; x += 2 * tooth)
        pv_mask_fill_rect(o.mask, (pv_rect){x, 0, tooth, height}, true);
    return o;
}

/// Draws very rough ground: columns of random heights, each a number of pixels wide.
static outline ridge(yard *y, int width, int height, int column) {
    outline o = sheet(width, height);
    for (int x = 0; x < width; x += column) {
        int top = (int)between(y, 0.25 * height, 0.75 * height);
        pv_mask_fill_rect(o.mask, (pv_rect){x, top, column, height - top}, true);
    }
    return o;
}

static pv_body_id thrown(yard *y, const outline *o, double x, double top, pv_vec2 velocity,
                         double spin) {
    pv_body_id b = put(y->world, PV_BODY_DYNAMIC, o, x, top, 0);
    pv_body_set_velocity(y->world, b, velocity);
    pv_body_set_angular_velocity(y->world, b, spin);
    return b;
}

/* ---- the worlds ---- */

static void at_one_point(yard *y) {
    y->outlines[0] = outline_letter_c(32);
    y->outlines[1] = outline_box(2048, 64);
    put(y->world, PV_BODY_STATIC, &y->outlines[1], 0, 400, 0);
    for (int i = 0; i < 1000; i++)
        put(y->world, PV_BODY_DYNAMIC, &y->outlines[0], 0, 0, between(y, -3, 3));
}

/// Creates sprites of a size at one point. By swept boxes they would never count as a crowd.
static void put_crowd(yard *y, int size) {
    y->outlines[0] = outline_letter_c(size);
    y->outlines[1] = outline_box(8192, 64);
    y->outlines[2] = outline_box(size, size);
    put(y->world, PV_BODY_STATIC, &y->outlines[1], 0, 100, 0);
    for (int i = 0; i < 1000; i++)
        put(y->world, PV_BODY_DYNAMIC, &y->outlines[i % 2 ? 0 : 2], between(y, -0.5, 0.5),
            between(y, -0.5, 0.5), between(y, -3, 3));
}

static void tiny_at_one_point(yard *y) { put_crowd(y, 4); }
static void small_at_one_point(yard *y) { put_crowd(y, 8); }
static void large_at_one_point(yard *y) { put_crowd(y, 64); }

static void giants(yard *y) {
    y->outlines[0] = comb(8192, 8192, 256, 256);
    thrown(y, &y->outlines[0], -6000, 0, (pv_vec2){20000, 0}, 6);
    thrown(y, &y->outlines[0], 6000, 0, (pv_vec2){-20000, 0}, -5);
}

/// Creates giants that hardly advance, since contacts stop them in every step.
static void giants_slow(yard *y) {
    y->outlines[0] = comb(8192, 8192, 256, 256);
    thrown(y, &y->outlines[0], -4200, 0, (pv_vec2){600, 0}, 0.4);
    thrown(y, &y->outlines[0], 4200, 0, (pv_vec2){-600, 0}, 0.3);
}

static void put_walls(yard *y, const outline *wall, double half) {
    for (int i = 0; i < 4; i++) {
        double along = i & 2 ? half : -half;
        put(y->world, PV_BODY_STATIC, wall, i & 1 ? along : 0, i & 1 ? 0 : along,
            i & 1 ? 1.5707963267948966 : 0);
    }
}

static void full_room(yard *y) {
    y->outlines[0] = outline_letter_c(32);
    y->outlines[1] = outline_box(1200, 64);
    y->outlines[2] = outline_disc(12);
    put_walls(y, &y->outlines[1], 560);
    for (int i = 0; i < 400; i++)
        put(y->world, PV_BODY_DYNAMIC, &y->outlines[0], -475 + 50 * (i % 20), -475 + 50 * (i / 20),
            between(y, -3, 3));
    for (int i = 0; i < 100; i++)
        put(y->world, PV_BODY_DYNAMIC, &y->outlines[2], -450 + 100 * (i % 10),
            -450 + 100 * (i / 10), 0);
}

/// Shoots all small bodies every ten steps.
static void shoot(yard *y, int step) {
    if (step % 10) return;
    for (pv_body_id b = pv_world_get_next_body(y->world, (pv_body_id){0});
         pv_body_is_valid(y->world, b); b = pv_world_get_next_body(y->world, b)) {
        pv_rotation way = pv_rotation_from_angle(between(y, -3, 3));
        if (pv_body_get_user_data(y->world, b) == &y->outlines[2])
            pv_body_set_velocity(y->world, b, (pv_vec2){1e6 * way.c, 1e6 * way.s});
    }
}

static void combs(yard *y) {
    y->outlines[0] = comb(120, 64, 8, 4);
    y->outlines[1] = outline_box(2048, 64);
    put(y->world, PV_BODY_STATIC, &y->outlines[1], 0, 500, 0);
    for (int i = 0; i < 100; i++) {
        pv_body_id b =
            put(y->world, PV_BODY_DYNAMIC, &y->outlines[0], 60 * (i % 10) + 4 * (i / 10 % 2),
                40 * (i / 10), i % 2 ? 3.1415926535897931 : 0);
        pv_body_set_angular_velocity(y->world, b, i % 3 ? 30 : -30);
    }
}

static void spin_on(yard *y, int step) {
    int i = 0;
    if (step % 15) return;
    for (pv_body_id b = pv_world_get_next_body(y->world, (pv_body_id){0});
         pv_body_is_valid(y->world, b); b = pv_world_get_next_body(y->world, b))
        if (pv_body_get_type(y->world, b) == PV_BODY_DYNAMIC)
            pv_body_set_angular_velocity(y->world, b, i++ % 3 ? 30 : -30);
}

static void terrain(yard *y) {
    y->outlines[0] = ridge(y, 16384, 4096, 8);
    y->outlines[1] = outline_letter_c(32);
    put(y->world, PV_BODY_STATIC, &y->outlines[0], 0, 2048, 0);
    for (int i = 0; i < 500; i++)
        thrown(y, &y->outlines[1], -8000 + 32 * i, -2400 - 100 * unit(y),
               (pv_vec2){between(y, -2000, 2000), 8000}, between(y, -20, 20));
}

/// Pours 3,000 particles of a liquid into half a pixel.
static void drops_at_one_point(yard *y) {
    pv_liquid_def liquid = pv_liquid_def_default();
    pv_liquid_id water = pv_liquid_create(y->world, &liquid, NULL);
    for (int i = 0; i < 3000; i++) {
        pv_particle_def def = pv_particle_def_default();
        def.position = (pv_vec2){0.01 * (i % 40), 0.01 * (i / 40)};
        pv_liquid_add_particle(y->world, water, pv_particle_create(y->world, &def, NULL));
    }
}

/// Pins 1,000 bodies in groups of twenty, each by 60 hinges that contradict each other.
static void quarrel_over(yard *y, bool touching) {
    enum { BODIES = 1000, GROUP = 20, HINGES = 60 };
    pv_body_id bodies[BODIES];
    y->outlines[0] = outline_box(6, 6);
    for (int i = 0; i < BODIES; i++) {
        bodies[i] =
            put(y->world, PV_BODY_DYNAMIC, &y->outlines[0], 10 * (i % 32), 10 * (i / 32), 0);
        if (!touching) pv_body_set_filter(y->world, bodies[i], (pv_filter){1, 0, 0});
    }
    for (int i = 0; i < BODIES / GROUP * HINGES; i++) {
        pv_body_id *group = bodies + GROUP * (i / HINGES);
        int a = i % HINGES % (GROUP - 1),
            b = i % HINGES < GROUP ? a + 1 : (int)between(y, 0, GROUP);
        pv_vec2 at = pv_body_get_position(y->world, group[a]);
        pv_joint_create_pin(y->world, group[a], group[b], at);
        pv_body_set_position(y->world, group[b],
                             (pv_vec2){at.x + between(y, 0, 50), at.y + between(y, 0, 50)});
    }
}

static void quarrel(yard *y) { quarrel_over(y, false); }

static void quarrel_on_floor(yard *y) {
    y->outlines[1] = outline_box(4000, 64);
    put(y->world, PV_BODY_STATIC, &y->outlines[1], 160, 500, 0);
    quarrel_over(y, true);
}

static const worst worlds[] = {
    {"1000 sprites at one point", at_one_point, NULL, 60, 150, PV_CONTACT_MODE_CONTOURS, STEP},
    {"1000 sprites of 4 px at one point", tiny_at_one_point, NULL, 60, 150,
     PV_CONTACT_MODE_CONTOURS, STEP},
    {"1000 sprites of 8 px at one point", small_at_one_point, NULL, 60, 150,
     PV_CONTACT_MODE_CONTOURS, STEP},
    {"1000 sprites of 64 px at one point", large_at_one_point, NULL, 60, 150,
     PV_CONTACT_MODE_CONTOURS, STEP},
    {"1000 sprites at one point, by pixels", at_one_point, NULL, 60, 350, PV_CONTACT_MODE_PIXELS,
     STEP},
    {"8192 px sprites cross", giants, NULL, 30, 50, PV_CONTACT_MODE_CONTOURS, STEP},
    {"8192 px sprites cross, by pixels", giants, NULL, 12, 500, PV_CONTACT_MODE_PIXELS, STEP},
    {"8192 px sprites lean", giants_slow, NULL, 30, 50, PV_CONTACT_MODE_CONTOURS, STEP},
    {"8192 px sprites lean, by pixels", giants_slow, NULL, 12, 500, PV_CONTACT_MODE_PIXELS, STEP},
    {"100 of 10^6 px/s in a full room", full_room, shoot, 60, 2500, PV_CONTACT_MODE_CONTOURS, STEP},
    {"100 of 10^6 px/s, by pixels", full_room, shoot, 60, 3600, PV_CONTACT_MODE_PIXELS, STEP},
    {"100 spinning combs", combs, spin_on, 60, 200, PV_CONTACT_MODE_CONTOURS, STEP},
    {"100 spinning combs, by pixels", combs, spin_on, 60, 200, PV_CONTACT_MODE_PIXELS, STEP},
    {"500 hit 16384 x 4096 px", terrain, NULL, 90, 1000, PV_CONTACT_MODE_CONTOURS, STEP},
    {"500 hit 16384 x 4096 px, by pixels", terrain, NULL, 90, 200, PV_CONTACT_MODE_PIXELS, STEP},
    {"3000 drops at one point", drops_at_one_point, NULL, 20, 150, PV_CONTACT_MODE_CONTOURS, STEP},
    {"1000 bodies in 3000 joints at odds", quarrel, NULL, 20, 150, PV_CONTACT_MODE_CONTOURS, STEP},
    {"the same, touching, on a floor", quarrel_on_floor, NULL, 20, 400, PV_CONTACT_MODE_CONTOURS,
     STEP},
    {"1000 bodies in 3000 joints, a step of 1 s", quarrel, NULL, 2, 4500, PV_CONTACT_MODE_CONTOURS,
     1},
};

/* ---- measuring ---- */

static yard open_yard(const worst *w) {
    pv_world_def def = pv_world_def_default();
    def.contact_mode = w->contacts;
    yard y = {
        .contacts = w->contacts, .world = pv_world_create(&def, NULL), .seed = 88172645463325252u};
    if (!y.world) exit(1);
    return y;
}

/// Runs once more, and keeps the least times [s].
static void run(const worst *w, double times[MOST_STEPS]) {
    yard y = open_yard(w);
    w->build(&y);
    for (int i = 0; i < w->steps; i++) {
        if (w->stir) w->stir(&y, i);
        double start = processor_time();
        pv_world_step(y.world, w->length);
        double time = processor_time() - start;
        if (time < times[i]) times[i] = time;
    }
    pv_world_destroy(y.world);
    for (int i = 0; i < MOST_OUTLINES; i++) outline_free(&y.outlines[i]);
}

static void report_worst(const worst *w) {
    double times[MOST_STEPS], slowest = 0;
    for (int i = 0; i < MOST_STEPS; i++) times[i] = 1e9;
    for (int i = 0; i < RUNS; i++) run(w, times);
    for (int i = 0; i < w->steps; i++)
        if (times[i] > slowest) slowest = times[i];
    report(&(row){.name = w->name, .unit = "ms", .value = 1e3 * slowest, .goal = w->limit});
    too_slow |= 1e3 * slowest > w->limit;
}

/* ---- calls ---- */

static pv_mask *chessboard(int size) {
    pv_mask *m = pv_mask_create(size, size, NULL, NULL);
    if (!m) exit(1);
    for (int y = 0; y < size; y++)
        for (int x = y & 1; x < size; x += 2) pv_mask_set_pixel(m, x, y, true);
    return m;
}

/// Reports the time of a call since its start.
static void report_call(const char *name, double start, double limit) {
    double took = 1e3 * (processor_time() - start);
    report(&(row){.name = name, .unit = "ms", .value = took, .goal = limit});
    too_slow |= took > limit;
}

static void outline_chess(void) {
    pv_mask *m = chessboard(4096);
    double start = processor_time();
    pv_outline *o = pv_outline_create(m, PV_CONNECTIVITY_8, NULL);
    report_call("outline of a 4096 px chessboard", start, 8000);
    pv_outline_destroy(o);
    start = processor_time();
    pv_parts *p = pv_parts_create(m, PV_CONNECTIVITY_4, NULL);
    report_call("parts of a 4096 px chessboard", start, 5500);
    pv_parts_destroy(p);
    pv_mask_release(m);
}

/// Cuts a line of 6 px into a sheet, then one that splits it.
static void cut_sheet(void) {
    enum { SIZE = 32768 };
    pv_world *world = pv_world_create(NULL, NULL);
    outline sheet = outline_box(SIZE, SIZE);
    pv_body_id body = put(world, PV_BODY_STATIC, &sheet, 0, 0, 0);
    const pv_cut cuts[2] = {pv_cut_line((pv_vec2){-9000, -8000}, (pv_vec2){9000, 7000}, 6),
                            pv_cut_line((pv_vec2){-20000, -9000}, (pv_vec2){20000, 11000}, 6)};
    double start = processor_time();
    pv_body_carve(world, body, &cuts[0], NULL);
    report_call("6 px line into 32768 x 32768 px", start, 3000);
    start = processor_time();
    pv_body_carve(world, body, &cuts[1], NULL);
    report_call("6 px line that parts 32768 x 32768 px", start, 12000);
    pv_world_destroy(world);
    outline_free(&sheet);
}

void speed_worst(void) {
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++)
        if (wanted(worlds[i].name)) report_worst(&worlds[i]);
    if (wanted("outline") || wanted("parts")) outline_chess();
    if (wanted("6 px")) cut_sheet();
}
