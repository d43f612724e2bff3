/* silhouette.h - the interface of silhouette.c: the width of a body's pixels across a direction,
 * and their silhouette from a point.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_WORLD_SILHOUETTE_H
#define PV_WORLD_SILHOUETTE_H

#include "core/world.h"

/// Silhouette of a body's pixels from a point
typedef struct pv__seen {
    /// Distance to the nearest point of the contour [px]
    double distance;
    /// Mean of all directions to the pixels, as vectors of length 1
    pv_vec2 mean;
    /// True if the point is among the pixels; the other members are then 0
    bool inside;
} pv__seen;
/// Creates the outline of a body's pixels if it has none yet; returns false without memory.
bool pv__silhouette_outline_ready(const pv__body *b);
/// Returns the width of the pixels across a direction of length 1, not counting gaps [px]. It is 0
/// if the outline is not ready.
double pv__silhouette_width_across(const pv__body *b, pv_vec2 n);
/// Returns the silhouette of a body as seen from a point. The distance is infinite if the outline
/// is not ready.
pv__seen pv__silhouette_seen_from(const pv__body *b, pv_vec2 point);

#endif
