/* thrust.c - a ship among rocks: it speeds up, brakes, turns, drifts, and turns rocks into grains
 * with missiles.
 *
 * Invariant: there is no gravity and no damping. Bodies that leave the view come in on the other
 * side. The autopilot flies until an arrow key is pressed.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "scenes/scenes.h"

#include "stage/grains.h"

#include <math.h>

#define ROCKS 8

/// Number of the engine's puffs, and life of each [frames]
#define PUFFS 40

/// Acceleration of the ship's engine [px/s^2], and angular acceleration [rad/s^2]
static const double engine = 200, jets = 14;

/// Speed [px/s] and mass of missiles, which cause no recoil, and frames from one to the next
static const double missile_speed = 520, missile_mass = 40;
enum { RELOAD = 8 };

/// Size of the view [px]
enum { WIDE = 720, HIGH = 405 };

/// Radius of a missile's hole [px], speed of grains there [px/s], and number of pixels below which
/// a rock crumbles
static const double bite = 8, burst = 60;
enum { LEAST = 260 };

/// Settings of the autopilot: distance to keep from a rock [px], speed [px/s], and greatest error
/// of its aim [rad]
static const double near_enough = 140, cruise = 130, aim = 0.1;

/// Frames after which it looks for another rock
enum { PATIENCE = 200 };

struct memory {
    pv_body_id ship, rocks[ROCKS];
    pv_composite_id flame;
    pv_particle_id puffs[PUFFS];
    /// Index of the oldest puff
    int oldest;
    int target, patience;
    /// True if the engine burns in this frame
    bool burning;
    /// True once the player has flown
    bool flown;
    unsigned held;
    int reload;
    /// Speed at which it stops braking [px/s]; 0: it does not brake
    double braking;
};

/* ---- building ---- */

static pv_body_id add_rock(struct stage *stage, int index) {
    static const char *const kinds[] = {"rock_large", "rock_medium", "rock_small", "rock_medium"};
    pv_body_def def = pv_body_def_default();
    double out = stage_uniform(stage, 130, 190);
    pv_rotation r = pv_rotation_from_angle(2 * 3.14159265358979323846 * index / ROCKS);
    def.position = (pv_vec2){WIDE / 2 + 1.7 * out * r.c, HIGH / 2 + out * r.s};
    def.angle = stage_uniform(stage, -3, 3);
    def.velocity = (pv_vec2){stage_uniform(stage, -24, 24), stage_uniform(stage, -24, 24)};
    def.angular_velocity = stage_uniform(stage, -0.6, 0.6);
    def.restitution = 0.6;
    pv_fracture_def fracture = pv_fracture_def_default();
    fracture.min_part_pixels = LEAST;
    return stage_soften(stage, stage_add_def(stage, kinds[index % 4], def), &fracture);
}

static void keys(struct stage *stage, unsigned held) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    memory->flown |= held != 0;
    memory->held = held;
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, WIDE, HIGH);
    stage->backdrop = STAGE_STARS;
    stage->hooks.keys = keys;
    stage_add_knob(stage, "bite [px]", 3, 30, bite);
    stage->loose.dot = 0xfff0a0ff;
    pv_world_set_gravity(stage->world, (pv_vec2){0, 0});
    if (!memory) return;
    pv_grains_def grains = pv_grains_def_default();
    grains.capacity = GRAINS_USUAL;
    grains.piles = false;
    grains.life = 4;
    grains.follow = true;
    grains_add(stage, grains);
    memory->flame = pv_composite_create(stage->world, NULL);
    stage_paint(stage, memory->flame, (struct stage_paint){.dot = 0xff8830ff});
    memory->ship = stage_add(stage, "ship", WIDE / 2, HIGH / 2, -1);
    for (int i = 0; i < ROCKS; i++) memory->rocks[i] = add_rock(stage, i);
}

/* ---- flying ---- */

static double length(pv_vec2 v) { return sqrt(v.x * v.x + v.y * v.y); }

static void thrust(const struct stage *stage, struct memory *memory) {
    pv_rotation r = pv_body_get_transform(stage->world, memory->ship).rotation;
    double force = engine * pv_body_get_mass(stage->world, memory->ship);
    pv_body_apply_force(stage->world, memory->ship, (pv_vec2){force * r.c, force * r.s});
    memory->burning = true;
}

/// Destroys the oldest puff. A burning engine creates a new one.
static void puff(struct stage *stage, struct memory *memory) {
    pv_world *world = stage->world;
    pv_rotation r = pv_body_get_transform(world, memory->ship).rotation;
    pv_vec2 at = pv_body_get_position(world, memory->ship),
            v = pv_body_get_velocity(world, memory->ship);
    double side = stage_uniform(stage, -40, 40);
    pv_particle_def def = pv_particle_def_default();
    pv_particle_id *oldest = &memory->puffs[memory->oldest++ % PUFFS];
    if (stage_is_particle(*oldest)) pv_particle_destroy(world, *oldest);
    *oldest = (pv_particle_id){0};
    if (!memory->burning) return;
    memory->burning = false;
    def.position = (pv_vec2){at.x - 18 * r.c, at.y - 18 * r.s};
    def.velocity = (pv_vec2){v.x - 140 * r.c - side * r.s, v.y - 140 * r.s + side * r.c};
    def.mass = 0.01;
    def.radius = stage_uniform(stage, 1.5, 4);
    def.linear_damping = 2;
    def.collides = false;
    *oldest = pv_particle_create(world, &def, NULL);
    pv_composite_add_particle(world, memory->flame, *oldest);
}

static void turn(const struct stage *stage, pv_body_id ship, double share) {
    if (share > 1) share = 1;
    if (share < -1) share = -1;
    pv_body_apply_torque(stage->world, ship,
                         share * jets * pv_body_get_inertia(stage->world, ship));
}

/// Turns the ship's nose toward a direction, and returns the remaining angle [rad].
static double point_along(const struct stage *stage, pv_body_id ship, pv_vec2 direction) {
    pv_rotation r = pv_body_get_transform(stage->world, ship).rotation;
    pv_rotation off = {r.c * direction.x + r.s * direction.y,
                       r.c * direction.y - r.s * direction.x};
    double left = pv_rotation_get_angle(off), stop = sqrt(0.8 * jets * fabs(left));
    double wanted = left < 0 ? -stop : stop;
    if (fabs(left) < 0.2) wanted = 5 * left;
    turn(stage, ship, (wanted - pv_body_get_angular_velocity(stage->world, ship)) * 8 / jets);
    return fabs(left);
}

static void fire(struct stage *stage, struct memory *memory) {
    pv_world *world = stage->world;
    pv_rotation r = pv_body_get_transform(world, memory->ship).rotation;
    pv_vec2 at = pv_body_get_position(world, memory->ship),
            v = pv_body_get_velocity(world, memory->ship);
    pv_particle_def def = pv_particle_def_default();
    if (memory->reload > 0) return;
    memory->reload = RELOAD;
    def.position = (pv_vec2){at.x + 28 * r.c, at.y + 28 * r.s};
    def.velocity = (pv_vec2){v.x + missile_speed * r.c, v.y + missile_speed * r.s};
    def.mass = missile_mass;
    def.radius = 3;
    def.restitution = 0.2;
    pv_particle_create(world, &def, NULL);
}

/* ---- the autopilot ---- */

/// Returns a rock of the list. One that is gone is created again, out of sight.
static pv_body_id rock_at(struct stage *stage, struct memory *memory, int index) {
    pv_body_id *rock = &memory->rocks[index];
    if (!pv_body_is_valid(stage->world, *rock)) {
        *rock = add_rock(stage, index);
        pv_body_set_position(stage->world, *rock, (pv_vec2){-40, stage_uniform(stage, 0, HIGH)});
    }
    return *rock;
}

/// Tells whether a body is well inside the view.
static bool is_inside(const struct stage *stage, pv_body_id body) {
    const double margin = 80;
    pv_vec2 at = pv_body_get_position(stage->world, body);
    return at.x > margin && at.x < WIDE - margin && at.y > margin && at.y < HIGH - margin;
}

/// Returns the way from the ship to the rock that it has chosen.
static pv_vec2 way_to_rock(struct stage *stage, struct memory *memory) {
    if (memory->patience-- <= 0) {
        memory->patience = PATIENCE;
        memory->target = stage_pick(stage, ROCKS);
        for (int i = 0; i < ROCKS && !is_inside(stage, rock_at(stage, memory, memory->target)); i++)
            memory->target = (memory->target + 1) % ROCKS;
    }
    pv_vec2 from = pv_body_get_position(stage->world, memory->ship);
    pv_vec2 to = pv_body_get_position(stage->world, rock_at(stage, memory, memory->target));
    return (pv_vec2){to.x - from.x, to.y - from.y};
}

/// Turns the ship against its velocity, and thrusts.
static void brake(struct stage *stage, struct memory *memory, pv_vec2 v) {
    if (point_along(stage, memory->ship, (pv_vec2){-v.x, -v.y}) < 0.3) thrust(stage, memory);
    if (length(v) < memory->braking) memory->braking = 0;
}

static void hunt(struct stage *stage, struct memory *memory, pv_vec2 v) {
    pv_vec2 way = way_to_rock(stage, memory);
    double off = point_along(stage, memory->ship, way),
           speed = (v.x * way.x + v.y * way.y) / length(way);
    if (off < aim) fire(stage, memory);
    if (off < 0.3 && length(way) > near_enough && speed < cruise) thrust(stage, memory);
    if (length(v) > 1.4 * cruise || (length(way) < near_enough && speed > cruise / 2))
        memory->braking = cruise / 4;
}

static void fly(struct stage *stage, struct memory *memory) {
    pv_vec2 v = pv_body_get_velocity(stage->world, memory->ship);
    if (memory->braking > 0)
        brake(stage, memory, v);
    else
        hunt(stage, memory, v);
}

static void obey(struct stage *stage, struct memory *memory) {
    unsigned held = memory->held;
    double wanted = (held & STAGE_RIGHT ? 3.5 : 0) - (held & STAGE_LEFT ? 3.5 : 0);
    turn(stage, memory->ship,
         (wanted - pv_body_get_angular_velocity(stage->world, memory->ship)) * 8 / jets);
    if (held & STAGE_UP) thrust(stage, memory);
    if (held & STAGE_DOWN) fire(stage, memory);
}

/* ---- what leaves, what is spent ---- */

static void come_round(struct stage *stage, pv_body_id b, double rim) {
    pv_vec2 at = pv_body_get_position(stage->world, b), to = at;
    if (at.x < -rim) to.x = WIDE + rim;
    if (at.x > WIDE + rim) to.x = -rim;
    if (at.y < -rim) to.y = HIGH + rim;
    if (at.y > HIGH + rim) to.y = -rim;
    if (to.x != at.x || to.y != at.y) pv_body_set_position(stage->world, b, to);
}

/// Bites a hole where a missile hit; its grains fly off.
static void hit(struct stage *stage, pv_vec2 at) {
    double radius = stage->knobs[0].value;
    if (stage_bite(stage, STAGE_SOFT, at, radius) > 0)
        pv_world_explode(stage->world, at, 2 * radius, burst);
}

/// Crumbles rocks that are too small.
static void crumble_small(struct stage *stage, const struct memory *memory) {
    pv_body_id b = pv_world_get_next_body(stage->world, (pv_body_id){0});
    while (stage_is_body(b)) {
        pv_body_id next = pv_world_get_next_body(stage->world, b);
        if (!PV_ID_EQUALS(b, memory->ship) &&
            pv_mask_count_pixels(pv_body_get_mask(stage->world, b)) < LEAST)
            grains_crumble(stage, b);
        b = next;
    }
}

/// Destroys missiles that left the view or lost half their speed, which only a hit causes.
static void drop_spent(struct stage *stage) {
    pv_world *world = stage->world;
    pv_particle_id p = pv_world_get_next_particle(world, (pv_particle_id){0});
    while (stage_is_particle(p)) {
        pv_particle_id next = pv_world_get_next_particle(world, p);
        pv_vec2 at = pv_particle_get_position(world, p);
        bool missile = pv_particle_get_mass(world, p) == missile_mass;
        bool left = at.x < -20 || at.x > WIDE + 20 || at.y < -20 || at.y > HIGH + 20;
        bool slow = length(pv_particle_get_velocity(world, p)) < missile_speed / 2;
        if (missile && slow && !left) hit(stage, at);
        if (missile && (left || slow)) pv_particle_destroy(world, p);
        p = next;
    }
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    drop_spent(stage);
    crumble_small(stage, memory);
    if (memory->reload > 0) memory->reload--;
    if (memory->flown)
        obey(stage, memory);
    else
        fly(stage, memory);
    puff(stage, memory);
    for (pv_body_id b = {0}; stage_is_body(b = pv_world_get_next_body(stage->world, b));)
        come_round(stage, b, PV_ID_EQUALS(b, memory->ship) ? 8 : 44);
}

const struct scene scene_thrust = {"thrust", "a ship bites rocks into grains: arrows fly it", setup,
                                   update};
