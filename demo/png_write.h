/* png_write.h - pictures of the canvas.
 *
 * Invariant: nothing else writes pictures.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PNG_WRITE_H
#define PNG_WRITE_H

#include <pixverlet.h>

/// Writes a canvas to a PNG file; false when that could not be done.
bool png_write(const char *path, const pv_canvas *canvas);

/// Finds a name in the working directory that no file has: "STEM-000.png" and so on.
/// @return false when there are a thousand already
bool png_free_name(char *name, size_t size, const char *stem);

#endif
