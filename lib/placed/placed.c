/* placed.c - overlaps of placed sprites, singly and in batches.
 *
 * Invariant: sprites are compared by their exact bitmaps. Bitmaps are cut into tiles that fit on
 * the stack, and tiles that cannot overlap are not rasterized. Sums over tiles are integers, so the
 * way of cutting does not change them.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "placed/placed.h"
#include "base/base.h"
#include "pixel/kernel.h"
#include "pixel/mask.h"
#include "pixel/overlap.h"

/// Number of words of a tile's bitmap.
#define PLACED_ROOM 1024
/// Greatest number of columns of a tile. With a pixel of margin on each side it has 8 stripes.
#define TILE_WIDTH 448
/// Number of rows in the middle that are tested before all others.
#define FIRST_ROWS 4
/// Greatest side of a part that is tested at once [px]
#define SMALL_PART 32

/* ---- one sprite ---- */

pv_placed pv_placed_centered(const pv_mask *mask, pv_vec2 center, double angle) {
    pv_placed placed = {NULL, pv_transform_identity()};
    if (!mask || !pv__placeable(center) || !(pv__abs(angle) <= 1e6)) return placed;
    placed.mask = mask;
    placed.transform.position = center;
    placed.transform.rotation = pv_rotation_from_angle(angle);
    placed.transform.pivot = pv__vec(0.5 * mask->bits.w, 0.5 * mask->bits.h);
    return placed;
}

pv_status pv__placed_check(const pv_placed *placed) {
    if (!placed || !placed->mask) return PV_ERROR_ARGUMENT;
    const pv_transform *t = &placed->transform;
    if (pv__is_plain(t) && pv__placeable(t->position) && pv__placeable(t->pivot)) return PV_OK;
    return pv__raster_check_transform(t);
}

bool pv__check_placed(pv_error *e, const pv__placed_names *names, const pv_placed *placed) {
    return pv__check_pointer(e, names->placed, placed) &&
           pv__check_pointer(e, names->mask, placed->mask) &&
           pv__check_transform(e, &names->transform, &placed->transform);
}

/// Returns the map of an upright sprite of scale 1. Equals pv__raster_map_of(), but saves its
/// divisions.
static pv__map plain_map(const pv_transform *t) {
    int x0 = (int)pv__floor(t->position.x), y0 = (int)pv__floor(t->position.y);
    double u = t->pivot.x + (x0 + 0.5 - t->position.x), v = t->pivot.y + (y0 + 0.5 - t->position.y);
    return (pv__map){x0,
                     y0,
                     pv__floor(u * 4294967296.0 + 0.5),
                     pv__floor(v * 4294967296.0 + 0.5),
                     PV__ONE,
                     0,
                     0,
                     PV__ONE};
}

pv_status pv__placed_sprite_of(const pv_placed *p, pv__sprite *out) {
    pv_status status = pv__placed_check(p);
    if (status != PV_OK) return status;
    const pv_transform *t = &p->transform;
    const pv__bits *bits = &p->mask->bits;
    out->map = pv__is_plain(t) ? plain_map(t) : pv__raster_map_of(t);
    out->bits = bits;
    out->upright = pv__map_is_upright(&out->map);
    if (out->upright)
        out->rect = (pv_rect){out->map.x0 - (int)(out->map.u >> 32),
                              out->map.y0 - (int)(out->map.v >> 32), bits->w, bits->h};
    else
        out->rect = pv__raster_rect(t, bits->w, bits->h);
    return PV_OK;
}

pv_box pv__placed_bounds(const pv_placed *placed) {
    if (pv__placed_check(placed) != PV_OK) return (pv_box){{0, 0}, {-1, -1}};
    return pv_transform_compute_bounds(&placed->transform, placed->mask->bits.w,
                                       placed->mask->bits.h);
}

pv__bits pv__placed_sprite_part(const pv__sprite *s, pv_rect *of, uint64_t *room) {
    if (s->upright) {
        *of = s->rect;
        return *s->bits;
    }
    pv__bits out = {of->w, of->h, room};
    pv__raster(s->bits, &s->map, of->x, of->y, &out);
    return out;
}

/* ---- two sprites, tile by tile ---- */

/// Bitmaps of two sprites over a part of the world, b's pixel (0, 0) on a's (dx, dy). The overlaps
/// of all tiles add up to that of the sprites, even with b moved by up to reach.
typedef struct tile {
    pv__bits a, b;
    int64_t dx, dy;
    /// World pixel of a's (0, 0)
    int x, y;
} tile;

/// Decomposition of a pair into tiles. One sprite, the lead, is cut into disjoint parts. The other
/// is taken with a margin, or whole.
typedef struct meeting {
    const pv__sprite *lead, *other;
    /// Part of the lead within reach of the other sprite
    pv_rect region;
    int reach, rows;
    /// Start of the next tile
    int x, y;
    bool swapped;
    uint64_t lead_room[PLACED_ROOM], other_room[PLACED_ROOM];
} meeting;

/// Starts a decomposition. An upright sprite is best taken whole, so it does not lead.
static void begin(meeting *m, const pv__sprite *a, const pv__sprite *b, int reach) {
    m->swapped = a->upright && !b->upright;
    m->lead = m->swapped ? b : a;
    m->other = m->swapped ? a : b;
    m->region = pv__rect_meet(m->lead->rect, pv__rect_grown(m->other->rect, reach));
    m->reach = reach;
    int width = pv__sooner(m->region.w, TILE_WIDTH) + 2 * reach;
    m->rows = PLACED_ROOM / pv__later(pv__bits_stripes(width), 1) - 2 * reach;
    m->x = m->region.x;
    m->y = m->region.y;
}

/// Finds the next tile's rectangle. Two upright sprites are one tile.
static bool next_rect(meeting *m, pv_rect *of) {
    int right = m->region.x + m->region.w, bottom = m->region.y + m->region.h;
    if (m->region.w == 0 || m->y >= bottom) return false;
    *of = (pv_rect){m->x, m->y, pv__sooner(TILE_WIDTH, right - m->x),
                    pv__sooner(m->rows, bottom - m->y)};
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
    other = pv__rect_grown(lead, m->reach);
    pv__bits p = pv__placed_sprite_part(m->lead, &lead, m->lead_room),
             q = pv__placed_sprite_part(m->other, &other, m->other_room);
    int64_t dx = (int64_t)other.x - lead.x, dy = (int64_t)other.y - lead.y;
    *t = m->swapped ? (tile){q, p, -dx, -dy, other.x, other.y}
                    : (tile){p, q, dx, dy, lead.x, lead.y};
    return true;
}

static bool any_tile_hits(meeting *m) {
    tile t;
    while (next_tile(m, &t))
        if (pv__bits_hit(&t.a, &t.b, t.dx, t.dy)) return true;
    return false;
}

bool pv__bits_any(const pv__bits *bits, int64_t left, int64_t right, int64_t top, int64_t bottom) {
    if (left < 0) left = 0;
    if (right >= bits->w) right = bits->w - 1;
    if (top < 0) top = 0;
    if (bottom >= bits->h) bottom = bits->h - 1;
    for (int64_t x = left & ~63; x <= right; x += 64) {
        uint64_t of = pv__bits_between((int)(left - x), (int)(right - x));
        const uint64_t *words = bits->words + (x >> 6) * bits->h;
        for (int64_t y = top; y <= bottom; y++)
            if (words[y] & of) return true;
    }
    return false;
}

bool pv__bits_any_in(const pv__bits *bits, const pv_box *box) {
    return pv__bits_any(bits, pv__floor(box->min.x), pv__floor(box->max.x), pv__floor(box->min.y),
                        pv__floor(box->max.y));
}

/// Tells whether a sprite may have a pixel in a part of the world. It tests the part's bounding box
/// in the picture.
static bool may_have(const pv__sprite *s, pv_rect part) {
    const pv__map *m = &s->map;
    int64_t u = m->u + (part.x - m->x0) * m->ux + (part.y - m->y0) * m->uy;
    int64_t v = m->v + (part.x - m->x0) * m->vx + (part.y - m->y0) * m->vy;
    int64_t across[2] = {part.w * m->ux, part.w * m->vx},
            down[2] = {part.h * m->uy, part.h * m->vy};
    int64_t left = u + (across[0] < 0 ? across[0] : 0) + (down[0] < 0 ? down[0] : 0);
    int64_t right = u + (across[0] > 0 ? across[0] : 0) + (down[0] > 0 ? down[0] : 0);
    int64_t top = v + (across[1] < 0 ? across[1] : 0) + (down[1] < 0 ? down[1] : 0);
    int64_t bottom = v + (across[1] > 0 ? across[1] : 0) + (down[1] > 0 ? down[1] : 0);
    return pv__bits_any(s->bits, left >> 32, right >> 32, top >> 32, bottom >> 32);
}

/// Tells whether the sprites share a pixel in a part. It halves a large part, because most of it is
/// empty in one of them.
static bool any_part_hits(meeting *m, pv_rect part) {
    if (part.w <= SMALL_PART && part.h <= SMALL_PART) {
        m->region = part;
        m->x = part.x;
        m->y = part.y;
        return any_tile_hits(m);
    }
    pv_rect half[2];
    pv__rect_halve(part, half);
    for (int i = 0; i < 2; i++)
        if (may_have(m->lead, half[i]) && may_have(m->other, half[i]) && any_part_hits(m, half[i]))
            return true;
    return false;
}

bool pv__placed_sprites_hit(const pv__sprite *a, const pv__sprite *b) {
    if (a->upright && b->upright)
        return pv__bits_hit(a->bits, b->bits, (int64_t)b->rect.x - a->rect.x,
                            (int64_t)b->rect.y - a->rect.y);
    meeting m;
    begin(&m, a, b, 0);
    pv_rect all = m.region;
    /* Most overlapping pairs share pixels in the middle. */
    m.y = m.region.y += all.h / 2;
    m.region.h = FIRST_ROWS;
    return (all.h > 4 * FIRST_ROWS && any_tile_hits(&m)) || any_part_hits(&m, all);
}

bool pv_placed_test_overlap(const pv_placed *a, const pv_placed *b) {
    pv__sprite p, q;
    return pv__placed_sprite_of(a, &p) == PV_OK && pv__placed_sprite_of(b, &q) == PV_OK &&
           pv__placed_sprites_hit(&p, &q);
}

int64_t pv_placed_compute_overlap_area(const pv_placed *a, const pv_placed *b) {
    pv__sprite p, q;
    meeting m;
    tile t;
    int64_t area = 0;
    if (pv__placed_sprite_of(a, &p) != PV_OK || pv__placed_sprite_of(b, &q) != PV_OK) return 0;
    begin(&m, &p, &q, 0);
    while (next_tile(&m, &t)) area += pv__bits_area(&t.a, &t.b, t.dx, t.dy);
    return area;
}

/* ---- measures of an overlap ---- */

/// Adds the sums over a tile, in world coordinates.
static void add_tile(pv__tally *sum, const tile *t) {
    const pv__kernel *kernel = pv__kernel_in_use();
    pv__tally own;
    int64_t slope[2];
    kernel->gradient(&t->a, &t->b, t->dx, t->dy, slope);
    sum->gx += slope[0];
    sum->gy += slope[1];
    kernel->overlap(&t->a, &t->b, t->dx, t->dy, &own);
    if (own.area == 0) return;
    own.box.x += t->x;
    own.box.y += t->y;
    sum->box = sum->area == 0 ? own.box : pv__rect_join(sum->box, own.box);
    sum->area += own.area;
    sum->x += own.x + own.area * t->x;
    sum->y += own.y + own.area * t->y;
}

static void conclude(const pv__tally *sum, pv_overlap *overlap) {
    if (sum->area == 0) return;
    double area = (double)sum->area;
    pv_vec2 slope = pv__vec((double)sum->gx, (double)sum->gy);
    double length = pv__length(slope);
    overlap->area = sum->area;
    overlap->point = pv__vec((double)sum->x / area + 0.5, (double)sum->y / area + 0.5);
    overlap->bounds = sum->box;
    if (length > 0) {
        overlap->normal = pv__vec(-slope.x / length, -slope.y / length);
        overlap->depth = 2.0 * area / length;
    }
}

void pv__placed_measure(const pv__sprite *a, const pv__sprite *b, pv_overlap *overlap) {
    meeting m;
    tile t;
    *overlap = (pv_overlap){0};
    begin(&m, a, b, 1);
    if (!next_tile(&m, &t)) return;
    /* A single tile needs one pass only. */
    if (m.y >= m.region.y + m.region.h) {
        if (!pv__bits_overlap(&t.a, &t.b, t.dx, t.dy, overlap)) return;
        overlap->point = pv__add(overlap->point, pv__vec(t.x, t.y));
        overlap->bounds.x += t.x;
        overlap->bounds.y += t.y;
        return;
    }
    pv__tally sum = {0};
    do add_tile(&sum, &t);
    while (next_tile(&m, &t));
    conclude(&sum, overlap);
}
