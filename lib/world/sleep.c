/* sleep.c - puts resting islands to sleep, each as a whole.
 *
 * Invariant: the bodies of a sleeping island share its number, the lowest index among them. An
 * awake body has the number -1. A sleeping body's previous positions equal its current ones.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/broad_phase.h"
#include "collide/query_index.h"
#include "core/events.h"
#include "core/pose.h"
#include "core/stage_timer.h"
#include "core/wake.h"
#include "polygon/polygon_sleep.h"
#include "world/world.h"

/// Limits within which a body rests
typedef struct rest_limits {
    /// Displacement of the rim within PV__LOOK that ends its rest [px]
    double stray;
    /// Greatest mean rim speed, and its greatest growth between intervals [px/s]
    double creep, growth;
} rest_limits;

/// Limits for both contact modes; with pixel contacts, a leaning stack moves by single pixels
static const rest_limits REST_CONTOUR = {0.4, PV__CREEP_PACE, 0.01}, REST_PIXEL = {1, 1, 0.1};
/// Time for which an island rests before it falls asleep [s]: PV__LOOK, less a margin for the
/// rounding of a sum of steps
static const double SLEEP_STILL_TIME = PV__LOOK - 1e-9;

/// Displacement of the center [px], and change of the rotation, which both move the rim
typedef struct stroll {
    pv_vec2 by, turn;
} stroll;

static stroll stroll_of(const pv__pose *from, const pv__pose *to) {
    return (stroll){pv__sub(to->center, from->center),
                    pv__vec(to->turn.c - from->turn.c, to->turn.s - from->turn.s)};
}

static double length_of(const pv__body *b, stroll s) {
    return pv__length(s.by) +
           0.5 * pv__length(pv__vec(b->pixels->form->bits.w, b->pixels->form->bits.h)) *
               pv__length(s.turn);
}

/// Tests a body for rest by its displacements in two intervals. Velocities are unreliable here,
/// because they jitter in contacts. A body that comes to rest gets slower, and a sliding body gets
/// faster. An unsupported body shows a speed or a change of velocity.
static void look(pv__body *b, const rest_limits *limits) {
    stroll last = stroll_of(&b->still_pose, &b->pose),
           before = stroll_of(&b->earlier_pose, &b->still_pose);
    bool first = b->still_span == 0;
    double share = first ? 0 : b->still_since / b->still_span;
    stroll change = {pv__mad(last.by, -share, before.by), pv__mad(last.turn, -share, before.turn)};
    double speed = length_of(b, last) / b->still_since;
    double pace = share * length_of(b, before) / b->still_since, growth = speed - pace;
    double most = pace > limits->creep ? limits->growth : limits->creep; /* it may begin to slide */
    b->pace = pv__max(speed, length_of(b, change) / b->still_since);
    if (first || speed > most || growth > limits->growth) b->still = 0;
    b->still_span = b->still_since;
    b->still_since = 0;
    b->earlier_pose = b->still_pose;
    b->still_pose = b->pose;
}

static void watch(const pv_world *world, pv__body *b, double dt) {
    bool pixels = world->def.contact_mode == PV_CONTACT_MODE_PIXELS;
    const rest_limits *limits = pixels ? &REST_PIXEL : &REST_CONTOUR;
    b->still += dt;
    b->still_since += dt;
    if (length_of(b, stroll_of(&b->still_pose, &b->pose)) > limits->stray)
        pv__wake_forget_rest(b);
    else if (b->still_since >= PV__LOOK)
        look(b, limits);
}

static bool drowsy(const pv__body *b) {
    return pv__body_is_alive(b) && b->awake && b->type == PV_BODY_DYNAMIC;
}

/// Joins the islands of two bodies. The root, the lowest index, keeps the data of the island's most
/// active body.
static void join(pv_world *world, int first, int second) {
    pv__body *bodies = world->bodies.items;
    bool drowsy_a = drowsy(&bodies[first]), drowsy_b = drowsy(&bodies[second]);
    if (drowsy_a != drowsy_b)
        bodies[PV__ROOT(world->bodies.items, island, drowsy_a ? first : second)].lair.borne = true;
    if (!drowsy_a || !drowsy_b) return;
    int a = PV__ROOT(world->bodies.items, island, first),
        b = PV__ROOT(world->bodies.items, island, second);
    int low = a < b ? a : b, high = a < b ? b : a;
    bodies[high].island = low;
    bodies[low].lair.still = pv__min(bodies[low].lair.still, bodies[high].lair.still);
    bodies[low].lair.pace = pv__max(bodies[low].lair.pace, bodies[high].lair.pace);
    bodies[low].lair.borne |= bodies[high].lair.borne;
}

static void restart_rest(pv_world *world, int index) {
    if (drowsy(&world->bodies.items[index])) pv__wake_forget_rest(&world->bodies.items[index]);
}

/// Ends the rest of bodies that begin to touch: they may have gained speed since the last look.
static void rouse_met(pv_world *world) {
    for (int i = 0; i < world->manifolds.active_count; i++) {
        const pv__manifold *m = pv__active_manifold(world, i);
        if (!m->pressed || m->touches) continue;
        restart_rest(world, m->a);
        restart_rest(world, m->b);
    }
}

/// Keeps bodies awake that touch an awake kinematic body.
static void stir(pv_world *world, int first, int second) {
    pv__body *a = &world->bodies.items[first], *b = &world->bodies.items[second];
    if (a->type == PV_BODY_KINEMATIC && a->awake) b->still = 0;
    if (b->type == PV_BODY_KINEMATIC && b->awake) a->still = 0;
}

/// Puts a body to sleep. It will wake as if it had stood still for a substep, with its forces
/// balanced by its contacts.
static void put_to_sleep(pv_world *world, pv__body *b) {
    pv__broad_phase_displace(world, (int)(b - world->bodies.items));
    pv__index_update(world, (int)(b - world->bodies.items));
    b->awake = world->solver.ordered = false;
    pv__events_note_change(world, b);
    b->before[0] = b->now[0];
    b->before[1] = b->now[1];
    b->verlet_dt0 = world->dt;
    b->acceleration = pv__vec(0, 0);
    pv__pose_forget_before(b);
}

/// Returns the sum of the displacements of a body's particles in the last substep [px].
static double last_way(const pv__body *b) {
    return pv__length(pv__sub(b->now[0], b->before[0])) +
           pv__length(pv__sub(b->now[1], b->before[1]));
}

/// Puts a kinematic body to sleep after some time without motion.
static void rest_driven(pv_world *world, pv__body *b) {
    if (last_way(b) > 0)
        b->still = 0;
    else if (b->still >= SLEEP_STILL_TIME)
        put_to_sleep(world, b);
}

static bool presses(const pv__manifold *m) {
    for (int i = 0; i < m->count; i++)
        if (m->points[i].impulse_n > 0) return true;
    return false;
}

static void for_touching(pv_world *world, void (*act)(pv_world *world, int a, int b)) {
    for (int i = 0; i < world->bitmaps.contact_count; i++)
        act(world, world->bitmaps.contacts[i].a, world->bitmaps.contacts[i].b);
    for (int i = 0; i < world->manifolds.active_count; i++) {
        const pv__manifold *m = pv__active_manifold(world, i);
        if (presses(m)) act(world, m->a, m->b);
    }
}

/// Acts on each pair of bodies with a joint between them. Such bodies are in one island.
static void for_joined(pv_world *world, void (*act)(pv_world *world, int a, int b)) {
    const pv__matter *m = &world->matter;
    for (int i = 0; i < m->joint_count; i++) {
        const pv__constraint *c = &m->constraints[m->joints[i]];
        if (c->a.body >= 0 && c->b.body >= 0) act(world, c->a.body, c->b.body);
    }
}

/// Tells whether a joint's other end or its motor moves, so that its body cannot rest.
static bool is_drawn(const pv__matter *m, const pv__constraint *c, const pv__anchor *other) {
    bool driven = c->type == PV_JOINT_MOTOR && c->speed != 0;
    bool moves = other->particle && m->particles.inverse_mass[other->particle] > 0;
    for (int i = 0; i < 3; i++)
        moves |= other->corners[i] && m->particles.inverse_mass[other->corners[i]] > 0;
    return driven || moves;
}

static void stir_held(pv_world *world) {
    const pv__matter *m = &world->matter;
    for (int i = 0; i < m->joint_count; i++) {
        const pv__constraint *c = &m->constraints[m->joints[i]];
        if (c->a.body >= 0 && is_drawn(m, c, &c->b)) world->bodies.items[c->a.body].still = 0;
        if (c->b.body >= 0 && is_drawn(m, c, &c->a)) world->bodies.items[c->b.body].still = 0;
    }
}

static bool is_near(const pv__manifold *m) {
    for (int i = 0; i < m->count; i++)
        if (m->points[i].gap < PV_REST_GAP) return true;
    return false;
}

/// Joins bodies that touch without a load. Otherwise an awake one would wake the other again and
/// again.
static void join_unloaded(pv_world *world) {
    for (int i = 0; i < world->manifolds.active_count; i++) {
        const pv__manifold *m = pv__active_manifold(world, i);
        if (drowsy(&world->bodies.items[m->a]) && drowsy(&world->bodies.items[m->b]) && is_near(m))
            join(world, m->a, m->b);
    }
}

static void build_islands(pv_world *world) {
    for (int i = 0; i < world->bodies.awake_count; i++) {
        pv__body *b = &world->bodies.items[world->bodies.awake[i]];
        if (!drowsy(b)) continue;
        b->island = world->bodies.awake[i];
        b->lair.still = b->still;
        b->lair.pace =
            pv__max(b->pace, last_way(b) / world->dt); /* it may have lost support in this step */
        b->lair.borne = b->joint_count == 0 && b->loaded == world->steps + 1; /* by particles */
    }
    pv__polygon_join_bodies(world, join);
    for_touching(world, join);
    for_joined(world, join);
    join_unloaded(world);
}

void pv__sleep_fall_asleep(pv_world *world, double dt) {
    pv__polygon_watch_all(world, dt);
    if (!world->def.enable_sleep) return;
    pv__wake_list_awake(world);
    for (int i = 0; i < world->bodies.awake_count; i++) {
        pv__body *b = &world->bodies.items[world->bodies.awake[i]];
        watch(world, b, dt);
        if (b->type == PV_BODY_KINEMATIC) rest_driven(world, b);
        world->bodies.awake_stale |= !b->awake;
    }
    rouse_met(world);
    for_touching(world, stir);
    for_joined(world, stir);
    stir_held(world);
    build_islands(world);
    for (int i = world->bodies.awake_count - 1; i >= 0;
         i--) { /* members before their roots, which have lower indices */
        pv__body *b = &world->bodies.items[world->bodies.awake[i]];
        if (!drowsy(b)) continue;
        int root = PV__ROOT(world->bodies.items, island, world->bodies.awake[i]);
        bool rests = world->bodies.items[root].lair.still >= SLEEP_STILL_TIME &&
                     (world->bodies.items[root].lair.borne ||
                      world->bodies.items[root].lair.pace <= PV__FREE_PACE);
        b->island = rests ? root : -1;
        if (rests) pv__wake_join_ring(world, root, world->bodies.awake[i]);
        if (rests) put_to_sleep(world, b);
        world->bodies.awake_stale |= rests;
    }
    pv__polygon_rest_all(world);
    pv__wake_called_polygons(world);
    pv__timer_lap(world, &world->profile.sleep);
}
