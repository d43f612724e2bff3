/* carve.c - removes pixels from a body, or adds pixels.
 *
 * Invariant: a call does all or nothing. Every pixel that exists before and after keeps its place,
 * its weight and its velocity.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "carve/carve.h"
#include "carve/split.h"
#include "core/handle.h"
#include "core/report.h"
#include "core/world_lock.h"
#include "grains/grains.h"
#include "query/query.h"
#include "world/body_mask.h"

/// Returns the digest of a body's picture after a change, given the digest before it.
static uint64_t digest_of(uint64_t looks, const pv__cut_out *out, const pv_mask *gone, bool adds) {
    uint64_t place =
        (uint64_t)(uint32_t)out->rect.x << 33 | (uint64_t)(uint32_t)out->rect.y << 1 | adds;
    looks = (looks ^ place) * UINT64_C(0x9e3779b97f4a7c15);
    looks = (looks ^ looks >> 29 ^ pv__bits_digest(&gone->bits)) * UINT64_C(0xc2b2ae3d27d4eb4f);
    return (looks ^ looks >> 32) | 1;
}

/// Returns the box of a change in the world, with a margin for contacts.
static pv_box place_of(const pv__body *b, const pv__cut_out *out) {
    const double spare = 4;
    pv_transform t = pv__body_transform(b, b->pose);
    t.pivot = pv__sub(t.pivot, pv__vec(out->box.x, out->box.y));
    return pv__box_widened(pv_transform_compute_bounds(&t, out->box.w, out->box.h), spare);
}

/// Tells whether the body's mask can be changed in place. No other object may use the mask, and
/// nothing but a lack of memory may prevent the body's update.
static bool is_own(const pv__body *b, const pv__cut_out *out) {
    pv_vec2 c = b->pose.center,
            far = {pv__abs(c.x) + b->pixels->reach, pv__abs(c.y) + b->pixels->reach};
    return b->pixels->wearers == 1 && b->pixels->form == b->pixels->mask &&
           b->pixels->stand_in == PV_COLLIDER_PIXELS &&
           atomic_load(&b->pixels->mask->references) == 2 &&
           pv__is_mass(b->mass / b->pixels->weight * (b->pixels->weight + (double)out->count)) &&
           pv__placeable(far);
}

/// Returns the material view after a change, with sums updated from the changed pixels only.
static pv__material_view material_view_of(const pv__body *b, const pv_mask *gone,
                                          const pv__cut_out *out, bool adds) {
    pv__material_view m = b->pixels->materials;
    if (m.sums.n == 0) return m;
    pv__material_view part = pv__material_view_of_part(&m, out->rect.x, out->rect.y);
    pv__sums o = pv__material_view_sums(&part, &gone->bits, pv__vec(1, 1));
    pv__bits_sums_add(&m.sums, &o, (pv_point){out->rect.x, out->rect.y}, adds ? 1 : -1);
    return m;
}

static pv_status reshape(pv_world *world, pv__body *b, const pv_mask *gone, const pv__cut_out *out,
                         bool adds) {
    pv_error error;
    if (!pv__body_mask_reserve(world))
        return PV_ERROR_MEMORY; /* A change in place could not be undone. */
    if (!pv__shape_of_mask(b->pixels->mask))
        return PV_ERROR_MEMORY; /* The change updates this shape, so it has to exist. */
    pv_mask *mask = is_own(b, out) ? pv_mask_retain(b->pixels->mask)
                                   : pv__shape_mask_twin(b->pixels->mask, &error);
    if (!mask) return error.status;
    pv_status s = pv__shape_mask_alter(mask, gone, (pv_point){out->rect.x, out->rect.y}, adds);
    if (s == PV_OK && b->pixels->shape && mask == b->pixels->mask)
        /* The former shape may be freed. */
        b->pixels->shape = pv__shape_of_mask(mask);
    pv_box where = place_of(b, out);
    pv__material_view materials = material_view_of(b, gone, out, adds);
    if (s == PV_OK) s = pv__body_reshape(world, b, mask, &materials, &where);
    pv_mask_release(mask);
    if (s == PV_OK) b->looks = digest_of(b->looks, out, gone, adds);
    return s;
}

/// @param gone pixels of the cut, or null for none
static pv_carve_result tell(const pv_transform *picture, const pv_mask *gone,
                            const pv__cut_out *out) {
    pv_carve_result carved = {.pixel_count = out->count, .rect = out->box, .body_count = 1};
    if (!gone) return carved;
    pv__sums at = {0}, own = pv__bits_sums(&gone->bits);
    pv__bits_sums_add(&at, &own, (pv_point){out->rect.x, out->rect.y}, 1);
    double n = (double)at.n;
    carved.center =
        pv_transform_to_world(picture, pv__vec((double)at.x / n + 0.5, (double)at.y / n + 0.5));
    return carved;
}

/// Carries out a split whose body has been reshaped, or is spent. Nothing can fail any more.
static void commit(pv_world *world, const pv__body *was, pv__split *split,
                   pv_carve_result *carved) {
    pv_body_id name = pv__handle_of_body(world, split->index);
    pv__split_commit(world, was, split, carved);
    if (!split->is_spent) pv__grain_bodies_redraw(world, split->index, was, split->changed);
    if (split->gone) pv__split_feed_grains(world, name, was, split);
    if (split->is_spent) pv_body_destroy(world, name);
    pv__split_tell(world, name, split);
}

/// Adds pixels, or removes them together with all detached parts. May replace *gone by a new mask.
static pv_status carve_body(pv_world *world, int index, pv__cut_use use, pv_mask **gone,
                            pv__cut_out *out, pv_carve_result *carved) {
    pv__split split;
    pv_status s = pv__split_make(world, index, use, gone, out, &split);
    pv__body *b = &world->bodies.items[index], was = *b;
    /* This copy holds no references; it only keeps the numbers. */
    pv__body_pixels pixels = *b->pixels;
    was.pixels = &pixels;
    if (s == PV_OK) s = reshape(world, b, *gone, out, use == PV__CUT_ADDS);
    if (s == PV_ERROR_EMPTY) s = pv__split_rest(world, *gone, out, &split);
    if (s == PV_OK) commit(world, &was, &split, carved);
    pv__split_free(world, &split);
    return s;
}

pv_status pv__carve_body(pv_world *world, pv_body_id body, const pv_cut *cut, double blow,
                         pv_carve_result *carved) {
    pv__cut_out out;
    pv_error error;
    pv__body *b = pv__handle_body(world, body);
    pv_transform t = pv__body_transform(b, b->pose);
    pv_mask *gone =
        pv__cut_pixels(cut, blow, &t, b->pixels->mask, &b->pixels->materials, &out, &error);
    if (error.status != PV_OK) return error.status;
    *carved = tell(&t, gone, &out);
    if (!gone) return PV_OK;
    pv__cut_use use = cut->add ? PV__CUT_ADDS : blow > 0 ? PV__CUT_CHIPS : PV__CUT_TAKES;
    pv_status s = carve_body(world, (int)(b - world->bodies.items), use, &gone, &out, carved);
    pv_mask_release(gone);
    return s;
}

pv_status pv_body_carve(pv_world *world, pv_body_id body, const pv_cut *cut,
                        pv_carve_result *carved) {
    pv_carve_result all = {0};
    if (carved) *carved = all;
    PV__BEGIN(pv__check_body(&e, world, "body", body) && pv__cut_check(&e, cut) &&
              pv__error_set(&e, pv__carve_body(world, body, cut, 0, &all)) == PV_OK);
    if (carved) *carved = all;
    return PV_OK;
}

/* ---- all bodies ---- */

/// Bodies that a cut may change, listed before it changes any
typedef struct carve_list {
    pv_body_id *bodies;
    int count, capacity;
} carve_list;

static bool check(pv_error *e, const pv_world *world, const pv_cut *cut) {
    return pv__check_world(e, world) && pv__cut_check(e, cut) &&
           (!cut->local || pv__error_say(e, PV_ERROR_ARGUMENT, "cut.local",
                                         "cut.local is true, must be false for a world") == PV_OK);
}

/// Returns the box of a cut with a margin, clamped to the range of pixel coordinates.
static pv_box box_of(const pv_cut *cut) {
    const double most = 2 * PV_MAX_COORDINATE;
    pv_box box = pv__box_widened(pv__cut_box(cut), PV__SEEK_ROOM);
    return (pv_box){{pv__clamp(box.min.x, -most, most), pv__clamp(box.min.y, -most, most)},
                    {pv__clamp(box.max.x, -most, most), pv__clamp(box.max.y, -most, most)}};
}

/// Lists the bodies that a filter accepts and a cut's box overlaps. Returns false without memory.
static bool collect(const pv_world *world, const pv_cut *cut, const pv_query_filter *filter,
                    carve_list *list) {
    pv__candidates near;
    pv_box box = box_of(cut);
    pv__swath swath = pv__query_swath_of(box);
    pv__index_candidates_begin(&near, world, &swath, 0);
    for (int i; (i = pv__index_candidates_next(&near)) >= 0;) {
        pv_box own = pv__index_current_box(world, i);
        if (pv__index_is_polygon(i)) break; /* sprites come first */
        if (!pv__query_asks_about(world, i, filter) || !pv__boxes_meet(&own, &box) ||
            !pv__query_accepts(world, pv__handle_of_body(world, i), filter))
            continue;
        if (!PV__APPEND(&world->def.allocator, list->bodies, list->capacity, list->count,
                        pv__handle_of_body(world, i)))
            return false;
    }
    return true;
}

static void sum(pv_carve_result *total, const pv_carve_result *one) {
    int64_t count = total->pixel_count + one->pixel_count;
    total->center = pv__lerp(total->center, one->center, (double)one->pixel_count / (double)count);
    total->pixel_count = count;
    total->body_count += one->body_count;
    total->debris_pixels += one->debris_pixels;
    total->debris_particles += one->debris_particles;
}

/// Carves the bodies of a list. Returns the number of changed ones.
static int carve_all(pv_error *e, pv_world *world, const pv_cut *cut, const carve_list *list,
                     pv_carve_result *total) {
    int changed = 0;
    for (int i = 0; i < list->count; i++) {
        pv_carve_result one = {0};
        if (pv__error_set(e, pv__carve_body(world, list->bodies[i], cut, 0, &one)) != PV_OK) break;
        if (one.pixel_count == 0) continue;
        sum(total, &one);
        changed++;
    }
    return changed;
}

int pv_world_carve(pv_world *world, const pv_cut *cut, const pv_query_filter *filter,
                   pv_carve_result *total) {
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    pv_carve_result all = {0};
    carve_list list = {0};
    int changed = 0;
    if (check(e, world, cut)) {
        /* The cut's mask may belong to a body. This reference makes the body change a copy. */
        pv_mask *shape =
            cut->type == PV_CUT_MASK ? pv_mask_retain((pv_mask *)(uintptr_t)cut->mask) : NULL;
        if (collect(world, cut, filter, &list))
            changed = carve_all(e, world, cut, &list, &all);
        else
            pv__error_set(e, PV_ERROR_MEMORY);
        pv_mask_release(shape);
        PV__FREE(&world->def.allocator, list.bodies, list.capacity);
    }
    if (e->status != PV_OK) pv__refuse(world, e);
    if (total) *total = all;
    return changed;
}
