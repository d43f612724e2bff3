/* pixverlet/mover.h - platform characters that walk by exact pixels.
 *
 * Invariant: a mover is a value of the caller; between two moves it shares no pixel with what holds
 * it.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_MOVER_H
#define PIXVERLET_MOVER_H

#include "pixverlet/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup mover Mover Platform characters: a mask that walks, climbs, falls and is carried among
 * the bodies of a world, by their exact pixels. @{ */

/* A mover is a plain value of the caller; the world knows nothing of it. It is always upright. It
 * stands on and is stopped by bodies of all types that their filters let it meet, but not by
 * sensors, what is disabled, particles and polygons. Its position is a real number, its pixels are
 * where pv_mover_get_transform() draws them, and between two calls it shares none with what can
 * hold it, unless it is crushed.
 *
 * pv_mover_move() asks the world's filter and presolve about what may hold the mover. They are told
 * the name of its body, or the null name, which comes before all others. They may be asked more
 * than once. Of what presolve says its verdict alone counts. The speed is that of the move that the
 * game asks for; the gap is 0, or -1 where the two share pixels already.
 *
 * Move it once a step: best after the step, then all lies as it is drawn. The game owns gravity,
 * jumps, and when one is still or already allowed: it hands in a velocity, and goes on with what is
 * left of it.
 *
 *     pv_world_step(world, dt);
 *     velocity = (pv_vec2){150 * right - 150 * left, hero.velocity.y + 900 * dt};
 *     if (jump && hero.grounded) velocity.y = hero.ground_velocity.y - 350; // and so with x, where that is kept in the air
 *     pv_mover_move(world, &hero, velocity, dt); */

/// A platform character. Get one from pv_mover_default().
typedef struct pv_mover {
    /* the game's, to change at any time */
    /// Borrowed; null: that of body. Another frame of a sprite comes with a pivot of its own
    const pv_mask *mask;
    /// In the mask, for example between the feet; default (0, 0) [px]
    pv_vec2 pivot;
    /// Where the pivot is in the world [px]
    pv_vec2 position;
    /// The null name, or a kinematic body that is driven so that its picture begins where the mask
    /// does: others meet that, by its own filter, and it does not stop the mover; default: none.
    pv_body_id body;
    /// Whom it meets without a body; default everybody
    pv_filter filter;
    /// How far it climbs for each px that it goes to a side: slopes and stairs, 0...64; default 4
    /// [px]
    int step_height;
    /// How far it follows the ground down for each, 0...64; default 4 [px]
    int ground_snap;
    /// How far it is pushed out of what has moved into it, 0...64; default 16 [px]
    int max_push_out;
    /// It goes through one-way bodies; default false
    bool drop_through;
    /// The steepest ground that it stands on and climbs, measured over 8 px to both sides; on
    /// steeper it slides. 0...pi/2; default pi/2: all that step allows [rad]
    double max_slope;
    /// Time that it is crushed before it is put to the nearest free place, farther than push.
    /// 0...1e12; default 0.25 [s]
    double escape_delay;
    /// Of its pushes against dynamic bodies at its sides, 0...1e12; default 0 [mass px/s^2]
    double push_force;
    /// With which it loads dynamic bodies that it stands on, 0...1e12; default 0
    double mass;

    /* what the last move came to */
    /// What is left of the velocity; where it is grounded, beside the ground's [px/s]
    pv_vec2 velocity;
    /// It does not rise, beside the ground, and something holds it from below
    bool grounded;
    /// Stopped above
    bool hit_ceiling;
    /// Stopped at a side, by what is too high to climb
    bool hit_wall_left, hit_wall_right;
    /// On what is steeper than max_slope, and not grounded: velocity.y is its speed downwards
    bool sliding;
    /// It shares pixels with what holds it, and there is no way out: it did not go
    bool crushed;
    /// In this move
    bool crush_began, crush_ended;
    /// For how long it has been crushed; 0 when it is not [s]
    double crush_time;
    /// What it stands on; the null name in the air
    pv_body_id ground;
    /// What stopped it at a side, or the null name
    pv_body_id wall;
    /// Of the ground as it is walked on, of length 1; (0, -1) in the air
    pv_vec2 ground_normal;
    /// Of the ground's surface under it [px/s]
    pv_vec2 ground_velocity;
    /// Where it stands on the ground [px]
    pv_vec2 ground_point;

    /// That point in the ground's own rotation, from its center [px]
    pv_vec2 ground_local_point;
    /// What it goes through until apart
    pv_body_id passing[4];
    /// Set by pv_mover_default()
    unsigned cookie;
} pv_mover;

/// The defaults named above, in the air.
PV_API pv_mover pv_mover_default(void);

/// Moves a mover on, pixel by pixel.
///
/// First what it stands on takes it along: by what the point that it stands on has moved since the
/// last call, whatever moved that, up to 256 px, stopped by walls; and by what its surface runs to
/// a side (pv_body_def.tangent_speed). Then it is pushed out of what has moved into it, along one
/// of eight directions. Without a way out it is crushed, but one-way bodies let it through. A
/// crushed mover stands still, and what it shares pixels with neither holds nor carries it. After
/// escape_delay it is put to the nearest free place: up to 64 px away, or the larger of its sides
/// if that is more, but no more than 128 px. The way there leads through what it shares pixels
/// with, dynamic bodies and one-way ones, and through no others. Else it goes by velocity * dt,
/// near the straight line: to the sides up and down slopes and stairs at the same speed, in the air
/// up a ledge of step px and down under a sloping ceiling, too. Off a ledge it falls for all of the
/// step. What holds it stops it along that axis alone. A one-way body holds it where it comes
/// against its front by less than 60 degrees, not sharing a pixel with it before, and as a step to
/// climb on; one that rises into it lifts it.
///
/// What it pushes is accelerated up to its own speed, in the next step. Its body goes with it as by
/// pv_body_move_to() for the next step, of length dt; if the two are more than 1 px apart, the body
/// is put to where the mover was at first. With a body it keeps half a pixel from dynamic bodies at
/// its sides and a quarter from those under it: the body presses them by no rounding.
/// @param world changed by forces, and by its body's motion
/// @param mover changed; its position may have been set anywhere, best with grounded set to false
/// @param velocity beside that of the ground that it stands on [px/s]
/// @param dt 1e-9...1 [s]; velocity * dt goes up to 4096 px along each axis
/// @return PV_ERROR_ARGUMENT, also for a body that is not kinematic and for neither mask nor body,
/// PV_ERROR_NOT_FINITE, PV_ERROR_EMPTY for a mask of no size, PV_ERROR_STALE_ID for its body (a
/// stale ground is none), PV_ERROR_BUSY within a callback, with the mover unchanged
PV_API pv_status pv_mover_move(pv_world *world, pv_mover *mover, pv_vec2 velocity, double dt);

/// Returns what to draw it with: mask at position. The default transform for null; what is not
/// finite stays so.
PV_API pv_transform pv_mover_get_transform(const pv_mover *mover);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
