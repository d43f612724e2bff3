/* presolve.c - presolve of a pair: material, one-way sides and the caller's callback.
 *
 * Invariant: a pair is presolved once a step, before its contact is solved. A pair that is ignored
 * until separated stays so until one of its contacts shows no overlap.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/presolve.h"
#include "collide/body_overlap.h"
#include "core/anchor.h"
#include "core/impulse.h"
#include "core/pose.h"

/// Greatest depth at which a one-way body holds a contact that did not touch before [px]
static const double PRESOLVE_SLOP = 1;

/// Tells whether a body holds a contact with that outward normal.
static bool presolve_holds(const pv__body *b, pv_vec2 out, const pv_presolve_contact *c) {
    if (pv__body_is_one_way(b) && !c->touching && c->separation < -PRESOLVE_SLOP) return false;
    return pv__one_way_holds_at(b, b->pose.turn, out);
}

static bool is_share(double x) { return x >= 0 && x <= 1; }
static bool is_friction(double x) { return x >= 0 && x <= PV__MOST_FRICTION; }

/// Takes over the values of the caller's answer that are in range.
static void heed(const pv_presolve_contact *said, pv__pair_material *m) {
    if (is_share(said->restitution)) m->mixed.restitution = said->restitution;
    if (is_friction(said->static_friction)) m->mixed.static_friction = said->static_friction;
    if (is_friction(said->friction)) m->mixed.kinetic_friction = said->friction;
    if (pv__abs(said->tangent_speed) <= 1e6) m->tangent_speed = said->tangent_speed;
}

pv_presolve_result pv__presolve_ask(const pv_world *world, pv_presolve_contact c,
                                    pv__pair_material *m) {
    if (!world->def.presolve_callback) return PV_PRESOLVE_COLLIDE;
    c.restitution = m->mixed.restitution;
    c.static_friction = m->mixed.static_friction;
    c.friction = m->mixed.kinetic_friction;
    c.tangent_speed = m->tangent_speed;
    pv_presolve_result verdict =
        world->def.presolve_callback(world->def.presolve_user_data, world, &c);
    if ((unsigned)verdict > PV_PRESOLVE_IGNORE_UNTIL_SEPARATED) verdict = PV_PRESOLVE_COLLIDE;
    if (verdict == PV_PRESOLVE_COLLIDE) heed(&c, m);
    return verdict;
}

/// Judges a pair by a contact with known point, normal, gap and touching; may change its material.
static pv_presolve_result judge(const pv_world *world, int first, int second,
                                pv_presolve_contact *c, pv__pair_material *m) {
    const pv__body *a = &world->bodies.items[first], *b = &world->bodies.items[second];
    pv__levers arm = {pv__sub(c->point, a->pose.center), pv__sub(c->point, b->pose.center)};
    if (!presolve_holds(a, c->normal, c) || !presolve_holds(b, pv__mul(-1, c->normal), c))
        return PV_PRESOLVE_IGNORE_UNTIL_SEPARATED;
    c->a = pv__handle_of_body(world, first);
    c->b = pv__handle_of_body(world, second);
    c->speed = -pv__dot(pv__impulse_relative_velocity(&arm, a, b), c->normal);
    return pv__presolve_ask(world, *c, m);
}

/* ---- contours ---- */

static pv_presolve_contact approach_of(const pv_world *world, const pv__manifold *m) {
    const pv__body *a = &world->bodies.items[m->a];
    pv_presolve_contact c = {.separation = m->points[0].gap, .touching = m->touches};
    pv_vec2 normal = {0, 0};
    for (int i = 0; i < m->count; i++) {
        const pv__contact_point *p = &m->points[i];
        pv_vec2 at = pv__add(a->pose.center, pv__rotate(a->pose.turn, p->anchor_a));
        c.point = pv__mad(c.point, 1.0 / m->count, pv__mad(at, p->radius_a, p->normal));
        normal = pv__add(normal, p->normal);
        c.separation = pv__min(c.separation, p->gap);
    }
    c.normal = pv__direction(normal);
    if (pv__dot(c.normal, c.normal) == 0) c.normal = m->points[0].normal;
    return c;
}

/// Tells whether a pair with a one-way body shares no pixel although its contours overlap. A fast
/// body stops only where its pixels overlap.
static bool is_free(pv_world *world, const pv__manifold *m, const pv_presolve_contact *c) {
    if (!pv__body_is_one_way(&world->bodies.items[m->a]) &&
        !pv__body_is_one_way(&world->bodies.items[m->b]))
        return false;
    return c->separation < -PRESOLVE_SLOP && !c->touching &&
           !pv__collide_bodies_overlap(world, (pv__pair){m->a, m->b});
}

void pv__presolve_manifold(pv_world *world, pv__manifold *m) {
    bool waits = m->until_apart;
    if (m->judged || (m->count == 0 && !waits)) return;
    m->judged = true;
    m->until_apart = false;
    if (m->count == 0) return;
    pv_presolve_contact c = approach_of(world, m);
    if (is_free(world, m, &c)) c.separation = -PRESOLVE_SLOP;
    pv_presolve_result verdict = waits && c.separation <= 0
                                     ? PV_PRESOLVE_IGNORE_UNTIL_SEPARATED
                                     : judge(world, m->a, m->b, &c, &m->material);
    m->until_apart = verdict == PV_PRESOLVE_IGNORE_UNTIL_SEPARATED;
    m->passes = verdict != PV_PRESOLVE_COLLIDE;
    if (m->passes) m->count = 0;
}

/* ---- pixels ---- */

/// Returns the index of a pair in the passing list, or its place of insertion.
static int place_of(const pv_world *world, pv__pair pair) {
    const pv__manifolds *m = &world->manifolds;
    return pv__sorted_place(m->passing, m->passing_count, sizeof *m->passing, &pair,
                            pv__compare_pairs);
}

static bool is_listed(const pv_world *world, pv__pair pair) {
    int at = place_of(world, pair);
    if (at == world->manifolds.passing_count) return false;
    const pv__passing *p = &world->manifolds.passing[at];
    return p->pair.a == pair.a && p->pair.b == pair.b &&
           p->generation_a == world->bodies.items[pair.a].generation &&
           p->generation_b == world->bodies.items[pair.b].generation;
}

static bool add_passing(pv_world *world, pv__pair pair, bool until_apart) {
    if (!PV__RESERVE(&world->def.allocator, world->manifolds.passing,
                     world->manifolds.passing_capacity, world->manifolds.passing_count + 1))
        return false;
    int at = place_of(world, pair);
    for (int i = world->manifolds.passing_count++; i > at; i--)
        world->manifolds.passing[i] = world->manifolds.passing[i - 1];
    world->manifolds.passing[at] =
        (pv__passing){pair, world->bodies.items[pair.a].generation,
                      world->bodies.items[pair.b].generation, world->steps, until_apart};
    return true;
}

bool pv__presolve_contact(pv_world *world, pv__contact *c, bool touches) {
    pv_presolve_contact approach = {.point = c->point, .normal = c->normal, .touching = touches};
    if (c->overlapped) approach.separation = -PRESOLVE_SLOP - c->push;
    pv__body *bodies[2] = {&world->bodies.items[c->a], &world->bodies.items[c->b]};
    for (int i = 0; i < 2; i++) {
        bodies[i]->velocity = pv__pose_velocity(world, bodies[i]);
        bodies[i]->spin = pv__pose_angular_velocity(world, bodies[i]);
    }
    pv_presolve_result verdict = judge(world, c->a, c->b, &approach, &c->material);
    if (verdict == PV_PRESOLVE_COLLIDE) return true;
    if (!add_passing(world, (pv__pair){c->a, c->b}, verdict == PV_PRESOLVE_IGNORE_UNTIL_SEPARATED))
        world->out_of_memory = true;
    return false;
}

/// Tells whether a pair that passed in the last substep still passes.
static bool still_passes(pv_world *world, const pv__passing *p) {
    const pv__body *a = &world->bodies.items[p->pair.a], *b = &world->bodies.items[p->pair.b];
    if (a->generation != p->generation_a || b->generation != p->generation_b) return false;
    return p->step == world->steps ||
           (p->until_apart && pv__collide_bodies_overlap(world, p->pair));
}

void pv__presolve_leave_out_passing(pv_world *world) {
    int kept = 0, passing = 0;
    for (int i = 0; i < world->manifolds.passing_count; i++)
        if (still_passes(world, &world->manifolds.passing[i]))
            world->manifolds.passing[passing++] = world->manifolds.passing[i];
    world->manifolds.passing_count = passing;
    for (int i = 0; passing > 0 && i < world->broad_phase.pair_count; i++)
        if (!is_listed(world, world->broad_phase.pairs[i]))
            world->broad_phase.pairs[kept++] = world->broad_phase.pairs[i];
    if (passing > 0) world->broad_phase.pair_count = kept;
}

bool pv__presolve_passes(const pv_world *world, const pv__manifold *m, int a, int b) {
    bool passes = m && world->manifolds.presolved && (m->passes || m->until_apart) &&
                  m->generation_a == world->bodies.items[a].generation &&
                  m->generation_b == world->bodies.items[b].generation;
    return passes || is_listed(world, (pv__pair){a, b});
}
