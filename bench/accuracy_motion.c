/* accuracy_motion.c - bullets and a rotating stick at thin walls, slides over flush tiles, free
 * rotation.
 *
 * Invariant: shots start clear of their wall, on its left.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>

enum { PHASES = 25, WALL_LENGTH = 200 };

static const double pi = 3.14159265358979323846;

static const stuff slippery = {.restitution = 0};

static const pv_body_type wall_types[] = {PV_BODY_STATIC, PV_BODY_DYNAMIC};

/// Greatest number of pixels that a disc may share with a wall it touches. Corners of its pixels
/// reach up to 0.4 px beyond its rim, so a rotated wall shares single pixels.
enum { GRAZE = 2 };

static double largest(double a, double b) { return isnan(a) || a > b ? a : b; }

/* ---- walls ---- */

/// Creates an upright wall at the origin.
static pv_body_id put_wall(yard *in, pv_body_type type, int thickness) {
    return yard_put(in, type, mask_box(thickness, WALL_LENGTH), 0, 0, 0, plain);
}

/// Tells whether a body got through a wall, which may have rotated. Sharing more than most pixels
/// with the wall also counts.
static bool got_through(const yard *in, pv_body_id body, pv_body_id wall, int most) {
    pv_vec2 p = pv_body_get_position(in->world, body), q = pv_body_get_position(in->world, wall);
    pv_rotation r = pv_body_get_transform(in->world, wall).rotation;
    return !((p.x - q.x) * r.c + (p.y - q.y) * r.s < 0) || yard_sharing(in).sum > most;
}

/// Bullet and its target
typedef struct shot {
    /// Speed of the bullet, and its extra distance from the wall in steps
    double speed, phase;
    pv_mask *bullet;
    bool round;
    pv_body_type wall;
    int thickness;
} shot;

static bool shoot(const setting *how, const shot *s) {
    yard y = yard_open(how, 0);
    double start =
        -(2 + 0.5 * (s->thickness + pv_mask_get_width(s->bullet)) + s->phase * s->speed / HZ);
    pv_body_id wall = put_wall(&y, s->wall, s->thickness);
    pv_body_id bullet = yard_put(&y, PV_BODY_DYNAMIC, pv_mask_retain(s->bullet), start,
                                 yard_uniform(&y, -0.5, 0.5), 0, plain);
    yard_push(&y, bullet, s->speed, 0, 0);
    yard_run(&y, 6.0 / HZ);
    bool turns = s->round && s->wall == PV_BODY_DYNAMIC;
    bool through = got_through(&y, bullet, wall, turns ? GRAZE : 0);
    yard_close(&y);
    return through;
}

/// Returns the number of bullets that get through walls of 1 and 2 px, static and dynamic.
static int shoot_all(const setting *how, double speed, pv_mask *bullet, bool round) {
    int through = 0;
    for (int thickness = 1; thickness <= 2; thickness++)
        for (int type = 0; type < 2; type++)
            for (int i = 0; i < PHASES; i++)
                through += shoot(how, &(shot){speed, (double)i / PHASES, bullet, round,
                                              wall_types[type], thickness});
    pv_mask_release(bullet);
    return through;
}

static void bullets(const setting *how, double speed, double *values) {
    values[0] = 0;
    for (int size = 4; size <= 8; size += 4)
        values[0] += shoot_all(how, speed, mask_box(size, size), false) +
                     shoot_all(how, speed, mask_disc(0.5 * size), true);
}

/// Tells whether a rotating stick of 64 x 2 px gets through a wall of 2 px next to it.
static bool whirl(const setting *how, pv_body_type type, double gap, double spin) {
    yard y = yard_open(how, 0);
    pv_body_id wall = put_wall(&y, type, 2);
    pv_body_id stick = yard_put(&y, PV_BODY_DYNAMIC, mask_box(2, 64), -2 - gap, 0, 0, plain);
    yard_push(&y, stick, 0, 0, spin);
    yard_run(&y, 10.0 / HZ);
    bool through = got_through(&y, stick, wall, 0);
    yard_close(&y);
    return through;
}

/// Counts sticks that get through, over gaps within their reach.
static void whirls(const setting *how, double spin, double *values) {
    values[0] = 0;
    for (int type = 0; type < 2; type++)
        for (int i = 0; i < PHASES; i++)
            for (int way = -1; way <= 1; way += 2)
                values[0] += whirl(how, wall_types[type], 1 + 30.0 * i / PHASES, way * spin);
}

/* ---- flush ground ---- */

enum { TILES = 60, TILE = 32, SLIDING_BOX = 1, OVER_TERRAIN = 2 };

static const double SLIDE_SPEED = 320;

static void put_tiles(yard *in) {
    for (int i = 0; i < TILES; i++)
        yard_put(in, PV_BODY_STATIC, mask_box(TILE, TILE), (i + 0.5) * TILE, 0.5 * TILE, 0,
                 slippery);
}

/// Creates ground in one picture, flat at its top, with a cave.
static void put_terrain(yard *in) {
    pv_mask *mask = mask_box(TILES * TILE, 3 * TILE);
    pv_mask_fill_rect(mask, (pv_rect){20 * TILE, TILE, 10 * TILE, TILE}, false);
    pv_vec2 c = pv_mask_compute_mass(mask).centroid;
    yard_put(in, PV_BODY_STATIC, mask, c.x, c.y, 0, slippery);
}

/// Lets a box or ball come to rest, then slides it over tiles or terrain to the last tile.
static void slide(const setting *how, double what, double *values) {
    yard y = yard_open(how, GRAVITY);
    if ((int)what & OVER_TERRAIN)
        put_terrain(&y);
    else
        put_tiles(&y);
    pv_mask *mask = (int)what & SLIDING_BOX ? mask_box(TILE, TILE) : mask_disc(0.5 * TILE);
    pv_body_id body = yard_put(&y, PV_BODY_DYNAMIC, mask, yard_uniform(&y, 1, 2) * TILE,
                               -0.5 * TILE, 0, slippery);
    yard_run(&y, 1);
    const double level = yard_place(&y, body).y;
    yard_push(&y, body, SLIDE_SPEED, 0, 0);
    values[0] = values[1] = 0;
    for (int i = 0; i < (TILES - 4) * TILE / SLIDE_SPEED * HZ; i++) {
        yard_run(&y, 1.0 / HZ);
        values[0] = largest(fabs(yard_place(&y, body).y - level), values[0]);
        values[1] = largest(fabs(yard_velocity(&y, body).x - SLIDE_SPEED), values[1]);
    }
    yard_close(&y);
}

/* ---- free rotation ---- */

/// Measures a lopsided sprite that flies and rotates; its angular velocity must agree with its
/// angle.
static void free_spin(const setting *how, double spin, double *values) {
    yard y = yard_open(how, 0);
    pv_body_id body =
        yard_put(&y, PV_BODY_DYNAMIC, mask_letter_l(48), 0, 0, yard_uniform(&y, -pi, pi), plain);
    yard_push(&y, body, 30, -20, spin);
    const double energy = yard_kinetic_energy(&y, body), seconds = 10;
    double turned = 0;
    values[0] = values[1] = 0;
    for (int i = 0; i < seconds * HZ; i++) {
        double before = pv_body_get_angle(y.world, body);
        yard_run(&y, 1.0 / HZ);
        turned += remainder(pv_body_get_angle(y.world, body) - before, 2 * pi);
        values[0] =
            largest(fabs(pv_body_get_angular_velocity(y.world, body) / spin - 1), values[0]);
        values[1] = largest(fabs(yard_kinetic_energy(&y, body) / energy - 1), values[1]);
    }
    values[0] = largest(fabs(turned / (spin * seconds) - 1), values[0]);
    yard_close(&y);
}

/* ---- the table ---- */

const test tests_motion[] = {
    {.name = "bullets_500",
     .run = bullets,
     .parameter = 500,
     .figures = {{.unit = "through", .bound = 0}}},
    {.name = "bullets_8000",
     .run = bullets,
     .parameter = 8000,
     .figures = {{.unit = "through", .bound = 0}}},
    {.name = "bullets_120000",
     .run = bullets,
     .parameter = 120000,
     .figures = {{.unit = "through", .bound = 0}}},
    {.name = "bullets_480000",
     .run = bullets,
     .parameter = 480000,
     .figures = {{.unit = "through", .bound = 0}}},
    {.name = "whirl",
     .run = whirls,
     .parameter = 1.57079632679489662 * HZ,
     .figures = {{.unit = "through"}}},
    {.name = "tiles_box",
     .run = slide,
     .parameter = SLIDING_BOX,
     .figures = {{"hop", "px", 0.05}, {"speed", "px/s", 0.1}}},
    {.name = "tiles_ball",
     .run = slide,
     .parameter = 0,
     .figures = {{"hop", "px", 0.05}, {"speed", "px/s", 0.1}}},
    {.name = "terrain_box",
     .run = slide,
     .parameter = SLIDING_BOX | OVER_TERRAIN,
     .figures = {{"hop", "px", 0.05}, {"speed", "px/s", 0.1}}},
    {.name = "terrain_ball",
     .run = slide,
     .parameter = OVER_TERRAIN,
     .figures = {{"hop", "px", 0.05}, {"speed", "px/s", 0.1}}},
    {.name = "free_spin",
     .run = free_spin,
     .parameter = 10,
     .figures = {{"spin", "relative", 1e-6}, {"energy", "relative", 1e-6}}},
    {.name = NULL},
};
