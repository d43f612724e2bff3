/* tiles.c - crates slide without friction over flush tiles, over one long bitmap and over polygons.
 * A line records the height of each, enlarged.
 *
 * Invariant: there is no friction, so a crate keeps its speed unless a seam slows it down.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "draw/lens.h"
#include "scenes/scenes.h"

#include "stage/aim.h"

enum { LANES = 3, TILES = 40, TILE = 16, SIDE = 32, POINTS = 640 };

/// Kinds of lanes
enum { TILED, WHOLE, POLYGONS };

/// Top of the first lane's ground, and distance between lanes [px]
static const double top = 80, apart = 116;

/// x at which crates start, height of a line above the ground [px], and its enlargement
static const double start = 36, line = 62, enlarged = 6;

/// Frames of a round
enum { ROUND = 420 };

static const uint32_t ink = 0x60e080ffu;

static const char *const names[LANES] = {"sprites: forty tiles", "sprites: one bitmap",
                                         "polygons: forty tiles"};

struct memory {
    pv_body_id crates[LANES];
    double speed;
    int frame;
    /// Heights above the place of rest at each x [px]; 0 at first
    float heights[LANES][POINTS];
    /// Last x of each line
    int ends[LANES];
};

static double ground_of(int lane) { return top + apart * lane; }

/* ---- building ---- */

/// Adds an immovable tile as a polygon.
static void add_tile(struct stage *stage, double left, double y) {
    pv_vec2 points[4] = {{left, y}, {left + TILE, y}, {left + TILE, y + TILE}, {left, y + TILE}};
    pv_polygon_def def = pv_polygon_def_default();
    def.points = points;
    def.point_count = 4;
    def.mass = def.friction = def.static_friction = 0;
    pv_body_id tile = pv_polygon_create(stage->world, &def, NULL);
    stage_paint_polygon(stage, tile,
                        (struct stage_paint){.skin = 0x6a7080ffu, .width = 2, .inlay = .62});
}

/// Puts a crate at the left end of each lane.
static void put_all(struct stage *stage, struct memory *memory) {
    for (int lane = 0; lane < LANES; lane++) {
        pv_body_id crate = stage_add(stage, "crate", start, ground_of(lane) - SIDE / 2, 0);
        stage_set_surface(stage->world, crate, 0, 0, 0);
        pv_body_set_velocity(stage->world, crate, (pv_vec2){memory->speed, 0});
        memory->crates[lane] = crate;
    }
    for (int lane = 0; lane < LANES; lane++) memory->ends[lane] = 0;
}

static void add_ground(struct stage *stage) {
    for (int i = 0; i < TILES; i++) {
        pv_body_id tile = stage_add_static(stage, "tile", TILE * i, ground_of(TILED));
        stage_set_surface(stage->world, tile, 0, 0, 0);
        add_tile(stage, TILE * i, ground_of(POLYGONS));
    }
    pv_body_id whole = stage_add_static(stage, "floor", -320, ground_of(WHOLE));
    stage_set_surface(stage->world, whole, 0, 0, 0);
}

/* ---- the lines ---- */

static pv_vec2 place_of(const struct stage *stage, const struct memory *memory, int lane) {
    return pv_body_get_position(stage->world, memory->crates[lane]);
}

/// Records the height of a crate at each x that it has reached.
static void note(const struct stage *stage, struct memory *memory, int lane) {
    pv_vec2 at = place_of(stage, memory, lane);
    int to = at.x < 0 ? 0 : at.x > POINTS - 1 ? POINTS - 1 : (int)at.x;
    for (int x = memory->ends[lane]; x <= to; x++)
        memory->heights[lane][x] = (float)(ground_of(lane) - SIDE / 2 - at.y);
    if (to > memory->ends[lane]) memory->ends[lane] = to;
}

static void paint(const struct lens *lens) {
    const struct memory *memory = lens->stage->memory;
    double width = 2 * lens->view->camera.zoom;
    for (int lane = 0; lane < LANES; lane++)
        for (int x = (int)start + 1; x < memory->ends[lane]; x++) {
            double y = ground_of(lane) - line;
            const float *heights = &memory->heights[lane][x];
            pv_canvas_draw_thick_line(
                lens->canvas, lens_point(lens, (pv_vec2){x - 1, y - enlarged * heights[-1]}),
                lens_point(lens, (pv_vec2){x, y - enlarged * heights[0]}), width, ink);
        }
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 640, 360);
    stage->backdrop = STAGE_PAPER;
    if (!memory) return;
    memory->speed = stage_add_setup_knob(stage, "speed [px/s]", 10, 600, 120);
    add_ground(stage);
    stage_add_fence(stage, 360);
    put_all(stage, memory);
    for (int i = 0; i < LANES; i++) stage_add_label(stage, 320, ground_of(i) + TILE + 14, names[i]);
    stage->painters.above = paint;
    aim_arm(stage, NULL);
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    if (memory->frame++ % ROUND == ROUND - 1) {
        stage_clear_moving(stage);
        put_all(stage, memory);
    }
    for (int lane = 0; lane < LANES; lane++) note(stage, memory, lane);
}

const struct scene scene_tiles = {"tiles", "sliding over flush tiles without a hop", setup, update};
