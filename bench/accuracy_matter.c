/* accuracy_matter.c - particles, joints and polygons against formulas.
 *
 * Invariant: expected values are computed here, without functions of the library.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static void must(pv_status status) {
    if (status == PV_OK) return;
    fprintf(stderr, "accuracy: %s\n", pv_status_to_string(status));
    exit(2);
}

static pv_particle_id put_particle(yard *y, double px, double py, pv_particle_def def) {
    pv_error error;
    def.position = yard_point(y, px, py);
    pv_particle_id p = pv_particle_create(y->world, &def, &error);
    must(error.status);
    return p;
}

static pv_joint_id join(yard *y, pv_joint_type type, pv_anchor a, pv_anchor b, double stiffness,
                        double damping) {
    pv_joint_def def = pv_joint_def_default();
    pv_error error;
    def.type = type;
    def.a = a;
    def.b = b;
    def.stiffness = stiffness;
    def.damping = damping;
    pv_joint_id c = pv_joint_create(y->world, &def, &error);
    must(error.status);
    return c;
}

/* ---- a chain of sprites ---- */

enum { LINKS = 40, SPACING = 12, CHAIN_SECONDS = 10 };

static double gap_of(const yard *y, pv_joint_id joint) {
    pv_anchor p[2] = {{.point = {0, 0}}, {.point = {0, 0}}};
    pv_joint_get_anchors(y->world, joint, p);
    return hypot(p[1].point.x - p[0].point.x, p[1].point.y - p[0].point.y);
}

/// Measures the widest hinge gap in a chain of 40 links, released level. The body at its end has
/// the mass of ratio links.
static void chain(const setting *how, double ratio, double *values) {
    yard y = yard_open(how, GRAVITY);
    pv_joint_id joints[LINKS + 1];
    pv_anchor last = pv_anchor_world(yard_point(&y, 0, 0));
    for (int i = 0; i <= LINKS; i++) {
        bool end = i == LINKS;
        stuff of = plain;
        if (end) of.mass = ratio * 10 * 4;
        double at = SPACING * i;
        pv_body_id link = yard_put(&y, PV_BODY_DYNAMIC, end ? mask_box(16, 16) : mask_box(10, 4),
                                   at + (end ? 8 : 6), 0, 0, of);
        joints[i] = join(&y, PV_JOINT_PIN, last, pv_anchor_body(link, yard_point(&y, at, 0)), 0, 0);
        last = pv_anchor_body(link, yard_point(&y, at + SPACING, 0));
    }
    values[0] = 0;
    for (int i = 0; i < CHAIN_SECONDS * HZ; i++) {
        yard_run(&y, 1.0 / HZ);
        for (int k = 0; k <= LINKS; k++) values[0] = fmax(values[0], gap_of(&y, joints[k]));
    }
    yard_close(&y);
}

/* ---- swinging and hanging ---- */

/// Returns a pendulum's period by Gauss: 2 pi sqrt(l / g) / agm(1, cos(a / 2)).
static double period_of(double length, double angle) {
    double a = 1, g = cos(angle / 2);
    for (int i = 0; i < 8; i++) {
        double mean = 0.5 * (a + g);
        g = sqrt(a * g);
        a = mean;
    }
    return 2 * pi * sqrt(length / GRAVITY) / a;
}

/// Measures the period of a particle on a stick of 100 px, and its loss of height in a minute. The
/// parameter is the angle from which it swings.
static void pendulum(const setting *how, double angle, double *values) {
    yard y = yard_open(how, GRAVITY);
    const double length = 100;
    pv_particle_id bob =
        put_particle(&y, length * sin(angle), length * cos(angle), pv_particle_def_default());
    join(&y, PV_JOINT_DISTANCE, pv_anchor_world(yard_point(&y, 0, 0)), pv_anchor_particle(bob), 0,
         0);
    double first = NAN, last = NAN, x = length * sin(angle), top = 0;
    int swings = 0;
    for (int i = 1; i <= 60 * HZ; i++) {
        yard_run(&y, 1.0 / HZ);
        pv_vec2 at = yard_seen(&y, pv_particle_get_position(y.world, bob));
        if (x < 0 && at.x >= 0) {
            last = ((double)i - at.x / (at.x - x)) / HZ;
            if (isnan(first)) first = last;
            swings++;
        }
        if (i > 56 * HZ) top = fmax(top, fabs(atan2(at.x, at.y)));
        x = at.x;
    }
    double period = (last - first) / (swings - 1);
    values[0] = 100 * fabs(period / period_of(length, angle) - 1);
    values[1] = 100 * fabs((1 - cos(top)) / (1 - cos(angle)) - 1);
    yard_close(&y);
}

/// Measures how far a damped spring stretches under a sprite at rest.
static void spring(const setting *how, double stiffness, double *values) {
    yard y = yard_open(how, GRAVITY);
    pv_body_id body = yard_put(&y, PV_BODY_DYNAMIC, mask_box(20, 12), 0, 100, 0, plain);
    pv_anchor hook = pv_anchor_world(yard_point(&y, 0, 0)),
              eye = pv_anchor_body(body, yard_point(&y, 0, 100));
    join(&y, PV_JOINT_DISTANCE, hook, eye, stiffness, 0.5 * sqrt(stiffness * 240));
    yard_run(&y, 20);
    double expected = 240 * GRAVITY / stiffness;
    values[0] = 100 * fabs((yard_place(&y, body).y - 100) / expected - 1);
    yard_close(&y);
}

/* ---- flight and bounce ---- */

/// Checks v_n = (1 - d)^n v_0 without gravity. The parameter is the drag [1/s].
static void drag(const setting *how, double drag, double *values) {
    yard y = yard_open(how, 0);
    pv_particle_def def = pv_particle_def_default();
    def.linear_damping = drag;
    def.velocity = yard_direction(&y, 300, 0);
    pv_particle_id p = put_particle(&y, 0, 0, def);
    yard_run(&y, 2);
    pv_vec2 v = pv_particle_get_velocity(y.world, p);
    double expected = 300 * pow(1 - drag / (HZ * 16), 2 * HZ * 16);
    values[0] = 100 * fabs(hypot(v.x, v.y) / expected - 1);
    yard_close(&y);
}

/// Drops a particle of radius 1 by 200 px onto a sprite. Measures the error of its rebound against
/// e^2 h. The parameter is the kind of bounce.
static void rebound(const setting *how, double way, double *values) {
    values[0] = 0;
    for (double e = 0.25; e <= 1; e += 0.25) {
        yard y = yard_open(how, GRAVITY);
        stuff of = plain;
        of.restitution = e;
        yard_put(&y, PV_BODY_STATIC, mask_box(200, 20), 0, 211, 0, of);
        pv_particle_def def = pv_particle_def_default();
        def.restitution = e; /* the world takes the mean of both */
        def.bounce = (pv_bounce)way;
        pv_particle_id p = put_particle(&y, 0, 0, def);
        double fall = sqrt(2 * 200 / GRAVITY), highest = 200;
        yard_run(&y, fall + 0.1);
        for (int i = 0; i < (int)(1.2 * fall * HZ); i++) {
            yard_run(&y, 1.0 / HZ);
            highest = fmin(highest, yard_seen(&y, pv_particle_get_position(y.world, p)).y);
        }
        values[0] = fmax(values[0], fabs(200 - highest - e * e * 200));
        yard_close(&y);
    }
}

/* ---- what hits conserve ---- */

typedef struct momentum {
    double x, y, turning;
} momentum;

static void add_moving(momentum *m, double mass, pv_vec2 at, pv_vec2 v) {
    m->x += mass * v.x;
    m->y += mass * v.y;
    m->turning += mass * (at.x * v.y - at.y * v.x);
}

static momentum momentum_of(const pv_world *w) {
    momentum m = {0, 0, 0};
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0}); pv_body_is_valid(w, b);
         b = pv_world_get_next_body(w, b)) {
        add_moving(&m, pv_body_get_mass(w, b), pv_body_get_position(w, b),
                   pv_body_get_velocity(w, b));
        m.turning += pv_body_get_inertia(w, b) * pv_body_get_angular_velocity(w, b);
    }
    pv_particle_id p = pv_world_get_next_particle(w, (pv_particle_id){0});
    for (; pv_particle_is_valid(w, p); p = pv_world_get_next_particle(w, p))
        add_moving(&m, pv_particle_get_mass(w, p), pv_particle_get_position(w, p),
                   pv_particle_get_velocity(w, p));
    return m;
}

/// Kinds of projectiles. Each flies at a rotating sprite, and the figure is the greatest relative
/// change of momentum.
enum { A_PARTICLE, A_POLYGON, A_CLOTH };

static double mass_of_particles(const pv_world *w) {
    double sum = 0;
    pv_particle_id p = pv_world_get_next_particle(w, (pv_particle_id){0});
    for (; pv_particle_is_valid(w, p); p = pv_world_get_next_particle(w, p))
        sum += pv_particle_get_mass(w, p);
    return sum;
}

static void throw_particles(yard *y, double vx, double vy) {
    pv_particle_id p = pv_world_get_next_particle(y->world, (pv_particle_id){0});
    for (; pv_particle_is_valid(y->world, p); p = pv_world_get_next_particle(y->world, p))
        must(pv_particle_set_velocity(y->world, p, yard_direction(y, vx, vy)));
}

static void make_missile(yard *y, int what, double px, double py) {
    pv_error error = {0};
    if (what == A_PARTICLE) {
        pv_particle_def def = pv_particle_def_default();
        def.mass = 40;
        def.radius = yard_uniform(y, 0, 4);
        def.restitution = yard_uniform(y, 0, 1);
        put_particle(y, px, py, def);
    } else if (what == A_POLYGON) {
        pv_polygon_def def = pv_polygon_def_default();
        pv_vec2 points[5];
        for (int i = 0; i < 5; i++)
            points[i] = yard_point(y, px + 14 * cos(2 * pi * i / 5 + 0.3),
                                   py + 14 * sin(2 * pi * i / 5 + 0.3));
        def.points = points;
        def.point_count = 5;
        pv_polygon_create(y->world, &def, &error);
    } else {
        pv_cloth_def def = pv_cloth_def_default();
        def.columns = def.rows = 8;
        def.spacing = 5;
        def.pin_every = 0;
        def.linear_damping = 0;
        def.top_left = yard_point(y, px, py);
        pv_cloth_create(y->world, &def, &error);
    }
    must(error.status);
}

static void hits(const setting *how, double what, double *values) {
    values[0] = values[1] = 0;
    for (int i = 0; i < (how->quick ? 3 : 20); i++) {
        yard y = yard_open(how, 0);
        stuff of = {0.5, 0.4, 0.3, 0, 0};
        pv_body_id body = yard_put(&y, PV_BODY_DYNAMIC, i % 2 ? mask_star(40) : mask_box(30, 18), 0,
                                   0, yard_uniform(&y, 0, 6), of);
        must(yard_push(&y, body, yard_uniform(&y, -40, 40), yard_uniform(&y, -40, 40),
                       yard_uniform(&y, -4, 4)));
        for (int k = 0; k < i; k++) yard_uniform(&y, 0, 1);
        double speed = yard_uniform(&y, 100, 1500);
        make_missile(&y, (int)what, -70, yard_uniform(&y, -10, 10));
        throw_particles(&y, speed, yard_uniform(&y, -50, 50));
        momentum before = momentum_of(y.world);
        yard_run(&y, 1.5);
        momentum after = momentum_of(y.world);
        double flies = mass_of_particles(y.world) * speed;
        values[0] = fmax(values[0], hypot(after.x - before.x, after.y - before.y) / flies);
        values[1] = fmax(values[1], fabs(after.turning - before.turning) / (flies * 70));
        yard_close(&y);
    }
}

/* ---- polygons ---- */

static pv_body_id put_square(yard *y, double px, double py, double half, pv_polygon_def def) {
    pv_vec2 points[4] = {yard_point(y, px - half, py - half), yard_point(y, px + half, py - half),
                         yard_point(y, px + half, py + half), yard_point(y, px - half, py + half)};
    pv_error error;
    def.points = points;
    def.point_count = 4;
    pv_body_id p = pv_polygon_create(y->world, &def, &error);
    must(error.status);
    return p;
}

/// Measures how far a square creeps along a sprite's flat floor in a minute.
static void creep(const setting *how, double unused, double *values) {
    (void)unused;
    yard y = yard_open(how, GRAVITY);
    yard_put(&y, PV_BODY_STATIC, mask_box(400, 40), 0, 20, 0, plain);
    pv_body_id box = put_square(&y, 0, -16.5, 16, pv_polygon_def_default());
    yard_run(&y, 1);
    pv_vec2 before = yard_seen(&y, pv_body_get_position(y.world, box));
    yard_run(&y, how->quick ? 5 : 60);
    pv_vec2 after = yard_seen(&y, pv_body_get_position(y.world, box));
    values[0] = hypot(after.x - before.x, after.y - before.y);
    yard_close(&y);
}

/// Measures how much of its 10 rad/s a free square loses in 10 s.
static void polygon_spin(const setting *how, double unused, double *values) {
    (void)unused;
    yard y = yard_open(how, 0);
    pv_polygon_def def = pv_polygon_def_default();
    def.angular_velocity = 10;
    pv_body_id box = put_square(&y, 0, 0, 16, def);
    yard_run(&y, 10);
    values[0] = 100 * fabs(pv_body_get_angular_velocity(y.world, box) / 10 - 1);
    yard_close(&y);
}

/// Measures how far a box slides in 2 s on a slope of 0.5 that almost holds it. The parameter is
/// the friction.
static void polygon_slide(const setting *how, double friction, double *values) {
    setting slope = *how;
    slope.turn = 0;
    slope.sleeping = true;
    yard y = yard_open(&slope, 0);
    double sine = 1 / sqrt(5), cosine = 2 * sine;
    must(pv_world_set_gravity(y.world, (pv_vec2){GRAVITY * sine, GRAVITY * cosine}));
    stuff of = {0, friction, friction, 0, 0};
    yard_put(&y, PV_BODY_STATIC, mask_box(1000, 40), 400, 20, 0, of);
    pv_polygon_def def = pv_polygon_def_default();
    def.restitution = 0;
    def.static_friction = def.friction = friction;
    pv_body_id box = put_square(&y, 0, -16, 16, def);
    yard_run(&y, 1);
    double before = pv_body_get_position(y.world, box).x,
           speed = pv_body_get_velocity(y.world, box).x;
    yard_run(&y, 2);
    double expected = speed * 2 + 0.5 * GRAVITY * (sine - friction * cosine) * 4;
    values[0] = 100 * fabs((pv_body_get_position(y.world, box).x - before) / expected - 1);
    yard_close(&y);
}

static bool all_sleep(const pv_world *w) {
    pv_body_id p = pv_world_get_next_polygon(w, (pv_body_id){0});
    for (; pv_body_is_valid(w, p); p = pv_world_get_next_polygon(w, p))
        if (pv_body_is_awake(w, p)) return false;
    return true;
}

/// Creates a polygon or, every fifth time, a star of random size.
static void put_any(yard *y, int i, double px, double py) {
    pv_polygon_def def = pv_polygon_def_default();
    pv_vec2 points[24];
    bool star = i % 5 == 4;
    double radius = yard_uniform(y, 8, 18), turn = yard_uniform(y, 0, 2 * pi);
    int corners = (int)yard_uniform(y, 3, star ? 7 : 11) * (star ? 2 : 1);
    for (int k = 0; k < corners; k++) {
        double r = star && k % 2 ? 0.5 * radius : radius, a = turn + 2 * pi * k / corners;
        points[k] = yard_point(y, px + r * cos(a), py + r * sin(a));
    }
    pv_error error;
    def.points = points;
    def.point_count = corners;
    pv_polygon_create(y->world, &def, &error);
    must(error.status);
}

/// Opens a world with a box without a lid, and a number of polygons above its floor.
static yard heap_of(const setting *how, double g, int count) {
    yard y = yard_open(how, g);
    yard_put(&y, PV_BODY_STATIC, mask_box(440, 20), 0, 10, 0, plain);
    for (int side = -1; side <= 1; side += 2)
        yard_put(&y, PV_BODY_STATIC, mask_box(20, 500), 210 * side, -250, 0, plain);
    for (int i = 0; i < count; i++)
        put_any(&y, i, -180 + 40 * (i % 10) + yard_uniform(&y, -3, 3), -40 * (i / 10 + 1));
    return y;
}

/// Measures the mean creep speed of polygons in a dense heap, after 12 s without sleep. The
/// parameter is the gravity.
static void heap_creep(const setting *how, double g, double *values) {
    enum { MOST = 150 };
    pv_vec2 before[MOST];
    setting awake = *how;
    awake.sleeping = false;
    int count = how->quick ? 40 : 100, i = 0;
    yard y = heap_of(&awake, g, count);
    yard_run(&y, 12);
    pv_body_id p = pv_world_get_next_polygon(y.world, (pv_body_id){0});
    for (; pv_body_is_valid(y.world, p); p = pv_world_get_next_polygon(y.world, p))
        before[i++] = pv_body_get_position(y.world, p);
    yard_run(&y, 2);
    values[0] = 0;
    for (i = 0, p = pv_world_get_next_polygon(y.world, (pv_body_id){0}); i < count;
         p = pv_world_get_next_polygon(y.world, p), i++) {
        pv_vec2 at = pv_body_get_position(y.world, p);
        values[0] += hypot(at.x - before[i].x, at.y - before[i].y) / 2 / count;
    }
    yard_close(&y);
}

/// Measures the time at which the last polygon of a heap falls asleep. The parameter is the
/// gravity.
static void heap_sleep(const setting *how, double g, double *values) {
    setting sleepy = *how;
    sleepy.sleeping = true;
    yard y = heap_of(&sleepy, g, how->quick ? 40 : 100);
    for (values[0] = 0; values[0] < 30 && !all_sleep(y.world); values[0] += 0.1) yard_run(&y, 0.1);
    yard_close(&y);
}

/// Measures a tower of polygons with a sprite on top. The figures are the time until it sleeps, and
/// the number of bodies that a cause fails to wake.
static void tower_wakes(const setting *how, double unused, double *values) {
    (void)unused;
    setting sleepy = *how;
    sleepy.sleeping = true;
    values[0] = values[1] = 0;
    for (int cause = 0; cause < 5; cause++) {
        yard y = yard_open(&sleepy, GRAVITY);
        pv_body_id boxes[5];
        pv_body_id floor = yard_put(&y, PV_BODY_STATIC, mask_box(400, 40), 0, 20, 0, plain), crate;
        for (int i = 0; i < 5; i++)
            boxes[i] = put_square(&y, 0, -16 - 32 * i, 16, pv_polygon_def_default());
        crate = yard_put(&y, PV_BODY_DYNAMIC, mask_box(32, 32), 0, -176, 0, plain);
        double slept = 0;
        for (; slept < 30 && !(all_sleep(y.world) && !pv_body_is_awake(y.world, crate));
             slept += 0.1)
            yard_run(&y, 0.1);
        values[0] = fmax(values[0], slept);
        if (cause == 0) {
            pv_particle_def def = pv_particle_def_default();
            def.mass = 300;
            def.velocity = yard_direction(&y, 300, 0);
            put_particle(&y, -80, yard_uniform(&y, -180, -10), def);
        } else if (cause == 1) {
            pv_polygon_def def = pv_polygon_def_default();
            def.velocity = yard_direction(&y, 200, 0);
            put_square(&y, -60, yard_uniform(&y, -180, -20), 12, def);
        } else if (cause == 2) {
            pv_body_id ball = yard_put(&y, PV_BODY_DYNAMIC, mask_disc(10), -60,
                                       yard_uniform(&y, -180, -20), 0, plain);
            must(yard_push(&y, ball, 200, 0, 0));
        } else if (cause == 3) {
            pv_body_destroy(y.world, floor);
        } else {
            must(pv_body_destroy(y.world, boxes[0]));
        }
        yard_run(&y, 0.4);
        for (int i = cause == 4; i < 5; i++) values[1] += !pv_body_is_awake(y.world, boxes[i]);
        values[1] += !pv_body_is_awake(y.world, crate);
        yard_close(&y);
    }
}

/* ---- jelly against jelly ---- */

static pv_mask *any_mask(yard *y) {
    double kind = yard_uniform(y, 0, 2), size = yard_uniform(y, 20, 56),
           other = yard_uniform(y, 16, 56);
    return kind < 1 ? mask_disc(size / 2) : mask_box((int)size, (int)other);
}

static pv_composite_id put_jelly(yard *y, double px, double py) {
    pv_jelly_def def = pv_jelly_def_default();
    pv_mask *mask = any_mask(y);
    pv_error error;
    def.mask = mask;
    def.linear_damping = 0;
    def.position = yard_point(y, px, py);
    def.angle = yard_uniform(y, 0, 2 * pi);
    pv_composite_id made = pv_jelly_create(y->world, &def, &error);
    must(error.status);
    pv_mask_release(mask);
    return made;
}

enum { MOST_PARTS = 1024 };

/// Returns the number of triangles that contain a point; inverted ones count as -1.
static int turns_round(const pv_world *w, const pv_triangle *triangles, int count, pv_vec2 at) {
    int turns = 0;
    for (int i = 0; i < count; i++) {
        double side[3];
        for (int k = 0; k < 3; k++) {
            pv_vec2 p = pv_particle_get_position(w, triangles[i].corners[k]),
                    q = pv_particle_get_position(w, triangles[i].corners[(k + 1) % 3]);
            side[k] = (q.x - p.x) * (at.y - p.y) - (q.y - p.y) * (at.x - p.x);
        }
        turns += (side[0] > 0 && side[1] > 0 && side[2] > 0) -
                 (side[0] < 0 && side[1] < 0 && side[2] < 0);
    }
    return turns;
}

static double distance_to(pv_vec2 at, pv_vec2 p, pv_vec2 q) {
    double dx = q.x - p.x, dy = q.y - p.y,
           t = ((at.x - p.x) * dx + (at.y - p.y) * dy) / (dx * dx + dy * dy);
    t = fmin(1, fmax(0, t));
    return hypot(at.x - p.x - t * dx, at.y - p.y - t * dy);
}

/// Returns the number of triangles with an edge between two corners.
static int shares_of(const pv_triangle *triangles, int count, uint32_t a, uint32_t b) {
    int found = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t p = triangles[i].corners[k].index, q = triangles[i].corners[(k + 1) % 3].index;
            found += (p == a && q == b) || (p == b && q == a);
        }
    return found;
}

/// Returns the distance from a point in a jelly to its outline.
static double depth_at(const pv_world *w, const pv_triangle *triangles, int count, pv_vec2 at) {
    double depth = INFINITY;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            pv_particle_id p = triangles[i].corners[k], q = triangles[i].corners[(k + 1) % 3];
            if (shares_of(triangles, count, p.index, q.index) > 1) continue;
            depth = fmin(depth, distance_to(at, pv_particle_get_position(w, p),
                                            pv_particle_get_position(w, q)));
        }
    return depth;
}

/// Returns the greatest depth of one jelly's particles in another.
static double deepest_in(const pv_world *w, pv_composite_id a, pv_composite_id b) {
    pv_particle_id particles[MOST_PARTS];
    pv_triangle triangles[MOST_PARTS];
    int count = pv_composite_get_particles(w, a, particles, MOST_PARTS),
        skin = pv_composite_get_triangles(w, b, triangles, MOST_PARTS);
    double deepest = 0;
    for (int i = 0; i < count; i++) {
        pv_vec2 at = pv_particle_get_position(w, particles[i]);
        if (turns_round(w, triangles, skin, at) == 0) continue;
        deepest = fmax(deepest, depth_at(w, triangles, skin, at));
    }
    return deepest;
}

static double deepest_of(const pv_world *w, const pv_composite_id *all, int count) {
    double deepest = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++)
            if (i != k) deepest = fmax(deepest, deepest_in(w, all[i], all[k]));
    return deepest;
}

static void throw_matter(yard *y, pv_composite_id matter, double vx, double vy) {
    pv_particle_id particles[MOST_PARTS];
    int count = pv_composite_get_particles(y->world, matter, particles, MOST_PARTS);
    for (int i = 0; i < count; i++)
        must(pv_particle_set_velocity(y->world, particles[i], yard_direction(y, vx, vy)));
}

/// Shoots jellies at each other in empty space. Counts centers that pass through, and measures
/// depth and lost momentum. The parameter is the top speed. Above 400 px/s, sticks of thin jelly
/// may turn too far in a substep to keep angular momentum.
static void jelly_shots(const setting *how, double most, double *values) {
    values[0] = values[1] = values[2] = values[3] = 0;
    for (int i = 0; i < (how->quick ? 6 : 60); i++) {
        setting shot = *how;
        shot.seed += (uint64_t)(1000 * i);
        yard y = yard_open(&shot, 0);
        double speed = yard_uniform(&y, 100, most);
        pv_composite_id two[2] = {put_jelly(&y, -80, yard_uniform(&y, -8, 8)),
                                  put_jelly(&y, 80, yard_uniform(&y, -8, 8))};
        throw_matter(&y, two[0], 0.5 * speed, 0);
        throw_matter(&y, two[1], -0.5 * speed, 0);
        momentum before = momentum_of(y.world);
        bool through = false;
        for (int k = 0; k < (int)(HZ * 320 / speed); k++) {
            yard_run(&y, 1.0 / HZ);
            if (k % 4 == 0) values[1] = fmax(values[1], deepest_of(y.world, two, 2));
            pv_vec2 a = yard_seen(&y, pv_composite_get_position(y.world, two[0])),
                    b = yard_seen(&y, pv_composite_get_position(y.world, two[1]));
            through |= hypot(a.x - b.x, a.y - b.y) < 6;
        }
        momentum after = momentum_of(y.world);
        double flies = mass_of_particles(y.world) * speed;
        values[0] += through;
        values[2] = fmax(values[2], hypot(after.x - before.x, after.y - before.y) / flies);
        values[3] = fmax(values[3], fabs(after.turning - before.turning) / (flies * 80));
        yard_close(&y);
    }
}

/// Drops jellies into a bucket, then a box with 20 times the mass of each. Measures how deep they
/// end up in each other. The parameter is their number.
static void jelly_bucket(const setting *how, double count, double *values) {
    yard y = yard_open(how, GRAVITY);
    pv_composite_id all[5];
    stuff heavy = plain;
    heavy.mass = 1500;
    yard_put(&y, PV_BODY_STATIC, mask_box(160, 20), 0, 10, 0, plain);
    for (int side = -1; side <= 1; side += 2)
        yard_put(&y, PV_BODY_STATIC, mask_box(20, 600), 70 * side, -300, 0, plain);
    for (int i = 0; i < (int)count; i++)
        all[i] = put_jelly(&y, yard_uniform(&y, -10, 10), -50 - 80 * i);
    yard_run(&y, 4);
    yard_put(&y, PV_BODY_DYNAMIC, mask_box(116, 40), 0, -60 - 60 * count, 0, heavy);
    yard_run(&y, 4);
    values[0] = 0;
    for (int i = 0; i < 10; i++) {
        yard_run(&y, 0.1);
        values[0] = fmax(values[0], deepest_of(y.world, all, (int)count));
    }
    yard_close(&y);
}

/* ---- silhouettes ---- */

/// Draws a disc.
static pv_mask *disc(int radius) {
    pv_mask *m = pv_mask_create(2 * radius, 2 * radius, NULL, NULL);
    for (int y = 0; y < 2 * radius; y++)
        for (int x = 0; x < 2 * radius; x++)
            pv_mask_set_pixel(m, x, y, hypot(x + 0.5 - radius, y + 0.5 - radius) <= radius);
    return m;
}

/// Returns the speed that an explosion or wind gives a disc at a bearing and an angle.
static double pushed(const setting *how, int radius, double bearing, double angle, bool wind) {
    yard y = yard_open(how, 0);
    pv_body_id b = yard_put(&y, PV_BODY_DYNAMIC, disc(radius), 80 * cos(bearing), 80 * sin(bearing),
                            angle, plain);
    pv_force_field_def air = pv_force_field_def_default();
    air.velocity = yard_direction(&y, 500 * cos(bearing), 500 * sin(bearing));
    if (wind)
        pv_force_field_create(y.world, &air, NULL);
    else
        must(pv_world_explode(y.world, yard_point(&y, 0, 0), 200, 1000));
    yard_step(&y, 1.0 / HZ);
    pv_vec2 v = yard_velocity(&y, b);
    yard_close(&y);
    return hypot(v.x, v.y);
}

/// Measures how unequally discs are pushed from different sides.
static void silhouette(const setting *how, double radius, double *values) {
    for (int wind = 0; wind < 2; wind++) {
        double least = INFINITY, most = 0;
        for (int i = 0; i < 12; i++) {
            double speed = pushed(how, (int)radius, 0.13 * i, 0.29 * i, wind);
            least = fmin(least, speed);
            most = fmax(most, speed);
        }
        values[wind] = 100 * (most / least - 1);
    }
}

/* ---- carved pixels let go ---- */

enum { HELD = 300, BITES = 40, SLAB = 120 };

/// Tells whether any body has a pixel at a point.
static bool is_there(const yard *y, pv_vec2 at) {
    for (pv_body_id b = pv_world_get_next_body(y->world, (pv_body_id){0, 0}); b.index;
         b = pv_world_get_next_body(y->world, b)) {
        pv_placed placed = {pv_body_get_mask(y->world, b), pv_body_get_transform(y->world, b)};
        pv_transform back = placed.transform;
        pv_vec2 d = {at.x - back.position.x, at.y - back.position.y};
        double c = back.rotation.c, s = back.rotation.s;
        int x = (int)floor(c * d.x + s * d.y + back.pivot.x),
            v = (int)floor(c * d.y - s * d.x + back.pivot.y);
        if (pv_mask_get_pixel(placed.mask, x, v)) return true;
    }
    return false;
}

/// Carves a slab with pins at the centers of its pixels. Counts pins that hold without their pixel,
/// or let go of one.
static void let_go(const setting *how, double least, double *values) {
    yard y = yard_open(how, 0);
    pv_mask *mask = pv_mask_create_rect(SLAB, SLAB, NULL, NULL);
    pv_body_id slab = yard_put(&y, PV_BODY_DYNAMIC, mask, 0, 0, 0.4, plain);
    pv_fracture_def fracture = pv_fracture_def_default();
    fracture.min_part_pixels = (int)least;
    must(pv_body_set_fracture(y.world, slab, &fracture));
    pv_transform t = pv_body_get_transform(y.world, slab);
    pv_joint_id pins[HELD];
    pv_vec2 at[HELD];
    for (int i = 0; i < HELD; i++) {
        double px = floor(yard_uniform(&y, 0, SLAB)) + 0.5,
               py = floor(yard_uniform(&y, 0, SLAB)) + 0.5;
        at[i] = pv_transform_to_world(&t, (pv_vec2){px, py});
        pins[i] = join(&y, PV_JOINT_PIN, pv_anchor_body(slab, at[i]), pv_anchor_world(at[i]), 0, 0);
    }
    values[0] = 0;
    for (int i = 0; i < BITES; i++) {
        pv_vec2 middle = yard_point(&y, yard_uniform(&y, -70, 70), yard_uniform(&y, -70, 70));
        pv_cut cut = pv_cut_circle(middle, yard_uniform(&y, 2, 14));
        for (pv_body_id b = pv_world_get_next_body(y.world, (pv_body_id){0, 0}), next; b.index;
             b = next) {
            next = pv_world_get_next_body(y.world, b);
            must(pv_body_carve(y.world, b, &cut, NULL));
        }
        for (int k = 0; k < HELD; k++)
            values[0] += pv_joint_is_valid(y.world, pins[k]) != is_there(&y, at[k]);
    }
    yard_close(&y);
}

/* ---- sprites on ropes that begin inside them ---- */

enum { HUNG_DISC, HUNG_BOX, HUNG_ARCH, HUNG_KINDS, HUNG_SEGMENTS = 24 };

static pv_mask *hung_mask(int kind) {
    if (kind == HUNG_DISC) return mask_disc(22);
    pv_mask *m = kind == HUNG_BOX ? mask_box(80, 10) : mask_box(60, 50);
    for (int y = 20; kind == HUNG_ARCH && y < 50; y++)
        for (int x = 15; x < 45; x++) pv_mask_set_pixel(m, x, y, false);
    return m;
}

/// Hangs a sprite from a damped rope attached inside it, which starts level. Measures how far it
/// ends from the plumb line, its drift in the last 5 s, and how far particles are off the line.
static void hang_one(const setting *how, int kind, pv_vec2 off, double ratio, double *values) {
    yard y = yard_open(how, GRAVITY);
    stuff of = plain;
    of.mass = 16 * ratio;
    pv_body_id body = yard_put(&y, PV_BODY_DYNAMIC, hung_mask(kind), 200, 0, 0, of);
    must(pv_body_set_linear_damping(y.world, body, 1));
    must(pv_body_set_angular_damping(y.world, body, 2));
    pv_vec2 center = yard_place(&y, body);
    pv_rope_def def = pv_rope_def_default();
    def.segments = HUNG_SEGMENTS;
    def.linear_damping = 1;
    def.from = pv_anchor_world(yard_point(&y, 0, 0));
    def.to = pv_anchor_body(body, yard_point(&y, center.x + off.x, center.y + off.y));
    pv_particle_id p[HUNG_SEGMENTS + 1];
    pv_composite_get_particles(y.world, pv_rope_create(y.world, &def, NULL), p, HUNG_SEGMENTS + 1);
    yard_run(&y, how->quick ? 20 : 40);
    pv_vec2 at = yard_place(&y, body);
    yard_run(&y, 5);
    pv_vec2 end = yard_place(&y, body);
    values[0] = fmax(values[0], fabs(end.x));
    values[1] = fmax(values[1], hypot(end.x - at.x, end.y - at.y));
    for (int i = 0; i <= HUNG_SEGMENTS; i++)
        values[2] = fmax(values[2], fabs(yard_seen(&y, pv_particle_get_position(y.world, p[i])).x));
    yard_close(&y);
}

/// Hangs each sprite by its center, and the disc also off center; others would lean on the rope.
static void hang(const setting *how, double ratio, double *values) {
    values[0] = values[1] = values[2] = 0;
    for (int kind = 0; kind < HUNG_KINDS; kind++)
        hang_one(how, kind, (pv_vec2){0, 0}, ratio, values);
    hang_one(how, HUNG_DISC, (pv_vec2){7, 2}, ratio, values);
}

const test tests_matter[] = {
    {"chain_250", chain, 250, {{"gap", "px", 1.9}}, false, true},
    {"chain_1", chain, 1, {{"gap", "px", 0.5}}, false, true},
    {"pendulum", pendulum, 0.5, {{"period", "%", 0.1}, {"height", "%", 1}}, false, false},
    {"spring", spring, 2400, {{"stretch", "%", 0.5}}, false, false},
    {"drag", drag, 0.3, {{"speed", "%", 1e-6}}, false, false},
    {"rebound_touch", rebound, PV_BOUNCE_TOUCH, {{"height", "px", 1}}, false, false},
    {"rebound_swap", rebound, PV_BOUNCE_SWAP, {{"height", "px", 1}}, false, false},
    {"rebound_reflect", rebound, PV_BOUNCE_REFLECT, {{"height", "px", 2}}, false, false},
    {"hit_particle",
     hits,
     A_PARTICLE,
     {{"momentum", "1", 1e-9}, {"angular", "1", 1e-9}},
     false,
     false},
    {"hit_polygon",
     hits,
     A_POLYGON,
     {{"momentum", "1", 1e-9}, {"angular", "1", 1e-9}},
     false,
     false},
    {"hit_cloth", hits, A_CLOTH, {{"momentum", "1", 1e-9}, {"angular", "1", 1e-9}}, false, false},
    {"polygon_creep", creep, 0, {{"way", "px", 0.05}}, false, true},
    {"polygon_spin", polygon_spin, 0, {{"loss", "%", 1}}, false, false},
    {"polygon_slide", polygon_slide, 0.48, {{"way", "%", 1}}, false, false},
    {"heap_creep", heap_creep, GRAVITY, {{"speed", "px/s", 0.01}}, false, false},
    {"heap_creep_980", heap_creep, 980, {{"speed", "px/s", 0.05}}, false, true},
    {"heap_sleep", heap_sleep, GRAVITY, {{"time", "s", 12}}, false, false},
    {"heap_sleep_980", heap_sleep, 980, {{"time", "s", 12}}, false, true},
    {"tower_wakes", tower_wakes, 0, {{"asleep", "s", 5}, {"deaf", "1", 0}}, false, false},
    {"silhouette_5", silhouette, 5, {{"explosion", "%", 2}, {"wind", "%", 2}}, false, false},
    {"silhouette_20", silhouette, 20, {{"explosion", "%", 2}, {"wind", "%", 2}}, false, false},
    {"let_go", let_go, 20, {{"wrong", "1", 0}}, false, false},
    {"hang_100th",
     hang,
     0.01,
     {{"off", "px", 1}, {"drift", "px", 0.5}, {"bend", "px", 1}},
     false,
     false},
    {"hang_1", hang, 1, {{"off", "px", 1}, {"drift", "px", 0.5}, {"bend", "px", 1}}, false, false},
    {"hang_100",
     hang,
     100,
     {{"off", "px", 1}, {"drift", "px", 0.5}, {"bend", "px", 1}},
     false,
     false},
    {"jelly_meets",
     jelly_shots,
     300,
     {{"through", "1", 0}, {"depth", "px", 4}, {"momentum", "1", 1e-9}, {"angular", "1", 1e-9}},
     false,
     false},
    {"jelly_shots",
     jelly_shots,
     600,
     {{"through", "1", 0}, {"depth", "px", 8}, {"momentum", "1", 1e-9}, {"angular", "1", 1e-5}},
     false,
     false},
    {"jelly_bucket_2", jelly_bucket, 2, {{"depth", "px", 4}}, false, false},
    {"jelly_bucket_5", jelly_bucket, 5, {{"depth", "px", 8}}, false, false},
    {NULL, NULL, 0, {{NULL, NULL, 0}}, false, false},
};
