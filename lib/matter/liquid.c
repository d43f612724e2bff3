/* liquid.c - liquids: particles that strive for a density (Clavet, Beaudoin and Poulin 2005).
 *
 * Invariant: the neighbors of a substep follow from the places at its start, and pairs are in order
 * of their slots. Lists of neighbors hold more pairs, so results do not depend on them. A push acts
 * along the old line of its pair, or at the particle's old place, and conserves all momentum.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "matter/liquid.h"
#include "base/error.h"
#include "core/anchor.h"
#include "core/body_bitmap.h"
#include "core/handle.h"
#include "core/report.h"
#include "matter/liquid_pairs.h"
#include "matter/particle_collide.h"
#include "shape/distance_field.h"

#include <string.h>

/// Part of the stiffness that acts below the rest density; it holds drops together
static const double TENSION = 0.002;
/// Bound of stiffness and near stiffness, for stability in long substeps [reach^2 / h^2]
static const double STIFFEST = 0.02;
/// Greatest part of its relative speed that a pair loses to viscosity in a substep, per closeness
static const double THICKEST = 0.4;
/// Multiple of the rest density above which pressure stops rising, so that overlapping liquids do
/// not burst
static const double DENSEST = 2;
/// Greatest displacement by which a substep parts a pair [reach]
static const double LIQUID_HARDEST = 0.01;
/// Density of a solid at its surface [rest density], and distance at which it is 0 [reach]. It
/// falls with the cube of the remaining distance. To a drop with a radius of a quarter reach, a
/// solid then feels like liquid in its place.
static const double SHORE_DENSITY = 1.79, SHORE_REACH = 0.6;
/// Greatest age of lists [substep]
static const int LIQUID_LONGEST = 16;

/// State of a drop when the lists were made
typedef struct berth {
    pv_vec2 was, way;
    double inverse_mass;
    int slot, cell_x, cell_y;
    unsigned cell;
} berth;

/// Drop near a solid body in a step
typedef struct shore {
    int drop, body;
    /// Normal out of the body, in its own rotation
    pv_vec2 normal;
    /// Level of the surface along the normal, from the body's center [px]
    double level;
    /// Closeness: 1 at the surface, 0 at SHORE_REACH
    double left;
    /// Growth of the distance in the substep [px]
    double parting;
} shore;

/// Index after the arrays by drop, after those by pair, and after all
enum { BY_DROP = 10, BY_PAIR = 16, ARRAYS = 18 };

/// Scratch of all liquids
struct pv__liquid_room {
    berth *berths;
    pv__liquid_pairs pairs;
    pv__liquid_cells cells;
    shore *shores;
    int lengths[ARRAYS];
    int shore_count, shore_capacity;
    /// One more than the step of the lists, or 0
    uint64_t charted;
    /// Age of the lists, and age at which they expire [substep]
    int age, span;
};

typedef struct pv__liquid_room room;

/* ---- ids ---- */

static int index_of(const pv_world *world, pv_liquid_id name) {
    if (!world) return -1;
    const pv__matter *m = &world->matter;
    return pv__pool_find(&m->liquid_pool, m->liquids, sizeof *m->liquids, name.index,
                         name.generation);
}

bool pv_liquid_is_valid(const pv_world *world, pv_liquid_id liquid) {
    return index_of(world, liquid) >= 0;
}

int pv_liquid_get_particles(const pv_world *world, pv_liquid_id liquid, pv_particle_id *particles,
                            int capacity) {
    int index = index_of(world, liquid), count = 0;
    for (int i = 1; index >= 0 && i < world->matter.particles.count; i++) {
        if (world->matter.particles.data[i].liquid != index) continue;
        if (particles && count < capacity) particles[count] = pv__handle_of_particle(world, i);
        count++;
    }
    return count;
}

/* ---- creation and destruction ---- */

pv_liquid_def pv_liquid_def_default(void) {
    return (pv_liquid_def){
        .interaction_radius = 12,
        .rest_density = 2.2,
        .stiffness = 1e6,
        .near_stiffness = 5e3,
        .viscosity = 60,
        .cookie = PV__COOKIE,
    };
}

const pv__field_row pv__liquid_fields[5] = {
    PV__DOUBLE(pv_liquid_def, interaction_radius, 2, 64),
    PV__DOUBLE(pv_liquid_def, rest_density, PV__LEAST_DENSITY, 1e6),
    PV__DOUBLE(pv_liquid_def, stiffness, PV__RANGE_STIFFNESS),
    PV__DOUBLE(pv_liquid_def, near_stiffness, PV__RANGE_STIFFNESS),
    PV__DOUBLE(pv_liquid_def, viscosity, 0, 1e6),
};

pv_liquid_id pv_liquid_create(pv_world *world, const pv_liquid_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    int index = -1;
    if (pv__check_world(e, world) &&
        PV__CHECK_DEF(e, def, pv_liquid_def_default, pv__liquid_fields) &&
        (index = pv__pool_take(&world->def.allocator, &world->matter.liquid_pool,
                               &world->matter.liquids, sizeof *world->matter.liquids)) < 0)
        pv__error_set(e, PV_ERROR_MEMORY);
    if (index < 0) return pv__refuse(world, e), pv_null_liquid;
    pv__liquid *l = &world->matter.liquids[index];
    *l = (pv__liquid){.slot = l->slot, .def = *def};
    pv__pool_open(&world->matter.liquid_pool, &l->slot);
    return (pv_liquid_id){(uint32_t)index + 1, l->slot.generation};
}

/// Returns the index of a liquid that is to change, or -1 with a filled error.
static int begin(pv_error *e, const pv_world *world, pv_liquid_id liquid) {
    if (!pv__check_world(e, world)) return -1;
    int index = index_of(world, liquid);
    pv__check_alive(e, "liquid", index >= 0, "liquid");
    return index;
}

pv_status pv_liquid_destroy(pv_world *world, pv_liquid_id liquid) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    int index = begin(e, world, liquid);
    if (index < 0) return pv__refuse(world, e);
    pv__matter *m = &world->matter;
    for (int i = 1; i < m->particles.count; i++)
        if (m->particles.data[i].liquid == index) pv__liquid_leave(world, i);
    pv__pool_leave(&m->liquid_pool, m->liquids, index, sizeof *m->liquids);
    return PV_OK;
}

bool pv__liquid_open_all(pv_world *world) {
    pv__matter *m = &world->matter;
    if (!m->liquid_room) m->liquid_room = pv__alloc(&world->def.allocator, 1, sizeof(room));
    if (m->liquid_room) m->liquid_room->charted = 0;
    return m->liquid_room != NULL;
}

pv_status pv_liquid_add_particle(pv_world *world, pv_liquid_id liquid, pv_particle_id particle) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    int index = begin(e, world, liquid),
        i = index < 0 ? 0 : pv__check_particle(e, world, "particle", particle);
    if (i && !pv__liquid_open_all(world)) pv__error_set(e, PV_ERROR_MEMORY);
    if (e->status != PV_OK) return pv__refuse(world, e);
    pv__matter *m = &world->matter;
    pv__liquid_leave(world, i);
    m->particles.data[i].liquid = index;
    m->liquids[index].count++;
    return PV_OK;
}

void pv__liquid_leave(pv_world *world, int particle) {
    pv__matter *m = &world->matter;
    int index = m->particles.data[particle].liquid;
    if (index < 0) return;
    m->particles.data[particle].liquid = -1;
    m->liquids[index].count--;
}

/// Returns the definition of a drop's liquid.
static const pv_liquid_def *def_of(const pv_world *world, const room *r, int drop) {
    const pv__matter *m = &world->matter;
    return &m->liquids[m->particles.data[r->berths[drop].slot].liquid].def;
}

/* ---- memory ---- */

/// Lists the arrays by drop, then by pair, then by cell.
static void list_arrays(room *r, pv__array arrays[ARRAYS]) {
    pv__liquid_pairs *p = &r->pairs;
    pv__liquid_cells *c = &r->cells;
    const pv__array all[ARRAYS] = {
        {&r->berths, sizeof *r->berths},
        {&p->drops, sizeof *p->drops},
        {&p->crowds, sizeof *p->crowds},
        {&p->pushes, sizeof *p->pushes},
        {&p->per_reach, sizeof *p->per_reach},
        {&p->first, sizeof *p->first},
        {&c->residents, sizeof *c->residents},
        {&c->x, sizeof *c->x},
        {&c->y, sizeof *c->y},
        {&c->range, sizeof *c->range},
        {&p->others, sizeof *p->others},
        {&p->shares, sizeof *p->shares},
        {&p->share_x, sizeof *p->share_x},
        {&p->share_y, sizeof *p->share_y},
        {&p->closeness, sizeof *p->closeness},
        {&p->parting, sizeof *p->parting},
        {&c->heads, sizeof *c->heads},
        {&c->later, sizeof *c->later},
    };
    memcpy(arrays, all, sizeof all);
}

static bool reserve(pv_world *world, int from, int end, int need) {
    room *r = world->matter.liquid_room;
    if (need <= r->lengths[end - 1]) return true;
    pv__array arrays[ARRAYS];
    list_arrays(r, arrays);
    return pv__arrays_reserve(&world->def.allocator, &arrays[from], &r->lengths[from], end - from,
                              pv__table_length(r->lengths[from], need));
}

void pv__liquid_free_all(pv_world *world) {
    pv__matter *m = &world->matter;
    room *r = m->liquid_room;
    if (r) {
        pv__array arrays[ARRAYS];
        list_arrays(r, arrays);
        pv__arrays_free(&world->def.allocator, arrays, r->lengths, ARRAYS);
        PV__FREE(&world->def.allocator, r->shores, r->shore_capacity);
        pv__free(&world->def.allocator, r, 1, sizeof *r);
    }
    PV__FREE(&world->def.allocator, m->liquids, m->liquid_pool.capacity);
}

/* ---- drops ---- */

/// Lists the particles of liquids; returns false without memory.
static bool list_drops(pv_world *world, room *r) {
    const pv__matter *m = &world->matter;
    int count = 0;
    for (int i = 0; i < m->liquid_pool.count; i++) count += m->liquids[i].count;
    if (!reserve(world, 0, BY_DROP, count + PV__LANES)) return false;
    r->pairs.count = 0;
    for (int i = 1; i < m->particles.count; i++)
        if (m->particles.data[i].liquid >= 0) r->berths[r->pairs.count++].slot = i;
    return true;
}

/// Loads the current state of all drops.
static void load_drops(const pv_world *world, room *r, double h) {
    const pv__matter *m = &world->matter;
    for (int i = 0; i < r->pairs.count; i++) {
        int slot = r->berths[i].slot;
        const pv_liquid_def *def = def_of(world, r, i);
        pv_vec2 was = m->particles.was[slot];
        r->pairs.drops[i] = (pv__liquid_drop){was, pv__sub(m->particles.now[slot], was)};
        r->pairs.per_reach[i] = 0.5 / def->interaction_radius;
        r->pairs.crowds[i] = (pv__liquid_crowd){0, 0, 0.25 * pv__min(def->viscosity * h, THICKEST),
                                                0.5 * LIQUID_HARDEST * def->interaction_radius};
        r->pairs.pushes[i] = pv__vec(0, 0);
    }
}

/* ---- shores ---- */

static int compare_berths(const void *p, const void *q) {
    const berth *a = p, *b = q;
    return (a->slot > b->slot) - (a->slot < b->slot);
}

/// Returns the drop of a liquid's particle.
static int drop_of(const room *r, int slot) {
    berth wanted = {.slot = slot};
    return pv__sorted_place(r->berths, r->pairs.count, sizeof wanted, &wanted, compare_berths);
}

/// Tells whether a one-way body lets a drop through: one inside it, not at its front, or on the way
/// out. The distance is that from its surface.
static bool lets_through(const pv_world *world, const pv__near *n, pv_rotation turn, pv_vec2 normal,
                         double distance) {
    const pv__body *b = &world->bodies.items[n->body];
    if (!pv__body_is_one_way(b)) return false;
    if (distance < -PV__DEEP || !pv__one_way_holds_at(b, turn, normal)) return true;
    const pv__particles *p = &world->matter.particles;
    pv_vec2 way = pv__sub(p->now[n->particle], p->was[n->particle]);
    pv_vec2 parting = pv__mad(way, -world->dt, pv__body_velocity_now(world, n->body));
    return pv__dot(parting, normal) > world->def.restitution_threshold * world->dt;
}

/// Adds a shore, and keeps its body awake. A sleeping body would not notice that the liquid is
/// gone.
static void add_shore(pv_world *world, room *r, const pv__near *n, const pv__shape *shape) {
    pv__body *b = &world->bodies.items[n->body];
    pv__pose pose = pv__body_pose_then(world, n->body);
    pv_vec2 arm = pv__unrotate(pose.turn,
                               pv__sub(world->matter.particles.was[n->particle], pose.center)),
            out;
    double distance = pv__field_at(shape, pv__add(b->pixels->pivot, arm), &out),
           steep = pv__length(out);
    if (pv__abs(distance) >= PV__FIELD_REACH || steep < PV__NEGLIGIBLE) return;
    pv_vec2 normal = pv__mul(1 / steep, out);
    if (lets_through(world, n, pose.turn, pv__rotate(pose.turn, normal), distance)) return;
    b->still = 0;
    r->shores[r->shore_count++] =
        (shore){drop_of(r, n->particle), n->body, normal, pv__dot(arm, normal) - distance, 0, 0};
}

/// Finds the shores; returns false without memory. Without shores, drops would crowd at solids
/// until they carry the others. No drop would then carry a body that lies flat on the ground.
static bool find_shores(pv_world *world, room *r) {
    const pv__matter *m = &world->matter;
    r->shore_count = 0;
    for (int i = 0; i < m->nears.count; i++) {
        const pv__near *n = &m->nears.items[i];
        if (m->particles.data[n->particle].liquid < 0) continue;
        const pv__shape *shape = pv__particle_shape_of(&world->bodies.items[n->body]);
        if (!PV__RESERVE(&world->def.allocator, r->shores, r->shore_capacity, r->shore_count + 1))
            return false;
        if (shape) add_shore(world, r, n, shape);
    }
    return true;
}

static double liquid_above(const shore *s, pv__pose pose, pv_vec2 at) {
    return pv__dot(pv__unrotate(pose.turn, pv__sub(at, pose.center)), s->normal) - s->level;
}

static void feel_shores(const pv_world *world, room *r) {
    const pv__particles *p = &world->matter.particles;
    for (int i = 0; i < r->shore_count; i++) {
        shore *s = &r->shores[i];
        int slot = r->berths[s->drop].slot;
        const pv_liquid_def *def = def_of(world, r, s->drop);
        double now = liquid_above(s, pv__body_pose_now(world, s->body), p->now[slot]);
        s->left = pv__clamp(1 - now / (SHORE_REACH * def->interaction_radius), 0, 1);
        s->parting = now - liquid_above(s, pv__body_pose_then(world, s->body), p->was[slot]);
        r->pairs.crowds[s->drop].all +=
            SHORE_DENSITY * def->rest_density * s->left * s->left * s->left;
    }
}

/// Pushes drops and shores apart, with the pressure from the density of the shores.
static void press_shores(pv_world *world, room *r) {
    pv__particles *p = &world->matter.particles;
    for (int i = 0; i < r->shore_count; i++) {
        const shore *s = &r->shores[i];
        int slot = r->berths[s->drop].slot;
        const pv_liquid_def *def = def_of(world, r, s->drop);
        const pv__liquid_crowd *crowd = &r->pairs.crowds[s->drop];
        double pressure = 1.5 * SHORE_DENSITY / SHORE_REACH * def->rest_density * s->left *
                          pv__max(0, crowd->all);
        double push = s->left * (pressure - 2 * crowd->thickness * s->parting);
        push = pv__clamp(push, -2 * crowd->most, 2 * crowd->most) * p->data[slot].mass;
        pv__pose then = pv__body_pose_then(world, s->body);
        pv_vec2 lever = pv__sub(r->pairs.drops[s->drop].was, then.center),
                along = pv__rotate(then.turn, s->normal);
        r->pairs.pushes[s->drop] = pv__mad(r->pairs.pushes[s->drop], push, along);
        pv__body_push(world, s->body, lever, pv__mul(-push, along), 1);
    }
}

/* ---- lists of neighbors ---- */

/// Tells whether all drops are where the lists expect them.
static bool lists_hold(const pv_world *world, const room *r) {
    const double *inverse_mass = world->matter.particles.inverse_mass;
    bool hold = r->age < r->span;
    for (int i = 0; i < r->pairs.count && hold; i++) {
        const berth *b = &r->berths[i];
        pv_vec2 astray = pv__sub(r->pairs.drops[i].was, pv__mad(b->was, r->age, b->way));
        hold = !(pv__abs(astray.x) + pv__abs(astray.y) > 0.5 * PV__LIQUID_SLACK) &&
               inverse_mass[b->slot] == b->inverse_mass;
    }
    return hold;
}

/// Returns the greatest displacement of a drop in the substep [px].
static double longest_way(const room *r) {
    double most = 0;
    for (int i = 0; i < r->pairs.count; i++)
        most = pv__max(pv__length_most(r->pairs.drops[i].way.x, r->pairs.drops[i].way.y),
                       most); /* NaN: no change */
    return most;
}

/// Puts drop i into a place of its cell.
static void settle(const room *r, int i, int place) {
    const berth *b = &r->berths[i];
    const pv__liquid_cells *c = &r->cells;
    double path = c->last * (pv__abs(b->way.x) + pv__abs(b->way.y)),
           per_reach = r->pairs.per_reach[i];
    c->residents[place] =
        (pv__liquid_resident){b->way, per_reach, b->inverse_mass, i, b->cell_x, b->cell_y};
    c->x[place] = b->was.x;
    c->y[place] = b->was.y;
    c->range[place] = 0.25 / per_reach + 0.5 * PV__LIQUID_SLACK + path;
}

/// Sorts drops into the cells of the middle of the span; returns false without memory.
static bool fill_cells(pv_world *world, room *r, double side) {
    unsigned cells = (unsigned)pv__table_length(0, r->pairs.count);
    if (!reserve(world, BY_PAIR, ARRAYS, (int)cells + 1)) return false;
    int *heads = r->cells.heads;
    r->cells.mask = cells - 1;
    r->cells.last = r->span - 1;
    memset(heads, 0, (cells + 1) * sizeof *heads);
    for (int i = 0; i < r->pairs.count; i++) {
        berth *b = &r->berths[i];
        pv_vec2 middle = pv__mad(b->was, 0.5 * r->cells.last, b->way);
        b->cell_x = (int)pv__floor(middle.x / side);
        b->cell_y = (int)pv__floor(middle.y / side);
        b->cell = pv__liquid_cell_of(b->cell_x, b->cell_y, r->cells.mask);
        heads[b->cell]++;
    }
    for (unsigned c = 1; c <= cells; c++) heads[c] += heads[c - 1];
    for (int i = r->pairs.count - 1; i >= 0; i--) settle(r, i, --heads[r->berths[i].cell]);
    memcpy(r->cells.later, heads, cells * sizeof *heads);
    return true;
}

static double longest_reach(const pv_world *world) {
    double most = 0;
    for (int i = 0; i < world->matter.liquid_pool.count; i++) {
        const pv__liquid *l = &world->matter.liquids[i];
        if (l->count > 0) most = pv__max(most, l->def.interaction_radius);
    }
    return most;
}

/// Lists the neighbors of all drops; returns false without memory.
static bool list_neighbors(pv_world *world, room *r) {
    pv__liquid_pairs *p = &r->pairs;
    int count = 0;
    for (int i = 0; i < p->count; i++) {
        if (!reserve(world, BY_DROP, BY_PAIR, count + PV__LIQUID_NEIGHBORS)) return false;
        int *others = p->others + count;
        p->first[i] = count;
        int found = world->solver.liquid_kernel->search(&r->cells, r->berths[i].cell, others);
        for (int k = 0; k < found; k++)
            p->shares[count + k] =
                2 / (r->berths[i].inverse_mass + r->berths[others[k]].inverse_mass);
        count += found;
    }
    p->first[p->count] = count;
    if (!reserve(world, BY_DROP, BY_PAIR, count + PV__LANES - 1)) return false;
    for (int k = count; k < count + PV__LANES - 1; k++) {
        p->others[k] = 0;
        p->shares[k] = 0;
    }
    return true;
}

static bool make_lists(pv_world *world, room *r) {
    double reach = longest_reach(world), way = longest_way(r);
    for (int i = 0; i < r->pairs.count; i++) {
        berth *b = &r->berths[i];
        b->was = r->pairs.drops[i].was;
        b->way = r->pairs.drops[i].way;
        b->inverse_mass = world->matter.particles.inverse_mass[b->slot];
    }
    r->age = 0;
    /* Lists for more substeps need larger cells, which cost more than new lists. */
    r->span = way * LIQUID_LONGEST <= reach ? LIQUID_LONGEST : (int)pv__max(1, reach / way);
    return fill_cells(world, r, reach + PV__LIQUID_SLACK + (r->span - 1) * way) &&
           list_neighbors(world, r);
}

/// Loads the drops, and makes new lists if the old ones no longer hold; returns false without
/// memory. No list outlives its step, because the order of its neighbors would depend on the past.
static bool ready_lists(pv_world *world, room *r, double h) {
    bool charted = r->charted == world->steps + 1;
    r->charted = 0;
    if (!charted && !(list_drops(world, r) && find_shores(world, r))) return false;
    load_drops(world, r, h);
    if (!(charted && lists_hold(world, r)) && !make_lists(world, r)) return false;
    r->charted = world->steps + 1;
    return true;
}

/* ---- double density relaxation ---- */

/// Turns densities into pressures, -dE/dx of E = stiffness (density - wanted)^2 / 2 + push near^2 /
/// 2.
static void press(const pv_world *world, room *r, double h) {
    for (int i = 0; i < r->pairs.count; i++) {
        const pv_liquid_def *def = def_of(world, r, i);
        pv__liquid_crowd *c = &r->pairs.crowds[i];
        double reach = def->interaction_radius, most = STIFFEST * reach * reach, hh = h * h;
        double stiffness = pv__min(hh * def->stiffness, most),
               push = pv__min(hh * def->near_stiffness, most);
        double densest = DENSEST * def->rest_density;
        double excess = pv__min(c->all, densest) - def->rest_density;
        double crowding = pv__max(1, c->all / densest);
        c->most /= crowding * crowding;
        c->all = 2 / reach * stiffness * (excess < 0 ? TENSION : 1) * excess;
        c->near = 3 / reach * push * pv__min(c->near, densest);
    }
}

void pv__liquid_relax_all(pv_world *world, double h) {
    room *r = world->matter.liquid_room;
    const pv__liquid_kernel *kernel = world->solver.liquid_kernel;
    if (!r) return;
    if (!ready_lists(world, r, h)) {
        world->out_of_memory = true;
        return;
    }
    feel_shores(world, r);
    kernel->feel(&r->pairs);
    press(world, r, h);
    kernel->part(&r->pairs);
    press_shores(world, r);
    for (int i = 0; i < r->pairs.count; i++)
        pv__particle_push(&world->matter.particles, r->berths[i].slot, r->pairs.pushes[i], 1);
    r->age++;
}
