/* headless.h - a scene without a window.
 *
 * Invariant: needs no display.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef HEADLESS_H
#define HEADLESS_H

#include "scene.h"

/// Steps a stage and prints its summary.
/// @param screenshot null, or the PNG file to write at the end
/// @return exit status
int headless_run(const struct scene *scene, struct stage *stage, long frames, const char *screenshot);

#endif
