/* area.c - the pixels that grains test, in pages of tiles, and the free distances of their cells.
 *
 * Invariant: after a refresh, a cell has the distance to the nearest cell with a solid pixel. It
 * falls at once when grains take pixels. Pages at the rim of the area and beside it have the
 * distance 0, so no grain flies over the rim.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "grains/area.h"
#include "placed/placed.h"

#include <string.h>

/// Side of a page [cells]
#define PAGE_CELLS (1024 >> PV__CELL_SHIFT)
/// Both distances at their greatest, and only the distance to moving bodies, with 0 to pixels
#define NIBBLES (PV__CELL_FAR << 4 | PV__CELL_FAR)
#define EDGE (PV__CELL_FAR << 4)
/// Reach of distances [cells]
#define AREA_NEAR (PV__CELL_FAR - 1)
/// Number of pages
enum { PAGES = PV__GRAIN_PAGES * PV__GRAIN_PAGES };

/* ---- directories ---- */

/// Returns the distance of a page from the rim of the area [pages].
static int depth_of(int page_x, int page_y) {
    const int last = PV__GRAIN_PAGES - 1;
    return pv__sooner(pv__sooner(page_x, last - page_x), pv__sooner(page_y, last - page_y));
}

static bool is_rim(int page_x, int page_y) { return depth_of(page_x, page_y) == 0; }

/// Tells whether a page is at the rim, or beside a page there.
static bool is_edge(int page_x, int page_y) { return depth_of(page_x, page_y) <= 1; }

/// Distances of empty pages: inside the area, beside its rim, and at the rim
typedef struct shared_clear {
    uint8_t far[PAGE_CELLS * PAGE_CELLS], edge[PAGE_CELLS * PAGE_CELLS],
        rim[PAGE_CELLS * PAGE_CELLS];
} shared_clear;

bool pv__area_create(const pv_world *world, pv__grains *g) {
    const pv_allocator *a = &world->def.allocator;
    g->pages = pv__alloc(a, PAGES, sizeof *g->pages);
    g->clear = pv__alloc(a, PAGES, sizeof *g->clear);
    g->shared_clear = pv__alloc(a, 1, sizeof(shared_clear));
    shared_clear *shared = g->shared_clear;
    if (!g->pages || !g->clear || !shared) return false;
    memset(shared->far, NIBBLES, sizeof shared->far);
    memset(shared->edge, EDGE, sizeof shared->edge);
    for (int i = 0; i < PAGES; i++) {
        int x = i % PV__GRAIN_PAGES, y = i / PV__GRAIN_PAGES;
        g->clear[i] = is_rim(x, y) ? shared->rim : is_edge(x, y) ? shared->edge : shared->far;
    }
    return true;
}

static void free_page(const pv_world *world, pv__grain_page *page) {
    const pv_allocator *a = &world->def.allocator;
    for (int i = 0; page && i < 256; i++) {
        if (page->tiles[i]) pv__free(a, page->tiles[i]->slots, 64 * 64, sizeof(uint32_t));
        pv__free(a, page->tiles[i], 1, sizeof *page->tiles[i]);
    }
    pv__free(a, page, 1, sizeof *page);
}

void pv__area_destroy(const pv_world *world, pv__grains *g) {
    const pv_allocator *a = &world->def.allocator;
    for (int i = 0; g->pages && i < PAGES; i++) free_page(world, g->pages[i]);
    pv__free(a, g->pages, PAGES, sizeof *g->pages);
    pv__free(a, (void *)(uintptr_t)g->clear, PAGES, sizeof *g->clear);
    pv__free(a, g->shared_clear, 1, sizeof(shared_clear));
    PV__FREE(a, g->dirty.items, g->dirty.capacity);
}

static pv__grain_page *make_page(pv_world *world, pv__grains *g, unsigned u, unsigned v) {
    pv__grain_page *page = pv__area_page(g, u, v);
    unsigned x = u >> 10, y = v >> 10;
    if (page || is_rim((int)x, (int)y)) return page;
    page = pv__alloc(&world->def.allocator, 1, sizeof *page);
    if (!page) return NULL;
    page->x = (uint16_t)x;
    page->y = (uint16_t)y;
    memset(page->clear, is_edge((int)x, (int)y) ? EDGE : NIBBLES, sizeof page->clear);
    g->pages[y * PV__GRAIN_PAGES + x] = page;
    g->clear[y * PV__GRAIN_PAGES + x] = page->clear;
    return page;
}

pv__grain_tile *pv__area_make_tile(pv_world *world, pv__grains *g, unsigned u, unsigned v) {
    pv__grain_page *page = make_page(world, g, u, v);
    if (!page) return NULL;
    pv__grain_tile **tile = &page->tiles[(v >> 6 & 15) * 16 + (u >> 6 & 15)];
    if (*tile) return *tile;
    const pv_allocator *a = &world->def.allocator;
    if (!PV__RESERVE(a, g->dirty.items, g->dirty.capacity, g->tile_count + 1)) return NULL;
    *tile = pv__alloc(a, 1, sizeof **tile);
    if (!*tile) return NULL;
    (*tile)->x = (uint16_t)(u >> 6);
    (*tile)->y = (uint16_t)(v >> 6);
    g->tile_count++;
    return *tile;
}

static inline uint64_t row_of(const pv__grain_tile *t, unsigned v, pv__area_kind kind) {
    if (!t) return 0;
    return t->rows[v & 63].ground |
           (kind == PV__AREA_SOLID ? t->rows[v & 63].taken : t->rests[v & 63]);
}

uint64_t pv__area_word(const pv__grains *g, unsigned u, unsigned v, pv__area_kind kind) {
    unsigned shift = u & 63;
    uint64_t word = row_of(pv__area_tile(g, u, v), v, kind) >> shift;
    if (shift) word |= row_of(pv__area_tile(g, u + 63, v), v, kind) << (64 - shift);
    return word;
}

/* ---- distances ---- */

/// Returns the cells that overlap a rectangle of biased pixels.
static pv_rect cells_of(pv_rect r) {
    int x = r.x >> PV__CELL_SHIFT, y = r.y >> PV__CELL_SHIFT;
    return (pv_rect){x, y, ((r.x + r.w - 1) >> PV__CELL_SHIFT) - x + 1,
                     ((r.y + r.h - 1) >> PV__CELL_SHIFT) - y + 1};
}

/// Returns the distances of a cell, or null outside all pages.
static uint8_t *cell_at(const pv__grains *g, int x, int y) {
    const int side = PV__GRAIN_PAGES * PAGE_CELLS;
    if (x < 0 || y < 0 || x >= side || y >= side) return NULL;
    pv__grain_page *page = g->pages[y / PAGE_CELLS * PV__GRAIN_PAGES + x / PAGE_CELLS];
    return page ? &page->clear[y % PAGE_CELLS * PAGE_CELLS + x % PAGE_CELLS] : NULL;
}

/// Makes the pages within reach of some cells.
static bool make_pages(pv_world *world, pv__grains *g, pv_rect cells) {
    const pv_rect all = {0, 0, PV__GRAIN_PAGES * PAGE_CELLS, PV__GRAIN_PAGES * PAGE_CELLS};
    pv_rect r = pv__rect_meet(pv__rect_grown(cells, AREA_NEAR), all);
    for (int y = r.y / PAGE_CELLS; y <= (r.y + r.h - 1) / PAGE_CELLS; y++)
        for (int x = r.x / PAGE_CELLS; x <= (r.x + r.w - 1) / PAGE_CELLS; x++)
            if (!is_rim(x, y) && !make_page(world, g, (unsigned)x << 10, (unsigned)y << 10))
                return false;
    return true;
}

/// Returns the distance of x from the range low...low + count - 1.
static inline int outside(int x, int low, int count) {
    return x < low ? low - x : pv__later(x - low - count + 1, 0);
}

/// Lowers the distances around some cells, in the nibble at shift, but not below least. If least is
/// PV__CELL_FAR, raises them to that.
static void spread(pv__grains *g, pv_rect cells, int shift, int least) {
    pv_rect r = pv__rect_grown(cells, AREA_NEAR);
    for (int y = r.y; y < r.y + r.h; y++) {
        int away = pv__later(outside(y, cells.y, cells.h), least);
        for (int x = r.x, count; x < r.x + r.w; x += count) {
            count = pv__sooner(r.x + r.w - x, PAGE_CELLS - (x & (PAGE_CELLS - 1)));
            uint8_t *row = cell_at(g, x, y);
            for (int i = 0; row && i < count; i++) {
                int d = pv__later(away, outside(x + i, cells.x, cells.w));
                if (d < (row[i] >> shift & 15) || d == PV__CELL_FAR)
                    row[i] = (uint8_t)((row[i] & ~(15 << shift)) | d << shift);
            }
        }
    }
}

bool pv__area_mark(pv_world *world, pv__grains *g, pv_rect box, int least) {
    if (!make_pages(world, g, cells_of(box))) return false;
    spread(g, cells_of(box), 4, least);
    return true;
}

void pv__area_mark_cell(pv__grains *g, int x, int y) {
    uint8_t *cell = cell_at(g, x, y);
    if (cell) *cell &= 15;
}

void pv__area_unmark(pv__grains *g, pv_rect box) { spread(g, cells_of(box), 4, PV__CELL_FAR); }

/* ---- stale tiles ---- */

/// Number of cells along a tile with a border as wide as distances reach
enum { AREA_WIDE = 8 + 2 * AREA_NEAR };

/// Returns the filled cells of a band of a tile.
static uint64_t filled_cells(const pv__grain_tile *t, int band) {
    uint64_t all = 0;
    for (int i = 0; i < 8; i++) all |= t->rows[band * 8 + i].ground | t->rows[band * 8 + i].taken;
    all |= all >> 4;
    all |= all >> 2;
    all |= all >> 1;
    return (all & UINT64_C(0x0101010101010101)) * UINT64_C(0x0102040810204080) >> 56;
}

/// Sets the filled cells of a tile and around it, by rows. Returns false if there are none.
static bool note_cells(const pv__grains *g, int tile_x, int tile_y, uint64_t rows[AREA_WIDE]) {
    uint64_t any = 0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++) {
            const pv__grain_tile *t =
                pv__area_tile(g, (unsigned)(tile_x + x) << 6, (unsigned)(tile_y + y) << 6);
            for (int band = 0; t && band < 8; band++) {
                int row = y * 8 + band + AREA_NEAR, shift = x * 8 + AREA_NEAR;
                if (row < 0 || row >= AREA_WIDE) continue;
                uint64_t cells = filled_cells(t, band);
                rows[row] |= shift < 0 ? cells >> -shift : cells << shift;
                any |= cells;
            }
        }
    return any != 0;
}

/// Adds the neighbors of all cells.
static void widen(const uint64_t from[AREA_WIDE], uint64_t to[AREA_WIDE]) {
    for (int y = 0; y < AREA_WIDE; y++) {
        uint64_t row = from[y];
        if (y > 0) row |= from[y - 1];
        if (y < AREA_WIDE - 1) row |= from[y + 1];
        to[y] = row | row << 1 | row >> 1;
    }
}

/// Computes the distances of the cells of a tile.
static void refresh_tile(const pv__grains *g, pv__grain_page *page, int tile) {
    uint64_t near[PV__CELL_FAR][AREA_WIDE] = {{0}};
    bool any = note_cells(g, page->x * 16 + tile % 16, page->y * 16 + tile / 16, near[0]);
    for (int k = 1; any && k < PV__CELL_FAR; k++) widen(near[k - 1], near[k]);
    for (int y = 0; y < 8; y++) {
        uint8_t *cells = &page->clear[(tile / 16 * 8 + y) * PAGE_CELLS + tile % 16 * 8];
        for (int x = 0; x < 8; x++) {
            int d = PV__CELL_FAR;
            for (int k = 0; k < PV__CELL_FAR; k++)
                d -= (int)(near[k][y + AREA_NEAR] >> (x + AREA_NEAR) & 1);
            cells[x] = (uint8_t)((cells[x] & 0xf0) | d);
        }
    }
}

void pv__area_stale(pv__grains *g, unsigned u, unsigned v) {
    for (unsigned y = (v >> 6) - 1; y != (v >> 6) + 2; y++)
        for (unsigned x = (u >> 6) - 1; x != (u >> 6) + 2; x++) {
            pv__grain_page *page = pv__area_page(g, x << 6, y << 6);
            if (page) page->stale[y >> 2 & 3] |= UINT64_C(1) << ((y & 3) * 16 + (x & 15));
        }
}

/// Computes the distances of the stale tiles of a page. Beside the rim they stay 0.
static void refresh_page(const pv__grains *g, pv__grain_page *page) {
    for (int i = 0; i < 4; i++) {
        uint64_t stale = is_edge(page->x, page->y) ? 0 : page->stale[i];
        for (; stale; stale &= stale - 1) refresh_tile(g, page, i * 64 + __builtin_ctzll(stale));
        page->stale[i] = 0;
    }
}

void pv__area_refresh(pv__grains *g) {
    for (int i = 0; i < PAGES; i++)
        if (g->pages[i]) refresh_page(g, g->pages[i]);
}

bool pv__area_fill_tile(pv_world *world, pv__grains *g, unsigned u, unsigned v) {
    pv_rect tile = {(int)u & ~63, (int)v & ~63, 64, 64};
    if (!make_pages(world, g, cells_of(tile))) return false;
    pv__area_stale(g, u, v);
    return true;
}

/* ---- grains in pixels ---- */

/// Lowers the distances around the cell of a filled pixel. Returns false without memory.
static bool fill_cell(pv_world *world, pv__grains *g, unsigned u, unsigned v) {
    pv_rect cell = {(int)(u >> PV__CELL_SHIFT), (int)(v >> PV__CELL_SHIFT), 1, 1};
    if ((pv__area_clear(g, u, v) & 15) == 0) return true;
    if (!make_pages(world, g, cell)) return false;
    spread(g, cell, 0, 0);
    return true;
}

bool pv__area_take(pv_world *world, pv__grains *g, unsigned u, unsigned v, uint32_t slot) {
    pv__grain_tile *t = pv__area_make_tile(world, g, u, v);
    if (t && !t->slots) t->slots = pv__alloc(&world->def.allocator, 64 * 64, sizeof *t->slots);
    if (!t || !t->slots || !fill_cell(world, g, u, v)) return false;
    t->slots[(v & 63) * 64 + (u & 63)] = slot;
    t->rows[v & 63].taken |= UINT64_C(1) << (u & 63);
    return true;
}

void pv__area_free(pv__grains *g, unsigned u, unsigned v) {
    pv__grain_tile *t = pv__area_tile(g, u, v);
    t->rows[v & 63].taken &= ~(UINT64_C(1) << (u & 63));
    if (!(filled_cells(t, (int)(v >> 3 & 7)) >> (u >> 3 & 7) & 1)) pv__area_stale(g, u, v);
    pv__area_unsettle(g, u, v);
}

static void unsettle(pv__grains *g, pv__grain_tile *t, uint64_t rows) {
    if (!t || !t->slots) return;
    t->dirty |= rows;
    if (!t->listed) g->dirty.items[g->dirty.count++] = t;
    t->listed = true;
}

void pv__area_unsettle_row(pv__grains *g, unsigned u, unsigned v) {
    unsettle(g, pv__area_tile(g, u, v), UINT64_C(1) << ((g->now.down < 2 ? v : u) & 63));
}

void pv__area_unsettle_tile(pv__grains *g, pv__grain_tile *tile) {
    unsettle(g, tile, ~UINT64_C(0));
}

void pv__area_unsettle(pv__grains *g, unsigned u, unsigned v) {
    int down = g->now.down;
    if (down < 0) return;
    bool upright = down < 2;
    int across = (int)(upright ? u : v), along = (int)(upright ? v : u), deep = g->now.deep;
    int first = down & 1 ? along : along - deep, last = first + deep;
    for (int b = first >> 6; b <= last >> 6; b++)
        for (int a = (across - PV__GRAIN_LOOK) >> 6; a <= (across + PV__GRAIN_LOOK) >> 6; a++) {
            unsigned x = (unsigned)(upright ? a : b) << 6, y = (unsigned)(upright ? b : a) << 6;
            unsettle(g, pv__area_tile(g, x, y), pv__bits_between(first - b * 64, last - b * 64));
        }
}
