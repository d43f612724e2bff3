/* pinball.c - the left and right arrows move the flippers: planks on hinges with motors and limits.
 * Hits tell which bumper kicks the ball. SPDX-License-Identifier: Zlib */
#include <pixverlet.h>
#include <pv_sdl.h>
#include <stdio.h>

enum { WIDTH = 400, HEIGHT = 640, MIDDLE = 200, TABLE = -1 }; /* of one negative group: they do not meet */

static pv_sdl_game game;
static pv_world *world;
static pv_sdl_sprite *bumper;
static int bumps, drained, escaped;
static const pv_vec2 start = {246, 60};

static void wall(pv_sdl_sprite *sprite, double x, double y, double angle, double restitution) {
    pv_body_def def = pv_sdl_sprite_def(sprite, PV_BODY_STATIC, x, y);
    def.angle = angle, def.restitution = restitution, def.filter.group = TABLE;
    pv_body_create(world, &def, NULL);
}

/// A plank that turns about its outer end. side: -1 left, 1 right. Its angle counts from 0, as it lies now.
static pv_constraint flipper(pv_sdl_sprite *plank, int side) {
    pv_vec2 hinge = {MIDDLE + 92 * side, 540};
    pv_body_def def = pv_sdl_sprite_def(plank, PV_BODY_DYNAMIC, hinge.x - 36 * side, hinge.y + 17);
    def.angle = -0.45 * side, def.filter.group = TABLE; /* down: a positive angle turns clockwise */
    pv_body body = pv_body_create(world, &def, NULL);
    pv_constraint_def join = pv_constraint_def_default();
    join.type = PV_CONSTRAINT_PIN, join.a = pv_anchor_world(hinge), join.b = pv_anchor_body(body, hinge);
    pv_constraint_create(world, &join, NULL);
    join.type = PV_CONSTRAINT_ANGLE, join.low = side < 0 ? -0.9 : 0, join.high = side < 0 ? 0 : 0.9;
    pv_constraint_create(world, &join, NULL);
    join.type = PV_CONSTRAINT_MOTOR, join.max_force = 5000 * pv_body_inertia(world, body);
    return pv_constraint_create(world, &join, NULL);
}

static void react(pv_events events, pv_body ball) {
    for (int i = 0; i < events.hit_count; i++) { /* normals point from a to b */
        pv_hit hit = events.hits[i];
        bool a = pv_body_user_data(world, hit.a) == bumper, b = pv_body_user_data(world, hit.b) == bumper;
        double kick = (a - b) * 200 * pv_body_mass(world, ball);
        pv_vec2 impulse = {kick * hit.normal.x, kick * hit.normal.y};
        pv_body_apply_impulse(world, ball, impulse, pv_body_position(world, ball));
        bumps += a || b;
    }
    for (int i = 0; i < events.stray_count; i++) { /* out of the bounds: drained, or else there is a hole */
        pv_body_position(world, ball).y > HEIGHT ? drained++ : escaped++;
        pv_body_set_position(world, ball, start); /* which keeps the velocity */
        pv_body_set_velocity(world, ball, (pv_vec2){0, 0}, PV_SHIFT_PREVIOUS);
    }
}

int main(int argc, char **argv) {
    game = pv_sdl_game_open("Pinball", WIDTH, HEIGHT, argc, argv);
    pv_world_def def = pv_world_def_default();
    def.bounds = (pv_box){{0, 0}, {WIDTH, HEIGHT}}, def.gravity.y = 500; /* y points down */
    world = pv_world_create(&def, NULL);
    pv_sdl_sprite *stone = pv_sdl_game_load(&game, "sprites/wall.png");
    pv_sdl_sprite *plank = pv_sdl_game_load(&game, "sprites/plank.png");
    bumper = pv_sdl_game_load(&game, "sprites/wrecker.png");
    wall(pv_sdl_game_load(&game, "sprites/beam.png"), MIDDLE, 8, 0, 0.5), wall(bumper, MIDDLE, 310, 0, 1);
    for (int side = -1; side <= 1; side += 2) {
        for (int y = 240; y <= 480; y += 240) wall(stone, MIDDLE + 192 * side, y, 0, 0.5);
        wall(plank, MIDDLE + 160 * side, 40, 0.785 * side, 0.5), wall(bumper, MIDDLE + 85 * side, 190, 0, 1);
        wall(plank, MIDDLE + 140 * side, 514, -0.45 * side, 0.3);
    }
    pv_constraint left = flipper(plank, -1), right = flipper(plank, 1);
    pv_sdl_sprite *marble = pv_sdl_game_load(&game, "sprites/ball_small.png");
    pv_body_def def_of_ball = pv_sdl_sprite_def(marble, PV_BODY_DYNAMIC, start.x, start.y);
    pv_body ball = pv_body_create(world, &def_of_ball, NULL);
    while (pv_sdl_game_frame(&game)) {
        for (int i = 0; i < game.steps; i++) {
            pv_constraint_set_speed(world, left, pv_sdl_held(&game, SDL_SCANCODE_LEFT) ? -30 : 10);
            pv_constraint_set_speed(world, right, pv_sdl_held(&game, SDL_SCANCODE_RIGHT) ? 30 : -10);
            pv_world_step(world, game.clock.step), react(pv_world_events(world), ball);
        }
        pv_sdl_game_draw(&game, world), pv_sdl_game_show(&game);
    }
    printf("%d bumps, drained %d times, escaped %d times\n", bumps, drained, escaped);
    return pv_world_destroy(world), pv_sdl_game_close(&game);
}
