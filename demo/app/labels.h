/* labels.h - the short texts of a scene beside its objects.
 *
 * Invariant: a label is centered at its point, at any size of the canvas.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef LABELS_H
#define LABELS_H

#include "app/hud.h"
#include "draw/camera.h"
#include "stage/stage.h"

/// Draws the labels of a stage.
/// @param canvas size of the canvas [px]
/// @param shown rectangle of the canvas in the window, in the units of hud
void labels_draw(const struct stage *stage, const struct camera *camera, SDL_Point canvas,
                 struct hud *hud, SDL_Rect shown);

/// Draws the labels of a stage on a canvas, without a window. Without the font it does nothing.
void labels_draw_on(const struct stage *stage, const struct camera *camera,
                    const pv_canvas *canvas);

#endif
