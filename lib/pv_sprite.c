/* pv_sprite.c - placed sprites: what two of them share, how far apart they are, and what a point, a ray, a disc
 * or a rectangle meets of one.
 *
 * Invariant: two sprites are judged by their exact bitmaps, cut into tiles of which each fits on the stack, so
 * that nothing is made of what cannot meet; sums over tiles are whole numbers, so the cut changes nothing.
 * Shapes are judged in the picture's own coordinates, where pixels are squares.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_base.h"
#include "pv_math.h"
#include "pv_pixels.h"

#include <string.h>

#define ONE ((int64_t)1 << 32)
/// Words of a tile's bitmap.
#define ROOM 1024
/// Columns of a tile at most: with a margin of a pixel on each side it takes 8 stripes.
#define TILE_WIDTH 448
/// Rows of a tile when the first hit ends the search.
#define HASTY_ROWS 32
/// Rows that are looked at before all others.
#define FIRST_ROWS 4
/// How far a normal is looked for where the gradient vanishes [px].
#define FALLBACK_REACH 64
/// No two bitmaps that can be made are farther apart [px].
#define FARTHEST (1 << 28)

/* ---- one sprite ---- */

/// An upright sprite of scale 1: the same numbers as pv__map_of(), without its divisions.
static pv_status upright_sprite(const pv_placed *p, pv__sprite *out) {
    const pv_transform *t = &p->transform;
    if (!pv__finite2(t->position) || !pv__finite2(t->pivot)) return PV_ERROR_NOT_FINITE;
    if (!pv__placeable(t->position) || !pv__placeable(t->pivot)) return PV_ERROR_ARGUMENT;
    int x0 = (int)pv__floor(t->position.x), y0 = (int)pv__floor(t->position.y);
    double u = t->pivot.x + (x0 + 0.5 - t->position.x), v = t->pivot.y + (y0 + 0.5 - t->position.y);
    out->map =
        (pv__map){x0, y0, pv__floor(u * 4294967296.0 + 0.5), pv__floor(v * 4294967296.0 + 0.5), ONE, 0, 0, ONE};
    return PV_OK;
}

static bool is_upright(const pv__map *map) {
    return map->ux == ONE && map->vy == ONE && map->uy == 0 && map->vx == 0;
}

pv_status pv__sprite_of(const pv_placed *p, pv__sprite *out) {
    if (!p || !p->mask) return PV_ERROR_ARGUMENT;
    const pv_transform *t = &p->transform;
    pv_status status;
    if (t->rotation.c == 1 && t->rotation.s == 0 && t->scale.x == 1 && t->scale.y == 1)
        status = upright_sprite(p, out);
    else if ((status = pv__transform_check(t)) == PV_OK)
        out->map = pv__map_of(t);
    if (status != PV_OK) return status;
    const pv__bits *bits = &p->mask->bits;
    out->bits = bits;
    out->upright = is_upright(&out->map);
    if (out->upright)
        out->rect = (pv_rect){out->map.x0 - (int)(out->map.u >> 32), out->map.y0 - (int)(out->map.v >> 32),
                              bits->w, bits->h};
    else
        out->rect = pv__raster_rect(t, bits->w, bits->h);
    return PV_OK;
}

pv_status pv_placed_check(const pv_placed *placed) {
    pv__sprite sprite;
    return pv__sprite_of(placed, &sprite);
}

pv_box pv_placed_box(const pv_placed *placed) {
    if (pv_placed_check(placed) != PV_OK) return (pv_box){{0, 0}, {-1, -1}};
    return pv_transform_box(&placed->transform, placed->mask->bits.w, placed->mask->bits.h);
}

/* ---- rectangles ---- */

static int later(int a, int b) { return a > b ? a : b; }
static int sooner(int a, int b) { return a < b ? a : b; }

static pv_rect meet(pv_rect a, pv_rect b) {
    int x = later(a.x, b.x), y = later(a.y, b.y);
    int w = sooner(a.x + a.w, b.x + b.w) - x, h = sooner(a.y + a.h, b.y + b.h) - y;
    return w > 0 && h > 0 ? (pv_rect){x, y, w, h} : (pv_rect){x, y, 0, 0};
}

/// Grown by at most FARTHEST, so that no sum leaves an int.
static pv_rect grown(pv_rect r, int by) {
    if (r.w == 0 || r.h == 0) return r;
    by = sooner(by, FARTHEST);
    return (pv_rect){r.x - by, r.y - by, r.w + 2 * by, r.h + 2 * by};
}

/* ---- two sprites, tile by tile ---- */

/// The bitmaps of two sprites over a part of the world, b's pixel (0, 0) on a's (dx, dy). What the tiles of a
/// meeting share adds up to what the sprites share, also with b moved by up to reach.
typedef struct tile {
    pv__bits a, b;
    int64_t dx, dy;
    int x, y; ///< world pixel of a's (0, 0)
} tile;

/// Tiles cut one sprite, the lead, into parts that do not overlap; the other is taken with a margin, or as it
/// is.
typedef struct meeting {
    const pv__sprite *lead, *other;
    pv_rect region; ///< what of the lead the other can reach
    int reach, rows;
    int x, y; ///< where the next tile begins
    bool swapped;
    uint64_t lead_room[ROOM], other_room[ROOM];
} meeting;

/// What is upright is best taken as a whole, so it does not lead.
static void begin(meeting *m, const pv__sprite *a, const pv__sprite *b, int reach, int rows) {
    m->swapped = a->upright && !b->upright;
    m->lead = m->swapped ? b : a;
    m->other = m->swapped ? a : b;
    m->region = meet(m->lead->rect, grown(m->other->rect, reach));
    m->reach = reach;
    int width = sooner(m->region.w, TILE_WIDTH) + 2 * reach;
    m->rows = sooner(rows, ROOM / later(pv__stripes(width), 1) - 2 * reach);
    m->x = m->region.x;
    m->y = m->region.y;
}

/// The bitmap of a part of a sprite, which is told where it lies; of an upright one all of it.
static pv__bits part(const pv__sprite *s, pv_rect *of, uint64_t *room) {
    if (s->upright) {
        *of = s->rect;
        return *s->bits;
    }
    pv__bits out = {of->w, of->h, room};
    pv__raster(s->bits, &s->map, of->x, of->y, &out);
    return out;
}

/// The next tile's rectangle. Two upright sprites are one tile.
static bool next_rect(meeting *m, pv_rect *of) {
    int right = m->region.x + m->region.w, bottom = m->region.y + m->region.h;
    if (m->region.w == 0 || m->y >= bottom) return false;
    *of = (pv_rect){m->x, m->y, sooner(TILE_WIDTH, right - m->x), sooner(m->rows, bottom - m->y)};
    m->x += of->w;
    if (m->x >= right) {
        m->x = m->region.x;
        m->y += of->h;
    }
    if (m->lead->upright) m->y = bottom;
    return true;
}

static bool next_tile(meeting *m, tile *t) {
    pv_rect lead, other;
    if (!next_rect(m, &lead)) return false;
    other = grown(lead, m->reach);
    pv__bits p = part(m->lead, &lead, m->lead_room), q = part(m->other, &other, m->other_room);
    int64_t dx = (int64_t)other.x - lead.x, dy = (int64_t)other.y - lead.y;
    *t = m->swapped ? (tile){q, p, -dx, -dy, other.x, other.y} : (tile){p, q, dx, dy, lead.x, lead.y};
    return true;
}

static bool any_tile_hits(meeting *m) {
    tile t;
    while (next_tile(m, &t))
        if (pv__bits_hit(&t.a, &t.b, t.dx, t.dy)) return true;
    return false;
}

bool pv__sprites_hit(const pv__sprite *a, const pv__sprite *b) {
    if (a->upright && b->upright)
        return pv__bits_hit(a->bits, b->bits, (int64_t)b->rect.x - a->rect.x, (int64_t)b->rect.y - a->rect.y);
    meeting m;
    begin(&m, a, b, 0, HASTY_ROWS);
    pv_rect all = m.region;
    if (all.h > HASTY_ROWS / 2) { /* most of those that hit do so in the middle */
        m.region.y = m.y = all.y + all.h / 2;
        m.region.h = FIRST_ROWS;
        if (any_tile_hits(&m)) return true;
        m.region = all;
        m.y = all.y;
    }
    return any_tile_hits(&m);
}

bool pv_placed_hit(const pv_placed *a, const pv_placed *b) {
    pv__sprite p, q;
    return pv__sprite_of(a, &p) == PV_OK && pv__sprite_of(b, &q) == PV_OK && pv__sprites_hit(&p, &q);
}

int64_t pv_placed_overlap_area(const pv_placed *a, const pv_placed *b) {
    pv__sprite p, q;
    meeting m;
    tile t;
    int64_t area = 0;
    if (pv__sprite_of(a, &p) != PV_OK || pv__sprite_of(b, &q) != PV_OK) return 0;
    begin(&m, &p, &q, 0, ROOM);
    while (next_tile(&m, &t)) area += pv__bits_area(&t.a, &t.b, t.dx, t.dy);
    return area;
}

/* ---- what two share ---- */

/// Sums over tiles, in the world.
typedef struct totals {
    int64_t area, gx, gy;
    double x, y; ///< of whole coordinates; whole numbers
    int left, top, right, bottom;
} totals;

static double whole(double x) { return (double)pv__floor(x + 0.5); }

static void add_tile(totals *o, const tile *t) {
    pv_overlap part_of;
    o->gx += pv__bits_area(&t->a, &t->b, t->dx + 1, t->dy) - pv__bits_area(&t->a, &t->b, t->dx - 1, t->dy);
    o->gy += pv__bits_area(&t->a, &t->b, t->dx, t->dy + 1) - pv__bits_area(&t->a, &t->b, t->dx, t->dy - 1);
    if (!pv__bits_overlap(&t->a, &t->b, t->dx, t->dy, &part_of)) return;
    double area = (double)part_of.area;
    int x = t->x + part_of.box.x, y = t->y + part_of.box.y;
    bool first = o->area == 0;
    o->area += part_of.area;
    o->x += whole((part_of.point.x - 0.5) * area) + area * t->x;
    o->y += whole((part_of.point.y - 0.5) * area) + area * t->y;
    o->left = first ? x : sooner(o->left, x);
    o->top = first ? y : sooner(o->top, y);
    o->right = first ? x + part_of.box.w : later(o->right, x + part_of.box.w);
    o->bottom = first ? y + part_of.box.h : later(o->bottom, y + part_of.box.h);
}

static void conclude(const totals *o, pv_overlap *overlap) {
    if (o->area == 0) return;
    double area = (double)o->area;
    pv_vec2 slope = pv__vec((double)o->gx, (double)o->gy);
    double length = pv__length(slope);
    overlap->area = o->area;
    overlap->point = pv__vec(o->x / area + 0.5, o->y / area + 0.5);
    overlap->box = (pv_rect){o->left, o->top, o->right - o->left, o->bottom - o->top};
    if (length > 0) {
        overlap->normal = pv__vec(-slope.x / length, -slope.y / length);
        overlap->depth = 2.0 * area / length;
    }
}

static void measure(const pv__sprite *a, const pv__sprite *b, pv_overlap *overlap) {
    meeting m;
    tile t, next;
    *overlap = (pv_overlap){0};
    begin(&m, a, b, 1, ROOM);
    if (!next_tile(&m, &t)) return;
    if (m.y >= m.region.y + m.region.h) { /* one tile: all in one pass */
        if (!pv__bits_overlap(&t.a, &t.b, t.dx, t.dy, overlap)) return;
        overlap->point = pv__add(overlap->point, pv__vec(t.x, t.y));
        overlap->box.x += t.x;
        overlap->box.y += t.y;
        return;
    }
    totals sum = {0};
    add_tile(&sum, &t);
    while (next_tile(&m, &next)) add_tile(&sum, &next);
    conclude(&sum, overlap);
}

/* ---- separation ---- */

/// A bitmap over a part of the world, made or borrowed.
typedef struct sheet {
    pv__bits bits;
    pv_rect rect;
    const pv_allocator *from;
    size_t words; ///< 0: borrowed
} sheet;

static pv_status sheet_of(const pv__sprite *s, pv_rect rect, const pv_allocator *from, sheet *out) {
    *out = (sheet){.rect = rect, .from = from};
    if (rect.w == 0 || rect.h == 0) return PV_OK;
    if (!s->upright &&
        (rect.w > PV__MAX_SIDE || rect.h > PV__MAX_SIDE || (int64_t)rect.w * rect.h > PV__MAX_AREA))
        return PV_ERROR_TOO_LARGE;
    uint64_t *room = NULL;
    size_t words = s->upright ? 0 : pv__word_count(rect.w, rect.h);
    if (words && !(room = pv__alloc(from, words, sizeof *room))) return PV_ERROR_MEMORY;
    out->words = words;
    out->bits = part(s, &out->rect, room);
    return PV_OK;
}

static void sheet_free(sheet *s) {
    if (s->words) pv__free(s->from, s->bits.words, s->words, sizeof *s->bits.words);
}

/// Bitmaps of what each sprite has within reach of the other's rectangle.
static pv_status sheets_of(const pv__sprite *a, const pv__sprite *b, int reach, const pv_allocator *from,
                           sheet out[2]) {
    pv_status status = sheet_of(a, meet(a->rect, grown(b->rect, reach)), from, &out[0]);
    if (status != PV_OK) return status;
    status = sheet_of(b, meet(b->rect, grown(a->rect, reach)), from, &out[1]);
    if (status != PV_OK) sheet_free(&out[0]);
    return status;
}

/// Bits column...column + 63 of row y; beside the bitmap there are none.
static uint64_t word_at(const pv__bits *bits, int64_t column, int y) {
    int shift = (int)(column & 63);
    int64_t stripe = (column - shift) / 64, stripes = pv__stripes(bits->w);
    const uint64_t *row = bits->words + y;
    uint64_t word = stripe >= 0 && stripe < stripes ? row[stripe * bits->h] >> shift : 0;
    if (shift && stripe >= -1 && stripe + 1 < stripes) word |= row[(stripe + 1) * bits->h] << (64 - shift);
    return word;
}

/// The pixels of one word of b, each over 64 places of a. The outermost ones, taken by turns, settle most
/// places.
static uint64_t obstacle_word(const pv__bits *a, int64_t y, uint64_t pixels, int64_t column, uint64_t wanted) {
    uint64_t hit = 0;
    while (pixels && wanted & ~hit) {
        int low = __builtin_ctzll(pixels), high = 63 - __builtin_clzll(pixels);
        hit |= word_at(a, column + low, (int)y) | word_at(a, column + high, (int)y);
        pixels &= ~(UINT64_C(1) << low | UINT64_C(1) << high);
    }
    return hit;
}

/// Rows top...bottom - 1 of a against b: hit with what is added to it.
static uint64_t obstacle_rows(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, int64_t top,
                              int64_t bottom, uint64_t wanted, uint64_t hit) {
    int64_t first = -dx - 63 > 0 ? (-dx - 63) >> 6 : 0, last = (a->w - 1 - dx) >> 6;
    if (last >= pv__stripes(b->w)) last = pv__stripes(b->w) - 1;
    for (int64_t y = top; y < bottom; y++)
        for (int64_t s = first; s <= last && wanted & ~hit; s++)
            hit |= obstacle_word(a, y, b->words[s * b->h + y - dy], s * 64 + dx, wanted & ~hit);
    return hit;
}

/// Whether a and b share a pixel with b at (dx + k, dy), in bit k, as far as bits are wanted. Rows from the
/// middle on come first: there is most to hit.
static uint64_t obstacle(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, uint64_t wanted) {
    int64_t top = dy > 0 ? dy : 0, bottom = b->h + dy < a->h ? b->h + dy : a->h, middle = (top + bottom) / 2;
    if (top >= bottom) return 0;
    uint64_t hit = obstacle_rows(a, b, dx, dy, middle, bottom, wanted, 0);
    return obstacle_rows(a, b, dx, dy, top, middle, wanted, hit);
}

/// The place nearest to column 0 of row dy, at most limit away, where b is free; the right one of two. False:
/// none.
static bool free_in_row(const pv__bits *a, const pv__bits *b, int64_t dx, int64_t dy, int limit, int *found) {
    for (int k = 0; k <= limit; k += 64) {
        uint64_t wanted = limit - k < 63 ? (UINT64_C(2) << (limit - k)) - 1 : ~UINT64_C(0);
        uint64_t mirrored = ~UINT64_C(0) << (limit - k < 63 ? 63 - (limit - k) : 0);
        uint64_t right = wanted & ~obstacle(a, b, dx + k, dy, wanted);
        uint64_t left = mirrored & ~obstacle(a, b, dx - k - 63, dy, mirrored);
        if (!right && !left) continue;
        int to_right = right ? __builtin_ctzll(right) : 64, to_left = left ? __builtin_clzll(left) : 64;
        *found = to_right <= to_left ? k + to_right : -k - to_left;
        return true;
    }
    return false;
}

/// The largest i with i^2 < below, for 0 < below < 2^62.
static int root_below(int64_t below) {
    int64_t i = (int64_t)sqrt((double)below);
    while (i * i >= below) i--;
    while ((i + 1) * (i + 1) < below) i++;
    return (int)i;
}

/// The shortest free way of b, at most reach long: rows 0, -1, 1, -2...
static bool shortest_way(const sheet s[2], int reach, int way[2]) {
    int64_t dx = (int64_t)s[1].rect.x - s[0].rect.x, dy = (int64_t)s[1].rect.y - s[0].rect.y;
    int64_t best = (int64_t)reach * reach + 1;
    bool any = false;
    for (int64_t n = 0; n * n < best; n++)
        for (int side = -1; side <= (n ? 1 : -1); side += 2) {
            int i;
            if (n * n >= best ||
                !free_in_row(&s[0].bits, &s[1].bits, dx, dy + side * n, root_below(best - n * n), &i))
                continue;
            best = (int64_t)i * i + n * n;
            way[0] = i;
            way[1] = (int)(side * n);
            any = true;
        }
    return any;
}

/// How far b must go along an axis at most, to be off a's rectangle.
static int way_out(pv_rect a, pv_rect b) {
    int x = sooner(a.x + a.w - b.x, b.x + b.w - a.x), y = sooner(a.y + a.h - b.y, b.y + b.h - a.y);
    return a.w && a.h && b.w && b.h ? later(sooner(x, y), 0) : 0;
}

/// Looks near first, so that most bitmaps made are small. False in found: there is no way of at most limit.
static pv_status separate(const pv__sprite *a, const pv__sprite *b, int limit, const pv_allocator *from,
                          int way[2], bool *found) {
    int out = sooner(way_out(a->rect, b->rect), limit);
    way[0] = way[1] = 0;
    *found = true;
    if (out == 0 || !pv__sprites_hit(a, b)) return PV_OK;
    for (int reach = 16;; reach = reach > out / 2 ? out : 2 * reach) {
        sheet sheets[2];
        reach = sooner(reach, out);
        pv_status status = sheets_of(a, b, reach, from, sheets);
        if (status != PV_OK) return status;
        *found = shortest_way(sheets, reach, way);
        sheet_free(&sheets[0]);
        sheet_free(&sheets[1]);
        if (*found || reach == out) return PV_OK;
    }
}

pv_status pv_placed_separation(const pv_placed *a, const pv_placed *b, pv_vec2 *separation) {
    pv__sprite p, q;
    int way[2];
    bool found;
    if (!separation) return PV_ERROR_ARGUMENT;
    *separation = pv__vec(0, 0);
    pv_status status = pv__sprite_of(a, &p);
    if (status == PV_OK) status = pv__sprite_of(b, &q);
    if (status == PV_OK) status = separate(&p, &q, FARTHEST, &a->mask->allocator, way, &found);
    if (status == PV_OK) *separation = pv__vec(way[0], way[1]);
    return status;
}

/* ---- overlaps ---- */

static pv_vec2 middle_of(const pv_placed *p) {
    return pv_transform_point(&p->transform, pv__vec(0.5 * p->mask->bits.w, 0.5 * p->mask->bits.h));
}

/// A normal where the gradient vanishes.
static void settle(const pv_placed *a, const pv_placed *b, const pv__sprite *p, const pv__sprite *q,
                   pv_overlap *overlap) {
    int way[2];
    bool found = false;
    pv_vec2 apart = pv__sub(middle_of(b), middle_of(a));
    overlap->depth = FALLBACK_REACH;
    if (separate(p, q, FALLBACK_REACH, &a->mask->allocator, way, &found) == PV_OK && found) {
        apart = pv__vec(way[0], way[1]);
        overlap->depth = pv__length(apart);
    }
    double length = pv__length(apart);
    overlap->normal = length > 1e-9 ? pv__mul(1.0 / length, apart) : pv__vec(0, -1);
}

bool pv_placed_overlap(const pv_placed *a, const pv_placed *b, pv_overlap *overlap) {
    pv__sprite p, q;
    pv_overlap unwanted;
    if (!overlap) overlap = &unwanted;
    *overlap = (pv_overlap){0};
    if (pv__sprite_of(a, &p) != PV_OK || pv__sprite_of(b, &q) != PV_OK) return false;
    measure(&p, &q, overlap);
    if (overlap->area == 0) return false;
    if (overlap->normal.x == 0 && overlap->normal.y == 0) settle(a, b, &p, &q, overlap);
    return true;
}

/// Leaves of a stripe what a sprite has there too.
static void keep_shared(const pv__sprite *s, int x, int y, uint64_t *words, int h) {
    uint64_t room[ROOM];
    for (int row = 0; row < h; row += ROOM) {
        pv__bits out = {64, sooner(ROOM, h - row), room};
        pv__raster(s->bits, &s->map, x, y + row, &out);
        for (int i = 0; i < out.h; i++) words[row + i] &= room[i];
    }
}

pv_mask *pv_placed_overlap_mask(const pv_placed *a, const pv_placed *b, pv_rect *origin,
                                const pv_allocator *allocator, pv_status *status) {
    pv__sprite p, q;
    if (origin) *origin = (pv_rect){0, 0, 0, 0};
    pv_status checked = pv__sprite_of(a, &p);
    if (checked == PV_OK) checked = pv__sprite_of(b, &q);
    if (checked != PV_OK) return pv__say(status, checked), NULL;
    pv_rect rect = meet(p.rect, q.rect);
    pv_mask *made = pv_mask_create(rect.w, rect.h, allocator, status);
    if (!made) return NULL;
    pv__raster(p.bits, &p.map, rect.x, rect.y, &made->bits);
    for (int s = 0; s < pv__stripes(rect.w); s++)
        keep_shared(&q, rect.x + 64 * s, rect.y, made->bits.words + (size_t)s * (size_t)rect.h, rect.h);
    if (origin) *origin = rect;
    return made;
}

/* ---- distance ---- */

/// The first column >= from of a row that is solid, or w.
static int next_solid(const pv__bits *b, int y, int from) {
    if (from < 0) from = 0;
    for (int s = from >> 6; s < pv__stripes(b->w); s++) {
        uint64_t word = b->words[(size_t)s * (size_t)b->h + (size_t)y];
        if (s == from >> 6) word &= ~UINT64_C(0) << (from & 63);
        if (word) return s * 64 + __builtin_ctzll(word);
    }
    return b->w;
}

/// The last column <= from of a row that is solid, or -1.
static int last_solid(const pv__bits *b, int y, int from) {
    if (from >= b->w) from = b->w - 1;
    for (int s = from >> 6; from >= 0 && s >= 0; s--) {
        uint64_t word = b->words[(size_t)s * (size_t)b->h + (size_t)y];
        if (s == from >> 6) word &= ~UINT64_C(0) >> (63 - (from & 63));
        if (word) return s * 64 + 63 - __builtin_clzll(word);
    }
    return -1;
}

/// A pair of pixels, in the world, and the square of the distance of their squares.
typedef struct nearest_pair {
    int64_t square;
    int ax, ay, bx, by;
} nearest_pair;

static int64_t gap(int64_t from, int64_t to) {
    int64_t apart = from < to ? to - from : from - to;
    return apart > 1 ? apart - 1 : 0;
}

static void offer(nearest_pair *best, int ax, int ay, int bx, int by) {
    int64_t x = gap(ax, bx), y = gap(ay, by), square = x * x + y * y;
    if (square < best->square) *best = (nearest_pair){square, ax, ay, bx, by};
}

/// The rows of two sheets, each by where its solid pixels begin and end, in the world.
typedef struct extent {
    int first, last; ///< last < first: none
} extent;

static void read_extents(const sheet *s, extent *out) {
    for (int y = 0; y < s->bits.h; y++) {
        int first = next_solid(&s->bits, y, 0), last = last_solid(&s->bits, y, s->bits.w - 1);
        out[y] = last < 0 ? (extent){0, -1} : (extent){s->rect.x + first, s->rect.x + last};
    }
}

/// Two rows whose extents overlap. Of the pixels of a up to the next one of b the first is nearest to b's last
/// and the last to b's next, so those between are passed over.
static void offer_interleaved(const sheet *a, const sheet *b, int ya, int yb, nearest_pair *best) {
    int shift = a->rect.x - b->rect.x, wya = a->rect.y + ya, wyb = b->rect.y + yb;
    for (int x = next_solid(&a->bits, ya, 0); x < a->bits.w; x = next_solid(&a->bits, ya, x + 1)) {
        int right = next_solid(&b->bits, yb, x + shift), left = last_solid(&b->bits, yb, x + shift);
        if (left >= 0) offer(best, a->rect.x + x, wya, b->rect.x + left, wyb);
        if (right >= b->bits.w || right == left) return;
        x = last_solid(&a->bits, ya, right - shift);
        offer(best, a->rect.x + x, wya, b->rect.x + right, wyb);
    }
}

static void offer_rows(const sheet s[2], const extent *ea, const extent *eb, int ya, int yb,
                       nearest_pair *best) {
    extent p = ea[ya], q = eb[yb];
    int wya = s[0].rect.y + ya, wyb = s[1].rect.y + yb;
    if (p.last < p.first || q.last < q.first) return;
    if (p.last < q.first)
        offer(best, p.last, wya, q.first, wyb);
    else if (q.last < p.first)
        offer(best, p.first, wya, q.last, wyb);
    else
        offer_interleaved(&s[0], &s[1], ya, yb, best);
}

/// Each row of b against the rows of a, from its own height on up and down until they are too far.
static void offer_all(const sheet s[2], const extent *ea, const extent *eb, nearest_pair *best) {
    for (int yb = 0; yb < s[1].bits.h; yb++) {
        if (eb[yb].last < eb[yb].first) continue;
        int at = s[1].rect.y + yb - s[0].rect.y, h = s[0].bits.h;
        for (int ya = later(at, 0); ya < h && gap(at, ya) * gap(at, ya) < best->square; ya++)
            offer_rows(s, ea, eb, ya, yb, best);
        for (int ya = sooner(at, h) - 1; ya >= 0 && gap(at, ya) * gap(at, ya) < best->square; ya--)
            offer_rows(s, ea, eb, ya, yb, best);
    }
}

static pv_status nearest_of(const sheet s[2], const pv_allocator *from, nearest_pair *best) {
    size_t rows = (size_t)s[0].bits.h + (size_t)s[1].bits.h;
    best->square = INT64_MAX;
    if (rows == 0) return PV_OK;
    extent *extents = pv__alloc(from, rows, sizeof *extents);
    if (!extents) return PV_ERROR_MEMORY;
    read_extents(&s[0], extents);
    read_extents(&s[1], extents + s[0].bits.h);
    offer_all(s, extents, extents + s[0].bits.h, best);
    pv__free(from, extents, rows, sizeof *extents);
    return PV_OK;
}

static bool holds(pv_rect outer, pv_rect r) {
    return r.x >= outer.x && r.y >= outer.y && r.x + r.w <= outer.x + outer.w && r.y + r.h <= outer.y + outer.h;
}

/// Looks near first; what is beyond the reach of the other's rectangle is farther than that.
static pv_status nearest_pixels(const pv__sprite *a, const pv__sprite *b, const pv_allocator *from,
                                nearest_pair *best) {
    pv_rect p = a->rect, q = b->rect;
    int x = later(q.x - p.x - p.w, p.x - q.x - q.w), y = later(q.y - p.y - p.h, p.y - q.y - q.h);
    if (p.w == 0 || p.h == 0 || q.w == 0 || q.h == 0) return PV_ERROR_EMPTY;
    for (int reach = later(later(x, y), 0) + 16;; reach = sooner(reach, FARTHEST / 2) * 2) {
        sheet sheets[2];
        pv_status status = sheets_of(a, b, reach, from, sheets);
        if (status != PV_OK) return status;
        status = nearest_of(sheets, from, best);
        sheet_free(&sheets[0]);
        sheet_free(&sheets[1]);
        if (status != PV_OK || best->square <= (int64_t)reach * reach) return status;
        if (holds(grown(q, reach), p) && holds(grown(p, reach), q))
            return best->square == INT64_MAX ? PV_ERROR_EMPTY : PV_OK;
    }
}

/// Where the interval of pixel a is nearest to that of pixel b.
static double near_side(int a, int b) { return a == b ? a + 0.5 : a < b ? a + 1 : a; }

pv_status pv_placed_distance(const pv_placed *a, const pv_placed *b, pv_nearest *nearest) {
    pv__sprite p, q;
    nearest_pair best = {0};
    if (!nearest) return PV_ERROR_ARGUMENT;
    *nearest = (pv_nearest){0};
    pv_status status = pv__sprite_of(a, &p);
    if (status == PV_OK) status = pv__sprite_of(b, &q);
    if (status == PV_OK) status = nearest_pixels(&p, &q, &a->mask->allocator, &best);
    if (status != PV_OK) return status;
    nearest->distance = sqrt((double)best.square);
    nearest->a = pv__vec(near_side(best.ax, best.bx), near_side(best.ay, best.by));
    nearest->b = pv__vec(near_side(best.bx, best.ax), near_side(best.by, best.ay));
    return PV_OK;
}

/* ---- batches ---- */

/// What a batch asks about next is fetched this many sprites ahead.
#define AHEAD 4

/// A mask and its words are one block; a little of it starts the processor's own prefetching.
static void fetch(const pv_placed *placed) {
    if (!placed->mask) return;
    __builtin_prefetch(placed->mask);
    __builtin_prefetch((const char *)placed->mask + 64);
    __builtin_prefetch((const char *)placed->mask + 128);
}

/// A sprite that many are held against is turned once for all, when its bitmap has room; bits is of the caller.
static void turn_once(pv__sprite *s, pv__bits *bits, uint64_t room[ROOM]) {
    if (s->upright || pv__word_count(s->rect.w, s->rect.h) > ROOM) return;
    *bits = (pv__bits){s->rect.w, s->rect.h, room};
    pv__raster(s->bits, &s->map, s->rect.x, s->rect.y, bits);
    s->bits = bits;
    s->upright = true;
    s->map = (pv__map){s->rect.x, s->rect.y, ONE / 2, ONE / 2, ONE, 0, 0, ONE};
}

size_t pv_placed_hit_many(const pv_placed *placed, const pv_placed *others, size_t count, bool *hits) {
    pv__sprite one, other;
    pv__bits bits;
    uint64_t room[ROOM];
    size_t sum = 0;
    bool good = pv__sprite_of(placed, &one) == PV_OK && others;
    if (good && count > 1) turn_once(&one, &bits, room);
    for (size_t i = 0; i < count; i++) {
        if (good && i + AHEAD < count) fetch(&others[i + AHEAD]);
        bool hit = good && pv__sprite_of(&others[i], &other) == PV_OK && pv__sprites_hit(&one, &other);
        if (hits) hits[i] = hit;
        sum += hit;
    }
    return sum;
}

static void fetch_pair(const pv_placed *sprites, size_t count, pv_index_pair pair) {
    if (pair.a < count) fetch(&sprites[pair.a]);
    if (pair.b < count) fetch(&sprites[pair.b]);
}

size_t pv_placed_hit_pairs(const pv_placed *sprites, size_t count, const pv_index_pair *pairs,
                           size_t pair_count, bool *hits) {
    size_t sum = 0;
    if (!sprites || !pairs) count = 0;
    for (size_t i = 0; i < pair_count; i++) {
        if (count && i + AHEAD < pair_count) fetch_pair(sprites, count, pairs[i + AHEAD]);
        bool hit = count && pairs[i].a < count && pairs[i].b < count &&
                   pv_placed_hit(&sprites[pairs[i].a], &sprites[pairs[i].b]);
        if (hits) hits[i] = hit;
        sum += hit;
    }
    return sum;
}

/* ---- shapes ---- */

/// A point of the world in the picture; scale 1: before scaling.
static pv_vec2 into(const pv_transform *t, pv_vec2 point) {
    pv_vec2 arm = pv__unrotate(t->rotation, pv__sub(point, t->position));
    return pv__vec(t->pivot.x + arm.x / t->scale.x, t->pivot.y + arm.y / t->scale.y);
}

static bool solid_at(const pv_mask *mask, pv_vec2 m) {
    return m.x >= 0 && m.y >= 0 && m.x < mask->bits.w && m.y < mask->bits.h &&
           pv__bits_get(&mask->bits, (int)m.x, (int)m.y);
}

static bool askable(const pv_placed *placed, pv_vec2 point) {
    return pv__finite2(point) && pv__placeable(point) && pv_placed_check(placed) == PV_OK;
}

bool pv_placed_point(const pv_placed *placed, pv_vec2 point) {
    return askable(placed, point) && solid_at(placed->mask, into(&placed->transform, point));
}

/// A way through the cells of a picture.
typedef struct walk {
    double from[2], way[2]; ///< from + t way
    int cell[2], size[2];
    double t; ///< at which the cell was entered
    int axis; ///< along which it was entered; -1: it was begun in
} walk;

/// The part 0...limit of the way that is within the picture: enters it at t along an axis.
static bool enter(walk *w, double limit, double *out) {
    double in = 0, end = limit;
    w->axis = -1;
    for (int k = 0; k < 2; k++) {
        if (w->way[k] == 0) {
            if (w->from[k] < 0 || w->from[k] >= w->size[k]) return false;
            continue;
        }
        double near = -w->from[k] / w->way[k], far = (w->size[k] - w->from[k]) / w->way[k];
        if (near > far) {
            double swap = near;
            near = far;
            far = swap;
        }
        if (near >= in) {
            in = near;
            w->axis = k;
        }
        if (far < end) end = far;
    }
    w->t = in;
    *out = end;
    return pv__finite(in) && (in < end || in == limit); /* more than a corner, or an edge at the very end */
}

/// The first cell; on the axis by which the picture is entered it is known without rounding.
static void first_cell(walk *w) {
    for (int k = 0; k < 2; k++) {
        double at = w->from[k] + w->t * w->way[k];
        w->cell[k] = (int)pv__clamp((double)pv__floor(at), 0, w->size[k] - 1);
        if (w->axis == k) w->cell[k] = w->way[k] > 0 ? 0 : w->size[k] - 1;
    }
}

/// When the way leaves its cell along an axis.
static double leaves(const walk *w, int k) {
    if (w->way[k] == 0) return HUGE_VAL;
    return (w->cell[k] + (w->way[k] > 0) - w->from[k]) / w->way[k];
}

/// Goes to the next cell; false when it is outside or later than end.
static bool advance(walk *w, double end) {
    double x = leaves(w, 0), y = leaves(w, 1);
    w->axis = x <= y ? 0 : 1;
    w->t = pv__max(w->t, x <= y ? x : y);
    w->cell[w->axis] += w->way[w->axis] > 0 ? 1 : -1;
    return w->t <= end && pv__finite(w->t) && w->cell[w->axis] >= 0 && w->cell[w->axis] < w->size[w->axis];
}

static bool find_solid(walk *w, const pv__bits *bits, double limit) {
    double end;
    if (!enter(w, limit, &end)) return false;
    first_cell(w);
    do
        if (pv__bits_get(bits, w->cell[0], w->cell[1])) return true;
    while (advance(w, end));
    return false;
}

/// The normal of the edge by which a cell was entered, in the world.
static pv_vec2 edge_normal(const walk *w, const pv_transform *t) {
    if (w->axis < 0) return pv__vec(0, 0);
    double scale = w->axis == 0 ? t->scale.x : t->scale.y;
    double out = (w->way[w->axis] > 0) == (scale > 0) ? -1 : 1;
    return pv__rotate(t->rotation, w->axis == 0 ? pv__vec(out, 0) : pv__vec(0, out));
}

static bool cast(const pv_placed *placed, pv_vec2 from, pv_vec2 way, double limit, pv_ray_hit *hit) {
    const pv_transform *t = &placed->transform;
    const pv__bits *bits = &placed->mask->bits;
    pv_vec2 m = into(t, from), turned = pv__unrotate(t->rotation, way);
    walk w = {
        .from = {m.x, m.y}, .way = {turned.x / t->scale.x, turned.y / t->scale.y}, .size = {bits->w, bits->h}};
    if (bits->w == 0 || bits->h == 0) return false;
    if (solid_at(placed->mask, m)) {
        *hit = (pv_ray_hit){0, from, {0, 0}, (int)m.x, (int)m.y};
        return true;
    }
    if (!find_solid(&w, bits, limit)) return false;
    *hit = (pv_ray_hit){w.t, pv__mad(from, w.t, way), edge_normal(&w, t), w.cell[0], w.cell[1]};
    return true;
}

bool pv_placed_segment(const pv_placed *placed, pv_vec2 from, pv_vec2 to, pv_ray_hit *hit) {
    pv_ray_hit unwanted;
    if (!hit) hit = &unwanted;
    *hit = (pv_ray_hit){0};
    return askable(placed, from) && pv__finite2(to) && pv__placeable(to) &&
           cast(placed, from, pv__sub(to, from), 1, hit);
}

bool pv_placed_ray(const pv_placed *placed, pv_vec2 origin, pv_vec2 direction, pv_ray_hit *hit) {
    pv_ray_hit unwanted;
    if (!hit) hit = &unwanted;
    *hit = (pv_ray_hit){0};
    return askable(placed, origin) && pv__finite2(direction) && pv__placeable(direction) &&
           cast(placed, origin, direction, HUGE_VAL, hit);
}

bool pv__bits_any(const pv__bits *bits, int64_t left, int64_t right, int top, int bottom) {
    if (left < 0) left = 0;
    if (right >= bits->w) right = bits->w - 1;
    for (int64_t s = left >> 6; left <= right && s <= right >> 6; s++) {
        uint64_t of = ~UINT64_C(0);
        if (s == left >> 6) of &= ~UINT64_C(0) << (left & 63);
        if (s == right >> 6) of &= ~UINT64_C(0) >> (63 - (right & 63));
        for (int y = top; y <= bottom; y++)
            if (bits->words[s * bits->h + y] & of) return true;
    }
    return false;
}

/// Whether a row has a solid pixel that reaches into the open interval low...high.
static bool row_meets(const pv__bits *bits, int y, double low, double high) {
    if (!(low < high)) return false;
    int64_t first = pv__floor(pv__clamp(low, -1, bits->w)),
            last = -pv__floor(-pv__clamp(high, -1, bits->w + 1)) - 1;
    return pv__bits_any(bits, first, last, y, y);
}

/// The rows that reach into the open interval low...high: *first...*last.
static void rows_between(const pv__bits *bits, double low, double high, int *first, int *last) {
    *first = (int)pv__floor(pv__clamp(low, 0, bits->h));
    *last = (int)-pv__floor(-pv__clamp(high, 0, bits->h)) - 1;
}

/// In the picture a disc is an ellipse along its axes; over a row it reaches farthest at the row's line nearest
/// to its middle.
bool pv_placed_circle(const pv_placed *placed, pv_vec2 centre, double radius) {
    if (!askable(placed, centre) || !(radius > 0) || radius > PV_MAX_COORDINATE) return false;
    const pv__bits *bits = &placed->mask->bits;
    const pv_transform *t = &placed->transform;
    pv_vec2 m = into(t, centre);
    double rx = radius / pv__abs(t->scale.x), ry = radius / pv__abs(t->scale.y);
    int first, last;
    rows_between(bits, m.y - ry, m.y + ry, &first, &last);
    for (int y = first; y <= last; y++) {
        double off = (pv__clamp(m.y, y, y + 1) - m.y) / ry;
        double half = rx * sqrt(pv__max(0, 1 - off * off));
        if (row_meets(bits, y, m.x - half, m.x + half)) return true;
    }
    return false;
}

/// Widens low...high by what an edge of a polygon has between two heights.
static void widen(pv_vec2 p, pv_vec2 q, double top, double bottom, double *low, double *high) {
    if (p.y > q.y) {
        pv_vec2 swap = p;
        p = q;
        q = swap;
    }
    if (q.y < top || p.y > bottom) return;
    double slope = q.y > p.y ? (q.x - p.x) / (q.y - p.y) : 0;
    double x1 = p.y < top ? p.x + (top - p.y) * slope : p.x,
           x2 = q.y > bottom ? p.x + (bottom - p.y) * slope : q.x;
    *low = pv__min(*low, pv__min(x1, x2));
    *high = pv__max(*high, pv__max(x1, x2));
}

/// In the picture a rectangle is a parallelogram; what it has of a row is as wide as its edges there.
bool pv_placed_rectangle(const pv_placed *placed, pv_box box) {
    if (!askable(placed, box.min) || !pv__finite2(box.max) || !pv__placeable(box.max)) return false;
    if (!(box.min.x < box.max.x && box.min.y < box.max.y)) return false;
    const pv__bits *bits = &placed->mask->bits;
    const pv_transform *t = &placed->transform;
    pv_vec2 corner[4] = {into(t, box.min), into(t, pv__vec(box.max.x, box.min.y)), into(t, box.max),
                         into(t, pv__vec(box.min.x, box.max.y))};
    double top = corner[0].y, bottom = corner[0].y;
    for (int i = 1; i < 4; i++) {
        top = pv__min(top, corner[i].y);
        bottom = pv__max(bottom, corner[i].y);
    }
    int first, last;
    rows_between(bits, top, bottom, &first, &last);
    for (int y = first; y <= last; y++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < 4; i++) widen(corner[i], corner[(i + 1) & 3], y, y + 1, &low, &high);
        if (row_meets(bits, y, low, high)) return true;
    }
    return false;
}
