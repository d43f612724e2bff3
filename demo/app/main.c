/* main.c - the command line of pixverlet-demo.
 *
 * Invariant: every error in the command line is found before any file is opened.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "app/game_screen.h"
#include "app/headless.h"
#include "app/viewer_screen.h"
#include "app/window.h"
#include "platform/complain.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: pixverlet-demo [OPTION]... [PNG]...\n"
    "Sprites that collide with their own pixels. Every PNG becomes one more of them.\n"
    "\n"
    "  --scene NAME        begin in the scene viewer with this scene (default: the game; headless: "
    "the first "
    "of --list)\n"
    "  --seed S            number that the dice begin with (default 1; in the game another one "
    "each time)\n"
    "  --workers N         threads that share a step, 0 to 64 (default 1; 0: one per processor)\n"
    "  --contacts KIND     contours, or pixels as in the paper (default contours)\n"
    "  --list              print the scenes: name, tab, description\n"
    "  --headless          no window: play, print one line of results, leave\n"
    "  --frames N          frames to play headless, 60 a second (default 600)\n"
    "  --screenshot F.png  picture of the end of a headless run\n"
    "  --gif F.gif         a headless run as an animation, 30 pictures a second\n"
    "  --from N            frame at which the animation begins (default 0)\n"
    "  --zoom X,Y,FACTOR   pictures show what is around X,Y, every pixel FACTOR wide\n"
    "  --help, --version   print this, or the version\n"
    "\n"
    "In the window press H for the keys.\n";

struct options {
    bool list, headless, help, version, seeded;
    const struct scene *scene;
    uint64_t seed;
    /// Number of threads that take part in steps; 0: one per processor
    int workers;
    bool by_pixels;
    struct headless run;
    char **files;
    int file_count;
};

/// Reads a whole number from 0 to most; returns false for any other text.
static bool parse_number(const char *text, unsigned long long most, unsigned long long *number) {
    char *end;
    errno = 0;
    if (text[0] < '0' || text[0] > '9') return false;
    *number = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0' && *number <= most;
}

/// Reads an option without a value; returns false if there is none of that name.
static bool parse_flag(struct options *options, const char *name) {
    if (strcmp(name, "--list") == 0)
        options->list = true;
    else if (strcmp(name, "--headless") == 0)
        options->headless = true;
    else if (strcmp(name, "--help") == 0)
        options->help = true;
    else if (strcmp(name, "--version") == 0)
        options->version = true;
    else
        return false;
    return true;
}

/// Reads "X,Y,FACTOR", whole numbers, the last from 1 to 64; returns false for any other text.
static bool parse_zoom(const char *text, struct framing *shot) {
    char rest;
    return sscanf(text, "%6d,%6d,%2d%c", &shot->x, &shot->y, &shot->factor, &rest) == 3 &&
           shot->factor > 0 && shot->factor <= 64;
}

/// Reads an option's value; returns its error, or null.
static const char *parse_value(struct options *options, const char *name, const char *value) {
    unsigned long long number = 0;
    if (strcmp(name, "--scene") == 0) {
        options->scene = scene_find(value);
        return options->scene ? NULL : "unknown scene; --list names them";
    }
    if (strcmp(name, "--screenshot") == 0) {
        options->run.screenshot = value;
        return NULL;
    }
    if (strcmp(name, "--gif") == 0) {
        options->run.gif = value;
        return NULL;
    }
    if (strcmp(name, "--zoom") == 0)
        return parse_zoom(value, &options->run.framing) ? NULL : "not X,Y,FACTOR";
    if (strcmp(name, "--seed") == 0) {
        if (!parse_number(value, UINT64_MAX, &number)) return "not a whole number";
        options->seed = number;
        options->seeded = true;
        return NULL;
    }
    if (strcmp(name, "--contacts") == 0) {
        options->by_pixels = strcmp(value, "pixels") == 0;
        if (options->by_pixels || strcmp(value, "contours") == 0) return NULL;
        return "neither contours nor pixels";
    }
    if (strcmp(name, "--workers") == 0) {
        if (!parse_number(value, PV_MAX_WORKERS, &number)) return "not a number from 0 to 64";
        options->workers = (int)number;
        return NULL;
    }
    if (!parse_number(value, 100000000, &number)) return "not a number of frames";
    *(strcmp(name, "--from") == 0 ? &options->run.from : &options->run.frames) = (long)number;
    return NULL;
}

static bool has_value(const char *name) {
    static const char *const names[] = {"--scene", "--seed", "--frames",  "--screenshot", "--gif",
                                        "--from",  "--zoom", "--workers", "--contacts"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

/// Reads the option at arguments[0]; returns its number of arguments, or 0 after a complaint.
static int parse_option(struct options *options, char **arguments) {
    if (parse_flag(options, arguments[0])) return 1;
    if (!has_value(arguments[0])) {
        complain(arguments[0], "unknown option; --help names them");
        return 0;
    }
    if (!arguments[1]) {
        complain(arguments[0], "needs a value");
        return 0;
    }
    const char *wrong = parse_value(options, arguments[0], arguments[1]);
    if (wrong) complain(arguments[1], wrong);
    return wrong ? 0 : 2;
}

/// Tells whether every option comes with the option that it needs; complains if not.
static bool is_complete(const struct options *options) {
    const struct headless *run = &options->run;
    const char *alone = run->screenshot    ? "--screenshot"
                        : run->gif         ? "--gif"
                        : run->frames >= 0 ? "--frames"
                                           : NULL;
    bool zoom = run->framing.factor > 0 && !run->screenshot && !run->gif,
         from = run->from > 0 && !run->gif;
    if (zoom)
        complain("--zoom", "works with --screenshot or --gif only");
    else if (from)
        complain("--from", "works with --gif only");
    else if (alone && !options->headless)
        complain(alone, "works with --headless only");
    return !zoom && !from && (options->headless || !alone);
}

/// Reads the command line, and gathers the names of files at the front of arguments.
static bool parse(struct options *options, char **arguments) {
    bool only_files = false;
    *options = (struct options){.seed = 1, .workers = 1, .run.frames = -1, .files = arguments};
    for (char **next = arguments; *next;) {
        if (!only_files && strcmp(*next, "--") == 0) {
            only_files = true;
            next++;
        } else if (only_files || strncmp(*next, "--", 2) != 0) {
            options->files[options->file_count++] = *next++;
        } else {
            int taken = parse_option(options, next);
            if (taken == 0) return false;
            next += taken;
        }
    }
    return is_complete(options);
}

static int print_scenes(void) {
    for (int i = 0; scene_at(i); i++)
        printf("%s\t%s\n", scene_at(i)->name, scene_at(i)->description);
    return EXIT_SUCCESS;
}

/// Shows the game and the viewer. The game comes first if there is neither a scene nor a file.
static int show(const struct options *options, struct viewer *viewer) {
    struct viewer_screen scenes = viewer_screen_make(viewer);
    struct game_screen game;
    int status = game_screen_open(&game, options->seeded ? &options->seed : NULL, options->workers);
    game.screen.other = &scenes.screen;
    scenes.screen.other = &game.screen;
    bool plays = !options->scene && options->file_count == 0;
    if (status == EXIT_SUCCESS) status = window_run(plays ? &game.screen : &scenes.screen);
    game_screen_close(&game);
    viewer_screen_close(&scenes);
    return status;
}

static int play(const struct options *options) {
    struct viewer viewer;
    int status = viewer_open(&viewer, options->scene ? options->scene : scene_at(0), options->seed,
                             options->files, options->file_count);
    if (status == EXIT_SUCCESS && options->by_pixels) viewer_set_contacts(&viewer, true);
    if (status == EXIT_SUCCESS && !viewer_set_workers(&viewer, options->workers))
        status = complain("--workers", "the threads cannot be started");
    if (status == EXIT_SUCCESS && options->headless)
        status = headless_run(viewer.scene, viewer.stage, &options->run);
    else if (status == EXIT_SUCCESS)
        status = show(options, &viewer);
    viewer_close(&viewer);
    return status;
}

static int run(const struct options *options) {
    if (options->help) {
        fputs(usage, stdout);
        return EXIT_SUCCESS;
    }
    if (options->version) {
        printf("pixverlet-demo %s\n", pv_version());
        return EXIT_SUCCESS;
    }
    return options->list ? print_scenes() : play(options);
}

int main(int argc, char **argv) {
    struct options options;
    if (argc < 1 || !parse(&options, argv + 1)) return EXIT_COMPLAINT;
    int status = run(&options);
    if (fflush(stdout) != 0 || ferror(stdout)) return complain("stdout", "cannot be written");
    return status;
}
