/* squishy.c - sprites of jelly fall into a stepped basin and squeeze each other. So do cubes and
 * pyramids whose points are all joined by springs.
 *
 * Invariant: there are at most MOST soft bodies, and the next one replaces the oldest. Each begins
 * above all others.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/props.h"

enum { STEPS = 6, KINDS = 10, SPRITES = 8, MOST = 18, EVERY = 45 };

/// Points along the edges of a cube and of a pyramid
enum { CUBE = 5, PYRAMID = 7, POINTS = 28, TRIANGLES = 36 };

/// Edges of a cube and of a pyramid [px]
static const double cube = 44, pyramid = 62;

struct jellies {
    pv_composite_id all[MOST];
    /// Steps so far and since the last jelly, and number of jellies
    int frame, waited, made;
    const struct sprite *pyramid;
};

/// Points of a soft body in its picture, 0...1, and triangles between them
struct net {
    pv_vec2 places[POINTS];
    int triangles[TRIANGLES][3];
    int points, sides;
};

static const char *const sprites[SPRITES] = {"rock_medium", "gear", "star",     "letter_c",
                                             "ring",        "ship", "letter_l", "ball"};

/// Kinds of the first things: sprites, a cube and a pyramid
static const int openers[STEPS] = {0, 8, 1, 9, 4, 3};

/// Tops of the steps, which are 96 px wide [px]
static const double tops[STEPS] = {216, 262, 304, 304, 262, 216};

/// Place of new jellies above the view [px]
static const double sky = -50;

static pv_composite_id drop_jelly(struct stage *stage, pv_vec2 at, const char *sprite) {
    pv_jelly_def def = pv_jelly_def_default();
    def.mask = stage_mask_of(stage, sprite);
    def.position = at;
    def.angle = stage_uniform(stage, -0.3, 0.3);
    def.restitution = 0;
    def.static_friction = def.friction = .3;
    pv_composite_id made = pv_jelly_create(stage->world, &def, NULL);
    stage_paint(stage, made, (struct stage_paint){.picture = stage_load(stage, sprite)});
    return made;
}

static void add_triangle(struct net *net, int a, int b, int c) {
    int *corners = net->triangles[net->sides++];
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
}

/// Lays a net over a square.
static void lay_cube(struct net *net) {
    for (int i = 0; i < CUBE * CUBE; i++)
        net->places[net->points++] = (pv_vec2){i % CUBE / (CUBE - 1.0), i / CUBE / (CUBE - 1.0)};
    for (int i = 0; i < CUBE * (CUBE - 1); i++) {
        if (i % CUBE == CUBE - 1) continue;
        add_triangle(net, i, i + 1, i + CUBE);
        add_triangle(net, i + 1, i + CUBE + 1, i + CUBE);
    }
}

/// Lays a net over a triangle, from its top.
static void lay_pyramid(struct net *net) {
    for (int row = 0, first = 0; row < PYRAMID; first += ++row)
        for (int i = 0; i <= row; i++) {
            net->places[net->points++] =
                (pv_vec2){.5 + (i - row / 2.0) / (PYRAMID - 1), row / (PYRAMID - 1.0)};
            if (row == PYRAMID - 1) continue;
            int below = first + row + 1 + i;
            add_triangle(net, first + i, below + 1, below);
            if (i > 0) add_triangle(net, first + i - 1, first + i, below);
        }
}

/// Drops a body whose points are all joined by springs.
static pv_composite_id drop_net(struct stage *stage, pv_vec2 at, const struct net *net,
                                pv_vec2 size, const struct sprite *picture) {
    pv_vec2 points[POINTS];
    pv_rotation turn = pv_rotation_from_angle(stage_uniform(stage, -.3, .3));
    for (int i = 0; i < net->points; i++) {
        double x = (net->places[i].x - .5) * size.x, y = (net->places[i].y - .5) * size.y;
        points[i] = (pv_vec2){at.x + turn.c * x - turn.s * y, at.y + turn.s * x + turn.c * y};
    }
    pv_soft_body_def def = pv_soft_body_def_default();
    def.points = points;
    def.point_count = net->points;
    def.triangles = net->triangles;
    def.triangle_count = net->sides;
    def.uvs = net->places;
    def.all_pairs = true;
    def.mass = 60;
    def.stiffness = 160;
    def.damping = 1;
    def.restitution = 0;
    def.static_friction = def.friction = .3;
    pv_composite_id made = pv_soft_body_create(stage->world, &def, NULL);
    stage_paint(stage, made, (struct stage_paint){.picture = picture});
    return made;
}

/// Paints a pyramid of stones.
static const struct sprite *paint_pyramid(struct stage *stage) {
    const int wide = (int)pyramid, high = (int)(.875 * pyramid), course = high / 6;
    pv_image *image = props_picture(stage, wide, high);
    for (int y = 0; y < high; y++)
        for (int x = 0; x < wide; x++) {
            int row = y / course, shift = row % 2 * 6;
            bool gap = y % course == course - 1 || (x + shift) % 12 == 0;
            uint32_t stone = x < wide / 2 ? 0xe8c070ffu : 0xc89850ffu;
            props_dot(image, x, y, gap ? 0x8c6430ffu : y % course == 0 ? 0xf8dc98ffu : stone);
        }
    return stage_keep(stage, "pyramid", image, NULL);
}

/// Drops the next kind of thing.
static pv_composite_id drop_next(struct stage *stage, pv_vec2 at, int kind) {
    struct jellies *it = stage_memory(stage, sizeof *it);
    struct net net = {0};
    if (!it || kind < SPRITES) return drop_jelly(stage, at, sprites[kind]);
    if (kind == SPRITES) {
        lay_cube(&net);
        return drop_net(stage, at, &net, (pv_vec2){cube, cube}, stage_load(stage, "crate"));
    }
    lay_pyramid(&net);
    return drop_net(stage, at, &net, (pv_vec2){pyramid, .875 * pyramid}, it->pyramid);
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 640, 360);
    stage->backdrop = STAGE_BOARDS;
    struct jellies *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    it->pyramid = paint_pyramid(stage);
    stage_add_knob(stage, "steps per jelly", 30, 300, EVERY);
    for (int i = 0; i < STEPS; i++) stage_add_static(stage, "abutment", 32 + 96 * i, tops[i]);
    stage_add_static(stage, "floor", -320, 344);
    stage_add_fence(stage, 360);
}

/// Drops a thing on each step at once, and then one after the other.
static void update(struct stage *stage) {
    struct jellies *it = stage_memory(stage, sizeof *it);
    if (!it) return;
    int frame = it->frame++;
    for (int i = 0; frame == 0 && i < STEPS; i++)
        it->all[i] = drop_next(stage, (pv_vec2){80 + 96 * i, tops[i] - 130}, openers[i]);
    if (frame == 0 || ++it->waited < stage_knob_count(stage, 0)) return;
    int next = STEPS + it->made++;
    it->waited = 0;
    pv_composite_id *place = &it->all[next % MOST];
    if (pv_composite_is_valid(stage->world, *place)) pv_composite_destroy(stage->world, *place);
    pv_vec2 at = {stage_uniform(stage, 150, 490), sky};
    *place = drop_next(stage, at, next % KINDS);
}

const struct scene scene_squishy = {"squishy", "sprites of jelly squeeze each other in a basin",
                                    setup, update};
