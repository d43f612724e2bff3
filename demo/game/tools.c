/* tools.c - the choice of a tool between waves, and the tools: laser, bomb, drill, tether.
 *
 * Invariant: each use of a tool costs a charge. No tool harms crystals.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include "stage/props.h"
#include "stage/texture.h"

#include <math.h>

#define PI 3.14159265358979323846

/// Reach of the laser [px], width of its cut [px], and speed that parts the halves [px/s]
static const double beam_reach = 420, beam_width = 2.6, parting_speed = 34;
/// Speed of a bomb [px/s], radius of its hole [px] and reach of its blast [px]
static const double bomb_speed = 190, bomb_hole = 40, bomb_blast = 120;
/// Radius of the drill [px], its distance from the middle of the ship [px], and its push [px/s^2]
static const double drill_radius = 11, drill_reach = 9, drill_push = 220;
/// Reach of the tether [px], its least length [px], and speed at which it is reeled in [px/s]
static const double tether_reach = 190, tether_least = 26, reel = 110;
enum { FUSE = 75, DRILL_TIME = 200, TETHER_TIME = 480, BEAM_TIME = 14, CHARGES = 3 };
enum { DRILL_POINTS = 1, BOMB_POINTS = 60 };

/* ---- choice ---- */

void tools_offer(struct stage *stage, struct game *game) {
    int left_out = GAME_LASER + stage_pick(stage, GAME_TOOLS - 1), count = 0;
    for (int tool = GAME_LASER; tool < GAME_TOOLS; tool++)
        if (tool != left_out) game->offers[count++] = (enum game_tool)tool;
    game->choice = 1;
    game->choosing = GAME_CHOICE_TIME;
    game->calm = 0;
    game->events |= GAME_OFFERED;
}

static void take_offer(struct game *game) {
    game->tool = game->offers[game->choice];
    game->charges += CHARGES;
    game->choosing = 0;
    game->events |= GAME_CHOSEN;
}

void tools_choose(struct game *game, unsigned keys, unsigned pressed) {
    bool takes = game->calm == GAME_CALM && pressed & GAME_FIRE;
    if (game->calm < GAME_CALM) game->calm = keys & GAME_FIRE ? 0 : game->calm + 1;
    if (pressed & GAME_LEFT && game->choice > 0) game->choice--;
    if (pressed & GAME_RIGHT && game->choice < GAME_OFFERS - 1) game->choice++;
    if (takes || --game->choosing <= 0) take_offer(game);
}

/* ---- laser ---- */

/// Drives the rocks along a cut apart.
static void part_rocks(struct stage *stage, pv_vec2 from, pv_vec2 to, pv_rotation r) {
    pv_query_filter rocks = {.mask_bits = KIND_ROCK};
    pv_body_id found[48];
    pv_box box = {{fmin(from.x, to.x) - 9, fmin(from.y, to.y) - 9},
                  {fmax(from.x, to.x) + 9, fmax(from.y, to.y) + 9}};
    int count = pv_world_query_box(stage->world, box, &rocks, found, 48);
    for (int i = 0; i < count && i < 48; i++) {
        pv_vec2 at = pv_body_get_position(stage->world, found[i]),
                v = pv_body_get_velocity(stage->world, found[i]);
        double side = r.c * (at.y - from.y) - r.s * (at.x - from.x);
        pv_box bounds = pv_body_get_bounds(stage->world, found[i]);
        if (2 * fabs(side) > bounds.max.x - bounds.min.x + bounds.max.y - bounds.min.y) continue;
        double push = side > 0 ? parting_speed : -parting_speed;
        pv_body_set_velocity(stage->world, found[i], (pv_vec2){v.x - push * r.s, v.y + push * r.c});
    }
}

static void burn_line(struct stage *stage, struct game *game, pv_vec2 from, pv_rotation r) {
    pv_vec2 to = {from.x + beam_reach * r.c, from.y + beam_reach * r.s};
    finds_cut(stage, pv_cut_line(from, to, beam_width));
    effects_glow(&game->effects, stage, KIND_ROCK, from, to, beam_width / 2);
    part_rocks(stage, from, to, r);
}

static void fire_laser(struct stage *stage, struct game *game, pv_rotation r) {
    pv_vec2 at = pv_body_get_position(stage->world, game->ship);
    pv_vec2 from = {at.x + 12 * r.c, at.y + 12 * r.s};
    int before = rocks_left(stage);
    for (int i = -1; i <= 1; i++)
        for (int k = -1; k <= 1; k++)
            burn_line(stage, game, (pv_vec2){from.x + i * GAME_WIDTH, from.y + k * GAME_HEIGHT}, r);
    game->beam = BEAM_TIME;
    game->beam_from = from;
    game->beam_way = r;
    game->heard = from;
    game->events |= GAME_LASERED;
    effects_shake(&game->effects, 4);
    pv_vec2 along = {from.x + 90 * r.c, from.y + 90 * r.s};
    points_pay_split(game, along, rocks_left(stage) - before);
}

/* ---- bomb ---- */

void tools_paint(struct stage *stage, struct game *game) {
    pv_image *image = props_picture(stage, 9, 9);
    for (int i = 0; image && i < 81; i++) {
        double dx = i % 9 - 4, dy = i / 9 - 4, d = sqrt(dx * dx + dy * dy);
        if (d < 4.6)
            props_dot(image, i % 9, i / 9,
                      d < 1.6 ? 0xff4030ffu : texture_lit(0x8890a8ffu, .9 - .1 * (dx + dy)));
    }
    game->bomb_sprite = stage_keep(stage, "bomb", image, NULL);
}

static void throw_bomb(struct stage *stage, struct game *game, pv_rotation r) {
    pv_vec2 at = pv_body_get_position(stage->world, game->ship),
            v = pv_body_get_velocity(stage->world, game->ship);
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){at.x + 18 * r.c, at.y + 18 * r.s};
    def.velocity = (pv_vec2){v.x + bomb_speed * r.c, v.y + bomb_speed * r.s};
    def.angular_velocity = 5;
    def.filter = (pv_filter){KIND_BOMB, KIND_ROCK, 0};
    game->bomb = stage_put(stage, game->bomb_sprite, def);
    game->bomb_fuse = FUSE;
    game->heard = at;
    game->events |= GAME_FIRED;
}

void tools_explode(struct stage *stage, struct game *game) {
    pv_vec2 at = pv_body_get_position(stage->world, game->bomb);
    int before = rocks_left(stage);
    pv_body_destroy(stage->world, game->bomb);
    for (int i = -1; i <= 1; i++)
        for (int k = -1; k <= 1; k++) {
            pv_vec2 there = {at.x + i * GAME_WIDTH, at.y + k * GAME_HEIGHT};
            finds_cut(stage, pv_cut_circle(there, bomb_hole));
            pv_world_explode(stage->world, there, bomb_blast, 5200);
            effects_glow(&game->effects, stage, KIND_ROCK, there, there, bomb_hole);
        }
    int parts = rocks_left(stage) - before;
    game->heard = at;
    game->events |= GAME_EXPLODED;
    points_pay(game, BOMB_POINTS);
    points_pay_split(game, at, parts);
    effects_burst(&game->effects, at, (pv_vec2){0, 0}, 320, 90, 0xffc060ffu, 50);
    effects_ring(&game->effects, at, bomb_blast, 26, 0xfff0c0ffu);
    effects_shake(&game->effects, 9);
    game->effects.flash = .5;
}

/* ---- drill ---- */

static void drill(struct stage *stage, struct game *game) {
    pv_vec2 at = pv_body_get_position(stage->world, game->ship);
    pv_rotation r = pv_body_get_transform(stage->world, game->ship).rotation;
    pv_vec2 tip = {at.x + drill_reach * r.c, at.y + drill_reach * r.s};
    double force = drill_push * (double)pv_mask_count_pixels(game->scout->mask);
    pv_query_filter rocks = {.mask_bits = KIND_ROCK};
    game->drilling--;
    pv_body_apply_force(stage->world, game->ship, (pv_vec2){force * r.c, force * r.s});
    if (pv_world_query_circle(stage->world, tip, drill_radius + 2, &rocks, NULL, 0) == 0) return;
    int before = rocks_left(stage);
    finds_cut(stage, pv_cut_line(at, tip, 2 * drill_radius));
    effects_glow(&game->effects, stage, KIND_ROCK, tip, tip, drill_radius);
    effects_burst(&game->effects, tip, (pv_vec2){-80 * r.c, -80 * r.s}, 120, 4, 0xffd080ffu, 18);
    effects_shake(&game->effects, 1);
    points_pay(game, DRILL_POINTS);
    points_pay_split(game, tip, rocks_left(stage) - before);
    if (game->frame % 6 == 0) game->events |= GAME_BIT;
    game->heard = tip;
}

/* ---- tether ---- */

/// Returns the nearest body in front of the ship, or the null id. Rocks count as 90 px farther.
static pv_body_id tether_target(const struct stage *stage, const struct game *game) {
    pv_vec2 at = pv_body_get_position(stage->world, game->ship);
    pv_rotation r = pv_body_get_transform(stage->world, game->ship).rotation;
    pv_body_id best = {0, 0};
    double least = 1e9;
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));) {
        unsigned kind = kind_of(stage, b);
        if (!(kind & (KIND_ROCK | KIND_GEM | KIND_ORE | KIND_PILOT))) continue;
        pv_vec2 to = pv_body_get_position(stage->world, b), way = {to.x - at.x, to.y - at.y};
        double far = sqrt(way.x * way.x + way.y * way.y), along = r.c * way.x + r.s * way.y;
        double price = kind == KIND_ROCK ? far + 90 : far;
        if (far > tether_reach || along < .6 * far || price >= least) continue;
        least = price;
        best = b;
    }
    return best;
}

static void release_tether(struct stage *stage, struct game *game) {
    if (pv_joint_is_valid(stage->world, game->tether)) pv_joint_destroy(stage->world, game->tether);
    game->tether = (pv_joint_id){0, 0};
}

static bool throw_tether(struct stage *stage, struct game *game) {
    pv_body_id target = tether_target(stage, game);
    if (!stage_is_body(target)) return false;
    pv_vec2 at = pv_body_get_position(stage->world, game->ship),
            to = pv_body_get_position(stage->world, target);
    double dx = to.x - at.x, dy = to.y - at.y;
    game->tether = pv_joint_create_rope(stage->world, pv_anchor_body(game->ship, at),
                                        pv_anchor_body(target, to), sqrt(dx * dx + dy * dy));
    game->tethered = TETHER_TIME;
    game->heard = at;
    game->events |= GAME_FIRED;
    return true;
}

static void reel_in(struct stage *stage, struct game *game) {
    double length = pv_joint_get_length(stage->world, game->tether) - reel / 60;
    if (length > tether_least) pv_joint_set_length(stage->world, game->tether, length);
    if (--game->tethered <= 0) release_tether(stage, game);
}

/* ---- use ---- */

/// Uses the tool once. Returns false if there is no tool, or nothing to use it on.
static bool use(struct stage *stage, struct game *game) {
    pv_rotation r = pv_body_get_transform(stage->world, game->ship).rotation;
    switch (game->tool) {
    case GAME_LASER: fire_laser(stage, game, r); return true;
    case GAME_BOMB: throw_bomb(stage, game, r); return true;
    case GAME_DRILL: game->drilling = DRILL_TIME; return true;
    case GAME_TETHER: return throw_tether(stage, game);
    default: return false;
    }
}

/// Explodes the bomb or releases the tether. Returns false if there is neither.
static bool end_use(struct stage *stage, struct game *game) {
    if (pv_body_is_valid(stage->world, game->bomb)) {
        tools_explode(stage, game);
        return true;
    }
    if (!pv_joint_is_valid(stage->world, game->tether)) return false;
    release_tether(stage, game);
    return true;
}

void tools_use(struct stage *stage, struct game *game) {
    if (end_use(stage, game) || game->charges <= 0 || game->drilling > 0) return;
    if (use(stage, game)) game->charges--;
}

void tools_tend(struct stage *stage, struct game *game) {
    bool flies = pv_body_is_valid(stage->world, game->ship);
    if (game->beam > 0) game->beam--;
    if (pv_body_is_valid(stage->world, game->bomb) && --game->bomb_fuse <= 0)
        tools_explode(stage, game);
    if (!flies) game->drilling = 0;
    if (game->drilling > 0) drill(stage, game);
    if (pv_joint_is_valid(stage->world, game->tether)) reel_in(stage, game);
}

void tools_clear(struct stage *stage, struct game *game) {
    release_tether(stage, game);
    game->tool = GAME_BARE;
    game->choosing = game->drilling = game->beam = game->charges = 0;
}

void tools_let_go(struct stage *stage, struct game *game, pv_body_id body) {
    pv_anchor ends[2];
    if (!pv_joint_is_valid(stage->world, game->tether)) return;
    if (pv_joint_get_anchors(stage->world, game->tether, ends) != PV_OK) return;
    if (PV_ID_EQUALS(ends[0].body, body) || PV_ID_EQUALS(ends[1].body, body))
        release_tether(stage, game);
}
