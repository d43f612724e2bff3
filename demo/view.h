/* view.h - draws a stage through a camera.
 *
 * Invariant: sprites are drawn by the library's own map, so what is seen is what collides. No
 * window here.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef VIEW_H
#define VIEW_H

#include "lens.h"

/// Paints the whole canvas.
void view_draw(const pv_canvas *canvas, const struct stage *stage, const struct view *view);

#endif
