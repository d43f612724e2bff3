/* glue.c - the C side of the JavaScript package: callbacks, and many values in one call.
 *
 * Invariant: an import is called only by a callback that JavaScript asked for. JavaScript catches
 * its exceptions, so an import always returns.
 *
 * SPDX-License-Identifier: Zlib
 */
#include <pixverlet.h>
#include <stdlib.h>

#define WEB_EXPORT __attribute__((visibility("default")))
#define WEB_IMPORT(name) __attribute__((import_module("pixverlet"), import_name(#name)))

WEB_IMPORT(filter)
int web_import_filter(const pv_world *world, uint32_t index_a, uint32_t generation_a,
                      uint32_t index_b, uint32_t generation_b);
WEB_IMPORT(presolve)
int web_import_presolve(const pv_world *world, pv_presolve_contact *contact);
WEB_IMPORT(accept) int web_import_accept(int number, uint32_t index, uint32_t generation);

/* ---- Values to begin with ---- */

/// Initializes a placed mask without rotation or scale.
WEB_EXPORT void web_placed_default(pv_placed *placed) {
    *placed = (pv_placed){NULL, pv_transform_identity()};
}

/// Initializes a swept mask that stands still.
WEB_EXPORT void web_swept_default(pv_swept *swept) {
    *swept = (pv_swept){NULL, pv_transform_identity(), pv_transform_identity()};
}

/// Initializes a cut of no pixels.
WEB_EXPORT void web_cut_default(pv_cut *cut) {
    *cut = pv_cut_circle((pv_vec2){0, 0}, 0);
    cut->transform = pv_transform_identity();
}

/* ---- Callbacks ---- */

static void copy_report(void *user_data, const pv_error *error) {
    pv_error *slot = user_data;
    if (error != slot) *slot = *error;
}

/// Copies each refusal to a slot.
WEB_EXPORT void web_set_reports(pv_world *world, pv_error *slot) {
    pv_world_set_report_callback(world, copy_report, slot);
}

static bool ask_filter(void *user_data, const pv_world *world, pv_body_id a, pv_body_id b) {
    (void)user_data;
    return web_import_filter(world, a.index, a.generation, b.index, b.generation) != 0;
}

/// Turns the filter callback on or off.
WEB_EXPORT pv_status web_set_filter(pv_world *world, bool on) {
    return pv_world_set_filter_callback(world, on ? ask_filter : NULL, NULL);
}

static pv_presolve_result ask_presolve(void *user_data, const pv_world *world,
                                       pv_presolve_contact *contact) {
    (void)user_data;
    return (pv_presolve_result)web_import_presolve(world, contact);
}

/// Turns the presolve callback on or off.
WEB_EXPORT pv_status web_set_presolve(pv_world *world, bool on) {
    return pv_world_set_presolve_callback(world, on ? ask_presolve : NULL, NULL);
}

static bool ask_accept(void *user_data, pv_body_id body) {
    return web_import_accept((int)(intptr_t)user_data, body.index, body.generation) != 0;
}

/// Fills in a filter for queries.
/// @param number number of JavaScript's accept, or -1 for none
WEB_EXPORT void web_fill_filter(pv_query_filter *filter, uint32_t mask_bits, bool include_sensors,
                                int number) {
    *filter = (pv_query_filter){.mask_bits = mask_bits, .include_sensors = include_sensors};
    if (number < 0) return;
    filter->accept = ask_accept;
    filter->user_data = (void *)(intptr_t)number;
}

/* ---- Poses ---- */

enum { ROW = 8 };
_Static_assert(sizeof(pv_pose) == ROW * sizeof(double), "a pose becomes a row in its place");

/// Copies poses as rows of eight numbers: center, cosine and sine, corner of the picture, index and
/// generation of the body.
/// @param rows place of capacity rows
/// @return the number of all poses
WEB_EXPORT int web_poses(const pv_world *world, unsigned flags, void *rows, int capacity) {
    int count = pv_world_get_poses(world, flags, rows, capacity);
    for (int i = 0; i < count && i < capacity; i++) {
        pv_pose pose = ((const pv_pose *)rows)[i];
        double row[ROW] = {pose.position.x, pose.position.y, pose.rotation.c, pose.rotation.s,
                           pose.top_left.x, pose.top_left.y, pose.body.index, pose.body.generation};
        for (int k = 0; k < ROW; k++) ((double *)rows)[ROW * i + k] = row[k];
    }
    return count;
}

/* ---- Debug drawing: commands as numbers ---- */

/// Growing list of numbers; if memory runs out, it stops growing and is marked as full.
typedef struct number_list {
    double *numbers;
    int count, capacity;
    bool full;
} number_list;

static void list_add(number_list *list, double number) {
    if (list->count == list->capacity && !list->full) {
        int capacity = list->capacity ? 2 * list->capacity : 1024;
        double *grown = realloc(list->numbers, (size_t)capacity * sizeof *grown);
        list->full = !grown;
        if (grown) list->numbers = grown, list->capacity = capacity;
    }
    if (!list->full) list->numbers[list->count++] = number;
}

static void list_add_point(number_list *list, pv_vec2 point) {
    list_add(list, point.x);
    list_add(list, point.y);
}

/// Adds a line: 0, color, two points.
static void draw_line(void *user_data, pv_vec2 from, pv_vec2 to, pv_color color) {
    list_add(user_data, 0);
    list_add(user_data, color);
    list_add_point(user_data, from);
    list_add_point(user_data, to);
}

/// Adds a circle: 1, color, center, radius.
static void draw_circle(void *user_data, pv_vec2 center, double radius, pv_color color) {
    list_add(user_data, 1);
    list_add(user_data, color);
    list_add_point(user_data, center);
    list_add(user_data, radius);
}

/// Adds a mask: 2, color, number of contours, and of each the number of points and the points.
static void draw_mask(void *user_data, const pv_mask *mask, const pv_transform *transform,
                      pv_color color) {
    number_list *list = user_data;
    pv_outline *outline = pv_outline_create(mask, PV_CONNECTIVITY_4, NULL);
    int contours = pv_outline_get_contour_count(outline);
    list->full |= !outline;
    list_add(list, 2);
    list_add(list, color);
    list_add(list, contours);
    for (int i = 0; i < contours; i++) {
        pv_contour c = pv_outline_get_contour(outline, i);
        list_add(list, c.point_count);
        for (int k = 0; k < c.point_count; k++)
            list_add_point(
                list, pv_transform_to_world(transform, (pv_vec2){c.points[k].x, c.points[k].y}));
    }
    pv_outline_destroy(outline);
}

/// Draws a world as numbers, which the caller frees.
/// @param count receives the length of the result
/// @param status receives the outcome
WEB_EXPORT double *web_debug_draw(pv_world *world, unsigned flags, int *count, pv_status *status) {
    number_list list = {0};
    pv_debug_draw draw = pv_debug_draw_default();
    draw.user_data = &list;
    draw.line = draw_line;
    draw.circle = draw_circle;
    draw.mask = draw_mask;
    *status = pv_world_debug_draw(world, &draw, flags);
    if (*status == PV_OK && list.full) *status = PV_ERROR_MEMORY;
    *count = list.count;
    return list.numbers;
}
