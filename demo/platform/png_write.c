/* png_write.c - writes a canvas to a PNG file.
 *
 * Invariant: the file holds the canvas's bytes unchanged.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "platform/png_write.h"

#include <string.h>

bool png_write(const char *path, const pv_canvas *canvas) {
    pv_image *image = pv_image_create(canvas->width, canvas->height, NULL, NULL);
    size_t row = (size_t)canvas->width * 4;
    for (int y = 0; image && y < image->height; y++)
        memcpy(image->pixels + (size_t)y * row, canvas->pixels + y * canvas->pitch, row);
    bool written = pv_image_save(image, path) == PV_OK;
    pv_image_destroy(image);
    return written;
}
