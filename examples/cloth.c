/* cloth.c - a cloth falls over a sprite that hangs on a rope; prints where both end up.
 * SPDX-License-Identifier: Zlib */
#include <pixverlet.h>
#include <stdio.h>

int main(int argc, char **argv) {
    pv_error error;
    pv_mask *sprite = pv_mask_load(argc > 1 ? argv[1] : "sprites/rock_large.png", NULL, &error);
    if (!sprite) {
        fprintf(stderr, "cloth: %s\n", error.message);
        return 2;
    }
    pv_world *world = pv_world_create(NULL, &error);

    pv_body_def body = pv_body_def_default();
    body.mask = sprite;
    body.position = PV_VEC2(200, 200);
    body.mass = 60;
    pv_body_id rock = pv_body_create(world, &body, &error);

    pv_rope_def rope = pv_rope_def_default();
    rope.from = pv_anchor_world(PV_VEC2(200, 20));
    rope.to = pv_anchor_body(rock, PV_VEC2(200, 190));
    pv_rope_create(world, &rope, &error);

    pv_cloth_def cloth = pv_cloth_def_default();
    cloth.top_left = PV_VEC2(110, 100);
    cloth.columns = 20;
    cloth.rows = 8;
    cloth.spacing = 9;
    cloth.pin_every = 0; /* not pinned, so that it falls */
    pv_composite_id sheet = pv_cloth_create(world, &cloth, &error);

    for (int step = 0; step < 120; step++) pv_world_step(world, 1.0 / 60);
    pv_vec2 middle = pv_composite_get_position(world, sheet),
            stone = pv_body_get_position(world, rock);
    printf("after 2 s the cloth is at (%.1f, %.1f), the rock at (%.1f, %.1f)\n", middle.x, middle.y,
           stone.x, stone.y);
    pv_world_destroy(world);
    pv_mask_release(sprite);
    return 0;
}
