/* view.h - draws a stage through a camera.
 *
 * Invariant: sprites are drawn with the library's own mapping, so the visible pixels are the
 * colliding ones. This file knows no window.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef VIEW_H
#define VIEW_H

#include "draw/lens.h"

/// Paints the whole canvas.
void view_draw(const pv_canvas *canvas, const struct stage *stage, const struct view *view);

#endif
