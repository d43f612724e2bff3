/* material_map.h - the interface of material_map.c: how hard and how dense each pixel of a picture
 * is.
 *
 * Invariant: as in material_map.c, before and after each call.
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
    /// Rows without gaps, behind the map itself; null: none
    unsigned char *hardness, *density;
    /// Of what they say
    uint64_t digest;
    pv_allocator allocator;
    atomic_int references;
};
/// A map of zeros with planes or without, of a good size and one reference, to be filled and sealed
/// before it is anybody's. Null without memory.
pv_material_map *pv__material_map_make(int w, int h, bool hardness, bool density,
                                       const pv_allocator *allocator, pv_status *status);
/// Takes the digest; whether there are just those planes that say something.
bool pv__material_map_seal(pv_material_map *map);

/// Material of a picture: a map, or null, and the picture's place on it.
typedef struct pv__material_view {
    pv_material_map *map;
    /// Of the picture's pixel (0, 0)
    int x, y;
    /// Of the map among a world's, once it was saved; -1
    int id;
    /// Of the picture's pixels by weight, where they are known; else of none
    pv__sums sums;
} pv__material_view;
/// Tells whether a mask lies within the map, if there is one.
bool pv__makeup_covers(const pv__material_view *makeup, const pv_mask *mask);
/// Returns what a picture is made of of which the pixel (0, 0) lies at a place of another; its sums
/// are not known. Where there is no map all is 0.
pv__material_view pv__makeup_of_part(const pv__material_view *makeup, int x, int y);
/// Tells whether some pixels may be harder, or weigh less, than others.
bool pv__material_map_is_hardened(const pv__material_view *makeup);
bool pv__material_map_is_weighted(const pv__material_view *makeup);
/// Of a pixel of the picture; 0 without a map.
int pv__material_map_hardness_at(const pv__material_view *makeup, int x, int y);
/// Of a pixel of the picture, 1...255; 255 without a map.
int64_t pv__material_map_weight_at(const pv__material_view *makeup, int x, int y);
/// By weight, the sums of pixels of which (0, 0) lies at a place of the picture; of their own
/// coordinates.
pv__sums pv__makeup_sums(const pv__material_view *makeup, const pv__bits *bits, int x, int y);
/// The same of the whole picture at a scale; if that mirrors it, of its upright form.
pv__sums pv__makeup_sums_scaled(const pv__material_view *makeup, const pv__bits *form,
                                pv_vec2 scale);
/// Of sums by weight; area and inertia are those of pixels of weight 255.
pv_mass_data pv__makeup_mass(const pv__sums *sums);
/// Returns how many times as tough as the softest.
double pv__material_map_toughness_of(int hardness);

#endif
