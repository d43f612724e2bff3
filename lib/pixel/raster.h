/* raster.h - the interface of raster.c: transforms, their fixed-point inverses, and bitmaps of
 * rotated sprites.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PIXEL_RASTER_H
#define PV_PIXEL_RASTER_H

#include "base/error.h"
#include "pixel/bits.h"

/// One pixel of a map
#define PV__ONE ((int64_t)1 << 32)

/// Inverse of a transform in 32.32 fixed point. World pixel (x0 + i, y0 + j) has its center at
/// (u + i ux + j uy, v + i vx + j vy) of the picture. All drawing and rasterizing uses this map and
/// therefore agrees on every pixel. Its anchor is the pixel of the transform's position.
typedef struct pv__map {
    int x0, y0;
    int64_t u, v, ux, vx, uy, vy;
} pv__map;

/// Tells whether a picture is upright: a shift alone puts it on the pixel grid of the world.
static inline bool pv__map_is_upright(const pv__map *map) {
    return map->ux == PV__ONE && map->vy == PV__ONE && map->uy == 0 && map->vx == 0;
}

/// Names of the fields of a transform
typedef struct pv__transform_names {
    const char *position, *pivot, *rotation, *scale;
} pv__transform_names;
#define PV__TRANSFORM_NAMES(of)                                                                    \
    { of ".position", of ".pivot", of ".rotation", of ".scale" }

/// Checks a transform. Valid scales are 1/1024...1024 in magnitude, positions within the coordinate
/// range, and rotations of length 1 within 1e-6.
bool pv__check_transform(pv_error *e, const pv__transform_names *names, const pv_transform *t);
/// Does the same without an error text. Returns PV_OK, PV_ERROR_NOT_FINITE or PV_ERROR_ARGUMENT.
pv_status pv__raster_check_transform(const pv_transform *transform);

/// Returns the map of a transform that passed pv__raster_check_transform().
pv__map pv__raster_map_of(const pv_transform *transform);

/// Returns the world pixels that a w x h picture can cover, with a margin of up to 1 px.
pv_rect pv__raster_rect(const pv_transform *transform, int w, int h);

/// Narrows the pixels *from...*to - 1 of world row y to those with centers inside a picture. Sets
/// (u, v) to the first center's place in the picture. Returns false if none is left. *to - *from <=
/// PV__MAX_SIDE.
bool pv__raster_map_span(const pv__map *map, int w, int h, int y, int *from, int *to, int64_t *u,
                         int64_t *v);

/// Fills out, with given w, h and memory, with the world pixels from (x, y) on.
void pv__raster(const pv__bits *source, const pv__map *map, int x, int y, pv__bits *out);

#endif
