/* cubes.c - cubes of four particles and six beams on the left, and as sprites on the right.
 *
 * Invariant: both sides begin alike, except that every other loose cube on the left collides by
 * discs. Static friction above 0.36 holds on the slope.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"
#include "stage/rounds.h"

#define STACK 9
#define BASE 6
#define LOOSE 12

static const double half_turn = 3.14159265358979323846;
static const double ground = 508, side = 32;

/// Gap under objects on the slope [px]; sprites rest this high above it
static const double air = .02;

/// Distance between the middles of the cubes of a row [px]
static const double pitch = 34;

/// Left edge of the right side [px]
static const double right = 480;

/// Angle of the slope [rad], its top, length and thickness [px], and its friction
static const double tilt = 0.34906585039886592;
static const pv_vec2 top = {24, 56};
static const double length = 360, thickness = 16, rough = .4;

/// Side to fill, and kind of its cubes
struct half {
    struct stage *stage;
    double left;
    bool sprites;
    /// Angles of the loose cubes [rad]
    const double *angles;
};

struct cube {
    /// Place in its half [px]
    pv_vec2 at;
    double angle, friction;
    pv_polygon_collider hull;
};

static const struct stage_paint edges = {.skin = 0xd89c50ff, .width = 2, .inlay = .62};
static const struct stage_paint discs = {
    .skin = 0x5c9cc4ff, .width = 2, .inlay = .62, .dot = 0x2c5c80ff};
static const struct stage_paint stone = {.skin = 0x6a7080ff, .width = 2};

/// Creates a rectangle of particles with the mass of def.
static pv_body_id add_box(struct stage *stage, pv_vec2 at, double angle, pv_vec2 size,
                          pv_polygon_def def) {
    static const pv_vec2 unit[4] = {{-.5, -.5}, {.5, -.5}, {.5, .5}, {-.5, .5}};
    pv_rotation r = pv_rotation_from_angle(angle);
    pv_vec2 points[4];
    for (int i = 0; i < 4; i++) {
        double x = size.x * unit[i].x, y = size.y * unit[i].y;
        points[i] = (pv_vec2){at.x + r.c * x - r.s * y, at.y + r.s * x + r.c * y};
    }
    def.points = points;
    def.point_count = 4;
    return pv_polygon_create(stage->world, &def, NULL);
}

static void add_polygon(const struct half *half, const struct cube *cube, pv_vec2 at) {
    pv_polygon_def def = pv_polygon_def_default();
    def.collider = cube->hull;
    if (cube->friction > 0) def.static_friction = def.friction = cube->friction;
    pv_body_id polygon = add_box(half->stage, at, cube->angle, (pv_vec2){side, side}, def);
    stage_paint_polygon(half->stage, polygon,
                        cube->hull == PV_POLYGON_COLLIDER_CIRCLES ? discs : edges);
}

/// Creates a cube; friction 0 means the default.
static void add_cube(const struct half *half, struct cube cube) {
    pv_vec2 at = {half->left + cube.at.x, cube.at.y};
    if (!half->sprites) {
        add_polygon(half, &cube, at);
        return;
    }
    pv_body_def def = pv_body_def_default();
    def.position = at;
    def.angle = cube.angle;
    if (cube.friction > 0) def.static_friction = def.friction = cube.friction;
    stage_add_def(half->stage, "crate", def);
}

/// Returns the point at given distances down the slope and above it.
static pv_vec2 slope_point(double down, double above) {
    pv_rotation r = pv_rotation_from_angle(tilt);
    return (pv_vec2){top.x + r.c * down + r.s * above, top.y + r.s * down - r.c * above};
}

static void add_slope(const struct half *half, pv_vec2 at) {
    pv_polygon_def def = pv_polygon_def_default();
    def.mass = 0;
    def.static_friction = def.friction = rough;
    stage_paint_polygon(half->stage,
                        add_box(half->stage, at, tilt, (pv_vec2){length, thickness}, def), stone);
}

/// Creates the slope for sprites, which stays in all rounds.
static void add_beam(struct stage *stage, pv_vec2 at) {
    const struct sprite *beam = stage_load(stage, "beam");
    if (!beam) return;
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.position = at;
    def.angle = tilt;
    def.scale.x = length / beam->image->width;
    def.static_friction = def.friction = rough;
    stage_put(stage, beam, def);
}

/// Creates a cube that stays and, below it, one that slides. Friction is the mean of a cube's and
/// the slope's.
static void fill_slope(const struct half *half) {
    if (!half->sprites) add_slope(half, slope_point(length / 2, -thickness / 2));
    add_cube(half,
             (struct cube){.at = slope_point(90, side / 2 + air), .angle = tilt, .friction = .5});
    add_cube(half,
             (struct cube){.at = slope_point(160, side / 2 + air), .angle = tilt, .friction = .1});
}

static void add_heaps(const struct half *half) {
    for (int i = 0; i < STACK; i++)
        add_cube(half, (struct cube){.at = {36, ground - side / 2 - side * i}});
    for (int row = 0; row < BASE; row++)
        for (int i = 0; i < BASE - row; i++)
            add_cube(half, (struct cube){.at = {176 + pitch * (i - (BASE - 1 - row) / 2.0),
                                                ground - side / 2 - side * row}});
}

/// Creates the falling cubes; every other one on the left collides by discs.
static void add_loose(const struct half *half) {
    for (int i = 0; i < LOOSE; i++)
        add_cube(
            half,
            (struct cube){.at = {306 + 40 * (i % 4) + 20 * (i / 4 % 2), 470 - 46 * (i / 4)},
                          .angle = half->angles[i],
                          .hull = i % 2 ? PV_POLYGON_COLLIDER_CIRCLES : PV_POLYGON_COLLIDER_EDGES});
}

/// Removes the polygons of the last round, and creates all cubes.
static void build(struct stage *stage) {
    pv_world *world = stage->world;
    pv_body_id polygon;
    while (!PV_ID_IS_NULL(polygon = pv_world_get_next_polygon(world, (pv_body_id){0})))
        pv_body_destroy(world, polygon);
    double angles[LOOSE];
    for (int i = 0; i < LOOSE; i++) angles[i] = stage_uniform(stage, -half_turn, half_turn);
    for (int i = 0; i < 2; i++) {
        const struct half half = {stage, right * i, i == 1, angles};
        fill_slope(&half);
        add_heaps(&half);
        add_loose(&half);
    }
}

static void add_labels(struct stage *stage) {
    pv_vec2 holds = slope_point(170, 64), slides = slope_point(318, 64);
    for (int i = 0; i < 2; i++) {
        double left = right * i;
        stage_add_label(stage, left + holds.x, holds.y, "0.45: holds");
        stage_add_label(stage, left + slides.x, slides.y, "0.25: slides");
        stage_add_label(stage, left + 176, ground + 16, i ? "sprites" : "polygons");
    }
    stage_add_label(stage, 372, ground + 16, "blue: by discs");
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 960, 540);
    stage->backdrop = STAGE_PAPER;
    stage_add_static(stage, "floor", 0, ground);
    stage_add_static(stage, "wall", right - 8, ground - 480);
    stage_add_fence(stage, 720);
    pv_vec2 middle = slope_point(length / 2, -thickness / 2);
    add_beam(stage, (pv_vec2){right + middle.x, middle.y});
    build(stage);
    add_labels(stage);
    aim_arm(stage, NULL);
}

/// Throws a ball in each half, at the stack or at the pyramid.
static void toss(struct stage *stage, int which) {
    pv_vec2 from = {400, 250}, at = {which % 2 ? 44 : 190, which % 2 ? 300 : 380};
    for (int i = 0; i < 2; i++)
        aim_toss_at(stage, (pv_vec2){right * i + from.x, from.y}, (pv_vec2){right * i + at.x, at.y},
                    .5);
}

static void update(struct stage *stage) {
    static const struct rounds rounds = {240, 150, 4, 300, toss, build};
    rounds_play(stage, &rounds);
}

const struct scene scene_cubes = {
    "cubes", "cubes of particles and beams beside the same as sprites", setup, update};
