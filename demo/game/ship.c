/* ship.c - the ship flies, drifts, fires, and falls apart.
 *
 * Invariant: only its own engine and hits slow it down.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include "stage/scene.h"

#include <math.h>

#define PI 3.14159265358979323846

/// Acceleration of the engine [px/s^2], and speed above which it adds none [px/s]
static const double engine = 170, fastest = 260;
/// Angular velocity of a turn [rad/s], and angular acceleration by the jets [rad/s^2]
static const double turning = 4.4, jets = 60;
/// Share of a jet's power without its wing, and turning by the engine on one wing [rad/s]
static const double weak = .08, drag = -1.1;
/// Speed of puffs [px/s]
static const double puff_speed = 120;
enum { SAFE = 150, DRIFT = 900, PUFF_LIFE = 18 };

void ship_launch(struct stage *stage, struct game *game) {
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){GAME_WIDTH / 2.0, GAME_HEIGHT / 2.0};
    def.angle = -PI / 2;
    def.restitution = .5;
    def.static_friction = def.friction = .2;
    def.filter = (pv_filter){KIND_SHIP, 0, 0};
    pv_fracture_def fracture = pv_fracture_def_default();
    fracture.min_part_pixels = 8;
    game->ship = stage_put(stage, game->scout, def);
    if (stage_is_body(game->ship)) pv_body_set_fracture(stage->world, game->ship, &fracture);
    game->ore = game->stunned = 0;
    game->safe = SAFE;
    game->effects.trail_length = 0;
}

/// Makes the ship solid after its safe time, as soon as it overlaps no rock or wreck.
static void tend_safety(struct stage *stage, struct game *game) {
    const pv_mask *mask = pv_body_get_mask(stage->world, game->ship);
    pv_query_filter others = {.mask_bits = KIND_ROCK | KIND_WRECK};
    pv_placed placed = {mask, pv_body_get_transform(stage->world, game->ship)};
    if (game->safe == 0) return;
    if (--game->safe > 0) return;
    if (pv_world_query_mask(stage->world, &placed, &others, NULL, 0) > 0)
        game->safe = 1;
    else
        pv_body_set_filter(stage->world, game->ship, (pv_filter){KIND_SHIP, ~0u, 0});
}

/// Turns the ship. A wing's jets turn it away from that wing, and weaken as the wing is lost.
static void turn(const struct stage *stage, const struct game *game, double wanted) {
    double clockwise = jets * (weak + (1 - weak) * hull_wing(stage, game, -1)),
           back = jets * (weak + (1 - weak) * hull_wing(stage, game, 1));
    double a = (wanted - pv_body_get_angular_velocity(stage->world, game->ship)) / SCENE_STEP;
    a = a > clockwise ? clockwise : a < -back ? -back : a;
    pv_body_apply_torque(stage->world, game->ship,
                         a * pv_body_get_inertia(stage->world, game->ship));
}

static void puff(const struct stage *stage, struct game *game, pv_rotation r) {
    struct effects *effects = &game->effects;
    pv_vec2 at = pv_body_get_position(stage->world, game->ship),
            v = pv_body_get_velocity(stage->world, game->ship);
    for (int i = 0; i < 3; i++) {
        double side = effects_uniform(effects, -28, 28);
        double fast = effects_uniform(effects, .6, 1.3) * puff_speed;
        struct spark spark = {{at.x - 10 * r.c, at.y - 10 * r.s}, {0, 0}, 0xffd060ffu, 0, 0, 2.4};
        spark.velocity = (pv_vec2){v.x - fast * r.c - side * r.s, v.y - fast * r.s + side * r.c};
        spark.life = (int)effects_uniform(effects, 6, PUFF_LIFE);
        effects_spark(effects, spark);
    }
}

/// Burns the engine. A ship that flies forward at its greatest speed gains none.
static void thrust(struct stage *stage, struct game *game, pv_rotation r) {
    pv_vec2 v = pv_body_get_velocity(stage->world, game->ship);
    double along = v.x * r.c + v.y * r.s, speed = sqrt(v.x * v.x + v.y * v.y);
    double force = engine * (double)pv_mask_count_pixels(game->scout->mask);
    game->burns = true;
    puff(stage, game, r);
    if (along > 0 && speed > fastest) force = 0;
    pv_body_apply_force(stage->world, game->ship, (pv_vec2){force * r.c, force * r.s});
}

void ship_fly(struct stage *stage, struct game *game, unsigned keys) {
    game->burns = false;
    if (!pv_body_is_valid(stage->world, game->ship)) return;
    pv_rotation r = pv_body_get_transform(stage->world, game->ship).rotation;
    double wanted = (keys & GAME_RIGHT ? turning : 0) - (keys & GAME_LEFT ? turning : 0);
    /* The engine pulls to the side of a lost wing. */
    if (keys & GAME_THRUST)
        wanted += drag * (hull_wing(stage, game, 1) - hull_wing(stage, game, -1));
    turn(stage, game, wanted);
    if (keys & GAME_THRUST) thrust(stage, game, r);
    if (keys & GAME_FIRE) gun_fire(stage, game, r);
    tend_safety(stage, game);
    hull_patch(stage, game);
    pv_vec2 at = pv_body_get_position(stage->world, game->ship);
    effects_trail(&game->effects, (pv_vec2){at.x - 9 * r.c, at.y - 9 * r.s});
}

/* ---- its end ---- */

static void eject(struct stage *stage, struct game *game, pv_vec2 at, pv_vec2 velocity) {
    pv_rotation r = pv_rotation_from_angle(stage_uniform(stage, -PI, PI));
    pv_body_def def = pv_body_def_default();
    def.position = at;
    def.velocity = (pv_vec2){.4 * velocity.x + 26 * r.c, .4 * velocity.y + 26 * r.s};
    def.angular_velocity = stage_uniform(stage, -3, 3);
    def.restitution = .6;
    def.filter = (pv_filter){KIND_PILOT, KIND_ROCK | KIND_SHIP, 0};
    if (pv_body_is_valid(stage->world, game->pilot)) pv_body_destroy(stage->world, game->pilot);
    game->pilot = stage_put(stage, game->astronaut, def);
    game->drift = DRIFT;
}

/// Lets each pixel of the ship fly off as a spark of its color, only for show.
static void scatter_pixels(const struct stage *stage, struct game *game, pv_vec2 at, pv_vec2 v) {
    const struct sprite *sprite = stage_sprite_of(stage, game->ship);
    const pv_mask *mask = pv_body_get_mask(stage->world, game->ship);
    for (int y = 0; sprite && y < pv_mask_get_height(mask); y++)
        for (int x = 0; x < pv_mask_get_width(mask); x++) {
            if (!pv_mask_get_pixel(mask, x, y)) continue;
            const unsigned char *p = sprite_texel(sprite, x, y);
            struct spark spark = {.color = PV_RGBA(p[0], p[1], p[2], 255), .size = 2.2};
            double out = effects_uniform(&game->effects, 1, 7);
            spark.at = pv_body_to_world(stage->world, game->ship, (pv_vec2){x + .5, y + .5});
            spark.velocity = (pv_vec2){.5 * v.x + out * (spark.at.x - at.x),
                                       .5 * v.y + out * (spark.at.y - at.y)};
            spark.life = (int)effects_uniform(&game->effects, 50, 110);
            effects_spark(&game->effects, spark);
        }
}

/// Cuts a wreck into small squares, along and across.
static void tear(struct stage *stage, pv_vec2 at) {
    const double reach = 22, distance = 5;
    pv_rotation r = pv_rotation_from_angle(stage_uniform(stage, -PI, PI));
    for (int i = -2; i <= 2; i++)
        for (int across = 0; across < 2; across++) {
            pv_rotation way = across ? (pv_rotation){-r.s, r.c} : r;
            pv_vec2 middle = {at.x - (distance * i + 2) * way.s, at.y + (distance * i + 2) * way.c};
            stage_slit(stage, KIND_WRECK,
                       (pv_vec2){middle.x - reach * way.c, middle.y - reach * way.s},
                       (pv_vec2){middle.x + reach * way.c, middle.y + reach * way.s}, 1.2);
        }
}

void ship_wreck(struct stage *stage, struct game *game) {
    tools_let_go(stage, game, game->ship);
    pv_vec2 at = pv_body_get_position(stage->world, game->ship),
            v = pv_body_get_velocity(stage->world, game->ship);
    effects_burst(&game->effects, at, v, 240, 50, 0xffb060ffu, 60);
    scatter_pixels(stage, game, at, v);
    pv_fracture_def fracture = pv_fracture_def_default();
    fracture.min_part_pixels = 4;
    stage_soften(stage, game->ship, &fracture);
    pv_body_set_filter(stage->world, game->ship,
                       (pv_filter){KIND_WRECK, KIND_ROCK | KIND_WRECK, 0});
    tear(stage, at);
    pv_world_explode(stage->world, at, 70, 90);
    effects_ring(&game->effects, at, 110, 34, 0xffd090ffu);
    effects_shake(&game->effects, 11);
    game->effects.flash = .6;
    game->effects.trail_length = 0;
    game->heard = at;
    eject(stage, game, at, v);
    game->ship = (pv_body_id){0};
}
