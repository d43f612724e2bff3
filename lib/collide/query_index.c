/* query_index.c - sprites and polygons around a place or along a path: hashed grids with cells of
 * several sizes (Ericson 2005, section 7.2).
 *
 * Invariant: a present body is in all cells that its box overlaps, at most four. Changes and sleep
 * update the index. After a step it lags behind awake bodies and polygons until the first query;
 * within a step, queries test all bodies. No answer depends on the order of a chain.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/query_index.h"
#include "collide/touching_box.h"
#include "core/handle.h"
#include "core/pose.h"
#include "core/stage_timer.h"
#include "core/tasks.h"
#include "core/wake.h"
#include "placed/placed.h"

#include <string.h>

/// Offset of coordinates that keeps their leading bit set [px]; with it no two levels share a cell
/// number
static const double ORIGIN = 0x1.8p31;
/// Level of the smallest cells, 2^4 px wide; the cells of each further level are four times as
/// wide. Number of bodies that a search remembers as visited last.
enum { LEAST_LEVEL = 4, RECENT = 8 };
/// Least level of bodies while its cell holds fewer than INDEX_ROOM; rays cross fewer such cells
enum { ROOMY_LEVEL = 7, INDEX_ROOM = 16 };
/// Binary digits of the fraction of a pixel in the rows of a sweep
enum { FINE_BITS = 28 };
/// State of the index between steps: current but not asked since the step, asked, behind the
/// bodies, and being updated by a query
enum { INDEX_FRESH, INDEX_ASKED, INDEX_LAGS, INDEX_BUSY };

/* ---- bodies ---- */

static int index_slot(int body) { return body & (int)(PV_POLYGON_BIT - 1); }

/// Returns the number of slots of sprites (0) or polygons (1).
static int slots_of(const pv_world *world, int kind) {
    return kind ? world->matter.polygon_pool.count : world->bodies.count;
}

/// Returns the body at a place in the order of all slots, and the place of a body.
static int body_at(const pv_world *world, int place) {
    int sprites = world->bodies.count;
    return place < sprites ? place : pv__index_of_polygon(place - sprites);
}
static int place_of(const pv_world *world, int body) {
    return pv__index_is_polygon(body) ? world->bodies.count + pv__index_polygon(body) : body;
}
static int places_of(const pv_world *world) { return slots_of(world, 0) + slots_of(world, 1); }

static pv__index_spot *spot_of(const pv__index *g, int body) {
    return &g->spots[pv__index_is_polygon(body)][index_slot(body)];
}

static bool is_present(const pv_world *world, int body) {
    return pv__index_is_polygon(body)
               ? pv__slot_lives(&world->matter.polygons[index_slot(body)].slot)
               : pv__body_is_present(&world->bodies.items[body]);
}

/// Returns the box of a polygon's corners and pixels, which differ in shape if it is deformed.
static pv_box box_of_polygon(const pv_world *world, const pv__polygon *q) {
    pv_box box = pv__polygon_box(world, q);
    pv_placed pixels = pv__polygon_placed(world, q);
    if (!pixels.mask) return box;
    pv_box own = pv__placed_bounds(&pixels);
    pv__enclose(&box, own.min);
    pv__enclose(&box, own.max);
    return box;
}

/// Computes the box of a present body.
static pv_box index_box(const pv_world *world, int body) {
    if (pv__index_is_polygon(body))
        return box_of_polygon(world, &world->matter.polygons[index_slot(body)]);
    const pv__body *b = &world->bodies.items[body];
    return pv__pose_box(b, b->pose);
}

pv_body_id pv__index_handle(const pv_world *world, int body) {
    return pv__index_is_polygon(body) ? pv__handle_of_polygon(world, index_slot(body))
                                      : pv__handle_of_body(world, body);
}

/* ---- cells ---- */

static uint32_t index_whole(double x) { return (uint32_t)(int64_t)(x + ORIGIN); }

static int bits_of(uint32_t n) { return n ? 32 - __builtin_clz(n) : 0; }

/// Returns the slot of a cell; the cells of a row are adjacent.
static uint32_t slot_of(const pv__index *g, uint32_t x, uint32_t y) {
    uint32_t row = y * 0x9e3779b1u;
    return ((row ^ row >> 15) + x) & (uint32_t)(g->chain_count - 1);
}

/// Fits a spot to the cells of a box, on the level least or above.
static void index_fit(pv__index_spot *spot, const pv_box *box, int least) {
    uint32_t left = index_whole(box->min.x), top = index_whole(box->min.y),
             right = index_whole(box->max.x), bottom = index_whole(box->max.y),
             size = right - left > bottom - top ? right - left : bottom - top;
    int level = pv__later(least, size > 1 ? (bits_of(size - 1) + 1) & ~1 : 0);
    spot->box = *box;
    spot->level = (uint8_t)level;
    spot->least = (uint8_t)least;
    spot->x = left >> level;
    spot->y = top >> level;
    spot->wide = (uint8_t)((right >> level) - spot->x);
    spot->tall = (uint8_t)((bottom >> level) - spot->y);
}

static bool same_cells(const pv__index_spot *a, const pv__index_spot *b) {
    return a->level == b->level && a->x == b->x && a->y == b->y && a->wide == b->wide &&
           a->tall == b->tall;
}

/// Returns the chain link of a name, which is 4 * body + cell.
static int *link_of(const pv__index *g, int name) { return &spot_of(g, name >> 2)->next[name & 3]; }

static bool covers(const pv__index_spot *spot, int cell) {
    return (cell & 1) <= spot->wide && cell >> 1 <= spot->tall;
}

static int *chain_of(const pv__index *g, const pv__index_spot *spot, int cell) {
    return &g->chains[slot_of(g, spot->x + (cell & 1), spot->y + (cell >> 1))];
}

/// Tells whether a spot's first cell holds INDEX_ROOM bodies.
static bool is_full(const pv__index *g, const pv__index_spot *spot) {
    int count = 0;
    for (int name = *chain_of(g, spot, 0); name != PV__NONE && count < INDEX_ROOM;
         name = *link_of(g, name))
        count++;
    return count == INDEX_ROOM;
}

static void enter(pv__index *g, int body) {
    pv__index_spot *spot = spot_of(g, body);
    for (int cell = 0; cell < 4; cell++) {
        if (!covers(spot, cell)) continue;
        int *chain = chain_of(g, spot, cell);
        spot->next[cell] = *chain;
        *chain = 4 * body + cell;
    }
}

static void leave(pv__index *g, int body) {
    const pv__index_spot *spot = spot_of(g, body);
    for (int cell = 0; cell < 4; cell++) {
        if (!covers(spot, cell)) continue;
        int *at = chain_of(g, spot, cell);
        while (*at != 4 * body + cell) at = link_of(g, *at);
        *at = spot->next[cell];
    }
}

static void index_count(pv__index *g, int level, int by) {
    g->counts[level] += by;
    g->used = g->counts[level] ? g->used | UINT32_C(1) << level : g->used & ~(UINT32_C(1) << level);
}

static void strike(pv__index *g, int body) {
    leave(g, body);
    index_count(g, spot_of(g, body)->level, -1);
    spot_of(g, body)->listed = false;
}

/* ---- updates ---- */

/// Sets the new box of a body that stays in its cells; returns false for any other.
static bool settles(const pv_world *world, int body) {
    pv__index_spot *spot = spot_of(&world->broad_phase.index, body), fresh;
    if (!spot->listed || !is_present(world, body)) return false;
    pv_box box = index_box(world, body);
    index_fit(&fresh, &box, spot->least);
    if (!same_cells(spot, &fresh)) return false;
    spot->box = box;
    return true;
}

void pv__index_update(pv_world *world, int body) {
    pv__index *g = &world->broad_phase.index;
    pv__index_spot *spot = spot_of(g, body), fresh;
    if (settles(world, body)) return;
    if (spot->listed) strike(g, body);
    if (!is_present(world, body)) return;
    pv_box box = index_box(world, body);
    index_fit(&fresh, &box, ROOMY_LEVEL);
    if (is_full(g, &fresh)) index_fit(&fresh, &box, LEAST_LEVEL);
    *spot = fresh;
    spot->listed = true;
    index_count(g, spot->level, 1);
    enter(g, body);
}

/// Returns one of the bodies that may have moved in a step: awake sprites first, then all polygons.
static int followed(const pv_world *world, int i) {
    int sprites = world->bodies.awake_count;
    return i < sprites ? world->bodies.awake[i] : pv__index_of_polygon(i - sprites);
}

/// Tells whether a body is a polygon that no step moves: all of its corners stay.
static bool is_held(const pv_world *world, int body) {
    if (!pv__index_is_polygon(body)) return false;
    const pv__polygon *q = &world->matter.polygons[index_slot(body)];
    for (int i = 0; i < q->corner_count; i++)
        if (!(world->matter.particles.bound[q->corners[i]] & PV__STAYS)) return false;
    return true;
}

static void settle_some(pv_world *world, void *stage, int first, int end) {
    (void)stage;
    for (int i = first; i < end; i++) {
        int body = followed(world, i);
        spot_of(&world->broad_phase.index, body)->settled =
            is_held(world, body) || settles(world, body);
    }
}

static int followed_count(const pv_world *world) {
    return world->bodies.awake_count + world->matter.polygon_pool.count;
}

static void update_unsettled(pv_world *world) {
    for (int i = 0; i < followed_count(world); i++)
        if (!spot_of(&world->broad_phase.index, followed(world, i))->settled)
            pv__index_update(world, followed(world, i));
}

void pv__index_follow(pv_world *world) {
    pv__index *g = &world->broad_phase.index;
    bool asked = pv__word_read(&g->state) == INDEX_ASKED;
    pv__wake_list_awake(world);
    if (asked) {
        pv__tasks_run(world, followed_count(world), PV__CHUNK_LIGHT, settle_some, NULL);
        update_unsettled(world);
    }
    pv__word_write(&g->state, asked ? INDEX_FRESH : INDEX_LAGS);
    g->stale = false;
    pv__timer_lap(world, &world->profile.move);
}

/// Makes the index current in the thread that comes first; others wait for it. The list of awake
/// bodies may be out of date, but has all bodies that the index lags behind.
static void catch_up(pv_world *world) {
    pv__word *state = &world->broad_phase.index.state;
    uint64_t old = INDEX_LAGS;
    if (pv__word_exchange(state, &old, INDEX_BUSY)) {
        settle_some(world, NULL, 0, followed_count(world));
        update_unsettled(world);
    }
    if (old == INDEX_LAGS || old == INDEX_FRESH) pv__word_write(state, INDEX_ASKED);
    for (int round = 0; pv__word_read(state) != INDEX_ASKED; round++) pv__pause(round);
}

/// Tells whether queries have to test all bodies; otherwise the index is current.
static bool is_stale(const pv_world *world) {
    pv_world *own = (pv_world *)world; /* queries write nothing but the index */
    if (world->broad_phase.index.stale) return true;
    if (pv__word_read(&own->broad_phase.index.state) != INDEX_ASKED) catch_up(own);
    return false;
}

/// Tells whether two bodies cover the same box.
static bool is_same(const pv__body *a, const pv__body *b) {
    if (!pv__body_is_present(a) || !pv__body_is_present(b) || a->pixels->mask != b->pixels->mask)
        return false;
    pv_vec2 p = a->pixels->picture_pivot, q = b->pixels->picture_pivot;
    pv_vec2 s = a->pixels->scale, t = b->pixels->scale;
    return memcmp(&a->pose, &b->pose, sizeof a->pose) == 0 && p.x == q.x && p.y == q.y &&
           s.x == t.x && s.y == t.y;
}

void pv__index_fill(pv_world *world, const pv_world *from) {
    pv__index *g = &world->broad_phase.index;
    bool lags = pv__word_read(&g->state) == INDEX_LAGS;
    for (int kind = 0; kind < 2; kind++)
        for (int i = slots_of(world, kind); i < slots_of(from, kind); i++)
            if (g->spots[kind][i].listed) strike(g, kind ? pv__index_of_polygon(i) : i);
    for (int i = 0; i < places_of(world); i++)
        if (i >= world->bodies.count || i >= from->bodies.count ||
            (lags && from->bodies.items[i].awake) ||
            !is_same(&world->bodies.items[i], &from->bodies.items[i]))
            pv__index_update(world, body_at(world, i));
}

/// Adds chains until there are four for each body; returns false without memory.
static bool lengthen(pv_world *world, int bodies) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__index *g = &world->broad_phase.index;
    int length = pv__table_length(g->chain_count, 4 * (int64_t)bodies);
    if (length && length == g->chain_count) return true;
    int *chains = length ? pv__alloc(allocator, (size_t)length, sizeof *chains) : NULL;
    if (!chains) return false;
    PV__FREE(allocator, g->chains, g->chain_count);
    g->chains = chains;
    g->chain_count = length;
    for (int i = 0; i < length; i++) chains[i] = PV__NONE;
    for (int i = 0; i < places_of(world); i++)
        if (spot_of(g, body_at(world, i))->listed) enter(g, body_at(world, i));
    return true;
}

/// Reserves spots of a kind; returns false without memory.
static bool reserve_spots(pv_world *world, int kind, int need) {
    pv__index *g = &world->broad_phase.index;
    if (!PV__RESERVE(&world->def.allocator, g->spots[kind], g->spot_capacity[kind], need))
        return false;
    for (int i = slots_of(world, kind); i < need; i++)
        g->spots[kind][i] = (pv__index_spot){.listed = false};
    return true;
}

bool pv__index_reserve(pv_world *world, int sprites, int polygons) {
    int first = slots_of(world, 0) + sprites, second = slots_of(world, 1) + polygons;
    return reserve_spots(world, 0, first) && reserve_spots(world, 1, second) &&
           lengthen(world, first + second);
}

void pv__index_free(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__index *g = &world->broad_phase.index;
    for (int kind = 0; kind < 2; kind++)
        PV__FREE(allocator, g->spots[kind], g->spot_capacity[kind]);
    PV__FREE(allocator, g->chains, g->chain_count);
}

/* ---- searches ---- */

/// Path along one axis
typedef struct index_line {
    double from, way;
    /// Covered range around a point of the path [px]
    double low, high;
} index_line;

/// State of a search
typedef struct search {
    const pv_world *world;
    pv__visit visit;
    void *user_data;
    index_line x, y;
    /// Slope of the path, against the axis on which it is longer
    double slope;
    /// Fraction beyond which no body is wanted
    double latest;
    /// Box of the swept area up to that fraction
    pv__duo min, max;
    /// Path turned a quarter, and the absolute values of its y and x
    pv__duo across, size;
    /// Twice the middle of the box at the start of the path; width and height of the box
    pv__duo middle, span;
    /// Bodies that were visited last, which may be in the next cell, too
    int recent[RECENT];
} search;

/// Shortens the search to a fraction of the path.
static void shorten(search *s, double latest) {
    double x = s->x.from + latest * s->x.way, y = s->y.from + latest * s->y.way;
    s->latest = latest;
    s->min = (pv__duo){pv__min(s->x.from, x) + s->x.low, pv__min(s->y.from, y) + s->y.low};
    s->max = (pv__duo){pv__max(s->x.from, x) + s->x.high, pv__max(s->y.from, y) + s->y.high};
}

/// Tells whether a box overlaps the swept area, by all separating axes. It has no branches, because
/// they would be unpredictable.
static inline bool index_meets(const search *s, const pv_box *box) {
    pv__duo min = pv__duo_of(box->min), max = pv__duo_of(box->max);
    pv__duo apart = s->across * (min + max - s->middle), room = s->size * (max - min + s->span);
    double off = apart[0] + apart[1], most = room[0] + room[1];
    pv__which_duo met =
        (s->min <= max) & (min <= s->max) & ((pv__duo){off, -off} <= (pv__duo){most, most});
    return met[0] & met[1];
}

/// Visits a body, unless it was visited recently.
static void show(search *s, int body) {
    int *recent = &s->recent[body % RECENT];
    if (*recent == body) return;
    *recent = body;
    double latest = s->visit(s->user_data, body);
    if (latest < s->latest) shorten(s, latest);
}

/// Visits the bodies in the cells of a slot.
static void look_into(search *s, uint32_t x, uint32_t y) {
    const pv__index *g = &s->world->broad_phase.index;
    for (int name = g->chains[slot_of(g, x, y)]; name != PV__NONE; name = *link_of(g, name))
        if (index_meets(s, &spot_of(g, name >> 2)->box)) show(s, name >> 2);
}

/// Visits all bodies on a level.
static void look_at_all(search *s, int level) {
    const pv__index *g = &s->world->broad_phase.index;
    for (int i = 0; i < places_of(s->world); i++) {
        int body = body_at(s->world, i);
        const pv__index_spot *spot = spot_of(g, body);
        if (spot->listed && spot->level == level && index_meets(s, &spot->box)) show(s, body);
    }
}

/// Cells of a level around the swept area; columns follow the axis on which the path is longer
typedef struct index_block {
    int level;
    /// True if columns are rows of the world
    bool steep;
    uint32_t left, right, top, bottom;
} index_block;

static index_block block_of(const search *s, int level) {
    const bool steep = s->size[0] > s->size[1];
    return (index_block){level,
                         steep,
                         index_whole(s->min[steep]) >> level,
                         index_whole(s->max[steep]) >> level,
                         index_whole(s->min[!steep]) >> level,
                         index_whole(s->max[!steep]) >> level};
}

static int64_t fine(double x) { return (int64_t)(x * (1 << FINE_BITS)); }

/// Searches the columns of a block, until one is beyond the wanted fraction. In each column it
/// searches the rows of the swept parallelogram.
static void index_sweep(search *s, const index_block *b) {
    const bool steep = b->steep;
    const index_line *along = steep ? &s->y : &s->x, *across = steep ? &s->x : &s->y;
    const bool ahead = along->way >= 0;
    const double width = 1 << b->level, slope = s->slope;
    const int64_t rise = fine(ahead ? width * slope : -width * slope);
    uint32_t column = ahead ? b->left : b->right;
    double left = (double)((int64_t)column << b->level) - ORIGIN;
    double in = across->from + (left - along->high - along->from) * slope,
           out = across->from + (left + width - along->low - along->from) * slope;
    int64_t upper = fine(pv__min(in, out) + across->low + ORIGIN),
            lower = fine(pv__max(in, out) + across->high + ORIGIN);
    while (ahead ? left <= s->max[steep] : left + width >= s->min[steep]) {
        uint32_t row = (uint32_t)(upper >> FINE_BITS >> b->level),
                 last = (uint32_t)(lower >> FINE_BITS >> b->level);
        if (row < b->top) row = b->top;
        if (last > b->bottom) last = b->bottom;
        for (; row <= last; row++) look_into(s, steep ? row : column, steep ? column : row);
        upper += rise;
        lower += rise;
        column += ahead ? 1u : ~0u;
        left += ahead ? width : -width;
    }
}

/// Returns an upper bound of the number of cells in a sweep. In a column the path rises by no more
/// than the column's width.
static uint64_t cells_of(const search *s, const index_block *b) {
    uint64_t columns = b->right - b->left + 1, rows = b->bottom - b->top + 1;
    uint64_t most = ((uint64_t)(s->span[0] + s->span[1]) >> b->level) + 3;
    return columns * (rows < most ? rows : most);
}

/// Searches the cells of a level, or all bodies if they are fewer.
static void search_level(search *s, int level) {
    index_block b = block_of(s, level);
    if (b.left == b.right && b.top == b.bottom)
        look_into(s, b.steep ? b.top : b.left, b.steep ? b.left : b.top);
    else if (cells_of(s, &b) > (uint64_t)places_of(s->world))
        look_at_all(s, level);
    else
        index_sweep(s, &b);
}

/// Searches all bodies at their current poses, during a step.
static void search_all(search *s) {
    for (int i = 0; i < places_of(s->world); i++) {
        int body = body_at(s->world, i);
        if (!is_present(s->world, body)) continue;
        pv_box box = index_box(s->world, body);
        if (index_meets(s, &box)) show(s, body);
    }
}

void pv__index_search(const pv_world *world, const pv__swath *swath, pv__visit visit,
                      void *user_data) {
    search s; /* not cleared as a whole, which would take longer than a short search */
    s.world = world;
    s.visit = visit;
    s.user_data = user_data;
    pv_vec2 way = pv__sub(swath->to, swath->from);
    pv_box reach = pv__box_widened(swath->reach, PV__PIXEL_ROOM);
    s.x = (index_line){swath->from.x, way.x, reach.min.x, reach.max.x};
    s.y = (index_line){swath->from.y, way.y, reach.min.y, reach.max.y};
    s.across = (pv__duo){-way.y, way.x};
    s.size = (pv__duo){pv__abs(way.y), pv__abs(way.x)};
    s.middle = 2 * pv__duo_of(swath->from) + pv__duo_of(reach.min) + pv__duo_of(reach.max);
    s.span = pv__duo_of(reach.max) - pv__duo_of(reach.min);
    const bool steep = s.size[0] > s.size[1];
    double longer = steep ? way.y : way.x;
    s.slope = longer != 0 ? (steep ? way.x : way.y) / longer : 0;
    for (int i = 0; i < RECENT; i++) s.recent[i] = PV__NONE;
    shorten(&s, 1);
    if (is_stale(world))
        search_all(&s);
    else
        for (uint32_t levels = world->broad_phase.index.used; levels; levels &= levels - 1)
            search_level(&s, __builtin_ctz(levels));
}

pv_box pv__index_current_box(const pv_world *world, int body) {
    return is_stale(world) ? index_box(world, body) : spot_of(&world->broad_phase.index, body)->box;
}

/* ---- in order of slots ---- */

static double mark(void *user_data, int body) {
    pv__candidates *c = user_data;
    int place = place_of(c->world, body);
    unsigned bit = (unsigned)(place - c->first);
    if (place < c->first || bit >= PV__WINDOW) return 1;
    c->bits[bit / 64] |= UINT64_C(1) << (bit & 63);
    return 1;
}

/// Marks the bodies from a place on, as many as the bits have room for.
static void index_fill(pv__candidates *c, int first) {
    int left = pv__sooner(places_of(c->world) - first, PV__WINDOW);
    c->first = first;
    c->words = (left + 63) / 64;
    c->word = 0;
    memset(c->bits, 0, (size_t)c->words * sizeof *c->bits);
    pv__index_search(c->world, &c->swath, mark, c);
}

void pv__index_candidates_begin(pv__candidates *c, const pv_world *world, const pv__swath *swath,
                                int first) {
    c->world = world;
    c->swath = *swath;
    c->first = place_of(world, first);
    c->words = c->word = 0;
    if (c->first < places_of(world)) index_fill(c, c->first);
}

int pv__index_candidates_next(pv__candidates *c) {
    for (;;) {
        for (; c->word < c->words; c->word++) {
            uint64_t *bits = &c->bits[c->word];
            if (*bits == 0) continue;
            int bit = __builtin_ctzll(*bits);
            *bits &= *bits - 1;
            return body_at(c->world, c->first + 64 * c->word + bit);
        }
        if (places_of(c->world) - c->first <= PV__WINDOW) return -1;
        index_fill(c, c->first + PV__WINDOW);
    }
}
