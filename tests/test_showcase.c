/* test_showcase.c - every scene shows what its name promises.
 *
 * Invariant: a check concerns what a player sees: places, counts, and pixels that are shared.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "played.h"

#include "draw/view.h"

#define PI 3.14159265358979323846

/* ---- cloth ---- */

static int count_joints(void) {
    int count = 0;
    pv_composite_id cloth = {0};
    while ((cloth = pv_world_get_next_composite(world, cloth)).generation)
        count += pv_composite_get_joints(world, cloth, NULL, 0);
    return count;
}

START_TEST(the_hammock_catches_every_ball) {
    for (uint64_t seed = 1; seed <= last_seed(8); seed++) {
        start("cloth", seed);
        run(100);
        int whole = count_joints();
        run(530);
        int before = count_joints();
        run(1170);
        int torn = whole - count_joints(), balls = 0;
        ck_assert_msg(before == whole, "seed %d: %d threads tore early", (int)seed, whole - before);
        ck_assert_msg(torn > 3 && torn < whole / 5, "seed %d: %d of %d threads tore", (int)seed,
                      torn, whole);
        for (pv_body_id b = {0}; stage_is_body(b = next_moving(b));) {
            pv_vec2 at = place_of(b);
            ck_assert_msg(at.y < 315, "seed %d: a ball at %g, %g", (int)seed, at.x, at.y);
            balls++;
        }
        ck_assert_int_eq(balls, 8);
    }
}

START_TEST(the_towel_hangs_down_to_the_floor) {
    enum { COLUMNS = 13, ROWS = 29 };
    const double floor = 344;
    start("cloth", 1);
    run(400);
    pv_composite_id towel = pv_world_get_next_composite(
        world, pv_world_get_next_composite(world, (pv_composite_id){0}));
    pv_particle_id parts[COLUMNS * ROWS];
    ck_assert_int_eq(pv_composite_get_particles(world, towel, parts, COLUMNS * ROWS),
                     COLUMNS * ROWS);
    int pinned = 0, lying = 0;
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        double y = pv_particle_get_position(world, parts[i]).y;
        ck_assert_double_lt(y, floor);
        pinned += pv_particle_get_mass(world, parts[i]) == 0;
        lying += y > floor - 3;
    }
    ck_assert_int_eq(pinned, 2);
    ck_assert_int_gt(lying, COLUMNS);
}

/* ---- cards ---- */

/// Creates two cards that lean on each other; returns the left one.
static pv_body_id lean_pair(double x, double bottom, double gap) {
    pv_rotation r = pv_rotation_from_angle(25 * PI / 180);
    double across = 16 * r.s + r.c + gap, up = 16 * r.c + r.s + gap;
    pv_body_def def = WITH(pv_body_def_default(), it.static_friction = it.friction = .7,
                           it.angle = -25 * PI / 180);
    put(world, box_mask(2, 32), x + across, bottom - up, def);
    def.angle = -def.angle;
    return put(world, box_mask(2, 32), x - across, bottom - up, def);
}

/// Builds a house like the scene's, and returns the left card of its top.
static pv_body_id build_house(double gap, double pitch) {
    pv_rotation r = pv_rotation_from_angle(25 * PI / 180);
    double rise = 32 * r.c + 2 * r.s + 2 * gap, bottom = 0;
    pv_body_def def = WITH(of_type(PV_BODY_STATIC), it.static_friction = it.friction = .7);
    put(world, box_mask(640, 32), 0, 16, def);
    def.type = PV_BODY_DYNAMIC;
    pv_body_id top = {0};
    for (int row = 5; row > 0; row--, bottom -= rise + 2 + gap) {
        for (int i = 0; i < row; i++) top = lean_pair(pitch * (i - (row - 1) / 2.0), bottom, gap);
        for (int i = 1; i < row; i++)
            put(world, box_mask(32, 2), pitch * (i - row / 2.0), bottom - rise - 1, def);
    }
    return top;
}

START_TEST(a_house_of_cards_stands_at_every_gap_and_pitch) {
    for (int gap = 1; gap <= 10; gap++)
        for (double pitch = 32; pitch <= 34; pitch += .25) {
            world = create_world(NULL);
            pv_body_id top = build_house(gap * .01, pitch);
            pv_vec2 from = place_of(top);
            for (int i = 0; i < 600; i++) pv_world_step(world, SCENE_STEP);
            ck_assert_msg(vec_distance(place_of(top), from) < 3, "gap .%02d, pitch %g", gap, pitch);
            pv_world_destroy(world);
        }
}

/// The house of the scene stands with any number of substeps that a player may set, from three on.
START_TEST(the_cards_of_the_scene_stay) {
    for (int substeps = 3; substeps <= 32; substeps += substeps < 8 ? 1 : 8) {
        start_with("cards", 1, substeps);
        pv_vec2 from[64], to[64];
        int count = places_of(from, 64);
        for (int i = 0; i < 1200; i++) {
            stage->idle = 0; /* as if the player had just acted, so that nothing is thrown */
            run(1);
        }
        ck_assert_int_eq(places_of(to, 64), count);
        for (int i = 0; i < count; i++)
            ck_assert_msg(vec_distance(to[i], from[i]) < 2, "%d substeps", substeps);
    }
}

/* ---- squishy ---- */

static double cross(pv_vec2 a, pv_vec2 b, pv_vec2 p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

/// Tells whether a triangle contains a point, whichever way round its corners are.
static bool holds(const pv_triangle *triangle, pv_vec2 p) {
    pv_vec2 c[3];
    for (int i = 0; i < 3; i++) c[i] = pv_particle_get_position(world, triangle->corners[i]);
    double a = cross(c[0], c[1], p), b = cross(c[1], c[2], p), d = cross(c[2], c[0], p);
    return (a > 0 && b > 0 && d > 0) || (a < 0 && b < 0 && d < 0);
}

enum { MANY = 1024 };

static int count_mixed(void) {
    static pv_particle_id particles[MANY];
    static pv_triangle triangles[MANY];
    int mixed = 0;
    for (pv_composite_id a = {0}; (a = pv_world_get_next_composite(world, a)).generation;)
        for (pv_composite_id b = {0}; (b = pv_world_get_next_composite(world, b)).generation;) {
            int count = pv_composite_get_particles(world, a, particles, MANY),
                sides = pv_composite_get_triangles(world, b, triangles, MANY);
            ck_assert(count <= MANY && sides <= MANY);
            for (int i = 0; !PV_ID_EQUALS(a, b) && i < count; i++) {
                pv_vec2 at = pv_particle_get_position(world, particles[i]);
                int k = 0;
                while (k < sides && !holds(&triangles[k], at)) k++;
                mixed += k < sides;
            }
        }
    return mixed;
}

/// A jelly that passed through another would have dozens of particles in it; squeezed tips are few.
START_TEST(jellies_squeeze_but_do_not_mix) {
    for (uint64_t seed = 1; seed <= last_seed(5); seed++) {
        start("squishy", seed);
        for (int second = 0; second < 10 * (int)last_seed(3); second++) {
            run(60);
            int mixed = count_mixed();
            ck_assert_msg(mixed <= 6, "seed %d, %d s: %d particles", (int)seed, second, mixed);
        }
    }
}

/* ---- bridge ---- */

START_TEST(the_bridge_hangs_and_never_rises) {
    const double deck = 200;
    start("bridge", 1);
    for (int i = 0; i < 900; i++) {
        run(1);
        double lowest = 0;
        for (pv_body_id b = {0}; stage_is_body(b = next_named(b, "brick.png"));) {
            double y = place_of(b).y;
            ck_assert_msg(y > deck - 1, "frame %d: a brick at %g", i, y);
            lowest = fmax(lowest, y);
        }
        ck_assert_msg(lowest > deck + 8 && lowest < deck + 40, "frame %d: %g", i, lowest);
    }
}

START_TEST(the_cart_crosses_the_bridge_both_ways) {
    start("bridge", 1);
    pv_body_id cart = find_body("box_plain.png");
    double right = 0, left = 1000;
    for (int i = 0; i < 2400; i++) {
        run(1);
        double x = place_of(cart).x;
        right = fmax(right, x);
        if (right > 530) left = fmin(left, x);
        ck_assert_double_lt(fabs(pv_body_get_angle(world, cart)), .6);
    }
    ck_assert_double_gt(right, 530);
    ck_assert_double_lt(left, 110);
}

/* ---- oneway ---- */

START_TEST(pistons_rise_upright) {
    start("oneway", 1);
    double highest = 1000;
    for (int i = 0; i < 600; i++) {
        run(1);
        for (pv_body_id b = {0}; stage_is_body(b = next_named(b, "piston"));) {
            ck_assert_double_eq(pv_body_get_angle(world, b), 0);
            highest = fmin(highest, place_of(b).y);
        }
    }
    ck_assert_double_lt(highest, 700); /* one did rise */
}

/* ---- tilemap ---- */

START_TEST(walls_of_the_level_are_seen) {
    for (uint64_t seed = 1; seed <= last_seed(6); seed++) {
        start("tilemap", seed);
        run(900);
        for (pv_body_id b = {0}; stage_is_body(b = next_moving(b));) {
            pv_box box = pv_body_get_bounds(world, b);
            double corner = 16 * (sqrt(2) - 1); /* by which a turned ball's picture sticks out */
            ck_assert_msg(box.min.x > 16 - corner && box.max.x < 624 + corner,
                          "seed %d: a body at %g...%g", (int)seed, box.min.x, box.max.x);
        }
    }
}

/* ---- labels ---- */

/// Labels never overlap, even at half size, where a letter takes 14 px of the world.
START_TEST(labels_are_apart) {
    for (int i = 0; scene_at(i); i++) {
        start(scene_at(i)->name, 1);
        run(10);
        for (int a = 0; a < stage->label_count; a++)
            for (int b = 0; b < a; b++) {
                const struct stage_label *one = &stage->labels[a], *other = &stage->labels[b];
                if (!one->text[0] || !other->text[0]) continue;
                double width = 7.0 * (double)(strlen(one->text) + strlen(other->text));
                ck_assert_msg(fabs(one->point.x - other->point.x) >= width ||
                                  fabs(one->point.y - other->point.y) >= 24,
                              "%s: \"%s\" and \"%s\"", scene_at(i)->name, one->text, other->text);
            }
    }
}

/* ---- particles ---- */

START_TEST(small_balls_come_to_rest_on_the_ground) {
    start("particles", 1);
    run(900);
    int balls = -1, slow = 0; /* one is the planet */
    for (pv_body_id b = {0}; stage_is_body(b = next_moving(b)); balls++)
        slow += !is_named(b, "planet.png") && pv_vec2_length(pv_body_get_velocity(world, b)) < 20;
    ck_assert(stage_is_body(find_body("planet.png")));
    ck_assert_int_eq(balls, 100);
    ck_assert_int_ge(slow, 75);
}

/* ---- sky ---- */

START_TEST(whales_and_pots_stay_on_the_meadow) {
    start("sky", 1);
    run(1500);
    int things = 0, bowls = 0;
    for (pv_body_id b = {0}; stage_is_body(b = next_moving(b)); things++) {
        pv_vec2 at = place_of(b);
        ck_assert_msg(at.x > 0 && at.x < 640 && at.y < 340, "(%g, %g)", at.x, at.y);
        bowls += is_named(b, "petunias.png");
    }
    ck_assert(things == 20 && bowls == 1);
    for (pv_particle_id p = {0}; stage_is_particle(p = pv_world_get_next_particle(world, p));)
        ck_assert_double_lt(pv_particle_get_position(world, p).y, 340);
    pv_vec2 at = {320, 60};
    int bodies = pv_world_get_stats(world).bodies;
    ck_assert(stage->hooks.press(stage, at) && stage_is_body(pv_world_pick_body(world, at)));
    ck_assert_int_eq(pv_world_get_stats(world).bodies, bodies);
}

/* ---- hair ---- */

START_TEST(a_cloth_hangs_over_the_head) {
    start("hair", 1);
    pv_body_id head = find_body("head");
    ck_assert(stage_is_body(head));
    int most = 0;
    for (int i = 0; i < 400; i++) {
        run(1);
        pv_vec2 at = place_of(head);
        for (pv_composite_id matter = {0};
             (matter = pv_world_get_next_composite(world, matter)).generation;) {
            pv_particle_id parts[256];
            int count = pv_composite_get_particles(world, matter, parts, 256), near = 0;
            if (pv_composite_get_triangles(world, matter, NULL, 0) == 0) continue;
            for (int k = 0; k < count && k < 256; k++) {
                double apart = vec_distance(pv_particle_get_position(world, parts[k]), at);
                near += apart < 27; /* radii of 24 and 1.5 px */
                ck_assert_double_gt(apart, 23);
            }
            most += near >= 3;
        }
    }
    ck_assert_int_gt(most, 200);
}

/* ---- billiards ---- */

START_TEST(fifteen_balls_lie_or_are_potted) {
    for (uint64_t seed = 1; seed <= last_seed(3); seed++) {
        start("billiards", seed);
        int most = 0;
        for (int i = 0; i < 120; i++) {
            run(100);
            int balls = 0, potted = 0;
            for (pv_body_id b = {0}; stage_is_body(b = next_named(b, "ball")); balls++) {
                pv_vec2 at = place_of(b);
                bool lies = pv_body_get_type(world, b) == PV_BODY_DYNAMIC;
                potted += !lies;
                ck_assert(!lies || (at.x > 20 && at.x < 620 && at.y > 14 && at.y < 346));
            }
            ck_assert_int_eq(balls, 15);
            most = potted > most ? potted : most;
        }
        ck_assert_int_ge(most, 3);
    }
}

START_TEST(no_two_balls_look_alike) {
    start("billiards", 1);
    const pv_image *images[16];
    int count = 0;
    pv_body_id b = {0};
    while (stage_is_body(b = next_named(b, "ball")))
        images[count++] = stage_sprite_of(stage, b)->image;
    ck_assert_int_eq(count, 15);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            ck_assert_int_ne(memcmp(images[i]->pixels, images[k]->pixels, 24 * 24 * 4), 0);
}

START_TEST(the_mouse_takes_the_cue) {
    start("billiards", 1);
    const pv_vec2 end = {160, 260};
    ck_assert(stage->hooks.press(stage, (pv_vec2){200, 200}));
    stage->hooks.drag(stage, end);
    ck_assert_double_eq(stage->arrow[1].y, 260);
    stage->hooks.release(stage, end);
    pv_vec2 v = pv_body_get_velocity(world, find_body("ball_cue.png"));
    ck_assert(fabs(v.x) < 1e-6 && v.y > 300);
    ck_assert_double_eq(stage->arrow[0].y, stage->arrow[1].y);
}

/* ---- arm ---- */

START_TEST(the_mouse_leads_the_arms) {
    start("arm", 1);
    pv_body_id ball = find_body("ball_1.png");
    pv_vec2 mouse = {250, 200};
    stage->hooks.hover(stage, &mouse);
    run(90);
    ck_assert_double_lt(vec_distance(place_of(ball), mouse), 1);
    int near = 0;
    for (pv_composite_id arm = {0}; (arm = pv_world_get_next_composite(world, arm)).generation;) {
        pv_particle_id parts[16];
        int count = pv_composite_get_particles(world, arm, parts, 16);
        near += vec_distance(pv_particle_get_position(world, parts[count - 1]), mouse) < 3;
    }
    ck_assert_int_ge(near, 2); /* the third one is too short */
    stage->hooks.hover(stage, NULL);
    run(90);
    ck_assert_double_gt(vec_distance(place_of(ball), mouse), 10);
}

/* ---- wrecking ---- */

static int count_high(double height) {
    int count = 0;
    for (pv_body_id b = {0}; stage_is_body(b = next_named(b, "crate.png"));)
        count += place_of(b).y < height;
    return count;
}

START_TEST(the_crane_swings_again) {
    start("wrecking", 1);
    const double height = 500;
    int whole = count_high(height);
    ck_assert_int_ge(whole, 12);
    for (int round = 0; round < 3; round++) {
        run(400);
        ck_assert_msg(count_high(height) < 4, "round %d", round);
        run(440);
        ck_assert_msg(count_high(height) == whole, "round %d", round);
    }
}

/* ---- thrust ---- */

START_TEST(missiles_bite_rocks_into_grains) {
    for (uint64_t seed = 1; seed <= last_seed(3); seed++) {
        start("thrust", seed);
        pv_body_id ship = find_body("ship.png");
        int seen = 0;
        for (int i = 0; i < 1200; i++) {
            run(1);
            pv_vec2 at = place_of(ship);
            seen += at.x > 0 && at.y > 0 && at.x < stage->view.max.x && at.y < stage->view.max.y;
        }
        ck_assert_int_gt(seen, 1050);
        ck_assert_int_gt(pv_grains_get_stats(world, stage->grains).emitted, 500);
    }
}

/* ---- throws ---- */

static pv_vec2 free_place(void) {
    pv_query_filter all = {.mask_bits = ~0u};
    for (double y = 40; y < stage->view.max.y; y += 10)
        for (double x = 60; x < stage->view.max.x - 60; x += 10)
            if (!pv_world_query_box(world, (pv_box){{x - 30, y - 30}, {x + 30, y + 30}}, &all, NULL,
                                    0))
                return (pv_vec2){x, y};
    ck_abort_msg("no room");
    return (pv_vec2){0, 0};
}

/// In scenes at rest, dragging the mouse throws a ball; the hand still takes bodies.
START_TEST(the_mouse_throws_balls) {
    static const char *const names[] = {"pyramid", "stack", "cards",    "dominoes",  "pile",
                                        "drop",    "tiles", "spin",     "ramp",      "bridge",
                                        "tilemap", "arch",  "wrecking", "waterfall", "shatter"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        start(names[i], 1);
        run(2);
        pv_vec2 at = free_place();
        int before = pv_world_get_stats(world).bodies;
        ck_assert_msg(stage->hooks.press(stage, at), "%s", names[i]);
        stage->hooks.drag(stage, (pv_vec2){at.x + 30, at.y - 10});
        ck_assert_double_eq(stage->arrow[1].x, at.x + 30);
        stage->hooks.release(stage, (pv_vec2){at.x + 30, at.y - 10});
        ck_assert_double_eq(stage->arrow[1].x, stage->arrow[0].x);
        ck_assert_msg(pv_world_get_stats(world).bodies == before + 1, "%s", names[i]);
        pv_vec2 v = pv_body_get_velocity(world, pv_world_pick_body(world, at));
        ck_assert_msg(fabs(v.x - 150) < 1e-6 && fabs(v.y + 50) < 1e-6, "%s: %g, %g", names[i], v.x,
                      v.y);
        ck_assert(!stage->hooks.press(stage, at)); /* there is a body now */
    }
}

/* ---- arch ---- */

START_TEST(the_arch_bears_fails_and_comes_again) {
    start("arch", 1);
    pv_body_id keystone = find_body("arch_9.png");
    pv_vec2 crown = place_of(keystone);
    run(300);
    ck_assert(stage_is_body(find_body("safe.png")));
    ck_assert_double_lt(place_of(keystone).y - crown.y, 2);
    int fell = 300;
    for (; fell < 1500 && place_of(keystone).y < crown.y + 120; fell++) run(1);
    ck_assert_int_lt(fell, 1500);
    run(250);
    keystone = find_body("arch_9.png");
    ck_assert_double_lt(fabs(place_of(keystone).y - crown.y), 2);
    ck_assert_double_lt(pv_body_get_mass(world, find_body("crate.png")), 2000);
}

/* ---- bullets ---- */

START_TEST(bullets_come_again_in_slow_motion) {
    start("bullets", 1);
    bool slow = false, fast = false;
    for (int i = 0; i < 900; i++) {
        run(1);
        bool is_slow = strcmp(stage->labels[stage->label_count - 1].text, "full speed") != 0;
        slow |= is_slow && stage->streak_count > 0;
        fast |= !is_slow && stage->streak_count > 0;
        for (pv_body_id b = {0}; stage_is_body(b = next_moving(b));) {
            double x = place_of(b).x;
            ck_assert_msg(x > 95 && x < 545, "frame %d: a bullet at %g", i, x);
        }
    }
    ck_assert(slow && fast);
}

/* ---- bounce ---- */

START_TEST(balls_bounce_to_the_marks) {
    start("bounce", 1);
    pv_body_id balls[6];
    double apex[] = {328, 328, 328, 328, 328, 328};
    bool up[6] = {false};
    int count = 0, marks = 0;
    for (pv_body_id b = {0}; stage_is_body(b = next_named(b, "ball.png"));) balls[count++] = b;
    ck_assert_int_eq(count, 6);
    for (int f = 0; f < 200; f++) {
        run(1);
        for (int i = 0; i < 6; i++) {
            up[i] |= pv_body_get_velocity(world, balls[i]).y < -10;
            if (up[i]) apex[i] = fmin(apex[i], pv_body_get_bounds(world, balls[i]).max.y);
        }
    }
    for (int i = 2; i < 5; i++)
        for (int k = 0; k < stage->streak_count; k++) {
            pv_vec2 from = stage->streaks[k].from;
            marks += fabs(from.x - (60 + 104 * i - 48)) < 1 && fabs(from.y - apex[i]) < 3;
        }
    ck_assert_msg(marks == 3, "%d; %g, %g, %g", marks, apex[2], apex[3], apex[4]);
}

/* ---- roll ---- */

START_TEST(balls_roll_below_their_markers) {
    start("roll", 1);
    for (int i = 0; i < 600; i++) {
        run(1);
        if (i % 420 > 90) continue;
        pv_vec2 balls[6], markers[6];
        int count = 0, others = 0;
        for (pv_body_id b = {0}; stage_is_body(b = next_named(b, "ball.png"));)
            balls[count++] = place_of(b);
        for (pv_body_id b = {0}; stage_is_body(b = next_named(b, "marker.png"));)
            markers[others++] = place_of(b);
        ck_assert(count == 6 && others == 6);
        for (int k = 0; k < 6; k++)
            for (int m = 0; m < 6; m++) count -= vec_distance(balls[k], markers[m]) < 40;
        ck_assert_msg(count == 0, "frame %d: %d balls without a marker", i, count);
    }
}

/* ---- what is lost ---- */

static void check_grains(const char *name, int frames, int64_t least) {
    start(name, 1);
    for (int i = 0; i < frames && pv_grains_get_stats(world, stage->grains).emitted <= least; i++)
        run(1);
    ck_assert_msg(pv_grains_get_stats(world, stage->grains).emitted > least, "%s", name);
}

START_TEST(what_is_carved_becomes_grains) {
    check_grains("sawmill", 130, 500);
    check_grains("castle", 300, 500);
    check_grains("shatter", 300, 500);
    check_grains("dig", 300, 500);
    check_grains("waterfall", 420, 200); /* spray */
}

START_TEST(the_mouse_aims_the_cannon) {
    start("castle", 1);
    run(5);
    int before = pv_world_get_stats(world).bodies;
    pv_vec2 at = {652, 500};
    ck_assert(stage->hooks.press(stage, at));
    stage->hooks.release(stage, at);
    ck_assert_int_eq(pv_world_get_stats(world).bodies, before + 1);
    pv_body_id shot = find_body("shot");
    double nearest = 1000;
    for (int i = 0; i < 50; i++) {
        run(1);
        nearest = fmin(nearest, vec_distance(place_of(shot), at));
    }
    ck_assert_double_lt(nearest, 60); /* the tower's near side */
}

START_TEST(dust_vanishes) {
    start("castle", 1);
    int most = 0;
    for (int i = 0; i < 900; i++) {
        run(1);
        int particles = pv_world_get_stats(world).particles;
        most = particles > most ? particles : most;
    }
    ck_assert(most > 30 && most < 401);
}

START_TEST(dark_earth_is_behind_caves) {
    for (uint64_t seed = 1; seed <= last_seed(3); seed++) {
        start("dig", seed);
        const pv_mask *earth = stage_sprite_of(stage, find_body("earth"))->mask,
                      *hills = stage_sprite_of(stage, find_body("hills"))->mask;
        int holes = 0;
        for (int x = 0; x < pv_mask_get_width(hills); x++) {
            int y = 0;
            while (!pv_mask_get_pixel(hills, x, y) && y < pv_mask_get_height(hills)) y++;
            for (y += 40; y < pv_mask_get_height(hills); y++) {
                holes += !pv_mask_get_pixel(hills, x, y);
                ck_assert(pv_mask_get_pixel(earth, x, y));
            }
        }
        ck_assert_int_gt(holes, 10000);
    }
}

/* ---- pictures ---- */

START_TEST(dolls_are_dressed) {
    start("ragdolls", 1);
    run(900);
    int composites = 0, heads = 0;
    for (pv_composite_id c = {0}; (c = pv_world_get_next_composite(world, c)).generation;) {
        struct stage_paint paint = stage_paint_of(stage, c);
        composites++;
        heads += paint.dot != 0 && pv_composite_get_particles(world, c, NULL, 0) == 1;
    }
    ck_assert_int_eq(composites, 10 * 5);
    ck_assert_int_eq(heads, 10);
}

/* ---- rounds ---- */

static int count_standing(void) {
    int count = 0;
    pv_body_id b = {0};
    while (stage_is_body(b = next_named(b, "domino")))
        count += fabs(pv_body_get_angle(world, b)) < .1;
    return count;
}

START_TEST(dominoes_stand_up_again) {
    start("dominoes", 1);
    int all = count_standing();
    ck_assert_int_gt(all, 40);
    for (int round = 0; round < 2; round++) {
        run(419);
        ck_assert_int_le(count_standing(), all / 20);
        run(240);
        ck_assert_int_eq(count_standing(), all);
        run(1); /* the first of each row is pushed */
    }
}

START_TEST(ramps_are_laid_again) {
    start("ramp", 1);
    pv_vec2 first[16], later[16];
    run(20);
    int count = places_of(first, 16);
    run(600 - 1);
    ck_assert_int_eq(places_of(later, 16), count);
    for (int i = 0; i < count; i++) {
        int near = 0;
        for (int k = 0; k < count; k++) near += vec_distance(later[k], first[i]) < 4;
        ck_assert_int_eq(near, 1);
    }
}

/* ---- what rests goes on by itself ---- */

/// Returns the steps until a scene has as many bodies as at first again, after it had more.
static int find_round(int most) {
    int first = pv_world_get_stats(world).bodies;
    bool more = false;
    for (int i = 1; i <= most; i++) {
        run(1);
        int now = pv_world_get_stats(world).bodies;
        more |= now > first;
        if (more && now == first) return i;
    }
    return 0;
}

START_TEST(what_rests_goes_on_by_itself) {
    static const char *const names[] = {"pyramid", "stack", "drop", "cards", "tilemap"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        start(names[i], 1);
        run(470);
        pv_vec2 from[256], to[256];
        int count = places_of(from, 256);
        ck_assert_msg(find_round(3000) > 0, "%s", names[i]);
        run(470);
        ck_assert_int_eq(places_of(to, 256), count);
        ck_assert_ptr_nonnull(stage->hint);
    }
}

START_TEST(nothing_flies_while_the_player_is_there) {
    start("pyramid", 1);
    int count = pv_world_get_stats(world).bodies;
    for (int i = 0; i < 1500; i++) {
        if (i % 400 == 0) stage->idle = 0;
        run(1);
        ck_assert_int_eq(pv_world_get_stats(world).bodies, count);
    }
}

START_TEST(the_crane_takes_a_toy_out) {
    start("pile", 1);
    run(419);
    ck_assert_int_eq(pv_world_get_stats(world).joints, 0);
    double highest = 720;
    for (int i = 0; i < 800; i++) {
        run(1);
        pv_vec2 at[256];
        int count = places_of(at, 256);
        ck_assert_int_eq(count, 200);
        for (int k = 0; k < count; k++) highest = fmin(highest, at[k].y);
    }
    ck_assert_double_lt(highest, 20);
}

/* ---- sliders ---- */

/// Frames at which runs are compared, the first after two seconds
enum { LOOKS = 5 };
static const int looks[LOOKS] = {120, 240, 480, 720, 960};

/// Run of a scene up to some look
struct trial {
    const struct scene *scene;
    struct stage *stage;
    int frames;
    uint64_t hashes[LOOKS];
    /// Greatest overlap in the first two seconds, and its excess over a pixel per contact [px]
    int64_t worst, excess;
    double spades[LOOKS];
};

static struct trial open_trial(const struct scene *which, const struct stage *knobs) {
    struct trial trial = {.scene = which,
                          .stage = scene_start_with(which, 1, (struct stage_rules){0}, knobs)};
    ck_assert_ptr_null(stage_error(trial.stage));
    return trial;
}

/// Plays a run up to a look, unless that was done.
static void play_to(struct trial *trial, int look) {
    const pv_world *played = trial->stage->world;
    for (; trial->frames < looks[look]; trial->frames++) {
        play_on(trial->scene, trial->stage, 1);
        if (trial->frames % 10 > 0 || trial->frames >= looks[0]) continue;
        int64_t area = pv_world_compute_overlap_area(played),
                excess = area - pv_world_get_stats(played).contacts;
        if (area > trial->worst) trial->worst = area;
        if (excess > trial->excess) trial->excess = excess;
    }
    if (trial->hashes[look] != 0) return;
    trial->hashes[look] = pv_world_compute_hash(played);
    trial->spades[look] = trial->stage->spade;
}

/// Plays two runs until they differ, or to the last look.
static bool differ(struct trial *one, struct trial *other) {
    for (int look = 0; look < LOOKS; look++) {
        play_to(one, look);
        play_to(other, look);
        if (one->hashes[look] != other->hashes[look] || one->spades[look] != other->spades[look])
            return true;
    }
    return false;
}

/// Moves a slider of a scene to an end and plays. Sliders of the setup need a restart.
static void try_knob(struct trial *usual, int which, bool most) {
    struct trial first = open_trial(usual->scene, NULL), trial = first;
    struct stage_knob *knob = &first.stage->knobs[which];
    const char *name = usual->scene->name;
    double value = most ? knob->most : knob->least;
    ck_assert_msg(knob->value >= knob->least && knob->value <= knob->most, "%s: %s", name,
                  knob->name);
    bool other = value != knob->value;
    knob->value = value;
    if (knob->restarts) trial = open_trial(usual->scene, first.stage);
    ck_assert_double_eq(trial.stage->knobs[which].value, value);
    ck_assert_msg(differ(&trial, usual) == other, "%s: %s at %g", name, knob->name, value);
    ck_assert_msg(trial.excess <= usual->worst, "%s: %s at %g: %d px beyond contacts, usually %d",
                  name, knob->name, value, (int)trial.excess, (int)usual->worst);
    if (knob->restarts) stage_destroy(trial.stage);
    stage_destroy(first.stage);
}

/// Sliders at their ends change the scene, and add no overlap but a pixel per contact.
START_TEST_FOR(sliders_change_their_scenes, group, 6) {
    static const char *const groups[] = {"What breaks",    "Heaps and stacks", "Grains and water",
                                         "Parts of games", "Soft and jointed", "Formulas"};
    static const int least[] = {4, 7, 4, 7, 8, 5}; /* scenes with sliders */
    int scenes = 0, ends = last_seed(2) > 1 ? 2 : 1;
    for (int i = 0; scene_at(i); i++) {
        if (strcmp(scene_group_at(i), groups[group]) != 0) continue;
        struct trial usual = open_trial(scene_at(i), NULL);
        int count = usual.stage->knob_count;
        for (int k = 0; k < 2 * count; k++)
            if (ends == 2 || (k / 2 + k) % 2 == i % 2) try_knob(&usual, k / 2, k % 2);
        scenes += count > 0;
        stage_destroy(usual.stage);
    }
    ck_assert_msg(scenes >= least[group], "%s: %d scenes", groups[group], scenes);
}

/* ---- garden ---- */

enum { TREES = 4, LEAVES = 256 };

struct tree {
    pv_triangle leaves[LEAVES];
    int count;
    /// Length of a side of each leaf at the start, and greatest sideways motion of a tip
    double sides[LEAVES], sways;
    /// Tips at the start
    pv_vec2 tips[LEAVES];
};

static double side_of(const pv_triangle *leaf, int side) {
    pv_vec2 a = pv_particle_get_position(world, leaf->corners[side]),
            b = pv_particle_get_position(world, leaf->corners[(side + 1) % 3]);
    return vec_distance(a, b);
}

/// Finds the trees, which are the composites painted with a stroke, and the colors of leaves.
static int find_trees(struct tree *trees, uint32_t *colors) {
    int count = 0, foliages = 0;
    for (pv_composite_id c = {0}; (c = pv_world_get_next_composite(world, c)).generation;) {
        struct stage_paint paint = stage_paint_of(stage, c);
        if (paint.knob > 0 && paint.dot != 0) colors[foliages++] = paint.dot;
        if (paint.stroke == 0) continue;
        struct tree *tree = &trees[count++];
        ck_assert_int_le(count, TREES);
        tree->count = pv_composite_get_triangles(world, c, tree->leaves, LEAVES);
        ck_assert(tree->count > 10 && tree->count <= LEAVES);
        for (int i = 0; i < tree->count; i++) {
            tree->sides[i] = side_of(&tree->leaves[i], 1);
            tree->tips[i] = pv_particle_get_position(world, tree->leaves[i].corners[2]);
        }
    }
    ck_assert_int_eq(foliages, 3 * TREES);
    return count;
}

/// Counts the leaves whose tip is drawn in a leaf's color.
static int count_drawn(const struct tree *tree, const uint32_t *colors) {
    static unsigned char pixels[640 * 360 * 4];
    pv_canvas canvas = {pixels, 640, 360, 640 * 4};
    struct view view = {.camera = camera_fit(stage->view, 640, 360)};
    int drawn = 0;
    view_draw(&canvas, stage, &view);
    for (int i = 0; i < tree->count; i++) {
        pv_vec2 at = pv_particle_get_position(world, tree->leaves[i].corners[2]);
        const unsigned char *t = pixels + 4 * (640 * (int)at.y + (int)at.x);
        ck_assert(at.x > 0 && at.x < 640 && at.y > 0 && at.y < 360);
        bool leaf = false;
        for (int k = 0; k < 3 * TREES; k++)
            leaf |= t[0] == colors[k] >> 24 && t[1] == (colors[k] >> 16 & 255) &&
                    t[2] == (colors[k] >> 8 & 255);
        drawn += leaf;
    }
    return drawn;
}

START_TEST(leaves_sway_and_stay_at_their_twigs) {
    static struct tree trees[TREES];
    uint32_t colors[3 * TREES];
    start("garden", 1);
    ck_assert_int_eq(find_trees(trees, colors), TREES);
    for (int frame = 0; frame < 900; frame++) {
        run(1);
        for (int i = 0; i < TREES; i++)
            for (int k = 0; k < trees[i].count; k++) {
                const pv_triangle *leaf = &trees[i].leaves[k];
                double side = side_of(leaf, 1);
                pv_vec2 tip = pv_particle_get_position(world, leaf->corners[2]);
                trees[i].sways = fmax(trees[i].sways, fabs(tip.x - trees[i].tips[k].x));
                ck_assert_msg(fabs(side - trees[i].sides[k]) < .3 * trees[i].sides[k],
                              "frame %d, tree %d, leaf %d: %g px of %g", frame, i, k, side,
                              trees[i].sides[k]);
            }
    }
    for (int i = 0; i < TREES; i++) {
        ck_assert_msg(trees[i].sways > 4 && trees[i].sways < 80, "tree %d: %g", i, trees[i].sways);
        ck_assert_int_ge(count_drawn(&trees[i], colors), trees[i].count * 9 / 10);
    }
}

RUN_TESTS_IN("showcase", NULL, finish, 1)
