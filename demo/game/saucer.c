/* saucer.c - a saucer that shoots.
 *
 * Invariant: it is made of pixels, and ends once too few of them are left.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include "stage/grains.h"
#include "stage/props.h"
#include "stage/texture.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

/// Speed [px/s], and greatest error of its aim [rad]
static const double saucer_speed = 74, saucer_error = .3;
enum { SAUCER_WAIT = 1300, SAUCER_RELOAD = 95, SAUCER_POINTS = 250 };

void saucer_paint(struct stage *stage, struct game *game) {
    pv_image *image = props_picture(stage, 30, 14);
    for (int i = 0; image && i < 30 * 14; i++) {
        double dx = i % 30 - 14.5, dy = i / 30 - 8.0, dish = dx * dx / 210 + dy * dy / 16,
               dome = dx * dx / 50 + (dy + 2) * (dy + 2) / 36;
        if (dish < 1)
            props_dot(image, i % 30, i / 30,
                      fabs(dy) < 1 && i % 4 < 2 ? 0xffe060ffu
                                                : texture_lit(0xc070b0ffu, 1 - .12 * dy));
        else if (dome < 1 && dy < 0)
            props_dot(image, i % 30, i / 30, texture_lit(0x80e0d0ffu, 1.1 - .04 * dx));
    }
    game->saucer_sprite = stage_keep(stage, "saucer", image, NULL);
}

/* ---- flight ---- */

static void send_saucer(struct stage *stage, struct game *game) {
    pv_body_def def = pv_body_def_default();
    double side = stage_pick(stage, 2) == 0 ? -1 : 1;
    def.position = (pv_vec2){GAME_WIDTH / 2.0 - side * (GAME_WIDTH / 2.0 + 24),
                             stage_uniform(stage, 50, GAME_HEIGHT - 50)};
    def.velocity = (pv_vec2){side * saucer_speed, 0};
    def.restitution = .6;
    def.filter = (pv_filter){KIND_SAUCER | STAGE_SOFT | STAGE_ARRIVING, ~0u, FOES_GROUP};
    game->saucer = stage_put(stage, game->saucer_sprite, def);
    game->saucer_way = side;
    game->events |= GAME_SAUCER;
}

static void end_saucer(struct stage *stage, struct game *game) {
    pv_vec2 at = pv_body_get_position(stage->world, game->saucer),
            v = pv_body_get_velocity(stage->world, game->saucer);
    finds_drop_ore(stage, game, at, v);
    finds_drop_ore(stage, game, at, v);
    grains_crumble(stage, game->saucer);
    game->reward = SAUCER_POINTS * game_factor(game);
    points_pay(game, game->reward);
    game->heard = game->rewarded = at;
    game->events |= GAME_EXPLODED | GAME_REWARDED;
    effects_burst(&game->effects, at, v, 220, 50, 0xff80e0ffu, 44);
    effects_ring(&game->effects, at, 60, 24, 0xffb0f0ffu);
    effects_shake(&game->effects, 5);
}

/// Flies the saucer level along a wavy path, and lets it shoot.
static void fly_saucer(struct stage *stage, struct game *game) {
    pv_rotation sway = pv_rotation_from_angle((game->frame % 160 - 80) / 80.0 * PI);
    pv_vec2 v = pv_body_get_velocity(stage->world, game->saucer),
            wanted = {game->saucer_way * saucer_speed, 36 * sway.s};
    double mass = pv_body_get_mass(stage->world, game->saucer),
           tilt = pv_body_get_angle(stage->world, game->saucer),
           spin = pv_body_get_angular_velocity(stage->world, game->saucer);
    pv_body_apply_force(stage->world, game->saucer,
                        (pv_vec2){2 * mass * (wanted.x - v.x), 2 * mass * (wanted.y - v.y)});
    pv_body_apply_torque(stage->world, game->saucer,
                         pv_body_get_inertia(stage->world, game->saucer) * (-20 * tilt - 6 * spin));
    if (game->frame % SAUCER_RELOAD == 0)
        bolts_shoot(stage, game, pv_body_get_position(stage->world, game->saucer), saucer_error);
}

void saucer_tend(struct stage *stage, struct game *game) {
    if (!pv_body_is_valid(stage->world, game->saucer)) {
        if (game->wave < 2 || game->choosing > 0 || ++game->saucer_wait < SAUCER_WAIT) return;
        game->saucer_wait = 0;
        send_saucer(stage, game);
    } else if (5 * pixels_of(stage, game->saucer) <
               3 * pv_mask_count_pixels(game->saucer_sprite->mask)) {
        end_saucer(stage, game);
    } else {
        fly_saucer(stage, game);
    }
}
