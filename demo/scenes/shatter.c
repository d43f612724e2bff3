/* shatter.c - iron balls break panes of glass and crates on shelves; a belt carries off the debris.
 * The mouse throws balls, too.
 *
 * Invariant: a struck shelf is tipped out after a while, and gets a new object when it is empty.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"
#include "stage/dust.h"
#include "stage/grains.h"
#include "stage/props.h"
#include "stage/shots.h"
#include "stage/texture.h"

#include <math.h>

enum { SHELVES = 4, RAYS = 6, PACE = 120, DUST_LIFE = 60 };

/// Frames of a shelf after a hit: it begins to tip, is down, comes up, and is level. An object on
/// it then makes it tip again.
enum { TIPS = 140, DOWN = 165, LIFTS = 205, LEVEL = 230, AGAIN = 260 };

/// Category of bodies that crack in a star pattern
#define GLASS 0x20000000u
/// Category of the belt, which grains pass through
#define BELT 0x10000000u

/// Speed of splinters at a hit [px/s]
static const double throw = 240;

static const double belt_top = 676, shelf_half = 88, swift = 760;

static const pv_vec2 shelves[SHELVES] = {{330, 540}, {540, 400}, {760, 400}, {970, 540}};

static const uint32_t tints[] = {0xa8dce8a0u, 0xb8e8c4a0u, 0xe8c8a8a8u, 0xc8c0f0a8u};

struct memory {
    struct belt belt;
    struct shots shots;
    int frame, made;
    pv_composite_id cloud;
    struct {
        pv_body_id body;
        /// Frames since the hit; 0: not hit
        int struck;
    } shelves[SHELVES];
};

/* ---- what stands on shelves ---- */

static uint32_t glass_color(uint32_t tint, const pv_image *image, int x, int y) {
    bool rim = x < 3 || y < 3 || x >= image->width - 3 || y >= image->height - 3;
    int slant = (x + y) % 120;
    double light = rim ? .7 : slant < 22 || (slant > 30 && slant < 36) ? 1.12 : .92;
    uint32_t color = texture_lit(tint, light);
    return rim ? color | 0xe0u : color;
}

static void put_glass(struct stage *stage, double left, double bottom, int width, int height) {
    uint32_t tint = tints[stage_pick(stage, (int)(sizeof tints / sizeof tints[0]))];
    pv_image *image = props_picture(stage, width, height);
    for (int y = 0; image && y < height; y++)
        for (int x = 0; x < width; x++) props_dot(image, x, y, glass_color(tint, image, x, y));
    const struct sprite *sprite = stage_keep(stage, "glass", image, NULL);
    if (!sprite) return;
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){left + width / 2.0, bottom - height / 2.0};
    def.density = .5;
    def.restitution = .1;
    def.filter.category_bits |= GLASS;
    pv_fracture_def fracture = pv_fracture_def_default();
    fracture.min_part_pixels = 48;
    fracture.toughness = 60000;
    fracture.mode = PV_FRACTURE_CRACK;
    stage_soften(stage, stage_put(stage, sprite, def), &fracture);
}

static void put_crate(struct stage *stage, double left, double bottom) {
    pv_fracture_def fracture = pv_fracture_def_default();
    fracture.min_part_pixels = 24;
    fracture.toughness = 90000;
    stage_soften(stage, stage_add_upright(stage, "crate", left, bottom - 32), &fracture);
}

static void put_crates(struct stage *stage, double middle, double bottom) {
    for (int row = 0; row < 4; row++)
        for (int i = 0; i < 4 - row; i++)
            put_crate(stage, middle - 32 * (4 - row) / 2.0 + 32 * i, bottom - 32 * row);
}

/// Creates a roof of glass on two posts, with crates on it.
static void put_house(struct stage *stage, double middle, double bottom) {
    put_glass(stage, middle - 70, bottom, 26, 110);
    put_glass(stage, middle + 44, bottom, 26, 110);
    put_glass(stage, middle - 80, bottom - 110, 160, 22);
    for (int i = 0; i < 3; i++) put_crate(stage, middle - 48 + 32 * i, bottom - 132);
}

static void fill(struct stage *stage, struct memory *memory, int which) {
    double x = shelves[which].x, y = shelves[which].y;
    switch (memory->made++ % 4) {
    case 0: put_glass(stage, x - 75, y, 150, 200); break;
    case 1: put_crates(stage, x, y); break;
    case 2: put_house(stage, x, y); break;
    default: put_glass(stage, x - 82, y, 78, 170); put_glass(stage, x + 4, y, 78, 170);
    }
}

/* ---- the hall ---- */

static pv_body_id add_shelf(struct stage *stage, int which) {
    int width = 2 * (int)shelf_half, height = 720 - (int)shelves[which].y - 8;
    pv_image *post = props_picture(stage, 14, height), *board = props_picture(stage, width, 14);
    props_bar(post, (pv_rect){0, 0, 14, height}, 0x303a53ffu);
    props_bar(post, (pv_rect){1, 0, 4, height}, 0x6b829bffu);
    props_bar(post, (pv_rect){5, 0, 8, height}, 0x495b78ffu);
    props_decor(stage, "post", post, shelves[which].x - 7, shelves[which].y + 8, true);
    props_bar(board, (pv_rect){0, 0, width, 14}, 0x1c2036ffu);
    props_bar(board, (pv_rect){1, 1, width - 2, 12}, 0x6b829bffu);
    props_bar(board, (pv_rect){1, 1, width - 2, 3}, 0x94abbaffu);
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_KINEMATIC;
    def.position = (pv_vec2){shelves[which].x, shelves[which].y + 7};
    return stage_put(stage, stage_keep(stage, "shelf", board, NULL), def);
}

/// Creates the population of splinters. They end below the view.
static void add_grains(struct stage *stage) {
    pv_grains_def grains = pv_grains_def_default();
    grains.capacity = GRAINS_USUAL;
    grains.friction = .3;
    grains.follow = true;
    grains.filter.mask_bits = ~BELT;
    grains_add(stage, grains);
    grains_drain(stage, (pv_box){{-300, 740}, {1580, 800}});
}

/// Throws a ball for the player.
static void toss(struct stage *stage, pv_vec2 from, pv_vec2 velocity) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (memory) shots_throw(stage, &memory->shots, from, velocity);
}

static void setup(struct stage *stage) {
    stage_set_view(stage, 1280, 720);
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    stage->spade = 10;
    stage->loose.dot = 0xd8ecf0ffu;
    add_grains(stage);
    for (int i = 0; i < SHELVES; i++) memory->shelves[i].body = add_shelf(stage, i);
    pv_body_def def = pv_body_def_default();
    def.tangent_speed = 160;
    def.static_friction = def.friction = 1;
    def.filter.category_bits = BELT;
    memory->belt = props_belt(stage, (pv_vec2){640, belt_top + 16}, 1500, 32, def);
    memory->shots = (struct shots){
        .sprite = shots_paint(stage, 20), .density = 4, .hard = 180, .keeps = .6, .most = 4};
    for (int i = 0; i < SHELVES; i++) fill(stage, memory, i);
    memory->cloud = pv_composite_create(stage->world, NULL);
    stage_paint(stage, memory->cloud, (struct stage_paint){.dot = 0xe8f4f83c});
    aim_arm(stage, toss);
    stage_add_knob(stage, "steps per ball", 30, 300, PACE);
}

/* ---- breaking ---- */

/// Cuts a star into the glass at a hit: rays with one kink each, and a ring through the kinks.
static void star(struct stage *stage, pv_vec2 at) {
    pv_vec2 kinks[RAYS + 1];
    for (int i = 0; i < RAYS; i++) {
        double angle = (i + stage_uniform(stage, .1, .9)) * 2 * 3.14159265358979 / RAYS;
        double ring = stage_uniform(stage, 22, 50), length = stage_uniform(stage, 90, 210);
        pv_rotation r = pv_rotation_from_angle(angle),
                    bent = pv_rotation_from_angle(angle + stage_uniform(stage, -.3, .3));
        kinks[i] = (pv_vec2){at.x + r.c * ring, at.y + r.s * ring};
        pv_vec2 end = {kinks[i].x + bent.c * length, kinks[i].y + bent.s * length};
        stage_slit(stage, GLASS, at, kinks[i], 1.5);
        stage_slit(stage, GLASS, kinks[i], end, 1.5);
    }
    kinks[RAYS] = kinks[0];
    for (int i = 0; i < RAYS; i++) stage_slit(stage, GLASS, kinks[i], kinks[i + 1], 1.5);
}

static void note_strike(struct memory *memory, pv_vec2 at) {
    for (int i = 0; i < SHELVES; i++)
        if (fabs(at.x - shelves[i].x) < shelf_half + 8 && at.y < shelves[i].y + 20 &&
            !memory->shelves[i].struck)
            memory->shelves[i].struck = 1;
}

static void strike(struct stage *stage, struct memory *memory, const pv_hit_event *hit) {
    pv_vec2 v;
    int strikes;
    if (!shots_strike(stage, &memory->shots, hit, STAGE_SOFT, &v, &strikes)) return;
    note_strike(memory, hit->point);
    if (strikes < 2) star(stage, hit->point);
    pv_world_explode(stage->world, hit->point, 60, throw);
    dust_burst(stage, hit->point, 8, 10, (pv_vec2){v.x / 3, v.y / 3 - 60}, 200);
    dust_cloud(stage, memory->cloud, hit->point, 16, 6);
}

/* ---- running ---- */

static void throw_ball(struct stage *stage, struct memory *memory) {
    int which = memory->shots.next % SHELVES;
    double side = shelves[which].x < 640 ? -1 : 1, x = 640 + side * 690;
    pv_vec2 at = {shelves[which].x, shelves[which].y - stage_uniform(stage, 60, 130)};
    double y = stage_uniform(stage, 220, 420), time = fabs(at.x - x) / swift;
    double fall = pv_world_get_gravity(stage->world).y * time * time / 2;
    shots_throw(stage, &memory->shots, (pv_vec2){x, y},
                (pv_vec2){-side * swift, (at.y - y - fall) / time});
}

/// Returns the angle of a tipped shelf [rad].
static double tilt_of(int struck) {
    const double most = 1.1;
    if (struck < TIPS || struck > LEVEL) return 0;
    if (struck < DOWN) return most * (struck - TIPS) / (DOWN - TIPS);
    return struck < LIFTS ? most : most * (LEVEL - struck) / (LEVEL - LIFTS);
}

/// Tells whether the place for new objects is free.
static bool is_free(const struct stage *stage, int which) {
    pv_vec2 at = shelves[which];
    pv_query_filter others = {.mask_bits = ~0u};
    pv_box box = {{at.x - shelf_half, at.y - 240}, {at.x + shelf_half, at.y - 1}};
    return pv_world_query_box(stage->world, box, &others, NULL, 0) == 0;
}

static void tend_shelf(struct stage *stage, struct memory *memory, int which) {
    int *struck = &memory->shelves[which].struck;
    if (*struck == 0) return;
    ++*struck;
    double angle = tilt_of(*struck) * (shelves[which].x < 640 ? -1 : 1);
    pv_vec2 at = {shelves[which].x, shelves[which].y + 7};
    if (*struck >= TIPS && *struck <= LEVEL + 1)
        pv_body_move_to(stage->world, memory->shelves[which].body, at, angle, SCENE_STEP);
    if (*struck == AGAIN) *struck = TIPS - 1;
    if (*struck <= LEVEL + 2 || !is_free(stage, which)) return;
    fill(stage, memory, which);
    *struck = 0;
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    dust_settle(stage, ++memory->frame, DUST_LIFE);
    dust_float(stage, memory->cloud);
    pv_events events = pv_world_get_events(stage->world);
    for (int i = 0; i < events.hit_count; i++) strike(stage, memory, &events.hits[i]);
    for (int i = 0; i < SHELVES; i++) tend_shelf(stage, memory, i);
    int pace = (int)stage->knobs[0].value;
    if (memory->frame % pace == 40 % pace) throw_ball(stage, memory);
    shots_note(stage, &memory->shots);
    props_run(&memory->belt);
    stage_clear_below(stage, 900);
}

const struct scene scene_shatter = {"shatter", "iron balls break glass and crates", setup, update};
