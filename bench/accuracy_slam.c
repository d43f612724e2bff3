/* accuracy_slam.c - sprites on a floor, slammed by something large or under a heavy load.
 *
 * Invariant: every figure is the worst over random numbers, sizes, shapes and speeds that the
 * setting's seed chooses. The floor is level with the scene, its surface at y = 0.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>

enum { TRIALS = 240, QUICK_PART = 10, FLOOR = 2400 };

static const double pi = 3.14159265358979323846;

/// Sprite on a floor, and what became of it
typedef struct fate {
    setting how;
    yard y;
    pv_body_id floor, sprite;
    double area;
    /// Thickness, and initial height of its center above the floor [px]
    double thick, high;
    /// Greatest depth of its center below the surface, as a share of its thickness
    double deep;
    /// True from its crush event until its release
    bool told;
    /// True if a step left most of it in the floor without a crush event
    bool untold;
    /// True once it has reached an end of the floor
    bool left;
} fate;

static pv_mask *sprite_of(yard *y, double least, double most) {
    int w = (int)yard_uniform(y, least, most + 1), h = (int)yard_uniform(y, least, most + 1);
    switch ((int)yard_uniform(y, 0, 5)) {
    case 0: return mask_box(w, h);
    case 1: return mask_disc(0.5 * h);
    case 2: return mask_star(h > 5 ? h : 5);
    case 3: return mask_letter_l(h > 5 ? h : 5);
    default: return mask_box(w, 1 + h / 8);
    }
}

static void fate_open(fate *f, const setting *how, int i, double g, double least, double most) {
    *f = (fate){.how = *how};
    f->how.sleeping = true;
    f->how.seed += 1000 * ((uint64_t)i + 1);
    f->y = yard_open(&f->how, g);
    f->floor = yard_put(&f->y, PV_BODY_STATIC, mask_box(FLOOR, 200), 0, 100, 0, plain);
    pv_mask *m = sprite_of(&f->y, least, most);
    f->area = (double)pv_mask_count_pixels(m);
    f->thick = fmin(pv_mask_get_width(m), pv_mask_get_height(m));
    f->high = pv_mask_get_height(m) - pv_mask_compute_mass(m).centroid.y;
    f->sprite = yard_put(&f->y, PV_BODY_DYNAMIC, m, 0, -f->high, 0, plain);
}

/// Tells whether more than a share of a sprite's pixels is in the floor, and the sprite lies lower
/// than at first.
static bool is_in(const fate *f, double share) {
    pv_placed a = pv_body_get_placed(f->y.world, f->sprite),
              b = pv_body_get_placed(f->y.world, f->floor);
    double in = (double)pv_placed_compute_overlap_area(&a, &b);
    return in > share * f->area && yard_place(&f->y, f->sprite).y > 0.25 - f->high;
}

static void fate_step(fate *f, double dt) {
    yard_step(&f->y, dt);
    pv_events e = pv_world_get_events(f->y.world);
    for (int i = 0; i < e.release_count; i++) f->told &= !PV_ID_EQUALS(e.releases[i], f->sprite);
    for (int i = 0; i < e.crush_count; i++) f->told |= PV_ID_EQUALS(e.crushes[i].body, f->sprite);
    pv_vec2 at = yard_place(&f->y, f->sprite);
    f->left |= fabs(at.x) > 0.5 * FLOOR - 50;
    if (!f->left) f->deep = fmax(f->deep, at.y / f->thick);
    f->untold |= is_in(f, 0.5) && !f->told;
}

static void fate_close(fate *f, double *values) {
    values[0] = fmax(values[0], f->deep);
    values[1] += f->untold;
    values[2] += is_in(f, 0.25) && !f->told;
    yard_close(&f->y);
}

/// Slams a spinning box on it, two to ten times its size, at 300 px/s to a top speed.
static void slam(const setting *how, double top, double *values) {
    static const double steps[] = {30, 60, 120};
    for (int i = 0; i < 3; i++) values[i] = 0;
    for (int i = 0; i < (how->quick ? TRIALS / QUICK_PART : TRIALS); i++) {
        fate f;
        fate_open(&f, how, i, i % 2 ? 600 : 0, 4, 28);
        double size = f.thick * yard_uniform(&f.y, 2, 10), hz = steps[i % 3];
        size = fmin(fmax(size, 16), 250);
        double speed = 300 * pow(top / 300, yard_uniform(&f.y, 0, 1)),
               slant = yard_uniform(&f.y, -0.5, 0.5);
        double far = size + 40;
        pv_body_id box = yard_put(&f.y, PV_BODY_DYNAMIC, mask_box((int)size, (int)size),
                                  -far * tan(slant), -far, yard_uniform(&f.y, 0, 2 * pi), plain);
        yard_push(&f.y, box, speed * sin(slant), speed * cos(slant), yard_uniform(&f.y, -20, 20));
        for (int k = 0; k < (int)(3 * hz); k++) fate_step(&f, 1 / hz);
        fate_close(&f, values);
    }
}

/// Drops a box on it, of up to a number of times its mass.
static void load(const setting *how, double most, double *values) {
    static const double steps[] = {30, 60, 120};
    for (int i = 0; i < 3; i++) values[i] = 0;
    for (int i = 0; i < (how->quick ? TRIALS / QUICK_PART : TRIALS); i++) {
        double g = (double[]){320, 980, 2000}[i / 3 % 3], hz = steps[i % 3];
        fate f;
        fate_open(&f, how, i, g, 2, 40);
        stuff of = plain;
        int w = (int)yard_uniform(&f.y, 20, 80), h = (int)yard_uniform(&f.y, 20, 80);
        of.mass = f.area * most / pow(10, yard_uniform(&f.y, 0, 1));
        double up = i % 2 ? yard_uniform(&f.y, 0, 500) : 0.05;
        yard_put(&f.y, PV_BODY_DYNAMIC, mask_box(w, h), yard_uniform(&f.y, -20, 20),
                 -f.thick - 0.5 * h - up, 0, of);
        for (int k = 0; k < (int)(6 * hz); k++) fate_step(&f, 1 / hz);
        fate_close(&f, values);
    }
}

#define FATES                                                                                      \
    {                                                                                              \
        {"deep", "", 0.5}, {"untold", "sprites", 0}, { "inside", "sprites", 0 }                    \
    }

const test tests_slam[] = {
    {.name = "slam_1000", .run = slam, .parameter = 1000, .figures = FATES},
    {.name = "slam_4000", .run = slam, .parameter = 4000, .figures = FATES},
    {.name = "load_1000", .run = load, .parameter = 1000, .figures = FATES},
    {.name = "load_100000", .run = load, .parameter = 100000, .figures = FATES},
    {.name = NULL},
};
