/* pv_broad.c - which boxes meet: two hashed grids with cells of many sizes (Ericson 2005, section 7.2).
 *
 * Invariant: a body stands in one cell, that of its box's upper left corner, on the level of the smallest cells that
 * its box would fit in. What rests stays in the chains of its cells; what is awake is laid out anew each time, row by
 * row. Cells only say what is compared; boxes decide, and pairs are sorted, so no result depends on the grids.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_world.h"

#include <limits.h>
#include <string.h>

/// Room for what contacts make of a motion [px].
static const double MARGIN_PIXEL = 1, MARGIN_CONTOUR = 0.75;
/// What goes no farther than the one [px] is led aside by no more than so much of its way.
static const double DEFLECTED_FAST = 8, DEFLECTED = 0.25;
/// Boxes end here [px].
static const double FARTHEST = 0x1p29;
static const int NONE = -1, FIRST_CHAINS = 64;

/* ---- boxes ---- */

pv_box pv__box_in(const pv__body *b, pv__pose pose) {
    pv_transform t = pv__transform_of(b, pose);
    return pv_transform_box(&t, b->guise->mask->bits.w, b->guise->mask->bits.h);
}

pv_box pv__touching_box(const pv__body *b, pv__pose pose) {
    if (!b->guise->shape || (!b->awake && b->guise->stand_in))
        return pv__box_in(b, pose); /* sensors find pixels */
    const pv_box *box = &b->guise->shape->box;
    pv_vec2 middle = pv__sub(pv__lerp(box->min, box->max, 0.5), b->guise->pivot),
            half = pv__mul(0.5, pv__sub(box->max, box->min));
    pv_vec2 at = pv__add(pose.centre, pv__rotate(pose.turn, middle));
    double c = pv__abs(pose.turn.c), s = pv__abs(pose.turn.s);
    pv_vec2 extent = {c * half.x + s * half.y, s * half.x + c * half.y};
    return (pv_box){pv__sub(at, extent), pv__add(at, extent)};
}

static pv_box widened(pv_box box, double by) {
    pv_vec2 margin = {by, by};
    return (pv_box){pv__sub(box.min, margin), pv__add(box.max, margin)};
}

static pv_box around_both(pv_box a, pv_box b) {
    return (pv_box){{pv__min(a.min.x, b.min.x), pv__min(a.min.y, b.min.y)},
                    {pv__max(a.max.x, b.max.x), pv__max(a.max.y, b.max.y)}};
}

static pv_box inside_both(pv_box a, pv_box b) {
    return (pv_box){{pv__max(a.min.x, b.min.x), pv__max(a.min.y, b.min.y)},
                    {pv__min(a.max.x, b.max.x), pv__min(a.max.y, b.max.y)}};
}

/// What a body may cover within whole substeps if it goes on as its particles did, give or take where contacts lead it; what
/// is fast may be led anywhere. The chord of many turns is no longer than their chords together. Forces beyond all numbers make a large box: where a
/// comparison fails, its second side is taken.
static pv_box box_ahead(const pv_world *world, const pv__body *b, double ahead) {
    pv_vec2 first = pv__sub(b->now[0], b->before[0]), second = pv__sub(b->now[1], b->before[1]);
    double half = 0.5 * ahead / world->dt, gained = 0;
    pv_vec2 way = pv__mul(half, pv__add(first, second));
    double length = pv__length(way), turn = half / b->half_stick * pv__length(pv__sub(second, first));
    if (b->type == PV_BODY_DYNAMIC || pv__is_driven(world, b)) {
        double lead = 0.5 * ahead * (ahead + world->dt + pv__abs(b->verlet_dt0 - world->dt));
        gained = lead * pv__length(pv__acceleration_of(world, b));
        turn += lead * pv__abs(pv__twist_of(world, b));
    }
    pv_box turned = widened(pv__touching_box(b, b->pose), b->guise->reach * turn);
    pv_box circle = widened((pv_box){b->pose.centre, b->pose.centre}, b->guise->reach);
    pv_box box = inside_both(turned, circle);
    if (length > DEFLECTED_FAST) return widened(box, pv__min(length + gained, FARTHEST));
    pv_box moved = {pv__add(box.min, way), pv__add(box.max, way)};
    return widened(around_both(box, moved), DEFLECTED * length + pv__min(gained, FARTHEST));
}

static pv_box box_behind(const pv__body *b) {
    return around_both(pv__box_in(b, b->pose), pv__box_in(b, pv__pose_before(b)));
}

/// What it has been in since the step began.
static pv_box box_passed(const pv_world *world, const pv__body *b) {
    pv_vec2 turn = {b->pose.turn.c - b->began.turn.c, b->pose.turn.s - b->began.turn.s};
    pv_box now = world->index.spots[b - world->bodies].box;
    return widened(around_both(now, pv__box_in(b, b->began)), b->guise->reach * pv__length(turn));
}

/// What a body covers until pairs are found anew; ahead < 0: what it covered in the step.
static pv_box box_of(const pv_world *world, const pv__body *b, double ahead) {
    double margin = world->def.contacts == PV_CONTACTS_PIXEL ? MARGIN_PIXEL : MARGIN_CONTOUR;
    if (!b->awake) return widened(pv__touching_box(b, b->pose), margin);
    if (ahead < 0) return box_passed(world, b);
    return widened(ahead > 0 ? box_ahead(world, b, ahead) : box_behind(b), margin);
}

/* ---- cells ---- */

/// Whole pixels left of a coordinate, counted from so far away that the leading bit is always set: shifted to a level
/// it names that level, too, and no two levels have cells of the same name.
static uint32_t whole(double x) { return (uint32_t)(int64_t)(pv__clamp(x, -FARTHEST, FARTHEST) + 0x1.8p31); }

static pv__frame frame_of(const pv_box *box) {
    return (pv__frame){whole(box->min.x), whole(box->min.y), whole(box->max.x), whole(box->max.y)};
}

/// Less than 0 when two frames are apart; no difference leaves 31 bits.
static int32_t shared(pv__frame a, pv__frame b) {
    return (int32_t)((b.right - a.left) | (a.right - b.left) | (b.bottom - a.top) | (a.bottom - b.top));
}

static pv__frame around_frames(pv__frame a, pv__frame b) {
    return (pv__frame){a.left < b.left ? a.left : b.left, a.top < b.top ? a.top : b.top,
                       a.right > b.right ? a.right : b.right, a.bottom > b.bottom ? a.bottom : b.bottom};
}

static uint32_t size_of(pv__frame f) {
    uint32_t w = f.right - f.left, h = f.bottom - f.top;
    return w > h ? w : h;
}

static int bits_of(uint32_t n) { return n ? 32 - __builtin_clz(n) : 0; }

/// Where a cell is in a table of size slots: those of a row are side by side.
static uint32_t slot_of(uint32_t x, uint32_t y, int size) {
    uint32_t row = y * 0x9e3779b1u;
    return ((row ^ row >> 15) + x) & (uint32_t)(size - 1);
}

/// The cells of a level in which what meets a frame may stand.
static pv__frame cells_of(const pv__level *level, int number, pv__frame f) {
    return (pv__frame){(f.left - level->widest) >> number, (f.top - level->widest) >> number, f.right >> number,
                       f.bottom >> number};
}

static void count_in(pv__levels *levels, const pv__proxy *p) {
    pv__level *level = &levels->at[p->level];
    uint32_t size = size_of(p->frame);
    if (level->count++ == 0) *level = (pv__level){1, 0, p->frame};
    if (size > level->widest) level->widest = size;
    level->extent = around_frames(level->extent, p->frame);
    levels->used |= 1u << p->level;
}

static void count_out(pv__levels *levels, const pv__proxy *p) {
    if (--levels->at[p->level].count == 0) levels->used &= ~(1u << p->level);
}

/* ---- what rests ---- */

static void link_proxy(pv__grid *g, int index) {
    pv__proxy *p = &g->proxies[index];
    int *chain = &g->chains[slot_of(p->x, p->y, g->chain_count)];
    g->places[index].previous = NONE;
    p->next = *chain;
    if (p->next != NONE) g->places[p->next].previous = index;
    *chain = index;
}

static void unlink_proxy(pv__grid *g, int index) {
    const pv__proxy *p = &g->proxies[index];
    int previous = g->places[index].previous;
    if (p->next != NONE) g->places[p->next].previous = previous;
    if (previous != NONE)
        g->proxies[previous].next = p->next;
    else
        g->chains[slot_of(p->x, p->y, g->chain_count)] = p->next;
}

static void leave(pv__grid *g, int index) {
    pv__proxy *p = &g->proxies[index];
    if (!p->linked) return;
    unlink_proxy(g, index);
    count_out(&g->resting, p);
    p->linked = false;
}

static void enter(pv__grid *g, int index) {
    g->proxies[index].linked = true;
    count_in(&g->resting, &g->proxies[index]);
    link_proxy(g, index);
}

/// Fits a proxy to what its body covers.
static void fit(pv_world *world, int index, double ahead) {
    const pv__body *b = &world->bodies[index];
    pv__proxy *p = &world->grid.proxies[index];
    pv_box box = box_of(world, b, ahead);
    world->grid.places[index].box = box;
    p->frame = frame_of(&box);
    p->seeks = b->type == PV_BODY_DYNAMIC && !b->sensor;
    p->senses = b->sensor;
    uint32_t size = size_of(p->frame);
    p->level = (uint8_t)(size > 1 ? bits_of(size - 1) : 0);
    p->x = p->frame.left >> p->level;
    p->y = p->frame.top >> p->level;
}

void pv__displace(pv_world *world, int index) {
    pv__grid *g = &world->grid;
    world->bodies[index].unseen = world->events.unseen = true;
    if (g->proxies[index].displaced) return;
    g->proxies[index].displaced = true;
    g->places[index].next_displaced = g->displaced;
    g->displaced = index;
}

void pv__displace_all(pv_world *world, int before) {
    pv__grid *g = &world->grid;
    for (int i = world->body_count; i < before; i++) leave(g, i);
    g->displaced = NONE;
    for (int i = 0; i < world->body_count; i++) {
        g->proxies[i].displaced = true;
        g->places[i].next_displaced = g->displaced;
        g->displaced = i;
    }
}

/// What came to rest, came or went stands where it should.
static void settle(pv_world *world) {
    pv__grid *g = &world->grid;
    for (; g->displaced != NONE; g->displaced = g->places[g->displaced].next_displaced) {
        int index = g->displaced;
        const pv__body *b = &world->bodies[index];
        g->proxies[index].displaced = false;
        leave(g, index);
        if (!pv__present(b) || b->awake) continue;
        fit(world, index, 0);
        enter(g, index);
    }
}

/* ---- memory ---- */

/// Twice the chains and starts, so that there are two for each body.
static bool lengthen(pv_world *world, int bodies) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__grid *g = &world->grid;
    int count = pv__table_length(g->chain_count, FIRST_CHAINS, 2 * (int64_t)bodies);
    if (count && count == g->chain_count) return true;
    int *chains = count ? pv__alloc(allocator, (size_t)count, sizeof *chains) : NULL;
    if (!chains || !pv__reserve_exactly(allocator, &g->starts, &g->start_capacity, count + 1, sizeof(int))) {
        pv__free(allocator, chains, (size_t)count, sizeof *chains);
        return false;
    }
    pv__free(allocator, g->chains, (size_t)g->chain_count, sizeof *chains);
    g->chains = chains;
    g->chain_count = count;
    for (int i = 0; i < count; i++) chains[i] = NONE;
    for (int i = 0; i < world->body_count; i++)
        if (g->proxies[i].linked) link_proxy(g, i);
    return true;
}

bool pv__grid_reserve(pv_world *world, int more) {
    pv__grid *g = &world->grid;
    const pv_allocator *allocator = &world->def.allocator;
    int index = world->body_count, need = index + more;
    if (!pv__reserve(allocator, &g->proxies, &g->proxy_capacity, need, sizeof(pv__proxy)) ||
        !pv__reserve(allocator, &g->places, &g->place_capacity, need, sizeof(pv__place)) ||
        !pv__reserve(allocator, &g->entries, &g->entry_capacity, need, sizeof(pv__entry)) ||
        !pv__reserve_by_body(world, &g->near, &g->near_capacity, need, sizeof(int)) || !lengthen(world, need))
        return false;
    for (int i = index; i < need; i++) g->proxies[i] = (pv__proxy){.next = NONE};
    return true;
}

void pv__grid_free(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__grid *g = &world->grid;
    pv__free(allocator, g->proxies, (size_t)g->proxy_capacity, sizeof(pv__proxy));
    pv__free(allocator, g->places, (size_t)g->place_capacity, sizeof(pv__place));
    pv__free(allocator, g->entries, (size_t)g->entry_capacity, sizeof(pv__entry));
    pv__free(allocator, g->near, (size_t)g->near_capacity, sizeof(int));
    pv__free(allocator, g->starts, (size_t)g->start_capacity, sizeof(int));
    pv__free(allocator, g->chains, (size_t)g->chain_count, sizeof(int));
}

/* ---- what is awake ---- */

/// Fits those that are awake, lists them in near and counts them by slot; the result is how many. Sensors are not listed: they are
/// in no pair, and none looks for another. Without memory the roster is an old one.
static int fit_awake(pv_world *world, double ahead) {
    static const pv_box anywhere = {{-HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL}};
    pv__grid *g = &world->grid;
    int count = 0;
    g->awake = (pv__levels){0};
    g->laid = 0;
    g->fitted = 0;
    g->slots = FIRST_CHAINS;
    while (g->slots < 2 * world->awake_count) g->slots *= 2;
    memset(g->starts, 0, ((size_t)g->slots + 1) * sizeof *g->starts);
    for (int i = 0; i < world->awake_count; i++) {
        int index = world->awake[i];
        const pv__proxy *p = &g->proxies[index];
        const pv__body *b = &world->bodies[index];
        if (!pv__alive(b) || !b->awake) continue;
        leave(g, index);
        if (b->sensor && ahead >= 0) {
            g->places[index].box = anywhere;
            continue;
        }
        fit(world, index, ahead);
        count_in(&g->awake, p);
        g->fitted++;
        if (p->senses) continue;
        g->laid |= 1u << p->level;
        g->starts[slot_of(p->x, p->y, g->slots)]++;
        g->near[count++] = index;
    }
    return count;
}

/// Lays them out by slot: a counting sort.
static void lay_out(pv__grid *g, int count) {
    int end = 0;
    for (int i = 0; i <= g->slots; i++) g->starts[i] = end += g->starts[i];
    for (int i = count - 1; i >= 0; i--) {
        int index = g->near[i];
        const pv__proxy *p = &g->proxies[index];
        g->entries[--g->starts[slot_of(p->x, p->y, g->slots)]] = (pv__entry){p->frame, p->y, index};
    }
    g->entry_count = count;
}

/* ---- what is near ---- */

/// Lists entries of a row that are near a frame. Without branches, which could not be foretold; near has room for one
/// more than all bodies.
static int list_entries(const pv__grid *g, pv__frame f, uint32_t y, int from, int to, int count) {
    for (int i = from; i < to; i++) {
        g->near[count] = g->entries[i].body;
        count += (g->entries[i].y == y) & (shared(g->entries[i].frame, f) >= 0);
    }
    return count;
}

/// From a cell to a later one, to the end of it or before the entry at to.
static int list_row(const pv__grid *g, pv__frame f, pv__frame cells, uint32_t y, int to, int count) {
    uint32_t first = slot_of(cells.left, y, g->slots), last = slot_of(cells.right, y, g->slots);
    if (to == NONE) to = g->starts[last + 1];
    if (first <= last) return list_entries(g, f, y, g->starts[first], to, count);
    count = list_entries(g, f, y, g->starts[first], g->entry_count, count);
    return list_entries(g, f, y, 0, to, count);
}

/// Of two on a level, the one in the lower row finds the other, or in the same row the right one, or in the same cell
/// the later one; of two on different levels, the one on the lower level.
static int list_awake(const pv__grid *g, int position, int count) {
    const pv__entry *e = &g->entries[position];
    int own = __builtin_clz(e->y);
    for (uint32_t levels = g->awake.used >> own << own; levels; levels &= levels - 1) {
        int level = __builtin_ctz(levels);
        pv__frame cells = cells_of(&g->awake.at[level], level, e->frame);
        if (level == own) cells.bottom = e->y - 1;
        for (uint32_t y = cells.top; y <= cells.bottom; y++)
            count = list_row(g, e->frame, cells, y, NONE, count);
        if (level != own) continue;
        cells.right = e->frame.left >> level;
        count = list_row(g, e->frame, cells, e->y, position, count);
    }
    return count;
}

static int list_chains(const pv__grid *g, pv__frame f, pv__frame cells, int count) {
    for (uint32_t y = cells.top; y <= cells.bottom; y++)
        for (uint32_t x = cells.left; x <= cells.right; x++)
            for (int i = g->chains[slot_of(x, y, g->chain_count)]; i != NONE; i = g->proxies[i].next) {
                const pv__proxy *p = &g->proxies[i];
                g->near[count] = i;
                count += (p->x == x) & (p->y == y) & (shared(p->frame, f) >= 0);
            }
    return count;
}

static int list_all(const pv_world *world, pv__frame f, int level, int count) {
    const pv__grid *g = &world->grid;
    for (int i = 0; i < world->body_count; i++) {
        const pv__proxy *p = &g->proxies[i];
        g->near[count] = i;
        count += p->linked & (p->level == level) & (shared(p->frame, f) >= 0);
    }
    return count;
}

/// Asks all cells, or all bodies where those are fewer.
static int list_resting(const pv_world *world, pv__frame f, int count) {
    const pv__grid *g = &world->grid;
    for (uint32_t levels = g->resting.used; levels; levels &= levels - 1) {
        int level = __builtin_ctz(levels);
        if (shared(g->resting.at[level].extent, f) < 0) continue;
        pv__frame cells = cells_of(&g->resting.at[level], level, f);
        uint64_t w = cells.right - cells.left + 1, h = cells.bottom - cells.top + 1;
        if (w * h <= (uint64_t)world->body_count)
            count = list_chains(g, f, cells, count);
        else
            count = list_all(world, f, level, count);
    }
    return count;
}

int pv__find_resting(pv_world *world, const pv_box *box) {
    settle(world);
    return list_resting(world, frame_of(box), 0);
}

/* ---- what sensors meet ---- */

static int list_entries_of(const pv__grid *g, pv__frame f, int level, int count) {
    for (int i = 0; i < g->entry_count; i++) {
        const pv__entry *e = &g->entries[i];
        g->near[count] = e->body;
        count += (__builtin_clz(e->y) == level) & (shared(e->frame, f) >= 0);
    }
    return count;
}

/// Asks all cells, or all entries where fewer bodies are awake.
static int list_awake_in(const pv__grid *g, pv__frame f) {
    int count = 0;
    for (uint32_t levels = g->laid; levels; levels &= levels - 1) {
        int level = __builtin_ctz(levels);
        pv__frame cells = cells_of(&g->awake.at[level], level, f);
        uint64_t w = cells.right - cells.left + 1, h = cells.bottom - cells.top + 1;
        if (w * h > (uint64_t)g->fitted)
            count = list_entries_of(g, f, level, count);
        else
            for (uint32_t y = cells.top; y <= cells.bottom; y++) count = list_row(g, f, cells, y, NONE, count);
    }
    return count;
}

void pv__lay_out_ways(pv_world *world) {
    pv__call_roster(world);
    settle(world);
    lay_out(&world->grid, fit_awake(world, -1));
}

int pv__find_met(pv_world *world, int index, bool resting) {
    pv__grid *g = &world->grid;
    pv__frame f = g->proxies[index].frame;
    const pv_box *box = &g->places[index].box;
    int count = list_awake_in(g, f), kept = 0;
    if (resting) count = list_resting(world, f, count);
    for (int i = 0; i < count; i++)
        if (pv__boxes_meet(box, &g->places[g->near[i]].box)) g->near[kept++] = g->near[i];
    return kept;
}

void pv__widen_room(pv_world *world, int index, double by) {
    pv_box box = pv__touching_box(&world->bodies[index], pv__mover_pose(world, index));
    world->grid.places[index].box = widened(box, MARGIN_CONTOUR + by);
    world->grid.proxies[index].frame = frame_of(&world->grid.places[index].box);
}

/* ---- pairs ---- */

static bool has_room(const pv_world *world, int more) {
    int room =
        world->pair_capacity < world->spare_pair_capacity ? world->pair_capacity : world->spare_pair_capacity;
    return more <= room - world->pair_count;
}

static bool make_room(pv_world *world, int more) {
    const pv_allocator *allocator = &world->def.allocator;
    if (more <= INT_MAX - world->pair_count) {
        int need = world->pair_count + more;
        if (pv__reserve(allocator, &world->spare_pairs, &world->spare_pair_capacity, need, sizeof(pv__pair)) &&
            pv__reserve(allocator, &world->pairs, &world->pair_capacity, need, sizeof(pv__pair)))
            return true;
    }
    world->flags |= PV_STEP_NO_MEMORY;
    return false;
}

/// Whether two that are near can do anything to each other.
static bool may_touch(const pv__grid *g, int a, int b) {
    return (g->proxies[a].seeks | g->proxies[b].seeks) & pv__boxes_meet(&g->places[a].box, &g->places[b].box);
}

static void find_pairs_of(pv_world *world, int position) {
    const pv__grid *g = &world->grid;
    const pv__entry *e = &g->entries[position];
    int count = list_resting(world, e->frame, list_awake(g, position, 0)), body = e->body;
    if (!has_room(world, count + 1) && !make_room(world, count + 1)) return;
    pv__pair *end = world->pairs + world->pair_count;
    for (int i = 0; i < count; i++) {
        int other = g->near[i];
        *end = body < other ? (pv__pair){body, other} : (pv__pair){other, body};
        end += may_touch(g, body, other);
    }
    world->pair_count = (int)(end - world->pairs);
}

#define DIGIT 11

static uint32_t digit_of(pv__pair p, bool by_a, int shift, int bits) {
    return (uint32_t)(by_a ? p.a : p.b) >> shift & ((1u << bits) - 1);
}

/// One pass of a radix sort, stable.
static void sort_by_digit(pv_world *world, bool by_a, int shift, int bits) {
    int starts[1 << DIGIT], sum = 0;
    pv__pair *from = world->pairs, *to = world->spare_pairs;
    memset(starts, 0, sizeof *starts << bits);
    for (int i = 0; i < world->pair_count; i++) starts[digit_of(from[i], by_a, shift, bits)]++;
    for (int i = 0; i < 1 << bits; i++) {
        int here = starts[i];
        starts[i] = sum;
        sum += here;
    }
    for (int i = 0; i < world->pair_count; i++) to[starts[digit_of(from[i], by_a, shift, bits)]++] = from[i];
    int capacity = world->pair_capacity;
    world->pairs = to;
    world->pair_capacity = world->spare_pair_capacity;
    world->spare_pairs = from;
    world->spare_pair_capacity = capacity;
}

static void sort_pairs(pv_world *world) {
    int width = bits_of((uint32_t)world->body_count), passes = (width + DIGIT - 1) / DIGIT;
    int bits = (width + passes - 1) / passes;
    for (int i = 0; i < 2 * passes; i++) sort_by_digit(world, i >= passes, i % passes * bits, bits);
}

void pv__find_pairs(pv_world *world, double ahead) {
    world->pair_count = 0;
    pv__call_roster(world);
    settle(world);
    if (world->awake_count == 0) return;
    lay_out(&world->grid, fit_awake(world, ahead));
    for (int i = 0; i < world->grid.entry_count; i++) find_pairs_of(world, i);
    if (world->pair_count > 1) sort_pairs(world);
    pv__filter_pairs(world, 0);
    if (world->passing_count > 0) pv__leave_out_passing(world);
    pv__thin_crowds(world);
    pv__lap(world, &world->profile.pairs);
}
