/* digger.c - dig with the mouse through the hill, so that the ball falls into the cave with the
 * ring. Undermined earth falls, too. SPDX-License-Identifier: Zlib */
#include <pixverlet.h>
#include <pixverlet/sdl_game.h>
#include <stdio.h>

enum { WIDTH = 640, HEIGHT = 480, EARTH = 1, THINGS = 2 }; /* categories are bits */
static const pv_vec2 cave = {262, 406};                    /* the middle of a hollow in the hill */
static pv_sdl_game *game;
static pv_world *world;
static pv_body_id ball;
static pv_vec2 spade; /* position of the mouse in the last step */
static int64_t dug;   /* pixels */
static int strokes, fallen, arrival;

static void add_hill(void) {
    pv_sdl_sprite *hill = pv_sdl_game_load_sprite(game, "sprites/ground.png");
    pv_body_def def = pv_sdl_sprite_get_body_def(hill, PV_BODY_STATIC, 0, 0);
    def.filter.category_bits = EARTH; /* pieces that fall off keep it */
    pv_body_def_set_top_left(&def, PV_VEC2(0, 240));
    pv_body_id body = pv_body_create(world, &def, NULL);
    pv_fracture_def crumbling = pv_fracture_def_default();
    crumbling.keep_static = false;  /* undermined pieces fall */
    crumbling.min_part_pixels = 60; /* smaller pieces fly as debris */
    crumbling.spawn_debris = true;
    pv_body_set_fracture(world, body, &crumbling);
}

static void add_ring(void) {
    pv_sdl_sprite *ring = pv_sdl_game_load_sprite(game, "sprites/ring_small.png");
    pv_body_def def = pv_sdl_sprite_get_body_def(ring, PV_BODY_STATIC, cave.x, cave.y);
    def.filter.category_bits = THINGS;
    def.sensor = true;
    pv_body_create(world, &def, NULL);
}

static void add_ball(double x, double y) {
    pv_sdl_sprite *beach = pv_sdl_game_load_sprite(game, "sprites/ball.png");
    pv_body_def def = pv_sdl_sprite_get_body_def(beach, PV_BODY_DYNAMIC, x, y);
    def.filter.category_bits = THINGS; /* the spade does not cut it */
    ball = pv_body_create(world, &def, NULL);
}

/// Digs along the path of the mouse in this step. It cuts all bodies that are earth.
static void dig(void) {
    pv_cut stroke = pv_cut_line(spade, game->mouse, 36);
    pv_query_filter earth = {.mask_bits = EARTH};
    pv_carve_result result;
    strokes += pv_world_carve(world, &stroke, &earth, &result) > 0;
    dug += result.pixel_count;
}

static void step(void) {
    if (pv_sdl_game_was_pressed(game, PV_SDL_MOUSE_LEFT)) spade = game->mouse;
    if (pv_sdl_game_is_down(game, PV_SDL_MOUSE_LEFT)) dig();
    spade = game->mouse;
    pv_sdl_game_step(game, world);
    pv_events events = pv_world_get_events(world);
    fallen += events.split_count;
    for (int i = 0; i < events.sensor_begin_count; i++)
        if (PV_ID_EQUALS(events.sensor_begins[i].visitor, ball) && arrival == 0)
            arrival = game->frame_index;
}

int main(int argc, char **argv) {
    game = pv_sdl_game_create("Digger", WIDTH, HEIGHT, argc, argv);
    world = pv_world_create(NULL, NULL);
    add_hill();
    add_ring();
    add_ball(95, 250);
    while (pv_sdl_game_frame(game)) {
        for (int i = 0; i < game->step_count; i++) step();
        pv_sdl_game_draw(game, world);
        pv_sdl_game_draw_text(game, 12, 12, arrival ? "There!" : "Dig a way to the ring");
        pv_sdl_game_present(game);
    }
    printf("dug %lld px in %d strokes, %d pieces fell, the ball came to the ring in step %d\n",
           (long long)dug, strokes, fallen, arrival);
    pv_world_destroy(world);
    return pv_sdl_game_destroy(game);
}
