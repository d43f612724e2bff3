/* headless.h - runs a scene without a window.
 *
 * Invariant: a run needs no display.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef HEADLESS_H
#define HEADLESS_H

#include "stage/scene.h"

/// Screenshot at the end
struct screenshot {
    /// Path of the PNG file; null: no screenshot
    const char *path;
    /// Middle of the screenshot in the world, with a factor [px]
    int x, y;
    /// Number of picture pixels per pixel of the world; 0: the whole view at its own size
    int factor;
};

/// Steps a stage and prints its summary.
/// @return exit status
int headless_run(const struct scene *scene, struct stage *stage, long frames,
                 const struct screenshot *shot);

#endif
