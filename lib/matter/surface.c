/* surface.c - surfaces of solid composites, and particles against them.
 *
 * Invariant: an outline consists of the sides that only one triangle has. They are clockwise when
 * added, so the outside stays known. The surface of a composite without triangles is its rigid
 * sticks. A particle belongs to the first solid composite that lists it.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "matter/surface.h"
#include "core/handle.h"
#include "core/impulse.h"
#include "matter/matter_contact.h"
#include "matter/particle_collide.h"
#include "shape/convex.h"

void pv__surface_free(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__surfaces *s = world->matter.skin;
    if (!s) return;
    PV__FREE(allocator, s->sides, s->side_capacity);
    PV__FREE(allocator, s->hides, s->hide_capacity);
    PV__FREE(allocator, s->owners, s->owner_capacity);
    PV__FREE(allocator, s->apart, s->apart_capacity);
    PV__FREE(allocator, s->grazes, s->graze_capacity);
    pv__free(allocator, s, 1, sizeof *s);
}

/* ---- sides ---- */

static bool add_side(pv_world *world, int from, int to, int thing, bool open) {
    pv__surfaces *s = world->matter.skin;
    if (from == to || s->owners[from] != thing || s->owners[to] != thing) return true;
    return PV__APPEND(
        &world->def.allocator, s->sides, s->side_capacity, s->side_count,
        (pv__surface_side){.from = from, .to = to, .hide = s->hide_count, .open = open});
}

/// Tells whether all particles and joints of a triangle exist.
static bool is_whole(const pv_world *world, const pv_triangle *t) {
    for (int i = 0; i < 3; i++) {
        const pv_joint_id *c = &t->joints[i];
        if (!pv__handle_particle(world, t->corners[i])) return false;
        if ((c->index || c->generation) && !pv__handle_constraint(world, *c)) return false;
    }
    return true;
}

static bool add_triangles(pv_world *world, int thing) {
    const pv__composite *t = &world->matter.composites[thing];
    for (int i = 0; i < t->triangle_count; i++) {
        const pv_triangle *one = &t->triangles[i];
        if (!is_whole(world, one)) continue;
        for (int k = 0; k < 3; k++)
            if (!add_side(world, (int)one->corners[k].index, (int)one->corners[(k + 1) % 3].index,
                          thing, false))
                return false;
    }
    return true;
}

static int compare_sides(const void *p, const void *q) {
    const pv__surface_side *a = p, *b = q;
    int low_a = a->from < a->to ? a->from : a->to, low_b = b->from < b->to ? b->from : b->to;
    int high_a = a->from + a->to - low_a, high_b = b->from + b->to - low_b;
    if (low_a != low_b) return low_a < low_b ? -1 : 1;
    if (high_a != high_b) return high_a < high_b ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

static bool same_ends(const pv__surface_side *a, const pv__surface_side *b) {
    return (a->from == b->from && a->to == b->to) || (a->from == b->to && a->to == b->from);
}

/// Removes all sides from first on that belong to more than one triangle.
static void keep_outline(pv__surfaces *s, int first) {
    int kept = first;
    pv__sort(s->sides + first, s->side_count - first, sizeof *s->sides, compare_sides);
    for (int i = first, next; i < s->side_count; i = next) {
        next = i + 1;
        while (next < s->side_count && same_ends(&s->sides[i], &s->sides[next])) next++;
        if (next == i + 1) s->sides[kept++] = s->sides[i];
    }
    s->side_count = kept;
}

static bool add_sticks(pv_world *world, int thing) {
    const pv__composite *t = &world->matter.composites[thing];
    for (int i = 0; i < t->constraint_count; i++) {
        const pv__constraint *c = pv__handle_constraint(world, t->constraints[i]);
        if (c && c->type <= PV_JOINT_ROPE && c->a.particle && c->b.particle && c->stiffness == 0 &&
            !add_side(world, c->a.particle, c->b.particle, thing, true))
            return false;
    }
    return true;
}

static bool add_hide(pv_world *world, int thing) {
    pv__surfaces *s = world->matter.skin;
    pv__hide hide = {.thing = thing, .first = s->side_count};
    bool outlined = world->matter.composites[thing].triangle_count > 0;
    if (outlined ? !add_triangles(world, thing) : !add_sticks(world, thing)) return false;
    if (outlined) keep_outline(s, hide.first);
    hide.end = s->side_count;
    return PV__APPEND(&world->def.allocator, s->hides, s->hide_capacity, s->hide_count, hide);
}

/* ---- members ---- */

static bool is_solid(const pv__composite *t) { return pv__slot_lives(&t->slot) && t->solid; }

static bool list_owners(pv_world *world) {
    pv__matter *m = &world->matter;
    pv__surfaces *s = m->skin;
    if (!PV__RESERVE(&world->def.allocator, s->owners, s->owner_capacity, m->particles.count + 1))
        return false;
    for (int i = 0; i < m->particles.count; i++) s->owners[i] = -1;
    for (int i = 0; i < m->composite_pool.count; i++) {
        const pv__composite *t = &m->composites[i];
        for (int k = 0; is_solid(t) && k < t->particle_count; k++) {
            int p = pv__handle_particle(world, t->particles[k]);
            if (s->owners[p] < 0 && p > 0) s->owners[p] = i;
        }
    }
    return true;
}

/// Lists the pairs of composites that joints connect, unless the joint lets its ends collide.
/// Returns false without memory.
static bool list_joined(pv_world *world) {
    const pv__matter *m = &world->matter;
    pv__surfaces *s = m->skin;
    s->apart_count = 0;
    for (int i = 0; i < m->constraint_pool.count; i++) {
        const pv__constraint *c = &m->constraints[i];
        if (!pv__slot_lives(&c->slot) || c->collide) continue;
        int a = s->owners[c->a.particle], b = s->owners[c->b.particle];
        if (a < 0 || b < 0 || a == b) continue;
        if (!PV__APPEND(&world->def.allocator, s->apart, s->apart_capacity, s->apart_count,
                        (pv__bar){a < b ? a : b, a < b ? b : a}))
            return false;
    }
    pv__sort(s->apart, s->apart_count, sizeof *s->apart, pv__compare_pairs);
    return true;
}

/// Tells whether two composites may touch: no joint connects them.
static bool are_apart(const pv__surfaces *skin, int a, int b) {
    pv__bar sought = {a < b ? a : b, a < b ? b : a};
    return !pv__sorted_has(skin->apart, skin->apart_count, sizeof sought, &sought,
                           pv__compare_pairs);
}

/// Rebuilds the surfaces if they are out of date; returns false without memory.
static bool stretch(pv_world *world) {
    pv__matter *m = &world->matter;
    if (m->skin && !m->bare) return true;
    if (!m->skin) m->skin = pv__alloc(&world->def.allocator, 1, sizeof *m->skin);
    pv__surfaces *s = m->skin;
    m->bare = true;
    if (!s || !list_owners(world) || !list_joined(world)) return false;
    s->side_count = s->hide_count = 0;
    for (int i = 0; i < m->composite_pool.count; i++)
        if (is_solid(&m->composites[i]) && !add_hide(world, i)) return false;
    m->bare = false;
    return true;
}

/* ---- particles of solid composites against the surfaces of others ----
 *
 * Invariant: a particle that crossed a side in the substep leaves through that side. A particle
 * that was inside before leaves through the nearest side of the outline. Pushes are from
 * matter_contact.h, so linear and angular momentum are conserved. An unlisted pair does not touch
 * in the step, unless something gets faster by half during it.
 */

/// Depth in an outline up to which a particle is found [px]
static const double SURFACE_CONTACT_DEEP = 32;

/* ---- once a step ---- */

static pv_box reach_of_side(const pv_world *world, const pv__surface_side *side, double dt) {
    pv_box box = pv__box_join(pv__particle_swept_box(world, side->from, dt),
                              pv__particle_swept_box(world, side->to, dt));
    return pv__box_widened(box, side->open ? 0 : SURFACE_CONTACT_DEEP);
}

static void place_hide(pv_world *world, pv__hide *hide, double dt) {
    pv__surfaces *s = world->matter.skin;
    const pv__composite *t = &world->matter.composites[hide->thing];
    hide->box = hide->surface =
        (pv_box){{PV__BOUNDLESS, PV__BOUNDLESS}, {-PV__BOUNDLESS, -PV__BOUNDLESS}};
    for (int i = hide->first; i < hide->end; i++) {
        s->sides[i].box = reach_of_side(world, &s->sides[i], dt);
        hide->surface = pv__box_join(hide->surface, s->sides[i].box);
    }
    for (int i = 0; i < t->particle_count; i++) {
        int p = pv__handle_particle(world, t->particles[i]);
        if (p && s->owners[p] == hide->thing)
            hide->box = pv__box_join(hide->box, pv__particle_swept_box(world, p, dt));
    }
}

/// Lists the sides of a composite that a particle of another may touch; returns false without
/// memory.
static bool graze(pv_world *world, int particle, const pv__hide *hide, double dt) {
    pv__surfaces *s = world->matter.skin;
    if (world->matter.particles.data[particle].passes) return true;
    pv_box box = pv__particle_swept_box(world, particle, dt);
    for (int i = hide->first; i < hide->end; i++) {
        if (!pv__boxes_meet(&box, &s->sides[i].box) ||
            !pv__particle_agrees(world, particle, s->sides[i].from))
            continue;
        if (!PV__APPEND(&world->def.allocator, s->grazes, s->graze_capacity, s->graze_count,
                        (pv__graze){particle, i, 0}))
            return false;
        world->matter.particles.bound[particle] |= PV__MEETS;
    }
    return true;
}

/// Lists the candidate pairs of a composite's particles and another's sides; returns false without
/// memory.
static bool graze_thing(pv_world *world, const pv__hide *mine, const pv__hide *other, double dt) {
    const pv__surfaces *s = world->matter.skin;
    const pv__composite *t = &world->matter.composites[mine->thing];
    if (!pv__boxes_meet(&mine->box, &other->surface) || !are_apart(s, mine->thing, other->thing))
        return true;
    for (int i = 0; i < t->particle_count; i++) {
        int p = pv__handle_particle(world, t->particles[i]);
        if (!p || s->owners[p] != mine->thing) continue;
        if (!graze(world, p, other, dt)) return false;
    }
    return true;
}

bool pv__surface_find_pairs(pv_world *world, double dt) {
    pv__matter *m = &world->matter;
    if (m->skin) m->skin->graze_count = 0;
    if (m->solid_composites < 2) return true;
    if (!stretch(world)) return false;
    pv__surfaces *s = m->skin;
    for (int i = 0; i < s->hide_count; i++) place_hide(world, &s->hides[i], dt);
    for (int i = 0; i < s->hide_count; i++)
        for (int k = 0; k < s->hide_count; k++)
            if (i != k && !graze_thing(world, &s->hides[i], &s->hides[k], dt)) return false;
    return true;
}

/* ---- in a round ---- */

/// Current relation of a particle and a side
typedef struct contact_gap {
    /// Side, or null
    const pv__surface_side *side;
    /// True if the particle crossed the side in this substep
    bool crossed;
    /// Part of the substep up to the crossing
    double when;
    /// Distance from the side's line, > 0 outside [px]
    double off;
    /// Distance from the side [px]
    double distance;
    /// Normal out of the side's line, or away from the nearest place of the side
    pv_vec2 normal;
} contact_gap;

/// Returns the distance of a point from a side's line [px], and stores the part of the side up to
/// it.
static double off_line(pv_vec2 from, pv_vec2 to, pv_vec2 at, double *part) {
    pv_vec2 along = pv__sub(to, from), d = pv__sub(at, from);
    double squared = pv__dot(along, along);
    *part = squared > 0 ? pv__dot(along, d) / squared : 0;
    return pv__dot(pv__convex_normal(from, to), d);
}

/// Tells whether a particle went through a side in the substep, and stores the time. All paths are
/// straight.
static bool crosses(const pv__particles *p, int i, contact_gap *g) {
    const pv__surface_side *s = g->side;
    double part, then = off_line(p->was[s->from], p->was[s->to], p->was[i], &part);
    if (s->open ? (then >= 0) == (g->off >= 0) : !(then >= 0 && g->off < 0)) return false;
    g->when = then / (then - g->off);
    pv_vec2 from = pv__lerp(p->was[s->from], p->now[s->from], g->when),
            to = pv__lerp(p->was[s->to], p->now[s->to], g->when),
            at = pv__lerp(p->was[i], p->now[i], g->when);
    off_line(from, to, at, &part);
    return part >= 0 && part <= 1;
}

static contact_gap gap_of(const pv__particles *p, int i, const pv__surface_side *s) {
    pv_vec2 from = p->now[s->from], to = p->now[s->to], at = p->now[i];
    double part;
    contact_gap g = {.side = s, .off = off_line(from, to, at, &part)};
    pv_vec2 away = pv__sub(at, part <= 0 ? from : part >= 1 ? to : pv__lerp(from, to, part));
    g.crossed = crosses(p, i, &g);
    g.distance = pv__length(away);
    g.normal = pv__mul(g.off >= 0 ? 1 : -1, pv__convex_normal(from, to));
    if (!g.crossed && (part < 0 || part > 1) && g.distance > 0)
        g.normal = pv__mul(1 / g.distance, away);
    return g;
}

/// Tells whether a side is a better choice: the side crossed first, or else the nearest one. If two
/// sides meet in the nearest corner, the one that faces the particle more is better.
static bool is_better(const contact_gap *g, const contact_gap *best) {
    if (!best->side || g->crossed != best->crossed) return !best->side || g->crossed;
    if (g->crossed) return g->when < best->when;
    if (g->distance != best->distance) return g->distance < best->distance;
    return pv__abs(g->off) > pv__abs(best->off);
}

/// Tells whether an outline encloses a point.
static bool is_within(const pv_world *world, const pv__hide *hide, pv_vec2 at) {
    const pv_vec2 *now = world->matter.particles.now;
    int turns = 0;
    for (int i = hide->first; i < hide->end; i++) {
        const pv__surface_side *s = &world->matter.skin->sides[i];
        pv_vec2 from = pv__sub(now[s->from], at), to = pv__sub(now[s->to], at);
        if ((from.y <= 0) == (to.y <= 0)) continue;
        double side = pv__cross(from, to);
        turns += from.y <= 0 ? side > 0 : -(side < 0);
    }
    return turns != 0;
}

static bool is_inside(const pv_world *world, int particle, const contact_gap *g) {
    const pv__surfaces *s = world->matter.skin;
    return !g->side->open && g->off < 0 && g->distance < SURFACE_CONTACT_DEEP &&
           is_within(world, &s->hides[g->side->hide], world->matter.particles.now[particle]);
}

/// Returns the distance that a particle keeps from a side [px]. An outline has no thickness; a
/// stick has the radius of its ends.
static double room_of(const pv__particles *p, int particle, const pv__surface_side *s) {
    double thick = s->open ? pv__max(p->data[s->from].radius, p->data[s->to].radius) : 0;
    return p->data[particle].radius + thick;
}

static pv__touch touch_of(const pv_world *world, int particle, const contact_gap *g) {
    const pv__particles *p = &world->matter.particles;
    const pv__particle_data *mine = &p->data[particle], *from = &p->data[g->side->from],
                            *to = &p->data[g->side->to];
    const pv__material *a = &from->material, *b = &to->material;
    const pv__material side = {0.5 * (a->restitution + b->restitution),
                               0.5 * (a->static_friction + b->static_friction),
                               0.5 * (a->kinetic_friction + b->kinetic_friction)};
    bool in = g->crossed || is_inside(world, particle, g);
    double off = in ? -(g->crossed ? pv__abs(g->off) : g->distance) : g->distance;
    return (pv__touch){
        .a = pv__matter_contact_of_edge(g->side->from, g->side->to, -1),
        .b = pv__matter_contact_of_particle(particle, -1),
        .normal = pv__mul(in ? -1 : 1, g->normal),
        .point = p->now[particle],
        .way = pv__particle_way(p, particle),
        .gap = off - room_of(p, particle, g->side),
        .material = pv__impulse_mix_materials(world, &mine->material, &side),
    };
}

/// Returns the number of grazes from first on with the same particle and composite.
static int run_of(const pv__surfaces *s, int first) {
    int end = first + 1;
    while (end < s->graze_count && s->grazes[end].particle == s->grazes[first].particle &&
           s->sides[s->grazes[end].side].hide == s->sides[s->grazes[first].side].hide)
        end++;
    return end - first;
}

/// Resolves the contact of a particle with a composite, or sets the substep of its next test.
static void meet(pv_world *world, pv__graze *run, int count, int substep) {
    const pv__particles *p = &world->matter.particles;
    contact_gap best = {.side = NULL};
    double fastest = 0;
    for (int i = 0; i < count; i++) {
        const pv__surface_side *s = &world->matter.skin->sides[run[i].side];
        contact_gap g = gap_of(p, run->particle, s);
        fastest = pv__max(fastest, pv__length(pv__particle_way(p, s->from)));
        fastest = pv__max(fastest, pv__length(pv__particle_way(p, s->to)));
        if (is_better(&g, &best)) best = g;
    }
    pv__touch t = touch_of(world, run->particle, &best);
    if (t.gap < 0)
        pv__matter_contact_part(world, &t, 1);
    else
        run->due = substep + pv__rest_of_pair(t.gap, pv__length(t.way) + fastest, 1);
}

void pv__surface_relax_all(pv_world *world, int substep) {
    const pv__surfaces *s = world->matter.skin;
    for (int first = 0, count; s && first < s->graze_count; first += count) {
        count = run_of(s, first);
        if (s->grazes[first].due <= substep) meet(world, &s->grazes[first], count, substep);
    }
}
