/* pv_outline.c - outlines of masks along the edges of their pixels, with holes, and convex hulls.
 *
 * Invariant: whoever walks along a contour has solid pixels at the right, so outer contours go clockwise on the
 * screen and holes the other way. Every edge between a solid and an empty pixel is walked once. Whole numbers
 * only.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_base.h"
#include "pv_pixels.h"

typedef struct contour {
    int first, count, outer;
    int64_t area;
    pv_point start; ///< the solid pixel below its first edge
} contour;

struct pv_outline {
    pv_allocator allocator;
    contour *contour;
    int contours, contour_room;
    pv_point *point;
    int points, point_room;
};

static bool add_point(pv_outline *o, int x, int y) {
    if (!pv__reserve(&o->allocator, &o->point, &o->point_room, o->points + 1, sizeof(pv_point))) return false;
    o->point[o->points++] = (pv_point){x, y};
    return true;
}

static contour *add_contour(pv_outline *o, pv_point start) {
    int room = o->contours + 1;
    if (!pv__reserve(&o->allocator, &o->contour, &o->contour_room, room, sizeof(contour))) return NULL;
    contour *made = &o->contour[o->contours];
    *made = (contour){o->points, 0, o->contours, 0, start};
    o->contours++;
    return made;
}

/* ---- walking ---- */

/// Where to go on from a corner that was reached in a direction.
static int turn(const pv__bits *bits, int x, int y, int way, bool diagonal) {
    pv_point r = pv__ahead[way], l = pv__ahead[(way + 3) & 3];
    return pv__turn(way, pv__is_solid(bits, x + l.x, y + l.y), pv__is_solid(bits, x + r.x, y + r.y), diagonal);
}

/// Walks the contour of the edge above pixel start, and takes its edges of that kind out of open. Its left end
/// is a corner: else the edge before would have come first.
static bool walk(pv_outline *o, const pv__bits *bits, const pv__bits *open, pv_point start, bool diagonal) {
    contour *c = add_contour(o, start);
    int x = start.x, y = start.y, direction = 0;
    if (!c || !add_point(o, x, y)) return false;
    for (bool back = false; !back;) {
        if (direction == 0)
            open->words[(size_t)(x >> 6) * (size_t)open->h + (size_t)y] &= ~(UINT64_C(1) << (x & 63));
        x += pv__way[direction].x;
        y += pv__way[direction].y;
        c->area += (int64_t)x * pv__way[direction].y; /* Green's theorem */
        int next = turn(bits, x, y, direction, diagonal);
        back = next == 0 && x == start.x && y == start.y;
        if (next != direction && !back && !add_point(o, x, y)) return false;
        direction = next;
    }
    c->count = o->points - c->first;
    return true;
}

static bool walk_all(pv_outline *o, const pv__bits *bits, const pv__bits *open, bool diagonal) {
    for (int y = 0; y < bits->h; y++)
        for (pv__run run = {0, 0}; pv__run_next(open, y, &run); run.end = run.start)
            if (!walk(o, bits, open, (pv_point){run.start, y}, diagonal)) return false;
    return true;
}

/* ---- which hole is in what ---- */

/// A part has one outer contour, so its place among the parts tells a hole which one it lies in.
static bool find_outers(pv_outline *o, const pv_mask *mask, pv_neighbours neighbours) {
    pv_parts *parts = pv_parts_find(mask, neighbours, NULL);
    size_t count = (size_t)pv_parts_count(parts);
    int *outer = parts ? pv__alloc(&o->allocator, count, sizeof(int)) : NULL;
    for (int hole = 0; outer && hole < 2; hole++)
        for (int i = 0; i < o->contours; i++) {
            contour *c = &o->contour[i];
            int part = pv_parts_at(parts, c->start.x, c->start.y);
            if (c->area > 0) outer[part] = i;
            c->outer = outer[part];
        }
    bool good = outer != NULL;
    pv__free(&o->allocator, outer, count, sizeof(int));
    pv_parts_free(parts);
    return good;
}

static bool has_holes(const pv_outline *o) {
    for (int i = 0; i < o->contours; i++)
        if (o->contour[i].area < 0) return true;
    return false;
}

static bool trace(pv_outline *o, const pv_mask *mask, pv_neighbours neighbours) {
    pv_mask *open = pv_mask_copy(mask, NULL);
    if (!open) return false;
    pv__bits_combine(&open->bits, &mask->bits, 0, 1, PV_COMBINE_ANDNOT); /* solid, with nothing above */
    bool good = walk_all(o, &mask->bits, &open->bits, neighbours == PV_NEIGHBOURS_8);
    pv_mask_release(open);
    return good && (!has_holes(o) || find_outers(o, mask, neighbours));
}

/* ---- hulls ---- */

/// The smallest and the largest x of solid pixels' corners at a height; false where there are none.
static bool corners_at(const pv__bits *bits, int y, int *left, int *right) {
    *left = bits->w;
    *right = 0;
    for (int row = y - 1; row <= y; row++) {
        if (row < 0 || row >= bits->h) continue;
        for (int s = 0; s < pv__stripes(bits->w); s++) {
            uint64_t word = bits->words[(size_t)s * (size_t)bits->h + (size_t)row];
            if (!word) continue;
            int first = s * 64 + __builtin_ctzll(word), end = s * 64 + 64 - __builtin_clzll(word);
            if (first < *left) *left = first;
            if (end > *right) *right = end;
        }
    }
    return *right > 0;
}

static int64_t doubled_area(pv_point a, pv_point b, pv_point c) {
    return (int64_t)(b.x - a.x) * (c.y - a.y) - (int64_t)(b.y - a.y) * (c.x - a.x);
}

/// Adds a point to a chain that begins at from, and takes out what then does not turn to the right.
static bool add_to_chain(pv_outline *o, int from, int x, int y) {
    pv_point *p = o->point;
    while (o->points - from >= 2 && doubled_area(p[o->points - 2], p[o->points - 1], (pv_point){x, y}) <= 0)
        o->points--;
    return add_point(o, x, y);
}

/// The monotone chains of Andrew (1979), by rows: down the right side, then up the left side.
static bool hull(pv_outline *o, const pv__bits *bits) {
    int left, right, top = 0;
    while (top <= bits->h && !corners_at(bits, top, &left, &right)) top++;
    if (top > bits->h) return true;
    contour *c = add_contour(o, (pv_point){left, top});
    if (!c || !add_point(o, left, top)) return false;
    for (int y = top; y <= bits->h; y++)
        if (corners_at(bits, y, &left, &right) && !add_to_chain(o, 0, right, y)) return false;
    int chain = o->points - 1;
    for (int y = bits->h; y >= top; y--)
        if (corners_at(bits, y, &left, &right) && !add_to_chain(o, chain, left, y)) return false;
    c->count = --o->points; /* the last is the first again */
    int64_t area = 0;
    for (int i = 2; i < c->count; i++) area += doubled_area(o->point[0], o->point[i - 1], o->point[i]);
    c->area = area / 2;
    return true;
}

/* ---- public ---- */

static pv_outline *make(const pv_mask *mask) {
    pv_outline *outline = pv__alloc(&mask->allocator, 1, sizeof *outline);
    if (outline) outline->allocator = mask->allocator;
    return outline;
}

static pv_outline *finish(pv_outline *outline, bool good, pv_status *status) {
    pv__say(status, good ? PV_OK : PV_ERROR_MEMORY);
    if (!good) pv_outline_free(outline);
    return good ? outline : NULL;
}

pv_outline *pv_outline_trace(const pv_mask *mask, pv_neighbours neighbours, pv_status *status) {
    if (!mask || (neighbours != PV_NEIGHBOURS_4 && neighbours != PV_NEIGHBOURS_8))
        return pv__say(status, PV_ERROR_ARGUMENT), NULL;
    pv_outline *outline = make(mask);
    return finish(outline, outline && trace(outline, mask, neighbours), status);
}

pv_outline *pv_outline_hull(const pv_mask *mask, pv_status *status) {
    if (!mask) return pv__say(status, PV_ERROR_ARGUMENT), NULL;
    pv_outline *outline = make(mask);
    return finish(outline, outline && hull(outline, &mask->bits), status);
}

void pv_outline_free(pv_outline *outline) {
    if (!outline) return;
    pv_allocator from = outline->allocator;
    pv__free(&from, outline->contour, (size_t)outline->contour_room, sizeof(contour));
    pv__free(&from, outline->point, (size_t)outline->point_room, sizeof(pv_point));
    pv__free(&from, outline, 1, sizeof *outline);
}

int pv_outline_count(const pv_outline *outline) { return outline ? outline->contours : 0; }

pv_contour pv_outline_get(const pv_outline *outline, int index) {
    if (!outline || index < 0 || index >= outline->contours) return (pv_contour){NULL, 0, -1, 0};
    const contour *c = &outline->contour[index];
    return (pv_contour){outline->point + c->first, c->count, c->outer, c->area};
}
