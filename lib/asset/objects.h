/* objects.h - the interface of objects.c: the list of the objects of a map.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_ASSET_OBJECTS_H
#define PV_ASSET_OBJECTS_H

#include "asset/map.h"

/// Creates an empty list. Returns null without memory.
pv_map_objects *pv__objects_make(pv__map_reader *r);
/// Gives the list a parsed file, which it frees when it is destroyed. Texts of objects may point
/// into the file. Without a list or after a failure, the file is freed at once.
void pv__objects_own(pv__map_reader *r, pv_map_objects *list, struct cJSON *root);
/// Adds a copy of an object; its points and properties are set later. Returns null after a failure.
pv_map_object *pv__objects_add(pv__map_reader *r, pv_map_objects *list,
                               const pv_map_object *object);
/// Reads the points of an object, whose position and angle are set.
/// @param item array of objects with x and y
void pv__objects_points(pv__map_reader *r, pv_map_object *object, const struct cJSON *item,
                        const char *name);
/// Reads the properties of an object from a list, or from null.
/// @param name, value members of each property that hold its name and value
void pv__objects_properties(pv__map_reader *r, pv_map_object *object, const struct cJSON *list,
                            const char *name, const char *value);
/// Gives a rectangle, ellipse, capsule or polygon its mask.
void pv__objects_fill(pv__map_reader *r, pv_map_object *object);
/// Gives a tile its mask: that of the tile, flipped and scaled to the object's size.
/// @param flips some of PV_TILE_FLIP_
/// @param anchor place of the object's position in the tile, as a share of its size
void pv__objects_fill_tile(pv__map_reader *r, pv_map_object *object, const pv_mask *tile,
                           uint32_t flips, pv_vec2 anchor);

#endif
