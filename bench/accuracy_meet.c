/* accuracy_meet.c - two bodies that collide at speed: neither hangs in midair, momentum is kept.
 *
 * Invariant: every figure is the worst over random shapes, sizes, angles and speeds that the
 * setting's seed chooses.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>

enum { BOXES = 2500, CONCAVE = 500, THROWN = 400, QUICK_PART = 10, SECOND = HZ };

static const double pi = 3.14159265358979323846;

static double largest(double a, double b) { return isnan(a) || a > b ? a : b; }

/* ---- shapes ---- */

static pv_mask *box_of(yard *y) {
    return mask_box((int)yard_uniform(y, 4, 97), (int)yard_uniform(y, 4, 97));
}

static pv_mask *concave_of(yard *y) {
    int size = (int)yard_uniform(y, 12, 65);
    switch ((int)yard_uniform(y, 0, 5)) {
    case 0: return mask_star(size);
    case 1: return mask_letter_c(size);
    case 2: return mask_letter_l(size);
    case 3: return mask_ring(size);
    default: return mask_gear(size);
    }
}

/* ---- sums of two bodies ---- */

typedef struct totals {
    double mass, angular, energy;
    /// Sums over both bodies; the moment is mass times position
    pv_vec2 momentum, moment;
    double fastest;
} totals;

static totals totals_of(const yard *y, const pv_body_id *two) {
    totals t = {0};
    for (int i = 0; i < 2; i++) {
        double m = pv_body_get_mass(y->world, two[i]);
        pv_vec2 p = yard_place(y, two[i]), v = yard_velocity(y, two[i]);
        t.mass += m;
        t.momentum = (pv_vec2){t.momentum.x + m * v.x, t.momentum.y + m * v.y};
        t.moment = (pv_vec2){t.moment.x + m * p.x, t.moment.y + m * p.y};
        t.angular +=
            m * (p.x * v.y - p.y * v.x) +
            pv_body_get_inertia(y->world, two[i]) * pv_body_get_angular_velocity(y->world, two[i]);
        t.energy += yard_kinetic_energy(y, two[i]);
        t.fastest = largest(hypot(v.x, v.y), t.fastest);
    }
    return t;
}

/// Tells whether a body hung in midair for a step: it moved less than a tenth of what its
/// velocities before and after say.
static bool hung(const yard *y, pv_body_id body, pv_vec2 from, pv_vec2 was) {
    pv_vec2 p = yard_place(y, body), v = yard_velocity(y, body);
    double speed = fmin(hypot(v.x, v.y), hypot(was.x, was.y));
    return speed > 50 && v.x * was.x + v.y * was.y > 0 &&
           hypot(p.x - from.x, p.y - from.y) * HZ < 0.1 * speed;
}

/// Steps the world; tells whether either body hung.
static bool step_hangs(yard *y, const pv_body_id *two) {
    pv_vec2 p[2], v[2];
    for (int i = 0; i < 2; i++) {
        p[i] = yard_place(y, two[i]);
        v[i] = yard_velocity(y, two[i]);
    }
    yard_run(y, 1.0 / HZ);
    return hung(y, two[0], p[0], v[0]) || hung(y, two[1], p[1], v[1]);
}

/* ---- in empty space ---- */

/// Creates two bodies that approach each other and drift sideways together.
static void put_two(yard *y, pv_body_id *two, double low, double high, bool concave) {
    double way = yard_uniform(y, 0, 2 * pi), c = cos(way), s = sin(way),
           aside = yard_uniform(y, -0.5, 0.5) * high;
    double e = floor(yard_uniform(y, 0, 3)) / 2;
    for (int i = 0; i < 2; i++) {
        double side = i ? 1 : -1, far = side * yard_uniform(y, 90, 130),
               off = yard_uniform(y, -20, 20);
        double in = -side * yard_uniform(y, low, high);
        two[i] =
            yard_put(y, PV_BODY_DYNAMIC, concave ? concave_of(y) : box_of(y), c * far - s * off,
                     s * far + c * off, yard_uniform(y, 0, 2 * pi), (stuff){e, 0.6, 0.6, 0, 0});
        yard_push(y, two[i], c * in - s * aside, s * in + c * aside, yard_uniform(y, -20, 20));
    }
}

/// Counts hangs; measures errors of the center of mass, of angular momentum, and of energy.
static void meet_once(yard *y, double speed, bool concave, double *values) {
    pv_body_id two[2];
    int hangs = 0;
    put_two(y, two, 0.5 * speed, speed, concave);
    totals was = totals_of(y, two);
    for (int i = 1; i <= SECOND; i++) {
        hangs += step_hangs(y, two);
        totals t = totals_of(y, two);
        double k = (double)i / HZ, x = t.moment.x - was.moment.x - k * was.momentum.x,
               z = t.moment.y - was.moment.y - k * was.momentum.y;
        values[1] = largest(hypot(x, z) / t.mass, values[1]);
        values[2] =
            largest(fabs(t.angular - was.angular) / (was.mass * was.fastest * 50), values[2]);
        values[3] = largest(t.energy / was.energy - 1, values[3]);
    }
    values[0] += hangs > 1;
}

static void meet(const setting *how, int count, double speed, bool concave, double *values) {
    for (int i = 0; i < 4; i++) values[i] = 0;
    for (int i = 0; i < (how->quick ? count / QUICK_PART : count); i++) {
        setting one = *how;
        one.seed = how->seed + 1000 * ((uint64_t)i + 1);
        yard y = yard_open(&one, 0);
        meet_once(&y, speed, concave, values);
        yard_close(&y);
    }
}

static void boxes(const setting *how, double speed, double *values) {
    meet(how, BOXES, speed, false, values);
}

static void concave(const setting *how, double speed, double *values) {
    meet(how, CONCAVE, speed, true, values);
}

/* ---- against bodies on a floor ---- */

enum { FLOOR_WIDTH = 1600, FLOOR_DEPTH = 40 };

static void throw_once(yard *y, double speed, double *values) {
    yard_put(y, PV_BODY_STATIC, mask_box(FLOOR_WIDTH, FLOOR_DEPTH), 0, 0.5 * FLOOR_DEPTH, 0, plain);
    bool round = yard_uniform(y, 0, 1) < 0.5;
    pv_body_id two[2];
    two[0] = yard_put(y, PV_BODY_DYNAMIC, round ? concave_of(y) : box_of(y), 0, -70,
                      yard_uniform(y, 0, 2 * pi), plain);
    yard_run(y, 1.5);
    pv_vec2 at = yard_place(y, two[0]);
    double way = yard_uniform(y, 0.07, pi - 0.07), far = yard_uniform(y, 160, 250),
           fast = yard_uniform(y, 0.25, 1) * speed;
    two[1] = yard_put(y, PV_BODY_DYNAMIC, round ? concave_of(y) : box_of(y), at.x + far * cos(way),
                      at.y - far * sin(way) - 70, yard_uniform(y, 0, 2 * pi), plain);
    yard_push(y, two[1], -fast * cos(way), fast * sin(way), yard_uniform(y, -10, 10));
    int hangs = 0;
    for (int i = 0; i < SECOND; i++) {
        hangs += step_hangs(y, two);
        values[1] = largest((double)yard_sharing(y).most, values[1]);
    }
    values[0] += hangs > 1;
    for (int i = 0; i < 2; i++) {
        pv_vec2 p = yard_place(y, two[i]);
        values[2] += p.y > 0 && fabs(p.x) < 0.5 * FLOOR_WIDTH;
    }
}

static void thrown(const setting *how, double speed, double *values) {
    for (int i = 0; i < 3; i++) values[i] = 0;
    for (int i = 0; i < (how->quick ? THROWN / QUICK_PART : THROWN); i++) {
        setting one = *how;
        one.seed = how->seed + 1000 * ((uint64_t)i + 1);
        yard y = yard_open(&one, 980);
        throw_once(&y, speed, values);
        yard_close(&y);
    }
}

#define MEETING                                                                                    \
    {                                                                                              \
        {"hung", "pairs", 0}, {"lost", "px", 1e-6}, {"angular", "of mv50", 1e-6}, {                \
            "energy", "relative", 1e-6                                                             \
        }                                                                                          \
    }

const test tests_meet[] = {
    {.name = "meet_boxes", .run = boxes, .parameter = 1000, .figures = MEETING},
    {.name = "meet_concave_1000", .run = concave, .parameter = 1000, .figures = MEETING},
    {.name = "meet_concave_2000", .run = concave, .parameter = 2000, .figures = MEETING},
    {.name = "thrown_2000",
     .run = thrown,
     .parameter = 2000,
     .figures = {{"hung", "pairs", 0}, {"overlap", "px", 30}, {"through", "bodies", 0}}},
    {.name = NULL},
};
