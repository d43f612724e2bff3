/* gun.c - darts, the heat of the gun, and the chain of hits.
 *
 * Invariant: a dart that hits costs no heat, so only misses stop the gun.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include "stage/scene.h"

/// Speed of darts [px/s], and their density relative to a rock
static const double dart_speed = 430, dart_density = 10;
/// Heat of a dart, loss of heat per second, and heat below which a jammed gun fires again
static const double shot_heat = .1, cooling = .24, cool = .3;
enum { RELOAD = 11, DART_LIFE = 42 };

static struct game_dart *free_dart(const struct stage *stage, struct game *game) {
    for (int i = 0; i < GAME_DARTS; i++)
        if (!pv_body_is_valid(stage->world, game->darts[i].body)) return &game->darts[i];
    return NULL;
}

static void warm(struct game *game) {
    game->heat += shot_heat;
    if (game->heat < 1) return;
    game->heat = 1;
    game->jammed = true;
    game->events |= GAME_OVERHEATED;
}

void gun_fire(struct stage *stage, struct game *game, pv_rotation r) {
    struct game_dart *dart = free_dart(stage, game);
    if (game->reload > 0 || game->jammed || !dart) return;
    pv_vec2 at = pv_body_get_position(stage->world, game->ship),
            v = pv_body_get_velocity(stage->world, game->ship);
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){at.x + 15 * r.c, at.y + 15 * r.s};
    def.velocity = (pv_vec2){v.x + dart_speed * r.c, v.y + dart_speed * r.s};
    def.angle = pv_rotation_get_angle(r);
    def.density = dart_density;
    def.filter = (pv_filter){KIND_DART, KIND_ROCK | KIND_SAUCER, 0};
    dart->body = stage_put(stage, game->dart, def);
    dart->left = DART_LIFE;
    game->reload = RELOAD;
    game->events |= GAME_FIRED;
    game->heard = at;
    game->fired++;
    warm(game);
}

void gun_hit(struct game *game) {
    game->hits++;
    game->chain++;
    game->heat = game->heat > shot_heat ? game->heat - shot_heat : 0;
}

static void miss(struct stage *stage, struct game *game, pv_body_id dart) {
    pv_body_destroy(stage->world, dart);
    if (game_factor(game) > 1) game->events |= GAME_UNCHAINED;
    game->chain = 0;
}

void gun_tend(struct stage *stage, struct game *game) {
    if (game->reload > 0) game->reload--;
    game->heat = game->heat > cooling * SCENE_STEP ? game->heat - cooling * SCENE_STEP : 0;
    if (game->heat < cool) game->jammed = false;
    for (int i = 0; i < GAME_DARTS; i++)
        if (pv_body_is_valid(stage->world, game->darts[i].body) && game->darts[i].left-- <= 0)
            miss(stage, game, game->darts[i].body);
}
