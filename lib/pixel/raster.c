/* raster.c - transforms, their fixed-point inverses, and bitmaps of rotated sprites.
 *
 * Invariant: pv__map alone decides which world pixels are solid, in integers, so drawings and
 * rasters of all kernels agree on every pixel. All sums fit in 64 bits: a row or raster that begins
 * 2^28 px or more from the picture has no pixel of it, and its coordinates are not computed.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixel/raster.h"
#include "base/base.h"
#include "base/math.h"
#include "pixel/kernel.h"
#include "pixel/mask.h"
#include "pixel/mask_ops.h"

#include <float.h>
#include <string.h>

/* ---- transforms ---- */

pv_transform pv_transform_identity(void) {
    return (pv_transform){.rotation = {1, 0}, .scale = {1, 1}};
}

pv_vec2 pv_transform_to_world(const pv_transform *t, pv_vec2 point) {
    if (!t) return point;
    pv_vec2 arm = pv__sub(point, t->pivot);
    return pv__add(t->position,
                   pv__rotate(t->rotation, pv__vec(arm.x * t->scale.x, arm.y * t->scale.y)));
}

pv_box pv_transform_compute_bounds(const pv_transform *t, int width, int height) {
    const double spare = 1.0 / 256;
    const pv_box none = {{0, 0}, {-1, -1}};
    if (!t || width <= 0 || height <= 0) return none;
    double w = 0.5 * width * pv__abs(t->scale.x), h = 0.5 * height * pv__abs(t->scale.y);
    double c = pv__abs(t->rotation.c), s = pv__abs(t->rotation.s);
    pv_vec2 center = pv_transform_to_world(t, pv__vec(0.5 * width, 0.5 * height));
    pv_vec2 reach = pv__vec(c * w + s * h + spare, s * w + c * h + spare);
    pv_box box = {pv__sub(center, reach), pv__add(center, reach)};
    return pv__finite(center.x + center.y + reach.x + reach.y) ? box : none;
}

/// Checks the range of a scale, and that it is not too small.
static bool check_scale(pv_error *e, const char *field, double scale) {
    if (!pv__check_range(e, field, scale, -1024, 1024)) return false;
    if (pv__abs(scale) >= 1.0 / 1024) return true;
    e->value = scale, e->min = 1.0 / 1024, e->max = 1024;
    return pv__error_say(e, PV_ERROR_ARGUMENT, field, "%s is %.9g, must be 1/1024 or more in size",
                         field, scale) == PV_OK;
}

bool pv__check_transform(pv_error *e, const pv__transform_names *names, const pv_transform *t) {
    pv_vec2 rotation = pv__vec(t->rotation.c, t->rotation.s);
    if (!pv__check_place(e, names->position, t->position) ||
        !pv__check_place(e, names->pivot, t->pivot) || !check_scale(e, names->scale, t->scale.x) ||
        !check_scale(e, names->scale, t->scale.y) ||
        !pv__check_vector(e, names->rotation, rotation, DBL_MAX))
        return false;
    double length = pv__length(rotation);
    return pv__abs(length - 1) <= 1e-6 ||
           pv__error_say(e, PV_ERROR_ARGUMENT, names->rotation,
                         "%s has a length of %.9g, must be 1", names->rotation, length) == PV_OK;
}

pv_status pv__raster_check_transform(const pv_transform *t) {
    static const pv__transform_names names = PV__TRANSFORM_NAMES("transform");
    pv_error own, *e = pv__error_begin(__func__, NULL, &own);
    pv__check_transform(e, &names, t);
    return e->status;
}

/* ---- the map ---- */

static int64_t fixed(double x) { return pv__floor(x * 4294967296.0 + 0.5); }

pv__map pv__raster_map_of(const pv_transform *t) {
    double c = t->rotation.c, s = t->rotation.s;
    int64_t x0 = pv__floor(t->position.x), y0 = pv__floor(t->position.y);
    pv_vec2 arm = pv__unrotate(
        t->rotation, pv__vec((double)x0 + 0.5 - t->position.x, (double)y0 + 0.5 - t->position.y));
    return (pv__map){
        .x0 = (int)x0,
        .y0 = (int)y0,
        .u = fixed(t->pivot.x + arm.x / t->scale.x),
        .v = fixed(t->pivot.y + arm.y / t->scale.y),
        .ux = fixed(c / t->scale.x),
        .vx = fixed(-s / t->scale.y),
        .uy = fixed(s / t->scale.x),
        .vy = fixed(c / t->scale.y),
    };
}

/// Computes p + i px + j py. Returns false at 2^28 px or more from the picture. Sums wrap, so a
/// result in range is exact.
static bool raster_at(int64_t p, int64_t px, int64_t py, int64_t i, int64_t j, int64_t *out) {
    double far = (double)p + (double)i * (double)px + (double)j * (double)py;
    *out = (int64_t)((uint64_t)p + (uint64_t)i * (uint64_t)px + (uint64_t)j * (uint64_t)py);
    return pv__abs(far) < 0x1p60;
}

/// Finds the place of a pixel of the world in the picture. Returns false at a great distance.
static bool place_at(const pv__map *map, int x, int y, int64_t *u, int64_t *v) {
    int64_t i = (int64_t)x - map->x0, j = (int64_t)y - map->y0;
    return raster_at(map->u, map->ux, map->uy, i, j, u) &&
           raster_at(map->v, map->vx, map->vy, i, j, v);
}

pv__axis pv__axis_of(int64_t step, int size) {
    double length = (double)(step < 0 ? -step : step);
    return (pv__axis){step, size * PV__ONE, length > 0 ? 1.0 / length : 0};
}

/// Returns the least i in 0...width with p + i step >= bound for step > 0, or width. The product
/// never exceeds the next integer, as i has 16 bits. The result is exact.
static inline int first_at(int64_t p, int64_t step, double inverse, int64_t bound, int width) {
    double guess = (double)(bound - p) * inverse;
    guess = guess < width ? guess : width;
    int i = (int)(guess > 0 ? guess : 0);
    while (i < width && p + i * step < bound) i++;
    return i;
}

/// Finds the i of 0...width - 1 with p + i step inside: from...to - 1.
static inline void inside(const pv__axis *o, int64_t p, int width, int *from, int *to) {
    int64_t step = o->step;
    if (step < 0) {
        p = o->end - 1 - p;
        step = -step;
    }
    if (step == 0) {
        *from = 0;
        *to = p >= 0 && p < o->end ? width : 0;
        return;
    }
    *from = first_at(p, step, o->inverse, 0, width);
    *to = first_at(p, step, o->inverse, o->end, width);
}

bool pv__span(const pv__axis *across, const pv__axis *down, int64_t u, int64_t v, int width,
              int *from, int *to) {
    int from_u, to_u, from_v, to_v;
    inside(across, u, width, &from_u, &to_u);
    inside(down, v, width, &from_v, &to_v);
    *from = from_u > from_v ? from_u : from_v;
    *to = to_u < to_v ? to_u : to_v;
    return *from < *to;
}

bool pv__raster_map_span(const pv__map *map, int w, int h, int y, int *from, int *to, int64_t *u,
                         int64_t *v) {
    int low, high;
    if (!place_at(map, *from, y, u, v)) return false;
    pv__axis across = pv__axis_of(map->ux, w), down = pv__axis_of(map->vx, h);
    if (!pv__span(&across, &down, *u, *v, *to - *from, &low, &high)) return false;
    *u += low * map->ux;
    *v += low * map->vx;
    *to = *from + high;
    *from += low;
    return true;
}

static int whole(double x) { return (int)pv__floor(pv__clamp(x, -0x1p29, 0x1p29)); }

pv_rect pv__raster_rect(const pv_transform *transform, int w, int h) {
    pv_box box = pv_transform_compute_bounds(transform, w, h);
    if (!(box.max.x >= box.min.x)) return (pv_rect){0, 0, 0, 0};
    int x = whole(box.min.x), y = whole(box.min.y);
    return (pv_rect){x, y, whole(box.max.x) + 1 - x, whole(box.max.y) + 1 - y};
}

/* ---- rasters ---- */

/// Copies an upright picture, with its pixel (left, top) at out's (0, 0).
static void copy(const pv__bits *source, int64_t left, int64_t top, pv__bits *out) {
    int64_t first = top < 0 ? -top : 0, last = source->h - top < out->h ? source->h - top : out->h;
    uint64_t *words = out->words;
    for (int s = 0; s < pv__bits_stripes(out->w); s++, words += out->h) {
        uint64_t keep = pv__bits_between(0, out->w - 64 * s - 1);
        for (int64_t y = first; y < last; y++)
            words[y] = pv__bits_word(source, left + s * 64, top + y) & keep;
    }
}

/// Returns n <= 64 bits of the source from (u, v) on, all inside; one means a single stripe. The
/// last bit comes first, so that the chain from bit to bit is one addition.
PV__INLINE uint64_t sample(const pv__bits *source, const pv__map *map, int64_t u, int64_t v, int n,
                           bool one) {
    uint64_t word = 0;
    const uint64_t *words = source->words;
    int64_t h = source->h, ux = map->ux, vx = map->vx;
    u += (n - 1) * ux;
    v += (n - 1) * vx;
    for (int k = 0; k < n; k++) {
        uint64_t column = words[(one ? 0 : (u >> 38) * h) + (v >> 32)];
        word = 2 * word + (column >> (u >> 32 & 63) & 1);
        u -= ux;
        v -= vx;
    }
    return word;
}

/// Samples the pixels from...to - 1 of a row, all inside; pixel 0 lies at (u, v).
static void sample_row(const pv__bits *source, const pv__map *map, int64_t u, int64_t v, int from,
                       int to, uint64_t *word, ptrdiff_t stride) {
    u += from * map->ux;
    v += from * map->vx;
    while (from < to) {
        int stop = (from | 63) + 1 < to ? (from | 63) + 1 : to, n = stop - from;
        uint64_t bits = source->w <= 64 ? sample(source, map, u, v, n, true)
                                        : sample(source, map, u, v, n, false);
        word[(from >> 6) * stride] = bits << (from & 63);
        u += n * map->ux;
        v += n * map->vx;
        from = stop;
    }
}

void pv__raster_rows(const pv__bits *source, const pv__map *map, int64_t u, int64_t v,
                     const pv__bits *out) {
    pv__axis across = pv__axis_of(map->ux, source->w), down = pv__axis_of(map->vx, source->h);
    memset(out->words, 0, pv__bits_word_count(out->w, out->h) * sizeof *out->words);
    for (int j = 0; j < out->h; j++, u += map->uy, v += map->vy) {
        int from, to;
        if (pv__span(&across, &down, u, v, out->w, &from, &to))
            sample_row(source, map, u, v, from, to, out->words + j, out->h);
    }
}

void pv__raster(const pv__bits *source, const pv__map *map, int x, int y, pv__bits *out) {
    int64_t u, v;
    if (out->w <= 0 || out->h <= 0) return;
    bool upright = pv__map_is_upright(map);
    if (!upright && place_at(map, x, y, &u, &v)) {
        pv__kernel_in_use()->raster(source, map, u, v, out);
        return;
    }
    memset(out->words, 0, pv__bits_word_count(out->w, out->h) * sizeof *out->words);
    if (upright) copy(source, (map->u >> 32) + x - map->x0, (map->v >> 32) + y - map->y0, out);
}

pv_mask *pv_mask_transform(const pv_mask *mask, const pv_transform *transform, pv_rect *origin,
                           const pv_allocator *allocator, pv_error *error) {
    static const pv__transform_names names = PV__TRANSFORM_NAMES("transform");
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (origin) *origin = (pv_rect){0, 0, 0, 0};
    if (!pv__check_pointer(e, "mask", mask) || !pv__check_pointer(e, "transform", transform) ||
        !pv__check_transform(e, &names, transform))
        return NULL;
    pv_rect rect = pv__raster_rect(transform, mask->bits.w, mask->bits.h);
    pv_mask *made = pv__mask_make_for(e, names.scale, rect.w, rect.h, allocator);
    if (!made) return NULL;
    pv__map map = pv__raster_map_of(transform);
    pv__raster(&mask->bits, &map, rect.x, rect.y, &made->bits);
    if (origin) *origin = rect;
    return made;
}
