/* game_pngs.c - compares the PNGs named on standard input with libpng, by pixel and mask bit. Each
 * 50 files give one line of TAP, with the differences before it.
 *
 * Invariant: libpng is used in its plain form, without color conversion: expand, 16 bits to 8, gray
 * to color, opaque without alpha.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixverlet.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PER_LINE 50
#define MASK_FROM_FILE_AREA (1 << 20) /* larger ones are decoded once, not twice */

/// Picture from libpng; pixels is null if it refuses the file
typedef struct picture {
    int w, h;
    unsigned char *pixels;
    png_bytep *rows;
} picture;

static void say_nothing(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static void start(png_structp png, png_infop info, FILE *file, picture *o) {
    png_init_io(png, file);
    png_read_info(png, info);
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    o->w = (int)png_get_image_width(png, info);
    o->h = (int)png_get_image_height(png, info);
    o->pixels = malloc((size_t)o->w * (size_t)o->h * 4);
    o->rows = malloc((size_t)o->h * sizeof *o->rows);
}

static void drop(picture *o) {
    free(o->pixels);
    free(o->rows);
    *o = (picture){0, 0, NULL, NULL};
}

/// o is the caller's, so that it outlives the jump.
static void read_rows(FILE *file, picture *o) {
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, say_nothing);
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png)) == 0) {
        start(png, info, file, o);
        for (int y = 0; y < o->h; y++) o->rows[y] = o->pixels + (size_t)y * (size_t)o->w * 4;
        png_read_image(png, o->rows);
        png_read_end(png, NULL);
    } else {
        drop(o);
    }
    png_destroy_read_struct(&png, &info, NULL);
}

static long wrong_bits(const picture *p, const pv_mask *mask) {
    long wrong = pv_mask_get_width(mask) != p->w || pv_mask_get_height(mask) != p->h;
    for (int y = 0; y < p->h; y++)
        for (int x = 0; x < p->w; x++)
            wrong += pv_mask_get_pixel(mask, x, y) != (p->rows[y][x * 4 + 3] >= 128);
    return wrong;
}

/// Null when all agrees, else what does not.
static const char *compare(const char *path, const picture *p, const pv_image *image) {
    if (!p->pixels && image) return "read here, refused by libpng";
    if (!p->pixels) return NULL;
    if (!image) return "refused here, read by libpng";
    if (image->width != p->w || image->height != p->h) return "of another size";
    if (memcmp(image->pixels, p->pixels, (size_t)p->w * (size_t)p->h * 4) != 0)
        return "other pixels";
    bool small = p->w * (long)p->h <= MASK_FROM_FILE_AREA;
    pv_mask *mask = small ? pv_mask_load(path, NULL, NULL) : pv_mask_from_image(image, NULL, NULL);
    long wrong = wrong_bits(p, mask);
    pv_mask_release(mask);
    return wrong ? "other mask bits" : NULL;
}

static bool check(const char *path) {
    picture p = {0, 0, NULL, NULL};
    pv_error error;
    FILE *file = fopen(path, "rb");
    if (file) {
        read_rows(file, &p);
        fclose(file);
    }
    pv_image *image = pv_image_load(path, NULL, &error);
    const char *fault = compare(path, &p, image);
    if (fault) printf("# %s: %s (%s)\n", path, fault, error.message);
    pv_image_destroy(image);
    drop(&p);
    return fault == NULL;
}

int main(void) {
    char path[4096];
    int files = 0, lines = 0, bad = 0;
    bool more = true;
    while (more) {
        int first = files;
        for (bad = 0; files < first + PER_LINE && (more = fgets(path, sizeof path, stdin) != NULL);
             files++) {
            path[strcspn(path, "\n")] = '\0';
            bad += !check(path);
        }
        if (files == first) break;
        printf("%sok %d - files %d to %d are as libpng reads them\n", bad ? "not " : "", ++lines,
               first + 1, files);
        fflush(stdout);
    }
    printf("%sok %d - at least 200 files, there being %d\n1..%d\n", files < 200 ? "not " : "",
           lines + 1, files, lines + 1);
    return 0;
}
