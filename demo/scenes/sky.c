/* sky.c - whales and flower pots fall from a rainy sky onto a meadow with a pond. Among them is one
 * bowl of petunias, which has been through this before.
 *
 * Invariant: each entry of the list has at most one thing, which falls again when its turn comes.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/grains.h"

#include <string.h>

enum { WIDE = 640, HIGH = 360, THINGS = 20, FIRST = 7, CLOUDS = 4, STREAK = 4 };

/// Sprites in the order of their fall
static const char *const kinds[THINGS] = {
    "pot_tulips", "whale",      "petunias",      "pot_sunflower", "pot_cactus",
    "whale_calf", "pot_tulips", "pot_cactus",    "pot_sunflower", "pot_tulips",
    "whale",      "pot_cactus", "pot_tulips",    "pot_sunflower", "pot_cactus",
    "whale_calf", "pot_tulips", "pot_sunflower", "pot_cactus",    "pot_tulips"};

/// Top of the meadow's picture [px]
static const double meadow_top = 210;
/// Pond: its left and right end, its surface, its bed, distance between drops and their radius [px]
static const double shores[2] = {350, 566}, pond_surface = 287, bed = 322, apart = 5.3, radius = 3;
/// Densities of a whale, which floats, and of a pot, which sinks; that of water is .036
static const double whale_density = .015, pot_density = .045;
/// Velocity of rain [px/s], and its damping [1/s], which balances the default gravity
static const pv_vec2 rain_velocity = {-14, 266};
static const double rain_damping = 1.2;
/// Steps for which a whale blows, and from one blow to the next
enum { BLOW = 16, BLOW_PACE = 170 };
/// Speed of a whale's blow, and speed of water above which it throws spray [px/s]
static const double blow_speed = 190, wild = 120;
/// Greatest number of drops that throw spray in a step
enum { SPRAYS = 10 };

/// Sliders
enum { KNOB_RAIN, KNOB_PACE };

struct memory {
    pv_body_id things[THINGS], clouds[CLOUDS];
    pv_liquid_id water;
    int frame, next;
};

static bool is_whale(const char *sprite) { return strncmp(sprite, "whale", 5) == 0; }

/* ---- what falls ---- */

/// Drops the next thing at a place, unless something is there. The previous thing of its entry
/// crumbles into grains.
static bool drop_at(struct stage *stage, struct memory *memory, pv_vec2 at) {
    int which = memory->next % THINGS;
    const struct sprite *sprite = stage_load(stage, kinds[which]);
    pv_body_def def = pv_body_def_default();
    def.position = at;
    def.angle = stage_uniform(stage, -.3, .3);
    if (!sprite || !stage_is_free(stage, sprite, at, def.angle)) return false;
    pv_body_id *thing = &memory->things[which];
    if (pv_body_is_valid(stage->world, *thing)) grains_crumble(stage, *thing);
    def.angular_velocity = stage_uniform(stage, -.5, .5);
    def.density = is_whale(kinds[which]) ? whale_density : pot_density;
    def.restitution = .35;
    def.linear_damping = .1;
    *thing = stage_put(stage, sprite, def);
    memory->next++;
    return true;
}

/// Drops the next thing from above the window.
static void drop(struct stage *stage, struct memory *memory) {
    drop_at(stage, memory, (pv_vec2){stage_uniform(stage, 70, WIDE - 70), -50});
}

static bool press(struct stage *stage, pv_vec2 at) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    return memory && drop_at(stage, memory, at);
}

/* ---- water ---- */

static void rain(struct stage *stage, int drops) {
    pv_grain streak[STREAK];
    for (int i = 0; i < drops; i++) {
        pv_vec2 at = {stage_uniform(stage, 0, WIDE + 20), stage_uniform(stage, -12, -6)};
        for (int k = 0; k < STREAK; k++) {
            double back = k / rain_velocity.y;
            streak[k] = (pv_grain){{at.x - rain_velocity.x * back, at.y - k},
                                   rain_velocity,
                                   k < STREAK / 2 ? 0xe8f6ffd0u : 0xc0dcf480u};
        }
        pv_grains_emit(stage->world, stage->grains, streak, STREAK);
    }
}

/// Throws a drop of spray in a direction.
static void spray(struct stage *stage, pv_vec2 at, pv_vec2 velocity) {
    pv_vec2 v = {velocity.x + stage_uniform(stage, -40, 40),
                 velocity.y + stage_uniform(stage, -50, 30)};
    pv_grain drop = {at, v, stage_pick(stage, 2) ? 0xf4fcffffu : 0xb8e0f8ffu};
    pv_grains_emit(stage->world, stage->grains, &drop, 1);
}

/// Makes upright whales at rest blow, one after another.
static void blow(struct stage *stage, const struct memory *memory) {
    for (int i = 0; i < THINGS; i++) {
        pv_body_id body = memory->things[i];
        if (!is_whale(kinds[i]) || (memory->frame + 37 * i) % BLOW_PACE >= BLOW) continue;
        if (!pv_body_is_valid(stage->world, body)) continue;
        pv_vec2 v = pv_body_get_velocity(stage->world, body);
        pv_rotation r = pv_rotation_from_angle(pv_body_get_angle(stage->world, body));
        if (r.c < .6 || v.x * v.x + v.y * v.y > 40 * 40) continue;
        const pv_mask *mask = pv_body_get_mask(stage->world, body);
        pv_vec2 hole = {.27 * pv_mask_get_width(mask), .2 * pv_mask_get_height(mask)};
        hole = pv_body_to_world(stage->world, body, hole);
        for (int k = 0; k < 3; k++)
            spray(stage, hole, (pv_vec2){r.s * blow_speed, -r.c * blow_speed});
    }
}

/// Throws spray off fast rising water, and every second step off a random place of the pond.
static void splash(struct stage *stage, struct memory *memory) {
    int sprays = 0;
    pv_particle_id drop = {0};
    while (stage_is_particle(drop = pv_world_get_next_particle(stage->world, drop)) &&
           sprays < SPRAYS) {
        pv_vec2 v = pv_particle_get_velocity(stage->world, drop);
        if (v.y > 0 || v.x * v.x + v.y * v.y < wild * wild) continue;
        spray(stage, pv_particle_get_position(stage->world, drop), v);
        sprays++;
    }
    if (memory->frame % 2) return;
    pv_vec2 at = {stage_uniform(stage, shores[0] + 20, shores[1] - 20), pond_surface - 4};
    if (!stage_is_body(pv_world_pick_body(stage->world, at))) spray(stage, at, (pv_vec2){0, -40});
}

static void fill_pond(struct stage *stage, pv_liquid_id water) {
    pv_particle_def def = pv_particle_def_default();
    def.radius = radius;
    def.static_friction = def.friction = 0;
    for (double y = bed; y > pond_surface; y -= apart)
        for (double x = shores[0]; x < shores[1]; x += apart) {
            def.position = (pv_vec2){x + stage_uniform(stage, -.3, .3), y};
            pv_vec2 below = {x, y + radius}, left = {x - radius, y}, right = {x + radius, y};
            if (stage_is_body(pv_world_pick_body(stage->world, below)) ||
                stage_is_body(pv_world_pick_body(stage->world, left)) ||
                stage_is_body(pv_world_pick_body(stage->world, right)))
                continue;
            pv_liquid_add_particle(stage->world, water,
                                   pv_particle_create(stage->world, &def, NULL));
        }
}

/* ---- the scene ---- */

static void add_cloud(struct stage *stage, struct memory *memory, int which) {
    static const pv_vec2 places[CLOUDS] = {{90, 50}, {255, 26}, {420, 62}, {580, 34}};
    pv_body_def def = pv_body_def_default();
    def.type = PV_BODY_KINEMATIC;
    def.position = places[which];
    def.velocity.x = -3 - which;
    def.sensor = true;
    def.filter.mask_bits = 0;
    memory->clouds[which] = stage_add_def(stage, "cloud", def);
}

/// Moves clouds that have left the view on the left to its right side.
static void drift(struct stage *stage, const struct memory *memory) {
    for (int i = 0; i < CLOUDS; i++) {
        pv_vec2 at = pv_body_get_position(stage->world, memory->clouds[i]);
        if (at.x > -70) continue;
        at.x += WIDE + 140;
        pv_body_set_position(stage->world, memory->clouds[i], at);
    }
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, WIDE, HIGH);
    if (!memory) return;
    stage->hooks.press = press;
    stage->hint = "click: drop a pot or a whale";
    stage_add_knob(stage, "rain [drops a step]", 0, 16, 6);
    stage_add_knob(stage, "steps per thing", 20, 240, 54);
    for (int i = 0; i < CLOUDS; i++) add_cloud(stage, memory, i);
    stage_add_static(stage, "meadow", 0, meadow_top);
    stage_add_fence(stage, HIGH);
    pv_grains_def grains = pv_grains_def_default();
    grains.capacity = GRAINS_USUAL / 4;
    grains.piles = false;
    grains.restitution = .3;
    grains.linear_damping = rain_damping;
    grains.life = 1.9;
    grains_add(stage, grains);
    grains_drain(stage, (pv_box){{shores[0], pond_surface + 8}, {shores[1], HIGH}});
    pv_liquid_def def = pv_liquid_def_default();
    memory->water = pv_liquid_create(stage->world, &def, NULL);
    stage_paint_liquid(stage, memory->water, 0x2f86d0c8u);
    fill_pond(stage, memory->water);
    for (int i = 0; i < FIRST; i++) {
        static const double places[FIRST] = {90, 455, 235, 170, 560, 330, 40};
        drop_at(stage, memory, (pv_vec2){places[i], 60 - 28 * i});
    }
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    memory->frame++;
    rain(stage, stage_knob_count(stage, KNOB_RAIN));
    splash(stage, memory);
    blow(stage, memory);
    drift(stage, memory);
    if (memory->frame % stage_knob_count(stage, KNOB_PACE) == 0) drop(stage, memory);
}

const struct scene scene_sky = {
    "sky", "whales, flower pots and rain fall from the sky on a meadow with a pond", setup, update};
