/* mover_presolve.c - the world's presolve for a mover and bodies that would hold it.
 *
 * Invariant: presolve is called at most once for a body while it is gathered. It is not called for
 * a body that the mover passes until apart.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/handle.h"
#include "core/impulse.h"
#include "mover/mover.h"

static bool consent_is_named(const pv__walk *w, int index, pv_body_id name) {
    pv_body_id body = pv__mover_id_of(w->world, index);
    return PV_ID_EQUALS(body, name);
}

static bool is_passing(const pv__walk *w, int index) {
    for (int i = 0; i < PV__PASSED; i++)
        if (consent_is_named(w, index, w->passing[i])) return true;
    return false;
}

void pv__mover_keep_passing(pv__walk *w) {
    for (int i = 0; i < PV__PASSED; i++) {
        const pv__body *b = pv__handle_body(w->world, w->passing[i]);
        bool overlaps = b && pv__body_is_solid(b) &&
                        pv__mover_take(w, (int)(b - w->world->bodies.items), &w->spare) &&
                        pv__mover_hits(w, &w->spare, w->x, w->y);
        if (!overlaps) w->passing[i] = (pv_body_id){0, 0};
    }
}

/// Notes a body that the mover passes until apart. Without room, presolve decides again in the next
/// call.
static void pass_until_apart(pv__walk *w, int index) {
    for (int i = 0; i < PV__PASSED; i++)
        if (w->passing[i].index == 0) {
            w->passing[i] = pv__handle_of_body(w->world, index);
            return;
        }
}

/// Returns the contact of a mover and an obstacle for presolve. The bodies are in order of slots,
/// and the null handle comes first.
static pv_presolve_contact consent_approach_of(const pv__walk *w, const pv__obstacle *o,
                                               pv_vec2 normal) {
    const pv_mover *m = w->mover;
    pv_vec2 half = pv__vec(0.5 * w->bits->w, 0.5 * w->bits->h);
    pv_vec2 point = pv__vec(w->x + half.x * (1 + normal.x), w->y + half.y * (1 + normal.y));
    pv_vec2 velocity =
        pv_body_get_velocity_at(w->world, pv__handle_of_body(w->world, o->index), point);
    pv_presolve_contact c = {.point = point, .normal = normal};
    c.speed = pv__dot(pv__sub(w->velocity, velocity), normal);
    c.separation = pv__mover_hits(w, o, w->x, w->y) ? -1 : 0;
    c.touching = (m->ground.index != 0 && consent_is_named(w, o->index, m->ground)) ||
                 (m->wall.index != 0 && consent_is_named(w, o->index, m->wall));
    pv__pair_material material =
        pv__impulse_material_of(w->world, w->own >= 0 ? w->own : o->index, o->index);
    c.restitution = material.mixed.restitution;
    c.static_friction = material.mixed.static_friction;
    c.friction = material.mixed.kinetic_friction;
    c.tangent_speed = w->own >= 0 ? material.tangent_speed : o->body->tangent_speed;
    if (w->own >= 0) c.a = pv__handle_of_body(w->world, w->own);
    c.b = pv__handle_of_body(w->world, o->index);
    if (w->own < o->index) return c;
    pv_body_id own = c.a;
    c.a = c.b;
    c.b = own;
    c.normal = pv__mul(-1, normal);
    return c;
}

bool pv__mover_goes_through(pv__walk *w, pv__obstacle *o, pv_vec2 normal) {
    const pv_world_def *def = &w->world->def;
    if (o->asked || !def->presolve_callback || !o->body) return o->asked && o->passes;
    o->asked = true;
    o->passes = is_passing(w, o->index);
    if (o->passes) return true;
    pv_presolve_contact said = consent_approach_of(w, o, normal);
    pv_presolve_result verdict = def->presolve_callback(def->presolve_user_data, w->world, &said);
    o->passes = verdict == PV_PRESOLVE_IGNORE || verdict == PV_PRESOLVE_IGNORE_UNTIL_SEPARATED;
    if (verdict == PV_PRESOLVE_IGNORE_UNTIL_SEPARATED) pass_until_apart(w, o->index);
    return o->passes;
}
