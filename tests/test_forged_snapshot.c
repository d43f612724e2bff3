/* test_forged_snapshot.c - bytes and calls that mean harm: forged snapshots are refused, and whatever calls
 * reach restores.
 *
 * Invariant: a world is forged in memory, and sealed by the library's own writer, so that nothing but
 * the forged place is wrong. The oracle is a world left alone, and the sanitizers.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/world.h"
#include "pixverlet/paper.h"
#include "snapshot/snapshot.h"
#include "support.h"

#include <float.h>

enum { ROOM = 1 << 20, LARGE = 400 };

static unsigned char bytes[ROOM];

static size_t save(pv_world *w) {
    size_t size = 0;
    ck_assert_int_eq(pv_world_save(w, PV_SNAPSHOT_PIXELS, bytes, ROOM, &size), PV_OK);
    return size;
}

/// Restores what a world saves in another one.
static pv_status restored(pv_world *w) {
    size_t size = save(w);
    pv_world *other = create_world(NULL);
    pv_status s = pv_world_restore(other, bytes, size);
    if (s == PV_OK) ck_assert_uint_eq(pv_world_compute_hash(other), pv_world_compute_hash(w));
    pv_world_destroy(other);
    return s;
}

#define REFUSED(w) ck_assert_int_eq(restored(w), PV_ERROR_FORMAT)

/// Checks that a world restores from its own snapshot, and that both go on alike.
static void check_reachable(pv_world *w) {
    size_t size = save(w);
    scoped_world *other = create_world(NULL);
    ck_assert_int_eq(pv_world_restore(other, bytes, size), PV_OK);
    for (int i = 0; i < 10; i++) {
        ck_assert_int_eq(pv_world_step(w, 1 / 60.0), PV_OK);
        ck_assert_int_eq(pv_world_step(other, 1 / 60.0), PV_OK);
    }
    ck_assert_uint_eq(pv_world_compute_hash(w), pv_world_compute_hash(other));
    ck_assert_int_eq(restored(w), PV_OK);
    pv_world_destroy(w);
}

/* ---- polygons ---- */

static pv_body_id put_square(pv_world *w, double x, double y) {
    pv_vec2 points[4] = {{x, y}, {x + 14, y}, {x + 14, y + 14}, {x, y + 14}};
    pv_polygon_def def = pv_polygon_def_default();
    def.points = points;
    def.point_count = 4;
    pv_body_id polygon = pv_polygon_create(w, &def, NULL);
    ck_assert(polygon.index);
    return polygon;
}

/// Corners of a forged polygon
typedef struct corners {
    int slots[LARGE], pieces[2 * LARGE];
    pv_vec2 rest[LARGE];
    double shares[LARGE];
} corners;

/// Gives a polygon n corners, the later ones particles of the world.
static void enlarge(pv_world *w, corners *c, int n) {
    pv__polygon *q = &w->matter.polygons[0];
    for (int i = 0; i < n; i++) {
        c->slots[i] = i < q->corner_count ? q->corners[i] : i + 1;
        c->rest[i] = i < q->corner_count ? q->rest[i] : (pv_vec2){0, 0};
        c->shares[i] = i < q->corner_count ? q->shares[i] : 0;
        w->matter.particles.data[i + 1].polygon = 0;
    }
    q->corners = c->slots;
    q->rest = c->rest;
    q->shares = c->shares;
    q->corner_count = n;
}

/* Stages copy corners into arrays of 64. */
START_TEST(a_polygon_of_too_many_corners_is_refused) {
    static corners c;
    for (int n = 64; n <= 304; n += n == 64 ? 1 : 239) {
        scoped_world *w = create_world(NULL);
        put_square(w, 0, 0);
        pv_particle_def def = pv_particle_def_default();
        for (int i = 4; i < n; i++) {
            def.position = (pv_vec2){14.0 * i / n, 14};
            ck_assert(pv_particle_create(w, &def, NULL).index);
        }
        pv__polygon was = w->matter.polygons[0];
        enlarge(w, &c, n);
        ck_assert_int_eq(restored(w), n <= 64 ? PV_OK : PV_ERROR_FORMAT);
        w->matter.polygons[0] = was;
    }
}

START_TEST(a_piece_that_repeats_its_corners_is_refused) {
    static int pieces[2 * LARGE];
    for (int n = 5; n <= LARGE; n += 79) {
        scoped_world *w = create_world(NULL);
        put_square(w, 0, 0);
        pv__polygon *q = &w->matter.polygons[0], was = *q;
        pieces[0] = n;
        for (int i = 0; i < n; i++) pieces[i + 1] = i % 4;
        q->pieces = pieces;
        q->piece_room = n + 1;
        REFUSED(w);
        *q = was;
        ck_assert_int_eq(restored(w), PV_OK);
    }
}

/* ---- contours ---- */

/// Returns a world with a carved body, whose contour is in its snapshot.
static pv_world *carved_world(pv__shape **shape) {
    pv_world *w = create_world(NULL);
    pv_body_id ground = put(w, box_mask(120, 20), 0, 60, of_type(PV_BODY_STATIC));
    for (int i = 0; i < 4; i++) {
        pv_cut hole = pv_cut_circle((pv_vec2){-50 + 30 * i, 52}, 6);
        ck_assert_int_eq(pv_body_carve(w, ground, &hole, NULL), PV_OK);
    }
    *shape = pv__shape_mask_altered(w->bodies.items[0].pixels->mask);
    ck_assert_ptr_nonnull(*shape);
    ck_assert_int_eq(restored(w), PV_OK);
    return w;
}

/// Forges a number or an index, and expects a refusal; mends it.
static void forge_number(pv_world *w, double *at, double value) {
    double was = *at;
    *at = value;
    REFUSED(w);
    *at = was;
}

static void forge_index(pv_world *w, int *at, int value) {
    int was = *at;
    *at = value;
    REFUSED(w);
    *at = was;
}

START_TEST(a_forged_contour_is_refused) {
    pv__shape *s;
    scoped_world *w = carved_world(&s);
    int living = 0;
    while (s->vertices[living].next < 0) living++;
    pv__vertex *v = &s->vertices[living];
    const double wild[] = {1e300, -1e300, 3e9, -3e9, 1e5, -1e5, NAN, INFINITY, -300};
    for (size_t i = 0; i < sizeof wild / sizeof *wild; i++) {
        forge_number(w, &v->at.x, wild[i]);
        forge_number(w, &v->at.y, wild[i]);
        forge_number(w, &v->first.x, wild[i]);
        forge_number(w, &s->field.origin.x, wild[i]);
        forge_number(w, &s->core.y, wild[i]);
    }
    forge_index(w, &v->next, living);
    forge_index(w, &s->field.w, 3);
    ck_assert_int_eq(restored(w), PV_OK);
}

/* A vertex in two blocks would be removed twice; one in no block, or out of a search's sight, not
 * at all. */
START_TEST(blocks_and_trees_of_a_contour_are_exact) {
    pv__shape *s;
    scoped_world *w = carved_world(&s);
    pv__block *b = s->blocks;
    while (b->end - b->first < 2) b++;
    forge_index(w, &b->end, b->end - 1);
    forge_index(w, &b->first, b->first - 1);
    forge_number(w, &s->near_blocks.nodes[0].box.max.x, s->box.min.x);
    forge_index(w, &s->near_blocks.nodes[0].after, s->near_blocks.count - 1);
    int leaf = 0;
    while (s->near_blocks.nodes[leaf].after != leaf + 1) leaf++;
    forge_index(w, &s->near_blocks.nodes[leaf].first, 1);
}

START_TEST(a_particle_is_a_corner_once) {
    scoped_world *w = create_world(NULL);
    put_square(w, 0, 0);
    put_square(w, 50, 0);
    const pv__polygon *all = w->matter.polygons;
    forge_index(w, &all[1].corners[0], all[0].corners[0]);
    forge_index(w, &all[1].corners[0], all[1].corners[1]);
    ck_assert_int_eq(restored(w), PV_OK);
}

/* ---- bodies ---- */

START_TEST(steps_to_come_and_islands_of_others_are_refused) {
    scoped_world *w = create_world(NULL);
    put(w, box_mask(120, 20), 0, 60, of_type(PV_BODY_STATIC));
    for (int i = 0; i < 3; i++) put(w, box_mask(8, 8), 9 * i, 46, of_type(PV_BODY_DYNAMIC));
    steps_well(w, 120);
    pv__body *b = &w->bodies.items[1];
    ck_assert(!b->awake && b->island >= 0);
    ck_assert_int_eq(restored(w), PV_OK);
    forge_index(w, &b->island, 0);         /* the ground is in no island */
    forge_number(w, &b->pose.turn.c, 1.1); /* no length of 1 */
    forge_number(w, &b->still_pose.turn.c, 0);
    b->crushed = w->steps + 1;
    REFUSED(w);
    b->crushed = 0;
    b->crowded = w->steps + 2;
    REFUSED(w);
    b->crowded = 0;
    w->steps = UINT64_MAX;
    REFUSED(w);
}

/// Lists of contacts lead to manifolds or to contacts of pixels, by the mode.
START_TEST_FOR(contacts_of_the_other_mode_are_refused, mode, 2) {
    pv_world_def def = pv_world_def_default();
    def.contact_mode = mode;
    scoped_world *w = pv_world_create(&def, NULL);
    put(w, box_mask(120, 20), 0, 60, of_type(PV_BODY_STATIC));
    put(w, box_mask(8, 8), 0, 46, of_type(PV_BODY_DYNAMIC));
    steps_well(w, 30);
    ck_assert_int_eq(pv_world_get_contacts(w, NULL, 0), 1);
    ck_assert_int_eq(restored(w), PV_OK);
    w->def.contact_mode = PV_CONTACT_MODE_PIXELS + PV_CONTACT_MODE_CONTOURS - mode;
    REFUSED(w);
    w->def.contact_mode = mode;
}

/* ---- what calls can reach ---- */

static pv_particle_id put_particle(pv_world *w, double x, double y) {
    pv_particle_def def = pv_particle_def_default();
    def.position = (pv_vec2){x, y};
    return pv_particle_create(w, &def, NULL);
}

START_TEST_FOR(an_unused_point_of_an_anchor_does_no_harm, i, 5) {
    const double points[] = {1e308, 16777217, 1e9, NAN, INFINITY};
    pv_world *w = create_world(NULL);
    pv_joint_def def = pv_joint_def_default();
    def.a = pv_anchor_particle(put_particle(w, 20, 0));
    def.a.point.x = points[i];
    def.b = pv_anchor_world((pv_vec2){0, 0});
    ck_assert(pv_joint_create(w, &def, NULL).index);
    check_reachable(w);
}

static pv_body_id put_box(pv_world *w, double x, double y) {
    return put(w, box_mask(20, 10), x, y, pv_body_def_default());
}

/// Returns a world with a joint between a body and a point of the world.
static pv_world *world_of_joint(pv_joint_type type, pv_vec2 body, pv_vec2 end, double length,
                                double mass) {
    pv_world *w = create_world(NULL);
    pv_body_id box = put_box(w, body.x, body.y);
    if (mass > 0) ck_assert_int_eq(pv_body_set_mass(w, box, mass), PV_OK);
    pv_joint_def def = pv_joint_def_default();
    def.type = type;
    def.a = pv_anchor_body(box, body);
    def.b = pv_anchor_world(end);
    def.length = length;
    ck_assert(pv_joint_create(w, &def, NULL).index);
    return w;
}

START_TEST(joints_at_the_ends_of_their_ranges_restore) {
    const pv_vec2 top = {0, -16777216}, near = {0, 100}, corner = {16777216, 16777216};
    check_reachable(world_of_joint(PV_JOINT_PIN, near, top, -1, 0));
    check_reachable(world_of_joint(PV_JOINT_PIN, corner, (pv_vec2){-16777216, -16777216}, -1, 0));
    check_reachable(world_of_joint(PV_JOINT_ROPE, near, top, -1, 0));
    check_reachable(world_of_joint(PV_JOINT_DISTANCE, near, top, -1, 0));
    check_reachable(world_of_joint(PV_JOINT_PIN, near, near, -1e300, 0));
    check_reachable(world_of_joint(PV_JOINT_MOUSE, near, near, -1, 1e12));
    pv_world *w = world_of_joint(PV_JOINT_DISTANCE, near, (pv_vec2){0, 0}, -1, 0);
    pv_joint_id joint = pv_world_get_next_joint(w, pv_null_joint);
    ck_assert_int_eq(pv_joint_set_length(w, joint, PV_MAX_COORDINATE), PV_OK); /* a long grace */
    check_reachable(w);
}

START_TEST_FOR(a_density_has_an_inverse_or_is_refused, i, 7) {
    const double densities[] = {0, 5e-324, 1e-308, 1e-301, 1e-300, 1e-9, 1e6};
    pv_world *w = create_world(NULL);
    pv_error e;
    pv_liquid_def liquid = pv_liquid_def_default();
    pv_force_field_def field = pv_force_field_def_default();
    liquid.rest_density = field.density = densities[i];
    pv_liquid_id made = pv_liquid_create(w, &liquid, &e);
    ck_assert_int_eq(e.status, densities[i] < 1e-300 ? PV_ERROR_ARGUMENT : PV_OK);
    pv_force_field_create(w, &field, &e);
    ck_assert_int_eq(e.status, densities[i] < 1e-300 ? PV_ERROR_ARGUMENT : PV_OK);
    for (int k = 0; made.index && k < 4; k++)
        pv_liquid_add_particle(w, made, put_particle(w, 2.0 * k, 0));
    check_reachable(w);
}

/* A light particle on a stiff spring goes a long way in a short step. */
START_TEST(what_moved_fast_in_a_short_step_restores) {
    pv_world *w = create_world(NULL);
    pv_joint_def def = pv_joint_def_default();
    pv_particle_id light = put_particle(w, 0, 0), pinned = put_particle(w, 1e6, 0);
    ck_assert_int_eq(pv_particle_set_mass(w, light, 1e-9), PV_OK);
    ck_assert_int_eq(pv_particle_set_mass(w, pinned, 0), PV_OK);
    def.a = pv_anchor_particle(light);
    def.b = pv_anchor_particle(pinned);
    def.length = 1;
    def.stiffness = 1e12;
    ck_assert(pv_joint_create(w, &def, NULL).index);
    ck_assert_int_eq(pv_world_step(w, 1e-9), PV_OK);
    check_reachable(w);
}

/* Bodies that overlap are pushed apart after they have moved. */
START_TEST(what_is_pushed_over_the_edge_restores) {
    for (int steps = 1; steps < 6; steps++) {
        pv_world_def def = pv_world_def_default();
        def.contact_mode = PV_CONTACT_MODE_PIXELS;
        pv_world *w = pv_world_create(&def, NULL);
        put_box(w, -16777216, 0);
        put_box(w, -16777216 + 8, 0);
        for (int i = 0; i < steps; i++) ck_assert_int_eq(pv_world_step(w, 1 / 60.0), PV_OK);
        check_reachable(w);
    }
}

START_TEST(parts_and_shifts_over_the_edge_restore) {
    pv_world *w = create_world(NULL);
    pv_body_id box = put_box(w, -16777216, 0), other = put_box(w, 16777216, 0);
    pv_cut cut = pv_cut_line((pv_vec2){-16777219, -9}, (pv_vec2){-16777219, 9}, 2);
    ck_assert_int_eq(pv_body_carve(w, box, &cut, NULL), PV_OK);
    ck_assert_int_eq(pv_world_get_stats(w).bodies, 3);
    ck_assert_int_eq(
        pv_paper_body_set_velocity(w, other, (pv_vec2){1e7, 0}, PV_PAPER_SHIFT_CURRENT), PV_OK);
    check_reachable(w);
}

/* ---- numbers that are none ---- */

START_TEST(what_can_be_counted_is_not_saved) {
    scoped_world *w = create_world(NULL);
    pv_joint_def def = pv_joint_def_default();
    pv_liquid_def liquid = pv_liquid_def_default();
    pv_particle_id first = put_particle(w, 0, 0), second = put_particle(w, 10, 0);
    def.type = PV_JOINT_DISTANCE;
    def.a = pv_anchor_particle(first);
    def.b = pv_anchor_particle(second);
    ck_assert(pv_joint_create(w, &def, NULL).index);
    pv_liquid_add_particle(w, pv_liquid_create(w, &liquid, NULL), second);
    w->matter.particles.data[first.index].joint_count = 7;
    w->matter.particles.inverse_mass[first.index] = 7;
    w->matter.particles.living = w->matter.liquids[0].count = 7;
    ck_assert_int_eq(pv_world_restore(w, bytes, save(w)), PV_OK);
    ck_assert_int_eq(w->matter.particles.data[first.index].joint_count, 1);
    ck_assert_double_eq(w->matter.particles.inverse_mass[first.index], 1);
    ck_assert_int_eq(w->matter.particles.living, 2);
    ck_assert_int_eq(w->matter.liquids[0].count, 1);
}

/* A push along such a joint moves both of its ends, more than either alone says. */
START_TEST(a_joint_of_a_thing_with_itself_is_refused) {
    scoped_world *w = create_world(NULL);
    pv_body_id square = put_square(w, 0, 0), other = put_square(w, 40, 0);
    pv_particle_id own[4];
    pv_body_get_corners(w, square, own, 4);
    pv_error e;
    for (pv_joint_type type = PV_JOINT_DISTANCE; type <= PV_JOINT_PIN; type++)
        for (int i = 0; i < 2; i++) {
            pv_joint_def def = pv_joint_def_default();
            def.type = type;
            def.stiffness = 3.8e11;
            def.a = i ? pv_anchor_particle(own[0]) : pv_anchor_body(square, (pv_vec2){3, 9});
            def.b = pv_anchor_body(square, (pv_vec2){0, 1});
            ck_assert(!pv_joint_create(w, &def, &e).index);
            ck_assert_int_eq(e.status, PV_ERROR_ARGUMENT);
            ck_assert_str_eq(e.field, "def.b");
            def.b = pv_anchor_body(other, (pv_vec2){44, 1});
            ck_assert(pv_joint_create(w, &def, &e).index);
        }
    steps_well(w, 60);
    pv__constraint *c = &w->matter.constraints[w->matter.constraint_pool.count - 1];
    memcpy(c->b.corners, c->a.corners, sizeof c->b.corners);
    c->b.corners[0] = c->a.particle ? c->a.particle : c->a.corners[0];
    REFUSED(w);
    memset(c->b.corners, 0, sizeof c->b.corners);
}

START_TEST(an_anchor_far_off_its_polygon_is_refused) {
    pv_world *w = create_world(NULL);
    pv_error e;
    pv_joint_def def = pv_joint_def_default();
    def.type = PV_JOINT_PIN;
    def.a = pv_anchor_body(put_square(w, 0, 0), (pv_vec2){16777216, 16777216});
    def.b = pv_anchor_world((pv_vec2){0, 0});
    ck_assert(!pv_joint_create(w, &def, &e).index);
    ck_assert_str_eq(e.field, "def.a.point");
    def.a.point = (pv_vec2){9e5, 0};
    ck_assert(pv_joint_create(w, &def, &e).index);
    check_reachable(w);
}

START_TEST_FOR(a_joint_recovers_from_an_angle_that_is_none, i, 4) {
    const double none[] = {NAN, INFINITY, -INFINITY, 1e300};
    pv_world *w = create_world(NULL);
    pv_body_id a = put_box(w, 0, 0), b = put_box(w, 30, 0);
    pv_joint_create_weld(w, a, b, (pv_vec2){15, 0});
    w->matter.constraints[0].turned = none[i];
    steps_well(w, 5);
    ck_assert(fabs(w->matter.constraints[0].turned) < 0.01);
    check_reachable(w);
}

/* ---- changes that follow each other ---- */

enum { LINKS = 4 };

START_TEST(changes_of_another_order_or_world_are_refused) {
    static unsigned char base[ROOM], last[ROOM], links[LINKS][ROOM];
    size_t base_size, sizes[LINKS];
    scoped_world *w = create_world(NULL), *other = create_world(NULL);
    put_box(w, 0, 0);
    put_box(other, 0, 0);
    put_box(other, 40, 0);
    ck_assert_int_eq(pv_world_save(w, PV_SNAPSHOT_PIXELS, base, ROOM, &base_size), PV_OK);
    size_t from = base_size;
    memcpy(last, base, base_size);
    for (int i = 0; i < LINKS; i++) { /* each is of the snapshot after the one before */
        pv_world_step(w, 1 / 60.0);
        ck_assert_int_eq(pv_world_save_changes(w, last, from, links[i], ROOM, &sizes[i]), PV_OK);
        from = save(w);
        memcpy(last, bytes, from);
    }
    uint64_t end = pv_world_compute_hash(w), hash = pv_world_compute_hash(other);
    for (int i = 1; i < LINKS; i++)
        ck_assert_int_eq(pv_world_restore_changes(other, base, base_size, links[i], sizes[i]),
                         PV_ERROR_FORMAT);
    for (size_t cut = 1; cut < sizes[0]; cut += 7)
        ck_assert_int_eq(pv_world_restore_changes(other, base, base_size, links[0], cut),
                         PV_ERROR_FORMAT);
    ck_assert_int_eq(pv_world_restore_changes(other, links[0], sizes[0], links[1], sizes[1]),
                     PV_ERROR_FORMAT);
    size_t own = save(other);
    ck_assert_int_eq(pv_world_restore_changes(other, bytes, own, links[0], sizes[0]),
                     PV_ERROR_FORMAT);
    ck_assert_uint_eq(pv_world_compute_hash(other), hash);
    from = base_size;
    memcpy(last, base, base_size);
    for (int i = 0; i < LINKS; i++) { /* in order they lead to the end */
        ck_assert_int_eq(pv_world_restore_changes(other, last, from, links[i], sizes[i]), PV_OK);
        from = save(other);
        memcpy(last, bytes, from);
    }
    ck_assert_uint_eq(pv_world_compute_hash(other), end);
}

RUN_TESTS("forged_snapshot")
