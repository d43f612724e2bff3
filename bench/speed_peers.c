/* speed_peers.c - the same operations with other libraries, if they are available.
 *
 * Invariant: a missing peer takes no time and reports 0. One Python program measures pygame.
 * SDL2_gfx is linked if HAVE_SDL2_GFX is set.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "speed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef BENCH_SRCDIR
#define BENCH_SRCDIR "bench"
#endif

/* ---- pygame ---- */

/// Line that the program prints
typedef struct answer {
    char operation[16];
    int size;
    double nanoseconds;
} answer;

static answer answers[100];
static int answered = -1;

static void ask_pygame(void) {
    const char *command = "python3 '" BENCH_SRCDIR "/pygame_masks.py' 2>/dev/null || "
                          "/usr/bin/python3 '" BENCH_SRCDIR "/pygame_masks.py' 2>/dev/null";
    answered = 0;
    FILE *from = popen(command, "r");
    if (!from) return;
    for (; answered < (int)(sizeof answers / sizeof *answers); answered++) {
        answer *a = &answers[answered];
        if (fscanf(from, "%15s %d %lf", a->operation, &a->size, &a->nanoseconds) != 3) break;
    }
    pclose(from);
}

double pygame_time(const char *operation, int size) {
    if (answered < 0) ask_pygame();
    for (int i = 0; i < answered; i++)
        if (answers[i].size == size && strcmp(answers[i].operation, operation) == 0)
            return answers[i].nanoseconds;
    return 0;
}

/* ---- SDL2_gfx ---- */

#ifdef HAVE_SDL2_GFX

#include <SDL2_rotozoom.h>

static void run_gfx(void *state, long repeats) {
    for (long i = 0; i < repeats; i++) {
        SDL_Surface *turned = rotozoomSurface(state, 30, 1, SMOOTHING_OFF);
        if (turned) sink += turned->w;
        SDL_FreeSurface(turned);
    }
}

double gfx_rotate(int size) {
    double time = 0;
    SDL_Surface *picture =
        SDL_CreateRGBSurfaceWithFormat(0, size, size, 32, SDL_PIXELFORMAT_RGBA32);
    if (!picture) return 0;
    SDL_FillRect(picture, NULL, 0xffffffff);
    measure(&(subject){run_gfx, picture, NULL}, 1, &time);
    SDL_FreeSurface(picture);
    return time;
}

#else

double gfx_rotate(int size) { return (void)size, 0; }

#endif
