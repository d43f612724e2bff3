/* pv_canvas.c - draws pictures, masks and lines on RGBA pixels.
 *
 * Invariant: pv__raster_rect and pv__map_span decide which pixels are drawn, as for collision bitmaps; no pixel
 * outside the canvas is ever touched. Alpha is straight; every product is rounded to the nearest.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_canvas.h"
#include "pv_math.h"

/* ---- blending ---- */

static inline unsigned multiply(unsigned a, unsigned b) { return (a * b + 127) / 255; }

void pv__blend_any(unsigned char *to, pv__texel t) {
    unsigned above = t.c[3] * 255u, below = to[3] * (255u - t.c[3]), all = above + below;
    for (int i = 0; i < 3; i++) to[i] = (unsigned char)((t.c[i] * above + to[i] * below + all / 2) / all);
    to[3] = (unsigned char)((all + 127) / 255);
}

static inline pv__texel tinted(pv__texel t, pv__texel tint) {
    for (int i = 0; i < 4; i++) t.c[i] = (unsigned char)multiply(t.c[i], tint.c[i]);
    return t;
}

/* ---- pictures and masks ---- */

pv_status pv__canvas_check(const pv_canvas *canvas) {
    if (!canvas || canvas->width < 0 || canvas->height < 0) return PV_ERROR_ARGUMENT;
    if (canvas->width > PV__MAX_SIDE || canvas->height > PV__MAX_SIDE) return PV_ERROR_ARGUMENT;
    if (canvas->width == 0 || canvas->height == 0) return PV_OK;
    int64_t pitch = canvas->pitch < 0 ? -(int64_t)canvas->pitch : (int64_t)canvas->pitch;
    return canvas->pixels && pitch >= (int64_t)canvas->width * 4 ? PV_OK : PV_ERROR_ARGUMENT;
}

static pv_status draw_check(const pv_canvas *canvas, const pv_transform *transform) {
    pv_status status = pv__canvas_check(canvas);
    if (status != PV_OK) return status;
    return transform ? pv__transform_check(transform) : PV_ERROR_ARGUMENT;
}

bool pv__drawable(const pv_image *image) {
    if (!image || !image->pixels || image->width < 1 || image->height < 1) return false;
    return image->width <= PV__MAX_SIDE && image->height <= PV__MAX_SIDE;
}

/// A walk over the rows of a w x h picture that are on a canvas.
typedef struct walk {
    const pv_canvas *canvas;
    pv__map map;
    int w, h, left, right, y, bottom;
} walk;

static walk walk_of(const pv_canvas *canvas, const pv_transform *transform, int w, int h) {
    pv_rect rect = pv__raster_rect(transform, w, h);
    int right = rect.x + rect.w, bottom = rect.y + rect.h;
    return (walk){
        .canvas = canvas,
        .map = pv__map_of(transform),
        .w = w,
        .h = h,
        .left = rect.x > 0 ? rect.x : 0,
        .right = right < canvas->width ? right : canvas->width,
        .y = rect.y > 0 ? rect.y : 0,
        .bottom = bottom < canvas->height ? bottom : canvas->height,
    };
}

static bool next_span(walk *k, pv__span *o) {
    if (k->left >= k->right) return false;
    while (k->y < k->bottom) {
        int y = k->y++, from = k->left, to = k->right;
        if (!pv__map_span(&k->map, k->w, k->h, 0, y, &from, &to, &o->u, &o->v)) continue;
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

/// A span along a row of the picture, as it is.
static void draw_straight(const pv_image *image, const pv__span *o) {
    const unsigned char *from = texel_at(image, o->u, o->v);
    unsigned char *to = o->to;
    for (int i = 0; i < o->n; i++, from += 4, to += 4) {
        pv__texel t;
        memcpy(t.c, from, 4);
        pv__blend(to, t);
    }
}

void pv__draw_span(const pv_image *image, const pv__span *o, uint32_t tint) {
    int64_t u = o->u, v = o->v;
    unsigned char *to = o->to;
    pv__texel by = pv__texel_of(tint);
    for (int i = 0; i < o->n; i++, to += 4, u += o->ux, v += o->vx) {
        pv__texel t;
        memcpy(t.c, texel_at(image, u, v), 4);
        pv__blend(to, tint == 0xffffffffu ? t : tinted(t, by));
    }
}

pv_status pv_canvas_image(const pv_canvas *canvas, const pv_image *image, const pv_transform *transform,
                          uint32_t tint) {
    if (!pv__drawable(image)) return PV_ERROR_ARGUMENT;
    pv_status status = draw_check(canvas, transform);
    if (status != PV_OK) return status;
    walk k = walk_of(canvas, transform, image->width, image->height);
    bool straight = tint == 0xffffffffu && k.map.ux == (int64_t)1 << 32 && k.map.vx == 0;
    for (pv__span o; next_span(&k, &o);) {
        if (straight)
            draw_straight(image, &o);
        else
            pv__draw_span(image, &o, tint);
    }
    return PV_OK;
}

pv_status pv_canvas_mask(const pv_canvas *canvas, const pv_mask *mask, const pv_transform *transform,
                         uint32_t colour) {
    if (!mask) return PV_ERROR_ARGUMENT;
    pv_status status = draw_check(canvas, transform);
    if (status != PV_OK) return status;
    walk k = walk_of(canvas, transform, mask->bits.w, mask->bits.h);
    pv__texel t = pv__texel_of(colour);
    for (pv__span o; next_span(&k, &o);)
        for (int i = 0; i < o.n; i++, o.to += 4, o.u += o.ux, o.v += o.vx)
            if (pv__bits_get(&mask->bits, (int)(o.u >> 32), (int)(o.v >> 32))) pv__blend(o.to, t);
    return PV_OK;
}

pv_status pv_canvas_clear(const pv_canvas *canvas, uint32_t colour) {
    pv_status status = pv__canvas_check(canvas);
    if (status != PV_OK) return status;
    pv__texel t = pv__texel_of(colour);
    for (int y = 0; y < canvas->height; y++) {
        unsigned char *to = pv__canvas_at(canvas, 0, y);
        for (int x = 0; x < canvas->width; x++, to += 4) memcpy(to, t.c, 4);
    }
    return PV_OK;
}

/* ---- lines ---- */

/// A line seen along the axis it moves further on: the other coordinate at place p is b + slope (p - a).
typedef struct slant {
    double a, b, slope;
    int first, last; ///< places on the canvas, last included
} slant;

/// Halves are subtracted, so that no difference of finite numbers overflows; limit: the size along this axis.
static slant slant_of(double a0, double b0, double a1, double b1, int limit) {
    double run = a1 / 2 - a0 / 2, rise = b1 / 2 - b0 / 2;
    double low = pv__min(a0, a1), high = pv__max(a0, a1);
    slant o = {a0, b0, run != 0 ? rise / run : 0, 0, -1};
    if (low < limit && high >= 0) {
        o.first = (int)pv__floor(pv__max(low, 0));
        o.last = (int)pv__floor(pv__min(high, limit - 1));
    }
    return o;
}

pv_status pv_canvas_line(const pv_canvas *canvas, pv_vec2 from, pv_vec2 to, uint32_t colour) {
    pv_status status = pv__canvas_check(canvas);
    if (status != PV_OK) return status;
    if (!pv__finite2(from) || !pv__finite2(to)) return PV_ERROR_NOT_FINITE;
    bool flat = pv__abs(to.x / 2 - from.x / 2) >= pv__abs(to.y / 2 - from.y / 2);
    int across = flat ? canvas->height : canvas->width;
    slant o = flat ? slant_of(from.x, from.y, to.x, to.y, canvas->width)
                   : slant_of(from.y, from.x, to.y, to.x, canvas->height);
    pv__texel t = pv__texel_of(colour);
    for (int p = o.first; p <= o.last; p++) {
        double other = o.b + o.slope * (p + 0.5 - o.a);
        if (!(other >= 0 && other < across)) continue;
        pv__blend(flat ? pv__canvas_at(canvas, p, (int)other) : pv__canvas_at(canvas, (int)other, p), t);
    }
    return PV_OK;
}
