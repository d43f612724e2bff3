/* guarded_canvas.h - canvases in guarded memory, for the suites that draw.
 *
 * Invariant: the pitch is wider than the rows. Freeing a canvas checks its guard bytes.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef GUARDED_CANVAS_H
#define GUARDED_CANVAS_H

#include "support.h"

static inline int next_int(uint64_t *state, int low, int high) {
    return low + (int)(next_random(state) % (uint64_t)(high - low + 1));
}

/// Canvas in the middle of bytes of 0xa5; upside down with a negative pitch
typedef struct guarded_canvas {
    pv_canvas canvas;
    unsigned char *memory;
    size_t size;
} guarded_canvas;

static inline guarded_canvas make_canvas(int w, int h, bool flipped) {
    ptrdiff_t pitch = w * 4 + 20;
    guarded_canvas e = {.size = (size_t)(pitch * (h + 6))};
    e.memory = malloc(e.size);
    memset(e.memory, 0xa5, e.size);
    e.canvas =
        (pv_canvas){e.memory + (flipped ? h + 2 : 3) * pitch + 8, w, h, flipped ? -pitch : pitch};
    for (int y = 0; y < h; y++) memset(e.canvas.pixels + y * e.canvas.pitch, 0, (size_t)w * 4);
    return e;
}

static inline const unsigned char *at(const guarded_canvas *e, int x, int y) {
    return e->canvas.pixels + y * e->canvas.pitch + (ptrdiff_t)x * 4;
}

/// Counts the pixels that are not transparent.
static inline int drawn(const guarded_canvas *e) {
    int count = 0;
    for (int y = 0; y < e->canvas.height; y++)
        for (int x = 0; x < e->canvas.width; x++) count += at(e, x, y)[3] != 0;
    return count;
}

static inline void free_canvas(guarded_canvas *e) {
    for (int y = 0; y < e->canvas.height; y++)
        memset(e->canvas.pixels + y * e->canvas.pitch, 0xa5, (size_t)e->canvas.width * 4);
    for (size_t i = 0; i < e->size; i++)
        if (e->memory[i] != 0xa5) ck_abort_msg("wrote beside the canvas, at byte %zu", i);
    free(e->memory);
}

/// Type of canvases that are checked and freed at the end of their block
#define scoped_canvas __attribute__((cleanup(free_canvas))) guarded_canvas

#endif
