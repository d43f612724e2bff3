/* speed_churn.c - creation and destruction of 10,000 bodies a second in a world of 20,000.
 *
 * Invariant: a world repeats bit for bit. Each batch and step is timed in several runs, and its
 * least time counts, as the one with the least other load.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed_land.h"

#include <math.h>
#include <pixverlet.h>
#include <stdlib.h>
#include <string.h>

enum {
    COLUMNS = 20,
    ROWS = 20,
    /// Bodies created in a step: 10,000 a second
    BATCH = 167,
    /// Steps that only create, which make every array grow, and steps that destroy as many
    GROWING = 75,
    STEADY = 45,
    ALL = GROWING + STEADY,
    /// Steps on each side of a step that it is compared with
    AROUND = 4,
    RUNS = 2,
    /// A prime, so that the bodies of a step spread over the cells
    STRIDE = 1009
};

/// Goal of a frame's excess [ms]
static const double MOST_SPIKE = 2;

static const double GOLDEN_ANGLE = 2.39996322972865332;

/// Times of all steps [s]
typedef struct churn {
    double create[ALL], destroy[ALL], step[ALL];
} churn;

/// Creates a body over a cell's tray, one in 64 over its stacks. Seven of eight are weightless.
static pv_body_id put_new(const land *l, int i) {
    pv_vec2 at = land_corner(l, i * STRIDE % (COLUMNS * ROWS));
    const outline *o = &l->kinds[i % MOST_KINDS];
    pv_body_def def = pv_body_def_default();
    def.mask = o->mask;
    def.user_data = (void *)(uintptr_t)o;
    def.position = (pv_vec2){at.x + 100 + 800 * fmod(0.618 * i, 1),
                             at.y + (i % 64 ? 540 : 320) + 7 * (i % 40)};
    def.gravity_scale = i % 8 ? 0 : 1;
    def.angle = GOLDEN_ANGLE * i;
    def.velocity = (pv_vec2){80 * cos(GOLDEN_ANGLE * i), 80 * sin(GOLDEN_ANGLE * i)};
    pv_body_id b = pv_body_create(l->scene.ours.world, &def, NULL);
    require(pv_body_is_valid(l->scene.ours.world, b), "a body cannot be created");
    return b;
}

static double create_batch(const land *l, pv_body_id made[], int step) {
    double start = processor_time();
    for (int i = step * BATCH; i < (step + 1) * BATCH; i++) made[i] = put_new(l, i);
    return processor_time() - start;
}

/// Destroys the oldest bodies.
static double destroy_batch(const land *l, const pv_body_id made[], int step) {
    double start = processor_time();
    if (step >= GROWING)
        for (int i = (step - GROWING) * BATCH; i < (step - GROWING + 1) * BATCH; i++)
            pv_body_destroy(l->scene.ours.world, made[i]);
    return processor_time() - start;
}

static double lesser(double a, double b) { return a < b ? a : b; }

/// Runs once more, and keeps the least times.
static void run(churn *c) {
    static pv_body_id made[ALL * BATCH];
    land *l = land_open(COLUMNS, ROWS, LAND_CRITTERS | LAND_STACKS, true);
    land_wait(l);
    for (int i = 0; i < ALL; i++) {
        c->destroy[i] = lesser(c->destroy[i], destroy_batch(l, made, i));
        c->create[i] = lesser(c->create[i], create_batch(l, made, i));
        double start = processor_time();
        run_side(&l->scene.ours, 1);
        c->step[i] = lesser(c->step[i], processor_time() - start);
    }
    require(pv_world_get_stats(l->scene.ours.world).bodies ==
                2 * COLUMNS * ROWS + l->body_count + GROWING * BATCH,
            "bodies were lost in creation and destruction");
    land_close(l);
}

static double greatest(const double *values, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, values[i]);
    return most;
}

static double usual_step(const double *steps, int count) {
    double sorted[ALL];
    memcpy(sorted, steps, (size_t)count * sizeof *steps);
    return median(sorted, count);
}

/// Returns the greatest excess of a step over the median of the steps around it, in which the
/// number of awake bodies hardly changes.
static double greatest_excess(const double *steps, int count) {
    double most = 0;
    for (int i = AROUND; i < count - AROUND; i++)
        most = fmax(most, steps[i] - usual_step(&steps[i - AROUND], 2 * AROUND + 1));
    return most;
}

static void report_spike(const char *name, double seconds) {
    report(&(row){.name = name, .unit = "ms", .value = 1e3 * seconds, .goal = MOST_SPIKE});
}

static void report_churn(churn *c) {
    double both[STEADY];
    for (int i = 0; i < STEADY; i++) both[i] = c->create[GROWING + i] + c->destroy[GROWING + i];
    report_spike("churn_growing_worst", greatest(c->create, GROWING));
    report_spike("churn_batch_worst", greatest(both, STEADY));
    report(&(row){
        .name = "churn_create", .unit = "ms", .value = 1e3 * median(&c->create[GROWING], STEADY)});
    report(&(row){.name = "churn_destroy",
                  .unit = "ms",
                  .value = 1e3 * median(&c->destroy[GROWING], STEADY)});
    report(&(row){
        .name = "churn_step", .unit = "ms", .value = 1e3 * usual_step(&c->step[GROWING], STEADY)});
    report_spike("churn_step_spike", greatest_excess(&c->step[GROWING], STEADY));
}

void speed_churn(void) {
    if (!wanted("churn")) return;
    churn c;
    for (int i = 0; i < ALL; i++) c.create[i] = c.destroy[i] = c.step[i] = HUGE_VAL;
    for (int i = 0; i < RUNS; i++) run(&c);
    report_churn(&c);
}
