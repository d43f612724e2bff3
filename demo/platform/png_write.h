/* png_write.h - writes pictures of the canvas.
 *
 * Invariant: no other file writes pictures.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PNG_WRITE_H
#define PNG_WRITE_H

#include <pixverlet.h>

/// Writes a canvas to a PNG file; returns false if that fails.
bool png_write(const char *path, const pv_canvas *canvas);

/// Finds a free name in the working directory, from "STEM-000.png" on.
/// @return false if a thousand files exist already
bool png_free_name(char *name, size_t size, const char *stem);

#endif
