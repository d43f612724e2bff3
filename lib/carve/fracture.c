/* fracture.c - sets and reads the fracture of bodies, and breaks them at impacts.
 *
 * Invariant: the fracture definition of a body is in range. A refused call changes nothing.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "carve/fracture.h"
#include "carve/carve.h"
#include "carve/cut.h"
#include "core/handle.h"
#include "core/report.h"
#include "core/world_lock.h"

#include <float.h>
#include <limits.h>

static bool check(pv_error *e, const pv_fracture_def *f) {
    if (!pv__check_made(e, "fracture", f, f ? f->cookie : 0, "pv_fracture_def_default") ||
        !pv__check_range(e, "fracture.toughness", f->toughness, 0, DBL_MAX) ||
        !pv__check_range(e, "fracture.min_part_pixels", f->min_part_pixels, 1, INT_MAX) ||
        !pv__check_range(e, "fracture.mode", f->mode, 0, PV_FRACTURE_CRACK))
        return false;
    return f->connectivity == PV_CONNECTIVITY_4 || f->connectivity == PV_CONNECTIVITY_8 ||
           pv__error_say(e, PV_ERROR_ARGUMENT, "fracture.connectivity",
                         "fracture.connectivity is %d, must be 4 or 8",
                         (int)f->connectivity) == PV_OK;
}

pv_status pv_body_set_fracture(pv_world *world, pv_body_id body, const pv_fracture_def *fracture) {
    PV__BEGIN_SPRITE(check(&e, fracture));
    b->fracture = *fracture;
    if (fracture->toughness == 0)
        b->fracture.toughness = 0; /* Snapshots and hashes would tell a -0 from a 0. */
    return PV_OK;
}

/* ---- breaks at impacts ----
 *
 * Invariant: bodies break after a step, in the order of its hit events. A part that breaks off does
 * not break again in the same step.
 */

/// Greatest distance from a hit event's point to the pixel that breaks [px of the picture]. The
/// point may be on the other body's surface.
enum { CRACK_REACH = 24 };
/// Radius of the largest chip [px].
static const double MOST_CHIP = 16;
/// Distance between samples in the search for a neck [px], which starts PV__LEAST_CHIP deep
static const double CRACK_STRIDE = 0.5;
/// Number of directions in a half turn.
enum { DIRECTIONS = 16 };
/// Width of a crack [px]. No pixels on its two sides are neighbors.
static const double WIDTH = 1.5;

static bool crack_is_solid(const pv__body *b, const pv_transform *t, pv_vec2 at) {
    return pv__bits_under(&b->pixels->mask->bits, pv_transform_to_local(t, at));
}

static double toughness_at(const pv__body *b, const pv_transform *t, pv_vec2 at) {
    pv_vec2 p = pv_transform_to_local(t, at);
    return pv__material_map_toughness_of(
        pv__material_map_hardness_at(&b->pixels->materials, (int)p.x, (int)p.y));
}

/// Moves a point to the middle of a body's nearest pixel. Returns false if none is near.
static bool find_struck(const pv__body *b, const pv_transform *t, pv_vec2 *at) {
    pv_vec2 p = pv_transform_to_local(t, *at), found = *at;
    const pv__bits *bits = &b->pixels->mask->bits;
    double least = INFINITY, w = bits->w, h = bits->h;
    int left = (int)pv__clamp(p.x - CRACK_REACH, 0, w),
        right = (int)pv__clamp(p.x + CRACK_REACH, -1, w - 1);
    int top = (int)pv__clamp(p.y - CRACK_REACH, 0, h),
        bottom = (int)pv__clamp(p.y + CRACK_REACH, -1, h - 1);
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++) {
            if (!pv__bits_get(bits, x, y)) continue;
            pv_vec2 middle = pv_transform_to_world(t, pv__vec(x + 0.5, y + 0.5)),
                    way = pv__sub(middle, *at);
            if (pv__dot(way, way) >= least) continue;
            least = pv__dot(way, way);
            found = middle;
        }
    *at = found;
    return least < INFINITY;
}

/// Returns the last solid point along a direction, and adds up the toughness on the path.
static pv_vec2 crack_end_of(const pv__body *b, const pv_transform *t, pv_vec2 at, pv_vec2 step,
                            double *tough) {
    for (pv_vec2 next = pv__add(at, step); crack_is_solid(b, t, next); next = pv__add(at, step)) {
        if (pv__material_map_is_hardened(&b->pixels->materials))
            *tough += 0.5 * (toughness_at(b, t, at) + toughness_at(b, t, next));
        at = next;
    }
    return at;
}

/// Returns the greatest hardness that yields to an impact.
static int strength_of(double blow) {
    int hardness = 255;
    while (hardness > 0 && !(pv__material_map_toughness_of(hardness) < blow)) hardness--;
    return hardness;
}

/// Returns a cut through a body at its thinnest place, or at the least tough one if it has a map.
/// The cut runs within 60 degrees of the inward direction, not along the surface.
static pv_cut neck_at(const pv__body *b, const pv_transform *t, double blow, pv_vec2 at,
                      pv_vec2 inward) {
    pv_vec2 from = at, to = at, deeper = pv__mad(at, PV__LEAST_CHIP, inward);
    double least = INFINITY, pixel = pv__max(pv__abs(t->scale.x), pv__abs(t->scale.y));
    double stride = CRACK_STRIDE * pv__min(pv__abs(t->scale.x), pv__abs(t->scale.y));
    if (crack_is_solid(b, t, deeper)) at = deeper;
    for (int i = 0; i < DIRECTIONS; i++) {
        pv_rotation r = pv__rotation(PV__PI * i / DIRECTIONS);
        pv_vec2 way = {r.c, r.s};
        if (pv__abs(pv__dot(way, inward)) < 0.5) continue;
        double tough = 0;
        pv_vec2 one = crack_end_of(b, t, at, pv__mul(-stride, way), &tough),
                other = crack_end_of(b, t, at, pv__mul(stride, way), &tough);
        double length = pv__material_map_is_hardened(&b->pixels->materials)
                            ? stride * tough
                            : pv__length(pv__sub(other, one));
        if (length >= least) continue;
        least = length;
        from = pv__mad(one, -pixel, way);
        to = pv__mad(other, pixel, way);
    }
    pv_cut cut = pv_cut_line(from, to, WIDTH * pixel);
    cut.max_hardness = strength_of(blow);
    return cut;
}

static double chip_radius(double impulse, double toughness) {
    return pv__clamp(PV__LEAST_CHIP * sqrt((impulse - toughness) / toughness), PV__LEAST_CHIP,
                     MOST_CHIP);
}

static void crack_side(pv_world *world, pv_body_id body, const pv_hit_event *hit, pv_vec2 inward) {
    const pv__body *b = pv__handle_body(world, body);
    if (!b || !(b->fracture.toughness > 0) || !(hit->impulse > b->fracture.toughness)) return;
    const pv_fracture_def *f = &b->fracture;
    pv_transform t = pv__body_transform(b, b->pose);
    pv_vec2 at = hit->point;
    pv_carve_result carved;
    if (!find_struck(b, &t, &at) || !(hit->impulse > f->toughness * toughness_at(b, &t, at)))
        return;
    bool chips = f->mode == PV_FRACTURE_CHIP;
    double blow = hit->impulse / f->toughness;
    pv_cut cut = chips ? pv_cut_circle(at, chip_radius(hit->impulse, f->toughness))
                       : neck_at(b, &t, blow, at, inward);
    pv_error e;
    if (!pv__cut_check(pv__error_begin(__func__, &e, NULL), &cut)) return;
    if (pv__carve_body(world, body, &cut, chips ? blow : 0, &carved) == PV_ERROR_MEMORY)
        world->out_of_memory = true;
}

void pv__fracture_crack_struck(pv_world *world) {
    const pv_hit_event *hits = world->events.hits.items;
    for (int i = 0; i < world->events.hits.count; i++) {
        crack_side(world, hits[i].a, &hits[i], pv__mul(-1, hits[i].normal));
        crack_side(world, hits[i].b, &hits[i], hits[i].normal);
    }
}
