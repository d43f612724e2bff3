/* dust.c - particles that fly off where something breaks, and vanish after a while.
 *
 * Invariant: the same random numbers give the same dust.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "stage/dust.h"

#include <math.h>

/// Number of particles in the world beyond which no more dust is created
enum { MOST = 400 };

void dust_burst(struct stage *stage, pv_vec2 at, double radius, int count, pv_vec2 velocity,
                double speed) {
    int room = MOST - pv_world_get_stats(stage->world).particles;
    pv_particle_def def = pv_particle_def_default();
    def.linear_damping = .6;
    for (int i = 0; i < count && i < room; i++) {
        pv_rotation r =
            pv_rotation_from_angle(stage_uniform(stage, -3.14159265358979, 3.14159265358979));
        double out = radius * sqrt(stage_uniform(stage, 0, 1)),
               fast = stage_uniform(stage, .2, 1) * speed;
        def.position = (pv_vec2){at.x + r.c * out, at.y + r.s * out};
        def.velocity = (pv_vec2){velocity.x + r.c * fast, velocity.y + r.s * fast};
        def.radius = stage_uniform(stage, .8, 2.2);
        def.mass = def.radius * def.radius;
        pv_particle_create(stage->world, &def, NULL);
    }
}

void dust_cloud(struct stage *stage, pv_composite_id cloud, pv_vec2 at, double radius, int count) {
    int room = MOST - pv_world_get_stats(stage->world).particles;
    pv_particle_def def = pv_particle_def_default();
    def.linear_damping = 3;
    def.mass = 1000; /* too heavy for explosions to move it much */
    def.collides = false;
    for (int i = 0; i < count && i < room; i++) {
        double x = stage_uniform(stage, -1, 1), y = stage_uniform(stage, -1, 1);
        def.position = (pv_vec2){at.x + x * radius, at.y + y * radius};
        def.velocity = (pv_vec2){x * 5 * radius, y * 3 * radius};
        def.radius = stage_uniform(stage, .25, .8) * radius;
        pv_particle_id puff = pv_particle_create(stage->world, &def, NULL);
        pv_composite_add_particle(stage->world, cloud, puff);
    }
}

void dust_float(struct stage *stage, pv_composite_id cloud) {
    double lift = -1.04 * pv_world_get_gravity(stage->world).y;
    pv_composite_apply_acceleration(stage->world, cloud, (pv_vec2){0, lift});
}

void dust_settle(struct stage *stage, int frame, int life) {
    pv_particle_id particle = pv_world_get_next_particle(stage->world, (pv_particle_id){0});
    while (stage_is_particle(particle)) {
        pv_particle_id next = pv_world_get_next_particle(stage->world, particle);
        intptr_t end = (intptr_t)pv_particle_get_user_data(stage->world, particle);
        if (end == 0) {
            end = frame + life / 2 + stage_pick(stage, life);
            pv_particle_set_user_data(stage->world, particle, (void *)end);
        }
        if (frame >= end) pv_particle_destroy(stage->world, particle);
        particle = next;
    }
}
