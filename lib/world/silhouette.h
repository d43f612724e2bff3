/* silhouette.h - the interface of silhouette.c: how wide a body's pixels are across a direction,
 * and how they are seen from a point.
 *
 * Invariant: as in silhouette.c, before and after each call.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_WORLD_SILHOUETTE_H
#define PV_WORLD_SILHOUETTE_H

#include "core/world.h"

/// Silhouette of a body's pixels as seen from a point.
typedef struct pv__seen {
    /// Of what is nearest [px]
    double distance;
    /// Of all directions to them, of length 1 each
    pv_vec2 mean;
    /// The point is among them, and nothing else is known
    bool inside;
} pv__seen;
/// Makes the outline of a body's pixels, where it has none yet; false without memory.
bool pv__silhouette_outline_ready(const pv__body *b);
/// Measures how wide the pixels are across a direction of length 1, without gaps between them [px];
/// 0 where the outline is not ready.
double pv__silhouette_width_across(const pv__body *b, pv_vec2 n);
/// Silhouette of them; at an infinite distance where the outline is not ready.
pv__seen pv__silhouette_seen_from(const pv__body *b, pv_vec2 point);

#endif
