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

static inline int64_t pixels_of(const struct stage *stage, pv_body_id body) {
    return pv_mask_count_pixels(pv_body_get_mask(stage->world, body));
}

/* looks.c */

/// Paints all rocks of a stage.
void looks_paint(struct stage *stage, struct game *game);

/* rocks.c */

/// Creates rocks that fly in from outside the view, all in much the same direction.
void rocks_send(struct stage *stage, struct game *game, int count, double speed);
/// Carves a dart's bite, and the crack that goes on from it.
/// @param inward direction, of length 1
/// @return number of rocks that it made or ended
int rocks_bite(struct stage *stage, struct game *game, pv_body_id rock, pv_vec2 at, pv_vec2 inward);
/// Lets slivers fall apart, and all small rocks when no larger one is left.
void rocks_tend(struct stage *stage, struct game *game);
int rocks_left(const struct stage *stage);

/* ship.c */

/// Creates a ship in the middle, safe for a while.
void ship_launch(struct stage *stage, struct game *game);
/// Turns, thrusts and fires according to the keys.
void ship_fly(struct stage *stage, struct game *game, unsigned keys);
/// Breaks the ship, and lets its pilot drift away.
void ship_wreck(struct stage *stage, struct game *game);

/* gun.c */

/// Fires a dart, unless the gun is hot or loading.
void gun_fire(struct stage *stage, struct game *game, pv_rotation r);
/// Cools the gun, and destroys darts that have flown long enough: misses.
void gun_tend(struct stage *stage, struct game *game);
/// Counts a dart that hit. Its heat is given back.
void gun_hit(struct game *game);

/* hits.c */

/// Handles all hits of a step.
void hits_heed(struct stage *stage, struct game *game);
void hits_pay(struct game *game, int points);

/* space.c */

/// Brings all bodies that left the view in on the other side.
void space_wrap(struct stage *stage);
/// Tells whether a body is still on its way in, so that it is at one edge only.
bool space_is_arriving(const struct stage *stage, pv_body_id body);
/// Returns the shortest way from a place to another in round space [px].
pv_vec2 space_way(pv_vec2 from, pv_vec2 to);

/* paint.c; hooks of a stage */

struct lens;
void paint_below(const struct lens *lens);
void paint_above(const struct lens *lens);

#endif
