/* template.c - merges objects of Tiled with their templates.
 *
 * Invariant: a merged object borrows all its members, so its cost is the same whatever is in them.
 * Inherited lists, which are read again for each object, are paid for.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "asset/template.h"

#ifdef HAVE_CJSON

#include <cjson/cJSON.h>
#include <string.h>

/// Price of an inherited property or point [px], which is more than its size in bits
#define TEMPLATE_PRICE 256

/// Indices of members in the table below
enum { CLASS = 4, TYPE, PROPERTIES, FIRST_SHAPE };

static const char *const members[PV__TEMPLATE_MEMBERS] = {
    "name",       "width", "height",  "rotation", "class",   "type",
    "properties", "point", "ellipse", "capsule",  "polygon", "polyline"};

void pv__template_read(pv__map_reader *r, pv__template *t, const cJSON *object) {
    for (int i = 0; i < PV__TEMPLATE_MEMBERS; i++)
        t->members[i] = i == PROPERTIES ? pv__map_list(r, object, members[i])
                                        : pv__map_get(r, object, members[i]);
}

/// Pays for a list that is read that many more times.
static bool pay_list(pv__map_reader *r, const cJSON *list, int64_t times) {
    return !cJSON_IsArray(list) || pv__map_pay(r, TEMPLATE_PRICE, cJSON_GetArraySize(list), times);
}

static void note_memory(pv__map_reader *r, bool had) {
    if (!had && pv__map_well(r)) pv__error_set(r->error, PV_ERROR_MEMORY);
}

/// Adds a borrowed member to a merged object.
static void lend(pv__map_reader *r, cJSON *merged, const char *name, const cJSON *member) {
    if (member && pv__map_well(r))
        note_memory(r, cJSON_AddItemReferenceToObject(merged, name, (cJSON *)member));
}

static bool has_name(pv__map_reader *r, const cJSON *list, const char *wanted) {
    PV__MAP_EACH(r, property, list) {
        const char *name = pv__map_text(r, property, "name");
        if (name && wanted && strcmp(name, wanted) == 0) return true;
    }
    return false;
}

/// Adds the object's properties, and the template's properties with other names.
static void merge_properties(pv__map_reader *r, cJSON *merged, const cJSON *own,
                             const cJSON *inherited) {
    cJSON *list = cJSON_AddArrayToObject(merged, members[PROPERTIES]);
    note_memory(r, list);
    pay_list(r, inherited, 1 + (int64_t)cJSON_GetArraySize(own));
    PV__MAP_EACH(r, property, own) {
        note_memory(r, cJSON_AddItemReferenceToArray(list, (cJSON *)property));
    }
    PV__MAP_EACH(r, property, inherited) {
        if (!has_name(r, own, pv__map_text(r, property, "name")))
            note_memory(r, cJSON_AddItemReferenceToArray(list, (cJSON *)property));
    }
}

static void merge_into(pv__map_reader *r, const pv__template *t, const cJSON *object,
                       cJSON *merged) {
    const cJSON *own[PV__TEMPLATE_MEMBERS], *tile = pv__map_get(r, object, "gid");
    bool shaped = tile != NULL;
    for (int i = 0; i < PV__TEMPLATE_MEMBERS; i++) {
        own[i] = pv__map_get(r, object, members[i]);
        shaped |= i >= FIRST_SHAPE && own[i];
    }
    lend(r, merged, "x", pv__map_get(r, object, "x"));
    lend(r, merged, "y", pv__map_get(r, object, "y"));
    lend(r, merged, "gid", tile);
    if (!shaped && t->gid) note_memory(r, cJSON_AddNumberToObject(merged, "gid", t->gid));
    bool classed = own[CLASS] || own[TYPE];
    for (int i = 0; i < PV__TEMPLATE_MEMBERS && pv__map_well(r); i++) {
        bool kept = i >= FIRST_SHAPE ? shaped : (i == CLASS || i == TYPE) && classed;
        const cJSON *inherited = kept ? NULL : t->members[i];
        if (i == PROPERTIES && cJSON_IsArray(own[i]) && inherited)
            merge_properties(r, merged, own[i], inherited);
        else if (own[i] || pay_list(r, inherited, 1))
            lend(r, merged, members[i], own[i] ? own[i] : inherited);
    }
}

cJSON *pv__template_merge(pv__map_reader *r, const pv__template *t, const cJSON *object) {
    cJSON *merged = cJSON_CreateObject();
    note_memory(r, merged);
    if (merged) merge_into(r, t, object, merged);
    if (pv__map_well(r)) return merged;
    cJSON_Delete(merged);
    return NULL;
}

#endif
