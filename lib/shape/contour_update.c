/* contour_update.c - updates a contour near changed pixels, and compacts it.
 *
 * Invariant: the contour between two vertices stays the same to the bit, unless a pixel at its
 * edges changed. New edges are fitted like those of a whole mask, between the ends of the old
 * contour. Every step that can fail comes before the first change.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "shape/contour_update.h"
#include "base/base.h"
#include "shape/contour_loop.h"
#include "shape/distance_field.h"

#include <string.h>

/// Greatest number of pixel edges between neighboring vertices; number of edges around new ones
/// that help to detect corners; distance up to which changed pixels affect vertices [px].
enum { LONGEST_WAY = 256, AROUND = 8, UPDATE_NEAR = AROUND + PV__SPAN };

/// Position and direction on a walk along pixel edges.
typedef struct walker {
    int x, y, way;
} walker;

/// Run of vertices whose next edges are broken. The vertices from and to stay.
typedef struct chain {
    int from, to;
    /// Sides that end at from and begin at to, or -1
    int left, right;
    /// True if a piece already ends at the end of this chain
    bool taken;
} chain;

typedef struct graft {
    pv__shape *shape;
    const pv__change *change;
    const pv_allocator *allocator;
    /// Vertices whose edge to the next one has changed
    int *broken;
    chain *chains;
    /// Fits of the new edges; fits of loops have no end vertices
    pv__fitted *pieces;
    pv_point *trail;
    /// Grid of half pixels around the change, with a bit for each edge that a piece or loop covers;
    /// place of its first bit
    pv__bits seen;
    pv_point seen_at;
    int broken_count, broken_room, chain_count, chain_room, piece_count, piece_room, trail_count,
        trail_room;
    pv_box changed;
    /// True if the contour or its field does not fit the change, so that both are made anew
    bool lost;
} graft;

/* ---- pixels ---- */

static bool gone_at(const graft *g, int x, int y) {
    return pv__bits_is_solid(g->change->gone, x - g->change->at.x, y - g->change->at.y);
}

/// Tells whether a pixel at a corner has changed.
static bool touched(const graft *g, int x, int y) {
    return gone_at(g, x, y) || gone_at(g, x - 1, y) || gone_at(g, x, y - 1) ||
           gone_at(g, x - 1, y - 1);
}

static bool solid(const graft *g, int x, int y, bool before) {
    return pv__bits_is_solid(g->change->now, x, y) != (before && gone_at(g, x, y));
}

static pv_point edge_of(walker w) {
    return (pv_point){2 * w.x + pv__way[w.way].x, 2 * w.y + pv__way[w.way].y};
}

/// Tells whether the pixel ahead on the right of a walker is solid, if it heads a given way.
static bool solid_ahead(const graft *g, const walker *w, int way, bool before) {
    pv_point ahead = pv__ahead[way & 3];
    return solid(g, w->x + ahead.x, w->y + ahead.y, before);
}

/// Puts the walker at the start of an edge. Returns false if there is no edge.
static bool update_start(const graft *g, pv_point edge, bool before, walker *w) {
    int level = edge.x & 1, way = !level;
    *w = (walker){(edge.x - level) / 2, (edge.y - way) / 2, way};
    bool right = solid_ahead(g, w, way, before), left = solid_ahead(g, w, way + 3, before);
    if (!right) *w = (walker){w->x + pv__way[way].x, w->y + pv__way[way].y, way + 2};
    return right != left;
}

static void advance(const graft *g, walker *w, bool before) {
    w->x += pv__way[w->way].x;
    w->y += pv__way[w->way].y;
    w->way = pv__bits_turn(w->way, solid_ahead(g, w, w->way + 3, before),
                           solid_ahead(g, w, w->way, before), false);
}

/* ---- edges that a piece or loop covers ---- */

static bool make_seen(graft *g) {
    const pv__bits *gone = g->change->gone;
    const int beyond = UPDATE_NEAR + 4;
    g->seen_at = (pv_point){2 * (g->change->at.x - beyond), 2 * (g->change->at.y - beyond)};
    g->seen = (pv__bits){2 * gone->w + 4 * beyond + 1, 2 * gone->h + 4 * beyond + 1, NULL};
    g->seen.words =
        pv__alloc(g->allocator, pv__bits_word_count(g->seen.w, g->seen.h), sizeof *g->seen.words);
    return g->seen.words != NULL;
}

static void see(graft *g, pv_point edge) {
    int x = edge.x - g->seen_at.x, y = edge.y - g->seen_at.y;
    if (x >= 0 && y >= 0 && x < g->seen.w && y < g->seen.h)
        *pv__bits_at(&g->seen, x, y) |= UINT64_C(1) << (x & 63);
}

static bool is_seen(const graft *g, pv_point edge) {
    return pv__bits_is_solid(&g->seen, edge.x - g->seen_at.x, edge.y - g->seen_at.y);
}

/* ---- broken edges of the contour ---- */

/// Tells whether pixels changed along the old edges from a vertex to the next one.
static bool is_broken(graft *g, const pv__vertex *v) {
    pv_point end = g->shape->vertices[v->next].edge;
    walker w;
    if (!update_start(g, v->edge, true, &w)) return g->lost = true;
    if (pv__same_pixel(v->edge, end)) return touched(g, w.x, w.y);
    for (int i = 0; i < LONGEST_WAY; i++) {
        if (pv__same_pixel(edge_of(w), end)) return false;
        advance(g, &w, true);
        if (touched(g, w.x, w.y)) return true;
    }
    return g->lost = true;
}

static bool look_at_block(graft *g, const pv__block *b, const pv_box *near) {
    pv__shape *s = g->shape;
    for (int i = b->first; i < b->end; i++) {
        pv__vertex *v = &s->vertices[i];
        if (!pv_box_contains(*near, v->at) || !is_broken(g, v)) continue;
        if (g->lost || !PV__APPEND(g->allocator, g->broken, g->broken_room, g->broken_count, i))
            return false;
        v->broken = true;
        pv__enclose(&g->changed, v->at);
        pv__enclose(&g->changed, s->vertices[v->next].at);
    }
    return true;
}

static bool find_broken(graft *g) {
    const pv__shape *s = g->shape;
    const pv__change *c = g->change;
    pv_box near = {{c->at.x - UPDATE_NEAR, c->at.y - UPDATE_NEAR},
                   {c->at.x + c->gone->w + UPDATE_NEAR, c->at.y + c->gone->h + UPDATE_NEAR}};
    int at = 0;
    for (const pv__node *n; (n = pv__shape_tree_next(&s->near_blocks, &near, &at));)
        for (int k = n->first; k < n->end; k++)
            if (!look_at_block(g, &s->blocks[k], &near)) return false;
    return true;
}

static bool find_chains(graft *g) {
    const pv__vertex *v = g->shape->vertices;
    for (int i = 0; i < g->broken_count; i++) {
        int from = g->broken[i], to = v[from].next;
        if (v[v[from].previous].broken) continue;
        while (v[to].broken) to = v[to].next;
        if (!PV__APPEND(g->allocator, g->chains, g->chain_room, g->chain_count,
                        (chain){from, to, -1, -1, false}))
            return false;
    }
    return true;
}

/// Tells whether a vertex has broken edges on both sides, and so is removed.
static bool goes(const pv__shape *s, int i) {
    return s->vertices[i].broken && s->vertices[s->vertices[i].previous].broken;
}

/* ---- pieces: new edges between two vertices that stay ---- */

static bool add_step(graft *g, walker w) {
    return PV__APPEND(g->allocator, g->trail, g->trail_room, g->trail_count, (pv_point){w.x, w.y});
}

/// Returns the vertex at which the old contour resumes at an edge and takes it, or returns -1.
static int take_end(const graft *g, pv_point edge) {
    for (int i = 0; i < g->chain_count; i++) {
        chain *c = &g->chains[i];
        if (c->taken || !pv__same_pixel(g->shape->vertices[c->to].edge, edge)) continue;
        c->taken = true;
        return c->to;
    }
    return -1;
}

/// Indices at which a trail leaves and rejoins the old contour.
typedef struct passage {
    /// Vertices at the ends
    int from, to;
    /// Range of new edges of the trail
    int first, end;
    /// Edges of the two vertices in the trail
    int begin, last;
} passage;

/// Walks along the new edges from a vertex on until the old contour resumes. The trail extends a
/// few edges beyond both ends.
static bool walk_piece(graft *g, passage *p) {
    const pv__vertex *v = g->shape->vertices;
    walker w;
    int back = p->from;
    for (int i = 0; i <= AROUND / PV__SPAN && !v[v[back].previous].broken; i++)
        back = v[back].previous;
    p->begin = p->first = p->to = -1;
    g->trail_count = 0;
    if (!update_start(g, v[back].edge, false, &w)) return !(g->lost = true);
    for (;;) {
        pv_point edge = edge_of(w);
        if (p->begin < 0 && pv__same_pixel(edge, v[p->from].edge)) p->begin = g->trail_count;
        if (p->first >= 0) p->to = take_end(g, edge);
        if (p->begin >= 0) see(g, edge);
        if (p->to >= 0) break;
        if (g->trail_count > 0 && pv__same_pixel(edge, v[back].edge))
            /* The walk came full circle without meeting the old contour. */
            return !(g->lost = true);
        if (!add_step(g, w)) return false;
        advance(g, &w, false);
        if (!touched(g, w.x, w.y)) continue;
        if (p->begin < 0) return !(g->lost = true);
        if (p->first < 0) p->first = g->trail_count;
        p->end = g->trail_count;
    }
    p->last = g->trail_count;
    for (int i = 0; i <= AROUND; i++, advance(g, &w, false))
        if (!add_step(g, w)) return false;
    g->trail_count--;
    return true;
}

/// Returns the point of the old contour between two vertices that is nearest to an edge of the
/// trail.
static pv_vec2 update_joint(const graft *g, int edge, pv_vec2 from, pv_vec2 to) {
    pv_point p = g->trail[edge], q = g->trail[edge + 1];
    return pv__nearest_between(from, to, pv__vec(0.5 * (p.x + q.x), 0.5 * (p.y + q.y)));
}

static pv__fitted *add_piece(graft *g) {
    if (!PV__RESERVE(g->allocator, g->pieces, g->piece_room, g->piece_count + 1)) return NULL;
    pv__fitted *p = &g->pieces[g->piece_count++];
    *p = (pv__fitted){.from = -1};
    return p;
}

static bool make_piece(graft *g, int from) {
    const pv__vertex *v = g->shape->vertices;
    passage p = {.from = from};
    if (!walk_piece(g, &p)) return false;
    const pv__vertex *u = &v[from], *w = &v[p.to];
    pv_vec2 joints[4] = {u->at, u->at, w->at, w->at};
    if (p.first > p.begin) joints[1] = update_joint(g, p.first - 1, u->at, v[u->next].at);
    if (p.end <= p.last) joints[2] = update_joint(g, p.end, v[w->previous].at, w->at);
    pv__fitted *made = add_piece(g);
    if (!made || !pv__contour_fit_piece(g->allocator, g->trail, g->trail_count, p.first, p.end,
                                        joints, made))
        return false;
    made->from = from;
    made->to = p.to;
    return true;
}

static bool make_pieces(graft *g) {
    for (int i = 0; i < g->chain_count; i++)
        if (!make_piece(g, g->chains[i].from)) return false;
    return true;
}

/* ---- loops: closed contours of new edges ---- */

/// Reduces the closed trail to its corners, in place. Returns them with the enclosed area.
static pv_contour corners_of(graft *g) {
    int n = g->trail_count, count = 0;
    int64_t area = 0;
    pv_point first = g->trail[0], before = g->trail[n - 1];
    for (int i = 0; i < n; i++) {
        pv_point p = g->trail[i], q = i + 1 < n ? g->trail[i + 1] : first;
        area += (int64_t)p.x * (q.y - p.y);
        bool straight = p.x - before.x == q.x - p.x && p.y - before.y == q.y - p.y;
        before = p;
        if (!straight) g->trail[count++] = p;
    }
    return (pv_contour){g->trail, count, -1, area};
}

static bool make_loop(graft *g, pv_point edge) {
    walker w;
    if (is_seen(g, edge) || !update_start(g, edge, false, &w)) return true;
    g->trail_count = 0;
    do {
        see(g, edge_of(w));
        if (!add_step(g, w)) return false;
        advance(g, &w, false);
    } while (!pv__same_pixel(edge_of(w), edge));
    pv_contour c = corners_of(g);
    pv__fitted *made = add_piece(g);
    return made && pv__contour_fit_loop(g->allocator, &c, made);
}

static bool make_loops_at(graft *g, int x, int y) {
    return make_loop(g, (pv_point){2 * x + 1, 2 * y}) &&
           make_loop(g, (pv_point){2 * x + 1, 2 * y + 2}) &&
           make_loop(g, (pv_point){2 * x, 2 * y + 1}) &&
           make_loop(g, (pv_point){2 * x + 2, 2 * y + 1});
}

/// Makes loops at each changed pixel with an unchanged neighbor, and at the remains of removed
/// loops.
static bool make_loops(graft *g) {
    const pv__bits *gone = g->change->gone;
    pv_point at = g->change->at;
    for (int y = 0; y < gone->h; y++)
        for (pv__run run = {0, 0}; pv__mask_run_next(gone, y, &run);)
            for (int x = run.start; x < run.end; x++) {
                bool within = x > run.start && x + 1 < run.end &&
                              pv__bits_is_solid(gone, x, y - 1) &&
                              pv__bits_is_solid(gone, x, y + 1);
                if (!within && !make_loops_at(g, at.x + x, at.y + y)) return false;
            }
    for (int i = 0; i < g->broken_count; i++)
        if (goes(g->shape, g->broken[i]) && !make_loop(g, g->shape->vertices[g->broken[i]].edge))
            return false;
    return true;
}

/* ---- memory ---- */

static bool reserve(graft *g) {
    pv__shape *s = g->shape;
    const pv_allocator *a = g->allocator;
    int more = 0, blocks;
    for (int i = 0; i < g->piece_count; i++) more += pv__contour_loop_most(&g->pieces[i]);
    blocks = more / PV__BLOCK + g->piece_count + g->broken_count + 2;
    int sides = more + g->piece_count + 1;
    return PV__RESERVE(a, s->vertices, s->capacity, s->count + more) &&
           PV__RESERVE(a, s->sides, s->side_capacity, s->side_count + sides) &&
           PV__RESERVE(a, s->blocks, s->block_capacity, s->block_count + blocks) &&
           PV__RESERVE(a, s->near_blocks.nodes, s->near_blocks.capacity,
                       s->near_blocks.count + blocks) &&
           PV__RESERVE(a, s->near_sides.nodes, s->near_sides.capacity, s->near_sides.count + sides);
}

/* ---- sides that stay ---- */

/// Splits off the part of a side after a piece as a side of its own. Returns its index.
static int cut_off(pv__shape *s, int from, int side) {
    int made = s->side_count++;
    s->sides[made] = s->sides[side];
    s->sides[made].from = from;
    for (int i = from; i != s->sides[made].to; i = s->vertices[i].next) s->vertices[i].side = made;
    return made;
}

/// Removes the edges of a chain from the sides.
static void cut_sides(pv__shape *s, chain *c) {
    int last = s->vertices[s->vertices[c->to].previous].side;
    if (last >= 0 && s->sides[last].to != c->to) c->right = cut_off(s, c->to, last);
    /* Both are one side where the remaining vertices lie on one side. */
    c->left = s->vertices[c->from].side;
    for (int i = s->vertices[c->from].next; i != c->to; i = s->vertices[i].next) {
        int side = s->vertices[i].side;
        if (side >= 0 && side != c->left && side != c->right) s->sides[side].length = -1;
    }
    if (c->left >= 0) s->sides[c->left].to = c->from;
}

/// Updates the length of a side with a new end. Drops a side that has become too short.
static void end_side(pv__shape *s, pv__side *k) {
    const pv__vertex *from = &s->vertices[k->from], *to = &s->vertices[k->to];
    k->length = pv__dot(pv__sub(to->at, from->at), pv__perp(k->normal));
    bool is_short = k->length < PV__SPAN && !(from->corner && to->corner);
    if (!is_short && from != to) return;
    for (int i = k->from; i != k->to; i = s->vertices[i].next) s->vertices[i].side = -1;
    k->length = -1;
}

/// Tells whether a vertex lies on a side's line.
static bool is_on(const pv__shape *s, int vertex, const pv__side *side) {
    pv_vec2 arm = pv__sub(s->vertices[vertex].at, s->vertices[side->from].at);
    return pv__abs(pv__dot(arm, side->normal)) < PV__CLOSE;
}

/// Returns the side that ends at a chain, or -1. A later cut may have replaced the noted side.
static int left_of(const pv__shape *s, const chain *c) {
    int left = c->left;
    if (left >= 0 && s->sides[left].to != c->from)
        left = s->vertices[s->vertices[c->from].previous].side;
    return left >= 0 && s->sides[left].to == c->from && s->sides[left].length >= 0 ? left : -1;
}

/// Extends a side that ended at a chain to the joint with the new edges.
static void mend_left(pv__shape *s, const chain *c, int begin) {
    int next = s->vertices[c->from].next, left = left_of(s, c);
    s->vertices[c->from].side = -1;
    if (left < 0) return;
    if (next >= begin && is_on(s, next, &s->sides[left])) {
        s->sides[left].to = next;
        s->vertices[c->from].side = left;
    }
    end_side(s, &s->sides[left]);
}

static void mend_right(pv__shape *s, const chain *c, int begin) {
    int previous = s->vertices[c->to].previous;
    if (c->right < 0 || s->sides[c->right].length < 0) return;
    if (previous >= begin && is_on(s, previous, &s->sides[c->right])) {
        s->sides[c->right].from = previous;
        s->vertices[previous].side = c->right;
    }
    end_side(s, &s->sides[c->right]);
}

/* ---- blocks ---- */

static bool is_alive(const pv__shape *s, int i) { return s->vertices[i].next >= 0; }

/// Reduces a block to vertices that still exist. A run after a gap becomes a block of its own.
static void shrink(pv__shape *s, int block) {
    int first = s->blocks[block].first, end = s->blocks[block].end;
    bool own = false;
    for (int i = first, begin; i < end;) {
        while (i < end && !is_alive(s, i)) i++;
        for (begin = i; i < end && is_alive(s, i);) i++;
        if (begin == i) break;
        if (own)
            pv__shape_add_block(s, begin, i);
        else
            s->blocks[block].first = begin, s->blocks[block].end = i;
        own = true;
    }
    if (!own) s->blocks[block].end = first;
    s->blocks[block].box = pv__shape_block_box(s, &s->blocks[block]);
}

static void shrink_blocks(pv__shape *s, const pv_box *changed) {
    int count = s->block_count, at = 0;
    for (const pv__node *n; (n = pv__shape_tree_next(&s->near_blocks, changed, &at));)
        for (int k = n->first; k < n->end && k < count; k++)
            if (pv__boxes_touch(&s->blocks[k].box, changed)) shrink(s, k);
}

/* ---- the change ---- */

/// Marks vertices as removed. The remaining vertices are already linked past them.
static void drop_vertices(graft *g) {
    pv__shape *s = g->shape;
    for (int i = 0; i < g->broken_count; i++) {
        pv__vertex *v = &s->vertices[g->broken[i]];
        if (!goes(s, g->broken[i])) continue;
        v->next = v->previous = v->side = -1;
        s->alive--;
    }
}

/// Drops sides that begin at a removed vertex and were not cut: the sides of removed loops.
static void drop_sides(graft *g) {
    pv__shape *s = g->shape;
    for (int i = 0; i < g->broken_count; i++) {
        int side = goes(s, g->broken[i]) ? s->vertices[g->broken[i]].side : -1;
        if (side >= 0 && goes(s, s->sides[side].from)) s->sides[side].length = -1;
    }
}

static void commit(graft *g) {
    pv__shape *s = g->shape;
    int vertices = s->count, blocks = s->block_count, sides = s->side_count;
    for (int i = 0; i < g->chain_count; i++) cut_sides(s, &g->chains[i]);
    drop_sides(g);
    for (int i = 0; i < g->piece_count; i++) pv__contour_loop_put(s, &g->pieces[i]);
    for (int i = 0; i < g->chain_count; i++) mend_left(s, &g->chains[i], vertices);
    for (int i = 0; i < g->chain_count; i++) mend_right(s, &g->chains[i], vertices);
    s->alive += s->count - vertices;
    drop_vertices(g);
    shrink_blocks(s, &g->changed);
    pv__shape_add_blocks(s, vertices, blocks, sides);
    s->grafted = true;
    s->corner_count = 0;
    s->circle_radius = 0;
}

static void enclose_pieces(graft *g) {
    for (int i = 0; i < g->piece_count; i++)
        for (int k = 0; k < g->pieces[i].count; k++)
            pv__enclose(&g->changed, g->pieces[i].spots[k].at);
}

static bool prepare(graft *g) {
    if (!make_seen(g) || !find_broken(g) || !find_chains(g) || !make_pieces(g) || !make_loops(g))
        return false;
    enclose_pieces(g);
    if (!pv__field_reaches(g->shape, g->changed)) g->lost = true;
    return !g->lost && reserve(g);
}

static void mark_part(const pv__mend *mend, pv_vec2 a, pv_vec2 b, pv__mending how) {
    pv__field_mend_mark(mend, pv__box_around(a, b), how);
}

/// Marks the field along an edge. A long diagonal edge passes few of the places in its box.
static void mark_edge(const pv__mend *mend, pv_vec2 a, pv_vec2 b) {
    int parts = 1 + (int)(pv__length(pv__sub(b, a)) / PV__TILE);
    for (int i = 0; i < parts; i++)
        mark_part(mend, pv__lerp(a, b, (double)i / parts), pv__lerp(a, b, (double)(i + 1) / parts),
                  PV__REACHED);
}

/// Marks the field at the changed pixels. Signs change there even far from all edges.
static void mark_pixels(const graft *g, const pv__mend *mend) {
    const pv__bits *gone = g->change->gone;
    for (int y = 0; y < gone->h; y++)
        for (pv__run run = {0, 0}; pv__mask_run_next(gone, y, &run);)
            mark_part(mend, pv__vec(g->change->at.x + run.start, g->change->at.y + y),
                      pv__vec(g->change->at.x + run.end, g->change->at.y + y + 1), PV__EXCHANGED);
}

/// Marks the field at broken edges and at new ones.
static void mark_edges(const graft *g, const pv__mend *mend) {
    const pv__vertex *v = g->shape->vertices;
    for (int i = 0; i < g->broken_count; i++)
        mark_edge(mend, v[g->broken[i]].at, v[v[g->broken[i]].next].at);
    for (int i = 0; i < g->piece_count; i++) {
        const pv__fitted *p = &g->pieces[i];
        if (p->from < 0 && p->count == 0) continue;
        pv_vec2 last = p->from < 0 ? p->spots[p->count - 1].at : v[p->from].at;
        for (int k = 0; k < p->count; last = p->spots[k++].at)
            mark_edge(mend, last, p->spots[k].at);
        if (p->from >= 0) mark_edge(mend, last, v[p->to].at);
    }
}

static bool replace(graft *g) {
    pv__mend mend;
    if (!pv__field_mend_begin(g->shape, g->changed, &mend)) return false;
    mark_pixels(g, &mend);
    mark_edges(g, &mend);
    bool room = pv__field_reserve(&mend);
    if (room) {
        commit(g);
        pv__field_patch(&mend, NULL);
    }
    pv__field_mend_free(&mend);
    return room;
}

static void free_graft(graft *g) {
    for (int i = 0; i < g->broken_count; i++) g->shape->vertices[g->broken[i]].broken = false;
    for (int i = 0; i < g->piece_count; i++) pv__contour_fitted_free(g->allocator, &g->pieces[i]);
    PV__FREE(g->allocator, g->broken, g->broken_room);
    PV__FREE(g->allocator, g->chains, g->chain_room);
    PV__FREE(g->allocator, g->pieces, g->piece_room);
    PV__FREE(g->allocator, g->trail, g->trail_room);
    PV__FREE(g->allocator, g->seen.words, pv__bits_word_count(g->seen.w, g->seen.h));
}

pv_status pv__contour_update(pv__shape *shape, const pv__change *change) {
    graft g = {.shape = shape, .change = change, .allocator = &shape->allocator};
    g.changed = (pv_box){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    bool made = prepare(&g);
    if (made && g.changed.min.x <= g.changed.max.x) made = replace(&g);
    free_graft(&g);
    if (!made) return g.lost ? PV_ERROR_FORMAT : PV_ERROR_MEMORY;
    return PV_OK;
}

/* ---- compacts a contour after many changes ----
 *
 * Invariant: no vertex, side or edge changes, only its index. Neighbors along the contour are
 * neighbors in the arrays, so that the trees over them have small boxes.
 */

/// Copies the vertices without gaps, loop by loop. Stores the new index of each vertex in place.
static void gather_vertices(const pv__shape *from, pv__shape *to, int *place) {
    pv__vertex *all = to->vertices;
    to->count = 0;
    for (int i = 0; i < from->count; i++) place[i] = -1;
    for (int i = 0; i < from->count; i++)
        for (int k = i; from->vertices[k].next >= 0 && place[k] < 0; k = from->vertices[k].next) {
            all[to->count] = from->vertices[k];
            place[k] = to->count++;
        }
    for (int i = 0; i < to->count; i++) {
        all[i].next = place[all[i].next];
        all[i].previous = place[all[i].previous];
    }
}

/// Copies the sides in the order of the vertices at which they begin.
static void gather_sides(const pv__shape *from, pv__shape *to, const int *place) {
    to->side_count = 0;
    for (int i = 0; i < to->count; i++) {
        const pv__side *k = &from->sides[pv__later(to->vertices[i].side, 0)];
        if (to->vertices[i].side < 0 || place[k->from] != i) continue;
        to->sides[to->side_count++] = (pv__side){i, place[k->to], k->normal, k->length};
    }
    for (int i = 0; i < to->side_count; i++)
        for (int v = to->sides[i].from; v != to->sides[i].to; v = to->vertices[v].next)
            to->vertices[v].side = i;
}

/// Rebuilds all arrays without removed elements. Without memory nothing changes.
static void compact(pv__shape *shape, int *place) {
    pv__shape fresh = *shape;
    fresh.capacity = shape->alive + 1;
    fresh.side_capacity = shape->side_count + 1;
    fresh.vertices = pv__alloc(&shape->allocator, (size_t)fresh.capacity, sizeof(pv__vertex));
    fresh.sides = pv__alloc(&shape->allocator, (size_t)fresh.side_capacity, sizeof(pv__side));
    fresh.blocks = NULL;
    fresh.block_capacity = 0;
    fresh.near_blocks = fresh.near_sides = (pv__tree){NULL, 0, 0};
    bool made = fresh.vertices && fresh.sides;
    if (made) {
        gather_vertices(shape, &fresh, place);
        gather_sides(shape, &fresh, place);
        made = pv__shape_make_blocks(&fresh);
    }
    pv__shape_free_arrays(made ? shape : &fresh);
    if (made) *shape = fresh;
}

void pv__contour_compact(pv__shape *shape) {
    /* Nodes added since the trees were built, few enough to be searched one by one. */
    enum { LOOSE = 96 };
    int loose =
        shape->near_blocks.count - shape->tidy_blocks + shape->near_sides.count - shape->tidy_sides;
    if (loose < LOOSE + (shape->tidy_blocks + shape->tidy_sides) / 4) return;
    pv_allocator allocator = shape->allocator;
    size_t count = (size_t)shape->count;
    int *place = pv__alloc(&allocator, count, sizeof *place);
    if (place) compact(shape, place);
    pv__free(&allocator, place, count, sizeof *place);
}
