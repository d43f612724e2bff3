/* detach.c - finds the parts that a removal of pixels detaches from a mask.
 *
 * Invariant: a removal separates only pixels that the removed ones connected, so the search starts
 * around the removed ones. It grows all parts in turn, by one run each, until all but one are
 * complete. The cost depends on the detached parts, not on the size of the mask.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "carve/detach.h"
#include "base/base.h"
#include "base/math.h"

/// Connected part, as far as the search has explored it
typedef struct front {
    /// Front that it was joined to, or itself
    int parent;
    /// First and last run with unknown neighbors, or -1
    int first, last;
    int64_t area;
    /// Front of the same component before the removal, or itself
    int group;
    /// Number of unfinished fronts of the group, kept by its root
    int live;
    /// Number of pixels of the group's largest finished front, kept by its root
    int64_t most;
    /// Index among the parts after the search
    int part;
    /// True once the group's largest part has been handled, kept by its root
    bool largest_done;
} front;

typedef struct search {
    const pv__bits *bits, *gone;
    /// Place of gone's pixel (0, 0)
    int x, y;
    /// 1 if corners connect pixels as well, otherwise 0
    int reach;
    pv__falls *found;
    front *fronts;
    int count, capacity;
    /// Unfinished fronts
    int *live;
    int live_count, live_capacity;
    /// Hash table of runs by start, -1 for empty; the size is a power of two
    int *table;
    int table_size;
} search;

/* ---- the remaining pixels ---- */

static uint64_t word_at(const search *s, int stripe, int y) {
    uint64_t word = s->bits->words[(size_t)stripe * (size_t)s->bits->h + (size_t)y];
    int row = y - s->y;
    if (!word || row < 0 || row >= s->gone->h) return word;
    return word & ~pv__bits_word(s->gone, (int64_t)stripe * 64 - s->x, row);
}

/// Returns the first remaining pixel of a row from x on, or the width if there is none. If flip is
/// all ones, looks for the first pixel that is not a remaining one.
static int first_from(const search *s, int x, int y, uint64_t flip) {
    for (; x < s->bits->w; x = (x | 63) + 1) {
        uint64_t word = (word_at(s, x >> 6, y) ^ flip) >> (x & 63);
        if (word) return pv__sooner(x + __builtin_ctzll(word), s->bits->w);
    }
    return s->bits->w;
}

/// Returns the start of the run that contains a pixel.
static int start_of(const search *s, int x, int y) {
    for (; x >= 0; x = (x & ~63) - 1) {
        uint64_t holes = ~word_at(s, x >> 6, y) << (63 - (x & 63));
        if (holes && __builtin_clzll(holes) <= (x & 63)) return x - __builtin_clzll(holes) + 1;
    }
    return 0;
}

/* ---- the table of runs ---- */

static int *slot_of(const search *s, int start, int y) {
    uint64_t h = ((uint64_t)(uint32_t)y << 32 | (uint32_t)start) * UINT64_C(0x9e3779b97f4a7c15);
    const pv__fall_run *runs = s->found->runs;
    int i = (int)(h >> 33) & (s->table_size - 1);
    while (s->table[i] >= 0 && (runs[s->table[i]].start != start || runs[s->table[i]].y != y))
        i = (i + 1) & (s->table_size - 1);
    return &s->table[i];
}

static bool widen_table(search *s) {
    pv__falls *f = s->found;
    if (2 * (f->run_count + 1) <= s->table_size) return true;
    int size = pv__table_length(s->table_size, 2 * ((int64_t)f->run_count + 1)),
        *table = size ? pv__alloc(&f->allocator, (size_t)size, sizeof *table) : NULL;
    if (!table) return false;
    pv__free(&f->allocator, s->table, (size_t)s->table_size, sizeof *table);
    s->table = table;
    s->table_size = size;
    for (int i = 0; i < size; i++) table[i] = -1;
    for (int i = 0; i < f->run_count; i++) *slot_of(s, f->runs[i].start, f->runs[i].y) = i;
    return true;
}

/* ---- fronts ---- */

/// Adds a front without runs. Returns its index, or -1 without memory.
static int add_front(search *s) {
    const pv_allocator *from = &s->found->allocator;
    const int i = s->count;
    const front fresh = {.parent = i, .group = i, .first = -1, .last = -1};
    return PV__APPEND(from, s->fronts, s->capacity, s->count, fresh) &&
                   PV__APPEND(from, s->live, s->live_capacity, s->live_count, i)
               ? i
               : -1;
}

static void join_groups(front *fronts, int one, int other) {
    int a = PV__ROOT(fronts, group, one), b = PV__ROOT(fronts, group, other);
    front *to = &fronts[pv__sooner(a, b)], *from = &fronts[pv__later(a, b)];
    from->group = pv__sooner(a, b);
    if (from->most > to->most) to->most = from->most;
}

static void join(search *s, int one, int other) {
    int a = PV__ROOT(s->fronts, parent, one), b = PV__ROOT(s->fronts, parent, other);
    if (a == b) return;
    join_groups(s->fronts, a, b);
    front *to = &s->fronts[pv__sooner(a, b)], *from = &s->fronts[pv__later(a, b)];
    from->parent = pv__sooner(a, b);
    to->area += from->area;
    if (to->first < 0)
        to->first = from->first;
    else
        s->found->runs[to->last].next = from->first;
    if (from->first >= 0) to->last = from->last;
}

/// Assigns the run of a pixel to a front. Returns the run's index, or -1 without memory.
static int enter(search *s, int of, int x, int y) {
    pv__falls *f = s->found;
    if (!widen_table(s) || !PV__RESERVE(&f->allocator, f->runs, f->run_capacity, f->run_count + 1))
        return -1;
    int start = start_of(s, x, y), *slot = slot_of(s, start, y);
    if (*slot >= 0) {
        join(s, of, f->runs[*slot].part);
        return *slot;
    }
    front *to = &s->fronts[PV__ROOT(s->fronts, parent, of)];
    int end = first_from(s, x, y, UINT64_MAX);
    *slot = f->run_count++;
    f->runs[*slot] = (pv__fall_run){start, end, y, of, to->first};
    if (to->first < 0) to->last = *slot;
    to->first = *slot;
    to->area += end - start;
    return *slot;
}

/// Enters all runs of row y that touch run r, or come within reach of its ends. If r belongs to no
/// part, each of them starts a new front.
static bool look(search *s, const pv__fall_run *r, int reach, int y) {
    if (y < 0 || y >= s->bits->h) return true;
    int end = pv__sooner(r->end + reach, s->bits->w);
    for (int x = pv__later(r->start - reach, 0); (x = first_from(s, x, y, 0)) < end;) {
        int of = r->part >= 0 ? r->part : add_front(s), i = of >= 0 ? enter(s, of, x, y) : -1;
        if (i < 0) return false;
        x = s->found->runs[i].end;
    }
    return true;
}

/// Expands one run of a front. Returns false without memory.
static bool expand(search *s, int i) {
    front *f = &s->fronts[i];
    pv__fall_run r = s->found->runs[f->first];
    f->first = r.next;
    return look(s, &r, s->reach, r.y - 1) && look(s, &r, s->reach, r.y + 1);
}

/// Tells whether an unfinished front is known to be the largest of its group, and not debris.
static bool is_settled(const search *s, int i, int64_t least) {
    const front *f = &s->fronts[i], *group = &s->fronts[PV__ROOT(s->fronts, group, i)];
    return group->live == 1 && f->area > group->most && f->area >= least;
}

/// Drops fronts that were joined to others or are finished.
static void thin_live(search *s) {
    int kept = 0;
    for (int k = 0; k < s->live_count; k++) {
        int i = s->live[k];
        front *f = &s->fronts[i], *group = &s->fronts[PV__ROOT(s->fronts, group, i)];
        if (f->parent != i) continue;
        group->live = 0;
        if (f->first >= 0)
            s->live[kept++] = i;
        else if (f->area > group->most)
            group->most = f->area;
    }
    s->live_count = kept;
    for (int k = 0; k < kept; k++) s->fronts[PV__ROOT(s->fronts, group, s->live[k])].live++;
}

/// Expands one run of each unsettled front, and sets *done if there are none. Returns false without
/// memory.
static bool expand_all(search *s, int64_t least, bool *done) {
    *done = true;
    for (int k = 0; k < s->live_count; k++) {
        int i = s->live[k];
        if (s->fronts[i].parent != i || s->fronts[i].first < 0 || is_settled(s, i, least)) continue;
        *done = false;
        if (!expand(s, i)) return false;
    }
    return true;
}

static bool expand_until_known(search *s, int64_t least) {
    for (bool done = false; !done;) {
        thin_live(s);
        if (!expand_all(s, least, &done)) return false;
    }
    return true;
}

/// Adds a front at each run that touches removed pixels. Fronts around the same part of the removed
/// pixels form a group. Returns false without memory.
/// @param groups for each part of the removed pixels, index of one of its fronts plus one, or 0
static bool seed(search *s, const pv_parts *parts, int *groups) {
    for (int y = 0; y < s->gone->h; y++)
        for (pv__run r = {0, 0}; pv__mask_run_next(s->gone, y, &r);) {
            const pv__fall_run gap = {s->x + r.start, s->x + r.end, s->y + y, -1, -1};
            int *group = &groups[pv_parts_find_at(parts, r.start, y)], first = s->count;
            if (!look(s, &gap, s->reach, gap.y - 1) || !look(s, &gap, 1, gap.y) ||
                !look(s, &gap, s->reach, gap.y + 1))
                return false;
            for (int i = first; i < s->count; i++) {
                if (!*group) *group = i + 1;
                join_groups(s->fronts, i, *group - 1);
            }
        }
    return true;
}

/* ---- detached parts ---- */

static void add_run(pv__fall *p, const pv__fall_run *r, int index, pv__fall_run *runs) {
    pv_rect own = {r->start, r->y, r->end - r->start, 1};
    if (p->area == 0 || r->y < p->box.y || (r->y == p->box.y && r->start < p->left))
        p->left = r->start;
    p->box = p->area == 0 ? own : pv__rect_join(p->box, own);
    p->area += own.w;
    runs[index].next = p->first;
    p->first = index;
}

static int compare_falls(const void *p, const void *q) {
    const pv__fall *a = p, *b = q;
    if (a->area != b->area) return a->area > b->area ? -1 : 1;
    if (a->box.y != b->box.y) return a->box.y < b->box.y ? -1 : 1;
    return (a->left > b->left) - (a->left < b->left);
}

static bool list_parts(search *s) {
    pv__falls *f = s->found;
    if (!PV__RESERVE(&f->allocator, f->parts, f->capacity, s->count)) return false;
    for (int i = 0; i < s->count; i++) {
        if (s->fronts[i].parent != i) continue;
        s->fronts[i].part = f->count;
        f->parts[f->count++] = (pv__fall){.first = -1, .group = PV__ROOT(s->fronts, group, i)};
    }
    for (int i = 0; i < f->run_count; i++) {
        pv__fall *part = &f->parts[s->fronts[PV__ROOT(s->fronts, parent, f->runs[i].part)].part];
        add_run(part, &f->runs[i], i, f->runs);
    }
    pv__sort(f->parts, f->count, sizeof *f->parts, compare_falls);
    return true;
}

/// Removes the largest part of each group from the detached parts, unless it is too small to stay.
static void leave_out_largest(search *s, int64_t least) {
    pv__falls *f = s->found;
    int kept = 0;
    for (int i = 0; i < f->count; i++) {
        bool *largest_done = &s->fronts[f->parts[i].group].largest_done;
        if (*largest_done || f->parts[i].area < least) f->parts[kept++] = f->parts[i];
        *largest_done = true;
    }
    f->count = kept;
}

pv_status pv__detach_find(const pv_mask *mask, const pv_mask *gone, const pv__cut_out *out,
                          pv_connectivity neighbors, int64_t least, const pv_allocator *allocator,
                          pv__falls *falls) {
    *falls = (pv__falls){.allocator = *allocator};
    search s = {.bits = &mask->bits,
                .gone = &gone->bits,
                .x = out->rect.x,
                .y = out->rect.y,
                .reach = neighbors == PV_CONNECTIVITY_8,
                .found = falls};
    pv_parts *parts = pv_parts_create(gone, neighbors, NULL);
    int count = pv_parts_get_count(parts),
        *groups = parts ? pv__alloc(allocator, (size_t)count, sizeof *groups) : NULL;
    bool done =
        groups && seed(&s, parts, groups) && expand_until_known(&s, least) && list_parts(&s);
    if (done) leave_out_largest(&s, least);
    PV__FREE(allocator, groups, count);
    PV__FREE(allocator, s.fronts, s.capacity);
    PV__FREE(allocator, s.live, s.live_capacity);
    PV__FREE(allocator, s.table, s.table_size);
    pv_parts_destroy(parts);
    return done ? PV_OK : PV_ERROR_MEMORY;
}

void pv__detach_put(const pv__falls *falls, int part, pv_mask *on, int x, int y) {
    for (int i = falls->parts[part].first; i >= 0; i = falls->runs[i].next) {
        const pv__fall_run *r = &falls->runs[i];
        pv_mask_fill_rect(on, (pv_rect){r->start - x, r->y - y, r->end - r->start, 1}, true);
    }
}

void pv__detach_free(pv__falls *falls) {
    PV__FREE(&falls->allocator, falls->runs, falls->run_capacity);
    PV__FREE(&falls->allocator, falls->parts, falls->capacity);
    *falls = (pv__falls){.allocator = falls->allocator};
}
