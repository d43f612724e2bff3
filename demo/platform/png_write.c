/* png_write.c - writes PNG files with stb_image_write, which no other file includes.
 *
 * Invariant: the file holds the canvas's bytes unchanged.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "platform/png_write.h"

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function" /* of its five formats one is used */
#include <stb_image_write.h>
#pragma GCC diagnostic pop

#include <stdio.h>

bool png_write(const char *path, const pv_canvas *canvas) {
    return stbi_write_png(path, canvas->width, canvas->height, 4, canvas->pixels,
                          (int)canvas->pitch) != 0;
}

static bool exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

bool png_free_name(char *name, size_t size, const char *stem) {
    int number = 0;
    do snprintf(name, size, "%s-%03d.png", stem, number++);
    while (number < 1000 && exists(name));
    return !exists(name);
}
