/* query_index.c - bodies around a place or along a path: hashed grids with cells of several
 * sizes (Ericson 2005, section 7.2).
 *
 * Invariant: between steps every present body is in all cells that its box overlaps, four at most.
 * Changes and the end of a step update the index; within a step, queries test all bodies. Queries
 * write nothing, and no answer depends on the order of a chain.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/query_index.h"
#include "core/pose.h"
#include "core/stage_timer.h"
#include "core/tasks.h"
#include "core/wake.h"

#include <string.h>

/// Margin for rounding around the searched box [px]
static const double INDEX_SPARE = 1;
/// Offset of coordinates that keeps their leading bit set [px]; with it no two levels share a cell
/// number
static const double ORIGIN = 0x1.8p31;
static const int INDEX_NONE = -1, INDEX_FIRST_CHAINS = 64;
/// Level of the smallest cells, 2^4 px wide; the cells of each further level are four times as
/// wide. Number of bodies that a search remembers as visited last.
enum { LEAST_LEVEL = 4, RECENT = 8 };
/// Level of smaller bodies while a cell holds fewer than INDEX_ROOM; rays cross fewer of its cells
enum { ROOMY_LEVEL = 7, INDEX_ROOM = 16 };
/// Binary digits of the fraction of a pixel in the rows of a sweep
enum { FINE_BITS = 28 };

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

/// Returns the link of a chain; the name consists of body and cell.
static int *link_of(const pv__index *g, int name) { return &g->spots[name >> 2].next[name & 3]; }

static bool covers(const pv__index_spot *spot, int cell) {
    return (cell & 1) <= spot->wide && cell >> 1 <= spot->tall;
}

static int *chain_of(const pv__index *g, const pv__index_spot *spot, int cell) {
    return &g->chains[slot_of(g, spot->x + (cell & 1), spot->y + (cell >> 1))];
}

/// Tells whether a spot's first cell holds INDEX_ROOM bodies.
static bool is_full(const pv__index *g, const pv__index_spot *spot) {
    int count = 0;
    for (int name = *chain_of(g, spot, 0); name != INDEX_NONE && count < INDEX_ROOM;
         name = *link_of(g, name))
        count++;
    return count == INDEX_ROOM;
}

static void enter(pv__index *g, int index) {
    pv__index_spot *spot = &g->spots[index];
    for (int cell = 0; cell < 4; cell++) {
        if (!covers(spot, cell)) continue;
        int *chain = chain_of(g, spot, cell);
        spot->next[cell] = *chain;
        *chain = 4 * index + cell;
    }
}

static void leave(pv__index *g, int index) {
    const pv__index_spot *spot = &g->spots[index];
    for (int cell = 0; cell < 4; cell++) {
        if (!covers(spot, cell)) continue;
        int *at = chain_of(g, spot, cell);
        while (*at != 4 * index + cell) at = link_of(g, *at);
        *at = spot->next[cell];
    }
}

static void index_count(pv__index *g, int level, int by) {
    g->counts[level] += by;
    g->used = g->counts[level] ? g->used | UINT32_C(1) << level : g->used & ~(UINT32_C(1) << level);
}

static void index_list(pv__index *g, int index, const pv__index_spot *fresh) {
    g->spots[index] = *fresh;
    g->spots[index].listed = true;
    index_count(g, fresh->level, 1);
    enter(g, index);
}

static void strike(pv__index *g, int index) {
    leave(g, index);
    index_count(g, g->spots[index].level, -1);
    g->spots[index].listed = false;
}

/* ---- updates ---- */

/// Sets the new box of a spot that stays in its cells; returns false if it leaves them.
static bool stays(pv__index_spot *spot, const pv__index_spot *fresh) {
    if (!same_cells(spot, fresh)) return false;
    spot->box = fresh->box;
    return true;
}

/// Sets the new box of a body that stays in its cells; returns false for any other.
static bool settles(const pv_world *world, int index) {
    pv__index_spot *spot = &world->broad_phase.index.spots[index], fresh;
    const pv__body *b = &world->bodies.items[index];
    if (!spot->listed || !pv__body_is_present(b)) return false;
    pv_box box = pv__pose_box(b, b->pose);
    index_fit(&fresh, &box, spot->least);
    return stays(spot, &fresh);
}

void pv__index_update(pv_world *world, int index) {
    pv__index *g = &world->broad_phase.index;
    const pv__body *b = &world->bodies.items[index];
    pv__index_spot *spot = &g->spots[index], fresh;
    if (settles(world, index)) return;
    if (spot->listed) strike(g, index);
    if (!pv__body_is_present(b)) return;
    pv_box box = pv__pose_box(b, b->pose);
    index_fit(&fresh, &box, ROOMY_LEVEL);
    if (is_full(g, &fresh)) index_fit(&fresh, &box, LEAST_LEVEL);
    index_list(g, index, &fresh);
}

/// Number of bodies in a chunk
enum { INDEX_GRAIN = 64 };

static void settle_some(pv_world *world, void *stage, int first, int end) {
    (void)stage;
    for (int i = first; i < end; i++) {
        int index = world->bodies.awake[i];
        world->broad_phase.index.spots[index].settled = settles(world, index);
    }
}

void pv__index_follow(pv_world *world) {
    pv__wake_list_awake(world);
    pv__tasks_run(world, world->bodies.awake_count, INDEX_GRAIN, settle_some, NULL);
    for (int i = 0; i < world->bodies.awake_count; i++)
        if (!world->broad_phase.index.spots[world->bodies.awake[i]].settled)
            pv__index_update(world, world->bodies.awake[i]);
    world->broad_phase.index.stale = false;
    pv__timer_lap(world, &world->profile.move);
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
    for (int i = world->bodies.count; i < from->bodies.count; i++)
        if (g->spots[i].listed) strike(g, i);
    for (int i = 0; i < world->bodies.count; i++)
        if (i >= from->bodies.count || !is_same(&world->bodies.items[i], &from->bodies.items[i]))
            pv__index_update(world, i);
}

/// Adds chains until there are four for each body; returns false without memory.
static bool lengthen(pv_world *world, int bodies) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__index *g = &world->broad_phase.index;
    int length = pv__table_length(g->chain_count, INDEX_FIRST_CHAINS, 4 * (int64_t)bodies);
    if (length && length == g->chain_count) return true;
    int *chains = length ? pv__alloc(allocator, (size_t)length, sizeof *chains) : NULL;
    if (!chains) return false;
    pv__free(allocator, g->chains, (size_t)g->chain_count, sizeof *chains);
    g->chains = chains;
    g->chain_count = length;
    for (int i = 0; i < length; i++) chains[i] = INDEX_NONE;
    for (int i = 0; i < world->bodies.count; i++)
        if (g->spots[i].listed) enter(g, i);
    return true;
}

bool pv__index_reserve(pv_world *world, int more) {
    pv__index *g = &world->broad_phase.index;
    int need = world->bodies.count + more;
    if (!pv__reserve(&world->def.allocator, &g->spots, &g->spot_capacity, need,
                     sizeof(pv__index_spot)) ||
        !lengthen(world, need))
        return false;
    for (int i = world->bodies.count; i < need; i++)
        g->spots[i] = (pv__index_spot){.listed = false};
    return true;
}

void pv__index_free(pv_world *world) {
    const pv_allocator *allocator = &world->def.allocator;
    pv__index *g = &world->broad_phase.index;
    pv__free(allocator, g->spots, (size_t)g->spot_capacity, sizeof(pv__index_spot));
    pv__free(allocator, g->chains, (size_t)g->chain_count, sizeof(int));
}

/* ---- searches ---- */

/// Path along one axis
typedef struct index_line {
    double from, way;
    /// Covered range around a point of the path [px]
    double low, high;
} index_line;

/// Two numbers side by side, for x and y
typedef double index_pair __attribute__((vector_size(16)));
typedef int64_t index_pair_which __attribute__((vector_size(16)));

static inline index_pair pair_of(pv_vec2 v) { return (index_pair){v.x, v.y}; }

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
    index_pair min, max;
    /// Path turned a quarter, and the absolute values of its y and x
    index_pair across, size;
    /// Twice the middle of the box at the start of the path; width and height of the box
    index_pair middle, span;
    /// Bodies that were visited last, which may be in the next cell, too
    int recent[RECENT];
} search;

/// Shortens the search to a fraction of the path.
static void shorten(search *s, double latest) {
    double x = s->x.from + latest * s->x.way, y = s->y.from + latest * s->y.way;
    s->latest = latest;
    s->min = (index_pair){pv__min(s->x.from, x) + s->x.low, pv__min(s->y.from, y) + s->y.low};
    s->max = (index_pair){pv__max(s->x.from, x) + s->x.high, pv__max(s->y.from, y) + s->y.high};
}

/// Tells whether a box overlaps the swept area, with all separating axes. It has no branches,
/// because they would be unpredictable.
static inline bool index_meets(const search *s, const pv_box *box) {
    index_pair min = pair_of(box->min), max = pair_of(box->max);
    index_pair apart = s->across * (min + max - s->middle), room = s->size * (max - min + s->span);
    double off = apart[0] + apart[1], most = room[0] + room[1];
    index_pair_which met =
        (s->min <= max) & (min <= s->max) & ((index_pair){off, -off} <= (index_pair){most, most});
    return met[0] & met[1];
}

/// Visits a body, unless it was visited lately.
static void show(search *s, int index) {
    int *recent = &s->recent[index % RECENT];
    if (*recent == index) return;
    *recent = index;
    double latest = s->visit(s->user_data, index);
    if (latest < s->latest) shorten(s, latest);
}

/// Visits the bodies in the cells of a slot.
static void look_into(search *s, uint32_t x, uint32_t y) {
    const pv__index *g = &s->world->broad_phase.index;
    for (int name = g->chains[slot_of(g, x, y)]; name != INDEX_NONE; name = *link_of(g, name))
        if (index_meets(s, &g->spots[name >> 2].box)) show(s, name >> 2);
}

/// Visits all bodies on a level.
static void look_at_all(search *s, int level) {
    const pv__index *g = &s->world->broad_phase.index;
    for (int i = 0; i < s->world->bodies.count; i++)
        if (g->spots[i].listed && g->spots[i].level == level && index_meets(s, &g->spots[i].box))
            show(s, i);
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
    else if (cells_of(s, &b) > (uint64_t)s->world->bodies.count)
        look_at_all(s, level);
    else
        index_sweep(s, &b);
}

/// Searches all bodies at their current poses, during a step.
static void search_all(search *s) {
    for (int i = 0; i < s->world->bodies.count; i++) {
        const pv__body *b = &s->world->bodies.items[i];
        if (!pv__body_is_present(b)) continue;
        pv_box box = pv__pose_box(b, b->pose);
        if (index_meets(s, &box)) show(s, i);
    }
}

void pv__index_search(const pv_world *world, const pv__swath *swath, pv__visit visit,
                      void *user_data) {
    search s; /* not cleared as a whole, which would take longer than a short search */
    s.world = world;
    s.visit = visit;
    s.user_data = user_data;
    pv_vec2 way = pv__sub(swath->to, swath->from);
    pv_box reach = pv__box_widened(swath->reach, INDEX_SPARE);
    s.x = (index_line){swath->from.x, way.x, reach.min.x, reach.max.x};
    s.y = (index_line){swath->from.y, way.y, reach.min.y, reach.max.y};
    s.across = (index_pair){-way.y, way.x};
    s.size = (index_pair){pv__abs(way.y), pv__abs(way.x)};
    s.middle = 2 * pair_of(swath->from) + pair_of(reach.min) + pair_of(reach.max);
    s.span = pair_of(reach.max) - pair_of(reach.min);
    const bool steep = s.size[0] > s.size[1];
    double longer = steep ? way.y : way.x;
    s.slope = longer != 0 ? (steep ? way.x : way.y) / longer : 0;
    for (int i = 0; i < RECENT; i++) s.recent[i] = INDEX_NONE;
    shorten(&s, 1);
    if (world->broad_phase.index.stale)
        search_all(&s);
    else
        for (uint32_t levels = world->broad_phase.index.used; levels; levels &= levels - 1)
            search_level(&s, __builtin_ctz(levels));
}

pv_box pv__index_current_box(const pv_world *world, int index) {
    const pv__body *b = &world->bodies.items[index];
    return world->broad_phase.index.stale ? pv__pose_box(b, b->pose)
                                          : world->broad_phase.index.spots[index].box;
}

/* ---- in order of slots ---- */

static double mark(void *user_data, int index) {
    pv__candidates *c = user_data;
    unsigned bit = (unsigned)(index - c->first);
    if (index < c->first || bit >= PV__WINDOW) return 1;
    c->bits[bit / 64] |= UINT64_C(1) << (bit & 63);
    return 1;
}

/// Marks the bodies from a slot on, as many as the bits have room for.
static void index_fill(pv__candidates *c, int first) {
    int left = pv__sooner(c->world->bodies.count - first, PV__WINDOW);
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
    c->first = first;
    c->words = c->word = 0;
    if (first < world->bodies.count) index_fill(c, first);
}

int pv__index_candidates_next(pv__candidates *c) {
    for (;;) {
        for (; c->word < c->words; c->word++) {
            uint64_t *bits = &c->bits[c->word];
            if (*bits == 0) continue;
            int bit = __builtin_ctzll(*bits);
            *bits &= *bits - 1;
            return c->first + 64 * c->word + bit;
        }
        if (c->world->bodies.count - c->first <= PV__WINDOW) return -1;
        index_fill(c, c->first + PV__WINDOW);
    }
}
