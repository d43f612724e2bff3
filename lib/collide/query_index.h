/* query_index.h - the interface of query_index.c: bodies around a place or along a path: hashed
 * grids with cells of several sizes (Ericson 2005, section 7.2).
 *
 * Invariant: a body's number is its slot for a sprite, and PV_POLYGON_BIT + its slot for a polygon.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_COLLIDE_QUERY_INDEX_H
#define PV_COLLIDE_QUERY_INDEX_H

#include "core/world.h"

/// Tells whether a number names a polygon.
static inline bool pv__index_is_polygon(int body) { return (unsigned)body >= PV_POLYGON_BIT; }
/// Returns the number of the polygon in a slot, and the slot of a polygon by its number.
static inline int pv__index_of_polygon(int slot) { return (int)PV_POLYGON_BIT + slot; }
static inline int pv__index_polygon(int body) { return body - (int)PV_POLYGON_BIT; }
/// Returns the handle of a body.
pv_body_id pv__index_handle(const pv_world *world, int body);

/// Reserves memory for that number of further sprites and polygons, so that no later call needs
/// any; returns false without memory.
bool pv__index_reserve(pv_world *world, int sprites, int polygons);
/// Frees the memory of the index.
void pv__index_free(pv_world *world);
/// Updates the index for a body that came, went, moved or fell asleep.
void pv__index_update(pv_world *world, int body);
/// Ends a step: updates the index now if a query used it since the last step, or else in the next
/// query.
void pv__index_follow(pv_world *world);
/// Updates the index for all bodies that differ from those of the world from, which it described.
void pv__index_fill(pv_world *world, const pv_world *from);

/// Swept box: a box around a point that moves along a straight path
typedef struct pv__swath {
    pv_vec2 from, to;
    /// Box relative to the point [px]
    pv_box reach;
} pv__swath;

/// Takes a body whose box overlaps a swept box. Returns the fraction of the path beyond which no
/// more bodies are wanted.
typedef double (*pv__visit)(void *user_data, int body);
/// Visits all wanted bodies whose boxes overlap a swept box. They come in no fixed order, some more
/// than once. On a long path, bodies at its beginning come first.
void pv__index_search(const pv_world *world, const pv__swath *swath, pv__visit visit,
                      void *user_data);
/// Returns the box of a present body: that of its picture, for a polygon with its corners.
pv_box pv__index_current_box(const pv_world *world, int body);

/// Number of bodies in one search
#define PV__WINDOW (1 << 15)

/// Bodies whose boxes overlap a swept box, sprites before polygons, in order of slots, each once
typedef struct pv__candidates {
    const pv_world *world;
    pv__swath swath;
    /// Place of the first bit in that order, number of words, and next word
    int first, words, word;
    uint64_t bits[PV__WINDOW / 64];
} pv__candidates;
/// Starts an iteration at a body.
void pv__index_candidates_begin(pv__candidates *candidates, const pv_world *world,
                                const pv__swath *swath, int first);
/// Returns the next body, or -1.
int pv__index_candidates_next(pv__candidates *candidates);

#endif
