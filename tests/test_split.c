/* test_split.c - bodies that fall apart: fragments, debris, kept properties, and events.
 *
 * Invariant: expected bodies and momenta are computed pixel by pixel. Parts come from pv_parts,
 * which test_parts.c compares with a flood fill.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "bodies.h"
#include "core/handle.h"

enum { MOST = 96 * 96 };
static const double H = 1.0 / 60;
static char tags[MOST];

/// World of the test, without gravity unless it opens another
static pv_world *w;

static void open_world(void) { w = mode_world(PV_CONTACT_MODE_CONTOURS, 0, NULL); }

/// Keeps only the largest part of a mask.
static void keep_largest(pv_mask *mask, pv_connectivity neighbors) {
    scoped_parts *parts = pv_parts_create(mask, neighbors, NULL);
    ck_assert_int_gt(pv_parts_get_count(parts), 0);
    for (int i = 0, wide = pv_mask_get_width(mask); i < wide * pv_mask_get_height(mask); i++)
        if (pv_parts_find_at(parts, i % wide, i / wide) > 0)
            pv_mask_set_pixel(mask, i % wide, i / wide, false);
}

/// Returns a connected mask of blots and strokes.
static pv_mask *random_sprite(uint64_t *seed, pv_connectivity neighbors) {
    int wide = 24 + (int)(72 * next_unit(seed)), high = 24 + (int)(72 * next_unit(seed));
    pv_mask *mask = pv_mask_create(wide, high, NULL, NULL);
    for (int k = 0; k < 9; k++) {
        double x = wide * next_unit(seed), y = high * next_unit(seed), r = 2 + 14 * next_unit(seed);
        bool hole = k % 4 == 3, square = next_random(seed) & 1;
        for (int i = 0; i < wide * high; i++) {
            double dx = fabs(i % wide + 0.5 - x), dy = fabs(i / wide + 0.5 - y);
            if (square ? fmax(dx, dy * 3) < r : dx * dx + dy * dy < r * r)
                pv_mask_set_pixel(mask, i % wide, i / wide, !hole);
        }
    }
    for (int i = 0; i < wide * high; i++)
        if (next_unit(seed) < 0.1) pv_mask_set_pixel(mask, i % wide, i / wide, false);
    keep_largest(mask, neighbors);
    return mask;
}

/* ---- what is there ---- */

static void same_sums(const motion_sums *a, const motion_sums *b) {
    ck_assert_double_le(fabs(a->mass - b->mass), 1e-9 * a->mass);
    ck_assert_near(a->momentum, b->momentum, 1e-9 * a->size);
    ck_assert_double_le(fabs(a->angular - b->angular), 1e-9 * a->size);
}

/// Body before a cut: where its pixels are, and how fast
typedef struct state {
    pv_body_id body;
    pv_transform t;
    pv_vec2 velocity;
    /// Angular velocity, and mass of a pixel
    double spin, pixel;
} state;

static state state_of(pv_body_id b) {
    return (state){b, pv_body_get_transform(w, b), pv_body_get_velocity(w, b),
                   pv_body_get_angular_velocity(w, b),
                   pv_body_get_mass(w, b) / (double)solid_pixels_of(w, b)};
}

static pv_vec2 place_then(const state *s, int x, int y) {
    return pv_transform_to_world(&s->t, PV_VEC2(x + 0.5, y + 0.5));
}

static pv_vec2 velocity_then(const state *s, pv_vec2 at) {
    return (pv_vec2){s->velocity.x - s->spin * (at.y - s->t.position.y),
                     s->velocity.y + s->spin * (at.x - s->t.position.x)};
}

/// Checks that a body has exactly the pixels of a part, with their old places and velocities.
static void is_part(pv_body_id b, const pv_parts *parts, int k, pv_point from, const state *was) {
    const pv_mask *mask = pv_body_get_mask(w, b);
    pv_transform t = pv_body_get_transform(w, b);
    int64_t area = pv_parts_get_part(parts, k).area;
    int wrong = 0, slow = 0;
    for (int y = 0; y < pv_mask_get_height(mask); y++)
        for (int x = 0; x < pv_mask_get_width(mask); x++) {
            bool in = pv_parts_find_at(parts, from.x + x, from.y + y) == k;
            wrong += pv_mask_get_pixel(mask, x, y) != in;
            if (!in) continue;
            pv_vec2 at = pv_transform_to_world(&t, PV_VEC2(x + 0.5, y + 0.5)),
                    then = place_then(was, from.x + x, from.y + y);
            wrong += !(vec_distance(at, then) <= 1e-9);
            slow += !(vec_distance(pv_body_get_velocity_at(w, b, at), velocity_then(was, then)) <=
                      1e-7);
        }
    ck_assert(wrong == 0 && slow == 0 && pv_mask_count_pixels(mask) == area);
    ck_assert_double_eq_tol(pv_body_get_angular_velocity(w, b), was->spin, 1e-9);
    ck_assert_double_eq_tol(pv_body_get_mass(w, b), was->pixel * (double)area,
                            1e-9 * pv_body_get_mass(w, b));
}

/// Clears a stroke in a mask, and returns the number of cleared pixels.
static int strike_out(pv_mask *mask, const state *was, pv_vec2 from, pv_vec2 to, double width) {
    int taken = 0;
    for (int i = 0, wide = pv_mask_get_width(mask); i < wide * pv_mask_get_height(mask); i++) {
        int x = i % wide, y = i / wide;
        if (!pv_mask_get_pixel(mask, x, y) ||
            segment_distance(place_then(was, x, y), from, to) > 0.5 * width)
            continue;
        pv_mask_set_pixel(mask, x, y, false);
        taken++;
    }
    return taken;
}

/* ---- random cuts ---- */

/// Data that the callback received
typedef struct audience {
    int count;
    pv_body_id parent, children[MOST];
    bool busy;
} audience;

static void *name_child(void *user_data, const pv_world *world, pv_body_id parent,
                        pv_body_id child) {
    audience *t = user_data;
    t->parent = parent;
    t->children[t->count++] = child;
    t->busy = pv_body_is_valid(world, child) &&
              pv_body_destroy((pv_world *)(uintptr_t)world, child) == PV_ERROR_BUSY;
    return tags + 1 + t->count;
}

static pv_body_def random_def(uint64_t *seed) {
    return WITH(pv_body_def_default(), it.angle = 6.3 * next_unit(seed),
                it.velocity = (pv_vec2){400 * next_unit(seed) - 200, 400 * next_unit(seed) - 200},
                it.angular_velocity = 20 * next_unit(seed) - 10, it.density = 0.1 + next_unit(seed),
                it.restitution = next_unit(seed), it.scale.x = next_random(seed) & 1 ? 1 : -1,
                it.gravity_scale = next_unit(seed), it.rolling_resistance = next_unit(seed),
                it.filter.group_index = -3, it.user_data = tags);
}

/// Returns the fracture settings of a body.
static pv_fracture_def fracture_of(const pv_world *world, pv_body_id body) {
    return pv__handle_body(world, body)->fracture;
}

static void same_kind(pv_body_id child, pv_body_id parent) {
    pv_body_def a = pv_body_get_def(w, child), b = pv_body_get_def(w, parent);
    ck_assert_int_eq(a.type, b.type);
    ck_assert(a.restitution == b.restitution && a.static_friction == b.static_friction);
    ck_assert(a.friction == b.friction && a.rolling_resistance == b.rolling_resistance);
    ck_assert(a.gravity_scale == b.gravity_scale && a.linear_damping == b.linear_damping);
    ck_assert(a.filter.group_index == b.filter.group_index && a.scale.x == b.scale.x &&
              a.scale.y == b.scale.y);
    ck_assert_int_eq(fracture_of(w, child).min_part_pixels, fracture_of(w, parent).min_part_pixels);
}

/// Numbers of cuts that took each code path, to check that none is left out
typedef struct ways {
    int split, many, crumbs, flown, whole, destroyed;
} ways;

static void cut_one(uint64_t *seed, int contacts, ways *n) {
    audience told = {.count = 0};
    w = mode_world(contacts, 300, NULL);
    pv_world_set_split_callback(w, name_child, &told);
    pv_fracture_def f = pv_fracture_def_default();
    f.connectivity = next_random(seed) & 1 ? PV_CONNECTIVITY_8 : PV_CONNECTIVITY_4;
    f.min_part_pixels = 1 + (int)(next_unit(seed) * 40);
    f.spawn_debris = next_random(seed) & 1;
    pv_body_id b = put(w, random_sprite(seed, f.connectivity), 900, -400, random_def(seed));
    ck_assert_int_eq(pv_body_set_fracture(w, b, &f), PV_OK);
    for (int i = (int)(3 * next_unit(seed)); i > 0; i--) pv_world_step(w, H);
    state was = state_of(b);
    scoped_mask *left = pv_mask_copy(pv_body_get_mask(w, b), NULL);
    pv_vec2 c = pv_body_get_position(w, b);
    double a = 6.3 * next_unit(seed), len = 20 + 60 * next_unit(seed),
           width = 0.8 + 5 * next_unit(seed);
    pv_vec2 mid = {c.x + 30 * next_unit(seed) - 15, c.y + 30 * next_unit(seed) - 15};
    pv_vec2 from = {mid.x - len * cos(a), mid.y - len * sin(a)},
            to = {mid.x + len * cos(a), mid.y + len * sin(a)};
    pv_cut cut = pv_cut_line(from, to, width);
    int taken = strike_out(left, &was, from, to, width);
    scoped_parts *parts = pv_parts_create(left, f.connectivity, NULL);
    pv_carve_result carved = cut_out(w, b, cut);
    ck_assert_int_eq(carved.pixel_count, taken);
    int bodies = 0, crumbs = 0;
    int64_t crumb_pixels = 0;
    motion_sums pixels = {0}, now = {0};
    for (int k = 0; k < pv_parts_get_count(parts); k++) {
        pv_part part = pv_parts_get_part(parts, k);
        bool crumb = taken > 0 && part.area < f.min_part_pixels;
        bodies += !crumb;
        crumbs += crumb;
        crumb_pixels += crumb ? part.area : 0;
        for (int i = 0; i < part.rect.w * part.rect.h && (!crumb || f.spawn_debris); i++) {
            int x = part.rect.x + i % part.rect.w, y = part.rect.y + i / part.rect.w;
            pv_vec2 then = place_then(&was, x, y);
            if (pv_parts_find_at(parts, x, y) == k)
                add_sums(&pixels, was.pixel, crumb ? 0 : was.pixel / 6, then,
                         velocity_then(&was, then), was.spin);
        }
    }
    ck_assert_int_eq(carved.body_count, bodies);
    ck_assert_int_eq(carved.debris_pixels, crumb_pixels);
    ck_assert_int_eq(carved.debris_particles, f.spawn_debris ? crumbs : 0);
    ck_assert_int_eq(pv_body_is_valid(w, b), bodies > 0);
    ck_assert_int_eq(told.count, bodies > 1 ? bodies - 1 : 0);
    if (bodies > 0) is_part(b, parts, 0, (pv_point){0, 0}, &was), add_body_sums(&now, w, b);
    for (int k = 1; k < bodies; k++) {
        pv_body_id child = told.children[k - 1];
        pv_rect rect = pv_parts_get_part(parts, k).rect;
        ck_assert(PV_ID_EQUALS(told.parent, b) && told.busy);
        ck_assert_ptr_eq(pv_body_get_user_data(w, child), tags + 1 + k);
        ck_assert_mask_size(pv_body_get_mask(w, child), rect.w, rect.h);
        is_part(child, parts, k, (pv_point){rect.x, rect.y}, &was);
        same_kind(child, b);
        add_body_sums(&now, w, child);
    }
    add_particle_sums(&now, w);
    if (crumb_pixels == 0 || !f.spawn_debris) same_sums(&pixels, &now);
    ck_assert_double_eq_tol(pixels.mass, now.mass, 1e-9 * pixels.mass);
    ck_assert_double_le(vec_distance(pixels.momentum, now.momentum), 1e-9 * pixels.size + 1e-9);
    pv_world_step(w, H);
    pv_events e = pv_world_get_events(w);
    ck_assert_int_eq(e.split_count, told.count);
    for (int k = 0; k < e.split_count; k++) {
        ck_assert(PV_ID_EQUALS(e.splits[k].parent, b) &&
                  PV_ID_EQUALS(e.splits[k].child, told.children[k]));
        pv_rect rect = pv_parts_get_part(parts, k + 1).rect;
        ck_assert(e.splits[k].x == rect.x && e.splits[k].y == rect.y);
    }
    ck_assert_int_eq(e.dirty_rect_count, taken > 0 ? bodies : 0);
    pv_world_step(w, H);
    ck_assert_int_eq(pv_world_get_events(w).split_count + pv_world_get_events(w).dirty_rect_count,
                     0);
    n->split += bodies == 2, n->many += bodies > 2, n->crumbs += crumbs > 0,
        n->whole += bodies == 1;
    n->flown += carved.debris_particles > 0, n->destroyed += bodies == 0;
    close_world(w);
}

START_TEST(every_pixel_goes_on_where_it_was_and_as_fast) {
    uint64_t seed = 20;
    ways n = {0};
    for (int i = 0; i < 400; i++) cut_one(&seed, (i + 1) % 2, &n);
    ck_assert(n.split > 100 && n.many > 20 && n.crumbs > 50 && n.flown > 20 && n.whole > 50);
}

/* ---- one by one ---- */

/// Returns a cut straight down through columns x and x + 1 of a body's picture.
static pv_cut down_at(int x) { return local_box(x, -1, x + 2, 96); }

static pv_body_id last_body(const pv_world *world) {
    pv_body_id b = {0, 0}, next;
    while ((next = pv_world_get_next_body(world, b)).index) b = next;
    return b;
}

/// Adds a bar of 60 x 10 px about (100, 100).
static pv_body_id put_bar(pv_body_type type) {
    return put(w, box_mask(60, 10), 100, 100, of_type(type));
}

START_TEST_FOR(corners_hold_if_told_so, i, 2) {
    const char *const rows[] = {"######....", "######....", "######....", "....###...",
                                "......####", "......####", "......####", NULL};
    pv_body_id b = put(w, text_mask(rows), 50, 50, pv_body_def_default());
    pv_fracture_def f = pv_fracture_def_default();
    f.connectivity = i ? PV_CONNECTIVITY_8 : PV_CONNECTIVITY_4;
    f.min_part_pixels = 1;
    ck_assert_int_eq(pv_body_set_fracture(w, b, &f), PV_OK);
    /* after this, only a corner holds the lower part */
    ck_assert_int_eq(cut_out(w, b, local_box(6, 3, 7, 4)).body_count, i ? 1 : 2);
}

static bool has_pixel(pv_body_id b, int x, int y) {
    return pv_mask_get_pixel(pv_body_get_mask(w, b), x, y);
}

START_TEST(of_equal_parts_the_first_stays) {
    pv_body_id b = put_bar(PV_BODY_DYNAMIC);
    ck_assert_int_eq(cut_out(w, b, down_at(29)).body_count, 2);
    ck_assert(has_pixel(b, 0, 0) && !has_pixel(b, 59, 0));
    ck_assert_int_eq(cut_out(w, b, local_box(-1, 4, 60, 6)).body_count, 2);
    ck_assert(has_pixel(b, 0, 0) && !has_pixel(b, 0, 9));
}

START_TEST(islands_that_nothing_is_taken_from_stay) {
    pv_mask *mask = box_mask(80, 40);
    pv_mask_fill_rect(mask, (pv_rect){0, 20, 80, 6}, false);
    pv_body_id b = put(w, mask, 100, 100, of_type(PV_BODY_STATIC));
    ck_assert_int_eq(cut_out(w, b, pv_cut_circle((pv_vec2){100, 120}, 5)).body_count, 1);
    /* Both islands have lost pixels now. */
    ck_assert_int_eq(cut_out(w, b, pv_cut_circle((pv_vec2){70, 103}, 6)).body_count, 1);
    /* both islands are cut in two, and the larger part of each stays */
    ck_assert_int_eq(cut_out(w, b, down_at(30)).body_count, 3);
    ck_assert(has_pixel(b, 60, 5) && has_pixel(b, 60, 35));
    ck_assert(!has_pixel(b, 5, 5) && !has_pixel(b, 5, 35));
}

/// Adds a static body, whose parts stay static if told so.
static pv_body_id put_breaking(pv_mask *mask, double x, double y, bool stays) {
    pv_body_id b = put(w, mask, x, y, WITH(of_type(PV_BODY_STATIC), it.density = 3));
    pv_fracture_def f = WITH(pv_fracture_def_default(), it.keep_static = stays);
    ck_assert_int_eq(pv_body_set_fracture(w, b, &f), PV_OK);
    return b;
}

START_TEST_FOR(parts_of_what_is_static_fall_or_stay, stays, 2) {
    w = mode_world(PV_CONTACT_MODE_CONTOURS, 320, NULL);
    pv_body_id b = put_breaking(box_mask(60, 10), 100, 100, stays);
    ck_assert_int_eq(cut_out(w, b, down_at(40)).body_count, 2);
    pv_body_id child = last_body(w);
    ck_assert_int_eq(pv_body_get_type(w, child), stays ? PV_BODY_STATIC : PV_BODY_DYNAMIC);
    ck_assert_int_eq(pv_body_get_type(w, b), PV_BODY_STATIC);
    ck_assert(fracture_of(w, child).keep_static == (bool)stays);
    ck_assert_double_eq(pv_body_get_mass(w, child), 3 * 180);
    steps_well(w, 30);
    double fell = pv_body_get_position(w, child).y - 100; /* half a second of free fall */
    ck_assert_double_eq_tol(fell, stays ? 0 : 0.5 * 320 * 0.25, 1e-6);
    ck_assert_double_eq(pv_body_get_position(w, b).y, 100);
}

/// Returns the number of solid pixels of all bodies, all of which are static.
static int64_t solid_ground(void) {
    int64_t sum = 0;
    for (pv_body_id b = {0}; (b = pv_world_get_next_body(w, b)).index;) {
        ck_assert_int_eq(pv_body_get_type(w, b), PV_BODY_STATIC);
        sum += solid_pixels_of(w, b);
    }
    return sum;
}

/// Returns a round cut or a stroke through a box of 400 x 96 px.
static pv_cut dig_somewhere(uint64_t *seed) {
    double x = 400 * next_unit(seed), y = 96 * next_unit(seed);
    if (next_random(seed) & 1) return pv_cut_circle(PV_VEC2(x, y), 4 + 12 * next_unit(seed));
    return pv_cut_line(PV_VEC2(x, -5), PV_VEC2(400 * next_unit(seed), 101), 3);
}

START_TEST(terrain_that_is_dug_through_stays) {
    uint64_t seed = 44;
    int most = 0;
    for (int i = 0; i < 40; i++) {
        w = mode_world(i % 2, 320, NULL);
        pv_body_id hill = put_static(w, 400, 96, 200, 48);
        for (int k = 0; k < 10; k++) {
            int64_t before = solid_ground();
            pv_cut cut = dig_somewhere(&seed);
            pv_carve_result carved;
            if (i & 2 || !pv_body_is_valid(w, hill))
                pv_world_carve(w, &cut, NULL, &carved);
            else
                carved = cut_out(w, hill, cut);
            ck_assert_int_eq(solid_ground(), before - carved.pixel_count - carved.debris_pixels);
            ck_assert_int_lt(carved.debris_pixels, 12 * 40);
            step_well(w, H);
        }
        int parts = pv_world_get_stats(w).bodies;
        most = parts > most ? parts : most;
        for (pv_body_id b = {0}; (b = pv_world_get_next_body(w, b)).index;) {
            pv_vec2 at = pv_body_to_world(w, b, PV_VEC2(0, 0));
            ck_assert_near(at, PV_VEC2(round(at.x), round(at.y)), 1e-9);
        }
        close_world(w);
    }
    ck_assert_int_gt(most, 5);
}

START_TEST(when_all_are_crumbs_nothing_is_left) {
    pv_body_id b = put_dynamic(w, 10, 2, 100, 100);
    pv_carve_result carved = cut_out(w, b, down_at(4));
    ck_assert(carved.body_count == 0 && carved.pixel_count == 4 && carved.debris_pixels == 16);
    ck_assert(!pv_body_is_valid(w, b));
    pv_world_step(w, H);
    ck_assert_int_eq(pv_world_get_events(w).dirty_rect_count, 0);
    b = put_dynamic(w, 10, 2, 100, 100);
    for (int x = 0; x <= 4; x += 2) { /* 12 pixels are enough, 8 are not */
        carved = cut_out(w, b, down_at(x));
        ck_assert(carved.body_count == (x < 4) && carved.debris_pixels == (x < 4 ? 0 : 8));
        if (x == 2) ck_assert_int_eq(solid_pixels_of(w, b), 12);
    }
}

static pv_joint_id pin_as(pv_body_id b, pv_vec2 at, bool keeps) {
    pv_joint_id c =
        CREATE(joint, w, it.keep_when_carved = keeps, it.user_data = &tags[3],
               it.type = PV_JOINT_PIN, it.a = pv_anchor_world(at), it.b = pv_anchor_body(b, at));
    ck_assert(pv_joint_is_valid(w, c));
    return c;
}

static pv_joint_id pin(pv_body_id b, pv_vec2 at) { return pin_as(b, at, false); }

/// Tells whether a joint holds a body at a place.
static bool holds(pv_joint_id c, pv_body_id b, pv_vec2 at) {
    pv_anchor anchors[2];
    ck_assert_int_eq(pv_joint_get_anchors(w, c, anchors), PV_OK);
    return PV_ID_EQUALS(anchors[1].body, b) && vec_distance(anchors[1].point, at) < 1e-9;
}

START_TEST_FOR(constraints_stay_with_the_pixels_that_they_hold, scaled, 2) {
    w = mode_world(PV_CONTACT_MODE_CONTOURS, 320, NULL);
    pv_body_id b = put(w, box_mask(60, 10), 100, 100,
                       WITH(pv_body_def_default(), it.scale.x = scaled ? -1 : 1));
    pv_vec2 left = {72, 100}, right = {128, 98}, cut_away = {112, 100}, far = {300, 100};
    pv_joint_id held[] = {pin(b, left), pin(b, right), pin_as(b, cut_away, true), pin(b, far)};
    cut_out(w, b, pv_cut_box((pv_vec2){109, 0}, (pv_vec2){113, 200}));
    pv_body_id child = last_body(w);
    ck_assert(!PV_ID_EQUALS(child, b));
    ck_assert(holds(held[0], b, left) && holds(held[1], child, right));
    ck_assert(holds(held[2], child, cut_away) && holds(held[3], b, far));
    size_t size; /* wrong lists of joints would be refused */
    void *snapshot = snapshot_till_end(w, PV_SNAPSHOT_PIXELS, &size);
    ck_assert_int_eq(pv_world_restore(w, snapshot, size), PV_OK);
    for (int i = 0; i < 4; i++) ck_assert_int_eq(pv_joint_destroy(w, held[i]), PV_OK);
    pv_joint_id again = pin(child, (pv_vec2){120, 100});
    ck_assert_int_eq(pv_body_destroy(w, child), PV_OK);
    ck_assert(!pv_joint_is_valid(w, again));
}

/// Tells whether the last step reported so many broken joints, among them one at a place.
static bool told_of(const pv_world *world, int count, pv_joint_id c, pv_vec2 at) {
    pv_events e = pv_world_get_events(world);
    for (int i = 0; e.joint_break_count == count && i < count; i++) {
        const pv_joint_break_event *b = &e.joint_breaks[i];
        bool same = b->joint.index == c.index && b->joint.generation == c.generation;
        if (same && b->carved && b->force == 0 && b->user_data == &tags[3] &&
            vec_distance(b->point, at) < 1e-9)
            return true;
    }
    return false;
}

START_TEST_FOR(a_joint_whose_pixels_are_carved_away_is_let_go, how, 8) {
    w = mode_world(how & 1, 0, NULL);
    pv_body_def def = pv_body_def_default();
    def.scale = how & 2 ? (pv_vec2){-2, 2} : (pv_vec2){1, 1};
    if (how & 4) def.collider = PV_COLLIDER_BOX;
    double size = def.scale.y, x = 100 + 10.5 * size;
    pv_body_id b = put(w, box_mask(60, 12), 100, 100, def);
    pv_vec2 lost = {x, 100 - 5.5 * size}, beside = {x + 2 * size, 100 - 5.5 * size},
            above = {x, 100 - 21.9 * size}, far = {x, 100 - 22.1 * size};
    pv_joint_id gone = pin(b, lost), kept = pin_as(b, lost, true), stays = pin(b, beside),
                off_it = pin(b, above), apart = pin(b, far);
    pv_cut cut = pv_cut_circle(lost, 0.6 * size);
    cut_out(w, b, cut);
    ck_assert(!pv_joint_is_valid(w, gone) && !pv_joint_is_valid(w, off_it));
    ck_assert(holds(kept, b, lost) && holds(stays, b, beside) && holds(apart, b, far));
    ck_assert_int_eq(pv_world_get_events(w).joint_break_count, 0);
    pv_world_step(w, H);
    ck_assert(told_of(w, 2, gone, lost) && told_of(w, 2, off_it, above));
    pv_world_step(w, H);
    ck_assert_int_eq(pv_world_get_events(w).joint_break_count, 0);
    cut.add = true; /* adding pixels releases no joint */
    cut_out(w, b, cut);
    ck_assert(pv_joint_is_valid(w, kept) && pv_joint_is_valid(w, stays));
}

START_TEST(ropes_and_sticks_let_go_of_crumbs_and_of_nothing) {
    for (int type = PV_JOINT_DISTANCE; type <= PV_JOINT_MOUSE; type++) {
        if (type == PV_JOINT_ANGLE_LIMIT || type == PV_JOINT_MOTOR) continue;
        w = mode_world(PV_CONTACT_MODE_CONTOURS, 320, NULL);
        pv_body_id b = put_dynamic(w, 60, 12, 100, 100);
        pv_joint_def def = WITH(pv_joint_def_default(), it.type = (pv_joint_type)type,
                                it.axis = (pv_vec2){0, 1}, it.user_data = &tags[3]);
        pv_anchor end = pv_anchor_body(b, (pv_vec2){128.5, 100.5}),
                  hook = pv_anchor_world((pv_vec2){128.5, 40.5});
        def.a = type == PV_JOINT_SLIDER ? hook : end;
        def.b = type == PV_JOINT_SLIDER ? end : hook;
        pv_joint_id crumb = pv_joint_create(w, &def, NULL);
        def.a.point.x = def.b.point.x = 80.5;
        pv_joint_id other = pv_joint_create(w, &def, NULL);
        def.keep_when_carved = true;
        pv_joint_id kept = pv_joint_create(w, &def, NULL);
        ck_assert(pv_joint_is_valid(w, crumb) && pv_joint_is_valid(w, other));
        pv_body_set_type(w, b, PV_BODY_STATIC);
        pv_fracture_def f = WITH(fracture_of(w, b), it.min_part_pixels = 60);
        pv_body_set_fracture(w, b, &f);
        pv_world_step(w, H);
        cut_out(w, b, pv_cut_box((pv_vec2){124, 0}, (pv_vec2){126, 200})); /* the end is debris */
        ck_assert(!pv_joint_is_valid(w, crumb) && pv_joint_is_valid(w, other));
        pv_world_step(w, H);
        ck_assert(told_of(w, 1, crumb, (pv_vec2){128.5, 70.5}));
        cut_out(w, b, pv_cut_box((pv_vec2){0, 0}, (pv_vec2){200, 200}));
        ck_assert(!pv_body_is_valid(w, b));
        ck_assert(!pv_joint_is_valid(w, other) && !pv_joint_is_valid(w, kept));
        pv_world_step(w, H);
        ck_assert(told_of(w, 2, other, (pv_vec2){80.5, 70.5}) &&
                  told_of(w, 2, kept, (pv_vec2){80.5, 70.5}));
    }
}

START_TEST(parts_keep_what_they_hold_when_nothing_else_is_left) {
    pv_mask *m = pv_mask_create(60, 40, NULL, NULL);
    pv_mask_fill_rect(m, (pv_rect){0, 0, 60, 1}, true); /* vanishes at a quarter of the scale */
    for (int x = 6; x < 60; x += 40) {
        pv_mask_fill_rect(m, (pv_rect){x, 1, 1, 3}, true);
        pv_mask_fill_rect(m, (pv_rect){x - 1, 4, 4, 4}, true);
    }
    pv_body_id b =
        put(w, m, 100, 100, WITH(pv_body_def_default(), it.scale = (pv_vec2){0.25, 0.25}));
    pv_transform t = pv_body_get_transform(w, b);
    const double below[] = {0, 4, 15.97};
    pv_joint_id held[6], lost = pin(b, pv_transform_to_world(&t, (pv_vec2){6.5, 2.5}));
    for (int i = 0; i < 6; i++) {
        pv_vec2 at = pv_transform_to_world(&t, (pv_vec2){i & 1 ? 46.5 : 6.5, 8 + below[i / 2]});
        held[i] = pin_as(b, at, true);
    }
    pv_carve_result carved = cut_out(w, b, local_box(0, 1, 60, 4));
    ck_assert(carved.body_count == 2 && !pv_body_is_valid(w, b) && !pv_joint_is_valid(w, lost));
    pv_world_step(w, H);
    for (int i = 0; i < 6; i++) {
        pv_anchor anchors[2];
        ck_assert_int_eq(pv_joint_get_anchors(w, held[i], anchors), PV_OK);
        bool right = pv_body_get_position(w, anchors[1].body).x > 100;
        ck_assert_msg(right == (i & 1), "%d", i);
    }
    ck_assert_int_eq(pv_world_get_events(w).joint_break_count, 1);
}

START_TEST(what_was_let_go_is_told_after_a_restore) {
    size_t size;
    pv_world *other = mode_world(PV_CONTACT_MODE_CONTOURS, 0, NULL), *third = w;
    pv_vec2 at = {110.5, 95.5};
    pv_body_id like = put_dynamic(w, 60, 12, 100, 100);
    for (int i = 0; i < 2; i++) pin(like, at);
    open_world();
    pv_body_id b = put_dynamic(w, 60, 12, 100, 100);
    pv_joint_id gone = pin(b, at), kept = pin_as(b, at, true);
    ck_assert_uint_ne(pv_world_compute_hash(w), pv_world_compute_hash(third));
    cut_out(w, b, pv_cut_circle(at, 0.6));
    for (int i = 0; i < 2; i++) {
        void *snapshot = snapshot_till_end(w, PV_SNAPSHOT_PIXELS, &size);
        ck_assert_int_eq(pv_world_restore(other, snapshot, size), PV_OK);
        ck_assert(i == 0 || told_of(other, 1, gone, at));
        pv_world_step(w, H);
        pv_world_step(other, H);
        ck_assert(i == 1 || (told_of(w, 1, gone, at) && told_of(other, 1, gone, at)));
        ck_assert_uint_eq(pv_world_compute_hash(w), pv_world_compute_hash(other));
    }
    cut_out(other, last_body(other), pv_cut_circle(at, 3)); /* kept when carved */
    ck_assert(pv_joint_is_valid(other, kept));
}

START_TEST(what_a_part_is_joined_to_it_does_not_meet) {
    pv_body_id b = put_bar(PV_BODY_DYNAMIC),
               wheel = put(w, disc_mask(12), 125, 100, pv_body_def_default());
    put_joint(w, PV_JOINT_PIN, pv_anchor_body(b, PV_VEC2(125, 100)),
              pv_anchor_body(wheel, PV_VEC2(125, 100)));
    pv_world_step(w, H);
    cut_out(w, b, down_at(30));
    pv_body_id child = last_body(w);
    pv_vec2 was = pv_body_get_position(w, child);
    steps_well(w, 30);
    ck_assert_int_eq(pv_world_compute_overlap_area(w), 0); /* counts only pairs that may touch */
    ck_assert_double_le(vec_distance(pv_body_get_position(w, child), was), 1e-3);
    ck_assert_double_le(vec_distance(pv_body_get_position(w, wheel), (pv_vec2){125, 100}), 1e-3);
}

START_TEST(a_bridge_falls_where_it_is_cut) {
    w = mode_world(PV_CONTACT_MODE_CONTOURS, 320, NULL);
    pv_body_id b = put_bar(PV_BODY_DYNAMIC);
    pin(b, (pv_vec2){71, 100});
    pin(b, (pv_vec2){129, 100});
    cut_out(w, b, down_at(38));
    pv_body_id child = last_body(w);
    steps_well(w, 240);
    pv_vec2 hangs = pv_body_get_position(w, b), swings = pv_body_get_position(w, child);
    ck_assert(vec_distance(hangs, (pv_vec2){71, 100}) < 18.6 &&
              vec_distance(swings, (pv_vec2){129, 100}) < 9.6);
}

START_TEST(what_a_sensor_loses_senses_as_well) {
    pv_body_id b =
        put(w, box_mask(60, 10), 100, 100, WITH(of_type(PV_BODY_STATIC), it.sensor = true));
    pv_body_id ball = put(w, disc_mask(4), 125, 100, pv_body_def_default());
    cut_out(w, b, down_at(38));
    pv_body_id child = last_body(w);
    ck_assert(!PV_ID_EQUALS(child, ball));
    pv_world_step(w, H);
    pv_events e = pv_world_get_events(w);
    ck_assert_int_eq(e.sensor_begin_count, 1);
    ck_assert(PV_ID_EQUALS(e.sensor_begins[0].sensor, child) &&
              PV_ID_EQUALS(e.sensor_begins[0].visitor, ball));
    ck_assert_int_eq(pv_body_destroy(w, child), PV_OK);
    pv_world_step(w, H);
}

START_TEST(dirt_is_told_once_a_body_in_order_of_slots) {
    pv_body_id first = put_bar(PV_BODY_DYNAMIC), second = put_dynamic(w, 30, 30, 300, 100);
    pv_body_id gone = put_dynamic(w, 30, 30, 400, 100);
    pv_cut hole = local_box(2, 2, 5, 4), other = local_box(20, 6, 22, 9);
    cut_out(w, second, hole);
    cut_out(w, gone, hole);
    cut_out(w, first, down_at(40));
    cut_out(w, second, other);
    hole.add = true;
    ck_assert_int_eq(cut_out(w, second, hole).pixel_count, 6);
    ck_assert_int_eq(pv_world_get_events(w).dirty_rect_count, 0);
    pv_body_destroy(w, gone);
    pv_world_step(w, H);
    pv_events e = pv_world_get_events(w);
    ck_assert_int_eq(e.dirty_rect_count, 3);
    const pv_body_id whose[] = {first, second, e.splits[0].child};
    const pv_rect rects[] = {{40, 0, 20, 10}, {2, 2, 20, 7}, {0, 0, 18, 10}};
    for (int i = 0; i < 3; i++) {
        ck_assert(PV_ID_EQUALS(e.dirty_rects[i].body, whose[i]));
        ck_assert_mem_eq(&e.dirty_rects[i].rect, &rects[i], sizeof *rects);
    }
    ck_assert(e.split_count == 1 && e.splits[0].x == 42 && e.splits[0].y == 0);
}

/* ---- strength ---- */

/// Sprite that falls on a static one until it hits, and that hit
typedef struct drop {
    pv_body_id falls, lies;
    pv_hit_event hit;
    int64_t before;
} drop;

static drop open_drop(int contacts, pv_mask *falls, pv_mask *lies) {
    w = mode_world(contacts, 320, NULL);
    drop d = {.before = pv_mask_count_pixels(falls)};
    d.falls = put(w, falls, 100, 0, pv_body_def_default());
    d.lies = put(w, lies, 100, 200, of_type(PV_BODY_STATIC));
    return d;
}

static double particle_mass(void) {
    motion_sums sums = {0};
    add_particle_sums(&sums, w);
    return sums.mass;
}

static void be_brittle(pv_body_id b, double toughness, pv_fracture_mode crack, bool crumbs_fly) {
    pv_fracture_def f = WITH(pv_fracture_def_default(), it.toughness = toughness, it.mode = crack,
                             it.spawn_debris = crumbs_fly);
    ck_assert_int_eq(pv_body_set_fracture(w, b, &f), PV_OK);
}

static void fall_until_it_hits(drop *d) {
    for (int i = 0; i < 200 && pv_world_get_events(w).hit_count == 0; i++) pv_world_step(w, H);
    ck_assert_int_eq(pv_world_get_events(w).hit_count, 1);
    d->hit = pv_world_get_events(w).hits[0];
}

/// Tells whether a mask is a full rectangle but for a disc around one of its pixels.
static bool lacks_disc(const pv_mask *mask, int wide, int high, double radius) {
    int64_t off = 1;
    for (int i = 0; i < wide * high && off > 0; i++) {
        scoped_mask *chipped = box_mask(wide, high);
        pv_mask_fill_circle(chipped, PV_VEC2(i % wide + 0.5, i / wide + 0.5), radius, false);
        pv_mask_combine(chipped, mask, 0, 0, PV_COMBINE_XOR);
        off = pv_mask_count_pixels(chipped);
    }
    return off == 0;
}

START_TEST_FOR(a_hard_hit_knocks_a_chip_out, kind, 2) {
    drop d = open_drop(kind, box_mask(24, 24), disc_mask(20));
    /* Toughness for a hit at about 320 px/s with a mass of 576 */
    const double tough = 12000;
    be_brittle(d.falls, tough, PV_FRACTURE_CHIP, true);
    pv_vec2 at = pv_body_get_position(w, d.falls);
    pv_joint_id rope = /* slack */
        CREATE(joint, w, it.type = PV_JOINT_ROPE, it.length = 1e4, it.b = pv_anchor_world(at),
               it.a = pv_anchor_body(d.falls, (pv_vec2){at.x + 0.5, at.y + 11.5}));
    fall_until_it_hits(&d);
    ck_assert_double_gt(d.hit.impulse, 2 * tough);
    ck_assert(!pv_joint_is_valid(w, rope));
    ck_assert(pv_world_get_events(w).joint_break_count == 1 &&
              pv_world_get_events(w).joint_breaks[0].carved);
    double radius = fmin(16, 2 * sqrt(d.hit.impulse / tough - 1));
    ck_assert(radius > 2.5 && lacks_disc(pv_body_get_mask(w, d.falls), 24, 24, radius));
    pv_events e = pv_world_get_events(w);
    ck_assert(e.dirty_rect_count == 1 && PV_ID_EQUALS(e.dirty_rects[0].body, d.falls) &&
              e.split_count == 0);
    ck_assert_double_eq_tol(pv_body_get_mass(w, d.falls) + particle_mass(), 576, 1e-9);
    ck_assert_double_lt(pv_body_get_mass(w, d.falls), 570);
}

START_TEST_FOR(a_hit_that_is_too_weak_breaks_nothing, kind, 2) {
    drop d = open_drop(kind, box_mask(24, 24), disc_mask(20));
    be_brittle(d.falls, 1e6, PV_FRACTURE_CRACK, true);
    fall_until_it_hits(&d);
    ck_assert_double_lt(d.hit.impulse, 1e6);
    ck_assert_int_eq(solid_pixels_of(w, d.falls), d.before);
    ck_assert_int_eq(pv_world_get_events(w).dirty_rect_count, 0);
}

START_TEST_FOR(a_beam_breaks_where_it_is_struck, kind, 2) {
    drop d = open_drop(kind, box_mask(90, 9), disc_mask(20));
    be_brittle(d.falls, 1000, PV_FRACTURE_CRACK, false);
    fall_until_it_hits(&d);
    pv_events e = pv_world_get_events(w);
    ck_assert_int_eq(e.split_count, 1);
    ck_assert(PV_ID_EQUALS(e.splits[0].parent, d.falls));
    int64_t kept = solid_pixels_of(w, d.falls), fell = solid_pixels_of(w, e.splits[0].child);
    ck_assert(kept > 810 / 2 - 50 && fell > 810 / 2 - 50 && kept + fell >= 810 - 27 &&
              kept + fell <= 810 - 9);
    ck_assert_int_eq(e.dirty_rect_count, 2);
    ck_assert_int_eq(fracture_of(w, e.splits[0].child).mode, PV_FRACTURE_CRACK);
    steps_well(w, 120);
}

START_TEST(what_is_thin_breaks_at_its_neck) {
    drop d = open_drop(PV_CONTACT_MODE_CONTOURS, box_mask(30, 30), box_mask(200, 60));
    pv_mask *bone = box_mask(200, 60);
    pv_mask_fill_rect(bone, (pv_rect){60, 8, 80, 52},
                      false); /* a beam 8 px thick between two pillars */
    ck_assert_int_eq(pv_body_set_mask(w, d.lies, bone, (pv_vec2){0, 0}), PV_OK);
    pv_mask_release(bone);
    be_brittle(d.lies, 1000, PV_FRACTURE_CRACK, false);
    fall_until_it_hits(&d);
    pv_events e = pv_world_get_events(w);
    ck_assert_int_eq(e.split_count, 1);
    ck_assert(PV_ID_EQUALS(e.splits[0].parent, d.lies));
    ck_assert_int_eq(pv_body_get_type(w, e.splits[0].child), PV_BODY_STATIC);
    ck_assert_int_eq(solid_pixels_of(w, d.falls), d.before);
}

START_TEST_FOR(terrain_that_is_struck_stays, kind, 2) {
    for (int mode = PV_FRACTURE_CHIP; mode <= PV_FRACTURE_CRACK; mode++) {
        drop d = open_drop(kind, disc_mask(12), box_mask(200, 9));
        be_brittle(d.lies, mode == PV_FRACTURE_CHIP ? 3000 : 1000, (pv_fracture_mode)mode, true);
        fall_until_it_hits(&d);
        ck_assert_int_eq(pv_world_get_events(w).split_count, 1);
        pv_body_destroy(w, d.falls);
        double debris = particle_mass(), gap = 1800 - debris - (double)solid_ground();
        /* A crack is 2 px wide and leaves no debris. */
        if (mode == PV_FRACTURE_CHIP) ck_assert_double_eq_tol(gap, 0, 1e-9);
        if (mode == PV_FRACTURE_CRACK) ck_assert(gap >= 9 && gap <= 27);
        ck_assert(debris > 0 || mode == PV_FRACTURE_CRACK);
    }
}

START_TEST(both_of_a_hit_may_break) {
    drop d = open_drop(PV_CONTACT_MODE_CONTOURS, box_mask(24, 24), disc_mask(20));
    int64_t lay = solid_pixels_of(w, d.lies);
    be_brittle(d.falls, 1000, PV_FRACTURE_CHIP, false);
    be_brittle(d.lies, 20000, PV_FRACTURE_CHIP, false);
    fall_until_it_hits(&d);
    int64_t from_falls = d.before - solid_pixels_of(w, d.falls),
            from_lies = lay - solid_pixels_of(w, d.lies);
    ck_assert(from_lies >= 5 && from_falls > 2 * from_lies);
    ck_assert_int_eq(pv_world_get_events(w).dirty_rect_count, 2);
}

/// Rains brittle sprites on each other, and returns the final hash.
static uint64_t rain(int contacts, uint64_t seed, int *splits) {
    scoped_purse counted = {0};
    w = mode_world(contacts, 320, &counted);
    double mass = 0;
    put_static(w, 700, 30, 0, 300);
    for (int i = 0; i < 28; i++) {
        pv_body_def def =
            WITH(pv_body_def_default(), it.angular_velocity = 8 * next_unit(&seed) - 4);
        pv_body_id b = put(w, random_sprite(&seed, PV_CONNECTIVITY_4), 110 * (i % 5) - 220,
                           200 - 110 * (i / 5), def);
        pv_fracture_def f = WITH(pv_fracture_def_default(), it.spawn_debris = true,
                                 it.toughness = 20 * pv_body_get_mass(w, b),
                                 it.mode = i % 2 ? PV_FRACTURE_CHIP : PV_FRACTURE_CRACK);
        pv_body_set_fracture(w, b, &f);
        mass += pv_body_get_mass(w, b);
    }
    for (int i = 0; i < 150; i++) {
        step_well(w, H);
        *splits += pv_world_get_events(w).split_count;
    }
    double is = particle_mass();
    pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0, 0});
    while ((b = pv_world_get_next_body(w, b)).index) {
        is += pv_body_get_mass(w, b);
        scoped_parts *parts = pv_parts_create(pv_body_get_mask(w, b), PV_CONNECTIVITY_4, NULL);
        ck_assert_int_eq(pv_parts_get_count(parts), 1);
    }
    /* cutting a neck removes pixels without debris */
    ck_assert(is < mass * (1 + 1e-9) && is > 0.8 * mass);
    uint64_t hash = pv_world_compute_hash(w);
    pv_world_destroy(w);
    return hash;
}

START_TEST_FOR(bodies_that_break_all_the_time_hang_together, kind, 2) {
    int splits = 0, again = 0, rains = (int)last_seed(4);
    uint64_t hash = rain(kind, 1, &splits);
    ck_assert_uint_eq(rain(kind, 1, &again), hash);
    ck_assert_int_eq(again, splits);
    for (int i = 2; i <= rains; i++) rain(kind, (uint64_t)i, &splits);
    ck_assert_int_gt(splits, 3 * rains);
}

/* ---- memory, snapshots, bad input ---- */

/// Adds a sprite that stroke() cuts into fragments and debris, pinned at two points.
static pv_body_id furnish(pv_mask *mask, double scale) {
    pv_mask_fill_rect(mask, (pv_rect){0, 0, 70, 10}, true);
    for (int i = 0; i < 14; i++)
        pv_mask_fill_rect(mask, (pv_rect){5 * i, 10, i % 3 ? 3 : 1, 8 + 2 * i}, true);
    pv_body_id b = put(w, mask, 100, 100, WITH(pv_body_def_default(), it.scale.x = scale));
    pv_fracture_def f = WITH(pv_fracture_def_default(), it.spawn_debris = true);
    pv_body_set_fracture(w, b, &f);
    pin(b, (pv_vec2){120, 108});
    pv_transform t = pv_body_get_transform(w, b);
    pin(b, pv_transform_to_world(&t, (pv_vec2){6.5, 11.5})); /* inside the stroke */
    return b;
}

static pv_cut stroke(void) { return local_box(0, 11, 70, 13); }

/// Tests masks shared or not, scaled or not, and pixels that are added or removed.
START_TEST_FOR(lack_of_memory_changes_nothing, kind, 16) {
    bool adds = kind & 2, is_shared = kind & 4;
    uint64_t end = 0;
    long refused = 0;
    for (bool done = false; !done;) {
        scoped_purse p = {0};
        pv_allocator from = {purse_alloc, &p};
        w = mode_world(kind & 1, 320, &p);
        pv_mask *mask = pv_mask_create(70, 40, &from, NULL);
        pv_body_id b = furnish(mask, kind & 8 ? -2 : 1);
        scoped_mask *was = pv_mask_copy(mask, NULL),
                    *kept = is_shared ? pv_mask_retain(mask) : NULL;
        pv_world_step(w, H);
        pv_joint_id last =
            pv_world_get_next_joint(w, pv_world_get_next_joint(w, (pv_joint_id){0, 0}));
        ck_assert(pv_joint_is_valid(w, last));
        uint64_t before = pv_world_compute_hash(w);
        pv_world_stats were = pv_world_get_stats(w);
        pv_cut cut = WITH(stroke(), it.add = adds);
        p.fail_at = p.calls + ++refused;
        pv_carve_result carved;
        pv_status s = pv_body_carve(w, b, &cut, &carved);
        done = p.calls < p.fail_at;
        p.fail_at = 0;
        bool copes = kind & 8 && s == PV_OK; /* without data kept for a scale */
        ck_assert(s == (done ? PV_OK : PV_ERROR_MEMORY) || copes);
        if (s != PV_OK) {
            pv_world_stats are = pv_world_get_stats(w);
            ck_assert_uint_eq(pv_world_compute_hash(w), before);
            ck_assert(are.bodies == were.bodies && are.particles == were.particles);
            check_same_masks(pv_body_get_mask(w, b), was);
            carved = cut_out(w, b, cut);
        }
        ck_assert(adds || (carved.body_count > 8 && carved.debris_particles > 0));
        ck_assert(pv_joint_is_valid(w, last) == adds);
        ck_assert_int_eq(pv_world_get_stats(w).bodies, carved.body_count);
        if (kept) check_same_masks(kept, was);
        steps_well(w, 10);
        if (end == 0) end = pv_world_compute_hash(w);
        ck_assert_uint_eq(pv_world_compute_hash(w), end);
        pv_world_destroy(w);
    }
    ck_assert_int_gt(refused, adds ? 1 : 20);
}

static void same_news(const pv_world *other) {
    pv_events e = pv_world_get_events(w), o = pv_world_get_events(other);
    ck_assert_int_eq(e.split_count, o.split_count);
    ck_assert_int_eq(e.dirty_rect_count, o.dirty_rect_count);
    for (int k = 0; k < e.split_count; k++)
        ck_assert_mem_eq(&e.splits[k], &o.splits[k], sizeof *e.splits);
    for (int k = 0; k < e.dirty_rect_count; k++)
        ck_assert_mem_eq(&e.dirty_rects[k], &o.dirty_rects[k], sizeof *e.dirty_rects);
}

START_TEST(snapshots_know_what_is_yet_to_be_told) {
    w = mode_world(PV_CONTACT_MODE_CONTOURS, 320, NULL);
    pv_world *stranger = mode_world(PV_CONTACT_MODE_CONTOURS, 0, NULL);
    pv_body_id b = furnish(pv_mask_create(70, 40, NULL, NULL), 1);
    pv_fracture_def f =
        WITH(fracture_of(w, b), it.toughness = 12.5, it.mode = PV_FRACTURE_CRACK,
             it.connectivity = PV_CONNECTIVITY_8, it.min_part_pixels = 3, it.keep_static = false);
    uint64_t plain = pv_world_compute_hash(w);
    pv_body_set_fracture(w, b, &f);
    ck_assert_uint_ne(pv_world_compute_hash(w), plain);
    cut_out(w, b, stroke());
    for (int i = 0; i < 3; i++) {
        size_t size;
        void *snapshot = snapshot_till_end(w, PV_SNAPSHOT_PIXELS, &size);
        if (i < 2) ck_assert_int_eq(pv_world_restore(stranger, snapshot, size), PV_OK);
        ck_assert_uint_eq(pv_world_compute_hash(w), pv_world_compute_hash(stranger));
        same_news(stranger);
        ck_assert_int_eq(pv_world_get_events(w).split_count > 2, i == 1);
        pv_world_step(w, H);
        pv_world_step(stranger, H);
        ck_assert_uint_eq(pv_world_compute_hash(w), pv_world_compute_hash(stranger));
        same_news(stranger);
    }
    pv_fracture_def g = fracture_of(stranger, last_body(stranger));
    ck_assert(g.toughness == 12.5 && g.mode == PV_FRACTURE_CRACK &&
              g.connectivity == PV_CONNECTIVITY_8);
    ck_assert(g.min_part_pixels == 3 && g.spawn_debris && !g.keep_static);
}

START_TEST(bad_fractures_are_refused) {
    pv_body_id b = put_bar(PV_BODY_DYNAMIC);
    pv_fracture_def none = pv_fracture_def_default(), soft = none;
    none.min_part_pixels = 0;
    soft.toughness = -1;
    ALL_TOLD(PV_ERROR_ARGUMENT, pv_body_set_fracture(w, b, &none),
             pv_body_set_fracture(w, b, &soft));
}

START_TEST(what_has_no_pixel_left_at_its_scale_is_a_crumb) {
    pv_body_def def = pv_body_def_default();
    pv_fracture_def fracture = WITH(pv_fracture_def_default(), it.spawn_debris = true);
    def.scale = (pv_vec2){.1, .1};
    def.velocity = (pv_vec2){30, 40};
    pv_body_id body = put(w, box_mask(60, 60), 0, 0, def);
    double pixel = pv_body_get_mass(w, body) / 36;
    ck_assert_int_eq(pv_body_set_fracture(w, body, &fracture), PV_OK);
    pv_cut cut = pv_cut_polygon((pv_vec2[]){{4, 0}, {60, 0}, {60, 60}, {0, 60}, {0, 4}, {4, 4}}, 6);
    cut.local = true;
    pv_carve_result carved = cut_out(w, body, cut);
    ck_assert(!pv_body_is_valid(w, body) && carved.body_count == 0);
    ck_assert(carved.pixel_count == 3584 && carved.debris_pixels == 16 &&
              carved.debris_particles == 1);
    pv_particle_id crumb = pv_world_get_next_particle(w, (pv_particle_id){0});
    ck_assert_double_eq_tol(pv_particle_get_mass(w, crumb), .16 * pixel, 1e-12);
    ck_assert_near(pv_particle_get_velocity(w, crumb), def.velocity, 1e-9);
    ck_assert_double_eq_tol(pv_particle_get_position(w, crumb).x, -2.8, 1e-9);
}

RUN_TESTS_IN("split", open_world, give_back, 1)
