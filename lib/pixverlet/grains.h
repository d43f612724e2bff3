/* pixverlet/grains.h - populations of single-pixel grains: sand, rubble, sparks.
 *
 * Invariant: grains never move bodies. Positions are integers, so every machine computes the same.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_GRAINS_H
#define PIXVERLET_GRAINS_H

#include "pixverlet/carve.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup grains Grains
 *  Populations of up to four million grains of one pixel. Grains bounce on the exact pixels of
 *  bodies, slide, pile up at their angle of repose, and flow again when their support goes. They
 *  move once a step, by position Verlet in integers. @{ */

/// Greatest distance of a grain from the origin along an axis [px]; grains beyond it end
#define PV_GRAIN_FARTHEST 31744
/// Greatest number of grains in a population
#define PV_GRAIN_MOST 4194304
/// Value of y in the columns at a slot without a grain
#define PV_GRAIN_NONE INT32_MIN

/// Returns the color of a grain made from a pixel that a body loses. It is called during the change
/// of the body, so it must not change the world.
/// @param x, y the pixel in the body's picture
/// @return the color, in the byte order that the caller draws with
typedef uint32_t (*pv_grain_color_fn)(void *user_data, pv_body_id body, int x, int y);

/// The definition of a population. pv_grains_def_default() returns one.
typedef struct pv_grains_def {
    /// Greatest number of grains, 1...PV_GRAIN_MOST; default 100000. A further grain takes the slot
    /// of the oldest one.
    int capacity;
    /// Part of the approach speed that returns after a bounce, 0...1; default 0.2
    double restitution;
    /// Friction, 0...4; default 0.6. It slows grains on surfaces, and is the slope at which piles
    /// come to rest.
    double friction;
    /// Part of the velocity lost per second to the air, 0...30; default 0 [1/s]
    double linear_damping;
    /// Factor of the world's gravity, -16...16; default 1
    double gravity_scale;
    /// Time after which a grain ends, up to 1e6; default 0: never [s]
    double life;
    /// Piles; default true. With false grains only bounce and slide, and pass through each other.
    bool piles;
    /// Conversion of pixels that bodies lose by carving and fracture to grains; default false
    bool follow;
    /// Filter of the bodies that grains touch and follow; default: all
    pv_filter filter;
    /// Color of followed pixels if there is no color callback; default 0xffffffff
    uint32_t color;
    /// Color callback of followed pixels, or null
    pv_grain_color_fn color_callback;
    /// Argument of color_callback
    void *color_user_data;
    /// Mark set by pv_grains_def_default()
    unsigned cookie;
} pv_grains_def;

/// Id of a population; zeros: none
typedef struct pv_grains_id {
    /// Slot and number of its uses
    uint32_t index, generation;
} pv_grains_id;

/// A new grain
typedef struct pv_grain {
    /// Position [px]
    pv_vec2 position;
    /// Velocity [px/s]; clamped to 256 px per step along each axis
    pv_vec2 velocity;
    /// Color, in any byte order
    uint32_t color;
} pv_grain;

/// The columns of a population, borrowed until the world changes. Slots are in order of age,
/// beginning at oldest, modulo count.
typedef struct pv_grains_view {
    /// Number of slots in each column
    int count;
    /// Slot of the oldest grain
    int oldest;
    /// Positions in 1/65536 px; y is PV_GRAIN_NONE at a slot without a grain
    const int32_t *x, *y;
    /// Motion per step in 1/65536 px
    const int32_t *dx, *dy;
    /// Colors
    const uint32_t *color;
    /// Lower 32 bits of the step in which each grain was emitted
    const uint32_t *born;
} pv_grains_view;

/// Counts of a population. The last five are sums since its creation.
typedef struct pv_grains_stats {
    /// Numbers of grains that live, and of those that move
    int grains, moving;
    /// Grains emitted
    int64_t emitted;
    /// Grains that ended by age, or were replaced by newer ones
    int64_t expired;
    /// Grains that left the area, or were inside a body with no free pixel within 16 px
    int64_t lost;
    /// Grains that ended in a sink
    int64_t sunk;
    /// Grains that were merged into bodies
    int64_t merged;
} pv_grains_stats;

/// A sink: grains that enter it end and are counted.
typedef struct pv_grain_sink {
    /// Sensor whose solid pixels are the sink; null id: the box is the sink
    pv_body_id sensor;
    /// Box of a sink without a sensor [px]
    pv_box box;
} pv_grain_sink;

/// Counts of a sink.
typedef struct pv_grain_sink_count {
    /// Grains that ended in it in the last step
    int last_step;
    /// Grains that ended in it since its creation
    int64_t total;
} pv_grain_sink_count;

/// Receives the color of a grain that became a pixel of a body.
/// @param x, y the pixel in the body's picture
typedef void (*pv_grain_merge_fn)(void *user_data, int x, int y, uint32_t color);

/// Returns the default definition of a population.
PV_API pv_grains_def pv_grains_def_default(void);

/// Creates a population. Memory grows with the number of grains and the ground that they meet.
/// @return its id, or the null id with an error: PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE,
/// PV_ERROR_MEMORY or PV_ERROR_BUSY
PV_API pv_grains_id pv_grains_create(pv_world *world, const pv_grains_def *def, pv_error *error);

/// Destroys a population with all its grains.
/// @return PV_ERROR_STALE_ID, PV_ERROR_ARGUMENT for a null world, or PV_ERROR_BUSY
PV_API pv_status pv_grains_destroy(pv_world *world, pv_grains_id grains);

/// Tells whether an id belongs to a living population.
PV_API bool pv_grains_is_valid(const pv_world *world, pv_grains_id grains);

/// Emits grains. They move from the next step on. A grain inside a solid pixel comes out at the
/// nearest free pixel.
/// @param count 0...PV_GRAIN_MOST
/// @return PV_ERROR_ARGUMENT, also for a position beyond PV_GRAIN_FARTHEST; PV_ERROR_NOT_FINITE,
/// PV_ERROR_STALE_ID, PV_ERROR_MEMORY or PV_ERROR_BUSY, with nothing changed
PV_API pv_status pv_grains_emit(pv_world *world, pv_grains_id grains, const pv_grain *list,
                                int count);

/// Emits a grain for each solid pixel of a placed mask, at the pixel's center.
/// @param colors null for the population's color, or width * height colors of the mask's pixels, in
/// rows
/// @param velocity velocity of the placed mask's pivot [px/s]
/// @param angular_velocity angular velocity about the pivot [rad/s]
/// @return the same errors as pv_grains_emit(), with nothing changed. Pixels beyond
/// PV_GRAIN_FARTHEST are left out.
PV_API pv_status pv_grains_emit_mask(pv_world *world, pv_grains_id grains, const pv_placed *placed,
                                     const uint32_t *colors, pv_vec2 velocity,
                                     double angular_velocity);

/// Returns the columns of a population; zeros for an id that is no longer valid.
PV_API pv_grains_view pv_grains_get_view(const pv_world *world, pv_grains_id grains);

/// Returns the counts of a population; zeros for an id that is no longer valid.
PV_API pv_grains_stats pv_grains_get_stats(const pv_world *world, pv_grains_id grains);

/// Blends the grains of a population over a canvas. A grain covers the canvas pixels whose centers
/// are in its world pixel, at least one. Its color is 0xRRGGBBAA.
/// @param view the columns x, y and color
/// @param top_left point of the world at the canvas's upper left corner [px]
/// @param zoom number of canvas pixels for a pixel of the world, 1/64...64
/// @return PV_ERROR_ARGUMENT or PV_ERROR_NOT_FINITE, with nothing drawn
PV_API pv_status pv_canvas_draw_grains(const pv_canvas *canvas, const pv_grains_view *view,
                                       pv_vec2 top_left, double zoom);

/// Adds a sink to a population, 64 at most.
/// @return PV_ERROR_ARGUMENT, PV_ERROR_NOT_FINITE, PV_ERROR_STALE_ID, PV_ERROR_TOO_LARGE for too
/// many, or PV_ERROR_BUSY, with nothing changed
PV_API pv_status pv_grains_add_sink(pv_world *world, pv_grains_id grains,
                                    const pv_grain_sink *sink);

/// Copies the counts of the sinks to an array, in the order in which they were added. A sink stops
/// counting when its sensor is destroyed.
/// @return the number of all sinks; 0 for an id that is no longer valid
PV_API int pv_grains_get_sink_counts(const pv_world *world, pv_grains_id grains,
                                     pv_grain_sink_count *counts, int capacity);

/// Adds the resting grains of a rectangle to a body's pixels, and removes them. Grains become
/// pixels only within the body's picture. The body must be upright, at scale 1 and at whole pixels.
/// @param rect world pixels, at most 64 x 64
/// @param merge null, or gets the color of each pixel, to paint the picture
/// @return the number of grains that became pixels. For 0 with an error, the world's report hook
/// gets the reason: PV_ERROR_ARGUMENT, PV_ERROR_STALE_ID, PV_ERROR_MEMORY or PV_ERROR_BUSY, with
/// nothing changed.
PV_API int pv_grains_merge(pv_world *world, pv_grains_id grains, pv_body_id body, pv_rect rect,
                           pv_grain_merge_fn merge, void *user_data);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
