/* level.c - a level drawn as text: its tiles make one picture, which is one body, so that nothing
 * catches between tiles. A diver runs for the coins and the safe, and the camera follows.
 * SPDX-License-Identifier: Zlib */
#include <pixverlet.h>
#include <pixverlet/sdl_game.h>
#include <stdio.h>

enum { COLUMNS = 88, ROWS = 11, TILE = 16, WIDE = 24, HIGH = 32 /* of a cell of the sheet */ };
static const char *const map[ROWS] = {
    "#......................................................................................#",
    "#................................................o.o.o.................................#",
    "#......................................................................................#",
    "#......................................................................................#",
    "#..................o.......................##...#########..o...........................#",
    "#..................................o.o................................o................#",
    "#..................#...........#..####......................##....oo.....####..........#",
    "#...........o..................##.................................##...##..............#",
    "#..............##.......####...##......................................................#",
    "#..........##..##..o................########...o..........###....####....##..#......d..#",
    "######################...#######################...##########...########################",
};
static const pv_vec2 home = {56, 144}; /* of the diver's feet */
static pv_sdl_game *game;
static pv_world *world;
static pv_mover hero;
static pv_sdl_sprite *tile, *coin, *safe, *sheet, *level;
static int facing = 1, coins, arrival;

static void add(pv_sdl_sprite *sprite, pv_vec2 corner, bool sensor) {
    pv_body_def def = pv_sdl_sprite_get_body_def(sprite, PV_BODY_STATIC, 0, 0);
    pv_body_def_set_top_left(&def, corner);
    def.sensor = sensor;
    pv_body_create(world, &def, NULL);
}

static void build(void) {
    pv_image *picture = pv_image_create(COLUMNS * TILE, ROWS * TILE, NULL, NULL);
    pv_canvas canvas = {picture->pixels, COLUMNS * TILE, ROWS * TILE, COLUMNS * TILE * 4};
    pv_transform at = pv_transform_identity();
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        char sign = map[i / COLUMNS][i % COLUMNS];
        at.position = PV_VEC2(i % COLUMNS * TILE, i / COLUMNS * TILE);
        if (sign == '#') pv_canvas_draw_image(&canvas, tile->image, &at, 0xffffffff);
        if (sign == 'o') add(coin, at.position, true);
        if (sign == 'd') add(safe, PV_VEC2(at.position.x - 48, at.position.y - 32), true);
    }
    level = pv_sdl_sprite_from_image(game->camera.renderer, picture, NULL);
    pv_image_destroy(picture);
    add(level, PV_VEC2(0, 0), false);
}

static void meet(pv_body_id body) {
    if (pv_body_get_user_data(world, body) == safe && arrival == 0) arrival = game->frame_index;
    if (pv_body_get_user_data(world, body) == coin) coins += pv_body_destroy(world, body) == PV_OK;
}

static void step(double dt) {
    double go = pv_sdl_game_get_axis(game, SDL_SCANCODE_LEFT, SDL_SCANCODE_RIGHT);
    pv_vec2 velocity = {140 * go, hero.velocity.y + 900 * dt};
    if (hero.grounded && pv_sdl_game_was_pressed(game, SDL_SCANCODE_UP)) velocity.y = -340;
    if (go != 0) facing = go < 0 ? -1 : 1;
    pv_sdl_game_step(game, world);
    pv_mover_move(world, &hero, velocity, dt);
    pv_body_id found[8]; /* bodies that share a pixel with the hero */
    pv_query_filter filter = {.mask_bits = ~0u, .include_sensors = true};
    int count = pv_mover_query(world, &hero, &filter, found, 8);
    for (int i = 0; i < count && i < 8; i++) meet(found[i]);
    if (hero.position.y > ROWS * TILE + HIGH) hero.position = home;
}

static void draw(void) {
    pv_box all = {{0, 0}, {COLUMNS * TILE, ROWS * TILE}};
    pv_sdl_camera_follow(&game->camera, hero.position, all, 1.0 / 60);
    pv_sdl_game_draw(game, world);
    int run = hero.velocity.x == 0 ? 0 : 2 + (int)(hero.position.x / 10) % 6;
    SDL_Rect cell = {(hero.grounded ? run : hero.velocity.y < 0 ? 8 : 9) * WIDE, 0, WIDE, HIGH};
    pv_transform at = pv_mover_get_transform(&hero);
    at.pivot = PV_VEC2(WIDE / 2, HIGH); /* the mask is narrower than a cell */
    at.scale.x = facing;
    pv_sdl_draw_texture(&game->camera, sheet->texture, &cell, &at);
    pv_sdl_game_draw_text(game, 60, 12, "%d coins", coins);
    pv_sdl_game_present(game);
}

int main(int argc, char **argv) {
    game = pv_sdl_game_create("Level", 640, ROWS * TILE * 2, argc, argv);
    game->camera.zoom = 2;
    world = pv_world_create(NULL, NULL);
    tile = pv_sdl_game_load_sprite(game, "sprites/tile.png");
    coin = pv_sdl_game_load_sprite(game, "sprites/coin.png");
    safe = pv_sdl_game_load_sprite(game, "sprites/safe.png");
    sheet = pv_sdl_game_load_sprite(game, "sprites/diver.png");
    build();
    hero = pv_mover_default();
    hero.mask = pv_sdl_game_load_sprite(game, "sprites/domino.png")->mask; /* a plain box */
    hero.pivot = PV_VEC2(4, HIGH);
    hero.position = home;
    while (pv_sdl_game_frame(game)) {
        for (int i = 0; i < game->step_count; i++) step(game->clock.step);
        draw();
    }
    printf("%d coins, at the safe in step %d, at x = %.0f\n", coins, arrival, hero.position.x);
    pv_world_destroy(world);
    pv_sdl_sprite_destroy(level);
    return pv_sdl_game_destroy(game);
}
