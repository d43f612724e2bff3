/* material.h - restitution and friction of a surface.
 *
 * Invariant: restitution is in 0...1 and both coefficients of friction are in
 * 0...PV__MOST_FRICTION.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

/// Material of a body, a particle or a polygon, or the mixed one of two
typedef struct pv__material {
    double restitution, static_friction, kinetic_friction;
} pv__material;
