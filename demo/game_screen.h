/* game_screen.h - the game as a screen: title, play, pause, end, high scores.
 *
 * Invariant: time passes in the world while it is played, and behind title and scores, where it
 * plays itself; nowhere else.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef GAME_SCREEN_H
#define GAME_SCREEN_H

#include "game/game.h"
#include "game/scores.h"
#include "motion.h"
#include "screen.h"
#include "sounds.h"

enum game_mode {
    /// Also the best plays, in turn
    MODE_TITLE,
    MODE_PLAY,
    MODE_PAUSE,
    /// The play is over, and has a place among the best
    MODE_NAME,
    MODE_OVER
};

struct game_screen {
    /// Must be first
    struct screen screen;
    enum game_mode mode;
    /// [s]
    double mode_age;
    /// Each play begins with the same seed
    bool fixed;
    uint64_t seed;
    struct stage *stage;
    struct motion motion;
    pv_clock clock;
    struct sounds *sounds;
    bool mute;
    SDL_GameController *pad;
    struct scores scores;
    /// Of the file of scores; empty: there is nowhere to keep them
    char path[1024];
    char name[SCORES_NAME + 1];
    /// The name is the last one's: the first letter begins another
    bool untouched;
    /// Of the last play, or -1
    int place;
    /// What happened
    char message[96];
    /// [s]
    double message_age;
};

/// @param seed every play begins with; null: each with another one
/// @return exit status, after a complaint when it is not EXIT_SUCCESS; give the screen to
/// game_screen_close() either way
int game_screen_open(struct game_screen *screen, const uint64_t *seed);
void game_screen_close(struct game_screen *screen);

/* game_words.c */

/// Shields and ships that are left, on the canvas.
void game_paint(const struct game_screen *screen, const pv_canvas *canvas);
void game_write(struct game_screen *screen, struct hud *hud, SDL_Rect shown);
void game_print_help(void);

#endif
