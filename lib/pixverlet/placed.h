/* pixverlet/placed.h - masks placed in the world: overlaps, distances, casts, groups, and a cache.
 *
 * Invariant: a placed mask borrows its mask; what pv_placed_check() refuses touches nothing.
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
 *  A mask put into the world by a transform. @{ */

/// The collision bitmap of a placed mask: world pixel (X, Y) is solid when its center (X+1/2,
/// Y+1/2), taken back through the transform, falls into a solid pixel: the rule by which
/// center-sampling nearest-texel renderers draw, so the bitmap is what is seen. Steps are 32.32
/// fixed point; a center on the edge of a texel belongs to the texel at its right and below (after
/// that rounding). Cheng (2003) section 3.1, mended.
/// @param mask the upright mask
/// @param transform where it is
/// @param origin null, or gets the world pixel of the bitmap's pixel (0, 0), and its size
/// @param allocator null for the C library's
/// @param status null, or where the outcome goes
/// @return a new mask, or null with a status
PV_API pv_mask *pv_mask_transform(const pv_mask *mask, const pv_transform *transform,
                                  pv_rect *origin, const pv_allocator *allocator,
                                  pv_status *status);

/** @} */

/** @defgroup queries Queries
 *  Questions about placed masks: hits, distances, sweeps, batches, groups. @{ */

/// A mask put somewhere. It borrows the mask; copy it about freely.
typedef struct pv_placed {
    /// Borrowed
    const pv_mask *mask;
    /// Where it is
    pv_transform transform;
} pv_placed;

/* Unless said otherwise these questions are asked of the exact collision bitmaps of
 * pv_mask_transform(), made only where the two boxes meet and without memory from any allocator;
 * the mask of an upright sprite of scale 1 is used as it is. What pv_placed_check() refuses touches
 * nothing: false, 0 or zeros. All are safe to call in several threads at once on the same sprites.
 * */

/// Whether a placed sprite can be asked about.
/// @return PV_OK; PV_ERROR_ARGUMENT for a null pointer, a scale out of 1/1024...1024, a place
/// beyond PV_MAX_COORDINATE or a rotation not of length 1; PV_ERROR_NOT_FINITE
PV_API pv_status pv_placed_check(const pv_placed *placed);

/// The box of its picture as it lies in the world [px]; an empty one for what pv_placed_check()
/// refuses.
PV_API pv_box pv_placed_compute_bounds(const pv_placed *placed);

/// Tells whether two placed sprites share a pixel of the world.
PV_API bool pv_placed_test_overlap(const pv_placed *a, const pv_placed *b);

/// Returns how many pixels of the world they share.
PV_API int64_t pv_placed_compute_overlap_area(const pv_placed *a, const pv_placed *b);

/// All that they share, as pv_mask_compute_overlap() says it, point and box in world coordinates.
/// Where the gradient vanishes (one inside the other, symmetry) the normal is that of the least
/// separation, found up to 64 px with memory from the allocator of a's mask, and depth is its
/// length; failing that it leads from the center of a's picture to the center of b's, or is (0, -1)
/// where these are one, and depth is 64.
/// @param overlap gets zeros when nothing is shared; may be null
/// @return whether they share a pixel
PV_API bool pv_placed_compute_overlap(const pv_placed *a, const pv_placed *b, pv_overlap *overlap);

/// The pixels that they share, as a mask.
/// @param origin null, or gets the rectangle of the world that the mask shows; where the boxes
/// meet, and no smaller for what is empty there
/// @param allocator null for the C library's
/// @param status null, or where the outcome goes; PV_ERROR_TOO_LARGE as pv_mask_create()
/// @return a new mask, perhaps of size 0, or null with a status
PV_API pv_mask *pv_placed_create_overlap_mask(const pv_placed *a, const pv_placed *b,
                                              pv_rect *origin, const pv_allocator *allocator,
                                              pv_status *status);

/// The shortest way in whole pixels that b must go so that the bitmaps share none. Of equally short
/// ones the one with the least |y|, of these the upper one, of these the right one. It is the
/// nearest place out of the obstacle that a is to b (Lozano-Perez 1983); the 64 places of a word
/// are judged together.
/// @param separation gets the way of b [px]; (0, 0) when they are apart
/// @return PV_ERROR_MEMORY (from the allocator of a's mask), PV_ERROR_TOO_LARGE (bitmaps that
/// pv_mask_create() would refuse), or as pv_placed_check(); separation is (0, 0) then
PV_API pv_status pv_placed_compute_mtv(const pv_placed *a, const pv_placed *b, pv_vec2 *separation);

/// How near two sprites are.
typedef struct pv_distance_result {
    /// Between the squares of the nearest two solid pixels [px]; 0 when they touch or overlap
    double distance;
    /// The points of those squares that are nearest, on a and on b [px]
    pv_vec2 point_a, point_b;
} pv_distance_result;

/// The distance of two placed sprites, of the squares of their solid pixels in the world.
/// @param nearest gets the answer, or zeros
/// @return PV_ERROR_EMPTY when one has no solid pixel; else as pv_placed_compute_mtv()
PV_API pv_status pv_placed_compute_distance(const pv_placed *a, const pv_placed *b,
                                            pv_distance_result *nearest);

/* The following are asked of the sprite itself, its pixels being the turned and scaled rectangles
 * that they are, before any raster. Points beyond PV_MAX_COORDINATE or not finite hit nothing. */

/// Tells whether a point lies in a solid pixel; its left and upper edges (in the picture) belong to
/// it.
PV_API bool pv_placed_test_point(const pv_placed *placed, pv_vec2 point);

/// Where a ray meets a sprite.
typedef struct pv_ray_hit {
    /// Of the segment, 0...1; of a ray the multiple of its direction
    double fraction;
    /// In the world [px]
    pv_vec2 point;
    /// Of the pixel's edge, out of the sprite, of length 1; (0, 0) when it starts inside
    pv_vec2 normal;
    /// The pixel of the mask
    int x, y;
} pv_ray_hit;

/// The first solid pixel on the way from one point to another, cell by cell (Amanatides and Woo
/// 1987), so that none is stepped over; a way that passes a corner of four pixels exactly goes on
/// along the picture's x first.
/// @param from,to may be equal: then as pv_placed_test_point()
/// @param hit null, or gets the answer; zeros when there is none
PV_API bool pv_placed_cast_segment(const pv_placed *placed, pv_vec2 from, pv_vec2 to,
                                   pv_ray_hit *hit);

/// The same without an end.
/// @param direction of any length; (0, 0) asks for the point alone
PV_API bool pv_placed_cast_ray(const pv_placed *placed, pv_vec2 origin, pv_vec2 direction,
                               pv_ray_hit *hit);

/// Tells whether a disc and a solid pixel share more than an edge.
/// @param radius [px] in (0, PV_MAX_COORDINATE]; others hit nothing
PV_API bool pv_placed_test_circle(const pv_placed *placed, pv_vec2 center, double radius);

/// Tells whether an upright rectangle and a solid pixel share more than an edge. An empty one hits
/// nothing.
PV_API bool pv_placed_test_box(const pv_placed *placed, pv_box box);

/// A sprite on its way: its pivot goes straight and it turns by the shorter way (clockwise when
/// both are as long), at constant rates.
typedef struct pv_swept {
    /// Borrowed
    const pv_mask *mask;
    /// Where it starts
    pv_transform from;
    /// Where it ends; with the same pivot and scale
    pv_transform to;
} pv_swept;

/// The first touch of two sprites on their ways.
typedef struct pv_swept_hit {
    /// Of the way, 0...1: the last pose that is free; there they share no pixel yet
    double fraction;
    /// The first pose that shares one: no rim has moved more than 1/64 px since fraction
    double touch_fraction;
    /// Mean of the shared pixels at touch, in the world [px]
    pv_vec2 point;
    /// From a to b, as pv_placed_compute_overlap() gives it at touch
    pv_vec2 normal;
} pv_swept_hit;

/// The transform at a fraction of the way, 0...1: exactly from at 0 and to at 1. Made without libm,
/// so the same on every machine.
/// @return pv_transform_identity() for what pv_swept_cast() refuses and a fraction that is not
/// finite
PV_API pv_transform pv_swept_get_transform(const pv_swept *moving, double fraction);

/// The first touch of two moving sprites, on exact bitmaps. Stretches of the way in which the swept
/// box of one holds no solid pixel of the other are left out as a whole; the others are halved down
/// to 1 px and looked at between every two changes of the bitmap of an upright sprite, and every
/// 1/16 px of motion for turned ones. So an upright sprite never gets past any pixel that its
/// bitmap would have met, at whatever speed; of turned ones a touch that comes and goes within 1/16
/// px of motion may be missed: a graze of corners.
/// @param a,b either may stand still: from equal to to
/// @param hit null, or gets the answer; zeros when there is none. Overlapping from the start gives
/// fraction 0, touch 0
/// @return whether they touch; false for what pv_placed_check() would refuse, and for differing
/// pivots or scales
PV_API bool pv_swept_cast(const pv_swept *a, const pv_swept *b, pv_swept_hit *hit);

/// Tests one placed sprite against many, in their order; what comes next is fetched from memory
/// meanwhile.
/// @param hits null, or gets count answers
/// @return how many it shares a pixel with
PV_API size_t pv_placed_test_overlap_many(const pv_placed *placed, const pv_placed *others,
                                          size_t count, bool *hits);

/// Two places in an array.
typedef struct pv_index_pair {
    /// From 0
    uint32_t a, b;
} pv_index_pair;

/// Tests pairs out of an array of placed sprites; else as pv_placed_test_overlap_many(). Pairs out
/// of the array miss.
PV_API size_t pv_placed_test_overlap_pairs(const pv_placed *sprites, size_t count,
                                           const pv_index_pair *pairs, size_t pair_count,
                                           bool *hits);

/// Placed sprites that can be asked who touches whom, for games without physics. Lies in a grid of
/// square cells.
typedef struct pv_group pv_group;

/// Two sprites of a group that touch; a has the lower index.
typedef struct pv_member_pair {
    /// In order
    pv_member_id a, b;
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
PV_API pv_member_id pv_group_add(pv_group *group, const pv_placed *placed, void *user_data,
                                 pv_status *status);

/// Puts a sprite elsewhere. On an error all stays as it was.
/// @return PV_ERROR_STALE_ID, PV_ERROR_MEMORY, or as pv_placed_check()
PV_API pv_status pv_group_set_transform(pv_group *group, pv_member_id member,
                                        const pv_transform *transform);

/// Takes a sprite out.
PV_API pv_status pv_group_remove(pv_group *group, pv_member_id member);

/// Returns how many there are; 0 for null.
PV_API int pv_group_get_count(const pv_group *group);

/// Returns where a sprite is; a null mask at pv_transform_identity() for a stale name. The mask is
/// borrowed and lives as long as the member.
PV_API pv_placed pv_group_get_placed(const pv_group *group, pv_member_id member);

/// The caller's pointer; null for a stale name.
PV_API void *pv_group_get_user_data(const pv_group *group, pv_member_id member);

/* The queries fill found with the first capacity answers in order of the index and return how many
 * there are in all; found may be null when capacity is 0. They may run in several threads at once
 * while nothing is changed. */

/// The members that share a pixel with a placed sprite, which need not be of the group.
PV_API size_t pv_group_query_mask(const pv_group *group, const pv_placed *placed,
                                  pv_member_id *found, size_t capacity);

/// The other members that share a pixel with this one.
PV_API size_t pv_group_query_member(const pv_group *group, pv_member_id member, pv_member_id *found,
                                    size_t capacity);

/// The members with a solid pixel under a point: pv_placed_test_point().
PV_API size_t pv_group_query_point(const pv_group *group, pv_vec2 point, pv_member_id *found,
                                   size_t capacity);

/// The members with a solid pixel in a box: pv_placed_test_box().
PV_API size_t pv_group_query_box(const pv_group *group, pv_box box, pv_member_id *found,
                                 size_t capacity);

/// All touching pairs, in order of a's and then b's index.
PV_API size_t pv_group_query_pairs(const pv_group *group, pv_member_pair *found, size_t capacity);

/** @} */

/** @defgroup cache Rotation cache
 *  Collision bitmaps kept for the next time. @{ */

/// Turned and scaled masks kept for the next time, for all who use the same mask, up to a number of
/// bytes; the least recently used go first. Every function but pv_mask_cache_destroy() may run in
/// several threads at once.
///
/// The cache holds a reference to every mask it knows turned bitmaps of, so pv_mask_set_pixel() and
/// the like refuse such a mask by PV_ERROR_SHARED until pv_mask_cache_evict(): what is cached is
/// never out of date.
typedef struct pv_mask_cache pv_mask_cache;

/// A collision bitmap out of a cache.
typedef struct pv_cached_mask {
    /// Give it back by pv_mask_release()
    pv_mask *mask;
    /// Where its pixel (0, 0) lies when the center of the picture is at (0, 0) of the world
    int x, y;
} pv_cached_mask;

/// What a cache holds and how it fared.
typedef struct pv_mask_cache_stats {
    /// Asked for and found
    uint64_t hits;
    /// Asked for and made anew
    uint64_t misses;
    /// Dropped to stay within the budget
    uint64_t evictions;
    /// In bitmaps now, with what it takes to find them
    size_t bytes;
    /// At most
    size_t budget;
    /// How many now
    int mask_count;
} pv_mask_cache_stats;

/// Makes an empty cache.
/// @param budget [byte]; 0 keeps nothing
/// @param allocator null for the C library's; makes the bitmaps too
/// @return a cache to give to pv_mask_cache_destroy(), or null with a status
PV_API pv_mask_cache *pv_mask_cache_create(size_t budget, const pv_allocator *allocator,
                                           pv_status *status);

/// Frees a cache when nobody uses it any more; bitmaps that are held elsewhere live on. Null is
/// allowed.
PV_API void pv_mask_cache_destroy(pv_mask_cache *cache);

/// The collision bitmap of a mask turned about the center of its picture. The angle is that of the
/// nearest bucket, the buckets being so narrow that no point of the picture is off by 1/2 px; 0 and
/// the quarter turns are exact.
/// @param mask the cache takes a reference of its own as long as it keeps bitmaps of it
/// @param rotation of length 1
/// @param scale as in pv_transform, sizes 1/1024...1024; not in buckets
/// @param turned gets the bitmap with a reference for the caller; zeros on an error
/// @return PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE, PV_ERROR_MEMORY or PV_ERROR_TOO_LARGE
PV_API pv_status pv_mask_cache_acquire(pv_mask_cache *cache, const pv_mask *mask,
                                       pv_rotation rotation, pv_vec2 scale, pv_cached_mask *turned);

/// As pv_placed_test_overlap() on cached bitmaps put to the nearest whole pixel: each edge is up to
/// 1/2 px off by its angle and up to 1/2 px along x and y by its place. Without memory, the exact
/// answer.
/// @param cache null gives the exact answer
PV_API bool pv_mask_cache_test_overlap(pv_mask_cache *cache, const pv_placed *a,
                                       const pv_placed *b);

/// Drops all bitmaps of a mask and the reference to it, so that it can be edited.
/// @param mask null: of all masks
PV_API void pv_mask_cache_evict(pv_mask_cache *cache, const pv_mask *mask);

/// Counts since the cache was made; all 0 for null.
PV_API pv_mask_cache_stats pv_mask_cache_get_stats(pv_mask_cache *cache);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
