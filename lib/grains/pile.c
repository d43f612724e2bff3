/* pile.c - lays grains to rest, and lets slopes give way.
 *
 * Invariant: at the end of a step, every resting grain outside dirty rows lies on a solid pixel. No
 * free pixel beside it within PV__GRAIN_LOOK is deeper than its friction allows. Whole words of 64
 * grains are tested at once. All tests of a step come before its first change.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/events.h"
#include "grains/area.h"
#include "grains/numbers.h"
#include "pixel/mask_ops.h"

#include <string.h>

/// Greatest drop that a grain takes without leaving the pile [px]
enum { PILE_FALL = 3 };
/// Greatest height of a steep face that pushes its grains off [px]
enum { PILE_DEEP = 64 };

/// Grain whose slope gave way, and to which side: -1, 1, or 0
typedef struct pile_slide {
    uint32_t slot;
    int side;
} pile_slide;

/// Solid pixels of a tile, of its neighbors and of those below, turned so that gravity is down
typedef struct pile_view {
    uint64_t left[128], center[128], right[128];
} pile_view;

/* ---- single grains ---- */

bool pv__pile_rest(pv_world *world, pv__grains *g, uint32_t slot, unsigned u, unsigned v) {
    if (!pv__area_take(world, g, u, v, slot)) return false;
    pv__area_tile(g, u, v)->rests[v & 63] |= UINT64_C(1) << (u & 63);
    pv__area_unsettle_row(g, u, v);
    g->moving[slot >> 6] &= ~(UINT64_C(1) << (slot & 63));
    g->stats.moving--;
    g->dx[slot] = g->dy[slot] = 0;
    return true;
}

uint32_t pv__pile_wake(pv__grains *g, unsigned u, unsigned v) {
    pv__grain_tile *t = pv__area_tile(g, u, v);
    uint32_t slot = t->slots[(v & 63) * 64 + (u & 63)];
    t->rests[v & 63] &= ~(UINT64_C(1) << (u & 63));
    g->moving[slot >> 6] |= UINT64_C(1) << (slot & 63);
    g->claims[slot >> 6] |= UINT64_C(1) << (slot & 63);
    g->stats.moving++;
    return slot;
}

void pv__pile_unsettle_all(pv__grains *g) {
    for (int i = 0; i < PV__GRAIN_PAGES * PV__GRAIN_PAGES; i++)
        for (int t = 0; g->pages[i] && t < 256; t++)
            if (g->pages[i]->tiles[t]) pv__area_unsettle_tile(g, g->pages[i]->tiles[t]);
}

/* ---- views ---- */

/// Turns 64 x 64 bits so that gravity is down.
static void turn_rows(int down, uint64_t a[64]) {
    if (down >= 2) pv__bits_transpose(a);
    if (!(down & 1)) return;
    for (int i = 0; i < 32; i++) {
        uint64_t t = a[i];
        a[i] = a[63 - i];
        a[63 - i] = t;
    }
}

static void view_tile(const pv__grains *g, int x, int y, uint64_t out[64]) {
    const pv__grain_tile *t = pv__area_tile(g, (unsigned)x << 6, (unsigned)y << 6);
    for (int i = 0; i < 64; i++) out[i] = t ? t->rows[i].ground | t->rows[i].taken : 0;
    turn_rows(g->now.down, out);
}

/// Views a tile, with everything that its grains lean on.
static void view_all(const pv__grains *g, const pv__grain_tile *t, pile_view *view) {
    int down = g->now.down, way = down & 1 ? -1 : 1;
    for (int below = 0; below < 2; below++)
        for (int side = -1; side <= 1; side++) {
            int x = t->x + (down < 2 ? side : below * way),
                y = t->y + (down < 2 ? below * way : side);
            uint64_t *out = side < 0 ? view->left : side > 0 ? view->right : view->center;
            view_tile(g, x, y, out + 64 * below);
        }
}

/* ---- slopes ---- */

/// Returns the pixels at a distance to one side of each pixel of a row.
static inline uint64_t beside(const pile_view *v, int row, int distance, int side) {
    return side ? v->center[row] >> distance | v->right[row] << (64 - distance)
                : v->center[row] << distance | v->left[row] >> (64 - distance);
}

/// Returns the grains of a row that the slope to one side makes unstable.
static uint64_t unstable(const pile_view *view, int row, uint64_t grains, const int8_t *drops,
                         int side) {
    uint64_t open = grains, found = 0;
    for (int k = 1; k <= PV__GRAIN_LOOK; k++) {
        open &= ~beside(view, row, k, side);
        if (!open) break;
        uint64_t free = open;
        for (int r = 1; free && r <= drops[k] + 1; r++) free &= ~beside(view, row + r, k, side);
        found |= free;
    }
    return found;
}

/// Appends the grains of a row, by their turned places.
static void note_row(pv_world *world, const pv__grains *g, const pv__grain_tile *t, int row,
                     uint64_t bits, int side, pv__list *slides) {
    int down = g->now.down;
    if (down & 1) row = 63 - row;
    for (; bits; bits &= bits - 1) {
        int column = __builtin_ctzll(bits);
        uint32_t slot = t->slots[down < 2 ? row * 64 + column : column * 64 + row];
        pile_slide slide = {slot, side == 2 ? (slot & 1 ? 1 : -1) : side};
        pv__events_append(world, slides, &slide, sizeof slide);
    }
}

static void note_slides(pv_world *world, const pv__grains *g, const pv__grain_tile *t,
                        pv__list *slides) {
    const pv__grain_numbers *n = &g->now;
    uint64_t rests[64];
    pile_view view;
    memcpy(rests, t->rests, sizeof rests);
    turn_rows(n->down, rests);
    view_all(g, t, &view);
    for (int row = 63; row >= 0; row--) {
        if (!(t->dirty >> (n->down & 1 ? 63 - row : row) & 1) || !rests[row]) continue;
        uint64_t left = unstable(&view, row, rests[row], n->drops[0], 0);
        uint64_t right = unstable(&view, row, rests[row], n->drops[1], 1);
        uint64_t hangs = rests[row] & ~view.center[row + 1];
        note_row(world, g, t, row, hangs, 0, slides);
        note_row(world, g, t, row, left & ~right & ~hangs, -1, slides);
        note_row(world, g, t, row, right & ~left & ~hangs, 1, slides);
        note_row(world, g, t, row, right & left & ~hangs, 2, slides);
    }
}

/* ---- slides ---- */

/// Returns the number of free pixels below a pixel, in the direction of gravity, up to most.
static int depth_below(const pv__grains *g, unsigned u, unsigned v, int most) {
    pv_point down = pv__grain_ways[g->now.down];
    for (int i = 1; i <= most; i++)
        if (pv__area_is_solid(g, u + (unsigned)(i * down.x), v + (unsigned)(i * down.y)))
            return i - 1;
    return most;
}

/// Moves a grain over the edge of a slope: to the pixel below, or into the air.
static void slide(pv_world *world, pv__grains *g, const pile_slide *s) {
    uint32_t slot = s->slot;
    pv_point down = pv__grain_ways[g->now.down],
             aside = g->now.down < 2 ? (pv_point){s->side, 0} : (pv_point){0, s->side};
    unsigned u = pv__grain_pixel(g->x[slot]), v = pv__grain_pixel(g->y[slot]);
    unsigned to_u = u + (unsigned)aside.x, to_v = v + (unsigned)aside.y;
    if (!pv__area_has(to_u, to_v) || (s->side && pv__area_is_solid(g, to_u, to_v)))
        return pv__area_unsettle_row(g, u, v);
    int depth = depth_below(g, to_u, to_v, PILE_DEEP);
    pv__pile_wake(g, u, v);
    pv__area_free(g, u, v);
    g->claims[slot >> 6] &= ~(UINT64_C(1) << (slot & 63));
    g->x[slot] = pv__grain_center(to_u);
    g->y[slot] = pv__grain_center(to_v);
    bool lone = pv__area_is_ground(g, u + (unsigned)down.x, v + (unsigned)down.y) &&
                !pv__area_is_solid(g, u - (unsigned)down.x, v - (unsigned)down.y);
    if (depth > PILE_FALL || lone) {
        int32_t speed = (int32_t)(g->now.kick * sqrt(pv__later(depth, 1)) / 2);
        g->dx[slot] = aside.x * speed;
        g->dy[slot] = aside.y * speed;
        return;
    }
    to_u += (unsigned)(depth * down.x);
    to_v += (unsigned)(depth * down.y);
    g->x[slot] = pv__grain_center(to_u);
    g->y[slot] = pv__grain_center(to_v);
    if (!pv__pile_rest(world, g, slot, to_u, to_v)) world->out_of_memory = true;
}

/// Compares tiles by their places, the lowest first.
static int compare_tiles(const void *a, const void *b) {
    const pv__grain_tile *p = *(pv__grain_tile *const *)a, *q = *(pv__grain_tile *const *)b;
    if (p->y != q->y) return p->y > q->y ? -1 : 1;
    return p->x < q->x ? -1 : p->x > q->x;
}

/// Lets each grain whose slope has given way go one pixel to the side.
static void slide_once(pv_world *world, pv__grains *g) {
    pv__list *slides = &g->slides;
    slides->count = 0;
    pv__sort(g->dirty.items, g->dirty.count, sizeof *g->dirty.items, compare_tiles);
    for (int i = 0; i < g->dirty.count; i++) note_slides(world, g, g->dirty.items[i], slides);
    for (int i = 0; i < g->dirty.count; i++) {
        g->dirty.items[i]->dirty = 0;
        g->dirty.items[i]->listed = false;
    }
    g->dirty.count = 0;
    for (int i = 0; i < slides->count; i++)
        slide(world, g, &((const pile_slide *)slides->items)[i]);
}

void pv__pile_slide(pv_world *world, pv__grains *g) {
    for (int i = 0; i < g->now.slides && g->dirty.count > 0; i++) slide_once(world, g);
}
