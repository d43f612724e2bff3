/* template.h - the interface of template.c: merges objects of Tiled with their templates.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifndef PV_ASSET_TEMPLATE_H
#define PV_ASSET_TEMPLATE_H

#include "asset/map.h"

/// Number of members that an object and its template share, besides the tile
#define PV__TEMPLATE_MEMBERS 12

/// Template of objects, from a file of its own
typedef struct pv__template {
    /// Name in the map's file, and path
    const char *name;
    char *path;
    /// Members of its object, or null; see template.c
    const struct cJSON *members[PV__TEMPLATE_MEMBERS];
    /// Tile with its flips, as the ids of the map have it; 0: none
    uint32_t gid;
} pv__template;

/// Finds the members of a template's object, which is borrowed.
void pv__template_read(pv__map_reader *r, pv__template *t, const struct cJSON *object);
/// Merges an object with its template: the object's own members come first. A shape of its own
/// replaces the template's, and properties are merged by name. Inherited lists are paid for.
/// @return an object for cJSON_Delete() that borrows from both, or null after a failure
struct cJSON *pv__template_merge(pv__map_reader *r, const pv__template *t,
                                 const struct cJSON *object);

#endif
