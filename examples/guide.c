/* guide.c - the game that docs/GUIDE.md builds step by step; tests/guide.sh checks that they agree.
 * SPDX-License-Identifier: Zlib */
#include <pixverlet.h>
#include <pixverlet/sdl_game.h>

int main(int argc, char **argv) {
    pv_sdl_game *game = pv_sdl_game_create("My game", 640, 480, argc, argv);
    pv_world_def rules = pv_world_def_default();
    rules.report_callback = pv_sdl_log_error;
    pv_world *world = pv_world_create(&rules, NULL);

    pv_sdl_sprite *stone = pv_sdl_game_load_sprite(game, "sprites/floor.png");
    pv_body_def def = pv_sdl_sprite_get_body_def(stone, PV_BODY_STATIC, 320, 464);
    pv_body_create(world, &def, NULL);

    pv_sdl_sprite *wall = pv_sdl_game_load_sprite(game, "sprites/wall.png");
    for (int x = 8; x < 640; x += 624) {
        def = pv_sdl_sprite_get_body_def(wall, PV_BODY_STATIC, x, 220);
        pv_body_create(world, &def, NULL);
    }

    pv_sdl_sprite *star = pv_sdl_game_load_sprite(game, "sprites/star.png");
    for (int i = 0; i < 8; i++) {
        def = pv_sdl_sprite_get_body_def(star, PV_BODY_DYNAMIC, 160 + 50 * i, 40 * i);
        def.angle = i;
        pv_body_create(world, &def, NULL);
    }

    pv_sdl_sprite *ball = pv_sdl_game_load_sprite(game, "sprites/ball.png");
    def = pv_sdl_sprite_get_body_def(ball, PV_BODY_DYNAMIC, 60, 400);
    pv_body_id player = pv_body_create(world, &def, NULL);

    pv_sdl_sprite *ring = pv_sdl_game_load_sprite(game, "sprites/ring.png");
    def = pv_sdl_sprite_get_body_def(ring, PV_BODY_STATIC, 590, 380);
    def.sensor = true;
    pv_body_create(world, &def, NULL);

    game->show_debug = true;
    /* things */

    while (pv_sdl_game_frame(game)) {
        for (int i = 0; i < game->step_count; i++) {
            double mass = pv_body_get_mass(world, player);
            double go = pv_sdl_game_get_axis(game, SDL_SCANCODE_LEFT, SDL_SCANCODE_RIGHT);
            pv_body_apply_force(world, player, PV_VEC2(400 * go * mass, 0));
            if (pv_sdl_game_was_pressed(game, SDL_SCANCODE_UP)) {
                pv_body_apply_impulse(world, player, PV_VEC2(0, -250 * mass));
            }
            /* before a step */
            pv_sdl_game_step(game, world);

            pv_events events = pv_world_get_events(world);
            for (int k = 0; k < events.hit_count; k++) {
                pv_hit_event hit = events.hits[k];
                if (!pv_hit_event_orient(&hit, player)) continue;
                if (pv_body_get_user_data(world, hit.b) != star) continue;
                SDL_Log("hit a star at %.0f px/s", hit.speed);
                if (hit.speed > 150) pv_body_destroy(world, hit.b);
            }

            for (int k = 0; k < events.sensor_begin_count; k++)
                if (PV_ID_EQUALS(events.sensor_begins[k].visitor, player))
                    game->background = 0x2a6038ff;
            for (int k = 0; k < events.sensor_end_count; k++)
                if (PV_ID_EQUALS(events.sensor_ends[k].visitor, player))
                    game->background = 0x20283cff;
            /* after a step */
        }
        pv_sdl_game_draw(game, world);
        pv_sdl_game_present(game);
    }

    pv_world_destroy(world);
    return pv_sdl_game_destroy(game);
}
