/* test_contour.c - contours, distance fields, and the bodies that rest, slide, roll and bounce on them.
 *
 * Invariant: expected values are those of drawn shapes and formulae of mechanics, never the library's own output.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "support.h"

#include "pv_geom.h"

/* ---- geometry ---- */

START_TEST(a_box_keeps_its_corners) {
    pv_mask *m = box_mask(30, 12);
    const pv__shape *s = pv__mask_shape(m);
    int corners = 0;
    ck_assert_int_eq(s->side_count, 4);
    for (int i = 0; i < s->count; i++) {
        pv_vec2 at = s->vertices[i].at;
        double off = fmin(fmin(at.x, 30 - at.x), fmin(at.y, 12 - at.y));
        ck_assert_double_eq_tol(off, 0, 1e-9);
        if (!s->vertices[i].sharp) continue;
        ck_assert(fmin(at.x, 30 - at.x) < 1e-9 && fmin(at.y, 12 - at.y) < 1e-9);
        corners++;
    }
    ck_assert_int_eq(corners, 4);
    pv_mask_release(m);
}
END_TEST

START_TEST(a_disc_is_round) {
    for (int r = 8; r <= 40; r += 4) {
        pv_mask *m = disc_mask(r);
        const pv__shape *s = pv__mask_shape(m);
        double first = hypot(s->vertices[0].at.x - r, s->vertices[0].at.y - r);
        ck_assert_double_eq_tol(first, r, 0.15);
        for (int i = 0; i < s->count; i++) {
            const pv__vertex *v = &s->vertices[i];
            ck_assert_double_eq_tol(hypot(v->at.x - r, v->at.y - r), first, 1e-6);
            ck_assert_double_eq_tol(v->curvature, 1 / first, 1e-9);
            ck_assert_double_eq_tol(v->normal.x * first + r, v->at.x, 1e-6);
        }
        pv_mask_release(m);
    }
}
END_TEST

/// A convex polygon of n corners on a circle, by pixel centres.
static pv_mask *polygon_mask(int size, int n, double turn, pv_vec2 corners[]) {
    pv_mask *m = pv_mask_create(size, size, NULL, NULL);
    for (int i = 0; i < n; i++) {
        double a = turn + 2 * M_PI * i / n;
        corners[i] = (pv_vec2){size / 2.0 + 0.46 * size * cos(a), size / 2.0 + 0.46 * size * sin(a)};
    }
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            bool in = true;
            for (int i = 0; i < n; i++) {
                pv_vec2 p = corners[i], q = corners[(i + 1) % n];
                in &= (q.x - p.x) * (y + 0.5 - p.y) - (q.y - p.y) * (x + 0.5 - p.x) > 0;
            }
            if (in) pv_mask_set(m, x, y, true);
        }
    return m;
}

START_TEST(drawn_polygons_come_back_as_they_were_drawn) {
    for (int n = 3; n <= 6; n++)
        for (int k = 0; k < 8; k++) {
            pv_vec2 corners[6];
            pv_mask *m = polygon_mask(72, n, 0.11 + k * 0.17, corners);
            const pv__shape *s = pv__mask_shape(m);
            for (int i = 0; i < s->count; i++) { /* no vertex is far from the drawn outline */
                double nearest = INFINITY;
                for (int j = 0; j < n; j++) {
                    pv_vec2 p = corners[j], q = corners[(j + 1) % n], at = s->vertices[i].at;
                    double l = hypot(q.x - p.x, q.y - p.y),
                           t = ((at.x - p.x) * (q.x - p.x) + (at.y - p.y) * (q.y - p.y)) / l;
                    double d = ((q.x - p.x) * (at.y - p.y) - (q.y - p.y) * (at.x - p.x)) / l;
                    if (t > -1.5 && t < l + 1.5) nearest = fmin(nearest, fabs(d));
                }
                ck_assert_msg(nearest < 0.6, "%d corners, turn %d: vertex %g px off", n, k, nearest);
            }
            pv_mask_release(m);
        }
}
END_TEST

START_TEST(the_field_is_the_distance) {
    pv_mask *box = box_mask(40, 24), *disc = disc_mask(16);
    const pv__shape *b = pv__mask_shape(box), *d = pv__mask_shape(disc);
    uint64_t seed = 3;
    double radius = hypot(d->vertices[0].at.x - 16, d->vertices[0].at.y - 16);
    for (int i = 0; i < 4000; i++) {
        pv_vec2 p = {-3 + 46 * next_unit(&seed), -3 + 30 * next_unit(&seed)}, g;
        double ox = fmax(-p.x, p.x - 40), oy = fmax(-p.y, p.y - 24);
        double expected = ox > 0 || oy > 0 ? hypot(fmax(ox, 0), fmax(oy, 0)) : fmax(ox, oy);
        if (fabs(expected) < 7.5) ck_assert_double_eq_tol(pv__field_at(b, p, NULL), expected, 0.12);
        p = (pv_vec2){-3 + 38 * next_unit(&seed), -3 + 38 * next_unit(&seed)};
        double from = hypot(p.x - 16, p.y - 16) - radius;
        if (fabs(from) > 7) continue;
        ck_assert_double_eq_tol(pv__field_at(d, p, &g), from, 0.06);
        ck_assert_double_gt((g.x * (p.x - 16) + g.y * (p.y - 16)) / (hypot(g.x, g.y) * (from + radius)), 0.98);
    }
    pv_mask_release(box);
    pv_mask_release(disc);
}
END_TEST

START_TEST(holes_and_parts_have_contours_of_their_own) {
    pv_mask *m = box_mask(60, 40);
    pv_mask_fill(m, (pv_rect){10, 10, 20, 20}, false);
    pv_mask_fill(m, (pv_rect){40, 0, 6, 40}, false);
    const pv__shape *s = pv__mask_shape(m);
    ck_assert_int_eq(s->side_count, 12);
    ck_assert_double_eq_tol(pv__field_at(s, (pv_vec2){20, 20}, NULL), 8, 0.1); /* the reach of the field */
    ck_assert_double_eq_tol(pv__field_at(s, (pv_vec2){5, 20}, NULL), -5, 0.1);
    ck_assert_double_eq_tol(pv__field_at(s, (pv_vec2){43, 20}, NULL), 3, 0.1);
    ck_assert_int_eq(pv_mask_fill(m, (pv_rect){0, 0, 7, 7}, false),
                     PV_OK); /* an edit: the shape is made anew */
    ck_assert_int_eq(pv__mask_shape(m)->side_count, 14);
    ck_assert_double_eq_tol(pv__field_at(pv__mask_shape(m), (pv_vec2){3, 5}, NULL), 2, 0.1);
    pv_mask_release(m);
}
END_TEST

/* ---- bodies ---- */

static pv_world *world_of(double gx, double gy) {
    pv_world_def def = pv_world_def_default();
    def.contacts = PV_CONTACTS_CONTOUR;
    def.gravity = (pv_vec2){gx, gy};
    def.sleeping = false;
    pv_world *w = pv_world_create(&def, NULL);
    ck_assert_ptr_nonnull(w);
    return w;
}

static void run(pv_world *w, double seconds) {
    for (int i = 0; i < (int)(seconds * 60 + 0.5); i++) ck_assert_uint_eq(pv_world_step(w, 1.0 / 60), 0);
}

static pv_body_def stuff(double restitution, double static_friction, double kinetic_friction) {
    pv_body_def def = pv_body_def_default();
    def.restitution = restitution;
    def.static_friction = static_friction;
    def.kinetic_friction = kinetic_friction;
    return def;
}

static void put_floor(pv_world *w, int width, pv_body_def def) {
    def.type = PV_BODY_STATIC;
    put(w, box_mask(width, 20), 0, 10, def);
}

/// How high over its touching place one box rests.
static double rest_gap(void) {
    pv_world *w = world_of(0, 320);
    put_floor(w, 200, stuff(0, 0.6, 0.6));
    pv_body b = put(w, box_mask(32, 32), 0, -16, stuff(0, 0.6, 0.6));
    run(w, 2);
    double gap = -16 - pv_body_position(w, b).y;
    pv_world_destroy(w);
    return gap;
}

START_TEST(stacks_stand) {
    double gap = rest_gap();
    const struct {
        int boxes;
        double loss;
    } cases[] = {{10, 0.05}, {20, 0.1}, {30, 0.2}};
    ck_assert_double_eq_tol(gap, 0, 0.01);
    for (int k = 0; k < 3; k++) {
        pv_world *w = world_of(0, 320);
        pv_body top = {0, 0};
        put_floor(w, 200, stuff(0, 0.6, 0.6));
        for (int i = 0; i < cases[k].boxes; i++)
            top = put(w, box_mask(32, 32), 0, -16 - gap - (32 + gap) * i, stuff(0, 0.6, 0.6));
        run(w, 10);
        double place = -16 - gap - (32 + gap) * (cases[k].boxes - 1);
        ck_assert_double_eq_tol(pv_body_position(w, top).y, place, cases[k].loss);
        ck_assert_double_eq_tol(pv_body_position(w, top).x, 0, 0.01);
        ck_assert_int_eq(pv_world_overlap_area(w), 0);
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(a_pyramid_stands) {
    double gap = rest_gap(), worst = 0;
    pv_body body[55];
    pv_vec2 place[55];
    pv_world *w = world_of(0, 320);
    put_floor(w, 800, stuff(0, 0.6, 0.6));
    int n = 0;
    for (int row = 0; row < 10; row++)
        for (int i = 0; i < 10 - row; i++, n++) {
            place[n] = (pv_vec2){(i - (9 - row) / 2.0) * 34, -16 - gap - (32 + gap) * row};
            body[n] = put(w, box_mask(32, 32), place[n].x, place[n].y, stuff(0, 0.6, 0.6));
        }
    run(w, 10);
    for (int i = 0; i < n; i++) {
        pv_vec2 p = pv_body_position(w, body[i]);
        worst = fmax(worst, hypot(p.x - place[i].x, p.y - place[i].y));
    }
    ck_assert_double_lt(worst, 0.1);
    pv_world_destroy(w);
}
END_TEST

START_TEST(heavy_things_stand_on_light_ones) {
    double gap = rest_gap();
    const double masses[] = {100, 400, 1000}, sinks[] = {0.6, 1.5, 1.5};
    for (int k = 0; k < 3; k++) {
        pv_world *w = world_of(0, 320);
        pv_body top = {0, 0};
        put_floor(w, 200, stuff(0, 0.6, 0.6));
        for (int i = 0; i < 5; i++) {
            pv_body_def def = stuff(0, 0.6, 0.6);
            def.mass = i < 4 ? 1 : masses[k];
            top = put(w, box_mask(32, 32), 0, -16 - gap - (32 + gap) * i, def);
        }
        run(w, 10);
        ck_assert_double_eq_tol(pv_body_position(w, top).y, -16 - gap - (32 + gap) * 4, sinks[k]);
        pv_world_destroy(w);
    }
}
END_TEST

/// How far a plank slides in 2 s where gravity leans by a slope.
static double slide(double tan, double static_friction, double kinetic_friction, double nudge) {
    double k = 320 / sqrt(1 + tan * tan);
    pv_world *w = world_of(k * tan, k);
    pv_body_def def = stuff(0, static_friction, kinetic_friction);
    put_floor(w, 3000, def);
    def.velocity = (pv_vec2){nudge, 0};
    pv_body b = put(w, box_mask(64, 32), -500, -16.002, def);
    run(w, 2);
    double way = pv_body_position(w, b).x + 500;
    pv_world_destroy(w);
    return way;
}

START_TEST(friction_holds_and_slides_as_the_formulae_say) {
    double k = 320 / sqrt(1.25);
    ck_assert_double_eq_tol(slide(0.5, 0.525, 0.525, 0), 0, 0.05);
    double way = 0.5 * k * (0.5 - 0.3) * 4;
    ck_assert_double_eq_tol(slide(0.5, 0.3, 0.3, 0), way, 0.005 * way);
    ck_assert_double_eq_tol(slide(0.5, 0.6, 0.3, 30), 60 + way, 0.01 * (60 + way));
}
END_TEST

START_TEST(discs_roll_without_loss) {
    pv_world *w = world_of(0, 320);
    pv_body_def def = stuff(0, 0.6, 0.6);
    put_floor(w, 4000, def);
    def.velocity = (pv_vec2){150, 0};
    def.spin = 150.0 / 16;
    pv_body b = put(w, disc_mask(16), -1000, -16.1, def);
    run(w, 1);
    double v = pv_body_velocity(w, b).x;
    ck_assert_double_eq_tol(v, 150, 1.5);
    run(w, 8);
    ck_assert_double_eq_tol(pv_body_velocity(w, b).x, v, 0.5 * 8 * 0.1);
    pv_world_destroy(w);
    /* down a slope: 2/3 of what slides without friction */
    w = world_of(320 * sin(0.2), 320 * cos(0.2));
    put_floor(w, 4000, stuff(0, 0.8, 0.8));
    b = put(w, disc_mask(16), -1500, -16.1, stuff(0, 0.8, 0.8));
    run(w, 0.5);
    double before = pv_body_velocity(w, b).x;
    run(w, 4);
    ck_assert_double_eq_tol((pv_body_velocity(w, b).x - before) / 4, 320 * sin(0.2) * 2 / 3,
                            0.006 * 320 * sin(0.2));
    pv_world_destroy(w);
}
END_TEST

START_TEST(drops_rebound_to_e_squared) {
    for (int round = 0; round < 2; round++)
        for (int i = 0; i <= 5; i++) {
            double e = i / 5.0, top = -INFINITY;
            bool rising = false;
            pv_world *w = world_of(0, 320);
            put_floor(w, 300, stuff(e, 0.6, 0.6));
            pv_body b = put(w, round ? disc_mask(16) : box_mask(32, 32), 0, -216, stuff(e, 0.6, 0.6));
            for (int s = 0; s < 200; s++) {
                run(w, 1 / 60.0);
                double v = pv_body_velocity(w, b).y;
                rising |= v < -1;
                if (rising && v > 30) break;
                if (rising || s > 150) top = fmax(top, -16 - pv_body_position(w, b).y);
            }
            ck_assert_msg(fabs(top - e * e * 200) <= fmax(0.1, 0.005 * e * e * 200), "e %g: %g of %g", e, top,
                          e * e * 200);
            pv_world_destroy(w);
        }
}
END_TEST

START_TEST(collisions_keep_momentum) {
    uint64_t seed = 11;
    for (int k = 0; k < 40; k++) {
        pv_world *w = world_of(0, 0);
        pv_body_def def = stuff(next_unit(&seed), 0.5, 0.4);
        pv_body b[2];
        def.velocity = (pv_vec2){200, 40 * next_unit(&seed)};
        def.angle = 6 * next_unit(&seed);
        def.spin = 4 * next_unit(&seed) - 2;
        b[0] = put(w, box_mask(30, 20), 0, 20 * next_unit(&seed) - 10, def);
        def.velocity.x = -100;
        def.angle = 6 * next_unit(&seed);
        b[1] = put(w, k % 2 ? box_mask(18, 44) : disc_mask(14), 90, 0, def);
        double before[3] = {0}, after[3] = {0}, energy[2] = {0};
        for (int pass = 0; pass < 2; pass++) {
            double *sum = pass ? after : before;
            for (int i = 0; i < 2; i++) {
                pv_vec2 v = pv_body_velocity(w, b[i]), p = pv_body_position(w, b[i]);
                double m = pv_body_mass(w, b[i]), spin = pv_body_spin(w, b[i]),
                       inertia = pv_body_inertia(w, b[i]);
                sum[0] += m * v.x;
                sum[1] += m * v.y;
                sum[2] += m * (p.x * v.y - p.y * v.x) + inertia * spin;
                energy[pass] += 0.5 * m * (v.x * v.x + v.y * v.y) + 0.5 * inertia * spin * spin;
            }
            if (!pass) run(w, 1);
        }
        ck_assert_double_eq_tol(after[0], before[0], 1e-9 * 1e5);
        ck_assert_double_eq_tol(after[1], before[1], 1e-9 * 1e5);
        ck_assert_double_eq_tol(after[2], before[2], 1e-9 * 600 * 200 * 45);
        ck_assert_double_lt(energy[1], energy[0] * 1.001);
        pv_world_destroy(w);
    }
}
END_TEST

START_TEST(bullets_do_not_pass_walls) {
    for (int moving = 0; moving < 2; moving++)
        for (int thick = 1; thick <= 4; thick *= 2)
            for (int speed = 500; speed <= 32000; speed *= 4)
                for (int phase = 0; phase < 5; phase++) {
                    pv_world *w = world_of(0, 0);
                    pv_body_def def = stuff(0, 0, 0);
                    def.type = moving ? PV_BODY_DYNAMIC : PV_BODY_STATIC;
                    if (moving) def.mass = 1e6;
                    pv_body wall = put(w, box_mask(thick, 200), 300, 0, def);
                    def = stuff(0, 0, 0);
                    def.velocity = (pv_vec2){speed, 0};
                    pv_body b = put(w, disc_mask(4), phase / 5.0, 0.3, def);
                    run(w, 400.0 / speed + 0.2);
                    ck_assert_msg(pv_body_position(w, b).x < pv_body_position(w, wall).x,
                                  "%d px/s through %d px", speed, thick);
                    pv_world_destroy(w);
                }
}
END_TEST

START_TEST(what_begins_inside_each_other_comes_apart) {
    pv_world *w = world_of(0, 0);
    pv_body b[5];
    double fastest = 0;
    for (int i = 0; i < 5; i++) b[i] = put(w, disc_mask(10), 100 + 0.1 * i, 0.03 * i, stuff(0, 0.3, 0.3));
    for (int s = 0; s < 120; s++) {
        run(w, 1 / 60.0);
        for (int i = 0; i < 5; i++) {
            pv_vec2 v = pv_body_velocity(w, b[i]);
            fastest = fmax(fastest, hypot(v.x, v.y));
        }
    }
    ck_assert_int_le(pv_world_overlap_area(w), 4);
    ck_assert_double_lt(fastest, 200);
    pv_world_destroy(w);
}
END_TEST

START_TEST(contacts_lie_on_the_surfaces) {
    pv_world *w = world_of(0, 320);
    pv_body low = put(w, disc_mask(20), 0, 20, of_type(PV_BODY_STATIC));
    pv_body high = put(w, disc_mask(12), 0, -12.2, stuff(0, 0.6, 0.6));
    pv_contact c;
    run(w, 0.5);
    ck_assert_int_eq(pv_world_contacts(w, &c, 1), 1);
    ck_assert_uint_eq(c.a.index, low.index);
    ck_assert_uint_eq(c.b.index, high.index);
    ck_assert_double_eq_tol(c.point.y, 0, 0.2);
    ck_assert_double_eq_tol(c.normal.y, -1, 0.01);
    pv_world_destroy(w);
}
END_TEST

START_TEST(masks_shared_between_worlds_share_their_shape) {
    pv_mask *m = disc_mask(9);
    pv_world *a = world_of(0, 0), *b = world_of(0, 0);
    put(a, pv_mask_retain(m), 0, 0, pv_body_def_default());
    const pv__shape *s = pv__mask_shape(m);
    put(b, pv_mask_retain(m), 0, 0, pv_body_def_default());
    ck_assert_ptr_eq(pv__mask_shape(m), s);
    pv_world_destroy(a);
    pv_world_destroy(b);
    pv_mask_release(m);
}
END_TEST

RUN_SUITE("contour", a_box_keeps_its_corners, a_disc_is_round, drawn_polygons_come_back_as_they_were_drawn,
          the_field_is_the_distance, holes_and_parts_have_contours_of_their_own, stacks_stand, a_pyramid_stands,
          heavy_things_stand_on_light_ones, friction_holds_and_slides_as_the_formulae_say,
          discs_roll_without_loss, drops_rebound_to_e_squared, collisions_keep_momentum,
          bullets_do_not_pass_walls, what_begins_inside_each_other_comes_apart, contacts_lie_on_the_surfaces,
          masks_shared_between_worlds_share_their_shape)
