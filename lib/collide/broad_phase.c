/* broad_phase.c - candidate pairs from swept boxes: two hashed grids with cells of many sizes
 * (Ericson 2005, section 7.2).
 *
 * Invariant: a body is in the cell of its box's upper left corner. Cells of its level are half to
 * twice its size, and at least 8 px. Resting bodies stay in the chains of their cells; awake ones
 * are laid out anew for each search, row by row. Results don't depend on the grids' layout, because
 * pairs are tested by their boxes and sorted.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/broad_phase.h"
#include "collide/manifold.h"
#include "collide/narrow_phase.h"
#include "collide/pair_limit.h"
#include "collide/presolve.h"
#include "collide/query_index.h"
#include "collide/touching_box.h"
#include "core/filter.h"
#include "core/pose.h"
#include "core/stage_timer.h"
#include "core/tasks.h"
#include "core/wake.h"

#include <limits.h>
#include <string.h>

/// Margin of boxes for changes of motion in contacts [px]
static const double MARGIN_PIXEL = 1, MARGIN_CONTOUR = 0.75;
/// Displacement above which contacts may deflect a body to any side [px]; share deflected below it
static const double DEFLECTED_FAST = 8, DEFLECTED = 0.25;
/// Greatest coordinate of boxes [px]
static const double BROAD_FARTHEST = 0x1p29;
/// Binary logarithm of the number of columns per cell of awake bodies; narrow ones cost only slots
enum { BROAD_COLUMNS = 2 };
static const uint32_t ALL_LEVELS = UINT32_MAX;

/* ---- boxes ---- */

PV__INLINE pv__bounds widened(pv__bounds s, double by) {
    return (pv__bounds){s.low - by, s.high + by};
}

PV__INLINE pv__bounds around_both(pv__bounds a, pv__bounds b) {
    return (pv__bounds){pv__duo_min(a.low, b.low), pv__duo_max(a.high, b.high)};
}

PV__INLINE pv__bounds inside_both(pv__bounds a, pv__bounds b) {
    return (pv__bounds){pv__duo_max(a.low, b.low), pv__duo_min(a.high, b.high)};
}

static double length_of(pv__duo v) { return sqrt(v[0] * v[0] + v[1] * v[1]); }

/// Returns the box that a body may cover within whole substeps if it keeps its motion, with a
/// margin. Contacts may deflect a fast body to any side. The chord of many turns is no longer than
/// the sum of their chords. Forces that overflow make a large box: minima and maxima with NaN take
/// their second operand.
PV__INLINE pv__bounds box_ahead(const pv_world *world, const pv__body *b, double ahead) {
    pv__duo first = pv__duo_at(&b->now[0].x) - pv__duo_at(&b->before[0].x),
            second = pv__duo_at(&b->now[1].x) - pv__duo_at(&b->before[1].x);
    double half = 0.5 * ahead / world->dt, gained = 0;
    pv__duo way = half * (first + second);
    double length = length_of(way), turn = half / b->half_stick * length_of(second - first);
    if (b->type == PV_BODY_DYNAMIC || pv__body_is_driven(world, b)) {
        double lead = 0.5 * ahead * (ahead + world->dt + pv__abs(b->verlet_dt0 - world->dt));
        gained = lead * pv__length(pv__body_acceleration(world, b));
        turn += lead * pv__abs(pv__body_angular_acceleration(world, b));
    }
    double reach = b->pixels->reach;
    pv__duo center = pv__duo_at(&b->pose.center.x);
    pv__bounds turned = widened(pv__touching_bounds(b, b->pose), reach * turn);
    pv__bounds box = inside_both(turned, widened((pv__bounds){center, center}, reach));
    if (length > DEFLECTED_FAST) return widened(box, pv__min(length + gained, BROAD_FARTHEST));
    pv__bounds moved = {box.low + way, box.high + way};
    return widened(around_both(box, moved), DEFLECTED * length + pv__min(gained, BROAD_FARTHEST));
}

static pv__bounds box_behind(const pv__body *b) {
    return around_both(pv__bounds_of(pv__pose_outer_box(b, b->pose)),
                       pv__bounds_of(pv__pose_outer_box(b, pv__pose_before(b))));
}

/// Returns the box that a body has covered since the step began.
static pv__bounds box_passed(const pv_world *world, const pv__body *b) {
    pv_vec2 turn = {b->pose.turn.c - b->began.turn.c, b->pose.turn.s - b->began.turn.s};
    pv_box now = pv__index_current_box(world, (int)(b - world->bodies.items));
    return widened(around_both(pv__bounds_of(now), pv__bounds_of(pv__pose_box(b, b->began))),
                   b->pixels->reach * pv__length(turn));
}

/// Returns the box that a body covers until the next search for pairs, or for ahead < 0 the box
/// that it has covered in the step.
PV__INLINE pv__bounds box_of(const pv_world *world, const pv__body *b, double ahead) {
    double margin =
        world->def.contact_mode == PV_CONTACT_MODE_PIXELS ? MARGIN_PIXEL : MARGIN_CONTOUR;
    if (!b->awake) return widened(pv__touching_bounds(b, b->pose), margin);
    if (ahead < 0) return box_passed(world, b);
    return widened(ahead > 0 ? box_ahead(world, b, ahead) : box_behind(b), margin);
}

/* ---- cells ---- */

/// Returns a coordinate in whole pixels from an origin so distant that the leading bit is set.
/// Shifted to a level, the number thus tells the level, too: no two levels share a cell number.
PV__INLINE pv__duo broad_whole(pv__duo x) {
    pv__duo most = {BROAD_FARTHEST, BROAD_FARTHEST};
    return pv__duo_max(-most, pv__duo_min(x, most)) + 0x1.8p31;
}

PV__INLINE pv__frame frame_of(pv__bounds s) {
    pv__duo low = broad_whole(s.low), high = broad_whole(s.high);
    return (pv__frame){(uint32_t)(int64_t)low[0], (uint32_t)(int64_t)low[1],
                       (uint32_t)(int64_t)high[0], (uint32_t)(int64_t)high[1]};
}

/// Returns a negative number if two frames are apart; no difference exceeds 31 bits.
static int32_t broad_shared(pv__frame a, pv__frame b) {
    return (int32_t)((b.right - a.left) | (a.right - b.left) | (b.bottom - a.top) |
                     (a.bottom - b.top));
}

static uint32_t size_of(pv__frame f) {
    uint32_t w = f.right - f.left, h = f.bottom - f.top;
    return w > h ? w : h;
}

static int bits_of(uint32_t n) { return 32 - __builtin_clz(n); }

/// Returns the slot of a cell in a table of that size; the cells of a row are adjacent.
static uint32_t slot_of(uint32_t x, uint32_t y, int size) {
    uint32_t row = y * 0x9e3779b1u;
    return ((row ^ row >> 15) + x) & (uint32_t)(size - 1);
}

/// Returns the cells of a level that may hold a frame that overlaps f. Columns of awake frames are
/// narrower: a cell's width / 2^columns.
PV__INLINE pv__frame cells_of(const pv__level *level, int number, int columns, pv__frame f) {
    int fine = number - columns;
    return (pv__frame){(f.left - level->widest) >> fine, (f.top - level->highest) >> number,
                       f.right >> fine, f.bottom >> number};
}

/// Returns the slot of an awake body in a table of that size.
static uint32_t awake_slot(const pv__proxy *p, int size) {
    return slot_of(p->frame.left >> (p->level - BROAD_COLUMNS), p->y, size);
}

/// Raises the greatest frame size of a level to that of a proxy.
PV__INLINE void note_size(pv__levels *levels, const pv__proxy *p) {
    pv__level *level = &levels->at[p->level];
    uint32_t w = p->frame.right - p->frame.left, h = p->frame.bottom - p->frame.top;
    if (w > level->widest) level->widest = w;
    if (h > level->highest) level->highest = h;
    levels->used |= 1u << p->level;
}

static void count_in(pv__levels *levels, const pv__proxy *p) {
    pv__level *level = &levels->at[p->level];
    if (level->count++ == 0) *level = (pv__level){.count = 1};
    note_size(levels, p);
}

static void count_out(pv__levels *levels, const pv__proxy *p) {
    if (--levels->at[p->level].count == 0) levels->used &= ~(1u << p->level);
}

/* ---- resting bodies ---- */

static void link_proxy(pv__grid *g, int index) {
    pv__proxy *p = &g->proxies[index];
    int *chain = &g->chains[slot_of(p->x, p->y, g->chain_count)];
    g->places[index].previous = PV__NONE;
    p->next = *chain;
    if (p->next != PV__NONE) g->places[p->next].previous = index;
    *chain = index;
}

static void unlink_proxy(pv__grid *g, int index) {
    const pv__proxy *p = &g->proxies[index];
    int previous = g->places[index].previous;
    if (p->next != PV__NONE) g->places[p->next].previous = previous;
    if (previous != PV__NONE)
        g->proxies[previous].next = p->next;
    else
        g->chains[slot_of(p->x, p->y, g->chain_count)] = p->next;
}

/// Puts a body into the ring of its level, as the first one.
static void join_ring(pv__grid *g, int index) {
    pv__level *level = &g->resting.at[g->proxies[index].level];
    pv__place *own = &g->places[index], *first = &g->places[level->first];
    bool alone = level->count == 1;
    own->ring_next = alone ? index : level->first;
    own->ring_previous = alone ? index : first->ring_previous;
    g->places[own->ring_next].ring_previous = index;
    g->places[own->ring_previous].ring_next = index;
    level->first = index;
}

static void leave_ring(pv__grid *g, int index) {
    const pv__place *own = &g->places[index];
    g->places[own->ring_next].ring_previous = own->ring_previous;
    g->places[own->ring_previous].ring_next = own->ring_next;
    g->resting.at[g->proxies[index].level].first = own->ring_next;
}

static void leave(pv__grid *g, int index) {
    pv__proxy *p = &g->proxies[index];
    if (!p->linked) return;
    unlink_proxy(g, index);
    leave_ring(g, index);
    count_out(&g->resting, p);
    p->linked = false;
}

static void enter(pv__grid *g, int index) {
    g->proxies[index].linked = true;
    count_in(&g->resting, &g->proxies[index]);
    link_proxy(g, index);
    join_ring(g, index);
}

/// Fits a proxy to the box of its body.
static void broad_fit(pv_world *world, int index, double ahead) {
    const pv__body *b = &world->bodies.items[index];
    pv__proxy *p = &world->broad_phase.grid.proxies[index];
    pv__bounds box = box_of(world, b, ahead);
    pv__bounds_put(&world->broad_phase.grid.places[index].box, box);
    p->frame = frame_of(box);
    p->seeks = b->type == PV_BODY_DYNAMIC && !b->sensor;
    p->senses = b->sensor;
    p->level = (uint8_t)((bits_of(size_of(p->frame) | 8) - 1) | 1);
    p->x = p->frame.left >> p->level;
    p->y = p->frame.top >> p->level;
}

void pv__broad_phase_displace(pv_world *world, int index) {
    pv__grid *g = &world->broad_phase.grid;
    world->bodies.items[index].unseen = world->events.unseen = true;
    if (g->proxies[index].displaced) return;
    g->proxies[index].displaced = true;
    g->places[index].next_displaced = g->displaced;
    g->displaced = index;
}

void pv__broad_phase_displace_all(pv_world *world, int before) {
    pv__grid *g = &world->broad_phase.grid;
    for (int i = world->bodies.count; i < before; i++) leave(g, i);
    g->displaced = PV__NONE;
    for (int i = 0; i < world->bodies.count; i++) {
        g->proxies[i].displaced = true;
        g->places[i].next_displaced = g->displaced;
        g->displaced = i;
    }
}

/// Puts displaced bodies into the right cells, or removes them.
static void settle(pv_world *world) {
    pv__grid *g = &world->broad_phase.grid;
    for (; g->displaced != PV__NONE; g->displaced = g->places[g->displaced].next_displaced) {
        int index = g->displaced;
        const pv__body *b = &world->bodies.items[index];
        g->proxies[index].displaced = false;
        leave(g, index);
        if (!pv__body_is_present(b) || b->awake) continue;
        broad_fit(world, index, 0);
        enter(g, index);
    }
}

/* ---- memory ---- */

/// Doubles the chains and starts until there are two chains for each body. Returns false without
/// memory.
static bool lengthen(pv_world *world, int bodies) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__grid *g = &world->broad_phase.grid;
    int count = pv__table_length(g->chain_count, 2 * (int64_t)bodies);
    if (count && count == g->chain_count) return true;
    int *chains = count ? pv__alloc(allocator, (size_t)count, sizeof *chains) : NULL;
    if (!chains || !pv__reserve_exactly(allocator, &g->starts, &g->start_capacity,
                                        (count << BROAD_COLUMNS) + 1, sizeof(int))) {
        PV__FREE(allocator, chains, count);
        return false;
    }
    PV__FREE(allocator, g->chains, g->chain_count);
    g->chains = chains;
    g->chain_count = count;
    for (int i = 0; i < count; i++) chains[i] = PV__NONE;
    for (int i = 0; i < world->bodies.count; i++)
        if (g->proxies[i].linked) link_proxy(g, i);
    return true;
}

bool pv__broad_phase_reserve(pv_world *world, int more) {
    pv__grid *g = &world->broad_phase.grid;
    const pv_allocator *allocator = &world->def.allocator;
    int index = world->bodies.count, need = index + more;
    if (!PV__RESERVE(allocator, g->proxies, g->proxy_capacity, need) ||
        !PV__RESERVE(allocator, g->places, g->place_capacity, need) ||
        !PV__RESERVE(allocator, g->entries, g->entry_capacity, need) ||
        !pv__world_reserve_by_body(world, &g->near, &g->near_capacity, need, sizeof(int)) ||
        !lengthen(world, need))
        return false;
    for (int i = index; i < need; i++) g->proxies[i] = (pv__proxy){.next = PV__NONE};
    return true;
}

void pv__broad_phase_free(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__grid *g = &world->broad_phase.grid;
    PV__FREE(allocator, g->proxies, g->proxy_capacity);
    PV__FREE(allocator, g->places, g->place_capacity);
    PV__FREE(allocator, g->entries, g->entry_capacity);
    PV__FREE(allocator, g->near, g->near_capacity);
    PV__FREE(allocator, g->starts, g->start_capacity);
    PV__FREE(allocator, g->chains, g->chain_count);
}

/* ---- awake bodies ---- */

/// Tells whether a listed body is still awake.
static bool is_awake(const pv_world *world, int index) {
    const pv__body *b = &world->bodies.items[index];
    return pv__body_is_alive(b) && b->awake;
}

/// Tells whether a body is a sensor that gets its box only at the end of the step.
static bool is_everywhere(const pv_world *world, int index, double ahead) {
    return world->bodies.items[index].sensor && ahead >= 0;
}

static void fit_some(pv_world *world, void *stage, int first, int end) {
    static const pv_box anywhere = {{-HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL}};
    const double *ahead = stage;
    for (int i = first; i < end; i++) {
        int index = world->bodies.awake[i];
        bool awake = is_awake(world, index), everywhere = is_everywhere(world, index, *ahead);
        world->broad_phase.grid.proxies[index].fitted = awake && !everywhere;
        if (awake && everywhere)
            world->broad_phase.grid.places[index].box = anywhere;
        else if (awake)
            broad_fit(world, index, *ahead);
    }
}

/// Fits the awake bodies, lists them in near, counts them by slot, and returns their number.
/// Sensors are not listed: they are in no pair, and no sensor detects another one. Without memory,
/// the list of awake bodies may be out of date.
static int fit_awake(pv_world *world, double ahead) {
    pv__grid *g = &world->broad_phase.grid;
    int count = 0,
        slots = pv__table_length(0, (int64_t)world->bodies.awake_count << (1 + BROAD_COLUMNS));
    int *starts = g->starts, *near = g->near;
    g->awake = (pv__levels){0};
    g->laid = 0;
    g->fitted = 0;
    g->slots = slots;
    memset(starts, 0, ((size_t)slots + 1) * sizeof *starts);
    for (int i = 0; i < world->bodies.awake_count; i++) {
        int index = world->bodies.awake[i];
        if (g->proxies[index].linked && is_awake(world, index)) leave(g, index);
    }
    pv__tasks_run(world, world->bodies.awake_count, PV__CHUNK_BODIES, fit_some, &ahead);
    for (int i = 0; i < world->bodies.awake_count; i++) {
        int index = world->bodies.awake[i];
        const pv__proxy *p = &g->proxies[index];
        if (!p->fitted) continue;
        note_size(&g->awake, p);
        g->fitted++;
        if (p->senses) continue;
        g->laid |= 1u << p->level;
        starts[awake_slot(p, slots)]++;
        near[count++] = index;
    }
    return count;
}

/// Lays out the listed bodies by slot with a counting sort.
static void lay_out(pv__grid *g, int count) {
    int end = 0, slots = g->slots, *starts = g->starts;
    for (int i = 0; i <= slots; i++) starts[i] = end += starts[i];
    for (int i = count - 1; i >= 0; i--) {
        int index = g->near[i];
        const pv__proxy *p = &g->proxies[index];
        g->entries[--starts[awake_slot(p, slots)]] =
            (pv__entry){g->places[index].box, p->frame, p->y, index, !p->seeks};
    }
    g->entry_count = count;
}

/* ---- overlaps ---- */

/// Entries of a row of cells: first ... end - 1, and 0 ... rest - 1 if its slots wrap around
typedef struct row {
    int first, end, rest;
} row;

PV__INLINE row row_of(const pv__grid *g, pv__frame cells, uint32_t y) {
    uint32_t first = slot_of(cells.left, y, g->slots), last = slot_of(cells.right, y, g->slots);
    int from = g->starts[first], to = g->starts[last + 1];
    return first <= last ? (row){from, to, 0} : (row){from, g->entry_count, to};
}

/// Lists the entries of a row that overlap a frame, and returns the new count. It has no branches,
/// because they would be unpredictable. The array near has room for one more than all bodies.
PV__INLINE int list_entries(const pv__grid *g, pv__frame f, uint32_t y, int from, int to, int *near,
                            int count) {
    for (int i = from; i < to; i++) {
        near[count] = g->entries[i].body;
        count += (g->entries[i].y == y) & (broad_shared(g->entries[i].frame, f) >= 0);
    }
    return count;
}

/// Pairs an entry with those of a row whose boxes overlap its own, seeking or not; has no branches.
PV__INLINE pv__pair *pair_entries(const pv__grid *g, const pv__entry *e, uint32_t y, int from,
                                  int to, pv__pair *end) {
    pv__duo low = pv__duo_at(&e->box.min.x), high = pv__duo_at(&e->box.max.x);
    for (const pv__entry *o = g->entries + from, *stop = g->entries + to; o < stop; o++) {
        *end = (pv__pair){e->body, o->body};
        unsigned meet = pv__duo_bits(low < pv__duo_at(&o->box.max.x)) &
                        pv__duo_bits(pv__duo_at(&o->box.min.x) < high);
        end += ((meet ^ 3) | (o->y ^ y)) == 0;
    }
    return end;
}

/// Adds the pairs that an entry has to find, and returns their new end. Each pair is found once: on
/// one level by the entry in the lower row, in one row by the left entry, in one column by the
/// earlier entry. On different levels, the entry on the lower level finds it.
static pv__pair *pair_awake(const pv__grid *g, int position, pv__pair *end) {
    const pv__entry *e = &g->entries[position];
    int own = __builtin_clz(e->y);
    for (uint32_t levels = g->awake.used >> own << own; levels; levels &= levels - 1) {
        int level = __builtin_ctz(levels);
        pv__frame cells = cells_of(&g->awake.at[level], level, BROAD_COLUMNS, e->frame);
        if (level == own) cells.bottom = e->y - 1;
        for (uint32_t y = cells.top; y <= cells.bottom; y++) {
            row r = row_of(g, cells, y);
            end = pair_entries(g, e, y, r.first, r.end, end);
            end = pair_entries(g, e, y, 0, r.rest, end);
        }
        if (level != own) continue;
        cells.left = e->frame.left >> (own - BROAD_COLUMNS);
        row r = row_of(g, cells, e->y);
        end = pair_entries(g, e, e->y, position + 1, r.end, end);
        end = pair_entries(g, e, e->y, 0, r.rest, end);
    }
    return end;
}

static int list_chains(const pv__grid *g, pv__frame f, pv__frame cells, int *near, int count) {
    for (uint32_t y = cells.top; y <= cells.bottom; y++)
        for (uint32_t x = cells.left; x <= cells.right; x++)
            for (int i = g->chains[slot_of(x, y, g->chain_count)]; i != PV__NONE;
                 i = g->proxies[i].next) {
                const pv__proxy *p = &g->proxies[i];
                near[count] = i;
                count += (p->x == x) & (p->y == y) & (broad_shared(p->frame, f) >= 0);
            }
    return count;
}

static int list_all(const pv_world *world, pv__frame f, int level, int *near, int count) {
    const pv__grid *g = &world->broad_phase.grid;
    for (int i = 0; i < world->bodies.count; i++) {
        const pv__proxy *p = &g->proxies[i];
        near[count] = i;
        count += p->linked & (p->level == level) & (broad_shared(p->frame, f) >= 0);
    }
    return count;
}

/// Lists the resting bodies on some levels that overlap a frame. It searches all cells, or all
/// bodies if they are fewer.
static int list_resting(const pv_world *world, uint32_t levels, pv__frame f, int *near, int count) {
    const pv__grid *g = &world->broad_phase.grid;
    for (levels &= g->resting.used; levels; levels &= levels - 1) {
        int level = __builtin_ctz(levels);
        pv__frame cells = cells_of(&g->resting.at[level], level, 0, f);
        uint64_t w = cells.right - cells.left + 1, h = cells.bottom - cells.top + 1;
        if (w * h <= (uint64_t)world->bodies.count)
            count = list_chains(g, f, cells, near, count);
        else
            count = list_all(world, f, level, near, count);
    }
    return count;
}

int pv__broad_phase_find_resting(pv_world *world, const pv_box *box) {
    settle(world);
    return list_resting(world, ALL_LEVELS, frame_of(pv__bounds_of(*box)),
                        world->broad_phase.grid.near, 0);
}

/* ---- overlaps of sensors ---- */

static int list_entries_of(const pv__grid *g, pv__frame f, int level, int *near, int count) {
    for (int i = 0; i < g->entry_count; i++) {
        const pv__entry *e = &g->entries[i];
        near[count] = e->body;
        count += (__builtin_clz(e->y) == level) & (broad_shared(e->frame, f) >= 0);
    }
    return count;
}

/// Lists the laid-out bodies that overlap a frame. It searches all cells, or all entries if fewer
/// bodies are awake.
static int list_awake_in(const pv__grid *g, pv__frame f, int *near) {
    int count = 0;
    for (uint32_t levels = g->laid; levels; levels &= levels - 1) {
        int level = __builtin_ctz(levels);
        pv__frame cells = cells_of(&g->awake.at[level], level, BROAD_COLUMNS, f);
        uint64_t w = cells.right - cells.left + 1, h = cells.bottom - cells.top + 1;
        if (w * h >> BROAD_COLUMNS > (uint64_t)g->fitted) {
            count = list_entries_of(g, f, level, near, count);
            continue;
        }
        for (uint32_t y = cells.top; y <= cells.bottom; y++) {
            row r = row_of(g, cells, y);
            count = list_entries(g, f, y, r.first, r.end, near, count);
            count = list_entries(g, f, y, 0, r.rest, near, count);
        }
    }
    return count;
}

void pv__broad_phase_lay_out_ways(pv_world *world) {
    pv__wake_list_awake(world);
    settle(world);
    lay_out(&world->broad_phase.grid, fit_awake(world, -1));
}

int pv__broad_phase_find_met(const pv_world *world, int index, bool resting, int *near) {
    const pv__grid *g = &world->broad_phase.grid;
    pv__frame f = g->proxies[index].frame;
    const pv_box *box = &g->places[index].box;
    int count = list_awake_in(g, f, near), kept = 0;
    if (resting) count = list_resting(world, ALL_LEVELS, f, near, count);
    for (int i = 0; i < count; i++)
        if (pv__boxes_meet(box, &g->places[near[i]].box)) near[kept++] = near[i];
    return kept;
}

static pv__bounds solver_body_box(const pv_world *world, int index) {
    return pv__touching_bounds(&world->bodies.items[index], pv__pose_of_solver_body(world, index));
}

/// Sets the box of a solver body to its current box, widened by a displacement [px].
static void widen_room(pv_world *world, int index, double by) {
    leave(&world->broad_phase.grid, index); /* it woke in this step */
    pv__bounds box = widened(solver_body_box(world, index), MARGIN_CONTOUR + by);
    pv__bounds_put(&world->broad_phase.grid.places[index].box, box);
    world->broad_phase.grid.proxies[index].frame = frame_of(box);
}

/* ---- pairs ---- */

/// Tells whether two bodies can form a pair: their boxes overlap, and one of them is dynamic.
static bool may_touch(const pv__grid *g, int a, int b) {
    return (g->proxies[a].seeks | g->proxies[b].seeks) &
           pv__boxes_meet(&g->places[a].box, &g->places[b].box);
}

bool pv__broad_phase_make_room(pv_world *world, pv__worker *w, int more) {
    if (more <= INT_MAX - w->pair_count &&
        PV__RESERVE(&world->def.allocator, w->pairs, w->pair_capacity, w->pair_count + more))
        return true;
    pv__flag_raise(&world->out_of_memory);
    return false;
}

/// Adds the pairs of a body with others that were listed as near.
static void pair_near(const pv__grid *g, pv__worker *w, int body, int count) {
    pv__pair *end = w->pairs + w->pair_count;
    for (int i = 0; i < count; i++) {
        int other = w->near[i];
        *end = (pv__pair){body, other};
        end += may_touch(g, body, other);
    }
    w->pair_count = (int)(end - w->pairs);
}

/// Search for pairs: the resting bodies of a level search the awake ones if they are fewer, or vice
/// versa
typedef struct pair_search {
    /// Levels whose resting bodies search, and the number of these bodies
    uint32_t levels;
    int count;
} pair_search;

/// Drops the pairs of an idle entry with bodies that do not seek either.
static pv__pair *drop_idle(const pv__grid *g, pv__pair *pairs, const pv__pair *end) {
    pv__pair *kept = pairs;
    for (; pairs < end; pairs++)
        if (g->proxies[pairs->b].seeks) *kept++ = *pairs;
    return kept;
}

static void find_of_awake(pv_world *world, void *stage, int first, int end) {
    pv__worker *w = pv__tasks_worker(world);
    const pv__grid *g = &world->broad_phase.grid;
    const pair_search *s = stage;
    uint32_t resting = g->resting.used & ~s->levels;
    for (int i = first; i < end; i++) {
        if (!pv__broad_phase_make_room(world, w, world->bodies.count + 1)) return;
        pv__pair *own = w->pairs + w->pair_count, *found = pair_awake(g, i, own);
        if (g->entries[i].idle) found = drop_idle(g, own, found);
        w->pair_count = (int)(found - w->pairs);
        if (resting == 0) continue;
        int count = list_resting(world, resting, g->entries[i].frame, w->near, 0);
        if (count > 0) pair_near(g, w, g->entries[i].body, count);
    }
}

static void find_of_resting(pv_world *world, void *stage, int first, int end) {
    pv__worker *w = pv__tasks_worker(world);
    const pv__grid *g = &world->broad_phase.grid;
    (void)stage;
    for (int i = first; i < end; i++) {
        int count = list_awake_in(g, g->proxies[g->near[i]].frame, w->near);
        if (!pv__broad_phase_make_room(world, w, count + 1)) return;
        pair_near(g, w, g->near[i], count);
    }
}

/// Chooses which bodies search, and lists the resting ones of them in near.
static pair_search choose_search(pv__grid *g) {
    pair_search s = {0, 0};
    for (uint32_t levels = g->resting.used; levels; levels &= levels - 1) {
        const pv__level *level = &g->resting.at[__builtin_ctz(levels)];
        if (level->count + s.count >= g->entry_count) continue;
        s.levels |= levels & -levels;
        for (int i = 0, body = level->first; i < level->count;
             i++, body = g->places[body].ring_next)
            g->near[s.count++] = body;
    }
    return s;
}

/// Finds the pairs of all laid-out bodies.
static void find_all(pv_world *world) {
    pair_search s = choose_search(&world->broad_phase.grid);
    pv__tasks_run(world, world->broad_phase.grid.entry_count, PV__CHUNK_BODIES, find_of_awake, &s);
    pv__tasks_run(world, s.count, PV__CHUNK_BODIES, find_of_resting, &s);
}

bool pv__broad_phase_equip(pv_world *world) {
    for (int i = 0; i < world->worker_count; i++) {
        pv__worker *w = &world->workers[i];
        w->pair_count = 0;
        if (!pv__world_reserve_by_body(world, &w->near, &w->near_capacity, world->bodies.count,
                                       sizeof(int)))
            return false;
    }
    return true;
}

/// Joins the pairs of all workers, and puts the smaller index first. Their order depends on the
/// workers until they are sorted.
static bool join_pairs(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__broad_phase *all = &world->broad_phase;
    int64_t sum = 0;
    int count = 0;
    for (int i = 0; i < world->worker_count; i++) sum += world->workers[i].pair_count;
    if (sum > INT_MAX ||
        !PV__RESERVE(allocator, all->spare_pairs, all->spare_pair_capacity, (int)sum) ||
        !PV__RESERVE(allocator, all->pairs, all->pair_capacity, (int)sum))
        return false;
    pv__pair *to = all->pairs;
    for (int i = 0; i < world->worker_count; i++) {
        const pv__pair *from = world->workers[i].pairs;
        for (int k = 0, end = world->workers[i].pair_count; k < end; k++) {
            int a = from[k].a, b = from[k].b;
            to[count++] = (pv__pair){pv__sooner(a, b), pv__later(a, b)};
        }
    }
    all->pair_count = count;
    return true;
}

#define DIGIT 11

PV__INLINE uint32_t digit_of(const pv__pair *p, bool by_a, int shift, uint32_t mask) {
    return (uint32_t)(by_a ? p->a : p->b) >> shift & mask;
}

/// Sorts pairs with one stable pass of a radix sort.
PV__INLINE void sort_by_digit(pv_world *world, bool by_a, int shift, int bits) {
    int starts[1 << DIGIT], sum = 0, count = world->broad_phase.pair_count;
    uint32_t mask = (1u << bits) - 1;
    pv__pair *from = world->broad_phase.pairs, *to = world->broad_phase.spare_pairs;
    memset(starts, 0, sizeof *starts << bits);
    for (int i = 0; i < count; i++) starts[digit_of(&from[i], by_a, shift, mask)]++;
    for (int i = 0; i < 1 << bits; i++) {
        int here = starts[i];
        starts[i] = sum;
        sum += here;
    }
    for (int i = 0; i < count; i++) to[starts[digit_of(&from[i], by_a, shift, mask)]++] = from[i];
    pv__swap(&world->broad_phase.pairs, &world->broad_phase.pair_capacity,
             &world->broad_phase.spare_pairs, &world->broad_phase.spare_pair_capacity);
}

static void sort_pairs(pv_world *world) {
    int width = bits_of((uint32_t)world->bodies.count), passes = (width + DIGIT - 1) / DIGIT;
    int bits = (width + passes - 1) / passes;
    for (int i = 0; i < passes; i++) sort_by_digit(world, false, i * bits, bits);
    for (int i = 0; i < passes; i++) sort_by_digit(world, true, i * bits, bits);
}

void pv__broad_phase_find_pairs(pv_world *world, double ahead) {
    world->broad_phase.pair_count = 0;
    pv__wake_list_awake(world);
    settle(world);
    if (world->bodies.awake_count == 0) return;
    lay_out(&world->broad_phase.grid, fit_awake(world, ahead));
    bool equipped = pv__broad_phase_equip(world);
    if (equipped) find_all(world);
    if (!equipped || !join_pairs(world)) world->out_of_memory = true;
    if (world->broad_phase.pair_count > 1) sort_pairs(world);
    pv__filter_pairs(world, 0);
    if (world->manifolds.passing_count > 0) pv__presolve_leave_out_passing(world);
    pv__pair_limit_thin(world);
    pv__timer_lap(world, &world->profile.pairs);
}

/* ---- enlargement of boxes that bodies leave within a step ----
 *
 * Invariant: after each substep, a body protrudes from its box by at most ENLARGE_TOLERANCE, or it
 * has a new box with pairs. Exceptions are bodies over the pair limit, and bodies beyond the step's
 * budget, which the next step pairs. The budget counts bodies, not time, so runs repeat.
 */

/// Length that a body may protrude from its box [px]. It is less than the margin of a body at rest,
/// so no such body is touched before it is paired.
static const double ENLARGE_TOLERANCE = 0.5;
/// Margin for rounding [px]
static const double ENLARGE_SPARE = 1e-3;
/// Number of bodies that enlarged boxes may find in a step, and the addition to it for each awake
/// body
static const int STEP_FINDS = 64, BODY_FINDS = 1;

void pv__broad_phase_allow_enlarging(pv_world *world) {
    world->broad_phase.enlarged_count = 0;
    world->broad_phase.enlarge_budget =
        STEP_FINDS + (int64_t)BODY_FINDS * world->bodies.awake_count;
}

/// Tells whether one box sticks out of another by more than a length.
PV__INLINE bool sticks_out(pv__bounds s, const pv_box *room, double by) {
    return (pv__duo_bits(s.low < pv__duo_at(&room->min.x) - by) |
            pv__duo_bits(s.high > pv__duo_at(&room->max.x) + by)) != 0;
}

/// Returns the box of the circle that holds a solver body at any angle.
PV__INLINE pv__bounds circle_box(const pv_world *world, int index) {
    pv__duo center = pv__duo_at((const double *)&world->solver.bodies[index + 1].pose);
    return widened((pv__bounds){center, center}, world->solver.states[index + 1].reach);
}

/// Tells whether a body has left its box. A slow body would have been found while it was faster.
static bool has_left(const pv_world *world, int index, double dt) {
    const pv_box *room = &world->broad_phase.grid.places[index].box;
    return sticks_out(circle_box(world, index), room, ENLARGE_TOLERANCE) &&
           !(dt * pv__narrow_phase_speed(world, index) < ENLARGE_TOLERANCE) &&
           !pv__pair_is_crowded(world, index, index) &&
           sticks_out(solver_body_box(world, index), room, ENLARGE_TOLERANCE);
}

/// Returns the swept box of a displacement.
static pv__bounds swept(pv__bounds s, pv__duo way) {
    pv__duo none = {0, 0};
    return (pv__bounds){s.low + pv__duo_min(none, way), s.high + pv__duo_max(none, way)};
}

/// Tells whether the box of a solver body stays in its grid box for that number of substeps.
static bool enlarge_stays(const pv_world *world, int index, pv__bounds box, double h,
                          int substeps) {
    pv__duo motion = pv__duo_at((const double *)&world->solver.bodies[index + 1].motion),
            gain = pv__duo_at((const double *)&world->solver.states[index + 1].gain);
    box = swept(swept(box, h * substeps * motion), h * substeps * substeps * gain);
    return !sticks_out(box, &world->broad_phase.grid.places[index].box,
                       ENLARGE_TOLERANCE - ENLARGE_SPARE);
}

bool pv__broad_phase_keeps_to_box(const pv_world *world, int index, double h, int substeps) {
    pv__four gain = world->solver.states[index + 1].gain;
    double reach = world->solver.states[index + 1].reach;
    double turned =
        h * substeps *
        (pv__abs(world->solver.bodies[index + 1].motion[2]) + substeps * pv__abs(gain[2]));
    double gained = substeps * (pv__abs(gain[0]) + pv__abs(gain[1]) + pv__abs(gain[2]) * reach);
    double dt = h * world->substeps;
    if (dt * pv__narrow_phase_speed(world, index) + gained * dt < ENLARGE_TOLERANCE - ENLARGE_SPARE)
        return true;
    if (enlarge_stays(world, index, circle_box(world, index), h, substeps)) return true;
    pv__bounds box = widened(solver_body_box(world, index), turned * reach);
    return enlarge_stays(world, index, box, h, substeps);
}

static void add_pair(pv_world *world, int a, int b) {
    pv__broad_phase *all = &world->broad_phase;
    if (a == b || !may_touch(&all->grid, a, b)) return;
    if (!PV__APPEND(&world->def.allocator, all->pairs, all->pair_capacity, all->pair_count,
                    (pv__pair){pv__sooner(a, b), pv__later(a, b)}))
        world->out_of_memory = true;
}

/// Pairs a body with all bodies whose boxes overlap its enlarged box. The grid still has boxes from
/// the start of the step, so this searches the list of enlarged bodies, too.
static void add_pairs_of(pv_world *world, int index) {
    pv__broad_phase *all = &world->broad_phase;
    int near = pv__broad_phase_find_met(world, index, true, all->grid.near);
    all->enlarge_budget -= near + all->enlarged_count;
    if (all->enlarge_budget < 0) return;
    for (int i = 0; i < near; i++) add_pair(world, index, all->grid.near[i]);
    for (int i = 0; i < all->enlarged_count; i++) add_pair(world, index, all->enlarged[i]);
    if (!PV__APPEND(&world->def.allocator, all->enlarged, all->enlarged_capacity,
                    all->enlarged_count, index))
        world->out_of_memory = true;
}

void pv__broad_phase_pair_resting(pv_world *world, int index) {
    pv__grid *g = &world->broad_phase.grid;
    settle(world);
    int near = list_resting(world, ALL_LEVELS, g->proxies[index].frame, g->near, 0);
    for (int i = 0; i < near; i++) add_pair(world, index, g->near[i]);
}

/// Search for bodies that have left their boxes
typedef struct leaving {
    double dt;
    /// True if there are any
    pv__flag any;
} leaving;

/// Notes which active bodies have left their boxes.
static void note_leaving(pv_world *world, void *stage, int first, int end) {
    leaving *s = stage;
    for (int i = first; i < end; i++) {
        int index = world->solver.active[i];
        bool left = has_left(world, index, s->dt);
        world->solver.states[index + 1].left = left;
        if (left) pv__flag_raise(&s->any);
    }
}

bool pv__broad_phase_some_left(pv_world *world, double h) {
    leaving stage = {.dt = h * world->substeps};
    pv__tasks_run(world, world->solver.active_count, PV__CHUNK_BODIES, note_leaving, &stage);
    return stage.any;
}

void pv__broad_phase_enlarge_boxes(pv_world *world, double h, int substep) {
    double ahead = h * world->substeps - h * (substep + 1);
    int before = world->broad_phase.pair_count;
    for (int i = 0; i < world->solver.active_count; i++) {
        int index = world->solver.active[i];
        if (!world->solver.states[index + 1].left || world->broad_phase.enlarge_budget <= 0)
            continue;
        widen_room(world, index, ahead * pv__narrow_phase_speed(world, index));
        add_pairs_of(world, index);
    }
    if (world->broad_phase.pair_count == before) return;
    pv__filter_pairs(world, before);
    pv__manifold_add_pairs(world, before, substep + 1);
}
