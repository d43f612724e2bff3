/* autopilot.c - flies the ship with the keys that a player has.
 *
 * Invariant: it sees no more than a player does, and changes nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include <math.h>

/// Distances within which the ship flees and fires [px], and closing speed up to which it thrusts
/// [px/s]
static const double near = 78, far = 230, cruise = 70;
/// Assumed speed of darts [px/s]
static const double dart_speed = 430;
/// Approximate angle to the rim of a rock within which it fires [rad]
static const double aim = .1;

/// Returns half the side of a square with the area of a rock.
static double size_of(const struct stage *stage, pv_body_id rock) {
    return sqrt((double)pv_mask_count_pixels(pv_body_get_mask(stage->world, rock))) / 2;
}

/// Returns the rock with the nearest rim, or the null id.
static pv_body_id nearest(const struct stage *stage, pv_vec2 from, double *gap) {
    pv_body_id best = {0};
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));) {
        if (kind_of(stage, b) != KIND_ROCK) continue;
        pv_vec2 at = pv_body_get_position(stage->world, b);
        double dx = at.x - from.x, dy = at.y - from.y,
               d = sqrt(dx * dx + dy * dy) - size_of(stage, b);
        if (stage_is_body(best) && d >= *gap) continue;
        best = b;
        *gap = d;
    }
    return best;
}

/// Returns the keys that turn the nose to a direction; off gets the remaining angle [rad].
static unsigned turn_to(const struct stage *stage, pv_body_id ship, pv_vec2 way, double *off) {
    pv_rotation r = pv_body_get_rotation(stage->world, ship);
    pv_rotation left = {r.c * way.x + r.s * way.y, r.c * way.y - r.s * way.x};
    double angle = pv_rotation_get_angle(left);
    *off = angle < 0 ? -angle : angle;
    return *off < .06 ? 0 : angle > 0 ? GAME_RIGHT : GAME_LEFT;
}

unsigned autopilot_keys(const struct stage *stage, const struct game *game) {
    const pv_world *world = stage->world;
    double gap = 0, off, away;
    if (!pv_body_is_valid(world, game->ship)) return 0;
    pv_vec2 from = pv_body_get_position(world, game->ship),
            v = pv_body_get_velocity(world, game->ship);
    pv_body_id rock = nearest(stage, from, &gap);
    if (!stage_is_body(rock)) return 0;
    pv_vec2 to = pv_body_get_position(world, rock), u = pv_body_get_velocity(world, rock);
    double time = gap > 0 ? gap / dart_speed : 0;
    pv_vec2 way = {to.x - from.x + (u.x - v.x) * time, to.y - from.y + (u.y - v.y) * time};
    double closing =
        ((v.x - u.x) * way.x + (v.y - u.y) * way.y) / sqrt(way.x * way.x + way.y * way.y);
    unsigned keys = turn_to(stage, game->ship, way, &off);
    if (off < aim + .5 * size_of(stage, rock) / (gap + 40) && gap < far) keys |= GAME_FIRE;
    /* Flees with its back to the rock. */
    if (gap < near && closing > 12) {
        keys = turn_to(stage, game->ship, (pv_vec2){-way.x, -way.y}, &away) | (keys & GAME_FIRE);
        return away < .9 ? keys | GAME_THRUST : keys;
    }
    if (off < .4 && gap > far && closing < cruise) keys |= GAME_THRUST;
    return keys;
}
