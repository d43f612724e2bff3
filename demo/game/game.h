/* game.h - Rubble: a ship among rocks that lose every pixel that is shot out of them. Rules,
 * without window and sound.
 *
 * Invariant: all that happens follows from the stage's dice and the keys of each step. What touches
 * what, and what breaks where, only the library says.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef GAME_H
#define GAME_H

#include "../stage.h"

/// The view: canvases of this size show it pixel by pixel.
enum { GAME_WIDTH = 640, GAME_HEIGHT = 360 };

enum game_phase {
    /// It plays itself, for ever
    GAME_ATTRACT,
    GAME_PLAY,
    /// The last ship is lost
    GAME_OVER
};

/// The ship's controls, or-ed together.
enum game_key { GAME_LEFT = 1, GAME_RIGHT = 2, GAME_THRUST = 4, GAME_FIRE = 8 };

/// What happened in a step, or-ed together.
enum game_event {
    GAME_FIRED = 1,
    /// A dart took a bite of a rock
    GAME_BIT = 2,
    /// A rock fell apart, or its last pixels went
    GAME_BROKE = 4,
    /// Two rocks, or the ship not hard
    GAME_BUMPED = 8,
    /// The ship hard: a shield is gone
    GAME_STRUCK = 16,
    /// The ship
    GAME_LOST = 32,
    /// New rocks
    GAME_WAVE = 64,
    /// One more ship
    GAME_LIFE = 128,
    /// The pilot
    GAME_RESCUED = 256
};

enum { GAME_SHIPS = 3, GAME_SHIELDS = 3, GAME_DARTS = 16, GAME_ROCK_KINDS = 12 };

struct game {
    enum game_phase phase;
    /// That the player holds, of enum game_key
    unsigned keys;
    /// By a visitor, in place of the autopilot
    bool flown;
    /// Of the last step
    unsigned events;
    int frame;
    /// best_life: the score that brought the last additional ship
    int score, best_life;
    int wave, ships, shields;
    /// Frames until the next rocks or the next ship
    int pause;
    /// The null name or stale: there is none
    pv_body_id ship, pilot;
    /// Frames for which the ship passes through all
    int safe;
    /// Frames until the next dart, and for which the pilot stays
    int reload, drift;
    /// The engine
    bool burns;
    /// Frames since which a shield flashes, counted down
    int stunned;
    /// Where the last event was [px]
    double heard_x;
    struct game_dart {
        pv_body_id body;
        /// Frames
        int left;
    } darts[GAME_DARTS];
    /// Null after a failure
    const struct sprite *rocks[GAME_ROCK_KINDS], *scout, *dart, *astronaut;
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
