/* bones.h - particles and what holds them.
 *
 * Invariant: only reads the stage.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef BONES_H
#define BONES_H

#include "lens.h"

/// Draws polygons, and the constraints and particles that are painted.
void bones_draw(const struct lens *lens);

#endif
