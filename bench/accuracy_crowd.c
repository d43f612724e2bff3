/* accuracy_crowd.c - many bodies at one point: their speed stays low.
 *
 * Invariant: every figure is the worst over random shapes, sizes, angles and speeds that the
 * setting's seed chooses.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>

enum { CROWD = 1000, CROWD_QUICK = 200, SHAPES = 4, SIZES = 5 };

static const int sizes[SIZES] = {3, 8, 16, 32, 64};

static pv_mask *mask_square(int size) { return mask_box(size, size); }
static pv_mask *mask_round(int size) { return mask_disc(0.5 * size); }
static pv_mask *(*const draw[SHAPES])(int size) = {mask_square, mask_round, mask_letter_c,
                                                   mask_letter_l};

/// Crowd and its bodies' greatest heights
typedef struct crowd {
    int count;
    pv_body_id bodies[CROWD];
    /// Greatest height of each body
    double tops[CROWD];
} crowd;

/// Creates a crowd within a pixel: bodies of one size, or of mixed sizes for 0. Half of all crowds
/// have rotated bodies.
static void put_crowd(yard *in, crowd *c, int size) {
    bool turned = yard_uniform(in, 0, 1) < 0.5;
    double radius = yard_uniform(in, 0, 1) < 0.5 ? 0 : 1;
    for (int i = 0; i < c->count; i++) {
        int side = size ? size : sizes[(int)yard_uniform(in, 0, SIZES)];
        pv_mask *mask = draw[(int)yard_uniform(in, 0, SHAPES)](side);
        double x = radius * yard_uniform(in, -0.5, 0.5), y = radius * yard_uniform(in, -0.5, 0.5);
        double angle = turned ? yard_uniform(in, -3, 3) : 0;
        c->bodies[i] = yard_put(in, PV_BODY_DYNAMIC, mask, x, y, angle, plain);
        c->tops[i] = y;
    }
}

/// Returns the speed of the fastest body, less what it gained by falling.
static double fastest_of(const yard *in, crowd *c, double g) {
    double fastest = 0;
    for (int i = 0; i < c->count; i++) {
        pv_vec2 p = yard_place(in, c->bodies[i]), v = yard_velocity(in, c->bodies[i]);
        c->tops[i] = fmin(c->tops[i], p.y);
        fastest = fmax(fastest, v.x * v.x + v.y * v.y - 2 * g * (p.y - c->tops[i]));
    }
    return sqrt(fastest);
}

/// Returns the number of bodies below the middle of the floor.
static double lost_of(const yard *in, const crowd *c, double floor) {
    int lost = 0;
    for (int i = 0; i < c->count; i++) lost += yard_place(in, c->bodies[i]).y > floor;
    return lost;
}

/// Runs a crowd over a floor, or without one if gravity is 0. Worse figures replace the values.
static void part(const setting *how, crowd *c, int size, double g, double *values) {
    const double seconds = how->quick ? 2 : 10;
    yard y = yard_open(how, g);
    c->count = how->quick ? CROWD_QUICK : CROWD;
    if (g > 0) yard_put(&y, PV_BODY_STATIC, mask_box(8000, 64), 0, 96 + 32, 0, plain);
    put_crowd(&y, c, size);
    for (int i = 0; i < seconds * HZ; i++) {
        yard_run(&y, 1.0 / HZ);
        values[0] = fmax(values[0], fastest_of(&y, c, g));
    }
    double left = g > 0 ? lost_of(&y, c, 96 + 32) : (double)yard_sharing(&y).most;
    values[1] = fmax(values[1], left);
    yard_close(&y);
}

/// Runs crowds of every size, and of all sizes together.
static void crowd_parts(const setting *how, double g, double *values) {
    static crowd c;
    values[0] = values[1] = 0;
    for (int i = 0; i <= SIZES; i++) {
        if (how->quick && i % 2 == 0) continue;
        setting one = *how;
        one.seed = (uint64_t)(SIZES + 1) * how->seed + (uint64_t)i;
        part(&one, &c, i < SIZES ? sizes[i] : 0, g, values);
    }
}

const test tests_crowd[] = {
    {.name = "crowd_free",
     .run = crowd_parts,
     .parameter = 0,
     .figures = {{"speed", "px/s", 500}, {"overlap", "px", 4}},
     .slow = true},
    {.name = "crowd_floor",
     .run = crowd_parts,
     .parameter = GRAVITY,
     .figures = {{"speed", "px/s", 500}, {"lost", "bodies", 0}}},
    {.name = "crowd_floor_3000",
     .run = crowd_parts,
     .parameter = 3000,
     .figures = {{"speed", "px/s", 500}, {"lost", "bodies", 0}},
     .slow = true},
    {.name = NULL},
};
