/* test_body_mask.c - bodies that are scaled and mirrored, and whose pixels change while they move.
 *
 * Invariant: mass and covered pixels are counted, or drawn with the canvas. Motion is compared with
 * formulas of mechanics, or with a twin whose mask was mirrored beforehand.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "bodies.h"
#include "guarded_canvas.h"

static const double DT = 1.0 / 60, GRAVITY = 320;
static const pv_vec2 HERE = {0, 0};

/// Returns a picture that no mirror leaves unchanged, with specks.
static pv_mask *odd_mask(int w, int h, uint64_t seed) {
    pv_mask *m = mask_till_end(pv_mask_create(w, h, NULL, NULL));
    pv_mask_fill_rect(m, (pv_rect){w / 8, h / 8, w / 3, h * 2 / 3}, true);
    pv_mask_fill_rect(m, (pv_rect){w / 4, h / 2, w * 2 / 3, h / 4}, true);
    for (int i = 0; i < w * h / 10; i++)
        pv_mask_set_pixel(m, (int)(next_unit(&seed) * w), (int)(next_unit(&seed) * h), i & 1);
    return m;
}

static pv_body_id put_scaled(pv_world *w, pv_mask *mask, double x, double y, double angle,
                             pv_vec2 scale) {
    return put(w, pv_mask_retain(mask), x, y,
               WITH(pv_body_def_default(), it.scale = scale, it.angle = angle));
}

static pv_body_id put_thrown(pv_world *w, pv_mask *mask, double angle, double spin) {
    return put(w, pv_mask_retain(mask), 3.3, 4.4,
               WITH(pv_body_def_default(), it.velocity = (pv_vec2){30, -50},
                    it.angular_velocity = spin, it.angle = angle));
}

static void set_mask(pv_world *w, pv_body_id b, pv_mask *mask) {
    ck_assert_int_eq(pv_body_set_mask(w, b, mask, HERE), PV_OK);
}

static void set_scale(pv_world *w, pv_body_id b, double x, double y) {
    ck_assert_int_eq(pv_body_set_scale(w, b, (pv_vec2){x, y}), PV_OK);
}

/// Returns the place in the world of a point in a body's picture.
static pv_vec2 place_of(const pv_world *w, pv_body_id b, double x, double y) {
    pv_transform t = pv_body_get_transform(w, b);
    return pv_transform_to_world(&t, (pv_vec2){x, y});
}

/* ---- mass ---- */

/// Scales at which pixel centers lie off the edges of the picture's pixels, or exactly on them
static const pv_vec2 SCALES[] = {{1, 1},         {2, 2},       {0.5, 0.5}, {-1, 1},
                                 {1, -1},        {-1, -1},     {-2, 0.77}, {1.37, 0.43},
                                 {-0.31, -0.61}, {1.0 / 3, 3}, {16, 16},   {-0.0625, 1}};
enum { SCALE_COUNT = sizeof SCALES / sizeof *SCALES };

/// Creates a body at a scale, then scales it about its middle.
START_TEST_FOR(a_scaled_body_weighs_what_its_picture_covers, i, SCALE_COUNT) {
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 0, NULL);
    pv_body_id b = put_scaled(w, odd_mask(37, 23, 5), 10.25, -3.5, 0.7, SCALES[i]);
    pv_vec2 middle = place_of(w, b, 18.5, 11.5);
    for (int k = 0; k < SCALE_COUNT; k++) {
        pv_body_def def = pv_body_get_def(w, b);
        pv_vec2 due = SCALES[(i + k) % SCALE_COUNT];
        ck_assert(def.scale.x == due.x && def.scale.y == due.y);
        ck_assert_double_eq_tol(def.density, 1, 1e-12);
        ck_assert_double_eq_tol(def.angle, 0.7, 1e-12);
        ck_assert(pv_body_is_valid(w, pv_body_create(w, &def, NULL)));
        check_weight(w, b, 1);
        ck_assert_near(place_of(w, b, 18.5, 11.5), middle, 1e-9);
        due = SCALES[(i + k + 1) % SCALE_COUNT];
        set_scale(w, b, due.x, due.y);
    }
}

START_TEST_FOR(a_new_mask_weighs_as_much_and_lies_where_the_old_one_lay, contacts, 2) {
    pv_world *w = mode_world(contacts, 0, NULL);
    pv_mask *m = odd_mask(37, 23, 5), *n = odd_mask(50, 31, 8);
    pv_body_id b = put_scaled(w, m, 10.25, -3.5, 0.7, (pv_vec2){-1.5, 2});
    double mass = pv_body_get_mass(w, b);
    pv_vec2 was = place_of(w, b, 5 - 3.25, 9 + 6);
    ck_assert_int_eq(pv_body_set_mask(w, b, n, (pv_vec2){-3.25, 6}), PV_OK);
    ck_assert_near(place_of(w, b, 5, 9), was, 1e-9);
    ck_assert(pv_body_get_mask(w, b) == n && pv_body_get_mass(w, b) == mass);
    check_weight(w, b, mass / count_weight(n, 1.5, 2).area);
}

/* ---- covered pixels ---- */

static double random_scale(uint64_t *seed) {
    double sign = next_random(seed) & 1 ? -1 : 1;
    return sign * (0.3 + 1.7 * next_unit(seed));
}

static pv_body_id put_random(pv_world *w, int round, uint64_t *seed) {
    int width = next_int(seed, 5, 70), height = next_int(seed, 5, 40);
    pv_mask *m = odd_mask(width, height, next_random(seed));
    pv_vec2 scale = {random_scale(seed), random_scale(seed)};
    if (round % 5 == 0) scale = (pv_vec2){round % 10 ? -1 : 1, -1};
    double angle = round % 3 ? 6.28 * next_unit(seed) : 0, x = 90 + 40 * next_unit(seed);
    return put_scaled(w, m, x, 90 + 40 * next_unit(seed), angle, scale);
}

START_TEST(it_covers_what_is_drawn) {
    enum { SIDE = 220 };
    uint64_t seed = 77;
    int64_t most = 0;
    for (int round = 0; round < 40; round++) {
        pv_world *w = mode_world(round & 1, 0, NULL);
        guarded_canvas e[2];
        pv_body_id b[2];
        for (int k = 0; k < 2; k++) {
            b[k] = put_random(w, round, &seed);
            e[k] = make_canvas(SIDE, SIDE, false);
            pv_transform t = pv_body_get_transform(w, b[k]);
            pv_canvas_draw_mask(&e[k].canvas, pv_body_get_mask(w, b[k]), &t, 0xffffffff);
        }
        int64_t both = 0;
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                bool first = at(&e[0], x, y)[3] != 0, second = at(&e[1], x, y)[3] != 0;
                both += first && second;
                pv_vec2 p = {x + 0.5, y + 0.5};
                uint32_t top = pv_world_pick_body(w, p).index;
                uint32_t due = second ? b[1].index : first ? b[0].index : 0;
                if (top != due || pv_world_query_point(w, p, NULL, NULL, 0) != first + second)
                    ck_abort_msg("round %d, at %d, %d", round, x, y);
            }
        ck_assert_int_eq(pv_world_compute_overlap_area(w), both);
        if (both > most) most = both;
        for (int k = 0; k < 2; k++) free_canvas(&e[k]);
        close_world(w);
    }
    ck_assert_int_gt(most, 500);
}

static void take_line(void *user_data, pv_vec2 from, pv_vec2 to, uint32_t color) {
    pv_box *box = user_data;
    (void)color;
    box->min =
        (pv_vec2){fmin(box->min.x, fmin(from.x, to.x)), fmin(box->min.y, fmin(from.y, to.y))};
    box->max =
        (pv_vec2){fmax(box->max.x, fmax(from.x, to.x)), fmax(box->max.y, fmax(from.y, to.y))};
}

/// Checks that the contour surrounds the pixels.
START_TEST_FOR(its_contour_is_drawn_around_its_pixels, i, SCALE_COUNT) {
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 0, NULL);
    pv_mask *m = mask_till_end(pv_mask_create(60, 40, NULL, NULL));
    pv_mask_fill_rect(m, (pv_rect){8, 5, 16, 30}, true);
    pv_mask_fill_rect(m, (pv_rect){24, 15, 30, 10}, true);
    pv_body_id b = put_scaled(w, m, 0, 0, 0, SCALES[i]);
    pv_vec2 p = place_of(w, b, 8, 5), q = place_of(w, b, 54, 35);
    pv_box box = {{1e9, 1e9}, {-1e9, -1e9}};
    pv_debug_draw draw = WITH(pv_debug_draw_default(), it.line = take_line, it.user_data = &box);
    ck_assert_int_eq(pv_world_debug_draw(w, &draw, PV_DEBUG_CONTOURS), PV_OK);
    ck_assert_vec_eq_tol(box.min, fmin(p.x, q.x), fmin(p.y, q.y), 0.8);
    ck_assert_vec_eq_tol(box.max, fmax(p.x, q.x), fmax(p.y, q.y), 0.8);
}

/* ---- mirrors ---- */

/// A body that its scale mirrors moves like one whose mask was mirrored.
START_TEST_FOR(a_mirrored_body_moves_as_one_with_a_mirrored_mask, contacts, 2) {
    pv_mask *m = odd_mask(40, 28, 3), *flipped = mask_till_end(pv_mask_flip(m, true, false, NULL));
    pv_world *w[2];
    pv_body_id b[2][3];
    for (int k = 0; k < 2; k++) {
        w[k] = mode_world(contacts, GRAVITY, NULL);
        put_static(w[k], 600, 20, 0, 110);
        for (int i = 0; i < 3; i++)
            b[k][i] = put(w[k], pv_mask_retain(k ? flipped : m), 60.3 * i - 50, 50.7 - 9.1 * i,
                          WITH(pv_body_def_default(), it.scale.x = k ? 1 : -1, it.angle = 0.3 * i,
                               it.angular_velocity = 1 - i));
    }
    for (int step = 0; step < 90; step++) {
        for (int k = 0; k < 2; k++) steps_well(w[k], 1);
        for (int i = 0; i < 3; i++) {
            pv_body_def p = pv_body_get_def(w[0], b[0][i]), q = pv_body_get_def(w[1], b[1][i]);
            ck_assert_near(p.position, q.position, 1e-6);
            ck_assert_double_eq_tol(p.angle, q.angle, 1e-6);
        }
    }
}

START_TEST(a_flip_there_and_back_changes_nothing) {
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, GRAVITY, NULL),
             *twin = mode_world(PV_CONTACT_MODE_CONTOURS, GRAVITY, NULL);
    pv_mask *even = mask_till_end(box_mask(20, 12));
    pv_body_id a = put_thrown(w, even, 0, 1.7), its = put_thrown(twin, even, 0, 1.7);
    for (int steps = 7; steps <= 9; steps += 2) {
        steps_well(w, steps);
        steps_well(twin, steps);
        for (int i = 0; steps == 7 && i < 2; i++) set_scale(w, a, i ? 1 : -1, 1);
        pv_paper_particle p[2][2]; /* its center is its middle, so this is exact */
        ALL_TOLD(PV_OK, pv_paper_body_get_motion(w, a, p[0]),
                 pv_paper_body_get_motion(twin, its, p[1]));
        ck_assert_mem_eq(p[0], p[1], sizeof p[0]);
    }
    pv_body_id b = put_thrown(w, odd_mask(37, 23, 5), 0, 1.7);
    ck_assert_int_eq(pv_body_set_position(w, b, (pv_vec2){103.3, 4.4}), PV_OK);
    steps_well(w, 7);
    pv_body_def was = pv_body_get_def(w, b);
    double inertia = pv_body_get_inertia(w, b);
    for (int i = 0; i < 2; i++) set_scale(w, b, i ? 1 : -1, 1);
    pv_body_def is = pv_body_get_def(w, b);
    ck_assert(is.mass == was.mass && pv_body_get_inertia(w, b) == inertia && is.angle == was.angle);
    ck_assert_near(is.position, was.position, 1e-12);
    ck_assert_near(is.velocity, was.velocity, 1e-10);
    ck_assert_double_eq_tol(is.angular_velocity, was.angular_velocity, 1e-12);
}

/* ---- motion ---- */

START_TEST_FOR(the_material_keeps_its_velocity, contacts, 2) {
    const pv_vec2 places[] = {{3, 4}, {60, -20}, {-7, 90}};
    pv_world *w = mode_world(contacts, GRAVITY, NULL);
    pv_mask *m = odd_mask(37, 23, 5), *n = odd_mask(50, 31, 8);
    pv_body_id b = put_thrown(w, m, 0.6, 2.5);
    steps_well(w, 5);
    for (int i = 0; i < 4; i++, steps_well(w, 3)) {
        pv_vec2 was[3];
        for (int k = 0; k < 3; k++) was[k] = pv_body_get_velocity_at(w, b, places[k]);
        double spin = pv_body_get_angular_velocity(w, b);
        if (i & 1) set_scale(w, b, i - 2.5, 1.25);
        if (!(i & 1)) ck_assert_int_eq(pv_body_set_mask(w, b, i ? m : n, (pv_vec2){-3, i}), PV_OK);
        for (int k = 0; k < 3; k++)
            ck_assert_near(pv_body_get_velocity_at(w, b, places[k]), was[k], 1e-9);
        ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), spin, 1e-12);
    }
}

/// Checks a flight along its parabola: position v t + g t^2 / 2 at the end of each step.
START_TEST(what_does_not_turn_keeps_its_momentum_and_its_way) {
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, GRAVITY, NULL);
    pv_mask *m = odd_mask(37, 23, 5), *n = odd_mask(37, 23, 6);
    pv_body_id b = put_thrown(w, m, 0, 0);
    pv_vec2 corner = place_of(w, b, 0, 0);
    for (int step = 1; step <= 60; step++) {
        double mass = pv_body_get_mass(w, b), s = step * DT;
        pv_vec2 v = pv_body_get_velocity(w, b);
        set_mask(w, b, step & 1 ? n : m);
        ck_assert(pv_body_get_mass(w, b) == mass);
        ck_assert_near(pv_body_get_velocity(w, b), v, 1e-9);
        steps_well(w, 1);
        pv_vec2 due = {corner.x + 30 * s, corner.y - 50 * s + 0.5 * GRAVITY * s * s};
        ck_assert_near(place_of(w, b, 0, 0), due, 1e-8);
    }
}

START_TEST(an_animation_does_not_stop_what_is_driven) {
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 0, NULL);
    pv_mask *m = odd_mask(37, 23, 5);
    pv_body_id b = put(w, pv_mask_retain(m), 10, 20, of_type(PV_BODY_KINEMATIC));
    pv_vec2 corner = place_of(w, b, 0, 0);
    ck_assert_int_eq(pv_body_move_to(w, b, (pv_vec2){14, 17}, 0, DT), PV_OK);
    set_mask(w, b, odd_mask(37, 23, 6));
    steps_well(w, 3);
    ck_assert_near(place_of(w, b, 0, 0), ((pv_vec2){corner.x + 4, corner.y - 3}), 1e-9);
    ck_assert_double_eq(vec_distance(pv_body_get_velocity(w, b), HERE), 0);
}

/* ---- walking ---- */

enum { FRAMES = 8, WIDE = 32, HIGH = 48, EVERY = 4 };

/// Returns a frame of a character with swinging legs and a swinging arm.
static pv_mask *walker_frame(int k) {
    pv_mask *m = mask_till_end(pv_mask_create(WIDE, HIGH, NULL, NULL));
    double a = 0.5 * sin(k * M_PI / 4);
    const pv_vec2 neck = {16, 14}, hip = {16, 28}, shoulder = {16, 18},
                  elbow = {16 + 13 * cos(2 * a), 18 + 13 * sin(2 * a)},
                  left = {16 - 17 * sin(a), 28 + 17 * cos(a)}, right = {32 - left.x, left.y};
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++) {
            pv_vec2 p = {x + 0.5, y + 0.5};
            bool head = fabs(p.x - 16) < 9 && p.y > 1 && p.y < 13;
            pv_mask_set_pixel(m, x, y,
                              head || segment_distance(p, neck, hip) < 5 ||
                                  segment_distance(p, hip, left) < 3 ||
                                  segment_distance(p, hip, right) < 3 ||
                                  segment_distance(p, shoulder, elbow) < 2);
        }
    return m;
}

static int bottom_of(const pv_mask *m) {
    pv_rect box = pv_mask_compute_bounds(m);
    return box.y + box.h;
}

typedef struct stroll {
    int contacts;
    bool wall, crates, burden, turns_round;
} stroll;

static double speed_of(const pv_world *w, pv_body_id b) {
    return vec_distance(pv_body_get_velocity(w, b), HERE);
}

/// Walks on a floor whose top is at 0, for 600 steps, with a new frame every 4.
static void walk(stroll s) {
    pv_world *w = mode_world(s.contacts, GRAVITY, NULL);
    pv_mask *frames[FRAMES];
    double lowest = 0, highest = HIGH;
    int count = 0;
    for (int k = 0; k < FRAMES; k++) {
        frames[k] = walker_frame(k);
        lowest = fmax(lowest, bottom_of(frames[k]));
        highest = fmin(highest, bottom_of(frames[k]));
    }
    /* Height that it falls when it draws its feet in */
    double drop = lowest - highest;
    ck_assert_double_ge(drop, 2);
    put_static(w, 600, 20, 0, 10);
    if (s.wall) put_static(w, 20, 200, 21, -100); /* the arm reaches 4 px into it */
    pv_body_def def = WITH(pv_body_def_default(), it.motion_locks = PV_LOCK_ROTATION);
    const pv_mask *first = frames[2]; /* frame with its arm drawn in */
    pv_vec2 center = pv_mask_compute_mass(first).centroid;
    double ground = center.y - bottom_of(first);
    pv_body_id who = put(w, pv_mask_retain(frames[2]), center.x - 16, ground, def), near[7];
    for (int i = 0; s.crates && i < 6; i++)
        near[count++] = put_dynamic(w, 16, 16, i & 1 ? -20.5 : 20.5, -8 - 16 * (i / 2));
    if (s.burden) near[count++] = put_dynamic(w, 16, 8, 0, -bottom_of(first) - 3);
    steps_well(w, 30);
    double start = place_of(w, who, 16, 0).x;
    /* Speed of this fall, and of a step before it is noticed */
    double most = sqrt(2 * GRAVITY * drop) + 2 * GRAVITY * DT;
    bool pushed = s.wall || s.crates; /* sideways, by up to a tenth of the push speed */
    for (int step = 0; step < 600; step++) {
        int k = step / EVERY % FRAMES;
        if (step % EVERY == 0) set_mask(w, who, frames[k]);
        if (s.turns_round && step % (EVERY * FRAMES) == 0)
            set_scale(w, who, step / (EVERY * FRAMES) & 1 ? 1 : -1, 1);
        steps_well(w, 1);
        double feet = place_of(w, who, 16, bottom_of(frames[k])).y;
        ck_assert_double_lt(speed_of(w, who), most);
        ck_assert_double_lt(fabs(pv_body_get_velocity(w, who).x), pushed ? 20 : 1);
        ck_assert_double_lt(feet, step % EVERY == EVERY - 1 && !s.burden ? 0.75 : drop + 0.5);
        ck_assert_double_gt(feet, -drop - 1);
        ck_assert_double_eq_tol(place_of(w, who, 16, 0).x, start, pushed ? 6 : 1.5);
        for (int i = 0; i < count; i++) ck_assert_double_lt(speed_of(w, near[i]), most);
    }
    if (!s.burden) return;
    pv_vec2 at = pv_body_get_position(w, near[count - 1]), head = place_of(w, who, 16, 1);
    ck_assert_double_eq_tol(at.y, head.y - 4, 1.5);
    ck_assert_double_eq_tol(at.x, head.x, 3);
}

START_TEST_FOR(a_walking_character_stays_where_it_is, i, 12) {
    static const stroll strolls[] = {{0},
                                     {.turns_round = true},
                                     {.wall = true},
                                     {.crates = true},
                                     {.crates = true, .turns_round = true},
                                     {.burden = true}};
    stroll s = strolls[i / 2];
    s.contacts = i % 2;
    walk(s);
}

/// Resting bodies do not notice that their mask is replaced by an equal one.
START_TEST_FOR(a_stack_does_not_feel_frames_that_are_alike, contacts, 2) {
    pv_world *w = mode_world(contacts, GRAVITY, NULL);
    pv_mask *one = mask_till_end(box_mask(20, 20)), *other = mask_till_end(box_mask(20, 20));
    put_static(w, 600, 20, 0, 10);
    pv_body_id b[4];
    pv_vec2 rest[4];
    for (int i = 0; i < 4; i++)
        b[i] = put(w, pv_mask_retain(one), 0, -10 - 20.0 * i, pv_body_def_default());
    steps_well(w, 60);
    for (int i = 0; i < 4; i++) rest[i] = pv_body_get_position(w, b[i]);
    for (int step = 0; step < 300; step++) {
        set_mask(w, b[step % 4], step / 4 & 1 ? one : other);
        if (step % 3 == 0) set_scale(w, b[step % 4], step & 1 ? 1 : -1, 1);
        ck_assert_int_eq(pv_world_get_contacts(w, NULL, 0), 4);
        steps_well(w, 1);
        for (int k = 0; k < 4; k++) {
            ck_assert_double_lt(speed_of(w, b[k]), 0.1);
            ck_assert_near(pv_body_get_position(w, b[k]), rest[k], 0.1);
        }
    }
}

/// A body scaled into the floor comes out slowly, and keeps no speed from that.
START_TEST_FOR(what_grows_into_the_floor_comes_out_slowly, contacts, 2) {
    pv_world *w = mode_world(contacts, GRAVITY, NULL);
    put_static(w, 600, 40, 0, 20);
    pv_body_id b = put_dynamic(w, 8, 8, 0, -4);
    steps_well(w, 30);
    set_scale(w, b, 4, 4);
    double y = pv_body_get_position(w, b).y;
    for (int step = 0; step < 60; step++) {
        steps_well(w, 1);
        double now = pv_body_get_position(w, b).y;
        ck_assert_double_lt(fabs(now - y), 200 * DT + 0.1);
        ck_assert_double_lt(speed_of(w, b), 2 * GRAVITY * DT);
        y = now;
    }
    ck_assert_double_eq_tol(y, -16, 0.75);
}

START_TEST_FOR(what_slept_wakes_and_what_stood_on_it_falls, how, 4) {
    bool falls = how / 2;
    pv_world *w = mode_world(how % 2, GRAVITY, NULL);
    put_static(w, 600, 20, 0, 30);
    pv_body_id b = falls ? put_dynamic(w, 20, 20, 0, 10) : put_static(w, 20, 20, 0, 10),
               top = put_dynamic(w, 10, 10, 0, -5.5);
    steps_well(w, 120);
    ck_assert(!pv_body_is_awake(w, top));
    set_scale(w, b, 1, 0.5);
    ck_assert(pv_body_is_awake(w, top) && pv_body_is_awake(w, b) == falls);
    steps_well(w, 120);
    /* the middle stays in place, and a dynamic body falls */
    ck_assert_double_eq_tol(pv_body_get_position(w, top).y, falls ? 5 : 0, 0.75);
}

/* ---- matter ---- */

static pv_vec2 held_at(const pv_world *w, pv_joint_id joint) {
    pv_anchor ends[2];
    ck_assert_int_eq(pv_joint_get_anchors(w, joint, ends), PV_OK);
    return ends[0].point;
}

START_TEST(joints_hold_on_to_the_same_place) {
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 0, NULL);
    pv_body_id b = put_scaled(w, odd_mask(37, 23, 5), 10, 20, 0.7, (pv_vec2){1, 1});
    const pv_vec2 held = place_of(w, b, 30, 4);
    pv_joint_id c = put_joint(w, PV_JOINT_PIN, pv_anchor_body(b, held), pv_anchor_world(held));
    ck_assert_int_eq(pv_body_set_mask(w, b, odd_mask(50, 31, 8), (pv_vec2){-4, 2}), PV_OK);
    ck_assert_near(held_at(w, c), held, 1e-9);
    steps_well(w, 10); /* no joint pulls */
    ck_assert_double_lt(speed_of(w, b), 1e-6);
    for (int i = 0; i < SCALE_COUNT; i++) {
        set_scale(w, b, SCALES[i].x, SCALES[i].y);
        ck_assert_near(held_at(w, c), place_of(w, b, 34, 2), 1e-9);
    }
    steps_well(w, 120);
    ck_assert_near(held_at(w, c), held, 0.1);
}

START_TEST_FOR(particles_and_forces_meet_the_scaled_picture, contacts, 2) {
    pv_world *w = mode_world(contacts, GRAVITY, NULL);
    set_scale(w, put_static(w, 20, 20, 0, 0), 2, -3); /* its top is at y = -30 */
    pv_particle_id p = CREATE(particle, w, it.position = (pv_vec2){15, -40}, it.radius = 2);
    steps_well(w, 120);
    ck_assert_double_eq_tol(pv_particle_get_position(w, p).y, -32, 0.1);
    ck_assert(pv_force_field_is_valid(w, CREATE(force_field, w, it.type = PV_FORCE_FIELD_BUOYANCY,
                                                it.area = (pv_box){{500, -1000}, {1500, 1000}},
                                                it.density = 1.5, it.linear_damping = 0)));
    pv_body_id b = put_scaled(w, mask_till_end(box_mask(10, 10)), 1000, 0, 0, (pv_vec2){-2, 1.5});
    steps_well(w, 30);
    /* each pixel weighs 1 and is lifted by 1.5: upward at g / 2 */
    ck_assert_double_eq_tol(pv_body_get_velocity(w, b).y, -0.5 * GRAVITY * 30 * DT, 1e-6);
}

/* ---- refusals ---- */

START_TEST(what_is_refused_changes_nothing) {
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, GRAVITY, NULL);
    pv_mask *m = odd_mask(37, 23, 5), *empty = mask_till_end(pv_mask_create(8, 8, NULL, NULL)),
            *line = mask_till_end(pv_mask_create(64, 64, NULL, NULL));
    pv_mask_fill_rect(line, (pv_rect){0, 0, 64, 1}, true);
    const pv_vec2 one = {1, 1}, bad[] = {{0, 1}, {1, 0.06}, {17, 1}, {1, -16.5}, {0, 0}};
    pv_body_id b = put_scaled(w, m, 10, 20, 0.7, one), thin = put_scaled(w, line, 500, 0, 0, one),
               heavy = put_scaled(w, m, -500, 0, 0, one);
    ck_assert_int_eq(pv_body_set_mass(w, heavy, 1e12), PV_OK);
    uint64_t hash = pv_world_compute_hash(w);
    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(pv_body_set_scale(w, b, bad[i]), PV_ERROR_ARGUMENT);
        pv_body_def def = pv_body_get_def(w, b);
        pv_error error;
        def.scale = bad[i];
        ck_assert(!pv_body_is_valid(w, pv_body_create(w, &def, &error)) &&
                  error.status == PV_ERROR_ARGUMENT);
    }
    ALL_TOLD(PV_ERROR_EMPTY, pv_body_set_scale(w, thin, (pv_vec2){1, 0.1}),
             pv_body_set_mask(w, b, empty, HERE));
    ALL_TOLD(PV_ERROR_ARGUMENT, pv_body_set_scale(w, heavy, (pv_vec2){2, 1}),
             pv_body_set_mask(w, b, m, (pv_vec2){1e9, 0}));
    ck_assert_uint_eq(pv_world_compute_hash(w), hash);
    ck_assert(pv_body_get_mask(w, b) == m);
    ck_assert_int_eq(pv_mask_set_pixel(m, 0, 0, true), PV_ERROR_SHARED);
    close_world(w); /* all references have been released */
    ALL_TOLD(PV_OK, pv_mask_set_pixel(m, 0, 0, true), pv_mask_set_pixel(empty, 0, 0, true));
}

/* ---- memory ---- */

static pv_mask *from_purse(purse *p, int w, int h) {
    pv_allocator allocator = {purse_alloc, p};
    pv_mask *made = pv_mask_create(w, h, &allocator, NULL);
    pv_mask_fill_rect(made, (pv_rect){0, 0, w, h}, true);
    pv_mask_fill_rect(made, (pv_rect){w / 2, 0, w, h / 2}, false);
    return made;
}

/// Lets each allocation of a change fail once.
static void starve(int contacts, bool scales) {
    bool done = false;
    for (long nth = 1; !done; nth++) {
        scoped_purse p = {0};
        scoped_world *w = mode_world(contacts, GRAVITY, &p);
        scoped_mask *m = from_purse(&p, 24, 16), *n = from_purse(&p, 30, 20);
        put(w, from_purse(&p, 100, 10), 0, 40, of_type(PV_BODY_STATIC));
        pv_body_id b = put_scaled(w, m, 0, 0, 0.2, (pv_vec2){1, 1});
        steps_well(w, 5);
        uint64_t hash = pv_world_compute_hash(w);
        p.fail_at = p.calls + nth;
        pv_status s =
            scales ? pv_body_set_scale(w, b, (pv_vec2){-2, 2}) : pv_body_set_mask(w, b, n, HERE);
        done = p.calls < p.fail_at; /* no allocation was left to fail */
        p.fail_at = 0;
        ck_assert(s == PV_OK || (s == PV_ERROR_MEMORY && !done));
        if (s != PV_OK) ck_assert_uint_eq(pv_world_compute_hash(w), hash);
        ck_assert(pv_body_get_mask(w, b) == (scales || s != PV_OK ? m : n));
        steps_well(w, 5);
    }
}

START_TEST_FOR(without_memory_nothing_changes_and_nothing_leaks, contacts, 2) {
    starve(contacts, false);
    starve(contacts, true);
}

START_TEST(what_was_carved_is_scaled_in_many_ways) {
    scoped_purse p = {0};
    scoped_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 0, &p);
    pv_body_id b = put(w, from_purse(&p, 24, 16), 0, 0, pv_body_def_default());
    pv_cut cut = WITH(pv_cut_box((pv_vec2){0, 0}, (pv_vec2){4, 16}), it.local = true);
    for (int round = 0; round < 3; round++, cut.add = !cut.add) {
        ck_assert_int_eq(pv_body_carve(w, b, &cut, NULL), PV_OK);
        for (int i = 0; i < 80; i++) {
            double size = 1 + (i % 40) / 8.0;
            pv_body_def def = WITH(pv_body_def_default(), it.scale = (pv_vec2){size, size});
            set_scale(w, b, size, size);
            pv_body_id fresh = put(w, pv_mask_copy(pv_body_get_mask(w, b), NULL), 500, 0, def);
            pv_box box = pv_body_get_bounds(w, b), other = pv_body_get_bounds(w, fresh);
            ck_assert_double_eq_tol(box.max.x - box.min.x, other.max.x - other.min.x, 1e-9);
            ck_assert_double_eq_tol(pv_body_get_inertia(w, b) / pv_body_get_mass(w, b),
                                    pv_body_get_inertia(w, fresh) / pv_body_get_mass(w, fresh),
                                    1e-6);
            ck_assert_int_eq(pv_body_destroy(w, fresh), PV_OK);
        }
        set_scale(w, b, 1, 1);
    }
}

START_TEST(flips_take_no_memory_and_many_scales_not_much) {
    scoped_purse p = {0};
    scoped_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 0, &p);
    scoped_mask *m = from_purse(&p, 24, 16);
    pv_body_id b = put_scaled(w, m, 0, 0, 0.2, (pv_vec2){1, 1});
    long calls = 0, bytes = 0;
    for (int i = 0; i < 44; i++) {
        set_scale(w, b, i & 1 ? 1 : -1, i & 2 ? 1 : -1);
        if (i < 4) calls = p.calls;
    }
    ck_assert_int_eq(p.calls, calls);
    for (int i = 0; i < 300; i++) {
        set_scale(w, b, 1 + (i % 100) * 1e-4, 1);
        if (i == 100) bytes = p.live_bytes;
    }
    ck_assert_int_lt(labs(p.live_bytes - bytes), bytes / 10);
}

/// Sixteen equal masks used in turn are measured no more often than when used in order.
START_TEST(bodies_share_what_is_known_of_their_pixels) {
    purse p[2] = {{0}};
    pv_mask *masks[16];
    for (int i = 0; i < 16; i++) masks[i] = odd_mask(24, 16, 1);
    for (int k = 0; k < 2; k++) {
        scoped_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, 0, &p[k]);
        for (int i = 0; i < 64; i++)
            put_scaled(w, masks[k ? i % 16 : i / 4], 40 * i, 0, 0, SCALES[0]);
        p[k].calls = p[k].live_bytes;
    }
    ck_assert_int_eq(p[0].calls, p[1].calls);
}

RUN_TESTS_IN("body_mask", NULL, give_back, 1)
