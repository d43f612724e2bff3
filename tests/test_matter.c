/* test_matter.c - particles: their motion, what they hit, and refusals.
 *
 * Invariant: expected values are closed formulas, sums of momenta, or the same world with all
 * substeps. Tests run with sleeping and without it.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/handle.h"
#include "heap.h"
#include "shared_world.h"

#define STEP (1.0 / 60)

static const double PI = 3.14159265358979323846;
static pv_world *w;

static void open_world(double gravity, int substeps, bool sleeping) {
    w = next_world(WITH(with_gravity(gravity), it.substeps = substeps, it.enable_sleep = sleeping));
}

static void open_space(void) { open_world(0, 0, true); }

static pv_particle_def grain(double x, double y) {
    return WITH(pv_particle_def_default(), it.position = (pv_vec2){x, y});
}

static pv_particle_id add(pv_particle_def def) { return CREATE_WELL(particle, w, def); }

static pv_particle_id add_flying(double x, double y, double vx, double vy) {
    return add(WITH(grain(x, y), it.velocity = (pv_vec2){vx, vy}));
}

/* ---- alone ---- */

START_TEST(a_fall_is_the_sum_of_its_gains) {
    for (int substeps = 1; substeps <= 16; substeps *= 4) {
        open_world(320, substeps, true);
        pv_particle_id p = add_flying(0, 0, 50, -100);
        step_times(120);
        double h = STEP / substeps, n = 120 * substeps, t = n * h;
        ck_assert_double_eq_tol(particle_at(p).x, 50 * t, 1e-8);
        ck_assert_double_eq_tol(particle_at(p).y, -100 * t + 320 * h * h * n * (n + 1) / 2, 1e-7);
        ck_assert_double_eq_tol(particle_v(p).y, -100 + 320 * t, 1e-7);
    }
}

/// Also tests a fall, which reaches its terminal speed.
START_TEST(drag_takes_the_same_part_of_the_way_each_time) {
    static const double drags[] = {0, 0.3, 6, 59, 1000};
    for (int i = 0; i < 2 * (int)COUNT_OF(drags); i++) {
        double drag = drags[i / 2], gain = i % 2 ? 320 * STEP * STEP : 0;
        open_world(i % 2 ? 320 : 0, 1, true);
        pv_particle_id p =
            add(WITH(grain(5, 0), it.velocity = (pv_vec2){600, 0}, it.linear_damping = drag));
        double keep = fmax(0, 1 - drag * STEP), way = 600 * STEP, x = 5, fall = 0, y = 0;
        for (int n = 0; n < 60; n++) {
            step_times(1);
            x += way *= keep;
            y += fall = fall * keep + gain;
            expect_point(particle_at(p), x, y, 1e-9);
            expect_point(particle_v(p), 600 * pow(keep, n + 1), fall / STEP, 1e-8);
        }
    }
}

START_TEST(forces_act_for_a_step_and_by_mass) {
    pv_particle_id p = add(WITH(grain(0, 0), it.mass = 4));
    pv_particle_apply_force(w, p, (pv_vec2){400, 0});
    pv_particle_apply_force(w, p, (pv_vec2){80, 240});
    step_times(1);
    expect_point(particle_v(p), 120 * STEP, 60 * STEP, 1e-10);
    step_times(5);
    ck_assert_double_eq_tol(particle_v(p).x, 120 * STEP, 1e-10);
    pv_particle_apply_impulse(w, p, (pv_vec2){-480 * STEP, 0});
    ck_assert_double_eq_tol(particle_v(p).x, 0, 1e-10);
}

START_TEST(what_is_pinned_stays) {
    open_world(320, 0, true);
    pv_particle_id p = add(WITH(grain(3, 4), it.mass = 0, it.velocity = (pv_vec2){100, 0}));
    step_times(30);
    ck_assert_vec_eq_tol(particle_at(p), 3, 4, 1e-300);
    ck_assert_int_eq(pv_particle_set_velocity(w, p, (pv_vec2){1, 0}), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_particle_apply_force(w, p, (pv_vec2){1, 0}), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_particle_set_mass(w, p, 2), PV_OK);
    step_times(30);
    ck_assert_double_gt(particle_at(p).y, 4 + 320 / 2.0 * 0.25);
}

/* ---- hits ---- */

static const pv_bounce WAYS[] = {PV_BOUNCE_TOUCH, PV_BOUNCE_SWAP, PV_BOUNCE_REFLECT,
                                 PV_BOUNCE_NONE};

static pv_body_id add_ground(double top, double restitution, double friction) {
    return put(w, box_mask(800, 40), 0, top + 20,
               WITH(of_type(PV_BODY_STATIC), it.restitution = restitution,
                    it.static_friction = it.friction = friction));
}

static pv_body_id add_floor(double top) { return add_ground(top, 0.5, 0); }

static pv_particle_def bouncer(double x, double y, double vx, double vy, pv_bounce bounce) {
    return WITH(grain(x, y), it.velocity = (pv_vec2){vx, vy}, it.radius = 3, it.restitution = 0.5,
                it.static_friction = it.friction = 0, it.bounce = bounce);
}

START_TEST_FOR(each_way_gives_back_what_restitution_says, i, 4) {
    for (int sleeping = 0; sleeping < 2; sleeping++) {
        open_world(0, 0, sleeping);
        add_floor(100);
        pv_particle_id p = add(bouncer(0, 50, 120, 300, WAYS[i]));
        step_times(30);
        double back = WAYS[i] == PV_BOUNCE_NONE ? 0 : -150;
        ck_assert_double_eq_tol(particle_v(p).y, back, 1e-6);
        ck_assert_double_eq_tol(particle_v(p).x, 120, 1e-6);
    }
}

START_TEST(a_bounce_at_the_touch_loses_no_time) {
    for (int i = 0; i < 3; i++) { /* the other kinds lose at most a substep */
        open_world(0, 0, true);
        add_floor(100);
        pv_particle_id p = add(bouncer(0, 50, 0, 300, WAYS[i]));
        step_times(30);
        /* 47 px down at 300 px/s, then back at 150 px/s for the rest of half a second */
        double exact = 97 - 150 * (0.5 - 47 / 300.0), late = i ? (300 + 150) * STEP / 16 : 0;
        ck_assert_double_eq_tol(particle_at(p).y, exact, late + 0.1);
    }
}

/// Tests strides of particles, too, and ten times the gravity, which PV_BOUNCE_SWAP cannot handle.
START_TEST_FOR(it_rests_where_its_rim_touches, k, 2 * 4) {
    for (int i = 0; i < 2 * 4; i++) {
        pv_bounce bounce = WAYS[i % 4];
        if (i / 4 && bounce == PV_BOUNCE_SWAP) continue;
        w = next_world(WITH(with_gravity(i / 4 ? 3200 : 320), it.enable_sleep = k % 2,
                            it.particle_substeps = k / 2));
        add_floor(100);
        pv_particle_id p = add(bouncer(7, 40, 0, 0, bounce));
        step_times(600);
        pv_vec2 at = particle_at(p), v = particle_v(p);
        expect_point(at, 7, 97, 0.3);
        ck_assert_double_eq_tol(hypot(v.x, v.y), 0, 0.01);
        step_times(60);
        expect_point(particle_at(p), 7, at.y, 0.01);
    }
}

/// Returns distance and speed after two seconds from rest on a slope, simulated by tilted gravity.
static pv_vec2 slide(double angle, double friction, int strides) {
    w = next_world(WITH(pv_world_def_default(),
                        it.gravity = (pv_vec2){320 * sin(angle), 320 * cos(angle)},
                        it.particle_substeps = strides));
    add_ground(100, 0, friction);
    pv_particle_id p = add(WITH(bouncer(-300, 97, 0, 0, PV_BOUNCE_TOUCH), it.restitution = 0,
                                it.static_friction = it.friction = friction));
    step_times(120);
    return (pv_vec2){particle_at(p).x + 300, particle_v(p).x};
}

START_TEST_FOR(friction_holds_it_up_to_its_angle, strides, 4) {
    ck_assert_double_eq_tol(slide(atan(0.5) - 0.03, 0.5, strides).x, 0, 1e-9);
    double angle = 0.7, a = 320 * (sin(angle) - 0.5 * cos(angle));
    pv_vec2 told = slide(angle, 0.5, strides), smooth = slide(0.3, 0, strides);
    ck_assert_double_eq_tol(told.x, a / 2 * 4, 0.2);
    ck_assert_double_eq_tol(told.y, a * 2, 1e-6);
    ck_assert_double_eq_tol(smooth.x, 320 * sin(0.3) / 2 * 4, 0.2);
}

/// Returns the speed that a turning bar gives a particle above or below it [px/s].
static double struck(double side) {
    open_world(0, 0, false);
    pv_body_set_angular_velocity(w, put_box(PV_BODY_KINEMATIC, 100, 4, 0, 0), 60 * side);
    pv_particle_id p = add(grain(35, 20 * side));
    step_times(1);
    return particle_v(p).y * side;
}

START_TEST(a_bar_strikes_whichever_way_it_turns) {
    double right = struck(1), left = struck(-1);
    ck_assert_double_gt(right, 100);
    ck_assert_double_eq_tol(left, right, 0.01 * right);
}

/// Returns the x at which a particle ends that flies along a corridor to its closed end [px].
static double beyond_corridor(double height, double speed) {
    enum { LONG = 1200, TALL = 60 };
    open_world(0, 0, true);
    pv_mask *walls = box_mask(LONG, TALL);
    pv_mask_fill_rect(walls, (pv_rect){0, 1, LONG - 1, TALL - 2}, false);
    pv_vec2 middle = pv_mask_compute_mass(walls).centroid;
    put(w, walls, middle.x - LONG, middle.y - TALL, of_type(PV_BODY_STATIC));
    pv_particle_id p = add(bouncer(-1100, -1 - 3 - height, speed, 0, PV_BOUNCE_TOUCH));
    step_times(1);
    return particle_at(p).x;
}

START_TEST(no_way_along_a_floor_is_too_long) {
    for (double height = 0; height < 20; height = 2 * height + 0.01)
        for (double speed = 1e4; speed < 1.6e7; speed *= 1.7)
            ck_assert_msg(beyond_corridor(height, speed) < 0, "%g px above, %g px/s", height,
                          speed);
}

enum { ROOM = 201, GUESTS = 120 };

static void add_guests(uint64_t *dice, pv_particle_id guests[GUESTS]) {
    static const double radii[] = {0, 0.1, 0.5, 1, 2, 6, 9, 20};
    for (int i = 0; i < GUESTS; i++) {
        double speed = pow(10, 7.2 * next_unit(dice)), way = 2 * PI * next_unit(dice);
        double radius = radii[i % 8], room = 65 - radius;
        pv_particle_def def =
            WITH(bouncer(room * (2 * next_unit(dice) - 1), room * (2 * next_unit(dice) - 1),
                         speed * cos(way), speed * sin(way), WAYS[i % 4]),
                 it.radius = radius, it.restitution = i % 3 * 0.5,
                 it.friction = it.static_friction = i % 5 * 0.2);
        guests[i] = add(def);
    }
}

/// Counts the particles that have left a room after a second.
static int leavers(pv_world_def def, pv_body_def room, uint64_t *dice) {
    pv_particle_id guests[GUESTS];
    int gone = 0;
    def.gravity = (pv_vec2){0, 320 * next_unit(dice)};
    w = next_world(def);
    pv_body_id frame = put(w, ring_mask(ROOM, 1, false), 0, 0, room);
    add_guests(dice, guests);
    for (int i = 0; i < 60; i++) ck_assert_int_eq(pv_world_step(w, STEP), PV_OK);
    for (int i = 0; i < GUESTS; i++) {
        pv_vec2 at = pv_body_to_local(w, frame, particle_at(guests[i]));
        gone += !(at.x >= 0 && at.y >= 0 && at.x <= ROOM && at.y <= ROOM);
    }
    return gone;
}

/// Returns a room that stands, stands at an angle, moves, turns, or floats.
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
                pv_world_def def =
                    WITH(pv_world_def_default(), it.contact_mode = (pv_contact_mode)mode,
                         it.substeps = substeps[i], it.particle_substeps = strides[i]);
                int gone = leavers(def, nth_room(n), &dice);
                ck_assert_msg(gone == 0, "mode %d, %d and %d substeps, room %d: %d are gone", mode,
                              substeps[i], strides[i], n, gone);
            }
}

START_TEST(what_passes_meets_nothing) {
    add_floor(100);
    pv_particle_id p = add(WITH(bouncer(0, 50, 0, 300, PV_BOUNCE_TOUCH), it.collides = false));
    step_times(60);
    ck_assert_double_eq_tol(particle_at(p).y, 350, 1e-8);
}

static const char *const HOOK[] = {
    "##########..........", "##########..........", "##########..........",
    "###.................", "###.................", "###.................",
    "####################", "####################", NULL};

static pv_body_id add_hook(double friction) {
    return put(w, text_mask(HOOK), 3, -2,
               WITH(of_type(PV_BODY_DYNAMIC), it.restitution = 0.6,
                    it.static_friction = it.friction = friction, it.velocity = (pv_vec2){-20, 10},
                    it.angular_velocity = 0.5, it.angle = 0.3));
}

static void bombard(pv_bounce bounce, double friction) {
    for (int i = 0; i < 12; i++) {
        double a = 2 * PI * i / 12, aim = 4 * sin(5.0 * i);
        pv_particle_def def =
            WITH(bouncer(60 * cos(a) - aim * sin(a), 60 * sin(a) + aim * cos(a), 0, 0, bounce),
                 it.velocity = (pv_vec2){-(200 + 40 * i) * cos(a), -(200 + 40 * i) * sin(a)},
                 it.mass = 1 + 7 * i % 30, it.radius = 0.5 + i % 4,
                 it.static_friction = it.friction = friction);
        add(def);
    }
}

/// Fires particles at a free sprite. By pixels it may sleep, and has the third friction.
START_TEST(hits_keep_momentum_and_angular_momentum) {
    static const double frictions[] = {0, 0.7, 0.5};
    for (int k = 0; k < 4 * 5; k++) {
        bool pixels = k % 5 == 4;
        pv_world_def def = WITH(with_gravity(0), it.enable_sleep = pixels || k % 5 % 2);
        if (pixels) def.contact_mode = PV_CONTACT_MODE_PIXELS;
        w = next_world(def);
        double friction = frictions[k % 5 / 2];
        pv_body_id hook = add_hook(friction);
        bombard(WAYS[k / 5], friction);
        momenta before = momenta_of(w);
        pv_vec2 was = body_v(hook);
        for (int step = 0; step < 40; step++) {
            step_times(1);
            expect_kept_momenta(&before, w, 1e-9 * before.mass * 300, 1e-7 * before.mass * 300);
        }
        ck_assert_double_gt(vec_distance(body_v(hook), was), 1); /* pushed away */
    }
}

START_TEST(a_central_hit_is_that_of_two_masses) {
    /* a 144 px box at rest is hit by mass 36 with restitution 1/2; then again, with strides */
    for (int i = 0; i < 6; i++) {
        w = next_world(WITH(with_gravity(0), it.particle_substeps = i / 3));
        pv_body_id b =
            put(w, box_mask(12, 12), 0, 0, WITH(of_type(PV_BODY_DYNAMIC), it.restitution = 0.5));
        pv_particle_id p = add(WITH(bouncer(-60, 0, 240, 0, WAYS[i % 3]), it.mass = 36));
        step_times(60);
        double center = 36 * 240 / 180.0;
        ck_assert_double_eq_tol(body_v(b).x, center + 36 * 0.5 * 240 / 180, 0.01);
        ck_assert_double_eq_tol(particle_v(p).x, center - 144 * 0.5 * 240 / 180, 0.01);
        ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), 0, 1e-3);
    }
}

START_TEST_FOR(a_sprite_rests_on_pinned_particles, sleeping, 2) {
    open_world(320, 0, sleeping);
    for (int i = -1; i <= 1; i += 2) add(WITH(grain(15 * i, 100), it.mass = 0, it.radius = 5));
    pv_body_id plank = put_box(PV_BODY_DYNAMIC, 60, 10, 2, 80);
    pv_body_id crate = put_box(PV_BODY_DYNAMIC, 20, 20, 2, 60);
    step_times(900);
    ck_assert_double_eq_tol(body_at(plank).y, 90, 0.3);
    ck_assert_double_eq_tol(body_at(plank).x, 2, 0.5);
    ck_assert_double_eq_tol(body_at(crate).y, 75, 0.3);
    ck_assert_double_eq_tol(pv_body_get_angle(w, plank), 0, 0.01);
    ck_assert_int_eq(pv_body_is_awake(w, plank), !sleeping);
}

START_TEST_FOR(particles_stay_outside, sleeping, 2) {
    uint64_t dice = 99;
    open_world(320, 0, sleeping);
    pv_body_id hook;
    pv_body_def def = WITH(of_type(PV_BODY_KINEMATIC), it.angular_velocity = 2);
    add_floor(100);
    hook = put(w, text_mask(HOOK), 0, 60, def);
    put(w, disc_mask(20), -60, 60, of_type(PV_BODY_STATIC));
    for (int i = 0; i < 300; i++) {
        pv_particle_def g =
            bouncer(-100 + 200 * next_unit(&dice), -300 * next_unit(&dice), 0, 0, WAYS[i % 4]);
        g.radius = 0.5 + 2 * next_unit(&dice);
        add(g);
    }
    for (int i = 0; i < 240; i++) {
        step_times(1);
        for (pv_particle_id p = pv_null_particle; (p = pv_world_get_next_particle(w, p)).index;) {
            pv_vec2 at = particle_at(p);
            pv_body_id in = pv_world_pick_body(w, at);
            ck_assert_msg(!pv_body_is_valid(w, in), "step %d: %g, %g in body %u (hook %u)", i, at.x,
                          at.y, in.index, hook.index);
        }
    }
}

/* ---- strides of particles that nothing holds ---- */

static pv_world_def strides_of(pv_vec2 gravity, int particle_substeps) {
    return WITH(pv_world_def_default(), it.gravity = gravity,
                it.particle_substeps = particle_substeps);
}

static void open_strides(int particle_substeps) {
    w = next_world(strides_of((pv_vec2){0, 320}, particle_substeps));
}

static pv_particle_def speck(double x, double y, double vx, double vy) {
    return WITH(grain(x, y), it.velocity = (pv_vec2){vx, vy}, it.radius = 3);
}

/// Fills two worlds alike, and checks that their hashes agree after every step.
static void expect_one_way(pv_world_def one, pv_world_def other, void (*fill)(void), int steps) {
    uint64_t hashes[240];
    w = next_world(one);
    fill();
    for (int i = 0; i < steps; i++) {
        step_times(1);
        hashes[i] = pv_world_compute_hash(w);
    }
    w = next_world(other);
    fill();
    for (int i = 0; i < steps; i++) {
        step_times(1);
        ck_assert_msg(pv_world_compute_hash(w) == hashes[i], "step %d", i);
    }
}

/* ---- strides: free flight ---- */

static void add_flight(void) {
    add_ground(1000, 0, 0.5); /* within reach of the fast particle, which does not touch it */
    pv_particle_id p = add(WITH(speck(0, 0, 50, -100), it.linear_damping = 0.7));
    add(speck(-100, 900, 4000, -20));
    pv_particle_apply_force(w, p, (pv_vec2){700, 30});
}

START_TEST(a_flight_has_the_bits_of_all_substeps) {
    const pv_vec2 down = {0, 320};
    for (int strides = 1; strides <= 5; strides += 2)
        expect_one_way(strides_of(down, 0), strides_of(down, strides), add_flight, 60);
}

/* ---- strides: contacts ---- */

/// Returns the greatest height of a particle above a fully elastic floor, after 50 to 60 s.
static double height_after_a_minute(pv_bounce bounce, int strides) {
    open_strides(strides);
    add_ground(100, 1, 0);
    pv_particle_id p = add(WITH(speck(0, -3, 0, 0), it.restitution = 1, it.bounce = bounce));
    double highest = 1e9;
    for (int i = 0; i < 3600; i++) {
        step_times(1);
        if (i >= 3000) highest = fmin(highest, particle_at(p).y);
    }
    return 97 - highest;
}

START_TEST(what_bounces_keeps_its_energy) {
    static const int strides[] = {0, 1, 3, 5};
    for (int i = 0; i < 2 * 4; i++)
        ck_assert_double_eq_tol(height_after_a_minute(WAYS[i % 2], strides[i / 2]), 100, 1.5);
}

START_TEST_FOR(platforms_and_conveyors_carry, strides, 3) {
    open_strides(strides);
    pv_body_def def = WITH(of_type(PV_BODY_KINEMATIC), it.velocity = (pv_vec2){60, -30});
    put(w, box_mask(400, 20), 0, 110, def);
    def = of_type(PV_BODY_STATIC);
    def.tangent_speed = 40; /* clockwise: to the right on top */
    put(w, box_mask(2000, 20), 0, 510, def);
    pv_particle_id rider = add(speck(0, 90, 0, 0)), goods = add(speck(-300, 490, 0, 0));
    step_times(120);
    expect_point(particle_v(rider), 60, -30, 0.01);
    ck_assert_double_eq_tol(particle_at(rider).y, 100 - 3 - 60, 0.1);
    ck_assert_double_eq_tol(particle_v(goods).x, 40, 0.01);
}

START_TEST(one_way_platforms_hold_from_above_alone) {
    open_strides(1);
    put(w, box_mask(400, 10), 0, 105,
        WITH(of_type(PV_BODY_STATIC), it.one_way_normal = (pv_vec2){0, -1}));
    pv_particle_id above = add(speck(-50, 20, 0, 0)), below = add(speck(50, 140, 0, -260));
    for (int i = 0; i < 40; i++) step_times(1);
    ck_assert_double_lt(particle_at(below).y, 110); /* it rises through the platform */
    step_times(200);
    ck_assert_double_eq_tol(particle_at(above).y, 97, 0.1);
    ck_assert_double_eq_tol(particle_at(below).y, 97, 0.1);
}

/* ---- strides: momentum ---- */

/// Throws discs at a crate, which sleeps until the first one hits it within a stride.
static void throw_discs(pv_bounce bounce) {
    for (int i = 0; i < 9; i++) {
        double a = 0.1 + 0.7 * i, far = 40 + 25 * i, aim = 5 * sin(5.0 * i + 1);
        double speed = i == 0 ? 3000 : 300 + 50 * i;
        pv_particle_def def =
            WITH(speck(far * cos(a) - aim * sin(a), far * sin(a) + aim * cos(a), -speed * cos(a),
                       -speed * sin(a)),
                 it.mass = 5 + 7 * i % 30, it.restitution = 0.5, it.bounce = bounce);
        add(def);
    }
}

START_TEST_FOR(hits_within_strides_keep_momentum_and_angular_momentum, i, 4) {
    for (int strides = 1; strides <= 3; strides += 2) {
        w = next_world(strides_of((pv_vec2){0, 0}, strides));
        pv_body_id crate = put_box(PV_BODY_DYNAMIC, 20, 12, 0, 0);
        step_times(120);
        ck_assert(!pv_body_is_awake(w, crate));
        throw_discs(WAYS[i]);
        momenta before = momenta_of(w);
        for (int step = 0; step < 60; step++) {
            step_times(1);
            expect_kept_momenta(&before, w, 1e-5, 1e-3);
        }
        ck_assert(pv_body_is_awake(w, crate));
        pv_vec2 v = body_v(crate);
        ck_assert_double_gt(hypot(v.x, v.y), 1);
    }
}

/* ---- strides: matter that takes all substeps ---- */

/// Fills a world with particles that are held by others or by an awake crate.
static void add_held(void) {
    add_ground(200, 0.3, 0.5);
    CREATE(rope, w, it.from = pv_anchor_world((pv_vec2){-300, 100}),
           it.to = pv_anchor_world((pv_vec2){-200, 100}), it.slack = 0.9);
    pv_liquid_id water = CREATE_FROM(liquid, w, pv_liquid_def_default());
    pv_composite_id list = pv_composite_create(w, NULL);
    for (int i = 0; i < 20; i++) {
        pv_liquid_add_particle(w, water, add(speck(-150 + 6 * (i % 5), 150 + 6 * (i / 5), 0, 0)));
        pv_composite_add_particle(w, list, add(speck(5 * i, 120 + 7 * i % 40, 90, 0)));
    }
    const pv_vec2 corners[] = {{200, 100}, {240, 100}, {240, 140}, {200, 140}};
    put_polygon(w, corners, 4);
    add(WITH(speck(222, 170, 0, 0), it.mass = 0));
    for (int i = -1; i <= 1; i++) add(WITH(speck(330 + 14 * i, 196, 0, 0), it.mass = 60));
    put_box(PV_BODY_DYNAMIC, 50, 20, 330, 183);
}

START_TEST(what_is_held_takes_all_substeps) {
    pv_world_def all = pv_world_def_default(), few = all;
    all.enable_sleep = few.enable_sleep = false;
    few.particle_substeps = 1;
    expect_one_way(all, few, add_held, 240);
}

static void add_shower(void) {
    add_ground(100, 0.5, 0.3);
    for (int k = 0; k < 30; k++) add(speck(7 * k, 50 - k, 30 * k, 200));
}

START_TEST_FOR(as_many_strides_as_substeps_change_nothing, k, 4) {
    pv_world_def all =
        WITH(pv_world_def_default(), it.contact_mode = (pv_contact_mode)(k / 2), it.substeps = 8);
    expect_one_way(all, WITH(all, it.particle_substeps = k % 2 ? 64 : 8), add_shower, 120);
}

/* ---- strides: from free to held and back ---- */

/// Ties a particle to the world by a rope that never gets taut.
static pv_joint_id tie(pv_particle_id p) {
    pv_joint_def def =
        joint_of(PV_JOINT_ROPE, pv_anchor_particle(p), pv_anchor_world((pv_vec2){0, 0}));
    def.length = 1e5;
    return join_by(def);
}

START_TEST(what_comes_to_be_held_keeps_its_velocity) {
    open_strides(1);
    add_ground(3000, 0, 0);
    pv_particle_id p = add(speck(0, 0, 80, -40));
    pv_joint_id rope = pv_null_joint;
    for (int i = 0; i < 120; i++) {
        pv_vec2 was = particle_v(p);
        if (i % 20 == 7) rope = tie(p);
        if (i % 20 == 17) pv_joint_destroy(w, rope);
        pv_vec2 v = particle_v(p);
        ck_assert_vec_eq_tol(v, was.x, was.y, 1e-300);
        step_well(w, i % 3 ? STEP : STEP / 2); /* step lengths vary */
        expect_point(particle_v(p), 80, was.y + 320 * (i % 3 ? STEP : STEP / 2), 1e-8);
    }
}

START_TEST(what_rests_is_not_thrown_when_held) {
    open_strides(1);
    add_ground(100, 0, 0.5);
    pv_particle_id p = add(speck(0, 90, 0, 0));
    step_times(100);
    double y = particle_at(p).y;
    for (int i = 0; i < 10; i++) {
        pv_joint_id rope = tie(p);
        step_times(10);
        pv_joint_destroy(w, rope);
        step_times(10);
        ck_assert_double_eq_tol(particle_at(p).y, y, 1e-3);
        ck_assert_double_eq_tol(particle_v(p).y, 0, 1e-3);
    }
}

/* ---- strides: the same again ---- */

/// Drops 200 different particles on a turning bar, a sleeping crate and a floor.
static void add_rain(void) {
    uint64_t dice = 5;
    add_ground(200, 0.5, 0.5);
    pv_body_set_angular_velocity(w, put_box(PV_BODY_KINEMATIC, 160, 6, -100, 120), 3);
    put_box(PV_BODY_DYNAMIC, 40, 30, 150, 185);
    pv_composite_id list = pv_composite_create(w, NULL);
    for (int i = 0; i < 200; i++) {
        pv_particle_def def =
            WITH(speck(400 * next_unit(&dice) - 200, 100 * next_unit(&dice),
                       300 * next_unit(&dice) - 150, 900 * next_unit(&dice)),
                 it.radius = 4 * next_unit(&dice), it.mass = 0.1 + next_unit(&dice),
                 it.restitution = next_unit(&dice), it.bounce = WAYS[i % 4]);
        pv_particle_id p = add(def);
        if (i % 10 == 0) pv_composite_add_particle(w, list, p);
        if (i % 10 == 1) tie(p);
    }
}

START_TEST(a_restored_world_goes_the_same_way) {
    scoped_keepsake s = {0};
    open_strides(2);
    add_rain();
    step_times(40);
    keep_world(w, PV_SNAPSHOT_PIXELS, &s);
    uint64_t hash = pv_world_compute_hash(w);
    step_times(60);
    uint64_t end = pv_world_compute_hash(w);
    for (int i = 0; i < 2; i++) {
        if (i) open_strides(0); /* the number of strides is in the snapshot */
        recall_world(w, &s);
        ck_assert(pv_world_compute_hash(w) == hash);
        step_times(60);
        ck_assert(pv_world_compute_hash(w) == end);
    }
}

START_TEST_FOR(counts_out_of_range_are_refused, i, 3) {
    static const int bad[] = {-1, 65, 1000};
    pv_world_def def = pv_world_def_default();
    pv_error error;
    ck_assert_int_eq(def.particle_substeps, 0);
    def.particle_substeps = bad[i];
    ck_assert_ptr_null(pv_world_create(&def, &error));
    ck_assert_int_eq(error.status, PV_ERROR_ARGUMENT);
    ck_assert_str_eq(error.field, "def.particle_substeps");
}

/* ---- particles and polygons at bodies: filters, conveyors, one-way sides, locks ---- */

static const double G = 320;
static const pv_filter everybody = {1, 0xffffffff, 0};

/// Returns how far an object falls from rest in some steps.
static double fall(double gravity, int steps, int contacts) {
    double substeps = contacts == PV_CONTACT_MODE_CONTOURS ? 16 : 4, h = STEP / substeps,
           n = steps * substeps;
    return gravity * h * h * n * (n + 1) / 2;
}

static pv_particle_id add_particle(double x, double y, double radius, pv_vec2 v, pv_filter filter) {
    return add(WITH(grain(x, y), it.radius = radius, it.velocity = v, it.filter = filter));
}

/// Adds a regular polygon; with four corners, it is an upright square.
static pv_body_id add_polygon(double x, double y, int corners, double radius, pv_vec2 velocity,
                              double spin, pv_filter filter) {
    pv_vec2 points[64];
    for (int i = 0; i < corners; i++) {
        double angle = 2 * PI * (i + 0.5) / corners;
        points[i] = (pv_vec2){x + radius * cos(angle), y + radius * sin(angle)};
    }
    pv_body_id p = CREATE(polygon, w, it.points = points, it.point_count = corners,
                          it.velocity = velocity, it.angular_velocity = spin, it.filter = filter);
    ck_assert(pv_body_is_valid(w, p));
    return p;
}

static pv_particle_id rest_particle(double x, double y) {
    return add_particle(x, y, 2, (pv_vec2){0, 0}, everybody);
}

/// Adds a square at rest; radius is that of its corners.
static pv_body_id rest_square(double x, double y, double radius) {
    return add_polygon(x, y, 4, radius, (pv_vec2){0, 0}, 0, everybody);
}

static pv_body_id add_pinned(double x, double y, double radius, pv_filter filter) {
    pv_body_id q = add_polygon(x, y, 4, radius, (pv_vec2){0, 0}, 0, filter);
    pv_particle_id corners[4];
    ck_assert_int_eq(pv_body_get_corners(w, q, corners, 4), 4);
    for (int i = 0; i < 4; i++) pv_particle_set_mass(w, corners[i], 0);
    return q;
}

/* ---- filters ---- */

static const pv_filter filters[] = {
    {1, 0xffffffff, 0}, {2, 1, 0},  {4, 2, 0},           {4, 2, 3},
    {4, 1, 3},          {1, 4, -3}, {1, 0xffffffff, -3}, {0x80000000, 0x80000000, 0}};
enum { FILTERS = sizeof filters / sizeof *filters };

static void check_fallen(double from, double y, double floor, bool met, int steps, int contacts) {
    if (met)
        ck_assert_double_lt(y, floor);
    else
        ck_assert_double_eq_tol(y, from + fall(G, steps, contacts), 1e-6);
}

START_TEST(particles_and_polygons_meet_by_filter) {
    for (int k = 0; k < 4 * FILTERS * FILTERS; k++) {
        const pv_filter a = filters[k / 4 % FILTERS], b = filters[k / 4 / FILTERS];
        bool on_body = k / 2 % 2, contacts = k % 2;
        w = next_world_by(contacts, G);
        if (on_body) put(w, box_mask(200, 16), 0, 40, WITH(of_type(PV_BODY_STATIC), it.filter = a));
        for (int side = -1; !on_body && side <= 1; side += 2) add_pinned(50 * side, 40, 20, a);
        pv_particle_id p = add_particle(-50, 0, 2, (pv_vec2){0, 0}, b);
        pv_body_id q = add_polygon(50, 0, 4, 8, (pv_vec2){0, 0}, 0, b);
        step_times(60);
        bool met = filters_agree(a, b);
        check_fallen(0, particle_at(p).y, on_body ? 30.1 : 26, met, 60, contacts);
        check_fallen(0, polygon_at(q).y, on_body ? 32 : 26, met, 60, contacts);
    }
}

static void check_filters(pv_composite_id thing, pv_filter filter) {
    pv_particle_id list[256];
    pv_body_id bodies[64];
    int particles = pv_composite_get_particles(w, thing, list, 256),
        planks = pv_composite_get_bodies(w, thing, bodies, 64);
    ck_assert_int_gt(particles + planks, 0);
    for (int i = 0; i < particles && i < 256; i++) {
        pv_filter has = w->matter.particles.filter[pv__handle_particle(w, list[i])];
        ck_assert_int_eq(has.group_index, filter.group_index);
        ck_assert_uint_eq(has.mask_bits, filter.mask_bits);
    }
    for (int i = 0; i < planks; i++)
        ck_assert_int_eq(pv_body_get_filter(w, bodies[i]).group_index, filter.group_index);
    pv_composite_destroy(w, thing);
}

/// Calls a builder with the default filter, and with another one.
#define CHECK_BUILDER(kind, ...)                                                                   \
    for (int other = 0; other < 2; other++) {                                                      \
        pv_##kind##_def def = pv_##kind##_def_default();                                           \
        __VA_ARGS__;                                                                               \
        if (other) def.filter = mine;                                                              \
        check_filters(pv_##kind##_create(w, &def, NULL), other ? mine : everybody);                \
    }

START_TEST(builders_hand_filters_on) {
    const pv_filter mine = {2, 4, -7};
    const pv_vec2 triangle[] = {{0, 0}, {10, 0}, {0, 10}};
    scoped_mask *mask = box_mask(24, 24);
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, G);
    CHECK_BUILDER(rope, def.to = pv_anchor_world((pv_vec2){100, 0}))
    CHECK_BUILDER(cloth, def.rows = def.columns = 4)
    CHECK_BUILDER(soft_body, def.points = triangle; def.point_count = 3; def.all_pairs = true)
    CHECK_BUILDER(jelly, def.mask = mask)
    CHECK_BUILDER(tree, def.depth = 2)
    CHECK_BUILDER(grass, def.to = (pv_vec2){50, 0}; def.blade_count = 3)
    CHECK_BUILDER(ragdoll, def.height = 50)
    CHECK_BUILDER(bridge, def.mask = mask; def.to = (pv_vec2){100, 0}; def.plank_count = 3)
}

/* ---- running surfaces ---- */

static const double BELT = 80, MU = 0.5;

static pv_body_id open_belt(int contacts) {
    w = next_world_by(contacts, G);
    return put(w, box_mask(600, 16), 0, 8, WITH(of_type(PV_BODY_STATIC), it.tangent_speed = BELT));
}

START_TEST_FOR(belts_bring_particles_and_polygons_to_their_speed, contacts, 2) {
    open_belt(contacts);
    pv_particle_id p = rest_particle(-200, -2);
    pv_body_id q = rest_square(100, -10, 10 * sqrt(2));
    step_times(15);
    ck_assert_double_eq_tol(particle_v(p).x, MU * G * 15 * STEP, 2);
    ck_assert_double_eq_tol(pv_body_get_velocity(w, q).x, MU * G * 15 * STEP, 3);
    step_times(75);
    for (int i = 0; i < 60; i++) {
        step_times(1);
        ck_assert_double_eq_tol(particle_v(p).x, BELT, 1e-3);
        ck_assert_double_eq_tol(pv_body_get_velocity(w, q).x, BELT, 1e-3);
    }
    ck_assert_double_eq_tol(particle_at(p).y, -2, 0.05);
}

/// With all mass at its corners, a ball gets half of the speed: v / (1 + m r^2 / I).
START_TEST(balls_roll_on_belts) {
    open_belt(PV_CONTACT_MODE_CONTOURS);
    double radius = 20, apothem = radius * cos(PI / 48);
    pv_body_id q = add_polygon(-200, -apothem, 48, radius, (pv_vec2){0, 0}, 0, everybody);
    step_times(60);
    double v = BELT / (1 + apothem * apothem / (radius * radius));
    ck_assert_double_eq_tol(pv_body_get_velocity(w, q).x, v, 0.05 * v);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, q), -v / radius, 0.08 * v / radius);
}

START_TEST_FOR(what_a_running_surface_throws_it_recoils_from, polygons, 2) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
    pv_body_id belt =
        put(w, box_mask(60, 20), 0, 0, WITH(of_type(PV_BODY_DYNAMIC), it.tangent_speed = 500));
    pv_vec2 v = {0, 200};
    if (polygons)
        add_polygon(10, -40, 5, 8, v, 1, everybody);
    else
        add_particle(10, -40, 2, v, everybody);
    momenta before = momenta_of(w);
    step_times(30);
    ck_assert_double_lt(body_v(belt).x, -1e-4);
    expect_kept_momenta(&before, w, 1e-9 * fabs(before.y), 1e-8 * fabs(before.y));
}

/* ---- one-way sides ---- */

/// Adds a one-way platform whose top is at y = 0.
static pv_body_id add_platform(int width, int thickness) {
    pv_body_def def =
        WITH(of_type(PV_BODY_STATIC), it.one_way_normal = (pv_vec2){0, -1}, it.restitution = 0);
    return put(w, box_mask(width, thickness), 0, 0.5 * thickness, def);
}

static pv_vec2 flown(pv_vec2 from, pv_vec2 v, int steps, int contacts) {
    return (pv_vec2){from.x + v.x * steps * STEP,
                     from.y + v.y * steps * STEP + fall(G, steps, contacts)};
}

/// Opens a world with a platform. Returns the velocity to fly from a height to an apex.
static pv_vec2 open_below(int thickness, double from, double apex, double sideways, int contacts) {
    w = next_world_by(contacts, G);
    add_platform(900, thickness);
    return (pv_vec2){sideways, -sqrt(2 * G * (from - apex))};
}

/* Object that is thrown, and its place: a particle, a polygon or a composite. */

static pv_particle_id thrown_particle;
static pv_body_id thrown_polygon;
static pv_composite_id thrown_thing;

static pv_vec2 place_of_particle(void) { return particle_at(thrown_particle); }
static pv_vec2 place_of_polygon(void) { return polygon_at(thrown_polygon); }
static pv_vec2 place_of_thing(void) { return pv_composite_get_position(w, thrown_thing); }

static void check_flight(pv_vec2 (*place)(void), pv_vec2 v, int steps, int contacts) {
    pv_vec2 from = place();
    for (int i = 1; i <= steps; i++) {
        step_times(1);
        pv_vec2 free = flown(from, v, i, contacts);
        expect_point(place(), free.x, free.y, 1e-6);
    }
}

static int steps_to_apex(pv_vec2 v) { return (int)ceil(-v.y / G / STEP); }

START_TEST(particles_thrown_up_come_through_and_lie_on_it) {
    static const int thicknesses[] = {1, 2, 8, 40};
    static const double radii[] = {0, 1, 5}, clear[] = {4, 30, 200}, sideways[] = {0, 20, -90};
    for (int k = 0; k < 2 * 4 * 3 * 3 * 3; k++) {
        int contacts = k % 2, thickness = thicknesses[k / 2 % 4];
        double radius = radii[k / 8 % 3], from = thickness + 30 + radius,
               apex = -radius - clear[k / 24 % 3];
        pv_vec2 v = open_below(thickness, from, apex, sideways[k / 72], contacts);
        thrown_particle = add_particle(0, from, radius, v, everybody);
        check_flight(place_of_particle, v, steps_to_apex(v), contacts);
        ck_assert_double_eq_tol(particle_at(thrown_particle).y, apex, 2);
        step_times(200);
        ck_assert_double_eq_tol(particle_at(thrown_particle).y, -radius, 0.1);
    }
}

/// Throws a single drop up through a platform, on which it then lies.
START_TEST_FOR(drops_come_through_and_lie_on_it, contacts, 2) {
    w = next_world_by(contacts, G);
    add_platform(900, 12);
    pv_vec2 v = {5, -sqrt(2 * G * 90)};
    pv_liquid_def water = pv_liquid_def_default();
    water.rest_density = 0.5; /* so that a drop alone beside a body is not pushed off */
    thrown_particle = add_particle(0, 60, 3, v, everybody);
    pv_liquid_id pool = pv_liquid_create(w, &water, NULL);
    ck_assert_int_eq(pv_liquid_add_particle(w, pool, thrown_particle), PV_OK);
    check_flight(place_of_particle, v, steps_to_apex(v) - 1, contacts);
    step_times(301);
    ck_assert(particle_at(thrown_particle).y < -2.5 && particle_at(thrown_particle).y > -12);
}

START_TEST(particles_that_stop_half_way_fall_back) {
    static const double radii[] = {0, 1, 5}, parts[] = {0.1, 0.5, 0.9};
    for (int k = 0; k < 2 * 3 * 3 * 2; k++) {
        int thickness = k / 18 ? 12 : 40;
        double radius = radii[k / 2 % 3], from = thickness + 30 + radius;
        /* Apex of the flight, part of the way through the platform */
        double apex = (thickness + 2 * radius) * (1 - parts[k / 6 % 3]) - radius;
        pv_vec2 v = open_below(thickness, from, apex, 10, k % 2);
        thrown_particle = add_particle(0, from, radius, v, everybody);
        check_flight(place_of_particle, v, 120, k % 2);
    }
}

START_TEST(particles_pass_from_the_sides_and_are_held_from_above) {
    for (int speed = 50; speed <= 5000; speed *= 10) {
        w = next_world_by(PV_CONTACT_MODE_CONTOURS, 0);
        add_platform(100, 40);
        pv_particle_id p = add_particle(-80, 20, 2, (pv_vec2){speed, 0}, everybody);
        pv_particle_id q = add_particle(10, -80, 2, (pv_vec2){0, speed}, everybody);
        step_times(12000 / speed);
        ck_assert_double_eq_tol(particle_at(p).x, -80 + speed * (12000 / speed) * STEP, 1e-6);
        ck_assert_double_eq_tol(particle_at(p).y, 20, 1e-9);
        ck_assert_double_eq_tol(particle_at(q).y, -2, 0.1);
    }
}

START_TEST(what_is_put_into_it_falls_out_below) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, G);
    add_platform(300, 40);
    pv_particle_id p = rest_particle(-50, 3);
    pv_body_id q = rest_square(50, 0, 15);
    step_times(60);
    ck_assert_double_eq_tol(particle_at(p).y, 3 + fall(G, 60, PV_CONTACT_MODE_CONTOURS), 1e-6);
    ck_assert_double_eq_tol(polygon_at(q).y, fall(G, 60, PV_CONTACT_MODE_CONTOURS), 1e-6);
}

static double lowest_of(pv_body_id q) { return pv_body_get_bounds(w, q).max.y; }

START_TEST(polygons_thrown_up_come_through_as_a_whole) {
    static const int thicknesses[] = {2, 8, 60}, corners[] = {3, 4, 7};
    static const double spins[] = {0, 3, -9}, clear[] = {3, 60};
    for (int k = 0; k < 2 * 3 * 3 * 3 * 2; k++) {
        int contacts = k % 2, thickness = thicknesses[k / 2 % 3];
        double radius = 15, from = thickness + 40;
        pv_vec2 v = open_below(thickness, from, -radius - clear[k / 54], 15, contacts);
        thrown_polygon =
            add_polygon(0, from, corners[k / 6 % 3], radius, v, spins[k / 18 % 3], everybody);
        check_flight(place_of_polygon, v, steps_to_apex(v) - 1, contacts);
        step_times(241);
        ck_assert_double_eq_tol(lowest_of(thrown_polygon), 0, 0.3);
    }
}

START_TEST(polygons_that_stop_half_way_fall_back) {
    for (int k = 0; k < 2 * 3 * 5; k++) {
        int thickness = k / 2 % 3 * 10 + 2;
        double from = thickness + 40, apex = thickness + 15 - (k / 6 + 0.5) * (thickness + 30) / 5;
        pv_vec2 v = open_below(thickness, from, apex, 15, k % 2);
        thrown_polygon = add_polygon(0, from, 4, 15 * sqrt(2), v, 0, everybody);
        check_flight(place_of_polygon, v, 120, k % 2);
    }
}

START_TEST(heaps_of_polygons_are_held) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, G);
    add_platform(400, 8);
    pv_body_id pile[12];
    for (int i = 0; i < 12; i++) pile[i] = rest_square(0, -12 - 23 * i, 10 * sqrt(2));
    step_times(300);
    for (int i = 0; i < 12; i++) ck_assert_double_lt(polygon_at(pile[i]).y, -9);
}

static void throw_thing(pv_vec2 v) {
    pv_particle_id list[64];
    int count = pv_composite_get_particles(w, thrown_thing, list, 64);
    for (int i = 0; i < count; i++) pv_particle_set_velocity(w, list[i], v);
}

/// Checks that a composite lies on the ground at y = 0, with no particle sunk in.
static void check_lies(void) {
    pv_particle_id list[64];
    int count = pv_composite_get_particles(w, thrown_thing, list, 64), lying = 0;
    for (int i = 0; i < count; i++) {
        double y = particle_at(list[i]).y + pv_particle_get_radius(w, list[i]);
        ck_assert_double_lt(y, 0.5);
        lying += y > -0.5;
    }
    ck_assert_int_gt(lying, 1);
}

START_TEST(ragdolls_and_ropes_come_through_and_lie_on_it) {
    for (int k = 0; k < 2 * 3; k++) {
        int thickness = (k / 2) * 14 + 2;
        w = next_world_by(PV_CONTACT_MODE_CONTOURS, G);
        add_platform(800, thickness);
        if (k % 2) {
            thrown_thing = CREATE(ragdoll, w, it.position = (pv_vec2){0, thickness + 30},
                                  it.linear_damping = 0);
        } else {
            thrown_thing = CREATE(rope, w, it.from = pv_anchor_world((pv_vec2){-5, thickness + 10}),
                                  it.to = pv_anchor_world((pv_vec2){20, thickness + 90}),
                                  it.from_free = it.to_free = true, it.linear_damping = 0);
        }
        ck_assert(pv_composite_is_valid(w, thrown_thing));
        pv_vec2 v = {0, -sqrt(2 * G * (thickness + 250))};
        throw_thing(v);
        check_flight(place_of_thing, v, steps_to_apex(v) - 1, PV_CONTACT_MODE_CONTOURS);
        step_times(601);
        check_lies();
    }
}

START_TEST(one_way_lifts_carry) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, G);
    pv_body_def def = of_type(PV_BODY_KINEMATIC);
    def.one_way_normal = (pv_vec2){1, 0}; /* turned by -90 degrees, so it points up */
    def.angle = -PI / 2;
    def.velocity = (pv_vec2){0, -60};
    pv_body_id lift = put(w, box_mask(12, 200), 0, 0, def);
    pv_particle_id p = add_particle(-40, -8, 2, (pv_vec2){0, -60}, everybody);
    pv_body_id q = add_polygon(40, -17, 4, 10 * sqrt(2), (pv_vec2){0, -60}, 0, everybody);
    step_times(120);
    double top = body_at(lift).y - 6;
    ck_assert_double_eq_tol(body_at(lift).y, -120, 1e-6);
    ck_assert_double_eq_tol(particle_at(p).y, top - 2, 0.1);
    ck_assert_double_eq_tol(lowest_of(q), top, 0.1);
}

/* ---- what is not there ---- */

START_TEST(sensors_and_what_is_disabled_are_not_met) {
    for (int k = 0; k < 2 * 2 * 3; k++) {
        int contacts = k % 2;
        w = next_world_by(contacts, G);
        put(w, box_mask(200, 16), 0, 60,
            WITH(of_type((pv_body_type)(k / 4)), it.sensor = k / 2 % 2 == 0,
                 it.enabled = k / 2 % 2 != 1, it.gravity_scale = 0));
        pv_particle_id p = rest_particle(-50, 0);
        pv_body_id q = rest_square(50, 0, 8);
        pv_liquid_add_particle(w, CREATE_FROM(liquid, w, pv_liquid_def_default()), p);
        step_times(60);
        ck_assert_double_eq_tol(particle_at(p).y, fall(G, 60, contacts), 1e-6);
        ck_assert_double_eq_tol(polygon_at(q).y, fall(G, 60, contacts), 1e-6);
    }
}

static pv_anchor of(pv_body_id b, double x, double y) { return pv_anchor_body(b, (pv_vec2){x, y}); }

START_TEST_FOR(what_hangs_on_a_disabled_body_hangs_on_nothing, contacts, 2) {
    w = next_world_by(contacts, G);
    pv_body_id hook = put_box(PV_BODY_STATIC, 20, 20, 0, 0);
    pv_body_id box = put_box(PV_BODY_DYNAMIC, 20, 20, 0, 60);
    pv_particle_id p = add_particle(100, 60, 1, (pv_vec2){0, 0}, everybody);
    pv_joint_id rod = join(PV_JOINT_DISTANCE, of(hook, 0, 0), of(box, 0, 60));
    join(PV_JOINT_ROPE, of(hook, 0, 0), pv_anchor_particle(p));
    join(PV_JOINT_ANGLE_LIMIT, of(hook, 0, 0), of(box, 0, 0));
    step_times(10);
    ck_assert_double_eq_tol(pv_joint_get_force(w, rod), 400 * G, 0.05 * 400 * G);
    step_times(230);
    ck_assert(!pv_body_is_awake(w, box));
    double y = body_at(box).y;
    ck_assert_int_eq(pv_body_set_enabled(w, hook, false), PV_OK);
    pv_particle_set_position(w, p, (pv_vec2){100, 60});
    pv_particle_set_velocity(w, p, (pv_vec2){0, 0});
    step_times(60);
    ck_assert_double_eq(pv_joint_get_force(w, rod), 0);
    ck_assert_double_eq_tol(body_at(box).y, y + fall(G, 60, contacts), 2);
    ck_assert_double_eq_tol(particle_at(p).y, 60 + fall(G, 60, contacts), 1e-6);
    ck_assert_int_eq(pv_body_set_enabled(w, hook, true), PV_OK);
    step_times(240);
    ck_assert_double_eq_tol(hypot(body_at(box).x, body_at(box).y), 60, 0.5);
    ck_assert_double_lt(particle_at(p).y, 120);
}

START_TEST(forces_leave_what_is_disabled_alone) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, G);
    pv_body_id b =
        put(w, box_mask(20, 20), 0, 0, WITH(of_type(PV_BODY_DYNAMIC), it.enabled = false));
    pv_force_field_def water = WITH(pv_force_field_def_default(), it.type = PV_FORCE_FIELD_BUOYANCY,
                                    it.area = (pv_box){{-100, -100}, {100, 100}});
    pv_force_field_create(w, &water, NULL);
    water.type = PV_FORCE_FIELD_ATTRACTOR;
    water.point = (pv_vec2){500, 0};
    water.strength = 1e5;
    pv_force_field_create(w, &water, NULL);
    pv_world_explode(w, (pv_vec2){5, 20}, 100, 1e5);
    step_times(30);
    ck_assert_vec_eq_tol(body_at(b), 0, 0, 1e-300);
    ck_assert_int_eq(pv_body_set_enabled(w, b, true), PV_OK);
    ck_assert_vec_eq_tol(body_v(b), 0, 0, 1e-300);
}

/* ---- locks ---- */

static pv_body_id add_bead(double x, double y, unsigned locks) {
    return put(w, box_mask(10, 10), x, y,
               WITH(of_type(PV_BODY_DYNAMIC), it.mass = 4, it.motion_locks = locks));
}

/// A spring of length 0 pulls a bead along its wire: period 2 pi sqrt(m / k).
START_TEST_FOR(beads_on_wires_swing_along_them, k, 4) {
    int contacts = k % 2;
    bool upright = k / 2;
    w = next_world_by(contacts, 0);
    pv_body_id bead = add_bead(upright ? 30 : 20, upright ? 20 : 30,
                               (upright ? PV_LOCK_X : PV_LOCK_Y) | PV_LOCK_ROTATION);
    pv_joint_id spring =
        join(PV_JOINT_PIN, pv_anchor_body(bead, body_at(bead)), pv_anchor_world((pv_vec2){0, 0}));
    ck_assert_int_eq(pv_joint_set_spring(w, spring, 4 * PI * PI * 4, 0), PV_OK); /* 1 s */
    double last = 20, t = 0, crossed = 0;
    int crossings = 0;
    for (int i = 0; i < 150; i++, t += STEP) {
        step_times(1);
        pv_vec2 at = body_at(bead);
        double along = upright ? at.y : at.x;
        ck_assert_double_eq_tol(upright ? at.x : at.y, 30, 1e-12);
        if (last > 0 && along <= 0) {
            double now = t + STEP * last / (last - along);
            if (crossings++ > 0) ck_assert_double_eq_tol(now - crossed, 1, 0.01);
            crossed = now;
        }
        last = along;
    }
    ck_assert_int_ge(crossings, 2);
}

START_TEST_FOR(locked_bodies_hang_on_pins_and_sticks, k, 4) {
    w = next_world_by(k % 2, G);
    pv_body_id bead = add_bead(0, 0, PV_LOCK_X | PV_LOCK_ROTATION);
    pv_vec2 aside = {30, -40};
    if (k / 2)
        join(PV_JOINT_DISTANCE, of(bead, 0, 0), pv_anchor_world(aside));
    else
        join(PV_JOINT_PIN, of(bead, 3, 0), pv_anchor_world((pv_vec2){3, 0}));
    for (int i = 0; i < 240; i++) {
        step_times(1);
        ck_assert_double_eq_tol(body_at(bead).x, 0, 1e-12);
        ck_assert_double_eq_tol(body_at(bead).y, 0, 0.1);
    }
}

START_TEST_FOR(locked_bodies_are_drawn_along_what_is_free, contacts, 2) {
    w = next_world_by(contacts, 0);
    pv_body_id bead = add_bead(0, 0, PV_LOCK_X);
    join(PV_JOINT_MOUSE, of(bead, 0, 0), pv_anchor_world((pv_vec2){50, 80}));
    step_times(120);
    ck_assert_double_eq_tol(body_at(bead).x, 0, 1e-12);
    ck_assert_double_eq_tol(body_at(bead).y, 80, 0.1);
}

/// Returns the def of a body at 45 degrees that can only move along y.
static pv_body_def turned_bead(void) {
    return WITH(of_type(PV_BODY_DYNAMIC), it.mass = 4, it.angle = PI / 4,
                it.motion_locks = PV_LOCK_X | PV_LOCK_ROTATION);
}

START_TEST_FOR(locked_bodies_are_hit_as_if_endless_across, k, 4) {
    bool polygon = k / 2;
    w = next_world_by(k % 2, 0);
    pv_body_id b = put(w, box_mask(60, 60), 0, 0, turned_bead());
    set_surface(w, b, 1, 0, 0);
    if (polygon) { /* one corner hits without a lever, so it acts like a particle */
        const pv_vec2 kite[] = {{15, -60}, {25, -70}, {35, -80}, {15, -80 + 1e-3}};
        ck_assert(pv_body_is_valid(w, CREATE(polygon, w, it.points = kite, it.point_count = 4,
                                             it.mass = 1, it.velocity = (pv_vec2){0, 300})));
    } else {
        CREATE(particle, w, it.position = (pv_vec2){15, -80}, it.velocity = (pv_vec2){0, 300},
               it.radius = it.restitution = 1, it.friction = 0);
    }
    step_times(40);
    double j = 2 * 300 * sqrt(0.5) / (1 + 0.5 / 4);
    ck_assert_double_eq_tol(body_at(b).x, 0, 1e-12);
    ck_assert_double_eq_tol(momenta_of(w).y, 300, 1e-9 * 300);
    if (!polygon) ck_assert_double_eq_tol(body_v(b).y, j * sqrt(0.5) / 4, 1);
    ck_assert_double_gt(body_v(b).y, 10);
}

START_TEST_FOR(locked_bodies_part_from_what_is_in_them, contacts, 2) {
    w = next_world_by(contacts, 0);
    pv_body_id b = put(w, box_mask(60, 60), 0, 0, turned_bead());
    pv_particle_id p = add_particle(20, -20.4, 1, (pv_vec2){0, 0}, everybody); /* about 1.5 px */
    step_times(30);
    ck_assert_double_eq_tol(body_at(b).x, 0, 1e-12);
    ck_assert_double_gt(body_at(b).y, 0.1);
    ck_assert_double_eq_tol(particle_at(p).y + 4 * body_at(b).y, -20.4, 1e-9);
}

/* ---- names, memory, input ---- */

START_TEST(the_nearest_within_reach_is_found) {
    pv_particle_id a = add(grain(0, 0)), b = add(grain(10, 0));
    ck_assert_uint_eq(pv_world_pick_particle(w, (pv_vec2){4, 0}, 20).index, a.index);
    ck_assert_uint_eq(pv_world_pick_particle(w, (pv_vec2){6, 0}, 20).index, b.index);
    ck_assert_uint_eq(pv_world_pick_particle(w, (pv_vec2){4, 3}, 4.9).index, 0);
    ck_assert_uint_eq(pv_world_pick_particle(w, (pv_vec2){NAN, 3}, 4.9).index, 0);
    ck_assert_uint_eq(pv_world_pick_particle(w, (pv_vec2){4, 3}, -1).index, 0);
}

START_TEST(what_is_out_of_range_is_refused) {
    pv_particle_def good = grain(1, 2);
    const pv_particle_def bad[] = {WITH(good, it.position.x = 2 * PV_MAX_COORDINATE),
                                   WITH(good, it.radius = -0.5),
                                   WITH(good, it.radius = 257),
                                   WITH(good, it.linear_damping = -0.5),
                                   WITH(good, it.restitution = -0.5),
                                   WITH(good, it.restitution = 1.01),
                                   WITH(good, it.friction = -0.5)};
    open_world(320, 0, true);
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        pv_error error = {0};
        ck_assert_uint_eq(pv_particle_create(w, &bad[i], &error).index, 0);
        ck_assert_msg(error.status == PV_ERROR_ARGUMENT, "number %zu: %s", i, error.message);
    }
    ck_assert_int_eq(pv_world_get_stats(w).particles, 0);
}

START_TEST(what_is_not_finite_changes_nothing) {
    open_world(320, 0, true);
    pv_particle_id p = add_flying(1, 2, 3, 4);
    uint64_t hash = pv_world_compute_hash(w);
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            pv_vec2 v = k ? (pv_vec2){0, bad[i]} : (pv_vec2){bad[i], 0};
            ck_assert_int_eq(pv_particle_set_position(w, p, v), PV_ERROR_NOT_FINITE);
            ck_assert_int_eq(pv_particle_set_velocity(w, p, v), PV_ERROR_NOT_FINITE);
            ck_assert_int_eq(pv_particle_apply_force(w, p, v), PV_ERROR_NOT_FINITE);
            ck_assert_int_eq(pv_particle_apply_impulse(w, p, v), PV_ERROR_NOT_FINITE);
            ck_assert_int_eq(pv_particle_set_mass(w, p, bad[i]), PV_ERROR_NOT_FINITE);
        }
    ck_assert_int_eq(pv_particle_set_position(w, p, (pv_vec2){1e9, 0}), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_particle_set_mass(w, p, -1), PV_ERROR_ARGUMENT);
    ck_assert(pv_world_compute_hash(w) == hash);
}

START_TEST_FOR(what_leaves_the_numbers_is_stopped, sleeping, 2) {
    open_world(0, 0, sleeping);
    pv_particle_id p = add_flying(PV_MAX_COORDINATE - 10, 0, 1e6, 0), q = add(grain(0, 0));
    pv_particle_apply_force(w, q, (pv_vec2){1e300, -1e300});
    ck_assert_int_eq(pv_world_step(w, STEP), PV_OK);
    ck_assert_int_gt(pv_world_get_events(w).frozen_count, 0);
    for (int i = 0; i < 10; i++) pv_world_step(w, STEP);
    pv_vec2 at = particle_at(p), other = particle_at(q);
    ck_assert(fabs(at.x) <= PV_MAX_COORDINATE && fabs(at.y) <= PV_MAX_COORDINATE);
    ck_assert(fabs(other.x) <= PV_MAX_COORDINATE && fabs(other.y) <= PV_MAX_COORDINATE);
}

/// Drops particles and drops on a floor, with strides, and throws polygons up through a platform.
/// Returns false if an allocation was refused.
static bool live_a_little(purse *mine) {
    pv_world_def def =
        WITH(pv_world_def_default(), it.allocator = (pv_allocator){purse_alloc, mine},
             it.particle_substeps = 1);
    scoped_world *world = pv_world_create(&def, NULL);
    if (!world) return false;
    pv_body_def ground =
        WITH(of_type(PV_BODY_STATIC), it.mask = box_mask(800, 40), it.position.y = 20);
    bool whole = pv_body_create(world, &ground, NULL).index != 0;
    ground.one_way_normal = (pv_vec2){0, -1};
    ground.position.x = -1000;
    whole &= pv_body_create(world, &ground, NULL).index != 0;
    pv_mask_release(ground.mask);
    pv_liquid_id wet = CREATE_FROM(liquid, world, pv_liquid_def_default());
    for (int i = 0; i < 5; i++) {
        double x = 30 * i - 1000;
        const pv_vec2 points[] = {{x, 42}, {x + 8, 42}, {x + 8, 52}, {x, 52}};
        whole &=
            pv_body_is_valid(world, CREATE(polygon, world, it.points = points, it.point_count = 4,
                                           it.velocity.y = -150, it.filter.group_index = i));
    }
    for (int i = 0; i < 200; i++) {
        pv_particle_def g = grain(i, 0);
        pv_error error;
        pv_particle_id p = pv_particle_create(world, &g, &error);
        whole &= error.status == PV_OK;
        if (i % 5 == 0) whole &= pv_liquid_add_particle(world, wet, p) == PV_OK;
        ck_assert(error.status == PV_OK || error.status == PV_ERROR_MEMORY);
    }
    for (int i = 0; i < 3; i++) whole &= pv_world_step(world, STEP) == PV_OK;
    return whole;
}

START_TEST(every_byte_comes_back_whatever_fails) { refuse_each(live_a_little); }

RUN_TESTS_IN("matter", open_space, close_world, 1)
