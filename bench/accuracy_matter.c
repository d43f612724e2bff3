/* accuracy_matter.c - particles, constraints and polygons against the formulae.
 *
 * Invariant: what is expected is computed here, by no function of the library.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "accuracy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static void must(pv_status status) {
    if (status == PV_OK) return;
    fprintf(stderr, "accuracy: %s\n", pv_status_string(status));
    exit(2);
}

static pv_particle put_particle(yard *y, double px, double py, pv_particle_def def) {
    pv_status status;
    def.position = yard_point(y, px, py);
    pv_particle p = pv_particle_create(y->world, &def, &status);
    must(status);
    return p;
}

static pv_constraint join(yard *y, pv_constraint_type type, pv_anchor a, pv_anchor b, double stiffness,
                          double damping) {
    pv_constraint_def def = pv_constraint_def_default();
    pv_status status;
    def.type = type;
    def.a = a;
    def.b = b;
    def.stiffness = stiffness;
    def.damping = damping;
    pv_constraint c = pv_constraint_create(y->world, &def, &status);
    must(status);
    return c;
}

/* ---- a chain of sprites ---- */

enum { LINKS = 40, SPACING = 12, CHAIN_SECONDS = 10 };

static double gap_of(const yard *y, pv_constraint joint) {
    pv_vec2 p[2] = {{0, 0}, {0, 0}};
    pv_constraint_points(y->world, joint, p);
    return hypot(p[1].x - p[0].x, p[1].y - p[0].y);
}

/// 40 links, let go level; the body at the end weighs ratio links. The widest gap of a hinge while it swings.
static void chain(const setting *how, double ratio, double *values) {
    yard y = yard_open(how, GRAVITY);
    pv_constraint joints[LINKS + 1];
    pv_anchor last = pv_anchor_world(yard_point(&y, 0, 0));
    for (int i = 0; i <= LINKS; i++) {
        bool end = i == LINKS;
        stuff of = plain;
        if (end) of.mass = ratio * 10 * 4;
        double at = SPACING * i;
        pv_body link = yard_put(&y, PV_BODY_DYNAMIC, end ? mask_box(16, 16) : mask_box(10, 4),
                                at + (end ? 8 : 6), 0, 0, of);
        joints[i] = join(&y, PV_CONSTRAINT_PIN, last, pv_anchor_body(link, yard_point(&y, at, 0)), 0, 0);
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

/// 2 pi sqrt(l / g) / agm(1, cos(a / 2)), Gauss's.
static double period_of(double length, double angle) {
    double a = 1, g = cos(angle / 2);
    for (int i = 0; i < 8; i++) {
        double mean = 0.5 * (a + g);
        g = sqrt(a * g);
        a = mean;
    }
    return 2 * pi * sqrt(length / GRAVITY) / a;
}

/// A particle on a stick of 100 px, let go at an angle: period, and how much of the height it has lost in a minute.
static void pendulum(const setting *how, double angle, double *values) {
    yard y = yard_open(how, GRAVITY);
    const double length = 100;
    pv_particle bob = put_particle(&y, length * sin(angle), length * cos(angle), pv_particle_def_default());
    join(&y, PV_CONSTRAINT_STICK, pv_anchor_world(yard_point(&y, 0, 0)), pv_anchor_particle(bob), 0, 0);
    double first = NAN, last = NAN, x = length * sin(angle), top = 0;
    int swings = 0;
    for (int i = 1; i <= 60 * HZ; i++) {
        yard_run(&y, 1.0 / HZ);
        pv_vec2 at = yard_seen(&y, pv_particle_position(y.world, bob));
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

/// A sprite on a damped spring comes to rest where the spring bears it.
static void spring(const setting *how, double stiffness, double *values) {
    yard y = yard_open(how, GRAVITY);
    pv_body body = yard_put(&y, PV_BODY_DYNAMIC, mask_box(20, 12), 0, 100, 0, plain);
    pv_anchor hook = pv_anchor_world(yard_point(&y, 0, 0)), eye = pv_anchor_body(body, yard_point(&y, 0, 100));
    join(&y, PV_CONSTRAINT_STICK, hook, eye, stiffness, 0.5 * sqrt(stiffness * 240));
    yard_run(&y, 20);
    double expected = 240 * GRAVITY / stiffness;
    values[0] = 100 * fabs((yard_place(&y, body).y - 100) / expected - 1);
    yard_close(&y);
}

/* ---- flight and bounce ---- */

/// Without gravity, v_n = (1 - d)^n v_0; parameter: drag [1/s].
static void drag(const setting *how, double drag, double *values) {
    yard y = yard_open(how, 0);
    pv_particle_def def = pv_particle_def_default();
    def.drag = drag;
    def.velocity = yard_direction(&y, 300, 0);
    pv_particle p = put_particle(&y, 0, 0, def);
    yard_run(&y, 2);
    pv_vec2 v = pv_particle_velocity(y.world, p);
    double expected = 300 * pow(1 - drag / (HZ * 16), 2 * HZ * 16);
    values[0] = 100 * fabs(hypot(v.x, v.y) / expected - 1);
    yard_close(&y);
}

/// A particle of radius 1 dropped 200 px on a sprite: how far its first rebound is off e^2 h; parameter: which way.
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
        pv_particle p = put_particle(&y, 0, 0, def);
        double fall = sqrt(2 * 200 / GRAVITY), highest = 200;
        yard_run(&y, fall + 0.1);
        for (int i = 0; i < (int)(1.2 * fall * HZ); i++) {
            yard_run(&y, 1.0 / HZ);
            highest = fmin(highest, yard_seen(&y, pv_particle_position(y.world, p)).y);
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
    for (pv_body b = pv_world_next_body(w, (pv_body){0}); pv_body_is_valid(w, b);
         b = pv_world_next_body(w, b)) {
        add_moving(&m, pv_body_mass(w, b), pv_body_position(w, b), pv_body_velocity(w, b));
        m.turning += pv_body_inertia(w, b) * pv_body_spin(w, b);
    }
    pv_particle p = pv_world_next_particle(w, (pv_particle){0});
    for (; pv_particle_is_valid(w, p); p = pv_world_next_particle(w, p))
        add_moving(&m, pv_particle_mass(w, p), pv_particle_position(w, p), pv_particle_velocity(w, p));
    return m;
}

/// Something made of particles flies at a sprite that spins; the greatest change of momentum, relative to what flies.
enum { A_PARTICLE, A_POLYGON, A_CLOTH };

static double mass_of_particles(const pv_world *w) {
    double sum = 0;
    pv_particle p = pv_world_next_particle(w, (pv_particle){0});
    for (; pv_particle_is_valid(w, p); p = pv_world_next_particle(w, p)) sum += pv_particle_mass(w, p);
    return sum;
}

static void throw_particles(yard *y, double vx, double vy) {
    pv_particle p = pv_world_next_particle(y->world, (pv_particle){0});
    for (; pv_particle_is_valid(y->world, p); p = pv_world_next_particle(y->world, p))
        must(pv_particle_set_velocity(y->world, p, yard_direction(y, vx, vy)));
}

static void make_missile(yard *y, int what, double px, double py) {
    pv_status status = PV_OK;
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
            points[i] = yard_point(y, px + 14 * cos(2 * pi * i / 5 + 0.3), py + 14 * sin(2 * pi * i / 5 + 0.3));
        def.points = points;
        def.count = 5;
        pv_polygon_create(y->world, &def, &status);
    } else {
        pv_cloth_def def = pv_cloth_def_default();
        def.columns = def.rows = 8;
        def.spacing = 5;
        def.pin_every = 0;
        def.drag = 0;
        def.position = yard_point(y, px, py);
        pv_cloth_build(y->world, &def, &status);
    }
    must(status);
}

static void hits(const setting *how, double what, double *values) {
    values[0] = values[1] = 0;
    for (int i = 0; i < (how->quick ? 3 : 20); i++) {
        yard y = yard_open(how, 0);
        stuff of = {0.5, 0.4, 0.3, 0};
        pv_body body = yard_put(&y, PV_BODY_DYNAMIC, i % 2 ? mask_star(40) : mask_box(30, 18), 0, 0,
                                yard_uniform(&y, 0, 6), of);
        must(
            yard_push(&y, body, yard_uniform(&y, -40, 40), yard_uniform(&y, -40, 40), yard_uniform(&y, -4, 4)));
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

static pv_polygon put_square(yard *y, double px, double py, double half, pv_polygon_def def) {
    pv_vec2 points[4] = {yard_point(y, px - half, py - half), yard_point(y, px + half, py - half),
                         yard_point(y, px + half, py + half), yard_point(y, px - half, py + half)};
    pv_status status;
    def.points = points;
    def.count = 4;
    pv_polygon p = pv_polygon_create(y->world, &def, &status);
    must(status);
    return p;
}

/// How far a square creeps along the flat floor of a sprite in a minute.
static void creep(const setting *how, double unused, double *values) {
    (void)unused;
    yard y = yard_open(how, GRAVITY);
    yard_put(&y, PV_BODY_STATIC, mask_box(400, 40), 0, 20, 0, plain);
    pv_polygon box = put_square(&y, 0, -16.5, 16, pv_polygon_def_default());
    yard_run(&y, 1);
    pv_vec2 before = yard_seen(&y, pv_polygon_position(y.world, box));
    yard_run(&y, how->quick ? 5 : 60);
    pv_vec2 after = yard_seen(&y, pv_polygon_position(y.world, box));
    values[0] = hypot(after.x - before.x, after.y - before.y);
    yard_close(&y);
}

/// How much of its spin of 10 rad/s a free square has lost after 10 s.
static void polygon_spin(const setting *how, double unused, double *values) {
    (void)unused;
    yard y = yard_open(how, 0);
    pv_polygon_def def = pv_polygon_def_default();
    def.spin = 10;
    pv_polygon box = put_square(&y, 0, 0, 16, def);
    yard_run(&y, 10);
    values[0] = 100 * fabs(pv_polygon_spin(y.world, box) / 10 - 1);
    yard_close(&y);
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
    {"hit_particle", hits, A_PARTICLE, {{"momentum", "1", 1e-9}, {"angular", "1", 1e-9}}, false, false},
    {"hit_polygon", hits, A_POLYGON, {{"momentum", "1", 1e-9}, {"angular", "1", 1e-9}}, false, false},
    {"hit_cloth", hits, A_CLOTH, {{"momentum", "1", 1e-9}, {"angular", "1", 1e-9}}, false, false},
    {"polygon_creep", creep, 0, {{"way", "px", 0.05}}, false, true},
    {"polygon_spin", polygon_spin, 0, {{"loss", "%", 1}}, false, false},
    {NULL, NULL, 0, {{NULL, NULL, 0}}, false, false},
};
