/* pv_tree.c - a tree of boxes over a row of things, so that what is near is found without looking at all of it.
 *
 * Invariant: nodes stand in order of the row, children right after their parent, so leaves are met in the order in which
 * a loop over the row would meet what is in them. A node's box holds those of its children.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "pv_base.h"
#include "pv_geom.h"

enum { LEAF = 8 };

static pv_box around(pv_box a, pv_box b) {
    return (pv_box){{pv__min(a.min.x, b.min.x), pv__min(a.min.y, b.min.y)},
                    {pv__max(a.max.x, b.max.x), pv__max(a.max.y, b.max.y)}};
}

/// Adds the nodes of first...end - 1; as deep as the logarithm of their number.
static bool grow(pv__tree *tree, const pv_box *boxes, int first, int end, const pv_allocator *from) {
    int own = tree->count, middle = first + (end - first) / 2;
    if (!pv__reserve(from, &tree->nodes, &tree->capacity, own + 1, sizeof *tree->nodes)) return false;
    tree->count++;
    pv_box box = boxes[first];
    if (end - first <= LEAF)
        for (int i = first + 1; i < end; i++) box = around(box, boxes[i]);
    else {
        if (!grow(tree, boxes, first, middle, from) || !grow(tree, boxes, middle, end, from)) return false;
        box = around(tree->nodes[own + 1].box, tree->nodes[tree->nodes[own + 1].after].box);
    }
    tree->nodes[own] = (pv__node){box, first, end, tree->count};
    return true;
}

bool pv__tree_make(pv__tree *tree, const pv_box *boxes, int count, const pv_allocator *from) {
    return count == 0 || grow(tree, boxes, 0, count, from);
}
