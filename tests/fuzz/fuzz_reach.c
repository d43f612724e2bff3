/* fuzz_reach.c - bytes as calls with numbers at the ends of their ranges; any state restores.
 *
 * Invariant: the world returns only finite numbers, and each step ends in time.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "fuzz_getters.h"

enum { MOST_CALLS = 64, MOST_THINGS = 40 };

static pv_world *world, *other;

/* ---- numbers ---- */

static double power_of_ten(int n) {
    double power = 1;
    for (int i = n; i > 0; i--) power *= 10;
    for (int i = n; i < 0; i++) power /= 10;
    return power;
}

/// Returns a number in a range: one of its ends, a usual one, or one of any magnitude.
static double number(fuzz_input *in, double low, double high) {
    int how = fuzz_below(in, 8);
    double x = how == 0   ? low
               : how == 1 ? high
               : how == 2 ? 0
               : how < 6  ? 200 * fuzz_unit(in) - 100
                          : (how == 6 ? 1 : -1) * power_of_ten(fuzz_between(in, -20, 20));
    return fmin(fmax(x, low), high);
}

/// Returns a place, mostly near the others, else anywhere.
static pv_vec2 place(fuzz_input *in) {
    if (fuzz_below(in, 8)) {
        double x = 160 * fuzz_unit(in) - 80;
        return (pv_vec2){x, 120 * fuzz_unit(in) - 60};
    }
    double x = number(in, -PV_MAX_COORDINATE, PV_MAX_COORDINATE);
    return (pv_vec2){x, number(in, -PV_MAX_COORDINATE, PV_MAX_COORDINATE)};
}

static pv_vec2 vector(fuzz_input *in, double most) {
    double x = number(in, -most, most);
    return (pv_vec2){x, number(in, -most, most)};
}

/// Selects one of the first objects of a kind; the null id if there are none.
#define PICK(type, kind, name)                                                                     \
    type name = pv_world_get_next_##kind(world, (type){0, 0});                                     \
    for (int skip = fuzz_below(in, 8); skip > 0 && name.index; skip--) {                           \
        type next = pv_world_get_next_##kind(world, name);                                         \
        if (next.index) name = next;                                                               \
    }

/* ---- bodies ---- */

static void create_body(fuzz_input *in) {
    static const int sizes[8][2] = {{9, 9},  {20, 6}, {1, 1},   {3, 40},
                                    {64, 2}, {12, 9}, {160, 8}, {30, 30}};
    pv_body_def def = pv_body_def_default();
    const int *size = sizes[fuzz_below(in, 8)];
    unsigned how = fuzz_byte(in);
    def.mask = pv_mask_create_rect(size[0], size[1], NULL, NULL);
    CHECK(def.mask);
    if (size[0] == 30) pv_mask_fill_circle(def.mask, (pv_vec2){15, 15}, 9, false);
    def.type = how & 3 ? PV_BODY_DYNAMIC : how & 4 ? PV_BODY_STATIC : PV_BODY_KINEMATIC;
    def.position = place(in);
    if (how & 8) def.angle = number(in, -1e6, 1e6);
    if (how & 16) def.velocity = vector(in, PV_MAX_COORDINATE);
    if (how & 32) def.angular_velocity = number(in, -1e6, 1e6);
    if (how & 64) def.mass = number(in, 1e-9, 1e12);
    if (how & 128) {
        def.restitution = number(in, 0, 1);
        def.friction = number(in, 0, 1e6);
        def.rolling_resistance = number(in, 0, 1e6);
        def.gravity_scale = number(in, -1e3, 1e3);
        def.collider = (pv_collider)fuzz_below(in, 4);
        def.sensor = fuzz_below(in, 8) == 0;
        if (fuzz_below(in, 4) == 0) def.one_way_normal = vector(in, 1);
        if (fuzz_below(in, 4) == 0) def.scale = (pv_vec2){number(in, -4, 4), number(in, -4, 4)};
    }
    pv_body_create(world, &def, NULL);
    pv_mask_release(def.mask);
}

static void move_body(fuzz_input *in) {
    PICK(pv_body_id, body, b)
    switch (fuzz_below(in, 10)) {
    case 0: pv_body_set_position(world, b, place(in)); break;
    case 1: pv_body_set_angle(world, b, number(in, -1e6, 1e6)); break;
    case 2: pv_body_set_velocity(world, b, vector(in, PV_MAX_COORDINATE)); break;
    case 3: pv_body_set_angular_velocity(world, b, number(in, -1e6, 1e6)); break;
    case 4: pv_body_apply_force(world, b, vector(in, 1e308)); break;
    case 5: pv_body_apply_torque(world, b, number(in, -1e308, 1e308)); break;
    case 6: pv_body_apply_impulse(world, b, vector(in, 1e20)); break;
    case 7: pv_body_apply_angular_impulse(world, b, number(in, -1e20, 1e20)); break;
    case 8: pv_body_apply_force_at(world, b, vector(in, 1e308), place(in)); break;
    default: pv_body_move_to(world, b, place(in), number(in, -1e6, 1e6), 1 / 60.0);
    }
}

static void change_body(fuzz_input *in) {
    PICK(pv_body_id, body, b)
    switch (fuzz_below(in, 14)) {
    case 0: pv_body_set_mass(world, b, number(in, 1e-9, 1e12)); break;
    case 1: pv_body_set_friction(world, b, number(in, 0, 1e6)); break;
    case 2: pv_body_set_static_friction(world, b, number(in, 0, 1e6)); break;
    case 3: pv_body_set_rolling_resistance(world, b, number(in, 0, 1e6)); break;
    case 4: pv_body_set_gravity_scale(world, b, number(in, -1e3, 1e3)); break;
    case 5: pv_body_set_linear_damping(world, b, number(in, 0, 1e6)); break;
    case 6: pv_body_set_angular_damping(world, b, number(in, 0, 1e6)); break;
    case 7: pv_body_set_tangent_speed(world, b, number(in, -1e6, 1e6)); break;
    case 8: pv_body_set_type(world, b, (pv_body_type)fuzz_below(in, 3)); break;
    case 9: pv_body_set_enabled(world, b, fuzz_below(in, 2)); break;
    case 10: pv_body_set_motion_locks(world, b, fuzz_below(in, 8)); break;
    case 12: pv_body_set_scale(world, b, (pv_vec2){number(in, -4, 4), number(in, -4, 4)}); break;
    case 11: pv_body_set_one_way_normal(world, b, vector(in, 1)); break;
    default: pv_body_destroy(world, b);
    }
}

static void create_grains(fuzz_input *in) {
    pv_grains_def def = pv_grains_def_default();
    pv_vec2 at = place(in), velocity = vector(in, 1000);
    unsigned how = fuzz_byte(in);
    def.capacity = 200;
    def.follow = how & 1;
    def.piles = how & 2;
    if (how & 4) def.friction = number(in, 0, 1e6);
    if (how & 8) def.linear_damping = number(in, 0, 1e6);
    if (how & 16) def.gravity_scale = number(in, -1e3, 1e3);
    pv_grains_id grains = pv_grains_create(world, &def, NULL);
    for (int i = 0; i < 40; i++) {
        pv_grain grain = {{at.x + i % 8, at.y + i / 8}, velocity, (uint32_t)i};
        pv_grains_emit(world, grains, &grain, 1);
    }
}

static void carve(fuzz_input *in) {
    pv_vec2 from = place(in);
    int how = fuzz_below(in, 4);
    pv_cut cut = how == 0   ? pv_cut_circle(from, 30 * fuzz_unit(in))
                 : how == 1 ? pv_cut_box(from, place(in))
                            : pv_cut_line(from, place(in), 8 * fuzz_unit(in));
    cut.add = fuzz_below(in, 8) == 0;
    PICK(pv_body_id, body, b)
    if (how == 3)
        pv_world_explode(world, from, number(in, 0, PV_MAX_COORDINATE), number(in, -1e12, 1e12));
    else
        pv_body_carve(world, b, &cut, NULL);
}

/* ---- matter ---- */

static void create_particle(fuzz_input *in) {
    pv_particle_def def = pv_particle_def_default();
    unsigned how = fuzz_byte(in);
    def.position = place(in);
    if (how & 1) def.velocity = vector(in, PV_MAX_COORDINATE);
    if (how & 2) def.mass = number(in, 0, 1e12);
    if (how & 4) def.radius = number(in, 0, 256);
    if (how & 8) def.linear_damping = number(in, 0, 1e9);
    if (how & 16) def.restitution = number(in, 0, 1), def.friction = number(in, 0, 1e6);
    def.bounce = (pv_bounce)(how >> 6 & 1);
    def.collides = how & 32;
    pv_particle_create(world, &def, NULL);
}

static void change_particle(fuzz_input *in) {
    PICK(pv_particle_id, particle, p)
    switch (fuzz_below(in, 8)) {
    case 0:
    case 1: pv_particle_set_position(world, p, place(in)); break;
    case 2: pv_particle_set_velocity(world, p, vector(in, PV_MAX_COORDINATE)); break;
    case 3: pv_particle_set_mass(world, p, number(in, 0, 1e12)); break;
    case 4:
    case 5: pv_particle_apply_force(world, p, vector(in, 1e308)); break;
    case 6: pv_particle_apply_impulse(world, p, vector(in, 1e20)); break;
    default: pv_particle_destroy(world, p);
    }
}

static void create_polygon(fuzz_input *in) {
    static const pv_vec2 around[5] = {{12, 0}, {6, 10}, {-12, 6}, {-9, -6}, {4, -10}};
    pv_polygon_def def = pv_polygon_def_default();
    pv_vec2 points[5], middle = place(in);
    double size = fuzz_below(in, 8) ? 1 : number(in, 1e-3, 1e6);
    for (int i = 0; i < 5; i++)
        points[i] = (pv_vec2){middle.x + size * around[i].x, middle.y + size * around[i].y};
    unsigned how = fuzz_byte(in);
    def.points = points;
    def.point_count = 3 + (int)(how & 1) * 2;
    def.collider = (pv_polygon_collider)(how >> 1 & 1);
    if (how & 4) def.velocity = vector(in, PV_MAX_COORDINATE);
    if (how & 8) def.angular_velocity = number(in, -1e4, 1e4);
    if (how & 16) def.mass = number(in, -1, 1e12);
    if (how & 32) def.stiffness = number(in, 0, 1e12);
    if (how & 64) def.linear_damping = number(in, 0, 1e9);
    pv_polygon_create(world, &def, NULL);
}

static void create_matter(fuzz_input *in) {
    int how = fuzz_below(in, 4);
    pv_liquid_def water = pv_liquid_def_default();
    pv_force_field_def field = pv_force_field_def_default();
    if (how == 0) {
        water.interaction_radius = number(in, 2, 64);
        water.rest_density = number(in, 1e-300, 1e6);
        water.stiffness = number(in, 0, 1e12);
        water.near_stiffness = number(in, 0, 1e12);
        water.viscosity = number(in, 0, 1e6);
        pv_liquid_id liquid = pv_liquid_create(world, &water, NULL);
        for (pv_particle_id p = {0}; (p = pv_world_get_next_particle(world, p)).index;)
            pv_liquid_add_particle(world, liquid, p);
    } else if (how < 3) {
        field.type = (pv_force_field_type)fuzz_below(in, 3);
        field.area = (pv_box){{-100, -100}, {100, 100}};
        field.velocity = vector(in, PV_MAX_COORDINATE);
        field.point = place(in);
        field.strength = number(in, -1e12, 1e12);
        field.radius = number(in, 0, PV_MAX_COORDINATE);
        field.density = number(in, 1e-300, 1e12);
        field.drag_coefficient = number(in, 0, 1e12);
        field.linear_damping = number(in, 0, 1e12);
        field.gust = number(in, 0, 1);
        field.gust_length = number(in, 1, 1e12);
        pv_force_field_create(world, &field, NULL);
    } else {
        pv_rope_def rope = pv_rope_def_default();
        rope.from = pv_anchor_world(place(in));
        rope.to = pv_anchor_world(place(in));
        rope.segments = fuzz_between(in, 1, 6);
        pv_rope_create(world, &rope, NULL);
    }
}

/* ---- joints ---- */

static pv_anchor anchor(fuzz_input *in) {
    int how = fuzz_below(in, 8);
    PICK(pv_body_id, body, b)
    PICK(pv_particle_id, particle, p)
    PICK(pv_body_id, polygon, q)
    pv_vec2 at = how & 1 ? place(in) : pv_body_get_position(world, b);
    if (how < 4 && b.index) return pv_anchor_body(b, at);
    if (how < 6 && p.index) return pv_anchor_particle(p);
    if (how < 7 && q.index) return pv_anchor_body(q, place(in));
    return pv_anchor_world(at);
}

static void create_joint(fuzz_input *in) {
    pv_joint_def def = pv_joint_def_default();
    unsigned how = fuzz_byte(in);
    def.type = (pv_joint_type)fuzz_below(in, 9);
    def.a = anchor(in);
    def.b = anchor(in);
    if (how & 1) def.length = number(in, -1, PV_MAX_COORDINATE);
    if (how & 2) def.stiffness = number(in, 0, 1e12);
    if (how & 4) def.damping = number(in, 0, 1e12);
    if (how & 8) def.lower = number(in, -1e300, 0), def.upper = number(in, 0, 1e300);
    if (how & 16) def.break_force = number(in, 0, 1e308);
    if (how & 32) def.max_force = number(in, 0, 1e308);
    def.collide_connected = how & 64;
    def.axis = vector(in, PV_MAX_COORDINATE);
    def.motor_speed = number(in, -1e6, 1e6);
    pv_joint_create(world, &def, NULL);
}

static void change_joint(fuzz_input *in) {
    PICK(pv_joint_id, joint, j)
    switch (fuzz_below(in, 8)) {
    case 0: pv_joint_set_length(world, j, number(in, 1e-6, PV_MAX_COORDINATE)); break;
    case 1: pv_joint_set_target(world, j, place(in)); break;
    case 2: pv_joint_set_max_force(world, j, number(in, 0, 1e308)); break;
    case 3: pv_joint_set_break_force(world, j, number(in, 0, 1e308)); break;
    case 4: pv_joint_set_spring(world, j, number(in, 0, 1e12), number(in, 0, 1e12)); break;
    case 5: pv_joint_set_motor_speed(world, j, number(in, -1e6, 1e6)); break;
    case 6: pv_joint_set_limits(world, j, number(in, -1e300, 0), number(in, 0, 1e300)); break;
    default: pv_joint_destroy(world, j);
    }
}

/* ---- the world ---- */

/// Returns the length of a step, rarely a long one, which has many substeps.
static double step_length(fuzz_input *in) {
    static const double lengths[8] = {1 / 60.0, 1e-9, 1e-7, 1e-4, 1 / 200.0, 1 / 120.0, 0.03, 0.05};
    int how = fuzz_below(in, 32);
    return how == 31 ? 1 : lengths[how > 15 ? how % 8 : 0];
}

static void step(fuzz_input *in) { step_in_time(world, step_length(in)); }
static void go_on(fuzz_input *in) { check_goes_on(world, other, step_length(in), 1); }
static void settle(fuzz_input *in) {
    for (int i = fuzz_between(in, 10, 40); i > 0; i--) step_in_time(world, 1 / 60.0);
    check_goes_on(world, other, 1 / 60.0, 5);
}

static void fall(fuzz_input *in) { pv_world_set_gravity(world, vector(in, 1e6)); }

static pv_world *open_reach(unsigned how) {
    static const int substeps[4] = {0, 1, 4, 64};
    pv_world_def def = pv_world_def_default();
    def.contact_mode = how & 1 ? PV_CONTACT_MODE_PIXELS : PV_CONTACT_MODE_CONTOURS;
    def.substeps = substeps[how >> 1 & 3];
    def.particle_substeps = how & 8 ? 1 : 0;
    def.joint_iterations = how & 16 ? 8 : 0;
    def.enable_sleep = !(how & 32);
    pv_world *made = pv_world_create(&def, NULL);
    CHECK(made);
    return made;
}

static bool is_full(void) {
    pv_world_stats s = pv_world_get_stats(world);
    return s.bodies + s.particles > MOST_THINGS || s.joints > MOST_THINGS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const calls[])(fuzz_input *) = {create_body,    create_body,   create_particle,
                                                  create_polygon, create_matter, create_joint,
                                                  create_joint,   create_joint,  create_grains,
                                                  move_body,      change_body,   change_particle,
                                                  change_joint,   carve,         fall,
                                                  step,           step,          step,
                                                  go_on,          settle};
    const int count = (int)(sizeof calls / sizeof *calls), makers = 9;
    fuzz_input input = {data, size}, *in = &input;
    unsigned how = fuzz_byte(in);
    world = open_reach(how);
    other = open_reach(0);
    for (int i = 0; i < MOST_CALLS && in->left; i++) {
        int which = fuzz_below(in, count);
        if (which >= makers || !is_full()) calls[which](in);
    }
    check_goes_on(world, other, 1 / 60.0, 10);
    pv_world_destroy(world);
    pv_world_destroy(other);
    return 0;
}
