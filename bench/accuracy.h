/* accuracy.h - the ladder: worlds with a known outcome, and their deviation from it.
 *
 * Invariant: tests use only the public interface, with masks. Smaller figures are better. A test
 * depends only on its setting: equal settings give equal figures.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef ACCURACY_H
#define ACCURACY_H

#include <pixverlet.h>

#include <stdbool.h>
#include <stdint.h>

/// Sets restitution, static and kinetic friction of a body.
static inline void set_surface(pv_world *world, pv_body_id body, double restitution,
                               double static_friction, double friction) {
    pv_body_set_restitution(world, body, restitution);
    pv_body_set_friction(world, body, friction);
    pv_body_set_static_friction(world, body, static_friction);
}

/// Steps per second, and gravity [px/s^2]
#define HZ 60
#define GRAVITY 320.0

enum { MOST_FIGURES = 4 };

/// Setting of a run
typedef struct setting {
    /// Angle by which scene and gravity are turned about the origin [rad]
    double turn;
    uint64_t seed;
    bool sleeping;
    bool quick;
} setting;

/// Figure of a test. Its row is called NAME, or TEST_NAME if the test has several.
typedef struct figure {
    const char *name, *unit;
    /// Greatest value that passes
    double bound;
} figure;

/// Test of the ladder
typedef struct test {
    const char *name;
    /// Fills in a value for each figure; NaN fails.
    void (*run)(const setting *setting, double parameter, double *values);
    /// Parameter for run
    double parameter;
    figure figures[MOST_FIGURES];
    /// True if it also runs with sleeping on. The time to sleep is then a figure, at most 10 s
    bool rests;
    /// True if --quick leaves it out
    bool slow;
} test;

/* Tests: one table per file, ended by an entry without a name */
/// accuracy_rest.c: stacks, pyramids, arch, cards, heavy on light, dominoes
extern const test tests_rest[];
/// accuracy_friction.c: ramps, slides, rolling
extern const test tests_friction[];
/// accuracy_impact.c: drops, pairs, lines, corners
extern const test tests_impact[];
/// accuracy_piles.c: heaps of concave bodies and sticks, stirring, spawning
extern const test tests_piles[];
/// accuracy_motion.c: bullets, tiles, free rotation
extern const test tests_motion[];
/// accuracy_matter.c: particles, joints, polygons
extern const test tests_matter[];
/// accuracy_meet.c: two bodies that collide at speed: neither hangs in midair, momentum is kept
extern const test tests_meet[];
/// accuracy_thin.c: small sprites against thin lines: none gets through
extern const test tests_thin[];
/// accuracy_crowd.c: many bodies at one point: their speed stays low
extern const test tests_crowd[];
/// accuracy_pixel.c: pixel contacts: no energy gain, no bumps on flush tiles
extern const test tests_pixel[];
/// accuracy_settle.c: bodies placed edge to edge or dropped on each other gain no speed
extern const test tests_settle[];
/// accuracy_sleepers.c: what hits sleeping bodies keeps its momentum
extern const test tests_sleepers[];
/// accuracy_heaps.c: heaps and stacks at any step and gravity
extern const test tests_heaps[];
/// accuracy_steps.c: slow bodies that must not fall asleep: slides, falls, drifts, swings
extern const test tests_steps[];
/// accuracy_mover.c: characters: crushes, ledges, steep slopes
extern const test tests_mover[];
/// accuracy_joints.c: chains, welds, ropes and bridges under load
extern const test tests_joints[];
/// accuracy_slam.c: sprites on a floor under a slam or a heavy load
extern const test tests_slam[];
/// accuracy_squeeze.c: kinematic walls; high speeds at one-way platforms and on joints
extern const test tests_squeeze[];

/* ---- accuracy_yard.c: a world for a test, and functions to fill it ---- */

/// World of a test. Positions and directions are in coordinates of the unturned scene.
typedef struct yard {
    pv_world *world;
    const setting *setting;
    pv_rotation turn;
    uint64_t random;
    /// Simulated time so far [s]
    double time;
    /// Time at which the last dynamic body fell asleep; INFINITY while one is awake [s]
    double asleep;
    /// Time at which the last body was created [s]
    double filled;
    /// Offset of the turned scene: under a pixel on each axis, from the seed; zero for seed 1
    pv_vec2 shift;
} yard;

/// Material and mass of a body
typedef struct stuff {
    double restitution, static_friction, kinetic_friction;
    /// Mass; 0: area of the pixels
    double mass;
    /// Rolling resistance [px]
    double rolling;
} stuff;

/// Material of the ladder: friction 0.6, restitution 0
extern const stuff plain;

/// Opens a world of the setting with gravity g downward [px/s^2]; exits if memory runs out.
yard yard_open(const setting *setting, double g);
/// Opens a world with a number of joint iterations per substep; 0 for the default.
yard yard_open_relaxed(const setting *setting, double g, int relaxations);
/// Opens a world with pixel contacts.
yard yard_open_pixels(const setting *setting, double g);
/// Opens a world with pixel contacts, without gravity, in which even the slowest bodies bounce.
yard yard_open_elastic(const setting *setting);
void yard_close(yard *yard);
/// Creates a body at a place of the scene; takes over the mask's reference.
pv_body_id yard_put(yard *yard, pv_body_type type, pv_mask *mask, double x, double y, double angle,
                    stuff of);
/// Advances the world by dt [s].
void yard_step(yard *yard, double dt);
/// Steps the world for a time [s].
void yard_run(yard *yard, double seconds);
/// Converts a point or a direction from scene to world coordinates.
pv_vec2 yard_point(const yard *yard, double x, double y);
pv_vec2 yard_direction(const yard *yard, double x, double y);
/// Converts a point from world to scene coordinates.
pv_vec2 yard_seen(const yard *yard, pv_vec2 point);
/// Returns a body's position or velocity in scene coordinates.
pv_vec2 yard_place(const yard *yard, pv_body_id body);
pv_vec2 yard_velocity(const yard *yard, pv_body_id body);
/// Sets velocity and angular velocity.
pv_status yard_push(yard *yard, pv_body_id body, double vx, double vy, double spin);
/// Returns the next random number of the setting's seed, in [low, high).
double yard_uniform(yard *yard, double low, double high);
/// Returns a body's kinetic energy, rotation included [mass px^2/s^2].
double yard_kinetic_energy(const yard *yard, pv_body_id body);
/// Returns the speed of the fastest dynamic body [px/s].
double yard_top_speed(const yard *yard);
/// Returns the rms speed of all dynamic bodies [px/s].
double yard_rms_speed(const yard *yard);

/// Pixels shared by pairs of bodies, from exact rasters; pairs within 1 px count as touching
typedef struct sharing {
    int64_t most, sum;
    int touching;
} sharing;
sharing yard_sharing(const yard *yard);

/// Returns the longest time from filling to sleep among all worlds closed since the last call [s].
/// Only settings with sleeping count. INFINITY means that a world stayed awake, NaN that there was
/// no world.
double yards_slept_after(void);

/* ---- accuracy_masks.c: sprites from formulas: a pixel is solid when its center is inside ---- */

pv_mask *mask_box(int w, int h);
pv_mask *mask_disc(double radius);
/// Draws a polygon, convex or concave, in a picture of w x h px.
pv_mask *mask_polygon(int w, int h, const pv_vec2 *points, int count);
pv_mask *mask_star(int size);
pv_mask *mask_letter_c(int size);
pv_mask *mask_letter_l(int size);
pv_mask *mask_ring(int size);
pv_mask *mask_gear(int size);

#endif
