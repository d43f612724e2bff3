/* rocks.c - rocks: how they come, how they break, and how their last pixels crumble.
 *
 * Invariant: each carved rock has a picture of its own. No player has to hunt slivers.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include "stage/grains.h"

#include <math.h>

#define PI 3.14159265358979323846

/// Radius of a bite, and width, least and greatest length of a crack [px]
static const double bite_radius = 8.5, crack_width = 1.6, crack_least = 14, crack_most = 44;
/// Greatest angle between a rock's direction and its stream's [rad]
static const double spread = .7;
/// Pixels below which parts become debris, and frames until a sliver crumbles
enum { CRUMB = 44, FUSE = 50 };
/// Odds of ore: one in this many crumbling rocks drops some
enum { ORE_ODDS = 4 };

/* ---- how they come ---- */

pv_body_id game_add_rock(struct stage *stage, const struct sprite *sprite, pv_vec2 at, double angle,
                         pv_vec2 velocity, double spin) {
    pv_body_def def = pv_body_def_default();
    pv_fracture_def fracture = pv_fracture_def_default();
    def.position = at;
    def.angle = angle;
    def.velocity = velocity;
    def.angular_velocity = spin;
    def.restitution = .7;
    def.static_friction = def.friction = .3;
    def.filter = (pv_filter){KIND_ROCK, ~0u, 0};
    fracture.min_part_pixels = CRUMB;
    def.material_map = finds_map(sprite);
    pv_body_id body = stage_put(stage, sprite, def);
    pv_material_map_release(def.material_map);
    if (stage_is_body(body)) stage_soften(stage, body, &fracture);
    return body;
}

/// Returns a random point around the view, on a side that a stream comes from.
static pv_vec2 outside(struct stage *stage, pv_rotation flow) {
    const double rim = 56;
    double along = stage_uniform(stage, 0, 1);
    bool side = stage_uniform(stage, 0, 1) * (fabs(flow.c) + fabs(flow.s)) < fabs(flow.c);
    if (side) return (pv_vec2){flow.c > 0 ? -rim : GAME_WIDTH + rim, along * GAME_HEIGHT};
    return (pv_vec2){along * GAME_WIDTH, flow.s > 0 ? -rim : GAME_HEIGHT + rim};
}

static void mark_arriving(struct stage *stage, pv_body_id rock) {
    pv_filter filter = pv_body_get_filter(stage->world, rock);
    filter.category_bits |= STAGE_ARRIVING;
    pv_body_set_filter(stage->world, rock, filter);
}

static void send(struct stage *stage, const struct sprite *sprite, pv_rotation flow, double speed) {
    pv_vec2 at = outside(stage, flow);
    double angle = stage_uniform(stage, -PI, PI);
    for (int tries = 0; sprite && tries < 24 && !stage_is_free(stage, sprite, at, angle); tries++)
        at = outside(stage, flow);
    pv_rotation bend = pv_rotation_from_angle(stage_uniform(stage, -spread, spread));
    pv_rotation way = {flow.c * bend.c - flow.s * bend.s, flow.s * bend.c + flow.c * bend.s};
    speed *= stage_uniform(stage, .6, 1.2);
    double spin = stage_uniform(stage, -1.2, 1.2);
    pv_vec2 velocity = {way.c * speed, way.s * speed};
    if (sprite) mark_arriving(stage, game_add_rock(stage, sprite, at, angle, velocity, spin));
}

void rocks_send(struct stage *stage, struct game *game, int count, double speed) {
    int first = stage_pick(stage, GAME_ROCK_KINDS);
    pv_rotation flow = pv_rotation_from_angle(stage_uniform(stage, -PI, PI));
    for (int i = 0; i < count; i++) {
        /* Every third rock comes in a second stream, across the first. */
        pv_rotation way = i % 3 == 2 ? (pv_rotation){-flow.s, flow.c} : flow;
        send(stage, game->rocks[(first + 5 * i) % GAME_ROCK_KINDS], way, speed);
    }
}

int rocks_left(const struct stage *stage) {
    int count = 0;
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));)
        count += kind_of(stage, b) == KIND_ROCK;
    return count;
}

/* ---- how they break ---- */

/// Scatters the chips at a place, from several random points.
static void scatter(struct stage *stage, pv_vec2 at) {
    for (int i = 0; i < 3; i++) {
        double dx = stage_uniform(stage, -12, 12), dy = stage_uniform(stage, -12, 12);
        pv_world_explode(stage->world, (pv_vec2){at.x + dx, at.y + dy}, 30, 26);
    }
}

/// Frees a rock's crystal, or turns the rest of the rock into grains.
static void crumble(struct stage *stage, struct game *game, pv_body_id rock) {
    pv_vec2 at = pv_body_get_position(stage->world, rock),
            v = pv_body_get_velocity(stage->world, rock);
    if (finds_release(stage, game, rock)) return;
    grains_crumble(stage, rock);
    if (stage_pick(stage, ORE_ODDS) == 0) finds_drop_ore(stage, game, at, v);
    scatter(stage, at);
    effects_burst(&game->effects, at, v, 110, 10, 0xffc070ffu, 22);
    effects_ring(&game->effects, at, 22, 14, 0xffe0a0ffu);
}

static void bite(struct stage *stage, struct game *game, pv_vec2 at, pv_vec2 inward) {
    pv_rotation bend = pv_rotation_from_angle(stage_uniform(stage, -.6, .6));
    double length = stage_uniform(stage, crack_least, crack_most);
    pv_vec2 middle = {at.x + 3 * inward.x, at.y + 3 * inward.y};
    pv_vec2 end = {middle.x + length * (bend.c * inward.x - bend.s * inward.y),
                   middle.y + length * (bend.s * inward.x + bend.c * inward.y)};
    finds_cut(stage, pv_cut_circle(middle, bite_radius));
    finds_cut(stage, pv_cut_line(middle, end, crack_width));
    pv_world_explode(stage->world, middle, 34, 420);
    effects_glow(&game->effects, stage, KIND_ROCK, middle, middle, bite_radius);
    effects_glow(&game->effects, stage, KIND_ROCK, middle, end, crack_width / 2);
    pv_vec2 out = {-70 * inward.x, -70 * inward.y};
    effects_burst(&game->effects, at, out, 130, 9, 0xffd080ffu, 16);
}

int rocks_bite(struct stage *stage, struct game *game, pv_body_id rock, pv_vec2 at,
               pv_vec2 inward) {
    int before = rocks_left(stage);
    if (pixels_of(stage, rock) < GAME_SLIVER)
        crumble(stage, game, rock);
    else
        bite(stage, game, at, inward);
    return rocks_left(stage) - before;
}

/* ---- the last pixels ---- */

static bool has_large(const struct stage *stage) {
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));)
        if (kind_of(stage, b) == KIND_ROCK && pixels_of(stage, b) >= GAME_SMALL) return true;
    return false;
}

static void burn(struct stage *stage, struct game *game, struct game_fuse *fuse) {
    pv_body_id body = fuse->body;
    bool lives = pv_body_is_valid(stage->world, body);
    if (lives && --fuse->left > 0) return;
    *fuse = (struct game_fuse){{0, 0}, 0};
    if (!lives) return;
    game->heard = pv_body_get_position(stage->world, body);
    if (kind_of(stage, body) != KIND_ROCK) {
        pv_body_destroy(stage->world, body);
        return;
    }
    crumble(stage, game, body);
    game->events |= GAME_CRUMBLED;
}

void rocks_tend(struct stage *stage, struct game *game) {
    bool large = has_large(stage);
    int limit = large ? GAME_SLIVER : GAME_SMALL;
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));)
        if (kind_of(stage, b) == KIND_ROCK && pixels_of(stage, b) < limit)
            fuses_light(game, b, FUSE);
    if (rocks_left(stage) > 0) game->rock_frames++;
    if (rocks_left(stage) > 0 && !large) game->small_frames++;
    for (int i = 0; i < GAME_FUSES; i++) burn(stage, game, &game->fuses[i]);
}
