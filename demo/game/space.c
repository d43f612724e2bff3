/* space.c - places and ways in wraparound space.
 *
 * Invariant: two places exactly a view apart are the same.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include <math.h>

static double shorter(double way, double size) {
    return way > size / 2 ? way - size : way < -size / 2 ? way + size : way;
}

static double inside(double x, double size) { return x - size * floor(x / size); }

pv_vec2 space_seen(pv_vec2 at) {
    return (pv_vec2){inside(at.x, GAME_WIDTH), inside(at.y, GAME_HEIGHT)};
}

pv_vec2 space_way(pv_vec2 from, pv_vec2 to) {
    return (pv_vec2){shorter(to.x - from.x, GAME_WIDTH), shorter(to.y - from.y, GAME_HEIGHT)};
}

bool space_is_arriving(const struct stage *stage, pv_body_id body) {
    return (pv_body_get_filter(stage->world, body).category_bits & STAGE_ARRIVING) != 0;
}
