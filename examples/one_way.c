/* one_way.c - a crate jumps up through planks, drops through them and rides a lift.
 * SPDX-License-Identifier: Zlib */
#include <pixverlet.h>
#include <pixverlet/sdl_game.h>
#include <stdio.h>

static pv_sdl_game *game;
static pv_world *world;
static pv_body_id player, lift;
static int jumps, landings, drops, ridden; /* landings on planks; ridden: steps on the lift */
static double highest = 480, turn;         /* turn: how far the lift is on its round [rad] */

static bool is_plank(pv_body_id body) { return pv_body_get_def(world, body).one_way_normal.y < 0; }

/// Lets the player drop through planks while down is held.
static pv_presolve_result judge(void *user_data, const pv_world *asked,
                                pv_presolve_contact *touch) {
    (void)user_data;
    (void)asked;
    bool ours = (PV_ID_EQUALS(touch->a, player) && is_plank(touch->b)) ||
                (PV_ID_EQUALS(touch->b, player) && is_plank(touch->a));
    if (!ours || !pv_sdl_game_is_down(game, SDL_SCANCODE_DOWN)) return PV_PRESOLVE_COLLIDE;
    drops += touch->touching; /* it stood there; the next question comes after they separate */
    return PV_PRESOLVE_IGNORE_UNTIL_SEPARATED;
}

/// Returns the body on which the player stands, or the null id.
static pv_body_id ground(void) {
    pv_contact c[8];
    int count = pv_body_get_contacts(world, player, c, 8);
    for (int i = 0; i < count && i < 8; i++) {
        bool first = PV_ID_EQUALS(c[i].a, player); /* the normal points from a to b, and y down */
        if ((first ? c[i].normal.y : -c[i].normal.y) > 0.7) return first ? c[i].b : c[i].a;
    }
    return pv_null_body;
}

static pv_body_id add(pv_sdl_sprite *sprite, pv_body_type type, double x, double y) {
    pv_body_def def = pv_sdl_sprite_get_body_def(sprite, type, x, y);
    def.motion_locks = PV_LOCK_ROTATION;
    def.restitution = 0; /* planks hold only from above */
    if (pv_mask_get_height(sprite->mask) == 12) def.one_way_normal = PV_VEC2(0, -1);
    return pv_body_create(world, &def, NULL);
}

static void step(void) {
    pv_vec2 velocity = pv_body_get_velocity(world, player);
    double go = pv_sdl_game_get_axis(game, SDL_SCANCODE_LEFT, SDL_SCANCODE_RIGHT);
    bool grounded = pv_body_is_valid(world, ground());
    bool jump = grounded && pv_sdl_game_was_pressed(game, SDL_SCANCODE_UP);
    if (go || !grounded) velocity.x = 120 * go; /* else friction stops it, or the lift carries it */
    if (jump) velocity.y = -300;
    jumps += jump;
    if (go || jump || !grounded) pv_body_set_velocity(world, player, velocity);
    if (pv_sdl_game_is_down(game, SDL_SCANCODE_DOWN)) pv_body_wake(world, player);
    turn += 0.02;
    pv_rotation round = pv_rotation_from_angle(turn);
    pv_vec2 stop = {400 + 60 * round.c, 240 + 120 * round.s};
    pv_body_move_to(world, lift, stop, 0, game->clock.step);
    pv_sdl_game_step(game, world);
    pv_events events = pv_world_get_events(world);
    for (int i = 0; i < events.contact_begin_count; i++)
        landings += is_plank(events.contact_begins[i].a) || is_plank(events.contact_begins[i].b);
    ridden += PV_ID_EQUALS(ground(), lift);
    highest = SDL_min(highest, pv_body_get_position(world, player).y);
}

int main(int argc, char **argv) {
    game = pv_sdl_game_create("One-way platforms", 640, 480, argc, argv);
    pv_world_def def = pv_world_def_default();
    def.presolve_callback = judge;
    def.gravity.y = 600;
    world = pv_world_create(&def, NULL);
    pv_sdl_sprite *plank = pv_sdl_game_load_sprite(game, "sprites/plank.png");
    player = add(pv_sdl_game_load_sprite(game, "sprites/crate.png"), PV_BODY_DYNAMIC, 185, 430);
    lift = add(plank, PV_BODY_KINEMATIC, 460, 240);
    for (int i = 0; i < 5; i++) add(plank, PV_BODY_STATIC, 130 + 80 * (i % 2), 400 - 62 * i);
    add(pv_sdl_game_load_sprite(game, "sprites/floor.png"), PV_BODY_STATIC, 320, 464);
    while (pv_sdl_game_frame(game)) {
        for (int i = 0; i < game->step_count; i++) step();
        pv_sdl_game_draw(game, world);
        pv_sdl_game_present(game);
    }
    printf(
        "%d jumps, %d landings on planks, dropped through %d, rode %d steps, highest at y = %.0f\n",
        jumps, landings, drops, ridden, highest);
    pv_world_destroy(world);
    return pv_sdl_game_destroy(game);
}
