/* motion.c - keeps one past placement per body and blends it with the present one.
 *
 * Invariant: a placement is used only for the very body that it was recorded of.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "motion.h"

#include <stdlib.h>
#include <string.h>

struct motion_past {
    uint32_t generation;
    pv_vec2 position;
    pv_rotation rotation;
};

static bool reserve(struct motion *motion, uint32_t index) {
    if (index < motion->capacity) return true;
    uint32_t capacity = index < 64 ? 128 : index * 2;
    struct motion_past *grown = realloc(motion->past, capacity * sizeof *grown);
    if (!grown) return false;
    memset(grown + motion->capacity, 0, (capacity - motion->capacity) * sizeof *grown);
    motion->past = grown;
    motion->capacity = capacity;
    return true;
}

void motion_record(struct motion *motion, const pv_world *world) {
    pv_body body = pv_world_next_body(world, (pv_body){0});
    for (; pv_body_is_valid(world, body); body = pv_world_next_body(world, body)) {
        if (!reserve(motion, body.index)) return;
        pv_transform now = pv_body_transform(world, body);
        motion->past[body.index] = (struct motion_past){body.generation, now.position, now.rotation};
    }
}

static double blend(double from, double to, double fraction) { return from + (to - from) * fraction; }

/// A fraction of the way from one rotation to another, the short way round.
static pv_rotation turned(pv_rotation from, pv_rotation to, double fraction) {
    pv_rotation turn = {from.c * to.c + from.s * to.s, from.c * to.s - from.s * to.c};
    if (turn.s == 0) return to;
    return pv_rotation_from_angle(pv_rotation_angle(from) + pv_rotation_angle(turn) * fraction);
}

pv_transform motion_at(const struct motion *motion, const pv_world *world, pv_body body, double fraction) {
    pv_transform now = pv_body_transform(world, body);
    if (body.index >= motion->capacity || motion->past[body.index].generation != body.generation) return now;
    const struct motion_past *past = &motion->past[body.index];
    now.position.x = blend(past->position.x, now.position.x, fraction);
    now.position.y = blend(past->position.y, now.position.y, fraction);
    now.rotation = turned(past->rotation, now.rotation, fraction);
    return now;
}

void motion_free(struct motion *motion) {
    free(motion->past);
    *motion = (struct motion){0};
}
