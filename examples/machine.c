/* machine.c - the arrows drive a tractor with a pig on a spring seat; it tows a wagon over a hill,
 * and Space unhooks it. SPDX-License-Identifier: Zlib */
#include <pixverlet.h>
#include <pixverlet/sdl_game.h>
#include <stdio.h>

enum { LEVEL = 1280, GROUND = 448, TRACTOR = -1, WAGON = -2 }; /* groups that do not collide */
static pv_sdl_game *game;
static pv_world *world;
static pv_body_id tractor, wagon, load;
static pv_joint_id motors[2], rope;

static pv_body_id add(const char *path, pv_body_type type, double x, double y, int group) {
    pv_sdl_sprite *sprite = pv_sdl_game_load_sprite(game, path);
    pv_body_def def = pv_sdl_sprite_get_body_def(sprite, type, x, y);
    def.filter.group_index = group;
    def.friction = 2;
    return pv_body_create(world, &def, NULL);
}

/// Adds a floor, a wall at each end, and a hill of two beams.
static void add_level(void) {
    add("sprites/floor.png", PV_BODY_STATIC, LEVEL / 2, GROUND + 16, 0);
    for (int side = -1; side <= 1; side += 2) {
        add("sprites/wall.png", PV_BODY_STATIC, LEVEL / 2 + 632 * side, 208, 0);
        pv_body_id beam = add("sprites/beam.png", PV_BODY_STATIC, 780 + 235 * side, 404, 0);
        pv_body_set_angle(world, beam, 0.2 * side);
    }
}

/// Adds a plank above two wheels, which are hinged to it.
static pv_body_id add_cart(double x, int group, pv_body_id wheels[2]) {
    pv_body_id plank = add("sprites/plank.png", PV_BODY_DYNAMIC, x, GROUND - 38, group);
    for (int i = 0; i < 2; i++) {
        pv_vec2 axle = {x - 32 + 64 * i, GROUND - 16};
        wheels[i] = add("sprites/ball.png", PV_BODY_DYNAMIC, axle.x, axle.y, group);
        pv_joint_create_pin(world, plank, wheels[i], axle);
    }
    return plank;
}

/// Adds a tractor: motors at its wheels, a cabin welded to it, and a seat that slides on a spring.
static void add_tractor(double x) {
    pv_body_id wheels[2];
    tractor = add_cart(x, TRACTOR, wheels);
    for (int i = 0; i < 2; i++)
        motors[i] = pv_joint_create_motor(world, tractor, wheels[i], 0, 1e7);
    pv_body_id cabin = add("sprites/crate.png", PV_BODY_DYNAMIC, x - 28, GROUND - 60, TRACTOR);
    pv_joint_create_weld(world, tractor, cabin, PV_VEC2(x - 28, GROUND - 44));
    pv_vec2 place = {x + 20, GROUND - 80}, foot = {x + 20, GROUND - 38};
    pv_body_id seat = add("sprites/pig.png", PV_BODY_DYNAMIC, place.x, place.y, TRACTOR);
    pv_joint_create_slider(world, tractor, seat, PV_VEC2(0, 1), -30, 20);
    pv_anchor ends[] = {pv_anchor_body(seat, place), pv_anchor_body(tractor, foot)};
    pv_joint_create_spring(world, ends[0], ends[1], 3, 0.2);
}

/// Adds a wagon behind the tractor, a rope between them, and its loose load.
static void add_wagon(double x) {
    pv_body_id wheels[2];
    wagon = add_cart(x, WAGON, wheels);
    load = add("sprites/crate.png", PV_BODY_DYNAMIC, x, GROUND - 60, 0);
    pv_anchor ends[] = {pv_anchor_body(wagon, PV_VEC2(x + 46, GROUND - 38)),
                        pv_anchor_body(tractor, PV_VEC2(x + 94, GROUND - 38))};
    rope = pv_joint_create_rope(world, ends[0], ends[1], -1);
}

static void step(void) {
    double go = pv_sdl_game_get_axis(game, SDL_SCANCODE_LEFT, SDL_SCANCODE_RIGHT);
    for (int i = 0; i < 2; i++) pv_joint_set_motor_speed(world, motors[i], 7 * go);
    pv_sdl_game_step(game, world);
    if (pv_sdl_game_was_pressed(game, SDL_SCANCODE_SPACE)) pv_joint_destroy(world, rope);
}

int main(int argc, char **argv) {
    game = pv_sdl_game_create("Machine", 640, 480, argc, argv);
    world = pv_world_create(NULL, NULL);
    add_level();
    add_tractor(210);
    add_wagon(72);
    while (pv_sdl_game_frame(game)) {
        for (int i = 0; i < game->step_count; i++) step();
        pv_box all = {{0, 0}, {LEVEL, 480}};
        pv_sdl_camera_follow(&game->camera, pv_body_get_position(world, tractor), all, 1.0 / 60);
        pv_sdl_game_draw(game, world);
        pv_sdl_game_present(game);
    }
    printf("tractor at x = %.0f, wagon at x = %.0f, its load at y = %.0f\n",
           pv_body_get_position(world, tractor).x, pv_body_get_position(world, wagon).x,
           pv_body_get_position(world, load).y);
    pv_world_destroy(world);
    return pv_sdl_game_destroy(game);
}
