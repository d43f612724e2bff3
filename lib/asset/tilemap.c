/* tilemap.c - draws layers of tiles, of a caller or of Tiled, into one mask.
 *
 * Invariant: every tile is checked before the mask is created, so drawing cannot fail. The whole
 * layer is one bitmap, so its contour has no sides between tiles.
 *
 * SPDX-License-Identifier: Zlib
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "base/base.h"
#include "base/math.h"
#include "pixel/file.h"
#include "pixel/mask.h"
#include "pixel/mask_ops.h"
#include "pixel/png.h"

#include <inttypes.h>
#include <limits.h>

#define FLIPS (PV_TILE_FLIP_X | PV_TILE_FLIP_Y | PV_TILE_FLIP_DIAGONAL)

/* ---- checking ---- */

static bool check_masks(pv_error *e, const pv_tilemap_def *o) {
    for (int i = 1; i < o->mask_count; i++) {
        const pv_mask *mask = o->masks[i];
        if (mask && (mask->bits.w != o->tile_width || mask->bits.h != o->tile_height))
            return pv__error_say(e, PV_ERROR_ARGUMENT, "def.masks",
                                 "def.masks[%d] is %d x %d px, a tile is %d x %d px", i,
                                 mask->bits.w, mask->bits.h, o->tile_width,
                                 o->tile_height) == PV_OK;
    }
    return true;
}

static bool check_all_tiles(pv_error *e, const pv_tilemap_def *o) {
    size_t count = (size_t)o->columns * (size_t)o->rows;
    bool square = o->tile_width == o->tile_height;
    for (size_t i = 0; i < count; i++) {
        uint32_t tile = o->tiles[i], id = tile & ~FLIPS;
        if (id && id >= (uint32_t)o->mask_count)
            return pv__error_say(e, PV_ERROR_ARGUMENT, "def.tiles",
                                 "def.tiles[%zu] has the id %" PRIu32 " of %d masks", i, id,
                                 o->mask_count) == PV_OK;
        if (!square && tile & PV_TILE_FLIP_DIAGONAL)
            return pv__error_say(e, PV_ERROR_ARGUMENT, "def.tiles",
                                 "def.tiles[%zu] is flipped diagonally, but not square",
                                 i) == PV_OK;
    }
    return true;
}

/// Checks a side of a layer.
static bool check_side(pv_error *e, const char *field, const char *tile_field, int count,
                       int tile) {
    if (!pv__check_size(e, field, count, 1, PV__MAX_SIDE) ||
        !pv__check_size(e, tile_field, tile, 1, PV__MAX_SIDE))
        return false;
    if (count * (int64_t)tile <= PV__MAX_SIDE) return true;
    e->value = count * (double)tile, e->min = 1, e->max = PV__MAX_SIDE;
    return pv__error_say(e, PV_ERROR_TOO_LARGE, field, "%s x %s is %d x %d, at most %d px", field,
                         tile_field, count, tile, PV__MAX_SIDE) == PV_OK;
}

/// Checks the numbers of a def before anything is read from its arrays.
static bool tilemap_check(pv_error *e, const pv_tilemap_def *o) {
    return pv__check_pointer(e, "def", o) && pv__check_pointer(e, "def.tiles", o->tiles) &&
           pv__check_range(e, "def.mask_count", o->mask_count, 0, INT_MAX) &&
           (o->mask_count == 0 || pv__check_pointer(e, "def.masks", o->masks)) &&
           check_side(e, "def.columns", "def.tile_width", o->columns, o->tile_width) &&
           check_side(e, "def.rows", "def.tile_height", o->rows, o->tile_height) &&
           check_masks(e, o) && check_all_tiles(e, o);
}

/* ---- drawing ---- */

static void set_pixel(const pv__bits *to, int x, int y) {
    to->words[(size_t)(x >> 6) * (size_t)to->h + (size_t)y] |= UINT64_C(1) << (x & 63);
}

/// Draws a flipped tile pixel by pixel.
static void draw_flipped(const pv__bits *to, const pv__bits *from, int left, int top,
                         uint32_t tile) {
    bool diagonal = tile & PV_TILE_FLIP_DIAGONAL;
    for (int y = 0; y < from->h; y++)
        for (int x = 0; x < from->w; x++) {
            if (!pv__bits_get(from, x, y)) continue;
            int right = diagonal ? y : x, down = diagonal ? x : y;
            if (tile & PV_TILE_FLIP_X) right = from->w - 1 - right;
            if (tile & PV_TILE_FLIP_Y) down = from->h - 1 - down;
            set_pixel(to, left + right, top + down);
        }
}

static void draw_tile(const pv__bits *to, const pv_tilemap_def *o, int column, int row) {
    uint32_t tile = o->tiles[(size_t)row * (size_t)o->columns + (size_t)column], id = tile & ~FLIPS;
    const pv_mask *mask = id ? o->masks[id] : NULL;
    int left = column * o->tile_width, top = row * o->tile_height;
    if (!mask) return;
    if (tile & FLIPS)
        draw_flipped(to, &mask->bits, left, top, tile);
    else
        pv__bits_combine(to, &mask->bits, left, top, PV_COMBINE_OR);
}

pv_mask *pv_tilemap_create_mask(const pv_tilemap_def *def, pv_error *error) {
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    if (!tilemap_check(e, def)) return NULL;
    pv_mask *mask = pv__mask_make(e, def->columns * def->tile_width, def->rows * def->tile_height,
                                  &def->allocator);
    for (int column = 0; mask && column < def->columns; column++) /* as stripes lie in memory */
        for (int row = 0; row < def->rows; row++) draw_tile(&mask->bits, def, column, row);
    return mask;
}

/* ---- maps of Tiled: their JSON as one mask ----
 *
 * Invariant: nothing in a file is trusted. Large data are counted before their memory is allocated.
 * All costs in time or memory are taken from the reader's room. The first failure stays in the
 * reader's status and ends the work.
 */

#ifndef HAVE_CJSON

pv_mask *pv_tilemap_load_mask(const char *path, const char *layer, const pv_mask_options *options,
                              pv_error *error) {
    (void)path, (void)layer, (void)options;
    pv_error own, *e = pv__error_begin(__func__, error, &own);
    return pv__error_set(e, PV_ERROR_UNSUPPORTED), NULL;
}

#else

#include <cjson/cJSON.h>
#include <string.h>

/// Greatest size of all JSON together [bytes]; the parser takes up to some 40 bytes for one
#define MOST_BYTES ((int64_t)1 << 24)
#define MOST_TILES (1 << 20)
/// Number of zeros behind a file [bytes]; older parsers read a byte beyond the given size
#define TILED_PADDING 16

/// Tiles first...first + count - 1
typedef struct tileset {
    int first, count;
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
    int columns, rows, tile_width, tile_height;
    tileset *tilesets;
    int tileset_count, tileset_capacity;
    /// Masks by id, borrowed from the tilesets
    pv_mask **masks;
    int mask_count;
    pv_mask *map;
    /// True if a layer was read
    bool met;
} tiled_reader;

static bool tiled_well(const tiled_reader *r) { return r->error->status == PV_OK; }

/// Fails because of a member of the file that is read, unless something has failed before.
/// @param what ending of the sentence
static void tiled_fail(tiled_reader *r, pv_status status, const char *name, const char *what) {
    if (tiled_well(r))
        pv__error_say(r->error, status, "path", "%s: \"%s\" %s", r->file, name, what);
}

/// Does the same for a member that breaks the format.
static void tiled_refuse(tiled_reader *r, const char *name, const char *what) {
    tiled_fail(r, PV_ERROR_FORMAT, name, what);
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
    tiled_refuse(r, name, item ? "is no whole number in its range" : "is missing");
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
    tiled_refuse(r, name, "is no number in its range");
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
static cJSON *open_json(tiled_reader *r, const char *path) {
    size_t size = 0;
    cJSON *root = NULL;
    if (!tiled_file_size(r, path, &size)) return NULL;
    char *text = tiled_alloc(r, size + TILED_PADDING, 1);
    if (!text) return NULL;
    if (pv__file_read(r->error, path, text, size)) root = tiled_parse(r, path, text, size);
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

static bool ends_in(const char *text, const char *end) {
    size_t size = strlen(text), of = strlen(end);
    return size >= of && strcmp(text + size - of, end) == 0;
}

/// Reads a tileset from a file of its own.
static void read_source(tiled_reader *r, tileset *t, const char *source, const char *map) {
    size_t size;
    if (ends_in(source, ".tsx")) {
        tiled_fail(r, PV_ERROR_UNSUPPORTED, "source", "is a .tsx, not JSON");
        return;
    }
    char *path = tiled_beside(r, map, source, &size);
    if (!path) return;
    cJSON *root = open_json(r, path);
    r->file = path;
    if (root) read_tileset(r, t, root, path);
    r->file = map;
    cJSON_Delete(root);
    pv__free(&r->from, path, size, 1);
}

static void add_tileset(tiled_reader *r, const cJSON *object, const char *map) {
    const tileset *last = r->tileset_count ? &r->tilesets[r->tileset_count - 1] : NULL;
    int least = last ? last->first + last->count : 1;
    tileset t = {.first = get_int(r, object, "firstgid", least, INT32_MAX)};
    const char *source = get_text(r, object, "source");
    if (!tiled_well(r)) return;
    if (!pv__reserve(&r->from, &r->tilesets, &r->tileset_capacity, r->tileset_count + 1,
                     sizeof t)) {
        pv__error_set(r->error, PV_ERROR_MEMORY);
        return;
    }
    if (source)
        read_source(r, &t, source, map);
    else
        read_tileset(r, &t, object, map);
    r->tilesets[r->tileset_count++] = t;
}

/// Lists the masks of all tilesets by id.
static void list_masks(tiled_reader *r) {
    const tileset *last = r->tileset_count ? &r->tilesets[r->tileset_count - 1] : NULL;
    r->mask_count = last ? last->first + last->count : 1;
    r->masks = tiled_alloc(r, (size_t)r->mask_count, sizeof(pv_mask *));
    if (!r->masks) return;
    for (int i = 0; i < r->tileset_count; i++) {
        const tileset *t = &r->tilesets[i];
        for (int j = 0; j < pv_frames_get_count(t->frames); j++)
            r->masks[t->first + j] = pv_frames_get_frame(t->frames, j)->mask;
    }
}

static void read_tilesets(tiled_reader *r, const cJSON *root, const char *path) {
    const cJSON *tilesets = get_array(r, root, "tilesets"), *item;
    if (!tiled_well(r)) return;
    cJSON_ArrayForEach(item, tilesets) {
        add_tileset(r, item, path);
        if (!tiled_well(r)) return;
    }
    list_masks(r);
}

/* ---- tiles ---- */

static size_t tile_count(const tiled_reader *r) { return (size_t)r->columns * (size_t)r->rows; }

static void read_numbers(tiled_reader *r, const cJSON *data, uint32_t *tiles) {
    const cJSON *item;
    cJSON_ArrayForEach(item, data) *tiles++ = (uint32_t)tiled_whole(r, item, "data", 0, UINT32_MAX);
}

/// Returns the six bits of a base64 digit, or -1 for any other character.
static int tiled_digit(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// Returns the length of count tiles in base64.
static size_t base64_length(size_t count) { return (4 * count + 2) / 3 * 4; }

/// Reads tiles in base64 (RFC 4648). A tile is four bytes, the lowest first.
static void read_base64(tiled_reader *r, const char *text, uint32_t *tiles) {
    size_t bytes = 4 * tile_count(r), used = (8 * bytes + 5) / 6;
    for (size_t i = 0; i < bytes; i++) {
        size_t at = i / 3 * 4 + i % 3;
        int shift = 2 + 2 * (int)(i % 3), a = tiled_digit(text[at]), b = tiled_digit(text[at + 1]);
        if (a < 0 || b < 0) {
            tiled_refuse(r, "data", "is no base64");
            return;
        }
        uint32_t byte = ((uint32_t)a << shift | (uint32_t)b >> (6 - shift)) & 255;
        tiles[i / 4] |= byte << (8 * (i % 4));
    }
    if (strspn(text + used, "=") != base64_length(tile_count(r)) - used)
        tiled_refuse(r, "data", "is no base64");
}

/// Checks that a layer's data are of a known kind, with the length for the map's size.
static void check_data(tiled_reader *r, const cJSON *layer, const cJSON *data) {
    const char *encoding = get_text(r, layer, "encoding"),
               *compression = get_text(r, layer, "compression");
    if (compression && *compression) {
        tiled_fail(r, PV_ERROR_UNSUPPORTED, "compression", "is not supported");
        return;
    }
    bool base64 = encoding && strcmp(encoding, "base64") == 0;
    if (base64 ? !cJSON_IsString(data) || strlen(data->valuestring) != base64_length(tile_count(r))
               : !cJSON_IsArray(data) || (size_t)cJSON_GetArraySize(data) != tile_count(r))
        tiled_refuse(r, "data", "has not as many tiles as the map");
}

/// Fails because of a tile without a mask.
static void tiled_judge(tiled_reader *r, uint32_t id) {
    for (int i = 0; i < r->tileset_count; i++) {
        const tileset *t = &r->tilesets[i];
        if (id >= (uint32_t)t->first && id - (uint32_t)t->first < (uint32_t)t->count)
            tiled_fail(r, PV_ERROR_UNSUPPORTED, "data",
                       "has tiles of another size, or of single pictures");
    }
    tiled_refuse(r, "data", "has a tile of no tileset");
}

static void check_tiles(tiled_reader *r, const uint32_t *tiles) {
    const uint32_t flips = PV_TILE_FLIP_X | PV_TILE_FLIP_Y | PV_TILE_FLIP_DIAGONAL;
    size_t count = tile_count(r);
    for (size_t i = 0; i < count && tiled_well(r); i++) {
        uint32_t id = tiles[i] & ~flips;
        if (id && (id >= (uint32_t)r->mask_count || !r->masks[id])) tiled_judge(r, id);
        if (r->tile_width != r->tile_height && tiles[i] & PV_TILE_FLIP_DIAGONAL)
            tiled_refuse(r, "data", "flips a tile diagonally that is not square");
    }
}

/* ---- layers ---- */

/// Adds a layer of checked tiles to the map.
static void tiled_draw(tiled_reader *r, const uint32_t *tiles, pv_vec2 offset) {
    pv_error inner;
    pv_tilemap_def def = {r->tile_width, r->tile_height, r->columns,    r->rows,
                          tiles,         r->masks,       r->mask_count, r->from};
    pv_mask *layer = pv_tilemap_create_mask(&def, &inner);
    if (!layer) {
        pv__error_adopt(r->error, &inner);
        return;
    }
    int dx = (int)pv__floor(offset.x + 0.5), dy = (int)pv__floor(offset.y + 0.5);
    pv_mask_combine(r->map, layer, dx, dy, PV_COMBINE_OR);
    pv_mask_release(layer);
}

static void read_tiles(tiled_reader *r, const cJSON *layer, pv_vec2 offset) {
    const cJSON *data = tiled_get(r, layer, "data");
    size_t count = tile_count(r);
    check_data(r, layer, data);
    if (!tiled_well(r) ||
        !tiled_pay(r, words_of(pv_mask_get_width(r->map)), pv_mask_get_height(r->map), 1))
        return;
    if (!tiled_pay(r, r->mask_count, 1, 1)) return; /* all masks are checked */
    uint32_t *tiles = tiled_alloc(r, count, sizeof *tiles);
    if (!tiles) return;
    if (cJSON_IsString(data))
        read_base64(r, data->valuestring, tiles);
    else
        read_numbers(r, data, tiles);
    if (tiled_well(r)) check_tiles(r, tiles);
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

static void read_layer(tiled_reader *r, const cJSON *layer, pv_vec2 offset) {
    if (!is_wanted(r, layer) || !tiled_well(r)) return;
    get_int(r, layer, "width", r->columns, r->columns);
    get_int(r, layer, "height", r->rows, r->rows);
    r->met = true;
    if (tiled_well(r)) read_tiles(r, layer, offset);
}

/// Reads the layers of a map or of a group. The parser bounds the depth of nested groups.
static void read_layers(tiled_reader *r, const cJSON *owner, pv_vec2 offset) {
    const cJSON *layers = get_array(r, owner, "layers"), *layer;
    if (!tiled_well(r)) return;
    cJSON_ArrayForEach(layer, layers) {
        pv_vec2 own = {get_offset(r, layer, "offsetx"), get_offset(r, layer, "offsety")};
        const char *type = get_text(r, layer, "type");
        if (!type) tiled_refuse(r, "type", "of a layer is missing");
        if (!tiled_well(r)) return;
        if (strcmp(type, "group") == 0)
            read_layers(r, layer, pv__add(offset, own));
        else if (strcmp(type, "tilelayer") == 0)
            read_layer(r, layer, pv__add(offset, own));
    }
}

/* ---- the map ---- */

static void read_size(tiled_reader *r, const cJSON *root) {
    const pv_image_limits *limits = &r->options->limits;
    r->columns = get_int(r, root, "width", 1, PV__MAX_SIDE);
    r->rows = get_int(r, root, "height", 1, PV__MAX_SIDE);
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
    bool infinite = get_bool(r, root, "infinite", false);
    if (!orientation) tiled_refuse(r, "orientation", "is missing");
    if (!tiled_well(r)) return;
    if (infinite) tiled_fail(r, PV_ERROR_UNSUPPORTED, "infinite", "is not supported");
    if (strcmp(orientation, "orthogonal") != 0)
        tiled_fail(r, PV_ERROR_UNSUPPORTED, "orientation", "is not orthogonal");
    if (!tiled_well(r)) return;
    read_size(r, root);
    if (tiled_well(r)) read_tilesets(r, root, path);
    if (tiled_well(r)) read_layers(r, root, pv__vec(0, 0));
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
    cJSON *root = open_json(&r, path);
    if (root) tiled_read_map(&r, root, path);
    cJSON_Delete(root);
    tiled_clean(&r);
    return r.map;
}

#endif
