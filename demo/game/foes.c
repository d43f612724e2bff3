/* foes.c - a saucer that shoots, and a hulk of twenty thousand pixels with turrets.
 *
 * Invariant: foes are made of pixels, and fall to whatever takes these. A turret shoots while most
 * of its pixels are there.
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
/// Distance at which turrets shoot [px], how badly [rad], and their radius [px]
static const double turret_reach = 330, turret_error = .14;
enum { TURRET = 8 };
/// Half axes of the hulk [px], its speed [px/s], and how fast it takes it up [1/s]
static const double hulk_x = 127, hulk_y = 53, hulk_speed = 30, hulk_steer = .8;
enum { SAUCER_WAIT = 1300, SAUCER_RELOAD = 95, TURRET_RELOAD = 150, BOLT_LIFE = 150 };
enum { SAUCER_POINTS = 250, TURRET_POINTS = 400, HULK_POINTS = 3000 };
/// Foes hit neither themselves nor each other with bolts.
enum { FOES = -1 };

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

static void paint_hulk(struct stage *stage, struct game *game) {
    pv_image *image = props_picture(stage, HULK_WIDTH, HULK_HEIGHT);
    for (int y = 0; image && y < HULK_HEIGHT; y++)
        for (int x = 0; x < HULK_WIDTH; x++)
            if (hulk_color(x, y) != 0) props_dot(image, x, y, hulk_color(x, y));
    game->hulk_sprite = stage_keep(stage, "hulk", image, NULL);
}

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
    paint_hulk(stage, game);
}

/* ---- bolts ---- */

static void fire_bolt(struct stage *stage, struct game *game, pv_vec2 from, double error) {
    if (!pv_body_is_valid(stage->world, game->ship) || !game->bolt_sprite) return;
    pv_vec2 way = space_way(from, pv_body_get_position(stage->world, game->ship));
    pv_rotation bend = pv_rotation_from_angle(stage_uniform(stage, -error, error));
    double far = sqrt(way.x * way.x + way.y * way.y) + 1;
    pv_rotation r = {(way.x * bend.c - way.y * bend.s) / far,
                     (way.y * bend.c + way.x * bend.s) / far};
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){from.x + 10 * r.c, from.y + 10 * r.s};
    def.velocity = (pv_vec2){bolt_speed * r.c, bolt_speed * r.s};
    def.filter = (pv_filter){KIND_BOLT, KIND_ROCK | KIND_SHIP, FOES};
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
    def.filter = (pv_filter){KIND_SAUCER | STAGE_SOFT | STAGE_ARRIVING, ~0u, FOES};
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
        fire_bolt(stage, game, pv_body_get_position(stage->world, game->saucer), saucer_error);
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

/* ---- hulk ---- */

void foes_send_hulk(struct stage *stage, struct game *game) {
    if (!game->hulk_sprite) return;
    game->hulk = game_add_rock(stage, game->hulk_sprite, (pv_vec2){-150, 120}, 0,
                               (pv_vec2){hulk_speed, 0}, 0);
    pv_filter filter = pv_body_get_filter(stage->world, game->hulk);
    filter.category_bits |= STAGE_ARRIVING;
    filter.group_index = FOES;
    pv_body_set_filter(stage->world, game->hulk, filter);
    for (int i = 0; i < GAME_TURRETS; i++) game->turrets[i] = true;
    game->events |= GAME_HULK;
}

/// Tells whether most pixels of a turret are there.
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
    hits_pay(game, game->reward);
    game->heard = game->rewarded = at;
    game->events |= GAME_TURRET | GAME_REWARDED;
    effects_burst(&game->effects, at, (pv_vec2){0, 0}, 240, 60, 0xffa040ffu, 50);
    effects_ring(&game->effects, at, 70, 24, 0xffe0a0ffu);
    effects_shake(&game->effects, 7);
}

/// Breaks the hulk, which has lost its last turret, into rocks.
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
    hits_pay(game, HULK_POINTS);
    game->heard = at;
    game->events |= GAME_EXPLODED | GAME_HULK_BROKE;
    effects_burst(&game->effects, at, (pv_vec2){0, 0}, 380, 160, 0xffc070ffu, 80);
    effects_ring(&game->effects, at, 240, 50, 0xfff0d0ffu);
    effects_shake(&game->effects, 12);
    game->effects.flash = 1;
}

/// Lets parts that broke off the hulk collide with it.
static void drop_parts(struct stage *stage, const struct game *game) {
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));) {
        pv_filter filter = pv_body_get_filter(stage->world, b);
        if (kind_of(stage, b) != KIND_ROCK || filter.group_index != FOES ||
            PV_ID_EQUALS(b, game->hulk))
            continue;
        filter.group_index = 0;
        pv_body_set_filter(stage->world, b, filter);
    }
}

/// Steers the hulk on a slow round, level.
static void steer_hulk(struct stage *stage, const struct game *game) {
    pv_rotation r = pv_rotation_from_angle((game->frame % 1800 - 900) / 900.0 * PI);
    pv_vec2 at = pv_body_get_position(stage->world, game->hulk),
            v = pv_body_get_velocity(stage->world, game->hulk),
            to = {GAME_WIDTH / 2.0 + 130 * r.c - at.x, GAME_HEIGHT / 2.0 + 90 * r.s - at.y};
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

/// Lets a turret shoot, or counts its loss; returns whether it is there.
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
        fire_bolt(stage, game, at, turret_error);
    return true;
}

static void tend_hulk(struct stage *stage, struct game *game) {
    bool any = false;
    if (!pv_body_is_valid(stage->world, game->hulk)) return;
    steer_hulk(stage, game);
    for (int i = 0; i < GAME_TURRETS; i++) any |= tend_turret(stage, game, i);
    if (!any) break_hulk(stage, game);
}

int foes_turrets(const struct stage *stage, const struct game *game) {
    int count = 0;
    if (!pv_body_is_valid(stage->world, game->hulk)) return 0;
    for (int i = 0; i < GAME_TURRETS; i++) count += game->turrets[i];
    return count;
}

void foes_tend(struct stage *stage, struct game *game) {
    if (game->phase == GAME_OVER) return;
    tend_saucer(stage, game);
    tend_hulk(stage, game);
    drop_parts(stage, game);
}
