/* ship.c - the ship flies, drifts, fires, and falls apart.
 *
 * Invariant: only its own engine and hits slow it down.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include "stage/dust.h"
#include "stage/scene.h"

#include <math.h>

#define PI 3.14159265358979323846

/// Acceleration [px/s^2] and greatest speed [px/s] of the engine alone
static const double engine = 170, fastest = 260;
/// Angular velocity [rad/s] and angular acceleration [rad/s^2]
static const double turning = 4.4, jets = 60;
/// Speed of darts [px/s], and their density in units of a rock's
static const double dart_speed = 430, dart_density = 10;
/// Speed of puffs [px/s]
static const double puff_speed = 120;
enum { RELOAD = 11, DART_LIFE = 52, SAFE = 150, DRIFT = 900, PUFF_LIFE = 12 };

void ship_launch(struct stage *stage, struct game *game) {
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){GAME_WIDTH / 2.0, GAME_HEIGHT / 2.0};
    def.angle = -PI / 2;
    def.restitution = .5;
    def.static_friction = def.friction = .2;
    def.filter = (pv_filter){KIND_SHIP, 0, 0};
    game->ship = stage_put(stage, game->scout, def);
    game->shields = GAME_SHIELDS;
    game->safe = SAFE;
}

/// Makes the ship solid after its safe time, as soon as no other body is at its place.
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

static void turn(const struct stage *stage, pv_body_id ship, double wanted) {
    double a = (wanted - pv_body_get_angular_velocity(stage->world, ship)) / SCENE_STEP;
    a = a > jets ? jets : a < -jets ? -jets : a;
    pv_body_apply_torque(stage->world, ship, a * pv_body_get_inertia(stage->world, ship));
}

static void puff(struct stage *stage, const struct game *game, pv_rotation r) {
    pv_vec2 at = pv_body_get_position(stage->world, game->ship),
            v = pv_body_get_velocity(stage->world, game->ship);
    double side = stage_uniform(stage, -26, 26);
    pv_particle_def def = pv_particle_def_default();
    def.position = (pv_vec2){at.x - 11 * r.c, at.y - 11 * r.s};
    def.velocity =
        (pv_vec2){v.x - puff_speed * r.c - side * r.s, v.y - puff_speed * r.s + side * r.c};
    def.mass = .01;
    def.radius = stage_uniform(stage, .7, 1.8);
    def.linear_damping = 2;
    def.collides = false;
    def.user_data = (void *)(intptr_t)(game->frame + PUFF_LIFE);
    pv_particle_create(stage->world, &def, NULL);
}

/// Accelerates the ship, up to the greatest speed of the engine alone.
static void thrust(struct stage *stage, struct game *game, pv_rotation r) {
    pv_vec2 v = pv_body_get_velocity(stage->world, game->ship);
    double along = v.x * r.c + v.y * r.s, speed = sqrt(v.x * v.x + v.y * v.y);
    double force = engine * pv_body_get_mass(stage->world, game->ship);
    game->burns = true;
    puff(stage, game, r);
    if (along > 0 && speed > fastest) force = 0;
    pv_body_apply_force(stage->world, game->ship, (pv_vec2){force * r.c, force * r.s});
}

static struct game_dart *free_dart(const struct stage *stage, struct game *game) {
    for (int i = 0; i < GAME_DARTS; i++)
        if (!pv_body_is_valid(stage->world, game->darts[i].body)) return &game->darts[i];
    return NULL;
}

static void fire(struct stage *stage, struct game *game, pv_rotation r) {
    struct game_dart *dart = free_dart(stage, game);
    if (game->reload > 0 || !dart) return;
    pv_vec2 at = pv_body_get_position(stage->world, game->ship),
            v = pv_body_get_velocity(stage->world, game->ship);
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){at.x + 15 * r.c, at.y + 15 * r.s};
    def.velocity = (pv_vec2){v.x + dart_speed * r.c, v.y + dart_speed * r.s};
    def.angle = pv_rotation_get_angle(r);
    def.density = dart_density;
    def.filter = (pv_filter){KIND_DART, KIND_ROCK, 0};
    dart->body = stage_put(stage, game->dart, def);
    dart->left = DART_LIFE;
    game->reload = RELOAD;
    game->events |= GAME_FIRED;
    game->heard_x = at.x;
}

void ship_fly(struct stage *stage, struct game *game, unsigned keys) {
    game->burns = false;
    if (game->reload > 0) game->reload--;
    if (!pv_body_is_valid(stage->world, game->ship)) return;
    pv_rotation r = pv_body_get_rotation(stage->world, game->ship);
    turn(stage, game->ship, (keys & GAME_RIGHT ? turning : 0) - (keys & GAME_LEFT ? turning : 0));
    if (keys & GAME_THRUST) thrust(stage, game, r);
    if (keys & GAME_FIRE) fire(stage, game, r);
    tend_safety(stage, game);
}

void ship_tend_darts(struct stage *stage, struct game *game) {
    for (int i = 0; i < GAME_DARTS; i++)
        if (pv_body_is_valid(stage->world, game->darts[i].body) && game->darts[i].left-- <= 0)
            pv_body_destroy(stage->world, game->darts[i].body);
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

static void tear(struct stage *stage, pv_vec2 at) {
    for (int i = 0; i < 3; i++) {
        pv_rotation r = pv_rotation_from_angle(stage_uniform(stage, -PI, PI));
        double off = stage_uniform(stage, -4, 4);
        pv_vec2 middle = {at.x - off * r.s, at.y + off * r.c};
        stage_slit(stage, KIND_WRECK, (pv_vec2){middle.x - 20 * r.c, middle.y - 20 * r.s},
                   (pv_vec2){middle.x + 20 * r.c, middle.y + 20 * r.s}, 1.5);
    }
}

void ship_wreck(struct stage *stage, struct game *game) {
    pv_vec2 at = pv_body_get_position(stage->world, game->ship),
            v = pv_body_get_velocity(stage->world, game->ship);
    pv_fracture_def fracture = pv_fracture_def_default();
    fracture.min_part_pixels = 8;
    stage_soften(stage, game->ship, &fracture);
    pv_body_set_filter(stage->world, game->ship,
                       (pv_filter){KIND_WRECK, KIND_ROCK | KIND_WRECK, 0});
    tear(stage, at);
    pv_world_explode(stage->world, at, 70, 260);
    dust_burst(stage, at, 6, 40, v, 150);
    eject(stage, game, at, v);
    game->ship = (pv_body_id){0};
}
