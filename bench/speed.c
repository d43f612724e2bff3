/* speed.c - times of the library's operations, next to goals and to other libraries.
 *
 * Invariant: all options are checked before any measurement.
 *
 * usage: speed [--json] [--only NAME] [--quick] [--masks] [--bodies] [--moving] [--matter]
 * [--carve] [--grains] [--worst] [--threads] [--scale]
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed.h"

#include <pixverlet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct section {
    const char *option;
    void (*run)(void);
} sections[] = {
    {"--masks", speed_masks},   {"--bodies", speed_bodies},   {"--moving", speed_moving},
    {"--matter", speed_matter}, {"--carve", speed_carve},     {"--grains", speed_grains},
    {"--worst", speed_worst},   {"--threads", speed_threads}, {"--scale", speed_scale},
};

enum { SECTIONS = sizeof sections / sizeof *sections };

static bool json;
/// Prefix of the rows to report
static const char *only = "";
bool too_slow, quick;

const char *chosen_kernel;

static void report_json(const row *r) {
    printf("{\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\"", r->name, r->value, r->unit);
    if (r->peer > 0) printf(", \"peer\": %.6g, \"peer_name\": \"%s\"", r->peer, r->peer_name);
    if (r->peer > 0 && r->value > 0) printf(", \"ratio\": %.4g", r->peer / r->value);
    if (r->goal > 0) printf(", \"goal\": %.6g", r->goal);
    printf("}\n");
}

static void report_text(const row *r) {
    printf("%-40s %10.4g %-5s", r->name, r->value, r->unit);
    if (r->goal > 0) printf("  goal %8.4g %s", r->goal, r->value <= r->goal ? "met   " : "missed");
    if (r->peer > 0) printf("  %s %.4g", r->peer_name, r->peer);
    if (r->peer > 0 && r->value > 0) printf(", %.1f times", r->peer / r->value);
    printf("\n");
}

static bool starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool wanted(const char *name) { return starts_with(name, only) || starts_with(only, name); }

void report(const row *r) {
    if (!starts_with(r->name, only)) return;
    if (json)
        report_json(r);
    else
        report_text(r);
    fflush(stdout);
}

static int usage(const char *wrong) {
    fprintf(stderr, "speed: unknown option %s\nusage: speed [--json] [--only NAME] [--quick]",
            wrong);
    for (int i = 0; i < SECTIONS; i++) fprintf(stderr, " [%s]", sections[i].option);
    fprintf(stderr, "\n");
    return 2;
}

/// Parses an option or a section's name; returns the number of words it took, 0 if it is unknown.
static int understand(char **words, bool chosen[SECTIONS]) {
    if (strcmp(words[0], "--only") == 0 && words[1]) {
        only = words[1];
        return 2;
    }
    bool is_json = strcmp(words[0], "--json") == 0, is_quick = strcmp(words[0], "--quick") == 0;
    bool known = is_json || is_quick;
    json |= is_json;
    quick |= is_quick;
    for (int i = 0; i < SECTIONS; i++)
        if (strcmp(words[0], sections[i].option) == 0) known = chosen[i] = true;
    return known;
}

int main(int argc, char **argv) {
    bool chosen[SECTIONS] = {false}, any = false;
    for (int i = 1, words; i < argc; i += words) {
        words = understand(&argv[i], chosen);
        if (words == 0) return usage(argv[i]);
    }
    if (pv_kernel_select(NULL) != PV_OK) {
        fprintf(stderr, "speed: PIXVERLET_KERNEL=%s is not to be had here\n",
                getenv("PIXVERLET_KERNEL"));
        return 2;
    }
    chosen_kernel = pv_kernel_get_name();
    for (int i = 0; i < SECTIONS; i++) any |= chosen[i];
    for (int i = 0; i < SECTIONS; i++)
        if (chosen[i] || !any) sections[i].run();
    return too_slow;
}
