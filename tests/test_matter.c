/* test_matter.c - particles: how they move, what they hit, what is refused.
 *
 * Invariant: expected values are closed formulas of mechanics and sums of momenta, never the
 * library's own output. What is said of a world is asked of one with sleeping and of one without.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#define STEP (1.0 / 60)

static const double PI = 3.14159265358979323846;

static pv_world *open_world(double gravity, int substeps, bool sleeping) {
    pv_world_def def = pv_world_def_default();
    def.gravity = (pv_vec2){0, gravity};
    def.substeps = substeps;
    def.enable_sleep = sleeping;
    pv_world *w = pv_world_create(&def, NULL);
    ck_assert_ptr_nonnull(w);
    return w;
}

static pv_particle_def grain(double x, double y) {
    pv_particle_def def = pv_particle_def_default();
    def.position = (pv_vec2){x, y};
    return def;
}

static pv_particle_id add(pv_world *w, pv_particle_def def) {
    pv_error error = {.status = PV_ERROR_MEMORY};
    pv_particle_id p = pv_particle_create(w, &def, &error);
    ck_assert_msg(error.status == PV_OK, "%s", error.message);
    return p;
}

static pv_particle_id add_flying(pv_world *w, double x, double y, double vx, double vy) {
    pv_particle_def def = grain(x, y);
    def.velocity = (pv_vec2){vx, vy};
    return add(w, def);
}

static void run(pv_world *w, int steps) {
    for (int i = 0; i < steps; i++) step_well(w, STEP);
}

/* ---- alone ---- */

START_TEST(without_forces_it_goes_straight_on) {
    for (int sleeping = 0; sleeping < 2; sleeping++) {
        pv_world *w = open_world(0, 0, sleeping);
        pv_particle_id p = add_flying(w, 10, 20, 90, -30);
        run(w, 600);
        ck_assert_double_eq_tol(pv_particle_get_position(w, p).x, 10 + 900, 1e-8);
        ck_assert_double_eq_tol(pv_particle_get_position(w, p).y, 20 - 300, 1e-8);
        ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).x, 90, 1e-8);
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(a_fall_is_the_sum_of_its_gains) {
    for (int substeps = 1; substeps <= 16; substeps *= 4) {
        pv_world *w = open_world(320, substeps, true);
        pv_particle_id p = add_flying(w, 0, 0, 50, -100);
        run(w, 120);
        double h = STEP / substeps, n = 120 * substeps, t = n * h;
        ck_assert_double_eq_tol(pv_particle_get_position(w, p).x, 50 * t, 1e-8);
        ck_assert_double_eq_tol(pv_particle_get_position(w, p).y,
                                -100 * t + 320 * h * h * n * (n + 1) / 2, 1e-7);
        ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).y, -100 + 320 * t, 1e-7);
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(drag_takes_the_same_part_of_the_way_each_time) {
    static const double drags[] = {0, 0.3, 6, 59};
    for (size_t i = 0; i < sizeof drags / sizeof *drags; i++) {
        pv_world *w = open_world(0, 1, true);
        pv_particle_def def = grain(5, 0);
        def.velocity = (pv_vec2){600, 0};
        def.linear_damping = drags[i];
        pv_particle_id p = add(w, def);
        double keep = 1 - drags[i] * STEP, way = 600 * STEP, x = 5;
        for (int n = 0; n < 60; n++) {
            run(w, 1);
            x += way *= keep;
            ck_assert_double_eq_tol(pv_particle_get_position(w, p).x, x, 1e-9);
            ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).x, 600 * pow(keep, n + 1), 1e-8);
        }
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(drag_of_a_substep_or_more_stops_it) {
    pv_world *w = open_world(0, 1, true);
    pv_particle_def def = grain(5, 0);
    def.velocity = (pv_vec2){600, 0};
    def.linear_damping = 1000;
    pv_particle_id p = add(w, def);
    run(w, 3);
    ck_assert_double_eq(pv_particle_get_position(w, p).x, 5);
    pv_world_destroy(w);
}
END_TEST

START_TEST(a_fall_with_drag_ends_at_its_terminal_speed) {
    pv_world *w = open_world(320, 0, true);
    pv_particle_def def = grain(0, 0);
    def.linear_damping = 4;
    pv_particle_id p = add(w, def);
    run(w, 600);
    ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).y, 320 / 4.0, 1e-6);
    pv_world_destroy(w);
}
END_TEST

START_TEST(forces_act_for_a_step_and_by_mass) {
    pv_world *w = open_world(0, 0, true);
    pv_particle_def def = grain(0, 0);
    def.mass = 4;
    pv_particle_id p = add(w, def);
    pv_particle_apply_force(w, p, (pv_vec2){400, 0});
    pv_particle_apply_force(w, p, (pv_vec2){80, 240});
    run(w, 1);
    ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).x, 120 * STEP, 1e-10);
    ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).y, 60 * STEP, 1e-10);
    run(w, 5);
    ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).x, 120 * STEP, 1e-10);
    pv_particle_apply_impulse(w, p, (pv_vec2){-480 * STEP, 0});
    ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).x, 0, 1e-10);
    pv_world_destroy(w);
}
END_TEST

START_TEST(steps_of_other_lengths_keep_velocities) {
    pv_world *w = open_world(0, 0, true);
    pv_particle_id p = add_flying(w, 0, 0, 100, 50);
    double t = 0;
    for (int i = 1; i <= 30; i++, t += 1.0 / (30 + i)) step_well(w, 1.0 / (30 + i));
    t = 0;
    for (int i = 1; i <= 30; i++) t += 1.0 / (30 + i);
    ck_assert_double_eq_tol(pv_particle_get_position(w, p).x, 100 * t, 1e-9);
    ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).y, 50, 1e-9);
    pv_world_destroy(w);
}
END_TEST

START_TEST(what_is_pinned_stays) {
    pv_world *w = open_world(320, 0, true);
    pv_particle_def def = grain(3, 4);
    def.mass = 0;
    def.velocity = (pv_vec2){100, 0};
    pv_particle_id p = add(w, def);
    run(w, 30);
    ck_assert_double_eq(pv_particle_get_position(w, p).x, 3);
    ck_assert_double_eq(pv_particle_get_position(w, p).y, 4);
    ck_assert_int_eq(pv_particle_set_velocity(w, p, (pv_vec2){1, 0}), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_particle_apply_force(w, p, (pv_vec2){1, 0}), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_particle_set_mass(w, p, 2), PV_OK);
    run(w, 30);
    ck_assert_double_gt(pv_particle_get_position(w, p).y, 4 + 320 / 2.0 * 0.25);
    pv_world_destroy(w);
}
END_TEST

START_TEST(a_shift_is_a_velocity_too) {
    pv_world *w = open_world(0, 8, true);
    pv_particle_id p = add(w, grain(10, 10));
    ck_assert_int_eq(pv_particle_displace(w, p, (pv_vec2){0.25, 0}), PV_OK);
    ck_assert_double_eq(pv_particle_get_position(w, p).x, 10.25);
    ck_assert_double_eq(pv_particle_get_previous_position(w, p).x, 10);
    run(w, 1);
    ck_assert_double_eq_tol(pv_particle_get_position(w, p).x, 10.25 + 8 * 0.25, 1e-12);
    pv_world_destroy(w);
}
END_TEST

/* ---- hits ---- */

static const pv_bounce BOUNCES[] = {PV_BOUNCE_TOUCH, PV_BOUNCE_SWAP, PV_BOUNCE_REFLECT,
                                    PV_BOUNCE_NONE};

static pv_body_id add_floor(pv_world *w, double top) {
    pv_body_def def = of_type(PV_BODY_STATIC);
    def.restitution = 0.5;
    def.static_friction = def.friction = 0;
    return put(w, box_mask(800, 40), 0, top + 20, def);
}

static pv_particle_def bouncer(double x, double y, double vx, double vy, pv_bounce bounce) {
    pv_particle_def def = grain(x, y);
    def.velocity = (pv_vec2){vx, vy};
    def.radius = 3;
    def.restitution = 0.5;
    def.static_friction = def.friction = 0;
    def.bounce = bounce;
    return def;
}

START_TEST(each_way_gives_back_what_restitution_says) {
    for (int i = 0; i < 4; i++)
        for (int sleeping = 0; sleeping < 2; sleeping++) {
            pv_world *w = open_world(0, 0, sleeping);
            add_floor(w, 100);
            pv_particle_id p = add(w, bouncer(0, 50, 120, 300, BOUNCES[i]));
            run(w, 30);
            double back = BOUNCES[i] == PV_BOUNCE_NONE ? 0 : -150;
            ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).y, back, 1e-6);
            ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).x, 120, 1e-6);
            pv_world_destroy(w);
        }
}
END_TEST

START_TEST(a_bounce_at_the_touch_loses_no_time) {
    pv_world *w = open_world(0, 0, true);
    add_floor(w, 100);
    pv_particle_id p = add(w, bouncer(0, 50, 0, 300, PV_BOUNCE_TOUCH));
    run(w, 30);
    /* 47 px down at 300 px/s, the rest of half a second back at 150 */
    ck_assert_double_eq_tol(pv_particle_get_position(w, p).y, 97 - 150 * (0.5 - 47 / 300.0), 0.1);
    pv_world_destroy(w);
}
END_TEST

START_TEST(the_other_ways_lose_a_substep_at_most) {
    for (int i = 1; i < 3; i++) {
        pv_world *w = open_world(0, 0, true);
        add_floor(w, 100);
        pv_particle_id p = add(w, bouncer(0, 50, 0, 300, BOUNCES[i]));
        run(w, 30);
        double exact = 97 - 150 * (0.5 - 47 / 300.0);
        ck_assert_double_eq_tol(pv_particle_get_position(w, p).y, exact,
                                (300 + 150) * STEP / 16 + 0.1);
        pv_world_destroy(w);
    }
}
END_TEST

/// Returns the least height after the impact of a fall, on a floor that returns half of the speed
/// [px].
static double height_of_return(pv_bounce bounce) {
    pv_world *w = open_world(320, 0, true);
    add_floor(w, 100);
    pv_particle_id p = add(w, bouncer(0, -3, 0, 0, bounce));
    double highest = 1e9;
    for (int i = 0; i < 90; i++) {
        run(w, 1);
        if (i > 50 && pv_particle_get_position(w, p).y < highest)
            highest = pv_particle_get_position(w, p).y;
    }
    pv_world_destroy(w);
    return 97 - highest;
}

START_TEST(it_returns_to_a_quarter_of_its_height) {
    ck_assert_double_eq_tol(height_of_return(PV_BOUNCE_TOUCH), 25, 0.5);
    ck_assert_double_eq_tol(height_of_return(PV_BOUNCE_SWAP), 25, 1);
    ck_assert_double_eq_tol(height_of_return(PV_BOUNCE_REFLECT), 25, 1);
}
END_TEST

START_TEST(it_rests_where_its_rim_touches) {
    for (int sleeping = 0; sleeping < 2; sleeping++)
        for (int i = 0; i < 4; i++) {
            pv_world *w = open_world(320, 0, sleeping);
            add_floor(w, 100);
            pv_particle_id p = add(w, bouncer(7, 40, 0, 0, BOUNCES[i]));
            run(w, 600);
            ck_assert_double_eq_tol(pv_particle_get_position(w, p).y, 97, 0.3);
            ck_assert_double_eq_tol(pv_particle_get_position(w, p).x, 7, 0.01);
            pv_world_destroy(w);
        }
}
END_TEST

/// Returns the way down a slope of an angle in two seconds from rest, with tilted gravity.
static double slide(double angle, double friction) {
    pv_world_def world_def = pv_world_def_default();
    world_def.gravity = (pv_vec2){320 * sin(angle), 320 * cos(angle)};
    pv_world *w = pv_world_create(&world_def, NULL);
    pv_body_id ground = add_floor(w, 100);
    set_surface(w, ground, 0, friction, friction);
    pv_particle_def def = bouncer(-300, 97, 0, 0, PV_BOUNCE_TOUCH);
    def.restitution = 0;
    def.static_friction = def.friction = friction;
    pv_particle_id p = add(w, def);
    run(w, 120);
    double way = pv_particle_get_position(w, p).x + 300;
    pv_world_destroy(w);
    return way;
}

START_TEST(friction_holds_it_up_to_its_angle) {
    double half = 0.5;
    ck_assert_double_le(fabs(slide(atan(half) - 0.03, half)), 1);
    double angle = 0.7, a = 320 * (sin(angle) - half * cos(angle));
    ck_assert_double_eq_tol(slide(angle, half) / (a / 2 * 4), 1, 0.03);
    ck_assert_double_eq_tol(slide(0.3, 0) / (320 * sin(0.3) / 2 * 4), 1, 0.02);
}
END_TEST

/// Returns where a particle is half a second after it came to a sheet of one pixel from the left.
static double beyond_sheet(pv_bounce bounce, double speed) {
    pv_world *w = open_world(0, 0, true);
    put(w, box_mask(1, 200), 100, 0, of_type(PV_BODY_STATIC));
    pv_particle_id p = add(w, bouncer(-20, 11, speed, 0, bounce));
    run(w, 30);
    double x = pv_particle_get_position(w, p).x - 100;
    pv_world_destroy(w);
    return x;
}

/// Returns the speed across of a particle that a turning bar strikes from above or below [px/s].
static double struck(double side) {
    pv_world *w = open_world(0, 0, false);
    pv_body_id bar = put(w, box_mask(100, 4), 0, 0, of_type(PV_BODY_KINEMATIC));
    pv_body_set_angular_velocity(w, bar, 60 * side);
    pv_particle_id p = add(w, grain(35, 20 * side));
    run(w, 1);
    double speed = pv_particle_get_velocity(w, p).y * side;
    pv_world_destroy(w);
    return speed;
}

START_TEST(a_bar_strikes_whichever_way_it_turns) {
    double right = struck(1), left = struck(-1);
    ck_assert_double_gt(right, 100);
    ck_assert_double_eq_tol(left, right, 0.01 * right);
}
END_TEST

START_TEST(nothing_is_too_fast_for_a_sheet_of_one_pixel) {
    for (int i = 0; i < 4; i++) {
        /* what is reflected where it is must not be behind the sheet by then */
        double most = BOUNCES[i] == PV_BOUNCE_REFLECT ? 2 * 960 : 2e5;
        for (double speed = 500; speed < most; speed *= 3)
            ck_assert_msg(beyond_sheet(BOUNCES[i], speed) < 0, "way %d, %g px/s", i, speed);
    }
}
END_TEST

/// Returns where a particle is a step after it flew along the floor of a corridor of one pixel to
/// the wall at its end [px].
static double beyond_corridor(double height, double speed) {
    enum { LONG = 1200, TALL = 60 };
    pv_world *w = open_world(0, 0, true);
    pv_mask *walls = box_mask(LONG, TALL);
    pv_mask_fill_rect(walls, (pv_rect){0, 1, LONG - 1, TALL - 2}, false);
    pv_vec2 middle = pv_mask_compute_mass(walls).centroid;
    put(w, walls, middle.x - LONG, middle.y - TALL, of_type(PV_BODY_STATIC));
    pv_particle_id p = add(w, bouncer(-1100, -1 - 3 - height, speed, 0, PV_BOUNCE_TOUCH));
    run(w, 1);
    double x = pv_particle_get_position(w, p).x;
    pv_world_destroy(w);
    return x;
}

START_TEST(no_way_along_a_floor_is_too_long) {
    for (double height = 0; height < 20; height = 2 * height + 0.01)
        for (double speed = 1e4; speed < 1.6e7; speed *= 1.7)
            ck_assert_msg(beyond_corridor(height, speed) < 0, "%g px above, %g px/s", height,
                          speed);
}
END_TEST

enum { ROOM = 201, GUESTS = 120 };

/// Returns a frame of one pixel.
static pv_mask *frame_mask(void) {
    pv_mask *frame = box_mask(ROOM, ROOM);
    pv_mask_fill_rect(frame, (pv_rect){1, 1, ROOM - 2, ROOM - 2}, false);
    return frame;
}

/// Fills a room with particles of all sizes, ways to bounce and speeds up to the greatest.
static void add_guests(pv_world *w, uint64_t *dice, pv_particle_id guests[GUESTS]) {
    static const double radii[] = {0, 0.1, 0.5, 1, 2, 6, 9, 20};
    for (int i = 0; i < GUESTS; i++) {
        double speed = pow(10, 7.2 * next_unit(dice)), way = 2 * PI * next_unit(dice);
        double radius = radii[i % 8], room = 65 - radius;
        pv_particle_def def =
            bouncer(room * (2 * next_unit(dice) - 1), room * (2 * next_unit(dice) - 1),
                    speed * cos(way), speed * sin(way), BOUNCES[i % 4]);
        def.radius = radius;
        def.restitution = i % 3 * 0.5;
        def.friction = def.static_friction = i % 5 * 0.2;
        guests[i] = add(w, def);
    }
}

/// Counts the particles that are outside of a room after a second.
static int leavers(pv_world_def def, pv_body_def room, uint64_t *dice) {
    pv_particle_id guests[GUESTS];
    int gone = 0;
    def.gravity = (pv_vec2){0, 320 * next_unit(dice)};
    pv_world *w = pv_world_create(&def, NULL);
    pv_body_id frame = put(w, frame_mask(), 0, 0, room);
    add_guests(w, dice, guests);
    for (int i = 0; i < 60; i++) ck_assert_int_eq(pv_world_step(w, STEP), PV_OK);
    for (int i = 0; i < GUESTS; i++) {
        pv_vec2 at = pv_body_to_local(w, frame, pv_particle_get_position(w, guests[i]));
        gone += !(at.x >= 0 && at.y >= 0 && at.x <= ROOM && at.y <= ROOM);
    }
    pv_world_destroy(w);
    return gone;
}

/// Rooms that stand, stand at an angle, move, turn, and float.
static pv_body_def nth_room(int n) {
    pv_body_def def = of_type(n < 2 ? PV_BODY_STATIC : n < 4 ? PV_BODY_KINEMATIC : PV_BODY_DYNAMIC);
    def.angle = n == 1 ? 0.7 : 0;
    if (n == 2) def.velocity = (pv_vec2){500, -900};
    def.angular_velocity = n == 3 ? 7 : 0;
    def.density = 1e4;
    def.gravity_scale = 0;
    return def;
}

START_TEST(no_speed_leads_out_of_a_room_with_walls_of_one_pixel) {
    static const int substeps[] = {1, 3, 16, 16, 16}, strides[] = {0, 0, 0, 1, 5};
    uint64_t dice = 7;
    for (int mode = 0; mode <= PV_CONTACT_MODE_CONTOURS; mode++)
        for (int i = 0; i < 5; i++)
            for (int n = 0; n < 5; n++) {
                pv_world_def def = pv_world_def_default();
                def.contact_mode = (pv_contact_mode)mode;
                def.substeps = substeps[i];
                def.particle_substeps = strides[i];
                int gone = leavers(def, nth_room(n), &dice);
                ck_assert_msg(gone == 0, "mode %d, %d and %d substeps, room %d: %d are gone", mode,
                              substeps[i], strides[i], n, gone);
            }
}
END_TEST

START_TEST(what_passes_meets_nothing) {
    pv_world *w = open_world(0, 0, true);
    add_floor(w, 100);
    pv_particle_def def = bouncer(0, 50, 0, 300, PV_BOUNCE_TOUCH);
    def.collides = false;
    pv_particle_id p = add(w, def);
    run(w, 60);
    ck_assert_double_eq_tol(pv_particle_get_position(w, p).y, 350, 1e-8);
    pv_world_destroy(w);
}
END_TEST

static const char *const HOOK[] = {
    "##########..........", "##########..........", "##########..........",
    "###.................", "###.................", "###.................",
    "####################", "####################", NULL};

/// Mass, momentum and angular momentum about the origin of all that can be moved.
typedef struct total {
    double mass, x, y, turn;
} total;

static void count(total *t, double mass, pv_vec2 at, pv_vec2 v) {
    t->mass += mass;
    t->x += mass * v.x;
    t->y += mass * v.y;
    t->turn += mass * (at.x * v.y - at.y * v.x);
}

static total total_of(const pv_world *w) {
    total t = {0, 0, 0, 0};
    for (pv_particle_id p = pv_world_get_next_particle(w, (pv_particle_id){0, 0}); p.index;
         p = pv_world_get_next_particle(w, p))
        count(&t, pv_particle_get_mass(w, p), pv_particle_get_position(w, p),
              pv_particle_get_velocity(w, p));
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0, 0}); b.index;
         b = pv_world_get_next_body(w, b)) {
        if (pv_body_get_type(w, b) != PV_BODY_DYNAMIC) continue;
        count(&t, pv_body_get_mass(w, b), pv_body_get_position(w, b), pv_body_get_velocity(w, b));
        t.turn += pv_body_get_inertia(w, b) * pv_body_get_angular_velocity(w, b);
    }
    return t;
}

static void expect_kept(const total *before, const total *after, const char *what, double scale) {
    ck_assert_msg(fabs(after->x - before->x) <= 1e-9 * scale &&
                      fabs(after->y - before->y) <= 1e-9 * scale,
                  "%s: momentum %.12g %.12g, then %.12g %.12g", what, before->x, before->y,
                  after->x, after->y);
    ck_assert_msg(fabs(after->turn - before->turn) <= 1e-9 * 100 * scale,
                  "%s: angular %.12g, then %.12g", what, before->turn, after->turn);
}

static pv_body_id add_hook(pv_world *w, double friction) {
    pv_body_def def = of_type(PV_BODY_DYNAMIC);
    def.restitution = 0.6;
    def.static_friction = def.friction = friction;
    def.velocity = (pv_vec2){-20, 10};
    def.angular_velocity = 0.5;
    def.angle = 0.3;
    return put(w, text_mask(HOOK), 3, -2, def);
}

/// Throws particles of several masses at a free sprite from all sides.
static void bombard(pv_world *w, pv_bounce bounce, double friction) {
    for (int i = 0; i < 12; i++) {
        double a = 2 * PI * i / 12, aim = 4 * sin(5.0 * i);
        pv_particle_def def =
            bouncer(60 * cos(a) - aim * sin(a), 60 * sin(a) + aim * cos(a), 0, 0, bounce);
        def.velocity = (pv_vec2){-(200 + 40 * i) * cos(a), -(200 + 40 * i) * sin(a)};
        def.mass = 1 + 7 * i % 30;
        def.radius = 0.5 + i % 4;
        def.static_friction = def.friction = friction;
        add(w, def);
    }
}

/// A free sprite under fire in a world of its own.
static void hit_free_sprite(pv_world *w, pv_bounce bounce, double friction) {
    pv_body_id hook = add_hook(w, friction);
    bombard(w, bounce, friction);
    total before = total_of(w);
    pv_vec2 was = pv_body_get_velocity(w, hook);
    for (int step = 0; step < 40; step++) {
        run(w, 1);
        total after = total_of(w);
        expect_kept(&before, &after, "hits", before.mass * 300);
    }
    pv_vec2 v = pv_body_get_velocity(w, hook);
    ck_assert_double_gt(hypot(v.x - was.x, v.y - was.y), 1); /* pushed away */
    pv_world_destroy(w);
}

START_TEST(hits_keep_momentum_and_angular_momentum) {
    for (int i = 0; i < 4; i++)
        for (int sleeping = 0; sleeping < 2; sleeping++)
            for (double friction = 0; friction < 1; friction += 0.7)
                hit_free_sprite(open_world(0, 0, sleeping), BOUNCES[i], friction);
}
END_TEST

START_TEST(hits_keep_momentum_by_pixels_too) {
    for (int i = 0; i < 4; i++) {
        pv_world_def def = pv_world_def_default();
        def.gravity = (pv_vec2){0, 0};
        def.contact_mode = PV_CONTACT_MODE_PIXELS;
        hit_free_sprite(pv_world_create(&def, NULL), BOUNCES[i], 0.5);
    }
}
END_TEST

START_TEST(a_central_hit_is_that_of_two_masses) {
    /* 144 px at rest, hit by 36 with restitution 1/2 */
    for (int i = 0; i < 3; i++) {
        pv_world *w = open_world(0, 0, true);
        pv_body_def def = of_type(PV_BODY_DYNAMIC);
        def.restitution = 0.5;
        pv_body_id b = put(w, box_mask(12, 12), 0, 0, def);
        pv_particle_def hit = bouncer(-60, 0, 240, 0, BOUNCES[i]);
        hit.mass = 36;
        pv_particle_id p = add(w, hit);
        run(w, 60);
        double center = 36 * 240 / 180.0;
        ck_assert_double_eq_tol(pv_body_get_velocity(w, b).x, center + 36 * 0.5 * 240 / 180, 0.01);
        ck_assert_double_eq_tol(pv_particle_get_velocity(w, p).x, center - 144 * 0.5 * 240 / 180,
                                0.01);
        ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), 0, 1e-3);
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(a_hit_wakes_what_sleeps) {
    pv_world *w = open_world(320, 0, true);
    add_floor(w, 100);
    pv_body_id b = put(w, box_mask(20, 20), 0, 90, pv_body_def_default());
    run(w, 120);
    ck_assert(!pv_body_is_awake(w, b));
    pv_particle_def def = bouncer(-60, 88, 600, 0, PV_BOUNCE_TOUCH);
    def.mass = 400;
    add(w, def);
    run(w, 20);
    ck_assert(pv_body_is_awake(w, b));
    ck_assert_double_gt(pv_body_get_position(w, b).x, 5);
    pv_world_destroy(w);
}
END_TEST

START_TEST(a_sprite_rests_on_pinned_particles) {
    for (int sleeping = 0; sleeping < 2; sleeping++) {
        pv_world *w = open_world(320, 0, sleeping);
        for (int i = -1; i <= 1; i += 2) {
            pv_particle_def def = grain(15 * i, 100);
            def.mass = 0;
            def.radius = 5;
            add(w, def);
        }
        pv_body_id plank = put(w, box_mask(60, 10), 2, 80, pv_body_def_default());
        pv_body_id crate = put(w, box_mask(20, 20), 2, 60, pv_body_def_default());
        run(w, 900);
        ck_assert_double_eq_tol(pv_body_get_position(w, plank).y, 90, 0.3);
        ck_assert_double_eq_tol(pv_body_get_position(w, plank).x, 2, 0.5);
        ck_assert_double_eq_tol(pv_body_get_position(w, crate).y, 75, 0.3);
        ck_assert_double_eq_tol(pv_body_get_angle(w, plank), 0, 0.01);
        ck_assert_int_eq(pv_body_is_awake(w, plank), !sleeping);
        pv_world_destroy(w);
    }
}
END_TEST

/// No center lies in a solid pixel, whatever rains on whatever turns.
START_TEST(particles_stay_outside) {
    for (int sleeping = 0; sleeping < 2; sleeping++) {
        uint64_t dice = 99;
        pv_world *w = open_world(320, 0, sleeping);
        pv_body_id hook;
        pv_body_def def = of_type(PV_BODY_KINEMATIC);
        def.angular_velocity = 2;
        add_floor(w, 100);
        hook = put(w, text_mask(HOOK), 0, 60, def);
        put(w, disc_mask(20), -60, 60, of_type(PV_BODY_STATIC));
        for (int i = 0; i < 300; i++) {
            pv_particle_def g = bouncer(-100 + 200 * next_unit(&dice), -300 * next_unit(&dice), 0,
                                        0, BOUNCES[i % 4]);
            g.radius = 0.5 + 2 * next_unit(&dice);
            add(w, g);
        }
        for (int i = 0; i < 240; i++) {
            run(w, 1);
            for (pv_particle_id p = pv_world_get_next_particle(w, (pv_particle_id){0, 0}); p.index;
                 p = pv_world_get_next_particle(w, p)) {
                pv_vec2 at = pv_particle_get_position(w, p);
                pv_body_id in = pv_world_pick_body(w, at);
                ck_assert_msg(!pv_body_is_valid(w, in), "step %d: %g, %g in body %u (hook %u)", i,
                              at.x, at.y, in.index, hook.index);
            }
        }
        pv_world_destroy(w);
    }
}
END_TEST

/* ---- names, memory, input ---- */

START_TEST(names_of_what_is_gone_are_noticed) {
    pv_world *w = open_world(320, 0, true);
    pv_particle_id a = add(w, grain(0, 0)), b = add(w, grain(10, 0));
    ck_assert_int_eq(pv_particle_destroy(w, a), PV_OK);
    ck_assert(!pv_particle_is_valid(w, a));
    pv_particle_id c = add(w, grain(20, 0));
    ck_assert(!pv_particle_is_valid(w, a) && pv_particle_is_valid(w, c));
    ck_assert_int_eq(pv_world_get_stats(w).particles, 2);
    ck_assert_double_eq(pv_particle_get_position(w, a).x, 0);
    ck_assert_ptr_null(pv_particle_get_user_data(w, a));
    ck_assert_int_eq(pv_particle_destroy(w, a), PV_ERROR_STALE_ID);
    ck_assert_int_eq(pv_particle_set_position(w, a, (pv_vec2){1, 1}), PV_ERROR_STALE_ID);
    ck_assert_int_eq(pv_particle_apply_force(w, a, (pv_vec2){1, 1}), PV_ERROR_STALE_ID);
    int seen = 0;
    for (pv_particle_id p = pv_world_get_next_particle(w, (pv_particle_id){0, 0}); p.index;
         p = pv_world_get_next_particle(w, p))
        seen += (p.index == b.index && p.generation == b.generation) ||
                (p.index == c.index && p.generation == c.generation);
    ck_assert_int_eq(seen, 2);
    ck_assert(!pv_particle_is_valid(w, (pv_particle_id){0, 0}));
    ck_assert(!pv_particle_is_valid(w, (pv_particle_id){77, 1}));
    pv_world_destroy(w);
}
END_TEST

START_TEST(the_nearest_within_reach_is_found) {
    pv_world *w = open_world(0, 0, true);
    pv_particle_id a = add(w, grain(0, 0)), b = add(w, grain(10, 0));
    ck_assert_uint_eq(pv_world_pick_particle(w, (pv_vec2){4, 0}, 20).index, a.index);
    ck_assert_uint_eq(pv_world_pick_particle(w, (pv_vec2){6, 0}, 20).index, b.index);
    ck_assert_uint_eq(pv_world_pick_particle(w, (pv_vec2){4, 3}, 4.9).index, 0);
    ck_assert_uint_eq(pv_world_pick_particle(w, (pv_vec2){NAN, 3}, 4.9).index, 0);
    ck_assert_uint_eq(pv_world_pick_particle(w, (pv_vec2){4, 3}, -1).index, 0);
    pv_world_destroy(w);
}
END_TEST

static void expect_def_refused(pv_world *w, pv_particle_def def, pv_status wanted) {
    pv_error error = {0};
    pv_particle_id p = pv_particle_create(w, &def, &error);
    ck_assert_int_eq(error.status, wanted);
    ck_assert_uint_eq(p.index, 0);
    ck_assert_uint_eq(p.generation, 0);
}

START_TEST(bad_definitions_are_refused) {
    pv_world *w = open_world(320, 0, true);
    static const size_t numbers[] = {
        offsetof(pv_particle_def, position.x),     offsetof(pv_particle_def, position.y),
        offsetof(pv_particle_def, velocity.x),     offsetof(pv_particle_def, velocity.y),
        offsetof(pv_particle_def, mass),           offsetof(pv_particle_def, radius),
        offsetof(pv_particle_def, linear_damping), offsetof(pv_particle_def, restitution),
        offsetof(pv_particle_def, friction)};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (int k = 0; k < 3; k++) {
            pv_particle_def def = grain(1, 2);
            double bad = k == 0 ? NAN : k == 1 ? INFINITY : -INFINITY;
            memcpy((char *)&def + numbers[i], &bad, sizeof bad);
            expect_def_refused(w, def, PV_ERROR_NOT_FINITE);
        }
    for (size_t i = 5; i < sizeof numbers / sizeof *numbers; i++) {
        pv_particle_def def = grain(1, 2);
        double bad = -0.5;
        memcpy((char *)&def + numbers[i], &bad, sizeof bad);
        expect_def_refused(w, def, PV_ERROR_ARGUMENT);
    }
    pv_particle_def def = grain(2 * PV_MAX_COORDINATE, 0);
    expect_def_refused(w, def, PV_ERROR_ARGUMENT);
    def = grain(0, 0), def.radius = 257;
    expect_def_refused(w, def, PV_ERROR_ARGUMENT);
    def = grain(0, 0), def.restitution = 1.01;
    expect_def_refused(w, def, PV_ERROR_ARGUMENT);
    def = grain(0, 0), def.bounce = (pv_bounce)17;
    expect_def_refused(w, def, PV_ERROR_ARGUMENT);
    def = grain(0, 0), def.cookie = 0;
    expect_def_refused(w, def, PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_world_get_stats(w).particles, 0);
    ck_assert_uint_eq(pv_particle_create(NULL, &def, NULL).index, 0);
    ck_assert_uint_eq(pv_particle_create(w, NULL, NULL).index, 0);
    pv_world_destroy(w);
}
END_TEST

START_TEST(what_is_not_finite_changes_nothing) {
    pv_world *w = open_world(320, 0, true);
    pv_particle_id p = add_flying(w, 1, 2, 3, 4);
    uint64_t hash = pv_world_compute_hash(w);
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            pv_vec2 v = k ? (pv_vec2){0, bad[i]} : (pv_vec2){bad[i], 0};
            ck_assert_int_eq(pv_particle_set_position(w, p, v), PV_ERROR_NOT_FINITE);
            ck_assert_int_eq(pv_particle_set_velocity(w, p, v), PV_ERROR_NOT_FINITE);
            ck_assert_int_eq(pv_particle_displace(w, p, v), PV_ERROR_NOT_FINITE);
            ck_assert_int_eq(pv_particle_apply_force(w, p, v), PV_ERROR_NOT_FINITE);
            ck_assert_int_eq(pv_particle_apply_impulse(w, p, v), PV_ERROR_NOT_FINITE);
            ck_assert_int_eq(pv_particle_set_mass(w, p, bad[i]), PV_ERROR_NOT_FINITE);
            ck_assert_int_eq(pv_particle_set_linear_damping(w, p, bad[i]), PV_ERROR_NOT_FINITE);
            ck_assert_int_eq(k ? pv_particle_set_friction(w, p, bad[i])
                               : pv_particle_set_restitution(w, p, bad[i]),
                             PV_ERROR_NOT_FINITE);
            if (bad[i] != -INFINITY)
                ck_assert_int_eq(pv_particle_set_static_friction(w, p, bad[i]),
                                 PV_ERROR_NOT_FINITE);
        }
    ck_assert_int_eq(pv_particle_set_position(w, p, (pv_vec2){1e9, 0}), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_particle_set_mass(w, p, -1), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_particle_set_linear_damping(w, p, -1), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_particle_set_restitution(w, p, 1.5), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_particle_set_friction(w, p, -1), PV_ERROR_ARGUMENT);
    ck_assert(pv_world_compute_hash(w) == hash);
    pv_world_destroy(w);
}
END_TEST

START_TEST(what_leaves_the_numbers_is_stopped) {
    for (int sleeping = 0; sleeping < 2; sleeping++) {
        pv_world *w = open_world(0, 0, sleeping);
        pv_particle_id p = add_flying(w, PV_MAX_COORDINATE - 10, 0, 1e6, 0),
                       q = add(w, grain(0, 0));
        pv_particle_apply_force(w, q, (pv_vec2){1e300, -1e300});
        ck_assert_int_eq(pv_world_step(w, STEP), PV_OK);
        ck_assert_int_gt(pv_world_get_events(w).frozen_count, 0);
        for (int i = 0; i < 10; i++) pv_world_step(w, STEP);
        pv_vec2 at = pv_particle_get_position(w, p), other = pv_particle_get_position(w, q);
        ck_assert(fabs(at.x) <= PV_MAX_COORDINATE && fabs(at.y) <= PV_MAX_COORDINATE);
        ck_assert(fabs(other.x) <= PV_MAX_COORDINATE && fabs(other.y) <= PV_MAX_COORDINATE);
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(coincident_particles_stay_finite) {
    pv_world *w = open_world(320, 0, true);
    add_floor(w, 100);
    pv_particle_id p[8];
    for (int i = 0; i < 8; i++) p[i] = add(w, grain(5, 95));
    run(w, 120);
    for (int i = 0; i < 8; i++) ck_assert(isfinite(pv_particle_get_position(w, p[i]).x));
    pv_world_destroy(w);
}
END_TEST

static uint64_t rain_hash(const char *kernel) {
    ck_assert_int_eq(pv_kernel_select(kernel), PV_OK);
    pv_world *w = open_world(320, 0, true);
    uint64_t dice = 5;
    add_floor(w, 100);
    add_hook(w, 0.4);
    for (int i = 0; i < 200; i++) {
        pv_particle_def def =
            bouncer(-60 + 120 * next_unit(&dice), -200 * next_unit(&dice), 0, 0, BOUNCES[i % 4]);
        def.linear_damping = i % 5;
        add(w, def);
    }
    run(w, 120);
    uint64_t hash = pv_world_compute_hash(w);
    pv_world_destroy(w);
    return hash;
}

START_TEST(the_same_bits_on_every_kernel) {
    uint64_t wanted = rain_hash("generic");
    ck_assert(rain_hash("generic") == wanted);
    if (pv_kernel_select("avx2") == PV_OK) ck_assert(rain_hash("avx2") == wanted);
    ck_assert_int_eq(pv_kernel_select(NULL), PV_OK);
}
END_TEST

START_TEST(the_hash_knows_particles) {
    pv_world *w = open_world(0, 0, true);
    pv_particle_id p = add(w, grain(0, 0));
    uint64_t first = pv_world_compute_hash(w);
    pv_particle_set_velocity(w, p, (pv_vec2){0, 1});
    ck_assert(pv_world_compute_hash(w) != first);
    pv_particle_set_velocity(w, p, (pv_vec2){0, 0});
    ck_assert(pv_world_compute_hash(w) == first);
    pv_particle_set_linear_damping(w, p, 0.25);
    ck_assert(pv_world_compute_hash(w) != first);
    pv_world_destroy(w);
}
END_TEST

/// Allocates for one world from the purse; returns false when an allocation was refused.
static bool live_a_little(purse *mine) {
    pv_world_def def = pv_world_def_default();
    def.allocator = (pv_allocator){purse_alloc, mine};
    pv_world *w = pv_world_create(&def, NULL);
    bool whole = w != NULL;
    for (int i = 0; w && i < 200; i++) {
        pv_particle_def g = grain(i, 0);
        pv_error error;
        int before = pv_world_get_stats(w).particles;
        pv_particle_create(w, &g, &error);
        ck_assert(error.status == PV_OK || error.status == PV_ERROR_MEMORY);
        ck_assert_int_eq(pv_world_get_stats(w).particles, before + (error.status == PV_OK));
        whole &= error.status == PV_OK;
    }
    for (int i = 0; w && i < 3; i++) whole &= pv_world_step(w, STEP) == 0;
    pv_world_destroy(w);
    ck_assert_int_eq(mine->live_bytes, 0);
    return whole;
}

START_TEST(every_byte_comes_back_whatever_fails) {
    purse counted = {0, 0, 0};
    ck_assert(live_a_little(&counted));
    for (long i = 1; i <= counted.calls; i++) {
        purse p = {0, 0, i};
        ck_assert(!live_a_little(&p));
    }
}
END_TEST

RUN_SUITE("matter", without_forces_it_goes_straight_on, a_fall_is_the_sum_of_its_gains,
          drag_takes_the_same_part_of_the_way_each_time, drag_of_a_substep_or_more_stops_it,
          a_fall_with_drag_ends_at_its_terminal_speed, forces_act_for_a_step_and_by_mass,
          steps_of_other_lengths_keep_velocities, what_is_pinned_stays, a_shift_is_a_velocity_too,
          each_way_gives_back_what_restitution_says, a_bounce_at_the_touch_loses_no_time,
          the_other_ways_lose_a_substep_at_most, it_returns_to_a_quarter_of_its_height,
          it_rests_where_its_rim_touches, friction_holds_it_up_to_its_angle,
          a_bar_strikes_whichever_way_it_turns, nothing_is_too_fast_for_a_sheet_of_one_pixel,
          no_way_along_a_floor_is_too_long, no_speed_leads_out_of_a_room_with_walls_of_one_pixel,
          what_passes_meets_nothing, hits_keep_momentum_and_angular_momentum,
          hits_keep_momentum_by_pixels_too, a_central_hit_is_that_of_two_masses,
          a_hit_wakes_what_sleeps, a_sprite_rests_on_pinned_particles, particles_stay_outside,
          names_of_what_is_gone_are_noticed, the_nearest_within_reach_is_found,
          bad_definitions_are_refused, what_is_not_finite_changes_nothing,
          what_leaves_the_numbers_is_stopped, coincident_particles_stay_finite,
          the_same_bits_on_every_kernel, the_hash_knows_particles,
          every_byte_comes_back_whatever_fails)
