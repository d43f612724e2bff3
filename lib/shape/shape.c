/* shape.c - the geometry of a mask and its collision shapes, and its scaled masks.
 *
 * Invariant: the cached shapes and scaled masks of a mask match its current pixels. Edits discard
 * or update them.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "shape/shape.h"
#include "base/base.h"
#include "base/error.h"
#include "pixel/mask.h"
#include "pixel/mask_ops.h"
#include "pixel/raster.h"
#include "shape/contour_loop.h"
#include "shape/contour_update.h"
#include "shape/distance_field.h"

#include <string.h>

enum { CORE_POINTS = 64 };
/// Kind of a bare outline, placed after the colliders, and the number of kinds.
enum { OUTLINE = PV_COLLIDER_BOX + 1, KINDS };
/// Number of scales that a mask caches. Any other scale is made anew for each request.
enum { FORMS = 16 };

/// Cache of a mask: a shape of each kind or null, and scaled masks, with null after the last.
typedef struct shelf {
    /// Base, first so that the mask can free it
    pv__derived derived;
    pv_allocator allocator;
    _Atomic(pv__shape *) shapes[KINDS];
    _Atomic(pv__scaled_mask *) forms[FORMS];
    /// Sums over the pixels, kept from the first change on; zeros before it
    pv__sums sums;
} shelf;

static void free_shape(pv__shape *shape) {
    if (!shape) return;
    pv_allocator allocator = shape->allocator;
    pv__shape_free_arrays(shape);
    pv__field_free(&shape->field, &allocator);
    pv__free(&allocator, shape, 1, sizeof *shape);
}

static void free_form(const pv_allocator *allocator, pv__scaled_mask *form) {
    if (form) pv_mask_release(form->mask);
    pv__free(allocator, form, 1, sizeof *form);
}

static void free_shelf(pv__derived *derived) {
    shelf *kept = (shelf *)derived;
    pv_allocator allocator = kept->allocator;
    for (int i = 0; i < KINDS; i++) free_shape(atomic_load(&kept->shapes[i]));
    for (int i = 0; i < FORMS; i++) free_form(&allocator, atomic_load(&kept->forms[i]));
    pv__free(&allocator, kept, 1, sizeof *kept);
}

/* ---- making ---- */

static void measure(pv__shape *shape, pv_vec2 centroid) {
    double most = 0;
    if (shape->count > 0) shape->box = (pv_box){shape->vertices[0].at, shape->vertices[0].at};
    for (int i = 0; i < shape->count; i++) {
        pv_vec2 at = shape->vertices[i].at, arm = pv__sub(at, centroid);
        pv__enclose(&shape->box, at);
        most = pv__max(most, pv__dot(arm, arm));
    }
    shape->reach = sqrt(most);
}

/// Finds the point of greatest depth near the middle, on a grid of points.
static void find_core(pv__shape *shape, pv_vec2 middle) {
    pv_vec2 size = pv__sub(shape->box.max, shape->box.min);
    double across = pv__max(0.5, size.x / CORE_POINTS), down = pv__max(0.5, size.y / CORE_POINTS),
           least = INFINITY;
    for (double y = shape->box.min.y + 0.5 * down; shape->count > 0 && y < shape->box.max.y;
         y += down)
        for (double x = shape->box.min.x + 0.5 * across; x < shape->box.max.x; x += across) {
            double depth = pv__field_at(shape, pv__vec(x, y), NULL);
            double worth = depth + 1e-3 * pv__length(pv__sub(pv__vec(x, y), middle));
            if (worth >= least) continue;
            least = worth;
            shape->core = pv__vec(x, y);
            shape->core_depth = -depth;
        }
}

/// Searches the edges near a box. Returns their least squared distance to p, or least if smaller.
static double nearest_within(const pv__shape *shape, const pv_box *within, pv_vec2 p, double least,
                             pv_vec2 *nearest) {
    int at = 0;
    for (const pv__node *n; (n = pv__shape_tree_next(&shape->near_blocks, within, &at));)
        for (int k = n->first; k < n->end; k++)
            for (int i = shape->blocks[k].first; i < shape->blocks[k].end; i++) {
                const pv__vertex *v = &shape->vertices[i];
                pv_vec2 on = pv__nearest_between(v->at, shape->vertices[v->next].at, p),
                        to = pv__sub(on, p);
                if (pv__dot(to, to) >= least) continue;
                least = pv__dot(to, to);
                *nearest = on;
            }
    return least;
}

bool pv__shape_find_nearest(const pv__shape *shape, pv_vec2 p, pv_vec2 *nearest) {
    double farthest = pv__length(pv__sub(p, shape->core)) + 2 * shape->reach, least = INFINITY;
    for (double r = PV__FIELD_REACH; least > 0.25 * r * r && r < 4 * farthest; r *= 2) {
        pv_box within = pv__box_widened((pv_box){p, p}, r);
        least = nearest_within(shape, &within, p, least, nearest);
    }
    return least < INFINITY;
}

static bool make_contour(pv__shape *shape, const pv_mask *mask, int kind,
                         const pv_mass_data *mass) {
    switch (kind) {
    case PV_COLLIDER_CIRCLE:
        return pv__contour_circle(shape, mass->centroid, sqrt(mass->area / PV__PI));
    case PV_COLLIDER_BOX: return pv__contour_box(shape, pv_mask_compute_bounds(mask));
    default: return pv__contour_make(shape, mask);
    }
}

/// Makes all parts of a shape that derive from its contour. A bare outline has none of them.
static bool finish(pv__shape *shape, pv_vec2 centroid, const pv__runner *runner) {
    measure(shape, centroid);
    if (!pv__shape_make_blocks(shape) || !pv__field_make(shape, runner)) return false;
    find_core(shape, centroid);
    return true;
}

static pv__shape *make_shape(const pv_mask *mask, int kind, const pv__runner *runner) {
    pv__shape *shape = pv__alloc(&mask->allocator, 1, sizeof *shape);
    if (!shape) return NULL;
    pv_mass_data mass = pv__shape_mask_mass(mask);
    shape->allocator = mask->allocator;
    bool made = make_contour(shape, mask, kind, &mass);
    shape->alive = shape->count;
    if (made && (kind == OUTLINE || finish(shape, mass.centroid, runner))) return shape;
    free_shape(shape);
    return NULL;
}

/* ---- updates after a change ---- */

/// Updates box, reach and core after a change.
static void remeasure(pv__shape *shape, pv_vec2 centroid) {
    double most = 0;
    pv_box all = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int i = 0; i < shape->block_count; i++) {
        const pv_box *b = &shape->blocks[i].box;
        if (b->min.x > b->max.x) continue;
        all = pv__box_join(all, *b);
        pv_vec2 arm = {pv__max(b->max.x - centroid.x, centroid.x - b->min.x),
                       pv__max(b->max.y - centroid.y, centroid.y - b->min.y)};
        most = pv__max(most, pv__dot(arm, arm));
    }
    shape->box = all;
    shape->reach = sqrt(most);
    double depth = shape->count > 0 ? -pv__field_at(shape, shape->core, NULL) : 0;
    if (depth < shape->core_depth - 0.5) find_core(shape, centroid);
}

static bool copy_array(const pv_allocator *allocator, void *array, int count, int *capacity,
                       size_t size) {
    void *old, *made = count > 0 ? pv__alloc(allocator, (size_t)count, size) : NULL;
    memcpy(&old, array, sizeof old);
    if (made) memcpy(made, old, (size_t)count * size);
    memcpy(array, &made, sizeof made);
    *capacity = made ? count : 0;
    return made || count == 0;
}

static pv__shape *copy_shape(const pv__shape *shape) {
    pv__shape *made = pv__alloc(&shape->allocator, 1, sizeof *made);
    if (!made) return NULL;
    *made = *shape;
    const pv_allocator *a = &made->allocator;
    bool good = copy_array(a, &made->vertices, made->count, &made->capacity, sizeof(pv__vertex));
    good &= copy_array(a, &made->sides, made->side_count, &made->side_capacity, sizeof(pv__side));
    good &=
        copy_array(a, &made->blocks, made->block_count, &made->block_capacity, sizeof(pv__block));
    good &= copy_array(a, &made->near_blocks.nodes, made->near_blocks.count,
                       &made->near_blocks.capacity, sizeof(pv__node));
    good &= copy_array(a, &made->near_sides.nodes, made->near_sides.count,
                       &made->near_sides.capacity, sizeof(pv__node));
    good &= pv__field_copy(&made->field, a);
    if (good) return made;
    free_shape(made);
    return NULL;
}

/* ---- cache; if another thread was faster, its result is used ---- */

static shelf *shelf_of(pv_mask *mask) {
    pv__derived *derived = atomic_load(&mask->derived), *none = NULL;
    if (derived) return (shelf *)derived;
    shelf *made = pv__alloc(&mask->allocator, 1, sizeof *made);
    if (!made) return NULL;
    made->derived.free = free_shelf;
    made->allocator = mask->allocator;
    if (atomic_compare_exchange_strong(&mask->derived, &none, &made->derived)) return made;
    free_shelf(&made->derived);
    return (shelf *)none;
}

static const pv__shape *shape_of(pv_mask *mask, int kind, const pv__runner *runner) {
    shelf *kept = shelf_of(mask);
    if (!kept) return NULL;
    pv__shape *shape = atomic_load(&kept->shapes[kind]), *none = NULL;
    if (shape) return shape;
    shape = make_shape(mask, kind, runner);
    if (!shape || atomic_compare_exchange_strong(&kept->shapes[kind], &none, shape)) return shape;
    free_shape(shape);
    return none;
}

const pv__shape *pv__shape_of_mask_as(pv_mask *mask, pv_collider how, const pv__runner *runner) {
    return shape_of(mask, (int)how, runner);
}

const pv__shape *pv__shape_mask_outline(pv_mask *mask) { return shape_of(mask, OUTLINE, NULL); }

const pv__shape *pv__shape_of_mask(pv_mask *mask) {
    return pv__shape_of_mask_as(mask, PV_COLLIDER_PIXELS, NULL);
}

/* ---- scaled masks ---- */

static int64_t rounded(double size) { return pv__floor(pv__max(1, size + 0.5)); }

/// Resamples a picture at a size > 0, with its corner at a pixel corner.
static pv_mask *stretch(const pv_mask *mask, pv_vec2 size, pv_error *error) {
    int64_t w = rounded(size.x * mask->bits.w), h = rounded(size.y * mask->bits.h);
    pv_mask *made = pv__mask_like(w, h, mask, error);
    pv_transform t = pv_transform_identity();
    t.scale = size;
    pv__map map = pv__raster_map_of(&t);
    if (made) pv__raster(&mask->bits, &map, 0, 0, &made->bits);
    return made;
}

/// Fills a scaled mask from a mask and takes over the caller's reference. Releases the mask if it
/// has no pixels.
static pv_status weigh(pv_mask *mask, pv_vec2 size, pv__scaled_mask *form) {
    pv_mass_data m = pv__shape_mask_mass(mask);
    *form = (pv__scaled_mask){size, mask, m, {m.centroid.x / size.x, m.centroid.y / size.y}};
    if (m.area > 0) return PV_OK;
    pv_mask_release(mask);
    return PV_ERROR_EMPTY;
}

/// Mirrors a scaled mask. Its mass data is mirrored too, to the same bits.
static pv_status mirror(pv_vec2 scale, const pv__scaled_mask *of, pv__scaled_mask *form) {
    pv_error error;
    pv_mask *made = pv_mask_flip(of->mask, scale.x < 0, scale.y < 0, &error);
    *form = (pv__scaled_mask){scale, made, of->mass, of->center};
    pv_vec2 *c = &form->mass.centroid;
    if (scale.x < 0) c->x = of->mask->bits.w - c->x;
    if (scale.y < 0) c->y = of->mask->bits.h - c->y;
    return error.status;
}

static pv_status make_form(pv_mask *mask, pv_vec2 scale, pv__scaled_mask *form) {
    pv_vec2 size = {pv__abs(scale.x), pv__abs(scale.y)};
    if (pv__same_place(scale, size)) {
        pv_error error;
        pv_mask *made = stretch(mask, size, &error);
        return made ? weigh(made, size, form) : error.status;
    }
    pv__scaled_mask upright;
    pv_status s = pv__shape_mask_form(mask, size, &upright);
    if (s != PV_OK) return s;
    s = mirror(scale, &upright, form);
    pv_mask_release(upright.mask);
    return s;
}

/// Caches a scaled mask in a free slot. Another thread's entry stays, and two equal entries do no
/// harm.
static void keep_form(shelf *kept, const pv__scaled_mask *form) {
    pv__scaled_mask *copy = pv__alloc(&kept->allocator, 1, sizeof *copy);
    if (!copy) return;
    *copy = *form;
    pv_mask_retain(copy->mask);
    for (int i = 0; i < FORMS; i++) {
        pv__scaled_mask *none = NULL;
        if (atomic_compare_exchange_strong(&kept->forms[i], &none, copy)) return;
    }
    free_form(&kept->allocator, copy);
}

pv_status pv__shape_mask_form(pv_mask *mask, pv_vec2 scale, pv__scaled_mask *form) {
    if (pv__same_place(scale, pv__vec(1, 1))) return weigh(pv_mask_retain(mask), scale, form);
    shelf *kept = shelf_of(mask);
    if (!kept) return PV_ERROR_MEMORY;
    for (int i = 0; i < FORMS; i++) {
        const pv__scaled_mask *known = atomic_load(&kept->forms[i]);
        if (!known) break;
        if (!pv__same_place(known->scale, scale)) continue;
        *form = *known;
        pv_mask_retain(form->mask);
        return PV_OK;
    }
    pv_status status = make_form(mask, scale, form);
    if (status == PV_OK) keep_form(kept, form);
    return status;
}

/* ---- masks whose pixels are changed ---- */

pv_mass_data pv__shape_mask_mass(const pv_mask *mask) {
    const shelf *kept = (const shelf *)atomic_load(&mask->derived);
    return kept && kept->sums.n > 0 ? pv__mask_mass_of(&kept->sums) : pv_mask_compute_mass(mask);
}

pv_mask *pv__shape_mask_twin(const pv_mask *mask, pv_error *error) {
    const shelf *kept = (const shelf *)atomic_load(&mask->derived);
    const pv__shape *shape = kept ? atomic_load(&kept->shapes[PV_COLLIDER_PIXELS]) : NULL;
    pv_mask *twin = pv_mask_copy(mask, error);
    if (!twin || !shape) return twin;
    shelf *own = shelf_of(twin);
    pv__shape *copy = own ? copy_shape(shape) : NULL;
    if (!copy) {
        pv_mask_release(twin);
        pv_error unused;
        pv__error_set(pv__error_begin(__func__, error, &unused), PV_ERROR_MEMORY);
        return NULL;
    }
    own->sums = kept->sums;
    atomic_store(&own->shapes[PV_COLLIDER_PIXELS], copy);
    return twin;
}

/// Discards everything that derives from the previous pixels.
static void forget_forms(shelf *kept) {
    for (int i = 0; i < KINDS; i++)
        if (i != PV_COLLIDER_PIXELS) free_shape(atomic_exchange(&kept->shapes[i], NULL));
    for (int i = 0; i < FORMS; i++)
        free_form(&kept->allocator, atomic_exchange(&kept->forms[i], NULL));
}

static pv_status follow(pv_mask *mask, shelf *kept, const pv__change *change) {
    pv__shape *shape = atomic_load(&kept->shapes[PV_COLLIDER_PIXELS]);
    if (!shape) return PV_OK;
    pv_status s = pv__contour_update(shape, change);
    pv_mass_data mass = pv__mask_mass_of(&kept->sums);
    if (s == PV_OK) {
        remeasure(shape, mass.centroid);
        pv__contour_compact(shape);
    }
    if (s != PV_ERROR_FORMAT) return s;
    pv__shape *made = make_shape(mask, PV_COLLIDER_PIXELS, NULL);
    if (!made) return PV_ERROR_MEMORY;
    atomic_store(&kept->shapes[PV_COLLIDER_PIXELS], made);
    free_shape(shape);
    return PV_OK;
}

pv_status pv__shape_mask_alter(pv_mask *mask, const pv_mask *pixels, pv_point at, bool adds) {
    shelf *kept = shelf_of(mask);
    if (!kept) return PV_ERROR_MEMORY;
    if (kept->sums.n == 0) kept->sums = pv__bits_sums(&mask->bits);
    pv__sums before = kept->sums, o = pv__bits_sums(&pixels->bits);
    pv__change change = {&mask->bits, &pixels->bits, at};
    pv__bits_combine(&mask->bits, &pixels->bits, at.x, at.y, PV_COMBINE_XOR);
    pv__bits_sums_add(&kept->sums, &o, at, adds ? 1 : -1);
    pv_status s = follow(mask, kept, &change);
    if (s == PV_OK) {
        forget_forms(kept);
        return s;
    }
    pv__bits_combine(&mask->bits, &pixels->bits, at.x, at.y, PV_COMBINE_XOR);
    kept->sums = before;
    return s;
}

pv__shape *pv__shape_mask_altered(const pv_mask *mask) {
    const shelf *kept = (const shelf *)atomic_load(&mask->derived);
    pv__shape *shape = kept ? atomic_load(&kept->shapes[PV_COLLIDER_PIXELS]) : NULL;
    return shape && shape->grafted ? shape : NULL;
}

bool pv__shape_mask_adopt(pv_mask *mask, pv__shape *shape, bool good) {
    shelf *kept = good ? shelf_of(mask) : NULL;
    if (!kept) {
        free_shape(shape);
        return false;
    }
    shape->grafted = true;
    kept->sums = pv__bits_sums(&mask->bits);
    atomic_store(&kept->shapes[PV_COLLIDER_PIXELS], shape);
    return true;
}
