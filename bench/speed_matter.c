/* speed_matter.c - steps of particles, cloth, hair, liquids and polygons, two of them beside a
 * plain loop.
 *
 * Invariant: the loop's particles and sticks are copies of the world's, in the same order. Both
 * sides do the same steps in turns, with equal numbers of integrations and relaxations.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "speed.h"

#include <math.h>
#include <pixverlet.h>
#include <stdio.h>
#include <stdlib.h>

static const double WARM_TIME = 8, MEASURE_TIME = 6;

static pv_world *open_matter(int substeps, int relaxations) {
    pv_world_def def = pv_world_def_default();
    def.gravity = (pv_vec2){0, GRAVITY};
    def.substeps = substeps;
    def.joint_iterations = relaxations;
    def.enable_sleep = false;
    pv_world *w = pv_world_create(&def, NULL);
    if (!w) exit(1);
    return w;
}

static void run_world(void *world, long steps) {
    for (; steps > 0; steps--) pv_world_step(world, STEP);
}

static void warm(pv_world *w, int steps) {
    double end = now() + WARM_TIME;
    int done = 0;
    for (; done < steps && now() < end; done++) run_world(w, 1);
    if (done < steps) fprintf(stderr, "speed: no time for more than %d of %d steps\n", done, steps);
}

static void must(pv_status status) {
    if (status == PV_OK) return;
    fprintf(stderr, "speed: %s\n", pv_status_to_string(status));
    exit(1);
}

static pv_particle_id put_particle(pv_world *w, pv_vec2 at, double mass, double radius,
                                   double drag) {
    pv_particle_def def = pv_particle_def_default();
    pv_error error;
    def.position = at;
    def.mass = mass;
    def.radius = radius;
    def.linear_damping = drag;
    pv_particle_id p = pv_particle_create(w, &def, &error);
    must(error.status);
    return p;
}

/* ---- The plain loop: a naive array of structs with all members of the world's particles ---- */

typedef struct grain {
    pv_vec2 position, previous, acceleration;
    double mass, inverse_mass, drag, radius, restitution, static_friction, kinetic_friction;
    void *user_data;
    pv_bounce bounce;
    bool passes;
} grain;

typedef struct stick {
    int a, b;
    double length;
} stick;

typedef struct loop {
    grain *grains;
    stick *sticks;
    int grain_count, stick_count, substeps, relaxations;
} loop;

static void move_grain(grain *g, double h) {
    double d = g->drag * h;
    pv_vec2 x = g->position, was = g->previous;
    if (g->inverse_mass == 0) return;
    g->position.x = (2 - d) * x.x - (1 - d) * was.x + g->acceleration.x * h * h;
    g->position.y = (2 - d) * x.y - (1 - d) * was.y + g->acceleration.y * h * h;
    g->previous = x;
}

/// Relaxes a stick like Jakobsen (2001), section 4, but with masses.
static void relax_stick(grain *a, grain *b, double length) {
    double dx = b->position.x - a->position.x, dy = b->position.y - a->position.y;
    double distance = sqrt(dx * dx + dy * dy);
    double k = (distance - length) / (distance * (a->inverse_mass + b->inverse_mass));
    a->position.x += a->inverse_mass * k * dx;
    a->position.y += a->inverse_mass * k * dy;
    b->position.x -= b->inverse_mass * k * dx;
    b->position.y -= b->inverse_mass * k * dy;
}

static void run_loop(void *state, long steps) {
    loop *l = state;
    double h = STEP / l->substeps;
    for (steps *= l->substeps; steps > 0; steps--) {
        for (int i = 0; i < l->grain_count; i++) move_grain(&l->grains[i], h);
        for (int round = 0; round < l->relaxations; round++)
            for (int i = 0; i < l->stick_count; i++) {
                const stick *s = &l->sticks[i];
                relax_stick(&l->grains[s->a], &l->grains[s->b], s->length);
            }
    }
}

static loop open_loop(int grains, int sticks, int substeps, int relaxations) {
    loop l = {malloc((size_t)grains * sizeof(grain)),
              malloc((size_t)(sticks + 1) * sizeof(stick)),
              0,
              0,
              substeps,
              relaxations};
    if (!l.grains || !l.sticks) exit(1);
    return l;
}

static void close_loop(loop *l) {
    free(l->grains);
    free(l->sticks);
}

/// Adds the same particle to the world and the loop.
static pv_particle_id put_both(pv_world *w, loop *l, pv_vec2 at, double mass, double drag) {
    grain *g = &l->grains[l->grain_count++];
    *g = (grain){.position = at,
                 .previous = at,
                 .acceleration = {0, GRAVITY},
                 .mass = mass,
                 .inverse_mass = mass > 0 ? 1 / mass : 0,
                 .drag = drag,
                 .radius = 1};
    return put_particle(w, at, mass, 1, drag);
}

/* ---- Free particles ---- */

enum { FREE = 100000, FREE_COLUMNS = 400 };

/// Creates free particles. Drag limits their fall, so they never leave the range of a world.
static void put_free(pv_world *w, loop *l) {
    for (int i = 0; i < FREE; i++)
        put_both(w, l, (pv_vec2){4 * (i % FREE_COLUMNS), -4.0 * (i / FREE_COLUMNS)}, 1, 1 + i % 3);
}

static void measure_free(const char *name, int substeps, long steps) {
    loop plain = open_loop(FREE, 0, substeps, 0);
    pv_world *w = open_matter(substeps, 1);
    double times[2];
    put_free(w, &plain);
    measure_steps((subject[]){{run_world, w, NULL}, {run_loop, &plain, NULL}},
                  (long[]){steps, steps}, 2, MEASURE_TIME, times);
    report(&(row){name, "ms", times[0], 0.5 * times[1], times[1], "plain loop"});
    pv_world_destroy(w);
    close_loop(&plain);
}

/* ---- Cloth ---- */

enum { CLOTH = 100, CLOTH_STICKS = 2 * CLOTH * (CLOTH - 1), CLOTH_ROUNDS = 10, PIN_EVERY = 4 };

static const double SPACING = 4;

static void join(pv_world *w, loop *l, const pv_particle_id *all, int a, int b) {
    pv_joint_def def = pv_joint_def_default();
    pv_error error;
    def.a = pv_anchor_particle(all[a]);
    def.b = pv_anchor_particle(all[b]);
    def.length = SPACING;
    pv_joint_create(w, &def, &error);
    must(error.status);
    l->sticks[l->stick_count++] = (stick){a, b, SPACING};
}

/// Creates cloth row by row, each particle with the sticks up and to its left. This order lets the
/// loop wait least for its own results. The cloth hangs from some of the first row.
static void put_cloth(pv_world *w, loop *l, pv_particle_id *all) {
    for (int i = 0; i < CLOTH * CLOTH; i++) {
        int column = i % CLOTH, line = i / CLOTH;
        bool pinned = line == 0 && column % PIN_EVERY == 0;
        all[i] = put_both(w, l, (pv_vec2){SPACING * column, SPACING * line}, pinned ? 0 : 1, 0.3);
        if (line > 0) join(w, l, all, i - CLOTH, i);
        if (column > 0) join(w, l, all, i - 1, i);
    }
}

/// Returns the mean error of the sticks' lengths for given places of their ends [%].
static double stretch(const loop *l, const pv_vec2 *at) {
    double sum = 0;
    for (int i = 0; i < l->stick_count; i++) {
        pv_vec2 a = at[l->sticks[i].a], b = at[l->sticks[i].b];
        sum += fabs(hypot(b.x - a.x, b.y - a.y) - SPACING) / SPACING;
    }
    return 100 * sum / l->stick_count;
}

/// Reports the stretch averaged over four seconds, since cloth swings up and down.
static void report_stretch(pv_world *w, loop *l, const pv_particle_id *all) {
    enum { TIME = 240 };
    static pv_vec2 ours[CLOTH * CLOTH], plain[CLOTH * CLOTH];
    double sums[2] = {0};
    for (int step = 0; step < TIME; step++) {
        run_world(w, 1);
        run_loop(l, 1);
        for (int i = 0; i < l->grain_count; i++) {
            ours[i] = pv_particle_get_position(w, all[i]);
            plain[i] = l->grains[i].position;
        }
        sums[0] += stretch(l, ours) / TIME;
        sums[1] += stretch(l, plain) / TIME;
    }
    report(&(row){.name = "cloth_100x100_10_stretch",
                  .unit = "%",
                  .value = sums[0],
                  .peer = sums[1],
                  .peer_name = "plain loop"});
}

static void measure_cloth(void) {
    static pv_particle_id all[CLOTH * CLOTH];
    loop plain = open_loop(CLOTH * CLOTH, CLOTH_STICKS, 1, CLOTH_ROUNDS);
    pv_world *w = open_matter(1, CLOTH_ROUNDS);
    double times[2], solves = 1e-6 * CLOTH_STICKS * CLOTH_ROUNDS;
    put_cloth(w, &plain, all);
    run_world(w, 30);
    run_loop(&plain, 30);
    measure_steps((subject[]){{run_world, w, NULL}, {run_loop, &plain, NULL}}, (long[]){8, 8}, 2,
                  MEASURE_TIME, times);
    report(&(row){"cloth_100x100_10", "ns", times[0] / solves, 0.6 * times[1] / solves,
                  times[1] / solves, "plain loop"});
    report_stretch(w, &plain, all);
    pv_world_destroy(w);
    close_loop(&plain);
}

/* ---- Scenes without a rival ---- */

/// Measures a world after its warm-up.
static void measure_world(const char *name, pv_world *w, int warm_up) {
    double time;
    warm(w, warm_up);
    measure_steps((subject[]){{run_world, w, NULL}}, (long[]){4}, 1, MEASURE_TIME, &time);
    report(&(row){.name = name, .unit = "ms", .value = time});
    pv_world_destroy(w);
}

/// Draws a bowl of hills: a wave between ends as high as the picture.
static outline draw_hills(int width, int height, double wave) {
    outline o = {pv_mask_create(width, height, NULL, NULL), 0, 0, {{0}}};
    if (!o.mask) exit(1);
    for (int x = 0; x < width; x++) {
        int top = x < 32 || x >= width - 32 ? 0 : (int)(0.75 * height + wave * sin(0.02 * x));
        pv_mask_fill_rect(o.mask, (pv_rect){x, top, 1, height - top}, true);
    }
    return o;
}

/// Creates the hills with the picture's corner at (0, 0).
static void put_hills(pv_world *w, const outline *hills) {
    pv_vec2 at = pv_mask_compute_mass(hills->mask).centroid;
    put(w, PV_BODY_STATIC, hills, at.x, at.y, 0);
}

static void measure_terrain(void) {
    outline hills = draw_hills(1280, 480, 60);
    pv_world *w = open_matter(0, 0);
    put_hills(w, &hills);
    for (int i = 0; i < 5000; i++)
        put_particle(w, (pv_vec2){90 + 11 * (i % 100) + 3 * (i / 100 % 2), 250 - 4.0 * (i / 100)},
                     1, 2, 0.1);
    measure_world("terrain_particles_5000", w, 240);
    outline_free(&hills);
}

/// Opens a world of debris on hills, all of it within reach of the ground.
static pv_world *open_debris(const outline *hills, int particle_substeps) {
    enum { DEBRIS = 100000, DEBRIS_COLUMNS = 2000 };
    pv_world_def def = pv_world_def_default();
    def.gravity = (pv_vec2){0, GRAVITY};
    def.particle_substeps = particle_substeps;
    pv_world *w = pv_world_create(&def, NULL);
    if (!w) exit(1);
    put_hills(w, hills);
    for (int i = 0; i < DEBRIS; i++) {
        double x = 90 + 4 * (i % DEBRIS_COLUMNS), ground = 0.75 * 480 + 60 * sin(0.02 * x);
        put_particle(w, (pv_vec2){x, ground - 3 - 0.5 * (i / DEBRIS_COLUMNS)}, 1, 2, 0.1);
    }
    return w;
}

/// Measures debris with the world's 16 substeps, and with a single one.
static void measure_debris(void) {
    outline hills = draw_hills(8192, 480, 60);
    pv_world *all = open_debris(&hills, 0), *one = open_debris(&hills, 1);
    double times[2];
    warm(all, 20);
    warm(one, 20);
    measure_steps((subject[]){{run_world, all, NULL}, {run_world, one, NULL}}, (long[]){1, 8}, 2,
                  MEASURE_TIME, times);
    report(&(row){.name = "debris_100000_16", .unit = "ms", .value = times[0]});
    report(&(row){"debris_100000_1", "ms", times[1], 0.12 * times[0], times[0], "16 substeps"});
    pv_world_destroy(all);
    pv_world_destroy(one);
    outline_free(&hills);
}

static void put_strand(pv_world *w, pv_body_id head, double radius, double angle) {
    pv_rope_def def = pv_rope_def_default();
    pv_error error;
    double c = cos(angle), s = sin(angle);
    def.from = pv_anchor_body(head, (pv_vec2){(radius + 1) * c, (radius + 1) * s});
    def.to = pv_anchor_world((pv_vec2){(radius + 81) * c, (radius + 81) * s});
    def.to_free = true;
    pv_rope_create(w, &def, &error);
    must(error.status);
}

static void measure_hair(void) {
    enum { STRANDS = 100, RADIUS = 48 };
    outline disc = outline_disc(2 * RADIUS);
    pv_world *w = open_matter(0, 0);
    pv_body_id head = put(w, PV_BODY_KINEMATIC, &disc, 0, 0, 0);
    for (int i = 0; i < STRANDS; i++) put_strand(w, head, RADIUS, 3.1 * (i + 0.5) / STRANDS - 3.12);
    pv_body_set_angular_velocity(w, head, 2);
    measure_world("hair_100", w, 120);
    outline_free(&disc);
}

static void measure_liquid(void) {
    outline bowl = draw_hills(480, 320, 0);
    pv_world *w = open_matter(0, 0);
    pv_error error;
    pv_liquid_def def = pv_liquid_def_default();
    pv_liquid_id liquid = pv_liquid_create(w, &def, &error);
    must(error.status);
    put_hills(w, &bowl);
    for (int i = 0; i < 1500; i++) {
        pv_particle_id p =
            put_particle(w, (pv_vec2){60 + 6 * (i % 60), 230 - 6.0 * (i / 60)}, 1, 2, 0);
        must(pv_liquid_add_particle(w, liquid, p));
    }
    measure_world("liquid_1500", w, 240);
    outline_free(&bowl);
}

static void put_polygon(pv_world *w, pv_vec2 at, int corners) {
    enum { MOST = 8 };
    pv_vec2 points[MOST];
    pv_polygon_def def = pv_polygon_def_default();
    pv_error error;
    for (int i = 0; i < corners && i < MOST; i++) {
        double angle = 2 * 3.14159265358979323846 * (i + 0.5) / corners;
        points[i] = (pv_vec2){at.x + 14 * cos(angle), at.y + 14 * sin(angle)};
    }
    def.points = points;
    def.point_count = corners;
    pv_polygon_create(w, &def, &error);
    must(error.status);
}

static void measure_polygons(void) {
    outline bowl = draw_hills(720, 480, 20);
    pv_world *w = open_matter(0, 0);
    put_hills(w, &bowl);
    for (int i = 0; i < 200; i++)
        put_polygon(w, (pv_vec2){60 + 30 * (i % 20) + 5 * (i / 20 % 2), 300 - 32.0 * (i / 20)},
                    3 + i % 4);
    measure_world("polygons_200", w, 240);
    outline_free(&bowl);
}

void speed_matter(void) {
    measure_cloth();
    measure_free("particles_100000", 1, 8);
    measure_free("particles_100000_16", 16, 1);
    measure_terrain();
    measure_debris();
    measure_hair();
    measure_liquid();
    measure_polygons();
}
