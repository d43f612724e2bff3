/* view.c - the order in which things are drawn, sprites, and the debug view.
 *
 * Invariant: nothing outside the canvas costs more than a look at its box.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "view.h"

#include "backdrop.h"
#include "bones.h"
#include "lens.h"
#include "skin.h"
#include "water.h"

#include <stdlib.h>

#define BOX_COLOUR 0xffffff70u
#define POINT_COLOUR 0xff2040ffu
#define NORMAL_COLOUR 0xffe000ffu
#define MASK_COLOUR 0x8c8478ffu

/// Length of a drawn normal and half the size of a drawn contact point, on the canvas [px].
static const double normal_length = 18, point_size = 3;

static uint32_t state_colour(const struct stage *stage, pv_body body) {
    switch (pv_body_get_type(stage->world, body)) {
    case PV_BODY_STATIC: return 0x40404060u;
    case PV_BODY_KINEMATIC: return 0xc040ff60u;
    default: return pv_body_is_awake(stage->world, body) ? 0x20e04060u : 0x2060ff60u;
    }
}

static void draw_box(const struct lens *lens, pv_box box) {
    pv_vec2 a = lens_point(lens, box.min), b = lens_point(lens, box.max);
    pv_vec2 corner[4] = {a, {b.x, a.y}, b, {a.x, b.y}};
    for (int i = 0; i < 4; i++) pv_canvas_line(lens->canvas, corner[i], corner[(i + 1) % 4], BOX_COLOUR);
}

/// A body without a picture shows its mask.
static void draw_mask(const struct lens *lens, pv_body body, const pv_transform *transform) {
    const pv_mask *mask = pv_body_mask(lens->stage->world, body);
    if (lens_sees(lens, pv_transform_box(transform, pv_mask_width(mask), pv_mask_height(mask))))
        pv_canvas_mask(lens->canvas, mask, transform, MASK_COLOUR);
}

static void draw_body(const struct lens *lens, pv_body body) {
    const struct sprite *sprite = stage_sprite_of(lens->stage, body);
    pv_transform transform = lens_body(lens, body);
    if (!sprite)
        draw_mask(lens, body, &transform);
    else if (lens_sees(lens, pv_transform_box(&transform, sprite->image->width, sprite->image->height)))
        pv_canvas_image(lens->canvas, sprite->image, &transform, 0xffffffffu);
}

static void draw_bodies(const struct lens *lens, bool fixed) {
    const pv_world *world = lens->stage->world;
    pv_body body = pv_world_next_body(world, (pv_body){0});
    for (; stage_is_body(body); body = pv_world_next_body(world, body))
        if ((pv_body_get_type(world, body) == PV_BODY_STATIC) == fixed) draw_body(lens, body);
}

/* The debug view */

static void draw_body_state(const struct lens *lens, pv_body body) {
    const pv_mask *mask = pv_body_mask(lens->stage->world, body);
    pv_transform transform = lens_body(lens, body);
    if (!lens_sees(lens, pv_transform_box(&transform, pv_mask_width(mask), pv_mask_height(mask)))) return;
    pv_canvas_mask(lens->canvas, mask, &transform, state_colour(lens->stage, body));
    draw_box(lens, pv_body_box(lens->stage->world, body));
}

static void draw_contact(const struct lens *lens, const pv_contact *contact) {
    const pv_canvas *canvas = lens->canvas;
    pv_vec2 p = lens_point(lens, contact->point);
    pv_vec2 tip = {p.x + contact->normal.x * normal_length, p.y + contact->normal.y * normal_length};
    pv_canvas_line(canvas, p, tip, NORMAL_COLOUR);
    pv_canvas_line(canvas, (pv_vec2){p.x - point_size, p.y}, (pv_vec2){p.x + point_size, p.y}, POINT_COLOUR);
    pv_canvas_line(canvas, (pv_vec2){p.x, p.y - point_size}, (pv_vec2){p.x, p.y + point_size}, POINT_COLOUR);
}

static void draw_contacts(const struct lens *lens) {
    const pv_world *world = lens->stage->world;
    int count = pv_world_contacts(world, NULL, 0);
    pv_contact *contacts = count > 0 ? malloc((size_t)count * sizeof *contacts) : NULL;
    if (!contacts) return;
    pv_world_contacts(world, contacts, count);
    for (int i = 0; i < count; i++) draw_contact(lens, &contacts[i]);
    free(contacts);
}

static void draw_debug(const struct lens *lens) {
    pv_body body = pv_world_next_body(lens->stage->world, (pv_body){0});
    for (; stage_is_body(body); body = pv_world_next_body(lens->stage->world, body))
        draw_body_state(lens, body);
    bones_draw_all(lens);
    draw_contacts(lens);
}

static void draw_backdrop(const struct lens *lens) {
    const pv_box *box = &lens->stage->view;
    const struct camera *camera = &lens->view->camera;
    pv_vec2 middle = {(box->min.x + box->max.x) / 2, (box->min.y + box->max.y) / 2};
    pv_vec2 scroll = {(camera->centre.x - middle.x) * camera->zoom,
                      (camera->centre.y - middle.y) * camera->zoom};
    backdrop_draw(lens->canvas, lens->stage->backdrop, scroll);
}

/// What moves is seen through water, and what contains it covers its rim.
void view_draw(const pv_canvas *canvas, const struct stage *stage, const struct view *view) {
    const struct lens lens = {canvas, stage, view};
    const pv_box *frame = &stage->frame;
    draw_backdrop(&lens);
    skin_draw(&lens);
    draw_bodies(&lens, false);
    water_draw(&lens);
    draw_bodies(&lens, true);
    bones_draw(&lens);
    if (frame->max.x > frame->min.x && frame->max.y > frame->min.y) draw_box(&lens, *frame);
    if (view->debug) draw_debug(&lens);
}
