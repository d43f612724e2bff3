/* test_debug.c - pv_world_debug_draw() into a renderer that records its calls.
 *
 * Invariant: expected values come from getters of bodies, contacts and joints, or from geometry.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "shared_world.h"

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

static pv_world *w;

static void show(unsigned flags) {
    pv_debug_draw draw = recorder();
    ck_assert_int_eq(pv_world_debug_draw(w, &draw, flags), PV_OK);
}

/// Opens a world with a floor, and two columns of boxes far from each other.
static void two_heaps(pv_contact_mode contacts) {
    w = next_world_by(contacts, 320);
    put_box(PV_BODY_STATIC, 600, 20, 0, 10);
    for (int i = 0; i < 6; i++)
        put_box(PV_BODY_DYNAMIC, 40, 20, i % 2 ? 200 : -200, -10.5 - 20.5 * (i / 2));
}

static void same_point(pv_vec2 a, pv_vec2 b) { ck_assert_vec_eq_tol(a, b.x, b.y, 1e-300); }

/* ---- bodies ---- */

START_TEST(every_body_shows_its_mask_and_box_in_order) {
    two_heaps(PV_CONTACT_MODE_CONTOURS);
    put(w, disc_mask(9), 0, -300, of_type(PV_BODY_KINEMATIC));
    step_times(20);
    pv_body_id gone = pv_world_get_next_body(w, pv_world_get_next_body(w, pv_null_body));
    ck_assert_int_eq(pv_body_destroy(w, gone), PV_OK);
    show(PV_DEBUG_MASKS | PV_DEBUG_BOUNDS);
    int n = 0;
    for (pv_body_id b = pv_null_body; (b = pv_world_get_next_body(w, b)).index; n++) {
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
}

/// Awake bodies have one color. Asleep, each heap has a color of its own if islands are drawn.
START_TEST(islands_that_sleep_apart_differ) {
    two_heaps(PV_CONTACT_MODE_CONTOURS);
    step_times(5);
    show(PV_DEBUG_ISLANDS);
    ck_assert_int_eq(drawn.mask_count, 7);
    uint32_t awake = drawn.masks[1].color;
    for (int i = 1; i < 7; i++) ck_assert_uint_eq(drawn.masks[i].color, awake);
    step_times(240);
    ck_assert_int_eq(pv_world_get_stats(w).awake, 0);
    show(PV_DEBUG_ISLANDS);
    for (int i = 1; i < 7; i++)
        ck_assert_uint_eq(drawn.masks[i].color, drawn.masks[i > 2 ? i - 2 : i].color);
    ck_assert(drawn.masks[1].color != drawn.masks[2].color && drawn.masks[1].color != awake);
    ck_assert_uint_ne(drawn.masks[2].color, awake);
    show(PV_DEBUG_MASKS);
    ck_assert(drawn.masks[1].color == drawn.masks[2].color && drawn.masks[1].color != awake);
}

/// Tells whether a color is a pure hue: one channel at its most, and one at its least.
static bool is_pure(uint32_t color) {
    int most = 0, least = 255;
    for (int shift = 8; shift < 32; shift += 8) {
        int part = (int)(color >> shift & 255);
        most = part > most ? part : most;
        least = part < least ? part : least;
    }
    return most == 255 && least == 0;
}

START_TEST(no_two_of_many_islands_look_alike) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 320);
    scoped_mask *floor = box_mask(8, 4), *box = box_mask(4, 4);
    for (int i = 0; i < 1500; i++) {
        put(w, pv_mask_retain(floor), 20 * i, 2, of_type(PV_BODY_STATIC));
        put(w, pv_mask_retain(box), 20 * i, -2.02, of_type(PV_BODY_DYNAMIC));
    }
    step_times(60);
    ck_assert_int_eq(pv_world_get_stats(w).awake, 0);
    show(PV_DEBUG_ISLANDS);
    ck_assert_int_eq(drawn.mask_count, 3000);
    int alike = 0;
    for (int i = 1; i < 3000; i += 2) {
        ck_assert_msg(is_pure(drawn.masks[i].color), "%#x", drawn.masks[i].color);
        for (int k = 1; k < i && i < 1500; k += 2)
            alike += drawn.masks[i].color == drawn.masks[k].color;
    }
    ck_assert_int_eq(alike, 0);
}

/* ---- contours ---- */

/// Returns the distance of a point from the rim of a turned rectangle about (x, y).
static double off_rim(pv_vec2 p, double x, double y, double angle, double wide, double high) {
    double c = cos(angle), s = sin(angle);
    double u = fabs(c * (p.x - x) + s * (p.y - y)) - wide / 2,
           v = fabs(c * (p.y - y) - s * (p.x - x)) - high / 2;
    return u > 0 && v > 0 ? hypot(u, v) : fabs(fmax(u, v));
}

START_TEST_FOR(a_contour_is_the_rim, contacts, 2) {
    double most = contacts == PV_CONTACT_MODE_PIXELS ? 1e-9 : 1e-6;
    w = next_world_by(contacts, 320);
    put(w, box_mask(40, 24), 7, -3, WITH(of_type(PV_BODY_STATIC), it.angle = 0.4));
    show(PV_DEBUG_CONTOURS);
    double length = 0;
    pv_vec2 sum = {0, 0};
    ck_assert_int_ge(drawn.line_count, 4);
    for (int i = 0; i < drawn.line_count; i++) {
        const stroke *l = &drawn.lines[i];
        ck_assert_double_lt(off_rim(l->from, 7, -3, 0.4, 40, 24), most);
        ck_assert_double_lt(off_rim(l->to, 7, -3, 0.4, 40, 24), most);
        length += vec_distance(l->from, l->to);
        sum = (pv_vec2){sum.x + l->to.x - l->from.x, sum.y + l->to.y - l->from.y};
    }
    ck_assert_double_eq_tol(length, 2 * (40 + 24), 8 * most);
    ck_assert_double_lt(hypot(sum.x, sum.y), 1e-9);
    ck_assert_int_eq(drawn.mask_count, 0);
}

/// A collider is drawn as it presses: here a circle of the pixels' area.
START_TEST(a_stand_in_is_shown_in_place_of_pixels) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 320);
    put(w, box_mask(30, 30), 50, 60,
        WITH(of_type(PV_BODY_STATIC), it.collider = PV_COLLIDER_CIRCLE));
    show(PV_DEBUG_CONTOURS);
    ck_assert_int_ge(drawn.line_count, 12);
    for (int i = 0; i < drawn.line_count; i++)
        ck_assert_double_eq_tol(hypot(drawn.lines[i].from.x - 50, drawn.lines[i].from.y - 60),
                                sqrt(900 / acos(-1)), 0.1);
}

/* ---- contacts ---- */

START_TEST_FOR(normals_have_their_length_and_place, contacts, 2) {
    static pv_contact touching[64];
    two_heaps((pv_contact_mode)contacts);
    step_times(30);
    int count = pv_world_get_contacts(w, touching, 64);
    ck_assert(count >= 4 && count <= 64);
    pv_debug_draw draw = WITH(recorder(), it.normal_length = 25, it.point_radius = 2);
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
        ck_assert_double_lt(vec_distance(n, touching[i].normal), 1e-12);
    }
}

/* ---- matter ---- */

static void with_matter(void) {
    w = next_world_by(PV_CONTACT_MODE_CONTOURS, 320);
    const pv_vec2 square[] = {{300, 0}, {340, 0}, {340, 40}, {300, 40}};
    ck_assert(pv_composite_is_valid(w, CREATE(rope, w, it.from = pv_anchor_world((pv_vec2){0, 0}),
                                              it.to_free = true,
                                              it.to = pv_anchor_world((pv_vec2){100, 10}))));
    put_polygon(w, square, 4);
    pv_body_id a = put_box(PV_BODY_DYNAMIC, 30, 10, 150, 100);
    const pv_vec2 hinge = {140, 100};
    join_by(joint_of(PV_JOINT_PIN, pv_anchor_body(a, hinge), pv_anchor_world(hinge)));
    step_times(10);
}

START_TEST(constraints_are_drawn_from_end_to_end) {
    with_matter();
    show(PV_DEBUG_JOINTS);
    int n = 0, pins = 0;
    for (pv_joint_id c = pv_null_joint; (c = pv_world_get_next_joint(w, c)).index; n++) {
        pv_anchor ends[2];
        ck_assert_int_eq(pv_joint_get_anchors(w, c, ends), PV_OK);
        same_point(drawn.lines[n].from, ends[0].point);
        same_point(drawn.lines[n].to, ends[1].point);
        if (pv_joint_get_type(w, c) != PV_JOINT_PIN) continue;
        same_point(drawn.discs[2 * pins].center, ends[0].point);
        same_point(drawn.discs[2 * pins + 1].center, ends[1].point);
        pins++;
        ck_assert_uint_ne(drawn.lines[n].color, drawn.lines[0].color);
    }
    ck_assert_int_ge(n, 16 + 4 + 1);
    ck_assert_int_eq(drawn.line_count, n);
    ck_assert_int_ge(pins, 1);
    ck_assert_int_eq(drawn.disc_count, 2 * pins);
}

START_TEST(particles_and_polygons_are_where_they_are) {
    with_matter();
    int n = 0, pinned = 0;
    show(PV_DEBUG_PARTICLES);
    uint32_t red = 0, other = 0;
    for (pv_particle_id p = pv_null_particle; (p = pv_world_get_next_particle(w, p)).index; n++) {
        same_point(drawn.discs[n].center, particle_at(p));
        ck_assert_double_eq(drawn.discs[n].radius, pv_particle_get_radius(w, p));
        bool fixed = !(pv_particle_get_mass(w, p) > 0);
        *(fixed ? &red : &other) = drawn.discs[n].color;
        pinned += fixed;
    }
    ck_assert_int_ge(n, 20);
    ck_assert_int_eq(drawn.disc_count, n);
    ck_assert_int_ge(pinned, 1);
    ck_assert_uint_ne(red, other);
    show(PV_DEBUG_POLYGONS);
    pv_particle_id corners[4];
    pv_body_id square = pv_world_get_next_polygon(w, pv_null_body);
    ck_assert_int_eq(pv_body_get_corners(w, square, corners, 4), 4);
    ck_assert_int_eq(drawn.line_count, 4);
    for (int i = 0; i < 4; i++) {
        same_point(drawn.lines[i].from, particle_at(corners[i]));
        same_point(drawn.lines[i].to, particle_at(corners[(i + 1) % 4]));
    }
    ck_assert_int_eq(pv_body_destroy(w, square), PV_OK);
    show(PV_DEBUG_POLYGONS);
    ck_assert_int_eq(drawn.line_count, 0);
}

/* ---- flags, and refusals ---- */

/// All flags draw the sum of single ones. Without callbacks nothing is drawn. The world stays.
START_TEST(flags_add_up_and_the_world_stays) {
    with_matter();
    put_box(PV_BODY_STATIC, 40, 20, 150, 60);
    step_times(10);
    uint64_t before = pv_world_compute_hash(w);
    int lines = 0, discs = 0;
    for (unsigned flag = 1; flag < PV_DEBUG_ALL; flag *= 2) {
        show(flag);
        lines += drawn.line_count;
        discs += drawn.disc_count;
        ck_assert_int_eq(drawn.mask_count, flag & (PV_DEBUG_MASKS | PV_DEBUG_ISLANDS) ? 2 : 0);
        ck_assert_int_gt(drawn.line_count + drawn.disc_count + drawn.mask_count,
                         flag == PV_DEBUG_NORMALS ? -1 : 0);
    }
    show(PV_DEBUG_ALL);
    ck_assert_int_eq(drawn.line_count, lines);
    ck_assert_int_eq(drawn.disc_count, discs);
    ck_assert_int_eq(drawn.mask_count, 2);
    show(0);
    ck_assert_int_eq(drawn.line_count + drawn.disc_count + drawn.mask_count, 0);
    pv_debug_draw nobody = pv_debug_draw_default(), discs_only = recorder();
    ck_assert(nobody.normal_length == 18 && nobody.point_radius == 2);
    ck_assert_int_eq(pv_world_debug_draw(w, &nobody, PV_DEBUG_ALL), PV_OK);
    discs_only.line = NULL, discs_only.mask = NULL;
    ck_assert_int_eq(pv_world_debug_draw(w, &discs_only, PV_DEBUG_ALL), PV_OK);
    ck_assert_int_eq(drawn.line_count + drawn.mask_count, 0);
    ck_assert_int_eq(drawn.disc_count, discs);
    ck_assert_uint_eq(pv_world_compute_hash(w), before);
}

START_TEST(bad_input_draws_nothing) {
    two_heaps(PV_CONTACT_MODE_CONTOURS);
    const pv_debug_draw good = recorder();
    pv_debug_draw bads[] = {good, good};
    bads[0].normal_length = -1;
    bads[1].point_radius = -1;
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(pv_world_debug_draw(w, &bads[i], PV_DEBUG_ALL), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(pv_world_debug_draw(w, &good, PV_DEBUG_ALL + 1), PV_ERROR_ARGUMENT);
    ck_assert_int_eq(drawn.line_count + drawn.disc_count + drawn.mask_count, 0);
}

START_TEST(without_memory_the_rest_is_drawn) {
    scoped_purse all = {0};
    pv_allocator allocator = {purse_alloc, &all};
    w = next_world(WITH(pv_world_def_default(), it.contact_mode = PV_CONTACT_MODE_PIXELS,
                        it.allocator = allocator));
    pv_mask *mask = pv_mask_create_rect(20, 20, &allocator, NULL);
    put(w, pv_mask_retain(mask), 0, 0, of_type(PV_BODY_STATIC));
    put(w, mask, 0, -21, of_type(PV_BODY_DYNAMIC));
    step_times(30);
    ck_assert_int_eq(pv_world_get_contacts(w, NULL, 0), 1);
    show(PV_DEBUG_ALL);
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
    ck_assert_int_ge(calls, 4); /* three for two outlines and contacts, and a good run */
    close_world();
}

RUN_TESTS_IN("debug", NULL, close_world, 1)
