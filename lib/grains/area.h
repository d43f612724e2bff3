/* area.h - the pixels that grains test: the interface of area.c, ground.c and pile.c.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_GRAINS_AREA_H
#define PV_GRAINS_AREA_H

#include "base/math.h"
#include "core/world.h"

/// Side of a cell as a power of two [px], and greatest distance of cells [cells]
#define PV__CELL_SHIFT 3
#define PV__CELL_FAR 8

/// Returns the biased pixel of a coordinate in 1/65536 px.
static inline unsigned pv__grain_pixel(int32_t x) { return ((uint32_t)x + 0x80000000u) >> 16; }

/// Returns the coordinate of the center of a biased pixel in 1/65536 px.
static inline int32_t pv__grain_center(unsigned u) {
    return ((int32_t)u - PV__GRAIN_BIAS) * 65536 + 32768;
}

/// Biased pixels x0...x1, y0...y1; none if x1 < x0
typedef struct pv__grain_box {
    int x0, y0, x1, y1;
} pv__grain_box;

/// Returns the biased pixels around two points in 1/65536 px.
static inline pv__grain_box pv__grain_box_around(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
    return (pv__grain_box){
        (int)pv__grain_pixel(pv__sooner(x0, x1)), (int)pv__grain_pixel(pv__sooner(y0, y1)),
        (int)pv__grain_pixel(pv__later(x0, x1)), (int)pv__grain_pixel(pv__later(y0, y1))};
}

static inline pv__grain_page *pv__area_page(const pv__grains *g, unsigned u, unsigned v) {
    return g->pages[(v >> 10 & 63) * PV__GRAIN_PAGES + (u >> 10 & 63)];
}

/// Returns the tile of a biased pixel, or null if there is none.
static inline pv__grain_tile *pv__area_tile(const pv__grains *g, unsigned u, unsigned v) {
    pv__grain_page *page = pv__area_page(g, u, v);
    return page ? page->tiles[(v >> 6 & 15) * 16 + (u >> 6 & 15)] : NULL;
}

static inline bool pv__area_is_ground(const pv__grains *g, unsigned u, unsigned v) {
    const pv__grain_tile *t = pv__area_tile(g, u, v);
    return t && t->rows[v & 63].ground >> (u & 63) & 1;
}

/// Tells whether a body or a grain fills a pixel.
static inline bool pv__area_is_solid(const pv__grains *g, unsigned u, unsigned v) {
    const pv__grain_tile *t = pv__area_tile(g, u, v);
    return t && (t->rows[v & 63].ground | t->rows[v & 63].taken) >> (u & 63) & 1;
}

/// Returns both distances around the cell of a biased pixel, as in pv__grain_page.
static inline int pv__area_clear(const pv__grains *g, unsigned u, unsigned v) {
    return g->clear[(v >> 10) * PV__GRAIN_PAGES + (u >> 10)]
                   [(v >> PV__CELL_SHIFT & 127) * 128 + (u >> PV__CELL_SHIFT & 127)];
}

/// Tells whether a biased pixel is within the area.
static inline bool pv__area_has(unsigned u, unsigned v) {
    return u - 1024 < 2 * PV_GRAIN_FARTHEST && v - 1024 < 2 * PV_GRAIN_FARTHEST;
}

/// Pixels of the ground, with those of all grains that hold pixels, or only of resting grains
typedef enum pv__area_kind { PV__AREA_SOLID, PV__AREA_STILL } pv__area_kind;
/// Returns pixels (u, v)...(u + 63, v) as a word.
uint64_t pv__area_word(const pv__grains *g, unsigned u, unsigned v, pv__area_kind kind);

/// Creates the directories of an area; returns false without memory.
bool pv__area_create(const pv_world *world, pv__grains *g);
void pv__area_destroy(const pv_world *world, pv__grains *g);
/// Returns the tile of a biased pixel of the area, and makes it if needed; null without memory.
pv__grain_tile *pv__area_make_tile(pv_world *world, pv__grains *g, unsigned u, unsigned v);
/// Marks the distances around a pixel's tile as stale after cells were filled, and makes the pages
/// that they reach. Returns false without memory.
bool pv__area_fill_tile(pv_world *world, pv__grains *g, unsigned u, unsigned v);
/// Takes a free pixel for the grain of a slot. Returns false without memory.
bool pv__area_take(pv_world *world, pv__grains *g, unsigned u, unsigned v, uint32_t slot);
/// Frees the pixel of a grain, and marks the grains that may lean on it.
void pv__area_free(pv__grains *g, unsigned u, unsigned v);
/// Marks the resting grains that a free pixel may make unstable.
void pv__area_unsettle(pv__grains *g, unsigned u, unsigned v);
/// Marks the row of a pixel.
void pv__area_unsettle_row(pv__grains *g, unsigned u, unsigned v);
/// Marks all rows of a tile.
void pv__area_unsettle_tile(pv__grains *g, pv__grain_tile *tile);
/// Lowers the distances to movers and sinks around a rectangle of biased pixels, but not below
/// least. Returns false without memory.
bool pv__area_mark(pv_world *world, pv__grains *g, pv_rect box, int least);
/// Lowers the distance of a cell in a marked rectangle to 0.
void pv__area_mark_cell(pv__grains *g, int x, int y);
/// Resets the distances around a marked rectangle.
void pv__area_unmark(pv__grains *g, pv_rect box);
/// Marks the distances around a pixel's tile as stale after its cells changed.
void pv__area_stale(pv__grains *g, unsigned u, unsigned v);
/// Computes the distances of stale tiles. They decide which grains move first, so in a step they
/// depend on the pixels alone.
void pv__area_refresh(pv__grains *g);

/* ground.c */
/// Returns the biased pixels that a placed picture can cover, within the area.
pv_rect pv__ground_rect_of(const pv_transform *transform, int w, int h);
/// Does the same for a body's picture.
pv_rect pv__ground_rect(const pv__body *b, pv__pose pose);
/// Tells whether a body has the picture that a population last saw of it.
bool pv__ground_shows(const pv__grain_body *seen, const pv__body *b);
/// Adds a body's solid pixels, as it was seen, to the ground: those in a part of its picture's
/// rectangle. Wakes the grains there. Returns false without memory, with some pixels added.
bool pv__ground_add(pv_world *world, pv__grains *g, const pv__grain_body *seen, const pv__body *b,
                    pv_rect rect);
/// Clears a rectangle of biased pixels, and marks the grains that lie on it.
void pv__ground_clear(pv__grains *g, pv_rect rect);
/// Redraws all grounded bodies within a rectangle, as they were last seen. Omits those with a new
/// picture, which the next step takes out of the ground. Returns false without memory.
bool pv__ground_redraw(pv_world *world, pv__grains *g, pv_rect rect);

/* pile.c */
/// Lays a moving grain to rest at its biased pixel, which is free. Returns false without memory.
bool pv__pile_rest(pv_world *world, pv__grains *g, uint32_t slot, unsigned u, unsigned v);
/// Wakes the resting grain at a biased pixel, and returns its slot.
uint32_t pv__pile_wake(pv__grains *g, unsigned u, unsigned v);
/// Wakes the grains whose support or slope has given way.
void pv__pile_slide(pv_world *world, pv__grains *g);
/// Marks all tiles for a test of their slopes.
void pv__pile_unsettle_all(pv__grains *g);

#endif
