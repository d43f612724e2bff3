/* canvas.h - colors, blending and rows of texels, shared by the drawing files.
 *
 * Invariant: alpha is straight; every product is rounded to the nearest.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PIXEL_CANVAS_H
#define PV_PIXEL_CANVAS_H

#include "pixel/bits.h"

#include <string.h>

typedef struct pv__texel {
    /// Red, green, blue and alpha
    unsigned char c[4];
} pv__texel;

static inline pv__texel pv__canvas_texel_of(uint32_t color) {
    return (pv__texel){{(unsigned char)(color >> 24), (unsigned char)(color >> 16),
                        (unsigned char)(color >> 8), (unsigned char)color}};
}

/* canvas.c */
/// Blends a texel over a canvas pixel that is itself translucent. The alpha of t is not 0.
void pv__canvas_blend_any(unsigned char *to, pv__texel t);

static inline void pv__canvas_blend(unsigned char *to, pv__texel t) {
    unsigned a = t.c[3];
    if (a == 255) {
        memcpy(to, t.c, 4);
    } else if (a && to[3] == 255) {
        for (int i = 0; i < 3; i++)
            to[i] = (unsigned char)((t.c[i] * a + to[i] * (255 - a) + 127) / 255);
    } else if (a) {
        pv__canvas_blend_any(to, t);
    }
}

/// Tells whether an image can be drawn.
bool pv__canvas_is_drawable(const pv_image *image);

/// Pixels within radius of the segment from a to b, row by row
typedef struct pv__stroke {
    /// Ends, and the unit vector from a to b, or (0, 0) for equal ends
    pv_vec2 a, b, along;
    double radius;
    /// Width of the picture, and end of the rows
    int w, bottom;
    /// Row y, with the pixels left...right - 1
    int y, left, right;
} pv__stroke;

/// Begins a stroke in a w x h picture. All numbers must be finite.
pv__stroke pv__stroke_of(pv_vec2 a, pv_vec2 b, double radius, int w, int h);
/// Finds the next row. Returns false without one.
bool pv__stroke_next(pv__stroke *o);

static inline unsigned char *pv__canvas_at(const pv_canvas *canvas, int x, int y) {
    return canvas->pixels + y * canvas->pitch + (ptrdiff_t)x * 4;
}

/// Run of n canvas pixels, the first at to. Its center lies at (u, v) of the picture, in 32.32
/// fixed point.
typedef struct pv__canvas_span {
    unsigned char *to;
    int64_t u, v, ux, vx;
    int n;
} pv__canvas_span;

#endif
