/* test_game.c - the rules of the game in the demo, and its list of best plays.
 *
 * Invariant: what collides with what is counted from the pixels of pictures that are drawn here.
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

static struct stage *open_play(uint64_t seed) {
    struct stage *stage = scene_start(scene_find("game"), seed);
    ck_assert_msg(!stage_error(stage), "%s", stage_error(stage));
    game_begin(stage, GAME_PLAY);
    return stage;
}

static void step(struct stage *stage) {
    game_update(stage);
    step_well(stage->world, SCENE_STEP);
    stage_follow(stage);
}

/// A play without rocks of its own, with a ship that is solid.
static struct stage *open_empty(void) {
    struct stage *stage = open_play(1);
    struct game *game = game_of(stage);
    game->safe = 1;
    step(stage); /* brings a wave */
    for (pv_body_id b = {0}, next = pv_world_get_next_body(stage->world, b);
         (b = next).index || b.generation;) {
        next = pv_world_get_next_body(stage->world, b);
        if (!PV_ID_EQUALS(b, game->ship)) pv_body_destroy(stage->world, b);
    }
    ck_assert_uint_ne(pv_body_get_filter(stage->world, game->ship).mask_bits, 0);
    return stage;
}

static void fly(struct stage *stage, double x, double y, double vx) {
    pv_body_id ship = game_of(stage)->ship;
    pv_body_set_position(stage->world, ship, (pv_vec2){x, y});
    pv_body_set_angle(stage->world, ship, 0);
    pv_body_set_velocity(stage->world, ship, (pv_vec2){vx, 0});
}

/// A block with a channel from its left side to its middle, or a frame around a hole.
static pv_body_id add_block(struct stage *stage, pv_rect hollow) {
    pv_image *image = pv_image_create(120, 120, NULL, NULL);
    pv_status status;
    for (int i = 0; i < 120 * 120; i++) {
        int x = i % 120 - hollow.x, y = i / 120 - hollow.y;
        bool solid = x < 0 || y < 0 || x >= hollow.w || y >= hollow.h;
        memset(image->pixels + 4 * i, solid ? 255 : 0, 4);
    }
    struct sprite *sprite = sprite_keep(&stage->sprites, "block", image, NULL, &status);
    ck_assert_ptr_nonnull(sprite);
    pv_vec2 at = {340 + sprite->center.x, 120 + sprite->center.y};
    return game_add_rock(stage, sprite, at, 0, (pv_vec2){0, 0}, 0);
}

/* ---- pixels ---- */

START_TEST(a_ship_slips_into_a_notch_that_is_wide_enough) {
    for (int high = 16; high <= 24; high += 4) { /* the ship's picture is 18 px high */
        struct stage *stage = open_empty();
        add_block(stage, (pv_rect){0, 60 - high / 2, 70, high});
        fly(stage, 300, 180 + game_of(stage)->scout->center.y - 9, 60);
        double farthest = 0;
        bool bumped = false;
        for (int i = 0; i < 90; i++) {
            step(stage);
            farthest = fmax(farthest, pv_body_get_bounds(stage->world, game_of(stage)->ship).max.x);
            bumped |= pv_world_get_stats(stage->world).contacts > 0;
        }
        if (high < 18) ck_assert(bumped && farthest < 360); /* the nose fits, the wings do not */
        if (high > 18)
            ck_assert(!bumped &&
                      farthest > 380); /* and else flies in, to where it is after 1.5 s */
        ck_assert(hull_left(stage, game_of(stage)) == 1);
        stage_destroy(stage);
    }
}
END_TEST

START_TEST(a_ship_flies_about_in_a_hole) {
    struct stage *stage = open_empty();
    struct game *game = game_of(stage);
    pv_body_id ring = add_block(stage, (pv_rect){20, 20, 80, 80});
    fly(stage, 400, 180, 0);
    game->keys = GAME_LEFT; /* turns in place: its corners need 28 px */
    for (int i = 0; i < 200; i++) {
        step(stage);
        ck_assert_int_eq(pv_world_get_stats(stage->world).contacts, 0);
    }
    game->keys = GAME_THRUST; /* against the inside */
    bool touched = false;
    for (int i = 0; i < 120; i++) {
        step(stage);
        touched |= pv_world_get_stats(stage->world).contacts > 0;
    }
    pv_vec2 at = pv_body_get_position(stage->world, game->ship);
    pv_box box = pv_body_get_bounds(stage->world, ring);
    ck_assert(touched && at.x > box.min.x && at.x < box.max.x && at.y > box.min.y &&
              at.y < box.max.y);
    stage_destroy(stage);
}
END_TEST

static int64_t rock_pixels(struct stage *stage, pv_body_id ship) {
    int64_t sum = 0, dart = pv_mask_count_pixels(stage_mask_of(stage, "dart"));
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));)
        if (!PV_ID_EQUALS(b, ship) &&
            pv_mask_count_pixels(pv_body_get_mask(stage->world, b)) != dart)
            sum += pv_mask_count_pixels(pv_body_get_mask(stage->world, b));
    return sum;
}

START_TEST(darts_take_pixels_until_none_are_left) {
    struct stage *stage = open_empty();
    struct game *game = game_of(stage);
    add_block(stage, (pv_rect){0, 0, 60, 120});
    fly(stage, 200, 180, 0);
    int64_t before = rock_pixels(stage, game->ship), least = before;
    ck_assert_int_eq(before, 7200);
    int wave = game->wave, frames = 0, darts = 0;
    bool broke = false;
    for (; game->wave == wave && frames < 20000; frames++) {
        pv_body_set_angle(stage->world, game->ship,
                          frames < 600 ? .2 * sin(frames * .01) : frames * .037);
        game->keys = GAME_FIRE;
        game->safe = 2; /* fragments pass through it */
        step(stage);
        darts += (game->events & GAME_FIRED) != 0;
        broke |= (game->events & GAME_BROKE) != 0;
        int64_t now = rock_pixels(stage, game->ship);
        if (game->wave == wave) ck_assert_int_le(now, least);
        least = now < least ? now : least;
    }
    ck_assert_int_eq(game->wave, wave + 1);
    ck_assert(broke && darts > 15);
    ck_assert_int_gt(game->score, 2 * game->hits); /* a split pays more than pixels */
    stage_destroy(stage);
}
END_TEST

/* ---- rules ---- */

/// Throws a block at the ship until something happens.
static unsigned collide(struct stage *stage, double speed) {
    struct game *game = game_of(stage);
    unsigned events = 0;
    pv_vec2 at = pv_body_get_position(stage->world, game->ship);
    pv_body_set_velocity(stage->world, game->ship, (pv_vec2){0, 0});
    const struct sprite *sprite = stage_load(stage, "crate");
    pv_body_id rock =
        game_add_rock(stage, sprite, (pv_vec2){at.x - 40, at.y}, 0, (pv_vec2){speed, 0}, 0);
    for (int i = 0; i < 60 && !(events & ~(unsigned)GAME_WAVE); i++) {
        step(stage);
        events |= game->events;
    }
    if (pv_body_is_valid(stage->world, rock)) pv_body_destroy(stage->world, rock);
    return events & ~(unsigned)GAME_WAVE;
}

START_TEST(hits_tear_pixels_off_until_the_ship_is_lost) {
    struct stage *stage = open_empty();
    struct game *game = game_of(stage);
    fly(stage, 320, 180, 0);
    ck_assert_uint_eq(collide(stage, 60), GAME_BUMPED); /* a light hit costs no pixel */
    ck_assert(hull_left(stage, game) == 1);
    int strikes = 0;
    for (double left = 1; pv_body_is_valid(stage->world, game->ship); strikes++) {
        fly(stage, 320, 180, 0);
        pv_body_set_angle(stage->world, game->ship, strikes * .9);
        game->stunned = 0;
        unsigned events = collide(stage, 150);
        ck_assert_msg(events == GAME_STRUCK || events == GAME_LOST, "events %x", events);
        if (events == GAME_LOST) break;
        ck_assert_double_lt(hull_left(stage, game), left);
        left = hull_left(stage, game);
    }
    ck_assert(strikes >= 1 && strikes < 9);
    ck_assert_int_eq(game->ships, GAME_SHIPS - 1);
    ck_assert(pv_body_is_valid(stage->world, game->pilot) &&
              !pv_body_is_valid(stage->world, game->ship));
    int frames = 0;
    while (!pv_body_is_valid(stage->world, game->ship) && frames++ < 600) step(stage);
    ck_assert_int_lt(frames, 200);
    ck_assert(hull_left(stage, game) == 1);
    stage_destroy(stage);
}
END_TEST

/// Shoots a wing off.
/// @param top true for the wing at the top of the picture
static void cut_wing(struct stage *stage, bool top) {
    pv_cut cut = pv_cut_box((pv_vec2){0, top ? 0 : 12}, (pv_vec2){22, top ? 6 : 18});
    cut.local = true;
    ck_assert_int_eq(pv_body_carve(stage->world, game_of(stage)->ship, &cut, NULL), PV_OK);
}

/// Returns the angle that the ship turns in a fifth of a second.
static double turned(struct stage *stage, unsigned keys) {
    fly(stage, 320, 180, 0);
    pv_body_set_angular_velocity(stage->world, game_of(stage)->ship, 0);
    game_of(stage)->keys = keys;
    for (int i = 0; i < 12; i++) step(stage);
    return fabs(pv_body_get_angle(stage->world, game_of(stage)->ship));
}

START_TEST(a_lost_wing_changes_how_the_ship_flies) {
    for (int top = 0; top < 2; top++) {
        struct stage *stage = open_empty();
        struct game *game = game_of(stage);
        double mass = pv_body_get_mass(stage->world, game->ship), whole = turned(stage, GAME_RIGHT);
        ck_assert_double_lt(turned(stage, GAME_THRUST), .01);
        cut_wing(stage, top);
        ck_assert_double_lt(pv_body_get_mass(stage->world, game->ship), .85 * mass);
        double right = turned(stage, GAME_RIGHT), left = turned(stage, GAME_LEFT);
        ck_assert_double_lt(top ? right : left, .9 * whole); /* its jets are gone */
        ck_assert_double_gt(top ? left : right, .9 * whole);
        ck_assert_double_gt(turned(stage, GAME_THRUST), .05);
        stage_destroy(stage);
    }
}
END_TEST

START_TEST(ore_patches_the_ship_pixel_by_pixel) {
    struct stage *stage = open_empty();
    struct game *game = game_of(stage);
    fly(stage, 320, 180, 0);
    cut_wing(stage, true);
    double left = hull_left(stage, game);
    ck_assert_double_lt(left, .85);
    for (int i = 0; i < 60; i++) step(stage);
    ck_assert(hull_left(stage, game) == left); /* nothing comes of nothing */
    game->ore = 400;
    for (int i = 0; i < 600 && hull_left(stage, game) < 1; i++) {
        game->pause = 100;
        step(stage);
        ck_assert_double_ge(hull_left(stage, game), left);
        left = hull_left(stage, game);
    }
    ck_assert(left == 1);
    ck_assert_double_gt(turned(stage, GAME_RIGHT), .3);
    stage_destroy(stage);
}
END_TEST

/* ---- crystals ---- */

static pv_body_id add_crystal_rock(struct stage *stage, double x, double y) {
    const struct sprite *sprite = game_of(stage)->rocks[0];
    return game_add_rock(stage, sprite, (pv_vec2){x, y}, 0, (pv_vec2){0, 0}, 0);
}

START_TEST(a_crystal_that_is_dug_out_can_be_caught) {
    struct stage *stage = open_empty();
    struct game *game = game_of(stage);
    fly(stage, 320, 180, 0);
    pv_body_id rock = add_crystal_rock(stage, 420, 180);
    ck_assert_ptr_nonnull(pv_body_get_material_map(stage->world, rock));
    pv_cut cut = pv_cut_circle(pv_body_get_position(stage->world, rock), 80);
    cut.max_hardness = 100;
    pv_body_carve(stage->world, rock, &cut, NULL);
    int64_t pixels = pv_mask_count_pixels(pv_body_get_mask(stage->world, rock));
    ck_assert(pixels > 60 && pixels < 400);
    step(stage);
    ck_assert_uint_eq(game->events & GAME_FREED, GAME_FREED);
    ck_assert_int_eq(pv_mask_count_pixels(pv_body_get_mask(stage->world, rock)), pixels);
    fly(stage, 380, 180, 60);
    unsigned events = 0;
    for (int i = 0; i < 60; i++) {
        step(stage);
        events |= game->events;
    }
    ck_assert(events & GAME_CAUGHT);
    ck_assert(!pv_body_is_valid(stage->world, rock));
    ck_assert(game->gems == 1 && game->score >= 250);
    stage_destroy(stage);
}
END_TEST

START_TEST(a_dart_on_a_crystal_shatters_it) {
    struct stage *stage = open_empty();
    struct game *game = game_of(stage);
    pv_body_id rock = add_crystal_rock(stage, 420, 180);
    pv_vec2 at = pv_body_get_position(stage->world, rock);
    pv_cut cut = pv_cut_box((pv_vec2){at.x - 80, at.y - 10}, (pv_vec2){at.x, at.y + 10});
    cut.max_hardness = 100;
    pv_body_carve(stage->world, rock, &cut, NULL); /* a tunnel */
    fly(stage, 300, 180, 0);
    game->chain = 9;
    unsigned events = 0;
    for (int i = 0; i < 60; i++) {
        game->keys = i == 0 ? GAME_FIRE : 0;
        step(stage);
        events |= game->events;
    }
    ck_assert(events & GAME_SHATTERED);
    ck_assert_int_eq(game->chain, 0);
    ck_assert(!(events & GAME_FREED));
    stage_destroy(stage);
}
END_TEST

/// Throws blocks at the ship until it is lost.
static void lose(struct stage *stage) {
    struct game *game = game_of(stage);
    unsigned events = 0;
    for (int i = 0; i < 9 && events != GAME_LOST; i++) {
        fly(stage, 320, 180, 0);
        pv_body_set_angle(stage->world, game->ship, i * .9);
        game->stunned = 0;
        events = collide(stage, 150) & (unsigned)GAME_LOST;
    }
    ck_assert_uint_eq(events, GAME_LOST);
}

START_TEST(who_catches_the_pilot_is_paid) {
    struct stage *stage = open_empty();
    struct game *game = game_of(stage);
    fly(stage, 320, 180, 0);
    lose(stage);
    for (int i = 0; i < 200; i++) step(stage);
    game->safe = 1;
    for (pv_body_id b = {0}, next = pv_world_get_next_body(stage->world, b);
         (b = next).index || b.generation;) {
        next = pv_world_get_next_body(stage->world, b);
        if (!PV_ID_EQUALS(b, game->ship) && !PV_ID_EQUALS(b, game->pilot))
            pv_body_destroy(stage->world, b);
    }
    step(stage);
    ck_assert(pv_body_is_valid(stage->world, game->pilot));
    pv_body_set_position(stage->world, game->pilot, (pv_vec2){320, 180});
    pv_body_set_velocity(stage->world, game->pilot, (pv_vec2){0, 0});
    fly(stage, 280, 180, 60);
    int score = game->score;
    unsigned events = 0;
    for (int i = 0; i < 60; i++) {
        step(stage);
        events |= game->events;
    }
    ck_assert(events & GAME_RESCUED);
    ck_assert(!pv_body_is_valid(stage->world, game->pilot));
    ck_assert_int_ge(game->score, score + 500);
    stage_destroy(stage);
}
END_TEST

START_TEST(a_play_ends_with_its_last_ship) {
    struct stage *stage = open_empty();
    struct game *game = game_of(stage);
    game->ships = 1;
    fly(stage, 320, 180, 0);
    lose(stage);
    ck_assert_int_eq(game->phase, GAME_PLAY); /* one sees it fall apart */
    for (int i = 0; i < 300; i++) step(stage);
    ck_assert_int_eq(game->phase, GAME_OVER);
    ck_assert(!pv_body_is_valid(stage->world, game->ship));
    game_begin(stage, GAME_PLAY);
    ck_assert(game->phase == GAME_PLAY && game->ships == GAME_SHIPS && game->score == 0);
    stage_destroy(stage);
}
END_TEST

START_TEST(space_is_round) {
    struct stage *stage = open_empty();
    struct game *game = game_of(stage);
    fly(stage, 600, 180, 100);
    for (int i = 0; i < 120; i++) step(stage);
    pv_vec2 at = pv_body_get_position(stage->world, game->ship),
            v = pv_body_get_velocity(stage->world, game->ship);
    ck_assert(at.x > 0 && at.x < 320 && fabs(at.y - 180) < 1e-6);
    ck_assert_double_eq_tol(v.x, 100, 1e-6);
    stage_destroy(stage);
}
END_TEST

START_TEST(a_miss_heats_the_gun_and_breaks_the_chain) {
    struct stage *stage = open_empty();
    struct game *game = game_of(stage);
    game->keys = GAME_FIRE;
    game->chain = 3 * GAME_LINKS;
    unsigned events = 0;
    ck_assert_int_eq(game_factor(game), 4);
    fly(stage, 320, 180, 0);
    for (int i = 0; i < 300; i++) {
        game->pause = 100; /* no rocks come */
        step(stage);
        events |= game->events;
    }
    ck_assert(events & GAME_UNCHAINED && events & GAME_OVERHEATED);
    ck_assert_int_eq(game_factor(game), 1);
    int fired = game->fired;
    for (int i = 0; i < 60; i++) {
        game->pause = 100;
        step(stage);
    }
    ck_assert_int_eq(game->fired, fired); /* jammed until it is cool */
    for (int i = 0; i < 200; i++) {
        game->pause = 100;
        step(stage);
    }
    ck_assert_int_gt(game->fired, fired);
    stage_destroy(stage);
}
END_TEST

START_TEST(slivers_fall_apart_by_themselves) {
    struct stage *stage = open_empty();
    struct game *game = game_of(stage);
    fly(stage, 320, 300, 0);
    const struct sprite *sprite = stage_load(stage, "tile");
    ck_assert_int_lt((int)pv_mask_count_pixels(sprite->mask), GAME_SMALL);
    pv_body_id rock = game_add_rock(stage, sprite, (pv_vec2){100, 60}, 0, (pv_vec2){0, 0}, 0);
    int frames = 0;
    for (; pv_body_is_valid(stage->world, rock) && frames < 300; frames++) step(stage);
    ck_assert_int_lt(frames, 90);
    ck_assert_int_eq(game->score, 0);
    stage_destroy(stage);
}
END_TEST

START_TEST(aimed_play_pays_and_no_time_goes_to_slivers) {
    struct bot_play sum[BOTS] = {{0}};
    for (uint64_t seed = 1; seed <= 3; seed++)
        for (int bot = 0; bot < BOTS; bot++) {
            struct bot_play play = bot_play((enum bot)bot, seed, 5400);
            sum[bot].score += play.score;
            sum[bot].rock_frames += play.rock_frames;
            sum[bot].small_frames += play.small_frames;
        }
    ck_assert_int_ge(sum[BOT_AIMED].score, 2 * sum[BOT_SPINNING].score);
    ck_assert_int_ge(sum[BOT_AIMED].score, 2 * sum[BOT_STILL].score);
    ck_assert_int_lt(10 * sum[BOT_AIMED].small_frames, sum[BOT_AIMED].rock_frames);
}
END_TEST

START_TEST(what_is_only_seen_changes_no_play) {
    struct stage *stage = open_play(3), *other = open_play(3);
    for (int i = 0; i < 900; i++) {
        game_of(stage)->keys = game_of(other)->keys = game_autopilot(stage, game_of(stage));
        step(stage);
        step(other);
        game_of(other)->effects = (struct effects){.dice = (uint32_t)i, .shake = 9, .flash = 1};
        ck_assert_uint_eq(pv_world_compute_hash(stage->world), pv_world_compute_hash(other->world));
    }
    ck_assert_int_gt(game_of(stage)->hits, 0);
    stage_destroy(stage);
    stage_destroy(other);
}
END_TEST

START_TEST(what_is_drawn_at_both_edges_is_hit_at_both) {
    for (int side = 0; side < 2; side++) {
        struct stage *stage = open_empty();
        struct game *game = game_of(stage);
        fly(stage, 320, 300, 0);
        pv_body_id rock = add_block(stage, (pv_rect){0, 0, 0, 0});
        pv_body_set_position(stage->world, rock, (pv_vec2){side ? 615 : 25, 120});
        fly(stage, side ? 150 : 490, 120, 0);
        if (!side) pv_body_set_angle(stage->world, game->ship, 0);
        if (side) pv_body_set_angle(stage->world, game->ship, acos(-1));
        int hits = 0;
        for (int i = 0; i < 60; i++) {
            game->keys = i == 0 ? GAME_FIRE : 0;
            step(stage);
            hits += (game->events & GAME_BIT) != 0;
        }
        ck_assert_int_eq(hits, 1);
        ck_assert_int_eq(game->chain, 1);
        stage_destroy(stage);
    }
}
END_TEST

/* ---- tools ---- */

/// Gives the ship a tool, at rest at (200, 180), and uses it.
static void use_tool(struct stage *stage, enum game_tool tool) {
    struct game *game = game_of(stage);
    fly(stage, 200, 180, 0);
    game->tool = tool;
    game->charges = 1;
    game->keys = GAME_TOOL;
    step(stage);
    ck_assert_int_eq(game->charges, 0);
    game->keys = 0;
}

static int rock_count(struct stage *stage) {
    int count = 0;
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));)
        count += !PV_ID_EQUALS(b, game_of(stage)->ship);
    return count;
}

START_TEST(the_laser_cuts_a_rock_in_two_and_parts_the_halves) {
    struct stage *stage = open_empty();
    pv_body_id rock = add_block(stage, (pv_rect){0, 0, 0, 0});
    int before = rock_count(stage);
    use_tool(stage, GAME_LASER);
    ck_assert_int_eq(rock_count(stage), before + 1);
    int64_t left = rock_pixels(stage, game_of(stage)->ship);
    ck_assert(left <= 120 * 118 && left > 120 * 114);
    double y = pv_body_get_position(stage->world, rock).y;
    for (int i = 0; i < 60; i++) step(stage);
    ck_assert_double_gt(fabs(pv_body_get_position(stage->world, rock).y - y), 15);
    ck_assert_int_gt(game_of(stage)->score, 0);
    stage_destroy(stage);
}
END_TEST

START_TEST(tools_spare_crystals) {
    for (int tool = GAME_LASER; tool <= GAME_DRILL; tool++) {
        struct stage *stage = open_empty();
        struct game *game = game_of(stage);
        add_crystal_rock(stage, 300, 180);
        use_tool(stage, (enum game_tool)tool);
        unsigned events = 0;
        for (int i = 0; i < 150; i++) {
            step(stage);
            events |= game->events;
        }
        ck_assert_uint_eq(events & (GAME_SHATTERED | GAME_STRUCK | GAME_LOST), 0);
        int64_t crystal = 0;
        const struct sprite *sprite = game->rocks[0];
        for (int i = 0; i < sprite->image->width * sprite->image->height; i++)
            crystal += sprite->image->pixels[4 * i + 3] == 253;
        ck_assert_int_gt(crystal, 60);
        ck_assert(game->gems == 1 || rock_pixels(stage, game->ship) >= crystal);
        stage_destroy(stage);
    }
}
END_TEST

START_TEST(the_bomb_blows_a_hole_where_it_hits_or_at_a_second_press) {
    for (int press = 0; press < 2; press++) {
        struct stage *stage = open_empty();
        struct game *game = game_of(stage);
        add_block(stage, (pv_rect){0, 0, 0, 0});
        use_tool(stage, GAME_BOMB);
        unsigned events = 0;
        int frames = 0;
        for (; frames < 120 && !(events & GAME_EXPLODED); frames++) {
            game->keys = press && frames == 20 ? GAME_TOOL : 0;
            step(stage);
            events |= game->events;
        }
        ck_assert(events & GAME_EXPLODED);
        if (press) ck_assert_int_le(frames, 22);
        int64_t left = rock_pixels(stage, game->ship);
        if (press)
            ck_assert_int_eq(left, 120 * 120);
        else
            ck_assert(left < 120 * 120 - 1500 && left > 120 * 120 - 5200);
        stage_destroy(stage);
    }
}
END_TEST

START_TEST(the_drill_goes_through_and_no_pixel_of_the_ship_is_lost) {
    struct stage *stage = open_empty();
    struct game *game = game_of(stage);
    add_block(stage, (pv_rect){0, 0, 0, 0});
    use_tool(stage, GAME_DRILL);
    double farthest = 0;
    for (int i = 0; i < 150; i++) {
        step(stage);
        farthest = fmax(farthest, pv_body_get_position(stage->world, game->ship).x);
    }
    ck_assert_double_gt(farthest, 470);
    ck_assert(hull_left(stage, game) == 1);
    int64_t left = rock_pixels(stage, game->ship);
    ck_assert(left < 120 * 120 - 2000 && left > 120 * 120 - 3600);
    stage_destroy(stage);
}
END_TEST

START_TEST(the_tether_draws_in_what_it_holds) {
    struct stage *stage = open_empty();
    struct game *game = game_of(stage);
    pv_body_id rock = add_crystal_rock(stage, 330, 180);
    pv_vec2 at = pv_body_get_position(stage->world, rock);
    use_tool(stage, GAME_TETHER);
    ck_assert(pv_joint_is_valid(stage->world, game->tether));
    for (int i = 0; i < 50; i++) step(stage);
    pv_vec2 now = pv_body_get_position(stage->world, rock),
            ship = pv_body_get_position(stage->world, game->ship);
    ck_assert_double_lt(now.x - ship.x, at.x - 200 - 30);
    game->keys = GAME_TOOL;
    step(stage);
    ck_assert(!pv_joint_is_valid(stage->world, game->tether));
    stage_destroy(stage);
}
END_TEST

START_TEST(between_waves_a_tool_is_chosen) {
    struct stage *stage = open_empty();
    struct game *game = game_of(stage);
    int frames = 0;
    for (; game->choosing == 0 && frames < 300; frames++) step(stage);
    ck_assert_int_lt(frames, 300);
    ck_assert(game->wave == 1 && game->tool == GAME_BARE);
    enum game_tool wanted = game->offers[2];
    for (int i = 0; i < 3; i++) {
        game->keys = i % 2 ? 0 : i == 0 ? GAME_RIGHT : GAME_FIRE;
        step(stage);
    }
    ck_assert(game->tool == wanted && game->charges == 3 && game->choosing == 0);
    for (frames = 0; game->wave == 1 && frames < 200; frames++) step(stage);
    ck_assert_int_eq(game->wave, 2);
    stage_destroy(stage);
}
END_TEST

/* ---- foes ---- */

START_TEST(the_hulk_is_taken_apart_turret_by_turret) {
    struct stage *stage = open_empty();
    struct game *game = game_of(stage);
    game->wave = GAME_HULK_WAVES - 1;
    game->offered = 99;
    unsigned events = 0;
    for (int i = 0; i < 400 && !(events & GAME_HULK); i++) {
        game->safe = 9;
        step(stage);
        events |= game->events;
    }
    ck_assert(events & GAME_HULK);
    ck_assert_int_ge(pv_mask_count_pixels(pv_body_get_mask(stage->world, game->hulk)), 20000);
    ck_assert_int_eq(hulk_turrets(stage, game), GAME_TURRETS);
    static const double places[GAME_TURRETS][2] = {{36, 24}, {98, 9},  {168, 9},
                                                   {36, 83}, {98, 98}, {168, 98}};
    pv_body_id hulk = game->hulk;
    int rocks = 0;
    for (int i = 0; i < GAME_TURRETS; i++) {
        pv_cut cut = pv_cut_circle((pv_vec2){places[i][0], places[i][1]}, 7);
        cut.local = true;
        int score = game->score;
        pv_body_carve(stage->world, hulk, &cut, NULL);
        rocks = rock_count(stage);
        game->safe = 9;
        step(stage);
        ck_assert_uint_eq(game->events & GAME_TURRET, GAME_TURRET);
        ck_assert_int_ge(game->score, score + 400);
        ck_assert_int_eq(hulk_turrets(stage, game), GAME_TURRETS - 1 - i);
    }
    ck_assert_uint_eq(game->events & GAME_HULK_BROKE, GAME_HULK_BROKE);
    ck_assert_int_gt(rock_count(stage), rocks + 3);
    stage_destroy(stage);
}
END_TEST

START_TEST(a_saucer_comes_and_shoots_and_falls_to_darts) {
    struct stage *stage = open_empty();
    struct game *game = game_of(stage);
    pv_body_id rock = add_crystal_rock(stage, 100, 100); /* else the wave would end */
    game->wave = 2;
    game->saucer_wait = 100000;
    fly(stage, 320, 180, 0);
    step(stage);
    ck_assert_uint_eq(game->events & GAME_SAUCER, GAME_SAUCER);
    bool shot = false;
    for (int i = 0; i < 200; i++) {
        game->safe = 9;
        step(stage);
        shot |= (game->events & GAME_SHOT_AT) != 0;
    }
    ck_assert(shot && pv_body_is_valid(stage->world, game->saucer));
    int darts = 0;
    for (; darts < 40 && pv_body_is_valid(stage->world, game->saucer); darts++) {
        pv_vec2 at = pv_body_get_position(stage->world, game->saucer);
        fly(stage, at.x - 60, at.y, 0);
        game->keys = GAME_FIRE;
        game->heat = 0;
        for (int i = 0; i < 12; i++) {
            game->safe = 9;
            step(stage);
        }
    }
    ck_assert(darts >= 2 && darts < 40);
    ck_assert_int_ge(game->score, 250);
    ck_assert(pv_body_is_valid(stage->world, rock));
    stage_destroy(stage);
}
END_TEST

/* ---- long runs ---- */

static int count_sprites(const struct stage *stage) {
    int count = 0;
    for (const struct sprite *s = stage->sprites; s; s = s->next) count++;
    return count;
}

/// Returns the greatest memory of this process so far [KiB]; 0 under sanitizers, which keep freed
/// memory.
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
    struct stage *stage = scene_start(scene_find("game"), 5);
    struct game *game = game_of(stage);
    int sprites = count_sprites(stage), waves = 0, most = 0, losses = 0;
    long early = 0;
    for (int i = 0; i < 72000; i++) { /* twenty minutes */
        step(stage);
        if (i == 24000) early = peak();
        waves += (game->events & GAME_WAVE) != 0;
        losses += (game->events & GAME_LOST) != 0;
        pv_world_stats stats = pv_world_get_stats(stage->world);
        most = stats.bodies > most ? stats.bodies : most;
        ck_assert_int_le(stats.particles, 500);
    }
    ck_assert_int_le(peak() - early, 1024);
    ck_assert_int_eq(count_sprites(stage), sprites);
    ck_assert_int_ge(waves, 3);
    ck_assert_int_ge(losses, 1);
    ck_assert_int_le(most, 120);
    ck_assert_int_eq(game->phase, GAME_ATTRACT);
    stage_destroy(stage);
}
END_TEST

START_TEST(in_the_viewer_the_arrows_fly_it) {
    struct stage *stage = scene_start(scene_find("game"), 1);
    struct game *game = game_of(stage);
    stage->hooks.keys(stage, 0);
    for (int i = 0; i < 120; i++) step(stage);
    ck_assert(fabs(pv_body_get_angle(stage->world, game->ship) + acos(-1) / 2) >
              .01); /* the autopilot turned it */
    stage->hooks.keys(stage, STAGE_RIGHT);
    for (int i = 0; i < 30; i++) step(stage);
    ck_assert_double_gt(pv_body_get_angular_velocity(stage->world, game->ship), 3);
    stage->hooks.keys(stage, STAGE_DOWN);
    step(stage);
    step(stage);
    for (int i = 0; i < 30; i++) {
        step(stage);
        if (game->events & GAME_FIRED) break;
    }
    ck_assert(game->events & GAME_FIRED);
    stage_destroy(stage);
}
END_TEST

static uint64_t play(uint64_t seed) {
    struct stage *stage = open_play(seed);
    for (int i = 0; i < 1200; i++) {
        game_of(stage)->keys = (unsigned)(i / 7 * 2654435761u >> 28);
        step(stage);
    }
    uint64_t hash = pv_world_compute_hash(stage->world) ^ (uint64_t)game_of(stage)->score;
    stage_destroy(stage);
    return hash;
}

START_TEST(the_same_keys_give_the_same_play) {
    ck_assert_uint_eq(play(7), play(7));
    ck_assert_uint_ne(play(7), play(8));
}
END_TEST

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
END_TEST

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
END_TEST

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
END_TEST

RUN_SUITE("game", a_miss_heats_the_gun_and_breaks_the_chain, slivers_fall_apart_by_themselves,
          aimed_play_pays_and_no_time_goes_to_slivers, what_is_only_seen_changes_no_play,
          what_is_drawn_at_both_edges_is_hit_at_both, a_ship_slips_into_a_notch_that_is_wide_enough,
          the_laser_cuts_a_rock_in_two_and_parts_the_halves, tools_spare_crystals,
          the_bomb_blows_a_hole_where_it_hits_or_at_a_second_press,
          the_drill_goes_through_and_no_pixel_of_the_ship_is_lost,
          the_tether_draws_in_what_it_holds, between_waves_a_tool_is_chosen,
          the_hulk_is_taken_apart_turret_by_turret, a_saucer_comes_and_shoots_and_falls_to_darts,
          a_ship_flies_about_in_a_hole, darts_take_pixels_until_none_are_left,
          hits_tear_pixels_off_until_the_ship_is_lost, a_lost_wing_changes_how_the_ship_flies,
          ore_patches_the_ship_pixel_by_pixel, a_crystal_that_is_dug_out_can_be_caught,
          a_dart_on_a_crystal_shatters_it, who_catches_the_pilot_is_paid,
          a_play_ends_with_its_last_ship, space_is_round,
          it_plays_itself_without_end_and_without_growing, in_the_viewer_the_arrows_fly_it,
          the_same_keys_give_the_same_play, best_plays_are_kept_in_order,
          damaged_scores_cost_their_lines_only, names_are_capital)
