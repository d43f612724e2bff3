/* picking.c - drag things with the mouse and throw them. A drag pulls with a bounded force, so that what is
 * held pushes others and is stopped by them. SPDX-License-Identifier: Zlib */
#include <math.h>
#include <pixverlet.h>
#include <pv_sdl.h>
#include <stdio.h>

static pv_sdl_game game;
static pv_world *world;
static pv_constraint drag; /* names nothing while nothing is held */
static int picked, missed;
static double farthest; /* of what is held, from the mouse [px] */

static void pick(pv_vec2 mouse) {
    pv_body body = pv_world_body_at(world, mouse); /* by pixels: through the hole of the ring is past it */
    if (pv_body_get_type(world, body) != PV_BODY_DYNAMIC) return (void)missed++;
    pv_constraint_def def = pv_constraint_def_default();
    double mass = pv_body_mass(world, body);
    def.type = PV_CONSTRAINT_DRAG;
    def.a = pv_anchor_body(body, mouse); /* the material that is under the mouse now ... */
    def.b = pv_anchor_world(mouse);      /* ... is drawn to where the mouse goes */
    def.stiffness = 400 * mass, def.damping = 40 * mass, def.max_force = 6000 * mass;
    drag = pv_constraint_create(world, &def, NULL);
    picked++;
}

static void step(void) {
    if (pv_sdl_pressed(&game, PV_SDL_MOUSE_LEFT)) pick(game.mouse);
    if (!pv_sdl_held(&game, PV_SDL_MOUSE_LEFT) && pv_constraint_is_valid(world, drag))
        pv_constraint_destroy(world, drag); /* what it held flies on */
    if (pv_constraint_is_valid(world, drag)) pv_constraint_set_point(world, drag, 1, game.mouse);
    pv_world_step(world, game.clock.step);
}

/// A line from where it is held to the mouse.
static void draw_drag(void) {
    pv_vec2 ends[2];
    if (pv_constraint_points(world, drag, ends) != PV_OK) return;
    pv_vec2 a = pv_sdl_to_view(&game.view, ends[0]), b = pv_sdl_to_view(&game.view, ends[1]);
    SDL_SetRenderDrawColor(game.view.renderer, 255, 220, 80, 255);
    SDL_RenderDrawLineF(game.view.renderer, (float)a.x, (float)a.y, (float)b.x, (float)b.y);
    farthest = fmax(farthest, hypot(ends[1].x - ends[0].x, ends[1].y - ends[0].y));
}

int main(int argc, char **argv) {
    game = pv_sdl_game_open("Picking", 640, 480, argc, argv);
    world = pv_world_create(NULL, NULL);
    pv_body_def bucket =
        pv_sdl_sprite_def(pv_sdl_game_load(&game, "sprites/bucket.png"), PV_BODY_STATIC, 320, 324);
    pv_body_create(world, &bucket, NULL);
    const char *names[] = {"sprites/ring.png",     "sprites/star.png",  "sprites/gear.png",
                           "sprites/letter_c.png", "sprites/crate.png", "sprites/rock_medium.png"};
    pv_sdl_sprite *sprites[6];
    for (int i = 0; i < 6; i++) sprites[i] = pv_sdl_game_load(&game, names[i]);
    for (int i = 0; i < 18; i++) { /* rows of six fall into the bucket */
        pv_body_def def =
            pv_sdl_sprite_def(sprites[i % 6], PV_BODY_DYNAMIC, 140 + i % 6 * 68 + i, 380 - i / 6 * 80);
        def.angle = i;
        pv_body_create(world, &def, NULL);
    }
    while (pv_sdl_game_frame(&game)) {
        for (int i = 0; i < game.steps; i++) step();
        pv_sdl_game_draw(&game, world), draw_drag(), pv_sdl_game_show(&game);
    }
    printf("picked %d times, missed %d times, at most %.0f px from the mouse\n", picked, missed, farthest);
    return pv_world_destroy(world), pv_sdl_game_close(&game);
}
