/* test_island_group.c - large worlds, whose islands go through a step in groups.
 *
 * Invariant: expected values come from one room alone, conservation, or other numbers of threads.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "bodies.h"

#include "core/handle.h"
#include "core/world.h"

enum { ROOMS = 40, COLUMNS = 8, IN_ROOM = 60, ROOM_WIDTH = 420, ROOM_HEIGHT = 300 };

/// Fills a room with boxes and discs. Its heavy discs fly into the next room.
static void fill_room(pv_world *w, int room, bool shots) {
    double x = room % COLUMNS * ROOM_WIDTH, y = room / COLUMNS * ROOM_HEIGHT;
    for (int i = 0; i < IN_ROOM; i++) {
        pv_body_def def = WITH(pv_body_def_default(), it.restitution = i % 7 == 0 ? 0.8 : 0);
        if (shots && i % 20 == 19) {
            def.density = 40;
            def.velocity = PV_VEC2(room % 2 ? -900 : 900, -100 - room);
        }
        double at_x = x + 30 + 24 * (i % 15), at_y = y + 262 - 26.0 * (i / 15);
        put(w, i % 3 ? box_mask(18, 12 + i % 9) : disc_mask(8), at_x, at_y, def);
    }
}

/// Returns a world of rooms. Rooms of a row share a floor, and have walls in between.
static pv_world *make_rooms(const pv_world_def *given, int rooms, bool shots) {
    pv_world_def def = *given;
    def.enable_sleep = false;
    pv_world *w = create_world(&def);
    int rows = (ROOMS - 1) / COLUMNS + 1;
    for (int row = 0; row < rows; row++)
        put(w, box_mask(COLUMNS * ROOM_WIDTH, 16), 0.5 * COLUMNS * ROOM_WIDTH,
            (row + 1) * ROOM_HEIGHT - 16, of_type(PV_BODY_STATIC));
    for (int i = 0; i <= COLUMNS; i++)
        put(w, box_mask(8, 60), i * ROOM_WIDTH, ROOM_HEIGHT - 54, of_type(PV_BODY_STATIC));
    for (int i = 0; i < rooms; i++) fill_room(w, i, shots);
    put(w, box_mask(60, 10), 200, 60,
        WITH(of_type(PV_BODY_KINEMATIC), it.velocity = PV_VEC2(20, 0)));
    return w;
}

static bool is_grouped(const pv_world *w) {
    return w->groups.count > 1 && !w->solver.ordered && w->solver.group == 1;
}

/// Returns a digest of the world and of the order of its events.
static uint64_t digest_of(const pv_world *w) {
    pv_events e = pv_world_get_events(w);
    uint64_t hash = pv_world_compute_hash(w);
    for (int i = 0; i < e.contact_begin_count; i++)
        hash = hash * 31 + e.contact_begins[i].a.index * 7919u + e.contact_begins[i].b.index;
    for (int i = 0; i < e.hit_count; i++)
        hash = hash * 31 + e.hits[i].a.index * 7919u + e.hits[i].b.index;
    return hash;
}

enum { STEPS = ROUNDS(30, 8) };

/// Steps rooms with shots, and stores or compares digests. Returns how many pairs groups found.
static int play_rooms(const pv_world_def *def, uint64_t *digests, bool compared) {
    scoped_world *w = make_rooms(def, ROOMS, true);
    int met = 0, grouped = 0;
    for (int i = 0; i < STEPS; i++) {
        step_well(w, 1.0 / 60);
        uint64_t digest = digest_of(w);
        if (compared)
            ck_assert_msg(digest == digests[i], "step %d, %d workers", i, def->worker_count);
        digests[i] = digest;
        grouped += is_grouped(w);
        pv_world_profile p = pv_world_get_profile(w);
        ck_assert_double_le(p.pairs + p.collide + p.solve + p.move + p.sleep, p.total);
        met += w->broad_phase.pair_count - w->groups.known;
    }
    ck_assert_int_eq(grouped, STEPS);
    return met;
}

START_THREADED_TEST(groups_are_the_same_with_any_threads_and_in_any_order) {
    static const int counts[] = {3, 2, 16};
    uint64_t digests[STEPS];
    pv_world_def def = pv_world_def_default();
    ck_assert_int_gt(play_rooms(&def, digests, false), 0);
    for (size_t i = 0; i < ROUNDS(COUNT_OF(counts), 1); i++) {
        scoped_pool *pool = pv_task_pool_create(counts[i], NULL);
        ck_assert_int_eq(pv_task_pool_attach(pool, &def), PV_OK);
        play_rooms(&def, digests, true);
    }
    def = WITH(pv_world_def_default(), it.worker_count = 5, it.enqueue_task = enqueue_backwards,
               it.finish_task = finish_nothing);
    play_rooms(&def, digests, true);
}

START_TEST(a_room_is_as_it_is_alone) {
    pv_world_def def = pv_world_def_default();
    scoped_world *alone = make_rooms(&def, 1, false), *among = make_rooms(&def, ROOMS, false);
    int bodies = pv_world_get_stats(alone).bodies - 1; /* without the lift */
    steps_well(alone, ROUNDS(240, 20));
    steps_well(among, ROUNDS(240, 20));
    for (int i = 0; i < bodies; i++) {
        pv_vec2 p = alone->bodies.items[i].pose.center, q = among->bodies.items[i].pose.center;
        ck_assert_vec_eq_tol(p, q.x, q.y, 0.05);
    }
}

START_TEST(a_restored_world_forms_the_same_groups) {
    pv_world_def def = pv_world_def_default();
    scoped_world *w = make_rooms(&def, ROOMS, true), *other = pv_world_create(NULL, NULL);
    steps_well(w, 20);
    ck_assert_int_eq(carry_world(w, PV_SNAPSHOT_PIXELS, other), PV_OK);
    for (int i = 0; i < 20 * (int)last_seed(3); i++) {
        steps_well(w, 1);
        steps_well(other, 1);
        ck_assert_msg(digest_of(w) == digest_of(other), "step %d", i);
    }
}

/// Bodies thrown from one group at another stay apart, at their pixels or in the next step.
START_TEST(groups_do_not_pass_through_each_other) {
    pv_world_def def = pv_world_def_default();
    scoped_world *w = make_rooms(&def, ROOMS, true);
    int64_t worst = 0;
    for (int i = 0; i < ROUNDS(120, 20); i++) {
        step_well(w, 1.0 / 60);
        int64_t overlap = pv_world_compute_overlap_area(w);
        worst = overlap > worst ? overlap : worst;
    }
    ck_assert_int_eq(pv_world_get_stats(w).bodies, 1 + ROOMS * IN_ROOM + COLUMNS + 1 + 5);
    for (int i = 0; i < w->bodies.count; i++) {
        pv_vec2 at = w->bodies.items[i].pose.center;
        bool over_floor = at.x > 0 && at.x < COLUMNS * ROOM_WIDTH;
        ck_assert(!over_floor || at.y < 5 * ROOM_HEIGHT);
    }
    ck_assert_msg(worst <= ROOMS * IN_ROOM, "%d px shared", (int)worst);
}

/// Discs keep momentum and energy, without gravity, friction, walls and losses.
START_TEST(a_gas_in_groups_keeps_its_momentum) {
    scoped_world *w =
        WORLD(it.gravity = PV_VEC2(0, 0), it.enable_sleep = false, it.restitution_threshold = 0);
    enum { count = 2000 };
    pv_body_id bodies[count];
    uint64_t seed = 5;
    double energy[2] = {0}, x[2] = {0};
    for (int i = 0; i < count; i++) {
        pv_body_def b = WITH(pv_body_def_default(), it.restitution = 1, it.friction = 0);
        double vx = 200 * next_unit(&seed) - 100, vy = 200 * next_unit(&seed) - 100;
        b.velocity = PV_VEC2(vx, vy);
        bodies[i] = put(w, disc_mask(5), 30.0 * (i % 50), 30.0 * (i / 50), b);
    }
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < count; i++) x[k] += pv_body_get_velocity(w, bodies[i]).x;
        energy[k] = kinetic_energy(w, bodies, count);
        if (k == 0) steps_well(w, ROUNDS(60, 10));
    }
    ck_assert_int_gt(w->groups.count, 1);
    ck_assert_double_eq_tol(x[0], x[1], 1e-9 * count * 100);
    ck_assert_double_eq_tol(energy[1] / energy[0], 1, 1e-6);
}

/// Returns the number of an awake body's group in the last step.
static int group_of(const pv_world *w, pv_body_id b) { return w->solver.states[b.index].group; }

/// Two discs hit both ends of a sleeping plank in the same step, and must be in one group.
START_TEST(one_group_has_all_that_may_wake_a_sleeper) {
    scoped_world *w = WORLD(it.gravity = PV_VEC2(0, 0));
    const pv_body_def by = WITH(pv_body_def_default(), it.velocity = PV_VEC2(0, 400));
    pv_body_id first = put(w, disc_mask(5), -990, -900, by),
               plank = put_dynamic(w, 400, 10, -800, 0);
    for (int i = 0; i < 2000; i++) put(w, disc_mask(5), 30.0 * (i % 50), 30.0 * (i / 50), by);
    pv_body_id last = put(w, disc_mask(5), -610, -900, by);
    steps_well(w, 90);
    ck_assert_int_ne(group_of(w, first), group_of(w, last));
    while (pv_body_get_position(w, first).y < -17) steps_well(w, 1);
    ck_assert(!pv_body_is_awake(w, plank));
    steps_well(w, 1);
    ck_assert(pv_body_is_awake(w, plank));
    ck_assert_int_eq(group_of(w, first), group_of(w, last));
}

RUN_TESTS("island groups")
