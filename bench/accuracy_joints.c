/* accuracy_joints.c - joints under load: chains, welds, pendulums, ropes and bridges.
 *
 * Invariant: every figure is the worst over sizes, ratios of masses, gravities and steps. Random
 * choices of the setting's seed come after the corners of that space.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>

/// Setting of a chain, a weld or a bridge
typedef struct load {
    int parts, rate, rounds;
    double ratio, g;
} load;

static const int rates[] = {30, 60, 144};
static const double pulls[] = {320, 980, 3000};
enum { RATES = 3, PULLS = 3, MOST_PARTS = 64 };

/// Returns the setting of a trial: the corners first, then random ones.
static load load_of(yard *dice, int trial, const int *parts, int kinds, double most_ratio) {
    load l = {parts[trial % kinds], rates[trial / kinds % RATES], 0, most_ratio,
              pulls[trial / kinds / RATES % PULLS]};
    if (trial < kinds * RATES * PULLS) return l;
    l.parts = (int)yard_uniform(dice, parts[0], parts[kinds - 1] + 1);
    l.rate = (int)yard_uniform(dice, 30, 145);
    l.rounds = (int)yard_uniform(dice, 0, 9);
    l.ratio = pow(most_ratio, yard_uniform(dice, 0, 1));
    l.g = yard_uniform(dice, 100, 3000);
    return l;
}

static pv_joint_id join(yard *y, pv_joint_type type, pv_anchor a, pv_anchor b) {
    pv_joint_def def = pv_joint_def_default();
    def.type = type;
    def.a = a;
    def.b = b;
    return pv_joint_create(y->world, &def, NULL);
}

/// Measures the distance between the ends of a joint; NaN for a broken one.
static double gap_of(const yard *y, pv_joint_id joint) {
    pv_anchor p[2];
    if (pv_joint_get_anchors(y->world, joint, p) != PV_OK) return NAN;
    return hypot(p[1].point.x - p[0].point.x, p[1].point.y - p[0].point.y);
}

static double widest(double most, double value) {
    return value <= most ? most : value; /* NaN stays */
}

/// Bodies in a chain, their joints, and their energy when released
typedef struct chain {
    yard y;
    pv_body_id links[MOST_PARTS + 1];
    pv_joint_id joints[MOST_PARTS + 1];
    int count;
    double g, energy, span;
} chain;

static double energy_of(const chain *c) {
    double sum = 0;
    for (int i = 0; i < c->count; i++) {
        double mass = pv_body_get_mass(c->y.world, c->links[i]);
        sum += yard_kinetic_energy(&c->y, c->links[i]) -
               mass * c->g * yard_place(&c->y, c->links[i]).y;
    }
    return sum;
}

static void add_link(chain *c, pv_joint_type type, pv_mask *mask, double at, double middle,
                     double mass) {
    stuff of = plain;
    of.mass = mass;
    pv_body_id link = yard_put(&c->y, PV_BODY_DYNAMIC, mask, middle, 0, 0, of);
    pv_vec2 p = yard_point(&c->y, at, 0);
    pv_body_set_filter(c->y.world, link, (pv_filter){1, 0, -1});
    pv_anchor to = c->count > 0 ? pv_anchor_body(c->links[c->count - 1], p) : pv_anchor_world(p);
    c->joints[c->count] = join(&c->y, type, to, pv_anchor_body(link, p));
    c->links[c->count++] = link;
}

/// Measures the widest gap and the energy gain of a chain of 10 x 4 px links, released level. At
/// its end hangs a disc with the mass of ratio links.
static void chain_gap(const setting *how, const load *l, double *gap, double *gain) {
    chain c = {.y = yard_open_relaxed(how, l->g, l->rounds), .g = l->g};
    for (int i = 0; i < l->parts; i++)
        add_link(&c, PV_JOINT_PIN, mask_box(10, 4), 10 * i, 10 * i + 5, 40);
    add_link(&c, PV_JOINT_PIN, mask_disc(15), 10 * l->parts, 10 * l->parts, 40 * l->ratio);
    double energy = energy_of(&c), drop = 40 * l->ratio * l->g * 10 * l->parts;
    for (int i = 0; i < 3 * l->rate; i++) {
        yard_step(&c.y, 1.0 / l->rate);
        for (int k = 0; k < c.count; k++) *gap = widest(*gap, gap_of(&c.y, c.joints[k]));
        *gain = widest(*gain, 100 * (energy_of(&c) - energy) / drop);
    }
    yard_close(&c.y);
}

static void run_chain(const setting *how, double most_ratio, double *values) {
    static const int parts[] = {2, 5, 10, 20, 40};
    yard dice = yard_open(how, 0);
    values[0] = values[1] = 0;
    for (int i = 0; i < (how->quick ? 8 : 60); i++) {
        load l = load_of(&dice, how->quick ? 7 * i : i, parts, 5, most_ratio);
        chain_gap(how, &l, &values[0], &values[1]);
    }
    yard_close(&dice);
}

/// Measures the greatest sag of welded bars of 20 x 8 px that start level, as a share of their
/// length [%].
static void run_weld(const setting *how, double count, double *values) {
    values[0] = 0;
    for (int i = 0; i < RATES * PULLS; i++) {
        chain c = {.y = yard_open(how, pulls[i / RATES])};
        for (int k = 0; k < count; k++)
            add_link(&c, PV_JOINT_WELD, mask_box(20, 8), 20 * k, 20 * k + 10, 0);
        for (int k = 0; k < 5 * rates[i % RATES]; k++) {
            yard_step(&c.y, 1.0 / rates[i % RATES]);
            double sag = fabs(yard_place(&c.y, c.links[c.count - 1]).y);
            values[0] = widest(values[0], 100 * sag / (20 * count));
        }
        yard_close(&c.y);
    }
}

/// Measures the energy that two bars of 60 x 8 px lose and gain in 30 s, released level. The unit
/// is 1 % of the energy of a drop to the bottom.
static void run_double_pendulum(const setting *given, double unused, double *values) {
    setting how = *given;
    (void)unused;
    how.sleeping = false;
    values[0] = values[1] = 0;
    for (int i = 0; i < RATES * PULLS; i++) {
        chain c = {.y = yard_open(&how, pulls[i / RATES]), .g = pulls[i / RATES]};
        for (int k = 0; k < 2; k++)
            add_link(&c, PV_JOINT_PIN, mask_box(60, 8), 60 * k, 60 * k + 30, 0);
        double was = energy_of(&c), drop = 480 * c.g * (30 + 90);
        for (int k = 0; k < (how.quick ? 4 : 30) * rates[i % RATES]; k++) {
            yard_step(&c.y, 1.0 / rates[i % RATES]);
            double change = 100 * (energy_of(&c) - was) / drop;
            values[0] = widest(values[0], -change);
            values[1] = widest(values[1], change);
        }
        yard_close(&c.y);
    }
}

/// Measures the stretch of a 160 px rope with a particle at its middle and mass ratio at its end.
static void run_rope(const setting *how, double ratio, double *values) {
    values[0] = 0;
    for (int i = 0; i < RATES * PULLS; i++) {
        yard y = yard_open(how, pulls[i / RATES]);
        stuff of = plain;
        of.mass = ratio;
        pv_body_id ball = yard_put(&y, PV_BODY_DYNAMIC, mask_disc(8), 160, 0, 0, of);
        pv_particle_def middle = pv_particle_def_default();
        middle.position = yard_point(&y, 80, 0);
        pv_particle_id p = pv_particle_create(y.world, &middle, NULL);
        pv_joint_id a =
            join(&y, PV_JOINT_ROPE, pv_anchor_world(yard_point(&y, 0, 0)), pv_anchor_particle(p));
        pv_joint_id b = join(&y, PV_JOINT_ROPE, pv_anchor_particle(p),
                             pv_anchor_body(ball, yard_point(&y, 160, 0)));
        for (int k = 0; k < 5 * rates[i % RATES]; k++) {
            yard_step(&y, 1.0 / rates[i % RATES]);
            values[0] = widest(values[0], gap_of(&y, a) + gap_of(&y, b) - 160);
        }
        yard_close(&y);
    }
}

/// Measures the stretch of two to four rope joints of 80 px in all. They connect boxes of mass 1
/// and hold a box of mass ratio, released hanging, slanted or nearly level.
static void run_rope_row(const setting *how, double ratio, double *values) {
    values[0] = 0;
    for (int i = 0; i < 3 * RATES * PULLS * 2; i++) {
        chain c = {.y = yard_open(how, pulls[i / RATES % PULLS])};
        int ropes = 2 + i / RATES / PULLS % 3, size = i < 3 * RATES * PULLS ? 4 : 12;
        double slant = (double[]){0, 0.8, 1.5}[i % 3], way = 80.0 / ropes;
        for (int k = 1; k <= ropes; k++) {
            stuff of = plain;
            pv_vec2 ends[2];
            of.mass = k < ropes ? 1 : ratio;
            for (int e = 0; e < 2; e++) {
                double along = (k - 1 + e) * way;
                ends[e] = yard_point(&c.y, along * sin(slant), along * cos(slant));
            }
            pv_body_id box =
                yard_put(&c.y, PV_BODY_DYNAMIC, k < ropes ? mask_box(size, size) : mask_box(30, 30),
                         k * way * sin(slant), k * way * cos(slant), 0, of);
            pv_body_set_filter(c.y.world, box, (pv_filter){1, 0, -1});
            pv_anchor to =
                k > 1 ? pv_anchor_body(c.links[k - 2], ends[0]) : pv_anchor_world(ends[0]);
            c.joints[k - 1] = join(&c.y, PV_JOINT_ROPE, to, pv_anchor_body(box, ends[1]));
            c.links[k - 1] = box;
        }
        for (int k = 0; k < 3 * rates[i % RATES]; k++) {
            double longer = 0;
            yard_step(&c.y, 1.0 / rates[i % RATES]);
            for (int e = 0; e < ropes; e++) longer += widest(0, gap_of(&c.y, c.joints[e]) - way);
            values[0] = widest(values[0], longer);
        }
        yard_close(&c.y);
    }
}

/// Puts a block of 40 px on a bridge. Measures the widest gap of a hinge, and 1 if the block falls
/// through.
static void bridge(const setting *how, const load *l, double *values) {
    yard y = yard_open(how, l->g);
    pv_bridge_def def = pv_bridge_def_default();
    stuff of = plain;
    of.mass = 120 * l->ratio;
    def.mask = mask_box(20, 6);
    def.from = yard_point(&y, -10 * l->parts, 0);
    def.to = yard_point(&y, 10 * l->parts, 0);
    def.plank_count = l->parts;
    pv_composite_id planks = pv_bridge_create(y.world, &def, NULL);
    pv_mask_release(def.mask);
    pv_body_id block = yard_put(&y, PV_BODY_DYNAMIC, mask_box(40, 40), 0, -23.1, 0, of),
               list[MOST_PARTS];
    pv_joint_id hinges[MOST_PARTS + 1];
    int bodies = pv_composite_get_bodies(y.world, planks, list, MOST_PARTS);
    int joints = pv_composite_get_joints(y.world, planks, hinges, MOST_PARTS + 1);
    for (int i = 0; i < 4 * l->rate; i++) {
        double lowest = -INFINITY;
        yard_step(&y, 1.0 / l->rate);
        for (int k = 0; k < bodies; k++) lowest = fmax(lowest, yard_place(&y, list[k]).y);
        for (int k = 0; k < joints; k++) values[0] = widest(values[0], gap_of(&y, hinges[k]));
        values[1] = widest(values[1], yard_place(&y, block).y + 20 > lowest + 6 ? 1 : 0);
    }
    yard_close(&y);
}

static void run_bridge(const setting *given, double most_ratio, double *values) {
    static const int parts[] = {6, 10, 16, 24};
    setting how = *given;
    how.turn = 0; /* a block would slide off */
    yard dice = yard_open(&how, 0);
    values[0] = values[1] = 0;
    for (int i = 0; i < (how.quick ? 5 : 48); i++) {
        load l = load_of(&dice, how.quick ? 9 * i : i, parts, 4, most_ratio);
        bridge(&how, &l, values);
    }
    yard_close(&dice);
}

/// Measures a ball that hangs by a chain from a trolley that starts and stops at 100 px/s. The ball
/// should lag and swing like a pendulum.
static void run_trolley(const setting *how, double ratio, double *values) {
    const double g = 320, length = 100, speed = 100;
    values[0] = 0;
    for (int i = 0; i < RATES; i++) {
        chain c = {.y = yard_open(how, g)};
        yard *y = &c.y;
        pv_body_id trolley = yard_put(y, PV_BODY_KINEMATIC, mask_box(20, 10), 0, -5, 0, plain);
        pv_body_set_filter(y->world, trolley, (pv_filter){1, 0, -1});
        pv_body_id last = trolley, ball = trolley;
        for (int k = 0; k <= 10; k++) {
            stuff of = plain;
            of.mass = k < 10 ? 40 : 40 * ratio;
            ball = yard_put(y, PV_BODY_DYNAMIC, k < 10 ? mask_box(4, 10) : mask_disc(4), 0,
                            k < 10 ? 10 * k + 5 : length, 0, of);
            pv_body_set_filter(y->world, ball, (pv_filter){1, 0, -1});
            join(y, PV_JOINT_PIN, pv_anchor_body(last, yard_point(y, 0, 10 * k)),
                 pv_anchor_body(ball, yard_point(y, 0, 10 * k)));
            last = ball;
        }
        double lag = 0, swing = 2 * asin(speed / 2 / sqrt(g * length));
        yard_push(y, trolley, speed, 0, 0);
        for (int k = 0; k < 2 * rates[i]; k++) {
            yard_step(y, 1.0 / rates[i]);
            lag = fmax(lag, fabs(yard_place(y, ball).x - yard_place(y, trolley).x));
        }
        values[0] = widest(values[0], 100 * fabs(lag / (length * sin(swing)) - 1));
        yard_close(y);
    }
}

const test tests_joints[] = {
    {"chain_1000", run_chain, 1000, {{"gap", "px", 2}, {"gain", "%", 0.5}}, false, false},
    {"chain_30", run_chain, 30, {{"gap", "px", 0.5}, {"gain", "%", 5}}, false, true},
    {"chain_even", run_chain, 1, {{"gap", "px", 0.5}, {"gain", "%", 0.5}}, false, false},
    {"weld_20", run_weld, 20, {{"sag", "%", 1}}, false, false},
    {"double_pendulum",
     run_double_pendulum,
     0,
     {{"lost", "%", 2}, {"gained", "%", 0.2}},
     false,
     false},
    {"rope_1000", run_rope, 1000, {{"longer", "px", 1.6}}, false, false},
    {"rope_10000", run_rope, 10000, {{"longer", "px", 1.6}}, false, true},
    {"rope_row_1000", run_rope_row, 1000, {{"longer", "px", 0.8}}, false, true},
    {"rope_row_10000", run_rope_row, 1e4, {{"longer", "px", 0.8}}, false, false},
    {"rope_row_100000", run_rope_row, 1e5, {{"longer", "px", 0.8}}, false, false},
    {"bridge_1000", run_bridge, 1000, {{"gap", "px", 2}, {"through", "", 0}}, false, false},
    {"trolley", run_trolley, 100, {{"lag", "%", 3}}, false, false},
    {0},
};
