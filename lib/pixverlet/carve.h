/* pixverlet/carve.h - cuts, carving and fracture of bodies.
 *
 * Invariant: pixels, mass and joints change together, or nothing does.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_CARVE_H
#define PIXVERLET_CARVE_H

#include "pixverlet/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup carving Carving
 *  Cuts that remove pixels from bodies, or add pixels, while they move. Mass, center of mass,
 *  inertia and contours follow. A body that falls apart becomes several bodies. @{ */

/// Shapes of cuts.
typedef enum pv_cut_type {
    /// Circle
    PV_CUT_CIRCLE = 0,
    /// Upright box
    PV_CUT_BOX,
    /// Stroke with round ends
    PV_CUT_LINE,
    /// Polygon, filled with the even-odd rule
    PV_CUT_POLYGON,
    /// Solid pixels of a mask
    PV_CUT_MASK
} pv_cut_type;

/// A cut: the shape in which a body's pixels are removed or added. It covers the pixels whose
/// centers are inside. pv_cut_circle() and the functions after it return one, and the caller may
/// change its members. For values out of range they return zeros, and pv_body_carve() refuses that
/// cut.
typedef struct pv_cut {
    /// Shape of the cut
    pv_cut_type type;
    /// Coordinates in the body's picture; default false: in the world
    bool local;
    /// Addition of pixels within the picture; default false: removal
    bool add;
    /// Center of a circle (from), opposite corners of a box or ends of a line [px]
    pv_vec2 from, to;
    /// Radius of a circle or half the width of a line, >= 0 [px]
    double radius;
    /// Hardness above which pixels stay, 0...255; default 255: every pixel is removed
    int max_hardness;
    /// Corners of a polygon, borrowed for the call [px]
    const pv_vec2 *points;
    /// Number of corners, 3...65536
    int point_count;
    /// Mask of the shape, borrowed for the call
    const pv_mask *mask;
    /// Transform of the mask
    pv_transform transform;
    /// Mark set by the functions that return cuts
    unsigned cookie;
} pv_cut;

/// Returns a cut in the shape of a circle in the world [px].
PV_API pv_cut pv_cut_circle(pv_vec2 center, double radius);
/// Returns a cut in the shape of an upright box in the world [px].
PV_API pv_cut pv_cut_box(pv_vec2 corner, pv_vec2 opposite);
/// Returns a cut in the shape of a stroke with round ends in the world [px].
PV_API pv_cut pv_cut_line(pv_vec2 from, pv_vec2 to, double width);
/// Returns a cut in the shape of a polygon in the world [px]. The points are borrowed until the cut
/// is made.
PV_API pv_cut pv_cut_polygon(const pv_vec2 *points, int count);
/// Returns a cut in the shape of a placed mask in the world. The mask is borrowed until the cut is
/// made.
PV_API pv_cut pv_cut_mask(const pv_mask *mask, const pv_transform *transform);

/// The result of a cut.
typedef struct pv_carve_result {
    /// Number of pixels removed or added
    int64_t pixel_count;
    /// Bounds of these pixels in the picture; empty if there are none
    pv_rect rect;
    /// Mean of these pixels' centers in the world [px]; (0, 0) if there are none
    pv_vec2 center;
    /// Number of bodies that remain of the body: 0, 1 or more
    int body_count;
    /// Number of debris pixels: pixels of parts too small for a body, which vanished or became
    /// particles
    int64_t debris_pixels;
    /// Number of particles made of debris
    int debris_particles;
} pv_carve_result;

/// Removes pixels from a body, or adds some. The mass of a pixel, the angle and the velocity of
/// each remaining pixel stay the same. No body weighs less than 1e-9. Mass, center of mass and
/// inertia follow, and the picture stays in place in the world. The first change gives the body a
/// mask of its own; other users of the mask keep theirs.
///
/// A body that falls apart becomes several bodies, and the part with the most pixels keeps the id.
/// By default all parts of a static body stay static in place; pv_body_set_fracture() sets the
/// rules. A body without any pixel left is destroyed. A cut wakes the body and everything that
/// rests on it. A cut that covers none of its pixels changes nothing.
/// @param carved null, or gets the result
/// @return PV_ERROR_ARGUMENT for a null pointer, a cut not made by these functions, a radius < 0, a
/// max_hardness out of range or a wrong number of corners; PV_ERROR_NOT_FINITE; PV_ERROR_STALE_ID;
/// PV_ERROR_BUSY in callbacks; PV_ERROR_MEMORY; with nothing changed
PV_API pv_status pv_body_carve(pv_world *world, pv_body_id body, const pv_cut *cut,
                               pv_carve_result *carved);

/// Carves all bodies that a cut meets, in slot order, as pv_body_carve() does. Parts that split off
/// are not cut again. The filter's accept is asked before the first body changes.
/// @param cut in the world; a local one is refused
/// @param filter null for all bodies except sensors
/// @param total null, or gets the sum of all results, with the mean of all their pixels' centers.
/// Its rect is empty, as each body has a picture of its own.
/// @return the number of bodies whose pixels changed. A busy world or a bad cut gives 0, and the
/// world's report hook gets the reason. If memory runs out, the remaining bodies stay as they are.
PV_API int pv_world_carve(pv_world *world, const pv_cut *cut, const pv_query_filter *filter,
                          pv_carve_result *total);

/// Effects of a hit that breaks a body, at the end of the step. Only hits in pv_events count, so a
/// hit below the world's hit_event_threshold breaks nothing. Resting and pressing contacts break
/// nothing either. Each hit counts by itself, in the order of the events. With a material map, the
/// impulse must exceed the toughness of the pixel struck.
typedef enum pv_fracture_mode {
    /// Chip: removal of the pixels within 2 px * sqrt(impulse / toughness - 1) of the pixel struck.
    /// The radius is 2...16 px. The chip becomes debris. With a material map each pixel has its own
    /// toughness, and pixels tougher than the impulse stay.
    PV_FRACTURE_CHIP = 0,
    /// Crack: a cut through the body, about 2 px wide. It takes the shortest way through a point 2
    /// px inside the pixel struck. It tries those of 16 directions that are within 60 degrees of
    /// the hit's normal. With a material map length is weighted with toughness, and pixels tougher
    /// than the impulse stay.
    PV_FRACTURE_CRACK
} pv_fracture_mode;

/// The fracture rules of a body. pv_fracture_def_default() returns them. Parts that split off
/// inherit them.
typedef struct pv_fracture_def {
    /// Connectivity of pixels that hold together; default PV_CONNECTIVITY_4
    pv_connectivity connectivity;
    /// Size below which a part becomes debris, >= 1 [px^2]; default 12
    int min_part_pixels;
    /// Debris as particles of the same mass; default false: debris vanishes
    bool spawn_debris;
    /// Static parts of a static body, which stay in place; default true. With false the largest
    /// part stays, and the others become dynamic: islands of terrain that fall.
    bool keep_static;
    /// Impulse of a hit in one step above which the body breaks, >= 0 [mass px/s]; default 0:
    /// never. With a material map it is the toughness of hardness 0.
    double toughness;
    /// Effect of a breaking hit; default PV_FRACTURE_CHIP
    pv_fracture_mode mode;
    /// Mark set by pv_fracture_def_default()
    unsigned cookie;
} pv_fracture_def;

/// Returns the default fracture rules.
PV_API pv_fracture_def pv_fracture_def_default(void);

/// Sets the fracture rules of a body.
/// @return PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE, PV_ERROR_STALE_ID or PV_ERROR_BUSY, with nothing
/// changed
PV_API pv_status pv_body_set_fracture(pv_world *world, pv_body_id body,
                                      const pv_fracture_def *fracture);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
