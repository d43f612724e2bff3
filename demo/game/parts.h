/* parts.h - the interfaces between the parts of the game.
 *
 * Invariant: rocks.c and ship.c do not know the rules; rules.c knows both.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PARTS_H
#define PARTS_H

#include "game/game.h"

/// Categories of bodies
enum game_kind { KIND_SHIP = 2, KIND_ROCK = 4, KIND_DART = 8, KIND_PILOT = 16, KIND_WRECK = 32 };
#define KINDS 62u

static inline unsigned kind_of(const struct stage *stage, pv_body_id body) {
    return pv_body_get_filter(stage->world, body).category_bits & KINDS;
}

/* rocks.c */

/// Paints all rocks of a stage.
void rocks_paint(struct stage *stage, struct game *game);
/// Creates rocks that fly in from outside the view.
void rocks_send(struct stage *stage, struct game *game, int count, double speed);
/// Carves a dart's bite, and the crack that goes on from it.
/// @param inward direction, of length 1
/// @return number of removed pixels
int64_t rocks_bite(struct stage *stage, pv_body_id rock, pv_vec2 at, pv_vec2 inward);
int rocks_left(const struct stage *stage);

/* ship.c */

/// Creates a ship in the middle, safe for a while.
void ship_launch(struct stage *stage, struct game *game);
/// Turns, thrusts and fires according to the keys.
void ship_fly(struct stage *stage, struct game *game, unsigned keys);
/// Breaks the ship, and lets its pilot drift away.
void ship_wreck(struct stage *stage, struct game *game);
/// Destroys darts that have flown long enough.
void ship_tend_darts(struct stage *stage, struct game *game);

/* autopilot.c */

/// Returns the keys of the autopilot.
unsigned autopilot_keys(const struct stage *stage, const struct game *game);

#endif
