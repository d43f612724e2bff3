/* headless.h - a scene without a window.
 *
 * Invariant: needs no display.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef HEADLESS_H
#define HEADLESS_H

#include "scene.h"

/// A screenshot at the end.
struct screenshot {
    /// Of the PNG file; null: none is taken
    const char *path;
    /// With factor: its middle, in the world [px]
    int x, y;
    /// Pixels of the picture per pixel of the world; 0: the whole view at its own size
    int factor;
};

/// Steps a stage and prints its summary.
/// @return exit status
int headless_run(const struct scene *scene, struct stage *stage, long frames,
                 const struct screenshot *shot);

#endif
