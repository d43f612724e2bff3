/* bodies.c - decides which bodies are ground for grains, and which move.
 *
 * Invariant: a body is ground if it is static, or if its pose is the same as a step before. All
 * others that grains touch are movers. The ground shows each body as the population last saw it.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/filter.h"
#include "core/handle.h"
#include "core/pose.h"
#include "grains/area.h"
#include "grains/grains.h"
#include "grains/movers.h"

/// Motion [px] and turn [rad] below which a body stands still; a driven one keeps a little of both
static const double BODIES_STILL = 1e-7, BODIES_TURNED = 1e-10;

bool pv__grain_bodies_touch(const pv__grains *g, const pv__body *b) {
    return pv__body_is_solid(b) && pv__filter_agrees(g->def.filter, b->filter);
}

static pv__grain_body sight_of(const pv__body *b, pv__pose pose) {
    return (pv__grain_body){.generation = b->generation,
                            .looks = b->looks,
                            .mask = b->pixels->mask,
                            .center = pose.center,
                            .scale = b->pixels->scale,
                            .turn = pose.turn,
                            .rect = pv__ground_rect(b, pose)};
}

static bool is_same_pose(const pv__grain_body *seen, const pv__body *b) {
    return pv__same_place(seen->center, b->pose.center) && seen->turn.c == b->pose.turn.c &&
           seen->turn.s == b->pose.turn.s;
}

static bool stands_still(const pv__grain_body *seen, const pv__body *b) {
    return pv__abs(seen->center.x - b->pose.center.x) < BODIES_STILL &&
           pv__abs(seen->center.y - b->pose.center.y) < BODIES_STILL &&
           pv__abs(seen->turn.c - b->pose.turn.c) < BODIES_TURNED &&
           pv__abs(seen->turn.s - b->pose.turn.s) < BODIES_TURNED;
}

/// Takes a body out of the ground. Redraws the others that overlap it.
static bool lift(pv_world *world, pv__grains *g, pv__grain_body *seen) {
    if (!seen->grounded) return true;
    seen->grounded = false;
    pv__ground_clear(g, seen->rect);
    return pv__ground_redraw(world, g, seen->rect);
}

static bool lay(pv_world *world, pv__grains *g, pv__grain_body *seen, const pv__body *b) {
    seen->grounded = true;
    return pv__ground_add(world, g, seen, b, seen->rect);
}

/// Forgets all bodies, so that the next step looks at all of them again.
static void forget_all(pv__grains *g) {
    for (int i = 0; i < g->body_capacity; i++) {
        if (g->bodies[i].grounded) pv__ground_clear(g, g->bodies[i].rect);
        g->bodies[i] = (pv__grain_body){0};
    }
}

/// Looks at a body that grains touch.
static bool follow(pv_world *world, pv__grains *g, int index) {
    const pv__body *b = &world->bodies.items[index];
    pv__grain_body *seen = &g->bodies[index], was = *seen;
    bool same = pv__ground_shows(seen, b), still = same && stands_still(seen, b);
    if (still && seen->grounded) return true;
    if (!lift(world, g, seen)) return false;
    *seen = sight_of(b, b->pose);
    if (still || b->type == PV_BODY_STATIC) return lay(world, g, seen, b);
    pv__pose from = same ? (pv__pose){was.center, was.turn} : b->pose;
    return pv__movers_add(world, g, b, from, -1);
}

/// Looks at a body that grains do not touch, or at a free slot.
static bool forget(pv_world *world, pv__grains *g, int index) {
    pv__grain_body *seen = &g->bodies[index];
    bool done = lift(world, g, seen);
    *seen = (pv__grain_body){0};
    return done;
}

static bool add_sinks(pv_world *world, pv__grains *g) {
    for (int i = 0; i < g->sink_count; i++) {
        const pv_grain_sink *sink = &g->sinks[i].sink;
        const pv__body *b = pv__handle_body(world, sink->sensor);
        if (sink->sensor.index == 0 ? !pv__movers_add_box(world, g, i)
                                    : b && !b->disabled && !pv__movers_add(world, g, b, b->pose, i))
            return false;
    }
    return true;
}

static bool follow_all(pv_world *world, pv__grains *g) {
    int count = world->bodies.count, known = g->body_capacity;
    if (!PV__RESERVE(&world->def.allocator, g->bodies, g->body_capacity, count)) return false;
    for (int i = known; i < g->body_capacity; i++) g->bodies[i] = (pv__grain_body){0};
    for (int i = 0; i < count; i++)
        if (pv__grain_bodies_touch(g, &world->bodies.items[i]) ? !follow(world, g, i)
                                                               : !forget(world, g, i))
            return false;
    return add_sinks(world, g) && pv__movers_begin(world, g);
}

bool pv__grain_bodies_follow(pv_world *world, pv__grains *g) {
    if (follow_all(world, g)) return true;
    forget_all(g);
    return false;
}

/* ---- changes of pixels between steps ---- */

/// Returns the biased pixels that a part of a body's picture covers.
static pv_rect rect_of_part(const pv__body *b, pv_rect part) {
    pv_transform t = pv__body_transform(b, b->pose);
    t.pivot = pv__sub(t.pivot, pv__vec(part.x, part.y));
    return pv__ground_rect_of(&t, part.w, part.h);
}

void pv__grain_bodies_redraw(pv_world *world, int index, const pv__body *was, pv_rect part) {
    const pv__body *b = &world->bodies.items[index];
    for (int i = 0; i < world->grains.pool.count; i++) {
        pv__grains *g = &world->grains.items[i];
        if (!pv__slot_lives(&g->slot) || index >= g->body_capacity) continue;
        pv__grain_body *seen = &g->bodies[index];
        if (!seen->grounded || seen->generation != b->generation || !is_same_pose(seen, was))
            continue;
        pv_rect rect = rect_of_part(b, part);
        *seen = sight_of(b, b->pose);
        seen->grounded = true;
        pv__ground_clear(g, rect);
        if (!pv__ground_redraw(world, g, rect)) forget_all(g);
    }
}

void pv__grain_bodies_forget_picture(pv_world *world, int index) {
    for (int i = 0; i < world->grains.pool.count; i++) {
        pv__grains *g = &world->grains.items[i];
        if (!pv__slot_lives(&g->slot) || index >= g->body_capacity) continue;
        pv__grain_body *seen = &g->bodies[index];
        /* After two changes, a redraw of only the second one's part would miss the first. */
        if (!seen->mask) seen->generation = 0;
        seen->mask = NULL;
    }
}

/* ---- snapshots ---- */

unsigned pv__grain_bodies_sight(const pv_world *world, const pv__grains *g, int index) {
    const pv__body *b = &world->bodies.items[index];
    if (index >= g->body_capacity || !pv__body_is_alive(b)) return 0;
    const pv__grain_body *seen = &g->bodies[index];
    if (!pv__ground_shows(seen, b)) return 0;
    return PV__SIGHT_SEEN | (seen->grounded ? PV__SIGHT_GROUND : 0u) |
           (is_same_pose(seen, b) ? 0u : PV__SIGHT_MOVED);
}

bool pv__grain_bodies_recall(pv_world *world, pv__grains *g, int index) {
    const pv__body *b = &world->bodies.items[index];
    pv__grain_body *seen = &g->bodies[index];
    bool grounded = seen->grounded;
    if (seen->generation == 0) return true;
    *seen = sight_of(b, (pv__pose){seen->center, seen->turn});
    return !grounded || lay(world, g, seen, b);
}
