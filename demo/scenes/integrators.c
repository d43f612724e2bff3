/* integrators.c - a point on a spring orbits, stepped in four ways with even or uneven steps, over
 * the exact ellipse.
 *
 * Invariant: no particle moves by itself. Particles only show present and past places of motions.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixverlet/paper.h"
#include "scenes/scenes.h"

#include <math.h>
#include <stdio.h>

#define PANELS 6
#define CURVE 120
#define TRACK 180

/// Number of steps until all motions start again
#define STEPS 900

/// Size of a panel, and half axes of the exact ellipse [px]
static const double width = 1280 / 3.0, height = 348, wide = 170, high = 100;

/// Angular frequency of the spring [1/s]
static const double omega = 6;

/// Place of hidden particles [px]
static const pv_vec2 aside = {-400, -400};

struct panel {
    const char *name;
    uint32_t color;
    pv_paper_integrator integrator;
    bool uneven;
};

static const struct panel panels[PANELS] = {
    {"explicit Euler", 0xff5a4cff, PV_PAPER_INTEGRATOR_EULER, false},
    {"semi-implicit Euler", 0xffa53cff, PV_PAPER_INTEGRATOR_SYMPLECTIC, false},
    {"Verlet", 0x6ee08cff, PV_PAPER_INTEGRATOR_VERLET, false},
    {"corrected Verlet", 0x58c8ffff, PV_PAPER_INTEGRATOR_CORRECTED_VERLET, false},
    {"Verlet, uneven steps", 0xff5a4cff, PV_PAPER_INTEGRATOR_VERLET, true},
    {"corrected, uneven steps", 0x58c8ffff, PV_PAPER_INTEGRATOR_CORRECTED_VERLET, true},
};

/// Motion of a panel
struct ride {
    pv_paper_motion motion;
    /// Time of the motion [s]
    double time;
    pv_particle_id track[TRACK], exact, head;
};

struct memory {
    int steps;
    struct ride rides[PANELS];
};

static pv_vec2 middle_of(int panel) {
    return (pv_vec2){width * (panel % 3 + 0.5), height * (panel / 3 + 0.5) + 20};
}

/// Returns the exact place of the point at a time, relative to the middle of a panel.
static pv_vec2 exact_at(double time) {
    pv_rotation r = pv_rotation_from_angle(omega * time);
    return (pv_vec2){wide * r.c, high * r.s};
}

/* ---- building ---- */

static pv_particle_id add_dot(struct stage *stage, pv_composite_id matter, pv_vec2 at,
                              double radius) {
    pv_particle_def def = pv_particle_def_default();
    def.position = at;
    def.radius = radius;
    def.mass = 0;
    def.collides = false;
    pv_particle_id dot = pv_particle_create(stage->world, &def, NULL);
    pv_composite_add_particle(stage->world, matter, dot);
    return dot;
}

static pv_composite_id add_color(struct stage *stage, uint32_t color) {
    pv_composite_id matter = pv_composite_create(stage->world, NULL);
    stage_paint(stage, matter, (struct stage_paint){.dot = color});
    return matter;
}

static void add_curve(struct stage *stage, pv_vec2 at) {
    pv_composite_id gray = add_color(stage, 0x9098b0ff);
    for (int i = 0; i < CURVE; i++) {
        pv_vec2 p = exact_at(2 * 3.14159265358979323846 / omega * i / CURVE);
        add_dot(stage, gray, (pv_vec2){at.x + p.x, at.y + p.y}, 0.6);
    }
}

static void start(struct ride *ride) {
    ride->motion = (pv_paper_motion){.position = {wide, 0}, .velocity = {0, high * omega}};
    ride->time = 0;
}

static void add_panel(struct stage *stage, int index, struct ride *ride) {
    pv_vec2 at = middle_of(index);
    pv_composite_id color = add_color(stage, panels[index].color),
                    white = add_color(stage, 0xffffffff);
    add_curve(stage, at);
    stage_add_static(stage, "peg", at.x - 8, at.y - 8);
    for (int i = 0; i < TRACK; i++) ride->track[i] = add_dot(stage, color, aside, 1.5);
    ride->exact = add_dot(stage, white, aside, 4);
    ride->head = add_dot(stage, color, aside, 5.5);
    stage_add_label(stage, at.x, at.y - height / 2 + 12, panels[index].name);
    stage_add_label(stage, at.x, at.y + 28, "");
    start(ride);
}

static void setup(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    stage_set_view(stage, 1280, 720);
    stage->backdrop = STAGE_PAPER;
    stage_add_knob(stage, "unevenness", 0, .95, .6);
    for (int i = 0; memory && i < PANELS; i++) add_panel(stage, i, &memory->rides[i]);
}

/* ---- playing ---- */

static bool is_inside(pv_vec2 p) {
    return p.x > -width / 2 && p.x < width / 2 && p.y > 40 - height / 2 && p.y < height / 2;
}

/// Shows a point of a panel if it is inside; otherwise hides it.
static void show(struct stage *stage, pv_particle_id dot, int panel, pv_vec2 p) {
    pv_vec2 at = middle_of(panel);
    pv_particle_set_position(stage->world, dot,
                             is_inside(p) ? (pv_vec2){at.x + p.x, at.y + p.y} : aside);
}

static void step(struct stage *stage, const struct panel *panel, struct ride *ride) {
    double uneven = stage->knobs[0].value,
           h = panel->uneven ? SCENE_STEP * stage_uniform(stage, 1 - uneven, 1 + uneven)
                             : SCENE_STEP;
    pv_vec2 at = ride->motion.position, pull = {-omega * omega * at.x, -omega * omega * at.y};
    ride->motion = pv_paper_motion_step(panel->integrator, ride->motion, pull, h);
    ride->time += h;
}

static void tell_error(struct stage_label *label, pv_vec2 place, pv_vec2 exact) {
    double x = place.x - exact.x, y = place.y - exact.y;
    snprintf(label->text, sizeof label->text, "%.1f px off", sqrt(x * x + y * y));
}

static void show_ride(struct stage *stage, int index, const struct ride *ride, int steps) {
    pv_vec2 place = ride->motion.position, exact = exact_at(ride->time);
    show(stage, ride->track[steps % TRACK], index, place);
    show(stage, ride->exact, index, exact);
    show(stage, ride->head, index, place);
    tell_error(&stage->labels[2 * index + 1], place, exact);
}

static void begin_anew(struct stage *stage, struct memory *memory) {
    memory->steps = 0;
    for (int i = 0; i < PANELS; i++) {
        start(&memory->rides[i]);
        for (int k = 0; k < TRACK; k++)
            pv_particle_set_position(stage->world, memory->rides[i].track[k], aside);
    }
}

static void update(struct stage *stage) {
    struct memory *memory = stage_memory(stage, sizeof *memory);
    if (!memory) return;
    if (memory->steps++ == STEPS) begin_anew(stage, memory);
    for (int i = 0; i < PANELS; i++) {
        step(stage, &panels[i], &memory->rides[i]);
        show_ride(stage, i, &memory->rides[i], memory->steps);
    }
}

const struct scene scene_integrators = {
    "integrators", "four ways to step a motion, beside the exact one", setup, update};
