/* mover_presolve.c - calls the world's presolve for a mover and the bodies that would hold it.
 *
 * Invariant: presolve is called at most once for a body while it is gathered. It is not called for
 * a body that the mover passes until apart.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/handle.h"
#include "core/impulse.h"
#include "mover/mover.h"

static bool is_passing(const pv__walk *w, int index) {
    pv_body_id body = pv__index_handle(w->world, index);
    for (int i = 0; i < PV__PASSED; i++)
        if (PV_ID_EQUALS(body, w->passing[i])) return true;
    return false;
}

void pv__mover_keep_passing(pv__walk *w) {
    for (int i = 0; i < PV__PASSED; i++) {
        int index = pv__mover_index_of(w->world, w->passing[i]);
        bool overlaps = index >= 0 && pv__mover_take(w, index, &w->spare) &&
                        pv__mover_hits(w, &w->spare, w->x, w->y);
        if (!overlaps) w->passing[i] = (pv_body_id){0, 0};
    }
}

/// Notes a body that the mover passes until apart. If the list is full, presolve decides again in
/// the next call.
static void pass_until_apart(pv__walk *w, int index) {
    for (int i = 0; i < PV__PASSED; i++)
        if (w->passing[i].index == 0) {
            w->passing[i] = pv__index_handle(w->world, index);
            return;
        }
}

double pv__mover_tangent_speed(const pv_world *world, int index) {
    return pv__index_is_polygon(index) ? 0 : world->bodies.items[index].tangent_speed;
}

static const pv__material *consent_material(const pv_world *world, int index) {
    return pv__index_is_polygon(index) ? &world->matter.polygons[pv__index_polygon(index)].material
                                       : &world->bodies.items[index].material;
}

/// Returns the contact of a mover and an obstacle for presolve. The bodies are in order of slots,
/// and the null handle comes first.
static pv_presolve_contact approach_of(const pv__walk *w, const pv__obstacle *o, pv_vec2 normal) {
    const pv_mover *m = w->mover;
    pv_body_id theirs = pv__index_handle(w->world, o->index);
    pv_vec2 half = pv__vec(0.5 * w->bits->w, 0.5 * w->bits->h);
    pv_vec2 point = pv__vec(w->x + half.x * (1 + normal.x), w->y + half.y * (1 + normal.y));
    pv_presolve_contact c = {.b = theirs, .point = point, .normal = normal};
    c.speed = pv__dot(pv__sub(w->velocity, pv__mover_velocity_of(w, o->index, point)), normal);
    c.separation = pv__mover_hits(w, o, w->x, w->y) ? -1 : 0;
    c.touching = PV_ID_EQUALS(theirs, m->ground) || PV_ID_EQUALS(theirs, m->wall);
    pv__material material = pv__impulse_mix_materials(
        w->world, consent_material(w->world, w->own >= 0 ? w->own : o->index),
        consent_material(w->world, o->index));
    c.restitution = material.restitution;
    c.static_friction = material.static_friction;
    c.friction = material.kinetic_friction;
    c.tangent_speed = pv__mover_tangent_speed(w->world, o->index);
    if (w->own < 0) return c;
    c.tangent_speed += pv__mover_tangent_speed(w->world, w->own);
    c.a = pv__handle_of_body(w->world, w->own);
    if (w->own < o->index) return c;
    c.b = c.a;
    c.a = theirs;
    c.normal = pv__mul(-1, normal);
    return c;
}

bool pv__mover_goes_through(pv__walk *w, pv__obstacle *o, pv_vec2 normal) {
    const pv_world_def *def = &w->world->def;
    if (o->asked || !def->presolve_callback) return o->asked && o->passes;
    o->asked = true;
    o->passes = is_passing(w, o->index);
    if (o->passes) return true;
    pv_presolve_contact said = approach_of(w, o, normal);
    pv_presolve_result verdict = def->presolve_callback(def->presolve_user_data, w->world, &said);
    o->passes = verdict == PV_PRESOLVE_IGNORE || verdict == PV_PRESOLVE_IGNORE_UNTIL_SEPARATED;
    if (verdict == PV_PRESOLVE_IGNORE_UNTIL_SEPARATED) pass_until_apart(w, o->index);
    return o->passes;
}
