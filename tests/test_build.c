/* test_build.c - builders: the parts they make, and how these hang, swing, bend and break.
 *
 * Invariant: expected values are formulas of mechanics, or counts and measures of the listed ids.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "bodies.h"

#include "matter/surface.h"

#define MANY 8192

static const double step = 1.0 / 60, gravity = 320;

/// World of the test, until it opens another
static pv_world *world;

static void new_world(void) { world = world_till_end(pv_world_create(NULL, NULL)); }

static void run(double seconds) { steps_well(world, (int)(seconds / step + 0.5)); }

/// Parts of a composite, as listed
typedef struct parts {
    pv_particle_id particles[MANY];
    pv_joint_id constraints[MANY];
    pv_triangle triangles[MANY];
    pv_body_id bodies[MANY];
    int particle_count, constraint_count, triangle_count, body_count;
} parts;

static parts *list(pv_composite_id matter) {
    parts *p = memory_till_end(malloc(sizeof *p));
    ck_assert(pv_composite_is_valid(world, matter));
    p->particle_count = pv_composite_get_particles(world, matter, p->particles, MANY);
    p->constraint_count = pv_composite_get_joints(world, matter, p->constraints, MANY);
    p->triangle_count = pv_composite_get_triangles(world, matter, p->triangles, MANY);
    p->body_count = pv_composite_get_bodies(world, matter, p->bodies, MANY);
    ck_assert(p->particle_count <= MANY && p->constraint_count <= MANY &&
              p->triangle_count <= MANY);
    return p;
}

static pv_cloth_def cloth_of(int columns, int rows) {
    return WITH(pv_cloth_def_default(), it.columns = columns, it.rows = rows);
}

/// Ends of a joint
typedef struct bond {
    pv_anchor ends[2];
} bond;

static bond bond_of(pv_joint_id joint) {
    bond l;
    ck_assert_int_eq(pv_joint_get_anchors(world, joint, l.ends), PV_OK);
    return l;
}

static void check_counts(const parts *p, int particles, int constraints, int triangles,
                         int bodies) {
    ck_assert_int_eq(p->particle_count, particles);
    ck_assert_int_eq(p->constraint_count, constraints);
    ck_assert_int_eq(p->triangle_count, triangles);
    ck_assert_int_eq(p->body_count, bodies);
}

static pv_vec2 place(pv_particle_id particle) { return pv_particle_get_position(world, particle); }

/// Returns the distance between the ends of a joint.
static double span(pv_joint_id constraint) {
    bond l = bond_of(constraint);
    return vec_distance(l.ends[0].point, l.ends[1].point);
}

static int compare_keys(const void *a, const void *b) {
    uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;
    return (p > q) - (p < q);
}

/// Checks that no two joints connect the same particles.
static void check_links(const parts *p) {
    static uint64_t keys[MANY];
    int count = 0;
    for (int i = 0; i < p->constraint_count; i++) {
        bond l = bond_of(p->constraints[i]);
        uint64_t a = l.ends[0].particle.index, b = l.ends[1].particle.index;
        if (!a || !b) continue;
        ck_assert(a != b);
        keys[count++] = a < b ? a << 32 | b : b << 32 | a;
    }
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    for (int i = 1; i < count; i++) ck_assert_uint_ne(keys[i], keys[i - 1]);
}

/// Checks that lengths differ from rest lengths by at most a part; springs are left out.
static void check_unstressed(const parts *p, double part) {
    for (int i = 0; i < p->constraint_count; i++) {
        double length = pv_joint_get_length(world, p->constraints[i]);
        if (length > 0 && pv_joint_get_type(world, p->constraints[i]) == PV_JOINT_DISTANCE)
            ck_assert_double_le(fabs(span(p->constraints[i]) - length), part * length);
    }
}

/* ---- ropes ---- */

static pv_rope_def rope_between(pv_vec2 from, pv_vec2 to) {
    return WITH(pv_rope_def_default(), it.from = pv_anchor_world(from),
                it.to = pv_anchor_world(to));
}

START_TEST(a_rope_has_a_stick_for_each_segment) {
    pv_body_id box = put_static(world, 20, 20, 200, 50);
    pv_particle_def bead = WITH(pv_particle_def_default(), it.position = (pv_vec2){20, 50});
    pv_particle_id hook = pv_particle_create(world, &bead, NULL);
    pv_rope_def def = WITH(rope_between((pv_vec2){10, 20}, (pv_vec2){110, 20}), it.segments = 7);
    parts *p = list(pv_rope_create(world, &def, NULL));
    check_counts(p, 8, 7, 0, 0);
    check_links(p);
    ck_assert_double_eq(pv_particle_get_mass(world, p->particles[0]), 0);
    ck_assert_double_eq(pv_particle_get_mass(world, p->particles[7]), 0);
    ck_assert_double_eq_tol(pv_particle_get_mass(world, p->particles[3]), 2, 1e-12);
    def.bend_stiffness = 100;
    def.to_free = true;
    p = list(pv_rope_create(world, &def, NULL));
    check_counts(p, 8, 7 + 6, 0, 0);
    check_links(p);
    ck_assert_double_gt(pv_particle_get_mass(world, p->particles[7]), 0);
    ck_assert_double_le(vec_distance(place(p->particles[7]), def.to.point), 1e-9);
    def.bend_stiffness = 0;
    def.to_free = false;
    def.from = pv_anchor_particle(hook);
    def.to = pv_anchor_body(box, (pv_vec2){190, 50});
    p = list(pv_rope_create(world, &def, NULL));
    check_counts(p, 8, 7 + 2, 0, 0);
    ck_assert_double_le(vec_distance(place(p->particles[0]), bead.position), 1e-9);
    ck_assert_double_le(vec_distance(place(p->particles[7]), def.to.point), 1e-9);
}

START_TEST(a_slack_rope_begins_without_stress) {
    const double slacks[] = {0, 1e-6, 0.1, 1, 10};
    for (int i = 0; i < 5; i++) {
        pv_rope_def def = WITH(rope_between((pv_vec2){10, 20}, (pv_vec2){110, 50}),
                               it.slack = slacks[i], it.segments = 30);
        parts *p = list(pv_rope_create(world, &def, NULL));
        double length = hypot(100, 30) * (1 + slacks[i]) / 30;
        for (int k = 0; k < 30; k++) {
            ck_assert_double_eq_tol(pv_joint_get_length(world, p->constraints[k]), length, 1e-9);
            ck_assert_double_eq_tol(span(p->constraints[k]), length, 1e-6);
        }
        if (i > 1) ck_assert_double_gt(place(p->particles[15]).y, 35 + length);
    }
}

/// Returns the height of a catenary over its lowest point, at a distance x from its middle.
static double catenary(double parameter, double x) { return parameter * (cosh(x / parameter) - 1); }

/// Returns the parameter of a catenary with a length between two points of equal height.
static double catenary_parameter(double width, double length) {
    double low = width / 100, high = width * 1000;
    for (int i = 0; i < 200; i++) {
        double middle = (low + high) / 2;
        *(2 * middle * sinh(width / (2 * middle)) > length ? &low : &high) = middle;
    }
    return low;
}

START_TEST(a_rope_hangs_in_a_catenary) {
    pv_rope_def def = WITH(rope_between((pv_vec2){0, 0}, (pv_vec2){200, 0}), it.segments = 64,
                           it.slack = 0.3, it.linear_damping = 4);
    parts *p = list(pv_rope_create(world, &def, NULL));
    run(15);
    double a = catenary_parameter(200, 260), sag = catenary(a, 100), worst = 0;
    for (int i = 0; i <= 64; i++) {
        pv_vec2 at = place(p->particles[i]);
        worst = fmax(worst, fabs(at.y - (sag - catenary(a, at.x - 100))));
    }
    ck_assert_msg(worst <= 0.01 * sag, "off by %g of %g px", worst, sag);
}

/* ---- cloth ---- */

/// A box with a load on a spring flies off and tows another one; the kinetic energy must not grow.
static void check_tow(int segments, double speed) {
    new_world();
    pv_world_set_gravity(world, PV_VEC2(0, 0));
    pv_body_id bodies[] = {put_dynamic(world, 48, 48, 0, 0), put_dynamic(world, 48, 48, -150, 0),
                           put_dynamic(world, 16, 16, 0, -60)};
    pv_joint_create_spring(world, pv_anchor_body(bodies[2], PV_VEC2(0, -60)),
                           pv_anchor_body(bodies[0], PV_VEC2(0, -10)), 3, 0.2);
    pv_rope_def def = WITH(
        pv_rope_def_default(), it.from = pv_anchor_body(bodies[1], PV_VEC2(-126, 0)),
        it.to = pv_anchor_body(bodies[0], PV_VEC2(-24, 0)), it.segments = segments, it.slack = 0.2);
    ck_assert(pv_composite_is_valid(world, pv_rope_create(world, &def, NULL)));
    for (int i = 0; i < 3; i += 2) pv_body_set_velocity(world, bodies[i], PV_VEC2(speed, 0));
    double most = 1.001 * kinetic_energy(world, bodies, 3);
    for (int i = 0; i < 240; i++) {
        step_well(world, step);
        ck_assert_double_le(kinetic_energy(world, bodies, 3), most);
    }
    ck_assert_double_gt(pv_body_get_velocity(world, bodies[1]).x, 0.1 * speed);
}

START_TEST(a_tow_rope_gives_no_energy_beside_a_spring) {
    for (int segments = 2; segments <= 32; segments *= 4)
        for (double speed = 60; speed <= 480; speed *= 2) check_tow(segments, speed);
}

START_TEST(cloth_is_a_grid) {
    const int sizes[][2] = {{2, 2}, {3, 5}, {30, 30}};
    for (int i = 0; i < 3; i++)
        for (int shear = 0; shear < 2; shear++) {
            int w = sizes[i][0], h = sizes[i][1];
            parts *p = list(CREATE(cloth, world, it.columns = w, it.rows = h,
                                   it.shear_stiffness = shear * 100));
            check_counts(p, w * h, 2 * w * h - w - h + shear * 2 * (w - 1) * (h - 1),
                         2 * (w - 1) * (h - 1), 0);
            check_links(p);
            ck_assert_double_eq_tol(vec_distance(place(p->particles[1]), place(p->particles[w])),
                                    8 * sqrt(2), 1e-9);
        }
}

START_TEST(cloth_is_pinned_as_told) {
    pv_cloth_def def = cloth_of(8, 3);
    const char *const pinned[] = {"........", "########", "#.#.#.##", "#..#..##"};
    for (def.pin_every = 0; def.pin_every < 4; def.pin_every++) {
        parts *p = list(pv_cloth_create(world, &def, NULL));
        for (int i = 0; i < p->particle_count; i++) {
            bool fast = i < 8 && pinned[def.pin_every][i] == '#';
            ck_assert_double_eq(pv_particle_get_mass(world, p->particles[i]), fast ? 0 : 1);
        }
    }
}

/// Returns the area of a triangle, in the world or in the picture; < 0 if it is flipped.
static double triangle_area(const pv_triangle *triangle, bool picture) {
    pv_vec2 c[3];
    for (int k = 0; k < 3; k++) c[k] = picture ? triangle->uv[k] : place(triangle->corners[k]);
    return ((c[1].x - c[0].x) * (c[2].y - c[0].y) - (c[2].x - c[0].x) * (c[1].y - c[0].y)) / 2;
}

static double area_of(const parts *p, bool picture) {
    double area = 0;
    for (int i = 0; i < p->triangle_count; i++) area += triangle_area(&p->triangles[i], picture);
    return area;
}

START_TEST(cloth_shows_all_of_its_picture_and_tears) {
    pv_composite_id cloth = CREATE_FROM(cloth, world, cloth_of(5, 4));
    parts *p = list(cloth);
    ck_assert_double_eq_tol(area_of(p, false), 4 * 3 * 64, 1e-9);
    ck_assert_double_eq_tol(area_of(p, true), 1, 1e-12);
    int before = p->triangle_count, inner = 0;
    for (int i = 0; i < p->constraint_count; i++) { /* one joins two inner particles */
        bond l = bond_of(p->constraints[i]);
        if (vec_distance(l.ends[0].point, (pv_vec2){8, 8}) < 1 &&
            vec_distance(l.ends[1].point, (pv_vec2){16, 8}) < 1)
            inner += pv_joint_destroy(world, p->constraints[i]) == PV_OK;
    }
    ck_assert_int_eq(inner, 1);
    ck_assert_int_eq(pv_composite_get_triangles(world, cloth, NULL, 0), before - 2);
}

START_TEST(a_mesh_is_its_triangles) {
    pv_cloth_def def = cloth_of(5, 4);
    pv_composite_id cloth = pv_cloth_create(world, &def, NULL);
    static pv_vertex mesh[3 * MANY];
    for (int round = 0; round < 3; round++) {
        parts *p = list(cloth);
        int count = 3 * p->triangle_count;
        ck_assert_int_gt(count, 3);
        ck_assert_int_eq(pv_composite_get_mesh(world, cloth, NULL, 0), count);
        ck_assert_int_eq(pv_composite_get_mesh(world, cloth, mesh, 3 * MANY), count);
        for (int i = 0; i < count; i++) {
            pv_vec2 at = place(p->triangles[i / 3].corners[i % 3]),
                    uv = p->triangles[i / 3].uv[i % 3];
            ck_assert(mesh[i].x == (float)at.x && mesh[i].y == (float)at.y);
            ck_assert(mesh[i].u == (float)uv.x && mesh[i].v == (float)uv.y);
        }
        for (int i = 0; i < 9; i++) mesh[i].x = -7;
        ck_assert_int_eq(pv_composite_get_mesh(world, cloth, mesh, 5), count); /* none in part */
        ck_assert(mesh[2].x != -7 && mesh[3].x == -7 && mesh[4].x == -7);
        ck_assert_int_eq(pv_composite_get_mesh(world, cloth, mesh, -1), count);
        run(0.2);
        if (round == 1) pv_particle_destroy(world, p->particles[7]); /* it tears */
    }
    pv_composite_destroy(world, cloth);
    ck_assert_int_eq(pv_composite_get_mesh(world, cloth, mesh, 3), 0);
    ck_assert_int_eq(pv_composite_get_mesh(NULL, cloth, mesh, 3), 0);
}

START_TEST(cloth_hardly_stretches) {
    parts *p = list(CREATE_FROM(cloth, world, pv_cloth_def_default()));
    run(5);
    double drop = place(p->particles[29 * 30]).y;
    ck_assert_msg(drop <= 29 * 8 * 1.01 && drop > 29 * 8 * 0.99, "it reaches down to %g px", drop);
    for (int i = 0; i < 30; i++) pv_particle_set_mass(world, p->particles[29 * 30 + i], 30);
    run(5);
    drop = place(p->particles[29 * 30]).y;
    ck_assert_msg(drop <= 29 * 8 * 1.03, "twice as heavy it reaches down to %g px", drop);
}

/// Changes gravity slowly from one multiple of it to another.
static void load(double from, double to) {
    for (int i = 1; i <= 240; i++) {
        pv_world_set_gravity(world, (pv_vec2){0, gravity * (from + (to - from) * i / 240)});
        run(step);
    }
}

START_TEST(cloth_tears_at_its_force) {
    pv_world_set_gravity(world, (pv_vec2){0, 0});
    pv_cloth_def def = WITH(cloth_of(4, 11), it.linear_damping = 2);
    def.break_force = 10 * gravity; /* the topmost sticks bear ten particles each */
    pv_composite_id cloth = pv_cloth_create(world, &def, NULL);
    int whole = pv_composite_get_joints(world, cloth, NULL, 0);
    load(0, 0.95);
    ck_assert_int_eq(pv_composite_get_joints(world, cloth, NULL, 0), whole);
    load(0.95, 1.05);
    ck_assert_int_le(pv_composite_get_joints(world, cloth, NULL, 0), whole - 4);
}

/* ---- soft bodies ---- */

static const pv_vec2 fan[] = {{100, 100}, {120, 100}, {110, 117}, {90, 117},
                              {80, 100},  {90, 83},   {110, 83}};
static const int fan_triangles[][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4},
                                       {0, 4, 5}, {0, 5, 6}, {0, 6, 1}};

static pv_soft_body_def fan_def(void) {
    return WITH(pv_soft_body_def_default(), it.points = fan, it.point_count = 7,
                it.triangles = fan_triangles, it.triangle_count = 6);
}

START_TEST(a_mesh_has_a_stick_for_each_edge) {
    pv_soft_body_def def = fan_def();
    parts *p = list(pv_soft_body_create(world, &def, NULL));
    check_counts(p, 7, 7 + 6 - 1, 6, 0); /* Euler: edges = points + triangles - 1 */
    check_links(p);
    for (int t = 0; t < 6; t++)
        for (int k = 0; k < 3; k++) ck_assert(pv_joint_is_valid(world, p->triangles[t].joints[k]));
    def.all_pairs = true;
    p = list(pv_soft_body_create(world, &def, NULL));
    check_counts(p, 7, 7 * 6 / 2, 6, 0);
    check_links(p);
    def.triangle_count = 0;
    def.triangles = NULL;
    p = list(pv_soft_body_create(world, &def, NULL));
    check_counts(p, 7, 7 * 6 / 2, 0, 0);
    static pv_vec2 many[4096]; /* the greatest allowed number */
    for (int i = 0; i < 4096; i++) many[i] = (pv_vec2){5 * (i % 64), 5 * (i / 64)};
    def = WITH(fan_def(), it.points = many, it.point_count = 4096);
    ck_assert_uint_ne(pv_soft_body_create(world, &def, NULL).index, 0);
}

START_TEST_FOR(soft_bodies_fall_land_and_keep_their_shape, pairs, 2) {
    put_static(world, 400, 20, 100, 210);
    pv_composite_id soft = CREATE_FROM(soft_body, world, WITH(fan_def(), it.all_pairs = pairs));
    parts *p = list(soft);
    double area = area_of(p, false);
    run(6);
    ck_assert_double_eq_tol(pv_composite_get_position(world, soft).y, 185, 15);
    ck_assert_double_eq_tol(area_of(p, false), area, 0.1 * area);
}

START_TEST(all_pairs_add_no_energy) {
    uint64_t dice = 7;
    const int counts[] = {4, 8, 17, 64};
    for (int n = 0; n < 4; n++) {
        new_world();
        pv_world_set_gravity(world, (pv_vec2){0, 0});
        pv_vec2 points[64];
        for (int i = 0; i < counts[n]; i++)
            points[i] = (pv_vec2){200 * next_unit(&dice), 200 * next_unit(&dice)};
        parts *p = list(CREATE(soft_body, world, it.points = points, it.point_count = counts[n],
                               it.all_pairs = true, it.linear_damping = 0, it.stiffness = 0,
                               it.damping = 0));
        double before = 0, after = 0;
        for (int i = 0; i < counts[n]; i++) {
            pv_vec2 v = {10 * next_unit(&dice) - 3 * points[i].y,
                         10 * next_unit(&dice) + 3 * points[i].x};
            pv_particle_set_velocity(world, p->particles[i], v);
            before += v.x * v.x + v.y * v.y;
        }
        run(10);
        for (int i = 0; i < counts[n]; i++) {
            pv_vec2 v = pv_particle_get_velocity(world, p->particles[i]);
            after += v.x * v.x + v.y * v.y;
        }
        ck_assert_msg(after <= 1.05 * before, "%d points: %g times the energy", counts[n],
                      after / before);
        ck_assert_msg(after >= 0.9 * before, "%d points: %g times the energy", counts[n],
                      after / before);
        check_unstressed(p, 0.02);
    }
}

/* ---- jelly ---- */

static pv_jelly_def jelly_of(const pv_mask *mask) {
    return WITH(pv_jelly_def_default(), it.mask = mask, it.position = (pv_vec2){300, 200});
}

static pv_mask *ring_mask(void) {
    pv_mask *m = disc_mask(30), *hole = mask_till_end(disc_mask(14));
    ck_assert_int_eq(pv_mask_combine(m, hole, 16, 16, PV_COMBINE_ANDNOT), PV_OK);
    return m;
}

static pv_mask *thin_mask(void) {
    pv_mask *m = pv_mask_create(90, 70, NULL, NULL);
    for (int i = 0; i < 60; i++) pv_mask_set_pixel(m, i, i, true);
    pv_mask_fill_rect(m, (pv_rect){59, 59, 31, 1}, true);
    pv_mask_fill_rect(m, (pv_rect){89, 20, 1, 40}, true);
    return m;
}

static int root_of(int *parents, int i) {
    while (parents[i] != i) i = parents[i];
    return i;
}

static int index_of(const parts *p, pv_particle_id particle) {
    for (int i = 0; i < p->particle_count; i++)
        if (p->particles[i].index == particle.index) return i;
    ck_abort();
    return -1;
}

/// Returns the number of connected parts of a composite.
static int lumps(const parts *p) {
    static int parents[MANY];
    int left = p->particle_count;
    for (int i = 0; i < left; i++) parents[i] = i;
    for (int i = 0; i < p->constraint_count; i++) {
        bond l = bond_of(p->constraints[i]);
        int a = root_of(parents, index_of(p, l.ends[0].particle)),
            b = root_of(parents, index_of(p, l.ends[1].particle));
        left -= a != b;
        parents[a] = b;
    }
    return left;
}

static double cross_at(pv_vec2 a, pv_vec2 b, pv_vec2 point) {
    return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x);
}

/// Returns the number of triangles that cover a point of the picture.
static int covers(const parts *p, pv_vec2 point) {
    int count = 0;
    for (int i = 0; i < p->triangle_count; i++) {
        const pv_vec2 *t = p->triangles[i].uv;
        count += cross_at(t[0], t[1], point) > 0 && cross_at(t[1], t[2], point) > 0 &&
                 cross_at(t[2], t[0], point) > 0;
    }
    return count;
}

START_TEST(jelly_follows_the_silhouette) {
    pv_mask *masks[] = {mask_till_end(disc_mask(24)),  mask_till_end(box_mask(40, 24)),
                        mask_till_end(ring_mask()),    mask_till_end(thin_mask()),
                        mask_till_end(box_mask(1, 1)), mask_till_end(box_mask(120, 8))};
    const double excess[] = {0.03, 1e-9, 0.06,
                             3,    1e-9, 1e-9}; /* tolerances, as shares of the pixels' area */
    for (int i = 0; i < 6; i++) {
        new_world();
        pv_jelly_def def = WITH(jelly_of(masks[i]), it.angle = 0.4);
        parts *p = list(pv_jelly_create(world, &def, NULL));
        double pixels = (double)pv_mask_count_pixels(masks[i]), area = area_of(p, false), mass = 0;
        ck_assert_msg(fabs(area - pixels) <= excess[i] * pixels, "%d: area %g of %g", i, area,
                      pixels);
        ck_assert_int_eq(lumps(p), 1);
        check_links(p);
        for (int k = 0; k < p->particle_count; k++)
            mass += pv_particle_get_mass(world, p->particles[k]);
        for (int k = 0; k < p->constraint_count; k++) {
            bond l = bond_of(p->constraints[k]);
            pv_vec2 a = place(l.ends[0].particle), b = place(l.ends[1].particle);
            ck_assert_double_lt(vec_distance(a, b), 3 * def.spacing);
        }
        ck_assert_double_eq_tol(mass, 0.05 * pixels, 1e-9 * pixels);
        ck_assert_double_le(
            vec_distance(pv_composite_get_position(world, (pv_composite_id){1, 1}), def.position),
            1e-9);
    }
}

START_TEST(jelly_shows_its_picture_once_and_keeps_holes) {
    pv_mask *masks[] = {mask_till_end(disc_mask(24)), mask_till_end(ring_mask())};
    for (int i = 0; i < 2; i++) {
        parts *p = list(CREATE_FROM(jelly, world, jelly_of(masks[i])));
        int w = pv_mask_get_width(masks[i]), h = pv_mask_get_height(masks[i]), missed = 0,
            solid = 0;
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                int covered = covers(p, (pv_vec2){(x + 0.5003) / w, (y + 0.5001) / h});
                ck_assert_int_le(covered, 1);
                solid += pv_mask_get_pixel(masks[i], x, y);
                missed += pv_mask_get_pixel(masks[i], x, y) && !covered;
            }
        ck_assert_msg(missed <= solid / 25, "%d of %d pixels are not shown", missed, solid);
        ck_assert_int_eq(covers(p, (pv_vec2){0.5003, 0.5001}), i == 0);
        /* Places in the picture are places in the world. */
        for (int t = 0; t < p->triangle_count; t++)
            for (int k = 0; k < 3; k++) {
                pv_vec2 a = place(p->triangles[t].corners[k]),
                        b = place(p->triangles[t].corners[(k + 1) % 3]), c = p->triangles[t].uv[k],
                        d = p->triangles[t].uv[(k + 1) % 3];
                ck_assert_double_eq_tol(b.x - a.x, (d.x - c.x) * w, 1e-9);
                ck_assert_double_eq_tol(b.y - a.y, (d.y - c.y) * h, 1e-9);
            }
    }
}

START_TEST(jelly_gets_over_a_fall) {
    pv_mask *masks[] = {mask_till_end(disc_mask(24)), mask_till_end(ring_mask()),
                        mask_till_end(box_mask(60, 16))};
    for (int i = 0; i < 3; i++) {
        new_world();
        put_static(world, 600, 20, 300, 610);
        pv_composite_id jelly = CREATE_FROM(jelly, world, WITH(jelly_of(masks[i]), it.angle = 0.5));
        parts *p = list(jelly);
        double area = area_of(p, false), least = area;
        for (int n = 0; n < 600; n++) {
            run(step);
            least = fmin(least, area_of(p, false));
        }
        double rest = area_of(p, false), y = pv_composite_get_position(world, jelly).y;
        ck_assert_msg(least < 0.9 * area, "%d does not give: %g of %g", i, least, area);
        ck_assert_msg(rest > 0.97 * area && rest < 1.03 * area, "%d stays at %g", i, rest);
        if (i == 0)
            ck_assert_msg(y > 600 - 24 - 1.5 && y < 600 - 24 + 4, "its center rests at %g", y);
        for (int t = 0; t < p->triangle_count; t++)
            ck_assert_double_gt(triangle_area(&p->triangles[t], false), -1);
    }
}

/* ---- plants ---- */

static pv_composite_id plant(bool tree, uint64_t seed) {
    const pv_vec2 root = {200, 400}, end = {400, 400};
    return tree ? CREATE(tree, world, it.root = root, it.seed = seed)
                : CREATE(grass, world, it.from = root, it.to = end, it.seed = seed);
}

START_TEST(composites_are_listed_in_slot_order) {
    const pv_composite_id none = {0, 0};
    ck_assert(PV_ID_IS_NULL(pv_world_get_next_composite(world, none)));
    pv_composite_id all[3];
    for (int i = 0; i < 3; i++) all[i] = plant(i != 1, 1);
    pv_composite_id at = none;
    for (int i = 0; i < 3; i++) {
        at = pv_world_get_next_composite(world, at);
        ck_assert(PV_ID_EQUALS(at, all[i]));
    }
    ck_assert(PV_ID_IS_NULL(pv_world_get_next_composite(world, at)));
    for (int gone = 0; gone < 2; gone++) {
        ck_assert_int_eq(pv_composite_destroy(world, all[gone]), PV_OK);
        at = pv_world_get_next_composite(world, none);
        ck_assert(PV_ID_EQUALS(at, all[gone + 1]));
        ck_assert(PV_ID_IS_NULL(pv_world_get_next_composite(world, all[gone])));
    }
    ck_assert(PV_ID_IS_NULL(pv_world_get_next_composite(NULL, none)));
}

START_TEST(trees_fork_as_often_as_told) {
    for (int depth = 0; depth <= 8; depth++) {
        pv_tree_def def = WITH(pv_tree_def_default(), it.depth = depth, it.seed = (uint64_t)depth,
                               it.root = (pv_vec2){200, 400});
        parts *p = list(pv_tree_create(world, &def, NULL));
        int branches = (2 << depth) - 1, leaves = depth <= 3 ? (1 << depth) - 1 : 7 << (depth - 3);
        check_counts(p, 1 + branches + 2, branches + (branches - 1) * 3 / 2 + 2, leaves, 0);
        check_links(p);
        double top = 400;
        for (int i = 0; i < p->particle_count; i++) top = fmin(top, place(p->particles[i]).y);
        ck_assert_double_eq_tol(top, 400 - def.height, 1e-6);
        for (int i = 0; i < branches; i++) { /* branches come first, and only they are rigid */
            bond l = bond_of(p->constraints[i]);
            ck_assert_int_eq(index_of(p, l.ends[1].particle), i + 1);
        }
    }
}

START_TEST(grass_has_so_many_blades) {
    pv_grass_def def =
        WITH(pv_grass_def_default(), it.from = (pv_vec2){10, 100}, it.to = (pv_vec2){210, 120});
    for (int segments = 1; segments <= 4; segments++) {
        def.segments = segments;
        parts *p = list(pv_grass_create(world, &def, NULL));
        check_counts(p, 40 * (segments + 4), 40 * 3 * segments, 40 * segments, 0);
        check_links(p);
    }
}

START_TEST_FOR(the_same_seed_grows_the_same_plant, tree, 2) {
    uint64_t hashes[3];
    for (int i = 0; i < 3; i++) {
        new_world();
        plant(tree, i < 2 ? 5 : 6);
        run(1);
        hashes[i] = pv_world_compute_hash(world);
    }
    ck_assert_uint_eq(hashes[0], hashes[1]);
    ck_assert_uint_ne(hashes[0], hashes[2]);
}

/// Returns the greatest distance that a particle has moved from its old place.
static double farthest(const parts *p, const pv_vec2 *from) {
    double most = 0;
    for (int i = 0; i < p->particle_count; i++)
        most = fmax(most, vec_distance(place(p->particles[i]), from[i]));
    return most;
}

START_TEST(plants_stand_sway_and_come_back) {
    static pv_vec2 grown[MANY], settled[MANY];
    const double height[] = {24, 160};
    for (int tree = 0; tree < 2; tree++) {
        new_world();
        pv_composite_id it = plant(tree, 3);
        parts *p = list(it);
        for (int i = 0; i < p->particle_count; i++) grown[i] = place(p->particles[i]);
        run(20);
        for (int i = 0; i < p->particle_count; i++) settled[i] = place(p->particles[i]);
        double sag = farthest(p, grown), sway = 0;
        ck_assert_msg(sag < 0.1 * height[tree], "it sags by %g px", sag);
        for (int i = 0; i < 60; i++) {
            pv_composite_apply_acceleration(world, it, (pv_vec2){200, 0});
            run(step);
            sway = fmax(sway, farthest(p, settled));
        }
        ck_assert_msg(sway > 0.05 * height[tree], "it sways by %g px", sway);
        run(20);
        double off = farthest(p, settled);
        ck_assert_msg(off < 0.01 * height[tree], "it stays %g px off", off);
    }
}

/* ---- ragdolls ---- */

START_TEST(a_ragdoll_is_13_joints_16_bones_and_9_struts) {
    parts *p = list(CREATE(ragdoll, world, it.position = (pv_vec2){100, 100}));
    check_counts(p, 13, 25, 0, 0);
    check_links(p);
    double top = 1e9, bottom = 0, mass = 0;
    for (int i = 0; i < 13; i++) {
        pv_vec2 at = place(p->particles[i]);
        double radius = pv_particle_get_radius(world, p->particles[i]);
        top = fmin(top, at.y - radius);
        bottom = fmax(bottom, at.y + radius);
        mass += pv_particle_get_mass(world, p->particles[i]);
        ck_assert_double_le(radius, pv_particle_get_radius(world, p->particles[0]));
    }
    ck_assert_double_eq_tol(bottom - top, 64, 1e-9);
    ck_assert_double_eq_tol(mass, 16, 1e-9);
    ck_assert_double_lt(place(p->particles[0]).y, 100);
}

START_TEST(a_ragdoll_falls_without_folding_up) {
    put_static(world, 600, 20, 300, 410);
    put(world, disc_mask(30), 300, 300, of_type(PV_BODY_STATIC));
    pv_ragdoll_def def = pv_ragdoll_def_default();
    for (int i = 0; i < 5; i++) {
        def.position = (pv_vec2){290 + 5 * i, 100};
        parts *p = list(pv_ragdoll_create(world, &def, NULL));
        for (int n = 0; n < 300; n++) {
            run(step);
            check_unstressed(p, 0.05);
            for (int k = 0; k < 25; k++)
                if (pv_joint_get_type(world, p->constraints[k]) == PV_JOINT_STRUT)
                    ck_assert_double_ge(span(p->constraints[k]),
                                        0.93 * pv_joint_get_length(world, p->constraints[k]));
        }
        for (int k = 0; k < 13; k++) ck_assert_double_lt(place(p->particles[k]).y, 400.5);
    }
}

/* ---- bridges ---- */

static double widest_gap(const parts *p) {
    double gap = 0;
    for (int i = 0; i < p->constraint_count; i++) gap = fmax(gap, span(p->constraints[i]));
    return gap;
}

START_TEST(a_bridge_hangs_and_carries) {
    pv_mask *plank = mask_till_end(box_mask(20, 6));
    parts *p = list(CREATE(bridge, world, it.mask = plank, it.from = (pv_vec2){100, 100},
                           it.to = (pv_vec2){320, 100}));
    check_counts(p, 0, 13, 0, 12);
    ck_assert_double_le(widest_gap(p), 1e-6);
    run(5);
    ck_assert_double_le(widest_gap(p), 0.1);
    /* 240 px of planks span 220 px: the sag of a catenary */
    double a = catenary_parameter(220, 240), sag = catenary(a, 110);
    double middle = pv_body_get_position(world, p->bodies[6]).y - 100;
    ck_assert_msg(fabs(middle - sag) < 0.05 * sag + 1, "it sags by %g, not %g px", middle, sag);
    pv_body_id crate = put(world, box_mask(24, 24), 210, 60, of_type(PV_BODY_DYNAMIC));
    run(8);
    double gap = widest_gap(p), y = pv_body_get_position(world, crate).y;
    ck_assert_msg(gap <= 0.5, "a gap of %g px", gap);
    ck_assert_msg(y > 100 && y < 160, "the crate is at %g", y);
}

START_TEST(a_short_bridge_is_straight) {
    pv_mask *plank = mask_till_end(box_mask(20, 6));
    parts *p = list(CREATE(bridge, world, it.mask = plank, it.from = (pv_vec2){100, 100},
                           it.to = (pv_vec2){400, 140}));
    for (int i = 0; i < 12; i++) {
        pv_vec2 at = pv_body_get_position(world, p->bodies[i]);
        ck_assert_near(at, ((pv_vec2){100 + 300 * (i + 0.5) / 12, 100 + 40 * (i + 0.5) / 12}),
                       1e-6);
        ck_assert_double_eq_tol(pv_body_get_angle(world, p->bodies[i]), atan2(40, 300), 1e-9);
    }
}

/* ---- all or nothing ---- */

enum { BUILDERS = 8 };

static pv_composite_id build(int kind, pv_mask *mask, pv_error *error) {
    pv_rope_def rope = WITH(rope_between((pv_vec2){10, 10}, (pv_vec2){300, 10}), it.segments = 100,
                            it.bend_stiffness = 1);
    pv_cloth_def cloth = cloth_of(12, 12);
    pv_soft_body_def soft = WITH(fan_def(), it.all_pairs = true);
    pv_jelly_def jelly = jelly_of(mask);
    pv_bridge_def bridge = WITH(pv_bridge_def_default(), it.mask = mask, it.to.x = 700);
    pv_tree_def tree = WITH(pv_tree_def_default(), it.depth = 6);
    pv_grass_def grass = WITH(pv_grass_def_default(), it.to.x = 100);
    pv_ragdoll_def ragdoll = pv_ragdoll_def_default();
    switch (kind) {
    case 0: return pv_rope_create(world, &rope, error);
    case 1: return pv_cloth_create(world, &cloth, error);
    case 2: return pv_soft_body_create(world, &soft, error);
    case 3: return pv_jelly_create(world, &jelly, error);
    case 4: return pv_tree_create(world, &tree, error);
    case 5: return pv_grass_create(world, &grass, error);
    case 6: return pv_ragdoll_create(world, &ragdoll, error);
    default: return pv_bridge_create(world, &bridge, error);
    }
}

static bool is_empty(void) {
    pv_world_stats s = pv_world_get_stats(world);
    return s.bodies + s.particles + s.joints == 0 &&
           pv_world_get_next_composite(world, (pv_composite_id){0, 0}).generation == 0;
}

START_TEST_FOR(without_memory_nothing_is_left, kind, BUILDERS) {
    bool built = false;
    int failures = -1;
    for (int n = 1; !built; n++, failures++) {
        scoped_purse money = {0};
        world = mode_world(PV_CONTACT_MODE_CONTOURS, gravity, &money);
        scoped_mask *mask = pv_mask_create(48, 48, &(pv_allocator){purse_alloc, &money}, NULL);
        pv_mask_fill_rect(mask, (pv_rect){0, 0, 48, 40}, true);
        money.fail_at = money.calls + n;
        pv_error error = {.status = PV_ERROR_EMPTY};
        pv_composite_id it = build(kind, mask, &error);
        built = error.status == PV_OK;
        ck_assert_int_eq(built, pv_composite_is_valid(world, it));
        if (!built) { /* with memory again, the same world can build it */
            ck_assert_int_eq(error.status, PV_ERROR_MEMORY);
            ck_assert(is_empty());
            it = build(kind, mask, &error);
            ck_assert_int_eq(error.status, PV_OK);
        }
        ck_assert(!is_empty());
        ck_assert_int_eq(pv_composite_destroy(world, it), PV_OK);
        ck_assert(is_empty());
        pv_world_destroy(world);
    }
    ck_assert_msg(failures >= 3, "builder %d took memory %d times", kind, failures);
}

/* ---- bad input ---- */

/// Refusals that the world reported
typedef struct witness {
    int told;
    char function[64];
} witness;

static void note(void *user_data, const pv_error *error) {
    witness *w = user_data;
    w->told++;
    strncpy(w->function, error->function, sizeof w->function - 1);
}

static pv_world *watched_world(witness *w) {
    return world_till_end(WORLD(it.report_callback = note, it.report_user_data = w));
}

/// Builds from a def that one assignment spoils, and expects a refusal that leaves nothing.
#define REFUSED(kind, good, spoil, expected)                                                       \
    do {                                                                                           \
        witness seen = {0};                                                                        \
        world = watched_world(&seen);                                                              \
        pv_##kind##_def def = good;                                                                \
        spoil;                                                                                     \
        pv_error error = {0};                                                                      \
        pv_composite_id it = pv_##kind##_create(world, &def, &error);                              \
        ck_assert_msg(error.status == (expected), #kind ", " #spoil ": %s", error.message);        \
        ck_assert(it.index == 0 && it.generation == 0 && is_empty());                              \
        ck_assert_int_eq(seen.told, 1);                                                            \
        ck_assert_str_eq(seen.function, "pv_" #kind "_create");                                    \
    } while (0)

#define REFUSED_RANGES(kind, good, member, ...)                                                    \
    do {                                                                                           \
        const __typeof__((good).member) bad[] = {__VA_ARGS__};                                     \
        for (size_t n = 0; n < sizeof bad / sizeof *bad; n++)                                      \
            REFUSED(kind, good, def.member = bad[n], PV_ERROR_ARGUMENT);                           \
    } while (0)

#define REFUSED_MATERIALS(kind, good)                                                              \
    do {                                                                                           \
        REFUSED_RANGES(kind, good, linear_damping, -1);                                            \
        REFUSED_RANGES(kind, good, restitution, -0.1, 1.1);                                        \
        REFUSED_RANGES(kind, good, static_friction, 2e6);                                          \
        REFUSED_RANGES(kind, good, friction, -0.1);                                                \
    } while (0)

static const double beyond = 2 * PV_MAX_COORDINATE;

START_TEST(bad_ropes_are_refused) {
    pv_rope_def good = rope_between((pv_vec2){0, 0}, (pv_vec2){100, 0});
    REFUSED(rope, good, def.to = def.from, PV_ERROR_ARGUMENT);
    REFUSED_RANGES(rope, good, segments, 0, -1, 4097);
    REFUSED_RANGES(rope, good, from.point.x, beyond, -beyond);
    REFUSED_RANGES(rope, good, to.point.y, beyond, -beyond);
    REFUSED_RANGES(rope, good, slack, -0.1);
    REFUSED_RANGES(rope, good, mass, 0, -1, 1e13);
    REFUSED_RANGES(rope, good, radius, -1, 257);
    REFUSED_RANGES(rope, good, linear_damping, -1);
    REFUSED_RANGES(rope, good, bend_stiffness, -1);
    REFUSED_RANGES(rope, good, break_force, -1);
}

START_TEST(bad_cloth_is_refused) {
    pv_cloth_def good = pv_cloth_def_default();
    REFUSED_RANGES(cloth, good, columns, 1, 0, -1, 1025);
    REFUSED_RANGES(cloth, good, rows, 1, 0, -1, 1025);
    REFUSED_RANGES(cloth, good, pin_every, -1);
    REFUSED_RANGES(cloth, good, top_left.x, beyond, -beyond, PV_MAX_COORDINATE);
    REFUSED_RANGES(cloth, good, spacing, 0, -1);
    REFUSED_RANGES(cloth, good, mass, 0, -1, 1e13);
    REFUSED_RANGES(cloth, good, radius, -1, 257);
    REFUSED_RANGES(cloth, good, linear_damping, -1);
    REFUSED_RANGES(cloth, good, stiffness, -1);
    REFUSED_RANGES(cloth, good, shear_stiffness, -1);
    REFUSED_RANGES(cloth, good, break_force, -1);
}

START_TEST(bad_soft_bodies_are_refused) {
    static const int outside[][3] = {{0, 1, 7}}, doubled[][3] = {{0, 1, 1}},
                     negative[][3] = {{-1, 1, 2}};
    static const pv_vec2 far[] = {{0, 0}, {1e9, 0}, {0, 5}}, same[] = {{5, 5}, {5, 5}, {10, 5}},
                         gone[] = {{0, 0}, {(double)NAN, 0}, {0, 5}};
    pv_soft_body_def good = fan_def();
    pv_soft_body_def pairs =
        WITH(good, it.point_count = 3, it.triangle_count = 0, it.all_pairs = true);
    REFUSED(soft_body, good, (def.triangles = outside, def.triangle_count = 1), PV_ERROR_ARGUMENT);
    REFUSED(soft_body, good, (def.triangles = doubled, def.triangle_count = 1), PV_ERROR_ARGUMENT);
    REFUSED(soft_body, good, (def.triangles = negative, def.triangle_count = 1), PV_ERROR_ARGUMENT);
    REFUSED(soft_body, pairs, def.points = far, PV_ERROR_ARGUMENT);
    REFUSED(soft_body, pairs, def.points = gone, PV_ERROR_NOT_FINITE);
    REFUSED(soft_body, pairs, def.uvs = gone, PV_ERROR_NOT_FINITE);
    REFUSED_RANGES(soft_body, good, point_count, 1, 0, -1, 4097, 3);
    REFUSED_RANGES(soft_body, good, triangle_count, 0, -1);
    REFUSED_RANGES(soft_body, good, mass, 0, -1, 1e13);
    REFUSED_RANGES(soft_body, good, radius, -1, 257);
    REFUSED_MATERIALS(soft_body, good);
    REFUSED_RANGES(soft_body, good, stiffness, -1);
    REFUSED_RANGES(soft_body, good, damping, -1);
    new_world();
    pv_error error = {0};
    pairs.points = same;
    pv_soft_body_create(world, &pairs, &error);
    ck_assert(error.status == PV_ERROR_ARGUMENT && is_empty());
}

START_TEST(bad_jelly_is_refused) {
    pv_mask *disc = mask_till_end(disc_mask(20)),
            *empty = mask_till_end(pv_mask_create(20, 20, NULL, NULL)),
            *vast = mask_till_end(box_mask(2000, 2000));
    pv_jelly_def good = jelly_of(disc);
    REFUSED(jelly, good, def.mask = empty, PV_ERROR_EMPTY);
    REFUSED(jelly, good, (def.mask = vast, def.spacing = 2), PV_ERROR_TOO_LARGE);
    REFUSED_RANGES(jelly, good, position.y, beyond, -beyond);
    REFUSED_RANGES(jelly, good, angle, 1e7, -1e7);
    REFUSED_RANGES(jelly, good, spacing, 0, 1.9, 257, -8);
    REFUSED_RANGES(jelly, good, density, 0, -1, 1e7);
    REFUSED_MATERIALS(jelly, good);
    REFUSED_RANGES(jelly, good, stiffness, -1);
    REFUSED_RANGES(jelly, good, damping, -1);
}

START_TEST(bad_plants_are_refused) {
    pv_tree_def tree = pv_tree_def_default();
    REFUSED_RANGES(tree, tree, depth, -1, 9);
    REFUSED_RANGES(tree, tree, root.x, beyond, -beyond);
    REFUSED_RANGES(tree, tree, height, 0, -1);
    REFUSED_RANGES(tree, tree, mass, 0, -1, 1e13);
    REFUSED_RANGES(tree, tree, stiffness, 0, -1);
    REFUSED_RANGES(tree, tree, linear_damping, -1);
    pv_grass_def grass = WITH(pv_grass_def_default(), it.to.x = 100);
    REFUSED(grass, grass, def.to = def.from, PV_ERROR_ARGUMENT);
    REFUSED_RANGES(grass, grass, blade_count, 0, -1, 4097);
    REFUSED_RANGES(grass, grass, segments, 0, -1, 17);
    REFUSED_RANGES(grass, grass, from.y, beyond, -beyond);
    REFUSED_RANGES(grass, grass, to.x, beyond, -beyond);
    REFUSED_RANGES(grass, grass, height, 0, -1);
    REFUSED_RANGES(grass, grass, stiffness, 0, -1);
    REFUSED_RANGES(grass, grass, linear_damping, -1);
}

START_TEST(bad_ragdolls_bridges_and_arms_are_refused) {
    pv_ragdoll_def doll = pv_ragdoll_def_default();
    REFUSED_RANGES(ragdoll, doll, position.x, beyond, -beyond);
    REFUSED_RANGES(ragdoll, doll, height, 0, -1, 1e5);
    REFUSED_RANGES(ragdoll, doll, mass, 0, -1, 1e13);
    REFUSED_MATERIALS(ragdoll, doll);
    pv_mask *plank = mask_till_end(box_mask(20, 6)),
            *empty = mask_till_end(pv_mask_create(20, 6, NULL, NULL));
    pv_bridge_def bridge = WITH(pv_bridge_def_default(), it.mask = plank, it.to.x = 200);
    REFUSED(bridge, bridge, def.mask = empty, PV_ERROR_EMPTY);
    REFUSED(bridge, bridge, def.to = def.from, PV_ERROR_ARGUMENT);
    REFUSED_RANGES(bridge, bridge, plank_count, 0, -1, 257);
    REFUSED_RANGES(bridge, bridge, from.x, beyond, -beyond);
    REFUSED_RANGES(bridge, bridge, to.y, beyond, -beyond);
    REFUSED_RANGES(bridge, bridge, density, 0, -1, 1e7);
    REFUSED_RANGES(bridge, bridge, break_force, -1);
}

/// Returns how far a jelly that fell on another one is above it. Slack ropes may join the two, and
/// the upper one to a third.
static double fall_on(bool solid, bool joined) {
    new_world();
    put_static(world, 300, 40, 0, 20);
    pv_jelly_def def =
        WITH(pv_jelly_def_default(), it.mask = mask_till_end(box_mask(40, 32)), it.restitution = 0);
    pv_composite_id two[3];
    pv_particle_id ends[3];
    for (int i = 0; i < 3; i++) {
        def.position = (pv_vec2){i < 2 ? 0.5 * i : 100, i < 2 ? -17 - 40 * i : -17};
        two[i] = pv_jelly_create(world, &def, NULL);
        ck_assert_int_eq(pv_composite_set_solid(world, two[i], solid), PV_OK);
        ck_assert_int_gt(pv_composite_get_particles(world, two[i], &ends[i], 1), 0);
    }
    for (int i = 1; joined && i >= 0; i--)
        CREATE(joint, world, it.type = PV_JOINT_ROPE, it.length = 500,
               it.a = pv_anchor_particle(ends[i]), it.b = pv_anchor_particle(ends[i + 1]));
    run(2);
    return pv_composite_get_position(world, two[0]).y - pv_composite_get_position(world, two[1]).y;
}

START_TEST(jelly_lies_on_jelly_unless_it_is_not_solid) {
    double between = fall_on(true, false);
    ck_assert_double_gt(between, 28);
    ck_assert_double_lt(between, 38);
    ck_assert_double_lt(fall_on(false, false), 4);
    ck_assert_double_lt(fall_on(true, true), 4);
}

/// Returns the number of triangles with a side between two particles, in either direction.
static int triangles_with_side(const parts *p, uint32_t from, uint32_t to) {
    int count = 0;
    for (int i = 0; i < 3 * p->triangle_count; i++) {
        uint32_t a = p->triangles[i / 3].corners[i % 3].index,
                 b = p->triangles[i / 3].corners[(i + 1) % 3].index;
        count += (a == from && b == to) || (a == to && b == from);
    }
    return count;
}

static int sides_between(const pv__surfaces *skin, const pv__hide *hide, int from, int to) {
    int count = 0;
    for (int i = hide->first; i < hide->end; i++)
        count += skin->sides[i].from == from && skin->sides[i].to == to;
    return count;
}

/// Checks that a surface has exactly the sides that belong to one triangle.
static void check_outline(const pv__hide *hide, const parts *p) {
    int sides = 0, inner = 0;
    for (int i = 0; i < 3 * p->triangle_count; i++) {
        uint32_t a = p->triangles[i / 3].corners[i % 3].index,
                 b = p->triangles[i / 3].corners[(i + 1) % 3].index;
        bool outer = triangles_with_side(p, a, b) == 1;
        ck_assert_int_eq(sides_between(world->matter.skin, hide, (int)a, (int)b), outer);
        sides += outer;
        inner += !outer;
    }
    ck_assert(sides > 8 && inner > 8);
    ck_assert_int_eq(hide->end - hide->first, sides);
}

START_TEST(outlines_have_the_sides_of_one_triangle_alone) {
    pv_mask *ring = mask_till_end(box_mask(60, 50));
    ck_assert_int_eq(pv_mask_fill_rect(ring, (pv_rect){20, 15, 20, 20}, false), PV_OK);
    pv_composite_id made[] = {CREATE(jelly, world, it.mask = ring),
                              CREATE(cloth, world, it.columns = 7, it.rows = 5)};
    ck_assert_int_eq(pv_composite_set_solid(world, made[1], true), PV_OK);
    for (int round = 0; round < 2; round++) {
        run(step);
        ck_assert_int_eq(world->matter.skin->hide_count, 2);
        for (int i = 0; i < 2; i++) {
            parts *p = list(made[i]);
            check_outline(&world->matter.skin->hides[i], p);
            pv_particle_destroy(world, p->particles[p->particle_count / 2]); /* makes a hole */
        }
    }
}

/// A jelly falls on a level rope held at both ends, which may be a single stick.
START_TEST_FOR(jelly_lies_on_a_solid_rope, k, 4) {
    bool solid = k & 1, sparse = k & 2;
    new_world();
    pv_rope_def rope = WITH(pv_rope_def_default(), it.from = pv_anchor_world((pv_vec2){-60, 0}),
                            it.to = pv_anchor_world((pv_vec2){60, 0}), it.mass = 100);
    if (sparse) rope.segments = 1;
    pv_composite_id line = pv_rope_create(world, &rope, NULL);
    ck_assert_int_eq(pv_composite_set_solid(world, line, solid), PV_OK);
    pv_mask *mask = mask_till_end(box_mask(30, 24));
    pv_composite_id jelly = CREATE(jelly, world, it.mask = mask, it.position = (pv_vec2){0, -40});
    run(2);
    double y = pv_composite_get_position(world, jelly).y;
    ck_assert(solid ? y < 10 : y > 300);
}

/// The corner of a wedge, a little inside a jelly's right or left side, leaves by that side.
START_TEST_FOR(jelly_leads_out_what_is_inside, left, 2) {
    const int corners[1][3] = {{0, 1, 2}};
    const double x = left ? -1 : 1;
    const pv_vec2 points[3] = {{15.95 * x, 3 * x}, {40 * x, -10 * x}, {40 * x, 16 * x}};
    pv_composite_id jelly = CREATE(jelly, world, it.mask = mask_till_end(box_mask(32, 32)));
    pv_composite_id wedge = CREATE(soft_body, world, it.points = points, it.point_count = 3,
                                   it.triangles = corners, it.triangle_count = 1);
    run(1);
    pv_particle_id tip;
    ck_assert_int_eq(pv_composite_get_particles(world, wedge, &tip, 1), 3);
    double out = pv_particle_get_position(world, tip).x - pv_composite_get_position(world, jelly).x;
    ck_assert_double_gt(x * out, 17);
}

/// A composite heads from its center to its first particle, also after that is destroyed.
START_TEST(the_heading_turns_with_a_composite) {
    pv_composite_id thing = pv_composite_create(world, NULL);
    pv_particle_id p[4];
    for (int i = 0; i < 4; i++) {
        pv_particle_def def = pv_particle_def_default();
        double angle = 0.4 + i * 1.57079632679489662;
        def.position = (pv_vec2){50 + 10 * cos(angle), 20 + 10 * sin(angle)};
        p[i] = pv_particle_create(world, &def, NULL);
        ck_assert_int_eq(pv_composite_add_particle(world, thing, p[i]), PV_OK);
    }
    ck_assert_double_eq_tol(pv_composite_get_angle(world, thing), 0.4, 1e-9);
    ck_assert_int_eq(pv_particle_destroy(world, p[0]), PV_OK);
    /* the center moves by 10/3 px, away from the lost corner */
    ck_assert_double_eq_tol(pv_composite_get_angle(world, thing), 0.4 + atan2(10, 10 / 3.0), 1e-9);
    ck_assert_int_eq(pv_composite_destroy(world, thing), PV_OK);
    ck_assert(pv_composite_get_angle(world, thing) == 0);
    ck_assert_int_eq(pv_composite_set_solid(world, thing, true), PV_ERROR_STALE_ID);
}

/* ---- inside bodies that they are tied to ---- */

/// Sprites that ropes are tied to, at a point inside
enum { TIED_DISC, TIED_BOX, TIED_PLANK, TIED_ARCH, TIED_KINDS };

static pv_mask *tied_mask(int kind) {
    switch (kind) {
    case TIED_DISC: return mask_till_end(disc_mask(22));
    case TIED_BOX: return mask_till_end(box_mask(40, 20));
    case TIED_PLANK: return mask_till_end(box_mask(80, 10));
    default: break;
    }
    pv_mask *arch = mask_till_end(box_mask(60, 50));
    for (int y = 20; y < 50; y++)
        for (int x = 15; x < 45; x++) pv_mask_set_pixel(arch, x, y, false);
    return arch;
}

static pv_body_id put_tied(int kind, double mass, pv_vec2 at) {
    pv_mask *mask = tied_mask(kind);
    pv_body_def def = WITH(pv_body_def_at(PV_BODY_DYNAMIC, mask, at.x, at.y),
                           it.density = mass / pv_mask_count_pixels(mask));
    return pv_body_create(world, &def, NULL);
}

/// Returns how far a sprite falls in a second that is tied at a point inside to a level rope.
static double fall_on_rope(int kind, double mass, int segments, pv_vec2 off) {
    new_world();
    pv_body_id body = put_tied(kind, mass, (pv_vec2){240, 0});
    pv_vec2 start = pv_body_get_position(world, body);
    pv_rope_def def = WITH(rope_between((pv_vec2){0, 0}, (pv_vec2){240 + off.x, off.y}),
                           it.to.body = body, it.segments = segments);
    list(pv_rope_create(world, &def, NULL));
    run(1);
    double fallen = pv_body_get_position(world, body).y - start.y;
    close_world(world);
    return fallen;
}

START_TEST_FOR(what_a_rope_holds_inside_swings, kind, TIED_KINDS) {
    for (double mass = 0.16; mass <= 1600; mass *= 10)
        for (int segments = 8; segments <= 64; segments *= 2) {
            double least = kind == TIED_ARCH ? 80 : 110;
            ck_assert_double_gt(fall_on_rope(kind, mass, segments, (pv_vec2){0, 0}), least);
            ck_assert_double_gt(fall_on_rope(kind, mass, segments, (pv_vec2){8, 3}), least);
        }
}

/// Returns the particles of a rope or cloth that swings from a point in a ceiling, or in the air.
static parts *swing_from(bool ceiling, bool cloth, double depth) {
    if (ceiling) put_static(world, 400, 100, 0, depth - 50);
    parts *p;
    if (cloth) {
        pv_cloth_def def = cloth_of(10, 30);
        p = list(pv_cloth_create(world, &def, NULL));
    } else {
        pv_rope_def def = WITH(rope_between((pv_vec2){0, 0}, (pv_vec2){60, 190}), it.to_free = true,
                               it.segments = 40);
        p = list(pv_rope_create(world, &def, NULL));
    }
    run(3);
    return p;
}

START_TEST_FOR(matter_pinned_in_a_ceiling_hangs_as_in_the_air, cloth, 2) {
    for (double depth = 3; depth < 100; depth += 29) {
        new_world();
        const pv_world *bare = world;
        parts *p = swing_from(false, cloth, depth);
        new_world();
        parts *q = swing_from(true, cloth, depth);
        for (int i = 0; i < p->particle_count; i++) {
            pv_vec2 at = pv_particle_get_position(bare, p->particles[i]);
            ck_assert_double_le(vec_distance(at, place(q->particles[i])), 1e-6);
        }
    }
}

/// Returns the greatest speed of a rope's particles [px/s].
static double fastest(const parts *p) {
    double most = 0;
    for (int i = 0; i < p->particle_count; i++) {
        pv_vec2 v = pv_particle_get_velocity(world, p->particles[i]);
        most = fmax(most, hypot(v.x, v.y));
    }
    return most;
}

/// A rope in a disc falls out of it once its tie to the disc is destroyed, and lies on the floor.
START_TEST(a_tie_that_ends_shoots_nothing_out) {
    pv_body_id disc = put(world, disc_mask(22), 0, 0, of_type(PV_BODY_STATIC));
    pv_rope_def def = WITH(rope_between((pv_vec2){0, 0}, (pv_vec2){0, 100}), it.from.body = disc,
                           it.to_free = true, it.segments = 20);
    parts *p = list(pv_rope_create(world, &def, NULL));
    put_static(world, 300, 20, 0, 200);
    run(1);
    ck_assert_double_le(fastest(p), 0.2);
    pv_joint_destroy(world, p->constraints[0]);
    for (int i = 1; i <= 30; i++) {
        run(step);
        ck_assert_double_le(fastest(p), 1.05 * gravity * step * (i + 1));
    }
    pv_particle_set_velocity(world, p->particles[10], (pv_vec2){20, 0}); /* to upset its balance */
    run(5);
    for (int i = 0; i < p->particle_count; i++)
        ck_assert_double_eq_tol(place(p->particles[i]).y, 180, 10);
}

/// A rope tied to the rim of a disc lies on the disc, also with a load at its end.
START_TEST_FOR(a_rope_lies_on_what_it_is_tied_to, heavy, 2) {
    pv_body_id disc = put(world, disc_mask(40), 0, 0, of_type(PV_BODY_STATIC));
    pv_rope_def def = WITH(rope_between((pv_vec2){0, -40}, (pv_vec2){150, -42}),
                           it.from.body = disc, it.to_free = true, it.segments = 30);
    parts *p = list(pv_rope_create(world, &def, NULL));
    if (heavy) pv_particle_set_mass(world, p->particles[p->particle_count - 1], 50);
    run(4);
    for (int i = 1; i < p->particle_count; i++)
        ck_assert_double_gt(vec_distance(place(p->particles[i]), (pv_vec2){0, 0}), 40);
}

/// A rope's end is tied to the center of a far disc, which is later moved away again.
START_TEST(a_sprite_can_be_tied_from_afar) {
    pv_rope_def def =
        WITH(rope_between((pv_vec2){0, 0}, (pv_vec2){0, 200}), it.to_free = true, it.segments = 25);
    parts *p = list(pv_rope_create(world, &def, NULL));
    run(0.5);
    pv_body_id disc = put_tied(TIED_DISC, 100, (pv_vec2){90, 120});
    ck_assert(pv_joint_is_valid(
        world, CREATE(joint, world, it.type = PV_JOINT_PIN,
                      it.a = pv_anchor_body(disc, pv_body_get_position(world, disc)),
                      it.b = pv_anchor_particle(p->particles[p->particle_count - 1]))));
    for (int displaced = 0; displaced < 2; displaced++) {
        pv_body_set_linear_damping(world, disc, 2);
        run(20);
        pv_vec2 at = pv_body_get_position(world, disc);
        ck_assert_double_eq_tol(at.x, 0, 2);
        ck_assert_double_eq_tol(at.y, 200, 0.5);
        pv_body_set_position(world, disc, (pv_vec2){-150, 60});
    }
}

START_TEST(matter_inside_goes_on_from_a_snapshot) {
    pv_body_id body = put_tied(TIED_BOX, 100, (pv_vec2){240, 0});
    pv_rope_def def =
        WITH(rope_between((pv_vec2){0, 0}, (pv_vec2){240, 0}), it.to.body = body, it.segments = 40);
    parts *p = list(pv_rope_create(world, &def, NULL));
    put_static(world, 40, 40, 0, 0);
    for (int i = 0; i < 4; i++) {
        size_t size;
        run(0.4);
        void *bytes = snapshot_till_end(world, 0, &size);
        if (i == 2) pv_joint_destroy(world, p->constraints[p->constraint_count - 1]);
        run(0.4);
        uint64_t hash = pv_world_compute_hash(world);
        ck_assert_int_eq(pv_world_restore(world, bytes, size), PV_OK);
        if (i == 2) pv_joint_destroy(world, p->constraints[p->constraint_count - 1]);
        run(0.4);
        ck_assert_uint_eq(pv_world_compute_hash(world), hash);
    }
}

RUN_TESTS_IN("builders", new_world, give_back, 1)
