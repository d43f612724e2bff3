/* pv_skin.c - the surfaces of solid things: outlines of their triangles, or their sticks.
 *
 * Invariant: an outline consists of the sides that belong to one triangle alone, each directed as the triangle is listed, which is
 * clockwise when it was added; so an outline knows its outside however the thing is crumpled. A thing that was made without
 * triangles has its rigid sticks for a surface. A particle is part of the first solid thing that lists it.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_skin.h"

static pv__skin *skin_of(pv_world *world) {
    pv__matter *m = &world->matter;
    if (!m->skin) m->skin = pv__alloc(&world->def.allocator, 1, sizeof *m->skin);
    return m->skin;
}

void pv__skin_free(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__skin *s = world->matter.skin;
    if (!s) return;
    pv__free(allocator, s->sides, (size_t)s->side_capacity, sizeof *s->sides);
    pv__free(allocator, s->hides, (size_t)s->hide_capacity, sizeof *s->hides);
    pv__free(allocator, s->owners, (size_t)s->owner_capacity, sizeof *s->owners);
    pv__free(allocator, s->apart, (size_t)s->apart_capacity, sizeof *s->apart);
    pv__free(allocator, s->grazes, (size_t)s->graze_capacity, sizeof *s->grazes);
    pv__free(allocator, s, 1, sizeof *s);
}

/* ---- sides ---- */

static bool add_side(pv_world *world, int from, int to, int thing, bool open) {
    pv__skin *s = world->matter.skin;
    if (from == to || s->owners[from] != thing || s->owners[to] != thing) return true;
    if (!pv__reserve(&world->def.allocator, &s->sides, &s->side_capacity, s->side_count + 1, sizeof *s->sides))
        return false;
    s->sides[s->side_count++] = (pv__rim){.from = from, .to = to, .hide = s->hide_count, .open = open};
    return true;
}

/// Whether all that a triangle names is there.
static bool is_whole(const pv_world *world, const pv_triangle *t) {
    for (int i = 0; i < 3; i++) {
        const pv_constraint *c = &t->holds[i];
        if (!pv__particle_of(world, t->corners[i])) return false;
        if ((c->index || c->generation) && !pv__constraint_of(world, *c)) return false;
    }
    return true;
}

static bool add_triangles(pv_world *world, int thing) {
    const pv__thing *t = &world->matter.things[thing];
    for (int i = 0; i < t->triangle_count; i++) {
        const pv_triangle *one = &t->triangles[i];
        if (!is_whole(world, one)) continue;
        for (int k = 0; k < 3; k++)
            if (!add_side(world, (int)one->corners[k].index, (int)one->corners[(k + 1) % 3].index, thing,
                          false))
                return false;
    }
    return true;
}

static int compare_sides(const void *p, const void *q) {
    const pv__rim *a = p, *b = q;
    int low_a = a->from < a->to ? a->from : a->to, low_b = b->from < b->to ? b->from : b->to;
    int high_a = a->from + a->to - low_a, high_b = b->from + b->to - low_b;
    if (low_a != low_b) return low_a < low_b ? -1 : 1;
    if (high_a != high_b) return high_a < high_b ? -1 : 1;
    return (a->from > b->from) - (a->from < b->from);
}

static bool same_ends(const pv__rim *a, const pv__rim *b) {
    return (a->from == b->from && a->to == b->to) || (a->from == b->to && a->to == b->from);
}

/// Leaves those of the sides from first on that belong to one triangle.
static void keep_outline(pv__skin *s, int first) {
    int kept = first;
    if (s->side_count - first > 1)
        pv__sort(s->sides + first, s->side_count - first, sizeof *s->sides, compare_sides);
    for (int i = first, next; i < s->side_count; i = next) {
        next = i + 1;
        while (next < s->side_count && same_ends(&s->sides[i], &s->sides[next])) next++;
        if (next == i + 1) s->sides[kept++] = s->sides[i];
    }
    s->side_count = kept;
}

static bool is_line(const pv__constraint *c) {
    return c->type <= PV_CONSTRAINT_ROPE && c->a.particle && c->b.particle && c->stiffness == 0;
}

static bool add_sticks(pv_world *world, int thing) {
    const pv__thing *t = &world->matter.things[thing];
    for (int i = 0; i < t->constraint_count; i++) {
        const pv__constraint *c = pv__constraint_of(world, t->constraints[i]);
        if (c && is_line(c) && !add_side(world, c->a.particle, c->b.particle, thing, true)) return false;
    }
    return true;
}

static bool add_hide(pv_world *world, int thing) {
    pv__skin *s = world->matter.skin;
    pv__hide hide = {.thing = thing, .first = s->side_count};
    bool outlined = world->matter.things[thing].triangle_count > 0;
    if (outlined ? !add_triangles(world, thing) : !add_sticks(world, thing)) return false;
    if (outlined) keep_outline(s, hide.first);
    hide.end = s->side_count;
    if (!pv__reserve(&world->def.allocator, &s->hides, &s->hide_capacity, s->hide_count + 1, sizeof *s->hides))
        return false;
    s->hides[s->hide_count++] = hide;
    return true;
}

/* ---- who is part of what ---- */

static bool is_solid(const pv__thing *t) { return (t->generation & 1) && t->solid; }

static bool list_owners(pv_world *world) {
    pv__matter *m = &world->matter;
    pv__skin *s = m->skin;
    if (!pv__reserve(&world->def.allocator, &s->owners, &s->owner_capacity, m->particles.count + 1,
                     sizeof(int)))
        return false;
    s->owner_count = m->particles.count;
    for (int i = 0; i < s->owner_count; i++) s->owners[i] = -1;
    for (int i = 0; i < m->thing_count; i++) {
        const pv__thing *t = &m->things[i];
        for (int k = 0; is_solid(t) && k < t->particle_count; k++) {
            int p = pv__particle_of(world, t->particles[k]);
            if (s->owners[p] < 0 && p > 0) s->owners[p] = i;
        }
    }
    return true;
}

static int compare_bars(const void *p, const void *q) {
    const pv__bar *a = p, *b = q;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

/// Lists the things that constraints join, unless these let what they join collide.
static bool list_joined(pv_world *world) {
    const pv__matter *m = &world->matter;
    pv__skin *s = m->skin;
    s->apart_count = 0;
    for (int i = 0; i < m->constraint_count; i++) {
        const pv__constraint *c = &m->constraints[i];
        if (!(c->generation & 1) || c->collide) continue;
        int a = s->owners[c->a.particle], b = s->owners[c->b.particle];
        if (a < 0 || b < 0 || a == b) continue;
        if (!pv__reserve(&world->def.allocator, &s->apart, &s->apart_capacity, s->apart_count + 1,
                         sizeof *s->apart))
            return false;
        s->apart[s->apart_count++] = (pv__bar){a < b ? a : b, a < b ? b : a};
    }
    if (s->apart_count > 1) pv__sort(s->apart, s->apart_count, sizeof *s->apart, compare_bars);
    return true;
}

bool pv__are_apart(const pv__skin *skin, int a, int b) {
    pv__bar sought = {a < b ? a : b, a < b ? b : a};
    int low = 0, high = skin->apart_count;
    while (low < high) {
        int middle = (low + high) / 2, way = compare_bars(&skin->apart[middle], &sought);
        if (way == 0) return false;
        if (way < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return true;
}

bool pv__stretch_skin(pv_world *world) {
    pv__matter *m = &world->matter;
    if (m->skin && !m->bare) return true;
    pv__skin *s = skin_of(world);
    m->bare = true;
    if (!s || !list_owners(world) || !list_joined(world)) return false;
    s->side_count = s->hide_count = 0;
    for (int i = 0; i < m->thing_count; i++)
        if (is_solid(&m->things[i]) && !add_hide(world, i)) return false;
    m->bare = false;
    return true;
}
