/* spin.c - rotating bodies without gravity: spin stays, hits off the center make a plank rotate,
 * and a stirrer stirs a drum of balls.
 *
 * Invariant: only contacts change an angular velocity, and only the stirrer adds energy.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"
#include "stage/props.h"
#include "stage/texture.h"

static const double half_turn = 3.14159265358979323846;

/// Middle of the drum, its inner and outer radius [px]
static const pv_vec2 drum = {494, 180};
static const double inner = 118, outer = 128;

/// Middle of the plank that is hit
static const pv_vec2 couple = {262, 180};

/// Angular velocity of the stirrer [rad/s]
static const double pace = 2.5;

enum { TOPS = 3, BALLS = 40, COLORS = 5, LONG = 198, THICK = 14 };

/// Frames from one pair of missiles to the next
enum { ROUND = 420 };

/// Colors of balls
static const uint32_t colors[COLORS] = {0xe05048c0u, 0xe8c048c0u, 0x68b858c0u, 0x48a8c0c0u,
                                        0x9878d8c0u};

struct memory {
    pv_body_id stirrer, plank, missiles[2];
    /// Angular velocity of the stirrer [rad/s]
    double pace;
    int frame;
};

static pv_body_id add_moving(struct stage *stage, const struct sprite *sprite, pv_vec2 at,
                             pv_vec2 velocity) {
    pv_body_def def = pv_body_def_default();
    def.position = at;
    def.velocity = velocity;
    return stage_put(stage, sprite, def);
}

/// Creates a ring that nothing leaves.
static void add_drum(struct stage *stage) {
    const int size = 2 * (int)outer;
    pv_image *image = props_picture(stage, size, size);
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            double dx = x + .5 - outer, dy = y + .5 - outer, out = dx * dx + dy * dy;
            if (out > outer * outer || out < inner * inner) continue;
            bool edge = out > (outer - 2) * (outer - 2) || out < (inner + 1) * (inner + 1);
            props_dot(image, x, y, edge ? 0x38445cffu : texture_lit(0x7890b0ffu, 1 - dy / 500));
        }
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_STATIC;
    def.position = drum;
    stage_put(stage, stage_keep(stage, "drum", image, NULL), def);
}

/// Creates a bar that turns in the drum, and balls around it.
static void add_stirrer(struct stage *stage, struct memory *memory) {
    pv_image *image = props_picture(stage, LONG, THICK);
    for (int x = THICK / 2; x <= LONG - THICK / 2; x++)
        props_disc(image, x, THICK / 2.0, THICK / 2.0, 0x5a3418ffu);
    for (int x = THICK / 2; x <= LONG - THICK / 2; x++)
        props_disc(image, x, THICK / 2.0, THICK / 2.0 - 2, 0xe0a040ffu);
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_KINEMATIC;
    def.position = drum;
    def.angular_velocity = memory->pace;
    memory->stirrer = stage_put(stage, stage_keep(stage, "stirrer", image, NULL), def);
    const struct sprite *looks[COLORS];
    for (int i = 0; i < COLORS; i++) looks[i] = props_tinted(stage, "ball_small", colors[i]);
    for (int i = 0; i < BALLS; i++) {
        pv_rotation to =
            pv_rotation_from_angle((2 * (i % 20) + 1 + .5 * (i / 20)) * half_turn / 20);
        double out = i < 20 ? 104 : 68, vx = stage_uniform(stage, -80, 80);
        if (i >= 20 && to.s * to.s < .1) continue; /* the stirrer is there */
        add_moving(stage, looks[i % COLORS], (pv_vec2){drum.x + out * to.c, drum.y + out * to.s},
                   (pv_vec2){vx, stage_uniform(stage, -80, 80)});
    }
}

/// Creates a plank, and two missiles that hit its ends from both sides. The plank turns, and stays
/// at its place.
static void add_couple(struct stage *stage, struct memory *memory) {
    memory->plank = stage_add(stage, "plank", couple.x, couple.y, 0);
    for (int i = 0; i < 2; i++) {
        int side = i ? 1 : -1;
        pv_vec2 at = {couple.x + 40 * side, couple.y - 150 * side}, v = {0, 150 * side};
        memory->missiles[i] = add_moving(stage, stage_load(stage, "missile"), at, v);
        pv_body_set_angle(stage->world, memory->missiles[i], side * half_turn / 2);
    }
}

/// Creates bodies that spin freely, each faster than the last.
static void add_tops(struct stage *stage) {
    static const char *const kinds[TOPS] = {"gear", "star", "ring"};
    for (int i = 0; i < TOPS; i++) {
        pv_body_def def = pv_body_def_default();
        def.position = (pv_vec2){84, 84 + 100 * i};
        def.angular_velocity = 2 << i;
        def.scale = (pv_vec2){1.4, 1.4};
        stage_add_def(stage, kinds[i], def);
    }
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 640, 360);
    if (!memory) return;
    stage->backdrop = STAGE_STARS;
    pv_world_set_gravity(stage->world, (pv_vec2){0, 0});
    stage_add_fence(stage, 32);
    stage_add_static(stage, "floor", -320, -32);
    stage_add_static(stage, "floor", -320, 360);
    stage_add_knob(stage, "stirrer [rad/s]", -12, 12, memory->pace = pace);
    add_tops(stage);
    add_couple(stage, memory);
    add_drum(stage);
    add_stirrer(stage, memory);
    stage_add_label(stage, 84, 24, "spin stays");
    stage_add_label(stage, couple.x, 24, "hits turn");
    stage_add_label(stage, drum.x, 24, "stirred");
    aim_arm(stage, NULL);
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    if (++memory->frame % ROUND == 0) {
        pv_body_destroy(stage->world, memory->plank);
        for (int i = 0; i < 2; i++) pv_body_destroy(stage->world, memory->missiles[i]);
        add_couple(stage, memory);
    }
    double wanted = stage->knobs[0].value;
    if (memory->pace == wanted) return;
    memory->pace = wanted;
    pv_body_set_angular_velocity(stage->world, memory->stirrer, wanted);
}

const struct scene scene_spin = {"spin", "no gravity: spin kept, given by hits, and stirred", setup,
                                 update};
