/* hulk.c - a foe of twenty thousand pixels with turrets.
 *
 * Invariant: a turret shoots while most of its pixels are left. Without turrets the hulk breaks.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include "stage/props.h"
#include "stage/texture.h"

#include <math.h>

#define PI 3.14159265358979323846

/// Range of the turrets [px], greatest error of their aim [rad], and their radius [px]
static const double turret_reach = 330, turret_error = .14;
enum { TURRET = 8 };
/// Half axes of the hulk [px], its speed [px/s], and rate at which it reaches that speed [1/s]
static const double hulk_x = 127, hulk_y = 53, hulk_speed = 30, hulk_steer = .8;
enum { TURRET_RELOAD = 150, TURRET_POINTS = 400, HULK_POINTS = 3000 };

/* ---- looks ---- */

static const pv_point turrets[GAME_TURRETS] = {{36, 24}, {98, 9},  {168, 9},
                                               {36, 83}, {98, 98}, {168, 98}};
enum { HULK_WIDTH = 256, HULK_HEIGHT = 108 };

static double reach_from(pv_point from, int x, int y) {
    double dx = x - from.x, dy = y - from.y;
    return sqrt(dx * dx + dy * dy);
}

static bool is_hull(double dx, double dy) {
    double u = dx / hulk_x, v = dy / hulk_y;
    bool bay = fabs(fabs(dx + 6) - 56) < 9 && fabs(dy) > 40;
    bool engine = dx < -104 && fabs(fabs(dy) - 12) < 4;
    return u * u + v * v < 1 && !bay && !engine;
}

/// Returns the color of the hulk's plates: steel with seams, a red band, and lit windows.
static uint32_t plate_color(double dx, double dy) {
    int x = (int)(dx + 200), y = (int)(dy + 200), row = y / 11;
    int column = (x + 7 * (row % 2)) / 16;
    double light = .95 - .006 * dy - .0008 * dx + .16 * (texture_grain(5, column, row) % 100) / 100;
    if (y % 11 == 0 || (x + 7 * (row % 2)) % 16 == 0) light -= .25;
    if (!is_hull(dx - 2, dy - 2)) light += .35;
    if (!is_hull(dx + 2, dy + 2)) light -= .3;
    if (fabs(dy) < 3 && x % 9 < 4 && fabs(dx) > 30) return 0xffe890ffu;
    uint32_t steel = fabs(fabs(dy) - 24) < 4 ? 0xb04848ffu : 0x8088a0ffu;
    return texture_lit(steel, light);
}

static uint32_t turret_color(double far) {
    if (far < 2.5) return 0xff5030ffu;
    return far < 4 ? 0x402028ffu : far < 6.5 ? 0xb8a070ffu : 0x605038ffu;
}

static uint32_t hulk_color(int x, int y) {
    double dx = x + .5 - HULK_WIDTH / 2.0, dy = y + .5 - HULK_HEIGHT / 2.0;
    for (int i = 0; i < GAME_TURRETS; i++)
        if (reach_from(turrets[i], x, y) < TURRET)
            return turret_color(reach_from(turrets[i], x, y));
    if (!is_hull(dx, dy)) return 0;
    if (fabs(dx) + .8 * fabs(dy) < 13) return looks_crystal(.6 * dx, .6 * dy);
    return plate_color(dx, dy);
}

void hulk_paint(struct stage *stage, struct game *game) {
    pv_image *image = props_picture(stage, HULK_WIDTH, HULK_HEIGHT);
    for (int y = 0; image && y < HULK_HEIGHT; y++)
        for (int x = 0; x < HULK_WIDTH; x++)
            if (hulk_color(x, y) != 0) props_dot(image, x, y, hulk_color(x, y));
    game->hulk_sprite = stage_keep(stage, "hulk", image, NULL);
}
/* ---- its parts ---- */

void hulk_send(struct stage *stage, struct game *game) {
    if (!game->hulk_sprite) return;
    game->hulk = game_add_rock(stage, game->hulk_sprite, (pv_vec2){-150, 120}, 0,
                               (pv_vec2){hulk_speed, 0}, 0);
    pv_filter filter = pv_body_get_filter(stage->world, game->hulk);
    filter.category_bits |= STAGE_ARRIVING;
    filter.group_index = FOES_GROUP;
    pv_body_set_filter(stage->world, game->hulk, filter);
    for (int i = 0; i < GAME_TURRETS; i++) game->turrets[i] = true;
    game->events |= GAME_HULK;
}

/// Tells whether most pixels of a turret are left.
static bool has_turret(const struct stage *stage, const struct game *game, pv_point at) {
    const pv_mask *mask = pv_body_get_mask(stage->world, game->hulk);
    int all = 0, left = 0;
    for (int y = at.y - TURRET; y <= at.y + TURRET; y++)
        for (int x = at.x - TURRET; x <= at.x + TURRET; x++) {
            if (reach_from(at, x, y) >= TURRET) continue;
            all++;
            left += pv_mask_get_pixel(mask, x, y);
        }
    return 2 * left > all;
}

static void lose_turret(struct game *game, pv_vec2 at) {
    game->reward = TURRET_POINTS * game_factor(game);
    points_pay(game, game->reward);
    game->heard = game->rewarded = at;
    game->events |= GAME_TURRET | GAME_REWARDED;
    effects_burst(&game->effects, at, (pv_vec2){0, 0}, 240, 60, 0xffa040ffu, 50);
    effects_ring(&game->effects, at, 70, 24, 0xffe0a0ffu);
    effects_shake(&game->effects, 7);
}

/// Breaks the hulk into rocks after the loss of its last turret.
static void break_hulk(struct stage *stage, struct game *game) {
    pv_vec2 at = pv_body_get_position(stage->world, game->hulk);
    game->hulk = (pv_body_id){0, 0};
    for (int i = 0; i < 6; i++) {
        pv_rotation r = pv_rotation_from_angle(stage_uniform(stage, -PI, PI));
        double x = stage_uniform(stage, -90, 90), y = stage_uniform(stage, -20, 20);
        pv_vec2 middle = {at.x + x, at.y + y};
        pv_vec2 a = {middle.x - 160 * r.c, middle.y - 160 * r.s},
                b = {middle.x + 160 * r.c, middle.y + 160 * r.s};
        finds_cut(stage, pv_cut_line(a, b, 3));
        effects_glow(&game->effects, stage, KIND_ROCK, a, b, 1.5);
    }
    pv_world_explode(stage->world, at, 170, 2600);
    points_pay(game, HULK_POINTS);
    game->heard = at;
    game->events |= GAME_EXPLODED | GAME_HULK_BROKE;
    effects_burst(&game->effects, at, (pv_vec2){0, 0}, 380, 160, 0xffc070ffu, 80);
    effects_ring(&game->effects, at, 240, 50, 0xfff0d0ffu);
    effects_shake(&game->effects, 12);
    game->effects.flash = 1;
}

/// Lets parts that broke off the hulk collide with it.
static void drop_hulk_parts(struct stage *stage, const struct game *game) {
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));) {
        pv_filter filter = pv_body_get_filter(stage->world, b);
        if (kind_of(stage, b) != KIND_ROCK || filter.group_index != FOES_GROUP ||
            PV_ID_EQUALS(b, game->hulk))
            continue;
        filter.group_index = 0;
        pv_body_set_filter(stage->world, b, filter);
    }
}

/// Steers the hulk along a slow ellipse, and keeps it level.
static void steer_hulk(struct stage *stage, const struct game *game) {
    pv_rotation r = pv_rotation_from_angle((game->frame % 1800 - 900) / 900.0 * PI);
    pv_vec2 at = pv_body_get_position(stage->world, game->hulk),
            v = pv_body_get_velocity(stage->world, game->hulk),
            to = {GAME_WIDTH / 2.0 + 104 * r.c - at.x, GAME_HEIGHT / 2.0 + 72 * r.s - at.y};
    double far = sqrt(to.x * to.x + to.y * to.y) + 1,
           mass = pv_body_get_mass(stage->world, game->hulk), steer = mass * hulk_steer,
           tilt = pv_body_get_angle(stage->world, game->hulk),
           spin = pv_body_get_angular_velocity(stage->world, game->hulk);
    pv_body_apply_force(stage->world, game->hulk,
                        (pv_vec2){steer * (hulk_speed * to.x / far - v.x),
                                  steer * (hulk_speed * to.y / far - v.y)});
    pv_body_apply_torque(stage->world, game->hulk,
                         pv_body_get_inertia(stage->world, game->hulk) *
                             (-1.2 * tilt - 1.4 * spin));
}

/// Lets a turret shoot, or handles its loss. Returns true if it is still there.
static bool tend_turret(struct stage *stage, struct game *game, int i) {
    pv_vec2 at =
        pv_body_to_world(stage->world, game->hulk, (pv_vec2){turrets[i].x + .5, turrets[i].y + .5});
    if (!game->turrets[i]) return false;
    if (!has_turret(stage, game, turrets[i])) {
        game->turrets[i] = false;
        lose_turret(game, at);
        return false;
    }
    if (!pv_body_is_valid(stage->world, game->ship)) return true;
    pv_vec2 way = space_way(at, pv_body_get_position(stage->world, game->ship));
    bool near = way.x * way.x + way.y * way.y < turret_reach * turret_reach;
    if (near && game->safe == 0 && (game->frame + 25 * i) % TURRET_RELOAD == 0)
        bolts_shoot(stage, game, at, turret_error);
    return true;
}

static void run(struct stage *stage, struct game *game) {
    bool any = false;
    steer_hulk(stage, game);
    for (int i = 0; i < GAME_TURRETS; i++) any |= tend_turret(stage, game, i);
    if (!any) break_hulk(stage, game);
}

void hulk_tend(struct stage *stage, struct game *game) {
    if (pv_body_is_valid(stage->world, game->hulk)) run(stage, game);
    drop_hulk_parts(stage, game);
}

int hulk_turrets(const struct stage *stage, const struct game *game) {
    int count = 0;
    if (!pv_body_is_valid(stage->world, game->hulk)) return 0;
    for (int i = 0; i < GAME_TURRETS; i++) count += game->turrets[i];
    return count;
}
