/* sawmill.c - a belt carries logs under a saw, and the pieces fall into a bin. Sawdust falls, and
 * sparks fly.
 *
 * Invariant: the saw goes down only while the belt stands still, and removes the pixels that it
 * covers.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/grains.h"
#include "stage/props.h"
#include "stage/texture.h"

#include <math.h>

#define PI 3.14159265358979323846

/// Frames for which the belt runs, and for which the saw goes down and up again
enum { RUNS = 64, SAWS = 60 };

/// Number of sparks in a frame of sawing
enum { SPARKS = 5 };

static const uint32_t sparks[3] = {0xfff8d0ffu, 0xffd060ffu, 0xff9030ffu};

/// Length and thickness of a log, and thickness of its bark [px]
enum { LONG = 290, THICK = 40, BARK = 5 };

/// Length of the rod that bears the saw [px]
enum { ROD = 400 };

/// Speed of sawdust at the blade [px/s]
static const double gust = 150;

static const double belt_top = 400, belt_speed = 96, blade_radius = 21;

/// x of the middle of the saw, and its y when it is up and when it is down [px]
static const double saw_x = 560, raised = 250, lowered = 382;

/// Inside of the bin [px], pieces that fill it, and frames when its door is open, shuts and is shut
static const double bin_left = 870, bin_right = 1160, bin_bottom = 660;
enum { FULL = 15, OPENS = 30, OPEN = 130, SHUTS = 190 };

struct memory {
    struct belt belt;
    pv_body_id blade, rod, door;
    int frame, door_frame;
};

/* ---- wood ---- */

/// Returns the color of a pixel of wood: grain along the log, bark around it, and dark knots.
static uint32_t wood_color(uint32_t seed, int x, int y) {
    double grain = floor(texture_rough(seed, x / 60.0, y / 2.2, 3) * 12) / 12,
           knot = texture_noise(seed + 5, x / 30.0, y / 9.0);
    double light = .84 + .32 * grain;
    if (y < BARK || y >= THICK - BARK)
        return texture_lit(0x6a4630ffu, .7 + .7 * texture_rough(seed + 9, x / 7.0, y / 2.0, 2));
    return texture_lit(knot > .9 ? 0xa87440ffu : 0xdcb074ffu, light);
}

static struct sprite *paint_log(struct stage *stage, uint32_t seed) {
    pv_image *image = props_picture(stage, LONG, THICK);
    for (int y = 0; image && y < THICK; y++)
        for (int x = 0; x < LONG; x++) {
            double slack = y < THICK / 2 ? y : THICK - 1 - y;
            double in = slack < 4 ? 4 - slack : 0;
            if (x < in || x >= LONG - in) continue;
            props_dot(image, x, y, wood_color(seed, x, y));
        }
    return stage_keep(stage, "log", image, NULL);
}

/// Puts a log on the belt.
static void lay_log(struct stage *stage, double left) {
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){left + LONG / 2.0, belt_top - THICK / 2.0};
    def.restitution = 0;
    pv_fracture_def fracture = pv_fracture_def_default();
    fracture.min_part_pixels = 30;
    const struct sprite *log = paint_log(stage, (uint32_t)stage_pick(stage, 1 << 20));
    stage_soften(stage, stage_put(stage, log, def), &fracture);
}

/// Creates the next log out of sight, as soon as there is room.
static void feed(struct stage *stage) {
    pv_box room = {{-LONG - 40, belt_top - 60}, {-20, belt_top - 4}};
    pv_query_filter soft = {.mask_bits = STAGE_SOFT};
    if (pv_world_query_box(stage->world, room, &soft, NULL, 0) == 0) lay_log(stage, -LONG - 40);
}

/* ---- the mill ---- */

static void add_post(struct stage *stage, double x, double top, double bottom) {
    int height = (int)(bottom - top);
    pv_image *image = props_picture(stage, 12, height);
    props_bar(image, (pv_rect){0, 0, 12, height}, 0x303a53ffu);
    props_bar(image, (pv_rect){1, 0, 10, height}, 0x495b78ffu);
    props_bar(image, (pv_rect){2, 0, 3, height}, 0x6b829bffu);
    props_decor(stage, "post", image, x - 6, top, true);
}

/// Paints a disc with teeth that point in its direction of rotation.
static pv_image *paint_blade(struct stage *stage) {
    int size = 2 * (int)blade_radius;
    pv_image *image = props_picture(stage, size, size);
    for (int y = 0; image && y < size; y++)
        for (int x = 0; x < size; x++) {
            double dx = x + .5 - blade_radius, dy = y + .5 - blade_radius,
                   out = sqrt(dx * dx + dy * dy);
            double tooth = pv_rotation_get_angle((pv_rotation){dx / out, dy / out}) * 18 / (2 * PI);
            if (out > blade_radius - 5 + 5 * (tooth - floor(tooth))) continue;
            bool dark = out < 4 || (out > 12 && out < 13.5);
            props_dot(image, x, y,
                      dark ? 0x404858ffu : texture_lit(0xb8c4d0ffu, 1.1 - .01 * (dx + dy)));
        }
    return image;
}

/// Paints a rod with a motor at its lower end.
static pv_image *paint_rod(struct stage *stage) {
    pv_image *image = props_picture(stage, 26, ROD);
    for (int y = 0; image && y < ROD; y++)
        for (int x = 0; x < 26; x++) {
            bool motor = y >= ROD - 34;
            if (fabs(x + .5 - 13) > (motor ? 13 : 5)) continue;
            double round = motor ? 1.25 - x * .025 : 1.4 - (x - 8) * .07;
            props_dot(image, x, y, texture_lit(motor && y % 6 ? 0xe0a830ffu : 0x6b829bffu, round));
        }
    return image;
}

static void add_wall(struct stage *stage, double left, double top, int width, int height,
                     pv_body_id *door) {
    pv_image *image = props_picture(stage, width, height);
    props_bar(image, (pv_rect){0, 0, width, height}, 0x1c2036ffu);
    props_bar(image, (pv_rect){1, 1, width - 2, height - 2}, 0x6b829bffu);
    for (int y = 1; door && y < height - 1; y++)
        for (int x = 1; x < width - 1; x++)
            if ((x + y) / 10 % 2) props_dot(image, x, y, 0xe0a830ffu);
    const struct sprite *sprite = stage_keep(stage, "wall", image, NULL);
    if (!sprite) return;
    pv_body_def def = pv_body_def_default();
    def.type = door ? PV_BODY_KINEMATIC : PV_BODY_STATIC;
    def.position = (pv_vec2){left + width / 2.0, top + height / 2.0};
    if (door) def.static_friction = def.friction = .1;
    pv_body_id body = stage_put(stage, sprite, def);
    if (door) *door = body;
}

static void add_bin(struct stage *stage, struct memory *memory) {
    int height = (int)(bin_bottom - 470);
    add_wall(stage, bin_left - 12, 470, 12, height + 12, NULL);
    add_wall(stage, bin_right, 470, 12, height + 12, NULL);
    add_wall(stage, bin_left, bin_bottom, (int)(bin_right - bin_left), 12, &memory->door);
}

/// Creates the population of sawdust and sparks. Its grains end below the view.
static void add_grains(struct stage *stage) {
    pv_grains_def grains = pv_grains_def_default();
    grains.capacity = GRAINS_USUAL;
    grains.life = 16;
    grains.linear_damping = .8;
    grains.follow = true;
    grains_add(stage, grains);
    grains_drain(stage, (pv_box){{-600, 760}, {1900, 840}});
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 1280, 720);
    stage->backdrop = STAGE_BOARDS;
    stage_add_knob(stage, "belt [px/s]", 20, 240, belt_speed);
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    stage->spade = 12;
    add_grains(stage);
    for (int i = 0; i < 3; i++) add_post(stage, 120 + 330 * i, belt_top + 10, 720);
    pv_body_def def = pv_body_def_default();
    def.static_friction = def.friction = 1;
    memory->belt = props_belt(stage, (pv_vec2){240, belt_top + 16}, 1220, 32, def);
    add_bin(stage, memory);
    for (int i = -1; i < 2; i++) lay_log(stage, -60 + (LONG + 20) * i);
    memory->blade = props_part(stage, "blade", paint_blade(stage), (pv_vec2){saw_x, raised});
    memory->rod = props_part(stage, "rod", paint_rod(stage), (pv_vec2){saw_x, raised});
}

/* ---- running ---- */

/// Returns the depth of the saw: 0 up, 1 down. It stays up for RUNS frames.
static double depth_of(int frame) {
    int into = frame % (RUNS + SAWS) - RUNS;
    if (into < 0) return 0;
    double t = 2.0 * into / SAWS, down = t < 1 ? t : 2 - t;
    return down * down * (3 - 2 * down);
}

/// Throws sparks to the left, off the left edge of the blade.
static void spark(struct stage *stage, pv_vec2 at) {
    pv_grain list[SPARKS];
    for (int i = 0; i < SPARKS; i++) {
        double x = stage_uniform(stage, -420, -120), y = stage_uniform(stage, -260, 40);
        list[i] = (pv_grain){.position = {at.x - blade_radius - 2, at.y + 4},
                             .velocity = {x, y},
                             .color = sparks[i % 3]};
    }
    pv_grains_emit(stage->world, stage->grains, list, SPARKS);
}

/// Bites into the logs; the sawdust flies off to the left.
static void saw(struct stage *stage, pv_vec2 at) {
    if (stage_bite(stage, STAGE_SOFT, at, blade_radius) == 0) return;
    pv_vec2 edge = {at.x + 14, at.y + blade_radius - 4};
    pv_world_explode(stage->world, edge, 30, gust);
    spark(stage, at);
}

static void move_saw(struct stage *stage, struct memory *memory, double depth) {
    pv_vec2 blade = {saw_x, raised + (lowered - raised) * depth};
    double turns = memory->frame * .065;
    pv_body_move_to(stage->world, memory->rod, (pv_vec2){saw_x, blade.y - ROD / 2.0 + 8}, 0,
                    SCENE_STEP);
    pv_body_move_to(stage->world, memory->blade, blade, (turns - floor(turns)) * 2 * PI,
                    SCENE_STEP);
    if (depth > 0) saw(stage, blade);
}

static void run_belt(struct stage *stage, struct memory *memory, bool runs) {
    memory->belt.speed = runs ? stage->knobs[0].value : 0;
    pv_body_set_tangent_speed(stage->world, memory->belt.body, memory->belt.speed);
    props_run(&memory->belt);
}

/// Returns the open part of the door, 0...1.
static double gap_of(int frame) {
    if (frame < OPENS) return (double)frame / OPENS;
    return frame < OPEN ? 1 : (double)(SHUTS - frame) / (SHUTS - OPEN);
}

/// Slides the bottom of the bin away when the bin is full.
static void tend_bin(struct stage *stage, struct memory *memory) {
    pv_query_filter soft = {.mask_bits = STAGE_SOFT};
    pv_box inside = {{bin_left, 480}, {bin_right, bin_bottom + 30}};
    int pieces = pv_world_query_box(stage->world, inside, &soft, NULL, 0);
    if (memory->door_frame == 0 && pieces < FULL) return;
    if (memory->door_frame++ == OPEN && pieces > 1) memory->door_frame = OPEN;
    if (memory->door_frame > SHUTS) memory->door_frame = 0;
    double wide = bin_right - bin_left,
           gap = memory->door_frame > 0 ? gap_of(memory->door_frame) : 0;
    pv_vec2 at = {(bin_left + bin_right) / 2 + gap * wide, bin_bottom + 6};
    pv_body_move_to(stage->world, memory->door, at, 0, SCENE_STEP);
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    double depth = depth_of(memory->frame++);
    feed(stage);
    run_belt(stage, memory, depth == 0);
    move_saw(stage, memory, depth);
    tend_bin(stage, memory);
    stage_clear_below(stage, 900);
}

const struct scene scene_sawmill = {"sawmill", "a saw cuts logs on a belt into pieces", setup,
                                    update};
