/* canvas.c - draws pictures, masks, lines, circles, triangles and grains on RGBA pixels.
 *
 * Invariant: pv__raster_rect and pv__raster_map_span select the drawn pixels, as for collision
 * bitmaps. No pixel outside the canvas changes. Alpha is straight, and every product is rounded to
 * nearest.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixel/canvas.h"
#include "base/math.h"
#include "pixel/raster.h"
#include "pixverlet/grains.h"

/* ---- blending ---- */

static inline unsigned multiply(unsigned a, unsigned b) { return (a * b + 127) / 255; }

void pv__canvas_blend_any(unsigned char *to, pv__texel t) {
    unsigned above = t.c[3] * 255u, below = to[3] * (255u - t.c[3]), all = above + below;
    for (int i = 0; i < 3; i++)
        to[i] = (unsigned char)((t.c[i] * above + to[i] * below + all / 2) / all);
    to[3] = (unsigned char)((all + 127) / 255);
}

static inline pv__texel tinted(pv__texel t, pv__texel tint) {
    for (int i = 0; i < 4; i++) t.c[i] = (unsigned char)multiply(t.c[i], tint.c[i]);
    return t;
}

/* ---- pictures and masks ---- */

/// Returns PV_OK for a canvas that can be drawn on.
static pv_status check(const pv_canvas *canvas) {
    if (!canvas || canvas->width < 0 || canvas->height < 0) return PV_ERROR_ARGUMENT;
    if (canvas->width > PV__MAX_SIDE || canvas->height > PV__MAX_SIDE) return PV_ERROR_ARGUMENT;
    if (canvas->width == 0 || canvas->height == 0) return PV_OK;
    int64_t pitch = canvas->pitch < 0 ? -(int64_t)canvas->pitch : (int64_t)canvas->pitch;
    return canvas->pixels && pitch >= (int64_t)canvas->width * 4 ? PV_OK : PV_ERROR_ARGUMENT;
}

static pv_status draw_check(const pv_canvas *canvas, const pv_transform *transform) {
    pv_status status = check(canvas);
    if (status != PV_OK) return status;
    return transform ? pv__raster_check_transform(transform) : PV_ERROR_ARGUMENT;
}

bool pv__canvas_is_drawable(const pv_image *image) {
    if (!image || !image->pixels || image->width < 1 || image->height < 1) return false;
    return image->width <= PV__MAX_SIDE && image->height <= PV__MAX_SIDE;
}

/// Iteration over the rows of a w x h picture on a canvas.
typedef struct walk {
    const pv_canvas *canvas;
    pv__map map;
    int w, h;
    /// Rows still to come, limited to what the picture can cover on the canvas
    pv_rect rest;
} walk;

static walk walk_of(const pv_canvas *canvas, const pv_transform *transform, int w, int h) {
    pv_rect all = {0, 0, canvas->width, canvas->height};
    return (walk){canvas, pv__raster_map_of(transform), w, h,
                  pv__rect_meet(pv__raster_rect(transform, w, h), all)};
}

static bool next_span(walk *k, pv__canvas_span *o) {
    while (k->rest.h-- > 0) {
        int y = k->rest.y++, from = k->rest.x, to = from + k->rest.w;
        if (!pv__raster_map_span(&k->map, k->w, k->h, y, &from, &to, &o->u, &o->v)) continue;
        o->to = pv__canvas_at(k->canvas, from, y);
        o->ux = k->map.ux;
        o->vx = k->map.vx;
        o->n = to - from;
        return true;
    }
    return false;
}

static inline const unsigned char *texel_at(const pv_image *image, int64_t u, int64_t v) {
    return image->pixels + (ptrdiff_t)((v >> 32) * image->width + (u >> 32)) * 4;
}

/// Draws a span along a row of the picture without tint.
static void draw_straight(const pv_image *image, const pv__canvas_span *o) {
    const unsigned char *from = texel_at(image, o->u, o->v);
    unsigned char *to = o->to;
    for (int i = 0; i < o->n; i++, from += 4, to += 4) {
        pv__texel t;
        memcpy(t.c, from, 4);
        pv__canvas_blend(to, t);
    }
}

static void draw_span(const pv_image *image, const pv__canvas_span *o, uint32_t tint) {
    int64_t u = o->u, v = o->v;
    unsigned char *to = o->to;
    pv__texel by = pv__canvas_texel_of(tint);
    for (int i = 0; i < o->n; i++, to += 4, u += o->ux, v += o->vx) {
        pv__texel t;
        memcpy(t.c, texel_at(image, u, v), 4);
        pv__canvas_blend(to, tint == 0xffffffffu ? t : tinted(t, by));
    }
}

pv_status pv_canvas_draw_image(const pv_canvas *canvas, const pv_image *image,
                               const pv_transform *transform, uint32_t tint) {
    if (!pv__canvas_is_drawable(image)) return PV_ERROR_ARGUMENT;
    pv_status status = draw_check(canvas, transform);
    if (status != PV_OK) return status;
    walk k = walk_of(canvas, transform, image->width, image->height);
    bool straight = tint == 0xffffffffu && k.map.ux == PV__ONE && k.map.vx == 0;
    for (pv__canvas_span o; next_span(&k, &o);) {
        if (straight)
            draw_straight(image, &o);
        else
            draw_span(image, &o, tint);
    }
    return PV_OK;
}

pv_status pv_canvas_draw_mask(const pv_canvas *canvas, const pv_mask *mask,
                              const pv_transform *transform, uint32_t color) {
    if (!mask) return PV_ERROR_ARGUMENT;
    pv_status status = draw_check(canvas, transform);
    if (status != PV_OK) return status;
    walk k = walk_of(canvas, transform, mask->bits.w, mask->bits.h);
    pv__texel t = pv__canvas_texel_of(color);
    for (pv__canvas_span o; next_span(&k, &o);)
        for (int i = 0; i < o.n; i++, o.to += 4, o.u += o.ux, o.v += o.vx)
            if (pv__bits_get(&mask->bits, (int)(o.u >> 32), (int)(o.v >> 32)))
                pv__canvas_blend(o.to, t);
    return PV_OK;
}

pv_status pv_canvas_clear(const pv_canvas *canvas, uint32_t color) {
    pv_status status = check(canvas);
    if (status != PV_OK) return status;
    pv__texel t = pv__canvas_texel_of(color);
    for (int y = 0; y < canvas->height; y++) {
        unsigned char *to = pv__canvas_at(canvas, 0, y);
        for (int x = 0; x < canvas->width; x++, to += 4) memcpy(to, t.c, 4);
    }
    return PV_OK;
}

/* ---- lines ---- */

static pv_vec2 transposed(pv_vec2 a) { return pv__vec(a.y, a.x); }

pv_status pv_canvas_draw_line(const pv_canvas *canvas, pv_vec2 from, pv_vec2 to, uint32_t color) {
    pv_status status = check(canvas);
    if (status != PV_OK) return status;
    if (!pv__finite2(from) || !pv__finite2(to)) return PV_ERROR_NOT_FINITE;
    /* Halved coordinates keep differences of finite numbers from overflow. */
    bool flat = pv__abs(to.x / 2 - from.x / 2) >= pv__abs(to.y / 2 - from.y / 2);
    if (!flat) from = transposed(from), to = transposed(to);
    int along = flat ? canvas->width : canvas->height,
        across = flat ? canvas->height : canvas->width;
    double run = to.x / 2 - from.x / 2, slope = run != 0 ? (to.y / 2 - from.y / 2) / run : 0;
    double low = pv__min(from.x, to.x), high = pv__max(from.x, to.x);
    if (low >= along || high < 0) return PV_OK;
    int first = (int)pv__floor(pv__max(low, 0)), last = (int)pv__floor(pv__min(high, along - 1));
    pv__texel t = pv__canvas_texel_of(color);
    for (int p = first; p <= last; p++) {
        double other = from.y + slope * (p + 0.5 - from.x);
        if (!(other >= 0 && other < across)) continue;
        pv__canvas_blend(
            flat ? pv__canvas_at(canvas, p, (int)other) : pv__canvas_at(canvas, (int)other, p), t);
    }
    return PV_OK;
}

/* ---- fills discs, strokes and triangles on RGBA pixels, row by row ----
 *
 * Invariant: a row has the pixels with centers between two places. In a triangle, each place comes
 * from one edge, regardless of the third corner. The right place is excluded, so that neighbors
 * share no pixel and leave no gap.
 */

/* ---- rows ---- */

/// Returns the first of limit pixels with its center at x or beyond, or limit.
static int first_at(double x, int limit) {
    double place = x - 0.5;
    if (!(place > 0)) return 0;
    if (place >= limit) return limit;
    int i = (int)place;
    return i + (i < place);
}

/// Returns the first of limit pixels with its center beyond x, or limit.
static int first_after(double x, int limit) {
    double place = x - 0.5;
    if (!(place >= 0)) return 0;
    return place >= limit ? limit : (int)place + 1;
}

static void fill_row(const pv_canvas *canvas, int y, int from, int to, pv__texel t) {
    if (from >= to) return;
    unsigned char *pixel = pv__canvas_at(canvas, from, y),
                  *end = pixel + (ptrdiff_t)(to - from) * 4;
    for (; pixel < end; pixel += 4) pv__canvas_blend(pixel, t);
}

/// Returns a power of two for scaling numbers of at most size, so that their squares stay finite.
static double scale_for(double size) { return size > 0x1p400 ? 0x1p-700 : 1; }

static double fill_size_of(pv_vec2 a) { return pv__max(pv__abs(a.x), pv__abs(a.y)); }

/// Range of a row inside a figure: from...to, empty for from > to.
typedef struct fill_reach {
    double from, to;
} fill_reach;

static const fill_reach fill_nowhere = {1, -1};

static fill_reach fill_joined(fill_reach a, fill_reach b) {
    if (a.from > a.to) return b;
    if (b.from > b.to) return a;
    return (fill_reach){pv__min(a.from, b.from), pv__max(a.to, b.to)};
}

/// Narrows a range to low <= n (x - origin.x, y - origin.y) <= high.
static fill_reach narrowed(fill_reach r, pv_vec2 n, pv_vec2 origin, double y, double low,
                           double high) {
    double q = n.y * (y - origin.y);
    if (n.x == 0) return q >= low && q <= high ? r : fill_nowhere;
    double a = origin.x + (low - q) / n.x, b = origin.x + (high - q) / n.x;
    return (fill_reach){pv__max(r.from, pv__min(a, b)), pv__min(r.to, pv__max(a, b))};
}

static fill_reach disc_row(pv_vec2 center, double radius, double y) {
    double dy = y - center.y;
    if (pv__abs(dy) > radius) return fill_nowhere;
    double scale = scale_for(radius), r = radius * scale, d = dy * scale;
    double half = sqrt((r - d) * (r + d)) / scale;
    return (fill_reach){center.x - half, center.x + half};
}

/* ---- discs and strokes ---- */

pv__stroke pv__stroke_of(pv_vec2 a, pv_vec2 b, double radius, int w, int h) {
    double scale = scale_for(pv__max(fill_size_of(a), fill_size_of(b)));
    pv_vec2 way = pv__sub(pv__mul(scale, b), pv__mul(scale, a));
    double length = pv__length(way);
    return (pv__stroke){
        .a = a,
        .b = b,
        .along = length > 0 ? pv__mul(1 / length, way) : pv__vec(0, 0),
        .radius = radius,
        .w = w,
        .bottom = first_after(pv__max(a.y, b.y) + radius, h),
        .y = first_at(pv__min(a.y, b.y) - radius, h) - 1,
    };
}

/// Returns the range of a row in a stroke. The stroke is convex, so the row's parts in its discs
/// and its strip join up. For precision with very distant ends, each end is measured from itself
/// and the sides from the nearer end.
static fill_reach stroke_row(const pv__stroke *c, double y) {
    fill_reach ends = fill_joined(disc_row(c->a, c->radius, y), disc_row(c->b, c->radius, y));
    if (c->along.x == 0 && c->along.y == 0) return ends;
    fill_reach strip = {-INFINITY, INFINITY};
    strip = narrowed(strip, c->along, c->a, y, 0, INFINITY);
    strip = narrowed(strip, c->along, c->b, y, -INFINITY, 0);
    pv_vec2 near = fill_size_of(c->a) < fill_size_of(c->b) ? c->a : c->b;
    return fill_joined(ends, narrowed(strip, pv__perp(c->along), near, y, -c->radius, c->radius));
}

bool pv__stroke_next(pv__stroke *o) {
    while (++o->y < o->bottom) {
        fill_reach r = stroke_row(o, o->y + 0.5);
        if (r.from > r.to) continue;
        o->left = first_at(r.from, o->w);
        o->right = first_after(r.to, o->w);
        return true;
    }
    return false;
}

/// Draws all points within radius of a segment.
/// @param good false for a radius out of range
static pv_status draw_stroke(const pv_canvas *canvas, pv_vec2 from, pv_vec2 to, double radius,
                             bool good, uint32_t color) {
    pv_status status = check(canvas);
    if (status != PV_OK) return status;
    if (!pv__finite2(from) || !pv__finite2(to) || !pv__finite(radius)) return PV_ERROR_NOT_FINITE;
    if (!good) return PV_ERROR_ARGUMENT;
    pv__stroke o = pv__stroke_of(from, to, radius, canvas->width, canvas->height);
    pv__texel t = pv__canvas_texel_of(color);
    while (pv__stroke_next(&o)) fill_row(canvas, o.y, o.left, o.right, t);
    return PV_OK;
}

pv_status pv_canvas_draw_circle(const pv_canvas *canvas, pv_vec2 center, double radius,
                                uint32_t color) {
    return draw_stroke(canvas, center, center, radius, radius >= 0, color);
}

pv_status pv_canvas_draw_thick_line(const pv_canvas *canvas, pv_vec2 from, pv_vec2 to, double width,
                                    uint32_t color) {
    return draw_stroke(canvas, from, to, width / 2, width > 0, color);
}

/* ---- triangles ---- */

/// Rounds a corner to 1/256 px. Positions on edges are then exact, so rounding does not decide on
/// pixels.
static double snapped(double x) {
    return pv__abs(x) < 0x1p40 ? (double)pv__floor(x * 256 + 0.5) / 256 : x;
}

/// Edge from its upper end down, the same for both triangles that share it.
typedef struct edge {
    /// Upper end and vector down, times scale
    pv_vec2 upper, way;
    double scale;
    /// Rows with centers on the edge, from top to above bottom
    int top, bottom;
} edge;

static edge fill_edge_of(const pv_canvas *canvas, pv_vec2 a, pv_vec2 b) {
    if (b.y < a.y) return fill_edge_of(canvas, b, a);
    double scale = scale_for(pv__max(fill_size_of(a), fill_size_of(b)));
    pv_vec2 upper = pv__mul(scale, a);
    return (edge){upper, pv__sub(pv__mul(scale, b), upper), scale, first_at(a.y, canvas->height),
                  first_at(b.y, canvas->height)};
}

/// Returns the first pixel of a row with its center on the edge or right of it.
static int edge_column(const pv_canvas *canvas, const edge *e, int y) {
    double down = (y + 0.5) * e->scale - e->upper.y;
    return first_at((e->upper.x + down * e->way.x / e->way.y) / e->scale, canvas->width);
}

/// Map from the canvas to a picture: texel coordinates at a point, and their derivatives.
typedef struct skin {
    const pv_image *image;
    pv_vec2 origin, texel, by_x, by_y;
    uint32_t tint;
} skin;

static pv_vec2 texel_of_corner(const pv_image *image, pv_vec2 texture) {
    return pv__vec(pv__clamp(texture.x, 0, 1) * image->width,
                   pv__clamp(texture.y, 0, 1) * image->height);
}

static skin fill_skin_of(const pv_image *image, const pv_vec2 p[3], const pv_vec2 texture[3],
                         uint32_t tint) {
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

/// Returns a texel coordinate in 32.32 fixed point, clamped to the picture against rounding.
static int64_t fill_fixed(double texel, int size) {
    return (int64_t)(pv__clamp(texel, 0, size - 0x1p-20) * 0x1p32);
}

/// Draws a row of a textured triangle. Both ends are in the picture, and so is all between them.
static void skin_row(const pv_canvas *canvas, const skin *k, int y, int from, int to) {
    if (from >= to) return;
    int w = k->image->width, h = k->image->height, n = to - from;
    pv_vec2 start = pv__mad(k->texel, y + 0.5 - k->origin.y, k->by_y);
    pv_vec2 a = pv__mad(start, from + 0.5 - k->origin.x, k->by_x);
    pv_vec2 b = pv__mad(start, to - 0.5 - k->origin.x, k->by_x);
    pv__canvas_span o = {
        pv__canvas_at(canvas, from, y), fill_fixed(a.x, w), fill_fixed(a.y, h), 0, 0, n};
    if (n > 1) {
        o.ux = (fill_fixed(b.x, w) - o.u) / (n - 1);
        o.vx = (fill_fixed(b.y, h) - o.v) / (n - 1);
    }
    draw_span(k->image, &o, k->tint);
}

/// Finds the pixels of a row between the two edges on it.
static void between(const pv_canvas *canvas, const edge edges[3], int y, int *from, int *to) {
    *from = canvas->width;
    *to = 0;
    for (int i = 0; i < 3; i++) {
        if (y < edges[i].top || y >= edges[i].bottom) continue;
        int column = edge_column(canvas, &edges[i], y);
        *from = column < *from ? column : *from;
        *to = column > *to ? column : *to;
    }
}

static void fill_triangle(const pv_canvas *canvas, const pv_vec2 p[3], const skin *k,
                          uint32_t color) {
    const edge edges[3] = {fill_edge_of(canvas, p[0], p[1]), fill_edge_of(canvas, p[1], p[2]),
                           fill_edge_of(canvas, p[2], p[0])};
    int top = canvas->height, bottom = 0, from, to;
    for (int i = 0; i < 3; i++) {
        top = pv__sooner(top, edges[i].top);
        bottom = pv__later(bottom, edges[i].bottom);
    }
    for (int y = top; y < bottom; y++) {
        between(canvas, edges, y, &from, &to);
        if (k)
            skin_row(canvas, k, y, from, to);
        else
            fill_row(canvas, y, from, to, pv__canvas_texel_of(color));
    }
}

static pv_status triangle_check(const pv_canvas *canvas, const pv_image *image,
                                const pv_vec2 *corners, const pv_vec2 *texture) {
    pv_status status = check(canvas);
    if (status != PV_OK) return status;
    if (!corners || (image && (!pv__canvas_is_drawable(image) || !texture)))
        return PV_ERROR_ARGUMENT;
    for (int i = 0; i < 3; i++) {
        if (!pv__finite2(corners[i])) return PV_ERROR_NOT_FINITE;
        if (image && !pv__finite2(texture[i])) return PV_ERROR_NOT_FINITE;
    }
    return PV_OK;
}

pv_status pv_canvas_draw_triangle(const pv_canvas *canvas, const pv_image *image,
                                  const pv_vec2 corners[3], const pv_vec2 texture[3],
                                  uint32_t color) {
    pv_status status = triangle_check(canvas, image, corners, texture);
    if (status != PV_OK) return status;
    pv_vec2 p[3];
    for (int i = 0; i < 3; i++) p[i] = pv__vec(snapped(corners[i].x), snapped(corners[i].y));
    skin k = {0};
    if (image) k = fill_skin_of(image, p, texture, color);
    fill_triangle(canvas, p, image ? &k : NULL, color);
    return PV_OK;
}

/* ---- grains ---- */

/// Greatest coordinate of a canvas's corner at which grains may be on it [px]
static const double GRAINS_REACH = 0x1p22;

/// Map from a world pixel to its first canvas pixel, in 32.32 fixed point
typedef struct grain_map {
    int64_t zoom, x, y;
} grain_map;

/// Returns the map that takes a corner to 0, less half a pixel for the pixels' centers.
static grain_map grain_map_of(pv_vec2 top_left, double zoom) {
    const int64_t half = ((int64_t)1 << 31) - 1;
    return (grain_map){
        .zoom = (int64_t)(zoom * 0x1p32),
        .x = half - pv__floor(top_left.x * zoom * 0x1p32 + 0.5),
        .y = half - pv__floor(top_left.y * zoom * 0x1p32 + 0.5),
    };
}

/// Finds the canvas pixels from...to - 1 of a column or row of the world, at least one.
static inline void grain_span(int64_t zoom, int64_t offset, int32_t at, int *from, int *to) {
    int64_t first = (at >> 16) * zoom + offset;
    *from = (int)(first >> 32);
    *to = (int)((first + zoom) >> 32);
    if (*to == *from) ++*to;
}

static inline void draw_grain(const pv_canvas *canvas, const grain_map *map, int32_t x, int32_t y,
                              uint32_t color) {
    int left, right, top, bottom;
    grain_span(map->zoom, map->x, x, &left, &right);
    grain_span(map->zoom, map->y, y, &top, &bottom);
    right = pv__sooner(right, canvas->width);
    bottom = pv__sooner(bottom, canvas->height);
    left = pv__later(left, 0);
    pv__texel t = pv__canvas_texel_of(color);
    for (int v = pv__later(top, 0); v < bottom; v++)
        for (int u = left; u < right; u++) pv__canvas_blend(pv__canvas_at(canvas, u, v), t);
}

pv_status pv_canvas_draw_grains(const pv_canvas *canvas, const pv_grains_view *view,
                                pv_vec2 top_left, double zoom) {
    pv_status status = check(canvas);
    if (status != PV_OK) return status;
    if (!view || view->count < 0) return PV_ERROR_ARGUMENT;
    if (view->count > 0 && !(view->x && view->y && view->color)) return PV_ERROR_ARGUMENT;
    if (!pv__finite2(top_left) || !pv__finite(zoom)) return PV_ERROR_NOT_FINITE;
    if (zoom < 1 / 64.0 || zoom > 64) return PV_ERROR_ARGUMENT;
    if (pv__max(pv__abs(top_left.x), pv__abs(top_left.y)) > GRAINS_REACH) return PV_OK;
    grain_map map = grain_map_of(top_left, zoom);
    for (int i = 0; i < view->count; i++)
        if (view->y[i] != PV_GRAIN_NONE)
            draw_grain(canvas, &map, view->x[i], view->y[i], view->color[i]);
    return PV_OK;
}
