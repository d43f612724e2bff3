/* rubble_bots.c - prints what bots score in Rubble, one seed a line, for docs/DEMO.md.
 *
 * Usage: rubble_bots [SEEDS [FRAMES]]
 *
 * Invariant: it prints the same on every machine.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/bots.h"

#include <stdio.h>
#include <stdlib.h>

static int percent(int part, int whole) { return whole > 0 ? (100 * part + whole / 2) / whole : 0; }

static void add(struct bot_play *sum, const struct bot_play *play) {
    sum->score += play->score;
    sum->fired += play->fired;
    sum->hits += play->hits;
    sum->rock_frames += play->rock_frames;
    sum->small_frames += play->small_frames;
}

int main(int argc, char **argv) {
    int seeds = argc > 1 ? atoi(argv[1]) : 20, frames = argc > 2 ? atoi(argv[2]) : 10800;
    struct bot_play sums[BOTS] = {{0}};
    printf("| seed | aimed | wave | hits | small alone | Left and fire | hits | fire | hits |\n");
    printf("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (int seed = 1; seed <= seeds; seed++) {
        struct bot_play plays[BOTS];
        for (int bot = 0; bot < BOTS; bot++) {
            plays[bot] = bot_play((enum bot)bot, (uint64_t)seed, frames);
            add(&sums[bot], &plays[bot]);
        }
        const struct bot_play *aimed = &plays[BOT_AIMED];
        printf("| %d | %d | %d | %d %% | %d %% |", seed, aimed->score, aimed->wave,
               percent(aimed->hits, aimed->fired),
               percent(aimed->small_frames, aimed->rock_frames));
        for (int bot = BOT_SPINNING; bot < BOTS; bot++)
            printf(" %d | %d %% |", plays[bot].score, percent(plays[bot].hits, plays[bot].fired));
        printf("\n");
    }
    const struct bot_play *aimed = &sums[BOT_AIMED];
    printf("\nAimed play: %d, %.1f times held Left and fire, %.1f times held fire; "
           "small rocks alone: %d %%\n",
           aimed->score, (double)aimed->score / sums[BOT_SPINNING].score,
           (double)aimed->score / sums[BOT_STILL].score,
           percent(aimed->small_frames, aimed->rock_frames));
    return EXIT_SUCCESS;
}
