/* polygon_presolve.c - the caller's presolve of pairs with polygons.
 *
 * Invariant: a pair is presolved once a step, at its first contacts. A pair that is ignored until
 * separated passes until a step whose last substep has no contacts.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "polygon/polygon_presolve.h"
#include "collide/presolve.h"
#include "core/events.h"
#include "polygon/polygon_events.h"
#include "polygon/polygon_seam.h"

/* ---- from step to step ---- */

/// Sets the result for a pair in this step.
static void set_verdict(pv_world *world, pv__meet *m, pv_presolve_result verdict) {
    m->judged = true;
    m->verdict = verdict;
    if (verdict != PV_PRESOLVE_COLLIDE && !pv__polygon_note_apart(world, m))
        world->out_of_memory = true;
}

static bool is_in(const pv__list *pairs, const pv_contact_event *pair) {
    for (int i = 0; i < pairs->count; i++) {
        const pv_contact_event *other = (pv_contact_event *)pairs->items + i;
        if (PV_ID_EQUALS(other->a, pair->a) && PV_ID_EQUALS(other->b, pair->b)) return true;
    }
    return false;
}

void pv__polygon_recall_passing(pv_world *world) {
    const pv__polygon_room *r = world->matter.polygon_room;
    const pv__list *passing = &world->events.passing;
    for (int i = 0; passing->count > 0 && i < r->meet_count; i++) {
        pv__meet *m = &r->meets[i];
        if (m->kind == PV__MEET_PARTICLE) continue;
        pv_contact_event pair = pv__polygon_event_of(world, m);
        if (is_in(passing, &pair)) set_verdict(world, m, PV_PRESOLVE_IGNORE_UNTIL_SEPARATED);
    }
}

/// Keeps the passing pairs that rest, which are not tested.
static void keep_resting_pairs(const pv_world *world, pv__list *passing) {
    pv_contact_event *pairs = passing->items;
    int kept = 0;
    for (int i = 0; i < passing->count; i++)
        if (pv__polygon_pair_rests(world, pairs[i].a, pairs[i].b)) pairs[kept++] = pairs[i];
    passing->count = kept;
}

void pv__polygon_keep_passing(pv_world *world) {
    const pv__polygon_room *r = pv__polygon_list(world);
    pv__list *passing = &world->events.passing;
    keep_resting_pairs(world, passing);
    for (int i = 0; r && i < r->meet_count; i++) {
        const pv__meet *m = &r->meets[i];
        if (m->verdict != PV_PRESOLVE_IGNORE_UNTIL_SEPARATED || m->overlapped != r->substep)
            continue;
        pv_contact_event pair = pv__polygon_event_of(world, m);
        if (!is_in(passing, &pair)) pv__events_append(world, passing, &pair, sizeof pair);
    }
}

/* ---- in a round ---- */

/// Returns the approach speed of the flanks of a contact [px/s].
static double approach_of(const pv_world *world, const pv__touch *t) {
    pv_vec2 way = pv__sub(pv__matter_contact_way_at(world, t->b, t->point),
                          pv__matter_contact_way_at(world, t->a, t->point));
    return -pv__dot(way, t->normal) / world->dt;
}

/// Returns the contact to ask the callback about: the mean of all contacts, and the deepest gap.
static pv_presolve_contact question_of(const pv_world *world, const pv__meet *m,
                                       const pv__touch *touches, int count) {
    pv_contact_event pair = pv__polygon_event_of(world, m);
    pv_presolve_contact c = {.a = pair.a, .b = pair.b};
    pv_vec2 normal = {0, 0};
    int first = m->kind == PV__MEET_POLYGON ? m->polygon : -1;
    for (int i = 0; i < count; i++) {
        const pv__touch *t = &touches[i];
        c.point = pv__mad(c.point, 1.0 / count, t->point);
        normal =
            pv__polygon_join_normals(normal, pv__mul(t->a.polygon == first ? 1 : -1, t->normal));
        c.separation = pv__min(c.separation, t->gap);
        c.speed = i == 0 ? approach_of(world, t) : pv__max(c.speed, approach_of(world, t));
    }
    c.normal = pv__direction(normal);
    c.touching = is_in(&world->events.touching, &pair);
    return c;
}

static void judge(pv_world *world, pv__meet *m, const pv__touch *touches, int count) {
    m->material = (pv__pair_material){touches->material, 0, touches->tangent_speed};
    pv_presolve_contact question = question_of(world, m, touches, count);
    set_verdict(world, m, pv__presolve_ask(world, question, &m->material));
}

void pv__polygon_solve(pv_world *world, pv__touch *touches, int count) {
    pv__polygon_room *r = world->matter.polygon_room;
    pv__meet *m = r->meet;
    if (count == 0) return;
    bool asks = world->def.presolve_callback && m->kind != PV__MEET_PARTICLE;
    if (asks && !m->judged) judge(world, m, touches, count);
    if (m->verdict != PV_PRESOLVE_COLLIDE) {
        m->overlapped = r->substep + 1;
        return;
    }
    for (int i = 0; asks && i < count; i++) {
        touches[i].material = m->material.mixed;
        touches[i].tangent_speed = m->material.tangent_speed;
    }
    pv__matter_contact_part(world, touches, count);
    pv__polygon_note_touches(world, touches, count);
}
