/* particles.c - thousands of particles rain on a planet, a wheel and hills; particles at rest begin
 * again.
 *
 * Invariant: there are never more than MOST of them.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

/// Number of all particles, and of particles that start to fall before a step
#define MOST 4000
#define RATE 20

/// Height and speed of the rain's start, and height above which no particle begins again [px],
/// [px/s], [px]
static const double cloud = -10, speed = 60, highest = 60;

/// Colors of the particles, one for each way of bouncing
static const uint32_t colors[] = {0xf4fbffff, 0x9ad8ffff, 0xffe9a0ff};

struct memory {
    pv_composite_id kinds[3];
};

/// Speed below which a particle is at rest [px/s]
static const double rest = 4;

static pv_vec2 drop_place(struct stage *stage) {
    return (pv_vec2){stage_uniform(stage, 20, 1260), cloud - stage_uniform(stage, 0, 20)};
}

/// Creates a particle. They bounce in turns with contacts, with swapped places, and with
/// reflection.
static void add_drop(struct stage *stage, int index) {
    pv_particle_def def = pv_particle_def_default();
    def.position = drop_place(stage);
    def.velocity = (pv_vec2){stage_uniform(stage, -20, 20), speed};
    def.radius = 1 + index % 3;
    def.mass = def.radius * def.radius;
    def.linear_damping = 0.3;
    def.restitution = 0.6;
    def.static_friction = def.friction = 0.2;
    def.bounce = (pv_bounce)(index / 3 % 3);
    pv_particle_id drop = pv_particle_create(stage->world, &def, NULL);
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (memory) pv_composite_add_particle(stage->world, memory->kinds[def.bounce], drop);
}

static void add_wheel(struct stage *stage, double x, double y) {
    pv_body_id wheel = stage_add(stage, "gear", x, y, 0);
    pv_joint_def def = pv_joint_def_default();
    def.type = PV_JOINT_PIN;
    def.a = pv_anchor_world((pv_vec2){x, y});
    def.b = pv_anchor_body(wheel, (pv_vec2){x, y});
    pv_joint_create(stage->world, &def, NULL);
    stage_add_static(stage, "plank", x - 96, y - 60);
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    for (int i = 0; memory && i < 3; i++) {
        memory->kinds[i] = pv_composite_create(stage->world, NULL);
        stage_paint(stage, memory->kinds[i], (struct stage_paint){.dot = colors[i]});
    }
    stage_set_view(stage, 1280, 720);
    stage_add_static(stage, "ground", 0, 480);
    stage_add_fence(stage, 720);
    stage_add_static(stage, "planet", 250, 130);
    add_wheel(stage, 760, 270);
    add_wheel(stage, 1000, 330);
}

static bool is_spent(const pv_world *world, pv_particle_id p) {
    pv_vec2 at = pv_particle_get_position(world, p), v = pv_particle_get_velocity(world, p);
    return at.y > 720 || (at.y > highest && v.x * v.x + v.y * v.y < rest * rest);
}

static void take_up(struct stage *stage, pv_particle_id p) {
    pv_particle_set_position(stage->world, p, drop_place(stage));
    pv_particle_set_velocity(stage->world, p, (pv_vec2){stage_uniform(stage, -20, 20), speed});
}

static void update(struct stage *stage) {
    int count = pv_world_get_stats(stage->world).particles, left = RATE;
    if (count < MOST) {
        while (left-- > 0) add_drop(stage, count++);
        return;
    }
    for (pv_particle_id p = {0};
         left > 0 && (p = pv_world_get_next_particle(stage->world, p)).index;)
        if (is_spent(stage->world, p)) {
            take_up(stage, p);
            left--;
        }
}

const struct scene scene_particles = {"particles", "particles rain on a planet, wheels and hills",
                                      setup, update};
