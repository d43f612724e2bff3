/* trigger.c - lead the bullet by the mouse to the three links, past the rest. Sensors stop nothing.
 * They report what shares a pixel with them, often long after the boxes met.
 * SPDX-License-Identifier: Zlib */
#include <math.h>
#include <pixverlet.h>
#include <pixverlet/sdl_game.h>
#include <stdio.h>

static pv_sdl_game *game;
static pv_world *world;
static pv_sdl_sprite *link;
static int alarms, links, box_steps, pixel_steps;

static pv_body_id add(pv_sdl_sprite *sprite, pv_body_type type, double x, double y) {
    pv_body_def def = pv_sdl_sprite_get_body_def(sprite, type, x, y);
    def.sensor = type == PV_BODY_STATIC;
    return pv_body_create(world, &def, NULL);
}

static void react(pv_events events) {
    /* each is told once; events.sensor_ends tells of the end */
    for (int i = 0; i < events.sensor_begin_count; i++) {
        pv_body_id sensor = events.sensor_begins[i].sensor;
        bool good = pv_body_get_user_data(world, sensor) == link;
        if (good) pv_body_destroy(world, sensor);
        links += good;
        alarms += !good;
    }
}

/// Compares triggers by boxes with these by pixels. The background is red while a pixel touches.
static void compare(pv_body_id player) {
    pv_box mine = pv_body_get_bounds(world, player);
    bool box = false, pixel = false;
    pv_body_id body = pv_world_get_next_body(world, pv_null_body);
    for (; pv_body_is_valid(world, body); body = pv_world_get_next_body(world, body)) {
        if (body.index == player.index || pv_body_get_user_data(world, body) == link) continue;
        pv_box its = pv_body_get_bounds(world, body);
        bool across = its.min.x < mine.max.x && mine.min.x < its.max.x;
        box |= across && its.min.y < mine.max.y && mine.min.y < its.max.y;
        pixel |= pv_body_get_sensor_overlaps(world, body, NULL, 0) > 0;
    }
    box_steps += box;
    pixel_steps += pixel;
    game->background = pixel ? 0x702030ff : 0x20283cff;
}

static void step(pv_body_id player) {
    pv_vec2 at = pv_body_get_position(world, player),
            way = {game->mouse.x - at.x, game->mouse.y - at.y};
    /* to the mouse, but no more than 1.5 px a step */
    double share = 1.5 / fmax(1.5, hypot(way.x, way.y));
    pv_vec2 to = {at.x + share * way.x, at.y + share * way.y};
    pv_body_move_to(world, player, to, 0, game->clock.step);
    pv_sdl_game_step(game, world);
    react(pv_world_get_events(world));
    compare(player);
}

int main(int argc, char **argv) {
    game = pv_sdl_game_create("Trigger", 640, 480, argc, argv);
    game->camera.zoom = 4; /* the window shows 160 x 120 px of the world */
    world = pv_world_create(NULL, NULL);
    link = pv_sdl_game_load_sprite(game, "sprites/link.png");
    add(pv_sdl_game_load_sprite(game, "sprites/letter_c.png"), PV_BODY_STATIC, 36, 32);
    add(link, PV_BODY_STATIC, 40, 32);
    add(pv_sdl_game_load_sprite(game, "sprites/box_notched.png"), PV_BODY_STATIC, 44, 98);
    add(link, PV_BODY_STATIC, 44, 88);
    add(pv_sdl_game_load_sprite(game, "sprites/rock_large.png"), PV_BODY_STATIC, 116, 72);
    add(link, PV_BODY_STATIC, 133, 36);
    pv_body_id player =
        add(pv_sdl_game_load_sprite(game, "sprites/bullet.png"), PV_BODY_KINEMATIC, 80, 16);
    /* the bullet stays until the mouse moves */
    game->mouse_screen =
        pv_sdl_camera_to_screen(&game->camera, pv_body_get_position(world, player));
    while (pv_sdl_game_frame(game)) {
        for (int i = 0; i < game->step_count; i++) step(player);
        pv_sdl_game_draw(game, world);
        pv_sdl_game_present(game);
    }
    printf("fetched %d links, %d alarms; boxes met in %d steps, pixels in %d\n", links, alarms,
           box_steps, pixel_steps);
    pv_world_destroy(world);
    return pv_sdl_game_destroy(game);
}
