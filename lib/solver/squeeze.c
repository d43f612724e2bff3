/* squeeze.c - bodies that kinematic ones squeeze against immovable ones: bounds and crush events.
 *
 * Invariant: a squeezed body ends a substep at most SQUEEZE_OUT times as fast as the squeezing one,
 * plus SQUEEZE_SPARE. The weight of the whole group bounds the impulses that start the next
 * substep. All data belong to one substep.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "solver/squeeze.h"
#include "collide/pixel_touch.h"
#include "core/events.h"
#include "core/pose.h"
#include "solver/contact_batch.h"

/// Distance up to which a pair may carry load in the substep [px]
static const double SQUEEZE_CLOSE = 0.25;
/// Least depth of a contact that counts as a moving push [px]
static const double DEEP_PUSH = 1.1;
/// Speed up to which a kinematic body counts as static [px/s]
static const double SQUEEZE_STILL = 0.1;
/// Greatest speed of a squeezed body: a multiple of the squeezing one's, as walls that meet at 65
/// degrees drive it out, plus a speed [px/s]
static const double SQUEEZE_OUT = 1.1, SQUEEZE_SPARE = 10;
/// Least cosine between a normal and a direction that it counts for; directions in a half circle
static const double FACES = 0.8;
enum { HALF_CIRCLE = 16 };
/// Negative of the greatest cosine between the normals of contacts that hold a body on both sides,
/// and between the velocity of a body that recedes and its normal
static const double SQUEEZE_AGAINST = 0.2;
/// Bound on the impulses that start the next substep: a multiple of gravity's gain, plus a speed
/// [px/s]
static const double LOADS = 4, LEAST_LOAD = 0.5;

/// Tells whether a lane holds two bodies, one of them movable.
static bool is_held(const pv__batch *k, int l) {
    return k->manifold[l] >= 0 && pv__batch_has(k->moves_a | k->moves_b, l);
}

static bool presses(const pv__batch_point *p, double gap, int l) {
    return p->impulse_n[l] > 0 || gap < SQUEEZE_CLOSE;
}

/// Finds the gaps of a batch's points [px].
static void find_gaps(const pv_world *world, const pv__batch *k, pv__four *gaps) {
    world->solver.kernel->gaps(k, world->solver.bodies, &world->solver.extras[k->extra], gaps);
}

/* ---- groups ---- */

static void begin_squeezes(pv_world *world) {
    for (int i = 0; i < world->solver.active_count; i++) {
        int k = world->solver.active[i] + 1;
        world->squeeze.items[k] =
            (pv__squeeze){.root = k, .by = -1, .mass = world->bodies.items[k - 1].mass};
    }
}

/// Returns the velocity of an immovable body at the center of another one [px/s].
static pv_vec2 wall_velocity(const pv_world *world, int wall, int body) {
    pv__four v = world->solver.bodies[wall].motion,
             arm = world->solver.bodies[body].pose - world->solver.bodies[wall].pose;
    return pv__vec(v[0] - v[2] * arm[1], v[1] + v[2] * arm[0]);
}

/// Returns a bit for each of 32 directions near a normal, those of a half circle first.
static unsigned side_of(pv_vec2 n) {
    const pv_vec2 step = {0.98078528040323044913, 0.19509032201612826785}; /* pi / 16 */
    unsigned sides = 0;
    for (int i = 0; i < HALF_CIRCLE; i++) {
        if (n.x > FACES) sides |= 1u << i;
        if (n.x < -FACES) sides |= 1u << (i + HALF_CIRCLE);
        n = pv__vec(step.x * n.x + step.y * n.y, step.x * n.y - step.y * n.x);
    }
    return sides;
}

static void join_bodies(pv__squeeze *s, int a, int b) {
    int p = PV__ROOT(s, root, a), q = PV__ROOT(s, root, b);
    s[p < q ? q : p].root = p < q ? p : q;
}

/// Notes the deepest kinematic body; of equally deep ones, the one with the lowest index.
static void note_crusher(pv__squeeze *s, int by, double depth) {
    if (s->by >= 0 && (s->by_depth > depth || (s->by_depth == depth && s->by <= by))) return;
    s->by = by;
    s->by_depth = depth;
}

/// Notes an immovable body that touches a body or a group.
static void note_wall(pv__squeeze *s, int wall) {
    s->walls |= s->wall > 0 && s->wall != wall;
    s->wall = wall;
}

/// Notes the push of an immovable body. One that recedes squeezes nothing. A deep contact counts as
/// a moving push, whichever body moves.
static void lean(pv_world *world, int wall, int body, pv_vec2 normal, double gap) {
    pv__squeeze *s = &world->squeeze.items[body];
    unsigned sides = side_of(normal);
    bool kinematic = world->bodies.items[wall - 1].type == PV_BODY_KINEMATIC;
    pv_vec2 velocity = kinematic ? wall_velocity(world, wall, body) : pv__vec(0, 0);
    double speed = pv__length(velocity);
    note_wall(s, wall);
    if (pv__dot(velocity, normal) < -SQUEEZE_AGAINST * speed) return;
    s->sides |= sides;
    if (speed > SQUEEZE_STILL || gap < -DEEP_PUSH) s->led |= sides;
    if (!kinematic) return;
    s->speed = pv__max(s->speed, speed);
    note_crusher(s, wall - 1, -gap);
}

static void join_point(pv_world *world, const pv__batch *k, const pv__batch_point *p, double gap,
                       int l) {
    int a = k->a[l], b = k->b[l];
    pv_vec2 n = pv__vec(p->nx[l], p->ny[l]);
    if (!pv__batch_has(k->moves_a, l))
        lean(world, a, b, n, gap);
    else if (!pv__batch_has(k->moves_b, l))
        lean(world, b, a, pv__mul(-1, n), gap);
    else
        join_bodies(world->squeeze.items, a, b);
}

static void join_all(pv_world *world) {
    for (int i = 0; i < world->solver.sweep_count; i++) {
        const pv__batch *k = &world->solver.batches[world->solver.sweep[i]];
        pv__four gaps[2];
        find_gaps(world, k, gaps);
        for (int p = 0; p < k->points; p++)
            for (int l = 0; l < PV__LANES; l++)
                if (is_held(k, l) && presses(&k->point[p], gaps[p][l], l))
                    join_point(world, k, &k->point[p], gaps[p][l], l);
    }
}

/// Sums up the data of a group in its root.
static void sum_up(pv_world *world) {
    pv__squeeze *s = world->squeeze.items;
    for (int i = 0; i < world->solver.active_count; i++) {
        int k = world->solver.active[i] + 1, r = PV__ROOT(s, root, k);
        s[k].root = r;
        if (r == k) continue;
        s[r].mass += s[k].mass;
        s[r].walls |= s[k].walls;
        if (s[k].wall > 0) note_wall(&s[r], s[k].wall);
        s[r].sides |= s[k].sides;
        s[r].led |= s[k].led;
        if (s[k].by >= 0) note_crusher(&s[r], s[k].by, s[k].by_depth);
        s[r].speed = pv__max(s[r].speed, s[k].speed);
    }
}

/// Tells whether a kinematic body pushes a group towards an immovable one.
static bool faces_wall(const pv__squeeze *root) {
    unsigned opposite = root->sides >> HALF_CIRCLE | root->sides << HALF_CIRCLE;
    return root->led & opposite;
}

void pv__squeeze_find_jams(pv_world *world) {
    pv__squeeze *s = world->squeeze.items;
    world->squeeze.jammed = world->squeeze.wedged = false;
    if (!world->squeeze.kinematics) return;
    begin_squeezes(world);
    join_all(world);
    sum_up(world);
    for (int i = 0; i < world->solver.active_count; i++) {
        int k = world->solver.active[i] + 1;
        const pv__squeeze *root = &s[s[k].root];
        world->squeeze.jammed |= s[k].jammed = faces_wall(root);
        world->squeeze.wedged |= s[k].wedged = s[k].jammed || (root->walls && root->led);
    }
}

/* ---- squeezed bodies ---- */

/// Slows a squeezed body to its bound.
static void slow_body(pv_world *world, int k) {
    const pv__solver_state *c = &world->solver.states[k];
    pv__four *motion = &world->solver.bodies[k].motion;
    double speed = pv__length(pv__vec((*motion)[0], (*motion)[1])),
           rim = pv__abs((*motion)[2]) * c->reach, kept = speed > c->bound ? c->bound / speed : 1;
    (*motion)[0] *= kept;
    (*motion)[1] *= kept;
    if (rim > c->bound) (*motion)[2] *= c->bound / rim;
}

static void slow_all(pv_world *world) {
    for (int i = 0; i < world->solver.active_count; i++)
        if (world->solver.states[world->solver.active[i] + 1].bound > 0)
            slow_body(world, world->solver.active[i] + 1);
}

/// Marks and bounds the squeezed bodies for the rest of the step.
static void mark(pv_world *world) {
    for (int i = 0; i < world->solver.active_count; i++) {
        int k = world->solver.active[i] + 1;
        const pv__squeeze *s = &world->squeeze.items[k], *root = &world->squeeze.items[s->root];
        pv__solver_state *c = &world->solver.states[k];
        if (!s->jammed) continue;
        c->crusher = root->by + 1;
        c->bound = SQUEEZE_OUT * root->speed + SQUEEZE_SPARE; /* also between two impacts */
    }
}

void pv__squeeze_hold(pv_world *world) {
    world->squeeze.squeezed |= world->squeeze.jammed;
    if (world->squeeze.jammed) mark(world);
    if (world->squeeze.squeezed) slow_all(world);
}

/// Limits the impulse with which a point starts the next substep.
static void limit_load(const pv__batch *k, pv__batch_point *p, int l, double most) {
    p->impulse_n[l] = pv__min(p->impulse_n[l], most);
    double held = k->static_friction[l] * p->impulse_n[l];
    p->impulse_t[l] = pv__clamp(p->impulse_t[l], -held, held);
}

static void limit_loads(pv_world *world, double h) {
    const pv__squeeze *s = world->squeeze.items;
    double each = LOADS * h * pv__length(world->def.gravity) + LEAST_LOAD;
    for (int i = 0; i < world->solver.sweep_count; i++) {
        pv__batch *k = &world->solver.batches[world->solver.sweep[i]];
        for (int l = 0; l < PV__LANES; l++) {
            const pv__squeeze *one = &s[pv__batch_has(k->moves_a, l) ? k->a[l] : k->b[l]];
            if (!is_held(k, l) || !one->jammed) continue;
            for (int p = 0; p < k->points; p++)
                limit_load(k, &k->point[p], l, each * s[one->root].mass);
        }
    }
}

void pv__squeeze_release(pv_world *world, double h) {
    if (world->squeeze.jammed) limit_loads(world, h);
    if (world->squeeze.squeezed) slow_all(world);
}

/* ---- crush events: crushed bodies, their crushers, and depths ----
 *
 * Invariant: a crush begins in the step in which a kinematic body squeezes a body by BEGINS, or in
 * which a body holds it in an immovable one. It lasts until the bodies on both sides overlap it by
 * less than LASTS. The step of the last report identifies it, and is saved.
 */

/// Depths at which a crush begins and ends [px]
static const double BEGINS = 1, LASTS = 0.5;
/// Least share of a body's pixels inside an immovable body that holds it there, and depth above
/// which pixels are counted [px]
static const double BURIED = 0.25, BURIED_DEPTH = 0.25;

/// Returns one more than the index of the kinematic body that squeezed another in this step, -1 for
/// a body that lies in an immovable one, or 0.
static int crusher_of(const pv_world *world, int index) {
    return world->bodies.items[index].awake ? world->solver.states[index + 1].crusher : 0;
}

static bool was_crushed(const pv_world *world, const pv__body *b) {
    return b->crushed > 0 && b->crushed == world->steps;
}

static bool is_asked(const pv_world *world, int index) {
    const pv__body *b = &world->bodies.items[index];
    return b->awake && b->type == PV_BODY_DYNAMIC &&
           (crusher_of(world, index) != 0 || was_crushed(world, b));
}

static void add_hold(pv_world *world, int index, int other, pv_vec2 normal, double depth) {
    pv__list *list = &world->events.holds;
    pv__hold h = {world->solver.states[index + 1].held, other, normal, depth};
    if (pv__events_append(world, list, &h, sizeof h))
        world->solver.states[index + 1].held = list->count - 1;
}

/// Returns the depth of a manifold's deepest point [px].
static double contour_depth(const pv_world *world, const pv__manifold *m) {
    double depth = 0;
    for (int i = 0; i < m->count; i++)
        depth = pv__max(depth, -pv__contact_point_gap(world, m, &m->points[i]));
    return depth;
}

/// Returns the depth of a pair's overlap [px], and finds the direction from a to b.
static double depth_of(pv_world *world, const pv__manifold *m, pv_vec2 *normal) {
    pv__contact c;
    double depth = contour_depth(world, m);
    *normal = pv__vec(0, 0);
    for (int i = 0; i < m->count; i++) *normal = pv__add(*normal, m->points[i].normal);
    *normal = pv__direction(*normal);
    if (!pv__touch_now(world, (pv__pair){m->a, m->b}, &c)) return depth;
    if (pv__dot(*normal, *normal) == 0) *normal = c.normal;
    return pv__max(depth, c.depth);
}

/// Lists the contacts that hold bodies which may be crushed.
static void list_holds(pv_world *world) {
    world->events.holds.count = 0;
    for (int i = 0; i < world->bodies.awake_count; i++)
        world->solver.states[world->bodies.awake[i] + 1].held = -1;
    for (int i = 0; i < world->manifolds.active_count; i++) {
        const pv__manifold *m = pv__active_manifold(world, i);
        bool ask_a = is_asked(world, m->a), ask_b = is_asked(world, m->b);
        if (m->count == 0 || !(ask_a || ask_b)) continue;
        pv_vec2 normal;
        double depth = depth_of(world, m, &normal);
        if (ask_a) add_hold(world, m->a, m->b, pv__mul(-1, normal), depth);
        if (ask_b) add_hold(world, m->b, m->a, normal, depth);
    }
}

/// Returns the deepest contact that holds a body, or null. If against is not (0, 0), only contacts
/// on the opposite side count.
static const pv__hold *deepest(const pv_world *world, int index, pv_vec2 against) {
    const pv__hold *all = world->events.holds.items, *best = NULL;
    bool any = pv__dot(against, against) == 0;
    for (int i = world->solver.states[index + 1].held; i >= 0; i = all[i].next)
        if ((any || pv__dot(all[i].normal, against) < -SQUEEZE_AGAINST) &&
            (!best || all[i].depth > best->depth ||
             (all[i].depth == best->depth && all[i].other < best->other)))
            best = &all[i];
    return best;
}

static pv_body_id name_or_none(const pv_world *world, const pv__hold *h) {
    return h ? pv__handle_of_body(world, h->other) : (pv_body_id){0, 0};
}

/// Returns the kinematic body that crushes a body, or the null handle.
static pv_body_id crusher(const pv_world *world, int index, const pv__hold *a, const pv__hold *b) {
    int by = crusher_of(world, index);
    if (by > 0) return pv__handle_of_body(world, by - 1);
    if (world->bodies.items[a->other].type == PV_BODY_KINEMATIC)
        return pv__handle_of_body(world, a->other);
    if (b && world->bodies.items[b->other].type == PV_BODY_KINEMATIC)
        return pv__handle_of_body(world, b->other);
    return (pv_body_id){0, 0};
}

/// Publishes the crush event of a body; returns whether it is crushed.
static bool tell_crush(pv_world *world, int index) {
    pv__body *body = &world->bodies.items[index];
    const pv__hold *a = deepest(world, index, pv__vec(0, 0));
    if (!a) return false;
    const pv__hold *b = deepest(world, index, a->normal);
    double depth = a->depth + (b ? b->depth : 0);
    bool lasts = was_crushed(world, body), held = b && crusher_of(world, index) < 0;
    bool squeezed = crusher_of(world, index) > 0 && depth >= BEGINS;
    if (!squeezed && !held && !(lasts && depth >= LASTS)) return false;
    pv_crush crush = {pv__handle_of_body(world, index),
                      crusher(world, index, a, b),
                      pv__handle_of_body(world, a->other),
                      name_or_none(world, b),
                      depth,
                      !lasts};
    if (!pv__events_append(world, &world->events.crushes, &crush, sizeof crush)) return false;
    body->crushed = world->steps + 1;
    world->squeeze.crushes++;
    return true;
}

/// Publishes the release of a body that was crushed in the last step. A sleeping body stays
/// crushed.
static void tell_release(pv_world *world, int index) {
    pv__body *b = &world->bodies.items[index];
    pv_body_id name = pv__handle_of_body(world, index);
    if (!pv__body_is_alive(b) || !was_crushed(world, b)) return;
    if (!b->awake && pv__body_is_present(b) && b->type == PV_BODY_DYNAMIC) {
        b->crushed = world->steps + 1;
        world->squeeze.crushes++;
    } else {
        b->crushed = 0;
        pv__events_append(world, &world->events.releases, &name, sizeof name);
    }
}

static bool some_squeezed(const pv_world *world) {
    if (!world->squeeze.squeezed) return false;
    for (int i = 0; i < world->bodies.awake_count; i++)
        if (crusher_of(world, world->bodies.awake[i]) > 0) return true;
    return false;
}

/// Tells whether a body has enough of its pixels in an immovable one to be held there.
static bool is_buried(pv_world *world, const pv__manifold *m, int body) {
    pv__contact c;
    return contour_depth(world, m) > BURIED_DEPTH &&
           pv__touch_now(world, (pv__pair){m->a, m->b}, &c) &&
           (double)c.overlap > BURIED * world->bodies.items[body].pixels->area;
}

/// Marks the bodies that lie in immovable ones. Returns whether there are any.
static bool mark_buried(pv_world *world) {
    bool any = false;
    pv__manifold *all = world->manifolds.items;
    const int *active = world->manifolds.active;
    for (int i = 0, end = world->manifolds.active_count; i < end; i++) {
        const pv__manifold *m = pv__listed_manifold(all, active, i, end);
        if (!m->fixed || m->count == 0) continue;
        int body = world->bodies.items[m->a].type == PV_BODY_DYNAMIC ? m->a : m->b;
        if (!world->bodies.items[body].awake || world->solver.states[body + 1].crusher != 0 ||
            !is_buried(world, m, body))
            continue;
        world->solver.states[body + 1].crusher = -1;
        any = true;
    }
    return any;
}

void pv__squeeze_tell_crushes(pv_world *world) {
    int before = world->squeeze.crushes;
    world->squeeze.crushes = 0;
    if (world->solver.state_capacity <= world->bodies.count) return;
    bool buried = mark_buried(world);
    if (before == 0 && !buried && !some_squeezed(world)) return;
    list_holds(world);
    for (int i = 0; i < world->bodies.awake_count; i++)
        if (is_asked(world, world->bodies.awake[i])) tell_crush(world, world->bodies.awake[i]);
    for (int i = 0; before > 0 && i < world->bodies.count; i++) tell_release(world, i);
}

void pv__squeeze_count_crushes(pv_world *world) {
    world->squeeze.crushes = 0;
    for (int i = 0; i < world->bodies.count; i++)
        world->squeeze.crushes += pv__body_is_alive(&world->bodies.items[i]) &&
                                  was_crushed(world, &world->bodies.items[i]);
}
