/* ldtk.h - the interface of ldtk.c: levels of LDtk.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_ASSET_LDTK_H
#define PV_ASSET_LDTK_H

#include "asset/objects.h"

/// Tells whether a parsed file is a project of LDtk.
bool pv__is_ldtk(const struct cJSON *root);
/// Adds the entities of the levels taken to a list. Without a list it draws the layers of integers
/// of these levels; layers of tiles where one is named, and in levels without integers.
/// @param wanted name of a level, or "level/layer"; null: all levels
/// @return the mask, or null with a list and after a failure
pv_mask *pv__ldtk_read(pv__map_reader *r, const struct cJSON *root, const char *wanted,
                       pv_map_objects *list);

#endif
