/* grains.h - the data of populations of grains.
 *
 * Invariant: a pixel is taken by at most one grain. A resting grain takes its pixel, and is in the
 * tile's slots. Coordinates of pixels are biased by PV__GRAIN_BIAS, so they are not negative.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_GRAINS_H
#define PV_CORE_GRAINS_H

#include "base/base.h"
#include "base/math.h"
#include "base/pool.h"

/// Bias of the coordinates of pixels
#define PV__GRAIN_BIAS 32768
/// Number of pages along a side of the area; pages have 1024 px, tiles 64 px, cells 8 px
#define PV__GRAIN_PAGES 64
/// Greatest motion of a grain in a step, in 1/65536 px
#define PV__GRAIN_FASTEST (256 << 16)
/// Greatest number of sinks of a population
#define PV__GRAIN_SINKS 64
/// Greatest distance over which the slope of a pile is measured [px], and greatest stable drop over
/// it, at the greatest friction [px]
#define PV__GRAIN_LOOK 8
#define PV__GRAIN_DEEP 40

/// Pixels of a tile that bodies and grains fill, side by side, because each test reads both
typedef struct pv__grain_row {
    uint64_t ground, taken;
} pv__grain_row;

/// 64 x 64 pixels; bit x of row y is the pixel (x, y)
typedef struct pv__grain_tile {
    pv__grain_row rows[64];
    /// Pixels of resting grains
    uint64_t rests[64];
    /// Rows that may hold an unstable grain; for gravity to a side, columns
    uint64_t dirty;
    /// Pixels that grains took or left since ways were found in advance, and rows with such pixels
    uint64_t changed[64], changed_rows;
    /// Slot of the grain that takes each pixel; null before there is one
    uint32_t *slots;
    /// Place of the tile among all tiles
    uint16_t x, y;
    bool listed;
} pv__grain_tile;

/// 16 x 16 tiles, and the free distance around each cell
typedef struct pv__grain_page {
    pv__grain_tile *tiles[256];
    /// Distances by cell, in cells of 8 px, up to 8: to the nearest cell with a solid pixel in the
    /// lower four bits, to the nearest cell of a moving body or a sink in the upper four
    uint8_t clear[128 * 128];
    /// Bits of tiles whose distances may be wrong, row by row
    uint64_t stale[4];
    uint16_t x, y;
} pv__grain_page;

/// State of a body as a population last saw it
typedef struct pv__grain_body {
    uint32_t generation;
    /// Digest of carved pixels, and the identity of the mask
    uint64_t looks;
    const void *mask;
    pv_vec2 center, scale;
    pv_rotation turn;
    /// Biased pixels that its picture covers
    pv_rect rect;
    /// True if its pixels are in the ground
    bool grounded;
} pv__grain_body;

/// Sink, and its counts
typedef struct pv__grain_sink_state {
    pv_grain_sink sink;
    pv_grain_sink_count count;
} pv__grain_sink_state;

/// List of tiles
typedef struct pv__grain_tiles {
    pv__grain_tile **items;
    int count, capacity;
} pv__grain_tiles;

/// Numbers of a step in 1/65536 px and 1/16384, see grains/numbers.c
typedef struct pv__grain_numbers {
    int32_t gravity_x, gravity_y;
    /// Part of the motion that drag takes, in 1/16384
    int32_t drag;
    int32_t restitution, friction;
    /// Approach below which nothing bounces, and motion below which a grain may rest
    int32_t calm, slow;
    /// Motion that a grain gets at the edge of a pile, and greatest number of pixels that it slides
    int32_t kick, slides;
    /// Direction of gravity: 0 down, 1 up, 2 right, 3 left; -1: none, and nothing rests
    int down;
    /// Stable drops at each distance along the pile's surface, towards both sides [px]; -1: any
    int8_t drops[2][PV__GRAIN_LOOK + 1];
    /// Greatest of these drops, and one more [px]
    int deep;
} pv__grain_numbers;

enum { PV__GRAIN_COLUMNS = 8 };

/// Population
typedef struct pv__grains {
    pv__slot slot;
    pv_grains_def def;
    /// Length of the step to which dx and dy belong [s]; 0: none yet
    double dt;
    /// Remainders of gravity below 1/65536 px from earlier steps, in 1/2^24 px
    int64_t rest_x, rest_y;

    /* the ring */
    /// Columns by slot, as in pv_grains_view
    int32_t *x, *y, *dx, *dy;
    uint32_t *color, *born;
    /// Bits by slot: grains that move; grains that move and take their pixel
    uint64_t *moving, *claims;
    /// Number of slots with memory in all columns, a multiple of 64, and length of each of them
    int capacity, lengths[PV__GRAIN_COLUMNS];
    /// Number of slots in use, oldest one, and number of slots from there to the newest
    int used, oldest, span;
    pv_grains_stats stats;

    /* the area */
    /// Pages, null where there is nothing
    pv__grain_page **pages;
    /// Distances of each page, for the flight
    const uint8_t **clear;
    /// Distances of all pages where there is nothing
    void *shared_clear;
    int tile_count;
    /// Tiles with dirty rows; room for all tiles
    pv__grain_tiles dirty;
    /// Bodies by index
    pv__grain_body *bodies;
    int body_capacity;
    pv__grain_sink_state *sinks;
    int sink_count, sink_capacity;
    pv__grain_numbers now;

    /* scratch, which stays when a restore replaces the population */
    /// Grains that start to slide, see pile.c
    pv__list slides;
    /// Slots that may touch something in this step
    uint32_t *walkers;
    int walker_count, walker_capacity;
    /// Bits of these slots
    uint64_t *near;
    int near_capacity;
    /// Ways that several workers found in advance, and tiles whose pixels changed since
    struct pv__grain_way *ways;
    int way_capacity;
    /// Index of the first walker whose way is in ways
    int block;
    pv__grain_tiles changed;
    /// Moving bodies near grains, see grains/movers.c
    struct pv__grain_movers *movers;
} pv__grains;

/// All populations of a world, by slot
typedef struct pv__grain_sets {
    pv__grains *items;
    pv__pool pool;
} pv__grain_sets;

#endif
