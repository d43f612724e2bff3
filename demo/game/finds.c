/* finds.c - what rocks hide: crystals to be dug out, and ore that patches the ship.
 *
 * Invariant: cuts spare crystals. A crystal comes free once hardly any rock is left around it. A
 * dart that strikes it earlier shatters it.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include "stage/props.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

/// Hardness of crystals; cuts spare pixels harder than SOFT
enum { SOFT = 100, CRYSTAL = 220 };
/// Rock pixels below which a crystal may come free, pixels of one piece of ore, and most ore aboard
enum { TIGHT = 900, NUGGET = 24, MOST_ORE = 90 };
enum { FIND_LIFE = 900 };
enum { GEM_POINTS = 250, ORE_POINTS = 20 };
/// Radius of the cut that removes a shattered crystal [px]
static const double crystal_reach = 12;
/// Most rock left around a crystal that comes free, as a share of the crystal's pixels
static const double crust = .5;
/// Distance at which the ship attracts finds [px], and their acceleration [px/s^2]
static const double pull_reach = 70, pull = 220;

/* ---- crystals ---- */

pv_material_map *finds_map(const struct sprite *sprite) {
    const pv_image *image = sprite->image;
    size_t count = (size_t)image->width * (size_t)image->height;
    unsigned char *hardness = malloc(count + 1);
    bool any = false;
    for (size_t i = 0; hardness && i < count; i++) {
        hardness[i] = image->pixels[4 * i + 3] == FINDS_ALPHA ? CRYSTAL : 0;
        any |= hardness[i] != 0;
    }
    pv_material_map *map = any ? pv_material_map_from_bytes(hardness, NULL, image->width,
                                                            image->height, image->width, NULL, NULL)
                               : NULL;
    free(hardness);
    return map;
}

void finds_cut(struct stage *stage, pv_cut cut) {
    pv_query_filter rocks = {.mask_bits = KIND_ROCK | KIND_SAUCER};
    cut.max_hardness = SOFT;
    pv_world_carve(stage->world, &cut, &rocks, NULL);
}

/// Mask and materials of a rock, borrowed
struct ground {
    const pv_mask *mask;
    const pv_material_map *map;
    pv_point offset;
};

static struct ground ground_of(const struct stage *stage, pv_body_id rock) {
    return (struct ground){pv_body_get_mask(stage->world, rock),
                           pv_body_get_def(stage->world, rock).material_map,
                           pv_body_get_def(stage->world, rock).material_map_offset};
}

static bool is_crystal_pixel(const struct ground *ground, int x, int y) {
    return pv_material_map_get_hardness(ground->map, x + ground->offset.x, y + ground->offset.y) >
               SOFT &&
           pv_mask_get_pixel(ground->mask, x, y);
}

/// Returns the number of crystal pixels of a rock, and stores their middle in its picture.
static int crystal_of(const struct stage *stage, pv_body_id rock, pv_vec2 *middle) {
    struct ground ground = ground_of(stage, rock);
    int count = 0;
    *middle = (pv_vec2){0, 0};
    if (!ground.map) return 0;
    for (int y = 0; y < pv_mask_get_height(ground.mask); y++)
        for (int x = 0; x < pv_mask_get_width(ground.mask); x++) {
            if (!is_crystal_pixel(&ground, x, y)) continue;
            middle->x += x + .5;
            middle->y += y + .5;
            count++;
        }
    if (count > 0) *middle = (pv_vec2){middle->x / count, middle->y / count};
    return count;
}

bool finds_shatter(struct stage *stage, struct game *game, pv_body_id rock, pv_vec2 at) {
    pv_vec2 p = pv_body_to_local(stage->world, rock, at), middle;
    struct ground ground = ground_of(stage, rock);
    if (!is_crystal_pixel(&ground, (int)floor(p.x), (int)floor(p.y))) return false;
    crystal_of(stage, rock, &middle);
    pv_cut cut = pv_cut_circle(middle, crystal_reach);
    cut.local = true;
    pv_body_carve(stage->world, rock, &cut, NULL);
    game->events |= GAME_SHATTERED;
    effects_burst(&game->effects, at, (pv_vec2){0, 0}, 200, 40, 0x70fff0ffu, 40);
    effects_ring(&game->effects, at, 60, 20, 0x70fff0ffu);
    return true;
}

bool finds_release(struct stage *stage, struct game *game, pv_body_id rock) {
    pv_vec2 middle;
    int count = crystal_of(stage, rock, &middle);
    if (count == 0 || (double)pixels_of(stage, rock) > (1 + crust) * count + GAME_SLIVER)
        return false;
    pv_vec2 at = pv_body_to_world(stage->world, rock, middle);
    pv_filter filter = {KIND_GEM | STAGE_SOFT, KIND_ROCK | KIND_SHIP | KIND_GEM, 0};
    pv_cut cut = pv_cut_circle(at, 2 * GAME_SMALL);
    cut.max_hardness = SOFT;
    pv_body_carve(stage->world, rock, &cut, NULL);
    if (!pv_body_is_valid(stage->world, rock)) return true;
    pv_body_set_filter(stage->world, rock, filter);
    game->heard = at;
    game->events |= GAME_FREED;
    effects_ring(&game->effects, at, 40, 24, 0x70fff0ffu);
    effects_burst(&game->effects, at, (pv_vec2){0, 0}, 90, 20, 0xb0fff8ffu, 40);
    return true;
}

/* ---- ore ---- */

void finds_paint(struct stage *stage, struct game *game) {
    static const char *const rows[] = {".###..", "#####.", "######", "######", ".####."};
    pv_image *image = props_picture(stage, 6, 5);
    for (int i = 0; image && i < 30; i++)
        if (rows[i / 6][i % 6] == '#')
            props_dot(image, i % 6, i / 6,
                      i % 6 + i / 6 < 4   ? 0xfff0a0ffu
                      : i % 6 + i / 6 < 7 ? 0xf0b830ffu
                                          : 0xa06810ffu);
    game->nugget = stage_keep(stage, "ore", image, NULL);
}

void finds_drop_ore(struct stage *stage, struct game *game, pv_vec2 at, pv_vec2 velocity) {
    pv_body_def def = pv_body_def_default();
    pv_rotation r = pv_rotation_from_angle(stage_uniform(stage, -PI, PI));
    def.position = at;
    def.velocity = (pv_vec2){.4 * velocity.x + 20 * r.c, .4 * velocity.y + 20 * r.s};
    def.angular_velocity = stage_uniform(stage, -4, 4);
    def.restitution = .6;
    def.filter = (pv_filter){KIND_ORE, KIND_ROCK | KIND_SHIP, 0};
    if (game->nugget) stage_put(stage, game->nugget, def);
}

/* ---- catching ---- */

static void catch_gem(struct game *game) {
    game->reward = GEM_POINTS * game_factor(game);
    game->charges++;
    game->gems++;
    game->rewarded = game->heard;
    game->events |= GAME_CAUGHT | GAME_REWARDED;
    points_pay(game, game->reward);
}

static void catch_ore(const struct stage *stage, struct game *game) {
    game->events |= GAME_PATCHED;
    if (hull_left(stage, game) >= 1) points_pay(game, ORE_POINTS * game_factor(game));
    game->ore = game->ore + NUGGET < MOST_ORE ? game->ore + NUGGET : MOST_ORE;
}

void finds_catch(struct stage *stage, struct game *game, pv_body_id find) {
    game->heard = pv_body_get_position(stage->world, find);
    effects_burst(&game->effects, game->heard, (pv_vec2){0, 0}, 80, 14, 0xffffc0ffu, 20);
    if (kind_of(stage, find) == KIND_GEM)
        catch_gem(game);
    else
        catch_ore(stage, game);
    pv_body_destroy(stage->world, find);
}

static void draw_in(struct stage *stage, const struct game *game, pv_body_id find) {
    if (!pv_body_is_valid(stage->world, game->ship)) return;
    pv_vec2 way = space_way(pv_body_get_position(stage->world, find),
                            pv_body_get_position(stage->world, game->ship));
    double far = sqrt(way.x * way.x + way.y * way.y), mass = pv_body_get_mass(stage->world, find);
    if (far > pull_reach || far < 1) return;
    pv_body_apply_force(stage->world, find,
                        (pv_vec2){pull * mass * way.x / far, pull * mass * way.y / far});
}

void finds_tend(struct stage *stage, struct game *game) {
    for (pv_body_id b = {0}, next = pv_world_get_next_body(stage->world, b);
         stage_is_body(b = next);) {
        next = pv_world_get_next_body(stage->world, b);
        unsigned kind = kind_of(stage, b);
        if (kind == KIND_GEM || kind == KIND_ORE) {
            draw_in(stage, game, b);
            fuses_light(game, b, FIND_LIFE);
        }
        if (kind == KIND_ROCK && pixels_of(stage, b) < TIGHT) finds_release(stage, game, b);
    }
}
