/* headless.h - runs a scene without a window.
 *
 * Invariant: a run needs no display.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef HEADLESS_H
#define HEADLESS_H

#include "stage/scene.h"

/// Part of the world in a picture
struct framing {
    /// Point of the world in the middle of the picture, if factor > 0 [px]
    int x, y;
    /// Number of picture pixels per pixel of the world; 0: the whole view at its own size
    int factor;
};

struct headless {
    /// Number of frames; -1: 600
    long frames;
    /// Paths of a PNG file of the last frame, and of an animation that begins at `from`; null: none
    const char *screenshot, *gif;
    long from;
    struct framing framing;
};

/// Steps a stage and prints its summary.
/// @return exit status
int headless_run(const struct scene *scene, struct stage *stage, const struct headless *run);

#endif
