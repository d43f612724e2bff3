/* accuracy.c - the ladder: runs the tests in every setting and reports the worst of each figure.
 *
 * Invariant: a figure passes when its worst value is at most its bound; NaN is worse than any.
 *
 * usage: accuracy [--json] [--only NAME]... [--quick]
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Time by which all bodies must sleep [s]
static const double LATEST_SLEEP = 10;

/// Angle of the turned settings: 17 degrees [rad]
#define TURN 0.29670597283903605

static const struct {
    double turn;
    uint64_t seed;
} settings[] = {{0, 1}, {0, 2}, {0, 3}, {TURN, 1}};

enum {
    SETTINGS = sizeof settings / sizeof *settings,
    MOST_ONLY = 64,
    ASLEEP = MOST_FIGURES,
    MOST_NAME = 100
};

static const test *const tables[] = {
    tests_rest,  tests_friction, tests_impact, tests_piles, tests_motion,  tests_matter,
    tests_meet,  tests_thin,     tests_crowd,  tests_pixel, tests_settle,  tests_heaps,
    tests_steps, tests_mover,    tests_joints, tests_slam,  tests_squeeze, tests_sleepers};

static bool json, quick, any_row, short_of;
static const char *only[MOST_ONLY];
static int only_count;

/* ---- names ---- */

static bool starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/// Tells whether a row is selected.
static bool wanted(const char *name) {
    for (int i = 0; i < only_count; i++)
        if (starts_with(name, only[i])) return true;
    return only_count == 0;
}

static bool has_figure(const test *t, int i) {
    return i == ASLEEP ? t->rests : t->figures[i].unit != NULL;
}

static void row_name(const test *t, int i, char name[MOST_NAME]) {
    if (i == ASLEEP)
        snprintf(name, MOST_NAME, "%s_asleep", t->name);
    else if (has_figure(t, 1))
        snprintf(name, MOST_NAME, "%s_%s", t->name, t->figures[i].name);
    else
        snprintf(name, MOST_NAME, "%s", t->name);
}

/// Tells whether figure i exists and is selected, and sets name to its row's name.
static bool wanted_row(const test *t, int i, char name[MOST_NAME]) {
    if (!has_figure(t, i)) return false;
    row_name(t, i, name);
    return wanted(name);
}

static bool wanted_test(const test *t) {
    char name[MOST_NAME];
    if (quick && t->slow) return false;
    for (int i = 0; i <= ASLEEP; i++)
        if (wanted_row(t, i, name)) return true;
    return false;
}

/* ---- rows ---- */

static void print_json(const char *name, double value, double bound, const char *unit, bool pass) {
    char number[40] = "null";
    if (isfinite(value)) snprintf(number, sizeof number, "%.6g", value);
    printf("{\"name\": \"%s\", \"value\": %s, \"bound\": %.6g, \"unit\": \"%s\", \"pass\": %s}\n",
           name, number, bound, unit, pass ? "true" : "false");
}

static void print_row(const char *name, double value, double bound, const char *unit) {
    bool pass = value <= bound;
    if (json)
        print_json(name, value, bound, unit, pass);
    else
        printf("%-36s %12.5g <= %-8.4g %-8s %s\n", name, value, bound, unit,
               pass ? "pass" : "SHORT");
    fflush(stdout);
    any_row = true;
    short_of |= !pass;
}

/// Returns the greater value; NaN wins.
static double worse(double a, double b) { return isnan(a) || a > b ? a : b; }

static void run_once(const test *t, const setting *how, double worst[ASLEEP + 1]) {
    double values[MOST_FIGURES];
    for (int i = 0; i < MOST_FIGURES; i++) values[i] = NAN;
    yards_slept_after();
    t->run(how, t->parameter, values);
    for (int i = 0; i < MOST_FIGURES; i++) worst[i] = worse(worst[i], values[i]);
    if (how->sleeping) worst[ASLEEP] = worse(worst[ASLEEP], yards_slept_after());
}

static void run_test(const test *t) {
    double worst[ASLEEP + 1];
    char name[MOST_NAME];
    for (int i = 0; i <= ASLEEP; i++) worst[i] = -INFINITY;
    for (int i = 0; i < (quick ? 1 : SETTINGS); i++)
        for (int sleeping = 0; sleeping <= t->rests; sleeping++)
            run_once(t, &(setting){settings[i].turn, settings[i].seed, sleeping, quick}, worst);
    for (int i = 0; i < MOST_FIGURES; i++)
        if (wanted_row(t, i, name))
            print_row(name, worst[i], t->figures[i].bound, t->figures[i].unit);
    if (wanted_row(t, ASLEEP, name)) print_row(name, worst[ASLEEP], LATEST_SLEEP, "s");
}

/* ---- options ---- */

static int usage(const char *message, const char *what) {
    fprintf(stderr, "accuracy: %s %s\nusage: accuracy [--json] [--only NAME]... [--quick]\n",
            message, what);
    return 2;
}

/// Parses the options; returns the index of the first invalid one, or 0.
static int understand(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0)
            json = true;
        else if (strcmp(argv[i], "--quick") == 0)
            quick = true;
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc && only_count < MOST_ONLY)
            only[only_count++] = argv[++i];
        else
            return i;
    }
    return 0;
}

int main(int argc, char **argv) {
    int wrong = understand(argc, argv);
    if (wrong) return usage("unknown option", argv[wrong]);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const test *t = tables[i]; t->name; t++)
            if (wanted_test(t)) run_test(t);
    if (!any_row) return usage("no row of the name", only[0]);
    return short_of ? 1 : 0;
}
