/* stream_shape.c - transfers masks with their contours, and material maps, as bytes or by index.
 *
 * Invariant: an updated contour differs from a fresh one, so it is stored as it is, in its own
 * order. Its field is recomputed with the same bits. Any contour that was read can be traversed
 * safely, and the traversal ends.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/report.h"
#include "core/world_lock.h"
#include "shape/distance_field.h"
#include "snapshot/fields.h"

/// Greatest margin of a contour's field around its mask [px]
enum { BEYOND = 64 };

static const pv__field_row vertex_fields[] = {
    PV__INTS(pv__vertex, next, 0, -1, PV__STREAM_MOST),
    PV__WHEN(pv__vertex, next, 0), /* a removed one has only this mark */
    PV__INTS(pv__vertex, edge, 0, -PV__STREAM_MOST, PV__STREAM_MOST),
    PV__FLAG(pv__vertex, sharp, 0),
    PV__FLAG(pv__vertex, corner, 0),
    PV__DOUBLES(pv__vertex, at, 0, PV__RANGE_FINITE),
    PV__DOUBLES(pv__vertex, normal, 0, PV__RANGE_FINITE),
    PV__DOUBLES(pv__vertex, first, 0, PV__RANGE_FINITE),
    PV__DOUBLES(pv__vertex, last, 0, PV__RANGE_FINITE),
    PV__DOUBLES(pv__vertex, curvature, 0, -1e6, 1e6),
};
static const pv__field_row side_fields[] = {
    PV__INTS(pv__side, from, 0, 0, PV__STREAM_MOST),
    PV__INTS(pv__side, to, 0, 0, PV__STREAM_MOST),
    PV__DOUBLES(pv__side, normal, 0, PV__RANGE_FINITE),
    PV__DOUBLES(pv__side, length, 0, PV__RANGE_FINITE),
};
static const pv__field_row block_fields[] = {
    PV__INTS(pv__block, first, 0, 0, PV__STREAM_MOST),
    PV__INTS(pv__block, end, 0, 0, PV__STREAM_MOST),
};
static const pv__field_row node_fields[] = {
    PV__DOUBLES(pv__node, box, 0, -INFINITY, INFINITY), /* infinite if empty */
    PV__INTS(pv__node, first, 0, 0, PV__STREAM_MOST),
    PV__INTS(pv__node, end, 0, 0, PV__STREAM_MOST),
    PV__INTS(pv__node, after, 0, 0, PV__STREAM_MOST),
};
#define NODES(tree)                                                                                \
    PV__LIST(pv__shape, tree.nodes, tree.capacity, tree.count, pv__node, node_fields, 0)
static const pv__field_row shape_fields[] = {
    PV__LIST(pv__shape, vertices, capacity, count, pv__vertex, vertex_fields, 0),
    PV__LIST(pv__shape, sides, side_capacity, side_count, pv__side, side_fields, 0),
    PV__LIST(pv__shape, blocks, block_capacity, block_count, pv__block, block_fields, 0),
    NODES(near_blocks),
    NODES(near_sides),
    PV__DOUBLES(pv__shape, field.origin, 0, PV__RANGE_FINITE),
    PV__INTS(pv__shape, field.w, 0, 1, PV__STREAM_MOST),
    PV__INTS(pv__shape, field.h, 0, 1, PV__STREAM_MOST),
    PV__INTS(pv__shape, tidy_blocks, 0, 0, PV__STREAM_MOST),
    PV__INTS(pv__shape, tidy_sides, 0, 0, PV__STREAM_MOST),
    PV__DOUBLES(pv__shape, reach, 0, 0, PV_MAX_COORDINATE),
    PV__DOUBLES(pv__shape, core, 0, PV__RANGE_FINITE),
    PV__DOUBLES(pv__shape, core_depth, 0, PV__RANGE_FINITE),
};

/* ---- validation, stage by stage: each relies on those before it ----
 *
 * Back links, boxes and counts are not in the stream. They are derived from the rest here.
 */

static bool is_alive(const pv__shape *s, int i) {
    return i >= 0 && i < s->count && s->vertices[i].next >= 0;
}

/// Links each vertex to the one before it. Fails unless next is a permutation of the living
/// vertices, so that a walk along the contour returns to its start.
static bool link_loops(pv__shape *s) {
    for (int i = 0; i < s->count; i++) s->vertices[i].previous = s->vertices[i].side = -1;
    for (int i = 0; i < s->count; i++) {
        int next = s->vertices[i].next;
        if (next < 0) continue;
        if (!is_alive(s, next) || s->vertices[next].previous >= 0) return false;
        s->vertices[next].previous = i;
        s->alive++;
    }
    return true;
}

/// Computes the box of a block. Fails unless its vertices are few, alive and in no other block.
static bool enclose_block(pv__shape *s, pv__block *b) {
    if (b->first > b->end || b->end > s->count || b->end - b->first > PV__BLOCK) return false;
    for (int i = b->first; i < b->end; i++) {
        if (!is_alive(s, i) || s->vertices[i].broken) return false;
        s->vertices[i].broken = true;
    }
    b->box = pv__shape_block_box(s, b);
    s->box = pv__box_join(s->box, b->box);
    return true;
}

/// Computes the boxes of all blocks. Fails unless each living vertex is in exactly one block. No
/// removed one may be in a block, because nothing else checks whether a block's vertices live.
static bool enclose_blocks(pv__shape *s) {
    int members = 0;
    bool good = true;
    s->box = (pv_box){{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int i = 0; good && i < s->block_count; i++) {
        good = enclose_block(s, &s->blocks[i]);
        members += s->blocks[i].end - s->blocks[i].first;
    }
    for (int i = 0; i < s->count; i++) s->vertices[i].broken = false;
    return good && members == s->alive;
}

static bool is_within(const pv_box *box, pv_vec2 p) {
    return p.x >= box->min.x && p.x <= box->max.x && p.y >= box->min.y && p.y <= box->max.y;
}

static bool is_direction(pv_vec2 v) { return pv__dot(v, v) < 1.02; }

/// Checks that the field has its margin around the contour's box, and belongs to a mask of this
/// size. A patch of the field (distance_field.c) computes indices from places in this box.
static bool has_good_field(const pv__shape *s, const pv_mask *mask) {
    const pv__field *f = &s->field;
    int most_w = (mask->bits.w + BEYOND) * PV__FIELD_NODES,
        most_h = (mask->bits.h + BEYOND) * PV__FIELD_NODES;
    return f->w <= most_w && f->h <= most_h && pv__placeable(f->origin) &&
           pv__placeable(s->box.min) && pv__placeable(s->box.max) && pv__field_reaches(s, s->box);
}

/// Checks that edges are short. The field takes a tile for each place near an edge, and an update
/// looks for edges only near its blocks.
static bool has_good_vertices(const pv__shape *s) {
    const double longest = 2 * PV__SPAN;
    for (int i = 0; i < s->count; i++) {
        const pv__vertex *v = &s->vertices[i];
        if (v->next < 0) continue;
        pv_vec2 edge = pv__sub(s->vertices[v->next].at, v->at);
        if (!(pv__dot(edge, edge) <= longest * longest) || !is_direction(v->normal) ||
            !is_direction(v->first) || !is_direction(v->last))
            return false;
    }
    return true;
}

/// Marks the vertices from a side's start to its end as that side's. Fails if one belongs to
/// another side.
static bool mark_side(pv__shape *s, int side) {
    const pv__side *k = &s->sides[side];
    if (!is_alive(s, k->from) || !is_alive(s, k->to) || k->from == k->to) return false;
    for (int i = k->from; i != k->to; i = s->vertices[i].next) {
        if (s->vertices[i].side >= 0) return false;
        s->vertices[i].side = side;
    }
    return true;
}

/// Marks all vertices with their sides. Fails unless living sides are disjoint chains, because an
/// update follows them from end to end.
static bool mark_sides(pv__shape *s) {
    double most = pv__length(pv__sub(s->box.max, s->box.min)) + PV__SPAN;
    for (int i = 0; i < s->side_count; i++)
        if (s->sides[i].length >= 0 && (!mark_side(s, i) || !is_direction(s->sides[i].normal) ||
                                        !(s->sides[i].length <= most)))
            return false;
    return true;
}

static bool has_box(const pv_box *outer, const pv_box *inner) {
    return inner->min.x > inner->max.x ||
           (is_within(outer, inner->min) && is_within(outer, inner->max));
}

/// Checks that a node's children end where it ends, and lie in its box.
static bool is_parent(const pv__tree *tree, int node) {
    const pv__node *n = &tree->nodes[node];
    int child = node + 1;
    for (; child < n->after; child = tree->nodes[child].after)
        if (tree->nodes[child].after <= child || !has_box(&n->box, &tree->nodes[child].box))
            return false;
    return child == n->after;
}

/// Checks that a tree's leaves name elements in order, each at most once. In a tree over blocks, a
/// search that meets a block's box finds the block.
static bool is_tree(const pv__tree *tree, int count, const pv__block *blocks) {
    int next = 0;
    for (int i = 0; i < tree->count; i++) {
        const pv__node *n = &tree->nodes[i];
        if (n->after <= i || n->after > tree->count || n->end < n->first || !is_parent(tree, i))
            return false;
        if (n->after != i + 1) continue;
        if (n->end > count || (blocks ? n->first != next : n->first < next)) return false;
        next = n->end;
        for (int k = n->first; blocks && k < next; k++)
            if (!has_box(&n->box, &blocks[k].box)) return false;
    }
    return !blocks || next == count;
}

static bool complete(pv__shape *s, const pv_mask *mask) {
    return link_loops(s) && enclose_blocks(s) && has_good_field(s, mask) && has_good_vertices(s) &&
           mark_sides(s) && s->tidy_blocks <= s->near_blocks.count &&
           s->tidy_sides <= s->near_sides.count &&
           is_tree(&s->near_blocks, s->block_count, s->blocks) &&
           is_tree(&s->near_sides, s->side_count, NULL) &&
           /* The core is where a search for the middle begins (find_core in shape.c). */
           is_within(&s->box, s->core) &&
           pv__abs(s->core_depth) <=
               2 * PV__FIELD_REACH + pv__length(pv__sub(s->box.max, s->box.min));
}

static void read_shape(pv__stream *t, const pv_world *world, pv_mask *mask) {
    pv__shape *s = pv__alloc(&mask->allocator, 1, sizeof *s);
    if (!pv__stream_got(t, s)) return;
    s->allocator = mask->allocator;
    pv__fields_tape(t, world, s, PV__TABLE(shape_fields));
    t->broken |= !t->broken && !complete(s, mask);
    if (!t->broken) pv__stream_got(t, pv__field_fill(s, NULL));
    pv__shape_mask_adopt(mask, s, !t->broken);
}

/// Transfers the flag of a carved mask, and its contour.
static void tape_shape(pv__stream *t, const pv_world *world, pv_mask *mask) {
    pv__shape *shape = t->reads ? NULL : pv__shape_mask_altered(mask);
    bool altered = shape;
    pv__stream_flag(t, &altered);
    if (altered && t->reads)
        read_shape(t, world, mask);
    else if (altered)
        pv__fields_tape(t, world, shape, PV__TABLE(shape_fields));
}

/* ---- masks and maps ----
 *
 * Invariant: a mask or map keeps its index in the world while a snapshot may name it. A world that
 * never had a map adds nothing to a stream.
 */

static uint64_t kept_digest(const pv__kept_item *k) {
    return k->mask ? pv__bits_digest(&k->mask->bits) : k->map ? k->map->digest : 0;
}

/// Adds a mask, a map or neither to a list, with a reference of its own. Returns its index, or -1
/// without memory.
static int keep(pv_world *world, pv__kept_list *list, pv_mask *mask, pv_material_map *map) {
    pv__kept_item k = {.mask = mask, .map = map, .body = -1, .weighed = {.id = -1}};
    k.digest = kept_digest(&k);
    if (!PV__APPEND(&world->def.allocator, list->items, list->capacity, list->count, k)) return -1;
    pv_mask_retain(mask);
    pv_material_map_retain(map);
    return list->count - 1;
}

/// Returns the index of a mask or a map, under which a restore finds it, or -1 without memory.
static int number_of(pv_world *world, pv__kept_list *list, pv_mask *mask, pv_material_map *map) {
    int id = list->count - 1;
    while (id >= 0 && (list->items[id].mask != mask || list->items[id].map != map)) id--;
    return id < 0 ? keep(world, list, mask, map) : id;
}

/// Numbers the mask and the map of a body. A map is weighed once for its mask.
static bool number(pv_world *world, pv__body_pixels *p) {
    pv__snapshots *s = &world->snapshot;
    pv__material_view *m = &p->materials;
    if (p->mask_id < 0) p->mask_id = number_of(world, &s->masks, p->mask, NULL);
    if (m->map && m->id < 0) m->id = number_of(world, &s->maps, NULL, m->map);
    if (p->mask_id < 0 || (m->map && m->id < 0)) return false;
    if (m->sums.n > 0) s->masks.items[p->mask_id].weighed = *m;
    return true;
}

bool pv__stream_mark_used(pv_world *world, bool numbers) {
    pv__kept_list *masks = &world->snapshot.masks, *maps = &world->snapshot.maps;
    for (int i = 0; i < masks->count; i++) masks->items[i].used = false;
    for (int i = 0; i < maps->count; i++) maps->items[i].used = false;
    for (int i = 0; i < world->bodies.count; i++) {
        const pv__body *b = &world->bodies.items[i], *later = b + (i + 8 < world->bodies.count) * 8;
        __builtin_prefetch(&later->generation);
        __builtin_prefetch(&later->pixels);
        if (!pv__body_is_alive(b)) continue;
        pv__body_pixels *p = b->pixels;
        if (numbers && (p->mask_id < 0 || world->bodies.mapped) && !number(world, p)) return false;
        if (p->mask_id >= 0) masks->items[p->mask_id].used = true;
        if (p->materials.map && p->materials.id >= 0) maps->items[p->materials.id].used = true;
    }
    return true;
}

/// Transfers the pixels of a mask.
static void tape_pixels(pv__stream *t, const pv_world *world, pv_mask **mask) {
    uint64_t size = t->reads ? 0 : pv_mask_serialize(*mask, NULL, 0);
    pv__stream_u64(t, &size);
    t->broken |= t->reads && (size == 0 || size > t->left);
    unsigned char *at = t->broken ? NULL : pv__stream_take(t, (size_t)size);
    pv_error error = {.status = PV_ERROR_FORMAT};
    if (at && t->reads)
        *mask = pv_mask_deserialize(at, (size_t)size, &world->def.allocator, &error);
    else if (at)
        pv_mask_serialize(*mask, at, (size_t)size);
    t->broken |= !*mask;
    t->starved |= !*mask && error.status == PV_ERROR_MEMORY;
    if (*mask) tape_shape(t, world, *mask);
}

/// Transfers the materials of a map, and creates it when reading.
static void tape_materials(pv__stream *t, const pv_world *world, pv_material_map **map) {
    int w = t->reads ? 0 : (*map)->w, h = t->reads ? 0 : (*map)->h;
    bool hardness = !t->reads && (*map)->hardness, density = !t->reads && (*map)->density;
    pv__stream_int(t, &w, 0, PV__MAX_SIDE);
    pv__stream_int(t, &h, 0, PV__MAX_SIDE);
    pv__stream_flag(t, &hardness);
    pv__stream_flag(t, &density);
    size_t size = (size_t)w * (size_t)h;
    if (t->reads) {
        t->broken |= size * (hardness + density) > t->left || (int64_t)w * h > PV__MAX_MATERIAL;
        if (t->broken) return;
        *map = pv__material_map_make(w, h, hardness, density, &world->def.allocator);
        if (!pv__stream_got(t, *map)) return;
    }
    unsigned char *const planes[] = {(*map)->hardness, (*map)->density};
    for (int i = 0; i < 2; i++)
        if (planes[i] && size > 0) pv__stream_values(t, planes[i], 1, (int)size);
    t->broken |= t->reads && !pv__material_map_seal(*map);
}

/// Transfers the pixels of a mask or map, if they are wanted, or finds them among the world's.
static void tape_kept(pv__stream *t, const pv_world *world, bool pixels, bool map,
                      pv__kept_item *k) {
    uint64_t digest = k->digest;
    pv__stream_u64(t, &digest);
    if (pixels && map) tape_materials(t, world, &k->map);
    if (pixels && !map) tape_pixels(t, world, &k->mask);
    if (t->reads && pixels) k->digest = kept_digest(k);
    t->broken |= (!k->mask && !k->map) || k->digest != digest;
}

static void tape_list(pv__stream *t, pv_world *world, pv__kept_list *list, bool pixels) {
    int count = list->count;
    pv__stream_int(t, &count, 0, PV__STREAM_MOST);
    t->broken |= t->reads && !pixels && count > list->count;
    for (int i = 0; t->reads && i < list->count; i++) list->items[i].body = -1;
    for (int i = 0; i < count && !t->broken; i++) {
        bool used = !t->reads && list->items[i].used;
        pv__stream_flag(t, &used);
        if (t->reads && pixels && !pv__stream_got(t, keep(world, list, NULL, NULL) >= 0)) return;
        if (used) tape_kept(t, world, pixels, list == &world->snapshot.maps, &list->items[i]);
    }
}

void pv__stream_masks(pv__stream *t, pv_world *world, bool pixels) {
    tape_list(t, world, &world->snapshot.masks, pixels);
    if (world->bodies.mapped) tape_list(t, world, &world->snapshot.maps, pixels);
}

static void discard(pv__kept_list *list) {
    for (int i = 0; i < list->count; i++) {
        pv__kept_item *k = &list->items[i];
        if (k->used) continue;
        pv_mask_release(k->mask);
        pv_material_map_release(k->map);
        k->mask = NULL;
        k->map = NULL;
    }
}

pv_status pv_world_discard_snapshots(pv_world *world) {
    PV__BEGIN(true);
    pv__stream_mark_used(world, false);
    discard(&world->snapshot.masks);
    discard(&world->snapshot.maps);
    return PV_OK;
}
