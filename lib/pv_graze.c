/* pv_graze.c - particles of solid things against the surfaces of others.
 *
 * Invariant: a particle that crossed a side in the substep leaves by that side; one that was in a thing before leaves by the
 * nearest side of its outline. Pushes are those of pv_touch.h, so momentum is conserved, linear and angular. What is not listed
 * does not touch in the step, unless something gets faster by half than it was when the step began.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_impulse.h"
#include "pv_poly.h"
#include "pv_skin.h"
#include "pv_touch.h"

/// What may come off its way in a step: this, and half of the way [px].
static const double STRAY = 4;
/// How deep in an outline a particle is still seen [px].
static const double DEEP = 32;
/// What a particle may have got faster by, until it is looked at again: this factor and this way [px].
static const double FASTER = 2, FASTER_BY = 0.2;
enum { MOST_REST = 64 };
/// Nothing goes farther [px].
static const double FARTHEST = 2 * PV_MAX_COORDINATE;

/* ---- once a step ---- */

static pv_box box_around(pv_vec2 at, double by) {
    return (pv_box){pv__sub(at, pv__vec(by, by)), pv__add(at, pv__vec(by, by))};
}

static pv_box joined(pv_box a, pv_box b) {
    return (pv_box){{pv__min(a.min.x, b.min.x), pv__min(a.min.y, b.min.y)},
                    {pv__max(a.max.x, b.max.x), pv__max(a.max.y, b.max.y)}};
}

/// Where a particle may be in a step.
static pv_box reach_of(const pv_world *world, int i, double dt) {
    const pv__particles *p = &world->matter.particles;
    double own = pv__length(pv__sub(p->now[i], p->was[i])) * (dt / world->dt);
    double force = pv__length(p->force[i]) * p->inverse_mass[i];
    double way = 1.5 * (own + dt * dt * (pv__length(world->def.gravity) + force)) + STRAY;
    return box_around(p->now[i], pv__min(way, FARTHEST) + p->grains[i].radius);
}

static pv_box reach_of_side(const pv_world *world, const pv__rim *side, double dt) {
    pv_box box = joined(reach_of(world, side->from, dt), reach_of(world, side->to, dt));
    double by = side->open ? 0 : DEEP;
    return (pv_box){pv__sub(box.min, pv__vec(by, by)), pv__add(box.max, pv__vec(by, by))};
}

/// A box around boxes; it begins as one that holds nothing.
static const pv_box nowhere = {{1, 1}, {0, 0}};
static void widen(pv_box *box, pv_box by) { *box = box->min.x > box->max.x ? by : joined(*box, by); }

static void place_hide(pv_world *world, pv__hide *hide, double dt) {
    pv__skin *s = world->matter.skin;
    const pv__thing *t = &world->matter.things[hide->thing];
    hide->box = hide->surface = nowhere;
    for (int i = hide->first; i < hide->end; i++) {
        s->sides[i].box = reach_of_side(world, &s->sides[i], dt);
        widen(&hide->surface, s->sides[i].box);
    }
    for (int i = 0; i < t->particle_count; i++) {
        int p = pv__particle_of(world, t->particles[i]);
        if (p && s->owners[p] == hide->thing) widen(&hide->box, reach_of(world, p, dt));
    }
}

static bool may_touch(const pv_world *world, int particle, const pv__rim *side) {
    const pv_filter *filters = world->matter.particles.filter;
    return !world->filtered || pv__filters_agree(filters[particle], filters[side->from]);
}

static bool add_graze(pv_world *world, int particle, int side) {
    pv__skin *s = world->matter.skin;
    if (!pv__reserve(&world->def.allocator, &s->grazes, &s->graze_capacity, s->graze_count + 1,
                     sizeof *s->grazes))
        return false;
    s->grazes[s->graze_count++] = (pv__graze){particle, side, 0};
    world->matter.particles.bound[particle] |= PV__MEETS;
    return true;
}

/// Lists the sides of a thing that a particle of another may touch.
static bool graze(pv_world *world, int particle, const pv__hide *hide, double dt) {
    const pv__skin *s = world->matter.skin;
    if (world->matter.particles.grains[particle].passes) return true;
    pv_box box = reach_of(world, particle, dt);
    for (int i = hide->first; i < hide->end; i++)
        if (pv__boxes_meet(&box, &s->sides[i].box) && may_touch(world, particle, &s->sides[i]) &&
            !add_graze(world, particle, i))
            return false;
    return true;
}

/// The particles of a thing against the sides of another.
static bool graze_thing(pv_world *world, const pv__hide *mine, const pv__hide *other, double dt) {
    const pv__skin *s = world->matter.skin;
    const pv__thing *t = &world->matter.things[mine->thing];
    if (!pv__boxes_meet(&mine->box, &other->surface) || !pv__are_apart(s, mine->thing, other->thing))
        return true;
    for (int i = 0; i < t->particle_count; i++) {
        int p = pv__particle_of(world, t->particles[i]);
        if (!p || s->owners[p] != mine->thing) continue;
        if (!graze(world, p, other, dt)) return false;
    }
    return true;
}

bool pv__find_grazes(pv_world *world, double dt) {
    pv__matter *m = &world->matter;
    if (m->skin) m->skin->graze_count = 0;
    if (m->solid_things < 2) return true;
    if (!pv__stretch_skin(world)) return false;
    pv__skin *s = m->skin;
    for (int i = 0; i < s->hide_count; i++) place_hide(world, &s->hides[i], dt);
    for (int i = 0; i < s->hide_count; i++)
        for (int k = 0; k < s->hide_count; k++)
            if (i != k && !graze_thing(world, &s->hides[i], &s->hides[k], dt)) return false;
    return true;
}

/* ---- in a round ---- */

/// A particle and a side, as they are.
typedef struct gap {
    const pv__rim *side; ///< or null
    bool crossed;        ///< in this substep
    double when;         ///< the part of the substep after which it did
    double off;          ///< from the side's line: > 0 outside [px]
    double distance;     ///< from the side [px]
    pv_vec2 normal;      ///< out of the side's line, or away from what is nearest of it
} gap;

/// How far a point is off a side's line, and the part of the side beside it.
static double off_line(pv_vec2 from, pv_vec2 to, pv_vec2 at, double *part) {
    pv_vec2 along = pv__sub(to, from), d = pv__sub(at, from);
    double squared = pv__dot(along, along);
    *part = squared > 0 ? pv__dot(along, d) / squared : 0;
    return pv__dot(pv__poly_normal(from, to), d);
}

/// Whether a particle went through a side in the substep, and when: on the way all go straight on.
static bool crosses(const pv__particles *p, int i, gap *g) {
    const pv__rim *s = g->side;
    double part, then = off_line(p->was[s->from], p->was[s->to], p->was[i], &part);
    if (s->open ? (then >= 0) == (g->off >= 0) : !(then >= 0 && g->off < 0)) return false;
    g->when = then / (then - g->off);
    pv_vec2 from = pv__lerp(p->was[s->from], p->now[s->from], g->when),
            to = pv__lerp(p->was[s->to], p->now[s->to], g->when), at = pv__lerp(p->was[i], p->now[i], g->when);
    off_line(from, to, at, &part);
    return part >= 0 && part <= 1;
}

static gap gap_of(const pv__particles *p, int i, const pv__rim *s) {
    pv_vec2 from = p->now[s->from], to = p->now[s->to], at = p->now[i];
    double part;
    gap g = {.side = s, .off = off_line(from, to, at, &part)};
    pv_vec2 away = pv__sub(at, part <= 0 ? from : part >= 1 ? to : pv__lerp(from, to, part));
    g.crossed = crosses(p, i, &g);
    g.distance = pv__length(away);
    g.normal = pv__mul(g.off >= 0 ? 1 : -1, pv__poly_normal(from, to));
    if (!g.crossed && (part < 0 || part > 1) && g.distance > 0) g.normal = pv__mul(1 / g.distance, away);
    return g;
}

/// The first side that is crossed, or the nearest one; of two that meet in the nearest corner the one that faces it more.
static bool is_better(const gap *g, const gap *best) {
    if (!best->side || g->crossed != best->crossed) return !best->side || g->crossed;
    if (g->crossed) return g->when < best->when;
    if (g->distance != best->distance) return g->distance < best->distance;
    return pv__abs(g->off) > pv__abs(best->off);
}

/// Whether an outline goes round a point.
static bool is_within(const pv_world *world, const pv__hide *hide, pv_vec2 at) {
    const pv_vec2 *now = world->matter.particles.now;
    int turns = 0;
    for (int i = hide->first; i < hide->end; i++) {
        const pv__rim *s = &world->matter.skin->sides[i];
        pv_vec2 from = pv__sub(now[s->from], at), to = pv__sub(now[s->to], at);
        if ((from.y <= 0) == (to.y <= 0)) continue;
        double side = pv__cross(from, to);
        turns += from.y <= 0 ? side > 0 : -(side < 0);
    }
    return turns != 0;
}

static bool is_inside(const pv_world *world, int particle, const gap *g) {
    const pv__skin *s = world->matter.skin;
    return !g->side->open && g->off < 0 && g->distance < DEEP &&
           is_within(world, &s->hides[g->side->hide], world->matter.particles.now[particle]);
}

/// How far a particle keeps from a side: an outline has no thickness, a stick that of its ends.
static double room_of(const pv__particles *p, int particle, const pv__rim *s) {
    double thick = s->open ? pv__max(p->grains[s->from].radius, p->grains[s->to].radius) : 0;
    return p->grains[particle].radius + thick;
}

static pv__touch touch_of(const pv_world *world, int particle, const gap *g) {
    const pv__particles *p = &world->matter.particles;
    const pv__grain *mine = &p->grains[particle], *from = &p->grains[g->side->from],
                    *to = &p->grains[g->side->to];
    bool in = g->crossed || is_inside(world, particle, g);
    double off = in ? -(g->crossed ? pv__abs(g->off) : g->distance) : g->distance;
    return (pv__touch){
        .a = pv__edge_flank(g->side->from, g->side->to, -1),
        .b = pv__particle_flank(particle, -1),
        .normal = pv__mul(in ? -1 : 1, g->normal),
        .point = p->now[particle],
        .way = pv__sub(p->now[particle], p->was[particle]),
        .gap = off - room_of(p, particle, g->side),
        .restitution =
            pv__mix(world->def.restitution_mix, mine->restitution, 0.5 * (from->restitution + to->restitution)),
        .static_friction = pv__mix(world->def.friction_mix, mine->static_friction,
                                   0.5 * (from->static_friction + to->static_friction)),
        .kinetic_friction = pv__mix(world->def.friction_mix, mine->kinetic_friction,
                                    0.5 * (from->kinetic_friction + to->kinetic_friction)),
    };
}

static double way_of(const pv__particles *p, int i) { return pv__length(pv__sub(p->now[i], p->was[i])); }

/// How many grazes from the first on are of one particle and one thing.
static int run_of(const pv__skin *s, int first) {
    int end = first + 1;
    while (end < s->graze_count && s->grazes[end].particle == s->grazes[first].particle &&
           s->sides[s->grazes[end].side].hide == s->sides[s->grazes[first].side].hide)
        end++;
    return end - first;
}

/// Substeps in which what is so far off, where the faster of the sides goes so far in one, cannot touch.
static int rest_of(const pv__particles *p, int particle, double off, double fastest) {
    double substeps = off / (FASTER * (way_of(p, particle) + fastest) + FASTER_BY);
    return !(substeps > 1) ? 1 : substeps > MOST_REST ? MOST_REST : (int)substeps; /* 1 for NaN */
}

/// A particle against a thing.
static void meet(pv_world *world, pv__graze *run, int count, int substep) {
    const pv__particles *p = &world->matter.particles;
    gap best = {.side = NULL};
    double fastest = 0;
    for (int i = 0; i < count; i++) {
        const pv__rim *s = &world->matter.skin->sides[run[i].side];
        gap g = gap_of(p, run->particle, s);
        fastest = pv__max(fastest, pv__max(way_of(p, s->from), way_of(p, s->to)));
        if (is_better(&g, &best)) best = g;
    }
    pv__touch t = touch_of(world, run->particle, &best);
    if (t.gap < 0)
        pv__touch_part(world, &t, 1);
    else
        run->due = substep + rest_of(p, run->particle, t.gap, fastest);
}

void pv__relax_grazes(pv_world *world, int substep) {
    const pv__skin *s = world->matter.skin;
    for (int first = 0, count; s && first < s->graze_count; first += count) {
        count = run_of(s, first);
        if (s->grazes[first].due <= substep) meet(world, &s->grazes[first], count, substep);
    }
}
