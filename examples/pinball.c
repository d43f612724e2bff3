/* pinball.c - Left and Right move flippers on hinges with motors and limits; bumpers kick the ball.
 * SPDX-License-Identifier: Zlib */
#include <pixverlet.h>
#include <pixverlet/sdl_game.h>
#include <stdio.h>

enum { WIDTH = 400, HEIGHT = 640, MIDDLE = 200, TABLE = -1 }; /* negative group: no contacts */
static pv_sdl_game *game;
static pv_world *world;
static pv_sdl_sprite *bumper;
static int bumps, drained, escaped;
static const pv_vec2 start = {246, 60};

static void wall(pv_sdl_sprite *sprite, double x, double y, double angle, double restitution) {
    pv_body_def def = pv_sdl_sprite_get_body_def(sprite, PV_BODY_STATIC, x, y);
    def.angle = angle;
    def.restitution = restitution;
    def.filter.group_index = TABLE;
    pv_body_create(world, &def, NULL);
}

/// Creates a plank that turns about its outer end; side: -1 left, 1 right.
static pv_joint_id flipper(pv_sdl_sprite *plank, int side) {
    pv_vec2 hinge = {MIDDLE + 92 * side, 540};
    double x = hinge.x - 36 * side, y = hinge.y + 17, low = side < 0 ? -0.9 : 0;
    pv_body_def def = pv_sdl_sprite_get_body_def(plank, PV_BODY_DYNAMIC, x, y);
    def.angle = -0.45 * side;
    def.filter.group_index = TABLE;
    pv_body_id body = pv_body_create(world, &def, NULL);
    double torque = 5000 * pv_body_get_inertia(world, body);
    pv_joint_create_pin(world, pv_null_body, body, hinge); /* the null body is the world */
    pv_joint_create_angle_limit(world, pv_null_body, body, low, low + 0.9);
    return pv_joint_create_motor(world, pv_null_body, body, 0, torque);
}

static void react(pv_events events, pv_body_id ball) {
    for (int i = 0; i < events.hit_count; i++) { /* normals point from a to b */
        pv_hit_event hit = events.hits[i];
        int a = pv_body_get_user_data(world, hit.a) == bumper;
        int b = pv_body_get_user_data(world, hit.b) == bumper;
        bumps += a || b;
        double kick = (a - b) * 200 * pv_body_get_mass(world, ball);
        pv_body_apply_impulse(world, ball, PV_VEC2(kick * hit.normal.x, kick * hit.normal.y));
    }
    for (int i = 0; i < events.out_of_bounds_count; i++) {
        pv_body_get_position(world, ball).y > HEIGHT ? drained++ : escaped++;
        pv_body_set_position(world, ball, start); /* this keeps the velocity */
        pv_body_set_velocity(world, ball, PV_VEC2(0, 0));
    }
}

int main(int argc, char **argv) {
    game = pv_sdl_game_create("Pinball", WIDTH, HEIGHT, argc, argv);
    pv_world_def def = pv_world_def_default();
    def.bounds = (pv_box){{0, 0}, {WIDTH, HEIGHT}};
    def.gravity.y = 500; /* y points down */
    world = pv_world_create(&def, NULL);
    pv_sdl_sprite *stone = pv_sdl_game_load_sprite(game, "sprites/wall.png");
    pv_sdl_sprite *plank = pv_sdl_game_load_sprite(game, "sprites/plank.png");
    bumper = pv_sdl_game_load_sprite(game, "sprites/wrecker.png");
    wall(pv_sdl_game_load_sprite(game, "sprites/beam.png"), MIDDLE, 8, 0, 0.5);
    wall(bumper, MIDDLE, 310, 0, 1);
    for (int side = -1; side <= 1; side += 2) {
        for (int y = 240; y <= 480; y += 240) wall(stone, MIDDLE + 192 * side, y, 0, 0.5);
        wall(plank, MIDDLE + 160 * side, 40, 0.785 * side, 0.5);
        wall(bumper, MIDDLE + 85 * side, 190, 0, 1);
        wall(plank, MIDDLE + 140 * side, 514, -0.45 * side, 0.3);
    }
    pv_joint_id left = flipper(plank, -1), right = flipper(plank, 1);
    pv_sdl_sprite *marble = pv_sdl_game_load_sprite(game, "sprites/ball_small.png");
    pv_body_id ball = pv_sdl_game_add_body(game, world, marble, PV_BODY_DYNAMIC, start.x, start.y);
    while (pv_sdl_game_frame(game)) {
        for (int i = 0; i < game->step_count; i++) {
            bool l = pv_sdl_game_is_down(game, SDL_SCANCODE_LEFT);
            bool r = pv_sdl_game_is_down(game, SDL_SCANCODE_RIGHT);
            pv_joint_set_motor_speed(world, left, l ? -30 : 10);
            pv_joint_set_motor_speed(world, right, r ? 30 : -10);
            pv_sdl_game_step(game, world);
            react(pv_world_get_events(world), ball);
        }
        pv_sdl_game_draw(game, world);
        pv_sdl_game_present(game);
    }
    printf("%d bumps, drained %d times, escaped %d times\n", bumps, drained, escaped);
    pv_world_destroy(world);
    return pv_sdl_game_destroy(game);
}
