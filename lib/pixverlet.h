/* pixverlet.h - the whole public interface of libpixverlet: sprites whose opaque pixels collide.
 *
 * Invariant: everything a program may use stands here and nothing else is exported. The groups follow the
 * pipeline: values, status, memory, images, masks, placed masks, run lengths, canvas, clock, world, material maps, bodies, events,
 * snapshots, world queries, movers, particles, constraints, polygons, liquids, forces, matter, builders, integrators, debug.
 *
 * Units: px, s, radians; mass 1 = one opaque pixel of density 1. y points down, so a positive angle turns
 * clockwise on the screen. Pixel (i, j) covers [i, i+1) x [j, j+1). Normals point from A to B.
 *
 * Threads: functions on different objects may run in different threads at once. Functions that take a const
 * object may run at once on the same object; the others need it alone. Reference counts of masks and material maps
 * are atomic.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_H
#define PIXVERLET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define PV_API __attribute__((visibility("default")))
#else
#define PV_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup values Values
 *  Plain values, passed by value. @{ */

/// A point or a direction [px].
typedef struct pv_vec2 {
    double x, y; ///< right and down
} pv_vec2;

/// A rotation as cosine and sine; (1, 0) is none. Always of length 1 when the library made it.
typedef struct pv_rotation {
    double c, s; ///< of the angle
} pv_rotation;

/// An axis-aligned box in world coordinates [px]; empty when max < min.
typedef struct pv_box {
    pv_vec2 min, max; ///< corners, left upper and right lower
} pv_box;

/// A rectangle of whole pixels; empty when w or h is 0.
typedef struct pv_rect {
    int x, y, w, h; ///< left upper pixel and size [px]
} pv_rect;

/// Coordinates beyond this are refused, so that sums of a few of them stay exact in pixels [px].
#define PV_MAX_COORDINATE 16777216.0

/// The rotation by an angle, by the library's own sine, the same bits on every machine.
/// @param angle [rad], |angle| <= 1e6; anything else gives no rotation.
PV_API pv_rotation pv_rotation_from_angle(double angle);

/// The angle of a rotation, in (-pi, pi] [rad]; 0 for what is not finite.
PV_API double pv_rotation_get_angle(pv_rotation rotation);

/** @} */
/** @defgroup status Status
 *  What a call has to say. @{ */

/// The outcome of a call that can fail.
typedef enum pv_status {
    PV_OK = 0,            ///< done
    PV_ERROR_ARGUMENT,    ///< a null pointer or a value out of its documented range
    PV_ERROR_NOT_FINITE,  ///< NaN or infinity
    PV_ERROR_MEMORY,      ///< the allocator returned null
    PV_ERROR_FILE_OPEN,   ///< the file is missing, not a regular file, or may not be read
    PV_ERROR_FILE_READ,   ///< reading the file failed half-way
    PV_ERROR_FORMAT,      ///< not of the format, or damaged, cut or lying
    PV_ERROR_TOO_LARGE,   ///< larger than the limits in force
    PV_ERROR_EMPTY,       ///< no solid pixel where at least one is needed
    PV_ERROR_STALE_ID,    ///< the handle names no living object of this world
    PV_ERROR_SHARED,      ///< the mask is held elsewhere too: copy it, then change the copy
    PV_ERROR_UNSUPPORTED, ///< the library was built without what this needs
    PV_ERROR_BUSY,        ///< the world is being stepped or asked: it cannot be changed in that callback
    PV_STATUS_COUNT       ///< how many there are; never returned
} pv_status;

/// One English sentence without a full stop, static; "unknown status" for a value that is none.
PV_API const char *pv_status_to_string(pv_status status);

/// Version of the linked library, for example "0.1.0"; static.
PV_API const char *pv_version(void);

/** @} */
/** @defgroup memory Memory
 *  Every byte comes from the caller's allocator. @{ */

/// Lua's shape: new_size 0 frees ptr and returns null; ptr null allocates; otherwise resizes. Alignment as
/// malloc's. Null on failure, with ptr untouched. Must be safe in every thread that uses objects made by it.
typedef void *(*pv_alloc_fn)(void *user_data, void *ptr, size_t old_size, size_t new_size);

/// An allocator; with fn null the C library's is used.
typedef struct pv_allocator {
    pv_alloc_fn fn;  ///< null, or what makes memory
    void *user_data; ///< handed to fn; must outlive the objects made with it
} pv_allocator;

/** @} */
/** @defgroup images Images
 *  PNG files as RGBA pixels. @{ */

/// Decoded pixels: width * height * 4 bytes R, G, B, A, rows from the top, alpha not premultiplied.
typedef struct pv_image {
    int width, height;      ///< [px]
    unsigned char *pixels;  ///< owned by the image; may be painted on
    pv_allocator allocator; ///< what made it
} pv_image;

/// What a PNG may cost before it is refused. Get one from pv_image_limits_default().
typedef struct pv_image_limits {
    int max_width, max_height; ///< [px], at most 32768
    int64_t max_area;          ///< [px^2], inclusive, at most 2^27
    int64_t max_file_size;     ///< [byte]
    pv_allocator allocator;    ///< makes the image, and the decoder's scratch
    unsigned cookie;           ///< set by pv_image_limits_default()
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
PV_API pv_image *pv_image_create(int width, int height, const pv_image_limits *limits, pv_status *status);

/// Frees an image; null is allowed.
PV_API void pv_image_destroy(pv_image *image);

/** @} */
/** @defgroup masks Masks
 *  One bit a pixel: solid or not. Reference-counted; one that is held twice cannot be changed. @{ */

/// A bitmap of solid pixels.
typedef struct pv_mask pv_mask;

/// How pixels become solid. Get one from pv_mask_options_default().
typedef struct pv_mask_options {
    int alpha_threshold;    ///< a pixel is solid when its alpha is >= this, 0...255; default 128
    pv_rect region;         ///< the part of the picture that is taken; w = h = 0: all of it
    pv_image_limits limits; ///< for the file, and the allocator of the mask
    unsigned cookie;        ///< set by pv_mask_options_default()
} pv_mask_options;

/// Threshold 128, the whole picture, default limits.
PV_API pv_mask_options pv_mask_options_default(void);

/// Pixels as a window system holds them (SDL_Surface: pixels, w, h, pitch, BytesPerPixel, Amask).
typedef struct pv_pixels {
    const void *data;    ///< borrowed for the call
    int width, height;   ///< [px]
    ptrdiff_t pitch;     ///< bytes from a row to the one below; may be negative
    int bytes_per_pixel; ///< 1...4, a little number in the machine's byte order, as SDL has it
    uint32_t alpha_mask; ///< the bits of the pixel that are its alpha, side by side; 0: all pixels are solid
} pv_pixels;

/// An empty mask.
/// @param width,height [px] 0...32768, area at most 2^31; 0 is allowed and holds nothing; more is
/// PV_ERROR_TOO_LARGE, less than 0 PV_ERROR_ARGUMENT
/// @param allocator null for the C library's
/// @return a mask with one reference, or null with a status
PV_API pv_mask *pv_mask_create(int width, int height, const pv_allocator *allocator, pv_status *status);

/// The mask of a PNG file.
/// @param options null for the defaults
/// @return as pv_mask_create(); PV_ERROR_ARGUMENT too when the region leaves the picture
PV_API pv_mask *pv_mask_load(const char *path, const pv_mask_options *options, pv_status *status);

/// The mask of a PNG in memory; else as pv_mask_load().
PV_API pv_mask *pv_mask_load_memory(const void *png, size_t size, const pv_mask_options *options,
                                    pv_status *status);

/// The mask of an image; else as pv_mask_load().
PV_API pv_mask *pv_mask_from_image(const pv_image *image, const pv_mask_options *options, pv_status *status);

/// The mask of raw R, G, B, A bytes with pitch bytes from row to row; else as pv_mask_load().
PV_API pv_mask *pv_mask_from_rgba(const void *rgba, int width, int height, ptrdiff_t pitch,
                                  const pv_mask_options *options, pv_status *status);

/// The mask of a surface's pixels; else as pv_mask_load(). Alphas of fewer than 8 bits are spread over 0...255.
PV_API pv_mask *pv_mask_from_pixels(const pv_pixels *pixels, const pv_mask_options *options, pv_status *status);

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
    double area;      ///< number of solid pixels
    pv_vec2 centroid; ///< in mask coordinates [px]; (0, 0) when the area is 0
    double inertia;   ///< about the centroid, perpendicular to the picture [px^4]; one pixel alone has 1/6
} pv_mass_data;

/// Area, center and moment of inertia, from exact integer sums.
PV_API pv_mass_data pv_mask_compute_mass(const pv_mask *mask);

/// Two masks, the second's pixel (0, 0) on the first's pixel (dx, dy): what they share.
typedef struct pv_overlap {
    int64_t area;   ///< shared pixels; the rest is 0 when this is 0
    pv_vec2 point;  ///< mean of the centers of the shared pixels, in the first mask's coordinates [px]
    pv_vec2 normal; ///< from the first to the second, of length 1; (0, 0) where the gradient vanishes
    double depth;   ///< how far along the normal the second must go, roughly: area over its slope [px]
    pv_rect bounds; ///< the smallest rectangle that holds the shared pixels, in the first mask's coordinates
} pv_overlap;

/// Tells whether they share a pixel. Offsets may be any int. Cheng (2003) section 3.2.
PV_API bool pv_mask_test_overlap(const pv_mask *a, const pv_mask *b, int dx, int dy);

/// Returns how many pixels they share. Cheng (2003) section 3.2.
PV_API int64_t pv_mask_compute_overlap_area(const pv_mask *a, const pv_mask *b, int dx, int dy);

/// All that two masks share. The normal is minus the gradient of the shared area over the offset,
/// (f(x+1,y) - f(x-1,y), f(x,y+1) - f(x,y-1)): Cheng (2003) sections 3.2 and 3.3.
/// @return whether they share a pixel
PV_API bool pv_mask_compute_overlap(const pv_mask *a, const pv_mask *b, int dx, int dy, pv_overlap *overlap);

/// The normal of pv_mask_compute_overlap() alone, which is also there where masks lie side by side and share nothing.
/// @param normal null, or gets it; (0, 0) where the gradient vanishes
/// @return whether there is one
PV_API bool pv_mask_compute_overlap_normal(const pv_mask *a, const pv_mask *b, int dx, int dy, pv_vec2 *normal);

/// Two masks, the second's pixel (0, 0) on the first's pixel (dx, dy).
typedef struct pv_mask_pair {
    const pv_mask *a, *b; ///< borrowed; null shares nothing
    int dx, dy;           ///< [px]
} pv_mask_pair;

/// pv_mask_test_overlap() for many pairs: masks further on are fetched from memory while one is tested.
/// @param pairs count of them; null counts as none
/// @param hits null, or gets count answers
/// @return how many pairs share a pixel
PV_API int64_t pv_mask_test_overlap_pairs(const pv_mask_pair *pairs, size_t count, bool *hits);

/// The loops over pixels that are in use: "generic", "avx2" or "avx512"; static. All give the same bits. The
/// first call of the library that needs one takes what the environment variable PIXVERLET_KERNEL names, or else
/// the best that the CPU has. Where the variable names one that cannot be had, that is "generic", and
/// pv_kernel_select(NULL) says so. Safe in any thread, but for threads that change the environment.
PV_API const char *pv_kernel_get_name(void);

/// Chooses the loops for the whole process, for tests and measurements. Safe in any thread; calls that are under
/// way in others finish with what they began with.
/// @param name as pv_kernel_get_name() gives it; null: chosen anew, by the environment variable as above
/// @return PV_ERROR_ARGUMENT, with nothing changed, for an unknown name and for one that the CPU lacks
PV_API pv_status pv_kernel_select(const char *name);

/** @} */
/** @defgroup operations Operations
 *  Masks out of masks, and what can be said of one. What is made from a mask is made by the mask's allocator,
 *  and never changes it. What lies beside a mask counts as empty. A mask that is changed must not be in use in
 *  another thread; all else may be. @{ */

/// What becomes of a pixel of a with the pixel of b over it.
typedef enum pv_combine {
    PV_COMBINE_AND = 0, ///< solid when both are; what b does not cover becomes empty
    PV_COMBINE_OR,      ///< solid when one is
    PV_COMBINE_XOR,     ///< solid when one is and the other is not
    PV_COMBINE_ANDNOT   ///< b is cut out of a
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

/// Second moments of the area about the centroid, which pv_mask_compute_mass() gives; each solid pixel is a unit
/// square.
typedef struct pv_moments {
    double xx, xy, yy; ///< of (x - cx)^2, (x - cx)(y - cy), (y - cy)^2 [px^4]; xx + yy is the inertia
    double angle;      ///< from the x axis to the direction of the largest spread, in (-pi/2, pi/2] [rad]
} pv_moments;

/// From exact integer sums; the angle is atan2(2 xy, xx - yy) / 2, the same bits on every machine. A picture of
/// up to 512 px that is symmetric has exactly the angle of its symmetry, or 0 when all directions are equal.
/// All 0 when no pixel is solid, and for null.
PV_API pv_moments pv_mask_compute_moments(const pv_mask *mask);

/// Cuts a rectangle out; where it reaches beside the mask, it pads with empty pixels.
/// @param rect in the mask's coordinates [px], any place; its size in the range of pv_mask_create()
/// @return a mask of the rectangle's size, as pv_mask_create()
PV_API pv_mask *pv_mask_crop(const pv_mask *mask, pv_rect rect, pv_status *status);

/// A mirrored copy.
/// @param left_right whether the leftmost column becomes the rightmost
/// @param top_bottom whether the top row becomes the bottom one
/// @return as pv_mask_create()
PV_API pv_mask *pv_mask_flip(const pv_mask *mask, bool left_right, bool top_bottom, pv_status *status);

/// A copy turned by quarter turns, exactly.
/// @param quarters clockwise on the screen, any; negative ones are counter-clockwise
/// @return as pv_mask_create()
PV_API pv_mask *pv_mask_rotate90(const pv_mask *mask, int quarters, pv_status *status);

/// A stretched or shrunk copy: each pixel is what its center falls on, in whole numbers: pixel x of the new
/// width shows column floor((2 x + 1) old width / (2 new width)), and rows alike.
/// @param width,height [px] in the range of pv_mask_create()
/// @return as pv_mask_create(); all empty when the mask has no pixels
PV_API pv_mask *pv_mask_scale(const pv_mask *mask, int width, int height, pv_status *status);

/// What pixels are grown by or shrunk with.
typedef enum pv_brush {
    PV_BRUSH_SQUARE = 0, ///< pixels of at most radius in x and in y
    PV_BRUSH_CIRCLE      ///< pixels of which the centers are at most radius apart
} pv_brush;

/// Puts a brush on each solid pixel. The picture grows by radius on each side, so that nothing is cut off: its
/// pixel (radius, radius) is the mask's (0, 0). Serra, Image Analysis and Mathematical Morphology (1982).
/// @param radius [px] >= 0
/// @return as pv_mask_create(): PV_ERROR_TOO_LARGE for a picture that grows beyond what it allows
PV_API pv_mask *pv_mask_dilate(const pv_mask *mask, int radius, pv_brush brush, pv_status *status);

/// Keeps the pixels around which all of the brush is solid; the size stays, and the brush must not reach beside
/// the mask. Source as for pv_mask_dilate().
/// @param radius [px] >= 0
/// @return as pv_mask_create()
PV_API pv_mask *pv_mask_erode(const pv_mask *mask, int radius, pv_brush brush, pv_status *status);

/// All the offsets at which b hits a: the Minkowski sum of a and b mirrored both ways, the obstacle that a is
/// for b's pixel (0, 0). Pixel (i, j) is solid when pv_mask_test_overlap(a, b, i - (width of b - 1), j - (height of b -
/// 1)). Lozano-Perez (1983). The time is the size of the result times the number of runs in b: let b be the
/// simpler one.
/// @return a mask of both widths and heights, less 1, or without pixels when a or b has none; as
/// pv_mask_create()
PV_API pv_mask *pv_mask_obstacle(const pv_mask *a, const pv_mask *b, pv_status *status);

/// Which pixels belong together.
typedef enum pv_connectivity {
    PV_CONNECTIVITY_4 = 4, ///< those that share an edge
    PV_CONNECTIVITY_8 = 8  ///< those that share an edge or a corner
} pv_connectivity;

/// The connected parts of a mask, the largest first, equal ones in reading order of their first pixels. It
/// keeps nothing of the mask and cannot be changed.
typedef struct pv_parts pv_parts;

/// One connected part.
typedef struct pv_part {
    int64_t area; ///< number of its pixels
    pv_rect rect; ///< the smallest rectangle that holds it, in the mask's coordinates
} pv_part;

/// Finds the parts, in time linear in the size of the mask but for the sorting of the parts. Runs are joined as
/// by Hoshen and Kopelman (1976).
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

/// A corner of pixels: (x, y) is the upper left one of pixel (x, y).
typedef struct pv_point {
    int x, y; ///< [px]
} pv_point;

/// Closed contours in a mask's coordinates. It keeps nothing of the mask and cannot be changed.
typedef struct pv_outline pv_outline;

/// A closed contour: from each point a straight line goes to the next, and from the last to the first. No three
/// points in a row are on one line. Outer contours go clockwise on the screen, holes counter-clockwise: solid
/// pixels are at the right.
typedef struct pv_contour {
    const pv_point *points; ///< borrowed, lives as long as the outline
    int point_count;        ///< of points
    int outer_index;        ///< the index of the outer contour that a hole is in; of an outer contour its own
    int64_t area;           ///< inside it [px^2]: positive for an outer contour, negative for a hole
} pv_contour;

/// Traces the edges of the solid pixels: one outer contour and its holes for each part that pv_parts_create()
/// finds, in reading order of the first edges that have a solid pixel below and an empty one above; the left
/// end of that edge is the first point. The areas, as by the shoelace formula, add up to the number of solid
/// pixels. Where two solid pixels touch at a corner only, PV_CONNECTIVITY_8 joins them, so that a contour goes on
/// from the one to the other, and PV_CONNECTIVITY_4 does not: it goes round the pixel that it comes from. A
/// contour may pass a corner twice, but never crosses itself.
/// @return an outline to give to pv_outline_destroy(), or null with PV_ERROR_ARGUMENT or PV_ERROR_MEMORY
PV_API pv_outline *pv_outline_create(const pv_mask *mask, pv_connectivity neighbors, pv_status *status);

/// The convex hull of the solid pixels' corners: one contour, or none when no pixel is solid. Its area, which
/// may have a half, is rounded down. Monotone chains: Andrew (1979).
/// @return as pv_outline_create()
PV_API pv_outline *pv_outline_create_hull(const pv_mask *mask, pv_status *status);

/// Frees an outline; null is allowed.
PV_API void pv_outline_destroy(pv_outline *outline);

/// Returns how many contours there are; 0 for null.
PV_API int pv_outline_get_contour_count(const pv_outline *outline);

/// A contour; no points and outer -1 for one that there is not.
PV_API pv_contour pv_outline_get_contour(const pv_outline *outline, int index);

/// Which pixels of a picture are solid by their colors. A channel matches when it is off by its tolerance or
/// less, so with 255 always; a pixel matches when all four channels do.
typedef struct pv_color_match {
    uint32_t color;        ///< 0xRRGGBBAA
    uint32_t tolerance;    ///< 0xRRGGBBAA, 0...255 for each channel; 0x000000ff: that very color, any alpha
    bool invert;           ///< solid are the pixels that do not match: color is a color key
    const void *reference; ///< null, or a picture of the same size to compare with instead of color; borrowed
    ptrdiff_t reference_pitch; ///< bytes from a row of other to the one below; may be negative
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
    PV_BITS_MSB_FIRST = 0, ///< the highest, as in PBM files
    PV_BITS_LSB_FIRST      ///< the lowest, as in XBM files
} pv_bit_order;

/// The mask of rows of one bit a pixel, 1 for solid; every row begins with a byte of its own.
/// @param rows borrowed for the call; bits beside the picture in the last byte of a row may be anything
/// @param width,height [px] in the range of pv_mask_create()
/// @param pitch bytes from a row to the one below, at least (width + 7) / 8 in size; may be negative
/// @param order of the bits
/// @param allocator null for the C library's
/// @return as pv_mask_create()
PV_API pv_mask *pv_mask_from_bits(const void *rows, int width, int height, ptrdiff_t pitch, pv_bit_order order,
                                  const pv_allocator *allocator, pv_status *status);

/// Writes (width + 7) / 8 bytes a row, bits beside the picture being 0; else as pv_mask_from_bits().
/// @param rows gets them; what lies between the rows stays as it is
/// @return PV_ERROR_ARGUMENT, with nothing written
PV_API pv_status pv_mask_to_bits(const pv_mask *mask, void *rows, ptrdiff_t pitch, pv_bit_order order);

/// Writes a mask in a form to store or send, the same bytes on every machine: rows of bits, or run lengths where they
/// take less.
/// @param buffer where it goes; may be null
/// @param capacity how many bytes there is room for; when it is too small, nothing is written
/// @return how many bytes it takes in all; 0 for null
PV_API size_t pv_mask_serialize(const pv_mask *mask, void *buffer, size_t capacity);

/// Reads what pv_mask_serialize() wrote.
/// @param bytes borrowed for the call
/// @param size [byte], exactly what was written
/// @param allocator null for the C library's
/// @return as pv_mask_create(); PV_ERROR_FORMAT for bytes that were cut, damaged or never a mask, with nothing
/// allocated, however large the mask that they announce
PV_API pv_mask *pv_mask_deserialize(const void *bytes, size_t size, const pv_allocator *allocator,
                                    pv_status *status);

/** @} */
/** @defgroup placed Placed masks
 *  A mask put into the world by a transform. @{ */

/// Takes point m of a picture to position + R(rotation) * scale * (m - pivot).
typedef struct pv_transform {
    pv_vec2 position;     ///< where the pivot comes to lie [px]
    pv_rotation rotation; ///< about the pivot
    pv_vec2 pivot;        ///< in the picture's coordinates [px]
    pv_vec2 scale; ///< along the picture's axes, before it is turned; negative mirrors; sizes 1/1024...1024
} pv_transform;

/// No turn and no scaling, the picture's pixel (0, 0) at the world's.
PV_API pv_transform pv_transform_identity(void);

/// Returns where a point of the picture lies in the world [px]; the point itself for null. What is not finite stays so.
PV_API pv_vec2 pv_transform_to_world(const pv_transform *transform, pv_vec2 point);

/// The box of the turned rectangle of the picture, a little generous (1/256 px); an empty one for null, for a picture
/// without pixels and for what is not finite. Cheng (2003) section 5.1.
PV_API pv_box pv_transform_compute_bounds(const pv_transform *transform, int width, int height);

/// The collision bitmap of a placed mask: world pixel (X, Y) is solid when its center (X+1/2, Y+1/2), taken
/// back through the transform, falls into a solid pixel: the rule by which center-sampling nearest-texel
/// renderers draw, so the bitmap is what is seen. Steps are 32.32 fixed point; a center on the edge of a
/// texel belongs to the texel at its right and below (after that rounding). Cheng (2003) section 3.1, mended.
/// @param mask the upright mask
/// @param transform where it is
/// @param origin null, or gets the world pixel of the bitmap's pixel (0, 0), and its size
/// @param allocator null for the C library's
/// @param status null, or where the outcome goes
/// @return a new mask, or null with a status
PV_API pv_mask *pv_mask_transform(const pv_mask *mask, const pv_transform *transform, pv_rect *origin,
                                  const pv_allocator *allocator, pv_status *status);

/** @} */
/** @defgroup queries Queries
 *  Questions about placed masks: hits, distances, sweeps, batches, groups. @{ */

/// A mask put somewhere. It borrows the mask; copy it about freely.
typedef struct pv_placed {
    const pv_mask *mask;    ///< borrowed
    pv_transform transform; ///< where it is
} pv_placed;

/* Unless said otherwise these questions are asked of the exact collision bitmaps of pv_mask_transform(), made
 * only where the two boxes meet and without memory from any allocator; the mask of an upright sprite of scale 1
 * is used as it is. What pv_placed_check() refuses touches nothing: false, 0 or zeros. All are safe to call in
 * several threads at once on the same sprites. */

/// Whether a placed sprite can be asked about.
/// @return PV_OK; PV_ERROR_ARGUMENT for a null pointer, a scale out of 1/1024...1024, a place beyond
/// PV_MAX_COORDINATE or a rotation not of length 1; PV_ERROR_NOT_FINITE
PV_API pv_status pv_placed_check(const pv_placed *placed);

/// The box of its picture as it lies in the world [px]; an empty one for what pv_placed_check() refuses.
PV_API pv_box pv_placed_compute_bounds(const pv_placed *placed);

/// Tells whether two placed sprites share a pixel of the world.
PV_API bool pv_placed_test_overlap(const pv_placed *a, const pv_placed *b);

/// Returns how many pixels of the world they share.
PV_API int64_t pv_placed_compute_overlap_area(const pv_placed *a, const pv_placed *b);

/// All that they share, as pv_mask_compute_overlap() says it, point and box in world coordinates. Where the gradient
/// vanishes (one inside the other, symmetry) the normal is that of the least separation, found up to 64 px with
/// memory from the allocator of a's mask, and depth is its length; failing that it leads from the center of a's
/// picture to the center of b's, or is (0, -1) where these are one, and depth is 64.
/// @param overlap gets zeros when nothing is shared; may be null
/// @return whether they share a pixel
PV_API bool pv_placed_compute_overlap(const pv_placed *a, const pv_placed *b, pv_overlap *overlap);

/// The pixels that they share, as a mask.
/// @param origin null, or gets the rectangle of the world that the mask shows; where the boxes meet, and no
/// smaller for what is empty there
/// @param allocator null for the C library's
/// @param status null, or where the outcome goes; PV_ERROR_TOO_LARGE as pv_mask_create()
/// @return a new mask, perhaps of size 0, or null with a status
PV_API pv_mask *pv_placed_create_overlap_mask(const pv_placed *a, const pv_placed *b, pv_rect *origin,
                                              const pv_allocator *allocator, pv_status *status);

/// The shortest way in whole pixels that b must go so that the bitmaps share none. Of equally short ones the
/// one with the least |y|, of these the upper one, of these the right one. It is the nearest place out of the
/// obstacle that a is to b (Lozano-Perez 1983); the 64 places of a word are judged together.
/// @param separation gets the way of b [px]; (0, 0) when they are apart
/// @return PV_ERROR_MEMORY (from the allocator of a's mask), PV_ERROR_TOO_LARGE (bitmaps that pv_mask_create()
/// would refuse), or as pv_placed_check(); separation is (0, 0) then
PV_API pv_status pv_placed_compute_mtv(const pv_placed *a, const pv_placed *b, pv_vec2 *separation);

/// How near two sprites are.
typedef struct pv_distance_result {
    double distance; ///< between the squares of the nearest two solid pixels [px]; 0 when they touch or overlap
    pv_vec2 point_a, point_b; ///< the points of those squares that are nearest, on a and on b [px]
} pv_distance_result;

/// The distance of two placed sprites, of the squares of their solid pixels in the world.
/// @param nearest gets the answer, or zeros
/// @return PV_ERROR_EMPTY when one has no solid pixel; else as pv_placed_compute_mtv()
PV_API pv_status pv_placed_compute_distance(const pv_placed *a, const pv_placed *b,
                                            pv_distance_result *nearest);

/* The following are asked of the sprite itself, its pixels being the turned and scaled rectangles that they
 * are, before any raster. Points beyond PV_MAX_COORDINATE or not finite hit nothing. */

/// Tells whether a point lies in a solid pixel; its left and upper edges (in the picture) belong to it.
PV_API bool pv_placed_test_point(const pv_placed *placed, pv_vec2 point);

/// Where a ray meets a sprite.
typedef struct pv_ray_hit {
    double fraction; ///< of the segment, 0...1; of a ray the multiple of its direction
    pv_vec2 point;   ///< in the world [px]
    pv_vec2 normal;  ///< of the pixel's edge, out of the sprite, of length 1; (0, 0) when it starts inside
    int x, y;        ///< the pixel of the mask
} pv_ray_hit;

/// The first solid pixel on the way from one point to another, cell by cell (Amanatides and Woo 1987), so that
/// none is stepped over; a way that passes a corner of four pixels exactly goes on along the picture's x first.
/// @param from,to may be equal: then as pv_placed_test_point()
/// @param hit null, or gets the answer; zeros when there is none
PV_API bool pv_placed_cast_segment(const pv_placed *placed, pv_vec2 from, pv_vec2 to, pv_ray_hit *hit);

/// The same without an end.
/// @param direction of any length; (0, 0) asks for the point alone
PV_API bool pv_placed_cast_ray(const pv_placed *placed, pv_vec2 origin, pv_vec2 direction, pv_ray_hit *hit);

/// Tells whether a disc and a solid pixel share more than an edge.
/// @param radius [px] in (0, PV_MAX_COORDINATE]; others hit nothing
PV_API bool pv_placed_test_circle(const pv_placed *placed, pv_vec2 center, double radius);

/// Tells whether an upright rectangle and a solid pixel share more than an edge. An empty one hits nothing.
PV_API bool pv_placed_test_box(const pv_placed *placed, pv_box box);

/// A sprite on its way: its pivot goes straight and it turns by the shorter way (clockwise when both are as
/// long), at constant rates.
typedef struct pv_swept {
    const pv_mask *mask; ///< borrowed
    pv_transform from;   ///< where it starts
    pv_transform to;     ///< where it ends; with the same pivot and scale
} pv_swept;

/// The first touch of two sprites on their ways.
typedef struct pv_swept_hit {
    double fraction; ///< of the way, 0...1: the last pose that is free; there they share no pixel yet
    double
        touch_fraction; ///< the first pose that shares one: no rim has moved more than 1/64 px since fraction
    pv_vec2 point;      ///< mean of the shared pixels at touch, in the world [px]
    pv_vec2 normal;     ///< from a to b, as pv_placed_compute_overlap() gives it at touch
} pv_swept_hit;

/// The transform at a fraction of the way, 0...1: exactly from at 0 and to at 1. Made without libm, so the same
/// on every machine.
/// @return pv_transform_identity() for what pv_swept_cast() refuses and a fraction that is not finite
PV_API pv_transform pv_swept_get_transform(const pv_swept *moving, double fraction);

/// The first touch of two moving sprites, on exact bitmaps. Stretches of the way in which the swept box of one
/// holds no solid pixel of the other are left out as a whole; the others are halved down to 1 px and looked at
/// between every two changes of the bitmap of an upright sprite, and every 1/16 px of motion for turned ones.
/// So an upright sprite never gets past any pixel that its bitmap would have met, at whatever speed; of turned
/// ones a touch that comes and goes within 1/16 px of motion may be missed: a graze of corners.
/// @param a,b either may stand still: from equal to to
/// @param hit null, or gets the answer; zeros when there is none. Overlapping from the start gives fraction 0,
/// touch 0
/// @return whether they touch; false for what pv_placed_check() would refuse, and for differing pivots or
/// scales
PV_API bool pv_swept_cast(const pv_swept *a, const pv_swept *b, pv_swept_hit *hit);

/// Tests one placed sprite against many, in their order; what comes next is fetched from memory meanwhile.
/// @param hits null, or gets count answers
/// @return how many it shares a pixel with
PV_API size_t pv_placed_test_overlap_many(const pv_placed *placed, const pv_placed *others, size_t count,
                                          bool *hits);

/// Two places in an array.
typedef struct pv_index_pair {
    uint32_t a, b; ///< from 0
} pv_index_pair;

/// Tests pairs out of an array of placed sprites; else as pv_placed_test_overlap_many(). Pairs out of the array miss.
PV_API size_t pv_placed_test_overlap_pairs(const pv_placed *sprites, size_t count, const pv_index_pair *pairs,
                                           size_t pair_count, bool *hits);

/// Placed sprites that can be asked who touches whom, for games without physics. Lies in a grid of square
/// cells.
typedef struct pv_group pv_group;

/// Names a sprite of one group; all zero names none. A name that outlives its sprite is noticed.
typedef struct pv_member_id {
    uint32_t index, generation; ///< a slot, and how often it was used
} pv_member_id;

/// Two sprites of a group that touch; a has the lower index.
typedef struct pv_member_pair {
    pv_member_id a, b; ///< in order
} pv_member_pair;

/// Makes an empty group.
/// @param cell side of a cell [px] 1...65536, best the size of a common sprite; 0: 64
/// @param allocator null for the C library's
/// @return a group to give to pv_group_destroy(), or null with a status
PV_API pv_group *pv_group_create(double cell, const pv_allocator *allocator, pv_status *status);

/// Frees a group and gives its masks back; null is allowed.
PV_API void pv_group_destroy(pv_group *group);

/// Puts a sprite into a group, which takes a reference to its mask.
/// @param user the caller's pointer
/// @return its name, or the null name with a status
PV_API pv_member_id pv_group_add(pv_group *group, const pv_placed *placed, void *user_data, pv_status *status);

/// Puts a sprite elsewhere. On an error all stays as it was.
/// @return PV_ERROR_STALE_ID, PV_ERROR_MEMORY, or as pv_placed_check()
PV_API pv_status pv_group_set_transform(pv_group *group, pv_member_id member, const pv_transform *transform);

/// Takes a sprite out.
PV_API pv_status pv_group_remove(pv_group *group, pv_member_id member);

/// Returns how many there are; 0 for null.
PV_API int pv_group_get_count(const pv_group *group);

/// Returns where a sprite is; a null mask at pv_transform_identity() for a stale name. The mask is borrowed and
/// lives as long as the member.
PV_API pv_placed pv_group_get_placed(const pv_group *group, pv_member_id member);

/// The caller's pointer; null for a stale name.
PV_API void *pv_group_get_user_data(const pv_group *group, pv_member_id member);

/* The queries fill found with the first capacity answers in order of the index and return how many there are in
 * all; found may be null when capacity is 0. They may run in several threads at once while nothing is changed.
 * */

/// The members that share a pixel with a placed sprite, which need not be of the group.
PV_API size_t pv_group_query_mask(const pv_group *group, const pv_placed *placed, pv_member_id *found,
                                  size_t capacity);

/// The other members that share a pixel with this one.
PV_API size_t pv_group_query_member(const pv_group *group, pv_member_id member, pv_member_id *found,
                                    size_t capacity);

/// The members with a solid pixel under a point: pv_placed_test_point().
PV_API size_t pv_group_query_point(const pv_group *group, pv_vec2 point, pv_member_id *found, size_t capacity);

/// The members with a solid pixel in a box: pv_placed_test_box().
PV_API size_t pv_group_query_box(const pv_group *group, pv_box box, pv_member_id *found, size_t capacity);

/// All touching pairs, in order of a's and then b's index.
PV_API size_t pv_group_query_pairs(const pv_group *group, pv_member_pair *found, size_t capacity);

/** @} */
/** @defgroup cache Rotation cache
 *  Collision bitmaps kept for the next time. @{ */

/// Turned and scaled masks kept for the next time, for all who use the same mask, up to a number of bytes; the
/// least recently used go first. Every function but pv_mask_cache_destroy() may run in several threads at once.
///
/// The cache holds a reference to every mask it knows turned bitmaps of, so pv_mask_set_pixel() and the like refuse
/// such a mask by PV_ERROR_SHARED until pv_mask_cache_evict(): what is cached is never out of date.
typedef struct pv_mask_cache pv_mask_cache;

/// A collision bitmap out of a cache.
typedef struct pv_cached_mask {
    pv_mask *mask; ///< give it back by pv_mask_release()
    int x, y;      ///< where its pixel (0, 0) lies when the center of the picture is at (0, 0) of the world
} pv_cached_mask;

/// What a cache holds and how it fared.
typedef struct pv_mask_cache_stats {
    uint64_t hits;      ///< asked for and found
    uint64_t misses;    ///< asked for and made anew
    uint64_t evictions; ///< dropped to stay within the budget
    size_t bytes;       ///< in bitmaps now, with what it takes to find them
    size_t budget;      ///< at most
    int mask_count;     ///< how many now
} pv_mask_cache_stats;

/// Makes an empty cache.
/// @param budget [byte]; 0 keeps nothing
/// @param allocator null for the C library's; makes the bitmaps too
/// @return a cache to give to pv_mask_cache_destroy(), or null with a status
PV_API pv_mask_cache *pv_mask_cache_create(size_t budget, const pv_allocator *allocator, pv_status *status);

/// Frees a cache when nobody uses it any more; bitmaps that are held elsewhere live on. Null is allowed.
PV_API void pv_mask_cache_destroy(pv_mask_cache *cache);

/// The collision bitmap of a mask turned about the center of its picture. The angle is that of the nearest
/// bucket, the buckets being so narrow that no point of the picture is off by 1/2 px; 0 and the quarter turns
/// are exact.
/// @param mask the cache takes a reference of its own as long as it keeps bitmaps of it
/// @param rotation of length 1
/// @param scale as in pv_transform, sizes 1/1024...1024; not in buckets
/// @param turned gets the bitmap with a reference for the caller; zeros on an error
/// @return PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE, PV_ERROR_MEMORY or PV_ERROR_TOO_LARGE
PV_API pv_status pv_mask_cache_acquire(pv_mask_cache *cache, const pv_mask *mask, pv_rotation rotation,
                                       pv_vec2 scale, pv_cached_mask *turned);

/// As pv_placed_test_overlap() on cached bitmaps put to the nearest whole pixel: each edge is up to 1/2 px off by its
/// angle and up to 1/2 px along x and y by its place. Without memory, the exact answer.
/// @param cache null gives the exact answer
PV_API bool pv_mask_cache_test_overlap(pv_mask_cache *cache, const pv_placed *a, const pv_placed *b);

/// Drops all bitmaps of a mask and the reference to it, so that it can be edited.
/// @param mask null: of all masks
PV_API void pv_mask_cache_evict(pv_mask_cache *cache, const pv_mask *mask);

/// Counts since the cache was made; all 0 for null.
PV_API pv_mask_cache_stats pv_mask_cache_get_stats(pv_mask_cache *cache);

/** @} */
/** @defgroup frames Frames
 *  Sprite sheets and atlases as animations of masks. @{ */

/// One picture of an animation. Its mask has the size of the whole frame, with what was trimmed off, so a place
/// in one frame is the same place in the next.
typedef struct pv_frame {
    const char *name;   ///< as the atlas has it, UTF-8; "" in a grid
    pv_mask *mask;      ///< belongs to the frames; retain it to keep it longer than they live
    pv_vec2 pivot;      ///< in the mask's coordinates [px]
    double duration;    ///< [s], 0.001...3600
    pv_rect trim_rect;  ///< the part of the frame that was not trimmed off [px]; may reach out of the frame
    pv_rect atlas_rect; ///< where the picture holds that part [px]; w and h are source's swapped when turned
    bool rotated;       ///< held turned a quarter clockwise
} pv_frame;

/// In which order the frames of a tag are shown.
typedef enum pv_tag_direction {
    PV_TAG_FORWARD = 0,     ///< first...last, and again
    PV_TAG_REVERSE,         ///< last...first, and again
    PV_TAG_PINGPONG,        ///< there and back; the first and the last are not shown twice in a row
    PV_TAG_PINGPONG_REVERSE ///< the same, from the last on
} pv_tag_direction;

/// A named stretch of frames.
typedef struct pv_tag {
    const char *name;           ///< UTF-8
    int first, last;            ///< indices of frames, first <= last
    pv_tag_direction direction; ///< in which order they are shown
} pv_tag;

/// Frames and their tags; holds a reference of every mask. Not changed but by pv_frames_add_tag().
typedef struct pv_frames pv_frames;

/// How frames are read. Get one from pv_frames_options_default().
typedef struct pv_frames_options {
    int alpha_threshold;     ///< a pixel is solid when its alpha is >= this, 0...255; default 128
    pv_vec2 pivot;           ///< for want of another: in sizes of the frame, |x|, |y| <= 1024; default 1/2
    double duration;         ///< for want of another [s], 0.001...3600; default 0.1
    const char *pivot_slice; ///< the Aseprite slice that bears the pivots; null: the first that bears any
    pv_image_limits limits;  ///< for the files and for every frame, and the allocator of all
    unsigned cookie;         ///< set by pv_frames_options_default()
} pv_frames_options;

/// The defaults named above.
PV_API pv_frames_options pv_frames_options_default(void);

/// A sheet of equal cells, row by row from the top left.
typedef struct pv_grid {
    int width, height; ///< of a cell [px], > 0
    int margin;        ///< round the whole sheet [px], >= 0
    int spacing;       ///< between neighboring cells [px], >= 0
    int columns;       ///< cells in a row; 0: as many as fit between the margins
    int cell_count;    ///< how many cells are taken; 0: columns times the whole rows between the margins
} pv_grid;

/// The frames of a sheet, with options' duration and pivot. All masks together may take as much memory as the
/// largest picture that the limits allow; more, or over 2^20 frames, is PV_ERROR_TOO_LARGE.
/// @param image the sheet; not needed afterwards
/// @param grid its cells; PV_ERROR_ARGUMENT when there are none, or one leaves the picture
/// @param options null for the defaults
/// @param status null, or where the outcome goes
/// @return frames to give to pv_frames_destroy(), or null with a status
PV_API pv_frames *pv_frames_from_grid(const pv_image *image, const pv_grid *grid,
                                      const pv_frames_options *options, pv_status *status);

/// The frames of an atlas: JSON as Aseprite and TexturePacker write it, frames as an array or a hash. Read are of a
/// frame: frame, rotated (a quarter clockwise, turned back), spriteSourceSize, sourceSize, duration [ms], pivot or
/// anchor (in sizes of the frame); of meta: image, frameTags, slices (pivots, held from key to key). Where frame is
/// larger than spriteSourceSize by the same border all round, that is padding. Tags without frames are left out;
/// how often a tag repeats is not read.
/// The parser's scratch is the C library's, some 40 bytes for each of the JSON; when malloc() fails in it, that is
/// PV_ERROR_FORMAT. No other thread may change the C locale meanwhile.
/// @param path the JSON file, up to 16 MiB and the limits' max_file_size
/// @param image the atlas picture; null: the one that meta.image names, which must be in the directory of the
/// JSON or below it: absolute names, and those with "..", a backslash or a colon, are PV_ERROR_FORMAT
/// @param options null for the defaults; PV_ERROR_ARGUMENT too when no slice is named like pivot_slice
/// @param status PV_ERROR_FORMAT for anything missing, doubled, of the wrong type, out of range or out of the
/// picture; PV_ERROR_UNSUPPORTED when the library was built without libcjson; sizes as pv_frames_from_grid()
/// @return frames to give to pv_frames_destroy(), or null with a status
PV_API pv_frames *pv_frames_load(const char *path, const pv_image *image, const pv_frames_options *options,
                                 pv_status *status);

/// The frames of an atlas whose JSON is in memory; the image must be given. Else as pv_frames_load().
PV_API pv_frames *pv_frames_load_memory(const void *json, size_t size, const pv_image *image,
                                        const pv_frames_options *options, pv_status *status);

/// Frees the frames and gives their masks back; null is allowed.
PV_API void pv_frames_destroy(pv_frames *frames);

/// Returns how many frames there are; 0 for null.
PV_API int pv_frames_get_count(const pv_frames *frames);

/// A frame, which lives as long as the frames; null when there is none of that index.
PV_API const pv_frame *pv_frames_get_frame(const pv_frames *frames, int index);

/// The first frame of a name, or -1.
PV_API int pv_frames_find(const pv_frames *frames, const char *name);

/// Returns where the picture is that the atlas names, its directory in front; "" when it names none that is
/// allowed, for a grid, and for null. Lives as long as the frames.
PV_API const char *pv_frames_get_image_path(const pv_frames *frames);

/// Adds a tag; its name is copied. Earlier pointers to tags are invalid then.
/// @return PV_ERROR_ARGUMENT for null, frames that are not there or a direction that is none; PV_ERROR_MEMORY
PV_API pv_status pv_frames_add_tag(pv_frames *frames, const pv_tag *tag);

/// Returns how many tags there are; 0 for null.
PV_API int pv_frames_get_tag_count(const pv_frames *frames);

/// A tag; null when there is none of that index. Valid until a tag is added.
PV_API const pv_tag *pv_frames_get_tag(const pv_frames *frames, int index);

/// The first tag of a name, or -1.
PV_API int pv_frames_find_tag(const pv_frames *frames, const char *name);

/// Returns how long one round of a tag takes, for a ping-pong there and back [s]; 0 for null or a tag that is none.
/// @param tag its index, or -1 for all frames forward
PV_API double pv_frames_get_duration(const pv_frames *frames, int tag);

/// The frame that is shown at a time, round after round. A frame is shown from its start on, up to its end but
/// not at it; times are rounded to whole nanoseconds.
/// @param tag its index, or -1 for all frames forward
/// @param seconds since the start [s]; below 0 and NaN count as 0, above 1e9 as 1e9
/// @return an index, or -1 for null or a tag that is none
PV_API int pv_frames_get_index_at(const pv_frames *frames, int tag, double seconds);

/** @} */
/** @defgroup tilemaps Tile maps
 *  Layers of tiles as one mask, so that what slides over it meets no edges between tiles. @{ */

/// A tile's turns are in its upper bits, as Tiled has them: first it is mirrored along its falling diagonal (x and y
/// change places), then left to right, then top to bottom.
#define PV_TILE_FLIP_X 0x80000000u
#define PV_TILE_FLIP_Y 0x40000000u        ///< top to bottom
#define PV_TILE_FLIP_DIAGONAL 0x20000000u ///< x and y change places

/// A layer of tiles. All of it is borrowed for the call.
typedef struct pv_tilemap_def {
    int tile_width, tile_height; ///< [px], > 0
    int columns, rows;           ///< > 0; the layer is columns * tile_width x rows * tile_height px
    const uint32_t
        *tiles; ///< columns * rows of them, row by row from the top left: an id, or-ed with flips; 0: none
    pv_mask *const *masks;  ///< by id, masks[0] is not looked at; of a tile's size; null: an empty tile
    int mask_count;         ///< ids are below it
    pv_allocator allocator; ///< makes the mask; zeros: the C library's
} pv_tilemap_def;

/// The mask of a whole layer.
/// @param status null, or where the outcome goes: PV_ERROR_ARGUMENT for a size < 1, an id beyond the masks, a mask of
/// another size, a tile that is flipped diagonally and is no square; sizes as pv_mask_create(), up to 32768 px a side
/// @return a mask with one reference, or null with a status
PV_API pv_mask *pv_tilemap_create_mask(const pv_tilemap_def *def, pv_status *status);

/// The mask of a map as Tiled writes it in JSON (.tmj, .json): orthogonal, of a fixed size, with tilesets that are
/// sheets of tiles of the map's size, in the map's file or in JSON files of their own (.tsj, .json). The mask has the
/// map's size; a layer may be offset, also by its groups, rounded to whole pixels, and what then sticks out of the map
/// is cut off. Tiles are numbers or base64. Not read are visibility, opacity, parallax, transparent
/// colors, the shapes of objects, and pictures of layers.
/// Pictures and tilesets are looked for where the map says, seen from the file that names them: its names may also be
/// absolute, or lead out of the directory by "..". Who loads the maps of strangers has to care what such a name may open;
/// nothing but regular files are read, and of them only a mask comes back.
/// The parser's scratch is the C library's, some 40 bytes for each of the JSON; when malloc() fails in it, that is
/// PV_ERROR_FORMAT. No other thread may change the C locale meanwhile.
/// @param path the map; all its JSON files together up to 16 MiB, each up to the limits' max_file_size
/// @param layer name of the tile layers that are taken, PV_ERROR_ARGUMENT when there are none; null: all tile layers
/// but those with a property "solid" that is false
/// @param options null for the defaults; threshold for the pictures; limits for them and for the sides of the map; the
/// region must be empty. All pictures, tiles and layers together may have 32 times the limits' max_area in pixels, and
/// all tilesets 2^20 tiles; more is PV_ERROR_TOO_LARGE
/// @param status PV_ERROR_FORMAT for anything missing, doubled, of the wrong type, out of range, or cut, and for tiles
/// that no tileset has; PV_ERROR_UNSUPPORTED for compressed tiles, other orientations, infinite maps, tilesets in XML,
/// tiles of another size or with pictures of their own that a layer uses, and when the library was built without
/// libcjson; of files and pictures as pv_image_load()
/// @return as pv_tilemap_create_mask()
PV_API pv_mask *pv_tilemap_load_mask(const char *path, const char *layer, const pv_mask_options *options,
                                     pv_status *status);

/** @} */
/** @defgroup runs Run lengths
 *  Masks as runs of solid pixels: Cheng (2003) section 5.3. @{ */

/// A mask as sorted, disjoint runs of solid pixels per row; cannot be changed.
typedef struct pv_paper_runs pv_paper_runs;

/// Encodes a mask.
/// @param allocator null for the C library's
/// @return runs to give to pv_paper_runs_destroy(), or null with a status
PV_API pv_paper_runs *pv_paper_runs_encode(const pv_mask *mask, const pv_allocator *allocator,
                                           pv_status *status);

/// Decodes to a new mask.
PV_API pv_mask *pv_paper_runs_decode(const pv_paper_runs *runs, const pv_allocator *allocator,
                                     pv_status *status);

/// Frees runs; null is allowed.
PV_API void pv_paper_runs_destroy(pv_paper_runs *runs);

/// Bytes that the runs take in memory; 0 for null.
PV_API size_t pv_paper_runs_get_bytes(const pv_paper_runs *runs);

/// As pv_mask_compute_overlap_area(), both as runs.
PV_API int64_t pv_paper_runs_compute_overlap_area(const pv_paper_runs *a, const pv_paper_runs *b, int dx,
                                                  int dy);

/// As pv_mask_compute_overlap_area(), the first as runs and the second as a mask.
PV_API int64_t pv_paper_runs_compute_overlap_area_mask(const pv_paper_runs *a, const pv_mask *b, int dx,
                                                       int dy);

/** @} */
/** @defgroup canvas Canvas
 *  Draws pictures by the very map that makes collision bitmaps, so picture and collider agree. @{ */

/// A picture to draw on, of the caller's own memory.
typedef struct pv_canvas {
    unsigned char *pixels; ///< R, G, B, A bytes, borrowed
    int width, height;     ///< [px] 0...32768
    ptrdiff_t pitch;       ///< bytes from a row to the one below; at least 4 * width in size
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
PV_API pv_status pv_canvas_draw_line(const pv_canvas *canvas, pv_vec2 from, pv_vec2 to, uint32_t color);

/// Blends a filled disc; a pixel is in it when its center is.
/// @param radius [px] >= 0
PV_API pv_status pv_canvas_draw_circle(const pv_canvas *canvas, pv_vec2 center, double radius, uint32_t color);

/// Blends a straight stroke of some width with round ends.
/// @param width [px] > 0
PV_API pv_status pv_canvas_draw_thick_line(const pv_canvas *canvas, pv_vec2 from, pv_vec2 to, double width,
                                           uint32_t color);

/// Blends a triangle; a pixel is in it when its center is, so triangles that share an edge leave no gap and share no pixel.
/// @param image null: color alone; else the picture that is drawn on it, nearest texel, tinted by color
/// @param corners on the canvas, either way round; rounded to 1/256 px [px]
/// @param texture where they are in the picture, (0, 0)...(1, 1), else its rim; not looked at when image is null
PV_API pv_status pv_canvas_draw_triangle(const pv_canvas *canvas, const pv_image *image,
                                         const pv_vec2 corners[3], const pv_vec2 texture[3], uint32_t color);

/** @} */
/** @defgroup clock Clock
 *  Turns the uneven frames of a game into equal steps. @{ */

/// An accumulator of time. Fill in step and max_steps; leave the rest 0.
typedef struct pv_clock {
    double step;        ///< length of a step [s], > 0
    int max_steps;      ///< steps due at once at most; what is beyond is dropped, so a hiccup stays one
    double accumulator; ///< time not yet stepped, in [0, step) [s]; rest / step is the fraction to draw ahead
} pv_clock;

/// Adds the time since the last call and says how many steps are due.
/// @param clock null gives 0
/// @param elapsed [s]; negative or not finite counts as 0
PV_API int pv_clock_advance(pv_clock *clock, double elapsed);

/** @} */
/** @defgroup world World
 *  Bodies that move and touch.
 *
 *  A world is busy while pv_world_step() moves it, while a query asks about its bodies by pv_query_filter's accept, while
 *  pv_split_fn is told of a part and while pv_world_debug_draw() shows it. In the callbacks of these it can be asked, but not be changed: whatever takes a
 *  pv_world that is not const is refused with PV_ERROR_BUSY before anything else is looked at, pv_world_step() by
 *  PV_STEP_REFUSED, and pv_world_destroy() does nothing. Other worlds can be changed. This holds in the thread of the
 *  callback; no other thread may change the world either, but nothing stops it. A report hook may ask the world, not change
 *  it; an allocator may do neither, and nothing stops it. Callbacks must return: no longjmp(), no exception. @{ */

/// A world; owns all that is created in it.
typedef struct pv_world pv_world;

/// Names a body of one world; all zero names none. A name that outlives its body is noticed.
typedef struct pv_body_id {
    uint32_t index, generation; ///< a slot, and how often it was used
} pv_body_id;

/// How a property of two touching bodies becomes one of the pair.
typedef enum pv_mix {
    PV_MIX_AVERAGE = 0, ///< (a + b) / 2, Cheng (2003) section 4.2
    PV_MIX_GEOMETRIC    ///< sqrt(a * b): 0 wins
} pv_mix;

/// What makes contacts out of pixels.
typedef enum pv_contact_mode {
    PV_CONTACT_MODE_PIXELS =
        0, ///< collision bitmaps, Cheng (2003): what shares a pixel touches, nothing ever shares one
    PV_CONTACT_MODE_CONTOURS ///< sub-pixel contours and distance fields made of the pixels once per mask
} pv_contact_mode;

/// A refused call on a world: which function and why. Called in the thread of the call, for debugging.
typedef void (*pv_report_fn)(void *user_data, const char *function, pv_status status);

/// Whether two bodies meet whose boxes do and whose filters agree. Asked in each step for each such pair of which one is
/// awake, or one a sensor, maybe more than once, in the thread of the step; and by pv_mover_move(). It may ask the world, not
/// change it: PV_ERROR_BUSY. What two runs are to repeat must not depend on anything else than the world and user.
typedef bool (*pv_filter_fn)(void *user_data, const pv_world *world, pv_body_id a, pv_body_id b);

/// What becomes of a contact.
typedef enum pv_presolve_result {
    PV_PRESOLVE_COLLIDE = 0, ///< it presses, by what the contact says
    PV_PRESOLVE_IGNORE,      ///< the two go through each other in this step
    PV_PRESOLVE_IGNORE_UNTIL_SEPARATED ///< and until they touch no more: whoever came in from below is not caught half-way
} pv_presolve_result;

/// Two bodies that are about to touch, or do. Restitution and what follows may be changed and hold for this step.
typedef struct pv_presolve_contact {
    pv_body_id a, b;                  ///< a comes before b in order
    pv_vec2 point;                    ///< where they come together [px]
    pv_vec2 normal;                   ///< from a to b, of length 1
    double speed;                     ///< at which they come together there, < 0 when they part [px/s]
    double separation;                ///< between them, < 0 when they overlap [px]
    bool touching;                    ///< they touched already when the last step ended
    double restitution;               ///< of the pair, 0...1
    double static_friction, friction; ///< of the pair, 0...1e6
    double
        tangent_speed; ///< at which their surfaces run past each other, as that of a body a, |x| <= 1e6 [px/s]
} pv_presolve_contact;

/// Judges a contact before it presses. Asked once a step for each pair that may touch in it, when its contact is found
/// (once a substep by pixels); in the thread of the step and in an order that repeats. Bodies are where the step began, or a part
/// of the step further. Asked by pv_mover_move(), too. It may ask the world, not change it: PV_ERROR_BUSY. Values out of range,
/// and what is no verdict, count as if left alone. What it says of two that sleep holds until they wake.
typedef pv_presolve_result (*pv_presolve_fn)(void *user_data, const pv_world *world,
                                             pv_presolve_contact *approach);

/// A part of a body has fallen off and is a body now: the result is its user_data. Called when all parts of a cut are there, the
/// largest first, by pv_body_carve(), and by pv_world_step() for what broke, when all else of the step is over. The parent's name
/// is stale when nothing is left of it. It may ask the world, not change it: PV_ERROR_BUSY.
typedef void *(*pv_split_fn)(void *user_data, const pv_world *world, pv_body_id parent, pv_body_id child);

/// What a world is made of. Get one from pv_world_def_default().
typedef struct pv_world_def {
    pv_vec2 gravity;              ///< [px/s^2]; default (0, 320)
    pv_contact_mode contact_mode; ///< default contour
    int substeps; ///< per 1/60 s by contours, per step by pixels, 1...64; default 0: 16 by contours, 4 by pixels
    int contact_iterations; ///< impulse rounds per substep by pixels, 1...64; default 16
    int joint_iterations; ///< rounds over all constraints per substep, 1...64; default 0: 1 by contours, 4 by pixels
    double
        joint_time_budget; ///< time of a step that may go into more rounds; runs do not repeat then; default 0 [s]
    pv_mix restitution_mix;           ///< default average
    pv_mix friction_mix;              ///< default average
    double restitution_threshold;     ///< slower approaches do not bounce [px/s]; default 16
    double hit_event_threshold;       ///< faster approaches are told of as hits, >= 0; default 50 [px/s]
    pv_box bounds;                    ///< who leaves it is told of; default: empty, none [px]
    bool enable_sleep;                ///< whether resting islands fall asleep; default true
    pv_filter_fn filter_callback;     ///< null, or asked who meets whom
    void *filter_user_data;           ///< handed to filter
    pv_presolve_fn presolve_callback; ///< null, or asked about contacts
    void *presolve_user_data;         ///< handed to presolve
    pv_split_fn split_callback; ///< null: parts get the user_data of what they fell off; or asked what they get
    void *split_user_data;      ///< handed to split
    pv_allocator allocator;     ///< makes the world and all in it
    pv_report_fn report_callback; ///< null, or called at every refused call
    void *report_user_data;       ///< handed to report
    unsigned cookie;              ///< set by pv_world_def_default()
} pv_world_def;

/// The defaults named above.
PV_API pv_world_def pv_world_def_default(void);

/// Makes an empty world.
/// @param def null for the defaults
/// @return a world to give to pv_world_destroy(), or null with a status
PV_API pv_world *pv_world_create(const pv_world_def *def, pv_status *status);

/// Frees the world and all in it; null is allowed.
PV_API void pv_world_destroy(pv_world *world);

/// Returns what makes all that is in a world, for those who make more beside it; the C library's for null.
PV_API pv_allocator pv_world_get_allocator(const pv_world *world);

/// What a step has to say, or-ed together.
enum {
    PV_STEP_REFUSED = 1, ///< dt was out of range, world null or busy: nothing happened
    PV_STEP_FROZEN =
        2, ///< a body or particle was about to leave the finite numbers and was stopped where it was
    PV_STEP_NO_MEMORY = 4, ///< some contacts were left out for lack of memory; the step finished
};

/// Moves the world on.
/// @param world changed
/// @param dt length of the step, 1e-9...1 [s]; when it differs from the last one's, velocities are kept
/// @return 0, or some of the PV_STEP_ flags
PV_API unsigned pv_world_step(pv_world *world, double dt);

/// Gravity [px/s^2]; (0, 0) for null.
PV_API pv_vec2 pv_world_get_gravity(const pv_world *world);

/// Changes gravity and wakes everything.
PV_API pv_status pv_world_set_gravity(pv_world *world, pv_vec2 gravity);

/// Asks another callback who meets whom, or none: null. What touches already is asked about as well.
PV_API pv_status pv_world_set_filter_callback(pv_world *world, pv_filter_fn filter, void *user_data);

/// Asks another callback about contacts, or none: null.
PV_API pv_status pv_world_set_presolve_callback(pv_world *world, pv_presolve_fn presolve, void *user_data);

/// Asks another callback what parts that fall off get, or none: null.
PV_API pv_status pv_world_set_split_callback(pv_world *world, pv_split_fn split, void *user_data);

/// A digest of every bit of state that the next step depends on; the same on every machine. 0 for null.
PV_API uint64_t pv_world_compute_hash(const pv_world *world);

/// What is in a world.
typedef struct pv_world_stats {
    int bodies;                      ///< living bodies of all types
    int awake;                       ///< dynamic bodies that are awake
    int contacts;                    ///< touching pairs of bodies after the last step
    int particles, joints, polygons; ///< that are there
} pv_world_stats;

/// Counts; all 0 for null.
PV_API pv_world_stats pv_world_get_stats(const pv_world *world);

/// Where the time of the last step went [s]. By the clock of the system, so not the same twice; the world does not heed it.
typedef struct pv_world_profile {
    double pairs;   ///< boxes, which of them meet, and what is known of those pairs
    double collide; ///< contacts found: contours and fields, or collision bitmaps
    double solve;   ///< impulses
    double move;    ///< bodies moved, and stopped where pixels meet
    double matter;  ///< particles, and all that holds them and is made of them
    double sleep;   ///< islands that rest
    double total;   ///< all of the step, with what is none of these
} pv_world_profile;

/// The profile of the last step; zeros before the first and for null.
PV_API pv_world_profile pv_world_get_profile(const pv_world *world);

/// Pixels shared by pairs of bodies of which at least one is dynamic and that meet, which those that constraints join may
/// not, and those not that passed each other in the last step, on exact bitmaps; -1 without memory.
PV_API int64_t pv_world_compute_overlap_area(const pv_world *world);

/** @} */
/** @defgroup materials Material maps
 *  How hard and how dense each pixel of a picture is, a byte each. Reference-counted, and never changed. @{ */

/// Hardness and density by pixel: what a mask says of where it is solid, a map says of how. A pixel of hardness h = 0...255 is
/// 256 / (256 - h) times as tough as one of 0 (see pv_fracture_mode), and stays where a cut is weaker (pv_cut.max_hardness). One of density
/// d weighs d / 255 of what the body's density says, and 1 / 255 at least; mass, center of mass and inertia are of pixels so
/// heavy. A map also says of what a mask's empty pixels will be, when some are put on.
typedef struct pv_material_map pv_material_map;

/// A channel of a picture.
typedef enum pv_channel {
    PV_CHANNEL_NONE = 0, ///< none of them
    PV_CHANNEL_RED,      ///< the first byte of a pixel
    PV_CHANNEL_GREEN,    ///< the second
    PV_CHANNEL_BLUE,     ///< the third
    PV_CHANNEL_ALPHA     ///< the fourth
} pv_channel;

/// A map out of channels of an image, pixel by pixel.
/// @param hardness PV_CHANNEL_NONE: all are of 0
/// @param density PV_CHANNEL_NONE: all are of 255, as without a map
/// @param allocator null for the C library's
/// @return a map with one reference, or null with a status: PV_ERROR_TOO_LARGE beyond 32768 px a side or 2^26 px in all
PV_API pv_material_map *pv_material_map_from_image(const pv_image *image, pv_channel hardness,
                                                   pv_channel density, const pv_allocator *allocator,
                                                   pv_status *status);

/// A map out of bytes, a plane each; both are copied.
/// @param hardness,density null: as without a channel
/// @param width,height [px] 0...32768, 2^26 px at most
/// @param pitch bytes from a row to the one below, of both planes; may be negative
/// @param allocator null for the C library's
/// @return as pv_material_map_from_image()
PV_API pv_material_map *pv_material_map_from_bytes(const void *hardness, const void *density, int width,
                                                   int height, ptrdiff_t pitch, const pv_allocator *allocator,
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
/** @defgroup bodies Bodies
 *  Sprites as two particles joined by a stick. @{ */

/// What moves a body.
typedef enum pv_body_type {
    PV_BODY_STATIC = 0, ///< nothing
    PV_BODY_KINEMATIC,  ///< its own velocity and spin only, as if of infinite mass
    PV_BODY_DYNAMIC     ///< forces and contacts
} pv_body_type;

/// What contacts are made of in place of the pixels: a circle or a box, as in Cheng (2003). For contours only.
typedef enum pv_collider {
    PV_COLLIDER_PIXELS = 0, ///< nothing: the pixels themselves
    PV_COLLIDER_CIRCLE,     ///< a circle of the pixels' area about their centroid
    PV_COLLIDER_BOX         ///< the smallest box that holds the pixels, upright in the picture, turning with it
} pv_collider;

/// Who meets whom: two bodies of the same group other than 0 do if it is positive and do not if it is negative; all others do
/// when each is of a category that the other's mask has.
typedef struct pv_filter {
    uint32_t category_bits, mask_bits; ///< bits: what it is, default 1; whom it meets, default 0xffffffff
    int32_t group_index;               ///< default 0
} pv_filter;

/// What nothing but pv_body_set_position(), _set_velocity() and the like changes of a dynamic body, or-ed together.
enum {
    PV_LOCK_X = 1,       ///< its velocity along x: as if of infinite mass that way
    PV_LOCK_Y = 2,       ///< the same along y
    PV_LOCK_ROTATION = 4 ///< its spin
};

/// Describes a body to be made. Get one from pv_body_def_default(). Its whole mass, given or by density, is 1e-9...1e12.
typedef struct pv_body_def {
    pv_body_type type;       ///< default dynamic
    pv_mask *mask;           ///< its solid pixels, at least one; the body takes a reference of its own
    pv_vec2 position;        ///< of the center of mass [px]
    double angle;            ///< [rad]
    pv_vec2 velocity;        ///< of the center of mass [px/s]
    double angular_velocity; ///< [rad/s]
    double density;          ///< mass of a pixel, with a map of one of density 255, 1e-6...1e6; default 1
    double mass;             ///< the whole mass, in place of density; 0: by density; default 0
    double restitution;      ///< 0...1; default 0.2
    double static_friction;  ///< >= 0; default 0.6
    double friction;         ///< >= 0; default 0.5
    double
        rolling_resistance; ///< >= 0: what rolls is held back by a torque of so much times its load [px]; default 0
    pv_collider
        collider; ///< what contours are made of; default its pixels. The bitmaps judge by its pixels always
    double gravity_scale; ///< its share of the world's gravity, |x| <= 1e3; default 1
    double
        linear_damping; ///< 0...1e6, as a particle's drag: x' = x + (1 - d)(x - x*) + a h^2 with d = min(1, damping * h), so
                        ///< under gravity it gets no faster than g / damping; default 0 [1/s]
    double angular_damping; ///< 0...1e6, the same of its spin; default 0 [1/s]
    unsigned motion_locks;  ///< some of PV_LOCK_; default 0
    double
        tangent_speed; ///< at which its surface runs along its outline, clockwise on the screen, |x| <= 1e6: a conveyor;
                       ///< what is round rolls on it at a third of that, if nothing resists; default 0 [px/s]
    pv_vec2
        one_way_normal; ///< in its picture: it holds what comes from there and lets all else pass until it is
                        ///< through; (0, -1): a platform; default (0, 0): it holds everybody
    pv_vec2 scale;      ///< sizes 1/16...16, mirrored where negative; what its transform draws is solid, and
                        ///< so dense; one_way and surface_speed are not mirrored; default (1, 1)
    bool sensor;        ///< it touches nobody, and the events tell who shares a pixel with it; default false
    bool enabled;       ///< it is not there until pv_body_set_enabled(); default false
    pv_filter filter;   ///< whom it meets; default everybody
    pv_material_map *material_map; ///< how hard and dense its pixels are; the body takes a reference;
                                   ///< default null: all alike
    pv_point material_map_offset;  ///< on the map, what the mask's (0, 0) is on; the mask lies within the map
    void *user_data;               ///< the caller's
    unsigned cookie;               ///< set by pv_body_def_default()
} pv_body_def;

/// The defaults named above.
PV_API pv_body_def pv_body_def_default(void);

/// Puts a body into a world.
/// @return its name, or the null name with a status: PV_ERROR_EMPTY for a mask without solid pixels, PV_ERROR_ARGUMENT also for
/// a map that the mask does not lie within, and for a mass by density out of range
PV_API pv_body_id pv_body_create(pv_world *world, const pv_body_def *def, pv_status *status);

/// Takes a body out; what rested on it wakes.
PV_API pv_status pv_body_destroy(pv_world *world, pv_body_id body);

/// Tells whether two names are the same.
PV_API bool pv_body_equal(pv_body_id a, pv_body_id b);

/// Tells whether the name names a living body.
PV_API bool pv_body_is_valid(const pv_world *world, pv_body_id body);

/// The body after this one in order of creation slots; the first for the null name; the null name at the end.
PV_API pv_body_id pv_world_get_next_body(const pv_world *world, pv_body_id body);

/// The topmost (last in order) body with a solid pixel under a point, or the null name.
PV_API pv_body_id pv_world_pick_body(const pv_world *world, pv_vec2 point);

/* Reading. A stale name gives zeros, (1, 0) for the rotation, null for pointers. */

/// Its type; PV_BODY_STATIC for a stale name.
PV_API pv_body_type pv_body_get_type(const pv_world *world, pv_body_id body);
/// Center of mass [px].
PV_API pv_vec2 pv_body_get_position(const pv_world *world, pv_body_id body);
/// In (-pi, pi] [rad].
PV_API double pv_body_get_angle(const pv_world *world, pv_body_id body);
/// As cosine and sine.
PV_API pv_rotation pv_body_get_rotation(const pv_world *world, pv_body_id body);
/// Of the center of mass [px/s].
PV_API pv_vec2 pv_body_get_velocity(const pv_world *world, pv_body_id body);
/// [rad/s].
PV_API double pv_body_get_angular_velocity(const pv_world *world, pv_body_id body);
/// Of the material at a point of the world [px/s].
PV_API pv_vec2 pv_body_get_velocity_at(const pv_world *world, pv_body_id body, pv_vec2 point);
/// The mass of its pixels, also where the type makes it immovable.
PV_API double pv_body_get_mass(const pv_world *world, pv_body_id body);
/// About the center of mass, of its pixels [mass px^2].
PV_API double pv_body_get_inertia(const pv_world *world, pv_body_id body);
/// Borrowed; lives as long as the body.
PV_API const pv_mask *pv_body_get_mask(const pv_world *world, pv_body_id body);
/// Its map, or null; borrowed, lives as long as the body. Where the body's pixels are on it, pv_body_get_def() says.
PV_API const pv_material_map *pv_body_get_material_map(const pv_world *world, pv_body_id body);
/// From its picture to the world: what to draw it with; pv_transform_identity() for a stale name.
PV_API pv_transform pv_body_get_transform(const pv_world *world, pv_body_id body);
/// All that it is made of, as it is now: a def that makes one like it, with its mask borrowed and its mass given. Without a
/// cookie, so that nothing is made of it, for a stale name.
PV_API pv_body_def pv_body_get_def(const pv_world *world, pv_body_id body);
/// The box of its turned picture [px].
PV_API pv_box pv_body_get_bounds(const pv_world *world, pv_body_id body);
/// Whom it meets; zeros for a stale name.
PV_API pv_filter pv_body_get_filter(const pv_world *world, pv_body_id body);
/// The caller's pointer.
PV_API void *pv_body_get_user_data(const pv_world *world, pv_body_id body);
/// Tells whether it is there; false for a stale name.
PV_API bool pv_body_is_enabled(const pv_world *world, pv_body_id body);
/// Tells whether it is awake; false for static bodies.
PV_API bool pv_body_is_awake(const pv_world *world, pv_body_id body);
/// Positions of the two particles, the second being at position + k * (cos, sin), k = sqrt(inertia / mass):
/// with half the mass each they have the mass, center and inertia of the pixels exactly.
PV_API pv_status pv_paper_body_get_particles(const pv_world *world, pv_body_id body, pv_vec2 particles[2]);

/* Writing. Every one of these wakes the body and what touches it, and returns PV_ERROR_STALE_ID, _NOT_FINITE or
 * _ARGUMENT (out of range) with nothing changed. On a static body velocities and forces are PV_ERROR_ARGUMENT. */

/// Puts it somewhere, keeping velocity and spin. A teleport: nothing in between is hit.
PV_API pv_status pv_body_set_position(pv_world *world, pv_body_id body, pv_vec2 position);
/// Turns it about its center to an angle [rad], keeping velocity and spin.
PV_API pv_status pv_body_set_angle(pv_world *world, pv_body_id body, double angle);

/// Which positions are moved to change a velocity: Cheng (2003) section 2.2.
typedef enum pv_paper_shift {
    PV_PAPER_SHIFT_PREVIOUS = 0, ///< the body stays where it is, its previous positions move: from now on
    PV_PAPER_SHIFT_CURRENT ///< its current positions move too: as if it had been so during the last substep
} pv_paper_shift;

/// Sets the velocity of the center [px/s], keeping the spin.
PV_API pv_status pv_body_set_velocity(pv_world *world, pv_body_id body, pv_vec2 velocity, pv_paper_shift shift);

/// What stays in place when a turn begins: Cheng (2003) section 2.4.
typedef enum pv_paper_about {
    PV_PAPER_ABOUT_CENTER = 0, ///< both particles move, the center keeps its velocity
    PV_PAPER_ABOUT_FIRST,      ///< the second particle goes round the first, which keeps its velocity
    PV_PAPER_ABOUT_SECOND      ///< the first goes round the second
} pv_paper_about;

/// Sets the spin [rad/s]; at most a quarter turn per substep, which is where it is clamped.
PV_API pv_status pv_body_set_angular_velocity(pv_world *world, pv_body_id body, double spin,
                                              pv_paper_about about);

/// A force at the center for the whole next step [mass px/s^2]; forces add up. Cheng (2003) section 2.3.
PV_API pv_status pv_body_apply_force(pv_world *world, pv_body_id body, pv_vec2 force);
/// A force at a point of the world for the whole next step.
PV_API pv_status pv_body_apply_force_at(pv_world *world, pv_body_id body, pv_vec2 force, pv_vec2 point);
/// A torque for the whole next step [mass px^2/s^2].
PV_API pv_status pv_body_apply_torque(pv_world *world, pv_body_id body, double torque);
/// A sudden change of momentum at a point of the world [mass px/s].
PV_API pv_status pv_body_apply_impulse_at(pv_world *world, pv_body_id body, pv_vec2 impulse, pv_vec2 point);

/// Whom it meets from now on.
PV_API pv_status pv_body_set_filter(pv_world *world, pv_body_id body, pv_filter filter);
/// Restitution, static and kinetic friction, in the ranges of pv_body_def.
PV_API pv_status pv_body_set_friction(pv_world *world, pv_body_id body, double restitution,
                                      double static_friction, double kinetic_friction);
/// Returns what moves it from now on. What becomes static loses its velocity.
PV_API pv_status pv_body_set_type(pv_world *world, pv_body_id body, pv_body_type type);
/// Its whole mass, 1e-9...1e12; the inertia changes in proportion.
PV_API pv_status pv_body_set_mass(pv_world *world, pv_body_id body, double mass);
/// Changes its pixels: the next frame of an animation. Places of the picture stay where they are in the world; so do its angle,
/// its scale, its whole mass, and the velocity of its material: that of its center of mass, which may be elsewhere now, is what
/// the old material had there. Inertia follows from the pixels. What then lies in others is pushed out as by
/// contacts, which leaves no velocity; constraints hold on where they did. Its material map lies under the new mask as it did
/// under the old one.
/// @param mask at least one solid pixel at the body's scale; the body takes a reference of its own
/// @param offset the place in the old mask where the new one's pixel (0, 0) comes to lie [px]: (0, 0) for a pv_frame, which has
/// the size of the whole frame; the old pivot less the new one for frames that are to agree at pivots of their own
/// @return PV_ERROR_EMPTY, PV_ERROR_MEMORY or PV_ERROR_TOO_LARGE too, PV_ERROR_ARGUMENT too for a mask that its map does not cover,
/// with nothing changed
PV_API pv_status pv_body_set_mask(pv_world *world, pv_body_id body, pv_mask *mask, pv_vec2 offset);
/// Stretches or mirrors its picture about the middle of its mask, which stays where it is: (-1, 1) turns a character round. The
/// mass of a pixel is kept, so that what is twice as large weighs four times as much, and a mirrored one the same. Material at
/// the middle keeps its velocity, and so does the spin. Constraints hold on to the same place of the picture. The mask keeps
/// what was made for its first few scales, so a flip costs little from the second time on.
/// @param scale sizes 1/16...16, as in pv_body_def
/// @return PV_ERROR_ARGUMENT too where its mass would not be 1e-9...1e12; PV_ERROR_EMPTY where no pixel would be left;
/// PV_ERROR_TOO_LARGE, with a map of densities where its box would be over 2^26 px; else as pv_body_set_mask()
PV_API pv_status pv_body_set_scale(pv_world *world, pv_body_id body, pv_vec2 scale);
/// Its share of gravity, as in pv_body_def.
PV_API pv_status pv_body_set_gravity_scale(pv_world *world, pv_body_id body, double scale);
/// Linear and angular damping, as in pv_body_def [1/s].
PV_API pv_status pv_body_set_linear_damping(pv_world *world, pv_body_id body, double linear, double angular);
/// Some of PV_LOCK_. What it moves at already it keeps: set its velocity, too, to stop it.
PV_API pv_status pv_body_set_motion_locks(pv_world *world, pv_body_id body, unsigned locks);
/// Returns how fast its surface runs, as in pv_body_def [px/s].
PV_API pv_status pv_body_set_tangent_speed(pv_world *world, pv_body_id body, double speed);
/// From where it holds, as in pv_body_def; of any length.
PV_API pv_status pv_body_set_one_way_normal(pv_world *world, pv_body_id body, pv_vec2 direction);
/// Takes it out of the world, with what it is and where, or puts it in again: disabled, it does not move, is not met, found or
/// drawn, and what is joined to it hangs on nothing. The next step's events tell of ended contacts and left sensors.
PV_API pv_status pv_body_set_enabled(pv_world *world, pv_body_id body, bool enabled);
/// Drives a kinematic body so that it is somewhere when the next step, of length dt, ends; after that step it stands still
/// unless it is told again. So it goes along any path and carries what stands on it: step by step the velocity changes as
/// smoothly as that of the path.
/// @param angle where it is turned to, by the shorter way [rad]
/// @param dt length of the next step, 1e-9...1 [s]
/// @return PV_ERROR_ARGUMENT too for a body that is not kinematic, and where it would be faster than a def may ask for
PV_API pv_status pv_body_move_to(pv_world *world, pv_body_id body, pv_vec2 position, double angle, double dt);
/// The caller's pointer.
PV_API pv_status pv_body_set_user_data(pv_world *world, pv_body_id body, void *user_data);
/// Wakes it and what touches it.
PV_API pv_status pv_body_wake(pv_world *world, pv_body_id body);

/// A touching pair after the last step. What bounces off within a step does not touch after it, and what rests does in every
/// step, until it is more than 0.1 px away: so a ground test does not flicker.
typedef struct pv_contact {
    pv_body_id a, b;      ///< a comes before b in order
    pv_vec2 point;        ///< in the world [px]
    pv_vec2 normal;       ///< from a to b, of length 1
    double impulse;       ///< along the normal in the last substep [mass px/s], >= 0
    int64_t overlap_area; ///< pixels that overlapped when it was found
} pv_contact;

/// Copies the contacts of the last step out, in order of the pairs.
/// @param contacts where they go; may be null when capacity is 0
/// @param capacity how many there is room for
/// @return how many there are in all
PV_API int pv_world_get_contacts(const pv_world *world, pv_contact *contacts, int capacity);

/// The same of one body, still in order of the pairs: a is the body in some of them and b in others. Looks at all contacts.
/// 0 for a stale name.
PV_API int pv_body_get_contacts(const pv_world *world, pv_body_id body, pv_contact *contacts, int capacity);

/// Where two bodies touch: one of up to eight places.
typedef struct pv_contact_point {
    pv_vec2 point; ///< in the world [px]
    pv_vec2
        normal; ///< from the first body to the second, of length 1; in a corner they differ from place to place
    double impulse; ///< along the normal in the last substep [mass px/s], >= 0
} pv_contact_point;

/// The places where two bodies touched when the last step ended, of which pv_contact has the mean: who stands in a corner
/// of a level touches its floor and its wall. Else as pv_body_get_contacts(); 0 for two that do not touch.
PV_API int pv_body_get_contact_points(const pv_world *world, pv_body_id a, pv_body_id b,
                                      pv_contact_point *points, int capacity);

/// The bodies that shared a pixel with a sensor when the last step ended, in order of slots; else as pv_body_get_contacts().
PV_API int pv_body_get_sensor_overlaps(const pv_world *world, pv_body_id sensor, pv_body_id *visitors,
                                       int capacity);

/** @} */
/** @defgroup carving Carving
 *  Pixels are taken out of bodies, or put on, while they move; mass, center, inertia and contours follow, and what falls apart
 *  becomes several bodies. @{ */

/// What a cut is.
typedef enum pv_cut_type {
    PV_CUT_CIRCLE = 0, ///< a disc
    PV_CUT_BOX,        ///< an upright box
    PV_CUT_LINE,       ///< a stroke with round ends
    PV_CUT_POLYGON,    ///< what a line around it goes around an odd number of times
    PV_CUT_MASK        ///< the solid pixels of a mask
} pv_cut_type;

/// Which pixels of a body's picture go or come: those of which the center is inside. Get one from pv_cut_circle() and its
/// kind, then change what is to be different. What is out of range makes a cut that is refused, all 0.
typedef struct pv_cut {
    pv_cut_type type;       ///< what it is
    bool local;             ///< its places are the body's picture's; default false: the world's
    bool add;               ///< pixels are put on, within the picture; default false: they are taken away
    pv_vec2 from, to;       ///< center of a circle; opposite corners of a box; ends of a line [px]
    double radius;          ///< of a circle; half the width of a line; >= 0 [px]
    int max_hardness;       ///< pixels harder than that stay, 0...255; default 255: none does
    const pv_vec2 *points;  ///< corners of a polygon, borrowed for the call [px]
    int point_count;        ///< how many, 3...65536
    const pv_mask *mask;    ///< of a mask, borrowed for the call
    pv_transform transform; ///< where that is
    unsigned cookie;        ///< set by the makers
} pv_cut;

/// A disc of the world.
PV_API pv_cut pv_cut_circle(pv_vec2 center, double radius);
/// An upright box of the world.
PV_API pv_cut pv_cut_box(pv_vec2 corner, pv_vec2 opposite);
/// A stroke in the world, of a width [px].
PV_API pv_cut pv_cut_line(pv_vec2 from, pv_vec2 to, double width);
/// A polygon in the world, borrowed until the cut is made.
PV_API pv_cut pv_cut_polygon(const pv_vec2 *points, int count);
/// A sprite somewhere in the world, borrowed until the cut is made.
PV_API pv_cut pv_cut_mask(const pv_mask *mask, const pv_transform *transform);

/// What became of a cut.
typedef struct pv_carve_result {
    int64_t pixel_count; ///< how many went, or came
    pv_rect rect;        ///< around them, in the picture; empty when there are none
    pv_vec2 center;      ///< the mean of their centers, in the world [px]; (0, 0) when there are none
    int body_count;      ///< bodies that there are now: 0 when nothing is left of it, 1, or more
    int64_t
        debris_pixels; ///< pixels of parts that were too small to be bodies, and vanished or became particles
    int debris_particles; ///< that crumbs became
} pv_carve_result;

/// Takes pixels out of a body, or puts some on. The mass of a pixel, the angle and the velocity of every pixel that is there
/// before and after stay, but nothing weighs less than 1e-9; mass, center of mass and inertia follow, and the picture stays where it is in the world. Its mask
/// becomes its own when it is first changed: others that share it keep theirs. What falls apart becomes several bodies, of
/// which the one of the most pixels keeps the name; pv_body_set_fracture() says how. When nothing is left the body is
/// destroyed. It wakes, and with it what rests on it; a cut
/// that meets none of its pixels changes nothing.
/// @param carved null, or gets what became of it
/// @return PV_ERROR_ARGUMENT for a null pointer, a cut that did not come from its makers, a radius < 0, a strength that is none, too few or many
/// corners,
/// PV_ERROR_NOT_FINITE, PV_ERROR_STALE_ID, PV_ERROR_BUSY in callbacks, PV_ERROR_MEMORY, with nothing changed
PV_API pv_status pv_body_carve(pv_world *world, pv_body_id body, const pv_cut *cut, pv_carve_result *carved);

/// What a hit does to a body that it breaks, when the step is over. Hits are those that pv_events tells of, so slower ones than
/// the world's hit_speed break nothing, and neither does what rests or presses. Each hit counts by itself, in their order. With a
/// map nothing breaks but by an impulse over the toughness of the very pixel that is struck.
typedef enum pv_fracture_mode {
    PV_FRACTURE_CHIP =
        0, ///< knocks out the pixels within 2 px * sqrt(impulse / toughness - 1) of the one that was struck, but
    ///< within 2 px at least and 16 px at most; they are crumbs. With a map the toughness is each pixel's own, and
    ///< those that are tougher than the impulse stay
    PV_FRACTURE_CRACK ///< cuts through the body, some 2 px wide, by the shortest way through a place 2 px inside of what was
    ///< struck; of 16 directions, those within 60 degrees of the hit's normal are looked at. With a map the
    ///< way is as long as it is tough, and pixels tougher than the impulse stay
} pv_fracture_mode;

/// How a body falls apart. Get one from pv_fracture_def_default(). What falls off inherits it.
typedef struct pv_fracture_def {
    pv_connectivity connectivity; ///< which pixels hold on to each other; default PV_CONNECTIVITY_4
    int min_part_pixels;          ///< parts of fewer pixels are crumbs, >= 1; default 12
    bool spawn_debris;            ///< crumbs become particles of their mass; default false: they vanish
    bool keep_static; ///< parts of a static body stay static where they are; default false: they are dynamic
    double
        toughness; ///< impulse of a hit in one step above which it breaks, with a map where its hardness is 0, >= 0;
                   ///< default 0: never [mass px/s]
    pv_fracture_mode mode; ///< how it does then; default chip
    unsigned cookie;       ///< set by pv_fracture_def_default()
} pv_fracture_def;

/// The defaults named above.
PV_API pv_fracture_def pv_fracture_def_default(void);

/// Returns how a body falls apart from now on.
/// @return PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE, PV_ERROR_STALE_ID, PV_ERROR_BUSY, with nothing changed
PV_API pv_status pv_body_set_fracture(pv_world *world, pv_body_id body, const pv_fracture_def *fracture);

/// Returns how a body falls apart; without a cookie for a stale name.
PV_API pv_fracture_def pv_body_get_fracture(const pv_world *world, pv_body_id body);

/** @} */
/** @defgroup events Events
 *  What happened in the last step. @{ */

/// Two bodies that touch since, or no more; a comes before b in order.
typedef struct pv_contact_event {
    pv_body_id a, b; ///< in order
} pv_contact_event;

/// Two bodies that hit each other: they came together faster than the world's hit_speed.
typedef struct pv_hit_event {
    pv_body_id a, b; ///< a comes before b in order
    pv_vec2 point;   ///< on the surface of the heavier one, where it is after the step [px]
    pv_vec2 normal;  ///< from a to b, of length 1
    double speed;    ///< at which they came together along the normal [px/s]
    double impulse;  ///< along the normal, of all the step [mass px/s]
} pv_hit_event;

/// A body that shares a pixel with a sensor since, or no more.
typedef struct pv_sensor_event {
    pv_body_id sensor, visitor; ///< who has gone may have a stale name
} pv_sensor_event;

/// A part that fell off a body and is a body of its own.
typedef struct pv_split_event {
    pv_body_id parent, child; ///< either may be stale by now
    int x, y;                 ///< where the child's pixel (0, 0) was in the parent's picture [px]
} pv_split_event;

/// A body of which pixels were carved, stamped or lost since the step before: a renderer has to draw that part anew. Of a part
/// that fell off it is the whole picture.
typedef struct pv_dirty_rect {
    pv_body_id body; ///< alive
    pv_rect rect;    ///< around all that changed, in its picture [px]
} pv_dirty_rect;

struct pv_joint_break_event; /* with the constraints */

/// A body that something kinematic presses against what does not give way, so that both are in it. It is told in each step while
/// that lasts and it is awake: a game can break it, kill it or stop the press. It gets hardly faster than what presses.
typedef struct pv_crush {
    pv_body_id body; ///< what is crushed: dynamic
    pv_body_id
        by; ///< the kinematic body that presses, itself or by others in between; (0, 0) when it did not in this step
    pv_body_id a; ///< who touches it and is deepest in it
    pv_body_id b; ///< who is on the other side; (0, 0) when nobody touches it there
    double depth; ///< how deep both are in it, one and the other: what it lacks of room [px]
    bool begins;  ///< it was not crushed in the step before
} pv_crush;

/// What happened, each kind in order of slots. What was destroyed since the step before is told of, too, where something ended
/// by it; its name is stale then.
typedef struct pv_events {
    const pv_contact_event *contact_begins,
        *contact_ends;        ///< contacts; what bounced off within the step is in both
    const pv_hit_event *hits; ///< bodies that came together faster than hit_speed
    const pv_sensor_event *sensor_begins,
        *sensor_ends; ///< visits, by the exact pixels after the step; what flew through within it is in both
    const pv_body_id *sleeps,
        *wakes; ///< dynamic and kinematic bodies that fell asleep, or woke, since the step before; all are
                ///< awake when they are made, and what slept when it was disabled wakes when it is enabled
    const pv_body_id
        *out_of_bounds; ///< dynamic and kinematic bodies of which the box has left the world's bounds
    const struct pv_joint_break_event *
        joint_breaks; ///< constraints that broke, in order of slots within each substep; then those let go by carving since the step before
    const pv_split_event *splits;     ///< parts that fell off since the step before, the first first
    const pv_dirty_rect *dirty_rects; ///< pictures that changed since the step before, one a body
    const pv_crush *crushes;    ///< bodies that are crushed, by 1 px at least when it begins; by contours only
    const pv_body_id *releases; ///< bodies that were crushed in the step before, and are not any more
    int contact_begin_count, contact_end_count, hit_count, sensor_begin_count, sensor_end_count, sleep_count,
        wake_count, out_of_bounds_count, joint_break_count, split_count, dirty_rect_count, crush_count,
        release_count; ///< how many there are of each
} pv_events;

/// The events of the last step: the arrays belong to the world and are good until its next step. Without memory some are left
/// out, and the step says so by PV_STEP_NO_MEMORY. All empty for null.
PV_API pv_events pv_world_get_events(const pv_world *world);

/** @} */
/** @defgroup snapshots Snapshots
 *  The whole state of a world as bytes: to go back a few steps and step on with other inputs, to store and to send. @{ */

/* A restored world steps on bit for bit as the saved one did, on any machine. Saved is all that a step depends on, with the def's
 * numbers, and the events of the last step; not the callbacks and the allocator. Names stay good, also those of what was
 * destroyed since. Bytes are little-endian, with a version and a digest. */

/// What a snapshot is to hold, or-ed together.
enum {
    PV_SNAPSHOT_PIXELS =
        1 ///< the masks' pixels, so that it can be restored elsewhere; else only which masks they are
};

/// Bytes that pv_world_save() will write if nothing changes; 0 when it would refuse.
PV_API size_t pv_world_get_snapshot_size(pv_world *world, unsigned flags);

/// Writes a snapshot. Without pixels the world keeps a reference to every mask that it names, until
/// pv_world_discard_snapshots(). The caller's pointers are written as they are.
/// @param world unchanged but for that
/// @param flags some of PV_SNAPSHOT_
/// @param buffer the caller's, capacity bytes
/// @param size null, or gets how many are used, or would have been
/// @return PV_ERROR_TOO_LARGE when capacity is not enough, with the buffer spoilt; PV_ERROR_ARGUMENT, _MEMORY, _BUSY
PV_API pv_status pv_world_save(pv_world *world, unsigned flags, void *buffer, size_t capacity, size_t *size);

/// Puts a world into the state of a snapshot: one of its own, or of a world that has named the same masks in the same order, or one
/// with pixels of any world. Memory is taken for the new state before that of the old one is given back.
/// @param world changed wholly, or not at all
/// @param buffer what pv_world_save() wrote
/// @return PV_ERROR_FORMAT for anything else, also for masks that were forgotten or are others; PV_ERROR_MEMORY, _BUSY,
/// _ARGUMENT
PV_API pv_status pv_world_restore(pv_world *world, const void *buffer, size_t size);

/// Gives masks back that no body has any more: earlier snapshots without pixels that name them cannot be restored then.
PV_API pv_status pv_world_discard_snapshots(pv_world *world);

/** @} */
/** @defgroup world_queries World queries
 *  Which bodies a place, a shape or a way meets, by their exact pixels. @{ */

/* Bodies are asked where they are now, as pv_body_get_transform() says, whatever moved them there, asleep or awake; what
 * stands in for a body's pixels in contacts does not count. The world is only read and gives no memory, so any number of
 * threads may ask at once between two steps, while none changes the world. A call looks at bodies around the place or the
 * way, however many are elsewhere, but in a callback of a step at all; pixels are looked at where boxes meet. The answers
 * come in a fixed order, the same on every machine.
 *
 * Each copies the first capacity answers out and returns how many there are in all; for want of an array capacity counts
 * as 0, and so does a negative one. For a null world the answer is 0; so it is, with the world's report hook called, for
 * numbers that are not finite (PV_ERROR_NOT_FINITE), places beyond PV_MAX_COORDINATE and what else is out of its range
 * (PV_ERROR_ARGUMENT). Nothing is written then. */

/// Which bodies a query is about; null instead of one: all but sensors. What is disabled is never found.
typedef struct pv_query_filter {
    uint32_t mask_bits; ///< bodies of which the category shares a bit with it; 0 finds nothing
    /// Null, or whether a body of such a category counts. Asked once at most in a query, in order of slots, of bodies
    /// whose boxes meet and before their pixels are looked at. Called in the thread of the query, it may ask the world, not
    /// change it: PV_ERROR_BUSY.
    bool (*accept)(void *user_data, pv_body_id body);
    void *user_data;      ///< handed to accept
    bool include_sensors; ///< sensors count, too
} pv_query_filter;

/// The bodies with a solid pixel under a point, in order of slots: pv_placed_test_point().
/// @param point [px]
/// @param filter null for all bodies
/// @param bodies where they go; may be null when capacity is 0
/// @param capacity how many there is room for
/// @return how many there are in all
PV_API int pv_world_query_point(const pv_world *world, pv_vec2 point, const pv_query_filter *filter,
                                pv_body_id *bodies, int capacity);

/// The bodies with a solid pixel in an upright box: pv_placed_test_box(); else as pv_world_query_point().
/// @param box [px]; max < min is out of range, and one without an area meets nothing
PV_API int pv_world_query_box(const pv_world *world, pv_box box, const pv_query_filter *filter,
                              pv_body_id *bodies, int capacity);

/// The bodies with a solid pixel in a disc: pv_placed_test_circle(); else as pv_world_query_point().
/// @param radius [px] 0...PV_MAX_COORDINATE; 0 meets nothing
PV_API int pv_world_query_circle(const pv_world *world, pv_vec2 center, double radius,
                                 const pv_query_filter *filter, pv_body_id *bodies, int capacity);

/// The bodies that share a pixel of the world with a placed mask: pv_placed_test_overlap(); else as pv_world_query_point().
/// @param placed borrowed for the call; refused as by pv_placed_check()
PV_API int pv_world_query_mask(const pv_world *world, const pv_placed *placed, const pv_query_filter *filter,
                               pv_body_id *bodies, int capacity);

/// Returns how far a point is from the contour of a body, by the field that contacts are made by: good to 0.3 px within 4 px of the
/// contour. Where it is farther, only that is told: some number beyond 3.7 px, inside no more than 8 px. In a world of pixel
/// contacts the contour is that of the mask and made at the first call.
/// @param point [px]
/// @param distance gets it, < 0 inside [px]
/// @param normal null, or gets the way out of the body, of length 1; (0, 0) where the field does not tell
/// @return PV_ERROR_STALE_ID, PV_ERROR_NOT_FINITE, PV_ERROR_ARGUMENT beyond PV_MAX_COORDINATE, PV_ERROR_MEMORY; with nothing written
PV_API pv_status pv_body_compute_distance(const pv_world *world, pv_body_id body, pv_vec2 point,
                                          double *distance, pv_vec2 *normal);

/// Which of the bodies on a way are wanted.
typedef enum pv_cast_mode {
    PV_CAST_CLOSEST = 0, ///< the first on the way; of several at once that of the lowest slot
    PV_CAST_ANY, ///< the one of the lowest slot, wherever on the way: whether there is one, sooner known
    PV_CAST_ALL  ///< all, the first on the way first, and in order of slots those at the same fraction
} pv_cast_mode;

/// A body on a way.
typedef struct pv_cast_hit {
    pv_body_id body; ///< who is met
    double fraction; ///< of the way, 0...1
    pv_vec2 point;   ///< in the world [px]
    pv_vec2 normal;  ///< out of the body, of length 1; (0, 0) for a ray that starts inside
} pv_cast_hit;

/// The bodies that a straight way meets: pv_placed_cast_segment(). Normals are those of the pixels' edges; for a body in which
/// the way starts the fraction is 0, the point from and the normal (0, 0). Bodies that it leaves and enters again count
/// once.
/// @param from,to [px]; may be equal: then as pv_world_query_point()
/// @param cast which of them; by closest and any there is one at most
/// @param filter null for all bodies
/// @param hits where they go; may be null when capacity is 0
/// @param capacity how many there is room for
/// @return how many there are in all
PV_API int pv_world_cast_ray(const pv_world *world, pv_vec2 from, pv_vec2 to, pv_cast_mode cast,
                             const pv_query_filter *filter, pv_cast_hit *hits, int capacity);

/// The bodies that a mask meets on its way, on exact bitmaps: pv_swept_cast(), with its limits. The fraction is the last pose
/// that is free, and there pv_swept_get_transform() puts the mask; point and normal are those of the pixels shared at the touch, no
/// rim having moved more than 1/64 px since. A body that it overlaps from the start has fraction 0. Where the shared pixels
/// leave the normal open, the allocator of the body's mask may be asked for memory, as pv_placed_compute_overlap() does.
/// @param moving borrowed for the call; refused as by pv_swept_cast()
/// @return as pv_world_cast_ray()
PV_API int pv_world_cast_mask(const pv_world *world, const pv_swept *moving, pv_cast_mode cast,
                              const pv_query_filter *filter, pv_cast_hit *hits, int capacity);

/** @} */
/** @defgroup mover Mover
 *  Platform characters: a mask that walks, climbs, falls and is carried among the bodies of a world, by their exact pixels. @{ */

/* A mover is a plain value of the caller; the world knows nothing of it. It is always upright. It stands on and is stopped by
 * bodies of all types that their filters let it meet, but not by sensors, what is disabled, particles and polygons. Its position
 * is a real number, its pixels are where pv_mover_get_transform() draws them, and between two calls it shares none with what can hold
 * it, unless it is crushed.
 *
 * pv_mover_move() asks the world's filter and presolve about what may hold the mover. They are told the name of its body, or the
 * null name, which comes before all others. They may be asked more than once. Of what presolve says its verdict alone counts.
 * The speed is that of the move that the game asks for; the gap is 0, or -1 where the two share pixels already.
 *
 * Move it once a step: best after the step, then all lies as it is drawn. The game owns gravity, jumps, and when one is still
 * or already allowed: it hands in a velocity, and goes on with what is left of it.
 *
 *     pv_world_step(world, dt);
 *     velocity = (pv_vec2){150 * right - 150 * left, hero.velocity.y + 900 * dt};
 *     if (jump && hero.grounded) velocity.y = hero.ground_velocity.y - 350; // and so with x, where that is kept in the air
 *     pv_mover_move(world, &hero, velocity, dt); */

/// A platform character. Get one from pv_mover_default().
typedef struct pv_mover {
    /* the game's, to change at any time */
    const pv_mask
        *mask;        ///< borrowed; null: that of body. Another frame of a sprite comes with a pivot of its own
    pv_vec2 pivot;    ///< in the mask, for example between the feet; default (0, 0) [px]
    pv_vec2 position; ///< where the pivot is in the world [px]
    /// The null name, or a kinematic body that is driven so that its picture begins where the mask does: others meet that, by
    /// its own filter, and it does not stop the mover; default: none.
    pv_body_id body;
    pv_filter filter; ///< whom it meets without a body; default everybody
    int step_height; ///< how far it climbs for each px that it goes to a side: slopes and stairs, 0...64; default 4 [px]
    int ground_snap;   ///< how far it follows the ground down for each, 0...64; default 4 [px]
    int max_push_out;  ///< how far it is pushed out of what has moved into it, 0...64; default 16 [px]
    bool drop_through; ///< it goes through one-way bodies; default false
    /// The steepest ground that it stands on and climbs, measured over 8 px to both sides; on steeper it slides. 0...pi/2; default
    /// pi/2: all that step allows [rad]
    double max_slope;
    /// Time that it is crushed before it is put to the nearest free place, farther than push. 0...1e12; default 0.25 [s]
    double escape_delay;
    double push_force; ///< of its pushes against dynamic bodies at its sides, 0...1e12; default 0 [mass px/s^2]
    double mass;       ///< with which it loads dynamic bodies that it stands on, 0...1e12; default 0

    /* what the last move came to */
    pv_vec2 velocity; ///< what is left of the velocity; where it is grounded, beside the ground's [px/s]
    bool grounded;    ///< it does not rise, beside the ground, and something holds it from below
    bool hit_ceiling; ///< stopped above
    bool hit_wall_left, hit_wall_right; ///< stopped at a side, by what is too high to climb
    bool sliding; ///< on what is steeper than max_slope, and not grounded: velocity.y is its speed downwards
    bool crushed; ///< it shares pixels with what holds it, and there is no way out: it did not go
    bool crush_began, crush_ended; ///< in this move
    double crush_time;             ///< for how long it has been crushed; 0 when it is not [s]
    pv_body_id ground;             ///< what it stands on; the null name in the air
    pv_body_id wall;               ///< what stopped it at a side, or the null name
    pv_vec2 ground_normal;         ///< of the ground as it is walked on, of length 1; (0, -1) in the air
    pv_vec2 ground_velocity;       ///< of the ground's surface under it [px/s]
    pv_vec2 ground_point;          ///< where it stands on the ground [px]

    pv_vec2 ground_local_point; ///< that point in the ground's own rotation, from its center [px]
    pv_body_id passing[4];      ///< what it goes through until apart
    unsigned cookie;            ///< set by pv_mover_default()
} pv_mover;

/// The defaults named above, in the air.
PV_API pv_mover pv_mover_default(void);

/// Moves a mover on, pixel by pixel.
///
/// First what it stands on takes it along: by what the point that it stands on has moved since the last call, whatever moved
/// that, up to 256 px, stopped by walls; and by what its surface runs to a side (pv_body_def.tangent_speed). Then it is pushed out
/// of what has moved into it, along one of eight directions. Without a way out it is crushed, but one-way bodies let it through.
/// A crushed mover stands still, and what it shares pixels with neither holds nor carries it. After escape_delay it is put to the
/// nearest free place: up to 64 px away, or the larger of its sides if that is more, but no more than 128 px. The way there leads
/// through what it shares pixels with, dynamic bodies and one-way ones, and through no others. Else it goes by velocity * dt, near the straight line: to the
/// sides up and down slopes and stairs at the same speed, in the air up a ledge of step px and down under a sloping ceiling, too.
/// Off a ledge it falls for all of the step. What holds it stops it along that axis alone. A one-way body holds it where it comes
/// against its front by less than 60 degrees, not sharing a pixel with it before, and as a step to climb on; one that rises into
/// it lifts it.
///
/// What it pushes is accelerated up to its own speed, in the next step. Its body goes with it as by pv_body_move_to() for the next
/// step, of length dt; if the two are more than 1 px apart, the body is put to where the mover was at first. With a body it keeps
/// half a pixel from dynamic bodies at its sides and a quarter from those under it: the body presses them by no rounding.
/// @param world changed by forces, and by its body's motion
/// @param mover changed; its position may have been set anywhere, best with grounded set to false
/// @param velocity beside that of the ground that it stands on [px/s]
/// @param dt 1e-9...1 [s]; velocity * dt goes up to 4096 px along each axis
/// @return PV_ERROR_ARGUMENT, also for a body that is not kinematic and for neither mask nor body, PV_ERROR_NOT_FINITE,
/// PV_ERROR_EMPTY for a mask of no size, PV_ERROR_STALE_ID for its body (a stale ground is none), PV_ERROR_BUSY within a callback,
/// with the mover unchanged
PV_API pv_status pv_mover_move(pv_world *world, pv_mover *mover, pv_vec2 velocity, double dt);

/// Returns what to draw it with: mask at position. The default transform for null; what is not finite stays so.
PV_API pv_transform pv_mover_get_transform(const pv_mover *mover);

/** @} */
/** @defgroup particles Particles
 *  Points with mass, moved by position Verlet (Jakobsen 2001) in the same world as the sprites. They and bodies
 *  hit each other both ways. A body's running surface draws them along, its one-way side holds those that come from
 *  there and lets all others through until they are out. @{ */

/// Names a particle of one world; all zero names none.
typedef struct pv_particle_id {
    uint32_t index, generation; ///< a slot, and how often it was used
} pv_particle_id;

/// What a particle does when it hits something fast. All of them conserve momentum, linear and angular; restitution
/// tells how much of the approach comes back.
typedef enum pv_bounce {
    PV_BOUNCE_TOUCH = 0, ///< back to the touch, turned round there, and on for the rest of the substep
    PV_BOUNCE_SWAP,    ///< current and previous position change places: it leaves from where the substep began
    PV_BOUNCE_REFLECT, ///< previous = 2 current - previous: it leaves from where it is, in the next substep;
                       ///< what came in deeper than its radius does as by touch
    PV_BOUNCE_NONE     ///< moved out of what it hit: it loses its approach by itself
} pv_bounce;

/// What a particle is made of. Get one from pv_particle_def_default().
typedef struct pv_particle_def {
    pv_vec2 position; ///< [px]
    pv_vec2 velocity; ///< [px/s]
    double mass;      ///< 1e-9...1e12, or 0: pinned, moved by nothing but pv_particle_set_position(); default 1
    double radius;    ///< 0...256; within 4 px of a sprite exact; default 1 [px]
    double
        linear_damping; ///< >= 0: x' = (2 - d) x - (1 - d) x* + a h^2 with d = min(1, drag * h); default 0 [1/s]
    double restitution;     ///< 0...1; default 0
    double static_friction; ///< >= 0; default 0.6
    double friction;        ///< >= 0; default 0.5
    pv_bounce bounce;       ///< default touch
    bool collides;          ///< goes through everything; default false
    pv_filter filter;       ///< which bodies and polygons it meets, as bodies do; default everybody
    void *user_data;        ///< the caller's
    unsigned cookie;        ///< set by pv_particle_def_default()
} pv_particle_def;

/// The defaults named above.
PV_API pv_particle_def pv_particle_def_default(void);

/// Puts a particle into a world.
/// @return its name, or the null name with a status
PV_API pv_particle_id pv_particle_create(pv_world *world, const pv_particle_def *def, pv_status *status);

/// Takes a particle out, with the constraints, polygons and liquids that hold it.
PV_API pv_status pv_particle_destroy(pv_world *world, pv_particle_id particle);

/// Tells whether the name names a living particle.
PV_API bool pv_particle_is_valid(const pv_world *world, pv_particle_id particle);

/// The particle after this one in order of slots; the first for the null name; the null name at the end.
PV_API pv_particle_id pv_world_get_next_particle(const pv_world *world, pv_particle_id particle);

/// The nearest particle within reach of a point, by its center, or the null name.
/// @param reach [px] >= 0; infinity: of all
PV_API pv_particle_id pv_world_pick_particle(const pv_world *world, pv_vec2 point, double reach);

/* Reading. A stale name gives zeros and null. */

/// [px]
PV_API pv_vec2 pv_particle_get_position(const pv_world *world, pv_particle_id particle);
/// Returns where it was one substep before [px].
PV_API pv_vec2 pv_particle_get_previous_position(const pv_world *world, pv_particle_id particle);
/// (current - previous) / substep [px/s].
PV_API pv_vec2 pv_particle_get_velocity(const pv_world *world, pv_particle_id particle);
/// 0 when it is pinned.
PV_API double pv_particle_get_mass(const pv_world *world, pv_particle_id particle);
/// [px]
PV_API double pv_particle_get_radius(const pv_world *world, pv_particle_id particle);
/// Whom it meets; zeros for a stale name.
PV_API pv_filter pv_particle_get_filter(const pv_world *world, pv_particle_id particle);
/// The caller's pointer.
PV_API void *pv_particle_get_user_data(const pv_world *world, pv_particle_id particle);

/* Writing: PV_ERROR_STALE_ID, _NOT_FINITE or _ARGUMENT (out of range) with nothing changed. */

/// Puts it somewhere, keeping its velocity. A teleport: nothing in between is hit. A pinned one gets no velocity.
PV_API pv_status pv_particle_set_position(pv_world *world, pv_particle_id particle, pv_vec2 position);
/// Moves the current position alone, so that it gets the velocity of that way as well.
PV_API pv_status pv_particle_displace(pv_world *world, pv_particle_id particle, pv_vec2 by);
/// [px/s]; PV_ERROR_ARGUMENT for a pinned one, as for forces and impulses.
PV_API pv_status pv_particle_set_velocity(pv_world *world, pv_particle_id particle, pv_vec2 velocity);
/// 1e-9...1e12; 0 pins it where it is.
PV_API pv_status pv_particle_set_mass(pv_world *world, pv_particle_id particle, double mass);
/// In the ranges of pv_particle_def.
PV_API pv_status pv_particle_set_friction(pv_world *world, pv_particle_id particle, double restitution,
                                          double static_friction, double kinetic_friction);
/// [1/s]
PV_API pv_status pv_particle_set_linear_damping(pv_world *world, pv_particle_id particle, double drag);
/// Whom it meets from now on; what is near it wakes. Corners of a polygon meet whom the polygon meets.
PV_API pv_status pv_particle_set_filter(pv_world *world, pv_particle_id particle, pv_filter filter);
/// A force for the whole next step [mass px/s^2]; forces add up.
PV_API pv_status pv_particle_apply_force(pv_world *world, pv_particle_id particle, pv_vec2 force);
/// A sudden change of momentum [mass px/s].
PV_API pv_status pv_particle_apply_impulse(pv_world *world, pv_particle_id particle, pv_vec2 impulse);
/// The caller's pointer.
PV_API pv_status pv_particle_set_user_data(pv_world *world, pv_particle_id particle, void *user_data);

/** @} */
/** @defgroup constraints Constraints
 *  What holds particles, bodies and the world together. Each is satisfied by moving its ends along the directions
 *  that they had when the substep began (SHAKE, Ryckaert, Ciccotti and Berendsen 1977), shared by their effective
 *  inverse masses: momentum is conserved, linear and angular, and spins do not decay. Stiffness is that of XPBD
 *  (Macklin, Mueller and Chentanez 2016), so it does not depend on the number of relaxations. Joints of bodies are solved
 *  together (docs/MATTER.md): light ones bear loads of 1000 times their mass. @{ */

/// Names a constraint of one world; all zero names none.
typedef struct pv_joint_id {
    uint32_t index, generation; ///< a slot, and how often it was used
} pv_joint_id;

/// Names a polygon of one world; all zero names none.
typedef struct pv_polygon_id {
    uint32_t index, generation; ///< a slot, and how often it was used
} pv_polygon_id;

/// An end of a constraint: a particle, a point of a body or of a polygon, or a point of the world.
typedef struct pv_anchor {
    pv_particle_id particle; ///< where it names one, that
    pv_body_id body;         ///< else, where it names one, the material of that body at point
    pv_polygon_id
        polygon; ///< else, where it names one, the material of that polygon at point, borne by three of its corners
    pv_vec2 point; ///< in the world when the constraint is made [px]; of a particle it is not heeded
} pv_anchor;

/* These put together what pv_joint_create() and the like will judge, and judge nothing themselves. */

/// An anchor on a particle.
PV_API pv_anchor pv_anchor_particle(pv_particle_id particle);
/// An anchor on the material of a body that is at a point of the world now.
PV_API pv_anchor pv_anchor_body(pv_body_id body, pv_vec2 point);
/// The same on a polygon; points beside it go with it as well.
PV_API pv_anchor pv_anchor_polygon(pv_polygon_id polygon, pv_vec2 point);
/// An anchor on a point of the world.
PV_API pv_anchor pv_anchor_world(pv_vec2 point);

/// What a constraint keeps as it is.
typedef enum pv_joint_type {
    PV_JOINT_DISTANCE = 0, ///< the anchors are length apart; with stiffness and damping a spring
    PV_JOINT_ROPE,         ///< at most length apart
    PV_JOINT_STRUT,        ///< at least length apart
    PV_JOINT_PIN,          ///< the anchors are at one place; of two bodies that is a hinge
    PV_JOINT_WELD,         ///< as a pin, and b's body does not turn relative to a's
    PV_JOINT_ANGLE_LIMIT,  ///< the angle of b's body less that of a's, 0 when it is made, is within low...high
    PV_JOINT_MOTOR,        ///< b's body turns at speed relative to a's
    PV_JOINT_SLIDER,       ///< b's anchor is on the line through a's along axis, which turns with a's body,
                           ///< low...high from where it is when it is made; two bodies do not turn relative
    PV_JOINT_MOUSE         ///< a's anchor is drawn to b's, a point of the world that may be moved: a mouse
} pv_joint_type;

/// What a constraint is made of. Get one from pv_joint_def_default().
typedef struct pv_joint_def {
    pv_joint_type type; ///< default stick
    pv_anchor a, b;     ///< not both of the world; angle and motor: a body each, or the world for one
    double length;      ///< of stick, rope and strut; < 0: as far as they are apart now; default -1 [px]
    double
        stiffness; ///< of all but motor; 0: rigid; else 1e-200...1e12; default 0 [mass/s^2], of angles [mass px^2/s^2]
    double damping;      ///< beside stiffness; default 0 [mass/s], of angles [mass px^2/s]
    double lower, upper; ///< of angle [rad] and slider [px], low <= high; defaults without bound
    pv_vec2 axis;        ///< of slider: direction in the world when it is made, of any length but 0
    double motor_speed;  ///< of motor [rad/s]
    double max_force;    ///< it never gives more; 0: no bound; default 0 [mass px/s^2], torques [mass px^2/s^2]
    double break_force;  ///< it breaks when it would have to give more; 0: never; default 0
    bool
        collide_connected; ///< whether bodies that it joins meet each other, too, and bodies and polygons what is pinned to them;
                           ///< default false
    bool
        keep_when_carved; ///< whether it stays when the pixels that an anchor is on are carved away; else it is let go;
                          ///< default false
    void *user_data; ///< the caller's
    unsigned cookie; ///< set by pv_joint_def_default()
} pv_joint_def;

/// The defaults named above.
PV_API pv_joint_def pv_joint_def_default(void);

/// Joins two anchors.
/// @return its name, or the null name with a status: PV_ERROR_STALE_ID when an anchor names nothing that lives,
/// PV_ERROR_ARGUMENT for a stick of length 0 (that is a pin), two ends that are the same, and what is out of range
PV_API pv_joint_id pv_joint_create(pv_world *world, const pv_joint_def *def, pv_status *status);

/// Takes it out. Constraints go with the particles and bodies that they hold, too.
PV_API pv_status pv_joint_destroy(pv_world *world, pv_joint_id constraint);

/// Tells whether the name names a living constraint.
PV_API bool pv_joint_is_valid(const pv_world *world, pv_joint_id constraint);

/// The constraint after this one in order of slots; the first for the null name; the null name at the end.
PV_API pv_joint_id pv_world_get_next_joint(const pv_world *world, pv_joint_id constraint);

/* Reading. A stale name gives zeros and null. */

/// Its type; PV_JOINT_DISTANCE for a stale name.
PV_API pv_joint_type pv_joint_get_type(const pv_world *world, pv_joint_id constraint);
/// Returns where its anchors are [px].
PV_API pv_status pv_joint_get_points(const pv_world *world, pv_joint_id constraint, pv_vec2 points[2]);
/// Returns what holds its ends: names of particles and bodies, and where they are now.
PV_API pv_status pv_joint_get_anchors(const pv_world *world, pv_joint_id constraint, pv_anchor anchors[2]);
/// Rest length of stick, rope and strut [px].
PV_API double pv_joint_get_length(const pv_world *world, pv_joint_id constraint);
/// Returns what it gave in the last substep, >= 0 [mass px/s^2]; of angle and motor the torque [mass px^2/s^2].
PV_API double pv_joint_get_force(const pv_world *world, pv_joint_id constraint);
/// The caller's pointer.
PV_API void *pv_joint_get_user_data(const pv_world *world, pv_joint_id constraint);

/* Writing. These wake the bodies that it holds. */

/// [px] > 0, of stick, rope and strut.
PV_API pv_status pv_joint_set_length(pv_world *world, pv_joint_id constraint, double length);
/// Moves an anchor that is a point of the world: 0 for a, 1 for b.
PV_API pv_status pv_joint_set_anchor_point(pv_world *world, pv_joint_id constraint, int end, pv_vec2 point);
/// Of motor [rad/s].
PV_API pv_status pv_joint_set_motor_speed(pv_world *world, pv_joint_id constraint, double speed);
/// Of angle [rad] and slider [px].
PV_API pv_status pv_joint_set_limits(pv_world *world, pv_joint_id constraint, double low, double high);

/// A constraint that broke, or was let go.
typedef struct pv_joint_break_event {
    pv_joint_id joint; ///< its name, which is stale now
    double force;      ///< that it would have had to give [mass px/s^2], or torque; 0 if it was let go
    pv_vec2 point;     ///< midway between its anchors [px]
    void *user_data;   ///< the constraint's
    bool carved;       ///< it was let go, for the pixels that an anchor was on were carved away
} pv_joint_break_event;

/** @} */
/** @defgroup polygons Polygons
 *  Bodies of particles at the corners of a polygon: sticks along its edges, beams across that hold its shape, and
 *  the smallest overlap along the edges' normals (separating axes) where two meet. A body's running surface draws them
 *  along; one that comes through its one-way side does so as a whole. @{ */

/// What a polygon meets others with.
typedef enum pv_polygon_collider {
    PV_POLYGON_COLLIDER_EDGES = 0, ///< its boundary
    PV_POLYGON_COLLIDER_CIRCLES ///< a disc at each corner, of an eighth of the shortest edge in radius, and one in its middle:
                                ///< cheaper, and rounder
} pv_polygon_collider;

/// What a polygon is made of. Get one from pv_polygon_def_default().
typedef struct pv_polygon_def {
    const pv_vec2 *points;   ///< its outline in the world, either way round, not crossing itself; borrowed [px]
    int point_count;         ///< 3...64
    pv_vec2 velocity;        ///< [px/s]
    double angular_velocity; ///< about its middle [rad/s]
    double
        mass; ///< of all its corners together, at most 1e12 and 1e-9 for each; 0: pinned; default -1: one for each px^2
    double restitution;           ///< 0...1; default 0.2
    double static_friction;       ///< >= 0; default 0.6
    double friction;              ///< >= 0; default 0.5
    double linear_damping;        ///< of its corners, as a particle's [1/s]; default 0
    double stiffness;             ///< of edges and beams; 0: rigid; default 0 [mass/s^2]
    pv_polygon_collider collider; ///< default edges
    pv_filter filter; ///< which bodies, polygons and particles it meets, as bodies do; default everybody
    void *user_data;  ///< the caller's
    unsigned cookie;  ///< set by pv_polygon_def_default()
} pv_polygon_def;

/// The defaults named above.
PV_API pv_polygon_def pv_polygon_def_default(void);

/// Puts a polygon into a world. One that is not convex is cut into convex pieces, which share its corners.
/// @return its name, or the null name with a status: PV_ERROR_ARGUMENT for less than 3 or more than 64 points, ones
/// that coincide, an outline that crosses itself, or one without area
PV_API pv_polygon_id pv_polygon_create(pv_world *world, const pv_polygon_def *def, pv_status *status);

/// Takes it out, with its corners and beams.
PV_API pv_status pv_polygon_destroy(pv_world *world, pv_polygon_id polygon);

/// Tells whether the name names a living polygon.
PV_API bool pv_polygon_is_valid(const pv_world *world, pv_polygon_id polygon);

/// The polygon after this one in order of slots; the first for the null name; the null name at the end.
PV_API pv_polygon_id pv_world_get_next_polygon(const pv_world *world, pv_polygon_id polygon);

/// Copies its corners out, in order, turning clockwise on the screen.
/// @return how many there are; 0 for a stale name
PV_API int pv_polygon_get_corners(const pv_world *world, pv_polygon_id polygon, pv_particle_id *corners,
                                  int capacity);
/// Copies its beams out.
/// @return how many there are; 0 for a stale name
PV_API int pv_polygon_get_joints(const pv_world *world, pv_polygon_id polygon, pv_joint_id *beams,
                                 int capacity);
/// Center of mass [px].
PV_API pv_vec2 pv_polygon_get_position(const pv_world *world, pv_polygon_id polygon);
/// Returns how far it has turned since it was made, by its corners, in (-pi, pi] [rad].
PV_API double pv_polygon_get_angle(const pv_world *world, pv_polygon_id polygon);
/// Of the center of mass [px/s].
PV_API pv_vec2 pv_polygon_get_velocity(const pv_world *world, pv_polygon_id polygon);
/// Angular momentum over inertia [rad/s].
PV_API double pv_polygon_get_angular_velocity(const pv_world *world, pv_polygon_id polygon);
/// The box of its corners [px].
PV_API pv_box pv_polygon_get_bounds(const pv_world *world, pv_polygon_id polygon);
/// The last in order that holds a point, or the null name.
PV_API pv_polygon_id pv_world_pick_polygon(const pv_world *world, pv_vec2 point);
/// Whom it meets; zeros for a stale name.
PV_API pv_filter pv_polygon_get_filter(const pv_world *world, pv_polygon_id polygon);
/// Returns whether it is awake. One falls asleep with all that it touches once none of that has moved by more than 0.1 px for half a
/// second; it wakes with all of that when one of these is hit, pushed, changed or taken out. One that a constraint holds or a
/// particle touches stays awake. What sleeps acts as what is pinned. False for a stale name.
PV_API bool pv_polygon_is_awake(const pv_world *world, pv_polygon_id polygon);
/// The caller's pointer.
PV_API void *pv_polygon_get_user_data(const pv_world *world, pv_polygon_id polygon);
/// Wakes it with all that sleeps with it.
PV_API pv_status pv_polygon_wake(pv_world *world, pv_polygon_id polygon);
/// A force on all of it for the whole next step [mass px/s^2], shared by mass.
PV_API pv_status pv_polygon_apply_force(pv_world *world, pv_polygon_id polygon, pv_vec2 force);
/// Whom it meets from now on; what is near it wakes.
PV_API pv_status pv_polygon_set_filter(pv_world *world, pv_polygon_id polygon, pv_filter filter);

/** @} */
/** @defgroup liquids Liquids
 *  Particles that keep a distance from each other: double density relaxation (Clavet, Beaudoin and Poulin 2005). @{ */

/// Names a liquid of one world; all zero names none.
typedef struct pv_liquid_id {
    uint32_t index, generation; ///< a slot, and how often it was used
} pv_liquid_id;

/// What a liquid is like. Get one from pv_liquid_def_default(). The defaults are for particles of radius 3 and a mass of 1,
/// which then have 26 px^2 each; for others let reach be four times the radius. Its speed of sound is about density times
/// the root of stiffness; where that is too fast for the substep, it is softer. Particles of different liquids feel each
/// other, too.
typedef struct pv_liquid_def {
    double interaction_radius; ///< how far its particles feel each other, 2...64; default 12 [px]
    double rest_density; ///< that it strives for: sum of (1 - distance / reach)^2 over the others; default 2.2
    double stiffness;    ///< how hard; default 1e6 [px^2/s^2 a unit of density]
    double
        near_stiffness; ///< how hard near ones are kept apart, by (1 - distance / reach)^3; default 5000 [px^2/s^2]
    double viscosity; ///< how fast neighbors come to one speed along the line that joins them; default 60 [1/s]
    unsigned cookie;  ///< set by pv_liquid_def_default()
} pv_liquid_def;

/// The defaults named above.
PV_API pv_liquid_def pv_liquid_def_default(void);

/// Makes a liquid without particles.
PV_API pv_liquid_id pv_liquid_create(pv_world *world, const pv_liquid_def *def, pv_status *status);
/// Takes it out; its particles stay, dry.
PV_API pv_status pv_liquid_destroy(pv_world *world, pv_liquid_id liquid);
/// Tells whether the name names a living liquid.
PV_API bool pv_liquid_is_valid(const pv_world *world, pv_liquid_id liquid);
/// Makes a particle part of it, and of no other one. Along sprites it slips, whatever its friction.
PV_API pv_status pv_liquid_add_particle(pv_world *world, pv_liquid_id liquid, pv_particle_id particle);
/// Returns how many particles it has; 0 for a stale name.
PV_API int pv_liquid_get_particle_count(const pv_world *world, pv_liquid_id liquid);
/// Copies its particles out, in order of their slots.
/// @return how many there are in all, as pv_world_get_contacts(); 0 for a stale name
PV_API int pv_liquid_get_particles(const pv_world *world, pv_liquid_id liquid, pv_particle_id *particles,
                                   int capacity);

/** @} */
/** @defgroup forces Forces
 *  What acts on particles and bodies of an area in every step. @{ */

/// Names a force of one world; all zero names none.
typedef struct pv_force_field_id {
    uint32_t index, generation; ///< a slot, and how often it was used
} pv_force_field_id;

/// What a force does.
typedef enum pv_force_field_type {
    PV_FORCE_FIELD_WIND = 0,  ///< draws along with moving air, the more the larger a thing is
    PV_FORCE_FIELD_ATTRACTOR, ///< pulls to a point
    PV_FORCE_FIELD_BUOYANCY   ///< lifts and slows what is in a liquid: the area
} pv_force_field_type;

/// What a force is like. Get one from pv_force_field_def_default().
typedef struct pv_force_field_def {
    pv_force_field_type type; ///< what it does
    pv_box area; ///< where it acts; empty: everywhere, but buoyancy is of the liquid there; default empty [px]
    pv_vec2 velocity;   ///< of the air, or of the liquid's flow [px/s]
    double gust;        ///< how much of the wind comes and goes, 0...1; default 0
    double gust_length; ///< from gust to gust along the wind, >= 1; default 400 [px]
    double
        drag_coefficient; ///< of wind: force for each px of a thing's width and px/s; default 0.2 [mass/s/px]
    pv_vec2 point;        ///< of the attractor [px]
    double strength;      ///< acceleration at reach, or where reach is 0 everywhere; < 0 repels [px/s^2]
    double
        radius; ///< > 0: the pull falls with the square of the distance, and nearer by evenly to 0; 0: even [px]
    double density;        ///< of the liquid, mass of a px^2; default 1
    double linear_damping; ///< of the liquid: how fast what is as dense comes to its speed; default 1 [1/s]
    unsigned cookie;       ///< set by pv_force_field_def_default()
} pv_force_field_def;

/// The defaults named above.
PV_API pv_force_field_def pv_force_field_def_default(void);

/// Puts a force into a world. Bodies that sleep are not woken by one, but by pv_world_explode() they are.
PV_API pv_force_field_id pv_force_field_create(pv_world *world, const pv_force_field_def *def,
                                               pv_status *status);
/// Takes it out.
PV_API pv_status pv_force_field_destroy(pv_world *world, pv_force_field_id force);
/// Tells whether the name names a living force.
PV_API bool pv_force_field_is_valid(const pv_world *world, pv_force_field_id force);
/// Changes it; its gusts go on.
PV_API pv_status pv_force_field_set_def(pv_world *world, pv_force_field_id force,
                                        const pv_force_field_def *def);

/// Throws particles and bodies away from a point, at once. A body is as large as its pixels look from there, gaps left out, and is
/// thrown along the middle of them; from a hole in it, nothing is. Nothing shelters what is behind it.
/// @param reach what is farther stays [px] > 0; the pixels' nearest place counts
/// @param impulse for each px of a thing's width at the point itself; less in proportion farther out [mass px/s/px]
/// @return PV_ERROR_MEMORY with nothing thrown, where an outline of pixels had to be made
PV_API pv_status pv_world_explode(pv_world *world, pv_vec2 point, double reach, double impulse);

/** @} */
/** @defgroup matter Matter
 *  Things of many parts: made, drawn, pushed and taken out as one. @{ */

/// Names a thing of one world; all zero names none.
typedef struct pv_composite_id {
    uint32_t index, generation; ///< a slot, and how often it was used
} pv_composite_id;

/// A piece of a thing's skin.
typedef struct pv_triangle {
    pv_particle_id corners[3]; ///< particles of the thing
    pv_vec2 uv[3];             ///< where they are in the picture, (0, 0)...(1, 1)
    pv_joint_id joints[3];     ///< once one of these that are named is gone, so is the triangle
} pv_triangle;

/// Makes a thing without parts.
PV_API pv_composite_id pv_composite_create(pv_world *world, pv_status *status);
/// Takes it out with all its parts that are still there.
PV_API pv_status pv_composite_destroy(pv_world *world, pv_composite_id matter);
/// Tells whether the name names a living thing.
PV_API bool pv_composite_is_valid(const pv_world *world, pv_composite_id matter);
/// The thing after this one in order of slots; the first for the null name; the null name at the end.
PV_API pv_composite_id pv_world_get_next_composite(const pv_world *world, pv_composite_id matter);

/* Each part belongs to one thing at most; the thing does not notice when a part is taken out by itself, but it is not
 * listed any more. */

/// Makes a particle part of a thing.
PV_API pv_status pv_composite_add_particle(pv_world *world, pv_composite_id matter, pv_particle_id particle);
/// Makes a constraint part of a thing.
PV_API pv_status pv_composite_add_joint(pv_world *world, pv_composite_id matter, pv_joint_id constraint);
/// Makes a body part of a thing.
PV_API pv_status pv_composite_add_body(pv_world *world, pv_composite_id matter, pv_body_id body);
/// Makes a triangle part of a thing, which lists its corners clockwise on the screen, as they are now.
PV_API pv_status pv_composite_add_triangle(pv_world *world, pv_composite_id matter,
                                           const pv_triangle *triangle);

/* These copy the parts that are still there out, in the order in which they were added, and return how many there
 * are in all, as pv_world_get_contacts(); 0 for a stale name. */

/// Its particles.
PV_API int pv_composite_get_particles(const pv_world *world, pv_composite_id matter, pv_particle_id *particles,
                                      int capacity);
/// Its constraints.
PV_API int pv_composite_get_joints(const pv_world *world, pv_composite_id matter, pv_joint_id *constraints,
                                   int capacity);
/// Its bodies.
PV_API int pv_composite_get_bodies(const pv_world *world, pv_composite_id matter, pv_body_id *bodies,
                                   int capacity);
/// Its triangles.
PV_API int pv_composite_get_triangles(const pv_world *world, pv_composite_id matter, pv_triangle *triangles,
                                      int capacity);

/// Mean of its particles' places, by mass, where all are pinned plain [px].
PV_API pv_vec2 pv_composite_get_position(const pv_world *world, pv_composite_id matter);
/// Sets whether it touches other solid things from now on: its particles their surfaces, and theirs its own, with the radius,
/// restitution and friction of the particles, as far as filters let them. The surface of a thing with triangles is their outline,
/// without thickness; that of one without is its rigid sticks and ropes, as thick as their ends. Things that a constraint
/// joins, unless it collides, do not touch, nor particles that pass. What lies in an outline by more than 32 px is not
/// parted from it. Default false, but jelly and soft bodies are built solid.
PV_API pv_status pv_matter_set_solid(pv_world *world, pv_composite_id matter, bool solid);
/// Returns whether it touches other solid things; false for a stale name.
PV_API bool pv_matter_is_solid(const pv_world *world, pv_composite_id matter);
/// Accelerates all its particles and bodies for the whole next step [px/s^2]: a key that is held.
PV_API pv_status pv_composite_apply_acceleration(pv_world *world, pv_composite_id matter, pv_vec2 acceleration);

/** @} */
/** @defgroup builders Builders
 *  Things that games are full of. Each takes a def of its own with defaults that work, returns the thing or the null
 *  name with a status, and makes either all of it or nothing. @{ */

/// A rope, chain or strand of hair: particles in a row, held by sticks.
typedef struct pv_rope_def {
    pv_anchor from,
        to; ///< where its ends are; it is pinned to what they name; held by the world, an end has no mass
    bool from_free, to_free; ///< that end hangs free, wherever it is made; default false
    int segments;            ///< 1...4096; default 16
    double
        slack;   ///< how much longer it is than the way from one end to the other, in that way, >= 0; default 0
    double mass; ///< of all; default 16
    double radius;         ///< of its particles; default 1 [px]
    double linear_damping; ///< [1/s]; default 0.3
    double bend_stiffness; ///< stiffness between second neighbors; 0: none; default 0 [mass/s^2]
    double break_force;    ///< of each stick; 0: never; default 0 [mass px/s^2]
    pv_filter filter;      ///< of its particles; default everybody
    unsigned cookie;       ///< set by pv_rope_def_default()
} pv_rope_def;
/// The defaults named above.
PV_API pv_rope_def pv_rope_def_default(void);
/// It begins in an arc that sags; its particles are listed from one end to the other.
/// @return the null name with PV_ERROR_STALE_ID for an anchor that names nothing that lives; PV_ERROR_ARGUMENT when both
/// ends are at one place
PV_API pv_composite_id pv_rope_create(pv_world *world, const pv_rope_def *def, pv_status *status);

/// Cloth: a grid of particles, sticks along rows and columns, triangles for its texture.
typedef struct pv_cloth_def {
    pv_vec2 top_left;       ///< of its left upper corner [px]
    int columns, rows;      ///< of particles, 2...1024 each; default 30
    double spacing;         ///< between particles; default 8 [px]
    double mass;            ///< of each particle; default 1
    double radius;          ///< of each; default 2 [px]
    double linear_damping;  ///< [1/s]; default 0.3
    double stiffness;       ///< of rows and columns; 0: rigid; default 0 [mass/s^2]
    double shear_stiffness; ///< of diagonals; 0: none; default 0 [mass/s^2]
    int pin_every; ///< in the top row every so many-th particle is pinned, and the last; 0: none; default 1
    double break_force; ///< a stick tears at; 0: never; default 0 [mass px/s^2]
    pv_filter filter;   ///< of its particles; default everybody
    unsigned cookie;    ///< set by pv_cloth_def_default()
} pv_cloth_def;
/// The defaults named above.
PV_API pv_cloth_def pv_cloth_def_default(void);
/// Particles are listed row by row from the top.
PV_API pv_composite_id pv_cloth_create(pv_world *world, const pv_cloth_def *def, pv_status *status);

/// A soft body of given particles and triangles.
typedef struct pv_soft_body_def {
    const pv_vec2 *points;     ///< in the world, 2...4096 of them; borrowed [px]
    int point_count;           ///< how many
    const int (*triangles)[3]; ///< of points; borrowed, null when triangle_count is 0
    int triangle_count;        ///< 0...16384; without all_pairs at least 1
    const pv_vec2 *uvs;        ///< null, or where each point is in the picture; borrowed
    bool all_pairs;        ///< a stick between any two points (at most 64 of them), not only along triangles
    double mass;           ///< of all; default 16
    double radius;         ///< of its particles; default 2 [px]
    double linear_damping; ///< [1/s]; default 0.3
    double restitution;    ///< default 0.2
    double static_friction, friction; ///< defaults 0.6, 0.5
    double stiffness, damping; ///< of its sticks, as a constraint's; stiffness 0: rigid; defaults 2000, 4
    pv_filter filter;          ///< of its particles; default everybody
    unsigned cookie;           ///< set by pv_soft_body_def_default()
} pv_soft_body_def;
/// The defaults named above.
PV_API pv_soft_body_def pv_soft_body_def_default(void);
/// No two sticks join the same points. Those of all pairs are no stiffer than they can be together without adding energy:
/// 3e6/s^2 times the mass of a point, over the number of points.
PV_API pv_composite_id pv_soft_body_create(pv_world *world, const pv_soft_body_def *def, pv_status *status);

/// Jelly: a sprite whose outline and inside are soft; its triangles show the sprite's picture.
typedef struct pv_jelly_def {
    const pv_mask *mask;              ///< the sprite's pixels; borrowed for the call
    pv_vec2 position;                 ///< of its center of mass [px]
    double angle;                     ///< [rad]
    double spacing;                   ///< of its particles, 2...256; default 8 [px]
    double density;                   ///< mass of a pixel; default 0.05
    double linear_damping;            ///< [1/s]; default 0.3
    double restitution;               ///< default 0.2
    double static_friction, friction; ///< defaults 0.6, 0.5
    double stiffness, damping;        ///< as in pv_soft_body_def; much softer ones crumple; defaults 8000, 50
    pv_filter filter;                 ///< of its particles; default everybody
    unsigned cookie;                  ///< set by pv_jelly_def_default()
} pv_jelly_def;
/// The defaults named above.
PV_API pv_jelly_def pv_jelly_def_default(void);
/// Parts of the picture that do not touch are not joined, but for those that share a cell of the grid.
/// @return the null name with PV_ERROR_EMPTY for a mask without solid pixels, PV_ERROR_TOO_LARGE for a grid of more than
/// 65536 cells
PV_API pv_composite_id pv_jelly_create(pv_world *world, const pv_jelly_def *def, pv_status *status);

/// A tree that sways: branches of sticks that spring back to their angles.
typedef struct pv_tree_def {
    pv_vec2 root;          ///< where it stands, pinned [px]
    double height;         ///< of the trunk with its branches [px]; default 160
    int depth;             ///< forks from trunk to twig, 0...8; default 5
    double mass;           ///< of the trunk's first piece; thinner ones weigh less; default 8
    double stiffness;      ///< how hard its first piece straightens; default 80000 [mass/s^2]
    double linear_damping; ///< [1/s]; default 1
    uint64_t seed;         ///< of how it has grown
    pv_filter filter;      ///< of its particles; default everybody
    unsigned cookie;       ///< set by pv_tree_def_default()
} pv_tree_def;
/// The defaults named above.
PV_API pv_tree_def pv_tree_def_default(void);
/// Particles are listed from the root on, then two that are pinned beside it. Its 2^(depth + 1) - 1 branches are sticks, each to
/// the next particle, and listed before what holds their angles.
PV_API pv_composite_id pv_tree_create(pv_world *world, const pv_tree_def *def, pv_status *status);

/// Grass: blades along a line, on the side that gravity comes from.
typedef struct pv_grass_def {
    pv_vec2 from, to;      ///< the ground under it [px]
    int blade_count;       ///< 1...4096; default 40
    int segments;          ///< of a blade, 1...16; default 3
    double height;         ///< of a blade, about [px]; default 24
    double stiffness;      ///< how hard its tip straightens; below it does harder [mass/s^2]; default 3
    double linear_damping; ///< [1/s]; default 2
    uint64_t seed;         ///< of how it has grown
    pv_filter filter;      ///< of its particles; default everybody
    unsigned cookie;       ///< set by pv_grass_def_default()
} pv_grass_def;
/// The defaults named above.
PV_API pv_grass_def pv_grass_def_default(void);
/// Particles are listed blade by blade along the line, each from the ground to its tip.
PV_API pv_composite_id pv_grass_create(pv_world *world, const pv_grass_def *def, pv_status *status);

/// A ragdoll of particles and sticks (Jakobsen 2001, section 6), with struts that keep knees and elbows from folding.
typedef struct pv_ragdoll_def {
    pv_vec2 position;                 ///< of the neck [px]
    double height;                    ///< from head to foot; default 64 [px]
    double mass;                      ///< of all; default 16
    double linear_damping;            ///< [1/s]; default 0.3
    double restitution;               ///< default 0.1
    double static_friction, friction; ///< defaults 0.6, 0.5
    pv_filter filter;                 ///< of its particles; default everybody
    unsigned cookie;                  ///< set by pv_ragdoll_def_default()
} pv_ragdoll_def;
/// The defaults named above.
PV_API pv_ragdoll_def pv_ragdoll_def_default(void);
/// The first particle is the head, whose radius is that of the head.
PV_API pv_composite_id pv_ragdoll_create(pv_world *world, const pv_ragdoll_def *def, pv_status *status);

/// A bridge of sprite planks, each hinged to the next and the outer ones to the world.
typedef struct pv_bridge_def {
    pv_mask *mask;      ///< of a plank, lying along x; each takes a reference
    pv_vec2 from, to;   ///< where it is hung up [px]
    int plank_count;    ///< 1...256; default 12
    double density;     ///< of a plank; default 1
    double break_force; ///< of each hinge; 0: never; default 0 [mass px/s^2]
    void *user_data;    ///< of each plank
    pv_filter filter;   ///< of each plank; default everybody
    unsigned cookie;    ///< set by pv_bridge_def_default()
} pv_bridge_def;
/// The defaults named above.
PV_API pv_bridge_def pv_bridge_def_default(void);
/// Its planks are listed from one end to the other.
PV_API pv_composite_id pv_bridge_create(pv_world *world, const pv_bridge_def *def, pv_status *status);

/// A robotic arm: sticks from a pinned base to a hand, which a drag leads to a target: inverse kinematics by relaxing.
typedef struct pv_arm_def {
    pv_vec2 base;          ///< [px]
    const double *lengths; ///< of its limbs, from the base; borrowed [px]
    int length_count;      ///< 1...32
    pv_vec2 target;        ///< where the hand wants to be at first [px]
    double mass;           ///< of each joint; default 1
    double max_force;      ///< the drag's greatest force; default 20000 [mass px/s^2]
    unsigned cookie;       ///< set by pv_arm_def_default()
} pv_arm_def;
/// The defaults named above.
PV_API pv_arm_def pv_arm_def_default(void);
/// Its last particle is the hand, its last constraint the drag: pv_joint_set_anchor_point(..., 1, target) moves it.
PV_API pv_composite_id pv_arm_create(pv_world *world, const pv_arm_def *def, pv_status *status);

/** @} */
/** @defgroup integrators Integrators
 *  Ways to step one point under an acceleration, side by side, for those who compare. Worlds use position Verlet. @{ */

/// How a step is taken.
typedef enum pv_paper_integrator {
    PV_PAPER_INTEGRATOR_EULER = 0,       ///< explicit: x += v h, then v += a h
    PV_PAPER_INTEGRATOR_SYMPLECTIC,      ///< semi-implicit Euler: v += a h, then x += v h
    PV_PAPER_INTEGRATOR_VERLET,          ///< x' = 2 x - x* + a h^2, whatever the last step was
    PV_PAPER_INTEGRATOR_CORRECTED_VERLET ///< x' = x + (x - x*) h / h0 + a h (h + h0) / 2
} pv_paper_integrator;

/// A point in motion. Start it by pv_paper_motion_start().
typedef struct pv_paper_motion {
    pv_vec2 position, previous; ///< [px]
    pv_vec2 velocity;           ///< by Verlet the mean of the last step [px/s]
    double last;                ///< length of the last step; 0 before the first [s]
} pv_paper_motion;

/// A point with a velocity.
PV_API pv_paper_motion pv_paper_motion_start(pv_vec2 position, pv_vec2 velocity);
/// The point one step later. The first step of either Verlet is x + v h + a h^2 / 2.
/// @param acceleration at its position [px/s^2]
/// @param h length of the step, in (0, 1] [s]; anything else, and what is not finite, leaves it as it is
PV_API pv_paper_motion pv_paper_motion_step(pv_paper_integrator integrator, pv_paper_motion motion,
                                            pv_vec2 acceleration, double h);

/** @} */
/** @defgroup debug Debug
 *  What is in a world, shown by any renderer that can draw lines. Counts and times: pv_world_get_stats(),
 *  pv_world_get_profile(). @{ */

/// What pv_world_debug_draw() shows, or-ed together.
enum {
    PV_DEBUG_MASKS =
        1, ///< solid pixels of bodies, colored by what moves them and whether they sleep, and sensors
    PV_DEBUG_CONTOURS = 2, ///< what they press with, also of stand-ins; in a world of pixels the pixels' edges
    PV_DEBUG_NORMALS = 4,  ///< contacts: a disc at the point, a line along the normal
    PV_DEBUG_BOUNDS = 8,   ///< of bodies
    PV_DEBUG_JOINTS = 16,  ///< from anchor to anchor, colored by kind; discs at the anchors of joints
    PV_DEBUG_ISLANDS = 32, ///< masks as well, those of sleepers colored by the island that they sleep in
    PV_DEBUG_PARTICLES = 64, ///< discs; pinned ones red
    PV_DEBUG_POLYGONS = 128, ///< their edges
    PV_DEBUG_ALL = 255
};

/// Who draws. Get one from pv_debug_draw_default(). Callbacks may be null: what needs them is left out. Places are
/// the world's [px], colors 0xRRGGBBAA, not premultiplied.
typedef struct pv_debug_draw {
    void *user_data;                                                         ///< handed to the callbacks
    void (*line)(void *user_data, pv_vec2 from, pv_vec2 to, uint32_t color); ///< from one point to another
    void (*circle)(void *user_data, pv_vec2 center, double radius, uint32_t color); ///< radius [px], may be 0
    void (*mask)(void *user_data, const pv_mask *mask, const pv_transform *transform,
                 uint32_t color); ///< mask and transform are borrowed for the call
    double normal_length;         ///< of the lines along normals, >= 0; default 18 [px]
    double point_radius;          ///< of discs that mark a point, >= 0; default 2 [px]
    unsigned cookie;              ///< set by pv_debug_draw_default()
} pv_debug_draw;

/// The defaults named above, without callbacks.
PV_API pv_debug_draw pv_debug_draw_default(void);

/// Shows a world: bodies in order of their slots, each its mask, contour and box; then polygons, constraints and particles
/// in order of theirs; then contacts in order of the pairs. The callbacks may ask the world, not change it: PV_ERROR_BUSY.
/// @param flags some of PV_DEBUG_
/// @return PV_ERROR_ARGUMENT for a null pointer, unknown flags and lengths out of range, PV_ERROR_NOT_FINITE, with nothing
/// drawn; PV_ERROR_MEMORY when contacts or edges of pixels were left out for lack of it, with all else drawn
PV_API pv_status pv_world_debug_draw(const pv_world *world, const pv_debug_draw *draw, unsigned flags);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
