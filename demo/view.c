/* view.c - camera, sprites, and the debug view.
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

#include <stdlib.h>

#define BOX_COLOUR 0xffffff70u
#define POINT_COLOUR 0xff2040ffu
#define NORMAL_COLOUR 0xffe000ffu

/// Length of a drawn normal and half the size of a drawn contact point, on the canvas [px].
static const double normal_length = 18, point_size = 3;

struct camera camera_fit(pv_box box, int width, int height) {
    double x = width / (box.max.x - box.min.x), y = height / (box.max.y - box.min.y);
    return (struct camera){{(box.min.x + box.max.x) / 2, (box.min.y + box.max.y) / 2}, x < y ? x : y};
}

pv_vec2 camera_to_world(const struct camera *camera, int width, int height, pv_vec2 screen) {
    return (pv_vec2){camera->centre.x + (screen.x - width / 2) / camera->zoom,
                     camera->centre.y + (screen.y - height / 2) / camera->zoom};
}

pv_vec2 camera_to_screen(const struct camera *camera, int width, int height, pv_vec2 world) {
    return (pv_vec2){(world.x - camera->centre.x) * camera->zoom + width / 2,
                     (world.y - camera->centre.y) * camera->zoom + height / 2};
}

static pv_vec2 on_canvas(const pv_canvas *canvas, const struct view *view, pv_vec2 point) {
    return camera_to_screen(&view->camera, canvas->width, canvas->height, point);
}

static bool is_seen(const pv_canvas *canvas, pv_box box) {
    return box.max.x > 0 && box.max.y > 0 && box.min.x < canvas->width && box.min.y < canvas->height;
}

/// Where a body's picture goes on the canvas.
static pv_transform placed(const pv_canvas *canvas, const struct stage *stage, const struct view *view,
                           pv_body body) {
    pv_transform transform = view->motion && !view->debug
                                 ? motion_at(view->motion, stage->world, body, view->fraction)
                                 : pv_body_transform(stage->world, body);
    transform.position = on_canvas(canvas, view, transform.position);
    transform.scale.x *= view->camera.zoom;
    transform.scale.y *= view->camera.zoom;
    return transform;
}

static uint32_t state_colour(const struct stage *stage, pv_body body) {
    switch (pv_body_get_type(stage->world, body)) {
    case PV_BODY_STATIC: return 0x40404060u;
    case PV_BODY_KINEMATIC: return 0xc040ff60u;
    default: return pv_body_is_awake(stage->world, body) ? 0x20e04060u : 0x2060ff60u;
    }
}

static void draw_box(const pv_canvas *canvas, const struct view *view, pv_box box) {
    pv_vec2 a = on_canvas(canvas, view, box.min), b = on_canvas(canvas, view, box.max);
    pv_vec2 corner[4] = {a, {b.x, a.y}, b, {a.x, b.y}};
    for (int i = 0; i < 4; i++) pv_canvas_line(canvas, corner[i], corner[(i + 1) % 4], BOX_COLOUR);
}

static void draw_body(const pv_canvas *canvas, const struct stage *stage, const struct view *view,
                      pv_body body) {
    const struct sprite *sprite = stage_sprite_of(stage, body);
    pv_transform transform = placed(canvas, stage, view, body);
    if (!is_seen(canvas, pv_transform_box(&transform, sprite->image->width, sprite->image->height))) return;
    pv_canvas_image(canvas, sprite->image, &transform, 0xffffffffu);
    if (!view->debug) return;
    pv_canvas_mask(canvas, sprite->mask, &transform, state_colour(stage, body));
    draw_box(canvas, view, pv_body_box(stage->world, body));
}

static void draw_contact(const pv_canvas *canvas, const struct view *view, const pv_contact *contact) {
    pv_vec2 p = on_canvas(canvas, view, contact->point);
    pv_vec2 tip = {p.x + contact->normal.x * normal_length, p.y + contact->normal.y * normal_length};
    pv_canvas_line(canvas, p, tip, NORMAL_COLOUR);
    pv_canvas_line(canvas, (pv_vec2){p.x - point_size, p.y}, (pv_vec2){p.x + point_size, p.y}, POINT_COLOUR);
    pv_canvas_line(canvas, (pv_vec2){p.x, p.y - point_size}, (pv_vec2){p.x, p.y + point_size}, POINT_COLOUR);
}

static void draw_contacts(const pv_canvas *canvas, const struct stage *stage, const struct view *view) {
    int count = pv_world_contacts(stage->world, NULL, 0);
    pv_contact *contacts = count > 0 ? malloc((size_t)count * sizeof *contacts) : NULL;
    if (!contacts) return;
    pv_world_contacts(stage->world, contacts, count);
    for (int i = 0; i < count; i++) draw_contact(canvas, view, &contacts[i]);
    free(contacts);
}

void view_draw(const pv_canvas *canvas, const struct stage *stage, const struct view *view) {
    pv_vec2 middle = {(stage->view.min.x + stage->view.max.x) / 2, (stage->view.min.y + stage->view.max.y) / 2};
    double zoom = view->camera.zoom;
    pv_vec2 scroll = {(view->camera.centre.x - middle.x) * zoom, (view->camera.centre.y - middle.y) * zoom};
    backdrop_draw(canvas, stage->backdrop, scroll);
    pv_body body = pv_world_next_body(stage->world, (pv_body){0});
    for (; stage_is_body(body); body = pv_world_next_body(stage->world, body))
        draw_body(canvas, stage, view, body);
    if (view->debug) draw_contacts(canvas, stage, view);
}
