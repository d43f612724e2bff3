/* game.h - Rubble: a ship among rocks that lose every pixel that is shot out of them. Rules, without window and sound.
 *
 * Invariant: all that happens follows from the stage's dice and the keys of each step. What touches what, and what breaks where,
 * only the library says.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef GAME_H
#define GAME_H

#include "../stage.h"

/// The view: canvases of this size show it pixel by pixel.
enum { GAME_WIDTH = 640, GAME_HEIGHT = 360 };

enum game_phase {
    GAME_ATTRACT, ///< it plays itself, for ever
    GAME_PLAY,
    GAME_OVER ///< the last ship is lost
};

/// The ship's controls, or-ed together.
enum game_key { GAME_LEFT = 1, GAME_RIGHT = 2, GAME_THRUST = 4, GAME_FIRE = 8 };

/// What happened in a step, or-ed together.
enum game_event {
    GAME_FIRED = 1,
    GAME_BIT = 2,      ///< a dart took a bite of a rock
    GAME_BROKE = 4,    ///< a rock fell apart, or its last pixels went
    GAME_BUMPED = 8,   ///< two rocks, or the ship not hard
    GAME_STRUCK = 16,  ///< the ship hard: a shield is gone
    GAME_LOST = 32,    ///< the ship
    GAME_WAVE = 64,    ///< new rocks
    GAME_LIFE = 128,   ///< one more ship
    GAME_RESCUED = 256 ///< the pilot
};

enum { GAME_SHIPS = 3, GAME_SHIELDS = 3, GAME_DARTS = 16, GAME_ROCK_KINDS = 12 };

struct game {
    enum game_phase phase;
    unsigned keys;   ///< that the player holds, of enum game_key
    bool flown;      ///< by a visitor, in place of the autopilot
    unsigned events; ///< of the last step
    int frame;
    int score, best_life; ///< best_life: the score that brought the last additional ship
    int wave, ships, shields;
    int pause;              ///< frames until the next rocks or the next ship
    pv_body_id ship, pilot; ///< the null name or stale: there is none
    int safe;               ///< frames for which the ship passes through all
    int reload, drift;      ///< frames until the next dart, and for which the pilot stays
    bool burns;             ///< the engine
    int stunned;            ///< frames since which a shield flashes, counted down
    double heard_x;         ///< where the last event was [px]
    struct game_dart {
        pv_body_id body;
        int left; ///< frames
    } darts[GAME_DARTS];
    const struct sprite *rocks[GAME_ROCK_KINDS], *scout, *dart, *astronaut; ///< null after a failure
};

/* A scene's hooks */

void game_setup(struct stage *stage);
void game_update(struct stage *stage);

/// The game of a stage.
/// @return null after a failure
struct game *game_of(struct stage *stage);

/// Begins a play, with nothing left of what was.
void game_begin(struct stage *stage, enum game_phase phase);

/// Puts a rock.
/// @param sprite any: with a ring in a rock's place the ship flies through its hole
pv_body_id game_add_rock(struct stage *stage, const struct sprite *sprite, pv_vec2 at, double angle,
                         pv_vec2 velocity, double spin);

#endif
