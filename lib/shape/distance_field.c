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
/// Least number of rows of places that a thread recomputes.
enum { PATCHED_ROWS = 8 };

static pv_vec2 node_of(const pv__field *f, pv_vec2 at) {
    return pv__mul(PV__FIELD_NODES, pv__sub(at, f->origin));
}

static int clip(double x, int most) { return (int)pv__floor(pv__clamp(x, 0, most)); }

/// Returns the nodes of a tile.
static int16_t *tile_at(const pv__field *f, int column, int row) {
    return f->tiles[row * f->across + column];
}

/// Returns the tile of all places that are out of reach, inside or outside.
static int16_t *shared_tile(const pv__field *f, bool inside) {
    return f->shared + (inside ? PV__TILE_NODES : 0);
}

static bool is_shared(const pv__field *f, const int16_t *tile) {
    return tile == shared_tile(f, false) || tile == shared_tile(f, true);
}

/* ---- tiles ---- */

static size_t tile_count(const pv__field *f) { return (size_t)f->across * (size_t)f->down; }

/// Replaces a tile with a copy of its own. Returns false without memory.
static bool own_tile(const pv_allocator *allocator, int16_t **tile) {
    int16_t *own = pv__alloc(allocator, PV__TILE_NODES, sizeof *own);
    if (!own) return false;
    memcpy(own, *tile, PV__TILE_NODES * sizeof *own);
    *tile = own;
    return true;
}

/// Makes the two shared tiles. All places are outside. Returns false without memory.
static bool make_tiles(const pv_allocator *allocator, pv__field *f) {
    const int16_t far = (int16_t)(PV__FIELD_REACH * PV__FIELD_SCALE);
    f->tiles = pv__alloc(allocator, tile_count(f), sizeof *f->tiles);
    f->shared = f->tiles ? pv__alloc(allocator, 2 * PV__TILE_NODES, sizeof *f->shared) : NULL;
    if (!f->shared) return false;
    for (int k = 0; k < PV__TILE_NODES; k++) {
        shared_tile(f, false)[k] = far;
        shared_tile(f, true)[k] = (int16_t)-far;
    }
    for (size_t k = 0; k < tile_count(f); k++) f->tiles[k] = shared_tile(f, false);
    return true;
}

void pv__field_free(pv__field *f, const pv_allocator *allocator) {
    for (size_t k = 0; f->shared && k < tile_count(f); k++)
        if (!is_shared(f, f->tiles[k]))
            pv__free(allocator, f->tiles[k], PV__TILE_NODES, sizeof **f->tiles);
    pv__free(allocator, f->shared, 2 * PV__TILE_NODES, sizeof *f->shared);
    pv__free(allocator, f->tiles, tile_count(f), sizeof *f->tiles);
    f->shared = NULL;
    f->tiles = NULL;
}

bool pv__field_copy(pv__field *copy, const pv_allocator *allocator) {
    const pv__field from = *copy;
    bool made = make_tiles(allocator, copy);
    for (size_t k = 0; made && k < tile_count(copy); k++) {
        int16_t *tile = from.tiles[k];
        if (is_shared(&from, tile))
            copy->tiles[k] = shared_tile(copy, tile == shared_tile(&from, true));
        else if ((made = own_tile(allocator, &tile)))
            copy->tiles[k] = tile;
    }
    if (!made) pv__field_free(copy, allocator);
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

/// Returns the nodes of a row of a window, which is in one tile, at their indices.
static inline int16_t *row_of(const pv__field *f, const pv__field_window *in, int row) {
    return pv__field_node(f, in->left, row) - in->left;
}

/// Lowers a node to a distance. It has no branch, because that would be unpredictable.
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
        span s = {to.left, to.right};
        int16_t *node = row_of(f, in, j);
        double off = -(j - a.y) * u.x - a.x * u.y;
        field_narrow(&s, &along, (j - a.y) * u.y - a.x * u.x);
        field_narrow(&s, &across, off);
        for (int i = s.from; i <= s.to; i++) field_lower(&node[i], pv__abs(u.y * i + off));
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
        span s = {to.left, to.right};
        int16_t *node = row_of(f, in, j);
        double dy = j - at.y;
        field_narrow(&s, &past, first.y * at.x + first.x * dy);
        field_narrow(&s, &before, last.y * at.x + last.x * dy);
        for (int i = s.from; i <= s.to; i++) {
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

/// Returns what happens to a row of places, from the place of the box's left side on.
static unsigned char *touched_in(const pv__mend *m, int row) {
    const pv__field_window p = m->places;
    return m->touched + (ptrdiff_t)(row - p.top) * (p.right - p.left + 1);
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
            /* A tile of its own may be within reach of edges that stay. */
            if (!is_shared(f, *tile))
                touched[column] = PV__REACHED;
            else if (touched[column] == PV__REACHED && !own_tile(&m->shape->allocator, tile))
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

/// Flips the first node behind each crossing of a segment with the window's rows.
/// @param flips for each row, a bit of each node behind an odd number of crossings
static void flip(const pv__field_window *p, uint32_t *flips, pv_vec2 a, pv_vec2 b) {
    int top = clip(pv__min(a.y, b.y) - 1, p->bottom),
        bottom = clip(pv__max(a.y, b.y) + 1, p->bottom);
    for (int j = top > p->top ? top : p->top; j <= bottom; j++) {
        double y = j + SCAN_SHIFT;
        if ((a.y > y) == (b.y > y)) continue;
        double x = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
        int behind = (x < 0 ? 0 : (int)pv__floor(x) + 1) - p->left;
        if (x < p->left - 1 && p->left > 0) continue;
        if (behind <= p->right - p->left) flips[j - p->top] ^= UINT32_C(1) << behind;
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

/// Returns a bit for each row of a window, set if the node before it is inside. That node is out of
/// reach of the change. A value of 0 has no sign, so the crossings decide.
static uint32_t inside_before(const pv__shape *s, const pv__field_window *p) {
    uint32_t inside = 0;
    for (int j = p->top; p->left > 0 && j <= p->bottom; j++) {
        int16_t node = *pv__field_node(&s->field, p->left - 1, j);
        bool is_in = node != 0 ? node < 0 : inside_by_crossings(s, p->left - 1, j);
        inside |= (uint32_t)is_in << (j - p->top);
    }
    return inside;
}

/// Negates the nodes of a window that are inside.
/// @param inside a bit for each row, set if the node before it is inside; changed to its last node
static void sign_window(const pv__field *f, const pv__field_window *p, const uint32_t *flips,
                        uint32_t *inside) {
    uint32_t ends = 0;
    for (int j = p->top; j <= p->bottom; j++) {
        int row = j - p->top, last = p->right - p->left;
        int16_t *node = pv__field_node(f, p->left, j);
        uint32_t signs = flips[row] ^ (*inside >> row & 1);
        for (int shift = 1; shift < PV__TILE; shift *= 2) signs ^= signs << shift;
        for (int i = 0; i <= last; i++) node[i] = (int16_t)(signs >> i & 1 ? -node[i] : node[i]);
        ends |= (signs >> last & 1) << row;
    }
    *inside = ends;
}

/// Recomputes the nodes of a window.
static void patch_window(const pv__shape *s, const pv__field_window *p, uint32_t *inside) {
    uint32_t flips[PV__TILE] = {0};
    const pv__field *f = &s->field;
    const double wide =
        PV__FIELD_REACH + 4; /* An edge may extend by these 4 px beyond the box of its block. */
    pv_box near = {{f->origin.x + (double)p->left / PV__FIELD_NODES - wide,
                    f->origin.y + (double)p->top / PV__FIELD_NODES - wide},
                   {f->origin.x + (double)p->right / PV__FIELD_NODES + wide,
                    f->origin.y + (double)p->bottom / PV__FIELD_NODES + wide}};
    for (int j = p->top; j <= p->bottom; j++)
        memcpy(pv__field_node(f, p->left, j), shared_tile(f, false),
               (size_t)(p->right - p->left + 1) * sizeof(int16_t));
    int at = 0;
    for (const pv__node *n; (n = pv__shape_tree_next(&s->near_blocks, &near, &at));)
        for (int k = n->first; k < n->end; k++)
            for (int i = s->blocks[k].first; i < s->blocks[k].end; i++) {
                const pv__vertex *v = &s->vertices[i];
                pv_vec2 a = node_of(f, v->at), b = node_of(f, s->vertices[v->next].at);
                if (is_beyond(p, a, b)) continue;
                put_strip(f, p, a, b);
                put_wedge(f, p, a, v->first, v->last);
                flip(p, flips, a, b);
            }
    sign_window(f, p, flips, inside);
}

/// Recomputes the windows of a row of places.
static void patch_row(const pv__mend *m, int row) {
    const pv__field *f = &m->shape->field;
    uint32_t inside = 0;
    bool follows = false; /* The row's signs continue those of the window before. */
    for (int column = m->places.left; column <= m->places.right; column++) {
        int left = column << PV__TILE_BITS, top = row << PV__TILE_BITS;
        pv__field_window w = clip_to(&m->box, left, top, left + PV__TILE - 1, top + PV__TILE - 1);
        pv__mending how = (pv__mending)touched_in(m, row)[column - m->places.left];
        if (how != PV__UNTOUCHED && !follows) inside = inside_before(m->shape, &w);
        if (how == PV__REACHED) patch_window(m->shape, &w, &inside);
        if (how == PV__EXCHANGED) /* out of reach of edges */
            f->tiles[row * f->across + column] = shared_tile(f, inside & 1);
        follows = how != PV__UNTOUCHED;
    }
}

static void patch_rows(void *work, int first, int last) {
    const pv__mend *m = work;
    for (int row = first; row < last; row++) patch_row(m, m->places.top + row);
}

/// Overlaps the tiles of the box, and those at its left and above it, in some rows from the one above
/// the box on.
static void overlap_rows(void *work, int first, int last) {
    const pv__mend *m = work;
    const pv__field_window p = m->places;
    for (int row = pv__later(p.top - 1 + first, 0); row < p.top - 1 + last; row++)
        for (int column = pv__later(p.left - 1, 0); column <= p.right; column++)
            overlap_tile(&m->shape->field, column, row);
}

void pv__field_patch(pv__mend *m, const pv__runner *runner) {
    const pv__field_window p = m->places;
    int rows = p.bottom - p.top + 1;
    pv__run_parts(runner, rows, PATCHED_ROWS, patch_rows, m);
    pv__run_parts(runner, rows + 1, PATCHED_ROWS, overlap_rows, m);
}

/* ---- making ---- */

static void lay_out(pv__field *f, pv_box box) {
    double left = (double)pv__floor(box.min.x), top = (double)pv__floor(box.min.y);
    int w = (int)-pv__floor(left - box.max.x), h = (int)-pv__floor(top - box.max.y);
    f->origin = pv__vec(left - PV__FIELD_MARGIN, top - PV__FIELD_MARGIN);
    f->w = (w + 2 * PV__FIELD_MARGIN) * PV__FIELD_NODES + 1;
    f->h = (h + 2 * PV__FIELD_MARGIN) * PV__FIELD_NODES + 1;
}

/// Marks the places near the contour as reached. All others only have a side.
static void mark_all(const pv__mend *m) {
    const pv__shape *s = m->shape;
    memset(m->touched, PV__EXCHANGED, count_places(m));
    for (int i = 0; i < s->count; i++) {
        const pv__vertex *v = &s->vertices[i];
        if (v->next < 0) continue;
        pv__field_mend_mark(m, pv__box_around(v->at, s->vertices[v->next].at), PV__REACHED);
    }
}

bool pv__field_fill(pv__shape *shape, const pv__runner *runner) {
    pv__field *f = &shape->field;
    pv__mend all;
    if (!begin(shape, (pv__field_window){0, f->w - 1, 0, f->h - 1}, &all)) return false;
    f->across = all.places.right + 1;
    f->down = all.places.bottom + 1;
    mark_all(&all);
    bool made = make_tiles(&shape->allocator, f) && pv__field_reserve(&all);
    if (made) pv__field_patch(&all, runner);
    pv__field_mend_free(&all);
    return made;
}

bool pv__field_make(pv__shape *shape, const pv__runner *runner) {
    lay_out(&shape->field, shape->box);
    return pv__field_fill(shape, runner);
}
