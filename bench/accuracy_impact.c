/* accuracy_impact.c - bounces: drops, pairs of discs, a line of balls, corners that hit a floor.
 *
 * Invariant: expected values come from Newton's law of restitution, solved here.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>
#include <stdlib.h>

enum { RADIUS = 16, CORNERS = 400 };

static const double pi = 3.14159265358979323846;

static stuff bouncy(double restitution, double friction) {
    return (stuff){
        .restitution = restitution, .static_friction = friction, .kinetic_friction = friction};
}

static double radius_of(pv_mass_data mass) { return sqrt(mass.area / pi); }

static double square(double x) { return x * x; }

/* ---- drops ---- */

static pv_mask *dropped(bool round) {
    return round ? mask_disc(RADIUS) : mask_box(2 * RADIUS, 2 * RADIUS);
}

static void put_floor(yard *y, stuff of) {
    yard_put(y, PV_BODY_STATIC, mask_box(1024, 64), 0, 32, 0, of);
}

/// Returns the height of the center of a body at rest over the floor [px].
static double rest_height(const setting *how, bool round) {
    yard y = yard_open(how, GRAVITY);
    put_floor(&y, plain);
    pv_body_id body = yard_put(&y, PV_BODY_DYNAMIC, dropped(round), 0, -RADIUS - 0.2, 0, plain);
    yard_run(&y, 4);
    double height = -yard_place(&y, body).y;
    yard_close(&y);
    return height;
}

/// Falling body; heights are above its place at rest
typedef struct drop {
    yard yard;
    pv_body_id body;
    double rest, height;
} drop;

static drop drop_open(const setting *how, bool round, stuff of) {
    drop d = {.rest = rest_height(how, round), .yard = yard_open(how, GRAVITY)};
    d.height = 200 + yard_uniform(&d.yard, -4, 4);
    put_floor(&d.yard, of);
    d.body = yard_put(&d.yard, PV_BODY_DYNAMIC, dropped(round), 0, -d.rest - d.height, 0, of);
    return d;
}

static double height_of(const drop *d) { return -yard_place(&d->yard, d->body).y - d->rest; }

static double falling(const drop *d) { return yard_velocity(&d->yard, d->body).y; }

/// Returns the height that a body will reach.
static double apex_of(const drop *d) {
    double v = fmin(falling(d), 0);
    return height_of(d) + v * v / (2 * GRAVITY);
}

static void step(yard *y) { yard_run(y, 1.0 / HZ); }

/// Runs until its downward speed stops growing, and one step more.
static void run_to_bounce(drop *d) {
    for (double before = -INFINITY; falling(d) > before && d->yard.time < 100; step(&d->yard))
        before = falling(d);
    step(&d->yard);
}

/// Returns the error of the rebound against e^2 h, as a share of the allowed 0.5 % or 0.05 px.
static double rebound_error(const setting *how, bool round, double restitution) {
    drop d = drop_open(how, round, bouncy(restitution, 0.6));
    double expected = square(restitution) * d.height, apex;
    run_to_bounce(&d);
    for (apex = apex_of(&d); falling(&d) < -GRAVITY / HZ; apex = apex_of(&d)) step(&d.yard);
    yard_close(&d.yard);
    return fabs(apex - expected) / fmax(0.005 * expected, 0.05);
}

static void run_rebound(const setting *how, double round, double *values) {
    const double restitutions[] = {0, 0.3, 0.5, 0.8, 1};
    values[0] = 0;
    for (int i = 0; i < 5; i++)
        values[0] = fmax(values[0], rebound_error(how, round > 0, restitutions[i]));
}

static double energy_of(const drop *d) {
    const pv_world *w = d->yard.world;
    pv_vec2 v = pv_body_get_velocity(w, d->body);
    double k2 = pv_body_get_inertia(w, d->body) / pv_body_get_mass(w, d->body);
    return GRAVITY * height_of(d) +
           (v.x * v.x + v.y * v.y + k2 * square(pv_body_get_angular_velocity(w, d->body))) / 2;
}

/// Measures the energy lost in 20 bounces [%], and the greatest gain at any bounce. There is no
/// friction, since boxes would tumble.
static void run_energy(const setting *how, double round, double *values) {
    drop d = drop_open(how, round > 0, bouncy(1, 0));
    double start = GRAVITY * d.height, most = 0, energy = 0;
    for (int i = 0; i < 20; i++) {
        run_to_bounce(&d);
        while (falling(&d) < 0 && d.yard.time < 100) step(&d.yard);
        energy = energy_of(&d);
        most = fmax(most, energy);
    }
    values[0] = fmax(0, 100 * (1 - energy / start));
    values[1] = fmax(0, most / start - 1);
    yard_close(&d.yard);
}

/* ---- pairs of discs ---- */

/// Momentum, angular momentum about the origin, and energy of two bodies
typedef struct motion {
    double x, y, turning, energy;
} motion;

static motion motion_of(const yard *y, const pv_body_id bodies[2]) {
    motion all = {0};
    for (int i = 0; i < 2; i++) {
        double m = pv_body_get_mass(y->world, bodies[i]),
               spin = pv_body_get_angular_velocity(y->world, bodies[i]);
        double inertia = pv_body_get_inertia(y->world, bodies[i]);
        pv_vec2 v = yard_velocity(y, bodies[i]), p = yard_place(y, bodies[i]);
        all.x += m * v.x;
        all.y += m * v.y;
        all.turning += m * (p.x * v.y - p.y * v.x) + inertia * spin;
        all.energy += m * (v.x * v.x + v.y * v.y) / 2 + inertia * spin * spin / 2;
    }
    return all;
}

/// Returns the angle between a velocity and a direction [degrees]; 0 for very slow bodies.
static double off_course(pv_vec2 v, double angle) {
    return hypot(v.x, v.y) < 5 ? 0 : fabs(remainder(atan2(v.y, v.x) - angle, 2 * pi)) * 180 / pi;
}

static void raise_to(double *value, double other) {
    if (!(other <= *value)) *value = other;
}

/// Shoots a disc at another, off center by a share of the sum of their radii.
static void hit_pair(const setting *how, uint64_t number, double offset, double *values) {
    const double speed = 160;
    setting own = *how;
    own.seed = how->seed * 1000 + number;
    yard y = yard_open(&own, 0);
    double course = yard_uniform(&y, 0, 2 * pi), c = cos(course), s = sin(course);
    pv_mask *disc = mask_disc(RADIUS);
    pv_mass_data mass = pv_mask_compute_mass(disc);
    double reach = 2 * radius_of(mass), aside = offset * reach;
    pv_body_id bodies[2];
    bodies[0] = yard_put(&y, PV_BODY_DYNAMIC, pv_mask_retain(disc), -80 * c - aside * s,
                         -80 * s + aside * c, 0, bouncy(1, 0));
    bodies[1] = yard_put(&y, PV_BODY_DYNAMIC, disc, 0, 0, yard_uniform(&y, 0, 6), bouncy(1, 0));
    yard_push(&y, bodies[0], speed * c, speed * s, 0);
    motion before = motion_of(&y, bodies);
    yard_run(&y, 1);
    motion after = motion_of(&y, bodies);
    double momentum = mass.area * speed, normal = course - asin(offset);
    raise_to(&values[0], hypot(after.x - before.x, after.y - before.y) / momentum);
    raise_to(&values[1], fabs(after.turning - before.turning) / (momentum * reach));
    raise_to(&values[2], 100 * fabs(after.energy / before.energy - 1));
    raise_to(&values[3], off_course(yard_velocity(&y, bodies[1]), normal));
    raise_to(&values[3],
             off_course(yard_velocity(&y, bodies[0]), normal + copysign(pi / 2, offset)));
    yard_close(&y);
}

static void run_pairs(const setting *how, double count, double *values) {
    for (int i = 0; i < 4; i++) values[i] = 0;
    for (int i = 0; i < (int)count; i++)
        hit_pair(how, (uint64_t)i, 0.9 * (2 * (i + 0.5) / count - 1), values);
}

/* ---- a line of balls ---- */

/// Measures how far the last ball's velocity is from the first ball's, and the greatest speed of
/// the others [px/s].
static void run_line(const setting *how, double speed, double *values) {
    yard y = yard_open(how, 0);
    pv_mask *disc = mask_disc(RADIUS);
    double pitch = 2 * radius_of(pv_mask_compute_mass(disc)) + yard_uniform(&y, 0.008, 0.012);
    pv_body_id balls[5];
    for (int i = 0; i < 5; i++) {
        double x = i * pitch - (i ? 0 : 50);
        balls[i] = yard_put(&y, PV_BODY_DYNAMIC, pv_mask_retain(disc), x, 0, 0, bouncy(1, 0));
    }
    pv_mask_release(disc);
    yard_push(&y, balls[0], speed, 0, 0);
    yard_run(&y, 1.5);
    pv_vec2 v = yard_velocity(&y, balls[4]);
    values[0] = hypot(v.x - speed, v.y);
    values[1] = 0;
    for (int i = 0; i < 4; i++) {
        v = yard_velocity(&y, balls[i]);
        values[1] = fmax(values[1], hypot(v.x, v.y));
    }
    yard_close(&y);
}

/* ---- corners ---- */

/// Box above a floor at y = 0, moving without gravity
typedef struct tumbler {
    double x, y, angle, vx, vy, spin;
    double w, h, mass, inertia;
} tumbler;

/// Returns the lowest corner, relative to the center.
static pv_vec2 lowest_corner(const tumbler *t) {
    double c = cos(t->angle), s = sin(t->angle);
    pv_vec2 low = {0, -INFINITY};
    for (int i = 0; i < 4; i++) {
        double x = (i % 2 ? 0.5 : -0.5) * t->w, y = (i / 2 ? 0.5 : -0.5) * t->h;
        pv_vec2 corner = {c * x - s * y, s * x + c * y};
        if (corner.y > low.y) low = corner;
    }
    return low;
}

static void fly(tumbler *t, double dt) {
    t->x += t->vx * dt;
    t->y += t->vy * dt;
    t->angle += t->spin * dt;
}

/// Returns the speed of the lowest corner into the floor.
static double approach(const tumbler *t) { return t->vy + t->spin * lowest_corner(t).x; }

/// Tells whether it is in the floor and going deeper.
static bool hits(const tumbler *t) { return t->y + lowest_corner(t).y >= 0 && approach(t) > 0; }

/// Applies the upward impulse of the floor at the lowest corner.
static void bounce(tumbler *t, double restitution) {
    double arm = lowest_corner(t).x;
    double impulse = (1 + restitution) * approach(t) / (1 / t->mass + arm * arm / t->inertia);
    t->vy -= impulse / t->mass;
    t->spin -= arm * impulse / t->inertia;
}

/// Flies for a time and bounces at instants found by bisection; returns the number of bounces.
static int fly_and_bounce(tumbler *t, double seconds, double restitution) {
    const double fine = 1e-4;
    int bounces = 0;
    for (double left = seconds; left > 0; left -= fine) {
        double low = 0, high = fmin(fine, left);
        tumbler next = *t;
        fly(&next, high);
        if (hits(&next)) {
            for (int i = 0; i < 40; i++) {
                double middle = (low + high) / 2;
                tumbler probe = *t;
                fly(&probe, middle);
                *(hits(&probe) ? &high : &low) = middle;
            }
            fly(t, high);
            bounce(t, restitution);
            bounces++;
            next = *t;
            fly(&next, fmin(fine, left) - high);
        }
        *t = next;
    }
    return bounces;
}

/// Returns a box of 32 or 48 x 32 px on its way to the floor at 300 px/s.
static tumbler random_tumbler(yard *y, bool wide) {
    tumbler t = {.w = wide ? 48 : 32, .h = 32, .y = -60};
    double course = yard_uniform(y, -0.7, 0.7);
    t.x = yard_uniform(y, -20, 20);
    t.angle = yard_uniform(y, 0, 2 * pi);
    t.vx = 300 * sin(course);
    t.vy = 300 * cos(course);
    t.spin = yard_uniform(y, -6, 6);
    t.mass = t.w * t.h;
    t.inertia = t.mass * (t.w * t.w + t.h * t.h) / 12;
    return t;
}

/// Computes the motion one step after the step of the first impact; returns the time until then.
static double expected_motion(tumbler *t, double restitution) {
    int steps = 0;
    while (fly_and_bounce(t, 1.0 / HZ, restitution) == 0) steps++;
    fly_and_bounce(t, 1.0 / HZ, restitution);
    return (steps + 2.0) / HZ;
}

/// Returns the error of the center's velocity after an impact [px/s].
static double corner_error(const setting *how, pv_mask *floor_mask, uint64_t number) {
    const double restitution = 0.5;
    setting own = *how;
    own.seed = how->seed * 1000 + number;
    yard y = yard_open(&own, 0);
    tumbler t = random_tumbler(&y, number % 2);
    yard_put(&y, PV_BODY_STATIC, pv_mask_retain(floor_mask), 0, 32, 0, bouncy(restitution, 0));
    pv_body_id box = yard_put(&y, PV_BODY_DYNAMIC, mask_box((int)t.w, (int)t.h), t.x, t.y, t.angle,
                              bouncy(restitution, 0));
    yard_push(&y, box, t.vx, t.vy, t.spin);
    yard_run(&y, expected_motion(&t, restitution));
    pv_vec2 v = yard_velocity(&y, box);
    yard_close(&y);
    return hypot(v.x - t.vx, v.y - t.vy);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run_corners(const setting *how, double unused, double *values) {
    double errors[CORNERS];
    pv_mask *floor_mask = mask_box(512, 64);
    (void)unused;
    for (int i = 0; i < CORNERS; i++) errors[i] = corner_error(how, floor_mask, (uint64_t)i);
    pv_mask_release(floor_mask);
    qsort(errors, CORNERS, sizeof errors[0], by_size);
    values[0] = errors[CORNERS / 2];
    values[1] = errors[CORNERS * 98 / 100];
}

/* ---- hit events ---- */

/// Draws a bridge: a box with feet.
static pv_mask *mask_bridge(int w, int h, int foot) {
    pv_mask *mask = mask_box(w, h);
    for (int y = h / 2; y < h; y++)
        for (int x = foot; x < w - foot; x++) pv_mask_set_pixel(mask, x, y, false);
    return mask;
}

/// Body with two feet, dropped on a floor without friction
typedef struct landing {
    pv_world *world;
    pv_body_id body;
    /// Offsets of the feet from its center, unrotated [px]
    pv_vec2 feet[2];
} landing;

static landing landing_open(yard *dice, pv_contact_mode contacts) {
    pv_world_def wd = pv_world_def_default();
    pv_body_def d = pv_body_def_default();
    int w = (int)yard_uniform(dice, 12, 60), h = (int)yard_uniform(dice, 8, 30),
        shape = (int)yard_uniform(dice, 0, 2);
    landing it = {0};
    wd.contact_mode = contacts;
    wd.gravity = (pv_vec2){0, GRAVITY};
    it.world = pv_world_create(&wd, NULL);
    d.static_friction = d.friction = 0;
    d.restitution = 0;
    d.type = PV_BODY_STATIC;
    d.mask = mask_box(400, 40);
    d.position.y = 20;
    pv_body_create(it.world, &d, NULL);
    pv_mask_release(d.mask);
    d.type = PV_BODY_DYNAMIC;
    d.mask = shape ? mask_bridge(w, h, w / 4) : mask_box(w, h);
    d.density = pow(10, yard_uniform(dice, -2, 2));
    d.restitution = yard_uniform(dice, 0, 1) < 0.5 ? 0 : yard_uniform(dice, 0, 0.6);
    d.angle = yard_uniform(dice, 0, 1) < 0.3 ? 0 : yard_uniform(dice, -0.5, 0.5);
    d.position = (pv_vec2){yard_uniform(dice, -50, 50), -hypot(w, h) - yard_uniform(dice, 0, 60)};
    d.velocity = (pv_vec2){0, yard_uniform(dice, 0, 200)};
    it.body = pv_body_create(it.world, &d, NULL);
    pv_vec2 center = pv_mask_compute_mass(d.mask).centroid;
    for (int i = 0; i < 2; i++) it.feet[i] = (pv_vec2){i * w - center.x, h - center.y};
    pv_mask_release(d.mask);
    return it;
}

static pv_vec2 foot_of(const landing *it, int i) {
    pv_vec2 at = pv_body_get_position(it->world, it->body), f = it->feet[i];
    pv_rotation r = pv_body_get_transform(it->world, it->body).rotation;
    return (pv_vec2){at.x + r.c * f.x - r.s * f.y, at.y + r.s * f.x + r.c * f.y};
}

/// Steps the world; returns the relative error of the hit events' impulse against the floor's. A
/// foot that stops without an event counts in untold.
static double landing_step(landing *it, int *untold) {
    double mass = pv_body_get_mass(it->world, it->body),
           before = pv_body_get_velocity(it->world, it->body).y, speed[2];
    for (int i = 0; i < 2; i++)
        speed[i] = pv_body_get_velocity_at(it->world, it->body, foot_of(it, i)).y;
    pv_world_step(it->world, 1.0 / HZ);
    pv_events events = pv_world_get_events(it->world);
    double given = mass * (before + GRAVITY / HZ - pv_body_get_velocity(it->world, it->body).y),
           told = 0;
    for (int i = 0; i < events.hit_count; i++)
        told += events.hits[i].impulse * fabs(events.hits[i].normal.y);
    for (int i = 0; i < 2; i++) {
        double now = pv_body_get_velocity_at(it->world, it->body, foot_of(it, i)).y;
        *untold += speed[i] > 80 && now < 0.2 * speed[i] && fabs(foot_of(it, i).y) < 2 &&
                   events.hit_count == 0;
    }
    return events.hit_count > 0 ? fabs(told / given - 1) : 0;
}

static void run_told(const setting *how, double contacts, double *values) {
    yard dice = yard_open(how, 0);
    int untold = 0;
    values[0] = 0;
    for (int i = 0; i < (how->quick ? 40 : 200); i++) {
        landing it = landing_open(&dice, (pv_contact_mode)contacts);
        for (int step = 0; step < 2 * HZ; step++)
            values[0] = fmax(values[0], 100 * landing_step(&it, &untold));
        pv_world_destroy(it.world);
    }
    values[1] = untold;
    yard_close(&dice);
}

const test tests_impact[] = {
    {"rebound_box", run_rebound, 0, {{"error", "allowed", 1}}, .rests = false},
    {"rebound_disc", run_rebound, 1, {{"error", "allowed", 1}}, .rests = false},
    {"bounces_box", run_energy, 0, {{"loss", "%", 0.1}, {"gain", "of 1", 1e-6}}, .rests = false},
    {"bounces_disc", run_energy, 1, {{"loss", "%", 0.1}, {"gain", "of 1", 1e-6}}, .rests = false},
    {"pairs",
     run_pairs,
     20,
     {{"momentum", "of 1", 1e-9},
      {"turning", "of 1", 1e-9},
      {"energy", "%", 0.1},
      {"course", "degrees", 1}},
     .rests = false},
    {"line", run_line, 160, {{"last", "px/s", 1}, {"others", "px/s", 1}}, .rests = false},
    {"hits_told",
     run_told,
     PV_CONTACT_MODE_CONTOURS,
     {{"impulse", "%", 2}, {"untold", "feet", 0}},
     .rests = false},
    {"hits_told_by_pixels",
     run_told,
     PV_CONTACT_MODE_PIXELS,
     {{"impulse", "%", 4}, {"untold", "feet", 0}},
     .rests = false},
    {"corners", run_corners, 0, {{"median", "px/s", 5}, {"98th", "px/s", 16}}, .rests = false},
    {.name = NULL},
};
