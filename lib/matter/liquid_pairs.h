/* liquid_pairs.h - pairs of drops within reach, and their operations in a substep.
 *
 * Invariant: each sum has its terms in order of the pairs, so every kernel has the same bits.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_MATTER_LIQUID_PAIRS_H
#define PV_MATTER_LIQUID_PAIRS_H

#include "core/world.h"

/// Greatest deviation of a pair from straight paths while its lists hold [px]
#define PV__LIQUID_SLACK 1.0

/// Greatest number of later neighbors in a drop's list. A liquid under pressure fills two thirds;
/// without a limit, many drops at one place would cost the square of their number.
enum { PV__LIQUID_NEIGHBORS = 32 };

/// Particle of a liquid in a substep.
typedef struct pv__liquid_drop {
    /// Place when the substep began, and displacement since [px]
    pv_vec2 was, way;
} pv__liquid_drop;

/// Surroundings of a drop.
typedef struct pv__liquid_crowd {
    /// Density and near density, later the pressures from them [px]
    double all, near;
    /// Quarter of viscosity times substep
    double thickness;
    /// Half of the greatest displacement that it gives to another drop [px]
    double most;
} pv__liquid_crowd;

/// Drops, and pairs that may be within reach. The neighbors after drop i are
/// others[first[i]]...others[first[i + 1] - 1], in order. A kernel reads PV__LANES of them at once,
/// so it may read beyond the last one.
typedef struct pv__liquid_pairs {
    int count;
    pv__liquid_drop *drops;
    pv__liquid_crowd *crowds;
    /// Pushes on drops [mass px]
    pv_vec2 *pushes;
    /// Half of 1 / reach of drops [1/px]
    double *per_reach;
    int *first;
    /// Second drop of a pair
    int *others;
    /// Harmonic mean of the masses of a pair
    double *shares;
    /// Direction from the first drop to the second, times the share
    double *share_x, *share_y;
    /// Closeness: 0 at reach and beyond, 1 at no distance
    double *closeness;
    /// Growth of the distance in the substep [px]
    double *parting;
} pv__liquid_pairs;

/// Drop in its cell, for the creation of the lists.
typedef struct pv__liquid_resident {
    /// Displacement in a substep [px]
    pv_vec2 way;
    double per_reach, inverse_mass;
    int drop, cell_x, cell_y;
} pv__liquid_resident;

/// Drops in the order of their hashed cells, and of their numbers in each. All neighbors of a drop
/// are in its cell or next to it.
typedef struct pv__liquid_cells {
    pv__liquid_resident *residents;
    /// Places of residents, and half of reach and slack plus the path while the lists hold [px]
    double *x, *y, *range;
    /// Starts of the cells, and in each the first resident whose neighbors are not listed yet
    int *heads, *later;
    unsigned mask;
    /// Last age at which the lists hold [substep]
    double last;
} pv__liquid_cells;

static inline unsigned pv__liquid_cell_of(int x, int y, unsigned mask) {
    return ((unsigned)x * 0x9e3779b1u ^ (unsigned)y * 0x85ebca77u) >> 7 & mask;
}

/// Kernel of an instruction set, with the same results on every CPU.
typedef struct pv__liquid_kernel {
    /// Lists the later neighbors of the next drop of a cell, in order. Returns their number, at
    /// most PV__LIQUID_NEIGHBORS.
    int (*search)(const pv__liquid_cells *c, unsigned cell, int *neighbors);
    /// Finds directions, closeness and parting of the pairs, and adds to the densities.
    void (*feel)(const pv__liquid_pairs *p);
    /// Adds the pushes of the pairs from the pressures.
    void (*part)(const pv__liquid_pairs *p);
} pv__liquid_kernel;

extern const pv__liquid_kernel pv__liquid_generic, pv__liquid_avx2;

#endif
