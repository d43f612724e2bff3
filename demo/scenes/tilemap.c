/* tilemap.c - a level made with Tiled: a single mask, on which crates and balls fall.
 *
 * Invariant: the level is one static body; its picture is solid where its mask is.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"
#include "stage/props.h"
#include "stage/rounds.h"
#include "stage/texture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEVEL "level.json"
#define FALLING 36

static const char *const falling[] = {"crate", "ball",       "ball_small",
                                      "brick", "rock_small", "ball_1"};

/// Depth beyond which all earth looks the same [px]
enum { DEEP = 24 };

/// Returns the number of solid pixels above a pixel of the mask, DEEP at most.
static int depth_of(const pv_mask *mask, int x, int y) {
    int depth = 0;
    while (depth < DEEP && depth < y && pv_mask_get_pixel(mask, x, y - depth - 1)) depth++;
    return depth < y ? depth : DEEP;
}

/// Side of a tile of the level [px]
enum { TILE = 16 };

/// Returns the color of the earth: blades of grass on top, and soil with stones and with the seams
/// of tiles below.
static uint32_t earth_color(int x, int y, int depth) {
    int blade = 4 + (int)(texture_grain(5, x / 2, 0) % 5);
    if (depth < blade) return texture_lit(0x58a83cffu, 1.35 - .12 * depth);
    double rough = texture_rough(8, x / 14.0, y / 14.0, 3), dark = 1.05 - .35 * depth / DEEP;
    bool stone = texture_noise(21, x / 7.0, y / 6.0) > .72;
    bool seam = x % TILE == 0 || y % TILE == 0;
    uint32_t earth = texture_mix(0x8c5c38ffu, 0x6c4430ffu, rough);
    return texture_lit(stone ? 0xa09080ffu : earth, (seam ? .86 : 1) * dark);
}

static void paint(pv_image *image, const pv_mask *mask) {
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++)
            if (pv_mask_get_pixel(mask, x, y))
                props_dot(image, x, y, earth_color(x, y, depth_of(mask, x, y)));
}

/// Adds a sprite of a mask to the stage's list; takes over the mask. Returns null without memory.
static struct sprite *add_sprite(struct stage *stage, pv_mask *mask) {
    struct sprite *sprite = calloc(1, sizeof *sprite);
    char *path = malloc(sizeof LEVEL);
    pv_image *image =
        pv_image_create(pv_mask_get_width(mask), pv_mask_get_height(mask), NULL, NULL);
    if (!sprite || !path || !image) {
        free(sprite);
        free(path);
        pv_image_destroy(image);
        pv_mask_release(mask);
        return NULL;
    }
    paint(image, mask);
    *sprite = (struct sprite){.next = stage->sprites,
                              .path = memcpy(path, LEVEL, sizeof LEVEL),
                              .image = image,
                              .mask = mask,
                              .center = pv_mask_compute_mass(mask).centroid};
    return stage->sprites = sprite;
}

static pv_mask *load_level(pv_error *error) {
    char path[900];
    snprintf(path, sizeof path, "%s/" LEVEL, sprite_directory());
    return pv_tilemap_load_mask(path, "ground", NULL, error);
}

static void put_level(struct stage *stage, pv_mask *mask) {
    pv_error error = {.status = PV_ERROR_MEMORY, .message = "out of memory"};
    struct sprite *sprite = add_sprite(stage, mask);
    if (sprite) {
        pv_body_def def = pv_body_def_default();
        def.type = PV_BODY_STATIC;
        def.mask = sprite->mask;
        def.position = sprite->center;
        def.user_data = sprite;
        pv_body_create(stage->world, &def, &error);
    }
    if (error.status != PV_OK && !stage->error[0])
        snprintf(stage->error, sizeof stage->error, LEVEL ": %s", error.message);
}

static void add_level(struct stage *stage) {
    pv_error error;
    pv_mask *mask = load_level(&error);
    if (mask) {
        char label[48];
        snprintf(label, sizeof label, "%d x %d tiles, one mask", pv_mask_get_width(mask) / TILE,
                 pv_mask_get_height(mask) / TILE);
        stage_add_label(stage, 320, 342, label);
        put_level(stage, mask);
    } else if (error.status == PV_ERROR_UNSUPPORTED) {
        stage_add_static(stage, "floor", -320, 320);
        stage_add_label(stage, 320, 60, "built without libcjson");
    } else if (!stage->error[0])
        snprintf(stage->error, sizeof stage->error, LEVEL ": %s", error.message);
}

static void build(struct stage *stage) {
    const int kinds = (int)(sizeof falling / sizeof falling[0]);
    for (int i = 0; i < FALLING; i++) {
        double x = 40 + 48 * (i % 12) + stage_uniform(stage, 0, 16);
        double angle = stage_uniform(stage, -3, 3);
        int kind = stage_pick(stage, kinds);
        stage_add(stage, falling[kind], x, -20 - 48 * (i / 12), angle);
    }
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 640, 360);
    add_level(stage);
    stage_add_fence(stage, 720);
    build(stage);
    aim_arm(stage, NULL);
}

/// Throws a ball from above the middle, alternately to the left and the right.
static void toss(struct stage *stage, int which) {
    pv_vec2 from = {320, 40}, at = {320 + (which % 2 ? 200 : -200), 200};
    aim_toss_at(stage, from, at, stage_uniform(stage, .5, .8));
}

static void update(struct stage *stage) {
    static const struct rounds rounds = {960, 90, 6, 360, toss, build};
    rounds_play(stage, &rounds);
}

const struct scene scene_tilemap = {"tilemap", "a level made with Tiled, as one mask", setup,
                                    update};
