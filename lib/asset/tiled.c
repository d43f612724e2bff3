/* tiled.c - reads maps of Tiled, and draws their layers of tiles into one mask.
 *
 * Invariant: nothing in a file is trusted. Large data are counted before their memory is allocated.
 * All costs in time or memory are taken from the reader's room. The first failure stays in the
 * reader's status and ends the work. A tileset is loaded when a tile of it is met.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "asset/unpack.h"
#include "asset/xml.h"
#include "base/base.h"
#include "base/error.h"
#include "base/math.h"
#include "pixel/file.h"
#include "pixel/mask.h"
#include "pixel/png.h"

#include <inttypes.h>
#include <limits.h>

#ifndef HAVE_CJSON

pv_mask *pv_tilemap_load_mask(const char *path, const char *layer, const pv_mask_options *options,
                              pv_error *error) {
    (void)path, (void)layer, (void)options;
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    return pv__error_set(e, PV_ERROR_UNSUPPORTED), NULL;
}

#else

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <string.h>

/// Greatest size of all JSON together [bytes]; the parser takes up to some 40 bytes for one
#define MOST_BYTES ((int64_t)1 << 24)
#define MOST_TILES (1 << 20)
/// Number of zeros behind a file [bytes]; older parsers read a byte beyond the given size
#define TILED_PADDING 16

/// Bits of a tile that are no part of its id. The lowest turns it in hexagonal maps alone.
#define TILED_FLAGS 0xf0000000u
#define TILED_TURN 0x10000000u

/// Tiles first...first + count - 1, at most up to the next tileset
typedef struct tileset {
    int first, count;
    /// Object in the map's file, with the tileset or with the name of its file
    const cJSON *object;
    bool loaded;
    /// Frames, or null if no layer may use them
    pv_frames *frames;
} tileset;

typedef struct tiled_reader {
    const pv_mask_options *options;
    pv_allocator from;
    /// Name of the wanted layer, or null
    const char *wanted;
    /// First failure, which ends the work
    pv_error *error;
    /// Path of the file that is read
    const char *file;
    /// Number of bytes that further files may have
    int64_t bytes;
    /// Number of pixels that further pictures, tiles and layers may have
    int64_t room;
    /// Part of the map that is drawn: its first column and row, and its size [tiles]
    int left, top, columns, rows;
    bool infinite;
    int tile_width, tile_height;
    /// Tilesets in the order of their tiles
    tileset *tilesets;
    int tileset_count, tileset_capacity;
    /// Masks by id, borrowed from the tilesets
    pv_mask **masks;
    int mask_count;
    /// Kind and name of what is read, "layer" or "tileset"; null: the file
    const char *kind, *called;
    pv_mask *map;
    /// True if a layer was read
    bool met;
} tiled_reader;

static bool tiled_well(const tiled_reader *r) { return r->error->status == PV_OK; }

/// Fails because of a member of what is read, unless something has failed before.
/// @param format ending of the sentence
PV__PRINTF(4, 5)
static void tiled_fail(tiled_reader *r, pv_status status, const char *name, const char *format,
                       ...) {
    char what[96], owner[80] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (!tiled_well(r)) return;
    if (r->kind) snprintf(owner, sizeof owner, " of %s \"%.60s\"", r->kind, r->called);
    pv__error_say(r->error, status, "path", "%s: \"%s\"%s %s", r->file, name, owner, what);
}

/// Does the same for a member that breaks the format.
static void tiled_refuse(tiled_reader *r, const char *name, const char *what) {
    tiled_fail(r, PV_ERROR_FORMAT, name, "%s", what);
}

/// Allocates zeroed memory, or fails.
static void *tiled_alloc(tiled_reader *r, size_t count, size_t size) {
    void *made = pv__alloc(&r->from, count, size);
    if (!made && tiled_well(r)) pv__error_set(r->error, PV_ERROR_MEMORY);
    return made;
}

/// Takes w x h pixels of count pictures, none of them negative, out of the room. Returns false
/// after a failure.
static bool tiled_pay(tiled_reader *r, int64_t w, int64_t h, int64_t count) {
    int64_t area = w * h;
    if (area <= 0 || count <= r->room / area)
        r->room -= area * count;
    else if (tiled_well(r))
        pv__error_say(r->error, PV_ERROR_TOO_LARGE, PV__LIMIT(true, max_area),
                      "%s is %" PRId64 ", too little for all of the map", PV__LIMIT(true, max_area),
                      r->options->limits.max_area);
    return tiled_well(r);
}

/// Returns the number of pixels in the whole words of a row of w pixels.
static int64_t words_of(int w) { return 64 * (int64_t)pv__bits_stripes(w); }

/* ---- values ---- */

/// Returns the member of that name, or null.
static const cJSON *tiled_get(tiled_reader *r, const cJSON *object, const char *name) {
    const cJSON *found = NULL, *item;
    if (!cJSON_IsObject(object)) return tiled_refuse(r, name, "is not in an object"), NULL;
    cJSON_ArrayForEach(item, object) {
        if (strcmp(item->string, name) != 0) continue;
        if (found) tiled_refuse(r, name, "is there twice");
        found = item;
    }
    return found;
}

/// Returns a whole number.
/// @param name member that it is, or is a part of
static int64_t tiled_whole(tiled_reader *r, const cJSON *item, const char *name, int64_t low,
                           int64_t high) {
    double value = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    if (value >= (double)low && value <= (double)high && value == (double)(int64_t)value)
        return (int64_t)value;
    if (cJSON_IsNumber(item))
        tiled_fail(r, PV_ERROR_FORMAT, name, "is %.9g, must be a whole number from %.9g to %.9g",
                   value, (double)low, (double)high);
    tiled_refuse(r, name, item ? "is no number" : "is missing");
    return low;
}

static int get_int(tiled_reader *r, const cJSON *object, const char *name, int low, int high) {
    return (int)tiled_whole(r, tiled_get(r, object, name), name, low, high);
}

/// Returns a member that is a whole number in 0...high, or other if it is missing.
static int get_int_or(tiled_reader *r, const cJSON *object, const char *name, int other, int high) {
    const cJSON *item = tiled_get(r, object, name);
    return item ? (int)tiled_whole(r, item, name, 0, high) : other;
}

/// Returns the text of a member, or null if it is missing. The text "" does not stand for a missing
/// one.
static const char *get_text(tiled_reader *r, const cJSON *object, const char *name) {
    const cJSON *item = tiled_get(r, object, name);
    if (item && !cJSON_IsString(item)) tiled_refuse(r, name, "is no text");
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

static const cJSON *get_array(tiled_reader *r, const cJSON *object, const char *name) {
    const cJSON *item = tiled_get(r, object, name);
    if (!cJSON_IsArray(item)) tiled_refuse(r, name, item ? "is no array" : "is missing");
    return item;
}

static bool get_bool(tiled_reader *r, const cJSON *object, const char *name, bool other) {
    const cJSON *item = tiled_get(r, object, name);
    if (item && !cJSON_IsBool(item)) tiled_refuse(r, name, "is neither true nor false");
    return item ? cJSON_IsTrue(item) : other;
}

/// Returns an offset, or 0 if it is missing [px].
static double get_offset(tiled_reader *r, const cJSON *object, const char *name) {
    const cJSON *item = tiled_get(r, object, name);
    if (!item) return 0;
    double value = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    if (pv__abs(value) <= PV__MAX_SIDE) return value;
    if (cJSON_IsNumber(item))
        tiled_fail(r, PV_ERROR_FORMAT, name, "is %.9g, must be %d to %d", value, -PV__MAX_SIDE,
                   PV__MAX_SIDE);
    tiled_refuse(r, name, "is no number");
    return 0;
}

/* ---- files ---- */

/// Returns the path of a file beside another one, or null without memory. The caller frees it with
/// pv__free() and *size.
static char *tiled_beside(tiled_reader *r, const char *file, const char *name, size_t *size) {
    const char *slash = *name == '/' ? NULL : strrchr(file, '/');
    size_t directory = slash ? (size_t)(slash - file) + 1 : 0;
    *size = directory + strlen(name) + 1;
    char *path = tiled_alloc(r, *size, 1);
    if (!path) return NULL;
    memcpy(path, file, directory);
    memcpy(path + directory, name, *size - directory);
    return path;
}

/// Finds the size of a file, and takes it out of what further files may have.
static bool tiled_file_size(tiled_reader *r, const char *path, size_t *size) {
    int64_t bytes = 0;
    if (!pv__file_size(r->error, path, &bytes) ||
        !pv__check_most(r->error, PV__LIMIT(true, max_file_size), "size", path, bytes,
                        r->options->limits.max_file_size))
        return false;
    if (bytes > r->bytes)
        return pv__error_say(r->error, PV_ERROR_TOO_LARGE, "path",
                             "with %s the JSON exceeds 16 MiB", path) == PV_OK;
    r->bytes -= bytes;
    *size = (size_t)bytes;
    return true;
}

/// Parses a file; the caller frees the result.
/// @param text size bytes and TILED_PADDING zeros
static cJSON *tiled_parse(tiled_reader *r, const char *path, const char *text, size_t size) {
    const char *end = NULL, *nul = memchr(text, '\0', size);
    cJSON *root = nul ? NULL : cJSON_ParseWithLengthOpts(text, size + 1, &end, false);
    if (root && end[strspn(end, " \t\r\n")] == '\0') return root;
    cJSON_Delete(root);
    pv__text_fail(r->error, "path", path, text, size, nul ? nul : end);
    return NULL;
}

/// Returns a parsed file, for cJSON_Delete(), or null after a failure.
static cJSON *open_tree(tiled_reader *r, const char *path) {
    size_t size = 0;
    cJSON *root = NULL;
    if (!tiled_file_size(r, path, &size)) return NULL;
    char *text = tiled_alloc(r, size + TILED_PADDING, 1);
    if (!text) return NULL;
    if (pv__file_read(r->error, path, text, size))
        root = pv__is_xml(text) ? pv__xml_parse(r->error, "path", path, text, size)
                                : tiled_parse(r, path, text, size);
    pv__free(&r->from, text, size + TILED_PADDING, 1);
    return root;
}

/* ---- tilesets ---- */

static pv_frames_options frames_options(const tiled_reader *r) {
    pv_frames_options o = pv_frames_options_default();
    o.alpha_threshold = r->options->alpha_threshold;
    o.limits = r->options->limits;
    return o;
}

/// Cuts a sheet at its real size, not at the size in the file.
static void tiled_cut(tiled_reader *r, tileset *t, const pv_grid *grid, const pv_image *sheet) {
    pv_error inner;
    pv_frames_options o = frames_options(r);
    if (!tiled_pay(r, sheet->width, sheet->height, 1)) return;
    t->frames = pv_frames_from_grid(sheet, grid, &o, &inner);
    if (t->frames) return;
    if (inner.status == PV_ERROR_ARGUMENT)
        tiled_refuse(r, "tilecount", "does not fit the picture of a tileset");
    else
        pv__error_adopt(r->error, &inner);
}

static void load_sheet(tiled_reader *r, tileset *t, const pv_grid *grid, const char *path) {
    if (!tiled_pay(r, words_of(grid->width), grid->height, t->count)) return;
    pv_image *sheet = pv__image_load(r->error, path, &r->options->limits, true);
    if (sheet) tiled_cut(r, t, grid, sheet);
    pv_image_destroy(sheet);
}

/// Loads the tiles of a tileset that layers may use: tiles from one sheet, of the map's tile size.
static void read_sheet(tiled_reader *r, tileset *t, const cJSON *object, const char *path) {
    pv_grid grid = {
        .width = get_int(r, object, "tilewidth", 0, PV__MAX_SIDE),
        .height = get_int(r, object, "tileheight", 0, PV__MAX_SIDE),
        .margin = get_int_or(r, object, "margin", 0, PV__MAX_SIDE),
        .spacing = get_int_or(r, object, "spacing", 0, PV__MAX_SIDE),
        .columns = get_int(r, object, "columns", 0, PV__MAX_SIDE),
        .cell_count = t->count,
    };
    const char *name = get_text(r, object, "image");
    if (name && grid.columns < 1) tiled_refuse(r, "columns", "is 0");
    if (!tiled_well(r) || !name || t->count == 0) return;
    if (grid.width != r->tile_width || grid.height != r->tile_height) return;
    size_t size;
    char *sheet = tiled_beside(r, path, name, &size);
    if (!sheet) return;
    load_sheet(r, t, &grid, sheet);
    pv__free(&r->from, sheet, size, 1);
}

/// Reads a tileset.
/// @param path file that contains the object
static void read_tileset(tiled_reader *r, tileset *t, const cJSON *object, const char *path) {
    t->count = get_int(r, object, "tilecount", 0, MOST_TILES);
    if (t->first > MOST_TILES + 1 - t->count)
        tiled_fail(r, PV_ERROR_TOO_LARGE, "tilecount", "is too large: 2^20 tiles at most");
    if (tiled_well(r)) read_sheet(r, t, object, path);
}

/// Reads a tileset from a file of its own.
static void read_source(tiled_reader *r, tileset *t, const char *source, const char *map) {
    size_t size;
    char *path = tiled_beside(r, map, source, &size);
    if (!path) return;
    cJSON *root = open_tree(r, path);
    r->file = path;
    if (root) read_tileset(r, t, root, path);
    r->file = map;
    cJSON_Delete(root);
    pv__free(&r->from, path, size, 1);
}

/// Lists the masks of a tileset by id.
static void list_masks(tiled_reader *r, const tileset *t) {
    int count = pv_frames_get_count(t->frames), had = r->mask_count;
    const tileset *next = t + 1 < r->tilesets + r->tileset_count ? t + 1 : NULL;
    if (next && next->first - t->first < count) count = next->first - t->first;
    if (count == 0 || !tiled_well(r)) return;
    if (!pv__reserve_exactly(&r->from, &r->masks, &r->mask_count, t->first + count,
                             sizeof(pv_mask *)))
        pv__error_set(r->error, PV_ERROR_MEMORY);
    for (int i = had; i < r->mask_count; i++) r->masks[i] = NULL;
    for (int i = 0; i < count && tiled_well(r); i++)
        r->masks[t->first + i] = pv_frames_get_frame(t->frames, i)->mask;
}

/// Loads a tileset, which must happen once.
static void load_tileset(tiled_reader *r, tileset *t) {
    const char *kind = r->kind, *called = r->called, *source = get_text(r, t->object, "source"),
               *name = get_text(r, t->object, "name");
    t->loaded = true;
    r->kind = "tileset";
    r->called = source ? source : name ? name : "";
    if (source)
        read_source(r, t, source, r->file);
    else
        read_tileset(r, t, t->object, r->file);
    list_masks(r, t);
    r->kind = kind;
    r->called = called;
}

/// Returns the tileset of an id > 0, or null. That is the last one that begins before the id.
static tileset *tileset_of(const tiled_reader *r, uint32_t id) {
    tileset *found = NULL;
    for (int i = 0; i < r->tileset_count && (uint32_t)r->tilesets[i].first <= id; i++)
        found = &r->tilesets[i];
    return found;
}

static int compare_tilesets(const void *a, const void *b) {
    const tileset *left = a, *right = b;
    return (left->first > right->first) - (left->first < right->first);
}

/// Lists the tilesets of a map, in any order. No file is read.
static void list_tilesets(tiled_reader *r, const cJSON *root) {
    const cJSON *tilesets = get_array(r, root, "tilesets"), *item;
    cJSON_ArrayForEach(item, tilesets) {
        tileset t = {.first = get_int(r, item, "firstgid", 1, INT32_MAX), .object = item};
        if (!tiled_well(r)) return;
        if (!pv__reserve(&r->from, &r->tilesets, &r->tileset_capacity, r->tileset_count + 1,
                         sizeof t)) {
            pv__error_set(r->error, PV_ERROR_MEMORY);
            return;
        }
        r->tilesets[r->tileset_count++] = t;
    }
    if (r->tileset_count)
        pv__sort(r->tilesets, r->tileset_count, sizeof *r->tilesets, compare_tilesets);
    for (int i = 1; i < r->tileset_count; i++)
        if (r->tilesets[i].first == r->tilesets[i - 1].first)
            tiled_fail(r, PV_ERROR_FORMAT, "firstgid", "is %d twice", r->tilesets[i].first);
}

/* ---- tiles ---- */

/// A rectangle of tiles with data of its own: a layer of a fixed map, or a chunk
typedef struct tiled_block {
    int left, top, columns, rows;
} tiled_block;

/// Reads count tiles of a layer, which are zeroed before.
/// @param owner the layer, or one of its chunks
static void read_data(tiled_reader *r, const cJSON *layer, const cJSON *owner, uint32_t *tiles,
                      size_t count) {
    const char *encoding = get_text(r, layer, "encoding"),
               *compression = get_text(r, layer, "compression"), *what = NULL;
    const cJSON *data = tiled_get(r, owner, "data"), *item;
    bool base64 = encoding && strcmp(encoding, "base64") == 0;
    if (!tiled_well(r)) return;
    if (base64 ? !cJSON_IsString(data)
               : !cJSON_IsArray(data) || (size_t)cJSON_GetArraySize(data) != count) {
        tiled_refuse(r, "data", "has not as many tiles as it has place for");
    } else if (base64) {
        pv_status status =
            pv__unpack_tiles(&r->from, data->valuestring, compression, tiles, count, &what);
        if (status == PV_ERROR_MEMORY) pv__error_set(r->error, status);
        if (status != PV_OK)
            tiled_fail(r, status, status == PV_ERROR_FORMAT ? "data" : "compression", "%s", what);
    } else {
        cJSON_ArrayForEach(item, data) *tiles++ =
            (uint32_t)tiled_whole(r, item, "data", 0, UINT32_MAX);
    }
}

/// Loads the tileset of an id > 0 without a mask, or fails.
static void require_tile(tiled_reader *r, uint32_t id) {
    tileset *t = tileset_of(r, id);
    if (t && !t->loaded) load_tileset(r, t);
    if (!tiled_well(r)) return;
    if (!t || id - (uint32_t)t->first >= (uint32_t)t->count)
        tiled_fail(r, PV_ERROR_FORMAT, "data", "has tile %" PRIu32 " of no tileset", id);
    else if (!t->frames)
        tiled_fail(r, PV_ERROR_UNSUPPORTED, "data",
                   "has tile %" PRIu32 ", which is of another size, or of a single picture", id);
}

/// Checks tiles, and clears the bit without a meaning for them.
static void check_tiles(tiled_reader *r, uint32_t *tiles, size_t count) {
    for (size_t i = 0; i < count && tiled_well(r); i++) {
        uint32_t id = tiles[i] & ~TILED_FLAGS;
        tiles[i] &= ~TILED_TURN;
        if (id && (id >= (uint32_t)r->mask_count || !r->masks[id])) require_tile(r, id);
        if (r->tile_width != r->tile_height && tiles[i] & PV_TILE_FLIP_DIAGONAL)
            tiled_refuse(r, "data", "flips a tile diagonally that is not square");
    }
}

/// Reads the tiles of a block into those of the part that is drawn, which has room for them.
static void read_block(tiled_reader *r, const cJSON *layer, const cJSON *owner, tiled_block b,
                       uint32_t *tiles) {
    size_t count = (size_t)b.columns * (size_t)b.rows, row = (size_t)b.columns;
    uint32_t *own = tiled_alloc(r, count, sizeof *own);
    if (!own) return;
    read_data(r, layer, owner, own, count);
    if (tiled_well(r)) check_tiles(r, own, count);
    for (int y = 0; y < b.rows; y++)
        memcpy(tiles + (size_t)(b.top - r->top + y) * (size_t)r->columns + (b.left - r->left),
               own + (size_t)y * row, row * sizeof *own);
    pv__free(&r->from, own, count, sizeof *own);
}

/* ---- layers ---- */

/// Adds a layer of checked tiles to the map.
static void tiled_draw(tiled_reader *r, const uint32_t *tiles, pv_vec2 offset) {
    pv_error inner;
    pv_tilemap_def def = {r->tile_width, r->tile_height, r->columns,    r->rows,
                          tiles,         r->masks,       r->mask_count, r->from};
    if (!tiled_pay(r, r->mask_count, 1, 1)) return; /* all masks are checked */
    pv_mask *layer = pv_tilemap_create_mask(&def, &inner);
    if (!layer) {
        pv__error_adopt(r->error, &inner);
        return;
    }
    int dx = (int)pv__floor(offset.x + 0.5), dy = (int)pv__floor(offset.y + 0.5);
    pv_mask_combine(r->map, layer, dx, dy, PV_COMBINE_OR);
    pv_mask_release(layer);
}

/// Returns the place and size of a chunk [tiles].
static tiled_block block_of(tiled_reader *r, const cJSON *chunk) {
    return (tiled_block){
        (int)tiled_whole(r, tiled_get(r, chunk, "x"), "x", -INT16_MAX, INT16_MAX),
        (int)tiled_whole(r, tiled_get(r, chunk, "y"), "y", -INT16_MAX, INT16_MAX),
        get_int(r, chunk, "width", 1, PV__MAX_SIDE),
        get_int(r, chunk, "height", 1, PV__MAX_SIDE),
    };
}

static void read_blocks(tiled_reader *r, const cJSON *layer, uint32_t *tiles) {
    tiled_block all = {r->left, r->top, r->columns, r->rows};
    if (!r->infinite) {
        read_block(r, layer, layer, all, tiles);
        return;
    }
    const cJSON *chunks = get_array(r, layer, "chunks"), *chunk;
    cJSON_ArrayForEach(chunk, chunks) {
        tiled_block b = block_of(r, chunk);
        if (tiled_well(r) && tiled_pay(r, 32 * (int64_t)b.columns, b.rows, 1))
            read_block(r, layer, chunk, b, tiles);
        if (!tiled_well(r)) return;
    }
}

/// Reads the tiles of a layer and draws them. A tile takes as much memory as 32 pixels.
static void read_tiles(tiled_reader *r, const cJSON *layer, pv_vec2 offset) {
    size_t count = (size_t)r->columns * (size_t)r->rows;
    if (!tiled_pay(r, words_of(pv_mask_get_width(r->map)), pv_mask_get_height(r->map), 1) ||
        !tiled_pay(r, 32 * (int64_t)r->columns, r->rows, 1))
        return;
    uint32_t *tiles = tiled_alloc(r, count, sizeof *tiles);
    if (!tiles) return;
    read_blocks(r, layer, tiles);
    if (tiled_well(r)) tiled_draw(r, tiles, offset);
    pv__free(&r->from, tiles, count, sizeof *tiles);
}

/// Tells whether a layer has no property "solid" that is false.
static bool tiled_is_solid(tiled_reader *r, const cJSON *layer) {
    const cJSON *properties = tiled_get(r, layer, "properties"), *item;
    if (properties && !cJSON_IsArray(properties)) tiled_refuse(r, "properties", "is no array");
    cJSON_ArrayForEach(item, properties) {
        const char *name = get_text(r, item, "name");
        if (name && strcmp(name, "solid") == 0) return get_bool(r, item, "value", true);
    }
    return true;
}

static bool is_wanted(tiled_reader *r, const cJSON *layer) {
    const char *name = get_text(r, layer, "name");
    return r->wanted ? name && strcmp(name, r->wanted) == 0 : tiled_is_solid(r, layer);
}

/// Calls work for each wanted layer of tiles of a map or of a group. The parser bounds the depth of
/// nested groups.
static void each_layer(tiled_reader *r, const cJSON *owner, pv_vec2 offset,
                       void work(tiled_reader *, const cJSON *, pv_vec2)) {
    const cJSON *layers = get_array(r, owner, "layers"), *layer;
    cJSON_ArrayForEach(layer, layers) {
        const char *name = cJSON_IsObject(layer) ? get_text(r, layer, "name") : NULL;
        r->kind = name ? "layer" : NULL;
        r->called = name;
        pv_vec2 own = {get_offset(r, layer, "offsetx"), get_offset(r, layer, "offsety")};
        const char *type = get_text(r, layer, "type");
        if (!type) tiled_refuse(r, "type", "of a layer is missing");
        if (!tiled_well(r)) return;
        if (strcmp(type, "group") == 0)
            each_layer(r, layer, pv__add(offset, own), work);
        else if (strcmp(type, "tilelayer") == 0 && is_wanted(r, layer) && tiled_well(r))
            work(r, layer, pv__add(offset, own));
        if (!tiled_well(r)) return;
    }
    r->kind = NULL;
}

static void read_layer(tiled_reader *r, const cJSON *layer, pv_vec2 offset) {
    if (!r->infinite) {
        get_int(r, layer, "width", r->columns, r->columns);
        get_int(r, layer, "height", r->rows, r->rows);
    }
    r->met = true;
    if (tiled_well(r)) read_tiles(r, layer, offset);
}

/// Enlarges the part that is drawn by the chunks of a layer.
static void span_chunks(tiled_reader *r, const cJSON *layer, pv_vec2 offset) {
    const cJSON *chunks = get_array(r, layer, "chunks"), *chunk;
    (void)offset;
    cJSON_ArrayForEach(chunk, chunks) {
        tiled_block b = block_of(r, chunk);
        if (!tiled_well(r)) return;
        int right = r->columns ? r->left + r->columns : b.left,
            bottom = r->rows ? r->top + r->rows : b.top;
        if (!r->columns || b.left < r->left) r->left = b.left;
        if (!r->rows || b.top < r->top) r->top = b.top;
        if (b.left + b.columns > right) right = b.left + b.columns;
        if (b.top + b.rows > bottom) bottom = b.top + b.rows;
        r->columns = right - r->left;
        r->rows = bottom - r->top;
    }
}

/* ---- the map ---- */

static void read_size(tiled_reader *r, const cJSON *root) {
    const pv_image_limits *limits = &r->options->limits;
    if (r->infinite) each_layer(r, root, pv__vec(0, 0), span_chunks);
    if (!r->columns) { /* of a fixed size, or without chunks */
        r->columns = get_int(r, root, "width", 1, PV__MAX_SIDE);
        r->rows = get_int(r, root, "height", 1, PV__MAX_SIDE);
    }
    r->tile_width = get_int(r, root, "tilewidth", 1, PV__MAX_SIDE);
    r->tile_height = get_int(r, root, "tileheight", 1, PV__MAX_SIDE);
    int64_t w = (int64_t)r->columns * r->tile_width, h = (int64_t)r->rows * r->tile_height;
    if (tiled_well(r) &&
        pv__check_most(r->error, PV__LIMIT(true, max_width), "width", r->file, w,
                       pv__sooner(limits->max_width, PV__MAX_SIDE)) &&
        pv__check_most(r->error, PV__LIMIT(true, max_height), "height", r->file, h,
                       pv__sooner(limits->max_height, PV__MAX_SIDE)) &&
        tiled_pay(r, words_of((int)w), h, 1))
        r->map = pv__mask_make(r->error, (int)w, (int)h, &r->from);
}

static void tiled_read_map(tiled_reader *r, const cJSON *root, const char *path) {
    const char *orientation = get_text(r, root, "orientation");
    r->infinite = get_bool(r, root, "infinite", false);
    if (!orientation) tiled_refuse(r, "orientation", "is missing");
    if (!tiled_well(r)) return;
    if (strcmp(orientation, "orthogonal") != 0)
        tiled_fail(r, PV_ERROR_UNSUPPORTED, "orientation", "is \"%.24s\", must be \"orthogonal\"",
                   orientation);
    if (tiled_well(r)) list_tilesets(r, root);
    if (tiled_well(r)) read_size(r, root);
    if (tiled_well(r)) each_layer(r, root, pv__vec(0, 0), read_layer);
    if (tiled_well(r) && r->wanted && !r->met)
        pv__error_say(r->error, PV_ERROR_ARGUMENT, "layer", "layer %s is no tile layer of %s",
                      r->wanted, path);
}

static void tiled_clean(tiled_reader *r) {
    for (int i = 0; i < r->tileset_count; i++) pv_frames_destroy(r->tilesets[i].frames);
    pv__free(&r->from, r->tilesets, (size_t)r->tileset_capacity, sizeof *r->tilesets);
    pv__free(&r->from, r->masks, (size_t)r->mask_count, sizeof *r->masks);
    if (tiled_well(r)) return;
    pv_mask_release(r->map);
    r->map = NULL;
}

static bool tiled_check_options(pv_error *e, const pv_mask_options *o) {
    return pv__mask_check_options(e, o) &&
           pv__check_range(e, "options.region.w", o->region.w, 0, 0) &&
           pv__check_range(e, "options.region.h", o->region.h, 0, 0) &&
           pv__check_range(e, PV__LIMIT(true, max_area), (double)o->limits.max_area, 1, 0x1p63) &&
           pv__check_range(e, PV__LIMIT(true, max_file_size), (double)o->limits.max_file_size, 1,
                           0x1p63);
}

pv_mask *pv_tilemap_load_mask(const char *path, const char *layer, const pv_mask_options *options,
                              pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    pv_mask_options o = options ? *options : pv_mask_options_default();
    if (!pv__check_pointer(e, "path", path) || !tiled_check_options(e, &o)) return NULL;
    o.limits.allocator = pv__allocator(&o.limits.allocator);
    tiled_reader r = {.options = &o,
                      .from = o.limits.allocator,
                      .wanted = layer,
                      .error = e,
                      .file = path,
                      .bytes = MOST_BYTES};
    r.room = 32 * (o.limits.max_area < PV__MAX_AREA ? o.limits.max_area : PV__MAX_AREA);
    cJSON *root = open_tree(&r, path);
    if (root) tiled_read_map(&r, root, path);
    cJSON_Delete(root);
    tiled_clean(&r);
    return r.map;
}

#endif
