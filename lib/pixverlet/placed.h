/* pixverlet/placed.h - masks placed in the world: overlaps, distances, casts and groups.
 *
 * Invariant: a placed mask borrows its mask. An invalid placed mask touches nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_PLACED_H
#define PIXVERLET_PLACED_H

#include "pixverlet/mask.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup placed Placed masks
 *  Masks put into the world with a transform. @{ */

/// Creates the collision bitmap of a placed mask. World pixel (X, Y) is solid if its center (X+1/2,
/// Y+1/2), taken back through the transform, is in a solid pixel. Renderers that sample the nearest
/// texel at pixel centers use the same rule, so the bitmap equals the picture. Steps are 32.32
/// fixed point. After that rounding, a center on the edge of a texel belongs to the texel to its
/// right and below. Cheng (2003) section 3.1, corrected.
/// @param mask the upright mask
/// @param transform its transform
/// @param origin null, or gets the world pixel of the bitmap's pixel (0, 0), and the bitmap's size
/// @param allocator null for the C library's
/// @param error null, or gets the outcome
/// @return a new mask, or null with an error: PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE,
/// PV_ERROR_TOO_LARGE or PV_ERROR_MEMORY
PV_API pv_mask *pv_mask_transform(const pv_mask *mask, const pv_transform *transform,
                                  pv_rect *origin, const pv_allocator *allocator, pv_error *error);

/** @} */

/** @defgroup queries Queries
 *  Queries of placed masks: overlaps, distances, casts, batches and groups. @{ */

/// A placed mask: a mask with a transform. It borrows the mask and may be copied. It is valid with
/// a mask, scales 1/1024...1024, places within PV_MAX_COORDINATE and a rotation of length 1.
typedef struct pv_placed {
    /// Mask, borrowed
    const pv_mask *mask;
    /// Transform from the mask to the world
    pv_transform transform;
} pv_placed;

/// Places a mask with the middle of its picture at a point, without scale.
/// @param center within PV_MAX_COORDINATE [px]
/// @param angle |angle| <= 1e6 [rad]
/// @return a placed mask whose mask is null, for a null mask and for values out of range
PV_API pv_placed pv_placed_centered(const pv_mask *mask, pv_vec2 center, double angle);

/* Except as noted, these functions use the exact collision bitmaps of pv_mask_transform(). They
 * make the bitmaps only where the two bounds overlap, without any allocation. An upright mask of
 * scale 1 is used directly. An invalid placed mask overlaps nothing: the result is false, 0 or
 * zeros, and functions with a status return PV_ERROR_ARGUMENT or PV_ERROR_NOT_FINITE. All are safe
 * in several threads at once on the same masks. */

/// Tells whether two placed masks share a pixel of the world.
PV_API bool pv_placed_test_overlap(const pv_placed *a, const pv_placed *b);

/// Returns the number of world pixels that two placed masks share.
PV_API int64_t pv_placed_compute_overlap_area(const pv_placed *a, const pv_placed *b);

/// Computes the overlap of two placed masks, as pv_mask_compute_overlap() does, with point and
/// bounds in world coordinates. The gradient may vanish, for one mask inside the other or for
/// symmetry. The normal is then that of the shortest separation, and depth is its length. The
/// search covers 64 px and uses the allocator of a's mask. After a failed search the normal points
/// from the center of a's picture to b's, and depth is 64. For equal centers it is (0, -1).
/// @param overlap gets zeros if nothing is shared; may be null
/// @return true if they share a pixel
PV_API bool pv_placed_compute_overlap(const pv_placed *a, const pv_placed *b, pv_overlap *overlap);

/// Computes the shortest way in whole pixels for b until the bitmaps share no pixel. Among equally
/// short ways it prefers the least |y|, then the upper, then the right one. It is the nearest place
/// outside the obstacle that a is to b (Lozano-Perez 1983). The 64 places of a word are judged
/// together.
/// @param separation gets the way of b [px]; (0, 0) if they do not overlap
/// @return PV_ERROR_MEMORY (from the allocator of a's mask), PV_ERROR_TOO_LARGE (bitmaps that
/// pv_mask_create() would refuse), or an error of a placed mask; separation is (0, 0) then
PV_API pv_status pv_placed_compute_mtv(const pv_placed *a, const pv_placed *b, pv_vec2 *separation);

/// The distance of two placed masks.
typedef struct pv_distance_result {
    /// Distance between the squares of the nearest two solid pixels [px]; 0 if they touch or
    /// overlap
    double distance;
    /// Nearest points of these squares, on a and on b [px]
    pv_vec2 point_a, point_b;
} pv_distance_result;

/// Computes the distance of two placed masks, between the squares of their solid pixels in the
/// world.
/// @param nearest gets the result, or zeros
/// @return PV_ERROR_EMPTY for a mask without solid pixels; the rest as pv_placed_compute_mtv()
PV_API pv_status pv_placed_compute_distance(const pv_placed *a, const pv_placed *b,
                                            pv_distance_result *nearest);

/* These functions use the mask itself before any raster: its pixels are turned and scaled
 * rectangles. Points beyond PV_MAX_COORDINATE or not finite hit nothing. */

/// Tells whether a point is in a solid pixel. The pixel's left and upper edges in the picture
/// belong to it.
PV_API bool pv_placed_test_point(const pv_placed *placed, pv_vec2 point);

/// A hit of a ray on a placed mask.
typedef struct pv_ray_hit {
    /// Fraction of the segment, 0...1; for a ray the multiple of its direction
    double fraction;
    /// Hit point in the world [px]
    pv_vec2 point;
    /// Normal of the pixel's edge, out of the mask, of length 1; (0, 0) for a start inside
    pv_vec2 normal;
    /// Pixel of the mask
    int x, y;
} pv_ray_hit;

/// Casts a segment and finds the first solid pixel on it. It goes cell by cell (Amanatides and Woo
/// 1987), so it skips none. At an exact corner of four pixels it continues along the picture's x
/// first.
/// @param from,to may be equal: then as pv_placed_test_point()
/// @param hit null, or gets the hit; zeros if there is none
/// @return true for a hit
PV_API bool pv_placed_cast_segment(const pv_placed *placed, pv_vec2 from, pv_vec2 to,
                                   pv_ray_hit *hit);

/// A moving mask. Its pivot moves straight, and it turns by the shorter way at constant rates. A
/// half turn goes clockwise.
typedef struct pv_swept {
    /// Mask, borrowed
    const pv_mask *mask;
    /// Transform at the start
    pv_transform from;
    /// Transform at the end, with the same pivot and scale
    pv_transform to;
} pv_swept;

/// The first touch of two moving masks.
typedef struct pv_swept_hit {
    /// Fraction of the last free pose, 0...1; the masks share no pixel there
    double fraction;
    /// Fraction of the first pose with a shared pixel; no point of the rim moves more than 1/64 px
    /// from fraction to it
    double touch_fraction;
    /// Mean of the shared pixels at touch_fraction, in the world [px]
    pv_vec2 point;
    /// Normal from a to b at touch_fraction, as in pv_placed_compute_overlap()
    pv_vec2 normal;
} pv_swept_hit;

/// Computes the transform at a fraction of the path, 0...1. It is exactly from at 0 and to at 1. It
/// uses no libm, so it is the same on every machine.
/// @return pv_transform_identity() for a path that pv_swept_cast() refuses and for a fraction that
/// is not finite
PV_API pv_transform pv_swept_get_transform(const pv_swept *moving, double fraction);

/// Finds the first touch of two moving masks, using exact bitmaps. It skips parts of the path where
/// the swept bounds of one mask contain no solid pixel of the other. It halves the other parts down
/// to 1 px. There it tests an upright mask between every two changes of its bitmap, and turned
/// masks every 1/16 px of motion. An upright mask never passes a pixel that its bitmap would touch,
/// at any speed. Turned masks may miss a touch that begins and ends within 1/16 px of motion: a
/// graze of corners.
/// @param a,b either may stand still: from equal to to
/// @param hit null, or gets the touch; zeros if there is none. An overlap at the start gives
/// fraction 0 and touch_fraction 0.
/// @return true if they touch; false for an invalid placed mask, and for different pivots or scales
PV_API bool pv_swept_cast(const pv_swept *a, const pv_swept *b, pv_swept_hit *hit);

/// A group of placed masks for overlap queries in games without physics. It is a grid of square
/// cells.
typedef struct pv_group pv_group;

/// Two members of a group that touch; a has the lower index.
typedef struct pv_member_pair {
    /// The two members in order of their indices
    pv_member_id a, b;
} pv_member_pair;

/// Creates an empty group.
/// @param cell side of a cell, 1...65536 [px], best the size of a typical sprite; 0: 64
/// @param allocator null for the C library's
/// @return a group for pv_group_destroy(), or null with an error: PV_ERROR_ARGUMENT,
/// PV_ERROR_NOT_FINITE or PV_ERROR_MEMORY
PV_API pv_group *pv_group_create(double cell, const pv_allocator *allocator, pv_error *error);

/// Frees a group and releases its masks; null is allowed.
PV_API void pv_group_destroy(pv_group *group);

/// Adds a placed mask to a group, which takes a reference to the mask.
/// @param user_data pointer of the caller
/// @return its id, or the null id with an error: PV_ERROR_MEMORY, or that of an invalid placed mask
PV_API pv_member_id pv_group_add(pv_group *group, const pv_placed *placed, void *user_data,
                                 pv_error *error);

/// Sets the transform of a member. Nothing changes on an error.
/// @return PV_ERROR_STALE_ID, PV_ERROR_MEMORY, or the error of an invalid placed mask
PV_API pv_status pv_group_set_transform(pv_group *group, pv_member_id member,
                                        const pv_transform *transform);

/// Removes a member from a group.
/// @return PV_ERROR_STALE_ID, or PV_ERROR_ARGUMENT for a null group
PV_API pv_status pv_group_remove(pv_group *group, pv_member_id member);

/// Returns the placed mask of a member. The mask is borrowed and lives as long as the member. An id
/// that is no longer valid gives a null mask at pv_transform_identity().
PV_API pv_placed pv_group_get_placed(const pv_group *group, pv_member_id member);

/// Returns the caller's pointer of a member; null for an id that is no longer valid.
PV_API void *pv_group_get_user_data(const pv_group *group, pv_member_id member);

/* The queries copy the first capacity results to found, in order of the index, and return the
 * number of all results. found may be null if capacity is 0. They are safe in several threads at
 * once while no thread changes the group. */

/// Finds the members that share a pixel with a placed mask, which need not be in the group.
PV_API int pv_group_query_mask(const pv_group *group, const pv_placed *placed, pv_member_id *found,
                               int capacity);

/// Finds the members with a solid pixel under a point; the test is pv_placed_test_point().
PV_API int pv_group_query_point(const pv_group *group, pv_vec2 point, pv_member_id *found,
                                int capacity);

/// Finds the members with a solid pixel in a box. A pixel that shares only an edge with it does not
/// count.
PV_API int pv_group_query_box(const pv_group *group, pv_box box, pv_member_id *found, int capacity);

/// Finds all touching pairs, in order of a's and then b's index.
PV_API int pv_group_query_pairs(const pv_group *group, pv_member_pair *found, int capacity);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
