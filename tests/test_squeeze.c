/* test_squeeze.c - bodies between walls, crush events, fast bodies at platforms and joints.
 *
 * Invariant: squeezed bodies are at most 20 px/s faster than walls. A crush begins and ends once.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

static const double DT = 1.0 / 60, SPARE = 20;

enum { MOST = 8 };

typedef struct press {
    pv_world *world;
    pv_body_id walls[2], crates[MOST];
    int count;
    /// Gap between the walls at first, and how far each has come in [px]
    double gap, in;
} press;

static press press_open(int count, int columns, double gravity) {
    press p = {.world = world_under(0, gravity), .count = count, .gap = 18 * columns + 20};
    put(p.world, box_mask(800, 20), 0, 10, of_type(PV_BODY_STATIC));
    for (int i = 0; i < 2; i++)
        p.walls[i] = put(p.world, box_mask(40, 200), (i ? 0.5 : -0.5) * (p.gap + 40), -100,
                         of_type(PV_BODY_KINEMATIC));
    for (int i = 0; i < count; i++)
        p.crates[i] = put(p.world, box_mask(16, 16), 18 * (i % columns) - 9 * (columns - 1),
                          -8 - 16.1 * (i / columns), of_type(PV_BODY_DYNAMIC));
    return p;
}

static void press_close(press *p) { pv_world_destroy(p->world); }

#define scoped_press __attribute__((cleanup(press_close))) press

static void step(press *p, double speed) {
    p->in += speed * DT;
    for (int k = 0; k < 2; k++) {
        pv_vec2 at = {(k ? 1 : -1) * (0.5 * p->gap + 20 - p->in), -100};
        ck_assert_int_eq(pv_body_move_to(p->world, p->walls[k], at, 0, DT), PV_OK);
    }
    step_well(p->world, DT);
}

static double speed_of(const pv_world *w, pv_body_id b) {
    return hypot(pv_body_get_velocity(w, b).x, pv_body_get_velocity(w, b).y);
}

static double fastest(const press *p) {
    double most = 0;
    for (int i = 0; i < p->count; i++) most = fmax(most, speed_of(p->world, p->crates[i]));
    return most;
}

/// Updates the crates' highest places. Returns the farthest fall from there [px].
static double fallen(const press *p, double *highest) {
    double most = 0;
    for (int i = 0; i < p->count; i++) {
        double y = pv_body_get_position(p->world, p->crates[i]).y;
        highest[i] = fmin(highest[i], y);
        most = fmax(most, y - highest[i]);
    }
    return most;
}

/// Closes walls on crates, waits, and opens them again, while crates may also fall.
static void check_press(int count, int columns, double speed) {
    const double gravity = 320;
    scoped_press p = press_open(count, columns, gravity);
    double highest[MOST] = {0};
    int steps = (int)((p.gap - 6) / 2 / speed / DT);
    for (int way = 1; way >= -1; way--)
        for (int k = 0; k < (way ? steps : 120); k++) {
            step(&p, way * speed);
            double fall = sqrt(2 * gravity * fallen(&p, highest));
            ck_assert_msg(fastest(&p) <= speed + SPARE + (way < 0 ? fall : 0),
                          "%d crates, way %d, step %d: %.0f px/s", count, way, k, fastest(&p));
        }
}

START_TEST(what_is_squeezed_is_hardly_faster_than_the_walls) {
    check_press(3, 3, 100);
    for (int count = 1; count <= MOST; count++)
        for (int columns = 1; columns <= 4; columns++) {
            int speeds = (int)last_seed(6); /* others for each press, so that all are tried */
            for (int i = 0; i < speeds; i++)
                check_press(count, columns, 5 + 8 * ((count + columns + i) % 6));
        }
}

/// Checks the speed limit for discs and turned boxes that float between walls.
START_TEST(mixed_heaps_are_hardly_faster_than_the_walls) {
    uint64_t seed = 5;
    for (int i = 0; i < 60; i++) {
        double speed = 5 + 60 * next_unit(&seed);
        scoped_press p = press_open(0, 1 + i % 4, 0);
        p.count = 1 + i % MOST;
        for (int k = 0; k < p.count; k++) {
            pv_body_def def = WITH(of_type(PV_BODY_DYNAMIC), it.angle = 3 * next_unit(&seed));
            int high = 10 + (int)(6 * next_unit(&seed));
            pv_mask *mask = next_unit(&seed) < 0.5 ? disc_mask(8) : box_mask(16, high);
            double x = 18 * (k % (1 + i % 4)) - 9 * (i % 4);
            p.crates[k] = put(p.world, mask, x, -10 - 20 * (k / (1 + i % 4)), def);
        }
        while (p.gap - 2 * p.in > 10 * (1 + i % 4)) {
            step(&p, speed);
            ck_assert_msg(fastest(&p) <= speed + SPARE, "heap %d: %.0f px/s, not %.0f", i,
                          fastest(&p), speed);
        }
    }
}

/// Returns how much faster than two slippery walls a disc is that they squeeze out [px/s].
static double squirted(double tilt, double turn, double speed, int radius) {
    scoped_world *w = world_under(0, 0);
    pv_body_def slippery = WITH(of_type(PV_BODY_KINEMATIC), it.friction = it.static_friction = 0);
    double most = 0, away = (radius + 21) / cos(tilt);
    pv_body_id walls[2], disc = put(w, disc_mask(radius), 0, 0, of_type(PV_BODY_DYNAMIC));
    for (int i = -1; i <= 1; i += 2) {
        pv_vec2 side = {i * cos(turn), i * sin(turn)};
        slippery.angle = i * tilt + turn;
        walls[i > 0] = put(w, box_mask(40, 300), away * side.x, away * side.y, slippery);
        pv_body_set_velocity(w, walls[i > 0], (pv_vec2){-speed * side.x, -speed * side.y});
    }
    for (double way = 0; way < radius; way += speed * DT) {
        step_well(w, DT);
        most = fmax(most, speed_of(w, disc) - speed);
    }
    return most;
}

START_TEST_FOR(what_squirts_out_is_hardly_faster_than_the_walls, i, 60) {
    double tilt = 0.05 * (i % 10 + 1), turn = 0.21 * (i / 10), speed = 20 * (i % 3 + 1);
    ck_assert_double_le(squirted(tilt, turn, speed, 8 + i % 5), SPARE);
}

/// Returns the angle of a bar that two pushers have turned, one pushing high and one low.
static double turned_by_two(double speed, int side) {
    scoped_world *w = world_under(0, 0);
    pv_body_id bar = put(w, box_mask(8, 100), 0, 0, of_type(PV_BODY_DYNAMIC));
    for (int i = -1; i <= 1; i += 2) {
        pv_body_id pusher =
            put(w, box_mask(10, 10), 11 * i, -40 * i * side, of_type(PV_BODY_KINEMATIC));
        pv_body_set_velocity(w, pusher, (pv_vec2){-i * speed, 0});
    }
    for (double way = 0; way < 30; way += speed * DT) step_well(w, DT);
    ck_assert_int_eq(pv_world_get_events(w).crush_count, 0);
    return pv_body_get_angle(w, bar);
}

/// A bar turns away from pushers that do not face each other, the same to both sides.
START_TEST(what_can_turn_away_is_not_squeezed) {
    for (double speed = 10; speed <= 80; speed += 10) {
        double right = turned_by_two(speed, 1), left = turned_by_two(speed, -1);
        ck_assert_double_gt(left, 0.5);
        ck_assert_double_eq_tol(right, -left, 0.01);
    }
}

/// Returns the crush event of a body, or null.
static const pv_crush *crush_of(const pv_events *e, pv_body_id body) {
    for (int i = 0; i < e->crush_count; i++)
        if (PV_ID_EQUALS(e->crushes[i].body, body)) return &e->crushes[i];
    return NULL;
}

static bool is_wall(const press *p, pv_body_id b) {
    return PV_ID_EQUALS(b, p->walls[0]) || PV_ID_EQUALS(b, p->walls[1]);
}

START_TEST(a_crush_is_told_from_when_it_begins_until_it_is_over) {
    scoped_press p = press_open(1, 1, 320);
    int begins = 0, ends = 0, told = 0;
    for (int i = 0; i < 240; i++) {
        step(&p, i < 60 ? 15 : i < 120 ? 0 : -15);
        pv_events e = pv_world_get_events(p.world);
        const pv_crush *c = crush_of(&e, p.crates[0]);
        double room = p.gap - 2 * p.in;
        ck_assert_int_eq(e.crush_count, c != NULL);
        if (room > 16.5) ck_assert_ptr_null(c);
        if (room < 14 && i < 120) ck_assert_ptr_nonnull(c);
        ends += e.release_count;
        if (!c) continue;
        ck_assert(is_wall(&p, c->by) && is_wall(&p, c->a) && is_wall(&p, c->b) &&
                  !PV_ID_EQUALS(c->a, c->b));
        ck_assert_double_eq_tol(c->depth, 16 - room, 1.5);
        ck_assert_int_eq(c->begins, told == 0);
        begins += c->begins;
        told++;
    }
    ck_assert(begins == 1 && ends == 1 && told > 60);
}

START_TEST(each_of_a_heap_is_told_with_who_is_on_both_sides) {
    scoped_press p = press_open(4, 2, 320);
    bool begun[MOST] = {false};
    for (int i = 0; i < 60; i++) {
        step(&p, 21);
        pv_events e = pv_world_get_events(p.world);
        for (int k = 0; k < e.crush_count; k++) {
            const pv_crush *c = &e.crushes[k];
            ck_assert(is_wall(&p, c->by) && c->depth > 0 && !PV_ID_EQUALS(c->a, c->body));
            if (k > 0) ck_assert_uint_lt(e.crushes[k - 1].body.index, c->body.index);
            for (int b = 0; b < p.count; b++)
                begun[b] |= c->begins && PV_ID_EQUALS(p.crates[b], c->body);
        }
    }
    for (int b = 0; b < p.count; b++) ck_assert(begun[b]);
}

START_TEST(what_is_only_pushed_or_carried_is_not_crushed) {
    scoped_press p = press_open(4, 2, 320);
    for (int i = 0; i < 200; i++) {
        for (int k = 0; k < 2; k++) {
            pv_vec2 at = {(k ? 1 : -1) * (0.5 * p.gap + 20) + 60 * DT * i, -100};
            pv_body_move_to(p.world, p.walls[k], at, 0, DT);
        }
        pv_world_step(p.world, DT);
        ck_assert_int_eq(pv_world_get_events(p.world).crush_count, 0);
        ck_assert_double_le(fastest(&p), 60 + SPARE);
    }
}

/// A pusher rolls a ball up a slope of 30 degrees. That neither crushes nor slows it.
START_TEST(what_is_pushed_up_a_slope_is_not_squeezed) {
    scoped_world *w = world_under(0, 320);
    pv_body_id ball = put(w, disc_mask(8), 0, -12, of_type(PV_BODY_DYNAMIC));
    put(w, box_mask(600, 40), 10, 20 * cos(M_PI / 6),
        WITH(of_type(PV_BODY_STATIC), it.angle = -M_PI / 6));
    put(w, box_mask(20, 400), -20, -100,
        WITH(of_type(PV_BODY_KINEMATIC), it.velocity = (pv_vec2){90, 0}));
    for (int i = 0; i < 80; i++) {
        step_well(w, DT);
        ck_assert_int_eq(pv_world_get_events(w).crush_count, 0);
    }
    ck_assert_double_gt(speed_of(w, ball), 90 / cos(M_PI / 6) - 1);
}

/// A crush is reported also for a crate on a lift.
START_TEST(on_a_lift_a_crush_is_told_as_well) {
    scoped_world *w = world_under(0, 320);
    pv_body_id crate = put(w, box_mask(16, 16), 0, -8, of_type(PV_BODY_DYNAMIC));
    put(w, box_mask(40, 400), 30, -100, of_type(PV_BODY_STATIC));
    put(w, box_mask(40, 400), -30, -100,
        WITH(of_type(PV_BODY_KINEMATIC), it.velocity = (pv_vec2){15, 0}));
    put(w, box_mask(800, 20), 0, 10,
        WITH(of_type(PV_BODY_KINEMATIC), it.velocity = (pv_vec2){0, -10}));
    steps_well(w, 25);
    pv_events e = pv_world_get_events(w);
    ck_assert_ptr_nonnull(crush_of(&e, crate));
}

/// A load of 1e7 times the stick's mass holds it in the floor; one of 1e5 times does not.
START_TEST_FOR(what_a_load_holds_in_a_floor_is_told_and_comes_out_after, heavy, 2) {
    scoped_world *w = world_under(0, 980);
    pv_body_id floor = put(w, box_mask(800, 80), 0, 40.37, of_type(PV_BODY_STATIC));
    pv_body_id stick = put(w, box_mask(28, 2), 0, -0.63, of_type(PV_BODY_DYNAMIC)),
               alone = put(w, box_mask(28, 2), 100, 0.37, of_type(PV_BODY_DYNAMIC));
    pv_body_id load = put(w, box_mask(60, 40), 0, -121.63,
                          WITH(of_type(PV_BODY_DYNAMIC), it.mass = heavy ? 56e7 : 56e5));
    int begins = 0, ends = 0;
    for (int i = 0; i < 240; i++) {
        if (i == 120) pv_body_destroy(w, load);
        step_well(w, DT);
        pv_events e = pv_world_get_events(w);
        const pv_crush *c = crush_of(&e, stick);
        ck_assert_ptr_null(crush_of(&e, alone));
        for (int k = 0; k < e.release_count; k++) ends += PV_ID_EQUALS(e.releases[k], stick);
        if (!c) continue;
        begins += c->begins;
        ck_assert(PV_ID_IS_NULL(c->by) && i < 150);
        ck_assert(PV_ID_EQUALS(c->a, floor) || PV_ID_EQUALS(c->b, floor));
        ck_assert(PV_ID_EQUALS(c->a, load) || PV_ID_EQUALS(c->b, load) || i >= 120);
    }
    ck_assert(begins == heavy && ends == heavy);
    ck_assert_double_lt(pv_body_get_position(w, stick).y, -0.55);
    ck_assert_double_lt(pv_body_get_position(w, alone).y, -0.55);
}

START_TEST(a_restored_world_tells_the_same) {
    scoped_press p = press_open(4, 2, 320);
    for (int i = 0; i < 45; i++) step(&p, 21);
    ck_assert_int_gt(pv_world_get_events(p.world).crush_count, 0);
    scoped_keepsake k = {0};
    keep_world(p.world, 0, &k);
    uint64_t hashes[120];
    int crushes[120], releases[120];
    double in = p.in;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 120; i++) {
            step(&p, -21);
            pv_events e = pv_world_get_events(p.world);
            if (round) ck_assert(hashes[i] == pv_world_compute_hash(p.world));
            if (round) ck_assert(crushes[i] == e.crush_count && releases[i] == e.release_count);
            hashes[i] = pv_world_compute_hash(p.world);
            crushes[i] = e.crush_count;
            releases[i] = e.release_count;
            for (int c = 0; c < e.crush_count; c++) ck_assert(!e.crushes[c].begins);
        }
        p.in = in;
        recall_world(p.world, &k);
    }
    ck_assert_int_eq(crushes[119], 0);
}

/// Steps with the walls at rest, and stores or compares hashes.
static void hold_still(press *p, uint64_t *hashes, int count, bool compare) {
    for (int i = 0; i < count; i++) {
        step_well(p->world, DT);
        if (compare) ck_assert_msg(hashes[i] == pv_world_compute_hash(p->world), "step %d", i);
        hashes[i] = pv_world_compute_hash(p->world);
    }
}

START_TEST(what_rests_between_walls_goes_on_the_same_when_restored) {
    enum { LATER = 10 };
    for (int i = 0; i < 32; i++) {
        scoped_press p = press_open(1 + i % MOST, 1 + i / MOST, i % 2 ? 320 : 0);
        uint64_t hashes[LATER];
        while (p.gap - 2 * p.in > 8 * (1 + i / MOST)) step(&p, 30);
        scoped_keepsake k = {0};
        for (int again = 0; again < 20; again++) {
            keep_world(p.world, 0, &k);
            hold_still(&p, hashes, LATER, false);
            recall_world(p.world, &k);
            hold_still(&p, hashes, LATER, true);
        }
    }
}

START_TEST(fast_boxes_do_not_pass_a_tilted_one_way_platform) {
    uint64_t seed = 3;
    for (int i = 0; i < 400; i++) {
        scoped_world *w = pv_world_create(NULL, NULL);
        double tilt = next_unit(&seed) - 0.5, x = 40 * next_unit(&seed) - 20;
        pv_body_def box = of_type(PV_BODY_DYNAMIC);
        put(w, box_mask(400, 10), 0, 0,
            WITH(of_type(PV_BODY_STATIC), it.angle = tilt, it.one_way_normal = (pv_vec2){0, -1}));
        box.angle = 3 * next_unit(&seed);
        box.velocity = (pv_vec2){0, i % 2 ? 8000 : 16000};
        pv_body_id b = put(w, box_mask(14, 14), x, -220 + 50 * next_unit(&seed), box);
        for (int k = 0; k < 10; k++) {
            pv_world_step(w, DT);
            pv_vec2 at = pv_body_get_position(w, b);
            ck_assert_msg(fabs(at.x) > 170 || at.y < at.x * tan(tilt) + 5, "box %d", i);
        }
    }
}

static pv_body_id limb_of(pv_world *w, pv_body_id torso, double x, double y) {
    pv_body_id limb = put(w, box_mask(6, 22), x, y + 9, of_type(PV_BODY_DYNAMIC));
    CREATE(joint, w, it.type = PV_JOINT_PIN, it.a = pv_anchor_body(torso, (pv_vec2){x, y}),
           it.b = pv_anchor_body(limb, (pv_vec2){x, y}));
    return limb;
}

static void wall_in(pv_world *w) {
    for (int k = -1; k <= 1; k += 2) {
        put(w, box_mask(4, 700), 200 * k, 0, of_type(PV_BODY_STATIC));
        put(w, box_mask(700, 4), 0, 200 * k, of_type(PV_BODY_STATIC));
    }
}

/// The walls are in the first or the last slots.
START_TEST(joints_pull_nothing_through_walls) {
    uint64_t seed = 9;
    for (int i = 0; i < 60; i++) {
        scoped_world *w = pv_world_create(NULL, NULL);
        if (i % 2) wall_in(w);
        pv_body_id all[5] = {put(w, box_mask(14, 30), 0, 0, of_type(PV_BODY_DYNAMIC))};
        double angle = 6.28 * next_unit(&seed);
        for (int k = 1; k < 5; k++) all[k] = limb_of(w, all[0], k % 2 ? -5 : 5, k < 3 ? -12 : 15);
        for (int k = 0; k < 5; k++) {
            pv_body_set_filter(w, all[k], (pv_filter){1, 0xffffffffu, -1});
            pv_body_set_velocity(w, all[k], (pv_vec2){8000 * cos(angle), 8000 * sin(angle)});
        }
        if (i % 2 == 0) wall_in(w);
        for (int k = 0; k < 120; k++) pv_world_step(w, DT);
        for (int k = 0; k < 5; k++) {
            pv_vec2 at = pv_body_get_position(w, all[k]);
            ck_assert_msg(fabs(at.x) < 200 && fabs(at.y) < 200, "throw %d, body %d", i, k);
        }
    }
}

RUN_TESTS("squeeze")
