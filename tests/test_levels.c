/* test_levels.c - random levels with something of everything must not change by a bit.
 *
 * Invariant: a level depends only on its number. Its digests are in levels.txt, which `make golden`
 * writes anew after a change that is meant to move bodies differently.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include <inttypes.h>

enum { LEVELS = ROUNDS(48, 8), STEPS = 90, WIDE = 480, HIGH = 320 };

static pv_world *w;
static uint64_t digest;

static void mix(uint64_t word) { digest = (digest ^ word) * UINT64_C(1099511628211); }

static void mix_number(double x) {
    uint64_t word;
    memcpy(&word, &x, sizeof word);
    mix(word);
}

static void mix_vec(pv_vec2 v) {
    mix_number(v.x);
    mix_number(v.y);
}

static bool chance_of(int percent) { return any_int(0, 99) < percent; }

/* One statement draws one number, so that all compilers draw them in the same order. */

static pv_vec2 any_spot(void) {
    double x = WIDE * any_unit();
    return PV_VEC2(x, HIGH * any_unit());
}

static pv_vec2 any_scale(void) {
    pv_vec2 scale = any_place(2);
    return PV_VEC2(scale.x + 0.01, scale.y + 0.01);
}

/// Returns a random one of the first 128 objects of a kind; null if there are none.
#define ANY_OF(type, kind)                                                                         \
    static type any_##kind(void) {                                                                 \
        type all[128], next = {0, 0};                                                              \
        int count = 0;                                                                             \
        while (count < 128 && (next = pv_world_get_next_##kind(w, next)).index)                    \
            all[count++] = next;                                                                   \
        return count ? all[any_int(0, count - 1)] : next;                                          \
    }
ANY_OF(pv_body_id, body)
ANY_OF(pv_joint_id, joint)
ANY_OF(pv_particle_id, particle)

/* ---- content of a level ---- */

static pv_mask *any_shape(void) {
    static const char *const hook[] = {"##########", "##########", "##........", "##......##",
                                       "##########", "##########", NULL};
    int width = any_int(1, 40), height = any_int(1, 40);
    switch (any_int(0, 5)) {
    case 0: return disc_mask(width / 2 + 1);
    case 1: return box_mask(width, height / 2 + 1);
    case 2: return text_mask(hook);
    case 3: return any_mask(width, height, 80);
    default: return any_picture(width, height);
    }
}

static pv_body_type any_type(void) {
    return chance_of(85) ? PV_BODY_DYNAMIC : chance_of(50) ? PV_BODY_STATIC : PV_BODY_KINEMATIC;
}

static void add_body(void) {
    scoped_mask *mask = any_shape();
    pv_body_def def = WITH(of_type(any_type()), it.mask = mask, it.position = any_spot());
    def.angle = chance_of(50) ? any_within(4) : 0;
    def.velocity = any_place(chance_of(10) ? 4000 : 100);
    def.angular_velocity = any_within(chance_of(10) ? 100 : 3);
    def.friction = any_unit();
    def.static_friction = def.friction + any_unit() / 2;
    if (chance_of(30)) def.restitution = any_unit();
    if (chance_of(30)) def.scale = any_scale();
    if (chance_of(20)) def.collider = (pv_collider)any_int(0, 3);
    if (chance_of(10)) def.rolling_resistance = any_unit();
    if (chance_of(10)) def.motion_locks = (unsigned)any_int(0, 7);
    if (chance_of(10)) def.tangent_speed = any_within(60);
    if (chance_of(10)) def.one_way_normal = PV_VEC2(0, -1);
    if (chance_of(10)) def.linear_damping = def.angular_damping = any_unit();
    if (chance_of(10)) def.gravity_scale = any_within(2);
    if (chance_of(10)) def.mass = any_int(1, 100000);
    if (chance_of(10)) def.filter.group_index = any_int(-2, 2);
    def.sensor = chance_of(8);
    pv_body_id b = pv_body_create(w, &def, NULL);
    mix(b.index);
    pv_fracture_def fracture = WITH(pv_fracture_def_default(), it.spawn_debris = chance_of(50),
                                    it.mode = (pv_fracture_mode)any_int(0, 1),
                                    it.toughness = chance_of(50) ? 3000.0 * any_unit() : 1e9);
    if (chance_of(25)) mix((uint64_t)pv_body_set_fracture(w, b, &fracture));
}

static pv_anchor any_anchor(void) {
    if (chance_of(10)) return pv_anchor_world(any_spot());
    if (chance_of(15)) return pv_anchor_particle(any_particle());
    pv_body_id b = any_body();
    pv_vec2 at = pv_body_get_position(w, b), off = any_place(8);
    return pv_anchor_body(b, PV_VEC2(at.x + off.x, at.y + off.y));
}

static void add_joint(void) {
    pv_joint_def def =
        WITH(pv_joint_def_default(), it.type = (pv_joint_type)any_int(0, PV_JOINT_MOUSE),
             it.a = any_anchor(), it.b = any_anchor());
    if (chance_of(30)) def.stiffness = 1000 * any_unit(), def.damping = any_unit();
    if (chance_of(30)) def.lower = -any_unit(), def.upper = any_unit();
    if (chance_of(30)) def.motor_speed = any_within(10), def.max_force = 1e6 * any_unit();
    if (chance_of(20)) def.break_force = 1e6 * any_unit();
    def.axis = PV_VEC2(1, any_unit());
    def.collide_connected = chance_of(30);
    mix(pv_joint_create(w, &def, NULL).index);
}

static void add_polygon(void) {
    static const pv_vec2 around[5] = {{12, 0}, {6, 10}, {-12, 6}, {-9, -6}, {4, -10}};
    pv_vec2 points[5], middle = any_spot();
    double size = 0.3 + any_unit();
    for (int i = 0; i < 5; i++)
        points[i] = PV_VEC2(middle.x + size * around[i].x, middle.y + size * around[i].y);
    mix(CREATE(polygon, w, it.points = points, it.point_count = any_int(3, 5),
               it.collider = (pv_polygon_collider)any_int(0, 1), it.velocity = any_place(80),
               it.stiffness = chance_of(30) ? 1000 : it.stiffness)
            .index);
}

static void add_composite(void) {
    pv_vec2 at = any_spot();
    scoped_mask *blob = disc_mask(14), *plank = box_mask(12, 4);
    switch (any_int(0, 5)) {
    case 0: CREATE(rope, w, it.from = any_anchor(), it.to = any_anchor(), it.segments = 6); break;
    case 1: CREATE(cloth, w, it.top_left = at, it.columns = 6, it.rows = 5, it.spacing = 6); break;
    case 2: CREATE(jelly, w, it.mask = blob, it.position = at); break;
    case 3: CREATE(ragdoll, w, it.position = at, it.height = 50); break;
    case 4: CREATE(tree, w, it.root = at, it.height = 50, it.depth = 3); break;
    default:
        CREATE(bridge, w, it.mask = plank, it.from = at, it.to = PV_VEC2(at.x + 70, at.y),
               it.plank_count = 5);
    }
}

static void add_matter(void) {
    pv_liquid_id water = CREATE(liquid, w, it.viscosity = any_unit());
    for (int i = 0; i < 40; i++) {
        pv_particle_id p = CREATE(particle, w, it.position = any_spot(), it.radius = any_int(0, 4),
                                  it.velocity = any_place(60), it.restitution = any_unit());
        if (i < 25) pv_liquid_add_particle(w, water, p);
    }
    CREATE(force_field, w, it.type = (pv_force_field_type)any_int(0, 2), it.point = any_spot(),
           it.velocity = any_place(90), it.strength = any_within(1e5), it.radius = 200,
           it.area = ((pv_box){{0, 100}, {WIDE, HIGH}}));
    pv_grains_id sand = CREATE(grains, w, it.capacity = 300, it.piles = chance_of(50),
                               it.follow = chance_of(50), it.friction = any_unit());
    for (int i = 0; i < 200; i++) {
        pv_grain grain = {.position = any_spot(), .color = (uint32_t)i};
        grain.velocity = any_place(90);
        pv_grains_emit(w, sand, &grain, 1);
    }
}

static void open_level(int level) {
    pv_vec2 gravity = chance_of(70) ? PV_VEC2(0, any_int(0, 2500)) : any_place(900);
    w = WORLD(it.contact_mode = level % 5 == 4 ? PV_CONTACT_MODE_PIXELS : PV_CONTACT_MODE_CONTOURS,
              it.gravity = gravity, it.enable_sleep = level % 3 > 0,
              it.particle_substeps = level % 7 == 6 ? 2 : 0,
              it.bounds = ((pv_box){{-900, -900}, {1400, 1300}}));
    put(w, box_mask(WIDE, 20), WIDE / 2, HIGH + 10, of_type(PV_BODY_STATIC));
    put(w, box_mask(20, HIGH), -10, HIGH / 2, of_type(PV_BODY_STATIC));
    put(w, box_mask(20, HIGH), WIDE + 10, HIGH / 2, of_type(PV_BODY_STATIC));
    for (int i = any_int(5, 90); i > 0; i--) add_body();
    for (int i = any_int(0, 6); i > 0; i--) add_polygon();
    if (level % 2) add_matter();
    for (int i = any_int(0, 3); i > 0; i--) add_composite();
    for (int i = any_int(0, 14); i > 0; i--) add_joint();
}

/* ---- events in a level ---- */

static void meddle(void) {
    pv_body_id b = any_body();
    pv_vec2 at = any_spot(), to = any_spot();
    double size = any_unit(), turn = any_within(3);
    pv_cut cut = chance_of(50) ? pv_cut_circle(at, 25 * size) : pv_cut_line(at, to, 6 * size);
    pv_joint_id joint = any_joint();
    cut.add = chance_of(15);
    switch (any_int(0, 12)) {
    case 0: mix((uint64_t)pv_world_carve(w, &cut, NULL, NULL)); break;
    case 1: mix((uint64_t)pv_body_carve(w, b, &cut, NULL)); break;
    case 2: pv_world_explode(w, at, 90 * size, 1e6 * turn); break;
    case 3: pv_body_set_position(w, b, at); break;
    case 4: pv_body_set_velocity(w, b, any_place(900)); break;
    case 5: pv_body_move_to(w, b, at, turn, 0.3); break;
    case 6: pv_body_set_type(w, b, any_type()); break;
    case 7: pv_body_set_enabled(w, b, chance_of(50)); break;
    case 8: pv_body_apply_impulse(w, b, any_place(1e5)); break;
    case 9: pv_body_set_scale(w, b, any_scale()); break;
    case 10: pv_joint_set_length(w, joint, 60 * size + 1); break;
    case 11: pv_world_set_gravity(w, any_place(900)); break;
    default: pv_body_destroy(w, b);
    }
}

/// Asks the world some queries, and mixes the answers into the digest.
static void look(void) {
    pv_body_id found[8];
    pv_cast_hit hits[8];
    scoped_mask *mask = disc_mask(12);
    pv_placed placed = {mask, pv_transform_identity()};
    pv_vec2 at = any_spot(), to = any_spot();
    placed.transform.position = any_spot();
    placed.transform.rotation = pv_rotation_from_angle(any_within(3));
    pv_swept swept = {mask, placed.transform, placed.transform};
    swept.to.position = to;
    int counts[] = {pv_world_query_circle(w, at, 40, NULL, found, 8),
                    pv_world_query_mask(w, &placed, NULL, found, 8),
                    pv_world_cast_ray(w, at, to, PV_CAST_ALL, NULL, hits, 8),
                    pv_world_cast_mask(w, &swept, PV_CAST_CLOSEST, NULL, hits, 8)};
    for (size_t i = 0; i < COUNT_OF(counts); i++) mix((uint64_t)counts[i]);
    for (int i = 0; i < counts[3] && i < 8; i++) {
        mix_number(hits[i].fraction);
        mix_vec(hits[i].point);
        mix_vec(hits[i].normal);
    }
    mix((uint64_t)pv_world_compute_overlap_area(w));
    mix(pv_world_compute_hash(w));
}

static void mix_events(void) {
    pv_events e = pv_world_get_events(w);
    const int counts[] = {e.contact_begin_count, e.contact_end_count, e.sensor_begin_count,
                          e.sensor_end_count,    e.sleep_count,       e.wake_count,
                          e.joint_break_count,   e.split_count,       e.crush_count,
                          e.out_of_bounds_count, e.frozen_count,      e.release_count};
    for (size_t i = 0; i < COUNT_OF(counts); i++) mix((uint64_t)counts[i]);
    for (int i = 0; i < e.hit_count; i++) {
        mix_vec(e.hits[i].point);
        mix_number(e.hits[i].impulse);
    }
}

static uint64_t play_level(int level) {
    static const double lengths[] = {1 / 60.0, 1 / 60.0, 1 / 120.0, 1 / 30.0};
    double dt = lengths[any_int(0, 3)];
    scoped_mask *person = box_mask(8, 18);
    pv_mover mover = WITH(pv_mover_default(), it.mask = person, it.pivot = PV_VEC2(4, 9),
                          it.position = any_spot(), it.push_force = 5e4, it.mass = 200);
    digest = 1;
    open_level(level);
    for (int i = 0; i < STEPS; i++) {
        if (i % 8 == 7) meddle();
        if (i % 15 == 0) look();
        mix((uint64_t)pv_world_step(w, dt));
        mix_events();
        pv_mover_move(w, &mover, PV_VEC2(i % 40 < 20 ? 60 : -60, mover.velocity.y + 9), dt);
        mix_vec(mover.position);
    }
    look();
    pv_world_destroy(w);
    return digest;
}

START_TEST_FOR(levels_are_as_they_were, level, LEVELS) {
    const char *writes = getenv("PIXVERLET_LEVELS");
    uint64_t found = play_level(level), wanted = 0;
    FILE *list = fopen(writes ? writes : source_path("tests/levels.txt"), writes ? "a" : "r");
    ck_assert_ptr_nonnull(list);
    if (writes) fprintf(list, "%016" PRIx64 "\n", found);
    for (int i = 0; i <= level && !writes; i++)
        ck_assert_int_eq(fscanf(list, "%" SCNx64, &wanted), 1);
    fclose(list);
    ck_assert_msg(writes || found == wanted, "%016" PRIx64 ", not %016" PRIx64, found, wanted);
}

RUN_TESTS("levels")
