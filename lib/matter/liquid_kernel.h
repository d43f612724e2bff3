/* liquid_kernel.h - the operations of liquid_pairs.h, once for every instruction set that includes
 * it.
 *
 * Invariant: a pair out of reach has closeness 0, and adds 0 to every sum. So does an element past
 * the last pair of a drop. No sum is -0, so adding 0 never changes its bits.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "core/simd.h"
#include "matter/liquid_pairs.h"

/// Vector of two in an array of numbers
typedef double liquid_narrow __attribute__((vector_size(16), aligned(8), may_alias));

INLINE simd_two liquid_load_two(const void *two) { return (simd_two) * (const liquid_narrow *)two; }
INLINE void liquid_store_two(void *two, simd_two v) { *(liquid_narrow *)two = (liquid_narrow)v; }

/* ---- lists of neighbors ---- */

/// Tells whether two residents may come within reach while the lists hold. Those within reach from
/// the beginning need no test of their closest approach.
INLINE bool liquid_may_touch(const pv__liquid_cells *c, int i, int j) {
    const double safely = 1 + 1e-9; /* more than the relative error of a few roundings */
    const pv__liquid_resident *a = &c->residents[i], *b = &c->residents[j];
    pv_vec2 d = {c->x[j] - c->x[i], c->y[j] - c->y[i]};
    double square = pv__dot(d, d), limit = 1 / (a->per_reach + b->per_reach) + PV__LIQUID_SLACK;
    if (!(safely * square <= limit * limit)) {
        pv_vec2 v = pv__sub(b->way, a->way);
        double speed = pv__dot(v, v), toward = -pv__dot(d, v);
        double t = toward <= 0 ? 0 : toward >= c->last * speed ? c->last : toward / speed;
        pv_vec2 nearest = pv__mad(d, t, v);
        if (!(pv__dot(nearest, nearest) <= limit * limit)) return false;
    }
    return a->inverse_mass + b->inverse_mass > 0;
}

/// Adds a neighbor to a sorted list.
INLINE void liquid_insert(int *neighbors, int count, int drop) {
    int k = count;
    for (; k > 0 && neighbors[k - 1] > drop; k--) neighbors[k] = neighbors[k - 1];
    neighbors[k] = drop;
}

/// Returns a bit for each of four residents from j on: set if it is near enough to resident i.
INLINE unsigned liquid_near(const pv__liquid_cells *c, int i, int j, int count) {
    const double safely = 1 + 1e-9;
    pv__four x = simd_load(c->x + j) - simd_each(c->x[i]),
             y = simd_load(c->y + j) - simd_each(c->y[i]),
             range = simd_load(c->range + j) + simd_each(c->range[i]);
    pv__which far = simd_gt(x * x + y * y, simd_each(safely) * range * range);
    return ~simd_bits(far) & (count < PV__LANES ? (1u << count) - 1 : 15u);
}

/// Adds the neighbors of the resident at i from a cell; returns the new number.
INLINE int liquid_search_cell(const pv__liquid_cells *c, int i, int x, int y, int *neighbors,
                              int count) {
    unsigned cell = pv__liquid_cell_of(x, y, c->mask);
    int end = c->heads[cell + 1];
    for (int first = c->later[cell]; first < end; first += PV__LANES) {
        unsigned near = liquid_near(c, i, first, end - first);
        for (int j = first; near; near >>= 1, j++) {
            const pv__liquid_resident *b = &c->residents[j];
            if (!(near & 1) || b->cell_x != x || b->cell_y != y || !liquid_may_touch(c, i, j))
                continue;
            if (count == PV__LIQUID_NEIGHBORS) return count;
            liquid_insert(neighbors, count++, b->drop);
        }
    }
    return count;
}

LANES static int liquid_search(const pv__liquid_cells *cells, unsigned cell, int *neighbors) {
    const pv__liquid_cells c = *cells;
    int i = c.later[cell]++, count = 0;
    const pv__liquid_resident *a = &c.residents[i];
    for (int y = a->cell_y - 1; y <= a->cell_y + 1; y++)
        for (int x = a->cell_x - 1; x <= a->cell_x + 1; x++)
            count = liquid_search_cell(&c, i, x, y, neighbors, count);
    return count;
}

/* ---- double density relaxation ---- */

/// Returns the columns of four rows of four numbers.
INLINE simd_columns liquid_gather(const void *rows, const int *i) {
    const simd_array *row = rows;
    return simd_transpose(simd_load(row + i[0]), simd_load(row + i[1]), simd_load(row + i[2]),
                          simd_load(row + i[3]));
}

/// Sets all elements from number count on to 0.
INLINE pv__four liquid_keep(pv__four v, int count) {
    const pv__four numbers = {0, 1, 2, 3};
    return simd_pick(simd_gt(simd_each(count), numbers), v, simd_each(0));
}

/// Adds two terms to two numbers of a drop.
INLINE void liquid_add(void *two, simd_two terms) {
    liquid_store_two(two, liquid_load_two(two) + terms);
}

/// Returns the directions from drop i to four others. Coincident drops part along an axis that
/// depends on their numbers.
INLINE simd_columns liquid_directions(pv__four dx, pv__four dy, pv__four distance, int i,
                                      const int *j) {
    pv__which apart = simd_gt(distance, simd_each(PV__LEAST_LENGTH));
    pv__four inverse = simd_each(1) / simd_pick(apart, distance, simd_each(1));
    simd_columns n = {.x = dx * inverse, .y = dy * inverse};
    if (!simd_any(~apart)) return n;
    for (int l = 0; l < PV__LANES; l++) {
        if (apart[l]) continue;
        n.x[l] = (i + j[l]) & 1;
        n.y[l] = 1 - n.x[l];
    }
    return n;
}

/// Computes four pairs of drop i from pair k on, of which count are its own. It uses the distance
/// at the end of the substep along the old line. Like an implicit step, this keeps stiff liquids
/// calm.
INLINE simd_two liquid_feel_four(const pv__liquid_pairs *p, int i, int k, int count, simd_two sum) {
    const int *j = p->others + k;
    const pv__liquid_drop a = p->drops[i];
    const double *of = p->per_reach;
    simd_columns b = liquid_gather(p->drops, j);
    pv__four dx = b.x - simd_each(a.was.x), dy = b.y - simd_each(a.was.y);
    pv__four distance = simd_root(dx * dx + dy * dy);
    pv__four per = simd_each(of[i]) + simd_gather(of, j);
    simd_columns n = liquid_directions(dx, dy, distance, i, j);
    pv__four parting = (b.z - simd_each(a.way.x)) * n.x + (b.w - simd_each(a.way.y)) * n.y;
    pv__four closeness = simd_each(1) - per * simd_larger(simd_each(0), distance + parting);
    pv__which out = simd_ge(distance * per, simd_each(1)) | simd_ge(simd_each(0), closeness);
    closeness = liquid_keep(simd_pick(out, simd_each(0), closeness), count);
    pv__four share = simd_load(p->shares + k), square = closeness * closeness;
    simd_store(p->share_x + k, share * n.x);
    simd_store(p->share_y + k, share * n.y);
    simd_store(p->closeness + k, closeness);
    simd_store(p->parting + k, parting);
    simd_zipped t = simd_zip(square, square * closeness);
    liquid_add(&p->crowds[j[0]], t.first);
    liquid_add(&p->crowds[j[1]], t.second);
    liquid_add(&p->crowds[j[2]], t.third);
    liquid_add(&p->crowds[j[3]], t.fourth);
    return sum + t.first + t.second + t.third + t.fourth;
}

LANES static void liquid_feel(const pv__liquid_pairs *pairs) {
    const pv__liquid_pairs p = *pairs;
    for (int i = 0; i < p.count; i++) {
        simd_two sum = liquid_load_two(&p.crowds[i]);
        for (int k = p.first[i]; k < p.first[i + 1]; k += PV__LANES)
            sum = liquid_feel_four(&p, i, k, p.first[i + 1] - k, sum);
        liquid_store_two(&p.crowds[i], sum);
    }
}

/// Returns half of the displacements that part a drop from four others, as if all had mass 1 [px].
INLINE pv__four liquid_push_of(const pv__liquid_crowd *mine, simd_columns other, pv__four closeness,
                               pv__four parting) {
    pv__four pressure =
        simd_each(mine->all) + other.x + closeness * (simd_each(mine->near) + other.y);
    pv__four push = closeness * (pressure - (simd_each(mine->thickness) + other.z) * parting);
    pv__four most = simd_each(mine->most) + other.w;
    return simd_larger(-most, smaller(push, most));
}

/// Adds the pushes of four pairs of drop i from pair k on, of which count are its own.
INLINE simd_two liquid_part_four(const pv__liquid_pairs *p, int i, int k, int count, simd_two sum) {
    const int *j = p->others + k;
    pv__four push = liquid_push_of(&p->crowds[i], liquid_gather(p->crowds, j),
                                   simd_load(p->closeness + k), simd_load(p->parting + k));
    push = liquid_keep(push, count);
    simd_zipped t = simd_zip(push * simd_load(p->share_x + k), push * simd_load(p->share_y + k));
    liquid_add(&p->pushes[j[0]], t.first);
    liquid_add(&p->pushes[j[1]], t.second);
    liquid_add(&p->pushes[j[2]], t.third);
    liquid_add(&p->pushes[j[3]], t.fourth);
    return sum - t.first - t.second - t.third - t.fourth;
}

LANES static void liquid_part(const pv__liquid_pairs *pairs) {
    const pv__liquid_pairs p = *pairs;
    for (int i = 0; i < p.count; i++) {
        simd_two sum = liquid_load_two(&p.pushes[i]);
        for (int k = p.first[i]; k < p.first[i + 1]; k += PV__LANES)
            sum = liquid_part_four(&p, i, k, p.first[i + 1] - k, sum);
        liquid_store_two(&p.pushes[i], sum);
    }
}
