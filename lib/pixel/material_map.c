/* material_map.c - hardness and density of each pixel of a picture.
 *
 * Invariant: a finished map never changes. It is one block of memory, without planes that hold only
 * usual values. Weights are summed in integers, so results do not depend on order or on earlier
 * cuts. With 2^26 px all sums fit in 63 bits.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "pixel/material_map.h"
#include "base/base.h"
#include "base/error.h"
#include "base/math.h"
#include "pixel/file.h"
#include "pixel/mask.h"
#include "pixel/raster.h"

enum { FULL = 255 };

/* ---- making ---- */

/// Plane of bytes in the caller's memory, if there is one.
typedef struct plane {
    const unsigned char *first;
    /// Distances from pixel to pixel and from row to row [bytes]
    ptrdiff_t step, pitch;
} plane;

static size_t block_size(int w, int h, int planes) {
    return sizeof(pv_material_map) + (size_t)w * (size_t)h * (size_t)planes;
}

/// Checks the size of a map.
static bool check_size(pv_error *e, const pv__rows_names *names, int w, int h) {
    int64_t area = (int64_t)w * h;
    if (!pv__check_size(e, names->width, w, 0, PV__MAX_SIDE) ||
        !pv__check_size(e, names->height, h, 0, PV__MAX_SIDE))
        return false;
    if (area <= PV__MAX_MATERIAL) return true;
    e->value = (double)area, e->max = PV__MAX_MATERIAL;
    return pv__error_say(e, PV_ERROR_TOO_LARGE, names->width,
                         "%s x %s is %d x %d px, at most %d px^2", names->width, names->height, w,
                         h, (int)PV__MAX_MATERIAL) == PV_OK;
}

pv_material_map *pv__material_map_make(int w, int h, bool hardness, bool density,
                                       const pv_allocator *allocator) {
    pv_allocator from = pv__allocator(allocator);
    pv_material_map *map = pv__alloc(&from, block_size(w, h, hardness + density), 1);
    if (!map) return NULL;
    unsigned char *bytes = (unsigned char *)(map + 1);
    map->w = w;
    map->h = h;
    map->allocator = from;
    map->hardness = hardness ? bytes : NULL;
    map->density = density ? bytes + (hardness ? (size_t)w * (size_t)h : 0) : NULL;
    atomic_init(&map->references, 1);
    return map;
}

/// Adds the bytes of a plane to a digest, with the usual value for a missing plane. Tells whether a
/// byte differs from the usual value.
static bool digest_plane(uint64_t *h, const unsigned char *bytes, unsigned char usual,
                         size_t size) {
    bool says = false;
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = bytes ? bytes[i] : usual;
        *h = (*h ^ byte) * UINT64_C(0x100000001b3);
        says |= byte != usual;
    }
    return says;
}

bool pv__material_map_seal(pv_material_map *map) {
    size_t size = (size_t)map->w * (size_t)map->h;
    uint64_t h = (uint64_t)map->w << 32 | (uint64_t)map->h;
    bool hardness = digest_plane(&h, map->hardness, 0, size),
         density = digest_plane(&h, map->density, FULL, size);
    map->digest = h | 1;
    return hardness == (map->hardness != NULL) && density == (map->density != NULL);
}

static const unsigned char *row_of(const plane *p, int y) { return p->first + y * p->pitch; }

/// Tells whether a plane has a byte other than the usual value.
static bool says_something(const plane *p, unsigned char usual, int w, int h) {
    for (int y = 0; p->first && y < h; y++)
        for (int x = 0; x < w; x++)
            if (row_of(p, y)[x * p->step] != usual) return true;
    return false;
}

static void fill(unsigned char *to, const plane *from, int w, int h) {
    for (int y = 0; to && y < h; y++)
        for (int x = 0; x < w; x++) *to++ = row_of(from, y)[x * from->step];
}

/// Creates a map from checked planes.
static pv_material_map *make(pv_error *e, const pv__rows_names *names, plane hardness,
                             plane density, int w, int h, const pv_allocator *allocator) {
    if (!check_size(e, names, w, h)) return NULL;
    bool hard = says_something(&hardness, 0, w, h), dense = says_something(&density, FULL, w, h);
    pv_material_map *map = pv__material_map_make(w, h, hard, dense, allocator);
    if (!map) return pv__error_set(e, PV_ERROR_MEMORY), NULL;
    fill(map->hardness, &hardness, w, h);
    fill(map->density, &density, w, h);
    pv__material_map_seal(map);
    return map;
}

static plane channel_of(const pv_image *image, pv_channel channel) {
    if (channel == PV_CHANNEL_NONE) return (plane){NULL, 0, 0};
    return (plane){image->pixels + (channel - PV_CHANNEL_RED), 4, (ptrdiff_t)image->width * 4};
}

pv_material_map *pv_material_map_from_image(const pv_image *image, pv_channel hardness,
                                            pv_channel density, const pv_allocator *allocator,
                                            pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!pv__check_pointer(e, "image", image) ||
        !pv__check_range(e, "hardness", hardness, 0, PV_CHANNEL_ALPHA) ||
        !pv__check_range(e, "density", density, 0, PV_CHANNEL_ALPHA))
        return NULL;
    int w = image->width, h = image->height;
    ptrdiff_t pitch = (ptrdiff_t)w * 4;
    if (!pv__check_rows(e, &pv__image_rows, image->pixels, w, h, pitch, pitch)) return NULL;
    return make(e, &pv__image_rows, channel_of(image, hardness), channel_of(image, density), w, h,
                allocator);
}

pv_material_map *pv_material_map_from_bytes(const void *hardness, const void *density, int width,
                                            int height, ptrdiff_t pitch,
                                            const pv_allocator *allocator, pv_error *error) {
    static const pv__rows_names names = {"hardness", "width", "height", "pitch"};
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if ((hardness && !pv__check_rows(e, &names, hardness, width, height, pitch, width)) ||
        (density && !pv__check_rows(e, &names, density, width, height, pitch, width)))
        return NULL;
    return make(e, &names, (plane){hardness, 1, pitch}, (plane){density, 1, pitch}, width, height,
                allocator);
}

pv_material_map *pv_material_map_retain(pv_material_map *map) {
    if (map) atomic_fetch_add_explicit(&map->references, 1, memory_order_relaxed);
    return map;
}

void pv_material_map_release(pv_material_map *map) {
    if (!map || atomic_fetch_sub_explicit(&map->references, 1, memory_order_acq_rel) != 1) return;
    pv_allocator from = map->allocator;
    pv__free(&from, map,
             block_size(map->w, map->h, (map->hardness != NULL) + (map->density != NULL)), 1);
}

/* ---- reading ---- */

int pv_material_map_get_width(const pv_material_map *map) { return map ? map->w : 0; }

int pv_material_map_get_height(const pv_material_map *map) { return map ? map->h : 0; }

static bool inside(const pv_material_map *map, int x, int y) {
    return map && x >= 0 && y >= 0 && x < map->w && y < map->h;
}

/// Returns a byte of a plane, or the usual value for a missing one.
static int byte_at(const pv_material_map *map, const unsigned char *bytes, int usual, int x,
                   int y) {
    return bytes ? bytes[(size_t)y * (size_t)map->w + (size_t)x] : usual;
}

int pv_material_map_get_hardness(const pv_material_map *map, int x, int y) {
    return inside(map, x, y) ? byte_at(map, map->hardness, 0, x, y) : 0;
}

int pv_material_map_get_density(const pv_material_map *map, int x, int y) {
    return inside(map, x, y) ? byte_at(map, map->density, FULL, x, y) : 0;
}

/* ---- material views of pictures ---- */

bool pv__material_view_covers(const pv__material_view *m, const pv_mask *mask) {
    return !m->map ||
           (m->x >= 0 && m->y >= 0 && mask->bits.w <= m->map->w && mask->bits.h <= m->map->h &&
            m->x <= m->map->w - mask->bits.w && m->y <= m->map->h - mask->bits.h);
}

pv__material_view pv__material_view_of_part(const pv__material_view *m, int x, int y) {
    if (!m->map) return (pv__material_view){.id = -1};
    return (pv__material_view){m->map, m->x + x, m->y + y, m->id, {0, 0, 0, 0, 0}};
}

bool pv__material_map_is_hardened(const pv__material_view *m) { return m->map && m->map->hardness; }

bool pv__material_map_is_weighted(const pv__material_view *m) { return m->map && m->map->density; }

int pv__material_map_hardness_at(const pv__material_view *m, int x, int y) {
    return m->map ? byte_at(m->map, m->map->hardness, 0, m->x + x, m->y + y) : 0;
}

int64_t pv__material_map_weight_at(const pv__material_view *m, int x, int y) {
    int density = m->map ? byte_at(m->map, m->map->density, FULL, m->x + x, m->y + y) : FULL;
    return pv__later(density, 1);
}

pv__sums pv__material_view_sums(const pv__material_view *m, const pv__bits *form, pv_vec2 scale) {
    pv_transform t = pv_transform_identity();
    pv__sums o = {0, 0, 0, 0, 0};
    t.scale = pv__vec(pv__abs(scale.x), pv__abs(scale.y));
    pv__map map = pv__raster_map_of(&t);
    for (int64_t row = 0; row < form->h; row++) {
        int64_t j = scale.y < 0 ? form->h - 1 - row : row, n = 0, sum = 0;
        int y = (int)((map.v + j * map.vy) >> 32);
        for (pv__run run = {0, 0}; pv__mask_run_next(form, (int)row, &run);)
            for (int64_t column = run.start; column < run.end; column++) {
                int64_t i = scale.x < 0 ? form->w - 1 - column : column;
                int64_t weight =
                    pv__material_map_weight_at(m, (int)((map.u + i * map.ux) >> 32), y);
                n += weight;
                sum += weight * i;
                o.xx += weight * i * i;
            }
        o.n += n;
        o.x += sum;
        o.y += n * j;
        o.yy += n * j * j;
    }
    return o;
}

pv_mass_data pv__material_view_mass(const pv__sums *sums) {
    pv_mass_data m = pv__mask_mass_of(sums);
    m.area /= FULL;
    m.inertia /= FULL;
    return m;
}

double pv__material_map_toughness_of(int hardness) { return 256.0 / (256 - hardness); }
