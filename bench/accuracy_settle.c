/* accuracy_settle.c - bodies placed edge to edge or dropped on each other gain no speed.
 *
 * Invariant: every figure is the worst over random shapes, sizes, angles and speeds that the
 * setting's seed chooses.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>

enum { MOST_BODIES = 64, FLOOR = 4096 };

static const double pi = 3.14159265358979323846;

static double largest(double a, double b) { return isnan(a) || a > b ? a : b; }

static int uniform_int(yard *y, int low, int high) { return (int)yard_uniform(y, low, high + 1); }

static void put_floor(yard *y) {
    yard_put(y, PV_BODY_STATIC, mask_box(FLOOR, 128), 0, 64, 0, plain);
}

/// Returns the setting of a scene of a test, with its own random numbers.
static setting nth(const setting *how, int number) {
    setting own = *how;
    own.seed = how->seed * 1000 + (uint64_t)number;
    return own;
}

/* ---- pictures ---- */

/// Kinds of bodies in a row
enum { BOXES, DISCS, SPRITES };

enum { FORMULAE = 5, OUTLINES = 6, KINDS = FORMULAE + OUTLINES, MOST_POINTS = 12 };

typedef struct outline {
    int count;
    pv_vec2 points[MOST_POINTS];
} outline;

/// Outlines of T, U, a boat, a notched house, a cross and a wedge, in a picture of 8 x 8
static const outline outlines[OUTLINES] = {
    {8, {{0, 0}, {8, 0}, {8, 3}, {5.5, 3}, {5.5, 8}, {2.5, 8}, {2.5, 3}, {0, 3}}},
    {8, {{0, 0}, {2.5, 0}, {2.5, 5}, {5.5, 5}, {5.5, 0}, {8, 0}, {8, 8}, {0, 8}}},
    {4, {{0, 2}, {8, 2}, {6.5, 6}, {1.5, 6}}},
    {9, {{0, 3}, {4, 0}, {8, 3}, {8, 8}, {5, 8}, {5, 5}, {3, 5}, {3, 8}, {0, 8}}},
    {12,
     {{3, 0},
      {5, 0},
      {5, 3},
      {8, 3},
      {8, 5},
      {5, 5},
      {5, 8},
      {3, 8},
      {3, 5},
      {0, 5},
      {0, 3},
      {3, 3}}},
    {3, {{0, 8}, {4, 0}, {8, 8}}},
};

/// Tells whether a pile of a kind stands: flat on flat, with a wide foot.
static bool stands(int kind) { return kind >= FORMULAE && kind < FORMULAE + 3; }

static pv_mask *draw_outline(const outline *from, int size) {
    pv_vec2 points[MOST_POINTS];
    for (int i = 0; i < from->count; i++)
        points[i] = (pv_vec2){from->points[i].x * size / 8, from->points[i].y * size / 8};
    return mask_polygon(size, size, points, from->count);
}

static pv_mask *draw_sprite(int kind, int size) {
    static pv_mask *(*const formulae[FORMULAE])(int) = {mask_star, mask_letter_c, mask_letter_l,
                                                        mask_ring, mask_gear};
    return kind < FORMULAE ? formulae[kind](size) : draw_outline(&outlines[kind - FORMULAE], size);
}

static pv_mask *draw_some(yard *y, int class, int least) {
    if (class == BOXES) return mask_box(uniform_int(y, least, 64), uniform_int(y, least, 64));
    if (class == DISCS) return mask_disc(uniform_int(y, least, 64) / 2.0);
    return draw_sprite(uniform_int(y, 0, KINDS - 1), uniform_int(y, 24, 64));
}

/* ---- pictures laid pixel to pixel ---- */

typedef struct laid {
    pv_mask *mask;
    /// Place of its upper left pixel
    int x, y;
} laid;

typedef struct layout {
    laid all[MOST_BODIES];
    int count;
} layout;

static bool shares(const layout *in, const pv_mask *mask, int x, int y) {
    for (int i = 0; i < in->count; i++) {
        const laid *l = &in->all[i];
        if (pv_mask_test_overlap(l->mask, mask, x - l->x, y - l->y)) return true;
    }
    return false;
}

/// Slides a picture in, from the right or from above, until one more pixel would overlap.
static void lay(layout *in, pv_mask *mask, bool column, int aside) {
    int way = 64 * MOST_BODIES;
    for (; way > 0 && !shares(in, mask, column ? aside : way - 1, column ? 1 - way : aside);) way--;
    in->all[in->count++] = (laid){mask, column ? aside : way, column ? -way : aside};
}

/// Creates the i-th body of a layout, at an offset.
static pv_body_id put_laid(yard *y, const layout *from, int i, pv_vec2 at, stuff of) {
    const laid *l = &from->all[i];
    pv_vec2 c = pv_mask_compute_mass(l->mask).centroid;
    return yard_put(y, PV_BODY_DYNAMIC, l->mask, at.x + l->x + c.x, at.y + l->y + c.y, 0, of);
}

/* ---- rows and columns without gravity ---- */

/// Creates a row or a column of one class near the origin, with equal overlaps.
static void put_row(yard *y, int class, int count, double depth) {
    static layout row;
    bool column = yard_uniform(y, 0, 1) < 0.3;
    row.count = 0;
    for (int i = 0; i < count; i++) {
        pv_mask *mask = draw_some(y, class, depth > 0 ? 16 : 8);
        int across = column ? pv_mask_get_width(mask) : pv_mask_get_height(mask);
        lay(&row, mask, column, -across / 2 + uniform_int(y, -1, 1));
    }
    bool whole = yard_uniform(y, 0, 1) < 0.5;
    pv_vec2 at = {whole ? 0 : yard_uniform(y, 0, 1), whole ? 0 : yard_uniform(y, 0, 1)};
    for (int i = 0; i < count; i++) {
        double x = column ? 0 : -depth * i, down = column ? depth * i : 0;
        put_laid(y, &row, i, (pv_vec2){at.x + x, at.y + down}, plain);
    }
}

/// Measures the greatest speed from 1 s to 5 s, and the most pixels that a pair shares then.
static void run_flush(const setting *how, double class, double *values) {
    values[0] = values[1] = 0;
    for (int i = 0; i < (how->quick ? 6 : 20); i++) {
        setting own = nth(how, i);
        yard y = yard_open(&own, 0);
        put_row(&y, (int)class, uniform_int(&y, 2, 20), 0);
        for (int step = 0; step < 5 * HZ; step++) {
            yard_step(&y, 1.0 / HZ);
            if (y.time >= 1) values[0] = largest(yard_top_speed(&y), values[0]);
        }
        values[1] = largest((double)yard_sharing(&y).most, values[1]);
        yard_close(&y);
    }
}

/// Measures the greatest speed at any time, and the most pixels that a pair shares after 5 s.
static void run_deep(const setting *how, double class, double *values) {
    values[0] = values[1] = 0;
    for (int i = 0; i < (how->quick ? 6 : 20); i++) {
        setting own = nth(how, i);
        yard y = yard_open(&own, 0);
        int count = uniform_int(&y, 2, 10);
        put_row(&y, (int)class, count, yard_uniform(&y, 0.5, 4));
        for (int step = 0; step < 5 * HZ; step++) {
            yard_step(&y, 1.0 / HZ);
            values[0] = largest(yard_top_speed(&y), values[0]);
        }
        values[1] = largest((double)yard_sharing(&y).most, values[1]);
        yard_close(&y);
    }
}

/* ---- six of a sprite ---- */

enum { PILED = 6 };

/// Piles up six of one sprite, the lowest on the floor.
static void put_pile(yard *y, int kind, pv_body_id bodies[PILED]) {
    static layout pile;
    pv_mask *mask = draw_sprite(kind, uniform_int(y, 12, 64));
    pv_rect solid = pv_mask_compute_bounds(mask);
    put_floor(y);
    pile.count = 0;
    for (int i = 0; i < PILED; i++)
        lay(&pile, pv_mask_retain(mask), true, -pv_mask_get_width(mask) / 2);
    for (int i = 0; i < PILED; i++)
        bodies[i] = put_laid(y, &pile, i, (pv_vec2){0, -(solid.y + solid.h)}, plain);
    pv_mask_release(mask);
}

/// Measures the greatest upward speed before a pile has time to topple. For kinds that stand it
/// also measures the greatest speed in 2 s.
static void watch_pile(const setting *how, int kind, double g, double values[2]) {
    pv_body_id bodies[PILED];
    double early = 0.25 * sqrt(320 / g);
    yard y = yard_open(how, g);
    put_pile(&y, kind, bodies);
    while (y.time < (stands(kind) ? 2 : early)) {
        yard_step(&y, 1.0 / HZ);
        if (stands(kind)) values[1] = largest(yard_top_speed(&y), values[1]);
        for (int i = 0; i < PILED && y.time < early; i++)
            values[0] = largest(-yard_velocity(&y, bodies[i]).y, values[0]);
    }
    yard_close(&y);
}

static void run_piled(const setting *how, double g, double *values) {
    values[0] = values[1] = 0;
    for (int i = 0; i < (how->quick ? 2 : 8) * KINDS; i++) {
        setting own = nth(how, i);
        watch_pile(&own, i % KINDS, g, values);
    }
}

/* ---- flush stacks ---- */

/// Returns the greatest error of a stacked box's height after 10 s, or once all sleep [px].
static double stack_off(const setting *how, int count, int side, double scale, double g) {
    pv_body_id bodies[MOST_BODIES];
    double most = 0, real = side * scale;
    yard y = yard_open(how, g);
    put_floor(&y);
    for (int i = 0; i < count; i++) {
        bodies[i] =
            yard_put(&y, PV_BODY_DYNAMIC, mask_box(side, side), 0, -(i + 0.5) * real, 0, plain);
        pv_body_set_scale(y.world, bodies[i], (pv_vec2){scale, scale});
    }
    while (y.time < 9.99 && isinf(y.asleep)) yard_run(&y, 1);
    for (int i = 0; i < count; i++)
        most = largest(fabs(yard_place(&y, bodies[i]).y + (i + 0.5) * real), most);
    yard_close(&y);
    return most;
}

/// Runs boxes of 8, 32 and 128 px, drawn at that size or scaled up, at two gravities.
static void run_flush_stack(const setting *how, double count, double *values) {
    for (int i = 0; i < 3; i++) {
        int scale = 1 << 2 * i;
        values[i] = 0;
        for (int j = 0; j < (how->quick ? 2 : 4); j++) {
            double g = j % 2 ? 980 : 320;
            double off = j / 2 ? stack_off(how, (int)count, 8, scale, g)
                               : stack_off(how, (int)count, 8 * scale, 1, g);
            values[i] = largest(off, values[i]);
        }
    }
}

/* ---- anvils ---- */

/// Heavy box over light ones on a floor; x = 0 is the middle of the light ones
typedef struct anvil {
    yard yard;
    pv_body_id heavy;
    /// Height of the light bodies, and of the fall onto them [px]
    double height, fall;
    /// Size of the heavy body [px]
    int side;
} anvil;

static void put_light(anvil *a, int side, double x) {
    double down = -a->height - side / 2.0 - 0.01;
    stuff of = plain;
    of.mass = 1;
    yard_put(&a->yard, PV_BODY_DYNAMIC, mask_box(side, side), x, down, 0, of);
}

static void put_heavy(anvil *a, double mass, double x) {
    stuff of = plain;
    of.mass = mass;
    a->heavy = yard_put(&a->yard, PV_BODY_DYNAMIC, mask_box(a->side, a->side), x,
                        -a->height - a->side / 2.0 - a->fall, 0, of);
}

static anvil anvil_open(const setting *how) {
    anvil a = {.yard = yard_open(how, how->seed % 2 ? 320 : 980)};
    a.side = uniform_int(&a.yard, 16, 64);
    a.fall = yard_uniform(&a.yard, 20, 500);
    put_floor(&a.yard);
    return a;
}

/// Returns the greatest upward speed within 2 s of the hit, as a share of the greatest downward
/// one.
static double rebound(anvil *a) {
    double down = 0, up = 0;
    for (double hit = INFINITY; a->yard.time < hit + 2 && a->yard.time < 10;) {
        double v;
        yard_step(&a->yard, 1.0 / HZ);
        v = yard_velocity(&a->yard, a->heavy).y;
        if (v < down && isinf(hit)) hit = a->yard.time;
        down = fmax(down, v);
        up = largest(-v, up);
    }
    return up / down;
}

enum { CENTERED, ASIDE, STACKED, ANVILS };

static double anvil_rebound(const setting *how, double mass, int way) {
    anvil a = anvil_open(how);
    int side = uniform_int(&a.yard, 16, 64),
        count = way == STACKED ? uniform_int(&a.yard, 2, 3) : 1;
    double shift = way == ASIDE ? yard_uniform(&a.yard, -0.2, 0.2) * fmin(side, a.side) : 0;
    for (int i = 0; i < count; i++, a.height += side) put_light(&a, side, 0);
    put_heavy(&a, mass, shift);
    double share = rebound(&a);
    yard_close(&a.yard);
    return share;
}

static void run_anvil(const setting *how, double mass, double *values) {
    for (int way = 0; way < ANVILS; way++) {
        values[way] = 0;
        for (int i = 0; i < (how->quick ? 4 : 12); i++) {
            setting own = nth(how, i);
            values[way] = largest(anvil_rebound(&own, mass, way), values[way]);
        }
    }
}

/// Measures the error of a heavy box's height [px] and angle [degrees], 5 s after its release at
/// 480 px.
static void stand(anvil *a, double mass, double values[2]) {
    a->fall = 480;
    put_heavy(a, mass, 0);
    yard_run(&a->yard, 5);
    double height = -yard_place(&a->yard, a->heavy).y - a->side / 2.0;
    double angle = pv_body_get_angle(a->yard.world, a->heavy) - a->yard.setting->turn;
    values[0] = largest(fabs(height - a->height), values[0]);
    values[1] = largest(fabs(remainder(angle, 2 * pi)) * 180 / pi, values[1]);
    yard_close(&a->yard);
}

/// Drops a heavy box on two of mass 1 side by side, and on a tower of two.
static void run_heavy_lands(const setting *how, double mass, double *values) {
    for (int i = 0; i < 4; i++) values[i] = 0;
    for (int i = 0; i < (how->quick ? 2 : 6); i++) {
        setting own = nth(how, i);
        anvil pair = anvil_open(&own), tower = anvil_open(&own);
        int side = uniform_int(&pair.yard, 8, 24);
        pair.side = uniform_int(&pair.yard, 3 * side, 4 * side);
        for (int j = -1; j <= 1; j += 2) put_light(&pair, side, j * (pair.side - side) / 2.0);
        pair.height = side;
        stand(&pair, mass, values);
        tower.side = uniform_int(&tower.yard, side, 2 * side);
        for (int j = 0; j < 2; j++, tower.height += side) put_light(&tower, side, 0);
        stand(&tower, mass, values + 2);
    }
}

/* ---- small sprites ---- */

enum { SMALL_KINDS = 10, CELL = 6 };

/// Pictures of 3 x 3 px: a plus, an L, a T, a cut corner and a U. Pictures of 4 x 4 px: a disc, a
/// cross, an L, a T and a U.
static const char *const small_pictures[SMALL_KINDS] = {
    " # ### # ",        "#  #  ###",        "### #  # ",        "## ######",
    "# ## ####",        " ## ######## ## ", " ## ######## ## ", "#   #   #   ####",
    "#### ##  ##  ## ", "#  ##  ##  #####"};

static pv_mask *draw_small(int kind) {
    int side = kind < SMALL_KINDS / 2 ? 3 : 4;
    pv_mask *mask = mask_box(side, side);
    for (int i = 0; i < side * side; i++)
        if (small_pictures[kind][i] == ' ') pv_mask_set_pixel(mask, i % side, i / side, false);
    return mask;
}

static void put_wall(yard *y, double x, double down, int w, int h) {
    yard_put(y, PV_BODY_STATIC, mask_box(w, h), x + w / 2.0, down + h / 2.0, 0, plain);
}

/// Drops small sprites into a bucket. Measures the most pixels that a pair shares when all sleep,
/// or after 10 s.
static void run_small(const setting *how, double most, double *values) {
    int count = how->quick ? 100 : (int)most, columns = (int)ceil(sqrt(count));
    setting own = *how;
    own.sleeping = true;
    yard y = yard_open(&own, GRAVITY);
    put_wall(&y, -64, 0, columns * CELL + 128, 64);
    put_wall(&y, -64, -2 * columns * CELL, 64, 2 * columns * CELL);
    put_wall(&y, columns * CELL, -2 * columns * CELL, 64, 2 * columns * CELL);
    for (int i = 0; i < count; i++) {
        double x = (i % columns + 0.5) * CELL, up = (i / columns + 0.5) * CELL;
        pv_mask *mask = draw_small(uniform_int(&y, 0, SMALL_KINDS - 1));
        yard_put(&y, PV_BODY_DYNAMIC, mask, x, -up, yard_uniform(&y, -pi, pi), plain);
    }
    while (y.time < 9.99 && isinf(y.asleep)) yard_run(&y, 1);
    values[0] = (double)yard_sharing(&y).most;
    yard_close(&y);
}

/// Shoots a disc from 50 px away at four that touch pixel to pixel, in many sizes.
static void run_drawn_line(const setting *how, double speed, double *values) {
    const stuff bouncy = {.restitution = 1};
    values[0] = values[1] = 0;
    for (int size = 8; size <= 40; size += how->quick ? 8 : 1) {
        setting own = nth(how, size);
        yard y = yard_open(&own, 0);
        pv_body_id balls[5];
        for (int i = 0; i < 5; i++)
            balls[i] = yard_put(&y, PV_BODY_DYNAMIC, mask_disc(size / 2.0), i * size - (i ? 0 : 50),
                                0, 0, bouncy);
        yard_push(&y, balls[0], speed, 0, 0);
        yard_run(&y, 1.5);
        pv_vec2 last = yard_velocity(&y, balls[4]);
        values[0] = largest(hypot(last.x - speed, last.y), values[0]);
        for (int i = 0; i < 4; i++) {
            pv_vec2 v = yard_velocity(&y, balls[i]);
            values[1] = largest(hypot(v.x, v.y), values[1]);
        }
        yard_close(&y);
    }
}

/* ---- houses of cards ---- */

enum { ROWS = 5, HOUSES = 48, GAPS = 6 };

/// House of cards of 2 x 32 px that lean by 25 degrees
typedef struct house {
    yard yard;
    double gap, pitch;
    pv_body_id top[2];
} house;

static pv_body_id put_card(house *h, int w, double x, double up, double angle) {
    const stuff card = {.static_friction = 0.7, .kinetic_friction = 0.7};
    return yard_put(&h->yard, PV_BODY_DYNAMIC, mask_box(w, 34 - w), x, -up, angle, card);
}

/// Creates row over row, with flat cards on the tips; the last pair is the top.
static void put_house(house *h) {
    double lean = 25 * pi / 180, s = sin(lean), k = cos(lean), floor = 0;
    double across = 16 * s + k + h->gap / 2, half = 16 * k + s;
    for (int row = ROWS; row > 0; row--) {
        for (int i = 0; i < row; i++)
            for (int j = 0; j < 2; j++) {
                double x = h->pitch * (i - (row - 1) / 2.0), side = 2 * j - 1;
                h->top[j] = put_card(h, 2, x + side * across, floor + h->gap + half, -lean * side);
            }
        floor += 2 * (half + h->gap);
        for (int i = 1; i < row; i++) put_card(h, 32, h->pitch * (i - row / 2.0), floor + 1, 0);
        floor += 2;
    }
}

static double moved(const house *h, const pv_vec2 from[2]) {
    double most = 0;
    for (int j = 0; j < 2; j++) {
        pv_vec2 at = yard_place(&h->yard, h->top[j]);
        most = largest(hypot(at.x - from[j].x, at.y - from[j].y), most);
    }
    return most;
}

/// Tells whether the top stays within a pixel from the first second to the twentieth, once the gaps
/// have closed.
static bool house_stands(const setting *how, double gap, double pitch) {
    house h = {.yard = yard_open(how, GRAVITY), .gap = gap, .pitch = pitch};
    pv_vec2 places[2][2];
    yard_put(&h.yard, PV_BODY_STATIC, mask_box(1024, 64), 0, 32, 0,
             (stuff){.static_friction = 0.7, .kinetic_friction = 0.7});
    put_house(&h);
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) places[i][j] = yard_place(&h.yard, h.top[j]);
        if (i == 0) yard_run(&h.yard, 1);
    }
    while (h.yard.time < 19.9 && isinf(h.yard.asleep) && moved(&h, places[1]) <= 1)
        yard_run(&h.yard, 1);
    bool stands = moved(&h, places[1]) <= 1 && moved(&h, places[0]) <= 1 + 3 * ROWS * gap;
    yard_close(&h.yard);
    return stands;
}

/// Counts houses that fall, for gaps of 0.01 to 0.1 px and pitches of 32 to 34 px.
static void run_houses(const setting *how, double unused, double *values) {
    int fell = 0, count = how->quick ? 8 : HOUSES;
    (void)unused;
    for (int i = 0; i < count; i++) {
        int number = i * HOUSES / count;
        double gap = 0.01 + 0.09 * (number % GAPS) / (GAPS - 1);
        double pitch = 32 + 2.0 * (number / GAPS) / (HOUSES / GAPS - 1);
        setting own = nth(how, i);
        fell += !house_stands(&own, gap, pitch);
    }
    values[0] = fell;
}

/* ---- the table ---- */

#define FLUSH(name, class, shared)                                                                 \
    {                                                                                              \
        "flush_" name, run_flush, class, {{"speed", "px/s", 0.05}, {"shared", "px", shared}},      \
            .rests = true                                                                          \
    }

#define DEEP(name, class, shared)                                                                  \
    {                                                                                              \
        "deep_" name, run_deep, class, {{"speed", "px/s", 5}, {"shared", "px", shared}},           \
            .rests = false                                                                         \
    }

#define FLUSH_STACK(count, bound)                                                                  \
    {                                                                                              \
        "flush_stack_" #count, run_flush_stack, count,                                             \
            {{"scale_1", "px", bound}, {"scale_4", "px", bound}, {"scale_16", "px", bound}},       \
            .rests = true                                                                          \
    }

#define ANVIL(mass)                                                                                \
    {                                                                                              \
        "anvil_" #mass, run_anvil, mass,                                                           \
            {{"centered", "of 1", 0.05}, {"aside", "of 1", 0.05}, {"stacked", "of 1", 0.05}},      \
            .rests = false                                                                         \
    }

const test tests_settle[] = {
    FLUSH("boxes", BOXES, 0),
    FLUSH("discs", DISCS, 4),
    FLUSH("sprites", SPRITES, 4),
    DEEP("boxes", BOXES, 0),
    DEEP("discs", DISCS, 4),
    DEEP("sprites", SPRITES, 4),
    {"piled_320", run_piled, 320, {{"jump", "px/s", 5}, {"speed", "px/s", 5}}, .rests = false},
    {"piled_980", run_piled, 980, {{"jump", "px/s", 5}, {"speed", "px/s", 5}}, .rests = false},
    FLUSH_STACK(5, 0.05),
    FLUSH_STACK(10, 0.05),
    FLUSH_STACK(20, 0.1),
    FLUSH_STACK(30, 0.2),
    FLUSH_STACK(50, 0.7),
    ANVIL(1),
    ANVIL(2),
    ANVIL(4),
    ANVIL(10),
    ANVIL(40),
    ANVIL(100),
    ANVIL(400),
    {"heavy_lands",
     run_heavy_lands,
     400,
     {{"pair_sinks", "px", 1.5},
      {"pair_tilt", "degrees", 2},
      {"tower_sinks", "px", 1.5},
      {"tower_tilt", "degrees", 2}},
     .rests = false},
    {"small_200", run_small, 200, {{"shared", "px", 1}}, .rests = false},
    {"small_1000", run_small, 1000, {{"shared", "px", 1}}, .slow = true},
    {"drawn_line",
     run_drawn_line,
     160,
     {{"last", "px/s", 1}, {"others", "px/s", 1}},
     .rests = false},
    {"houses", run_houses, 0, {{"fallen", "of 48", 0}}, .rests = true},
    {.name = NULL},
};
