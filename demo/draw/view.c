/* view.c - draws all objects in their order, and the debug view.
 *
 * Invariant: an object outside the canvas costs no more than a check of its box.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "draw/view.h"

#include "draw/backdrop.h"
#include "draw/bones.h"
#include "draw/field.h"
#include "draw/grains.h"
#include "draw/lens.h"
#include "draw/skin.h"
#include "draw/water.h"

#define FRAME_COLOR 0xffffff70u
#define ARROW_COLOR 0xfff4c0d0u
#define PICKED_COLOR 0xffe060ffu
#define MASK_COLOR 0x8c8478ffu

static void draw_frame(const struct lens *lens, pv_box box) {
    pv_vec2 a = lens_point(lens, box.min), b = lens_point(lens, box.max);
    pv_vec2 corner[4] = {a, {b.x, a.y}, b, {a.x, b.y}};
    for (int i = 0; i < 4; i++)
        pv_canvas_draw_line(lens->canvas, corner[i], corner[(i + 1) % 4], FRAME_COLOR);
}

static void draw_streaks(const struct lens *lens) {
    for (int i = 0; i < lens->stage->streak_count; i++) {
        const struct stage_streak *streak = &lens->stage->streaks[i];
        pv_canvas_draw_line(lens->canvas, lens_point(lens, streak->from),
                            lens_point(lens, streak->to), streak->color);
    }
}

static bool is_same_point(const pv_vec2 p[2]) { return p[0].x == p[1].x && p[0].y == p[1].y; }

/// Draws the arrow of a throw, with a head of two strokes.
static void draw_arrow(const struct lens *lens, const pv_vec2 ends[2]) {
    pv_vec2 from = lens_point(lens, ends[0]), to = lens_point(lens, ends[1]);
    pv_vec2 back = {(from.x - to.x) * .12, (from.y - to.y) * .12};
    pv_canvas_draw_thick_line(lens->canvas, from, to, 3, ARROW_COLOR);
    for (int side = -1; side <= 1; side += 2) {
        pv_vec2 barb = {to.x + back.x - side * back.y, to.y + back.y + side * back.x};
        pv_canvas_draw_thick_line(lens->canvas, to, barb, 3, ARROW_COLOR);
    }
}

/// Draws the mask of a body without a picture.
static void draw_mask(const struct lens *lens, pv_body_id body, const pv_transform *transform) {
    const pv_mask *mask = pv_body_get_mask(lens->stage->world, body);
    if (lens_sees(lens, pv_transform_compute_bounds(transform, pv_mask_get_width(mask),
                                                    pv_mask_get_height(mask))))
        pv_canvas_draw_mask(lens->canvas, mask, transform, MASK_COLOR);
}

static void draw_at(const struct lens *lens, pv_body_id body, const pv_transform *transform) {
    const struct sprite *sprite = stage_sprite_of(lens->stage, body);
    if (!sprite)
        draw_mask(lens, body, transform);
    else if (lens_sees(lens, pv_transform_compute_bounds(transform, sprite->image->width,
                                                         sprite->image->height)))
        pv_canvas_draw_image(lens->canvas, sprite->image, transform, 0xffffffffu);
}

/// Draws a body, in a space that wraps around at all its places.
static void draw_body(const struct lens *lens, pv_body_id body) {
    pv_vec2 offsets[LENS_PLACES];
    int count = lens_places(lens, body, offsets);
    pv_transform transform = lens_body(lens, body);
    for (int i = 0; i < count; i++) {
        pv_transform seen = transform;
        seen.position.x += offsets[i].x;
        seen.position.y += offsets[i].y;
        draw_at(lens, body, &seen);
    }
}

static void draw_bodies(const struct lens *lens, bool fixed) {
    const pv_world *world = lens->stage->world;
    pv_body_id body = pv_world_get_next_body(world, (pv_body_id){0});
    for (; stage_is_body(body); body = pv_world_get_next_body(world, body))
        if ((pv_body_get_type(world, body) == PV_BODY_STATIC) == fixed &&
            pv_body_get_def(world, body).enabled)
            draw_body(lens, body);
}

/* Debug view; its user_data is a lens */

static void debug_line(void *user_data, pv_vec2 from, pv_vec2 to, uint32_t color) {
    const struct lens *lens = user_data;
    pv_canvas_draw_line(lens->canvas, lens_point(lens, from), lens_point(lens, to), color);
}

static void debug_disc(void *user_data, pv_vec2 center, double radius, uint32_t color) {
    const struct lens *lens = user_data;
    radius *= lens->view->camera.zoom;
    pv_canvas_draw_circle(lens->canvas, lens_point(lens, center), radius > .75 ? radius : .75,
                          color);
}

static void debug_mask(void *user_data, const pv_mask *mask, const pv_transform *transform,
                       uint32_t color) {
    const struct lens *lens = user_data;
    pv_transform seen = *transform;
    seen.position = lens_point(lens, seen.position);
    seen.scale.x *= lens->view->camera.zoom;
    seen.scale.y *= lens->view->camera.zoom;
    if (lens_sees(lens, pv_transform_compute_bounds(&seen, pv_mask_get_width(mask),
                                                    pv_mask_get_height(mask))))
        pv_canvas_draw_mask(lens->canvas, mask, &seen, color);
}

/// Draws the debug view. Marks and normals have the same size at any zoom.
static void draw_debug(struct lens lens, unsigned overlays) {
    pv_debug_draw draw = pv_debug_draw_default();
    draw.user_data = &lens;
    draw.line = debug_line;
    draw.circle = debug_disc;
    draw.mask = debug_mask;
    draw.normal_length /= lens.view->camera.zoom;
    draw.point_radius /= lens.view->camera.zoom;
    pv_world_debug_draw(lens.stage->world, &draw, overlays & PV_DEBUG_ALL);
}

/// Draws a frame around the picture of the picked body, rotated with it.
static void draw_picked(const struct lens *lens, pv_body_id body) {
    const pv_mask *mask = pv_body_get_mask(lens->stage->world, body);
    pv_transform transform = lens_body(lens, body);
    double width = pv_mask_get_width(mask), height = pv_mask_get_height(mask);
    pv_vec2 corner[4] = {{0, 0}, {width, 0}, {width, height}, {0, height}};
    for (int i = 0; i < 4; i++) corner[i] = pv_transform_to_world(&transform, corner[i]);
    for (int i = 0; mask && i < 4; i++)
        pv_canvas_draw_thick_line(lens->canvas, corner[i], corner[(i + 1) % 4], 2, PICKED_COLOR);
}

static void draw_backdrop(const struct lens *lens) {
    const pv_box *box = &lens->stage->view;
    const struct camera *camera = &lens->view->camera;
    pv_vec2 middle = {(box->min.x + box->max.x) / 2, (box->min.y + box->max.y) / 2};
    pv_vec2 scroll = {(camera->center.x - middle.x) * camera->zoom,
                      (camera->center.y - middle.y) * camera->zoom};
    pv_vec2 corner = lens_point(lens, (pv_vec2){box->min.x, box->max.y});
    struct backdrop_ground ground = {corner.x, corner.y, camera->zoom};
    backdrop_draw(lens->canvas, lens->stage->backdrop, scroll, &ground);
}

/// Paints the whole canvas. Moving bodies are seen through water, and static bodies cover its rim.
/// Grains are in front of moving bodies.
void view_draw(const pv_canvas *canvas, const struct stage *stage, const struct view *view) {
    const struct lens lens = {canvas, stage, view};
    const pv_box *frame = &stage->frame;
    draw_backdrop(&lens);
    if (stage->painters.below) stage->painters.below(&lens);
    skin_draw(&lens);
    draw_bodies(&lens, false);
    water_draw(&lens);
    if (!stage->paints_grains) grains_draw(&lens);
    draw_bodies(&lens, true);
    bones_draw(&lens);
    draw_streaks(&lens);
    if (stage->painters.above) stage->painters.above(&lens);
    if (frame->max.x > frame->min.x && frame->max.y > frame->min.y) draw_frame(&lens, *frame);
    if (!is_same_point(stage->arrow)) draw_arrow(&lens, stage->arrow);
    if (view->overlays & VIEW_FIELD) field_draw(&lens);
    unsigned overlays = view->overlays | (stage->outlined ? (unsigned)PV_DEBUG_CONTOURS : 0u);
    if (overlays & PV_DEBUG_ALL) draw_debug(lens, overlays);
    draw_picked(&lens, view->picked);
}
