/* ldtk.c - reads levels of LDtk: their layers of integers or tiles as one mask, and their entities
 * as a list.
 *
 * Invariant: nothing in a file is trusted. Levels have their places in the world, with the upper
 * left corner of those taken at (0, 0). A picture is loaded when the first of its tiles is met.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "asset/ldtk.h"

#ifdef HAVE_CJSON

#include "base/base.h"
#include "base/math.h"
#include "pixel/file.h"

#include <cjson/cJSON.h>
#include <string.h>

/// Tileset with its picture
typedef struct tileset {
    /// Number in the project
    int uid;
    /// Side of a tile [px]
    int side;
    pv_mask *picture;
} tileset;

typedef struct reader {
    pv__map_reader *m;
    /// The project's file and definitions, or null
    const char *project;
    const cJSON *defs;
    /// Tilesets that are loaded
    tileset *tilesets;
    int tileset_count, tileset_capacity;
    /// Level or "level/layer", or null
    const char *wanted;
    /// Rectangle in the world around the levels taken, or one pixel if there are none
    pv_rect span;
    /// Number of levels taken
    int level_count;
    /// Corner of the level that is read, relative to the corner of all levels [px]
    int x, y;
    /// Result: mask or list
    pv_mask *mask;
    pv_map_objects *list;
    /// True if a level, or a layer where one is wanted, was met
    bool met;
} reader;

bool pv__is_ldtk(const cJSON *root) {
    return cJSON_IsObject(root) && cJSON_GetObjectItemCaseSensitive(root, "jsonVersion") &&
           cJSON_GetObjectItemCaseSensitive(root, "levels");
}

/// Returns the part of the wanted name after the name of a level: "" or "/layer"; null for another
/// level.
static const char *wanted_in(const reader *r, const char *level) {
    size_t size = level ? strlen(level) : 0;
    if (!r->wanted) return "";
    if (!level || strncmp(r->wanted, level, size) != 0) return NULL;
    return r->wanted[size] == '\0' || r->wanted[size] == '/' ? r->wanted + size : NULL;
}

/// Returns a place in the world [px].
static int ldtk_place(reader *r, const cJSON *level, const char *name) {
    return pv__map_int(r->m, level, name, -(int)PV_MAX_COORDINATE, (int)PV_MAX_COORDINATE);
}

/// Returns an element of a pair of numbers, in -most...most.
static double pair(reader *r, const cJSON *owner, const char *name, int index, double most) {
    const cJSON *item = cJSON_GetArrayItem(pv__map_array(r->m, owner, name), index);
    double value = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    if (pv__abs(value) <= most) return value;
    pv__map_fail(r->m, PV_ERROR_FORMAT, name, "has no two numbers from %.9g to %.9g", -most, most);
    return 0;
}

/// Finds the position and size of the levels taken.
static void span_levels(reader *r, const cJSON *levels) {
    PV__MAP_EACH(r->m, level, levels) {
        const char *name = pv__map_text(r->m, level, "identifier");
        pv__map_name(r->m, "level", name);
        if (!wanted_in(r, name)) continue;
        int x = ldtk_place(r, level, "worldX"), y = ldtk_place(r, level, "worldY"),
            w = pv__map_int(r->m, level, "pxWid", 1, PV__MAX_SIDE),
            h = pv__map_int(r->m, level, "pxHei", 1, PV__MAX_SIDE);
        pv_rect own = {x, y, w, h};
        r->span = r->level_count++ ? pv__rect_join(r->span, own) : own;
    }
    pv__map_name(r->m, NULL, NULL);
}

/* ---- layers of integers ---- */

/// Draws a layer of integers. Every value except 0 is solid.
static void draw_grid(reader *r, const cJSON *layer) {
    int columns = pv__map_int(r->m, layer, "__cWid", 1, PV__MAX_SIDE),
        rows = pv__map_int(r->m, layer, "__cHei", 1, PV__MAX_SIDE),
        side = pv__map_int(r->m, layer, "__gridSize", 1, PV__MAX_SIDE);
    int left = r->x + ldtk_place(r, layer, "__pxTotalOffsetX"),
        top = r->y + ldtk_place(r, layer, "__pxTotalOffsetY"), i = 0;
    const cJSON *cells = pv__map_array(r->m, layer, "intGridCsv");
    if (cJSON_GetArraySize(cells) != (int64_t)columns * rows)
        pv__map_fail(r->m, PV_ERROR_FORMAT, "intGridCsv", "has %d cells, must have %d x %d",
                     cJSON_GetArraySize(cells), columns, rows);
    pv__map_pay(r->m, 32 * (int64_t)columns, rows, 1);
    PV__MAP_EACH(r->m, cell, cells) {
        int column = i % columns, row = i / columns;
        i++;
        if (pv__map_whole(r->m, cell, "intGridCsv", 0, INT32_MAX) == 0) continue;
        int64_t x = left + (int64_t)column * side, y = top + (int64_t)row * side;
        if (x <= -side || y <= -side || x >= PV__MAX_SIDE || y >= PV__MAX_SIDE) continue;
        pv_mask_fill_rect(r->mask, (pv_rect){(int)x, (int)y, side, side}, true);
    }
}

/* ---- tiles ---- */

/// Returns a whole number of a pair.
static int whole(reader *r, const cJSON *owner, const char *name, int index, int low, int high) {
    const cJSON *item = cJSON_GetArrayItem(pv__map_array(r->m, owner, name), index);
    return (int)pv__map_whole(r->m, item, name, low, high);
}

/// Returns the definition of a tileset, or null after a failure.
static const cJSON *definition_of(reader *r, int uid) {
    PV__MAP_EACH(r->m, set, pv__map_array(r->m, r->defs, "tilesets")) {
        if (pv__map_int(r->m, set, "uid", 0, INT32_MAX) == uid) return set;
    }
    pv__map_fail(r->m, PV_ERROR_FORMAT, "__tilesetDefUid", "is %d, which is no tileset", uid);
    return NULL;
}

/// Returns the tileset of a layer with tiles, or null after a failure.
static const tileset *tileset_of(reader *r, const cJSON *layer) {
    tileset t = {.uid = pv__map_int(r->m, layer, "__tilesetDefUid", 0, INT32_MAX)};
    for (int i = 0; i < r->tileset_count; i++)
        if (r->tilesets[i].uid == t.uid) return &r->tilesets[i];
    const cJSON *set = definition_of(r, t.uid);
    if (!set) return NULL;
    t.side = pv__map_int(r->m, set, "tileGridSize", 1, PV__MAX_SIDE);
    const char *name =
        cJSON_IsNull(pv__map_get(r->m, set, "relPath")) ? NULL : pv__map_text(r->m, set, "relPath");
    if (!name)
        pv__map_fail(r->m, PV_ERROR_UNSUPPORTED, "relPath",
                     "is missing: only tiles from a picture's file are read");
    if (!PV__MAP_APPEND(r->m, r->tilesets, r->tileset_capacity, r->tileset_count, t)) return NULL;
    tileset *made = &r->tilesets[r->tileset_count - 1];
    made->picture = pv__map_picture_mask(r->m, r->project, name);
    return pv__map_well(r->m) ? made : NULL;
}

/// Draws a tile.
/// @param left, top corner of its layer
static void ldtk_tile(reader *r, const tileset *t, const cJSON *tile, int left, int top) {
    int x = whole(r, tile, "px", 0, -PV_MAX_COORDINATE, PV_MAX_COORDINATE),
        y = whole(r, tile, "px", 1, -PV_MAX_COORDINATE, PV_MAX_COORDINATE),
        flips = pv__map_int(r->m, tile, "f", 0, 3);
    pv_rect from = {
        whole(r, tile, "src", 0, 0, pv__later(0, pv_mask_get_width(t->picture) - t->side)),
        whole(r, tile, "src", 1, 0, pv__later(0, pv_mask_get_height(t->picture) - t->side)),
        t->side, t->side};
    pv_error inner;
    if (!pv__map_pay(r->m, pv__map_words(t->side), t->side, 2)) return;
    pv_mask *cut = pv_mask_crop(t->picture, from, &inner),
            *turned = cut ? pv_mask_flip(cut, flips & 1, flips & 2, &inner) : NULL;
    if (pv__map_made(r->m, turned, &inner))
        pv_mask_combine(r->mask, turned, left + x, top + y, PV_COMBINE_OR);
    pv_mask_release(turned);
    pv_mask_release(cut);
}

/// Draws a layer of tiles.
/// @param kind "Tiles" or "AutoLayer"
static void draw_tiles(reader *r, const cJSON *layer, const char *kind) {
    int left = r->x + ldtk_place(r, layer, "__pxTotalOffsetX"),
        top = r->y + ldtk_place(r, layer, "__pxTotalOffsetY");
    const char *member = strcmp(kind, "Tiles") == 0 ? "gridTiles" : "autoLayerTiles";
    const cJSON *tiles = pv__map_array(r->m, layer, member);
    const tileset *t = cJSON_GetArraySize(tiles) > 0 ? tileset_of(r, layer) : NULL;
    PV__MAP_EACH(r->m, tile, tiles) { ldtk_tile(r, t, tile, left, top); }
}

/* ---- entities ---- */

/// Adds an entity.
static void add_entity(reader *r, const cJSON *entity, const char *layer) {
    const char *id = pv__map_text_or(r->m, entity, "iid", "");
    pv_vec2 size = {pv__map_int(r->m, entity, "width", 0, PV__MAX_SIDE),
                    pv__map_int(r->m, entity, "height", 0, PV__MAX_SIDE)};
    pv_vec2 place = {r->x + pair(r, entity, "px", 0, PV_MAX_COORDINATE),
                     r->y + pair(r, entity, "px", 1, PV_MAX_COORDINATE)};
    pv_vec2 pivot = {size.x * pair(r, entity, "__pivot", 0, 1),
                     size.y * pair(r, entity, "__pivot", 1, 1)};
    pv_map_object made = {
        .name = id,
        .class_name = r->m->called,
        .layer = layer,
        .shape = PV_MAP_RECTANGLE,
        .position = pv__sub(place, pivot),
        .size = size,
    };
    pv_map_object *o = pv__objects_add(r->m, r->list, &made);
    if (!o) return;
    pv__objects_properties(r->m, o, pv__map_array(r->m, entity, "fieldInstances"), "__identifier",
                           "__value");
    pv__objects_fill(r->m, o);
    o->position = place;
}

static void add_entities(reader *r, const cJSON *layer, const char *name) {
    PV__MAP_EACH(r->m, entity, pv__map_array(r->m, layer, "entityInstances")) {
        pv__map_name(r->m, "entity", pv__map_text_or(r->m, entity, "__identifier", ""));
        add_entity(r, entity, name);
    }
}

/* ---- layers ---- */

/// Tells whether any layer of a level has integers, which say what is solid.
static bool has_grid(reader *r, const cJSON *layers) {
    PV__MAP_EACH(r->m, item, layers) {
        const char *type = pv__map_text(r->m, item, "__type");
        if (type && strcmp(type, "IntGrid") == 0) return true;
    }
    return false;
}

/// Tells whether layers of a type are taken.
/// @param tiles false if only integers and entities are taken
static bool takes(const reader *r, const char *type, bool tiles) {
    if (r->list) return strcmp(type, "Entities") == 0;
    if (strcmp(type, "IntGrid") == 0) return true;
    return tiles && (strcmp(type, "Tiles") == 0 || strcmp(type, "AutoLayer") == 0);
}

static void ldtk_layer(reader *r, const cJSON *layer, const char *name, const char *type) {
    r->met = true;
    pv__map_name(r->m, "layer", name);
    if (r->list)
        add_entities(r, layer, name);
    else if (strcmp(type, "IntGrid") == 0)
        draw_grid(r, layer);
    else
        draw_tiles(r, layer, type);
}

/// Reads the wanted layers of a level.
/// @param wanted "" or "/layer"
static void ldtk_layers(reader *r, const cJSON *level, const char *wanted) {
    const cJSON *layers = pv__map_array(r->m, level, "layerInstances");
    bool tiles = *wanted || !has_grid(r, layers);
    r->met |= *wanted == '\0';
    PV__MAP_EACH(r->m, item, layers) {
        const char *name = pv__map_text(r->m, item, "__identifier"),
                   *type = pv__map_text(r->m, item, "__type");
        if (!name || !type)
            pv__map_refuse(r->m, "layerInstances", "has a layer without name or type");
        else if (takes(r, type, tiles) && (!*wanted || strcmp(wanted + 1, name) == 0))
            ldtk_layer(r, item, name, type);
    }
}

/// Reads a level from a file of its own.
static void external(reader *r, const char *name, const char *layer) {
    const char *project = r->m->file;
    char *path = pv__map_beside(r->m, project, name);
    if (!path) return;
    cJSON *root = pv__map_open(r->m, path);
    r->m->file = path;
    if (root) ldtk_layers(r, root, layer);
    r->m->file = project;
    pv__objects_own(r->m, r->list, root);
    pv__text_free(&r->m->from, path);
}

static void ldtk_levels(reader *r, const cJSON *levels) {
    PV__MAP_EACH(r->m, level, levels) {
        const char *name = pv__map_text(r->m, level, "identifier"), *layer = wanted_in(r, name);
        if (!layer) continue;
        pv__map_name(r->m, "level", name);
        r->x = ldtk_place(r, level, "worldX") - r->span.x;
        r->y = ldtk_place(r, level, "worldY") - r->span.y;
        const char *file = cJSON_IsNull(pv__map_get(r->m, level, "layerInstances"))
                               ? pv__map_text(r->m, level, "externalRelPath")
                               : NULL;
        if (file)
            external(r, file, layer);
        else
            ldtk_layers(r, level, layer);
    }
    if (pv__map_well(r->m) && r->wanted && !r->met)
        pv__error_say(r->m->error, PV_ERROR_ARGUMENT, "layer",
                      "layer %s is no level, or level/layer, of %s", r->wanted, r->m->file);
}

/// Begins a project, and finds its levels. Returns null after a failure.
static const cJSON *begin(reader *r, const cJSON *root) {
    r->project = r->m->file;
    r->span = (pv_rect){0, 0, 1, 1};
    r->defs = pv__map_get(r->m, root, "defs");
    const cJSON *levels = pv__map_array(r->m, root, "levels"),
                *worlds = pv__map_get(r->m, root, "worlds");
    const cJSON *layout = pv__map_get(r->m, root, "worldLayout");
    if (cJSON_GetArraySize(worlds) > 0)
        pv__map_fail(r->m, PV_ERROR_UNSUPPORTED, "worlds", "are %d, must be none: one world only",
                     cJSON_GetArraySize(worlds));
    span_levels(r, levels);
    if (r->level_count > 1 && cJSON_IsString(layout) &&
        strncmp(layout->valuestring, "Linear", 6) == 0)
        pv__map_fail(r->m, PV_ERROR_UNSUPPORTED, "worldLayout",
                     "is \"%.24s\", whose levels have no place: name one", layout->valuestring);
    return pv__map_well(r->m) ? levels : NULL;
}

pv_mask *pv__ldtk_read(pv__map_reader *m, const cJSON *root, const char *wanted,
                       pv_map_objects *list) {
    reader r = {.m = m, .wanted = wanted, .list = list};
    const cJSON *levels = begin(&r, root);
    if (levels && !list) r.mask = pv__map_mask(m, r.span.w, r.span.h);
    ldtk_levels(&r, levels);
    for (int i = 0; i < r.tileset_count; i++) pv_mask_release(r.tilesets[i].picture);
    PV__FREE(&m->from, r.tilesets, r.tileset_capacity);
    if (pv__map_well(m)) return r.mask;
    pv_mask_release(r.mask);
    return NULL;
}

#endif
