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

/** @defgroup carving Carving Pixels are taken out of bodies, or put on, while they move; mass,
 * center, inertia and contours follow, and what falls apart becomes several bodies. @{ */

/// What a cut is.
typedef enum pv_cut_type {
    /// A disc
    PV_CUT_CIRCLE = 0,
    /// An upright box
    PV_CUT_BOX,
    /// A stroke with round ends
    PV_CUT_LINE,
    /// What a line around it goes around an odd number of times
    PV_CUT_POLYGON,
    /// The solid pixels of a mask
    PV_CUT_MASK
} pv_cut_type;

/// Which pixels of a body's picture go or come: those of which the center is inside. Get one from
/// pv_cut_circle() and its kind, then change what is to be different. What is out of range makes a
/// cut that is refused, all 0.
typedef struct pv_cut {
    /// What it is
    pv_cut_type type;
    /// Its places are the body's picture's; default false: the world's
    bool local;
    /// Pixels are put on, within the picture; default false: they are taken away
    bool add;
    /// Center of a circle; opposite corners of a box; ends of a line [px]
    pv_vec2 from, to;
    /// Of a circle; half the width of a line; >= 0 [px]
    double radius;
    /// Pixels harder than that stay, 0...255; default 255: none does
    int max_hardness;
    /// Corners of a polygon, borrowed for the call [px]
    const pv_vec2 *points;
    /// How many, 3...65536
    int point_count;
    /// Of a mask, borrowed for the call
    const pv_mask *mask;
    /// Where that is
    pv_transform transform;
    /// Set by the makers
    unsigned cookie;
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
    /// How many went, or came
    int64_t pixel_count;
    /// Around them, in the picture; empty when there are none
    pv_rect rect;
    /// The mean of their centers, in the world [px]; (0, 0) when there are none
    pv_vec2 center;
    /// Bodies that there are now: 0 when nothing is left of it, 1, or more
    int body_count;
    /// Pixels of parts that were too small to be bodies, and vanished or became particles
    int64_t debris_pixels;
    /// That crumbs became
    int debris_particles;
} pv_carve_result;

/// Takes pixels out of a body, or puts some on. The mass of a pixel, the angle and the velocity of
/// every pixel that is there before and after stay, but nothing weighs less than 1e-9; mass, center
/// of mass and inertia follow, and the picture stays where it is in the world. Its mask becomes its
/// own when it is first changed: others that share it keep theirs. What falls apart becomes several
/// bodies, of which the one of the most pixels keeps the name; pv_body_set_fracture() says how.
/// When nothing is left the body is destroyed. It wakes, and with it what rests on it; a cut that
/// meets none of its pixels changes nothing.
/// @param carved null, or gets what became of it
/// @return PV_ERROR_ARGUMENT for a null pointer, a cut that did not come from its makers, a radius
/// < 0, a strength that is none, too few or many corners, PV_ERROR_NOT_FINITE, PV_ERROR_STALE_ID,
/// PV_ERROR_BUSY in callbacks, PV_ERROR_MEMORY, with nothing changed
PV_API pv_status pv_body_carve(pv_world *world, pv_body_id body, const pv_cut *cut,
                               pv_carve_result *carved);

/// What a hit does to a body that it breaks, when the step is over. Hits are those that pv_events
/// tells of, so slower ones than the world's hit_speed break nothing, and neither does what rests
/// or presses. Each hit counts by itself, in their order. With a map nothing breaks but by an
/// impulse over the toughness of the very pixel that is struck.
typedef enum pv_fracture_mode {
    /// Knocks out the pixels within 2 px * sqrt(impulse / toughness - 1) of the one that was
    /// struck, but within 2 px at least and 16 px at most; they are crumbs. With a map the
    /// toughness is each pixel's own, and those that are tougher than the impulse stay
    PV_FRACTURE_CHIP = 0,
    /// Cuts through the body, some 2 px wide, by the shortest way through a place 2 px inside of
    /// what was struck; of 16 directions, those within 60 degrees of the hit's normal are looked
    /// at. With a map the way is as long as it is tough, and pixels tougher than the impulse stay
    PV_FRACTURE_CRACK
} pv_fracture_mode;

/// How a body falls apart. Get one from pv_fracture_def_default(). What falls off inherits it.
typedef struct pv_fracture_def {
    /// Which pixels hold on to each other; default PV_CONNECTIVITY_4
    pv_connectivity connectivity;
    /// Parts of fewer pixels are crumbs, >= 1; default 12
    int min_part_pixels;
    /// Crumbs become particles of their mass; default false: they vanish
    bool spawn_debris;
    /// Parts of a static body stay static where they are; default false: they are dynamic
    bool keep_static;
    /// Impulse of a hit in one step above which it breaks, with a map where its hardness is 0, >=
    /// 0; default 0: never [mass px/s]
    double toughness;
    /// How it does then; default chip
    pv_fracture_mode mode;
    /// Set by pv_fracture_def_default()
    unsigned cookie;
} pv_fracture_def;

/// The defaults named above.
PV_API pv_fracture_def pv_fracture_def_default(void);

/// Returns how a body falls apart from now on.
/// @return PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE, PV_ERROR_STALE_ID, PV_ERROR_BUSY, with nothing
/// changed
PV_API pv_status pv_body_set_fracture(pv_world *world, pv_body_id body,
                                      const pv_fracture_def *fracture);

/// Returns how a body falls apart; without a cookie for a stale name.
PV_API pv_fracture_def pv_body_get_fracture(const pv_world *world, pv_body_id body);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
