/* waterfall.c - water runs down stairs, turns a wheel and falls into a basin with floating objects.
 * Where it falls, it splashes.
 *
 * Invariant: no drop is made or lost after setup. Drops that the pump removes come out at the top.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/aim.h"
#include "stage/grains.h"

/// y of the basin's floor and of the initial water surface [px]
static const double ground = 344, surface = 262;
/// Distance between drops, and their radius [px]
static const double apart = 5.3, radius = 3;
/// Upper end of the spring [px], and velocity of its water [px/s]
static const pv_vec2 spring = {8, 6}, gush = {106, 0};
/// Number of drops that the pump moves at once, frames between its strokes, and its box [px]
enum { GULP = 5, MOST_GULP = 10, GULP_FRAMES = 3 };
static const pv_box pump = {{0, 326}, {640, 344}};

/// Loss of a drop's speed in a step that makes a splash [px/s], grains of a splash, and greatest
/// numbers of splashes in a step and of particles checked
static const double impact = 45;
enum { SPRAY = 4, SPLASHES = 12, MOST = 4096 };

/// Substeps of the world: half the default is enough for water and a few floating objects
enum { SUBSTEPS = 8 };

/// Memory of the scene from step to step
struct works {
    pv_liquid_id water;
    int frame;
    /// Speeds at which particles fell before the last step, by index [px/s]
    double falls[MOST];
};

static void add_drop(struct stage *stage, pv_liquid_id water, pv_vec2 at) {
    pv_particle_def def = pv_particle_def_default();
    def.position = at;
    def.radius = radius;
    def.static_friction = def.friction = 0;
    pv_particle_id drop = pv_particle_create(stage->world, &def, NULL);
    pv_liquid_add_particle(stage->world, water, drop);
}

/// Tells whether a drop has room at a place.
static bool is_clear(const struct stage *stage, pv_vec2 at) {
    for (int i = 0; i < 4; i++) {
        pv_vec2 rim = {at.x + (i < 2 ? radius : -radius), at.y + (i % 2 ? radius : -radius)};
        if (stage_is_body(pv_world_pick_body(stage->world, rim))) return false;
    }
    return true;
}

static void fill_basin(struct stage *stage, pv_liquid_id water) {
    for (double y = ground - radius; y > surface; y -= apart)
        for (double x = apart; x < stage->view.max.x - radius; x += apart) {
            pv_vec2 at = {x + stage_uniform(stage, -.3, .3), y};
            if (is_clear(stage, at)) add_drop(stage, water, at);
        }
}

static void float_thing(struct stage *stage, const char *sprite, double x, double y,
                        double density) {
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){x, y};
    def.angle = stage_uniform(stage, -1, 1);
    def.density = density;
    stage_add_def(stage, sprite, def);
}

/// Creates a wheel that turns about its middle.
static void hang_wheel(struct stage *stage, double x, double y) {
    pv_body_def def = pv_body_def_default();
    def.position = (pv_vec2){x, y};
    def.density = .1;
    pv_body_id wheel = stage_add_def(stage, "gear", def);
    pv_joint_def axle = pv_joint_def_default();
    axle.type = PV_JOINT_PIN;
    axle.a = pv_anchor_body(wheel, def.position);
    axle.b = pv_anchor_world(def.position);
    pv_joint_create(stage->world, &axle, NULL);
}

static void build(struct stage *stage) {
    stage_add_fence(stage, 360);
    stage_add_static(stage, "floor", 0, ground);
    stage_add_static(stage, "stairs", 0, 48);
    stage_add_static(stage, "rock_large", 500, 278);
    hang_wheel(stage, 420, 192);
}

/// Throws a light ball.
static void toss(struct stage *stage, pv_vec2 from, pv_vec2 velocity) {
    const struct sprite *ball = stage_load(stage, "ball");
    if (!ball || !stage_is_free(stage, ball, from, 0)) return;
    pv_body_def def = pv_body_def_default();
    def.position = from;
    def.velocity = velocity;
    def.density = .012;
    stage_put(stage, ball, def);
}

static void setup(struct stage *stage) {
    struct works *works = stage_memory(stage, sizeof *works);
    stage_set_view(stage, 640, 360);
    if (!works) return;
    pv_world_def world = pv_world_def_default();
    world.substeps = SUBSTEPS;
    stage_set_world(stage, &world);
    build(stage);
    pv_grains_def grains = pv_grains_def_default();
    grains.capacity = GRAINS_USUAL / 10;
    grains.piles = false;
    grains.life = .9;
    grains_add(stage, grains);
    aim_arm(stage, toss);
    stage_add_knob(stage, "pump", 0, MOST_GULP, GULP);
    pv_liquid_def def = pv_liquid_def_default();
    works->water = pv_liquid_create(stage->world, &def, NULL);
    stage_paint_liquid(stage, works->water, 0x2f86d0c8u);
    fill_basin(stage, works->water);
    float_thing(stage, "crate", 330, 210, .014);
    float_thing(stage, "ball", 200, 230, .008);
    float_thing(stage, "star", 150, 200, .012);
    float_thing(stage, "crate", 90, 210, .02);
    float_thing(stage, "ring_small", 600, 230, .02);
    float_thing(stage, "letter_l_small", 470, 230, .016);
}

static bool is_in(pv_box box, pv_vec2 at) {
    return at.x >= box.min.x && at.x <= box.max.x && at.y >= box.min.y && at.y <= box.max.y;
}

/// Throws spray up from a place.
static void splash(struct stage *stage, pv_vec2 at, double speed) {
    pv_grain spray[SPRAY];
    for (int i = 0; i < SPRAY; i++) {
        double x = stage_uniform(stage, -.4, .4) * speed,
               y = stage_uniform(stage, -.8, -.2) * speed;
        spray[i] = (pv_grain){{at.x, at.y - 6 * radius}, {x, y}, i ? 0xd8f0ffffu : 0xffffffffu};
    }
    pv_grains_emit(stage->world, stage->grains, spray, SPRAY);
}

/// Makes splashes at drops that lost much speed in the last step.
static void find_splashes(struct stage *stage, struct works *works) {
    int splashes = 0;
    pv_particle_id drop = {0};
    while (stage_is_particle(drop = pv_world_get_next_particle(stage->world, drop))) {
        if (drop.index >= MOST) break;
        double now = pv_particle_get_velocity(stage->world, drop).y,
               *then = &works->falls[drop.index];
        pv_vec2 at = pv_particle_get_position(stage->world, drop);
        if (*then - now > impact && *then > 2 * impact && at.y > spring.y + 80 &&
            splashes++ < SPLASHES)
            splash(stage, at, *then);
        *then = now;
    }
}

/// Moves drops from the basin to the spring, side by side.
static void pump_up(struct stage *stage) {
    int taken = 0, gulp = stage_knob_count(stage, 0);
    pv_particle_id drop = pv_world_get_next_particle(stage->world, (pv_particle_id){0});
    for (; stage_is_particle(drop) && taken < gulp;
         drop = pv_world_get_next_particle(stage->world, drop)) {
        if (!is_in(pump, pv_particle_get_position(stage->world, drop))) continue;
        pv_vec2 at = {spring.x + stage_uniform(stage, -.3, .3), spring.y + apart * taken++};
        pv_particle_set_position(stage->world, drop, at);
        pv_particle_set_velocity(stage->world, drop, gush);
    }
}

static void update(struct stage *stage) {
    struct works *works = stage_memory(stage, sizeof *works);
    if (!works) return;
    find_splashes(stage, works);
    if (works->frame++ % GULP_FRAMES == 0) pump_up(stage);
}

const struct scene scene_waterfall = {
    "waterfall", "water runs down stairs, drives a wheel and carries what is light", setup, update};
