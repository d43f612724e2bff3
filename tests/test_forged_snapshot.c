/* test_forged_snapshot.c - forged snapshots are refused; states that calls can reach restore.
 *
 * Invariant: the library seals a world that was forged in memory, so only one place is wrong.
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

/// Restores a world's snapshot in another world, and returns the status.
static pv_status restored(pv_world *w) {
    size_t size = save(w);
    scoped_world *other = create_world(NULL);
    pv_status s = pv_world_restore(other, bytes, size);
    if (s == PV_OK) ck_assert_uint_eq(pv_world_compute_hash(other), pv_world_compute_hash(w));
    return s;
}

#define REFUSED(w) ck_assert_int_eq(restored(w), PV_ERROR_FORMAT)

/// Checks that a world restores from its own snapshot, and that both go on alike. Destroys it.
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
    const pv_vec2 points[4] = {{x, y}, {x + 14, y}, {x + 14, y + 14}, {x, y + 14}};
    return put_polygon(w, points, 4);
}

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

/* Stages copy corners into arrays of 64, so more must be refused. */
START_TEST(a_polygon_of_too_many_corners_is_refused) {
    static corners c;
    for (int n = 64; n <= 304; n += n == 64 ? 1 : 239) {
        scoped_world *w = create_world(NULL);
        put_square(w, 0, 0);
        for (int i = 4; i < n; i++) put_particle(w, 14.0 * i / n, 14);
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

/// Forges a number, expects a refusal, and puts the old number back.
#define FORGE(w, place, value)                                                                     \
    do {                                                                                           \
        __typeof__(place) was_ = (place);                                                          \
        (place) = (value);                                                                         \
        ck_assert_msg(restored(w) == PV_ERROR_FORMAT, "%s = %s", #place, #value);                  \
        (place) = was_;                                                                            \
    } while (0)

START_TEST(a_forged_contour_is_refused) {
    pv__shape *s;
    scoped_world *w = carved_world(&s);
    int living = 0, side = 0;
    while (s->vertices[living].next < 0) living++;
    while (s->sides[side].length < 0) side++;
    pv__vertex *v = &s->vertices[living];
    const double wild[] = {1e300, -1e300, 3e9, -3e9, 1e5, -1e5, NAN, INFINITY, -300};
    double *const numbers[] = {&v->at.x, &v->at.y, &v->first.x, &s->field.origin.x, &s->core.y};
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        for (size_t k = 0; k < COUNT_OF(wild); k++) FORGE(w, *numbers[i], wild[k]);
    FORGE(w, v->next, living);
    FORGE(w, s->sides[side].to, s->sides[side].from);
    FORGE(w, s->sides[side].from, s->sides[side].to + 1);
    FORGE(w, s->field.origin.y, 1e300);
    FORGE(w, s->field.w, 3);
    FORGE(w, s->field.w, 1 << 20);
    FORGE(w, s->field.h, 1 << 20);
    ck_assert_int_eq(restored(w), PV_OK);
}

START_TEST(blocks_and_trees_of_a_contour_are_exact) {
    pv__shape *s;
    scoped_world *w = carved_world(&s);
    pv__block *b = s->blocks;
    while (b->end - b->first < 2) b++;
    FORGE(w, b->end, b->end - 1);
    FORGE(w, b->end, 10000);
    FORGE(w, b->first, b->first - 1);
    FORGE(w, s->near_blocks.nodes[0].box.max.x, s->box.min.x);
    FORGE(w, s->near_blocks.nodes[0].after, s->near_blocks.count - 1);
    FORGE(w, s->near_blocks.nodes[0].end, 10000);
    FORGE(w, s->near_sides.nodes[0].end, 10000);
    int leaf = 0;
    while (s->near_blocks.nodes[leaf].after != leaf + 1) leaf++;
    FORGE(w, s->near_blocks.nodes[leaf].first, 1);
    FORGE(w, s->near_sides.nodes[s->near_sides.count - 1].box.max.x, s->box.max.x + 100);
}

START_TEST(a_particle_is_a_corner_once) {
    scoped_world *w = create_world(NULL);
    put_square(w, 0, 0);
    put_square(w, 50, 0);
    const pv__polygon *all = w->matter.polygons;
    FORGE(w, all[1].corners[0], all[0].corners[0]);
    FORGE(w, all[1].corners[0], all[1].corners[1]);
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
    FORGE(w, b->island, 0); /* the static ground is in no island */
    FORGE(w, b->type, (pv_body_type)3);
    FORGE(w, b->pose.turn.c, 1.1); /* its length is not 1 */
    FORGE(w, b->still_pose.turn.c, 0);
    FORGE(w, b->crushed, w->steps + 1);
    FORGE(w, b->crowded, w->steps + 2);
    FORGE(w, w->steps, UINT64_MAX);
    pv_body_wake(w, pv__handle_of_body(w, 1));
    int *changed = w->events.changed.items;
    for (int i = 0; i < 3; i++) FORGE(w, *changed, i * (w->bodies.count + 1) - 1);
}

/// Lists of contacts refer to manifolds or to contacts by pixels, depending on the mode.
START_TEST_FOR(contacts_of_the_other_mode_are_refused, mode, 2) {
    scoped_world *w = world_by((pv_contact_mode)mode);
    put(w, box_mask(120, 20), 0, 60, of_type(PV_BODY_STATIC));
    put(w, box_mask(8, 8), 0, 46, of_type(PV_BODY_DYNAMIC));
    steps_well(w, 30);
    ck_assert_int_eq(pv_world_get_contacts(w, NULL, 0), 1);
    ck_assert_int_eq(restored(w), PV_OK);
    FORGE(w, w->def.contact_mode, PV_CONTACT_MODE_PIXELS + PV_CONTACT_MODE_CONTOURS - mode);
}

/// In a pair that passes, a comes before b, in the first pair and in the last one.
START_TEST_FOR(a_passing_pair_out_of_order_is_refused, i, 2) {
    scoped_world *w = world_by(PV_CONTACT_MODE_PIXELS);
    for (int k = 0; k < 3; k++) put(w, box_mask(8, 8), 20 * k, 0, of_type(PV_BODY_DYNAMIC));
    pv__passing pairs[2] = {{.pair = {0, 1}}, {.pair = {0, 2}}};
    pv__manifolds was = w->manifolds;
    w->manifolds.passing = pairs;
    w->manifolds.passing_count = w->manifolds.passing_capacity = 2;
    ck_assert_int_eq(restored(w), PV_OK);
    FORGE(w, pairs[i].pair.b, 0);
    w->manifolds = was;
}

/* ---- what calls can reach ---- */

START_TEST_FOR(an_unused_point_of_an_anchor_does_no_harm, i, 5) {
    const double points[] = {1e308, 16777217, 1e9, NAN, INFINITY};
    pv_world *w = create_world(NULL);
    pv_anchor a = WITH(pv_anchor_particle(put_particle(w, 20, 0)), it.point.x = points[i]);
    put_joint(w, PV_JOINT_DISTANCE, a, pv_anchor_world((pv_vec2){0, 0}));
    check_reachable(w);
}

static pv_body_id put_box(pv_world *w, double x, double y) {
    return put(w, box_mask(20, 10), x, y, pv_body_def_default());
}

static pv_world *world_of_joint(pv_joint_type type, pv_vec2 body, pv_vec2 end, double length,
                                double mass) {
    pv_world *w = create_world(NULL);
    pv_body_id box = put_box(w, body.x, body.y);
    if (mass > 0) ck_assert_int_eq(pv_body_set_mass(w, box, mass), PV_OK);
    pv_joint_id joint = CREATE(joint, w, it.type = type, it.a = pv_anchor_body(box, body),
                               it.b = pv_anchor_world(end), it.length = length);
    ck_assert(joint.index);
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
    ck_assert_int_eq(pv_joint_set_length(w, joint, PV_MAX_COORDINATE), PV_OK); /* far too long */
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

/* A light particle on a stiff spring moves far in a short step. */
START_TEST(what_moved_fast_in_a_short_step_restores) {
    pv_world *w = create_world(NULL);
    pv_particle_id light = put_particle(w, 0, 0), pinned = put_particle(w, 1e6, 0);
    ck_assert_int_eq(pv_particle_set_mass(w, light, 1e-9), PV_OK);
    ck_assert_int_eq(pv_particle_set_mass(w, pinned, 0), PV_OK);
    ck_assert(CREATE(joint, w, it.a = pv_anchor_particle(light), it.b = pv_anchor_particle(pinned),
                     it.length = 1, it.stiffness = 1e12)
                  .index);
    ck_assert_int_eq(pv_world_step(w, 1e-9), PV_OK);
    check_reachable(w);
}

/* Overlapping bodies are pushed apart after they have moved, here out of the valid range. */
START_TEST(what_is_pushed_over_the_edge_restores) {
    for (int steps = 1; steps < 6; steps++) {
        pv_world *w = world_by(PV_CONTACT_MODE_PIXELS);
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

/* ---- numbers and joints that must not exist ---- */

START_TEST(what_can_be_counted_is_not_saved) {
    scoped_world *w = create_world(NULL);
    pv_particle_id first = put_particle(w, 0, 0), second = put_particle(w, 10, 0);
    put_joint(w, PV_JOINT_DISTANCE, pv_anchor_particle(first), pv_anchor_particle(second));
    pv_liquid_add_particle(w, CREATE_FROM(liquid, w, pv_liquid_def_default()), second);
    w->matter.particles.data[first.index].joint_count = 7;
    w->matter.particles.inverse_mass[first.index] = 7;
    w->matter.particles.living = w->matter.liquids[0].count = 7;
    ck_assert_int_eq(pv_world_restore(w, bytes, save(w)), PV_OK);
    ck_assert_int_eq(w->matter.particles.data[first.index].joint_count, 1);
    ck_assert_double_eq(w->matter.particles.inverse_mass[first.index], 1);
    ck_assert_int_eq(w->matter.particles.living, 2);
    ck_assert_int_eq(w->matter.liquids[0].count, 1);
}

/* A push on such a joint would move both of its ends, by more than either alone shows. */
START_TEST(a_joint_of_a_thing_with_itself_is_refused) {
    scoped_world *w = create_world(NULL);
    pv_body_id square = put_square(w, 0, 0), other = put_square(w, 40, 0);
    pv_particle_id own[4];
    pv_body_get_corners(w, square, own, 4);
    pv_error e;
    for (pv_joint_type type = PV_JOINT_DISTANCE; type <= PV_JOINT_PIN; type++)
        for (int i = 0; i < 2; i++) {
            pv_joint_def def = WITH(pv_joint_def_default(), it.type = type, it.stiffness = 3.8e11,
                                    it.a = i ? pv_anchor_particle(own[0])
                                             : pv_anchor_body(square, (pv_vec2){3, 9}),
                                    it.b = pv_anchor_body(square, (pv_vec2){0, 1}));
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
    pv_joint_def def =
        WITH(pv_joint_def_default(), it.type = PV_JOINT_PIN,
             it.a = pv_anchor_body(put_square(w, 0, 0), (pv_vec2){16777216, 16777216}),
             it.b = pv_anchor_world((pv_vec2){0, 0}));
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

/* ---- changes since a snapshot that follow each other ---- */

enum { LINKS = 4 };

static pv_status go_on(pv_world *w, const keepsake *base, const keepsake *changes, size_t size) {
    return pv_world_restore_changes(w, base->bytes, base->size, changes->bytes, size);
}

START_TEST(changes_of_another_order_or_world_are_refused) {
    keepsake at[LINKS + 1] = {{0}}, links[LINKS] = {{0}};
    scoped_world *w = create_world(NULL), *other = create_world(NULL);
    put_box(w, 0, 0);
    put_box(other, 0, 0);
    put_box(other, 40, 0);
    keep_world(w, PV_SNAPSHOT_PIXELS, &at[0]);
    for (int i = 0; i < LINKS; i++) { /* each from the snapshot before */
        pv_world_step(w, 1 / 60.0);
        keepsake_reserve(&links[i], ROOM);
        ck_assert_int_eq(
            pv_world_save_changes(w, at[i].bytes, at[i].size, links[i].bytes, ROOM, &links[i].size),
            PV_OK);
        keep_world(w, PV_SNAPSHOT_PIXELS, &at[i + 1]);
    }
    uint64_t hash = pv_world_compute_hash(other);
    for (int i = 1; i < LINKS; i++)
        ck_assert_int_eq(go_on(other, &at[0], &links[i], links[i].size), PV_ERROR_FORMAT);
    for (size_t cut = 1; cut < links[0].size; cut += 7)
        ck_assert_int_eq(go_on(other, &at[0], &links[0], cut), PV_ERROR_FORMAT);
    ck_assert_int_eq(go_on(other, &links[0], &links[1], links[1].size), PV_ERROR_FORMAT);
    keepsake own = {bytes, save(other), ROOM};
    ck_assert_int_eq(go_on(other, &own, &links[0], links[0].size), PV_ERROR_FORMAT);
    ck_assert_uint_eq(pv_world_compute_hash(other), hash);
    for (int i = 0; i < LINKS; i++) /* in order, they lead to the end */
        ck_assert_int_eq(go_on(other, &at[i], &links[i], links[i].size), PV_OK);
    ck_assert_uint_eq(pv_world_compute_hash(other), pv_world_compute_hash(w));
    for (int i = 0; i <= LINKS; i++) free(at[i].bytes);
    for (int i = 0; i < LINKS; i++) free(links[i].bytes);
}

RUN_TESTS("forged_snapshot")
