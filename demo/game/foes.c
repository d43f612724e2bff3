/* foes.c - a saucer that shoots, and the bolts of foes.
 *
 * Invariant: foes are made of pixels, and fall to whatever takes these.
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

/// Speed of the saucer, and of bolts [px/s]; how badly it aims [rad]
static const double saucer_speed = 74, bolt_speed = 165, saucer_error = .3;
enum { SAUCER_WAIT = 1300, SAUCER_RELOAD = 95, BOLT_LIFE = 150, SAUCER_POINTS = 250 };

/* ---- looks ---- */

static void paint_saucer(struct stage *stage, struct game *game) {
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

void foes_paint(struct stage *stage, struct game *game) {
    pv_image *bolt = props_picture(stage, 5, 5);
    for (int i = 0; bolt && i < 25; i++)
        if (abs(i % 5 - 2) + abs(i / 5 - 2) < 4)
            props_dot(bolt, i % 5, i / 5,
                      abs(i % 5 - 2) + abs(i / 5 - 2) < 2 ? 0xffffe0ffu : 0xff40a0ffu);
    game->bolt_sprite = stage_keep(stage, "bolt", bolt, NULL);
    paint_saucer(stage, game);
    hulk_paint(stage, game);
}
/* ---- bolts ---- */

void foes_shoot(struct stage *stage, struct game *game, pv_vec2 from, double error) {
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
    rocks_light(game, stage_put(stage, game->bolt_sprite, def), BOLT_LIFE);
    game->events |= GAME_SHOT_AT;
    game->heard = from;
}

/* ---- saucer ---- */

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
    hits_pay(game, game->reward);
    game->heard = game->rewarded = at;
    game->events |= GAME_EXPLODED | GAME_REWARDED;
    effects_burst(&game->effects, at, v, 220, 50, 0xff80e0ffu, 44);
    effects_ring(&game->effects, at, 60, 24, 0xffb0f0ffu);
    effects_shake(&game->effects, 5);
}

/// Keeps the saucer level, on a wavy way, and shooting.
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
        foes_shoot(stage, game, pv_body_get_position(stage->world, game->saucer), saucer_error);
}

static void tend_saucer(struct stage *stage, struct game *game) {
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
void foes_tend(struct stage *stage, struct game *game) {
    if (game->phase == GAME_OVER) return;
    tend_saucer(stage, game);
    hulk_tend(stage, game);
}
