/* png_write.h - screenshots.
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

#endif
