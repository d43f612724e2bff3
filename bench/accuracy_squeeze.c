/* accuracy_squeeze.c - bodies between kinematic walls and at kinematic blades, and fast bodies at
 * one-way platforms and on joints.
 *
 * Invariant: every figure is the worst over random numbers, sizes, shapes and speeds that the
 * setting's seed chooses.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>

enum { SQUEEZES = 24, BINS = 40, SHOTS = 600, THROWS = 120, QUICK_PART = 10, MOST = 12, LIMBS = 4 };

static const double pi = 3.14159265358979323846;

static double largest(double a, double b) { return isnan(a) || a > b ? a : b; }

static setting next_of(const setting *how, int i) {
    setting one = *how;
    one.seed = how->seed + 1000 * ((uint64_t)i + 1);
    return one;
}

/* ---- between walls ---- */

typedef struct press {
    yard y;
    pv_body_id walls[2];
    /// Initial distance between the walls, and how far each has moved in [px]
    double gap, in;
} press;

/// Opens a press without gravity, since falling would add speed.
static press press_open(const setting *how, bool sprites) {
    press p = {.y = yard_open(how, 0)};
    int columns = (int)yard_uniform(&p.y, 1, 5), count = (int)yard_uniform(&p.y, 1, MOST + 1);
    p.gap = 26 * columns;
    for (int i = 0; i < 2; i++)
        p.walls[i] = yard_put(&p.y, PV_BODY_KINEMATIC, mask_box(40, 400),
                              (i ? 0.5 : -0.5) * (p.gap + 40), 0, 0, plain);
    for (int i = 0; i < count; i++) {
        double x = 25 * (i % columns - 0.5 * (columns - 1)), y = 25 * (i / columns);
        int kind = sprites ? (int)yard_uniform(&p.y, 0, 4) : 0,
            size = (int)yard_uniform(&p.y, 14, 19);
        pv_mask *m = kind == 0   ? mask_box(size, size)
                     : kind == 1 ? mask_disc(0.5 * size)
                     : kind == 2 ? mask_letter_l(size)
                                 : mask_ring(size);
        yard_put(&p.y, PV_BODY_DYNAMIC, m, x, y, 0, plain);
    }
    return p;
}

/// Moves the walls for a time; returns the greatest excess of any body's speed over most.
static double press_move(press *p, double speed, double most, double seconds, int *crushes) {
    double over = 0;
    for (int i = 0; i < (int)(seconds * HZ); i++) {
        p->in += speed / HZ;
        for (int k = 0; k < 2; k++) {
            pv_vec2 at = yard_point(&p->y, (k ? 1 : -1) * (0.5 * p->gap + 20 - p->in), 0);
            pv_body_move_to(p->y.world, p->walls[k], at, pv_body_get_angle(p->y.world, p->walls[k]),
                            1.0 / HZ);
        }
        yard_step(&p->y, 1.0 / HZ);
        over = largest(yard_top_speed(&p->y) - most, over);
        *crushes += pv_world_get_events(p->y.world).crush_count > 0;
    }
    return over;
}

static void squeezed(const setting *how, double sprites, double *values) {
    for (int i = 0; i < 4; i++) values[i] = 0;
    for (int i = 0; i < (how->quick ? SQUEEZES / QUICK_PART : SQUEEZES); i++) {
        setting one = next_of(how, i);
        press p = press_open(&one, sprites > 0);
        double speed = yard_uniform(&p.y, 5, 60), time = 0.5 * (p.gap - 4) / speed;
        int closing = 0, after = 0;
        values[0] = largest(press_move(&p, speed, speed, time, &closing), values[0]);
        values[1] = largest(press_move(&p, 0, speed, 2, &after), values[1]);
        values[2] = largest(press_move(&p, -speed, speed, time, &after), values[2]);
        values[3] += closing == 0;
        yard_close(&p.y);
    }
}

/* ---- in a bin ---- */

/// Opens a bin with two walls and a floor of a type.
static yard bin_open(const setting *how, pv_body_type type, pv_body_id walls[3]) {
    yard y = yard_open(how, 980);
    for (int k = 0; k < 2; k++)
        walls[k] = yard_put(&y, type, mask_box(30, 900), k ? 250 : -250, -400, 0, plain);
    walls[2] = yard_put(&y, type, mask_box(530, 30), 0, 0, 0, plain);
    return y;
}

/// Drops a sprite into a bin, no farther than most from its middle.
static void bin_drop(yard *y, int i, double most) {
    int size = (int)yard_uniform(y, 12, 22);
    pv_mask *m = i % 4 == 0   ? mask_box(size, size)
                 : i % 4 == 1 ? mask_disc(0.5 * size)
                 : i % 4 == 2 ? mask_letter_l(size)
                              : mask_ring(size);
    yard_put(y, PV_BODY_DYNAMIC, m, yard_uniform(y, -most, most), yard_uniform(y, -440, -400),
             yard_uniform(y, 0, 2 * pi), plain);
}

/// Turns a blade over the floor of a bin that fills up. Measures the greatest excess of a body's
/// speed over that of the blade's tips or of a fall, whichever is higher.
static void milled(const setting *how, double unused, double *values) {
    (void)unused;
    values[0] = 0;
    for (int i = 0; i < (how->quick ? BINS / QUICK_PART : BINS); i++) {
        setting one = next_of(how, i);
        pv_body_id walls[3];
        yard y = bin_open(&one, PV_BODY_STATIC, walls);
        double length = yard_uniform(&y, 150, 220), spin = yard_uniform(&y, 0.2, 5);
        double low = 15 + 0.5 * length + yard_uniform(&y, 2, 20);
        pv_body_id blade =
            yard_put(&y, PV_BODY_KINEMATIC, mask_box((int)length, 16), 0, -low, 0, plain);
        pv_body_set_angular_velocity(y.world, blade, spin);
        double most = largest(0.5 * length * spin, sqrt(2 * 980 * 440.0));
        for (int k = 0; k < 10 * HZ; k++) {
            if (k % 4 == 0 && k < 480) bin_drop(&y, k / 4, 200);
            yard_step(&y, 1.0 / HZ);
            values[0] = largest(yard_top_speed(&y) - most, values[0]);
        }
        yard_close(&y);
    }
}

/// Swings a filled bin to and fro, and counts crush events; there should be none.
static void swung(const setting *how, double speed, double *values) {
    values[0] = 0;
    for (int i = 0; i < (how->quick ? BINS / QUICK_PART : BINS); i++) {
        setting one = next_of(how, i);
        pv_body_id walls[3];
        yard y = bin_open(&one, PV_BODY_KINEMATIC, walls);
        double rate = yard_uniform(&y, 1.5, 3);
        for (int k = 0; k < 8 * HZ; k++) {
            pv_vec2 v = yard_direction(&y, speed * cos(rate * k / HZ), 0);
            for (int w = 0; w < 3; w++) pv_body_set_velocity(y.world, walls[w], v);
            if (k % 4 == 0 && k < 240) bin_drop(&y, k / 4, 100);
            yard_step(&y, 1.0 / HZ);
            values[0] += pv_world_get_events(y.world).crush_count;
        }
        yard_close(&y);
    }
}

/* ---- very fast ---- */

/// Throws boxes down at a tilted one-way platform; counts those that get through.
static void shot(const setting *how, double speed, double *values) {
    values[0] = 0;
    for (int i = 0; i < (how->quick ? SHOTS / QUICK_PART : SHOTS); i++) {
        setting one = next_of(how, i);
        yard y = yard_open(&one, 320);
        double tilt = yard_uniform(&y, -0.5, 0.5), size = yard_uniform(&y, 8, 24);
        pv_body_id platform = yard_put(
            &y, PV_BODY_STATIC, mask_box(400, (int)yard_uniform(&y, 4, 14)), 0, 0, tilt, plain);
        pv_body_set_one_way_normal(y.world, platform, (pv_vec2){0, -1});
        pv_body_id box =
            yard_put(&y, PV_BODY_DYNAMIC, mask_box((int)size, (int)size), yard_uniform(&y, -20, 20),
                     yard_uniform(&y, -220, -170), yard_uniform(&y, 0, 3), plain);
        yard_push(&y, box, 0, speed, 0);
        bool through = false;
        for (int k = 0; k < 10; k++) {
            yard_step(&y, 1.0 / HZ);
            pv_vec2 at = yard_place(&y, box);
            through |= fabs(at.x) < 150 && at.y > at.x * tan(tilt) + 8;
        }
        values[0] += through;
        yard_close(&y);
    }
}

/// Pins a limb to a torso at a point, with a limited angle.
static void pin(yard *y, pv_body_id torso, pv_body_id limb, double x, double down) {
    pv_joint_def d = pv_joint_def_default();
    d.type = PV_JOINT_PIN;
    d.a = pv_anchor_body(torso, yard_point(y, x, down));
    d.b = pv_anchor_body(limb, yard_point(y, x, down));
    pv_joint_create(y->world, &d, NULL);
    d.type = PV_JOINT_ANGLE_LIMIT;
    d.lower = -0.8;
    d.upper = 0.8;
    pv_joint_create(y->world, &d, NULL);
}

/// Throws ragdolls about in a room; counts those that leave it.
static void joined(const setting *how, double speed, double *values) {
    values[0] = 0;
    for (int i = 0; i < (how->quick ? THROWS / QUICK_PART : THROWS); i++) {
        setting one = next_of(how, i);
        yard y = yard_open(&one, 320);
        int thick = (int)yard_uniform(&y, 3, 10);
        for (int k = -1; k <= 1; k += 2) {
            yard_put(&y, PV_BODY_STATIC, mask_box(thick, 700), 200 * k, 0, 0, plain);
            yard_put(&y, PV_BODY_STATIC, mask_box(700, thick), 0, 200 * k, 0, plain);
        }
        static const double across[LIMBS] = {-6, 6, -4, 4}, down[LIMBS] = {-12, -12, 15, 15};
        pv_body_id all[LIMBS + 1] = {
            yard_put(&y, PV_BODY_DYNAMIC, mask_box(14, 30), 0, 0, 0, plain)};
        double angle = yard_uniform(&y, 0, 2 * pi);
        for (int k = 0; k < LIMBS; k++) {
            all[k + 1] =
                yard_put(&y, PV_BODY_DYNAMIC, mask_box(6, 22), across[k], down[k] + 9, 0, plain);
            pin(&y, all[0], all[k + 1], across[k], down[k]);
        }
        for (int k = 0; k <= LIMBS; k++) {
            pv_body_set_filter(y.world, all[k], (pv_filter){1, 0xffffffffu, -1});
            yard_push(&y, all[k], speed * cos(angle), speed * sin(angle), 0);
        }
        yard_run(&y, 2);
        bool out = false;
        for (int k = 0; k <= LIMBS; k++) {
            pv_vec2 at = yard_place(&y, all[k]);
            out |= !(fabs(at.x) < 200 && fabs(at.y) < 200);
        }
        values[0] += out;
        yard_close(&y);
    }
}

#define SQUEEZED                                                                                   \
    {                                                                                              \
        {"closing", "px/s", 20}, {"held", "px/s", 20}, {"opening", "px/s", 20}, {                  \
            "untold", "squeezes", 0                                                                \
        }                                                                                          \
    }

const test tests_squeeze[] = {
    {.name = "squeeze_boxes", .run = squeezed, .parameter = 0, .figures = SQUEEZED},
    {.name = "squeeze_sprites", .run = squeezed, .parameter = 1, .figures = SQUEEZED},
    {.name = "mill", .run = milled, .figures = {{"speed", "px/s", 200}}},
    {.name = "bus", .run = swung, .parameter = 100, .figures = {{"crushes", "events", 0}}},
    {.name = "one_way_8000", .run = shot, .parameter = 8000, .figures = {{"through", "boxes", 0}}},
    {.name = "one_way_16000",
     .run = shot,
     .parameter = 16000,
     .figures = {{"through", "boxes", 0}}},
    {.name = "joined_8000",
     .run = joined,
     .parameter = 8000,
     .figures = {{"through", "ragdolls", 0}}},
    {.name = NULL},
};
