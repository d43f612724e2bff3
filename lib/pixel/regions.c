/* regions.c - connected components of a mask, and their outlines.
 *
 * Invariant: runs are in reading order, with parents before children, so a component's first run is
 * its root. Components are ordered by area, then by their first pixel. This total order is the same
 * on every machine.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/base.h"
#include "base/error.h"
#include "base/math.h"
#include "pixel/kernel.h"
#include "pixel/mask.h"
#include "pixel/mask_ops.h"

/// Solid pixels start...end - 1 of row y.
typedef struct parts_run {
    int start, end, y;
    /// Parent run during the search, afterward the component
    int part;
    /// Next run of the component, or PV__NONE
    int next;
} parts_run;

typedef struct parts_part {
    pv_part is;
    /// First of its runs
    int first;
} parts_part;

struct pv_parts {
    pv_allocator allocator;
    parts_run *run;
    int runs, run_room;
    parts_part *part;
    int parts;
};

static bool read_runs(pv_parts *o, const pv__bits *bits) {
    for (int y = 0; y < bits->h; y++)
        for (pv__run next = {0, 0}; pv__mask_run_next(bits, y, &next);) {
            parts_run run = {next.start, next.end, y, o->runs, PV__NONE};
            if (!PV__APPEND(&o->allocator, o->run, o->run_room, o->runs, run)) return false;
        }
    return true;
}

/* ---- joining ---- */

static void join(parts_run *runs, int a, int b) {
    a = PV__ROOT(runs, part, a);
    b = PV__ROOT(runs, part, b);
    if (a < b) runs[b].part = a;
    if (b < a) runs[a].part = b;
}

/// Joins runs that touch in neighboring rows; with reach 1 corners touch as well.
static void join_rows(pv_parts *o, int reach) {
    for (int a = 0, b = 0; b < o->runs;) {
        const parts_run *above = &o->run[a], *run = &o->run[b];
        bool next = above->y == run->y - 1;
        if (next && above->start < run->end + reach && run->start < above->end + reach)
            join(o->run, a, b);
        if (above->y < run->y - 1 || (next && above->end < run->end))
            a++;
        else
            b++;
    }
}

/// Replaces the parent of every run with the index of its component.
static void name_parts(pv_parts *o) {
    for (int i = 0; i < o->runs; i++)
        o->run[i].part = o->run[i].part == i ? o->parts++ : o->run[o->run[i].part].part;
}

/* ---- areas and order ---- */

/// Adds run i in front of the other runs of its component.
static void add_run(pv_parts *o, int i) {
    parts_run *r = &o->run[i];
    parts_part *p = &o->part[r->part];
    pv_rect row = {r->start, r->y, r->end - r->start, 1};
    r->next = p->is.area ? p->first : PV__NONE;
    p->first = i;
    p->is.rect = p->is.area ? pv__rect_join(p->is.rect, row) : row;
    p->is.area += row.w;
}

static int compare_parts(const void *p, const void *q) {
    const parts_part *a = p, *b = q;
    return a->is.area != b->is.area ? (a->is.area > b->is.area ? -1 : 1) : a->first - b->first;
}

static bool find_parts(pv_parts *o, const pv__bits *bits, int reach) {
    if (!read_runs(o, bits)) return false;
    join_rows(o, reach);
    name_parts(o);
    o->part = pv__alloc(&o->allocator, (size_t)o->parts + 1, sizeof(parts_part));
    if (!o->part) return false;
    for (int i = o->runs - 1; i >= 0; i--) add_run(o, i);
    pv__sort(o->part, o->parts, sizeof *o->part, compare_parts);
    for (int k = 0; k < o->parts; k++)
        for (int i = o->part[k].first; i != PV__NONE; i = o->run[i].next) o->run[i].part = k;
    return true;
}

/* ---- public ---- */

static bool check_neighbors(pv_error *e, const pv_mask *mask, pv_connectivity neighbors) {
    if (!pv__check_pointer(e, "mask", mask)) return false;
    if (neighbors == PV_CONNECTIVITY_4 || neighbors == PV_CONNECTIVITY_8) return true;
    e->value = neighbors, e->min = PV_CONNECTIVITY_4, e->max = PV_CONNECTIVITY_8;
    return pv__error_say(e, PV_ERROR_ARGUMENT, "neighbors", "neighbors is %d, must be 4 or 8",
                         (int)neighbors) == PV_OK;
}

pv_parts *pv_parts_create(const pv_mask *mask, pv_connectivity neighbors, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!check_neighbors(e, mask, neighbors)) return NULL;
    pv_parts *parts = pv__alloc(&mask->allocator, 1, sizeof *parts);
    if (parts) {
        parts->allocator = mask->allocator;
        if (find_parts(parts, &mask->bits, neighbors == PV_CONNECTIVITY_8)) return parts;
    }
    pv_parts_destroy(parts);
    return pv__error_set(e, PV_ERROR_MEMORY), NULL;
}

void pv_parts_destroy(pv_parts *parts) {
    if (!parts) return;
    pv_allocator from = parts->allocator;
    pv__free(&from, parts->part, (size_t)parts->parts + 1, sizeof(parts_part));
    PV__FREE(&from, parts->run, parts->run_room);
    pv__free(&from, parts, 1, sizeof *parts);
}

int pv_parts_get_count(const pv_parts *parts) { return parts ? parts->parts : 0; }

pv_part pv_parts_get_part(const pv_parts *parts, int index) {
    return parts && index >= 0 && index < parts->parts ? parts->part[index].is
                                                       : (pv_part){0, {0, 0, 0, 0}};
}

/// Compares a run with a pixel, in reading order. A run equals each of its pixels.
static int compare_place(const void *run, const void *pixel) {
    const parts_run *r = run;
    const pv_point *p = pixel;
    if (r->y != p->y) return r->y < p->y ? -1 : 1;
    return r->end <= p->x ? -1 : r->start > p->x;
}

int pv_parts_find_at(const pv_parts *parts, int x, int y) {
    if (!parts) return -1;
    pv_point at = {x, y};
    int i = pv__sorted_place(parts->run, parts->runs, sizeof *parts->run, &at, compare_place);
    return i < parts->runs && compare_place(&parts->run[i], &at) == 0 ? parts->run[i].part : -1;
}

pv_mask *pv_parts_create_mask(const pv_parts *parts, int index, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!pv__check_pointer(e, "parts", parts) ||
        !pv__check_range(e, "index", index, 0, parts->parts - 1))
        return NULL;
    pv_rect box = parts->part[index].is.rect;
    pv_mask *mask = pv__mask_make(e, box.w, box.h, &parts->allocator);
    for (int i = parts->part[index].first; mask && i != PV__NONE; i = parts->run[i].next) {
        const parts_run *r = &parts->run[i];
        pv_mask_fill_rect(mask, (pv_rect){r->start - box.x, r->y - box.y, r->end - r->start, 1},
                          true);
    }
    return mask;
}

/* ---- outlines of masks along pixel edges, with holes, and convex hulls ----
 *
 * Invariant: solid pixels are on the right of a contour's direction. Outer contours are thus
 * clockwise on the screen, and holes counterclockwise. Every edge between a solid and an empty
 * pixel belongs to one contour, and all numbers are integers.
 */

typedef struct contour {
    int first, count, outer;
    int64_t area;
    /// Solid pixel below the first edge
    pv_point start;
} contour;

struct pv_outline {
    pv_allocator allocator;
    contour *contour;
    int contours, contour_room;
    pv_point *point;
    int points, point_room;
};

static bool add_point(pv_outline *o, int x, int y) {
    return PV__APPEND(&o->allocator, o->point, o->point_room, o->points, (pv_point){x, y});
}

static contour *add_contour(pv_outline *o, pv_point start) {
    int room = o->contours + 1;
    if (!PV__RESERVE(&o->allocator, o->contour, o->contour_room, room)) return NULL;
    contour *made = &o->contour[o->contours];
    *made = (contour){o->points, 0, o->contours, 0, start};
    o->contours++;
    return made;
}

/* ---- tracing ---- */

/// Returns the next direction at a corner that was reached in a direction.
static int turn(const pv__bits *bits, int x, int y, int way, bool diagonal) {
    pv_point r = pv__ahead[way], l = pv__ahead[(way + 3) & 3];
    return pv__bits_turn(way, pv__bits_is_solid(bits, x + l.x, y + l.y),
                         pv__bits_is_solid(bits, x + r.x, y + r.y), diagonal);
}

/// Traces the contour of the edge above pixel start, and removes its upper edges from open. The
/// left end of the edge is a corner, as otherwise the edge to its left would have come first.
static bool walk(pv_outline *o, const pv__bits *bits, const pv__bits *open, pv_point start,
                 bool diagonal) {
    contour *c = add_contour(o, start);
    int x = start.x, y = start.y, direction = 0;
    if (!c || !add_point(o, x, y)) return false;
    for (bool back = false; !back;) {
        if (direction == 0) *pv__bits_at(open, x, y) &= ~(UINT64_C(1) << (x & 63));
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
        for (pv__run run = {0, 0}; pv__mask_run_next(open, y, &run); run.end = run.start)
            if (!walk(o, bits, open, (pv_point){run.start, y}, diagonal)) return false;
    return true;
}

/* ---- assignment of holes ---- */

/// Assigns each hole to its outer contour. A component has one outer contour, so the hole's
/// component identifies it.
static bool find_outers(pv_outline *o, const pv_mask *mask, pv_connectivity neighbors) {
    pv_parts *parts = pv_parts_create(mask, neighbors, NULL);
    size_t count = (size_t)pv_parts_get_count(parts);
    int *outer = parts ? pv__alloc(&o->allocator, count, sizeof(int)) : NULL;
    for (int hole = 0; outer && hole < 2; hole++)
        for (int i = 0; i < o->contours; i++) {
            contour *c = &o->contour[i];
            int part = pv_parts_find_at(parts, c->start.x, c->start.y);
            if (c->area > 0) outer[part] = i;
            c->outer = outer[part];
        }
    bool good = outer != NULL;
    pv__free(&o->allocator, outer, count, sizeof(int));
    pv_parts_destroy(parts);
    return good;
}

static bool has_holes(const pv_outline *o) {
    for (int i = 0; i < o->contours; i++)
        if (o->contour[i].area < 0) return true;
    return false;
}

static bool trace(pv_outline *o, const pv_mask *mask, pv_connectivity neighbors) {
    pv_mask *open = pv_mask_copy(mask, NULL);
    if (!open) return false;
    pv__bits_combine(&open->bits, &mask->bits, 0, 1,
                     PV_COMBINE_ANDNOT); /* Solid pixels without a solid pixel above */
    bool good = walk_all(o, &mask->bits, &open->bits, neighbors == PV_CONNECTIVITY_8);
    pv_mask_release(open);
    return good && (!has_holes(o) || find_outers(o, mask, neighbors));
}

/* ---- hulls ---- */

/// Finds the least and the greatest x of solid pixels' corners at a height. Returns false without
/// any.
static bool corners_at(const pv__bits *bits, int y, int *left, int *right) {
    pv_rect box = {0, 0, 0, 0};
    for (int s = 0; s < pv__bits_stripes(bits->w); s++) {
        const uint64_t *words = pv__bits_at(bits, s * 64, 0);
        pv__box_columns(&box, s, (y > 0 ? words[y - 1] : 0) | (y < bits->h ? words[y] : 0));
    }
    *left = box.x;
    *right = box.x + box.w;
    return box.w > 0;
}

static int64_t doubled_area(pv_point a, pv_point b, pv_point c) {
    return (int64_t)(b.x - a.x) * (c.y - a.y) - (int64_t)(b.y - a.y) * (c.x - a.x);
}

/// Adds a point to a chain that begins at from, and removes points that no longer turn right.
static bool add_to_chain(pv_outline *o, int from, int x, int y) {
    pv_point *p = o->point;
    while (o->points - from >= 2 &&
           doubled_area(p[o->points - 2], p[o->points - 1], (pv_point){x, y}) <= 0)
        o->points--;
    return add_point(o, x, y);
}

/// Traces the hull with the monotone chains of Andrew (1979), row by row: down the right side, up
/// the left.
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
    c->count = --o->points; /* The last point repeats the first. */
    int64_t area = 0;
    for (int i = 2; i < c->count; i++)
        area += doubled_area(o->point[0], o->point[i - 1], o->point[i]);
    c->area = area / 2;
    return true;
}

/* ---- public ---- */

static pv_outline *make(const pv_mask *mask) {
    pv_outline *outline = pv__alloc(&mask->allocator, 1, sizeof *outline);
    if (outline) outline->allocator = mask->allocator;
    return outline;
}

static pv_outline *finish(pv_error *e, pv_outline *outline, bool good) {
    if (good) return outline;
    pv__error_set(e, PV_ERROR_MEMORY);
    pv_outline_destroy(outline);
    return NULL;
}

pv_outline *pv_outline_create(const pv_mask *mask, pv_connectivity neighbors, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!check_neighbors(e, mask, neighbors)) return NULL;
    pv_outline *outline = make(mask);
    return finish(e, outline, outline && trace(outline, mask, neighbors));
}

pv_outline *pv_outline_create_hull(const pv_mask *mask, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!pv__check_pointer(e, "mask", mask)) return NULL;
    pv_outline *outline = make(mask);
    return finish(e, outline, outline && hull(outline, &mask->bits));
}

void pv_outline_destroy(pv_outline *outline) {
    if (!outline) return;
    pv_allocator from = outline->allocator;
    PV__FREE(&from, outline->contour, outline->contour_room);
    PV__FREE(&from, outline->point, outline->point_room);
    pv__free(&from, outline, 1, sizeof *outline);
}

int pv_outline_get_contour_count(const pv_outline *outline) {
    return outline ? outline->contours : 0;
}

pv_contour pv_outline_get_contour(const pv_outline *outline, int index) {
    if (!outline || index < 0 || index >= outline->contours) return (pv_contour){NULL, 0, -1, 0};
    const contour *c = &outline->contour[index];
    return (pv_contour){outline->point + c->first, c->count, c->outer, c->area};
}
