/* pixverlet/mask.h - masks: one bit per pixel, with operations, measurements and outlines.
 *
 * Invariant: a function that returns a mask creates a new one, except pv_mask_retain(). A
 * function that returns a status changes its argument, or nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_MASK_H
#define PIXVERLET_MASK_H

#include "pixverlet/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup masks Masks
 *  Pixels of one bit: solid or not. Masks are reference-counted, and a mask with two references
 *  cannot be changed. @{ */

/// Options for masks made from pictures. pv_mask_options_default() returns them.
typedef struct pv_mask_options {
    /// Least alpha of a solid pixel, 0...255; default 128
    int alpha_threshold;
    /// Region of the picture to take; default w = h = 0: the whole picture
    pv_rect region;
    /// Limits for the file, with the allocator of the mask
    pv_image_limits limits;
    /// Mark set by pv_mask_options_default()
    unsigned cookie;
} pv_mask_options;

/// Returns the default options for masks: threshold 128, the whole picture and default limits.
PV_API pv_mask_options pv_mask_options_default(void);

/// Pixels of a window system's surface (SDL_Surface: pixels, w, h, pitch, BytesPerPixel, Amask).
typedef struct pv_pixels {
    /// Pixels, borrowed for the call
    const void *data;
    /// Size [px]
    int width, height;
    /// Bytes from a row to the one below; may be negative
    ptrdiff_t pitch;
    /// Bytes of a pixel, 1...4; a pixel is a number in the machine's byte order, as in SDL
    int bytes_per_pixel;
    /// Contiguous bits of the pixel's alpha; 0: all pixels are solid
    uint32_t alpha_mask;
} pv_pixels;

/// Creates a mask without solid pixels.
/// @param width,height 0...32768 [px], area at most 2^31; 0 gives a mask without pixels. Larger is
/// PV_ERROR_TOO_LARGE, negative PV_ERROR_ARGUMENT.
/// @param allocator null for the C library's
/// @return a mask with one reference, or null with an error
PV_API pv_mask *pv_mask_create(int width, int height, const pv_allocator *allocator,
                               pv_error *error);

/// Creates a mask with all pixels solid.
/// @return as pv_mask_create()
PV_API pv_mask *pv_mask_create_rect(int width, int height, const pv_allocator *allocator,
                                    pv_error *error);

/// Creates a mask of a circle around its middle. Pixels whose centers are inside or on the edge are
/// solid.
/// @param radius 0...16384; the mask's sides are 2 * ceil(radius) [px]
/// @param allocator null for the C library's
/// @return as pv_mask_create()
PV_API pv_mask *pv_mask_create_circle(double radius, const pv_allocator *allocator,
                                      pv_error *error);

/// Creates a mask of a polygon, which may cross itself. Pixels whose centers are inside by the
/// even-odd rule are solid. The mask covers the rectangle of whole pixels around the points.
/// @param points corners, borrowed for the call, each within PV_MAX_COORDINATE [px]
/// @param point_count 3...65536
/// @param origin null, or gets the upper left corner of the mask's pixel (0, 0), in the points'
/// coordinates; (0, 0) after a failure
/// @param allocator null for the C library's
/// @return as pv_mask_create(); PV_ERROR_TOO_LARGE for points too far apart
PV_API pv_mask *pv_mask_create_polygon(const pv_vec2 *points, int point_count, pv_point *origin,
                                       const pv_allocator *allocator, pv_error *error);

/// Creates a mask from rows of text, for example ".##.\n####". A byte is a pixel: '.' and ' ' are
/// empty, all others solid. The mask is as wide as the longest row; shorter rows end with empty
/// pixels.
/// @param rows rows with a line feed between them; a line feed at the end adds no row
/// @param allocator null for the C library's
/// @return as pv_mask_create(); an empty text gives a mask without pixels
PV_API pv_mask *pv_mask_from_text(const char *rows, const pv_allocator *allocator, pv_error *error);

/// Loads a mask from a PNG file.
/// @param options null for the defaults
/// @return as pv_mask_create(); PV_ERROR_ARGUMENT also for a region that leaves the picture; errors
/// of the file are those of pv_image_load()
PV_API pv_mask *pv_mask_load(const char *path, const pv_mask_options *options, pv_error *error);

/// Loads a mask from a PNG in memory; the rest is as in pv_mask_load().
PV_API pv_mask *pv_mask_load_memory(const void *png, size_t size, const pv_mask_options *options,
                                    pv_error *error);

/// Creates a mask from an image; the rest is as in pv_mask_load().
PV_API pv_mask *pv_mask_from_image(const pv_image *image, const pv_mask_options *options,
                                   pv_error *error);

/// Creates a mask from raw R, G, B, A bytes, with pitch bytes from row to row; the rest is as in
/// pv_mask_load().
PV_API pv_mask *pv_mask_from_rgba(const void *rgba, int width, int height, ptrdiff_t pitch,
                                  const pv_mask_options *options, pv_error *error);

/// Creates a mask from a surface's pixels; the rest is as in pv_mask_load(). Alphas of fewer than 8
/// bits are scaled to 0...255.
PV_API pv_mask *pv_mask_from_pixels(const pv_pixels *pixels, const pv_mask_options *options,
                                    pv_error *error);

/// Creates a copy of a mask that can be changed, with the same allocator.
/// @return as pv_mask_create()
PV_API pv_mask *pv_mask_copy(const pv_mask *mask, pv_error *error);

/// Takes a reference to a mask and returns the mask; null gives null.
PV_API pv_mask *pv_mask_retain(pv_mask *mask);

/// Releases a reference to a mask; the last one frees it. Null is allowed.
PV_API void pv_mask_release(pv_mask *mask);

/// Returns the width of a mask [px]; 0 for null.
PV_API int pv_mask_get_width(const pv_mask *mask);

/// Returns the height of a mask [px]; 0 for null.
PV_API int pv_mask_get_height(const pv_mask *mask);

/// Returns the pixels as words of 64 columns, borrowed until the mask is freed; null for null and
/// for a mask without pixels. Word y of stripe s, words[s * height + y], holds pixels (64 s ... 64
/// s + 63, y), the lowest bit leftmost. Bits at x >= width are 0.
PV_API const uint64_t *pv_mask_get_words(const pv_mask *mask);

/// Tells whether pixel (x, y) is solid; pixels outside and those of null are not.
PV_API bool pv_mask_get_pixel(const pv_mask *mask, int x, int y);

/// Makes pixel (x, y) solid or empty.
/// @return PV_ERROR_ARGUMENT outside the mask, PV_ERROR_SHARED for a mask with another reference
PV_API pv_status pv_mask_set_pixel(pv_mask *mask, int x, int y, bool solid);

/// Makes every pixel of a rectangle solid or empty; the part outside the mask is ignored.
/// @return PV_ERROR_ARGUMENT for a negative size, PV_ERROR_SHARED as pv_mask_set_pixel()
PV_API pv_status pv_mask_fill_rect(pv_mask *mask, pv_rect rect, bool solid);

/// Makes the pixels of a circle solid or empty: those whose centers are inside or on the edge. The
/// part outside the mask is ignored.
/// @param center within PV_MAX_COORDINATE, in the mask's coordinates [px]
/// @param radius >= 0 [px]
/// @return PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE, or PV_ERROR_SHARED as pv_mask_set_pixel(), with
/// nothing changed
PV_API pv_status pv_mask_fill_circle(pv_mask *mask, pv_vec2 center, double radius, bool solid);

/// Makes the pixels of a polygon solid or empty, by the rule of pv_mask_create_polygon(). The part
/// outside the mask is ignored.
/// @param points,point_count as in pv_mask_create_polygon(), in the mask's coordinates
/// @return as pv_mask_fill_circle(); PV_ERROR_MEMORY from the mask's allocator
PV_API pv_status pv_mask_fill_polygon(pv_mask *mask, const pv_vec2 *points, int point_count,
                                      bool solid);

/// Makes the pixels of a line with round ends solid or empty: those whose centers are at most width
/// / 2 from the line. The part outside the mask is ignored. A line thinner than 1 px may have gaps.
/// @param from,to ends, within PV_MAX_COORDINATE, in the mask's coordinates [px]
/// @param width more than 0 [px]
/// @return as pv_mask_fill_circle()
PV_API pv_status pv_mask_fill_line(pv_mask *mask, pv_vec2 from, pv_vec2 to, double width,
                                   bool solid);

/// Mass properties of the solid pixels, each a unit square of mass 1.
typedef struct pv_mass_data {
    /// Number of solid pixels
    double area;
    /// Centroid in mask coordinates [px]; (0, 0) if the area is 0
    pv_vec2 centroid;
    /// Moment of inertia about the centroid, perpendicular to the picture [px^4]; a single pixel
    /// has 1/6
    double inertia;
} pv_mass_data;

/// Computes area, centroid and moment of inertia, from exact integer sums.
PV_API pv_mass_data pv_mask_compute_mass(const pv_mask *mask);

/// The overlap of two masks, with the second's pixel (0, 0) on the first's pixel (dx, dy).
typedef struct pv_overlap {
    /// Number of shared pixels; the other members are 0 if it is 0
    int64_t area;
    /// Mean of the centers of the shared pixels, in the first mask's coordinates [px]
    pv_vec2 point;
    /// Normal from the first to the second, of length 1; (0, 0) for a vanishing gradient
    pv_vec2 normal;
    /// Approximate shift of the second along the normal to separate them: area over its slope [px]
    double depth;
    /// Bounds of the shared pixels, in the first mask's coordinates
    pv_rect bounds;
} pv_overlap;

/// Tells whether two masks share a pixel. Offsets may be any int. Cheng (2003) section 3.2.
PV_API bool pv_mask_test_overlap(const pv_mask *a, const pv_mask *b, int dx, int dy);

/// Returns the number of pixels that two masks share. Cheng (2003) section 3.2.
PV_API int64_t pv_mask_compute_overlap_area(const pv_mask *a, const pv_mask *b, int dx, int dy);

/// Computes the overlap of two masks. The normal is minus the gradient of the shared area over the
/// offset, (f(x+1,y) - f(x-1,y), f(x,y+1) - f(x,y-1)): Cheng (2003) sections 3.2 and 3.3.
/// @return true if they share a pixel
PV_API bool pv_mask_compute_overlap(const pv_mask *a, const pv_mask *b, int dx, int dy,
                                    pv_overlap *overlap);

/// Computes only the normal of pv_mask_compute_overlap(). It also exists for masks that lie side by
/// side and share nothing.
/// @param normal null, or gets the normal; (0, 0) for a vanishing gradient
/// @return true if there is a normal
PV_API bool pv_mask_compute_overlap_normal(const pv_mask *a, const pv_mask *b, int dx, int dy,
                                           pv_vec2 *normal);

/** @} */

/** @defgroup operations Operations
 *  Masks from masks, and measurements. A new mask uses the allocator of its source and leaves
 *  the source unchanged. Pixels outside a mask count as empty. No other thread may use a mask
 *  while it is changed; everything else is thread-safe. @{ */

/// Operations on a pixel of a and the pixel of b over it.
typedef enum pv_combine {
    /// And: solid if both are; pixels that b does not cover become empty
    PV_COMBINE_AND = 0,
    /// Or: solid if one is
    PV_COMBINE_OR,
    /// Exclusive or: solid if exactly one is
    PV_COMBINE_XOR,
    /// And not: b is cut out of a
    PV_COMBINE_ANDNOT
} pv_combine;

/// Combines b into a, with b's pixel (0, 0) on a's pixel (dx, dy). The part of b outside a is
/// ignored.
/// @param a changed
/// @param b may be a
/// @param dx,dy offset, any value [px]
/// @param op operation
/// @return PV_ERROR_ARGUMENT, or PV_ERROR_SHARED as pv_mask_set_pixel(), with nothing changed
PV_API pv_status pv_mask_combine(pv_mask *a, const pv_mask *b, int dx, int dy, pv_combine op);

/// Inverts a mask: solid pixels become empty and empty ones solid. The rest is as in
/// pv_mask_combine().
PV_API pv_status pv_mask_invert(pv_mask *mask);

/// Returns the number of solid pixels; 0 for null.
PV_API int64_t pv_mask_count_pixels(const pv_mask *mask);

/// Computes the bounds of the solid pixels; all 0 if there are none, and for null.
PV_API pv_rect pv_mask_compute_bounds(const pv_mask *mask);

/// Crops a mask to a rectangle; the part outside the mask is padded with empty pixels.
/// @param rect in the mask's coordinates [px], at any place; its size in the range of
/// pv_mask_create()
/// @return a mask of the rectangle's size, as pv_mask_create()
PV_API pv_mask *pv_mask_crop(const pv_mask *mask, pv_rect rect, pv_error *error);

/// Creates a mirrored copy of a mask.
/// @param left_right true to mirror left to right
/// @param top_bottom true to mirror top to bottom
/// @return as pv_mask_create()
PV_API pv_mask *pv_mask_flip(const pv_mask *mask, bool left_right, bool top_bottom,
                             pv_error *error);

/// Creates a copy of a mask turned by quarter turns, exactly.
/// @param quarters clockwise on the screen, any number; negative is counter-clockwise
/// @return as pv_mask_create()
PV_API pv_mask *pv_mask_rotate90(const pv_mask *mask, int quarters, pv_error *error);

/// Creates a scaled copy of a mask from the nearest pixel at each center, in integers. Pixel x of
/// the new width shows column floor((2 x + 1) old width / (2 new width)), and rows likewise.
/// @param width,height in the range of pv_mask_create() [px]
/// @return as pv_mask_create(); all empty if the mask has no pixels
PV_API pv_mask *pv_mask_scale(const pv_mask *mask, int width, int height, pv_error *error);

/// Brushes for growing and shrinking masks.
typedef enum pv_brush {
    /// Square: pixels within radius in x and in y
    PV_BRUSH_SQUARE = 0,
    /// Circle: pixels whose centers are within radius
    PV_BRUSH_CIRCLE
} pv_brush;

/// Dilates a mask: puts a brush on each solid pixel. The picture grows by radius on each side, so
/// nothing is cut off. Its pixel (radius, radius) is the mask's (0, 0). Serra, Image Analysis and
/// Mathematical Morphology (1982).
/// @param radius >= 0 [px]
/// @return as pv_mask_create(); PV_ERROR_TOO_LARGE for a picture that grows beyond its range
PV_API pv_mask *pv_mask_dilate(const pv_mask *mask, int radius, pv_brush brush, pv_error *error);

/// Erodes a mask: keeps the pixels around which the whole brush is solid. The size stays, and the
/// brush must not reach outside the mask. Serra (1982), as for pv_mask_dilate().
/// @param radius >= 0 [px]
/// @return as pv_mask_create()
PV_API pv_mask *pv_mask_erode(const pv_mask *mask, int radius, pv_brush brush, pv_error *error);

/// Creates the mask of all offsets at which b overlaps a. It is the Minkowski sum of a and b
/// mirrored both ways: the obstacle that a is to b's pixel (0, 0). Pixel (i, j) is solid if
/// pv_mask_test_overlap(a, b, i - (width of b - 1), j - (height of b - 1)). Lozano-Perez (1983).
/// The time is the size of the result times the number of runs in b, so make b the simpler mask.
/// @return a mask of the sums of the widths and of the heights, each minus 1; without pixels if a
/// or b has none; as pv_mask_create()
PV_API pv_mask *pv_mask_obstacle(const pv_mask *a, const pv_mask *b, pv_error *error);

/// Connectivity of pixels.
typedef enum pv_connectivity {
    /// Pixels that share an edge
    PV_CONNECTIVITY_4 = 4,
    /// Pixels that share an edge or a corner
    PV_CONNECTIVITY_8 = 8
} pv_connectivity;

/// The connected parts of a mask, the largest first. Equal ones are in reading order of their first
/// pixels. The object keeps no reference to the mask and cannot be changed.
typedef struct pv_parts pv_parts;

/// One connected part.
typedef struct pv_part {
    /// Number of its pixels
    int64_t area;
    /// Bounds of its pixels in the mask's coordinates
    pv_rect rect;
} pv_part;

/// Finds the connected parts of a mask. The time is linear in the size of the mask, except for
/// sorting the parts. Runs are joined as in Hoshen and Kopelman (1976).
/// @return parts for pv_parts_destroy(), or null with PV_ERROR_ARGUMENT or PV_ERROR_MEMORY
PV_API pv_parts *pv_parts_create(const pv_mask *mask, pv_connectivity neighbors, pv_error *error);

/// Frees parts; null is allowed.
PV_API void pv_parts_destroy(pv_parts *parts);

/// Returns the number of parts; 0 for null.
PV_API int pv_parts_get_count(const pv_parts *parts);

/// Returns size and bounds of the part at an index; all 0 for an index out of range.
PV_API pv_part pv_parts_get_part(const pv_parts *parts, int index);

/// Finds the index of the part with pixel (x, y); -1 for none.
PV_API int pv_parts_find_at(const pv_parts *parts, int x, int y);

/// Creates a mask of one part, as large as its bounds.
/// @return as pv_mask_create()
PV_API pv_mask *pv_parts_create_mask(const pv_parts *parts, int index, pv_error *error);

/// Closed contours in a mask's coordinates. The object keeps no reference to the mask and cannot be
/// changed.
typedef struct pv_outline pv_outline;

/// A closed contour of straight lines from point to point, and from the last to the first. No three
/// successive points are on one line. Outer contours run clockwise on the screen, holes
/// counter-clockwise: solid pixels are at the right.
typedef struct pv_contour {
    /// Points, borrowed; they live as long as the outline
    const pv_point *points;
    /// Number of points
    int point_count;
    /// Index of the outer contour around a hole; its own index for an outer contour
    int outer_index;
    /// Area inside [px^2]: positive for an outer contour, negative for a hole
    int64_t area;
} pv_contour;

/// Traces the outline of the solid pixels. Each part that pv_parts_create() finds gives one outer
/// contour and its holes. Contours are in reading order of their first edges with a solid pixel
/// below and an empty one above. The left end of that edge is the first point. The areas, computed
/// with the shoelace formula, add up to the number of solid pixels.
///
/// Two solid pixels may touch only at a corner. PV_CONNECTIVITY_8 joins them, so a contour goes on
/// from one to the other. PV_CONNECTIVITY_4 does not: a contour stays at its own pixel. A contour
/// may pass a corner twice, and never crosses itself.
/// @return an outline for pv_outline_destroy(), or null with PV_ERROR_ARGUMENT or PV_ERROR_MEMORY
PV_API pv_outline *pv_outline_create(const pv_mask *mask, pv_connectivity neighbors,
                                     pv_error *error);

/// Computes the convex hull of the solid pixels' corners: one contour, or none without solid
/// pixels. An area with a half is rounded down. Monotone chains: Andrew (1979).
/// @return as pv_outline_create()
PV_API pv_outline *pv_outline_create_hull(const pv_mask *mask, pv_error *error);

/// Frees an outline; null is allowed.
PV_API void pv_outline_destroy(pv_outline *outline);

/// Returns the number of contours; 0 for null.
PV_API int pv_outline_get_contour_count(const pv_outline *outline);

/// Returns a contour; no points and outer_index -1 for an index out of range.
PV_API pv_contour pv_outline_get_contour(const pv_outline *outline, int index);

/// A test that makes pixels solid according to their colors. A channel matches if it differs by its
/// tolerance or less; 255 always matches. A pixel matches if all four channels do.
typedef struct pv_color_match {
    /// Color to match, 0xRRGGBBAA
    pv_color color;
    /// Tolerance of each channel, 0xRRGGBBAA; 0x000000ff: exact color, any alpha
    uint32_t tolerance;
    /// Inversion: pixels that do not match are solid; color is then a color key
    bool invert;
    /// Picture of the same size to compare with instead of color, borrowed; or null
    const void *reference;
    /// Bytes from a row of reference to the one below; may be negative
    ptrdiff_t reference_pitch;
} pv_color_match;

/// Creates a mask of the pixels that match a color, or do not.
/// @param rgba R, G, B, A bytes, borrowed for the call
/// @param width,height in the range of pv_mask_create() [px]
/// @param pitch bytes from a row to the one below, at least 4 * width in size; may be negative
/// @param match the test
/// @param allocator null for the C library's
/// @return as pv_mask_create()
PV_API pv_mask *pv_mask_from_color(const void *rgba, int width, int height, ptrdiff_t pitch,
                                   const pv_color_match *match, const pv_allocator *allocator,
                                   pv_error *error);

/// Writes one color for each solid pixel and another for each empty one, without blending.
/// @param rgba gets R, G, B, A bytes for all pixels of the mask
/// @param pitch bytes from a row to the one below, at least 4 * width in size; may be negative
/// @param solid,empty 0xRRGGBBAA
/// @return PV_ERROR_ARGUMENT, with nothing written
PV_API pv_status pv_mask_to_rgba(const pv_mask *mask, void *rgba, ptrdiff_t pitch, pv_color solid,
                                 pv_color empty);

/// Bit orders in a byte, given as the bit of the leftmost pixel.
typedef enum pv_bit_order {
    /// Highest bit, as in PBM files
    PV_BITS_MSB_FIRST = 0,
    /// Lowest bit, as in XBM files
    PV_BITS_LSB_FIRST
} pv_bit_order;

/// Creates a mask from rows of one bit per pixel, 1 for solid. Every row begins at a new byte.
/// @param rows borrowed for the call; bits beyond the picture in the last byte of a row are ignored
/// @param width,height in the range of pv_mask_create() [px]
/// @param pitch bytes from a row to the one below, at least (width + 7) / 8 in size; may be
/// negative
/// @param order bit order
/// @param allocator null for the C library's
/// @return as pv_mask_create()
PV_API pv_mask *pv_mask_from_bits(const void *rows, int width, int height, ptrdiff_t pitch,
                                  pv_bit_order order, const pv_allocator *allocator,
                                  pv_error *error);

/// Writes a mask as rows of (width + 7) / 8 bytes; bits beyond the picture are 0. The rest is as in
/// pv_mask_from_bits().
/// @param rows destination; bytes between the rows stay unchanged
/// @return PV_ERROR_ARGUMENT, with nothing written
PV_API pv_status pv_mask_to_bits(const pv_mask *mask, void *rows, ptrdiff_t pitch,
                                 pv_bit_order order);

/// Writes a mask in a form for storage or network, with the same bytes on every machine. The form
/// is rows of bits, or run lengths if they are shorter.
/// @param buffer destination; may be null
/// @param capacity size of the buffer [byte]; if it is too small, nothing is written
/// @return the number of bytes needed; 0 for null
PV_API size_t pv_mask_serialize(const pv_mask *mask, void *buffer, size_t capacity);

/// Reads a mask that pv_mask_serialize() wrote.
/// @param bytes borrowed for the call
/// @param size exactly the size that was written [byte]
/// @param allocator null for the C library's
/// @return as pv_mask_create(); PV_ERROR_FORMAT for bytes that were cut, damaged or never a mask,
/// with nothing allocated, however large a mask they announce
PV_API pv_mask *pv_mask_deserialize(const void *bytes, size_t size, const pv_allocator *allocator,
                                    pv_error *error);

/** @} */

/** @defgroup materials Material maps
 *  Hardness and density of each pixel of a picture, one byte each. Material maps are
 *  reference-counted and never change. @{ */

/// A material map: hardness and density per pixel. A pixel of hardness h = 0...255 is 256 / (256 -
/// h) times as tough as one of hardness 0 (see pv_fracture_mode). It survives a cut of lower
/// max_hardness (pv_cut.max_hardness). A pixel of density d weighs d / 255 of the body's density,
/// and at least 1 / 255. Mass, center of mass and inertia follow from these weights. A map also
/// covers the empty pixels of a mask, which may be filled later.
typedef struct pv_material_map pv_material_map;

/// Channels of a picture.
typedef enum pv_channel {
    /// No channel
    PV_CHANNEL_NONE = 0,
    /// First byte of a pixel
    PV_CHANNEL_RED,
    /// Second byte of a pixel
    PV_CHANNEL_GREEN,
    /// Third byte of a pixel
    PV_CHANNEL_BLUE,
    /// Fourth byte of a pixel
    PV_CHANNEL_ALPHA
} pv_channel;

/// Creates a material map from channels of an image, pixel by pixel.
/// @param hardness PV_CHANNEL_NONE: hardness 0 everywhere
/// @param density PV_CHANNEL_NONE: density 255 everywhere, as without a map
/// @param allocator null for the C library's
/// @return a map with one reference, or null with an error: PV_ERROR_TOO_LARGE beyond 32768 px a
/// side or 2^26 px in all; PV_ERROR_ARGUMENT or PV_ERROR_MEMORY
PV_API pv_material_map *pv_material_map_from_image(const pv_image *image, pv_channel hardness,
                                                   pv_channel density,
                                                   const pv_allocator *allocator, pv_error *error);

/// Creates a material map from two planes of bytes, hardness and density; both are copied.
/// @param hardness,density null: as with PV_CHANNEL_NONE
/// @param width,height 0...32768 [px], at most 2^26 px in all
/// @param pitch bytes from a row to the one below, for both planes; may be negative
/// @param allocator null for the C library's
/// @return as pv_material_map_from_image()
PV_API pv_material_map *pv_material_map_from_bytes(const void *hardness, const void *density,
                                                   int width, int height, ptrdiff_t pitch,
                                                   const pv_allocator *allocator, pv_error *error);

/// Takes a reference to a map and returns the map; null gives null.
PV_API pv_material_map *pv_material_map_retain(pv_material_map *map);

/// Releases a reference to a map; the last one frees it. Null is allowed.
PV_API void pv_material_map_release(pv_material_map *map);

/// Returns the width of a map [px]; 0 for null.
PV_API int pv_material_map_get_width(const pv_material_map *map);

/// Returns the height of a map [px]; 0 for null.
PV_API int pv_material_map_get_height(const pv_material_map *map);

/// Returns the hardness of pixel (x, y), 0...255; 0 outside the map and for null.
PV_API int pv_material_map_get_hardness(const pv_material_map *map, int x, int y);

/// Returns the density of pixel (x, y), 0...255; 0 outside the map and for null.
PV_API int pv_material_map_get_density(const pv_material_map *map, int x, int y);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
