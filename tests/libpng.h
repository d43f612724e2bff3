/* libpng.h - pictures as libpng reads them, for comparison.
 *
 * Invariant: libpng is used without color conversion. It expands, reduces 16 bits to 8, turns gray
 * to color, and adds an opaque alpha.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_TESTS_LIBPNG_H
#define PIXVERLET_TESTS_LIBPNG_H

#include "pixverlet.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

static inline void libpng_is_silent(png_structp png, png_const_charp warning) {
    (void)png, (void)warning;
}

static inline void libpng_gives_up(png_structp png, png_const_charp reason) {
    (void)reason;
    longjmp(*(jmp_buf *)png_get_error_ptr(png), 1);
}

static inline void libpng_read_rows(png_structp png, png_infop info, pv_image *to) {
    png_read_info(png, info);
    to->width = (int)png_get_image_width(png, info);
    to->height = (int)png_get_image_height(png, info);
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, info);
    size_t row = (size_t)to->width * 4;
    if (png_get_rowbytes(png, info) != row) abort();
    to->pixels = malloc(row * (size_t)to->height);
    while (passes-- > 0)
        for (int y = 0; y < to->height; y++) png_read_row(png, to->pixels + (size_t)y * row, NULL);
}

/// Returns true if libpng reads a picture, even with warnings. The caller frees the pixels, even if
/// the picture is refused.
/// @param read reader of the source; null for a FILE
static inline bool libpng_reads(png_rw_ptr read, void *source, pv_image *to) {
    jmp_buf refused;
    png_structp png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, &refused, libpng_gives_up, libpng_is_silent);
    png_infop info = png_create_info_struct(png);
    *to = (pv_image){0};
    png_set_read_fn(png, source, read);
    bool good = setjmp(refused) == 0;
    if (good) libpng_read_rows(png, info, to);
    png_destroy_read_struct(&png, &info, NULL);
    return good;
}

#endif
