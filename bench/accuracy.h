/* accuracy.h - the ladder: worlds whose outcome a formula knows, and how far from it they end.
 *
 * Invariant: everything goes through the public interface, on masks; every figure is the better the
 * smaller it is, and a test knows its setting only: the same one gives the same figures.
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

/// Steps a second, and gravity [px/s^2].
#define HZ 60
#define GRAVITY 320.0

enum { MOST_FIGURES = 4 };

/// How a test is run.
typedef struct setting {
    /// The whole scene with its gravity, about the origin [rad]
    double turn;
    uint64_t seed;
    bool sleeping;
    bool quick;
} setting;

/// A figure of a test: its row is called NAME, or TEST_NAME where the test has several.
typedef struct figure {
    const char *name, *unit;
    /// The most that passes
    double bound;
} figure;

/// A test of the ladder.
typedef struct test {
    const char *name;
    /// Fills a value for each figure; NaN fails.
    void (*run)(const setting *setting, double parameter, double *values);
    /// Handed to run
    double parameter;
    figure figures[MOST_FIGURES];
    /// Run with sleeping on as well, then the seconds until all sleep are a figure, <= 10
    bool rests;
    /// Left out by --quick
    bool slow;
} test;

/* The tests, a table to each file that ends with an entry without name. */
/// accuracy_rest.c: stacks, pyramids, arch, cards, heavy on light, dominoes
extern const test tests_rest[];
/// accuracy_friction.c: ramps, slides, rolling
extern const test tests_friction[];
/// accuracy_impact.c: drops, pairs, lines, corners
extern const test tests_impact[];
/// accuracy_piles.c: heaps of concave things and sticks, stirring, spawning
extern const test tests_piles[];
/// accuracy_motion.c: bullets, tiles, free spin
extern const test tests_motion[];
/// accuracy_matter.c: particles, constraints, polygons
extern const test tests_matter[];
/// accuracy_meet.c: two bodies that meet at speed: nothing hangs, momentum stays
extern const test tests_meet[];
/// accuracy_thin.c: small sprites against thin lines: nothing passes
extern const test tests_thin[];
/// accuracy_crowd.c: many bodies at one point: every step is bounded
extern const test tests_crowd[];
/// accuracy_pixel.c: the contacts by pixels: no energy is gained, no row of tiles is a hurdle
extern const test tests_pixel[];
/// accuracy_settle.c: bodies placed edge to edge or dropped on each other: no speed out of thin air
extern const test tests_settle[];
/// accuracy_heaps.c: heaps and stacks at any step and gravity
extern const test tests_heaps[];
/// accuracy_steps.c: heaps at any step and gravity, and what may not fall asleep
extern const test tests_steps[];
/// accuracy_mover.c: characters: crushes, ledges, steep slopes
extern const test tests_mover[];
/// accuracy_joints.c: chains, welds, ropes and bridges under load
extern const test tests_joints[];
/// accuracy_squeeze.c: between kinematic walls; very fast at one-way platforms and on joints
extern const test tests_squeeze[];

/* ---- accuracy_yard.c: a world as the ladder has it, and things to put in ---- */

/// Where a test plays. Places and directions are those of the scene before its turn.
typedef struct yard {
    pv_world *world;
    const setting *setting;
    pv_rotation turn;
    uint64_t random;
    /// Stepped [s]
    double time;
    /// When all dynamic bodies slept last, since when they do; INFINITY while one is awake [s]
    double asleep;
    /// When the last body was put in [s]
    double filled;
    /// Offset of the whole scene after its turn, a fraction of a pixel by seed; none for seed 1
    pv_vec2 shift;
} yard;

/// What a body is made of; the same for static and kinetic friction unless said.
typedef struct stuff {
    double restitution, static_friction, kinetic_friction;
    /// 0: the pixels' area
    double mass;
    /// Resistance [px]
    double rolling;
} stuff;

/// The ladder's material: friction 0.6, restitution 0.
extern const stuff plain;

/// Opens a world of the setting with gravity g downwards [px/s^2]; ends the program without memory.
yard yard_open(const setting *setting, double g);
/// Opens one with so many rounds over constraints per substep; 0 for the default.
yard yard_open_relaxed(const setting *setting, double g, int relaxations);
/// The same with contacts by pixels
yard yard_open_pixels(const setting *setting, double g);
void yard_close(yard *yard);
/// Puts a body with a mask, whose reference it takes, at a place of the scene.
pv_body_id yard_put(yard *yard, pv_body_type type, pv_mask *mask, double x, double y, double angle,
                    stuff of);
/// Steps once [s].
void yard_step(yard *yard, double dt);
/// Steps for a time [s].
void yard_run(yard *yard, double seconds);
/// A point and a direction of the scene in the world.
pv_vec2 yard_point(const yard *yard, double x, double y);
pv_vec2 yard_direction(const yard *yard, double x, double y);
/// A point of the world in the scene.
pv_vec2 yard_seen(const yard *yard, pv_vec2 point);
/// Position and velocity in the scene.
pv_vec2 yard_place(const yard *yard, pv_body_id body);
pv_vec2 yard_velocity(const yard *yard, pv_body_id body);
/// Sets velocity and spin
pv_status yard_push(yard *yard, pv_body_id body, double vx, double vy, double spin);
/// The next number of the setting's seed, in [low, high).
double yard_uniform(yard *yard, double low, double high);
/// Of a body's motion and spin [mass px^2/s^2].
double yard_kinetic_energy(const yard *yard, pv_body_id body);
/// Speed of the fastest dynamic body [px/s].
double yard_top_speed(const yard *yard);
/// rms speed of all dynamic bodies [px/s].
double yard_rms_speed(const yard *yard);

/// Pixels that bodies share, pair by pair, on exact rasters; pairs within 1 px count as touching.
typedef struct sharing {
    int64_t most, sum;
    int touching;
} sharing;
sharing yard_sharing(const yard *yard);

/// The longest that any world closed since the last call took to sleep after it was filled; only
/// worlds of settings with sleeping count. INFINITY when one did not, NaN when there was none [s].
double yards_slept_after(void);

/* ---- accuracy_masks.c: sprites drawn by formula: a pixel is solid when its center is inside ----
 * */

pv_mask *mask_box(int w, int h);
pv_mask *mask_disc(double radius);
/// A convex or concave polygon of points in a picture of w x h px.
pv_mask *mask_polygon(int w, int h, const pv_vec2 *points, int count);
pv_mask *mask_star(int size);
pv_mask *mask_letter_c(int size);
pv_mask *mask_letter_l(int size);
pv_mask *mask_ring(int size);
pv_mask *mask_gear(int size);

#endif
