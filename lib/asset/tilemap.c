/* tilemap.c - draws a layer of tiles into one mask.
 *
 * Invariant: every tile is checked before the mask is created, so drawing cannot fail. The whole
 * layer is one bitmap, so its contour has no sides between tiles.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/base.h"
#include "base/math.h"
#include "pixel/file.h"
#include "pixel/mask.h"
#include "pixel/mask_ops.h"

#include <inttypes.h>
#include <limits.h>

#define FLIPS (PV_TILE_FLIP_X | PV_TILE_FLIP_Y | PV_TILE_FLIP_DIAGONAL)

/* ---- checking ---- */

static bool check_masks(pv_error *e, const pv_tilemap_def *o) {
    for (int i = 1; i < o->mask_count; i++) {
        const pv_mask *mask = o->masks[i];
        if (mask && (mask->bits.w != o->tile_width || mask->bits.h != o->tile_height))
            return pv__error_say(e, PV_ERROR_ARGUMENT, "def.masks",
                                 "def.masks[%d] is %d x %d px, a tile is %d x %d px", i,
                                 mask->bits.w, mask->bits.h, o->tile_width,
                                 o->tile_height) == PV_OK;
    }
    return true;
}

static bool check_all_tiles(pv_error *e, const pv_tilemap_def *o) {
    size_t count = (size_t)o->columns * (size_t)o->rows;
    bool square = o->tile_width == o->tile_height;
    for (size_t i = 0; i < count; i++) {
        uint32_t tile = o->tiles[i], id = tile & ~FLIPS;
        if (id && id >= (uint32_t)o->mask_count)
            return pv__error_say(e, PV_ERROR_ARGUMENT, "def.tiles",
                                 "def.tiles[%zu] has the id %" PRIu32 " of %d masks", i, id,
                                 o->mask_count) == PV_OK;
        if (!square && tile & PV_TILE_FLIP_DIAGONAL)
            return pv__error_say(e, PV_ERROR_ARGUMENT, "def.tiles",
                                 "def.tiles[%zu] is flipped diagonally, but not square",
                                 i) == PV_OK;
    }
    return true;
}

/// Checks a side of a layer.
static bool check_side(pv_error *e, const char *field, const char *tile_field, int count,
                       int tile) {
    if (!pv__check_size(e, field, count, 1, PV__MAX_SIDE) ||
        !pv__check_size(e, tile_field, tile, 1, PV__MAX_SIDE))
        return false;
    if (count * (int64_t)tile <= PV__MAX_SIDE) return true;
    e->value = count * (double)tile, e->min = 1, e->max = PV__MAX_SIDE;
    return pv__error_say(e, PV_ERROR_TOO_LARGE, field, "%s x %s is %d x %d, at most %d px", field,
                         tile_field, count, tile, PV__MAX_SIDE) == PV_OK;
}

/// Checks the numbers of a def before anything is read from its arrays.
static bool check(pv_error *e, const pv_tilemap_def *o) {
    return pv__check_pointer(e, "def", o) && pv__check_pointer(e, "def.tiles", o->tiles) &&
           pv__check_range(e, "def.mask_count", o->mask_count, 0, INT_MAX) &&
           (o->mask_count == 0 || pv__check_pointer(e, "def.masks", o->masks)) &&
           check_side(e, "def.columns", "def.tile_width", o->columns, o->tile_width) &&
           check_side(e, "def.rows", "def.tile_height", o->rows, o->tile_height) &&
           check_masks(e, o) && check_all_tiles(e, o);
}

/* ---- drawing ---- */

/// Draws a flipped tile pixel by pixel.
static void draw_flipped(const pv__bits *to, const pv__bits *from, int left, int top,
                         uint32_t tile) {
    bool diagonal = tile & PV_TILE_FLIP_DIAGONAL;
    for (int y = 0; y < from->h; y++)
        for (int x = 0; x < from->w; x++) {
            if (!pv__bits_get(from, x, y)) continue;
            int right = diagonal ? y : x, down = diagonal ? x : y;
            if (tile & PV_TILE_FLIP_X) right = from->w - 1 - right;
            right += left;
            if (tile & PV_TILE_FLIP_Y) down = from->h - 1 - down;
            *pv__bits_at(to, right, top + down) |= UINT64_C(1) << (right & 63);
        }
}

static void draw_tile(const pv__bits *to, const pv_tilemap_def *o, int column, int row) {
    uint32_t tile = o->tiles[(size_t)row * (size_t)o->columns + (size_t)column], id = tile & ~FLIPS;
    const pv_mask *mask = id ? o->masks[id] : NULL;
    int left = column * o->tile_width, top = row * o->tile_height;
    if (!mask) return;
    if (tile & FLIPS)
        draw_flipped(to, &mask->bits, left, top, tile);
    else
        pv__bits_combine(to, &mask->bits, left, top, PV_COMBINE_OR);
}

pv_mask *pv_tilemap_create_mask(const pv_tilemap_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!check(e, def)) return NULL;
    pv_mask *mask = pv__mask_make(e, def->columns * def->tile_width, def->rows * def->tile_height,
                                  &def->allocator);
    for (int column = 0; mask && column < def->columns; column++) /* as stripes lie in memory */
        for (int row = 0; row < def->rows; row++) draw_tile(&mask->bits, def, column, row);
    return mask;
}
