/* bodies.h - shared by the suites of bodies: memory that is released at the end of a test, boxes,
 * cuts, and sums over pixels and bodies.
 *
 * Invariant: a test that includes this ends with give_back().
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef BODIES_H
#define BODIES_H

#include "pixverlet/paper.h"
#include "support.h"

/// Worlds, masks and memory that the end of a test releases
typedef struct till_end {
    enum { TILL_END_WORLD, TILL_END_MASK, TILL_END_MEMORY } kind;
    void *thing;
} till_end;

static till_end till_ends[1 << 14];
static int till_end_count;

static inline void *keep_till_end(int kind, void *thing) {
    ck_assert_ptr_nonnull(thing);
    ck_assert_int_lt(till_end_count, 1 << 14);
    till_ends[till_end_count++] = (till_end){kind, thing};
    return thing;
}

static inline pv_world *world_till_end(pv_world *w) { return keep_till_end(TILL_END_WORLD, w); }
static inline pv_mask *mask_till_end(pv_mask *m) { return keep_till_end(TILL_END_MASK, m); }
static inline void *memory_till_end(void *m) { return keep_till_end(TILL_END_MEMORY, m); }

/// Releases everything, the last first; every test ends with this.
static inline void give_back(void) {
    while (till_end_count > 0) {
        till_end last = till_ends[--till_end_count];
        if (last.kind == TILL_END_WORLD) pv_world_destroy(last.thing);
        if (last.kind == TILL_END_MASK) pv_mask_release(last.thing);
        if (last.kind == TILL_END_MEMORY) free(last.thing);
    }
}

/// Destroys a world that would last till the end, for loops that make many.
static inline void close_world(pv_world *w) {
    for (int i = till_end_count - 1; i >= 0; i--)
        if (till_ends[i].thing == w) till_ends[i] = till_ends[--till_end_count];
    pv_world_destroy(w);
}

/// Returns a world of a contact mode and a gravity, which lasts till the end of the test. A world
/// that takes its memory from a purse lasts until it is destroyed.
static inline pv_world *mode_world(int contacts, double gravity, purse *from) {
    pv_world_def def = WITH(pv_world_def_default(), it.contact_mode = (pv_contact_mode)contacts,
                            it.gravity = (pv_vec2){0, gravity});
    if (from) def.allocator = (pv_allocator){purse_alloc, from};
    pv_world *w = pv_world_create(&def, NULL);
    ck_assert_ptr_nonnull(w);
    return from ? w : world_till_end(w);
}

/// Returns a world with a gravity [px/s^2] and without sleep, which lasts till the end of the test.
static inline pv_world *awake_world(double x, double y) {
    return world_till_end(plain_world(x, y, false));
}

/// Adds a box of default material that can move; put_static() adds one that cannot.
static inline pv_body_id put_dynamic(pv_world *w, int width, int height, double x, double y) {
    return put(w, box_mask(width, height), x, y, pv_body_def_default());
}

static inline pv_body_id put_static(pv_world *w, int width, int height, double x, double y) {
    return put(w, box_mask(width, height), x, y, of_type(PV_BODY_STATIC));
}

/// Returns a random one of the first 512 bodies; null: there is none.
static inline pv_body_id any_body(const pv_world *w, uint64_t *seed) {
    pv_body_id all[512], b = {0, 0};
    int count = 0;
    while (count < 512 && (b = pv_world_get_next_body(w, b)).index) all[count++] = b;
    return count ? all[(int)(count * next_unit(seed))] : b;
}

/// Counts a body's solid pixels.
static inline int64_t solid_pixels_of(const pv_world *w, pv_body_id b) {
    return pv_mask_count_pixels(pv_body_get_mask(w, b));
}

/// Checks that two places, or two velocities, are less than a distance apart.
#define ck_assert_near(p, q, most) ck_assert_double_lt(vec_distance(p, q), most)

/// Cuts a body, which must succeed.
static inline pv_carve_result cut_out(pv_world *w, pv_body_id b, pv_cut cut) {
    pv_carve_result told;
    ck_assert_int_eq(pv_body_carve(w, b, &cut, &told), PV_OK);
    return told;
}

/// Returns a cut of a box in a body's picture.
static inline pv_cut local_box(double x, double y, double right, double bottom) {
    return WITH(pv_cut_box((pv_vec2){x, y}, (pv_vec2){right, bottom}), it.local = true);
}

/// Sums of mass, momentum, and angular momentum about the origin, over pixels or bodies
typedef struct motion_sums {
    /// Size: sum of the magnitudes added up, to scale tolerances by
    double mass, angular, size;
    pv_vec2 momentum;
} motion_sums;

static inline void add_sums(motion_sums *s, double mass, double inertia, pv_vec2 at,
                            pv_vec2 velocity, double spin) {
    s->mass += mass;
    s->momentum.x += mass * velocity.x;
    s->momentum.y += mass * velocity.y;
    s->angular += mass * (at.x * velocity.y - at.y * velocity.x) + inertia * spin;
    s->size += mass * (hypot(at.x, at.y) + 1) * (hypot(velocity.x, velocity.y) + 1);
}

static inline void add_body_sums(motion_sums *s, const pv_world *w, pv_body_id b) {
    add_sums(s, pv_body_get_mass(w, b), pv_body_get_inertia(w, b), pv_body_get_position(w, b),
             pv_body_get_velocity(w, b), pv_body_get_angular_velocity(w, b));
}

static inline void add_particle_sums(motion_sums *s, const pv_world *w) {
    for (pv_particle_id q = {0, 0}; (q = pv_world_get_next_particle(w, q)).index;)
        add_sums(s, pv_particle_get_mass(w, q), 0, pv_particle_get_position(w, q),
                 pv_particle_get_velocity(w, q), 0);
}

/// Area, inertia and center of a scaled mask; the center is in the mask's picture
typedef struct mask_weight {
    double area, inertia;
    pv_vec2 center;
} mask_weight;

/// Returns them, counted over the pixels that the upright picture covers; scales > 0.
static inline mask_weight count_weight(const pv_mask *m, double sx, double sy) {
    int w = (int)floor(sx * pv_mask_get_width(m) + 0.5),
        h = (int)floor(sy * pv_mask_get_height(m) + 0.5);
    long double n = 0, x = 0, y = 0, xx = 0;
    for (int j = 0; j < (h > 0 ? h : 1); j++)
        for (int i = 0; i < (w > 0 ? w : 1); i++)
            if (pv_mask_get_pixel(m, (int)floor((i + 0.5) / sx), (int)floor((j + 0.5) / sy))) {
                long double u = i + 0.5L, v = j + 0.5L;
                n++, x += u, y += v, xx += u * u + v * v + 1 / 6.0L;
            }
    x /= n, y /= n;
    return (mask_weight){
        (double)n, (double)(xx - n * (x * x + y * y)), {(double)(x / sx), (double)(y / sy)}};
}

/// Checks mass, center, inertia and particles of a body, pixel by pixel.
static inline void check_weight(const pv_world *w, pv_body_id b, double density) {
    pv_transform t = pv_body_get_transform(w, b);
    mask_weight of = count_weight(pv_body_get_mask(w, b), fabs(t.scale.x), fabs(t.scale.y));
    double mass = density * of.area, inertia = density * of.inertia;
    ck_assert_double_eq_tol(pv_body_get_mass(w, b), mass, 1e-9 * mass);
    ck_assert_double_eq_tol(pv_body_get_inertia(w, b), inertia, 1e-9 * inertia);
    ck_assert_near(t.pivot, of.center, 1e-9);
    ck_assert_near(pv_transform_to_world(&t, of.center), pv_body_get_position(w, b), 1e-9);
    pv_paper_particle p[2];
    ck_assert_int_eq(pv_paper_body_get_motion(w, b, p), PV_OK);
    ck_assert_double_eq_tol(vec_distance(p[0].position, p[1].position),
                            2 * sqrt(of.inertia / of.area), 1e-9);
}

/// Returns a snapshot, which lasts till the end of the test.
static inline void *snapshot_till_end(pv_world *w, unsigned flags, size_t *size) {
    size_t capacity = 0;
    pv_world_save(w, flags, NULL, 0, &capacity);
    void *bytes = memory_till_end(malloc(capacity));
    ck_assert_int_eq(pv_world_save(w, flags, bytes, capacity, size), PV_OK);
    return bytes;
}

/// Checks that all of some calls returned the same status.
static inline void all_told(pv_status due, const pv_status *told, size_t count) {
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(told[i] == due, "call %zu: %s", i + 1, pv_status_to_string(told[i]));
}

#define ALL_TOLD(due, ...)                                                                         \
    all_told(due, (const pv_status[]){__VA_ARGS__},                                                \
             sizeof(pv_status[]){__VA_ARGS__} / sizeof(pv_status))

/// Checks that sums have not changed, but for parts of their size.
static inline void check_sums(const motion_sums *was, const motion_sums *is, double part,
                              double turn_part) {
    ck_assert_double_le(fabs(is->mass - was->mass), 1e-9 * was->mass);
    ck_assert_double_le(fabs(is->momentum.x - was->momentum.x), part * (was->size + 1));
    ck_assert_double_le(fabs(is->momentum.y - was->momentum.y), part * (was->size + 1));
    ck_assert_double_le(fabs(is->angular - was->angular), turn_part * (was->size + 1));
}

/// Returns the kinetic energy of some bodies.
static inline double kinetic_energy(const pv_world *w, const pv_body_id *bodies, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        pv_vec2 v = pv_body_get_velocity(w, bodies[i]);
        double spin = pv_body_get_angular_velocity(w, bodies[i]);
        sum += 0.5 * (pv_body_get_mass(w, bodies[i]) * (v.x * v.x + v.y * v.y) +
                      pv_body_get_inertia(w, bodies[i]) * spin * spin);
    }
    return sum;
}

#endif
