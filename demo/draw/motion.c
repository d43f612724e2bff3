/* motion.c - keeps one past pose per body and particle and interpolates to the current one.
 *
 * Invariant: a past pose is used only for the object from which it was recorded.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "draw/motion.h"

#include <stdlib.h>
#include <string.h>

struct motion_past {
    uint32_t generation;
    pv_vec2 position, pivot;
    pv_rotation rotation;
};

struct motion_grain {
    uint32_t generation;
    pv_vec2 position;
};

/// Grows an array to hold an index, its new entries all zero; returns null if memory runs out.
static void *reserved(void *array, uint32_t *capacity, uint32_t index, size_t size) {
    if (index < *capacity) return array;
    uint32_t larger = index < 64 ? 128 : index * 2;
    char *grown = realloc(array, larger * size);
    if (!grown) return NULL;
    memset(grown + *capacity * size, 0, (larger - *capacity) * size);
    *capacity = larger;
    return grown;
}

static void record_bodies(struct motion *motion, const pv_world *world) {
    pv_body_id body = pv_world_get_next_body(world, (pv_body_id){0});
    for (; pv_body_is_valid(world, body); body = pv_world_get_next_body(world, body)) {
        void *room = reserved(motion->past, &motion->capacity, body.index, sizeof *motion->past);
        if (!room) return;
        motion->past = room;
        pv_transform now = pv_body_get_transform(world, body);
        motion->past[body.index] =
            (struct motion_past){body.generation, now.position, now.pivot, now.rotation};
    }
}

static void record_particles(struct motion *motion, const pv_world *world) {
    pv_particle_id particle = pv_world_get_next_particle(world, (pv_particle_id){0});
    for (; particle.generation != 0; particle = pv_world_get_next_particle(world, particle)) {
        void *room = reserved(motion->grains, &motion->grain_capacity, particle.index,
                              sizeof *motion->grains);
        if (!room) return;
        motion->grains = room;
        motion->grains[particle.index] =
            (struct motion_grain){particle.generation, pv_particle_get_position(world, particle)};
    }
}

void motion_record(struct motion *motion, const pv_world *world) {
    record_bodies(motion, world);
    record_particles(motion, world);
}

static double blend(double from, double to, double fraction) {
    return from + (to - from) * fraction;
}

/// Returns the rotation at a fraction of the shorter turn from one rotation to another.
static pv_rotation turned(pv_rotation from, pv_rotation to, double fraction) {
    pv_rotation turn = {from.c * to.c + from.s * to.s, from.c * to.s - from.s * to.c};
    if (turn.s == 0) return to;
    return pv_rotation_from_angle(pv_rotation_get_angle(from) +
                                  pv_rotation_get_angle(turn) * fraction);
}

/// Returns the past position of the current pivot [px]. Carving moves a body's center of mass.
static pv_vec2 pivot_of(const struct motion_past *past, const pv_transform *now) {
    pv_vec2 d = {(now->pivot.x - past->pivot.x) * now->scale.x,
                 (now->pivot.y - past->pivot.y) * now->scale.y};
    pv_rotation r = past->rotation;
    return (pv_vec2){past->position.x + r.c * d.x - r.s * d.y,
                     past->position.y + r.s * d.x + r.c * d.y};
}

/// Tells whether a displacement is too long for one step, so that the object must have been
/// teleported.
static bool is_leap(pv_vec2 from, pv_vec2 to) {
    const double far = 200;
    double dx = to.x - from.x, dy = to.y - from.y;
    return dx * dx + dy * dy > far * far;
}

pv_transform motion_at(const struct motion *motion, const pv_world *world, pv_body_id body,
                       double fraction) {
    pv_transform now = pv_body_get_transform(world, body);
    if (body.index >= motion->capacity || motion->past[body.index].generation != body.generation)
        return now;
    const struct motion_past *past = &motion->past[body.index];
    pv_vec2 was = pivot_of(past, &now);
    if (is_leap(was, now.position)) return now;
    now.position.x = blend(was.x, now.position.x, fraction);
    now.position.y = blend(was.y, now.position.y, fraction);
    now.rotation = turned(past->rotation, now.rotation, fraction);
    return now;
}

pv_vec2 motion_particle_at(const struct motion *motion, const pv_world *world,
                           pv_particle_id particle, double fraction) {
    pv_vec2 now = pv_particle_get_position(world, particle);
    if (particle.index >= motion->grain_capacity) return now;
    const struct motion_grain *past = &motion->grains[particle.index];
    if (past->generation != particle.generation) return now;
    return (pv_vec2){blend(past->position.x, now.x, fraction),
                     blend(past->position.y, now.y, fraction)};
}

void motion_free(struct motion *motion) {
    free(motion->past);
    free(motion->grains);
    *motion = (struct motion){0};
}
