/* pixverlet/mover.h - platform characters that walk by exact pixels.
 *
 * Invariant: a mover is a value of the caller. Between two moves it shares no pixel with a body
 * that blocks it.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PIXVERLET_MOVER_H
#define PIXVERLET_MOVER_H

#include "pixverlet/body.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup mover Mover
 *  Platform characters: masks that walk, climb, fall and ride among the bodies of a world, by
 *  exact pixels. @{ */

/* A mover is a plain value of the caller, and the world does not know it. It is always upright.
 * Bodies of all types that pass its filter support and stop it; polygons do so with the pixels that
 * queries use. Sensors, disabled bodies and particles do not. Its position may be fractional;
 * pv_mover_get_transform() gives the place of its pixels. Between two calls it shares no pixel with
 * a body that can block it, unless it is crushed.
 *
 * pv_mover_move() asks the world's filter and presolve callbacks about bodies that may block the
 * mover. The callbacks get the id of the mover's body, or the null id, which comes before all
 * others. They may be asked more than once. Only the result of presolve counts, not its changes
 * to the contact. The contact's speed is that of the requested move. Its separation is 0, or -1
 * if the two already share pixels.
 *
 * A game calls it once per step, best after the step, so that all bodies are where they are
 * drawn. The game owns gravity, jumps and the rules for jumping. It passes a velocity, and
 * continues with the velocity left over from the last move.
 *
 *     pv_world_step(world, dt);
 *     velocity = PV_VEC2(150 * right - 150 * left, hero.velocity.y + 900 * dt);
 *     if (jump && hero.grounded) velocity.y = hero.ground_velocity.y - 350; // likewise x
 *     pv_mover_move(world, &hero, velocity, dt); */

/// A platform character. pv_mover_default() returns one.
typedef struct pv_mover {
    /* members that the game may change at any time */
    /// Mask of the mover, borrowed; null: the mask of its body. Another frame of a sprite has a
    /// pivot of its own.
    const pv_mask *mask;
    /// Pivot in the mask, for example between the feet; default (0, 0) [px]
    pv_vec2 pivot;
    /// Position of the pivot in the world [px]
    pv_vec2 position;
    /// Kinematic body of the mover, or the null id; default: the null id. It is driven so that its
    /// picture begins at the mask's corner. Others collide with that body, using its own filter. It
    /// does not stop the mover.
    pv_body_id body;
    /// Filter of a mover without a body; default: all
    pv_filter filter;
    /// Largest climb per px sideways, on slopes and stairs, 0...64; default 4 [px]
    int step_height;
    /// Largest descent along the ground per px sideways, 0...64; default 4 [px]
    int ground_snap;
    /// Largest push out of bodies that moved into it, 0...64; default 16 [px]
    int max_push_out;
    /// Passage through one-way bodies; default false
    bool drop_through;
    /// Steepest ground for standing and climbing, 0...pi/2 [rad]; default pi/2: limited by
    /// step_height only. The slope is measured over 8 px to both sides. The mover slides on steeper
    /// ground.
    double max_slope;
    /// Time for which the mover stays crushed before it escapes to the nearest free place,
    /// 0...1e12; default 0.25 [s]. The place may be farther than max_push_out.
    double escape_delay;
    /// Force of its pushes against dynamic bodies at its sides, 0...1e12; default 0 [mass px/s^2]
    double push_force;
    /// Mass with which it loads the dynamic bodies that it stands on, 0...1e12; default 0
    double mass;

    /* results of the last move */
    /// Velocity left over; for a grounded mover relative to the ground's velocity [px/s]
    pv_vec2 velocity;
    /// Support from below, without rising relative to the ground
    bool grounded;
    /// Stop above
    bool hit_ceiling;
    /// Stops at the left and right sides, at bodies too high to climb
    bool hit_wall_left, hit_wall_right;
    /// Slide on ground steeper than max_slope, without being grounded; velocity.y is its speed
    /// downward
    bool sliding;
    /// Shared pixels with a blocking body and no way out; the mover did not move
    bool crushed;
    /// Begin and end of being crushed in this move
    bool crush_began, crush_ended;
    /// Time of being crushed so far; 0 if it is not crushed [s]
    double crush_time;
    /// Body that it stands on; the null id in the air
    pv_body_id ground;
    /// Body that stopped it at a side, or the null id
    pv_body_id wall;
    /// Normal of the ground as walked on, of length 1; (0, -1) in the air
    pv_vec2 ground_normal;
    /// Velocity of the ground's surface under it [px/s]
    pv_vec2 ground_velocity;
    /// Point where it stands on the ground [px]
    pv_vec2 ground_point;

    /// Standing point in the ground's own rotation, from its center [px]
    pv_vec2 ground_local_point;
    /// Bodies that it passes through until they separate
    pv_body_id passing[4];
    /// Mark set by pv_mover_default()
    unsigned cookie;
} pv_mover;

/// Returns a mover in the air with the default settings.
PV_API pv_mover pv_mover_default(void);

/// Moves a mover for one step, pixel by pixel.
///
/// First the ground carries it along. The carry is the motion of its standing point since the last
/// call, up to 256 px, stopped by walls. The ground's tangent speed (pv_body_def.tangent_speed)
/// carries it sideways. Bodies that moved into it then push it out along one of eight directions. A
/// mover without a way out is crushed, except that one-way bodies let it through. A crushed mover
/// stands still. Bodies that share pixels with it neither block nor carry it.
///
/// After escape_delay a crushed mover goes to the nearest free place. The limit is 64 px or its
/// larger side, and at most 128 px. The way there may pass through all dynamic bodies, and through
/// the kinematic and one-way bodies that it overlaps. No way out passes through a static body: a
/// character that stands up under a low roof stays crushed. Ask pv_mover_fits() first.
///
/// A free mover moves by velocity * dt, close to the straight line. It keeps its speed sideways up
/// and down slopes and stairs. In the air it also goes up a ledge of step_height and down under a
/// sloping ceiling. Off a ledge it falls for the whole step. A blocking body stops only the motion
/// along the blocked axis.
///
/// A one-way body blocks a mover that comes against its front within 60 degrees and did not overlap
/// it before. It can also be climbed as a step. A rising one-way body lifts the mover.
///
/// Its push accelerates bodies up to its own speed in the next step. Its body goes with it as in
/// pv_body_move_to(), for the next step of length dt. A body more than 1 px away is first moved to
/// the mover's old place. A mover with a body keeps half a pixel from dynamic bodies at its sides.
/// It keeps a quarter of a pixel from dynamic bodies under it. Rounding therefore never presses its
/// body into them.
/// @param world changed through forces and through the mover's body
/// @param mover changed; the caller may have set its position anywhere, best with grounded set to
/// false
/// @param velocity relative to the ground that it stands on [px/s]
/// @param dt 1e-9...1 [s]; velocity * dt is at most 4096 px along each axis
/// @return PV_ERROR_ARGUMENT, also for a body that is not kinematic and for neither mask nor body;
/// PV_ERROR_NOT_FINITE; PV_ERROR_EMPTY for a mask without size; PV_ERROR_STALE_ID for its body;
/// PV_ERROR_BUSY in a callback; with the mover unchanged. A ground that is no longer valid counts
/// as none.
PV_API pv_status pv_mover_move(pv_world *world, pv_mover *mover, pv_vec2 velocity, double dt);

/// Returns the transform that draws the mask at the mover's position. Null gives
/// pv_transform_identity(). Non-finite values stay non-finite.
PV_API pv_transform pv_mover_get_transform(const pv_mover *mover);
/// Tells whether a mask fits at the mover's position: no body that holds the mover shares a pixel
/// with it. Ask before the character stands up or grows. Filters and presolve are those of
/// pv_mover_move(), and one-way bodies other than the ground let the mover through. It may be
/// called from any thread while no thread changes the world.
/// @param mover in a state that pv_mover_move() takes
/// @param mask null for the mover's mask
/// @param pivot in that mask, which the mover's position becomes [px]
/// @return false also for what pv_mover_move() refuses, an empty mask and a pivot that is not
/// finite; the world's report hook gets the reason
PV_API bool pv_mover_fits(const pv_world *world, const pv_mover *mover, const pv_mask *mask,
                          pv_vec2 pivot);
/// Finds the bodies that share a pixel with the mover's mask, in slot order: coins, spikes, doors.
/// The test is that of pv_world_query_mask(). The mover's own body is left out.
/// @param mover in a state that pv_mover_move() takes
/// @param filter null for all bodies except sensors; accept is not asked about the mover's body
/// @param bodies destination; may be null if capacity is 0
/// @param capacity size of the array, in ids
/// @return the number of all bodies found, which may exceed capacity. For what pv_mover_move()
/// refuses it is 0, and the world's report hook gets the reason.
PV_API int pv_mover_query(const pv_world *world, const pv_mover *mover,
                          const pv_query_filter *filter, pv_body_id *bodies, int capacity);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
