/* body_overlap.c - whether two bodies share a pixel, now or on their way.
 *
 * Invariant: bitmaps are valid until the next call of the same worker. Only the part where two
 * boxes meet is drawn, if the poses have no bitmaps yet.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "collide/body_overlap.h"
#include "core/body_bitmap.h"
#include "core/pose.h"
#include "core/tasks.h"
#include "pixel/overlap.h"
#include "pixel/raster.h"

static pv__pair pair_of(const pv_world *world, const pv__body *a, const pv__body *b) {
    return (pv__pair){(int)(a - world->bodies.items), (int)(b - world->bodies.items)};
}

/// Returns the bitmap of a body at a fraction of the substep's motion. In a world with pixel
/// contacts, the bitmaps of both ends are stored; a body at rest has only one pose.
static const pv__bitmap *bitmap_at(const pv_world *world, const pv__body *b, double fraction,
                                   pv__bitmap *scratch) {
    pv__pixel_motion *own = b->pixel_motion;
    pv__bitmap *store = scratch;
    scratch->valid = false;
    if (own && (!b->moved || fraction == 1))
        store = &own->bitmap_now;
    else if (own && fraction == 0)
        store = &own->bitmap_before;
    return pv__bitmap_in(world, b, pv__overlap_pose(b, fraction), store);
}

pv__meeting pv__meeting_at(pv_world *world, const pv__body *a, const pv__body *b, double fraction) {
    pv__bitmap *scratch = pv__tasks_worker(world)->bitmaps;
    return (pv__meeting){pair_of(world, a, b), bitmap_at(world, a, fraction, &scratch[0]),
                         bitmap_at(world, b, fraction, &scratch[1]), 0, 0};
}

bool pv__meeting_is_known(pv_world *world, pv__meeting p) {
    if (p.a && p.b) return true;
    world->out_of_memory = true;
    return false;
}

bool pv__meeting_shares(pv__meeting p) {
    return pv__bits_hit(&p.a->bits, &p.b->bits, (int64_t)p.b->x - p.a->x, (int64_t)p.b->y - p.a->y);
}

pv__pose pv__overlap_pose(const pv__body *b, double fraction) {
    if (!b->moved || fraction == 1) return b->pose;
    return fraction == 0 ? pv__pose_before(b) : pv__pose_at(b, fraction);
}

pv_rect pv__bitmap_rect(const pv__bitmap *p) { return (pv_rect){p->x, p->y, p->bits.w, p->bits.h}; }

static pv_rect rect_in(const pv__body *b, pv__pose pose) {
    pv_transform t = pv__body_hull_transform(b, pose);
    return pv__raster_rect(&t, b->pixels->hull->bits.w, b->pixels->hull->bits.h);
}

/// Tells whether two bodies share a pixel in poses that have no bitmaps. Only the part where their
/// boxes meet is drawn.
static bool share_in(pv_world *world, const pv__body *a, pv__pose pose_a, const pv__body *b,
                     pv__pose pose_b, bool *known) {
    pv__bitmap *scratch = pv__tasks_worker(world)->bitmaps;
    pv__meeting p = {pair_of(world, a, b),
                     pv__bitmap_part(world, a, pose_a, rect_in(b, pose_b), &scratch[0]), NULL, 0,
                     0};
    if (p.a) p.b = pv__bitmap_part(world, b, pose_b, pv__bitmap_rect(p.a), &scratch[1]);
    *known = pv__meeting_is_known(world, p);
    return *known && pv__meeting_shares(p);
}

bool pv__overlap_at(pv_world *world, pv__body *a, pv__body *b, double fraction, bool *known) {
    *known = true;
    if (pv__collide_is_large(a) || pv__collide_is_large(b)) {
        pv_placed p = {a->pixels->hull, pv__body_hull_transform(a, pv__overlap_pose(a, fraction))},
                  q = {b->pixels->hull, pv__body_hull_transform(b, pv__overlap_pose(b, fraction))};
        return pv_placed_test_overlap(&p, &q);
    }
    if (fraction > 0 && fraction < 1)
        return share_in(world, a, pv__overlap_pose(a, fraction), b, pv__overlap_pose(b, fraction),
                        known);
    pv__meeting p = pv__meeting_at(world, a, b, fraction);
    *known = pv__meeting_is_known(world, p);
    return *known && pv__meeting_shares(p);
}

bool pv__collide_poses_overlap(pv_world *world, pv__pair pair) {
    const pv__body *a = &world->bodies.items[pair.a], *b = &world->bodies.items[pair.b];
    bool known;
    if (pv__collide_is_large(a) || pv__collide_is_large(b))
        return pv__collide_bodies_overlap(world, pair);
    return share_in(world, a, a->pose, b, b->pose, &known);
}

bool pv__collide_bodies_overlap(pv_world *world, pv__pair pair) {
    bool known;
    return pv__overlap_at(world, &world->bodies.items[pair.a], &world->bodies.items[pair.b], 1,
                          &known);
}
