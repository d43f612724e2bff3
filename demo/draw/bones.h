/* bones.h - particles, and the constraints between them.
 *
 * Invariant: drawing only reads the stage.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef BONES_H
#define BONES_H

#include "draw/lens.h"

/// Draws polygons, and the constraints and particles that are painted.
void bones_draw(const struct lens *lens);

#endif
