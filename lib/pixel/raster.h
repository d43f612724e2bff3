/* raster.h - the interface of raster.c: transforms, their fixed-point inverses, and the bitmaps of
 * turned sprites.
 *
 * Invariant: as in raster.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PIXEL_RASTER_H
#define PV_PIXEL_RASTER_H

#include "pixel/bits.h"

/// The inverse of a transform in 32.32 fixed point: the center of world pixel (x0 + i, y0 + j) lies
/// at (u + i ux + j uy, v + i vx + j vy) of the picture. All who draw or raster use this one map,
/// anchored at the pixel of the transform's position, so all of them decide every pixel alike.
typedef struct pv__map {
    int x0, y0;
    int64_t u, v, ux, vx, uy, vy;
} pv__map;

/// PV_OK, PV_ERROR_NOT_FINITE, or PV_ERROR_ARGUMENT (scale out of 1/1024...1024 in size, place too
/// far, rotation not of length 1 within 1e-6).
pv_status pv__raster_check_transform(const pv_transform *transform);

/// The map of a transform that passed pv__raster_check_transform().
pv__map pv__raster_map_of(const pv_transform *transform);

/// The world pixels that a w x h picture can reach, with up to 1 px to spare on each side.
pv_rect pv__raster_rect(const pv_transform *transform, int w, int h);

/// Narrows the pixels *from...*to of row y of the world, counted from x on, to those whose centers
/// fall into a w x h picture, and tells where in it the first falls. False when none does. *to -
/// *from <= PV__MAX_SIDE.
bool pv__raster_map_span(const pv__map *map, int w, int h, int x, int y, int *from, int *to,
                         int64_t *u, int64_t *v);

/// Fills out, of which w, h and the room for words are given, with the world pixels from (x, y) on.
void pv__raster(const pv__bits *source, const pv__map *map, int x, int y, pv__bits *out);

#endif
