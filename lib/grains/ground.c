/* ground.c - draws the pixels of bodies that stand still into the area.
 *
 * Invariant: a pixel is ground if any point in it may be solid. A turned or scaled body thus covers
 * up to half a pixel more than its raster, so no point of a grain's pixel is in the body.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "grains/area.h"
#include "pixel/raster.h"
#include "placed/placed.h"

#include <string.h>

/// Deviation up to which a body counts as upright, and as at whole pixels [px, in 1/2^32]
static const int64_t GROUND_EXACT = 1 << 12;

/* ---- rectangles ---- */

pv_rect pv__ground_rect_of(const pv_transform *transform, int w, int h) {
    const int least = PV__GRAIN_BIAS - PV_GRAIN_FARTHEST, side = 2 * PV_GRAIN_FARTHEST;
    pv_rect rect = pv__rect_grown(pv__raster_rect(transform, w, h), 1);
    rect.x += PV__GRAIN_BIAS;
    rect.y += PV__GRAIN_BIAS;
    return pv__rect_meet(rect, (pv_rect){least, least, side, side});
}

pv_rect pv__ground_rect(const pv__body *b, pv__pose pose) {
    pv_transform t = pv__body_transform(b, pose);
    return pv__ground_rect_of(&t, b->pixels->mask->bits.w, b->pixels->mask->bits.h);
}

/* ---- rasters ---- */

/// Returns the solid pixels (x...x + 63, y) of a picture.
static uint64_t picture_word(const pv__bits *bits, int64_t x, int64_t y) {
    int shift = (int)(x & 63);
    int64_t stripe = (x - shift) / 64, stripes = pv__bits_stripes(bits->w);
    if (y < 0 || y >= bits->h) return 0;
    const uint64_t *row = bits->words + y;
    uint64_t word = stripe >= 0 && stripe < stripes ? row[stripe * bits->h] >> shift : 0;
    if (shift && stripe >= -1 && stripe + 1 < stripes)
        word |= row[(stripe + 1) * bits->h] << (64 - shift);
    return word;
}

/// Picture of a body as it stands
typedef struct picture {
    const pv__bits *bits;
    pv__map map;
    /// Half the extent of a world pixel in the picture, in 1/2^32 px
    int64_t half_x, half_y;
    /// True if the picture is neither turned nor scaled. The pixel (x, y) then covers those from
    /// (x + left, y + top) to (x + right, y + bottom).
    bool upright;
    int64_t left, top, right, bottom;
} picture;

static int64_t size_of(int64_t x) { return x < 0 ? -x : x; }

static bool is_equal(int64_t x, int64_t to) { return size_of(x - to) < GROUND_EXACT; }

static picture picture_of(const pv__body *b, pv__pose pose) {
    const int64_t one = INT64_C(1) << 32;
    pv_transform t = pv__body_transform(b, pose);
    pv__map m = pv__raster_map_of(&t);
    picture p = {.bits = &b->pixels->mask->bits, .map = m};
    p.half_x = (size_of(m.ux) + size_of(m.uy)) / 2 + GROUND_EXACT;
    p.half_y = (size_of(m.vx) + size_of(m.vy)) / 2 + GROUND_EXACT;
    p.upright =
        is_equal(m.ux, one) && is_equal(m.vy, one) && is_equal(m.vx, 0) && is_equal(m.uy, 0);
    p.left = ((m.u - one / 2 + GROUND_EXACT) >> 32) - m.x0;
    p.right = ((m.u + one / 2 - GROUND_EXACT) >> 32) - m.x0;
    p.top = ((m.v - one / 2 + GROUND_EXACT) >> 32) - m.y0;
    p.bottom = ((m.v + one / 2 - GROUND_EXACT) >> 32) - m.y0;
    return p;
}

static uint64_t upright_word(const picture *p, int x, int y) {
    uint64_t word = 0;
    for (int64_t row = y + p->top; row <= y + p->bottom; row++)
        for (int64_t column = x + p->left; column <= x + p->right; column++)
            word |= picture_word(p->bits, column, row);
    return word;
}

/// Returns the solid pixels (x...x + 63, y) of the world, not biased.
static uint64_t ground_word(const picture *p, int x, int y) {
    const pv__map *m = &p->map;
    if (p->upright) return upright_word(p, x, y);
    int64_t across = (int64_t)x - m->x0, down = (int64_t)y - m->y0;
    int64_t u = m->u + across * m->ux + down * m->uy, v = m->v + across * m->vx + down * m->vy;
    uint64_t word = 0;
    for (int i = 0; i < 64; i++, u += m->ux, v += m->vx)
        if (pv__bits_any(p->bits, (u - p->half_x) >> 32, (u + p->half_x) >> 32,
                         (v - p->half_y) >> 32, (v + p->half_y) >> 32))
            word |= UINT64_C(1) << i;
    return word;
}

/* ---- the ground ---- */

/// Adds rows of pixels to a tile at (x, y), and wakes the grains there.
static void add_rows(pv__grains *g, pv__grain_tile *t, int x, int y, const uint64_t rows[64]) {
    for (int i = 0; i < 64; i++) {
        for (uint64_t bits = rows[i] & t->rests[i]; bits; bits &= bits - 1)
            pv__pile_wake(g, (unsigned)(x + __builtin_ctzll(bits)), (unsigned)(y + i));
        t->rows[i].ground |= rows[i];
    }
}

/// Adds the pixels of a picture to the tile at (x, y), within a rectangle.
static bool add_tile(pv_world *world, pv__grains *g, const picture *p, int x, int y, pv_rect rect) {
    uint64_t rows[64] = {0}, all = 0,
             within = pv__bits_between(rect.x - x, rect.x + rect.w - 1 - x);
    int first = pv__later(rect.y - y, 0), last = pv__sooner(rect.y + rect.h - y, 64);
    for (int i = first; i < last; i++)
        all |= rows[i] = ground_word(p, x - PV__GRAIN_BIAS, y + i - PV__GRAIN_BIAS) & within;
    if (!all) return true;
    pv__grain_tile *t = pv__area_make_tile(world, g, (unsigned)x, (unsigned)y);
    if (!t) return false;
    add_rows(g, t, x, y, rows);
    return pv__area_fill_tile(world, g, (unsigned)x, (unsigned)y);
}

bool pv__ground_shows(const pv__grain_body *seen, const pv__body *b) {
    return seen->generation == b->generation && seen->looks == b->looks &&
           seen->mask == b->pixels->mask && pv__same_place(seen->scale, b->pixels->scale);
}

bool pv__ground_add(pv_world *world, pv__grains *g, const pv__grain_body *seen, const pv__body *b,
                    pv_rect rect) {
    if (rect.w <= 0 || rect.h <= 0) return true;
    picture p = picture_of(b, (pv__pose){seen->center, seen->turn});
    for (int y = rect.y & ~63; y < rect.y + rect.h; y += 64)
        for (int x = rect.x & ~63; x < rect.x + rect.w; x += 64)
            if (!add_tile(world, g, &p, x, y, rect)) return false;
    return true;
}

void pv__ground_clear(pv__grains *g, pv_rect rect) {
    const int deep = g->now.deep + 1 + PV__GRAIN_LOOK;
    int right = rect.x + rect.w - 1, bottom = rect.y + rect.h - 1;
    if (rect.w <= 0 || rect.h <= 0) return;
    for (int y = (rect.y - deep) & ~63; y <= bottom + deep; y += 64)
        for (int x = (rect.x - deep) & ~63; x <= right + deep; x += 64) {
            pv__grain_tile *t = pv__area_tile(g, (unsigned)x, (unsigned)y);
            if (!t) continue;
            uint64_t cleared = pv__bits_between(rect.x - x, right - x);
            for (int i = 0; i < 64; i++)
                if (y + i >= rect.y && y + i <= bottom) t->rows[i].ground &= ~cleared;
            if (cleared) pv__area_stale(g, (unsigned)x, (unsigned)y);
            pv__area_unsettle_tile(g, t);
        }
}

bool pv__ground_redraw(pv_world *world, pv__grains *g, pv_rect rect) {
    for (int i = 0; i < world->bodies.count && i < g->body_capacity; i++) {
        const pv__grain_body *seen = &g->bodies[i];
        const pv__body *b = &world->bodies.items[i];
        if (!seen->grounded || !pv__body_is_alive(b) || !pv__ground_shows(seen, b)) continue;
        if (!pv__ground_add(world, g, seen, b, pv__rect_meet(seen->rect, rect))) return false;
    }
    return true;
}
