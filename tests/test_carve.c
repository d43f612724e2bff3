/* test_carve.c - pixels cut out of bodies and added to them.
 *
 * Invariant: each pixel is tested against the cut once more; the rest is weighed pixel by pixel.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "bodies.h"
#include "guarded_canvas.h"

static const double GRAVITY = 320;

/* ---- worlds and sprites ---- */

static bool same_pixels(const pv_mask *a, const pv_mask *b) {
    int64_t area = pv_mask_count_pixels(a);
    return area == pv_mask_count_pixels(b) && area == pv_mask_compute_overlap_area(a, b, 0, 0);
}

static pv_mask *copy_of(const pv_mask *m) {
    pv_mask *copy = pv_mask_copy(m, NULL);
    ck_assert_ptr_nonnull(copy);
    return copy;
}

/// Tells whether a mask is one part, connected by edges.
static bool is_whole(const pv_mask *m) {
    scoped_parts *parts = pv_parts_create(m, PV_CONNECTIVITY_4, NULL);
    int count = pv_parts_get_count(parts);
    return count == 1;
}

/// Returns a rugged rock with a hole, in one part.
static pv_mask *rock_mask(int w, int h, uint64_t seed, const pv_allocator *allocator) {
    pv_mask *m = pv_mask_create(w, h, allocator, NULL);
    ck_assert_ptr_nonnull(m);
    double a = 6 * next_unit(&seed), b = 6 * next_unit(&seed);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double u = (2 * x + 1.0) / w - 1, v = (2 * y + 1.0) / h - 1, angle = atan2(v, u);
            double r = 0.8 + 0.1 * sin(3 * angle + a) + 0.08 * sin(7 * angle + b);
            pv_mask_set_pixel(m, x, y, hypot(u, v) < r && hypot(u - 0.2, v + 0.1) > 0.15);
        }
    ck_assert(is_whole(m));
    return m;
}

static pv_body_id put_posed(pv_world *w, pv_mask *mask, pv_body_def def, pv_vec2 scale,
                            double angle) {
    def.scale = scale;
    def.angle = angle;
    return put(w, mask, 10.3, -7.9, def);
}

/* ---- which pixels ---- */

/// Tells whether a point is in a polygon, and sets its distance from the edge.
static bool in_polygon(const pv_cut *cut, pv_vec2 p, double *edge) {
    int crossed = 0;
    *edge = INFINITY;
    for (int i = 0; i < cut->point_count; i++) {
        pv_vec2 a = cut->points[i], b = cut->points[(i + 1) % cut->point_count];
        *edge = fmin(*edge, segment_distance(p, a, b));
        if ((a.x <= p.x) == (b.x <= p.x)) continue;
        crossed += a.y + (b.y - a.y) * (p.x - a.x) / (b.x - a.x) > p.y;
    }
    return crossed % 2 == 1;
}

static bool in_mask(const pv_cut *cut, pv_vec2 p, double *edge) {
    pv_vec2 m = pv_transform_to_local(&cut->transform, p);
    *edge = fmin(fabs(m.x - round(m.x)), fabs(m.y - round(m.y)));
    return pv_mask_get_pixel(cut->mask, (int)floor(m.x), (int)floor(m.y));
}

/// Tells whether a place is in a cut, and sets its distance from the edge, or less.
static bool takes(const pv_cut *cut, pv_vec2 p, double *edge) {
    if (cut->type == PV_CUT_POLYGON) return in_polygon(cut, p, edge);
    if (cut->type == PV_CUT_MASK) return in_mask(cut, p, edge);
    double inside = cut->radius - segment_distance(p, cut->from, cut->to);
    if (cut->type == PV_CUT_BOX)
        inside = fmin(fmin(p.x - cut->from.x, cut->to.x - p.x),
                      fmin(p.y - cut->from.y, cut->to.y - p.y));
    *edge = fabs(inside);
    return inside >= 0;
}

static bool takes_pixel(const pv_cut *cut, const pv_transform *t, int x, int y, double *edge) {
    pv_vec2 center = {x + 0.5, y + 0.5};
    return takes(cut, cut->local ? center : pv_transform_to_world(t, center), edge);
}

/// Returns the mask that a cut should leave.
static pv_mask *foretell(const pv_mask *m, const pv_cut *cut, const pv_transform *t) {
    pv_mask *made = copy_of(m);
    double edge;
    for (int y = 0; y < pv_mask_get_height(m); y++)
        for (int x = 0; x < pv_mask_get_width(m); x++)
            if (takes_pixel(cut, t, x, y, &edge)) pv_mask_set_pixel(made, x, y, cut->add);
    return made;
}

/// Checks that exactly the reported pixels changed. Returns how many were too near an edge to tell.
static int judge(const pv_mask *was, const pv_mask *is, const pv_cut *cut, const pv_transform *t,
                 const pv_carve_result *told) {
    scoped_mask *changed = copy_of(was);
    int skipped = 0;
    double edge;
    pv_mask_combine(changed, is, 0, 0, PV_COMBINE_XOR);
    for (int y = 0; y < pv_mask_get_height(was); y++)
        for (int x = 0; x < pv_mask_get_width(was); x++) {
            bool due = takes_pixel(cut, t, x, y, &edge) && pv_mask_get_pixel(was, x, y) != cut->add;
            skipped += edge <= 1e-9;
            if (due != pv_mask_get_pixel(changed, x, y) && edge > 1e-9)
                ck_abort_msg("kind %d at %d, %d", (int)cut->type, x, y);
        }
    ck_assert_int_eq(told->pixel_count, pv_mask_count_pixels(changed));
    if (told->pixel_count == 0) return skipped;
    pv_rect box = pv_mask_compute_bounds(changed);
    ck_assert_mem_eq(&told->rect, &box, sizeof box);
    ck_assert_near(told->center, pv_transform_to_world(t, pv_mask_compute_mass(changed).centroid),
                   1e-9);
    return skipped;
}

/// Kinds of cuts; STAR is a polygon that crosses itself
enum { STAR = PV_CUT_MASK + 1, KINDS };

/// Memory that random cuts refer to
typedef struct cutter {
    uint64_t seed;
    pv_vec2 points[7];
    pv_mask *stamp;
} cutter;

static cutter cutter_make(uint64_t seed) {
    cutter c = {.seed = seed * 7919 + 3, .stamp = mask_till_end(rock_mask(13, 9, seed + 5, NULL))};
    pv_mask_fill_rect(c.stamp, (pv_rect){5, 3, 5, 3}, true); /* fills its hole */
    return c;
}

static pv_cut star_cut(cutter *c, pv_vec2 at, double size, bool crossing) {
    int n = crossing ? 5 : 7;
    for (int i = 0; i < n; i++) {
        double angle = 2 * M_PI * (crossing ? 2 : 1) * i / n + 0.3,
               r = size * (0.6 + 0.6 * next_unit(&c->seed));
        c->points[i] = (pv_vec2){at.x + r * cos(angle), at.y + r * sin(angle)};
    }
    return pv_cut_polygon(c->points, n);
}

static pv_cut random_cut(cutter *c, int kind, pv_vec2 at, double size) {
    double u = 0.5 + next_unit(&c->seed), v = 0.5 + next_unit(&c->seed);
    pv_vec2 from = {at.x - size * u, at.y + size * v},
            to = {at.x + size * v, at.y - 0.5 * size * u};
    if (kind == PV_CUT_CIRCLE) return pv_cut_circle(at, size * u);
    if (kind == PV_CUT_BOX) return pv_cut_box(from, to);
    if (kind == PV_CUT_LINE) return pv_cut_line(from, to, 0.7 * size);
    if (kind != PV_CUT_MASK) return star_cut(c, at, size, kind == STAR);
    pv_transform t = {
        at, pv_rotation_from_angle(5 * u), {6, 4}, {0.15 * size * u, -0.2 * size * v}};
    return pv_cut_mask(c->stamp, &t);
}

/// Finds a cut that changes a body and leaves it in one part.
static bool find_cut(cutter *c, const pv_world *w, pv_body_id b, int kind, bool in_picture,
                     bool adds, pv_cut *cut) {
    pv_transform t = pv_body_get_transform(w, b);
    const pv_mask *m = pv_body_get_mask(w, b);
    double size = in_picture ? 1 : 0.5 * (fabs(t.scale.x) + fabs(t.scale.y));
    for (int i = 0; i < 40; i++) {
        pv_vec2 at = {pv_mask_get_width(m) * next_unit(&c->seed),
                      pv_mask_get_height(m) * next_unit(&c->seed)};
        if (!in_picture) at = pv_transform_to_world(&t, at);
        *cut = random_cut(c, kind, at, size * (1.5 + 4 * next_unit(&c->seed)));
        cut->local = in_picture;
        cut->add = adds;
        scoped_mask *left = foretell(m, cut, &t);
        bool good = is_whole(left) && !same_pixels(left, m);
        if (good) return true;
    }
    return false;
}

/// Carves, and checks the removed pixels. Returns how many were too near an edge to tell.
static int carve(pv_world *w, pv_body_id b, const pv_cut *cut) {
    pv_transform t = pv_body_get_transform(w, b);
    scoped_mask *was = copy_of(pv_body_get_mask(w, b));
    pv_carve_result told;
    ck_assert_int_eq(pv_body_carve(w, b, cut, &told), PV_OK);
    ck_assert_int_eq(told.body_count, 1);
    ck_assert(is_whole(pv_body_get_mask(w, b))); /* the cuts were chosen so */
    return judge(was, pv_body_get_mask(w, b), cut, &t, &told);
}

/// Poses in which pixel centers lie off the edges of the picture's pixels, or exactly on them
static const struct pose {
    pv_vec2 scale;
    double angle;
} POSES[] = {{{1, 1}, 0},        {{1, 1}, 0.7}, {{-1, 1}, -2.1}, {{1, -1}, 1.5707963267948966},
             {{0.5, 0.5}, 1},    {{2, 2}, 0.3}, {{-2, 2}, 3},    {{1.3717, 0.4343}, -0.9},
             {{-0.6161, 3}, 0.2}};
enum { POSE_COUNT = sizeof POSES / sizeof *POSES };

/// Carves a cut, then adds its shape. Returns how many pixels were too near an edge to tell.
static int cut_and_mend(const struct pose *pose, pv_body_type type, int kind, bool in_picture,
                        int *done) {
    pv_world *w = mode_world(PV_CONTACT_MODE_PIXELS, 0, NULL);
    pv_body_id b =
        put_posed(w, rock_mask(46, 37, 3, NULL), of_type(type), pose->scale, pose->angle);
    cutter c = cutter_make((uint64_t)(kind * 16 + (int)type * 4 + in_picture));
    pv_cut cut;
    int skipped = 0;
    if (find_cut(&c, w, b, kind, in_picture, false, &cut)) {
        pv_transform t = pv_body_get_transform(w, b);
        skipped += carve(w, b, &cut);
        cut.add = true; /* fills everything under the cut, and changes nothing else */
        pv_mask *back = mask_till_end(foretell(pv_body_get_mask(w, b), &cut, &t));
        if (is_whole(back)) {
            skipped += carve(w, b, &cut);
            ck_assert(skipped || same_pixels(pv_body_get_mask(w, b), back));
            *done += 1;
        }
    }
    close_world(w);
    return skipped;
}

START_TEST(what_goes_is_what_has_its_center_in_the_cut) {
    int skipped = 0, done = 0, tried = 0;
    for (int i = 0; i < POSE_COUNT; i++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int type = PV_BODY_STATIC; type <= PV_BODY_DYNAMIC; type++)
                for (int in_picture = 0; in_picture < 2; in_picture++, tried++)
                    skipped += cut_and_mend(&POSES[i], (pv_body_type)type, kind, in_picture, &done);
    ck_assert_int_gt(done, tried * 9 / 10);
    /* Each try judges hundreds of pixels. */
    ck_assert_int_lt(skipped, tried);
}

/* ---- what is left ---- */

/// Place and velocity of a pixel in the world
typedef struct motion {
    pv_vec2 place, velocity;
} motion;

static motion motion_of(const pv_world *w, pv_body_id b, int x, int y) {
    pv_transform t = pv_body_get_transform(w, b);
    pv_vec2 place = pv_transform_to_world(&t, (pv_vec2){x + 0.5, y + 0.5});
    return (motion){place, pv_body_get_velocity_at(w, b, place)};
}

static motion_sums sums_of(const pv_world *w, pv_body_id b) {
    motion_sums sums = {0};
    add_body_sums(&sums, w, b);
    return sums;
}

/// Places and velocities of a body's pixels before a change
typedef struct record {
    pv_mask *mask;
    motion *motions;
    motion_sums sum;
    double spin;
} record;

static record record_of(const pv_world *w, pv_body_id b) {
    pv_mask *m = mask_till_end(copy_of(pv_body_get_mask(w, b)));
    int width = pv_mask_get_width(m), n = width * pv_mask_get_height(m);
    record r = {m, memory_till_end(malloc((size_t)n * sizeof(motion))), sums_of(w, b),
                pv_body_get_angular_velocity(w, b)};
    for (int i = 0; i < n; i++) r.motions[i] = motion_of(w, b, i % width, i / width);
    return r;
}

/// Checks that remaining pixels keep place and velocity, and the others explain the momentum.
static void check_motion(const pv_world *w, pv_body_id b, record *r, double density,
                         bool whole_scale) {
    const pv_mask *is = pv_body_get_mask(w, b);
    pv_vec2 s = pv_body_get_transform(w, b).scale;
    motion_sums due = r->sum, now = sums_of(w, b);
    double mass = density * fabs(s.x * s.y), own = mass * (s.x * s.x + s.y * s.y) / 12;
    int width = pv_mask_get_width(is), moved = 0, sped = 0;
    for (int i = 0; i < width * pv_mask_get_height(is); i++) {
        int x = i % width, y = i / width;
        motion m = motion_of(w, b, x, y), was = r->motions[i];
        moved += !(vec_distance(m.place, was.place) < 1e-9); /* a NaN is not less */
        sped += !(vec_distance(m.velocity, was.velocity) < 1e-9);
        int sign = pv_mask_get_pixel(is, x, y) - pv_mask_get_pixel(r->mask, x, y);
        if (sign) add_sums(&due, sign * mass, sign * own, was.place, was.velocity, r->spin);
    }
    ck_assert_int_eq(moved, 0);
    ck_assert_int_eq(sped, 0);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), r->spin, 1e-9);
    if (!whole_scale) return;
    ck_assert_near(now.momentum, due.momentum, 1e-9 * r->sum.size);
    ck_assert_double_eq_tol(now.angular, due.angular, 1e-9 * r->sum.size);
}

/// Cuts and adds shapes of all kinds, one after the other, on a flying body.
static void carve_much(int contacts, const struct pose *pose, uint64_t seed) {
    pv_world *w = mode_world(contacts, 30, NULL);
    pv_vec2 s = pose->scale;
    pv_body_def def =
        WITH(of_type(seed % 3 ? PV_BODY_DYNAMIC : PV_BODY_KINEMATIC),
             it.velocity = (pv_vec2){31, -17}, it.angular_velocity = 1.3, it.density = 0.7);
    int width = next_int(&seed, 24, 60), height = next_int(&seed, 24, 60), done = 0;
    pv_body_id b = put_posed(w, rock_mask(width, height, seed, NULL), def, s, pose->angle);
    cutter c = cutter_make(seed);
    for (int i = 0; i < 10; i++) {
        pv_cut cut;
        if (!find_cut(&c, w, b, next_int(&c.seed, 0, KINDS - 1), i & 1, i % 3 == 2, &cut)) continue;
        record before = record_of(w, b);
        carve(w, b, &cut);
        check_motion(w, b, &before, def.density, s.x == floor(s.x) && s.y == floor(s.y));
        check_weight(w, b, def.density);
        steps_well(w, 2);
        done++;
    }
    ck_assert_int_gt(done, 5);
}

START_TEST_FOR(what_is_left_weighs_and_moves_as_its_pixels_do, i, POSE_COUNT) {
    for (uint64_t seed = 1; seed <= last_seed(3); seed++)
        carve_much((int)((uint64_t)i + seed + 1) % 2, &POSES[i], seed);
}

/* ---- shared masks ---- */

/// A body gets a mask of its own at its first cut. Others that hold either mask keep their pixels.
START_TEST(others_keep_their_pixels) {
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, GRAVITY, NULL);
    pv_mask *m = mask_till_end(rock_mask(40, 30, 4, NULL));
    pv_body_id a = put(w, pv_mask_retain(m), 0, 0, pv_body_def_default()), others[2];
    for (int i = 0; i < 2; i++) {
        pv_body_def def = WITH(pv_body_get_def(w, a), it.position.x += 100 * (i + 1));
        others[i] = pv_body_create(w, &def, NULL);
        scoped_mask *was = copy_of(def.mask);
        pv_cut cut = pv_cut_circle((pv_vec2){i ? -12 : 12, 9}, 5);
        carve(w, a, &cut);
        ck_assert((pv_body_get_mask(w, others[0]) == m) && pv_body_get_mask(w, a) != m);
        ck_assert(same_pixels(pv_body_get_mask(w, others[i]), was));
        ck_assert(!same_pixels(pv_body_get_mask(w, a), was));
        check_weight(w, others[i], 1);
    }
    ALL_TOLD(PV_OK, pv_body_destroy(w, others[0]), pv_mask_set_pixel(m, 0, 0, true));
}

START_TEST_FOR(a_mask_is_copied_once, contacts, 2) {
    pv_world *w = mode_world(contacts, GRAVITY, NULL);
    pv_mask *m = mask_till_end(rock_mask(40, 30, 4, NULL));
    pv_body_id a = put(w, pv_mask_retain(m), 0, 0, pv_body_def_default());
    cutter c = cutter_make(9);
    const pv_mask *own = NULL;
    for (int i = 0; i < 8; i++) {
        pv_cut cut;
        if (!find_cut(&c, w, a, i % KINDS, false, i & 1, &cut)) continue;
        carve(w, a, &cut);
        ck_assert(pv_body_get_mask(w, a) != m && (!own || pv_body_get_mask(w, a) == own));
        own = pv_body_get_mask(w, a);
    }
    ck_assert_ptr_nonnull(own);
}

/* ---- what touches it ---- */

/// Returns the number of world pixels that two bodies share.
static int64_t shared(const pv_world *w, pv_body_id a, pv_body_id b) {
    pv_placed p = pv_body_get_placed(w, a), q = pv_body_get_placed(w, b);
    return pv_placed_compute_overlap_area(&p, &q);
}

enum { PILES = 4, HIGH = 3, BOX = 20 };

typedef struct yard {
    pv_world *world;
    pv_body_id ground, boxes[PILES][HIGH];
} yard;

/// Returns piles at rest on ground whose surface is at y = 0.
static yard yard_make(int contacts, pv_body_type type) {
    yard y = {.world = mode_world(contacts, GRAVITY, NULL)};
    y.ground = put(y.world, box_mask(400, 100), 0, 50, of_type(type));
    for (int i = 0; i < PILES; i++)
        for (int k = 0; k < HIGH; k++)
            y.boxes[i][k] = put_dynamic(y.world, BOX, BOX, -150 + 100 * i, -BOX * (k + 0.5));
    steps_well(y.world, 180);
    return y;
}

/// Checks that no pair shares more than a few pixels.
static void check_apart(const pv_world *w, int64_t most) {
    for (pv_body_id a = {0, 0}; (a = pv_world_get_next_body(w, a)).index;)
        for (pv_body_id b = a; (b = pv_world_get_next_body(w, b)).index;)
            ck_assert_int_le(shared(w, a, b), most);
}

/// Carves the ground away under one pile, which falls into the hole and rests. The others stay.
static void dig_under(int contacts, pv_body_type type, bool by_disc) {
    enum { DUG = 2, DEPTH = 30 };
    yard y = yard_make(contacts, type);
    pv_vec2 places[PILES][HIGH];
    const double x = -150 + 100 * DUG;
    const bool pixels = contacts == PV_CONTACT_MODE_PIXELS;
    for (int i = 0; i < PILES * HIGH; i++)
        places[i / HIGH][i % HIGH] = pv_body_get_position(y.world, y.boxes[i / HIGH][i % HIGH]);
    ck_assert(type == PV_BODY_KINEMATIC || !pv_body_is_awake(y.world, y.boxes[DUG][0]));
    pv_cut cut = pv_cut_box((pv_vec2){x - 13.3, -0.1}, (pv_vec2){x + 13.3, DEPTH});
    if (by_disc) cut = pv_cut_circle((pv_vec2){x, 0}, DEPTH);
    ck_assert(carve(y.world, y.ground, &cut) == 0 || by_disc);
    ck_assert(pv_body_is_awake(y.world, y.boxes[DUG][0]));
    for (int step = 0; step < 300; step++) {
        steps_well(y.world, 1);
        if (pixels && step % 10 == 0) check_apart(y.world, 0);
    }
    check_apart(y.world, pixels ? 0 : 4);
    for (int i = 0; i < PILES; i++)
        for (int k = 0; k < HIGH; k++) {
            pv_body_def is = pv_body_get_def(y.world, y.boxes[i][k]);
            ck_assert_double_lt(hypot(is.velocity.x, is.velocity.y), 1);
            if (i != DUG) ck_assert_near(is.position, places[i][k], 0.2);
            if (i == DUG && !by_disc)
                ck_assert_double_eq_tol(is.position.y, places[i][k].y + DEPTH, pixels ? 1 : 0.5);
        }
    ck_assert_double_gt(pv_body_get_position(y.world, y.boxes[DUG][0]).y, 5);
}

START_TEST_FOR(what_stands_on_dug_ground_falls_into_the_hole, contacts, 2) {
    for (int type = PV_BODY_STATIC; type <= PV_BODY_KINEMATIC; type++)
        for (int by_disc = 0; by_disc < 2; by_disc++)
            dig_under(contacts, (pv_body_type)type, by_disc);
}

/// Steps until what stood on the lost part rests so much lower.
static void check_sunk(const yard *y, int contacts, double from, double by) {
    steps_well(y->world, 300);
    ck_assert_double_eq_tol(pv_body_get_position(y->world, y->boxes[1][1]).y, from + by, 0.5);
    check_apart(y->world, contacts == PV_CONTACT_MODE_PIXELS ? 0 : 4);
}

START_TEST_FOR(what_sleeps_wakes_and_what_stood_on_it_sinks, contacts, 2) {
    yard y = yard_make(contacts, PV_BODY_STATIC);
    pv_body_id low = y.boxes[1][0], next = y.boxes[1][1];
    pv_vec2 at = pv_body_get_position(y.world, low);
    double above = pv_body_get_position(y.world, next).y;
    ck_assert(!pv_body_is_awake(y.world, low) && !pv_body_is_awake(y.world, next));
    pv_cut cut = pv_cut_box((pv_vec2){at.x - 20, at.y - 20}, (pv_vec2){at.x + 20, at.y});
    carve(y.world, low, &cut); /* its upper half */
    ck_assert(pv_body_is_awake(y.world, low) && pv_body_is_awake(y.world, next));
    ck_assert(!pv_body_is_awake(y.world, y.boxes[3][0]));
    check_sunk(&y, contacts, above, BOX / 2);
}

START_TEST_FOR(what_is_gone_wholly_is_destroyed_and_what_stood_on_it_falls, contacts, 2) {
    yard y = yard_make(contacts, PV_BODY_STATIC);
    pv_body_id low = y.boxes[1][0];
    pv_vec2 at = pv_body_get_position(y.world, low);
    double above = pv_body_get_position(y.world, y.boxes[1][1]).y;
    pv_cut cut = pv_cut_circle(at, BOX);
    pv_carve_result told = cut_out(y.world, low, cut);
    ck_assert(told.body_count == 0 && told.pixel_count == BOX * BOX && told.rect.w == BOX &&
              told.rect.h == BOX);
    ck_assert_near(told.center, at, 1e-9);
    ck_assert(!pv_body_is_valid(y.world, low));
    ck_assert_int_eq(pv_body_carve(y.world, low, &cut, &told), PV_ERROR_STALE_ID);
    check_sunk(&y, contacts, above, BOX);
}

/// Returns a world with a box at rest on a floor, after a rectangle of its picture was cut out.
static pv_world *cut_at_rest(int contacts, pv_rect r, pv_body_id *box) {
    pv_world *w = mode_world(contacts, GRAVITY, NULL);
    put_static(w, 300, 20, 0, 10);
    *box = put_dynamic(w, 40, 40, 0, -20);
    steps_well(w, 40);
    pv_cut cut = local_box(r.x, r.y, r.x + r.w, r.y + r.h);
    carve(w, *box, &cut);
    return w;
}

/// The last cut takes its base: then its center is at x = 16.8 px, and its base ends at 12.
START_TEST_FOR(what_keeps_a_base_stays_and_else_tips, i, 10) {
    static const pv_rect cuts[] = {
        {0, 0, 40, 20}, {24, 20, 16, 20}, {20, 0, 20, 30}, {10, 10, 20, 30}, {12, 20, 28, 20}};
    pv_body_id b;
    pv_world *w = cut_at_rest(i % 2, cuts[i / 2], &b);
    pv_vec2 at = pv_body_get_position(w, b);
    for (int step = 0; step < 120; step++) {
        steps_well(w, 1);
        if (i / 2 == 4) continue;
        ck_assert_near(pv_body_get_position(w, b), at, 0.2);
        ck_assert_double_lt(fabs(pv_body_get_angle(w, b)), 0.01);
    }
    if (i / 2 == 4) ck_assert_double_gt(pv_body_get_angle(w, b), 0.3);
}

/* ---- refusals ---- */

static void check_refused(pv_world *w, pv_body_id b, const pv_cut *cut, pv_status due) {
    uint64_t hash = pv_world_compute_hash(w);
    const pv_mask *mask = pv_body_get_mask(w, b);
    ck_assert_int_eq(pv_body_carve(w, b, cut, NULL), due);
    ck_assert_uint_eq(pv_world_compute_hash(w), hash);
    ck_assert_ptr_eq(pv_body_get_mask(w, b), mask);
}

static const pv_vec2 CORNERS[] = {{0, 0}, {9, 0}, {0, 9}};

START_TEST(makers_refuse_what_is_out_of_range) {
    const pv_vec2 o = {0, 0}, bad[] = {{0, 0}, {1, NAN}, {5, 5}};
    pv_mask *m = mask_till_end(box_mask(4, 4));
    pv_transform flat = WITH(pv_transform_identity(), it.scale.x = 0);
    const pv_cut cuts[] = {pv_cut_circle(o, -1),        pv_cut_line(o, o, -1),
                           pv_cut_polygon(CORNERS, 2),  pv_cut_polygon(bad, 3),
                           pv_cut_polygon(CORNERS, -1), pv_cut_mask(m, &flat)};
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, GRAVITY, NULL);
    pv_body_id b = put(w, pv_mask_retain(m), 0, 0, pv_body_def_default());
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        ck_assert(cuts[i].cookie == 0 && cuts[i].radius == 0 && !cuts[i].points && !cuts[i].mask);
        check_refused(w, b, &cuts[i], PV_ERROR_ARGUMENT);
    }
    close_world(w);
    ck_assert_int_eq(pv_mask_set_pixel(m, 0, 0, false), PV_OK); /* no cut took a reference */
}

START_TEST(cuts_that_were_spoilt_are_refused) {
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, GRAVITY, NULL);
    pv_body_id b = put_dynamic(w, 20, 20, 0, 0);
    pv_transform here = pv_transform_identity();
    const pv_vec2 bad[] = {{0, 0}, {1, INFINITY}, {5, 5}};
    for (int i = 0; i < 6; i++) {
        pv_cut cut = i < 3   ? pv_cut_circle((pv_vec2){0, 0}, 3)
                     : i < 5 ? pv_cut_polygon(CORNERS, 3)
                             : pv_cut_mask(pv_body_get_mask(w, b), &here);
        switch (i) {
        case 0: cut.radius = -1e-300; break;
        case 1: cut.type = PV_CUT_POLYGON; break;
        case 2: cut.type = PV_CUT_MASK; break;
        case 3: cut.points = bad; break;
        case 4: cut.point_count = 2; break;
        default: cut.transform.scale.y = 0;
        }
        check_refused(w, b, &cut, i == 3 ? PV_ERROR_NOT_FINITE : PV_ERROR_ARGUMENT);
    }
}

START_TEST_FOR(what_misses_changes_nothing, contacts, 2) {
    pv_world *w = mode_world(contacts, GRAVITY, NULL);
    pv_body_id b =
        put_posed(w, rock_mask(50, 40, 8, NULL), pv_body_def_default(), (pv_vec2){1, 2}, 0.3);
    steps_well(w, 3);
    uint64_t hash = pv_world_compute_hash(w);
    pv_vec2 at = pv_body_get_position(w, b), line[] = {at, at, at};
    pv_box box = pv_body_get_bounds(w, b);
    pv_cut cuts[] = {pv_cut_circle((pv_vec2){1e6, 0}, 30),
                     pv_cut_circle(at, 0),
                     pv_cut_circle((pv_vec2){1e300, 1e300}, 1),
                     pv_cut_box(at, at),
                     pv_cut_line(box.min, box.min, 1),
                     pv_cut_polygon(line, 3),
                     pv_cut_circle(at, 0.4)};
    cuts[6].add = true; /* solid pixels cannot be added */
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        pv_carve_result told = cut_out(w, b, cuts[i]), none = {.body_count = 1};
        ck_assert_msg(memcmp(&told, &none, sizeof told) == 0, "cut %zu", i);
        ck_assert_uint_eq(pv_world_compute_hash(w), hash);
    }
}

/* ---- the same again ---- */

enum { BITES = 100 };

/// Returns a crowd of rocks of all types, with sensors and categories; some soon lie in many parts.
static pv_world *crowd(int contacts) {
    pv_world *w = mode_world(contacts, GRAVITY, NULL);
    uint64_t seed = 5;
    for (int i = 0; i < 40; i++) {
        pv_body_def def = WITH(of_type((pv_body_type)(i % 3)), it.angle = 6 * next_unit(&seed),
                               it.sensor = i % 7 == 3, it.filter.category_bits = i % 5 ? 1 : 2);
        pv_mask *mask = i % 2 ? box_mask(40, 5) : rock_mask(30, 26, (uint64_t)i + 1, NULL);
        double x = 200 * next_unit(&seed);
        pv_body_id b = put(w, mask, x, 200 * next_unit(&seed), def);
        pv_fracture_def f = WITH(pv_fracture_def_default(), it.spawn_debris = i % 2);
        pv_body_set_fracture(w, b, &f);
        if (i % 8 == 6) pv_body_destroy(w, b); /* a part will take its slot */
        if (i % 11 == 8) pv_body_set_enabled(w, b, false);
    }
    return w;
}

/// Makes a random cut at a random body, which depends only on the step's number and the world.
static void script_bite(pv_world *w, int step) {
    cutter c = cutter_make((uint64_t)step + 1);
    pv_body_id b = any_body(w, &c.seed);
    pv_vec2 at = pv_body_get_position(w, b);
    at.x += 30 * (next_unit(&c.seed) - 0.5);
    at.y += 30 * (next_unit(&c.seed) - 0.5);
    pv_cut cut = random_cut(&c, step % KINDS, at, 3 + 5 * next_unit(&c.seed));
    cut.add = step % 4 == 3;
    cut_out(w, b, cut);
}

static uint64_t script_play(pv_world *w, int from, int to) {
    for (int i = from; i < to; i++) {
        script_bite(w, i);
        steps_well(w, 1);
    }
    return pv_world_compute_hash(w);
}

/// Two holes side by side weigh as much as two above each other. The hash must tell them apart.
START_TEST(the_hash_sees_which_pixels_went) {
    uint64_t hash[3];
    for (int i = 0; i < 3; i++) {
        pv_world *w = mode_world(PV_CONTACT_MODE_PIXELS, GRAVITY, NULL);
        pv_body_id b = put_static(w, 30, 30, 0, 0);
        for (int k = -8; k <= 8; k += 16) {
            pv_cut cut = pv_cut_circle(i == 1 ? (pv_vec2){0, k} : (pv_vec2){k, 0}, 3.3);
            carve(w, b, &cut);
        }
        hash[i] = pv_world_compute_hash(w);
    }
    ck_assert_uint_eq(hash[0], hash[2]);
    ck_assert_uint_ne(hash[0], hash[1]);
}

/// Saves half-way, plays to the end, then restores and repeats that here or in another world.
static void go_back(int contacts, unsigned flags, bool elsewhere) {
    pv_world *w = crowd(contacts), *other = elsewhere ? mode_world(contacts, 0, NULL) : w;
    script_play(w, 0, BITES / 2);
    size_t size;
    void *bytes = snapshot_till_end(w, flags, &size);
    uint64_t half = pv_world_compute_hash(w), end = script_play(w, BITES / 2, BITES);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(pv_world_restore(other, bytes, size), PV_OK);
        ck_assert_uint_eq(pv_world_compute_hash(other), half);
        ck_assert_uint_eq(script_play(other, BITES / 2, BITES), end);
    }
}

START_TEST_FOR(a_restored_world_is_carved_alike, contacts, 2) {
    go_back(contacts, PV_SNAPSHOT_PIXELS, true);
    go_back(contacts, PV_SNAPSHOT_PIXELS, false);
    go_back(contacts, 0, false);
}

/* ---- rubble ---- */

/// Checks that fragments at rest become ground at their places, and that their memory is freed.
START_TEST(rubble_becomes_ground_again) {
    scoped_purse p = {0};
    pv_allocator from = {purse_alloc, &p};
    scoped_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, GRAVITY, &p);
    pv_mask *level = pv_mask_create(240, 120, &from, NULL);
    pv_mask_fill_rect(level, (pv_rect){0, 90, 240, 30}, true);
    pv_mask_fill_rect(level, (pv_rect){110, 20, 20, 70}, true);
    pv_body_id ground = put(w, level, 120, 80, of_type(PV_BODY_STATIC));
    pv_transform t = pv_body_get_transform(w, ground);
    pv_cut saw = pv_cut_line(pv_transform_to_world(&t, (pv_vec2){100, 62}),
                             pv_transform_to_world(&t, (pv_vec2){140, 58}), 4);
    ck_assert_int_eq(cut_out(w, ground, saw).body_count, 2);
    pv_body_id rubble = pv_world_get_next_body(w, ground);
    steps_well(w, 600);
    ck_assert(!pv_body_is_awake(w, rubble));
    int64_t lying = solid_pixels_of(w, rubble), stood = solid_pixels_of(w, ground);
    t = pv_body_get_transform(w, rubble);
    pv_cut stamp = WITH(pv_cut_mask(pv_body_get_mask(w, rubble), &t), it.add = true);
    int64_t came = cut_out(w, ground, stamp).pixel_count;
    long before = p.live_bytes;
    ck_assert_int_eq(pv_body_destroy(w, rubble), PV_OK);
    ck_assert_int_lt(p.live_bytes, before - 500);
    ck_assert_int_eq(solid_pixels_of(w, ground), stood + came);
    ck_assert_double_eq_tol((double)came / (double)lying, 1, 0.1);
    for (int i = 0; i < 150; i++) { /* until its contour is compacted */
        pv_cut hole = pv_cut_circle((pv_vec2){3 + 6 * (i % 38), 95 + 6 * (i / 38)}, 1.5);
        hole.local = true;
        cut_out(w, ground, hole);
    }
    steps_well(w, 60);
}

START_TEST(what_grew_beyond_its_field_goes_on_alike_when_restored) {
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, GRAVITY, NULL);
    put_static(w, 200, 20, 0, 60);
    pv_mask *mask = pv_mask_create(80, 80, NULL, NULL);
    pv_mask_fill_rect(mask, (pv_rect){36, 36, 8, 8}, true);
    pv_body_id body = put(w, mask, 0, 0, WITH(pv_body_def_default(), it.angular_velocity = 1));
    cut_out(w, body, WITH(local_box(10, 12, 70, 68), it.add = true));
    ck_assert_int_eq(solid_pixels_of(w, body), 60 * 56);
    size_t size;
    void *bytes = snapshot_till_end(w, PV_SNAPSHOT_PIXELS, &size);
    steps_well(w, 60);
    uint64_t hash = pv_world_compute_hash(w);
    ck_assert_int_gt(pv_world_get_stats(w).contacts, 0);
    ck_assert_int_eq(pv_world_restore(w, bytes, size), PV_OK);
    steps_well(w, 60);
    ck_assert_uint_eq(pv_world_compute_hash(w), hash);
}

/// Rains particles on a hill that is cut. Queries before the cut must make no difference.
static uint64_t rained_on(int contacts, int how) {
    pv_world *w = mode_world(contacts, GRAVITY, NULL);
    pv_body_def def = of_type(PV_BODY_STATIC);
    if (how & 4) def.scale = (pv_vec2){2, 1};
    pv_body_id hill = put(w, disc_mask(60), 0, 100, def);
    pv_particle_def drop = pv_particle_def_default();
    double distance, sum = 0;
    if (how & 1)
        ck_assert_int_eq(pv_body_compute_distance(w, hill, (pv_vec2){0, 0}, &distance, NULL),
                         PV_OK);
    if (how & 2) {
        drop.position = (pv_vec2){0, 39};
        ck_assert_int_eq(pv_particle_destroy(w, pv_particle_create(w, &drop, NULL)), PV_OK);
        size_t size;
        void *bytes = snapshot_till_end(w, 0, &size);
        pv_particle_create(w, &drop, NULL);
        steps_well(w, 10);
        ck_assert_int_eq(pv_world_restore(w, bytes, size), PV_OK);
    }
    cut_out(w, hill, pv_cut_circle((pv_vec2){3, 45}, 13));
    if (how & 4) ck_assert_int_eq(pv_body_set_scale(w, hill, (pv_vec2){1, 1}), PV_OK);
    drop.radius = 1.5;
    for (int i = 0; i < 40; i++) {
        drop.position = (pv_vec2){-30 + 1.7 * i, 10};
        pv_particle_create(w, &drop, NULL);
    }
    steps_well(w, 120);
    for (pv_particle_id p = {0, 0}; (p = pv_world_get_next_particle(w, p)).index;) {
        pv_vec2 at = pv_particle_get_position(w, p);
        sum += at.x * (1 + p.index % 7) + at.y;
    }
    uint64_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits;
}

START_TEST_FOR(who_asked_before_a_cut_changes_nothing_after_it, kind, 2) {
    for (int how = 0; how < 8; how++)
        ck_assert_msg(rained_on(kind, how) == rained_on(kind, how & 4), "%d, %d", kind, how);
}

/* ---- a whole world ---- */

static bool is_odd(void *user_data, pv_body_id body) {
    *(int *)user_data += 1;
    return body.index % 2;
}

/// Carves each body that existed before on its own, and adds up the results.
static int carve_one_by_one(pv_world *w, const pv_cut *cut, const pv_query_filter *f,
                            pv_carve_result *sum) {
    pv_body_id all[512];
    const pv_box everywhere = {{-1e5, -1e5}, {1e5, 1e5}};
    int count = pv_world_query_box(w, everywhere, f, all, 512), changed = 0;
    *sum = (pv_carve_result){0};
    for (int i = 0; i < count; i++) {
        pv_carve_result one = cut_out(w, all[i], *cut);
        if (one.pixel_count == 0) continue;
        changed++;
        sum->pixel_count += one.pixel_count;
        sum->body_count += one.body_count;
        sum->debris_pixels += one.debris_pixels;
        sum->debris_particles += one.debris_particles;
        sum->center.x += (double)one.pixel_count * one.center.x;
        sum->center.y += (double)one.pixel_count * one.center.y;
    }
    if (changed == 0) return 0;
    sum->center.x /= (double)sum->pixel_count;
    sum->center.y /= (double)sum->pixel_count;
    return changed;
}

START_TEST(a_cut_of_a_world_is_one_of_each_body) {
    int asked = 0, most = 0;
    const pv_query_filter filters[] = {
        {.mask_bits = 0xffffffff, .include_sensors = true},
        {.mask_bits = 2},
        {.mask_bits = 0xffffffff, .accept = is_odd, .user_data = &asked}};
    for (int contacts = PV_CONTACT_MODE_PIXELS; contacts <= PV_CONTACT_MODE_CONTOURS; contacts++) {
        pv_world *w = crowd(contacts), *v = crowd(contacts);
        cutter c = cutter_make(3);
        for (int i = 0; i < 40; i++) {
            pv_vec2 at = {200 * next_unit(&c.seed), 200 * next_unit(&c.seed)};
            pv_cut cut = random_cut(&c, i % KINDS, at, 4 + 30 * next_unit(&c.seed));
            cut.add = i % 4 == 3;
            const pv_query_filter *f = i % 4 == 2 ? NULL : &filters[i % 3];
            pv_carve_result sum, total = {.pixel_count = 7};
            int changed = carve_one_by_one(v, &cut, f, &sum);
            ck_assert_int_eq(pv_world_carve(w, &cut, f, i % 8 ? &total : NULL), changed);
            if (i % 8) {
                ck_assert_near(total.center, sum.center, 1e-9);
                total.center = sum.center; /* the rest is equal, and the rectangle is empty */
                ck_assert_mem_eq(&total, &sum, sizeof sum);
            }
            for (int k = 0; k < 2; k++) {
                ck_assert_uint_eq(pv_world_compute_hash(w), pv_world_compute_hash(v));
                steps_well(w, 2);
                steps_well(v, 2);
            }
            most = changed > most ? changed : most;
        }
    }
    ck_assert_int_gt(asked, 0);
    ck_assert_int_gt(most, 5);
}

START_TEST(parts_that_come_off_are_cut_once) {
    pv_world *w = mode_world(PV_CONTACT_MODE_PIXELS, 0, NULL);
    pv_body_id hole = put_dynamic(w, 3, 3, 900, 0);
    for (int y = 0; y <= 30; y += 30) put_dynamic(w, 40, 10, 0, y);
    pv_body_destroy(w, hole); /* taken by a part of the first bar, before that; others come after */
    pv_cut cut = pv_cut_box((pv_vec2){-3, -50}, (pv_vec2){3, 50});
    pv_carve_result total;
    ck_assert_int_eq(pv_world_carve(w, &cut, NULL, &total), 2);
    ck_assert(total.pixel_count == 2 * 6 * 10 && total.body_count == 4);
    ck_assert_int_eq(pv_world_get_stats(w).bodies, 4);
    ck_assert_near(total.center, ((pv_vec2){0, 15}), 1e-9);
    ck_assert_int_eq(pv_world_carve(w, &cut, NULL, &total), 0); /* nothing is left to cut */
    ck_assert(total.pixel_count == 0 && total.body_count == 0 && total.center.x == 0);
}

START_TEST(the_mask_of_a_body_cuts_a_world) {
    pv_world *w = mode_world(PV_CONTACT_MODE_PIXELS, 0, NULL);
    pv_body_id b[3];
    for (int i = 0; i < 3; i++) b[i] = put_dynamic(w, 20, 20, 30 * i, 0);
    pv_transform t = pv_transform_identity(); /* it covers the first two boxes */
    t.position = (pv_vec2){-10, -10}, t.scale.x = 2.5;
    pv_cut cut = pv_cut_mask(pv_body_get_mask(w, b[0]), &t);
    pv_carve_result total;
    ck_assert_int_eq(pv_world_carve(w, &cut, NULL, &total), 2);
    ck_assert_int_eq(total.pixel_count, 400 + 400);
    for (int i = 0; i < 3; i++) ck_assert(pv_body_is_valid(w, b[i]) == (i == 2));
}

START_TEST(bad_cuts_of_a_world_are_refused) {
    pv_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, GRAVITY, NULL);
    put_dynamic(w, 20, 20, 0, 0);
    pv_world_set_report_callback(w, keep_report, NULL);
    pv_cut cuts[3] = {pv_cut_circle(PV_VEC2(0, 0), 3), pv_cut_circle(PV_VEC2(0, 0), 3),
                      pv_cut_circle(PV_VEC2(1e300, 0), 1.7e308)}; /* wider than any world */
    cuts[0].local = true, cuts[1].max_hardness = 256;
    uint64_t hash = pv_world_compute_hash(w);
    for (int i = 0; i < 2; i++) {
        pv_carve_result total = {.pixel_count = 9};
        ck_assert_int_eq(pv_world_carve(w, &cuts[i], NULL, &total), 0);
        ck_assert_int_eq(last_report.status, PV_ERROR_ARGUMENT);
        ck_assert_str_eq(last_report.field, i ? "cut.max_hardness" : "cut.local");
        ck_assert(total.pixel_count == 0 && pv_world_compute_hash(w) == hash);
    }
    ck_assert_int_ge(pv_world_carve(w, &cuts[2], NULL, NULL), 0);
}

START_TEST(a_world_starved_of_memory_is_carved_body_by_body) {
    for (long nth = 1, done = 0; !done; nth++) {
        scoped_purse p = {0};
        pv_allocator allocator = {purse_alloc, &p};
        scoped_world *w = mode_world(PV_CONTACT_MODE_CONTOURS, GRAVITY, &p);
        for (int i = 0; i < 3; i++)
            put(w, pv_mask_create_rect(20, 20, &allocator, NULL), 40 * i, 0, pv_body_def_default());
        steps_well(w, 2);
        pv_world_set_report_callback(w, keep_report, NULL);
        pv_cut cut = pv_cut_box((pv_vec2){-100, -1}, (pv_vec2){200, 1});
        pv_carve_result total;
        last_report = (pv_error){0};
        p.fail_at = p.calls + nth;
        int changed = pv_world_carve(w, &cut, NULL, &total), left = 0;
        done = p.calls < p.fail_at;
        p.fail_at = 0;
        ck_assert_int_eq(last_report.status, done ? PV_OK : PV_ERROR_MEMORY);
        for (pv_body_id b = {0, 0}; (b = pv_world_get_next_body(w, b)).index;) {
            left += pv_mask_count_pixels(pv_body_get_mask(w, b)) == 400;
            check_weight(w, b, 1);
        }
        ck_assert_int_eq(left, 3 - changed);
        ck_assert_int_eq(total.pixel_count, 40 * changed);
        if (done) ck_assert_int_eq(changed, 3);
        steps_well(w, 5);
        ck_assert(nth > 1 || !done);
    }
}

RUN_TESTS_IN("carve", NULL, give_back, 1)
