/* game.c - the game, as a scene that plays itself.
 *
 * Invariant: without a player it is as reproducible as any scene.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "game/game.h"

const struct scene scene_game = {"game",
                                 "Rubble, the game, as it plays itself until an arrow is pressed",
                                 game_setup, game_update};
