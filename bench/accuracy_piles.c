/* accuracy_piles.c - heaps of concave sprites and of sticks, a stirred box, sprites spawned inside
 * each other.
 *
 * Invariant: bodies do not overlap at their creation unless a test says so.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>

enum { KINDS = 5, SIZES = 9, SMALLEST = 24, SIZE_STEP = 3, WALL = 64 };

static const double pi = 3.14159265358979323846;

static pv_mask *(*const draw_kind[KINDS])(int) = {mask_star, mask_letter_c, mask_letter_l,
                                                  mask_ring, mask_gear};

static double largest(double a, double b) { return isnan(a) || a > b ? a : b; }

/* ---- creating ---- */

/// Masks of every kind in sizes from 24 to 48 px
typedef struct palette {
    pv_mask *masks[KINDS][SIZES];
} palette;

static palette palette_make(void) {
    palette p;
    for (int k = 0; k < KINDS; k++)
        for (int s = 0; s < SIZES; s++) p.masks[k][s] = draw_kind[k](SMALLEST + SIZE_STEP * s);
    return p;
}

static void palette_free(palette *p) {
    for (int k = 0; k < KINDS; k++)
        for (int s = 0; s < SIZES; s++) pv_mask_release(p->masks[k][s]);
}

/// Returns a random mask of the palette, with a reference for a new body.
static pv_mask *palette_pick(palette *from, yard *in) {
    int kind = (int)yard_uniform(in, 0, KINDS), size = (int)yard_uniform(in, 0, SIZES);
    return pv_mask_retain(from->masks[kind][size]);
}

/// Creates a body with the center of its picture, not its center of mass, at a point.
static pv_body_id put_centered(yard *in, pv_mask *mask, pv_vec2 at, double angle) {
    pv_vec2 c = pv_mask_compute_mass(mask).centroid;
    pv_rotation r = pv_rotation_from_angle(angle);
    double x = c.x - 0.5 * pv_mask_get_width(mask), y = c.y - 0.5 * pv_mask_get_height(mask);
    return yard_put(in, PV_BODY_DYNAMIC, mask, at.x + r.c * x - r.s * y, at.y + r.s * x + r.c * y,
                    angle, plain);
}

/// Creates a static box with its upper left corner at a point.
static void put_wall(yard *in, double x, double y, int w, int h) {
    yard_put(in, PV_BODY_STATIC, mask_box(w, h), x + 0.5 * w, y + 0.5 * h, 0, plain);
}

/// Creates a bucket with the left end of its floor at (0, 0).
static void put_bucket(yard *in, int w, int h) {
    put_wall(in, -WALL, 0, w + 2 * WALL, WALL);
    put_wall(in, -WALL, -h, WALL, h);
    put_wall(in, w, -h, WALL, h);
}

/// Square cells in rows from the bottom up
typedef struct grid {
    int cell, columns;
    /// Height of the lowest row over y = 0 [px]
    double bottom;
} grid;

static pv_vec2 grid_cell(const grid *g, int index) {
    return (pv_vec2){(index % g->columns + 0.5) * g->cell,
                     -g->bottom - (index / g->columns + 0.5) * g->cell};
}

static int grid_width(const grid *g) { return g->columns * g->cell; }

static int grid_top(const grid *g, int count) {
    return (int)g->bottom + (count + g->columns - 1) / g->columns * g->cell;
}

/// Creates sprites in cells, at quarter turns plus up to 0.1 rad. A cell of 54 px holds a sprite of
/// 48 px.
static void put_sprites(yard *in, palette *from, const grid *g, int count) {
    for (int i = 0; i < count; i++) {
        double angle = floor(yard_uniform(in, 0, 4)) * pi / 2 + yard_uniform(in, -0.1, 0.1);
        put_centered(in, palette_pick(from, in), grid_cell(g, i), angle);
    }
}

/* ---- heaps ---- */

/// Pours sprites into a bucket as wide as their grid. Worse rms speed, largest and mean overlap
/// replace the values.
static void pour(const setting *how, const grid *g, int count, double seconds, double values[3]) {
    palette p = palette_make();
    yard y = yard_open(how, GRAVITY);
    put_bucket(&y, grid_width(g), grid_top(g, count));
    put_sprites(&y, &p, g, count);
    yard_run(&y, seconds);
    sharing s = yard_sharing(&y);
    values[0] = largest(yard_rms_speed(&y), values[0]);
    values[1] = largest((double)s.most, values[1]);
    values[2] = largest(s.touching ? (double)s.sum / s.touching : 0, values[2]);
    yard_close(&y);
    palette_free(&p);
}

/// Runs three seeds for each setting, or one in turned or quick settings.
static void heap(const setting *how, double count, double *values) {
    const grid g = {.cell = 54, .columns = 12, .bottom = 100};
    setting one = *how;
    int seeds = how->quick || how->turn != 0 ? 1 : 3;
    for (int i = 0; i < 3; i++) values[i] = 0;
    for (int i = 0; i < seeds; i++) {
        one.seed = 3 * (how->seed - 1) + 1 + (uint64_t)i;
        pour(&one, &g, (int)count, 20, values);
    }
}

/// Runs a heap that drops from 600 px.
static void large_heap(const setting *how, double count, double *values) {
    const grid g = {.cell = 54, .columns = 48, .bottom = 600};
    double figures[3] = {0};
    pour(how, &g, (int)count, 40, figures);
    values[0] = figures[0];
    values[1] = figures[1];
}

/// Runs sticks of 30 px and a given width.
static void sticks(const setting *how, double width, double *values) {
    const grid g = {.cell = 34, .columns = 12, .bottom = 20};
    const int count = 200, w = (int)width;
    yard y = yard_open(how, GRAVITY);
    put_bucket(&y, grid_width(&g), grid_top(&g, count));
    pv_mask *mask = mask_box(30, w);
    for (int i = 0; i < count; i++)
        put_centered(&y, pv_mask_retain(mask), grid_cell(&g, i), yard_uniform(&y, -pi, pi));
    yard_run(&y, 20);
    values[0] = yard_rms_speed(&y);
    values[1] = (double)yard_sharing(&y).most / (30 * w);
    yard_close(&y);
    pv_mask_release(mask);
}

/// Boxes that fall into a bucket of some columns
typedef struct boxes {
    int w, h, count, columns;
} boxes;

/// Drops boxes, almost level in shafts; a worse rms speed after 15 s replaces the value.
static void drop(const setting *how, const boxes *of, double *value) {
    const grid g = {.cell = of->w + 4, .columns = of->columns, .bottom = 20};
    yard y = yard_open(how, GRAVITY);
    put_bucket(&y, grid_width(&g), grid_top(&g, of->count));
    pv_mask *mask = mask_box(of->w, of->h);
    double turn = of->columns > 3 ? pi : 0.15;
    for (int i = 0; i < of->count; i++)
        put_centered(&y, pv_mask_retain(mask), grid_cell(&g, i), yard_uniform(&y, -turn, turn));
    yard_run(&y, 15);
    *value = largest(yard_rms_speed(&y), *value);
    yard_close(&y);
    pv_mask_release(mask);
}

enum { PLANKS, SHAFTS };

/// Drops planks into heaps, or boxes into shafts that are one to three boxes wide.
static void drops(const setting *how, double kind, double *values) {
    static const boxes all[2][4] = {
        [PLANKS] = {{30, 6, 140, 5}, {60, 6, 100, 5}, {30, 3, 100, 5}, {40, 8, 100, 4}},
        [SHAFTS] = {{24, 24, 50, 2}, {12, 12, 57, 3}, {30, 6, 40, 1}, {16, 16, 60, 1}}};
    values[0] = 0;
    for (int i = 0; i < 4; i++) drop(how, &all[(int)kind][i], &values[0]);
}

/* ---- spawning ---- */

enum { SPAWNED = 5, ROOM = 32 };

typedef struct spawned {
    pv_body_id body;
    /// Greatest height
    double top;
} spawned;

/// Returns the speed of the fastest body, less what it gained by falling.
static double top_speed(const yard *in, spawned *all, double g) {
    double top = 0;
    for (int i = 0; i < SPAWNED; i++) {
        pv_vec2 p = yard_place(in, all[i].body), v = yard_velocity(in, all[i].body);
        all[i].top = fmin(all[i].top, p.y);
        top = largest(v.x * v.x + v.y * v.y - 2 * g * (p.y - all[i].top), top);
    }
    return sqrt(top);
}

static void put_spawned(yard *in, spawned *all, int kind, bool turned) {
    double x = yard_uniform(in, 0, 1), y = yard_uniform(in, 0, 1);
    for (int i = 0; i < SPAWNED; i++) {
        pv_mask *mask = draw_kind[kind < KINDS ? kind : i](32);
        double angle = turned ? yard_uniform(in, -pi, pi) : 0;
        all[i] = (spawned){yard_put(in, PV_BODY_DYNAMIC, mask, x, y, angle, plain), y};
    }
}

/// Spawns five bodies at one place, equal or one of each kind, over a floor if there is gravity.
/// Measures their top speed and least overlap in a second, since they touch again on the floor.
static void spawn_one(const setting *how, double g, int kind, bool turned, double values[2]) {
    spawned all[SPAWNED];
    double shared = INFINITY;
    yard y = yard_open(how, g);
    if (g > 0) put_wall(&y, -500, ROOM, 1000, WALL);
    put_spawned(&y, all, kind, turned);
    for (int i = 0; i < HZ; i++) {
        yard_run(&y, 1.0 / HZ);
        shared = fmin(shared, (double)yard_sharing(&y).sum);
        values[1] = largest(top_speed(&y, all, g), values[1]);
    }
    values[0] = largest(shared, values[0]);
    yard_close(&y);
}

static void spawn(const setting *how, double g, double *values) {
    values[0] = values[1] = 0;
    for (int kind = 0; kind <= KINDS; kind++)
        for (int turned = 0; turned < 2; turned++) spawn_one(how, g, kind, turned, values);
}

/* ---- stirring ---- */

enum { MOST_STIRRED = 500, STEPS_A_TURN = 4 * HZ, STEPS_A_LOOK = 3 };

/// Places of bodies, and the work of gravity on them since the start
typedef struct account {
    int count;
    pv_body_id bodies[MOST_STIRRED];
    pv_vec2 places[MOST_STIRRED];
    /// Sums of the steps' work and of its absolute values
    double work, turnover;
    /// Least kinetic energy minus work so far, and the greatest rise above it
    double least, rise;
} account;

/// Accounts for a step under gravity g, in scene coordinates.
static void account_step(account *a, const yard *in, pv_vec2 g) {
    double kinetic = 0, work = 0;
    for (int i = 0; i < a->count; i++) {
        pv_vec2 from = a->places[i], to = a->places[i] = yard_place(in, a->bodies[i]);
        work += pv_body_get_mass(in->world, a->bodies[i]) *
                (g.x * (to.x - from.x) + g.y * (to.y - from.y));
        kinetic += yard_kinetic_energy(in, a->bodies[i]);
    }
    a->work += work;
    a->turnover += fabs(work);
    a->least = fmin(a->least, kinetic - a->work);
    a->rise = largest(kinetic - a->work - a->least, a->rise);
}

static void account_open(account *a, yard *in, palette *from, const grid *g, int count) {
    put_sprites(in, from, g, count);
    *a = (account){.count = 0};
    pv_world *w = in->world;
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0}); pv_body_is_valid(w, b);
         b = pv_world_get_next_body(w, b))
        if (pv_body_get_type(w, b) == PV_BODY_DYNAMIC) {
            a->places[a->count] = yard_place(in, b);
            a->bodies[a->count++] = b;
        }
}

/// Steps with gravity turned by an angle; returns gravity in scene coordinates.
static pv_vec2 step_stirred(yard *in, double angle) {
    pv_vec2 g = {-GRAVITY * sin(angle), GRAVITY * cos(angle)};
    pv_rotation r = in->turn;
    pv_world_set_gravity(in->world, (pv_vec2){r.c * g.x - r.s * g.y, r.s * g.x + r.c * g.y});
    yard_run(in, 1.0 / HZ);
    return g;
}

/// Returns the number of steps: a minute in the first setting, five turns in others, one turn if
/// quick.
static int stir_steps(const setting *how) {
    if (how->quick) return STEPS_A_TURN;
    return how->seed == 1 && how->turn == 0 ? 60 * HZ : 5 * STEPS_A_TURN;
}

/// Runs sprites in a closed box while gravity turns once every 4 s.
static void stir(const setting *how, double count, double *values) {
    static account a;
    const int sprites = how->quick ? 100 : (int)count, steps = stir_steps(how);
    const grid g = {.cell = 54, .columns = (int)ceil(sqrt(sprites))};
    palette p = palette_make();
    yard y = yard_open(how, GRAVITY);
    put_bucket(&y, grid_width(&g), grid_top(&g, sprites));
    put_wall(&y, -WALL, -grid_top(&g, sprites) - WALL, grid_width(&g) + 2 * WALL, WALL);
    account_open(&a, &y, &p, &g, sprites);
    values[1] = 0;
    for (int i = 0; i < steps; i++) {
        account_step(&a, &y, step_stirred(&y, 2 * pi * i / STEPS_A_TURN));
        if (i % STEPS_A_LOOK == 0) values[1] = largest((double)yard_sharing(&y).most, values[1]);
    }
    values[0] = a.rise / a.turnover;
    yard_close(&y);
    palette_free(&p);
}

/* ---- the table ---- */

const test tests_piles[] = {
    {.name = "heap",
     .run = heap,
     .parameter = 200,
     .figures = {{"rms", "px/s", 0.05}, {"overlap", "px", 4}, {"overlap_mean", "px", 0.5}},
     .rests = true},
    {.name = "heap_2000",
     .run = large_heap,
     .parameter = 2000,
     .figures = {{"rms", "px/s", 0.5}, {"overlap", "px", 8}},
     .slow = true},
    {.name = "sticks_1px",
     .run = sticks,
     .parameter = 1,
     .figures = {{"rms", "px/s", 0.05}, {"overlap", "of it", 0.5}},
     .rests = true},
    {.name = "sticks_2px",
     .run = sticks,
     .parameter = 2,
     .figures = {{"rms", "px/s", 0.05}, {"overlap", "of it", 0.5}},
     .rests = true},
    {.name = "planks",
     .run = drops,
     .parameter = PLANKS,
     .figures = {{"rms", "px/s", 0.05}},
     .rests = true},
    {.name = "shafts",
     .run = drops,
     .parameter = SHAFTS,
     .figures = {{"rms", "px/s", 0.05}},
     .rests = true},
    {.name = "spawn_free",
     .run = spawn,
     .parameter = 0,
     .figures = {{"overlap", "px", 0}, {"speed", "px/s", 200}}},
    {.name = "spawn_floor",
     .run = spawn,
     .parameter = GRAVITY,
     .figures = {{"overlap", "px", 0}, {"speed", "px/s", 200}}},
    {.name = "stir",
     .run = stir,
     .parameter = 500,
     .figures = {{"energy", "of work", 1e-4}, {"overlap", "px", 12}}},
    {.name = NULL},
};
