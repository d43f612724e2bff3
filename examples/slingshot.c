/* slingshot.c - drag the stone back with the mouse and let go. A gate on breakable ropes guards the
 * pigs, and stones leave craters. S saves the world with all pixels, L loads it.
 * SPDX-License-Identifier: Zlib */
#include <pixverlet.h>
#include <pixverlet/sdl_game.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 960, HEIGHT = 480, GROUND = 400, REACH = 90 /* of the rubber band */ };
static const pv_vec2 sling = {150, 310};
static pv_sdl_game *game;
static pv_world *world;
static pv_sdl_sprite *stone, *pig;
static bool aiming;
static int shots, broken, craters, loads;
static void *saved; /* a snapshot with pixels, or null */
static size_t saved_size;

static pv_body_id add(pv_sdl_sprite *sprite, pv_body_type type, double x, double y) {
    return pv_sdl_game_add_body(game, world, sprite, type, x, y);
}

/// Hangs a body from the girder by a rope, which breaks in the middle when the body is hit hard.
static void hang(pv_body_id body, double x, double top, double bottom) {
    pv_rope_def def = pv_rope_def_default();
    pv_joint_id links[16];
    def.from = pv_anchor_world(PV_VEC2(x, top));
    def.to = pv_anchor_body(body, PV_VEC2(x, bottom));
    def.radius = 2;
    pv_composite_get_joints(world, pv_rope_create(world, &def, NULL), links, 16);
    pv_joint_set_break_force(world, links[8], 4e6);
}

static void build(void) {
    pv_sdl_sprite *rock = pv_sdl_game_load_sprite(game, "sprites/abutment.png");
    pv_sdl_sprite *crate = pv_sdl_game_load_sprite(game, "sprites/crate.png");
    pv_sdl_sprite *plank = pv_sdl_game_load_sprite(game, "sprites/plank.png");
    pv_sdl_sprite *safe = pv_sdl_game_load_sprite(game, "sprites/safe.png");
    for (int x = 48; x < WIDTH; x += 96) add(rock, PV_BODY_STATIC, x, GROUND + 64);
    add(pv_sdl_game_load_sprite(game, "sprites/beam.png"), PV_BODY_STATIC, 720, 108);
    add(pv_sdl_game_load_sprite(game, "sprites/wall.png"), PV_BODY_STATIC, 952, 160);
    pv_sdl_sprite *post = pv_sdl_game_load_sprite(game, "sprites/domino.png");
    for (int y = 384; y > 340; y -= 32) add(post, PV_BODY_STATIC, sling.x, y);
    for (int x = 640; x < 900; x += 110) {
        for (int side = -34; side <= 34; side += 68)
            for (int y = 384; y > 350; y -= 32) add(crate, PV_BODY_DYNAMIC, x + side, y);
        add(plank, PV_BODY_DYNAMIC, x, 330);
        add(pig, PV_BODY_DYNAMIC, x, 310);
    }
    pv_body_def def = pv_sdl_sprite_get_body_def(safe, PV_BODY_DYNAMIC, 530, 300);
    def.scale = PV_VEC2(0.5, 2);
    pv_body_id gate = pv_body_create(world, &def, NULL);
    hang(gate, 518, 116, 240);
    hang(gate, 542, 116, 240);
}

static int count_pigs(void) {
    int count = 0;
    pv_body_id body = pv_world_get_next_body(world, pv_null_body);
    for (; !PV_ID_IS_NULL(body); body = pv_world_get_next_body(world, body))
        count += pv_body_get_user_data(world, body) == pig;
    return count;
}

/// Returns the place of the stone: at the mouse, or as near as the rubber band reaches.
static pv_vec2 get_hold(void) {
    pv_vec2 way = pv_vec2_sub(game->mouse, sling);
    double length = pv_vec2_length(way);
    return pv_vec2_add(sling, pv_vec2_scale(length > REACH ? REACH / length : 1, way));
}

static void shoot(void) {
    pv_vec2 hold = get_hold();
    pv_body_id body = add(stone, PV_BODY_DYNAMIC, hold.x, hold.y);
    pv_body_set_velocity(world, body, pv_vec2_scale(9, pv_vec2_sub(sling, hold)));
    shots++;
}

/// Tells whether stones leave craters in a body: not in stones and pigs.
static bool is_soft(void *user_data, pv_body_id body) {
    const void *kind = pv_body_get_user_data(user_data, body);
    return kind != stone && kind != pig;
}

static void react(pv_hit_event hit) {
    pv_query_filter soft = {.mask_bits = ~0u, .accept = is_soft, .user_data = world};
    const void *a = pv_body_get_user_data(world, hit.a), *b = pv_body_get_user_data(world, hit.b);
    if (a == pig && hit.speed > 130) pv_body_destroy(world, hit.a);
    if (b == pig && hit.speed > 130) pv_body_destroy(world, hit.b);
    if ((a != stone && b != stone) || hit.speed < 150) return;
    pv_cut crater = pv_cut_circle(hit.point, hit.speed / 40);
    craters += pv_world_carve(world, &crater, &soft, NULL) > 0;
}

static void save(void) {
    pv_world_save(world, PV_SNAPSHOT_PIXELS, NULL, 0, &saved_size);
    free(saved);
    saved = malloc(saved_size);
    if (saved) pv_world_save(world, PV_SNAPSHOT_PIXELS, saved, saved_size, NULL);
}

static void step(void) {
    bool down = pv_sdl_game_is_down(game, PV_SDL_MOUSE_LEFT);
    if (aiming && !down) shoot();
    aiming = down;
    if (pv_sdl_game_was_pressed(game, SDL_SCANCODE_S)) save();
    if (saved && pv_sdl_game_was_pressed(game, SDL_SCANCODE_L))
        loads += pv_world_restore(world, saved, saved_size) == PV_OK;
    pv_sdl_game_step(game, world);
    pv_events events = pv_world_get_events(world);
    for (int i = 0; i < events.hit_count; i++) react(events.hits[i]);
    broken += events.joint_break_count;
}

static void draw(void) {
    pv_sdl_game_draw(game, world);
    pv_transform at = pv_transform_identity();
    at.pivot = PV_VEC2(12, 12);
    at.position = aiming ? get_hold() : sling;
    pv_sdl_draw_texture(&game->camera, stone->texture, NULL, &at);
    pv_sdl_game_draw_text(game, 12, 12, "%d pigs left, %d shots", count_pigs(), shots);
    pv_sdl_game_present(game);
}

int main(int argc, char **argv) {
    game = pv_sdl_game_create("Slingshot", WIDTH, HEIGHT, argc, argv);
    world = pv_world_create(NULL, NULL);
    stone = pv_sdl_game_load_sprite(game, "sprites/ball_cue.png");
    pig = pv_sdl_game_load_sprite(game, "sprites/pig.png");
    build();
    while (pv_sdl_game_frame(game)) {
        for (int i = 0; i < game->step_count; i++) step();
        draw();
    }
    printf("%d shots, %d pigs left, %d ropes broke, %d craters, loaded %d times\n", shots,
           count_pigs(), broken, craters, loads);
    free(saved);
    pv_world_destroy(world);
    return pv_sdl_game_destroy(game);
}
