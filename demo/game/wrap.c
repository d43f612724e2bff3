/* wrap.c - what leaves the view on one side comes in on the other.
 *
 * Invariant: a body that is drawn at both edges collides at both. It jumps unseen, by the size of
 * the view, to the edge where other bodies are near.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include <math.h>

enum { SOLID = KIND_ROCK | KIND_SHIP | KIND_SAUCER };
static const pv_query_filter solid = {.mask_bits = SOLID};
/// Distances within which another body counts as near, at a body's place and its other place [px]
static const double here = 2, there = 12;

/// Returns the offset along an axis to the other place where a body is drawn, or 0.
static double detour(double low, double high, double size) {
    if (low < 0) return size;
    return high > size ? -size : 0;
}

/// Returns the number of solid bodies near a box.
static int near_box(const struct stage *stage, pv_box box, double dx, double dy, double margin) {
    pv_box moved = {{box.min.x + dx - margin, box.min.y + dy - margin},
                    {box.max.x + dx + margin, box.max.y + dy + margin}};
    return pv_world_query_box(stage->world, moved, &solid, NULL, 0);
}

static bool is_free_there(const struct stage *stage, pv_body_id body, double dx, double dy) {
    pv_placed placed = {pv_body_get_mask(stage->world, body),
                        pv_body_get_transform(stage->world, body)};
    placed.transform.position.x += dx;
    placed.transform.position.y += dy;
    return pv_world_query_mask(stage->world, &placed, &solid, NULL, 0) == 0;
}

/// Tells whether a displacement brings a place nearer to the middle of the view.
static bool brings_home(pv_vec2 at, double dx, double dy) {
    double x = at.x - GAME_WIDTH / 2.0, y = at.y - GAME_HEIGHT / 2.0;
    return fabs(x + dx) + fabs(y + dy) < fabs(x) + fabs(y);
}

/// Moves a body to its other place if others are near only there, or if more of it is there.
/// @param out true if it is out of view, and moves even if no other body is near
static bool leap(struct stage *stage, struct game *game, pv_body_id body, double dx, double dy,
                 bool out) {
    if (dx == 0 && dy == 0) return false;
    pv_box box = pv_body_get_bounds(stage->world, body);
    pv_vec2 at = pv_body_get_position(stage->world, body);
    int own = kind_of(stage, body) & SOLID ? 1 : 0;
    bool alone = near_box(stage, box, 0, 0, here) <= own;
    bool wanted = near_box(stage, box, dx, dy, there) > 0 ||
                  (brings_home(at, dx, dy) && near_box(stage, box, 0, 0, there) <= own);
    if (!out && !(alone && wanted)) return false;
    if (!is_free_there(stage, body, dx, dy)) return false;
    tools_let_go(stage, game, body);
    pv_body_set_position(stage->world, body, (pv_vec2){at.x + dx, at.y + dy});
    return true;
}

/// Ends the arrival of a body whose whole box is in the view.
static void end_arrival(struct stage *stage, pv_body_id body, pv_box box) {
    pv_filter filter = pv_body_get_filter(stage->world, body);
    if (box.min.x < 0 || box.min.y < 0 || box.max.x > GAME_WIDTH || box.max.y > GAME_HEIGHT) return;
    filter.category_bits &= ~STAGE_ARRIVING;
    pv_body_set_filter(stage->world, body, filter);
}

/// Moves a body to the other side if needed. Bodies other than rocks also jump to a rock that
/// crosses an edge.
static void come_round(struct stage *stage, struct game *game, pv_body_id body) {
    pv_box box = pv_body_get_bounds(stage->world, body);
    pv_vec2 v = pv_body_get_velocity(stage->world, body);
    double dx = detour(box.min.x, box.max.x, GAME_WIDTH),
           dy = detour(box.min.y, box.max.y, GAME_HEIGHT);
    bool out_x = (box.max.x < 0 && v.x <= 0) || (box.min.x > GAME_WIDTH && v.x >= 0),
         out_y = (box.max.y < 0 && v.y <= 0) || (box.min.y > GAME_HEIGHT && v.y >= 0);
    if (out_x && leap(stage, game, body, dx, 0, true)) return;
    if (out_y && leap(stage, game, body, 0, dy, true)) return;
    if (space_is_arriving(stage, body)) {
        end_arrival(stage, body, box);
        return;
    }
    if (kind_of(stage, body) != KIND_ROCK) {
        pv_vec2 at = pv_body_get_position(stage->world, body);
        dx = at.x < GAME_WIDTH / 2.0 ? GAME_WIDTH : -GAME_WIDTH;
        dy = at.y < GAME_HEIGHT / 2.0 ? GAME_HEIGHT : -GAME_HEIGHT;
    }
    if (leap(stage, game, body, dx, 0, false) || leap(stage, game, body, 0, dy, false)) return;
    leap(stage, game, body, dx, dy, false);
}

void wrap_all(struct stage *stage, struct game *game) {
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));)
        if (kind_of(stage, b)) come_round(stage, game, b);
}
