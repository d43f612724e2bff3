/* bones.h - draws particles, and the joints between them.
 *
 * Invariant: drawing only reads the stage.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef BONES_H
#define BONES_H

#include "draw/lens.h"

/// Draws polygons, and the joints and particles that are painted.
void bones_draw(const struct lens *lens);

#endif
