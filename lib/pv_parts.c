/* pv_parts.c - the connected parts of a mask, by union-find over runs of solid pixels.
 *
 * Invariant: runs are in reading order, and a run's parent is never after it, so the first run of a part is its
 * root. Parts are ordered by area, then by their first pixel: a total order, with which every machine agrees.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_base.h"
#include "pv_pixels.h"

/// Solid pixels start...end - 1 of row y.
typedef struct run {
    int start, end, y;
    int part; ///< while parts are found: the parent, which is a run
} run;

typedef struct part {
    pv_part is;
    int name;        ///< in reading order of the first pixels
    int first, runs; ///< its runs are order[first...first + runs - 1]
} part;

struct pv_parts {
    pv_allocator allocator;
    run *run;
    int runs, run_room;
    int *row, rows; ///< row y has the runs row[y]...row[y + 1] - 1
    int *order;     ///< runs by part
    part *part;
    int parts;
};

static bool read_runs(pv_parts *o, const pv__bits *bits) {
    for (int y = 0; y < bits->h; y++) {
        for (pv__run next = {0, 0}; pv__run_next(bits, y, &next); o->runs++) {
            if (!pv__reserve(&o->allocator, &o->run, &o->run_room, o->runs + 1, sizeof(run))) return false;
            o->run[o->runs] = (run){next.start, next.end, y, o->runs};
        }
        o->row[y + 1] = o->runs;
    }
    return true;
}

/* ---- joining ---- */

static int root(run *runs, int i) {
    while (runs[i].part != i) i = runs[i].part = runs[runs[i].part].part;
    return i;
}

static void join(run *runs, int a, int b) {
    a = root(runs, a);
    b = root(runs, b);
    if (a < b) runs[b].part = a;
    if (b < a) runs[a].part = b;
}

/// Joins the runs of row y with those above; reach 1: corners touch as well.
static void join_row(pv_parts *o, int y, int reach) {
    int a = o->row[y - 1], b = o->row[y], end_a = b, end_b = o->row[y + 1];
    while (a < end_a && b < end_b) {
        if (o->run[a].start < o->run[b].end + reach && o->run[b].start < o->run[a].end + reach)
            join(o->run, a, b);
        if (o->run[a].end < o->run[b].end)
            a++;
        else
            b++;
    }
}

/// Gives every run the name of its part instead of its parent.
static void name_parts(pv_parts *o) {
    for (int i = 0; i < o->runs; i++)
        o->run[i].part = o->run[i].part == i ? o->parts++ : o->run[o->run[i].part].part;
}

/* ---- weighing and sorting ---- */

static void add_run(part *p, const run *r) {
    pv_rect *box = &p->is.box;
    int right = box->x + box->w;
    if (p->runs++ == 0) {
        *box = (pv_rect){r->start, r->y, 0, 0};
        right = r->end;
    }
    if (r->start < box->x) box->x = r->start;
    box->w = (r->end > right ? r->end : right) - box->x;
    box->h = r->y + 1 - box->y;
    p->is.area += r->end - r->start;
}

static bool before(const part *a, const part *b) {
    return a->is.area != b->is.area ? a->is.area > b->is.area : a->name < b->name;
}

/// Lets part i sink to where no child of it in the heap of count parts comes after it.
static void sink(part *parts, int i, int count) {
    part sinking = parts[i];
    for (int child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && before(&parts[child], &parts[child + 1])) child++;
        if (!before(&sinking, &parts[child])) break;
        parts[i] = parts[child];
    }
    parts[i] = sinking;
}

/* A heapsort: qsort() may take memory that is not the caller's. */
static void sort(part *parts, int count) {
    for (int i = count / 2 - 1; i >= 0; i--) sink(parts, i, count);
    for (int i = count - 1; i > 0; i--) {
        part last = parts[0];
        parts[0] = parts[i];
        parts[i] = last;
        sink(parts, 0, i);
    }
}

/// Makes names places in the sorted order, and lists the runs by part.
static void order_runs(pv_parts *o) {
    int first = 0;
    for (int i = 0; i < o->parts; i++) o->order[o->part[i].name] = i;
    for (int i = 0; i < o->runs; i++) o->run[i].part = o->order[o->run[i].part];
    for (int i = 0; i < o->parts; i++) {
        o->part[i].first = first;
        first += o->part[i].runs;
        o->part[i].runs = 0;
    }
    for (int i = 0; i < o->runs; i++) {
        part *p = &o->part[o->run[i].part];
        o->order[p->first + p->runs++] = i;
    }
}

static bool find_parts(pv_parts *o, const pv__bits *bits, int reach) {
    o->rows = bits->h;
    o->row = pv__alloc(&o->allocator, (size_t)o->rows + 1, sizeof(int));
    if (!o->row || !read_runs(o, bits)) return false;
    for (int y = 1; y < o->rows; y++) join_row(o, y, reach);
    name_parts(o);
    o->order = pv__alloc(&o->allocator, (size_t)o->runs + 1, sizeof(int));
    o->part = pv__alloc(&o->allocator, (size_t)o->parts + 1, sizeof(part));
    if (!o->order || !o->part) return false;
    for (int i = 0; i < o->parts; i++) o->part[i].name = i;
    for (int i = 0; i < o->runs; i++) add_run(&o->part[o->run[i].part], &o->run[i]);
    sort(o->part, o->parts);
    order_runs(o);
    return true;
}

/* ---- public ---- */

pv_parts *pv_parts_find(const pv_mask *mask, pv_neighbours neighbours, pv_status *status) {
    if (!mask || (neighbours != PV_NEIGHBOURS_4 && neighbours != PV_NEIGHBOURS_8))
        return pv__say(status, PV_ERROR_ARGUMENT), NULL;
    pv_parts *parts = pv__alloc(&mask->allocator, 1, sizeof *parts);
    if (parts) {
        parts->allocator = mask->allocator;
        if (find_parts(parts, &mask->bits, neighbours == PV_NEIGHBOURS_8)) return pv__say(status, PV_OK), parts;
    }
    pv_parts_free(parts);
    return pv__say(status, PV_ERROR_MEMORY), NULL;
}

void pv_parts_free(pv_parts *parts) {
    if (!parts) return;
    pv_allocator from = parts->allocator;
    pv__free(&from, parts->part, (size_t)parts->parts + 1, sizeof(part));
    pv__free(&from, parts->order, (size_t)parts->runs + 1, sizeof(int));
    pv__free(&from, parts->row, (size_t)parts->rows + 1, sizeof(int));
    pv__free(&from, parts->run, (size_t)parts->run_room, sizeof(run));
    pv__free(&from, parts, 1, sizeof *parts);
}

int pv_parts_count(const pv_parts *parts) { return parts ? parts->parts : 0; }

static bool has(const pv_parts *parts, int index) { return parts && index >= 0 && index < parts->parts; }

pv_part pv_parts_get(const pv_parts *parts, int index) {
    return has(parts, index) ? parts->part[index].is : (pv_part){0, {0, 0, 0, 0}};
}

int pv_parts_at(const pv_parts *parts, int x, int y) {
    if (!parts || y < 0 || y >= parts->rows) return -1;
    int low = parts->row[y], high = parts->row[y + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (parts->run[middle].end <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low < parts->row[y + 1] && parts->run[low].start <= x ? parts->run[low].part : -1;
}

pv_mask *pv_parts_mask(const pv_parts *parts, int index, pv_status *status) {
    if (!has(parts, index)) return pv__say(status, PV_ERROR_ARGUMENT), NULL;
    const part *p = &parts->part[index];
    pv_mask *mask = pv_mask_create(p->is.box.w, p->is.box.h, &parts->allocator, status);
    for (int i = 0; mask && i < p->runs; i++) {
        const run *r = &parts->run[parts->order[p->first + i]];
        pv_mask_fill(mask, (pv_rect){r->start - p->is.box.x, r->y - p->is.box.y, r->end - r->start, 1}, true);
    }
    return mask;
}
