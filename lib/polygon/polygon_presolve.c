/* polygon_presolve.c - the caller's presolve of pairs with polygons.
 *
 * Invariant: a pair is presolved once a step, at its first contacts. A pair that is ignored until
 * separated passes in each step until a last substep without contacts.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "polygon/polygon_presolve.h"
#include "collide/presolve.h"
#include "core/events.h"
#include "core/handle.h"
#include "polygon/polygon_events.h"
#include "polygon/polygon_seam.h"

/* ---- from step to step ---- */

static pv__meet *meet_between(const pv_world *world, const pv_contact_event *pair) {
    const pv__polygon_room *r = world->matter.polygon_room;
    int a = pv__handle_polygon(world, pair->a), b = pv__handle_polygon(world, pair->b);
    const pv__body *body = pv__handle_body(world, pair->a);
    pv__meet_kind kind = a >= 0 ? PV__MEET_POLYGON : PV__MEET_BODY;
    int polygon = a >= 0 ? a : b, other = a >= 0 ? b : (int)pair->a.index - 1;
    if (b < 0 || (a < 0 && !body)) return NULL;
    for (int i = 0; i < r->meet_count; i++) {
        pv__meet *m = &r->meets[i];
        if (m->kind == kind && m->polygon == polygon && m->other == other) return m;
    }
    return NULL;
}

/// Lets a pair pass in this step.
static void let_pass(pv_world *world, pv__meet *m) {
    m->passes = true;
    if (!pv__polygon_note_apart(world, m)) world->out_of_memory = true;
}

void pv__polygon_recall_passing(pv_world *world) {
    const pv__list *passing = &world->events.passing;
    for (int i = 0; i < passing->count; i++) {
        pv__meet *m = meet_between(world, (pv_contact_event *)passing->items + i);
        if (!m) continue;
        m->judged = m->until_apart = true;
        let_pass(world, m);
    }
}

static bool is_in(const pv__list *pairs, const pv_contact_event *pair) {
    for (int i = 0; i < pairs->count; i++) {
        const pv_contact_event *other = (pv_contact_event *)pairs->items + i;
        if (PV_ID_EQUALS(other->a, pair->a) && PV_ID_EQUALS(other->b, pair->b)) return true;
    }
    return false;
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
    const pv__polygon_room *r = world->matter.polygon_room;
    pv__list *passing = &world->events.passing;
    keep_resting_pairs(world, passing);
    for (int i = 0; r && r->step == world->steps + 1 && i < r->meet_count; i++) {
        const pv__meet *m = &r->meets[i];
        if (!m->until_apart || m->overlapped != r->substep) continue;
        pv_contact_event pair = pv__polygon_event_of(world, m);
        if (!is_in(passing, &pair)) pv__events_append(world, passing, &pair, sizeof pair);
    }
}

/* ---- in a round ---- */

/// Returns the approach speed of the flanks of a contact [px/s].
static double approach_of(const pv_world *world, const pv__touch *t) {
    pv__flank a = t->a, b = t->b;
    pv__matter_contact_stand(world, &a, t->point, 0);
    pv__matter_contact_stand(world, &b, t->point, 0);
    pv_vec2 way = pv__sub(pv__matter_contact_way(world, &b), pv__matter_contact_way(world, &a));
    return -pv__dot(way, t->normal) / world->dt;
}

/// Returns what the callback is asked about: the mean of all contacts, and the deepest gap.
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
    pv_presolve_result verdict =
        pv__presolve_ask(world, question_of(world, m, touches, count), &m->material);
    m->judged = true;
    if (verdict != PV_PRESOLVE_COLLIDE) let_pass(world, m);
    m->until_apart = verdict == PV_PRESOLVE_IGNORE_UNTIL_SEPARATED;
}

void pv__polygon_solve(pv_world *world, pv__touch *touches, int count) {
    pv__polygon_room *r = world->matter.polygon_room;
    pv__meet *m = r->meet;
    if (count == 0) return;
    bool asks = world->def.presolve_callback && m->kind != PV__MEET_PARTICLE;
    if (asks && !m->judged) judge(world, m, touches, count);
    if (m->passes) {
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
