/* objects.c - lists the objects of a map, with masks of their insides.
 *
 * Invariant: names and texts point into the parsed files, which the list keeps. All masks are paid
 * for from the reader's room before they are created.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "asset/objects.h"
#include "base/base.h"
#include "base/constants.h"
#include "base/math.h"
#include "pixel/mask.h"
#include "pixel/mask_ops.h"

#ifndef HAVE_CJSON

const pv_map_object *pv_map_objects_get(const pv_map_objects *objects, int index) {
    (void)objects, (void)index;
    return NULL;
}

void pv_map_objects_destroy(pv_map_objects *objects) { (void)objects; }

#else

#include <cjson/cJSON.h>

struct pv_map_objects {
    pv_allocator from;
    pv_map_object *items;
    int count, capacity;
    /// Parsed files
    cJSON **roots;
    int root_count, root_capacity;
};

/* ---- the list ---- */

pv_map_objects *pv__objects_make(pv__map_reader *r) {
    pv_map_objects *list = pv__map_alloc(r, 1, sizeof *list);
    if (list) list->from = r->from;
    return list;
}

void pv__objects_own(pv__map_reader *r, pv_map_objects *list, cJSON *root) {
    if (!root || !list ||
        !PV__MAP_APPEND(r, list->roots, list->root_capacity, list->root_count, root))
        cJSON_Delete(root);
}

pv_map_object *pv__objects_add(pv__map_reader *r, pv_map_objects *list,
                               const pv_map_object *object) {
    bool added = PV__MAP_APPEND(r, list->items, list->capacity, list->count, *object);
    return added ? &list->items[list->count - 1] : NULL;
}

const pv_map_object *pv_map_objects_get(const pv_map_objects *objects, int index) {
    return objects && index >= 0 && index < objects->count ? &objects->items[index] : NULL;
}

void pv_map_objects_destroy(pv_map_objects *objects) {
    if (!objects) return;
    pv_allocator from = objects->from;
    for (int i = 0; i < objects->count; i++) {
        pv_map_object *o = &objects->items[i];
        pv_mask_release(o->mask);
        pv__free(&from, (void *)o->points, (size_t)o->point_count, sizeof *o->points);
        pv__free(&from, (void *)o->properties, (size_t)o->property_count, sizeof *o->properties);
    }
    for (int i = 0; i < objects->root_count; i++) cJSON_Delete(objects->roots[i]);
    pv__free(&from, objects->roots, (size_t)objects->root_capacity, sizeof(cJSON *));
    PV__FREE(&from, objects->items, objects->capacity);
    pv__free(&from, objects, 1, sizeof *objects);
}

/* ---- points and properties ---- */

/// Returns a point of an object in the map.
static pv_vec2 place(const pv_map_object *o, pv_vec2 point) {
    return pv__add(o->position, pv__rotate(pv_rotation_from_angle(o->angle), point));
}

void pv__objects_points(pv__map_reader *r, pv_map_object *object, const cJSON *item,
                        const char *name) {
    int count = cJSON_GetArraySize(item);
    if (!cJSON_IsArray(item) || count == 0 || count > PV__MOST_CORNERS)
        pv__map_fail(r, PV_ERROR_FORMAT, name, "has %d points, must be an array of 1 to %d", count,
                     PV__MOST_CORNERS);
    pv_vec2 *points = pv__map_alloc(r, (size_t)count, sizeof *points);
    if (!points) return;
    object->points = points;
    object->point_count = count;
    PV__MAP_EACH(r, corner, item) {
        double x = pv__map_real_or(r, corner, "x", NAN, PV__RANGE_PLACE),
               y = pv__map_real_or(r, corner, "y", NAN, PV__RANGE_PLACE);
        if (!pv__finite(x) || !pv__finite(y)) pv__map_refuse(r, name, "has a point without x or y");
        *points++ = pv__vec(x, y);
    }
}

void pv__objects_properties(pv__map_reader *r, pv_map_object *object, const cJSON *list,
                            const char *name, const char *value) {
    int count = cJSON_GetArraySize(list);
    pv_map_property *to = count ? pv__map_alloc(r, (size_t)count, sizeof *to) : NULL;
    if (!to) return;
    object->properties = to;
    object->property_count = count;
    PV__MAP_EACH(r, item, list) {
        const cJSON *given = pv__map_get(r, item, value);
        *to++ = (pv_map_property){
            .name = pv__map_text_or(r, item, name, ""),
            .text = cJSON_IsString(given) ? given->valuestring : "",
            .number = cJSON_IsNumber(given) ? given->valuedouble : cJSON_IsTrue(given),
        };
    }
}

/* ---- masks ---- */

/// Returns a size in whole pixels, or 0 if no mask can have that size.
static int side(pv__map_reader *r, const char *name, double size) {
    if (size < PV__MAX_SIDE + 0.5) return (int)pv__floor(size + 0.5);
    pv__map_fail(r, PV_ERROR_TOO_LARGE, name, "is %.9g, must be at most %d", size, PV__MAX_SIDE);
    return 0;
}

/// Finds the size of an object's mask, and pays for it. Returns false after a failure, and for an
/// object without pixels.
static bool objects_size(pv__map_reader *r, const pv_map_object *o, int *w, int *h) {
    *w = side(r, "width", o->size.x);
    *h = side(r, "height", o->size.y);
    return *w > 0 && *h > 0 && pv__map_pay(r, pv__map_words(*w), *h, 1);
}

/// Returns half the width of a row of an ellipse [px].
static double ellipse_half(int w, int h, int y) {
    double across = (2 * y + 1.0 - h) / h;
    return 0.5 * w * sqrt(1 - across * across);
}

/// Returns half the width of a row of a capsule, whose ends are half discs [px].
static double capsule_half(int w, int h, int y) {
    double radius = 0.5 * (w < h ? w : h);
    double beyond = pv__max(0, pv__max(radius - y - 0.5, y + 0.5 - (h - radius)));
    return 0.5 * w - radius + sqrt(radius * radius - beyond * beyond);
}

/// Fills rows in the middle of a mask.
static void fill_rows(pv_mask *mask, int w, int h, double half_of(int w, int h, int y)) {
    for (int y = 0; y < h; y++) {
        double half = half_of(w, h, y);
        int left = -(int)pv__floor(0.5 - 0.5 * w + half),
            right = (int)pv__floor(0.5 * w + half - 0.5);
        pv_mask_fill_rect(mask, (pv_rect){left, y, right - left + 1, 1}, true);
    }
}

/// Gives a rectangle, ellipse or capsule its mask.
static void fill_box(pv__map_reader *r, pv_map_object *o) {
    int w, h;
    o->top_left = o->position;
    if (!objects_size(r, o, &w, &h)) return;
    o->mask = pv__mask_make(r->error, w, h, &r->from);
    if (!o->mask) return;
    if (o->shape == PV_MAP_RECTANGLE)
        pv_mask_fill_rect(o->mask, (pv_rect){0, 0, w, h}, true);
    else
        fill_rows(o->mask, w, h, o->shape == PV_MAP_ELLIPSE ? ellipse_half : capsule_half);
}

/// Gives a polygon its mask. Its points are not yet those of the map.
static void fill_polygon(pv__map_reader *r, pv_map_object *o) {
    pv_box box = {o->points[0], o->points[0]};
    pv_point origin;
    pv_error inner;
    for (int i = 1; i < o->point_count; i++) pv__enclose(&box, o->points[i]);
    int w = side(r, "polygon", box.max.x - box.min.x + 1),
        h = side(r, "polygon", box.max.y - box.min.y + 1);
    if (!pv__map_pay(r, pv__map_words(w), h, 1)) return;
    o->mask = pv__map_made(
        r, pv_mask_create_polygon(o->points, o->point_count, &origin, &r->from, &inner), &inner);
    if (o->mask) o->top_left = place(o, pv__vec(origin.x, origin.y));
}

void pv__objects_fill(pv__map_reader *r, pv_map_object *object) {
    if (object->shape == PV_MAP_RECTANGLE || object->shape == PV_MAP_ELLIPSE ||
        object->shape == PV_MAP_CAPSULE)
        fill_box(r, object);
    if (object->shape == PV_MAP_POLYGON && object->point_count > 2) fill_polygon(r, object);
    pv_vec2 *points = (pv_vec2 *)object->points;
    for (int i = 0; i < object->point_count; i++) points[i] = place(object, points[i]);
}

/// Replaces a mask by one that was made from it.
static pv_mask *turn(pv_mask *mask, pv_mask *made) {
    pv_mask_release(mask);
    return made;
}

/// Returns a tile with its flips.
static pv_mask *flipped_tile(const pv_mask *tile, uint32_t flips, pv_error *error) {
    bool left_right = flips & PV_TILE_FLIP_X, top_bottom = flips & PV_TILE_FLIP_Y;
    if (!(flips & PV_TILE_FLIP_DIAGONAL)) return pv_mask_flip(tile, left_right, top_bottom, error);
    pv_mask *turned = pv_mask_rotate90(tile, 1, error); /* A turn and a flip exchange x and y. */
    return turned ? turn(turned, pv_mask_flip(turned, !left_right, top_bottom, error)) : NULL;
}

void pv__objects_fill_tile(pv__map_reader *r, pv_map_object *object, const pv_mask *tile,
                           uint32_t flips, pv_vec2 anchor) {
    int w, h;
    pv_error inner;
    object->top_left =
        place(object, pv__vec(-anchor.x * object->size.x, -anchor.y * object->size.y));
    int64_t words =
        pv__map_words(pv_mask_get_width(tile)) + pv__map_words(pv_mask_get_height(tile));
    if (!objects_size(r, object, &w, &h) || !pv__map_pay(r, words, pv_mask_get_height(tile), 1))
        return;
    pv_mask *mask = flipped_tile(tile, flips, &inner);
    if (mask) mask = turn(mask, pv_mask_scale(mask, w, h, &inner));
    object->mask = pv__map_made(r, mask, &inner);
}

#endif
