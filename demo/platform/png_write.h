/* png_write.h - writes pictures of the canvas.
 *
 * Invariant: no other file of the demo writes PNG files.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PNG_WRITE_H
#define PNG_WRITE_H

#include <pixverlet.h>

/// Writes a canvas to a PNG file; returns false if that fails.
bool png_write(const char *path, const pv_canvas *canvas);

#endif
