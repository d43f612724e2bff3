/* platformer.c - a mover walks pixel by pixel over hills, a bridge and a lift, pushes a crate, and
 * collects stars. SPDX-License-Identifier: Zlib */
#include <pixverlet.h>
#include <pixverlet/sdl_game.h>
#include <stdio.h>

enum { WIDTH = 640, LEVEL = 1280, CELL = 48 }; /* of window, level, and a cell of the sheet */
static pv_sdl_game *game;
static pv_world *world;
static pv_mover hero;
static pv_sdl_sprite *sheet, *star, *plank;
static pv_body_id lift;
static double facing = 1, turn; /* turn: how far the lift is on its way [rad] */
static int stars, jumps;

static pv_body_id add(pv_sdl_sprite *sprite, pv_body_type type, double x, double y) {
    pv_body_def def = pv_sdl_sprite_get_body_def(sprite, type, x, y);
    def.sensor = sprite == star;
    def.one_way_normal.y = sprite == plank ? -1 : 0;
    return pv_body_create(world, &def, NULL);
}

static void collect(void) {
    pv_body_id found[8]; /* bodies that share a pixel with the hero */
    pv_query_filter filter = {.mask_bits = ~0u, .include_sensors = true};
    int count = pv_mover_query(world, &hero, &filter, found, 8);
    for (int i = 0; i < count && i < 8; i++)
        if (pv_body_get_user_data(world, found[i]) == star)
            stars += pv_body_destroy(world, found[i]) == PV_OK;
}

static void step(double dt) {
    double go = pv_sdl_game_get_axis(game, SDL_SCANCODE_LEFT, SDL_SCANCODE_RIGHT);
    pv_vec2 velocity = {150 * go, hero.velocity.y + 900 * dt};
    bool jump = hero.grounded && pv_sdl_game_was_pressed(game, SDL_SCANCODE_UP);
    if (jump) velocity.y = -380;
    jumps += jump;
    hero.drop_through = pv_sdl_game_is_down(game, SDL_SCANCODE_DOWN);
    if (go != 0) facing = go < 0 ? -1 : 1;
    turn += 0.02;
    pv_body_move_to(world, lift, PV_VEC2(797, 370 + 50 * pv_rotation_from_angle(turn).s), 0, dt);
    pv_sdl_game_step(game, world);
    pv_mover_move(world, &hero, velocity, dt); /* after the step, when all is where it is drawn */
    hero.position.x = SDL_clamp(hero.position.x, 20, LEVEL - 20);
    collect();
}

static void draw(void) {
    pv_sdl_camera_follow(&game->camera, hero.position, (pv_box){{0, 0}, {LEVEL, 480}}, 1.0 / 60);
    pv_sdl_game_draw(game, world);
    int cell = !hero.grounded ? 1 : hero.velocity.x != 0 ? (int)(hero.position.x / 12) % 4 : 0;
    pv_transform at = pv_mover_get_transform(&hero);
    at.scale.x = facing; /* only of the picture; the mask is symmetric */
    pv_sdl_draw_texture(&game->camera, sheet->texture, &(SDL_Rect){cell * CELL, 0, CELL, 40}, &at);
    pv_sdl_game_present(game);
}

int main(int argc, char **argv) {
    game = pv_sdl_game_create("Platformer", WIDTH, 480, argc, argv);
    world = pv_world_create(NULL, NULL);
    pv_sdl_sprite *ground = pv_sdl_game_load_sprite(game, "sprites/ground.png");
    pv_vec2 center = pv_mask_compute_mass(ground->mask).centroid; /* bodies are placed by it */
    add(ground, PV_BODY_STATIC, center.x, center.y + 240);
    star = pv_sdl_game_load_sprite(game, "sprites/star_small.png");
    sheet = pv_sdl_game_load_sprite(game, "sprites/hero.png");
    const pv_vec2 at[] = {{180, 280}, {390, 320}, {650, 350}, {797, 410}, {970, 300}, {1160, 300}};
    for (int i = 0; i < 6; i++) add(star, PV_BODY_STATIC, at[i].x, at[i].y);
    plank = pv_sdl_game_load_sprite(game, "sprites/plank.png");
    for (int i = 0; i < 2; i++) add(plank, PV_BODY_STATIC, 797 - 237 * i, 326 + 4 * i);
    pv_sdl_sprite *crate = pv_sdl_game_load_sprite(game, "sprites/crate.png");
    lift = add(crate, PV_BODY_KINEMATIC, 797, 370);
    pv_body_id load = add(crate, PV_BODY_DYNAMIC, 520, 360);
    hero = pv_mover_default();
    hero.pivot = PV_VEC2(CELL / 2, 40);
    hero.position = PV_VEC2(60, 200);
    pv_mask *first_cell = pv_mask_crop(sheet->mask, (pv_rect){0, 0, CELL, 40}, NULL);
    hero.mask = first_cell;
    hero.push_force = 3000 * pv_body_get_mass(world, load);
    while (pv_sdl_game_frame(game)) {
        for (int i = 0; i < game->step_count; i++) step(game->clock.step);
        draw();
    }
    double x = hero.position.x, crate_x = pv_body_get_position(world, load).x;
    printf("%d stars, %d jumps, hero at x = %.0f, crate at x = %.0f\n", stars, jumps, x, crate_x);
    pv_mask_release(first_cell);
    pv_world_destroy(world);
    return pv_sdl_game_destroy(game);
}
