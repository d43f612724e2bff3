/* test_try_first.c - the formulas of docs/TRY_FIRST.md, each in a scene.
 *
 * Invariant: a scene takes its values by the formula of its row, over several sizes and gravities.
 * The value that the row gives for the crate is that of the same formula.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include <stdio.h>

static const double DT = 1.0 / 60;
/// Side [px] and mass of the crate of the table, and the gravity of a default world [px/s^2].
static const double SIDE = 32, MASS = 1024, GRAVITY = 320;
/// Restitution, kinetic friction and its static share of a default body.
static const double GROUND_BOUNCE = 0.2, GROUND_FRICTION = 0.5, STATIC_SHARE = 1.2;

/// Side of a crate [px] and gravity [px/s^2].
typedef struct yard {
    int side;
    double g;
} yard;

static const yard yards[] = {{32, 320}, {16, 900}, {64, 160}};
enum { YARDS = sizeof yards / sizeof *yards };

/// Tells whether a row of the table ends with the name of a test.
static bool is_row_of(const char *line, const char *name) {
    char end[160];
    snprintf(end, sizeof end, "| `%s` |\n", name);
    size_t size = strlen(line), tail = strlen(end);
    return size >= tail && strcmp(line + size - tail, end) == 0;
}

/// Reads the number of a row's fourth cell, without the commas of thousands.
static double number_in(const char *line) {
    char digits[32] = "";
    size_t n = 0;
    for (int bars = 0; *line && bars < 4; line++) bars += *line == '|';
    line += strspn(line, " ");
    for (; n + 1 < sizeof digits && *line && strchr("0123456789.,", *line); line++)
        if (*line != ',') digits[n++] = *line;
    ck_assert_msg(n > 0, "no number in: %s", line);
    return strtod(digits, NULL);
}

/// Checks that the table has the value in its row of a test, to 1 %.
static void told(const char *name, double value) {
    const char *top = getenv("top_srcdir");
    char path[1024], line[1024];
    snprintf(path, sizeof path, "%s/docs/TRY_FIRST.md", top ? top : ".");
    FILE *file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s is missing", path);
    bool found = false;
    while (!found && fgets(line, sizeof line, file)) found = is_row_of(line, name);
    fclose(file);
    ck_assert_msg(found, "docs/TRY_FIRST.md has no row of %s", name);
    double said = number_in(line);
    ck_assert_msg(fabs(said - value) <= 0.01 * value, "docs/TRY_FIRST.md: %s is %g, not %g", name,
                  said, value);
}

/// Checks that a value is within 15 % of another.
static void about(double found, double wanted, const char *what) {
    ck_assert_msg(fabs(found - wanted) <= 0.15 * fabs(wanted), "%s: %g instead of %g", what, found,
                  wanted);
}

static pv_world *world_of(double gravity) {
    pv_world_def def = pv_world_def_default();
    def.gravity = PV_VEC2(0, gravity);
    pv_world *w = pv_world_create(&def, NULL);
    ck_assert_ptr_nonnull(w);
    return w;
}

/// Adds ground whose surface is y = 0, turned about (0, 0) by an angle [rad].
static pv_body_id ground(pv_world *w, double angle) {
    pv_body_def def = of_type(PV_BODY_STATIC);
    def.angle = angle;
    return put(w, box_mask(3000, 40), -20 * sin(angle), 20 * cos(angle), def);
}

static pv_world *grounded(double gravity) {
    pv_world *w = world_of(gravity);
    ground(w, 0);
    return w;
}

/// Adds a crate whose lower side is a height above (0, 0).
static pv_body_id crate(pv_world *w, int side, double height) {
    return put(w, box_mask(side, side), 0, -height - side / 2.0, pv_body_def_default());
}

static double mass_of(int side) { return (double)side * side; }

static void run(pv_world *w, double seconds) {
    for (int i = 0; i < (int)lround(seconds * 60); i++) step_well(w, DT);
}

/// Returns how far a body rises above its place within some seconds [px].
static double rise_of(pv_world *w, pv_body_id b, double seconds) {
    double start = pv_body_get_position(w, b).y, top = start;
    for (int i = 0; i < (int)lround(seconds * 60); i++) {
        step_well(w, DT);
        top = fmin(top, pv_body_get_position(w, b).y);
    }
    return start - top;
}

/* ---- falls and jumps ---- */

static double gravity_of_fall(double height, double seconds) {
    return 2 * height / (seconds * seconds);
}

START_TEST(a_fall_takes_its_time) {
    told("a_fall_takes_its_time", gravity_of_fall(160, 1));
    static const double falls[][2] = {{160, 1}, {100, 0.5}, {600, 0.8}};
    for (int i = 0; i < 3; i++) {
        pv_world *w = world_of(gravity_of_fall(falls[i][0], falls[i][1]));
        pv_body_id b = crate(w, 32, 0);
        double from = pv_body_get_position(w, b).y;
        int frames = 0;
        for (; pv_body_get_position(w, b).y < from + falls[i][0] && frames < 600; frames++)
            step_well(w, DT);
        about(frames * DT, falls[i][1], "time");
        pv_world_destroy(w);
    }
}
END_TEST

static double jump_speed(double height, double g) { return sqrt(2 * g * height); }

START_TEST(an_impulse_throws_so_high) {
    told("an_impulse_throws_so_high", MASS * jump_speed(64, GRAVITY));
    for (int i = 0; i < YARDS; i++) {
        pv_world *w = grounded(yards[i].g);
        pv_body_id b = crate(w, yards[i].side, 0);
        run(w, 0.5);
        double height = 2 * yards[i].side,
               impulse = mass_of(yards[i].side) * jump_speed(height, yards[i].g);
        pv_body_apply_impulse(w, b, PV_VEC2(0, -impulse));
        about(rise_of(w, b, 3), height, "height");
        pv_world_destroy(w);
    }
}
END_TEST

/// Returns a mover of a box mask, its pivot between its feet.
static pv_mover walker(const pv_mask *mask, double x, double y) {
    pv_mover m = pv_mover_default();
    m.mask = mask;
    m.pivot = PV_VEC2(pv_mask_get_width(mask) / 2, pv_mask_get_height(mask));
    m.position = PV_VEC2(x, y);
    return m;
}

/// Lets a standing mover jump; returns its height, and the distance until it stands again [px].
static double mover_jump(double jump, double g, double speed, double *far) {
    pv_world *w = grounded(0);
    pv_mask *mask = box_mask(16, 32);
    pv_mover m = walker(mask, 0, 0);
    double top = 0, from;
    for (int i = 0; i < 30; i++) pv_mover_move(w, &m, PV_VEC2(0, m.velocity.y + g * DT), DT);
    ck_assert(m.grounded);
    from = m.position.x;
    ck_assert_int_eq(pv_mover_move(w, &m, PV_VEC2(speed, -jump), DT), PV_OK);
    for (int i = 0; i < 600 && !m.grounded; i++) {
        top = fmin(top, m.position.y);
        pv_mover_move(w, &m, PV_VEC2(speed, m.velocity.y + g * DT), DT);
    }
    *far = m.position.x - from;
    pv_mask_release(mask);
    pv_world_destroy(w);
    return -top;
}

START_TEST(a_mover_jumps_so_high) {
    told("a_mover_jumps_so_high", jump_speed(64, 900));
    static const double jumps[][2] = {{64, 900}, {120, 1600}, {48, 600}};
    for (int i = 0; i < 3; i++) {
        double far;
        about(mover_jump(jump_speed(jumps[i][0], jumps[i][1]), jumps[i][1], 0, &far), jumps[i][0],
              "height");
    }
}
END_TEST

static double speed_over_gap(double gap, double jump, double g) { return gap * g / (2 * jump); }

START_TEST(a_mover_clears_a_gap) {
    told("a_mover_clears_a_gap", speed_over_gap(128, jump_speed(64, 900), 900));
    static const double gaps[][3] = {{128, 64, 900}, {300, 120, 1600}, {60, 48, 600}};
    for (int i = 0; i < 3; i++) {
        double far, g = gaps[i][2], jump = jump_speed(gaps[i][1], g);
        mover_jump(jump, g, speed_over_gap(gaps[i][0], jump, g), &far);
        about(far, gaps[i][0], "distance");
    }
}
END_TEST

/* ---- surfaces ---- */

static double restitution_of(double share) { return 2 * sqrt(share) - GROUND_BOUNCE; }

START_TEST(a_bounce_returns_a_share_of_the_height) {
    told("a_bounce_returns_a_share_of_the_height", restitution_of(0.25));
    static const double shares[] = {0.25, 0.1, 0.36};
    for (int i = 0; i < YARDS; i++) {
        pv_world *w = grounded(yards[i].g);
        double height = 4 * yards[i].side;
        pv_body_id b = crate(w, yards[i].side, height);
        pv_body_set_restitution(w, b, restitution_of(shares[i]));
        while (pv_world_get_events(w).hit_count == 0) step_well(w, DT);
        double low = pv_body_get_position(w, b).y + yards[i].side / 2.0;
        about(rise_of(w, b, 3) - low, shares[i] * height, "bounce");
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(low_bounces_end) {
    told("low_bounces_end", jump_speed(0.4, GRAVITY));
    static const double heights[] = {0.4, 2, 10};
    for (int i = 0; i < YARDS; i++)
        for (int high = 0; high < 2; high++) {
            pv_world_def def = pv_world_def_default();
            def.gravity = PV_VEC2(0, yards[i].g);
            def.restitution_threshold = jump_speed(heights[i], yards[i].g);
            pv_world *w = pv_world_create(&def, NULL);
            pv_body_set_restitution(w, ground(w, 0), 1);
            double height = heights[i] * (high ? 1.3 : 0.7);
            pv_body_id b = crate(w, yards[i].side, height);
            pv_body_set_restitution(w, b, 1);
            run(w, jump_speed(height, yards[i].g) / yards[i].g + DT);
            double low = -yards[i].side / 2.0 - pv_body_get_position(w, b).y,
                   back = low + rise_of(w, b, 1);
            ck_assert_msg(high ? back > 0.3 * height : back < 0.1, "%g of %g", back, height);
            pv_world_destroy(w);
        }
}
END_TEST

/// Returns the distance that a body moves on a slope in a second [px].
static double slip_on(pv_world *w, pv_mask *mask, double side, double degrees, double friction,
                      double rolling) {
    double a = degrees * M_PI / 180;
    ground(w, a);
    pv_body_def def = pv_body_def_default();
    def.angle = a;
    def.friction = friction;
    def.rolling_resistance = rolling;
    pv_body_id b = put(w, mask, sin(a) * side / 2, -cos(a) * side / 2, def);
    run(w, 0.5);
    pv_vec2 from = pv_body_get_position(w, b);
    run(w, 1);
    double way = pv_vec2_distance(from, pv_body_get_position(w, b));
    pv_world_destroy(w);
    return way;
}

static double friction_of_slope(double degrees) {
    return 2 * tan(degrees * M_PI / 180) / STATIC_SHARE - GROUND_FRICTION;
}

START_TEST(a_crate_stands_on_a_slope) {
    told("a_crate_stands_on_a_slope", friction_of_slope(35));
    static const double slopes[] = {35, 25, 30};
    for (int i = 0; i < YARDS; i++) {
        int side = yards[i].side;
        double friction = friction_of_slope(slopes[i]);
        ck_assert_double_lt(
            slip_on(world_of(yards[i].g), box_mask(side, side), side, slopes[i] - 2, friction, 0),
            0.5);
        ck_assert_double_gt(
            slip_on(world_of(yards[i].g), box_mask(side, side), side, slopes[i] + 2, friction, 0),
            4);
    }
}
END_TEST

static double friction_of_slide(double speed, double way, double g) {
    return speed * speed / (g * way) - GROUND_FRICTION;
}

START_TEST(a_slide_ends_after_a_way) {
    told("a_slide_ends_after_a_way", friction_of_slide(200, 100, GRAVITY));
    static const double slides[][2] = {{200, 100}, {300, 80}, {120, 70}};
    for (int i = 0; i < YARDS; i++) {
        pv_world *w = grounded(yards[i].g);
        pv_body_id b = crate(w, yards[i].side, 0);
        pv_body_set_friction(w, b, friction_of_slide(slides[i][0], slides[i][1], yards[i].g));
        run(w, 0.5);
        pv_body_set_velocity(w, b, PV_VEC2(slides[i][0], 0));
        run(w, 4);
        about(pv_body_get_position(w, b).x, slides[i][1], "way");
        pv_world_destroy(w);
    }
}
END_TEST

static double rolling_of_way(double speed, double radius, double way, double g) {
    return 1.5 * speed * speed * radius / (g * way);
}

START_TEST(a_ball_stops_after_a_way) {
    told("a_ball_stops_after_a_way", rolling_of_way(100, 16, 200, GRAVITY));
    static const double rolls[][2] = {{100, 200}, {150, 300}, {80, 150}};
    for (int i = 0; i < YARDS; i++) {
        pv_world *w = grounded(yards[i].g);
        double radius = yards[i].side / 2.0;
        pv_body_id b = put(w, disc_mask((int)radius), 0, -radius, pv_body_def_default());
        pv_body_set_rolling_resistance(
            w, b, rolling_of_way(rolls[i][0], radius, rolls[i][1], yards[i].g));
        run(w, 0.5);
        double from = pv_body_get_position(w, b).x;
        pv_body_set_velocity(w, b, PV_VEC2(rolls[i][0], 0));
        pv_body_set_angular_velocity(w, b, rolls[i][0] / radius);
        run(w, 8);
        about(pv_body_get_position(w, b).x - from, rolls[i][1], "way");
        pv_world_destroy(w);
    }
}
END_TEST

static double rolling_of_slope(double degrees, double radius) {
    return 2 * radius * tan(degrees * M_PI / 180);
}

START_TEST(a_ball_stands_on_a_slope) {
    told("a_ball_stands_on_a_slope", rolling_of_slope(5, 16));
    static const double slopes[] = {5, 10, 15};
    for (int i = 0; i < YARDS; i++) {
        int side = yards[i].side;
        double rolling = rolling_of_slope(slopes[i], side / 2.0);
        ck_assert_double_lt(slip_on(world_of(yards[i].g), disc_mask(side / 2), side,
                                    0.85 * slopes[i], 0.5, rolling),
                            0.5);
        ck_assert_double_gt(slip_on(world_of(yards[i].g), disc_mask(side / 2), side,
                                    1.15 * slopes[i], 0.5, rolling),
                            1);
    }
}
END_TEST

START_TEST(a_crate_takes_the_speed_of_a_belt) {
    told("a_crate_takes_the_speed_of_a_belt", friction_of_slide(2 * 80, 2 * 80 * 0.5, GRAVITY));
    static const double belts[][2] = {{80, 0.5}, {150, 0.3}, {60, 0.6}};
    for (int i = 0; i < YARDS; i++) {
        double speed = belts[i][0], time = belts[i][1], g = yards[i].g;
        pv_world *w = world_of(g);
        pv_body_set_tangent_speed(w, ground(w, 0), speed);
        pv_body_id b = crate(w, yards[i].side, 0);
        pv_body_set_friction(w, b, 2 * speed / (g * time) - GROUND_FRICTION);
        int frames = 0;
        for (; pv_body_get_velocity(w, b).x < 0.98 * speed && frames < 600; frames++)
            step_well(w, DT);
        about(frames * DT, time, "time");
        pv_world_destroy(w);
    }
}
END_TEST

/* ---- hits, breaks and explosions ---- */

START_TEST(a_drop_is_told_and_half_of_it_is_not) {
    told("a_drop_is_told_and_half_of_it_is_not", jump_speed(0.75 * 64, GRAVITY));
    for (int i = 0; i < YARDS; i++)
        for (int half = 0; half < 2; half++) {
            double height = 2 * yards[i].side, g = yards[i].g, heard = 0;
            pv_world_def def = pv_world_def_default();
            def.gravity = PV_VEC2(0, g);
            def.hit_event_threshold = jump_speed(0.75 * height, g);
            pv_world *w = pv_world_create(&def, NULL);
            ground(w, 0);
            crate(w, yards[i].side, half ? height / 2 : height);
            for (int frame = 0; frame < 180; frame++) {
                step_well(w, DT);
                pv_events e = pv_world_get_events(w);
                if (e.hit_count > 0) heard = fmax(heard, e.hits[0].speed);
            }
            if (half) ck_assert(heard == 0);
            if (!half) about(heard, jump_speed(height, g), "speed");
            pv_world_destroy(w);
        }
}
END_TEST

static double drop_impulse(double mass, double bounce, double height, double g) {
    return mass * (1 + bounce) * jump_speed(height, g);
}

START_TEST(a_drop_breaks_and_half_of_it_does_not) {
    told("a_drop_breaks_and_half_of_it_does_not",
         drop_impulse(MASS, GROUND_BOUNCE, 0.75 * 96, GRAVITY));
    for (int i = 0; i < YARDS; i++)
        for (int half = 0; half < 2; half++) {
            double height = 3 * yards[i].side, g = yards[i].g;
            pv_world *w = grounded(g);
            pv_body_id b = crate(w, yards[i].side, half ? height / 2 : height);
            pv_fracture_def f = pv_fracture_def_default();
            f.toughness = drop_impulse(mass_of(yards[i].side), GROUND_BOUNCE, 0.75 * height, g);
            ck_assert_int_eq(pv_body_set_fracture(w, b, &f), PV_OK);
            run(w, 3);
            bool whole =
                pv_mask_count_pixels(pv_body_get_mask(w, b)) == yards[i].side * yards[i].side;
            ck_assert_msg(whole == half, "a crate of %d px from %g px", yards[i].side, height);
            pv_world_destroy(w);
        }
}
END_TEST

static double toughness_of_chip(double impulse, double radius) {
    return impulse / (1 + radius * radius / 4);
}

START_TEST(a_drop_leaves_a_hole) {
    told("a_drop_leaves_a_hole",
         toughness_of_chip(drop_impulse(MASS, GROUND_BOUNCE, 96, GRAVITY), 8));
    static const double holes[] = {8, 5, 12};
    for (int i = 0; i < YARDS; i++) {
        double height = 3 * yards[i].side, g = yards[i].g;
        pv_world *w = world_of(g);
        pv_body_id hill = ground(w, 0);
        crate(w, yards[i].side, height);
        pv_fracture_def f = pv_fracture_def_default();
        f.toughness = toughness_of_chip(
            drop_impulse(mass_of(yards[i].side), GROUND_BOUNCE, height, g), holes[i]);
        ck_assert_int_eq(pv_body_set_fracture(w, hill, &f), PV_OK);
        pv_events e = {0};
        while (e.dirty_rect_count == 0) step_well(w, DT), e = pv_world_get_events(w);
        ck_assert_double_le(fabs(e.dirty_rects[0].rect.w / 2.0 - holes[i]), 0.15 * holes[i] + 1);
        pv_world_destroy(w);
    }
}
END_TEST

/// Returns the impulse for each px of an explosion under a crate's middle, d px below it.
static double blast_of(double mass, double side, double height, double d, double reach, double g) {
    double half = atan2(side / 2, d);
    return mass * jump_speed(height, g) * half / (side * sin(half) * (1 - d / reach));
}

START_TEST(an_explosion_throws_so_high) {
    told("an_explosion_throws_so_high", blast_of(MASS, SIDE, 96, 16, 128, GRAVITY));
    static const double apart[] = {0.5, 0.25, 1.5};
    for (int i = 0; i < YARDS; i++) {
        pv_world *w = grounded(yards[i].g);
        int side = yards[i].side;
        pv_body_id b = crate(w, side, 0);
        run(w, 0.5);
        double d = apart[i] * side, reach = 4 * side, height = 3 * side;
        double impulse = blast_of(mass_of(side), side, height, d, reach, yards[i].g);
        ck_assert_int_eq(pv_world_explode(w, PV_VEC2(0, d), reach, impulse), PV_OK);
        about(rise_of(w, b, 4), height, "height");
        pv_world_destroy(w);
    }
}
END_TEST

/* ---- joints ---- */

/// Hangs a crate from the world with a joint from the middle of its upper side.
static pv_joint_id hang(pv_world *w, pv_body_id b, double side, pv_joint_def def, double length) {
    pv_vec2 at = pv_body_get_position(w, b);
    def.a = pv_anchor_world(PV_VEC2(at.x, at.y - side / 2 - length));
    def.b = pv_anchor_body(b, PV_VEC2(at.x, at.y - side / 2));
    pv_error error = {0};
    pv_joint_id joint = pv_joint_create(w, &def, &error);
    ck_assert_msg(error.status == PV_OK, "%s", error.message);
    return joint;
}

static double break_force_of(double times, double mass, double g) { return times * mass * g; }

START_TEST(a_joint_bears_so_many_weights) {
    told("a_joint_bears_so_many_weights", break_force_of(3, MASS, GRAVITY));
    static const pv_joint_type types[] = {PV_JOINT_DISTANCE, PV_JOINT_ROPE, PV_JOINT_PIN,
                                          PV_JOINT_WELD};
    for (int i = 0; i < YARDS * 4; i++)
        for (int heavy = 0; heavy < 2; heavy++) {
            yard y = yards[i / 4];
            pv_world *w = world_of(y.g);
            pv_body_id b = crate(w, y.side, 0);
            pv_joint_def def = pv_joint_def_default();
            def.type = types[i % 4];
            def.break_force = break_force_of(3, mass_of(y.side), y.g);
            pv_body_set_mass(w, b, (heavy ? 3.3 : 2.7) * mass_of(y.side));
            pv_joint_id joint = hang(w, b, y.side, def, i % 4 < 2 ? 40 : 0);
            run(w, 2);
            ck_assert_msg(pv_joint_is_valid(w, joint) != heavy, "type %d, %s", (int)def.type,
                          heavy ? "held" : "broke");
            pv_world_destroy(w);
        }
}
END_TEST

/// Returns the force of a rigid joint's crate that another hits, with 960 substeps a second.
static double break_force_of_hit(double speed, double mass, double by) {
    return 960 * (1 + GROUND_BOUNCE) * speed * mass * by / (mass + by);
}

START_TEST(a_joint_breaks_at_a_hit) {
    told("a_joint_breaks_at_a_hit", break_force_of_hit(50, MASS, MASS));
    static const double hits[][2] = {{50, 1}, {120, 4}, {200, 0.5}};
    for (int i = 0; i < YARDS; i++)
        for (int fast = 0; fast < 2; fast++) {
            double side = yards[i].side, mass = mass_of(yards[i].side), by = hits[i][1] * mass;
            pv_world *w = world_of(yards[i].g);
            pv_body_id b = crate(w, yards[i].side, 0);
            pv_joint_def def = pv_joint_def_default();
            def.type = PV_JOINT_ROPE;
            def.break_force = break_force_of_hit(hits[i][0], mass, by);
            pv_joint_id joint = hang(w, b, side, def, 100);
            run(w, 0.5);
            pv_body_def shot = pv_body_def_default();
            shot.velocity.y = (fast ? 1.15 : 0.85) * hits[i][0];
            shot.gravity_scale = 0;
            shot.mass = by;
            put(w, box_mask(yards[i].side, yards[i].side), 0, -1.5 * side - 10, shot);
            run(w, 1);
            ck_assert_msg(pv_joint_is_valid(w, joint) != fast, "%s", fast ? "held" : "broke");
            pv_world_destroy(w);
        }
}
END_TEST

static double stiffness_of_stretch(double mass, double g, double stretch) {
    return mass * g / stretch;
}

START_TEST(a_spring_stretches_under_a_load) {
    told("a_spring_stretches_under_a_load", stiffness_of_stretch(MASS, GRAVITY, 8));
    static const double stretches[] = {8, 5, 20};
    for (int i = 0; i < YARDS; i++) {
        double mass = mass_of(yards[i].side);
        pv_world *w = world_of(yards[i].g);
        pv_body_id b = crate(w, yards[i].side, 0);
        double from = pv_body_get_position(w, b).y;
        pv_joint_def def = pv_joint_def_default();
        def.stiffness = stiffness_of_stretch(mass, yards[i].g, stretches[i]);
        def.damping = sqrt(def.stiffness * mass);
        hang(w, b, yards[i].side, def, 60);
        run(w, 5);
        about(pv_body_get_position(w, b).y - from, stretches[i], "stretch");
        pv_world_destroy(w);
    }
}
END_TEST

static double stiffness_of_swing(double mass, double hertz) {
    return mass * 4 * M_PI * M_PI * hertz * hertz;
}

static double damping_of(double stiffness, double mass, double ratio) {
    return 2 * ratio * sqrt(stiffness * mass);
}

/// Lets a crate swing on a spring from 10 px beyond its rest. Returns the time to the other side's
/// farthest place [s], and sets *over to its distance [px].
static double half_swing(double side, double stiffness, double damping, double *over) {
    pv_world *w = world_of(0);
    pv_body_id b = crate(w, (int)side, 0);
    double rest = pv_body_get_position(w, b).y;
    pv_joint_def def = pv_joint_def_default();
    def.stiffness = stiffness;
    def.damping = damping;
    hang(w, b, side, def, 60);
    pv_body_set_position(w, b, PV_VEC2(0, rest + 10));
    int frames = 0;
    for (*over = -10; rest - pv_body_get_position(w, b).y >= *over && frames < 600; frames++) {
        *over = rest - pv_body_get_position(w, b).y;
        step_well(w, DT);
    }
    pv_world_destroy(w);
    return (frames - 1) * DT;
}

START_TEST(a_spring_swings_at_a_rate) {
    told("a_spring_swings_at_a_rate", stiffness_of_swing(MASS, 2));
    static const double rates[] = {2, 1, 3};
    for (int i = 0; i < YARDS; i++) {
        double over, mass = mass_of(yards[i].side);
        about(half_swing(yards[i].side, stiffness_of_swing(mass, rates[i]), 0, &over),
              0.5 / rates[i], "half of a swing");
        about(over, 10, "other side");
    }
}
END_TEST

START_TEST(a_spring_calms_down) {
    told("a_spring_calms_down", damping_of(stiffness_of_swing(MASS, 2), MASS, 0.3));
    static const double ratios[] = {0.3, 0.15, 0.5};
    for (int i = 0; i < YARDS; i++) {
        double over, mass = mass_of(yards[i].side), k = stiffness_of_swing(mass, 2), z = ratios[i];
        half_swing(yards[i].side, k, damping_of(k, mass, z), &over);
        about(over, 10 * exp(-M_PI * z / sqrt(1 - z * z)), "other side");
    }
}
END_TEST

/// Returns the angular rate of a mouse joint [1/s]. A target that is set once a step is half a step
/// ahead.
static double mouse_rate(double speed, double lag) { return 2 * speed / (lag + speed * DT / 2); }

/// Adds a mouse joint that draws a crate's middle, by its rate and a spare acceleration.
static pv_joint_id lead(pv_world *w, pv_body_id b, double rate, double speed) {
    double mass = pv_body_get_mass(w, b);
    pv_joint_id joint = pv_joint_create_mouse(w, b, pv_body_get_position(w, b));
    double g = pv_world_get_gravity(w).y;
    ck_assert_int_eq(pv_joint_set_spring(w, joint, mass * rate * rate, 2 * mass * rate), PV_OK);
    ck_assert_int_eq(pv_joint_set_max_force(w, joint, mass * (g + 2 * rate * speed)), PV_OK);
    return joint;
}

/// Speed of the pointer [px/s] and lag [px] in each yard.
static const double pointers[][2] = {{200, 10}, {400, 12}, {100, 4}};

START_TEST(a_mouse_joint_follows) {
    double rate = mouse_rate(200, 10);
    told("a_mouse_joint_follows", MASS * rate * rate);
    for (int i = 0; i < YARDS; i++) {
        double speed = pointers[i][0], lag = pointers[i][1];
        pv_world *w = world_of(yards[i].g);
        pv_body_id b = crate(w, yards[i].side, 0);
        pv_vec2 from = pv_body_get_position(w, b);
        pv_joint_id joint = lead(w, b, mouse_rate(speed, lag), speed);
        for (int frame = 1; frame <= 120; frame++) {
            pv_joint_set_target(w, joint, PV_VEC2(from.x + speed * DT * frame, from.y));
            step_well(w, DT);
        }
        about(from.x + 2 * speed - pv_body_get_position(w, b).x, lag, "lag");
        run(w, 2);
        double own = mouse_rate(speed, lag);
        about(pv_body_get_position(w, b).y - from.y, yards[i].g / (own * own), "sag");
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(a_mouse_joint_does_not_swing) {
    told("a_mouse_joint_does_not_swing", 2 * MASS * mouse_rate(200, 10));
    for (int i = 0; i < YARDS; i++) {
        pv_world *w = world_of(0);
        pv_body_id b = crate(w, yards[i].side, 0);
        pv_vec2 from = pv_body_get_position(w, b);
        pv_joint_id joint = lead(w, b, mouse_rate(pointers[i][0], pointers[i][1]), 1e6);
        pv_joint_set_target(w, joint, PV_VEC2(from.x + 50, from.y));
        double far = 0;
        for (int frame = 0; frame < 180; frame++) {
            step_well(w, DT);
            far = fmax(far, pv_body_get_position(w, b).x - from.x);
        }
        ck_assert_double_le(fabs(far - 50), 1);
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(a_mouse_joint_pushes_through_no_wall) {
    told("a_mouse_joint_pushes_through_no_wall", MASS * (GRAVITY + 2 * mouse_rate(200, 10) * 200));
    for (int i = 0; i < YARDS; i++) {
        pv_world *w = world_of(yards[i].g);
        int side = yards[i].side;
        pv_body_id b = crate(w, side, 0);
        pv_vec2 from = pv_body_get_position(w, b);
        pv_body_id wall = put(w, box_mask(8, 400), 100, 0, of_type(PV_BODY_STATIC));
        pv_joint_id joint = lead(w, b, mouse_rate(pointers[i][0], pointers[i][1]), pointers[i][0]);
        for (int frame = 1; frame <= 180; frame++) {
            pv_joint_set_target(w, joint, PV_VEC2(from.x + pointers[i][0] * DT * frame, from.y));
            step_well(w, DT);
            ck_assert_double_le(pv_body_get_position(w, b).x, 96 - side / 2.0 + 1);
        }
        ck_assert_double_ge(pv_body_get_position(w, b).x, 96 - side / 2.0 - 1);
        ck_assert(pv_body_is_valid(w, wall));
        pv_world_destroy(w);
    }
}
END_TEST

static double torque_of_start(double mass, double side, double speed, double seconds) {
    return mass * side * side / 6 * speed / seconds;
}

START_TEST(a_motor_starts_in_a_time) {
    told("a_motor_starts_in_a_time", torque_of_start(MASS, SIDE, 10, 0.5));
    static const double starts[][2] = {{10, 0.5}, {20, 0.3}, {5, 1}};
    for (int i = 0; i < YARDS; i++) {
        pv_world *w = world_of(yards[i].g);
        int side = yards[i].side;
        pv_body_id b = crate(w, side, 0);
        double speed = starts[i][0];
        pv_joint_create_pin(w, b, pv_null_body, pv_body_get_position(w, b));
        pv_joint_create_motor(w, pv_null_body, b, speed,
                              torque_of_start(mass_of(side), side, speed, starts[i][1]));
        int frames = 0;
        for (; pv_body_get_angular_velocity(w, b) < 0.98 * speed && frames < 600; frames++)
            step_well(w, DT);
        about(frames * DT, starts[i][1], "time");
        pv_world_destroy(w);
    }
}
END_TEST

/// Returns the speed at which a load sinks that a motor is strong enough to hold [rad/s].
static double creep_of(double mass, double side, double g, double lever) {
    return mass * g * lever / (960 * mass * side * side / 6);
}

START_TEST(a_motor_holds_a_load) {
    told("a_motor_holds_a_load", MASS * GRAVITY * 32);
    for (int i = 0; i < YARDS; i++)
        for (int weak = 0; weak < 2; weak++) {
            pv_world *w = world_of(yards[i].g);
            int side = yards[i].side;
            pv_body_id b = crate(w, side, 0);
            pv_vec2 at = pv_body_get_position(w, b);
            double mass = mass_of(side), lever = side, torque = mass * yards[i].g * lever;
            pv_joint_create_pin(w, b, pv_null_body, PV_VEC2(at.x - lever, at.y));
            pv_joint_create_motor(w, pv_null_body, b, 0, (weak ? 0.85 : 1.15) * torque);
            run(w, 0.3);
            double turned = fabs(pv_body_get_angle(w, b)),
                   creep = 0.3 * creep_of(mass, side, yards[i].g, lever);
            ck_assert_msg(weak ? turned > 2 * creep : turned < 1.15 * creep, "turned by %g",
                          turned);
            pv_world_destroy(w);
        }
}
END_TEST

/* ---- damping and forces ---- */

static double damping_of_half(double seconds) { return M_LN2 / seconds; }

/* Flies a crate for a time in which one of its motions should halve. */
static void halve(double half, bool spins) {
    pv_world *w = world_of(0);
    pv_body_id b = crate(w, 32, 0);
    if (spins) {
        pv_body_set_angular_damping(w, b, damping_of_half(half));
        pv_body_set_angular_velocity(w, b, 10);
    } else {
        pv_body_set_linear_damping(w, b, damping_of_half(half));
        pv_body_set_velocity(w, b, PV_VEC2(100, 0));
    }
    run(w, half);
    if (spins)
        about(pv_body_get_angular_velocity(w, b), 5, "angular velocity");
    else
        about(pv_body_get_velocity(w, b).x, 50, "speed");
    pv_world_destroy(w);
}

static const double half_times[] = {0.5, 0.2, 2};

START_TEST(a_speed_halves_in_a_time) {
    told("a_speed_halves_in_a_time", damping_of_half(0.5));
    for (int i = 0; i < 3; i++) halve(half_times[i], false);
}
END_TEST

START_TEST(a_spin_halves_in_a_time) {
    told("a_spin_halves_in_a_time", damping_of_half(0.5));
    for (int i = 0; i < 3; i++) halve(half_times[i], true);
}
END_TEST

START_TEST(a_fall_has_a_largest_speed) {
    told("a_fall_has_a_largest_speed", GRAVITY / 200);
    static const double speeds[] = {200, 300, 100};
    for (int i = 0; i < YARDS; i++) {
        pv_world *w = world_of(yards[i].g);
        pv_body_id b = crate(w, yards[i].side, 0);
        pv_body_set_linear_damping(w, b, yards[i].g / speeds[i]);
        run(w, 5);
        about(pv_body_get_velocity(w, b).y, speeds[i], "speed");
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(a_thrust_has_a_largest_speed) {
    told("a_thrust_has_a_largest_speed", MASS * 2 * 150);
    static const double thrusts[][2] = {{2, 150}, {1, 300}, {4, 80}};
    for (int i = 0; i < YARDS; i++) {
        pv_world *w = world_of(0);
        pv_body_id b = crate(w, yards[i].side, 0);
        double damping = thrusts[i][0], speed = thrusts[i][1];
        pv_body_set_linear_damping(w, b, damping);
        for (int frame = 0; frame < 300; frame++) {
            pv_body_apply_force(w, b, PV_VEC2(mass_of(yards[i].side) * damping * speed, 0));
            step_well(w, DT);
        }
        about(pv_body_get_velocity(w, b).x, speed, "speed");
        pv_world_destroy(w);
    }
}
END_TEST

static pv_force_field_def field_of(pv_force_field_type type) {
    pv_force_field_def def = pv_force_field_def_default();
    def.type = type;
    return def;
}

START_TEST(a_wind_carries_along_in_a_time) {
    told("a_wind_carries_along_in_a_time", MASS / (SIDE * 1));
    static const double times[] = {1, 0.5, 2};
    for (int i = 0; i < YARDS; i++) {
        pv_world *w = world_of(0);
        pv_body_id b = crate(w, yards[i].side, 0);
        pv_force_field_def wind = field_of(PV_FORCE_FIELD_WIND);
        wind.velocity = PV_VEC2(200, 0);
        wind.drag_coefficient = mass_of(yards[i].side) / (yards[i].side * times[i]);
        pv_force_field_create(w, &wind, NULL);
        run(w, times[i]);
        about(pv_body_get_velocity(w, b).x, 200 * (1 - exp(-1)), "speed");
        pv_world_destroy(w);
    }
}
END_TEST

static double drag_of_slide(double mass, double side, double g, double wind) {
    return GROUND_FRICTION * mass * g / (side * wind);
}

START_TEST(a_wind_moves_a_crate_on_the_ground) {
    told("a_wind_moves_a_crate_on_the_ground", drag_of_slide(MASS, SIDE, GRAVITY, 200));
    for (int i = 0; i < YARDS; i++)
        for (int weak = 0; weak < 2; weak++) {
            pv_world *w = grounded(yards[i].g);
            int side = yards[i].side;
            pv_body_id b = crate(w, side, 0);
            pv_force_field_def wind = field_of(PV_FORCE_FIELD_WIND);
            wind.velocity = PV_VEC2(200, 0);
            wind.drag_coefficient =
                (weak ? 0.85 : 1.15) * drag_of_slide(mass_of(side), side, yards[i].g, 200);
            pv_force_field_create(w, &wind, NULL);
            run(w, 1);
            double way = pv_body_get_position(w, b).x;
            ck_assert_msg(weak ? way < 0.5 : way > 1, "moved by %g", way);
            pv_world_destroy(w);
        }
}
END_TEST

START_TEST(an_attractor_holds_an_orbit) {
    told("an_attractor_holds_an_orbit", 100 * 100 / 200.0);
    static const double orbits[][2] = {{100, 200}, {300, 400}, {60, 100}};
    for (int i = 0; i < YARDS; i++) {
        double speed = orbits[i][0], radius = orbits[i][1];
        pv_world *w = world_of(0);
        pv_body_id b = crate(w, yards[i].side, 0);
        pv_force_field_def sun = field_of(PV_FORCE_FIELD_ATTRACTOR);
        sun.point = pv_vec2_add(pv_body_get_position(w, b), PV_VEC2(0, radius));
        sun.radius = radius;
        sun.strength = speed * speed / radius;
        pv_force_field_create(w, &sun, NULL);
        pv_body_set_velocity(w, b, PV_VEC2(speed, 0));
        for (int frame = 0; frame < 600; frame++) {
            step_well(w, DT);
            about(pv_vec2_distance(pv_body_get_position(w, b), sun.point), radius, "radius");
        }
        pv_world_destroy(w);
    }
}
END_TEST

/// Lets a crate of density 1 float in a liquid; returns how deep its lower side is [px].
static double draft_of(int side, double g, double density) {
    pv_world *w = world_of(g);
    pv_body_id b = crate(w, side, -side / 2.0);
    pv_body_set_motion_locks(w, b, PV_LOCK_ROTATION);
    pv_force_field_def pool = field_of(PV_FORCE_FIELD_BUOYANCY);
    pool.area = (pv_box){{-1000, 0}, {1000, 1000}};
    pool.density = density;
    pv_force_field_create(w, &pool, NULL);
    run(w, 20);
    double depth = pv_body_get_position(w, b).y + side / 2.0;
    pv_world_destroy(w);
    return depth;
}

START_TEST(a_crate_floats_so_deep) {
    told("a_crate_floats_so_deep", 1 / 0.75);
    static const double shares[] = {0.75, 0.4, 0.9};
    for (int i = 0; i < YARDS; i++)
        about(draft_of(yards[i].side, yards[i].g, 1 / shares[i]), shares[i] * yards[i].side,
              "depth");
}
END_TEST

/* ---- movers ---- */

START_TEST(a_mover_pushes_a_crate) {
    told("a_mover_pushes_a_crate", STATIC_SHARE * GROUND_FRICTION * MASS * GRAVITY);
    for (int i = 0; i < YARDS; i++)
        for (int weak = 0; weak < 2; weak++) {
            pv_world *w = grounded(yards[i].g);
            int side = yards[i].side;
            pv_body_id b = crate(w, side, 0);
            run(w, 0.5);
            pv_mask *mask = box_mask(16, 32);
            pv_mover m = walker(mask, -side / 2.0 - 12, 0);
            m.push_force =
                (weak ? 0.85 : 1.15) * STATIC_SHARE * GROUND_FRICTION * mass_of(side) * yards[i].g;
            for (int frame = 0; frame < 120; frame++) {
                pv_mover_move(w, &m, PV_VEC2(60, m.velocity.y + yards[i].g * DT), DT);
                step_well(w, DT);
            }
            double way = pv_body_get_position(w, b).x;
            ck_assert_msg(weak ? way < 1 : way > 20, "moved by %g", way);
            pv_mask_release(mask);
            pv_world_destroy(w);
        }
}
END_TEST

START_TEST(a_mover_climbs_stairs) {
    told("a_mover_climbs_stairs", 8);
    static const int steps[] = {8, 3, 16};
    for (int i = 0; i < 3; i++)
        for (int high = 0; high < 2; high++) {
            pv_world *w = grounded(0);
            int rise = steps[i] + high;
            put(w, box_mask(200, rise), 150, -rise / 2.0, of_type(PV_BODY_STATIC));
            pv_mask *mask = box_mask(16, 32);
            pv_mover m = walker(mask, 0, 0);
            m.step_height = steps[i];
            for (int frame = 0; frame < 120; frame++)
                pv_mover_move(w, &m, PV_VEC2(60, m.velocity.y + 900 * DT), DT);
            ck_assert_msg(high ? m.position.x < 50 : m.position.x > 100, "%g", m.position.x);
            pv_mask_release(mask);
            pv_world_destroy(w);
        }
}
END_TEST

/* ---- ropes, cloth, jelly, liquids ---- */

static double slack_of(double sag, double distance) {
    return 8.0 / 3 * (sag / distance) * (sag / distance);
}

START_TEST(a_rope_sags) {
    told("a_rope_sags", slack_of(40, 200));
    static const double sags[][2] = {{40, 200}, {30, 300}, {20, 80}};
    for (int i = 0; i < YARDS; i++) {
        pv_world *w = world_of(yards[i].g);
        pv_rope_def def = pv_rope_def_default();
        def.to = pv_anchor_world(PV_VEC2(sags[i][1], 0));
        def.slack = slack_of(sags[i][0], sags[i][1]);
        def.linear_damping = 3;
        pv_composite_id rope = pv_rope_create(w, &def, NULL);
        run(w, 5);
        pv_particle_id grains[64];
        int n = pv_composite_get_particles(w, rope, grains, 64);
        double low = 0;
        for (int k = 0; k < n; k++) low = fmax(low, pv_particle_get_position(w, grains[k]).y);
        about(low, sags[i][0], "sag");
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(a_rope_tears_under_so_many_crates) {
    told("a_rope_tears_under_so_many_crates", break_force_of(3, MASS, GRAVITY));
    for (int i = 0; i < YARDS; i++)
        for (int heavy = 0; heavy < 2; heavy++) {
            int side = yards[i].side, held = 0;
            pv_world *w = world_of(yards[i].g);
            pv_body_id b = crate(w, side, 0);
            pv_body_set_mass(w, b, (heavy ? 3.45 : 2.55) * mass_of(side));
            pv_vec2 at = pv_body_get_position(w, b);
            pv_rope_def def = pv_rope_def_default();
            def.from = pv_anchor_world(PV_VEC2(at.x, at.y - 100));
            def.to = pv_anchor_body(b, PV_VEC2(at.x, at.y - side / 2.0));
            def.break_force = break_force_of(3, mass_of(side), yards[i].g);
            pv_composite_id rope = pv_rope_create(w, &def, NULL);
            int whole = pv_composite_get_joints(w, rope, NULL, 0);
            run(w, 3);
            held = pv_composite_get_joints(w, rope, NULL, 0) == whole;
            ck_assert_msg(held != heavy, "%s", held ? "held" : "tore");
            pv_world_destroy(w);
        }
}
END_TEST

static double stiffness_of_cloth(double mass, double g, int rows, double stretch) {
    return mass * g * rows * (rows - 1) / (2 * stretch);
}

START_TEST(a_cloth_stretches) {
    told("a_cloth_stretches", stiffness_of_cloth(1, GRAVITY, 30, 24));
    static const double stretches[] = {24, 60, 12};
    for (int i = 0; i < YARDS; i++) {
        pv_world *w = world_of(yards[i].g);
        pv_cloth_def def = pv_cloth_def_default();
        def.columns = 6;
        def.linear_damping = 3;
        def.stiffness = stiffness_of_cloth(def.mass, yards[i].g, def.rows, stretches[i]);
        pv_composite_id cloth = pv_cloth_create(w, &def, NULL);
        run(w, 8);
        pv_particle_id grains[180];
        ck_assert_int_eq(pv_composite_get_particles(w, cloth, grains, 180), 180);
        about(pv_particle_get_position(w, grains[179]).y - 29 * def.spacing, stretches[i],
              "stretch");
        pv_world_destroy(w);
    }
}
END_TEST

/// Stiffness at which a jelly of a height is squashed by its own weight by some pixels.
static double stiffness_of_jelly(double density, double g, double height, double squash) {
    return 0.07 * density * g * height * height / squash;
}

START_TEST(a_jelly_keeps_its_height) {
    told("a_jelly_keeps_its_height", stiffness_of_jelly(0.05, GRAVITY, 32, 0.5));
    static const int heights[] = {32, 64, 96};
    for (int i = 0; i < YARDS; i++) {
        int height = heights[i];
        double squash = 0.03 * height, tops[2];
        for (int hard = 0; hard < 2; hard++) {
            pv_world *w = grounded(yards[i].g);
            pv_mask *mask = box_mask(height, height);
            pv_jelly_def def = pv_jelly_def_default();
            def.mask = mask;
            def.position.y = -height / 2.0 - 2;
            def.friction = 0;
            def.stiffness =
                hard ? 1e6 : stiffness_of_jelly(def.density, yards[i].g, height, squash);
            pv_composite_id jelly = pv_jelly_create(w, &def, NULL);
            run(w, 10);
            pv_particle_id grains[400];
            int n = pv_composite_get_particles(w, jelly, grains, 400);
            tops[hard] = 0;
            for (int k = 0; k < n; k++)
                tops[hard] = fmin(tops[hard], pv_particle_get_position(w, grains[k]).y);
            pv_mask_release(mask);
            pv_world_destroy(w);
        }
        about(tops[0] - tops[1], squash, "squash");
    }
}
END_TEST

/// Returns the number of particles of a radius that fill an area.
static double grains_of(double area, double radius) { return area / (26.0 / 9 * radius * radius); }

START_TEST(a_liquid_fills_a_basin) {
    told("a_liquid_fills_a_basin", grains_of(128 * 64, 3));
    static const double radii[] = {3, 2, 4};
    for (int i = 0; i < YARDS; i++) {
        double r = radii[i], width = 42 * r, depth = 0;
        pv_world *w = grounded(yards[i].g);
        for (int side = -1; side < 2; side += 2)
            put(w, box_mask(40, 400), side * (width / 2 + 20), -180, of_type(PV_BODY_STATIC));
        pv_liquid_def def = pv_liquid_def_default();
        def.interaction_radius = 4 * r;
        pv_liquid_id liquid = pv_liquid_create(w, &def, NULL);
        int n = (int)grains_of(width * width / 2, r), columns = (int)(width / (1.8 * r)) - 1;
        for (int k = 0; k < n; k++) {
            pv_particle_def grain = pv_particle_def_default();
            grain.radius = r;
            grain.position = PV_VEC2((k % columns - (columns - 1) / 2.0) * 1.8 * r,
                                     -(k / columns + 0.6) * 1.8 * r);
            ck_assert_int_eq(pv_liquid_add_particle(w, liquid, pv_particle_create(w, &grain, NULL)),
                             PV_OK);
        }
        run(w, 10);
        pv_particle_id grains[1024];
        ck_assert_int_eq(pv_liquid_get_particles(w, liquid, grains, 1024), n);
        for (int k = 0; k < n; k++) depth -= 2 * pv_particle_get_position(w, grains[k]).y / n;
        about(depth, width / 2, "depth");
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(a_crate_at_rest_falls_asleep) {
    told("a_crate_at_rest_falls_asleep", 0.5);
    for (int i = 0; i < YARDS; i++) {
        pv_world *w = grounded(yards[i].g);
        pv_body_id b = crate(w, yards[i].side, 0);
        int frames = 0;
        for (; pv_body_is_awake(w, b) && frames < 600; frames++) step_well(w, DT);
        about(frames * DT, 0.5, "time");
        pv_world_destroy(w);
    }
}
END_TEST

RUN_SUITE("try_first", a_fall_takes_its_time, an_impulse_throws_so_high, a_mover_jumps_so_high,
          a_mover_clears_a_gap, a_bounce_returns_a_share_of_the_height, low_bounces_end,
          a_crate_stands_on_a_slope, a_slide_ends_after_a_way, a_ball_stops_after_a_way,
          a_ball_stands_on_a_slope, a_crate_takes_the_speed_of_a_belt,
          a_drop_is_told_and_half_of_it_is_not, a_drop_breaks_and_half_of_it_does_not,
          a_drop_leaves_a_hole, an_explosion_throws_so_high, a_joint_bears_so_many_weights,
          a_joint_breaks_at_a_hit, a_spring_stretches_under_a_load, a_spring_swings_at_a_rate,
          a_spring_calms_down, a_mouse_joint_follows, a_mouse_joint_does_not_swing,
          a_mouse_joint_pushes_through_no_wall, a_motor_starts_in_a_time, a_motor_holds_a_load,
          a_speed_halves_in_a_time, a_spin_halves_in_a_time, a_fall_has_a_largest_speed,
          a_thrust_has_a_largest_speed, a_wind_carries_along_in_a_time,
          a_wind_moves_a_crate_on_the_ground, an_attractor_holds_an_orbit, a_crate_floats_so_deep,
          a_mover_pushes_a_crate, a_mover_climbs_stairs, a_rope_sags,
          a_rope_tears_under_so_many_crates, a_cloth_stretches, a_jelly_keeps_its_height,
          a_liquid_fills_a_basin, a_crate_at_rest_falls_asleep)
