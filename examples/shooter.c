/* shooter.c - a ship shoots rocks, which break in two; filters keep its bullets off it.
 * SPDX-License-Identifier: Zlib */
#include <pixverlet.h>
#include <pixverlet/sdl_game.h>
#include <stdio.h>

enum { WIDTH = 640, HEIGHT = 480, ROCK = 1, SHIP = 2, SHOT = 4 }; /* categories are bits */
static pv_sdl_game *game;
static pv_world *world;
static pv_sdl_sprite *large_rock, *small_rock, *bullet;
static int fired, shot, crashes;
static pv_filter as_rock = {ROCK, ~0u, 0}, as_ship = {SHIP, ROCK, 0}, as_shot = {SHOT, ROCK, 0};

static pv_body_id add(pv_sdl_sprite *look, pv_filter filter, pv_vec2 at, pv_vec2 v, double angle) {
    pv_body_def def = pv_sdl_sprite_get_body_def(look, PV_BODY_DYNAMIC, at.x, at.y);
    def.velocity = v;
    def.angle = angle;
    def.filter = filter;
    def.restitution = 1;
    return pv_body_create(world, &def, NULL);
}

static void break_rock(pv_body_id rock) {
    pv_vec2 at = pv_body_get_position(world, rock), v = pv_body_get_velocity(world, rock);
    bool large = pv_body_get_user_data(world, rock) == large_rock;
    pv_body_destroy(world, rock);
    shot++;
    for (int s = -1; large && s <= 1; s += 2) /* two halves fly apart */
        add(small_rock, as_rock, PV_VEC2(at.x + 26 * s, at.y), PV_VEC2(v.x + 60 * s, v.y), s);
}

/// Returns the category of a body; 0 for one that is gone.
static uint32_t kind(pv_body_id body) { return pv_body_get_filter(world, body).category_bits; }

static void react(pv_events events) {
    for (int i = 0; i < events.contact_begin_count; i++) {
        pv_body_id a = events.contact_begins[i].a, b = events.contact_begins[i].b;
        crashes += (kind(a) | kind(b)) == (ROCK | SHIP);
        if ((kind(a) | kind(b)) != (ROCK | SHOT)) continue;
        break_rock(kind(a) == ROCK ? a : b); /* destroys it; its kind is then 0 */
        pv_body_destroy(world, kind(a) == SHOT ? a : b);
    }
    for (int i = 0; i < events.out_of_bounds_count; i++) { /* space wraps around */
        pv_body_id body = events.out_of_bounds[i];
        pv_vec2 at = pv_body_get_position(world, body);
        if (at.x < 0 || at.x > WIDTH) at.x = WIDTH - at.x;
        if (at.y < 0 || at.y > HEIGHT) at.y = HEIGHT - at.y;
        pv_body_set_position(world, body, at);
        if (kind(body) == SHOT) pv_body_destroy(world, body);
    }
}

static void step(pv_body_id ship) {
    pv_vec2 nose = pv_vec2_rotate(pv_body_get_transform(world, ship).rotation, PV_VEC2(1, 0));
    double push = 300 * pv_sdl_game_is_down(game, SDL_SCANCODE_UP) * pv_body_get_mass(world, ship);
    double turn = pv_sdl_game_get_axis(game, SDL_SCANCODE_LEFT, SDL_SCANCODE_RIGHT);
    pv_body_set_angular_velocity(world, ship, 4.0 * turn); /* a positive angle turns clockwise */
    pv_body_apply_force(world, ship, pv_vec2_scale(push, nose));
    if (pv_sdl_game_was_pressed(game, SDL_SCANCODE_SPACE)) {
        pv_vec2 tip = pv_vec2_add(pv_body_get_position(world, ship), pv_vec2_scale(24, nose));
        add(bullet, as_shot, tip, pv_vec2_scale(400, nose), pv_body_get_angle(world, ship));
        fired++;
    }
    pv_sdl_game_step(game, world);
    react(pv_world_get_events(world));
}

int main(int argc, char **argv) {
    game = pv_sdl_game_create("Shooter", WIDTH, HEIGHT, argc, argv);
    large_rock = pv_sdl_game_load_sprite(game, "sprites/rock_large.png");
    small_rock = pv_sdl_game_load_sprite(game, "sprites/rock_medium.png");
    bullet = pv_sdl_game_load_sprite(game, "sprites/bullet.png");
    pv_world_def def = pv_world_def_default();
    def.gravity = PV_VEC2(0, 0), def.bounds = (pv_box){{0, 0}, {WIDTH, HEIGHT}};
    world = pv_world_create(&def, NULL);
    pv_sdl_sprite *sprite = pv_sdl_game_load_sprite(game, "sprites/ship.png");
    pv_body_id ship = add(sprite, as_ship, PV_VEC2(WIDTH / 2, HEIGHT / 2), PV_VEC2(0, 0), 0);
    for (int x = 90; x < WIDTH; x += 225)
        add(large_rock, as_rock, PV_VEC2(x, 100), PV_VEC2(35 - x / 10, 20), x);
    while (pv_sdl_game_frame(game)) {
        for (int i = 0; i < game->step_count; i++) step(ship);
        pv_sdl_game_draw(game, world);
        pv_sdl_game_present(game);
    }
    printf("%d bullets shot %d rocks, the ship crashed %d times\n", fired, shot, crashes);
    pv_world_destroy(world);
    return pv_sdl_game_destroy(game);
}
