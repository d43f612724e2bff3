/* test_recipes.c - the formulas of docs/RECIPES.md, each in a scene of its own.
 *
 * Invariant: a scene takes its values from the formula of its row, which also gives the number.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

static const double DT = 1.0 / 60;
/// Gravity of a default world [px/s^2]
static const double GRAVITY = 320;
/// Restitution and kinetic friction of a default body, and its static friction as a multiple
static const double GROUND_BOUNCE = 0.2, GROUND_FRICTION = 0.5, STATIC_SHARE = 1.2;

/// Side of a crate [px], and gravity [px/s^2]
typedef struct yard {
    int side;
    double g;
} yard;

static const yard yards[] = {{32, 320}, {16, 900}, {64, 160}};
enum { YARDS = sizeof yards / sizeof *yards };

/// Returns the number in a row's fourth cell, which may have commas.
static double number_in(const char *line) {
    char digits[32] = "";
    size_t n = 0;
    for (int bar = 0; bar < 4; bar++) line = strchr(line, '|') + 1;
    for (; n + 1 < sizeof digits && *line && strchr(" 0123456789.,", *line); line++)
        if (*line != ',') digits[n++] = *line;
    return strtod(digits, NULL);
}

/// Returns a value. For the first yard, the test's row must agree within 1 %.
static double told(int i, double value) {
    char line[1024], end[160];
    bool found = false;
    if (i > 0) return value;
    snprintf(end, sizeof end, "| `%s` |\n", tcase_name());
    FILE *file = fopen(source_path("docs/RECIPES.md"), "r");
    ck_assert_msg(file != NULL, "docs/RECIPES.md is missing");
    while (!found && fgets(line, sizeof line, file)) found = strstr(line, end) != NULL;
    fclose(file);
    ck_assert_msg(found, "docs/RECIPES.md has no row of %s", tcase_name());
    double said = number_in(line);
    ck_assert_msg(fabs(said - value) <= 0.01 * value, "docs/RECIPES.md: %s is %g, not %g",
                  tcase_name(), said, value);
    return value;
}

/// Checks that a value is within 15 % of another.
static void about(double found, double wanted, const char *what) {
    ck_assert_msg(fabs(found - wanted) <= 0.15 * fabs(wanted), "%s: %g instead of %g", what, found,
                  wanted);
}

/* ---- the yard ---- */

/// World of the test, its crate, and the yard's numbers. Each test runs in all yards.
static pv_world *w;
static pv_body_id box;
static int side;
static double g, mass;

/// Place of the crate: without gravity, with it, or on ground whose surface is y = 0
enum { SPACE, AIR, GROUND };

static void leave(void) {
    pv_world_destroy(w);
    w = NULL;
}

static double x_of(void) { return pv_body_get_position(w, box).x; }
static double y_of(void) { return pv_body_get_position(w, box).y; }

/// Adds ground whose surface is y = 0, turned about (0, 0) by an angle [rad].
static pv_body_id ground(double angle) {
    return put(w, box_mask(3000, 40), -20 * sin(angle), 20 * cos(angle),
               WITH(of_type(PV_BODY_STATIC), it.angle = angle));
}

/// Takes a yard's numbers, and opens an empty world from a def with the yard's gravity.
static void open_yard(int i, pv_world_def def) {
    leave();
    side = yards[i].side;
    g = yards[i].g;
    mass = (double)side * side;
    def.gravity = PV_VEC2(0, g);
    w = create_world(&def);
}

/// Opens a yard with a crate, whose lower side is a height above (0, 0).
static void enter(int i, int where, double height) {
    open_yard(i, pv_world_def_default());
    if (where == SPACE) pv_world_set_gravity(w, PV_VEC2(0, 0));
    if (where == GROUND) ground(0);
    box = put(w, box_mask(side, side), 0, -height - side / 2.0, pv_body_def_default());
}

static void run(double seconds) { steps_well(w, (int)lround(seconds * 60)); }

static double time_until(double (*number)(void), double wanted) {
    int frames = 0;
    for (; number() < wanted && frames < 600; frames++) step_well(w, DT);
    return frames * DT;
}

/// Returns how far the crate rises within some seconds [px].
static double rise_within(double seconds) {
    double start = y_of(), top = start;
    for (int i = 0; i < (int)lround(seconds * 60); i++) {
        step_well(w, DT);
        top = fmin(top, y_of());
    }
    return start - top;
}

/* ---- falls and jumps ---- */

START_TEST(a_fall_takes_its_time) {
    static const double falls[][2] = {{160, 1}, {100, 0.5}, {600, 0.8}};
    double height = falls[_i][0], seconds = falls[_i][1];
    enter(_i, AIR, 0);
    pv_world_set_gravity(w, PV_VEC2(0, told(_i, 2 * height / (seconds * seconds))));
    about(time_until(y_of, y_of() + height), seconds, "time");
}

static double jump_speed(double height, double gravity) { return sqrt(2 * gravity * height); }

START_TEST(an_impulse_throws_so_high) {
    enter(_i, GROUND, 0);
    run(0.5);
    pv_body_apply_impulse(w, box, PV_VEC2(0, -told(_i, mass * jump_speed(2 * side, g))));
    about(rise_within(3), 2 * side, "height");
}

/// Returns a mover with a box mask and its pivot between the feet.
static pv_mover walker(double x) {
    static pv_mask *mask;
    if (!mask) mask = box_mask(16, 32);
    return WITH(pv_mover_default(), it.mask = mask, it.pivot = PV_VEC2(8, 32),
                it.position = PV_VEC2(x, 0));
}

/// Lets a mover jump. Returns the height, and sets the distance until it stands again [px].
static double mover_jump(double jump, double gravity, double speed, double *far) {
    pv_mover m = walker(0);
    double top = 0, from;
    open_yard(0, pv_world_def_default());
    ground(0);
    for (int i = 0; i < 30; i++) pv_mover_move(w, &m, PV_VEC2(0, m.velocity.y + gravity * DT), DT);
    ck_assert(m.grounded);
    from = m.position.x;
    ck_assert_int_eq(pv_mover_move(w, &m, PV_VEC2(speed, -jump), DT), PV_OK);
    for (int i = 0; i < 600 && !m.grounded; i++) {
        top = fmin(top, m.position.y);
        pv_mover_move(w, &m, PV_VEC2(speed, m.velocity.y + gravity * DT), DT);
    }
    *far = m.position.x - from;
    return -top;
}

START_TEST(a_mover_jumps_so_high) {
    static const double jumps[][2] = {{64, 900}, {120, 1600}, {48, 600}};
    double far, height = jumps[_i][0], gravity = jumps[_i][1];
    about(mover_jump(told(_i, jump_speed(height, gravity)), gravity, 0, &far), height, "height");
}

START_TEST(a_mover_clears_a_gap) {
    static const double gaps[][3] = {{128, 64, 900}, {300, 120, 1600}, {60, 48, 600}};
    double far, gap = gaps[_i][0], gravity = gaps[_i][2], jump = jump_speed(gaps[_i][1], gravity);
    mover_jump(jump, gravity, told(_i, gap * gravity / (2 * jump)), &far);
    about(far, gap, "distance");
}

/* ---- surfaces ---- */

START_TEST(a_bounce_returns_a_share_of_the_height) {
    static const double shares[] = {0.25, 0.1, 0.36};
    double height = 4 * yards[_i].side;
    enter(_i, GROUND, height);
    pv_body_set_restitution(w, box, told(_i, 2 * sqrt(shares[_i]) - GROUND_BOUNCE));
    while (pv_world_get_events(w).hit_count == 0) step_well(w, DT);
    double low = y_of() + side / 2.0;
    about(rise_within(3) - low, shares[_i] * height, "bounce");
}

START_TEST(low_bounces_end) {
    static const double heights[] = {0.4, 2, 10};
    for (int high = 0; high < 2; high++) {
        double height = heights[_i] * (high ? 1.3 : 0.7);
        double threshold = told(_i, jump_speed(heights[_i], yards[_i].g));
        open_yard(_i, WITH(pv_world_def_default(), it.restitution_threshold = threshold));
        pv_body_set_restitution(w, ground(0), 1);
        box = put(w, box_mask(side, side), 0, -height - side / 2.0, pv_body_def_default());
        pv_body_set_restitution(w, box, 1);
        run(jump_speed(height, g) / g + DT);
        double low = -side / 2.0 - y_of(), back = low + rise_within(1);
        ck_assert_msg(high ? back > 0.3 * height : back < 0.1, "%g of %g", back, height);
    }
}

/// Returns how far a body slides or rolls down a slope in a second [px].
static double slip_on(int i, bool round, double degrees, double friction, double rolling) {
    double a = degrees * M_PI / 180;
    open_yard(i, pv_world_def_default());
    ground(a);
    box = put(w, round ? disc_mask(side / 2) : box_mask(side, side), sin(a) * side / 2,
              -cos(a) * side / 2,
              WITH(pv_body_def_default(), it.angle = a, it.friction = friction,
                   it.rolling_resistance = rolling));
    run(0.5);
    pv_vec2 from = pv_body_get_position(w, box);
    run(1);
    return pv_vec2_length(pv_vec2_sub(from, pv_body_get_position(w, box)));
}

START_TEST(a_crate_stands_on_a_slope) {
    static const double slopes[] = {35, 25, 30};
    double steep = tan(slopes[_i] * M_PI / 180),
           friction = told(_i, 2 * steep / STATIC_SHARE - GROUND_FRICTION);
    ck_assert_double_lt(slip_on(_i, false, slopes[_i] - 2, friction, 0), 0.5);
    ck_assert_double_gt(slip_on(_i, false, slopes[_i] + 2, friction, 0), 4);
}

START_TEST(a_slide_ends_after_a_way) {
    static const double slides[][2] = {{200, 100}, {300, 80}, {120, 70}};
    double speed = slides[_i][0], way = slides[_i][1];
    enter(_i, GROUND, 0);
    pv_body_set_friction(w, box, told(_i, speed * speed / (g * way) - GROUND_FRICTION));
    run(0.5);
    pv_body_set_velocity(w, box, PV_VEC2(speed, 0));
    run(4);
    about(x_of(), way, "way");
}

START_TEST(a_ball_stops_after_a_way) {
    static const double rolls[][2] = {{100, 200}, {150, 300}, {80, 150}};
    double speed = rolls[_i][0], way = rolls[_i][1], radius = yards[_i].side / 2.0;
    open_yard(_i, pv_world_def_default());
    ground(0);
    box = put(w, disc_mask((int)radius), 0, -radius, pv_body_def_default());
    pv_body_set_rolling_resistance(w, box, told(_i, 1.5 * speed * speed * radius / (g * way)));
    run(0.5);
    double from = x_of();
    pv_body_set_velocity(w, box, PV_VEC2(speed, 0));
    pv_body_set_angular_velocity(w, box, speed / radius);
    run(8);
    about(x_of() - from, way, "way");
}

START_TEST(a_ball_stands_on_a_slope) {
    static const double slopes[] = {5, 10, 15};
    double rolling = told(_i, yards[_i].side * tan(slopes[_i] * M_PI / 180));
    ck_assert_double_lt(slip_on(_i, true, 0.85 * slopes[_i], 0.5, rolling), 0.5);
    ck_assert_double_gt(slip_on(_i, true, 1.15 * slopes[_i], 0.5, rolling), 1);
}

static double vx_of(void) { return pv_body_get_velocity(w, box).x; }
static double spin_of(void) { return pv_body_get_angular_velocity(w, box); }

START_TEST(a_crate_takes_the_speed_of_a_belt) {
    static const double belts[][2] = {{80, 0.5}, {150, 0.3}, {60, 0.6}};
    double speed = belts[_i][0], time = belts[_i][1];
    enter(_i, AIR, 0);
    pv_body_set_tangent_speed(w, ground(0), speed);
    pv_body_set_friction(w, box, told(_i, 2 * speed / (g * time) - GROUND_FRICTION));
    about(time_until(vx_of, 0.98 * speed), time, "time");
}

/* ---- hits, breaks and explosions ---- */

START_TEST(a_drop_is_told_and_half_of_it_is_not) {
    for (int half = 0; half < 2; half++) {
        double height = 2 * yards[_i].side, heard = 0;
        pv_world_def def = pv_world_def_default();
        def.hit_event_threshold = told(_i, jump_speed(0.75 * height, yards[_i].g));
        open_yard(_i, def);
        ground(0);
        put(w, box_mask(side, side), 0, -side / 2.0 - height / (1 + half), pv_body_def_default());
        for (int frame = 0; frame < 180; frame++) {
            step_well(w, DT);
            pv_events e = pv_world_get_events(w);
            if (e.hit_count > 0) heard = fmax(heard, e.hits[0].speed);
        }
        if (half) ck_assert(heard == 0);
        if (!half) about(heard, jump_speed(height, g), "speed");
    }
}

static double drop_impulse(double height) {
    return mass * (1 + GROUND_BOUNCE) * jump_speed(height, g);
}

static void set_toughness(pv_body_id body, double toughness) {
    pv_fracture_def f = WITH(pv_fracture_def_default(), it.toughness = toughness);
    ck_assert_int_eq(pv_body_set_fracture(w, body, &f), PV_OK);
}

START_TEST(a_drop_breaks_and_half_of_it_does_not) {
    for (int half = 0; half < 2; half++) {
        double height = 3 * yards[_i].side;
        enter(_i, GROUND, half ? height / 2 : height);
        set_toughness(box, told(_i, drop_impulse(0.75 * height)));
        run(3);
        bool whole = pv_mask_count_pixels(pv_body_get_mask(w, box)) == side * side;
        ck_assert_msg(whole == half, "a crate of %d px from %g px", side, height);
    }
}

START_TEST(a_drop_leaves_a_hole) {
    static const double holes[] = {8, 5, 12};
    double height = 3 * yards[_i].side;
    enter(_i, AIR, height);
    set_toughness(ground(0), told(_i, drop_impulse(height) / (1 + holes[_i] * holes[_i] / 4)));
    while (pv_world_get_events(w).dirty_rect_count == 0) step_well(w, DT);
    pv_rect hole = pv_world_get_events(w).dirty_rects[0].rect;
    ck_assert_double_le(fabs(hole.w / 2.0 - holes[_i]), 0.15 * holes[_i] + 1);
}

START_TEST(an_explosion_throws_so_high) {
    static const double apart[] = {0.5, 0.25, 1.5};
    enter(_i, GROUND, 0);
    run(0.5);
    double d = apart[_i] * side, reach = 4 * side, height = 3 * side;
    double half = atan2(side / 2.0, d),
           impulse =
               told(_i, mass * jump_speed(height, g) * half / (side * sin(half) * (1 - d / reach)));
    ck_assert_int_eq(pv_world_explode(w, PV_VEC2(0, d), reach, impulse), PV_OK);
    about(rise_within(4), height, "height");
}

/* ---- joints ---- */

/// Hangs the crate from the world, by a joint at the middle of its upper side.
static pv_joint_id hang(pv_joint_def def, double length) {
    def.a = pv_anchor_world(PV_VEC2(x_of(), y_of() - side / 2.0 - length));
    def.b = pv_anchor_body(box, PV_VEC2(x_of(), y_of() - side / 2.0));
    return CREATE_WELL(joint, w, def);
}

START_TEST(a_joint_bears_so_many_weights) {
    static const pv_joint_type types[] = {PV_JOINT_DISTANCE, PV_JOINT_ROPE, PV_JOINT_PIN,
                                          PV_JOINT_WELD};
    for (int k = 0; k < 8; k++) {
        bool heavy = k % 2;
        enter(_i, AIR, 0);
        pv_joint_def def = WITH(pv_joint_def_default(), it.type = types[k / 2],
                                it.break_force = told(_i, 3 * mass * g));
        pv_body_set_mass(w, box, (heavy ? 3.3 : 2.7) * mass);
        pv_joint_id joint = hang(def, k / 2 < 2 ? 40 : 0);
        run(2);
        ck_assert_msg(pv_joint_is_valid(w, joint) != heavy, "type %d, %s", (int)def.type,
                      heavy ? "held" : "broke");
    }
}

START_TEST(a_joint_breaks_at_a_hit) {
    static const double hits[][2] = {{50, 1}, {120, 4}, {200, 0.5}};
    for (int fast = 0; fast < 2; fast++) {
        enter(_i, AIR, 0);
        pv_body_def shot =
            WITH(pv_body_def_default(), it.mass = hits[_i][1] * mass,
                 it.velocity.y = (fast ? 1.15 : 0.85) * hits[_i][0], it.gravity_scale = 0);
        pv_joint_def def = WITH(pv_joint_def_default(), it.type = PV_JOINT_ROPE);
        /* for a rigid joint, with 960 substeps a second */
        def.break_force = told(_i, 960 * (1 + GROUND_BOUNCE) * hits[_i][0] * mass * shot.mass /
                                       (mass + shot.mass));
        pv_joint_id joint = hang(def, 100);
        run(0.5);
        put(w, box_mask(side, side), 0, -1.5 * side - 10, shot);
        run(1);
        ck_assert_msg(pv_joint_is_valid(w, joint) != fast, "%s", fast ? "held" : "broke");
    }
}

static pv_joint_def spring_of(double stiffness, double damping) {
    return WITH(pv_joint_def_default(), it.stiffness = stiffness, it.damping = damping);
}

START_TEST(a_spring_stretches_under_a_load) {
    static const double stretches[] = {8, 5, 20};
    enter(_i, AIR, 0);
    double from = y_of(), stiffness = told(_i, mass * g / stretches[_i]);
    hang(spring_of(stiffness, sqrt(stiffness * mass)), 60);
    run(5);
    about(y_of() - from, stretches[_i], "stretch");
}

/// Lets a yard's crate swing on a spring, from 10 px below its rest. Returns the time until it is
/// highest [s], and sets *over to its distance from rest then [px].
static double half_swing(int i, double hertz, double ratio, double *over) {
    enter(i, SPACE, 0);
    double rest = y_of(), rate = 2 * M_PI * hertz, damping = 2 * ratio * mass * rate;
    hang(spring_of(mass * rate * rate, damping), 60);
    told(i, ratio > 0 ? damping : mass * rate * rate);
    pv_body_set_position(w, box, PV_VEC2(0, rest + 10));
    int frames = 0;
    for (*over = -10; rest - y_of() >= *over && frames < 600; frames++) {
        *over = rest - y_of();
        step_well(w, DT);
    }
    return (frames - 1) * DT;
}

START_TEST(a_spring_swings_at_a_rate) {
    static const double rates[] = {2, 1, 3};
    double over;
    about(half_swing(_i, rates[_i], 0, &over), 0.5 / rates[_i], "half of a swing");
    about(over, 10, "other side");
}

START_TEST(a_spring_calms_down) {
    static const double ratios[] = {0.3, 0.15, 0.5};
    double over, z = ratios[_i];
    half_swing(_i, 2, z, &over);
    about(over, 10 * exp(-M_PI * z / sqrt(1 - z * z)), "other side");
}

/// Returns a mouse joint's rate for a lag [1/s]. Targets set once a step are half a step ahead.
static double mouse_rate(double speed, double lag) { return 2 * speed / (lag + speed * DT / 2); }

/// Speed of the pointer [px/s], and lag [px], in each yard
static const double pointers[][2] = {{200, 10}, {400, 12}, {100, 4}};

/// Adds a mouse joint at the crate's middle, with a rate, and with force to spare for a speed.
static pv_joint_id lead(double rate, double speed) {
    pv_joint_id joint = pv_joint_create_mouse(w, box, pv_body_get_position(w, box));
    double most = mass * (pv_world_get_gravity(w).y + 2 * rate * speed);
    ck_assert_int_eq(pv_joint_set_spring(w, joint, mass * rate * rate, 2 * mass * rate), PV_OK);
    ck_assert_int_eq(pv_joint_set_max_force(w, joint, most), PV_OK);
    return joint;
}

START_TEST(a_mouse_joint_follows) {
    double speed = pointers[_i][0], lag = pointers[_i][1], rate = mouse_rate(speed, lag);
    enter(_i, AIR, 0);
    pv_vec2 from = pv_body_get_position(w, box);
    pv_joint_id joint = lead(rate, speed);
    told(_i, mass * rate * rate);
    for (int frame = 1; frame <= 120; frame++) {
        pv_joint_set_target(w, joint, PV_VEC2(from.x + speed * DT * frame, from.y));
        step_well(w, DT);
    }
    about(from.x + 2 * speed - x_of(), lag, "lag");
    run(2);
    about(y_of() - from.y, g / (rate * rate), "sag");
}

START_TEST(a_mouse_joint_does_not_swing) {
    enter(_i, SPACE, 0);
    pv_vec2 from = pv_body_get_position(w, box);
    double rate = mouse_rate(pointers[_i][0], pointers[_i][1]);
    told(_i, 2 * mass * rate);
    pv_joint_set_target(w, lead(rate, 1e6), PV_VEC2(from.x + 50, from.y));
    double far = 0;
    for (int frame = 0; frame < 180; frame++) {
        step_well(w, DT);
        far = fmax(far, x_of() - from.x);
    }
    ck_assert_double_le(fabs(far - 50), 1);
}

START_TEST(a_mouse_joint_pushes_through_no_wall) {
    double speed = pointers[_i][0], rate = mouse_rate(speed, pointers[_i][1]);
    enter(_i, AIR, 0);
    pv_vec2 from = pv_body_get_position(w, box);
    pv_body_id wall = put(w, box_mask(8, 400), 100, 0, of_type(PV_BODY_STATIC));
    pv_joint_id joint = lead(rate, speed);
    told(_i, mass * (g + 2 * rate * speed));
    for (int frame = 1; frame <= 180; frame++) {
        pv_joint_set_target(w, joint, PV_VEC2(from.x + speed * DT * frame, from.y));
        step_well(w, DT);
        ck_assert_double_le(x_of(), 96 - side / 2.0 + 1);
    }
    ck_assert_double_ge(x_of(), 96 - side / 2.0 - 1);
    ck_assert(pv_body_is_valid(w, wall));
}

START_TEST(a_motor_starts_in_a_time) {
    static const double starts[][2] = {{10, 0.5}, {20, 0.3}, {5, 1}};
    double speed = starts[_i][0], time = starts[_i][1];
    enter(_i, AIR, 0);
    pv_joint_create_pin(w, box, pv_null_body, pv_body_get_position(w, box));
    pv_joint_create_motor(w, pv_null_body, box, speed,
                          told(_i, mass * side * side / 6 * speed / time));
    about(time_until(spin_of, 0.98 * speed), time, "time");
}

/// Returns the speed at which a load creeps down under a motor that can hold it [rad/s].
static double creep_of(double lever) { return mass * g * lever / (960 * mass * side * side / 6); }

START_TEST(a_motor_holds_a_load) {
    for (int weak = 0; weak < 2; weak++) {
        enter(_i, AIR, 0);
        double lever = side, torque = told(_i, mass * g * lever), creep = 0.3 * creep_of(lever);
        pv_joint_create_pin(w, box, pv_null_body, PV_VEC2(x_of() - lever, y_of()));
        pv_joint_create_motor(w, pv_null_body, box, 0, (weak ? 0.85 : 1.15) * torque);
        run(0.3);
        double turned = fabs(pv_body_get_angle(w, box));
        ck_assert_msg(weak ? turned > 2 * creep : turned < 1.15 * creep, "turned by %g", turned);
    }
}

/* ---- damping and forces ---- */

static const double half_times[] = {0.5, 0.2, 2};

START_TEST(a_speed_halves_in_a_time) {
    enter(0, SPACE, 0);
    pv_body_set_linear_damping(w, box, told(_i, M_LN2 / half_times[_i]));
    pv_body_set_velocity(w, box, PV_VEC2(100, 0));
    run(half_times[_i]);
    about(vx_of(), 50, "speed");
}

START_TEST(a_spin_halves_in_a_time) {
    enter(0, SPACE, 0);
    pv_body_set_angular_damping(w, box, told(_i, M_LN2 / half_times[_i]));
    pv_body_set_angular_velocity(w, box, 10);
    run(half_times[_i]);
    about(spin_of(), 5, "angular velocity");
}

START_TEST(a_fall_has_a_largest_speed) {
    static const double speeds[] = {200, 300, 100};
    enter(_i, AIR, 0);
    pv_body_set_linear_damping(w, box, told(_i, g / speeds[_i]));
    run(5);
    about(pv_body_get_velocity(w, box).y, speeds[_i], "speed");
}

START_TEST(a_thrust_has_a_largest_speed) {
    static const double thrusts[][2] = {{2, 150}, {1, 300}, {4, 80}};
    double damping = thrusts[_i][0], speed = thrusts[_i][1];
    enter(_i, SPACE, 0);
    double thrust = told(_i, mass * damping * speed);
    pv_body_set_linear_damping(w, box, damping);
    for (int frame = 0; frame < 300; frame++) {
        pv_body_apply_force(w, box, PV_VEC2(thrust, 0));
        step_well(w, DT);
    }
    about(vx_of(), speed, "speed");
}

static void blow(double drag) {
    CREATE(force_field, w, it.velocity = PV_VEC2(200, 0), it.drag_coefficient = drag);
}

START_TEST(a_wind_carries_along_in_a_time) {
    static const double times[] = {1, 0.5, 2};
    enter(_i, SPACE, 0);
    blow(told(_i, mass / (side * times[_i])));
    run(times[_i]);
    about(vx_of(), 200 * (1 - exp(-1)), "speed");
}

START_TEST(a_wind_moves_a_crate_on_the_ground) {
    for (int weak = 0; weak < 2; weak++) {
        enter(_i, GROUND, 0);
        blow((weak ? 0.85 : 1.15) *
             told(_i, STATIC_SHARE * GROUND_FRICTION * mass * g / (side * 200)));
        run(1);
        ck_assert_msg(weak ? x_of() < 0.5 : x_of() > 1, "moved by %g", x_of());
    }
}

START_TEST(an_attractor_holds_an_orbit) {
    static const double orbits[][2] = {{100, 200}, {300, 400}, {60, 100}};
    double speed = orbits[_i][0], radius = orbits[_i][1];
    enter(_i, SPACE, 0);
    pv_force_field_def sun = WITH(pv_force_field_def_default(), it.type = PV_FORCE_FIELD_ATTRACTOR,
                                  it.point = PV_VEC2(x_of(), y_of() + radius), it.radius = radius,
                                  it.strength = told(_i, speed * speed / radius));
    pv_force_field_create(w, &sun, NULL);
    pv_body_set_velocity(w, box, PV_VEC2(speed, 0));
    for (int frame = 0; frame < 600; frame++) {
        step_well(w, DT);
        about(pv_vec2_length(pv_vec2_sub(pv_body_get_position(w, box), sun.point)), radius,
              "radius");
    }
}

START_TEST(a_crate_floats_so_deep) {
    static const double shares[] = {0.75, 0.4, 0.9};
    enter(_i, AIR, -yards[_i].side / 2.0);
    pv_body_set_motion_locks(w, box, PV_LOCK_ROTATION);
    CREATE(force_field, w, it.type = PV_FORCE_FIELD_BUOYANCY,
           it.area = (pv_box){{-1000, 0}, {1000, 1000}}, it.density = told(_i, 1 / shares[_i]));
    run(20);
    about(y_of() + side / 2.0, shares[_i] * side, "depth");
}

/* ---- movers ---- */

START_TEST(a_mover_pushes_a_crate) {
    for (int weak = 0; weak < 2; weak++) {
        enter(_i, GROUND, 0);
        run(0.5);
        pv_mover m = walker(-side / 2.0 - 12);
        m.push_force = (weak ? 0.85 : 1.15) * told(_i, STATIC_SHARE * GROUND_FRICTION * mass * g);
        for (int frame = 0; frame < 120; frame++) {
            pv_mover_move(w, &m, PV_VEC2(60, m.velocity.y + g * DT), DT);
            step_well(w, DT);
        }
        ck_assert_msg(weak ? x_of() < 1 : x_of() > 20, "moved by %g", x_of());
    }
}

START_TEST(a_mover_climbs_stairs) {
    static const int steps[] = {8, 3, 16};
    for (int high = 0; high < 2; high++) {
        int rise = steps[_i] + high;
        open_yard(_i, pv_world_def_default());
        ground(0);
        put(w, box_mask(200, rise), 150, -rise / 2.0, of_type(PV_BODY_STATIC));
        pv_mover m = WITH(walker(0), it.step_height = told(_i, steps[_i]));
        for (int frame = 0; frame < 120; frame++)
            pv_mover_move(w, &m, PV_VEC2(60, m.velocity.y + 900 * DT), DT);
        ck_assert_msg(high ? m.position.x < 50 : m.position.x > 100, "%g", m.position.x);
    }
}

/* ---- ropes, cloth, jelly, liquids ---- */

static double end_of(pv_composite_id matter, double (*end)(double, double)) {
    pv_particle_id grains[400];
    double y = 0;
    int n = pv_composite_get_particles(w, matter, grains, 400);
    for (int k = 0; k < n; k++) y = end(y, pv_particle_get_position(w, grains[k]).y);
    return y;
}

START_TEST(a_rope_sags) {
    static const double sags[][2] = {{40, 200}, {30, 300}, {20, 80}};
    double sag = sags[_i][0] / sags[_i][1];
    open_yard(_i, pv_world_def_default());
    pv_composite_id rope = CREATE(rope, w, it.to = pv_anchor_world(PV_VEC2(sags[_i][1], 0)),
                                  it.slack = told(_i, 8.0 / 3 * sag * sag), it.linear_damping = 3);
    run(5);
    about(end_of(rope, fmax), sags[_i][0], "sag");
}

START_TEST(a_rope_tears_under_so_many_crates) {
    for (int heavy = 0; heavy < 2; heavy++) {
        enter(_i, AIR, 0);
        pv_body_set_mass(w, box, (heavy ? 3.45 : 2.55) * mass);
        pv_composite_id rope =
            CREATE(rope, w, it.from = pv_anchor_world(PV_VEC2(x_of(), y_of() - 100)),
                   it.to = pv_anchor_body(box, PV_VEC2(x_of(), y_of() - side / 2.0)),
                   it.break_force = told(_i, 3 * mass * g));
        int whole = pv_composite_get_joints(w, rope, NULL, 0);
        run(3);
        bool held = pv_composite_get_joints(w, rope, NULL, 0) == whole;
        ck_assert_msg(held != heavy, "%s", held ? "held" : "tore");
    }
}

START_TEST(a_cloth_stretches) {
    static const double stretches[] = {24, 60, 12};
    open_yard(_i, pv_world_def_default());
    pv_cloth_def def =
        WITH(pv_cloth_def_default(), it.columns = 6, it.linear_damping = 3,
             it.stiffness = told(_i, it.mass * g * it.rows * (it.rows - 1) / (2 * stretches[_i])));
    pv_composite_id cloth = pv_cloth_create(w, &def, NULL);
    run(8);
    pv_particle_id grains[180];
    ck_assert_int_eq(pv_composite_get_particles(w, cloth, grains, 180), 180);
    about(pv_particle_get_position(w, grains[179]).y - 29 * def.spacing, stretches[_i], "stretch");
}

/// Returns the stiffness with which a jelly's own weight squashes it by some pixels.
static double stiffness_of_jelly(double density, double gravity, double height, double squash) {
    return 0.07 * density * gravity * height * height / squash;
}

START_TEST(a_jelly_keeps_its_height) {
    told(0, stiffness_of_jelly(0.05, GRAVITY, 32, 0.5));
    static const int heights[] = {32, 64, 96};
    int height = heights[_i];
    double squash = 0.03 * height, tops[2];
    scoped_mask *mask = box_mask(height, height);
    for (int hard = 0; hard < 2; hard++) {
        open_yard(_i, pv_world_def_default());
        ground(0);
        pv_composite_id jelly =
            CREATE(jelly, w, it.mask = mask, it.position.y = -height / 2.0 - 2, it.friction = 0,
                   it.stiffness = hard ? 1e6 : stiffness_of_jelly(it.density, g, height, squash));
        run(10);
        tops[hard] = end_of(jelly, fmin);
    }
    about(tops[0] - tops[1], squash, "squash");
}

static double grains_of(double area, double radius) { return area / (26.0 / 9 * radius * radius); }

START_TEST(a_liquid_fills_a_basin) {
    told(0, grains_of(128 * 64, 3));
    static const double radii[] = {3, 2, 4};
    double r = radii[_i], width = 42 * r, depth = 0;
    open_yard(_i, pv_world_def_default());
    ground(0);
    for (int k = -1; k < 2; k += 2)
        put(w, box_mask(40, 400), k * (width / 2 + 20), -180, of_type(PV_BODY_STATIC));
    pv_liquid_id liquid = CREATE(liquid, w, it.interaction_radius = 4 * r);
    int n = (int)grains_of(width * width / 2, r), columns = (int)(width / (1.8 * r)) - 1;
    for (int k = 0; k < n; k++) {
        pv_particle_id particle =
            CREATE(particle, w, it.radius = r,
                   it.position = PV_VEC2((k % columns - (columns - 1) / 2.0) * 1.8 * r,
                                         -(k / columns + 0.6) * 1.8 * r));
        ck_assert_int_eq(pv_liquid_add_particle(w, liquid, particle), PV_OK);
    }
    run(10);
    pv_particle_id grains[1024];
    ck_assert_int_eq(pv_liquid_get_particles(w, liquid, grains, 1024), n);
    for (int k = 0; k < n; k++) depth -= 2 * pv_particle_get_position(w, grains[k]).y / n;
    about(depth, width / 2, "depth");
}

static double sleeps(void) { return !pv_body_is_awake(w, box); }

START_TEST(a_crate_at_rest_falls_asleep) {
    enter(_i, GROUND, 0);
    about(time_until(sleeps, 1), told(_i, 0.5), "time");
}

RUN_TESTS_IN("recipes", NULL, leave, YARDS)
