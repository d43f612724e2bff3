/* pv_broad.c - sweep and sort: which boxes meet (Cheng 2003, sections 5.1 and 5.2).
 *
 * Invariant: world->order holds every living body once, sorted by the left edge of its swept box, ties by index; it
 * is kept between steps, so that sorting it again is nearly free.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_world.h"

#include <stdlib.h>

/// Room for what contacts make of a substep's motion [px].
static const double MARGIN = 1;

bool pv__boxes_meet(const pv_box *a, const pv_box *b) {
    return a->min.x < b->max.x && b->min.x < a->max.x && a->min.y < b->max.y && b->min.y < a->max.y;
}

pv_box pv__box_in(const pv__body *b, pv__pose pose) {
    pv_transform t = pv__transform_of(b, pose);
    return pv_transform_box(&t, b->mask->bits.w, b->mask->bits.h);
}

static void sweep_box(const pv_world *world, pv__body *b, double ahead) {
    pv_box now = pv__box_in(b, b->pose), before = now;
    double margin = MARGIN;
    if (b->awake) {
        before = pv__box_in(b, pv__pose_before(b));
        if (ahead > 0) {
            double gained = pv__length(world->def.gravity) * ahead;
            double speed = pv__length(pv__velocity(world, b)) + gained + pv__abs(pv__spin(world, b)) * b->reach;
            margin += 1 + speed * ahead;
        }
    }
    b->box.min = pv__vec(pv__min(now.min.x, before.min.x) - margin, pv__min(now.min.y, before.min.y) - margin);
    b->box.max = pv__vec(pv__max(now.max.x, before.max.x) + margin, pv__max(now.max.y, before.max.y) + margin);
}

static void sort_order(pv_world *world) {
    int *order = world->order;
    const pv__body *bodies = world->bodies;
    for (int i = 1; i < world->order_count; i++) {
        int moving = order[i], j = i;
        double left = bodies[moving].box.min.x;
        while (j > 0 && (bodies[order[j - 1]].box.min.x > left ||
                         (bodies[order[j - 1]].box.min.x == left && order[j - 1] > moving))) {
            order[j] = order[j - 1];
            j--;
        }
        order[j] = moving;
    }
}

/// Whether two bodies can do anything to each other in this substep.
static bool may_touch(const pv__body *a, const pv__body *b) {
    return (a->awake || b->awake) && (a->type == PV_BODY_DYNAMIC || b->type == PV_BODY_DYNAMIC) &&
           pv__boxes_meet(&a->box, &b->box);
}

static void add_pair(pv_world *world, int i, int j) {
    if (!pv__reserve(&world->def.allocator, &world->pairs, &world->pair_capacity, world->pair_count + 1,
                     sizeof(pv__pair))) {
        world->flags |= PV_STEP_NO_MEMORY;
        return;
    }
    world->pairs[world->pair_count++] = i < j ? (pv__pair){i, j} : (pv__pair){j, i};
}

static int compare_pairs(const void *x, const void *y) {
    const pv__pair *p = x, *q = y;
    if (p->a != q->a) return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

void pv__find_pairs(pv_world *world, double ahead) {
    const pv__body *bodies = world->bodies;
    for (int i = 0; i < world->order_count; i++) sweep_box(world, &world->bodies[world->order[i]], ahead);
    sort_order(world);
    world->pair_count = 0;
    for (int i = 0; i < world->order_count; i++) {
        const pv__body *a = &bodies[world->order[i]];
        for (int j = i + 1; j < world->order_count && bodies[world->order[j]].box.min.x < a->box.max.x; j++)
            if (may_touch(a, &bodies[world->order[j]])) add_pair(world, world->order[i], world->order[j]);
    }
    if (world->pair_count > 1) qsort(world->pairs, (size_t)world->pair_count, sizeof(pv__pair), compare_pairs);
}
