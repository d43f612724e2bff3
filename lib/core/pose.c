/* pose.c - conversion between poses, velocities and particles of a body.
 *
 * Invariant: a body's particles are pose.center -/+ half_stick * (pose.turn.c, pose.turn.s).
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/pose.h"
#include "core/body_bitmap.h"

pv_vec2 pv__pose_particles_center(const pv_vec2 p[2]) { return pv__mul(0.5, pv__add(p[0], p[1])); }

/// Returns a rotation turned by another one, normalized to length 1.
static inline pv_rotation unit_turned(pv_rotation r, pv_rotation by) {
    pv_rotation t = pv__turned(by, r);
    double k = 1.5 - 0.5 * (t.c * t.c + t.s * t.s);
    return (pv_rotation){k * t.c, k * t.s};
}

pv_rotation pv__pose_turned_by_sine(pv_rotation r, double s) {
    return unit_turned(r, (pv_rotation){sqrt(1.0 - s * s), s});
}

double pv__pose_turn_sine(const pv__body *b) {
    pv_vec2 now = {b->pose.turn.c, b->pose.turn.s}; /* more exact than the particles */
    return pv__cross(pv__sub(b->before[1], b->before[0]), now) / (2.0 * b->half_stick);
}

/// Passes the bitmap of the current pose on to the previous one. The particles that keep that pose
/// may have rounded it to other pixels.
static void pass_bitmap(pv__body *b) {
    pv__bitmap swap = b->pixel_motion->bitmap_before;
    b->pixel_motion->bitmap_before = b->pixel_motion->bitmap_now;
    b->pixel_motion->bitmap_now = swap;
    if (b->pixel_motion->bitmap_before.valid && !pv__bitmap_is_same(b, b->pose, pv__pose_before(b)))
        pv__pose_forget_before(b);
}

void pv__pose_advance_to(pv__body *b, pv__pose pose) {
    b->before[0] = b->now[0];
    b->before[1] = b->now[1];
    if (b->pixel_motion) pass_bitmap(b);
    pv__pose_set(b, pose);
}

pv__pose pv__pose_before(const pv__body *b) {
    pv_vec2 stick = pv__mul(0.5 / b->half_stick, pv__sub(b->before[1], b->before[0]));
    return (pv__pose){pv__pose_particles_center(b->before), {stick.x, stick.y}};
}

pv__pose pv__pose_at(const pv__body *b, double fraction) {
    pv__pose before = pv__pose_before(b);
    pv_rotation f = before.turn, t = b->pose.turn;
    pv_vec2 turn = pv__lerp(pv__vec(f.c, f.s), pv__vec(t.c, t.s), fraction);
    double k = 1.0 / pv__length(turn);
    return (pv__pose){pv__lerp(before.center, b->pose.center, fraction), {k * turn.x, k * turn.y}};
}

pv__pose pv__pose_moved(pv__pose pose, pv_vec2 by, double angle) {
    return (pv__pose){pv__add(pose.center, by), unit_turned(pose.turn, pv__rotation(angle))};
}

void pv__pose_set_motion(const pv_world *world, pv__body *b, pv_vec2 velocity, double spin) {
    double s = pv__rotation(pv__clamp(spin * world->dt, -PV__PI / 2, PV__PI / 2)).s;
    pv__pose before = {
        pv__mad(b->pose.center, -world->dt, velocity),
        pv__pose_turned_by_sine(b->pose.turn, -pv__clamp(s, -PV__MAX_SINE, PV__MAX_SINE))};
    pv__pose_put_stick(b, b->before, before);
    b->verlet_dt0 = 0;
    pv__pose_forget_before(b);
}

/// Adds half a substep of acceleration, because the velocity of a chord belongs to its middle.
pv_vec2 pv__pose_velocity(const pv_world *world, const pv__body *b) {
    pv_vec2 step = pv__sub(b->pose.center, pv__pose_particles_center(b->before));
    return pv__mad(pv__mul(1.0 / world->dt, step), 0.5 * b->verlet_dt0, b->acceleration);
}

double pv__pose_angular_velocity(const pv_world *world, const pv__body *b) {
    return pv__asin(pv__clamp(pv__pose_turn_sine(b), -1, 1)) / world->dt;
}

pv__chord pv__pose_chord_of(const pv__body *b) {
    double s = pv__clamp(pv__pose_turn_sine(b), -PV__MAX_SINE, PV__MAX_SINE);
    return (pv__chord){pv__sub(b->pose.center, pv__pose_particles_center(b->before)), pv__asin(s)};
}

bool pv__world_reserve_by_body(const pv_world *world, void *items, int *capacity, int bodies,
                               size_t size) {
    if (bodies < *capacity) return true;
    int room = pv__later(bodies, world->bodies.capacity);
    return pv__reserve_exactly(&world->def.allocator, items, capacity, room + 1, size);
}

pv_box pv__pose_box(const pv__body *b, pv__pose pose) {
    pv_transform t = pv__body_transform(b, pose);
    return pv_transform_compute_bounds(&t, b->pixels->mask->bits.w, b->pixels->mask->bits.h);
}

pv_box pv__pose_outer_box(const pv__body *b, pv__pose pose) {
    pv_box box = pv__pose_box(b, pose);
    if (b->pixels->hull == b->pixels->mask) return box;
    pv_transform t = pv__body_hull_transform(b, pose);
    const pv__bits *hull = &b->pixels->hull->bits;
    return pv__box_join(box, pv_transform_compute_bounds(&t, hull->w, hull->h));
}

pv_vec2 pv__contact_point_place(const pv_world *world, const pv__manifold *m,
                                const pv__contact_point *p) {
    const pv__body *a = &world->bodies.items[m->a];
    return pv__mad(pv__add(a->pose.center, pv__rotate(a->pose.turn, p->anchor_a)), p->radius_a,
                   p->normal);
}

double pv__contact_point_gap(const pv_world *world, const pv__manifold *m,
                             const pv__contact_point *p) {
    const pv__body *b = &world->bodies.items[m->b];
    pv_vec2 on_b = pv__add(b->pose.center, pv__rotate(b->pose.turn, p->anchor_b));
    return pv__dot(pv__sub(on_b, pv__contact_point_place(world, m, p)), p->normal) - p->radius_b;
}

int pv__world_count_substeps(const pv_world *world, int usual, double dt) {
    double count = usual;
    if (world->def.contact_mode == PV_CONTACT_MODE_CONTOURS)
        count *= dt * 60; /* usual steps per second */
    return count < 1 ? 1 : (int)(count + 0.5);
}

bool pv__world_has_matter(const pv_world *world) {
    return world->matter.particles.living > 0 || world->matter.constraint_pool.living > 0 ||
           world->matter.force_pool.living > 0;
}

pv_box pv__polygon_box(const pv_world *world, const pv__polygon *q) {
    const pv_vec2 *now = world->matter.particles.now;
    pv_box box = {now[q->corners[0]], now[q->corners[0]]};
    for (int i = 1; i < q->corner_count; i++) pv__enclose(&box, now[q->corners[i]]);
    return box;
}

pv_vec2 pv__polygon_center(const pv_world *world, const pv__polygon *q) {
    pv_vec2 center = {0, 0};
    for (int i = 0; i < q->corner_count; i++)
        center = pv__mad(center, q->shares[i], world->matter.particles.now[q->corners[i]]);
    return center;
}

pv_rotation pv__polygon_rotation(const pv_world *world, const pv__polygon *q) {
    pv_vec2 turn = {0, 0}, center = pv__polygon_center(world, q);
    for (int i = 0; i < q->corner_count; i++) {
        pv_vec2 r = pv__sub(world->matter.particles.now[q->corners[i]], center);
        turn =
            pv__mad(turn, q->shares[i], pv__vec(pv__dot(q->rest[i], r), pv__cross(q->rest[i], r)));
    }
    pv_vec2 along = pv__direction(turn);
    return along.x != 0 || along.y != 0 ? (pv_rotation){along.x, along.y} : (pv_rotation){1, 0};
}

pv_placed pv__polygon_placed(const pv_world *world, const pv__polygon *q) {
    return (pv_placed){
        q->mask, {pv__polygon_center(world, q), pv__polygon_rotation(world, q), q->pivot, {1, 1}}};
}

void pv__pose_show_solver_body(pv_world *world, int index) {
    pv__body *b = &world->bodies.items[index];
    pv__four motion = world->solver.bodies[index + 1].motion;
    b->velocity = pv__vec(motion[0], motion[1]);
    b->spin = motion[2];
    if (!b->awake) return;
    b->pose = pv__pose_of_solver_body(world, index);
}
