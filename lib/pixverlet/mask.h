/* pixverlet/mask.h - masks: one bit a pixel, and all that can be made of them or asked about them.
 *
 * Invariant: a function that returns a mask makes a new one; one that returns a status changes its
 * argument, or nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_MASK_H
#define PIXVERLET_MASK_H

#include "pixverlet/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup masks Masks One bit a pixel: solid or not. Reference-counted; one that is held twice
 * cannot be changed. @{ */

/// How pixels become solid. Get one from pv_mask_options_default().
typedef struct pv_mask_options {
    /// A pixel is solid when its alpha is >= this, 0...255; default 128
    int alpha_threshold;
    /// The part of the picture that is taken; w = h = 0: all of it
    pv_rect region;
    /// For the file, and the allocator of the mask
    pv_image_limits limits;
    /// Set by pv_mask_options_default()
    unsigned cookie;
} pv_mask_options;

/// Threshold 128, the whole picture, default limits.
PV_API pv_mask_options pv_mask_options_default(void);

/// Pixels as a window system holds them (SDL_Surface: pixels, w, h, pitch, BytesPerPixel, Amask).
typedef struct pv_pixels {
    /// Borrowed for the call
    const void *data;
    /// [px]
    int width, height;
    /// Bytes from a row to the one below; may be negative
    ptrdiff_t pitch;
    /// 1...4, a little number in the machine's byte order, as SDL has it
    int bytes_per_pixel;
    /// The bits of the pixel that are its alpha, side by side; 0: all pixels are solid
    uint32_t alpha_mask;
} pv_pixels;

/// An empty mask.
/// @param width,height [px] 0...32768, area at most 2^31; 0 is allowed and holds nothing; more is
/// PV_ERROR_TOO_LARGE, less than 0 PV_ERROR_ARGUMENT
/// @param allocator null for the C library's
/// @return a mask with one reference, or null with a status
PV_API pv_mask *pv_mask_create(int width, int height, const pv_allocator *allocator,
                               pv_status *status);

/// The mask of a PNG file.
/// @param options null for the defaults
/// @return as pv_mask_create(); PV_ERROR_ARGUMENT too when the region leaves the picture
PV_API pv_mask *pv_mask_load(const char *path, const pv_mask_options *options, pv_status *status);

/// The mask of a PNG in memory; else as pv_mask_load().
PV_API pv_mask *pv_mask_load_memory(const void *png, size_t size, const pv_mask_options *options,
                                    pv_status *status);

/// The mask of an image; else as pv_mask_load().
PV_API pv_mask *pv_mask_from_image(const pv_image *image, const pv_mask_options *options,
                                   pv_status *status);

/// The mask of raw R, G, B, A bytes with pitch bytes from row to row; else as pv_mask_load().
PV_API pv_mask *pv_mask_from_rgba(const void *rgba, int width, int height, ptrdiff_t pitch,
                                  const pv_mask_options *options, pv_status *status);

/// The mask of a surface's pixels; else as pv_mask_load(). Alphas of fewer than 8 bits are spread
/// over 0...255.
PV_API pv_mask *pv_mask_from_pixels(const pv_pixels *pixels, const pv_mask_options *options,
                                    pv_status *status);

/// A changeable copy, made by the same allocator.
PV_API pv_mask *pv_mask_copy(const pv_mask *mask, pv_status *status);

/// Takes one more reference and returns mask; null gives null.
PV_API pv_mask *pv_mask_retain(pv_mask *mask);

/// Gives one reference back; the last one frees it. Null is allowed.
PV_API void pv_mask_release(pv_mask *mask);

/// Width [px]; 0 for null.
PV_API int pv_mask_get_width(const pv_mask *mask);

/// Height [px]; 0 for null.
PV_API int pv_mask_get_height(const pv_mask *mask);

/// Tells whether pixel (x, y) is solid; outside and null are not.
PV_API bool pv_mask_get_pixel(const pv_mask *mask, int x, int y);

/// Makes pixel (x, y) solid or not.
/// @return PV_ERROR_ARGUMENT outside the mask, PV_ERROR_SHARED when somebody else holds it too
PV_API pv_status pv_mask_set_pixel(pv_mask *mask, int x, int y, bool solid);

/// Makes every pixel of a rectangle solid or not; what of it is outside is left out.
/// @return PV_ERROR_ARGUMENT for a negative size, PV_ERROR_SHARED as pv_mask_set_pixel()
PV_API pv_status pv_mask_fill_rect(pv_mask *mask, pv_rect rect, bool solid);

/// What the solid pixels weigh, each a unit square of mass 1.
typedef struct pv_mass_data {
    /// Number of solid pixels
    double area;
    /// In mask coordinates [px]; (0, 0) when the area is 0
    pv_vec2 centroid;
    /// About the centroid, perpendicular to the picture [px^4]; one pixel alone has 1/6
    double inertia;
} pv_mass_data;

/// Area, center and moment of inertia, from exact integer sums.
PV_API pv_mass_data pv_mask_compute_mass(const pv_mask *mask);

/// Two masks, the second's pixel (0, 0) on the first's pixel (dx, dy): what they share.
typedef struct pv_overlap {
    /// Shared pixels; the rest is 0 when this is 0
    int64_t area;
    /// Mean of the centers of the shared pixels, in the first mask's coordinates [px]
    pv_vec2 point;
    /// From the first to the second, of length 1; (0, 0) where the gradient vanishes
    pv_vec2 normal;
    /// How far along the normal the second must go, roughly: area over its slope [px]
    double depth;
    /// The smallest rectangle that holds the shared pixels, in the first mask's coordinates
    pv_rect bounds;
} pv_overlap;

/// Tells whether they share a pixel. Offsets may be any int. Cheng (2003) section 3.2.
PV_API bool pv_mask_test_overlap(const pv_mask *a, const pv_mask *b, int dx, int dy);

/// Returns how many pixels they share. Cheng (2003) section 3.2.
PV_API int64_t pv_mask_compute_overlap_area(const pv_mask *a, const pv_mask *b, int dx, int dy);

/// All that two masks share. The normal is minus the gradient of the shared area over the offset,
/// (f(x+1,y) - f(x-1,y), f(x,y+1) - f(x,y-1)): Cheng (2003) sections 3.2 and 3.3.
/// @return whether they share a pixel
PV_API bool pv_mask_compute_overlap(const pv_mask *a, const pv_mask *b, int dx, int dy,
                                    pv_overlap *overlap);

/// The normal of pv_mask_compute_overlap() alone, which is also there where masks lie side by side
/// and share nothing.
/// @param normal null, or gets it; (0, 0) where the gradient vanishes
/// @return whether there is one
PV_API bool pv_mask_compute_overlap_normal(const pv_mask *a, const pv_mask *b, int dx, int dy,
                                           pv_vec2 *normal);

/// Two masks, the second's pixel (0, 0) on the first's pixel (dx, dy).
typedef struct pv_mask_pair {
    /// Borrowed; null shares nothing
    const pv_mask *a, *b;
    /// [px]
    int dx, dy;
} pv_mask_pair;

/// pv_mask_test_overlap() for many pairs: masks further on are fetched from memory while one is
/// tested.
/// @param pairs count of them; null counts as none
/// @param hits null, or gets count answers
/// @return how many pairs share a pixel
PV_API int64_t pv_mask_test_overlap_pairs(const pv_mask_pair *pairs, size_t count, bool *hits);

/** @} */

/** @defgroup operations Operations Masks out of masks, and what can be said of one. What is made
 * from a mask is made by the mask's allocator, and never changes it. What lies beside a mask counts
 * as empty. A mask that is changed must not be in use in another thread; all else may be. @{ */

/// What becomes of a pixel of a with the pixel of b over it.
typedef enum pv_combine {
    /// Solid when both are; what b does not cover becomes empty
    PV_COMBINE_AND = 0,
    /// Solid when one is
    PV_COMBINE_OR,
    /// Solid when one is and the other is not
    PV_COMBINE_XOR,
    /// B is cut out of a
    PV_COMBINE_ANDNOT
} pv_combine;

/// Combines b into a, b's pixel (0, 0) on a's pixel (dx, dy); what of b is beside a is left out.
/// @param a changed
/// @param b may be a
/// @param dx,dy [px] any
/// @param op what is done
/// @return PV_ERROR_ARGUMENT, PV_ERROR_SHARED as pv_mask_set_pixel(), with nothing changed
PV_API pv_status pv_mask_combine(pv_mask *a, const pv_mask *b, int dx, int dy, pv_combine op);

/// Makes every pixel solid or empty; else as pv_mask_combine().
PV_API pv_status pv_mask_fill_all(pv_mask *mask, bool solid);

/// Makes solid pixels empty and empty ones solid; else as pv_mask_combine().
PV_API pv_status pv_mask_invert(pv_mask *mask);

/// Number of solid pixels; 0 for null.
PV_API int64_t pv_mask_count_pixels(const pv_mask *mask);

/// The smallest rectangle that holds the solid pixels; all 0 when there are none, and for null.
PV_API pv_rect pv_mask_compute_bounds(const pv_mask *mask);

/// Second moments of the area about the centroid, which pv_mask_compute_mass() gives; each solid
/// pixel is a unit square.
typedef struct pv_moments {
    /// Of (x - cx)^2, (x - cx)(y - cy), (y - cy)^2 [px^4]; xx + yy is the inertia
    double xx, xy, yy;
    /// From the x axis to the direction of the largest spread, in (-pi/2, pi/2] [rad]
    double angle;
} pv_moments;

/// From exact integer sums; the angle is atan2(2 xy, xx - yy) / 2, the same bits on every machine.
/// A picture of up to 512 px that is symmetric has exactly the angle of its symmetry, or 0 when all
/// directions are equal. All 0 when no pixel is solid, and for null.
PV_API pv_moments pv_mask_compute_moments(const pv_mask *mask);

/// Cuts a rectangle out; where it reaches beside the mask, it pads with empty pixels.
/// @param rect in the mask's coordinates [px], any place; its size in the range of pv_mask_create()
/// @return a mask of the rectangle's size, as pv_mask_create()
PV_API pv_mask *pv_mask_crop(const pv_mask *mask, pv_rect rect, pv_status *status);

/// A mirrored copy.
/// @param left_right whether the leftmost column becomes the rightmost
/// @param top_bottom whether the top row becomes the bottom one
/// @return as pv_mask_create()
PV_API pv_mask *pv_mask_flip(const pv_mask *mask, bool left_right, bool top_bottom,
                             pv_status *status);

/// A copy turned by quarter turns, exactly.
/// @param quarters clockwise on the screen, any; negative ones are counter-clockwise
/// @return as pv_mask_create()
PV_API pv_mask *pv_mask_rotate90(const pv_mask *mask, int quarters, pv_status *status);

/// A stretched or shrunk copy: each pixel is what its center falls on, in whole numbers: pixel x of
/// the new width shows column floor((2 x + 1) old width / (2 new width)), and rows alike.
/// @param width,height [px] in the range of pv_mask_create()
/// @return as pv_mask_create(); all empty when the mask has no pixels
PV_API pv_mask *pv_mask_scale(const pv_mask *mask, int width, int height, pv_status *status);

/// What pixels are grown by or shrunk with.
typedef enum pv_brush {
    /// Pixels of at most radius in x and in y
    PV_BRUSH_SQUARE = 0,
    /// Pixels of which the centers are at most radius apart
    PV_BRUSH_CIRCLE
} pv_brush;

/// Puts a brush on each solid pixel. The picture grows by radius on each side, so that nothing is
/// cut off: its pixel (radius, radius) is the mask's (0, 0). Serra, Image Analysis and Mathematical
/// Morphology (1982).
/// @param radius [px] >= 0
/// @return as pv_mask_create(): PV_ERROR_TOO_LARGE for a picture that grows beyond what it allows
PV_API pv_mask *pv_mask_dilate(const pv_mask *mask, int radius, pv_brush brush, pv_status *status);

/// Keeps the pixels around which all of the brush is solid; the size stays, and the brush must not
/// reach beside the mask. Source as for pv_mask_dilate().
/// @param radius [px] >= 0
/// @return as pv_mask_create()
PV_API pv_mask *pv_mask_erode(const pv_mask *mask, int radius, pv_brush brush, pv_status *status);

/// All the offsets at which b hits a: the Minkowski sum of a and b mirrored both ways, the obstacle
/// that a is for b's pixel (0, 0). Pixel (i, j) is solid when pv_mask_test_overlap(a, b, i - (width
/// of b - 1), j - (height of b - 1)). Lozano-Perez (1983). The time is the size of the result times
/// the number of runs in b: let b be the simpler one.
/// @return a mask of both widths and heights, less 1, or without pixels when a or b has none; as
/// pv_mask_create()
PV_API pv_mask *pv_mask_obstacle(const pv_mask *a, const pv_mask *b, pv_status *status);

/// Which pixels belong together.
typedef enum pv_connectivity {
    /// Those that share an edge
    PV_CONNECTIVITY_4 = 4,
    /// Those that share an edge or a corner
    PV_CONNECTIVITY_8 = 8
} pv_connectivity;

/// The connected parts of a mask, the largest first, equal ones in reading order of their first
/// pixels. It keeps nothing of the mask and cannot be changed.
typedef struct pv_parts pv_parts;

/// One connected part.
typedef struct pv_part {
    /// Number of its pixels
    int64_t area;
    /// The smallest rectangle that holds it, in the mask's coordinates
    pv_rect rect;
} pv_part;

/// Finds the parts, in time linear in the size of the mask but for the sorting of the parts. Runs
/// are joined as by Hoshen and Kopelman (1976).
/// @return parts to give to pv_parts_destroy(), or null with PV_ERROR_ARGUMENT or PV_ERROR_MEMORY
PV_API pv_parts *pv_parts_create(const pv_mask *mask, pv_connectivity neighbors, pv_status *status);

/// Frees parts; null is allowed.
PV_API void pv_parts_destroy(pv_parts *parts);

/// Returns how many there are; 0 for null.
PV_API int pv_parts_get_count(const pv_parts *parts);

/// Size and place of the part that only index others come before; all 0 for one that there is not.
PV_API pv_part pv_parts_get_part(const pv_parts *parts, int index);

/// The index of the part that pixel (x, y) belongs to; -1 for none.
PV_API int pv_parts_find_at(const pv_parts *parts, int x, int y);

/// A part alone, in a picture as large as its box.
/// @return as pv_mask_create()
PV_API pv_mask *pv_parts_create_mask(const pv_parts *parts, int index, pv_status *status);

/// Closed contours in a mask's coordinates. It keeps nothing of the mask and cannot be changed.
typedef struct pv_outline pv_outline;

/// A closed contour: from each point a straight line goes to the next, and from the last to the
/// first. No three points in a row are on one line. Outer contours go clockwise on the screen,
/// holes counter-clockwise: solid pixels are at the right.
typedef struct pv_contour {
    /// Borrowed, lives as long as the outline
    const pv_point *points;
    /// Of points
    int point_count;
    /// The index of the outer contour that a hole is in; of an outer contour its own
    int outer_index;
    /// Inside it [px^2]: positive for an outer contour, negative for a hole
    int64_t area;
} pv_contour;

/// Traces the edges of the solid pixels: one outer contour and its holes for each part that
/// pv_parts_create() finds, in reading order of the first edges that have a solid pixel below and
/// an empty one above; the left end of that edge is the first point. The areas, as by the shoelace
/// formula, add up to the number of solid pixels. Where two solid pixels touch at a corner only,
/// PV_CONNECTIVITY_8 joins them, so that a contour goes on from the one to the other, and
/// PV_CONNECTIVITY_4 does not: it goes round the pixel that it comes from. A contour may pass a
/// corner twice, but never crosses itself.
/// @return an outline to give to pv_outline_destroy(), or null with PV_ERROR_ARGUMENT or
/// PV_ERROR_MEMORY
PV_API pv_outline *pv_outline_create(const pv_mask *mask, pv_connectivity neighbors,
                                     pv_status *status);

/// The convex hull of the solid pixels' corners: one contour, or none when no pixel is solid. Its
/// area, which may have a half, is rounded down. Monotone chains: Andrew (1979).
/// @return as pv_outline_create()
PV_API pv_outline *pv_outline_create_hull(const pv_mask *mask, pv_status *status);

/// Frees an outline; null is allowed.
PV_API void pv_outline_destroy(pv_outline *outline);

/// Returns how many contours there are; 0 for null.
PV_API int pv_outline_get_contour_count(const pv_outline *outline);

/// A contour; no points and outer -1 for one that there is not.
PV_API pv_contour pv_outline_get_contour(const pv_outline *outline, int index);

/// Which pixels of a picture are solid by their colors. A channel matches when it is off by its
/// tolerance or less, so with 255 always; a pixel matches when all four channels do.
typedef struct pv_color_match {
    /// 0xRRGGBBAA
    uint32_t color;
    /// 0xRRGGBBAA, 0...255 for each channel; 0x000000ff: that very color, any alpha
    uint32_t tolerance;
    /// Solid are the pixels that do not match: color is a color key
    bool invert;
    /// Null, or a picture of the same size to compare with instead of color; borrowed
    const void *reference;
    /// Bytes from a row of other to the one below; may be negative
    ptrdiff_t reference_pitch;
} pv_color_match;

/// The mask of the pixels that match a color, or that do not.
/// @param rgba R, G, B, A bytes, borrowed for the call
/// @param width,height [px] in the range of pv_mask_create()
/// @param pitch bytes from a row to the one below, at least 4 * width in size; may be negative
/// @param match what is solid
/// @param allocator null for the C library's
/// @return as pv_mask_create()
PV_API pv_mask *pv_mask_from_color(const void *rgba, int width, int height, ptrdiff_t pitch,
                                   const pv_color_match *match, const pv_allocator *allocator,
                                   pv_status *status);

/// Writes one color for each solid pixel and another for each empty one, without blending.
/// @param rgba gets R, G, B, A bytes, as many pixels as the mask has
/// @param pitch bytes from a row to the one below, at least 4 * width in size; may be negative
/// @param solid,empty 0xRRGGBBAA
/// @return PV_ERROR_ARGUMENT, with nothing written
PV_API pv_status pv_mask_to_rgba(const pv_mask *mask, void *rgba, ptrdiff_t pitch, uint32_t solid,
                                 uint32_t empty);

/// Which bit of a byte is the leftmost pixel.
typedef enum pv_bit_order {
    /// The highest, as in PBM files
    PV_BITS_MSB_FIRST = 0,
    /// The lowest, as in XBM files
    PV_BITS_LSB_FIRST
} pv_bit_order;

/// The mask of rows of one bit a pixel, 1 for solid; every row begins with a byte of its own.
/// @param rows borrowed for the call; bits beside the picture in the last byte of a row may be
/// anything
/// @param width,height [px] in the range of pv_mask_create()
/// @param pitch bytes from a row to the one below, at least (width + 7) / 8 in size; may be
/// negative
/// @param order of the bits
/// @param allocator null for the C library's
/// @return as pv_mask_create()
PV_API pv_mask *pv_mask_from_bits(const void *rows, int width, int height, ptrdiff_t pitch,
                                  pv_bit_order order, const pv_allocator *allocator,
                                  pv_status *status);

/// Writes (width + 7) / 8 bytes a row, bits beside the picture being 0; else as
/// pv_mask_from_bits().
/// @param rows gets them; what lies between the rows stays as it is
/// @return PV_ERROR_ARGUMENT, with nothing written
PV_API pv_status pv_mask_to_bits(const pv_mask *mask, void *rows, ptrdiff_t pitch,
                                 pv_bit_order order);

/// Writes a mask in a form to store or send, the same bytes on every machine: rows of bits, or run
/// lengths where they take less.
/// @param buffer where it goes; may be null
/// @param capacity how many bytes there is room for; when it is too small, nothing is written
/// @return how many bytes it takes in all; 0 for null
PV_API size_t pv_mask_serialize(const pv_mask *mask, void *buffer, size_t capacity);

/// Reads what pv_mask_serialize() wrote.
/// @param bytes borrowed for the call
/// @param size [byte], exactly what was written
/// @param allocator null for the C library's
/// @return as pv_mask_create(); PV_ERROR_FORMAT for bytes that were cut, damaged or never a mask,
/// with nothing allocated, however large the mask that they announce
PV_API pv_mask *pv_mask_deserialize(const void *bytes, size_t size, const pv_allocator *allocator,
                                    pv_status *status);

/** @} */

/** @defgroup materials Material maps How hard and how dense each pixel of a picture is, a byte
 * each. Reference-counted, and never changed. @{ */

/// Hardness and density by pixel: what a mask says of where it is solid, a map says of how. A pixel
/// of hardness h = 0...255 is 256 / (256 - h) times as tough as one of 0 (see pv_fracture_mode),
/// and stays where a cut is weaker (pv_cut.max_hardness). One of density d weighs d / 255 of what
/// the body's density says, and 1 / 255 at least; mass, center of mass and inertia are of pixels so
/// heavy. A map also says of what a mask's empty pixels will be, when some are put on.
typedef struct pv_material_map pv_material_map;

/// A channel of a picture.
typedef enum pv_channel {
    /// None of them
    PV_CHANNEL_NONE = 0,
    /// The first byte of a pixel
    PV_CHANNEL_RED,
    /// The second
    PV_CHANNEL_GREEN,
    /// The third
    PV_CHANNEL_BLUE,
    /// The fourth
    PV_CHANNEL_ALPHA
} pv_channel;

/// A map out of channels of an image, pixel by pixel.
/// @param hardness PV_CHANNEL_NONE: all are of 0
/// @param density PV_CHANNEL_NONE: all are of 255, as without a map
/// @param allocator null for the C library's
/// @return a map with one reference, or null with a status: PV_ERROR_TOO_LARGE beyond 32768 px a
/// side or 2^26 px in all
PV_API pv_material_map *pv_material_map_from_image(const pv_image *image, pv_channel hardness,
                                                   pv_channel density,
                                                   const pv_allocator *allocator,
                                                   pv_status *status);

/// A map out of bytes, a plane each; both are copied.
/// @param hardness,density null: as without a channel
/// @param width,height [px] 0...32768, 2^26 px at most
/// @param pitch bytes from a row to the one below, of both planes; may be negative
/// @param allocator null for the C library's
/// @return as pv_material_map_from_image()
PV_API pv_material_map *pv_material_map_from_bytes(const void *hardness, const void *density,
                                                   int width, int height, ptrdiff_t pitch,
                                                   const pv_allocator *allocator,
                                                   pv_status *status);

/// Takes one more reference and returns map; null gives null.
PV_API pv_material_map *pv_material_map_retain(pv_material_map *map);

/// Gives one reference back; the last one frees the map. Null is allowed.
PV_API void pv_material_map_release(pv_material_map *map);

/// Width [px]; 0 for null.
PV_API int pv_material_map_get_width(const pv_material_map *map);

/// Height [px]; 0 for null.
PV_API int pv_material_map_get_height(const pv_material_map *map);

/// Returns how hard pixel (x, y) is, 0...255; 0 beside the map and for null.
PV_API int pv_material_map_get_hardness(const pv_material_map *map, int x, int y);

/// Returns how dense pixel (x, y) is, 0...255; 0 beside the map and for null.
PV_API int pv_material_map_get_density(const pv_material_map *map, int x, int y);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
