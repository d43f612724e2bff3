/* pv_build_bridge.c - bridges of sprite planks.
 *
 * Invariant: a hinge is where two planks meet when they are made: the ends of their solid pixels, midway in height.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_build.h"

enum { MOST_PLANKS = 256 };

pv_bridge_def pv_bridge_def_default(void) {
    return (pv_bridge_def){.planks = 12, .density = 1, .filter = pv__unfiltered(), .cookie = PV__COOKIE};
}

static pv_status check_def(const pv_bridge_def *def) {
    if (!def || def->cookie != PV__COOKIE || !def->mask) return PV_ERROR_ARGUMENT;
    const double numbers[] = {def->from.x, def->from.y, def->to.x, def->to.y, def->density, def->break_force};
    if (!PV__ALL_FINITE(numbers)) return PV_ERROR_NOT_FINITE;
    bool in_range = pv__placeable(def->from) && pv__placeable(def->to) && def->planks >= 1 &&
                    def->planks <= MOST_PLANKS && pv__in_range(def->density, 1e-6, 1e6) &&
                    pv__in_range(def->break_force, 0, PV__MOST_FORCE);
    bool same = def->from.x == def->to.x && def->from.y == def->to.y;
    if (!in_range || same) return PV_ERROR_ARGUMENT;
    return pv_mask_count(def->mask) == 0 ? PV_ERROR_EMPTY : PV_OK;
}

/// A plank whose middle is at a place.
static pv_body make_plank(pv__build *b, const pv_bridge_def *def, pv_vec2 middle, pv_rotation way) {
    pv_rect box = pv_mask_box(def->mask);
    pv_vec2 own = pv__vec(box.x + box.w / 2.0, box.y + box.h / 2.0);
    pv_vec2 lever = pv__sub(pv_mask_mass(def->mask).centroid, own);
    pv_body_def plank = pv_body_def_default();
    plank.mask = def->mask;
    plank.density = def->density;
    plank.user_data = def->user_data;
    plank.filter = def->filter;
    plank.position = pv__add(middle, pv__rotate(way, lever));
    plank.angle = pv_rotation_angle(way);
    return pv__build_body(b, &plank);
}

/// @param left,right the planks that it joins; the null name is the world
static void make_hinge(pv__build *b, const pv_bridge_def *def, pv_body left, pv_body right, pv_vec2 at) {
    pv_constraint_def hinge = pv_constraint_def_default();
    hinge.type = PV_CONSTRAINT_PIN;
    hinge.a = pv_anchor_body(left, at);
    hinge.b = pv_anchor_body(right, at);
    hinge.break_force = def->break_force;
    pv__build_constraint(b, &hinge);
}

static void make_bridge(pv__build *b, const pv_bridge_def *def) {
    double width = pv_mask_box(def->mask).w, reach = pv__length(pv__sub(def->to, def->from));
    double pitch = pv__max(width, reach / def->planks);
    pv__arc arc = pv__arc_make(def->from, def->to, def->planks, NULL, pitch, pv_world_gravity(b->world));
    pv_body last = {0, 0};
    for (int i = 0; i < def->planks; i++) {
        pv_vec2 start = arc.at;
        pv_rotation way = arc.way;
        pv_vec2 end = pv__arc_next(&arc, pitch);
        pv_body next = make_plank(b, def, pv__lerp(start, end, 0.5), way);
        make_hinge(b, def, last, next, start);
        last = next;
    }
    make_hinge(b, def, last, (pv_body){0, 0}, arc.at);
}

pv_matter pv_bridge_build(pv_world *world, const pv_bridge_def *def, pv_status *status) {
    pv__build b = pv__build_begin(world, world ? check_def(def) : PV_ERROR_ARGUMENT);
    if (b.status == PV_OK) make_bridge(&b, def);
    return pv__build_end(&b, __func__, status);
}
