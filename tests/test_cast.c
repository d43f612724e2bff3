/* test_cast.c - queries and casts: edges, known and many hits, polygons, bad input, distances.
 *
 * Invariant: expected hits come from geometry, or from loops over all bodies without boxes. For
 * random worlds of sprites see test_index.c.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/math.h"
#include "bodies.h"
#include "guarded_canvas.h"
#include "placed/placed_query.h"

#include <pthread.h>

#define MOST 64

static uint64_t seed = 1;

static int random_int(int low, int high) { return next_int(&seed, low, high); }

static double random_within(double size) { return (2 * next_unit(&seed) - 1) * size; }

static pv_vec2 random_place(double size) {
    double x = random_within(size);
    return pv__vec(x, random_within(size));
}

/* ---- scenes ---- */

/// Returns a mask of one of three kinds, which lasts till the end of the test.
static pv_mask *random_mask(int most) {
    int kind = random_int(0, 2), w = random_int(1, most), h = random_int(1, most);
    if (kind < 2) return mask_till_end(kind == 0 ? box_mask(w, h) : disc_mask((most + 1) / 2));
    pv_mask *m = mask_till_end(pv_mask_create(w, h, NULL, NULL));
    pv_mask_set_pixel(m, w / 2, h / 2, true);
    for (int i = 0; i < w * h; i++)
        if (random_int(0, 2) > 0) pv_mask_set_pixel(m, i % w, i / w, true);
    return m;
}

static pv_body_id add_random(pv_world *world) {
    pv_body_def def = of_type((pv_body_type)random_int(0, 2));
    def.angle = random_int(0, 2) == 0 ? 0 : random_within(4);
    def.collider = (pv_collider)random_int(0, 2);
    def.filter.category_bits = UINT32_C(1) << random_int(0, 3);
    if (def.type != PV_BODY_STATIC) def.velocity = random_place(100);
    pv_vec2 at = random_place(80);
    return put(world, pv_mask_retain(random_mask(random_int(3, 30))), at.x, at.y, def);
}

/// Returns a sweep of a mask from and to the same place.
static pv_swept still(const pv_mask *mask) {
    return (pv_swept){mask, pv_transform_identity(), pv_transform_identity()};
}

static int hits_of(const pv_world *w, const pv_swept *m, pv_cast_mode cast, pv_cast_hit *hits) {
    return pv_world_cast_mask(w, m, cast, NULL, hits, MOST);
}

/* ---- known answers ---- */

/// A pixel owns its left and upper edges. Boxes and discs that share only an edge do not meet.
START_TEST(edges_are_as_documented) {
    pv_world *world = mode_world(PV_CONTACT_MODE_CONTOURS, 320, NULL);
    put_static(world, 4, 4, 2, 2);
    ck_assert_int_eq(pv_world_query_point(world, pv__vec(0, 0), NULL, NULL, 0), 1);
    ck_assert_int_eq(pv_world_query_point(world, pv__vec(4, 1), NULL, NULL, 0), 0);
    ck_assert_int_eq(pv_world_query_point(world, pv__vec(1, 4), NULL, NULL, 0), 0);
    ck_assert_int_eq(pv_world_query_box(world, (pv_box){{4, 0}, {6, 6}}, NULL, NULL, 0), 0);
    ck_assert_int_eq(pv_world_query_box(world, (pv_box){{3.99, 0}, {6, 6}}, NULL, NULL, 0), 1);
    ck_assert_int_eq(pv_world_query_box(world, (pv_box){{1, 1}, {1, 3}}, NULL, NULL, 0), 0);
    ck_assert_int_eq(pv_world_query_circle(world, pv__vec(7, 2), 3, NULL, NULL, 0), 0);
    ck_assert_int_eq(pv_world_query_circle(world, pv__vec(7, 2), 3.01, NULL, NULL, 0), 1);
    ck_assert_int_eq(pv_world_query_circle(world, pv__vec(2, 2), 0, NULL, NULL, 0), 0);
}

static int cast_ray(const pv_world *world, const pv_vec2 way[2], pv_cast_mode cast,
                    pv_cast_hit *hits, int capacity) {
    return pv_world_cast_ray(world, way[0], way[1], cast, NULL, hits, capacity);
}

/// Checks hits on a floor at y = 100, of a ray and a box that fall on it.
START_TEST(fractions_points_and_normals_are_known) {
    pv_world *world = mode_world(PV_CONTACT_MODE_CONTOURS, 320, NULL);
    pv_body_id floor = put_static(world, 100, 10, 50, 105);
    pv_cast_hit hit;
    const pv_vec2 way[2] = {{50, 0}, {50, 200}};
    ck_assert_int_eq(cast_ray(world, way, PV_CAST_CLOSEST, &hit, 1), 1);
    ck_assert(hit.fraction == 0.5 && hit.point.x == 50 && hit.point.y == 100);
    ck_assert(hit.normal.x == 0 && hit.normal.y == -1 && hit.body.index == floor.index);
    pv_swept m = WITH(still(mask_till_end(box_mask(10, 10))), it.from.position = pv__vec(20, 50),
                      it.to.position = pv__vec(20, 150));
    ck_assert_int_eq(hits_of(world, &m, PV_CAST_CLOSEST, &hit), 1);
    /* its lowest row becomes row 100 when its upper edge passes y = 90.5 */
    ck_assert_double_eq_tol(hit.fraction, 0.405, 1.0 / 64 / 100);
    ck_assert(hit.normal.x == 0 && hit.normal.y == -1 && hit.point.x == 25 && hit.point.y == 100.5);
    m.from.position.y = m.to.position.y = 95;
    ck_assert_int_eq(hits_of(world, &m, PV_CAST_ANY, &hit), 1);
    ck_assert(hit.fraction == 0);
}

/// Two pixels at each place of a row, in mixed order: hits come by fraction, then by slot.
START_TEST(many_hits_come_in_order) {
    enum { PLACES = 300, BODIES = 2 * PLACES };
    pv_world *world = mode_world(PV_CONTACT_MODE_CONTOURS, 320, NULL);
    static pv_cast_hit hits[BODIES];
    int slots[PLACES][2], order[BODIES];
    for (int i = 0; i < BODIES; i++) order[i] = i * 7919 % BODIES / 2;
    memset(slots, 0, sizeof slots);
    for (int i = 0; i < BODIES; i++) {
        pv_body_id b = put_static(world, 1, 1, 2 * order[i] + 1.5, 0.5);
        slots[order[i]][slots[order[i]][0] > 0] = (int)b.index;
    }
    pv_vec2 way[2] = {{0, 0.5}, {2 * PLACES, 0.5}};
    for (int room = 1; room <= BODIES; room = room * 3 + 1) {
        ck_assert_int_eq(cast_ray(world, way, PV_CAST_ALL, hits, room), BODIES);
        for (int i = 0; i < room; i++) {
            ck_assert_int_eq((int)hits[i].body.index, slots[i / 2][i % 2]);
            ck_assert_double_eq_tol(hits[i].fraction, (i / 2 * 2 + 1) / (2.0 * PLACES), 1e-15);
        }
    }
    ck_assert_int_eq(cast_ray(world, way, PV_CAST_CLOSEST, hits, 1), 1);
    ck_assert_int_eq((int)hits[0].body.index, slots[0][0]);
}

/* ---- distances ---- */

/// Returns the distance to a box about the origin, < 0 inside.
static double box_distance(pv_vec2 p, double half_width, double half_height) {
    double x = fabs(p.x) - half_width, y = fabs(p.y) - half_height;
    if (x < 0 && y < 0) return fmax(x, y);
    return sqrt(fmax(x, 0) * fmax(x, 0) + fmax(y, 0) * fmax(y, 0));
}

/// Checks distances at random places around a rotated body against a formula in its frame.
static void check_distances(int contacts, pv_mask *mask, pv_vec2 scale,
                            double (*formula)(pv_vec2)) {
    pv_body_def body_def = WITH(of_type(PV_BODY_STATIC), it.angle = 0.7, it.scale = scale);
    pv_world *world = mode_world(contacts, 320, NULL);
    pv_body_id body = put(world, mask, 200, -30, body_def);
    for (int i = 0; i < 2000; i++) {
        pv_vec2 local = random_place(40), normal = {0, 0},
                point = pv__add(pv__vec(200, -30), pv__rotate(pv__rotation(0.7), local));
        double want = formula(local), told = 0;
        ck_assert_int_eq(pv_body_compute_distance(world, body, point, &told, &normal), PV_OK);
        if (fabs(want) < 4) ck_assert_double_eq_tol(told, want, 0.3);
        if (want >= 4) ck_assert_double_ge(told, 3.7);
        if (want <= -4) ck_assert(told <= -3.7 && told >= -8);
        if (fabs(want) > 3 || fabs(want) < 1) continue;
        ck_assert_double_eq_tol(pv__length(normal), 1, 1e-9);
        pv_vec2 out = pv__rotate(pv__rotation(-0.7), pv__mul(0.5, normal));
        ck_assert_double_ge(formula(pv__add(local, out)), want + 0.3); /* the direction leads out */
    }
}

static double of_box(pv_vec2 p) { return box_distance(p, 12, 20); }
static double of_disc(pv_vec2 p) { return pv__length(p) - 16; }
static double of_small_disc(pv_vec2 p) { return pv__length(p) - 8; }

START_TEST_FOR(distances_are_those_of_formulae, contacts, 2) {
    check_distances(contacts, box_mask(24, 40), pv__vec(1, 1), of_box);
    check_distances(contacts, box_mask(12, 20), pv__vec(-2, 2), of_box);
    check_distances(contacts, disc_mask(16), pv__vec(1, 1), of_disc);
    check_distances(contacts, disc_mask(16), pv__vec(0.5, 0.5), of_small_disc);
}

START_TEST(a_stand_in_is_what_is_measured) {
    pv_world *world = mode_world(PV_CONTACT_MODE_CONTOURS, 320, NULL);
    pv_body_id body = put(world, box_mask(20, 20), 0, 0,
                          WITH(of_type(PV_BODY_STATIC), it.collider = PV_COLLIDER_CIRCLE));
    double radius = sqrt(400 / acos(-1)), told = 0;
    ck_assert_int_eq(pv_body_compute_distance(world, body, pv__vec(13, 0), &told, NULL), PV_OK);
    ck_assert_double_eq_tol(told, 13 - radius, 0.1); /* for the box it would be 3 */
}

/* ---- polygons: outlines and pixels of all of them, without boxes ---- */

enum { MOST_BODIES = 2400 };

static pv_body_id add_polygon(pv_world *world, pv_vec2 at, double size) {
    pv_vec2 points[6];
    pv_polygon_def def =
        WITH(pv_polygon_def_default(), it.points = points, it.point_count = random_int(3, 6));
    double turn = random_within(3);
    for (int i = 0; i < def.point_count; i++)
        points[i] = pv__add(at, pv__rotate(pv__rotation(turn + 6.28 * i / def.point_count),
                                           pv__vec(size * (0.7 + 0.3 * next_unit(&seed)), 0)));
    if (random_int(0, 2) == 0) def.mass = 0;
    if (random_int(0, 3) == 0) def.stiffness = 20 * size * size;
    if (def.mass != 0) def.velocity = random_place(60);
    def.filter.category_bits = UINT32_C(1) << random_int(0, 3);
    pv_body_id b = pv_polygon_create(world, &def, NULL);
    ck_assert_uint_ne(b.index, 0);
    return b;
}

static int corners_of(const pv_world *world, pv_body_id b, pv_vec2 *points) {
    pv_particle_id ids[8];
    int count = pv_body_get_corners(world, b, ids, 8);
    for (int i = 0; i < count; i++) points[i] = pv_particle_get_position(world, ids[i]);
    return count;
}

/// Returns the fraction at which a segment enters the outline of a polygon, and sets the edge. 0:
/// it begins inside; > 1: it misses.
static double outline_met(const pv_world *world, pv_body_id b, pv_vec2 from, pv_vec2 to,
                          pv_vec2 *entered) {
    pv_vec2 points[8], way = pv__sub(to, from);
    int count = corners_of(world, b, points);
    double first = pv_body_test_point(world, b, from) ? 0 : 2;
    for (int i = 0; i < count; i++) {
        pv_vec2 edge = pv__sub(points[(i + 1) % count], points[i]), off = pv__sub(points[i], from);
        double across = pv__cross(way, edge), at = pv__cross(off, edge) / across,
               along = pv__cross(off, way) / across;
        bool enters = across < 0; /* corners are clockwise on the screen */
        if (enters && at >= 0 && at <= fmin(first, 1) && along >= 0 && along <= 1)
            first = at, *entered = edge;
    }
    return first;
}

/// Question about all bodies of a world
typedef struct polygon_question {
    enum { Q_POINT, Q_BOX, Q_CIRCLE, Q_MASK, Q_RAY, Q_SWEEP, Q_KINDS } kind;
    pv_vec2 from, to;
    double radius;
    pv_box box;
    pv_swept moving;
    uint32_t mask_bits;
} polygon_question;

static polygon_question random_polygon_question(double reach, const pv_mask *mask) {
    polygon_question q = {.kind = random_int(0, Q_KINDS - 1), .from = random_place(reach)};
    q.to = random_int(0, 2) ? random_place(reach) : pv__add(q.from, random_place(20));
    q.radius = random_int(0, 30);
    q.box = (pv_box){q.from, pv__add(q.from, pv__vec(random_int(0, 40), random_int(0, 40)))};
    q.moving = still(mask);
    q.moving.from.rotation = pv__rotation(random_within(3));
    q.moving.to.rotation =
        random_int(0, 1) ? q.moving.from.rotation : pv__rotation(random_within(3));
    q.moving.from.pivot = q.moving.to.pivot = random_place(random_int(0, 1) ? 5 : 80);
    q.moving.from.position = q.from;
    q.moving.to.position = q.to;
    q.mask_bits = random_int(0, 2) ? 0xffffffff : 6;
    return q;
}

/// Tells whether a body is hit, and sets the fraction of the way.
static bool is_met(const pv_world *world, const polygon_question *q, pv_body_id b, double *when) {
    pv_placed placed = pv_body_get_placed(world, b), own = {q->moving.mask, q->moving.from};
    pv_swept motionless = {placed.mask, placed.transform, placed.transform};
    pv_ray_hit ray;
    pv_swept_hit swept;
    bool polygon = PV_ID_IS_POLYGON(b);
    pv_vec2 edge;
    *when = 0;
    switch (q->kind) {
    case Q_POINT: return pv_body_test_point(world, b, q->from);
    case Q_BOX: return pv__placed_rectangle(&placed, q->box);
    case Q_CIRCLE: return pv__placed_circle(&placed, q->from, q->radius);
    case Q_MASK: return pv_placed_test_overlap(&own, &placed);
    case Q_RAY:
        if (polygon) return (*when = outline_met(world, b, q->from, q->to, &edge)) <= 1;
        if (!pv_placed_cast_segment(&placed, q->from, q->to, &ray)) return false;
        *when = ray.fraction;
        return true;
    default:
        if (!pv_swept_cast(&motionless, &q->moving, &swept)) return false;
        *when = swept.fraction;
        return true;
    }
}

typedef struct polygon_answer {
    pv_body_id body;
    double when;
} polygon_answer;

static int expect_answers(const pv_world *world, const polygon_question *q,
                          polygon_answer *answers) {
    int count = 0;
    for (int kind = 0; kind < 2; kind++)
        for (pv_body_id b = pv_null_body;
             (b = kind ? pv_world_get_next_polygon(world, b) : pv_world_get_next_body(world, b))
                 .index;) {
            answers[count].body = b;
            if (pv_body_get_filter(world, b).category_bits & q->mask_bits &&
                is_met(world, q, b, &answers[count].when))
                count++;
        }
    return count;
}

static int compare_answers(const void *p, const void *q) {
    const polygon_answer *a = p, *b = q;
    if (a->when != b->when) return a->when < b->when ? -1 : 1;
    return (a->body.index > b->body.index) - (a->body.index < b->body.index);
}

static int find_answers(const pv_world *world, const polygon_question *q,
                        const pv_query_filter *filter, pv_body_id *found, int room) {
    pv_placed own = {q->moving.mask, q->moving.from};
    switch (q->kind) {
    case Q_POINT: return pv_world_query_point(world, q->from, filter, found, room);
    case Q_BOX: return pv_world_query_box(world, q->box, filter, found, room);
    case Q_CIRCLE: return pv_world_query_circle(world, q->from, q->radius, filter, found, room);
    default: return pv_world_query_mask(world, &own, filter, found, room);
    }
}

static int cast_answers(const pv_world *world, const polygon_question *q,
                        const pv_query_filter *filter, pv_cast_mode mode, pv_cast_hit *hits,
                        int room) {
    return q->kind == Q_RAY ? pv_world_cast_ray(world, q->from, q->to, mode, filter, hits, room)
                            : pv_world_cast_mask(world, &q->moving, mode, filter, hits, room);
}

static pv_body_id last_accepted;
static int answered;

static bool accept_in_order(void *user_data, pv_body_id body) {
    (void)user_data;
    ck_assert_uint_gt(body.index, last_accepted.index);
    last_accepted = body;
    return true;
}

/// Checks a hit's point, and that its normal is the entered edge's and points back.
static void judge_hit(const pv_world *world, const polygon_question *q, const pv_cast_hit *hit) {
    pv_vec2 way = pv__sub(q->to, q->from), edge = {0, 0};
    if (q->kind != Q_RAY || !PV_ID_IS_POLYGON(hit->body)) return;
    outline_met(world, hit->body, q->from, q->to, &edge);
    ck_assert_near(hit->point, pv__mad(q->from, hit->fraction, way), 1e-9);
    ck_assert_double_le(fabs(pv__dot(hit->normal, edge)), 1e-9 * pv__length(edge));
    ck_assert(hit->fraction > 0 ? pv__dot(hit->normal, way) < 0 : pv__length(hit->normal) == 0);
}

static void judge_answers(const pv_world *world, const polygon_question *q) {
    static polygon_answer want[MOST_BODIES];
    static pv_cast_hit hits[MOST_BODIES];
    static pv_body_id found[MOST_BODIES];
    pv_query_filter filter = {.mask_bits = q->mask_bits};
    int count = expect_answers(world, q, want);
    answered += count;
    for (int asks = 0; asks < 2; asks++) {
        if (asks) filter.accept = accept_in_order;
        last_accepted = pv_null_body;
        if (q->kind < Q_RAY) {
            ck_assert_int_eq(find_answers(world, q, &filter, found, MOST_BODIES), count);
            for (int i = 0; i < count; i++) ck_assert(PV_ID_EQUALS(found[i], want[i].body));
            found[0] = found[1] = last_accepted = pv_null_body; /* a short array gets the first */
            ck_assert_int_eq(find_answers(world, q, &filter, found, 1), count);
            ck_assert(count == 0 || PV_ID_EQUALS(found[0], want[0].body));
            ck_assert_uint_eq(found[1].index, 0);
            continue;
        }
        ck_assert_int_eq(cast_answers(world, q, &filter, PV_CAST_ANY, hits, MOST_BODIES),
                         count > 0);
        if (count > 0 && !asks) ck_assert(PV_ID_EQUALS(hits[0].body, want[0].body));
        qsort(want, (size_t)count, sizeof *want, compare_answers);
        last_accepted = pv_null_body;
        ck_assert_int_eq(cast_answers(world, q, &filter, PV_CAST_CLOSEST, hits, MOST_BODIES),
                         count > 0);
        if (count > 0) ck_assert(PV_ID_EQUALS(hits[0].body, want[0].body));
        last_accepted = pv_null_body;
        ck_assert_int_eq(cast_answers(world, q, &filter, PV_CAST_ALL, hits, MOST_BODIES), count);
        for (int i = 0; i < count; i++) {
            ck_assert(PV_ID_EQUALS(hits[i].body, want[i].body));
            ck_assert_double_eq_tol(hits[i].fraction, want[i].when, 1e-9);
            judge_hit(world, q, &hits[i]);
        }
    }
}

static void judge_picked(const pv_world *world, pv_vec2 point) {
    pv_body_id top = pv_null_body;
    polygon_question q = {.kind = Q_POINT, .from = point, .mask_bits = 0xffffffff};
    static polygon_answer all[MOST_BODIES];
    int count = expect_answers(world, &q, all);
    if (count > 0) top = all[count - 1].body;
    ck_assert(PV_ID_EQUALS(pv_world_pick_body(world, point), top));
}

static void judge_many(const pv_world *world, double reach, int count) {
    scoped_mask *mask = disc_mask(5);
    for (int i = 0; i < count; i++) {
        polygon_question q = random_polygon_question(reach, mask);
        judge_answers(world, &q);
        judge_picked(world, q.to);
    }
}

static int asked_within;

/// Asks questions in the middle of a step, when no index is up to date.
static pv_presolve_result ask_within(void *user_data, const pv_world *world,
                                     pv_presolve_contact *contact) {
    (void)user_data;
    (void)contact;
    if (asked_within++ % 50 == 0) judge_many(world, 120, 1);
    return PV_PRESOLVE_COLLIDE;
}

/// Changes polygons in all ways that move them between steps.
static void meddle_with_polygons(pv_world *world) {
    pv_body_id b = pv_world_get_next_polygon(world, pv_null_body), next;
    for (int i = 0; b.index; i++, b = next) {
        pv_particle_id corner;
        next = pv_world_get_next_polygon(world, b);
        pv_body_get_corners(world, b, &corner, 1);
        pv_vec2 at = pv_particle_get_position(world, corner);
        if (i % 11 == 1) pv_particle_set_position(world, corner, pv__add(at, random_place(90)));
        if (i % 11 == 3) pv_body_set_position(world, b, random_place(120));
        if (i % 11 == 5) pv_body_set_angle(world, b, random_within(3));
        if (i % 11 == 7) pv_body_destroy(world, b);
        if (i % 22 == 8) pv_particle_destroy(world, corner);
    }
    for (int i = 0; i < 12; i++) add_polygon(world, random_place(120), random_int(2, 30));
}

static void play_with_polygons(int contacts, uint64_t own_seed) {
    seed = own_seed;
    pv_world *world = mode_world(contacts, 100, NULL);
    for (int i = 0; i < 80; i++) add_polygon(world, random_place(120), random_int(2, 30));
    for (int i = 0; i < 10; i++) add_random(world);
    pv_world_set_presolve_callback(world, ask_within, NULL);
    size_t size = 0;
    void *bytes = NULL;
    for (int round = 0; round < 8; round++) {
        steps_well(world, 3);
        judge_many(world, 150, 12);
        if (round == 2) bytes = snapshot_till_end(world, PV_SNAPSHOT_PIXELS, &size);
        if (round == 5) ck_assert_int_eq(pv_world_restore(world, bytes, size), PV_OK);
        judge_many(world, 150, 6);
        meddle_with_polygons(world);
        judge_many(world, 150, 12);
    }
}

START_TEST(polygons_are_found_as_loops_over_all_say) {
    asked_within = answered = 0;
    for (uint64_t s = 1; s <= last_seed(6); s++) {
        play_with_polygons(PV_CONTACT_MODE_CONTOURS, s);
        play_with_polygons(PV_CONTACT_MODE_PIXELS, s);
    }
    ck_assert_int_gt(answered, 1000 * last_seed(6));
    ck_assert_int_gt(asked_within, 250 * last_seed(6));
}

/// Polygons of all sizes are found, near the origin and far away.
START_TEST(two_thousand_polygons_are_found) {
    pv_world *world = mode_world(PV_CONTACT_MODE_CONTOURS, 0, NULL);
    seed = 5;
    for (int i = 0; i < 2000; i++)
        add_polygon(world, random_place(i % 50 ? 600 : 20), i % 100 ? random_int(1, 20) : 300);
    judge_many(world, 700, 25);
    pv_world_step(world, 1.0 / 60);
    judge_many(world, 700, 25);
}

/* ---- bad input ---- */

static int complaints;

static void complain(void *user_data, const pv_error *error) {
    keep_report(user_data, error);
    complaints++;
}

/// Returns a world with a box, whose reports are counted.
static pv_world *complaining_world(void) {
    pv_world *world = mode_world(PV_CONTACT_MODE_CONTOURS, 320, NULL);
    pv_world_set_report_callback(world, complain, NULL);
    put_dynamic(world, 20, 20, 0, 0);
    complaints = 0;
    return world;
}

/// Checks that a bad question returns 0, is reported by its function, and writes nothing.
static void expect_refusal(const pv_world *world, polygon_question q, int kind, pv_cast_mode mode) {
    static const char *const functions[] = {"pv_world_query_point",  "pv_world_query_box",
                                            "pv_world_query_circle", "pv_world_query_mask",
                                            "pv_world_cast_ray",     "pv_world_cast_mask"};
    pv_body_id found = {7, 7};
    pv_cast_hit hit = {.fraction = 7};
    q.kind = kind;
    complaints = 0;
    ck_assert_int_eq(kind < Q_RAY ? find_answers(world, &q, NULL, &found, 1)
                                  : cast_answers(world, &q, NULL, mode, &hit, 1),
                     0);
    ck_assert_int_eq(complaints, 1);
    ck_assert_int_eq(last_report.status, PV_ERROR_ARGUMENT);
    ck_assert_str_eq(last_report.function, functions[kind]);
    ck_assert(found.index == 7 && hit.fraction == 7);
}

/// Numbers out of range, for each kind of question in a bit set. For NaN see test_api.c.
START_TEST(bad_input_is_refused) {
    const double far = 1.001 * PV_MAX_COORDINATE;
    const struct {
        unsigned kinds;
        size_t at;
        double value;
    } bad[] = {{0x15, offsetof(polygon_question, from.x), far},
               {0x15, offsetof(polygon_question, from.y), -1e300},
               {0x10, offsetof(polygon_question, to.x), -far},
               {0x10, offsetof(polygon_question, to.y), 1e300},
               {0x04, offsetof(polygon_question, radius), far},
               {0x04, offsetof(polygon_question, radius), -1e-9},
               {0x02, offsetof(polygon_question, box.min.x), -far},
               {0x02, offsetof(polygon_question, box.max.y), far},
               {0x02, offsetof(polygon_question, box.max.x), -2}, /* less than box.min.x */
               {0x28, offsetof(polygon_question, moving.from.position.x), far},
               {0x28, offsetof(polygon_question, moving.from.pivot.y), far},
               {0x28, offsetof(polygon_question, moving.from.rotation.c), 2},
               {0x28, offsetof(polygon_question, moving.from.scale.x), 0},
               {0x20, offsetof(polygon_question, moving.to.position.y), -1e300}};
    pv_world *world = complaining_world();
    const polygon_question good = {.box = {{-1, -1}, {5, 5}},
                                   .moving = still(mask_till_end(box_mask(4, 4)))};
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        for (int kind = 0; kind < Q_KINDS; kind++) {
            polygon_question q = good;
            memcpy((char *)&q + bad[i].at, &bad[i].value, sizeof(double));
            if (bad[i].kinds >> kind & 1) expect_refusal(world, q, kind, PV_CAST_ALL);
        }
    polygon_question no_mask = good;
    no_mask.moving.mask = NULL;
    expect_refusal(world, no_mask, Q_MASK, PV_CAST_ALL);
    expect_refusal(world, no_mask, Q_SWEEP, PV_CAST_ALL);
    for (int kind = Q_RAY; kind <= Q_SWEEP; kind++)
        expect_refusal(world, good, kind, (pv_cast_mode)(PV_CAST_ALL + 1));
}

START_TEST(null_arguments_do_no_harm) {
    pv_world *world = complaining_world();
    const pv_vec2 way[2] = {{0, 0}, {1, 1}};
    pv_swept m = still(mask_till_end(box_mask(4, 4)));
    ck_assert_int_eq(pv_world_query_mask(world, NULL, NULL, NULL, 0), 0);
    ck_assert_int_eq(hits_of(world, NULL, PV_CAST_ALL, NULL), 0);
    m.to.pivot.x = 1;
    ck_assert_int_eq(hits_of(world, &m, PV_CAST_ALL, NULL), 0);
    ck_assert_int_eq(complaints, 3);
    m.to.pivot.x = 0;
    for (int capacity = -1; capacity <= 1; capacity++) {
        ck_assert_int_eq(pv_world_cast_mask(world, &m, PV_CAST_ALL, NULL, NULL, capacity), 1);
        ck_assert_int_eq(cast_ray(world, way, PV_CAST_ALL, NULL, capacity), 1);
        ck_assert_int_eq(pv_world_query_point(world, way[0], NULL, NULL, capacity), 1);
    }
    m.mask = mask_till_end(pv_mask_create(0, 0, NULL, NULL));
    m.to.position.x = 9;
    ck_assert_int_eq(hits_of(world, &m, PV_CAST_CLOSEST, NULL), 0);
    ck_assert_int_eq(complaints, 3);
}

/* ---- queries only read ---- */

enum { ASKED = 400, ROOM = 8 };

/// Questions to a world, and their answers
typedef struct asker {
    const pv_world *world;
    polygon_question questions[ASKED];
    pv_body_id found[ASKED][ROOM];
    pv_cast_hit hits[ASKED][ROOM];
} asker;

static asker alone, crowd[4];

static void *ask_all(void *user_data) {
    asker *a = user_data;
    for (int i = 0; i < ASKED; i++) {
        const polygon_question *q = &a->questions[i];
        if (q->kind < Q_RAY)
            find_answers(a->world, q, NULL, a->found[i], ROOM);
        else
            cast_answers(a->world, q, NULL, i % 3 ? PV_CAST_CLOSEST : PV_CAST_ALL, a->hits[i],
                         ROOM);
    }
    return NULL;
}

/// Prepares questions to a world of sprites and polygons.
static void make_asker(pv_world *world, int polygons) {
    pv_mask *mask = random_mask(20);
    for (int i = 0; i < 50; i++) add_random(world);
    for (int i = 0; i < polygons; i++) add_polygon(world, random_place(80), random_int(2, 30));
    alone = (asker){.world = world};
    for (int i = 0; i < ASKED; i++) alone.questions[i] = random_polygon_question(100, mask);
}

START_THREADED_TEST(several_threads_get_the_same_answers) {
    pthread_t threads[4];
    make_asker(mode_world(PV_CONTACT_MODE_CONTOURS, 320, NULL), 20);
    uint64_t hash = pv_world_compute_hash(alone.world);
    for (int i = 0; i < 4; i++) {
        crowd[i] = alone;
        ck_assert_int_eq(pthread_create(&threads[i], NULL, ask_all, &crowd[i]), 0);
    }
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    ask_all(&alone);
    for (int i = 0; i < 4; i++) ck_assert(memcmp(&crowd[i], &alone, sizeof alone) == 0);
    ck_assert_uint_eq(pv_world_compute_hash(alone.world), hash);
}

START_TEST(the_world_gives_no_memory) {
    purse p = {0};
    scoped_world *world = mode_world(PV_CONTACT_MODE_CONTOURS, 320, &p);
    make_asker(world, 0);
    long calls = p.calls;
    ask_all(&alone);
    ck_assert_int_eq(p.calls, calls);
    ck_assert_int_gt(calls, 0);
}

RUN_TESTS_IN("cast", NULL, give_back, 1)
