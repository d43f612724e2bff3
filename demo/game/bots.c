/* bots.c - plays whole games with simple bots, to judge the rules.
 *
 * Invariant: a bot only sets keys.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/bots.h"

#include "stage/scene.h"

static unsigned keys_of(enum bot bot, const struct stage *stage, const struct game *game) {
    switch (bot) {
    case BOT_SPINNING: return GAME_LEFT | GAME_FIRE;
    case BOT_STILL: return GAME_FIRE;
    default: return game_autopilot(stage, game);
    }
}

struct bot_play bot_play(enum bot bot, uint64_t seed, int frames) {
    struct stage *stage = scene_start(scene_find("game"), seed);
    struct bot_play play = {0};
    struct game *game = stage_error(stage) ? NULL : game_of(stage);
    if (game) game_begin(stage, GAME_PLAY);
    for (; game && play.frames < frames && game->phase == GAME_PLAY; play.frames++) {
        game->keys = keys_of(bot, stage, game);
        game_update(stage);
        pv_world_step(stage->world, SCENE_STEP);
        stage_follow(stage);
    }
    if (game) {
        play.score = game->score;
        play.wave = game->wave;
        play.fired = game->fired;
        play.hits = game->hits;
        play.rock_frames = game->rock_frames;
        play.small_frames = game->small_frames;
        play.hash = pv_world_compute_hash(stage->world);
    }
    stage_destroy(stage);
    return play;
}
