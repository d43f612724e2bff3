/* picking.c - drag things with the mouse and throw them. A drag pulls with a bounded force, so that
 * what is held pushes others and is stopped by them. SPDX-License-Identifier: Zlib */
#include <math.h>
#include <pixverlet.h>
#include <pixverlet/sdl_game.h>
#include <stdio.h>

static pv_sdl_game *game;
static pv_world *world;
static pv_joint_id drag; /* not valid while nothing is held */
static int picked, missed;
static double farthest; /* greatest distance from the grip to the mouse [px] */

static void pick(pv_vec2 mouse) {
    /* by pixels: a click through the ring's hole misses the ring */
    pv_body_id body = pv_world_pick_body(world, mouse);
    if (pv_body_get_type(world, body) != PV_BODY_DYNAMIC) return (void)missed++;
    drag = pv_joint_create_mouse(world, body, mouse); /* held at the point under the mouse */
    picked++;
}

static void step(void) {
    if (pv_sdl_game_was_pressed(game, PV_SDL_MOUSE_LEFT)) pick(game->mouse);
    /* on release, the body flies on */
    if (!pv_sdl_game_is_down(game, PV_SDL_MOUSE_LEFT) && pv_joint_is_valid(world, drag))
        pv_joint_destroy(world, drag);
    if (pv_joint_is_valid(world, drag)) pv_joint_set_target(world, drag, game->mouse);
    pv_sdl_game_step(game, world);
}

/// Draws a line from the grip to the mouse.
static void draw_drag(void) {
    pv_anchor ends[2];
    if (pv_joint_get_anchors(world, drag, ends) != PV_OK) return;
    pv_vec2 from = ends[0].point, to = ends[1].point,
            a = pv_sdl_camera_to_screen(&game->camera, from),
            b = pv_sdl_camera_to_screen(&game->camera, to);
    SDL_SetRenderDrawColor(game->camera.renderer, 255, 220, 80, 255);
    SDL_RenderDrawLineF(game->camera.renderer, (float)a.x, (float)a.y, (float)b.x, (float)b.y);
    farthest = fmax(farthest, hypot(to.x - from.x, to.y - from.y));
}

int main(int argc, char **argv) {
    game = pv_sdl_game_create("Picking", 640, 480, argc, argv);
    world = pv_world_create(NULL, NULL);
    pv_body_def bucket = pv_sdl_sprite_get_body_def(
        pv_sdl_game_load_sprite(game, "sprites/bucket.png"), PV_BODY_STATIC, 320, 324);
    pv_body_create(world, &bucket, NULL);
    const char *names[] = {"sprites/ring.png",     "sprites/star.png",  "sprites/gear.png",
                           "sprites/letter_c.png", "sprites/crate.png", "sprites/rock_medium.png"};
    pv_sdl_sprite *sprites[6];
    for (int i = 0; i < 6; i++) sprites[i] = pv_sdl_game_load_sprite(game, names[i]);
    for (int i = 0; i < 18; i++) { /* rows of six fall into the bucket */
        pv_body_def def = pv_sdl_sprite_get_body_def(sprites[i % 6], PV_BODY_DYNAMIC,
                                                     140 + i % 6 * 68 + i, 380 - i / 6 * 80);
        def.angle = i;
        pv_body_create(world, &def, NULL);
    }
    while (pv_sdl_game_frame(game)) {
        for (int i = 0; i < game->step_count; i++) step();
        pv_sdl_game_draw(game, world);
        draw_drag();
        pv_sdl_game_present(game);
    }
    printf("picked %d times, missed %d times, at most %.0f px from the mouse\n", picked, missed,
           farthest);
    pv_world_destroy(world);
    return pv_sdl_game_destroy(game);
}
