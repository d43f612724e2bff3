/* sheet.c - each frame of an animated sprite collides with its own pixels; space swings a hammer.
 * SPDX-License-Identifier: Zlib */
#include <pixverlet.h>
#include <pixverlet/sdl_game.h>
#include <stdio.h>

enum { CELL = 48, HEIGHT = 40, HAMMER_UP = 4, HAMMER_DOWN = 5 }; /* cell size, two cell indices */
static pv_sdl_game *game;
static pv_world *world;
static pv_frames *frames;
static pv_body_id gnome, ball;
static pv_sdl_sprite hidden; /* the gnome's: an empty sprite is not drawn with the world */
static int cell, facing = 1, swing, swings, hits, narrow = CELL, wide;

static void serve(void) {
    pv_body_set_position(world, ball, PV_VEC2(300, 180));
    pv_body_set_velocity(world, ball, PV_VEC2(-120, 0));
}

/// Bats the ball away if the hammer's pixels reach it.
static void bat(void) {
    if (!pv_body_test_overlap(world, gnome, ball)) return;
    pv_body_set_velocity(world, ball, PV_VEC2(250 * facing, -150));
    hits++;
}

/// Shows a cell, and lets the gnome collide with it.
static void show(int next) {
    pv_mask *mask = pv_frames_get_frame(frames, next)->mask;
    if (next != cell) pv_body_set_mask(world, gnome, mask, PV_VEC2(0, 0));
    if (next == HAMMER_DOWN && cell == HAMMER_UP) bat();
    cell = next;
    int width = pv_mask_compute_bounds(pv_body_get_mask(world, gnome)).w; /* of its solid pixels */
    narrow = SDL_min(narrow, width);
    wide = SDL_max(wide, width);
}

static void step(double dt) {
    double go = pv_sdl_game_get_axis(game, SDL_SCANCODE_LEFT, SDL_SCANCODE_RIGHT);
    int walk = pv_frames_find_tag(frames, "walk");
    int next = go ? pv_frames_get_index_at(frames, walk, game->frame_index * dt) : 0;
    int side = go < 0 ? -1 : go > 0 ? 1 : facing;
    if (side != facing) pv_body_set_scale(world, gnome, PV_VEC2(side, 1));
    facing = side;
    bool strike = swing == 0 && pv_sdl_game_was_pressed(game, SDL_SCANCODE_SPACE);
    if (strike) swing = 24;
    swings += strike;
    if (swing > 0) next = swing > 12 ? HAMMER_UP : HAMMER_DOWN;
    swing = SDL_max(0, swing - 1);
    show(next);
    pv_body_set_velocity(world, gnome, PV_VEC2(120 * go, 0));
    pv_sdl_game_step(game, world);
    if (pv_world_get_events(world).out_of_bounds_count > 0) serve();
}

int main(int argc, char **argv) {
    game = pv_sdl_game_create("Sheet", 640, 480, argc, argv);
    game->camera.zoom = 2; /* the window shows 320 x 240 px of the world */
    pv_world_def rules = pv_world_def_default();
    rules.bounds = (pv_box){{0, -1000}, {320, 240}};
    world = pv_world_create(&rules, NULL);
    pv_sdl_sprite *marble = pv_sdl_game_load_sprite(game, "sprites/ball_small.png");
    pv_sdl_sprite *stone = pv_sdl_game_load_sprite(game, "sprites/floor.png");
    pv_sdl_game_add_body(game, world, stone, PV_BODY_STATIC, 160, 232);
    pv_body_def def = pv_sdl_sprite_get_body_def(marble, PV_BODY_DYNAMIC, 0, 0);
    def.restitution = 0.7;
    ball = pv_body_create(world, &def, NULL);
    serve();
    pv_sdl_sprite *sheet = pv_sdl_game_load_sprite(game, "sprites/hero.png");
    pv_grid grid = {.width = CELL, .height = HEIGHT};
    frames = pv_frames_from_grid(sheet->image, &grid, NULL, NULL);
    if (!frames) return pv_sdl_game_destroy(game);
    pv_frames_add_tag(frames, &(pv_tag){"walk", 0, 3, PV_TAG_FORWARD});
    def = pv_body_def_at(PV_BODY_KINEMATIC, pv_frames_get_frame(frames, 0)->mask, 0, 0);
    pv_body_def_set_top_left(&def, PV_VEC2(80, 216 - HEIGHT));
    def.user_data = &hidden;
    gnome = pv_body_create(world, &def, NULL);
    while (pv_sdl_game_frame(game)) {
        for (int i = 0; i < game->step_count; i++) step(game->clock.step);
        pv_sdl_game_draw(game, world);
        pv_transform at = pv_body_get_transform(world, gnome);
        SDL_Rect part = {cell * CELL, 0, CELL, HEIGHT};
        pv_sdl_draw_texture(&game->camera, sheet->texture, &part, &at);
        pv_sdl_game_present(game);
    }
    printf("%d swings, %d hits, the gnome %d to %d px wide\n", swings, hits, narrow, wide);
    pv_frames_destroy(frames);
    pv_world_destroy(world);
    return pv_sdl_game_destroy(game);
}
