/* rocks.c - rocks: their looks, how they come, and how they break.
 *
 * Invariant: a stage has as many pictures of rocks at its end as after its setup. Pictures of
 * carved rocks belong to their bodies.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include "stage/grains.h"
#include "stage/props.h"
#include "stage/texture.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

/// Radius of a bite, and sizes of a crack [px]. A hit rock of fewer than FRAIL pixels crumbles.
/// Fragments of fewer than CRUMB pixels become debris.
static const double bite_radius = 8.5, crack_width = 1.6, crack_least = 12, crack_most = 40;
enum { FRAIL = 240, CRUMB = 44 };

/* ---- looks ---- */

/// Round hole or notch
struct hollow {
    pv_vec2 middle;
    double radius;
};

enum { HOLLOWS = 3 };

struct looks {
    uint32_t seed, color;
    double radius;
    struct hollow hollows[HOLLOWS];
};

static bool is_solid(const struct looks *looks, double dx, double dy) {
    double d = sqrt(dx * dx + dy * dy), c = d > 0 ? dx / d : 1, s = d > 0 ? dy / d : 0;
    double rim =
        looks->radius * (.66 + .34 * texture_rough(looks->seed, 3 + 1.9 * c, 3 + 1.9 * s, 3));
    if (d > rim) return false;
    for (int i = 0; i < HOLLOWS; i++) {
        const struct hollow *h = &looks->hollows[i];
        double x = dx - h->middle.x, y = dy - h->middle.y;
        if (x * x + y * y < h->radius * h->radius) return false;
    }
    return true;
}

/// Returns the color of a pixel: lit from the top left, and darker before the opposite rim.
static uint32_t color_of(const struct looks *looks, double dx, double dy) {
    double x = dx / looks->radius, y = dy / looks->radius;
    double bumps = texture_rough(looks->seed + 1, 8 + dx / 9, 8 + dy / 9, 3) - .5;
    double light = .78 - .34 * x - .42 * y + .9 * bumps;
    if (!is_solid(looks, dx - 1.6, dy - 1.6)) light += .35;
    if (!is_solid(looks, dx + 1.6, dy + 1.6)) light -= .3;
    /* Pixel art has few shades. */
    int steps = (int)(light * 6 + .5);
    return texture_lit(looks->color, .25 + .16 * (steps < 0 ? 0 : steps > 7 ? 7 : steps));
}

/// Returns random looks. Larger kinds have one or two notches. Each fourth kind has a hole that a
/// ship fits through.
static struct looks random_looks(struct stage *stage, int kind) {
    static const uint32_t colors[] = {0xa98c7effu, 0x9c8ca8ffu, 0x8c9c98ffu, 0xb49a70ffu};
    struct looks looks = {.seed = (uint32_t)stage_pick(stage, 1 << 20), .color = colors[kind % 4]};
    looks.radius = stage_uniform(stage, 24, 34) + (kind % 3) * 7;
    for (int i = 0; i < HOLLOWS; i++) {
        pv_rotation r = pv_rotation_from_angle(stage_uniform(stage, -PI, PI));
        double out = looks.radius * stage_uniform(stage, .6, .85);
        looks.hollows[i].middle = (pv_vec2){r.c * out, r.s * out};
        looks.hollows[i].radius = i < kind % 3 ? looks.radius * stage_uniform(stage, .2, .36) : 0;
    }
    if (kind % 4 == 3) {
        looks.radius = stage_uniform(stage, 44, 50);
        looks.hollows[0] =
            (struct hollow){{stage_uniform(stage, -4, 4), stage_uniform(stage, -4, 4)}, 15.5};
    }
    return looks;
}

static void paint(struct stage *stage, struct game *game, int kind) {
    struct looks looks = random_looks(stage, kind);
    int half = (int)looks.radius + 1;
    char name[24];
    pv_image *image = props_picture(stage, 2 * half, 2 * half);
    for (int y = 0; image && y < 2 * half; y++)
        for (int x = 0; x < 2 * half; x++) {
            double dx = x + .5 - half, dy = y + .5 - half;
            if (is_solid(&looks, dx, dy)) props_dot(image, x, y, color_of(&looks, dx, dy));
        }
    props_keep_largest(image);
    snprintf(name, sizeof name, "rock %d", kind);
    game->rocks[kind] = stage_keep(stage, name, image, NULL);
}

void rocks_paint(struct stage *stage, struct game *game) {
    for (int i = 0; i < GAME_ROCK_KINDS; i++) paint(stage, game, i);
}

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
    pv_body_id body = stage_put(stage, sprite, def);
    if (stage_is_body(body)) stage_soften(stage, body, &fracture);
    return body;
}

/// Returns a point on a rim around the view.
static pv_vec2 outside(struct stage *stage) {
    double rim = 56, along = stage_uniform(stage, 0, 2 * (GAME_WIDTH + GAME_HEIGHT));
    if (along < GAME_WIDTH) return (pv_vec2){along, -rim};
    along -= GAME_WIDTH;
    if (along < GAME_WIDTH) return (pv_vec2){along, GAME_HEIGHT + rim};
    along -= GAME_WIDTH;
    if (along < GAME_HEIGHT) return (pv_vec2){-rim, along};
    return (pv_vec2){GAME_WIDTH + rim, along - GAME_HEIGHT};
}

static void send(struct stage *stage, const struct sprite *sprite, double speed) {
    pv_vec2 at = outside(stage), to = {stage_uniform(stage, .2, .8) * GAME_WIDTH,
                                       stage_uniform(stage, .2, .8) * GAME_HEIGHT};
    double angle = stage_uniform(stage, -PI, PI), dx = to.x - at.x, dy = to.y - at.y;
    for (int tries = 0; sprite && tries < 24 && !stage_is_free(stage, sprite, at, angle); tries++)
        at = outside(stage);
    speed *= stage_uniform(stage, .6, 1.2) / sqrt(dx * dx + dy * dy);
    if (sprite)
        game_add_rock(stage, sprite, at, angle, (pv_vec2){dx * speed, dy * speed},
                      stage_uniform(stage, -.8, .8));
}

void rocks_send(struct stage *stage, struct game *game, int count, double speed) {
    int first = stage_pick(stage, GAME_ROCK_KINDS);
    for (int i = 0; i < count; i++)
        send(stage, game->rocks[(first + 5 * i) % GAME_ROCK_KINDS], speed);
}

int rocks_left(const struct stage *stage) {
    int count = 0;
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));)
        count += kind_of(stage, b) == KIND_ROCK;
    return count;
}

/* ---- how they break ---- */

/// Turns the rest of a rock into grains.
static int64_t crumble(struct stage *stage, pv_body_id rock) {
    int64_t pixels = pv_mask_count_pixels(pv_body_get_mask(stage->world, rock));
    pv_vec2 at = pv_body_get_position(stage->world, rock);
    grains_crumble(stage, rock);
    pv_world_explode(stage->world, at, 34, 90);
    return pixels;
}

int64_t rocks_bite(struct stage *stage, pv_body_id rock, pv_vec2 at, pv_vec2 inward) {
    pv_world *world = stage->world;
    if (pv_mask_count_pixels(pv_body_get_mask(world, rock)) < FRAIL) return crumble(stage, rock);
    pv_rotation bend = pv_rotation_from_angle(stage_uniform(stage, -.6, .6));
    double length = stage_uniform(stage, crack_least, crack_most);
    pv_vec2 middle = {at.x + 3 * inward.x, at.y + 3 * inward.y};
    pv_vec2 end = {middle.x + length * (bend.c * inward.x - bend.s * inward.y),
                   middle.y + length * (bend.s * inward.x + bend.c * inward.y)};
    int64_t pixels = stage_bite(stage, KIND_ROCK, middle, bite_radius);
    pixels += stage_slit(stage, KIND_ROCK, middle, end, crack_width);
    pv_world_explode(world, middle, 34, 420);
    return pixels;
}
