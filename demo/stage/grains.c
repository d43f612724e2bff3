/* grains.c - the population of grains of a stage.
 *
 * Invariant: a grain of a body has the color that its pixel had.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "stage/grains.h"

#include <stdlib.h>

/// Color of grains of bodies without a picture
static const uint32_t plain = 0x8c8478ffu;

static uint32_t color_of(void *user_data, pv_body_id body, int x, int y) {
    const struct stage *stage = user_data;
    const struct sprite *sprite = stage_sprite_of(stage, body);
    if (!sprite) return plain;
    const unsigned char *texel = sprite_texel(sprite, x, y);
    if (texel[3] == 0) return plain;
    return PV_RGBA(texel[0], texel[1], texel[2], texel[3]);
}

void grains_add(struct stage *stage, pv_grains_def def) {
    pv_error error;
    def.color_callback = color_of;
    def.color_user_data = stage;
    stage->grains = pv_grains_create(stage->world, &def, &error);
    if (error.status != PV_OK) stage_fail(stage, "grains", error.status);
}

void grains_drain(struct stage *stage, pv_box box) {
    pv_status status =
        pv_grains_add_sink(stage->world, stage->grains, &(pv_grain_sink){.box = box});
    if (status != PV_OK) stage_fail(stage, "sink", status);
}

void grains_crumble(struct stage *stage, pv_body_id body) {
    pv_world *world = stage->world;
    const pv_mask *mask = pv_body_get_mask(world, body);
    int width = pv_mask_get_width(mask), height = pv_mask_get_height(mask);
    uint32_t *colors = malloc((size_t)width * (size_t)height * sizeof *colors + 1);
    for (int i = 0; colors && i < width * height; i++)
        colors[i] = color_of(stage, body, i % width, i / width);
    pv_placed placed = {mask, pv_body_get_transform(world, body)};
    pv_grains_emit_mask(world, stage->grains, &placed, colors, pv_body_get_velocity(world, body),
                        pv_body_get_angular_velocity(world, body));
    free(colors);
    pv_body_destroy(world, body);
}
