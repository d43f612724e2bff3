/* poses.c - where bodies and particles are, as arrays for the drawing of a frame.
 *
 * Invariant: arrays are in slot order, at most capacity items are written, and the result is the
 * number of all of them. Nothing in the world changes.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/pose.h"

static pv_pose pose_of(const pv_world *world, int index) {
    const pv__body *b = &world->bodies.items[index];
    pv_transform t = pv__body_transform(b, b->pose);
    return (pv_pose){
        .body = pv__handle_of_body(world, index),
        .user_data = b->user_data,
        .position = b->pose.center,
        .rotation = b->pose.turn,
        .top_left = pv_transform_to_world(&t, pv__vec(0, 0)),
    };
}

static bool pose_is_selected(const pv__body *b, unsigned flags) {
    return pv__body_is_alive(b) && (!b->disabled || (flags & PV_POSES_DISABLED)) &&
           (b->awake || !(flags & PV_POSES_AWAKE));
}

int pv_world_get_poses(const pv_world *world, unsigned flags, pv_pose *poses, int capacity) {
    int count = 0;
    for (int i = 0; world && i < world->bodies.count; i++) {
        if (!pose_is_selected(&world->bodies.items[i], flags)) continue;
        if (poses && count < capacity) poses[count] = pose_of(world, i);
        count++;
    }
    return count;
}

pv_pose pv_pose_lerp(const pv_pose *from, const pv_pose *to, double t) {
    if (!from || !to) return (pv_pose){0};
    pv_pose pose = *to;
    t = t > 0 ? pv__min(t, 1) : 0;
    pv_vec2 turn = pv_vec2_lerp(pv__vec(from->rotation.c, from->rotation.s),
                                pv__vec(to->rotation.c, to->rotation.s), t);
    pv_vec2 corner = pv__unrotate(to->rotation, pv__sub(to->top_left, to->position));
    turn = pv__direction(turn);
    if (turn.x != 0 || turn.y != 0) pose.rotation = (pv_rotation){turn.x, turn.y};
    pose.position = pv_vec2_lerp(from->position, to->position, t);
    pose.top_left = pv__add(pose.position, pv__rotate(pose.rotation, corner));
    return pose;
}

int pv_world_get_particle_positions(const pv_world *world, float *xy, int capacity) {
    int count = 0;
    pv_particle_id p = pv_null_particle;
    for (; (p = pv_world_get_next_particle(world, p)).index; count++) {
        if (!xy || count >= capacity) continue;
        pv_vec2 at = pv_particle_get_position(world, p);
        xy[2 * count] = (float)at.x;
        xy[2 * count + 1] = (float)at.y;
    }
    return count;
}
