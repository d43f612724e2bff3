/* game_pngs.c - compares the PNGs named on standard input with libpng, by pixels and mask bits.
 * Each 50 files give one line of TAP, after the differences.
 *
 * Invariant: both decoders refuse the same files.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "libpng.h"

#include <stdio.h>
#include <string.h>

#define PER_LINE 50
#define MASK_FROM_FILE_AREA (1 << 20) /* larger files are decoded once, not twice */

static long wrong_bits(const pv_image *p, const pv_mask *mask) {
    long wrong = pv_mask_get_width(mask) != p->width || pv_mask_get_height(mask) != p->height;
    const unsigned char *texel = p->pixels;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++, texel += 4)
            wrong += pv_mask_get_pixel(mask, x, y) != (texel[3] >= 128);
    return wrong;
}

/// Returns null if all agrees, else what does not.
/// @param p picture of libpng, or null if it refuses the file
static const char *compare(const char *path, const pv_image *p, const pv_image *image) {
    if (!p && image) return "read here, refused by libpng";
    if (!p) return NULL;
    if (!image) return "refused here, read by libpng";
    if (image->width != p->width || image->height != p->height) return "of another size";
    size_t area = (size_t)p->width * (size_t)p->height;
    if (memcmp(image->pixels, p->pixels, area * 4) != 0) return "other pixels";
    pv_mask *mask = area <= MASK_FROM_FILE_AREA ? pv_mask_load(path, NULL, NULL)
                                                : pv_mask_from_image(image, NULL, NULL);
    long wrong = wrong_bits(p, mask);
    pv_mask_release(mask);
    return wrong ? "other mask bits" : NULL;
}

static bool check(const char *path) {
    pv_image p = {0};
    pv_error error;
    FILE *file = fopen(path, "rb");
    bool read = file && libpng_reads(NULL, file, &p);
    if (file) fclose(file);
    pv_image *image = pv_image_load(path, NULL, &error);
    const char *fault = compare(path, read ? &p : NULL, image);
    if (fault) printf("# %s: %s (%s)\n", path, fault, error.message);
    pv_image_destroy(image);
    free(p.pixels);
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
