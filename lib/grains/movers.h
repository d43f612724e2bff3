/* movers.h - the interface of movers.c: bodies that move, as grains meet them.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_GRAINS_MOVERS_H
#define PV_GRAINS_MOVERS_H

#include "core/world.h"
#include "grains/area.h"
#include "placed/placed.h"

/// Map of points of the world [px] into a picture [px]: m = rows * p + offset
typedef struct pv__grain_frame {
    pv_vec2 row_x, row_y, offset;
} pv__grain_frame;

/// Body that moves, or a sink
typedef struct pv__grain_mover {
    /// Null for a sink without a sensor
    const pv__bits *bits;
    pv_transform before, now;
    pv__grain_frame frame_before, frame_now;
    /// Biased pixels that it covers in the step
    pv_rect box;
    /// Index of the sink, or -1
    int sink;
} pv__grain_mover;

/// Movers of a step: bodies, then sinks. The bodies of cell i are
/// entries[starts[i]]...entries[starts[i + 1] - 1].
struct pv__grain_movers {
    pv__grain_mover *items;
    int count, capacity;
    int *starts, *entries;
    int start_capacity, entry_capacity;
    /// Number of cells by hash, a power of two
    int cells;
    /// Number of items that are bodies
    int bodies;
};

/// Adds a body that moves from one pose to another in the step, or a sensor with a sink. Returns
/// false without memory.
/// @param sink index of the sink, or -1
bool pv__movers_add(pv_world *world, pv__grains *g, const pv__body *b, pv__pose from, int sink);
/// Adds a sink without a sensor.
bool pv__movers_add_box(pv_world *world, pv__grains *g, int sink);
/// Sorts the movers into cells, and marks the cells that they cover. Returns false without memory.
bool pv__movers_begin(pv_world *world, pv__grains *g);
/// Wakes the resting grains in the way of movers, and in sinks.
void pv__movers_wake(pv__grains *g);
/// Ends the step: unmarks the cells, and forgets the movers.
void pv__movers_end(pv__grains *g);
void pv__movers_free(const pv_world *world, pv__grains *g);

/// Tells whether a mover's box overlaps a box of biased pixels.
static inline bool pv__mover_is_met(const pv__grain_mover *m, const pv__grain_box *b) {
    return b->x0 < m->box.x + m->box.w && b->x1 >= m->box.x && b->y0 < m->box.y + m->box.h &&
           b->y1 >= m->box.y;
}

/// Tells whether a point, in 1/65536 px, is in a mover's pixel or in a sink.
bool pv__mover_has(const pv__grain_mover *m, int32_t x, int32_t y);

/// Search for the bodies whose boxes overlap a rectangle of biased pixels
typedef struct pv__mover_search {
    const struct pv__grain_movers *all;
    pv__grain_box way;
    int x, y, entry, end;
} pv__mover_search;

/// Begins a search around the way between two points, in 1/65536 px. Without bodies it finds none.
pv__mover_search pv__mover_search_along(const pv__grains *g, int32_t x0, int32_t y0, int32_t x1,
                                        int32_t y1);
/// Returns the next body, or null. It may return the same body several times.
const pv__grain_mover *pv__mover_search_next(pv__mover_search *s);

static inline pv_vec2 pv__grain_place(int32_t x, int32_t y) {
    return pv__vec(x / 65536.0, y / 65536.0);
}

/// Maps a point of the world into a picture.
static inline pv_vec2 pv__grain_into(const pv__grain_frame *f, pv_vec2 p) {
    return pv__vec(f->row_x.x * p.x + f->row_x.y * p.y + f->offset.x,
                   f->row_y.x * p.x + f->row_y.y * p.y + f->offset.y);
}

static inline bool pv__grain_picture_is_solid(const pv__bits *bits, pv_vec2 m) {
    return m.x >= 0 && m.y >= 0 && m.x < bits->w && m.y < bits->h &&
           pv__bits_get(bits, (int)m.x, (int)m.y);
}

/// Tells whether a mover may be in the cell of a pixel in this step.
static inline bool pv__mover_is_near(const pv__grains *g, unsigned u, unsigned v) {
    return pv__area_clear(g, u, v) >> 4 == 0;
}

#endif
