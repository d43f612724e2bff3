/* body_mask.c - makes a body's pixels with their derived data, and changes them as the body moves.
 *
 * Invariant: scaled mask, shape, mass, inertia and particles fit the mask at the body's scale. A
 * change happens completely or not at all. It keeps the velocity of the material, and clears the
 * contact data of contours near it.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "world/body_mask.h"
#include "collide/broad_phase.h"
#include "collide/query_index.h"
#include "collide/wake_near.h"
#include "core/handle.h"
#include "core/pose.h"
#include "core/report.h"
#include "core/tasks.h"
#include "core/wake.h"
#include "grains/grains.h"
#include "joint/constraint.h"
#include "pixel/mask_ops.h"
#include "world/body.h"

/// Greatest distance by which pixels stick out of their contour, and scaled pixels out of the
/// scaled mask [px]
static const double RIM = 0.75;
/// Greatest difference between the area of a disc's pixels and of a circle, as a share of its box
static const double ROUND_SLACK = 0.1;

/// Checks a factor of a scale; a negative one mirrors.
static bool check_factor(pv_error *e, const char *field, double factor) {
    if (!pv__finite(factor)) return pv__error_range(e, field, factor, 0, 0) == PV_OK;
    const double range[] = {PV__RANGE_SCALE};
    e->value = factor, e->min = range[0], e->max = range[1];
    return pv__within(pv__abs(factor), PV__RANGE_SCALE) ||
           pv__error_say(e, PV_ERROR_ARGUMENT, field,
                         "%s has a factor of %.9g, must be 1/16 to 16 or -16 to -1/16", field,
                         factor) == PV_OK;
}

bool pv__body_scale_in_range(pv_vec2 scale) {
    return pv__within(pv__abs(scale.x), PV__RANGE_SCALE) &&
           pv__within(pv__abs(scale.y), PV__RANGE_SCALE);
}

bool pv__body_check_scale(pv_error *e, const char *field, pv_vec2 scale) {
    return check_factor(e, field, scale.x) && check_factor(e, field, scale.y);
}

/* ---- body pixels ---- */

/// Returns the weighted sums of the pixels of a scaled mask according to the map, not mirrored.
static pv__sums weigh(pv__material_view *m, const pv_mask *mask, const pv__scaled_mask *f) {
    bool whole = pv__abs(f->scale.x) == 1 && pv__abs(f->scale.y) == 1;
    if (!whole) {
        m->sums = (pv__sums){0, 0, 0, 0, 0};
        return pv__material_view_sums(m, &f->mask->bits, f->scale);
    }
    if (m->sums.n == 0) m->sums = pv__material_view_sums(m, &mask->bits, pv__vec(1, 1));
    return m->sums;
}

/// Sets weight, center of mass and inertia according to the map. Lean is the distance of the center
/// of mass from the mean of the pixels [px].
static pv_status lean_over(pv__body_pixels *pixels, pv__scaled_mask *f, double *lean) {
    const pv__bits *bits = &f->mask->bits;
    if ((int64_t)bits->w * bits->h > PV__MAX_MATERIAL) return PV_ERROR_TOO_LARGE;
    pv__sums sums = weigh(&pixels->materials, pixels->mask, f);
    pv_mass_data m = pv__material_view_mass(&sums);
    pv_vec2 c = m.centroid,
            mirrored = {f->scale.x < 0 ? bits->w - c.x : c.x, f->scale.y < 0 ? bits->h - c.y : c.y};
    *lean = pv__length(pv__sub(mirrored, f->mass.centroid));
    pixels->weight = m.area;
    f->mass.centroid = mirrored;
    f->mass.inertia = m.inertia;
    f->center = pv__vec(c.x / pv__abs(f->scale.x), c.y / pv__abs(f->scale.y));
    return PV_OK;
}

static double reach_of(const pv__body_pixels *pixels, double lean) {
    const pv__bits *bits = &pixels->form->bits;
    pv_vec2 c = pixels->pivot;
    double x = pv__max(c.x, bits->w - c.x), y = pv__max(c.y, bits->h - c.y);
    double reach = pixels->shape ? pixels->shape->reach + RIM + lean : pv__length(pv__vec(x, y));
    const pv__bits *hull = &pixels->hull->bits;
    if (pixels->hull != pixels->mask) reach = pv__max(reach, pv__length(pv__vec(hull->w, hull->h)));
    bool sized = pv__abs(pixels->scale.x) != 1 || pv__abs(pixels->scale.y) != 1;
    return sized ? reach + RIM : reach;
}

static double extent_of(const pv__body_pixels *pixels, double lean) {
    const pv__shape *s = pixels->shape;
    if (!s) return pixels->reach;
    if (s->circle_radius == 0) return s->reach + lean;
    return pv__length(pv__sub(s->circle_center, pixels->pivot)) + s->circle_radius;
}

/// Draws the pixels of a collider over the scaled mask. Returns false without memory.
static bool draw_hull(pv__body_pixels *pixels) {
    pv_mass_data mass = pv__shape_mask_mass(pixels->form);
    double radius = sqrt(mass.area / PV__PI);
    pv_rect box = pv_mask_compute_bounds(pixels->form);
    bool round = pixels->stand_in == PV_COLLIDER_CIRCLE;
    if (round) {
        box.x = (int)pv__floor(mass.centroid.x - radius);
        box.y = (int)pv__floor(mass.centroid.y - radius);
        box.w = box.h = (int)(2 * radius) + 3;
    }
    pv_error error;
    pv_vec2 corner = pv__vec(box.x, box.y);
    pv_mask *hull = pv__mask_like(box.w, box.h, pixels->form, &error);
    if (!hull) return false;
    if (round)
        pv_mask_fill_circle(hull, pv__sub(mass.centroid, corner), radius, true);
    else
        pv_mask_fill_rect(hull, (pv_rect){0, 0, box.w, box.h}, true);
    pixels->hull = hull;
    pixels->hull_pivot = pv__sub(pixels->pivot, corner);
    pixels->hull_scale = pv__vec(1, 1);
    return true;
}

/// Finds out whether the pixels used for contacts form a disc: those of the scaled mask or of the
/// collider. Traces only masks with a disc's area and box. Returns false without memory.
static bool find_round(pv__body_pixels *pixels) {
    bool own = pixels->hull == pixels->mask;
    pv_mask *mask = own ? pixels->form : pixels->hull;
    pv_rect box = pv_mask_compute_bounds(mask);
    double square = (double)box.w * box.h;
    pixels->round_radius = 0;
    if (pv__abs(box.w - box.h) > 1 ||
        pv__abs(pv__shape_mask_mass(mask).area - 0.25 * PV__PI * square) > ROUND_SLACK * square)
        return true;
    const pv__shape *shape = pv__shape_mask_outline(mask);
    if (!shape) return false;
    pixels->round_radius = shape->circle_radius;
    pixels->round_center = pv__sub(shape->circle_center, own ? pixels->pivot : pixels->hull_pivot);
    return true;
}

/// Fills in all data that follow from the scaled mask. Mask, collision shape and material view must
/// be set.
static pv_status follow(pv_world *world, pv__body_pixels *pixels, pv__scaled_mask *form) {
    double lean = 0;
    pv_status status = PV_OK;
    pixels->weight = pixels->area = form->mass.area;
    if (pv__material_map_is_weighted(&pixels->materials)) status = lean_over(pixels, form, &lean);
    if (status != PV_OK) return status;
    if (world->def.contact_mode == PV_CONTACT_MODE_CONTOURS) {
        pv__runner runner = pv__tasks_runner(world);
        pixels->shape = pv__shape_of_mask_as(form->mask, pixels->stand_in, &runner);
        if (!pixels->shape) return PV_ERROR_MEMORY;
    }
    pixels->pivot = form->mass.centroid;
    pixels->picture_pivot = pixels->hull_pivot = form->center;
    if (!pixels->shape && ((pixels->stand_in && !draw_hull(pixels)) || !find_round(pixels)))
        return PV_ERROR_MEMORY;
    pixels->inertia = form->mass.inertia;
    pixels->reach = reach_of(pixels, lean);
    pixels->extent = extent_of(pixels, lean);
    return PV_OK;
}

bool pv__body_mask_reserve(pv_world *world) {
    if (!world->bodies.spare_pixels)
        world->bodies.spare_pixels = pv__alloc(&world->def.allocator, 1, sizeof(pv__body_pixels));
    return world->bodies.spare_pixels;
}

pv_status pv__body_mask_make(pv_world *world, pv_mask *mask, pv_vec2 scale, pv_collider how,
                             const pv__material_view *materials, pv__body_pixels **pixels) {
    pv__scaled_mask form;
    pv_status status = pv__shape_mask_form(mask, scale, &form);
    if (status != PV_OK) return status;
    if (!pv__body_mask_reserve(world)) {
        pv_mask_release(form.mask);
        return PV_ERROR_MEMORY;
    }
    pv__body_pixels *g = world->bodies.spare_pixels;
    world->bodies.spare_pixels = NULL;
    *g = (pv__body_pixels){.mask = pv_mask_retain(mask),
                           .hull = mask,
                           .hull_scale = form.scale,
                           .form = form.mask,
                           .scale = form.scale,
                           .materials = *materials,
                           .stand_in = how,
                           .mask_id = -1,
                           .wearers = 1};
    pv_material_map_retain(materials->map);
    status = follow(world, g, &form);
    if (status == PV_OK)
        *pixels = g;
    else
        pv__body_mask_drop(world, g);
    return status;
}

bool pv__body_mask_is(const pv__body_pixels *pixels, const pv_mask *mask, pv_vec2 scale,
                      pv_collider how, const pv__material_view *materials) {
    const pv__material_view *m = &pixels->materials;
    return pixels->mask == mask && pv__same_place(pixels->scale, scale) &&
           pixels->stand_in == how && m->map == materials->map && m->x == materials->x &&
           m->y == materials->y;
}

void pv__body_mask_drop(pv_world *world, pv__body_pixels *pixels) {
    if (!pixels || --pixels->wearers > 0) return;
    if (pixels->hull != pixels->mask) pv_mask_release(pixels->hull);
    pv_mask_release(pixels->form);
    pv_mask_release(pixels->mask);
    pv_material_map_release(pixels->materials.map);
    pv__free(&world->def.allocator, world->bodies.spare_pixels, 1, sizeof *pixels);
    world->bodies.spare_pixels = pixels;
}

void pv__body_mask_put_on(pv__body *b, pv__body_pixels *pixels, double mass) {
    b->pixels = pixels;
    b->mass = mass;
    b->inertia = mass / pixels->weight * pixels->inertia;
    b->half_stick = sqrt(pixels->inertia / pixels->weight);
    pv__body_set_inverses(b);
}

/* ---- effects of a change on joints and contacts of the body ---- */

/// Change of a body's pixels, in the body's own rotation. The center moves by way [px]. An anchor
/// at p from the old center is at grow * p + shift from the new one.
typedef struct change {
    pv_vec2 way, grow, shift;
    /// Box of the changed pixels in the world; null: anywhere
    const pv_box *where;
} change;

static void change_grip(pv__anchor *grip, int index, const change *c) {
    if (grip->body == index) grip->local = pv__add(pv__scale(c->grow, grip->local), c->shift);
}

static void change_grips(pv_world *world, int index, const change *c) {
    pv__matter *m = &world->matter;
    for (int i = 0; i < m->constraint_pool.count; i++) {
        if (!pv__slot_lives(&m->constraints[i].slot)) continue;
        change_grip(&m->constraints[i].a, index, c);
        change_grip(&m->constraints[i].b, index, c);
    }
}

/// Tells whether a living body is outside the box of the change.
static bool is_far(const pv_world *world, int other, const change *c) {
    const pv__body *b = &world->bodies.items[other];
    if (!c->where || !pv__body_is_alive(b)) return false;
    pv_box box = pv__pose_box(b, b->pose);
    return !pv__boxes_meet(&box, c->where);
}

/// Keeps the contact points of a body at their places in the world. Manifolds near the change are
/// recomputed, starting from these points. The keys of these points are cleared, because the
/// vertices are different.
static void change_manifolds(pv_world *world, int index, const change *c) {
    pv_vec2 way = pv__rotate(world->bodies.items[index].pose.turn, c->way);
    for (int i = 0; i < world->manifolds.count; i++) {
        pv__manifold *m = &world->manifolds.items[i];
        if (m->a < 0 || (m->a != index && m->b != index)) continue;
        bool far = is_far(world, m->a == index ? m->b : m->a, c);
        m->made &= far;
        m->apart = pv__mad(m->apart, m->a == index ? -1 : 1, way);
        for (int k = 0; k < m->count; k++) {
            pv_vec2 *anchor = m->a == index ? &m->points[k].anchor_a : &m->points[k].anchor_b;
            *anchor = pv__sub(*anchor, c->way);
            if (!far) m->points[k].key = 0;
        }
    }
}

/// Moves the particles to the new center and the new radius of gyration. The center gets the
/// velocity of the material at its place.
static void change_particles(pv__body *b, const change *c, double old_stick) {
    bool moves = c->way.x != 0 || c->way.y != 0;
    double new_stick = b->half_stick;
    if (moves || new_stick != old_stick) { /* otherwise not a bit may change */
        pv_vec2 way = pv__rotate(b->pose.turn, c->way);
        b->half_stick = old_stick;
        pv__pose now = b->pose, before = pv__pose_before(b);
        double turn = pv__pose_chord_of(b).angle;
        b->half_stick = new_stick;
        now.center = pv__add(now.center, way);
        before.center = pv__mad(pv__add(before.center, way), -turn, pv__perp(way));
        pv__pose_set(b, before);
        pv__pose_advance_to(b, now);
    }
    pv__pose_forget_now(b);
    pv__pose_forget_before(b);
}

static void wake(pv_world *world, int index, const change *c) {
    if (c->where)
        pv__wake_within(world, c->where);
    else
        pv__wake_near(world, index);
}

static void apply(pv_world *world, pv__body *b, pv__body_pixels *pixels, double mass,
                  const change *c) {
    int index = (int)(b - world->bodies.items);
    double inertia = b->inertia, old_mass = b->mass, old_stick = b->half_stick;
    wake(world, index, c);
    pv__body_mask_drop(world, b->pixels);
    pv__body_mask_put_on(b, pixels, mass);
    if (mass == old_mass && b->half_stick == old_stick) b->inertia = inertia;
    pv__body_set_inverses(b);
    pv__grain_bodies_forget_picture(world, index);
    change_particles(b, c, old_stick);
    change_manifolds(world, index, c);
    if (b->joint_count > 0) {
        change_grips(world, index, c);
        pv__constraint_ease_all_of(world, 0, index);
    }
    wake(world, index, c);
    pv__broad_phase_displace(world, index);
    pv__index_update(world, index);
    pv__wake_forget_rest(b);
    b->settled = false;
}

/// Replaces the pixels of a body. The new pixels are dropped if mass or center are out of range.
static bool take_on(pv_error *e, pv_world *world, pv__body *b, pv__body_pixels *pixels, double mass,
                    const change *c) {
    pv_vec2 center = pv__add(b->pose.center, pv__rotate(b->pose.turn, c->way));
    pv__drive drive = b->drive;
    if (!pv__check_range(e, "mass", mass, PV__LEAST_MASS, PV__MOST_MASS) ||
        !pv__check_place(e, "center of mass", center)) {
        pv__body_mask_drop(world, pixels);
        return false;
    }
    pv__body_disturb(world, b);
    b->drive = drive; /* the motion of pv_body_move_to() goes on */
    apply(world, b, pixels, mass, c);
    return true;
}

/* ---- public functions ---- */

bool pv__body_check_map(pv_error *e, const char *field, const pv__material_view *materials,
                        const pv_mask *mask) {
    return pv__material_view_covers(materials, mask) ||
           pv__error_say(e, PV_ERROR_ARGUMENT, field, "%s: the map does not cover the mask",
                         field) == PV_OK;
}

void pv__body_mask_explain(pv_error *e, pv_status status, const char *field) {
    if (status == PV_ERROR_EMPTY)
        pv__error_say(e, status, field, "%s has no solid pixel", field);
    else if (status == PV_ERROR_TOO_LARGE)
        pv__error_say(e, status, field, "%s is too large for this scale", field);
    else
        pv__error_set(e, status);
}

/// Creates a body's pixels with another mask, scale or materials; returns null after an error.
static pv__body_pixels *make_anew(pv_error *e, pv_world *world, const pv__body *b, pv_mask *mask,
                                  pv_vec2 scale, const pv__material_view *materials) {
    pv__body_pixels *pixels = NULL;
    pv_status s = pv__body_mask_make(world, mask, scale, b->pixels->stand_in, materials, &pixels);
    if (s == PV_OK) return pixels;
    pv__body_mask_explain(e, s, "mask");
    return NULL;
}

pv_status pv_body_set_mask(pv_world *world, pv_body_id body, pv_mask *mask, pv_vec2 offset) {
    PV__BEGIN_SPRITE(pv__check_pointer(&e, "mask", mask) && pv__check_place(&e, "offset", offset) &&
                     pv__body_check_map(&e, "mask", &b->pixels->materials, mask));
    pv__material_view materials = pv__material_view_of_part(&b->pixels->materials, 0, 0);
    pv__body_pixels *pixels = make_anew(&e, world, b, mask, b->pixels->scale, &materials);
    if (!pixels) return pv__refuse(world, &e);
    pv_vec2 way = pv__scale(b->pixels->scale, pv__sub(pv__add(pixels->picture_pivot, offset),
                                                      b->pixels->picture_pivot));
    change c = {way, {1, 1}, pv__mul(-1, way), NULL};
    if (!take_on(&e, world, b, pixels, b->mass, &c)) return pv__refuse(world, &e);
    b->looks = pv__bits_digest(&mask->bits);
    return PV_OK;
}

pv_status pv__body_reshape(pv_world *world, pv__body *b, pv_mask *mask,
                           const pv__material_view *materials, const pv_box *where) {
    pv_error e;
    pv__error_begin(__func__, &e, NULL);
    pv__body_pixels *pixels = make_anew(&e, world, b, mask, b->pixels->scale, materials);
    if (!pixels) return e.status;
    pv_vec2 way =
        pv__scale(b->pixels->scale, pv__sub(pixels->picture_pivot, b->pixels->picture_pivot));
    change c = {way, {1, 1}, pv__mul(-1, way), where};
    /* even a tiny remainder is valid */
    double mass = pv__max(b->mass / b->pixels->weight * pixels->weight, PV__LEAST_MASS);
    take_on(&e, world, b, pixels, mass, &c);
    return e.status;
}

pv_status pv_body_set_scale(pv_world *world, pv_body_id body, pv_vec2 scale) {
    PV__BEGIN_SPRITE(pv__body_check_scale(&e, "scale", scale));
    pv__body_pixels *pixels =
        make_anew(&e, world, b, b->pixels->mask, scale, &b->pixels->materials);
    if (!pixels) return pv__refuse(world, &e);
    pv_vec2 middle = {0.5 * b->pixels->mask->bits.w, 0.5 * b->pixels->mask->bits.h},
            center = pixels->picture_pivot;
    pv_vec2 was = pv__scale(b->pixels->scale, pv__sub(middle, b->pixels->picture_pivot));
    change c = {
        .way = pv__sub(was, pv__scale(scale, pv__sub(middle, center))),
        .grow = {scale.x / b->pixels->scale.x, scale.y / b->pixels->scale.y},
        .shift = pv__scale(scale, pv__sub(b->pixels->picture_pivot, center)),
    };
    double mass = b->mass * (pixels->weight / b->pixels->weight);
    return take_on(&e, world, b, pixels, mass, &c) ? PV_OK : pv__refuse(world, &e);
}
