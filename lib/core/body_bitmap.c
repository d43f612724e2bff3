/* body_bitmap.c - collision bitmaps of bodies (Cheng 2003, section 3.1).
 *
 * Invariant: a valid bitmap shows the pose that it was requested for. An upright bitmap borrows the
 * words of the hull. A turned bitmap owns its words, whose capacity only grows.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/body_bitmap.h"
#include "pixel/raster.h"

#include <string.h>

void pv__bitmap_free(const pv_world *world, pv__bitmap *bitmap) {
    PV__FREE(&world->def.allocator, bitmap->room, bitmap->capacity);
    *bitmap = (pv__bitmap){0};
}

void pv__bitmaps_free(const pv_world *world, const pv__body *b) {
    if (!b->pixel_motion) return;
    pv__bitmap_free(world, &b->pixel_motion->bitmap_now);
    pv__bitmap_free(world, &b->pixel_motion->bitmap_before);
}

/// Draws a body in a pose, or the part of it that a rectangle covers.
static bool fill_bitmap(const pv_world *world, const pv__body *b, pv__pose pose,
                        const pv_rect *part, pv__bitmap *store) {
    pv_transform t = pv__body_hull_transform(b, pose);
    pv__map map = pv__raster_map_of(&t);
    const pv__bits *source = &b->pixels->hull->bits;
    if (pv__map_is_upright(&map)) {
        store->x = map.x0 - (int)(map.u >> 32);
        store->y = map.y0 - (int)(map.v >> 32);
        store->bits = *source;
        return true;
    }
    pv_rect rect = pv__raster_rect(&t, source->w, source->h);
    if (part) rect = pv__rect_meet(rect, *part);
    int need = (int)pv__bits_word_count(rect.w, rect.h);
    if (!PV__RESERVE(&world->def.allocator, store->room, store->capacity, need)) return false;
    store->x = rect.x;
    store->y = rect.y;
    store->bits = (pv__bits){rect.w, rect.h, store->room};
    pv__raster(source, &map, rect.x, rect.y, &store->bits);
    return true;
}

bool pv__bitmap_is_same(const pv__body *b, pv__pose p, pv__pose q) {
    pv_transform of_p = pv__body_hull_transform(b, p), of_q = pv__body_hull_transform(b, q);
    const pv__bits *source = &b->pixels->hull->bits;
    pv__map map_p = pv__raster_map_of(&of_p), map_q = pv__raster_map_of(&of_q);
    pv_rect rect_p = pv__raster_rect(&of_p, source->w, source->h),
            rect_q = pv__raster_rect(&of_q, source->w, source->h);
    return memcmp(&map_p, &map_q, sizeof map_p) == 0 &&
           memcmp(&rect_p, &rect_q, sizeof rect_p) == 0;
}

const pv__bitmap *pv__bitmap_in(const pv_world *world, const pv__body *b, pv__pose pose,
                                pv__bitmap *store) {
    if (!store->valid) store->valid = fill_bitmap(world, b, pose, NULL, store);
    return store->valid ? store : NULL;
}

const pv__bitmap *pv__bitmap_part(const pv_world *world, const pv__body *b, pv__pose pose,
                                  pv_rect part, pv__bitmap *store) {
    store->valid = fill_bitmap(world, b, pose, &part, store);
    return store->valid ? store : NULL;
}

const pv__shape *pv__particle_shape_of(const pv__body *b) {
    return b->pixels->shape ? b->pixels->shape
                            : pv__shape_of_mask_as(b->pixels->form, b->pixels->stand_in, NULL);
}
