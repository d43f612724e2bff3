/* pv_tilemap.c - a layer of tiles drawn into one mask.
 *
 * Invariant: every tile is checked before the mask is made, so drawing cannot fail. The whole layer is one bitmap:
 * its contour has no sides between tiles.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_base.h"
#include "pv_pixels.h"

#define FLIPS (PV_TILE_FLIP_X | PV_TILE_FLIP_Y | PV_TILE_FLIP_DIAGONAL)

/* ---- checking ---- */

static bool masks_good(const pv_tilemap_def *o) {
    for (int i = 1; i < o->mask_count; i++) {
        const pv_mask *mask = o->masks[i];
        if (mask && (mask->bits.w != o->tile_width || mask->bits.h != o->tile_height)) return false;
    }
    return true;
}

static bool tiles_good(const pv_tilemap_def *o) {
    size_t count = (size_t)o->columns * (size_t)o->rows;
    bool square = o->tile_width == o->tile_height;
    for (size_t i = 0; i < count; i++) {
        uint32_t tile = o->tiles[i], id = tile & ~FLIPS;
        if (id && id >= (uint32_t)o->mask_count) return false;
        if (!square && tile & PV_TILE_FLIP_DIAGONAL) return false;
    }
    return true;
}

/// What is looked at before anything is read from the arrays.
static pv_status check_head(const pv_tilemap_def *o) {
    if (!o || !o->tiles || o->tile_width < 1 || o->tile_height < 1 || o->columns < 1 || o->rows < 1 ||
        o->mask_count < 0 || (o->mask_count > 0 && !o->masks))
        return PV_ERROR_ARGUMENT;
    int64_t w = (int64_t)o->columns * o->tile_width, h = (int64_t)o->rows * o->tile_height;
    return w > PV__MAX_SIDE || h > PV__MAX_SIDE ? PV_ERROR_TOO_LARGE : PV_OK;
}

static pv_status check(const pv_tilemap_def *o) {
    pv_status status = check_head(o);
    if (status != PV_OK) return status;
    return masks_good(o) && tiles_good(o) ? PV_OK : PV_ERROR_ARGUMENT;
}

/* ---- drawing ---- */

static void set_pixel(const pv__bits *to, int x, int y) {
    to->words[(size_t)(x >> 6) * (size_t)to->h + (size_t)y] |= UINT64_C(1) << (x & 63);
}

/// Draws a tile pixel by pixel, each where its flips take it.
static void draw_flipped(const pv__bits *to, const pv__bits *from, int left, int top, uint32_t tile) {
    bool diagonal = tile & PV_TILE_FLIP_DIAGONAL;
    for (int y = 0; y < from->h; y++)
        for (int x = 0; x < from->w; x++) {
            if (!pv__bits_get(from, x, y)) continue;
            int right = diagonal ? y : x, down = diagonal ? x : y;
            if (tile & PV_TILE_FLIP_X) right = from->w - 1 - right;
            if (tile & PV_TILE_FLIP_Y) down = from->h - 1 - down;
            set_pixel(to, left + right, top + down);
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

pv_mask *pv_tilemap_mask(const pv_tilemap_def *def, pv_status *status) {
    pv_status good = check(def);
    if (good != PV_OK) return pv__say(status, good), NULL;
    pv_mask *mask =
        pv_mask_create(def->columns * def->tile_width, def->rows * def->tile_height, &def->allocator, status);
    for (int column = 0; mask && column < def->columns; column++) /* as the stripes lie in memory */
        for (int row = 0; row < def->rows; row++) draw_tile(&mask->bits, def, column, row);
    return mask;
}
