/* test_game.c - the rules of the game in the demo, and its list of best plays.
 *
 * Invariant: what should collide is counted from the pixels of pictures drawn here.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include "../demo/game/bots.h"
#include "../demo/game/scores.h"
#include "stage/scene.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/// Stage of the test, the last one that was opened
static struct stage *stage;
static struct game *game;
static pv_world *world;

/// True if nothing may hit the ship; if no rocks may come
static bool unhurt, calm;

static void close_play(void) {
    if (stage) stage_destroy(stage);
    stage = NULL;
    unhurt = calm = false;
}

/// Starts the scene with no player, so that it plays itself.
static void open_attract(uint64_t seed) {
    close_play();
    stage = scene_start(scene_find("game"), seed);
    ck_assert_msg(!stage_error(stage), "%s", stage_error(stage));
    game = game_of(stage);
    world = stage->world;
}

static void open_play(uint64_t seed) {
    open_attract(seed);
    game_begin(stage, GAME_PLAY);
}

static unsigned play(int frames) {
    unsigned events = 0;
    for (int i = 0; i < frames; i++) {
        if (unhurt) game->safe = 9;
        if (calm) game->pause = 100;
        game_update(stage);
        step_well(world, SCENE_STEP);
        stage_follow(stage);
        events |= game->events;
    }
    return events;
}

static void clear(pv_body_id kept, pv_body_id other) {
    for (pv_body_id b = pv_world_get_next_body(world, pv_null_body), next; b.index; b = next) {
        next = pv_world_get_next_body(world, b);
        if (!PV_ID_EQUALS(b, kept) && !PV_ID_EQUALS(b, other)) pv_body_destroy(world, b);
    }
}

static void fly(double x, double y, double vx) {
    pv_body_set_position(world, game->ship, PV_VEC2(x, y));
    pv_body_set_angle(world, game->ship, 0);
    pv_body_set_velocity(world, game->ship, PV_VEC2(vx, 0));
}

static pv_vec2 place_of(pv_body_id body) { return pv_body_get_position(world, body); }

static int64_t pixels_of(pv_body_id body) {
    return pv_mask_count_pixels(pv_body_get_mask(world, body));
}

static double hull(void) { return hull_left(stage, game); }

/// Opens a play without rocks, whose ship is not protected.
static void open_empty(void) {
    open_play(1);
    game->safe = 1;
    play(1); /* a wave comes */
    clear(game->ship, game->ship);
    ck_assert_uint_ne(pv_body_get_filter(world, game->ship).mask_bits, 0);
    fly(320, 180, 0);
}

static pv_body_id add_rock(const struct sprite *sprite, pv_vec2 at, double speed) {
    return game_add_rock(stage, sprite, at, 0, PV_VEC2(speed, 0), 0);
}

/// Adds a block with a hollow: a channel from its left side, or a hole.
static pv_body_id add_block(pv_rect hollow) {
    pv_image *image = pv_image_create(120, 120, NULL, NULL);
    pv_status status;
    for (int i = 0; i < 120 * 120; i++) {
        int x = i % 120 - hollow.x, y = i / 120 - hollow.y;
        bool solid = x < 0 || y < 0 || x >= hollow.w || y >= hollow.h;
        memset(image->pixels + 4 * i, solid ? 255 : 0, 4);
    }
    struct sprite *sprite = sprite_keep(&stage->sprites, "block", image, NULL, &status);
    ck_assert_ptr_nonnull(sprite);
    return add_rock(sprite, PV_VEC2(340 + sprite->center.x, 120 + sprite->center.y), 0);
}

/* ---- pixels ---- */

static bool touches(void) {
    play(1);
    return pv_world_get_stats(world).contacts > 0;
}

START_TEST(a_ship_slips_into_a_notch_that_is_wide_enough) {
    for (int high = 16; high <= 24; high += 4) { /* the ship's picture is 18 px high */
        open_empty();
        add_block((pv_rect){0, 60 - high / 2, 70, high});
        fly(300, 180 + game->scout->center.y - 9, 60);
        double farthest = 0;
        int bumps = 0;
        for (int i = 0; i < 90; i++) {
            bumps += touches();
            farthest = fmax(farthest, pv_body_get_bounds(world, game->ship).max.x);
        }
        /* If it is too narrow, the wings hit. Else the ship flies in, as far as 1.5 s take it. */
        ck_assert(high < 18 ? bumps > 0 && farthest < 360 : bumps == 0 && farthest > 380);
        ck_assert(hull() == 1);
    }
}

START_TEST(a_ship_flies_about_in_a_hole) {
    pv_body_id ring = add_block((pv_rect){20, 20, 80, 80});
    fly(400, 180, 0);
    game->keys = GAME_LEFT; /* it turns in place, and its corners need 28 px */
    for (int i = 0; i < 200; i++) ck_assert(!touches());
    game->keys = GAME_THRUST; /* to the inside of the hole */
    bool touched = false;
    for (int i = 0; i < 120; i++) touched |= touches();
    pv_vec2 at = place_of(game->ship);
    pv_box box = pv_body_get_bounds(world, ring);
    ck_assert(touched && at.x > box.min.x && at.x < box.max.x && at.y > box.min.y &&
              at.y < box.max.y);
}

/// Counts the pixels of all bodies but the ship and darts.
static int64_t rock_pixels(void) {
    int64_t sum = 0, dart = pv_mask_count_pixels(stage_mask_of(stage, "dart"));
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(world, b));)
        if (!PV_ID_EQUALS(b, game->ship) && pixels_of(b) != dart) sum += pixels_of(b);
    return sum;
}

START_TEST(darts_take_pixels_until_none_are_left) {
    add_block((pv_rect){0, 0, 60, 120});
    fly(200, 180, 0);
    int64_t left = rock_pixels();
    ck_assert_int_eq(left, 7200);
    int wave = game->wave, darts = 0;
    unsigned events = 0;
    for (int frames = 0; game->wave == wave && frames < 20000; frames++) {
        pv_body_set_angle(world, game->ship, frames < 600 ? .2 * sin(frames * .01) : frames * .037);
        game->keys = GAME_FIRE;
        game->safe = 2; /* fragments pass through it */
        events |= play(1);
        darts += (game->events & GAME_FIRED) != 0;
        int64_t now = rock_pixels();
        ck_assert(game->wave != wave || now <= left);
        left = now;
    }
    ck_assert_int_eq(game->wave, wave + 1);
    ck_assert(events & GAME_BROKE && darts > 15);
    ck_assert_int_gt(game->score, 2 * game->hits); /* splits score more than pixels */
}

/* ---- rules ---- */

/// Throws a block at the ship until an event comes.
static unsigned collide(double speed) {
    unsigned events = 0;
    pv_vec2 at = place_of(game->ship);
    pv_body_set_velocity(world, game->ship, PV_VEC2(0, 0));
    pv_body_id rock = add_rock(stage_load(stage, "crate"), PV_VEC2(at.x - 40, at.y), speed);
    for (int i = 0; i < 60 && !events; i++) events = play(1) & ~(unsigned)GAME_WAVE;
    if (pv_body_is_valid(world, rock)) pv_body_destroy(world, rock);
    return events;
}

static unsigned strike(int number) {
    fly(320, 180, 0);
    pv_body_set_angle(world, game->ship, number * .9);
    game->stunned = 0;
    return collide(150);
}

START_TEST(hits_tear_pixels_off_until_the_ship_is_lost) {
    ck_assert_uint_eq(collide(60), GAME_BUMPED); /* a light hit tears nothing off */
    ck_assert(hull() == 1);
    int strikes = 0;
    for (double left = 1; pv_body_is_valid(world, game->ship); strikes++) {
        unsigned events = strike(strikes);
        ck_assert_msg(events == GAME_STRUCK || events == GAME_LOST, "events %x", events);
        if (events == GAME_LOST) break;
        ck_assert_double_lt(hull(), left);
        left = hull();
    }
    ck_assert(strikes >= 1 && strikes < 9);
    ck_assert_int_eq(game->ships, GAME_SHIPS - 1);
    ck_assert(pv_body_is_valid(world, game->pilot) && !pv_body_is_valid(world, game->ship));
    int frames = 0;
    while (!pv_body_is_valid(world, game->ship) && frames++ < 600) play(1);
    ck_assert_int_lt(frames, 200);
    ck_assert(hull() == 1);
}

/// Cuts a wing off.
/// @param top true for the wing at the top of the picture
static void cut_wing(bool top) {
    pv_cut cut = pv_cut_box(PV_VEC2(0, top ? 0 : 12), PV_VEC2(22, top ? 6 : 18));
    cut.local = true;
    ck_assert_int_eq(pv_body_carve(world, game->ship, &cut, NULL), PV_OK);
}

/// Returns the angle that the ship turns in a fifth of a second.
static double turned(unsigned keys) {
    fly(320, 180, 0);
    pv_body_set_angular_velocity(world, game->ship, 0);
    game->keys = keys;
    play(12);
    return fabs(pv_body_get_angle(world, game->ship));
}

START_TEST_FOR(a_lost_wing_changes_how_the_ship_flies, top, 2) {
    double mass = pv_body_get_mass(world, game->ship), whole = turned(GAME_RIGHT);
    ck_assert_double_lt(turned(GAME_THRUST), .01);
    cut_wing(top);
    ck_assert_double_lt(pv_body_get_mass(world, game->ship), .85 * mass);
    double right = turned(GAME_RIGHT), left = turned(GAME_LEFT);
    ck_assert_double_lt(top ? right : left, .9 * whole); /* the jets on that side are gone */
    ck_assert_double_gt(top ? left : right, .9 * whole);
    ck_assert_double_gt(turned(GAME_THRUST), .05);
}

START_TEST(ore_patches_the_ship_pixel_by_pixel) {
    cut_wing(true);
    double left = hull();
    ck_assert_double_lt(left, .85);
    play(60);
    ck_assert(hull() == left); /* without ore nothing grows */
    game->ore = 400;
    calm = true;
    for (int i = 0; i < 600 && hull() < 1; i++) {
        play(1);
        ck_assert_double_ge(hull(), left);
        left = hull();
    }
    ck_assert(left == 1);
    ck_assert_double_gt(turned(GAME_RIGHT), .3);
}

/* ---- crystals ---- */

static pv_body_id add_crystal_rock(double x, double y) {
    return add_rock(game->rocks[0], PV_VEC2(x, y), 0);
}

/// Carves all but crystal.
static void carve_softly(pv_body_id rock, pv_cut cut) {
    cut.max_hardness = 100;
    ck_assert_int_eq(pv_body_carve(world, rock, &cut, NULL), PV_OK);
}

static unsigned fire(int frames) {
    game->keys = GAME_FIRE;
    unsigned events = play(1);
    game->keys = 0;
    return events | play(frames - 1);
}

START_TEST(a_crystal_that_is_dug_out_can_be_caught) {
    pv_body_id rock = add_crystal_rock(420, 180);
    ck_assert_ptr_nonnull(pv_body_get_def(world, rock).material_map);
    carve_softly(rock, pv_cut_circle(place_of(rock), 80));
    int64_t pixels = pixels_of(rock);
    ck_assert(pixels > 60 && pixels < 400 && play(1) & GAME_FREED);
    ck_assert_int_eq(pixels_of(rock), pixels);
    fly(380, 180, 60);
    ck_assert(play(60) & GAME_CAUGHT && !pv_body_is_valid(world, rock));
    ck_assert(game->gems == 1 && game->score >= 250);
}

START_TEST(a_dart_on_a_crystal_shatters_it) {
    pv_body_id rock = add_crystal_rock(420, 180);
    pv_vec2 at = place_of(rock);
    pv_cut tunnel = pv_cut_box(PV_VEC2(at.x - 80, at.y - 10), PV_VEC2(at.x, at.y + 10));
    carve_softly(rock, tunnel);
    fly(300, 180, 0);
    game->chain = 9;
    ck_assert_uint_eq(fire(60) & (GAME_SHATTERED | GAME_FREED), GAME_SHATTERED);
    ck_assert_int_eq(game->chain, 0);
}

static void lose(void) {
    unsigned events = 0;
    for (int i = 0; i < 9 && events != GAME_LOST; i++) events = strike(i) & (unsigned)GAME_LOST;
    ck_assert_uint_eq(events, GAME_LOST);
}

START_TEST(who_catches_the_pilot_is_paid) {
    lose();
    play(200);
    game->safe = 1;
    clear(game->ship, game->pilot);
    play(1);
    ck_assert(pv_body_is_valid(world, game->pilot));
    pv_body_set_position(world, game->pilot, PV_VEC2(320, 180));
    pv_body_set_velocity(world, game->pilot, PV_VEC2(0, 0));
    fly(280, 180, 60);
    int score = game->score;
    ck_assert(play(60) & GAME_RESCUED && !pv_body_is_valid(world, game->pilot));
    ck_assert_int_ge(game->score, score + 500);
}

START_TEST(a_play_ends_with_its_last_ship) {
    game->ships = 1;
    fly(320, 180, 0);
    lose();
    ck_assert_int_eq(game->phase, GAME_PLAY); /* time to see it fall apart */
    play(300);
    ck_assert_int_eq(game->phase, GAME_OVER);
    ck_assert(!pv_body_is_valid(world, game->ship));
    game_begin(stage, GAME_PLAY);
    ck_assert(game->phase == GAME_PLAY && game->ships == GAME_SHIPS && game->score == 0);
}

START_TEST(space_is_round) {
    fly(GAME_WIDTH - 40, 180, 100);
    play(120);
    pv_vec2 at = place_of(game->ship);
    ck_assert(at.x > 0 && at.x < GAME_WIDTH / 2 && fabs(at.y - 180) < 1e-6);
    ck_assert_double_eq_tol(pv_body_get_velocity(world, game->ship).x, 100, 1e-6);
}

START_TEST(a_miss_heats_the_gun_and_breaks_the_chain) {
    calm = true;
    game->keys = GAME_FIRE;
    game->chain = 3 * GAME_LINKS;
    ck_assert_int_eq(game_factor(game), 4);
    unsigned events = play(300);
    ck_assert(events & GAME_UNCHAINED && events & GAME_OVERHEATED);
    ck_assert_int_eq(game_factor(game), 1);
    int fired = game->fired;
    play(60);
    ck_assert_int_eq(game->fired, fired); /* jammed until it cools down */
    play(200);
    ck_assert_int_gt(game->fired, fired);
}

START_TEST(slivers_fall_apart_by_themselves) {
    fly(320, 250, 0);
    const struct sprite *sprite = stage_load(stage, "tile");
    ck_assert_int_lt((int)pv_mask_count_pixels(sprite->mask), GAME_SMALL);
    pv_body_id rock = add_rock(sprite, PV_VEC2(100, 60), 0);
    int frames = 0;
    for (; pv_body_is_valid(world, rock) && frames < 300; frames++) play(1);
    ck_assert_int_lt(frames, 90);
    ck_assert_int_eq(game->score, 0);
}

START_TEST(aimed_play_pays_and_no_time_goes_to_slivers) {
    struct bot_play sum[BOTS] = {{0}};
    for (uint64_t seed = 1; seed <= last_seed(3); seed++)
        for (int bot = 0; bot < BOTS; bot++) {
            struct bot_play one = bot_play((enum bot)bot, seed, 5400);
            sum[bot].score += one.score;
            sum[bot].rock_frames += one.rock_frames;
            sum[bot].small_frames += one.small_frames;
        }
    ck_assert_int_ge(sum[BOT_AIMED].score, 2 * sum[BOT_SPINNING].score);
    ck_assert_int_ge(sum[BOT_AIMED].score, 2 * sum[BOT_STILL].score);
    ck_assert_int_lt(10 * sum[BOT_AIMED].small_frames, sum[BOT_AIMED].rock_frames);
}

START_TEST(what_is_only_seen_changes_no_play) {
    enum { FRAMES = 900 };
    uint64_t hashes[FRAMES];
    for (int seen = 0; seen < 2; seen++) {
        open_play(3);
        for (int i = 0; i < FRAMES; i++) {
            game->keys = game_autopilot(stage, game);
            play(1);
            if (seen) game->effects = (struct effects){.dice = (uint32_t)i, .shake = 9, .flash = 1};
            if (seen) ck_assert_uint_eq(pv_world_compute_hash(world), hashes[i]);
            hashes[i] = pv_world_compute_hash(world);
        }
    }
    ck_assert_int_gt(game->hits, 0);
}

START_TEST_FOR(what_is_drawn_at_both_edges_is_hit_at_both, side, 2) {
    fly(GAME_WIDTH / 2, 240, 0);
    pv_body_id rock = add_block((pv_rect){0, 0, 0, 0});
    pv_body_set_position(world, rock, PV_VEC2(side ? GAME_WIDTH - 25 : 25, 100));
    fly(side ? 150 : GAME_WIDTH - 150, 100, 0);
    pv_body_set_angle(world, game->ship, side ? acos(-1) : 0);
    int hits = (fire(1) & GAME_BIT) != 0;
    for (int i = 1; i < 60; i++) hits += (play(1) & GAME_BIT) != 0;
    ck_assert_int_eq(hits, 1);
    ck_assert_int_eq(game->chain, 1);
}

/* ---- tools ---- */

/// Puts the ship at (200, 180) at rest, gives it a tool, and uses that.
static void use_tool(enum game_tool tool) {
    fly(200, 180, 0);
    game->tool = tool;
    game->charges = 1;
    game->keys = GAME_TOOL;
    play(1);
    ck_assert_int_eq(game->charges, 0);
    game->keys = 0;
}

static int rock_count(void) {
    int count = 0;
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(world, b));)
        count += !PV_ID_EQUALS(b, game->ship);
    return count;
}

START_TEST(the_laser_cuts_a_rock_in_two_and_parts_the_halves) {
    pv_body_id rock = add_block((pv_rect){0, 0, 0, 0});
    int before = rock_count();
    use_tool(GAME_LASER);
    ck_assert_int_eq(rock_count(), before + 1);
    int64_t left = rock_pixels();
    ck_assert(left <= 120 * 118 && left > 120 * 114);
    double y = place_of(rock).y;
    play(60);
    ck_assert_double_gt(fabs(place_of(rock).y - y), 15);
    ck_assert_int_gt(game->score, 0);
}

START_TEST(tools_spare_crystals) {
    for (int tool = GAME_LASER; tool <= GAME_DRILL; tool++) {
        open_empty();
        add_crystal_rock(300, 180);
        use_tool((enum game_tool)tool);
        unsigned events = play(tool == GAME_BOMB ? 50 : 150); /* the blast throws the ship around */
        ck_assert_uint_eq(events & (GAME_SHATTERED | GAME_STRUCK | GAME_LOST), 0);
        ck_assert(tool != GAME_BOMB || events & GAME_EXPLODED);
        int64_t crystal = 0;
        const struct sprite *sprite = game->rocks[0];
        for (int i = 0; i < sprite->image->width * sprite->image->height; i++)
            crystal += sprite->image->pixels[4 * i + 3] == 253;
        ck_assert_int_gt(crystal, 60);
        ck_assert(game->gems == 1 || rock_pixels() >= crystal);
    }
}

START_TEST_FOR(the_bomb_blows_a_hole_where_it_hits_or_at_a_second_press, press, 2) {
    add_block((pv_rect){0, 0, 0, 0});
    use_tool(GAME_BOMB);
    int frames = 0;
    for (bool over = false; frames < 120 && !over; frames++) {
        game->keys = press && frames == 20 ? GAME_TOOL : 0;
        over = play(1) & GAME_EXPLODED;
    }
    ck_assert_int_le(frames, press ? 22 : 119);
    int64_t lost = 120 * 120 - rock_pixels();
    ck_assert(press ? lost == 0 : lost > 1500 && lost < 5200);
}

START_TEST(the_drill_goes_through_and_no_pixel_of_the_ship_is_lost) {
    add_block((pv_rect){0, 0, 0, 0});
    use_tool(GAME_DRILL);
    double farthest = 0;
    for (int i = 0; i < 150; i++) {
        play(1);
        farthest = fmax(farthest, place_of(game->ship).x);
    }
    ck_assert_double_gt(farthest, 470);
    ck_assert(hull() == 1);
    int64_t left = rock_pixels();
    ck_assert(left < 120 * 120 - 2000 && left > 120 * 120 - 3600);
}

START_TEST(the_tether_draws_in_what_it_holds) {
    pv_body_id rock = add_crystal_rock(330, 180);
    pv_vec2 at = place_of(rock);
    use_tool(GAME_TETHER);
    ck_assert(pv_joint_is_valid(world, game->tether));
    play(50);
    pv_vec2 now = place_of(rock), ship = place_of(game->ship);
    ck_assert_double_lt(now.x - ship.x, at.x - 200 - 30);
    game->keys = GAME_TOOL;
    play(1);
    ck_assert(!pv_joint_is_valid(world, game->tether));
}

static void await_choice(void) {
    for (int i = 0; game->choosing == 0 && i < 300; i++) play(1);
    ck_assert_int_gt(game->choosing, 0);
}

START_TEST(between_waves_a_tool_is_chosen) {
    await_choice();
    ck_assert(game->wave == 1 && game->tool == GAME_BARE);
    enum game_tool wanted = game->offers[2];
    game->keys = GAME_RIGHT;
    play(1);
    game->keys = 0;
    play(GAME_CALM);
    fire(1);
    ck_assert(game->tool == wanted && game->charges == 3 && game->choosing == 0);
    for (int i = 0; game->wave == 1 && i < 200; i++) play(1);
    ck_assert_int_eq(game->wave, 2);
}

START_TEST(shots_take_no_tool) {
    game->keys = GAME_FIRE;
    await_choice();
    play(60); /* the key is held */
    for (int i = 0; i < 120; i++) {
        game->keys = i % 10 < 5 ? 0 : GAME_FIRE;
        play(1);
    }
    ck_assert_msg(game->choosing > 0 && game->tool == GAME_BARE, "who still shoots has chosen");
    game->keys = 0;
    play(GAME_CALM);
    fire(1);
    ck_assert(game->choosing == 0 && game->tool == game->offers[1]);
}

/* ---- foes ---- */

START_TEST(the_hulk_is_taken_apart_turret_by_turret) {
    unhurt = true;
    game->wave = GAME_HULK_WAVES - 1;
    game->offered = 99;
    for (int i = 0; i < 400 && !(game->events & GAME_HULK); i++) play(1);
    ck_assert(game->events & GAME_HULK);
    ck_assert_int_ge(pixels_of(game->hulk), 20000);
    ck_assert_int_eq(hulk_turrets(stage, game), GAME_TURRETS);
    static const double places[GAME_TURRETS][2] = {{36, 24}, {98, 9},  {168, 9},
                                                   {36, 83}, {98, 98}, {168, 98}};
    int rocks = 0;
    for (int i = 0; i < GAME_TURRETS; i++) {
        pv_cut cut = WITH(pv_cut_circle(PV_VEC2(places[i][0], places[i][1]), 7), it.local = true);
        int score = game->score;
        pv_body_carve(world, game->hulk, &cut, NULL);
        rocks = rock_count();
        ck_assert(play(1) & GAME_TURRET);
        ck_assert_int_ge(game->score, score + 400);
        ck_assert_int_eq(hulk_turrets(stage, game), GAME_TURRETS - 1 - i);
    }
    ck_assert(game->events & GAME_HULK_BROKE);
    ck_assert_int_gt(rock_count(), rocks + 3);
}

START_TEST(a_saucer_comes_and_shoots_and_falls_to_darts) {
    unhurt = true;
    pv_body_id rock = add_crystal_rock(100, 100); /* so that the wave goes on */
    game->wave = 2;
    game->saucer_wait = 100000;
    ck_assert(play(1) & GAME_SAUCER && play(200) & GAME_SHOT_AT);
    ck_assert(pv_body_is_valid(world, game->saucer));
    int darts = 0;
    for (; darts < 40 && pv_body_is_valid(world, game->saucer); darts++) {
        pv_vec2 at = place_of(game->saucer);
        fly(at.x - 60, at.y, 0);
        game->keys = GAME_FIRE;
        game->heat = 0;
        play(12);
    }
    ck_assert(darts >= 2 && darts < 40);
    ck_assert_int_ge(game->score, 250);
    ck_assert(pv_body_is_valid(world, rock));
}

/* ---- long runs ---- */

/// Returns the peak memory so far [KiB]; 0 under sanitizers, which keep freed memory.
static long peak(void) {
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    return 0;
#else
    struct rusage usage;
    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
#endif
}

START_TEST(it_plays_itself_without_end_and_without_growing) {
    open_attract(4);
    int sprites = 0, waves = 0, most = 0, losses = 0;
    for (const struct sprite *s = stage->sprites; s; s = s->next) sprites++;
    long early = 0, late = 0;
    const int end =
        16000 * (int)last_seed(9); /* 80 minutes where all tests are asked for, else 27 */
    const int warm = end / 3 * 2;  /* by then, buffers have their sizes */
    /* Goes on until the ship was lost once. */
    for (int i = 0; i < end || (losses == 0 && i < 3 * end); i++) {
        play(1);
        if (i == warm - 1) early = peak();
        if (i == end - 1) late = peak();
        waves += (game->events & GAME_WAVE) != 0;
        losses += (game->events & GAME_LOST) != 0;
        pv_world_stats stats = pv_world_get_stats(world);
        most = stats.bodies > most ? stats.bodies : most;
        ck_assert_int_le(stats.particles, 500);
    }
    ck_assert_int_le(late - early, 512);
    for (const struct sprite *s = stage->sprites; s; s = s->next) sprites--;
    ck_assert_int_eq(sprites, 0);
    ck_assert_int_ge(waves, 3);
    ck_assert_int_ge(losses, 1);
    ck_assert_int_le(most, 120);
    ck_assert_int_eq(game->phase, GAME_ATTRACT);
}

START_TEST(in_the_viewer_the_arrows_fly_it) {
    open_attract(1);
    stage->hooks.keys(stage, 0);
    play(120);
    /* The autopilot has turned the ship. */
    ck_assert_double_gt(fabs(pv_body_get_angle(world, game->ship) + acos(-1) / 2), .01);
    stage->hooks.keys(stage, STAGE_RIGHT);
    play(30);
    ck_assert_double_gt(pv_body_get_angular_velocity(world, game->ship), 3);
    stage->hooks.keys(stage, STAGE_DOWN);
    play(2);
    ck_assert(play(30) & GAME_FIRED);
}

static uint64_t hash_of_play(uint64_t seed) {
    open_play(seed);
    for (int i = 0; i < 1200; i++) {
        game->keys = (unsigned)(i / 7 * 2654435761u >> 28);
        play(1);
    }
    return pv_world_compute_hash(world) ^ (uint64_t)game->score;
}

START_TEST(the_same_keys_give_the_same_play) {
    uint64_t hash = hash_of_play(7);
    ck_assert_uint_eq(hash_of_play(7), hash);
    ck_assert_uint_ne(hash_of_play(8), hash);
}

/* ---- best plays ---- */

static const char *const file = "test_game.scores";

START_TEST(best_plays_are_kept_in_order) {
    struct scores scores = {0}, again;
    uint64_t seed = 3;
    for (int i = 0; i < 40; i++) {
        char name[24];
        int points = (int)(next_random(&seed) % 5000), place = scores_place(&scores, points);
        snprintf(name, sizeof name, "player %d", i);
        int above = 0;
        for (int k = 0; k < scores.count; k++) above += scores.list[k].points >= points;
        ck_assert_int_eq(place, points > 0 && above < SCORES_KEPT ? above : -1);
        scores_add(&scores, name, points, 1 + i % 9);
        for (int k = 1; k < scores.count; k++)
            ck_assert_int_ge(scores.list[k - 1].points, scores.list[k].points);
    }
    ck_assert_int_eq(scores.count, SCORES_KEPT);
    ck_assert(scores_write(&scores, file) && scores_read(&again, file));
    ck_assert_int_eq(again.count, SCORES_KEPT);
    for (int k = 0; k < SCORES_KEPT; k++) {
        ck_assert_int_eq(again.list[k].points, scores.list[k].points);
        ck_assert_int_eq(again.list[k].wave, scores.list[k].wave);
        ck_assert_str_eq(again.list[k].name, scores.list[k].name);
    }
    unlink(file);
}

START_TEST(damaged_scores_cost_their_lines_only) {
    struct scores scores;
    FILE *out = fopen(file, "w");
    fputs(
        "120 3 ANNA\nnonsense\n-5 1 BEN\n99999999999 1 HUGE\n80 0 CARL\n300 2 dora!? x\n50 1 \n7 1 "
        "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFGHIJKL"
        "\n\377\376"
        " 2 3",
        out);
    fclose(out);
    ck_assert(scores_read(&scores, file));
    ck_assert_int_ge(scores.count, 4);
    ck_assert(scores.list[0].points <= 999999999);
    for (int i = 0; i < scores.count; i++) {
        ck_assert(scores.list[i].points > 0 && scores.list[i].wave > 0 && scores.list[i].name[0]);
        for (const char *p = scores.list[i].name; *p; p++) {
            char c = *p;
            ck_assert(scores_allow(&c) && c == *p);
        }
    }
    unlink(file);
    ck_assert(scores_read(&scores, "no/such/file") && scores.count == 0);
    ck_assert(!scores_read(&scores, ".")); /* a directory */
    ck_assert(!scores_write(&scores, "no/such/file"));
}

START_TEST(names_are_capital) {
    struct scores scores = {0};
    scores_add(&scores, "  \xc3\xa4nna \n<b>7", 10, 1);
    ck_assert_str_eq(scores.list[0].name, "NNA B7");
    scores_add(&scores, "///", 9, 1);
    ck_assert_str_eq(scores.list[1].name, "NOBODY");
    scores_add(&scores, "the longest of all names", 8, 1);
    ck_assert_str_eq(scores.list[2].name, "THE LONGES");
    scores_add(&scores, "nothing", 0, 1);
    ck_assert_int_eq(scores.count, 3);
}

RUN_TESTS_IN("game", open_empty, close_play, 1)
