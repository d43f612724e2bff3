/* game_screen.h - the game as a screen: title, play, pause, end, high scores.
 *
 * Invariant: time passes in the world, except in a pause. Behind the title the game plays itself.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef GAME_SCREEN_H
#define GAME_SCREEN_H

#include "app/highlight.h"
#include "app/screen.h"
#include "app/sounds.h"
#include "draw/lens.h"
#include "game/game.h"
#include "game/scores.h"

enum { POPUPS = 6 };

/// Points that rise from where they were scored
struct popup {
    pv_vec2 at;
    /// Age [s]
    double age;
    char text[32];
};

enum game_mode {
    /// Title, alternating with the best plays
    MODE_TITLE,
    MODE_PLAY,
    MODE_PAUSE,
    /// Entry of a name, after a play that is among the best
    MODE_NAME,
    MODE_OVER
};

struct game_screen {
    /// Screen, which must be first
    struct screen screen;
    enum game_mode mode;
    /// Age of the mode [s]
    double mode_age;
    /// True if each play begins with the same seed
    bool fixed;
    uint64_t seed;
    /// True for today's play, whose seed is the day
    bool daily;
    struct stage *stage;
    /// Number of threads that take part in steps
    int workers;
    struct motion motion;
    pv_clock clock;
    struct sounds *sounds;
    bool mute;
    SDL_GameController *pad;
    struct scores scores;
    /// Path of the score file; empty: none
    char path[1024];
    char name[SCORES_NAME + 1];
    /// True while the name is the last player's, which the first letter replaces
    bool untouched;
    /// Index of the last play among the best, or -1
    int place;
    /// Message about the last event
    char message[96];
    /// Age of the message [s]
    double message_age;
    struct popup popups[POPUPS];
    int next_popup;
    struct highlight highlight;
    /// Time of play since the last picture [s]
    double seen_for;
    /// Remaining time of a hit-stop, and of slow motion [s]
    double hold, slow;
};

/// Opens the game.
/// @param seed seed of every play; null: a new one for each
/// @param workers as for stage_set_workers()
/// @return exit status, after a complaint on a failure; give the screen to game_screen_close()
/// either way
int game_screen_open(struct game_screen *screen, const uint64_t *seed, int workers);
void game_screen_close(struct game_screen *screen);

/* game_feel.c */

/// Shows a message.
void feel_say(struct game_screen *screen, const char *message);
/// Reacts to the events of a step.
void feel_answer(struct game_screen *screen);
/// Lets real time pass, and returns the time that passes in the world [s].
double feel_pass(struct game_screen *screen, double elapsed);

/* game_words.c */

/// Paints the remaining shields and ships on the canvas.
void game_paint(const struct game_screen *screen, const struct lens *lens);
void game_write(struct game_screen *screen, struct hud *hud, SDL_Rect shown);
void game_print_help(void);

#endif
