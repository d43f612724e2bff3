/* group.c - groups of placed sprites, and queries of their overlaps.
 *
 * Invariant: every member is in all grid cells of its box, or, with many cells, in the list of
 * large members. A query tests a member in the first cell that both share, counted from the upper
 * left. Each member is thus tested once without a mark, and queries change nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "base/base.h"
#include "base/error.h"
#include "base/pool.h"
#include "placed/placed.h"
#include "placed/placed_query.h"

#include <string.h>

/// Greatest number of cells of a member that is not large.
#define MANY_CELLS 64

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
    bool large;
    /// Next large member
    int next;
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
    int large;
    group_entry *entries;
    int entry_count, entry_capacity, free_entry, used_entries;
    /// First entry of each chain
    int *chains;
    int chain_count;
};

/* ---- the grid ---- */

/// Returns the cell of a coordinate, clamped so that it fits in an int.
static int cell_at(const pv_group *g, double x) {
    return (int)pv__floor(pv__clamp(x / g->cell, -0x1p30, 0x1p30));
}

static cells cells_of(const pv_group *g, const pv_box *box) {
    return (cells){cell_at(g, box->min.x), cell_at(g, box->min.y), cell_at(g, box->max.x),
                   cell_at(g, box->max.y)};
}

static int64_t number_of(cells c) {
    return ((int64_t)c.right - c.left + 1) * ((int64_t)c.bottom - c.top + 1);
}

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
        count = pv__table_length(old_count, g->used_entries / 2);
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
    g->used_entries++;
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
    g->used_entries--;
}

static void enter(pv_group *g, int m) {
    group_member *it = &g->members[m];
    if (it->large) {
        it->next = g->large;
        g->large = m;
        return;
    }
    for (int y = it->cells.top; y <= it->cells.bottom; y++)
        for (int x = it->cells.left; x <= it->cells.right; x++) enter_cell(g, x, y, m);
    lengthen(g);
}

static void leave(pv_group *g, int m) {
    const group_member *it = &g->members[m];
    if (it->large) {
        int *at = &g->large;
        while (*at != m) at = &g->members[*at].next;
        *at = it->next;
        return;
    }
    for (int y = it->cells.top; y <= it->cells.bottom; y++)
        for (int x = it->cells.left; x <= it->cells.right; x++) leave_cell(g, x, y, m);
}

/// Reserves entries for a range of cells, so that entering cannot fail.
static bool make_room(pv_group *g, cells c) {
    int64_t n = number_of(c);
    if (n > MANY_CELLS) return true;
    return PV__RESERVE(&g->allocator, g->entries, g->entry_capacity, g->entry_count + (int)n);
}

/// Sets the transform and cells of a member that is in no cell.
static void settle(pv_group *g, int m, const pv_transform *t, const pv_box *box, cells c) {
    group_member *it = &g->members[m];
    it->transform = *t;
    it->box = *box;
    it->cells = c;
    it->large = number_of(c) > MANY_CELLS;
}

/* ---- members ---- */

pv_group *pv_group_create(double cell, const pv_allocator *allocator, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    pv_allocator from = pv__allocator(allocator);
    if (cell == 0) cell = 64;
    if (!pv__check_range(e, "cell", cell, 1, 65536)) return NULL;
    pv_group *g = pv__alloc(&from, 1, sizeof *g);
    int count = pv__table_length(0, 0),
        *chains = g ? pv__alloc(&from, (size_t)count, sizeof *chains) : NULL;
    if (!chains) {
        pv__free(&from, g, 1, sizeof *g);
        return pv__error_set(e, PV_ERROR_MEMORY), NULL;
    }
    for (int i = 0; i < count; i++) chains[i] = PV__NONE;
    *g = (pv_group){.allocator = from,
                    .cell = cell,
                    .chains = chains,
                    .chain_count = count,
                    .pool.free = PV__NONE,
                    .free_entry = PV__NONE,
                    .large = PV__NONE};
    return g;
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
    pv_box box = pv__placed_bounds(placed);
    cells c = cells_of(g, &box);
    int m = make_room(g, c)
                ? pv__pool_take(&g->allocator, &g->pool, &g->members, sizeof *g->members)
                : PV__NONE;
    if (m < 0) return pv__error_set(e, PV_ERROR_MEMORY), none;
    group_member *it = &g->members[m];
    pv__pool_open(&g->pool, &it->slot);
    it->mask = pv_mask_retain((pv_mask *)(uintptr_t)placed->mask);
    it->user_data = user_data;
    settle(g, m, &placed->transform, &box, c);
    enter(g, m);
    return name_of(g, m);
}

pv_status pv_group_set_transform(pv_group *g, pv_member_id name, const pv_transform *transform) {
    group_member *it = find(g, name);
    if (!g || !transform) return PV_ERROR_ARGUMENT;
    if (!it) return PV_ERROR_STALE_ID;
    pv_placed placed = {it->mask, *transform};
    pv_status status = pv__placed_check(&placed);
    if (status != PV_OK) return status;
    pv_box box = pv__placed_bounds(&placed);
    cells c = cells_of(g, &box);
    if (memcmp(&c, &it->cells, sizeof c) == 0) {
        it->transform = *transform;
        it->box = box;
        return PV_OK;
    }
    if (!make_room(g, c)) return PV_ERROR_MEMORY;
    leave(g, (int)name.index);
    settle(g, (int)name.index, transform, &box, c);
    enter(g, (int)name.index);
    return PV_OK;
}

pv_status pv_group_remove(pv_group *g, pv_member_id name) {
    group_member *it = find(g, name);
    if (!it) return g ? PV_ERROR_STALE_ID : PV_ERROR_ARGUMENT;
    leave(g, (int)name.index);
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
    bool (*meets)(const struct query *q, const group_member *it);
    pv__sprite sprite;
    pv_vec2 point;
    /// Greatest index of skipped members
    int after;
    /// Results, or null if pairs takes them
    pv_member_id *found;
    /// Pairs that take the results in b
    pv_member_pair *pairs;
    int capacity, stored, count;
} query;

static pv_placed placed_of(const group_member *it) { return (pv_placed){it->mask, it->transform}; }

static bool meets_sprite(const query *q, const group_member *it) {
    pv_placed placed = placed_of(it);
    pv__sprite other;
    return pv__placed_sprite_of(&placed, &other) == PV_OK &&
           pv__placed_sprites_hit(&q->sprite, &other);
}

static bool meets_point(const query *q, const group_member *it) {
    pv_placed placed = placed_of(it);
    return pv_placed_test_point(&placed, q->point);
}

static bool meets_box(const query *q, const group_member *it) {
    pv_placed placed = placed_of(it);
    return pv__placed_rectangle(&placed, q->box);
}

static pv_member_id *slot(const query *q, int i) {
    return q->found ? &q->found[i] : &q->pairs[i].b;
}

/// Stores a member. Beyond the capacity the lowest indices stay, in order.
static void store(query *q, int m) {
    int i = q->stored;
    q->count++;
    if (q->stored < q->capacity)
        q->stored++;
    else if (q->capacity == 0 || slot(q, --i)->index < (uint32_t)m)
        return;
    for (; i > 0 && slot(q, i - 1)->index > (uint32_t)m; i--) *slot(q, i) = *slot(q, i - 1);
    *slot(q, i) = name_of(q->group, m);
}

static void ask(query *q, int m) {
    const group_member *it = &q->group->members[m];
    if (it->mask && m > q->after && pv__boxes_touch(&q->box, &it->box) && q->meets(q, it))
        store(q, m);
}

/// Tests the members in a cell that is the first one they share with the query.
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
    /* The range has more cells than the group has members. */
    if (number_of(c) > g->pool.count) {
        for (int m = 0; m < g->pool.count; m++) ask(q, m);
        return q->count;
    }
    for (int m = g->large; m != PV__NONE; m = g->members[m].next) ask(q, m);
    for (int y = c.top; y <= c.bottom; y++)
        for (int x = c.left; x <= c.right; x++) ask_cell(q, c, x, y);
    return q->count;
}

static query query_of(const pv_group *g, pv_member_id *found, int capacity) {
    return (query){.group = g,
                   .after = PV__NONE,
                   .found = found,
                   .capacity = found && capacity > 0 ? capacity : 0};
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
    if (!(box.min.x < box.max.x && box.min.y < box.max.y)) return 0;
    q.box = box;
    q.meets = meets_box;
    return run(&q);
}

int pv_group_query_pairs(const pv_group *g, pv_member_pair *found, int capacity) {
    int count = 0, stored = 0;
    if (!found || capacity < 0) capacity = 0;
    for (int m = 0; g && m < g->pool.count; m++) {
        if (!g->members[m].mask) continue;
        pv_placed placed = placed_of(&g->members[m]);
        query q = query_of(g, NULL, 0);
        if (pv__placed_sprite_of(&placed, &q.sprite) != PV_OK) continue;
        q.box = g->members[m].box;
        q.meets = meets_sprite;
        q.after = m;
        q.pairs = found ? found + stored : NULL;
        q.capacity = capacity - stored;
        count += run(&q);
        for (int i = 0; i < q.stored; i++) found[stored++].a = name_of(g, m);
    }
    return count;
}
