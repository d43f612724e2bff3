/* hull.c - the ship loses pixels, flies with those that are left, and is patched with ore.
 *
 * Invariant: the hull is always a part of the scout's picture. It flies while the pilot's seat and
 * half of its pixels are left.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include <math.h>

/// Least and greatest radius of a hole [px], and speed of a hit that adds 1 px to it [px/s]
static const double least_hole = 3.6, most_hole = 6.5, speed_a_pixel = 60;
/// Least share of the hull's pixels that flies
static const double least_part = .5;
/// Reach of the pilot's seat from its middle [px], and frames between patched pixels
enum { SEAT = 1, PATCHING = 3 };

static bool has_pixel(const struct stage *stage, const struct game *game, int x, int y) {
    return pv_mask_get_pixel(pv_body_get_mask(stage->world, game->ship), x, y);
}

double hull_left(const struct stage *stage, const struct game *game) {
    if (!game->scout || !pv_body_is_valid(stage->world, game->ship)) return 0;
    return (double)pixels_of(stage, game->ship) / (double)pv_mask_count_pixels(game->scout->mask);
}

double hull_wing(const struct stage *stage, const struct game *game, int side) {
    const pv_mask *whole = game->scout->mask;
    int width = pv_mask_get_width(whole), height = pv_mask_get_height(whole), all = 0, left = 0;
    for (int y = side < 0 ? 0 : height - height / 3; y < (side < 0 ? height / 3 : height); y++)
        for (int x = 0; x < width; x++) {
            all += pv_mask_get_pixel(whole, x, y);
            left += has_pixel(stage, game, x, y);
        }
    return all > 0 ? (double)left / all : 1;
}

bool hull_flies(const struct stage *stage, const struct game *game) {
    int x = (int)game->scout->center.x, y = (int)game->scout->center.y, seat = 0;
    for (int i = -SEAT; i <= SEAT; i++)
        for (int k = -SEAT; k <= SEAT; k++) seat += has_pixel(stage, game, x + i, y + k);
    return seat >= 5 && hull_left(stage, game) >= least_part;
}

void hull_strike(struct stage *stage, struct game *game, pv_vec2 at, double speed) {
    double radius = fmin(least_hole + speed / speed_a_pixel, most_hole);
    pv_cut cut = pv_cut_circle(at, radius);
    pv_body_carve(stage->world, game->ship, &cut, NULL);
    if (pv_body_is_valid(stage->world, game->ship))
        effects_glow(&game->effects, stage, KIND_SHIP, at, at, radius);
}

void hull_drop_parts(struct stage *stage, const struct game *game) {
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));)
        if (kind_of(stage, b) == KIND_SHIP && !PV_ID_EQUALS(b, game->ship))
            pv_body_set_filter(stage->world, b, (pv_filter){KIND_WRECK, KIND_ROCK, 0});
}

/// Finds the missing pixel nearest to the middle that touches the hull.
static bool find_gap(const struct stage *stage, const struct game *game, int *gap_x, int *gap_y) {
    const pv_mask *whole = game->scout->mask;
    double best = 1e9;
    for (int y = 0; y < pv_mask_get_height(whole); y++)
        for (int x = 0; x < pv_mask_get_width(whole); x++) {
            if (!pv_mask_get_pixel(whole, x, y) || has_pixel(stage, game, x, y)) continue;
            if (!has_pixel(stage, game, x - 1, y) && !has_pixel(stage, game, x + 1, y) &&
                !has_pixel(stage, game, x, y - 1) && !has_pixel(stage, game, x, y + 1))
                continue;
            double dx = x - game->scout->center.x, dy = y - game->scout->center.y,
                   far = dx * dx + dy * dy;
            if (far >= best) continue;
            best = far;
            *gap_x = x;
            *gap_y = y;
        }
    return best < 1e9;
}

void hull_patch(struct stage *stage, struct game *game) {
    int x = 0, y = 0;
    if (game->ore <= 0 || game->frame % PATCHING != 0) return;
    if (!find_gap(stage, game, &x, &y)) return;
    pv_cut cut = pv_cut_box((pv_vec2){x + .25, y + .25}, (pv_vec2){x + .75, y + .75});
    cut.local = cut.add = true;
    if (pv_body_carve(stage->world, game->ship, &cut, NULL) != PV_OK) return;
    game->ore--;
    pv_vec2 at = pv_body_to_world(stage->world, game->ship, (pv_vec2){x + .5, y + .5});
    effects_burst(&game->effects, at, pv_body_get_velocity(stage->world, game->ship), 30, 2,
                  0xffe070ffu, 14);
}
