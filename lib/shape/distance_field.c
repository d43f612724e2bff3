/* distance_field.c - signed distances to a contour, sampled on a grid.
 *
 * Invariant: node (i, j) lies at origin + (i, j) / NODES. It holds the distance to the nearest
 * segment of the contour, negative inside, clamped to REACH. Lengths in this file are in nodes.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "shape/distance_field.h"
#include "base/base.h"

#include <string.h>

/// Offset of the scan lines from the rows of nodes [nodes]. Coordinates of fitted vertices never
/// have this fraction, so none lies on a scan line.
static const double SCAN_SHIFT = 1.0 / 4096;
/// Greatest distance that nodes hold [nodes], and the number of distance units per node.
static const double FIELD_REACH = PV__FIELD_REACH * PV__FIELD_NODES,
                    FIELD_UNIT = PV__FIELD_SCALE / PV__FIELD_NODES;
/// Overlap of neighboring regions [nodes]. Rounding then leaves no node between them.
static const double OVERLAP = 1e-3;
/// Indices of the tiles that places out of reach share, and their number. These tiles come first in
/// the first slab.
enum { OUTSIDE, INSIDE, SHARED };

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

/// Copies the first column and row of the tiles to the right and below into a tile's last ones.
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

/* ---- distances: a segment owns the strip across it, a vertex the wedge between the strips of
 * its segments (Mauch 2003) ---- */

/// Range of nodes of a row, both ends included.
typedef struct span {
    int from, to;
} span;

/// Bounds of step * i + offset for node i. Only the offset changes from row to row.
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

/// Cuts off the part of a span that lies in its first tile. Returns the tile's row, indexed by the
/// field's columns, or null for an empty span.
static inline int16_t *take_piece(const pv__field *f, int row, span *rest, span *piece) {
    if (rest->from > rest->to) return NULL;
    int column = rest->from >> PV__TILE_BITS, last = (column << PV__TILE_BITS) + PV__TILE - 1;
    *piece = (span){rest->from, last < rest->to ? last : rest->to};
    rest->from = piece->to + 1;
    return tile_at(f, column, row >> PV__TILE_BITS) + (row & (PV__TILE - 1)) * PV__TILE_ROW -
           (column << PV__TILE_BITS);
}

/// Lowers a node to a distance. It avoids a branch, which would be unpredictable.
static inline void field_lower(int16_t *node, double distance) {
    int16_t d = (int16_t)(distance * FIELD_UNIT + 0.5);
    *node = d < *node ? d : *node;
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

static size_t count_places(const pv__mend *m) {
    const pv__field_window p = m->places;
    return (size_t)(p.right - p.left + 1) * (size_t)(p.bottom - p.top + 1);
}

/// Returns the marks of a row of places, from the left side of the box on.
static unsigned char *touched_in(const pv__mend *m, int row) {
    const pv__field_window p = m->places;
    return m->touched + (ptrdiff_t)(row - p.top) * (p.right - p.left + 1);
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

static bool begin(pv__shape *shape, pv__field_window box, pv__mend *m) {
    *m = (pv__mend){.shape = shape, .box = box, .places = places_of(&box)};
    m->touched = pv__alloc(&shape->allocator, count_places(m), 1);
    return m->touched != NULL;
}

bool pv__field_mend_begin(pv__shape *shape, pv_box changed, pv__mend *m) {
    return begin(shape, nodes_near(&shape->field, changed), m);
}

void pv__field_mend_mark(const pv__mend *m, pv_box part, pv__mending touch) {
    pv__field_window near = nodes_near(&m->shape->field, part);
    near = clip_to(&m->box, near.left, near.top, near.right, near.bottom);
    pv__field_window places = places_of(&near);
    for (int row = places.top; row <= places.bottom; row++) {
        unsigned char *touched = touched_in(m, row) - m->places.left;
        for (int column = places.left; column <= places.right; column++)
            if (touched[column] < touch) touched[column] = (unsigned char)touch;
    }
}

bool pv__field_reserve(const pv__mend *m) {
    pv__field *f = &m->shape->field;
    const pv__field_window p = m->places;
    for (int row = p.top; row <= p.bottom; row++) {
        unsigned char *touched = touched_in(m, row) - p.left;
        for (int column = p.left; column <= p.right; column++) {
            int16_t **tile = &f->tiles[row * f->across + column];
            if (touched[column] == PV__UNTOUCHED) continue;
            /* An unshared tile may be within reach of edges that stay. */
            if (!is_shared(f, *tile)) touched[column] = PV__REACHED;
            if (touched[column] == PV__REACHED && !own_tile(&m->shape->allocator, f, tile))
                return false;
        }
    }
    return true;
}

void pv__field_mend_free(pv__mend *m) {
    pv__free(&m->shape->allocator, m->touched, count_places(m), 1);
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

/// Side of the largest window [places]. Its flips take 8 kB of stack.
enum { WINDOW = 8 };

/// Bits for the nodes of a window. A bit is set if the contour crosses the row an odd number of
/// times right before that node
typedef struct field_flips {
    uint64_t rows[WINDOW * PV__TILE][WINDOW * PV__TILE / 64];
} field_flips;

/// Flips the first node after each crossing of a segment with the window's rows.
static void flip(const pv__field_window *p, field_flips *flips, pv_vec2 a, pv_vec2 b) {
    int top = clip(pv__min(a.y, b.y) - 1, p->bottom),
        bottom = clip(pv__max(a.y, b.y) + 1, p->bottom);
    for (int j = top > p->top ? top : p->top; j <= bottom; j++) {
        double y = j + SCAN_SHIFT;
        if ((a.y > y) == (b.y > y)) continue;
        double x = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
        int behind = (x < 0 ? 0 : (int)pv__floor(x) + 1) - p->left;
        if (x < p->left - 1 && p->left > 0) continue;
        if (behind <= p->right - p->left)
            flips->rows[j - p->top][behind >> 6] ^= UINT64_C(1) << (behind & 63);
    }
}

/// Tells whether a node is inside, by counting all crossings to its left.
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

/// Tells whether the node left of a row of the window is inside. That node is out of reach of the
/// change or in an earlier window. A value of 0 has no sign, so crossings decide.
static bool starts_inside(const pv__shape *s, const pv__field_window *p, int j) {
    if (p->left == 0) return false;
    int16_t before = *node_at(&s->field, p->left - 1, j);
    return before != 0 ? before < 0 : inside_by_crossings(s, p->left - 1, j);
}

/// Eight nodes side by side
typedef int16_t field_eight __attribute__((vector_size(16)));

/// Negates the nodes from...to of a row.
static void negate(const pv__field *f, int j, int from, int to) {
    span rest = {from, to}, piece;
    for (int16_t *node; (node = take_piece(f, j, &rest, &piece));) {
        int i = piece.from;
        for (field_eight some; i + 7 <= piece.to; i += 8) {
            memcpy(&some, node + i, sizeof some);
            some = -some;
            memcpy(node + i, &some, sizeof some);
        }
        for (; i <= piece.to; i++) node[i] = (int16_t)-node[i];
    }
}

/// Returns the first flipped node of a row, starting at from, or end.
static int next_flip(const uint64_t *row, int from, int end) {
    for (; from < end; from = (from | 63) + 1) {
        uint64_t word = row[from >> 6] >> (from & 63);
        if (word) return from + __builtin_ctzll(word);
    }
    return end;
}

static void sign_window(const pv__shape *s, const pv__field_window *p, const field_flips *flips) {
    const int wide = p->right - p->left + 1;
    for (int j = p->top; j <= p->bottom; j++) {
        const uint64_t *row = flips->rows[j - p->top];
        bool inside = starts_inside(s, p, j);
        for (int from = 0, to = next_flip(row, 0, wide); from < wide; inside = !inside) {
            if (inside) negate(&s->field, j, p->left + from, p->left + to - 1);
            from = to;
            to = next_flip(row, to + 1, wide);
        }
    }
}

/// Sets all nodes of the window to the greatest distance.
static void clear_window(const pv__field *f, const pv__field_window *p) {
    for (int j = p->top; j <= p->bottom; j++) {
        span rest = {p->left, p->right}, piece;
        for (int16_t *node; (node = take_piece(f, j, &rest, &piece));)
            memcpy(node + piece.from, nth_tile(f->slabs, OUTSIDE),
                   (size_t)(piece.to - piece.from + 1) * sizeof *node);
    }
}

/// Recomputes the nodes of a window.
static void patch_window(const pv__shape *s, const pv__field_window *p) {
    field_flips flips = {0};
    const pv__field *f = &s->field;
    const double wide =
        PV__FIELD_REACH + 4; /* An edge may extend by these 4 px beyond the box of its block. */
    pv_box near = {{f->origin.x + (double)p->left / PV__FIELD_NODES - wide,
                    f->origin.y + (double)p->top / PV__FIELD_NODES - wide},
                   {f->origin.x + (double)p->right / PV__FIELD_NODES + wide,
                    f->origin.y + (double)p->bottom / PV__FIELD_NODES + wide}};
    clear_window(f, p);
    int at = 0;
    for (const pv__node *n; (n = pv__shape_tree_next(&s->near_blocks, &near, &at));)
        for (int k = n->first; k < n->end; k++)
            for (int i = s->blocks[k].first; i < s->blocks[k].end; i++) {
                const pv__vertex *v = &s->vertices[i];
                pv_vec2 a = node_of(f, v->at), b = node_of(f, s->vertices[v->next].at);
                if (is_beyond(p, a, b)) continue;
                put_strip(f, p, a, b);
                put_wedge(f, p, a, v->first, v->last);
                flip(p, &flips, a, b);
            }
    sign_window(s, p, &flips);
}

/// Makes the places of a window inside or outside. No edge is within reach, so they share tiles.
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

/// Returns the end of the rows from first on, up to most, that have the same marks as first.
static int end_of_rows(const pv__mend *m, int first, int most) {
    const pv__field_window p = m->places;
    int end = first + 1;
    while (end < most && end < first + WINDOW &&
           memcmp(touched_in(m, end), touched_in(m, first), (size_t)(p.right - p.left + 1)) == 0)
        end++;
    return end;
}

/// Finds the next window of equally marked places in rows row...end - 1, from column *at on.
/// Advances *at. Returns PV__UNTOUCHED at the end.
static pv__mending next_window(const pv__mend *m, int row, int end, int *at, pv__field_window *w) {
    const pv__field_window p = m->places;
    const unsigned char *touched = touched_in(m, row) - p.left;
    while (*at <= p.right && touched[*at] == PV__UNTOUCHED) ++*at;
    if (*at > p.right) return PV__UNTOUCHED;
    int first = *at;
    while (*at <= p.right && *at < first + WINDOW && touched[*at] == touched[first]) ++*at;
    *w = clip_to(&m->box, first << PV__TILE_BITS, row << PV__TILE_BITS, (*at << PV__TILE_BITS) - 1,
                 (end << PV__TILE_BITS) - 1);
    return (pv__mending)touched[first];
}

/// Recomputes rows first...last - 1 of places, counted from the first row of the box.
static void patch_rows(void *work, int first, int last) {
    const pv__mend *m = work;
    const pv__field_window p = m->places;
    pv__field_window w;
    pv__mending how;
    for (int row = p.top + first, end; row < p.top + last; row = end) {
        end = end_of_rows(m, row, p.top + last);
        for (int at = p.left; (how = next_window(m, row, end, &at, &w)) != PV__UNTOUCHED;)
            if (how == PV__REACHED)
                patch_window(m->shape, &w);
            else
                exchange_sides(m->shape, &w);
    }
}

static bool is_touched(const pv__mend *m, int column, int row) {
    const pv__field_window p = m->places;
    return column >= p.left && column <= p.right && row >= p.top && row <= p.bottom &&
           touched_in(m, row)[column - p.left] != PV__UNTOUCHED;
}

/// Overlaps the tiles of touched places, and those to the left of them and above them. Rows
/// first...last - 1 count from the row above the box.
static void overlap_rows(void *work, int first, int last) {
    const pv__mend *m = work;
    const pv__field_window p = m->places;
    for (int row = p.top - 1 + first; row < p.top - 1 + last; row++)
        for (int column = p.left - 1; row >= 0 && column <= p.right; column++)
            if (column >= 0 &&
                (is_touched(m, column, row) || is_touched(m, column + 1, row) ||
                 is_touched(m, column, row + 1) || is_touched(m, column + 1, row + 1)))
                overlap_tile(&m->shape->field, column, row);
}

void pv__field_patch(pv__mend *m, const pv__runner *runner) {
    const pv__field_window p = m->places;
    int rows = p.bottom - p.top + 1;
    pv__run_parts(runner, rows, WINDOW, patch_rows, m);
    pv__run_parts(runner, rows + 1, WINDOW, overlap_rows, m);
}

/* ---- making ---- */

static void lay_out(pv__field *f, pv_box box) {
    double left = (double)pv__floor(box.min.x), top = (double)pv__floor(box.min.y);
    int w = (int)-pv__floor(left - box.max.x), h = (int)-pv__floor(top - box.max.y);
    f->origin = pv__vec(left - PV__FIELD_MARGIN, top - PV__FIELD_MARGIN);
    f->w = (w + 2 * PV__FIELD_MARGIN) * PV__FIELD_NODES + 1;
    f->h = (h + 2 * PV__FIELD_MARGIN) * PV__FIELD_NODES + 1;
}

/// Marks the places near the contour as reached. All others are just inside or outside. Returns the
/// number of reached places.
static int mark_all(const pv__mend *m) {
    const pv__shape *s = m->shape;
    int reached = 0;
    memset(m->touched, PV__EXCHANGED, count_places(m));
    for (int i = 0; i < s->count; i++) {
        const pv__vertex *v = &s->vertices[i];
        if (v->next < 0) continue;
        pv__field_mend_mark(m, pv__box_around(v->at, s->vertices[v->next].at), PV__REACHED);
    }
    for (size_t k = 0; k < count_places(m); k++) reached += m->touched[k] == PV__REACHED;
    return reached;
}

/// Makes the two shared tiles and room for others more. All places start outside. Returns false
/// without memory.
static bool make_tiles(const pv_allocator *allocator, pv__field *f, int others) {
    const int16_t far = (int16_t)(PV__FIELD_REACH * PV__FIELD_SCALE);
    size_t places = (size_t)f->across * (size_t)f->down;
    f->tiles = pv__alloc(allocator, places, sizeof *f->tiles);
    if (!f->tiles || !add_slab(allocator, f, SHARED + others)) return false;
    f->slabs->count = SHARED;
    for (int k = 0; k < PV__TILE_NODES; k++) {
        nth_tile(f->slabs, OUTSIDE)[k] = far;
        nth_tile(f->slabs, INSIDE)[k] = (int16_t)-far;
    }
    for (size_t k = 0; k < places; k++) f->tiles[k] = nth_tile(f->slabs, OUTSIDE);
    return true;
}

bool pv__field_copy(pv__field *copy, const pv_allocator *allocator) {
    const pv__field from = *copy;
    size_t places = (size_t)from.across * (size_t)from.down;
    int others = 0;
    for (size_t k = 0; k < places; k++) others += !is_shared(&from, from.tiles[k]);
    copy->slabs = NULL;
    copy->slab_count = copy->slab_capacity = 0;
    if (!make_tiles(allocator, copy, others)) {
        pv__field_free(copy, allocator);
        return false;
    }
    pv__slab *slab = copy->slabs;
    for (size_t k = 0; k < places; k++)
        if (from.tiles[k] == nth_tile(from.slabs, INSIDE)) {
            copy->tiles[k] = nth_tile(slab, INSIDE);
        } else if (!is_shared(&from, from.tiles[k])) {
            copy->tiles[k] = nth_tile(slab, slab->count++);
            memcpy(copy->tiles[k], from.tiles[k], PV__TILE_NODES * sizeof(int16_t));
        }
    return true;
}

bool pv__field_fill(pv__shape *shape, const pv__runner *runner) {
    pv__field *f = &shape->field;
    pv__mend all;
    if (!begin(shape, (pv__field_window){0, f->w - 1, 0, f->h - 1}, &all)) return false;
    f->across = all.places.right + 1;
    f->down = all.places.bottom + 1;
    bool made = make_tiles(&shape->allocator, f, mark_all(&all)) && pv__field_reserve(&all);
    if (made) pv__field_patch(&all, runner);
    pv__field_mend_free(&all);
    return made;
}

bool pv__field_make(pv__shape *shape, const pv__runner *runner) {
    lay_out(&shape->field, shape->box);
    return pv__field_fill(shape, runner);
}
