/* clip.c - scales pictures into a ring, and writes them as a GIF with one palette.
 *
 * Invariant: a pixel with the same color as in the picture before is transparent in the file, so
 * only changes take up space.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "app/clip.h"

#include <gif_lib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Colors of the palette, index of the transparent one, samples to choose them, and 16-bit colors
enum { COLORS = 255, CLEAR = 255, SAMPLES = 1 << 16, SHADES = 1 << 16 };
/// Strength of the dither, in levels out of 256
enum { DITHER = 12 };

/* ---- pictures ---- */

static size_t area_of(const struct clip *clip) {
    return (size_t)clip->width * (size_t)clip->height;
}

static uint16_t *picture_at(const struct clip *clip, int index) {
    return clip->pixels + (size_t)((clip->first + index) % clip->capacity) * area_of(clip);
}

void clip_close(struct clip *clip) {
    free(clip->pixels);
    *clip = (struct clip){0};
}

static bool open_for(struct clip *clip, const pv_canvas *canvas, int capacity) {
    int shrunk = (canvas->width + CLIP_WIDEST - 1) / CLIP_WIDEST;
    int enlarged = canvas->width * 2 <= CLIP_WIDEST ? CLIP_WIDEST / canvas->width : 1;
    int width = canvas->width * enlarged / shrunk, height = canvas->height * enlarged / shrunk;
    if (clip->width == width && clip->height == height && clip->capacity == capacity) return true;
    clip_close(clip);
    *clip = (struct clip){.width = width, .height = height, .shrunk = shrunk, .enlarged = enlarged};
    clip->pixels = malloc((size_t)capacity * area_of(clip) * sizeof *clip->pixels + 1);
    if (!clip->pixels) return false;
    clip->capacity = capacity;
    return area_of(clip) > 0;
}

/// Returns the upper bits of a color after ordered dithering (Bayer 1973). Gradients stay smooth,
/// and what stands still does not flicker, since the dither depends on the place alone.
static unsigned dithered(unsigned light, int x, int y, int bits) {
    static const unsigned char order[4][4] = {
        {0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    int moved = (int)light + order[y & 3][x & 3] * DITHER / 16 - DITHER / 2;
    return (unsigned)(moved < 0 ? 0 : moved > 255 ? 255 : moved) >> (8 - bits);
}

/// Returns a pixel of a picture, the mean of a square of the canvas.
static uint16_t mean_at(const struct clip *clip, const pv_canvas *canvas, int column, int line) {
    int side = clip->shrunk, left = column * side / clip->enlarged,
        top = line * side / clip->enlarged;
    unsigned sum[3] = {0};
    for (int y = top; y < top + side; y++) {
        const unsigned char *pixel = canvas->pixels + y * canvas->pitch + (ptrdiff_t)left * 4;
        for (int x = 0; x < side; x++, pixel += 4)
            for (int i = 0; i < 3; i++) sum[i] += pixel[i];
    }
    unsigned area = (unsigned)(side * side);
    return (uint16_t)(dithered(sum[0] / area, column, line, 5) << 11 |
                      dithered(sum[1] / area, column, line, 6) << 5 |
                      dithered(sum[2] / area, column, line, 5));
}

bool clip_see(struct clip *clip, const pv_canvas *canvas, int capacity) {
    if (!open_for(clip, canvas, capacity)) return false;
    if (clip->count == clip->capacity) {
        clip->first = (clip->first + 1) % clip->capacity;
        clip->count--;
    }
    uint16_t *to = picture_at(clip, clip->count++);
    for (int y = 0; y < clip->height; y++)
        for (int x = 0; x < clip->width; x++) *to++ = mean_at(clip, canvas, x, y);
    return true;
}

bool clip_copy(struct clip *to, const struct clip *from, int count) {
    size_t picture = area_of(from) * sizeof *from->pixels;
    if (count > from->count) count = from->count;
    *to = *from;
    to->first = 0;
    to->count = to->capacity = count;
    to->pixels = malloc((size_t)count * picture + 1);
    if (!to->pixels) {
        *to = (struct clip){0};
        return false;
    }
    for (int i = 0; i < count; i++)
        memcpy(picture_at(to, i), picture_at(from, from->count - count + i), picture);
    return true;
}

/* ---- one palette ---- */

struct palette {
    ColorMapObject *map;
    /// Index of the nearest color for each 16-bit color
    unsigned char nearest[SHADES];
};

static GifColorType color_of(uint16_t shade) {
    int r = shade >> 11, g = shade >> 5 & 63, b = shade & 31;
    return (GifColorType){(GifByteType)(r << 3 | r >> 2), (GifByteType)(g << 2 | g >> 4),
                          (GifByteType)(b << 3 | b >> 2)};
}

/// Chooses the colors from samples of all pictures, with giflib's median cut.
static bool choose_colors(const struct clip *clip, GifColorType *colors) {
    GifByteType *rooms = calloc(4, SAMPLES);
    size_t whole = (size_t)clip->count * area_of(clip);
    int count = COLORS;
    for (size_t i = 0; rooms && i < SAMPLES; i++) {
        size_t at = (size_t)((double)i * (double)whole / SAMPLES);
        GifColorType color =
            color_of(picture_at(clip, (int)(at / area_of(clip)))[at % area_of(clip)]);
        rooms[i] = color.Red;
        rooms[SAMPLES + i] = color.Green;
        rooms[2 * SAMPLES + i] = color.Blue;
    }
    bool chosen =
        rooms && GifQuantizeBuffer(256, SAMPLES / 256, &count, rooms, rooms + SAMPLES,
                                   rooms + 2 * SAMPLES, rooms + 3 * SAMPLES, colors) == GIF_OK;
    free(rooms);
    return chosen;
}

static int distance_of(GifColorType a, GifColorType b) {
    int r = a.Red - b.Red, g = a.Green - b.Green, blue = a.Blue - b.Blue;
    return 3 * r * r + 6 * g * g + blue * blue;
}

static unsigned char nearest_of(const GifColorType *colors, GifColorType color) {
    int best = 0, least = distance_of(colors[0], color);
    for (int i = 1; i < COLORS; i++) {
        int distance = distance_of(colors[i], color);
        if (distance >= least) continue;
        least = distance;
        best = i;
    }
    return (unsigned char)best;
}

static struct palette *make_palette(const struct clip *clip) {
    GifColorType colors[256] = {{0, 0, 0}};
    struct palette *palette = malloc(sizeof *palette);
    if (!palette || !choose_colors(clip, colors)) {
        free(palette);
        return NULL;
    }
    palette->map = GifMakeMapObject(256, colors);
    for (int i = 0; i < SHADES; i++)
        palette->nearest[i] = nearest_of(colors, color_of((uint16_t)i));
    return palette;
}

/* ---- the file ---- */

/// Rows and columns that change: left...right - 1, top...bottom - 1
struct change {
    int left, top, right, bottom;
};

/// Finds the color indices of a picture, and the rectangle that differs from the picture before. A
/// rectangle has at least one pixel, as a picture must not be empty.
static struct change find_change(const struct clip *clip, const struct palette *palette, int index,
                                 unsigned char *shown, unsigned char *row_of_changes) {
    struct change c = {clip->width, clip->height, 0, 0};
    const uint16_t *from = picture_at(clip, index);
    for (int y = 0; y < clip->height; y++)
        for (int x = 0; x < clip->width; x++) {
            size_t at = (size_t)y * (size_t)clip->width + (size_t)x;
            unsigned char color = palette->nearest[from[at]];
            bool same = index > 0 && color == shown[at];
            row_of_changes[at] = same ? CLEAR : color;
            shown[at] = color;
            if (same) continue;
            if (x < c.left) c.left = x;
            if (x >= c.right) c.right = x + 1;
            if (y < c.top) c.top = y;
            c.bottom = y + 1;
        }
    return c.right > 0 ? c : (struct change){0, 0, 1, 1};
}

/// Makes the file repeat forever, with the extension that Netscape's browser introduced.
static bool put_loop(GifFileType *file) {
    return EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(file, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(file, 3, "\1\0\0") == GIF_OK &&
           EGifPutExtensionTrailer(file) == GIF_OK;
}

/// Sets how long a picture is shown, in hundredths of a second: 3, 3 and 4, to average 1/30 s.
static bool put_delay(GifFileType *file, int index) {
    GraphicsControlBlock block = {DISPOSE_DO_NOT, false, index % 3 == 2 ? 4 : 3, CLEAR};
    GifByteType bytes[4];
    EGifGCBToExtension(&block, bytes);
    return EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, sizeof bytes, bytes) == GIF_OK;
}

static bool put_picture(GifFileType *file, const struct clip *clip, struct change c,
                        unsigned char *changes) {
    if (EGifPutImageDesc(file, c.left, c.top, c.right - c.left, c.bottom - c.top, false, NULL) !=
        GIF_OK)
        return false;
    for (int y = c.top; y < c.bottom; y++)
        if (EGifPutLine(file, changes + (size_t)y * (size_t)clip->width + (size_t)c.left,
                        c.right - c.left) != GIF_OK)
            return false;
    return true;
}

static bool put_all(GifFileType *file, const struct clip *clip, const struct palette *palette,
                    unsigned char *rooms) {
    EGifSetGifVersion(file, true);
    bool put = EGifPutScreenDesc(file, clip->width, clip->height, 8, 0, palette->map) == GIF_OK &&
               put_loop(file);
    for (int i = 0; put && i < clip->count; i++) {
        struct change c = find_change(clip, palette, i, rooms, rooms + area_of(clip));
        put = put_delay(file, i) && put_picture(file, clip, c, rooms + area_of(clip));
    }
    return put;
}

static int write_bytes(GifFileType *file, const GifByteType *bytes, int count) {
    return (int)fwrite(bytes, 1, (size_t)count, file->UserData);
}

bool clip_write(const struct clip *clip, const char *path) {
    struct palette *palette = clip->count > 0 ? make_palette(clip) : NULL;
    unsigned char *rooms = calloc(2, area_of(clip) + 1);
    FILE *stream = palette && rooms ? fopen(path, "wb") : NULL;
    GifFileType *file = stream ? EGifOpen(stream, write_bytes, NULL) : NULL;
    bool written = file && put_all(file, clip, palette, rooms);
    if (file) written &= EGifCloseFile(file, NULL) == GIF_OK;
    if (stream) written &= fclose(stream) == 0;
    if (palette) GifFreeMapObject(palette->map);
    free(palette);
    free(rooms);
    return written;
}
