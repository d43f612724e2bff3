/* group.c - groups of placed sprites, and queries of their overlaps.
 *
 * Invariant: every member is in all grid cells of its box, or, with many cells, in one cell beyond
 * the grid. A query tests a member in the first cell that both share, counted from the upper left.
 * Each member is thus tested once without being marked, so queries change nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/base.h"
#include "base/error.h"
#include "base/pool.h"
#include "placed/placed.h"
#include "placed/placed_query.h"

#include <string.h>

/// Greatest number of cells of a member; greatest coordinate of a cell; both coordinates of the one
/// cell for all larger members
enum { MANY_CELLS = 64, LAST_CELL = 1 << 30, FAR_CELL };

/// Range of cells: left...right, top...bottom.
typedef struct cells {
    int left, top, right, bottom;
} cells;

typedef struct group_member {
    pv__slot slot;
    /// Mask, or null for a free slot
    pv_mask *mask;
    pv_transform transform;
    pv_box box;
    cells cells;
    void *user_data;
} group_member;

/// Entry of a member in a cell.
typedef struct group_entry {
    int x, y, member, next;
} group_entry;

struct pv_group {
    pv_allocator allocator;
    double cell;
    group_member *members;
    pv__pool pool;
    group_entry *entries;
    int entry_count, entry_capacity, free_entry;
    /// First entry of each chain
    int *chains;
    int chain_count;
};

/* ---- the grid ---- */

/// Returns the cell of a coordinate, clamped so that it fits in an int.
static int cell_at(const pv_group *g, double x) {
    return (int)pv__floor(pv__clamp(x / g->cell, -LAST_CELL, LAST_CELL));
}

static cells cells_of(const pv_group *g, const pv_box *box) {
    return (cells){cell_at(g, box->min.x), cell_at(g, box->min.y), cell_at(g, box->max.x),
                   cell_at(g, box->max.y)};
}

static int64_t number_of(cells c) {
    return ((int64_t)c.right - c.left + 1) * ((int64_t)c.bottom - c.top + 1);
}

static const cells no_cells = {0, 0, -1, -1};
static const cells far_cell = {FAR_CELL, FAR_CELL, FAR_CELL, FAR_CELL};

static int chain_of(const pv_group *g, int x, int y) {
    uint32_t mixed = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u;
    return (int)((mixed ^ mixed >> 15) & (uint32_t)(g->chain_count - 1));
}

static void link_entry(pv_group *g, int i) {
    group_entry *e = &g->entries[i];
    int *chain = &g->chains[chain_of(g, e->x, e->y)];
    e->next = *chain;
    *chain = i;
}

/// Doubles the number of chains when they are long. Without memory the chains stay.
static void lengthen(pv_group *g) {
    int *old = g->chains, old_count = g->chain_count,
        count = pv__table_length(old_count, g->entry_count / 2);
    int *chains =
        count > old_count ? pv__alloc(&g->allocator, (size_t)count, sizeof *chains) : NULL;
    if (!chains) return;
    g->chains = chains;
    g->chain_count = count;
    for (int i = 0; i < g->chain_count; i++) chains[i] = PV__NONE;
    for (int c = 0; c < old_count; c++)
        for (int i = old[c], next; i != PV__NONE; i = next) {
            next = g->entries[i].next;
            link_entry(g, i);
        }
    pv__free(&g->allocator, old, (size_t)old_count, sizeof *old);
}

static void enter_cell(pv_group *g, int x, int y, int m) {
    int i = g->free_entry;
    if (i == PV__NONE)
        i = g->entry_count++;
    else
        g->free_entry = g->entries[i].next;
    g->entries[i] = (group_entry){x, y, m, PV__NONE};
    link_entry(g, i);
}

static void leave_cell(pv_group *g, int x, int y, int m) {
    int *at = &g->chains[chain_of(g, x, y)];
    while (g->entries[*at].member != m || g->entries[*at].x != x || g->entries[*at].y != y)
        at = &g->entries[*at].next;
    int i = *at;
    *at = g->entries[i].next;
    g->entries[i].next = g->free_entry;
    g->free_entry = i;
}

/// Moves a member to other cells.
static void move_member(pv_group *g, int m, cells to) {
    const cells from = g->members[m].cells;
    for (int y = from.top; y <= from.bottom; y++)
        for (int x = from.left; x <= from.right; x++) leave_cell(g, x, y, m);
    for (int y = to.top; y <= to.bottom; y++)
        for (int x = to.left; x <= to.right; x++) enter_cell(g, x, y, m);
    g->members[m].cells = to;
    lengthen(g);
}

/// Reserves entries for a member, so that it can be placed.
static bool make_room(pv_group *g) {
    return PV__RESERVE(&g->allocator, g->entries, g->entry_capacity, g->entry_count + MANY_CELLS);
}

/// Sets the transform of a member.
static void place_member(pv_group *g, int m, const pv_placed *placed) {
    group_member *it = &g->members[m];
    it->transform = placed->transform;
    it->box = pv__placed_bounds(placed);
    cells to = cells_of(g, &it->box);
    if (number_of(to) > MANY_CELLS) to = far_cell;
    if (memcmp(&to, &it->cells, sizeof to) != 0) move_member(g, m, to);
}

/* ---- members ---- */

pv_group *pv_group_create(double cell, const pv_allocator *allocator, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    pv_allocator from = pv__allocator(allocator);
    if (cell == 0) cell = 64;
    if (!pv__check_range(e, "cell", cell, 1, 65536)) return NULL;
    pv_group *g = pv__alloc(&from, 1, sizeof *g);
    if (!g) return pv__error_set(e, PV_ERROR_MEMORY), NULL;
    *g = (pv_group){.allocator = from, .cell = cell, .pool.free = PV__NONE, .free_entry = PV__NONE};
    lengthen(g);
    if (g->chains) return g;
    pv_group_destroy(g);
    return pv__error_set(e, PV_ERROR_MEMORY), NULL;
}

void pv_group_destroy(pv_group *g) {
    if (!g) return;
    for (int i = 0; i < g->pool.count; i++) pv_mask_release(g->members[i].mask);
    pv_allocator from = g->allocator;
    PV__FREE(&from, g->members, g->pool.capacity);
    PV__FREE(&from, g->entries, g->entry_capacity);
    pv__free(&from, g->chains, (size_t)g->chain_count, sizeof *g->chains);
    pv__free(&from, g, 1, sizeof *g);
}

static group_member *find(const pv_group *g, pv_member_id name) {
    int m =
        g ? pv__pool_find(&g->pool, g->members, sizeof *g->members, name.index + 1, name.generation)
          : PV__NONE;
    return m >= 0 ? &g->members[m] : NULL;
}

static pv_member_id name_of(const pv_group *g, int m) {
    return (pv_member_id){(uint32_t)m, g->members[m].slot.generation};
}

pv_member_id pv_group_add(pv_group *g, const pv_placed *placed, void *user_data, pv_error *error) {
    const pv_member_id none = {0, 0};
    static const pv__placed_names names = PV__PLACED_NAMES("placed");
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!pv__check_pointer(e, "group", g) || !pv__check_placed(e, &names, placed)) return none;
    int m = make_room(g) ? pv__pool_take(&g->allocator, &g->pool, &g->members, sizeof *g->members)
                         : PV__NONE;
    if (m < 0) return pv__error_set(e, PV_ERROR_MEMORY), none;
    group_member *it = &g->members[m];
    pv__pool_open(&g->pool, &it->slot);
    it->mask = pv_mask_retain((pv_mask *)(uintptr_t)placed->mask);
    it->user_data = user_data;
    it->cells = no_cells;
    place_member(g, m, placed);
    return name_of(g, m);
}

pv_status pv_group_set_transform(pv_group *g, pv_member_id name, const pv_transform *transform) {
    group_member *it = find(g, name);
    if (!g || !transform) return PV_ERROR_ARGUMENT;
    if (!it) return PV_ERROR_STALE_ID;
    pv_placed placed = {it->mask, *transform};
    pv_status status = pv__placed_check(&placed);
    if (status != PV_OK) return status;
    if (!make_room(g)) return PV_ERROR_MEMORY;
    place_member(g, (int)name.index, &placed);
    return PV_OK;
}

pv_status pv_group_remove(pv_group *g, pv_member_id name) {
    group_member *it = find(g, name);
    if (!it) return g ? PV_ERROR_STALE_ID : PV_ERROR_ARGUMENT;
    move_member(g, (int)name.index, no_cells);
    pv_mask_release(it->mask);
    pv__pool_leave(&g->pool, g->members, (int)name.index, sizeof *g->members);
    return PV_OK;
}

pv_placed pv_group_get_placed(const pv_group *g, pv_member_id name) {
    const group_member *it = find(g, name);
    return it ? (pv_placed){it->mask, it->transform} : (pv_placed){NULL, pv_transform_identity()};
}

void *pv_group_get_user_data(const pv_group *g, pv_member_id name) {
    const group_member *it = find(g, name);
    return it ? it->user_data : NULL;
}

/* ---- queries ---- */

/// Query and its results.
typedef struct query {
    const pv_group *group;
    pv_box box;
    bool (*meets)(const struct query *q, const pv_placed *placed);
    pv__sprite sprite;
    pv_vec2 point;
    /// Member whose pairs with later members are the results, or PV__NONE for single members
    int first;
    pv__firsts found;
} query;

static pv_placed placed_of(const group_member *it) { return (pv_placed){it->mask, it->transform}; }

static bool meets_sprite(const query *q, const pv_placed *placed) {
    pv__sprite other;
    return pv__placed_sprite_of(placed, &other) == PV_OK &&
           pv__placed_sprites_hit(&q->sprite, &other);
}

static bool meets_point(const query *q, const pv_placed *placed) {
    return pv_placed_test_point(placed, q->point);
}

static bool meets_box(const query *q, const pv_placed *placed) {
    return pv__placed_rectangle(placed, q->box);
}

static int compare_seconds(const void *p, const void *q) {
    const pv_member_pair *a = p, *b = q;
    return pv__compare_pairs(&a->b, &b->b);
}

static void ask(query *q, int m) {
    const pv_group *g = q->group;
    const group_member *it = &g->members[m];
    pv_placed placed = placed_of(it);
    if (!it->mask || m <= q->first || !pv__boxes_touch(&q->box, &it->box) || !q->meets(q, &placed))
        return;
    if (q->first < 0)
        pv__firsts_take(&q->found, &(pv_member_id){(uint32_t)m, it->slot.generation});
    else
        pv__firsts_take(&q->found, &(pv_member_pair){name_of(g, q->first), name_of(g, m)});
}

/// Tests only those members of a cell that share no earlier cell with the query.
static void ask_cell(query *q, cells c, int x, int y) {
    const pv_group *g = q->group;
    for (int i = g->chains[chain_of(g, x, y)]; i != PV__NONE; i = g->entries[i].next) {
        const group_entry *e = &g->entries[i];
        if (e->x != x || e->y != y) continue;
        const cells *of = &g->members[e->member].cells;
        if (x == pv__later(of->left, c.left) && y == pv__later(of->top, c.top)) ask(q, e->member);
    }
}

static int run(query *q) {
    const pv_group *g = q->group;
    cells c = cells_of(g, &q->box);
    if (number_of(c) > g->pool.count) {
        for (int m = 0; m < g->pool.count; m++) ask(q, m);
    } else {
        ask_cell(q, far_cell, FAR_CELL, FAR_CELL);
        for (int y = c.top; y <= c.bottom; y++)
            for (int x = c.left; x <= c.right; x++) ask_cell(q, c, x, y);
    }
    return pv__firsts_end(&q->found);
}

static query query_of(const pv_group *g, pv_member_id *found, int capacity) {
    return (query){.group = g,
                   .first = PV__NONE,
                   .found = {.items = found,
                             .capacity = found ? pv__later(capacity, 0) : 0,
                             .size = sizeof *found,
                             .compare = pv__compare_pairs}};
}

int pv_group_query_mask(const pv_group *g, const pv_placed *placed, pv_member_id *found,
                        int capacity) {
    query q = query_of(g, found, capacity);
    if (!g || pv__placed_sprite_of(placed, &q.sprite) != PV_OK) return 0;
    q.box = pv__placed_bounds(placed);
    q.meets = meets_sprite;
    return run(&q);
}

int pv_group_query_point(const pv_group *g, pv_vec2 point, pv_member_id *found, int capacity) {
    query q = query_of(g, found, capacity);
    if (!g || !pv__placeable(point)) return 0;
    q.box = (pv_box){point, point};
    q.point = point;
    q.meets = meets_point;
    return run(&q);
}

int pv_group_query_box(const pv_group *g, pv_box box, pv_member_id *found, int capacity) {
    query q = query_of(g, found, capacity);
    if (!g || !pv__placeable(box.min) || !pv__placeable(box.max)) return 0;
    q.box = box;
    q.meets = meets_box;
    return run(&q);
}

int pv_group_query_pairs(const pv_group *g, pv_member_pair *found, int capacity) {
    int count = 0;
    if (!found || capacity < 0) capacity = 0;
    for (int m = 0; g && m < g->pool.count; m++) {
        if (!g->members[m].mask) continue;
        pv_placed placed = placed_of(&g->members[m]);
        int stored = pv__sooner(count, capacity);
        query q = {.group = g, .box = g->members[m].box, .meets = meets_sprite, .first = m};
        q.found = (pv__firsts){.items = found ? found + stored : NULL,
                               .capacity = capacity - stored,
                               .size = sizeof *found,
                               .compare = compare_seconds};
        if (pv__placed_sprite_of(&placed, &q.sprite) == PV_OK) count += run(&q);
    }
    return count;
}
