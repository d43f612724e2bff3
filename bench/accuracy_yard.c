/* accuracy_yard.c - the world of a test, turned and shifted, and measurements in it.
 *
 * Invariant: tests use coordinates of the unturned scene; only this file converts them.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "accuracy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const stuff plain = {.restitution = 0, .static_friction = 0.6, .kinetic_friction = 0.6};

/// Longest time to sleep of worlds closed since the last yards_slept_after() [s]
static double slept_after = NAN;

static void end_on(pv_status status) {
    fprintf(stderr, "accuracy: %s\n", pv_status_to_string(status));
    exit(2);
}

static pv_vec2 turned(pv_rotation by, double x, double y) {
    return (pv_vec2){by.c * x - by.s * y, by.s * x + by.c * y};
}

static pv_vec2 turned_back(pv_rotation by, pv_vec2 v) {
    return turned((pv_rotation){by.c, -by.s}, v.x, v.y);
}

/* ---- the world ---- */

/// Draws a random number in [0, 1) with xorshift64*.
static double next_unit(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * UINT64_C(2685821657736338717)) >> 11) * 0x1p-53;
}

static yard open_world(const setting *how, double g, pv_world_def def) {
    pv_error error = {0};
    yard y = {.setting = how, .turn = pv_rotation_from_angle(how->turn), .asleep = INFINITY};
    def.gravity = turned(y.turn, 0, g);
    def.enable_sleep = how->sleeping;
    y.world = pv_world_create(&def, &error);
    if (!y.world) end_on(error.status);
    y.random = (how->seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    for (int i = 0; i < 8; i++) next_unit(&y.random);
    if (how->seed != 1) y.shift = (pv_vec2){next_unit(&y.random), next_unit(&y.random)};
    return y;
}

yard yard_open(const setting *how, double g) { return open_world(how, g, pv_world_def_default()); }

yard yard_open_relaxed(const setting *how, double g, int relaxations) {
    pv_world_def def = pv_world_def_default();
    def.joint_iterations = relaxations;
    return open_world(how, g, def);
}

yard yard_open_pixels(const setting *how, double g) {
    pv_world_def def = pv_world_def_default();
    def.contact_mode = PV_CONTACT_MODE_PIXELS;
    return open_world(how, g, def);
}

yard yard_open_elastic(const setting *how) {
    pv_world_def def = pv_world_def_default();
    def.contact_mode = PV_CONTACT_MODE_PIXELS;
    def.restitution_threshold = 0;
    return open_world(how, 0, def);
}

void yard_close(yard *in) {
    double after = in->asleep - in->filled;
    if (in->setting->sleeping && !(slept_after >= after)) slept_after = after;
    pv_world_destroy(in->world);
    in->world = NULL;
}

double yards_slept_after(void) {
    double after = slept_after;
    slept_after = NAN;
    return after;
}

pv_vec2 yard_direction(const yard *in, double x, double y) { return turned(in->turn, x, y); }

pv_vec2 yard_point(const yard *in, double x, double y) {
    pv_vec2 at = turned(in->turn, x, y);
    return (pv_vec2){at.x + in->shift.x, at.y + in->shift.y};
}

pv_vec2 yard_seen(const yard *in, pv_vec2 at) {
    return turned_back(in->turn, (pv_vec2){at.x - in->shift.x, at.y - in->shift.y});
}

pv_body_id yard_put(yard *in, pv_body_type type, pv_mask *mask, double x, double y, double angle,
                    stuff of) {
    pv_body_def def = pv_body_def_default();
    pv_error error = {0};
    def.type = type;
    def.mask = mask;
    def.position = yard_point(in, x, y);
    def.angle = angle + in->setting->turn;
    def.mass = of.mass;
    def.restitution = of.restitution;
    def.static_friction = of.static_friction;
    def.friction = of.kinetic_friction;
    def.rolling_resistance = of.rolling;
    pv_body_id body = pv_body_create(in->world, &def, &error);
    if (error.status != PV_OK) end_on(error.status);
    pv_mask_release(mask);
    in->filled = in->time;
    return body;
}

void yard_step(yard *in, double dt) {
    pv_status status = pv_world_step(in->world, dt);
    if (status != PV_OK) end_on(status);
    in->time += dt;
    if (pv_world_get_stats(in->world).awake > 0)
        in->asleep = INFINITY;
    else if (in->asleep == INFINITY)
        in->asleep = in->time;
}

void yard_run(yard *in, double seconds) {
    long steps = lround(seconds * HZ);
    for (long i = 0; i < steps; i++) yard_step(in, 1.0 / HZ);
}

/* ---- bodies ---- */

pv_vec2 yard_place(const yard *in, pv_body_id body) {
    return yard_seen(in, pv_body_get_position(in->world, body));
}

pv_vec2 yard_velocity(const yard *in, pv_body_id body) {
    return turned_back(in->turn, pv_body_get_velocity(in->world, body));
}

pv_status yard_push(yard *in, pv_body_id body, double vx, double vy, double spin) {
    pv_status status = pv_body_set_velocity(in->world, body, turned(in->turn, vx, vy));
    return status == PV_OK ? pv_body_set_angular_velocity(in->world, body, spin) : status;
}

double yard_uniform(yard *in, double low, double high) {
    return low + (high - low) * next_unit(&in->random);
}

double yard_kinetic_energy(const yard *in, pv_body_id b) {
    pv_vec2 v = yard_velocity(in, b);
    double spin = pv_body_get_angular_velocity(in->world, b);
    return 0.5 * pv_body_get_mass(in->world, b) * (v.x * v.x + v.y * v.y) +
           0.5 * pv_body_get_inertia(in->world, b) * spin * spin;
}

double yard_top_speed(const yard *in) {
    const pv_world *w = in->world;
    double top = 0;
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0}); pv_body_is_valid(w, b);
         b = pv_world_get_next_body(w, b)) {
        pv_vec2 v = pv_body_get_velocity(w, b);
        double speed = hypot(v.x, v.y);
        if (pv_body_get_type(w, b) == PV_BODY_DYNAMIC && !(speed <= top)) top = speed;
    }
    return top;
}

double yard_rms_speed(const yard *in) {
    const pv_world *w = in->world;
    double sum = 0;
    int count = 0;
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0}); pv_body_is_valid(w, b);
         b = pv_world_get_next_body(w, b)) {
        if (pv_body_get_type(w, b) != PV_BODY_DYNAMIC) continue;
        pv_vec2 v = pv_body_get_velocity(w, b);
        sum += v.x * v.x + v.y * v.y;
        count++;
    }
    return count ? sqrt(sum / count) : 0;
}

/* ---- shared pixels ---- */

typedef struct lying {
    pv_placed placed;
    pv_box box;
    bool moves;
} lying;

static int by_left_edge(const void *a, const void *b) {
    const lying *p = a, *q = b;
    return (p->box.min.x > q->box.min.x) - (p->box.min.x < q->box.min.x);
}

/// Returns all bodies sorted by their left edges, and stores their number.
static lying *all_lying(const pv_world *w, int *count) {
    lying *all = calloc((size_t)pv_world_get_stats(w).bodies + 1, sizeof *all);
    if (!all) end_on(PV_ERROR_MEMORY);
    *count = 0;
    for (pv_body_id b = pv_world_get_next_body(w, (pv_body_id){0}); pv_body_is_valid(w, b);
         b = pv_world_get_next_body(w, b))
        all[(*count)++] = (lying){.placed = {pv_body_get_mask(w, b), pv_body_get_transform(w, b)},
                                  .box = pv_body_get_bounds(w, b),
                                  .moves = pv_body_get_type(w, b) == PV_BODY_DYNAMIC};
    qsort(all, (size_t)*count, sizeof *all, by_left_edge);
    return all;
}

static void add_pair(sharing *s, const lying *a, const lying *b) {
    int64_t area = pv_placed_compute_overlap_area(&a->placed, &b->placed);
    pv_distance_result nearest = {.distance = 0};
    if (area == 0 && pv_placed_compute_distance(&a->placed, &b->placed, &nearest) != PV_OK)
        end_on(PV_ERROR_MEMORY);
    s->touching += nearest.distance <= 1;
    s->sum += area;
    if (area > s->most) s->most = area;
}

sharing yard_sharing(const yard *in) {
    sharing s = {0};
    int count;
    lying *all = all_lying(in->world, &count);
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count && all[j].box.min.x <= all[i].box.max.x + 1; j++) {
            const lying *a = &all[i], *b = &all[j];
            if (!a->moves && !b->moves) continue;
            if (a->box.min.y > b->box.max.y + 1 || b->box.min.y > a->box.max.y + 1) continue;
            add_pair(&s, a, b);
        }
    free(all);
    return s;
}
