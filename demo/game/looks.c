/* looks.c - paints the pictures of rocks.
 *
 * Invariant: all pictures of rocks are painted in the setup of a stage, and none later.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "game/parts.h"

#include "stage/props.h"
#include "stage/texture.h"

#include <math.h>
#include <stdio.h>

#define PI 3.14159265358979323846

/// Round hole or notch
struct hollow {
    pv_vec2 middle;
    double radius;
};

enum { HOLLOWS = 3 };

struct looks {
    uint32_t seed, color;
    double radius;
    /// Radius of the crystal in the middle [px]; 0: none
    double crystal;
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

/// Returns the color of a pixel: lit from the upper left, and darker at the opposite rim.
static uint32_t color_of(const struct looks *looks, double dx, double dy) {
    double x = dx / looks->radius, y = dy / looks->radius;
    double bumps = texture_rough(looks->seed + 1, 8 + dx / 9, 8 + dy / 9, 3) - .5;
    double light = .78 - .34 * x - .42 * y + .9 * bumps;
    if (!is_solid(looks, dx - 1.6, dy - 1.6)) light += .35;
    if (!is_solid(looks, dx + 1.6, dy + 1.6)) light -= .3;
    /* Pixel art has few shades. */
    int steps = (int)(light * 6 + .5);
    return texture_lit(looks->color, .42 + .135 * (steps < 0 ? 0 : steps > 7 ? 7 : steps));
}

uint32_t looks_crystal(double dx, double dy) {
    double light = .8 - .05 * dx - .07 * dy + (dx * dy > 0 ? .16 : 0) + (dx > dy ? .1 : 0);
    uint32_t color = texture_mix(0x1070a0ffu, 0xc0fff8ffu, light < 0 ? 0 : light > 1 ? 1 : light);
    return (color & ~0xffu) | FINDS_ALPHA;
}

/// Tells whether a pixel is in the crystal, a lozenge with cut corners.
static bool is_crystal(const struct looks *looks, double dx, double dy) {
    double x = fabs(dx), y = fabs(dy);
    return x + .7 * y < looks->crystal && x < .8 * looks->crystal && y < 1.15 * looks->crystal;
}

/// Returns random looks. Larger kinds have one or two notches. Every fourth kind has a hole that a
/// ship fits through.
static struct looks random_looks(struct stage *stage, int kind) {
    static const uint32_t colors[] = {0xa98c7effu, 0x9c8ca8ffu, 0x8c9c98ffu, 0xb49a70ffu};
    struct looks looks = {.seed = (uint32_t)stage_pick(stage, 1 << 20), .color = colors[kind % 4]};
    looks.radius = stage_uniform(stage, 26, 36) + (kind % 3) * 7;
    for (int i = 0; i < HOLLOWS; i++) {
        pv_rotation r = pv_rotation_from_angle(stage_uniform(stage, -PI, PI));
        double out = looks.radius * stage_uniform(stage, .6, .85);
        looks.hollows[i].middle = (pv_vec2){r.c * out, r.s * out};
        looks.hollows[i].radius = i < kind % 3 ? looks.radius * stage_uniform(stage, .2, .36) : 0;
    }
    looks.crystal = kind % 2 == 0 ? stage_uniform(stage, 7, 9) : 0;
    if (kind % 4 == 3) {
        looks.radius = stage_uniform(stage, 44, 50);
        double x = stage_uniform(stage, -4, 4), y = stage_uniform(stage, -4, 4);
        looks.hollows[0] = (struct hollow){{x, y}, 15.5};
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
            if (is_crystal(&looks, dx, dy))
                props_dot(image, x, y, looks_crystal(dx, dy));
            else if (is_solid(&looks, dx, dy))
                props_dot(image, x, y, color_of(&looks, dx, dy));
        }
    props_keep_largest(image);
    snprintf(name, sizeof name, "rock %d", kind);
    game->rocks[kind] = stage_keep(stage, name, image, NULL);
}

void looks_paint(struct stage *stage, struct game *game) {
    for (int i = 0; i < GAME_ROCK_KINDS; i++) paint(stage, game, i);
}
