/* pv_crush.c - tells who is crushed, between whom, and how deep.
 *
 * Invariant: a body is crushed from the step in which something kinematic squeezes it by BEGINS until those on both sides of it are
 * in it by less than LASTS. It is known by the step in which it was told last, which is saved.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_world.h"

/// Depths at which a crush begins, and ends [px].
static const double BEGINS = 1, LASTS = 0.5;
/// Two that hold a body on both sides, by the cosine.
static const double AGAINST = 0.2;

/// Names the body that squeezed another in this step by one more than its index; else 0.
static int crusher_of(const pv_world *world, int index) {
    return world->bodies[index].awake && world->squeezed ? world->courses[index + 1].crusher : 0;
}

static bool was_crushed(const pv_world *world, const pv__body *b) {
    return b->crushed > 0 && b->crushed == world->steps;
}

static bool is_asked(const pv_world *world, int index) {
    const pv__body *b = &world->bodies[index];
    return b->awake && b->type == PV_BODY_DYNAMIC && (crusher_of(world, index) > 0 || was_crushed(world, b));
}

static void hold(pv_world *world, int index, int other, pv_vec2 normal, double depth) {
    pv__list *list = &world->events.holds;
    pv__hold h = {world->courses[index + 1].held, other, normal, depth};
    if (pv__append(world, list, &h, sizeof h)) world->courses[index + 1].held = list->count - 1;
}

/// Measures how deep a pair is in each other; tells the direction from a to b.
static double depth_of(pv_world *world, const pv__manifold *m, pv_vec2 *normal) {
    pv__contact c;
    double depth = 0;
    *normal = pv__vec(0, 0);
    for (int i = 0; i < m->count; i++) {
        depth = pv__max(depth, -pv__press_gap(world, m, &m->points[i]));
        *normal = pv__add(*normal, m->points[i].normal);
    }
    *normal = pv__direction(*normal);
    if (!pv__touch_now(world, (pv__pair){m->a, m->b}, &c)) return depth;
    if (pv__dot(*normal, *normal) == 0) *normal = c.normal;
    return pv__max(depth, c.depth);
}

/// Lists what holds those that may be crushed.
static void list_holds(pv_world *world) {
    world->events.holds.count = 0;
    for (int i = 0; i < world->awake_count; i++) world->courses[world->awake[i] + 1].held = -1;
    for (int i = 0; i < world->active_count; i++) {
        const pv__manifold *m = &world->manifolds[world->active[i]];
        bool ask_a = is_asked(world, m->a), ask_b = is_asked(world, m->b);
        if (m->count == 0 || !(ask_a || ask_b)) continue;
        pv_vec2 normal;
        double depth = depth_of(world, m, &normal);
        if (ask_a) hold(world, m->a, m->b, pv__mul(-1, normal), depth);
        if (ask_b) hold(world, m->b, m->a, normal, depth);
    }
}

/// The deepest of those that hold a body, against a direction if that is not (0, 0); or null.
static const pv__hold *deepest(const pv_world *world, int index, pv_vec2 against) {
    const pv__hold *all = world->events.holds.items, *best = NULL;
    bool any = pv__dot(against, against) == 0;
    for (int i = world->courses[index + 1].held; i >= 0; i = all[i].next)
        if ((any || pv__dot(all[i].normal, against) < -AGAINST) &&
            (!best || all[i].depth > best->depth ||
             (all[i].depth == best->depth && all[i].other < best->other)))
            best = &all[i];
    return best;
}

static pv_body name_or_none(const pv_world *world, const pv__hold *h) {
    return h ? pv__name_of(world, h->other) : (pv_body){0, 0};
}

/// The kinematic body that crushes one, if it is known.
static pv_body crusher(const pv_world *world, int index, const pv__hold *a, const pv__hold *b) {
    int by = crusher_of(world, index);
    if (by > 0) return pv__name_of(world, by - 1);
    if (world->bodies[a->other].type == PV_BODY_KINEMATIC) return pv__name_of(world, a->other);
    if (b && world->bodies[b->other].type == PV_BODY_KINEMATIC) return pv__name_of(world, b->other);
    return (pv_body){0, 0};
}

/// Tells of a body; whether it is crushed.
static bool tell(pv_world *world, int index) {
    pv__body *body = &world->bodies[index];
    const pv__hold *a = deepest(world, index, pv__vec(0, 0));
    if (!a) return false;
    const pv__hold *b = deepest(world, index, a->normal);
    double depth = a->depth + (b ? b->depth : 0);
    bool lasts = was_crushed(world, body);
    if (!(depth >= (lasts ? LASTS : BEGINS))) return false;
    pv_crush crush = {pv__name_of(world, index),
                      crusher(world, index, a, b),
                      pv__name_of(world, a->other),
                      name_or_none(world, b),
                      depth,
                      !lasts};
    if (!pv__append(world, &world->events.crushes, &crush, sizeof crush)) return false;
    body->crushed = world->steps + 1;
    world->crushes++;
    return true;
}

/// Tells that a body is free which was crushed in the last step; one asleep stays as it is.
static void tell_release(pv_world *world, int index) {
    pv__body *b = &world->bodies[index];
    pv_body name = pv__name_of(world, index);
    if (!pv__alive(b) || !was_crushed(world, b)) return;
    if (!b->awake && pv__present(b) && b->type == PV_BODY_DYNAMIC) {
        b->crushed = world->steps + 1;
        world->crushes++;
    } else {
        b->crushed = 0;
        pv__append(world, &world->events.releases, &name, sizeof name);
    }
}

static bool some_squeezed(const pv_world *world) {
    for (int i = 0; i < world->awake_count; i++)
        if (crusher_of(world, world->awake[i]) > 0) return true;
    return false;
}

void pv__tell_crushes(pv_world *world) {
    int before = world->crushes;
    world->crushes = 0;
    if ((before == 0 && !some_squeezed(world)) || world->course_capacity <= world->body_count) return;
    list_holds(world);
    for (int i = 0; i < world->awake_count; i++)
        if (is_asked(world, world->awake[i])) tell(world, world->awake[i]);
    for (int i = 0; before > 0 && i < world->body_count; i++) tell_release(world, i);
}

void pv__count_crushes(pv_world *world) {
    world->crushes = 0;
    for (int i = 0; i < world->body_count; i++)
        world->crushes += pv__alive(&world->bodies[i]) && was_crushed(world, &world->bodies[i]);
}
