/* material_map.h - the interface of material_map.c: hardness and density of each pixel of a
 * picture.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_PIXEL_MATERIAL_MAP_H
#define PV_PIXEL_MATERIAL_MAP_H

#include "pixel/bits.h"
#include "pixel/mask.h"

#define PV__MAX_MATERIAL ((int64_t)1 << 26)
struct pv_material_map {
    int w, h;
    /// Planes in rows without gaps, stored right after the map itself, or null
    unsigned char *hardness, *density;
    /// Digest of the planes
    uint64_t digest;
    pv_allocator allocator;
    atomic_int references;
};
/// Creates a map of zeros with the given planes, a valid size and one reference. The caller fills
/// and seals it before it is shared. Returns null without memory.
pv_material_map *pv__material_map_make(int w, int h, bool hardness, bool density,
                                       const pv_allocator *allocator);
/// Computes the digest. Tells whether the map has exactly the planes that hold an unusual value.
bool pv__material_map_seal(pv_material_map *map);

/// Material of a picture: a map or null, and the picture's place on it.
typedef struct pv__material_view {
    pv_material_map *map;
    /// Place of the picture's pixel (0, 0) on the map
    int x, y;
    /// Index of the map in a world's list after a save, otherwise -1
    int id;
    /// Weighted sums of the picture's pixels, or zeros before they are computed
    pv__sums sums;
} pv__material_view;
/// Tells whether a mask lies within the map, if there is one.
bool pv__material_view_covers(const pv__material_view *materials, const pv_mask *mask);
/// Returns the material view of a part of the picture that begins at (x, y), without sums. Returns
/// an empty view if there is no map.
pv__material_view pv__material_view_of_part(const pv__material_view *materials, int x, int y);
/// Tells whether some pixels may be harder, or weigh less, than others.
bool pv__material_map_is_hardened(const pv__material_view *materials);
bool pv__material_map_is_weighted(const pv__material_view *materials);
/// Returns the hardness of a pixel of the picture; 0 without a map.
int pv__material_map_hardness_at(const pv__material_view *materials, int x, int y);
/// Returns the weight of a pixel of the picture, 1...255; 255 without a map.
int64_t pv__material_map_weight_at(const pv__material_view *materials, int x, int y);
/// Returns the weighted sums of the whole picture at a scale. A mirrored scale gives the sums of
/// the unmirrored form.
pv__sums pv__material_view_sums(const pv__material_view *materials, const pv__bits *form,
                                pv_vec2 scale);
/// Returns mass data from weighted sums; area and inertia count a pixel of weight 255 as 1.
pv_mass_data pv__material_view_mass(const pv__sums *sums);
/// Returns the toughness of a hardness as a multiple of the softest pixel's.
double pv__material_map_toughness_of(int hardness);

#endif
