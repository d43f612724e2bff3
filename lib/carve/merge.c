/* merge.c - turns resting grains into pixels of a body.
 *
 * Invariant: a grain ends if and only if its pixel is in the body.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "carve/carve.h"
#include "core/handle.h"
#include "core/report.h"
#include "core/world_lock.h"
#include "grains/area.h"
#include "grains/grains.h"
#include "pixel/mask.h"

/// Greatest side of a rectangle that is merged at once [px]
enum { MERGE_SIDE = 64 };

/// Grain that becomes a pixel of a picture
typedef struct merge_pixel {
    uint32_t slot, color;
    int x, y;
} merge_pixel;

typedef struct merge_list {
    merge_pixel *items;
    int count, capacity;
} merge_list;

static bool is_whole(double x) { return pv__abs(x - (double)pv__floor(x + 0.5)) < PV__NEGLIGIBLE; }

/// Finds the world pixel under a body's pixel (0, 0). Returns false for a body that is turned,
/// scaled or between pixels.
static bool origin_of(const pv__body *b, pv_point *origin) {
    pv_transform t = pv__body_transform(b, b->pose);
    pv_vec2 corner = pv_transform_to_world(&t, pv__vec(0, 0));
    *origin = (pv_point){(int)pv__floor(corner.x + 0.5), (int)pv__floor(corner.y + 0.5)};
    return t.scale.x == 1 && t.scale.y == 1 && t.rotation.c > 0 &&
           pv__abs(t.rotation.s) < PV__NEGLIGIBLE && is_whole(corner.x) && is_whole(corner.y);
}

/// Lists the resting grains of a rectangle that are within a picture, and sets their pixels in a
/// mask. Returns false without memory.
static bool collect(const pv_world *world, const pv__grains *g, const pv__body *b, pv_point origin,
                    pv_rect rect, pv_mask *mask, merge_list *list) {
    const pv__bits *bits = &b->pixels->mask->bits;
    for (int y = rect.y; y < rect.y + rect.h; y++)
        for (int x = rect.x; x < rect.x + rect.w; x++) {
            unsigned u = (unsigned)(x + PV__GRAIN_BIAS), v = (unsigned)(y + PV__GRAIN_BIAS);
            const pv__grain_tile *t = pv__area_has(u, v) ? pv__area_tile(g, u, v) : NULL;
            merge_pixel pixel = {.x = x - origin.x, .y = y - origin.y};
            if (!t || !(t->rests[v & 63] >> (u & 63) & 1)) continue;
            if (pixel.x < 0 || pixel.y < 0 || pixel.x >= bits->w || pixel.y >= bits->h) continue;
            pixel.slot = t->slots[(v & 63) * 64 + (u & 63)];
            pixel.color = g->color[pixel.slot];
            if (!PV__APPEND(&world->def.allocator, list->items, list->capacity, list->count, pixel))
                return false;
            pv_mask_set_pixel(mask, x - rect.x, y - rect.y, true);
        }
    return true;
}

static void tell(pv_world *world, const merge_list *list, pv_grain_merge_fn merge,
                 void *user_data) {
    pv__world_lock busy;
    if (!merge) return;
    pv__world_lock_begin(&busy, world);
    for (int i = 0; i < list->count; i++)
        merge(user_data, list->items[i].x, list->items[i].y, list->items[i].color);
    pv__world_lock_end(&busy);
}

/// Adds the listed pixels to the body, and ends their grains.
static pv_status list_into(pv_world *world, pv__grains *g, pv_body_id body, pv_rect rect,
                           const pv_mask *mask, const merge_list *list) {
    pv_transform at = pv_transform_identity();
    pv_carve_result carved;
    at.position = pv__vec(rect.x, rect.y);
    pv_cut cut = pv_cut_mask(mask, &at);
    cut.add = true;
    pv_status s = pv__carve_body(world, body, &cut, 0, &carved);
    for (int i = 0; s == PV_OK && i < list->count; i++) pv__ring_end(g, list->items[i].slot);
    if (s == PV_OK) g->stats.merged += list->count;
    return s;
}

int pv_grains_merge(pv_world *world, pv_grains_id grains, pv_body_id body, pv_rect rect,
                    pv_grain_merge_fn merge, void *user_data) {
    pv_error e;
    pv_point origin;
    merge_list list = {0};
    pv__grains *g = pv__grains_begin(&e, __func__, world, grains);
    const pv__body *b = g ? pv__check_body(&e, world, "body", body) : NULL;
    if (!b || !pv__check_range(&e, "rect.w", rect.w, 0, MERGE_SIDE) ||
        !pv__check_range(&e, "rect.h", rect.h, 0, MERGE_SIDE) ||
        !pv__check_range(&e, "rect.x", rect.x, -PV_GRAIN_FARTHEST, PV_GRAIN_FARTHEST) ||
        !pv__check_range(&e, "rect.y", rect.y, -PV_GRAIN_FARTHEST, PV_GRAIN_FARTHEST))
        return pv__refuse(world, &e), 0;
    if (!origin_of(b, &origin)) {
        pv__error_say(&e, PV_ERROR_ARGUMENT, "body",
                      "body is turned, scaled or not at whole pixels");
        return pv__refuse(world, &e), 0;
    }
    if (rect.w == 0 || rect.h == 0) return 0;
    pv_mask *mask = pv__mask_make(&e, rect.w, rect.h, &world->def.allocator);
    if (mask && !collect(world, g, b, origin, rect, mask, &list))
        pv__error_set(&e, PV_ERROR_MEMORY);
    if (e.status == PV_OK && list.count > 0)
        pv__error_set(&e, list_into(world, g, body, rect, mask, &list));
    int count = e.status == PV_OK ? list.count : 0;
    if (count > 0) tell(world, &list, merge, user_data);
    pv_mask_release(mask);
    PV__FREE(&world->def.allocator, list.items, list.capacity);
    if (e.status != PV_OK) pv__refuse(world, &e);
    return count;
}
