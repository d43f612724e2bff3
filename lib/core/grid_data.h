/* grid_data.h - the structures of the broad phase, of its pair limit and of the index of queries.
 *
 * Invariant: results do not depend on the layout of the grids.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_CORE_GRID_DATA_H
#define PV_CORE_GRID_DATA_H

#include "core/contact_data.h"

/// Box in whole pixels, counted as in broad_phase.c
typedef struct pv__frame {
    uint32_t left, top, right, bottom;
} pv__frame;

/// Body in the grids of the broad phase
typedef struct pv__proxy {
    pv__frame frame;
    /// Cell
    uint32_t x, y;
    /// Next body in the cell's chain, or -1
    int next;
    /// Level of the cell, which is 2^level px wide
    uint8_t level;
    /// True if it rests and is in its cell's chain
    bool linked;
    /// True if it was dynamic and no sensor at the last fit; each pair needs such a body
    bool seeks;
    /// True if it was a sensor at the last fit, and thus in no pair
    bool senses;
    /// True if it is in the list of displaced bodies
    bool displaced;
    /// True if the last search for pairs fitted it while it was awake
    bool fitted;
} pv__proxy;

/// Box of a body in the grid, and its links in lists
typedef struct pv__place {
    /// Box that holds the body until the next search for pairs [px]
    pv_box box;
    /// Previous body in the cell's chain, or -1
    int previous;
    /// Neighbors in the ring of the resting bodies on its level
    int ring_next, ring_previous;
    /// Next displaced body, or -1
    int next_displaced;
} pv__place;

/// Awake body in its row of cells
typedef struct pv__entry {
    pv_box box;
    pv__frame frame;
    /// Row of the cell
    uint32_t y;
    int body;
    /// True if it seeks no other body
    bool idle;
} pv__entry;

/// Kept neighbor of a body over the pair limit, and their distance as in pair_limit.c
typedef struct pv__crowd_mate {
    double apart;
    int other;
} pv__crowd_mate;

#define PV__CROWD_KEPT 8

/// Data of a body for the pair limit
typedef struct pv__crowd {
    /// Current box [px]
    pv_box box;
    /// Share of the box that its pixels fill
    double fill;
    /// Number of times that all bodies there would cover the box, in units of pair_limit.c
    int64_t layers;
    /// True if box, fill and layers are known in this step
    bool measured;
    /// True if the body is over the pair limit
    bool full;
    /// True if it overlaps an immovable body
    bool grounded;
    /// Greatest speed in the step, if it is over the pair limit [px/s]
    double fastest;
    /// Index of its first kept neighbor in the list of mates, if it is over the pair limit
    int mates;
    /// Number of kept neighbors, at most PV__CROWD_KEPT
    int count;
} pv__crowd;

typedef struct pv__level {
    int count;
    /// First resting body on the level
    int first;
    /// Greatest width and greatest height of a frame on the level since it was last empty [px]
    uint32_t widest, highest;
} pv__level;

typedef struct pv__levels {
    pv__level at[32];
    /// A bit for each level that is not empty
    uint32_t used;
} pv__levels;

typedef struct pv__grid {
    /// Proxies and places, by body
    pv__proxy *proxies;
    pv__place *places;
    /// Result of a search; room for one more than all bodies
    int *near;
    /// First resting body of each slot, or -1; the length is a power of two
    int *chains;
    /// First entry of each slot
    int *starts;
    pv__entry *entries;
    int proxy_capacity, place_capacity, near_capacity, chain_count, start_capacity, entry_capacity;
    int slots, entry_count;
    /// Number of awake bodies, including bodies without an entry
    int fitted;
    /// A bit for each level with entries
    uint32_t laid;
    /// First displaced body, or -1; such a body came, went, fell asleep or was moved
    int displaced;
    pv__levels awake, resting;
} pv__grid;

/// Place of a body in the index: up to four cells of a level whose cells hold its box
typedef struct pv__index_spot {
    /// Box of its picture, for a polygon with its corners [px]
    pv_box box;
    /// Next link in the chain of each cell, from the upper left one, or -1; see query_index.c
    int next[4];
    /// Upper left cell
    uint32_t x, y;
    /// Level of the cells, which are 2^level px wide
    uint8_t level;
    /// Lowest level allowed to it when entered; depends on the number of bodies around it
    uint8_t least;
    /// 1: it extends into the next cell to the right, or down
    uint8_t wide, tall;
    bool listed;
    /// Scratch: true if its cells are those of its body
    bool settled;
} pv__index_spot;

/// Index of bodies for queries
typedef struct pv__index {
    /// Spots of sprites and of polygons, by slot
    pv__index_spot *spots[2];
    int spot_capacity[2];
    /// First link of each slot, or -1; the length is a power of two
    int *chains;
    int chain_count;
    /// Number of bodies on each level
    int counts[32];
    /// A bit for each level that is not empty
    uint32_t used;
    /// True while a step moves the bodies
    bool stale;
    /// State between steps, see query_index.c
    pv__word state;
} pv__index;

/// Boxes of bodies, and the candidate pairs of a step.
typedef struct pv__broad_phase {
    pv__grid grid;
    pv__index index;
    /// Scratch: number of the step's pairs with a body
    int *around;
    /// Pair limit data by body, for bodies in the step's pairs
    pv__crowd *crowds;
    pv__crowd_mate *mates;
    int around_capacity, crowd_capacity, mate_capacity;
    /// True if any body is over the pair limit in this step
    bool crowded;
    /// Candidate pairs of the step, and scratch of their sorting
    pv__pair *pairs, *spare_pairs;
    int pair_count, pair_capacity, spare_pair_capacity;
    /// Bodies that have left their boxes in this step
    int *enlarged;
    int enlarged_count, enlarged_capacity;
    /// Number of bodies that enlarged boxes may still find in this step
    int64_t enlarge_budget;
    /// True if this step uses the pairs of the last one
    bool held;
} pv__broad_phase;

#endif
