/* paper.c - Cheng's contacts by pixels, step by step on two large bitmaps. Beside them is a world
 * that uses them: a ramp, balls, a stack and twenty-five sprites.
 *
 * Invariant: the lesson asks the library for all that it shows, and moves no body.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "draw/lens.h"
#include "scenes/scenes.h"

#include <stdio.h>

/// Frames of a page, halvings of the way, sprites of the heap, and side of the grid [bitmap px]
enum { PAGE_FRAMES = 75, HALVINGS = 5, SPRITES = 25, SIDE = 94 };

/// Pages of the lesson; those from AT_HALF until TOUCH halve the way
enum page { BITMAPS, SHARED, NORMAL, AT_HALF, TOUCH = AT_HALF + HALVINGS, LEAVING, PAGES };

/// Size of a bitmap's pixel, and upper left corner of the bitmaps [px]
static const double large = 6;
static const pv_vec2 corner = {36, 112};

/// Poses of the moving sprite at the substep's start and end, in pixels of the bitmaps
static const pv_vec2 start = {26, 26}, finish = {42, 44};
static const double start_angle = 0.2, finish_angle = 0.75;

static const uint32_t still_ink = 0x5878a8ffu, moving_ink = 0xe8b040ffu, shared_ink = 0xff4030ffu,
                      ghost_ink = 0xe8b04050u, arrow_ink = 0xffffffffu;

struct memory {
    const struct sprite *still, *moving;
    int frame;
};

/* ---- the lesson ---- */

static enum page page_of(const struct memory *memory) {
    return (enum page)(memory->frame / PAGE_FRAMES % PAGES);
}

static pv_placed still_of(const struct memory *memory) {
    return pv_placed_centered(memory->still->mask, (pv_vec2){62, 64}, 0.3);
}

/// Returns the moving sprite at a part of its way.
static pv_placed moving_at(const struct memory *memory, double part) {
    return pv_placed_centered(
        memory->moving->mask,
        (pv_vec2){start.x + part * (finish.x - start.x), start.y + part * (finish.y - start.y)},
        start_angle + part * (finish_angle - start_angle));
}

/// Bisects the way from a free to an overlapping place. Returns the last free part of it. tried
/// receives the part that was tested last.
static double bisect(const struct memory *memory, int halvings, double *tried) {
    double free = 0, meets = 1;
    pv_placed still = still_of(memory);
    *tried = 1;
    for (int i = 0; i < halvings; i++) {
        *tried = 0.5 * (free + meets);
        pv_placed moving = moving_at(memory, *tried);
        *(pv_placed_test_overlap(&still, &moving) ? &meets : &free) = *tried;
    }
    return free;
}

/// Returns the part of the way at which a page shows the moving sprite.
static double part_on(const struct memory *memory, enum page page) {
    double tried, free;
    if (page == BITMAPS) return 0;
    if (page < AT_HALF) return 1;
    free = bisect(memory, page < TOUCH ? page - AT_HALF + 1 : HALVINGS, &tried);
    return page < TOUCH ? tried : free;
}

static void tell(struct stage *stage, const struct memory *memory) {
    enum page page = page_of(memory);
    pv_placed still = still_of(memory), moving = moving_at(memory, part_on(memory, page));
    int shared = (int)pv_placed_compute_overlap_area(&still, &moving);
    char *text = stage->labels[0].text;
    size_t size = sizeof stage->labels[0].text;
    if (page == BITMAPS)
        snprintf(text, size, "1 turned pixels: bitmaps");
    else if (page == SHARED)
        snprintf(text, size, "2 pixels shared: %d", shared);
    else if (page == NORMAL)
        snprintf(text, size, "3 gradient: the normal");
    else if (page < TOUCH)
        snprintf(text, size, "4 halve: %d shared, %s", shared, shared ? "back" : "on");
    else if (page == TOUCH)
        snprintf(text, size, "5 touch: last free place");
    else
        snprintf(text, size, "6 exit velocities");
}

/* ---- painting ---- */

/// Returns a place of the bitmaps on the canvas.
static pv_vec2 on_canvas(const struct lens *lens, pv_vec2 at) {
    return lens_point(lens, (pv_vec2){corner.x + large * at.x, corner.y + large * at.y});
}

/// Draws a bitmap enlarged, and releases it.
static void paint_bitmap(const struct lens *lens, pv_mask *bitmap, pv_rect origin, uint32_t ink) {
    if (!bitmap) return;
    double scale = large * lens->view->camera.zoom;
    pv_transform transform = pv_transform_identity();
    transform.position = on_canvas(lens, (pv_vec2){origin.x, origin.y});
    transform.scale = (pv_vec2){scale, scale};
    pv_canvas_draw_mask(lens->canvas, bitmap, &transform, ink);
    pv_mask_release(bitmap);
}

static void paint_placed(const struct lens *lens, const pv_placed *placed, uint32_t ink) {
    pv_rect origin;
    pv_mask *bitmap = pv_mask_transform(placed->mask, &placed->transform, &origin, NULL, NULL);
    paint_bitmap(lens, bitmap, origin, ink);
}

static void paint_shared(const struct lens *lens, const pv_placed *a, const pv_placed *b) {
    pv_rect origin, other;
    pv_mask *bitmap = pv_mask_transform(a->mask, &a->transform, &origin, NULL, NULL),
            *over = pv_mask_transform(b->mask, &b->transform, &other, NULL, NULL);
    pv_mask_combine(bitmap, over, other.x - origin.x, other.y - origin.y, PV_COMBINE_AND);
    pv_mask_release(over);
    paint_bitmap(lens, bitmap, origin, shared_ink);
}

/// Draws the lines between the pixels of the bitmaps.
static void paint_grid(const struct lens *lens) {
    for (int i = 0; i <= SIDE; i++) {
        pv_canvas_draw_line(lens->canvas, on_canvas(lens, (pv_vec2){i, 0}),
                            on_canvas(lens, (pv_vec2){i, SIDE}), 0x10203030u);
        pv_canvas_draw_line(lens->canvas, on_canvas(lens, (pv_vec2){0, i}),
                            on_canvas(lens, (pv_vec2){SIDE, i}), 0x10203030u);
    }
}

/// Draws an arrow from a place of the bitmaps.
static void paint_arrow(const struct lens *lens, pv_vec2 from, pv_vec2 way) {
    pv_vec2 to = {from.x + way.x, from.y + way.y};
    pv_vec2 barbs[2] = {{to.x - 0.3 * way.x - 0.2 * way.y, to.y - 0.3 * way.y + 0.2 * way.x},
                        {to.x - 0.3 * way.x + 0.2 * way.y, to.y - 0.3 * way.y - 0.2 * way.x}};
    double width = 4 * lens->view->camera.zoom;
    pv_canvas_draw_thick_line(lens->canvas, on_canvas(lens, from), on_canvas(lens, to), width,
                              arrow_ink);
    for (int i = 0; i < 2; i++)
        pv_canvas_draw_thick_line(lens->canvas, on_canvas(lens, barbs[i]), on_canvas(lens, to),
                                  width, arrow_ink);
}

/// Draws the normal at the shared pixels, or both exit velocities at the touch.
static void paint_arrows(const struct lens *lens, enum page page, const pv_placed *still,
                         const pv_placed *moving) {
    pv_overlap overlap;
    const struct memory *memory = lens->stage->memory;
    pv_placed end = moving_at(memory, 1);
    if (!pv_placed_compute_overlap(still, &end, &overlap)) return;
    pv_vec2 n = overlap.normal;
    if (page == NORMAL) paint_arrow(lens, overlap.point, (pv_vec2){20 * n.x, 20 * n.y});
    if (page != LEAVING) return;
    paint_arrow(lens, moving->transform.position, (pv_vec2){16 * n.x, 16 * n.y});
    paint_arrow(lens, still->transform.position, (pv_vec2){-12 * n.x, -12 * n.y});
}

static void paint(const struct lens *lens) {
    const struct memory *memory = lens->stage->memory;
    enum page page = page_of(memory);
    pv_placed still = still_of(memory), moving = moving_at(memory, part_on(memory, page)),
              first = moving_at(memory, 0), last = moving_at(memory, 1);
    if (page >= SHARED) paint_placed(lens, &first, ghost_ink);
    if (page >= AT_HALF) paint_placed(lens, &last, ghost_ink);
    paint_placed(lens, &still, still_ink);
    paint_placed(lens, &moving, moving_ink);
    paint_shared(lens, &still, &moving);
    paint_grid(lens);
    paint_arrows(lens, page, &still, &moving);
}

/* ---- the world ---- */

static void add_things(struct stage *stage) {
    static const char *const kinds[] = {"star_small", "ring_small", "letter_c_small", "gear_small",
                                        "letter_l_small"};
    for (int i = 0; i < SPRITES; i++)
        stage_add(stage, kinds[i % 5], 1046 + 46 * (i % 5) + 16 * (i / 5 % 2), 60 + 52 * (i / 5),
                  i);
    for (int i = 0; i < 5; i++) stage_add(stage, "crate", 984, 679 - 32 * i, 0);
    for (int i = 0; i < 4; i++) {
        pv_body_id ball = stage_add(stage, "ball", 700 + 44 * i, 300 - 40 * i, 0);
        stage_set_surface(stage->world, ball, 0.3 * i, .6, .5);
    }
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    pv_world_def def = pv_world_def_default();
    def.contact_mode = PV_CONTACT_MODE_PIXELS;
    stage_set_world(stage, &def);
    stage_set_view(stage, 1280, 720);
    stage->backdrop = STAGE_PAPER;
    stage_add_label(stage, 318, 60, "");
    stage_add_label(stage, 960, 30, "a world with these contacts");
    if (memory) {
        memory->still = stage_load(stage, "gear");
        memory->moving = stage_load(stage, "star");
    }
    stage_add_fence(stage, 1000);
    stage_add_static(stage, "floor", 640, 696);
    stage_add_static(stage, "wall", 624, 216);
    stage_add_static(stage, "ramp", 640, 536);
    add_things(stage);
    if (memory && memory->still && memory->moving) stage->painters.above = paint;
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory || !memory->still || !memory->moving) return;
    memory->frame++;
    tell(stage, memory);
}

const struct scene scene_paper = {
    "paper", "contacts by pixels, step by step, and a world that has them", setup, update};
