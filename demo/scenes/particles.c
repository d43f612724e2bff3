/* particles.c - a hundred small balls drop on a large one and on the ground. After that,
 * each new ball replaces the oldest.
 *
 * Invariant: there is one large ball, and never more than SMALL small ones.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/props.h"

/// Number of small balls, and frames from one to the next, at first and later
enum { SMALL = 100, SOON = 3, LATER = 20, COLORS = 6 };

/// Colors of the small balls
static const uint32_t colors[COLORS] = {0xe8b04cff, 0x6fb3d8ff, 0xd85a4cff,
                                        0x8fbf6aff, 0xb08fd0ff, 0xf2ead8ff};

/// Sliders
enum { KNOB_BOUNCE, KNOB_PACE };

struct memory {
    pv_body_id balls[SMALL];
    struct sprite *looks[COLORS];
    int frame, next;
};

static void place(struct stage *stage, struct memory *memory, int which, pv_vec2 at) {
    pv_body_def def = pv_body_def_default();
    def.position = at;
    def.velocity.x = stage_uniform(stage, -20, 20);
    def.restitution = stage->knobs[KNOB_BOUNCE].value;
    def.static_friction = def.friction = .2;
    pv_body_id *ball = &memory->balls[which % SMALL];
    if (pv_body_is_valid(stage->world, *ball)) pv_body_destroy(stage->world, *ball);
    *ball = stage_put(stage, memory->looks[which % COLORS], def);
}

/// Left edge of the view on the ground's picture, and top of the ground [px]
static const double left = 160, ground = 300;

/// Drops the next small ball: every second one above the large ball, the others anywhere above the
/// ground.
static void drop(struct stage *stage, struct memory *memory) {
    int which = memory->next++;
    pv_vec2 at = {which % 2 ? stage_uniform(stage, 440, 640) - left : stage_uniform(stage, 20, 940),
                  -20};
    place(stage, memory, which, at);
}

/// Drops a small ball from the mouse.
static bool press(struct stage *stage, pv_vec2 at) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory || stage_is_body(pv_world_pick_body(stage->world, at))) return false;
    place(stage, memory, memory->next++, at);
    return true;
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    for (int i = 0; memory && i < COLORS; i++)
        memory->looks[i] = props_tinted(stage, "ball_small", (colors[i] & ~255u) | 160);
    stage_set_view(stage, 960, 540);
    stage->hooks.press = press;
    stage->hint = "click: drop a ball";
    stage_add_knob(stage, "bounce", 0, .95, .6);
    stage_add_knob(stage, "steps per ball", 5, 120, LATER);
    stage_add_static(stage, "ground", -left, ground);
    stage_add_fence(stage, 720);
    pv_body_id large = stage_add(stage, "planet", 540 - left, ground - 10, .2);
    stage_set_surface(stage->world, large, .3, .8, .6);
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    if (memory->frame++ % (memory->next < SMALL ? SOON : stage_knob_count(stage, KNOB_PACE)) == 0)
        drop(stage, memory);
}

const struct scene scene_particles = {
    "particles", "a hundred small balls drop on a large one and on the ground", setup, update};
