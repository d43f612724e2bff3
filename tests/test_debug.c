/* test_debug.c - pv_world_debug_draw() into a renderer that writes down what it is told.
 *
 * Invariant: expected values come from the readers of bodies, contacts and joints, or from
 * geometry.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#define STEP (1.0 / 60)
#define MOST 4096

typedef struct stroke {
    pv_vec2 from, to;
    uint32_t color;
} stroke;

typedef struct dot {
    pv_vec2 center;
    double radius;
    uint32_t color;
} dot;

typedef struct stamp {
    const pv_mask *mask;
    pv_transform at;
    uint32_t color;
} stamp;

/// Drawn shapes, in order
typedef struct record {
    stroke lines[MOST];
    dot discs[MOST];
    stamp masks[MOST];
    int line_count, disc_count, mask_count;
} record;

static record drawn;

static void draw_line(void *user_data, pv_vec2 from, pv_vec2 to, uint32_t color) {
    record *r = user_data;
    ck_assert_int_lt(r->line_count, MOST);
    r->lines[r->line_count++] = (stroke){from, to, color};
}

static void draw_disc(void *user_data, pv_vec2 center, double radius, uint32_t color) {
    record *r = user_data;
    ck_assert_int_lt(r->disc_count, MOST);
    r->discs[r->disc_count++] = (dot){center, radius, color};
}

static void draw_mask(void *user_data, const pv_mask *mask, const pv_transform *transform,
                      uint32_t color) {
    record *r = user_data;
    ck_assert_int_lt(r->mask_count, MOST);
    r->masks[r->mask_count++] = (stamp){mask, *transform, color};
}

static pv_debug_draw recorder(void) {
    pv_debug_draw draw = pv_debug_draw_default();
    drawn.line_count = drawn.disc_count = drawn.mask_count = 0;
    draw.user_data = &drawn;
    draw.line = draw_line;
    draw.circle = draw_disc;
    draw.mask = draw_mask;
    return draw;
}

static void show(const pv_world *w, unsigned flags) {
    pv_debug_draw draw = recorder();
    ck_assert_int_eq(pv_world_debug_draw(w, &draw, flags), PV_OK);
}

static pv_world *open_world(pv_contact_mode contacts) {
    pv_world_def def = pv_world_def_default();
    def.contact_mode = contacts;
    pv_world *w = pv_world_create(&def, NULL);
    ck_assert_ptr_nonnull(w);
    return w;
}

static void run(pv_world *w, int steps) {
    for (int i = 0; i < steps; i++) step_well(w, STEP);
}

/// A floor, and two columns of boxes far from each other.
static pv_world *two_heaps(pv_contact_mode contacts) {
    pv_world *w = open_world(contacts);
    put(w, box_mask(600, 20), 0, 10, of_type(PV_BODY_STATIC));
    for (int i = 0; i < 6; i++)
        put(w, box_mask(40, 20), i % 2 ? 200 : -200, -10.5 - 20.5 * (i / 2),
            of_type(PV_BODY_DYNAMIC));
    return w;
}

static void same_point(pv_vec2 a, pv_vec2 b) {
    ck_assert_double_eq(a.x, b.x);
    ck_assert_double_eq(a.y, b.y);
}

static void near_point(pv_vec2 a, pv_vec2 b, double most) {
    ck_assert_double_lt(hypot(a.x - b.x, a.y - b.y), most);
}

/* ---- bodies ---- */

START_TEST(every_body_shows_its_mask_and_box_in_order) {
    pv_world *w = two_heaps(PV_CONTACT_MODE_CONTOURS);
    put(w, disc_mask(9), 0, -300, of_type(PV_BODY_KINEMATIC));
    run(w, 20);
    pv_body_id gone = pv_world_get_next_body(w, (pv_body_id){0});
    gone = pv_world_get_next_body(w, gone);
    ck_assert_int_eq(pv_body_destroy(w, gone), PV_OK);
    show(w, PV_DEBUG_MASKS | PV_DEBUG_BOUNDS);
    int n = 0;
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0}); b.generation;
         b = pv_world_get_next_body(w, b), n++) {
        const stamp *s = &drawn.masks[n];
        const stroke *l = &drawn.lines[4 * n];
        pv_transform t = pv_body_get_transform(w, b);
        pv_box box = pv_body_get_bounds(w, b);
        ck_assert_ptr_eq(s->mask, pv_body_get_mask(w, b));
        ck_assert_int_eq(memcmp(&s->at, &t, sizeof t), 0);
        same_point(l[0].from, box.min);
        same_point(l[1].to, box.max);
        same_point(l[2].from, box.max);
        same_point(l[3].to, box.min);
        for (int k = 0; k < 4; k++) same_point(l[k].to, l[(k + 1) % 4].from);
    }
    ck_assert_int_eq(n, 7);
    ck_assert_int_eq(drawn.mask_count, n);
    ck_assert_int_eq(drawn.line_count, 4 * n);
    ck_assert_int_eq(drawn.disc_count, 0);
    ck_assert_uint_ne(drawn.masks[0].color, drawn.masks[1].color); /* static, dynamic */
    ck_assert_uint_ne(drawn.masks[1].color, drawn.masks[6].color); /* dynamic, kinematic */
    pv_world_destroy(w);
}
END_TEST

/// Awake all look alike; asleep each heap has a color of its own, and only where islands are asked
/// for.
START_TEST(islands_that_sleep_apart_differ) {
    pv_world *w = two_heaps(PV_CONTACT_MODE_CONTOURS);
    run(w, 5);
    show(w, PV_DEBUG_ISLANDS);
    ck_assert_int_eq(drawn.mask_count, 7);
    uint32_t awake = drawn.masks[1].color;
    for (int i = 1; i < 7; i++) ck_assert_uint_eq(drawn.masks[i].color, awake);
    run(w, 240);
    ck_assert_int_eq(pv_world_get_stats(w).awake, 0);
    show(w, PV_DEBUG_ISLANDS);
    for (int i = 1; i < 7; i++)
        ck_assert_uint_eq(drawn.masks[i].color, drawn.masks[i > 2 ? i - 2 : i].color);
    ck_assert_uint_ne(drawn.masks[1].color, drawn.masks[2].color);
    ck_assert_uint_ne(drawn.masks[1].color, awake);
    ck_assert_uint_ne(drawn.masks[2].color, awake);
    show(w, PV_DEBUG_MASKS);
    ck_assert_uint_eq(drawn.masks[1].color, drawn.masks[2].color);
    ck_assert_uint_ne(drawn.masks[1].color, awake);
    pv_world_destroy(w);
}
END_TEST

/// Checks that 1500 bodies that sleep alone all have different colors.
START_TEST(no_two_of_many_islands_look_alike) {
    pv_world *w = open_world(PV_CONTACT_MODE_CONTOURS);
    pv_mask *floor = box_mask(8, 4), *box = box_mask(4, 4);
    for (int i = 0; i < 1500; i++) {
        put(w, pv_mask_retain(floor), 20 * i, 2, of_type(PV_BODY_STATIC));
        put(w, pv_mask_retain(box), 20 * i, -2.02, of_type(PV_BODY_DYNAMIC));
    }
    run(w, 60);
    ck_assert_int_eq(pv_world_get_stats(w).awake, 0);
    show(w, PV_DEBUG_ISLANDS);
    ck_assert_int_eq(drawn.mask_count, 3000);
    int alike = 0;
    for (int i = 1; i < 1500; i += 2)
        for (int k = 1; k < i; k += 2) alike += drawn.masks[i].color == drawn.masks[k].color;
    ck_assert_int_eq(alike, 0);
    pv_mask_release(floor);
    pv_mask_release(box);
    pv_world_destroy(w);
}
END_TEST

/* ---- contours ---- */

/// Returns the distance of a point from the rim of the rectangle w x h about (x, y), rotated by
/// angle.
static double off_rim(pv_vec2 p, double x, double y, double angle, double w, double h) {
    double c = cos(angle), s = sin(angle);
    double u = fabs(c * (p.x - x) + s * (p.y - y)) - w / 2,
           v = fabs(c * (p.y - y) - s * (p.x - x)) - h / 2;
    return u > 0 && v > 0 ? hypot(u, v) : fabs(fmax(u, v));
}

/// Checks that the lines are closed, on the rim, and as long as it.
static void check_contour(pv_contact_mode contacts, double most) {
    pv_world *w = open_world(contacts);
    pv_body_def def = of_type(PV_BODY_STATIC);
    def.angle = 0.4;
    put(w, box_mask(40, 24), 7, -3, def);
    show(w, PV_DEBUG_CONTOURS);
    double length = 0;
    pv_vec2 sum = {0, 0};
    ck_assert_int_ge(drawn.line_count, 4);
    for (int i = 0; i < drawn.line_count; i++) {
        const stroke *l = &drawn.lines[i];
        ck_assert_double_lt(off_rim(l->from, 7, -3, 0.4, 40, 24), most);
        ck_assert_double_lt(off_rim(l->to, 7, -3, 0.4, 40, 24), most);
        length += hypot(l->to.x - l->from.x, l->to.y - l->from.y);
        sum = (pv_vec2){sum.x + l->to.x - l->from.x, sum.y + l->to.y - l->from.y};
    }
    ck_assert_double_eq_tol(length, 2 * (40 + 24), 8 * most);
    ck_assert_double_lt(hypot(sum.x, sum.y), 1e-9);
    ck_assert_int_eq(drawn.mask_count, 0);
    pv_world_destroy(w);
}

START_TEST(a_contour_is_the_rim) {
    check_contour(PV_CONTACT_MODE_CONTOURS, 1e-6);
    check_contour(PV_CONTACT_MODE_PIXELS, 1e-9);
}
END_TEST

/// A stand-in shows what presses: a circle of the pixels' area.
START_TEST(a_stand_in_is_shown_in_place_of_pixels) {
    pv_world *w = open_world(PV_CONTACT_MODE_CONTOURS);
    pv_body_def def = of_type(PV_BODY_STATIC);
    def.collider = PV_COLLIDER_CIRCLE;
    put(w, box_mask(30, 30), 50, 60, def);
    show(w, PV_DEBUG_CONTOURS);
    ck_assert_int_ge(drawn.line_count, 12);
    for (int i = 0; i < drawn.line_count; i++)
        ck_assert_double_eq_tol(hypot(drawn.lines[i].from.x - 50, drawn.lines[i].from.y - 60),
                                sqrt(900 / acos(-1)), 0.1);
    pv_world_destroy(w);
}
END_TEST

/* ---- contacts ---- */

static void check_normals(pv_contact_mode contacts) {
    static pv_contact touching[64];
    pv_world *w = two_heaps(contacts);
    run(w, 30);
    int count = pv_world_get_contacts(w, touching, 64);
    ck_assert_int_ge(count, 4);
    ck_assert_int_le(count, 64);
    pv_debug_draw draw = recorder();
    draw.normal_length = 25;
    draw.point_radius = 2;
    ck_assert_int_eq(pv_world_debug_draw(w, &draw, PV_DEBUG_NORMALS), PV_OK);
    ck_assert_int_eq(drawn.line_count, count);
    ck_assert_int_eq(drawn.disc_count, count);
    for (int i = 0; i < count; i++) {
        const stroke *l = &drawn.lines[i];
        pv_vec2 n = {(l->to.x - l->from.x) / 25, (l->to.y - l->from.y) / 25};
        same_point(l->from, touching[i].point);
        same_point(drawn.discs[i].center, touching[i].point);
        ck_assert_double_eq(drawn.discs[i].radius, 2);
        ck_assert_double_eq_tol(hypot(n.x, n.y), 1, 1e-12);
        near_point(n, touching[i].normal, 1e-12);
    }
    pv_world_destroy(w);
}

START_TEST(normals_have_their_length_and_place) {
    check_normals(PV_CONTACT_MODE_CONTOURS);
    check_normals(PV_CONTACT_MODE_PIXELS);
}
END_TEST

/* ---- matter ---- */

static pv_world *with_matter(void) {
    pv_world *w = open_world(PV_CONTACT_MODE_CONTOURS);
    const pv_vec2 square[] = {{300, 0}, {340, 0}, {340, 40}, {300, 40}};
    pv_rope_def rope = pv_rope_def_default();
    rope.from = pv_anchor_world((pv_vec2){0, 0}), rope.to_free = true;
    rope.to = pv_anchor_world((pv_vec2){100, 10});
    pv_polygon_def polygon = pv_polygon_def_default();
    polygon.points = square, polygon.point_count = 4;
    ck_assert(pv_composite_is_valid(w, pv_rope_create(w, &rope, NULL)));
    ck_assert(pv_polygon_is_valid(w, pv_polygon_create(w, &polygon, NULL)));
    pv_body_id a = put(w, box_mask(30, 10), 150, 100, of_type(PV_BODY_DYNAMIC));
    pv_joint_def pin = pv_joint_def_default();
    pin.type = PV_JOINT_PIN;
    pin.a = pv_anchor_body(a, (pv_vec2){140, 100}), pin.b = pv_anchor_world((pv_vec2){140, 100});
    ck_assert(pv_joint_is_valid(w, pv_joint_create(w, &pin, NULL)));
    run(w, 10);
    return w;
}

START_TEST(constraints_are_drawn_from_end_to_end) {
    pv_world *w = with_matter();
    show(w, PV_DEBUG_JOINTS);
    int n = 0, pins = 0;
    for (pv_joint_id c = pv_world_get_next_joint(w, (pv_joint_id){0}); c.generation;
         c = pv_world_get_next_joint(w, c), n++) {
        pv_vec2 ends[2];
        ck_assert_int_eq(pv_joint_get_points(w, c, ends), PV_OK);
        same_point(drawn.lines[n].from, ends[0]);
        same_point(drawn.lines[n].to, ends[1]);
        if (pv_joint_get_type(w, c) != PV_JOINT_PIN) continue;
        same_point(drawn.discs[2 * pins].center, ends[0]);
        same_point(drawn.discs[2 * pins + 1].center, ends[1]);
        pins++;
        ck_assert_uint_ne(drawn.lines[n].color, drawn.lines[0].color);
    }
    ck_assert_int_ge(n, 16 + 4 + 1);
    ck_assert_int_eq(drawn.line_count, n);
    ck_assert_int_ge(pins, 1);
    ck_assert_int_eq(drawn.disc_count, 2 * pins);
    pv_world_destroy(w);
}
END_TEST

START_TEST(particles_and_polygons_are_where_they_are) {
    pv_world *w = with_matter();
    int n = 0, pinned = 0;
    show(w, PV_DEBUG_PARTICLES);
    uint32_t red = 0, other = 0;
    for (pv_particle_id p = pv_world_get_next_particle(w, (pv_particle_id){0}); p.generation;
         p = pv_world_get_next_particle(w, p), n++) {
        same_point(drawn.discs[n].center, pv_particle_get_position(w, p));
        ck_assert_double_eq(drawn.discs[n].radius, pv_particle_get_radius(w, p));
        bool fixed = !(pv_particle_get_mass(w, p) > 0);
        *(fixed ? &red : &other) = drawn.discs[n].color;
        pinned += fixed;
    }
    ck_assert_int_ge(n, 20);
    ck_assert_int_eq(drawn.disc_count, n);
    ck_assert_int_ge(pinned, 1);
    ck_assert_uint_ne(red, other);
    show(w, PV_DEBUG_POLYGONS);
    pv_particle_id corners[4];
    ck_assert_int_eq(
        pv_polygon_get_corners(w, pv_world_get_next_polygon(w, (pv_polygon_id){0}), corners, 4), 4);
    ck_assert_int_eq(drawn.line_count, 4);
    for (int i = 0; i < 4; i++) {
        same_point(drawn.lines[i].from, pv_particle_get_position(w, corners[i]));
        same_point(drawn.lines[i].to, pv_particle_get_position(w, corners[(i + 1) % 4]));
    }
    ck_assert_int_eq(pv_polygon_destroy(w, pv_world_get_next_polygon(w, (pv_polygon_id){0})),
                     PV_OK);
    show(w, PV_DEBUG_POLYGONS);
    ck_assert_int_eq(drawn.line_count, 0);
    pv_world_destroy(w);
}
END_TEST

/* ---- what is asked for, and what is refused ---- */

/// Checks that all flags give the sum of single flags. Without callbacks nothing happens, and the
/// world is unchanged.
START_TEST(flags_add_up_and_the_world_stays) {
    pv_world *w = with_matter();
    put(w, box_mask(40, 20), 150, 60, of_type(PV_BODY_STATIC));
    run(w, 10);
    uint64_t before = pv_world_compute_hash(w);
    int lines = 0, discs = 0;
    for (unsigned flag = 1; flag < PV_DEBUG_ALL; flag *= 2) {
        show(w, flag);
        lines += drawn.line_count;
        discs += drawn.disc_count;
        ck_assert_int_eq(drawn.mask_count,
                         flag == PV_DEBUG_MASKS || flag == PV_DEBUG_ISLANDS ? 2 : 0);
        ck_assert_int_gt(drawn.line_count + drawn.disc_count + drawn.mask_count,
                         flag == PV_DEBUG_NORMALS ? -1 : 0);
    }
    show(w, PV_DEBUG_ALL);
    ck_assert_int_eq(drawn.line_count, lines);
    ck_assert_int_eq(drawn.disc_count, discs);
    ck_assert_int_eq(drawn.mask_count, 2);
    show(w, 0);
    ck_assert_int_eq(drawn.line_count + drawn.disc_count + drawn.mask_count, 0);
    pv_debug_draw nobody = pv_debug_draw_default(), discs_only = recorder();
    ck_assert_int_eq(pv_world_debug_draw(w, &nobody, PV_DEBUG_ALL), PV_OK);
    discs_only.line = NULL, discs_only.mask = NULL;
    ck_assert_int_eq(pv_world_debug_draw(w, &discs_only, PV_DEBUG_ALL), PV_OK);
    ck_assert_int_eq(drawn.line_count + drawn.mask_count, 0);
    ck_assert_int_eq(drawn.disc_count, discs);
    ck_assert_uint_eq(pv_world_compute_hash(w), before);
    pv_world_destroy(w);
}
END_TEST

static void refused(const pv_world *w, const pv_debug_draw *draw, unsigned flags, pv_status why) {
    ck_assert_int_eq(pv_world_debug_draw(w, draw, flags), why);
    ck_assert_int_eq(drawn.line_count + drawn.disc_count + drawn.mask_count, 0);
}

START_TEST(bad_input_draws_nothing) {
    pv_world *w = two_heaps(PV_CONTACT_MODE_CONTOURS);
    pv_debug_draw draw = recorder(), plain = draw, bad = draw;
    plain.cookie = 0;
    refused(NULL, &draw, PV_DEBUG_ALL, PV_ERROR_ARGUMENT);
    refused(w, NULL, PV_DEBUG_ALL, PV_ERROR_ARGUMENT);
    refused(w, &plain, PV_DEBUG_ALL, PV_ERROR_ARGUMENT);
    refused(w, &draw, PV_DEBUG_ALL + 1, PV_ERROR_ARGUMENT);
    bad.normal_length = -1;
    refused(w, &bad, PV_DEBUG_ALL, PV_ERROR_ARGUMENT);
    bad.normal_length = NAN;
    refused(w, &bad, PV_DEBUG_ALL, PV_ERROR_NOT_FINITE);
    bad = draw;
    bad.point_radius = INFINITY;
    refused(w, &bad, PV_DEBUG_ALL, PV_ERROR_NOT_FINITE);
    bad.point_radius = -1;
    refused(w, &bad, PV_DEBUG_ALL, PV_ERROR_ARGUMENT);
    pv_world_destroy(w);
}
END_TEST

/// Without memory contacts and edges of pixels are left out, and all else is drawn.
START_TEST(without_memory_the_rest_is_drawn) {
    purse all = {0};
    pv_allocator allocator = {purse_alloc, &all};
    pv_world_def def = pv_world_def_default();
    def.contact_mode = PV_CONTACT_MODE_PIXELS;
    def.allocator = allocator;
    pv_world *w = pv_world_create(&def, NULL);
    pv_mask *mask = pv_mask_create(20, 20, &allocator, NULL);
    pv_mask_fill_all(mask, true);
    put(w, pv_mask_retain(mask), 0, 0, of_type(PV_BODY_STATIC));
    put(w, mask, 0, -21, of_type(PV_BODY_DYNAMIC));
    run(w, 30);
    ck_assert_int_eq(pv_world_get_contacts(w, NULL, 0), 1);
    show(w, PV_DEBUG_ALL);
    int lines = drawn.line_count, calls = 0;
    long live = all.live_bytes;
    pv_debug_draw draw;
    for (bool good = false; !good; calls++) {
        draw = recorder();
        all.calls = 0, all.fail_at = calls + 1;
        pv_status status = pv_world_debug_draw(w, &draw, PV_DEBUG_ALL);
        good = status == PV_OK;
        ck_assert(good || status == PV_ERROR_MEMORY);
        ck_assert(good ? drawn.line_count == lines : drawn.line_count < lines);
        ck_assert_int_ge(drawn.line_count, 2 * 4);
        ck_assert_int_eq(drawn.mask_count, 2);
        ck_assert_int_eq(all.live_bytes, live);
    }
    ck_assert_int_ge(calls, 4); /* two outlines, the contacts, and none */
    pv_world_destroy(w);
    ck_assert_int_eq(all.live_bytes, 0);
}
END_TEST

RUN_SUITE("debug", every_body_shows_its_mask_and_box_in_order, islands_that_sleep_apart_differ,
          no_two_of_many_islands_look_alike, a_contour_is_the_rim,
          a_stand_in_is_shown_in_place_of_pixels, normals_have_their_length_and_place,
          constraints_are_drawn_from_end_to_end, particles_and_polygons_are_where_they_are,
          flags_add_up_and_the_world_stays, bad_input_draws_nothing,
          without_memory_the_rest_is_drawn)
