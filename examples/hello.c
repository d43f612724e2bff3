/* hello.c - drops a sprite onto a floor and says where they touch. SPDX-License-Identifier: Zlib */
#include <pixverlet.h>
#include <stdio.h>

int main(int argc, char **argv) {
    pv_error error;
    pv_mask *sprite = pv_mask_load(argc > 1 ? argv[1] : "sprites/star.png", NULL, &error);
    if (!sprite) {
        fprintf(stderr, "%s\n", error.message);
        return 2;
    }
    pv_mask *slab = pv_mask_create_rect(640, 16, NULL, NULL);

    pv_world_def rules = pv_world_def_default();
    rules.report_callback = pv_error_print; /* a refused call says why */
    pv_world *world = pv_world_create(&rules, NULL);
    pv_body_def floor = pv_body_def_at(PV_BODY_STATIC, slab, 320, 400);
    pv_body_create(world, &floor, NULL);
    pv_body_def body = pv_body_def_at(PV_BODY_DYNAMIC, sprite, 320, 0);
    body.angle = 0.3;
    pv_body_create(world, &body, NULL);

    for (int step = 1; step <= 600; step++) {
        pv_world_step(world, 1.0 / 60);
        pv_contact touch;
        if (pv_world_get_contacts(world, &touch, 1) == 0) continue;
        pv_vec2 at = touch.point;
        printf("after %.2f s they touch at (%.1f, %.1f)\n", step / 60.0, at.x, at.y);
        break;
    }

    pv_world_destroy(world);
    pv_mask_release(slab);
    pv_mask_release(sprite);
    return 0;
}
