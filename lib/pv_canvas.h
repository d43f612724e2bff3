/* pv_canvas.h - what the files that draw share: colours, blending, rows of texels.
 *
 * Invariant: alpha is straight; every product is rounded to the nearest.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CANVAS_H
#define PV_CANVAS_H

#include "pv_pixels.h"

#include <string.h>

typedef struct pv__texel {
    unsigned char c[4]; ///< R, G, B, A
} pv__texel;

static inline pv__texel pv__texel_of(uint32_t colour) {
    return (pv__texel){{(unsigned char)(colour >> 24), (unsigned char)(colour >> 16),
                        (unsigned char)(colour >> 8), (unsigned char)colour}};
}

/* pv_canvas.c */
/// Over a canvas pixel that is itself translucent; alpha of t is not 0.
void pv__blend_any(unsigned char *to, pv__texel t);

static inline void pv__blend(unsigned char *to, pv__texel t) {
    unsigned a = t.c[3];
    if (a == 255) {
        memcpy(to, t.c, 4);
    } else if (a && to[3] == 255) {
        for (int i = 0; i < 3; i++) to[i] = (unsigned char)((t.c[i] * a + to[i] * (255 - a) + 127) / 255);
    } else if (a) {
        pv__blend_any(to, t);
    }
}

/// Whether a canvas can be painted on.
pv_status pv__canvas_check(const pv_canvas *canvas);
/// Whether an image can be drawn.
bool pv__drawable(const pv_image *image);

static inline unsigned char *pv__canvas_at(const pv_canvas *canvas, int x, int y) {
    return canvas->pixels + y * canvas->pitch + (ptrdiff_t)x * 4;
}

/// n canvas pixels at to, the first of which has its centre at (u, v) of the picture, in 32.32 fixed point.
typedef struct pv__span {
    unsigned char *to;
    int64_t u, v, ux, vx;
    int n;
} pv__span;
void pv__draw_span(const pv_image *image, const pv__span *o, uint32_t tint);

#endif
