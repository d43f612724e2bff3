/* test_broad.c - pairs from the grids, against a comparison of all bodies with each other.
 *
 * Invariant: pairs come from comparing all boxes, crowds from a ranking, boxes from moving bodies.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/broad_phase.h"
#include "collide/touching_box.h"
#include "collide/wake_near.h"
#include "core/pose.h"
#include "pixverlet/paper.h"
#include "support.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>

#define MOST 300
#define MASKS 6
#define MATES 8 /* pairs that a crowded body keeps */

static const double STEP = 1.0 / 60;

/// World, and the area where its bodies are put
typedef struct field {
    pv_world *world;
    pv_mask *masks[MASKS];
    /// Half the side of the area [px]
    double size;
} field;

static field new_field(pv_contact_mode contacts, double size, const pv_allocator *from) {
    pv_world_def def = WITH(pv_world_def_default(), it.contact_mode = contacts);
    if (from) def.allocator = *from;
    field f = {.world = pv_world_create(&def, NULL), .size = size};
    const int widths[MASKS] = {1, 8, 33, 64, 200, 1500}, heights[MASKS] = {1, 8, 20, 64, 3, 40};
    for (int i = 0; i < MASKS; i++) f.masks[i] = box_mask(widths[i], heights[i]);
    return f;
}

static void free_field(field *f) {
    pv_world_destroy(f->world);
    for (int i = 0; i < MASKS; i++) pv_mask_release(f->masks[i]);
}

static pv_vec2 random_place(const field *f) {
    return pv__vec(any_within(f->size), any_within(f->size));
}

static void add_one(field *f) {
    pv_body_def def =
        WITH(of_type((pv_body_type)any_int(0, 2)),
             it.mask = f->masks[any_int(0, 19) ? any_int(0, MASKS - 2) : MASKS - 1],
             it.position = random_place(f), it.angle = any_int(0, 1) ? any_within(4) : 0,
             it.velocity = pv__vec(any_within(100), any_within(100)),
             it.angular_velocity = any_int(0, 3) ? any_within(3) : any_within(400));
    if (any_int(0, 20) == 0) def.velocity = pv__vec(any_within(1e7), any_within(1e7));
    pv_body_create(f->world, &def, NULL);
}

/// Puts a body to sleep as an island of its own.
static void lull(pv_world *world, int index) {
    pv__body *b = &world->bodies.items[index];
    if (!b->awake) return;
    b->awake = false;
    b->before[0] = b->now[0];
    b->before[1] = b->now[1];
    b->island = index;
    world->bodies.awake_stale = true;
    pv__broad_phase_displace(world, index);
}

static void change_one(field *f) {
    pv_world *world = f->world;
    int i = any_int(0, world->bodies.count - 1);
    pv_body_id name = pv__handle_of_body(world, i);
    if (!pv_body_is_valid(world, name)) {
        add_one(f);
        return;
    }
    switch (any_int(0, 9)) {
    case 0: pv_body_destroy(world, name); break;
    case 1: pv_body_set_position(world, name, random_place(f)); break;
    case 2: pv_body_set_angle(world, name, any_within(4)); break;
    case 3:
        pv_paper_body_set_velocity(world, name, random_place(f), (pv_paper_shift)any_int(0, 1));
        break;
    case 4: pv_body_wake(world, name); break;
    case 5:
        pv_body_apply_force(world, name, pv__mul(pv_body_get_mass(world, name), random_place(f)));
        break;
    case 6:
        pv_body_apply_torque(world, name, 1e4 * any_within(pv_body_get_inertia(world, name)));
        break;
    default: lull(world, i);
    }
}

/// Checks that a body's swept box contains the body in a pose.
static void check_inside(const pv_world *world, int index, pv__pose pose) {
    pv_box in = pv__pose_box(&world->bodies.items[index], pose),
           out = world->broad_phase.grid.places[index].box;
    ck_assert(out.min.x <= in.min.x && out.min.y <= in.min.y && out.max.x >= in.max.x &&
              out.max.y >= in.max.y);
}

/// Moves a free body through its substeps as contours do, and checks its swept box.
static void check_way(const pv_world *world, int index, double ahead) {
    const pv__body *b = &world->bodies.items[index];
    double h = world->dt, lead = 0.5 * (b->verlet_dt0 - h);
    pv_vec2 acceleration = pv__vec(0, 0), velocity = pv__mul(1 / h, pv__pose_chord_of(b).way);
    double spin = pv__pose_chord_of(b).angle / h, twist = b->torque * b->inverse_inertia;
    if (b->type == PV_BODY_DYNAMIC)
        acceleration = pv__mad(world->def.gravity, b->inverse_mass, b->force);
    velocity = pv__mad(velocity, lead, acceleration);
    spin += lead * twist;
    pv__pose pose = b->pose;
    check_inside(world, index, pose);
    for (double t = h; t <= ahead + 0.5 * h; t += h) {
        velocity = pv__mad(velocity, h, acceleration);
        spin += h * twist;
        pose = pv__pose_moved(pose, pv__mul(h, velocity), spin * h);
        check_inside(world, index, pose);
    }
}

static void check_boxes(const pv_world *world, double ahead) {
    for (int i = 0; i < world->bodies.count; i++) {
        const pv__body *b = &world->bodies.items[i];
        if (!pv__body_is_alive(b)) continue;
        check_inside(world, i, b->pose);
        if (b->awake && ahead > 0) check_way(world, i, ahead);
        if (b->awake && !(ahead > 0)) check_inside(world, i, pv__pose_before(b));
        if (b->awake) continue;
        pv_box out = world->broad_phase.grid.places[i].box, in = pv__pose_box(b, b->pose);
        ck_assert(in.min.x - out.min.x < 1.001 && out.max.x - in.max.x < 1.001);
    }
}

static bool meets(const pv_world *world, int i, int j) {
    const pv__body *a = &world->bodies.items[i], *b = &world->bodies.items[j];
    return i != j && pv__body_is_alive(a) && pv__body_is_alive(b) && (a->awake || b->awake) &&
           (a->type == PV_BODY_DYNAMIC || b->type == PV_BODY_DYNAMIC) &&
           pv__boxes_meet(&world->broad_phase.grid.places[i].box,
                          &world->broad_phase.grid.places[j].box);
}

/* ---- crowds, from all pairs ---- */

static pv_box box_of(const pv__body *b) { return pv__touching_box(b, b->pose); }

static double extent_of(double low, double high) { return high > low ? high - low : 0; }

static double shared_area(pv_box a, pv_box b) {
    return extent_of(fmax(a.min.x, b.min.x), fmin(a.max.x, b.max.x)) *
           extent_of(fmax(a.min.y, b.min.y), fmin(a.max.y, b.max.y));
}

static double area_of(pv_box box) { return shared_area(box, box); }

/// Returns the pixels of a body in a box, as if they were spread evenly over the body's own box.
static double pixels_within(const pv__body *b, pv_box box) {
    return b->pixels->area * shared_area(box_of(b), box) /
           fmax(b->pixels->area, area_of(box_of(b)));
}

/// Tells whether a body has too many neighbors, and the movable ones could cover its box twice.
static bool in_a_crowd(const pv_world *world, int i) {
    const pv__body *b = &world->bodies.items[i];
    if (!pv__body_is_alive(b) || b->type != PV_BODY_DYNAMIC) return false;
    int met = 0;
    pv_box box = box_of(b);
    double pixels = pixels_within(b, box), room = 2 * fmax(1, area_of(box));
    for (int j = 0; j < world->bodies.count; j++) {
        if (!meets(world, i, j)) continue;
        met++;
        if (world->bodies.items[j].type == PV_BODY_DYNAMIC)
            pixels += pixels_within(&world->bodies.items[j], box);
    }
    if (met <= MATES) return false;
    if (fabs(pixels / room - 1) < 1e-3)
        return world->broad_phase.crowded &&
               world->broad_phase.crowds[i].full; /* near the limit, both answers are right */
    return pixels > room;
}

/// Returns the distance of two centers as a part of the distance at which they could touch.
static double distance_of(const pv_world *world, int i, int j) {
    const pv__body *a = &world->bodies.items[i], *b = &world->bodies.items[j];
    pv_vec2 off = pv__sub(a->pose.center, b->pose.center);
    return hypot(off.x, off.y) / (a->pixels->reach + b->pixels->reach);
}

/// Tells whether j lies deeper in i than k does; among equals, whether its slot is nearer.
static bool deeper(const pv_world *world, int i, int j, int k) {
    double of_j = distance_of(world, i, j), of_k = distance_of(world, i, k);
    if (of_j != of_k) return of_j < of_k;
    return abs(i - j) != abs(i - k) ? abs(i - j) < abs(i - k) : j < k;
}

/// Tells whether j is among the crowded bodies that lie deepest in i.
static bool is_mate(const pv_world *world, const bool *crowded, int i, int j) {
    int before = 0;
    for (int k = 0; k < world->bodies.count && before < MATES; k++)
        before += crowded[k] && meets(world, i, k) && deeper(world, i, k, j);
    return before < MATES;
}

static bool expected(const pv_world *world, const bool *crowded, int i, int j) {
    return meets(world, i, j) && (!crowded[i] || !crowded[j] || is_mate(world, crowded, i, j) ||
                                  is_mate(world, crowded, j, i));
}

static void check_pairs(const pv_world *world) {
    int n = 0, count = world->bodies.count;
    scoped_memory bool *crowded = calloc((size_t)count + 1, sizeof *crowded);
    for (int i = 0; i < count; i++) crowded[i] = in_a_crowd(world, i);
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++) {
            if (!expected(world, crowded, i, j)) continue;
            ck_assert_msg(n < world->broad_phase.pair_count && world->broad_phase.pairs[n].a == i &&
                              world->broad_phase.pairs[n].b == j,
                          "pair %d should be (%d, %d)", n, i, j);
            n++;
        }
    ck_assert_int_eq(n, world->broad_phase.pair_count);
}

static void check_found(pv_world *world, double ahead) {
    pv__broad_phase_find_pairs(world, ahead);
    check_boxes(world, ahead);
    check_pairs(world);
}

/// Checks that exactly the bodies within 2 px of a body's box wake.
static void check_wake_near(pv_world *world) {
    bool awake[MOST];
    int index = any_int(0, world->bodies.count - 1);
    if (!pv__body_is_alive(&world->bodies.items[index])) return;
    pv_box near =
        WITH(pv__pose_box(&world->bodies.items[index], world->bodies.items[index].pose),
             it.min = pv__sub(it.min, pv__vec(2, 2)), it.max = pv__add(it.max, pv__vec(2, 2)));
    for (int i = 0; i < world->bodies.count; i++) {
        const pv__body *b = &world->bodies.items[i];
        pv_box box = pv__body_is_alive(b) ? pv__pose_box(b, b->pose) : (pv_box){{0, 0}, {0, 0}};
        awake[i] = b->awake || (pv__body_is_alive(b) && b->type != PV_BODY_STATIC &&
                                pv__boxes_meet(&near, &box));
    }
    pv__wake_near(world, index);
    for (int i = 0; i < world->bodies.count; i++)
        ck_assert_int_eq(world->bodies.items[i].awake, awake[i]);
}

static void check_field(pv_contact_mode contacts, double size) {
    field f = new_field(contacts, size, NULL);
    for (int i = 0; i < 150; i++) add_one(&f);
    for (int round = 0; round < 150; round++) {
        for (int i = any_int(0, 60); i > 0; i--) change_one(&f);
        while (f.world->bodies.count < MOST && any_int(0, 1)) add_one(&f);
        if (any_int(0, 1)) check_wake_near(f.world);
        if (any_int(0, 9) == 0) pv__world_retime(f.world, STEP / any_int(1, 64));
        double ahead = contacts == PV_CONTACT_MODE_CONTOURS ? f.world->dt * any_int(1, 16) : 0;
        check_found(f.world, ahead);
        if (any_int(0, 3) == 0) check_found(f.world, ahead);
    }
    free_field(&f);
}

/// Tests crowded areas, wide ones, the whole valid range, and swept boxes.
START_TEST_FOR(fields_are_found, i, 4) {
    const double sizes[] = {100, 3000, PV_MAX_COORDINATE, 1000};
    check_field(i < 3 ? PV_CONTACT_MODE_CONTOURS : PV_CONTACT_MODE_PIXELS, sizes[i]);
}

/// Tests many bodies at one point, and more than are sorted at once.
START_TEST_FOR(many_are_found, i, 2) {
    field f = new_field(PV_CONTACT_MODE_CONTOURS, i ? 1000 : 0, NULL);
    for (int k = 0; k < (i ? 3000 : MOST); k++) add_one(&f);
    for (int k = 0; k < f.world->bodies.count; k += i ? 2 : 3) lull(f.world, k);
    check_found(f.world, STEP);
    free_field(&f);
}

/// Finds pairs between steps of a world while its bodies move and change.
START_TEST_FOR(steps_keep_the_grids, contacts, 2) {
    field f = new_field((pv_contact_mode)contacts, 300, NULL);
    for (int i = 0; i < 60; i++) add_one(&f);
    for (int round = 0; round < ROUNDS(60, 20); round++) {
        for (int i = 0; i < 3; i++) change_one(&f);
        if (round == ROUNDS(30, 10)) pv_world_set_gravity(f.world, pv__vec(0, 1e6));
        pv_world_step(f.world, STEP);
        double ahead = contacts == PV_CONTACT_MODE_CONTOURS ? STEP / any_int(1, 9) : 0;
        if (ahead > 0) pv__world_retime(f.world, ahead / 16);
        check_found(f.world, ahead);
    }
    free_field(&f);
}

START_TEST(forces_beyond_numbers_make_large_boxes) {
    field f = new_field(PV_CONTACT_MODE_CONTOURS, 300, NULL);
    for (int i = 0; i < 40; i++) add_one(&f);
    for (int i = 0; i < f.world->bodies.count; i++) {
        const double bad[] = {1e300, (double)INFINITY, -(double)INFINITY, (double)NAN};
        f.world->bodies.items[i].force = pv__vec(bad[i & 3], bad[i >> 2 & 3]);
        f.world->bodies.items[i].torque = bad[i >> 1 & 3];
    }
    pv__broad_phase_find_pairs(f.world, STEP);
    for (int i = 0; i < f.world->bodies.count; i++)
        check_inside(f.world, i, f.world->bodies.items[i].pose);
    check_pairs(f.world);
    free_field(&f);
}

/// A failed allocation is reported by the step, and the next step finds all pairs.
START_TEST(no_memory_loses_nothing) {
    bool done = false;
    for (long n = 1; !done; n++) {
        scoped_purse p = {0, 0, n};
        pv_allocator from = {purse_alloc, &p};
        chance = 7;
        field f = new_field(PV_CONTACT_MODE_CONTOURS, 100, &from);
        if (f.world) {
            for (int i = 0; i < 100; i++) add_one(&f);
            for (int i = 0; i < f.world->bodies.count; i += 2) lull(f.world, i);
            f.world->out_of_memory = false;
            long before = p.calls;
            pv__broad_phase_find_pairs(f.world, STEP);
            bool failed = before < n && p.calls >= n;
            ck_assert_int_eq(f.world->out_of_memory, failed);
            for (int i = 0; i < 20 && f.world->bodies.count > 0; i++) change_one(&f);
            check_found(f.world, STEP);
        }
        done = p.calls < n;
        free_field(&f);
    }
}

RUN_TESTS("broad")
