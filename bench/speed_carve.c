/* speed_carve.c - times of carving, beside new bodies of the same pixels, and of explosions in a
 * game.
 *
 * Invariant: a goal is a share of its control's time, measured in turns in the same run. Creating
 * bodies and aiming cuts is not timed. Times are processor times.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed.h"

#include <math.h>
#include <pixverlet.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_CALLS = 32, LEAST_ROUNDS = 5, EACH = 4, WIDTH = 8192, HEIGHT = 2048 };

static const double GOLDEN_ANGLE = 2.39996322972865332, ROUND_TIME = 1e-3, CALLS_TIME = 15,
                    BITE = 5;

/* ---- Sprites ---- */

static pv_mask *empty_mask(int width, int height) {
    pv_mask *mask = pv_mask_create(width, height, NULL, NULL);
    if (!mask) exit(1);
    return mask;
}

/// Draws a rock with three deep notches and a hole.
static pv_mask *rock_mask(int size) {
    pv_mask *mask = empty_mask(size, size);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            double u = (2 * x + 1.0) / size - 1, v = (2 * y + 1.0) / size - 1, angle = atan2(v, u);
            double notch = fabs(sin(1.5 * angle + 0.4)) < 0.08 ? 0.3 : 0;
            double r = 0.86 + 0.08 * sin(5 * angle) + 0.05 * sin(11 * angle + 1) - notch;
            pv_mask_set_pixel(mask, x, y, hypot(u, v) < r && hypot(u - 0.25, v + 0.15) > 0.14);
        }
    return mask;
}

static double surface_at(double x) {
    return 700 + 120 * sin(x / 400) + 40 * sin(x / 90 + 1) + 9 * sin(x / 23 + 2);
}

/// Draws hills, and caves below them.
static pv_mask *terrain_mask(void) {
    pv_mask *mask = empty_mask(WIDTH, HEIGHT);
    for (int x = 0; x < WIDTH; x++) {
        int top = (int)surface_at(x);
        pv_mask_fill_rect(mask, (pv_rect){x, top, 1, HEIGHT - top}, true);
    }
    for (int i = 0; i < 150; i++) {
        outline cave = outline_disc(40 + i * 29 % 100);
        double x = fmod(i * 0.61803398875, 1) * (WIDTH - 200),
               down = 20 + fmod(i * 0.7548776662, 1) * 1000;
        pv_mask_combine(mask, cave.mask, (int)x, (int)(surface_at(x) + down), PV_COMBINE_ANDNOT);
        outline_free(&cave);
    }
    return mask;
}

/* ---- Cuts alone ---- */

/// Repeated work on bodies that share a mask
typedef struct quarry {
    /// Function before each round, untimed, or null
    void (*prepare)(struct quarry *q);
    void (*work)(struct quarry *q, int call);
    pv_mask *mask;
    pv_body_type type;
    pv_world *world;
    pv_body_id bodies[MOST_CALLS / EACH];
    pv_cut cuts[MOST_CALLS];
    int aimed, calls;
} quarry;

static quarry open_quarry(pv_mask *mask, pv_body_type type) {
    quarry q = {.mask = mask, .type = type, .world = open_world(false)};
    pv_world_set_gravity(q.world, (pv_vec2){0, 0});
    return q;
}

/// Creates a body with a mask of its own.
static pv_body_id put_own(quarry *q, double x, double y) {
    outline o = {.mask = pv_mask_copy(q->mask, NULL)};
    if (!o.mask) exit(1);
    pv_body_id body = put(q->world, q->type, &o, x, y, 0);
    outline_free(&o);
    return body;
}

static void clear(quarry *q) {
    for (pv_body_id b;
         pv_body_is_valid(q->world, b = pv_world_get_next_body(q->world, (pv_body_id){0}));)
        pv_body_destroy(q->world, b);
}

/// Returns the first point of a body on the way from outside, or the end if it misses.
static pv_vec2 rim(const pv_world *world, pv_body_id body, pv_vec2 from, pv_vec2 to) {
    pv_placed sprite = {pv_body_get_mask(world, body), pv_body_get_transform(world, body)};
    pv_ray_hit hit;
    return pv_placed_cast_segment(&sprite, from, to, &hit) ? hit.point : to;
}

/// Returns the next bite, at a point on the rim.
static pv_cut aim(quarry *q, pv_body_id body) {
    double turn = GOLDEN_ANGLE * q->aimed++, width = pv_mask_get_width(q->mask);
    pv_vec2 to = pv_body_get_position(q->world, body),
            from = {to.x + width * cos(turn), to.y + width * sin(turn)};
    if (q->type == PV_BODY_STATIC) {
        pv_transform t = pv_body_get_transform(q->world, body);
        double x = fmod(turn, 6.28) / 6.28 * (width - 20) + 10;
        from = pv_transform_to_world(&t, (pv_vec2){x, 0});
        to = pv_transform_to_world(&t, (pv_vec2){x, pv_mask_get_height(q->mask)});
    }
    return pv_cut_circle(rim(q->world, body, from, to), BITE);
}

static void carve(pv_world *world, pv_body_id body, const pv_cut *cut) {
    pv_carve_result carved;
    if (pv_body_carve(world, body, cut, &carved) != PV_OK) exit(1);
    sink += carved.pixel_count;
}

static void bite(quarry *q, int call) { carve(q->world, q->bodies[call / EACH], &q->cuts[call]); }

/// Creates bodies with one bite each, and aims a few more at each.
static void put_small(quarry *q) {
    clear(q);
    for (int i = 0; i < MOST_CALLS / EACH; i++) {
        q->bodies[i] = put_own(q, 200 * i, 0);
        for (int k = 0; k < EACH; k++) q->cuts[EACH * i + k] = aim(q, q->bodies[i]);
        pv_cut first = aim(q, q->bodies[i]);
        carve(q->world, q->bodies[i], &first);
    }
    pv_world_step(q->world, STEP);
}

/// Prepares the single body, which is bitten again and again.
static void aim_at_large(quarry *q) {
    if (q->aimed == 0) {
        q->bodies[0] = put_own(q, 0, 0);
        pv_cut first = aim(q, q->bodies[0]);
        carve(q->world, q->bodies[0], &first);
        pv_world_step(q->world, STEP);
    }
    for (int i = 0; i < MOST_CALLS / EACH; i++) q->bodies[i] = q->bodies[0];
    for (int i = 0; i < MOST_CALLS; i++) q->cuts[i] = aim(q, q->bodies[0]);
}

static void put_to_split(quarry *q) {
    double reach = pv_mask_get_width(q->mask);
    clear(q);
    for (int i = 0; i < MOST_CALLS / EACH; i++) {
        q->bodies[i] = put_own(q, 4 * reach * i, 0);
        pv_vec2 at = pv_body_get_position(q->world, q->bodies[i]);
        q->cuts[i] =
            pv_cut_line((pv_vec2){at.x - 10, at.y - reach}, (pv_vec2){at.x + 10, at.y + reach}, 3);
    }
    pv_world_step(q->world, STEP);
}

static void split(quarry *q, int call) { carve(q->world, q->bodies[call], &q->cuts[call]); }

/// Creates a body with all data derived from its pixels.
static void make_anew(quarry *q, int call) {
    pv_body_destroy(q->world, put_own(q, 200 * call, 0));
    sink++;
}

/// Returns the seconds per call for a number of calls.
static double time_of(quarry *q, int calls) {
    if (q->prepare) q->prepare(q);
    double start = processor_time();
    for (int i = 0; i < calls; i++) q->work(q, i);
    return (processor_time() - start) / calls;
}

static void measure_quarries(quarry quarries[], int count, double microseconds[]) {
    double times[MOST_SUBJECTS][REPEATS], end = now() + CALLS_TIME;
    int rounds = 0;
    for (int i = 0; i < count; i++) {
        int most = quarries[i].work == split ? MOST_CALLS / EACH : MOST_CALLS;
        quarries[i].calls = (int)fmin(fmax(ROUND_TIME / time_of(&quarries[i], 1), 1), most);
    }
    for (; rounds < REPEATS && (rounds < LEAST_ROUNDS || now() < end); rounds++)
        for (int i = 0; i < count; i++) times[i][rounds] = time_of(&quarries[i], quarries[i].calls);
    for (int i = 0; i < count; i++) microseconds[i] = 1e6 * median(times[i], rounds);
}

static quarry quarry_of(pv_mask *mask, pv_body_type type, void (*prepare)(quarry *q),
                        void (*work)(quarry *q, int call)) {
    quarry q = open_quarry(mask, type);
    q.prepare = prepare;
    q.work = work;
    return q;
}

static void report_time(const char *name, double value, double goal) {
    report(&(row){.name = name, .unit = "us", .value = value, .goal = goal});
}

static void measure_cuts(pv_mask *terrain) {
    enum { COUNT = 6 };
    pv_mask *small = rock_mask(64), *middle = rock_mask(128), *large = rock_mask(2048);
    quarry quarries[COUNT] = {quarry_of(small, PV_BODY_DYNAMIC, NULL, make_anew),
                              quarry_of(small, PV_BODY_DYNAMIC, put_small, bite),
                              quarry_of(large, PV_BODY_DYNAMIC, aim_at_large, bite),
                              quarry_of(terrain, PV_BODY_STATIC, aim_at_large, bite),
                              quarry_of(middle, PV_BODY_DYNAMIC, NULL, make_anew),
                              quarry_of(middle, PV_BODY_DYNAMIC, put_to_split, split)};
    double times[COUNT];
    measure_quarries(quarries, COUNT, times);
    report_time("control_64", times[0], 0);
    report_time("bite_64", times[1], 0.2 * times[0]);
    report_time("bite_2048", times[2], 2 * times[1]);
    report_time("bite_terrain", times[3], 2 * times[1]);
    report_time("control_128", times[4], 0);
    report_time("split_128", times[5], times[4]);
    for (int i = 0; i < COUNT; i++) pv_world_destroy(quarries[i].world);
    pv_mask_release(small);
    pv_mask_release(middle);
    pv_mask_release(large);
}

/* ---- Digging ---- */

enum {
    THINGS = 300,
    KINDS = 5,
    DIG_STEPS = 300,
    LEAST_STEPS = 30,
    SETTLE_STEPS = 90,
    DIG_RUNS = 2
};

static const double EXPLOSION = 40, DIG_TIME = 25;

/// Scene, with or without explosions
typedef struct mine {
    pv_world *world;
    pv_body_id ground, things[THINGS];
    bool explodes;
} mine;

static mine open_mine(pv_mask *terrain, const outline kinds[KINDS], bool explodes) {
    mine m = {.world = open_world(false), .explodes = explodes};
    outline ground = {.mask = pv_mask_copy(terrain, NULL)};
    pv_vec2 center = pv_mask_compute_mass(terrain).centroid;
    if (!ground.mask) exit(1);
    m.ground = put(m.world, PV_BODY_STATIC, &ground, center.x, center.y, 0);
    outline_free(&ground);
    for (int i = 0; i < THINGS; i++) {
        double x = 60 + i * (WIDTH - 120.0) / THINGS, y = surface_at(x) - 40 - 40 * (i % 3);
        m.things[i] = put(m.world, PV_BODY_DYNAMIC, &kinds[i % KINDS], x, y, 0.7 * i);
    }
    for (int i = 0; i < SETTLE_STEPS; i++) pv_world_step(m.world, STEP);
    return m;
}

/// Kicks one body, the same in both scenes, so that some rest and some roll. In one of the scenes
/// the ground explodes below another body.
static double dig(mine *m, int step) {
    double side = step % 2 ? 120 : -120;
    pv_body_set_velocity(m->world, m->things[step * 37 % THINGS], (pv_vec2){side, -200});
    pv_vec2 at = pv_body_get_position(m->world, m->things[step * 101 % THINGS]);
    pv_cut cut =
        pv_cut_circle(rim(m->world, m->ground, at, (pv_vec2){at.x, at.y + 600}), EXPLOSION);
    double start = processor_time();
    if (m->explodes) carve(m->world, m->ground, &cut);
    pv_world_step(m->world, STEP);
    return processor_time() - start;
}

/// Runs both scenes once more, in turns, and keeps each step's least time. Returns the number of
/// steps within the time.
static int dig_on(pv_mask *terrain, const outline kinds[KINDS], int steps,
                  double times[2][DIG_STEPS]) {
    mine mines[2] = {open_mine(terrain, kinds, false), open_mine(terrain, kinds, true)};
    double end = now() + DIG_TIME;
    int done = 0;
    for (; done < steps && (done < LEAST_STEPS || now() < end); done++)
        for (int i = 0; i < 2; i++) times[i][done] = fmin(times[i][done], dig(&mines[i], done));
    if (done < DIG_STEPS)
        fprintf(stderr, "speed: no time for more than %d of %d steps\n", done, DIG_STEPS);
    for (int i = 0; i < 2; i++) pv_world_destroy(mines[i].world);
    return done;
}

static void measure_digging(pv_mask *terrain) {
    static double times[2][DIG_STEPS];
    outline kinds[KINDS] = {outline_disc(24),
                            outline_box(24, 24),
                            outline_star(32),
                            outline_letter_c(32),
                            {.mask = rock_mask(28)}};
    int steps = DIG_STEPS;
    for (int i = 0; i < 2 * DIG_STEPS; i++) times[i / DIG_STEPS][i % DIG_STEPS] = 1e9;
    for (int i = 0; i < DIG_RUNS; i++) steps = dig_on(terrain, kinds, steps, times);
    double still = median(times[0], steps), dug = median(times[1], steps);
    report(&(row){.name = "dig_control", .unit = "ms", .value = 1e3 * still});
    report(
        &(row){.name = "dig_control_worst", .unit = "times", .value = times[0][steps - 1] / still});
    report(&(row){.name = "dig_median", .unit = "times", .value = dug / still, .goal = 1.5});
    report(&(row){
        .name = "dig_worst", .unit = "times", .value = times[1][steps - 1] / still, .goal = 3});
    for (int i = 0; i < KINDS; i++) outline_free(&kinds[i]);
}

void speed_carve(void) {
    pv_mask *terrain = terrain_mask();
    measure_cuts(terrain);
    measure_digging(terrain);
    pv_mask_release(terrain);
}
