/* pixverlet/image.h - pictures of R, G, B, A bytes, loaded from PNG files and painted on.
 *
 * Invariant: a picture owns its pixels; a canvas borrows them.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_IMAGE_H
#define PIXVERLET_IMAGE_H

#include "pixverlet/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A bitmap of solid pixels.
typedef struct pv_mask pv_mask;

/** @defgroup images Images
 *  PNG files as RGBA pixels. @{ */

/// Decoded pixels: width * height * 4 bytes R, G, B, A, rows from the top, alpha not premultiplied.
typedef struct pv_image {
    /// [px]
    int width, height;
    /// Owned by the image; may be painted on
    unsigned char *pixels;
    /// What made it
    pv_allocator allocator;
} pv_image;

/// What a PNG may cost before it is refused. Get one from pv_image_limits_default().
typedef struct pv_image_limits {
    /// [px], at most 32768
    int max_width, max_height;
    /// [px^2], inclusive, at most 2^27
    int64_t max_area;
    /// [byte]
    int64_t max_file_size;
    /// Makes the image, and the decoder's scratch
    pv_allocator allocator;
    /// Set by pv_image_limits_default()
    unsigned cookie;
} pv_image_limits;

/// 32768 x 32768 px, at most 2^26 px in all, files up to 256 MiB.
PV_API pv_image_limits pv_image_limits_default(void);

/// Reads a PNG file. 16-bit channels keep their upper byte.
/// @param path file name, as fopen takes it
/// @param limits null for the defaults
/// @param status null, or where the outcome goes
/// @return an image to give to pv_image_destroy(), or null with a status
PV_API pv_image *pv_image_load(const char *path, const pv_image_limits *limits, pv_status *status);

/// Reads a PNG out of memory; else as pv_image_load().
PV_API pv_image *pv_image_load_memory(const void *png, size_t size, const pv_image_limits *limits,
                                      pv_status *status);

/// A transparent black image to paint on.
/// @return as pv_image_load()
PV_API pv_image *pv_image_create(int width, int height, const pv_image_limits *limits,
                                 pv_status *status);

/// Frees an image; null is allowed.
PV_API void pv_image_destroy(pv_image *image);

/** @} */

/** @defgroup canvas Canvas Draws pictures by the very map that makes collision bitmaps, so picture
 * and collider agree. @{ */

/// A picture to draw on, of the caller's own memory.
typedef struct pv_canvas {
    /// R, G, B, A bytes, borrowed
    unsigned char *pixels;
    /// [px] 0...32768
    int width, height;
    /// Bytes from a row to the one below; at least 4 * width in size
    ptrdiff_t pitch;
} pv_canvas;

/// Blends a turned picture over the canvas, nearest texel at pixel centers.
/// @param canvas what is painted
/// @param image what is drawn
/// @param transform from the picture to the canvas
/// @param tint 0xRRGGBBAA, multiplied with every texel; 0xffffffff draws it as it is
/// @return PV_ERROR_ARGUMENT or PV_ERROR_NOT_FINITE, with nothing drawn
PV_API pv_status pv_canvas_draw_image(const pv_canvas *canvas, const pv_image *image,
                                      const pv_transform *transform, uint32_t tint);

/// Blends the solid pixels of a placed mask in one color; else as pv_canvas_draw_image().
PV_API pv_status pv_canvas_draw_mask(const pv_canvas *canvas, const pv_mask *mask,
                                     const pv_transform *transform, uint32_t color);

/// Fills with one color.
PV_API pv_status pv_canvas_clear(const pv_canvas *canvas, uint32_t color);

/// Blends a line one pixel wide from one point to another.
PV_API pv_status pv_canvas_draw_line(const pv_canvas *canvas, pv_vec2 from, pv_vec2 to,
                                     uint32_t color);

/// Blends a filled disc; a pixel is in it when its center is.
/// @param radius [px] >= 0
PV_API pv_status pv_canvas_draw_circle(const pv_canvas *canvas, pv_vec2 center, double radius,
                                       uint32_t color);

/// Blends a straight stroke of some width with round ends.
/// @param width [px] > 0
PV_API pv_status pv_canvas_draw_thick_line(const pv_canvas *canvas, pv_vec2 from, pv_vec2 to,
                                           double width, uint32_t color);

/// Blends a triangle; a pixel is in it when its center is, so triangles that share an edge leave no
/// gap and share no pixel.
/// @param image null: color alone; else the picture that is drawn on it, nearest texel, tinted by
/// color
/// @param corners on the canvas, either way round; rounded to 1/256 px [px]
/// @param texture where they are in the picture, (0, 0)...(1, 1), else its rim; not looked at when
/// image is null
PV_API pv_status pv_canvas_draw_triangle(const pv_canvas *canvas, const pv_image *image,
                                         const pv_vec2 corners[3], const pv_vec2 texture[3],
                                         uint32_t color);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
