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
#include "base/error.h"
#include "base/math.h"
#include "pixel/mask_ops.h"

#define FLIPS (PV_TILE_FLIP_X | PV_TILE_FLIP_Y | PV_TILE_FLIP_DIAGONAL)

/* ---- checking ---- */

static bool masks_good(const pv_tilemap_def *o) {
    for (int i = 1; i < o->mask_count; i++) {
        const pv_mask *mask = o->masks[i];
        if (mask && (mask->bits.w != o->tile_width || mask->bits.h != o->tile_height)) return false;
    }
    return true;
}

static bool tiles_good(const pv_tilemap_def *o) {
    size_t count = (size_t)o->columns * (size_t)o->rows;
    bool square = o->tile_width == o->tile_height;
    for (size_t i = 0; i < count; i++) {
        uint32_t tile = o->tiles[i], id = tile & ~FLIPS;
        if (id && id >= (uint32_t)o->mask_count) return false;
        if (!square && tile & PV_TILE_FLIP_DIAGONAL) return false;
    }
    return true;
}

/// Checks the numbers of a def before anything is read from its arrays.
static pv_status check_head(const pv_tilemap_def *o) {
    if (!o || !o->tiles || o->tile_width < 1 || o->tile_height < 1 || o->columns < 1 ||
        o->rows < 1 || o->mask_count < 0 || (o->mask_count > 0 && !o->masks))
        return PV_ERROR_ARGUMENT;
    int64_t w = (int64_t)o->columns * o->tile_width, h = (int64_t)o->rows * o->tile_height;
    return w > PV__MAX_SIDE || h > PV__MAX_SIDE ? PV_ERROR_TOO_LARGE : PV_OK;
}

static pv_status tilemap_check(const pv_tilemap_def *o) {
    pv_status status = check_head(o);
    if (status != PV_OK) return status;
    return masks_good(o) && tiles_good(o) ? PV_OK : PV_ERROR_ARGUMENT;
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
    pv_status good = tilemap_check(def);
    if (good != PV_OK) return pv__say(error, good), NULL;
    pv_mask *mask = pv_mask_create(def->columns * def->tile_width, def->rows * def->tile_height,
                                   &def->allocator, error);
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
    return pv__say(error, PV_ERROR_UNSUPPORTED), NULL;
}

#else

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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
    pv_status status;
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

static bool tiled_well(const tiled_reader *r) { return r->status == PV_OK; }

static void tiled_fail(tiled_reader *r, pv_status status) {
    if (tiled_well(r)) r->status = status;
}

/// Takes w x h pixels of count pictures, none of them negative, out of the room. Returns false
/// after a failure.
static bool tiled_pay(tiled_reader *r, int64_t w, int64_t h, int64_t count) {
    int64_t area = w * h;
    if (area > 0 && count > r->room / area)
        tiled_fail(r, PV_ERROR_TOO_LARGE);
    else
        r->room -= area * count;
    return tiled_well(r);
}

/// Returns the number of pixels in the whole words of a row of w pixels.
static int64_t words_of(int w) { return 64 * (int64_t)pv__bits_stripes(w); }

/* ---- values ---- */

/// Returns the member of that name, or null.
static const cJSON *tiled_get(tiled_reader *r, const cJSON *object, const char *name) {
    const cJSON *found = NULL, *item;
    if (!cJSON_IsObject(object)) return tiled_fail(r, PV_ERROR_FORMAT), NULL;
    cJSON_ArrayForEach(item, object) {
        if (strcmp(item->string, name) != 0) continue;
        if (found) tiled_fail(r, PV_ERROR_FORMAT);
        found = item;
    }
    return found;
}

static int64_t tiled_whole(tiled_reader *r, const cJSON *item, int64_t low, int64_t high) {
    double value = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    if (value >= (double)low && value <= (double)high && value == (double)(int64_t)value)
        return (int64_t)value;
    tiled_fail(r, PV_ERROR_FORMAT);
    return low;
}

static int get_int(tiled_reader *r, const cJSON *object, const char *name, int low, int high) {
    return (int)tiled_whole(r, tiled_get(r, object, name), low, high);
}

/// Returns a member that is a whole number in 0...high, or other if it is missing.
static int get_int_or(tiled_reader *r, const cJSON *object, const char *name, int other, int high) {
    const cJSON *item = tiled_get(r, object, name);
    return item ? (int)tiled_whole(r, item, 0, high) : other;
}

/// Returns the text of a member, or null if it is missing. The text "" does not stand for a missing
/// one.
static const char *get_text(tiled_reader *r, const cJSON *object, const char *name) {
    const cJSON *item = tiled_get(r, object, name);
    if (item && !cJSON_IsString(item)) tiled_fail(r, PV_ERROR_FORMAT);
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

static const cJSON *get_array(tiled_reader *r, const cJSON *object, const char *name) {
    const cJSON *item = tiled_get(r, object, name);
    if (!cJSON_IsArray(item)) tiled_fail(r, PV_ERROR_FORMAT);
    return item;
}

static bool get_bool(tiled_reader *r, const cJSON *object, const char *name, bool other) {
    const cJSON *item = tiled_get(r, object, name);
    if (item && !cJSON_IsBool(item)) tiled_fail(r, PV_ERROR_FORMAT);
    return item ? cJSON_IsTrue(item) : other;
}

/// Returns an offset, or 0 if it is missing [px].
static double get_offset(tiled_reader *r, const cJSON *object, const char *name) {
    const cJSON *item = tiled_get(r, object, name);
    if (!item) return 0;
    double value = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    if (pv__abs(value) <= PV__MAX_SIDE) return value;
    tiled_fail(r, PV_ERROR_FORMAT);
    return 0;
}

/* ---- files ---- */

/// Returns the path of a file beside another one, or null without memory. The caller frees it with
/// pv__free() and *size.
static char *tiled_beside(tiled_reader *r, const char *file, const char *name, size_t *size) {
    const char *slash = *name == '/' ? NULL : strrchr(file, '/');
    size_t directory = slash ? (size_t)(slash - file) + 1 : 0;
    *size = directory + strlen(name) + 1;
    char *path = pv__alloc(&r->from, *size, 1);
    if (!path) return tiled_fail(r, PV_ERROR_MEMORY), NULL;
    memcpy(path, file, directory);
    memcpy(path + directory, name, *size - directory);
    return path;
}

/// Returns the size of a file before it is opened, as opening a pipe would wait for its other end.
static size_t size_of_file(tiled_reader *r, const char *path) {
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return tiled_fail(r, PV_ERROR_FILE_OPEN), 0;
    if (about.st_size > r->bytes || about.st_size > r->options->limits.max_file_size)
        return tiled_fail(r, PV_ERROR_TOO_LARGE), 0;
    r->bytes -= about.st_size;
    return (size_t)about.st_size;
}

static void tiled_fill(tiled_reader *r, const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        tiled_fail(r, PV_ERROR_FILE_OPEN);
        return;
    }
    if (fread(text, 1, size, file) != size) tiled_fail(r, PV_ERROR_FILE_READ);
    fclose(file);
}

/// Parses a file; the caller frees the result.
/// @param text size bytes and TILED_PADDING zeros
static cJSON *tiled_parse(tiled_reader *r, const char *text, size_t size) {
    const char *end = NULL;
    cJSON *root =
        memchr(text, '\0', size) ? NULL : cJSON_ParseWithLengthOpts(text, size + 1, &end, false);
    if (root && end[strspn(end, " \t\r\n")] == '\0') return root;
    cJSON_Delete(root);
    tiled_fail(r, PV_ERROR_FORMAT);
    return NULL;
}

/// Returns a parsed file, for cJSON_Delete(), or null with a status.
static cJSON *open_json(tiled_reader *r, const char *path) {
    size_t size = size_of_file(r, path);
    cJSON *root = NULL;
    if (!tiled_well(r)) return NULL;
    char *text = pv__alloc(&r->from, size + TILED_PADDING, 1);
    if (!text) return tiled_fail(r, PV_ERROR_MEMORY), NULL;
    tiled_fill(r, path, text, size);
    if (tiled_well(r)) root = tiled_parse(r, text, size);
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
    pv_error error;
    pv_frames_options o = frames_options(r);
    if (!tiled_pay(r, sheet->width, sheet->height, 1)) return;
    t->frames = pv_frames_from_grid(sheet, grid, &o, &error);
    if (!t->frames)
        tiled_fail(r, error.status == PV_ERROR_ARGUMENT ? PV_ERROR_FORMAT : error.status);
}

static void load_sheet(tiled_reader *r, tileset *t, const pv_grid *grid, const char *path) {
    pv_error error;
    if (!tiled_pay(r, words_of(grid->width), grid->height, t->count)) return;
    pv_image *sheet = pv_image_load(path, &r->options->limits, &error);
    if (!sheet) {
        tiled_fail(r, error.status);
        return;
    }
    tiled_cut(r, t, grid, sheet);
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
    if (name && grid.columns < 1) tiled_fail(r, PV_ERROR_FORMAT);
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
    if (tiled_well(r) && t->first > MOST_TILES + 1 - t->count) tiled_fail(r, PV_ERROR_TOO_LARGE);
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
        tiled_fail(r, PV_ERROR_UNSUPPORTED);
        return;
    }
    char *path = tiled_beside(r, map, source, &size);
    if (!path) return;
    cJSON *root = open_json(r, path);
    if (root) read_tileset(r, t, root, path);
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
        tiled_fail(r, PV_ERROR_MEMORY);
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
    r->masks = pv__alloc(&r->from, (size_t)r->mask_count, sizeof(pv_mask *));
    if (!r->masks) {
        tiled_fail(r, PV_ERROR_MEMORY);
        return;
    }
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
    cJSON_ArrayForEach(item, data) *tiles++ = (uint32_t)tiled_whole(r, item, 0, UINT32_MAX);
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
            tiled_fail(r, PV_ERROR_FORMAT);
            return;
        }
        uint32_t byte = ((uint32_t)a << shift | (uint32_t)b >> (6 - shift)) & 255;
        tiles[i / 4] |= byte << (8 * (i % 4));
    }
    if (strspn(text + used, "=") != base64_length(tile_count(r)) - used)
        tiled_fail(r, PV_ERROR_FORMAT);
}

/// Checks that a layer's data are of a known kind, with the length for the map's size.
static void check_data(tiled_reader *r, const cJSON *layer, const cJSON *data) {
    const char *encoding = get_text(r, layer, "encoding"),
               *compression = get_text(r, layer, "compression");
    if (compression && *compression) {
        tiled_fail(r, PV_ERROR_UNSUPPORTED);
        return;
    }
    bool base64 = encoding && strcmp(encoding, "base64") == 0;
    if (base64 ? !cJSON_IsString(data) || strlen(data->valuestring) != base64_length(tile_count(r))
               : !cJSON_IsArray(data) || (size_t)cJSON_GetArraySize(data) != tile_count(r))
        tiled_fail(r, PV_ERROR_FORMAT);
}

/// Returns the error for a tile without a mask.
static pv_status tiled_judge(const tiled_reader *r, uint32_t id) {
    for (int i = 0; i < r->tileset_count; i++) {
        const tileset *t = &r->tilesets[i];
        if (id >= (uint32_t)t->first && id - (uint32_t)t->first < (uint32_t)t->count)
            return PV_ERROR_UNSUPPORTED;
    }
    return PV_ERROR_FORMAT;
}

static void check_tiles(tiled_reader *r, const uint32_t *tiles) {
    const uint32_t flips = PV_TILE_FLIP_X | PV_TILE_FLIP_Y | PV_TILE_FLIP_DIAGONAL;
    size_t count = tile_count(r);
    for (size_t i = 0; i < count && tiled_well(r); i++) {
        uint32_t id = tiles[i] & ~flips;
        if (id && (id >= (uint32_t)r->mask_count || !r->masks[id]))
            tiled_fail(r, tiled_judge(r, id));
        if (r->tile_width != r->tile_height && tiles[i] & PV_TILE_FLIP_DIAGONAL)
            tiled_fail(r, PV_ERROR_FORMAT);
    }
}

/* ---- layers ---- */

/// Adds a layer of checked tiles to the map.
static void tiled_draw(tiled_reader *r, const uint32_t *tiles, pv_vec2 offset) {
    pv_error error;
    pv_tilemap_def def = {r->tile_width, r->tile_height, r->columns,    r->rows,
                          tiles,         r->masks,       r->mask_count, r->from};
    pv_mask *layer = pv_tilemap_create_mask(&def, &error);
    if (!layer) {
        tiled_fail(r, error.status);
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
    uint32_t *tiles = pv__alloc(&r->from, count, sizeof *tiles);
    if (!tiles) {
        tiled_fail(r, PV_ERROR_MEMORY);
        return;
    }
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
    if (properties && !cJSON_IsArray(properties)) tiled_fail(r, PV_ERROR_FORMAT);
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
        if (!type) tiled_fail(r, PV_ERROR_FORMAT);
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
    if (w > limits->max_width || h > limits->max_height) tiled_fail(r, PV_ERROR_TOO_LARGE);
    if (!tiled_well(r) || !tiled_pay(r, words_of((int)w), h, 1)) return;
    pv_error error;
    r->map = pv_mask_create((int)w, (int)h, &r->from, &error);
    r->status = error.status;
}

static void tiled_read_map(tiled_reader *r, const cJSON *root, const char *path) {
    const char *orientation = get_text(r, root, "orientation");
    bool infinite = get_bool(r, root, "infinite", false);
    if (!orientation) tiled_fail(r, PV_ERROR_FORMAT);
    if (!tiled_well(r)) return;
    if (infinite || strcmp(orientation, "orthogonal") != 0) {
        tiled_fail(r, PV_ERROR_UNSUPPORTED);
        return;
    }
    read_size(r, root);
    if (tiled_well(r)) read_tilesets(r, root, path);
    if (tiled_well(r)) read_layers(r, root, pv__vec(0, 0));
    if (r->wanted && !r->met) tiled_fail(r, PV_ERROR_ARGUMENT);
}

static void tiled_clean(tiled_reader *r) {
    for (int i = 0; i < r->tileset_count; i++) pv_frames_destroy(r->tilesets[i].frames);
    pv__free(&r->from, r->tilesets, (size_t)r->tileset_capacity, sizeof *r->tilesets);
    pv__free(&r->from, r->masks, (size_t)r->mask_count, sizeof *r->masks);
    if (tiled_well(r)) return;
    pv_mask_release(r->map);
    r->map = NULL;
}

static bool tiled_options_good(const pv_mask_options *o) {
    const pv_image_limits *limits = &o->limits;
    return o->cookie == PV__COOKIE && limits->cookie == PV__COOKIE && o->alpha_threshold >= 0 &&
           o->alpha_threshold <= 255 && o->region.w == 0 && o->region.h == 0 &&
           limits->max_area >= 1 && limits->max_file_size >= 1;
}

pv_mask *pv_tilemap_load_mask(const char *path, const char *layer, const pv_mask_options *options,
                              pv_error *error) {
    pv_mask_options o = options ? *options : pv_mask_options_default();
    if (!path || !tiled_options_good(&o)) return pv__say(error, PV_ERROR_ARGUMENT), NULL;
    o.limits.allocator = pv__allocator(&o.limits.allocator);
    tiled_reader r = {
        .options = &o, .from = o.limits.allocator, .wanted = layer, .bytes = MOST_BYTES};
    r.room = 32 * (o.limits.max_area < PV__MAX_AREA ? o.limits.max_area : PV__MAX_AREA);
    cJSON *root = open_json(&r, path);
    if (root) tiled_read_map(&r, root, path);
    cJSON_Delete(root);
    tiled_clean(&r);
    pv__say(error, r.status);
    return r.map;
}

#endif
