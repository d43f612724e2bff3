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

/// A mask of solid pixels; see mask.h.
/// @ingroup masks
typedef struct pv_mask pv_mask;

/** @defgroup images Images
 *  PNG files as RGBA pixels. @{ */

/// Decoded pixels: width * height * 4 bytes R, G, B, A, rows from the top, alpha not premultiplied.
typedef struct pv_image {
    /// Size [px]
    int width, height;
    /// Pixels, owned by the image; the caller may change them
    unsigned char *pixels;
    /// Allocator of the image
    pv_allocator allocator;
} pv_image;

/// Limits above which a PNG is refused. pv_image_limits_default() returns them.
typedef struct pv_image_limits {
    /// Largest width and height, at most 32768 [px]
    int max_width, max_height;
    /// Largest area, inclusive, at most 2^27 [px^2]
    int64_t max_area;
    /// Largest file size [byte]
    int64_t max_file_size;
    /// Allocator of the image and of the decoder's scratch memory
    pv_allocator allocator;
    /// Mark set by pv_image_limits_default()
    unsigned cookie;
} pv_image_limits;

/// Returns the default limits of images: 32768 x 32768 px, 2^26 px in all, files up to 256 MiB.
PV_API pv_image_limits pv_image_limits_default(void);

/// Loads an image from a PNG file. 16-bit channels keep their upper byte. As in libpng, faults that
/// leave the picture intact are ignored: those in chunks that a reader may skip, and all after the
/// last row. For others the message names the chunk and its offset in the file, as in "IDAT at 33:
/// cut off".
/// @param path file name, as in fopen()
/// @param limits null for the defaults
/// @param error null, or gets the outcome: PV_ERROR_ARGUMENT, PV_ERROR_MEMORY, PV_ERROR_FILE_OPEN,
/// PV_ERROR_FILE_READ, PV_ERROR_FORMAT or PV_ERROR_TOO_LARGE
/// @return an image for pv_image_destroy(), or null with an error
PV_API pv_image *pv_image_load(const char *path, const pv_image_limits *limits, pv_error *error);

/// Loads an image from a PNG in memory; the rest is as in pv_image_load().
PV_API pv_image *pv_image_load_memory(const void *png, size_t size, const pv_image_limits *limits,
                                      pv_error *error);

/// Creates a transparent black image.
/// @return as pv_image_load()
PV_API pv_image *pv_image_create(int width, int height, const pv_image_limits *limits,
                                 pv_error *error);

/// Saves an image as a PNG file of 8-bit RGBA. An image gives the same bytes on every machine and
/// with every kernel. Scratch memory of less than 1 MiB comes from the image's allocator.
/// @param path file name, as in fopen(); an existing file is replaced
/// @return PV_ERROR_ARGUMENT or PV_ERROR_MEMORY, with no file touched; PV_ERROR_FILE_WRITE, which
/// may leave a part of the file
PV_API pv_status pv_image_save(const pv_image *image, const char *path);

/// Frees an image; null is allowed.
PV_API void pv_image_destroy(pv_image *image);

/** @} */

/** @defgroup canvas Canvas
 *  Drawing with the same transform as collision bitmaps, so the picture and the collision agree.
 *  The functions return PV_ERROR_ARGUMENT or PV_ERROR_NOT_FINITE, with nothing drawn. Colors are
 *  0xRRGGBBAA. @{ */

/// A picture to draw on, in the caller's own memory.
typedef struct pv_canvas {
    /// R, G, B, A bytes, borrowed
    unsigned char *pixels;
    /// Size, 0...32768 [px]
    int width, height;
    /// Bytes from a row to the one below; at least 4 * width in size
    ptrdiff_t pitch;
} pv_canvas;

/// Blends a turned picture over the canvas, with the nearest texel at pixel centers.
/// @param canvas destination
/// @param image source
/// @param transform from the picture to the canvas
/// @param tint 0xRRGGBBAA, multiplied with every texel; 0xffffffff leaves the picture unchanged
/// @return PV_ERROR_ARGUMENT or PV_ERROR_NOT_FINITE, with nothing drawn
PV_API pv_status pv_canvas_draw_image(const pv_canvas *canvas, const pv_image *image,
                                      const pv_transform *transform, pv_color tint);

/// Blends the solid pixels of a placed mask in one color; the rest is as in pv_canvas_draw_image().
PV_API pv_status pv_canvas_draw_mask(const pv_canvas *canvas, const pv_mask *mask,
                                     const pv_transform *transform, pv_color color);

/// Fills the canvas with one color, without blending.
PV_API pv_status pv_canvas_clear(const pv_canvas *canvas, pv_color color);

/// Blends a line one pixel wide from one point to another.
PV_API pv_status pv_canvas_draw_line(const pv_canvas *canvas, pv_vec2 from, pv_vec2 to,
                                     pv_color color);

/// Blends a filled circle. It covers the pixels whose centers are inside.
/// @param radius >= 0 [px]
PV_API pv_status pv_canvas_draw_circle(const pv_canvas *canvas, pv_vec2 center, double radius,
                                       pv_color color);

/// Blends a straight stroke with round ends.
/// @param width > 0 [px]
PV_API pv_status pv_canvas_draw_thick_line(const pv_canvas *canvas, pv_vec2 from, pv_vec2 to,
                                           double width, pv_color color);

/// Blends a triangle. It covers the pixels whose centers are inside. Triangles that share an edge
/// leave no gap and share no pixel.
/// @param image null: color alone; else the picture on the triangle, nearest texel, tinted with
/// color
/// @param corners places on the canvas, in either direction; rounded to 1/256 px [px]
/// @param texture places of the corners in the picture, (0, 0)...(1, 1), clamped to its edge;
/// ignored if image is null
PV_API pv_status pv_canvas_draw_triangle(const pv_canvas *canvas, const pv_image *image,
                                         const pv_vec2 corners[3], const pv_vec2 texture[3],
                                         pv_color color);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
