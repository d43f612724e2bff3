/* pv_fill.c - fills discs, strokes and triangles on RGBA pixels, row by row.
 *
 * Invariant: a row's pixels are those whose centres lie between two places; a triangle's places come from one edge
 * each, whatever the third corner is, and the right one is left out: neighbours share no pixel and leave none.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_canvas.h"
#include "pv_math.h"

/* ---- rows ---- */

/// The first of limit pixels whose centre is at x or beyond it, or limit.
static int first_at(double x, int limit) {
    double place = x - 0.5;
    if (!(place > 0)) return 0;
    if (place >= limit) return limit;
    int i = (int)place;
    return i + (i < place);
}

/// The first of limit pixels whose centre is beyond x, or limit.
static int first_after(double x, int limit) {
    double place = x - 0.5;
    if (!(place >= 0)) return 0;
    return place >= limit ? limit : (int)place + 1;
}

static void fill_row(const pv_canvas *canvas, int y, int from, int to, pv__texel t) {
    if (from >= to) return;
    unsigned char *pixel = pv__canvas_at(canvas, from, y), *end = pixel + (ptrdiff_t)(to - from) * 4;
    if (t.c[3] == 255)
        for (; pixel < end; pixel += 4) memcpy(pixel, t.c, 4);
    else
        for (; pixel < end; pixel += 4) pv__blend(pixel, t);
}

/// A power of two by which numbers up to size are taken, so that their squares stay finite.
static double scale_for(double size) { return size > 0x1p400 ? 0x1p-700 : 1; }

static double size_of(pv_vec2 a) { return pv__max(pv__abs(a.x), pv__abs(a.y)); }

/// Where a row meets something: from...to, nothing when from > to.
typedef struct reach {
    double from, to;
} reach;

static const reach nowhere = {1, -1};

static reach joined(reach a, reach b) {
    if (a.from > a.to) return b;
    if (b.from > b.to) return a;
    return (reach){pv__min(a.from, b.from), pv__max(a.to, b.to)};
}

/// Narrows it to where n (x - origin.x, dy) is within low...high, dy being from the origin's row.
static reach narrowed(reach r, pv_vec2 n, pv_vec2 origin, double y, double low, double high) {
    double q = n.y * (y - origin.y);
    if (n.x == 0) return q >= low && q <= high ? r : nowhere;
    double a = origin.x + (low - q) / n.x, b = origin.x + (high - q) / n.x;
    return (reach){pv__max(r.from, pv__min(a, b)), pv__min(r.to, pv__max(a, b))};
}

static reach disc_row(pv_vec2 centre, double radius, double y) {
    double dy = y - centre.y;
    if (pv__abs(dy) > radius) return nowhere;
    double scale = scale_for(radius), r = radius * scale, d = dy * scale;
    double half = sqrt((r - d) * (r + d)) / scale;
    return (reach){centre.x - half, centre.x + half};
}

/* ---- discs and strokes ---- */

/// All within radius of the way from a to b.
typedef struct capsule {
    pv_vec2 a, b, along; ///< along: from a to b, of length 1; (0, 0) when they are one point
    double radius;
} capsule;

static capsule capsule_of(pv_vec2 a, pv_vec2 b, double radius) {
    double scale = scale_for(pv__max(size_of(a), size_of(b)));
    pv_vec2 way = pv__sub(pv__mul(scale, b), pv__mul(scale, a));
    double length = pv__length(way);
    return (capsule){a, b, length > 0 ? pv__mul(1 / length, way) : pv__vec(0, 0), radius};
}

/// It is convex: what a row meets of its discs and of the strip between them is in one piece. Each end is judged from
/// itself, and the sides from the end that is nearer to the canvas, for the sake of ends that are very far.
static reach capsule_row(const capsule *c, double y) {
    reach ends = joined(disc_row(c->a, c->radius, y), disc_row(c->b, c->radius, y));
    if (c->along.x == 0 && c->along.y == 0) return ends;
    reach strip = {-INFINITY, INFINITY};
    strip = narrowed(strip, c->along, c->a, y, 0, INFINITY);
    strip = narrowed(strip, c->along, c->b, y, -INFINITY, 0);
    pv_vec2 near = size_of(c->a) < size_of(c->b) ? c->a : c->b;
    return joined(ends, narrowed(strip, pv__perp(c->along), near, y, -c->radius, c->radius));
}

static void fill_capsule(const pv_canvas *canvas, const capsule *c, uint32_t colour) {
    double top = pv__min(c->a.y, c->b.y) - c->radius, bottom = pv__max(c->a.y, c->b.y) + c->radius;
    int end = first_after(bottom, canvas->height);
    pv__texel t = pv__texel_of(colour);
    for (int y = first_at(top, canvas->height); y < end; y++) {
        reach r = capsule_row(c, y + 0.5);
        if (r.from > r.to) continue;
        fill_row(canvas, y, first_at(r.from, canvas->width), first_after(r.to, canvas->width), t);
    }
}

pv_status pv_canvas_disc(const pv_canvas *canvas, pv_vec2 centre, double radius, uint32_t colour) {
    pv_status status = pv__canvas_check(canvas);
    if (status != PV_OK) return status;
    if (!pv__finite2(centre) || !pv__finite(radius)) return PV_ERROR_NOT_FINITE;
    if (radius < 0) return PV_ERROR_ARGUMENT;
    capsule c = capsule_of(centre, centre, radius);
    fill_capsule(canvas, &c, colour);
    return PV_OK;
}

pv_status pv_canvas_stroke(const pv_canvas *canvas, pv_vec2 from, pv_vec2 to, double width, uint32_t colour) {
    pv_status status = pv__canvas_check(canvas);
    if (status != PV_OK) return status;
    if (!pv__finite2(from) || !pv__finite2(to) || !pv__finite(width)) return PV_ERROR_NOT_FINITE;
    if (!(width > 0)) return PV_ERROR_ARGUMENT;
    capsule c = capsule_of(from, to, width / 2);
    fill_capsule(canvas, &c, colour);
    return PV_OK;
}

/* ---- triangles ---- */

/// Corners are rounded to 1/256 px: so far places on edges are exact, and which pixels are in is not up to rounding.
static double snapped(double x) { return pv__abs(x) < 0x1p40 ? (double)pv__floor(x * 256 + 0.5) / 256 : x; }

/// An edge from its upper end down; the same for both triangles that share it.
typedef struct edge {
    pv_vec2 upper, way; ///< times scale
    double scale;
    int top, bottom; ///< rows whose centres it passes, from top to above bottom
} edge;

static edge edge_of(const pv_canvas *canvas, pv_vec2 a, pv_vec2 b) {
    if (b.y < a.y) return edge_of(canvas, b, a);
    double scale = scale_for(pv__max(size_of(a), size_of(b)));
    pv_vec2 upper = pv__mul(scale, a);
    return (edge){upper, pv__sub(pv__mul(scale, b), upper), scale, first_at(a.y, canvas->height),
                  first_at(b.y, canvas->height)};
}

/// The first pixel of a row whose centre is on the edge or right of it.
static int edge_column(const pv_canvas *canvas, const edge *e, int y) {
    double down = (y + 0.5) * e->scale - e->upper.y;
    return first_at((e->upper.x + down * e->way.x / e->way.y) / e->scale, canvas->width);
}

/// How a picture lies on the canvas: texel coordinates at a point, and how they grow.
typedef struct skin {
    const pv_image *image;
    pv_vec2 origin, texel, by_x, by_y;
    uint32_t tint;
} skin;

static pv_vec2 texel_of_corner(const pv_image *image, pv_vec2 texture) {
    return pv__vec(pv__clamp(texture.x, 0, 1) * image->width, pv__clamp(texture.y, 0, 1) * image->height);
}

static skin skin_of(const pv_image *image, const pv_vec2 p[3], const pv_vec2 texture[3], uint32_t tint) {
    pv_vec2 t = texel_of_corner(image, texture[0]);
    pv_vec2 e = pv__sub(p[1], p[0]), f = pv__sub(p[2], p[0]);
    pv_vec2 s = pv__sub(texel_of_corner(image, texture[1]), t);
    pv_vec2 r = pv__sub(texel_of_corner(image, texture[2]), t);
    double area = pv__cross(e, f);
    return (skin){image,
                  p[0],
                  t,
                  {(s.x * f.y - r.x * e.y) / area, (s.y * f.y - r.y * e.y) / area},
                  {(r.x * e.x - s.x * f.x) / area, (r.y * e.x - s.y * f.x) / area},
                  tint};
}

/// A texel coordinate in 32.32 fixed point; what rounding puts outside the picture is put to its rim.
static int64_t fixed(double texel, int size) { return (int64_t)(pv__clamp(texel, 0, size - 0x1p-20) * 0x1p32); }

/// Both ends of a row are in the picture, so is what lies between.
static void skin_row(const pv_canvas *canvas, const skin *k, int y, int from, int to) {
    if (from >= to) return;
    int w = k->image->width, h = k->image->height, n = to - from;
    pv_vec2 start = pv__mad(k->texel, y + 0.5 - k->origin.y, k->by_y);
    pv_vec2 a = pv__mad(start, from + 0.5 - k->origin.x, k->by_x);
    pv_vec2 b = pv__mad(start, to - 0.5 - k->origin.x, k->by_x);
    pv__span o = {pv__canvas_at(canvas, from, y), fixed(a.x, w), fixed(a.y, h), 0, 0, n};
    if (n > 1) {
        o.ux = (fixed(b.x, w) - o.u) / (n - 1);
        o.vx = (fixed(b.y, h) - o.v) / (n - 1);
    }
    pv__draw_span(k->image, &o, k->tint);
}

/// The pixels of a row between the two edges that pass it.
static void row_between(const pv_canvas *canvas, const edge edges[3], int y, int *from, int *to) {
    *from = canvas->width;
    *to = 0;
    for (int i = 0; i < 3; i++) {
        if (y < edges[i].top || y >= edges[i].bottom) continue;
        int column = edge_column(canvas, &edges[i], y);
        *from = column < *from ? column : *from;
        *to = column > *to ? column : *to;
    }
}

static void fill_triangle(const pv_canvas *canvas, const pv_vec2 p[3], const skin *k, uint32_t colour) {
    const edge edges[3] = {edge_of(canvas, p[0], p[1]), edge_of(canvas, p[1], p[2]),
                           edge_of(canvas, p[2], p[0])};
    int top = canvas->height, bottom = 0, from, to;
    for (int i = 0; i < 3; i++) {
        top = pv__sooner(top, edges[i].top);
        bottom = pv__later(bottom, edges[i].bottom);
    }
    for (int y = top; y < bottom; y++) {
        row_between(canvas, edges, y, &from, &to);
        if (k)
            skin_row(canvas, k, y, from, to);
        else
            fill_row(canvas, y, from, to, pv__texel_of(colour));
    }
}

static pv_status triangle_check(const pv_canvas *canvas, const pv_image *image, const pv_vec2 *corners,
                                const pv_vec2 *texture) {
    pv_status status = pv__canvas_check(canvas);
    if (status != PV_OK) return status;
    if (!corners || (image && (!pv__drawable(image) || !texture))) return PV_ERROR_ARGUMENT;
    for (int i = 0; i < 3; i++) {
        if (!pv__finite2(corners[i])) return PV_ERROR_NOT_FINITE;
        if (image && !pv__finite2(texture[i])) return PV_ERROR_NOT_FINITE;
    }
    return PV_OK;
}

pv_status pv_canvas_triangle(const pv_canvas *canvas, const pv_image *image, const pv_vec2 corners[3],
                             const pv_vec2 texture[3], uint32_t colour) {
    pv_status status = triangle_check(canvas, image, corners, texture);
    if (status != PV_OK) return status;
    pv_vec2 p[3];
    for (int i = 0; i < 3; i++) p[i] = pv__vec(snapped(corners[i].x), snapped(corners[i].y));
    skin k = {0};
    if (image) k = skin_of(image, p, texture, colour);
    fill_triangle(canvas, p, image ? &k : NULL, colour);
    return PV_OK;
}
