/* pv_tape_shape.c - contours of carved masks as bytes.
 *
 * Invariant: a contour that has followed cuts is not that of a mask made from scratch, so it is there as it stands, in the order
 * in which it is met; its field is made anew, which comes to the same bits. What is read can be walked along without end or
 * harm.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_tape.h"

/// The field of a contour reaches beyond its mask by less [px]; no shape has more of anything.
enum { BEYOND = 64, MOST = 1 << 27 };

static void tape_vertex(pv__tape *t, pv__vertex *v) {
    pv__tape_int(t, &v->next, -1, MOST);
    if (v->next < 0) {
        if (t->reads) v->previous = v->side = -1;
        return;
    }
    bool *const flags[] = {&v->sharp, &v->corner};
    pv__tape_int(t, &v->previous, 0, MOST);
    pv__tape_int(t, &v->side, -1, MOST);
    pv__tape_int(t, &v->edge.x, -MOST, MOST);
    pv__tape_int(t, &v->edge.y, -MOST, MOST);
    pv__tape_flags(t, flags, 2);
    PV__TAPE_SPAN(t, pv__vertex, v, at, curvature);
}

static void tape_side(pv__tape *t, pv__side *s) {
    if (t->reads) *s = (pv__side){.from = 0};
    pv__tape_int(t, &s->from, 0, MOST);
    pv__tape_int(t, &s->to, 0, MOST);
    PV__TAPE_SPAN(t, pv__side, s, normal, length);
}

/// Boxes may be infinite.
static void tape_range(pv__tape *t, pv_box *box, int *first, int *end) {
    pv__tape_words(t, box, 4);
    pv__tape_int(t, first, 0, MOST);
    pv__tape_int(t, end, *first, MOST);
}

static void tape_whole(pv__tape *t, pv__shape *s) {
    pv__tape_vec(t, &s->field.origin);
    pv__tape_int(t, &s->field.w, 1, MOST);
    pv__tape_int(t, &s->field.h, 1, MOST);
    pv__tape_int(t, &s->alive, 0, s->count);
    pv__tape_int(t, &s->tidy_blocks, 0, s->near_blocks.count);
    pv__tape_int(t, &s->tidy_sides, 0, s->near_sides.count);
    PV__TAPE_SPAN(t, pv__shape, s, box, core_depth);
}

static bool tape_tree(pv__tape *t, const pv_allocator *allocator, pv__tree *tree) {
    if (!pv__tape_count(t, allocator, &tree->nodes, &tree->capacity, &tree->count, sizeof(pv__node), 44))
        return false;
    for (int i = 0; i < tree->count; i++) {
        pv__node *n = &tree->nodes[i];
        if (t->reads) *n = (pv__node){.first = 0};
        tape_range(t, &n->box, &n->first, &n->end);
        pv__tape_int(t, &n->after, i + 1, tree->count);
    }
    return !t->broken;
}

static bool tape_arrays(pv__tape *t, pv__shape *s) {
    const pv_allocator *a = &s->allocator;
    if (!pv__tape_count(t, a, &s->vertices, &s->capacity, &s->count, sizeof(pv__vertex), 4)) return false;
    for (int i = 0; i < s->count; i++) {
        if (t->reads) s->vertices[i] = (pv__vertex){0};
        tape_vertex(t, &s->vertices[i]);
    }
    if (!pv__tape_count(t, a, &s->sides, &s->side_capacity, &s->side_count, sizeof(pv__side), 32)) return false;
    for (int i = 0; i < s->side_count; i++) tape_side(t, &s->sides[i]);
    if (!pv__tape_count(t, a, &s->blocks, &s->block_capacity, &s->block_count, sizeof(pv__block), 40))
        return false;
    for (int i = 0; i < s->block_count; i++)
        tape_range(t, &s->blocks[i].box, &s->blocks[i].first, &s->blocks[i].end);
    return tape_tree(t, a, &s->near_blocks) && tape_tree(t, a, &s->near_sides);
}

/* ---- what is read ---- */

static bool is_alive(const pv__shape *s, int i) { return i >= 0 && i < s->count && s->vertices[i].next >= 0; }

static bool links(const pv__shape *s) {
    int alive = 0;
    for (int i = 0; i < s->count; i++) {
        const pv__vertex *v = &s->vertices[i];
        if (v->next < 0) continue;
        alive++;
        if (!is_alive(s, v->next) || s->vertices[v->next].previous != i || v->side >= s->side_count)
            return false;
        if (!is_alive(s, v->previous)) return false;
    }
    return alive == s->alive;
}

/// Whether a side's end is reached from its beginning, along vertices that say they are its.
static bool is_side(const pv__shape *s, int side) {
    const pv__side *k = &s->sides[side];
    if (k->length < 0) return true;
    if (!is_alive(s, k->from) || !is_alive(s, k->to)) return false;
    int i = k->from;
    for (int steps = 0; i != k->to && steps <= s->count; steps++) {
        if (s->vertices[i].side != side) return false;
        i = s->vertices[i].next;
    }
    return i == k->to;
}

static bool holds(const pv__tree *tree, int count) {
    for (int i = 0; i < tree->count; i++)
        if (tree->nodes[i].end > count) return false;
    return true;
}

static bool is_good(const pv__shape *s, const pv_mask *mask) {
    const pv__field *f = &s->field;
    int most_w = (mask->bits.w + BEYOND) * PV__FIELD_NODES, most_h = (mask->bits.h + BEYOND) * PV__FIELD_NODES;
    if (f->w > most_w || f->h > most_h || !pv__placeable(f->origin) || !links(s)) return false;
    for (int i = 0; i < s->side_count; i++)
        if (!is_side(s, i)) return false;
    for (int i = 0; i < s->block_count; i++)
        for (int k = s->blocks[i].first; k < s->blocks[i].end; k++)
            if (!is_alive(s, k)) return false;
    return holds(&s->near_blocks, s->block_count) && holds(&s->near_sides, s->side_count);
}

static bool read_shape(pv__tape *t, pv_mask *mask) {
    pv__shape *s = pv__alloc(&mask->allocator, 1, sizeof *s);
    if (!s) return false;
    s->allocator = mask->allocator;
    bool read = tape_arrays(t, s);
    if (read) tape_whole(t, s);
    t->broken |= read && !t->broken && !is_good(s, mask);
    read = read && !t->broken && pv__field_fill(s);
    return pv__mask_adopt(mask, s, read);
}

bool pv__tape_shape(pv__tape *t, pv_mask *mask) {
    pv__shape *shape = t->reads ? NULL : pv__mask_altered(mask);
    bool altered = shape;
    bool *const flags[] = {&altered};
    pv__tape_flags(t, flags, 1);
    if (!altered) return !t->broken;
    if (t->reads) return read_shape(t, mask);
    tape_arrays(t, shape);
    tape_whole(t, shape);
    return true;
}
