/* pv_squeeze.c - bodies that kinematic ones press against what does not give way, and what keeps them from being shot out.
 *
 * Invariant: what is squeezed gets no faster in a substep than what squeezes it by more than SPARE, and the impulses that start the
 * next substep are no more than what is squeezed together may weigh. All is asked of one substep alone, so nothing is kept.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_lanes.h"

/// How deep a contact is that is squeezed, at least; more where walls come faster, by this part of a substep's way; at most [px].
static const double DEEP = 0.5, DEEP_WAYS = 1.5, DEEP_MOST = 1.1;
/// How much faster than what squeezes it a body may get [px/s].
static const double SPARE = 10;
/// Contacts that face each other face one direction, and the opposite one, by this cosine.
static const double FACES = 0.8;
/// What contacts may bear on in the next substep: so many times what gravity gives all, and so much speed [px/s].
static const double LOADS = 4, LEAST_LOAD = 0.5;
/// How many contacts away from what is squeezed itself others are kept, too.
enum { NEIGHBORS = 2 };

/// Lanes of a block that hold two bodies, of which one can be moved.
static bool is_lane(const pv__lanes *k, int l) {
    return k->manifold[l] >= 0 && !k->idle[l] && (k->mass_a[l] > 0 || k->mass_b[l] > 0);
}

static bool presses(const pv__lane_point *p, int l) { return p->impulse_n[l] > 0 || p->gap[l] < 0; }

static int root_of(pv__squeeze *s, int i) {
    while (s[i].root != i) i = s[i].root = s[s[i].root].root;
    return i;
}

static bool some_deep(const pv_world *world) {
    for (int i = 0; i < world->sweep_count; i++) {
        const pv__lanes *k = &world->blocks[world->sweep[i]];
        if (!k->deep) continue;
        for (int p = 0; p < k->points; p++)
            for (int l = 0; l < PV__LANES; l++)
                if (k->point[p].gap[l] < -DEEP && is_lane(k, l)) return true;
    }
    return false;
}

static void begin(pv_world *world) {
    for (int i = 0; i < world->restless_count; i++) {
        int k = world->restless[i] + 1;
        world->squeezes[k] = (pv__squeeze){.root = k, .mass = world->bodies[k - 1].mass};
    }
}

/// The speed of what cannot be moved, where a point of a lane is [px/s].
static double wall_speed(const pv_world *world, int wall, const pv__lane_point *p, int l, bool is_a) {
    pv__four v = world->movers[wall].motion, pose = world->movers[wall].pose;
    double x = is_a ? p->anchor_ax[l] : p->anchor_bx[l], y = is_a ? p->anchor_ay[l] : p->anchor_by[l];
    pv_vec2 arm = pv__rotate((pv_rotation){pose[2], pose[3]}, pv__vec(x, y));
    return pv__length(pv__vec(v[0] - v[2] * arm.y, v[1] + v[2] * arm.x));
}

static unsigned side_of(pv_vec2 n) {
    const double slant = 0.70710678118654752;
    const pv_vec2 ways[] = {{1, 0}, {slant, slant}, {0, 1}, {-slant, slant}};
    unsigned sides = 0;
    for (int i = 0; i < 4; i++) {
        double along = pv__dot(n, ways[i]);
        if (along > FACES) sides |= 1u << i;
        if (along < -FACES) sides |= 16u << i;
    }
    return sides;
}

static void join_point(pv_world *world, const pv__lanes *k, const pv__lane_point *p, int l) {
    pv__squeeze *s = world->squeezes;
    int a = k->a[l], b = k->b[l];
    double deep = -p->gap[l];
    bool gives_a = k->mass_a[l] > 0, gives_b = k->mass_b[l] > 0;
    if (gives_a) s[a].deep = pv__max(s[a].deep, deep);
    if (gives_b) s[b].deep = pv__max(s[b].deep, deep);
    if (gives_a && gives_b) {
        int p = root_of(s, a), q = root_of(s, b), low = p < q ? p : q, high = p < q ? q : p;
        s[high].root = low;
        return;
    }
    int wall = gives_a ? b : a, body = gives_a ? a : b;
    pv_vec2 n = pv__vec(p->nx[l], p->ny[l]);
    s[body].sides |= side_of(gives_a ? pv__mul(-1, n) : n);
    if (world->bodies[wall - 1].type != PV_BODY_KINEMATIC) return;
    s[body].led = true;
    s[body].speed = pv__max(s[body].speed, wall_speed(world, wall, p, l, gives_b));
}

static void join_all(pv_world *world) {
    for (int i = 0; i < world->sweep_count; i++) {
        const pv__lanes *k = &world->blocks[world->sweep[i]];
        for (int p = 0; p < k->points; p++)
            for (int l = 0; l < PV__LANES; l++)
                if (is_lane(k, l) && presses(&k->point[p], l)) join_point(world, k, &k->point[p], l);
    }
}

/// Sums up what is known of bodies in the root of those that press each other.
static void sum_up(pv_world *world) {
    pv__squeeze *s = world->squeezes;
    for (int i = 0; i < world->restless_count; i++) {
        int k = world->restless[i] + 1, r = root_of(s, k);
        if (r == k) continue;
        s[r].mass += s[k].mass;
        s[r].sides |= s[k].sides;
        s[r].led |= s[k].led;
        s[r].speed = pv__max(s[r].speed, s[k].speed);
    }
}

/// Marks who is squeezed. False if none is.
static bool mark(pv_world *world, double h) {
    bool any = false;
    pv__squeeze *s = world->squeezes;
    for (int i = 0; i < world->restless_count; i++) {
        int k = world->restless[i] + 1;
        const pv__squeeze *r = &s[root_of(s, k)];
        double deep = pv__clamp(DEEP_WAYS * h * r->speed, DEEP, DEEP_MOST);
        if (!r->led || !(r->sides & r->sides >> 4 & 15) || s[k].deep < deep) continue;
        s[k].near = NEIGHBORS + 1;
        any = true;
    }
    return any;
}

static void spread(pv_world *world, int near) {
    pv__squeeze *s = world->squeezes;
    for (int i = 0; i < world->sweep_count; i++) {
        const pv__lanes *k = &world->blocks[world->sweep[i]];
        for (int p = 0; p < k->points; p++)
            for (int l = 0; l < PV__LANES; l++) {
                if (!is_lane(k, l) || !(k->mass_a[l] > 0 && k->mass_b[l] > 0) || !presses(&k->point[p], l)) continue;
                pv__squeeze *a = &s[k->a[l]], *b = &s[k->b[l]];
                if (a->near == near && b->near < near) b->near = near - 1;
                if (b->near == near && a->near < near) a->near = near - 1;
            }
    }
}

/// Takes from a body what it got faster by than what squeezes it.
static void slow(pv_world *world, int k) {
    pv__squeeze *s = world->squeezes;
    const pv__course *c = &world->courses[k];
    pv__four *motion = &world->movers[k].motion, was = c->unsolved - c->gain;
    double most = s[s[k].root].speed + SPARE;
    double linear = pv__max(most, pv__length(pv__vec(was[0], was[1])));
    double rim = pv__max(most, pv__abs(was[2]) * c->reach);
    double speed = pv__length(pv__vec((*motion)[0], (*motion)[1]));
    if (speed > linear) {
        (*motion)[0] *= linear / speed;
        (*motion)[1] *= linear / speed;
    }
    if (pv__abs((*motion)[2]) * c->reach > rim) (*motion)[2] *= rim / (pv__abs((*motion)[2]) * c->reach);
}

static void slow_all(pv_world *world) {
    for (int i = 0; i < world->restless_count; i++)
        if (world->squeezes[world->restless[i] + 1].near > 0) slow(world, world->restless[i] + 1);
}

void pv__hold_squeezed(pv_world *world, double h) {
    world->squeezed = false;
    if (!world->kinematics || !some_deep(world)) return;
    begin(world);
    join_all(world);
    sum_up(world);
    world->squeezed = mark(world, h);
    if (!world->squeezed) return;
    for (int i = NEIGHBORS + 1; i > 1; i--) spread(world, i);
    for (int i = 0; i < world->restless_count; i++) root_of(world->squeezes, world->restless[i] + 1);
    slow_all(world);
}

static void limit_loads(pv_world *world, double h) {
    const pv__squeeze *s = world->squeezes;
    double each = LOADS * h * pv__length(world->def.gravity) + LEAST_LOAD;
    for (int i = 0; i < world->sweep_count; i++) {
        pv__lanes *k = &world->blocks[world->sweep[i]];
        for (int p = 0; p < k->points; p++)
            for (int l = 0; l < PV__LANES; l++) {
                if (!is_lane(k, l)) continue;
                int one = k->mass_a[l] > 0 ? k->a[l] : k->b[l], other = k->mass_b[l] > 0 ? k->b[l] : k->a[l];
                if (s[one].near == 0 && s[other].near == 0) continue;
                pv__lane_point *q = &k->point[p];
                double most = each * s[s[one].root].mass;
                q->impulse_n[l] = pv__min(q->impulse_n[l], most);
                q->impulse_t[l] =
                    pv__clamp(q->impulse_t[l], -k->static_friction[l] * q->impulse_n[l], k->static_friction[l] * q->impulse_n[l]);
            }
    }
}

/// Takes back what contacts have moved a body by too much.
static void shorten(pv_world *world, int k, double h) {
    const pv__squeeze *s = world->squeezes;
    pv__four *pose = &world->movers[k].pose, from = world->courses[k].from, v = world->movers[k].motion;
    double x = (*pose)[0] - from[0], y = (*pose)[1] - from[1], way = pv__length(pv__vec(x, y));
    double most = h * pv__max(s[s[k].root].speed + SPARE, pv__length(pv__vec(v[0], v[1])));
    if (way <= most) return;
    (*pose)[0] = from[0] + most / way * x;
    (*pose)[1] = from[1] + most / way * y;
}

void pv__release_squeezed(pv_world *world, double h) {
    if (!world->squeezed) return;
    slow_all(world);
    limit_loads(world, h);
    for (int i = 0; i < world->restless_count; i++)
        if (world->squeezes[world->restless[i] + 1].near > 0) shorten(world, world->restless[i] + 1, h);
}
