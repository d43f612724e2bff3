/* parts.h - the interfaces between the parts of the game.
 *
 * Invariant: a part calls only parts below it. rules.c is at the top. points.c, fuses.c and space.c
 * are at the bottom.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PARTS_H
#define PARTS_H

#include "game/game.h"

/// Categories of bodies
enum game_kind {
    KIND_SHIP = 2,
    KIND_ROCK = 4,
    KIND_DART = 8,
    KIND_PILOT = 16,
    KIND_WRECK = 32,
    KIND_GEM = 64,
    KIND_ORE = 128,
    KIND_BOMB = 256,
    KIND_BOLT = 512,
    KIND_SAUCER = 1024
};
#define KINDS 2046u

static inline unsigned kind_of(const struct stage *stage, pv_body_id body) {
    return pv_body_get_filter(stage->world, body).category_bits & KINDS;
}

static inline int64_t pixels_of(const struct stage *stage, pv_body_id body) {
    return pv_mask_count_pixels(pv_body_get_mask(stage->world, body));
}

/* looks.c */

/// Paints the pictures of all rocks.
void looks_paint(struct stage *stage, struct game *game);

/// Returns the color of a crystal's pixel, in facets from bright to deep.
/// @param dx,dy offset from its middle [px]
uint32_t looks_crystal(double dx, double dy);

/* letters.c */

void letters_paint(struct stage *stage, struct game *game);
/// Creates the title, made of rocks.
void letters_send(struct stage *stage, const struct game *game);

/* rocks.c */

/// Creates rocks that fly in from outside the view, all in much the same direction.
void rocks_send(struct stage *stage, struct game *game, int count, double speed);
/// Carves a dart's bite, and a crack that starts in it.
/// @param inward direction, of length 1
/// @return change in the number of rocks; negative if the rock is gone
int rocks_bite(struct stage *stage, struct game *game, pv_body_id rock, pv_vec2 at, pv_vec2 inward);
/// Crumbles slivers after a while, and all small rocks when no larger one is left.
void rocks_tend(struct stage *stage, struct game *game);
int rocks_left(const struct stage *stage);

/* ship.c */

/// Creates a ship in the middle, safe for a while.
void ship_launch(struct stage *stage, struct game *game);
/// Turns, thrusts and fires according to the keys.
void ship_fly(struct stage *stage, struct game *game, unsigned keys);
/// Breaks the ship, and lets its pilot drift away.
void ship_wreck(struct stage *stage, struct game *game);

/* hull.c */

/// Returns the share of a wing's pixels that is left, 0...1.
/// @param side -1: wing at the top of the picture, 1: at the bottom
double hull_wing(const struct stage *stage, const struct game *game, int side);
/// Tells whether enough of the ship is left to fly.
bool hull_flies(const struct stage *stage, const struct game *game);
/// Tears a hole in the hull.
/// @param speed speed of the hit [px/s]
void hull_strike(struct stage *stage, struct game *game, pv_vec2 at, double speed);
/// Lets parts that broke off drift away.
void hull_drop_parts(struct stage *stage, const struct game *game);
/// Puts a pixel back, if there is ore.
void hull_patch(struct stage *stage, struct game *game);

/* finds.c */

/// Alpha of crystal pixels in the pictures of rocks
#define FINDS_ALPHA 253u

/// Returns the hardness of a rock's picture, or null if it has no crystal.
pv_material_map *finds_map(const struct sprite *sprite);
/// Paints ore.
void finds_paint(struct stage *stage, struct game *game);
/// Carves all rocks and saucers, but no crystals.
void finds_cut(struct stage *stage, pv_cut cut);
/// Shatters the crystal at a point, if there is one.
bool finds_shatter(struct stage *stage, struct game *game, pv_body_id rock, pv_vec2 at);
/// Frees the crystal of a rock that has hardly any other pixels.
/// @return false if nothing came free
bool finds_release(struct stage *stage, struct game *game, pv_body_id rock);
void finds_drop_ore(struct stage *stage, struct game *game, pv_vec2 at, pv_vec2 velocity);
/// Gives a crystal or ore to the ship.
void finds_catch(struct stage *stage, struct game *game, pv_body_id find);
/// Pulls finds toward the ship, and frees crystals.
void finds_tend(struct stage *stage, struct game *game);

/* tools.c */

/// Paints the bomb.
void tools_paint(struct stage *stage, struct game *game);
/// Offers three tools.
void tools_offer(struct stage *stage, struct game *game);
/// Marks or takes an offer.
/// @param keys held keys
/// @param pressed keys that were not held in the last step
void tools_choose(struct game *game, unsigned keys, unsigned pressed);
/// Uses the tool, or ends its use.
void tools_use(struct stage *stage, struct game *game);
void tools_tend(struct stage *stage, struct game *game);
void tools_explode(struct stage *stage, struct game *game);
/// Takes the tool away.
void tools_clear(struct stage *stage, struct game *game);
/// Releases the tether if a body is at one of its ends.
void tools_let_go(struct stage *stage, struct game *game, pv_body_id body);

/* bolts.c */

/// Collision group of foes, whose bolts hit no foe
#define FOES_GROUP (-1)

void bolts_paint(struct stage *stage, struct game *game);
/// Fires a bolt at the ship.
/// @param error greatest error of its direction [rad]
void bolts_shoot(struct stage *stage, struct game *game, pv_vec2 from, double error);

/* saucer.c */

void saucer_paint(struct stage *stage, struct game *game);
/// Sends the saucer, flies it, lets it shoot, and ends it.
void saucer_tend(struct stage *stage, struct game *game);

/* hulk.c */

void hulk_paint(struct stage *stage, struct game *game);
/// Sends the hulk.
void hulk_send(struct stage *stage, struct game *game);
void hulk_tend(struct stage *stage, struct game *game);

/* gun.c */

/// Fires a dart, unless the gun is hot or loading.
void gun_fire(struct stage *stage, struct game *game, pv_rotation r);
/// Cools the gun, and destroys darts whose time is up, as misses.
void gun_tend(struct stage *stage, struct game *game);
/// Counts a hit, and gives back the heat of its dart.
void gun_hit(struct game *game);

/* hits.c */

/// Handles all hits of a step.
void hits_heed(struct stage *stage, struct game *game);

/* points.c */

void points_pay(struct game *game, int points);
/// Pays for the new rocks of a split, if there are any.
void points_pay_split(struct game *game, pv_vec2 at, int parts);

/* fuses.c */

/// Gives a body a number of frames to live, unless it has a fuse already.
void fuses_light(struct game *game, pv_body_id body, int frames);

/* space.c */

/// Tells whether a body is still on its way in, and so is at one edge only.
bool space_is_arriving(const struct stage *stage, pv_body_id body);
/// Returns the shortest way from one place to another in wraparound space [px].
pv_vec2 space_way(pv_vec2 from, pv_vec2 to);

/* wrap.c */

/// Moves all bodies that left the view to its other side.
void wrap_all(struct stage *stage, struct game *game);

/* paint.c, painters of a stage */

struct lens;
void paint_below(const struct lens *lens);
void paint_above(const struct lens *lens);

#endif
