/* points.c - the score: what earns points, and what they bring.
 *
 * Invariant: a chain of hits multiplies the points for splits, destroyed rocks and finds.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

enum { SPLIT_POINTS = 40, LIFE_POINTS = 20000 };

int game_factor(const struct game *game) {
    int factor = 1 + game->chain / GAME_LINKS;
    return factor < GAME_MOST_FACTOR ? factor : GAME_MOST_FACTOR;
}

void points_pay(struct game *game, int points) {
    game->score += points;
    if (game->score < game->best_life + LIFE_POINTS) return;
    game->best_life += LIFE_POINTS;
    game->ships++;
    game->events |= GAME_LIFE;
}

void points_pay_split(struct game *game, pv_vec2 at, int parts) {
    if (parts <= 0) return;
    game->reward = parts * SPLIT_POINTS * game_factor(game);
    points_pay(game, game->reward);
    game->rewarded = at;
    game->events |= GAME_BROKE | GAME_REWARDED;
    effects_ring(&game->effects, at, 46, 18, 0xfff0c0ffu);
    effects_burst(&game->effects, at, (pv_vec2){0, 0}, 190, 22, 0xffb050ffu, 30);
    effects_shake(&game->effects, 3);
}
