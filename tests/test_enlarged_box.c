/* test_enlarged_box.c - a body struck within a step collides beyond its swept box, at bounded cost.
 *
 * Invariant: ends of ways are checked by geometry and shared pixels, never by contacts.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include "core/world.h"

static const double STEP = 1.0 / 30, BALL = 32, PEBBLE = 6, BLOCK = 12, GAP = 8;

static pv_body_id put_disc(pv_world *w, double radius, double x, double y) {
    return put(w, disc_mask((int)radius), x, y, of_type(PV_BODY_DYNAMIC));
}

static int64_t shared(const pv_world *w, pv_body_id a, pv_body_id b) {
    pv_placed p = {pv_body_get_mask(w, a), pv_body_get_transform(w, a)},
              q = {pv_body_get_mask(w, b), pv_body_get_transform(w, b)};
    return pv_placed_compute_overlap_area(&p, &q);
}

/// Returns how far beyond a block a pebble ends that a ball strikes towards the block [px].
static double passed(double angle, double speed, pv_body_type type) {
    scoped_world *w = plain_world(0, 0, false);
    pv_vec2 way = {cos(angle), -sin(angle)};
    double at = BALL + PEBBLE + 1, beyond = at + PEBBLE + GAP + BLOCK;
    pv_body_id ball = put_disc(w, BALL, 0, 0), pebble = put_disc(w, PEBBLE, at * way.x, at * way.y);
    pv_body_id block = put(w, disc_mask((int)BLOCK), beyond * way.x, beyond * way.y, of_type(type));
    ck_assert_int_eq(pv_body_set_velocity(w, ball, (pv_vec2){speed, 0}), PV_OK);
    pv_world_step(w, STEP);
    ck_assert_int_le(shared(w, pebble, block), 4);
    pv_vec2 p = pv_body_get_position(w, pebble), q = pv_body_get_position(w, block);
    return (p.x - q.x) * way.x + (p.y - q.y) * way.y;
}

START_TEST(what_is_struck_does_not_pass_what_it_was_not_near) {
    uint64_t seed = 5;
    for (int i = 0; i < 200; i++) {
        double angle = 0.95 + 0.25 * next_unit(&seed), speed = 800 + 2400 * next_unit(&seed);
        ck_assert_double_lt(passed(angle, speed, i % 2 ? PV_BODY_STATIC : PV_BODY_DYNAMIC), 0);
    }
}

START_TEST(boxes_of_a_crowd_stay) {
    uint64_t seed = 7;
    scoped_world *w = plain_world(0, 0, false);
    for (int i = 0; i < 300; i++)
        put(w, box_mask(16, 16), next_unit(&seed), next_unit(&seed), of_type(PV_BODY_DYNAMIC));
    for (int i = 0; i < 10; i++) {
        pv_world_step(w, STEP);
        ck_assert_int_le(w->broad_phase.enlarged_count, 30);
        ck_assert_int_le(w->broad_phase.pair_count, 8 * 300);
    }
}

/// Breaks a rack so fast that balls leave their swept boxes, and checks the budget for larger ones.
START_TEST(what_enlarged_boxes_find_is_counted) {
    scoped_world *w = plain_world(0, 0, false);
    for (int row = 0; row < 40; row++)
        for (int i = 0; i <= row; i++) put_disc(w, 4, 8.6 * (i - 0.5 * row), -8.6 * row);
    ck_assert_int_eq(pv_body_set_velocity(w, put_disc(w, 20, 0, 40), (pv_vec2){0, -20000}), PV_OK);
    int most = 0;
    for (int i = 0; i < 10; i++) {
        pv_world_step(w, STEP);
        most = w->broad_phase.enlarged_count > most ? w->broad_phase.enlarged_count : most;
        ck_assert_int_ge(w->broad_phase.enlarge_budget, -(w->bodies.count + 1));
    }
    ck_assert_int_gt(most, 10);
}

/// Returns a world where a ball strikes a pebble towards a block. Moving boxes meet none of them.
static pv_world *meadow(uint64_t seed) {
    pv_world *w = plain_world(0, 0, false);
    bool first = next_unit(&seed) < 0.5, straight = next_unit(&seed) < 0.5;
    double angle = straight ? 0 : 0.95 + 0.25 * next_unit(&seed),
           speed = 800 + 2400 * next_unit(&seed), gap = straight ? 1.4 * speed * STEP : GAP,
           beyond = BALL + 2 * PEBBLE + 1 + gap + BLOCK;
    pv_vec2 way = {cos(angle), -sin(angle)},
            at = {(BALL + PEBBLE + 1) * way.x, (BALL + PEBBLE + 1) * way.y},
            far = {beyond * way.x, beyond * way.y};
    if (first) put_disc(w, BLOCK, far.x, far.y);
    pv_body_id ball = put_disc(w, BALL, 0, 0);
    put_disc(w, PEBBLE, at.x, at.y);
    if (!first) put_disc(w, BLOCK, far.x, far.y);
    ck_assert_int_eq(pv_body_set_restitution(w, ball, straight), PV_OK);
    ck_assert_int_eq(pv_body_set_velocity(w, ball, (pv_vec2){speed, 0}), PV_OK);
    for (int i = 0; i < 7; i++) {
        pv_body_id star = put(w, box_mask(9, 20), 200.0 * i, -400, of_type(PV_BODY_DYNAMIC));
        pv_vec2 velocity = {90 * next_unit(&seed) - 45, 900 * next_unit(&seed) - 450};
        ck_assert_int_eq(pv_body_set_velocity(w, star, velocity), PV_OK);
        ck_assert_int_eq(pv_body_set_angular_velocity(w, star, 8 * next_unit(&seed) - 4), PV_OK);
    }
    return w;
}

/// Compares a world where bodies may fly in single strides with one where a particle forbids it.
START_TEST(no_result_shows_who_flew) {
    for (uint64_t seed = 1; seed <= 60; seed++) {
        scoped_world *flying = meadow(seed), *stepped = meadow(seed);
        CREATE(particle, stepped, it.position = (pv_vec2){-5000, 5000});
        for (int i = 0; i < 6; i++) {
            pv_world_step(flying, STEP);
            pv_world_step(stepped, STEP);
            for (int b = 0; b < flying->bodies.count; b++) {
                const pv__pose *p = &flying->bodies.items[b].pose,
                               *q = &stepped->bodies.items[b].pose;
                ck_assert(p->center.x == q->center.x && p->center.y == q->center.y);
                ck_assert(p->turn.c == q->turn.c && p->turn.s == q->turn.s);
            }
        }
    }
}

RUN_TESTS("enlarged_box")
