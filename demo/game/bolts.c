/* bolts.c - the shots of foes.
 *
 * Invariant: a bolt ends in a small hole, or when its time is up.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include "stage/props.h"

#include <math.h>
#include <stdlib.h>

/// Speed of a bolt [px/s]
static const double bolt_speed = 165;
enum { BOLT_LIFE = 150 };

void bolts_paint(struct stage *stage, struct game *game) {
    pv_image *bolt = props_picture(stage, 5, 5);
    for (int i = 0; bolt && i < 25; i++)
        if (abs(i % 5 - 2) + abs(i / 5 - 2) < 4)
            props_dot(bolt, i % 5, i / 5,
                      abs(i % 5 - 2) + abs(i / 5 - 2) < 2 ? 0xffffe0ffu : 0xff40a0ffu);
    game->bolt_sprite = stage_keep(stage, "bolt", bolt, NULL);
}

void bolts_shoot(struct stage *stage, struct game *game, pv_vec2 from, double error) {
    if (!pv_body_is_valid(stage->world, game->ship) || !game->bolt_sprite) return;
    pv_vec2 way = space_way(from, pv_body_get_position(stage->world, game->ship));
    pv_rotation bend = pv_rotation_from_angle(stage_uniform(stage, -error, error));
    double far = sqrt(way.x * way.x + way.y * way.y) + 1;
    pv_rotation r = {(way.x * bend.c - way.y * bend.s) / far,
                     (way.y * bend.c + way.x * bend.s) / far};
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){from.x + 10 * r.c, from.y + 10 * r.s};
    def.velocity = (pv_vec2){bolt_speed * r.c, bolt_speed * r.s};
    def.filter = (pv_filter){KIND_BOLT, KIND_ROCK | KIND_SHIP, FOES_GROUP};
    fuses_light(game, stage_put(stage, game->bolt_sprite, def), BOLT_LIFE);
    game->events |= GAME_SHOT_AT;
    game->heard = from;
}
