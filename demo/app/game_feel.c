/* game_feel.c - reacts to the events of a play: sounds, messages, rising points, hit-stop and slow
 * motion.
 *
 * Invariant: only the pace of the steps changes, never what a step does.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "app/game_screen.h"

#include "stage/scene.h"

#include <stdio.h>

/// Time from beat to beat with one rock left; more rocks make it longer [s]
static const double fast_beat = .35;
/// Pauses after a split and after the loss of a ship [s]
static const double split_hold = .05, loss_hold = .14;
/// Time of slow motion after the loss of a ship [s], and its pace
static const double loss_slow = 1.7, slow_pace = .25;

void feel_say(struct game_screen *screen, const char *message) {
    snprintf(screen->message, sizeof screen->message, "%s", message);
    screen->message_age = 0;
}

/// Plays the sounds of a step at the places of its events.
static void sound_events(const struct game_screen *screen, const struct game *game) {
    static const struct {
        unsigned event;
        enum sound sound;
        double volume;
    } table[] = {
        {GAME_FIRED, SOUND_FIRE, .45},      {GAME_BIT, SOUND_BITE, .75},
        {GAME_BROKE, SOUND_BREAK, 1},       {GAME_BUMPED, SOUND_BUMP, .6},
        {GAME_STRUCK, SOUND_SHIELD, 1},     {GAME_LOST, SOUND_BOOM, 1},
        {GAME_WAVE, SOUND_WAVE, .7},        {GAME_LIFE, SOUND_LIFE, .9},
        {GAME_RESCUED, SOUND_LIFE, .9},     {GAME_CRUMBLED, SOUND_BITE, .4},
        {GAME_UNCHAINED, SOUND_SNAP, .7},   {GAME_OVERHEATED, SOUND_HISS, .8},
        {GAME_SHOT_AT, SOUND_SNAP, .4},     {GAME_TURRET, SOUND_BOOM, .7},
        {GAME_HULK_BROKE, SOUND_BOOM, 1},   {GAME_LASERED, SOUND_LASER, .9},
        {GAME_EXPLODED, SOUND_BOOM, .8},    {GAME_CHOSEN, SOUND_PICK, .9},
        {GAME_FREED, SOUND_GEM, .8},        {GAME_CAUGHT, SOUND_LIFE, .9},
        {GAME_SHATTERED, SOUND_SHIELD, .9}, {GAME_PATCHED, SOUND_PATCH, .9},
    };
    double pan = 1.4 * (game->heard.x / GAME_WIDTH - .5);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (game->events & table[i].event)
            sounds_play_varied(screen->sounds, table[i].sound, table[i].volume, pan);
}

/// Shows points where they were scored.
static void raise_points(struct game_screen *screen, const struct game *game) {
    struct popup *popup = &screen->popups[screen->next_popup++ % POPUPS];
    *popup = (struct popup){.at = space_seen(game->rewarded), .age = 0};
    int factor = game_factor(game);
    if (factor > 1)
        snprintf(popup->text, sizeof popup->text, "%d  \303\227%d", game->reward / factor, factor);
    else
        snprintf(popup->text, sizeof popup->text, "%d", game->reward);
}

static void tell(struct game_screen *screen, const struct game *game) {
    char text[32];
    snprintf(text, sizeof text, "WAVE %d", game->wave);
    if (game->events & GAME_WAVE)
        feel_say(screen, game->events & GAME_HULK ? "THE HULK: take its turrets" : text);
    if (game->events & GAME_TURRET && hulk_turrets(screen->stage, game) > 0) {
        snprintf(text, sizeof text, "turrets left: %d", hulk_turrets(screen->stage, game));
        feel_say(screen, text);
    }
    if (game->events & GAME_HULK_BROKE) feel_say(screen, "THE HULK BREAKS");
    if (game->events & GAME_LIFE) feel_say(screen, "one more ship");
    if (game->events & GAME_RESCUED) feel_say(screen, "pilot rescued");
    if (game->events & GAME_SHATTERED) feel_say(screen, "crystal shot to pieces");
    if (game->events & GAME_LOST)
        feel_say(screen, game->ships > 0 ? "catch your pilot with the next ship" : "");
    if (game->events & GAME_REWARDED) raise_points(screen, game);
}

/// Plays the beat. The fewer rocks remain, the faster it is.
static void beat(const struct game_screen *screen, const struct game *game) {
    const pv_world *world = screen->stage->world;
    int period = (int)((fast_beat + .03 * pv_world_get_stats(world).bodies) / SCENE_STEP);
    if (period > 60) period = 60;
    if (game->frame % period == 0)
        sounds_play(screen->sounds, game->frame / period % 2 ? SOUND_BEAT_HIGH : SOUND_BEAT_LOW, .9,
                    0);
}

void feel_answer(struct game_screen *screen) {
    const struct game *game = game_of(screen->stage);
    sound_events(screen, game);
    tell(screen, game);
    beat(screen, game);
    if (game->events & (GAME_BROKE | GAME_EXPLODED)) screen->hold = split_hold;
    if (!(game->events & (GAME_LOST | GAME_HULK_BROKE))) return;
    screen->hold = loss_hold;
    screen->slow = loss_slow;
}

double feel_pass(struct game_screen *screen, double elapsed) {
    for (int i = 0; i < POPUPS; i++) screen->popups[i].age += elapsed;
    if (screen->hold > 0) {
        screen->hold -= elapsed;
        return 0;
    }
    if (screen->slow <= 0) return elapsed;
    screen->slow -= elapsed;
    return elapsed * slow_pace;
}
