/* ldtk.h - the interface of ldtk.c: levels of LDtk.
 *
 * SPDX-License-Identifier: Zlib
 */
#pragma once

#include "asset/objects.h"

/// Tells whether a parsed file is a project of LDtk.
bool pv__is_ldtk(const struct cJSON *root);
/// Draws the layers of integers of the levels taken; layers of tiles where one is named, and in
/// levels without integers. Returns null after a failure.
/// @param wanted name of a level, or "level/layer"; null: all levels
pv_mask *pv__ldtk_mask(pv__map_reader *r, const struct cJSON *root, const char *wanted);
/// Adds the entities of the levels taken to a list.
void pv__ldtk_objects(pv__map_reader *r, const struct cJSON *root, const char *wanted,
                      pv_map_objects *list);
