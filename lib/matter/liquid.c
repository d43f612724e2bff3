/* liquid.c - liquids: particles that strive for a density (Clavet, Beaudoin and Poulin 2005).
 *
 * Invariant: the neighbors of a substep follow from the places at its start, and pairs are in order
 * of their slots. Lists of neighbors hold more pairs, so they decide nothing. A push acts along the
 * old line of its pair, or at the particle's old place, and conserves all momentum.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "matter/liquid.h"
#include "base/error.h"
#include "core/anchor.h"
#include "core/handle.h"
#include "core/report.h"
#include "matter/particle_collide.h"
#include "shape/distance_field.h"

#include <float.h>
#include <string.h>

/// Part of the stiffness that acts below the rest density; it holds drops together
static const double TENSION = 0.002;
/// Bound of stiffness and near stiffness, for stability in long substeps [reach^2 / h^2]
static const double STIFFEST = 0.02;
/// Greatest part of its relative speed that a pair loses to viscosity in a substep, per closeness
static const double THICKEST = 0.4;
/// Multiple of the rest density above which pressure rises no more, so that overlapping liquids do
/// not burst
static const double DENSEST = 2;
/// Greatest displacement that parts a pair in a substep [reach]
static const double LIQUID_HARDEST = 0.01;
/// Density of a solid at its surface [rest density], and distance at which it is 0 [reach]. It
/// falls with the cube of the remaining distance. A drop with a radius of a quarter reach then
/// feels a solid as liquid in its place.
static const double SHORE_DENSITY = 1.79, SHORE_REACH = 0.6;
/// Greatest deviation of a pair from straight paths while its lists hold [px], and greatest age of
/// lists [substep]
static const double SLACK = 1;
static const int LIQUID_LONGEST = 16;
/// Greatest number of neighbors after a drop in its list. A liquid under pressure has two thirds;
/// the cost of many drops at one place would grow with their square.
static const int MOST_NEIGHBORS = 32;
/// Distance below which particles coincide [px]
static const double COINCIDENT = 1e-9;

/// Particle of a liquid in a substep
typedef struct liquid_drop {
    /// Place when the substep began, and displacement since [px]
    pv_vec2 was, way;
} liquid_drop;

/// Properties of a drop in a substep
typedef struct trait {
    /// Half of 1 / reach [1/px]
    double per_reach;
    /// Quarter of viscosity times substep
    double thickness;
    /// Half of the greatest displacement that it gives to another drop [px]
    double most;
} trait;

/// Density and near density around a drop, later the pressures from them [px]
typedef struct crowd {
    double all, near;
} crowd;

/// State of a drop at the creation of the lists
typedef struct berth {
    pv_vec2 was, way;
    double inverse_mass;
    int slot, cell_x, cell_y;
} berth;

/// Drop in its cell, for the creation of the lists
typedef struct resident {
    pv_vec2 was, way;
    /// Half of reach and slack, and the path while the lists hold [px]
    double range;
    int drop, cell_x, cell_y;
} resident;

/// Pair of drops within reach in a substep
typedef struct liquid_touch {
    /// Direction from the first to the second, times the harmonic mean of their masses
    pv_vec2 share;
    /// Closeness: 0 at reach, 1 at no distance
    double closeness;
    /// Growth of the distance in the substep [px]
    double parting;
    int second;
} liquid_touch;

/// Drop near a solid body in a step
typedef struct shore {
    int drop, body;
    /// Normal out of the body, in its own rotation
    pv_vec2 normal;
    /// Level of the surface along the normal, from the body's center [px]
    double level;
    /// Closeness: 1 at the surface, 0 at reach
    double left;
    /// Growth of the distance in the substep [px]
    double parting;
} shore;

enum { ARRAYS = 13, BY_DROP = 8, BY_PAIR = 11, SHORES = 12 };

/// Scratch of all liquids. The neighbors after drop i are others[first[i]]...others[first[i + 1] -
/// 1], in order. Its neighbors within reach are the seconds of touches[i > 0 ? last[i - 1] :
/// 0]...touches[last[i] - 1].
struct pv__liquid_room {
    berth *berths;
    liquid_drop *drops;
    trait *traits;
    crowd *crowds;
    /// Pushes [mass px]
    pv_vec2 *pushes;
    int *first, *last;
    /// Drops in the order of their cells
    resident *residents;
    int *others;
    /// Harmonic mean of the masses, by pair
    double *shares;
    liquid_touch *touches;
    /// Starts of the residents of hashed cells, then the places in them that are the first to be
    /// searched
    int *heads;
    shore *shores;
    int rooms[ARRAYS];
    int count, shore_count;
    /// One more than the last step in which shores were found
    uint64_t charted;
    /// Age of the lists, and age up to which they hold [substep]
    int age, span;
    /// True if particles came or went since the creation of the lists
    bool stale;
};

typedef struct pv__liquid_room room;

/* ---- ids ---- */

static int index_of(const pv_world *world, pv_liquid_id name) {
    if (!world) return -1;
    const pv__matter *m = &world->matter;
    return pv__pool_find(&m->liquid_pool, m->liquids, sizeof *m->liquids, name.index,
                         name.generation);
}

static pv_liquid_id name_of(const pv_world *world, int index) {
    return (pv_liquid_id){(uint32_t)index + 1, world->matter.liquids[index].slot.generation};
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

static bool liquid_check_def(pv_error *e, const pv_liquid_def *def) {
    return pv__check_cookie(e, def, def ? def->cookie : 0, "pv_liquid_def_default") &&
           PV__CHECK_FIELDS(e, def, pv__liquid_fields);
}

static int take_slot(pv_world *world) {
    pv__matter *m = &world->matter;
    return pv__pool_take(&world->def.allocator, &m->liquid_pool, &m->liquids, sizeof *m->liquids);
}

pv_liquid_id pv_liquid_create(pv_world *world, const pv_liquid_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    int index = -1;
    if (pv__check_world(e, world) && liquid_check_def(e, def) && (index = take_slot(world)) < 0)
        pv__error_set(e, PV_ERROR_MEMORY);
    if (index < 0) {
        pv__refuse(world, e);
        return pv_null_liquid;
    }
    pv__liquid *l = &world->matter.liquids[index];
    *l = (pv__liquid){.slot = l->slot, .def = *def};
    pv__pool_open(&world->matter.liquid_pool, &l->slot);
    return name_of(world, index);
}

/// Returns the index of a liquid that is to change, or -1 with a filled error.
static int liquid_begin(pv_error *e, const pv_world *world, pv_liquid_id liquid) {
    if (!pv__check_world(e, world)) return -1;
    int index = index_of(world, liquid);
    pv__check_alive(e, "liquid", index >= 0, "liquid");
    return index;
}

pv_status pv_liquid_destroy(pv_world *world, pv_liquid_id liquid) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    int index = liquid_begin(e, world, liquid);
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
    if (m->liquid_room) m->liquid_room->stale = true;
    return m->liquid_room != NULL;
}

pv_status pv_liquid_add_particle(pv_world *world, pv_liquid_id liquid, pv_particle_id particle) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    int index = liquid_begin(e, world, liquid),
        i = index < 0 ? 0 : pv__check_particle(e, world, "particle", particle);
    if (i && !pv__liquid_open_all(world)) pv__error_set(e, PV_ERROR_MEMORY);
    if (e->status != PV_OK) return pv__refuse(world, e);
    pv__matter *m = &world->matter;
    pv__liquid_leave(world, i);
    m->particles.data[i].liquid = index;
    m->liquids[index].count++;
    m->liquid_room->stale = true;
    return PV_OK;
}

void pv__liquid_leave(pv_world *world, int particle) {
    pv__matter *m = &world->matter;
    int index = m->particles.data[particle].liquid;
    if (index < 0) return;
    m->particles.data[particle].liquid = -1;
    m->liquids[index].count--;
    m->liquid_room->stale = true;
}

/* ---- memory ---- */

/// Address of the pointer to an array, and size of one entry [bytes]
typedef struct array {
    void *pointer;
    size_t size;
} array;

/// Lists the arrays by drop, then by pair, then cells and shores.
static void list_arrays(room *r, array arrays[ARRAYS]) {
    const array all[ARRAYS] = {
        {&r->berths, sizeof *r->berths},   {&r->drops, sizeof *r->drops},
        {&r->traits, sizeof *r->traits},   {&r->crowds, sizeof *r->crowds},
        {&r->pushes, sizeof *r->pushes},   {&r->first, sizeof *r->first},
        {&r->last, sizeof *r->last},       {&r->residents, sizeof *r->residents},
        {&r->others, sizeof *r->others},   {&r->shares, sizeof *r->shares},
        {&r->touches, sizeof *r->touches}, {&r->heads, sizeof *r->heads},
        {&r->shores, sizeof *r->shores},
    };
    memcpy(arrays, all, sizeof all);
}

static bool reserve(pv_world *world, int from, int end, int need) {
    room *r = world->matter.liquid_room;
    array arrays[ARRAYS];
    list_arrays(r, arrays);
    bool whole = true;
    for (int i = from; i < end && whole; i++)
        whole = pv__reserve(&world->def.allocator, arrays[i].pointer, &r->rooms[i], need,
                            arrays[i].size);
    return whole;
}

void pv__liquid_free_all(pv_world *world) {
    pv__matter *m = &world->matter;
    room *r = m->liquid_room;
    array arrays[ARRAYS];
    if (r) list_arrays(r, arrays);
    for (int i = 0; r && i < ARRAYS; i++) {
        void *start;
        memcpy(&start, arrays[i].pointer, sizeof start);
        pv__free(&world->def.allocator, start, (size_t)r->rooms[i], arrays[i].size);
    }
    pv__free(&world->def.allocator, r, 1, sizeof *r);
    pv__free(&world->def.allocator, m->liquids, (size_t)m->liquid_pool.capacity,
             sizeof *m->liquids);
}

/* ---- drops ---- */

/// Lists the particles of liquids; returns false without memory.
static bool list_drops(pv_world *world, room *r) {
    const pv__matter *m = &world->matter;
    int count = 0;
    for (int i = 0; i < m->liquid_pool.count; i++) count += m->liquids[i].count;
    if (!reserve(world, 0, BY_DROP, count + 1)) return false;
    r->count = 0;
    for (int i = 1; i < m->particles.count; i++)
        if (m->particles.data[i].liquid >= 0) r->berths[r->count++].slot = i;
    return true;
}

static trait trait_of(const pv_liquid_def *def, double h) {
    return (trait){0.5 / def->interaction_radius, 0.25 * pv__min(def->viscosity * h, THICKEST),
                   0.5 * LIQUID_HARDEST * def->interaction_radius};
}

/// Loads the current state of all drops.
static void load_drops(const pv_world *world, room *r, double h) {
    const pv__matter *m = &world->matter;
    for (int i = 0; i < r->count; i++) {
        int slot = r->berths[i].slot;
        const pv_liquid_def *def = &m->liquids[m->particles.data[slot].liquid].def;
        pv_vec2 was = m->particles.was[slot];
        r->drops[i] = (liquid_drop){was, pv__sub(m->particles.now[slot], was)};
        r->traits[i] = trait_of(def, h);
        r->crowds[i] = (crowd){0, 0};
        r->pushes[i] = pv__vec(0, 0);
    }
}

/* ---- shores ---- */

/// Returns the drop of a liquid's particle.
static int drop_of(const room *r, int slot) {
    int low = 0, high = r->count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (r->berths[middle].slot < slot)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/// Tells whether a one-way body lets a drop through at that distance from its surface: inside it,
/// off its front, or on the way out.
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
    if (pv__abs(distance) >= PV__FIELD_REACH || steep < 1e-6) return;
    pv_vec2 normal = pv__mul(1 / steep, out);
    if (lets_through(world, n, pose.turn, pv__rotate(pose.turn, normal), distance)) return;
    b->still = 0;
    r->shores[r->shore_count++] =
        (shore){drop_of(r, n->particle), n->body, normal, pv__dot(arm, normal) - distance, 0, 0};
}

/// Finds the shores, once a step; returns false without memory. Without shores, drops would gather
/// at solids until they bear the others. No drop would then carry a body that lies flat on the
/// ground.
static bool find_shores(pv_world *world, room *r) {
    const pv__matter *m = &world->matter;
    if (r->charted == world->steps + 1) return true;
    r->charted = world->steps + 1;
    r->shore_count = 0;
    for (int i = 0; i < m->near_count; i++) {
        const pv__near *n = &m->nears[i];
        if (m->particles.data[n->particle].liquid < 0) continue;
        const pv__shape *shape = pv__particle_shape_of(&world->bodies.items[n->body]);
        if (!reserve(world, SHORES, ARRAYS, r->shore_count + 1)) return false;
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
        const pv_liquid_def *def = &world->matter.liquids[p->data[slot].liquid].def;
        double now = liquid_above(s, pv__body_pose_now(world, s->body), p->now[slot]);
        s->left = pv__clamp(1 - now / (SHORE_REACH * def->interaction_radius), 0, 1);
        s->parting = now - liquid_above(s, pv__body_pose_then(world, s->body), p->was[slot]);
        r->crowds[s->drop].all += SHORE_DENSITY * def->rest_density * s->left * s->left * s->left;
    }
}

/// Pushes drops and shores apart, with the pressure from the density of the shores.
static void press_shores(pv_world *world, room *r) {
    pv__particles *p = &world->matter.particles;
    for (int i = 0; i < r->shore_count; i++) {
        const shore *s = &r->shores[i];
        int slot = r->berths[s->drop].slot;
        const pv_liquid_def *def = &world->matter.liquids[p->data[slot].liquid].def;
        const trait *t = &r->traits[s->drop];
        double pressure = 1.5 * SHORE_DENSITY / SHORE_REACH * def->rest_density * s->left *
                          pv__max(0, r->crowds[s->drop].all);
        double push = s->left * (pressure - 2 * t->thickness * s->parting);
        push = pv__clamp(push, -2 * t->most, 2 * t->most) * p->data[slot].mass;
        pv__pose then = pv__body_pose_then(world, s->body);
        pv_vec2 lever = pv__sub(r->drops[s->drop].was, then.center),
                along = pv__rotate(then.turn, s->normal);
        r->pushes[s->drop] = pv__mad(r->pushes[s->drop], push, along);
        pv__body_push(world, s->body, lever, pv__mul(-push, along), 1);
    }
}

/* ---- lists of neighbors ---- */

static bool has_strayed(pv_vec2 at, pv_vec2 expected) {
    return pv__abs(at.x - expected.x) + pv__abs(at.y - expected.y) > 0.5 * SLACK;
}

/// Tells whether all drops are where the lists expect them.
static bool lists_hold(const pv_world *world, const room *r) {
    const double *inverse_mass = world->matter.particles.inverse_mass;
    bool hold = r->age < r->span;
    for (int i = 0; i < r->count && hold; i++) {
        const berth *b = &r->berths[i];
        hold = !has_strayed(r->drops[i].was, pv__mad(b->was, r->age, b->way)) &&
               inverse_mass[b->slot] == b->inverse_mass;
    }
    return hold;
}

/// Returns the age up to which new lists hold [substep]. It is so short that no cell gets much
/// larger than reach.
static int span_of(const room *r, double reach) {
    double most = 0;
    for (int i = 0; i < r->count; i++)
        most = pv__max(pv__length_most(r->drops[i].way.x, r->drops[i].way.y),
                       most); /* NaN: no change */
    return most * LIQUID_LONGEST <= 0.5 * reach ? LIQUID_LONGEST
                                                : (int)pv__max(1, 0.5 * reach / most);
}

static unsigned cell_of(int x, int y, unsigned mask) {
    return ((unsigned)x * 0x9e3779b1u ^ (unsigned)y * 0x85ebca77u) >> 7 & mask;
}

static resident resident_of(const room *r, int i) {
    const berth *b = &r->berths[i];
    double path = r->span * (pv__abs(b->way.x) + pv__abs(b->way.y));
    return (resident){b->was, b->way,    0.25 / r->traits[i].per_reach + 0.5 * SLACK + path,
                      i,      b->cell_x, b->cell_y};
}

/// Sorts drops into cells according to their places in the middle of the span; returns false
/// without memory. Drops of a cell are in order. All neighbors of a drop are in its cell or next to
/// it.
static bool fill_cells(pv_world *world, room *r, double side, unsigned *mask) {
    unsigned cells = 16;
    while (cells < (unsigned)r->count) cells *= 2;
    *mask = cells - 1;
    if (!reserve(world, BY_PAIR, SHORES, (int)(2 * cells) + 1)) return false;
    int *heads = r->heads;
    memset(heads, 0, (cells + 1) * sizeof *heads);
    for (int i = 0; i < r->count; i++) {
        berth *b = &r->berths[i];
        pv_vec2 middle = pv__mad(r->drops[i].was, 0.5 * r->span, r->drops[i].way);
        b->cell_x = (int)pv__floor(middle.x / side);
        b->cell_y = (int)pv__floor(middle.y / side);
        heads[cell_of(b->cell_x, b->cell_y, *mask)]++;
    }
    for (unsigned c = 1; c <= cells; c++) heads[c] += heads[c - 1];
    for (int i = r->count - 1; i >= 0; i--)
        r->residents[--heads[cell_of(r->berths[i].cell_x, r->berths[i].cell_y, *mask)]] =
            resident_of(r, i);
    memcpy(heads + cells + 1, heads, cells * sizeof *heads);
    return true;
}

/// Tells whether two drops may come within reach while the lists hold. Most pairs are far apart, or
/// within reach from the beginning, and need no closest approach.
static bool may_touch(const room *r, const resident *a, const resident *b) {
    const double safely = 1 + 1e-9; /* more than the relative error of a few roundings */
    pv_vec2 d = pv__sub(b->was, a->was);
    double square = pv__dot(d, d), range = a->range + b->range;
    if (square > safely * range * range) return false;
    double limit = 1 / (r->traits[a->drop].per_reach + r->traits[b->drop].per_reach) + SLACK;
    if (!(safely * square <= limit * limit)) {
        pv_vec2 v = pv__sub(b->way, a->way);
        double speed = pv__dot(v, v), toward = -pv__dot(d, v);
        double t = toward <= 0 ? 0 : toward >= r->span * speed ? r->span : toward / speed;
        pv_vec2 nearest = pv__mad(d, t, v);
        if (!(pv__dot(nearest, nearest) <= limit * limit)) return false;
    }
    return r->berths[a->drop].inverse_mass + r->berths[b->drop].inverse_mass > 0;
}

/// Adds a neighbor to the list of i, which begins at first and is sorted; returns false without
/// memory.
static bool add_neighbor(pv_world *world, room *r, int first, int count, int j) {
    if (count + 1 > r->rooms[BY_PAIR - 1] && !reserve(world, BY_DROP, BY_PAIR, count + 1))
        return false;
    int k = count;
    for (; k > first && r->others[k - 1] > j; k--) r->others[k] = r->others[k - 1];
    r->others[k] = j;
    return true;
}

/// Adds the neighbors of a drop from a cell that come after it, up to MOST_NEIGHBORS. Returns the
/// new number of neighbors, or -1 without memory.
static int search_cell(pv_world *world, room *r, const resident *a, int x, int y, int count,
                       unsigned mask) {
    unsigned cell = cell_of(x, y, mask);
    const int *later = r->heads + mask + 2;
    for (int e = later[cell]; e < r->heads[cell + 1] && count - r->first[a->drop] < MOST_NEIGHBORS;
         e++) {
        const resident *b = &r->residents[e];
        if (b->cell_x != x || b->cell_y != y || !may_touch(r, a, b)) continue;
        if (!add_neighbor(world, r, r->first[a->drop], count, b->drop)) return -1;
        count++;
    }
    return count;
}

/// Adds the neighbors of i that come after it. All before i have been searched, so i is the first
/// in its cell.
static int search_around(pv_world *world, room *r, int i, int count, unsigned mask) {
    int *later = r->heads + mask + 2;
    const resident a =
        r->residents[later[cell_of(r->berths[i].cell_x, r->berths[i].cell_y, mask)]++];
    for (int y = a.cell_y - 1; y <= a.cell_y + 1; y++)
        for (int x = a.cell_x - 1; x <= a.cell_x + 1 && count >= 0; x++)
            count = search_cell(world, r, &a, x, y, count, mask);
    return count;
}

static double longest_reach(const pv_world *world) {
    double most = 0;
    for (int i = 0; i < world->matter.liquid_pool.count; i++) {
        const pv__liquid *l = &world->matter.liquids[i];
        if (l->count > 0) most = pv__max(most, l->def.interaction_radius);
    }
    return most;
}

static bool make_lists(pv_world *world, room *r) {
    double reach = longest_reach(world);
    unsigned mask;
    for (int i = 0; i < r->count; i++) {
        berth *b = &r->berths[i];
        b->was = r->drops[i].was;
        b->way = r->drops[i].way;
        b->inverse_mass = world->matter.particles.inverse_mass[b->slot];
    }
    r->age = 0;
    r->span = span_of(r, reach);
    if (!fill_cells(world, r, 1.5 * reach + SLACK, &mask)) return false;
    int count = 0;
    for (int i = 0; i < r->count && count >= 0; i++) {
        r->first[i] = count;
        count = search_around(world, r, i, count, mask);
        for (int k = r->first[i]; k < count; k++)
            r->shares[k] = 2 / (r->berths[i].inverse_mass + r->berths[r->others[k]].inverse_mass);
    }
    r->first[r->count] = count;
    return count >= 0;
}

/// Loads the drops, and makes new lists if the old ones no longer hold; returns false without
/// memory. No list outlives its step, because the order of its neighbors would depend on the past.
static bool ready_lists(pv_world *world, room *r, double h) {
    r->stale |= r->charted != world->steps + 1;
    if (r->stale && !list_drops(world, r)) return false;
    if (!find_shores(world, r)) return false;
    load_drops(world, r, h);
    if (r->stale || !lists_hold(world, r)) {
        r->stale = true;
        r->stale = !make_lists(world, r);
    }
    return !r->stale;
}

/* ---- double density relaxation ---- */

/// Returns the direction from a drop to one at d. Coincident drops part along an axis that depends
/// on their numbers.
static pv_vec2 direction(pv_vec2 d, double distance, int i, int j) {
    if (distance > COINCIDENT) return pv__mul(1 / distance, d);
    return (i + j) & 1 ? pv__vec(1, 0) : pv__vec(0, 1);
}

/// Finds the pairs within reach, and the densities around each drop. The distance is the one at the
/// end of the substep along the old line. This keeps stiff liquids calm, as an implicit step does.
static void feel(room *r) {
    int count = 0;
    for (int i = 0; i < r->count; i++) {
        const liquid_drop a = r->drops[i];
        double per_reach = r->traits[i].per_reach;
        crowd crowd_a = r->crowds[i];
        for (int k = r->first[i]; k < r->first[i + 1]; k++) {
            int j = r->others[k];
            const liquid_drop *b = &r->drops[j];
            pv_vec2 d = pv__sub(b->was, a.was);
            double distance = sqrt(pv__dot(d, d)), per = per_reach + r->traits[j].per_reach;
            if (distance * per >= 1) continue;
            pv_vec2 n = direction(d, distance, i, j);
            double parting = pv__dot(pv__sub(b->way, a.way), n);
            double closeness = 1 - per * pv__max(0, distance + parting),
                   square = closeness * closeness;
            if (closeness <= 0) continue;
            crowd_a.all += square;
            crowd_a.near += square * closeness;
            r->crowds[j].all += square;
            r->crowds[j].near += square * closeness;
            r->touches[count++] = (liquid_touch){pv__mul(r->shares[k], n), closeness, parting, j};
        }
        r->crowds[i] = crowd_a;
        r->last[i] = count;
    }
}

/// Turns densities into pressures, -dE/dx of E = stiffness (density - wanted)^2 / 2 + push near^2 /
/// 2.
static void liquid_press(const pv_world *world, room *r, double h) {
    for (int i = 0; i < r->count; i++) {
        const pv_liquid_def *def =
            &world->matter.liquids[world->matter.particles.data[r->berths[i].slot].liquid].def;
        double hh = h * h, most = STIFFEST * def->interaction_radius * def->interaction_radius;
        double stiffness = pv__min(hh * def->stiffness, most),
               push = pv__min(hh * def->near_stiffness, most);
        double excess = pv__min(r->crowds[i].all, DENSEST * def->rest_density) - def->rest_density;
        double near = pv__min(r->crowds[i].near, DENSEST * def->rest_density);
        double crowding = pv__max(1, r->crowds[i].all / (DENSEST * def->rest_density));
        r->traits[i].most /= crowding * crowding;
        r->crowds[i].all =
            2 / def->interaction_radius * stiffness * (excess < 0 ? TENSION : 1) * excess;
        r->crowds[i].near = 3 / def->interaction_radius * push * near;
    }
}

/// Returns half of the displacement that parts a pair, as if both were of mass 1 [px].
static double push_of(const room *r, const liquid_touch *t, int i) {
    const crowd *mine = &r->crowds[i], *other = &r->crowds[t->second];
    const trait *p = &r->traits[i], *q = &r->traits[t->second];
    double pressure = mine->all + other->all + t->closeness * (mine->near + other->near);
    double push = t->closeness * (pressure - (p->thickness + q->thickness) * t->parting),
           most = p->most + q->most;
    return pv__clamp(push, -most, most);
}

static void liquid_part(room *r) {
    int k = 0;
    for (int i = 0; i < r->count; i++) {
        pv_vec2 sum = r->pushes[i];
        for (; k < r->last[i]; k++) {
            const liquid_touch *t = &r->touches[k];
            double push = push_of(r, t, i);
            sum = pv__mad(sum, -push, t->share);
            r->pushes[t->second] = pv__mad(r->pushes[t->second], push, t->share);
        }
        r->pushes[i] = sum;
    }
}

void pv__liquid_relax_all(pv_world *world, double h) {
    room *r = world->matter.liquid_room;
    if (!r) return;
    if (!ready_lists(world, r, h)) {
        world->out_of_memory = true;
        return;
    }
    feel_shores(world, r);
    feel(r);
    liquid_press(world, r, h);
    liquid_part(r);
    press_shores(world, r);
    for (int i = 0; i < r->count; i++)
        pv__particle_push(&world->matter.particles, r->berths[i].slot, r->pushes[i], 1);
    r->age++;
}
