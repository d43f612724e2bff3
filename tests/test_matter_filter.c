/* test_matter_filter.c - particles and polygons at bodies: filters, running surfaces, one-way
 * sides, sensors, locks.
 *
 * Invariant: places and speeds follow formulas of free flight, Coulomb's friction, rolling and
 * springs. Sums of momenta use the public interface.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/handle.h"
#include "shared_world.h"

#define STEP (1.0 / 60)
#define PI 3.14159265358979323846

static const double G = 320;
static const pv_filter everybody = {1, 0xffffffff, 0};

static pv_world *w;

/// Returns how far something falls from rest in so many steps of so many substeps.
static double fall(double gravity, int steps, int contacts) {
    double substeps = contacts == PV_CONTACT_MODE_CONTOURS ? 16 : 4, h = STEP / substeps,
           n = steps * substeps;
    return gravity * h * h * n * (n + 1) / 2;
}

static pv_particle_id add_particle(double x, double y, double radius, pv_vec2 velocity,
                                   pv_filter filter) {
    pv_particle_def def = pv_particle_def_default();
    def.position = (pv_vec2){x, y};
    def.radius = radius;
    def.velocity = velocity;
    def.filter = filter;
    pv_particle_id p = pv_particle_create(w, &def, NULL);
    ck_assert(pv_particle_is_valid(w, p));
    return p;
}

/// A regular polygon; of four corners an upright square.
static pv_body_id add_polygon(double x, double y, int corners, double radius, pv_vec2 velocity,
                              double spin, pv_filter filter) {
    pv_vec2 points[64];
    for (int i = 0; i < corners; i++) {
        double angle = 2 * PI * (i + 0.5) / corners;
        points[i] = (pv_vec2){x + radius * cos(angle), y + radius * sin(angle)};
    }
    pv_polygon_def def = pv_polygon_def_default();
    def.points = points;
    def.point_count = corners;
    def.velocity = velocity;
    def.angular_velocity = spin;
    def.filter = filter;
    pv_body_id p = pv_polygon_create(w, &def, NULL);
    ck_assert(pv_body_is_valid(w, p));
    return p;
}

static pv_particle_id rest_particle(double x, double y) {
    return add_particle(x, y, 2, (pv_vec2){0, 0}, everybody);
}

/// A square of a radius of its corners.
static pv_body_id rest_square(double x, double y, double radius) {
    return add_polygon(x, y, 4, radius, (pv_vec2){0, 0}, 0, everybody);
}

/// A polygon none of whose corners moves.
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

/// Lets a particle and a square fall on a body, or on two pinned polygons.
START_TEST(particles_and_polygons_meet_by_filter) {
    for (int k = 0; k < 4 * FILTERS * FILTERS; k++) {
        const pv_filter a = filters[k / 4 % FILTERS], b = filters[k / 4 / FILTERS];
        bool on_body = k / 2 % 2, contacts = k % 2;
        w = next_world_by(contacts, G);
        pv_body_def ground = of_type(PV_BODY_STATIC);
        ground.filter = a;
        if (on_body) put(w, box_mask(200, 16), 0, 40, ground);
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

/// Builds one with the default filter and one with another.
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
    pv_body_def def = of_type(PV_BODY_STATIC);
    def.tangent_speed = BELT;
    return put(w, box_mask(600, 16), 0, 8, def);
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

/// Checks a polygon with all mass at its corners, which gets half the belt's speed: v / (1 + m r^2
/// / I).
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
    pv_body_def def = of_type(PV_BODY_DYNAMIC);
    def.tangent_speed = 500;
    pv_body_id belt = put(w, box_mask(60, 20), 0, 0, def);
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

/// Its top is at 0.
static pv_body_id add_platform(int width, int thickness) {
    pv_body_def def = of_type(PV_BODY_STATIC);
    def.one_way_normal = (pv_vec2){0, -1};
    def.restitution = 0;
    return put(w, box_mask(width, thickness), 0, 0.5 * thickness, def);
}

/// Free flight after so many steps.
static pv_vec2 flown(pv_vec2 from, pv_vec2 v, int steps, int contacts) {
    return (pv_vec2){from.x + v.x * steps * STEP,
                     from.y + v.y * steps * STEP + fall(G, steps, contacts)};
}

/// Opens a world with a platform. Returns the velocity from a height to an apex, with one to the side.
static pv_vec2 open_below(int thickness, double from, double apex, double sideways, int contacts) {
    w = next_world_by(contacts, G);
    add_platform(900, thickness);
    return (pv_vec2){sideways, -sqrt(2 * G * (from - apex))};
}

/* What is thrown, and its place: a particle, a polygon or a composite. */

static pv_particle_id thrown_particle;
static pv_body_id thrown_polygon;
static pv_composite_id thrown_thing;

static pv_vec2 place_of_particle(void) { return particle_at(thrown_particle); }
static pv_vec2 place_of_polygon(void) { return polygon_at(thrown_polygon); }
static pv_vec2 place_of_thing(void) { return pv_composite_get_position(w, thrown_thing); }

/// Checks that something flies freely for so many steps.
static void check_flight(pv_vec2 (*place)(void), pv_vec2 v, int steps, int contacts) {
    pv_vec2 from = place();
    for (int i = 1; i <= steps; i++) {
        step_times(1);
        pv_vec2 free = flown(from, v, i, contacts);
        expect_point(place(), free.x, free.y, 1e-6);
    }
}

/// Returns after how many steps something thrown up has come to its apex.
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

/// Checks a single drop, for which a body is a shore.
START_TEST_FOR(drops_come_through_and_lie_on_it, contacts, 2) {
    w = next_world_by(contacts, G);
    add_platform(900, 12);
    pv_vec2 v = {5, -sqrt(2 * G * 90)};
    pv_liquid_def water = pv_liquid_def_default();
    water.rest_density = 0.5; /* a shore alone is crowded */
    thrown_particle = add_particle(0, 60, 3, v, everybody);
    pv_liquid_id pool = pv_liquid_create(w, &water, NULL);
    ck_assert_int_eq(pv_liquid_add_particle(w, pool, thrown_particle), PV_OK);
    check_flight(place_of_particle, v, steps_to_apex(v) - 1, contacts);
    step_times(301);
    ck_assert_double_lt(particle_at(thrown_particle).y, -2.5);
    ck_assert_double_gt(particle_at(thrown_particle).y, -12);
}

START_TEST(particles_that_stop_half_way_fall_back) {
    static const double radii[] = {0, 1, 5}, parts[] = {0.1, 0.5, 0.9};
    for (int k = 0; k < 2 * 3 * 3 * 2; k++) {
        int thickness = k / 18 ? 12 : 40;
        double radius = radii[k / 2 % 3], from = thickness + 30 + radius;
        /* Apex of the flight, at a part of the way through the platform */
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
    pv_body_id heap[12];
    for (int i = 0; i < 12; i++) heap[i] = rest_square(0, -12 - 23 * i, 10 * sqrt(2));
    step_times(300);
    for (int i = 0; i < 12; i++) ck_assert_double_lt(polygon_at(heap[i]).y, -9);
}

/// Throws all of a thing up.
static void throw_thing(pv_vec2 v) {
    pv_particle_id list[64];
    int count = pv_composite_get_particles(w, thrown_thing, list, 64);
    for (int i = 0; i < count; i++) pv_particle_set_velocity(w, list[i], v);
}

/// Checks that a composite lies on the ground at 0. No particle is deeper than its radius, and at
/// least one is on it.
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
            pv_ragdoll_def def = pv_ragdoll_def_default();
            def.position = (pv_vec2){0, thickness + 30};
            def.linear_damping = 0;
            thrown_thing = pv_ragdoll_create(w, &def, NULL);
        } else {
            pv_rope_def def = pv_rope_def_default();
            def.from = pv_anchor_world((pv_vec2){-5, thickness + 10});
            def.to = pv_anchor_world((pv_vec2){20, thickness + 90});
            def.from_free = def.to_free = true;
            def.linear_damping = 0;
            thrown_thing = pv_rope_create(w, &def, NULL);
        }
        ck_assert(pv_composite_is_valid(w, thrown_thing));
        pv_vec2 v = {0, -sqrt(2 * G * (thickness + 250))};
        throw_thing(v);
        check_flight(place_of_thing, v, steps_to_apex(v) - 1, PV_CONTACT_MODE_CONTOURS);
        step_times(601);
        check_lies();
    }
}

/// A lift that goes up carries what lies on it and comes through what is above it.
START_TEST(one_way_lifts_carry) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, G);
    pv_body_def def = of_type(PV_BODY_KINEMATIC);
    def.one_way_normal = (pv_vec2){1, 0}; /* turned by -90 degrees: up */
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
        pv_body_def def = of_type((pv_body_type)(k / 4));
        def.sensor = k / 2 % 2 == 0;
        def.enabled = k / 2 % 2 != 1;
        def.gravity_scale = 0;
        put(w, box_mask(200, 16), 0, 60, def);
        pv_particle_id p = rest_particle(-50, 0);
        pv_body_id q = rest_square(50, 0, 8);
        pv_liquid_def water = pv_liquid_def_default();
        pv_liquid_add_particle(w, pv_liquid_create(w, &water, NULL), p);
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
    pv_body_def def = of_type(PV_BODY_DYNAMIC);
    def.enabled = false;
    pv_body_id b = put(w, box_mask(20, 20), 0, 0, def);
    pv_force_field_def water = pv_force_field_def_default();
    water.type = PV_FORCE_FIELD_BUOYANCY;
    water.area = (pv_box){{-100, -100}, {100, 100}};
    pv_force_field_create(w, &water, NULL);
    water.type = PV_FORCE_FIELD_ATTRACTOR;
    water.point = (pv_vec2){500, 0};
    water.strength = 1e5;
    pv_force_field_create(w, &water, NULL);
    pv_world_explode(w, (pv_vec2){5, 20}, 100, 1e5);
    step_times(30);
    ck_assert_double_eq(body_at(b).x, 0);
    ck_assert_double_eq(body_at(b).y, 0);
    ck_assert_int_eq(pv_body_set_enabled(w, b, true), PV_OK);
    ck_assert_double_eq(body_v(b).x, 0);
    ck_assert_double_eq(body_v(b).y, 0);
}

/* ---- locks ---- */

static pv_body_id add_bead(double x, double y, unsigned locks) {
    pv_body_def def = of_type(PV_BODY_DYNAMIC);
    def.mass = 4;
    def.motion_locks = locks;
    return put(w, box_mask(10, 10), x, y, def);
}

/// Checks a spring of length 0, which pulls only along the wire: period 2 pi sqrt(m / k).
START_TEST_FOR(beads_on_wires_swing_along_them, k, 4) {
    int contacts = k % 2;
    bool upright = k / 2;
    w = next_world_by(contacts, 0);
    pv_body_id bead = add_bead(upright ? 30 : 20, upright ? 20 : 30,
                               (upright ? PV_LOCK_X : PV_LOCK_Y) | PV_LOCK_ROTATION);
    pv_joint_def def = pv_joint_def_default();
    def.type = PV_JOINT_PIN;
    def.stiffness = 4 * PI * PI * 4; /* a second */
    def.a = pv_anchor_body(bead, body_at(bead));
    def.b = pv_anchor_world((pv_vec2){0, 0});
    ck_assert(pv_joint_is_valid(w, pv_joint_create(w, &def, NULL)));
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

/// At 45 degrees, free along y alone
static pv_body_def turned_bead(void) {
    pv_body_def def = of_type(PV_BODY_DYNAMIC);
    def.mass = 4;
    def.angle = PI / 4;
    def.motion_locks = PV_LOCK_X | PV_LOCK_ROTATION;
    return def;
}

START_TEST_FOR(locked_bodies_are_hit_as_if_endless_across, k, 4) {
    bool polygon = k / 2;
    w = next_world_by(k % 2, 0);
    pv_body_def def = turned_bead();
    def.restitution = 1;
    def.static_friction = def.friction = 0;
    pv_body_id b = put(w, box_mask(60, 60), 0, 0, def);
    if (polygon) { /* one of which a corner hits, with no lever: as good as a particle */
        const pv_vec2 kite[] = {{15, -60}, {25, -70}, {35, -80}, {15, -80 + 1e-3}};
        pv_polygon_def q = pv_polygon_def_default();
        q.points = kite;
        q.point_count = 4;
        q.mass = 1;
        q.velocity = (pv_vec2){0, 300};
        ck_assert(pv_body_is_valid(w, pv_polygon_create(w, &q, NULL)));
    } else {
        pv_particle_def falling = pv_particle_def_default();
        falling.position = (pv_vec2){15, -80};
        falling.velocity = (pv_vec2){0, 300};
        falling.radius = falling.restitution = 1;
        falling.friction = 0;
        pv_particle_create(w, &falling, NULL);
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
    pv_particle_id p = add_particle(20, -20.4, 1, (pv_vec2){0, 0}, everybody); /* 1.5 deep or so */
    step_times(30);
    ck_assert_double_eq_tol(body_at(b).x, 0, 1e-12);
    ck_assert_double_gt(body_at(b).y, 0.1);
    ck_assert_double_eq_tol(particle_at(p).y + 4 * body_at(b).y, -20.4, 1e-9);
}

RUN_TESTS_IN("matter_filter", NULL, close_world, 1)
