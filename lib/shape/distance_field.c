/* distance_field.c - signed distances to a contour, sampled on a grid.
 *
 * Invariant: node (i, j) lies at origin + (i, j) / NODES. It holds the distance to the nearest
 * segment of the contour, negative inside, cut off at REACH. Lengths in this file are in nodes.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "shape/distance_field.h"
#include "base/base.h"

#include <string.h>

/// Offset of the scan lines from the rows of nodes [nodes]. Fitted vertices have no coordinates as
/// round as this, so none lies on a scan line.
static const double SCAN_SHIFT = 1.0 / 4096;
/// Greatest distance that nodes hold [nodes], and the number of distance units per node.
static const double FIELD_REACH = PV__FIELD_REACH * PV__FIELD_NODES,
                    FIELD_UNIT = PV__FIELD_SCALE / PV__FIELD_NODES;
/// Overlap of neighboring regions [nodes]. It keeps rounding from leaving a node between them.
static const double OVERLAP = 1e-3;
/// Indices of the shared tiles of all places out of reach, and their number. The first slab begins
/// with these tiles.
enum { OUTSIDE, INSIDE, SHARED };
/// Number of rows of tiles that are worth a part of a runner
enum { FIELD_GRAIN = 4 };

static pv_vec2 node_of(const pv__field *f, pv_vec2 at) {
    return pv__mul(PV__FIELD_NODES, pv__sub(at, f->origin));
}

static int clip(double x, int most) { return (int)pv__floor(pv__clamp(x, 0, most)); }

/// Returns the nodes of a tile.
static int16_t *tile_at(const pv__field *f, int column, int row) {
    return f->tiles[row * f->across + column];
}

static int16_t *nth_tile(const pv__slab *slab, int n) {
    return slab->nodes + (size_t)n * PV__TILE_NODES;
}

static bool is_shared(const pv__field *f, const int16_t *tile) {
    return tile == nth_tile(f->slabs, OUTSIDE) || tile == nth_tile(f->slabs, INSIDE);
}

/* ---- tiles ---- */

/// Adds a slab of room tiles. Returns false without memory.
static bool add_slab(const pv_allocator *allocator, pv__field *f, int room) {
    if (!PV__RESERVE(allocator, f->slabs, f->slab_capacity, f->slab_count + 1)) return false;
    int16_t *nodes = pv__alloc(allocator, (size_t)room * PV__TILE_NODES, sizeof *nodes);
    if (nodes) f->slabs[f->slab_count++] = (pv__slab){nodes, 0, room};
    return nodes != NULL;
}

void pv__field_free(pv__field *f, const pv_allocator *allocator) {
    for (int i = 0; i < f->slab_count; i++)
        pv__free(allocator, f->slabs[i].nodes, (size_t)f->slabs[i].room * PV__TILE_NODES,
                 sizeof(int16_t));
    PV__FREE(allocator, f->slabs, f->slab_capacity);
    pv__free(allocator, f->tiles, (size_t)f->across * (size_t)f->down, sizeof *f->tiles);
    f->slabs = NULL;
    f->tiles = NULL;
    f->slab_count = f->slab_capacity = 0;
}

/// Marks the places within reach of a segment.
static void mark(const pv__field *f, unsigned char *reached, pv_vec2 a, pv_vec2 b) {
    int left = clip(pv__min(a.x, b.x) - FIELD_REACH, f->w - 1) >> PV__TILE_BITS;
    int right = clip(pv__max(a.x, b.x) + FIELD_REACH, f->w - 1) >> PV__TILE_BITS;
    int top = clip(pv__min(a.y, b.y) - FIELD_REACH, f->h - 1) >> PV__TILE_BITS;
    int bottom = clip(pv__max(a.y, b.y) + FIELD_REACH, f->h - 1) >> PV__TILE_BITS;
    for (int j = top; j <= bottom; j++)
        for (int i = left; i <= right; i++) reached[j * f->across + i] = 1;
}

static void fill_tile(int16_t *tile, int16_t distance) {
    for (int k = 0; k < PV__TILE_NODES; k++) tile[k] = distance;
}

/// Makes the two shared tiles, and a tile for every marked place. Returns false without memory.
static bool lay_tiles(const pv_allocator *allocator, pv__field *f, const unsigned char *reached,
                      size_t places) {
    const int16_t far = (int16_t)(PV__FIELD_REACH * PV__FIELD_SCALE);
    int room = SHARED;
    for (size_t k = 0; k < places; k++) room += reached[k];
    if (!add_slab(allocator, f, room)) return false;
    pv__slab *slab = f->slabs;
    fill_tile(nth_tile(slab, OUTSIDE), far);
    fill_tile(nth_tile(slab, INSIDE), (int16_t)-far);
    slab->count = SHARED;
    for (size_t k = 0; k < places; k++)
        f->tiles[k] = nth_tile(slab, reached[k] ? slab->count++ : OUTSIDE);
    return true;
}

static bool make_tiles(pv__shape *shape) {
    pv__field *f = &shape->field;
    size_t places = (size_t)f->across * (size_t)f->down;
    unsigned char *reached = pv__alloc(&shape->allocator, places, 1);
    f->tiles = pv__alloc(&shape->allocator, places, sizeof *f->tiles);
    bool made = reached && f->tiles;
    for (int i = 0; made && i < shape->count; i++) {
        const pv__vertex *v = &shape->vertices[i];
        if (v->next < 0) continue;
        mark(f, reached, node_of(f, v->at), node_of(f, shape->vertices[v->next].at));
    }
    made = made && lay_tiles(&shape->allocator, f, reached, places);
    pv__free(&shape->allocator, reached, places, 1);
    return made;
}

/// Copies the first column and row of the next tiles into the last column and row of a tile.
static void overlap_tile(const pv__field *f, int column, int row) {
    int right = column + 1 < f->across ? column + 1 : column;
    int below = row + 1 < f->down ? row + 1 : row;
    int16_t *own = tile_at(f, column, row);
    const int16_t *east = tile_at(f, right, row), *south = tile_at(f, column, below);
    if (is_shared(f, own)) return;
    for (int k = 0; k < PV__TILE; k++) {
        own[k * PV__TILE_ROW + PV__TILE] = east[k * PV__TILE_ROW];
        own[PV__TILE * PV__TILE_ROW + k] = south[k];
    }
    own[PV__TILE_NODES - 1] = *tile_at(f, right, below);
}

/// Overlaps rows of tiles.
static void overlap_rows(void *work, int first, int end) {
    const pv__field *f = &((pv__shape *)work)->field;
    for (int row = first; row < end; row++)
        for (int column = 0; column < f->across; column++) overlap_tile(f, column, row);
}

/* ---- distances: a segment owns the strip across it, a vertex the wedge between the strips of
 * its segments (Mauch 2003) ---- */

/// Range of nodes of a row, both ends included.
typedef struct span {
    int from, to;
} span;

/// Bounds of step * i + offset for node i. Step and offset change from row to row.
typedef struct limit {
    /// Inverse of step, or 0; bounds of the first and of the last node
    double inverse, from, to;
} limit;

static limit limit_of(double step, double low, double high) {
    if (pv__abs(step) <= 1e-9) return (limit){0, low, high};
    return step > 0 ? (limit){1.0 / step, low, high} : (limit){1.0 / step, high, low};
}

static inline void field_narrow(span *s, const limit *l, double offset) {
    if (l->inverse == 0) {
        if (offset < l->from || offset > l->to) s->to = s->from - 1;
        return;
    }
    double least = (l->from - offset) * l->inverse, most = (l->to - offset) * l->inverse;
    if (least > s->to || most < s->from) {
        s->to = s->from - 1;
        return;
    }
    if (least > s->from) s->from = (int)least + (least > (int)least);
    if (most < s->to) s->to = (int)most;
}

/// Returns the nodes of a span's part in the tile of its first node, and removes it from the span.
/// Returns null for an empty span.
static inline int16_t *take_piece(const pv__field *f, int row, span *rest, span *piece) {
    if (rest->from > rest->to) return NULL;
    int column = rest->from >> PV__TILE_BITS, last = (column << PV__TILE_BITS) + PV__TILE - 1;
    *piece = (span){rest->from, last < rest->to ? last : rest->to};
    rest->from = piece->to + 1;
    return tile_at(f, column, row >> PV__TILE_BITS) + (row & (PV__TILE - 1)) * PV__TILE_ROW -
           (column << PV__TILE_BITS);
}

/// Lowers a node to a distance. It has no branch, because that would be unpredictable.
static inline void field_lower(int16_t *node, double distance) {
    int16_t d = (int16_t)(distance * FIELD_UNIT + 0.5);
    *node = d < *node ? d : *node;
}

/// Returns the nodes of some rows of tiles.
static pv__field_window rows_of(const pv__field *f, int first, int end) {
    int bottom = (end << PV__TILE_BITS) - 1;
    return (pv__field_window){0, f->w - 1, first << PV__TILE_BITS,
                              bottom < f->h ? bottom : f->h - 1};
}

/// Returns the nodes of a window within a box.
static pv__field_window clip_to(const pv__field_window *in, double left, double top, double right,
                                double bottom) {
    int l = clip(left, in->right), r = clip(right, in->right), t = clip(top, in->bottom),
        b = clip(bottom, in->bottom);
    return (pv__field_window){l > in->left ? l : in->left, r, t > in->top ? t : in->top, b};
}

/// Tells whether no node of a window can be within reach of a segment.
static bool is_beyond(const pv__field_window *in, pv_vec2 a, pv_vec2 b) {
    return pv__max(a.x, b.x) + FIELD_REACH < in->left ||
           pv__min(a.x, b.x) - FIELD_REACH > in->right ||
           pv__max(a.y, b.y) + FIELD_REACH < in->top ||
           pv__min(a.y, b.y) - FIELD_REACH > in->bottom;
}

static void put_strip(const pv__field *f, const pv__field_window *in, pv_vec2 a, pv_vec2 b) {
    if (is_beyond(in, a, b)) return;
    pv_vec2 way = pv__sub(b, a);
    double length = pv__length(way);
    if (length == 0) return;
    pv_vec2 u = pv__mul(1.0 / length, way);
    double wide = FIELD_REACH * pv__abs(u.y), tall = FIELD_REACH * pv__abs(u.x);
    pv__field_window to = clip_to(in, pv__min(a.x, b.x) - wide, pv__min(a.y, b.y) - tall,
                                  pv__max(a.x, b.x) + wide, pv__max(a.y, b.y) + tall);
    limit along = limit_of(u.x, -OVERLAP, length + OVERLAP),
          across = limit_of(u.y, -FIELD_REACH, FIELD_REACH);
    for (int j = to.top; j <= to.bottom; j++) {
        span s = {to.left, to.right}, piece;
        double off = -(j - a.y) * u.x - a.x * u.y;
        field_narrow(&s, &along, (j - a.y) * u.y - a.x * u.x);
        field_narrow(&s, &across, off);
        for (int16_t *node; (node = take_piece(f, j, &s, &piece));)
            for (int i = piece.from; i <= piece.to; i++)
                field_lower(&node[i], pv__abs(u.y * i + off));
    }
}

/// Returns the part of a window around a wedge at a vertex. A wedge that is not sharp contains at
/// most one axis direction.
static pv__field_window about_wedge(const pv__field_window *in, pv_vec2 at, pv_vec2 first,
                                    pv_vec2 last) {
    const double spare = 1;
    bool inner = pv__cross(first, last) < 0;
    pv_vec2 p = pv__mul(inner ? -FIELD_REACH : FIELD_REACH, inner ? last : first);
    pv_vec2 q = pv__mul(inner ? -FIELD_REACH : FIELD_REACH, inner ? first : last);
    if (pv__dot(first, last) <= 0)
        return clip_to(in, at.x - FIELD_REACH, at.y - FIELD_REACH, at.x + FIELD_REACH,
                       at.y + FIELD_REACH);
    double left = p.y > 0 && q.y < 0 ? -FIELD_REACH : pv__min(pv__min(p.x, q.x), 0);
    double right = p.y < 0 && q.y > 0 ? FIELD_REACH : pv__max(pv__max(p.x, q.x), 0);
    double top = p.x < 0 && q.x > 0 ? -FIELD_REACH : pv__min(pv__min(p.y, q.y), 0);
    double bottom = p.x > 0 && q.x < 0 ? FIELD_REACH : pv__max(pv__max(p.y, q.y), 0);
    return clip_to(in, at.x + left - spare, at.y + top - spare, at.x + right + spare,
                   at.y + bottom + spare);
}

/// Lowers the nodes of the wedge at a vertex between segments with these normals.
static void put_wedge(const pv__field *f, const pv__field_window *in, pv_vec2 at, pv_vec2 first,
                      pv_vec2 last) {
    if (is_beyond(in, at, at)) return;
    if (pv__dot(first, last) > 0 && FIELD_REACH * pv__abs(pv__cross(first, last)) < OVERLAP) return;
    pv__field_window to = about_wedge(in, at, first, last);
    limit past = limit_of(-first.y, -OVERLAP, INFINITY),
          before = limit_of(-last.y, -INFINITY, OVERLAP);
    for (int j = to.top; j <= to.bottom; j++) {
        span s = {to.left, to.right}, piece;
        double dy = j - at.y;
        field_narrow(&s, &past, first.y * at.x + first.x * dy);
        field_narrow(&s, &before, last.y * at.x + last.x * dy);
        for (int16_t *node; (node = take_piece(f, j, &s, &piece));)
            for (int i = piece.from; i <= piece.to; i++) {
                double dx = i - at.x, square = dx * dx + dy * dy, most = node[i] / FIELD_UNIT;
                if (square < most * most) field_lower(&node[i], sqrt(square));
            }
    }
}

/* ---- signs ---- */

/// Number of values up to which they are sorted by insertion
enum { FEW_CROSSINGS = 16 };

static int compare_numbers(const void *x, const void *y) {
    double p = *(const double *)x, q = *(const double *)y;
    return (p > q) - (p < q);
}

static void sort_numbers(double *x, int n) {
    if (n > FEW_CROSSINGS) {
        pv__sort(x, n, sizeof *x, compare_numbers);
        return;
    }
    for (int i = 1; i < n; i++) {
        double value = x[i];
        int k = i;
        for (; k > 0 && x[k - 1] > value; k--) x[k] = x[k - 1];
        x[k] = value;
    }
}

/// Crossings of the contour with each row of nodes. Row j has x[first[j]]...x[first[j + 1] - 1].
typedef struct crossings {
    int *first;
    double *x;
    int rows, total;
} crossings;

/// Counts the crossings of a segment per row in first. With x given, it stores them at the indices
/// in first, and advances these.
static void cross(pv_vec2 a, pv_vec2 b, int rows, int *first, double *x) {
    int top = clip(pv__min(a.y, b.y) - 1, rows - 1), bottom = clip(pv__max(a.y, b.y) + 1, rows - 1);
    for (int j = top; j <= bottom; j++) {
        double y = j + SCAN_SHIFT;
        if ((a.y > y) == (b.y > y)) continue;
        if (x) x[first[j]] = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
        first[j]++;
    }
}

static void cross_all(const pv__shape *s, crossings *c, double *x) {
    for (int i = 0; i < s->count; i++) {
        const pv__vertex *v = &s->vertices[i];
        if (v->next < 0) continue;
        cross(node_of(&s->field, v->at), node_of(&s->field, s->vertices[v->next].at), c->rows,
              c->first, x);
    }
}

/// Turns counts into the start index of each row.
static void begin_rows(crossings *c) {
    int sum = 0;
    for (int j = 0; j <= c->rows; j++) {
        int count = c->first[j];
        c->first[j] = sum;
        sum += count;
    }
    c->total = sum;
}

static void free_crossings(const pv_allocator *allocator, crossings *c) {
    pv__free(allocator, c->first, (size_t)c->rows + 1, sizeof(int));
    pv__free(allocator, c->x, (size_t)c->total + 1, sizeof(double));
}

static bool find_crossings(const pv__shape *s, crossings *c) {
    *c = (crossings){.rows = s->field.h};
    c->first = pv__alloc(&s->allocator, (size_t)c->rows + 1, sizeof(int));
    if (!c->first) return false;
    cross_all(s, c, NULL);
    begin_rows(c);
    c->x = pv__alloc(&s->allocator, (size_t)c->total + 1, sizeof(double));
    if (!c->x) return free_crossings(&s->allocator, c), false;
    /* Each row's index is afterward the next row's start. */
    cross_all(s, c, c->x);
    for (int j = c->rows; j > 0; j--) c->first[j] = c->first[j - 1];
    c->first[0] = 0;
    return true;
}

/// Eight nodes side by side
typedef int16_t field_eight __attribute__((vector_size(16)));

/// Negates nodes from ... to - 1.
static void negate_nodes(int16_t *node, int from, int to) {
    int i = from;
    for (field_eight some; i + 8 <= to; i += 8) {
        memcpy(&some, node + i, sizeof some);
        some = -some;
        memcpy(node + i, &some, sizeof some);
    }
    for (; i < to; i++) node[i] = (int16_t)-node[i];
}

/// Returns the first node of a tile's row that is not before a crossing.
static int node_behind(double x, int from) {
    double offset = pv__clamp(x - from, 0, PV__TILE);
    return (int)offset + (offset > (int)offset);
}

/// Negates the nodes of a row that lie inside, given its n crossings in order.
static void sign_row(const pv__field *f, int j, const double *x, int n) {
    int passed = 0;
    for (int column = 0; column < f->across; column++) {
        int16_t **tile = &f->tiles[(j >> PV__TILE_BITS) * f->across + column];
        int from = column << PV__TILE_BITS;
        if (is_shared(f, *tile)) {
            while (passed < n && x[passed] < from) passed++;
            *tile = nth_tile(f->slabs, passed & 1 ? INSIDE : OUTSIDE);
            continue;
        }
        int16_t *node = *tile + (j & (PV__TILE - 1)) * PV__TILE_ROW;
        for (int i = 0; i < PV__TILE;) {
            while (passed < n && x[passed] < from + i) passed++;
            int end = passed < n ? node_behind(x[passed], from) : PV__TILE;
            if (end <= i) end = i + 1;
            if (passed & 1) negate_nodes(node, i, end);
            i = end;
        }
    }
}

/// Signs that are sought
typedef struct field_signs {
    const pv__field *field;
    const crossings *crossings;
} field_signs;

/// Signs the nodes of rows of tiles.
static void sign_rows(void *work, int first, int end) {
    const field_signs *s = work;
    const crossings *c = s->crossings;
    pv__field_window in = rows_of(s->field, first, end);
    for (int j = in.top; j <= in.bottom; j++) {
        double *x = c->x + c->first[j];
        int n = c->first[j + 1] - c->first[j];
        sort_numbers(x, n);
        sign_row(s->field, j, x, n);
    }
}

static bool field_sign(pv__shape *s, const pv__runner *runner) {
    crossings c;
    if (!find_crossings(s, &c)) return false;
    field_signs signs = {&s->field, &c};
    pv__run_parts(runner, s->field.down, FIELD_GRAIN, sign_rows, &signs);
    free_crossings(&s->allocator, &c);
    return true;
}

/* ---- making ---- */

static void lay_out(pv__field *f, pv_box box) {
    double left = (double)pv__floor(box.min.x), top = (double)pv__floor(box.min.y);
    int w = (int)-pv__floor(left - box.max.x), h = (int)-pv__floor(top - box.max.y);
    f->origin = pv__vec(left - PV__FIELD_MARGIN, top - PV__FIELD_MARGIN);
    f->w = (w + 2 * PV__FIELD_MARGIN) * PV__FIELD_NODES + 1;
    f->h = (h + 2 * PV__FIELD_MARGIN) * PV__FIELD_NODES + 1;
}

bool pv__field_make(pv__shape *shape, const pv__runner *runner) {
    lay_out(&shape->field, shape->box);
    return pv__field_fill(shape, runner);
}

/// Sets the nodes of rows of tiles to their distances, without signs.
static void put_rows(void *work, int first, int end) {
    const pv__shape *shape = work;
    const pv__field *f = &shape->field;
    pv__field_window in = rows_of(f, first, end);
    for (int k = first * f->across; k < end * f->across; k++)
        if (!is_shared(f, f->tiles[k]))
            memcpy(f->tiles[k], nth_tile(f->slabs, OUTSIDE), PV__TILE_NODES * sizeof(int16_t));
    for (int i = 0; i < shape->count; i++) {
        const pv__vertex *v = &shape->vertices[i];
        if (v->next < 0) continue;
        pv_vec2 at = node_of(f, v->at);
        put_strip(f, &in, at, node_of(f, shape->vertices[v->next].at));
        put_wedge(f, &in, at, v->first, v->last);
    }
}

bool pv__field_fill(pv__shape *shape, const pv__runner *runner) {
    pv__field *f = &shape->field;
    f->across = ((f->w - 1) >> PV__TILE_BITS) + 1;
    f->down = ((f->h - 1) >> PV__TILE_BITS) + 1;
    if (!make_tiles(shape)) return false;
    pv__run_parts(runner, f->down, FIELD_GRAIN, put_rows, shape);
    if (!field_sign(shape, runner)) return false;
    pv__run_parts(runner, f->down, FIELD_GRAIN, overlap_rows, shape);
    return true;
}

/* ---- patching ---- */

/// Returns the nodes within reach of a change in a box [px].
static pv__field_window nodes_near(const pv__field *f, pv_box changed) {
    pv_vec2 low = node_of(f, changed.min), high = node_of(f, changed.max);
    return (pv__field_window){.left = clip(low.x - FIELD_REACH, f->w - 1),
                              .right = clip(high.x + FIELD_REACH + 1, f->w - 1),
                              .top = clip(low.y - FIELD_REACH, f->h - 1),
                              .bottom = clip(high.y + FIELD_REACH + 1, f->h - 1)};
}

/// Returns the places of a window, as columns and rows.
static pv__field_window places_of(const pv__field_window *w) {
    return (pv__field_window){w->left >> PV__TILE_BITS, w->right >> PV__TILE_BITS,
                              w->top >> PV__TILE_BITS, w->bottom >> PV__TILE_BITS};
}

static size_t count_places(const pv__field_window *w) {
    pv__field_window p = places_of(w);
    return (size_t)(p.right - p.left + 1) * (size_t)(p.bottom - p.top + 1);
}

/// Returns what happens to a row of places, from the place of the box's left side on.
static unsigned char *touched_in(const pv__mend *m, int row) {
    pv__field_window p = places_of(&m->box);
    return m->touched + (ptrdiff_t)(row - p.top) * (p.right - p.left + 1);
}

/// Greatest number of rows of places in a window: a small change is one window, and the flags of a
/// large one take little memory.
enum { ROWS_AT_ONCE = 8 };

/// Returns the size of the flags of the largest window.
static size_t flips_size(const pv__mend *m) {
    pv__field_window p = places_of(&m->box);
    int rows = p.bottom - p.top + 1;
    return (size_t)(m->box.right - m->box.left + 1) *
           (size_t)((rows < ROWS_AT_ONCE ? rows : ROWS_AT_ONCE) << PV__TILE_BITS);
}

/// Replaces a place's shared tile with a copy of its own.
static bool own_tile(const pv_allocator *allocator, pv__field *f, int16_t **tile) {
    if (!is_shared(f, *tile)) return true;
    pv__slab *last = &f->slabs[f->slab_count - 1];
    if (last->count == last->room) {
        if (!add_slab(allocator, f, 4 + f->slabs[0].room / 8)) return false;
        last = &f->slabs[f->slab_count - 1];
    }
    int16_t *own = nth_tile(last, last->count++);
    memcpy(own, *tile, PV__TILE_NODES * sizeof *own);
    *tile = own;
    return true;
}

bool pv__field_mend_begin(const pv__shape *shape, pv_box changed, pv__mend *m) {
    *m = (pv__mend){.box = nodes_near(&shape->field, changed)};
    m->touched = pv__alloc(&shape->allocator, count_places(&m->box), 1);
    m->flips = pv__alloc(&shape->allocator, flips_size(m), 1);
    if (m->touched && m->flips) return true;
    pv__field_mend_free(shape, m);
    return false;
}

void pv__field_mend_mark(const pv__shape *shape, const pv__mend *m, pv_box part,
                         pv__mending touch) {
    pv__field_window near = nodes_near(&shape->field, part), box = places_of(&m->box);
    near = clip_to(&m->box, near.left, near.top, near.right, near.bottom);
    pv__field_window places = places_of(&near);
    for (int row = places.top; row <= places.bottom; row++) {
        unsigned char *touched = touched_in(m, row) - box.left;
        for (int column = places.left; column <= places.right; column++)
            if (touched[column] < touch) touched[column] = (unsigned char)touch;
    }
}

bool pv__field_reserve(pv__shape *shape, const pv__mend *m) {
    pv__field *f = &shape->field;
    pv__field_window p = places_of(&m->box);
    for (int row = p.top; row <= p.bottom; row++) {
        unsigned char *touched = touched_in(m, row) - p.left;
        for (int column = p.left; column <= p.right; column++) {
            int16_t **tile = &f->tiles[row * f->across + column];
            if (touched[column] == PV__UNTOUCHED) continue;
            /* A tile of its own may be within reach of edges that stay. */
            if (!is_shared(f, *tile)) touched[column] = PV__REACHED;
            if (touched[column] == PV__REACHED && !own_tile(&shape->allocator, f, tile))
                return false;
        }
    }
    return true;
}

/// Returns the counterpart of a field's tile in the single slab of its copy.
static int16_t *counterpart(const pv__field *from, const int16_t *tile, const pv__slab *slab) {
    int before = 0;
    for (const pv__slab *s = from->slabs;; before += s++->count) {
        uintptr_t off = (uintptr_t)tile - (uintptr_t)s->nodes, size = PV__TILE_NODES * sizeof *tile;
        if ((uintptr_t)tile >= (uintptr_t)s->nodes && off < (uintptr_t)s->count * size)
            return nth_tile(slab, before + (int)(off / size));
    }
}

bool pv__field_copy(pv__field *copy, const pv_allocator *allocator) {
    const pv__field from = *copy;
    size_t places = (size_t)from.across * (size_t)from.down;
    int room = 0;
    for (int i = 0; i < from.slab_count; i++) room += from.slabs[i].count;
    copy->slabs = NULL;
    copy->slab_count = copy->slab_capacity = 0;
    copy->tiles = pv__alloc(allocator, places, sizeof *copy->tiles);
    if (!copy->tiles || !add_slab(allocator, copy, room)) {
        pv__field_free(copy, allocator);
        return false;
    }
    pv__slab *slab = copy->slabs;
    for (int i = 0; i < from.slab_count; slab->count += from.slabs[i++].count)
        memcpy(nth_tile(slab, slab->count), from.slabs[i].nodes,
               (size_t)from.slabs[i].count * PV__TILE_NODES * sizeof(int16_t));
    for (size_t k = 0; k < places; k++) copy->tiles[k] = counterpart(&from, from.tiles[k], slab);
    return true;
}

void pv__field_mend_free(const pv__shape *shape, pv__mend *m) {
    pv__free(&shape->allocator, m->touched, count_places(&m->box), 1);
    pv__free(&shape->allocator, m->flips, flips_size(m), 1);
    m->touched = NULL;
    m->flips = NULL;
}

bool pv__field_reaches(const pv__shape *shape, pv_box box) {
    const pv__field *f = &shape->field;
    pv_vec2 low = node_of(f, box.min), high = node_of(f, box.max);
    double margin = PV__FIELD_MARGIN * PV__FIELD_NODES;
    return low.x >= margin && low.y >= margin && high.x <= f->w - 1 - margin &&
           high.y <= f->h - 1 - margin;
}

static int16_t *node_at(const pv__field *f, int i, int j) {
    return tile_at(f, i >> PV__TILE_BITS, j >> PV__TILE_BITS) +
           (j & (PV__TILE - 1)) * PV__TILE_ROW + (i & (PV__TILE - 1));
}

/// Flips the first node behind each crossing of a segment with the window's rows.
static void flip(const pv__field_window *p, unsigned char *flips, pv_vec2 a, pv_vec2 b) {
    int top = clip(pv__min(a.y, b.y) - 1, p->bottom),
        bottom = clip(pv__max(a.y, b.y) + 1, p->bottom);
    for (int j = top > p->top ? top : p->top; j <= bottom; j++) {
        double y = j + SCAN_SHIFT;
        if ((a.y > y) == (b.y > y)) continue;
        double x = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
        int behind = x < 0 ? 0 : (int)pv__floor(x) + 1;
        if (x < p->left - 1 && p->left > 0) continue;
        if (behind <= p->right)
            flips[(j - p->top) * (p->right - p->left + 1) + behind - p->left] ^= 1;
    }
}

/// Tells whether a node is inside, from all crossings at its left.
static bool inside_by_crossings(const pv__shape *s, int i, int j) {
    const pv__field *f = &s->field;
    double y = j + SCAN_SHIFT, height = f->origin.y + y / PV__FIELD_NODES;
    pv_box near = {{-INFINITY, height - 5},
                   {f->origin.x + (double)i / PV__FIELD_NODES + 5, height + 5}};
    bool inside = false;
    int at = 0;
    for (const pv__node *n; (n = pv__shape_tree_next(&s->near_blocks, &near, &at));)
        for (int k = n->first; k < n->end; k++)
            for (int v = s->blocks[k].first; v < s->blocks[k].end; v++) {
                pv_vec2 a = node_of(f, s->vertices[v].at),
                        b = node_of(f, s->vertices[s->vertices[v].next].at);
                if ((a.y > y) != (b.y > y) && a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x) < i)
                    inside = !inside;
            }
    return inside;
}

/// Tells whether the node before a row of the window is inside; it is out of reach of the change, or
/// of an earlier window. A value of 0 has no sign, so the crossings decide.
static bool starts_inside(const pv__shape *s, const pv__field_window *p, int j) {
    if (p->left == 0) return false;
    int16_t before = *node_at(&s->field, p->left - 1, j);
    return before != 0 ? before < 0 : inside_by_crossings(s, p->left - 1, j);
}

static void negate(const pv__field *f, int j, int from, int to) {
    span rest = {from, to}, piece;
    for (int16_t *node; (node = take_piece(f, j, &rest, &piece));)
        for (int i = piece.from; i <= piece.to; i++) node[i] = (int16_t)-node[i];
}

/// Returns the first index of a row from one on that has a crossing, or its end.
static int next_flip(const unsigned char *row, int from, int end) {
    const unsigned char *found = from < end ? memchr(row + from, 1, (size_t)(end - from)) : NULL;
    return found ? (int)(found - row) : end;
}

static void sign_window(const pv__shape *s, const pv__field_window *p, const unsigned char *flips) {
    const int wide = p->right - p->left + 1;
    for (int j = p->top; j <= p->bottom; j++) {
        const unsigned char *row = flips + (ptrdiff_t)(j - p->top) * wide;
        bool inside = starts_inside(s, p, j);
        for (int from = 0, to = next_flip(row, 0, wide); from < wide;
             to = next_flip(row, to + 1, wide)) {
            if (inside) negate(&s->field, j, p->left + from, p->left + to - 1);
            inside = !inside;
            from = to;
        }
    }
}

/// Sets all nodes of the window to the greatest distance.
static void clear_window(const pv__field *f, const pv__field_window *p) {
    for (int j = p->top; j <= p->bottom; j++) {
        span rest = {p->left, p->right}, piece;
        for (int16_t *node; (node = take_piece(f, j, &rest, &piece));)
            for (int i = piece.from; i <= piece.to; i++)
                node[i] = (int16_t)(PV__FIELD_REACH * PV__FIELD_SCALE);
    }
}

/// Recomputes the nodes of a window.
static void patch_window(const pv__shape *s, const pv__field_window *p, unsigned char *flips) {
    const pv__field *f = &s->field;
    const double wide =
        PV__FIELD_REACH + 4; /* An edge may extend by these 4 px beyond the box of its block. */
    pv_box near = {{f->origin.x + (double)p->left / PV__FIELD_NODES - wide,
                    f->origin.y + (double)p->top / PV__FIELD_NODES - wide},
                   {f->origin.x + (double)p->right / PV__FIELD_NODES + wide,
                    f->origin.y + (double)p->bottom / PV__FIELD_NODES + wide}};
    clear_window(f, p);
    memset(flips, 0, (size_t)(p->right - p->left + 1) * (size_t)(p->bottom - p->top + 1));
    int at = 0;
    for (const pv__node *n; (n = pv__shape_tree_next(&s->near_blocks, &near, &at));)
        for (int k = n->first; k < n->end; k++)
            for (int i = s->blocks[k].first; i < s->blocks[k].end; i++) {
                const pv__vertex *v = &s->vertices[i];
                pv_vec2 a = node_of(f, v->at), b = node_of(f, s->vertices[v->next].at);
                put_strip(f, p, a, b);
                put_wedge(f, p, a, v->first, v->last);
                flip(p, flips, a, b);
            }
    sign_window(s, p, flips);
}

/// Makes the places of a window inside or outside. They have shared tiles, out of reach of edges.
static void exchange_sides(const pv__shape *s, const pv__field_window *w) {
    const pv__field *f = &s->field;
    const pv__field_window p = places_of(w);
    for (int row = p.top; row <= p.bottom; row++) {
        int first = row << PV__TILE_BITS;
        bool inside = starts_inside(s, w, first > w->top ? first : w->top);
        for (int column = p.left; column <= p.right; column++)
            f->tiles[row * f->across + column] = nth_tile(f->slabs, inside ? INSIDE : OUTSIDE);
    }
}

/// Returns the end of the rows that are touched like the first of them.
static int end_of_rows(const pv__mend *m, int first) {
    pv__field_window p = places_of(&m->box);
    int end = first + 1;
    while (end <= p.bottom && end < first + ROWS_AT_ONCE &&
           memcmp(touched_in(m, end), touched_in(m, first), (size_t)(p.right - p.left + 1)) == 0)
        end++;
    return end;
}

/// Finds the next run of places of some rows that are touched alike, from column *at on, and
/// advances *at. Returns PV__UNTOUCHED at the end.
static pv__mending next_window(const pv__mend *m, int row, int end, int *at, pv__field_window *w) {
    pv__field_window p = places_of(&m->box);
    const unsigned char *touched = touched_in(m, row) - p.left;
    while (*at <= p.right && touched[*at] == PV__UNTOUCHED) ++*at;
    if (*at > p.right) return PV__UNTOUCHED;
    int first = *at;
    while (*at <= p.right && touched[*at] == touched[first]) ++*at;
    *w = clip_to(&m->box, first << PV__TILE_BITS, row << PV__TILE_BITS, (*at << PV__TILE_BITS) - 1,
                 (end << PV__TILE_BITS) - 1);
    return (pv__mending)touched[first];
}

/// Overlaps the tiles of a window, and those at its left and above it.
static void overlap_window(const pv__field *f, const pv__field_window *w) {
    pv__field_window p = places_of(w);
    for (int row = p.top > 0 ? p.top - 1 : 0; row <= p.bottom; row++)
        for (int column = p.left > 0 ? p.left - 1 : 0; column <= p.right; column++)
            overlap_tile(f, column, row);
}

void pv__field_patch(pv__shape *s, const pv__mend *m) {
    pv__field_window p = places_of(&m->box), w;
    pv__mending how;
    for (int row = p.top, end; row <= p.bottom; row = end) {
        end = end_of_rows(m, row);
        for (int at = p.left; (how = next_window(m, row, end, &at, &w)) != PV__UNTOUCHED;)
            if (how == PV__REACHED)
                patch_window(s, &w, m->flips);
            else
                exchange_sides(s, &w);
    }
    for (int row = p.top, end; row <= p.bottom; row = end) {
        end = end_of_rows(m, row);
        for (int at = p.left; next_window(m, row, end, &at, &w) != PV__UNTOUCHED;)
            overlap_window(&s->field, &w);
    }
}
