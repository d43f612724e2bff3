/* tiled.c - reads maps of Tiled: draws layers of tiles into one mask, and lists objects.
 *
 * Invariant: nothing in a file is trusted. Large data are counted before their memory is allocated.
 * All costs in time or memory are taken from the reader's room. The first failure stays in the
 * reader's status and ends the work. A tileset is loaded when a tile of it is met.
 *
 * SPDX-License-Identifier: Zlib
 */
#include "asset/ldtk.h"
#include "asset/template.h"
#include "asset/unpack.h"
#include "base/base.h"
#include "base/math.h"
#include "pixel/file.h"

#include <inttypes.h>

#ifndef HAVE_CJSON

pv_mask *pv_tilemap_load_mask(const char *path, const char *layer, const pv_mask_options *options,
                              pv_error *error) {
    (void)path, (void)layer, (void)options;
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    return pv__error_set(e, PV_ERROR_UNSUPPORTED), NULL;
}

pv_map_objects *pv_map_objects_load(const char *path, const char *layer,
                                    const pv_mask_options *options, pv_error *error) {
    (void)path, (void)layer, (void)options;
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    return pv__error_set(e, PV_ERROR_UNSUPPORTED), NULL;
}

#else

#include <cjson/cJSON.h>
#include <string.h>

/// Greatest number of templates that a map names
#define MOST_TEMPLATES 1024

/// Bits of a tile that are not part of its id. The lowest one turns it, in hexagonal maps only
#define TILED_FLAGS 0xf0000000u
#define TILED_TURN 0x10000000u

/// Tiles first...first + count - 1, at most up to the next tileset. Tilesets are sorted by first.
typedef struct tileset {
    int first, count;
    /// Object with the tileset, or with the name of its file until it is loaded
    const cJSON *object;
    /// File of the object
    const char *base;
    bool loaded;
    /// Place of an object's position in a tile, as a share of the tile's size
    pv_vec2 anchor;
    /// Tiles with pictures of their own, by number from 0, or null
    const cJSON **singles;
    int single_count;
    /// The tileset's own file and its path, or null
    cJSON *root;
    char *path;
} tileset;

typedef struct reader {
    pv__map_reader m;
    /// Name of the wanted layer, or null
    const char *wanted;
    /// Part of the map that is drawn [tiles]
    pv_rect part;
    bool infinite;
    int tile_width, tile_height;
    /// Tilesets in the order of their tiles
    tileset *tilesets;
    int tileset_count, tileset_capacity;
    pv__template *templates;
    int template_count, template_capacity;
    /// Masks by id
    pv_mask **masks;
    int mask_count;
    pv_mask *map;
    /// List of objects; null if layers of tiles are read
    pv_map_objects *list;
    /// True if a layer was read
    bool met;
} reader;

/* ---- tilesets ---- */

/// Reserves room for the masks of all ids below one, or fails.
static bool reserve_masks(reader *r, int end) {
    int had = r->mask_count;
    if (!pv__reserve_exactly(&r->m.from, &r->masks, &r->mask_count, end, sizeof(pv_mask *)))
        pv__error_set(r->m.error, PV_ERROR_MEMORY);
    for (int i = had; i < r->mask_count; i++) r->masks[i] = NULL;
    return pv__map_well(&r->m);
}

/// Lists the masks of a tileset by id.
static void list_masks(reader *r, const tileset *t, const pv_frames *frames) {
    int count = t->count;
    const tileset *next = t + 1 < r->tilesets + r->tileset_count ? t + 1 : NULL;
    if (next && next->first - t->first < count) count = next->first - t->first;
    if (!reserve_masks(r, t->first + count)) return;
    for (int i = 0; i < count; i++) {
        pv_mask **mask = &r->masks[t->first + i];
        pv_mask_release(*mask); /* a single picture beyond the end of its tileset */
        *mask = pv_mask_retain(pv_frames_get_frame(frames, i)->mask);
    }
}

/// Cuts a sheet at its real size, not at the size in the file.
static void cut(reader *r, const tileset *t, const pv_grid *grid, const pv_image *sheet) {
    pv_error inner;
    pv_frames_options o = pv_frames_options_default();
    o.alpha_threshold = r->m.options.alpha_threshold;
    o.limits = r->m.options.limits;
    if (!pv__map_pay(&r->m, sheet->width, sheet->height, 1)) return;
    pv_frames *frames = pv_frames_from_grid(sheet, grid, &o, &inner);
    if (frames)
        list_masks(r, t, frames);
    else if (inner.status == PV_ERROR_ARGUMENT)
        pv__map_refuse(&r->m, "tilecount", "does not fit the picture of a tileset");
    else
        pv__error_adopt(r->m.error, &inner);
    pv_frames_destroy(frames);
}

/// Loads the tiles of a tileset if they may be used: tiles from one sheet, and for layers only of
/// the map's tile size.
static void read_sheet(reader *r, const tileset *t) {
    pv_grid grid = {
        .width = pv__map_int(&r->m, t->object, "tilewidth", 0, PV__MAX_SIDE),
        .height = pv__map_int(&r->m, t->object, "tileheight", 0, PV__MAX_SIDE),
        .margin = pv__map_int_or(&r->m, t->object, "margin", 0, PV__MAX_SIDE),
        .spacing = pv__map_int_or(&r->m, t->object, "spacing", 0, PV__MAX_SIDE),
        .columns = pv__map_int(&r->m, t->object, "columns", 0, PV__MAX_SIDE),
        .cell_count = t->count,
    };
    const char *name = pv__map_text(&r->m, t->object, "image");
    if (name && grid.columns < 1) pv__map_refuse(&r->m, "columns", "is 0");
    if (!name || t->count == 0) return;
    if (!r->list && (grid.width != r->tile_width || grid.height != r->tile_height)) return;
    if (!pv__map_pay(&r->m, pv__map_words(grid.width), grid.height, t->count)) return;
    pv_image *sheet = pv__map_picture(&r->m, t->base, name);
    if (sheet) cut(r, t, &grid, sheet);
    pv_image_destroy(sheet);
}

/// Lists the tiles of a collection, a tileset of single pictures.
static void list_singles(reader *r, tileset *t) {
    const cJSON *tiles = pv__map_get(&r->m, t->object, "tiles");
    if (!cJSON_IsArray(tiles) || pv__map_get(&r->m, t->object, "image")) return;
    PV__MAP_EACH(&r->m, item, tiles) {
        if (!pv__map_text(&r->m, item, "image")) continue;
        int had = t->single_count, id = pv__map_int(&r->m, item, "id", 0, PV__MOST_TILES);
        if (!pv__map_reserve(&r->m, &t->singles, &t->single_count, id + 1, sizeof(cJSON *))) return;
        for (int i = had; i < t->single_count; i++) t->singles[i] = NULL;
        t->singles[id] = item;
    }
}

/// Reads where an object's position is in its tile.
static void read_alignment(reader *r, tileset *t) {
    static const char *const words[] = {"topleft", "top",        "topright", "left",       "center",
                                        "right",   "bottomleft", "bottom",   "bottomright"};
    const char *word = pv__map_text(&r->m, t->object, "objectalignment");
    int at = 6;
    for (int i = 0; word && i < 9; i++)
        if (strcmp(word, words[i]) == 0) at = i;
    t->anchor = pv__vec(0.5 * (at % 3), 0.5 * (at / 3));
}

static void read_tileset(reader *r, tileset *t) {
    t->count = pv__map_int(&r->m, t->object, "tilecount", 0, PV__MOST_TILES);
    list_singles(r, t);
    if (t->first > PV__MOST_TILES + 1 - t->count)
        pv__map_fail(&r->m, PV_ERROR_TOO_LARGE, "tilecount", "is too large: 2^20 tiles at most");
    read_alignment(r, t);
    read_sheet(r, t);
}

/// Opens a tileset's own file.
static void open_source(reader *r, tileset *t, const char *source) {
    t->path = pv__map_beside(&r->m, t->base, source);
    if (!t->path) return;
    t->object = t->root = pv__map_open(&r->m, t->path);
    t->base = t->path;
}

/// Loads a tileset, which must happen only once.
static void load_tileset(reader *r, tileset *t) {
    const char *kind = r->m.kind, *called = r->m.called, *file = r->m.file,
               *source = pv__map_text(&r->m, t->object, "source"),
               *name = pv__map_text_or(&r->m, t->object, "name", "");
    t->loaded = true;
    pv__map_name(&r->m, "tileset", source ? source : name);
    if (source) open_source(r, t, source);
    r->m.file = t->base;
    read_tileset(r, t);
    pv__map_name(&r->m, kind, called);
    r->m.file = file;
}

/// Returns the tileset of an id > 0, or null. It is the last one that begins at or before the id.
static tileset *tileset_of(const reader *r, uint32_t id) {
    tileset *found = NULL;
    for (int i = 0; i < r->tileset_count && (uint32_t)r->tilesets[i].first <= id; i++)
        found = &r->tilesets[i];
    return found;
}

/// Adds a tileset to the list, or fails.
/// @param object,base object and its file
static bool add_tileset(reader *r, int first, const cJSON *object, const char *base) {
    return PV__MAP_APPEND(&r->m, r->tilesets, r->tileset_capacity, r->tileset_count,
                          (tileset){.first = first, .object = object, .base = base});
}

/// Lists the tilesets of a map, in any order. No file is read.
static void list_tilesets(reader *r, const cJSON *root) {
    PV__MAP_EACH(&r->m, item, pv__map_array(&r->m, root, "tilesets")) {
        add_tileset(r, pv__map_int(&r->m, item, "firstgid", 1, INT32_MAX), item, r->m.file);
    }
    pv__sort(r->tilesets, r->tileset_count, sizeof *r->tilesets, pv__compare_pairs);
    for (int i = 1; i < r->tileset_count; i++)
        if (r->tilesets[i].first == r->tilesets[i - 1].first)
            pv__map_fail(&r->m, PV_ERROR_FORMAT, "firstgid", "is %d twice", r->tilesets[i].first);
}

/* ---- tiles ---- */

/// Reads count tiles of a layer into an array of zeros.
/// @param owner the layer, or one of its chunks
static void read_data(reader *r, const cJSON *layer, const cJSON *owner, uint32_t *tiles,
                      size_t count) {
    const char *encoding = pv__map_text(&r->m, layer, "encoding"),
               *compression = pv__map_text(&r->m, layer, "compression"), *what = NULL;
    const cJSON *data = pv__map_get(&r->m, owner, "data");
    bool base64 = encoding && strcmp(encoding, "base64") == 0;
    if (!pv__map_well(&r->m)) return;
    if (base64 ? !cJSON_IsString(data)
               : !cJSON_IsArray(data) || (size_t)cJSON_GetArraySize(data) != count) {
        pv__map_refuse(&r->m, "data", "has not as many tiles as it has place for");
    } else if (base64) {
        pv_status status =
            pv__unpack_tiles(&r->m.from, data->valuestring, compression, tiles, count, &what);
        if (status == PV_ERROR_MEMORY) pv__error_set(r->m.error, status);
        if (status != PV_OK)
            pv__map_fail(&r->m, status, status == PV_ERROR_FORMAT ? "data" : "compression", "%s",
                         what);
    } else {
        PV__MAP_EACH(&r->m, item, data) {
            *tiles++ = (uint32_t)pv__map_whole(&r->m, item, "data", 0, UINT32_MAX);
        }
    }
}

/// Returns the part of a single picture that is a tile, or null after a failure.
static pv_mask *single_mask(reader *r, const cJSON *item, const pv_mask *whole) {
    pv_error inner;
    pv_rect part = {
        pv__map_int_or(&r->m, item, "x", 0, PV__MAX_SIDE),
        pv__map_int_or(&r->m, item, "y", 0, PV__MAX_SIDE),
        pv__map_int_or(&r->m, item, "width", pv_mask_get_width(whole), PV__MAX_SIDE),
        pv__map_int_or(&r->m, item, "height", pv_mask_get_height(whole), PV__MAX_SIDE),
    };
    if (part.w < 1 || part.h < 1) pv__map_refuse(&r->m, "width", "of a tile's part has no pixels");
    if (!pv__map_pay(&r->m, pv__map_words(part.w), part.h, 1)) return NULL;
    return pv__map_made(&r->m, pv_mask_crop(whole, part, &inner), &inner);
}

/// Loads the single picture of a tile, which has none yet.
static void load_single(reader *r, const tileset *t, const cJSON *item, uint32_t id) {
    pv_mask *whole = pv__map_picture_mask(&r->m, t->base, pv__map_text(&r->m, item, "image"));
    if (whole && reserve_masks(r, (int)id + 1)) r->masks[id] = single_mask(r, item, whole);
    pv_mask_release(whole);
}

/// Returns the tile of a collection, or null.
static const cJSON *single_of(const tileset *t, uint32_t id) {
    uint32_t at = id - (uint32_t)t->first;
    return at < (uint32_t)t->single_count ? t->singles[at] : NULL;
}

/// Returns the mask of an id, or null.
static const pv_mask *mask_of(const reader *r, uint32_t id) {
    return id < (uint32_t)r->mask_count ? r->masks[id] : NULL;
}

/// Tells whether an id has a mask that may be used; in a layer it needs the map's tile size.
static bool is_usable(const reader *r, uint32_t id) {
    const pv_mask *mask = mask_of(r, id);
    return mask && (r->list || (mask->bits.w == r->tile_width && mask->bits.h == r->tile_height));
}

/// Loads the tileset of an id > 0, unless its mask is there, or fails.
/// @param name member with the id
static void require_tile(reader *r, const char *name, uint32_t id) {
    if (mask_of(r, id)) return;
    tileset *t = tileset_of(r, id);
    if (t && !t->loaded) load_tileset(r, t);
    const cJSON *single = t ? single_of(t, id) : NULL;
    if (single && pv__map_well(&r->m)) load_single(r, t, single, id);
    if (!pv__map_well(&r->m)) return;
    if (!t || (!single && (t->singles || id - (uint32_t)t->first >= (uint32_t)t->count)))
        pv__map_fail(&r->m, PV_ERROR_FORMAT, name, "has tile %" PRIu32 " of no tileset", id);
    else if (!is_usable(r, id))
        pv__map_fail(&r->m, PV_ERROR_UNSUPPORTED, name,
                     "has tile %" PRIu32 ", which is of another size, or without a picture", id);
}

/// Checks tiles, and clears the bit that has no meaning for them.
static void check_tiles(reader *r, uint32_t *tiles, size_t count) {
    for (size_t i = 0; i < count && pv__map_well(&r->m); i++) {
        uint32_t id = tiles[i] & ~TILED_FLAGS;
        tiles[i] &= ~TILED_TURN;
        if (id) require_tile(r, "data", id);
        if (r->tile_width != r->tile_height && tiles[i] & PV_TILE_FLIP_DIAGONAL)
            pv__map_refuse(&r->m, "data", "flips a tile diagonally that is not square");
    }
}

/// Reads the tiles of a block, which is a layer of a fixed map or a chunk, into those of the drawn
/// part, which has room for them.
static void read_block(reader *r, const cJSON *layer, const cJSON *owner, pv_rect b,
                       uint32_t *tiles) {
    size_t count = (size_t)b.w * (size_t)b.h, row = (size_t)b.w;
    uint32_t *own = pv__map_alloc(&r->m, count, sizeof *own);
    if (!own) return;
    read_data(r, layer, owner, own, count);
    check_tiles(r, own, count);
    for (int y = 0; y < b.h; y++)
        memcpy(tiles + (size_t)(b.y - r->part.y + y) * (size_t)r->part.w + (b.x - r->part.x),
               own + (size_t)y * row, row * sizeof *own);
    pv__free(&r->m.from, own, count, sizeof *own);
}

/* ---- layers ---- */

/// Adds a layer of checked tiles to the map.
static void draw(reader *r, const uint32_t *tiles, pv_vec2 offset) {
    pv_error inner;
    pv_tilemap_def def = {r->tile_width, r->tile_height, r->part.w,     r->part.h,
                          tiles,         r->masks,       r->mask_count, r->m.from};
    if (!pv__map_pay(&r->m, r->mask_count, 1, 1)) return; /* all masks are checked */
    pv_mask *layer = pv_tilemap_create_mask(&def, &inner);
    if (!pv__map_made(&r->m, layer, &inner)) return;
    int dx = (int)pv__floor(offset.x + 0.5), dy = (int)pv__floor(offset.y + 0.5);
    pv_mask_combine(r->map, layer, dx, dy, PV_COMBINE_OR);
    pv_mask_release(layer);
}

/// Returns the place and size of a chunk [tiles].
static pv_rect block_of(reader *r, const cJSON *chunk) {
    return (pv_rect){
        pv__map_int(&r->m, chunk, "x", -INT16_MAX, INT16_MAX),
        pv__map_int(&r->m, chunk, "y", -INT16_MAX, INT16_MAX),
        pv__map_int(&r->m, chunk, "width", 1, PV__MAX_SIDE),
        pv__map_int(&r->m, chunk, "height", 1, PV__MAX_SIDE),
    };
}

static void read_blocks(reader *r, const cJSON *layer, uint32_t *tiles) {
    if (!r->infinite) {
        read_block(r, layer, layer, r->part, tiles);
        return;
    }
    PV__MAP_EACH(&r->m, chunk, pv__map_array(&r->m, layer, "chunks")) {
        pv_rect b = block_of(r, chunk);
        if (pv__map_pay(&r->m, 32 * (int64_t)b.w, b.h, 1)) read_block(r, layer, chunk, b, tiles);
    }
}

/// Returns false only if a layer has a property "solid" that is false.
static bool is_solid(reader *r, const cJSON *layer) {
    PV__MAP_EACH(&r->m, item, pv__map_list(&r->m, layer, "properties")) {
        const char *name = pv__map_text(&r->m, item, "name");
        if (name && strcmp(name, "solid") == 0) return pv__map_bool(&r->m, item, "value", true);
    }
    return true;
}

/// Tells whether a layer of a kind is read. If objects are listed, the wanted name is for their
/// layers, and layers of tiles only tell the span of the map.
/// @param kind "tilelayer" or "objectgroup"
static bool is_wanted(reader *r, const cJSON *layer, const char *kind) {
    const char *name = pv__map_text(&r->m, layer, "name"),
               *type = pv__map_text(&r->m, layer, "type");
    bool tiles = strcmp(kind, "tilelayer") == 0;
    if (strcmp(type, kind) != 0) return false;
    if (r->wanted && tiles == !r->list) return name && strcmp(name, r->wanted) == 0;
    return !tiles || is_solid(r, layer);
}

/// Calls work for each wanted layer of a kind, of a map or of a group. The parser bounds the depth
/// of nested groups.
static void each_layer(reader *r, const cJSON *owner, const char *kind, pv_vec2 offset,
                       void work(reader *, const cJSON *, pv_vec2)) {
    PV__MAP_EACH(&r->m, layer, pv__map_array(&r->m, owner, "layers")) {
        const char *name = cJSON_IsObject(layer) ? pv__map_text(&r->m, layer, "name") : NULL;
        pv__map_name(&r->m, "layer", name);
        pv_vec2 own = {pv__map_real_or(&r->m, layer, "offsetx", 0, -PV__MAX_SIDE, PV__MAX_SIDE),
                       pv__map_real_or(&r->m, layer, "offsety", 0, -PV__MAX_SIDE, PV__MAX_SIDE)};
        const char *type = pv__map_text(&r->m, layer, "type");
        if (!type)
            pv__map_refuse(&r->m, "type", "of a layer is missing");
        else if (strcmp(type, "group") == 0)
            each_layer(r, layer, kind, pv__add(offset, own), work);
        else if (is_wanted(r, layer, kind) && pv__map_well(&r->m))
            work(r, layer, pv__add(offset, own));
    }
    r->m.kind = NULL;
}

/// Reads the tiles of a layer and draws them. A tile takes as much memory as 32 pixels.
static void read_layer(reader *r, const cJSON *layer, pv_vec2 offset) {
    size_t count = (size_t)r->part.w * (size_t)r->part.h;
    r->met = true;
    if (!r->infinite) {
        pv__map_int(&r->m, layer, "width", r->part.w, r->part.w);
        pv__map_int(&r->m, layer, "height", r->part.h, r->part.h);
    }
    pv__map_pay(&r->m, pv__map_words(r->map->bits.w), r->map->bits.h, 1);
    pv__map_pay(&r->m, 32 * (int64_t)r->part.w, r->part.h, 1);
    uint32_t *tiles = pv__map_alloc(&r->m, count, sizeof *tiles);
    if (!tiles) return;
    read_blocks(r, layer, tiles);
    draw(r, tiles, offset);
    pv__free(&r->m.from, tiles, count, sizeof *tiles);
}

/// Enlarges the part that is drawn by the chunks of a layer.
static void span_chunks(reader *r, const cJSON *layer, pv_vec2 offset) {
    (void)offset;
    PV__MAP_EACH(&r->m, chunk, pv__map_array(&r->m, layer, "chunks")) {
        pv_rect b = block_of(r, chunk);
        r->part = r->part.w ? pv__rect_join(r->part, b) : b;
    }
}

/* ---- objects ---- */

static pv_map_shape tiled_shape(reader *r, const cJSON *item) {
    return pv__map_get(&r->m, item, "gid")               ? PV_MAP_TILE
           : pv__map_bool(&r->m, item, "point", false)   ? PV_MAP_POINT
           : pv__map_bool(&r->m, item, "ellipse", false) ? PV_MAP_ELLIPSE
           : pv__map_bool(&r->m, item, "capsule", false) ? PV_MAP_CAPSULE
           : pv__map_get(&r->m, item, "polygon")         ? PV_MAP_POLYGON
           : pv__map_get(&r->m, item, "polyline")        ? PV_MAP_POLYLINE
                                                         : PV_MAP_RECTANGLE;
}

/// Gives an object that is a tile its mask.
static void read_tile_object(reader *r, pv_map_object *o, const cJSON *item) {
    uint32_t gid = (uint32_t)pv__map_whole(&r->m, pv__map_get(&r->m, item, "gid"), "gid", 1,
                                           UINT32_MAX),
             id = gid & ~TILED_FLAGS;
    if (pv__map_well(&r->m)) require_tile(r, "gid", id);
    if (pv__map_well(&r->m))
        pv__objects_fill_tile(&r->m, o, r->masks[id], gid & ~TILED_TURN, tileset_of(r, id)->anchor);
}

static void read_object(reader *r, const cJSON *item, const char *layer, pv_vec2 offset) {
    pv__map_name(&r->m, "object", pv__map_text_or(&r->m, item, "name", ""));
    const char *class_name = pv__map_text(&r->m, item, "class");
    if (!class_name) class_name = pv__map_text_or(&r->m, item, "type", "");
    pv_map_object made = {
        .name = r->m.called,
        .class_name = class_name,
        .layer = layer,
        .shape = tiled_shape(r, item),
        .position = {offset.x + pv__map_real_or(&r->m, item, "x", 0, PV__RANGE_PLACE),
                     offset.y + pv__map_real_or(&r->m, item, "y", 0, PV__RANGE_PLACE)},
        .size = {pv__map_real_or(&r->m, item, "width", 0, 0, PV_MAX_COORDINATE),
                 pv__map_real_or(&r->m, item, "height", 0, 0, PV_MAX_COORDINATE)},
        .angle = pv__map_real_or(&r->m, item, "rotation", 0, PV__RANGE_SPIN) * (PV__PI / 180),
    };
    pv_map_object *o = pv__objects_add(&r->m, r->list, &made);
    if (!o) return;
    pv__objects_properties(&r->m, o, pv__map_list(&r->m, item, "properties"), "name", "value");
    if (o->shape == PV_MAP_POLYGON || o->shape == PV_MAP_POLYLINE) {
        const char *name = o->shape == PV_MAP_POLYGON ? "polygon" : "polyline";
        pv__objects_points(&r->m, o, pv__map_get(&r->m, item, name), name);
    }
    if (o->shape == PV_MAP_TILE)
        read_tile_object(r, o, item);
    else
        pv__objects_fill(&r->m, o);
}

/* ---- templates ---- */

/// Returns the first id of a loaded tileset with that path, or 0.
static int loaded_first(const reader *r, const char *path) {
    for (int i = 0; i < r->tileset_count; i++)
        if (r->tilesets[i].path && strcmp(r->tilesets[i].path, path) == 0)
            return r->tilesets[i].first;
    return 0;
}

/// Returns the first id after all tilesets. Loads the last one if its size is in another file.
static int free_first(reader *r) {
    if (r->tileset_count == 0) return 1;
    tileset *last = &r->tilesets[r->tileset_count - 1];
    if (!last->loaded && pv__map_text(&r->m, last->object, "source")) load_tileset(r, last);
    int count = last->loaded ? last->count
                             : pv__map_int(&r->m, last->object, "tilecount", 0, PV__MOST_TILES);
    return last->first <= PV__MOST_TILES ? last->first + count : last->first;
}

/// Returns the first id of a template's tileset, which is added after all others unless it is
/// loaded.
static int template_first(reader *r, const cJSON *object, const char *base) {
    const char *source = pv__map_text(&r->m, object, "source");
    char *path = source ? pv__map_beside(&r->m, base, source) : NULL;
    int first = path ? loaded_first(r, path) : 0;
    pv__text_free(&r->m.from, path);
    if (first || !pv__map_well(&r->m)) return first;
    first = free_first(r);
    if (add_tileset(r, first, object, base)) load_tileset(r, &r->tilesets[r->tileset_count - 1]);
    return first;
}

/// Finds the tile of a template among those of the map, if its object is a tile.
static void read_template_tile(reader *r, pv__template *t, const cJSON *root, const cJSON *object) {
    const cJSON *item = pv__map_get(&r->m, object, "gid");
    if (!item) return;
    const cJSON *set = pv__map_get(&r->m, root, "tileset");
    if (!set) pv__map_refuse(&r->m, "tileset", "is missing");
    uint32_t gid = (uint32_t)pv__map_whole(&r->m, item, "gid", 1, UINT32_MAX);
    int64_t first = pv__map_int(&r->m, set, "firstgid", 1, INT32_MAX),
            id = (gid & ~TILED_FLAGS) - first;
    if (id < 0 || id > PV__MOST_TILES)
        pv__map_fail(&r->m, PV_ERROR_FORMAT, "gid", "has tile %" PRIu32 " of no tileset",
                     gid & ~TILED_FLAGS);
    t->gid = (gid & TILED_FLAGS) | (uint32_t)(template_first(r, set, t->path) + id);
}

/// Reads a template, which the list of objects owns.
static void read_template(reader *r, pv__template *t, cJSON *root) {
    const char *file = r->m.file;
    pv__objects_own(&r->m, r->list, root);
    if (!pv__map_well(&r->m)) return;
    r->m.file = t->path;
    const cJSON *object = pv__map_get(&r->m, root, "object");
    if (!object) pv__map_refuse(&r->m, "object", "is missing");
    pv__template_read(&r->m, t, object);
    read_template_tile(r, t, root, object);
    r->m.file = file;
}

/// Returns the template of that name, or null after a failure.
static const pv__template *template_of(reader *r, const char *name) {
    for (int i = 0; i < r->template_count; i++)
        if (strcmp(r->templates[i].name, name) == 0) return &r->templates[i];
    if (r->template_count == MOST_TEMPLATES)
        pv__map_fail(&r->m, PV_ERROR_TOO_LARGE, "template", "is one more than %d", MOST_TEMPLATES);
    if (!PV__MAP_APPEND(&r->m, r->templates, r->template_capacity, r->template_count,
                        (pv__template){.name = name}))
        return NULL;
    pv__template *t = &r->templates[r->template_count - 1];
    t->path = pv__map_beside(&r->m, r->m.file, name);
    if (t->path) read_template(r, t, pv__map_open(&r->m, t->path));
    return pv__map_well(&r->m) ? t : NULL;
}

static void read_object_layer(reader *r, const cJSON *layer, pv_vec2 offset) {
    const char *kind = r->m.kind, *called = r->m.called;
    r->met = true;
    PV__MAP_EACH(&r->m, item, pv__map_array(&r->m, layer, "objects")) {
        pv__map_name(&r->m, "object", pv__map_text_or(&r->m, item, "name", ""));
        const char *template = pv__map_text(&r->m, item, "template");
        const pv__template *t = template ? template_of(r, template) : NULL;
        cJSON *merged = t ? pv__template_merge(&r->m, t, item) : NULL;
        read_object(r, merged ? merged : item, called ? called : "", offset);
        cJSON_Delete(merged);
    }
    pv__map_name(&r->m, kind, called);
}

/* ---- the map ---- */

/// Begins a map: lists its tilesets, and finds the part that is drawn.
static void begin_map(reader *r, const cJSON *root) {
    const char *orientation = pv__map_text(&r->m, root, "orientation");
    r->infinite = pv__map_bool(&r->m, root, "infinite", false);
    if (!orientation)
        pv__map_refuse(&r->m, "orientation", "is missing");
    else if (strcmp(orientation, "orthogonal") != 0)
        pv__map_fail(&r->m, PV_ERROR_UNSUPPORTED, "orientation",
                     "is \"%.24s\", must be \"orthogonal\"", orientation);
    list_tilesets(r, root);
    if (r->infinite) each_layer(r, root, "tilelayer", pv__vec(0, 0), span_chunks);
    if (!r->part.w) { /* of a fixed size, or without chunks */
        r->part.w = pv__map_int(&r->m, root, "width", 1, PV__MAX_SIDE);
        r->part.h = pv__map_int(&r->m, root, "height", 1, PV__MAX_SIDE);
    }
    r->tile_width = pv__map_int(&r->m, root, "tilewidth", 1, PV__MAX_SIDE);
    r->tile_height = pv__map_int(&r->m, root, "tileheight", 1, PV__MAX_SIDE);
}

/// Draws a map, or lists its objects. In an infinite map, objects begin where its mask begins.
static void read_map(reader *r, const cJSON *root) {
    begin_map(r, root);
    pv_vec2 origin = {-(double)r->part.x * r->tile_width, -(double)r->part.y * r->tile_height};
    if (!r->list && pv__map_well(&r->m))
        r->map = pv__map_mask(&r->m, (int64_t)r->part.w * r->tile_width,
                              (int64_t)r->part.h * r->tile_height);
    if (r->list)
        each_layer(r, root, "objectgroup", origin, read_object_layer);
    else
        each_layer(r, root, "tilelayer", pv__vec(0, 0), read_layer);
    if (pv__map_well(&r->m) && r->wanted && !r->met)
        pv__error_say(r->m.error, PV_ERROR_ARGUMENT, "layer", "layer %s is no %s layer of %s",
                      r->wanted, r->list ? "object" : "tile", r->m.file);
}

static void clean(reader *r) {
    for (int i = 0; i < r->tileset_count; i++) {
        const tileset *t = &r->tilesets[i];
        PV__FREE(&r->m.from, t->singles, t->single_count);
        pv__text_free(&r->m.from, t->path);
        cJSON_Delete(t->root);
    }
    for (int i = 0; i < r->template_count; i++) pv__text_free(&r->m.from, r->templates[i].path);
    for (int i = 0; i < r->mask_count; i++) pv_mask_release(r->masks[i]);
    PV__FREE(&r->m.from, r->templates, r->template_capacity);
    PV__FREE(&r->m.from, r->tilesets, r->tileset_capacity);
    PV__FREE(&r->m.from, r->masks, r->mask_count);
    if (pv__map_well(&r->m)) return;
    pv_mask_release(r->map);
    r->map = NULL;
    pv_map_objects_destroy(r->list);
    r->list = NULL;
}

/// Loads the mask, or the list if there is one.
static void load(reader *r) {
    cJSON *root = pv__map_open(&r->m, r->m.file);
    if (root && pv__is_ldtk(root))
        r->map = pv__ldtk_read(&r->m, root, r->wanted, r->list);
    else if (root)
        read_map(r, root);
    pv__objects_own(&r->m, r->list, root);
    clean(r);
}

pv_mask *pv_tilemap_load_mask(const char *path, const char *layer, const pv_mask_options *options,
                              pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    reader r = {.wanted = layer};
    if (pv__map_begin(&r.m, e, path, options)) load(&r);
    return r.map;
}

pv_map_objects *pv_map_objects_load(const char *path, const char *layer,
                                    const pv_mask_options *options, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    reader r = {.wanted = layer};
    if (pv__map_begin(&r.m, e, path, options)) r.list = pv__objects_make(&r.m);
    if (r.list) load(&r);
    return r.list;
}

#endif
